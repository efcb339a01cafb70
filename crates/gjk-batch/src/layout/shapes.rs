//! The bodies of a batch: shapes by index, poses as rows of numbers, pairs of both.
//!
//! Where it sits: what the caller fills; `chunk.rs` sorts pairs by what is stored here, `lanes/load.rs` reads the rows.
//! Everything a lane needs of a shape or a pose is prepared once, when it is added.

use crate::layout::tiles::Pages;
use crate::loops::support_large::SCAN_MAX;
use gjk::shape::{Cuboid, Shape};
use gjk::{Pose, Scalar, Support, Vector};

/// Most vertices of a hull whose lanes hold all of them.
pub(crate) const LANE_VERTICES: usize = 8;

/// Where the line with a pose's translation has its norm: the largest sum of magnitudes of a column of `L`.
pub(crate) const NORM_PLANE: usize = 6;
/// The same in space.
pub(crate) const NORM_SPACE: usize = 4;
/// Where the same line has the factor of all lengths, and a one after it. NaN for maps that have none.
pub(crate) const SCALE: usize = 5;
/// Above what rounding takes from a sum or two.
const UP: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

/// Norms of maps that the lanes take.
const NORMS: core::ops::Range<f64> =
    f64::from_bits((1023 - 200) << 52)..f64::from_bits((1023 + 200) << 52);

/// One body of a pair: a shape at a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// Index into [`Shapes`].
    pub shape: u32,
    /// Index into [`Poses`].
    pub pose: u32,
}

/// Two bodies to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Body A.
    pub a: Body,
    /// Body B.
    pub b: Body,
}

impl Pair {
    /// The pair of `(shape, pose)` and `(shape, pose)`.
    pub fn new((shape_a, pose_a): (u32, u32), (shape_b, pose_b): (u32, u32)) -> Self {
        Self {
            a: Body {
                shape: shape_a,
                pose: pose_a,
            },
            b: Body {
                shape: shape_b,
                pose: pose_b,
            },
        }
    }
}

/// What the lanes can make of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A ball in space.
    Ball,
    /// A capsule in space.
    Capsule,
    /// A box in space.
    Cuboid,
    /// A sharp hull of at most [`LANE_VERTICES`] numbered vertices.
    Hull,
    /// The same, whose vertices go counter-clockwise around a polygon of the plane; boxes of the plane among them.
    Ring,
    /// A polytope of more.
    Large,
    /// Anything else.
    Other,
}

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = Kind::Other as usize + 1;
}

/// A shape as the lanes see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    /// Bounds of the coordinates' magnitudes; of a box its half extents.
    pub(crate) extent: [f64; 3],
    /// Where the vertices are in [`LaneShapes::corners`], and how many they are.
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// The shapes of a batch, shared by its pairs.
#[derive(Clone, Debug, Default)]
pub struct Shapes<V: Vector> {
    shapes: Vec<Shape<V>>,
    pub(crate) lanes: LaneShapes,
}

/// The shapes as the lanes see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneShapes {
    pub(crate) outlines: Vec<Outline>,
    /// Apart from the outlines, since sorting reads no more of a shape.
    pub(crate) kinds: Vec<Kind>,
    /// What the line of a pose that has its norm is multiplied by, so that the norm becomes a bound of the posed body's size.
    pub(crate) reaches: Vec<Line<[f64; 8]>>,
    /// What the rows of a pose are multiplied by to become a box's half edges and centre, of a capsule its half segment, with two
    /// zeros; and the radius in the world, entry [`SCALE`] of the second, after which it stands as it is.
    pub(crate) factors: Vec<[Line<[f64; 8]>; 2]>,
    /// Of hulls the vertices' x, y and z, eight at a time; the last are filled up with the last vertex. In the plane the third line
    /// has x and y of the first four.
    pub(crate) corners: Vec<[Line<[f64; LANE_VERTICES]>; 3]>,
    /// Half extents, rounded, and a zero.
    pub(crate) half: Vec<[f32; 4]>,
    /// The kind of all, if there is only one.
    pub(crate) only: Option<Kind>,
}

impl<V: Vector> Shapes<V> {
    /// None.
    pub fn new() -> Self {
        Self {
            shapes: Vec::new(),
            lanes: LaneShapes::default(),
        }
    }

