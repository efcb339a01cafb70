//! What plain floats prove of two hulls: bounds of their distance, and that a simplex encloses the origin.
//!
//! Where it sits: called by `hulls.rs` and `smooth.rs`. docs/tolerances.md derives [`BOUND_ROUNDINGS`].

use super::frame::Difference;
use crate::loops::gjk::Outcome;
use crate::math::Vector;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{Posed, Support, SupportPair};
use gjk_exact::measure;

/// Roundings of `2⁻⁵³` in [`bounds`]: a height over a vertex of the same body takes a difference and an inner
/// product, 4; the point that the weights state takes 6, by the sum of the weights 4, and its length 3. A unit vector is one
/// to 3.
const BOUND_ROUNDINGS: f64 = 14.0;

/// Bounds of the cores' distance in plain floats, and the direction from A to B that proves the lower one.
///
/// Any direction bounds the distance from below, by the heights of all vertices; those that may be highest are listed by
/// the bodies, and measured from a vertex of the simplex, so that errors are of the size of the features that face each
/// other. The point that the simplex states bounds it from above.
pub(super) fn bounds<V, A, B>(
    difference: &Difference<'_, V, A, B>,
    outcome: &Outcome<V::Wide>,
) -> Option<(V::Wide, [f64; 2])>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let unit = BOUND_ROUNDINGS * UNIT_ROUNDOFF;
    let direction = (-outcome.direction).normalized()?;
    let pairs = outcome.simplex.pairs();
    let from = pairs.first()?;
    let rise = over(&difference.a, direction, from.a, unit)
        + over(&difference.b, -direction, from.b, unit);
    let height = -direction.dot(from.w) - unit * from.w.sum_abs();
    let reach: f64 = pairs
        .iter()
        .zip(outcome.simplex.weights())
        .map(|(p, &weight)| weight * p.w.sum_abs())
        .sum();
    let lower = (height - rise) * (1.0 - unit);
    Some((direction, [lower, outcome.upper + unit * reach]))
}

/// An upper bound of the largest height of the body's vertices over the point, along a unit direction; `unit` is the error of a
/// height per length.
fn over<V: Vector, S: Support<V> + ?Sized>(
    body: &Posed<'_, V, S>,
    direction: V::Wide,
    from: V::Wide,
    unit: f64,
) -> f64 {
    let mut found = [0; 16];
    let height = |id: u32| {
        let x = body.vertex(id).unwrap_or(from) - from;
        direction.dot(x) + unit * x.sum_abs()
    };
    let highest = |ids: &mut dyn Iterator<Item = u32>| ids.map(height).fold(0.0, f64::max);
    match body.highest_vertices(direction, V::Wide::ZERO, 0.0, &mut found) {
        Some(len) => highest(&mut found[..len].iter().copied()),
        None => highest(&mut (0..body.vertex_count().unwrap_or(0))),
    }
}

/// True when floats prove that the origin is strictly inside the simplex of the pairs.
pub(super) fn surely_enclose<W: Vector<Scalar = f64, Wide = W>>(pairs: &[SupportPair<W>]) -> bool {
    let mut differences = [[0.0; 3]; 4];
    for (slot, pair) in differences.iter_mut().zip(pairs) {
        *slot = pair.w.to_f64();
    }
    measure::surely_encloses(W::DIM, &differences[..pairs.len()])
}
