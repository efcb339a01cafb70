//! One named test for every row of the five tutorials that is not the lab's.
//!
//! T1 Dubious Engine, T2 higgs.at, T3 Suominen, T4 the polygon article, T5 Bittle. Rows to look at (T2.5 to T2.8, T3.11,
//! T4.2, T4.4) belong to the lab.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::loops::simplex::{Reduced, Simplex, reduce};
use gjk::query::{self, Cache, Options, ProofOptions, Question, Verdict};
use gjk::shape::{
    Affine, Ball, Capsule, ConvexPolyhedron, Cuboid, Ellipsoid, Polytope, Shape, ShapeError,
};
use gjk::trace::{Recorder, Region, Step};
use gjk::{Axis, NO_ID, Pose, Stop, Support, SupportPair, SupportPoint, Vec2, Vec3, Vector};
use oracle::Rng;

fn polygon(points: &[[f64; 2]]) -> Polytope<Vec2<f64>> {
    Polytope::new(&points.iter().map(|&p| p.into()).collect::<Vec<_>>()).unwrap()
}
fn hull(points: &[[f64; 3]]) -> Polytope<Vec3<f64>> {
    Polytope::new(&points.iter().map(|&p| p.into()).collect::<Vec<_>>()).unwrap()
}
fn cube(half: f64) -> Cuboid<Vec3<f64>> {
    Cuboid::new(Vec3::new(half, half, half)).unwrap()
}
fn at3(x: f64, y: f64, z: f64) -> Pose<Vec3<f64>> {
    Pose::from_translation(Vec3::new(x, y, z))
}
fn contact3<A: Support<Vec3<f64>>, B: Support<Vec3<f64>>>(
    a: &A,
    b: &B,
    pose: &Pose<Vec3<f64>>,
) -> query::Contact<Vec3<f64>> {
    query::contact(a, &Pose::identity(), b, pose, &Options::tight())
}
fn pair<V: Vector>(w: V, id: u32) -> SupportPair<V> {
    SupportPair {
        a: w,
        b: V::ZERO,
        w,
        ids: [id, 0],
    }
}
/// Reduces a simplex given newest first.
fn reduced<V: gjk::math::Vector64>(points: &[V]) -> Option<(Vec<u32>, V)> {
    let mut simplex = Simplex::from_pair(pair(points[points.len() - 1], points.len() as u32 - 1));
    for (id, &w) in points.iter().enumerate().rev().skip(1) {
        simplex = simplex.with(pair(w, id as u32));
    }
    match reduce(&simplex) {
        Reduced::Face { simplex, .. } => Some((
            simplex.pairs().iter().map(|p| p.ids[0]).collect(),
            simplex.points()[0],
        )),
        Reduced::Enclosed => None,
    }
}

#[test]
fn t1_1_every_region_of_the_solver_is_reached() {
    let v = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    // Segment: either end, and its inside.
    assert_eq!(
        reduced(&[v(1.0, 1.0, 0.0), v(2.0, 1.0, 0.0)]).unwrap().0,
        [0]
    );
    assert_eq!(
        reduced(&[v(2.0, 1.0, 0.0), v(1.0, 1.0, 0.0)]).unwrap().0,
        [1]
    );
    assert_eq!(
        reduced(&[v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)]).unwrap(),
        (vec![0, 1], v(0.0, 1.0, 0.0))
    );
    // Triangle: the newest vertex, its two edges, the face from above and below.
    let (b, c) = (v(4.0, -3.0, 1.0), v(4.0, 3.0, 1.0));
    assert_eq!(reduced(&[v(1.0, 0.0, 1.0), b, c]).unwrap().0, [0]);
    assert_eq!(
        reduced(&[v(-1.0, 1.0, 1.0), b, v(4.0, 6.0, 1.0)])
            .unwrap()
            .0,
        [0, 1]
    );
    assert_eq!(
        reduced(&[v(-1.0, -1.0, 1.0), v(4.0, -6.0, 1.0), c])
            .unwrap()
            .0,
        [0, 2]
    );
    assert_eq!(
        reduced(&[v(-1.0, 0.0, 1.0), b, c]).unwrap(),
        (vec![0, 1, 2], v(0.0, 0.0, 1.0))
    );
    assert_eq!(
        reduced(&[v(-1.0, 0.0, -1.0), v(4.0, -3.0, -1.0), v(4.0, 3.0, -1.0)])
            .unwrap()
            .0
            .len(),
        3
    );
    // Tetrahedron: vertex, edge, face, inside.
    let base = [v(-1.0, -1.0, 3.0), v(2.0, -1.0, 3.0), v(-1.0, 2.0, 3.0)];
    let with = |a| reduced(&[a, base[0], base[1], base[2]]);
    assert_eq!(with(v(0.0, 0.0, 1.0)).unwrap().0, [0]);
    assert_eq!(with(v(0.5, 0.5, -0.25)).unwrap().0, [0, 1]);
    assert_eq!(with(v(1.2, 0.1, -0.25)).unwrap().0.len(), 3);
    assert!(with(v(0.0, 0.0, -1.0)).is_none());
    // The plane: the same function, one dimension less.
    let flat = |x: f64, y: f64| Vec2::new(x, y);
    assert_eq!(
        reduced(&[flat(1.0, 1.0), flat(2.0, 3.0), flat(3.0, 2.0)])
            .unwrap()
            .0,
        [0]
    );
    assert_eq!(
        reduced(&[flat(1.0, -1.0), flat(1.0, 2.0), flat(3.0, 0.0)])
            .unwrap()
            .0,
        [0, 1]
    );
    assert!(reduced(&[flat(-1.0, 0.0), flat(1.0, -1.0), flat(1.0, 1.0)]).is_none());
}

