//! Rays, casts and times of impact against meshes, over poses in rows.
//!
//! Where it sits: beside `mesh_shapes.rs`; rows and threads are those of `meshes.rs`, options those of `motion_rows.rs`.

use crate::given::{LentColumn, length_of, vectors};
use crate::mesh_shapes::MeshPairRows;
use crate::meshes::{Bodies, Mesh, RowOrFault, WrongRows, of_body, on_threads, parted};
use crate::motion_rows::{GivenPolicies, motion_options, toi_options};
use crate::motions::{GivenMotionPair, motion_rows};
use crate::poses::{self, as_poses};
use crate::shapes::Shapes;
use crate::single_rows::NamedArrays;
use gjk::query::{Interval, Ray};
use gjk::{Vec3, Vector as _};
use gjk_batch::rows::{NumberRows, WRONG_ROW, meeting_code};
use gjk_mesh::{MeshCast, SweepError};
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns by their names, and the wrong rows as text.
type MotionColumnsOfMesh<'py> = (Bound<'py, PyDict>, WrongRows);

/// An answer as numbers.
#[derive(Clone)]
struct MovedRow {
    code: u8,
    flags: [bool; 3],
    ends: [f64; 4],
    vectors: [[f64; 3]; 3],
    triangle: i64,
}

impl MovedRow {
    const WRONG: Self = Self {
        code: WRONG_ROW,
        flags: [false; 3],
        ends: [f64::NAN; 4],
        vectors: [[f64::NAN; 3]; 3],
        triangle: -1,
    };

    fn of(found: &MeshCast) -> Self {
        let answer = &found.answer;
        let ends = |interval: Option<Interval<f64>>| {
            interval.map_or([f64::NAN; 2], |interval| [interval.lower, interval.upper])
        };
        let ([begin, hit], [out, gone]) = (ends(answer.time), ends(answer.exit));
        let vector = |v: Option<Vec3<f64>>| v.map_or([f64::NAN; 3], |v| v.to_f64());
        Self {
            code: meeting_code(answer.verdict),
            flags: [answer.exact, answer.grazing, found.inside],
            ends: [begin, hit, out, gone],
            vectors: [answer.normal, answer.point_a, answer.point_b].map(vector),
            triangle: found.triangles.first().map_or(-1, |&k| i64::from(k)),
        }
    }
}

/// Of which body it is that a motion against a mesh has no answer.
fn refused(error: SweepError) -> (&'static str, String) {
    ("a", error.to_string())
}

/// The columns of the rows.
fn named<'py>(
    py: Python<'py>,
    rows: Vec<RowOrFault<MovedRow>>,
    raises: bool,
) -> PyResult<MotionColumnsOfMesh<'py>> {
    let (rows, wrong) = parted(rows, &MovedRow::WRONG, raises)?;
    let named = NamedArrays::new(py);
    named.put("verdict", rows.iter().map(|row| row.code).collect())?;
    for (k, name) in ["exact", "grazing", "inside"].into_iter().enumerate() {
        named.put(name, rows.iter().map(|row| row.flags[k]).collect())?;
    }
    let ends = ["time_lower", "time_upper", "exit_lower", "exit_upper"];
    for (k, name) in ends.into_iter().enumerate() {
        named.put(name, rows.iter().map(|row| row.ends[k]).collect())?;
    }
    for (k, name) in ["normal", "point_a", "point_b"].into_iter().enumerate() {
        let all = rows.iter().flat_map(|row| row.vectors[k]);
        named.put_rows(name, all.collect(), 3)?;
    }
    named.put("triangle", rows.iter().map(|row| row.triangle).collect())?;
    Ok((named.0, wrong))
}

