//! The order of the points, the area of their polygon, and which few of them are kept.

use super::answer::ContactFeature;
use super::view::{Flat, minus, outer, size};
use crate::math::triple::Triple;
use smallvec::SmallVec;

/// Lengths and areas that differ by less than this part are equal, and features decide.
const TIE: f64 = 1e-9;

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
    pub(super) all: &'c [Candidate],
    /// The numbers of those that are meant.
    pub(super) order: &'c [usize],
    /// What a separation may be off.
    pub(super) off: f64,
}

impl ContactPolygon<'_> {
    pub(super) fn at(&self, k: usize) -> &Candidate {
        &self.all[self.order[k]]
    }

    fn numbers(&self) -> core::ops::Range<usize> {
        0..self.order.len()
    }

    pub(super) fn area(&self) -> f64 {
        let Some((&first, rest)) = self.order.split_first() else {
            return 0.0;
        };
        let seen = |k: usize| minus(self.all[k].place, self.all[first].place);
        let doubled: f64 = rest.windows(2).map(|w| outer(seen(w[0]), seen(w[1]))).sum();
        doubled.abs() / 2.0
    }

    /// The number of the best corner and its value; equal ones by their features.
    fn best(&self, values: impl Fn(usize) -> Option<f64>) -> Option<usize> {
        let values: SmallVec<[Option<f64>; 16]> = self.numbers().map(values).collect();
        let most = values.iter().flatten().copied();
        let top = most.fold(f64::NEG_INFINITY, |m, x| if x > m { x } else { m });
        let close = |k: &usize| values[*k].is_some_and(|x| x >= top - TIE * top.abs());
        self.first_named(self.numbers().filter(close))
    }

    /// Of some corners the one whose features come first.
    fn first_named(&self, mut numbers: impl Iterator<Item = usize>) -> Option<usize> {
        let first = numbers.next()?;
        Some(numbers.fold(first, |best, k| {
            if self.at(k).features < self.at(best).features {
                k
            } else {
                best
            }
        }))
    }

    /// The deepest; those within rounding of it by their features.
    pub(super) fn deepest(&self) -> usize {
        let least = self
            .numbers()
            .map(|k| self.at(k).separation + self.off)
            .fold(f64::INFINITY, |m, x| if x < m { x } else { m });
        let close = |&k: &usize| self.at(k).separation - self.off <= least;
        self.first_named(self.numbers().filter(close)).unwrap_or(0)
    }

    /// At most so many of the corners: the deepest, the farthest from it, the one of the largest triangle with these, and then always the one that adds
    /// the most area. Counter-clockwise from the deepest on.
    pub(super) fn reduced(&self, most: usize) -> Kept {
        let count = self.order.len();
        let first = self.deepest();
        if count <= most {
            return (first..count).chain(0..first).collect();
        }
        let mut kept: Kept = core::iter::once(first).collect();
        let place = |k: usize| self.at(k).place;
        while kept.len() < most {
            let chosen = self.best(|k| {
                if kept.contains(&k) {
                    return None;
                }
                Some(match kept[..] {
                    [only] => size(minus(place(k), place(only))),
                    _ => self.gain(&kept, k),
                })
            });
            let Some(next) = chosen else { break };
            let at = kept.partition_point(|&other| other < next);
            kept.insert(at, next);
        }
        let at = kept.iter().position(|&k| k == first).unwrap_or(0);
        kept.rotate_left(at);
        kept
    }

    /// Twice the area of the triangle that a corner adds to the polygon of those kept, which are in order.
    fn gain(&self, kept: &[usize], k: usize) -> f64 {
        let at = kept.partition_point(|&other| other < k);
        let before = kept[at.checked_sub(1).unwrap_or(kept.len() - 1)];
        let after = kept[if at == kept.len() { 0 } else { at }];
        let [from, place, to] = [before, k, after].map(|k| self.at(k).place);
        outer(minus(place, from), minus(to, from)).abs()
    }
}
