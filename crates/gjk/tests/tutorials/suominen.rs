//! T3: Suominen.

use super::*;

#[test]
fn t3_1_poses_with_scale_and_shear_without_copying_vertices() {
    let shear = [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]].map(Vec3::from);
    let pose = Pose::from_columns(shear, Vec3::new(4.0, 0.0, 0.0));
    let by_pose = contact3(&cube(1.0), &cube(1.0), &pose);
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|id| pose.point(cube(1.0).vertex(id).unwrap()).into())
        .collect();
    let by_copy = contact3(&cube(1.0), &hull(&corners), &Pose::identity());
    assert_eq!(by_pose.verdict, by_copy.verdict);
    assert!((by_pose.signed_distance.lower - by_copy.signed_distance.lower).abs() < 1e-13);
    // A ball under non-uniform scale is an ellipsoid.
    let ball: Shape<Vec3<f64>> = Ball::new(1.0).unwrap().into();
    let scaled = Affine::new(ball, Pose::identity().scaled(Vec3::new(1.0, 2.0, 0.5))).unwrap();
    let ellipsoid = Ellipsoid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap();
    let (x, y) = (
        contact3(&cube(1.0), &scaled, &at3(3.0, 2.0, 1.0)),
        contact3(&cube(1.0), &ellipsoid, &at3(3.0, 2.0, 1.0)),
    );
    assert!((x.signed_distance.lower - y.signed_distance.lower).abs() < 1e-10);
}

#[test]
fn t3_2_support_pairs_keep_both_points_and_ids() {
    let mut recorder = Recorder::new();
    let options = Options::tight();
    gjk::Pair::new(
        &cube(1.0),
        &Pose::identity(),
        &cube(1.0),
        &at3(3.0, 0.3, 0.2),
    )
    .with(&options)
    .prove_observed(&ProofOptions::default(), &mut recorder);
    for step in &recorder.steps {
        let Step::Gjk { support, .. } = step else {
            continue;
        };
        assert_eq!(support.w, support.a - support.b);
        assert_eq!(cube(1.0).vertex(support.ids[0]), Some(support.a));
    }
}

#[test]
fn t3_3_bad_bodies_cannot_be_built_and_one_body_may_meet_itself() {
    assert!(
        matches!(Polytope::<Vec3<f64>>::new(&[]), Err(ShapeError::Empty { field }) if field == "points")
    );
    let nan = Polytope::new(&[Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, f64::NAN, 0.0)]);
    assert!(matches!(nan, Err(ShapeError::NotFinite { field, .. }) if field == "points[1]"));
    let negative = Ball::<Vec3<f64>>::new(-1.0).unwrap_err();
    assert_eq!(negative.to_string(), "radius is -1: it must be positive");
    assert!(
        matches!(Cuboid::new(Vec2::new(1.0, -2.0)), Err(ShapeError::OutOfRange { field, .. }) if field == "half_extents[1]")
    );
    assert!(Capsule::<Vec2<f64>>::new(1.0, 1.0, Axis::Z).is_err());
    assert_eq!(
        Ball::<Vec3<f64>>::new(0.0).unwrap_err().to_string(),
        "radius is 0: it must be positive"
    );
    let body = cube(1.0);
    let itself = contact3(&body, &body, &Pose::identity());
    assert_eq!(itself.verdict, Verdict::Overlapping);
    assert!((itself.signed_distance.upper + 2.0).abs() < 1e-13);
}

#[test]
fn t3_4_the_iteration_limit_is_reported_never_turned_into_a_verdict() {
    let egg = Ellipsoid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let options = Options::tight().with_iterations_max(3);
    for (pose, truth) in [
        (at3(2.5, 0.0, 0.1), Verdict::Separated),
        (at3(1.5, 0.4, 0.3), Verdict::Overlapping),
    ] {
        let full = contact3(&egg, &egg, &pose);
        assert_eq!(full.verdict, truth);
        let short = query::contact(&egg, &Pose::identity(), &egg, &pose, &options);
        assert_eq!(short.stop, Stop::IterationLimit, "{short:?}");
        assert!(short.verdict == Verdict::Undecided || short.verdict == truth);
        assert!(short.signed_distance.lower <= full.signed_distance.upper);
        assert!(short.signed_distance.upper >= full.signed_distance.lower);
    }
}

