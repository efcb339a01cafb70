//! What closed forms know of a motion, and the answer that it makes.
//!
//! Where it sits: the closed forms of rays and casts (`ray_box.rs`, `ray_hull.rs`, `ray_quadric.rs`, `ray_round.rs`, `cast_box.rs`, `polygons.rs`) make it, and [`crate::query`] makes the answer of it.
//! Idea: the query makes the answer where the caller wants it, and nothing copies it there. A copy loads more at once than was stored a moment ago, and would wait until that is written.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::ray::Ray;
use super::slabs::Passage;
use crate::math::{Triple, Vector, plus};

/// A motion that begins without contact, and meets a body or does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionFound {
    enter: [f64; 2],
    exit: Option<[f64; 2]>,
    /// Unit, from the first to the second, and of a ray outward.
    normal: Triple,
    verdict: Meeting,
    exact: bool,
    stop: MotionStop,
}

/// The same, and where the bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastFound {
    pub(super) of: MotionFound,
    pub(super) points: [Triple; 2],
}

impl MotionFound {
    /// Of a motion without contact.
    #[inline(always)]
    pub(super) fn free(exact: bool) -> Self {
        Self {
            enter: [0.0; 2],
            exit: None,
            normal: [0.0; 3],
            verdict: Meeting::Free,
            exact,
            stop: MotionStop::SeparatingPlane,
        }
    }

    /// Of one that enters and leaves contact at some times, and its unit normal where it enters.
    #[inline(always)]
    pub(super) fn hits(
        enter: [f64; 2],
        exit: Option<[f64; 2]>,
        normal: Triple,
        exact: bool,
        stop: MotionStop,
    ) -> Self {
        Self {
            enter,
            exit,
            normal,
            verdict: Meeting::Hits,
            exact,
            stop,
        }
    }

    /// Of one that enters contact by a facet.
    #[inline(always)]
    pub(super) fn facet(passage: &Passage, normal: Triple) -> Self {
        let exit = Some(passage.exit);
        Self::hits(passage.enter, exit, normal, true, MotionStop::Facet)
    }

    /// The answer on a ray.
    #[inline(always)]
    pub(crate) fn told<V: Vector>(&self, ray: &Ray<V>) -> CastAnswer<V> {
        let [origin, direction] = [ray.origin().to_f64(), ray.direction().to_f64()];
        let point = place::<V>(plus(origin, direction, self.enter[1]));
        self.at([point; 2])
    }

    /// The answer on what meets at some points.
    #[inline(always)]
    fn at<V: Vector>(&self, points: [Option<V>; 2]) -> CastAnswer<V> {
        let answer = CastAnswer::bare(self.verdict, self.exact, self.stop);
        if self.verdict == Meeting::Free {
            return answer;
        }
        let normal = V::Wide::from_f64(self.normal);
        CastAnswer {
            time: Some(outward(self.enter)),
            exit: self.exit.map(outward),
            // Adding zero leaves no negative zeros.
            normal: Some((normal + V::Wide::ZERO).lift()),
            point_a: points[0],
            point_b: points[1],
            ..answer
        }
    }
}

impl CastFound {
    /// Of a motion without contact.
    #[inline(always)]
    pub(super) fn free() -> Self {
        Self {
            of: MotionFound::free(true),
            points: [[0.0; 3]; 2],
        }
    }

    /// Of one that enters contact by a facet, in a point.
    #[inline(always)]
    pub(super) fn facet(passage: &Passage, normal: Triple, point: Triple) -> Self {
        Self {
            of: MotionFound::facet(passage, normal),
            points: [point; 2],
        }
    }

    /// The same, without the end of contact.
    #[inline(always)]
    pub(super) fn without_exit(mut self) -> Self {
        self.of.exit = None;
        self
    }

    /// The answer on a cast.
    #[inline(always)]
    pub(crate) fn told<V: Vector>(&self) -> CastAnswer<V> {
        let [on_a, on_b] = self.points;
        self.of.at([place(on_a), place(on_b)])
    }
}

/// A point in the scalar of an answer, if it has it.
#[inline(always)]
fn place<V: Vector>(x: Triple) -> Option<V> {
    Some(V::Wide::from_f64(x).lift::<V>()).filter(|point| point.is_finite())
}
