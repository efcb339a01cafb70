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
    /// Whether a cast tells when contact ends, also where that costs as much again. Rays and proofs do.
    pub exit: bool,
    max_time: Option<S>,
    distance: S,
}

impl<S: Scalar> Default for MotionOptions<S> {
    fn default() -> Self {
        Self {
            start: Start::default(),
            touch: Touch::default(),
            exit: false,
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

    /// These options, and whether a cast tells when contact ends.
    pub fn with_exit(self, exit: bool) -> Self {
        Self { exit, ..self }
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

    /// Whether contact begins before the bodies touch.
    pub(super) fn has_distance(&self) -> bool {
        self.distance != S::ZERO
    }

    /// The same numbers in `f64`.
    pub(super) fn wide(self) -> MotionOptions<f64> {
        MotionOptions {
            start: self.start,
            touch: self.touch,
            exit: self.exit,
            max_time: self.max_time.map(Scalar::to_f64),
            distance: self.distance.to_f64(),
        }
    }
}

/// Options of a time of impact. The default is a motion from the time 0 to 1, and solid, closed bodies.
///
/// # Examples
/// ```
/// use gjk::query::{MotionOptions, ToiOptions};
/// let options = ToiOptions::default().with_time_resolution(1e-6).unwrap();
/// assert_eq!((options.max_time(), options.time_resolution()), (1.0, 1e-6));
/// assert!(options.with_max_time(f64::INFINITY).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToiOptions<S> {
    motion: MotionOptions<S>,
    time_resolution: S,
    pieces_max: u32,
}

/// Proved pieces of a motion, unless the caller wants more.
const PIECES_MAX: u32 = 10_000;

/// The part of the motion's duration at which the search ends, unless the caller wants another: of `f64`, and of `f32`.
const TIME_RESOLUTIONS: [f64; 2] = [1e-12, 1e-6];

impl<S: Scalar> Default for ToiOptions<S> {
    fn default() -> Self {
        let [wide, narrow] = TIME_RESOLUTIONS;
        let is_narrow = S::ROUNDING.to_f64() > f64::ROUNDING;
        Self {
            motion: MotionOptions {
                max_time: Some(S::ONE),
                ..MotionOptions::default()
            },
            time_resolution: S::from_f64(if is_narrow { narrow } else { wide }),
            pieces_max: PIECES_MAX,
        }
    }
}

impl<S: Scalar> ToiOptions<S> {
    /// These options with the policies, the distance and the end of others; without an end, it is 1.
    pub fn with_motion(self, motion: MotionOptions<S>) -> Self {
        let max_time = motion.max_time.or(Some(S::ONE));
        let motion = MotionOptions { max_time, ..motion };
        Self { motion, ..self }
    }

    /// These options with another end of the motion, which belongs to it.
    ///
    /// # Errors  a time that is negative or not finite.
    pub fn with_max_time(self, max_time: S) -> Result<Self, MotionError> {
        if !max_time.is_finite() {
            return Err(MotionError::NotFinite { field: "max_time" });
        }
        let motion = self.motion.with_max_time(max_time)?;
        Ok(Self { motion, ..self })
    }

    /// These options with another resolution, a part of the motion's duration: below it the search ends. It is never a verdict.
    ///
    /// # Errors  a number that is negative or not finite.
    pub fn with_time_resolution(self, time_resolution: S) -> Result<Self, MotionError> {
        let field = "time_resolution";
        if !time_resolution.is_finite() {
            return Err(MotionError::NotFinite { field });
        }
        if time_resolution < S::ZERO {
            return Err(MotionError::OutOfRange { field });
        }
        Ok(Self {
            time_resolution,
            ..self
        })
    }

    /// These options with another bound on the pieces that are proved.
    pub fn with_pieces_max(self, pieces_max: u32) -> Self {
        Self { pieces_max, ..self }
    }

    /// The policies, the distance and the end.
    pub fn motion(&self) -> MotionOptions<S> {
        self.motion
    }

    /// The end of the motion.
    pub fn max_time(&self) -> S {
        self.motion.max_time.unwrap_or(S::ONE)
    }

    /// The part of the duration below which the search ends.
    pub fn time_resolution(&self) -> S {
        self.time_resolution
    }

    /// At most so many pieces.
    pub fn pieces_max(&self) -> u32 {
        self.pieces_max
    }

    /// What ends the search.
    pub(super) fn limits(&self) -> Limits {
        let end = self.max_time().to_f64();
        Limits {
            end,
            least: self.time_resolution.to_f64() * end,
            pieces_max: self.pieces_max,
        }
    }
}

/// What ends the search for a time of impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) end: f64,
    /// Times that are nearer to each other are not told apart.
    pub(super) least: f64,
    pub(super) pieces_max: u32,
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
    /// A pose does more than to turn and to move: it shears, mirrors or scales.
    NotARotation {
        /// Which.
        field: &'static str,
    },
}

impl MotionError {
    /// The number that was refused.
    pub fn field(&self) -> &'static str {
        match self {
            MotionError::NotFinite { field }
            | MotionError::OutOfRange { field }
            | MotionError::NotARotation { field } => field,
        }
    }

    /// A short, stable name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            MotionError::NotFinite { .. } => "not_finite",
            MotionError::OutOfRange { .. } => "out_of_range",
            MotionError::NotARotation { .. } => "not_a_rotation",
        }
    }
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionError::NotFinite { field } => write!(f, "{field}: every number must be finite"),
            MotionError::OutOfRange { field: "angular" } => {
                write!(f, "angular: in the plane a body turns about the third axis")
            }
            MotionError::OutOfRange { field } => write!(f, "{field}: it must be 0 or more"),
            MotionError::NotARotation { field } => {
                write!(
                    f,
                    "{field}: it shears, mirrors or scales; a motion turns and moves"
                )
            }
        }
    }
}

impl core::error::Error for MotionError {}
