//! The exact side of a vertex of the difference of a facet's plane.
//!
//! Where it sits: [`super::polytope`] asks it of every facet that a new vertex may see. Read [`side`] first.
//! Idea: floats know it but for points within the bound that [`super::plane`] derives. Of those most are the fourth corner of a
//! quadrilateral of the difference, which ids tell; the rest is asked of `gjk-exact`.

use super::plane::Plane;
use super::polytope::Apex;
use crate::math::Vector;
use crate::support::{NO_ID, SupportPair};
use core::cmp::Ordering::{self, Equal};
use gjk_exact::{AdaptiveSigns, Operand, SignOracle, measure};

/// The vertices of a facet for exact signs; in the plane the third repeats the second.
#[cold]
pub(super) fn corners<V: Vector>(
    pairs: &[SupportPair<V>],
    vertices: [u16; 3],
) -> [gjk_exact::Vertex; 3] {
    let corner = |k: usize| pairs[vertices[k] as usize].exact();
    [corner(0), corner(1), corner(V::DIM - 1)]
}

/// The exact side of the apex; floats know it but for points within their bound of the plane.
#[inline(always)]
pub(super) fn side<V: Vector>(
    plane: &Plane<V::Wide>,
    vertices: [u16; 3],
    pairs: &[SupportPair<V>],
    apex: &Apex<'_, V>,
) -> Ordering {
    plane
        .side(apex.w, apex.bound)
        .unwrap_or_else(|| exact_side(vertices, pairs, apex))
}

#[cold]
pub(super) fn exact_side<V: Vector>(
    vertices: [u16; 3],
    pairs: &[SupportPair<V>],
    apex: &Apex<'_, V>,
) -> Ordering {
    if V::DIM == 3 && parallelogram(vertices.map(|v| pairs[v as usize].ids), apex.pair.ids) {
        return Equal;
    }
    let corners = corners(pairs, vertices);
    let x = apex.pair.exact();
    if corners.contains(&x) {
        return Equal;
    }
    let normal = measure::normal(V::DIM, &corners[..V::DIM]);
    AdaptiveSigns::default().sign(&normal, &Operand::Between(corners[0], x))
}

/// True when the four differences are those of two points of A and two of B: `a − b`, `a′ − b`, `a − b′` and `a′ − b′` are in
/// a plane.
fn parallelogram([p, q, r]: [[u32; 2]; 3], x: [u32; 2]) -> bool {
    // Across from `x` is what shares neither point with it; the others share one each.
    let joined = |across: [u32; 2], y: [u32; 2], z: [u32; 2]| {
        let both = |y: [u32; 2], z: [u32; 2]| y == [across[0], x[1]] && z == [x[0], across[1]];
        across[0] != x[0] && across[1] != x[1] && (both(y, z) || both(z, y))
    };
    let numbered = [p, q, r, x].iter().all(|ids| !ids.contains(&NO_ID));
    numbered && (joined(p, q, r) || joined(q, r, p) || joined(r, p, q))
}
