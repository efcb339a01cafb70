//! The order of the points, the area of their polygon, and which few of them are kept.

use super::answer::ContactFeature;
use super::view::{Flat, minus, outer, size};
use alloc::vec::Vec;

/// Lengths and areas that differ by less than this part are equal, and features decide.
const TIE: f64 = 1e-9;

/// What the choice looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) place: Flat,
    pub(super) separation: f64,
    /// What the separation may be off.
    pub(super) off: f64,
    /// Those of the body first whose face has the lower numbers: exchanged bodies have the same order.
    pub(super) features: [ContactFeature; 2],
}

/// The numbers of the candidates counter-clockwise.
pub(super) fn around(points: &[Candidate]) -> Vec<usize> {
    let count = points.len() as f64;
    let center = points.iter().fold([0.0; 2], |sum: Flat, p| {
        [sum[0] + p.place[0] / count, sum[1] + p.place[1] / count]
    });
    let seen = |k: usize| minus(points[k].place, center);
    // The half plane first: within one, the turn is an order.
    let half = |x: Flat| x[1] < 0.0 || (x[1] == 0.0 && x[0] < 0.0);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| {
        let (x, y) = (seen(i), seen(j));
        let by_turn = outer(y, x).total_cmp(&0.0);
        let by_turn = if outer(y, x) == 0.0 {
            core::cmp::Ordering::Equal
        } else {
            by_turn
        };
        half(x).cmp(&half(y)).then(by_turn)
    });
    order
}

/// The area of the polygon of candidates in the order of their numbers.
pub(super) fn area(points: &[Candidate]) -> f64 {
    let Some((first, rest)) = points.split_first() else {
        return 0.0;
    };
    let seen = |p: &Candidate| minus(p.place, first.place);
    let doubled: f64 = rest
        .windows(2)
        .map(|w| outer(seen(&w[0]), seen(&w[1])))
        .sum();
    doubled.abs() / 2.0
}

/// The number of the best candidate; equal ones by their features.
fn best(points: &[Candidate], values: impl Fn(usize) -> Option<f64>) -> Option<(usize, f64)> {
    let mut top = f64::NEG_INFINITY;
    for k in 0..points.len() {
        if let Some(value) = values(k)
            && value > top
        {
            top = value;
        }
    }
    let close = |k: &usize| values(*k).is_some_and(|x| x >= top - TIE * top.abs());
    let chosen = (0..points.len())
        .filter(close)
        .min_by_key(|&k| points[k].features);
    chosen.map(|k| (k, top))
}

/// The deepest; those within rounding of it by their features.
pub(super) fn deepest(points: &[Candidate]) -> usize {
    let least = points
        .iter()
        .map(|p| p.separation + p.off)
        .fold(f64::INFINITY, |m, x| if x < m { x } else { m });
    let close = (0..points.len()).filter(|&k| points[k].separation - points[k].off <= least);
    close.min_by_key(|&k| points[k].features).unwrap_or(0)
}

/// At most so many of a polygon's corners, which are counter-clockwise: the deepest, the farthest from it, the one of the largest triangle with these,
/// and then always the one that adds the most area. Counter-clockwise from the deepest on.
pub(super) fn reduce(points: &[Candidate], most: usize) -> Vec<usize> {
    if points.is_empty() {
        return Vec::new();
    }
    let first = deepest(points);
    let mut kept: Vec<usize> = if points.len() <= most {
        (0..points.len()).collect()
    } else {
        [first].into()
    };
    let place = |k: usize| points[k].place;
    while kept.len() < most.min(points.len()) {
        let chosen = best(points, |k| {
            if kept.contains(&k) {
                return None;
            }
            Some(match kept[..] {
                [only] => size(minus(place(k), place(only))),
                _ => gain(points, &kept, k),
            })
        });
        let Some((next, _)) = chosen else { break };
        kept.push(next);
        kept.sort_unstable();
    }
    let at = kept.iter().position(|&k| k == first).unwrap_or(0);
    kept.rotate_left(at);
    kept
}

/// Twice the area of the triangle that a corner adds to the polygon of those kept, which are in order.
fn gain(points: &[Candidate], kept: &[usize], k: usize) -> f64 {
    let at = kept.partition_point(|&other| other < k);
    let (before, after) = (
        kept[(at + kept.len() - 1) % kept.len()],
        kept[at % kept.len()],
    );
    let from = points[before].place;
    outer(
        minus(points[k].place, from),
        minus(points[after].place, from),
    )
    .abs()
}
