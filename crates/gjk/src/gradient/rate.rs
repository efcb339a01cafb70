//! How fast the signed distance changes along a motion.

use super::answer::{Gradient, GradientVertex};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};
use crate::math::{Interval, Pose, Scalar, Vector};
use crate::motion::Twist;
use crate::rounding::UNIT_ROUNDOFF;

/// What a rate costs, in roundings of `f64` a unit of its largest terms: a cross product, a sum of two velocities, their difference and an inner product.
const GRADIENT_ROUNDINGS: f64 = 32.0;

/// How far the numbers of a gradient may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GradientErrors {
    /// Of every normal, as a length.
    pub(super) normal: f64,
    /// Of every point, in the world's unit.
    pub(super) point: f64,
    /// All pairs of points are proved equally good, so that the least rate is the true one.
    pub(super) is_flat: bool,
}

/// The rate of a gradient along the motions of both bodies: that of the derivative where it is unique, the least where all are equally good, else all that it may be.
/// `None` beyond the range of floats.
pub(super) fn rate<V: Vector>(
    found: &Gradient<V>,
    errors: &GradientErrors,
    twists: [&Twist<V>; 2],
    poses: [&Pose<V>; 2],
) -> Option<Interval<V::Scalar>> {
    let velocities = Velocities::new(twists, poses);
    let rate = |pair: &GradientVertex<V>| {
        let points = [pair.point_a, pair.point_b].map(Vector::to_f64);
        let relative = subtract(velocities.of(1, points[1]), velocities.of(0, points[0]));
        let turning = velocities.turning();
        let error = errors.normal * (length(relative) + errors.point * turning)
            + errors.point * turning
            + GRADIENT_ROUNDINGS * UNIT_ROUNDOFF * velocities.size(points);
        (dot(pair.normal.to_f64(), relative), error)
    };
    let own = GradientVertex {
        normal: found.contact.normal,
        point_a: found.contact.point_a,
        point_b: found.contact.point_b,
    };
    let pairs = if found.unique {
        &[own]
    } else {
        found.vertices.as_slice()
    };
    let (mut lower, mut upper) = (f64::INFINITY, f64::NEG_INFINITY);
    for (value, error) in pairs.iter().map(rate) {
        let (below, above) = (value - error, value + error);
        if !(below.is_finite() && above.is_finite()) {
            return None;
        }
        lower = if below < lower { below } else { lower };
        let is_better = if errors.is_flat {
            above < upper || upper == f64::NEG_INFINITY
        } else {
            above > upper
        };
        upper = if is_better { above } else { upper };
    }
    (lower <= upper).then(|| Interval {
        lower: V::Scalar::round_down(lower),
        upper: -V::Scalar::round_down(-upper),
    })
}

/// How fast the points of two bodies move.
pub(super) struct Velocities<'t, V: Vector> {
    twists: [&'t Twist<V>; 2],
    centers: [Triple; 2],
}

impl<'t, V: Vector> Velocities<'t, V> {
    pub(super) fn new(twists: [&'t Twist<V>; 2], poses: [&Pose<V>; 2]) -> Self {
        let center = |k: usize| {
            let pose: Pose<V::Wide> = poses[k].lift();
            pose.point(twists[k].center().lift()).to_f64()
        };
        Self {
            twists,
            centers: [center(0), center(1)],
        }
    }

    /// The velocity of a point of a body.
    fn of(&self, body: usize, point: Triple) -> Triple {
        let twist = self.twists[body];
        let turn = cross(twist.angular(), subtract(point, self.centers[body]));
        plus(turn, twist.linear().to_f64(), 1.0)
    }

    /// How fast both turn together.
    fn turning(&self) -> f64 {
        self.twists
            .iter()
            .map(|twist| length(twist.angular()))
            .sum()
    }

    /// The sum of the magnitudes of all that a rate is made of.
    fn size(&self, points: [Triple; 2]) -> f64 {
        let of = |k: usize| {
            let lever = length(points[k]) + length(self.centers[k]);
            let twist = self.twists[k];
            length(twist.linear().to_f64()) + length(twist.angular()) * lever
        };
        of(0) + of(1)
    }

    /// The velocity of B's point at a place less that of A's there, and the magnitudes that its error is a part of: those of its terms, and how far it is off where the place is
    /// off by a length, in roundings.
    pub(super) fn relative(&self, place: Triple, off: f64) -> (Triple, f64) {
        let relative = subtract(self.of(1, place), self.of(0, place));
        let slip = off * self.turning() / UNIT_ROUNDOFF;
        (relative, self.size([place; 2]) + slip)
    }
}
