//! The nearest two vertices at open edges: where a gap may be meant to be closed.
//!
//! Idea: vertices are welded by their bits alone, so that two which differ in the last one leave edges open that look closed. The
//! distance of the nearest two tells whether that is the case. It is a hint for people, in floats; nothing is decided by it.

use crate::TriMesh;
use crate::shells::edge_uses;
use rstar::RTree;
use rstar::primitives::GeomWithData;

/// Two vertices at open edges, and how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearVertices {
    /// Their numbers in [`TriMesh::vertices`].
    pub vertices: [u32; 2],
    /// Their distance, to some roundings.
    pub distance: f64,
}

impl TriMesh {
    /// The nearest two vertices at open edges, which no edge connects; `None` where there are none.
    ///
    /// # Complexity  O(n log n) where vertices have few edges.
    pub fn nearest_open_vertices(&self) -> Option<NearVertices> {
        let uses = edge_uses(self.triangles(), self.vertices().len());
        let mut edges: Vec<[u32; 2]> = uses.iter().map(|edge| edge.0).collect();
        let open = uses
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|same| same.len() == 1);
        let mut ends: Vec<u32> = open.flat_map(|same| same[0].0).collect();
        edges.dedup();
        ends.sort_unstable();
        ends.dedup();
        let place = |&k: &u32| GeomWithData::new(self.vertices()[k as usize], k);
        let tree = RTree::bulk_load(ends.iter().map(place).collect());
        let near = |&k: &u32| {
            let at = self.vertices()[k as usize];
            // Edges of a vertex are few: its nearest stranger comes soon.
            let stranger = tree.nearest_neighbor_iter(&at).find(|other| {
                let pair = [k.min(other.data), k.max(other.data)];
                pair[0] != pair[1] && edges.binary_search(&pair).is_err()
            })?;
            let apart = (0..3).map(|axis| at[axis] - stranger.geom()[axis]);
            let distance = apart.fold(0.0, |length: f64, x| length.hypot(x));
            let vertices = [k.min(stranger.data), k.max(stranger.data)];
            Some(NearVertices { vertices, distance })
        };
        let nearest = ends.iter().filter_map(near);
        nearest.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}
