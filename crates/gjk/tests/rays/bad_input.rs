//! Numbers that no ray should have: typed errors, or the stated answer.

use crate::oracle::Rng;
use gjk::query::{
    Meeting, MotionError, MotionOptions, MotionStop, Ray, Start, Touch, prove_ray, ray,
};
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Ellipsoid, Polytope, Segment, Shape};
use gjk::{Axis, Pose, Vec2, Vec3};

#[test]
fn rays_of_bad_numbers_are_refused() {
    let (o, d) = (Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0));
    let options = MotionOptions::<f64>::default();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            Ray::new(Vec2::new(bad, 0.0), d),
            Err(MotionError::NotFinite { field: "origin" })
        );
        assert_eq!(
            Ray::new(o, Vec2::new(0.0, bad)),
            Err(MotionError::NotFinite { field: "direction" })
        );
        assert!(options.with_distance(bad).is_err());
    }
    assert_eq!(
        options.with_max_time(-1.0),
        Err(MotionError::OutOfRange { field: "max_time" })
    );
    assert!(options.with_max_time(f64::NAN).is_err());
    assert_eq!(
        options.with_max_time(f64::INFINITY).unwrap().max_time(),
        None
    );
    assert_eq!(
        options.with_distance(-1.0),
        Err(MotionError::OutOfRange { field: "distance" })
    );
}

/// A zero direction is a point at rest; the smallest and the largest are directions like any other.
#[test]
fn directions_of_any_length_are_answered() {
    let cube: Shape<Vec3<f64>> = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap().into();
    let ball: Shape<Vec3<f64>> = Ball::new(1.0).unwrap().into();
    for shape in [&cube, &ball] {
        let go = |o: [f64; 3], d: [f64; 3]| {
            ray(
                shape,
                &Pose::identity(),
                &Ray::new(o.into(), d.into()).unwrap(),
                &Default::default(),
            )
        };
        assert_eq!(go([3.0, 0.0, 0.0], [0.0; 3]).verdict, Meeting::Free);
        assert_eq!(
            go([0.5, 0.0, 0.0], [0.0; 3]).verdict,
            Meeting::StartsOverlapping
        );
        assert_eq!(
            go([1.0, 0.0, 0.0], [0.0; 3]).verdict,
            Meeting::StartsTouching
        );
        for length in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
            let answer = go([3.0, 0.0, 0.0], [-length, 0.0, 0.0]);
            assert_eq!(answer.verdict, Meeting::Hits, "{length:e} {shape:?}");
            let time = answer.time.unwrap();
            assert!(
                time.lower <= 2.0 / length && 2.0 / length <= time.upper.next_up(),
                "{length:e} {shape:?} {time:?}"
            );
        }
        // Beyond the largest float there is no time.
        let slow = go([3.0, 0.0, 0.0], [-5e-324, 0.0, 0.0]);
        assert_eq!(slow.verdict, Meeting::Hits, "{shape:?} {slow:?}");
        assert_eq!(slow.time.unwrap().upper, f64::INFINITY);
    }
}

#[test]
fn bodies_beyond_the_range_are_said_to_be() {
    let cube: Shape<Vec3<f64>> = Cuboid::new(Vec3::new(1e300, 1e300, 1e300)).unwrap().into();
    let pose = Pose::from_columns(
        [
            Vec3::new(1e10, 0.0, 0.0),
            Vec3::new(0.0, 1e10, 0.0),
            Vec3::new(0.0, 0.0, 1e10),
        ],
        Vec3::new(0.0, 0.0, 0.0),
    );
    let answer = ray(
        &cube,
        &pose,
        &Ray::new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).unwrap(),
        &Default::default(),
    );
    assert_eq!(
        (answer.verdict, answer.stop),
        (Meeting::Undecided, MotionStop::Overflow)
    );
}

/// Random bits: no panic, no hang, no NaN.
#[test]
fn any_finite_numbers_are_answered() {
    let mut rng = Rng(71);
    let mut number = |wild: bool| loop {
        let bits = rng.bits();
        let x = f64::from_bits(bits);
        if !wild {
            return [0.0, 1.0, -1.0, 0.5, 3.0, -2.0, 1e-9, 1e9][(bits % 8) as usize];
        }
        if x.is_finite() {
            return x;
        }
    };
    for case in 0..300 {
        let wild = case % 3 == 0;
        let mut vector = |wild| Vec3::new(number(wild), number(wild), number(wild));
        let (a, b, c, o, d) = (
            vector(wild),
            vector(wild),
            vector(wild),
            vector(wild),
            vector(case % 5 == 0),
        );
        let size = |x: f64| x.abs().max(f64::MIN_POSITIVE);
        let shape: Shape<Vec3<f64>> = match case % 6 {
            0 => Segment::new(a, b).unwrap().into(),
            1 => Polytope::new(&[a, b, c, o]).unwrap().into(),
            2 => Cuboid::new(Vec3::new(size(a.x), size(a.y), size(a.z)))
                .unwrap()
                .into(),
            3 => Capsule::new(size(a.x), size(a.y), Axis::X).unwrap().into(),
            4 => Cylinder::new(size(a.x), size(a.y), Axis::Y).unwrap().into(),
            _ => Ellipsoid::new(Vec3::new(size(a.x), size(a.y), size(a.z)))
                .unwrap()
                .into(),
        };
        let shot = Ray::new(o, d).unwrap();
        let start = [Start::Hit, Start::Approach, Start::Exit][case % 3];
        let touch = [Touch::Counts, Touch::Passes][case % 2];
        let options = MotionOptions::default().with_start(start).with_touch(touch);
        let answer = prove_ray(&shape, &Pose::from_translation(c), &shot, &options).answer;
        let numbers = answer
            .time
            .into_iter()
            .chain(answer.exit)
            .flat_map(|time| [time.lower, time.upper]);
        let vectors = [answer.normal, answer.point_a, answer.point_b]
            .into_iter()
            .flatten()
            .flat_map(|v| [v.x, v.y, v.z]);
        assert!(
            !numbers.chain(vectors).any(f64::is_nan),
            "{shape:?} {shot:?} {answer:?}"
        );
    }
}
