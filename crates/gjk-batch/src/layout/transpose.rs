//! Lanes from rows: each lane's body is a row of memory, and rows become columns in registers.
//!
//! Pairs name poses in any order. A load a number and lane would be some thirty scalar loads and stores a body, and a wide load of
//! what was just stored lane by lane waits for all those stores. Here a body's row is loaded whole, and [`columns`] turns
//! as many rows as there are lanes with shuffles alone. Boxes whose poses follow each other are loaded as columns from the start:
//! see `pages.rs`.

use crate::layout::shapes::{
    Body, Kind, LANE_VERTICES, LanePoses, LaneShapes, Line, NORM_PLANE, Pair, View,
};
use crate::simd::{LANES_MAX, V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// Most `f32` lanes of any target.
pub(crate) const NARROW_MAX: usize = 16;

/// One perfect shuffle of `N` vectors as one array: the first half's elements go between the second half's.
///
/// With `(i, j)` the bits of a row and a column, an element's address `ij` is turned left by one bit. After as many shuffles
/// as `i` has bits it is `ji`: the transpose.
#[inline(always)]
fn shuffle<S: Simd, F: SimdFloat<S>, const N: usize>(vectors: &[F; N]) -> [F; N] {
    let mut shuffled = *vectors;
    for i in 0..N / 2 {
        (shuffled[2 * i], shuffled[2 * i + 1]) = vectors[i].interleave(vectors[i + N / 2]);
    }
    shuffled
}

/// The columns of the rows that `row` has for the lanes; a row is not shorter than a vector.
#[inline(always)]
pub(crate) fn columns<'r, S, F, const N: usize>(
    simd: S,
    row: impl Fn(usize) -> &'r [F::Element; N],
) -> [F; N]
where
    S: Simd,
    F: SimdFloat<S>,
    F::Element: 'r,
{
    let mut vectors = [F::splat(simd, F::Element::from(0i8)); N];
    let parts = N / F::LEN;
    for lane in 0..F::LEN {
        let row = row(lane);
        for part in 0..parts {
            vectors[lane * parts + part] =
                F::from_slice(simd, &row[part * F::LEN..(part + 1) * F::LEN]);
        }
    }
    turned(vectors)
}

/// The columns of the products, entry by entry, of two rows a lane.
#[inline(always)]
fn products<'r, S: Simd>(simd: S, rows: impl Fn(usize) -> [&'r [f64; 8]; 2]) -> [Wide<S>; 8] {
    let mut vectors = [Wide::<S>::splat(simd, 0.0); 8];
    let parts = 8 / Wide::<S>::LEN;
    for lane in 0..Wide::<S>::LEN {
        let rows = rows(lane);
        for part in 0..parts {
            let range = part * Wide::<S>::LEN..(part + 1) * Wide::<S>::LEN;
            let a = Wide::<S>::from_slice(simd, &rows[0][range.clone()]);
            vectors[lane * parts + part] = a * Wide::<S>::from_slice(simd, &rows[1][range]);
        }
    }
    turned(vectors)
}

/// The transpose of as many rows as there are lanes.
#[inline(always)]
fn turned<S: Simd, F: SimdFloat<S>, const N: usize>(mut vectors: [F; N]) -> [F; N] {
    let mut rows = 1;
    while rows < F::LEN {
        vectors = shuffle(&vectors);
        rows *= 2;
    }
    vectors
}

/// One body of every lane of a group; lanes that are left over repeat the last pair.
#[derive(Clone, Copy)]
pub(crate) struct Group<const N: usize = LANES_MAX>([Body; N]);

impl<const N: usize> Group<N> {
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
        kinds: &[Kind],
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

