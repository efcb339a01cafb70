//! The solvers behind one instruction set: each is compiled once a set, in this crate.
//!
//! Where it sits: `dispatch/` calls these with lists of pairs; the solvers proper are in `pairs/`. Nothing is decided here but
//! the instruction set.

use crate::bounds::BoundsLanes;
use crate::layout::box_lanes::F32_LANES_MAX;
use crate::layout::world::{Pair, WorldView};
use crate::pairs::box_box::axes::{self, BoxAxes};
use crate::pairs::{box_box, hull_hull, point_segment_box, polygon_polygon};
use crate::request::Request;
use crate::simd::{F64s, LANES_MAX};
use fearless_simd::{Level, Simd, dispatch, prelude::*};

/// The solvers of an instruction set, and how many pairs they take at once.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    level: Level,
    /// Pairs in `f64` lanes.
    pub(crate) f64_lanes: usize,
    /// Pairs in `f32` lanes.
    pub(crate) f32_lanes: usize,
}

/// `f64` and `f32` lanes of a level.
#[inline(always)]
fn widths<S: Simd>(_: S) -> [usize; 2] {
    [
        F64s::<S>::LEN.min(LANES_MAX),
        <S::f32s as SimdBase<S>>::LEN.min(F32_LANES_MAX),
    ]
}

impl Kernels {
    pub(crate) fn new(level: Level) -> Self {
        let [f64_lanes, f32_lanes] = dispatch!(level, simd => widths(simd));
        Self {
            level,
            f64_lanes,
            f32_lanes,
        }
    }

    /// Appends what the axes say of every group of `f32_lanes` pairs.
    #[inline(never)]
    pub(crate) fn box_axes(
        self,
        view: WorldView<'_>,
        pairs: &[Pair],
        request: Request,
        found: &mut Vec<BoxAxes>,
    ) {
        match request {
            Request::Verdict => {
                dispatch!(self.level, simd => axes::conclude(simd, view, pairs, found))
            }
            Request::Distance => {
                dispatch!(self.level, simd => axes::find_nearest(simd, view, pairs, found))
            }
            Request::Contact => {
                dispatch!(self.level, simd => axes::find_clear_nearest(simd, view, pairs, found))
            }
        }
    }

    /// The nearest axis of a pair that overlaps, if it is clear in `f64`.
    #[inline(never)]
    pub(crate) fn clear_box_axis(self, view: WorldView<'_>, member: u32) -> Option<u8> {
        dispatch!(self.level, simd => box_box::penetration::clear_axis(simd, view, member))
    }

    #[inline(never)]
    pub(crate) fn box_penetration(
        self,
        view: WorldView<'_>,
        members: &[u32],
        axes: &[f64],
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => box_box::penetration::measure(simd, view, members, axes, out));
    }

    #[inline(never)]
    pub(crate) fn box_distance(
        self,
        view: WorldView<'_>,
        members: &[u32],
        axes: &[f64],
        request: Request,
        steps_max: usize,
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => box_box::distance::measure(simd, view, members, axes, (request, steps_max), out));
    }

    #[inline(never)]
    pub(crate) fn polygon_penetration(
        self,
        view: WorldView<'_>,
        members: &[u32],
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => polygon_polygon::measure(simd, view, members, out));
    }

    /// Round bodies whose cores have so many generators, the fewer first. Not generic, so that the solvers are compiled here and
    /// not again in each crate that calls.
    #[inline(never)]
    pub(crate) fn cores(
        self,
        generators: [usize; 2],
        view: WorldView<'_>,
        members: &[u32],
        request: Request,
        width_max: f64,
        out: &mut BoundsLanes,
    ) {
        let level = self.level;
        match generators {
            [0, 0] => {
                dispatch!(level, simd => point_segment_box::measure::<_, 0, 0>(simd, view, members, (request, width_max), out))
            }
            [0, 1] => {
                dispatch!(level, simd => point_segment_box::measure::<_, 0, 1>(simd, view, members, (request, width_max), out))
            }
            [1, 1] => {
                dispatch!(level, simd => point_segment_box::measure::<_, 1, 1>(simd, view, members, (request, width_max), out))
            }
            [0, 3] => {
                dispatch!(level, simd => point_segment_box::measure::<_, 0, 3>(simd, view, members, (request, width_max), out))
            }
            [1, 3] => {
                dispatch!(level, simd => point_segment_box::measure::<_, 1, 3>(simd, view, members, (request, width_max), out))
            }
            _ => unreachable!("no solver for cores of {generators:?} generators"),
        }
    }

    #[inline(never)]
    pub(crate) fn hull_distance(
        self,
        view: WorldView<'_>,
        members: &[u32],
        request: Request,
        steps_max: usize,
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => hull_hull::small::<_, false>(simd, view, members, (request, steps_max), out));
    }

    #[inline(never)]
    pub(crate) fn polygon_distance(
        self,
        view: WorldView<'_>,
        members: &[u32],
        request: Request,
        steps_max: usize,
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => hull_hull::small::<_, true>(simd, view, members, (request, steps_max), out));
    }

    #[inline(never)]
    pub(crate) fn large_hull_distance(
        self,
        view: WorldView<'_>,
        members: &[u32],
        request: Request,
        steps_max: usize,
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => hull_hull::large::<_, false>(simd, view, members, (request, steps_max), out));
    }

    #[inline(never)]
    pub(crate) fn large_polygon_distance(
        self,
        view: WorldView<'_>,
        members: &[u32],
        request: Request,
        steps_max: usize,
        out: &mut BoundsLanes,
    ) {
        dispatch!(self.level, simd => hull_hull::large::<_, true>(simd, view, members, (request, steps_max), out));
    }
}
