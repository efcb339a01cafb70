//! The distance of two boxes: GJK in lock-step from the facet over the axis that separates most.
//!
//! Where it sits: after `axes.rs` has named that axis; the loop is `loops/lockstep_gjk.rs`.

use super::facet::BoxFacet;
use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PairSizes, PosedLanes};
use crate::layout::world::WorldView;
use crate::loops::lockstep_gjk::{self, Start};
use crate::loops::support::BoxSupport;
use crate::request::Request;
use crate::simd::{F64s, LANES_MAX, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// Measures the pairs of `members`, at most as many as there are lanes, each from its axis.
#[inline(always)]
pub(crate) fn measure<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    axes: &[f64],
    aim: (Request, usize),
    found: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let a = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load_boxes(simd, view.shapes, view.poses, &groups[1]);
    let sizes = PairSizes::of(a.size + b.size, a.translation, b.translation);
    let mut boxes = [BoxSupport::of(&a), BoxSupport::of(&b)];
    let start = start(simd, &boxes, sizes.between, axes);
    lockstep_gjk::run::<S, BoxSupport<S>, false>(simd, &mut boxes, &sizes, &start, aim, found);
}

/// Three corners of the facet over the axis that separates most, around the point of it nearest the origin.
///
/// The facet is `base + αu + βv`, `α` and `β` in [−1, 1]. The origin's foot has `α = (r × v)·n / n·n` with `r = −base` and `n =
/// u × v`. With the signs of `α` and `β` taken out, the corners (1, 1), (1, −1) and (−1, 1) hold it, clamped or not. These
/// corners are sums, not the world's vertices: the loop counts that.
#[inline(always)]
fn start<S: Simd>(
    simd: S,
    [a, b]: &[BoxSupport<S>; 2],
    between: Vec3s<S>,
    axes: &[f64],
) -> Start<S> {
    let (zero, one) = (F64s::<S>::splat(simd, 0.0), F64s::<S>::splat(simd, 1.0));
    let segments = [
        a.half[0], a.half[1], a.half[2], b.half[0], b.half[1], b.half[2],
    ];
    let facet = BoxFacet::of(simd, &segments, axes);
    let normal = facet.u.cross(facet.v);
    let side = between.dot(normal).simd_ge(zero).select(one, -one);
    let mut sums = [Vec3s::splat(simd, 0.0); 2];
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
    let none = Vec3s::splat(simd, 0.0);
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
        count: one + one + one,
    }
}
