//! The shapes, one a file, and the enum that holds any of them.
//!
//! Every constructor parses: a shape that exists is finite, non-empty and has the sizes its documentation names, so the
//! loops need no checks. Units are the caller's; every shape is centred or based as its type says, in its own frame.

/// The support methods of a shape whose inherent `support_in` answers over any scalar of its dimension.
macro_rules! support_in_any_scalar {
    () => {
        #[inline]
        fn support_point(&self, direction: V) -> SupportPoint<V> {
            self.support_in(direction)
        }
        #[inline]
        fn support_wide(&self, direction: V::Wide) -> SupportPoint<V::Wide> {
            self.support_in(direction)
        }
        fn rounding(&self) -> f64 {
            crate::rounding::UNIT_ROUNDOFF
        }
    };
}

/// The same with a hint, by an inherent `support_from`.
macro_rules! support_from_any_scalar {
    () => {
        #[inline(always)]
        fn support_point_from(&self, direction: V, hint: u32) -> SupportPoint<V> {
            self.support_from(direction, hint)
        }
        #[inline(always)]
        fn support_wide_from(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
            self.support_from(direction, hint)
        }
    };
}

/// The vertex methods of a shape whose inherent `vertex_in` computes them over any scalar of its dimension.
macro_rules! vertex_in_any_scalar {
    () => {
        fn vertex(&self, id: u32) -> Option<V> {
            self.vertex_in(id)
        }
        fn vertex_wide(&self, id: u32) -> Option<V::Wide> {
            self.vertex_in(id)
        }
    };
}

mod climb;
mod compound;
mod error;
mod polytope;
mod primitive;
mod round;
mod scan;

pub use compound::{Affine, HullOf, Sum};
pub use error::ShapeError;
pub use polytope::{ConvexPolygon, ConvexPolyhedron, Polytope};
pub use primitive::{Cuboid, Point, Segment, Triangle};
pub use round::{Ball, Capsule, Cone, Cylinder, Ellipsoid, Rounded};

use crate::math::Vector;
use crate::support::{Form, Revolution, Support, SupportPoint};

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
        }
    };
}

impl<V: Vector> Shape<V> {
    fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        each!(self, shape => shape.support_in(direction))
    }

    #[inline(always)] // a point that goes through memory waits there
    fn support_from<W: Vector>(&self, direction: W, hint: u32) -> SupportPoint<W> {
        match self {
            Shape::Polytope(shape) => shape.support_from(direction, hint),
            Shape::Rounded(shape) => shape.support_from(direction, hint),
            Shape::Affine(shape) => shape.support_from(direction, hint),
            _ => self.support_in(direction),
        }
    }

    fn vertex_in<W: Vector>(&self, id: u32) -> Option<W> {
        match self {
            Shape::Rounded(shape) => shape.vertex_in(id),
            Shape::Sum(shape) => shape.vertex_in(id),
            Shape::HullOf(shape) => shape.vertex_in(id),
            Shape::Affine(shape) => shape.vertex_in(id),
            Shape::Point(shape) => shape.vertex(id).map(V::lift),
            Shape::Segment(shape) => shape.vertex(id).map(V::lift),
            Shape::Triangle(shape) => shape.vertex(id).map(V::lift),
            Shape::Ball(shape) => shape.vertex(id).map(V::lift),
            Shape::Cuboid(shape) => shape.vertex(id).map(V::lift),
            Shape::Capsule(shape) => shape.vertex(id).map(V::lift),
            Shape::Polytope(shape) => shape.vertex(id).map(V::lift),
            Shape::Ellipsoid(shape) => shape.vertex(id).map(V::lift),
            Shape::Cylinder(_) | Shape::Cone(_) => None,
        }
    }
}

impl<V: Vector> Support<V> for Shape<V> {
    support_in_any_scalar!();
    support_from_any_scalar!();
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        match self {
            Shape::Polytope(shape) => shape.highest_vertices(direction, error, slack, found),
            Shape::Rounded(shape) => shape.highest_vertices(direction, error, slack, found),
            Shape::Affine(shape) => shape.highest_vertices(direction, error, slack, found),
            _ => None,
        }
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        each!(self, shape => shape.vertices_near(direction, id, margin, visit))
    }
    fn radius(&self) -> V::Scalar {
        each!(self, shape => shape.radius())
    }
    fn vertex_count(&self) -> Option<u32> {
        each!(self, shape => shape.vertex_count())
    }
    vertex_in_any_scalar!();
    fn hull(&self) -> Option<&Polytope<V>> {
        if let Shape::Polytope(shape) = self {
            Some(shape)
        } else {
            None
        }
    }
    fn revolution(&self) -> Option<Revolution<V>> {
        each!(self, shape => shape.revolution())
    }
    fn form(&self) -> Form<'_, V> {
        each!(self, shape => shape.form())
    }
    fn extent(&self) -> V {
        each!(self, shape => shape.extent())
    }
    fn center(&self) -> V {
        each!(self, shape => shape.center())
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
from_shape!(Point Segment Triangle Ball Cuboid Capsule Cylinder Cone Ellipsoid Polytope Rounded Sum HullOf Affine);
