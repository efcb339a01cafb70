//! What the family `ray-policies` of `gjk fuzz` found, as small cases.

use gjk::query::{Meeting, MotionOptions, Ray, Start, Touch, prove_ray, ray};
use gjk::shape::{Capsule, Cuboid, Polytope, Rounded, Shape};
use gjk::verify::verify_ray;
use gjk::{Axis, Pose, Scalar, Vec2, Vec3};

fn policy<S: Scalar>(start: Start) -> MotionOptions<S> {
    MotionOptions::default().with_start(start)
}

fn shot(origin: [f64; 2], direction: [f64; 2]) -> Ray<Vec2<f64>> {
    let [o, d] = [origin, direction].map(|[x, y]| Vec2::new(x, y));
    Ray::new(o, d).unwrap()
}

/// The square of the direction is no float, nor is that of the body's size.
#[test]
fn tiny_bodies_and_directions_are_approached_and_left() {
    for scale in [1.0, 2f64.powi(-880), 2f64.powi(900)] {
        let half = Vec2::new(4.0 * scale, 2.0 * scale);
        let body = Cuboid::new(half).unwrap();
        let at = |x: f64, y: f64, v: [f64; 2]| shot([x * scale, y * scale], v.map(|v| v * scale));
        let found = |ray_of: &Ray<_>, start| ray(&body, &Pose::identity(), ray_of, &policy(start));
        let inward = found(&at(0.0, 1.0, [0.25, -1.0]), Start::Approach);
        assert_eq!(inward.verdict, Meeting::StartsOverlapping, "{scale:e}");
        let outward = found(&at(0.0, 1.0, [0.25, 1.0]), Start::Approach);
        assert_eq!((outward.verdict, outward.exact), (Meeting::Free, true));
    }
    let core = [[16.0, -4.0], [-4.0, -16.0], [12.0, 16.0]].map(|[x, y]| Vec2::new(x, y));
    let core: Shape<Vec2<f64>> = Polytope::new(&core).unwrap().into();
    let body = Rounded::new(core, 7.0).unwrap();
    let up = |speed: f64| shot([3.0, -16.0], [0.0, speed]);
    let usual = ray(&body, &Pose::identity(), &up(1.0), &policy(Start::Exit));
    let slow = ray(
        &body,
        &Pose::identity(),
        &up(2f64.powi(-820)),
        &policy(Start::Exit),
    );
    assert_eq!(
        (usual.verdict, slow.verdict),
        (Meeting::Exits, Meeting::Exits)
    );
    let (usual, slow) = (usual.time.unwrap(), slow.time.unwrap());
    let back = |time: f64| time * 2f64.powi(-820);
    assert!(back(slow.lower) <= usual.upper && usual.lower <= back(slow.upper));
}

/// Contact that ends after the end of the ray has not ended: the exit is 1/3, between two floats.
#[test]
fn an_exit_after_the_end_is_no_exit() {
    let body = Cuboid::new(Vec2::new(1.0, 1.0)).unwrap();
    let third: f64 = 1.0 / 3.0;
    for (end, verdict) in [
        (third, Meeting::StartsOverlapping),
        (third.next_up(), Meeting::Exits),
    ] {
        let ray = shot([0.0, 0.0], [3.0, 0.0]);
        let options = policy(Start::Exit).with_max_time(end).unwrap();
        let proof = prove_ray(&body, &Pose::identity(), &ray, &options);
        assert_eq!(proof.answer.verdict, verdict, "{end:e}");
        assert!(
            verify_ray(&body, &Pose::identity(), &ray, &options, &proof)
                .unwrap()
                .verdict
        );
    }
    // A capsule's exit is the root of 1 + (t − 1)² … beyond 2: bounded by floats, decided by integers.
    let body: Capsule<Vec2<f64>> = Capsule::new(1.0, 1.0, Axis::X).unwrap();
    let whole = ray(
        &body,
        &Pose::identity(),
        &shot([0.0, 0.5], [3.0, 0.0]),
        &policy(Start::Exit),
    );
    let [before, after] = whole.time.map(|x| [x.lower.next_down(), x.upper]).unwrap();
    for (end, verdict) in [
        (before, Meeting::StartsOverlapping),
        (after, Meeting::Exits),
    ] {
        let ray_of = shot([0.0, 0.5], [3.0, 0.0]);
        let options = policy(Start::Exit).with_max_time(end).unwrap();
        let found = ray(&body, &Pose::identity(), &ray_of, &options);
        assert_eq!(found.verdict, verdict, "{end:e}");
    }
}

