//! Motions that are hard: each kind of case aims at what rounding may get wrong.

use super::tois::scenery;
use super::{MotionCase, MotionFamily};
use super::{brinks, smooth, vertices};
use crate::case::{Body, Form, Placement};
use crate::{Rng, Space};
use gjk::query::{Start, Touch};

/// A case.
pub(super) fn case(rng: &mut Rng, family: MotionFamily, space: Space, number: u64) -> MotionCase {
    let (mut spins, mut ends) = (None, None);
    let (mut bodies, velocities, distance) = match family {
        MotionFamily::Tois => {
            let (bodies, velocities, turns) = scenery(rng, space);
            spins = Some(turns);
            (bodies, velocities, 0.0)
        }
        MotionFamily::Vertices => {
            let ((bodies, velocities, turns), goals) = vertices::scenery(rng, space);
            (spins, ends) = (Some(turns), Some(goals));
            (bodies, velocities, 0.0)
        }
        MotionFamily::Rays => {
            let (bodies, velocities) = ray(rng, space);
            (bodies, velocities, 0.0)
        }
        MotionFamily::SmoothRays => {
            let (bodies, velocities) = smooth::scenery(rng, space);
            (bodies, velocities, 0.0)
        }
        MotionFamily::Casts => {
            let unit = unit(rng, space);
            cast(rng, space, unit)
        }
        MotionFamily::BrinkRays | MotionFamily::BrinkCasts | MotionFamily::BrinkTois => {
            return brinks::case(rng, family, space, number);
        }
    };
    let (mut start, mut touch) = (Start::Hit, Touch::Counts);
    if family != MotionFamily::SmoothRays && rng.one_in(3) {
        start = rng.pick(&[Start::Hit, Start::Approach, Start::Exit]);
        touch = rng.pick(&[Touch::Counts, Touch::Passes]);
    }
    if spins.is_some() && start == Start::Exit {
        together(&mut bodies, space);
    }
    let mut max_time = rng.one_in(4).then(|| rng.pick(&[0.0, 0.5, 1.0, 2.0, 8.0]));
    if spins.is_some() {
        max_time = max_time.or(Some(1.0));
    }
    MotionCase {
        family,
        bodies,
        velocities,
        max_time,
        distance,
        start,
        touch,
        spins,
        ends,
    }
}

/// A body, and the point where a ray starts; their velocities.
fn ray(rng: &mut Rng, space: Space) -> ([Body; 2], [[f64; 3]; 2]) {
    let unit = unit(rng, space);
    let body = body(rng, space, unit, 8);
    let mut points = Vec::new();
    body.world_points(&mut points);
    let (origin, direction) = aimed(rng, space, &body, &points);
    let point = Body {
        form: Form::Simple,
        points: vec![origin],
        ..Body::default()
    };
    ([body, point], [[0.0; 3], direction])
}

/// Brings B to A, so that a contact may end.
fn together([a, b]: &mut [Body; 2], space: Space) {
    let at = a.pose.map_or([0.0; 3], |pose| pose.translation);
    if let Some(pose) = &mut b.pose {
        for (there, here) in pose.translation.iter_mut().zip(at) {
            *there = snapped(space, here + (*there - here) / 4.0);
        }
    }
}