#[test]
fn t1_2_skipped_regions_stay_safe_after_a_warm_start() {
    let (a, b) = (
        cube(1.0),
        hull(&[
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ]),
    );
    let mut rng = Rng(12);
    let mut warm = Cache::new();
    for _ in 0..2000 {
        let pose = Pose::from_quaternion(
            rng.quaternion(),
            oracle::pairs::random_vector(&mut rng, 2.0),
        )
        .unwrap();
        let options = Options::tight();
        let cold = query::contact(&a, &Pose::identity(), &b, &pose, &options);
        let warmed = gjk::Pair::new(&a, &Pose::identity(), &b, &pose)
            .with(&options)
            .warm(&mut warm)
            .contact();
        assert_eq!(cold.verdict, warmed.verdict);
        assert!((cold.signed_distance.lower - warmed.signed_distance.lower).abs() < 1e-12);
    }
}

#[test]
fn t1_3_mirrored_input_gives_the_mirrored_answer() {
    let points = [
        [0.0, 0.0, 0.0],
        [2.0, 0.1, 0.0],
        [0.3, 1.5, 0.2],
        [0.1, 0.2, 1.9],
    ];
    let mirrored = points.map(|[x, y, z]| [-x, y, z]);
    for (dx, verdict) in [(0.6, Verdict::Overlapping), (5.0, Verdict::Separated)] {
        let here = contact3(&hull(&points), &cube(0.5), &at3(dx, 0.4, 0.3));
        let there = contact3(&hull(&mirrored), &cube(0.5), &at3(-dx, 0.4, 0.3));
        assert_eq!((here.verdict, there.verdict), (verdict, verdict));
        assert!((here.signed_distance.lower - there.signed_distance.lower).abs() < 1e-13);
        assert!(
            (here.normal.x + there.normal.x).abs() < 1e-12
                && (here.normal.y - there.normal.y).abs() < 1e-12
        );
    }
}

#[test]
fn t1_4_touching_is_its_own_proved_verdict() {
    // The origin exactly on a vertex, an edge and a face of the difference, and one float to either side.
    let unit = cube(0.5);
    for (pose, side) in [
        (at3(1.0, 1.0, 1.0), 0),
        (at3(1.0, 1.0, 0.25), 0),
        (at3(1.0, 0.25, 0.125), 0),
    ] {
        let touching = contact3(&unit, &unit, &pose);
        assert_eq!(touching.verdict, Verdict::Touching, "{touching:?}");
        assert!(touching.exact && (touching.normal.norm() - 1.0).abs() < 1e-15);
        let x = pose.translation().component(side);
        for (moved, verdict) in [
            (x.next_up(), Verdict::Separated),
            (x.next_down(), Verdict::Overlapping),
        ] {
            let t = pose.translation();
            let neighbour = contact3(&unit, &unit, &at3(moved, t.y, t.z));
            // Next to a vertex or edge contact the other axes still touch.
            let expected = if verdict == Verdict::Overlapping && t.y == 1.0 {
                Verdict::Touching
            } else {
                verdict
            };
            assert_eq!(neighbour.verdict, expected, "{moved:?} {neighbour:?}");
        }
    }
}

