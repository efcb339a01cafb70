//! How far a point is from a triangle, and whether two triangles are apart: in floats, with proved bounds.
//!
//! Where it sits: asked by `depth/`, a thousand times for one overlap.
//! Idea: the nearest point is that of the corner, the edge or the face whose region the point is in. Whatever rounding did to it,
//! it is about on the triangle, so the distance is no larger; and along any direction no point of the triangle is nearer than
//! its corners, so the direction from it gives a lower bound.
//! Numbers: all differences are from the point, so that errors are parts of the distance to the farthest corner.
//! Source: Ericson 2005, section 5.1.5 (regions of a triangle).

use crate::signs::{Point, Triangle};
use crate::vector::{cross, dot, minus, plus, times, unit};
use gjk::query::Interval;

/// A bound is off by a difference, a product by a part, a sum of three, and a root or a quotient: fewer roundings than this, of half a
/// unit of the farthest corner's distance each.
const NEAR_ROUNDINGS: f64 = 16.0;

/// A nearest point and its distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPoint {
    pub(crate) distance: Interval<f64>,
    pub(crate) at: Point,
}

/// The point of a triangle that is nearest to another point.
pub(crate) fn nearest(point: Point, triangle: &Triangle) -> NearPoint {
    let corners = about(triangle, point);
    let [a, b, c] = &corners;
    // No corner is farther than √3 times its largest coordinate.
    let far = largest(a).max(largest(b)).max(largest(c)) * 3.0_f64.sqrt();
    let slack = NEAR_ROUNDINGS * f64::EPSILON * far;
    let (to, direction) = foot(&corners);
    let height = dot(direction, *a).min(dot(direction, *b));
    let height = height.min(dot(direction, *c));
    let square = dot(to, to);
    let (lower, upper) = (height - slack, square.sqrt() + slack);
    // A square that underflows is less than the slack, or nothing is known.
    let fits = square >= f64::MIN_POSITIVE || slack >= f64::MIN_POSITIVE.sqrt();
    let is_known = fits && upper.is_finite() && !lower.is_nan();
    let (lower, upper) = if is_known {
        (lower.clamp(0.0, upper), upper)
    } else {
        (0.0, f64::INFINITY)
    };
    NearPoint {
        distance: Interval { lower, upper },
        at: plus(point, to),
    }
}

fn about(triangle: &Triangle, origin: Point) -> Triangle {
    let [a, b, c] = *triangle;
    [minus(a, origin), minus(b, origin), minus(c, origin)]
}

fn largest(p: &Point) -> f64 {
    p[0].abs().max(p[1].abs()).max(p[2].abs())
}

/// The point nearest to the origin, and a unit direction along which no corner is much nearer.
fn foot(corners: &Triangle) -> (Point, Point) {
    let [a, b, c] = *corners;
    let edges = [minus(b, a), minus(c, b), minus(a, c)];
    let normal = cross(edges[0], edges[1]);
    // How far the origin is inside of each edge.
    let is_over = dot(normal, cross(a, edges[0])) > 0.0
        && dot(normal, cross(b, edges[1])) > 0.0
        && dot(normal, cross(c, edges[2])) > 0.0;
    if is_over && let Some(unit) = unit(normal) {
        let height = dot(unit, a);
        let direction = if height < 0.0 {
            times(unit, -1.0)
        } else {
            unit
        };
        return (times(unit, height), direction);
    }
    let mut best = on_edge(a, edges[0]);
    for k in 1..3 {
        let other = on_edge(corners[k], edges[k]);
        if other.square < best.square {
            best = other;
        }
    }
    (best.at, best.direction())
}

/// The point of an edge that is nearest to the origin.
struct OnEdge {
    at: Point,
    square: f64,
    along: Point,
    /// The square of the edge's length; 0 where the point is an end of it.
    between: f64,
}

fn on_edge(from: Point, along: Point) -> OnEdge {
    let length = dot(along, along);
    let part = -dot(from, along) / length;
    let part = if part.is_nan() {
        0.0
    } else {
        part.clamp(0.0, 1.0)
    };
    let at = plus(from, times(along, part));
    OnEdge {
        at,
        square: dot(at, at),
        along,
        between: if part > 0.0 && part < 1.0 {
            length
        } else {
            0.0
        },
    }
}

impl OnEdge {
    /// The direction to the point: what rounding left of the edge in it would count as often as the edge is long.
    fn direction(&self) -> Point {
        let across = if self.between > 0.0 {
            let part = dot(self.at, self.along) / self.between;
            minus(self.at, times(self.along, part))
        } else {
            self.at
        };
        unit(across).unwrap_or([0.0; 3])
    }
}

/// Whether two triangles are proved to be farther apart than `gap`.
pub(crate) fn are_apart(a: &Triangle, b: &Triangle, gap: f64) -> bool {
    let origin = a[0];
    let (a, b) = (about(a, origin), about(b, origin));
    let far = a.iter().chain(&b).map(largest).fold(0.0, f64::max) * 3.0_f64.sqrt();
    let gap = gap + NEAR_ROUNDINGS * f64::EPSILON * far;
    let separates = |axis: Point| {
        let Some(axis) = unit(axis) else {
            return false;
        };
        let (first, second) = (range(&a, axis), range(&b, axis));
        second[0] - first[1] > gap || first[0] - second[1] > gap
    };
    let edges = |t: &Triangle| [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
    let (of_a, of_b) = (edges(&a), edges(&b));
    let normals = [cross(of_a[0], of_a[1]), cross(of_b[0], of_b[1])];
    separates(normals[0])
        || separates(normals[1])
        || of_a
            .iter()
            .any(|&e| of_b.iter().any(|&f| separates(cross(e, f))))
        || of_a.iter().any(|&e| separates(cross(normals[0], e)))
        || of_b.iter().any(|&f| separates(cross(normals[1], f)))
}

/// The lowest and the highest corner along an axis.
fn range(t: &Triangle, axis: Point) -> [f64; 2] {
    let [x, y, z] = [dot(axis, t[0]), dot(axis, t[1]), dot(axis, t[2])];
    [x.min(y).min(z), x.max(y).max(z)]
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