/// Two bodies, their velocities and a distance: a point of the second is aimed as a ray is.
pub(super) fn cast(rng: &mut Rng, space: Space, unit: f64) -> ([Body; 2], [[f64; 3]; 2], f64) {
    let (a, mut b) = (body(rng, space, unit, 5), body(rng, space, unit, 4));
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    a.world_points(&mut of_a);
    b.world_points(&mut of_b);
    let (origin, mut direction) = aimed(rng, space, &a, &of_a);
    let (p, q) = (rng.pick(&of_b), rng.pick(&of_b));
    // Along an edge of the second, too.
    if rng.one_in(6) {
        direction = std::array::from_fn(|k| snapped(space, q[k] - p[k]));
    }
    let mut place = b.pose.take().unwrap_or(Placement {
        columns: Placement::STRAIGHT,
        translation: [0.0; 3],
    });
    let source = rng.pick(&[p, std::array::from_fn(|k| 0.5 * (p[k] + q[k]))]);
    place.translation =
        std::array::from_fn(|k| snapped(space, place.translation[k] + origin[k] - source[k]));
    b.pose = Some(place);
    let common = match rng.below(3) {
        0 => [0.0; 3],
        1 => lattice(rng, space, 3, unit),
        _ => vector(rng, space, unit),
    };
    let other = std::array::from_fn(|k| snapped(space, common[k] + direction[k]));
    let distance = if rng.one_in(8) { 0.25 * unit } else { 0.0 };
    let velocities = if rng.one_in(8) {
        // Only the first moves.
        [direction.map(|x| -x), [0.0; 3]]
    } else {
        [common, other]
    };
    ([a, b], velocities, distance)
}

/// A number of the scalar.
pub(super) fn snapped(space: Space, x: f64) -> f64 {
    if space.single { f64::from(x as f32) } else { x }
}

/// The number some floats of the scalar away.
pub(super) fn beside(space: Space, x: f64, steps: i64) -> f64 {
    let mut x = x;
    for _ in 0..steps.unsigned_abs() {
        x = match (space.single, steps > 0) {
            (true, true) => f64::from((x as f32).next_up()),
            (true, false) => f64::from((x as f32).next_down()),
            (false, true) => x.next_up(),
            (false, false) => x.next_down(),
        };
    }
    x
}

pub(super) fn lattice(rng: &mut Rng, space: Space, reach: i64, unit: f64) -> [f64; 3] {
    std::array::from_fn(|k| {
        if k < space.dim {
            rng.int(-reach, reach) as f64 * unit
        } else {
            0.0
        }
    })
}

pub(super) fn vector(rng: &mut Rng, space: Space, size: f64) -> [f64; 3] {
    std::array::from_fn(|k| {
        if k < space.dim {
            snapped(space, rng.range(-size, size))
        } else {
            0.0
        }
    })
}

/// The power of two that lengths are multiples of, of motions in a straight line.
pub(super) fn unit(rng: &mut Rng, space: Space) -> f64 {
    unit_of(rng, space, [-1000, -600, -300, 300, 600, 900])
}

/// The same where bodies turn or are smooth: some squares and products of three lengths stay floats.
pub(super) fn middle_unit(rng: &mut Rng, space: Space) -> f64 {
    unit_of(rng, space, [-300, -200, -100, 100, 200, 300])
}

fn unit_of(rng: &mut Rng, space: Space, far: [i32; 6]) -> f64 {
    let far = if space.single {
        [-120, -60, -30, 30, 60, 100]
    } else {
        far
    };
    let far = rng.pick(&far);
    f64::exp2(rng.pick(&[0, 0, 0, 0, far, far, 5, -5]).into())
}

/// The corners of a box, by the bits of their numbers.
pub(super) fn corners(space: Space, half: [f64; 3]) -> Vec<[f64; 3]> {
    let coordinate = |id: usize, k: usize| match (k < space.dim, id >> k & 1) {
        (false, _) => 0.0,
        (true, 1) => half[k],
        (true, _) => -half[k],
    };
    let all = 0..1_usize << space.dim;
    all.map(|id| std::array::from_fn(|k| coordinate(id, k)))
        .collect()
}

/// A box at the origin.
pub(super) fn boxed(space: Space, half: [f64; 3]) -> Body {
    Body {
        form: Form::Box(half),
        points: corners(space, half),
        ..Body::default()
    }
}

