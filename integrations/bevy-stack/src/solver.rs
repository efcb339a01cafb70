//! Sequential impulses: each point of contact in turn, until they agree.
//!
//! Idea: a row is a point with three axes, the normal and two across it. Its impulses so far are clamped as a sum: the normal one never
//! pulls, and friction is within a part of it.

use bevy::math::Vec3;

const FRICTION: f32 = 0.6;

/// A body as the solver sees it; one that never moves has zeros for its inverses.
pub(crate) struct Body {
    pub(crate) at: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) spin: Vec3,
    pub(crate) inverse_mass: f32,
    pub(crate) inverse_inertia: f32,
}

impl Body {
    pub(crate) fn fall(&mut self, speed: f32) {
        if self.inverse_mass > 0.0 {
            self.velocity.y -= speed;
        }
    }

    fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    fn push(&mut self, arm: Vec3, impulse: Vec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += arm.cross(impulse) * self.inverse_inertia;
    }

    /// How fast a unit of impulse along an axis at an arm makes that place.
    fn ease(&self, arm: Vec3, axis: Vec3) -> f32 {
        self.inverse_mass + self.inverse_inertia * arm.cross(axis).length_squared()
    }
}

/// A point of contact.
pub(crate) struct Row {
    pub(crate) bodies: [usize; 2],
    pub(crate) arms: [Vec3; 2],
    /// The normal from the first to the second, and two axes across it.
    pub(crate) axes: [Vec3; 3],
    /// A closing speed that is allowed; negative to push out.
    pub(crate) bias: f32,
    pub(crate) impulses: [f32; 3],
}

impl Row {
    fn apply(&self, bodies: &mut [Body], k: usize, impulse: f32) {
        let way = self.axes[k] * impulse;
        bodies[self.bodies[0]].push(self.arms[0], -way);
        bodies[self.bodies[1]].push(self.arms[1], way);
    }

    fn solve(&mut self, bodies: &mut [Body]) {
        // Friction first: the normal has the last word.
        for k in [1, 2, 0] {
            let axis = self.axes[k];
            let [a, b] = self.bodies.map(|id| &bodies[id]);
            let speed = (b.velocity_at(self.arms[1]) - a.velocity_at(self.arms[0])).dot(axis);
            let ease = a.ease(self.arms[0], axis) + b.ease(self.arms[1], axis);
            let bias = if k == 0 { self.bias } else { 0.0 };
            let wanted = self.impulses[k] - (speed + bias) / ease;
            let limit = FRICTION * self.impulses[0];
            let next = if k == 0 {
                wanted.max(0.0)
            } else {
                wanted.clamp(-limit, limit)
            };
            let change = next - self.impulses[k];
            self.impulses[k] = next;
            self.apply(bodies, k, change);
        }
    }
}

/// Begins with the impulses of the rows, and goes over them up and down so many times.
pub(crate) fn solve(bodies: &mut [Body], rows: &mut [Row], rounds: u32) {
    for row in rows.iter() {
        for k in 0..3 {
            row.apply(bodies, k, row.impulses[k]);
        }
    }
    for _ in 0..rounds {
        rows.iter_mut().for_each(|row| row.solve(bodies));
        rows.iter_mut().rev().for_each(|row| row.solve(bodies));
    }
}
