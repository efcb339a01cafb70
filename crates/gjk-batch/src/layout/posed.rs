//! Posed bodies in `f64` lanes: maps and translations, half edges of boxes, cores of round bodies, rotated vertices.

use super::lane_bodies::Group;
use super::poses::{LanePoses, Line, NORM_PLANE};
use super::shapes::{LANE_VERTICES, LaneShapes};
use super::transpose::{columns, products, turned};
use super::world::View;
use crate::rounding::SIZES;
use crate::simd::{LANES_MAX, Mask, V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// A posed body a lane: the columns of its map and its translation.
#[derive(Clone, Copy)]
pub(crate) struct Placed<S: Simd> {
    pub(crate) columns: [V3<S>; 3],
    pub(crate) translation: V3<S>,
    /// At least `Σ |L_ik|·extent_k`, which bounds the coordinate sums of `L·x`.
    pub(crate) size: Wide<S>,
}

impl<S: Simd> Placed<S> {
    /// In the plane every third component is a zero that the compiler knows.
    #[inline(always)]
    pub(crate) fn load<const PLANAR: bool>(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &Group,
    ) -> Self {
        let zero = Wide::<S>::splat(simd, 0.0);
        let row = |lane: usize, part: usize| {
            [
                &poses.wide[group.pose(lane)][part].0,
                &shapes.reaches[group.shape(lane)].0,
            ]
        };
        if PLANAR {
            let (a, b, c, d, e, f, size);
            if group.second::<S>() {
                let run = poses.wide_pages.from(group.0[0].pose);
                let column = |k: usize| Wide::<S>::from_slice(simd, run.second(k, Wide::<S>::LEN));
                let reaches =
                    columns::<S, Wide<S>, 8>(simd, |lane| &shapes.reaches[group.shape(lane)].0);
                (a, b, c, d) = (column(0), column(1), column(2), column(3));
                (e, f, size) = (
                    column(4),
                    column(5),
                    column(NORM_PLANE) * reaches[NORM_PLANE],
                );
            } else {
                [a, b, c, d, e, f, size, _] = products(simd, |lane| row(lane, 0));
            }
            let columns = [
                V3 {
                    x: a,
                    y: b,
                    z: zero,
                },
                V3 {
                    x: c,
                    y: d,
                    z: zero,
                },
                V3 {
                    x: zero,
                    y: zero,
                    z: zero,
                },
            ];
            return Self {
                columns,
                translation: V3 {
                    x: e,
                    y: f,
                    z: zero,
                },
                size,
            };
        }
        let [a, b, c, d, e, f, g, h] = columns(simd, |lane| &poses.wide[group.pose(lane)][0].0);
        let [i, u, v, w, size, ..] = products(simd, |lane| row(lane, 1));
        let columns = [
            V3 { x: a, y: b, z: c },
            V3 { x: d, y: e, z: f },
            V3 { x: g, y: h, z: i },
        ];
        Self {
            columns,
            translation: V3 { x: u, y: v, z: w },
            size,
        }
    }

    /// Boxes: the columns are half edges.
    #[inline(always)]
    pub(crate) fn load_boxes(
        simd: S,
        shapes: &LaneShapes,
        poses: &LanePoses,
        group: &Group,
    ) -> Self {
        let factors = |lane: usize, part: usize| &shapes.factors[group.shape(lane)][part].0;
        let (a, b, c, d, e, f, g, h, i, u, v, w);
        if group.second::<S>() {
            let [x, _, _, y, _, _, z, _] = columns::<S, Wide<S>, 8>(simd, |lane| factors(lane, 0));
            let run = poses.wide_pages.from(group.0[0].pose);
            let column = |k: usize| Wide::<S>::from_slice(simd, run.second(k, Wide::<S>::LEN));
            [a, b, c] = [column(0) * x, column(1) * x, column(2) * x];
            [d, e, f] = [column(3) * y, column(4) * y, column(5) * y];
            [g, h, i] = [column(6) * z, column(7) * z, column(8) * z];
            [u, v, w] = [column(9), column(10), column(11)];
        } else {
            let row = |lane: usize, part: usize| {
                [&poses.wide[group.pose(lane)][part].0, factors(lane, part)]
            };
            [a, b, c, d, e, f, g, h] = products(simd, |lane| row(lane, 0));
            [i, u, v, w, ..] = products(simd, |lane| row(lane, 1));
        }
        let columns = [
            V3 { x: a, y: b, z: c },
            V3 { x: d, y: e, z: f },
            V3 { x: g, y: h, z: i },
        ];
        let size = columns[0].sum_abs() + columns[1].sum_abs() + columns[2].sum_abs();
        Self {
            columns,
            translation: V3 { x: u, y: v, z: w },
            size,
        }
    }
}

/// What rounding bounds are measured in.
#[derive(Clone, Copy)]
pub(crate) struct PairSizes<S: Simd> {
    /// `t_b − t_a`.
    pub(crate) between: V3<S>,
    /// Coordinate sums of both bodies about their centres.
    pub(crate) shapes: Wide<S>,
    /// The same with that of `between`: no difference of the bodies is larger.
    pub(crate) all: Wide<S>,
    /// Coordinate sums of both translations.
    pub(crate) place: Wide<S>,
}

impl<S: Simd> PairSizes<S> {
    /// Of bodies at these translations, whose own sizes are `shapes` in all.
    #[inline(always)]
    pub(crate) fn of(shapes: Wide<S>, at_a: V3<S>, at_b: V3<S>) -> Self {
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
        self.all.simd_gt(SIZES[0]) & self.all.simd_lt(SIZES[1]) & self.place.simd_lt(SIZES[1])
    }
}

/// The core of a round body, or a box, a lane: a centre and up to three generators, `t + Σ sₖgₖ` with `|sₖ| ≤ 1`.
#[derive(Clone, Copy)]
pub(crate) struct Core<S: Simd, const N: usize> {
    pub(crate) generators: [V3<S>; N],
    pub(crate) translation: V3<S>,
    /// In the world; NaN where the map does not keep balls round.
    pub(crate) radius: Wide<S>,
    /// The sum of the generators' coordinates.
    pub(crate) size: Wide<S>,
}

impl<S: Simd, const N: usize> Core<S, N> {
    #[inline(always)]
    pub(crate) fn load(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &Group) -> Self {
        let row = |lane: usize, part: usize| {
            [
                &poses.wide[group.pose(lane)][part].0,
                &shapes.factors[group.shape(lane)][part].0,
            ]
        };
        let zero = Wide::<S>::splat(simd, 0.0);
        let [i, u, v, w, _, scaled, radius, _] = products(simd, |lane| row(lane, 1));
        let mut generators = [V3::splat(simd, 0.0); N];
        if N > 0 {
            let [a, b, c, d, e, f, g, h] = products(simd, |lane| row(lane, 0));
            let columns = [
                V3 { x: a, y: b, z: c },
                V3 { x: d, y: e, z: f },
                V3 { x: g, y: h, z: i },
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
            translation: V3 { x: u, y: v, z: w },
            radius,
            size,
        }
    }

    /// The core's point of these parts of the generators, without the translation.
    #[inline(always)]
    pub(crate) fn at(&self, simd: S, parts: &[Wide<S>; N]) -> V3<S> {
        let mut sum = V3::splat(simd, 0.0);
        for (generator, &part) in self.generators.iter().zip(parts) {
            sum = sum.plus(generator.times(part));
        }
        sum
    }
}

/// The vertices of a hull a lane, turned by its pose's map, without the translation: every vertex' x, y and z.
///
/// Each lane's row of vertices is turned before rows become columns: one transpose a coordinate, and none of the map.
#[inline(always)]
pub(crate) fn turned_corners<S: Simd, const PLANAR: bool>(
    simd: S,
    view: View<'_>,
    group: &Group,
) -> [[Wide<S>; LANE_VERTICES]; 3] {
    let n = Wide::<S>::LEN.min(LANES_MAX);
    let parts = LANE_VERTICES / n;
    let mut rows = [[Wide::<S>::splat(simd, 0.0); LANE_VERTICES]; 3];
    for lane in 0..n {
        let first = view.shapes.outlines[group.shape(lane)].first as usize;
        let [Line(x), Line(y), Line(z)] = &view.shapes.corners[first];
        let [Line(l), Line(rest)] = &view.poses.wide[group.pose(lane)];
        let (planar, spatial) = ([l[0], l[1], l[2], l[3]], [l[4], l[5], l[6], l[7], rest[0]]);
        for part in 0..parts {
            let range = part * n..(part + 1) * n;
            let (at, x) = (
                lane * parts + part,
                Wide::<S>::from_slice(simd, &x[range.clone()]),
            );
            let (y, z) = (
                Wide::<S>::from_slice(simd, &y[range.clone()]),
                Wide::<S>::from_slice(simd, &z[range]),
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
    let z = if PLANAR { rows[2] } else { turned(rows[2]) };
    [turned(rows[0]), turned(rows[1]), z]
}

/// The same of polygons of at most four vertices, from one row a lane that is turned once it is columns.
#[inline(always)]
pub(crate) fn turned_fours<S: Simd>(
    simd: S,
    view: View<'_>,
    group: &Group,
    placed: &Placed<S>,
) -> [V3<S>; 4] {
    let [c0, c1, none] = placed.columns;
    let row = |lane: usize| {
        &view.shapes.corners[view.shapes.outlines[group.shape(lane)].first as usize][2].0
    };
    let all = columns::<S, Wide<S>, LANE_VERTICES>(simd, row);
    let mut turned = [none; 4];
    for k in 0..4 {
        let (x, y) = (all[k], all[4 + k]);
        turned[k] = V3 {
            x: x * c0.x + y * c1.x,
            y: x * c0.y + y * c1.y,
            z: none.z,
        };
    }
    turned
}
