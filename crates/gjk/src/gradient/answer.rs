//! What a gradient says.

use crate::answer::Contact;
use crate::math::triple::{cross, subtract};
use crate::math::{Scalar, Vector};
use alloc::vec::Vec;

/// The derivative of the signed distance by the pose of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseGradient<V: Vector> {
    /// By the translation: unit, since it is the normal or its negative. No unit of length.
    pub linear: V,
    /// By a turn about the translation, along the world's axes; a length a radian. In the plane only the last component.
    pub angular: [V::Scalar; 3],
}

impl<V: Vector> PoseGradient<V> {
    /// Of the body at a translation that is pushed at a point along a unit direction.
    pub(super) fn new(push: V, point: V, translation: V) -> Self {
        let lever = subtract(point.to_f64(), translation.to_f64());
        // Adding zero leaves no negative zeros.
        Self {
            linear: push + V::ZERO,
            angular: cross(lever, push.to_f64()).map(|x| V::Scalar::from_f64(x + 0.0)),
        }
    }
}

/// A normal with a pair of points, of several that are as good as the gradient's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientVertex<V: Vector> {
    /// Unit, from A to B.
    pub normal: V,
    /// On A's surface, world frame.
    pub point_a: V,
    /// On B's surface, world frame.
    pub point_b: V,
}

/// The answer of [`crate::query::gradient`].
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient<V: Vector> {
    /// What [`crate::query::contact`] says of the pair, at the narrowest width where the default does not tell; the gradient is that of its normal and
    /// points.
    pub contact: Contact<V>,
    /// One normal and one pair of points are proved to be the best, so that the signed distance has this derivative.
    pub unique: bool,
    /// By the pose of A.
    pub a: PoseGradient<V>,
    /// By the pose of B.
    pub b: PoseGradient<V>,
    /// Empty if unique. Else what may be as good as the contact's, within rounding: the true generalised gradient (Clarke) is within the hull of the
    /// gradients of these where [`crate::query::directional_derivative`] answers. Where nothing is proved it is the contact's own, alone.
    pub vertices: Vec<GradientVertex<V>>,
}
