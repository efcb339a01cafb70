//! Shapes and poses of the protocol as parry's, in space.

use super::parry::math::{Pose, Real, Rotation, Vector};
use super::parry::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Shape, TriMesh};
use bench_protocol::{Place, Shape as Asked};

pub(super) const DIM: usize = 3;

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x as Real, y as Real, z as Real)
}

pub(super) fn from_triple(v: [f64; 3]) -> Vector {
    vector(v)
}

pub(super) fn turn_rate(v: [f64; 3]) -> Vector {
    vector(v)
}

pub(super) fn wide(v: Vector) -> [f64; 3] {
    [v.x, v.y, v.z].map(f64::from)
}

pub(super) fn pose(place: &Place) -> Pose {
    let [x, y, z, w] = place.rotation.map(|c| c as Real);
    Pose::from_parts(
        vector(place.translation),
        Rotation::from_xyzw(x, y, z, w).normalize(),
    )
}

pub(super) fn shape(shape: &Asked) -> Result<Box<dyn Shape>, String> {
    Ok(match shape {
        Asked::Ball(r) => Box::new(Ball::new(*r as Real)),
        Asked::Capsule(half, r) => Box::new(Capsule::new_z(*half as Real, *r as Real)),
        Asked::Box(half) => Box::new(Cuboid::new(vector(*half))),
        Asked::Hull(vertices, triangles) => {
            let points = vertices.iter().map(|&v| vector(v)).collect();
            Box::new(
                ConvexPolyhedron::from_convex_mesh(points, triangles)
                    .ok_or("from_convex_mesh refused the hull")?,
            )
        }
        // parry's stand along y; no workload asks for them.
        Asked::Cylinder(..) | Asked::Cone(..) => {
            return Err("cylinders and cones along z are not written".into());
        }
        Asked::Ellipsoid(_) => return Err("parry has no ellipsoid".into()),
        Asked::Mesh(vertices, triangles) => {
            let points = vertices.iter().map(|&v| vector(v)).collect();
            let mesh = TriMesh::new(points, triangles.clone()).map_err(|why| why.to_string())?;
            Box::new(mesh)
        }
        Asked::Polygon(_) => return Err("a polygon in 3D".into()),
    })
}
