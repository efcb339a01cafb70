//! A stack of boxes in Bevy that gjk's contact manifolds hold: an example of how an engine uses names of points.
//!
//! Where it sits: [`StackPlugin`] has the entities and the systems, `solver.rs` the sequential impulses, which know neither Bevy nor gjk's queries.
//! Idea: each step asks a manifold of every near pair. A point's impulses wait in a [`ManifoldCache`] under its name, and the next step begins with them.
//!
//! Frame: the world, y is up.  Units: metres, kilograms, seconds.

mod solver;

use bevy::prelude::*;
use gjk::query::{Manifold, ManifoldCache, ManifoldOptions, manifold};
use gjk::shape::{Cuboid, Shape};
use gjk::{Pose3, Vec3 as Place};
use solver::{Body, Row};
use std::collections::BTreeMap;

/// Boxes of the stack, and half of an edge.
pub const BOXES: u32 = 10;
const HALF_EDGE: f32 = 0.5;

/// The floor: its top is at y = 0.
const FLOOR: [f32; 3] = [10.0, 0.5, 10.0];

/// How much each box is turned against the one below, in radians.
const TURN: f32 = 0.2;

/// A step of the simulation, and how often each of them goes over all points.
pub const STEP: f32 = 1.0 / 60.0;
const ROUNDS: u32 = 40;

const GRAVITY: f32 = 9.81;

/// Points up to this separation are looked at.
const PREDICTION: f32 = 0.02;

/// Overlaps up to this are left alone; of deeper ones this part is pushed out in a step.
const SLOP: f32 = 5e-4;
const PUSHED: f32 = 0.1;

/// The scene and its systems: each update of the app is one step.
pub struct StackPlugin;

impl Plugin for StackPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Impulses>()
            .add_systems(Startup, spawn)
            .add_systems(Update, step);
    }
}

/// How a body moves. Boxes are cubes: one number says how hard they are to turn about any axis.
#[derive(Component, Clone, Copy, Default)]
pub struct Motion {
    /// Of the centre.
    pub velocity: Vec3,
    /// About the centre, in radians a second.
    pub spin: Vec3,
    inverse_mass: f32,
    inverse_inertia: f32,
}

/// What a body is to gjk.
#[derive(Component)]
struct Convex(Shape<Place<f32>>);

/// What is kept of each pair from step to step, by the numbers of its bodies.
#[derive(Resource, Default)]
pub struct Impulses {
    pairs: BTreeMap<[usize; 2], ManifoldCache<[f32; 3]>>,
    /// Points of the last step that had no impulses to begin with.
    pub new_points: u32,
    /// All points of the last step.
    pub points: u32,
}

fn cuboid(half_extents: [f32; 3]) -> Option<Convex> {
    let shape = Cuboid::new(half_extents.into()).ok()?;
    Some(Convex(shape.into()))
}

fn spawn(mut commands: Commands<'_, '_>) {
    if let Some(floor) = cuboid(FLOOR) {
        let place = Transform::from_xyz(0.0, -FLOOR[1], 0.0);
        commands.spawn((floor, Motion::default(), place));
    }
    for k in 0..BOXES {
        let Some(shape) = cuboid([HALF_EDGE; 3]) else {
            continue;
        };
        let height = HALF_EDGE * (2 * k + 1) as f32;
        let motion = Motion {
            inverse_mass: 1.0,
            // A cube of edge 1 and mass 1.
            inverse_inertia: 6.0,
            ..Motion::default()
        };
        let turn = Quat::from_rotation_y(TURN * k as f32);
        let place = Transform::from_xyz(0.0, height, 0.0).with_rotation(turn);
        commands.spawn((shape, motion, place));
    }
}

/// The pose of a transform; `None` where a number is not finite.
fn pose(transform: &Transform) -> Option<Pose3<f32>> {
    let place = Place::from(transform.translation.to_array());
    Pose3::from_quaternion(transform.rotation.to_array(), place).ok()
}

fn step(
    mut impulses: ResMut<'_, Impulses>,
    mut query: Query<'_, '_, (&Convex, &mut Motion, &mut Transform)>,
) {
    let mut found: Vec<_> = query.iter_mut().collect();
    let mut bodies: Vec<Body> = found
        .iter()
        .map(|(_, motion, place)| body(motion, place))
        .collect();
    for body in &mut bodies {
        body.fall(GRAVITY * STEP);
    }
    let shapes: Vec<_> = found
        .iter()
        .map(|(convex, _, place)| (&convex.0, pose(place)))
        .collect();
    let (mut rows, mut owners) = (Vec::new(), Vec::new());
    (impulses.new_points, impulses.points) = (0, 0);
    for j in 1..shapes.len() {
        for i in 0..j {
            let ((a, Some(pose_a)), (b, Some(pose_b))) = (&shapes[i], &shapes[j]) else {
                continue;
            };
            let options = ManifoldOptions::default()
                .with_prediction(PREDICTION)
                .with_all_points();
            let contact = manifold(*a, pose_a, *b, pose_b, &options);
            if contact.points.is_empty() {
                impulses.pairs.remove(&[i, j]);
                continue;
            }
            push_rows([i, j], &contact, &bodies, &mut impulses, &mut rows);
            owners.push([i, j]);
        }
    }
    solver::solve(&mut bodies, &mut rows, ROUNDS);
    let mut solved = rows.iter();
    for pair in owners {
        for value in impulses.pairs.entry(pair).or_default().values_mut() {
            *value = solved.next().map_or([0.0; 3], |row| row.impulses);
        }
    }
    for ((_, motion, place), body) in found.iter_mut().zip(&bodies) {
        (motion.velocity, motion.spin) = (body.velocity, body.spin);
        place.translation += body.velocity * STEP;
        place.rotation = (Quat::from_scaled_axis(body.spin * STEP) * place.rotation).normalize();
    }
}

fn body(motion: &Motion, place: &Transform) -> Body {
    Body {
        at: place.translation,
        velocity: motion.velocity,
        spin: motion.spin,
        inverse_mass: motion.inverse_mass,
        inverse_inertia: motion.inverse_inertia,
    }
}

/// The rows of a manifold's points, which begin with the impulses of the points of the same names.
fn push_rows(
    pair: [usize; 2],
    contact: &Manifold<Place<f32>>,
    bodies: &[Body],
    impulses: &mut Impulses,
    rows: &mut Vec<Row>,
) {
    let glam = |x: Place<f32>| Vec3::from_array(x.into());
    let normal = glam(contact.contact.normal);
    // Where the normal is nearly the same, so is the side: impulses across it are kept too.
    let axis = if normal.x.abs() < 0.9 {
        Vec3::X
    } else {
        Vec3::Y
    };
    let side = axis.reject_from_normalized(normal).normalize();
    let mut new_points = 0;
    let cache = impulses.pairs.entry(pair).or_default();
    let starts = cache.matched(contact, || {
        new_points += 1;
        [0.0; 3]
    });
    for (point, &start) in contact.points.iter().zip(starts.iter()) {
        let middle = (glam(point.point_a) + glam(point.point_b)) * 0.5;
        let separation = point.separation.middle();
        let bias = if separation > 0.0 {
            separation
        } else {
            PUSHED * (separation + SLOP).min(0.0)
        };
        rows.push(Row {
            bodies: pair,
            arms: pair.map(|id| middle - bodies[id].at),
            axes: [normal, side, normal.cross(side)],
            bias: bias / STEP,
            impulses: start,
        });
    }
    impulses.new_points += new_points;
    impulses.points += contact.points.len() as u32;
}
