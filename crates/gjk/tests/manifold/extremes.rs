//! Sizes and places near the ends of the range: no panic, no NaN, and the checker's facts.

use crate::laws::options;
use crate::oracle::Rng;
use crate::resting::{cuboid, resting};
use gjk::query::{ManifoldOptions, manifold};
use gjk::shape::{Polytope, Shape};
use gjk::verify::verify_manifold;
use gjk::{Pose, Pose3, Scalar, Vec2, Vec3, Vector};

fn sound<V: Vector>(
    shapes: [&Shape<V>; 2],
    poses: [Pose<V>; 2],
    options: &ManifoldOptions<V::Scalar>,
) -> usize {
    let found = manifold(shapes[0], &poses[0], shapes[1], &poses[1], options);
    let checked = verify_manifold(shapes[0], &poses[0], shapes[1], &poses[1], options, &found);
    checked.unwrap_or_else(|error| panic!("{error}\n{shapes:?}\n{poses:?}\n{found:?}"));
    assert!(found.area >= V::Scalar::from_f64(0.0), "{found:?}");
    for point in &found.points {
        assert!(
            point.point_a.is_finite() && point.point_b.is_finite(),
            "{found:?}"
        );
    }
    found.points.len()
}

#[test]
fn every_size_from_subnormal_to_huge() {
    let mut rng = Rng(51);
    for power in [-1060, -1020, -700, -140, 100, 400, 700, 1000] {
        for gap in [0.01, 0.0, -0.01] {
            for _ in 0..20 {
                let pair = resting::<f64>(&mut rng, gap);
                let poses = pair.poses.map(|pose| pose.scaled_by_power(power));
                let near = options().with_prediction(0.05.scale_by_power(power));
                sound(pair.shapes.each_ref(), poses, &near);
                let small = resting::<f32>(&mut rng, gap);
                let power = power / 8;
                let poses = small.poses.map(|pose| pose.scaled_by_power(power));
                let near = options().with_prediction(0.05f32.scale_by_power(power));
                sound(small.shapes.each_ref(), poses, &near);
            }
        }
    }
}

#[test]
fn far_from_the_origin_and_of_very_different_sizes() {
    let mut rng = Rng(52);
    for far in [1e3, 1e9, 1e15, 1e300] {
        for _ in 0..50 {
            let pair = resting::<f64>(&mut rng, 0.0);
            let there: Pose3<f64> = Pose::from_translation(Vec3::new(far, -far, 0.5 * far));
            sound(
                pair.shapes.each_ref(),
                pair.poses.map(|pose| there.compose(&pose)),
                &options(),
            );
        }
    }
    for (large, small) in [(1e6, 1e-6), (1e100, 1e-9)] {
        let (plate, grain) = (cuboid::<Vec3<f64>>([large, large, 1.0]), cuboid([small; 3]));
        let above = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0));
        let points = sound([&plate, &grain], [Pose::identity(), above], &options());
        assert!(points >= 1);
    }
}

/// Needles, plates, flat hulls, doubled and nearly doubled vertices.
#[test]
fn bodies_that_are_nearly_none() {
    let mut rng = Rng(53);
    let plate = |points: &[[f64; 3]]| -> Shape<Vec3<f64>> {
        Polytope::new(
            &points
                .iter()
                .map(|&x| Vec3::from_f64(x))
                .collect::<Vec<_>>(),
        )
        .unwrap()
        .into()
    };
    let shapes = [
        plate(&[[0.0; 3]]),
        plate(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        plate(&[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]),
        plate(&[
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 0.0],
        ]),
        plate(&[
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 1e-16],
            [1.0, 1.0, 0.0],
            [-1.0, 1.0, 1e-17],
            [1.0, 1.0, -1e-17],
        ]),
        plate(&[
            [0.0, 0.0, -1.0],
            [0.0, 0.0, 1.0],
            [1e-15, 0.0, 0.0],
            [0.0, 1e-15, 0.0],
            [-1e-15, -1e-15, 0.0],
        ]),
        cuboid([1e-12, 1.0, 1.0]),
        cuboid([1.0, 1e-9, 1e-9]),
    ];
    for _ in 0..40 {
        for a in &shapes {
            for b in &shapes {
                let turned = rng.below(2) == 0;
                let q = if turned {
                    rng.quaternion()
                } else {
                    [0.0, 0.0, 0.0, 1.0]
                };
                let at = Vec3::from_f64([0.0, 0.0, [0.0, 1e-3][rng.below(2) as usize]]);
                let pose = Pose3::from_quaternion(q, at).unwrap();
                sound(
                    [a, b],
                    [Pose::identity(), pose],
                    &options().with_prediction(9.0),
                );
            }
        }
    }
}

#[test]
fn a_body_that_leaves_the_range_has_no_points() {
    let square = cuboid::<Vec2<f64>>([1e300; 3]);
    let far = Pose::from_translation(Vec2::new(1e300, 0.0)).scaled_by_power(40);
    assert_eq!(
        sound([&square, &square], [far, Pose::identity()], &options()),
        0
    );
}
