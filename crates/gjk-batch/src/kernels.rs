//! The kernels behind one level of SIMD: each is compiled once a level, in this crate.
//!
//! Where it sits: `chunk.rs` calls these with a list of pairs; the kernels proper are its neighbours in this folder.

use crate::bounds::Columns;
use crate::layout::box_lanes::NARROW_MAX;
use crate::layout::world::{Pair, View};
use crate::loops::lockstep_gjk::{Aim, Goal};
use crate::pairs::box_box::axes::{self as boxes, Axes};
use crate::pairs::point_segment_box::distance::{self as cores, Want};
use crate::pairs::{box_box, hull_hull, polygon_polygon as planar};
use crate::simd::{LANES_MAX, Wide};
use fearless_simd::{Level, Simd, dispatch, prelude::*};

/// The kernels of a level, and how many pairs they take at once.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    level: Level,
    /// Pairs in `f64` lanes.
    pub(crate) wide: usize,
    /// Pairs in `f32` lanes.
    pub(crate) narrow: usize,
}

/// `f64` and `f32` lanes of a level.
#[inline(always)]
fn widths<S: Simd>(_: S) -> [usize; 2] {
    [
        Wide::<S>::LEN.min(LANES_MAX),
        <S::f32s as SimdBase<S>>::LEN.min(NARROW_MAX),
    ]
}

impl Kernels {
    pub(crate) fn new(level: Level) -> Self {
        let [wide, narrow] = dispatch!(level, simd => widths(simd));
        Self {
            level,
            wide,
            narrow,
        }
    }

    /// Appends what is found of every group of `narrow` pairs; `depth`: of those that overlap the axis must be clear.
    pub(crate) fn boxes(
        self,
        view: View<'_>,
        pairs: &[Pair],
        goal: Goal,
        depth: bool,
        found: &mut Vec<Axes>,
    ) {
        match (goal, depth) {
            (Goal::Verdict, _) => {
                dispatch!(self.level, simd => boxes::test::<_, false, false>(simd, view, pairs, found))
            }
            (_, false) => {
                dispatch!(self.level, simd => boxes::test::<_, true, false>(simd, view, pairs, found))
            }
            (_, true) => {
                dispatch!(self.level, simd => boxes::test::<_, true, true>(simd, view, pairs, found))
            }
        }
    }

    pub(crate) fn deep(self, view: View<'_>, members: &[u32], axes: &[f64], found: &mut Columns) {
        dispatch!(self.level, simd => box_box::penetration::measure(simd, view, members, axes, found));
    }

    pub(crate) fn planar(self, view: View<'_>, members: &[u32], found: &mut Columns) {
        dispatch!(self.level, simd => planar::measure(simd, view, members, found));
    }

    /// Round bodies whose cores have `N` and `M` generators, `N` the fewer.
    pub(crate) fn cores<const N: usize, const M: usize>(
        self,
        view: View<'_>,
        members: &[u32],
        want: Want,
        found: &mut Columns,
    ) {
        dispatch!(self.level, simd => cores::measure::<_, N, M>(simd, view, members, want, found));
    }

    pub(crate) fn walk_blocks(
        self,
        view: View<'_>,
        members: &[u32],
        axes: &[f64],
        aim: Aim,
        found: &mut Columns,
    ) {
        dispatch!(self.level, simd => box_box::distance::measure(simd, view, members, axes, aim, found));
    }

    pub(crate) fn walk_clouds(
        self,
        view: View<'_>,
        members: &[u32],
        aim: Aim,
        found: &mut Columns,
    ) {
        dispatch!(self.level, simd => hull_hull::small::<_, false>(simd, view, members, aim, found));
    }

    pub(crate) fn walk_polygons(
        self,
        view: View<'_>,
        members: &[u32],
        aim: Aim,
        found: &mut Columns,
    ) {
        dispatch!(self.level, simd => hull_hull::small::<_, true>(simd, view, members, aim, found));
    }

    pub(crate) fn walk_large<const PLANAR: bool>(
        self,
        view: View<'_>,
        members: &[u32],
        aim: Aim,
        found: &mut Columns,
    ) {
        dispatch!(self.level, simd => hull_hull::large::<_, PLANAR>(simd, view, members, aim, found));
    }
}
