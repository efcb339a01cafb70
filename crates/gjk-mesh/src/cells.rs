//! The points at which features of two bodies meet, and which triangles contain each of them.
//!
//! Idea: where two surfaces meet they do so in points, segments and areas, whose corners are vertices of one body on the other, or
//! edges that cross. Each corner is told by what makes it, so that no point is computed: a vertex by its place, a crossing by its
//! two edges. All triangles of a shell that does not meet itself which contain the point have that vertex or edge; where a piece may meet
//! itself, the others are looked for.

use crate::boxes::Box3;
use crate::cone::Star;
use crate::in_place::InPlace;
use crate::signs::{Point, Triangle, dropped, is_flat, side};
use crate::triangles::{Meeting, Place, edges_cross, nearest_on, place, place_of_crossing};
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

impl At {
    /// The two edges that cross here, or the vertex twice.
    fn edges(&self, meshes: [&InPlace<'_>; 2]) -> [[Point; 2]; 2] {
        match self {
            Self::Vertex(bits) => [[bits.map(f64::from_bits); 2]; 2],
            Self::Edges(ends) => [0, 1].map(|k| ends[k].map(|v| meshes[k].vertex(v))),
        }
    }

    /// Where on a triangle the point is, which is on both edges; `None` off it.
    fn place_on(&self, triangle: &Triangle, edges: [[Point; 2]; 2]) -> Option<Place> {
        let boxes = [Box3::of(triangle), Box3::of(&edges[0]), Box3::of(&edges[1])];
        if !boxes[0].meets(&boxes[1]) || !boxes[0].meets(&boxes[2]) {
            return None;
        }
        match self {
            Self::Vertex(_) => {
                let vertex = edges[0][0];
                let is_on_plane = side(triangle, vertex).is_eq();
                is_on_plane.then(|| place(triangle, dropped(triangle), vertex))?
            }
            Self::Edges(_) => {
                let is_off = |ends: &[Point; 2]| {
                    let [p, q] = ends.map(|end| side(triangle, end));
                    p.is_ne() && p == q
                };
                if edges.iter().any(is_off) {
                    return None;
                }
                place_of_crossing(triangle, edges[0], edges[1])
            }
        }
    }
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

    /// Adds to each point what else contains it of a piece of the body `k` that may meet itself, where neither a corner nor an edge that
    /// made the point is its own.
    pub(crate) fn complete(
        &mut self,
        k: usize,
        meshes: [&InPlace<'_>; 2],
        piece_of: impl Fn(u32) -> Option<u32>,
    ) {
        let mesh = meshes[k];
        for (key, containing) in &mut self.found {
            let edges = key.at.edges(meshes);
            mesh.near_segment(edges[k], &mut |triangle| {
                let is_known = containing[k].iter().any(|known| known.0 == triangle);
                if is_known || piece_of(triangle) != Some(key.pieces[k]) {
                    return;
                }
                let at = key.at.place_on(&mesh.corners(triangle), edges);
                containing[k].extend(at.map(|at| (triangle, at)));
            });
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

    /// What the bodies are there. Of a solid, triangles without an area bound nothing.
    pub(crate) fn stars(&self, meshes: [&InPlace<'_>; 2], solid: [bool; 2]) -> [Star; 2] {
        [0, 1].map(|k: usize| {
            let mut star = Star::default();
            for &(triangle, at) in &self.containing[k] {
                let corners = meshes[k].corners(triangle);
                if !is_flat(&corners) {
                    star.add(&corners, at);
                } else if !solid[k] {
                    star.add_segment(&corners, at);
                }
            }
            star
        })
    }

    /// The point, to the rounding of its coordinates.
    pub(crate) fn point(&self, meshes: [&InPlace<'_>; 2]) -> Point {
        let [e, f] = self.key.at.edges(meshes);
        match self.key.at {
            At::Vertex(_) => e[0],
            At::Edges(_) => nearest_on(e, f),
        }
    }
}

fn bits(point: Point) -> [u64; 3] {
    // Both zeros are one place.
    point.map(|x| (x + 0.0).to_bits())
}
