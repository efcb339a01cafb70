//! Numbers of the reference: `f64` to find the features, double-double to say the value.
//!
//! A double-double is an unevaluated sum of two floats, some 32 digits. Sums and products are exact transformations
//! (Dekker 1971, Knuth 1969) followed by one renormalisation; relative error of an operation below 2⁻¹⁰⁰.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What the reference computes with.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn new(x: f64) -> Self;
    fn to_f64(self) -> f64;
    fn sqrt(self) -> Self;
    /// Relative gap of the bounds at which a search is done.
    const TOLERANCE: f64;
}

impl Real for f64 {
    fn new(x: f64) -> Self {
        x
    }
    fn to_f64(self) -> f64 {
        self
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    const TOLERANCE: f64 = 1e-14;
}

/// A double-double.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Dd {
    high: f64,
    low: f64,
}

/// `a + b` exactly, as rounded sum and error (Knuth).
fn two_sum(a: f64, b: f64) -> Dd {
    let high = a + b;
    let part = high - a;
    Dd {
        high,
        low: (a - (high - part)) + (b - part),
    }
}

/// The same for `|a| ≥ |b|` (Dekker).
fn quick_two_sum(a: f64, b: f64) -> Dd {
    let high = a + b;
    Dd {
        high,
        low: b - (high - a),
    }
}

/// `a · b` exactly, by halves of 26 bits (Veltkamp, Dekker): no fused operation, which the baseline target lacks.
fn two_product(a: f64, b: f64) -> Dd {
    let split = |x: f64| {
        let t = 134_217_729.0 * x; // 2²⁷ + 1
        let high = t - (t - x);
        (high, x - high)
    };
    let high = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    Dd {
        high,
        low: ((ah * bh - high) + ah * bl + al * bh) + al * bl,
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, t) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let s = quick_two_sum(s.high, s.low + t.high);
        quick_two_sum(s.high, s.low + t.low)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = two_product(self.high, other.high);
        quick_two_sum(
            p.high,
            p.low + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for Dd {
    type Output = Self;
    /// Long division: three digits of a float each.
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::new(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::new(second);
        let third = rest.high / other.high;
        quick_two_sum(first, second) + Self::new(third)
    }
}

impl Real for Dd {
    fn new(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
    fn to_f64(self) -> f64 {
        self.high
    }
    /// One Newton step on the float root.
    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::new(0.0);
        }
        let root = Self::new(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }
    const TOLERANCE: f64 = 1e-26;
}

pub(crate) type V<R> = [R; 3];

pub(crate) fn dot<R: Real>(a: V<R>, b: V<R>) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn sub<R: Real>(a: V<R>, b: V<R>) -> V<R> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn add<R: Real>(a: V<R>, b: V<R>) -> V<R> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn scale<R: Real>(a: V<R>, s: R) -> V<R> {
    a.map(|x| x * s)
}

pub(crate) fn cross<R: Real>(a: V<R>, b: V<R>) -> V<R> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn norm<R: Real>(a: V<R>) -> R {
    dot(a, a).sqrt()
}

/// `None` for a vector without direction.
pub(crate) fn unit<R: Real>(a: V<R>) -> Option<V<R>> {
    let length = norm(a);
    (length > R::new(0.0)).then(|| a.map(|x| x / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(x: Dd, high: f64, low: f64) -> bool {
        let off = x - Dd { high, low };
        off.high.abs() <= 1e-30 * high.abs()
    }

    #[test]
    fn double_doubles_have_thirty_digits() {
        let third = Dd::new(1.0) / Dd::new(3.0);
        assert!(close(third + third + third, 1.0, 0.0));
        let root = Dd::new(2.0).sqrt();
        assert!(close(root * root, 2.0, 0.0));
        // √2 = 1.41421356237309504880168872420969807856967…
        assert!(close(
            root,
            std::f64::consts::SQRT_2,
            -9.667_293_313_452_913e-17
        ));
        let tiny = Dd::new(1e-25);
        assert!(
            close((Dd::new(1.0) + tiny) - Dd::new(1.0), 1e-25, 0.0)
                || ((Dd::new(1.0) + tiny) - Dd::new(1.0)).high > 0.9e-25
        );
    }
}
