//! Support points in lanes: of boxes by signs, of small hulls by a scan over their posed vertices.
//!
//! What they hand out are the world's vertices that verdicts are exact for, bit by bit: `((c₀x + c₁y) + c₂z) + t`, every
//! operation rounded.

use super::load::{Group, Placed};
use super::{LANES_MAX, Mask, V3, Wide};
use crate::bodies::{LANE_VERTICES, LaneShapes};
use fearless_simd::{Simd, prelude::*};

/// Where a walk begins: corners of the difference, of which the nearest face has the first.
#[derive(Clone, Copy)]
pub(crate) struct Start<S: Simd> {
    pub(crate) simplex: [V3<S>; 3],
    pub(crate) on_a: [V3<S>; 3],
    pub(crate) weights: [Wide<S>; 3],
    pub(crate) count: Wide<S>,
}

/// A body a lane that has vertices.
pub(crate) trait Corners<S: Simd>: Copy {
    /// The body of a group's lanes.
    fn of(simd: S, shapes: &LaneShapes, group: &Group<LANES_MAX>, placed: &Placed<S>) -> Self;
    /// The world's vertex farthest along `direction`, up to the rounding that `walk.rs` counts.
    fn farthest(&self, simd: S, direction: V3<S>) -> V3<S>;
    /// Where a walk begins: here with the vertex from centre to centre.
    #[inline(always)]
    fn start(simd: S, a: &Self, b: &Self, between: V3<S>, _axes: &[u8]) -> Start<S> {
        let (zero, one) = (Wide::<S>::splat(simd, 0.0), Wide::<S>::splat(simd, 1.0));
        let on_a = a.farthest(simd, between);
        let w = on_a.minus(b.farthest(simd, between.times(-one)));
        Start { simplex: [w; 3], on_a: [on_a; 3], weights: [one, zero, zero], count: one }
    }
}

/// The two segments that span each axis' facet of the difference of two boxes: edges of A are 0 to 2, of B 3 to 5. Axes are
/// faces of A, faces of B, then edges of A by edges of B.
pub(crate) const SPAN: [[usize; 2]; 15] = [
    [1, 2],
    [2, 0],
    [0, 1],
    [4, 5],
    [5, 3],
    [3, 4],
    [0, 3],
    [0, 4],
    [0, 5],
    [1, 3],
    [1, 4],
    [1, 5],
    [2, 3],
    [2, 4],
    [2, 5],
];

/// The facet of every lane's axis.
#[derive(Clone, Copy)]
pub(crate) struct Facet<S: Simd> {
    pub(crate) u: V3<S>,
    pub(crate) v: V3<S>,
    /// 0 for the two segments that span the facet, 1 for the others.
    pub(crate) others: [Wide<S>; 6],
    pub(crate) face_of_a: Mask<S>,
    pub(crate) face_of_b: Mask<S>,
}

impl<S: Simd> Facet<S> {
    /// The facets of the axes `axes`, a lane each; lanes that are left over repeat the last.
    #[inline(always)]
    pub(crate) fn of(simd: S, segments: &[V3<S>; 6], axes: &[u8]) -> Self {
        let (mut u, mut v) = (segments[0], segments[0]);
        let mut others = [Wide::<S>::splat(simd, 1.0); 6];
        let mut kind = Wide::<S>::splat(simd, 0.0);
        let last = axes.len().max(1) - 1;
        for lane in 0..Wide::<S>::LEN {
            let axis = axes.get(lane.min(last)).map_or(0, |&axis| usize::from(axis).min(SPAN.len() - 1));
            let [i, j] = SPAN[axis];
            u.set_lane(lane, segments[i].lane(lane));
            v.set_lane(lane, segments[j].lane(lane));
            others[i].as_mut_slice()[lane] = 0.0;
            others[j].as_mut_slice()[lane] = 0.0;
            kind.as_mut_slice()[lane] = axis as f64;
        }
        let face_of_a = kind.simd_lt(3.0);
        Self { u, v, others, face_of_a, face_of_b: kind.simd_lt(6.0) & !face_of_a }
    }
}

/// A box: three half edges and a centre.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd> {
    half: [V3<S>; 3],
    center: V3<S>,
}

impl<S: Simd> Corners<S> for Block<S> {
    #[inline(always)]
    fn of(_: S, _: &LaneShapes, _: &Group<LANES_MAX>, placed: &Placed<S>) -> Self {
        let mut half = placed.columns;
        for (edge, &extent) in half.iter_mut().zip(&placed.extent) {
            *edge = edge.times(extent);
        }
        Self { half, center: placed.translation }
    }

