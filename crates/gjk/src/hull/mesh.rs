//! Polygon meshes as files hold them: welding, edges, counts and volume. Nothing here requires convexity.

use super::cloud::{Cloud, compare_points};
use crate::math::triple::{cross, dot, subtract};
use alloc::vec::Vec;

/// What an audit of a mesh wants to know before any geometry. Vertices at exactly equal positions count as one in all
/// but `duplicate_vertices`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshStats {
    /// Vertices whose position an earlier vertex has.
    pub duplicate_vertices: usize,
    /// Positions that no face uses.
    pub unused_vertices: usize,
    /// Faces with fewer than three corners, a corner that does not exist or one that is not finite. They count in
    /// nothing else.
    pub invalid_faces: usize,
    /// Faces of exactly zero area: all corners on one line.
    pub degenerate_faces: usize,
    /// Edges of the mesh, undirected.
    pub edges: usize,
    /// Edges of one face only: the mesh is not closed there.
    pub open_edges: usize,
    /// Edges of three or more faces.
    pub nonmanifold_edges: usize,
    /// Edges of two faces that run them the same way: the faces disagree on inside and outside.
    pub misoriented_edges: usize,
}

/// Counts the defects of a polygon mesh, exactly.
///
/// Shapes: `vertices` is `[n]`, `faces` are rings of indices into it; anything may be wrong with them.
/// # Errors      none: what is wrong is counted. Vertices beyond 2³¹ − 1 count as missing.   # Panics  never.
/// # Complexity  O((n + m) log(n + m)) for m corners.
#[must_use]
pub fn mesh_stats(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> MeshStats {
    let vertices = &vertices[..vertices.len().min((u32::MAX / 2) as usize)];
    let first = weld(vertices);
    let is_finite = |i: &u32| {
        vertices
            .get(*i as usize)
            .is_some_and(|p| p.iter().all(|x| x.is_finite()))
    };
    let valid: Vec<&Vec<u32>> = faces
        .iter()
        .filter(|ring| ring.len() >= 3 && ring.iter().all(is_finite))
        .collect();
    let mut used = alloc::vec![false; vertices.len()];
    let rings: Vec<Vec<u32>> = valid.iter().map(|ring| welded_ring(ring, &first)).collect();
    for &i in valid.iter().copied().flatten() {
        used[first[i as usize] as usize] = true;
    }
    let is_first = |i: &usize| first[*i] as usize == *i;
    let mut stats = MeshStats {
        duplicate_vertices: (0..vertices.len()).filter(|i| !is_first(i)).count(),
        unused_vertices: (0..vertices.len())
            .filter(|i| is_first(i) && !used[*i])
            .count(),
        invalid_faces: faces.len() - valid.len(),
        ..MeshStats::default()
    };
    let finite: Vec<[f64; 3]> = vertices
        .iter()
        .map(|p| {
            if p.iter().all(|x| x.is_finite()) {
                *p
            } else {
                [0.0; 3]
            }
        })
        .collect();
    if let Ok(cloud) = Cloud::new(&finite) {
        stats.degenerate_faces = rings
            .iter()
            .filter(|ring| independent(&cloud, ring).is_none())
            .count();
    }
    for uses in sorted_edges(&rings).chunk_by(|a, b| a.ends == b.ends) {
        stats.edges += 1;
        match EdgeKind::of(uses) {
            EdgeKind::Shared => {}
            EdgeKind::Open => stats.open_edges += 1,
            EdgeKind::Misoriented => stats.misoriented_edges += 1,
            EdgeKind::Nonmanifold => stats.nonmanifold_edges += 1,
        }
    }
    stats
}

/// Returns the volume that a closed mesh encloses, by the divergence theorem about one of its vertices.
///
/// Sign: positive when the faces are counter-clockwise seen from outside.  Units: the caller's, cubed.
/// # Accuracy    a float sum; for a convex mesh all terms have one sign, so its error is a few roundings per face,
/// relative to the result and the vertices' own size. A mesh that is not closed has no volume, and a number without
/// meaning comes out. Infinite or NaN if a product overflows.
/// # Panics      never; faces with a corner that does not exist count as empty.
/// # Examples
/// ```
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 6.0]];
/// let faces = [vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]];
/// assert_eq!(gjk::hull::mesh_volume(&corners, &faces), 1.0);
/// ```
#[must_use]
pub fn mesh_volume(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> f64 {
    let at = |i: u32| vertices.get(i as usize).copied();
    let Some(origin) = faces.iter().flatten().find_map(|&i| at(i)) else {
        return 0.0;
    };
    let mut six_volumes = 0.0;
    for ring in faces {
        let corners: Option<Vec<[f64; 3]>> = ring
            .iter()
            .map(|&i| at(i).map(|p| subtract(p, origin)))
            .collect();
        let Some(corners) = corners else { continue };
        let Some((&apex, rest)) = corners.split_first() else {
            continue;
        };
        for pair in rest.windows(2) {
            six_volumes += dot(apex, cross(pair[0], pair[1]));
        }
    }
    six_volumes / 6.0
}

/// For each vertex the lowest index at the same position.
pub(super) fn weld(vertices: &[[f64; 3]]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let compare = |i: u32, j: u32| compare_points(&vertices[i as usize], &vertices[j as usize]);
    order.sort_unstable_by(|&i, &j| compare(i, j).then(i.cmp(&j)));
    let mut first = alloc::vec![0; vertices.len()];
    for same in order.chunk_by(|&i, &j| compare(i, j).is_eq()) {
        for &i in same {
            first[i as usize] = same[0];
        }
    }
    first
}

/// A ring over welded vertices, without the edges that welding shrank to points. Its indices must exist.
pub(super) fn welded_ring(ring: &[u32], first: &[u32]) -> Vec<u32> {
    let mut welded: Vec<u32> = ring.iter().map(|&i| first[i as usize]).collect();
    welded.dedup();
    while welded.len() > 1 && welded.first() == welded.last() {
        welded.pop();
    }
    welded
}

/// Three corners of a ring that are not on one line, the first two being neighbours; `None` for a face without area.
pub(super) fn independent(cloud: &Cloud<'_, 3>, ring: &[u32]) -> Option<[u32; 3]> {
    let &[a, b, ref rest @ ..] = ring else {
        return None;
    };
    rest.iter()
        .find(|&&c| !cloud.collinear(a, b, c))
        .map(|&c| [a, b, c])
}

/// One face's use of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeUse {
    /// The edge's ends, lower index first.
    pub(super) ends: [u32; 2],
    /// Whether the face runs it from the higher to the lower index.
    pub(super) backward: bool,
    pub(super) face: u32,
}

/// All uses of all edges; those of one edge are adjacent. A ring that welding left with two vertices runs their edge
/// both ways, which cancels, so it has none.
pub(super) fn sorted_edges(rings: &[Vec<u32>]) -> Vec<EdgeUse> {
    let mut uses = Vec::with_capacity(rings.iter().map(Vec::len).sum());
    for (face, ring) in rings.iter().enumerate().filter(|(_, ring)| ring.len() >= 3) {
        for (k, &a) in ring.iter().enumerate() {
            let b = ring[(k + 1) % ring.len()];
            uses.push(EdgeUse {
                ends: [a.min(b), a.max(b)],
                backward: a > b,
                face: face as u32,
            });
        }
    }
    uses.sort_unstable();
    uses
}

/// What the uses of one edge say of the mesh.
pub(super) enum EdgeKind {
    Shared,
    Open,
    Misoriented,
    Nonmanifold,
}

impl EdgeKind {
    pub(super) fn of(uses: &[EdgeUse]) -> Self {
        match uses {
            [a, b] if a.backward != b.backward => Self::Shared,
            [_, _] => Self::Misoriented,
            [_] => Self::Open,
            _ => Self::Nonmanifold,
        }
    }
}
