//! Casts and times of impact against brute force, and starts in contact.

use super::boxes::cut_box;
use super::made::{agree, brute, direction, pose, soup, terrain, turned, vec3};
use gjk::query::{self, Meeting, MotionOptions, Start, ToiOptions, Twist};
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Ellipsoid};
use gjk::{Axis, Pose3, Support, Vec3};
use gjk_mesh::{MeshBody, SweepError};

fn shapes() -> Vec<Box<dyn Support<Vec3<f64>>>> {
    vec![
        Box::new(Cuboid::new(vec3([0.5, 0.25, 0.375])).unwrap()),
        Box::new(Ball::new(0.5).unwrap()),
        Box::new(Capsule::new(0.5, 0.25, Axis::X).unwrap()),
        Box::new(Cylinder::new(0.5, 0.25, Axis::Z).unwrap()),
        Box::new(Ellipsoid::new(vec3([0.5, 0.25, 0.75])).unwrap()),
    ]
}

#[test]
fn casts_are_those_of_all_triangles() {
    let mut random = fastrand::Rng::with_seed(21);
    let shapes = shapes();
    let (mut hits, mut starts, mut free) = (0, 0, 0);
    for case in 0..400 {
        let body = MeshBody::new(if case % 2 == 0 {
            soup(&mut random, 8, 3)
        } else {
            terrain(4)
        });
        let place = pose(&mut random, 2.0);
        let shape = &*shapes[case % 5];
        let at = pose(&mut random, 4.0);
        let at = Pose3::from_columns(
            [at.columns()[0], at.columns()[1], at.columns()[2]],
            at.translation() * 0.5 + direction(&mut random) * 2.0,
        );
        let (velocity, own) = (direction(&mut random), direction(&mut random) * 8.0);
        let options = match case % 4 {
            0 => MotionOptions::default()
                .with_max_time(random.f64())
                .unwrap(),
            1 => MotionOptions::default().with_distance(0.25).unwrap(),
            2 => MotionOptions::default().with_start(Start::Approach),
            _ => MotionOptions::default(),
        };
        let here = Pose3::identity();
        let truth = brute(&body, &place, |t| {
            query::cast(t, &here, velocity, shape, &at, own, &options)
        });
        let found = body
            .at(&place)
            .cast(velocity, shape, &at, own, &options)
            .unwrap();
        agree(&found, &truth, &case);
        hits += usize::from(truth.verdict == Meeting::Hits);
        starts += usize::from(truth.verdict == Meeting::StartsOverlapping);
        free += usize::from(truth.verdict == Meeting::Free);
    }
    assert!(
        hits > 100 && starts > 30 && free > 50,
        "{hits} {starts} {free}"
    );
}

#[test]
fn times_of_impact_are_those_of_all_triangles() {
    let mut random = fastrand::Rng::with_seed(22);
    let shapes = shapes();
    let (mut hits, mut free) = (0, 0);
    for case in 0..120 {
        let body = MeshBody::new(if case % 2 == 0 {
            soup(&mut random, 4, 3)
        } else {
            terrain(2)
        });
        let place = pose(&mut random, 2.0);
        let shape = &*shapes[case % 4];
        let at = Pose3::from_translation(direction(&mut random) * 3.0);
        let spin = |random: &mut fastrand::Rng, fast: f64| {
            let angular = [(); 3].map(|()| fast * (random.f64() - 0.5));
            Twist::new(
                direction(random) * (2.0 * fast),
                angular,
                direction(random) * 0.25,
            )
            .unwrap()
        };
        let own = spin(&mut random, 5.0);
        let twist = if case % 3 == 0 {
            spin(&mut random, 1.0)
        } else {
            Twist::rest()
        };
        let options = ToiOptions::default();
        let found = body
            .at(&place)
            .toi(&twist, shape, &at, &own, &options)
            .unwrap();
        let own_place = Pose3::identity();
        // Before the pose, so that the twist has the same centre.
        let truth = brute(&body, &own_place, |t| {
            query::toi(t, &place, &twist, shape, &at, &own, &options)
        });
        agree(&found, &truth, &case);
        hits += usize::from(truth.verdict == Meeting::Hits);
        free += usize::from(truth.verdict == Meeting::Free);
    }
    assert!(hits > 20 && free > 20, "{hits} {free}");
}

