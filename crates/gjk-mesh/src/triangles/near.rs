//! How far a point is from a triangle, and whether two triangles are apart: in floats, with proved bounds.
//!
//! Where it sits: asked by `depth/`, a thousand times for one overlap.
//! Idea: the nearest point is that of the corner, the edge or the face whose region the point is in. Whatever rounding did to it,
//! it is about on the triangle, so the distance is no larger; and along any direction no point of the triangle is nearer than
//! its corners, so the direction from it gives a lower bound.
//! Numbers: all differences are from the point, so that errors are parts of the distance to the farthest corner.
//! Source: Ericson 2005, section 5.1.5 (regions of a triangle).

use crate::signs::{Point, Triangle};
use gjk::query::Interval;
use gjk::{Vec3, Vector};

/// A bound is off by a difference, a product by a part, a sum of three, and a root or a quotient: fewer roundings than this, of half a
/// unit of the farthest corner's distance each.
const NEAR_ROUNDINGS: f64 = 16.0;

/// A nearest point and its distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPoint {
    pub(crate) distance: Interval<f64>,
    pub(crate) at: Point,
}

fn vector([x, y, z]: Point) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

/// The point of a triangle that is nearest to another point.
pub(crate) fn nearest(point: Point, triangle: &Triangle) -> NearPoint {
    let from = vector(point);
    let corners = triangle.map(|corner| vector(corner) - from);
    // No corner is farther than √3 times its largest coordinate.
    let far = corners.iter().map(|c| c.max_abs()).fold(0.0, f64::max) * 3.0_f64.sqrt();
    let slack = NEAR_ROUNDINGS * f64::EPSILON * far;
    let (to, direction) = foot(&corners);
    let height = corners.iter().map(|&c| direction.dot(c));
    let height = height.fold(f64::INFINITY, f64::min);
    let (lower, upper) = (height - slack, to.norm() + slack);
    let is_known = upper.is_finite() && !lower.is_nan();
    NearPoint {
        distance: if is_known {
            Interval {
                lower: lower.clamp(0.0, upper),
                upper,
            }
        } else {
            Interval {
                lower: 0.0,
                upper: f64::INFINITY,
            }
        },
        at: (from + to).to_f64(),
    }
}

/// The point nearest to the origin, and a unit direction along which no corner is much nearer.
fn foot(corners: &[Vec3<f64>; 3]) -> (Vec3<f64>, Vec3<f64>) {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    // How far the origin is inside of each edge.
    let inside = |p: Vec3<f64>, q: Vec3<f64>| normal.dot((q - p).cross(-p));
    let is_over = inside(a, b) > 0.0 && inside(b, c) > 0.0 && inside(c, a) > 0.0;
    if let Some(unit) = normal.normalized().filter(|_| is_over) {
        let height = unit.dot(a);
        let direction = if height < 0.0 { -unit } else { unit };
        return (unit * height, direction);
    }
    let edges = [[a, b], [b, c], [c, a]];
    let feet = edges.map(nearest_on_edge);
    let squares = feet.map(|(at, _)| at.norm_squared());
    let nearer = |x: usize, y: usize| if squares[y] < squares[x] { y } else { x };
    let nearest = nearer(nearer(0, 1), 2);
    let ((at, is_between), [p, q]) = (feet[nearest], edges[nearest]);
    (at, across_edge(at, q - p, is_between))
}

/// The point of an edge that is nearest to the origin, and whether it is between the ends.
fn nearest_on_edge([p, q]: [Vec3<f64>; 2]) -> (Vec3<f64>, bool) {
    let along = q - p;
    let part = -p.dot(along) / along.norm_squared();
    let part = if part.is_nan() {
        0.0
    } else {
        part.clamp(0.0, 1.0)
    };
    (p * (1.0 - part) + q * part, part > 0.0 && part < 1.0)
}

/// The direction to a point of an edge: what rounding left of the edge in it would count as often as the edge is long.
fn across_edge(at: Vec3<f64>, along: Vec3<f64>, is_between: bool) -> Vec3<f64> {
    let across = if is_between {
        at - along * (at.dot(along) / along.norm_squared())
    } else {
        at
    };
    across.normalized().unwrap_or(Vec3::new(0.0, 0.0, 0.0))
}

