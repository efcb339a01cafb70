//! Any vertices of the difference completed to a full simplex.
//!
//! Where it sits: the loop in [`super`] calls it where GJK's simplex does not enclose the origin as it is. Read [`full_simplex`].
//! Idea: GJK often ends with the origin on a point, an edge or a triangle (boxes nearly always on an edge). The missing
//! vertices are supports along directions orthogonal to what there is. If none leaves the span, the difference is flat.

use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, Support, SupportPair};
use gjk_exact::{AdaptiveSigns, Operand, SignOracle, Vertex, measure};

/// `DIM + 1` affinely independent vertices (the rest of the array is unused), preferring those offered.
pub(super) fn full_simplex<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    offered: &[SupportPair<V>],
) -> Option<[SupportPair<V>; 4]> {
    let first = offered
        .first()
        .copied()
        .unwrap_or_else(|| difference.support_pair(V::axis(0)));
    let mut simplex = [first; 4];
    let second = |p: &SupportPair<V>| (p.w - first.w).norm_squared();
    simplex[1] = best(offered, second).or_else(|| {
        best(
            &both_ways(difference, &[V::axis(0), V::axis(1), V::axis(2)][..V::DIM]),
            second,
        )
    })?;
    let edge = simplex[1].w - first.w;
    let scale = edge.norm_squared();
    if V::DIM == 3 {
        let line = [first.exact(), simplex[1].exact()];
        let third = |p: &SupportPair<V>| {
            let x = p.w - first.w;
            let area = (x * scale - edge * x.dot(edge)).norm_squared();
            // The area of vertices exactly in line with the edge is rounding alone.
            if in_line(line, p.exact()) {
                0.0
            } else {
                Scalar::max(area, f64::TINIEST)
            }
        };
        let u = edge.perpendicular();
        let v = V::facet_normal(&[V::ZERO, edge, u]);
        let supports = both_ways(difference, &[u, v]);
        let candidates = [best(offered, third), best(&supports, third)].map(|p| p.unwrap_or(first));
        simplex[2] = best(&candidates, third)?;
    }
    let base = simplex.map(|p| p.exact());
    let normal = measure::normal(V::DIM, &base[..V::DIM]);
    let plane = measure::plane(V::DIM, &base[..V::DIM]);
    let n = V::from_f64(plane.normal);
    let ladder = AdaptiveSigns::default();
    // Measured in floats, but never zero for a vertex that is out of the plane.
    let last = |p: &SupportPair<V>| {
        let out = ladder
            .sign(&normal, &Operand::Between(base[0], p.exact()))
            .is_ne();
        if out {
            Scalar::max(f64::abs(n.dot(p.w - first.w)), f64::TINIEST)
        } else {
            0.0
        }
    };
    simplex[V::DIM] = best(offered, last).or_else(|| best(&both_ways(difference, &[n]), last))?;
    Some(simplex)
}

/// True when three vertices are exactly in one line.
fn in_line([a, b]: [Vertex; 2], c: Vertex) -> bool {
    let ladder = AdaptiveSigns::default();
    let normal = measure::normal(3, &[a, b, c]);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    axes.into_iter().all(|axis| {
        ladder
            .sign(&normal, &Operand::Points(axis, [0.0; 3]))
            .is_eq()
    })
}

/// Supports along each direction and against it.
fn both_ways<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    directions: &[V],
) -> [SupportPair<V>; 6] {
    let mut found = [SupportPair::default(); 6];
    for (slot, pair) in found.iter_mut().enumerate() {
        let d = directions[(slot / 2) % directions.len()];
        *pair = difference.support_pair(if slot % 2 == 0 { d } else { -d });
    }
    found
}

/// The candidate with the largest positive measure.
fn best<V: Vector64>(
    candidates: &[SupportPair<V>],
    measure: impl Fn(&SupportPair<V>) -> f64,
) -> Option<SupportPair<V>> {
    let mut best: Option<(f64, SupportPair<V>)> = None;
    for pair in candidates {
        let value = measure(pair);
        if value > best.map_or(0.0, |(b, _)| b) {
            best = Some((value, *pair));
        }
    }
    best.map(|(_, pair)| pair)
}
