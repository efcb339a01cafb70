//! Support points of hulls of any number of vertices, in lanes: the direction is turned for all lanes at once, then each
//! lane's hull is searched for itself.
//!
//! Where it sits: `walk.rs` asks [`Scanned`] for pairs of which one has more than eight vertices. Read [`Scanned::farthest`], then
//! [`scan`].
//! Hulls of up to [`SCAN_MAX`] vertices are scanned here, as many vertices an operation as there are lanes; larger ones are climbed
//! by `gjk`'s own search, from the vertex of the step before. A scan in `f32` that only the last steps do again in `f64` was
//! measured: it gains a tenth at 128 and 512 vertices, where memory limits, and loses as much at 32.
//!
//! What rounding costs here beyond what `walk.rs` counts: heights are taken in the body's own frame, `(Lᵀd)·x`. `Lᵀd` errs by `3u·Σ_i
//! |L_ik d_i|` an entry and the height by `3u` of its products: `6u·shapes·|d|` instead of `3u`, chosen and true together `12u`
//! instead of `6u`. [`Corners::CHOICE`] is the difference, rounded up.
//!
//! Of several vertices that compute equally high the lowest id wins, at every width.

use crate::layout::lane_bodies::Group;
use crate::layout::posed::Placed;
use crate::layout::poses::Line;
use crate::layout::shapes::{LANE_VERTICES, SCAN_MAX};
use crate::layout::world::{Hulls, View};
use crate::loops::support::Corners;
use crate::rounding::U;
use crate::simd::{LANES_MAX, V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// Eight vertices: their x, y and z.
type Block = [Line<[f64; LANE_VERTICES]>; 3];

/// A hull a lane.
pub(crate) struct Scanned<'v, S: Simd, const PLANAR: bool> {
    columns: [V3<S>; 3],
    center: V3<S>,
    /// The vertices; none of a hull that is climbed.
    blocks: [&'v [Block]; LANES_MAX],
    hulls: &'v dyn Hulls,
    shape: [u32; LANES_MAX],
    /// The last support vertices, and their coordinates.
    id: [u32; LANES_MAX],
    found: [[f64; LANES_MAX]; 3],
}

impl<'v, S: Simd, const PLANAR: bool> Scanned<'v, S, PLANAR> {
    /// The hulls of a group.
    #[inline(always)]
    pub(crate) fn of(view: View<'v>, group: &Group, placed: &Placed<S>) -> Self {
        let (mut shape, mut blocks) = ([0; LANES_MAX], [&[][..]; LANES_MAX]);
        for lane in 0..Wide::<S>::LEN.min(LANES_MAX) {
            let outline = &view.shapes.outlines[group.shape(lane)];
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

impl<S: Simd, const PLANAR: bool> Corners<S> for Scanned<'_, S, PLANAR> {
    const CHOICE: f64 = 6.5 * U;

    #[inline(always)]
    fn farthest(&mut self, simd: S, direction: V3<S>, lanes: u64) -> V3<S> {
        let [c0, c1, c2] = self.columns;
        let local: V3<S> = if PLANAR {
            let (x, y) = (
                c0.x * direction.x + c0.y * direction.y,
                c1.x * direction.x + c1.y * direction.y,
            );
            V3 { x, y, z: c2.z }
        } else {
            V3 {
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
        let n = Wide::<S>::LEN;
        let (x, y) = (
            Wide::<S>::from_slice(simd, &x[..n]),
            Wide::<S>::from_slice(simd, &y[..n]),
        );
        let turned = if PLANAR {
            V3 {
                x: c0.x * x + c1.x * y,
                y: c0.y * x + c1.y * y,
                z: c2.z,
            }
        } else {
            c0.times(x)
                .plus(c1.times(y))
                .plus(c2.times(Wide::<S>::from_slice(simd, &z[..n])))
        };
        turned.plus(self.center)
    }
}

impl<S: Simd, const PLANAR: bool> Scanned<'_, S, PLANAR> {
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
fn scan<S: Simd, const PLANAR: bool>(simd: S, blocks: &[Block], toward: [f64; 3]) -> usize {
    let n = Wide::<S>::LEN.min(LANE_VERTICES);
    let (dx, dy) = (
        Wide::<S>::splat(simd, toward[0]),
        Wide::<S>::splat(simd, toward[1]),
    );
    let dz = Wide::<S>::splat(simd, toward[2]);
    let (mut best, mut from) = (
        Wide::<S>::splat(simd, f64::NEG_INFINITY),
        Wide::<S>::splat(simd, 0.0),
    );
    let (mut here, step) = (from, Wide::<S>::splat(simd, n as f64));
    for [x, y, z] in blocks {
        for part in 0..LANE_VERTICES / n {
            let range = part * n..(part + 1) * n;
            let mut height = Wide::<S>::from_slice(simd, &x.0[range.clone()]) * dx
                + Wide::<S>::from_slice(simd, &y.0[range.clone()]) * dy;
            if !PLANAR {
                height += Wide::<S>::from_slice(simd, &z.0[range]) * dz;
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