    /// Whether the lanes' poses are every second one: see `pages.rs`.
    #[inline(always)]
    fn second<S: Simd>(&self) -> bool {
        let (first, mut off) = (self.0[0].pose, 0);
        for lane in 0..Wide::<S>::LEN.min(N) {
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

/// One body of up to [`CRATES`] pairs: what does not need the width of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// Half extents, four numbers a pair.
    half: [f32; 4 * CRATES],
    /// Poses; not filled where all are `step` apart.
    pose: [u32; CRATES],
    first: u32,
    /// From each pair's pose to the next pair's, if it is the same for all; otherwise [`ANY`].
    step: u32,
}

/// Poses in no order.
const ANY: u32 = u32::MAX;

/// Pairs whose bodies are looked up before lanes load them: a wide load of what was just stored piece by piece waits, and these
/// are stored long enough before.
pub(crate) const CRATES: usize = 64;

impl Places {
    pub(crate) const NONE: Self = Self {
        half: [0.0; 4 * CRATES],
        pose: [0; CRATES],
        first: 0,
        step: ANY,
    };

    /// Bodies A and B of pairs, at most [`CRATES`]; of places that are left over any.
    #[inline(always)]
    pub(crate) fn look_up(sides: &mut [Self; 2], shapes: &LaneShapes, pairs: &[Pair]) {
        let [a, b] = sides;
        a.steps(pairs, |pair| pair.a.pose);
        b.steps(pairs, |pair| pair.b.pose);
        let (rows_a, _) = a.half.as_chunks_mut::<4>();
        let (rows_b, _) = b.half.as_chunks_mut::<4>();
        for ((pair, row_a), row_b) in pairs.iter().zip(&mut *rows_a).zip(&mut *rows_b) {
            *row_a = shapes.half[pair.a.shape as usize];
            *row_b = shapes.half[pair.b.shape as usize];
        }
    }

    #[inline(always)]
    fn steps(&mut self, pairs: &[Pair], pose: impl Fn(&Pair) -> u32) {
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
        if !(1..=2).contains(&self.step) {
            self.step = ANY;
            // Places that are left over name a pose that there is.
            self.pose = [self.first; CRATES];
            for (slot, pair) in self.pose.iter_mut().zip(pairs) {
                *slot = pose(pair);
            }
        }
    }

    /// Whether lanes of both sides are pieces of memory: see `pages.rs`.
    #[inline(always)]
    pub(crate) fn second(sides: &[Self; 2]) -> bool {
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
pub(crate) struct Crate<S: Simd> {
    pub(crate) half: [S::f32s; 3],
    /// The rotation by columns, the translation's high and low part, and the bound of the columns' error.
    pub(crate) pose: [S::f32s; 16],
}

impl<S: Simd> Crate<S> {
    /// The bodies of a side's pairs from place `from` on. `SECOND`: every second pose, as [`Places::second`] says.
    #[inline(always)]
    pub(crate) fn load<const SECOND: bool>(
        simd: S,
        poses: &LanePoses,
        side: &Places,
        from: usize,
    ) -> Self {
        let lanes = S::f32s::LEN;
        let mut pose = [S::f32s::splat(simd, 0.0); 16];
        if SECOND || side.step != ANY {
            let run = poses.pages.from(side.first + side.step * from as u32);
            for (k, column) in pose.iter_mut().enumerate() {
                *column = if SECOND || side.step == 2 {
                    S::f32s::from_slice(simd, run.second(k, lanes))
                } else {
                    let [near, far] = run.each(k, lanes);
                    S::f32s::from_slice(simd, near).zip_low(S::f32s::from_slice(simd, far))
                };
            }
        } else {
            pose = columns(simd, |lane| {
                &poses.rotations[side.pose[from + lane] as usize].0
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

/// The first three columns of rows of four.
#[inline(always)]
fn thirds<S: Simd>(simd: S, rows: &[f32]) -> [S::f32s; 3] {
    let n = S::f32s::LEN;
    let part = |k: usize| &rows[k * n..(k + 1) * n];
    let (v0, v1) = (
        S::f32s::from_slice(simd, part(0)),
        S::f32s::from_slice(simd, part(1)),
    );
    let (v2, v3) = (
        S::f32s::from_slice(simd, part(2)),
        S::f32s::from_slice(simd, part(3)),
    );
    let (even, last) = (v0.unzip_low(v1), v2.unzip_low(v3));
    let odd = v0.unzip_high(v1).unzip_low(v2.unzip_high(v3));
    [even.unzip_low(last), odd, even.unzip_high(last)]
}

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
