//! Motions on the brink: what is touched, and when, is known by construction, and some cases are one float beside it.
//!
//! Idea: a direction with whole components has a support plane of either body. The second body is placed so that both planes are one at a time that is a power of two, and
//! goes back by its way until then. Along the plane it grazes; toward it, it touches at that time. A float more or less across the plane, or of the time until which is asked,
//! makes the other answer. The truth is asked of the oracles all the same: sums are rounded.

use super::generate::{beside, boxed, lattice, middle_unit, snapped, unit};
use super::tois::Spin;
use super::{MotionCase, MotionFamily};
use crate::case::{Body, Form, Placement};
use crate::{Rng, Space};
use gjk::query::{Start, Touch};

/// What a case is about. Its number says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brink {
    /// Past an edge or a vertex.
    Graze,
    /// In the plane of a face.
    Parallel,
    /// Through a plate, or a flat body, fast.
    Thin,
    /// Onto a body very much larger.
    Huge,
    /// From a touch on: away, along or into the body.
    StartsInTouch,
    /// Until the time of a touch, or a float beside it.
    EndsInTouch,
}

const BRINKS: [Brink; 6] = [
    Brink::Graze,
    Brink::Parallel,
    Brink::Thin,
    Brink::Huge,
    Brink::StartsInTouch,
    Brink::EndsInTouch,
];

/// Directions of support planes.
const NORMALS: [[f64; 3]; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, 2.0, 0.0],
    [1.0, 1.0, 1.0],
    [2.0, -1.0, 1.0],
];

/// How many floats a place or a time is off.
const STEPS: [i64; 6] = [0, 0, 1, -1, 2, -2];

/// A case of motions in straight lines, or one that turns.
pub(super) fn case(rng: &mut Rng, family: MotionFamily, space: Space, number: u64) -> MotionCase {
    let brink = BRINKS[(number % BRINKS.len() as u64) as usize];
    let is_toi = family == MotionFamily::BrinkTois;
    let mut case = if is_toi && rng.one_in(2) {
        turning(rng, space, brink)
    } else {
        straight(rng, family, space, brink)
    };
    if is_toi {
        case.spins.get_or_insert_default();
        case.max_time = case.max_time.or(Some(1.0));
        case.distance = 0.0;
    }
    if rng.one_in(4) {
        case.touch = Touch::Passes;
    }
    if rng.one_in(4) {
        case.start = rng.pick(&[Start::Approach, Start::Exit]);
    }
    case
}

/// The body that is met.
fn target(rng: &mut Rng, space: Space, brink: Brink, unit: f64, along: usize) -> Body {
    let mut half: [f64; 3] = std::array::from_fn(|_| rng.int(1, 3) as f64 * unit);
    match brink {
        Brink::Thin => {
            let power = if space.single { 18 } else { 40 };
            half[along] = unit * f64::exp2(-rng.int(4, power) as f64);
        }
        Brink::Huge => {
            let power = if space.single { 18 } else { 45 };
            let times = f64::exp2(rng.int(8, power) as f64);
            half = half.map(|x| x * times);
        }
        _ => {}
    }
    let mut body = boxed(space, half);
    if brink == Brink::Thin && rng.one_in(3) {
        // No thickness at all.
        body.form = Form::Hull;
        body.points.iter_mut().for_each(|x| x[along] = 0.0);
        body.points
            .sort_by(|x, y| x.partial_cmp(y).unwrap_or(std::cmp::Ordering::Equal));
        body.points.dedup();
    } else if matches!(
        brink,
        Brink::Graze | Brink::StartsInTouch | Brink::EndsInTouch
    ) && rng.one_in(3)
    {
        body.form = Form::Hull;
        let count = rng.int(space.dim as i64 + 1, 6);
        body.points = (0..count).map(|_| lattice(rng, space, 3, unit)).collect();
    }
    body
}

