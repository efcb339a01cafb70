//! Starts in contact, grazes, rest, limits: what the answer is called.

use crate::scene::{Turned, asked, verified};
use gjk::query::{Meeting, MotionOptions, MotionStop, Start, ToiOptions, Touch};
use gjk::shape::{Cuboid, Point};
use gjk::{Pose, Vec2, Vector};

type V = Vec2<f64>;

fn floor() -> Turned<V> {
    let shape = Cuboid::new(Vec2::new(10.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(Vec2::new(0.0, -1.0)))
}

fn square(height: f64, linear: [f64; 2], rate: f64) -> Turned<V> {
    let shape = Cuboid::new(Vec2::new(1.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(Vec2::new(0.0, height))).moved(
        linear.into(),
        [0.0, 0.0, rate],
        Vec2::ZERO,
    )
}

fn with(start: Start, touch: Touch) -> ToiOptions<f64> {
    let motion = MotionOptions::default().with_start(start).with_touch(touch);
    ToiOptions::default().with_motion(motion)
}

#[test]
fn a_start_in_contact_is_the_answer() {
    let (hit, counts) = (Start::Hit, Touch::Counts);
    let on = verified(&floor(), &square(1.0, [0.0, 0.0], 1.0), &with(hit, counts)).answer;
    assert_eq!(
        (on.verdict, on.signed_distance.unwrap().upper),
        (Meeting::StartsTouching, 0.0)
    );
    let deep = verified(&floor(), &square(0.75, [0.0, 1.0], 1.0), &with(hit, counts)).answer;
    assert_eq!(deep.verdict, Meeting::StartsOverlapping);
    assert!(deep.exact && deep.signed_distance.unwrap().contains(-0.25));
}

/// It lies on the floor: a turn goes deeper, a lift parts, a slide stays.
#[test]
fn an_approach_asks_whether_the_start_goes_deeper() {
    let options = with(Start::Approach, Touch::Counts);
    let ask = |linear, rate| asked(&floor(), &square(1.0, linear, rate), &options);
    assert_eq!(ask([0.0, 0.0], 0.5).verdict, Meeting::StartsTouching);
    assert_eq!(ask([0.0, 1.0], 0.0).verdict, Meeting::Free);
    let slides = ask([1.0, 0.0], 0.0);
    assert_eq!(
        (slides.verdict, slides.stop),
        (Meeting::StartsTouching, MotionStop::Resting)
    );
    // Lifted, and the turn brings a corner down again: √2·cos(φ − 45°) is 1 + t.
    let again = ask([0.0, 2.0], 3.0);
    assert_eq!(again.verdict, Meeting::StartsTouching);
    let lifted = verified(&floor(), &square(1.0, [0.0, 0.25], 0.2), &options).answer;
    assert_eq!(lifted.verdict, Meeting::Free, "{lifted:?}");
    // From inside: it must part before it can meet.
    let deep = asked(&floor(), &square(0.75, [0.0, 1.0], 0.0), &options);
    assert_eq!(deep.verdict, Meeting::Free, "{deep:?}");
    let deeper = asked(&floor(), &square(0.75, [0.0, -0.1], 0.0), &options);
    assert_eq!(deeper.verdict, Meeting::StartsOverlapping);
}

#[test]
fn an_exit_is_the_end_of_contact() {
    let options = with(Start::Exit, Touch::Counts);
    let leaves = asked(&floor(), &square(0.75, [0.0, 1.0], 0.0), &options);
    assert_eq!(leaves.verdict, Meeting::Exits, "{leaves:?}");
    let time = leaves.time.unwrap();
    assert!(time.contains(0.25) && time.width() < 1e-11, "{time}");
    let stays = asked(&floor(), &square(0.75, [0.0, 0.1], 0.0), &options);
    assert_eq!(stays.verdict, Meeting::StartsOverlapping);
}

/// The corner's circle touches the floor from above.
#[test]
fn a_graze_is_not_decided() {
    let graze = asked(
        &floor(),
        &square(2f64.sqrt(), [0.0, 0.0], 3.0),
        &Default::default(),
    );
    assert_eq!(graze.verdict, Meeting::Undecided, "{graze:?}");
    let time = graze.time.unwrap();
    let truth = std::f64::consts::FRAC_PI_4 / 3.0;
    assert!(time.lower <= truth && time.lower > truth - 1e-6, "{time}");
    for (off, verdict) in [(1e-12, Meeting::Free), (-1e-12, Meeting::Hits)] {
        let near = verified(
            &floor(),
            &square(2f64.sqrt() + off, [0.0, 0.0], 3.0),
            &Default::default(),
        );
        assert_eq!(near.answer.verdict, verdict, "{off}: {:?}", near.answer);
    }
}

#[test]
fn a_motion_that_ends_in_touch_is_not_decided() {
    let ends = asked(
        &floor(),
        &square(2.0, [0.0, -1.0], 0.0),
        &Default::default(),
    );
    assert_eq!(ends.verdict, Meeting::Undecided, "{ends:?}");
    assert!(ends.time.unwrap().lower > 1.0 - 1e-11);
}

/// A limit is a stop and no verdict.
#[test]
fn few_pieces_leave_the_time_open() {
    let options = ToiOptions::default().with_pieces_max(1);
    let found = asked(&floor(), &square(1.4, [0.0, 0.0], 30.0), &options);
    assert_eq!(found.stop, MotionStop::PiecesLimit);
    assert!(
        matches!(found.verdict, Meeting::Undecided | Meeting::Hits),
        "{found:?}"
    );
    let coarse = ToiOptions::default().with_time_resolution(1e-2).unwrap();
    let found = asked(&floor(), &square(1.4, [0.0, 0.0], 3.0), &coarse);
    let truth = (std::f64::consts::FRAC_PI_4 - (1.4 / 2f64.sqrt()).acos()) / 3.0;
    assert!(found.time.unwrap().contains(truth) && found.time.unwrap().width() < 0.05);
}

/// Contact is a distance of at most this.
#[test]
fn a_distance_is_a_ball_about_the_second() {
    let motion = MotionOptions::default().with_distance(0.1).unwrap();
    let options = ToiOptions::default().with_motion(motion);
    let found = verified(&floor(), &square(1.4, [0.0, 0.0], 3.0), &options).answer;
    let truth = (std::f64::consts::FRAC_PI_4 - (1.3 / 2f64.sqrt()).acos()) / 3.0;
    let time = found.time.unwrap();
    assert!(
        time.lower - 1e-14 <= truth && truth <= time.upper + 1e-14,
        "{time} {truth}"
    );
    let gap = (found.point_b.unwrap() - found.point_a.unwrap()).norm();
    assert!((gap - 0.1).abs() < 1e-10, "{gap}");
}

/// A point on a box of 10⁹⁰ that goes with it, and is off an axis by two of the smallest floats: it has a verdict, and no numbers that the checker could miss.
#[test]
fn a_start_that_rests_and_leaves_the_range_of_floats_is_verified() {
    let (size, velocity) = (2.0e90, Vec2::new(4.0e90, -2.0e90));
    let shape = Cuboid::new(Vec2::new(size, 3.0 * size)).unwrap();
    let at = |place| Pose::from_translation(place);
    let a = Turned::at(shape, at(Vec2::new(-size, size))).moved(velocity, [0.0; 3], Vec2::ZERO);
    let point = Point::new(Vec2::new(0.0, size)).unwrap();
    let b = Turned::at(point, at(Vec2::new(-1e-323, 0.0))).moved(velocity, [0.0; 3], Vec2::ZERO);
    let answer = verified(&a, &b, &with(Start::Approach, Touch::Counts)).answer;
    assert_eq!(
        (answer.verdict, answer.stop),
        (Meeting::StartsOverlapping, MotionStop::Resting)
    );
    assert!(answer.exact && answer.normal.is_none());
}
