//! The sizes between which kernels work, and the names of their rounding bounds.
//!
//! Each bound is derived in the head of the kernel that has it.

/// An interval wider than this part of itself is left to the single query, whose intervals are a few roundings wide.
///
/// Any number would be as true: it only says how much worse than a single query's a lane's interval may be. Far from it,
/// some 2⁻⁴⁰ is usual; pairs whose gap is below 2⁻²⁸ of their size miss it.
pub(crate) const LANES_INTERVAL_WIDTH_MAX: f64 = 1.0 / (1u64 << 24) as f64;

/// Sizes between which no product of a kernel leaves the range of normal numbers: degree 6 at most, as in `gjk::query`.
pub(crate) const LANES_SIZE_RANGE: [f64; 2] = [
    f64::from_bits((1023 - 100) << 52),
    f64::from_bits((1023 + 120) << 52),
];

/// The rounding bounds, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundingBound {
    /// `box_box/axes.rs`: over an axis.
    Axes,
    /// `box_box/axes.rs`: for parallel edges.
    Parallel,
    /// `lockstep_gjk.rs`: of a lower bound.
    Lower,
    /// `lockstep_gjk.rs`: of an upper bound.
    Upper,
    /// `simplex.rs`: of a determinant.
    Encloses,
    /// `box_box/penetration.rs`.
    Deep,
    /// `polygon_polygon.rs`.
    Planar,
    /// `point_segment_box/`: of a distance.
    Cores,
    /// `point_segment_box/penetration.rs`: of a depth.
    Facets,
}

/// The value of a bound; a test sets one to zero at a time, to see that answers then are wrong.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn bound(_: RoundingBound, value: f64) -> f64 {
    value
}
#[cfg(test)]
pub(crate) use needed::bound;
#[cfg(test)]
#[path = "../tests/needed/mod.rs"]
mod needed;
