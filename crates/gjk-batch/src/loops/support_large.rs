//! Support points of hulls of any number of vertices, in lanes: the direction is rotated for all lanes at once, then each
//! lane's hull is searched for itself.
//!
//! Where it sits: `pairs/hull_hull.rs` uses [`LargeHull`] where one hull of a pair has more than eight vertices. Read
//! [`LargeHull::support`], then [`scan`].
//! Hulls of up to [`SCAN_MAX`] vertices are scanned here, as many vertices an operation as there are lanes; larger ones are
//! climbed by `gjk`'s own search, from the vertex of the step before. A scan in `f32` that only the last steps do again in `f64`
//! was measured: it gains a tenth at 128 and 512 vertices, where memory limits, and loses as much at 32.
//!
//! What rounding costs here beyond what `lockstep_gjk.rs` counts: heights are taken in the body's own frame, `(Lᵀd)·x`. `Lᵀd`
//! errs by `3u·Σ_i
//! |L_ik d_i|` an entry and the height by `3u` of its products: `6u·shapes·|d|` instead of `3u`, chosen and true together `12u`
//! instead of `6u`. [`LARGE_HULL_CHOICE`] is the difference, rounded up.
//!
//! Of several vertices that compute equally high the lowest id wins, at every width.

use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::PosedLanes;
use crate::layout::poses::CacheLine;
use crate::layout::shapes::{LANE_VERTICES, SCAN_MAX};
use crate::layout::world::{HullSearch, WorldView};
use crate::loops::support::SupportLanes;
use crate::simd::{F64s, LANES_MAX, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

/// Eight vertices: their x, y and z.
type VertexBlock = [CacheLine<[f64; LANE_VERTICES]>; 3];

/// What the choice of a vertex errs beyond what `lockstep_gjk.rs` counts, as derived above.
const LARGE_HULL_CHOICE: f64 = 6.5 * f64::ROUNDING;

/// A hull a lane.
pub(crate) struct LargeHull<'v, S: Simd, const PLANAR: bool> {
    columns: [Vec3s<S>; 3],
    center: Vec3s<S>,
    /// The vertices; none of a hull that is climbed.
    blocks: [&'v [VertexBlock]; LANES_MAX],
    hulls: &'v dyn HullSearch,
    shape: [u32; LANES_MAX],
    /// The last support vertices, and their coordinates.
    id: [u32; LANES_MAX],
    found: [[f64; LANES_MAX]; 3],
}

impl<'v, S: Simd, const PLANAR: bool> LargeHull<'v, S, PLANAR> {
    /// The hulls of a group.
    #[inline(always)]
    pub(crate) fn of(view: WorldView<'v>, group: &LaneBodies, placed: &PosedLanes<S>) -> Self {
        let (mut shape, mut blocks) = ([0; LANES_MAX], [&[][..]; LANES_MAX]);
        for lane in 0..F64s::<S>::LEN.min(LANES_MAX) {
            let outline = &view.shapes.rows[group.shape(lane)];
            let (count, first) = (outline.count as usize, outline.first as usize);
            shape[lane] = group.shape(lane) as u32;
            if count <= SCAN_MAX {
                blocks[lane] = &view.shapes.corners[first..first + count.div_ceil(LANE_VERTICES)];
            }
        }
        let (id, found) = ([gjk::NO_ID; LANES_MAX], [[0.0; LANES_MAX]; 3]);
        let (columns, center) = (placed.columns, placed.translation);
        Self {
            columns,
            center,
            blocks,
            hulls: view.hulls,
            shape,
            id,
            found,
        }
    }
}

impl<S: Simd, const PLANAR: bool> SupportLanes<S> for LargeHull<'_, S, PLANAR> {
    #[inline(always)]
    fn choice_error() -> f64 {
        LARGE_HULL_CHOICE
    }

    #[inline(always)]
    fn support(&mut self, simd: S, direction: Vec3s<S>, lanes: u64) -> Vec3s<S> {
        let [c0, c1, c2] = self.columns;
        let local: Vec3s<S> = if PLANAR {
            let (x, y) = (
                c0.x * direction.x + c0.y * direction.y,
                c1.x * direction.x + c1.y * direction.y,
            );
            Vec3s { x, y, z: c2.z }
        } else {
            Vec3s {
                x: c0.dot(direction),
                y: c1.dot(direction),
                z: c2.dot(direction),
            }
        };
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES_MAX;
            left &= left - 1;
            let toward = [
                local.x.as_slice()[lane],
                local.y.as_slice()[lane],
                local.z.as_slice()[lane],
            ];
            self.look(simd, lane, toward);
        }
        let [x, y, z] = &self.found;
        let n = F64s::<S>::LEN;
        let (x, y) = (
            F64s::<S>::from_slice(simd, &x[..n]),
            F64s::<S>::from_slice(simd, &y[..n]),
        );
        let rotated = if PLANAR {
            Vec3s {
                x: c0.x * x + c1.x * y,
                y: c0.y * x + c1.y * y,
                z: c2.z,
            }
        } else {
            c0.times(x)
                .plus(c1.times(y))
                .plus(c2.times(F64s::<S>::from_slice(simd, &z[..n])))
        };
        rotated.plus(self.center)
    }
}

