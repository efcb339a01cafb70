//! Kernels that answer several pairs at once, a pair a lane.
//!
//! Where it sits: `chunk.rs` hands each kernel a list of pairs of one kind. Read `boxes.rs` (which of two boxes' 15 axes
//! separates them, or is nearest), then `walk.rs` (GJK in lock-step; `cloud.rs` and `scan.rs` are its support points),
//! `cores.rs` and `facets.rs` (balls and capsules by closed forms), `load.rs` for how lanes are filled.
//! Idea: lanes *propose and certify*. An answer counts only when its margin exceeds a rounding bound derived beside the
//! kernel; every other lane is left to the single query. So the lanes need no care for degenerate input.
//!
//! No fused operation, approximate reciprocal or horizontal sum is used, and a lane's result does not depend on its
//! neighbours: the same pair has the same bits at every width, on every target. The one exception is `boxes.rs` where only verdicts
//! are asked: fused operations may prove other pairs there, never another verdict.
//!
//! **No closure of a library function has vectors in it**: not `array::map`, not `from_fn` with vectors. Kernels get their
//! instruction set from the one function that `dispatch!` makes, by being inlined into it. The compiler inlined such a closure
//! only in some builds; where it did not, every operation in it was a call with its operands in memory, at six times the time.
//!
//! SIMD by `fearless_simd` 1.2: run-time dispatch without `unsafe` in the caller, `f64` and `f32` vectors of the native
//! width from SSE2 to AVX-512, NEON and wasm, Rust 1.89. Of the others, `wide` 1.7 has no run-time dispatch, and `pulp` 0.22
//! needs a feature for AVX-512 and writes sums as method calls. That was decided by reading; their speeds were not compared.

#![allow(clippy::needless_range_loop)] // an axis or a lane is an index into several arrays at once

use fearless_simd::{Simd, prelude::*};

/// `f64` lanes.
pub(crate) type Wide<S> = <S as Simd>::f64s;
/// Their mask.
pub(crate) type Mask<S> = <S as Simd>::mask64s;

/// Most `f64` lanes of any target.
pub(crate) const LANES_MAX: usize = 8;

/// One rounding of `f64`.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// A vector in space a lane.
#[derive(Clone, Copy)]
pub(crate) struct V3<S: Simd> {
    pub(crate) x: Wide<S>,
    pub(crate) y: Wide<S>,
    pub(crate) z: Wide<S>,
}

impl<S: Simd> V3<S> {
    #[inline(always)]
    pub(crate) fn splat(simd: S, value: f64) -> Self {
        let v = Wide::<S>::splat(simd, value);
        Self { x: v, y: v, z: v }
    }
    #[inline(always)]
    pub(crate) fn dot(self, o: Self) -> Wide<S> {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    #[inline(always)]
    pub(crate) fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }
    #[inline(always)]
    pub(crate) fn plus(self, o: Self) -> Self {
        Self {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
    #[inline(always)]
    pub(crate) fn minus(self, o: Self) -> Self {
        Self {
            x: self.x - o.x,
            y: self.y - o.y,
            z: self.z - o.z,
        }
    }
    #[inline(always)]
    pub(crate) fn times(self, s: Wide<S>) -> Self {
        Self {
            x: self.x * s,
            y: self.y * s,
            z: self.z * s,
        }
    }
    /// `self` where the mask is set.
    #[inline(always)]
    pub(crate) fn or(self, mask: Mask<S>, o: Self) -> Self {
        Self {
            x: mask.select(self.x, o.x),
            y: mask.select(self.y, o.y),
            z: mask.select(self.z, o.z),
        }
    }
    #[inline(always)]
    pub(crate) fn same(self, o: Self) -> Mask<S> {
        self.x.simd_eq(o.x) & self.y.simd_eq(o.y) & self.z.simd_eq(o.z)
    }
    /// The sum of the components' magnitudes.
    #[inline(always)]
    pub(crate) fn sum_abs(self) -> Wide<S> {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
    #[inline(always)]
    pub(crate) fn max_abs(self) -> Wide<S> {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
}

/// What a kernel found for a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing that exceeds its rounding bound.
    #[default]
    Unsure,
    /// Apart, with the numbers if they were asked.
    Separated,
    /// Sharing inner points, with the numbers if they were asked.
    Overlapping,
}

/// A lane's answer in the world's frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    pub(crate) found: Found,
    /// Of the signed distance.
    pub(crate) interval: [f64; 2],
    pub(crate) normal: [f64; 3],
    pub(crate) points: [[f64; 3]; 2],
}

/// What a kernel found, a pair a lane. Numbers stay in columns, as lanes have them, until an answer is made of them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Columns {
    /// Interval, normal, point of A and of B.
    pub(crate) numbers: [[f64; LANES_MAX]; 11],
    /// Lanes that are proved, as bits; at most one of them has a lane's.
    pub(crate) separated: u64,
    pub(crate) overlapping: u64,
}

impl Columns {
    /// The lanes' numbers.
    #[inline(always)]
    pub(crate) fn put<S: Simd>(
        &mut self,
        interval: [Wide<S>; 2],
        normal: V3<S>,
        points: [V3<S>; 2],
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
            numbers.store_slice(&mut column[..Wide::<S>::LEN]);
        }
    }

    #[inline(always)]
    pub(crate) fn found(&self, lane: usize) -> Found {
        match (self.separated >> lane & 1, self.overlapping >> lane & 1) {
            (0, 0) => Found::Unsure,
            (0, _) => Found::Overlapping,
            _ => Found::Separated,
        }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Measured {
        let lane = lane % LANES_MAX;
        let number = |k: usize| self.numbers[k][lane];
        Measured {
            found: self.found(lane),
            interval: [number(0), number(1)],
            normal: [number(2), number(3), number(4)],
            points: [
                [number(5), number(6), number(7)],
                [number(8), number(9), number(10)],
            ],
        }
    }
}

/// An interval wider than this part of itself is left to the single query, whose intervals are a few roundings wide.
///
/// Any number would be as true: it only says how much worse than a single query's a lane's interval may be. Far from it,
/// some 2⁻⁴⁰ is usual; pairs whose gap is below 2⁻²⁸ of their size miss it.
pub(crate) const LOOSE: f64 = 1.0 / (1u64 << 24) as f64;

/// Sizes between which no product of a kernel leaves the range of normal numbers: degree 6 at most, as in `gjk::query`.
pub(crate) const SIZES: [f64; 2] = [
    f64::from_bits((1023 - 100) << 52),
    f64::from_bits((1023 + 120) << 52),
];

/// The rounding bounds, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// `boxes.rs`: over an axis.
    Axes,
    /// `boxes.rs`: for parallel edges.
    Parallel,
    /// `walk.rs`: of a lower bound.
    Lower,
    /// `walk.rs`: of an upper bound.
    Upper,
    /// `reduce.rs`: of a determinant.
    Encloses,
    /// `deep.rs`.
    Deep,
    /// `planar.rs`.
    Planar,
    /// `cores.rs`: of a distance.
    Cores,
    /// `facets.rs`: of a depth.
    Facets,
}

/// The value of a bound; a test sets one to zero at a time, to see that answers then are wrong.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn bound(_: Bound, value: f64) -> f64 {
    value
}

#[cfg(test)]
pub(crate) use needed::bound;

#[cfg(test)]
#[path = "../tests/needed/mod.rs"]
mod needed;