#[test]
fn t1_5_a_simplex_of_wrong_size_cannot_be_made() {
    let mut simplex = Simplex::from_pair(pair(Vec2::new(1.0, 0.0), 0));
    for id in 1..10 {
        simplex = simplex.with(pair(Vec2::new(f64::from(id), 1.0), id as u32));
    }
    assert_eq!(simplex.pairs().len(), 3);
}

#[test]
fn t1_6_depth_normal_and_a_point_on_each_body() {
    let answer = contact3(&cube(1.0), &cube(1.0), &at3(1.75, 0.5, 0.0));
    assert_eq!(answer.normal, Vec3::new(1.0, 0.0, 0.0));
    assert!((answer.signed_distance.upper + 0.25).abs() < 1e-13);
    assert!((answer.point_a.x - 1.0).abs() < 1e-13 && (answer.point_b.x - 0.75).abs() < 1e-13);
}

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

#[test]
fn t4_1_distance_and_verdict_agree() {
    let mut rng = Rng(41);
    for _ in 0..5000 {
        let mut body = || {
            let points: Vec<[f64; 2]> = (0..5)
                .map(|_| [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)])
                .collect();
            (polygon(&points), points)
        };
        let ((a, _), (b, _)) = (body(), body());
        let pose = Pose::from_translation(oracle::pairs::random_vector(&mut rng, 2.0));
        let answer = query::distance(&a, &Pose::identity(), &b, &pose, &Options::tight());
        let verdict =
            query::intersects(&a, &Pose::identity(), &b, &pose, &Options::tight()).verdict;
        assert_eq!(answer.verdict, verdict);
        assert_eq!(answer.distance.lower > 0.0, verdict == Verdict::Separated);
    }
}

#[test]
fn t4_3_support_of_a_sorted_polygon() {
    let ring: Vec<[f64; 2]> = (0..100)
        .map(|k| {
            let t = f64::from(k) * 0.0628;
            [t.cos(), t.sin()]
        })
        .collect();
    let shape = polygon(&ring);
    for k in 0..1000 {
        let t = f64::from(k) * 0.01;
        let d = Vec2::new(t.cos(), t.sin());
        let best = ring
            .iter()
            .map(|p| p[0] * d.x + p[1] * d.y)
            .fold(f64::MIN, f64::max);
        assert_eq!(shape.support(d, NO_ID).point.dot(d), best);
    }
}

#[test]
fn t4_5_one_loop_for_both_dimensions() {
    // The planar pair and its prism agree wherever the prism's height does not matter.
    let flat = polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]);
    let prism = hull(&[
        [0.0, 0.0, -9.0],
        [2.0, 0.0, -9.0],
        [1.0, 1.5, -9.0],
        [0.0, 0.0, 9.0],
        [2.0, 0.0, 9.0],
        [1.0, 1.5, 9.0],
    ]);
    for (x, y) in [(3.0, 0.5), (0.5, 0.25), (2.0, 0.0), (-1.0, 2.0)] {
        let pose = Pose::from_translation(Vec2::new(x, y));
        let planar = query::contact(&flat, &Pose::identity(), &flat, &pose, &Options::tight());
        let solid = contact3(&prism, &prism, &at3(x, y, 0.0));
        assert_eq!(planar.verdict, solid.verdict);
        assert!((planar.signed_distance.lower - solid.signed_distance.lower).abs() < 1e-12);
    }
}

#[test]
fn t5_1_any_shape_with_a_support_function() {
    struct Lens;
    impl Support<Vec2<f64>> for Lens {
        fn support(&self, d: Vec2<f64>, _hint: u32) -> SupportPoint<Vec2<f64>> {
            // Two unit discs with centres at (0, ±0.5), intersected: arcs and two corners.
            let unit = d.normalized().unwrap_or(Vec2::new(1.0, 0.0));
            let corner = 0.75f64.sqrt();
            let point = if unit.x.abs() >= corner {
                Vec2::new(corner * unit.x.signum(), 0.0)
            } else {
                Vec2::new(unit.x, unit.y - 0.5 * unit.y.signum())
            };
            SupportPoint { point, id: NO_ID }
        }
    }
    let disc = Ball::new(0.25).unwrap();
    for (center, truth) in [
        ([0.0, 2.0], 1.25),
        ([2.0, 0.0], 2.0 - 0.75f64.sqrt() - 0.25),
    ] {
        let pose = Pose::from_translation(Vec2::from(center));
        let answer = query::contact(&Lens, &Pose::identity(), &disc, &pose, &Options::tight());
        assert!(
            (answer.signed_distance.lower - truth).abs() < 1e-9,
            "{answer:?}"
        );
        assert!(!answer.exact);
    }
}

