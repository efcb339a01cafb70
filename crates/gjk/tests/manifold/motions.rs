//! Ids over a thousand small motions in which what meets what does not change, and of the exchanged bodies at each of them.

use crate::laws::options;
use crate::resting::{cuboid, prism};
use gjk::query::{Manifold, ManifoldKind, Verdict, manifold};
use gjk::shape::{Cylinder, Shape};
use gjk::verify::verify_manifold;
use gjk::{Axis, Pose3, Scalar, Vec3};
use std::collections::BTreeSet;

type V = Vec3<f64>;

const MOTIONS: usize = 1000;

/// How far a body is from its place at most, in length and in half an angle.
const WOBBLE: f64 = 2e-3;

/// Two bodies, the lower one first, and what meets while they are hardly moved.
struct Scene {
    shapes: [Shape<V>; 2],
    /// Of the upper one, above the lower one.
    pose: Pose3<f64>,
    kind: ManifoldKind,
    points: usize,
    /// The same at each step, where it is known.
    verdict: Option<Verdict>,
}

/// A place and a turn near none, another one at each step: sums of turns that never meet again.
fn wobble(step: usize, phase: f64) -> Pose3<f64> {
    let wave = |rate: f64| WOBBLE * (rate * step as f64 + phase).sin();
    let q = [wave(0.31), wave(0.47), wave(0.23), 1.0];
    Pose3::from_quaternion(q, Vec3::new(wave(0.13), wave(0.19), wave(0.29))).unwrap()
}

fn ids(found: &Manifold<V>) -> BTreeSet<u64> {
    found.points.iter().map(|point| point.id).collect()
}

fn ask<T: Scalar>(
    [a, b]: [&Shape<Vec3<T>>; 2],
    [pose_a, pose_b]: [&Pose3<T>; 2],
) -> Manifold<Vec3<T>> {
    let found = manifold(a, pose_a, b, pose_b, &options());
    verify_manifold(a, pose_a, b, pose_b, &options(), &found).unwrap();
    found
}

fn keeps(scene: &Scene) {
    let [lower, upper] = scene.shapes.each_ref();
    let q = [0.1, -0.4, 0.3, 0.8];
    let world = Pose3::from_quaternion(q, Vec3::new(2.0, -1.0, 0.5)).unwrap();
    let mut first: Option<[BTreeSet<u64>; 2]> = None;
    for step in 0..MOTIONS {
        let pose_a = world.compose(&wobble(step, 1.0));
        let pose_b = world.compose(&scene.pose.compose(&wobble(step, 2.0)));
        let found = ask([lower, upper], [&pose_a, &pose_b]);
        let other = ask([upper, lower], [&pose_b, &pose_a]);
        assert_eq!(found.kind, scene.kind, "{step} {found:?}");
        if let Some(verdict) = scene.verdict {
            assert_eq!(found.contact.verdict, verdict, "{step} {found:?}");
        }
        let exchanged = found.points.iter().map(|p| found.exchanged_id(p)).collect();
        assert_eq!(ids(&other), exchanged, "{step} {found:?}\n{other:?}");
        let back = other.points.iter().map(|p| other.exchanged_id(p)).collect();
        assert_eq!(ids(&found), back, "{step} {found:?}\n{other:?}");
        let now = [ids(&found), ids(&other)];
        assert_eq!(now[0].len(), scene.points, "{step} {found:?}");
        let before = first.get_or_insert_with(|| now.clone());
        assert_eq!(&now, before, "{step} {found:?}");
    }
}

fn above(shift: [f64; 2], height: f64, turn: f64) -> Pose3<f64> {
    let q = [0.0, 0.0, (0.5 * turn).sin(), (0.5 * turn).cos()];
    Pose3::from_quaternion(q, Vec3::new(shift[0], shift[1], height)).unwrap()
}

#[test]
fn boxes_at_rest_keep_their_ids() {
    let lower = || cuboid([1.0, 0.8, 0.5]);
    // Within the lower one, over its side, and turned over all of its sides.
    for (half, shift, turn, points) in [
        ([0.5, 0.4, 0.5], [0.2, -0.1], 0.4, 4),
        ([0.5, 0.4, 0.5], [0.9, 0.1], 0.4, 4),
        ([0.9, 0.9, 0.5], [0.0, 0.0], 0.8, 8),
    ] {
        keeps(&Scene {
            shapes: [lower(), cuboid(half)],
            pose: above(shift, 1.0, turn),
            kind: ManifoldKind::FaceFace,
            points,
            verdict: None,
        });
    }
}

#[test]
fn hulls_that_are_deep_keep_their_ids() {
    // A heptagon and a pentagon, a tenth of their height deep.
    keeps(&Scene {
        shapes: [prism(7, 1.0, 0.5), prism(5, 0.9, 0.5)],
        pose: above([0.3, 0.1], 0.9, 0.2),
        kind: ManifoldKind::FaceFace,
        points: 6,
        verdict: Some(Verdict::Overlapping),
    });
}

#[test]
fn a_cylinder_on_a_box_keeps_its_ids() {
    // It stands on its cap, and lies on its side.
    for (axis, kind, points) in [
        (Axis::Z, ManifoldKind::FaceFace, 16),
        (Axis::X, ManifoldKind::FaceEdge, 2),
    ] {
        let cylinder: Shape<V> = Cylinder::new(0.4, 0.4, axis).unwrap().into();
        keeps(&Scene {
            shapes: [cuboid([1.0, 1.0, 0.5]), cylinder],
            pose: above([0.2, -0.1], 0.9, 0.3),
            kind,
            points,
            verdict: None,
        });
    }
}

/// A cylinder on a face, tilted by powers of two from below rounding to a hundredth: it has all corners of its cap.
fn stands<T: Scalar>() {
    let (half, radius) = (T::from_f64(0.4), T::from_f64(0.4));
    let cylinder: Shape<Vec3<T>> = Cylinder::new(half, radius, Axis::Z).unwrap().into();
    let table = cuboid([1.0, 1.0, 0.5]);
    let q = [0.1, -0.4, 0.3, 0.8];
    let world = Pose3::from_quaternion(q, Vec3::new(2.0, -1.0, 0.5)).unwrap();
    for power in -50..-6 {
        let tilt = f64::from(power).exp2();
        for (k, gap) in (0..30).zip([-0.01, 0.0, 2e-3].into_iter().cycle()) {
            let (s, c) = (0.1 + 0.21 * f64::from(k)).sin_cos();
            let q = [tilt * c, tilt * s, 0.0, 1.0];
            let pose = Pose3::from_quaternion(q, Vec3::new(0.2, -0.1, 0.9 + gap)).unwrap();
            let poses: [Pose3<T>; 2] = [world.lift(), world.compose(&pose).lift()];
            let found = ask([&table, &cylinder], poses.each_ref());
            assert_eq!(found.points.len(), 16, "2^{power} {k} {found:?}");
        }
    }
}

#[test]
fn a_cylinder_stands_at_any_small_tilt() {
    stands::<f64>();
    stands::<f32>();
}
