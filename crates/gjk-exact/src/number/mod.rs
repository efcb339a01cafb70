//! Adaptive precision: the number types on which one sign expression is evaluated in stages, cheapest first.
//!
//! What it is: a predicate of this crate is the sign of a polynomial in coordinate differences. It is written once,
//! generic over [`Number`], and run on one stage after another until a stage knows the sign:
//!
//! 1. [`Filter`]: one float and a forward error bound; about two flops an operation.
//! 2. [`Double`]: two floats and the sum of what they had to drop; it also proves zeros when nothing was dropped.
//! 3. [`Expansion`]: the exact sum of up to [`CAPACITY`] floats, without allocation.
//! 4. [`Dyadic`]: a big integer times a power of two; it always knows.
//!
//! Where it sits: below the predicates of this crate; it knows no geometry.
//!
//! # The range of stages 1 to 3
//!
//! [`in_range`] admits zero and every float below 2²⁰⁰ in magnitude that is a multiple of 2⁻²⁰⁰. For such inputs no
//! operation of stages 1 to 3 overflows or loses bits to underflow, in any polynomial of degree at most 5 in
//! differences whose full expansion has at most 1024 monomials, counted with their multiplicity.
//!
//! - *Overflow.* A difference is at most 2²⁰¹, so every subexpression of degree `d` is at most `2¹⁰ · 2²⁰¹ᵈ`, also with
//!   absolute values in place of the differences, and the rounded evaluation stays below twice that: under 2¹⁰¹⁷ for
//!   degree 5. The largest float is near 2¹⁰²⁴. Factors have degree at most 4 and stay below 2⁸¹⁵, while Dekker's
//!   split in [`two_product`] overflows only from 2⁹⁹⁶ on.
//! - *Underflow.* Call a float *on grid d* when it is a multiple of `2⁻²⁰⁰ᵈ`. Rounding to any number of bits keeps a
//!   number on its grid: either the spacing of the floats there is coarser than the grid, and then every float there
//!   is on it, or it is finer, and then the number is a float already. Sums of two numbers on a grid are on it, and
//!   products go from grids `c` and `d` to grid `c + d`. So values, the parts of a split, and the remainders of
//!   [`two_sum`] and [`two_product`] of degree `d` are all on grid `d`, and for `d ≤ 5` the grid step is at least
//!   2⁻¹⁰⁰⁰, a multiple of the smallest float 2⁻¹⁰⁷⁴. Nothing is ever rounded because of underflow.
//!
//! Out of range, an overflow becomes infinite or NaN and such a number answers no sign; an underflow goes unnoticed.
//! The caller knows from each vertex's bits whether they are in range, and otherwise starts with [`Dyadic`].
//!
//! Sources: T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971),
//! 224-242; J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
//! Discrete Comput. Geom. 18 (1997), 305-363.

mod double;
mod dyadic;
mod expansion;
mod filter;

pub use double::Double;
pub use dyadic::{Dyadic, common};
pub use expansion::{CAPACITY, Expansion};
pub use filter::Filter;

use crate::integer::decompose;
use core::cmp::Ordering;

/// The numbers of one stage: sums, differences and products of input differences, and perhaps a sign.
pub trait Number: Clone {
    /// `a - b` of two finite floats.
    fn difference(a: f64, b: f64) -> Self;
    /// `self + other`.
    fn plus(&self, other: &Self) -> Self;
    /// `self - other`.
    fn minus(&self, other: &Self) -> Self;
    /// `self * other`.
    fn times(&self, other: &Self) -> Self;
    /// `-self`.
    fn negated(&self) -> Self;
    /// The sign against zero; `None` when this stage cannot decide it.
    fn sign(&self) -> Option<Ordering>;
}

/// The square root, correctly rounded.
#[inline]
pub(crate) fn root(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// `2^power` for `-1022 <= power <= 1023`.
pub(crate) const fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

pub(crate) const IN_RANGE_BELOW: f64 = power_of_two(200);
/// From 2^-148 on the last of 53 bits is worth at least 2^-200.
pub(crate) const IN_RANGE_FROM: f64 = power_of_two(-148);

/// True when stages 1 to 3 neither overflow nor underflow on these inputs (see the module's derivation): every value is
/// zero, or a multiple of 2⁻²⁰⁰ with magnitude below 2²⁰⁰.
pub fn in_range(mut values: impl Iterator<Item = f64>) -> bool {
    values.all(|x| {
        let size = x.abs();
        size < IN_RANGE_BELOW && (size >= IN_RANGE_FROM || decompose(x).1 >= -200)
    })
}

/// `(s, r)` with `s = fl(a + b)` and `s + r = a + b` exactly, whatever the order of magnitudes (Knuth; Shewchuk,
/// theorem 7). Exact unless the sum overflows, when `r` is NaN.
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    (s, (a - a_part) + (b - b_part))
}

/// [`two_sum`] for `|a| >= |b|` or `a = 0`: three operations (Dekker; Shewchuk, theorem 6).
#[inline]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// `2²⁷ + 1`: a product with it cuts a float of 53 bits in two of 26. Any other value makes [`two_product`] inexact.
const DEKKER_SPLITTER: f64 = 134_217_729.0;

/// `x` as a sum of two floats of at most 26 bits each (Dekker; Shewchuk, theorem 17). Overflows from 2⁹⁹⁶ on.
#[inline]
fn split(x: f64) -> (f64, f64) {
    let c = DEKKER_SPLITTER * x;
    let high = c - (c - x);
    (high, x - high)
}

/// `(p, r)` with `p = fl(a * b)` and `p + r = a * b` exactly (Dekker and Veltkamp; Shewchuk, theorem 18).
///
/// Exact when both factors are below 2⁹⁹⁶, the product does not overflow, and its lowest bit is worth at least 2⁻¹⁰⁷⁴.
/// It needs no fused multiply-add, which `core` does not offer. An overflow makes `r` NaN.
#[inline]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let left = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    (product, a_low * b_low - left)
}
