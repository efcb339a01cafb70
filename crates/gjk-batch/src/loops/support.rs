//! Support points in lanes: of boxes by signs, of small hulls by a scan over their posed vertices.
//!
//! What they hand out are the world's vertices that verdicts are exact for, bit by bit: `((c₀x + c₁y) + c₂z) + t`, every
//! operation rounded.

use crate::layout::shapes::{LANE_VERTICES, View};
use crate::layout::transpose::{Group, Placed, turned_corners, turned_fours};
use crate::simd::{Mask, V3, Wide};
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
pub(crate) trait Corners<'v, S: Simd>: Sized {
    /// The bodies are boxes, loaded as [`Placed::load_boxes`] does.
    const BOXES: bool;
    /// By how much, in parts of the bodies' sizes, the choice of a vertex errs beyond what `walk.rs` counts.
    const CHOICE: f64 = 0.0;
    /// The body of a group's lanes.
    fn of(simd: S, view: View<'v>, group: &Group, placed: &Placed<S>) -> Self;
    /// The world's vertex farthest along `direction`, up to the rounding that `walk.rs` counts; in other lanes than `lanes` any.
    fn farthest(&mut self, simd: S, direction: V3<S>, lanes: u64) -> V3<S>;
    /// Where a walk begins: here with the vertex from centre to centre.
    #[inline(always)]
    fn start(
        simd: S,
        a: &mut Self,
        b: &mut Self,
        between: V3<S>,
        _axes: &[f64],
        lanes: u64,
    ) -> Start<S> {
        let (zero, one) = (Wide::<S>::splat(simd, 0.0), Wide::<S>::splat(simd, 1.0));
        let on_a = a.farthest(simd, between, lanes);
        let w = on_a.minus(b.farthest(simd, between.times(-one), lanes));
        Start {
            simplex: [w; 3],
            on_a: [on_a; 3],
            weights: [one, zero, zero],
            count: one,
        }
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
    pub(crate) fn of(simd: S, segments: &[V3<S>; 6], axes: &[f64]) -> Self {
        let lane = |value: f64| Wide::<S>::splat(simd, value);
        let (zero, one) = (lane(0.0), lane(1.0));
        let axis = match axes.get(..Wide::<S>::LEN) {
            Some(whole) => Wide::<S>::from_slice(simd, whole),
            None => Wide::<S>::from_fn(simd, |at| {
                axes.get(at).or(axes.last()).map_or(0.0, |&axis| axis)
            }),
        };
        let face = axis.simd_lt(6.0);
        let face_of_a = axis.simd_lt(3.0);
        let face_of_b = face & !face_of_a;
        // What [`SPAN`] says, by selects: of a face the two that follow it around, of edges the one of A and the one of B.
        let base = face_of_b.select(lane(3.0), zero);
        let around = axis - base;
        let next = around.simd_gt(1.5).select(zero, around + one) + base;
        let after = around.simd_lt(0.5).select(lane(2.0), around - one) + base;
        let row = axis.simd_ge(9.0).select(one, zero) + axis.simd_ge(12.0).select(one, zero);
        let (first, second) = (
            face.select(next, row),
            face.select(after, axis - lane(3.0) - row * lane(3.0)),
        );
        let (mut u, mut v) = (segments[0], segments[1]);
        let mut others = [one; 6];
        for k in 0..6 {
            let (is_u, is_v) = (first.simd_eq(k as f64), second.simd_eq(k as f64));
            u = segments[k].or(is_u, u);
            v = segments[k].or(is_v, v);
            others[k] = (is_u | is_v).select(zero, one);
        }
        Self {
            u,
            v,
            others,
            face_of_a,
            face_of_b,
        }
    }
}

/// A box: three half edges and a centre.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd> {
    half: [V3<S>; 3],
    center: V3<S>,
}

