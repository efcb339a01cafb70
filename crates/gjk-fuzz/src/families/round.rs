//! Rounded bodies at Pythagorean distances, where touching is exact, and smooth solids with closed forms.

use super::contact::{self, KINDS};
use super::{by_power, finish, floats, lattice_point, neighbour, round_to};
use crate::case::{Body, Case, Form, Placement};
use crate::rng::Rng;
use gjk::query::Verdict;

/// Integer vectors of integer length.
const PLANAR: [[i64; 4]; 5] = [
    [1, 0, 0, 1],
    [3, 4, 0, 5],
    [5, 12, 0, 13],
    [8, 15, 0, 17],
    [20, 21, 0, 29],
];
const SPATIAL: [[i64; 4]; 5] = [
    [1, 2, 2, 3],
    [2, 3, 6, 7],
    [1, 4, 8, 9],
    [4, 4, 7, 9],
    [2, 6, 9, 11],
];

/// A vector of integer length along some of the axes, and that length.
fn pythagorean(rng: &mut Rng, axes: &[usize]) -> ([f64; 3], f64) {
    let row = match axes.len() {
        1 => PLANAR[0],
        2 => rng.pick(&PLANAR),
        _ => {
            if rng.one_in(2) {
                rng.pick(&SPATIAL)
            } else {
                rng.pick(&PLANAR)
            }
        }
    };
    let most = 1 << rng.int(0, 12);
    let factor = rng.int(1, most);
    let mut order: Vec<usize> = axes.to_vec();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let mut v = [0.0; 3];
    for (&axis, &x) in order.iter().zip(&row) {
        v[axis] = (x * factor * rng.pick(&[1, -1])) as f64;
    }
    (v, (row[3] * factor) as f64)
}

fn axes_of(dim: usize) -> Vec<usize> {
    (0..dim).collect()
}

/// Splits a length into two positive radii, exact or one rounding off.
fn radii(rng: &mut Rng, case: &mut Case, length: f64) {
    let first = (length * rng.range(0.1, 0.9))
        .floor()
        .max(if length > 1.0 { 1.0 } else { 0.5 });
    (case.a.radius, case.b.radius) = (first, length - first);
    let kind = rng.below(3);
    if kind > 0 {
        case.b.radius = neighbour(case, case.b.radius, kind == 1);
    } else {
        case.known = Some(Verdict::Touching);
    }
}

fn at(translation: [f64; 3]) -> Option<Placement> {
    Some(Placement {
        columns: Placement::STRAIGHT,
        translation,
    })
}

fn plus(p: [f64; 3], q: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| p[k] + q[k])
}

pub(super) fn ball_ball(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let (v, length) = pythagorean(rng, &axes_of(dim));
    let centre = floats(lattice_point(rng, dim, 1 << 16));
    radii(rng, case, length);
    for (body, translation) in [(&mut case.a, centre), (&mut case.b, plus(centre, v))] {
        body.form = Form::Ball;
        body.points.push([0.0; 3]);
        body.pose = at(translation);
    }
}

/// A ball over a corner, an edge or a face of a box.
pub(super) fn ball_box(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let half: [f64; 3] = std::array::from_fn(|k| if k < dim { rng.int(1, 64) as f64 } else { 0.0 });
    let beyond: Vec<usize> = (0..dim).filter(|_| rng.one_in(2)).collect();
    let beyond = if beyond.is_empty() { vec![0] } else { beyond };
    let (v, length) = pythagorean(rng, &beyond);
    let centre = floats(lattice_point(rng, dim, 1 << 12));
    super::lattice::box_of(&mut case.a, dim, half, centre);
    let mut offset = [0.0; 3];
    for k in 0..dim {
        // On the near side where the ball is beyond, anywhere over the box elsewhere.
        offset[k] = if beyond.contains(&k) && v[k] != 0.0 {
            half[k] * v[k].signum() + v[k]
        } else {
            half[k] - 1.0
        };
    }
    case.b.form = Form::Ball;
    case.b.points.push([0.0; 3]);
    case.b.pose = at(plus(centre, offset));
    case.b.radius = length;
    let kind = rng.below(3);
    if kind > 0 {
        case.b.radius = neighbour(case, length, kind == 1);
    } else {
        case.known = Some(Verdict::Touching);
    }
    if rng.one_in(2) {
        std::mem::swap(&mut case.a, &mut case.b);
    }
}

