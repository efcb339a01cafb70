//! What is known at once of a ray, and the answer that it makes.
//!
//! Where it sits: the closed forms of rays (`ray_box.rs`, `ray_hull.rs`, `ray_quadric.rs`, `ray_round.rs`, `polygons.rs`) make it, and [`crate::query::ray`] makes the answer of it.
//! Idea: it is a third of an answer, which is so made where it is wanted, and not copied there. A copy of what was written in smaller pieces a moment ago would wait for them.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::ray::Ray;
use super::slabs::Passage;
use crate::math::{Triple, Vector, plus};

/// A ray that meets a body after its start, or does not meet it.
// What is told together does not lie together: both would be loaded at once, and wait for two stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayFound {
    enter_lower: f64,
    exit_lower: f64,
    normal_x: f64,
    enter_upper: f64,
    exit_upper: f64,
    normal_y: f64,
    hits: bool,
    exact: bool,
    stop: MotionStop,
    normal_z: f64,
}

impl RayFound {
    /// Of a ray that meets the body nowhere.
    #[inline(always)]
    pub(super) fn free(exact: bool) -> Self {
        Self {
            hits: false,
            exact,
            stop: MotionStop::SeparatingPlane,
            enter_lower: 0.0,
            enter_upper: 0.0,
            exit_lower: 0.0,
            exit_upper: 0.0,
            normal_x: 0.0,
            normal_y: 0.0,
            normal_z: 0.0,
        }
    }

    /// Of one that enters and leaves it at some times, and its unit normal where it enters.
    #[inline(always)]
    pub(super) fn hits(
        [enter, exit]: [[f64; 2]; 2],
        normal: Triple,
        exact: bool,
        stop: MotionStop,
    ) -> Self {
        Self {
            hits: true,
            exact,
            stop,
            enter_lower: enter[0],
            enter_upper: enter[1],
            exit_lower: exit[0],
            exit_upper: exit[1],
            normal_x: normal[0],
            normal_y: normal[1],
            normal_z: normal[2],
        }
    }

    /// The same, of a facet that the ray crosses.
    #[inline(always)]
    pub(super) fn facet(passage: &Passage, normal: Triple) -> Self {
        Self::hits(
            [passage.enter, passage.exit],
            normal,
            true,
            MotionStop::Facet,
        )
    }

    /// The answer.
    #[inline(always)]
    pub(crate) fn told<V: Vector>(&self, ray: &Ray<V>) -> CastAnswer<V> {
        let verdict = if self.hits {
            Meeting::Hits
        } else {
            Meeting::Free
        };
        let answer = CastAnswer::bare(verdict, self.exact, self.stop);
        if !self.hits {
            return answer;
        }
        let [origin, direction] = [ray.origin().to_f64(), ray.direction().to_f64()];
        let point = V::Wide::from_f64(plus(origin, direction, self.enter_upper));
        let point = Some(point.lift::<V>()).filter(|point| point.is_finite());
        let normal = V::Wide::from_f64([self.normal_x, self.normal_y, self.normal_z]);
        CastAnswer {
            time: Some(outward([self.enter_lower, self.enter_upper])),
            exit: Some(outward([self.exit_lower, self.exit_upper])),
            // Adding zero leaves no negative zeros.
            normal: Some((normal + V::Wide::ZERO).lift()),
            point_a: point,
            point_b: point,
            ..answer
        }
    }
}
