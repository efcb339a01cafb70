//! The distance of two hulls: GJK in lock-step from the support point between their centres.
//!
//! Where it sits: `dispatch/` calls it for hulls and polygons of any number of vertices; depths are not measured here.

use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PairSizes, PosedLanes};
use crate::layout::world::WorldView;
use crate::loops::lockstep_gjk::{self, Start};
use crate::loops::support::{SmallHull, SupportLanes};
use crate::loops::support_large::LargeHull;
use crate::request::Request;
use crate::simd::{F64s, LANES_MAX};
use fearless_simd::{Simd, prelude::*};

/// Hulls of at most [`crate::layout::shapes::LANE_VERTICES`] vertices each.
#[inline(always)]
pub(crate) fn small<S: Simd, const PLANAR: bool>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    aim: (Request, usize),
    found: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let a = PosedLanes::load::<PLANAR>(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load::<PLANAR>(simd, view.shapes, view.poses, &groups[1]);
    let mut hulls = [
        SmallHull::<S, PLANAR>::of(simd, view, &groups[0], &a),
        SmallHull::<S, PLANAR>::of(simd, view, &groups[1], &b),
    ];
    measure::<S, _, PLANAR>(simd, &mut hulls, [&a, &b], members.len(), aim, found);
}

/// Hulls of which one has more vertices.
#[inline(always)]
pub(crate) fn large<S: Simd, const PLANAR: bool>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    aim: (Request, usize),
    found: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let a = PosedLanes::load::<PLANAR>(simd, view.shapes, view.poses, &groups[0]);
    let b = PosedLanes::load::<PLANAR>(simd, view.shapes, view.poses, &groups[1]);
    let mut hulls = [
        LargeHull::<'_, S, PLANAR>::of(view, &groups[0], &a),
        LargeHull::<'_, S, PLANAR>::of(view, &groups[1], &b),
    ];
    measure::<S, _, PLANAR>(simd, &mut hulls, [&a, &b], members.len(), aim, found);
}

/// Lanes beyond `count` are not searched.
#[inline(always)]
fn measure<S: Simd, C: SupportLanes<S>, const PLANAR: bool>(
    simd: S,
    hulls: &mut [C; 2],
    [placed_a, placed_b]: [&PosedLanes<S>; 2],
    count: usize,
    aim: (Request, usize),
    found: &mut BoundsLanes,
) {
    let sizes = PairSizes::of(
        placed_a.size + placed_b.size,
        placed_a.translation,
        placed_b.translation,
    );
    let lanes = (1u64 << count.min(LANES_MAX)) - 1;
    let start = Start::between_centers(simd, hulls, sizes.between, lanes);
    lockstep_gjk::run::<S, C, PLANAR>(simd, hulls, &sizes, &start, aim, found);
}
