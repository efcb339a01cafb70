//! What holds of every manifold: the checker's facts, for pairs of every kind.

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, Space, random_pose_near, random_shape};
use gjk::query::{ManifoldOptions, manifold};
use gjk::verify::verify_manifold;
use gjk::{Scalar, Vec2, Vec3};

fn checked<V: Space>(seed: u64, cases: usize) -> usize {
    let mut rng = Rng(seed);
    let mut points = 0;
    for case in 0..cases {
        let (a, b) = (
            random_shape::<V>(&mut rng, ALL, 1.0),
            random_shape::<V>(&mut rng, ALL, 1.0),
        );
        let (pose_a, pose_b) = (
            V::random_pose(&mut rng, 0.5),
            random_pose_near::<V>(&mut rng),
        );
        let options = ManifoldOptions::default()
            .with_prediction(V::Scalar::from_f64([0.0, 0.1, 3.0][case % 3]))
            .with_points_max([4, 64, 1][case / 3 % 3]);
        let found = manifold(&a, &pose_a, &b, &pose_b, &options);
        points += found.points.len();
        let checked = verify_manifold(&a, &pose_a, &b, &pose_b, &options, &found);
        checked.unwrap_or_else(|error| {
            panic!(
                "{} {case}: {error}\n{a:?}\n{pose_a:?}\n{b:?}\n{pose_b:?}\n{found:?}",
                V::NAME
            )
        });
    }
    points
}

#[test]
fn the_checker_objects_to_no_manifold() {
    let points = [
        checked::<Vec2<f32>>(1, 2000),
        checked::<Vec2<f64>>(2, 2000),
        checked::<Vec3<f32>>(3, 2000),
        checked::<Vec3<f64>>(4, 2000),
    ];
    assert!(points.iter().all(|&count| count > 1000), "{points:?}");
}
