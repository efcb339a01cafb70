//! A ball or a point against cylinders, cones and ellipsoids by closed forms: against the loops at their tightest, and against
//! places whose distance from the surface is known.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::{Ball, Cone, Cylinder, Ellipsoid, Point, Rounded, Shape};
use gjk::{Axis, Pose, Posed, Stop, Support, Vec3, Vector};
use oracle::Rng;
use oracle::pairs::{Space, random_vector};

type V = Vec3<f64>;

/// A body that is round, thin or flat now and then, perhaps with a radius.
fn round(rng: &mut Rng, case: usize) -> Shape<V> {
    let thin = [1.0, 1.0, 1e-3][case / 7 % 3];
    let (x, y, z) = (
        rng.range(0.1, 1.0),
        rng.range(0.1, 1.0) * thin,
        rng.range(0.1, 1.0),
    );
    let axis = Axis::ALL[case % 3];
    let core: Shape<V> = match case % 5 {
        0 => Cylinder::new(x, y, axis).unwrap().into(),
        1 => Cylinder::new(y, x, axis).unwrap().into(),
        2 => Cone::new(x, y, axis).unwrap().into(),
        3 => Cone::new(y, x, axis).unwrap().into(),
        _ => {
            let z = if case.is_multiple_of(3) { x } else { z };
            Ellipsoid::new(Vec3::new(x, y, z)).unwrap().into()
        }
    };
    if case.is_multiple_of(11) {
        Rounded::new(core, 0.1).unwrap().into()
    } else {
        core
    }
}

/// Each witness is at its body's support height along the normal, and they are the signed distance apart.
fn assert_witnesses(bodies: [(&Shape<V>, &Pose<V>); 2], answer: &Contact<V>) {
    let room = 1e-11 * (4.0 + bodies[0].1.translation().norm());
    let signed = answer.signed_distance.middle();
    let off = (answer.point_b - answer.point_a) - answer.normal * signed;
    assert!(off.norm() < room, "{off:?} {answer:?} {bodies:?}");
    let outward = [
        (answer.point_a, answer.normal),
        (answer.point_b, -answer.normal),
    ];
    for ((shape, pose), (point, outward)) in bodies.into_iter().zip(outward) {
        let posed = Posed::new(shape, *pose);
        let highest = posed.support(outward, gjk::NO_ID).point;
        let height = (highest - point).dot(outward) + posed.radius();
        assert!(height.abs() < room, "{height} {answer:?} {bodies:?}");
    }
}

/// Inside, outside, far from the world's origin, on the axis and in the planes of symmetry, scaled now and then.
#[test]
fn closed_forms_and_loops_give_the_same_answer() {
    let mut rng = Rng(71);
    let mut found = [0; 2];
    for case in 0..6_000 {
        let solid = round(&mut rng, case);
        let point: Shape<V> = match case % 4 {
            0 => Point::new(random_vector(&mut rng, 0.5)).unwrap().into(),
            _ => Ball::new(rng.range(0.05, 0.5)).unwrap().into(),
        };
        let to: V = random_vector(&mut rng, [1.5, 0.3, 1.0][case % 3]);
        let to = V::from_fn(|k| {
            if (case / 13) >> k & 1 == 1 && case % 2 == 0 {
                0.0
            } else {
                to.component(k)
            }
        });
        let mut pose = V::random_pose(&mut rng, [0.0, 1.0, 1e3][case / 5 % 3]);
        if case % 9 == 0 {
            pose = pose.scaled(Vec3::new(0.5, 0.5, 0.5));
        }
        let there = pose.compose(&Pose::from_translation(to));
        let tight = query::contact(&solid, &pose, &point, &there, &Options::tight());
        for swapped in [false, true] {
            let bodies = if swapped {
                [(&point, &there), (&solid, &pose)]
            } else {
                [(&solid, &pose), (&point, &there)]
            };
            let [(a, p), (b, q)] = bodies;
            let answer = query::contact(a, p, b, q, &Options::default());
            if answer.stop != Stop::ClosedForm {
                continue;
            }
            found[usize::from(answer.verdict == Verdict::Overlapping)] += 1;
            let (x, y) = (answer.signed_distance, tight.signed_distance);
            assert!(
                x.overlaps(&y) && !answer.exact,
                "case {case}: {answer:?} {tight:?} {bodies:?}"
            );
            assert_witnesses(bodies, &answer);
            let verdict = query::intersects(a, p, b, q, &Options::default()).verdict;
            assert_eq!(verdict, answer.verdict, "case {case}");
        }
    }
    assert!(found[0] > 3_000 && found[1] > 3_000, "{found:?}");
}

