//! The order of the points, the area of their polygon, and which few of them are kept.

use super::answer::ContactFeature;
use super::view::{Flat, inner, larger, minus, outer};
use crate::math::triple::Triple;
use smallvec::SmallVec;

/// Lengths and areas that differ by less than this part are equal, and features decide.
const TIE: f64 = 1e-9;

/// The value of a corner that is kept already.
const LEFT_OUT: f64 = -1.0;

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

impl Candidate {
    /// No corner yet.
    pub(super) const NONE: Self = Self {
        place: [0.0; 2],
        separation: 0.0,
        features: [ContactFeature::Smooth; 2],
        point_a: [0.0; 3],
    };
}

/// Corners of the contact polygon, counter-clockwise.
pub(super) struct ContactPolygon<'c> {
    pub(super) corners: &'c [Candidate],
    /// What a separation may be off.
    pub(super) off: f64,
}

impl ContactPolygon<'_> {
    pub(super) fn area(&self) -> f64 {
        let Some((first, rest)) = self.corners.split_first() else {
            return 0.0;
        };
        let seen = |corner: &Candidate| minus(corner.place, first.place);
        let doubled: f64 = rest
            .windows(2)
            .map(|w| outer(seen(&w[0]), seen(&w[1])))
            .sum();
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
        let first = values.iter().position(|&x| x >= least)?;
        Some(self.first_named(first, |k| values[k] >= least))
    }

    /// Of a corner and those after it that a condition leaves, the one whose features come first.
    #[inline(always)]
    fn first_named(&self, first: usize, wanted: impl Fn(usize) -> bool) -> usize {
        let mut best = first;
        for k in first + 1..self.corners.len() {
            if wanted(k) && self.corners[k].features < self.corners[best].features {
                best = k;
            }
        }
        best
    }

    /// The deepest; those within rounding of it by their features.
    pub(super) fn deepest(&self) -> usize {
        let mut least = f64::INFINITY;
        for corner in self.corners {
            let upper = corner.separation + self.off;
            least = if upper < least { upper } else { least };
        }
        let is_close = |k: usize| self.corners[k].separation - self.off <= least;
        let first = (0..self.corners.len()).find(|&k| is_close(k));
        first.map_or(0, |first| self.first_named(first, is_close))
    }

    /// At most so many of the corners: the deepest, the farthest from it, the one of the largest triangle with these, and then always the one that adds
    /// the most area. Counter-clockwise from the deepest on.
    pub(super) fn reduced(&self, most: usize) -> Kept {
        let count = self.corners.len();
        let first = self.deepest();
        if count <= most {
            return (first..count).chain(0..first).collect();
        }
        let mut kept = Kept::new();
        kept.push(first);
        let mut values = SmallVec::<[f64; 16]>::from_elem(LEFT_OUT, count);
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
            let at = kept.partition_point(|&other| other < next);
            kept.insert(at, next);
        }
        let at = kept.iter().position(|&k| k == first).unwrap_or(0);
        kept.rotate_left(at);
        kept
    }

    /// How far the corners are from one of them, squared.
    fn squares(&self, only: usize, values: &mut [f64]) {
        let from = self.corners[only].place;
        for (corner, value) in self.corners.iter().zip(&mut *values) {
            let step = minus(corner.place, from);
            *value = inner(step, step);
        }
        values[only] = LEFT_OUT;
    }

    /// Twice the areas of the triangles that the corners add to the polygon of those kept, which are in order.
    fn gains(&self, kept: &[usize], values: &mut [f64]) {
        let place = |k: usize| self.corners[k].place;
        let mut before = kept[kept.len() - 1];
        let mut start = 0;
        // Between two that are kept, and from the last on around to the first.
        for &after in kept.iter().chain(&kept[..1]) {
            let from = place(before);
            let line = minus(place(after), from);
            let end = if start > after { values.len() } else { after };
            let corners = self.corners[start..end].iter();
            for (corner, value) in corners.zip(&mut values[start..end]) {
                *value = outer(minus(corner.place, from), line).abs();
            }
            values[after] = LEFT_OUT;
            (before, start) = (after, after + 1);
        }
    }
}
