//! What is found of two cores, and the rounding bounds that the closed forms share.

use crate::layout::posed::PairSizes;
use crate::rounding::{RoundingBound, bound};
use crate::simd::{F64s, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

/// Roundings of the size, as the head of `mod.rs` derives them.
pub(super) const CORE_LANES_OF_SIZE: f64 = 24.0 * f64::ROUNDING;
/// Roundings of the translations.
const CORE_LANES_OF_WORLD: f64 = 2.0 * f64::ROUNDING;

/// Bounds of the cores' signed distance, unit normal from A to B, and a point of each without its translation.
#[derive(Clone, Copy)]
pub(super) struct CoreBounds<S: Simd> {
    pub(super) lower: F64s<S>,
    pub(super) upper: F64s<S>,
    pub(super) normal: Vec3s<S>,
    pub(super) points: [Vec3s<S>; 2],
}

impl<S: Simd> CoreBounds<S> {
    /// `self` where the mask is set.
    #[inline(always)]
    pub(super) fn or(self, mask: Mask<S>, o: Self) -> Self {
        Self {
            lower: mask.select(self.lower, o.lower),
            upper: mask.select(self.upper, o.upper),
            normal: self.normal.or(mask, o.normal),
            points: [
                self.points[0].or(mask, o.points[0]),
                self.points[1].or(mask, o.points[1]),
            ],
        }
    }
}

/// What world vertices differ from the exact cores, beyond the size's own roundings.
#[inline(always)]
pub(super) fn world_error<S: Simd>(sizes: &PairSizes<S>) -> F64s<S> {
    sizes.place * CORE_LANES_OF_WORLD
}

/// What a distance of cores may be off.
#[inline(always)]
pub(super) fn distance_error<S: Simd>(sizes: &PairSizes<S>) -> F64s<S> {
    (sizes.all * CORE_LANES_OF_SIZE + world_error(sizes)) * bound(RoundingBound::Cores, 1.0)
}

/// `x`, or the end of `−1..1` that is nearest; NaN becomes 1. The same on every target, which `min` and `max` of NaN are not.
#[inline(always)]
pub(super) fn clamped<S: Simd>(simd: S, x: F64s<S>) -> F64s<S> {
    let one = F64s::<S>::splat(simd, 1.0);
    let above = x.simd_gt(-1.0).select(x, -one);
    x.simd_lt(1.0).select(above, one)
}
