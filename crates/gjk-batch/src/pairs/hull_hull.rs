//! The distance of two hulls: GJK in lock-step from the support point between their centres.
//!
//! Where it sits: `dispatch/` calls it for hulls and polygons of any number of vertices; depths are not measured here.

use crate::bounds::Columns;
use crate::layout::lane_bodies::Group;
use crate::layout::posed::{PairSizes, Placed};
use crate::layout::world::View;
use crate::loops::lockstep_gjk::{self, Aim, Start};
use crate::loops::support::{Cloud, Corners};
use crate::loops::support_large::Scanned;
use crate::simd::{LANES_MAX, Wide};
use fearless_simd::{Simd, prelude::*};

/// Hulls of at most [`crate::layout::shapes::LANE_VERTICES`] vertices each.
#[inline(always)]
pub(crate) fn small<S: Simd, const PLANAR: bool>(
    simd: S,
    view: View<'_>,
    members: &[u32],
    aim: Aim,
    found: &mut Columns,
) {
    let groups = Group::<LANES_MAX>::of(view.pairs, members, Wide::<S>::LEN);
    let a = Placed::load::<PLANAR>(simd, view.shapes, view.poses, &groups[0]);
    let b = Placed::load::<PLANAR>(simd, view.shapes, view.poses, &groups[1]);
    let mut hulls = [
        Cloud::<S, PLANAR>::of(simd, view, &groups[0], &a),
        Cloud::<S, PLANAR>::of(simd, view, &groups[1], &b),
    ];
    measure::<S, _, PLANAR>(simd, &mut hulls, [&a, &b], members.len(), aim, found);
}

/// Hulls of which one has more vertices.
#[inline(always)]
pub(crate) fn large<S: Simd, const PLANAR: bool>(
    simd: S,
    view: View<'_>,
    members: &[u32],
    aim: Aim,
    found: &mut Columns,
) {
    let groups = Group::<LANES_MAX>::of(view.pairs, members, Wide::<S>::LEN);
    let a = Placed::load::<PLANAR>(simd, view.shapes, view.poses, &groups[0]);
    let b = Placed::load::<PLANAR>(simd, view.shapes, view.poses, &groups[1]);
    let mut hulls = [
        Scanned::<'_, S, PLANAR>::of(view, &groups[0], &a),
        Scanned::<'_, S, PLANAR>::of(view, &groups[1], &b),
    ];
    measure::<S, _, PLANAR>(simd, &mut hulls, [&a, &b], members.len(), aim, found);
}

/// Lanes beyond `count` are not searched.
#[inline(always)]
fn measure<S: Simd, C: Corners<S>, const PLANAR: bool>(
    simd: S,
    hulls: &mut [C; 2],
    [placed_a, placed_b]: [&Placed<S>; 2],
    count: usize,
    aim: Aim,
    found: &mut Columns,
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
