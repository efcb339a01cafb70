//! The contact of two triangles, exactly.
//!
//! Where it sits: [`crate::self_contact`] asks for pairs of triangles whose boxes meet.
//! Idea: the signs of each triangle's corners over the other's plane say where the two can meet. Not in one plane, they meet in a
//! segment whose ends are points where an edge of one meets the other, so six questions of an edge and a triangle decide. In one
//! plane they are convex polygons, which are apart when an edge's line has them on its two sides. A triangle without an area is a
//! segment, so its edges tell. Nothing is divided or rounded, and no point is constructed.
//! Numbers: all signs are of `signs.rs`; a pair takes 6 to 30.
//! Source: Devillers, Guigue 2002 (decisions by orientations alone); separating axes in the plane.

mod apart;
mod coplanar;
mod edge;
mod near;
mod place;

use crate::signs::{Plane, Point, Triangle};
pub(crate) use apart::{as_far_along, near};
use core::cmp::Ordering;
pub(crate) use edge::Edge;
pub(crate) use near::{NearPoint, are_apart, nearest};
pub(crate) use place::{
    Place, common_point, edges_cross, nearest_on, place, place_of_crossing, segments_meet,
};

/// How two triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contact {
    /// They share points, but no edge of one crosses the inside of the other, and they share no area.
    Touching,
    /// They are in one plane and share an area.
    Coplanar,
    /// An edge of one passes through the inside of the other.
    Crossing,
}

/// How two triangles meet; `None` where they share no point. A triangle without an area is the segment that it covers.
///
/// # Examples
/// ```
/// use gjk_mesh::{Contact, triangles::contact};
/// let floor = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
/// let needle = [[0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [5.0, 5.0, 1.0]];
/// assert_eq!(contact(&floor, &needle), Some(Contact::Crossing));
/// let standing = needle.map(|[x, y, z]| [x, y, z + 1.0]);
/// assert_eq!(contact(&floor, &standing), Some(Contact::Touching));
/// assert_eq!(contact(&floor, &floor), Some(Contact::Coplanar));
/// ```
pub fn contact(a: &Triangle, b: &Triangle) -> Option<Contact> {
    meeting(a, b).map(|meeting| meeting.contact)
}

/// Two triangles that meet, with the signs that told it.
pub(crate) struct Meeting {
    pub(crate) contact: Contact,
    /// The sides of the other's plane that the corners of each are on.
    pub(crate) over_other: [[Ordering; 3]; 2],
    /// The coordinate that each may lose; `None` of one without an area.
    pub(crate) dropped: [Option<usize>; 2],
}

/// See [`contact()`].
pub(crate) fn meeting(a: &Triangle, b: &Triangle) -> Option<Meeting> {
    let plane_a = Plane::of(a);
    let over_a = b.map(|p| plane_a.side(a, p));
    if on_one_side(&over_a) {
        return None;
    }
    let plane_b = Plane::of(b);
    let over_b = a.map(|p| plane_b.side(b, p));
    if on_one_side(&over_b) {
        return None;
    }
    let dropped = [plane_a.dropped(a), plane_b.dropped(b)];
    let contact = match dropped {
        [Some(drop_a), Some(_)] if over_a.iter().all(|sign| sign.is_eq()) => {
            coplanar::contact(drop_a, a, b)
        }
        [None, None] => {
            let mut pairs = sides(a).flat_map(|e| sides(b).map(move |f| [e, f]));
            let meets = pairs.any(|[e, f]| segments_meet(e, f));
            meets.then_some(Contact::Touching)
        }
        _ => {
            // Of a triangle without an area only the edges tell.
            let by_edges = |own, signs, other, drop: Option<usize>| {
                let drop = drop?;
                edges(own, signs)
                    .filter_map(|edge| edge.contact(other, drop))
                    .max()
            };
            by_edges(b, &over_a, a, dropped[0]).max(by_edges(a, &over_b, b, dropped[1]))
        }
    };
    Some(Meeting {
        contact: contact?,
        over_other: [over_b, over_a],
        dropped,
    })
}

/// The edges of a triangle.
fn sides(corners: &Triangle) -> impl Iterator<Item = [Point; 2]> + use<'_> {
    (0..3).map(|k| [corners[k], corners[(k + 1) % 3]])
}

/// Whether all corners are off the other's plane, on one side.
fn on_one_side(signs: &[Ordering; 3]) -> bool {
    signs[0].is_ne() && signs[1] == signs[0] && signs[2] == signs[0]
}

/// The edges of a triangle whose corners have these signs over the other's plane.
fn edges<'t>(
    corners: &'t Triangle,
    signs: &'t [Ordering; 3],
) -> impl Iterator<Item = Edge> + use<'t> {
    (0..3).map(|k| {
        let next = (k + 1) % 3;
        Edge {
            ends: [corners[k], corners[next]],
            signs: [signs[k], signs[next]],
        }
    })
}
