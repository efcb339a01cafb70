//! The numbers: [`Ring`] for what needs sums and products only, [`Scalar`] for `f32` and `f64`.

use super::vector::{Vec2, Vec3};
use crate::motion::compiled::CompiledMotion;
use crate::narrow::compiled::Compiled;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Numbers with exact or rounded sums and products; integers too.
pub trait Ring:
    Copy
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + Send
    + Sync
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
}

macro_rules! ring {
    ($($t:ty: $zero:expr, $one:expr;)*) => {$(
        impl Ring for $t {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
        }
    )*};
}
ring! { i32: 0, 1; i64: 0, 1; i128: 0, 1; f32: 0.0, 1.0; f64: 0.0, 1.0; }

/// The floating-point types the queries run on.
///
/// Comparisons written with these never treat NaN as progress: `max` and `min` keep the first operand unless the second
/// is strictly beyond it.
pub trait Scalar:
    Ring
    + Div<Output = Self>
    + core::fmt::Display
    + Compiled<Vec2<Self>>
    + Compiled<Vec3<Self>>
    + CompiledMotion<Vec2<Self>>
    + CompiledMotion<Vec3<Self>>
{
    /// Half the distance from 1 to the next float: the largest relative error of one rounding.
    const ROUNDING: Self;
    /// The largest finite value.
    const MAX: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// The smallest positive value (subnormal).
    const TINIEST: Self;
    /// The name in the query format.
    const NAME: &'static str;
    /// Sums of squares above this are good to a few roundings, although parts of them may have underflowed.
    const LEAST_SQUARE: Self;
    /// Power-of-two exponents of a pair's size between which no product of the loops can overflow or lose bits.
    const SAFE_EXPONENTS: (i32, i32);

    /// Rounds an `f64` to this type.
    fn from_f64(x: f64) -> Self;
    /// The value as `f64`, exactly.
    fn to_f64(self) -> f64;
    /// Square root.
    fn sqrt(self) -> Self;
    /// The next float above; infinity stays.
    fn next_up(self) -> Self;

    /// `self * 2^exponent`, exact unless it leaves the range of normal floats.
    fn scale_by_power(self, exponent: i32) -> Self {
        // Two steps, so that the factor itself stays in range for every useful exponent.
        let half = exponent / 2;
        let factor = |e: i32| f64::from_bits(((1023 + e.clamp(-1000, 1000)) as u64) << 52);
        Self::from_f64(self.to_f64() * factor(half) * factor(exponent - half))
    }

    /// Rounds an `f64` down, so that it stays a lower bound.
    #[inline(always)]
    fn round_down(x: f64) -> Self {
        let rounded = Self::from_f64(x);
        if rounded.to_f64() > x {
            rounded.next_down()
        } else {
            rounded
        }
    }

    /// The next float below.
    #[inline(always)]
    fn next_down(self) -> Self {
        -(-self).next_up()
    }

    /// Magnitude.
    fn abs(self) -> Self;

    /// The larger; `self` when `other` is NaN.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The smaller; `self` when `other` is NaN.
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// True unless infinite or NaN.
    fn is_finite(self) -> bool {
        self.abs() <= Self::MAX
    }
}

macro_rules! scalar {
    ($t:ident, $name:literal, $exponents:expr, $libm:ident) => {
        impl Scalar for $t {
            const ROUNDING: Self = $t::EPSILON / 2.0;
            const MAX: Self = $t::MAX;
            const INFINITY: Self = $t::INFINITY;
            const TINIEST: Self = $t::from_bits(1);
            const NAME: &'static str = $name;
            // The smallest float is a rounding of a rounding of this.
            const LEAST_SQUARE: Self = Self::TINIEST / (Self::ROUNDING * Self::ROUNDING);
            const SAFE_EXPONENTS: (i32, i32) = $exponents;

            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[cfg(feature = "std")]
            fn sqrt(self) -> Self {
                $t::sqrt(self)
            }
            #[cfg(not(feature = "std"))]
            fn sqrt(self) -> Self {
                libm::$libm(self)
            }
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline(always)]
            fn next_up(self) -> Self {
                $t::next_up(self)
            }
        }
    };
}
// Edge directions have degree 3 in the coordinates and their squares degree 6: size⁶ must stay well inside 2^±127 for
// f32 and 2^±1022 for f64, with room below for distances down to one rounding of the size.
scalar!(f32, "f32", (-3, 14), sqrtf);
scalar!(f64, "f64", (-84, 96), sqrt);

/// The exponent `e` with `2^e ≤ x < 2^(e+1)`; for zero and subnormals the lowest.
pub(crate) fn exponent_of(x: f64) -> i32 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if biased == 0 {
        -1022 - (x.to_bits().leading_zeros() as i32 - 11)
    } else {
        biased - 1023
    }
}

/// The larger number; the second of two that are no numbers.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller number; the second of two that are no numbers.
#[inline(always)]
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
