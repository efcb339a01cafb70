//! Boxes that stand on each other: a small solver of impulses on the points of manifolds, warm where an id was there in the step before.
//!
//! Where it sits: beside `simulation.rs`, whose bodies these are. The page keeps the state and sends it with every request, so that this stays a function.
//! Idea: sequential impulses (Catto 2006). Each point of a manifold is a row for the normal and rows for friction; a row starts from the impulse that the
//! point of the same id had, and few rounds are enough. Without that they are not: the second scene of the list shows it.
//! Units: metres, seconds; every box is a cube of side 1 and mass 1. The last axis of the space is up.

use crate::draw::{Figure, Item};
use crate::environment::Environment;
use crate::many_body::{Model, Place};
use crate::simulation::{Mover, Triple, cross, dot, mid, minus, plus};
use gjk::query::{self, ManifoldOptions};
use gjk::shape::{Cuboid, Shape};
use gjk::{Pose, Vec2, Vec3};
use gjk_query::answer::components;
use gjk_query::convert::{self, InputError, Space};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Rows of the heap in the plane, and boxes of the tower in space.
const HEAP: usize = 5;
const TOWER: usize = 6;
/// Half the floor, in the plane and in space; its top is at 0.
const FLOOR: [Triple; 2] = [[6.0, 0.4, 0.0], [3.5, 3.5, 0.4]];
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.6;
/// The inverse moment of inertia of a cube of side 1 and mass 1, and of a square.
const EASE_OF_TURN: f64 = 6.0;
/// A step of the solver; a frame has as many as its time, up to [`STEPS_A_FRAME`].
const STEP_SECONDS: f64 = 1.0 / 60.0;
const STEPS_A_FRAME: u32 = 2;
/// Rounds of the solver a step.
const ROUNDS: u32 = 15;
/// Of the first step, which has no impulses to start from.
const FIRST_ROUNDS: u32 = 300;
/// Points are wanted up to this separation.
const PREDICTION: f64 = 0.02;
/// A depth that is left alone, and the part of what is deeper that a step pushes out.
const LEFT_ALONE: f64 = 5e-4;
const PUSHED_OUT: f64 = 0.1;
/// Centres farther apart than this are of boxes that do not meet.
const REACH: f64 = 1.8;

/// Where everything is, and what the points carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StackState {
    dim: usize,
    /// Whether points start from the impulses of the step before.
    warm: bool,
    boxes: Vec<Mover>,
    /// Time that no step was made of.
    rest: f64,
    kept: Vec<KeptImpulse>,
}

/// What a point of a manifold carries to the next step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptImpulse {
    /// The bodies; the floor is the number of boxes.
    pair: [usize; 2],
    /// In two halves: a number of JSON holds but 53 bits.
    id: [u32; 2],
    /// Along the normal and both sides.
    impulse: Triple,
}

/// A point of a manifold as the solver has it.
struct Bearer {
    kept: KeptImpulse,
    /// It starts from the impulse that it had in the step before.
    known: bool,
    at: Triple,
    axes: [Triple; 3],
    /// The speed that is wanted along the normal.
    bias: f64,
}

/// The first frame; then each is [`frame`] of the one before.
///
/// # Errors  a dimension other than 2 and 3.
pub(crate) fn begin(
    dim: usize,
    warm: bool,
    environment: &Environment<'_>,
) -> Result<Value, InputError> {
    let state = StackState {
        dim,
        warm,
        boxes: if dim == 2 { heap() } else { tower() },
        rest: 0.0,
        kept: Vec::new(),
    };
    let mut shown = frame(state, 0.0, environment)?;
    let count = shown["places"].as_array().map_or(0, Vec::len) - 1;
    shown["models"] = if dim == 2 {
        json!(models::<Vec2<f64>>(count)?)
    } else {
        json!(models::<Vec3<f64>>(count)?)
    };
    Ok(shown)
}

