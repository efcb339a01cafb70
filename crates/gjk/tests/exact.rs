//! The exact layer on its own, and the rules that have no other test.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Options, ProofOptions, Question, Verdict};
use gjk::shape::{Ball, Cuboid, Polytope as Hull};
use gjk::trace::{Observe, Step};
use gjk::{Axis, Pose, Scalar, Stop, Support, Vec2, Vec3, Vector};
use oracle::Rng;

/// Without the tolerance a rotation that is orthogonal only up to rounding would turn every ball into an ellipsoid.
#[test]
fn quaternion_pose_is_a_similarity() {
    let mut rng = Rng(9);
    for _ in 0..1000 {
        let pose =
            Pose::from_quaternion(rng.quaternion().map(|x| x as f32), Vec3::new(0.0, 0.0, 3.0))
                .unwrap();
        let mut columns = [Vec3::default(); 3];
        columns.copy_from_slice(pose.columns());
        let by_matrix = Pose::from_columns(columns, pose.translation());
        assert_eq!(by_matrix.uniform_scale(), Some(1.0));
        let ball = Ball::<Vec3<f32>>::new(1.0).unwrap();
        let answer = query::contact(
            &ball,
            &Pose::identity(),
            &ball,
            &by_matrix,
            &Options::tight(),
        );
        assert!(answer.exact && answer.verdict == Verdict::Separated);
    }
    let sheared = Pose::from_columns(
        [Vec2::new(1.0, 0.0), Vec2::new(1e-3, 1.0)],
        Vec2::new(0.0, 0.0),
    );
    assert_eq!(sheared.uniform_scale(), None);
}

/// Sizes at the ends of the range: without the power-of-two frame products overflow or vanish.
#[test]
fn extreme_sizes_are_brought_into_range() {
    for exponent in [-1060, -500, -101, 121, 500, 1015] {
        let size = 1.0f64.scale_by_power(exponent);
        let cube = Cuboid::new(Vec3::new(size, size, size)).unwrap();
        for (x, verdict) in [
            (3.0, Verdict::Separated),
            (2.0, Verdict::Touching),
            (1.5, Verdict::Overlapping),
        ] {
            let pose = Pose::from_translation(Vec3::new(x * size, 0.25 * size, 0.0));
            let answer = query::contact(&cube, &Pose::identity(), &cube, &pose, &Options::tight());
            assert_eq!(answer.verdict, verdict, "2^{exponent} {x}");
            let expected = (x - 2.0) * size;
            let (lower, upper) = (answer.signed_distance.lower, answer.signed_distance.upper);
            assert!(
                lower <= expected
                    && expected <= upper
                    && upper - lower <= (1e-12 * size).max(1e-322),
                "2^{exponent} {x} {answer:?}"
            );
        }
    }
}

