//! Numbers that no motion should have, and numbers at the ends of the range.

use crate::lattice::{Moved, asked, proved};
use crate::oracle::Rng;
use gjk::query::{Meeting, MotionOptions, MotionStop, Start, Touch};
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Ellipsoid, Polytope, Shape};
use gjk::{Axis, Pose, Vec2, Vec3};

type V = Vec3<f64>;

fn cube(at: f64, velocity: [f64; 3]) -> Moved<V> {
    Moved {
        shape: Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap().into(),
        pose: Pose::from_translation(Vec3::new(at, 0.0, 0.0)),
        velocity: velocity.into(),
    }
}

#[test]
fn a_velocity_that_is_no_number_is_undecided() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (a, b) in [
            ([bad, 0.0, 0.0], [0.0; 3]),
            ([0.0; 3], [0.0, bad, 0.0]),
            ([bad; 3], [bad; 3]),
        ] {
            let answer = asked(&cube(0.0, a), &cube(5.0, b), &Default::default());
            assert_eq!(
                (answer.verdict, answer.stop),
                (Meeting::Undecided, MotionStop::Overflow)
            );
            let time = answer.time.unwrap();
            assert_eq!((time.lower, time.upper), (0.0, f64::INFINITY));
        }
    }
}

#[test]
fn bodies_at_rest_are_a_pair_at_rest() {
    for velocity in [[0.0; 3], [1.0, -2.0, 1e300]] {
        let go = |at: f64, options: &MotionOptions<f64>| {
            asked(&cube(0.0, velocity), &cube(at, velocity), options).verdict
        };
        let hit = MotionOptions::default();
        assert_eq!(go(3.0, &hit), Meeting::Free);
        assert_eq!(go(2.0, &hit), Meeting::StartsTouching);
        assert_eq!(go(1.0, &hit), Meeting::StartsOverlapping);
        assert_eq!(go(1.0, &hit.with_start(Start::Approach)), Meeting::Free);
        assert_eq!(
            go(1.0, &hit.with_start(Start::Exit)),
            Meeting::StartsOverlapping
        );
        assert_eq!(go(2.0, &hit.with_touch(Touch::Passes)), Meeting::Free);
        assert_eq!(
            go(3.0, &hit.with_distance(1.0).unwrap()),
            Meeting::StartsTouching
        );
    }
}

#[test]
fn velocities_of_any_size_are_answered() {
    for speed in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
        for shape in [cube(5.0, [0.0; 3]).shape, Ball::new(1.0).unwrap().into()] {
            let b = Moved {
                shape,
                velocity: Vec3::new(-speed, 0.0, 0.0),
                ..cube(5.0, [0.0; 3])
            };
            let answer = asked(&cube(0.0, [0.0, 0.0, 0.0]), &b, &Default::default());
            assert_eq!(answer.verdict, Meeting::Hits, "{speed:e}");
            let time = answer.time.unwrap();
            assert!(
                time.lower <= 3.0 / speed && 3.0 / speed <= time.upper.next_up(),
                "{time:?}"
            );
        }
    }
    let slow = asked(
        &cube(0.0, [5e-324, 0.0, 0.0]),
        &cube(5.0, [0.0; 3]),
        &Default::default(),
    );
    assert_eq!(
        (slow.verdict, slow.time.unwrap().upper),
        (Meeting::Hits, f64::INFINITY)
    );
    // The difference of the velocities is beyond all floats.
    let fast = asked(
        &cube(0.0, [f64::MAX, 0.0, 0.0]),
        &cube(5.0, [-f64::MAX, 0.0, 0.0]),
        &Default::default(),
    );
    assert_eq!(fast.verdict, Meeting::Hits, "{fast:?}");
}

/// Bodies that fall together beyond the largest number before they meet: a time, and no point. The family `casts` of `gjk fuzz` found it.
#[test]
fn a_place_beyond_all_floats_is_not_told() {
    let square = |x: f32, velocity: [f32; 2]| Moved::<Vec2<f32>> {
        shape: Cuboid::new(Vec2::new(1.0, 1.0)).unwrap().into(),
        pose: Pose::from_translation(Vec2::new(x, 0.0)),
        velocity: Vec2::new(velocity[0], velocity[1]),
    };
    for distance in [0.0, 0.5] {
        let (a, b) = (square(0.0, [0.0, -1.0]), square(4.0, [-1e-45, -1.0]));
        let options = MotionOptions::default().with_distance(distance).unwrap();
        let answer = proved(&a, &b, &options).answer;
        assert_eq!(answer.verdict, Meeting::Hits);
        assert_eq!((answer.point_a, answer.point_b), (None, None));
        assert_eq!(answer.time.unwrap().upper, f32::INFINITY);
    }
}

/// No panic and no NaN, for numbers of every size.
#[test]
fn any_finite_numbers_are_answered() {
    let mut rng = Rng(9);
    let number = |rng: &mut Rng, wild: bool| {
        let power = if wild {
            rng.below(2000) as i32 - 1000
        } else {
            rng.below(9) as i32 - 4
        };
        (rng.below(17) as f64 - 8.0) * 2f64.powi(power.clamp(-1000, 1000))
    };
    for case in 0..120 {
        let mut vector = |wild: bool| -> V {
            Vec3::new(
                number(&mut rng, wild),
                number(&mut rng, wild),
                number(&mut rng, wild),
            )
        };
        let wild = case % 2 == 0;
        let mut body = |kind: usize| {
            let (p, q, r) = (vector(wild), vector(wild), vector(false));
            let size = |x: f64| x.abs().max(f64::MIN_POSITIVE);
            let shape: Shape<V> = match kind % 5 {
                0 => Polytope::new(&[p, q, r]).unwrap().into(),
                1 => Cuboid::new(Vec3::new(size(p.x), size(p.y), size(p.z)))
                    .unwrap()
                    .into(),
                2 => Capsule::new(size(p.x), size(p.y), Axis::X).unwrap().into(),
                3 => Cylinder::new(size(p.x), size(p.y), Axis::Y).unwrap().into(),
                _ => Ellipsoid::new(Vec3::new(size(p.x), size(p.y), size(p.z)))
                    .unwrap()
                    .into(),
            };
            Moved {
                shape,
                pose: Pose::from_translation(vector(wild)),
                velocity: vector(case % 3 == 0),
            }
        };
        let (a, b) = (body(case), body(case / 5));
        let start = [Start::Hit, Start::Approach, Start::Exit][case % 3];
        let touch = [Touch::Counts, Touch::Passes][case / 2 % 2];
        let mut options = MotionOptions::default().with_start(start).with_touch(touch);
        if case % 4 == 0 {
            options = options.with_distance(0.3).unwrap();
        }
        let answer = asked(&a, &b, &options);
        let times = answer
            .time
            .into_iter()
            .chain(answer.exit)
            .flat_map(|t| [t.lower, t.upper]);
        let vectors = [answer.normal, answer.point_a, answer.point_b];
        let numbers = vectors.into_iter().flatten().flat_map(|v| [v.x, v.y, v.z]);
        assert!(
            !times.chain(numbers).any(f64::is_nan),
            "{a:?}\n{b:?}\n{answer:?}"
        );
    }
}
