//! Where a mesh meets itself: pairs of triangles that share more than the corners that they have in common.
//!
//! Idea: neighbours share corners and edges, and that is no contact. Two triangles with one corner in common meet elsewhere too
//! exactly when the edge opposite to it, of one of them, meets the other: from the corner, every line within a triangle leaves it
//! through that edge. Two with an edge in common do so exactly when one is folded onto the other.
//! Flat triangles are left out. They have no inside to be crossed, and in a closed mesh the edges of their neighbours cover them.

use crate::TriMesh;
use crate::boxes::Box3;
use crate::fans::plain_vertices;
use crate::signs::{Plane, Point, Triangle, dropped, is_flat, side, turn};
use crate::triangles::{Contact, Edge, contact};
use core::ops::ControlFlow;

/// Two triangles of a mesh that meet beyond what they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SelfContact {
    /// Their numbers in [`TriMesh::triangles`], the lower one first.
    pub triangles: [u32; 2],
    /// How they meet.
    pub contact: Contact,
    /// Whether they are of one shell.
    pub same_shell: bool,
}

impl TriMesh {
    /// Visits the pairs of triangles that meet beyond the corners that they have in common, in no particular order, until the
    /// visitor breaks. Flat triangles have none.
    ///
    /// # Accuracy  exact.
    /// # Complexity  O(n log n) for meshes of even size, plus the pairs whose boxes meet; a soup may have n² of these, so a caller
    /// that cannot wait breaks.
    pub fn self_contacts(&self, visit: impl FnMut(SelfContact) -> ControlFlow<()>) {
        self.self_contacts_among(|_, _| true, visit);
    }

    /// The same, of the pairs that matter.
    pub(crate) fn self_contacts_among(
        &self,
        matters: impl Fn(u32, u32) -> bool,
        mut visit: impl FnMut(SelfContact) -> ControlFlow<()>,
    ) {
        let plain = plain_vertices(self);
        let mut ask = |i: u32, j: u32| {
            let is_told =
                || self.is_told_by(&plain, i, j) || self.is_beside(i, j) || self.is_beside(j, i);
            if !matters(i, j) || is_told() {
                return ControlFlow::Continue(());
            }
            match self.contact_of(i, j) {
                Some(contact) => visit(SelfContact {
                    triangles: [i, j],
                    contact,
                    same_shell: self.shell_of(i) == self.shell_of(j),
                }),
                None => ControlFlow::Continue(()),
            }
        };
        // The visitor's break is all that a break can mean.
        let _ = match self.wide_tree() {
            Some(tree) => tree.own_pairs(&mut ask),
            None => self.tree().self_pairs(ask),
        };
    }

    /// Whether two triangles have one of these vertices in common, or no vertex and not even boxes that meet.
    fn is_told_by(&self, vertices: &[bool], i: u32, j: u32) -> bool {
        let [a, b] = [i, j].map(|k| self.triangles()[k as usize]);
        let mut shared = a.iter().filter(|v| b.contains(v)).peekable();
        if shared.peek().is_some() {
            return shared.any(|&v| vertices[v as usize]);
        }
        !Box3::of(&self.corners(i)).meets(&Box3::of(&self.corners(j)))
    }

    /// Whether floats are sure that what the second triangle does not have in common with the first is on one side of its plane.
    fn is_beside(&self, i: u32, j: u32) -> bool {
        let [a, b] = [i, j].map(|k| self.triangles()[k as usize]);
        let corners = self.corners(i);
        let (plane, corner) = (Plane::of(&corners), corners[0]);
        let own = b.iter().filter(|v| !a.contains(v));
        let mut sides = own.map(|&v| plane.sure_side(corner, self.vertices()[v as usize]));
        let first = sides.next();
        first.is_some_and(|first| first.is_some() && sides.all(|side| side == first))
    }

