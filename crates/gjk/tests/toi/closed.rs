//! Answers by closed forms: a bar that swings into a floor and through it, a ball on an arm, corners, many turns.

use crate::scene::{Turned, asked, verified};
use gjk::query::{CastAnswer, Meeting, ToiOptions, Twist};
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
    assert!(
        lower - truth <= time && time <= upper + truth,
        "{answer:?}: {time}"
    );
    assert!(upper - lower <= width, "{answer:?}");
}

/// `sin φ + h·cos φ = H` at the lowest corner.
fn angle_of_contact(thickness: f64, height: f64) -> f64 {
    (height / 1.0f64.hypot(thickness)).asin() - thickness.atan()
}

/// Both ends of the motion are clear of the floor. box2d, box3d and parry's port of it answer that nothing is met.
#[test]
fn a_bar_that_swings_through_a_floor_hits_it() {
    for (height, sweep) in [
        (0.9, 3.125),
        (0.95, 2.5),
        (0.999, 3.0),
        (0.5, 12.0),
        (0.9, 400.0),
    ] {
        let (from, rate) = (-0.3, -sweep);
        let answer = verified(
            &floor(),
            &bar(0.05, from, height, rate),
            &Default::default(),
        )
        .answer;
        let time = (angle_of_contact(0.05, height) + from) / sweep;
        near(&answer, time, 2e-12, 1e-14);
        assert_eq!(answer.normal.unwrap().y, 1.0);
        assert!(answer.point_b.unwrap().y.abs() < 1e-12 * sweep);
    }
}

/// The tangent of half the angle is a fraction of the time: `t·s/(1 − t·(1 − c))`, with the sine and cosine of half the whole turn.
#[test]
fn a_bar_that_swings_by_nlerp_hits_when_its_angle_says() {
    for (height, sweep) in [(0.9, 3.125), (0.95, 2.5), (0.999, 3.0), (0.5, 0.5)] {
        let from = Pose::from_angle(-0.3, Vec2::new(0.0, height));
        let to = Pose::from_angle(-0.3 - sweep, Vec2::new(0.0, height));
        let twist = Twist::nlerp(&from, &to, Vec2::ZERO).unwrap();
        let bar = Turned {
            twist,
            ..bar(0.05, -0.3, height, 0.0)
        };
        let answer = verified(&floor(), &bar, &Default::default()).answer;
        let (sine, cosine) = (0.5 * sweep).sin_cos();
        let part = (0.5 * (angle_of_contact(0.05, height) - 0.3)).tan();
        near(&answer, part / (sine + part * (1.0 - cosine)), 4e-12, 4e-15);
        // Past the end it goes on alike, and turns to the other side at last.
        let longer = ToiOptions::default().with_max_time(50.0).unwrap();
        let again = verified(&floor(), &bar, &longer).answer;
        assert_eq!(again.verdict, Meeting::Hits);
    }
    // Straight up at both ends and in the middle as near as a hair.
    for clear in [1e-2, 1e-6, 1e-9, -1e-6] {
        let height = 1.0f64.hypot(0.05) + clear;
        let [from, to] = [0.2, 2.9].map(|x| Pose::from_angle(x, Vec2::new(0.0, height)));
        let twist = Twist::nlerp(&from, &to, Vec2::ZERO).unwrap();
        let bar = Turned {
            twist,
            ..bar(0.05, 0.2, height, 0.0)
        };
        let answer = verified(&floor(), &bar, &Default::default()).answer;
        let right = if clear > 0.0 {
            Meeting::Free
        } else {
            Meeting::Hits
        };
        assert_eq!(answer.verdict, right, "{clear}: {answer:?}");
    }
}

#[test]
fn a_bar_that_clears_the_floor_is_free_for_many_turns() {
    for clear in [1e-1, 1e-3, 1e-6, 1e-9] {
        for sweep in [3.0, 40.0] {
            let height = 1.0f64.hypot(0.05) + clear;
            let (floor, bar) = (floor(), bar(0.05, 0.1, height, sweep));
            let answer = verified(&floor, &bar, &Default::default()).answer;
            assert_eq!(answer.verdict, Meeting::Free, "{answer:?}");
        }
    }
}

/// Twice the same bar, held at its other end: an arm that turns about a far centre.
#[test]
fn a_ball_on_an_arm_hits_where_its_circle_does() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    // Its centre is on a circle of the radius 5 about the origin; the wall is at x = 3, the ball's radius 0.5.
    let wall = Turned::at(
        Cuboid::new(Vec3::new(1.0, 20.0, 20.0)).unwrap(),
        Pose::from_translation(Vec3::new(-4.0, 0.0, 0.0)),
    );
    let arm = Turned::at(
        Ball::new(0.5).unwrap(),
        Pose::from_translation(Vec3::new(5.0, 0.0, 0.0)),
    );
    for rate in [3.0, 30.0, -3.0] {
        let ball = arm
            .clone()
            .moved(zero, [0.0, 0.0, rate], Vec3::new(-5.0, 0.0, 0.0));
        let answer = verified(&wall, &ball, &Default::default()).answer;
        // 5·cos φ = −3 + 0.5.
        near(&answer, (-2.5f64 / 5.0).acos() / rate.abs(), 2e-12, 1e-14);
        assert!((answer.normal.unwrap() - Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-9);
    }
}

