//! Where on a triangle a point is, whether two edges cross, and a point that two triangles share.

use super::{Contact, Edge};
use crate::boxes::Box3;
use crate::signs::{Point, Triangle, dropped, side, turn};
use crate::vector::{cross, dot, minus};
use gjk_exact::Int3;
use gjk_exact::integer::{
    Int, cross as exact_cross, dot as exact_dot, grid_of, is_zero, on_grid, scale, sign, sub,
};

/// Where on a triangle a point is. Edge `k` begins at corner `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Corner(usize),
    Edge(usize),
    Inside,
}

/// Where on a triangle a point of its plane is; `None` off it. The triangle keeps an area without the coordinate `dropped`, or has none.
pub(crate) fn place(triangle: &Triangle, dropped: Option<usize>, point: Point) -> Option<Place> {
    if let Some(corner) = triangle.iter().position(|&corner| corner == point) {
        return Some(Place::Corner(corner));
    }
    // Most are off the box of the triangle.
    if !Box3::of(triangle).holds(&Box3::of(&[point])) {
        return None;
    }
    let Some(dropped) = dropped else {
        let edge = (0..3).find(|&k| segments_meet(edge(triangle, k), [point; 2]));
        return edge.map(Place::Edge);
    };
    let inward = turn(dropped, *triangle);
    let mut on = [false; 3];
    for k in 0..3 {
        let towards = turn(dropped, [triangle[k], triangle[(k + 1) % 3], point]);
        if towards == inward.reverse() {
            return None;
        }
        on[k] = towards.is_eq();
    }
    Some(Place::by_edges(on))
}

impl Place {
    /// By which edges have the point, of one that is not off the triangle.
    pub(crate) fn by_edges(on: [bool; 3]) -> Self {
        match on {
            [false, false, false] => Self::Inside,
            [true, false, true] => Self::Corner(0),
            [true, true, _] => Self::Corner(1),
            [_, true, true] => Self::Corner(2),
            [true, ..] => Self::Edge(0),
            [_, true, _] => Self::Edge(1),
            [.., true] => Self::Edge(2),
        }
    }
}

/// Where on a triangle the point is that two segments share, which are not parallel; `None` off it. The coordinates of such a point are
/// fractions, so this takes big integers.
pub(crate) fn place_of_crossing(
    triangle: &Triangle,
    [p, q]: [Point; 2],
    [r, s]: [Point; 2],
) -> Option<Place> {
    let all = triangle.iter().chain([&p, &q, &r, &s]).flatten();
    let grid = grid_of(all.copied());
    let [p, q, r, s] = [p, q, r, s].map(|point| point.map(|x| on_grid(x, grid)));
    let corners = triangle.map(|corner| corner.map(|x| on_grid(x, grid)));
    // The point is `p + (q − p)·part/divisor`.
    let (along, other) = (sub(&q, &p), sub(&s, &r));
    let across = exact_cross(&along, &other);
    let divisor = exact_dot(&across, &across);
    let part = exact_dot(&exact_cross(&sub(&r, &p), &other), &across);
    let steps = scale(&along, &part);
    let from = |corner: &Int3| -> Int3 {
        let whole = scale(&sub(&p, corner), &divisor);
        core::array::from_fn(|k| &whole[k] + &steps[k])
    };
    let edge = |k: usize| sub(&corners[(k + 1) % 3], &corners[k]);
    let normal = exact_cross(&edge(0), &edge(1));
    if is_zero(&normal) {
        return place_on_edges(&corners, &corners.each_ref().map(from), &divisor);
    }
    if !exact_dot(&normal, &from(&corners[0])).is_zero() {
        return None;
    }
    let mut on = [false; 3];
    for k in 0..3 {
        let inward = sign(&exact_dot(
            &normal,
            &exact_cross(&edge(k), &from(&corners[k])),
        ));
        if inward.is_lt() {
            return None;
        }
        on[k] = inward.is_eq();
    }
    Some(Place::by_edges(on))
}

/// Where on a triangle without an area a point is, of which `from` are the steps from the corners, times a divisor; `None` off it.
fn place_on_edges(corners: &[Int3; 3], from: &[Int3; 3], divisor: &Int) -> Option<Place> {
    if let Some(k) = from.iter().position(is_zero) {
        return Some(Place::Corner(k));
    }
    let is_within = |&k: &usize| {
        let edge = sub(&corners[(k + 1) % 3], &corners[k]);
        let part = exact_dot(&edge, &from[k]);
        let whole = exact_dot(&edge, &edge) * divisor;
        is_zero(&exact_cross(&edge, &from[k]))
            && sign(&part).is_gt()
            && sign(&(part - whole)).is_lt()
    };
    (0..3).find(is_within).map(Place::Edge)
}

/// Whether two segments share a point; each may be one point.
pub(crate) fn segments_meet(e: [Point; 2], f: [Point; 2]) -> bool {
    if !Box3::of(&e).meets(&Box3::of(&f)) {
        return false;
    }
    // On one line the boxes tell: along each coordinate the ends have one order.
    let is_on = |[p, q]: [Point; 2], at: Point| {
        Box3::of(&[p, q]).holds(&Box3::of(&[at])) && dropped(&[p, q, at]).is_none()
    };
    edges_cross(e, f) || e.iter().any(|&end| is_on(f, end)) || f.iter().any(|&end| is_on(e, end))
}

/// Whether two segments that are not parallel share a point between their ends.
pub(crate) fn edges_cross([p, q]: [Point; 2], [r, s]: [Point; 2]) -> bool {
    let plane = [p, q, r];
    // Most are far apart, or not in one plane.
    let are_near = Box3::of(&[p, q]).meets(&Box3::of(&[r, s]));
    if !are_near || side(&plane, s).is_ne() {
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
        let axis = dropped(b);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_placed_on_triangles_that_do_not_have_its_edges() {
        // They cross at (1/3, 1/3, 0), which is no float.
        let e = [[0.0; 3], [1.0, 1.0, 0.0]];
        let f = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0]];
        let place = |triangle: [[f64; 3]; 3]| place_of_crossing(&triangle, e, f);
        let far = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
        assert_eq!(place(far), Some(Place::Inside));
        let on = [[1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [9.0, 9.0, 0.0]];
        assert_eq!(place(on), Some(Place::Edge(0)));
        let beyond = on.map(|[x, y, z]| [x, y.next_up(), z]);
        assert_eq!(place(beyond), None);
        let standing = [on[0], on[1], [0.0, 0.0, 5.0]];
        assert_eq!(place(standing), Some(Place::Edge(0)));
        assert_eq!(place(standing.map(|[x, y, z]| [x, y, z + 1e-300])), None);
        // Triangles without an area: the segment holds it, ends before it, is beside it.
        assert_eq!(place([on[0], on[1], on[1]]), Some(Place::Edge(0)));
        assert_eq!(place([on[0], on[0], on[1]]), Some(Place::Edge(1)));
        assert_eq!(place([on[0], [0.5, 0.25, 0.0], on[0]]), None);
        assert_eq!(place([beyond[0], beyond[1], beyond[1]]), None);
        assert_eq!(place([on[0]; 3]), None);
    }
}
