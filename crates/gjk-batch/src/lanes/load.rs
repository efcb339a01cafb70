//! Lanes from rows: each lane's body is a row of memory, and rows become columns in registers.
//!
//! Pairs name poses in any order. A load a number and lane would be some thirty scalar loads and stores a body, and a wide load of
//! what was just stored lane by lane waits for all those stores. Here a body's row is loaded whole, and [`columns`] turns
//! as many rows as there are lanes with shuffles alone.

use super::{LANES_MAX, V3, Wide};
use crate::bodies::{Body, LanePoses, LaneShapes, Pair};
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
pub(crate) fn columns<'r, S, F, const N: usize>(simd: S, row: impl Fn(usize) -> &'r [F::Element; N]) -> [F; N]
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
            vectors[lane * parts + part] = F::from_slice(simd, &row[part * F::LEN..(part + 1) * F::LEN]);
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
            let [a, b] =
                rows.map(|row| Wide::<S>::from_slice(simd, &row[part * Wide::<S>::LEN..(part + 1) * Wide::<S>::LEN]));
            vectors[lane * parts + part] = a * b;
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

/// A box a lane in `f32`: half extents, and a pose that scales all lengths alike.
#[derive(Clone, Copy)]
pub(crate) struct Crate<S: Simd> {
    pub(crate) half: [S::f32s; 3],
    /// The rotation by columns, the translation's high and low part, and the bound of the columns' error.
    pub(crate) pose: [S::f32s; 16],
}

impl<S: Simd> Crate<S> {
    #[inline(always)]
    pub(crate) fn load(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &Group<NARROW_MAX>) -> Self {
        let pose = columns(simd, |lane| &poses.rotations[group.pose(lane)].0);
        let [x, y, z, ..] = columns(simd, |lane| &shapes.half[group.shape(lane)].0);
        let mut half = [x, y, z];
        if poses.scaled {
            let scale = S::f32s::from_fn(simd, |lane| poses.scale[group.pose(lane)]);
            half = [x * scale, y * scale, z * scale];
        }
        Self { half, pose }
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
    /// In the plane every third component is a zero that the compiler knows.
    #[inline(always)]
    pub(crate) fn load<const PLANAR: bool>(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &Group) -> Self {
        let zero = Wide::<S>::splat(simd, 0.0);
        let lines = |part: usize| columns(simd, |lane| &poses.wide[group.pose(lane)][part].0);
        let [x, y, z, ..] = columns(simd, |lane| &shapes.extents[group.shape(lane)].0);
        let [a, b, c, d, e, f, g, h] = lines(0);
        if PLANAR {
            let columns = [V3 { x: a, y: b, z: zero }, V3 { x: c, y: d, z: zero }, V3 { x: zero, y: zero, z: zero }];
            return Self { columns, translation: V3 { x: e, y: f, z: zero }, extent: [x, y, zero] };
        }
        let [i, u, v, w, ..] = lines(1);
        let columns = [V3 { x: a, y: b, z: c }, V3 { x: d, y: e, z: f }, V3 { x: g, y: h, z: i }];
        Self { columns, translation: V3 { x: u, y: v, z: w }, extent: [x, y, z] }
    }

    /// Boxes: the columns are half edges, and the extents are ones that the compiler knows.
    #[inline(always)]
    pub(crate) fn load_boxes(simd: S, shapes: &LaneShapes, poses: &LanePoses, group: &Group) -> Self {
        let one = Wide::<S>::splat(simd, 1.0);
        let lines = |part: usize| {
            products(simd, |lane| [&poses.wide[group.pose(lane)][part].0, &shapes.factors[group.shape(lane)][part].0])
        };
        let [a, b, c, d, e, f, g, h] = lines(0);
        let [i, u, v, w, ..] = lines(1);
        let columns = [V3 { x: a, y: b, z: c }, V3 { x: d, y: e, z: f }, V3 { x: g, y: h, z: i }];
        Self { columns, translation: V3 { x: u, y: v, z: w }, extent: [one; 3] }
    }

    /// `Σ |L_ik|·extent_k`, which bounds the coordinate sums of `L·x`.
    #[inline(always)]
    pub(crate) fn size(&self) -> Wide<S> {
        self.columns[0].sum_abs() * self.extent[0]
            + self.columns[1].sum_abs() * self.extent[1]
            + self.columns[2].sum_abs() * self.extent[2]
    }
}
