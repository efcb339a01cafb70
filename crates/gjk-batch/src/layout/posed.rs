//! Posed bodies in `f64` lanes: maps and translations, half edges of boxes, cores of round bodies, rotated vertices.

use super::lane_bodies::LaneBodies;
use super::poses::{CacheLine, LanePoses, NORM_PLANE};
use super::shapes::{LANE_VERTICES, LaneShapes};
use super::transpose::{columns, products, transposed};
use super::world::WorldView;
use crate::rounding::LANES_SIZE_RANGE;
use crate::simd::{F64s, LANES_MAX, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// A posed body a lane: the columns of its map and its translation.
#[derive(Clone, Copy)]
pub(crate) struct PosedLanes<S: Simd> {
    pub(crate) columns: [Vec3s<S>; 3],
    pub(crate) translation: Vec3s<S>,
    /// At least `Σ |L_ik|·extent_k`, which bounds the coordinate sums of `L·x`.
    pub(crate) size: F64s<S>,
}

impl<S: Simd> PosedLanes<S> {
    /// Bodies of the plane or of space.
    #[inline(always)]
    pub(crate) fn load<const PLANAR: bool>(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &LaneBodies,
    ) -> Self {
        if PLANAR {
            Self::load_planar(simd, shapes, poses, group)
        } else {
            Self::load_spatial(simd, shapes, poses, group)
        }
    }

    /// Every third component is a zero that the compiler knows.
    #[inline(always)]
    pub(crate) fn load_planar(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &LaneBodies,
    ) -> Self {
        let zero = F64s::<S>::splat(simd, 0.0);
        let reach = |lane: usize| &shapes.reaches[group.shape(lane)].0;
        let (a, b, c, d, e, f, size);
        if !poses.rows_only && group.poses_have_stride2::<S>() {
            let tile = poses.f64_tiles.from(group.0[0].pose);
            let column = |k: usize| F64s::<S>::from_slice(simd, tile.stride2(k, F64s::<S>::LEN));
            let reaches = columns::<S, F64s<S>, 8>(simd, reach);
            (a, b, c, d) = (column(0), column(1), column(2), column(3));
            (e, f) = (column(4), column(5));
            size = column(NORM_PLANE) * reaches[NORM_PLANE];
        } else {
            let rows = |lane: usize| [&poses.rows[group.pose(lane)][0].0, reach(lane)];
            [a, b, c, d, e, f, size, _] = products(simd, rows);
        }
        let flat = |x: F64s<S>, y: F64s<S>| Vec3s { x, y, z: zero };
        Self {
            columns: [flat(a, b), flat(c, d), flat(zero, zero)],
            translation: flat(e, f),
            size,
        }
    }

    #[inline(always)]
    fn load_spatial(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &LaneBodies) -> Self {
        let row = |lane: usize| {
            [
                &poses.rows[group.pose(lane)][1].0,
                &shapes.reaches[group.shape(lane)].0,
            ]
        };
        let [a, b, c, d, e, f, g, h] = columns(simd, |lane| &poses.rows[group.pose(lane)][0].0);
        let [i, u, v, w, size, ..] = products(simd, row);
        let columns = [
            Vec3s { x: a, y: b, z: c },
            Vec3s { x: d, y: e, z: f },
            Vec3s { x: g, y: h, z: i },
        ];
        Self {
            columns,
            translation: Vec3s { x: u, y: v, z: w },
            size,
        }
    }

    /// Boxes: the columns are half edges.
    #[inline(always)]
    pub(crate) fn load_boxes(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &LaneBodies,
    ) -> Self {
        let factors = |lane: usize, part: usize| &shapes.factors[group.shape(lane)][part].0;
        let (a, b, c, d, e, f, g, h, i, u, v, w);
        if !poses.rows_only && group.poses_have_stride2::<S>() {
            let [x, _, _, y, _, _, z, _] = columns::<S, F64s<S>, 8>(simd, |lane| factors(lane, 0));
            let run = poses.f64_tiles.from(group.0[0].pose);
            let column = |k: usize| F64s::<S>::from_slice(simd, run.stride2(k, F64s::<S>::LEN));
            [a, b, c] = [column(0) * x, column(1) * x, column(2) * x];
            [d, e, f] = [column(3) * y, column(4) * y, column(5) * y];
            [g, h, i] = [column(6) * z, column(7) * z, column(8) * z];
            [u, v, w] = [column(9), column(10), column(11)];
        } else {
            let row = |lane: usize, part: usize| {
                [&poses.rows[group.pose(lane)][part].0, factors(lane, part)]
            };
            [a, b, c, d, e, f, g, h] = products(simd, |lane| row(lane, 0));
            [i, u, v, w, ..] = products(simd, |lane| row(lane, 1));
        }
        let columns = [
            Vec3s { x: a, y: b, z: c },
            Vec3s { x: d, y: e, z: f },
            Vec3s { x: g, y: h, z: i },
        ];
        let size = columns[0].sum_abs() + columns[1].sum_abs() + columns[2].sum_abs();
        Self {
            columns,
            translation: Vec3s { x: u, y: v, z: w },
            size,
        }
    }
}

/// What rounding bounds are measured in.
#[derive(Clone, Copy)]
pub(crate) struct PairSizes<S: Simd> {
    /// `t_b − t_a`.
    pub(crate) between: Vec3s<S>,
    /// Coordinate sums of both bodies about their centres.
    pub(crate) shapes: F64s<S>,
    /// The same with that of `between`: no difference of the bodies is larger.
    pub(crate) all: F64s<S>,
    /// Coordinate sums of both translations.
    pub(crate) place: F64s<S>,
}

impl<S: Simd> PairSizes<S> {
    /// Of bodies at these translations, whose own sizes are `shapes` in all.
    #[inline(always)]
    pub(crate) fn of(shapes: F64s<S>, at_a: Vec3s<S>, at_b: Vec3s<S>) -> Self {
        let between = at_b.minus(at_a);
        Self {
            between,
            shapes,
            all: shapes + between.sum_abs(),
            place: at_a.sum_abs() + at_b.sum_abs(),
        }
    }

    /// Lanes in the range where no product of a kernel leaves that of normal numbers; NaN is not.
    #[inline(always)]
    pub(crate) fn usable(&self) -> Mask<S> {
        self.all.simd_gt(LANES_SIZE_RANGE[0])
            & self.all.simd_lt(LANES_SIZE_RANGE[1])
            & self.place.simd_lt(LANES_SIZE_RANGE[1])
    }
}

/// The core of a round body, or a box, a lane: a centre and up to three generators, `t + Σ sₖgₖ` with `|sₖ| ≤ 1`.
#[derive(Clone, Copy)]
pub(crate) struct CoreLanes<S: Simd, const N: usize> {
    pub(crate) generators: [Vec3s<S>; N],
    pub(crate) translation: Vec3s<S>,
    /// In the world; NaN where the map does not keep balls round.
    pub(crate) radius: F64s<S>,
    /// The sum of the generators' coordinates.
    pub(crate) size: F64s<S>,
}

impl<S: Simd, const N: usize> CoreLanes<S, N> {
    #[inline(always)]
    pub(crate) fn load(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &LaneBodies,
    ) -> Self {
        let row = |lane: usize, part: usize| {
            [
                &poses.rows[group.pose(lane)][part].0,
                &shapes.factors[group.shape(lane)][part].0,
            ]
        };
        let zero = F64s::<S>::splat(simd, 0.0);
        let [i, u, v, w, _, scaled, radius, _] = products(simd, |lane| row(lane, 1));
        let mut generators = [Vec3s::splat(simd, 0.0); N];
        if N > 0 {
            let [a, b, c, d, e, f, g, h] = products(simd, |lane| row(lane, 0));
            let columns = [
                Vec3s { x: a, y: b, z: c },
                Vec3s { x: d, y: e, z: f },
                Vec3s { x: g, y: h, z: i },
            ];
            if N == 3 {
                for (k, column) in columns.iter().enumerate() {
                    generators[k] = *column;
                }
            } else {
                // Two of them are zero.
                generators[0] = columns[0].plus(columns[1]).plus(columns[2]);
            }
        }
        let mut size = zero;
        for generator in &generators {
            size += generator.sum_abs();
        }
        // What has no radius needs no scale.
        let radius = radius.simd_eq(zero).select(zero, scaled);
        Self {
            generators,
            translation: Vec3s { x: u, y: v, z: w },
            radius,
            size,
        }
    }

    /// The core's point of these parts of the generators, without the translation.
    #[inline(always)]
    pub(crate) fn at(&self, simd: S, parts: &[F64s<S>; N]) -> Vec3s<S> {
        let mut sum = Vec3s::splat(simd, 0.0);
        for (generator, &part) in self.generators.iter().zip(parts) {
            sum = sum.plus(generator.times(part));
        }
        sum
    }
}

/// The vertices of a hull a lane, rotated by its pose's map, without the translation: every vertex' x, y and z.
///
/// Each lane's row of vertices is rotated before rows become columns: one transpose a coordinate, and none of the map.
#[inline(always)]
pub(crate) fn rotated_vertices<S: Simd, const PLANAR: bool>(
    simd: S,
    view: WorldView<'_>,
    group: &LaneBodies,
) -> [[F64s<S>; LANE_VERTICES]; 3] {
    let n = F64s::<S>::LEN.min(LANES_MAX);
    let parts = LANE_VERTICES / n;
    let mut rows = [[F64s::<S>::splat(simd, 0.0); LANE_VERTICES]; 3];
    for lane in 0..n {
        let first = view.shapes.rows[group.shape(lane)].first as usize;
        let [CacheLine(x), CacheLine(y), CacheLine(z)] = &view.shapes.corners[first];
        let [CacheLine(l), CacheLine(rest)] = &view.poses.rows[group.pose(lane)];
        let (planar, spatial) = ([l[0], l[1], l[2], l[3]], [l[4], l[5], l[6], l[7], rest[0]]);
        for part in 0..parts {
            let range = part * n..(part + 1) * n;
            let (at, x) = (
                lane * parts + part,
                F64s::<S>::from_slice(simd, &x[range.clone()]),
            );
            let (y, z) = (
                F64s::<S>::from_slice(simd, &y[range.clone()]),
                F64s::<S>::from_slice(simd, &z[range]),
            );
            if PLANAR {
                rows[0][at] = x * planar[0] + y * planar[2];
                rows[1][at] = x * planar[1] + y * planar[3];
            } else {
                rows[0][at] = x * planar[0] + y * planar[3] + z * spatial[2];
                rows[1][at] = x * planar[1] + y * spatial[0] + z * spatial[3];
                rows[2][at] = x * planar[2] + y * spatial[1] + z * spatial[4];
            }
        }
    }
    let z = if PLANAR { rows[2] } else { transposed(rows[2]) };
    [transposed(rows[0]), transposed(rows[1]), z]
}

/// The same of polygons of at most four vertices, from one row a lane that is rotated once it is columns.
#[inline(always)]
pub(crate) fn rotated_quads<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    group: &LaneBodies,
    placed: &PosedLanes<S>,
) -> [Vec3s<S>; 4] {
    let [c0, c1, none] = placed.columns;
    let row =
        |lane: usize| &view.shapes.corners[view.shapes.rows[group.shape(lane)].first as usize][2].0;
    let all = columns::<S, F64s<S>, LANE_VERTICES>(simd, row);
    let mut rotated = [none; 4];
    for k in 0..4 {
        let (x, y) = (all[k], all[4 + k]);
        rotated[k] = Vec3s {
            x: x * c0.x + y * c1.x,
            y: x * c0.y + y * c1.y,
            z: none.z,
        };
    }
    rotated
}
