//! The intersection of two convex polygons, segments or points in a plane.
//!
//! Idea: the corners of the intersection are the corners of either that are in the other, and the crossings of two sides. Whether they are is the
//! sign of a turn, which is exact, so no corner is missed or found twice. Sides that only touch make no crossing: a corner of one of them is there.

use super::view::{Flat, inner, minus, outer, size};
use core::cmp::Ordering;
use gjk_exact::determinant::sign_2;
use gjk_exact::integer::{self, Int};
use smallvec::SmallVec;

/// Below this sine two sides are crossed in integers: their floats would say little of where.
const CROSSING_SINE: f64 = 1e-6;

/// A corner of the intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Corner {
    /// Of the first polygon.
    First(usize),
    /// Of the second.
    Second(usize),
    /// The side after a corner of the first, and after one of the second.
    Cross(usize, usize),
}

pub(super) type Corners = SmallVec<[Corner; 16]>;

/// The side after a corner; a segment has one side.
pub(super) fn side(polygon: &[Flat], k: usize) -> [Flat; 2] {
    [polygon[k], polygon[(k + 1) % polygon.len()]]
}

/// The number of sides.
pub(super) fn sides(polygon: &[Flat]) -> usize {
    match polygon.len() {
        0 | 1 => 0,
        2 => 1,
        n => n,
    }
}

fn turn([from, to]: [Flat; 2], point: Flat) -> Ordering {
    sign_2(&[from, to], &[from, point])
}

/// Whether a point is in a polygon, a segment or a point, exactly.
fn holds(polygon: &[Flat], point: Flat) -> bool {
    match *polygon {
        [] => false,
        [only] => only == point,
        [from, to] => {
            let between = |k: usize| {
                (from[k] <= point[k] && point[k] <= to[k])
                    || (to[k] <= point[k] && point[k] <= from[k])
            };
            turn([from, to], point).is_eq() && between(0) && between(1)
        }
        _ => (0..polygon.len()).all(|k| turn(side(polygon, k), point).is_ge()),
    }
}

/// How far a point is from the line of a segment.
pub(super) fn from_line([from, to]: [Flat; 2], point: Flat) -> f64 {
    let step = minus(to, from);
    outer(step, minus(point, from)).abs() / size(step)
}

/// Whether two segments are on one line within a distance.
fn on_one_line(first: &[Flat], second: &[Flat], band: f64) -> bool {
    let (&[a, b], &[c, d]) = (first, second) else {
        return false;
    };
    let near = |line: [Flat; 2], point: Flat| from_line(line, point) <= band;
    near([a, b], c) && near([a, b], d) && near([c, d], a) && near([c, d], b)
}

/// Whether a point near the line of a segment is between its ends.
fn alongside(segment: &[Flat], point: Flat, band: f64) -> bool {
    let step = minus(segment[1], segment[0]);
    let reach = band * size(step);
    let along = inner(minus(point, segment[0]), step);
    (-reach..=inner(step, step) + reach).contains(&along)
}

/// The corners of the intersection, in no order. Two segments within `band` of one line are on it.
pub(super) fn intersect(first: &[Flat], second: &[Flat], band: f64) -> Corners {
    let mut found = Corners::new();
    let one_line = on_one_line(first, second, band);
    let is_in = |polygon: &[Flat], point: Flat| {
        if one_line {
            alongside(polygon, point, band)
        } else {
            holds(polygon, point)
        }
    };
    let of_first = (0..first.len()).filter(|&k| is_in(second, first[k]));
    found.extend(of_first.map(Corner::First));
    let of_second = (0..second.len()).filter(|&k| is_in(first, second[k]));
    found.extend(of_second.map(Corner::Second));
    if one_line {
        return found;
    }
    let strict = |line: [Flat; 2], ends: [Flat; 2]| {
        let [from, to] = ends.map(|end| turn(line, end));
        from.is_ne() && to.is_ne() && from != to
    };
    for i in 0..sides(first) {
        let line = side(first, i);
        for j in 0..sides(second) {
            let other = side(second, j);
            if apart(line, other) {
                continue;
            }
            if strict(line, other) && strict(other, line) {
                found.push(Corner::Cross(i, j));
            }
        }
    }
    found
}

/// Whether the boxes around two segments are apart: most pairs of sides are told by it.
fn apart(u: [Flat; 2], v: [Flat; 2]) -> bool {
    (0..2).any(|k| {
        let high = |s: [Flat; 2]| if s[0][k] > s[1][k] { s[0][k] } else { s[1][k] };
        let low = |s: [Flat; 2]| if s[0][k] < s[1][k] { s[0][k] } else { s[1][k] };
        high(u) < low(v) || high(v) < low(u)
    })
}

/// Where along a segment, from 0 to 1, it crosses a line that it does cross.
pub(super) fn crossing(segment: [Flat; 2], line: [Flat; 2]) -> f64 {
    let (step, along) = (minus(segment[1], segment[0]), minus(line[1], line[0]));
    let sine = outer(step, along);
    let part = if sine.abs() > CROSSING_SINE * size(step) * size(along) {
        outer(minus(line[0], segment[0]), along) / sine
    } else {
        exact_crossing(segment, line)
    };
    part.clamp(0.0, 1.0)
}

fn exact_crossing([a, b]: [Flat; 2], [c, d]: [Flat; 2]) -> f64 {
    let [ax, ay, bx, by, cx, cy, dx, dy] =
        integer::common(&[a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]);
    let along = [&dx - &cx, &dy - &cy];
    let height = |x: &Int, y: &Int| (x - &cx) * &along[1] - (y - &cy) * &along[0];
    let (from, to) = (height(&ax, &ay), height(&bx, &by));
    let [from, whole, _] = integer::to_float(&[from.clone(), from - to, Int::ZERO]);
    if whole == 0.0 { 0.0 } else { from / whole }
}
