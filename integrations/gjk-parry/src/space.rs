//! What is of space alone: vectors, poses, and the solids.

use super::each::body::{Body, Points, filled, rounded};
use super::parry::math::{AngVector, Pose, Real, Vector};
use super::parry::shape::TypedShape;
use gjk::math::Axis;
use gjk::shape::{Cone, Cuboid, Cylinder, Shape};
use gjk::{Pose3, Vec3};

/// The vector of gjk.
pub(super) type Place = Vec3<Real>;

/// How many points a manifold may have.
pub(super) const POINTS_MAX: usize = 4;

pub(super) fn place(x: Vector) -> Place {
    Place::new(x.x, x.y, x.z)
}

pub(super) fn vector(x: Place) -> Vector {
    Vector::new(x.x, x.y, x.z)
}

pub(super) fn angular(rate: AngVector) -> [Real; 3] {
    [rate.x, rate.y, rate.z]
}

/// `None` where a number is not finite.
pub(super) fn pose(pose: &Pose) -> Option<gjk::Pose<Place>> {
    let q = pose.rotation;
    Pose3::from_quaternion([q.x, q.y, q.z, q.w], place(pose.translation)).ok()
}

pub(super) fn cuboid(half_extents: Vector) -> Option<Shape<Place>> {
    filled(Cuboid::new(place(half_extents)))
}

/// The bodies that only space has.
pub(super) fn other<'s>(shape: &TypedShape<'s>) -> Option<Body<'s>> {
    let cylinder = |half_height, radius| filled(Cylinder::new(half_height, radius, Axis::Y));
    let cone = |half_height, radius| filled(Cone::new(half_height, radius, Axis::Y));
    match shape {
        TypedShape::Cylinder(s) => cylinder(s.half_height, s.radius).map(Body::Shape),
        TypedShape::Cone(s) => cone(s.half_height, s.radius).map(Body::Shape),
        TypedShape::RoundCylinder(s) => {
            let core = cylinder(s.inner_shape.half_height, s.inner_shape.radius)?;
            rounded(core, s.border_radius)
        }
        TypedShape::RoundCone(s) => {
            let core = cone(s.inner_shape.half_height, s.inner_shape.radius)?;
            rounded(core, s.border_radius)
        }
        TypedShape::ConvexPolyhedron(s) => Points::new(s.points(), 0.0).map(Body::Points),
        TypedShape::RoundConvexPolyhedron(s) => {
            Points::new(s.inner_shape.points(), s.border_radius).map(Body::Points)
        }
        _ => None,
    }
}