/// Whether two triangles are proved to be farther apart than `gap`.
pub(crate) fn are_apart(a: &Triangle, b: &Triangle, gap: f64) -> bool {
    let origin = vector(a[0]);
    let [a, b] = [a, b].map(|t| t.map(|corner| vector(corner) - origin));
    let far = a.iter().chain(&b).map(|c| c.norm()).fold(0.0, f64::max);
    let gap = gap + NEAR_ROUNDINGS * f64::EPSILON * far;
    let separates = |axis: Vec3<f64>| {
        let Some(axis) = axis.normalized() else {
            return false;
        };
        let range = |t: &[Vec3<f64>; 3]| {
            let heights = t.map(|corner| axis.dot(corner));
            let [x, y, z] = heights;
            (x.min(y).min(z), x.max(y).max(z))
        };
        let (first, second) = (range(&a), range(&b));
        second.0 - first.1 > gap || first.0 - second.1 > gap
    };
    let edges = |t: &[Vec3<f64>; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (of_a, of_b) = (edges(&a), edges(&b));
    let normals = [of_a[0].cross(of_a[1]), of_b[0].cross(of_b[1])];
    if normals.into_iter().any(separates) {
        return true;
    }
    let across = of_a.into_iter().flat_map(|e| of_b.map(|f| e.cross(f)));
    let mut all = across
        .chain(of_a.map(|e| normals[0].cross(e)))
        .chain(of_b.map(|f| normals[1].cross(f)));
    all.any(separates)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Whole = [i128; 3];

    fn less(a: Whole, b: Whole) -> Whole {
        [0, 1, 2].map(|k| a[k] - b[k])
    }

    fn dot(a: Whole, b: Whole) -> i128 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    fn cross(a: Whole, b: Whole) -> Whole {
        [0, 1, 2].map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            a[i] * b[j] - a[j] * b[i]
        })
    }

    /// The square of the distance of a point to a triangle that is not flat, rounded once or twice.
    fn squared_distance(p: Whole, t: [Whole; 3]) -> f64 {
        let normal = cross(less(t[1], t[0]), less(t[2], t[0]));
        let edges = [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let inside = |[a, b]: [Whole; 2]| dot(normal, cross(less(b, a), less(p, a))) >= 0;
        if edges.into_iter().all(inside) {
            let height = dot(normal, less(p, t[0]));
            return (height * height) as f64 / dot(normal, normal) as f64;
        }
        let to_edge = |[a, b]: [Whole; 2]| {
            let (along, from) = (less(b, a), less(p, a));
            let part = dot(along, from);
            if part <= 0 {
                return dot(from, from) as f64;
            }
            if part >= dot(along, along) {
                let from = less(p, b);
                return dot(from, from) as f64;
            }
            let across = cross(along, from);
            dot(across, across) as f64 / dot(along, along) as f64
        };
        edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Points near to large triangles and far from them, against whole numbers.
    #[test]
    fn a_point_is_as_far_as_whole_numbers_say() {
        let mut state = 5_u64;
        let mut number = |size: i128| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            i128::from(state >> 33) % (2 * size + 1) - size
        };
        let mut checked = 0;
        for case in 0..20_000 {
            let mut point = |size| [number(size), number(size), number(size)];
            let size = [3, 1000, 100_000][case % 3];
            let triangle = [point(size), point(size), point(size)];
            let mut at = point(size);
            if case % 2 == 0 {
                // Next to a point of the triangle.
                let near = point(2);
                at = [0, 1, 2].map(|k| (triangle[0][k] + triangle[1][k]) / 2 + near[k]);
            }
            if cross(
                less(triangle[1], triangle[0]),
                less(triangle[2], triangle[0]),
            ) == [0; 3]
            {
                continue;
            }
            checked += 1;
            let float = |p: Whole| p.map(|x| x as f64);
            let found = nearest(float(at), &triangle.map(float)).distance;
            let truth = squared_distance(at, triangle).sqrt();
            let rounding = 4.0 * f64::EPSILON * truth;
            assert!(found.lower <= truth + rounding, "{case}: {truth} {found}");
            assert!(truth - rounding <= found.upper, "{case}: {truth} {found}");
            let narrow = 1e-13 * (size as f64) + 1e-7 * f64::from(u8::from(truth < 1e-3));
            assert!(found.width() <= narrow, "{case}: {found}");
        }
        assert!(checked > 15_000, "{checked}");
    }

    /// What is said to be apart is, by more than the gap.
    #[test]
    fn triangles_are_apart_only_by_more_than_the_gap() {
        let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let moved = |by: [f64; 3]| flat.map(|p| [0, 1, 2].map(|k| p[k] + by[k]));
        for (by, apart) in [
            ([0.0, 0.0, 1.0], 1.0),
            ([5.0, 0.0, 0.0], 1.0),
            ([3.0, 3.0, 0.0], 2.0_f64.sqrt()),
            // By the axes of edges and planes, not by corners.
            ([3.0, 3.0, 1.0], 2.0_f64.sqrt()),
        ] {
            assert!(are_apart(&flat, &moved(by), apart * 0.999), "{by:?}");
            assert!(!are_apart(&flat, &moved(by), apart * 1.001), "{by:?}");
        }
        assert!(!are_apart(&flat, &moved([1.0, 1.0, 0.0]), 0.0));
        assert!(!are_apart(&flat, &flat, 0.0));
    }
}
