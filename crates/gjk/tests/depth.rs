//! Penetration depth of hulls of all sizes: against the explicit Minkowski difference, and by its own certificate.
//!
//! The oracle of `oracle/` builds the hull of all vertex differences, which stops to be quick at some 4000 of them; larger
//! pairs are held to `gjk::verify`, which proves the depth in integers from the facets that the loop ended with.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Cache, Contact, Options, ProofOptions, Verdict};
use gjk::shape::Polytope as Hull;
use gjk::{Pose, Posed, Scalar, Stop, Support, Vec2, Vec3, Vector, verify};
use oracle::Rng;
use oracle::pairs::Space;

/// Points on a random ellipsoid of half axes of 0.5 to 1.5, or about a thousand times thinner.
fn hull<V: Space>(rng: &mut Rng, points: usize, thin: bool) -> Hull<V> {
    let mut axes: [f64; 3] = core::array::from_fn(|_| rng.range(0.5, 1.5));
    axes[1] *= if thin { 1e-3 } else { 1.0 };
    let point = |d: [f64; 3]| V::from_f64(core::array::from_fn(|k| d[k] * axes[k]));
    let points: Vec<V> = (0..points).map(|_| point(rng.direction(V::DIM))).collect();
    Hull::new(&points).unwrap()
}

fn world<V: Vector>(hull: &Hull<V>, pose: &Pose<V>) -> Vec<[f64; 3]> {
    let posed = Posed::new(hull, *pose);
    let count = posed.vertex_count().unwrap_or(0);
    (0..count)
        .filter_map(|id| posed.vertex(id))
        .map(V::Wide::to_f64)
        .collect()
}

/// Asks for the depth, checks the interval's width, the normal and the witnesses, and proves it all.
fn proved<V: Space<Scalar = f64>>(
    a: &Hull<V>,
    pose_a: &Pose<V>,
    b: &Hull<V>,
    pose_b: &Pose<V>,
) -> Contact<V> {
    let options = ProofOptions::default().with_facets(true);
    let stated = gjk::Pair::new(a, pose_a, b, pose_b)
        .with(&Options::default())
        .prove_with(&options);
    let answer = stated.contact;
    if answer.verdict != Verdict::Overlapping {
        return answer;
    }
    assert_eq!(answer.stop, Stop::FacetReached);
    let proof = verify::verify(a, pose_a, b, pose_b, &stated)
        .unwrap_or_else(|error| panic!("{error}\n{answer:?}"));
    assert!(
        proof.verdict && proof.lower && proof.upper,
        "{proof:?} {answer:?}"
    );
    let interval = answer.signed_distance;
    let depth = -interval.lower;
    assert!(interval.width() <= 8.0 * f64::EPSILON * depth, "{answer:?}");
    let apart = answer.point_a - answer.point_b;
    assert!(
        (apart - answer.normal * depth).max_abs() <= 1e-13,
        "{answer:?}"
    );
    // The listed facets change nothing else.
    let plain = query::contact(a, pose_a, b, pose_b, &Options::tight());
    assert_eq!(
        (plain.signed_distance, plain.normal),
        (interval, answer.normal)
    );
    answer
}

/// Random pairs from barely touching to concentric; answers how many overlapped.
fn sweep<V: Space<Scalar = f64>>(sizes: &[usize], cases: usize, thin: bool) -> usize {
    let mut rng = Rng(sizes[0] as u64 + 7);
    let mut overlapping = 0;
    for case in 0..cases {
        let (n, m) = (
            sizes[case % sizes.len()],
            sizes[case / sizes.len() % sizes.len()],
        );
        let (a, b) = (hull::<V>(&mut rng, n, thin), hull::<V>(&mut rng, m, thin));
        let spread = [0.02, 0.3, 1.0][case % 3] * if thin && case % 2 == 0 { 1e-3 } else { 1.0 };
        let (pose_a, pose_b) = (
            V::random_pose(&mut rng, spread),
            V::random_pose(&mut rng, spread),
        );
        let answer = proved(&a, &pose_a, &b, &pose_b);
        if answer.verdict != Verdict::Overlapping {
            continue;
        }
        overlapping += 1;
        if n * m <= 5000 {
            let truth = oracle::signed_distance(V::DIM, &world(&a, &pose_a), &world(&b, &pose_b));
            let interval = answer.signed_distance;
            assert!(
                (interval.lower - truth).abs() <= 1e-12,
                "{truth} {answer:?}"
            );
        }
    }
    overlapping
}

#[test]
fn depths_of_small_hulls_are_the_oracle_s() {
    let in_space = sweep::<Vec3<f64>>(&[4, 5, 8, 16, 32], 400, false);
    let in_the_plane = sweep::<Vec2<f64>>(&[3, 4, 8, 32], 600, false);
    assert!(
        in_space > 200 && in_the_plane > 200,
        "{in_space} {in_the_plane}"
    );
}

#[test]
fn depths_of_thin_hulls_are_the_oracle_s() {
    let in_space = sweep::<Vec3<f64>>(&[4, 8, 16, 32], 200, true);
    let in_the_plane = sweep::<Vec2<f64>>(&[3, 4, 8, 32], 300, true);
    assert!(
        in_space > 50 && in_the_plane > 50,
        "{in_space} {in_the_plane}"
    );
}

