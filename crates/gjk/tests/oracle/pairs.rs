//! Seeded random pairs over all shapes, generic over dimension and scalar.

use super::Rng;
use gjk::shape::{
    Ball, Capsule, Cuboid, Ellipsoid, HullOf, Point, Polytope, Rounded, Segment, Shape, Sum,
    Triangle,
};
use gjk::{Axis, NO_ID, Pose, Posed, Scalar, Support, Vec2, Vec3, Vector};

/// What a test needs to know of a dimension to make random bodies in it.
pub trait Space: Vector {
    fn random_pose(rng: &mut Rng, spread: f64) -> Pose<Self>;
    /// A cylinder or cone; an ellipse where there is none.
    fn random_solid(rng: &mut Rng, size: f64) -> Shape<Self>;
    const NAME: &'static str;
}

impl<T: Scalar> Space for Vec2<T> {
    fn random_pose(rng: &mut Rng, spread: f64) -> Pose<Self> {
        let angle = T::from_f64(rng.range(-3.2, 3.2));
        Pose::from_angle(angle, random_vector(rng, spread))
    }
    fn random_solid(rng: &mut Rng, size: f64) -> Shape<Self> {
        Ellipsoid::new(positive_vector(rng, size))
            .expect("positive")
            .into()
    }
    const NAME: &'static str = if T::ROUNDING_IS_SINGLE {
        "2D f32"
    } else {
        "2D f64"
    };
}

impl<T: Scalar> Space for Vec3<T> {
    fn random_pose(rng: &mut Rng, spread: f64) -> Pose<Self> {
        let q = rng.quaternion().map(T::from_f64);
        Pose::from_quaternion(q, random_vector(rng, spread)).expect("unit")
    }
    fn random_solid(rng: &mut Rng, size: f64) -> Shape<Self> {
        let (h, r) = (
            T::from_f64(rng.range(0.1, 1.0) * size),
            T::from_f64(rng.range(0.1, 1.0) * size),
        );
        let axis = Axis::ALL[rng.below(3) as usize];
        match rng.below(3) {
            0 => gjk::shape::Cylinder::new(h, r, axis)
                .expect("positive")
                .into(),
            1 => gjk::shape::Cone::new(h, r, axis).expect("positive").into(),
            _ => Ellipsoid::new(positive_vector(rng, size))
                .expect("positive")
                .into(),
        }
    }
    const NAME: &'static str = if T::ROUNDING_IS_SINGLE {
        "3D f32"
    } else {
        "3D f64"
    };
}

/// Names the scalar at compile time.
trait Single {
    const ROUNDING_IS_SINGLE: bool;
}
impl<T: Scalar> Single for T {
    const ROUNDING_IS_SINGLE: bool = core::mem::size_of::<T>() == 4;
}

pub fn random_vector<V: Vector>(rng: &mut Rng, spread: f64) -> V {
    V::from_fn(|_| V::Scalar::from_f64(rng.range(-spread, spread)))
}

fn positive_vector<V: Vector>(rng: &mut Rng, size: f64) -> V {
    V::from_fn(|_| V::Scalar::from_f64(rng.range(0.1, 1.0) * size))
}

fn cloud<V: Vector>(rng: &mut Rng, n: u64, size: f64) -> Vec<V> {
    (0..n).map(|_| random_vector(rng, size)).collect()
}

/// Shape kinds that are hulls of numbered vertices without radius.
pub const SHARP: u64 = 6;
/// Shape kinds with a polytope core.
pub const EXACT: u64 = 11;
/// All shape kinds.
pub const ALL: u64 = 14;

