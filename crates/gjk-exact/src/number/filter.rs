//! Stage 1: a float, the same expression with absolute values, and a count of roundings.
//!
//! Where it sits: the first stage of [`super`]; nearly every sign ends here, so an operation costs about two flops.
//!
//! The idea is the static part of the filters of C. Burnikel, S. Funke and M. Seel, "Exact geometric computation using
//! cascading", Int. J. Comput. Geom. Appl. 11 (2001), 245-266. Beside the float value `v` of an expression stand its
//! *size* `m`, the same expression with every leaf replaced by its magnitude and every minus by a plus, and an *index*
//! `k`, the number of roundings that can meet in one monomial. The index depends on the shape of the expression alone,
//! so after inlining the compiler folds it into a constant.
//!
//! # The bound
//!
//! Let `u = 2⁻⁵³`. A leaf is `v = fl(a - b)`; its true value `x` has `|x - v| ≤ u|v|`, so `x = v(1 + δ')` with
//! `|δ'| ≤ u`. (For a float result the rounding error is at most half a spacing, so `u` times the *result*.) Expand the
//! polynomial into monomials `t` of the rounded leaves. The evaluation returns `v = Σ t Π(1 + δ)` with one factor for
//! each of the `c` sums and products that the monomial passes, and the true value is `x = Σ t Π(1 + δ')` with one
//! factor for each of its `d` leaves. The two products differ by at most `((1+u)ᶜ - 1) + ((1+u)ᵈ - 1)`, which is at
//! most `(1+u)ᶜ⁺ᵈ - 1`. With `k` the largest `c + d` over the monomials,
//!
//! > `|v - x| ≤ ((1+u)ᵏ - 1) M`, `M = Σ |t|`.
//!
//! A leaf has `k = 1`, a sum `max(k₁, k₂) + 1` and a product `k₁ + k₂ + 1`. The size `m` is `M` evaluated in floats:
//! its terms are nonnegative and pass at most `k` roundings, so `m ≥ M(1-u)ᵏ`. For `k ≤ 2²⁰` we have `ku ≤ 2⁻³³`,
//! so `(1+u)ᵏ - 1 ≤ ku(1 + ku)` and `(1-u)⁻ᵏ ≤ 1 + 2ku`, and together
//!
//! > `|v - x| ≤ k u m (1 + 2⁻³⁰)`.
//!
//! [`Filter::error`] computes `k u m (1 + 2⁻¹⁶)`. Its own roundings lose at most `2u` of it, and at the lower end of
//! the range, where `m ≥ 2⁻¹⁰⁰⁰` or zero, the result may be subnormal and lose `2⁻¹⁰⁷⁵` against at least `2⁻¹⁰⁵³`,
//! that is 2⁻²² of it; the slack 2⁻¹⁶ covers both. `m = 0` says that every monomial has a factor whose difference is
//! exactly zero: then the bound is 0 and a proven zero.
//!
//! Example: for the determinant of three differences `k = 8`; Shewchuk's bound A of orient3d is `(7 + 56u)u`.

use super::Number;
use crate::rounding::UNIT_ROUNDOFF;
use core::cmp::Ordering;

/// A float with a forward error bound; see the file's derivation.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    value: f64,
    size: f64,
    index: u32,
}

/// The index up to which the bound is derived.
const INDEX_MAX: u32 = 1 << 20;

/// `u (1 + 2⁻¹⁶)`: a rounding with room for the bound's own; see the file's derivation.
const FILTER_ROUNDING: f64 = (1.0 + 1.0 / 65536.0) * UNIT_ROUNDOFF;

impl Filter {
    /// The float value.
    #[inline]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The same expression of magnitudes.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// Bound of the distance from [`Filter::value`] to the true value; infinite or NaN after an overflow.
    #[inline]
    pub fn error(&self) -> f64 {
        if self.index <= INDEX_MAX {
            f64::from(self.index) * FILTER_ROUNDING * self.size
        } else {
            f64::INFINITY
        }
    }
}

impl Number for Filter {
    #[inline]
    fn difference(a: f64, b: f64) -> Self {
        let value = a - b;
        Self {
            value,
            size: value.abs(),
            index: 1,
        }
    }

    #[inline]
    fn plus(&self, other: &Self) -> Self {
        let index = self.index.max(other.index).saturating_add(1);
        Self {
            value: self.value + other.value,
            size: self.size + other.size,
            index,
        }
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        let index = self.index.max(other.index).saturating_add(1);
        Self {
            value: self.value - other.value,
            size: self.size + other.size,
            index,
        }
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        let index = self.index.saturating_add(other.index).saturating_add(1);
        Self {
            value: self.value * other.value,
            size: self.size * other.size,
            index,
        }
    }

    #[inline]
    fn negated(&self) -> Self {
        Self {
            value: -self.value,
            ..*self
        }
    }

    /// An overflow shows in the size first, because `|v| ≤ m` in floats too (rounding is monotone); it gives `None`.
    #[inline]
    fn sign(&self) -> Option<Ordering> {
        let error = self.error();
        if self.value > error {
            Some(Ordering::Greater)
        } else if self.value < -error {
            Some(Ordering::Less)
        } else if error == 0.0 {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}
