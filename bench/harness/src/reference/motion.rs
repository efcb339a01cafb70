//! When two bodies first meet that move and turn, by the distances of this reference alone.
//!
//! Conservative advancement: along the normal of the distance the gap closes no faster than the velocities along it and the turns
//! times the sizes, so no step passes a contact (Mirtich 1996); without turns a step is Newton's. Near contact polytopes are apart
//! as long as they are along some facet's normal of their difference, by all of them. The bracket found so is held against both in
//! double-double: apart at its one end, in contact at the other.

use super::depth::{self, Axis, Posed};
use super::real::{Dd, Real, V, dot, norm, sub};
use super::{Core, Truth, estimate, truth};
use crate::generate::product;
use bench_protocol::{Move, Pair, Place};

/// Of the size: a gap from which on the bracket is looked for.
const CLOSE: f64 = 1e-4;
const STEPS_MAX: usize = 2000;
/// A contact at whose first axes others are still apart, so many times.
const AXES_MAX: usize = 50;
/// Of the motion: the bracket begins with this width, and may not become wider than that.
const BRACKET: [f64; 2] = [5e-16, 1e-12];

/// The bodies at a time of their motion.
pub(crate) fn at(pair: &Pair, moves: &[Move; 2], dim: usize, time: f64) -> Pair {
    let place = |k: usize| {
        let (place, motion) = (&pair.places[k], &moves[k]);
        let translation = std::array::from_fn(|i| place.translation[i] + time * motion.linear[i]);
        Place {
            rotation: turned(place.rotation, motion.angular, dim, time),
            translation,
        }
    };
    Pair {
        shapes: pair.shapes,
        places: [place(0), place(1)],
    }
}

