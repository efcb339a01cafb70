//! The points at which features of two bodies meet, and which triangles contain each of them.
//!
//! Idea: where two surfaces meet they do so in points, segments and areas, whose corners are vertices of one body on the other, or
//! edges that cross. Each corner is told by what makes it, so that no point is computed: a vertex by its place, a crossing by its
//! two edges.

use crate::cone::Star;
use crate::in_place::InPlace;
use crate::signs::{Point, Triangle};
use crate::triangles::{Meeting, Place, edges_cross, nearest_on, place};
use std::collections::BTreeMap;

/// A point at which two pieces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    pieces: [u32; 2],
    at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    /// A vertex of one of the bodies, by the bits of its coordinates.
    Vertex([u64; 3]),
    /// Where an edge of each crosses the other's, by their vertices.
    Edges([[u32; 2]; 2]),
}

/// The triangles of each body that contain a point, and where on them it is.
pub(crate) type Containing = [Vec<(u32, Place)>; 2];

/// All points at which features meet.
#[derive(Default)]
pub(crate) struct Cells {
    found: BTreeMap<Key, Containing>,
}

impl Cells {
    /// Adds the points of two triangles that meet so.
    pub(crate) fn add(
        &mut self,
        pieces: [u32; 2],
        meshes: [&InPlace<'_>; 2],
        triangles: [u32; 2],
        meeting: &Meeting,
    ) {
        let corners: [Triangle; 2] = [0, 1].map(|k| meshes[k].corners(triangles[k]));
        for k in 0..2 {
            let other = &corners[1 - k];
            for corner in (0..3).filter(|&i| meeting.over_other[k][i].is_eq()) {
                let vertex = corners[k][corner];
                let Some(on_other) = place(other, meeting.dropped[1 - k], vertex) else {
                    continue;
                };
                let mut places = [Place::Corner(corner), on_other];
                places.rotate_left(k);
                self.insert(pieces, At::Vertex(bits(vertex)), triangles, places);
            }
        }
        let edge = |k: usize, i: usize| [corners[k][i], corners[k][(i + 1) % 3]];
        let named = |k: usize, i: usize| {
            let ring = meshes[k].mesh.triangles()[triangles[k] as usize];
            let (u, v) = (ring[i], ring[(i + 1) % 3]);
            [u.min(v), u.max(v)]
        };
        // An edge meets the other's plane between its ends if these are on its two sides, or in it.
        let passes = |k: usize, i: usize| {
            let over = &meeting.over_other[k];
            over[i] == over[(i + 1) % 3].reverse()
        };
        for i in (0..3).filter(|&i| passes(0, i)) {
            for j in (0..3).filter(|&j| passes(1, j)) {
                if edges_cross(edge(0, i), edge(1, j)) {
                    let at = At::Edges([named(0, i), named(1, j)]);
                    self.insert(pieces, at, triangles, [Place::Edge(i), Place::Edge(j)]);
                }
            }
        }
    }

    fn insert(&mut self, pieces: [u32; 2], at: At, triangles: [u32; 2], places: [Place; 2]) {
        let containing = self.found.entry(Key { pieces, at }).or_default();
        for k in 0..2 {
            let entry = (triangles[k], places[k]);
            if !containing[k].contains(&entry) {
                containing[k].push(entry);
            }
        }
    }

    /// The points.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Found<'_>> {
        let found = self.found.iter();
        found.map(|(key, containing)| Found { key, containing })
    }
}

/// A point at which two pieces meet, and the triangles there.
#[derive(Clone, Copy)]
pub(crate) struct Found<'c> {
    key: &'c Key,
    /// Of each body, with the place of the point.
    pub(crate) containing: &'c Containing,
}

impl Found<'_> {
    pub(crate) fn pieces(&self) -> [u32; 2] {
        self.key.pieces
    }

    /// A triangle of each body.
    pub(crate) fn first(&self) -> [u32; 2] {
        [0, 1].map(|k| self.containing[k][0].0)
    }

    /// What the bodies are there.
    pub(crate) fn stars(&self, meshes: [&InPlace<'_>; 2]) -> [Star; 2] {
        [0, 1].map(|k| {
            let mut star = Star::default();
            for &(triangle, at) in &self.containing[k] {
                star.add(&meshes[k].corners(triangle), at);
            }
            star
        })
    }

    /// The point, to the rounding of its coordinates.
    pub(crate) fn point(&self, meshes: [&InPlace<'_>; 2]) -> Point {
        match self.key.at {
            At::Vertex(bits) => bits.map(f64::from_bits),
            At::Edges(ends) => {
                let [e, f] = [0, 1].map(|k| ends[k].map(|v| meshes[k].vertex(v)));
                nearest_on(e, f)
            }
        }
    }
}

fn bits(point: Point) -> [u64; 3] {
    // Both zeros are one place.
    point.map(|x| (x + 0.0).to_bits())
}
