//! Boxes on a floor under gravity, with a small solver of sequential impulses: what ids are for.
//!
//! `STACK_SECONDS=60 cargo test --release -p gjk --test manifold stack -- --nocapture` holds the stack at rest for a minute.

use crate::resting::cuboid;
use gjk::query::{ManifoldCache, ManifoldOptions, manifold};
use gjk::shape::Shape;
use gjk::{Pose3, Vec3, Vector};

type V = Vec3<f64>;

/// How long the stack at rest is held by default, in seconds of its time.
const SECONDS: f64 = 4.0;
const DT: f64 = 1.0 / 60.0;
/// A depth that is left alone.
const SLOP: f64 = 5e-4;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.6;
/// Of a cube of side 1 and mass 1.
const INVERSE_INERTIA: f64 = 6.0;

#[derive(Clone, Copy)]
struct Body {
    at: V,
    q: [f64; 4],
    velocity: V,
    spin: V,
    /// 0 or 1: the inverse mass.
    moves: f64,
}

impl Body {
    fn pose(&self) -> Pose3<f64> {
        Pose3::from_quaternion(self.q, self.at).unwrap()
    }

    fn velocity_at(&self, arm: V) -> V {
        self.velocity + self.spin.cross(arm)
    }

    fn push(&mut self, arm: V, impulse: V) {
        self.velocity = self.velocity + impulse * self.moves;
        self.spin = self.spin + arm.cross(impulse) * (INVERSE_INERTIA * self.moves);
    }

    fn step(&mut self) {
        self.at = self.at + self.velocity * DT;
        let [x, y, z, w] = self.q;
        let turn = self.spin * (DT / 2.0);
        let vector = Vec3::new(x, y, z);
        let moved = vector + turn * w + turn.cross(vector);
        let q = [moved.x, moved.y, moved.z, w - turn.dot(vector)];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.q = q.map(|x| x / length);
    }

    fn energy(&self) -> f64 {
        let kinetic = self.velocity.norm_squared() + self.spin.norm_squared() / INVERSE_INERTIA;
        self.moves * (kinetic / 2.0 + GRAVITY * self.at.z)
    }
}

/// A row of the solver: a direction at a point, and the impulse so far.
struct Row {
    bodies: [usize; 2],
    arms: [V; 2],
    axes: [V; 3],
    bias: f64,
    impulses: [f64; 3],
}

impl Row {
    fn apply(&self, bodies: &mut [Body], axis: V, impulse: f64) {
        bodies[self.bodies[0]].push(self.arms[0], axis * -impulse);
        bodies[self.bodies[1]].push(self.arms[1], axis * impulse);
    }

    fn solve(&mut self, bodies: &mut [Body]) {
        for k in [1, 2, 0] {
            let axis = self.axes[k];
            let [a, b] = self.bodies.map(|id| bodies[id]);
            let speed = (b.velocity_at(self.arms[1]) - a.velocity_at(self.arms[0])).dot(axis);
            let weight = |body: &Body, arm: V| {
                body.moves * (1.0 + INVERSE_INERTIA * arm.cross(axis).norm_squared())
            };
            let mass = 1.0 / (weight(&a, self.arms[0]) + weight(&b, self.arms[1]));
            let bias = if k == 0 { self.bias } else { 0.0 };
            let wanted = self.impulses[k] - mass * (speed + bias);
            let limit = FRICTION * self.impulses[0];
            let next = if k == 0 {
                wanted.max(0.0)
            } else {
                wanted.clamp(-limit, limit)
            };
            let change = next - self.impulses[k];
            self.impulses[k] = next;
            self.apply(bodies, axis, change);
        }
    }
}

fn rows(
    bodies: &[Body],
    shapes: &[Shape<V>; 2],
    caches: &mut [ManifoldCache<[f64; 3]>],
    warm: bool,
    new: &mut usize,
) -> Vec<Row> {
    let options = ManifoldOptions::default()
        .with_prediction(0.02)
        .with_all_points();
    let mut rows = Vec::new();
    for upper in 1..bodies.len() {
        let lower = upper - 1;
        let (below, above) = (&bodies[lower], &bodies[upper]);
        let floor = &shapes[usize::from(lower > 0)];
        let found = manifold(floor, &below.pose(), &shapes[1], &above.pose(), &options);
        if !warm {
            caches[lower] = ManifoldCache::default();
        }
        let impulses = caches[lower].matched(&found, || {
            *new += 1;
            [0.0; 3]
        });
        let normal = found.contact.normal;
        // The same at every step, where the normal is.
        let side = (Vec3::new(1.0, 0.0, 0.0) - normal * normal.x)
            .normalized()
            .unwrap();
        for (point, &impulses) in found.points.iter().zip(impulses.iter()) {
            let middle = (point.point_a + point.point_b) * 0.5;
            let separation = point.separation.middle();
            // What is deeper than this is pushed out, slowly.
            let bias = if separation > 0.0 {
                separation
            } else {
                0.1 * (separation + SLOP).min(0.0)
            };
            rows.push(Row {
                bodies: [lower, upper],
                arms: [middle - below.at, middle - above.at],
                axes: [normal, side, normal.cross(side)],
                bias: bias / DT,
                impulses,
            });
        }
    }
    rows
}

