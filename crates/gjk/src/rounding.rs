//! How far rounding goes: the unit roundoff in which every bound of this crate is counted.
//!
//! A bound is a number of roundings times [`UNIT_ROUNDOFF`] times a size of the pair. docs/tolerances.md has the
//! derivation of each number, and the test that fails without it.

pub(crate) use gjk_exact::rounding::UNIT_ROUNDOFF;
