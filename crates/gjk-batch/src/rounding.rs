//! One rounding, the sizes between which kernels work, and the names of their rounding bounds.
//!
//! Each bound is derived in the head of the kernel that has it.

/// One rounding of `f64`.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// An interval wider than this part of itself is left to the single query, whose intervals are a few roundings wide.
///
/// Any number would be as true: it only says how much worse than a single query's a lane's interval may be. Far from it,
/// some 2⁻⁴⁰ is usual; pairs whose gap is below 2⁻²⁸ of their size miss it.
pub(crate) const LOOSE: f64 = 1.0 / (1u64 << 24) as f64;

/// Sizes between which no product of a kernel leaves the range of normal numbers: degree 6 at most, as in `gjk::query`.
pub(crate) const SIZES: [f64; 2] = [
    f64::from_bits((1023 - 100) << 52),
    f64::from_bits((1023 + 120) << 52),
];

/// The rounding bounds, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// `boxes.rs`: over an axis.
    Axes,
    /// `boxes.rs`: for parallel edges.
    Parallel,
    /// `walk.rs`: of a lower bound.
    Lower,
    /// `walk.rs`: of an upper bound.
    Upper,
    /// `reduce.rs`: of a determinant.
    Encloses,
    /// `deep.rs`.
    Deep,
    /// `planar.rs`.
    Planar,
    /// `cores.rs`: of a distance.
    Cores,
    /// `facets.rs`: of a depth.
    Facets,
}

/// The value of a bound; a test sets one to zero at a time, to see that answers then are wrong.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn bound(_: Bound, value: f64) -> f64 {
    value
}
#[cfg(test)]
pub(crate) use needed::bound;
#[cfg(test)]
#[path = "../tests/needed/mod.rs"]
mod needed;
