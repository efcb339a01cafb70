//! Boxes answered by their axes against the same boxes answered by the loops, with a proof of the depth.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::Cuboid;
use gjk::{Pose, Pose3, Scalar, Stop, Support, Vec3, Vector};
use oracle::Rng;

type V = Vec3<f64>;

struct Pair {
    halves: [V; 2],
    poses: [Pose3<f64>; 2],
}

impl Pair {
    fn ask(&self, options: &Options<V>) -> Contact<V> {
        let [a, b] = self.halves.map(|half| Cuboid::new(half).unwrap());
        query::contact(&a, &self.poses[0], &b, &self.poses[1], options)
    }
}

fn turn(rng: &mut Rng, angle: f64) -> [f64; 4] {
    let [x, y, z] = rng.direction(3);
    let half = 0.5 * angle;
    [x * half.sin(), y * half.sin(), z * half.sin(), half.cos()]
}

/// Boxes of every kind: general, parallel up to an angle or exactly, stacked on a grid, thin, sheared, far away.
fn pair(rng: &mut Rng, kind: usize) -> Pair {
    let thin = [1.0, 1.0, 1e-3][kind % 3];
    let mut half = || Vec3::new(rng.range(0.2, 1.0), rng.range(0.2, 1.0) * thin, rng.range(0.2, 1.0));
    let halves = if kind % 5 == 3 { [Vec3::new(0.5, 0.25, 1.0); 2] } else { [half(), half()] };
    let far = [0.0, 0.0, 1e3][kind / 3 % 3];
    let from = Vec3::from(rng.direction(3)) * far;
    let rotation = if kind.is_multiple_of(7) { [0.0, 0.0, 0.0, 1.0] } else { rng.quaternion() };
    let first = Pose::from_quaternion(rotation, from).unwrap();
    let at = match kind % 5 {
        3 => Vec3::new(rng.below(9) as f64, rng.below(5) as f64, rng.below(9) as f64) * 0.25,
        _ => Vec3::from(rng.direction(3)) * rng.range(0.0, 1.6),
    };
    let angle = [1.0, 0.0, 1e-16, 1e-13, 1e-9, 1e-7, 1e-5, 1e-3][kind / 5 % 8];
    let relative = if kind.is_multiple_of(2) { turn(rng, angle) } else { rng.quaternion() };
    let mut second = first.compose(&Pose::from_quaternion(relative, at).unwrap());
    if kind.is_multiple_of(11) {
        second =
            second.scaled(Vec3::new(1.5, 0.5, 1.0)).compose(&Pose::from_quaternion(rng.quaternion(), V::ZERO).unwrap());
    }
    if kind % 13 == 5 {
        // Mirrored and larger, at right angles still.
        second = second.scaled(Vec3::new(-1.5, 1.5, 1.5));
    }
    Pair { halves, poses: [first, second] }
}

/// Fails without the noise, and without the margin for parallel edges.
#[test]
fn axes_and_loops_give_the_same_answer() {
    let mut rng = Rng(77);
    let (plain, proved) = (
        Options { certificate: false, sharp: false, ..Options::default() },
        Options { prove_depth: true, ..Options::default() },
    );
    let mut by_axes = 0;
    for case in 0..40_000 {
        let pair = pair(&mut rng, case);
        let (quick, slow) = (pair.ask(&plain), pair.ask(&proved));
        assert_ne!(slow.stop, Stop::SeparatingAxes);
        assert_eq!(quick.verdict, slow.verdict, "case {case}");
        let (x, y) = (quick.signed_distance, slow.signed_distance);
        assert!(x.lower <= y.upper && y.lower <= x.upper, "case {case}: {x:?} {y:?}");
        let [a, b] = pair.halves.map(|half| Cuboid::new(half).unwrap());
        let boolean = query::intersects(&a, &pair.poses[0], &b, &pair.poses[1], &plain);
        assert_eq!(boolean.verdict, slow.verdict, "case {case}");
        if quick.stop == Stop::SeparatingAxes {
            by_axes += 1;
            witnesses(&pair, &quick, case);
        }
    }
    assert!(by_axes > 5_000, "{by_axes} overlaps answered by axes");
}