/// Bodies of 10³⁰⁸ beside places of 10⁻³²⁴: no frame holds both, and these were undecided. Found by random calls from Python (seed 6, call 94078).
#[test]
fn bodies_and_places_of_all_sizes_are_decided() {
    use gjk::shape::{Capsule, Shape};
    use gjk::verify;
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let here = Pose::identity();
    let relation = |a: &Shape<Vec3<f64>>, b: &Shape<Vec3<f64>>, place: &Pose<Vec3<f64>>| {
        let pair = gjk::Pair::new(a, &here, b, place);
        let proof = pair.prove();
        let plain = pair.with(&Options::tight()).contact();
        assert_eq!(proof.contact.verdict, plain.verdict);
        assert!(
            plain.exact && plain.normal.norm() > 0.99 && plain.signed_distance.upper.is_finite(),
            "{plain:?}"
        );
        let found = verify::verify(a, &here, b, place, &proof).unwrap();
        assert!(found.verdict, "{found:?}");
        plain
    };
    let ball = |r: f64| Shape::from(Ball::new(r).unwrap());
    let tiny = f64::from_bits(1);
    let found = relation(&ball(1e308), &ball(1e308), &at(tiny, -1.0, 1.5));
    assert_eq!(found.verdict, Verdict::Overlapping);
    let found = relation(&ball(1e300), &ball(tiny), &at(1e300, 0.0, 0.0));
    assert_eq!(found.verdict, Verdict::Overlapping);
    let found = relation(&ball(1e300), &ball(1e300), &at(2e300, 0.0, 0.0));
    assert_eq!(found.verdict, Verdict::Touching);
    let found = relation(&ball(1e300), &ball(1e300), &at(2e300, tiny, 0.0));
    assert_eq!(found.verdict, Verdict::Separated);
    let bar = Shape::from(Capsule::new(1e300, 1e300, Axis::X).unwrap());
    let found = relation(&bar, &ball(1.0), &at(tiny, 1e300, 0.0));
    assert_eq!(found.verdict, Verdict::Overlapping);
    assert!(
        found.signed_distance.lower <= -1.0 && found.signed_distance.upper < 0.0,
        "{found:?}"
    );
    // Cores that overlap: the depth is not told.
    let cube = |h: f64| Shape::from(Cuboid::new(Vec3::new(h, h, h)).unwrap());
    let found = relation(&cube(1e300), &cube(tiny), &at(tiny, tiny, 0.0));
    assert_eq!(found.verdict, Verdict::Overlapping);
    let found = relation(&bar, &cube(1e-300), &at(0.0, 1e-300, 0.0));
    assert_eq!(found.verdict, Verdict::Overlapping);
    // The sum of the sizes is no float.
    let found = relation(&ball(1.5e308), &ball(1.5e308), &at(tiny, 0.0, 1.7e308));
    assert_eq!(found.verdict, Verdict::Overlapping);
}

/// `()` and no observer are one function: nothing is built for it, and the answers are the same bits.
#[test]
fn the_empty_observer_asks_for_nothing() {
    struct Never;
    impl Observe<Vec3<f64>> for Never {
        const ENABLED: bool = false;
        fn observe(&mut self, _: Step<Vec3<f64>>) {
            panic!("a step was built for an observer that is not enabled");
        }
    }
    let (a, b) = (
        Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap(),
        Ball::new(0.5).unwrap(),
    );
    let pose = Pose::from_translation(Vec3::new(1.2, 0.3, 0.1));
    let options = Options::tight();
    let plain = query::contact(&a, &Pose::identity(), &b, &pose, &options);
    let mut warm = query::Cache::new();
    let watched = gjk::Pair::new(&a, &Pose::identity(), &b, &pose)
        .with(&options)
        .warm(&mut warm)
        .prove_observed(&ProofOptions::default(), &mut Never)
        .contact;
    assert_eq!(plain, watched);
    assert!(a.core().vertex_count.is_some() && core::mem::size_of::<()>() == 0);
}

/// Coaxial solids of revolution have a whole ring of nearest points; the interval must not pay for it.
#[test]
fn coaxial_solids_are_as_tight_as_their_sections() {
    use gjk::shape::{Cone, Cylinder, Ellipsoid, Point, Shape};
    let cylinder =
        |h: f64, r: f64| -> Shape<Vec3<f64>> { Cylinder::new(h, r, Axis::Z).unwrap().into() };
    let cone = |h: f64, r: f64| -> Shape<Vec3<f64>> { Cone::new(h, r, Axis::Z).unwrap().into() };
    let egg =
        |r: f64, h: f64| -> Shape<Vec3<f64>> { Ellipsoid::new(Vec3::new(r, r, h)).unwrap().into() };
    let point: Shape<Vec3<f64>> = Point::new(Vec3::new(0.0, 0.0, 0.0)).unwrap().into();
    // The cone's slanted side from a point of its axis: plane geometry.
    let slant = |h: f64, r: f64, z: f64| (h - z) * r / (4.0 * h * h + r * r).sqrt();
    let cases = [
        (cylinder(2.0, 0.5), cylinder(3.0, 0.25), 0.0, -0.75),
        (cylinder(2.0, 0.5), cylinder(3.0, 0.25), 1.5, -0.75),
        (cylinder(0.5, 2.0), cylinder(0.25, 3.0), 0.5, -0.25),
        (cone(1.0, 1.0), point.clone(), 0.0, -slant(1.0, 1.0, 0.0)),
        (egg(1.0, 2.0), egg(0.5, 3.0), 0.0, -1.5),
        (egg(1.0, 2.0), point, 0.0, -1.0),
    ];
    for (a, b, z, truth) in cases {
        for turn in [
            [0.0, 0.0, 0.0, 1.0],
            [0.5, 0.5, 0.5, 0.5],
            [0.1, 0.7, -0.3, 0.4],
        ] {
            // Off the diagonal turns an offset is no longer exactly on the axis, so only centred pairs are turned.
            let turn = if z == 0.0 { turn } else { [0.0, 0.0, 0.0, 1.0] };
            let place = |z: f64| Pose::from_quaternion(turn, Vec3::new(0.0, 0.0, z)).unwrap();
            let answer = query::contact(&a, &place(0.0), &b, &place(z), &Options::tight());
            let interval = answer.signed_distance;
            assert!(
                interval.lower <= truth && truth <= interval.upper,
                "{truth} {answer:?}"
            );
            assert!(
                interval.upper - interval.lower < 1e-11,
                "{truth} {answer:?}"
            );
            let across = (answer.point_b - answer.point_a) - answer.normal * truth;
            // A relative gap of 4e-13 leaves the normal uncertain by its root; this is far below that.
            assert!(across.norm() < 1e-7, "{answer:?}");
        }
    }
}

