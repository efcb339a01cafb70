//! Numbers that are none, and motions at the ends of the range.

use crate::scene::{Turned, asked};
use gjk::query::{Meeting, MotionError, MotionStop, ToiOptions, Twist};
use gjk::shape::Cuboid;
use gjk::{Pose, Vec2, Vec3, Vector};

type V = Vec3<f64>;

fn cube(at: [f64; 3], linear: [f64; 3], angular: [f64; 3]) -> Turned<V> {
    let shape = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(at.into())).moved(linear.into(), angular, Vec3::ZERO)
}

#[test]
fn what_is_no_motion_is_refused_by_name() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let field = |found: Result<Twist<V>, MotionError>| found.unwrap_err().field();
    assert_eq!(field(Twist::new(nan, [0.0; 3], zero)), "velocity");
    assert_eq!(
        field(Twist::new(zero, [0.0, f64::INFINITY, 0.0], zero)),
        "angular"
    );
    assert_eq!(field(Twist::new(zero, [0.0; 3], nan)), "center");
    let sheared = Pose::<V>::identity().scaled(Vec3::new(1.0, 2.0, 1.0));
    let refused = Twist::between(&Pose::identity(), &sheared, zero).unwrap_err();
    assert_eq!((refused.field(), refused.kind()), ("to", "not_a_rotation"));
    let mirrored = Pose::<Vec2<f64>>::identity().scaled(Vec2::new(1.0, -1.0));
    assert!(Twist::between(&mirrored, &Pose::identity(), Vec2::ZERO).is_err());
    let options = ToiOptions::<f64>::default();
    assert_eq!(
        options.with_max_time(-1.0).unwrap_err().kind(),
        "out_of_range"
    );
    assert_eq!(
        options.with_max_time(f64::NAN).unwrap_err().kind(),
        "not_finite"
    );
    assert_eq!(
        options.with_time_resolution(f64::NAN).unwrap_err().field(),
        "time_resolution"
    );
    assert!(options.with_time_resolution(0.0).is_ok());
}

/// Quaternions of any length are the same turn; the slerp goes the short way.
#[test]
fn a_motion_between_poses_is_the_shortest_turn() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let from = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], Vec3::new(1.0, 0.0, 0.0)).unwrap();
    for scale in [1.0, -1.0, 1e3] {
        let q = [0.3f64, -0.2, 0.1, 0.5].map(|x| x * scale);
        let to = Pose::from_quaternion(q, Vec3::new(0.0, 2.0, 0.0)).unwrap();
        let twist = Twist::between(&from, &to, zero).unwrap();
        let angular: V = Vec3::from_f64(twist.angular());
        assert!(angular.norm() <= std::f64::consts::PI + 1e-12);
        // Turned by it, the first is the second.
        let (half, axis) = (0.5 * angular.norm(), angular.normalized().unwrap());
        let [x, y, z] = (axis * half.sin()).to_f64();
        let turn = Pose::from_quaternion([x, y, z, half.cos()], zero).unwrap();
        for k in 0..3 {
            assert!((turn.vector(from.columns()[k]) - to.columns()[k]).norm() < 1e-14);
        }
        assert_eq!(twist.linear(), Vec3::new(-1.0, 2.0, 0.0));
    }
    let still = Twist::between(&from, &from, zero).unwrap();
    let still: V = Vec3::from_f64(still.angular());
    assert!(still.norm() < 1e-15);
}

/// The quaternion of an nlerp is that of the slerp's whole turn; half way both have turned by half of it.
#[test]
fn an_nlerp_goes_the_slerps_way_at_another_pace() {
    let zero = Vec3::new(0.0, 0.0, 0.0);
    let from = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], Vec3::new(1.0, 0.0, 0.0)).unwrap();
    let to = Pose::from_quaternion([-0.3, 0.2, -0.1, -0.5], Vec3::new(0.0, 2.0, 0.0)).unwrap();
    let slerp = Twist::between(&from, &to, zero).unwrap();
    let nlerp = Twist::nlerp(&from, &to, zero).unwrap();
    let angular: V = Vec3::from_f64(slerp.angular());
    let [x, y, z, w] = nlerp.quaternion().unwrap();
    assert_eq!(slerp.quaternion(), None);
    let half = 0.5 * angular.norm();
    assert!((w - half.cos()).abs() < 1e-15);
    let axis: V = angular.normalized().unwrap() * half.sin();
    assert!((axis - Vec3::new(x, y, z)).norm() < 1e-15);
    assert_eq!(nlerp.linear(), slerp.linear());
    let sheared = Pose::<V>::identity().scaled(Vec3::new(1.0, 2.0, 1.0));
    assert!(Twist::nlerp(&from, &sheared, zero).is_err());
}

