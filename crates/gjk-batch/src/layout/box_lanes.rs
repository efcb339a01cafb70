//! Boxes in `f32` lanes: half extents and poses of up to [`GATHER_MAX`] pairs, gathered before they are loaded.

use super::poses::LanePoses;
use super::shapes::LaneShapes;
use super::transpose::{columns, thirds};
use super::world::Pair;
use fearless_simd::{Simd, prelude::*};

/// Most `f32` lanes of any target.
pub(crate) const F32_LANES_MAX: usize = 16;

/// Poses in no order.
const ANY: u32 = u32::MAX;

/// Pairs whose bodies are looked up before lanes load them: a wide load of what was just stored piece by piece waits, and these
/// are stored long enough before.
pub(crate) const GATHER_MAX: usize = 64;

/// One body of up to [`GATHER_MAX`] pairs: what does not need the width of lanes.
#[derive(Clone, Copy)]
pub(crate) struct GatheredBoxes {
    /// Half extents, four numbers a pair.
    half: [f32; 4 * GATHER_MAX],
    /// Poses; not filled where each is `step` after the one before.
    pose: [u32; GATHER_MAX],
    first: u32,
    /// From each pair's pose to the next pair's, if it is the same for all and there are tiles; otherwise [`ANY`].
    step: u32,
}

impl GatheredBoxes {
    pub(crate) const NONE: Self = Self {
        half: [0.0; 4 * GATHER_MAX],
        pose: [0; GATHER_MAX],
        first: 0,
        step: ANY,
    };

    /// Bodies A and B of pairs, at most [`GATHER_MAX`]; of places that are left over any.
    #[inline(always)]
    pub(crate) fn look_up(
        sides: &mut [Self; 2],
        shapes: &LaneShapes,
        poses: &LanePoses,
        pairs: &[Pair],
    ) {
        let [a, b] = sides;
        a.steps(poses, pairs, |pair| pair.a.pose);
        b.steps(poses, pairs, |pair| pair.b.pose);
        let (rows_a, _) = a.half.as_chunks_mut::<4>();
        let (rows_b, _) = b.half.as_chunks_mut::<4>();
        for ((pair, row_a), row_b) in pairs.iter().zip(&mut *rows_a).zip(&mut *rows_b) {
            *row_a = shapes.half[pair.a.shape as usize];
            *row_b = shapes.half[pair.b.shape as usize];
        }
    }

    #[inline(always)]
    fn steps(&mut self, poses: &LanePoses, pairs: &[Pair], pose: impl Fn(&Pair) -> u32) {
        self.first = pairs.first().map_or(0, &pose);
        let step = pairs
            .get(1)
            .map_or(1, |pair| pose(pair).wrapping_sub(self.first));
        let (mut next, mut off) = (self.first, 0);
        for pair in pairs {
            off |= pose(pair) ^ next;
            next = next.wrapping_add(step);
        }
        self.step = if off == 0 { step } else { ANY };
        if poses.rows_only || !(1..=2).contains(&self.step) {
            self.step = ANY;
            // GatheredBoxes that are left over name a pose that there is.
            self.pose = [self.first; GATHER_MAX];
            for (slot, pair) in self.pose.iter_mut().zip(pairs) {
                *slot = pose(pair);
            }
        }
    }

    /// Whether lanes of both sides are pieces of memory: see `tiles.rs`.
    #[inline(always)]
    pub(crate) fn both_have_stride2(sides: &[Self; 2]) -> bool {
        sides[0].step == 2 && sides[1].step == 2
    }

    #[inline(always)]
    fn pose(&self, at: usize) -> u32 {
        if self.step == ANY {
            self.pose[at]
        } else {
            self.first + self.step * at as u32
        }
    }
}

/// A box a lane in `f32`: half extents, and a pose that scales all lengths alike.
#[derive(Clone, Copy)]
pub(crate) struct BoxLanes<S: Simd> {
    pub(crate) half: [S::f32s; 3],
    /// The rotation by columns, the translation's high and low part, and the bound of the columns' error.
    pub(crate) pose: [S::f32s; 16],
}

impl<S: Simd> BoxLanes<S> {
    /// The bodies of a side's pairs from place `from` on. `STRIDE2`: every second pose, as [`GatheredBoxes::both_have_stride2`]
    /// says.
    #[inline(always)]
    pub(crate) fn load<const STRIDE2: bool>(
        simd: S,
        poses: &LanePoses,
        side: &GatheredBoxes,
        from: usize,
    ) -> Self {
        let lanes = S::f32s::LEN;
        let mut pose = [S::f32s::splat(simd, 0.0); 16];
        if STRIDE2 || side.step != ANY {
            let run = poses.f32_tiles.from(side.first + side.step * from as u32);
            for (k, column) in pose.iter_mut().enumerate() {
                *column = if STRIDE2 || side.step == 2 {
                    S::f32s::from_slice(simd, run.stride2(k, lanes))
                } else {
                    let [near, far] = run.stride1(k, lanes);
                    S::f32s::from_slice(simd, near).zip_low(S::f32s::from_slice(simd, far))
                };
            }
        } else {
            pose = columns(simd, |lane| {
                &poses.f32_rows[side.pose[from + lane] as usize].0
            });
        }
        let mut half = thirds(simd, &side.half[4 * from..4 * (from + lanes)]);
        if poses.scaled {
            let scale = |lane: usize| {
                poses
                    .scale
                    .get(side.pose(from + lane) as usize)
                    .map_or(1.0, |&scale| scale)
            };
            let scale = S::f32s::from_fn(simd, scale);
            half = [half[0] * scale, half[1] * scale, half[2] * scale];
        }
        Self { half, pose }
    }
}
