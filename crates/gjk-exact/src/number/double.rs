//! Stage 2: a sum of two floats, and the size of everything it had to drop.
//!
//! Where it sits: the second stage of [`super`], and the arithmetic behind certified distance intervals.
//!
//! The idea: double-double arithmetic (Dekker 1971; the sums follow M. Joldes, J.-M. Muller and V. Popescu, "Tight and
//! rigorous error bounds for basic building blocks of double-word arithmetic", ACM Trans. Math. Softw. 44 (2017)), but
//! instead of a worst-case bound each operation records the remainders that it really dropped. Every step below is an
//! error-free transformation, so the identity "sum of inputs = high + low + remainders" is exact, and computations
//! that fit two floats record nothing. Then a zero is a proven zero. Differences of floats are always exact; with
//! 24-bit inputs of similar exponents most polynomials of degree 3 and 4 are (75 to 104 bits).
//!
//! # The bound
//!
//! Invariants: `high = fl(high + low)`, so `|low| ≤ u|high|` with `u = 2⁻⁵³`, and the true value `x` satisfies
//! `|x - (high + low)| ≤ e`. Let `r` be the exact sum of the magnitudes of the remainders that an operation drops.
//!
//! - sum and difference: `e = e₁ + e₂ + r`;
//! - product: `x₁x₂ - v₁v₂ = v₁(x₂-v₂) + (x₁-v₁)v₂ + (x₁-v₁)(x₂-v₂)`, so `e = |v₁|e₂ + |v₂|e₁ + e₁e₂ + r`;
//! - quotient and square root: from the exact residual, see [`Double::quotient`] and [`Double::sqrt`].
//!
//! `e` is evaluated in floats from nonnegative terms by sums, products and quotients, so each rounding loses at most
//! the factor `1 - u`. With up to 2²⁰ roundings in a chain the stored `dropped ≥ e (1 - 2⁻³³)`. [`Double::error`]
//! returns `dropped (1 + 2⁻¹⁶)`, which covers that, its own rounding, and the factor `1 - u` in
//! `|high + low| ≥ (1 - u)|high|` that [`Number::sign`] needs. Within [`super::in_range`] the remainders and products
//! of degree `d` are on grid `d` like the values, so nothing underflows and `dropped = 0` exactly when nothing was
//! dropped.

use super::{Number, power_of_two, root, two_product, two_sum};
use core::cmp::Ordering;

/// `high + low` with a bound of what is missing; see the file's derivation.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    high: f64,
    low: f64,
    dropped: f64,
}

/// `1 + 2⁻¹⁶`: room for the roundings of an error bound itself.
const DOUBLE_SLACK: f64 = 1.0 + 1.0 / 65536.0;

/// Parts below this are dropped before a division or root of numbers near 1, so that its products do not underflow.
const DOUBLE_TRIM: f64 = power_of_two(-200);

/// What falls below this by a scaling is dropped and recorded, so that no scaled number is subnormal.
const DOUBLE_FLOOR: f64 = power_of_two(-1000);

impl Double {
    /// The float itself, without error.
    #[inline]
    pub fn from_f64(x: f64) -> Self {
        Self {
            high: x,
            low: 0.0,
            dropped: 0.0,
        }
    }