/// A rotation rounded to `f32` makes an elliptic, sheared cylinder, whose section through the axis is deeper than the body. From
/// its centre the nearest cap's plane is `half_height · |det L| / |l₂ × l₃|` away.
#[test]
fn coaxial_solids_under_rounded_rotations_are_no_deeper_than_their_caps() {
    use gjk::shape::{Ball, Cylinder};
    let mut rng = Rng(7);
    for case in 0..2000 {
        let (h, r) = (1.0, rng.range(0.0, 10.0).exp2() as f32);
        let radius = [0.5, 1e-3][case % 2];
        let turn = [0; 4].map(|_| rng.range(-1.0, 1.0) as f32);
        let pose = Pose::from_quaternion(turn, Vec3::ZERO).unwrap();
        let (a, b) = (
            Cylinder::new(h, r * 1.5, Axis::ALL[case % 3]).unwrap(),
            Ball::<Vec3<f32>>::new(radius).unwrap(),
        );
        let columns = pose.columns();
        let [c, u, v] = [0, 1, 2].map(|k| columns[(case + k) % 3].to_f64());
        let n = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let truth = -(f64::from(h) * dot(c, n).abs() / dot(n, n).sqrt() + f64::from(radius));
        let here = Pose::identity();
        for (name, answer) in [
            (
                "as it is",
                query::contact(&a, &pose, &b, &here, &Options::tight()),
            ),
            (
                "swapped",
                query::contact(&b, &here, &a, &pose, &Options::tight()),
            ),
        ] {
            let [low, high] =
                [answer.signed_distance.lower, answer.signed_distance.upper].map(f64::from);
            assert!(
                low <= truth * (1.0 - 1e-15) && truth * (1.0 + 1e-15) <= high,
                "{name} {case} {truth} {answer:?}"
            );
            assert!(high - low < 1e-4, "{name} {case} {truth} {answer:?}");
        }
    }
}

/// A scale of zero leaves a point, which has no axis; its matrix turned any axis into the other body's.
#[test]
fn a_body_of_no_size_has_no_axis() {
    use gjk::shape::Cylinder;
    let cylinder = Cylinder::new(1.0_f32, 129.0, Axis::X).unwrap();
    let pose = Pose::from_quaternion([1.0, 1.0, 1.0, 2.0], Vec3::ZERO).unwrap();
    let none = Pose::identity().scaled(Vec3::ZERO);
    for answer in [
        query::contact(&cylinder, &pose, &cylinder, &none, &Options::tight()),
        query::contact(&cylinder, &none, &cylinder, &pose, &Options::tight()),
    ] {
        let interval = answer.signed_distance;
        assert!(
            interval.lower <= -1.0 && interval.upper >= -1.000_001 && interval.upper < -0.999,
            "{answer:?}"
        );
    }
}