/// A ball that touches at the start and leaves: the exit is at 0, and its interval is not before.
#[test]
fn an_exit_is_not_before_the_start() {
    let points = [[-4.0, -4.0], [0.0, 12.0], [-16.0, 12.0]].map(|[x, y]| Vec2::new(x, y));
    let body: Polytope<Vec2<f32>> = Polytope::new(&points).unwrap();
    let ray = Ray::new(Vec2::new(-17.0, 5.0), Vec2::new(3.0, -(4.0_f32.next_up()))).unwrap();
    let options = policy(Start::Exit).with_distance(5.0).unwrap();
    let proof = prove_ray(&body, &Pose::identity(), &ray, &options);
    assert!(
        proof.answer.time.is_none_or(|time| time.lower >= 0.0),
        "{proof:?}"
    );
    verify_ray(&body, &Pose::identity(), &ray, &options, &proof).unwrap();
}

/// A time beyond all floats is an infinite upper end, and no certificate names it.
#[test]
fn a_time_beyond_all_floats_is_not_certified() {
    let points = [
        [4.0, 32.0, 28.0],
        [-4.0, 12.0, 4.0],
        [32.0, -16.0, -28.0],
        [28.0, 28.0, -4.0],
    ];
    let body: Polytope<Vec3<f64>> =
        Polytope::new(&points.map(|[x, y, z]| Vec3::new(x, y, z))).unwrap();
    let direction = Vec3::new(
        1.69759663277e-312,
        2.716154612436e-312,
        -2.037115959327e-312,
    );
    let ray = Ray::new(Vec3::new(-24.0, -17.0, 32.0), direction).unwrap();
    let options = MotionOptions::default().with_touch(Touch::Passes);
    let options = options.with_distance(5.0).unwrap();
    let proof = prove_ray(&body, &Pose::identity(), &ray, &options);
    assert_eq!(proof.answer.verdict, Meeting::Hits);
    assert_eq!(proof.answer.time.unwrap().upper, f64::INFINITY);
    verify_ray(&body, &Pose::identity(), &ray, &options, &proof).unwrap();
}

/// A start within a rounding of the middle of a square: whether it deepens is not told by floats, and the answer says so.
#[test]
fn a_start_that_may_deepen_is_not_called_exact() {
    let body = Cuboid::new(Vec2::new(4.0, 4.0)).unwrap();
    let nearly = shot([f64::EPSILON, 0.0], [-1.0, 0.5]);
    let found = ray(&body, &Pose::identity(), &nearly, &policy(Start::Approach));
    assert!(
        found.verdict == Meeting::StartsOverlapping || !found.exact,
        "{found:?}"
    );
}

/// Times so small that quotients and products of them are rounded to multiples of the smallest float: slabs told one that is not the truth.
#[test]
fn times_of_the_smallest_floats_hold_the_truth() {
    let cases = [
        (
            [1.0, 2.0],
            [-1.0, -2.0],
            shot(
                [1e-323, -2.0],
                [-3.701_804_260_574_403, 2.705_855_675_704_698],
            ),
        ),
        (
            [1.0, 3.0],
            [-1.0, -1.0],
            shot([5e-324, -4.0], [-(1f64.next_down()), 3.0]),
        ),
    ];
    for ([x, y], [at, height], line) in cases {
        let body = Cuboid::new(Vec2::new(x, y)).unwrap();
        let pose = Pose::from_translation(Vec2::new(at, height));
        let plain = ray(&body, &pose, &line, &MotionOptions::default());
        let proof = prove_ray(&body, &pose, &line, &MotionOptions::default());
        assert_eq!(plain.verdict, proof.answer.verdict);
        if let (Some(found), Some(right)) = (plain.time, proof.answer.time) {
            let holds = found.lower <= right.lower && right.upper <= found.upper;
            assert!(holds, "{found:?} {right:?}");
        }
    }
}

/// Beside a speed of the smallest float a slab is crossed at no float: its times once were no numbers.
#[test]
fn slabs_that_are_crossed_at_no_float_say_nothing() {
    let lines = [
        shot([-9.0, 5e-324], [3.0, -5e-324]),
        shot([-9.0, 0.0], [3.0, 5e-324]),
        shot([-9.0, 4.0], [3.0, -5e-324]),
    ];
    let body = Cuboid::new(Vec2::new(2.0, 3.0)).unwrap();
    for line in lines {
        let plain = ray(&body, &Pose::identity(), &line, &MotionOptions::default());
        let proof = prove_ray(&body, &Pose::identity(), &line, &MotionOptions::default());
        assert_eq!(plain.verdict, proof.answer.verdict);
        let share = match (plain.time, proof.answer.time) {
            (Some(x), Some(y)) => x.lower <= y.upper && y.lower <= x.upper,
            (x, y) => x == y,
        };
        assert!(share, "{plain:?} {:?}", proof.answer);
    }
}
