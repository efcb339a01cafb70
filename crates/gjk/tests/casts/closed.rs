//! Answers by closed forms: balls, boxes, a thin plate, policies, and one rounding beside a contact.

use crate::lattice::{Moved, asked, proved};
use crate::oracle::Rng;
use gjk::query::{Meeting, MotionOptions, Start, Touch};
use gjk::shape::{Ball, Cuboid, Cylinder, Ellipsoid, Polytope, Shape};
use gjk::{Axis, Pose, Vec3, Vector};

type V = Vec3<f64>;

fn moved(shape: impl Into<Shape<V>>, at: [f64; 3], velocity: [f64; 3]) -> Moved<V> {
    Moved {
        shape: shape.into(),
        pose: Pose::from_translation(at.into()),
        velocity: velocity.into(),
    }
}

fn cube(at: [f64; 3], velocity: [f64; 3]) -> Moved<V> {
    moved(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap(), at, velocity)
}

fn ball(radius: f64, at: [f64; 3], velocity: [f64; 3]) -> Moved<V> {
    moved(Ball::new(radius).unwrap(), at, velocity)
}

/// 3² + 4² = 5²: a whole time, a graze, and a miss by one rounding.
#[test]
fn balls_meet_where_their_quadratic_says() {
    let still = [0.0; 3];
    let go = |height: f64| {
        let (a, b) = (
            ball(2.0, still, [1.0, 0.0, 0.0]),
            ball(3.0, [10.0, height, 0.0], [-1.0, 0.0, 0.0]),
        );
        proved(&a, &b, &Default::default())
    };
    // |10 − 2t|² + 3² = 5².
    let hit = go(3.0);
    let time = hit.answer.time.unwrap();
    assert!(
        hit.answer.exact && time.contains(3.0) && time.width() < 1e-13,
        "{hit:?}"
    );
    assert!((hit.answer.point_a.unwrap() - hit.answer.point_b.unwrap()).norm() < 1e-12);
    let normal = hit.answer.normal.unwrap() - Vec3::new(0.8, 0.6, 0.0);
    assert!(normal.norm() < 1e-13);
    let graze = go(5.0);
    assert!(
        graze.answer.verdict == Meeting::Hits && graze.answer.grazing,
        "{graze:?}"
    );
    assert!(graze.answer.time.unwrap().contains(5.0));
    assert_eq!(go(5.0f64.next_up()).answer.verdict, Meeting::Free);
    assert!(!go(5.0f64.next_down()).answer.grazing);
    let passes = MotionOptions::default().with_touch(Touch::Passes);
    let (a, b) = (
        ball(2.0, still, still),
        ball(3.0, [10.0, 5.0, 0.0], [-1.0, 0.0, 0.0]),
    );
    let passed = asked(&a, &b, &passes);
    assert!(passed.verdict == Meeting::Free && passed.grazing);
}

/// A start in contact: each policy.
#[test]
fn starts_in_contact_follow_the_policy() {
    use Meeting::{Exits, Free, StartsOverlapping, StartsTouching};
    let go = |at: [f64; 3], velocity: [f64; 3], start, touch| {
        let options = MotionOptions::default().with_start(start).with_touch(touch);
        let b = cube(at, velocity);
        proved(&cube([0.0; 3], [0.0, 0.0, 1.0]), &b, &options).answer
    };
    let (beside, inside) = ([2.0, 0.5, 0.0], [1.5, 0.0, 0.0]);
    let (away, towards, along) = ([1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 1.0]);
    let counts = Touch::Counts;
    assert_eq!(go(beside, away, Start::Hit, counts).verdict, StartsTouching);
    assert_eq!(
        go(inside, away, Start::Hit, counts).verdict,
        StartsOverlapping
    );
    assert_eq!(go(beside, away, Start::Approach, counts).verdict, Free);
    assert_eq!(go(beside, along, Start::Approach, counts).verdict, Free);
    assert_eq!(
        go(beside, towards, Start::Approach, counts).verdict,
        StartsTouching
    );
    assert_eq!(
        go(inside, towards, Start::Approach, counts).verdict,
        StartsOverlapping
    );
    assert_eq!(go(inside, away, Start::Approach, counts).verdict, Free);
    let exit = go(inside, away, Start::Exit, counts);
    assert_eq!(
        (
            exit.verdict,
            exit.time.unwrap().lower,
            exit.time.unwrap().upper
        ),
        (Exits, 0.5, 0.5)
    );
    let through = go(inside, towards, Start::Exit, counts).time.unwrap();
    assert_eq!((through.lower, through.upper), (3.5, 3.5));
    assert_eq!(go(beside, along, Start::Hit, Touch::Passes).verdict, Free);
    assert!(go(beside, along, Start::Hit, counts).grazing);
}

/// A plate thinner than any step, met by a fast box.
#[test]
fn a_thin_plate_is_not_missed() {
    for thickness in [1e-3, 1e-12, 5e-324] {
        let plate = Cuboid::new(Vec3::new(thickness, 10.0, 10.0)).unwrap();
        let (a, b) = (
            moved(plate, [0.0; 3], [0.0; 3]),
            cube([1e6, 3.0, 2.0], [-1e9, 0.0, 0.0]),
        );
        let proof = proved(&a, &b, &Default::default());
        assert_eq!(proof.answer.verdict, Meeting::Hits);
        let time = proof.answer.time.unwrap();
        let truth = (1e6 - 1.0 - thickness) / 1e9;
        assert!(
            time.lower <= truth.next_up() && truth.next_down() <= time.upper,
            "{time:?}"
        );
        assert_eq!(proof.features, [vec![1, 3, 7, 5], vec![0, 4, 6, 2]]);
    }
}