impl<S: Simd, const PLANAR: bool> LargeHull<'_, S, PLANAR> {
    /// Searches one lane's hull.
    #[inline(always)]
    fn look(&mut self, simd: S, lane: usize, toward: [f64; 3]) {
        let blocks = self.blocks[lane];
        let point = if blocks.is_empty() {
            let (id, point) = self.hulls.highest(self.shape[lane], toward, self.id[lane]);
            self.id[lane] = id;
            point
        } else {
            let id = scan::<S, PLANAR>(simd, blocks, toward);
            let [x, y, z] = &blocks[id / LANE_VERTICES];
            [
                x.0[id % LANE_VERTICES],
                y.0[id % LANE_VERTICES],
                z.0[id % LANE_VERTICES],
            ]
        };
        for k in 0..3 {
            self.found[k][lane] = point[k];
        }
    }
}

/// The lowest id of the vertices that are highest.
#[inline(always)]
fn scan<S: Simd, const PLANAR: bool>(simd: S, blocks: &[VertexBlock], toward: [f64; 3]) -> usize {
    let n = F64s::<S>::LEN.min(LANE_VERTICES);
    let (dx, dy) = (
        F64s::<S>::splat(simd, toward[0]),
        F64s::<S>::splat(simd, toward[1]),
    );
    let dz = F64s::<S>::splat(simd, toward[2]);
    let (mut best, mut from) = (
        F64s::<S>::splat(simd, f64::NEG_INFINITY),
        F64s::<S>::splat(simd, 0.0),
    );
    let (mut here, step) = (from, F64s::<S>::splat(simd, n as f64));
    for [x, y, z] in blocks {
        for part in 0..LANE_VERTICES / n {
            let range = part * n..(part + 1) * n;
            let mut height = F64s::<S>::from_slice(simd, &x.0[range.clone()]) * dx
                + F64s::<S>::from_slice(simd, &y.0[range.clone()]) * dy;
            if !PLANAR {
                height += F64s::<S>::from_slice(simd, &z.0[range]) * dz;
            }
            let higher = height.simd_gt(best);
            // By a maximum, on which the next block waits less than on a mask.
            best = height.max(best);
            from = higher.select(here, from);
            here += step;
        }
    }
    // Across lanes without a branch that is hard to foresee: the highest, and the lane that has it.
    let heights = best.as_slice();
    let mut top = [heights[0]; 4];
    for lane in 1..n {
        top[lane % 4] = above(heights[lane], top[lane % 4]);
    }
    let top = above(above(top[0], top[1]), above(top[2], top[3]));
    let mut wins = best.simd_eq(top).to_bitmask();
    let index = |lane: usize| from.as_slice()[lane % n] as usize + lane % n;
    let mut lowest = index(wins.trailing_zeros() as usize);
    wins &= wins.wrapping_sub(1);
    // Rarely, equal ones.
    while wins != 0 {
        lowest = lowest.min(index(wins.trailing_zeros() as usize));
        wins &= wins - 1;
    }
    lowest
}

/// The larger of two, the second where they are not numbers: one instruction.
#[inline(always)]
fn above(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
