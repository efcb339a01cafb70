//! Vectors of two `f64`, for code that computes in a plane alone.

/// Two coordinates.
pub(crate) type Planar = [f64; 2];

/// `a − b`.
#[inline(always)]
pub(crate) fn subtract(a: Planar, b: Planar) -> Planar {
    [a[0] - b[0], a[1] - b[1]]
}

/// `a + b`.
#[inline(always)]
pub(crate) fn sum(a: Planar, b: Planar) -> Planar {
    [a[0] + b[0], a[1] + b[1]]
}

/// `−a`.
#[inline(always)]
pub(crate) fn negative(a: Planar) -> Planar {
    [-a[0], -a[1]]
}

/// `a · b`.
#[inline(always)]
pub(crate) fn dot(a: Planar, b: Planar) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// `a × b`: positive where `b` is counter-clockwise of `a`. No fused operations, so that `v × v` is exactly zero.
#[inline(always)]
pub(crate) fn cross(a: Planar, b: Planar) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The sum of the magnitudes.
#[inline(always)]
pub(crate) fn sum_abs(a: Planar) -> f64 {
    a[0].abs() + a[1].abs()
}

/// `x + factor · direction`.
#[inline(always)]
pub(crate) fn plus(x: Planar, direction: Planar, factor: f64) -> Planar {
    [x[0] + factor * direction[0], x[1] + factor * direction[1]]
}
