//! How far apart a box and eight others are at least, in lanes.
//!
//! Idea: along a direction, two boxes are as far apart as their centers less what both reach along it. In the frame of a box, the gaps
//! along its three axes are the sides of a box between them, so the root of their squares is a lower bound of the distance, and more
//! than each gap. That is asked in both frames, and along the line of centers; the largest counts.
//! Numbers: what is off, and by how much, is in `relative.rs`. No fused operation: every target has the same bits.

use super::lanes::{dot, load, minus, root, same, stored};
use super::{Obb, WIDTH, WideNode};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A lower bound of the distance of a box and each of a node's, in one frame, to the slack.
#[inline(always)]
pub(super) fn gaps<S: Simd>(simd: S, one: &Obb, node: &WideNode) -> [f32; WIDTH] {
    stored(simd, along_axes::<_, false>(simd, one, node))
}

/// How far a box and each of a node's are apart along one of their axes at least, to the slack; less than 0 where they overlap along all of
/// them, by that much along the least.
#[inline(always)]
pub(super) fn overlaps<S: Simd>(simd: S, one: &Obb, node: &WideNode) -> [f32; WIDTH] {
    let mut out = [0.0; WIDTH];
    along_axes::<_, true>(simd, one, node).store_slice(&mut out);
    out
}

/// The gaps of both boxes' axes: the largest, where that is all that matters, or the bound of the distance.
#[inline(always)]
// The axes of both boxes are counted side by side; iterators of them would hide that.
#[allow(clippy::needless_range_loop)]
fn along_axes<S: Simd, const LARGEST: bool>(simd: S, one: &Obb, node: &WideNode) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let d = minus(&load(simd, &node.center), &same(simd, &one.center));
    let (own_half, half) = (same(simd, &one.half), load(simd, &node.half));
    let axes = [
        same(simd, &one.axes[0]),
        same(simd, &one.axes[1]),
        same(simd, &one.axes[2]),
    ];
    let mut reach = own_half;
    let mut largest = f32x8::splat(simd, f32::NEG_INFINITY);
    let (mut squares, mut along_centers) = ([zero; 2], zero);
    // Along the axes of each of the others, then of the one: the centers' difference less what both reach.
    for j in 0..3 {
        let b = load(simd, &node.axes[j]);
        let mut own = half[j];
        for i in 0..3 {
            let cosine = dot(&axes[i], &b).abs();
            reach[i] += half[j] * cosine;
            own += own_half[i] * cosine;
        }
        let center = dot(&b, &d).abs();
        largest = largest.max(center - own);
        along_centers += half[j] * center;
        let gap = (center - own).max(zero);
        squares[0] += gap * gap;
    }
    for i in 0..3 {
        let center = dot(&axes[i], &d).abs();
        largest = largest.max(center - reach[i]);
        along_centers += own_half[i] * center;
        let gap = (center - reach[i]).max(zero);
        squares[1] += gap * gap;
    }
    if LARGEST {
        return largest;
    }
    let length = root(simd, dot(&d, &d));
    let along_centers = length - along_centers / length;
    squares[0].max(squares[1]).sqrt().max(along_centers)
}
