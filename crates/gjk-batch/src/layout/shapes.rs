//! The shapes of a batch: what lanes need of each, prepared once, when it is added.
//!
//! Where it sits: the caller fills it; dispatch sorts pairs by the kinds that are stored here.

use super::poses::{Line, NORM_PLANE, NORM_SPACE, UP};
use gjk::shape::{Cuboid, Shape};
use gjk::{Scalar, Support, Vector};

/// Most vertices of a hull whose lanes hold all of them.
pub(crate) const LANE_VERTICES: usize = 8;

/// Most vertices of a hull that are all looked at. Above, climbing is cheaper: measured.
pub(crate) const SCAN_MAX: usize = 256;

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
