//! Bodies whose vertices move each in a straight line: cases, and the oracle of those without volume.
//!
//! Idea: a point and a triangle, or two segments, are in one plane where a cubic is zero. The oracle evaluates its four points at many times, halves where the volume changes
//! its sign, and looks whether they meet there. It says nothing of a case that is near to another. All other cases are judged as bodies that turn are (`tois.rs`), with
//! points that move.

use super::MotionCase;
use super::generate::{lattice, middle_unit, snapped, vector};
use super::samples::{cross, dot};
use super::tois::{Scenery, Spin};
use crate::case::{Body, Form, Placement};
use crate::{Rng, Space};
use gjk::query::Meeting;

/// Where the points of each body are at the time 1; none of a body that keeps its shape.
pub(crate) type Ends = [Vec<[f64; 3]>; 2];

/// Times at which the volume is evaluated.
const VOLUMES: u32 = 512;

/// A volume of less than this part of the sizes, and a place that is nearer to an edge than this, are not judged.
const NEAR_VOLUME: f64 = 1e-9;
const NEAR_EDGE: f64 = 1e-6;

/// The same in `f32`: times are told apart to a millionth, and in so many of them a point goes so much of an edge. Over the very edge an answer is open.
const NEAR_EDGE_SINGLE: f64 = 1e-3;

/// The most that a volume of points of the size one bends in a unit of time squared, over eight: six products of three lengths up to twice √3.
const BEND: f64 = 32.0;

/// How far a time may be from the oracle's.
const TIME_MARGIN: f64 = 1e-9;

/// What the oracle knows of a case without volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Passage {
    /// They meet first at this time.
    At(f64),
    /// They do not.
    Never,
    /// It is too near to be told.
    Unknown,
}

/// Two bodies whose vertices move, or one, and one that may move as a whole.
pub(super) fn scenery(rng: &mut Rng, space: Space) -> (Scenery, Ends) {
    let unit = middle_unit(rng, space);
    let counts = match (rng.below(4), space.dim) {
        (0 | 1, 2) => [1, 2],
        (0, _) => [1, 3],
        (1, _) => [2, 2],
        (2, _) => [3, rng.pick(&[1, 2, 3])],
        _ => [rng.pick(&[3, 4, 6, 8]), rng.pick(&[4, 5, 8])],
    };
    let on_lattice = rng.one_in(3);
    let (reach, apart) = (rng.pick(&[1, 2, 4]), rng.int(0, 3));
    let points = |rng: &mut Rng, count: usize, away: f64| -> Vec<[f64; 3]> {
        let one = |rng: &mut Rng| {
            let mut point = if on_lattice {
                lattice(rng, space, reach, unit)
            } else {
                vector(rng, space, reach as f64 * unit)
            };
            point[0] = snapped(space, point[0] + away);
            point
        };
        (0..count).map(|_| one(rng)).collect()
    };
    let away = apart as f64 * 2.0 * reach as f64 * unit;
    let from = [points(rng, counts[0], 0.0), points(rng, counts[1], away)];
    let mut ends = [points(rng, counts[0], 0.0), points(rng, counts[1], -away)];
    // Some move together, some stay, and some bodies keep their shape.
    if rng.one_in(4) {
        ends[0].clone_from(&from[0]);
    }
    if rng.one_in(6) {
        ends[0].clear();
    }
    let place = Placement {
        columns: Placement::STRAIGHT,
        translation: lattice(rng, space, 3, unit),
    };
    let pose = rng.one_in(3).then_some(place);
    let body = |points: &Vec<[f64; 3]>| Body {
        form: Form::Simple,
        points: points.clone(),
        pose,
        ..Body::default()
    };
    let mut spins = [Spin::default(); 2];
    if ends[0].is_empty() && rng.one_in(2) {
        let mut angular = vector(rng, space, 3.0);
        if space.dim == 2 {
            angular = [0.0, 0.0, snapped(space, rng.range(-3.0, 3.0))];
        }
        spins[0].angular = angular;
    }
    let bodies = [body(&from[0]), body(&from[1])];
    ((bodies, [[0.0; 3]; 2], spins), ends)
}

/// When bodies without volume pass through each other; `None` for other bodies.
pub(super) fn passage(case: &MotionCase, [dim, single]: [usize; 2], end: f64) -> Option<Passage> {
    let ends = case.ends.as_ref()?;
    let turns = case
        .spins
        .is_some_and(|spins| spins.iter().any(|spin| spin.angular != [0.0; 3]));
    let counts = case.bodies.each_ref().map(|body| body.points.len());
    let flat = matches!(
        (dim, counts),
        (3, [1, 3] | [3, 1] | [2, 2]) | (2, [1, 2] | [2, 1])
    );
    if !flat || turns {
        return None;
    }
    let all = case.bodies.iter().zip(ends).flat_map(|(body, ends)| {
        let last = if ends.is_empty() { &body.points } else { ends };
        let pairs = body.points.iter().zip(last);
        pairs
            .map(|(&from, &to)| [from, to].map(|x| body.world(x)))
            .collect::<Vec<_>>()
    });
    let mut lines: Vec<[[f64; 3]; 2]> = all.collect();
    let largest = lines.as_flattened().as_flattened().iter();
    let size = largest.fold(0.0, |m: f64, x| m.max(x.abs()));
    if size == 0.0 {
        return Some(Passage::Unknown);
    }
    for x in lines.as_flattened_mut().as_flattened_mut() {
        *x /= size;
    }
    // The point, or the first segment, is first.
    if counts[0] > counts[1] {
        lines.rotate_left(counts[0]);
    }
    let segments = dim == 3 && counts == [2, 2];
    let at = |time: f64| meeting(dim, segments, &lines, time);
    let near = [NEAR_EDGE, NEAR_EDGE_SINGLE][single];
    Some(first(at, end, near))
}

