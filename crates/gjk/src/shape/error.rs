//! Why a shape could not be built.

use alloc::string::String;
use core::fmt;

/// A shape's constructor refused its input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN or infinite.
    NotFinite {
        /// The field, such as `radius` or `points[3]`.
        field: String,
        /// The value as `f64`.
        value: f64,
    },
    /// A size must not be negative, or must be positive.
    OutOfRange {
        /// The field.
        field: String,
        /// The value as `f64`.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A list is empty.
    Empty {
        /// The field.
        field: String,
    },
    /// An affine map is singular or not finite.
    Singular {
        /// The field.
        field: String,
    },
    /// Too many vertices for 32-bit ids.
    TooLarge {
        /// The field.
        field: String,
    },
}

impl ShapeError {
    /// The field that was refused.
    pub fn field(&self) -> &str {
        match self {
            ShapeError::NotFinite { field, .. }
            | ShapeError::OutOfRange { field, .. }
            | ShapeError::Empty { field }
            | ShapeError::Singular { field }
            | ShapeError::TooLarge { field } => field,
        }
    }

    /// A short, stable name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            ShapeError::NotFinite { .. } => "not_finite",
            ShapeError::OutOfRange { .. } => "out_of_range",
            ShapeError::Empty { .. } => "empty",
            ShapeError::Singular { .. } => "singular",
            ShapeError::TooLarge { .. } => "too_large",
        }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::NotFinite { field, value } => {
                write!(f, "{field} is {value}: every number must be finite")
            }
            ShapeError::OutOfRange {
                field,
                value,
                expected,
            } => write!(f, "{field} is {value}: it must be {expected}"),
            ShapeError::Empty { field } => {
                write!(f, "{field} is empty: at least one entry is needed")
            }
            ShapeError::Singular { field } => write!(
                f,
                "{field} is not an invertible affine map of finite numbers"
            ),
            ShapeError::TooLarge { field } => {
                write!(f, "{field} needs more than 2^32 - 2 vertex ids")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

use crate::math::{Scalar, Vector};

/// The value if finite and positive.
pub(super) fn positive<S: Scalar>(field: &str, value: S) -> Result<S, ShapeError> {
    if !value.is_finite() {
        return Err(ShapeError::NotFinite {
            field: field.into(),
            value: value.to_f64(),
        });
    }
    let error = || ShapeError::OutOfRange {
        field: field.into(),
        value: value.to_f64(),
        expected: "positive",
    };
    if value > S::ZERO {
        Ok(value)
    } else {
        Err(error())
    }
}

/// The vector if all its components are finite.
pub(super) fn finite<V: Vector>(field: &str, v: V) -> Result<V, ShapeError> {
    for k in 0..V::DIM {
        let value = v.component(k);
        if !value.is_finite() {
            return Err(ShapeError::NotFinite {
                field: field.into(),
                value: value.to_f64(),
            });
        }
    }
    Ok(v)
}
