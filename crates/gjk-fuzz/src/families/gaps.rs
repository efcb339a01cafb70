//! Smooth bodies at a gap that was chosen: caps, sides, rims, tips and what is between them at faces, edges and corners of
//! anything, level or tilted a little.
//!
//! Idea: a feature of A looks along a direction, a feature of B is turned to look back, and B is placed so that the two are the gap apart.
//! `oracle/smooth.rs` then bounds the distance of what the floats say, in twice their digits.

use super::round_to;
use crate::case::{Body, Case, Form, Placement};
use crate::oracle::smooth::{bounds, placed};
use crate::rng::Rng;

/// Tilts from one feature to the other.
const TILTS: [f64; 7] = [0.0, 0.0, 1e-12, 1e-10, 1e-8, 1e-5, 1e-2];

type Frame = [[f64; 3]; 3];

fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        x[i] * y[j] - x[j] * y[i]
    })
}

fn unit(x: [f64; 3]) -> [f64; 3] {
    let size = dot(x, x).sqrt();
    x.map(|x| x / size)
}

/// The frame's image of a vector.
fn turned(frame: &Frame, x: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row: usize| (0..3).map(|k| frame[k][row] * x[k]).sum())
}

/// A vector of random direction.
fn anywhere(rng: &mut Rng, dim: usize) -> [f64; 3] {
    loop {
        let x: [f64; 3] = std::array::from_fn(|k| if k < dim { rng.range(-1.0, 1.0) } else { 0.0 });
        if (0.01..=1.0).contains(&dot(x, x)) {
            return unit(x);
        }
    }
}

/// A unit vector of the plane: along an axis, a Pythagorean one, or any.
fn planar(rng: &mut Rng) -> [f64; 2] {
    let angle = rng.range(0.0, 7.0);
    let [x, y] = rng.pick(&[[1.0, 0.0], [0.6, 0.8], [angle.cos(), angle.sin()]]);
    rng.pick(&[[x, y], [-y, x], [-x, -y], [y, -x]])
}

/// An axis and a part along it, a planar vector and a part along that.
fn about(axis: usize, along: f64, [x, y]: [f64; 2], beside: f64) -> [f64; 3] {
    let mut out = [0.0; 3];
    out[axis] = along;
    out[(axis + 1) % 3] = x * beside;
    out[(axis + 2) % 3] = y * beside;
    out
}

/// A body's direction along which one of its features is highest, in its own frame.
fn feature(rng: &mut Rng, dim: usize, form: Form) -> [f64; 3] {
    if rng.one_in(3) {
        return anywhere(rng, dim);
    }
    let sign = rng.pick(&[1.0, -1.0]);
    let axis_of = |k: usize| {
        let mut axis = [0.0; 3];
        axis[k] = sign;
        axis
    };
    match form {
        Form::Cylinder(_, _, axis) | Form::Capsule(_, axis) if dim == 3 => {
            let radial = planar(rng);
            let (along, beside) = rng.pick(&[(sign, 0.0), (0.0, 1.0), (0.6 * sign, 0.8)]);
            about(axis, along, radial, beside)
        }
        Form::Cone(half, radius, axis) => {
            let radial = planar(rng);
            let (along, beside) = rng.pick(&[(1.0, 0.0), (-1.0, 0.0), (radius, 2.0 * half)]);
            about(axis, along, radial, beside)
        }
        Form::Box(_) if dim == 3 && rng.one_in(2) => about(
            rng.below(3) as usize,
            0.0,
            rng.pick(&[[0.6, 0.8], [0.8, -0.6], [-0.6, 0.8]]),
            1.0,
        ),
        _ => axis_of(rng.below(dim as u64) as usize),
    }
}

/// A frame whose first vector is along a unit vector; exact for vectors along axes.
fn frame_about(first: [f64; 3], dim: usize) -> Frame {
    if dim == 2 {
        return [first, [-first[1], first[0], 0.0], [0.0, 0.0, 1.0]];
    }
    let least = (0..3).min_by(|&i, &j| first[i].abs().total_cmp(&first[j].abs()));
    let mut axis = [0.0; 3];
    axis[least.unwrap_or(0)] = 1.0;
    let second = unit(cross(first, axis));
    [first, second, cross(first, second)]
}

/// A rotation that takes one unit vector to another, any way around it.
fn taking(rng: &mut Rng, dim: usize, from: [f64; 3], to: [f64; 3]) -> Frame {
    let (mut own, there) = (frame_about(from, dim), frame_about(to, dim));
    if dim == 3 {
        let [cos, sin] = planar(rng);
        let [_, x, y] = own;
        own[1] = [0, 1, 2].map(|k: usize| cos * x[k] + sin * y[k]);
        own[2] = [0, 1, 2].map(|k: usize| cos * y[k] - sin * x[k]);
    }
    // Columns are images of the axes: what is along the own frame goes to the same of the other.
    [0, 1, 2].map(|column: usize| {
        [0, 1, 2].map(|row: usize| (0..3).map(|k| there[k][row] * own[k][column]).sum())
    })
}