/// The first time at which a volume is zero and the place is inside.
fn first(at: impl Fn(f64) -> (f64, f64), end: f64, near: f64) -> Passage {
    for k in 0..VOLUMES {
        let time = |k: u32| end * f64::from(k) / f64::from(VOLUMES);
        let (mut low, mut high) = (time(k), time(k + 1));
        let (before, after) = (at(low).0, at(high).0);
        if before.abs() < NEAR_VOLUME || after.abs() < NEAR_VOLUME {
            return Passage::Unknown;
        }
        if (before > 0.0) == (after > 0.0) {
            // It may be zero twice between.
            let step = high - low;
            if before.abs().min(after.abs()) < BEND * (1.0 + end) * step * step {
                return Passage::Unknown;
            }
            continue;
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if (at(middle).0 > 0.0) == (before > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let inside = at(high).1;
        if !(inside.abs() > near) {
            return Passage::Unknown;
        }
        if inside > 0.0 {
            return Passage::At(high);
        }
    }
    Passage::Never
}

/// Holds an answer against the oracle.
pub(super) fn held(
    passage: Passage,
    verdict: Meeting,
    time: Option<[f64; 2]>,
) -> Result<(), String> {
    let near = |right: f64| {
        let margin = TIME_MARGIN * (1.0 + right);
        time.is_some_and(|[lower, upper]| lower <= right + margin && right - margin <= upper)
    };
    let holds = match passage {
        Passage::Unknown => true,
        Passage::Never => verdict == Meeting::Free,
        Passage::At(right) => verdict == Meeting::Hits && near(right),
    };
    if holds {
        return Ok(());
    }
    Err(format!(
        "{} at {time:?}, the oracle {passage:?}",
        verdict.name()
    ))
}

/// The volume at a time (in the plane the area), and how far inside of each other the bodies are where it is zero: the least weight of a corner. The volume of a segment
/// or triangle that has collapsed, and of segments that are parallel, changes its sign where nothing meets: there it is no number.
fn meeting(dim: usize, segments: bool, lines: &[[[f64; 3]; 2]], time: f64) -> (f64, f64) {
    let place = |k: usize| -> [f64; 3] {
        std::array::from_fn(|j| lines[k][0][j] + time * (lines[k][1][j] - lines[k][0][j]))
    };
    let less = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    let p = place(0);
    if dim == 2 {
        let (a, b) = (place(1), place(2));
        let (u, v) = (less(b, a), less(p, a));
        let part = dot(u, v) / span(u);
        return (cross(u, v)[2], least([part, 1.0 - part]));
    }
    if segments {
        let (a, c, d) = (place(1), place(2), place(3));
        let (u, v, w) = (less(a, p), less(d, c), less(c, p));
        let n = cross(u, v);
        let (s, t) = (dot(n, cross(w, v)) / span(n), dot(n, cross(w, u)) / span(n));
        return (dot(n, w), least([s, 1.0 - s, t, 1.0 - t]));
    }
    let [a, b, c] = [place(1), place(2), place(3)];
    let n = cross(less(b, a), less(c, a));
    let weight = |u: [f64; 3], v: [f64; 3]| dot(n, cross(less(v, u), less(p, u))) / span(n);
    (
        dot(n, less(p, a)),
        least([weight(a, b), weight(b, c), weight(c, a)]),
    )
}

/// The square of a length or an area; no number where it is next to nothing.
fn span(x: [f64; 3]) -> f64 {
    let squared = dot(x, x);
    if squared > NEAR_EDGE * NEAR_EDGE {
        squared
    } else {
        f64::NAN
    }
}

/// The least; no number where one is none.
fn least<const N: usize>(all: [f64; N]) -> f64 {
    let smaller = |m: f64, x: f64| if x < m || x.is_nan() { x } else { m };
    all.into_iter().fold(f64::INFINITY, smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After half of the time both ends of the segment are in one place, half a unit beside the point: the area changes its sign there, and nothing meets.
    #[test]
    fn a_segment_that_collapses_meets_nothing() {
        let lines = [
            [[0.0; 3], [0.0; 3]],
            [[1.0, 0.5, 0.0], [-0.5, 0.5, 0.0]],
            [[-1.0, 0.5, 0.0], [0.5, 0.5, 0.0]],
        ];
        let found = first(|time| meeting(2, false, &lines, time), 1.0, NEAR_EDGE);
        assert_eq!(found, Passage::Unknown);
    }

    /// A point that meets a segment at 4/100,000 of it from an end: `f64` decides it, and `f32` need not.
    #[test]
    fn a_point_at_the_end_of_a_segment_is_open_in_single_precision() {
        let lines = [
            [[0.5, 4e-5, 0.0], [0.5, 4e-5, 0.0]],
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
            [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        ];
        let at = |time| meeting(2, false, &lines, time);
        assert_eq!(first(at, 1.0, NEAR_EDGE_SINGLE), Passage::Unknown);
        assert!(
            matches!(first(at, 0.9, NEAR_EDGE), Passage::At(time) if (time - 0.5).abs() < 1e-9)
        );
    }
}
