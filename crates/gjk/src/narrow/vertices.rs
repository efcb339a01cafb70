//! Closed forms that name vertices: they propose as the loop does, and are certified as its proposals are.
//!
//! Where it sits: `proposal.rs` tries them before it runs the loop. Proofs need them, whose certificates name vertices. Other
//! queries begin with `dispatch.rs`, which answers most of these pairs by `pairs/point_segment_box/` without a vertex.
//!
//! | A \ B | point (ball) | segment (capsule) | else |
//! |---|---|---|---|
//! | **point** | one difference | one reduction | GJK |
//! | **segment** | one reduction | GJK | GJK |
//!
//! Two segments take GJK at most four steps, and their closed form (Ericson 5.1.9) needs a tolerance for the parallel
//! case that the loop does not, so it does not win. A box against a ball ends in the loop's second step.

use super::frame::Difference;
use crate::loops::gjk::{Outcome, Stop};
use crate::loops::simplex::{Reduced, Simplex, reduce};
use crate::math::{Scalar, Vector, Vector64};
use crate::support::Support;

/// The answer for two cores of at most two and one vertices; `None` for every other pair.
pub(super) fn propose<V, A, B>(difference: &Difference<'_, V, A, B>) -> Option<Outcome<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let (n, m) = (difference.a.vertex_count()?, difference.b.vertex_count()?);
    let simplex = match (n, m) {
        (1, 1) => Simplex::from_pair(difference.vertex_pair([0, 0])?),
        (1, 2) => Simplex::from_pair(difference.vertex_pair([0, 0])?)
            .with(difference.vertex_pair([0, 1])?),
        (2, 1) => Simplex::from_pair(difference.vertex_pair([0, 0])?)
            .with(difference.vertex_pair([1, 0])?),
        _ => return None,
    };
    let Reduced::Face { simplex, direction } = reduce(&simplex) else {
        return None;
    };
    // The difference is this face's own segment or point, so the distance along the direction is the distance.
    // A product of three lengths, whose square may underflow.
    let unit = direction.normalized();
    let height = |w: V::Wide| unit.map_or(0.0, |unit| unit.dot(w));
    let lower = simplex
        .pairs()
        .iter()
        .map(|pair| height(pair.w))
        .fold(f64::INFINITY, |m, x| if x < m { x } else { m });
    let points = simplex.points();
    let upper = length(points[0]);
    Some(Outcome {
        simplex,
        points,
        direction,
        nearest: direction,
        lower,
        upper,
        iterations: 0,
        stop: Stop::ClosedForm,
    })
}

/// The length of a vector whose square may underflow.
fn length<V: Vector64>(x: V) -> f64 {
    if x.norm_squared() > f64::LEAST_SQUARE {
        return x.norm();
    }
    x.normalized().map_or(0.0, |unit| unit.dot(x))
}