/// A cube stands on a corner's path: about its vertical diagonal nothing changes, about a level axis the corner swings down.
#[test]
fn a_cube_tips_over_and_its_edge_hits_the_ground() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let ground = Turned::at(
        Cuboid::new(Vec3::new(9.0, 9.0, 1.0)).unwrap(),
        Pose::from_translation(Vec3::new(0.0, 0.0, -1.0)),
    );
    let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    let at = |height: f64| Turned::at(cube, Pose::from_translation(Vec3::new(0.0, 0.0, height)));
    // cos φ + sin φ = √2·cos(φ − 45°) = H.
    for height in [1.1, 1.3, 1.41] {
        let turned = at(height).moved(zero, [0.9, 0.0, 0.0], zero);
        let answer = verified(&ground, &turned, &Default::default()).answer;
        let truth = (std::f64::consts::FRAC_PI_4 - (height / 2f64.sqrt()).acos()) / 0.9;
        near(&answer, truth, 4e-12, 1e-14);
    }
    let turned = at(1.4143).moved(zero, [0.9, 0.0, 0.0], zero);
    let options = ToiOptions::default().with_max_time(10.0).unwrap();
    assert_eq!(
        verified(&ground, &turned, &options).answer.verdict,
        Meeting::Free
    );
    // A screw: it turns about the way it moves, which changes nothing.
    let screw = at(3.0).moved(Vec3::new(0.0, 0.0, -4.0), [0.0, 0.0, 50.0], zero);
    near(
        &verified(&ground, &screw, &Default::default()).answer,
        0.5,
        4e-12,
        1e-14,
    );
}

/// Smooth bodies that turn about themselves: a cylinder rolls, an ellipsoid tumbles.
#[test]
fn smooth_bodies_that_turn() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let ground = Turned::at(
        Cuboid::new(Vec3::new(9.0, 9.0, 1.0)).unwrap(),
        Pose::from_translation(Vec3::new(0.0, 0.0, -1.0)),
    );
    // A cylinder of the radius 0.5 about y falls 1 while it turns.
    let cylinder = Cylinder::new(1.0, 0.5, Axis::Y).unwrap();
    let wheel = Turned::at(cylinder, Pose::from_translation(Vec3::new(0.0, 0.0, 1.5)));
    let wheel = wheel.moved(Vec3::new(1.0, 0.0, -2.0), [0.0, 7.0, 0.0], zero);
    near(
        &asked(&ground, &wheel, &Default::default()),
        0.5,
        1e-11,
        1e-14,
    );
    // An ellipsoid with the half axes 2, 1 and 1 at the height 1.5: √(4·sin² + cos²) = 1.5.
    let egg = Ellipsoid::new(Vec3::new(2.0, 1.0, 1.0)).unwrap();
    let egg = Turned::at(egg, Pose::from_translation(Vec3::new(0.0, 0.0, 1.5)));
    let egg = egg.moved(zero, [0.0, 3.0, 0.0], zero);
    let truth = (1.25f64 / 3.0).sqrt().asin() / 3.0;
    near(
        &asked(&ground, &egg, &Default::default()),
        truth,
        1e-7,
        1e-14,
    );
}

/// Nothing turns: the answer holds the exact one.
#[test]
fn without_turns_it_is_a_cast() {
    let cube = || Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let here = Turned::at(cube(), Pose::identity());
    let pose = Pose::from_translation(Vec3::new(5.0, 0.5, 0.25));
    let there = Turned::at(cube(), pose).moved(Vec3::new(-6.0, 0.0, 0.0), [0.0; 3], zero);
    near(
        &verified(&here, &there, &Default::default()).answer,
        0.5,
        2e-12,
        0.0,
    );
    let misses = there
        .clone()
        .moved(Vec3::new(-6.0, 5.0, 0.0), [0.0; 3], zero);
    assert_eq!(
        verified(&here, &misses, &Default::default()).answer.verdict,
        Meeting::Free
    );
    let rests = Turned {
        twist: Twist::rest(),
        ..there
    };
    assert_eq!(
        verified(&here, &rests, &Default::default()).answer.verdict,
        Meeting::Free
    );
}

/// In single precision the same bodies have the same times, to its roundings.
#[test]
fn single_precision_is_answered_to_its_roundings() {
    let floor = Turned::at(
        Cuboid::new(Vec2::new(10.0_f32, 1.0)).unwrap(),
        Pose::from_translation(Vec2::new(0.0, -1.0)),
    );
    let bar = Turned::at(
        Cuboid::new(Vec2::new(1.0_f32, 0.0625)).unwrap(),
        Pose::from_translation(Vec2::new(0.0, 0.75)),
    );
    let bar = bar.moved(Vec2::ZERO, [0.0, 0.0, -3.0], Vec2::ZERO);
    let answer = verified(&floor, &bar, &Default::default()).answer;
    near(&answer, angle_of_contact(0.0625, 0.75) / 3.0, 3e-6, 0.0);
}
