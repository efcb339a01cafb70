//! Which body each lane has: indices alone.

use super::shapes::ShapeKind;
use super::world::{Body, Pair};
use crate::simd::{F64s, LANES_MAX};
use fearless_simd::{Simd, prelude::*};

/// One body of every lane of a group; lanes that are left over repeat the last pair.
#[derive(Clone, Copy)]
pub(crate) struct LaneBodies<const N: usize = LANES_MAX>(pub(crate) [Body; N]);

impl<const N: usize> LaneBodies<N> {
    /// Bodies A and B of the first `lanes` lanes.
    #[inline(always)]
    pub(crate) fn of(pairs: &[Pair], members: &[u32], lanes: usize) -> [Self; 2] {
        let mut groups = [Self([Body::default(); N]); 2];
        let lanes = lanes.min(N);
        let mut set = |lane: usize, member: u32| {
            let pair = &pairs[member as usize];
            (groups[0].0[lane], groups[1].0[lane]) = (pair.a, pair.b);
        };
        if let Some(whole) = members.get(..lanes) {
            for (lane, &member) in whole.iter().enumerate() {
                set(lane, member);
            }
        } else {
            let last = members.len() - 1;
            for lane in 0..lanes {
                set(lane, members[lane.min(last)]);
            }
        }
        groups
    }

    /// The same with the bodies of each pair in the order of their kinds, and the lanes where they are exchanged.
    #[inline(always)]
    pub(crate) fn sorted(
        pairs: &[Pair],
        members: &[u32],
        lanes: usize,
        kinds: &[ShapeKind],
    ) -> ([Self; 2], [bool; N]) {
        let [a, b] = Self::of(pairs, members, lanes);
        let (mut sorted, mut exchanged) = ([a, b], [false; N]);
        for lane in 0..lanes.min(N) {
            let (x, y) = (a.0[lane], b.0[lane]);
            let turn = kinds[x.shape as usize] > kinds[y.shape as usize];
            (sorted[0].0[lane], sorted[1].0[lane]) = if turn { (y, x) } else { (x, y) };
            exchanged[lane] = turn;
        }
        (sorted, exchanged)
    }

    /// Whether the lanes' poses follow each other at stride 2, as `tiles.rs` stores them.
    #[inline(always)]
    pub(crate) fn poses_have_stride2<S: Simd>(&self) -> bool {
        let (first, mut off) = (self.0[0].pose, 0);
        for lane in 0..F64s::<S>::LEN.min(N) {
            off |= self.0[lane].pose ^ first.wrapping_add(2 * lane as u32);
        }
        off == 0
    }

    /// The index of the lane's shape.
    #[inline(always)]
    pub(crate) fn shape(&self, lane: usize) -> usize {
        self.0[lane].shape as usize
    }

    /// The index of the lane's pose.
    #[inline(always)]
    pub(crate) fn pose(&self, lane: usize) -> usize {
        self.0[lane].pose as usize
    }
}
