//! "Bounce": a dozen bodies in a box, without gravity and without friction; every pair is a query in every frame.
//!
//! Where it sits: the page keeps the state and sends it with every request, so that this stays a function.
//! Idea: the motion is the plainest there is, for the contacts are the point: a move, then an impulse along the normal of every
//! pair that the library says touch or overlap, and a push by the depth. Vectors have three components; in the plane the third is
//! 0.
//! Units: metres, seconds; every body has mass 1 and turns like a ball of [`INERTIA_RADIUS`].

use crate::draw::Item;
use crate::environment::Environment;
use crate::many_body::{self, Asked, Model, Place};
use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::{Ball, Capsule, Cuboid, Ellipsoid, Polytope, Shape, ShapeError};
use gjk::{Axis, Pose, Vec2, Vec3};
use gjk_query::answer::components;
use gjk_query::convert::{self, InputError, Space};
use gjk_scene::Affine;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) type Triple = [f64; 3];

/// How many bodies there are.
const BODIES: usize = 12;
/// Half the room, in the plane and in space.
const ROOM: [Triple; 2] = [[5.0, 3.2, 0.0], [2.6, 2.6, 2.0]];
/// Half the thickness of a wall: more than a body moves in a frame.
const WALL: f64 = 0.5;
/// The second moment of a ball of this radius and mass 1 is 2/5 of its square.
const INERTIA_RADIUS: f64 = 0.6;
/// A frame is at most this long: a page that was hidden goes on where it was.
const FRAME_MAX: f64 = 1.0 / 30.0;

/// Where everything is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    dim: usize,
    bodies: Vec<Mover>,
}

/// One body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mover {
    pub(crate) at: Triple,
    /// A quaternion `[x, y, z, w]`.
    turn: [f64; 4],
    pub(crate) velocity: Triple,
    /// Radians a second.
    pub(crate) spin: Triple,
}

/// The first frame; then each is [`frame`] of the one before.
///
/// # Errors  a dimension other than 2 and 3.
pub(crate) fn begin(dim: usize, environment: &Environment<'_>) -> Result<Value, InputError> {
    let state = State {
        dim,
        bodies: (0..BODIES).map(|k| first(dim, k)).collect(),
    };
    let mut shown = frame(state, 0.0, environment)?;
    shown["models"] = if dim == 2 {
        json!(models::<Vec2<f64>>()?)
    } else {
        json!(models::<Vec3<f64>>()?)
    };
    Ok(shown)
}

/// The frame after some seconds.
///
/// # Errors  a state that is none: another count of bodies, numbers that are not finite, places far outside.
pub(crate) fn frame(
    state: State,
    seconds: f64,
    environment: &Environment<'_>,
) -> Result<Value, InputError> {
    let sane = state.bodies.iter().all(Mover::is_sane);
    if !matches!(state.dim, 2 | 3) || state.bodies.len() != BODIES || !sane {
        return Err(InputError::new(
            "bad_request",
            "state",
            "expected a state as the frame before had it",
        ));
    }
    let seconds = if seconds > 0.0 {
        seconds.min(FRAME_MAX)
    } else {
        0.0
    };
    if state.dim == 2 {
        step::<Vec2<f64>>(state, seconds, environment)
    } else {
        step::<Vec3<f64>>(state, seconds, environment)
    }
}

/// Where a body starts: on a grid, each its own way.
fn first(dim: usize, k: usize) -> Mover {
    let (x, y) = ((k % 4) as f64 - 1.5, (k / 4) as f64 - 1.0);
    let angle = 2.4 * k as f64;
    let (sine, cosine) = libm::sincos(angle);
    if dim == 2 {
        return Mover {
            at: [2.3 * x, 2.0 * y, 0.0],
            turn: [0.0, 0.0, libm::sin(angle / 2.0), libm::cos(angle / 2.0)],
            velocity: [2.2 * cosine, 2.2 * sine, 0.0],
            spin: [0.0, 0.0, 1.5 * cosine],
        };
    }
    Mover {
        at: [
            1.25 * x,
            1.6 * y,
            if k.is_multiple_of(2) { 0.9 } else { -0.9 },
        ],
        turn: [0.3 * sine, 0.3 * cosine, 0.2, 0.9],
        velocity: [1.8 * cosine, 1.8 * sine, 1.3 * libm::sin(angle * 0.7)],
        spin: [cosine, sine, 1.0],
    }
}

