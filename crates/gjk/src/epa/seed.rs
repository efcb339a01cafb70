//! From any vertices of the difference to a full simplex.
//!
//! GJK often ends with the origin on a point, an edge or a triangle (boxes nearly always on an edge). The missing
//! vertices are supports along directions orthogonal to what there is. If none leaves the span, the difference is flat.

use crate::math::{Ring, Scalar, Vector};
use crate::support::{MinkowskiDifference, Support, SupportPair};

/// `DIM + 1` affinely independent vertices (the rest of the array is unused), preferring those offered.
pub fn full_simplex<V: Vector, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    offered: &[SupportPair<V>],
) -> Option<[SupportPair<V>; 4]> {
    let first = offered.first().copied().unwrap_or_else(|| difference.support_pair(V::axis(0)));
    let mut simplex = [first; 4];
    let second = |p: &SupportPair<V>| (p.w - first.w).norm_squared();
    simplex[1] = best(offered, second)
        .or_else(|| best(&both_ways(difference, &[V::axis(0), V::axis(1), V::axis(2)][..V::DIM]), second))?;
    let edge = simplex[1].w - first.w;
    let scale = edge.norm_squared();
    if V::DIM == 3 {
        let third = |p: &SupportPair<V>| {
            let x = p.w - first.w;
            (x * scale - edge * x.dot(edge)).norm_squared()
        };
        let u = edge.perpendicular();
        let v = V::facet_normal(&[V::ZERO, edge, u]);
        // Offered vertices in line with the edge measure as noise, so the supports take part in the choice.
        let supports = both_ways(difference, &[u, v]);
        let candidates = [best(offered, third), best(&supports, third)].map(|p| p.unwrap_or(first));
        simplex[2] = best(&candidates, third)?;
    }
    let facet = simplex.map(|p| p.w);
    let last = |p: &SupportPair<V>| {
        let side = V::side(&facet[..V::DIM], p.w);
        V::Scalar::from_f64(if side < 0.0 { -side } else { side })
    };
    let n = V::facet_normal(&facet[..V::DIM]);
    simplex[V::DIM] = best(offered, last).or_else(|| best(&both_ways(difference, &[n]), last))?;
    Some(simplex)
}

/// Supports along each direction and against it.
fn both_ways<V: Vector, A: Support<V>, B: Support<V>>(
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
fn best<V: Vector>(
    candidates: &[SupportPair<V>],
    measure: impl Fn(&SupportPair<V>) -> V::Scalar,
) -> Option<SupportPair<V>> {
    let mut best: Option<(V::Scalar, SupportPair<V>)> = None;
    for pair in candidates {
        let value = measure(pair);
        if value > best.map_or(V::Scalar::ZERO, |(b, _)| b) {
            best = Some((value, *pair));
        }
    }
    best.map(|(_, pair)| pair)
}