#[test]
fn t3_6_the_trace_holds_every_step() {
    let mut recorder = Recorder::new();
    let options = Options::tight();
    let answer = gjk::Pair::new(
        &cube(1.0),
        &Pose::identity(),
        &cube(1.0),
        &at3(1.5, 0.3, 0.2),
    )
    .with(&options)
    .prove_observed(&ProofOptions::default(), &mut recorder)
    .contact;
    let epa = recorder
        .steps
        .iter()
        .filter(|s| matches!(s, Step::Epa { .. }))
        .count();
    assert_eq!(epa as u32, answer.iterations.epa);
    assert_eq!(
        recorder.steps.len() as u32,
        answer.iterations.gjk + answer.iterations.epa
    );
    assert_eq!(core::mem::size_of_val(&()), 0);
}

#[test]
fn t3_8_convexity_is_proved_or_the_offender_named() {
    let points: Vec<Vec3<f64>> = (0..8).map(|id| cube(1.0).vertex(id).unwrap()).collect();
    let faces: Vec<Vec<u32>> = vec![
        vec![0, 2, 3, 1],
        vec![4, 5, 7, 6],
        vec![0, 1, 5, 4],
        vec![2, 6, 7, 3],
        vec![0, 4, 6, 2],
        vec![1, 3, 7, 5],
    ];
    assert!(ConvexPolyhedron::try_from_mesh(&points, &faces).is_ok());
    assert!(ConvexPolyhedron::try_from_mesh(&points, &faces[1..]).is_err());
    let mut dented = points.clone();
    dented.push(Vec3::new(0.0, 0.0, 0.5));
    let mut roof = faces.clone();
    roof[1] = vec![4, 5, 8];
    roof.extend([vec![5, 7, 8], vec![7, 6, 8], vec![6, 4, 8]]);
    let error = ConvexPolyhedron::try_from_mesh(&dented, &roof).unwrap_err();
    assert!(
        error.to_string().contains("edge") || error.to_string().contains("vertex"),
        "{error}"
    );
}

#[test]
fn t3_9_applying_the_depth_leaves_the_pair_touching() {
    let mut rng = Rng(39);
    let (a, b) = (
        cube(1.0),
        hull(&[
            [0.0, 0.0, 0.0],
            [1.5, 0.0, 0.0],
            [0.0, 1.5, 0.0],
            [0.0, 0.0, 1.5],
            [-1.0, -0.5, -0.7],
        ]),
    );
    for _ in 0..500 {
        let pose = Pose::from_quaternion(
            rng.quaternion(),
            oracle::pairs::random_vector(&mut rng, 1.0),
        )
        .unwrap();
        let answer = contact3(&a, &b, &pose);
        if answer.verdict == Verdict::Overlapping {
            let moved = Pose::from_translation(-(answer.normal * answer.signed_distance.upper))
                .compose(&pose);
            let after = contact3(&a, &b, &moved);
            assert!(after.signed_distance.lower.abs() < 1e-12, "{after:?}");
        }
    }
}

#[test]
fn t3_10_f32_and_f64_from_one_code_with_exact_verdicts() {
    fn stacked<V: Vector>() -> Verdict {
        let half = V::from_fn(|_| <V::Scalar as gjk::Scalar>::from_f64(0.5));
        let up = V::axis(1);
        let body = Cuboid::new(half).unwrap();
        query::intersects(
            &body,
            &Pose::identity(),
            &body,
            &Pose::from_translation(up),
            &Options::tight(),
        )
        .verdict
    }
    assert_eq!(stacked::<Vec2<f32>>(), Verdict::Touching);
    assert_eq!(stacked::<Vec2<f64>>(), Verdict::Touching);
    assert_eq!(stacked::<Vec3<f32>>(), Verdict::Touching);
    assert_eq!(stacked::<Vec3<f64>>(), Verdict::Touching);
}
