//! The lists of an answer, which are short as a rule: in place then, on the heap only where they are long.

use super::answer::ManifoldPoint;
use crate::math::Vector;
use core::fmt;
use core::ops::{Deref, DerefMut};
use smallvec::SmallVec;

/// The points of a manifold: a slice that lies in the answer itself up to two in the plane and four in space.
pub struct ManifoldPoints<V: Vector>(SmallVec<V::Few<ManifoldPoint<V>>>);

/// The vertices of a face, an edge or a vertex by their numbers: a slice that lies in the answer itself up to eight.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaceRing(SmallVec<[u32; 8]>);

impl<V: Vector> ManifoldPoints<V> {
    #[inline]
    pub(super) fn new() -> Self {
        Self(SmallVec::new())
    }

    /// Becomes these two.
    #[inline(always)]
    pub(super) fn be_two(&mut self, points: [ManifoldPoint<V>; 2]) {
        self.0 = SmallVec::from_slice(&points);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, point: ManifoldPoint<V>) {
        self.0.push(point);
    }
}

impl FaceRing {
    #[inline]
    pub(super) fn new() -> Self {
        Self(SmallVec::new())
    }

    /// Becomes an edge.
    #[inline(always)]
    pub(super) fn be_edge(&mut self, ids: [u32; 2]) {
        self.0 = SmallVec::from_slice(&ids);
    }

    /// Becomes a ring of four, the lowest first.
    #[inline(always)]
    pub(super) fn be_ring(&mut self, ids: [u32; 4]) {
        self.0 = SmallVec::from_slice(&ids);
    }

    /// Takes the numbers of a ring, or from its end on, so that the lowest is first; those of an edge or a vertex are then in ascending order.
    pub(super) fn be_lowest_first(&mut self, ring: &[u32], backward: bool) {
        let mut lowest = 0;
        for (k, id) in ring.iter().enumerate() {
            if *id < ring[lowest] {
                lowest = k;
            }
        }
        let (before, from) = ring.split_at(lowest);
        if backward {
            let Some((&first, after)) = from.split_first() else {
                return;
            };
            self.0.push(first);
            self.0.extend(before.iter().rev().copied());
            self.0.extend(after.iter().rev().copied());
        } else {
            self.0.extend_from_slice(from);
            self.0.extend_from_slice(before);
        }
    }
}

impl<V: Vector> Deref for ManifoldPoints<V> {
    type Target = [ManifoldPoint<V>];

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<V: Vector> DerefMut for ManifoldPoints<V> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Deref for FaceRing {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl<V: Vector> Clone for ManifoldPoints<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: Vector> PartialEq for ManifoldPoints<V> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<V: Vector> fmt::Debug for ManifoldPoints<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl fmt::Debug for FaceRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl<'p, V: Vector> IntoIterator for &'p ManifoldPoints<V> {
    type Item = &'p ManifoldPoint<V>;
    type IntoIter = core::slice::Iter<'p, ManifoldPoint<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'r> IntoIterator for &'r FaceRing {
    type Item = &'r u32;
    type IntoIter = core::slice::Iter<'r, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
