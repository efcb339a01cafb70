//! Lanes from columns: contiguous where a group's poses follow one another, one by one elsewhere.

use super::{LANES_MAX, V3, Wide};
use crate::bodies::{LanePoses, LaneShapes, Pair, View};
use fearless_simd::{Simd, prelude::*};

/// Most `f32` lanes of any target.
pub(crate) const NARROW_MAX: usize = 16;

/// The indices of one body in every lane of a group; lanes that are left over repeat the last pair.
#[derive(Clone, Copy)]
pub(crate) struct Group<const N: usize> {
    pub(crate) shape: [u32; N],
    pub(crate) pose: [u32; N],
    /// The poses are `pose[0] + lane`.
    run: bool,
}

impl<const N: usize> Group<N> {
    /// Bodies A and B of the first `lanes` lanes.
    #[inline(always)]
    pub(crate) fn of(pairs: &[Pair], members: &[u32], lanes: usize) -> [Self; 2] {
        let blank = Self { shape: [0; N], pose: [0; N], run: true };
        let mut groups = [blank; 2];
        let last = members.len() - 1;
        for lane in 0..lanes.min(N) {
            let pair = &pairs[members[lane.min(last)] as usize];
            (groups[0].shape[lane], groups[0].pose[lane]) = (pair.a.shape, pair.a.pose);
            (groups[1].shape[lane], groups[1].pose[lane]) = (pair.b.shape, pair.b.pose);
        }
        for group in &mut groups {
            let first = group.pose[0];
            for lane in 1..lanes.min(N) {
                group.run &= group.pose[lane] == first.wrapping_add(lane as u32);
            }
        }
        groups
    }

    /// The bodies of `lanes` lanes whose poses are already in a row.
    #[inline(always)]
    pub(crate) fn in_row(poses: &[u32], lanes: usize) -> Self {
        let mut group = Self { shape: [0; N], pose: [0; N], run: true };
        group.pose[..lanes].copy_from_slice(&poses[..lanes]);
        let first = group.pose[0];
        for (lane, &pose) in group.pose[..lanes].iter().enumerate() {
            group.run &= pose == first.wrapping_add(lane as u32);
        }
        group
    }

    /// The poses' entries of one column.
    #[inline(always)]
    pub(crate) fn column<S: Simd, F: SimdFloat<S>>(&self, simd: S, column: &[F::Element]) -> F {
        if self.run {
            let first = self.pose[0] as usize;
            if let Some(run) = column.get(first..first + F::LEN) {
                return F::from_slice(simd, run);
            }
        }
        let mut lanes = F::splat(simd, column[self.pose[0] as usize]);
        gather(lanes.as_mut_slice(), column, &self.pose);
        lanes
    }
}

/// One by one; kept out of the kernels, which ask for some thirty columns.
#[inline(never)]
fn gather<T: Copy>(lanes: &mut [T], column: &[T], indices: &[u32]) {
    for (slot, &at) in lanes.iter_mut().zip(indices) {
        *slot = column[at as usize];
    }
}

/// Half extents and poses of a list of pairs of boxes, a column each, filled up to whole groups.
///
/// They are gathered for a whole chunk before its lanes are filled: a wide load waits for all narrow stores that it covers.
#[derive(Default)]
pub(crate) struct BoxRows {
    /// Of A, then of B.
    pub(crate) half: [Vec<f32>; 6],
    pub(crate) pose: [Vec<u32>; 2],
}

impl BoxRows {
    pub(crate) fn of(view: View<'_>, list: &[u32]) -> Self {
        let mut rows = Self::default();
        let whole = list.len().next_multiple_of(NARROW_MAX);
        for column in &mut rows.half {
            column.resize(whole, 0.0);
        }
        for column in &mut rows.pose {
            column.resize(whole, 0);
        }
        let [a0, a1, a2, b0, b1, b2] = &mut rows.half;
        let [pose_a, pose_b] = &mut rows.pose;
        let last = list.last().copied().unwrap_or(0);
        for at in 0..whole {
            let pair = &view.pairs[list.get(at).copied().unwrap_or(last) as usize];
            let (a, b) = (view.shapes.half[pair.a.shape as usize], view.shapes.half[pair.b.shape as usize]);
            (a0[at], a1[at], a2[at]) = (a[0], a[1], a[2]);
            (b0[at], b1[at], b2[at]) = (b[0], b[1], b[2]);
            (pose_a[at], pose_b[at]) = (pair.a.pose, pair.b.pose);
        }
        rows
    }
}

/// A posed body a lane: the columns of its map and its translation.
#[derive(Clone, Copy)]
pub(crate) struct Placed<S: Simd> {
    pub(crate) columns: [V3<S>; 3],
    pub(crate) translation: V3<S>,
    /// The shapes' coordinate bounds.
    pub(crate) extent: [Wide<S>; 3],
}

impl<S: Simd> Placed<S> {
    #[inline(always)]
    pub(crate) fn load(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &Group<LANES_MAX>) -> Self {
        let zero = Wide::<S>::splat(simd, 0.0);
        let mut placed =
            Self { columns: [V3::splat(simd, 0.0); 3], translation: V3::splat(simd, 0.0), extent: [zero; 3] };
        for k in 0..3 {
            placed.columns[k] = V3 {
                x: group.column(simd, &poses.wide[3 * k]),
                y: group.column(simd, &poses.wide[3 * k + 1]),
                z: group.column(simd, &poses.wide[3 * k + 2]),
            };
        }
        placed.translation = V3 {
            x: group.column(simd, &poses.wide[9]),
            y: group.column(simd, &poses.wide[10]),
            z: group.column(simd, &poses.wide[11]),
        };
        for lane in 0..Wide::<S>::LEN {
            let extent = &shapes.outlines[group.shape[lane] as usize].extent;
            for k in 0..3 {
                placed.extent[k].as_mut_slice()[lane] = extent[k];
            }
        }
        placed
    }

    /// `Σ |L_ik|·extent_k`, which bounds the coordinate sums of `L·x`.
    #[inline(always)]
    pub(crate) fn size(&self) -> Wide<S> {
        self.columns[0].sum_abs() * self.extent[0]
            + self.columns[1].sum_abs() * self.extent[1]
            + self.columns[2].sum_abs() * self.extent[2]
    }
}
