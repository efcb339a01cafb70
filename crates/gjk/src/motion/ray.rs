//! A ray: what it is, and why there may be none.

use crate::math::{Ring, Scalar, Vector};
use core::fmt;

/// A point that moves along a straight line, or a ball.
///
/// Frame: the world.  At time `t` it is at `origin + t·direction`, so times are in lengths of the direction, which need not be unit.
/// A zero direction is a point at rest.
/// # Examples
/// ```
/// use gjk::{Vec3, query::Ray};
/// let ray = Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.0)).unwrap();
/// assert_eq!(ray.with_max_time(1.0).unwrap().max_time(), Some(1.0));
/// assert!(Ray::new(Vec3::new(f64::NAN, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<V: Vector> {
    origin: V,
    direction: V,
    max_time: Option<V::Scalar>,
    radius: V::Scalar,
}

impl<V: Vector> Ray<V> {
    /// The ray from `origin` along `direction`, without end.
    ///
    /// # Errors  a component that is not finite.
    pub fn new(origin: V, direction: V) -> Result<Self, RayError> {
        for (field, vector) in [("origin", origin), ("direction", direction)] {
            if !vector.is_finite() {
                return Err(RayError::NotFinite { field });
            }
        }
        Ok(Self {
            origin,
            direction,
            max_time: None,
            radius: V::Scalar::ZERO,
        })
    }

    /// The same up to a time, which belongs to it. Infinity is no end.
    ///
    /// # Errors  a time that is negative or NaN.
    pub fn with_max_time(self, max_time: V::Scalar) -> Result<Self, RayError> {
        if !(max_time >= V::Scalar::ZERO) {
            return Err(RayError::OutOfRange { field: "max_time" });
        }
        let max_time = Some(max_time).filter(|time| time.is_finite());
        Ok(Self { max_time, ..self })
    }

    /// The same as a ball of this radius: contact is a signed distance of the moving point that is at most the radius.
    ///
    /// # Errors  a radius that is negative or not finite.
    pub fn with_radius(self, radius: V::Scalar) -> Result<Self, RayError> {
        if !radius.is_finite() {
            return Err(RayError::NotFinite { field: "distance" });
        }
        if radius < V::Scalar::ZERO {
            return Err(RayError::OutOfRange { field: "distance" });
        }
        Ok(Self { radius, ..self })
    }

    /// Where it is at time 0.
    pub fn origin(&self) -> V {
        self.origin
    }

    /// How far it moves in a unit of time.
    pub fn direction(&self) -> V {
        self.direction
    }

    /// The time at which it ends, if it does.
    pub fn max_time(&self) -> Option<V::Scalar> {
        self.max_time
    }

    /// The radius of the ball; zero for a point.
    pub fn radius(&self) -> V::Scalar {
        self.radius
    }
}

/// Why there is no such ray. The fields are named as in the motion format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RayError {
    /// A number is NaN or infinite.
    NotFinite {
        /// Which.
        field: &'static str,
    },
    /// A number is negative, or a time is NaN.
    OutOfRange {
        /// Which.
        field: &'static str,
    },
}

impl RayError {
    /// The number that was refused.
    pub fn field(&self) -> &'static str {
        match self {
            RayError::NotFinite { field } | RayError::OutOfRange { field } => field,
        }
    }

    /// A short, stable name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            RayError::NotFinite { .. } => "not_finite",
            RayError::OutOfRange { .. } => "out_of_range",
        }
    }
}

impl fmt::Display for RayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RayError::NotFinite { field } => write!(f, "{field}: every number must be finite"),
            RayError::OutOfRange { field } => write!(f, "{field}: it must be 0 or more"),
        }
    }
}

impl core::error::Error for RayError {}
