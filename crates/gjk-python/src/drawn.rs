//! What a picture of a row needs: a shape as triangles, and where a row's pose is.

use crate::errors::{GjkError, RowError};
use crate::poses::{self, as_poses};
use crate::shapes::Shapes;
use gjk::Vector;
use gjk_batch::rows::PoseRows;
use numpy::PyArray2;
use pyo3::prelude::*;

type Drawn<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray2<u32>>,
);

/// The corners of a shape's boundary in its own frame, triangles of them, and the edges that make its form plain; of a smooth shape
/// some points of it.
#[pyfunction]
pub(crate) fn drawn_shape<'py>(
    py: Python<'py>,
    shapes: &Shapes,
    shape: u32,
) -> PyResult<Drawn<'py>> {
    let drawn = gjk_lab::drawn_shape(&shapes.body(shape)?.shape);
    let corner = |p: &[f32; 3]| -> Vec<f64> {
        let parts = drawn.centre.iter().zip(p);
        parts.map(|(middle, x)| middle + f64::from(*x)).collect()
    };
    let corners: Vec<Vec<f64>> = drawn.corners.iter().map(corner).collect();
    Ok((
        table(py, &corners, 3)?,
        table(py, &rows(&drawn.triangles), 3)?,
        table(py, &rows(&drawn.edges), 2)?,
    ))
}

fn rows<const N: usize>(of: &[[u32; N]]) -> Vec<Vec<u32>> {
    of.iter().map(|row| row.to_vec()).collect()
}

/// Rows as an array, also where there are none.
fn table<'py, T: numpy::Element>(
    py: Python<'py>,
    rows: &[Vec<T>],
    width: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    if rows.is_empty() {
        return Ok(PyArray2::zeros(py, [0, width], false));
    }
    PyArray2::from_vec2(py, rows).map_err(|error| GjkError::new_err(error.to_string()))
}

/// The matrix (3, 4) of a row's pose; of one pose it is that of any row.
///
/// # Errors  a row that does not exist, and one whose pose is wrong.
#[pyfunction]
#[pyo3(signature = (name, pose, row))]
pub(crate) fn matrix_of_row<'py>(
    py: Python<'py>,
    name: &str,
    pose: Option<&Bound<'py, PyAny>>,
    row: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let given = as_poses(name, pose)?;
    let count = poses::count(given.as_ref());
    let row = if count == 1 { 0 } else { row };
    if row >= count {
        let told = format!("row {row} does not exist: {name} has {count} rows");
        return Err(GjkError::new_err(told));
    }
    let borrowed = given.as_ref().map(poses::Borrowed::new).transpose()?;
    let rows = borrowed
        .as_ref()
        .map_or(Ok(PoseRows::Identity), poses::Borrowed::rows)?;
    let body = name.trim_start_matches("pose_").to_owned();
    let pose = rows
        .pose(row)
        .map_err(|fault| RowError::new_err((format!("row {row}: {name}: {fault}"), row, body)))?;
    let [x, y, z] = [0, 1, 2].map(|k| pose.columns()[k].to_f64());
    let at = pose.translation().to_f64();
    let matrix = [0, 1, 2].map(|k| vec![x[k], y[k], z[k], at[k]]);
    table(py, &matrix, 4)
}