/// The frame after some seconds.
///
/// # Errors  a state that is none: another count of boxes, numbers that are not finite, places far outside.
pub(crate) fn frame(
    state: StackState,
    seconds: f64,
    environment: &Environment<'_>,
) -> Result<Value, InputError> {
    let count = match state.dim {
        2 => HEAP * (HEAP + 1) / 2,
        _ => TOWER,
    };
    let named = |kept: &KeptImpulse| {
        kept.pair.iter().all(|&k| k <= count) && kept.impulse.iter().all(|x| x.is_finite())
    };
    let sane = matches!(state.dim, 2 | 3)
        && state.boxes.len() == count
        && state.rest.is_finite()
        && state.kept.len() <= 64 * count
        && state.boxes.iter().all(Mover::is_sane)
        && state.kept.iter().all(named);
    if !sane {
        let message = "expected a state as the frame before had it";
        return Err(InputError::new("bad_request", "state", message));
    }
    if state.dim == 2 {
        moved::<Vec2<f64>>(state, seconds, environment)
    } else {
        moved::<Vec3<f64>>(state, seconds, environment)
    }
}

/// Rows of boxes, one fewer in each.
fn heap() -> Vec<Mover> {
    let row = |y: usize| {
        let count = HEAP - y;
        (0..count).map(move |x| {
            let middle = (count - 1) as f64 / 2.0;
            Mover::still([1.1 * (x as f64 - middle), 0.5 + y as f64, 0.0], 0.0)
        })
    };
    (0..HEAP).flat_map(row).collect()
}

/// Boxes above each other, each turned a little more.
fn tower() -> Vec<Mover> {
    let one = |k: usize| Mover::still([0.0, 0.0, 0.5 + k as f64], 0.3 * k as f64);
    (0..TOWER).map(one).collect()
}

fn shapes<V: Space<Scalar = f64>>() -> Result<[Shape<V>; 2], InputError> {
    let cuboid = |half: Triple| Cuboid::new(V::from_f64(half)).map(Shape::from);
    Ok([cuboid([0.5; 3])?, cuboid(FLOOR[V::DIM - 2])?])
}

fn floor_pose<V: Space<Scalar = f64>>() -> Pose<V> {
    let mut at = [0.0; 3];
    at[V::DIM - 1] = -FLOOR[V::DIM - 2][V::DIM - 1];
    Pose::from_translation(V::from_f64(at))
}

fn models<V: Space<Scalar = f64>>(count: usize) -> Result<Vec<Model>, InputError> {
    let [cube, floor] = shapes::<V>()?;
    let mut all: Vec<Model> = (0..count)
        .map(|k| Model::new(k.to_string(), "mover", &cube))
        .collect();
    all.push(Model::new("floor", "wall", &floor));
    Ok(all)
}

fn moved<V: Space<Scalar = f64>>(
    mut state: StackState,
    seconds: f64,
    environment: &Environment<'_>,
) -> Result<Value, InputError> {
    let shapes = shapes::<V>()?;
    // A page that was hidden goes on where it was.
    let most = f64::from(STEPS_A_FRAME) * STEP_SECONDS;
    state.rest = (state.rest + seconds.max(0.0)).clamp(0.0, most);
    let mut asked = Asking {
        seconds: 0.0,
        pairs: 0,
        clock: environment.clock,
    };
    let mut bearers = Vec::new();
    while state.rest >= STEP_SECONDS {
        state.rest -= STEP_SECONDS;
        bearers = state.step::<V>(&shapes, &mut asked);
    }
    if bearers.is_empty() {
        bearers = state.bearers::<V>(&shapes, &mut asked);
    }
    let dot = |bearer: &Bearer| {
        let layer = if bearer.known {
            "kept_point"
        } else {
            "new_point"
        };
        let points = vec![components(V::from_f64(bearer.at))];
        Item::world(layer, Figure::Dots { points })
    };
    let items: Vec<Item> = bearers.iter().map(dot).collect();
    let places: Vec<Place> = state
        .poses::<V>()
        .iter()
        .map(|pose| Place::new(pose, false))
        .collect();
    let mut touching: Vec<[usize; 2]> = bearers.iter().map(|bearer| bearer.kept.pair).collect();
    touching.dedup();
    let known = bearers.iter().filter(|bearer| bearer.known).count();
    let asked = json!({"pairs": asked.pairs, "contacts": touching.len(), "seconds": asked.seconds,
        "points": bearers.len(), "known": known});
    Ok(json!({"state": state, "places": places, "items": items, "asked": asked}))
}