/// By hand: a bar swings its tip into a floor of many triangles though both ends of the motion are clear of it.
#[test]
fn a_bar_swings_into_a_floor() {
    let floor = MeshBody::new(cut_box([-8.0, -8.0, -1.0], [8.0, 8.0, 0.0], 6));
    let bar = Cuboid::new(vec3([1.0, 0.05, 0.05])).unwrap();
    let at = turned([0.0, -0.3, 0.0], vec3([0.125, 0.0, 0.9]));
    let zero = vec3([0.0; 3]);
    let swing = Twist::new(zero, [0.0, 3.0, 0.0], zero).unwrap();
    let posed = floor.at(&Pose3::identity());
    let found = posed
        .toi(&Twist::rest(), &bar, &at, &swing, &ToiOptions::default())
        .unwrap();
    assert_eq!(found.answer.verdict, Meeting::Hits);
    // sin φ + 0.05 cos φ = 0.9 for the angle φ below the level.
    let angle = -0.3 + 3.0 * found.answer.time.unwrap().upper;
    assert!((angle.sin() + 0.05 * angle.cos() - 0.9).abs() < 1e-9);
    assert!((found.answer.normal.unwrap().z - 1.0).abs() < 1e-9);
    let short = Twist::new(zero, [0.0, 1.0, 0.0], zero).unwrap();
    let found = posed
        .toi(&Twist::rest(), &bar, &at, &short, &ToiOptions::default())
        .unwrap();
    assert_eq!(found.answer.verdict, Meeting::Free);
}

#[test]
fn a_start_inside_of_a_solid_is_told() {
    let solid = MeshBody::new(cut_box([-4.0; 3], [4.0; 3], 3));
    let ball = Ball::new(0.5).unwrap();
    let posed = solid.at(&Pose3::identity());
    let (rest, way) = (vec3([0.0; 3]), vec3([1.0, 0.0, 0.0]));
    let options = MotionOptions::default();
    let deep = Pose3::from_translation(vec3([1.0, 0.5, 0.0]));
    let found = posed.cast(rest, &ball, &deep, way, &options).unwrap();
    assert!(found.inside && found.answer.exact && found.triangles.is_empty());
    assert_eq!(found.answer.verdict, Meeting::StartsOverlapping);
    let twist = Twist::new(way, [0.0, 0.0, 1.0], rest).unwrap();
    assert!(
        posed
            .toi(&Twist::rest(), &ball, &deep, &twist, &ToiOptions::default())
            .unwrap()
            .inside
    );
    // Through the surface: not inside alone.
    let half = Pose3::from_translation(vec3([4.25, 0.5, 0.0]));
    let found = posed.cast(rest, &ball, &half, way, &options).unwrap();
    assert!(!found.inside && found.answer.verdict == Meeting::StartsOverlapping);
    // Away from it, the contact of the start is passed over; and into it, it is not.
    let approach = options.with_start(Start::Approach);
    let away = posed.cast(rest, &ball, &half, way, &approach).unwrap();
    assert_eq!(away.answer.verdict, Meeting::Free);
    let back = posed.cast(rest, &ball, &half, -way, &approach).unwrap();
    assert_eq!(back.answer.verdict, Meeting::StartsOverlapping);
    let touching = Pose3::from_translation(vec3([4.5, 0.5, 0.0]));
    let found = posed.cast(rest, &ball, &touching, way, &options).unwrap();
    assert_eq!(found.answer.verdict, Meeting::StartsTouching);
}

#[test]
fn bad_motions_are_refused() {
    let body = MeshBody::new(terrain(2));
    let ball = Ball::new(0.5).unwrap();
    let (posed, here) = (
        body.at(&Pose3::identity()),
        Pose3::from_translation(vec3([0.0, 0.0, 9.0])),
    );
    let (rest, nan) = (vec3([0.0; 3]), vec3([f64::NAN, 0.0, 0.0]));
    let plain = MotionOptions::default();
    for [velocity, own] in [
        [nan, rest],
        [rest, nan],
        [rest, vec3([f64::INFINITY, 0.0, 0.0])],
    ] {
        let found = posed.cast(velocity, &ball, &here, own, &plain);
        assert!(matches!(found, Err(SweepError::Motion(error)) if error.field() == "velocity"));
    }
    let exit = plain.with_start(Start::Exit);
    assert_eq!(
        posed.cast(rest, &ball, &here, rest, &exit),
        Err(SweepError::ExitOfBody)
    );
    let exit = ToiOptions::default().with_motion(exit);
    let found = posed.toi(&Twist::rest(), &ball, &here, &Twist::rest(), &exit);
    assert_eq!(found, Err(SweepError::ExitOfBody));
    // At rest, and apart.
    assert_eq!(
        posed
            .cast(rest, &ball, &here, rest, &plain)
            .unwrap()
            .answer
            .verdict,
        Meeting::Free
    );
}