/// The square of a first direction overflowed, no lower bound was ever found after it, and the loop went on into noise, where
/// three points in a line "enclosed" the origin 767 away: an upper end below the truth. Found by cargo-fuzz (queries).
#[test]
fn a_first_direction_of_any_length_leaves_true_bounds() {
    use gjk::shape::{Capsule, Ellipsoid, Point, Shape, Sum};
    let egg =
        |x: f64, y: f64| -> Shape<Vec2<f64>> { Ellipsoid::new(Vec2::new(x, y)).unwrap().into() };
    let inner: Shape<Vec2<f64>> =
        Sum::new(egg(4294967296.0, 0.1875), egg(0.00390625, 0.00390625)).into();
    let a = Sum::new(
        inner,
        Shape::from(Capsule::new(58.0, 62.0, Axis::Y).unwrap()),
    );
    let columns = [
        Vec2::new(4.57763671875e-5, -0.000946044921875),
        Vec2::new(1.52587890625e-5, 1.52587890625e-5),
    ];
    let place = Pose::from_columns(columns, Vec2::new(-0.00390625, -0.00390625));
    let (b, here) = (
        Point::new(Vec2::new(-0.00390625, 15872.0)).unwrap(),
        Pose::identity(),
    );
    // The largest gap over all directions, by 40 digits.
    let truth = 767.100_780_513_052_8;
    for first in [
        Vec2::new(-7.022238808055922e305, -7.0),
        Vec2::new(1e-320, 0.0),
        Vec2::new(0.0, 1e200),
    ] {
        let options = ProofOptions::default().with_first_direction(first);
        let (one, other) = (
            gjk::Pair::new(&a, &place, &b, &here).with(&Options::default()),
            gjk::Pair::new(&b, &here, &a, &place).with(&Options::default()),
        );
        for answer in [
            one.prove_with(&options).contact,
            other.prove_with(&options).contact,
        ] {
            let interval = answer.signed_distance;
            assert!(
                interval.lower <= truth && truth <= interval.upper,
                "{answer:?}"
            );
            assert!(interval.upper - interval.lower < 1e-7, "{answer:?}");
        }
    }
}

/// The normal of a short edge far away has a square below the normal numbers; divided by its root the lower bound was 1e-4 too
/// high. Found by cargo-fuzz (queries).
#[test]
fn a_short_segment_and_a_point_at_10_81_are_as_far_apart_as_they_are() {
    use gjk::shape::{Point, Segment};
    let here = Pose::identity();
    for far in [1e60, 1e70, 1.3042875376713098e81, 1e90, 1e150] {
        let a = Segment::new(Vec3::new(0.0, 0.0, -5.75), Vec3::new(0.0, 6.0, 0.0)).unwrap();
        let b = Point::new(Vec3::new(far, 0.0, 0.0)).unwrap();
        for answer in [
            query::distance(&a, &here, &b, &here, &Options::tight()).distance,
            query::distance(&b, &here, &a, &here, &Options::tight()).distance,
            query::contact(&a, &here, &b, &here, &Options::tight()).signed_distance,
        ] {
            assert!(
                answer.lower <= far && far <= answer.upper,
                "{far:e} {answer:?}"
            );
            assert!(
                answer.upper - answer.lower <= 1e-13 * far,
                "{far:e} {answer:?}"
            );
        }
    }
}

/// A pose with one steep axis keeps the frame of a tiny pair tiny; the square of its distance underflowed. Found by cargo-fuzz
/// (queries).
#[test]
fn points_10_to_the_minus_303_apart_are_as_far_apart_as_they_are() {
    use gjk::shape::Point;
    let (a, b) = (
        Point::new(Vec3::new(0.0, 0.0, 75.0)).unwrap(),
        Point::new(Vec3::ZERO).unwrap(),
    );
    let here = Pose::identity();
    let place = Pose::identity().scaled(Vec3::new(
        2.423344602287448e+214,
        42.0,
        2.8883110013837276e-305,
    ));
    let truth = 75.0 * 2.8883110013837276e-305;
    let answer = query::distance(&a, &place, &b, &here, &Options::tight()).distance;
    assert!(
        answer.lower <= truth && truth <= answer.upper,
        "{truth:e} {answer:?}"
    );
}

