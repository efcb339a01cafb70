//! The planar arm: times in closed form.

use crate::{arm, contact, point};
use gjk::query::Verdict;
use gjk_motion::{CurveKind, Interpolation, PathOptions, PathVerdict, SegmentAnswer};

/// The hit's interval holds the time, and is as narrow as asked.
fn assert_hit(answer: &SegmentAnswer, time: f64) {
    assert_eq!(answer.verdict, PathVerdict::Hit);
    let first = answer.first.as_ref().unwrap();
    let slack = 1e-9;
    assert!(
        first.time.lower - slack <= time && time <= first.time.upper + slack,
        "{time} {:?}",
        first.time
    );
    assert!(first.time.upper - first.time.lower <= 1.1e-6);
}

#[test]
fn a_straight_arm_meets_the_post_at_the_time_of_its_sine() {
    let arm = arm();
    let answer = arm.edge(&[-1.0], &[1.0]);
    assert_hit(&answer, (1.0 - contact()) / 2.0);
    let first = answer.first.as_ref().unwrap();
    assert_eq!(
        (arm.name(first.bodies.0), arm.name(first.bodies.1)),
        ("post", "fore")
    );
    assert_eq!(
        arm.verdict(first.bodies, &first.state),
        Verdict::Overlapping
    );
    let deepest = answer.deepest.as_ref().unwrap();
    assert!((deepest.distance.lower + 0.35).abs() < 0.05, "{deepest:?}");
}

/// The elbow alone: the fore arm's circle is about (1, 0), half a unit from the post.
#[test]
fn an_elbow_meets_the_post_at_the_time_of_its_sine() {
    let arm = arm();
    let at = (0.35_f64 / 0.5).asin();
    let answer = arm.edge(&[0.0, 1.5], &[0.0, 0.5]);
    // The upper arm ends 0.5 from the post's centre, which is more than 0.35.
    assert_hit(&answer, 1.5 - at);
}

#[test]
fn a_path_beside_the_post_is_free() {
    let arm = arm();
    let answer = arm.edge(&[-1.0], &[-contact() - 1e-4]);
    assert_eq!(answer.verdict, PathVerdict::Free);
    assert!(answer.first.is_none() && answer.open.is_empty());
    assert!(answer.cells < 200, "{}", answer.cells);
}

/// Starts and ends that collide, and a path that only its end touches.
#[test]
fn starts_and_ends_are_part_of_the_path() {
    let arm = arm();
    let answer = arm.edge(&[0.0], &[1.0]);
    let first = answer.first.unwrap();
    assert_eq!((first.time.lower, first.time.upper), (0.0, 0.0));
    let answer = arm.edge(&[-1.0], &[-contact() + 1e-7]);
    assert_hit(&answer, 1.0 - 1e-7 / (1.0 - contact()));
    let still = arm.edge(&[0.0], &[0.0]);
    let first = still.first.unwrap();
    assert_eq!((first.time.lower, first.time.upper), (0.0, 0.0));
}

/// With a clearance the contact is that of a thicker arm.
#[test]
fn too_close_is_told_with_its_time() {
    let arm = arm();
    let clearance = 0.05;
    let options = PathOptions {
        clearance,
        ..PathOptions::default()
    };
    let thick = (0.4_f64 / 1.5).asin();
    let line = |to: f64| [arm.line(&[-1.0], &[to])];
    let answer = arm.path(options).check(&line(-contact() - 0.01)).unwrap();
    let answer = &answer.segments[0];
    assert_eq!(answer.verdict, PathVerdict::Close);
    let first = answer.first.as_ref().unwrap();
    let at = (1.0 - thick) / (1.0 - contact() - 0.01);
    assert!(first.time.lower - 1e-9 <= at && at <= first.time.upper + 1e-9);
    assert!(first.distance.upper < clearance && first.distance.upper > clearance - 1e-5);
    let free = arm.path(options).check(&line(-thick - 1e-4)).unwrap();
    assert_eq!(free.segments[0].verdict, PathVerdict::Free);
    let hit = arm.path(options).check(&line(0.0)).unwrap();
    assert_eq!(hit.segments[0].verdict, PathVerdict::Hit);
    assert_hit(&hit.segments[0], 1.0 - contact());
}

