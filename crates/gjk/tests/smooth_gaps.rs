//! Smooth bodies that are apart, at gaps that were chosen: narrow intervals, at any scale.
//!
//! The oracle is the place: a feature of one body looks along a direction, a feature of the other looks back, and the gap is between them.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Options};
use gjk::shape::{Affine, Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Shape};
use gjk::{Axis, Pose, Support, Vec3, Vector};
use oracle::Rng;

type Body = Shape<Vec3<f64>>;

fn body(random: &mut Rng, kind: usize) -> Body {
    let [p, q, r] = [0; 3].map(|_| random.range(-3.0, 1.0).exp2());
    match kind {
        0 => Cylinder::new(p, q, Axis::Z).unwrap().into(),
        1 => Cone::new(p, q, Axis::Z).unwrap().into(),
        2 => Ellipsoid::new(Vec3::new(p, q, r)).unwrap().into(),
        3 => Capsule::new(p, q, Axis::Z).unwrap().into(),
        _ => Cuboid::new(Vec3::new(p, q, r)).unwrap().into(),
    }
}

/// The body's farthest point along a direction of the world, radius and all, its pose at the origin.
fn farthest(body: &Body, turn: &Pose<Vec3<f64>>, direction: Vec3<f64>) -> Vec3<f64> {
    let local = turn.direction_to_local(direction);
    let point = turn.point(body.support(local, gjk::NO_ID).point);
    point + direction * (body.core().radius / direction.norm())
}

/// GJK ends such pairs with `no_progress`, at intervals of 10⁻¹² to 10⁻⁶ of their size.
#[test]
fn bodies_apart_by_a_chosen_gap_have_narrow_intervals() {
    let mut random = Rng(71);
    let mut wide = 0;
    for case in 0..4000 {
        let (a, b) = (body(&mut random, case % 3), body(&mut random, case / 3 % 5));
        let q = [0; 4].map(|_| random.range(-1.0, 1.0));
        let turn = Pose::from_quaternion(q, Vec3::new(0.0, 0.0, 0.0)).unwrap();
        let still = Pose::identity();
        // Along an axis of A, or between two, or anywhere.
        let direction = match case / 15 % 3 {
            0 => Vec3::new(0.0, 0.0, 1.0),
            1 => Vec3::new(0.6, 0.8, 0.0),
            _ => Vec3::new(q[0], q[1], q[3]).normalized().unwrap(),
        };
        let gap = [1e-7, 1e-3, 0.5][case / 45 % 3];
        let place =
            farthest(&a, &still, direction) + direction * gap - farthest(&b, &turn, -direction);
        let pose = Pose::from_quaternion(q, place).unwrap();
        let found = query::contact(&a, &still, &b, &pose, &Options::default());
        let interval = found.signed_distance;
        assert!(
            interval.lower <= gap + 1e-14 && gap - 1e-14 <= interval.upper,
            "{case} {gap:e} {found:?}"
        );
        wide += usize::from(interval.upper - interval.lower > 1e-13 + 4e-12 * gap);
    }
    // One in a hundred is left: three pieces of a body that meet, steps that go in a ring.
    assert!(wide < 60, "{wide}");
}

/// Asks about bodies at a gap along a direction, and holds the normal against their heights along it.
fn the_normal_is_between(a: &Body, b: &Body, q: [f64; 4], direction: Vec3<f64>, gap: f64) {
    let still = Pose::identity();
    let turn = Pose::from_quaternion(q, Vec3::new(0.0, 0.0, 0.0)).unwrap();
    let place = farthest(a, &still, direction) + direction * gap - farthest(b, &turn, -direction);
    let pose = Pose::from_quaternion(q, place).unwrap();
    let found = query::contact(a, &still, b, &pose, &Options::default());
    let (normal, lower) = (found.normal, found.signed_distance.lower);
    let apart =
        (farthest(b, &turn, -normal) + place).dot(normal) - farthest(a, &still, normal).dot(normal);
    let size = a.core().radius + b.core().radius + place.norm() + 1.0;
    assert!(
        apart >= lower - 1e-14 * size - 1e-3 * lower.abs(),
        "{gap:e} {apart:e} {a:?} {b:?} {found:?}"
    );
}

