//! Shapes and poses of the protocol as parry's, in the plane.

use super::parry::math::{Pose, Real, Rotation, Vector};
use super::parry::shape::{Ball, ConvexPolygon, Cuboid, Shape};
use bench_protocol::{Place, Shape as Asked};

pub(super) const DIM: usize = 2;

fn vector(x: f64, y: f64) -> Vector {
    Vector::new(x as Real, y as Real)
}

pub(super) fn from_triple([x, y, _]: [f64; 3]) -> Vector {
    vector(x, y)
}

pub(super) fn turn_rate([_, _, turn]: [f64; 3]) -> Real {
    turn as Real
}

pub(super) fn wide(v: Vector) -> [f64; 3] {
    [f64::from(v.x), f64::from(v.y), 0.0]
}

pub(super) fn pose(place: &Place) -> Pose {
    let rotation =
        Rotation::from_cos_sin_unchecked(place.rotation[0] as Real, place.rotation[1] as Real);
    Pose::from_parts(vector(place.translation[0], place.translation[1]), rotation)
}

pub(super) fn shape(shape: &Asked) -> Result<Box<dyn Shape>, String> {
    Ok(match shape {
        Asked::Ball(r) => Box::new(Ball::new(*r as Real)),
        Asked::Box([x, y, _]) => Box::new(Cuboid::new(vector(*x, *y))),
        Asked::Polygon(vertices) => {
            let points = vertices.iter().map(|&[x, y]| vector(x, y)).collect();
            let polygon = ConvexPolygon::from_convex_polyline_unmodified(points);
            Box::new(polygon.ok_or("from_convex_polyline_unmodified refused the polygon")?)
        }
        _ => return Err("only balls, boxes and polygons in 2D".into()),
    })
}