/// Both points are free, and so is the line between them; velocities swing the arm through the post.
#[test]
fn a_cubic_whose_polyline_is_free_is_caught() {
    let arm = arm();
    let moving = |time: f64, at: f64, speed: f64| {
        let mut point = point(time, &[at]);
        point.velocities = Some(vec![speed]);
        point
    };
    let points = || vec![moving(0.0, -0.5, 3.0), moving(1.0, -0.3, -3.0)];
    let line = arm.check(&arm.segments(points(), Interpolation::Linear));
    assert_eq!(line.segments[0].verdict, PathVerdict::Free);
    let curve = arm.check(&arm.segments(points(), Interpolation::Auto));
    let answer = &curve.segments[0];
    assert_eq!(
        (answer.kind, answer.verdict),
        (CurveKind::Cubic, PathVerdict::Hit)
    );
    // The root of the cubic, by bisection.
    let cubic = |t: f64| {
        let s = 1.0 - t;
        let b = [-0.5, 0.5, 0.7, -0.3];
        s * s * s * b[0] + 3.0 * s * s * t * b[1] + 3.0 * s * t * t * b[2] + t * t * t * b[3]
    };
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if cubic(middle) < -contact() {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert_hit(answer, low);
}

/// Points at rest: the accelerations alone swing the arm through the post.
#[test]
fn a_quintic_whose_polyline_is_free_is_caught() {
    let arm = arm();
    let moving = |time: f64, at: f64, acceleration: f64| {
        let mut point = point(time, &[at]);
        point.velocities = Some(vec![0.0]);
        point.accelerations = Some(vec![acceleration]);
        point
    };
    let points = |a: f64| vec![moving(0.0, -0.4, a), moving(2.0, -0.3, a)];
    for how in [Interpolation::Linear, Interpolation::Cubic] {
        let answer = arm.check(&arm.segments(points(6.0), how));
        assert_eq!(answer.segments[0].verdict, PathVerdict::Free, "{how:?}");
    }
    let answer = arm.check(&arm.segments(points(6.0), Interpolation::Auto));
    assert_eq!(answer.segments[0].kind, CurveKind::Quintic);
    assert_eq!(answer.segments[0].verdict, PathVerdict::Hit);
    let calm = arm.check(&arm.segments(points(0.1), Interpolation::Auto));
    assert_eq!(calm.segments[0].verdict, PathVerdict::Free);
}

/// The arm comes to rest where it touches: neither free nor a hit.
#[test]
fn a_touch_is_its_own_class() {
    let boxes = crate::sliders();
    let answer = boxes.edge(&[0.0, 0.5], &[1.0, 0.5]);
    assert_eq!(answer.verdict, PathVerdict::Touch, "{answer:?}");
    let touch = &answer.open[0];
    assert!(touch.time.lower <= 1.0 && touch.time.upper == 1.0 && touch.time.lower > 0.999);
}

/// Boxes that slide along one another: nothing is claimed of it, and it ends.
#[test]
fn what_slides_along_another_is_never_free() {
    let boxes = crate::sliders();
    let answer = boxes.edge(&[1.0, -0.5], &[1.0, 0.5]);
    assert!(answer.first.is_none());
    assert_eq!(answer.verdict, PathVerdict::Undecided);
    assert!(answer.cells < 7000, "{}", answer.cells);
    let kinds: Vec<_> = answer
        .open
        .iter()
        .map(|open| open.verdict.as_str())
        .collect();
    assert_eq!(kinds, ["touch", "undecided"]);
}

/// Joints of which the points have no velocity are a clear error.
#[test]
fn polynomials_need_what_they_are_made_of() {
    let arm = arm();
    let trajectory = arm.trajectory(vec![point(0.0, &[-1.0]), point(1.0, &[-0.5])]);
    let of = |how| gjk_motion::PathSegment::of_trajectory(arm.robot(), &trajectory, how);
    let error = of(Interpolation::Cubic).unwrap_err().to_string();
    assert!(error.contains("segment 0"), "{error}");
    assert!(of(Interpolation::Auto).is_ok());
    let mut huge = trajectory.clone();
    huge.points[0].positions[0] = 1e308;
    huge.points[1].positions[0] = -1e308;
    let error = gjk_motion::PathSegment::of_trajectory(arm.robot(), &huge, Interpolation::Auto);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("shoulder"), "{error}");
}

/// A single point is a state.
#[test]
fn one_point_is_a_state() {
    let arm = arm();
    let of = |at: f64| {
        let answer = arm.check(&arm.segments(vec![point(3.0, &[at])], Interpolation::Auto));
        assert_eq!(answer.segments[0].kind, CurveKind::State);
        assert_eq!(answer.segments[0].time, [3.0, 3.0]);
        answer.segments[0].verdict
    };
    assert_eq!((of(-1.0), of(0.0)), (PathVerdict::Free, PathVerdict::Hit));
}
