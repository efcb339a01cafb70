//! From the triangulated surface to facets: coplanar triangles become one polygon, and only true corners stay.
//!
//! Idea: an edge is true when the two triangles at it are not coplanar. In a weakly convex surface a point with no
//! true edge is inside a facet, with two it is inside an edge, and with three or more it is a corner; so counting
//! replaces any test of collinearity.

use super::cloud::Cloud;
use super::triangle::HullTriangle;
use alloc::vec::Vec;

/// The boundary of a convex polyhedron, by indices into the points it was built from.
///
/// The answer is canonical: it does not depend on the order in which points were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HullMesh {
    /// The corners, ascending: every one is a strict extreme point.
    pub vertices: Vec<u32>,
    /// One strictly convex polygon a facet, counter-clockwise seen from outside, lowest index first; sorted.
    pub faces: Vec<Vec<u32>>,
    /// The edges of the polyhedron.
    pub neighbours: Neighbours,
}

/// For each corner the corners at the other ends of its edges, as positions in [`HullMesh::vertices`], ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Where each corner's part of `targets` begins; one more entry ends the last part.
    pub offsets: Vec<u32>,
    /// The parts, one after another.
    pub targets: Vec<u32>,
}

impl Neighbours {
    /// The neighbours of the corner at a position in [`HullMesh::vertices`]; none for a position beyond the end.
    #[must_use]
    pub fn of(&self, position: usize) -> &[u32] {
        let bounds = self
            .offsets
            .get(position)
            .zip(self.offsets.get(position + 1));
        bounds
            .and_then(|(&from, &to)| self.targets.get(from as usize..to as usize))
            .unwrap_or(&[])
    }
}

impl HullMesh {
    /// The number of edges of the polyhedron.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.neighbours.targets.len() / 2
    }
}

/// A directed edge: triangle and slot.
type Edge = (u32, usize);

/// Merges coplanar triangles of a closed, outward, weakly convex surface.
pub(super) fn merge(cloud: &Cloud<'_, 3>, triangles: &[HullTriangle]) -> HullMesh {
    let mut is_true: Vec<[bool; 3]> = triangles
        .iter()
        .map(|t| fold_edges(cloud, triangles, t))
        .collect();
    let mut degree = alloc::vec![0_u32; cloud.points.len()];
    for (triangle, flags) in triangles.iter().zip(&is_true) {
        for k in (0..3).filter(|&k| flags[k]) {
            degree[triangle.corners[k] as usize] += 1;
        }
    }
    let mut faces = Vec::new();
    for id in 0..triangles.len() as u32 {
        for k in 0..3 {
            if is_true[id as usize][k] {
                faces.push(ring(triangles, &mut is_true, &degree, (id, k)));
            }
        }
    }
    faces.sort_unstable();
    let vertices: Vec<u32> = (0..cloud.len())
        .filter(|&i| degree[i as usize] >= 3)
        .collect();
    let neighbours = neighbours(&vertices, &faces, degree);
    HullMesh {
        vertices,
        faces,
        neighbours,
    }
}

/// Which edges of a triangle are true: the neighbour's far corner is off the triangle's plane.
fn fold_edges(cloud: &Cloud<'_, 3>, triangles: &[HullTriangle], t: &HullTriangle) -> [bool; 3] {
    core::array::from_fn(|k| {
        if !t.live {
            return false;
        }
        let other = &triangles[t.across[k] as usize];
        let (from, to) = (t.corners[k], t.corners[(k + 1) % 3]);
        let far = other
            .corners
            .into_iter()
            .find(|&i| i != from && i != to)
            .unwrap_or(from);
        t.side(cloud, far).is_ne()
    })
}

/// Walks the boundary of the facet that has the true edge `start`, clears the true edges it uses, and keeps the
/// corners.
fn ring(
    triangles: &[HullTriangle],
    is_true: &mut [[bool; 3]],
    degree: &[u32],
    start: Edge,
) -> Vec<u32> {
    let mut ring = Vec::new();
    let (mut id, mut k) = start;
    while is_true[id as usize][k] {
        is_true[id as usize][k] = false;
        let corner = triangles[id as usize].corners[k];
        if degree[corner as usize] >= 3 {
            ring.push(corner);
        }
        (id, k) = following(triangles, is_true, start, (id, k));
    }
    let lowest = ring
        .iter()
        .enumerate()
        .min_by_key(|&(_, i)| i)
        .map_or(0, |(at, _)| at);
    ring.rotate_left(lowest);
    ring
}

/// The next true edge of the same facet: turn about the end of `edge` through the facet's triangles until one comes.
fn following(triangles: &[HullTriangle], is_true: &[[bool; 3]], start: Edge, edge: Edge) -> Edge {
    let (mut id, mut k) = (edge.0, (edge.1 + 1) % 3);
    let pivot = triangles[id as usize].corners[k];
    while !is_true[id as usize][k] && (id, k) != start {
        id = triangles[id as usize].across[k];
        // `pivot` ends the edge as the neighbour runs it, so it starts the neighbour's next edge.
        k = triangles[id as usize]
            .corners
            .iter()
            .position(|&i| i == pivot)
            .unwrap_or(0);
        if id == edge.0 {
            return start; // unreachable while both triangles agree on an edge; a full turn must not go on
        }
    }
    (id, k)
}

/// Counting sort of the directed edges by their start; each edge is run once either way, by its two facets.
fn neighbours(vertices: &[u32], faces: &[Vec<u32>], mut position: Vec<u32>) -> Neighbours {
    for (at, &i) in vertices.iter().enumerate() {
        position[i as usize] = at as u32;
    }
    let edges = || {
        faces.iter().flat_map(|ring| {
            let after = ring.iter().cycle().skip(1);
            ring.iter()
                .zip(after)
                .map(|(&a, &b)| (position[a as usize] as usize, position[b as usize]))
        })
    };
    let mut offsets = alloc::vec![0_u32; vertices.len() + 1];
    for (a, _) in edges() {
        offsets[a + 1] += 1;
    }
    for k in 1..offsets.len() {
        offsets[k] += offsets[k - 1];
    }
    let mut targets = alloc::vec![0_u32; offsets[vertices.len()] as usize];
    let mut cursor = offsets.clone();
    for (a, b) in edges() {
        targets[cursor[a] as usize] = b;
        cursor[a] += 1;
    }
    for part in offsets.windows(2) {
        targets[part[0] as usize..part[1] as usize].sort_unstable();
    }
    Neighbours { offsets, targets }
}
