//! Five boxes on a floor under gravity, with a small solver of sequential impulses: what ids are for.

use crate::resting::cuboid;
use gjk::query::{ManifoldCache, ManifoldOptions, manifold};
use gjk::shape::Shape;
use gjk::{Pose3, Vec3, Vector};

type V = Vec3<f64>;

const BOXES: usize = 5;
const STEPS: usize = 1200;
/// The steps in which it sinks to the depth that is left alone.
const SETTLED: usize = 600;
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

/// How far any box moved after it had settled, the largest rise of the energy since, and how many points were new.
fn run(warm: bool, steps: usize) -> (f64, f64, usize) {
    let shapes = [cuboid([20.0, 20.0, 0.5]), cuboid([0.5; 3])];
    let mut bodies: Vec<Body> = (0..=BOXES)
        .map(|k| {
            let half = 0.15 * k as f64;
            Body {
                at: Vec3::new(0.0, 0.0, k as f64 - 0.5),
                q: if k == 0 {
                    [0.0, 0.0, 0.0, 1.0]
                } else {
                    [0.0, 0.0, half.sin(), half.cos()]
                },
                velocity: V::ZERO,
                spin: V::ZERO,
                moves: if k == 0 { 0.0 } else { 1.0 },
            }
        })
        .collect();
    let mut start = bodies.clone();
    let energy = |bodies: &[Body]| bodies.iter().map(Body::energy).sum::<f64>();
    let mut first = energy(&bodies);
    let mut caches = vec![ManifoldCache::default(); BOXES];
    let (mut drift, mut rise, mut new) = (0.0f64, 0.0f64, 0);
    for step in 0..steps {
        for body in &mut bodies {
            body.velocity.z -= GRAVITY * DT * body.moves;
        }
        let mut rows = rows(&bodies, &shapes, &mut caches, warm, &mut new);
        for row in &rows {
            for k in 0..3 {
                row.apply(&mut bodies, row.axes[k], row.impulses[k]);
            }
        }
        // The first step has no impulses yet.
        for _ in 0..if step == 0 { 300 } else { 30 } {
            rows.iter_mut().for_each(|row| row.solve(&mut bodies));
            rows.iter_mut().rev().for_each(|row| row.solve(&mut bodies));
        }
        let mut left = rows.iter();
        for cache in &mut caches {
            for value in cache.values_mut() {
                *value = left.next().unwrap().impulses;
            }
        }
        bodies.iter_mut().for_each(Body::step);
        if step <= SETTLED {
            (start, first, new) = (bodies.clone(), energy(&bodies), 0);
            continue;
        }
        let away = bodies
            .iter()
            .zip(&start)
            .map(|(now, then)| (now.at - then.at).norm());
        drift = away.fold(drift, f64::max);
        rise = rise.max(energy(&bodies) - first);
    }
    (drift, rise, new)
}

#[test]
fn a_stack_stands_with_ids_and_sags_without() {
    let (drift, rise, new) = run(true, STEPS);
    assert!(drift < 1e-3 && rise < 1e-3, "drift {drift}, energy {rise}");
    // Nearly a thousandth of the 36 points of each step would be 43.
    assert!(new < 40, "new points {new}");
    let (without, ..) = run(false, 900);
    assert!(without > 4.0 * drift, "{without} beside {drift}");
}
