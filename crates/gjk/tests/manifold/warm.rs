//! A warm manifold is the cold one, to the last bit: along motions of any size, and with a cache of other bodies.

use crate::oracle::Rng;
use crate::resting::{cuboid, resting, resting_2};
use gjk::query::{ManifoldCache, ManifoldOptions, manifold, manifold_warm};
use gjk::shape::Shape;
use gjk::{Pose, Pose2, Pose3, Scalar, Vec2, Vec3, Vector};

/// How far a body moves in a step at most, in length and in half an angle.
const STRIDES: [f64; 5] = [0.0, 1e-12, 1e-5, 2e-3, 0.05];

type Nudge<V> = fn(&mut Rng, f64) -> Pose<V>;

fn nudge_in_space(rng: &mut Rng, stride: f64) -> Pose3<f64> {
    let mut by = || rng.range(-stride, stride);
    let q = [by(), by(), by(), 1.0];
    Pose3::from_quaternion(q, Vec3::new(by(), by(), by())).unwrap()
}

fn nudge_in_the_plane(rng: &mut Rng, stride: f64) -> Pose2<f64> {
    let mut by = || rng.range(-stride, stride);
    Pose2::from_angle(by(), Vec2::new(by(), by()))
}

/// Asks for a pair at poses of its scalar, cold and with the cache.
fn agrees<V: Vector>(
    shapes: &[Shape<V>; 2],
    poses: &[Pose<V>; 2],
    options: &ManifoldOptions<V::Scalar>,
    cache: &mut ManifoldCache<u32>,
) {
    let [a, b] = shapes;
    let [pose_a, pose_b] = poses;
    let cold = manifold(a, pose_a, b, pose_b, options);
    let warm = manifold_warm(a, pose_a, b, pose_b, options, cache);
    assert_eq!(cold, warm, "{shapes:?} {poses:?}");
    let bits = |x: V| x.to_f64().map(f64::to_bits);
    for (cold, warm) in cold.points.iter().zip(&warm.points) {
        assert_eq!(bits(cold.point_a), bits(warm.point_a));
        assert_eq!(bits(cold.point_b), bits(warm.point_b));
    }
}

fn options<S: Scalar>(rng: &mut Rng) -> ManifoldOptions<S> {
    let prediction = [0.0, 0.02, 1.0][rng.below(3) as usize];
    let options = ManifoldOptions::default().with_prediction(S::from_f64(prediction));
    match rng.below(4) {
        0 => options.with_points_max(1 + rng.below(8) as u32),
        1 => options.with_all_points(),
        _ => options,
    }
}

/// A walk of a pair, whose poses are in double precision; now and then the cache is one of other bodies.
fn walk<V, W>(
    rng: &mut Rng,
    shapes: &[Shape<V>; 2],
    mut poses: [Pose<W>; 2],
    nudge: Nudge<W>,
    cache: &mut ManifoldCache<u32>,
) where
    V: Vector<Wide = W>,
    W: Vector<Scalar = f64>,
{
    let options = options(rng);
    let stride = STRIDES[rng.below(5) as usize];
    for _ in 0..8 {
        let k = rng.below(2) as usize;
        poses[k] = poses[k].compose(&nudge(rng, stride));
        let own = poses.each_ref().map(|pose| pose.lift());
        agrees(shapes, &own, &options, cache);
        if rng.below(4) == 0 {
            // The whole world turns: what is relative stays.
            let world = nudge(rng, 1.0);
            poses = poses.map(|pose| world.compose(&pose));
        }
    }
}

fn boxes<T: Scalar>(rng: &mut Rng) -> [Shape<Vec3<T>>; 2] {
    [0, 1].map(|_| cuboid([(); 3].map(|()| rng.range(0.2, 1.0))))
}

fn walks_in_space<T: Scalar>(seed: u64, pairs: usize) {
    let mut rng = Rng(seed);
    let mut cache = ManifoldCache::default();
    for case in 0..pairs {
        let gap = rng.range(-0.05, 0.02);
        let mut pair = resting::<T>(&mut rng, gap);
        if case % 3 != 0 {
            pair.shapes = boxes(&mut rng);
            let heights = pair.shapes.each_ref().map(|shape| match shape {
                Shape::Cuboid(cuboid) => cuboid.half_extents().to_f64()[2],
                _ => 0.0,
            });
            let turn = rng.range(0.0, 6.0);
            let lean = rng.range(-1e-2, 1e-2);
            let q = [lean, 0.0, (0.5_f64 * turn).sin(), (0.5_f64 * turn).cos()];
            let shift = [
                rng.range(-0.7, 0.7),
                rng.range(-0.7, 0.7),
                heights[0] + heights[1] + gap,
            ];
            let world = nudge_in_space(&mut rng, 1.0);
            let above = Pose3::from_quaternion(q, Vec3::from_f64(shift)).unwrap();
            pair.poses = [world.lift(), world.compose(&above).lift()];
        }
        let poses = pair.poses.each_ref().map(|pose| pose.lift());
        walk(&mut rng, &pair.shapes, poses, nudge_in_space, &mut cache);
    }
}

fn walks_in_the_plane<T: Scalar>(seed: u64, pairs: usize) {
    let mut rng = Rng(seed);
    let mut cache = ManifoldCache::default();
    for _ in 0..pairs {
        let gap = rng.range(-0.05, 0.02);
        let pair = resting_2::<T>(&mut rng, gap);
        let poses = pair.poses.each_ref().map(|pose| pose.lift());
        walk(
            &mut rng,
            &pair.shapes,
            poses,
            nudge_in_the_plane,
            &mut cache,
        );
    }
}

#[test]
fn a_warm_manifold_is_the_cold_one() {
    walks_in_space::<f64>(1, 900);
    walks_in_space::<f32>(2, 900);
}

#[test]
fn a_warm_manifold_is_the_cold_one_in_the_plane() {
    walks_in_the_plane::<f64>(3, 600);
    walks_in_the_plane::<f32>(4, 600);
}
