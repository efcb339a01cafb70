//! The order of the points, the area of their polygon, and which few of them are kept.

use super::answer::ContactFeature;
use super::view::{Flat, larger};
use crate::math::planar;
use crate::math::triple::Triple;
use smallvec::SmallVec;

/// Lengths and areas that differ by less than this part are equal, and features decide.
pub(super) const TIE: f64 = 1e-9;

/// The value of a corner that is kept already.
pub(super) const LEFT_OUT: f64 = -1.0;

/// Which candidates are kept, by their numbers.
pub(super) type Kept = SmallVec<[usize; 16]>;

/// A corner of the contact polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) place: Flat,
    pub(super) separation: f64,
    /// Those of the body first whose face has the lower numbers: exchanged bodies have the same order.
    pub(super) features: [ContactFeature; 2],
    /// The point on A.
    pub(super) point_a: Triple,
}

/// Corners of the contact polygon, counter-clockwise.
pub(super) struct ContactPolygon<'c> {
    /// In any order.
    pub(super) corners: &'c [Candidate],
    /// The numbers of those that count, in theirs.
    pub(super) order: &'c [usize],
    /// What a separation may be off.
    pub(super) off: f64,
}

impl ContactPolygon<'_> {
    /// A corner by its place in the order.
    #[inline(always)]
    pub(super) fn corner(&self, k: usize) -> &Candidate {
        &self.corners[self.order[k]]
    }

    pub(super) fn area(&self) -> f64 {
        let Some((&first, rest)) = self.order.split_first() else {
            return 0.0;
        };
        let seen = |k: usize| planar::subtract(self.corners[k].place, self.corners[first].place);
        let (mut doubled, mut before) = (0.0, [0.0; 2]);
        for &k in rest {
            let after = seen(k);
            doubled += planar::cross(before, after);
            before = after;
        }
        doubled.abs() / 2.0
    }

    /// The number of the corner of the largest value, of which equal ones differ by less than a part; those by their features. The values are not negative
    /// but of what is left out.
    fn best(&self, values: &[f64], tie: f64) -> Option<usize> {
        let top = values.iter().copied().fold(LEFT_OUT, larger);
        if top < 0.0 {
            return None;
        }
        let least = top - tie * top;
        self.first_named(|k| values[k] >= least)
    }

    /// Of the corners that a condition leaves, the one whose features come first.
    #[inline(always)]
    fn first_named(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let mut best = None;
        for k in 0..self.order.len() {
            if wanted(k) {
                best = match best {
                    Some(other) if self.corner(other).features <= self.corner(k).features => best,
                    _ => Some(k),
                };
            }
        }
        best
    }

    /// The deepest; those within rounding of it by their features.
    pub(super) fn deepest(&self) -> usize {
        let mut least = f64::INFINITY;
        for &k in self.order {
            let upper = self.corners[k].separation + self.off;
            least = if upper < least { upper } else { least };
        }
        let is_close = |k: usize| self.corner(k).separation - self.off <= least;
        self.first_named(is_close).unwrap_or(0)
    }

    /// At most so many of the corners: the deepest, the farthest from it, the one of the largest triangle with these, and then always the one that adds
    /// the most area. Counter-clockwise from the deepest on.
    pub(super) fn reduced(&self, most: usize) -> Kept {
        let count = self.order.len();
        let first = self.deepest();
        if count <= most {
            return (first..count).chain(0..first).collect();
        }
        let mut values = SmallVec::<[f64; 16]>::from_elem(LEFT_OUT, count);
        let mut kept = Kept::new();
        kept.push(first);
        while kept.len() < most {
            // Squares differ by twice the part of lengths.
            let tie = if kept.len() == 1 {
                self.squares(first, &mut values);
                2.0 * TIE
            } else {
                self.gains(&kept, &mut values);
                TIE
            };
            let Some(next) = self.best(&values, tie) else {
                break;
            };
            let at = kept.iter().take_while(|&&other| other < next).count();
            kept.insert(at, next);
        }
        let at = kept.iter().take_while(|&&k| k != first).count();
        let (before, from) = kept.split_at(at);
        from.iter().chain(before).copied().collect()
    }

    /// How far the corners are from one of them, squared.
    fn squares(&self, only: usize, values: &mut [f64]) {
        let from = self.corner(only).place;
        for (&k, value) in self.order.iter().zip(&mut *values) {
            let step = planar::subtract(self.corners[k].place, from);
            *value = planar::dot(step, step);
        }
        values[only] = LEFT_OUT;
    }

    /// Twice the areas of the triangles that the corners add to the polygon of those kept, which are in order.
    fn gains(&self, kept: &[usize], values: &mut [f64]) {
        let mut before = kept[kept.len() - 1];
        let mut start = 0;
        // Between two that are kept, and from the last on around to the first.
        for &after in kept.iter().chain(&kept[..1]) {
            let from = self.corner(before).place;
            let line = planar::subtract(self.corner(after).place, from);
            let end = if start > after { values.len() } else { after };
            for (&k, value) in self.order[start..end].iter().zip(&mut values[start..end]) {
                *value = planar::cross(planar::subtract(self.corners[k].place, from), line).abs();
            }
            values[after] = LEFT_OUT;
            (before, start) = (after, after + 1);
        }
    }
}
