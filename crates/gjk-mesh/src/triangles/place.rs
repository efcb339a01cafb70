//! Where on a triangle a point is, whether two edges cross, and a point that two triangles share.

use super::{Contact, Edge};
use crate::signs::{Point, Triangle, dropped, side, turn};
use crate::vector::{cross, dot, minus};

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

/// A point that two triangles share, to the rounding of its coordinates, and where on each it is; `None` where they share none.
pub(crate) fn common_point(a: &Triangle, b: &Triangle) -> Option<(Point, [Place; 2])> {
    // A corner is exact, so it comes first.
    let corners = |a: &Triangle, b: &Triangle| {
        let axis = dropped(b)?;
        (0..3).find_map(|k| {
            let on_b = side(b, a[k]).is_eq().then(|| place(b, axis, a[k]))??;
            Some((a[k], [Place::Corner(k), on_b]))
        })
    };
    let passing = |a: &Triangle, b: &Triangle| {
        let axis = dropped(b)?;
        (0..3).find_map(|k| {
            let edge = edge(a, k);
            let passes = Edge::over(b, edge).contact(b, axis)?;
            let through = passes == Contact::Crossing;
            through.then(|| (on_plane(edge, b), [Place::Edge(k), Place::Inside]))
        })
    };
    let crossing = || {
        let pairs = (0..3).flat_map(|i| (0..3).map(move |j| [i, j]));
        let crosses = |&[i, j]: &[usize; 2]| edges_cross(edge(a, i), edge(b, j));
        let [i, j] = pairs.into_iter().find(crosses)?;
        let at = nearest_on(edge(a, i), edge(b, j));
        Some((at, [Place::Edge(i), Place::Edge(j)]))
    };
    let swapped = |(at, [on_b, on_a]): (Point, [Place; 2])| (at, [on_a, on_b]);
    corners(a, b)
        .or_else(|| corners(b, a).map(swapped))
        .or_else(|| passing(a, b))
        .or_else(|| passing(b, a).map(swapped))
        .or_else(crossing)
}

/// An edge of a triangle.
fn edge(triangle: &Triangle, k: usize) -> [Point; 2] {
    [triangle[k], triangle[(k + 1) % 3]]
}

/// A point of a segment by its part, within the segment whatever the part is.
fn between([p, q]: [Point; 2], part: f64) -> Point {
    let part = if part.is_finite() {
        part.clamp(0.0, 1.0)
    } else {
        0.5
    };
    core::array::from_fn(|k| p[k] * (1.0 - part) + q[k] * part)
}

/// Where a segment passes a triangle's plane.
fn on_plane(edge: [Point; 2], [a, b, c]: &Triangle) -> Point {
    let normal = cross(minus(*b, *a), minus(*c, *a));
    let [p, q] = edge.map(|end| dot(normal, minus(end, *a)));
    between(edge, p / (p - q))
}

/// The point of a segment that is nearest to another's line.
pub(crate) fn nearest_on(e: [Point; 2], f: [Point; 2]) -> Point {
    let (d, g) = (minus(e[1], e[0]), minus(f[1], f[0]));
    let normal = cross(d, g);
    let part = dot(cross(minus(f[0], e[0]), g), normal) / dot(normal, normal);
    between(e, part)
}
