//! Rounding errors: the bounds that more than one file needs, each with its derivation.
//!
//! Where it sits: below everything but [`crate::math`]. docs/tolerances.md lists these and the bounds that one file has for
//! itself.

pub(crate) use gjk_exact::rounding::UNIT_ROUNDOFF;

/// What a computed overlap of two boxes, or a height of points, segments and boxes, may be off, per unit of the pair's lengths
/// and of the axis's factors.
///
/// Half edges 1 each and so 3 in a triple product, the product's cross 4 (by length) and dot 3, the sum of five terms 4,
/// the difference of translations 1: 15. The bodies are the hulls of their rounded vertices, which costs 4 of the half
/// edges and 1 of the translation, see [`CORE_WORLD_ERROR`]. The axis that a certificate states is rounded itself: 4. All sums
/// below 24.
pub(crate) const CORE_ERROR: f64 = 24.0 * UNIT_ROUNDOFF;

/// What the same may be off, per unit of the translations themselves. A vertex' last operation adds the translation: one rounding
/// of their sum, so of each translation once. The difference of two vertices, and whatever is computed from it, no longer knows
/// of them. Doubled.
pub(crate) const CORE_WORLD_ERROR: f64 = 2.0 * UNIT_ROUNDOFF;

/// Sizes of boxes, points and segments whose products of third degree stay far from the ends of `f64`'s range.
pub(crate) const CORE_SIZES: core::ops::Range<f64> = 1e-30..1e30;

/// Edges whose directions differ by less than this sine count as parallel.
pub(crate) const PARALLEL_SINE: f64 = 1e-6;

/// A point this much beyond the end of its edge, in half edges, is at the end: far more than the roundings that put it there. It
/// places a witness point, and proves nothing.
const PARAMETER_OVERSHOOT: f64 = 1e-9;

/// A place along an edge from −1 to 1, cut to that; `None` if it is surely beyond the end.
pub(crate) fn parameter(x: f64) -> Option<f64> {
    (x.abs() <= 1.0 + PARAMETER_OVERSHOOT).then(|| x.clamp(-1.0, 1.0))
}