/// The bodies, six kinds in turn.
fn shapes<V: Space<Scalar = f64>>() -> Result<Vec<Shape<V>>, ShapeError> {
    let polygon = |corners: usize, radius: f64| {
        let corner = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / corners as f64;
            let (sine, cosine) = libm::sincos(angle);
            V::from_f64([
                radius * cosine,
                radius * sine,
                if k.is_multiple_of(2) { 0.5 } else { -0.5 },
            ])
        };
        Polytope::new(&(0..corners).map(corner).collect::<Vec<V>>())
    };
    let kinds: [Shape<V>; 6] = [
        Cuboid::new(V::from_f64([0.55, 0.45, 0.4]))?.into(),
        polygon(if V::DIM == 2 { 3 } else { 4 }, 0.75)?.into(),
        Ball::new(0.55)?.into(),
        polygon(if V::DIM == 2 { 6 } else { 10 }, 0.65)?.into(),
        Capsule::new(0.4, 0.3, Axis::X)?.into(),
        Ellipsoid::new(V::from_f64([0.75, 0.4, 0.5]))?.into(),
    ];
    Ok((0..BODIES)
        .map(|k| kinds[k % kinds.len()].clone())
        .collect())
}

/// A wall and where it stands.
type Wall<V> = (Shape<V>, Pose<V>);

/// The walls: thick boxes around the room.
fn walls<V: Space<Scalar = f64>>() -> Result<Vec<Wall<V>>, ShapeError> {
    let room = ROOM[V::DIM - 2];
    let mut walls = Vec::new();
    for k in 0..V::DIM {
        for side in [-1.0, 1.0] {
            let mut half = room.map(|x| x + 2.0 * WALL);
            half[k] = WALL;
            let mut at = [0.0; 3];
            at[k] = side * (room[k] + WALL);
            walls.push((
                Cuboid::new(V::from_f64(half))?.into(),
                Pose::from_translation(V::from_f64(at)),
            ));
        }
    }
    Ok(walls)
}

fn models<V: Space<Scalar = f64>>() -> Result<Vec<Model>, InputError> {
    let bodies = shapes::<V>()?;
    let mut models: Vec<Model> = bodies
        .iter()
        .enumerate()
        .map(|(k, shape)| Model::new(k.to_string(), "mover", shape))
        .collect();
    models.extend(
        walls::<V>()?
            .iter()
            .map(|(shape, _)| Model::new("wall", "wall", shape)),
    );
    Ok(models)
}

fn step<V: Space<Scalar = f64>>(
    mut state: State,
    seconds: f64,
    environment: &Environment<'_>,
) -> Result<Value, InputError> {
    for mover in &mut state.bodies {
        mover.go(seconds);
    }
    let shapes = shapes::<V>()?;
    let poses: Vec<Pose<V>> = state
        .bodies
        .iter()
        .map(|mover| convert::affine(&mover.map()))
        .collect();
    let walls = walls::<V>()?;
    // The second of a pair may be a wall.
    let pairs: Vec<(usize, usize)> = (0..BODIES)
        .flat_map(|a| (a + 1..BODIES + walls.len()).map(move |b| (a, b)))
        .collect();
    let moving = shapes.iter().zip(&poses);
    let solids: Vec<_> = moving
        .chain(walls.iter().map(|(shape, pose)| (shape, pose)))
        .collect();
    let start = (environment.clock)();
    let found = query_all(&pairs, &solids);
    let taken = (environment.clock)() - start;
    let mut items: Vec<Item> = Vec::new();
    let mut hit = vec![false; BODIES + walls.len()];
    let mut contacts = 0;
    for (&(a, b), contact) in pairs.iter().zip(&found) {
        if !matches!(contact.verdict, Verdict::Touching | Verdict::Overlapping) {
            continue;
        }
        contacts += 1;
        if contact.verdict == Verdict::Overlapping {
            (hit[a], hit[b]) = (true, b < BODIES);
        }
        let points = [contact.point_a, contact.point_b].map(components);
        items.extend(many_body::contact(points, components(contact.normal)));
        state.bounce(a, b, contact);
    }
    let places = poses
        .iter()
        .chain(walls.iter().map(|(_, pose)| pose))
        .zip(&hit);
    let places: Vec<Place> = places.map(|(pose, &hit)| Place::new(pose, hit)).collect();
    let asked = Asked {
        pairs: pairs.len(),
        contacts,
        seconds: taken,
    };
    Ok(json!({"state": state, "places": places, "items": items, "asked": asked}))
}

