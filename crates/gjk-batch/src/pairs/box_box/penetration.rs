//! The depth of two overlapping boxes over one known axis, in `f64`, with its points.
//!
//! Where it sits: after `axes.rs` has proved which of the 15 axes is nearest. Read [`measure`].
//! Idea: the difference of two boxes is a zonotope: a sum of six segments `±g_k` and an offset. The nearest facet's normal is
//! the cross product `n = u × v` of the two segments that span it, whatever the maps are, and its height is
//! `Σ|n·g_k| − |n·δ|` over the other four.
//!
//! What rounding costs, with `m = |u|₁|v|₁`, `shapes = Σ|g_k|₁`, `size = shapes + |δ|₁`, `world` as in `lockstep_gjk.rs`: the components
//! of `n` err by `2u·m` in all, which moves a height by `2u·m·size`, and the length by as much; inner products 3, their sum
//! 6, `δ` 1: below `14u·m·size`, over the length. Length, root, its inverse and the product: 4.5 of the depth. The world's vertices are
//! within `4u(shapes + world)` of the zonotopes'. [`BOX_DEPTH_OF_AXIS`], [`BOX_DEPTH_OF_SIZE`] and [`BOX_DEPTH_OF_WORLD`] are these, rounded up. Test:
//! `bounds_are_needed`.

use super::facet::{BoxFacet, SPAN};
use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PairSizes, PosedLanes};
use crate::layout::world::{Pair, WorldView};
use crate::rounding::{LANES_INTERVAL_WIDTH_MAX, RoundingBound, bound};
use crate::simd::{F64s, LANES_MAX, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

const BOX_DEPTH_OF_AXIS: f64 = 16.0 * f64::ROUNDING;
const BOX_DEPTH_OF_SIZE: f64 = 9.0 * f64::ROUNDING;
const BOX_DEPTH_OF_WORLD: f64 = 5.0 * f64::ROUNDING;

/// Measures the pairs of `members`, at most as many as there are lanes, over their axes.
#[inline(always)]
pub(crate) fn measure<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    axes: &[f64],
    found: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let a = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[1]);
    let mut segments = [a.columns[0]; 6];
    for k in 0..3 {
        (segments[k], segments[3 + k]) = (a.columns[k], b.columns[k]);
    }
    let sizes = PairSizes::of(a.size + b.size, a.translation, b.translation);
    let (between, size) = (sizes.between, sizes.all);
    let facet = BoxFacet::of(simd, &segments, axes);

    let normal = facet.u.cross(facet.v);
    let scale = facet.u.sum_abs() * facet.v.sum_abs();
    let length = normal.dot(normal).sqrt();
    let side = between.dot(normal);
    let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
    // One quotient: a lane's quotients take longer than all its products.
    let inverse = one / length;
    let sign = side.simd_ge(zero).select(one, -one);
    let unit = normal.times(sign * inverse);
    // Each segment's height over the normal, with its sign; none of the two that span the facet.
    let mut along = [zero; 6];
    let mut height = zero;
    for k in 0..6 {
        along[k] = facet.others[k] * normal.dot(segments[k]);
        height += along[k].abs();
    }
    let height = height - side.abs();
    let error = scale * size * (BOX_DEPTH_OF_AXIS * bound(RoundingBound::Deep, 1.0));
    let body = (size * BOX_DEPTH_OF_SIZE + sizes.place * BOX_DEPTH_OF_WORLD)
        * bound(RoundingBound::Deep, 1.0);
    let (low, high) = (
        (height - error) * inverse - body,
        (height + error) * inverse + body,
    );
    let good =
        sizes.usable() & low.simd_gt(zero) & (high - low).simd_le(low * LANES_INTERVAL_WIDTH_MAX);
    let push = unit.times(height * inverse);
    let [on_a, on_b] = facet.points(
        simd,
        &segments,
        &along,
        [sign, inverse],
        [unit, push, between],
    );
    let (on_a, on_b) = (on_a.plus(a.translation), on_b.plus(b.translation));
    (found.separated, found.overlapping) = (0, good.to_bitmask());
    found.put([-high, -low], unit, [on_a, on_b]);
}

