//! Poses as columns: matrices, or translations with quaternions of a named order; one for all rows, or one a row.

use crate::errors::GjkError;
use gjk::math::PoseError;
use gjk::{Pose3, Vec3};
use gjk_batch::rows::RowFault;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

/// What Python gives: the kind, and the arrays that it has. All are contiguous, with a row or one for all.
#[derive(FromPyObject)]
pub(crate) struct Given<'py> {
    #[pyo3(item)]
    kind: String,
    #[pyo3(item)]
    numbers: PyReadonlyArray2<'py, f64>,
    #[pyo3(item)]
    translation: Option<PyReadonlyArray2<'py, f64>>,
}

/// Poses, one a row or one for all rows.
#[derive(Clone, Copy)]
pub(crate) enum Poses<'a> {
    Identity,
    /// Matrices by rows, of so many numbers: three rows of four, or four.
    Matrix(Column<'a>),
    Quaternion {
        /// Where x, y, z and w are.
        order: [usize; 4],
        rotation: Column<'a>,
        translation: Column<'a>,
    },
}

/// Rows of so many numbers. `every`: 0 where there is one for all rows.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    numbers: &'a [f64],
    width: usize,
    every: usize,
}

impl<'a> Column<'a> {
    fn of(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let numbers = array.as_slice()?;
        let shape = array.as_array();
        let (rows, width) = shape.dim();
        Ok(Self {
            numbers,
            width,
            every: if rows == 1 { 0 } else { width },
        })
    }

    fn row(&self, row: usize) -> &'a [f64] {
        &self.numbers[row * self.every..][..self.width]
    }
}

impl Given<'_> {
    pub(crate) fn poses(&self) -> PyResult<Poses<'_>> {
        let numbers = Column::of(&self.numbers)?;
        Ok(match (self.kind.as_str(), &self.translation) {
            ("matrix", None) => Poses::Matrix(numbers),
            ("quat_xyzw", Some(translation)) => Poses::Quaternion {
                order: [0, 1, 2, 3],
                rotation: numbers,
                translation: Column::of(translation)?,
            },
            ("quat_wxyz", Some(translation)) => Poses::Quaternion {
                order: [1, 2, 3, 0],
                rotation: numbers,
                translation: Column::of(translation)?,
            },
            (kind, _) => {
                return Err(GjkError::new_err(format!("there are no poses {kind:?}")));
            }
        })
    }
}

/// The names that the errors of quaternions and matrices have.
const TRANSLATION: &str = "translation";

impl Poses<'_> {
    /// The pose of a row.
    pub(crate) fn pose(&self, row: usize) -> Result<Pose3<f64>, RowFault> {
        match self {
            Self::Identity => Ok(Pose3::identity()),
            Self::Matrix(rows) => matrix(rows.row(row)),
            Self::Quaternion {
                order,
                rotation,
                translation,
            } => {
                let (q, t) = (rotation.row(row), translation.row(row));
                let translation = finite(Vec3::new(t[0], t[1], t[2]), TRANSLATION)?;
                Ok(Pose3::from_quaternion(order.map(|k| q[k]), translation)?)
            }
        }
    }
}

/// What a column does not have for a row, by the code that `python/gjk/_label.py` gives it: the column, and 8 more where it has another length.
pub(crate) fn lack(code: u8) -> Option<RowFault> {
    let (field, expected) = match code & 7 {
        1 => ("shape", "1"),
        2 => (TRANSLATION, "3"),
        3 => ("quaternion", "4"),
        4 => ("matrix", "12 or 16"),
        _ => return None,
    };
    Some(if code & 8 == 0 {
        RowFault::Missing { field }
    } else {
        RowFault::Length { field, expected }
    })
}

fn finite(at: Vec3<f64>, field: &'static str) -> Result<Vec3<f64>, PoseError> {
    match [at.x, at.y, at.z].into_iter().find(|x| !x.is_finite()) {
        Some(value) => Err(PoseError::NotFinite { field, value }),
        None => Ok(at),
    }
}

/// Of three or four rows of four numbers.
fn matrix(m: &[f64]) -> Result<Pose3<f64>, RowFault> {
    if let Some(&[x, y, z, w]) = m.get(12..16).and_then(|row| row.first_chunk())
        && [x, y, z, w] != [0.0, 0.0, 0.0, 1.0]
    {
        return Err(RowFault::Pose(PoseError::NotAffine {
            field: "matrix",
            row: [x, y, z, w],
        }));
    }
    if let Some(&value) = m.iter().find(|x| !x.is_finite()) {
        return Err(RowFault::Pose(PoseError::NotFinite {
            field: "matrix",
            value,
        }));
    }
    let column = |k: usize| Vec3::new(m[k], m[4 + k], m[8 + k]);
    let pose = Pose3::from_columns([column(0), column(1), column(2)], column(3));
    if pose.is_valid() {
        Ok(pose)
    } else {
        Err(RowFault::Singular)
    }
}
