//! A ray in `f64`, and the moving point as a body.

use super::ray::Ray;
use crate::math::{Scalar, Vector, Vector64, exponent_of};
use crate::support::{Core, Form, Support, SupportPoint};

/// Roundings of a place `origin + t·direction`: a product and a sum each coordinate, of magnitudes that their sum bounds.
const PLACE_ROUNDINGS: f64 = 4.0;

/// Roundings of a product `n·v` with a rounded normal, of the sum of its terms: four of a component of the normal, one of a product, two of the sums.
const STILL_ROUNDINGS: f64 = 8.0;

/// A ray in `f64`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track<W: Vector> {
    pub(super) origin: W,
    pub(super) direction: W,
    /// Infinite where the ray has no end.
    pub(super) end: f64,
    pub(super) radius: f64,
}

impl<W: Vector64> Track<W> {
    pub(super) fn of<V: Vector<Wide = W>>(ray: &Ray<V>) -> Self {
        Self {
            origin: ray.origin().lift(),
            direction: ray.direction().lift(),
            end: ray.max_time().map_or(f64::INFINITY, Scalar::to_f64),
            radius: ray.radius().to_f64(),
        }
    }

    /// Whether the point rests.
    pub(super) fn rests(&self) -> bool {
        self.direction == W::ZERO
    }

    /// The place at a time, rounded.
    pub(super) fn place(&self, time: f64) -> W {
        self.origin + self.direction * time
    }

    /// The length of the direction, of any size.
    pub(super) fn speed(&self) -> f64 {
        // The squares of very small and very large components are no floats.
        let power = exponent_of(self.direction.max_abs());
        let near_one = self.direction.scaled_by_power(-power);
        near_one.norm().scale_by_power(power).min(f64::MAX)
    }

    /// Whether the ray surely does not approach along a normal, which is rounded.
    pub(super) fn leaves_along<V: Vector<Wide = W>>(&self, normal: V) -> bool {
        // Near one, so that no product underflows.
        let power = exponent_of(self.direction.max_abs());
        let direction = self.direction.scaled_by_power(-power);
        let normal = normal.lift::<W>();
        let terms = W::from_fn(|k| normal.component(k) * direction.component(k));
        let error = STILL_ROUNDINGS * V::Scalar::ROUNDING.to_f64() * terms.sum_abs();
        normal.dot(direction) >= error
    }

    /// How far a computed place may be from the true one.
    pub(super) fn place_error(&self, time: f64) -> f64 {
        let reach = self.origin.sum_abs() + time.abs() * self.direction.sum_abs();
        PLACE_ROUNDINGS * f64::ROUNDING * reach + f64::MIN_POSITIVE
    }
}

/// The moving point at one time: a point with a radius.
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
            form: Form::Point(self.at),
            radius: self.radius,
            vertex_count: Some(1),
            ..Core::new(self.at.lift(), extent)
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (id == 0).then(|| self.at.lift())
    }
}
