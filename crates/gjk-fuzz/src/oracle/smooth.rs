//! Bounds of the distance of two bodies, smooth ones too, by one direction and one pair of points, in two floats a number.
//!
//! Idea: who has chosen the answer knows where to look. A plane across a direction keeps the bodies apart by the difference of
//! their heights along it; two points of the bodies are no nearer to each other than the bodies are. Where the points are the
//! farthest along the direction, and the direction is the way between them, both bounds are the distance.
//! Numbers: [`Double`] records what each operation drops, so the bounds hold with all roundings counted.

use crate::case::{Body, Case, Form};
use gjk_exact::number::{Double, Number};
use std::cmp::Ordering;

/// Two numbers that differ by no more than this part of their sizes are level.
const LEVEL: f64 = 1e-13;

type DoublePoint = [Double; 3];

fn float(x: f64) -> Double {
    Double::from_f64(x)
}

fn floats(x: [f64; 3]) -> DoublePoint {
    x.map(float)
}

fn sum(terms: impl IntoIterator<Item = Double>) -> Double {
    terms
        .into_iter()
        .fold(float(0.0), |sum, term| sum.plus(&term))
}

fn dot(x: &DoublePoint, y: &DoublePoint) -> Double {
    sum((0..3).map(|k| x[k].times(&y[k])))
}

fn length(x: &DoublePoint) -> Double {
    dot(x, x).sqrt()
}

fn scaled(x: &DoublePoint, factor: &Double) -> DoublePoint {
    x.map(|x| x.times(factor))
}

fn plus(x: &DoublePoint, y: &DoublePoint) -> DoublePoint {
    std::array::from_fn(|k| x[k].plus(&y[k]))
}

pub(crate) fn minus(x: &DoublePoint, y: &DoublePoint) -> DoublePoint {
    std::array::from_fn(|k| x[k].minus(&y[k]))
}

/// `x / y`; zero where `y` may be.
fn over(x: &Double, y: &Double) -> Double {
    x.quotient(y).unwrap_or(float(0.0))
}

fn value(x: &Double) -> f64 {
    x.value().0
}

fn is_zero(x: &Double) -> bool {
    x.sign() == Some(Ordering::Equal)
}

/// The larger by the upper ends, so that no height is told too small by more than it is unknown.
fn larger(x: Double, y: Double) -> Double {
    if x.interval().1 >= y.interval().1 {
        x
    } else {
        y
    }
}

/// A direction in the body's own frame: `Lᵀ·n`.
fn local(body: &Body, direction: &DoublePoint) -> DoublePoint {
    match &body.pose {
        None => *direction,
        Some(place) => place.columns.map(|column| dot(&floats(column), direction)),
    }
}

/// A point of the body's own frame in the world.
fn world(body: &Body, point: &DoublePoint) -> DoublePoint {
    let Some(place) = &body.pose else {
        return *point;
    };
    std::array::from_fn(|row| {
        let along = (0..3).map(|k| float(place.columns[k][row]).times(&point[k]));
        sum(along).plus(&float(place.translation[row]))
    })
}

/// A direction's part across an axis, and the length of it.
fn across(direction: &DoublePoint, axis: usize) -> (DoublePoint, Double) {
    let mut part = *direction;
    part[axis] = float(0.0);
    (part, length(&part))
}

/// How far the body reaches along a direction, its radius left out: the height times the direction's length.
fn height(body: &Body, direction: &DoublePoint) -> Double {
    let own = local(body, direction);
    let place = body.pose.map_or([0.0; 3], |place| place.translation);
    let center = dot(&floats(place), direction);
    match body.form {
        Form::Cylinder(half, radius, axis) => {
            let (_, beside) = across(&own, axis);
            let along = larger(own[axis], own[axis].negated());
            sum([
                float(half).times(&along),
                float(radius).times(&beside),
                center,
            ])
        }
        Form::Cone(half, radius, axis) => {
            let (_, beside) = across(&own, axis);
            let apex = float(half).times(&own[axis]);
            let base = float(radius).times(&beside).minus(&apex);
            larger(apex, base).plus(&center)
        }
        Form::Ellipsoid(radii) => {
            let stretched: DoublePoint = std::array::from_fn(|k| float(radii[k]).times(&own[k]));
            length(&stretched).plus(&center)
        }
        _ => {
            let points = body.points.iter();
            let heights = points.map(|&x| dot(&floats(body.world(x)), direction));
            heights.reduce(larger).unwrap_or(float(0.0))
        }
    }
}

