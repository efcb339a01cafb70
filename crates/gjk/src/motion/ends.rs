//! The two ends of a contact of polytopes: what `solve.rs` asks, and whoever answers.

use super::answer::CastCertificate;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The two ends of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Enter,
    Exit,
}

impl Side {
    /// On which side of the facet's plane the body is not, seen along the direction.
    pub(super) fn sense(self) -> Ordering {
        match self {
            Side::Enter => Ordering::Less,
            Side::Exit => Ordering::Greater,
        }
    }
}

/// What is known of the ends of a contact.
pub(super) trait LineEnds<W> {
    /// Whether an end of the contact is after the start; `None` where the line misses.
    fn sign(&self, side: Side) -> Option<Ordering>;
    /// Whether the line meets no inner point.
    fn grazes(&self) -> bool;
    /// Floats that the time of an end is between.
    fn time(&self, side: Side) -> Option<[f64; 2]>;
    /// The outer unit normal at an end.
    fn normal(&self, side: Side) -> Option<W>;
    /// The point in which they meet at an end, on B at the start.
    fn point(&self, side: Side) -> Option<W>;
    /// The vertices of what meets at an end, of each body.
    fn features(&self, _side: Side) -> [Vec<u32>; 2] {
        Default::default()
    }
    /// Why a line that misses has no contact, or one that is past an end of the contact.
    fn free(&self, _side: Side) -> Option<CastCertificate> {
        None
    }
    /// Why contact begins or ends where it does.
    fn facet(&self, _side: Side) -> Option<CastCertificate> {
        None
    }
}
