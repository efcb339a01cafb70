//! The shapes of a batch: what lanes need of each, prepared once, when it is added.
//!
//! Where it sits: the caller fills it; dispatch sorts pairs by the kinds that are stored here.

use super::poses::{CacheLine, LANES_SUM_UP, NORM_PLANE, NORM_SPACE};
use gjk::shape::{Cuboid, Shape};
use gjk::{Support, Vector};

/// Most vertices of a hull whose lanes hold all of them.
pub(crate) const LANE_VERTICES: usize = 8;

/// Most vertices of a hull that is scanned. For larger ones climbing is cheaper: measured.
pub(crate) const SCAN_MAX: usize = 256;

/// What the lanes can make of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShapeKind {
    /// A ball in space.
    Ball,
    /// A capsule in space.
    Capsule,
    /// A box in space.
    Cuboid,
    /// A sharp hull of at most [`LANE_VERTICES`] numbered vertices.
    SmallHull,
    /// The same, whose vertices go counter-clockwise around a polygon of the plane; boxes of the plane among them.
    Polygon,
    /// A polytope of more.
    LargeHull,
    /// Anything else.
    Other,
}

impl ShapeKind {
    /// How many there are.
    pub(crate) const COUNT: usize = ShapeKind::Other as usize + 1;
}

/// A shape as the lanes see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeRow {
    /// Bounds of the coordinates' magnitudes; of a box its half extents.
    pub(crate) extent: [f64; 3],
    /// Where the vertices are in [`LaneShapes::corners`], and how many they are.
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// The shapes as the lanes see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneShapes {
    pub(crate) rows: Vec<ShapeRow>,
    /// Stored beside the rows, since sorting reads no more of a shape.
    pub(crate) kinds: Vec<ShapeKind>,
    /// What the line of a pose that has its norm is multiplied by, so that the norm becomes a bound of the posed body's size.
    pub(crate) reaches: Vec<CacheLine<[f64; 8]>>,
    /// What the rows of a pose are multiplied by to become a box's half edges and centre, of a capsule its half segment, with two
    /// zeros; and the radius in the world, entry 5 of the second, after which it stands as it is.
    pub(crate) factors: Vec<[CacheLine<[f64; 8]>; 2]>,
    /// Of hulls the vertices' x, y and z, eight at a time; the last are filled up with the last vertex. In the plane the third
    /// line has x and y of the first four.
    pub(crate) corners: Vec<[CacheLine<[f64; LANE_VERTICES]>; 3]>,
    /// Half extents, rounded, and a zero.
    pub(crate) half: Vec<[f32; 4]>,
    /// The kind of all, if there is only one.
    pub(crate) only: Option<ShapeKind>,
}

/// The shapes of a batch, shared by its pairs.
#[derive(Clone, Debug, Default)]
pub struct Shapes<V: Vector> {
    shapes: Vec<Shape<V>>,
    pub(crate) lanes: LaneShapes,
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
        let (kind, row) = self.row(&shape);
        self.lanes.rows.push(row);
        self.lanes.kinds.push(kind);
        let [x, y, z] = row.extent;
        let mut reach = [1.0; 8];
        reach[if V::DIM == 2 { NORM_PLANE } else { NORM_SPACE }] = (x + y + z) * LANES_SUM_UP;
        self.lanes.reaches.push(CacheLine(reach));
        let radius = if kind == ShapeKind::Other {
            0.0
        } else {
            shape.core().radius
        };
        self.lanes.factors.push([
            CacheLine([x, x, x, y, y, y, z, z]),
            CacheLine([z, 1.0, 1.0, 1.0, 0.0, radius, radius, 0.0]),
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

    /// What the lanes need of a shape, whose vertices are stored.
    fn row(&mut self, shape: &Shape<V>) -> (ShapeKind, ShapeRow) {
        let kind = kind(shape);
        let none = ShapeRow {
            extent: [0.0; 3],
            first: self.lanes.corners.len() as u32,
            count: 0,
        };
        if kind == ShapeKind::Other {
            return (kind, none);
        }
        let core = shape.core();
        let extent = core.extent.to_f64();
        if matches!(kind, ShapeKind::Ball | ShapeKind::Capsule) {
            return (kind, ShapeRow { extent, ..none });
        }
        let count = core.vertex_count.unwrap_or(0);
        // Larger ones are climbed.
        if count as usize <= SCAN_MAX {
            self.store_vertices(shape, count);
        }
        let row = ShapeRow {
            extent,
            count,
            ..none
        };
        (kind, row)
    }

    /// Stores vertices eight at a time.
    fn store_vertices(&mut self, shape: &Shape<V>, count: u32) {
        let order = |k: u32| {
            if is_planar_box(shape) {
                k ^ (k >> 1)
            } else {
                k
            }
        };
        let corner = |k: usize| {
            let id = order((k as u32).min(count - 1));
            shape.vertex(id).map_or([0.0; 3], |x: V::Wide| x.to_f64())
        };
        for block in 0..(count as usize).div_ceil(LANE_VERTICES) {
            let rows = |i: usize| {
                CacheLine(core::array::from_fn(|k| {
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
    }
}

/// A rectangle's corners are numbered by sign, not around it.
fn is_planar_box<V: Vector>(shape: &Shape<V>) -> bool {
    V::DIM == 2 && matches!(shape, Shape::Cuboid(_))
}

/// What the lanes can make of a shape.
fn kind<V: Vector>(shape: &Shape<V>) -> ShapeKind {
    match shape {
        Shape::Ball(_) if V::DIM == 3 => return ShapeKind::Ball,
        Shape::Capsule(_) if V::DIM == 3 => return ShapeKind::Capsule,
        _ => {}
    }
    let core = shape.core();
    let count = core.vertex_count.unwrap_or(0);
    if core.radius != 0.0 || count == 0 {
        return ShapeKind::Other;
    }
    let polytope = matches!(shape, Shape::Polytope(_));
    if count as usize > LANE_VERTICES {
        return if polytope {
            ShapeKind::LargeHull
        } else {
            ShapeKind::Other
        };
    }
    match shape {
        Shape::Cuboid(_) if V::DIM == 3 => ShapeKind::Cuboid,
        _ if V::DIM == 2 && count >= 3 && (polytope || is_planar_box(shape)) => ShapeKind::Polygon,
        _ => ShapeKind::SmallHull,
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
