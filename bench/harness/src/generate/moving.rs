//! Pairs that move: a point, bodies in straight lines, bodies that turn.
//!
//! B comes from outside towards A, or past it. What the reference finds on the way decides which of the two it is, and whether by
//! enough that no rounding of an `f32` changes the verdict.

use super::{perpendicular, product, random_place};
use crate::definition::{Family, Regime};
use crate::reference::{self, Core};
use crate::shapes::{Rng, single};
use bench_protocol::{Move, Pair, Place, Shape, Workload};

/// Of the size: the least depth of a hit, and the least gap of a miss.
const CLEAR: f64 = 0.02;
/// Of the motion: no hit is nearer to its ends.
const TIMES: [f64; 2] = [0.05, 0.95];
/// Looks at a motion, for its nearest.
const LOOKS: usize = 48;
/// A miss each so many pairs.
const MISS_EACH: usize = 4;

/// Adds the pairs and their motions.
pub(super) fn add_moving(
    mut workload: Workload,
    family: &Family,
    regime: Regime,
    rng: &mut Rng,
) -> Result<Workload, String> {
    let count = workload.shapes.len();
    if regime == Regime::Ray {
        workload.shapes.push(Shape::Ball(0.0));
    }
    let cores = reference::cores(&workload)?;
    while workload.pairs.len() < family.pairs {
        let turns = usize::from(family.kind.takes_turns());
        let mut shapes = [rng.below(count) & !turns, rng.below(count) | turns];
        if regime == Regime::Ray {
            shapes[1] = count;
        }
        let is_swing = regime == Regime::Swing;
        let hits = is_swing || workload.pairs.len() % MISS_EACH != MISS_EACH - 1;
        let (pair, moves) = if is_swing {
            swing(&cores, shapes, rng)
        } else {
            drawn(&cores, shapes, regime, hits, rng)
        };
        if is_clear(&cores, &pair, &moves, hits) {
            workload.pairs.push(pair);
            workload.moves.push(moves);
        }
    }
    Ok(workload)
}

/// A bar over a floor that turns about its middle through the upright: there its tip is in the floor.
fn swing(cores: &[Core], shapes: [usize; 2], rng: &mut Rng) -> (Pair, [Move; 2]) {
    let [floor, bar] = shapes.map(|id| &cores[id]);
    let (dim, place) = (floor.dim, random_place(floor.dim, rng));
    let largest = |core: &Core, k: usize| core.vertices.iter().map(|v| v[k]).fold(0.0, f64::max);
    let (top, length) = (largest(floor, dim - 1), largest(bar, 0));
    let height = rng.range(0.7, 0.9) * length;
    let start = (rng.range(0.5, 0.85) * height / length).asin();
    let turn = std::f64::consts::PI - 2.0 * start;
    let mut over = [0.0; 3];
    over[dim - 1] = top + height;
    let centre = floor.placed(over, &place);
    let (sin, cos) = (0.5 * start).sin_cos();
    let rotation = if dim == 2 {
        let ([c, s, ..], (sin, cos)) = (place.rotation, start.sin_cos());
        [c * cos - s * sin, c * sin + s * cos, 0.0, 0.0]
    } else {
        product(place.rotation, [0.0, sin, 0.0, cos])
    };
    let still = Place {
        translation: [0.0; 3],
        ..place
    };
    let axis = if dim == 2 {
        [0.0, 0.0, 1.0]
    } else {
        floor.placed([0.0, 1.0, 0.0], &still)
    };
    let other = Place {
        rotation,
        translation: std::array::from_fn(|k| if k < dim { single(centre[k]) } else { 0.0 }),
    };
    let spin = Move {
        linear: [0.0; 3],
        angular: axis.map(|x| single(turn * x)),
    };
    let places = [place, other];
    (Pair { shapes, places }, [Move::default(), spin])
}

/// B in front of A, and a motion that is aimed at it or past it.
fn drawn(
    cores: &[Core],
    shapes: [usize; 2],
    regime: Regime,
    hits: bool,
    rng: &mut Rng,
) -> (Pair, [Move; 2]) {
    let [a, b] = shapes.map(|id| &cores[id]);
    let (dim, size) = (a.dim, 0.5 * (a.diameter() + b.diameter()));
    let (place, along) = (random_place(dim, rng), rng.direction(dim));
    let aside = perpendicular(along, dim, rng);
    // Bodies fill some of the balls around them: half of their size aside is still in, their size is out.
    let offset = if hits {
        rng.range(0.0, 0.4)
    } else {
        rng.range(0.5, 1.2)
    } * size;
    let (before, after) = (rng.range(1.1, 2.0) * size, rng.range(0.2, 1.0) * size);
    let spot = |back: f64, k: usize| place.translation[k] - back * along[k] + offset * aside[k];
    let away = std::array::from_fn(|k| single(spot(before, k)));
    let velocity = [0, 1, 2].map(|k| (before + after) * along[k]);
    let is_ray = regime == Regime::Ray;
    let other = Place {
        rotation: if is_ray {
            reference::unturned(dim)
        } else {
            rng.rotation(dim)
        },
        translation: away,
    };
    let own = if is_ray {
        [0.0; 3]
    } else {
        rng.direction(dim).map(|x| single(0.5 * size * x))
    };
    let turns = regime == Regime::Toi;
    let moves = [[0.0; 3], velocity].map(|more| Move {
        linear: std::array::from_fn(|k| single(own[k] + more[k])),
        angular: if turns { turn(dim, rng) } else { [0.0; 3] },
    });
    let places = [place, other];
    (Pair { shapes, places }, moves)
}

/// An angular velocity.
fn turn(dim: usize, rng: &mut Rng) -> [f64; 3] {
    let (axis, angle) = (rng.unit::<3>(), rng.range(0.2, 1.0));
    if dim == 2 {
        return [0.0, 0.0, single(angle.copysign(axis[2]))];
    }
    axis.map(|x| single(angle * x))
}

/// Whether the motion surely does what it should.
fn is_clear(cores: &[Core], pair: &Pair, moves: &[Move; 2], hits: bool) -> bool {
    let [a, b] = pair.shapes.map(|id| &cores[id]);
    let margin = CLEAR * 0.5 * (a.diameter() + b.diameter());
    let Ok(found) = reference::first_contact(cores, pair, moves) else {
        return false;
    };
    if hits != found.value.is_finite() {
        return false;
    }
    if hits && !(TIMES[0]..=TIMES[1]).contains(&found.value) {
        return false;
    }
    let look = |k: usize| {
        let time = k as f64 / LOOKS as f64;
        let place = reference::at(pair, moves, a.dim, time);
        reference::estimate(cores, &place).map_or(0.0, |t| t.value)
    };
    if hits {
        (0..=LOOKS).any(|k| look(k) <= -margin)
    } else {
        (0..=LOOKS).all(|k| look(k) >= margin)
    }
}
