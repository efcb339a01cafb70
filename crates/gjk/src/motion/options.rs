//! What a caller may choose of an answer on a motion.

use crate::math::Scalar;
use core::fmt;

/// What a start in contact means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// It is the answer: bodies are solid.
    #[default]
    Hit,
    /// It is the answer only if the motion makes the signed distance fall at once. Else it is passed over, and there is no other contact,
    /// because the bodies are convex.
    Approach,
    /// The answer is the time at which contact ends: the far side of a hollow body.
    Exit,
}

/// What a contact without common inner points means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// It is a contact: bodies are closed.
    #[default]
    Counts,
    /// It is passed over.
    Passes,
}

/// Options of a query about a motion. The default is a motion without end, and solid, closed bodies.
///
/// # Examples
/// ```
/// use gjk::query::{MotionOptions, Start};
/// let options = MotionOptions::default().with_start(Start::Exit).with_max_time(2.0).unwrap();
/// assert_eq!((options.start, options.max_time()), (Start::Exit, Some(2.0)));
/// assert!(options.with_distance(-1.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MotionOptions<S> {
    /// What a start in contact means.
    pub start: Start,
    /// What a contact without common inner points means.
    pub touch: Touch,
    max_time: Option<S>,
    distance: S,
}

impl<S: Scalar> Default for MotionOptions<S> {
    fn default() -> Self {
        Self {
            start: Start::default(),
            touch: Touch::default(),
            max_time: None,
            distance: S::ZERO,
        }
    }
}

impl<S: Scalar> MotionOptions<S> {
    /// These options with another policy for a start in contact.
    pub fn with_start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// These options with another policy for touch.
    pub fn with_touch(self, touch: Touch) -> Self {
        Self { touch, ..self }
    }

    /// These options with an end of the motion, which belongs to it. Infinity is no end.
    ///
    /// # Errors  a time that is negative or NaN.
    pub fn with_max_time(self, max_time: S) -> Result<Self, MotionError> {
        if !(max_time >= S::ZERO) {
            return Err(MotionError::OutOfRange { field: "max_time" });
        }
        let max_time = Some(max_time).filter(|time| time.is_finite());
        Ok(Self { max_time, ..self })
    }

    /// These options with a distance: contact is a signed distance that is at most this, as if a ball of this radius were swept over one body.
    ///
    /// # Errors  a distance that is negative or not finite.
    pub fn with_distance(self, distance: S) -> Result<Self, MotionError> {
        if !distance.is_finite() {
            return Err(MotionError::NotFinite { field: "distance" });
        }
        if distance < S::ZERO {
            return Err(MotionError::OutOfRange { field: "distance" });
        }
        Ok(Self { distance, ..self })
    }

    /// The time at which the motion ends, if it does.
    pub fn max_time(&self) -> Option<S> {
        self.max_time
    }

    /// The signed distance up to which there is contact.
    pub fn distance(&self) -> S {
        self.distance
    }

    /// The same numbers in `f64`.
    pub(super) fn wide(self) -> MotionOptions<f64> {
        MotionOptions {
            start: self.start,
            touch: self.touch,
            max_time: self.max_time.map(Scalar::to_f64),
            distance: self.distance.to_f64(),
        }
    }
}

/// Why there is no such motion. The fields are named as in the motion format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MotionError {
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

impl MotionError {
    /// The number that was refused.
    pub fn field(&self) -> &'static str {
        match self {
            MotionError::NotFinite { field } | MotionError::OutOfRange { field } => field,
        }
    }

    /// A short, stable name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            MotionError::NotFinite { .. } => "not_finite",
            MotionError::OutOfRange { .. } => "out_of_range",
        }
    }
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionError::NotFinite { field } => write!(f, "{field}: every number must be finite"),
            MotionError::OutOfRange { field } => write!(f, "{field}: it must be 0 or more"),
        }
    }
}

impl core::error::Error for MotionError {}