/// A point of the body, its radius left out, that is farthest along a direction; where a face, a side or an edge is, the shares choose one, each within ±0.7.
pub(crate) fn farthest(body: &Body, direction: &DoublePoint, shares: [f64; 2]) -> DoublePoint {
    let own = local(body, direction);
    let rim = |axis: usize, radius: f64| {
        let (part, size) = across(&own, axis);
        if is_zero(&size) {
            let mut inside = [0.0; 3];
            inside[(axis + 1) % 3] = shares[0] * radius;
            inside[(axis + 2) % 3] = shares[1] * radius;
            return floats(inside);
        }
        scaled(&part, &over(&float(radius), &size))
    };
    let signed = |x: &Double, half: f64, share: f64| match x.sign() {
        Some(Ordering::Equal) => float(share * half),
        _ => float(half.copysign(value(x))),
    };
    match body.form {
        Form::Cylinder(half, radius, axis) => {
            let mut point = rim(axis, radius);
            point[axis] = signed(&own[axis], half, shares[0]);
            world(body, &point)
        }
        Form::Cone(half, radius, axis) => {
            let (_, beside) = across(&own, axis);
            let apex = float(half).times(&own[axis]);
            let base = float(radius).times(&beside).minus(&apex);
            let (mut tip, mut foot) = (floats([0.0; 3]), rim(axis, radius));
            (tip[axis], foot[axis]) = (float(half), float(-half));
            let (up, down) = (value(&apex), value(&base));
            let level = (up - down).abs() <= LEVEL * (up.abs() + down.abs());
            let part = match up > down {
                _ if level => 0.5 + 0.5 * shares[0],
                true => 1.0,
                false => 0.0,
            };
            let way = scaled(&minus(&tip, &foot), &float(part));
            world(body, &plus(&foot, &way))
        }
        Form::Ellipsoid(radii) => {
            let stretched: DoublePoint = std::array::from_fn(|k| float(radii[k]).times(&own[k]));
            let size = length(&stretched);
            let point: DoublePoint =
                std::array::from_fn(|k| over(&float(radii[k]).times(&stretched[k]), &size));
            world(body, &point)
        }
        _ => among_highest(body, direction, shares),
    }
}

/// A point between the highest vertices, as they are in the world.
fn among_highest(body: &Body, direction: &DoublePoint, shares: [f64; 2]) -> DoublePoint {
    let placed: Vec<[f64; 3]> = body.points.iter().map(|&x| body.world(x)).collect();
    let heights: Vec<f64> = placed
        .iter()
        .map(|&x| value(&dot(&floats(x), direction)))
        .collect();
    let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let size = heights.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let (mut weights, mut point) = (float(0.0), floats([0.0; 3]));
    for (rank, (&x, _)) in placed
        .iter()
        .zip(&heights)
        .filter(|&(_, &height)| top - height <= LEVEL * size)
        .enumerate()
    {
        let weight = float(1.0 + shares[rank % 2]);
        point = plus(&point, &scaled(&floats(x), &weight));
        weights = weights.plus(&weight);
    }
    point.map(|x| over(&x, &weights))
}

/// How far a plane across a direction, from A to B, keeps the bodies apart: negative by how far they overlap along it.
pub(crate) fn apart_along([a, b]: [&Body; 2], direction: [f64; 3]) -> Double {
    let (forth, back) = (floats(direction), floats(direction.map(|x| -x)));
    let radii = float(a.radius).plus(&float(b.radius));
    let gap = height(a, &forth).plus(&height(b, &back)).negated();
    over(&gap, &length(&forth)).minus(&radii)
}

/// How far a point is above a body along a direction, whose length is not zero.
pub(crate) fn above(body: &Body, point: [f64; 3], direction: [f64; 3]) -> Option<Double> {
    let (point, direction) = (floats(point), floats(direction));
    let over_core = dot(&point, &direction).minus(&height(body, &direction));
    let above = over_core.quotient(&length(&direction))?;
    Some(above.minus(&float(body.radius)))
}

/// Bounds of the signed distance of a case: by the plane across a direction, from A to B, and by the points that are farthest along it.
pub(crate) fn bounds(case: &Case, direction: [f64; 3], shares: [[f64; 2]; 2]) -> [f64; 2] {
    let (forth, back) = (floats(direction), floats(direction.map(|x| -x)));
    let (a, b) = (&case.a, &case.b);
    let radii = float(a.radius).plus(&float(b.radius));
    let way = minus(
        &farthest(b, &back, shares[1]),
        &farthest(a, &forth, shares[0]),
    );
    let upper = length(&way).minus(&radii);
    [
        apart_along([a, b], direction).interval().0,
        upper.interval().1,
    ]
}

/// Where B must be for a gap along a direction, as two floats a coordinate, of which the second is the rounding of the first; both bodies are at the origin.
pub(crate) fn placed(
    case: &Case,
    direction: [f64; 3],
    shares: [[f64; 2]; 2],
    gap: f64,
) -> [(f64, f64); 3] {
    let (forth, back) = (floats(direction), floats(direction.map(|x| -x)));
    let radii = case.a.radius + case.b.radius;
    let way = scaled(&forth, &over(&float(gap + radii), &length(&forth)));
    let from = farthest(&case.a, &forth, shares[0]);
    let to = farthest(&case.b, &back, shares[1]);
    minus(&plus(&from, &way), &to).map(|x| x.value())
}