    /// `(high, low)`, whose exact sum is the value; `high` is that sum rounded.
    #[inline]
    pub fn value(&self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// Bound of the distance from `high + low` to the true value.
    #[inline]
    pub fn error(&self) -> f64 {
        self.dropped * DOUBLE_SLACK
    }

    /// Floats `(lower, upper)` around the true value; both equal it when it is an error-free float.
    pub fn interval(&self) -> (f64, f64) {
        let error = self.error();
        let upper = sum_down(-self.high, sum_down(-self.low, -error));
        (sum_down(self.high, sum_down(self.low, -error)), -upper)
    }

    /// `self / other`; `None` when the divisor may be zero.
    ///
    /// The quotient `q = q₁ + q₂` is a float quotient and one correction. Its error is bounded by its residual: with
    /// `R = x₁ - q x₂`, evaluated in [`Double`] with its own bound, `|x₁/x₂ - q| = |R| / |x₂|`.
    ///
    /// Both numbers are first scaled to near 1 and parts below 2⁻²⁰⁰ dropped (recorded), so all parts are multiples of
    /// 2⁻²⁵², those of `q₁` of 2⁻²⁵³, of `q₁x₂` of 2⁻⁵⁰⁵, of `q₂` of 2⁻⁵⁵⁸ and of `q₂x₂` of 2⁻⁸¹⁰: no underflow.
    pub fn quotient(&self, other: &Self) -> Option<Self> {
        let (a, a_power) = self.near_one(1);
        let (b, b_power) = other.near_one(1);
        let (lower, upper) = b.interval();
        let divisor = if lower > 0.0 { lower } else { -upper };
        if !(divisor > 0.0 && divisor.is_finite()) {
            return None;
        }
        let first = a.high / b.high;
        let rest = a.minus(&b.times(&Self::from_f64(first)));
        let (high, low) = two_sum(first, rest.high / b.high);
        let q = Self {
            high,
            low,
            dropped: 0.0,
        };
        let residual = a.minus(&b.times(&q)).magnitude();
        Some(
            Self {
                dropped: residual / divisor,
                ..q
            }
            .scaled(a_power - b_power),
        )
    }

    /// The square root of `max(0, self)`.
    ///
    /// The root `s = s₁ + s₂` is a float root and one Newton correction. With `R = x - s²`, evaluated in [`Double`]
    /// with its own bound, `|√x - s| = |R| / (√x + s)` and `√x ≥ s - |R|/s`. When `self` may be negative or zero the
    /// answer is the middle of `[0, √upper]`. Scaling and underflow are as in [`Double::quotient`].
    pub fn sqrt(&self) -> Self {
        let (x, power) = self.near_one(2);
        let (lower, upper) = x.interval();
        if upper <= 0.0 {
            return Self::from_f64(0.0);
        }
        if !(lower > 0.0) {
            // `root` is within a few u; 2^-40 covers it and the rounding of the halves.
            let half = 0.5 * root(upper) * (1.0 + power_of_two(-40));
            return Self {
                high: half,
                low: 0.0,
                dropped: half,
            }
            .scaled(power / 2);
        }
        let first = root(x.high);
        let rest = x.minus(&Self::from_f64(first).times(&Self::from_f64(first)));
        let (high, low) = two_sum(first, rest.high / (2.0 * first));
        let s = Self {
            high,
            low,
            dropped: 0.0,
        };
        let residual = x.minus(&s.times(&s)).magnitude();
        let denominator = (2.0 * high - residual / high).max(high);
        Self {
            dropped: residual / denominator,
            ..s
        }
        .scaled(power / 2)
    }

    /// An upper bound of the true magnitude, up to roundings that [`DOUBLE_SLACK`] covers.
    fn magnitude(&self) -> f64 {
        self.high.abs() + self.low.abs() + self.error()
    }

    /// `(y, p)` with `self = y * 2^p`, `p` a multiple of `step`, and `y` or its error of the order of 1.
    fn near_one(&self, step: i32) -> (Self, i32) {
        let power = exponent(self.high.abs().max(self.dropped)).div_euclid(step) * step;
        let mut y = self.scaled(-power);
        let trimmed = |x: f64| if x.abs() < DOUBLE_TRIM { 0.0 } else { x };
        let (high, low) = (trimmed(y.high), trimmed(y.low));
        if high != y.high || low != y.low || y.dropped != 0.0 {
            y.dropped += 2.0 * DOUBLE_TRIM;
        }
        (Self { high, low, ..y }, power)
    }

    /// `self * 2^power`; what falls below 2⁻¹⁰⁰⁰ is dropped and recorded. Overflow gives an infinite number.
    fn scaled(&self, power: i32) -> Self {
        let mut lost = 0.0;
        let mut scale = |x: f64| {
            let y = scale(x, power);
            let keep = y.abs() >= DOUBLE_FLOOR || x == 0.0 || x.is_nan();
            lost += if keep { 0.0 } else { DOUBLE_FLOOR };
            if keep { y } else { 0.0 }
        };
        let (high, low, dropped) = (scale(self.high), scale(self.low), scale(self.dropped));
        Self {
            high,
            low,
            dropped: dropped + lost,
        }
    }

    /// The exact sum of four floats, roughly decreasing, as two and what remains; `dropped` is the remainder alone.
    #[inline]
    fn gather(a: f64, b: f64, c: f64, d: f64) -> Self {
        let (c, d) = two_sum(c, d);
        let (b, c) = two_sum(b, c);
        let (a, b) = two_sum(a, b);
        let (c, d) = two_sum(c, d);
        let (b, c) = two_sum(b, c);
        let (high, low) = two_sum(a, b);
        Self {
            high,
            low,
            dropped: c.abs() + d.abs(),
        }
    }

    /// `(high + low) * x`; `dropped` is the remainder alone.
    #[inline]
    fn multiple(&self, x: f64) -> Self {
        let (p, q) = two_product(self.high, x);
        if self.low == 0.0 {
            return Self {
                high: p,
                low: q,
                dropped: 0.0,
            };
        }
        let (c, d) = two_product(self.low, x);
        Self::gather(p, q, c, d)
    }

    /// `self + other` of the values; `dropped` is the remainder alone.
    #[inline]
    fn sum(&self, other: &Self) -> Self {
        let (a, b) = two_sum(self.high, other.high);
        if self.low == 0.0 && other.low == 0.0 {
            return Self {
                high: a,
                low: b,
                dropped: 0.0,
            };
        }
        let (c, d) = two_sum(self.low, other.low);
        Self::gather(a, b, c, d)
    }
}

impl Number for Double {
    #[inline]
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self {
            high,
            low,
            dropped: 0.0,
        }
    }