/// Boxes that are held for a while.
struct Scene {
    boxes: usize,
    /// The angle of each about the vertical, against the one below it.
    turn: f64,
    /// How deep each is in the one below it at the start.
    sunk: f64,
    steps: usize,
    /// The steps in which it sinks to the depth that is left alone.
    settled: usize,
    /// Sweeps of the solver, there and back, of the first step and of the others.
    sweeps: [usize; 2],
    /// Whether the first step begins with the weights, shared by the points of each contact.
    balanced: bool,
    /// Whether impulses are carried from step to step by ids.
    warm: bool,
}

/// What came of it after it had settled.
#[derive(Debug)]
struct Outcome {
    /// How far any box moved.
    drift: f64,
    /// The same of the one on top.
    top: f64,
    /// The largest rise of the energy.
    rise: f64,
    /// The points that were new.
    new: usize,
}

impl Scene {
    fn bodies(&self) -> Vec<Body> {
        let body = |k: usize| {
            let half = 0.5 * self.turn * k as f64;
            Body {
                at: Vec3::new(0.0, 0.0, k as f64 * (1.0 - self.sunk) - 0.5),
                q: [0.0, 0.0, half.sin(), half.cos()],
                velocity: V::ZERO,
                spin: V::ZERO,
                moves: if k == 0 { 0.0 } else { 1.0 },
            }
        };
        (0..=self.boxes).map(body).collect()
    }

    fn share_weights(&self, rows: &mut [Row]) {
        for lower in 0..self.boxes {
            let is_here = |row: &&mut Row| row.bodies[0] == lower;
            let count = rows.iter_mut().filter(is_here).count();
            let weight = (self.boxes - lower) as f64 * GRAVITY * DT;
            for row in rows.iter_mut().filter(is_here) {
                row.impulses[0] = weight / count as f64;
            }
        }
    }

    fn step(&self, bodies: &mut [Body], rows: &mut [Row], sweeps: usize) {
        for row in &*rows {
            for k in 0..3 {
                row.apply(bodies, row.axes[k], row.impulses[k]);
            }
        }
        for _ in 0..sweeps {
            rows.iter_mut().for_each(|row| row.solve(bodies));
            rows.iter_mut().rev().for_each(|row| row.solve(bodies));
        }
        bodies.iter_mut().for_each(Body::step);
    }

    fn run(&self) -> Outcome {
        let shapes = [cuboid([20.0, 20.0, 0.5]), cuboid([0.5; 3])];
        let mut bodies = self.bodies();
        let mut start = bodies.clone();
        let energy = |bodies: &[Body]| bodies.iter().map(Body::energy).sum::<f64>();
        let mut caches = vec![ManifoldCache::default(); self.boxes];
        let (mut drift, mut top, mut rise, mut new) = (0.0f64, 0.0f64, 0.0f64, 0);
        for step in 0..self.steps {
            for body in &mut bodies {
                body.velocity.z -= GRAVITY * DT * body.moves;
            }
            let mut rows = rows(&bodies, &shapes, &mut caches, self.warm, &mut new);
            if step == 0 && self.balanced {
                self.share_weights(&mut rows);
            }
            // The first step has no impulses yet, or those.
            self.step(&mut bodies, &mut rows, self.sweeps[usize::from(step > 0)]);
            let mut left = rows.iter();
            for value in caches.iter_mut().flat_map(ManifoldCache::values_mut) {
                *value = left.next().unwrap().impulses;
            }
            if step <= self.settled {
                (start, new) = (bodies.clone(), 0);
                continue;
            }
            let pairs = bodies.iter().zip(&start);
            let away = pairs.map(|(now, then)| (now.at - then.at).norm());
            // The last one is on top.
            for away in away {
                (drift, top) = (drift.max(away), away);
            }
            rise = rise.max(energy(&bodies) - energy(&start));
        }
        Outcome {
            drift,
            top,
            rise,
            new,
        }
    }
}

#[test]
fn a_stack_stands_with_ids_and_sags_without() {
    let scene = |warm, steps| Scene {
        boxes: 5,
        turn: 0.3,
        sunk: 0.0,
        steps,
        settled: 600,
        sweeps: [300, 30],
        balanced: false,
        warm,
    };
    let with = scene(true, 1200).run();
    assert!(with.drift < 1e-3 && with.rise < 1e-3, "{with:?}");
    // Nearly a thousandth of the 36 points of each step would be 43.
    assert!(with.new < 40, "{with:?}");
    let without = scene(false, 900).run();
    assert!(
        without.drift > 4.0 * with.drift,
        "{without:?} beside {with:?}"
    );
}

/// Twenty boxes at rest: the top box is less than 2 mm from its place all the time, and of 1960 J the energy grows by less than one thousandth of one.
/// The first step begins with their weights, and the ids carry them on: a name that changed would be a weight that is missing, and the stack would fall.
#[test]
fn twenty_boxes_rest() {
    let seconds = std::env::var("STACK_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let scene = Scene {
        boxes: 20,
        turn: 0.3,
        sunk: SLOP,
        steps: (seconds / DT).round() as usize,
        settled: 0,
        balanced: true,
        sweeps: [20; 2],
        warm: true,
    };
    let outcome = scene.run();
    // For `--nocapture`: what was measured.
    let text = format!("{seconds} s: {outcome:?}\n");
    std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).ok();
    assert!(outcome.top < 2e-3 && outcome.rise < 1e-3, "{outcome:?}");
    assert_eq!(outcome.new, 0);
}