#[test]
fn t5_2_a_warm_start_saves_steps_on_a_moving_pair() {
    let mut rng = Rng(52);
    let sphere: Vec<[f64; 3]> = (0..64).map(|_| rng.direction(3)).collect();
    let body = hull(&sphere);
    let (mut cold, mut warm, mut start) = (0, 0, Cache::new());
    for step in 0..500 {
        let t = f64::from(step) * 0.01;
        let pose = Pose::from_quaternion(
            [0.0, (t / 2.0).sin(), 0.0, (t / 2.0).cos()],
            Vec3::new(2.3, 0.3 * t.cos(), 0.2),
        )
        .unwrap();
        let options = Options::tight();
        cold += query::contact(&body, &Pose::identity(), &body, &pose, &options)
            .iterations
            .gjk;
        warm += gjk::Pair::new(&body, &Pose::identity(), &body, &pose)
            .with(&options)
            .warm(&mut start)
            .contact()
            .iterations
            .gjk;
    }
    assert!(warm * 2 < cold, "warm {warm}, cold {cold}");
}

#[test]
fn t5_3_and_t5_4_the_worked_example_step_by_step() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[5.0, 7.0], [12.0, 7.0], [10.0, 2.0], [7.0, 3.0]]);
    let options = ProofOptions::default()
        .with_question(Question::Tutorial)
        .with_first_direction(Vec2::new(1.0, -1.0));
    let mut recorder = Recorder::new();
    let here = Pose::identity();
    let answer = gjk::Pair::new(&a, &here, &b, &here)
        .with(&Options::default())
        .prove_observed(&options, &mut recorder)
        .contact;
    assert_eq!(answer.verdict, Verdict::Overlapping);
    let expected = [
        ([1.0, -1.0], [4.0, 2.0], 2.0),
        ([-1.0, 1.0], [-6.0, 9.0], 15.0),
        ([-336.0, -480.0], [-8.0, -2.0], 3648.0),
        ([32.0, -96.0], [-1.0, -2.0], 160.0),
    ];
    assert_eq!(recorder.steps.len(), expected.len());
    for (step, (direction, w, projection)) in recorder.steps.iter().zip(expected) {
        let Step::Gjk {
            direction: d,
            support,
            projection: p,
            ..
        } = step
        else {
            panic!("only GJK steps")
        };
        assert_eq!(
            (*d, support.w, *p),
            (Vec2::from(direction), Vec2::from(w), projection)
        );
    }
    let Some(Step::Gjk { region, .. }) = recorder.steps.last() else {
        panic!("four steps")
    };
    assert_eq!(*region, Region::Enclosed);
}

#[test]
fn t5_5_touching_is_the_callers_policy_over_a_proved_verdict() {
    let body = cube(0.5);
    for (touching_counts, expected) in [(true, Some(true)), (false, Some(false))] {
        let options = Options::tight().with_touching_counts(touching_counts);
        let answer = query::intersects(
            &body,
            &Pose::identity(),
            &body,
            &at3(1.0, 0.0, 0.0),
            &options,
        );
        assert_eq!(
            (answer.verdict, answer.intersects),
            (Verdict::Touching, expected)
        );
    }
}

#[test]
fn t5_6_the_follow_ups_distance() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[8.0, 6.0], [15.0, 6.0], [13.0, 1.0], [10.0, 2.0]]);
    let here = Pose::identity();
    let answer = query::distance(&a, &here, &b, &here, &Options::tight());
    let truth = 11.0 / 41.0f64.sqrt();
    assert!(answer.distance.lower <= truth && truth <= answer.distance.upper);
    let nearest = answer.point_a - answer.point_b;
    assert!((nearest.x + 44.0 / 41.0).abs() < 1e-14 && (nearest.y - 55.0 / 41.0).abs() < 1e-14);
}
