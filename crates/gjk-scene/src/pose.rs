//! Poses in query lines and scene files.
//! Where it sits: [`crate::schema`] reads bodies, each with a pose by [`PoseSpec`].
//! Numbers: a quaternion may be 1e-3 off unit length ([`QUATERNION_TOLERANCE`]), as printed ones with four digits are.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::affine::Affine;
use crate::error::{QueryError, QueryErrorKind as Kind};
use crate::numbers::{NumberVisitor, Place, visit_rows, visit_vector};
use crate::value::{self, At, Object, Value};

/// How far a quaternion's length may be from 1; further off is a mistake rather than rounding.
pub const QUATERNION_TOLERANCE: f64 = 1e-3;

/// Where a body stands: `p ↦ rotation · (scale ∘ p) + translation`; what is absent does nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PoseSpec {
    /// The image of the origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<Vec<f64>>,
    /// A rotation; never beside `rotation_matrix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<RotationSpec>,
    /// Any invertible linear map, by rows, used as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation_matrix: Option<Vec<Vec<f64>>>,
    /// A scaling of the axes before the rotation; no entry is 0, negative ones mirror.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec<f64>>,
}

/// A rotation by the keys of the query format.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum RotationSpec {
    /// 2D: an angle in radians, from the first axis to the second.
    Angle(f64),
    /// 3D: a unit quaternion `[x, y, z, w]`.
    Quaternion([f64; 4]),
}

impl PoseSpec {
    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let translation = object.optional("translation", |v, at| {
            value::vector(v, at, dim, value::number)
        })?;
        let rotation = object.optional("rotation", |v, at| read_rotation(v, at, dim))?;
        let rotation_matrix =
            object.optional("rotation_matrix", |v, at| read_matrix(v, at, dim))?;
        let scale = object.optional("scale", |v, at| value::vector(v, at, dim, read_scale))?;
        object.finish()?;
        if rotation.is_some() && rotation_matrix.is_some() {
            let message = "`rotation` and `rotation_matrix` exclude each other: give one of them";
            return Err(QueryError::new(
                Kind::BadValue,
                at.key("rotation_matrix"),
                message,
            ));
        }
        Ok(Self {
            translation,
            rotation,
            rotation_matrix,
            scale,
        })
    }

    /// The pose as a map of 3D space; entries beyond the pose's dimension are the identity's.
    #[must_use]
    pub fn affine(&self) -> Affine {
        let mut affine = match (&self.rotation_matrix, self.rotation) {
            (Some(rows), _) => {
                let mut affine = Affine::IDENTITY;
                for (to, from) in affine.linear.iter_mut().zip(rows) {
                    copy_front(to, from);
                }
                affine
            }
            (None, Some(RotationSpec::Quaternion(quaternion))) => {
                Affine::from_quaternion(quaternion)
            }
            (None, Some(RotationSpec::Angle(angle))) => {
                Affine::from_axis_angle([0.0, 0.0, 1.0], angle)
            }
            (None, None) => Affine::IDENTITY,
        };
        if let Some(scale) = &self.scale {
            let mut factors = [1.0; 3];
            copy_front(&mut factors, scale);
            affine = affine.scaled(factors);
        }
        if let Some(translation) = &self.translation {
            copy_front(&mut affine.translation, translation);
        }
        affine
    }

    /// Visits every number of the pose with its path, to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &Place<'_>,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        if let Some(translation) = &mut self.translation {
            visit_vector(translation, &at.key("translation"), visit)?;
        }
        match &mut self.rotation {
            Some(RotationSpec::Angle(angle)) => visit(angle, &at.key("rotation"))?,
            Some(RotationSpec::Quaternion(quaternion)) => {
                visit_vector(quaternion, &at.key("rotation"), visit)?
            }
            None => {}
        }
        if let Some(rows) = &mut self.rotation_matrix {
            visit_rows(rows, &at.key("rotation_matrix"), visit)?;
        }
        self.scale
            .as_mut()
            .map_or(Ok(()), |scale| visit_vector(scale, &at.key("scale"), visit))
    }
}

fn copy_front(to: &mut [f64], from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// One factor of a scaling.
pub(crate) fn read_scale(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    let factor = value::number(value, at)?;
    if factor == 0.0 {
        return Err(QueryError::new(
            Kind::OutOfRange,
            at,
            "a scale of 0 flattens the body, expected any other number",
        ));
    }
    Ok(factor)
}

fn read_rotation(value: Value, at: &At<'_>, dim: usize) -> Result<RotationSpec, QueryError> {
    if dim == 2 {
        return value::number(value, at).map(RotationSpec::Angle);
    }
    let q = value::vector(value, at, 4, value::number)?;
    // The sum of squares may overflow to infinity, which is then off unit too.
    let norm = q.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > QUATERNION_TOLERANCE {
        let message = format!(
            "the quaternion [x, y, z, w] has length {norm}, expected 1 (within {QUATERNION_TOLERANCE})"
        );
        return Err(QueryError::new(Kind::OutOfRange, at, message));
    }
    Ok(RotationSpec::Quaternion([
        q[0] / norm,
        q[1] / norm,
        q[2] / norm,
        q[3] / norm,
    ]))
}

fn read_matrix(value: Value, at: &At<'_>, dim: usize) -> Result<Vec<Vec<f64>>, QueryError> {
    let rows = value::list(value, at, |v, at| value::vector(v, at, dim, value::number))?;
    if rows.len() != dim {
        return Err(QueryError::new(
            Kind::Dimension,
            at,
            format!("expected {dim} rows, found {}", rows.len()),
        ));
    }
    if determinant_of_scaled_rows(&rows) == 0.0 {
        return Err(QueryError::new(
            Kind::OutOfRange,
            at,
            "the matrix is singular, expected an invertible one",
        ));
    }
    Ok(rows)
}

/// The determinant with every row divided by its largest entry, so that it neither overflows nor underflows; 0 for a zero row.
/// Rounding may hide a singular matrix: this catches the plain mistakes, not all of them.
fn determinant_of_scaled_rows(rows: &[Vec<f64>]) -> f64 {
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let largest = row
                .iter()
                .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
            row.iter()
                .map(|entry| if largest == 0.0 { 0.0 } else { entry / largest })
                .collect()
        })
        .collect();
    match scaled.as_slice() {
        [a, b] => a[0] * b[1] - a[1] * b[0],
        [a, b, c] => {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        }
        _ => 0.0,
    }
}
