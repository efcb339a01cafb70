//! Whether a facet of the polytope is one of the difference of two hulls: the exact end of the loop.
//!
//! Where it sits: the loop in [`super`] calls it when the support point is not above the nearest facet. Read [`vertex_above`]
//! first.
//! Idea: a facet is one of `A − B` when no vertex of A is above the facet's points of A, and none of B below those of B,
//! along the facet's normal as a formula. The bodies list the vertices that floats cannot exclude
//! ([`Support::vertices_near`]); of those, the facet's own need no arithmetic, and the others get an exact sign.
//!
//! # The margin
//!
//! A body excludes a vertex whose float height along a float direction `n` is below that of the facet's point by more than a
//! margin. The facet's true normal `N` is within the plane's `normal_error` of `n` by component, and two
//! vertices of a body differ by at most `2·size` in the sum of their coordinates, so `n` and `N` disagree by at most
//! `2·normal_error·size` on which is higher. The pair's slack is at least `24u·size`, and covers the rounding of both heights and
//! of the world's vertices (docs/tolerances.md): `slack·(1 + normal_error/(8u))` covers all of it.
//! Without it `a_turned_stack_is_what_its_rounded_vertices_say` fails.

use super::expanding_polytope::ExpandingPolytope;
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, Support, SupportPair};
use gjk_exact::{AdaptiveSigns, Operand, SignOracle, SymbolicDirection};

/// The ids of a vertex of the difference strictly above the facet; `None` proves that the facet is one of the difference.
pub(super) fn vertex_above<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    slack: f64,
) -> Option<[u32; 2]> {
    let plane = polytope.plane(facet);
    let margin = slack * (1.0 + plane.normal_error * (0.125 / f64::ROUNDING));
    let mut corners = [SupportPair::default(); 3];
    for (slot, pair) in corners.iter_mut().zip(polytope.pairs(facet)) {
        *slot = *pair;
    }
    let corners = &corners[..V::DIM];
    let normal = plane.unit_normal();
    let (a, b): (OfBody<V>, OfBody<V>) = ((|p| p.ids[0], |p| p.a), (|p| p.ids[1], |p| p.b));
    let ids = [
        highest(&difference.a, corners, a, (normal, margin), || {
            polytope.normal(facet)
        }),
        highest(&difference.b, corners, b, (-normal, margin), || {
            -polytope.normal(facet)
        }),
    ];
    (ids != corners[0].ids).then_some(ids)
}

/// A body's id and point of a pair.
type OfBody<V> = (fn(&SupportPair<V>) -> u32, fn(&SupportPair<V>) -> V);

/// A vertex of the body that is highest along the formula: that of the first corner if none is strictly higher.
fn highest<V: Vector64, S: Support<V>>(
    body: &S,
    corners: &[SupportPair<V>],
    (id, point): OfBody<V>,
    (direction, margin): (V, f64),
    formula: impl Fn() -> SymbolicDirection,
) -> u32 {
    let first = id(&corners[0]);
    let mut best = (first, point(&corners[0]).to_f64());
    let known_to_be_level = chained(corners);
    let mut normal = None;
    let mut visit = |candidate: u32| {
        if candidate == best.0
            || (known_to_be_level && corners.iter().any(|pair| id(pair) == candidate))
        {
            return;
        }
        let Some(p) = body.vertex(candidate).map(V::to_f64) else {
            return;
        };
        let normal = normal.get_or_insert_with(&formula);
        if p != best.1
            && AdaptiveSigns::default()
                .sign(normal, &Operand::Points(p, best.1))
                .is_gt()
        {
            best = (candidate, p);
        }
    };
    body.vertices_near(direction, first, margin, &mut visit);
    best.0
}

/// True when the facet's points of A are all at one height along its normal, and those of B too, by construction.
///
/// Two corners that share their point of A are level, so their points of B are at one height; and likewise the other way. A
/// chain of such links through all corners does it.
fn chained<V: Vector64>(corners: &[SupportPair<V>]) -> bool {
    let linked = |p: usize, q: usize| {
        let ([a, b], [c, d]) = (corners[p].ids, corners[q].ids);
        a == c || b == d
    };
    if V::DIM == 2 {
        return linked(0, 1);
    }
    usize::from(linked(0, 1)) + usize::from(linked(1, 2)) + usize::from(linked(2, 0)) >= 2
}
