//! Where the ray along the answer's normal leaves the polytope: the witness points.
//!
//! Where it sits: the end of the loop in [`super`]. Read [`of_facet`] first, then [`along`].
//! Idea: the exit point has barycentric weights in its facet; the same weights combine the facet's points on A and on B,
//! which are then apart by depth times normal. For a proved facet the exit point is the origin's projection, and one
//! look tells; else all facets that the ray may leave through compete by their least weight.

use super::polytope::Polytope;
use crate::math::{Scalar, Vector};
use crate::support::SupportPair;
use gjk_exact::measure;

/// Triangles of at least this part of their longest edges' square have weights from plain floats.
///
/// Corners relative to the projection are off by some `4uM`, so a weight by `12uML` over twice the area, and the witness by
/// `L` times that: with this part, by `100uM`, of the order of the pair's slack.
const FAT: f64 = 0.125;

/// The origin's projection on a facet of the difference, as points on A and on B.
pub(super) fn of_facet<V: Vector>(polytope: &Polytope<V>, facet: u16) -> [V; 2] {
    let plane = polytope.plane(facet);
    let (normal, foot) = (plane.unit(), plane.unit() * plane.offset());
    // It may be in another facet of the same plane.
    for level in polytope.level(facet) {
        let fat = weights(polytope, level, foot, FAT);
        if let Some(weights) = fat.filter(|weights| weights[..V::DIM].iter().all(|&x| x >= 0.0)) {
            return combine(polytope, level, weights);
        }
    }
    along(polytope, normal)
}

/// The point where the ray from the origin along `direction` leaves the polytope, as points on A and on B.
///
/// The ray leaves through the facet that holds its intersection with the facet's plane. Facets in one plane are told
/// apart by this where their distances are not.
pub(super) fn along<V: Vector>(polytope: &Polytope<V>, direction: V::Wide) -> [V; 2] {
    let slope = |facet: u16| polytope.plane(facet).unit().dot(direction);
    let ahead = || polytope.alive().filter(|&facet| slope(facet) > 0.0);
    // Where the ray may leave through a facet's plane, by the bounds of its offset and of its normal.
    let exit = |facet: u16| {
        let (plane, slope) = (polytope.plane(facet), slope(facet));
        let largest = Scalar::abs(plane.upper).max(Scalar::abs(plane.lower));
        let error = (plane.blur + f64::ROUNDING) * 4.0 * largest / slope;
        [(plane.lower - error) / slope, (plane.upper + error) / slope]
    };
    // It leaves at the first plane; those that may be the first compete.
    let first = ahead().fold(f64::INFINITY, |m, facet| m.min(exit(facet)[1]));
    let mut best: Option<(f64, u16, [f64; 3])> = None;
    for facet in ahead() {
        let plane = polytope.plane(facet);
        let at = plane.offset() / slope(facet);
        // Planes nearly along the ray may be anywhere by their bounds; they would only add noise from far away.
        if exit(facet)[0] > first || !(at <= first + Scalar::abs(first)) {
            continue;
        }
        // Along the facet's own normal the point is the origin's projection, whose weights are good on slivers too.
        let own = (plane.unit() - direction).max_abs() <= 2.0 * plane.blur;
        let projected = own.then(|| measure::shares(V::DIM, &polytope.exact(facet)[..V::DIM])).flatten();
        let Some(weights) = projected.or_else(|| weights(polytope, facet, direction * at, 0.0)) else {
            continue;
        };
        let least = weights[..V::DIM].iter().fold(1.0, |m: f64, &x| m.min(x));
        if best.is_none_or(|(b, ..)| least > b) {
            best = Some((least, facet, weights));
        }
    }
    let (facet, weights) = best.map_or((polytope.nearest(), [1.0; 3]), |(_, facet, weights)| (facet, weights));
    combine(polytope, facet, weights)
}

/// The weighted points of a facet, negative weights as zero.
fn combine<V: Vector>(polytope: &Polytope<V>, facet: u16, weights: [f64; 3]) -> [V; 2] {
    let clamped = weights.map(|x| Scalar::max(x, 0.0));
    let total = clamped[..V::DIM].iter().fold(0.0, |sum, &x| sum + x);
    let sum = |point: fn(&SupportPair<V>) -> V| {
        let share = |weight: f64| V::Scalar::from_f64(weight / total);
        let weighted = polytope.pairs(facet).zip(clamped).map(|(pair, weight)| point(pair) * share(weight));
        weighted.fold(V::ZERO, |sum, x| sum + x)
    };
    [sum(|p| p.a), sum(|p| p.b)]
}

/// Barycentric coordinates of a point of the facet's plane, negative where it is outside; `None` on slivers of which
/// floats know nothing, that is of at most `least` of their longest edge's square.
fn weights<V: Vector>(polytope: &Polytope<V>, facet: u16, point: V::Wide, least: f64) -> Option<[f64; 3]> {
    let [a, b, c] = polytope.points(facet).map(|w| w - point);
    if V::DIM == 2 {
        let edge = b - a;
        let parts = [b.dot(edge), -a.dot(edge), 0.0];
        let total = parts[0] + parts[1];
        return (total > 0.0).then(|| parts.map(|x| x / total));
    }
    let normal = polytope.plane(facet).unit();
    let parts = [(b, c), (c, a), (a, b)].map(|(p, q)| V::Wide::triple(normal, p, q));
    let total = parts[0] + parts[1] + parts[2];
    let longest = [b - a, c - b, a - c].iter().fold(0.0, |m: f64, e| m.max(e.norm_squared()));
    (total > least * longest).then(|| parts.map(|x| x / total))
}
