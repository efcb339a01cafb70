//! What meets where a line crosses a facet: a vertex, an edge, or the face's ring, of each body.
//!
//! Idea: the facet of the difference is the difference of two faces, one of each body, and so is each of its edges. The edges are along those of
//! the two faces. Where the line crosses an edge of the facet, only the parts of the faces that make that edge meet; at a vertex two edges say so.
//! Without one coordinate along which a face is not upright it is a polygon of the plane, so its ring is found by the signs of turns there.

use super::portal::Portal;
use super::view::{Line, sign as sign_of};
use crate::determinant::sign_2;
use crate::direction::{Operand, SymbolicDirection};
use crate::integer::{sign, to_float};
use crate::problem::Points;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The vertices of a face of each body.
type Faces = [Vec<u32>; 2];

impl Portal {
    /// The vertices of what meets where the line crosses, of each body: one for a vertex, two for an edge, ascending, else the ring of the face. The ring
    /// is counter-clockwise seen from outside of its body and begins with its lowest id; of equal points it has the first.
    ///
    /// `sense` is `Less` for the facet where the line enters, `Greater` for the one where it leaves.
    /// # Complexity  O(m + n) and O(k²) for faces of k vertices.
    pub fn features<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        line: &Line<'_, A, B>,
        sense: Ordering,
    ) -> Faces {
        let view = self.view(line);
        let along = view.normal(self);
        let outward = if sense.is_lt() { -along } else { along };
        let [a, b] = self.vertices[0].pair;
        let faces = [
            view.face(view.a, a, &outward),
            view.face(view.b, b, &-outward),
        ];
        view.met(faces).map(|mut ring| {
            if ring.len() < 3 {
                ring.sort_unstable();
            }
            let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
            ring.rotate_left(lowest);
            ring
        })
    }
}

impl<A: Points + ?Sized, B: Points + ?Sized> Line<'_, A, B> {
    /// The corners of the face of a body that is farthest along its outward direction, of which one vertex is known.
    fn face<P: Points + ?Sized>(
        &self,
        points: &P,
        known: u32,
        outward: &SymbolicDirection,
    ) -> Vec<u32> {
        let place = |id: u32| {
            let point = points.point(id);
            let cut = |k: usize| {
                if k < self.dim {
                    point[self.axes[k]]
                } else {
                    0.0
                }
            };
            [0, 1, 2].map(cut)
        };
        let known = place(known);
        let is_level = |&id: &u32| sign_of(outward, &Operand::Points(place(id), known)).is_eq();
        let ids: Vec<u32> = (0..points.count()).filter(is_level).collect();
        match self.dim {
            3 => ring(points, ids, outward),
            2 => {
                let ids = sorted(points, ids, [self.axes[0], self.axes[1]]);
                ends(ids)
            }
            _ => ids.into_iter().take(1).collect(),
        }
    }

    /// The parts of two faces that make the smallest part of their difference which the line crosses.
    fn met(&self, faces: Faces) -> Faces {
        let mut met = faces.clone();
        for direction in self.edges(&faces) {
            for outward in [direction, -direction] {
                let (Some(a), Some(b)) = (
                    highest(self, &faces[0], |id| [id, 0], &outward),
                    highest(self, &faces[1], |id| [0, id], &outward),
                ) else {
                    continue;
                };
                let vertex = self.vertex([a, b]);
                if sign_of(&outward, &Operand::Vertex(vertex)).is_ne() {
                    continue;
                }
                let is_level = |pair| {
                    let offset = Operand::Between(vertex, self.vertex(pair));
                    sign_of(&outward, &offset).is_eq()
                };
                met[0].retain(|&id| is_level([id, b]));
                met[1].retain(|&id| is_level([a, id]));
            }
        }
        met
    }

    /// Directions across the line, each at a right angle to an edge of a face.
    fn edges(&self, faces: &Faces) -> Vec<SymbolicDirection> {
        if self.dim < 2 {
            return Vec::new();
        }
        if self.dim == 2 {
            return alloc::vec![self.across(self.along())];
        }
        let mut found = Vec::new();
        for (body, face) in faces.iter().enumerate() {
            let pair = |id: u32| if body == 0 { [id, 0] } else { [0, id] };
            let count = face.len();
            // A face of two vertices has one edge.
            for k in 0..count.saturating_sub(usize::from(count == 2)) {
                let [from, to] = [face[k], face[(k + 1) % count]].map(|id| self.vertex(pair(id)));
                if from != to {
                    found.push(self.across_edge(from, to));
                }
            }
        }
        found
    }
}

/// The vertex of a face that makes the highest difference.
fn highest<A: Points + ?Sized, B: Points + ?Sized>(
    line: &Line<'_, A, B>,
    face: &[u32],
    pair: impl Fn(u32) -> [u32; 2],
    direction: &SymbolicDirection,
) -> Option<u32> {
    let vertex = |id: u32| line.vertex(pair(id));
    face.iter().copied().reduce(|best, id| {
        let offset = Operand::Between(vertex(best), vertex(id));
        if sign_of(direction, &offset).is_gt() {
            id
        } else {
            best
        }
    })
}

/// The two outermost of vertices on a straight line, which are sorted.
fn ends(on_edge: Vec<u32>) -> Vec<u32> {
    match on_edge[..] {
        [first, .., last] => alloc::vec![first, last],
        _ => on_edge,
    }
}

/// Vertices sorted by two of their coordinates, and one of equal points.
fn sorted<P: Points + ?Sized>(points: &P, mut ids: Vec<u32>, axes: [usize; 2]) -> Vec<u32> {
    let place = |id: u32| axes.map(|k| points.point(id)[k]);
    let compare = |a: &u32, b: &u32| {
        let ordered = place(*a).partial_cmp(&place(*b));
        ordered.unwrap_or(Ordering::Equal)
    };
    ids.sort_by(compare);
    ids.dedup_by(|a, b| compare(a, b).is_eq());
    ids
}

/// The ring of vertices in a plane (Andrew 1979, monotone chains).
fn ring<P: Points + ?Sized>(points: &P, ids: Vec<u32>, outward: &SymbolicDirection) -> Vec<u32> {
    let normal = outward.integers();
    // An axis that is not in the plane.
    let size = to_float(&normal);
    let depth = (0..3).fold(0, |best, k| {
        let larger = size[k].abs() > size[best].abs();
        if larger && sign(&normal[k]).is_ne() {
            k
        } else {
            best
        }
    });
    let axes = [(depth + 1) % 3, (depth + 2) % 3];
    let ids = sorted(points, ids, axes);
    if ids.len() < 3 {
        return ids;
    }
    let place = |id: u32| axes.map(|k| points.point(id)[k]);
    let mut ring: Vec<u32> = Vec::new();
    for backward in [false, true] {
        let kept = ring.len();
        let count = ids.len();
        for k in 0..count {
            let id = ids[if backward { count - 1 - k } else { k }];
            while let [.., a, b] = ring[kept..] {
                let turn = sign_2(&[place(a), place(b)], &[place(a), place(id)]);
                if turn.is_gt() {
                    break;
                }
                ring.pop();
            }
            ring.push(id);
        }
        // The last of one chain is the first of the other.
        ring.pop();
    }
    // Counter-clockwise along the axis is so seen against it; the normal that counts is the outer one.
    if sign(&normal[depth]).is_lt() {
        ring.reverse();
    }
    ring
}
