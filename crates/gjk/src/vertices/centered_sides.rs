//! The sides and corners of a small polygon about the center of its motion: which side another such polygon is farthest beyond, by how much, and whether a point is inside.
//!
//! Where it sits: beside `sides.rs`, of which it has the sides at the start of a motion; `motion/turning_polygons.rs` asks it, and derives the bound of all heights.
//! Idea: no body moves here. The other one is turned into the frame that this one had at the start, so that normals, heights and corners are made once a motion.

use super::scan::{LANES, Row};
use super::sides::{PosedSides, corners, dot, heights, load, lowest_along, normals, splat};
use fearless_simd::{Simd, f64x8, prelude::*};

/// A polygon at its pose, from a center on.
pub(crate) struct CenteredSides {
    /// Outer unit normals, but for rounding; lanes that are left over have none.
    normals: [Row; 2],
    /// How high the sides are over the center; of lanes that are left over infinite.
    heights: Row,
    /// Corners; lanes that are left over have the first ones again.
    corners: [Row; 2],
}

/// The lowest corner of a polygon along a direction.
#[derive(Clone, Copy)]
pub(crate) struct LeastHeight {
    pub(crate) height: f64,
    pub(crate) corner: usize,
}

// What follows is inlined into one function an instruction set, in `motion/turning_polygons.rs`, which is the only place where its instructions may be used.

#[inline(always)]
fn stored<S: Simd>(x: f64x8<S>) -> Row {
    let mut row = Row([0.0; LANES]);
    x.store_slice(&mut row.0);
    row
}

impl CenteredSides {
    /// A polygon of which the place is so far from the center.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, body: &PosedSides<'_>, place: [f64; 2]) -> Self {
        let (long, place) = (normals(simd, body), splat(simd, place));
        // Lanes that are left over have the length zero.
        let square = dot(&long, &long).max(f64x8::splat(simd, f64::MIN_POSITIVE));
        let per_length = f64x8::splat(simd, 1.0) / square.sqrt();
        let unit = [long[0] * per_length, long[1] * per_length];
        let over_place = heights(simd, body) * per_length;
        let [x, y] = corners(simd, body);
        Self {
            heights: stored(over_place + dot(&unit, &place)),
            normals: [stored(unit[0]), stored(unit[1])],
            corners: [stored(x + place[0]), stored(y + place[1])],
        }
    }

    /// The outer unit normal of a side, and how high it is over the center.
    #[inline(always)]
    pub(crate) fn side(&self, side: usize) -> ([f64; 2], f64) {
        let [x, y] = &self.normals;
        let lane = side % LANES;
        ([x.0[lane], y.0[lane]], self.heights.0[lane])
    }

    /// A corner, from the center.
    #[inline(always)]
    pub(crate) fn corner(&self, corner: usize) -> [f64; 2] {
        let [x, y] = &self.corners;
        [x.0[corner % LANES], y.0[corner % LANES]]
    }

    /// The lowest corner along a direction.
    #[inline(always)]
    pub(crate) fn lowest<S: Simd>(&self, simd: S, direction: [f64; 2]) -> LeastHeight {
        let heights = dot(&load(simd, &self.corners), &splat(simd, direction));
        let height = simd.reduce_min_f64x8(heights);
        let equal = heights.simd_eq(f64x8::splat(simd, height));
        LeastHeight {
            height,
            corner: equal.to_bitmask().trailing_zeros() as usize % LANES,
        }
    }

    /// The side that another polygon is farthest beyond, and by how much. The other one is turned by the matrix of these columns about its center, which is so far from this one.
    #[inline(always)]
    pub(crate) fn widest<S: Simd>(
        &self,
        simd: S,
        other: &Self,
        [p, q]: [[f64; 2]; 2],
        way: [f64; 2],
    ) -> (f64, usize) {
        let (normals, place) = (load(simd, &self.normals), splat(simd, way));
        let arms = load(simd, &other.corners);
        let rows = [splat(simd, [p[0], q[0]]), splat(simd, [p[1], q[1]])];
        let [x, y] = [
            dot(&rows[0], &arms) + place[0],
            dot(&rows[1], &arms) + place[1],
        ];
        let gaps = lowest_along(simd, &normals, &[x, y]) - f64x8::from_slice(simd, &self.heights.0);
        let gap = simd.reduce_max_f64x8(gaps);
        let equal = gaps.simd_eq(f64x8::splat(simd, gap));
        (gap, equal.to_bitmask().trailing_zeros() as usize % LANES)
    }

    /// How far a point is beyond the side that it is farthest beyond; negative inside.
    #[inline(always)]
    pub(crate) fn beyond<S: Simd>(&self, simd: S, point: [f64; 2]) -> f64 {
        let over = dot(&load(simd, &self.normals), &splat(simd, point));
        simd.reduce_max_f64x8(over - f64x8::from_slice(simd, &self.heights.0))
    }
}
