//! What a line crosses of a facet: a vertex, an edge, or the face's ring.
//!
//! Idea: the vertices in a portal's plane make the face. Without one coordinate along which the plane is not upright they are a polygon of the
//! plane, with the same numbers, so its ring is found by the signs of turns there.

use super::portal::Portal;
use super::view::Line;
use crate::determinant::sign_2;
use crate::integer::sign;
use crate::problem::Points;
use alloc::vec::Vec;
use core::cmp::Ordering;

impl Portal {
    /// The vertices of the feature that the line crosses here: one for a vertex, two for an edge, ascending, else the ring of the face. The ring is
    /// counter-clockwise seen from outside and begins with its lowest id; of equal points it has the first.
    ///
    /// `sense` is `Less` for the facet where the line enters, `Greater` for the one where it leaves.
    /// # Complexity  O(n + k log k) for a face of k vertices.
    pub fn feature<P: Points + ?Sized>(&self, line: &Line<'_, P>, sense: Ordering) -> Vec<u32> {
        let view = self.view(line);
        let ids = 0..view.points.count();
        let in_plane: Vec<u32> = ids.filter(|&id| view.side(self, id).is_eq()).collect();
        let mut ring = match view.dim {
            3 => view.ring(self, in_plane, sense),
            2 => view.ends(in_plane),
            _ => in_plane.into_iter().take(1).collect(),
        };
        if let Some(lower) = view.crossed_part(&ring) {
            return lower;
        }
        let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
        ring.rotate_left(lowest);
        ring
    }
}

impl<P: Points + ?Sized> Line<'_, P> {
    /// The vertex or the edge of a ring that the line crosses; `None` where it is inside of the ring.
    fn crossed_part(&self, ring: &[u32]) -> Option<Vec<u32>> {
        let along = self.along();
        let on_line = |a: u32, b: u32| {
            let (from_a, from_b) = (self.seen(a), self.seen(b));
            self.sign([&along, &from_a, &from_b]).is_eq()
        };
        if self.dim < 3 {
            let vertex = ring.iter().find(|&&id| on_line(id, id));
            return vertex.map(|&id| alloc::vec![id]);
        }
        let count = ring.len();
        let crossed: Vec<usize> = (0..count)
            .filter(|&k| on_line(ring[k], ring[(k + 1) % count]))
            .collect();
        let (first, last) = (*crossed.first()?, *crossed.last()?);
        if first == last {
            let mut edge = alloc::vec![ring[first], ring[(first + 1) % count]];
            edge.sort_unstable();
            return Some(edge);
        }
        // Two edges that follow one another share a vertex.
        let shared = if last == first + 1 { last } else { first };
        Some(alloc::vec![ring[shared]])
    }

    /// The two outermost of vertices on a straight line of the plane.
    fn ends(&self, mut on_edge: Vec<u32>) -> Vec<u32> {
        self.sort(&mut on_edge, [self.axes[0], self.axes[1]]);
        let (Some(&first), Some(&last)) = (on_edge.first(), on_edge.last()) else {
            return Vec::new();
        };
        let mut ends = alloc::vec![first, last];
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Sorts vertices by two of their coordinates, and keeps one of equal points.
    fn sort(&self, ids: &mut Vec<u32>, axes: [usize; 2]) {
        let place = |id: u32| axes.map(|k| self.points.point(id)[k]);
        let compare = |a: &u32, b: &u32| {
            let ordered = place(*a).partial_cmp(&place(*b));
            ordered.unwrap_or(Ordering::Equal)
        };
        ids.sort_by(compare);
        ids.dedup_by(|a, b| compare(a, b).is_eq());
    }

    /// The ring of vertices in a plane (Andrew 1979, monotone chains).
    fn ring(&self, portal: &Portal, mut ids: Vec<u32>, sense: Ordering) -> Vec<u32> {
        let normal = portal.normal(self);
        // An axis that is not in the plane.
        let size = portal.normal_in_floats(self);
        let depth = (0..3).fold(0, |best, k| {
            let larger = size[k].abs() > size[best].abs();
            if larger && sign(&normal[k]).is_ne() {
                k
            } else {
                best
            }
        });
        let axes = [(depth + 1) % 3, (depth + 2) % 3];
        self.sort(&mut ids, axes);
        let place = |id: u32| axes.map(|k| self.points.point(id)[k]);
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
        if sign(&normal[depth]) != sense {
            ring.reverse();
        }
        ring
    }
}