impl<S: Simd> Corners<'_, S> for Block<S> {
    const BOXES: bool = true;

    #[inline(always)]
    fn of(_: S, _: View<'_>, _: &Group, placed: &Placed<S>) -> Self {
        Self {
            half: placed.columns,
            center: placed.translation,
        }
    }

    #[inline(always)]
    fn farthest(&mut self, simd: S, direction: V3<S>, _: u64) -> V3<S> {
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
    fn start(
        simd: S,
        a: &mut Self,
        b: &mut Self,
        between: V3<S>,
        axes: &[f64],
        _: u64,
    ) -> Start<S> {
        let (zero, one) = (Wide::<S>::splat(simd, 0.0), Wide::<S>::splat(simd, 1.0));
        let segments = [
            a.half[0], a.half[1], a.half[2], b.half[0], b.half[1], b.half[2],
        ];
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
        let (sign_a, sign_b) = (
            alpha.simd_le(zero).select(one, -one),
            beta.simd_le(zero).select(one, -one),
        );
        let (u, v) = (facet.u.times(sign_a), facet.v.times(sign_b));
        let none = V3::splat(simd, 0.0);
        let u_of_a = none.or(facet.face_of_b, u);
        let v_of_a = v.or(facet.face_of_a, none);
        let corner = base.plus(u);
        let of_a = sums[0].plus(a.center).plus(u_of_a);
        Start {
            simplex: [corner.plus(v), corner.minus(v), base.minus(u).plus(v)],
            on_a: [
                of_a.plus(v_of_a),
                of_a.minus(v_of_a),
                sums[0].plus(a.center).minus(u_of_a).plus(v_of_a),
            ],
            weights: [one, zero, zero],
            count: one + one + one,
        }
    }
}

/// A hull of at most [`LANE_VERTICES`] vertices, before the translation.
#[derive(Clone, Copy)]
pub(crate) struct Cloud<S: Simd, const PLANAR: bool> {
    pub(crate) turned: [V3<S>; LANE_VERTICES],
    pub(crate) count: usize,
    pub(crate) center: V3<S>,
}

impl<S: Simd, const PLANAR: bool> Corners<'_, S> for Cloud<S, PLANAR> {
    const BOXES: bool = false;

    #[inline(always)]
    fn of(simd: S, view: View<'_>, group: &Group, placed: &Placed<S>) -> Self {
        let mut count = 1;
        for lane in 0..Wide::<S>::LEN {
            count = count.max(view.shapes.outlines[group.shape(lane)].count as usize);
        }
        let mut turned = [V3::splat(simd, 0.0); LANE_VERTICES];
        if PLANAR && count <= 4 {
            turned[..4].copy_from_slice(&turned_fours(simd, view, group, placed));
            return Self {
                turned,
                count,
                center: placed.translation,
            };
        }
        let [x, y, z] = turned_corners::<S, PLANAR>(simd, view, group);
        for k in 0..LANE_VERTICES {
            turned[k] = V3 {
                x: x[k],
                y: y[k],
                z: z[k],
            };
        }
        let count = count.min(LANE_VERTICES);
        Self {
            turned,
            count,
            center: placed.translation,
        }
    }

    #[inline(always)]
    fn farthest(&mut self, simd: S, direction: V3<S>, _: u64) -> V3<S> {
        let mut best = self.corner(simd, 0);
        let mut height = self.height(&best, &direction);
        for k in 1..self.count {
            let next = self.corner(simd, k);
            let above = self.height(&next, &direction);
            let higher = above.simd_gt(height);
            height = above.max(height);
            best = next.or(higher, best);
        }
        best.plus(self.center)
    }
}

impl<S: Simd, const PLANAR: bool> Cloud<S, PLANAR> {
    /// A vertex before the translation. In the plane its third component is a zero that the compiler knows, which takes it
    /// out of all that follows.
    #[inline(always)]
    pub(crate) fn corner(&self, simd: S, k: usize) -> V3<S> {
        let V3 { x, y, z } = self.turned[k];
        V3 {
            x,
            y,
            z: if PLANAR {
                Wide::<S>::splat(simd, 0.0)
            } else {
                z
            },
        }
    }

    #[inline(always)]
    fn height(&self, corner: &V3<S>, direction: &V3<S>) -> Wide<S> {
        if PLANAR {
            corner.x * direction.x + corner.y * direction.y
        } else {
            corner.dot(*direction)
        }
    }
}
