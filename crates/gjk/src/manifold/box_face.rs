//! A box in the world, and the face of it that bears, its four corners in rows.
//!
//! Where it sits: `boxes.rs` asks it. Every operation is rounded once and none is fused, so that the bits are those of the search.

use super::cuboid::{CornerSigns, CuboidRing, EDGE_SIGNS, EdgeTilts, is_right_handed};
use super::faces::BearingPlane;
use super::measures::Measures;
use super::view::{View, larger};
use crate::math::triple::{Triple, dot, negative};
use crate::math::{Pose, Vector};
use crate::support::{Core, Form};
use fearless_simd::{Simd, f64x4, prelude::*};

/// A box in the world.
pub(super) struct BearingBox {
    /// Half of each edge.
    half: [Triple; 3],
    at: Triple,
    pub(super) largest: f64,
}

/// A face of a box that bears, its corners counter-clockwise seen against the normal of the contact.
pub(super) struct BoxFace<S: Simd> {
    pub(super) ids: [u32; 4],
    /// The same as its own body sees them, the lowest first.
    pub(super) ring: [u32; 4],
    /// A corner of it.
    anchor: Triple,
    pub(super) rows: [f64x4<S>; 3],
    /// The rows as numbers.
    pub(super) coordinates: [[f64; 4]; 3],
    /// The places across the normal of the contact.
    pub(super) flat: [f64x4<S>; 2],
    pub(super) places: [[f64; 4]; 2],
    normal: Triple,
    /// The rise of the normal along that of the contact.
    level: f64,
    pub(super) off: f64,
}

impl BearingBox {
    /// `None` where it is no box, has a radius or a pose that shears, or leaves the range of floats.
    #[inline(always)]
    pub(super) fn new<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Option<Self> {
        let Form::Cuboid(half) = core.form else {
            return None;
        };
        pose.uniform_scale()?;
        let [p, q, r] = half.to_f64();
        let columns = pose.columns();
        let (x, y, z) = (
            columns[0].to_f64(),
            columns[1].to_f64(),
            columns[2].to_f64(),
        );
        let half = [
            [x[0] * p, x[1] * p, x[2] * p],
            [y[0] * q, y[1] * q, y[2] * q],
            [z[0] * r, z[1] * r, z[2] * r],
        ];
        let at = pose.translation().to_f64();
        let mut largest = 0.0;
        for k in 0..3 {
            let (x, y, z) = (half[0][k].abs(), half[1][k].abs(), half[2][k].abs());
            largest = larger(largest, ((x + y) + z) + at[k].abs());
        }
        (largest.is_finite() && core.radius == 0.0).then_some(Self { half, at, largest })
    }

    /// Four corners, a row a coordinate, with the bits that the pose gives them.
    // No closure: it would not have the instructions that this is compiled for.
    #[inline(always)]
    fn corners<S: Simd>(&self, simd: S, signs: &CornerSigns) -> [f64x4<S>; 3] {
        [
            self.row(simd, signs, 0),
            self.row(simd, signs, 1),
            self.row(simd, signs, 2),
        ]
    }

    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, [x, y, z]: &CornerSigns, k: usize) -> f64x4<S> {
        let sums = f64x4::simd_from(simd, *x) * self.half[0][k]
            + f64x4::simd_from(simd, *y) * self.half[1][k];
        (sums + f64x4::simd_from(simd, *z) * self.half[2][k]) + self.at[k]
    }

    /// The edges as a direction sees them.
    #[inline(always)]
    fn tilts<S: Simd>(&self, simd: S, along: Triple) -> EdgeTilts {
        let [x, y, z] = self.corners(simd, &EDGE_SIGNS);
        let ([p, ..], [q, ..], [r, ..]): ([f64; 4], [f64; 4], [f64; 4]) =
            (x.into(), y.into(), z.into());
        let [x, y, z] = minus_point([x, y, z], [p, q, r]);
        let [_, rises @ ..]: [f64; 4] = dots(along, [x, y, z]).into();
        let [_, squares @ ..]: [f64; 4] = (x * x + y * y + z * z).into();
        EdgeTilts {
            rises,
            squares,
            is_right_handed: is_right_handed(&self.half),
        }
    }
}