    #[inline(always)]
    fn farthest(&self, simd: S, direction: V3<S>) -> V3<S> {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        // `c·(−h)` and `−(c·h)` are the same float.
        let mut signed = self.half;
        for edge in &mut signed {
            *edge = edge.times(edge.dot(direction).simd_ge(zero).select(one, -one));
        }
        signed[0].plus(signed[1]).plus(signed[2]).plus(self.center)
    }

    /// Three corners of the facet over the axis that separates most, around the point of it nearest the origin.
    ///
    /// The facet is `base + αu + βv`, `α` and `β` in [−1, 1]. The origin's foot has `α = (r × v)·n / n·n` with `r = −base` and `n =
    /// u × v`. With the signs of `α` and `β` taken out, the corners (1, 1), (1, −1) and (−1, 1) hold it, clamped or not. These
    /// corners are sums, not the world's vertices: the walk counts that.
    #[inline(always)]
    fn start(simd: S, a: &Self, b: &Self, between: V3<S>, axes: &[u8]) -> Start<S> {
        let (zero, one) = (Wide::<S>::splat(simd, 0.0), Wide::<S>::splat(simd, 1.0));
        let segments = [a.half[0], a.half[1], a.half[2], b.half[0], b.half[1], b.half[2]];
        let facet = Facet::of(simd, &segments, axes);
        let normal = facet.u.cross(facet.v);
        let side = between.dot(normal).simd_ge(zero).select(one, -one);
        let mut sums = [V3::splat(simd, 0.0); 2];
        for (k, segment) in segments.iter().enumerate() {
            let sign = segment.dot(normal).simd_ge(zero).select(side, -side);
            sums[k / 3] = sums[k / 3].plus(segment.times(sign * facet.others[k]));
        }
        let base = sums[0].plus(sums[1]).minus(between);
        let alpha = base.cross(facet.v).dot(normal);
        let beta = facet.u.cross(base).dot(normal);
        let (sign_a, sign_b) = (alpha.simd_le(zero).select(one, -one), beta.simd_le(zero).select(one, -one));
        let (u, v) = (facet.u.times(sign_a), facet.v.times(sign_b));
        let none = V3::splat(simd, 0.0);
        let u_of_a = none.or(facet.face_of_b, u);
        let v_of_a = v.or(facet.face_of_a, none);
        let corner = base.plus(u);
        let of_a = sums[0].plus(a.center).plus(u_of_a);
        Start {
            simplex: [corner.plus(v), corner.minus(v), base.minus(u).plus(v)],
            on_a: [of_a.plus(v_of_a), of_a.minus(v_of_a), sums[0].plus(a.center).minus(u_of_a).plus(v_of_a)],
            weights: [one, zero, zero],
            count: one + one + one,
        }
    }
}

/// A hull of at most [`LANE_VERTICES`] vertices, before the translation.
#[derive(Clone, Copy)]
pub(crate) struct Cloud<S: Simd> {
    pub(crate) turned: [V3<S>; LANE_VERTICES],
    pub(crate) count: usize,
    pub(crate) center: V3<S>,
}

impl<S: Simd> Corners<S> for Cloud<S> {
    #[inline(always)]
    fn of(simd: S, shapes: &LaneShapes, group: &Group<LANES_MAX>, placed: &Placed<S>) -> Self {
        let mut turned = [V3::splat(simd, 0.0); LANE_VERTICES];
        let mut count = 1;
        for lane in 0..Wide::<S>::LEN {
            let outline = &shapes.outlines[group.shape[lane] as usize];
            count = count.max(outline.count as usize);
        }
        let count = count.min(LANE_VERTICES);
        // Shorter hulls repeat their last vertex.
        for lane in 0..Wide::<S>::LEN {
            let outline = &shapes.outlines[group.shape[lane] as usize];
            let (first, last) = (outline.first as usize, outline.count.max(1) as usize - 1);
            for (k, slot) in turned[..count].iter_mut().enumerate() {
                slot.set_lane(lane, shapes.corners[first + k.min(last)]);
            }
        }
        for slot in &mut turned[..count] {
            let [c0, c1, c2] = placed.columns;
            *slot = c0.times(slot.x).plus(c1.times(slot.y)).plus(c2.times(slot.z));
        }
        Self { turned, count, center: placed.translation }
    }

    #[inline(always)]
    fn farthest(&self, _: S, direction: V3<S>) -> V3<S> {
        let mut best = self.turned[0];
        let mut height = best.dot(direction);
        for &next in &self.turned[1..self.count] {
            let above = next.dot(direction);
            let higher = above.simd_gt(height);
            height = higher.select(above, height);
            best = next.or(higher, best);
        }
        best.plus(self.center)
    }
}
