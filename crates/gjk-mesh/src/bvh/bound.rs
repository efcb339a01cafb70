//! How far apart a box and eight others are at least, in lanes.
//!
//! Idea: along a direction, two boxes are as far apart as their centers less what both reach along it. In the frame of a box, the gaps
//! along its three axes are the sides of a box between them, so the root of their squares is a lower bound of the distance, and more
//! than each gap. That is asked in both frames, and along the line of centers; the largest counts.
//! Numbers: what is off, and by how much, is in `relative.rs`. No fused operation: every target has the same bits.

use super::lanes::stored;
use super::{Obb, WIDTH, WideNode};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A lower bound of the distance of a box and each of a node's, in one frame, to the slack.
#[inline(always)]
// The axes of both boxes are counted side by side; iterators of them would hide that.
#[allow(clippy::needless_range_loop)]
pub(super) fn gaps<S: Simd>(simd: S, one: &Obb, node: &WideNode) -> [f32; WIDTH] {
    let zero = f32x8::splat(simd, 0.0);
    let d = [
        f32x8::from_slice(simd, &node.center[0]) - f32x8::splat(simd, one.center[0]),
        f32x8::from_slice(simd, &node.center[1]) - f32x8::splat(simd, one.center[1]),
        f32x8::from_slice(simd, &node.center[2]) - f32x8::splat(simd, one.center[2]),
    ];
    let half = [
        f32x8::from_slice(simd, &node.half[0]),
        f32x8::from_slice(simd, &node.half[1]),
        f32x8::from_slice(simd, &node.half[2]),
    ];
    // Along the axes of the one, and of each of the others: the centers' difference, and what both reach.
    let (mut between, mut reach) = ([zero; 3], [zero; 3]);
    for i in 0..3 {
        let a = &one.axes[i];
        between[i] = (f32x8::splat(simd, a[0]) * d[0]
            + f32x8::splat(simd, a[1]) * d[1]
            + f32x8::splat(simd, a[2]) * d[2])
            .abs();
        reach[i] = f32x8::splat(simd, one.half[i]);
    }
    let (mut squares, mut along_centers) = (zero, zero);
    for j in 0..3 {
        let b = [
            f32x8::from_slice(simd, &node.axes[j][0]),
            f32x8::from_slice(simd, &node.axes[j][1]),
            f32x8::from_slice(simd, &node.axes[j][2]),
        ];
        let mut own = half[j];
        for i in 0..3 {
            let a = &one.axes[i];
            let cosine = (f32x8::splat(simd, a[0]) * b[0]
                + f32x8::splat(simd, a[1]) * b[1]
                + f32x8::splat(simd, a[2]) * b[2])
                .abs();
            reach[i] += half[j] * cosine;
            own += f32x8::splat(simd, one.half[i]) * cosine;
        }
        let center = (b[0] * d[0] + b[1] * d[1] + b[2] * d[2]).abs();
        along_centers += half[j] * center;
        let gap = (center - own).max(zero);
        squares += gap * gap;
    }
    let mut squares_of_one = zero;
    for i in 0..3 {
        along_centers += f32x8::splat(simd, one.half[i]) * between[i];
        let gap = (between[i] - reach[i]).max(zero);
        squares_of_one += gap * gap;
    }
    let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
        .max(f32x8::splat(simd, f32::MIN_POSITIVE))
        .sqrt();
    let along_centers = length - along_centers / length;
    stored(simd, squares.max(squares_of_one).sqrt().max(along_centers))
}