/// A body of at most so many points, or a box.
pub(super) fn body(rng: &mut Rng, space: Space, unit: f64, most: i64) -> Body {
    let mut body = Body {
        form: Form::Hull,
        ..Body::default()
    };
    match rng.below(6) {
        0 | 1 => {
            let count = rng.int(1, most);
            body.points = (0..count).map(|_| lattice(rng, space, 3, unit)).collect();
        }
        2 => {
            let half: [f64; 3] = std::array::from_fn(|_| rng.int(1, 3) as f64 * unit);
            body.form = Form::Box(half);
            body.points = corners(space, half);
        }
        3 => {
            let count = rng.int(2, most);
            body.points = (0..count).map(|_| vector(rng, space, unit)).collect();
        }
        4 => {
            // Flat, or a plate as thick as some roundings.
            let count = rng.int(3, (most - 1).max(3));
            let axis = rng.below(space.dim as u64) as usize;
            body.points = (0..count)
                .map(|_| {
                    let mut p = lattice(rng, space, 3, unit);
                    p[axis] = beside(space, unit, rng.int(0, 1) * rng.int(0, 2));
                    p
                })
                .collect();
        }
        _ => {
            body.form = Form::Simple;
            let count = rng.int(1, 3);
            body.points = (0..count).map(|_| lattice(rng, space, 2, unit)).collect();
        }
    }
    if rng.one_in(6) {
        body.radius = rng.int(1, 4) as f64 * 0.5 * unit;
    }
    body.pose = pose(rng, space, unit);
    body
}

fn pose(rng: &mut Rng, space: Space, unit: f64) -> Option<Placement> {
    let translation = lattice(rng, space, 2, unit);
    let columns = match rng.below(4) {
        0 => rng
            .rotation(space.dim)
            .map(|column| column.map(|x| snapped(space, x))),
        1 => Placement::STRAIGHT,
        _ => return None,
    };
    Some(Placement {
        columns,
        translation,
    })
}

/// The origin and the direction of a ray that is aimed at something.
fn aimed(rng: &mut Rng, space: Space, body: &Body, points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let size = points
        .iter()
        .flatten()
        .fold(body.radius, |m, x| m.max(x.abs()));
    let size = if size > 0.0 { size } else { 1.0 };
    let power = |x: f64| f64::from_bits(x.to_bits() & (0x7ff << 52));
    let unit = power(size) / 4.0;
    let snap = |p: [f64; 3]| p.map(|x| snapped(space, x));
    let (a, b, c) = (rng.pick(points), rng.pick(points), rng.pick(points));
    // A vertex, a point of an edge, of a triangle, or of the lattice.
    let shares = rng.pick(&[
        [1.0, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.25, 0.75, 0.0],
        [0.25, 0.25, 0.5],
    ]);
    let mut target: [f64; 3] = snap(std::array::from_fn(|k| {
        shares[0] * a[k] + shares[1] * b[k] + shares[2] * c[k]
    }));
    if rng.one_in(4) {
        target = lattice(rng, space, 6, unit);
    }
    let mut direction = match rng.below(6) {
        0 => std::array::from_fn(|k| b[k] - a[k]),
        1 => {
            let axis = rng.below(space.dim as u64) as usize;
            std::array::from_fn(|k| if k == axis { size } else { 0.0 })
        }
        2 => vector(rng, space, size),
        3 => std::array::from_fn(|k| target[k] - c[k]),
        _ => lattice(rng, space, 3, unit),
    };
    direction = snap(direction);
    let back = rng.pick(&[0.0, 0.5, 1.0, 2.0, 4.0, 1024.0, -1.0]);
    let mut origin = snap(std::array::from_fn(|k| target[k] - back * direction[k]));
    // Supporting a rounded body: the target moved by the radius along an axis.
    if body.radius > 0.0 && rng.one_in(2) {
        let axis = rng.below(space.dim as u64) as usize;
        origin[axis] = snapped(space, origin[axis] + body.radius);
    }
    let axis = rng.below(space.dim as u64) as usize;
    origin[axis] = beside(space, origin[axis], rng.pick(&[0, 0, 0, 1, -1, 2]));
    if rng.one_in(8) {
        let axis = rng.below(space.dim as u64) as usize;
        direction[axis] = beside(space, direction[axis], rng.pick(&[1, -1]));
    }
    (origin, direction)
}