/// Flat bodies under a pose that is steep across them: an entry that moves no point must not keep the frame tiny, where the
/// loops' products underflow.
#[test]
fn an_axis_without_extent_may_be_as_steep_as_it_likes() {
    use gjk::shape::{Segment, Triangle};
    let tiny = 3.0e-305;
    let at = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let near = Triangle::new(at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)).unwrap();
    let far = Triangle::new(at(2.0, 2.0), at(3.0, 2.0), at(2.0, 3.0)).unwrap();
    let across = Segment::new(at(2.0, 1.0), at(1.0, 2.0)).unwrap();
    for steep in [1.0, 1e100, 2.423344602287448e+214, 1e300] {
        let place = Pose::identity().scaled(Vec3::new(tiny, tiny, steep));
        let asked = Options::tight();
        let found = [
            (
                query::contact(&near, &place, &far, &place, &asked).signed_distance,
                4.5_f64.sqrt() * tiny,
            ),
            (
                query::contact(&across, &place, &near, &place, &asked).signed_distance,
                2.0_f64.sqrt() * tiny,
            ),
            (
                query::distance(&near, &place, &far, &place, &asked).distance,
                4.5_f64.sqrt() * tiny,
            ),
            (
                query::distance(&across, &place, &near, &place, &asked).distance,
                2.0_f64.sqrt() * tiny,
            ),
        ];
        for (interval, truth) in found {
            let near_truth = |x: f64| (x - truth).abs() <= 1e-13 * truth;
            assert!(
                interval.lower <= truth * (1.0 + 4.0 * f64::ROUNDING),
                "{steep:e} {truth:e} {interval:?}"
            );
            assert!(
                interval.upper >= truth * (1.0 - 4.0 * f64::ROUNDING),
                "{steep:e} {truth:e} {interval:?}"
            );
            assert!(
                near_truth(interval.lower) && near_truth(interval.upper),
                "{steep:e} {truth:e} {interval:?}"
            );
        }
    }
}

/// Coordinates 2^60 apart in one body: of most facets' weights floats know nothing, and equal ones were taken instead.
#[test]
fn witness_points_on_the_thinnest_slivers_are_a_depth_apart() {
    let a = [
        [1073741824.0, 0.0, 268435456.0],
        [-16384.0, 0.0, 8192.0],
        [
            -7.275957614183426e-12,
            1.4551915228366852e-11,
            -7.275957614183426e-12,
        ],
        [0.000030517578125, -0.0000457763671875, -0.0000152587890625],
    ];
    let b = [
        [0.0, 0.0, 0.0],
        [
            -2.3283064365386963e-10,
            2.3283064365386963e-10,
            2.3283064365386963e-10,
        ],
        [-5.820766091346741e-11, 0.0, 2.9103830456733704e-11],
        [-137438953472.0, 68719476736.0, 68719476736.0],
        [-4294967296.0, 12884901888.0, 4294967296.0],
    ];
    let hull = |points: &[[f64; 3]]| {
        Hull::new(
            &points
                .iter()
                .map(|p| Vec3::<f32>::from_f64(*p))
                .collect::<Vec<_>>(),
        )
        .unwrap()
    };
    let (a, b, here) = (hull(&a), hull(&b), Pose::identity());
    let proof = query::prove(&a, &here, &b, &here);
    let answer = proof.contact;
    assert_eq!(answer.verdict, Verdict::Overlapping);
    gjk::verify::verify(&a, &here, &b, &here, &proof).unwrap();
    let apart = (answer.point_b - answer.point_a).norm();
    assert!(apart < 1e-3, "{apart}");
}