/// Each witness is on its box, and the two are the depth apart along the normal.
fn witnesses(pair: &Pair, answer: &Contact<V>, case: usize) {
    let size = 4.0 + pair.poses[0].translation().norm();
    let room = 1e-12 * size;
    assert!((answer.normal.norm() - 1.0).abs() < 1e-14);
    let between = answer.point_b - answer.point_a;
    let depth = -0.5 * (answer.signed_distance.lower + answer.signed_distance.upper);
    assert!((between + answer.normal * depth).norm() < room, "case {case}: {between:?}");
    let ends = [(answer.point_a, answer.normal), (answer.point_b, -answer.normal)];
    for ((half, pose), (point, outward)) in pair.halves.iter().zip(&pair.poses).zip(ends) {
        let cuboid = Cuboid::new(*half).unwrap();
        let local = pose.direction_to_local(outward);
        let height = (pose.point(cuboid.support_point(local).point) - point).dot(outward);
        assert!(height.abs() < 1e-9 * size, "case {case}: {height} below the surface");
        // Inside along every face normal of the box.
        for k in 0..3 {
            let c = pose.columns();
            let normal = c[(k + 1) % 3].cross(c[(k + 2) % 3]).normalized().unwrap();
            let over = (point - pose.translation()).dot(normal).abs() - half.component(k) * c[k].dot(normal).abs();
            assert!(over < 1e-9 * size, "case {case}: {over} outside face {k}");
        }
    }
}

/// A certificate costs the loop, and changes nothing else.
#[test]
fn the_certificate_changes_no_number() {
    let mut rng = Rng(78);
    let bare = Options { certificate: false, sharp: false, ..Options::default() };
    for case in 0..2_000 {
        let pair = pair(&mut rng, case);
        let (with, without) = (pair.ask(&Options::default()), pair.ask(&bare));
        assert_eq!(with.verdict, without.verdict);
        if without.verdict == Verdict::Overlapping && with.stop == Stop::SeparatingAxes {
            assert_eq!(with.signed_distance, without.signed_distance);
            assert!(with.certificate.is_some() && without.certificate.is_none());
        }
    }
}

/// In `f32` the interval is the `f64` one rounded outward.
#[test]
fn narrow_scalars_are_rounded_outward() {
    let mut rng = Rng(79);
    let options = Options { certificate: false, sharp: false, ..Options::default() };
    for case in 0..5_000 {
        let wide = pair(&mut rng, case * 2 + 1);
        let [a, b] = wide.halves.map(|half| Cuboid::new(half.lift::<Vec3<f32>>()).unwrap());
        let [p, q] = wide.poses.map(|pose| pose.lift::<Vec3<f32>>());
        let narrow =
            query::contact(&a, &p, &b, &q, &Options { certificate: false, sharp: false, ..Options::default() });
        let bare = Options { certificate: false, ..Options::default() };
        let boolean = query::intersects(&a, &p, &b, &q, &bare).verdict;
        let [a, b] = [a, b].map(|x| Cuboid::new(x.half_extents().lift::<V>()).unwrap());
        assert_eq!(boolean, query::contact(&a, &p.lift(), &b, &q.lift(), &Options::default()).verdict, "case {case}");
        let same = query::contact(&a, &p.lift(), &b, &q.lift(), &options);
        assert_eq!(narrow.verdict, same.verdict);
        let (x, y) = (narrow.signed_distance, same.signed_distance);
        assert!(f64::from(x.lower) <= y.lower && f64::from(x.upper) >= y.upper, "{x:?} {y:?}");
        let ulp = f64::from(x.upper.abs().max(x.lower.abs())) * f64::from(f32::EPSILON);
        assert!(f64::from(x.upper - x.lower) <= y.upper - y.lower + 2.0 * ulp + f64::from(f32::MIN_POSITIVE));
        assert!(Scalar::is_finite(narrow.normal.x));
    }
}
