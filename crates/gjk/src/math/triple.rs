//! Vectors of three `f64` as plain arrays: what kernels compute in that are written once for the plane and for space.

/// Three coordinates; in the plane the third is zero.
pub(crate) type Triple = [f64; 3];

/// `a − b`.
#[inline]
pub(crate) fn subtract(a: Triple, b: Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a · b`, summed from the first product on.
#[inline]
pub(crate) fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`, right-handed. No fused operations, so that `v × v` is exactly zero.
#[inline]
pub(crate) fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