/// Two edges that cross face each other in a parallelogram, a vertex more than a simplex has. Its fourth vertex is as high as
/// the others up to rounding, and a loop that goes on for it ends on a flat simplex.
#[test]
fn a_face_of_four_vertices_ends_the_loop() {
    let mut rng = Rng(15);
    // A ridge along each body's axis, and a point far behind it.
    let wedge = |back: f64| {
        let point = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        Hull::new(&[
            point(-1.0, 0.0, 0.0),
            point(1.0, 0.0, 0.0),
            point(0.1, -0.8, back),
            point(0.0, 0.9, back),
        ])
        .unwrap()
    };
    let (below, above) = (wedge(-1.0), wedge(1.0));
    let options = Options::default();
    for case in 0..2000 {
        let turn = rng.quaternion();
        let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let world = Pose::from_quaternion(
            turn,
            at(
                rng.range(-1.0, 1.0),
                rng.range(-1.0, 1.0),
                rng.range(-1.0, 1.0),
            ),
        )
        .unwrap();
        let half = 0.5 * rng.range(0.4, 2.7);
        let gap = rng.range(0.01, 0.1);
        let crossed = Pose::from_quaternion(
            [0.0, 0.0, half.sin(), half.cos()],
            at(rng.range(-0.2, 0.2), 0.0, gap),
        )
        .unwrap();
        let answer = query::distance(&below, &world, &above, &world.compose(&crossed), &options);
        assert!(
            matches!(answer.stop, Stop::GapClosed | Stop::VertexRepeated),
            "case {case}: {answer:?}"
        );
        assert!(
            (answer.distance.upper - gap).abs() < 1e-12,
            "case {case}: {answer:?}"
        );
    }
}

/// A proof says what was asked for: its certificate for any question in either scalar, and none where none was asked for. The
/// distance of narrow scalars had none, and a replay without a certificate stated one.
#[test]
fn a_proof_states_its_certificate_if_and_only_if_it_is_asked_for() {
    fn ask<T: Scalar>() {
        let vector = |x: f64, y: f64, z: f64| Vec3::<T>::from_f64([x, y, z]);
        let cube = Cuboid::new(vector(0.5, 0.5, 0.5)).unwrap();
        let octahedron = Hull::new(&[
            vector(0.5, 0.0, 0.0),
            vector(-0.5, 0.0, 0.0),
            vector(0.0, 0.5, 0.0),
            vector(0.0, -0.5, 0.0),
            vector(0.0, 0.0, 0.5),
            vector(0.0, 0.0, -0.5),
        ])
        .unwrap();
        let here = Pose::identity();
        for shift in [0.25, 1.0, 1.75, 3.0] {
            let there = Pose::from_translation(vector(shift, 0.125, 0.0));
            for question in [Question::Verdict, Question::Distance, Question::Contact] {
                for asked in [true, false] {
                    let options = ProofOptions::default()
                        .with_question(question)
                        .with_certificate(asked);
                    let proof = gjk::Pair::new(&cube, &here, &octahedron, &there)
                        .with(&Options::default())
                        .prove_with(&options);
                    let place = format!("{} {shift} {question:?}", T::NAME);
                    assert_eq!(proof.certificate.is_some(), asked, "{place}");
                }
            }
        }
    }
    ask::<f32>();
    ask::<f64>();
}

/// A point that touches a rounded box over its edge, some roundings beside the edge's end: floats take the end for the nearest point, and the normal was
/// that of the end, which is off by as many roundings of the radius. Found by `gjk fuzz --family rays` (seed 11, case 23704 in `f64` in the plane).
#[test]
fn a_rounded_touch_beside_the_end_of_an_edge_has_the_normal_of_the_edge() {
    use gjk::shape::{Rounded, Shape};
    let core = Shape::from(Cuboid::new(Vec2::new(3.0, 2.0)).unwrap());
    let body = Shape::from(Rounded::new(core, 0.5).unwrap());
    let place = Pose::from_translation(Vec2::new(-2.0, 1.0));
    let point = Hull::new(&[Vec2::new(0.0, 0.0)]).unwrap();
    for steps in 0..200 {
        let x = f64::from_bits((-5.0f64).to_bits() - steps);
        let over = Pose::from_translation(Vec2::new(x, 3.5));
        let proof = query::prove(&body, &place, &point, &over);
        let found = &proof.contact;
        assert_eq!(found.verdict, Verdict::Touching);
        assert_eq!(found.normal, Vec2::new(0.0, 1.0), "{steps} {found:?}");
        let verified = gjk::verify::verify(&body, &place, &point, &over, &proof);
        assert!(verified.is_ok(), "{steps} {verified:?}");
        let swapped = query::prove(&point, &over, &body, &place);
        assert_eq!(swapped.contact.normal, Vec2::new(0.0, -1.0), "{steps}");
    }
}
