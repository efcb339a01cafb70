//! A relative motion in `f64`, and a point as a body.

use crate::math::{Scalar, Vector, Vector64, exponent_of};
use crate::support::{Core, Form, Support, SupportPoint};

/// Roundings of a product `n·v` with a rounded normal, of the sum of its terms: four of a component of the normal, one of the difference of velocities,
/// one of a product, two of the sums. One is room.
const STILL_ROUNDINGS: f64 = 9.0;

/// A relative motion in `f64`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track<W: Vector> {
    /// Of A and of B.
    pub(super) velocities: [W; 2],
    /// The second less the first, each component rounded once.
    pub(super) direction: W,
    /// Infinite where the motion has no end.
    pub(super) end: f64,
}

impl<W: Vector64> Track<W> {
    pub(super) fn of<V: Vector<Wide = W>>(velocities: [V; 2], end: Option<V::Scalar>) -> Self {
        let [a, b] = velocities.map(|v| v.lift::<W>());
        Self {
            velocities: [a, b],
            direction: b - a,
            end: end.map_or(f64::INFINITY, Scalar::to_f64),
        }
    }

    /// Whether the velocities are the same.
    pub(super) fn rests(&self) -> bool {
        let [a, b] = self.velocities;
        a == b
    }

    /// The motion back in time, up to now.
    pub(super) fn reversed(&self) -> Self {
        Self {
            velocities: self.velocities.map(|v| -v),
            direction: -self.direction,
            end: 0.0,
        }
    }

    /// The length of the direction, of any size.
    pub(super) fn speed(&self) -> f64 {
        // The squares of very small and very large components are no floats.
        let power = exponent_of(self.direction.max_abs());
        let near_one = self.direction.scaled_by_power(-power);
        near_one.norm().scale_by_power(power).min(f64::MAX)
    }

    /// Whether B surely does not approach along a normal, which is rounded.
    pub(super) fn leaves_along<V: Vector<Wide = W>>(&self, normal: V) -> bool {
        // Near one, so that no product underflows.
        let power = exponent_of(self.direction.max_abs());
        let direction = self.direction.scaled_by_power(-power);
        let normal = normal.lift::<W>();
        let terms = W::from_fn(|k| normal.component(k) * direction.component(k));
        let error = STILL_ROUNDINGS * V::Scalar::ROUNDING.to_f64() * terms.sum_abs();
        normal.dot(direction) >= error
    }
}

/// A ray's point as a body: a point with a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover<V: Vector> {
    pub(super) at: V,
    pub(super) radius: f64,
}

impl<V: Vector> Support<V> for Mover<V> {
    fn support(&self, _direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        SupportPoint {
            point: self.at.lift(),
            id: 0,
        }
    }
    fn core(&self) -> Core<'_, V> {
        let extent = V::Wide::from_fn(|k| Scalar::abs(self.at.component(k)).to_f64());
        Core {
            form: Form::Point(&self.at),
            radius: self.radius,
            vertex_count: Some(1),
            ..Core::new(self.at.lift(), extent)
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (id == 0).then(|| self.at.lift())
    }
}