/// A screw ends where it is to end, and its centre moves along its axis alone; without a turn it is a line.
#[test]
fn a_screw_between_poses_turns_about_its_axis() {
    let from = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], Vec3::new(1.0, 0.0, 0.0)).unwrap();
    for q in [
        [0.3f64, -0.2, 0.1, 0.5],
        [0.100001, 0.2, 0.3, 0.9],
        [0.0, 0.0, 0.0, 1.0],
    ] {
        let to = Pose::from_quaternion(q, Vec3::new(0.0, 2.0, -1.0)).unwrap();
        let twist = Twist::screw_between(&from, &to).unwrap();
        let (angular, linear): (V, V) = (Vec3::from_f64(twist.angular()), twist.linear());
        let axis = angular.normalized().unwrap();
        assert!((linear - axis * linear.dot(axis)).norm() < 1e-14);
        let half = 0.5 * angular.norm();
        let [x, y, z] = (axis * half.sin()).to_f64();
        let turn = Pose::from_quaternion([x, y, z, half.cos()], Vec3::ZERO).unwrap();
        let center = from.point(twist.center());
        let end = center + linear + turn.vector(from.translation() - center);
        assert!((end - to.translation()).norm() < 1e-13 * (1.0 + center.norm()));
    }
    let ahead = Pose::from_quaternion([0.1, 0.2, 0.3, 0.9], Vec3::new(1.0, 5.0, 0.0)).unwrap();
    let line = Twist::screw_between(&from, &ahead).unwrap();
    assert_eq!(line.linear(), Vec3::new(0.0, 5.0, 0.0));
    let sheared = Pose::<V>::identity().scaled(Vec3::new(1.0, 2.0, 1.0));
    assert!(Twist::screw_between(&from, &sheared).is_err());
}

#[test]
fn bodies_that_move_alike_or_not_at_all_are_free() {
    let (linear, angular) = ([1.0, 2.0, 3.0], [0.0; 3]);
    let (a, b) = (
        cube([0.0; 3], linear, angular),
        cube([2.5, 0.0, 0.0], linear, angular),
    );
    assert_eq!(asked(&a, &b, &Default::default()).verdict, Meeting::Free);
    let (a, b) = (
        cube([0.0; 3], [0.0; 3], angular),
        cube([2.0, 0.0, 0.0], [0.0; 3], angular),
    );
    assert_eq!(
        asked(&a, &b, &Default::default()).verdict,
        Meeting::StartsTouching
    );
    let at_once = ToiOptions::default().with_max_time(0.0).unwrap();
    let (a, b) = (
        cube([0.0; 3], [0.0; 3], angular),
        cube([2.5, 0.0, 0.0], [-9.0, 0.0, 0.0], angular),
    );
    assert_eq!(asked(&a, &b, &at_once).verdict, Meeting::Free);
}

/// Both turn with the same screw about the same axis: they stay as far apart as they are.
#[test]
fn bodies_that_turn_alike_stay_apart() {
    let about = |at: [f64; 3]| {
        let shape = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
        let center: V = Vec3::from_fn(|k| -at[k]);
        Turned::at(shape, Pose::from_translation(at.into())).moved(
            Vec3::new(0.0, 0.0, 1.0),
            [0.0, 0.0, 5.0],
            center,
        )
    };
    let found = asked(
        &about([0.0; 3]),
        &about([2.1, 0.3, 0.0]),
        &Default::default(),
    );
    assert_eq!(found.verdict, Meeting::Free, "{found:?}");
}

#[test]
fn huge_and_tiny_motions_end() {
    let ask = |at: f64, linear: f64, rate: f64| {
        let (a, b) = (
            cube([0.0; 3], [0.0; 3], [0.0, 0.0, rate]),
            cube([at, 0.0, 0.0], [linear, 0.0, 0.0], [rate, 0.0, 0.0]),
        );
        let options = ToiOptions::default().with_pieces_max(200);
        asked(&a, &b, &options)
    };
    for (at, linear, rate) in [
        (3.0, -1e300, 0.0),
        (3.0, -1e200, 1e200),
        (3.0, -1e9, 1e3),
        (3.0, -5e-324, 5e-324),
        (3.0, 0.0, 1e16),
        (3.0, 0.0, 1e300),
        (1e300, -1e300, 1.0),
        (1e9, -1e9, 1.0),
    ] {
        let found = ask(at, linear, rate);
        if let Some(time) = found.time {
            assert!(time.lower <= time.upper && !time.lower.is_nan());
        }
    }
    assert_eq!(ask(3.0, -5e-324, 5e-324).verdict, Meeting::Free);
    assert_eq!(ask(1e308, -1e308, 1e308).stop, MotionStop::Overflow);
}