/// The gap closes at exactly 1: at the end of the motion, one rounding before it, one after.
#[test]
fn the_end_belongs_to_the_motion() {
    for (end, verdict) in [
        (1.0, Meeting::Hits),
        (1.0f64.next_down(), Meeting::Free),
        (1.0f64.next_up(), Meeting::Hits),
    ] {
        let options = MotionOptions::default().with_max_time(end).unwrap();
        let (a, b) = (
            cube([0.0; 3], [1.0, 0.0, 0.0]),
            cube([5.0, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        );
        assert_eq!(proved(&a, &b, &options).answer.verdict, verdict, "{end:e}");
        let (a, b) = (
            ball(1.0, [0.0; 3], [1.0, 0.0, 0.0]),
            ball(1.0, [5.0, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        );
        assert_eq!(proved(&a, &b, &options).answer.verdict, verdict, "{end:e}");
    }
}

/// One rounding apart, touching, and one rounding deep at the start.
#[test]
fn starts_one_rounding_beside_a_touch_are_told_apart() {
    for (x, verdict) in [
        (2.0f64.next_up(), Meeting::Hits),
        (2.0, Meeting::StartsTouching),
        (2.0f64.next_down(), Meeting::StartsOverlapping),
    ] {
        let (a, b) = (
            cube([0.0; 3], [1.0, 0.0, 0.0]),
            cube([x, 0.25, 0.0], [-2.0, 0.0, 0.0]),
        );
        assert_eq!(
            proved(&a, &b, &Default::default()).answer.verdict,
            verdict,
            "{x:e}"
        );
        let (a, b) = (
            ball(1.0, [0.0; 3], [1.0, 0.0, 0.0]),
            ball(1.0, [x, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        );
        assert_eq!(
            proved(&a, &b, &Default::default()).answer.verdict,
            verdict,
            "{x:e}"
        );
    }
}

/// Velocities whose difference is no float: 1 and a part in 2⁶⁰ of it decide a graze.
#[test]
fn the_difference_of_velocities_is_not_rounded() {
    let tiny = 2f64.powi(-60);
    for (slope, verdict) in [
        (0.0, Meeting::Hits),
        (tiny, Meeting::Free),
        (-tiny, Meeting::Hits),
    ] {
        let (a, b) = (
            cube([0.0; 3], [1.0, -1.0, 0.0]),
            cube([8.0, 2.0, 0.0], [-1.0, slope, 0.0]),
        );
        // Together they rise by 1 + slope, less the 1 of a common fall.
        let a = Moved {
            velocity: Vec3::new(1.0, 0.0, 0.0),
            ..a
        };
        let proof = proved(&a, &b, &Default::default());
        assert_eq!(proof.answer.verdict, verdict, "{slope:e}");
        assert_eq!(proof.answer.grazing, slope == 0.0);
        // The same in a frame where 1 + slope has no float.
        let lift = |body: Moved<V>, by: f64| Moved {
            velocity: body.velocity + Vec3::new(0.0, 0.0, by),
            ..body
        };
        let (a, b) = (lift(a, 1.0), lift(b, 1.0 + f64::EPSILON));
        let proof = proved(&a, &b, &Default::default());
        assert_eq!(proof.answer.verdict, verdict, "{slope:e}");
    }
}

/// Smooth bodies: a cylinder on its side and an ellipsoid, along an axis.
#[test]
fn smooth_bodies_meet_where_their_extents_say() {
    let ellipsoid = Ellipsoid::new(Vec3::new(2.0, 1.0, 0.5)).unwrap();
    let cylinder = Cylinder::new(1.0, 0.5, Axis::Y).unwrap();
    let (a, b) = (
        moved(ellipsoid, [0.0; 3], [0.5, 0.0, 0.0]),
        moved(cylinder, [6.0, 0.0, 0.0], [-0.5, 0.0, 0.0]),
    );
    let answer = asked(&a, &b, &Default::default());
    let time = answer.time.unwrap();
    assert!(
        answer.verdict == Meeting::Hits && !answer.exact,
        "{answer:?}"
    );
    assert!(time.contains(3.5) && time.width() < 1e-11, "{answer:?}");
    // Both have moved by 1.75.
    let point = answer.point_a.unwrap() - Vec3::new(3.75, 0.0, 0.0);
    assert!(point.norm() < 1e-5, "{answer:?}");
}

/// Two plates in parallel oblique planes, in `f32`: the mean of their corners is off the planes by rounding, and shows no thickness. They graze.
#[test]
fn the_middle_of_a_flat_hull_shows_no_thickness() {
    type F = Vec3<f32>;
    let mut rng = Rng(18);
    for _ in 0..200 {
        let mut plate = |at: [f32; 3], velocity: [f32; 3]| {
            let points: Vec<F> = (0..9)
                .map(|_| {
                    // Whole parts of 2⁻¹⁰: their sum is a float.
                    let mut part = || 300.0 + rng.below(1 << 17) as f32 / 1024.0;
                    let (x, y) = (part(), part());
                    F::new(x, y, x + y)
                })
                .collect();
            Moved::<F> {
                shape: Polytope::new(&points).unwrap().into(),
                pose: Pose::from_translation(at.into()),
                velocity: velocity.into(),
            }
        };
        let (a, b) = (
            plate([0.0; 3], [0.0, 0.0, 1.0]),
            plate([0.0, 0.0, 50.0], [0.0; 3]),
        );
        let (found, expected) = (
            asked(&a, &b, &Default::default()),
            proved(&a, &b, &Default::default()).answer,
        );
        assert_eq!(
            (found.verdict, found.grazing),
            (expected.verdict, expected.grazing)
        );
        if found.verdict == Meeting::Hits {
            let time = found.time.unwrap();
            assert!(found.grazing && time.lower <= 50.0 && 50.0 <= time.upper);
        }
    }
}
