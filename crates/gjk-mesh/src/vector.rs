//! Sums and products of points as arrays, in floats.

use crate::signs::Point;

pub(crate) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn times(a: Point, by: f64) -> Point {
    [a[0] * by, a[1] * by, a[2] * by]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The vector of length 1 in a direction; `None` where squares overflow or underflow.
pub(crate) fn unit(v: Point) -> Option<Point> {
    let length = dot(v, v).sqrt();
    (f64::MIN_POSITIVE.sqrt()..f64::INFINITY)
        .contains(&length)
        .then(|| times(v, 1.0 / length))
}
