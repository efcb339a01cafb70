//! The bodies as they are seen along the normal.

use crate::math::Scalar;
use crate::math::planar::{self, Planar};
use crate::math::triple::{Triple, cross, dot, length, subtract};

/// A place in the plane across the normal.
pub(crate) type Flat = Planar;

/// A frame across a direction: `across[0] × across[1] = along`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(super) along: Triple,
    pub(crate) across: [Triple; 2],
    pub(super) origin: Triple,
}

impl View {
    /// The view along a unit vector; of a pair in the plane the first axis is the direction's left.
    #[inline(always)]
    pub(crate) fn new(dim: usize, along: Triple, origin: Triple) -> Self {
        let across = if dim == 2 {
            [[-along[1], along[0], 0.0], [0.0, 0.0, 1.0]]
        } else {
            let sizes = along.map(f64::abs);
            let least = if sizes[0] <= sizes[1] && sizes[0] <= sizes[2] {
                0
            } else if sizes[1] <= sizes[2] {
                1
            } else {
                2
            };
            let axis = core::array::from_fn(|k| if k == least { 1.0 } else { 0.0 });
            let first = cross(axis, along);
            let first = unit(first).unwrap_or(first);
            [first, cross(along, first)]
        };
        Self {
            along,
            across,
            origin,
        }
    }

    /// The same place seen from the other side, with the same axes but one.
    pub(super) fn behind(&self) -> Self {
        Self {
            along: self.along.map(|x| -x),
            across: [self.across[0].map(|x| -x), self.across[1]],
            origin: self.origin,
        }
    }

    /// The place of a point across the direction.
    #[inline(always)]
    pub(crate) fn flat(&self, x: Triple) -> Flat {
        self.across(subtract(x, self.origin))
    }

    /// The part of a vector across the direction.
    #[inline(always)]
    pub(super) fn across(&self, x: Triple) -> Flat {
        self.across.map(|axis| dot(axis, x))
    }
}

/// The larger of a number and a magnitude.
#[inline(always)]
pub(super) fn larger(most: f64, x: f64) -> f64 {
    if x > most { x } else { most }
}

/// The largest number that a measure has of some items, none less than a floor. Four chains beside each other: one would wait for each step of its own.
#[inline(always)]
pub(super) fn largest_by<T>(items: &[T], floor: f64, mut measure: impl FnMut(&T) -> f64) -> f64 {
    let mut most = [floor; 4];
    let (fours, rest) = items.as_chunks::<4>();
    for four in fours {
        for (most, x) in most.iter_mut().zip(four) {
            *most = larger(*most, measure(x));
        }
    }
    for x in rest {
        most[0] = larger(most[0], measure(x));
    }
    larger(larger(most[0], most[1]), larger(most[2], most[3]))
}

/// The first of two, or the second, without a branch: which one it is is as good as random.
#[inline(always)]
pub(super) fn either<T: Copy>(is_first: bool, first: T, second: T) -> T {
    core::hint::select_unpredictable(is_first, first, second)
}

/// The same of both coordinates.
#[inline(always)]
pub(super) fn either_place(is_first: bool, first: Flat, second: Flat) -> Flat {
    [
        either(is_first, first[0], second[0]),
        either(is_first, first[1], second[1]),
    ]
}

/// The largest magnitude of a point's coordinates.
#[inline(always)]
pub(super) fn largest_of(x: Triple) -> f64 {
    larger(larger(x[0].abs(), x[1].abs()), x[2].abs())
}

/// The unit vector of a vector of middle size.
#[inline(always)]
pub(crate) fn unit(x: Triple) -> Option<Triple> {
    let size = length(x);
    let is_clear = size > f64::MIN_POSITIVE && size.is_finite();
    is_clear.then_some([x[0] / size, x[1] / size, x[2] / size])
}

/// The number after one of so many, around.
#[inline(always)]
pub(super) fn next_of(k: usize, count: usize) -> usize {
    if k + 1 == count { 0 } else { k + 1 }
}

pub(crate) fn size(a: Flat) -> f64 {
    Scalar::sqrt(planar::dot(a, a))
}
