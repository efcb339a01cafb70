//! What a start in contact and a touch mean: each row of the format, for a box, a rounded box and a ball.

use gjk::query::{CastAnswer, Meeting, MotionOptions, Ray, Start, Touch, prove_ray, ray};
use gjk::shape::{Ball, Cuboid, Rounded, Shape};
use gjk::verify::verify_ray;
use gjk::{Pose, Vec2, Vec3};

type V = Vec3<f64>;

fn cube(radius: f64) -> Shape<V> {
    let half = 1.0 - radius;
    let core: Shape<V> = Cuboid::new(Vec3::new(half, half, half)).unwrap().into();
    if radius == 0.0 {
        core
    } else {
        Rounded::new(core, radius).unwrap().into()
    }
}

fn ask(
    shape: &Shape<V>,
    origin: [f64; 3],
    direction: [f64; 3],
    start: Start,
    touch: Touch,
    end: Option<f64>,
) -> CastAnswer<V> {
    let shot = Ray::new(origin.into(), direction.into()).unwrap();
    let mut options = MotionOptions::default().with_start(start).with_touch(touch);
    if let Some(end) = end {
        options = options.with_max_time(end).unwrap();
    }
    let proof = prove_ray(shape, &Pose::identity(), &shot, &options);
    let checked = verify_ray(shape, &Pose::identity(), &shot, &options, &proof);
    assert!(checked.is_ok(), "{checked:?} {proof:?}");
    assert_eq!(
        checked.unwrap().verdict,
        proof.certificate.is_some(),
        "{proof:?}"
    );
    proof.answer
}

