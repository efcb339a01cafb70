//! T2: higgs.at.

use super::*;

#[test]
fn t2_1_flat_sets_of_any_count_answer_rightly() {
    let triangle = hull(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let square = hull(&[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, 0.5, 0.0],
    ]);
    let line = hull(&[[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.0, 1.0, 0.0]]);
    let point = hull(&[[0.25, 0.25, 0.0]]);
    for (i, a) in [&triangle, &square, &line, &point].into_iter().enumerate() {
        for b in [&triangle, &square, &line, &point] {
            // Coplanar bodies share no inner points in space: they can at most touch.
            assert_eq!(
                contact3(a, b, &Pose::identity()).verdict,
                Verdict::Touching,
                "{i}"
            );
            let above = contact3(a, b, &at3(0.0, 0.0, 0.5));
            assert_eq!(above.verdict, Verdict::Separated);
            assert!((above.signed_distance.upper - 0.5).abs() < 1e-12);
        }
    }
    let upright = Pose::from_columns(
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]].map(Vec3::from),
        Vec3::new(0.0, 0.25, -0.5),
    );
    assert_eq!(
        contact3(&triangle, &square, &upright).verdict,
        Verdict::Overlapping
    );
}

#[test]
fn t2_2_rotation_and_translation() {
    let quarter = std::f64::consts::FRAC_PI_4;
    let turned = Pose::from_quaternion(
        [0.0, 0.0, (quarter / 2.0).sin(), (quarter / 2.0).cos()],
        Vec3::new(3.0, 0.0, 0.0),
    )
    .unwrap();
    let answer = contact3(&cube(1.0), &cube(1.0), &turned);
    assert!((answer.signed_distance.upper - (2.0 - 2.0f64.sqrt())).abs() < 1e-12);
    let planar = Cuboid::new(Vec2::new(1.0, 1.0)).unwrap();
    let pose = Pose::from_angle(quarter, Vec2::new(3.0, 0.0));
    let answer = query::contact(
        &planar,
        &Pose::identity(),
        &planar,
        &pose,
        &Options::tight(),
    );
    assert!((answer.signed_distance.upper - (2.0 - 2.0f64.sqrt())).abs() < 1e-12);
}

#[test]
fn t2_3_first_direction_default_or_the_callers() {
    let (a, b, pose) = (cube(1.0), cube(1.0), at3(4.0, 0.0, 0.0));
    for first in [
        None,
        Some([1.0, 0.0, 0.0]),
        Some([0.0, 0.0, -1.0]),
        Some([0.0; 3]),
        Some([f64::NAN; 3]),
    ] {
        let mut options = ProofOptions::default();
        options.first_direction = first.map(Vec3::from);
        let mut recorder = Recorder::new();
        let answer = gjk::Pair::new(&a, &Pose::identity(), &b, &pose)
            .with(&Options::default())
            .prove_observed(&options, &mut recorder)
            .contact;
        assert!((answer.signed_distance.lower - 2.0).abs() < 1e-13);
        let Step::Gjk { direction, .. } = &recorder.steps[0] else {
            panic!("GJK comes first")
        };
        if first == Some([0.0, 0.0, -1.0]) {
            assert_eq!(*direction, Vec3::new(0.0, 0.0, -1.0));
        }
    }
}

#[test]
fn t2_4_never_cycles() {
    // Aligned boxes, crossing needles and fine fans: inputs on which sign errors add and remove the same points.
    let needle = |x: f64| {
        hull(&[
            [-1e6, 0.0, 0.0],
            [1e6, 0.0, 0.0],
            [0.0, x, 1e-3],
            [0.0, -x, 1e-3],
        ])
    };
    let fan: Vec<[f64; 3]> = (0..64)
        .map(|k| {
            let t = f64::from(k) * 1e-7;
            [t.cos(), t.sin(), 0.0]
        })
        .collect();
    let mut rng = Rng(24);
    for _ in 0..3000 {
        let pose = Pose::from_quaternion(
            rng.quaternion(),
            oracle::pairs::random_vector(&mut rng, 1.0),
        )
        .unwrap();
        for answer in [
            contact3(&needle(1e-3), &needle(1e-4), &pose),
            contact3(&hull(&fan), &cube(1.0), &pose),
        ] {
            assert!(
                answer.iterations.gjk < 64 && answer.stop != Stop::IterationLimit,
                "{answer:?}"
            );
        }
    }
}
