//! Points, segments and triangles in one plane: separating lines.
//!
//! Where it sits: asked by `mod.rs` and `edge.rs` where signs over a plane are zero.
//! Idea: two convex sets with corners are apart exactly when the line of an edge of one has all of itself on one side and all of
//! the other strictly beyond. They share an area exactly when no edge's line has the other beyond or on it.

use super::Contact;
use crate::signs::{Point, Triangle, turn};
use core::cmp::Ordering;

/// How two triangles of one plane meet.
pub(super) fn contact(dropped: usize, a: &Triangle, b: &Triangle) -> Option<Contact> {
    let beyond = |x: &Triangle, y: &Triangle| farthest_in(dropped, x, y);
    match beyond(a, b).max(beyond(b, a)) {
        Ordering::Greater => None,
        Ordering::Equal => Some(Contact::Touching),
        Ordering::Less => Some(Contact::Coplanar),
    }
}

/// Whether one point, or a segment, shares a point with a triangle of its plane.
pub(super) fn meets(dropped: usize, points: &[Point], triangle: &Triangle) -> bool {
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
/// otherwise.
fn farthest_in(dropped: usize, triangle: &Triangle, points: &[Point]) -> Ordering {
    let inward = turn(dropped, *triangle);
    let [a, b, c] = *triangle;
    let nearest = |[x, y]: [Point; 2]| {
        let beyond = points.iter().map(|&p| {
            let side = turn(dropped, [x, y, p]);
            // Where the corners run clockwise the inside is to the right.
            if inward.is_gt() { side.reverse() } else { side }
        });
        beyond.min().unwrap_or(Ordering::Greater)
    };
    let over_edges = [[a, b], [b, c], [c, a]].map(nearest);
    over_edges.into_iter().max().unwrap_or(Ordering::Less)
}