/// A random shape of one of the first `kinds` kinds, of about `size`.
pub fn random_shape<V: Space>(rng: &mut Rng, kinds: u64, size: f64) -> Shape<V> {
    let s = |rng: &mut Rng| V::Scalar::from_f64(rng.range(0.1, 1.0) * size);
    match rng.below(kinds) {
        0 => Point::new(random_vector(rng, size)).expect("finite").into(),
        1 => Segment::new(random_vector(rng, size), random_vector(rng, size))
            .expect("finite")
            .into(),
        2 => {
            let [a, b, c] = core::array::from_fn(|_| random_vector(rng, size));
            Triangle::new(a, b, c).expect("finite").into()
        }
        3 => Cuboid::new(positive_vector(rng, size))
            .expect("positive")
            .into(),
        4 => Polytope::new(&cloud(rng, 12, size)).expect("finite").into(),
        5 => {
            let parts = [
                random_shape(rng, 5, size * 0.5),
                random_shape(rng, 5, size * 0.5),
            ];
            let [x, y] = parts;
            if rng.below(2) == 0 {
                Sum::new(x, y).into()
            } else {
                HullOf::new(vec![x, y]).expect("two").into()
            }
        }
        6 => Ball::new(s(rng)).expect("positive").into(),
        7 | 8 => {
            let (h, r) = (s(rng), s(rng));
            Capsule::new(h, r, Axis::ALL[rng.below(V::DIM as u64) as usize])
                .expect("positive")
                .into()
        }
        9 | 10 => Rounded::new(random_shape(rng, SHARP, size * 0.7), s(rng))
            .expect("positive")
            .into(),
        11 | 12 => V::random_solid(rng, size),
        _ => {
            let parts = vec![
                random_shape(rng, EXACT, size * 0.6),
                V::random_solid(rng, size * 0.6),
            ];
            HullOf::new(parts).expect("two").into()
        }
    }
}

/// The vertices of a core in the world, in `f64`, by the documented formula, and the radius.
pub fn world_core<V: Vector>(shape: &Shape<V>, pose: &Pose<V>) -> Option<(Vec<[f64; 3]>, f64)> {
    let core = shape.core();
    let n = core.vertex_count?;
    let scale = pose.uniform_scale()?.to_f64();
    let columns: Vec<[f64; 3]> = pose.columns().iter().map(|c| c.to_f64()).collect();
    let t = pose.translation().to_f64();
    let vertex = |id: u32| {
        let x = shape.vertex(id).expect("numbered").to_f64();
        core::array::from_fn(|row| {
            let mut sum = columns[0][row] * x[0];
            for k in 1..V::DIM {
                sum += columns[k][row] * x[k];
            }
            sum + t[row]
        })
    };
    Some(((0..n).map(vertex).collect(), core.radius * scale))
}

/// The signed distance of a smooth pair by direct search: the largest `−h(n)` over unit directions, from many starts.
///
/// `h(n)` is the support height of `A − B`; the signed distance of convex bodies is `max −h(n)`. Any `n` gives a lower
/// bound, so the search can only be short of the truth.
pub fn searched<V: Vector>(
    a: &Shape<V>,
    pose_a: &Pose<V>,
    b: &Shape<V>,
    pose_b: &Pose<V>,
    start: V,
    rng: &mut Rng,
) -> f64 {
    let (posed_a, posed_b) = (Posed::new(a, *pose_a), Posed::new(b, *pose_b));
    let radii = posed_a.radius() + posed_b.radius();
    let value = |n: [f64; 3]| -> f64 {
        let n = V::Wide::from_f64(n);
        let height =
            posed_a.support(n, NO_ID).point.dot(n) - posed_b.support(-n, NO_ID).point.dot(n);
        -height / n.norm() - radii
    };
    let mut best = f64::NEG_INFINITY;
    let mut starts: Vec<[f64; 3]> = (0..6).map(|_| rng.direction(V::DIM)).collect();
    starts.push(start.to_f64());
    for mut n in starts {
        let mut here = value(n);
        let mut step = 0.5;
        while step > 1e-9 {
            let mut improved = false;
            for _ in 0..12 {
                let d = rng.direction(V::DIM);
                let moved: [f64; 3] = core::array::from_fn(|k| n[k] + step * d[k]);
                let length = super::norm(moved);
                let moved = moved.map(|x| x / length);
                let there = value(moved);
                if there > here {
                    (n, here, improved) = (moved, there, true);
                }
            }
            if !improved {
                step *= 0.5;
            }
        }
        best = best.max(here);
    }
    best
}

/// A pose of a random rotation whose translation makes about half of the pairs overlap.
pub fn random_pose_near<V: Space>(rng: &mut Rng) -> Pose<V> {
    V::random_pose(rng, 1.0)
}
