//! Where a mesh meets itself: pairs of triangles that share more than the corners that they have in common.
//!
//! Idea: neighbours share corners and edges, and that is no contact. Two triangles with one corner in common meet elsewhere too
//! exactly when the edge opposite to it, of one of them, meets the other: from the corner, every line within a triangle leaves it
//! through that edge. Two with an edge in common do so exactly when one is folded onto the other.
//! Flat triangles are left out. They have no inside to be crossed, and in a closed mesh the edges of their neighbours cover them.

mod parted;

use crate::TriMesh;
use crate::boxes::Box3;
use crate::fans::plain_vertices;
use crate::signs::{Point, Triangle, dropped, side, turn};
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
            if !matters(i, j) || self.share(i, j, &plain) || self.are_parted(i, j) {
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

    /// Whether two triangles share one of these vertices.
    fn share(&self, i: u32, j: u32, these: &[bool]) -> bool {
        let [a, b] = [i, j].map(|k| self.triangles()[k as usize]);
        a.iter().any(|v| these[*v as usize] && b.contains(v))
    }

    /// Whether floats are sure that two triangles share no more than the corners that they have in common: most do.
    fn are_parted(&self, i: u32, j: u32) -> bool {
        let (mut a, mut b) = (self.triangles()[i as usize], self.triangles()[j as usize]);
        let mut shared = 0;
        // Common corners come first.
        for k in 0..3 {
            if let Some(at) = (shared..3).find(|&at| b[at] == a[k]) {
                b.swap(shared, at);
                a.swap(shared, k);
                shared += 1;
            }
        }
        let [a, b] = [a, b].map(|corners| corners.map(|v| self.vertices()[v as usize]));
        match shared {
            0 => parted::are_apart(&a, &b),
            1 => parted::at_corner(&a, &b),
            2 => parted::at_edge(&a, b[2]),
            _ => false,
        }
    }

    /// How two triangles meet beyond the corners that they have in common.
    fn contact_of(&self, i: u32, j: u32) -> Option<Contact> {
        let [a, b] = [i, j].map(|k| self.triangles()[k as usize]);
        let is_shared = a.map(|v| b.contains(&v));
        match is_shared {
            [false, false, false] => self.contact_of_strangers(i, j),
            [true, false, false] | [false, true, false] | [false, false, true] => {
                let at = a[is_shared.iter().position(|&x| x).unwrap_or(0)];
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

    /// How two triangles without a common corner meet.
    fn contact_of_strangers(&self, i: u32, j: u32) -> Option<Contact> {
        let [a, b] = [self.corners(i), self.corners(j)];
        // Lanes leave what is nearer than their slack.
        let near = Box3::of(&a).meets(&Box3::of(&b));
        if near { contact(&a, &b) } else { None }
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
