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
    let center = |k: usize| {
        let pose: Pose<V::Wide> = poses[k].lift();
        pose.point(twists[k].center().lift()).to_f64()
    };
    let centers = [center(0), center(1)];
    let velocity = |k: usize, point: V| {
        let turn = cross(twists[k].angular(), subtract(point.to_f64(), centers[k]));
        plus(turn, twists[k].linear().to_f64(), 1.0)
    };
    let rate = |pair: &GradientVertex<V>| {
        let [u, v] = [velocity(0, pair.point_a), velocity(1, pair.point_b)];
        let relative = subtract(v, u);
        let turning: f64 = twists.iter().map(|twist| length(twist.angular())).sum();
        let terms = size_of(twists, centers, pair);
        let error = errors.normal * (length(relative) + errors.point * turning)
            + errors.point * turning
            + GRADIENT_ROUNDINGS * UNIT_ROUNDOFF * terms;
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

/// The sum of the magnitudes of all that a rate is made of.
fn size_of<V: Vector>(
    twists: [&Twist<V>; 2],
    centers: [Triple; 2],
    pair: &GradientVertex<V>,
) -> f64 {
    let points = [pair.point_a, pair.point_b].map(Vector::to_f64);
    let of = |k: usize| {
        let lever = length(points[k]) + length(centers[k]);
        length(twists[k].linear().to_f64()) + length(twists[k].angular()) * lever
    };
    of(0) + of(1)
}