/// The signed distance of a point by the closed form.
fn from_surface(solid: &Shape<V>, at: V) -> Option<Contact<V>> {
    let point = Point::new(V::ZERO).unwrap();
    let here = Pose::identity();
    let found = query::contact(
        solid,
        &here,
        &point,
        &Pose::from_translation(at),
        &Options::default(),
    );
    (found.stop == Stop::ClosedForm).then_some(found)
}

/// Right triangles of whole sides put the truth on a float.
#[test]
fn discs_at_whole_numbers_are_as_deep_as_they_are() {
    let cylinder: Shape<V> = Cylinder::new(8.0, 7.0, Axis::Y).unwrap().into();
    // The side's normal is (4, 3)/5: the apex is at (0, 8), the rim at (12, −8).
    let cone: Shape<V> = Cone::new(8.0, 12.0, Axis::Y).unwrap().into();
    for (solid, at, truth) in [
        (&cylinder, [3.0, 0.0, 4.0], -2.0),
        (&cylinder, [3.0, 7.0, 4.0], -1.0),
        (&cylinder, [0.0, 0.0, 0.0], -7.0),
        (&cylinder, [6.0, 0.0, 8.0], 3.0),
        (&cylinder, [6.0, 12.0, 8.0], 5.0),
        (&cylinder, [3.0, -10.0, 4.0], 2.0),
        (&cone, [0.0, 3.0, 0.0], -3.0),
        (&cone, [0.0, -7.0, 1.0], -1.0),
        (&cone, [0.0, 12.0, 0.0], 4.0),
        (&cone, [9.0, -11.0, 12.0], 18.0_f64.sqrt()),
        (&cone, [10.0, 3.0, 0.0], 5.0),
    ] {
        let found = from_surface(solid, Vec3::from_f64(at)).unwrap();
        let interval = found.signed_distance;
        assert!(
            interval.contains(truth) && interval.width() < 1e-12,
            "{at:?} {truth} {found:?}"
        );
    }
}

/// In a plane across the axis the truth is `√(x² + z²) − r`, which integers compare with both ends to 2⁻⁴⁰.
#[test]
fn distances_from_circles_are_in_their_intervals() {
    let mut rng = Rng(73);
    let fine = |x: f64| (x * (1_u64 << 40) as f64) as i128;
    for case in 0..20_000 {
        let radius = 30_000 + rng.below(30_000) as i128;
        let r = radius as f64;
        let solid: Shape<V> = if case % 2 == 0 {
            Cylinder::new(r, r, Axis::Y).unwrap().into()
        } else {
            Ellipsoid::new(Vec3::new(r, 2.0 * r, r)).unwrap().into()
        };
        let far = r * (1.0 + rng.range(0.03, 0.06) * [1.0, -1.0][case / 2 % 2]);
        let (sin, cos) = rng.range(0.0, 6.2).sin_cos();
        let [x, z] = [far * cos, far * sin].map(|x| x as i128);
        let found = from_surface(&solid, Vec3::new(x as f64, 0.0, z as f64)).unwrap();
        let square = (x * x + z * z) << 80;
        let [lower, upper] = [found.signed_distance.lower, found.signed_distance.upper]
            .map(|end| fine(end) + (radius << 40));
        assert!(
            (lower - 1).pow(2) <= square && square <= (upper + 1).pow(2),
            "{x} {z} {radius} {found:?}"
        );
    }
}

