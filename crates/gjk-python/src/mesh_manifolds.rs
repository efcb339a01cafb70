//! Manifolds of meshes and convex shapes, over poses in rows.
//!
//! Where it sits: beside `mesh_motions.rs`; options are those of `manifold_rows.rs`.

use crate::errors::GjkError;
use crate::given::length_of;
use crate::manifold_rows::{GivenPoints, manifold_options};
use crate::mesh_shapes::MeshPairRows;
use crate::meshes::{Mesh, WrongRows, on_threads, parted};
use crate::poses::{self, as_poses};
use crate::shapes::Shapes;
use crate::single_rows::{NamedArrays, flattened};
use gjk::Vec3;
use gjk_batch::rows::{WRONG_ROW, code};
use gjk_mesh::{MeshManifoldOptions, MeshPoint, MeshSides};
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A point, its normal, and the number of its patch in the row.
type PatchPoint = (Vec3<f64>, MeshPoint, u32);

/// The points of a row.
#[derive(Clone)]
struct PatchRow {
    code: u8,
    flags: [bool; 2],
    points: Vec<PatchPoint>,
}

impl PatchRow {
    const WRONG: Self = Self {
        code: WRONG_ROW,
        flags: [false; 2],
        points: Vec::new(),
    };
}

/// Answers rows of manifolds: `of` are numbers of `meshes` and of `shapes`.
#[pyfunction]
#[pyo3(signature = (meshes, shapes, of, poses, options, sides, raises, threads))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_mesh_manifolds<'py>(
    py: Python<'py>,
    meshes: Vec<PyRef<'py, Mesh>>,
    shapes: &Shapes,
    of: (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>),
    poses: (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    options: GivenPoints<'py>,
    sides: &str,
    raises: bool,
    threads: usize,
) -> PyResult<(Bound<'py, PyDict>, WrongRows)> {
    let options = MeshManifoldOptions {
        points: manifold_options(&options)?,
        sides: match sides {
            "both" => MeshSides::Both,
            "front" => MeshSides::Front,
            _ => {
                let told = format!("sides is {sides:?}: it must be \"both\" or \"front\"");
                return Err(GjkError::new_err(told));
            }
        },
    };
    let (at_a, at_b) = (
        as_poses("pose_a", poses.0.as_ref())?,
        as_poses("pose_b", poses.1.as_ref())?,
    );
    let count = length_of(&[
        ("mesh", of.0.len()),
        ("shape", of.1.len()),
        ("pose_a", poses::count(at_a.as_ref())),
        ("pose_b", poses::count(at_b.as_ref())),
    ])?;
    let at_a = at_a.as_ref().map(poses::Borrowed::new).transpose()?;
    let at_b = at_b.as_ref().map(poses::Borrowed::new).transpose()?;
    let set = shapes.read();
    let pairs = MeshPairRows::new(
        &meshes,
        &set,
        [of.0.as_slice()?, of.1.as_slice()?],
        [at_a.as_ref(), at_b.as_ref()],
    )?;
    let row = |row: usize| {
        let (mesh, at, shape, place) = pairs.row(row)?;
        let found = mesh.at(&at).manifold(shape, &place, &options);
        let patches = (0..).zip(&found.patches);
        let points = patches.flat_map(|(number, patch)| {
            let each = patch.points.iter();
            each.map(move |point| (patch.normal, *point, number))
        });
        Ok(PatchRow {
            code: code(found.contact.verdict),
            flags: [found.contact.exact, found.contact.inside],
            points: points.collect(),
        })
    };
    let rows = on_threads(py, count, threads, PatchRow::WRONG, row)?;
    let (rows, wrong) = parted(rows, &PatchRow::WRONG, raises)?;
    Ok((named(py, rows)?, wrong))
}

fn named(py: Python<'_>, rows: Vec<PatchRow>) -> PyResult<Bound<'_, PyDict>> {
    let named = NamedArrays::new(py);
    named.put("verdict", rows.iter().map(|row| row.code).collect())?;
    named.put("exact", rows.iter().map(|row| row.flags[0]).collect())?;
    named.put("inside", rows.iter().map(|row| row.flags[1]).collect())?;
    let (offsets, points) = flattened(rows.into_iter().map(|row| row.points).collect())?;
    named.put("offsets", offsets)?;
    let all = || points.iter();
    named.put_vectors("normal", all().map(|x| x.0))?;
    named.put_vectors("point_a", all().map(|x| x.1.point.point_a))?;
    named.put_vectors("point_b", all().map(|x| x.1.point.point_b))?;
    let ends = all().map(|x| x.1.point.separation.lower).collect();
    named.put::<f64>("separation_lower", ends)?;
    let ends = all().map(|x| x.1.point.separation.upper).collect();
    named.put::<f64>("separation_upper", ends)?;
    named.put("patch", all().map(|x| x.2).collect())?;
    let triangles = all().map(|x| i64::from(x.1.triangle)).collect();
    named.put("triangle", triangles)?;
    named.put("face", all().map(|x| i64::from(x.1.face)).collect())?;
    named.put("id", all().map(|x| x.1.point.id).collect())?;
    Ok(named.0)
}