#[test]
fn starts_in_contact_follow_the_policy() {
    use Meeting::{Exits, Free, StartsOverlapping, StartsTouching};
    for shape in [cube(0.0), cube(0.25)] {
        let go = |o, d, start| ask(&shape, o, d, start, Touch::Counts, None);
        let (inside, on, right, left, up) = (
            [0.5, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
        );
        assert_eq!(go(inside, right, Start::Hit).verdict, StartsOverlapping);
        assert_eq!(go(on, right, Start::Hit).verdict, StartsTouching);
        // Leaving, and gliding along the face: no inner point is ever met.
        assert!(go(on, right, Start::Hit).grazing && go(on, up, Start::Hit).grazing);
        assert!(!go(on, left, Start::Hit).grazing);
        for (from, to, verdict) in [
            (on, left, StartsTouching),
            (on, right, Free),
            (on, up, Free),
            (inside, left, StartsOverlapping),
            (inside, right, Free),
            // The nearest face of the centre is any: no way is deeper.
            ([0.0; 3], left, Free),
        ] {
            assert_eq!(
                go(from, to, Start::Approach).verdict,
                verdict,
                "{from:?} {to:?} {shape:?}"
            );
        }
        let exit = go(inside, right, Start::Exit);
        let time = exit.time.unwrap();
        assert!(
            exit.verdict == Exits && time.contains(0.5) && time.width() < 1e-13,
            "{exit:?}"
        );
        assert_eq!(exit.normal, Some(Vec3::new(1.0, 0.0, 0.0)));
        assert_eq!(
            ask(
                &shape,
                inside,
                right,
                Start::Exit,
                Touch::Counts,
                Some(0.25)
            )
            .verdict,
            StartsOverlapping
        );
        assert_eq!(
            go([3.0, 0.0, 0.0], left, Start::Exit).verdict,
            Meeting::Hits
        );
    }
}

#[test]
fn touch_counts_or_passes() {
    use Meeting::{Free, Hits, StartsTouching};
    for shape in [cube(0.0), cube(0.25)] {
        let go = |o, d, touch| ask(&shape, o, d, Start::Hit, touch, None);
        let graze = ([-4.0, 1.0, 0.0], [2.0, 0.0, 0.0]);
        let counted = go(graze.0, graze.1, Touch::Counts);
        assert!(
            counted.verdict == Hits && counted.grazing && counted.exact,
            "{counted:?}"
        );
        let first = if shape == cube(0.0) { 1.5 } else { 1.625 };
        assert!(
            counted.time.unwrap().contains(first) && counted.time.unwrap().width() < 1e-15,
            "{counted:?}"
        );
        let passed = go(graze.0, graze.1, Touch::Passes);
        assert!(passed.verdict == Free && passed.grazing, "{passed:?}");
        assert_eq!(
            go([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], Touch::Passes).verdict,
            Free
        );
        assert_eq!(
            go([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], Touch::Passes).verdict,
            StartsTouching
        );
        let above = go(
            [-4.0, 1.0f64.next_up(), 0.0],
            [2.0, 0.0, 0.0],
            Touch::Counts,
        );
        assert!(above.verdict == Free && !above.grazing, "{above:?}");
        let below = go(
            [-4.0, 1.0f64.next_down(), 0.0],
            [2.0, 0.0, 0.0],
            Touch::Passes,
        );
        assert!(below.verdict == Hits && !below.grazing, "{below:?}");
        // The end of the ray belongs to it.
        let to = |end| {
            ask(
                &shape,
                [-3.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                Start::Hit,
                Touch::Counts,
                Some(end),
            )
        };
        assert_eq!(
            [to(2.0), to(2.0f64.next_down())].map(|answer| answer.verdict),
            [Hits, Free]
        );
    }
}

/// A ball that moves: contact is a signed distance of the point that is at most its radius.
#[test]
fn a_ray_with_a_radius_is_a_ball() {
    let cube = cube(0.0);
    let shot = Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).unwrap();
    let options = MotionOptions::default().with_distance(0.5).unwrap();
    let proof = prove_ray(&cube, &Pose::identity(), &shot, &options);
    let answer = &proof.answer;
    assert!(
        answer.verdict == Meeting::Hits && answer.exact && answer.time.unwrap().contains(1.5),
        "{answer:?}"
    );
    assert!((answer.point_a.unwrap() - Vec3::new(-1.0, 0.0, 0.0)).norm_squared_is_small());
    assert!(
        verify_ray(&cube, &Pose::identity(), &shot, &options, &proof)
            .unwrap()
            .upper
    );
    let touching = Ray::new(Vec3::new(-1.5, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)).unwrap();
    let answer = ray(&cube, &Pose::identity(), &touching, &options);
    assert!(
        answer.verdict == Meeting::StartsTouching && answer.grazing,
        "{answer:?}"
    );
}

trait Small {
    fn norm_squared_is_small(self) -> bool;
}
impl Small for V {
    fn norm_squared_is_small(self) -> bool {
        self.x * self.x + self.y * self.y + self.z * self.z < 1e-24
    }
}

/// Discs and balls by their quadratic: a graze at a whole number, one rounding beside it, and a point at rest.
#[test]
fn balls_are_exact() {
    let disc: Ball<Vec2<f64>> = Ball::new(5.0).unwrap();
    let go = |o: [f64; 2], d: [f64; 2]| {
        let shot = Ray::new(o.into(), d.into()).unwrap();
        let proof = prove_ray(&disc, &Pose::identity(), &shot, &Default::default());
        assert!(
            verify_ray(&disc, &Pose::identity(), &shot, &Default::default(), &proof)
                .unwrap()
                .verdict,
            "{proof:?}"
        );
        proof.answer
    };
    // At (3, 4) along (4, −3): tangent.
    let graze = go([3.0 - 8.0, 4.0 + 6.0], [4.0, -3.0]);
    assert!(graze.verdict == Meeting::Hits && graze.grazing, "{graze:?}");
    assert!(
        graze.time.unwrap().contains(2.0) && graze.time.unwrap().width() == 0.0,
        "{graze:?}"
    );
    assert_eq!(
        go([3.0 - 8.0, (4.0f64 + 6.0).next_up()], [4.0, -3.0]).verdict,
        Meeting::Free
    );
    let through = go([3.0 - 8.0, (4.0f64 + 6.0).next_down()], [4.0, -3.0]);
    assert!(
        through.verdict == Meeting::Hits && !through.grazing,
        "{through:?}"
    );
    assert_eq!(go([3.0, 4.0], [0.0, 0.0]).verdict, Meeting::StartsTouching);
    assert_eq!(
        go([3.0, 4.0f64.next_up()], [0.0, 0.0]).verdict,
        Meeting::Free
    );
}
