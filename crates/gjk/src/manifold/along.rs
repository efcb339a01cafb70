//! The manifold of two bodies along a normal that the caller has.
//!
//! Where it sits: beside `solve.rs`, whose steps it asks for all but the contact: that is two planes across the normal.

use super::answer::Manifold;
use super::chosen::Normal;
use super::measures::LIFT_ROUNDINGS;
use super::options::ManifoldOptions;
use super::solve::{fill_placed, without_points};
use super::view::unit;
use crate::Stop;
use crate::answer::{Contact, Iterations, Verdict};
use crate::math::{Interval, Pose, Ring, Scalar, Vector};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{NO_ID, Posed, Support};

/// The manifold of two bodies along a normal of the caller's: without points where what supports the two is not over one another.
pub(crate) fn along<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    normal: V,
    options: &ManifoldOptions<V::Scalar>,
) -> Manifold<V> {
    let contact = facing_planes(&Posed::new(a, *pose_a), &Posed::new(b, *pose_b), normal);
    let mut manifold = without_points(contact);
    if let Some(along) = unit(normal.to_f64())
        && contact.stop != Stop::Overflow
        && contact.signed_distance.lower <= options.prediction()
    {
        let (a, b) = ((a, pose_a), (b, pose_b));
        fill_placed(&mut manifold, a, b, along, options, Normal::Given);
    }
    manifold
}

/// What the two planes across a normal tell that support the bodies: their gap, and the points that they have of the bodies.
fn facing_planes<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &Posed<'_, V, A>,
    b: &Posed<'_, V, B>,
    normal: V,
) -> Contact<V> {
    let wide = normal.lift::<V::Wide>();
    let point_a = a.support(wide, NO_ID).point + wide * a.radius();
    let point_b = b.support(-wide, NO_ID).point - wide * b.radius();
    let gap = wide.dot(point_b - point_a);
    let size: f64 = a.sizes().iter().chain(&b.sizes()).sum();
    let share = LIFT_ROUNDINGS * UNIT_ROUNDOFF + a.shape_rounding() + b.shape_rounding();
    let off = (size + a.radius() + b.radius()) * share;
    let signed_distance = Interval {
        lower: V::Scalar::round_down((gap - off).next_down()),
        upper: -V::Scalar::round_down((-gap - off).next_down()),
    };
    let is_known = gap.is_finite() && off.is_finite();
    let is_apart = is_known && signed_distance.lower > V::Scalar::ZERO;
    Contact {
        verdict: if is_apart {
            Verdict::Separated
        } else {
            Verdict::Undecided
        },
        exact: false,
        signed_distance,
        normal,
        point_a: point_a.lift(),
        point_b: point_b.lift(),
        stop: if is_known {
            Stop::SeparatingDirection
        } else {
            Stop::Overflow
        },
        iterations: Iterations::default(),
    }
}