/// The body that moves: a point of a ray.
fn mover(rng: &mut Rng, family: MotionFamily, space: Space, unit: f64) -> Body {
    let simple = |points: Vec<[f64; 3]>| Body {
        points,
        form: Form::Simple,
        ..Body::default()
    };
    if family == MotionFamily::BrinkRays {
        return simple(vec![[0.0; 3]]);
    }
    match rng.below(4) {
        0 => simple(vec![lattice(rng, space, 2, unit)]),
        1 => boxed(space, [rng.int(1, 4) as f64 * 0.25 * unit; 3]),
        _ => {
            let count = rng.int(2, 3);
            simple(
                (0..count)
                    .map(|_| lattice(rng, space, 2, 0.5 * unit))
                    .collect(),
            )
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A vertex of the highest along a direction, or the middle of two.
fn top(rng: &mut Rng, points: &[[f64; 3]], along: [f64; 3]) -> [f64; 3] {
    let height = |x: &[f64; 3]| dot(*x, along);
    let most = points.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    let level = points.iter().copied().filter(|x| height(x) == most);
    let level: Vec<[f64; 3]> = level.collect();
    let (p, q) = (rng.pick(&level), rng.pick(&level));
    std::array::from_fn(|k| 0.5 * (p[k] + q[k]))
}

/// A velocity: along the plane of a direction, toward it or away from it.
fn velocity(rng: &mut Rng, space: Space, brink: Brink, normal: [f64; 3], unit: f64) -> [f64; 3] {
    let any = lattice(rng, space, 3, 1.0);
    let (squared, part) = (dot(normal, normal), dot(normal, any));
    let across: [f64; 3] = std::array::from_fn(|k| any[k] * squared - part * normal[k]);
    let (fast, toward) = match brink {
        Brink::Graze | Brink::Parallel => (1.0, 0.0),
        Brink::Thin => (f64::exp2(rng.int(0, 10) as f64), 1.0),
        Brink::Huge | Brink::EndsInTouch => (1.0, rng.pick(&[0.0, 1.0, 1.0])),
        Brink::StartsInTouch => (1.0, rng.pick(&[0.0, 1.0, -1.0])),
    };
    std::array::from_fn(|k| (across[k] - toward * normal[k]) * fast * unit)
}

/// The direction of the plane in which they touch.
fn normal(rng: &mut Rng, space: Space, brink: Brink, axis: usize) -> [f64; 3] {
    let mut normal = match brink {
        Brink::Parallel | Brink::Thin | Brink::Huge => NORMALS[axis],
        _ => rng.pick(&NORMALS),
    };
    if space.dim == 2 {
        normal[2] = 0.0;
    }
    if normal == [0.0; 3] {
        normal = NORMALS[0];
    }
    let sign = rng.pick(&[1.0, -1.0]);
    normal.map(|x| sign * x)
}

/// A motion in a straight line.
fn straight(rng: &mut Rng, family: MotionFamily, space: Space, brink: Brink) -> MotionCase {
    let unit = if family == MotionFamily::BrinkTois {
        middle_unit(rng, space)
    } else {
        unit(rng, space)
    };
    let axis = rng.below(space.dim as u64) as usize;
    let normal = normal(rng, space, brink, axis);
    let mut a = target(rng, space, brink, unit, axis);
    let mut b = mover(rng, family, space, unit);
    // A radius and a distance are whole along an axis.
    let is_axis = dot(normal, normal) == 1.0;
    if is_axis && rng.one_in(6) {
        a.radius = 0.5 * unit;
    }
    let with_distance = is_axis && family == MotionFamily::BrinkCasts && rng.one_in(6);
    let distance = if with_distance { 0.25 * unit } else { 0.0 };
    let p = top(rng, &a.points, normal);
    let q = top(rng, &b.points, normal.map(|x| -x));
    let of_b = velocity(rng, space, brink, normal, unit);
    let time = match brink {
        Brink::StartsInTouch => 0.0,
        _ => rng.pick(&[0.25, 0.5, 1.0]),
    };
    let (home, room) = (lattice(rng, space, 2, unit), a.radius + distance);
    let mut place: [f64; 3] = std::array::from_fn(|k| {
        snapped(
            space,
            home[k] + p[k] - q[k] + room * normal[k] - time * of_b[k],
        )
    });
    let across = (0..3).find(|&k| normal[k] != 0.0).unwrap_or(0);
    place[across] = beside(space, place[across], rng.pick(&STEPS));
    a.pose = at(home);
    let mut common = [0.0; 3];
    if family == MotionFamily::BrinkRays {
        b.points = vec![place];
    } else {
        b.pose = at(place);
        let reach = rng.pick(&[0, 3]);
        common = lattice(rng, space, reach, unit);
    }
    let max_time = match brink {
        Brink::EndsInTouch => Some(beside(space, time, rng.pick(&STEPS))),
        Brink::Thin => Some(2.0 * time),
        _ => None,
    };
    let of_b = std::array::from_fn(|k| snapped(space, common[k] + of_b[k]));
    MotionCase {
        max_time,
        distance,
        ..plainly(family, [a, b], [common, of_b])
    }
}

/// A motion without more.
fn plainly(family: MotionFamily, bodies: [Body; 2], velocities: [[f64; 3]; 2]) -> MotionCase {
    MotionCase {
        family,
        bodies,
        velocities,
        max_time: None,
        distance: 0.0,
        start: Start::Hit,
        touch: Touch::Counts,
        spins: None,
        ends: None,
    }
}

fn at(translation: [f64; 3]) -> Option<Placement> {
    Some(Placement {
        columns: Placement::STRAIGHT,
        translation,
    })
}

/// A bar that turns over a floor. Its corners are 5 from its middle, which is whole: it is over the floor by that, or stands or lies on it.
fn turning(rng: &mut Rng, space: Space, brink: Brink) -> MotionCase {
    let unit = middle_unit(rng, space);
    let up = space.dim - 1;
    let mut half = [unit; 3];
    (half[0], half[up]) = (4.0 * unit, 3.0 * unit);
    let mut wide = [16.0 * unit; 3];
    wide[up] = unit;
    let power = rng.int(8, if space.single { 18 } else { 40 }) as f64;
    match brink {
        Brink::Thin => wide[up] = unit * f64::exp2(-power.min(24.0)),
        Brink::Huge => wide = [unit * f64::exp2(power.min(24.0)); 3],
        _ => {}
    }
    let quarter = std::f64::consts::FRAC_PI_2;
    let turned = rng.pick(&[1.0, -1.0]);
    let (height, rate) = match brink {
        // It lies on the floor, or stands on a plate that its corners will leave.
        Brink::StartsInTouch => (half[up], rng.pick(&[0.5, 3.0])),
        // It stands at the end.
        Brink::EndsInTouch => (half[0], quarter),
        Brink::Thin => (
            rng.pick(&[0.0, 1.0, 4.5]) * unit,
            rng.pick(&[3.0, 12.0, 100.0]),
        ),
        _ => (5.0 * unit, rng.pick(&[2.0, 3.0, 12.0])),
    };
    let mut place = [0.0; 3];
    place[up] = beside(space, wide[up] + height, rng.pick(&STEPS));
    if brink == Brink::Thin {
        // Above, it comes down while it turns.
        place[up] += 8.0 * unit;
    }
    let (floor, mut bar) = (boxed(space, wide), boxed(space, half));
    bar.pose = at(place);
    let mut angular = [0.0; 3];
    angular[if space.dim == 2 { 2 } else { 1 }] = turned * snapped(space, rate);
    let mut drift = [0.0; 3];
    drift[0] = rng.int(-2, 2) as f64 * 0.5 * unit;
    if brink == Brink::Thin {
        drift[up] = -16.0 * unit;
    }
    let spin = Spin {
        angular,
        ..Spin::default()
    };
    MotionCase {
        spins: Some([Spin::default(), spin]),
        ..plainly(MotionFamily::BrinkTois, [floor, bar], [[0.0; 3], drift])
    }
}
