//! Vectors of lanes, a pair a lane, and the rules that every kernel keeps.
//!
//! Where it sits: below all kernels. Read `dispatch/table.rs` for which kernels there are.
//! Idea: lanes *propose and certify*. An answer counts only when its margin exceeds a rounding bound derived beside the
//! kernel; every other lane is left to the single query. So the lanes need no care for degenerate input.
//!
//! No fused operation, approximate reciprocal or horizontal sum is used, and a lane's result does not depend on its
//! neighbours: the same pair has the same bits at every width, on every target. The one exception is `axes::conclude`: fused
//! operations may prove other pairs there, never another verdict.
//!
//! **No closure of a library function has vectors in it**: not `array::map`, not `from_fn` with vectors. Kernels get their
//! instruction set from the one function that `dispatch!` makes, by being inlined into it. The compiler inlined such a closure
//! only in some builds; where it did not, every operation in it was a call with its operands in memory, at six times the time.
//!
//! SIMD by `fearless_simd` 1.2: run-time dispatch without `unsafe` in the caller, `f64` and `f32` vectors of the native
//! width from SSE2 to AVX-512, NEON and wasm, Rust 1.89. Of the others, `wide` 1.7 has no run-time dispatch, and `pulp` 0.22
//! needs a feature for AVX-512 and writes sums as method calls. That was decided by reading; their speeds were not compared.

use fearless_simd::{Simd, prelude::*};

/// `f64` lanes.
pub(crate) type F64s<S> = <S as Simd>::f64s;
/// Their mask.
pub(crate) type Mask<S> = <S as Simd>::mask64s;

/// Most `f64` lanes of any target.
pub(crate) const LANES_MAX: usize = 8;

/// A vector in space a lane.
#[derive(Clone, Copy)]
pub(crate) struct Vec3s<S: Simd> {
    pub(crate) x: F64s<S>,
    pub(crate) y: F64s<S>,
    pub(crate) z: F64s<S>,
}

impl<S: Simd> Vec3s<S> {
    #[inline(always)]
    pub(crate) fn splat(simd: S, value: f64) -> Self {
        let v = F64s::<S>::splat(simd, value);
        Self { x: v, y: v, z: v }
    }
    #[inline(always)]
    pub(crate) fn dot(self, o: Self) -> F64s<S> {
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
    pub(crate) fn times(self, s: F64s<S>) -> Self {
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
    pub(crate) fn sum_abs(self) -> F64s<S> {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
    #[inline(always)]
    pub(crate) fn max_abs(self) -> F64s<S> {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
}