/// The nearest axis of two overlapping boxes whose heights `f32` cannot tell apart: one pair at a time, in `f64`.
///
/// `None` unless every other axis is higher beyond the bounds of [`measure`], as for boxes with parallel edges.
pub(crate) fn clear_axis(view: WorldView<'_>, pair: Pair) -> Option<u8> {
    let wide = |k: usize, pose: u32| view.poses.rows[pose as usize][k / 8].0[k % 8];
    let mut segments = [[0.0f64; 3]; 6];
    for (k, segment) in segments.iter_mut().enumerate() {
        let (body, axis) = if k < 3 { (pair.a, k) } else { (pair.b, k - 3) };
        let extent = view.shapes.rows[body.shape as usize].extent[axis];
        *segment = [0, 1, 2].map(|i| wide(3 * axis + i, body.pose) * extent);
    }
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let sum_abs = |a: [f64; 3]| a[0].abs() + a[1].abs() + a[2].abs();
    let between: [f64; 3] = [9, 10, 11].map(|k| wide(k, pair.b.pose) - wide(k, pair.a.pose));
    let place: f64 = [9, 10, 11]
        .map(|k| wide(k, pair.b.pose).abs() + wide(k, pair.a.pose).abs())
        .iter()
        .sum();
    let size = segments.iter().map(|&s| sum_abs(s)).sum::<f64>() + sum_abs(between);
    let body = size * BOX_DEPTH_OF_SIZE + place * BOX_DEPTH_OF_WORLD;
    let ends = SPAN.map(|[i, j]| {
        let (u, v) = (segments[i], segments[j]);
        let normal = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let others = (0..6)
            .filter(|&k| k != i && k != j)
            .map(|k| dot(normal, segments[k]).abs());
        let height = others.sum::<f64>() - dot(normal, between).abs();
        let (error, length) = (
            sum_abs(u) * sum_abs(v) * size * BOX_DEPTH_OF_AXIS,
            dot(normal, normal).sqrt(),
        );
        [
            (height - error) / length - body,
            (height + error) / length + body,
        ]
    });
    let nearest = (1..15).fold(
        0,
        |best, k| if ends[k][1] < ends[best][1] { k } else { best },
    );
    // Written so that NaN is not clear.
    let clear = (0..15).all(|k| k == nearest || ends[k][0] >= ends[nearest][1]);
    clear.then_some(nearest as u8)
}

impl<S: Simd> BoxFacet<S> {
    /// The points of A and B, less their translations: `a − b = push` with both on the facet's faces.
    ///
    /// Over a face's normal the other body's vertex is one point, and the face's is opposite to it. Over an edge axis the
    /// edges' own parameters solve `αu − βv = r`, by the cross products with `v` and `u`; `(u × v)·unit` is the normal's length
    /// with its sign.
    #[inline(always)]
    fn points(
        &self,
        simd: S,
        segments: &[Vec3s<S>; 6],
        along: &[F64s<S>; 6],
        [sign, inverse]: [F64s<S>; 2],
        [unit, push, between]: [Vec3s<S>; 3],
    ) -> [Vec3s<S>; 2] {
        let zero = F64s::<S>::splat(simd, 0.0);
        let mut corners = [Vec3s::splat(simd, 0.0); 2];
        for (k, segment) in segments.iter().enumerate() {
            // A's corner is along the normal, B's against it.
            let side = if k < 3 { sign } else { -sign };
            let signed = along[k].simd_ge(zero).select(side, -side) * self.others[k];
            corners[k / 3] = corners[k / 3].plus(segment.times(signed));
        }
        let rest = push.minus(corners[0]).plus(corners[1]).plus(between);
        let over = unit.times(sign * inverse);
        let alpha = self.v.cross(over).dot(rest);
        let beta = self.u.cross(over).dot(rest);
        let edge_a = corners[0].plus(self.u.times(alpha.max(-1.0).min(1.0)));
        let edge_b = corners[1].plus(self.v.times(beta.max(-1.0).min(1.0)));
        // In each body's own coordinates: a = b + between + push.
        let face_a = corners[1].plus(between).plus(push);
        let face_b = corners[0].minus(between).minus(push);
        let on_a = face_a.or(self.face_of_a, corners[0].or(self.face_of_b, edge_a));
        let on_b = corners[1].or(self.face_of_a, face_b.or(self.face_of_b, edge_b));
        [on_a, on_b]
    }
}
