//! Laws: exchanged bodies, exact motions, powers of two, permuted vertices and small motions change no name.

use crate::oracle::Rng;
use crate::resting::{Resting, prism, resting, resting_2};
use gjk::query::{Manifold, ManifoldOptions, manifold};
use gjk::shape::{Polytope, Shape};
use gjk::verify::verify_manifold;
use gjk::{Pose, Pose3, Scalar, Vec3, Vector};
use std::collections::BTreeSet;

pub(crate) fn options<S: Scalar>() -> ManifoldOptions<S> {
    ManifoldOptions::default()
        .with_prediction(S::from_f64(0.05))
        .with_all_points()
}

fn ask<V: Vector>(pair: &Resting<V>, options: &ManifoldOptions<V::Scalar>) -> Manifold<V> {
    let [a, b] = &pair.shapes;
    let found = manifold(a, &pair.poses[0], b, &pair.poses[1], options);
    let checked = verify_manifold(a, &pair.poses[0], b, &pair.poses[1], options, &found);
    checked.unwrap_or_else(|error| panic!("{error}\n{pair:?}\n{found:?}"));
    found
}

fn ids<V: Vector>(found: &Manifold<V>) -> BTreeSet<u64> {
    found.points.iter().map(|point| point.id).collect()
}

const GAPS: [f64; 4] = [0.02, 0.0, -0.01, -0.1];

#[test]
fn exchanged_bodies_have_the_same_points() {
    let mut rng = Rng(31);
    for case in 0..1500 {
        let pair = resting::<f64>(&mut rng, GAPS[case % 4]);
        for options in [options(), options().with_points_max(4)] {
            let found = ask(&pair, &options);
            let [a, b] = pair.shapes.clone();
            let exchanged = Resting {
                shapes: [b, a],
                poses: [pair.poses[1], pair.poses[0]],
            };
            let other = ask(&exchanged, &options);
            let expected: BTreeSet<u64> =
                found.points.iter().map(|p| found.exchanged_id(p)).collect();
            let away = (found.contact.normal + other.contact.normal).norm();
            if away > 1e-12 {
                continue; // two nearest faces: contact may choose either
            }
            assert_eq!(
                ids(&other),
                expected,
                "{case} {pair:?}\n{found:?}\n{other:?}"
            );
            assert!((found.area - other.area).abs() < 1e-12);
        }
    }
}

#[test]
fn quarter_turns_and_powers_of_two_keep_the_ids() {
    let mut rng = Rng(32);
    let quarter = Pose3::from_columns(
        [
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(1.0, 0.0, 0.0),
        ],
        Vec3::ZERO,
    );
    for case in 0..1500 {
        let pair = resting::<f64>(&mut rng, GAPS[case % 4]);
        let found = ask(&pair, &options());
        let turned = Resting {
            poses: pair.poses.map(|pose| quarter.compose(&pose)),
            shapes: pair.shapes.clone(),
        };
        let other = ask(&turned, &options());
        let expected = quarter.vector(found.contact.normal);
        if (other.contact.normal - expected).norm() < 1e-12 {
            assert_eq!(
                ids(&other),
                ids(&found),
                "{case} {pair:?}\n{found:?}\n{other:?}"
            );
        }
        for power in [40, -300] {
            let scaled = Resting {
                poses: pair.poses.map(|pose| pose.scaled_by_power(power)),
                shapes: pair.shapes.clone(),
            };
            let far = options().with_prediction(0.05.scale_by_power(power));
            let other = ask(&scaled, &far);
            if other.contact.normal == found.contact.normal {
                assert_eq!(ids(&other), ids(&found), "{case} 2^{power} {pair:?}");
            }
        }
    }
}

/// A box's corners in another order are the same manifold in other words.
#[test]
fn the_order_of_vertices_does_not_matter() {
    let mut rng = Rng(33);
    for case in 0..500 {
        let mut pair = resting::<f64>(&mut rng, GAPS[case % 4]);
        let Shape::Polytope(hull) = prism::<f64>(rng.below(9) as u32 + 3, 0.5, 0.3) else {
            panic!("a prism is a polytope");
        };
        let mut points = hull.vertices().to_vec();
        pair.shapes[0] = hull.into();
        let found = ask(&pair, &options());
        for k in (1..points.len()).rev() {
            points.swap(k, rng.below(k as u64 + 1) as usize);
        }
        pair.shapes[0] = Polytope::new(&points).unwrap().into();
        let other = ask(&pair, &options());
        if (found.contact.normal - other.contact.normal).norm() > 1e-12 {
            continue;
        }
        assert_eq!(found.points.len(), other.points.len(), "{case} {pair:?}");
        for point in &found.points {
            let same = other
                .points
                .iter()
                .any(|p| (p.point_a - point.point_a).norm() < 1e-12);
            assert!(same, "{case} {point:?} {other:?}");
        }
    }
}

/// A motion of 1e-9 changes names only where the combinatorics are within it: a corner near a side, a separation near the prediction.
#[test]
fn a_small_motion_keeps_the_ids() {
    let mut rng = Rng(34);
    let (mut kept, mut changed) = (0, 0);
    for case in 0..1500 {
        let mut pair = resting::<f64>(&mut rng, GAPS[case % 4]);
        let found = ask(&pair, &options());
        let step = rng.direction(3).map(|x| x * 1e-9);
        pair.poses[1] = Pose::from_translation(Vec3::from_f64(step)).compose(&pair.poses[1]);
        let other = ask(&pair, &options());
        if ids(&found) == ids(&other) {
            kept += 1;
        } else {
            changed += 1;
        }
    }
    // Level faces of equal sides that are turned by nothing are within it by construction.
    assert!(changed * 50 < kept, "{changed} of {kept}");
}

#[test]
fn pairs_in_the_plane_have_two_points_at_most() {
    let mut rng = Rng(35);
    let mut twos = 0;
    for case in 0..3000 {
        let pair = resting_2::<f64>(&mut rng, GAPS[case % 4]);
        let found = ask(&pair, &options());
        assert!(found.points.len() <= 2);
        if let [first, second] = found.points[..] {
            twos += 1;
            let left = found.contact.normal.perp();
            assert!((second.point_a - first.point_a).dot(left) > 0.0, "{pair:?}");
        }
        let single = resting_2::<f32>(&mut rng, GAPS[case % 4]);
        ask(&single, &options());
        ask(&resting::<f32>(&mut rng, GAPS[case % 4]), &options());
    }
    assert!(twos > 1500, "{twos}");
}
