//! Vectors of three `f64`, for code that computes in space and in the plane alike. In the plane the third is zero.

use super::Scalar;

/// Three coordinates.
pub(crate) type Triple = [f64; 3];

/// `a − b`.
#[inline(always)]
pub(crate) fn subtract(a: Triple, b: Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `−a`.
#[inline(always)]
pub(crate) fn negative(a: Triple) -> Triple {
    [-a[0], -a[1], -a[2]]
}

/// `a · b`, summed from the first product on.
#[inline(always)]
pub(crate) fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`, right-handed. No fused operations, so that `v × v` is exactly zero.
#[inline(always)]
pub(crate) fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The sum of the magnitudes.
#[inline(always)]
pub(crate) fn sum_abs(a: Triple) -> f64 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

/// The Euclidean length.
#[inline(always)]
pub(crate) fn length(a: Triple) -> f64 {
    Scalar::sqrt(dot(a, a))
}

/// A squared length that near one has a reciprocal root by one step of Newton's method, up to the square of what it is off.
const NEARLY_UNIT: f64 = 1.0 / (1u64 << 28) as f64;

/// The reciprocal of a length, by its square.
#[inline(always)]
pub(crate) fn per_length(squared: f64) -> f64 {
    if (squared - 1.0).abs() <= NEARLY_UNIT {
        return 1.5 - 0.5 * squared;
    }
    1.0 / Scalar::sqrt(squared)
}

/// Of squares above this no part is lost that a rounding would keep.
const SQUARE_MIN: f64 = f64::MIN_POSITIVE * (1u128 << 120) as f64;

/// Whether a sum of squares has neither underflowed nor overflowed.
#[inline(always)]
pub(crate) fn is_plain_square(square: f64) -> bool {
    SQUARE_MIN < square && square < f64::INFINITY
}

/// The Euclidean length, whatever the size: squares of very small and very large components are no floats.
#[inline(always)]
pub(crate) fn length_of_any(a: Triple) -> f64 {
    let square = dot(a, a);
    if is_plain_square(square) {
        return Scalar::sqrt(square);
    }
    if square.is_nan() {
        return square;
    }
    let largest = a[0].abs().max(a[1].abs()).max(a[2].abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return largest;
    }
    largest * length(a.map(|x| x / largest))
}

/// `x + factor · direction`.
#[inline(always)]
pub(crate) fn plus(x: Triple, direction: Triple, factor: f64) -> Triple {
    [
        x[0] + factor * direction[0],
        x[1] + factor * direction[1],
        x[2] + factor * direction[2],
    ]
}