/// Answers rows of rays: `of` are numbers of `meshes`, `ray` an origin and a direction.
#[pyfunction]
#[pyo3(signature = (meshes, of, pose, ray, policies, raises, threads))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_mesh_rays<'py>(
    py: Python<'py>,
    meshes: Vec<PyRef<'py, Mesh>>,
    of: PyReadonlyArray1<'py, u32>,
    pose: Option<&Bound<'py, PyAny>>,
    ray: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    policies: GivenPolicies<'py>,
    raises: bool,
    threads: usize,
) -> PyResult<MotionColumnsOfMesh<'py>> {
    let options = motion_options(&policies)?;
    let at = as_poses("pose", pose)?;
    let origin = vectors("origin", &ray.0, 3)?;
    let direction = vectors("direction", &ray.1, 3)?;
    let count = length_of(&[
        ("mesh", of.len()),
        ("pose", poses::count(at.as_ref())),
        ("origin", origin.shape()[0]),
        ("direction", direction.shape()[0]),
    ])?;
    let at = at.as_ref().map(poses::Borrowed::new).transpose()?;
    let bodies = Bodies::new(&meshes, of.as_slice()?, at.as_ref())?;
    let column = |array| LentColumn::new(array, false, "rays");
    let (origin, direction) = (column(&origin)?, column(&direction)?);
    let (origin, direction) = (origin.rows()?, direction.rows()?);
    let vector = |row: &[f64]| match *row {
        [x, y, z] => Vec3::new(x, y, z),
        _ => Vec3::new(f64::NAN, f64::NAN, f64::NAN),
    };
    let row = |row: usize| {
        let (mesh, at) = bodies.body(row).map_err(of_body("a"))?;
        let ray = Ray::new(vector(origin.row(row)), vector(direction.row(row)));
        let ray = ray.map_err(|error| ("b", error.to_string()))?;
        let found = mesh.at(&at).ray(&ray, &options).map_err(refused)?;
        Ok(MovedRow::of(&found))
    };
    let rows = on_threads(py, count, threads, MovedRow::WRONG, row)?;
    named(py, rows, raises)
}

/// Answers rows of casts, which take the velocities of the motions alone, or of times of impact: `of` are numbers of `meshes` and of `shapes`.
#[pyfunction]
#[pyo3(signature = (turns, meshes, shapes, of, poses, motions, policies, search, raises, threads))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_mesh_motions<'py>(
    py: Python<'py>,
    turns: bool,
    meshes: Vec<PyRef<'py, Mesh>>,
    shapes: &Shapes,
    of: (PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>),
    poses: (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    motions: (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    policies: GivenPolicies<'py>,
    search: (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    raises: bool,
    threads: usize,
) -> PyResult<MotionColumnsOfMesh<'py>> {
    let straight = motion_options(&policies)?;
    let turning = toi_options(&policies, search.0.as_ref(), search.1.as_ref())?;
    let (at_a, at_b) = (
        as_poses("pose_a", poses.0.as_ref())?,
        as_poses("pose_b", poses.1.as_ref())?,
    );
    let names = ["motion_a", "motion_b"];
    let given = [motions.0.as_ref(), motions.1.as_ref()];
    let given = GivenMotionPair::new::<Vec3<f64>>(names, given)?;
    let [moved_a, moved_b] = given.lengths();
    let count = length_of(&[
        ("mesh", of.0.len()),
        ("shape", of.1.len()),
        ("pose_a", poses::count(at_a.as_ref())),
        ("pose_b", poses::count(at_b.as_ref())),
        moved_a,
        moved_b,
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
    let lent = given.lent::<Vec3<f64>>(py, &shapes.0)?;
    let motions = [
        motion_rows::<Vec3<f64>>(&lent[0])?,
        motion_rows::<Vec3<f64>>(&lent[1])?,
    ];
    let row = |row: usize| {
        let (mesh, at, shape, place) = pairs.row(row)?;
        let twist = motions[0].twist(row, &at).map_err(of_body("a"))?;
        let own = motions[1].twist(row, &place).map_err(of_body("b"))?;
        let posed = mesh.at(&at);
        let found = if turns {
            posed.toi(&twist, shape, &place, &own, &turning)
        } else {
            posed.cast(twist.linear(), shape, &place, own.linear(), &straight)
        };
        Ok(MovedRow::of(&found.map_err(refused)?))
    };
    let rows = on_threads(py, count, threads, MovedRow::WRONG, row)?;
    named(py, rows, raises)
}
