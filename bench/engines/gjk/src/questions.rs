//! A workload in the library's own types.

use crate::batch::Columns;
use bench_protocol::{Pair, Place, Shape as Asked, Workload};
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Polytope, Shape, ShapeError,
};
use gjk::{Axis, Pose, Pose2, Pose3, Scalar, Vec2, Vec3, Vector};

/// What a kind of vector makes of the protocol's shapes and places.
pub trait Space: Vector {
    /// The library's shape, or why there is none.
    fn shape(asked: &Asked) -> Result<Shape<Self>, String>;
    /// The library's pose; none for a zero quaternion.
    fn pose(place: &Place) -> Option<Pose<Self>>;
}

/// A workload in the library's own types.
#[derive(Debug)]
pub struct Questions<V: Vector> {
    /// The shapes that pairs share.
    pub shapes: Vec<Shape<V>>,
    /// Indices of two shapes, and their poses.
    pub pairs: Vec<([usize; 2], [Pose<V>; 2])>,
}

impl<V: Space> Questions<V> {
    /// Builds every shape and every pose.
    pub fn new(workload: &Workload) -> Result<Self, String> {
        let pose = |pair: &Pair, k: usize| V::pose(&pair.places[k]).ok_or("a zero quaternion");
        let shapes = workload
            .shapes
            .iter()
            .map(V::shape)
            .collect::<Result<_, _>>()?;
        let pairs = workload
            .pairs
            .iter()
            .map(|pair| Ok::<_, &str>((pair.shapes, [pose(pair, 0)?, pose(pair, 1)?])));
        Ok(Self {
            shapes,
            pairs: pairs.collect::<Result<_, _>>()?,
        })
    }

    /// `count` pairs for a batch, each with a pose of A and a pose of B of its own, side by side: those of the workload again
    /// and again, moved by `motion` of the pair's number, which leaves their relation as it is.
    pub fn columns(&self, count: usize, motion: impl Fn(usize) -> Pose<V>) -> Columns<V> {
        let mut columns = Columns {
            shapes: self.shapes.iter().cloned().collect(),
            ..Columns::default()
        };
        for k in 0..count {
            let (ids, poses) = &self.pairs[k % self.pairs.len()];
            let by = motion(k);
            let body = |side: usize| (ids[side] as u32, (2 * k + side) as u32);
            columns.pairs.push(gjk_batch::Pair::new(body(0), body(1)));
            poses
                .iter()
                .for_each(|pose| _ = columns.poses.push(by.compose(pose)));
        }
        columns
    }

    /// All pairs, one query each.
    pub fn each(&self) -> impl Iterator<Item = (&Shape<V>, &Pose<V>, &Shape<V>, &Pose<V>)> {
        let pairs = self.pairs.iter();
        pairs.map(|(ids, poses)| {
            (
                &self.shapes[ids[0]],
                &poses[0],
                &self.shapes[ids[1]],
                &poses[1],
            )
        })
    }
}

/// The axis along which the protocol's solids of revolution stand.
const STANDING: Axis = Axis::Z;

impl<T: Scalar> Space for Vec3<T> {
    fn shape(asked: &Asked) -> Result<Shape<Self>, String> {
        let number = T::from_f64;
        let built = match asked {
            Asked::Ball(0.0) => Point::new(Vec3::from_f64([0.0; 3])).map(Shape::Point),
            Asked::Ball(r) => Ball::new(number(*r)).map(Shape::Ball),
            Asked::Capsule(half, r) => {
                Capsule::new(number(*half), number(*r), STANDING).map(Shape::Capsule)
            }
            Asked::Cylinder(half, r) => {
                Cylinder::new(number(*half), number(*r), STANDING).map(Shape::Cylinder)
            }
            // Apex and base stand at ± half a height in both conventions.
            Asked::Cone(half, r) => Cone::new(number(*half), number(*r), STANDING).map(Shape::Cone),
            Asked::Ellipsoid(radii) => Ellipsoid::new(Vec3::from_f64(*radii)).map(Shape::Ellipsoid),
            Asked::Box(half) => Cuboid::new(Vec3::from_f64(*half)).map(Shape::Cuboid),
            Asked::Hull(vertices, _) => {
                let points: Vec<Vec3<T>> = vertices.iter().map(|&v| Vec3::from_f64(v)).collect();
                Polytope::new(&points).map(Shape::Polytope)
            }
            Asked::Mesh(..) => return Err("a mesh is no convex shape: see gjk-mesh".into()),
            Asked::Polygon(_) => return Err("a polygon in 3D".into()),
        };
        built.map_err(|why: ShapeError| why.to_string())
    }

    fn pose(place: &Place) -> Option<Pose<Self>> {
        Pose3::from_quaternion(
            place.rotation.map(T::from_f64),
            Vec3::from_f64(place.translation),
        )
        .ok()
    }
}

impl<T: Scalar> Space for Vec2<T> {
    fn shape(asked: &Asked) -> Result<Shape<Self>, String> {
        let built = match asked {
            Asked::Box(half) => Cuboid::new(Vec2::from_f64(*half)).map(Shape::Cuboid),
            Asked::Polygon(vertices) => {
                let points: Vec<Vec2<T>> = vertices
                    .iter()
                    .map(|&[x, y]| Vec2::from_f64([x, y, 0.0]))
                    .collect();
                Polytope::new(&points).map(Shape::Polytope)
            }
            Asked::Ball(0.0) => Point::new(Vec2::from_f64([0.0; 3])).map(Shape::Point),
            Asked::Ball(r) => Ball::new(T::from_f64(*r)).map(Shape::Ball),
            _ => return Err("only balls, boxes and polygons in 2D".into()),
        };
        built.map_err(|why| why.to_string())
    }

    fn pose(place: &Place) -> Option<Pose<Self>> {
        let [cos, sin, ..] = place.rotation.map(T::from_f64);
        Some(Pose2::from_cos_sin(
            cos,
            sin,
            Vec2::from_f64(place.translation),
        ))
    }
}