    /// Adds a shape and returns its index.
    pub fn push(&mut self, shape: impl Into<Shape<V>>) -> u32 {
        let shape = shape.into();
        let (kind, outline) = self.outline(&shape);
        self.lanes.outlines.push(outline);
        self.lanes.kinds.push(kind);
        let [x, y, z] = outline.extent;
        let mut reach = [1.0; 8];
        reach[if V::DIM == 2 { NORM_PLANE } else { NORM_SPACE }] = (x + y + z) * UP;
        self.lanes.reaches.push(Line(reach));
        let radius = if kind == Kind::Other {
            0.0
        } else {
            shape.radius().to_f64()
        };
        self.lanes.factors.push([
            Line([x, x, x, y, y, y, z, z]),
            Line([z, 1.0, 1.0, 1.0, 0.0, radius, radius, 0.0]),
        ]);
        self.lanes.half.push([x as f32, y as f32, z as f32, 0.0]);
        self.lanes.only = if self.is_empty() {
            Some(kind)
        } else {
            self.lanes.only.filter(|&only| only == kind)
        };
        self.shapes.push(shape);
        self.shapes.len() as u32 - 1
    }

    /// The shape of an index.
    pub fn get(&self, index: u32) -> Option<&Shape<V>> {
        self.shapes.get(index as usize)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// True when none was added.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    fn outline(&mut self, shape: &Shape<V>) -> (Kind, Outline) {
        let first = self.lanes.corners.len() as u32;
        let round = match shape {
            Shape::Ball(_) if V::DIM == 3 => Some(Kind::Ball),
            Shape::Capsule(_) if V::DIM == 3 => Some(Kind::Capsule),
            _ => None,
        };
        if let Some(kind) = round {
            return (
                kind,
                Outline {
                    extent: shape.extent().to_f64(),
                    first,
                    count: 0,
                },
            );
        }
        let other = (
            Kind::Other,
            Outline {
                extent: [0.0; 3],
                first,
                count: 0,
            },
        );
        let sharp = shape.radius() == <V::Scalar as gjk::math::Ring>::ZERO;
        let count = shape
            .vertex_count()
            .filter(|&n| sharp && n > 0)
            .unwrap_or(0);
        if count == 0 {
            return other;
        }
        let extent = shape.extent().to_f64();
        let large = count as usize > LANE_VERTICES;
        if large && !matches!(shape, Shape::Polytope(_)) {
            return other;
        }
        let cuboid = matches!(shape, Shape::Cuboid(_));
        // A rectangle's corners are numbered by sign, not around it.
        let planar_box = cuboid && V::DIM == 2;
        let order = |k: u32| if planar_box { k ^ (k >> 1) } else { k };
        let corner = |k: usize| {
            let id = order((k as u32).min(count - 1));
            shape
                .vertex_wide(id)
                .map_or([0.0; 3], |x: V::Wide| x.to_f64())
        };
        // Larger ones are climbed.
        let count_here = if count as usize > SCAN_MAX {
            0
        } else {
            count as usize
        };
        for block in 0..count_here.div_ceil(LANE_VERTICES) {
            let rows = |i: usize| {
                Line(core::array::from_fn(|k| {
                    corner(block * LANE_VERTICES + k)[i]
                }))
            };
            self.lanes.corners.push(core::array::from_fn(rows));
            if let (2, 0, Some([x, y, z])) = (V::DIM, block, self.lanes.corners.last_mut()) {
                // Where a plane has no third coordinates: the first four of x and of y.
                (z.0[..4]).copy_from_slice(&x.0[..4]);
                (z.0[4..]).copy_from_slice(&y.0[..4]);
            }
        }
        if large {
            return (
                Kind::Large,
                Outline {
                    extent,
                    first,
                    count,
                },
            );
        }
        let ring = V::DIM == 2 && count >= 3 && (planar_box || matches!(shape, Shape::Polytope(_)));
        let kind = match (cuboid && V::DIM == 3, ring) {
            (true, _) => Kind::Cuboid,
            (_, true) => Kind::Ring,
            _ => Kind::Hull,
        };
        (
            kind,
            Outline {
                extent,
                first,
                count,
            },
        )
    }
}

impl<V: Vector, T: Into<Shape<V>>> FromIterator<T> for Shapes<V> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut shapes = Self::new();
        for item in items {
            shapes.push(item);
        }
        shapes
    }
}

impl<V: Vector> From<Cuboid<V>> for Shapes<V> {
    fn from(shape: Cuboid<V>) -> Self {
        core::iter::once(shape).collect()
    }
}