/// What was asked in a frame.
struct Asking {
    seconds: f64,
    pairs: usize,
    clock: fn() -> f64,
}

impl StackState {
    /// Where the boxes are, and the floor.
    fn poses<V: Space<Scalar = f64>>(&self) -> Vec<Pose<V>> {
        let boxes = self.boxes.iter();
        let mut poses: Vec<Pose<V>> = boxes.map(|one| convert::affine(&one.map())).collect();
        poses.push(floor_pose());
        poses
    }

    /// Pairs of boxes that are near, and of each with the floor where it is near.
    fn near(&self, up: usize) -> Vec<[usize; 2]> {
        let mut found = Vec::new();
        for (a, one) in self.boxes.iter().enumerate() {
            for (b, other) in self.boxes.iter().enumerate().skip(a + 1) {
                let apart = minus(other.at, one.at);
                if dot(apart, apart) < REACH * REACH {
                    found.push([a, b]);
                }
            }
            if one.at[up] < REACH / 2.0 {
                found.push([a, self.boxes.len()]);
            }
        }
        found
    }

    /// The points of all manifolds.
    fn bearers<V: Space<Scalar = f64>>(
        &self,
        [cube, floor]: &[Shape<V>; 2],
        asked: &mut Asking,
    ) -> Vec<Bearer> {
        let options = ManifoldOptions::default()
            .with_prediction(PREDICTION)
            .with_all_points();
        let poses = self.poses::<V>();
        let mut found = Vec::new();
        let pairs = self.near(V::DIM - 1);
        let start = (asked.clock)();
        let manifolds: Vec<_> = pairs
            .iter()
            .map(|&[a, b]| {
                let second = if b == self.boxes.len() { floor } else { cube };
                query::manifold(cube, &poses[a], second, &poses[b], &options)
            })
            .collect();
        asked.seconds += (asked.clock)() - start;
        asked.pairs += pairs.len();
        for (&pair, manifold) in pairs.iter().zip(&manifolds) {
            let normal = manifold.contact.normal.to_f64();
            for point in &manifold.points {
                let id = [(point.id >> 32) as u32, point.id as u32];
                let kept = self.kept.iter().filter(|_| self.warm);
                let before = kept
                    .copied()
                    .find(|kept| kept.pair == pair && kept.id == id);
                let separation = f64::midpoint(point.separation.lower, point.separation.upper);
                let bias = if separation > 0.0 {
                    separation
                } else {
                    PUSHED_OUT * (separation + LEFT_ALONE).min(0.0)
                };
                let impulse = before.map(|kept| kept.impulse);
                found.push(Bearer {
                    kept: KeptImpulse {
                        pair,
                        id,
                        impulse: impulse.unwrap_or_default(),
                    },
                    known: before.is_some(),
                    at: mid(point.point_a.to_f64(), point.point_b.to_f64()),
                    axes: across(V::DIM, normal),
                    bias: bias / STEP_SECONDS,
                });
            }
        }
        found
    }

    /// One step.
    fn step<V: Space<Scalar = f64>>(
        &mut self,
        shapes: &[Shape<V>; 2],
        asked: &mut Asking,
    ) -> Vec<Bearer> {
        for one in &mut self.boxes {
            one.velocity[V::DIM - 1] -= GRAVITY * STEP_SECONDS;
        }
        let mut bearers = self.bearers::<V>(shapes, asked);
        for bearer in &bearers {
            for (axis, impulse) in bearer.axes.into_iter().zip(bearer.kept.impulse) {
                self.push(bearer, axis, impulse);
            }
        }
        let rounds = if self.kept.is_empty() {
            FIRST_ROUNDS
        } else {
            ROUNDS
        };
        for _ in 0..rounds {
            for bearer in &mut bearers {
                self.solve(bearer);
            }
            for bearer in bearers.iter_mut().rev() {
                self.solve(bearer);
            }
        }
        for one in &mut self.boxes {
            one.go(STEP_SECONDS);
        }
        self.kept = bearers.iter().map(|bearer| bearer.kept).collect();
        bearers
    }

