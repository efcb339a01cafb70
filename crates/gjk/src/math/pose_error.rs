//! What can be wrong with the numbers of a pose.
//!
//! Where it sits: below `pose.rs` and `rotation.rs`, which both refuse such numbers.

use super::scalar::Scalar;
use core::fmt;

/// Why a pose could not be built, or not be written in the form that the caller wants.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PoseError {
    /// A number is NaN or infinite.
    NotFinite {
        /// The field, such as `quaternion.x`.
        field: &'static str,
        /// The value as `f64`.
        value: f64,
    },
    /// All components are zero, so that there is no rotation.
    Zero {
        /// The field.
        field: &'static str,
    },
    /// The last row of a homogeneous matrix is not `0 … 0 1`: the matrix is a projection.
    NotAffine {
        /// The field.
        field: &'static str,
        /// The row as `f64`; of a 3×3 matrix the last entry is zero.
        row: [f64; 4],
    },
    /// The map is more than a rotation (and, where that is allowed, a positive scale): it shears, mirrors or scales.
    NotARotation {
        /// The field.
        field: &'static str,
    },
}

impl PoseError {
    /// The field that was refused.
    pub fn field(&self) -> &'static str {
        match self {
            PoseError::NotFinite { field, .. }
            | PoseError::Zero { field }
            | PoseError::NotAffine { field, .. }
            | PoseError::NotARotation { field } => field,
        }
    }

    /// A short, stable name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            PoseError::NotFinite { .. } => "not_finite",
            PoseError::Zero { .. } => "zero",
            PoseError::NotAffine { .. } => "not_affine",
            PoseError::NotARotation { .. } => "not_a_rotation",
        }
    }
}

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoseError::NotFinite { field, value } => {
                write!(f, "{field} is {value}: every number must be finite")
            }
            PoseError::Zero { field } => {
                write!(f, "{field} is zero: a rotation needs a non-zero one")
            }
            PoseError::NotAffine { field, row } => write!(
                f,
                "{field} is a projection: its last row is {row:?}, an affine map has zeros and a final one"
            ),
            PoseError::NotARotation { field } => write!(
                f,
                "{field} is more than a rotation: it shears, mirrors or scales"
            ),
        }
    }
}

impl core::error::Error for PoseError {}

/// The components of a quaternion if it is a rotation's.
#[inline]
pub(super) fn rotation_quaternion<T: Scalar>(xyzw: [T; 4]) -> Result<[f64; 4], PoseError> {
    let xyzw = xyzw.map(T::to_f64);
    if xyzw.iter().all(|x| x.is_finite()) && xyzw != [0.0; 4] {
        Ok(xyzw)
    } else {
        Err(no_rotation(xyzw))
    }
}

/// What is wrong with the components of a quaternion.
#[cold]
fn no_rotation(xyzw: [f64; 4]) -> PoseError {
    let fields = [
        "quaternion.x",
        "quaternion.y",
        "quaternion.z",
        "quaternion.w",
    ];
    let wrong = fields
        .into_iter()
        .zip(xyzw)
        .find(|(_, value)| !value.is_finite());
    match wrong {
        Some((field, value)) => PoseError::NotFinite { field, value },
        None => PoseError::Zero {
            field: "quaternion",
        },
    }
}
