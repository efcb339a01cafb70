//! What a solver says of a pair: a conclusion, and bounds of the signed distance with a normal and points.

use crate::simd::{F64s, LANES_MAX, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// What a kernel found for a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// Nothing that exceeds its rounding bound.
    #[default]
    Undecided,
    /// Separated, with the numbers if they were wanted.
    Separated,
    /// They share inner points; with the numbers if they were wanted.
    Overlapping,
}

/// A lane's answer in the world's frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) conclusion: Conclusion,
    /// Of the signed distance.
    pub(crate) interval: [f64; 2],
    pub(crate) normal: [f64; 3],
    pub(crate) points: [[f64; 3]; 2],
}

/// What a kernel found, a pair a lane. Numbers stay in columns, as lanes have them, until an answer is made of them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct BoundsLanes {
    /// Interval, normal, point of A and of B.
    pub(crate) numbers: [[f64; LANES_MAX]; 11],
    /// Bit masks of the proved lanes; the two masks are disjoint.
    pub(crate) separated: u64,
    pub(crate) overlapping: u64,
}

impl BoundsLanes {
    /// The lanes' numbers.
    #[inline(always)]
    pub(crate) fn put<S: Simd>(
        &mut self,
        interval: [F64s<S>; 2],
        normal: Vec3s<S>,
        points: [Vec3s<S>; 2],
    ) {
        let [a, b] = points;
        let all = [
            interval[0],
            interval[1],
            normal.x,
            normal.y,
            normal.z,
            a.x,
            a.y,
            a.z,
            b.x,
            b.y,
            b.z,
        ];
        for (column, numbers) in self.numbers.iter_mut().zip(all) {
            numbers.store_slice(&mut column[..F64s::<S>::LEN]);
        }
    }

    #[inline(always)]
    pub(crate) fn conclusion(&self, lane: usize) -> Conclusion {
        match (self.separated >> lane & 1, self.overlapping >> lane & 1) {
            (0, 0) => Conclusion::Undecided,
            (0, _) => Conclusion::Overlapping,
            _ => Conclusion::Separated,
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Bounds {
        let lane = lane % LANES_MAX;
        let number = |k: usize| self.numbers[k][lane];
        Bounds {
            conclusion: self.conclusion(lane),
            interval: [number(0), number(1)],
            normal: [number(2), number(3), number(4)],
            points: [
                [number(5), number(6), number(7)],
                [number(8), number(9), number(10)],
            ],
        }
    }
}