    /// Pushes the second body along an axis at a point, and the first against it.
    fn push(&mut self, bearer: &Bearer, axis: Triple, impulse: f64) {
        for (k, sign) in [(0, -impulse), (1, impulse)] {
            if let Some(one) = self.boxes.get_mut(bearer.kept.pair[k]) {
                let lever = cross(minus(bearer.at, one.at), axis);
                one.push(axis, sign, 0.0, lever, 1.0 / EASE_OF_TURN);
            }
        }
    }

    /// How fast the second body moves along an axis at a point, as the first sees it, and how much an impulse of 1 changes that.
    fn response(&self, bearer: &Bearer, axis: Triple) -> [f64; 2] {
        let mut found = [0.0, 0.0];
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(one) = self.boxes.get(bearer.kept.pair[k]) {
                let lever = cross(minus(bearer.at, one.at), axis);
                found[0] += sign * (dot(one.velocity, axis) + dot(one.spin, lever));
                found[1] += 1.0 + EASE_OF_TURN * dot(lever, lever);
            }
        }
        found
    }

    /// One round of a point: friction, then the normal.
    fn solve(&mut self, bearer: &mut Bearer) {
        for k in [1, 2, 0] {
            let axis = bearer.axes[k];
            let [speed, ease] = self.response(bearer, axis);
            if axis == [0.0; 3] || ease == 0.0 {
                continue;
            }
            let impulses = bearer.kept.impulse;
            let next = if k == 0 {
                (impulses[0] - (speed + bearer.bias) / ease).max(0.0)
            } else {
                let most = FRICTION * impulses[0];
                (impulses[k] - speed / ease).clamp(-most, most)
            };
            bearer.kept.impulse[k] = next;
            self.push(bearer, axis, next - impulses[k]);
        }
    }
}

/// The normal and what is across it: the same at every step where the normal is. In the plane there is one side.
fn across(dim: usize, normal: Triple) -> [Triple; 3] {
    if dim == 2 {
        return [normal, [-normal[1], normal[0], 0.0], [0.0; 3]];
    }
    let axis = if normal[0].abs() < 0.9 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let side = plus(axis, normal, -dot(axis, normal));
    let size = dot(side, side).sqrt();
    let side = side.map(|x| x / size);
    [normal, side, cross(normal, side)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVIRONMENT: Environment<'_> = Environment {
        clock: || 0.0,
        robot: None,
        meshes: None,
    };

    fn state_of(shown: &Value) -> StackState {
        serde_json::from_value(shown["state"].clone()).expect("a state")
    }

    /// The largest way of a box in ten seconds, and how many points were known in the last frame.
    fn run(dim: usize, warm: bool) -> (f64, [u64; 2]) {
        let mut shown = begin(dim, warm, &ENVIRONMENT).expect("a beginning");
        let start = state_of(&shown);
        for _ in 0..600 {
            shown = frame(state_of(&shown), 1.0 / 60.0 + 1e-9, &ENVIRONMENT).expect("a frame");
        }
        let end = state_of(&shown);
        let way = |(a, b): (&Mover, &Mover)| {
            let apart = minus(a.at, b.at);
            dot(apart, apart).sqrt()
        };
        let ways = start.boxes.iter().zip(&end.boxes).map(way);
        let counts = ["points", "known"].map(|key| shown["asked"][key].as_u64().expect("a count"));
        (ways.fold(0.0, f64::max), counts)
    }

    /// With what the ids carry boxes stand; without it as few rounds do not hold them up.
    #[test]
    fn boxes_stand_where_points_keep_their_impulses() {
        for dim in [2, 3] {
            let (warm, [points, known]) = run(dim, true);
            let (cold, _) = run(dim, false);
            assert!(warm < 0.002, "{dim}: {warm}");
            assert!(points > 0 && points == known, "{dim}: {known} of {points}");
            assert!(cold > 0.02, "{dim}: {cold} {warm}");
        }
    }

    #[test]
    fn a_stack_that_is_none_is_refused() {
        let shown = begin(3, true, &ENVIRONMENT).expect("a beginning");
        let mut state = state_of(&shown);
        state.boxes[3].at[0] = f64::NAN;
        assert!(frame(state.clone(), 0.01, &ENVIRONMENT).is_err());
        state.boxes.truncate(2);
        assert!(frame(state, 0.01, &ENVIRONMENT).is_err());
        assert!(begin(4, true, &ENVIRONMENT).is_err());
    }
}