#[test]
fn depths_of_large_hulls_are_proved() {
    let found = [
        sweep::<Vec3<f64>>(&[64, 128], 60, false),
        sweep::<Vec3<f64>>(&[512, 1000], 12, false),
    ];
    assert!(found[0] > 30 && found[1] > 6, "{found:?}");
    assert!(sweep::<Vec2<f64>>(&[200, 500], 30, false) > 10);
}

/// A limit holds for a loop as a whole. A ball's hull with a point needs many facets; the storage used to start anew when it
/// was full, and the expansions of both starts were counted: 101 under a limit of 64 (own fuzzer, target queries).
#[test]
fn iterations_stay_within_the_limit() {
    use gjk::shape::{Ball, HullOf, Point};
    let origin = Point::new(Vec3::new(0.0, 0.0, 0.0)).unwrap();
    let hull = HullOf::new(vec![Ball::new(3.0).unwrap().into(), origin.into()]).unwrap();
    for iterations_max in [1, 7, 64, 200] {
        let options = Options::tight().with_iterations_max(iterations_max);
        let answer = query::contact(
            &hull,
            &Pose::identity(),
            &origin,
            &Pose::identity(),
            &options,
        );
        assert!(
            answer.iterations.epa <= iterations_max,
            "{:?}",
            answer.iterations
        );
        assert!(answer.signed_distance.lower <= -3.0 && answer.signed_distance.upper >= -3.0);
    }
}

/// A body that turns a little from frame to frame: the facets of the last frame prove most depths, and no answer differs.
fn track<V: Space>(seed: u64, least: usize) {
    let mut rng = Rng(seed);
    let bare = Options::default();
    let (mut resumed, mut overlaps) = (0, 0);
    for _ in 0..12 {
        let mut hull = || {
            let points: Vec<V> = (0..24)
                .map(|_| V::from_f64(rng.direction(V::DIM)))
                .collect();
            Hull::new(&points).unwrap()
        };
        let (a, b) = (hull(), hull());
        let (here, start) = (Pose::identity(), V::random_pose(&mut rng, 0.9));
        let turn = V::from_f64(rng.direction(V::DIM)) * V::Scalar::from_f64(0.002);
        let mut warm = Cache::new();
        let mut pose = start;
        for _ in 0..60 {
            pose = Pose::from_translation(turn).compose(&pose);
            let answer = gjk::Pair::new(&a, &here, &b, &pose)
                .with(&bare)
                .warm(&mut warm)
                .contact();
            let proved = gjk::Pair::new(&a, &here, &b, &pose)
                .with(&Options::default())
                .prove_with(&ProofOptions::default().with_facets(true))
                .contact;
            assert_eq!(answer.verdict, proved.verdict);
            let (x, y) = (answer.signed_distance, proved.signed_distance);
            assert!(x.overlaps(&y), "{answer:?} {proved:?}");
            overlaps += usize::from(answer.verdict == Verdict::Overlapping);
            resumed +=
                usize::from(answer.verdict == Verdict::Overlapping && answer.iterations.gjk == 0);
            let off = (answer.point_b - answer.point_a) - answer.normal * x.middle();
            assert!(
                off.norm().to_f64() < 64.0 * V::Scalar::ROUNDING.to_f64(),
                "{answer:?}"
            );
        }
    }
    assert!(
        overlaps > 500 && resumed * 10 >= overlaps * least,
        "{}: {resumed} of {overlaps}",
        V::NAME
    );
}

#[test]
fn facets_of_the_last_frame_prove_the_next_depth() {
    track::<Vec3<f32>>(51, 7);
    track::<Vec3<f64>>(52, 7);
    track::<Vec2<f32>>(53, 5);
    track::<Vec2<f64>>(54, 5);
}

/// A facet a hair nearer than the nearest one's bound, and too near to it to be measured, was left out: a depth two roundings
/// above the truth. Found by cargo-fuzz (queries).
#[test]
fn rivals_that_are_not_measured_count_by_their_rough_bound() {
    use gjk::shape::{Cuboid, Shape, Sum};
    let cube = || -> Shape<Vec3<f64>> { Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap().into() };
    let body = Sum::new(cube(), cube());
    let at = Vec3::new(0.4078369140625, 0.4078369140625, 0.4078369140625);
    let bare = Options::default();
    let mut rng = Rng(61);
    for case in 0..4000 {
        // Edges that are nearly parallel make facets that nearly lie in one plane.
        let tilt = [1e-10, 1e-9, 1e-8, 1e-12][case % 4];
        let q = [
            rng.range(-1.0, 1.0) * tilt,
            rng.range(-1.0, 1.0),
            rng.range(-1.0, 1.0) * tilt,
            rng.range(-1.0, 1.0),
        ];
        let first = Pose::from_quaternion([0.5; 4], at).unwrap().scaled(at);
        let large = rng.range(0.5, 100.0);
        let Ok(second) = Pose::from_quaternion(q, at) else {
            continue;
        };
        let second = second.scaled(Vec3::new(large, large, large));
        let quick = query::contact(&body, &first, &body, &second, &bare).signed_distance;
        let proved =
            query::contact(&body, &first, &body, &second, &Options::tight()).signed_distance;
        assert!(quick.overlaps(&proved), "case {case}: {quick:?} {proved:?}");
    }
}
