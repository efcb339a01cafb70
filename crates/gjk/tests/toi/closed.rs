//! Answers by closed forms: a bar that swings into a floor and through it, a ball on an arm, corners, many turns.

use crate::scene::{Turned, asked};
use gjk::query::{CastAnswer, Meeting, Twist};
use gjk::shape::{Ball, Cuboid, Cylinder, Ellipsoid};
use gjk::{Axis, Pose, Scalar, Vec2, Vec3, Vector};

type V = Vec2<f64>;

/// A floor whose top is at the height 0.
fn floor() -> Turned<V> {
    let shape = Cuboid::new(Vec2::new(10.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(Vec2::new(0.0, -1.0)))
}

/// A bar of the half length 1 at a height, at an angle, that spins.
fn bar(thickness: f64, angle: f64, height: f64, rate: f64) -> Turned<V> {
    let shape = Cuboid::new(Vec2::new(1.0, thickness)).unwrap();
    let pose = Pose::from_angle(angle, Vec2::new(0.0, height));
    Turned::at(shape, pose).moved(Vec2::ZERO, [0.0, 0.0, rate], Vec2::ZERO)
}

/// The interval holds a time, and is as narrow as told.
fn near<V: Vector>(answer: &CastAnswer<V>, time: f64, width: f64, truth: f64) {
    assert_eq!(answer.verdict, Meeting::Hits, "{answer:?}");
    let found = answer.time.unwrap();
    let (lower, upper) = (found.lower.to_f64(), found.upper.to_f64());
    assert!(lower - truth <= time && time <= upper + truth, "{answer:?}: {time}");
    assert!(upper - lower <= width, "{answer:?}");
    println!("{:e} wide after {} distances, {}", upper - lower, answer.iterations, answer.stop.name());
}

/// `sin φ + h·cos φ = H` at the lowest corner.
fn angle_of_contact(thickness: f64, height: f64) -> f64 {
    (height / 1.0f64.hypot(thickness)).asin() - thickness.atan()
}

/// Both ends of the motion are clear of the floor. box2d, box3d and parry's port of it answer that nothing is met.
#[test]
fn a_bar_that_swings_through_a_floor_hits_it() {
    for (height, sweep) in [(0.9, 3.14), (0.95, 2.5), (0.999, 3.0), (0.5, 12.0), (0.9, 400.0)] {
        let (from, rate) = (-0.3, -sweep);
        let answer = asked(&floor(), &bar(0.05, from, height, rate), &Default::default());
        let time = (angle_of_contact(0.05, height) + from) / sweep;
        near(&answer, time, 2e-12, 1e-14);
        assert_eq!(answer.normal.unwrap().y, 1.0);
        assert!(answer.point_b.unwrap().y.abs() < 1e-12);
    }
}

#[test]
fn a_bar_that_clears_the_floor_is_free_for_many_turns() {
    for clear in [1e-1, 1e-3, 1e-6, 1e-9] {
        for sweep in [3.0, 40.0] {
            let height = 1.0f64.hypot(0.05) + clear;
            let answer = asked(&floor(), &bar(0.05, 0.1, height, sweep), &Default::default());
            println!("clear by {clear}, {sweep} rad: {} distances", answer.iterations);
            assert_eq!(answer.verdict, Meeting::Free, "{answer:?}");
        }
    }
}
