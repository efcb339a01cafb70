//! What is of the plane alone: vectors, poses, and the polygon.

use super::each::body::{Body, Points, filled};
use super::parry::math::{AngVector, Pose, Real, Vector};
use super::parry::shape::TypedShape;
use gjk::shape::{Cuboid, Shape};
use gjk::{Pose2, Vec2, Vector as _};

/// The vector of gjk.
pub(super) type Place = Vec2<Real>;

/// How many points a manifold may have.
pub(super) const POINTS_MAX: usize = 2;

pub(super) fn place(x: Vector) -> Place {
    Place::new(x.x, x.y)
}

pub(super) fn vector(x: Place) -> Vector {
    Vector::new(x.x, x.y)
}

pub(super) fn angular(rate: AngVector) -> [Real; 3] {
    [0.0, 0.0, rate]
}

/// `None` where a number is not finite.
pub(super) fn pose(pose: &Pose) -> Option<gjk::Pose<Place>> {
    let (turn, translation) = (pose.rotation, place(pose.translation));
    let is_finite = turn.re.is_finite() && turn.im.is_finite() && translation.is_finite();
    is_finite.then(|| Pose2::from_cos_sin(turn.re, turn.im, translation))
}

pub(super) fn cuboid(half_extents: Vector) -> Option<Shape<Place>> {
    filled(Cuboid::new(place(half_extents)))
}

/// The bodies that only the plane has.
pub(super) fn other<'s>(shape: &TypedShape<'s>) -> Option<Body<'s>> {
    match shape {
        TypedShape::ConvexPolygon(s) => Points::new(s.points(), 0.0).map(Body::Points),
        TypedShape::RoundConvexPolygon(s) => {
            Points::new(s.inner_shape.points(), s.border_radius).map(Body::Points)
        }
        _ => None,
    }
}