/// The contact of each pair, by the numbers of its two bodies.
fn query_all<V: Space<Scalar = f64>>(
    pairs: &[(usize, usize)],
    bodies: &[(&Shape<V>, &Pose<V>)],
) -> Vec<Contact<V>> {
    let options = Options::tight().with_cutoff(0.0);
    let contact = |&(a, b): &(usize, usize)| {
        let ((shape_a, pose_a), (shape_b, pose_b)) = (bodies[a], bodies[b]);
        query::contact(shape_a, pose_a, shape_b, pose_b, &options)
    };
    pairs.iter().map(contact).collect()
}

impl State {
    /// Turns two bodies back from one another, or one from a wall, and parts them. Nothing is lost: `1 + 1` is twice the
    /// approach.
    fn bounce<V: Space<Scalar = f64>>(&mut self, a: usize, b: usize, contact: &Contact<V>) {
        let wide = |v: V| v.to_f64();
        let (normal, at) = (
            wide(contact.normal),
            mid(wide(contact.point_a), wide(contact.point_b)),
        );
        let inertia = 0.4 * INERTIA_RADIUS * INERTIA_RADIUS;
        let is_wall = b >= self.bodies.len();
        // The speed at the contact along the normal, and how much an impulse of 1 changes it.
        let response = |mover: &Mover| {
            let arm = minus(at, mover.at);
            let lever = cross(arm, normal);
            (
                dot(mover.velocity, normal) + dot(mover.spin, lever),
                1.0 + dot(lever, lever) / inertia,
                lever,
            )
        };
        let (speed_a, ease_a, lever_a) = response(&self.bodies[a]);
        let (speed_b, ease_b, lever_b) = if is_wall {
            (0.0, 0.0, [0.0; 3])
        } else {
            response(&self.bodies[b])
        };
        let approach = speed_a - speed_b;
        let impulse = if approach > 0.0 {
            2.0 * approach / (ease_a + ease_b)
        } else {
            0.0
        };
        let depth = (-contact.signed_distance.lower).clamp(0.0, WALL);
        let share = if is_wall { depth } else { depth / 2.0 };
        self.bodies[a].push(normal, -impulse, -share, lever_a, inertia);
        if !is_wall {
            self.bodies[b].push(normal, impulse, share, lever_b, inertia);
        }
    }
}

impl Mover {
    /// A body at rest, turned about the last axis of space.
    pub(crate) fn still(at: Triple, angle: f64) -> Self {
        Self {
            at,
            turn: [0.0, 0.0, libm::sin(angle / 2.0), libm::cos(angle / 2.0)],
            velocity: [0.0; 3],
            spin: [0.0; 3],
        }
    }

    /// Whether its numbers are finite, and it is not far outside.
    pub(crate) fn is_sane(&self) -> bool {
        let numbers = self.at.iter().chain(&self.turn);
        let mut numbers = numbers.chain(&self.velocity).chain(&self.spin);
        numbers.all(|x| x.is_finite() && x.abs() < 1e6) && self.turn.iter().any(|x| x.abs() > 1e-6)
    }

