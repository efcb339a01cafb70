//! Meshes as they are against convex shapes, over poses in rows.
//!
//! Where it sits: beside `meshes`, whose rows and threads it takes.

use crate::given::length_of;
use crate::meshes::{Bodies, Mesh, Row, RowOrFault, of_body, on_threads, told};
use crate::poses::{self, as_poses};
use crate::run::Answered;
use crate::shapes::Shapes;
use gjk::shape::Shape;
use gjk::{Pose3, Vec3, Vector as _};
use gjk_batch::rows::{NumberColumn, PoseRows, RowFault, code};
use gjk_mesh::{MeshBody, ShapeContact};
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The columns of an answer.
const COLUMNS: [&str; 8] = [
    "exact", "inside", "lower", "upper", "triangle", "point_a", "point_b", "normal",
];

/// A mesh and a shape of each row, where they are.
pub(crate) struct MeshPairRows<'a> {
    meshes: Bodies<'a>,
    shapes: &'a gjk_batch::Shapes<Vec3<f64>>,
    of: &'a [u32],
    at: PoseRows<NumberColumn<'a>>,
}

/// A mesh and a shape with their poses.
type MeshAndShape<'r> = (&'r MeshBody, Pose3<f64>, &'r Shape<Vec3<f64>>, Pose3<f64>);

impl<'a> MeshPairRows<'a> {
    /// By numbers of meshes and of shapes, and poses of both.
    pub(crate) fn new(
        meshes: &[PyRef<'_, Mesh>],
        shapes: &'a gjk_batch::Shapes<Vec3<f64>>,
        [of_a, of_b]: [&'a [u32]; 2],
        [at_a, at_b]: [Option<&'a poses::Borrowed<'_>>; 2],
    ) -> PyResult<Self> {
        Ok(Self {
            meshes: Bodies::new(meshes, of_a, at_a)?,
            shapes,
            of: of_b,
            at: at_b.map_or(Ok(PoseRows::Identity), poses::Borrowed::rows)?,
        })
    }

    /// Those of a row, or which is wrong.
    pub(crate) fn row(&self, row: usize) -> RowOrFault<MeshAndShape<'_>> {
        let (mesh, at) = self.meshes.body(row).map_err(of_body("a"))?;
        let number = if self.of.len() == 1 {
            self.of[0]
        } else {
            self.of[row]
        };
        let no_shape = RowFault::NoSuchShape {
            shape: number,
            count: self.shapes.len(),
        };
        let shape = self.shapes.get(number).ok_or(no_shape);
        let shape = shape.map_err(of_body("b"))?;
        let place = self.at.pose(row).map_err(of_body("b"))?;
        Ok((mesh, at, shape, place))
    }
}

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
    let set = shapes.read();
    let pairs = MeshPairRows::new(
        &meshes,
        &set,
        [of_a.as_slice()?, of_b.as_slice()?],
        [at_a.as_ref(), at_b.as_ref()],
    )?;
    let row = |row: usize| {
        let (mesh, at, shape, place) = pairs.row(row)?;
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
