//! What a batch answers, a pair at a time and in all.

use gjk::Vector;
use gjk::query::{Interval, Verdict};

/// The answer for one pair of [`crate::distance_many`] and [`crate::contact_many`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<V: Vector> {
    /// The relation: that of a single query.
    pub verdict: Verdict,
    /// The distance, or the signed distance. It contains the truth, as a single query's does.
    pub interval: Interval<V::Scalar>,
    /// Unit, from A to B. Of separated bodies it is a separating direction; of overlapping ones it means something only in
    /// a contact.
    pub normal: V,
    /// On A's surface, world frame; of overlapping bodies in a distance batch, any point of A.
    pub point_a: V,
    /// On B's surface, world frame; as `point_a`.
    pub point_b: V,
}

impl<V: Vector> Default for Answer<V> {
    fn default() -> Self {
        let zero = <V::Scalar as gjk::math::Ring>::ZERO;
        Self {
            verdict: Verdict::Undecided,
            interval: Interval {
                lower: zero,
                upper: zero,
            },
            normal: V::ZERO,
            point_a: V::ZERO,
            point_b: V::ZERO,
        }
    }
}

/// Which route decided how many pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// By lanes across pairs, with a margin above the rounding bound.
    pub by_lanes: usize,
    /// Tried by lanes, which could not prove an answer; then answered by a single query.
    pub fallback: usize,
    /// Of kinds that the lanes do not know; answered by a single query.
    pub single: usize,
}

impl Statistics {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            by_lanes: self.by_lanes + other.by_lanes,
            fallback: self.fallback + other.fallback,
            single: self.single + other.single,
        }
    }

    /// Pairs in all.
    pub fn total(&self) -> usize {
        self.by_lanes + self.fallback + self.single
    }
}

/// The answers of a batch, in the order of its pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch<T> {
    /// One a pair.
    pub answers: Vec<T>,
    /// How they were found.
    pub statistics: Statistics,
}