    /// How two triangles meet beyond the corners that they have in common.
    fn contact_of(&self, i: u32, j: u32) -> Option<Contact> {
        let [a, b] = [i, j].map(|k| self.triangles()[k as usize]);
        let shared: Vec<usize> = (0..3).filter(|&k| b.contains(&a[k])).collect();
        match shared[..] {
            [] => {
                let corners = [self.corners(i), self.corners(j)];
                contact(&corners[0], &corners[1]).filter(|_| !corners.iter().any(is_flat))
            }
            [k] => {
                let at = a[k];
                let first = |corners: [u32; 3]| corners.iter().position(|&v| v == at).unwrap_or(0);
                let rotated = |number: u32, corners: [u32; 3]| {
                    let mut triangle = self.corners(number);
                    triangle.rotate_left(first(corners));
                    triangle
                };
                beyond_corner(&rotated(i, a), &rotated(j, b))
            }
            _ => {
                let other = |x: [u32; 3], y: [u32; 3]| x.into_iter().find(|v| !y.contains(v));
                let place = |v: u32| self.vertices()[v as usize];
                let (p, q) = (place(other(a, b)?), place(other(b, a)?));
                folded(&self.corners(i), p, q)
            }
        }
    }
}

/// How two triangles meet elsewhere than at their first corners, which are one.
fn beyond_corner(a: &Triangle, b: &Triangle) -> Option<Contact> {
    let (plane_a, plane_b) = (dropped(a)?, dropped(b)?);
    let meets = opposite_meets(a, plane_a, b, plane_b)?;
    let coplanar = b.iter().all(|&p| side(a, p).is_eq());
    // In one plane they may share an area, of which an edge does not tell.
    if coplanar { contact(a, b) } else { Some(meets) }
}

fn opposite_meets(a: &Triangle, plane_a: usize, b: &Triangle, plane_b: usize) -> Option<Contact> {
    let of_b = Edge::over(a, [b[1], b[2]]).contact(a, plane_a);
    let of_a = Edge::over(b, [a[1], a[2]]).contact(b, plane_b);
    of_b.max(of_a)
}

/// Whether a triangle with the corner `p` lies on its neighbour with the corner `q`, the other two being in common.
fn folded(triangle: &Triangle, p: Point, q: Point) -> Option<Contact> {
    let axis = dropped(triangle)?;
    if side(triangle, q).is_ne() {
        return None;
    }
    let mut edge = triangle.iter().filter(|&&corner| corner != p);
    let (&x, &y) = (edge.next()?, edge.next()?);
    let side_of_q = turn(axis, [x, y, q]);
    // Equal for a flat neighbour.
    (side_of_q.is_ne() && turn(axis, [x, y, p]) == side_of_q).then_some(Contact::Coplanar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Against all pairs: on a grid, so that triangles share corners, touch, lie in one plane; of sizes for either tree; with large ones between
    /// small ones, which makes leaves of different depths.
    #[test]
    fn contacts_are_those_of_all_pairs() {
        let mut random = fastrand::Rng::with_seed(13);
        let mut found = 0;
        for case in 0..60 {
            let scale = [1.0, 0.1, 1e-30][case % 3];
            let reach = [6, 12, 40][case / 3 % 3];
            let mut vertices: Vec<Point> = Vec::new();
            for _ in 0..150 {
                let size = if random.u32(0..10) == 0 { reach } else { 2 };
                let at = [(); 3].map(|()| random.i32(0..reach));
                for _ in 0..3 {
                    vertices.push(at.map(|x| f64::from(x + random.i32(0..=size)) * scale));
                }
            }
            let triangles: Vec<[u32; 3]> =
                (0..150).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            let mesh = TriMesh::new(&vertices, &triangles).expect("triangles");
            let mut contacts = BTreeSet::new();
            mesh.self_contacts(|contact| {
                let [i, j] = contact.triangles;
                assert!(contacts.insert((i, j, contact.contact)), "each pair once");
                ControlFlow::Continue(())
            });
            let all = 0..mesh.triangles().len() as u32;
            let pairs = all.flat_map(|j| (0..j).map(move |i| (i, j)));
            let expected = pairs.filter_map(|(i, j)| Some((i, j, mesh.contact_of(i, j)?)));
            assert_eq!(contacts, expected.collect());
            found += contacts.len();
        }
        assert!(found > 1000, "{found}");
    }
}
