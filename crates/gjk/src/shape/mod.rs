//! The shapes, one a file, and the enum that holds any of them.
//!
//! Every constructor parses: a shape that exists is finite, non-empty and has the sizes its documentation names, so the
//! loops need no checks. Units are the caller's; every shape is centred or based as its type says, in its own frame.

mod compound;
mod error;
mod moving;
mod polytope;
mod primitive;
mod round;

pub use compound::{Affine, HullOf, Sum};
pub use error::ShapeError;
pub use moving::MovingVertices;
pub use polytope::{ConvexPolygon, ConvexPolyhedron, Polytope};
pub use primitive::{Cuboid, Point, Segment, Triangle};
pub use round::{Ball, Capsule, Cone, Cylinder, Ellipsoid, Rounded};

use crate::math::Vector;
use crate::support::{Core, NO_ID, Piece, Support, SupportPoint};

/// Any built-in shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<V: Vector> {
    /// A point.
    Point(Point<V>),
    /// A segment.
    Segment(Segment<V>),
    /// A triangle.
    Triangle(Triangle<V>),
    /// A ball; a disc in 2D.
    Ball(Ball<V>),
    /// A box, axis-aligned in its own frame.
    Cuboid(Cuboid<V>),
    /// A capsule.
    Capsule(Capsule<V>),
    /// A cylinder (3D).
    Cylinder(Cylinder<V>),
    /// A cone (3D).
    Cone(Cone<V>),
    /// An ellipsoid; an ellipse in 2D.
    Ellipsoid(Ellipsoid<V>),
    /// A convex polygon in 2D, a convex polyhedron in 3D, or a flat hull.
    Polytope(Polytope<V>),
    /// A shape with a ball swept over it.
    Rounded(Rounded<V>),
    /// A Minkowski sum.
    Sum(Sum<V>),
    /// The convex hull of several shapes.
    HullOf(HullOf<V>),
    /// A shape under an affine map.
    Affine(Affine<V>),
    /// A hull of vertices that move.
    MovingVertices(MovingVertices<V>),
}

macro_rules! each {
    ($self:expr, $shape:ident => $call:expr) => {
        match $self {
            Shape::Point($shape) => $call,
            Shape::Segment($shape) => $call,
            Shape::Triangle($shape) => $call,
            Shape::Ball($shape) => $call,
            Shape::Cuboid($shape) => $call,
            Shape::Capsule($shape) => $call,
            Shape::Cylinder($shape) => $call,
            Shape::Cone($shape) => $call,
            Shape::Ellipsoid($shape) => $call,
            Shape::Polytope($shape) => $call,
            Shape::Rounded($shape) => $call,
            Shape::Sum($shape) => $call,
            Shape::HullOf($shape) => $call,
            Shape::Affine($shape) => $call,
            Shape::MovingVertices($shape) => $call,
        }
    };
}

impl<V: Vector> Shape<V> {
    /// [`Support::support`] of a shape by a call that is not inlined.
    fn support_by_call(&self, direction: V::Wide) -> SupportPoint<V::Wide> {
        each!(self, shape => shape.support(direction, NO_ID))
    }
}

impl<V: Vector> Support<V> for Shape<V> {
    #[inline(always)]
    fn shape(&self) -> Option<&Self> {
        Some(self)
    }
    #[inline(always)] // a point that goes through memory waits there
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        match self {
            Shape::Polytope(shape) => shape.support(direction, hint),
            Shape::Rounded(shape) => shape.support(direction, hint),
            Shape::Affine(shape) => shape.support(direction, hint),
            _ => self.support_by_call(direction),
        }
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        each!(self, shape => shape.core())
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        each!(self, shape => shape.vertex(id))
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        each!(self, shape => shape.end_vertex(id))
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        each!(self, shape => shape.piece(direction, hint))
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        each!(self, shape => shape.highest_vertices(direction, error, slack, found))
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        each!(self, shape => shape.vertices_near(direction, id, margin, visit))
    }
}

macro_rules! from_shape {
    ($($name:ident)*) => {$(
        impl<V: Vector> From<$name<V>> for Shape<V> {
            fn from(shape: $name<V>) -> Self {
                Shape::$name(shape)
            }
        }
    )*};
}
from_shape!(Point Segment Triangle Ball Cuboid Capsule Cylinder Cone Ellipsoid Polytope Rounded Sum HullOf Affine MovingVertices);