/// The poses of a batch, as rows that lanes load whole.
///
/// Each pose is stored as it was given, for single queries; its numbers as two lines of `f64`; and, in space, twice as `f32`
/// with the unit rotation, for the lanes that look at boxes first: as a line and as columns. Of the `f64` there are columns, too. That
/// is some 500 bytes a pose.
/// Pairs may name poses in any order, so a pose is rows of whole cache lines: its numbers come with two or one misses, and
/// lanes turn rows into columns in registers. Where consecutive pairs name consecutive poses, or every second one, boxes are
/// loaded from the columns, which costs half as much.
#[derive(Clone, Debug, Default)]
pub struct Poses<V: Vector> {
    poses: Vec<Pose<V>>,
    pub(crate) lanes: LanePoses,
}

/// A cache line of numbers.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Line<T>(pub(crate) T);

/// The poses as the lanes see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanePoses {
    /// In space `L` by columns, `t`, the norm, the scale and a one, entry `3k + i` component `i` of column `k`; in the plane the two
    /// columns, `t` and the norm, all in the first line.
    pub(crate) wide: Vec<[Line<[f64; 8]>; 2]>,
    /// Poses that scale all lengths alike, rounded to `f32`: `L ≈ scale·Q`, `t ≈ high + low`. `Q` by columns, `high`, `low`, and the
    /// bound of the distance of the columns from those of an orthogonal matrix: see [`blur`]. Infinite for other maps.
    pub(crate) rotations: Vec<Line<[f32; 16]>>,
    /// The same as columns.
    pub(crate) pages: Pages<f32, 16>,
    /// Of the first twelve `wide` numbers too, of the plane's eight.
    pub(crate) wide_pages: Pages<f64, 12>,
    /// Apart from the rotations, so that those are one line; read only where some pose is `scaled`.
    pub(crate) scale: Vec<f32>,
    pub(crate) scaled: bool,
}

impl LanePoses {
    /// The translations in space.
    #[inline]
    pub(crate) fn centers(&self, pair: &Pair) -> [[f64; 3]; 2] {
        [pair.a, pair.b].map(|body| {
            let Line(row) = &self.wide[body.pose as usize][1];
            [row[1], row[2], row[3]]
        })
    }
}

impl<V: Vector> Poses<V> {
    /// None.
    pub fn new() -> Self {
        Self {
            poses: Vec::new(),
            lanes: LanePoses::default(),
        }
    }

    /// Adds a pose and returns its index.
    pub fn push(&mut self, pose: Pose<V>) -> u32 {
        self.store(self.poses.len(), &pose);
        self.poses.push(pose);
        self.poses.len() as u32 - 1
    }

    /// Replaces a pose; false if there is no such index.
    pub fn set(&mut self, index: u32, pose: Pose<V>) -> bool {
        let Some(slot) = self.poses.get_mut(index as usize) else {
            return false;
        };
        *slot = pose;
        self.store(index as usize, &pose);
        true
    }

    /// The pose of an index.
    pub fn get(&self, index: u32) -> Option<&Pose<V>> {
        self.poses.get(index as usize)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// True when none was added.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    fn store(&mut self, at: usize, pose: &Pose<V>) {
        let columns: [[f64; 3]; 3] =
            core::array::from_fn(|k| pose.columns().get(k).map_or([0.0; 3], |c| c.to_f64()));
        let translation = pose.translation().to_f64();
        let mut wide = [Line([0.0; 8]); 2];
        let norm = columns
            .iter()
            .map(|c| c.iter().map(|x| x.abs()).sum::<f64>())
            .fold(0.0, f64::max)
            * UP;
        // Of other maps products with a direction may leave the range, whatever the body's size; no lane takes an infinite one.
        let norm = if NORMS.contains(&norm) {
            norm
        } else {
            f64::INFINITY
        };
        if V::DIM == 2 {
            let ([[xx, xy, _], [yx, yy, _], _], [x, y, _]) = (columns, translation);
            wide[0] = Line([xx, xy, yx, yy, x, y, norm, 0.0]);
            self.lanes
                .wide_pages
                .put(at, &[xx, xy, yx, yy, x, y, norm, 0.0, 0.0, 0.0, 0.0, 0.0]);
            put(&mut self.lanes.wide, at, wide);
            return;
        }
        let mut all = [0.0; 12];
        for (k, &value) in columns.iter().chain(&[translation]).flatten().enumerate() {
            (wide[k / 8].0[k % 8], all[k]) = (value, value);
        }
        self.lanes.wide_pages.put(at, &all);
        let scale = pose.uniform_scale().map_or(f64::NAN, Scalar::to_f64);
        (
            wide[1].0[NORM_SPACE],
            wide[1].0[SCALE],
            wide[1].0[SCALE + 1],
        ) = (norm, scale, 1.0);
        put(&mut self.lanes.wide, at, wide);
        let rounded = columns.map(|c| c.map(|x| (x / scale) as f32));
        let high = translation.map(|x| x as f32);
        let mut row = [0.0; 16];
        for (slot, &value) in row.iter_mut().zip(rounded.iter().chain(&[high]).flatten()) {
            *slot = value;
        }
        for k in 0..3 {
            row[12 + k] = (translation[k] - f64::from(high[k])) as f32;
        }
        row[15] = blur(&columns, scale, &rounded);
        put(&mut self.lanes.rotations, at, Line(row));
        self.lanes.pages.put(at, &row);
        put(&mut self.lanes.scale, at, scale as f32);
        self.lanes.scaled |= scale as f32 != 1.0;
    }
}

