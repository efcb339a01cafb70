//! The facet of the difference of two boxes over each of the 15 axes.

use crate::simd::{F64s, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// Axes of two boxes: 0 to 2 are faces of A, 3 to 5 of B, then edges of A by edges of B.
pub(crate) const AXES: usize = 15;

/// The facet of every lane's axis.
#[derive(Clone, Copy)]
pub(crate) struct BoxFacet<S: Simd> {
    pub(crate) u: Vec3s<S>,
    pub(crate) v: Vec3s<S>,
    /// 0 for the two segments that span the facet, 1 for the others.
    pub(crate) others: [F64s<S>; 6],
    pub(crate) face_of_a: Mask<S>,
    pub(crate) face_of_b: Mask<S>,
}

impl<S: Simd> BoxFacet<S> {
    /// The facets of the axes `axes`, a lane each; lanes that are left over repeat the last.
    #[inline(always)]
    pub(crate) fn of(simd: S, segments: &[Vec3s<S>; 6], axes: &[f64]) -> Self {
        let lane = |value: f64| F64s::<S>::splat(simd, value);
        let (zero, one) = (lane(0.0), lane(1.0));
        let axis = match axes.get(..F64s::<S>::LEN) {
            Some(whole) => F64s::<S>::from_slice(simd, whole),
            None => F64s::<S>::from_fn(simd, |at| {
                axes.get(at).or(axes.last()).map_or(0.0, |&axis| axis)
            }),
        };
        let face = axis.simd_lt(6.0);
        let face_of_a = axis.simd_lt(3.0);
        let face_of_b = face & !face_of_a;
        // Edges of A are segments 0 to 2, of B 3 to 5. A face is spanned by the two that follow it around, the others by their
        // edges.
        let base = face_of_b.select(lane(3.0), zero);
        let around = axis - base;
        let next = around.simd_gt(1.5).select(zero, around + one) + base;
        let after = around.simd_lt(0.5).select(lane(2.0), around - one) + base;
        let row = axis.simd_ge(9.0).select(one, zero) + axis.simd_ge(12.0).select(one, zero);
        let (first, second) = (
            face.select(next, row),
            face.select(after, axis - lane(3.0) - row * lane(3.0)),
        );
        let (mut u, mut v) = (segments[0], segments[1]);
        let mut others = [one; 6];
        for k in 0..6 {
            let (is_u, is_v) = (first.simd_eq(k as f64), second.simd_eq(k as f64));
            u = segments[k].or(is_u, u);
            v = segments[k].or(is_v, v);
            others[k] = (is_u | is_v).select(zero, one);
        }
        Self {
            u,
            v,
            others,
            face_of_a,
            face_of_b,
        }
    }
}
