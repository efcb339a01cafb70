//! The distance of two triangles in floats, with an interval.
//!
//! Idea: the nearest points are on two edges, or a corner and a face. These are computed as they come, and whatever they are, two points of the
//! triangles are no nearer than the triangles, and the gap of the corners along the line through the points is no more than the
//! distance. So nothing depends on how the points were found.
//! Source: Ericson 2005 (5.1.9, two segments); Larsen, Gottschalk, Lin, Manocha 1999 (edges first).

use crate::signs::{Point, Triangle};
use crate::vector::{cross, dot, minus, plus, times};

/// Roundings of the interval's ends, in parts of the farthest coordinate from a corner. A coordinate's difference to the corner is rounded,
/// a point of an edge or a face is off by three roundings more, a height along a direction by four and `√3`, of two points: at most 14u.
/// `queries_agree_with_all_pairs_of_triangles` holds it.
const APART_ROUNDINGS: f64 = 16.0;

/// An interval of a distance, with points that have the upper one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPoints {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) points: [Point; 2],
}

/// The nearest points found so far.
struct Best {
    square: f64,
    points: [Point; 2],
}

impl Best {
    #[inline(always)]
    fn offer(&mut self, p: Point, q: Point) {
        let d = minus(q, p);
        let square = dot(d, d);
        if square < self.square {
            *self = Self {
                square,
                points: [p, q],
            };
        }
    }
}

/// The distance of two triangles; an interval from 0 or less where they are too near for floats to tell, or meet.
pub(crate) fn near(a: &Triangle, b: &Triangle) -> NearPoints {
    let origin = a[0];
    let [a, b] = from_first(a, b);
    let mut best = Best {
        square: f64::INFINITY,
        points: [a[0], b[0]],
    };
    let edges = |t: &Triangle| [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
    let [u, v] = [edges(&a), edges(&b)];
    for i in 0..3 {
        for j in 0..3 {
            of_segments(&mut best, [a[i], u[i]], [b[j], v[j]]);
        }
    }
    of_corners(&mut best, &a, &u, &b, false);
    of_corners(&mut best, &b, &v, &a, true);
    interval(&best, &a, &b, origin)
}

#[inline(always)]
fn of_segments(best: &mut Best, [p, d]: [Point; 2], [q, e]: [Point; 2]) {
    let r = minus(p, q);
    let (a, c, f) = (dot(d, d), dot(d, r), dot(e, r));
    let (b, g) = (dot(d, e), dot(e, e));
    let area = a * g - b * b;
    let s = if area > 0.0 {
        ((b * f - c * g) / area).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (b * s + f) / g;
    let (s, t) = if t < 0.0 {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((b - c) / a).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    };
    best.offer(plus(p, times(d, s)), plus(q, times(e, t)));
}

/// The corners of a triangle over the inside of the other, whose edges are given.
#[inline(always)]
fn of_corners(best: &mut Best, face: &Triangle, edges: &Triangle, of: &Triangle, swapped: bool) {
    let normal = cross(edges[0], edges[1]);
    let square = dot(normal, normal);
    let walls = [
        cross(normal, edges[0]),
        cross(normal, edges[1]),
        cross(normal, edges[2]),
    ];
    for &corner in of {
        let within = (0..3).all(|k| dot(walls[k], minus(corner, face[k])) >= 0.0);
        if within && square > 0.0 {
            let height = dot(normal, minus(corner, face[0])) / square;
            let foot = plus(corner, times(normal, -height));
            if swapped {
                best.offer(corner, foot);
            } else {
                best.offer(foot, corner);
            }
        }
    }
}

/// How far two triangles are apart along a direction of some length, at least but for a rounding, and that.
fn gap_along(a: &Triangle, b: &Triangle, direction: Point, length: f64) -> [f64; 2] {
    let height = |x: Point| dot(direction, x);
    let [x, y] = [a, b].map(|t| t.map(height));
    let gap = y[0].min(y[1]).min(y[2]) - x[0].max(x[1]).max(x[2]);
    let coordinates = a.as_flattened().iter().chain(b.as_flattened());
    let size = coordinates.fold(0.0_f64, |size, x| size.max(x.abs()));
    let rounding = APART_ROUNDINGS * 0.5 * f64::EPSILON * size;
    [gap / length * (1.0 - 4.0 * f64::EPSILON), rounding]
}

/// A lower bound of the distance of two triangles by the line through two points, where that is no less than `least`, but for a rounding: of
/// neighbours of two triangles that have these for their nearest points it mostly is.
pub(crate) fn as_far_along(
    [p, q]: [Point; 2],
    a: &Triangle,
    b: &Triangle,
    least: f64,
) -> Option<f64> {
    let [a, b] = from_first(a, b);
    let direction = minus(q, p);
    let square = dot(direction, direction);
    let [gap, rounding] = gap_along(&a, &b, direction, square.sqrt());
    // Squares that overflow or underflow tell nothing.
    let known = square.is_finite() && square > f64::MIN_POSITIVE;
    (known && gap + rounding >= least).then_some(gap - rounding)
}

/// Both triangles about the first corner of the first.
fn from_first(a: &Triangle, b: &Triangle) -> [Triangle; 2] {
    let origin = a[0];
    let from_origin = |t: &Triangle| {
        [
            minus(t[0], origin),
            minus(t[1], origin),
            minus(t[2], origin),
        ]
    };
    [from_origin(a), from_origin(b)]
}

fn interval(best: &Best, a: &Triangle, b: &Triangle, origin: Point) -> NearPoints {
    let [p, q] = best.points;
    let length = best.square.sqrt();
    let [gap, rounding] = gap_along(a, b, minus(q, p), length);
    let in_place = |x: Point| plus(x, origin);
    let sides = [gap - rounding, length + rounding];
    // Squares that overflow or underflow tell nothing.
    let known = sides.iter().all(|x| x.is_finite()) && best.square > f64::MIN_POSITIVE;
    NearPoints {
        lower: if known { sides[0] } else { 0.0 },
        upper: if known { sides[1] } else { f64::INFINITY },
        points: [in_place(p), in_place(q)],
    }
}
