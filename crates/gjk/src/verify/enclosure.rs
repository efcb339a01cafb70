//! Polytopes of pairs around the origin: the few that prove an overlap, and the many that prove its depth.

use super::error::VerifyError;
use super::integer::{Int3, cross, dot, is_zero, neg, sign, sub};
use super::number::Root;
use super::posed_vertices::PosedVertices;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The facet nearest the origin.
pub(super) struct NearestFacet {
    /// Its plane's distance.
    pub(super) distance: Root,
    /// Its outer normal.
    pub(super) normal: Int3,
}

impl NearestFacet {
    fn nearer(self, other: Self) -> Self {
        if other.distance.is_shorter(&self.distance) {
            other
        } else {
            self
        }
    }
}

/// Proves the origin strictly inside the hull of the pairs' differences; answers the hull's facet nearest the origin.
///
/// A plane through `dim` of the points with all others on one side, not all of them on it, carries a facet of a hull
/// with inner points, and every facet is found so. The origin is strictly inside if and only if there is such a plane
/// and it is strictly on the inner side of each.
pub(super) fn inside(
    cores: &PosedVertices,
    pairs: &[[u32; 2]],
) -> Result<NearestFacet, VerifyError> {
    let range = [cores.dim + 1, cores.dim + 3];
    if !(range[0]..=range[1]).contains(&pairs.len()) {
        return Err(VerifyError::PairCount {
            count: pairs.len(),
            range,
        });
    }
    let points = pairs
        .iter()
        .map(|&pair| cores.difference(pair))
        .collect::<Result<Vec<Int3>, _>>()?;
    let mut nearest: Option<NearestFacet> = None;
    for facet in subsets(points.len(), cores.dim) {
        let Some(normal) = outer_normal(cores.dim, &points, facet) else {
            continue;
        };
        let distance = inner_distance(cores, &normal, &points[facet[0]])
            .ok_or(VerifyError::PairsOutside { facet })?;
        let found = NearestFacet { distance, normal };
        nearest = Some(match nearest {
            Some(least) => least.nearer(found),
            None => found,
        });
    }
    nearest.ok_or(VerifyError::PairsFlat)
}

/// All choices of three of `n` positions; in 2D of two, the second repeated.
fn subsets(n: usize, dim: usize) -> impl Iterator<Item = [usize; 3]> {
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
    pairs.flat_map(move |(i, j)| {
        (if dim == 2 { j..j + 1 } else { j + 1..n }).map(move |k| [i, j, k])
    })
}

/// The outer normal of the plane through three points if all others are on one side of it, not all on it.
fn outer_normal(dim: usize, points: &[Int3], facet: [usize; 3]) -> Option<Int3> {
    let normal = normal(dim, facet.map(|at| &points[at]));
    let mut outer = None;
    for point in points {
        let side = sign(&dot(&normal, &sub(point, &points[facet[0]])));
        if side != Ordering::Equal && *outer.get_or_insert(side) != side {
            return None;
        }
    }
    match outer? {
        Ordering::Less => Some(normal),
        _ => Some(neg(&normal)),
    }
}

/// The normal of an edge (2D) or a triangle (3D), outward when it is counter-clockwise from outside.
fn normal(dim: usize, [a, b, c]: [&Int3; 3]) -> Int3 {
    let edge = sub(b, a);
    if dim == 2 {
        let [x, y, z] = edge;
        [y, -x, z]
    } else {
        cross(&edge, &sub(c, a))
    }
}

/// How far the origin is inside a plane; `None` unless it is strictly inside.
fn inner_distance(cores: &PosedVertices, normal: &Int3, point: &Int3) -> Option<Root> {
    let offset = dot(normal, point);
    let inside = !is_zero(normal) && sign(&offset) == Ordering::Greater;
    inside.then(|| Root::height(&offset, normal, cores.grid))
}

/// Proves that the origin is deep inside the difference of the cores; answers the facet that says how deep at least.
///
/// The facets must be a closed surface, each with the origin strictly on its inner side. Why that proves the distance
/// `r` of the nearest facet's plane to be a depth: the open ball of radius `r` about the origin meets no plane of a
/// facet, so no facet; the number of times that the surface winds around a point is therefore the same all over the ball.
/// At the origin it is the sum of the facets' solid angles over the full one, every angle is positive, and the surface is
/// closed, so the number is a whole one and at least 1. Around a point outside the hull of its vertices no surface winds.
/// Hence the ball is in that hull, and the hull is in the difference of the cores.
pub(super) fn surface(
    cores: &PosedVertices,
    facets: &[[[u32; 2]; 3]],
) -> Result<NearestFacet, VerifyError> {
    closed(cores.dim, facets)?;
    let mut nearest: Option<NearestFacet> = None;
    for (facet, pairs) in facets.iter().enumerate() {
        let [a, b, c] = [
            cores.difference(pairs[0])?,
            cores.difference(pairs[1])?,
            cores.difference(pairs[2])?,
        ];
        let normal = normal(cores.dim, [&a, &b, &c]);
        let distance =
            inner_distance(cores, &normal, &a).ok_or(VerifyError::FacetOutside { facet })?;
        let found = NearestFacet { distance, normal };
        nearest = Some(match nearest {
            Some(least) => least.nearer(found),
            None => found,
        });
    }
    nearest.ok_or(VerifyError::PairsFlat)
}

type VertexPair = [u32; 2];

/// Every directed edge of the triangles appears once, and so does its opposite; in 2D every vertex is once the first of an
/// edge and once the second.
pub(super) fn closed(dim: usize, facets: &[[VertexPair; 3]]) -> Result<(), VerifyError> {
    let (mut ahead, mut back): (Vec<[VertexPair; 2]>, Vec<[VertexPair; 2]>) = if dim == 2 {
        if let Some(facet) = facets.iter().position(|[_, b, c]| b != c) {
            return Err(VerifyError::FacetShape { facet });
        }
        (
            facets.iter().map(|&[a, _, _]| [a, a]).collect(),
            facets.iter().map(|&[_, b, _]| [b, b]).collect(),
        )
    } else {
        let edges = facets
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        edges.map(|[u, v]| ([u, v], [v, u])).unzip()
    };
    ahead.sort_unstable();
    back.sort_unstable();
    let double = ahead
        .windows(2)
        .find(|pair| pair[0] == pair[1])
        .map(|pair| pair[0]);
    let unmatched = || {
        let at = ahead.iter().zip(&back).find(|(x, y)| x != y);
        at.map(|(x, y)| *x.min(y))
    };
    match double.or_else(unmatched) {
        Some([from, to]) => Err(VerifyError::FacetsOpen { from, to }),
        None => Ok(()),
    }
}
