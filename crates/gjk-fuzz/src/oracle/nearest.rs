//! The nearest points of separated bodies, where a vertex or an edge of `A − B` is nearest.
//!
//! Idea: floats list vertex against vertex and vertex against edge; the shortest few are tried exactly. A difference `v`
//! is the shortest when no point of `A − B` lies lower along `v`: this proves the distance whatever was listed. When
//! none passes, a facet is nearest, and its normal is the best separating axis.

use super::axes::Pair;
use super::number::{Coord, Exact, difference, dot, dot_f, sub_f};
use gjk_exact::Int;
use std::cmp::Ordering;

/// A vertex difference, or the differences along an edge of one body.
#[derive(Clone, Copy, Debug)]
enum NearestFeature {
    /// A's point, B's point.
    Points(u8, u8),
    /// A's edge, B's point.
    EdgeOfA([u8; 2], u8),
    /// A's point, B's edge.
    EdgeOfB(u8, [u8; 2]),
}

/// Float candidates, the shortest so far.
struct Shortest {
    limit: f64,
    tolerance: f64,
    found: Vec<(f64, NearestFeature)>,
}

impl Shortest {
    fn offer(&mut self, squared: f64, feature: NearestFeature) {
        if squared > self.limit {
            return;
        }
        self.found.push((squared, feature));
        let limit = (squared.sqrt() + self.tolerance) * (squared.sqrt() + self.tolerance);
        self.limit = self.limit.min(limit);
    }
}

/// The squared distance as a fraction, when a vertex or an edge of the difference is nearest.
pub(crate) fn to_edges<C: Coord>(pair: &Pair<C>) -> Option<(Int, Int)> {
    let mut shortest = Shortest {
        limit: f64::INFINITY,
        tolerance: 4.0 * pair.tolerance(),
        found: Vec::with_capacity(16),
    };
    for (i, &p) in pair.a.floats.iter().enumerate() {
        for (j, &q) in pair.b.floats.iter().enumerate() {
            let w = sub_f(p, q);
            shortest.offer(dot_f(w, w), NearestFeature::Points(i as u8, j as u8));
        }
    }
    for &e in &pair.a.edges {
        let [p, q] = e.map(|i| pair.a.floats[usize::from(i)]);
        for (j, &r) in pair.b.floats.iter().enumerate() {
            if let Some(squared) = within(sub_f(p, r), sub_f(q, p), pair.tolerance()) {
                shortest.offer(squared, NearestFeature::EdgeOfA(e, j as u8));
            }
        }
    }
    for &e in &pair.b.edges {
        let [p, q] = e.map(|i| pair.b.floats[usize::from(i)]);
        for (i, &r) in pair.a.floats.iter().enumerate() {
            if let Some(squared) = within(sub_f(p, r), sub_f(q, p), pair.tolerance()) {
                shortest.offer(squared, NearestFeature::EdgeOfB(i as u8, e));
            }
        }
    }
    let limit = shortest.limit;
    let finalists = shortest
        .found
        .into_iter()
        .filter(|(squared, _)| *squared <= limit);
    finalists
        .into_iter()
        .find_map(|(_, feature)| prove(pair, feature))
}

/// The squared distance of the origin from a line, when the foot is within the segment from `w` along `e`, or nearly.
fn within(w: [f64; 3], e: [f64; 3], tolerance: f64) -> Option<f64> {
    let (along, squared) = (-dot_f(w, e), dot_f(e, e));
    if squared.sqrt() <= 4.0 * tolerance {
        // Far from the origin of the floats the edge is rounding: exact numbers decide.
        return Some(dot_f(w, w));
    }
    // Beyond the ends by no more than the rounding of the points.
    let room = tolerance * (squared.sqrt() + dot_f(w, w).sqrt());
    if !(along > -room && along < squared + room) {
        return None;
    }
    let t = (along / squared).clamp(0.0, 1.0);
    let v = [w[0] + t * e[0], w[1] + t * e[1], w[2] + t * e[2]];
    Some(dot_f(v, v))
}

/// The squared distance to the feature, when it is proved to be the nearest.
fn prove<C: Coord>(pair: &Pair<C>, feature: NearestFeature) -> Option<(Int, Int)> {
    let w = |i: u8, j: u8| difference(pair.a.at(i), pair.b.at(j));
    let (w0, e) = match feature {
        NearestFeature::Points(i, j) => {
            let w0 = w(i, j);
            let squared = dot(&w0, &w0);
            return supports(pair, &w0, &squared).then(|| (squared.big(), Int::ONE));
        }
        NearestFeature::EdgeOfA([i, k], j) => (w(i, j), difference(pair.a.at(k), pair.a.at(i))),
        NearestFeature::EdgeOfB(i, [j, k]) => (w(i, j), difference(pair.b.at(j), pair.b.at(k))),
    };
    let (along, squared) = (dot(&w0, &e), dot(&e, &e));
    let foot = C::Exact::zero().sub(&along);
    if foot.sign() == Ordering::Less || foot > squared {
        return None;
    }
    let v: [C::Exact; 3] = std::array::from_fn(|k| w0[k].mul(&squared).sub(&e[k].mul(&along)));
    let height = dot(&v, &w0);
    supports(pair, &v, &height).then(|| (height.big(), squared.big()))
}

/// True when no point of `A − B` is lower along `v` than `height`.
fn supports<C: Coord>(pair: &Pair<C>, v: &[C::Exact; 3], height: &C::Exact) -> bool {
    let along = |p: &[C; 3]| dot(v, &std::array::from_fn(|k| p[k].exact()));
    let low = pair.a.points.iter().map(along).min();
    let high = pair.b.points.iter().map(along).max();
    matches!((low, high), (Some(low), Some(high)) if low.sub(&high) >= *height)
}