/// The frame turned by a small angle about any axis.
fn tilted(rng: &mut Rng, dim: usize, frame: Frame, angle: f64) -> Frame {
    if angle == 0.0 {
        return frame;
    }
    let axis = if dim == 2 {
        [0.0, 0.0, 1.0]
    } else {
        anywhere(rng, 3)
    };
    let (sin, versed) = (angle.sin(), 2.0 * (0.5 * angle).sin().powi(2));
    frame.map(|column| {
        let (side, along) = (cross(axis, column), dot(axis, column));
        [0, 1, 2].map(|k: usize| column[k] + sin * side[k] - versed * (column[k] - axis[k] * along))
    })
}

/// A body of any kind at the origin; a smooth one if asked.
fn body(rng: &mut Rng, case: &Case, smooth: bool) -> Body {
    let dim = case.dim;
    let size = |rng: &mut Rng| {
        let wide = rng.pick(&[1.0, 1.0, 1.0, 1.0 / 64.0, 16.0, 1e-3]);
        round_to(case, wide * rng.range(0.25, 1.5))
    };
    let axis = rng.below(dim as u64) as usize;
    let kind = rng.below(if smooth { 3 } else { 7 });
    let mut body = Body::default();
    let corners = |half: [f64; 3]| {
        (0..1 << dim).map(move |bits: usize| {
            std::array::from_fn(|k| {
                if bits >> k & 1 == 1 {
                    half[k]
                } else {
                    -half[k]
                }
            })
        })
    };
    match kind {
        0 if dim == 3 => body.form = Form::Cylinder(size(rng), size(rng), axis),
        1 if dim == 3 => body.form = Form::Cone(size(rng), size(rng), axis),
        0..=2 => {
            let last = if dim == 3 { size(rng) } else { 0.0 };
            body.form = Form::Ellipsoid([size(rng), size(rng), last]);
        }
        3 => (body.form, body.radius, body.points) = (Form::Ball, size(rng), vec![[0.0; 3]]),
        4 => {
            let half = size(rng);
            let mut end = [0.0; 3];
            end[axis] = half;
            body.points = vec![end, end.map(|x| -x)];
            (body.form, body.radius) = (Form::Capsule(half, axis), size(rng));
        }
        5 => {
            let half = [size(rng), size(rng), if dim == 3 { size(rng) } else { 0.0 }];
            (body.form, body.points) = (Form::Box(half), corners(half).collect());
        }
        _ => {
            let wide = size(rng);
            let corner = |_| anywhere(rng, dim).map(|x| round_to(case, wide * x));
            (body.form, body.points) = (Form::Hull, (0..12).map(corner).collect());
        }
    }
    body
}

/// Two bodies, one of them smooth, at a chosen gap.
pub(super) fn smooth_gaps(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    case.a = body(rng, case, true);
    let both = rng.one_in(2);
    case.b = body(rng, case, both);
    // A radius is kept by similarities alone: bodies that have one are not turned.
    let turns = case.b.radius == 0.0;
    let [of_a, of_b] = [case.a.form, case.b.form].map(|form| feature(rng, dim, form));
    let [mut own, mut other] = [Placement::STRAIGHT; 2];
    let direction = if turns {
        if rng.one_in(2) {
            own = rng.rotation(dim);
        }
        let direction = turned(&own, unit(of_a));
        other = taking(rng, dim, unit(of_b), direction.map(|x| -x));
        let angle = rng.pick(&TILTS);
        other = tilted(rng, dim, other, angle);
        direction
    } else {
        let direction = unit(of_b).map(|x| -x);
        own = taking(rng, dim, unit(of_a), direction);
        let angle = rng.pick(&TILTS);
        own = tilted(rng, dim, own, angle);
        direction
    };
    let place = |columns: Frame| {
        Some(Placement {
            columns: columns.map(|column| column.map(|x| round_to(case, x))),
            translation: [0.0; 3],
        })
    };
    (case.a.pose, case.b.pose) = (place(own), place(other));
    let shares = [0; 2].map(|_| [0; 2].map(|_| rng.range(-0.7, 0.7)));
    let gap = rng.pick(&[0.0, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0]);
    // What a float of the place drops goes to the other body, so that a gap far below the roundings is kept.
    let exact = rng.one_in(2);
    for (k, (high, low)) in placed(case, direction, shares, gap).into_iter().enumerate() {
        let most = round_to(case, high);
        let rest = round_to(case, (high - most) + low);
        if let (true, Some(pose)) = (exact, &mut case.a.pose) {
            pose.translation[k] = -rest;
        }
        if let Some(pose) = &mut case.b.pose {
            pose.translation[k] = most;
        }
    }
    case.known_distance = Some(bounds(case, direction, shares));
    if rng.one_in(2) {
        std::mem::swap(&mut case.a, &mut case.b);
    }
}
