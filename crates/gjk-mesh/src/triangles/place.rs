//! Where on a triangle a point is, and whether two edges cross.

use crate::signs::{Point, Triangle, dropped, side, turn};

/// Where on a triangle a point is. Edge `k` begins at corner `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Corner(usize),
    Edge(usize),
    Inside,
}

/// Where on a triangle a point of its plane is, which keeps an area without the coordinate `dropped`; `None` off it.
pub(crate) fn place(triangle: &Triangle, dropped: usize, point: Point) -> Option<Place> {
    if let Some(corner) = triangle.iter().position(|&corner| corner == point) {
        return Some(Place::Corner(corner));
    }
    let inward = turn(dropped, *triangle);
    let mut on = [false; 3];
    for k in 0..3 {
        let towards = turn(dropped, [triangle[k], triangle[(k + 1) % 3], point]);
        if towards == inward.reverse() {
            return None;
        }
        on[k] = towards.is_eq();
    }
    Some(match on {
        [false, false, false] => Place::Inside,
        [true, false, true] => Place::Corner(0),
        [true, true, _] => Place::Corner(1),
        [_, true, true] => Place::Corner(2),
        [true, ..] => Place::Edge(0),
        [_, true, _] => Place::Edge(1),
        [.., true] => Place::Edge(2),
    })
}

/// Whether two segments that are not parallel share a point between their ends.
pub(crate) fn edges_cross([p, q]: [Point; 2], [r, s]: [Point; 2]) -> bool {
    let plane = [p, q, r];
    // Most are not in one plane.
    if side(&plane, s).is_ne() {
        return false;
    }
    let Some(axis) = dropped(&plane) else {
        return false;
    };
    let between = |a, b, x, y| {
        let [towards_x, towards_y] = [turn(axis, [a, b, x]), turn(axis, [a, b, y])];
        towards_x.is_ne() && towards_x == towards_y.reverse()
    };
    between(p, q, r, s) && between(r, s, p, q)
}