    #[inline]
    fn plus(&self, other: &Self) -> Self {
        let sum = self.sum(other);
        Self {
            dropped: sum.dropped + (self.dropped + other.dropped),
            ..sum
        }
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        let product = if other.low == 0.0 {
            self.multiple(other.high)
        } else if self.low == 0.0 {
            other.multiple(self.high)
        } else {
            let (upper, lower) = (self.multiple(other.high), self.multiple(other.low));
            let sum = upper.sum(&lower);
            Self {
                dropped: sum.dropped + (upper.dropped + lower.dropped),
                ..sum
            }
        };
        let left = (self.high.abs() + self.low.abs()) * other.dropped;
        let right = (other.high.abs() + other.low.abs() + other.dropped) * self.dropped;
        Self {
            dropped: product.dropped + (left + right),
            ..product
        }
    }

    #[inline]
    fn negated(&self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
            dropped: self.dropped,
        }
    }

    /// An overflow leaves an infinity or a NaN in the sum of the two parts; it gives `None`.
    #[inline]
    fn sign(&self) -> Option<Ordering> {
        let error = self.error();
        if !(self.high + self.low).is_finite() {
            None
        } else if self.high > error {
            Some(Ordering::Greater)
        } else if self.high < -error {
            Some(Ordering::Less)
        } else if error == 0.0 {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}

/// `a + b` rounded down; minus infinity where floats cannot say more.
fn sum_down(a: f64, b: f64) -> f64 {
    let (s, r) = two_sum(a, b);
    // NaN remainders come with an infinite sum, whose neighbour below is still a lower bound.
    let lower = if r >= 0.0 { s } else { s.next_down() };
    if lower.is_nan() {
        f64::NEG_INFINITY
    } else {
        lower
    }
}

/// The `p` with `2^p <= x < 2^(p+1)` for normal `x > 0`, 0 for zero, and -1022 or 1024 at the ends of the range.
fn exponent(x: f64) -> i32 {
    if x == 0.0 {
        0
    } else {
        (((x.to_bits() >> 52) & 0x7ff) as i32).max(1) - 1023
    }
}

/// `x * 2^power` for any power, in steps that only lose bits when the result is below the normal range.
fn scale(mut x: f64, mut power: i32) -> f64 {
    while power.abs() > 1000 {
        x *= power_of_two(1000 * power.signum());
        power -= 1000 * power.signum();
    }
    x * power_of_two(power)
}
