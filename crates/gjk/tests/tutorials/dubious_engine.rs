//! T1: Dubious Engine.

use super::*;

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