/// Of a rotation that is rounded to `f32` the transpose is no inverse: a verdict near touch must count what is left.
#[test]
fn verdicts_under_rotations_of_few_bits_are_those_of_the_map() {
    type S = Vec3<f32>;
    let mut rng = Rng(74);
    let mut told = 0;
    for case in 0..1_000 {
        let turned = S::random_pose(&mut rng, 0.0);
        let columns = [0, 1, 2].map(|k| {
            let column = turned.columns()[k];
            S::from_fn(|i| column.component(i) * (1.0 + rng.range(-7e-7, 7e-7) as f32))
        });
        // It is one up to 64 roundings, which those are.
        let pose = Pose::from_columns(columns, S::ZERO);
        assert!(pose.uniform_scale().is_some());
        let (x, y) = (rng.range(0.5, 0.7) as f32, rng.range(0.4, 0.9) as f32);
        let solid = Ellipsoid::new(Vec3::new(1.0_f32, 0.7, 0.8)).unwrap();
        let point = Point::new(S::ZERO).unwrap();
        // The same in f64, where the loops take the map as it is.
        let (wide, wide_point) = (
            Ellipsoid::new(Vec3::new(1.0, f64::from(0.7_f32), f64::from(0.8_f32))).unwrap(),
            Point::new(V::ZERO).unwrap(),
        );
        let lifted: Pose<V> = pose.lift();
        let wide_pose =
            Pose::from_columns([0, 1, 2].map(|k| lifted.columns()[k]), lifted.translation());
        // A height small enough has bits for any gap.
        let mut at = Vec3::new(x, y, 0.0);
        let truth = |at: S| {
            let there = Pose::from_translation(at.lift::<V>());
            query::contact(&wide, &wide_pose, &wide_point, &there, &Options::tight())
        };
        let wanted = rng.range(-4e-13, 4e-13);
        let start = truth(at);
        at = at + Vec3::from_f64(start.normal.to_f64()) * (-start.signed_distance.middle() as f32);
        for _ in 0..4 {
            let found = truth(at);
            let slope = found.normal.component(2);
            let step = (wanted - found.signed_distance.middle()) / slope;
            at = at + Vec3::new(0.0, 0.0, step as f32);
        }
        let (found, there) = (truth(at), Pose::from_translation(at));
        let verdict = query::intersects(&solid, &pose, &point, &there, &Options::default()).verdict;
        let interval = found.signed_distance;
        assert!(
            verdict != Verdict::Separated || interval.upper > 0.0,
            "case {case}: {verdict:?} {found:?}"
        );
        assert!(
            verdict != Verdict::Overlapping || interval.lower < 0.0,
            "case {case}: {verdict:?} {found:?}"
        );
        told += u32::from(interval.middle().abs() < 1e-12);
    }
    assert!(told > 100, "{told}");
}

/// A point of the surface moved along its normal, by less than the surface's least radius of curvature.
#[test]
fn ellipsoids_are_as_deep_as_their_normals_say() {
    let mut rng = Rng(72);
    let mut found = [0; 2];
    for case in 0..6_000 {
        let thin = [1.0, 1e-2, 1e-4][case % 3];
        let radii = [
            rng.range(0.2, 1.0),
            rng.range(0.2, 1.0) * thin,
            rng.range(0.2, 1.0),
        ];
        let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let most = radii.iter().copied().fold(0.0, f64::max);
        let mut unit = rng.direction(3);
        if case % 5 == 0 {
            // In a plane of symmetry.
            unit[case / 5 % 3] = 0.0;
        }
        let length = oracle::norm(unit);
        let unit = unit.map(|x| x / length);
        let gradient: [f64; 3] = [0, 1, 2].map(|k| unit[k] / radii[k]);
        let length = oracle::norm(gradient);
        // Inside up to the centre of the least curvature, where the normals of neighbours meet.
        let far = rng.range(-1.0, 1.0) * least * (least / most);
        let at: [f64; 3] = [0, 1, 2].map(|k| radii[k] * unit[k] + gradient[k] / length * far);
        let solid = Ellipsoid::new(Vec3::from_f64(radii)).unwrap().into();
        let Some(answer) = from_surface(&solid, Vec3::from_f64(at)) else {
            continue;
        };
        found[usize::from(far < 0.0)] += 1;
        let (interval, room) = (answer.signed_distance, 4.0 * f64::EPSILON * most);
        assert!(
            interval.lower <= far + room && interval.upper >= far - room,
            "case {case}: {far} {radii:?} {at:?} {answer:?}"
        );
    }
    assert!(found[0] > 900 && found[1] > 900, "{found:?}");
}

/// The centre is as deep as the least half axis, and any place in the plane across it by the ellipse that its normals leave.
#[test]
fn the_middle_of_an_ellipsoid_has_a_depth() {
    let solid = Ellipsoid::new(Vec3::new(3.0, 1.0, 2.0)).unwrap().into();
    for (at, truth) in [
        ([0.0, 0.0, 0.0], 1.0),
        // With t = −1 the foot is at x = 9/8·p, and its height is what the equation leaves: √(1 − (9/8)²/9)·1.
        ([1.0, 0.0, 0.0], (1.0_f64 - 1.0 / 8.0).sqrt()),
        ([0.0, 0.0, 1.0], (1.0_f64 - 1.0 / 3.0).sqrt()),
    ] {
        for tiny in [0.0, 1e-300, -1e-30] {
            let at = Vec3::from_f64(at) + Vec3::new(0.0, tiny, 0.0);
            let found = from_surface(&solid, at).unwrap();
            let signed = found.signed_distance;
            assert!(
                signed.contains(-truth) || (signed.middle() + truth).abs() < 1e-15,
                "{at:?} {truth} {found:?}"
            );
            assert!(signed.width() < 1e-12, "{found:?}");
        }
    }
}
