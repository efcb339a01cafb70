//! Shapes of parry as bodies of gjk.

use super::kind::{self, Place, place};
use super::parry::math::{Real, Vector};
use super::parry::shape::{Shape as ParryShape, TypedShape};
use gjk::shape::{Ball, Point, Rounded, Segment, Shape, ShapeError, Triangle};
use gjk::{Core, Scalar as _, Support, SupportPoint, Vector as _};

type Wide = <Place as gjk::Vector>::Wide;

/// A convex body.
pub(crate) enum Body<'s> {
    /// A shape of gjk.
    Shape(Shape<Place>),
    /// The hull of parry's own points.
    Points(Points<'s>),
}

impl<'s> Body<'s> {
    /// `None` for a shape that is left to parry.
    pub(super) fn new(shape: &'s dyn ParryShape) -> Option<Self> {
        let typed = shape.as_typed_shape();
        let triangle = |a, b, c| filled(Triangle::new(place(a), place(b), place(c)));
        match typed {
            TypedShape::Ball(s) => ball(s.radius).map(Body::Shape),
            TypedShape::Cuboid(s) => kind::cuboid(s.half_extents).map(Body::Shape),
            TypedShape::Segment(s) => segment(s.a, s.b).map(Body::Shape),
            TypedShape::Triangle(s) => triangle(s.a, s.b, s.c).map(Body::Shape),
            TypedShape::Capsule(s) => rounded(segment(s.segment.a, s.segment.b)?, s.radius),
            TypedShape::RoundCuboid(s) => {
                rounded(kind::cuboid(s.inner_shape.half_extents)?, s.border_radius)
            }
            TypedShape::RoundTriangle(s) => {
                let core = s.inner_shape;
                rounded(triangle(core.a, core.b, core.c)?, s.border_radius)
            }
            _ => kind::other(&typed),
        }
    }

    pub(super) fn support(&self) -> &dyn Support<Place> {
        match self {
            Body::Shape(shape) => shape,
            Body::Points(points) => points,
        }
    }
}

/// A shape, if its constructor took the numbers.
pub(crate) fn filled<S: Into<Shape<Place>>>(made: Result<S, ShapeError>) -> Option<Shape<Place>> {
    made.ok().map(Into::into)
}

fn ball(radius: Real) -> Option<Shape<Place>> {
    if radius == 0.0 {
        return filled(Point::new(Place::ZERO));
    }
    filled(Ball::new(radius))
}

fn segment(a: Vector, b: Vector) -> Option<Shape<Place>> {
    filled(Segment::new(place(a), place(b)))
}

/// A core with a ball swept over it.
pub(crate) fn rounded<'s>(core: Shape<Place>, radius: Real) -> Option<Body<'s>> {
    if radius == 0.0 {
        return Some(Body::Shape(core));
    }
    filled(Rounded::new(core, radius)).map(Body::Shape)
}

/// The hull of parry's own points, with a ball swept over it. Vertices have their numbers.
pub(crate) struct Points<'s> {
    points: &'s [Vector],
    radius: Real,
    extent: Wide,
    center: Wide,
}

impl<'s> Points<'s> {
    /// `None` without points, and where a number is not finite.
    pub(crate) fn new(points: &'s [Vector], radius: Real) -> Option<Self> {
        let wide = |x: &Vector| -> Wide { place(*x).lift() };
        let share = 1.0 / points.len() as f64;
        let center = points
            .iter()
            .fold(Wide::ZERO, |sum, x| sum + wide(x) * share);
        let extent = points.iter().fold(Wide::ZERO, |most, x| {
            Wide::from_fn(|k| most.component(k).max(wide(x).component(k).abs()))
        });
        let is_body = !points.is_empty()
            && points.iter().all(|x| x.is_finite())
            && radius >= 0.0
            && radius.is_finite();
        is_body.then_some(Self {
            points,
            radius,
            extent,
            center,
        })
    }

    fn at(&self, id: usize) -> Wide {
        place(self.points[id]).lift()
    }
}

impl Support<Place> for Points<'_> {
    fn support(&self, direction: Wide, _hint: u32) -> SupportPoint<Wide> {
        let mut best = (0, f64::NEG_INFINITY);
        for id in 0..self.points.len() {
            let height = self.at(id).dot(direction);
            if height > best.1 {
                best = (id, height);
            }
        }
        SupportPoint {
            point: self.at(best.0),
            id: best.0 as u32,
        }
    }

    fn core(&self) -> Core<'_, Place> {
        Core {
            radius: self.radius.to_f64(),
            vertex_count: Some(self.points.len() as u32),
            ..Core::new(self.center, self.extent)
        }
    }

    fn vertex(&self, id: u32) -> Option<Wide> {
        let point = self.points.get(id as usize)?;
        Some(place(*point).lift())
    }
}
