//! Box against box in space by the separating axis test: the verdict, the distance and the depth, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`solve`].
//! Idea: `rotated.rs` answers nearly all pairs from nine cosines. It assumes right angles, so it leaves out poses that shear,
//! and pairs whose edges are parallel. `general.rs` answers those from triple products, which assume nothing.

mod general;
mod rotated;

use super::body::Body;
use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Vector};
use crate::request::{Request, Wanted};
use crate::support::Form;
use general::{GeneralBoxes, Relation};
use rotated::RotatedBoxes;

/// The conclusion on two boxes without radii, not far apart where numbers are wanted.
#[inline(always)]
pub(crate) fn solve<V: Vector>(
    [a, b]: &[Body<'_, V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let [Form::Cuboid(half_a), Form::Cuboid(half_b)] = [a.form, b.form] else {
        return Conclusion::Undecided;
    };
    if a.radius != 0.0 || b.radius != 0.0 {
        return Conclusion::Undecided;
    }
    if request.wanted != Wanted::Verdict {
        if far([a, b], [half_a, half_b]) {
            return Conclusion::Undecided;
        }
        if request.width > 0.0
            && let Some(boxes) = RotatedBoxes::new(half_a, a.pose, half_b, b.pose)
        {
            let depth_wanted = request.wanted == Wanted::Contact;
            let found = boxes.measured(request.width, depth_wanted, bounds);
            // A pair with a direction is separated, with corners or edges aside of each other.
            if found != Conclusion::Undecided || bounds.first_direction != [0.0; 3] {
                return found;
            }
        }
    }
    GeneralBoxes::new(half_a, a.pose, half_b, b.pose).map_or(Conclusion::Undecided, |boxes| {
        by_products(&boxes, request, bounds)
    })
}

/// The verdict on two boxes of these half extents, without radii. Callers try it before [`solve`], which for a verdict alone goes on
/// where this is undecided: a verdict is half as long as the preparation for numbers.
#[inline(always)]
pub(crate) fn verdict<V: Vector>([half_a, half_b]: [V; 2], [a, b]: [&Pose<V>; 2]) -> Conclusion {
    RotatedBoxes::new(half_a, a, half_b, b).map_or(Conclusion::Undecided, |boxes| boxes.relation())
}

/// The conclusion by `general.rs`.
#[inline]
fn by_products(boxes: &GeneralBoxes, request: &Request, bounds: &mut Bounds) -> Conclusion {
    match boxes.relation() {
        Relation::Separated(axis) if request.wanted == Wanted::Verdict => {
            bounds.normal = axis;
            Conclusion::Separated
        }
        Relation::Separated(_) => match boxes.distance(request.width, bounds) {
            Some(()) => Conclusion::Separated,
            None => Conclusion::Undecided,
        },
        Relation::Overlapping(_) if request.wanted != Wanted::Contact => {
            bounds.overlap_without_depth([[0.0; 3], boxes.between()]);
            Conclusion::Overlapping
        }
        Relation::Overlapping(overlaps) if request.width > 0.0 => {
            match boxes.depth(&overlaps, request.width, bounds) {
                Some(()) => Conclusion::Overlapping,
                None => Conclusion::Undecided,
            }
        }
        _ => Conclusion::Undecided,
    }
}

/// Whether balls around two boxes are apart. Then features seldom face each other, and points on the boxes come to each other
/// quickly. This chooses between two ways to the same answer.
#[inline]
fn far<V: Vector>(bodies: [&Body<'_, V>; 2], half: [V; 2]) -> bool {
    let (Some(a), Some(b)) = (
        bodies[0].pose.uniform_scale(),
        bodies[1].pose.uniform_scale(),
    ) else {
        return false;
    };
    let reach = half[0].norm() * a + half[1].norm() * b;
    let between = bodies[1].pose.translation() - bodies[0].pose.translation();
    between.norm_squared() > reach * reach
}
