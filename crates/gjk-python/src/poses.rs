//! Poses as columns of numpy, for `gjk_batch::rows`, which reads them.

use crate::errors::GjkError;
use gjk_batch::rows::{NumberColumn, PoseRows, QuaternionOrder, RowFault};
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

/// The rows of an array.
fn column<'a>(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<NumberColumn<'a>> {
    let (_, width) = array.as_array().dim();
    Ok(NumberColumn::new(array.as_slice()?, width))
}

impl Given<'_> {
    pub(crate) fn poses(&self) -> PyResult<PoseRows<NumberColumn<'_>>> {
        let numbers = column(&self.numbers)?;
        let order = match (self.kind.as_str(), &self.translation) {
            ("matrix", None) => return Ok(PoseRows::Matrix(numbers)),
            ("quat_xyzw", Some(_)) => QuaternionOrder::Xyzw,
            ("quat_wxyz", Some(_)) => QuaternionOrder::Wxyz,
            (kind, _) => {
                return Err(GjkError::new_err(format!("there are no poses {kind:?}")));
            }
        };
        Ok(PoseRows::Quaternion {
            order,
            rotation: numbers,
            translation: self.translation.as_ref().map(column).transpose()?,
        })
    }
}

/// What a column does not have for a row, by the code that `python/gjk/_label.py` gives it: the column, and 8 more where it has another length.
pub(crate) fn lack(code: u8) -> Option<RowFault> {
    let (field, expected) = match code & 7 {
        1 => ("shape", "1"),
        2 => ("translation", "3"),
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
