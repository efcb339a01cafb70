//! The depth of two overlapping boxes over one known axis, in `f64`, with its points.
//!
//! Where it sits: after `axes.rs` has proved which of the 15 axes is nearest. Read [`measure`].
//! Idea: the difference of two boxes is a zonotope: a sum of six segments `±g_k` and an offset. The nearest facet's normal is
//! the cross product `n = u × v` of the two segments that span it, whatever the maps are, and its height is
//! `Σ|n·g_k| − |n·δ|` over the other four.
//!
//! What rounding costs, with `m = |u|₁|v|₁`, `shapes = Σ|g_k|₁`, `size = shapes + |δ|₁`, `world` as in `lockstep_gjk.rs`: the
//! components of `n` err by `2u·m` in all, which moves a height by `2u·m·size`, and the length by as much; inner products 3,
//! their sum 6, `δ` 1: below `14u·m·size`, over the length. Length, root, its inverse and the product: 4.5 of the depth. The
//! world's vertices are within `4u(shapes + world)` of the zonotopes'. [`BOX_LANES_DEPTH_OF_AXIS`], [`BOX_LANES_DEPTH_OF_SIZE`]
//! and [`BOX_LANES_DEPTH_OF_WORLD`] are these, rounded up. Test: `bounds_are_needed`.

use super::facet::{AXES, BoxFacet};
use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PairSizes, PosedLanes};
use crate::layout::world::WorldView;
use crate::rounding::{LANES_INTERVAL_WIDTH_MAX, RoundingBound, bound};
use crate::simd::{F64s, LANES_MAX, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

const BOX_LANES_DEPTH_OF_AXIS: f64 = 16.0 * f64::ROUNDING;
const BOX_LANES_DEPTH_OF_SIZE: f64 = 9.0 * f64::ROUNDING;
const BOX_LANES_DEPTH_OF_WORLD: f64 = 5.0 * f64::ROUNDING;

/// The difference of two boxes.
struct Difference<S: Simd> {
    /// Half edges of A, then of B.
    segments: [Vec3s<S>; 6],
    sizes: PairSizes<S>,
    /// What world vertices and roundings of a length may be off.
    body_error: F64s<S>,
}

/// A depth over one axis, as an interval and as computed.
struct AxisDepth<S: Simd> {
    low: F64s<S>,
    high: F64s<S>,
    depth: F64s<S>,
    /// From A to B.
    unit: Vec3s<S>,
    /// 1 where the facet's own normal is from A to B, else −1; and the inverse of that normal's length.
    sign: F64s<S>,
    inverse: F64s<S>,
    /// Each segment's height over the facet's normal, with its sign; none of the two that span the facet.
    along: [F64s<S>; 6],
}

impl<S: Simd> Difference<S> {
    #[inline(always)]
    fn of(a: &PosedLanes<S>, b: &PosedLanes<S>) -> Self {
        let mut segments = [a.columns[0]; 6];
        for k in 0..3 {
            (segments[k], segments[3 + k]) = (a.columns[k], b.columns[k]);
        }
        let sizes = PairSizes::of(a.size + b.size, a.translation, b.translation);
        let body_error = (sizes.all * BOX_LANES_DEPTH_OF_SIZE
            + sizes.place * BOX_LANES_DEPTH_OF_WORLD)
            * bound(RoundingBound::Deep, 1.0);
        Self {
            segments,
            sizes,
            body_error,
        }
    }

    #[inline(always)]
    fn depth_over(&self, simd: S, facet: &BoxFacet<S>) -> AxisDepth<S> {
        let normal = facet.u.cross(facet.v);
        let scale = facet.u.sum_abs() * facet.v.sum_abs();
        let length = normal.dot(normal).sqrt();
        let side = self.sizes.between.dot(normal);
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
        // One quotient: a lane's quotients take longer than all its products.
        let inverse = one / length;
        let sign = side.simd_ge(zero).select(one, -one);
        let mut along = [zero; 6];
        let mut height = zero;
        for k in 0..6 {
            along[k] = facet.others[k] * normal.dot(self.segments[k]);
            height += along[k].abs();
        }
        let height = height - side.abs();
        let error =
            scale * self.sizes.all * (BOX_LANES_DEPTH_OF_AXIS * bound(RoundingBound::Deep, 1.0));
        AxisDepth {
            low: (height - error) * inverse - self.body_error,
            high: (height + error) * inverse + self.body_error,
            depth: height * inverse,
            unit: normal.times(sign * inverse),
            sign,
            inverse,
            along,
        }
    }
}

/// Measures the pairs of `members`, at most as many as there are lanes, over their axes.
#[inline(always)]
pub(crate) fn measure<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    axes: &[f64],
    out: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let a = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[1]);
    let difference = Difference::of(&a, &b);
    let facet = BoxFacet::of(simd, &difference.segments, axes);
    let over = difference.depth_over(simd, &facet);
    let good = difference.sizes.usable()
        & over.low.simd_gt(F64s::<S>::splat(simd, 0.0))
        & (over.high - over.low).simd_le(over.low * LANES_INTERVAL_WIDTH_MAX);
    let [on_a, on_b] = facet.points(simd, &difference, &over);
    let (on_a, on_b) = (on_a.plus(a.translation), on_b.plus(b.translation));
    (out.separated, out.overlapping) = (0, good.to_bitmask());
    out.put([-over.high, -over.low], over.unit, [on_a, on_b]);
}

