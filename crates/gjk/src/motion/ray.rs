//! A ray: what it is.

use super::options::MotionError;
use crate::math::Vector;

/// A point that moves along a straight line.
///
/// Frame: the world.  At time `t` it is at `origin + t·direction`, so times are in lengths of the direction, which need not be unit.
/// A zero direction is a point at rest.
/// # Examples
/// ```
/// use gjk::{Vec3, query::Ray};
/// assert!(Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.0)).is_ok());
/// assert!(Ray::new(Vec3::new(f64::NAN, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<V: Vector> {
    origin: V,
    direction: V,
}

impl<V: Vector> Ray<V> {
    /// The ray from `origin` along `direction`.
    ///
    /// # Errors  a component that is not finite.
    pub fn new(origin: V, direction: V) -> Result<Self, MotionError> {
        for (field, vector) in [("origin", origin), ("direction", direction)] {
            if !vector.is_finite() {
                return Err(MotionError::NotFinite { field });
            }
        }
        Ok(Self { origin, direction })
    }

    /// Where it is at time 0.
    pub fn origin(&self) -> V {
        self.origin
    }

    /// How far it moves in a unit of time.
    pub fn direction(&self) -> V {
        self.direction
    }
}
