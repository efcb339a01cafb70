//! Meshes as they are against convex shapes, over poses in rows.
//!
//! Where it sits: beside `meshes`, whose rows and threads it takes.

use crate::given::length_of;
use crate::meshes::{Bodies, Mesh, Row, of_body, on_threads, told};
use crate::poses::{self, as_poses};
use crate::run::Answered;
use crate::shapes::Shapes;
use gjk::Vector as _;
use gjk_batch::rows::{PoseRows, RowFault, code};
use gjk_mesh::ShapeContact;
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The columns of an answer.
const COLUMNS: [&str; 8] = [
    "exact", "inside", "lower", "upper", "triangle", "point_a", "point_b", "normal",
];

/// Answers rows of a mesh and a shape: `of_a` are numbers of `meshes`, `of_b` of `shapes`. Returns a dictionary of columns, and the rows that are wrong
/// as text.
#[pyfunction]
#[pyo3(signature = (reach, meshes, shapes, of_a, of_b, pose_a, pose_b, raises, threads))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_mesh_shape_rows<'py>(
    py: Python<'py>,
    reach: f64,
    meshes: Vec<PyRef<'py, Mesh>>,
    shapes: &Shapes,
    of_a: PyReadonlyArray1<'py, u32>,
    of_b: PyReadonlyArray1<'py, u32>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    raises: bool,
    threads: usize,
) -> PyResult<Answered<'py>> {
    let (at_a, at_b) = (as_poses("pose_a", pose_a)?, as_poses("pose_b", pose_b)?);
    let count = length_of(&[
        ("mesh", of_a.len()),
        ("shape", of_b.len()),
        ("pose_a", poses::count(at_a.as_ref())),
        ("pose_b", poses::count(at_b.as_ref())),
    ])?;
    let at_a = at_a.as_ref().map(poses::Borrowed::new).transpose()?;
    let at_b = at_b.as_ref().map(poses::Borrowed::new).transpose()?;
    let a = Bodies::new(&meshes, of_a.as_slice()?, at_a.as_ref())?;
    let at_b = at_b
        .as_ref()
        .map_or(Ok(PoseRows::Identity), poses::Borrowed::rows)?;
    let (shapes, of_b) = (shapes.read(), of_b.as_slice()?);
    let row = |row: usize| {
        let (mesh, at) = a.body(row).map_err(of_body("a"))?;
        let number = if of_b.len() == 1 { of_b[0] } else { of_b[row] };
        let no_shape = RowFault::NoSuchShape {
            shape: number,
            count: shapes.len(),
        };
        let shape = shapes.get(number).ok_or(no_shape).map_err(of_body("b"))?;
        let place = at_b.pose(row).map_err(of_body("b"))?;
        let bounds = gjk_check::bounds(shape, &place);
        Ok(as_row(
            &mesh.at(&at).contact_with(shape, &place, bounds, reach),
        ))
    };
    let rows = on_threads(py, count, threads, Row::NOTHING, row)?;
    told(py, &COLUMNS, rows, raises)
}

fn as_row(found: &ShapeContact) -> Row {
    let interval = found.signed_distance;
    let row = Row {
        code: code(found.verdict),
        exact: found.exact,
        inside: found.inside,
        interval: [interval.lower, interval.upper],
        ..Row::NOTHING
    };
    let Some(nearest) = found.nearest else {
        return row;
    };
    Row {
        points: [nearest.point_a.to_f64(), nearest.point_b.to_f64()],
        normal: nearest.normal.to_f64(),
        triangles: [found.triangle.map_or(-1, i64::from), -1],
        ..row
    }
}