/// The rotation that changes nothing.
pub(crate) fn unturned(dim: usize) -> [f64; 4] {
    if dim == 2 {
        [1.0, 0.0, 0.0, 0.0]
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

/// A rotation after a turn at a constant rate; the quaternion may have any length.
fn turned(rotation: [f64; 4], angular: [f64; 3], dim: usize, time: f64) -> [f64; 4] {
    let rate = norm(angular);
    if !(rate > 0.0) {
        return rotation;
    }
    if dim == 2 {
        let ([cos, sin, ..], (s, c)) = (rotation, (time * angular[2]).sin_cos());
        return [c * cos - s * sin, c * sin + s * cos, 0.0, 0.0];
    }
    let (sin, cos) = (0.5 * time * rate).sin_cos();
    let [x, y, z] = angular.map(|a| a / rate * sin);
    product([x, y, z, cos], rotation)
}

/// The time of the first contact in a unit of time, infinite for none. Its gap is the width of the bracket, its normal that before.
pub(crate) fn first_contact(
    cores: &[Core],
    pair: &Pair,
    moves: &[Move; 2],
) -> Result<Truth, String> {
    let chosen = pair.shapes.map(|id| &cores[id]);
    let size = chosen[0].diameter().max(chosen[1].diameter());
    let turns: f64 = (0..2)
        .map(|k| 0.5 * chosen[k].diameter() * norm(moves[k].angular))
        .sum();
    let velocity = sub(moves[1].linear, moves[0].linear);
    let place = |time: f64| at(pair, moves, chosen[0].dim, time);
    let mut time = 0.0;
    for _ in 0..STEPS_MAX {
        let here = estimate(cores, &place(time))?;
        // Along the normal of now, for ever.
        let closing = turns - dot(here.normal, velocity);
        if here.value > CLOSE * size && !(closing > 0.0) {
            return Ok(never());
        }
        if here.value <= CLOSE * size {
            if !(here.value > 0.0) {
                return Err("in contact at the start".into());
            }
            return bracketed(cores, place, time, here.value / closing.abs());
        }
        // A little short of it: Newton's step would end in contact.
        time += (here.value - 0.5 * CLOSE * size) / closing;
        if time > 1.0 {
            return Ok(never());
        }
    }
    Err("no end of the advancement".into())
}

/// No contact in the motion.
fn never() -> Truth {
    Truth {
        value: f64::INFINITY,
        gap: 0.0,
        normal: [0.0; 3],
    }
}

/// From a time just before contact: a bracket around it, and the proof of both its ends.
fn bracketed(
    cores: &[Core],
    place: impl Fn(f64) -> Pair,
    from: f64,
    step: f64,
) -> Result<Truth, String> {
    let pair = place(from);
    let is_round = pair.shapes.iter().any(|&id| cores[id].radius > 0.0);
    let [mut low, mut high] = [from, from];
    if is_round {
        [low, high] = halved(from, step, |time| {
            estimate(cores, &place(time)).is_ok_and(|t| t.value > 0.0)
        })?;
    }
    // Of polytopes the gap is the largest along any axis. Each has its own last time apart; that of the last of them counts.
    for _ in 0..if is_round { 0 } else { AXES_MAX } {
        let Some((axis, gap)) = widest(cores, &place(high)) else {
            return Err("no axis".into());
        };
        if !(gap > 0.0) {
            break;
        }
        let along = |time: f64| along_axis::<f64>(cores, &place(time), axis) > 0.0;
        [low, high] = halved(high, step, along)?;
    }
    if high > 1.0 {
        return Ok(never());
    }
    let mut half = BRACKET[0];
    while half < BRACKET[1] {
        let ends = [low - half, high + half].map(|time| proved(cores, &place(time), is_round));
        if let [Some((before, normal)), Some((after, _))] = ends
            && before > 0.0
            && after <= 0.0
        {
            return Ok(Truth {
                value: 0.5 * (low + high),
                gap: high - low + 2.0 * half,
                normal,
            });
        }
        half *= 2.0;
    }
    Err("the bracket is not proved".into())
}

/// Two neighbouring times after `from`, at which bodies are apart at the first alone: by steps that double, and by halves.
fn halved(from: f64, step: f64, apart: impl Fn(f64) -> bool) -> Result<[f64; 2], String> {
    let mut steps = (0..30).map(|k| from + step * f64::from(1_u32 << k));
    let (mut low, mut high) = (from, steps.find(|&time| !apart(time)).ok_or("a graze")?);
    loop {
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            return Ok([low, high]);
        }
        if apart(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The bodies' vertices at a pair's poses.
fn vertices<R: Real>(cores: &[Core], pair: &Pair) -> [Vec<V<R>>; 2] {
    let origin = pair.places[0].translation;
    [0, 1].map(|k| cores[pair.shapes[k]].posed(&pair.places[k], origin))
}

/// How far the cores are apart along an axis; not a number for none.
fn along_axis<R: Real>(cores: &[Core], pair: &Pair, axis: Axis) -> f64 {
    let points = vertices::<R>(cores, pair);
    let posed = Posed {
        cores: pair.shapes.map(|id| &cores[id]),
        points: [&points[0], &points[1]],
    };
    let normal = posed.normal(axis);
    normal.map_or(f64::NAN, |normal| -posed.height(normal).to_f64())
}

/// The axis along which two cores are farthest apart, and how far.
fn widest(cores: &[Core], pair: &Pair) -> Option<(Axis, f64)> {
    let points = vertices::<f64>(cores, pair);
    let axes = depth::least_axes(&Posed {
        cores: pair.shapes.map(|id| &cores[id]),
        points: [&points[0], &points[1]],
    });
    let each = axes
        .into_iter()
        .map(|axis| (axis, along_axis::<Dd>(cores, pair, axis)));
    each.max_by(|x, y| x.1.total_cmp(&y.1))
}

/// The gap in double-double, of polytopes along the best axis, and its normal.
fn proved(cores: &[Core], pair: &Pair, is_round: bool) -> Option<(f64, [f64; 3])> {
    if is_round {
        return truth(cores, pair).ok().map(|t| (t.value, t.normal));
    }
    let (axis, gap) = widest(cores, pair)?;
    let points = vertices::<f64>(cores, pair);
    let posed = Posed {
        cores: pair.shapes.map(|id| &cores[id]),
        points: [&points[0], &points[1]],
    };
    Some((gap, posed.normal(axis)?))
}

/// How far a point of the world is off the surface of a body.
pub(crate) fn off_surface(core: &Core, place: &Place, point: [f64; 3]) -> f64 {
    let still = Place {
        rotation: unturned(core.dim),
        translation: point,
    };
    let pair = Pair {
        shapes: [0, 1],
        places: [*place, still],
    };
    let cores = [core.clone(), Core::point(core.dim)];
    // What the reference cannot tell is on the surface within rounding.
    estimate(&cores, &pair).map_or(0.0, |t| t.value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench_protocol::Shape;

    fn place(x: f64, y: f64) -> Place {
        Place {
            rotation: unturned(3),
            translation: [x, y, 0.0],
        }
    }

    fn met(shapes: [Shape; 2], from: [f64; 2], linear: [f64; 3], angular: [f64; 3]) -> Truth {
        let core = |shape: &Shape| Core::new(shape, 3).expect("a core");
        let cores = [core(&shapes[0]), core(&shapes[1])];
        let pair = Pair {
            shapes: [0, 1],
            places: [place(0.0, 0.0), place(from[0], from[1])],
        };
        let moves = [Move::default(), Move { linear, angular }];
        first_contact(&cores, &pair, &moves).expect("an answer")
    }

    #[test]
    fn straight_motions_have_their_times() {
        let cube = || Shape::Box([1.0, 1.0, 1.0]);
        let still = [0.0; 3];
        let found = met([cube(), cube()], [5.0, 0.5], [-4.0, 0.0, 0.0], still);
        assert!((found.value - 0.75).abs() < 1e-14 && found.gap < 1e-14);
        assert!((found.normal[0] - 1.0).abs() < 1e-12);
        // A point: B's origin.
        let found = met(
            [cube(), Shape::Ball(0.0)],
            [4.0, 0.5],
            [-4.0, 0.0, 0.0],
            still,
        );
        assert!((found.value - 0.75).abs() < 1e-14);
        let balls = || [Shape::Ball(1.0), Shape::Ball(0.5)];
        // Their centres are 1.5 apart when one is 0.9 aside and 1.2 away.
        let found = met(balls(), [4.0, 0.9], [-4.0, 0.0, 0.0], still);
        assert!((found.value - 0.7).abs() < 1e-14);
        let found = met(balls(), [4.0, 1.6], [-4.0, 0.0, 0.0], still);
        assert_eq!(found.value, f64::INFINITY);
        let found = met(balls(), [7.0, 0.0], [-4.0, 0.0, 0.0], still);
        assert_eq!(found.value, f64::INFINITY);
    }

    #[test]
    fn a_bar_that_turns_meets_the_wall_with_its_corner() {
        // From upright: the corner (-0.1, 2) comes to -sqrt(4.01) sin(angle + atan(0.05)), the wall is 1.5 away.
        let (wall, bar) = (Shape::Box([1.0, 5.0, 5.0]), Shape::Box([0.1, 2.0, 0.3]));
        let found = met([wall, bar], [2.5, 0.0], [0.0; 3], [0.0, 0.0, 1.0]);
        let angle = (1.5 / 4.01_f64.sqrt()).asin() - 0.05_f64.atan();
        assert!((found.value - angle).abs() < 1e-13, "{found:?}");
        assert!(found.gap < 1e-13);
    }

    #[test]
    fn points_are_as_far_off_a_surface_as_they_are() {
        let core = Core::new(&Shape::Box([1.0, 2.0, 3.0]), 3).expect("a box");
        for (point, off) in [
            ([1.0, 0.5, 0.5], 0.0),
            ([1.25, 0.5, 0.5], 0.25),
            ([0.75, 0.5, 0.5], 0.25),
        ] {
            assert!((off_surface(&core, &place(0.0, 0.0), point) - off).abs() < 1e-12);
        }
    }
}