/// On which side of the sides of a face the corners of another one clearly are, four bits a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideSigns {
    pub(super) inner: u32,
    pub(super) outer: u32,
}

/// The inner products of a direction and a row of points.
#[inline(always)]
pub(super) fn dots<S: Simd>(direction: Triple, rows: [f64x4<S>; 3]) -> f64x4<S> {
    rows[0] * direction[0] + rows[1] * direction[1] + rows[2] * direction[2]
}

#[inline(always)]
pub(super) fn minus_point<S: Simd>(rows: [f64x4<S>; 3], x: Triple) -> [f64x4<S>; 3] {
    [rows[0] - x[0], rows[1] - x[1], rows[2] - x[2]]
}

impl<S: Simd> BoxFace<S> {
    /// The face that bears, seen along the normal or from behind; `None` where it is not clear which it is.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        body: &BearingBox,
        view: &View,
        is_behind: bool,
        measures: &Measures,
    ) -> Option<Self> {
        let along = if is_behind {
            negative(view.along)
        } else {
            view.along
        };
        let face = body
            .tilts(simd, along)
            .face(measures.tangent, measures.band)?;
        let CuboidRing { ids, signs } = &face.seen[usize::from(is_behind)];
        let rows = body.corners(simd, signs);
        let coordinates: [[f64; 4]; 3] = [rows[0].into(), rows[1].into(), rows[2].into()];
        let [x, y, z] = &coordinates;
        let points = [
            [x[0], y[0], z[0]],
            [x[1], y[1], z[1]],
            [x[2], y[2], z[2]],
            [x[3], y[3], z[3]],
        ];
        let [p, q, r, s] = points;
        let plane = BearingPlane::through(if is_behind { [s, r, q] } else { [p, q, r] }, along)?;
        let from = minus_point(rows, view.origin);
        let flat = [dots(view.across[0], from), dots(view.across[1], from)];
        let heights: [f64; 4] = dots(plane.normal, minus_point(rows, plane.anchor))
            .abs()
            .into();
        let most = larger(
            larger(heights[0], heights[1]),
            larger(heights[2], heights[3]),
        );
        let level = dot(plane.normal, view.along);
        Some(Self {
            ids: *ids,
            ring: face.lowest_first,
            anchor: p,
            rows,
            coordinates,
            flat,
            places: [flat[0].into(), flat[1].into()],
            normal: plane.normal,
            level,
            off: most / level.abs(),
        })
    }

    /// Of each side, which corners of another face are clearly in and clearly out: four bits a side.
    #[inline(always)]
    pub(super) fn signs(&self, simd: S, other: &Self, band: f64) -> SideSigns {
        let [x, y] = self.flat;
        let (step_x, step_y) = (x.slide::<1>(x) - x, y.slide::<1>(y) - y);
        let reach = (step_x * step_x + step_y * step_y).sqrt() * band;
        let [step_x, step_y, reach]: [[f64; 4]; 3] = [step_x.into(), step_y.into(), reach.into()];
        let mut signs = SideSigns::default();
        for k in 0..4 {
            let heights = (other.flat[1] - self.places[1][k]) * step_x[k]
                - (other.flat[0] - self.places[0][k]) * step_y[k];
            let reach = f64x4::splat(simd, reach[k]);
            signs.inner |= (heights.simd_gt(reach).to_bitmask() as u32 & 0xf) << (4 * k);
            signs.outer |= ((-heights).simd_gt(reach).to_bitmask() as u32 & 0xf) << (4 * k);
        }
        signs
    }

    /// The points of the plane over or under those of another face, and how far they are from them along the normal of the contact.
    #[inline(always)]
    pub(super) fn lifted(&self, simd: S, other: &Self, along: Triple) -> ([f64x4<S>; 3], f64x4<S>) {
        let [x, y, z] = other.rows;
        let [p, q, r] = self.anchor;
        let apart = [
            f64x4::splat(simd, p) - x,
            f64x4::splat(simd, q) - y,
            f64x4::splat(simd, r) - z,
        ];
        let rise = dots(self.normal, apart) / self.level;
        let on = [
            x + rise * along[0],
            y + rise * along[1],
            z + rise * along[2],
        ];
        (on, dots(along, [on[0] - x, on[1] - y, on[2] - z]))
    }
}
