//! Which triangles have each edge and each vertex.
//!
//! Where it sits: built by [`crate::TriMesh`] when first needed, once. Rays ask which triangles contain a point of an edge, manifolds what
//! lies on either side of it.

use crate::by_vertex;
use crate::shells::{EdgeUse, edge_uses};

/// The edges and vertices of a mesh with their triangles.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    /// Those of one edge in a row.
    uses: Vec<EdgeUse>,
    /// Where the uses of each edge begin, and where the last ones end.
    starts: Vec<u32>,
    /// The edges of each triangle; edge `k` begins at corner `k`.
    edges_of: Vec<[u32; 3]>,
    /// A vertex and a triangle that has it, in order.
    corners: Vec<(u32, u32)>,
}

impl Topology {
    /// # Complexity  O(n) where vertices have few edges.
    pub(crate) fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let uses = edge_uses(triangles, vertices);
        let mut starts = Vec::with_capacity(uses.len() / 2 + 2);
        let mut edges_of = vec![[0; 3]; triangles.len()];
        let mut at = 0;
        for same in uses.chunk_by(|a, b| a.0 == b.0) {
            for &(edge, _, triangle) in same {
                let ring = triangles[triangle as usize];
                for k in 0..3 {
                    if ordered([ring[k], ring[(k + 1) % 3]]) == edge {
                        edges_of[triangle as usize][k] = starts.len() as u32;
                    }
                }
            }
            starts.push(at);
            at += same.len() as u32;
        }
        starts.push(at);
        let items = || {
            let each = (0..).zip(triangles);
            each.flat_map(|(number, ring)| ring.map(|vertex| (vertex, number)))
        };
        Self {
            uses,
            starts,
            edges_of,
            corners: by_vertex::sorted(items, vertices, |corner| corner.0),
        }
    }

    /// How many edges there are.
    pub(crate) fn edges(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The edges of a triangle.
    pub(crate) fn edges_of(&self, triangle: u32) -> [u32; 3] {
        self.edges_of[triangle as usize]
    }

    /// The uses of an edge.
    pub(crate) fn uses(&self, edge: u32) -> &[EdgeUse] {
        let [start, end] = [edge, edge + 1].map(|k| self.starts[k as usize] as usize);
        &self.uses[start..end]
    }

    /// The vertices of an edge, the lower first.
    pub(crate) fn ends(&self, edge: u32) -> [u32; 2] {
        self.uses(edge)[0].0
    }

    /// The triangles that have a vertex.
    pub(crate) fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.corners.partition_point(|corner| corner.0 < vertex);
        let rest = self.corners[start..].iter();
        rest.take_while(move |corner| corner.0 == vertex)
            .map(|corner| corner.1)
    }
}

/// An edge by its vertices, the lower first.
pub(crate) fn ordered([from, to]: [u32; 2]) -> [u32; 2] {
    [from.min(to), from.max(to)]
}
