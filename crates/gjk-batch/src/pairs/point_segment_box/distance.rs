//! The distance of two cores from points that are nearest, or nearly so. Read [`distance`].

use super::core_bounds::{CoreBounds, clamped};
use crate::layout::posed::CoreLanes;
use crate::simd::{F64s, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// A segment whose square across the box's generators is below this part of its own lies in them: see [`refined`].
const CORE_LANES_IN_FACE: f64 = 1e-12;

/// The distance of two cores from points that are nearest, or nearly so.
#[inline(always)]
pub(super) fn distance<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &CoreLanes<S, N>,
    b: &CoreLanes<S, M>,
    between: Vec3s<S>,
    noise: F64s<S>,
) -> CoreBounds<S> {
    let one = F64s::<S>::splat(simd, 1.0);
    let mut squares = [one; M];
    for k in 0..M {
        squares[k] = one / b.generators[k].dot(b.generators[k]);
    }
    let (on_a, on_b) = nearest(simd, a, b, &squares, between);
    let (x, y) = (a.at(simd, &on_a), b.at(simd, &on_b));
    let gap = between.plus(y).minus(x);
    let distance = gap.dot(gap).sqrt();
    let normal = if M == 3 {
        let direction = refined(simd, gap, a, (&on_a, &on_b), b, &squares);
        direction.times(one / direction.dot(direction).sqrt())
    } else {
        gap.times(one / distance)
    };
    let mut height = normal.dot(between);
    for generator in &a.generators {
        height -= normal.dot(*generator).abs();
    }
    for generator in &b.generators {
        height -= normal.dot(*generator).abs();
    }
    CoreBounds {
        lower: height - noise,
        upper: distance + noise,
        normal,
        points: [x, y],
    }
}

/// The line between two points, without its parts along the generators that they are inside of. Angles that are not right leave
/// such parts, those of rotations in `f32` above all. Without them an error of the direction counts by its square.
#[inline(always)]
fn refined<S: Simd, const N: usize, const M: usize>(
    simd: S,
    gap: Vec3s<S>,
    a: &CoreLanes<S, N>,
    (on_a, on_b): (&[F64s<S>; N], &[F64s<S>; M]),
    b: &CoreLanes<S, M>,
    squares: &[F64s<S>; M],
) -> Vec3s<S> {
    let (zero, nothing) = (F64s::<S>::splat(simd, 0.0), Vec3s::splat(simd, 0.0));
    let mut direction = gap;
    // A's generator without its parts along those of B.
    let mut generator_rest = if N == 1 { a.generators[0] } else { nothing };
    for k in 0..M {
        let half = b.generators[k];
        let scale = on_b[k].abs().simd_lt(1.0).select(squares[k], zero);
        direction = direction.minus(half.times(direction.dot(half) * scale));
        generator_rest = generator_rest.minus(half.times(generator_rest.dot(half) * scale));
    }
    if N == 1 {
        let (whole, square) = (
            a.generators[0].dot(a.generators[0]),
            generator_rest.dot(generator_rest),
        );
        let free = on_a[0].abs().simd_lt(1.0) & square.simd_gt(whole * CORE_LANES_IN_FACE);
        let part = free.select(direction.dot(generator_rest) / square, zero);
        direction = direction.minus(generator_rest.times(part));
    }
    direction
}

/// Points of two cores that are nearest, if their edges are at right angles, in parts of the generators.
#[inline(always)]
fn nearest<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &CoreLanes<S, N>,
    b: &CoreLanes<S, M>,
    squares: &[F64s<S>; M],
    between: Vec3s<S>,
) -> ([F64s<S>; N], [F64s<S>; M]) {
    let zero = F64s::<S>::splat(simd, 0.0);
    let (mut on_a, mut on_b) = ([zero; N], [zero; M]);
    if N == 0 {
        for k in 0..M {
            on_b[k] = clamped(simd, -between.dot(b.generators[k]) * squares[k]);
        }
    } else if M == 1 {
        (on_a[0], on_b[0]) = segments(simd, a.generators[0], b.generators[0], between);
    } else {
        (on_a[0], on_b) = segment_and_box(simd, a.generators[0], &b.generators, squares, between);
    }
    (on_a, on_b)
}

/// Source: Ericson, Real-Time Collision Detection, 5.1.9. Parallel segments have no crossing: any point serves to start from.
#[inline(always)]
fn segments<S: Simd>(simd: S, g: Vec3s<S>, h: Vec3s<S>, between: Vec3s<S>) -> (F64s<S>, F64s<S>) {
    let zero = F64s::<S>::splat(simd, 0.0);
    let (gg, hh, gh) = (g.dot(g), h.dot(h), g.dot(h));
    let (gr, hr) = (g.dot(between), h.dot(between));
    let denominator = gg * hh - gh * gh;
    let crossing = clamped(simd, (gr * hh - gh * hr) / denominator);
    let crossing = denominator.simd_gt(zero).select(crossing, zero);
    let t = clamped(simd, (crossing * gh - hr) / hh);
    let s = clamped(simd, (gr + t * gh) / gg);
    (s, t)
}

/// The slope of the squared distance between a segment's point and a box, along the segment.
#[derive(Clone, Copy)]
struct Slope<S: Simd, const M: usize> {
    start: [F64s<S>; M],
    step: [F64s<S>; M],
    pull: [F64s<S>; M],
}

impl<S: Simd, const M: usize> Slope<S, M> {
    #[inline(always)]
    fn at(&self, simd: S, t: F64s<S>) -> F64s<S> {
        let mut sum = F64s::<S>::splat(simd, 0.0);
        for k in 0..M {
            let x = self.start[k] + t * self.step[k];
            sum += self.pull[k] * (x - clamped(simd, x));
        }
        sum
    }
}

/// The distance's square along the segment is convex, its slope piecewise linear with six corners. The corners and the ends that
/// are next to the root, below and above, are those of one piece: there the root is by a quotient.
#[inline(always)]
fn segment_and_box<S: Simd, const M: usize>(
    simd: S,
    g: Vec3s<S>,
    half: &[Vec3s<S>; M],
    squares: &[F64s<S>; M],
    between: Vec3s<S>,
) -> (F64s<S>, [F64s<S>; M]) {
    let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
    let mut slope = Slope::<S, M> {
        start: [zero; M],
        step: [zero; M],
        pull: [zero; M],
    };
    for k in 0..M {
        slope.pull[k] = g.dot(half[k]);
        slope.start[k] = -between.dot(half[k]) * squares[k];
        slope.step[k] = slope.pull[k] * squares[k];
    }
    let (mut low, mut high) = (-one, one);
    let (mut below, mut above) = (slope.at(simd, low), slope.at(simd, high));
    for k in 0..M {
        let inverse = one / slope.step[k];
        for side in [-one, one] {
            let corner = clamped(simd, (side - slope.start[k]) * inverse);
            let value = slope.at(simd, corner);
            let from = value.simd_le(zero) & corner.simd_gt(low);
            let to = value.simd_ge(zero) & corner.simd_lt(high);
            (low, below) = (from.select(corner, low), from.select(value, below));
            (high, above) = (to.select(corner, high), to.select(value, above));
        }
    }
    let rise = above - below;
    let root = low + (high - low) * (-below / rise);
    // No slope: a piece along a face, or one point. Where an end pulls outward the root is beyond it.
    let root = rise.simd_gt(zero).select(root, (low + high) * 0.5);
    let root = clamped(simd, root);
    let mut at = [zero; M];
    for k in 0..M {
        at[k] = clamped(simd, slope.start[k] + root * slope.step[k]);
    }
    (root, at)
}
