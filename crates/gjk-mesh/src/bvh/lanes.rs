//! Vectors of eight lanes.
//!
//! Where it sits: below `bound.rs` and `triangles.rs`. No fused operation: every target has the same bits.

use super::WIDTH;
use fearless_simd::{Simd, f32x8, prelude::*};

/// Eight vectors.
pub(super) type Lanes<S> = [f32x8<S>; 3];

/// What a row of coordinates holds.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, rows: &[[f32; WIDTH]; 3]) -> Lanes<S> {
    [
        f32x8::from_slice(simd, &rows[0]),
        f32x8::from_slice(simd, &rows[1]),
        f32x8::from_slice(simd, &rows[2]),
    ]
}

/// One vector in all lanes.
#[inline(always)]
pub(super) fn same<S: Simd>(simd: S, v: &[f32; 3]) -> Lanes<S> {
    [
        f32x8::splat(simd, v[0]),
        f32x8::splat(simd, v[1]),
        f32x8::splat(simd, v[2]),
    ]
}

#[inline(always)]
pub(super) fn dot<S: Simd>(a: &Lanes<S>, b: &Lanes<S>) -> f32x8<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn minus<S: Simd>(a: &Lanes<S>, b: &Lanes<S>) -> Lanes<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn cross<S: Simd>(a: &Lanes<S>, b: &Lanes<S>) -> Lanes<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The root of a square, not 0.
#[inline(always)]
pub(super) fn root<S: Simd>(simd: S, square: f32x8<S>) -> f32x8<S> {
    square.max(f32x8::splat(simd, f32::MIN_POSITIVE)).sqrt()
}

/// The heights of three corners along a direction: the lowest and the highest.
#[inline(always)]
pub(super) fn range<S: Simd>(corners: &[Lanes<S>; 3], along: &Lanes<S>) -> [f32x8<S>; 2] {
    let [x, y, z] = [
        dot(&corners[0], along),
        dot(&corners[1], along),
        dot(&corners[2], along),
    ];
    [x.min(y).min(z), x.max(y).max(z)]
}

/// The numbers, 0 where they are less or no numbers.
#[inline(always)]
pub(super) fn stored<S: Simd>(simd: S, bound: f32x8<S>) -> [f32; WIDTH] {
    let zero = f32x8::splat(simd, 0.0);
    let mut out = [0.0; WIDTH];
    bound
        .simd_gt(zero)
        .select(bound, zero)
        .store_slice(&mut out);
    out
}
