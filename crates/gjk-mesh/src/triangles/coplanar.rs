//! Points, segments and triangles in one plane: separating lines.
//!
//! Where it sits: asked by `mod.rs` and `edge.rs` where signs over a plane are zero.
//! Idea: two convex sets with corners are apart exactly when the line of an edge of one has all of itself on one side and all of
//! the other strictly beyond. They share an area exactly when no edge's line has the other beyond or on it.

use super::Contact;
use crate::boxes::Box3;
use crate::signs::{Point, Triangle, turn};
use core::cmp::Ordering;

/// How two triangles of one plane meet.
pub(super) fn contact(dropped: usize, a: &Triangle, b: &Triangle) -> Option<Contact> {
    let of_a = farthest_in(dropped, a, b);
    if of_a.is_gt() {
        return None;
    }
    match farthest_in(dropped, b, a).max(of_a) {
        Ordering::Greater => None,
        Ordering::Equal => Some(Contact::Touching),
        Ordering::Less => Some(Contact::Coplanar),
    }
}

/// Whether one point, or a segment, shares a point with a triangle of its plane.
pub(super) fn meets(dropped: usize, points: &[Point], triangle: &Triangle) -> bool {
    if !Box3::of(points).meets(&Box3::of(triangle)) {
        return false;
    }
    let line_separates = match *points {
        [p, q] => {
            let turns = triangle.map(|corner| turn(dropped, [p, q, corner]));
            turns[0].is_ne() && turns.iter().all(|&side| side == turns[0])
        }
        _ => false,
    };
    !line_separates && farthest_in(dropped, triangle, points).is_le()
}

/// Over the edges of a triangle: greater if all points are strictly beyond one of them, equal if they are beyond or on one, less
/// otherwise. An edge that has a point within is done with, and one that has all beyond is the answer.
fn farthest_in(dropped: usize, triangle: &Triangle, points: &[Point]) -> Ordering {
    let inward = turn(dropped, *triangle);
    let [a, b, c] = *triangle;
    let mut farthest = Ordering::Less;
    for [x, y] in [[a, b], [b, c], [c, a]] {
        let mut nearest = Ordering::Greater;
        for &p in points {
            let side = turn(dropped, [x, y, p]);
            // Where the corners run clockwise the inside is to the right.
            nearest = nearest.min(if inward.is_gt() { side.reverse() } else { side });
            if nearest.is_lt() {
                break;
            }
        }
        if nearest.is_gt() {
            return Ordering::Greater;
        }
        farthest = farthest.max(nearest);
    }
    farthest
}