impl<V: Vector> FromIterator<Pose<V>> for Poses<V> {
    fn from_iter<I: IntoIterator<Item = Pose<V>>>(items: I) -> Self {
        let mut poses = Self::new();
        for item in items {
            poses.push(item);
        }
        poses
    }
}

fn put<T>(column: &mut Vec<T>, at: usize, value: T) {
    match column.get_mut(at) {
        Some(slot) => *slot = value,
        None => column.push(value),
    }
}

/// How far the rounded columns `Q̃` and the map `L / scale` are from one orthogonal matrix `Q`.
///
/// With `G = Q̃ᵀQ̃ − 1`, every singular value of `Q̃` is within `|G|` of 1 (`|σ − 1| ≤ |σ² − 1|`), so `|Q̃ − Q| ≤ |G|` for the
/// orthogonal factor `Q`. The columns of `L / scale` differ from those of `Q̃` by their rounding, measured too. `2⁻⁴⁶` is
/// above what `f64` adds to both, and above the 4 roundings of a world vertex.
fn blur(columns: &[[f64; 3]; 3], scale: f64, rounded: &[[f32; 3]; 3]) -> f32 {
    let wide = rounded.map(|c| c.map(f64::from));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let mut squares = 0.0;
    let mut farthest = 0.0f64;
    for i in 0..3 {
        for j in 0..3 {
            let entry = dot(wide[i], wide[j]) - if i == j { 1.0 } else { 0.0 };
            squares += entry * entry;
        }
        let off: [f64; 3] = core::array::from_fn(|k| columns[i][k] / scale - wide[i][k]);
        farthest = farthest.max(dot(off, off).sqrt());
    }
    let blur = squares.sqrt() + farthest + f64::from_bits((1023 - 46) << 52);
    // NaN, from a map without a scale, fails too.
    if blur <= 1.0 / 256.0 {
        (blur as f32).next_up()
    } else {
        f32::INFINITY
    }
}

/// Shapes and poses together: what pairs index.
#[derive(Debug)]
pub struct World<'w, V: Vector> {
    /// The shapes.
    pub shapes: &'w Shapes<V>,
    /// The poses.
    pub poses: &'w Poses<V>,
}

impl<V: Vector> Clone for World<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Vector> Copy for World<'_, V> {}

/// What the kernels see of a world: the same for every kind of vector, so that each is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct View<'w> {
    pub(crate) shapes: &'w LaneShapes,
    pub(crate) poses: &'w LanePoses,
    pub(crate) pairs: &'w [Pair],
    pub(crate) hulls: &'w dyn Hulls,
}

/// Hulls too large to be scanned.
pub(crate) trait Hulls: Sync {
    /// The vertex of a shape that computes highest along a direction of its own frame, as an id and a point. `hint` is a vertex not
    /// far from it, or any other number.
    fn highest(&self, shape: u32, direction: [f64; 3], hint: u32) -> (u32, [f64; 3]);
}

impl<V: Vector> Hulls for Shapes<V> {
    fn highest(&self, shape: u32, direction: [f64; 3], hint: u32) -> (u32, [f64; 3]) {
        self.get(shape).map_or((hint, [0.0; 3]), |shape| {
            let found = shape.support_wide_from(V::Wide::from_f64(direction), hint);
            (found.id, found.point.to_f64())
        })
    }
}