/// A plane across the normal keeps bodies that nearly touch apart; where they touch no plane beside it does. The way between their points is
/// one of roundings, and a cone's tip has facets of EPA about it that are as near as it is.
#[test]
fn bodies_that_nearly_touch_have_a_normal_between_them() {
    let mut random = Rng(72);
    for case in 0..4000 {
        let (a, b) = (body(&mut random, case % 3), body(&mut random, case / 3 % 5));
        let q = [0; 4].map(|_| random.range(-1.0, 1.0));
        // A cone's tip and an ellipsoid's pole, or anywhere.
        let direction = match case / 15 % 2 {
            0 => Vec3::new(0.0, 0.0, 1.0),
            _ => Vec3::new(q[0], q[1], q[3]).normalized().unwrap(),
        };
        let gap = [0.0, 1e-12, 1e-9, 1e-6][case / 30 % 4];
        the_normal_is_between(&a, &b, q, direction, gap);
    }
}

/// What the height along the way between the points may lack is a part of the bodies' distance, not of their cores'.
#[test]
fn round_bodies_near_a_thin_one_have_a_normal_between_them() {
    let mut random = Rng(73);
    for case in 0..4000 {
        let [p, q, r] = [0; 3].map(|_| random.range(0.0, 4.0).exp2());
        let thin: Body = Ellipsoid::new(Vec3::new(p, q, r / 16384.0)).unwrap().into();
        let round: Body = match case % 2 {
            0 => Ball::new(r).unwrap().into(),
            _ => Capsule::new(p, r, Axis::X).unwrap().into(),
        };
        let [x, y, z] = [0; 3].map(|_| random.range(-1.0, 1.0));
        let direction = Vec3::new(x, y, z).normalized().unwrap();
        let gap = [0.0, 1e-9, 1e-7][case / 2 % 3];
        the_normal_is_between(&thin, &round, [x, z, y, 0.5], direction, gap);
    }
}

/// From 2¹⁰² on the square of a facet's nearest point, its weights undivided, was no float: the loop ended after four steps.
#[test]
fn an_ellipsoid_over_a_box_is_as_narrow_at_any_scale() {
    for power in [
        -1000, -300, -90, -80, 0, 80, 95, 100, 110, 120, 200, 600, 1000,
    ] {
        let unit = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        let plate: Body = Cuboid::new(Vec3::new(512.0 * unit, 512.0 * unit, 17.0 * unit))
            .unwrap()
            .into();
        let egg: Body = Ellipsoid::new(Vec3::new(15.5 * unit, 10.0 * unit, 12.0 * unit))
            .unwrap()
            .into();
        let pose = Pose::from_translation(Vec3::new(28.5 * unit, 13.5 * unit, -40.0 * unit));
        let found = query::contact(&plate, &Pose::identity(), &egg, &pose, &Options::default());
        let [lower, upper] =
            [found.signed_distance.lower, found.signed_distance.upper].map(|x| x / unit);
        assert!(lower <= 11.0 && 11.0 <= upper, "{power} {found:?}");
        assert!(upper - lower <= 1e-10, "{power} {found:?}");
    }
}

/// A ball that is scaled unevenly is the ellipsoid, and as narrow.
#[test]
fn a_stretched_ball_is_as_narrow_as_the_ellipsoid() {
    let ball: Body = Ball::new(1.0).unwrap().into();
    let radii = Vec3::new(1.0, 2.0, 0.5);
    let stretched = Affine::new(ball, Pose::identity().scaled(radii)).unwrap();
    let egg = Ellipsoid::new(radii).unwrap();
    let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    let (here, there) = (
        Pose::identity(),
        Pose::from_translation(Vec3::new(3.0, 2.0, 1.0)),
    );
    let by_map = query::distance(&cube, &here, &stretched, &there, &Options::tight()).distance;
    let by_radii = query::distance(&cube, &here, &egg, &there, &Options::tight()).distance;
    assert!(by_map.lower <= by_radii.upper && by_radii.lower <= by_map.upper);
    assert!(by_map.upper - by_map.lower < 1e-12, "{by_map:?}");
}