    pub(crate) fn go(&mut self, seconds: f64) {
        self.at = plus(self.at, self.velocity, seconds);
        let [x, y, z, w] = self.turn;
        let [p, q, r] = self.spin.map(|s| s * seconds / 2.0);
        // The quaternion's derivative, then made unit again.
        let turned = [
            x + p * w + q * z - r * y,
            y + q * w + r * x - p * z,
            z + r * w + p * y - q * x,
            w - p * x - q * y - r * z,
        ];
        let length = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.turn = turned.map(|x| x / length);
    }

    pub(crate) fn map(&self) -> Affine {
        Affine {
            translation: self.at,
            ..Affine::from_quaternion(self.turn)
        }
    }

    pub(crate) fn push(
        &mut self,
        normal: Triple,
        impulse: f64,
        by: f64,
        lever: Triple,
        inertia: f64,
    ) {
        self.velocity = plus(self.velocity, normal, impulse);
        self.spin = plus(self.spin, lever, impulse / inertia);
        self.at = plus(self.at, normal, by);
    }
}

pub(crate) fn plus(a: Triple, b: Triple, times: f64) -> Triple {
    [0, 1, 2].map(|k| a[k] + times * b[k])
}

pub(crate) fn minus(a: Triple, b: Triple) -> Triple {
    plus(a, b, -1.0)
}

pub(crate) fn mid(a: Triple, b: Triple) -> Triple {
    [0, 1, 2].map(|k| f64::midpoint(a[k], b[k]))
}

pub(crate) fn dot(a: Triple, b: Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVIRONMENT: Environment<'_> = Environment {
        clock: || 0.0,
        robot: None,
        meshes: None,
    };

    fn energy(state: &State) -> f64 {
        let inertia = 0.4 * INERTIA_RADIUS * INERTIA_RADIUS;
        state
            .bodies
            .iter()
            .map(|m| dot(m.velocity, m.velocity) + inertia * dot(m.spin, m.spin))
            .sum()
    }

    /// For a minute: nothing leaves the room, nothing gains or loses speed, and bodies do meet.
    #[test]
    fn bodies_stay_in_the_room_and_keep_their_energy() {
        for dim in [2, 3] {
            let mut shown = begin(dim, &ENVIRONMENT).expect("a beginning");
            let of = |shown: &Value| {
                serde_json::from_value::<State>(shown["state"].clone()).expect("a state")
            };
            let before = energy(&of(&shown));
            let mut contacts = 0;
            for _ in 0..3600 {
                shown = frame(of(&shown), 1.0 / 60.0, &ENVIRONMENT).expect("a frame");
                contacts += shown["asked"]["contacts"].as_u64().expect("a count");
            }
            let state = of(&shown);
            for mover in &state.bodies {
                assert!(
                    (0..dim).all(|k| mover.at[k].abs() < ROOM[dim - 2][k]),
                    "{dim}: {mover:?}"
                );
            }
            assert!(
                dim == 3
                    || state
                        .bodies
                        .iter()
                        .all(|m| m.at[2] == 0.0 && m.spin[0] == 0.0)
            );
            assert!(
                (energy(&state) / before - 1.0).abs() < 1e-6,
                "{dim}: {} of {before}",
                energy(&state)
            );
            assert!(contacts > 500, "{dim}: {contacts}");
        }
    }

    #[test]
    fn a_state_that_is_none_is_refused() {
        let mut state = State {
            dim: 2,
            bodies: (0..BODIES).map(|k| first(2, k)).collect(),
        };
        state.bodies[3].at[0] = f64::NAN;
        assert!(frame(state.clone(), 0.01, &ENVIRONMENT).is_err());
        state.bodies.truncate(2);
        assert!(frame(state, 0.01, &ENVIRONMENT).is_err());
        assert!(begin(4, &ENVIRONMENT).is_err());
    }
}