/// The nearest axis of two overlapping boxes whose order of heights `f32` cannot decide: an axis a lane.
///
/// `None` unless every other axis is higher beyond the bounds of [`measure`], as for boxes with parallel edges.
#[inline(always)]
pub(crate) fn clear_axis<S: Simd>(simd: S, view: WorldView<'_>, member: u32) -> Option<u8> {
    let lanes = F64s::<S>::LEN;
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, &[member], lanes);
    let a = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[1]);
    let difference = Difference::of(&a, &b);
    let mut axes = [0.0; AXES];
    for (k, axis) in axes.iter_mut().enumerate() {
        *axis = k as f64;
    }
    // As many as a whole number of lanes.
    let (mut low, mut high) = ([0.0; AXES + 1], [0.0; AXES + 1]);
    for from in (0..AXES).step_by(lanes) {
        let facet = BoxFacet::of(simd, &difference.segments, &axes[from..]);
        let over = difference.depth_over(simd, &facet);
        over.low.store_slice(&mut low[from..from + lanes]);
        over.high.store_slice(&mut high[from..from + lanes]);
    }
    let mut nearest = 0;
    for k in 1..AXES {
        if high[k] < high[nearest] {
            nearest = k;
        }
    }
    // Written so that NaN is not clear.
    let clear = (0..AXES).all(|k| k == nearest || low[k] >= high[nearest]);
    clear.then_some(nearest as u8)
}

impl<S: Simd> BoxFacet<S> {
    /// The points of A and B, less their translations: `a − b = push` with both on the facet's faces.
    ///
    /// Over a face's normal the other body's vertex is one point, and the face's is opposite to it. Over an edge axis the
    /// edges' own parameters solve `αu − βv = r`, by the cross products with `v` and `u`; `(u × v)·unit` is the normal's length
    /// with its sign.
    #[inline(always)]
    fn points(&self, simd: S, difference: &Difference<S>, over: &AxisDepth<S>) -> [Vec3s<S>; 2] {
        let (between, push) = (difference.sizes.between, over.unit.times(over.depth));
        let zero = F64s::<S>::splat(simd, 0.0);
        let mut corners = [Vec3s::splat(simd, 0.0); 2];
        for (k, segment) in difference.segments.iter().enumerate() {
            // A's corner is along the normal, B's against it.
            let side = if k < 3 { over.sign } else { -over.sign };
            let signed = over.along[k].simd_ge(zero).select(side, -side) * self.others[k];
            corners[k / 3] = corners[k / 3].plus(segment.times(signed));
        }
        let rest = push.minus(corners[0]).plus(corners[1]).plus(between);
        let toward = over.unit.times(over.sign * over.inverse);
        let alpha = self.v.cross(toward).dot(rest);
        let beta = self.u.cross(toward).dot(rest);
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