/// Capsules: parallel and crossed beside each other, or end to end.
pub(super) fn capsule_capsule(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let (i, j) = (
        rng.below(dim as u64) as usize,
        rng.below(dim as u64) as usize,
    );
    let (half_a, half_b) = (rng.int(1, 4096) as f64, rng.int(1, 4096) as f64);
    // Perpendicular to both axes where there is room, otherwise between two ends.
    let free: Vec<usize> = (0..dim).filter(|&k| k != i && k != j).collect();
    let (offset, length) = if free.is_empty() || rng.one_in(4) {
        let (v, length) = pythagorean(rng, &axes_of(dim));
        let mut ends = v;
        ends[i] += half_a * if v[i] < 0.0 { -1.0 } else { 1.0 };
        ends[j] += half_b * if v[j] < 0.0 { -1.0 } else { 1.0 };
        (ends, length)
    } else {
        pythagorean(rng, &free)
    };
    radii(rng, case, length);
    let centre = floats(lattice_point(rng, dim, 1 << 12));
    let bodies = [
        (&mut case.a, half_a, i, centre),
        (&mut case.b, half_b, j, plus(centre, offset)),
    ];
    for (body, half, axis, translation) in bodies {
        let mut end = [0.0; 3];
        end[axis] = half;
        body.form = Form::Capsule(half, axis);
        // The library's vertices, in its order.
        body.points.extend([end.map(|x| 0.0 - x), end]);
        body.pose = at(translation);
    }
}

/// Hulls a known distance apart.
pub(super) fn rounded_hull(rng: &mut Rng, case: &mut Case) {
    let (kind, gap, size) = (rng.pick(&KINDS), rng.int(2, 1 << 10), 1 << rng.int(2, 10));
    contact::mapped_integers(rng, case, kind, size, gap, &contact::STRAIGHT);
    radii(rng, case, gap as f64);
    if rng.one_in(4) {
        // All of it on one side.
        (case.a.radius, case.b.radius) = (0.0, round_to(case, case.a.radius + case.b.radius));
        case.known = None;
    }
    if rng.one_in(2) {
        case.a
            .points
            .iter_mut()
            .chain(&mut case.b.points)
            .for_each(|p| p.swap(0, 1));
    }
    let power = if rng.one_in(4) {
        2f64.powi(rng.int(-40, 40) as i32)
    } else {
        1.0
    };
    for body in [&mut case.a, &mut case.b] {
        body.points
            .iter_mut()
            .for_each(|p| *p = p.map(|x| x * power));
        body.radius *= power;
    }
    super::finish_unscaled(rng, case);
}

pub(super) fn rounded_overlap(rng: &mut Rng, case: &mut Case) {
    let (kind, gap, size) = (rng.pick(&KINDS), rng.int(-1, 1), 1 << rng.int(1, 12));
    contact::integers(rng, case, kind, size, gap);
    for body in [&mut case.a, &mut case.b] {
        body.radius = if rng.one_in(4) {
            0.0
        } else {
            rng.int(1, 1 << 12) as f64 / 1024.0
        };
    }
    finish(rng, case);
}

/// A closed form as an interval with room for its own rounding.
fn known(x: f64) -> Option<[f64; 2]> {
    let room = 4.0 * f64::EPSILON * x.abs();
    Some([x - room, x + room])
}

fn cylinder(rng: &mut Rng, body: &mut Body, axis: usize, largest: i64) -> [f64; 2] {
    let (half, radius) = (rng.int(1, largest) as f64, rng.int(1, largest) as f64);
    body.form = Form::Cylinder(half, radius, axis);
    [half, radius]
}

pub(super) fn coaxial_cylinders(rng: &mut Rng, case: &mut Case) {
    let (axis, largest) = (rng.below(3) as usize, 1 << rng.int(1, 12));
    let [h, r] = cylinder(rng, &mut case.a, axis, largest);
    let [i, s] = cylinder(rng, &mut case.b, axis, largest);
    let centre = floats(lattice_point(rng, 3, 64));
    let mut apart = [0.0; 3];
    apart[axis] = rng.int(-3 * largest, 3 * largest) as f64;
    case.a.pose = at(centre);
    case.b.pose = at(plus(centre, apart));
    let gap = apart[axis].abs() - h - i;
    case.known_distance = known(if gap >= 0.0 { gap } else { gap.max(-(r + s)) });
}

