//! Gradients of the signed distance: closed forms, differences of intervals, laws, and bad numbers.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod closed_forms;
mod differences;
mod touch;

use gjk::query::{self, Interval, Options, Twist};
use gjk::{Pose, Pose2, Pose3, Scalar, Support, Vec2, Vec3, Vector};

/// The place of a body a time after it began to move by a twist about its translation.
pub(crate) trait Moved: Sized {
    fn moved(&self, linear: [f64; 3], angular: [f64; 3], time: f64) -> Self;
}

impl Moved for Pose3<f64> {
    fn moved(&self, linear: [f64; 3], angular: [f64; 3], time: f64) -> Self {
        let size = angular.iter().map(|x| x * x).sum::<f64>().sqrt();
        let half = 0.5 * size * time;
        let factor = if size > 0.0 { half.sin() / size } else { 0.0 };
        let [x, y, z] = angular.map(|x| x * factor);
        let turn = Pose::from_quaternion([x, y, z, half.cos()], Vec3::ZERO).unwrap();
        let columns = [0, 1, 2].map(|k| turn.vector(self.columns()[k]));
        Pose::from_columns(columns, self.translation() + Vec3::from_f64(linear) * time)
    }
}

impl Moved for Pose2<f64> {
    fn moved(&self, linear: [f64; 3], angular: [f64; 3], time: f64) -> Self {
        let turn = Pose::from_angle(angular[2] * time, Vec2::ZERO);
        let columns = [0, 1].map(|k| turn.vector(self.columns()[k]));
        Pose::from_columns(columns, self.translation() + Vec2::from_f64(linear) * time)
    }
}

/// A body at a pose, and how it moves.
pub(crate) struct Mover<'s, V: Vector, S> {
    pub(crate) shape: &'s S,
    pub(crate) pose: Pose<V>,
    pub(crate) linear: [f64; 3],
    pub(crate) angular: [f64; 3],
}

impl<V: Vector<Scalar = f64>, S: Support<V>> Mover<'_, V, S>
where
    Pose<V>: Moved,
{
    fn at(&self, time: f64) -> Pose<V> {
        self.pose.moved(self.linear, self.angular, time)
    }

    fn twist(&self) -> Twist<V> {
        Twist::new(V::from_f64(self.linear), self.angular, V::ZERO).unwrap()
    }
}

/// How fast the signed distance of two movers changes over a time from now on, as an interval.
pub(crate) fn quotient<V: Vector<Scalar = f64>, A: Support<V>, B: Support<V>>(
    a: &Mover<'_, V, A>,
    b: &Mover<'_, V, B>,
    time: f64,
) -> Interval<f64>
where
    Pose<V>: Moved,
{
    let at = |time: f64| {
        let (pose_a, pose_b) = (a.at(time), b.at(time));
        let options = Options::tight();
        query::contact(a.shape, &pose_a, b.shape, &pose_b, &options).signed_distance
    };
    let (now, later) = (at(0.0), at(time));
    // Poses are rounded, which moves a vertex by some roundings.
    let rounding = 64.0 * f64::EPSILON * 8.0;
    Interval {
        lower: (later.lower - now.upper - rounding) / time,
        upper: (later.upper - now.lower + rounding) / time,
    }
}

/// What is claimed of the same.
pub(crate) fn claim<V: Vector<Scalar = f64>, A: Support<V>, B: Support<V>>(
    a: &Mover<'_, V, A>,
    b: &Mover<'_, V, B>,
) -> (query::Gradient<V>, Option<Interval<f64>>)
where
    Pose<V>: Moved,
{
    let found = query::gradient(a.shape, &a.pose, b.shape, &b.pose);
    let along =
        query::directional_derivative(a.shape, &a.pose, &a.twist(), b.shape, &b.pose, &b.twist());
    (found, along)
}

/// The rate by the gradient alone.
pub(crate) fn product<V: Vector<Scalar = f64>>(
    found: &query::Gradient<V>,
    [a, b]: [(&[f64; 3], &[f64; 3]); 2],
) -> f64 {
    let dot = |x: [f64; 3], y: &[f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    dot(found.a.linear.to_f64(), a.0)
        + dot(found.a.angular.map(Scalar::to_f64), a.1)
        + dot(found.b.linear.to_f64(), b.0)
        + dot(found.b.angular.map(Scalar::to_f64), b.1)
}
