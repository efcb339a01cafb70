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

    /// The number of the corner of the largest value, of which equal ones differ by less than a part; those by their features. The values are not negative
    /// but of what is left out.
    fn best(&self, values: &[f64], tie: f64) -> Option<usize> {
        let top = values.iter().copied().fold(LEFT_OUT, larger);
        let close = |&k: &usize| values[k] >= top - tie * top;
        if top < 0.0 {
            return None;
        }
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
        let mut kept = Kept::new();
        kept.push(first);
        let mut values = SmallVec::<[f64; 16]>::new();
        while kept.len() < most {
            values.clear();
            // Squares differ by twice the part of lengths.
            let tie = match kept[..] {
                [only] => {
                    let from = self.at(only).place;
                    for k in self.numbers() {
                        let step = minus(self.at(k).place, from);
                        values.push(if k == only {
                            LEFT_OUT
                        } else {
                            inner(step, step)
                        });
                    }
                    2.0 * TIE
                }
                _ => {
                    self.gains(&kept, &mut values);
                    TIE
                }
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

    /// Twice the areas of the triangles that the corners add to the polygon of those kept, which are in order.
    fn gains(&self, kept: &[usize], values: &mut SmallVec<[f64; 16]>) {
        let place = |k: usize| self.at(k).place;
        let mut at = 0;
        for k in self.numbers() {
            if kept.get(at) == Some(&k) {
                at += 1;
                values.push(LEFT_OUT);
                continue;
            }
            let before = kept[if at == 0 { kept.len() - 1 } else { at - 1 }];
            let after = kept[if at == kept.len() { 0 } else { at }];
            let from = place(before);
            values.push(outer(minus(place(k), from), minus(place(after), from)).abs());
        }
    }
}