pub(super) fn parallel_cylinders(rng: &mut Rng, case: &mut Case) {
    let (axis, largest) = (rng.below(3) as usize, 1 << rng.int(1, 12));
    let [h, r] = cylinder(rng, &mut case.a, axis, largest);
    let [i, s] = cylinder(rng, &mut case.b, axis, largest);
    let across: Vec<usize> = (0..3).filter(|&k| k != axis).collect();
    let (mut apart, length) = pythagorean(rng, &across);
    apart[axis] = rng.int(-2 * largest, 2 * largest) as f64;
    case.b.pose = at(apart);
    let (along, beside) = (apart[axis].abs() - h - i, length - r - s);
    case.known_distance = known(if along > 0.0 && beside > 0.0 {
        along.hypot(beside)
    } else {
        along.max(beside)
    });
}

/// An ellipsoid over a box so large that only their heights matter.
pub(super) fn ellipsoid_plate(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let up = rng.below(dim as u64) as usize;
    let radii: [f64; 3] =
        std::array::from_fn(|k| if k < dim { rng.int(1, 32) as f64 } else { 0.0 });
    let mut half: [f64; 3] = std::array::from_fn(|k| if k < dim { 1024.0 } else { 0.0 });
    half[up] = rng.int(8, 64) as f64;
    super::lattice::box_of(&mut case.a, dim, half, [0.0; 3]);
    let mut apart: [f64; 3] = std::array::from_fn(|k| {
        if k < dim {
            rng.int(-64, 64) as f64
        } else {
            0.0
        }
    });
    apart[up] = (half[up] + rng.int(-4, 48) as f64) * rng.pick(&[1.0, -1.0]);
    case.b.form = Form::Ellipsoid(radii);
    case.b.pose = at(apart);
    case.known_distance = known(apart[up].abs() - half[up] - radii[up]);
    if rng.one_in(2) {
        std::mem::swap(&mut case.a, &mut case.b);
    }
}

pub(super) fn smooth(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    super::wild::random_boxes(rng, case);
    for body in [&mut case.a, &mut case.b] {
        let Form::Box(half) = body.form else { continue };
        let axis = rng.below(dim as u64) as usize;
        body.form = match rng.below(if dim == 2 { 2 } else { 4 }) {
            0 => body.form,
            1 => Form::Ellipsoid(half),
            2 => Form::Cylinder(half[0], half[1], axis),
            _ => Form::Cone(half[0], half[1], axis),
        };
        if body.form.is_smooth() {
            body.points.clear();
        }
    }
    if !case.a.form.is_smooth() && !case.b.form.is_smooth() {
        let Form::Box(half) = case.a.form else { return };
        case.a.form = Form::Ellipsoid(half);
        case.a.points.clear();
    }
}

/// A round pair, all of it near the ends of the range, or one radius as nothing beside the other.
pub(super) fn far_scales(rng: &mut Rng, case: &mut Case) {
    rng.pick(&[
        ball_ball,
        ball_box,
        capsule_capsule,
        rounded_hull,
        rounded_overlap,
    ])(rng, case);
    let (lowest, highest) = if case.single {
        (-140, 70)
    } else {
        (-1060, 880)
    };
    let anywhere = rng_between(rng, lowest, highest);
    let world = rng.pick(&[0, anywhere, lowest]);
    let single = case.single;
    let scaled = |x: f64, exponent: i32| {
        let y = by_power(x, exponent);
        let y = if single { f64::from(y as f32) } else { y };
        // Radii stay positive.
        let tiniest = if single {
            f64::from(f32::from_bits(1))
        } else {
            f64::from_bits(1)
        };
        if x > 0.0 { y.max(tiniest) } else { y }
    };
    for body in [&mut case.a, &mut case.b] {
        body.for_each_length(|x| *x = scaled(*x, world));
    }
    case.known = None;
    if rng.one_in(2) {
        // Beside 1e300 a radius of 1e-80 has no place in `f64`.
        let smaller = rng_between(rng, lowest.max(-900 - world).min(0), 0);
        case.a.radius = scaled(case.a.radius, smaller);
    }
}

fn rng_between(rng: &mut Rng, low: i32, high: i32) -> i32 {
    rng.int(low.into(), high.into()) as i32
}
