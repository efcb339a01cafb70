//! What must hold of any two motions, and answers against dense sampling.

use crate::scene::{Turned, asked, verified};
use gjk::query::{Meeting, ToiOptions, Verdict, contact};
use gjk::shape::{Polytope, Rounded, Shape};
use gjk::{Pose, Vec3, Vector};

type V = Vec3<f64>;

pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, size: f64) -> V {
        Vec3::from_fn(|_| self.next() * size)
    }

    /// A hull, perhaps rounded, that moves and turns.
    pub(crate) fn body(&mut self, at: V, linear: f64, angular: f64) -> Turned<V> {
        let points: Vec<V> = (0..8).map(|_| self.vector(1.0)).collect();
        let hull = Polytope::new(&points).unwrap();
        let shape: Shape<V> = if self.next() > 0.0 {
            hull.into()
        } else {
            Rounded::new(hull.into(), 0.25).unwrap().into()
        };
        let q = [self.next(), self.next(), self.next(), self.next()];
        let pose = Pose::from_quaternion(q, at).unwrap();
        let linear = self.vector(linear);
        let turn = self.vector(angular);
        Turned::at(shape, pose).moved(linear, turn.to_f64(), self.vector(0.5))
    }
}

/// Where a body is at a time, by its definition.
fn placed(body: &Turned<V>, time: f64) -> Pose<V> {
    let angular: V = Vec3::from_f64(body.twist.angular());
    let angle = angular.norm() * time;
    let half = 0.5 * angle;
    let axis = angular.normalized().unwrap_or(Vec3::new(1.0, 0.0, 0.0));
    let [x, y, z] = (axis * half.sin()).to_f64();
    let turn = Pose::from_quaternion([x, y, z, half.cos()], Vec3::ZERO).unwrap();
    let center = body.pose.point(body.twist.center());
    let about = Pose::from_translation(center + body.twist.linear() * time)
        .compose(&turn)
        .compose(&Pose::from_translation(-center));
    about.compose(&body.pose)
}

#[test]
fn answers_agree_with_dense_sampling() {
    let mut numbers = Numbers(11);
    let (mut hits, mut free) = (0, 0);
    for _ in 0..40 {
        let a = numbers.body(Vec3::ZERO, 0.5, 4.0);
        let at = numbers.vector(1.0) + Vec3::new(3.0, 0.0, 0.0);
        let mut b = numbers.body(at, 0.5, 4.0);
        b.twist = b
            .clone()
            .moved(
                b.twist.linear() + Vec3::new(-2.0, 0.0, 0.0),
                b.twist.angular(),
                b.twist.center(),
            )
            .twist;
        let answer = verified(&a, &b, &ToiOptions::default()).answer;
        let verdict = |time: f64| {
            let (here, there) = (placed(&a, time), placed(&b, time));
            contact(&a.shape, &here, &b.shape, &there, &Default::default()).verdict
        };
        let (from, to) = match answer.verdict {
            Meeting::Free => (1.0, 1.0),
            Meeting::Hits => {
                let time = answer.time.unwrap();
                assert_ne!(verdict(time.upper + 1e-9), Verdict::Separated);
                assert!(time.width() < 1e-11);
                (time.lower - 1e-12, time.upper)
            }
            _ => continue,
        };
        hits += u32::from(answer.verdict == Meeting::Hits);
        free += u32::from(answer.verdict == Meeting::Free);
        for k in 0..60 {
            assert_eq!(
                verdict(from * f64::from(k) / 60.0),
                Verdict::Separated,
                "{from} {to}"
            );
        }
    }
    assert!(hits >= 10 && free >= 5);
}

#[test]
fn the_bodies_may_be_exchanged() {
    let mut numbers = Numbers(5);
    for _ in 0..20 {
        let a = numbers.body(Vec3::ZERO, 1.0, 3.0);
        let b = numbers.body(Vec3::new(2.5, 0.0, 0.0), 2.0, 3.0);
        let (one, two) = (
            asked(&a, &b, &Default::default()),
            asked(&b, &a, &Default::default()),
        );
        assert_eq!(one.verdict, two.verdict);
        if let (Some(x), Some(y)) = (one.time, two.time) {
            assert!(x.overlaps(&y), "{x} {y}");
        }
    }
}

/// Powers of two of lengths and of times change nothing but the numbers.
#[test]
fn powers_of_two_scale_the_answer() {
    let mut numbers = Numbers(9);
    for power in [-30, 3, 40] {
        let (length, time) = (2f64.powi(power), 2f64.powi(-power / 2));
        let a = numbers.body(Vec3::ZERO, 1.0, 3.0);
        let b = numbers.body(Vec3::new(2.5, 0.0, 0.0), 3.0, 3.0);
        let scaled = |body: &Turned<V>| {
            let shape = body.shape.clone();
            let size = Vec3::new(length, length, length);
            let at = body.pose.translation() * length;
            let pose = Pose::from_columns(
                [
                    body.pose.columns()[0],
                    body.pose.columns()[1],
                    body.pose.columns()[2],
                ],
                at,
            )
            .scaled(size);
            let angular = body.twist.angular().map(|x| x / time);
            Turned::at(shape, pose).moved(
                body.twist.linear() * (length / time),
                angular,
                body.twist.center(),
            )
        };
        let options = ToiOptions::default().with_max_time(time).unwrap();
        let plain = asked(&a, &b, &Default::default());
        let found = asked(&scaled(&a), &scaled(&b), &options);
        assert_eq!(plain.verdict, found.verdict);
        if let (Some(x), Some(y)) = (plain.time, found.time) {
            assert!((x.lower * time - y.lower).abs() <= 1e-11 * time, "{x} {y}");
        }
    }
}

/// A common motion of both: the same time of impact.
#[test]
fn a_common_velocity_changes_nothing() {
    let mut numbers = Numbers(21);
    for _ in 0..10 {
        let a = numbers.body(Vec3::ZERO, 1.0, 3.0);
        let b = numbers.body(Vec3::new(2.5, 0.0, 0.0), 3.0, 3.0);
        let common = numbers.vector(5.0);
        let with = |body: &Turned<V>| {
            let twist = body.twist;
            body.clone()
                .moved(twist.linear() + common, twist.angular(), twist.center())
        };
        let (one, two) = (
            asked(&a, &b, &Default::default()),
            asked(&with(&a), &with(&b), &Default::default()),
        );
        assert_eq!(one.verdict, two.verdict);
        if let (Some(x), Some(y)) = (one.time, two.time) {
            assert!((x.lower - y.lower).abs() < 1e-11, "{x} {y}");
        }
    }
}
