//! Meshes as they are, and their queries over poses in rows.

use crate::errors::{GjkError, RowError, ShapeError};
use crate::given::length_of;
use crate::poses::{self, as_poses};
use crate::run::{Answered, interruptible, pool};
use crate::single::Shape;
use gjk::shape::Polytope;
use gjk::{Pose3, Vec3};
use gjk_batch::rows::{NumberColumn, PoseRows, RowFault, WRONG_ROW};
use gjk_mesh::{
    DepthOptions, DistanceOptions, MeshBody, MeshKind, PosedBody, Relation, Side, TriMesh, Warm,
};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows that are answered on the caller's thread: to start another takes longer.
const SHORT: usize = 16;

/// A mesh of triangles as it is: a solid, or a surface.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Mesh {
    pub(crate) body: Arc<MeshBody>,
}

fn refused(text: String, field: &str, kind: &str) -> PyErr {
    ShapeError::new_err((text, field.to_owned(), kind.to_owned()))
}

/// Rows of three numbers.
fn triples<T: numpy::Element + Copy>(
    name: &str,
    array: &PyReadonlyArray2<'_, T>,
) -> PyResult<Vec<[T; 3]>> {
    let rows = array.as_array();
    if rows.ncols() != 3 {
        let text = format!(
            "{name} have {} numbers each: they must have 3",
            rows.ncols()
        );
        return Err(refused(text, name, "out_of_range"));
    }
    let rows = rows.rows().into_iter();
    Ok(rows.map(|row| [row[0], row[1], row[2]]).collect())
}

#[pymethods]
impl Mesh {
    #[new]
    fn new(
        py: Python<'_>,
        vertices: PyReadonlyArray2<'_, f64>,
        faces: PyReadonlyArray2<'_, i64>,
    ) -> PyResult<Self> {
        let vertices = triples("vertices", &vertices)?;
        let faces = triples("faces", &faces)?;
        let mut triangles = Vec::with_capacity(faces.len());
        for (number, face) in faces.iter().enumerate() {
            let [Ok(a), Ok(b), Ok(c)] = face.map(u32::try_from) else {
                let text = format!("face {number} is {face:?}: vertices are numbered from 0");
                return Err(refused(text, "faces", "out_of_range"));
            };
            triangles.push([a, b, c]);
        }
        let body = py.detach(|| TriMesh::new(&vertices, &triangles).map(MeshBody::new));
        let body = body.map_err(|error| refused(error.to_string(), "faces", "mesh"))?;
        Ok(Self {
            body: Arc::new(body),
        })
    }

    /// `solid` or `surface`.
    #[getter]
    fn kind(&self) -> &'static str {
        if self.body.kind().is_solid() {
            "solid"
        } else {
            "surface"
        }
    }

    /// Why it is a surface.
    #[getter]
    fn reason(&self) -> Option<String> {
        match self.body.kind() {
            MeshKind::Surface(reason) => Some(reason.to_string()),
            _ => None,
        }
    }

    /// How many triangles it has, without those that take one another out.
    fn __len__(&self) -> usize {
        self.body.mesh().triangles().len()
    }

    /// Its hull, where that is the mesh.
    fn convex_shape(&self) -> Option<Shape> {
        let mesh = self.body.mesh();
        let faces: Vec<Vec<u32>> = mesh.triangles().iter().map(|t| t.to_vec()).collect();
        gjk::hull::check_convex_mesh(mesh.vertices(), &faces).ok()?;
        let points = mesh.vertices().iter();
        let points: Vec<Vec3<f64>> = points.map(|&[x, y, z]| Vec3::new(x, y, z)).collect();
        Some(Shape(Polytope::new(&points).ok()?.into()))
    }

    /// How many shells.
    #[getter]
    fn shells(&self) -> usize {
        self.body.mesh().shells().len()
    }

    fn __repr__(&self) -> String {
        let (kind, count, shells) = (self.kind(), self.__len__(), self.shells());
        match self.reason() {
            None => format!("Mesh({kind}, {count} triangles, {shells} shells)"),
            Some(why) => format!("Mesh({kind}: {why}; {count} triangles, {shells} shells)"),
        }
    }

    /// By point: 0 outside, 1 on the boundary, 2 inside, 255 where no ray tells or the point is not finite.
    fn sides<'py>(
        &self,
        py: Python<'py>,
        points: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, numpy::PyArray1<u8>>> {
        let points = triples("points", &points)?;
        if let Some(reason) = self.reason() {
            return Err(GjkError::new_err(format!(
                "the mesh is a surface, which has no inside: {reason}"
            )));
        }
        let side = |&point: &[f64; 3]| match self.body.side_of(point) {
            _ if !point.iter().all(|x| x.is_finite()) => WRONG_ROW,
            Some(Side::Outside) => 0,
            Some(Side::Boundary) => 1,
            Some(Side::Inside) => 2,
            None => WRONG_ROW,
        };
        let sides: Vec<u8> = py.detach(|| points.iter().map(side).collect());
        Ok(sides.into_pyarray(py))
    }
}

/// What is asked of two meshes.
#[derive(Clone, Copy)]
enum Query {
    Relation,
    Meets,
    Distance(DistanceOptions),
    CloserThan(f64),
    Depth(DepthOptions),
}

impl Query {
    /// By its name; `numbers` are its options, in the order of its fields.
    fn new(name: &str, numbers: [f64; 3]) -> PyResult<Self> {
        let [first, relative, absolute] = numbers;
        Ok(match name {
            "relation" => Self::Relation,
            "meets" => Self::Meets,
            "distance" => Self::Distance(DistanceOptions {
                reach: first,
                relative,
                absolute,
            }),
            "closer_than" => Self::CloserThan(first),
            "depth" => Self::Depth(DepthOptions {
                relative: first,
                ..DepthOptions::default()
            }),
            _ => return Err(GjkError::new_err(format!("there is no query {name:?}"))),
        })
    }

    /// The columns that it fills.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Relation => &["exact", "triangles", "point_a", "normal"],
            Self::Meets => &["triangles"],
            Self::Distance(_) => &[
                "exact",
                "lower",
                "upper",
                "triangles",
                "point_a",
                "point_b",
                "normal",
            ],
            Self::CloserThan(_) => &["lower", "upper"],
            Self::Depth(_) => &["exact", "lower", "upper", "reach_a", "reach_b"],
        }
    }

    fn answer(self, a: &PosedBody<'_>, b: &PosedBody<'_>) -> Row {
        match self {
            Self::Relation => related(a, b),
            Self::Meets => a.meets(b).map_or(Row::NOTHING, |triangles| Row {
                code: 1,
                triangles: triangles.map(i64::from),
                ..Row::NOTHING
            }),
            Self::Distance(options) => apart(a, b, &options),
            Self::CloserThan(length) => {
                let (is_closer, [lower, upper]) = a.closer_than(b, length);
                Row {
                    code: is_closer.map_or(2, u8::from),
                    interval: [lower, upper],
                    ..Row::NOTHING
                }
            }
            Self::Depth(options) => {
                let depth = a.depth(b, &[], &options);
                let of = depth.signed_distance();
                Row {
                    exact: depth.ended,
                    interval: [of.lower, of.upper],
                    reach: depth
                        .protrusion
                        .map(|found| found.map_or([f64::NAN; 2], |p| [p.lower, p.upper])),
                    ..Row::NOTHING
                }
            }
        }
    }
}

/// The answer of a row; what a query does not tell is NaN, and no triangle -1.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) code: u8,
    pub(crate) exact: bool,
    /// Whether a shape is inside of the solid, and meets no triangle.
    pub(crate) inside: bool,
    pub(crate) interval: [f64; 2],
    pub(crate) points: [[f64; 3]; 2],
    pub(crate) normal: [f64; 3],
    pub(crate) triangles: [i64; 2],
    /// How far each surface reaches into the other body.
    pub(crate) reach: [[f64; 2]; 2],
}

impl Row {
    pub(crate) const NOTHING: Self = Self {
        code: 0,
        exact: false,
        inside: false,
        interval: [f64::NAN; 2],
        points: [[f64::NAN; 3]; 2],
        normal: [f64::NAN; 3],
        triangles: [-1; 2],
        reach: [[f64::NAN; 2]; 2],
    };
}

/// The numbers of `gjk.meshes.Relation`.
pub(crate) fn relation_code(relation: Relation) -> u8 {
    match relation {
        Relation::Separated => 0,
        Relation::Touching => 1,
        Relation::Overlapping => 2,
        Relation::Crossing => 3,
        Relation::Inside => 4,
        Relation::Contains => 5,
        Relation::Equal => 6,
    }
}

fn related(a: &PosedBody<'_>, b: &PosedBody<'_>) -> Row {
    let found = a.relation(b);
    let row = Row {
        code: relation_code(found.relation),
        exact: found.exact,
        ..Row::NOTHING
    };
    found.contact.map_or(row, |contact| Row {
        points: [contact.point; 2],
        normal: contact.normal.unwrap_or([f64::NAN; 3]),
        triangles: contact.triangles.map(i64::from),
        ..row
    })
}

fn apart(a: &PosedBody<'_>, b: &PosedBody<'_>, options: &DistanceOptions) -> Row {
    match a.distance_with(b, options, &mut Warm::default()) {
        None => Row {
            exact: true,
            interval: [options.reach, f64::INFINITY],
            ..Row::NOTHING
        },
        Some(found) => Row {
            code: 1,
            exact: !found.stopped,
            interval: [found.lower, found.upper],
            points: found.points,
            normal: found.normal,
            triangles: found.triangles.map(i64::from),
            ..Row::NOTHING
        },
    }
}

/// A body of each row.
pub(crate) struct Bodies<'a> {
    meshes: Vec<Arc<MeshBody>>,
    of: &'a [u32],
    at: PoseRows<NumberColumn<'a>>,
}

impl<'a> Bodies<'a> {
    pub(crate) fn new(
        meshes: &[PyRef<'_, Mesh>],
        of: &'a [u32],
        at: Option<&'a poses::Borrowed<'_>>,
    ) -> PyResult<Self> {
        let meshes = meshes.iter().map(|mesh| Arc::clone(&mesh.body));
        Ok(Self {
            meshes: meshes.collect(),
            of,
            at: at.map_or(Ok(PoseRows::Identity), poses::Borrowed::rows)?,
        })
    }

    /// Its mesh and its pose.
    pub(crate) fn body(&self, row: usize) -> Result<(&MeshBody, Pose3<f64>), RowFault> {
        let number = if self.of.len() == 1 {
            self.of[0]
        } else {
            self.of[row]
        };
        let mesh = self.meshes.get(number as usize);
        let mesh = mesh.ok_or(RowFault::NoSuchShape {
            shape: number,
            count: self.meshes.len(),
        })?;
        Ok((mesh, self.at.pose(row)?))
    }
}

/// Answers rows of two meshes: `of_a` and `of_b` are numbers of `meshes`. Returns a dictionary of columns, and the rows that are wrong as text.
#[pyfunction]
#[pyo3(signature = (what, numbers, meshes, of_a, of_b, pose_a, pose_b, raises, threads))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_mesh_rows<'py>(
    py: Python<'py>,
    what: &str,
    numbers: [f64; 3],
    meshes: Vec<PyRef<'py, Mesh>>,
    of_a: PyReadonlyArray1<'py, u32>,
    of_b: PyReadonlyArray1<'py, u32>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    raises: bool,
    threads: usize,
) -> PyResult<Answered<'py>> {
    let query = Query::new(what, numbers)?;
    let (at_a, at_b) = (as_poses("pose_a", pose_a)?, as_poses("pose_b", pose_b)?);
    let count = length_of(&[
        ("a", of_a.len()),
        ("b", of_b.len()),
        ("pose_a", poses::count(at_a.as_ref())),
        ("pose_b", poses::count(at_b.as_ref())),
    ])?;
    let at_a = at_a.as_ref().map(poses::Borrowed::new).transpose()?;
    let at_b = at_b.as_ref().map(poses::Borrowed::new).transpose()?;
    let a = Bodies::new(&meshes, of_a.as_slice()?, at_a.as_ref())?;
    let b = Bodies::new(&meshes, of_b.as_slice()?, at_b.as_ref())?;
    let row = |row: usize| {
        let (mesh_a, at_a) = a.body(row).map_err(of_body("a"))?;
        let (mesh_b, at_b) = b.body(row).map_err(of_body("b"))?;
        Ok(query.answer(&mesh_a.at(&at_a), &mesh_b.at(&at_b)))
    };
    let rows = on_threads(py, count, threads, Row::NOTHING, row)?;
    told(py, query.columns(), rows, raises)
}

/// A row, or which body is wrong, and how.
pub(crate) type RowOrFault<T> = Result<T, (&'static str, String)>;

/// What is wrong with a body of a row.
pub(crate) fn of_body(body: &'static str) -> impl Fn(RowFault) -> (&'static str, String) {
    move |fault| (body, fault.to_string())
}

/// Answers all rows, many of them on threads; Ctrl-C ends it. `nothing` stands for those that are not answered then.
pub(crate) fn on_threads<T: Clone + Send + Sync>(
    py: Python<'_>,
    count: usize,
    threads: usize,
    nothing: T,
    row: impl Fn(usize) -> RowOrFault<T> + Sync + Send,
) -> PyResult<Vec<RowOrFault<T>>> {
    if count <= SHORT {
        return Ok(py.detach(|| (0..count).map(row).collect()));
    }
    let stop = AtomicBool::new(false);
    let row = |k: usize| {
        if stop.load(Ordering::Relaxed) {
            Ok(nothing.clone())
        } else {
            row(k)
        }
    };
    let pool = pool(threads)?;
    let rows = interruptible(py, &stop, || match pool {
        Some(pool) => pool.install(|| (0..count).into_par_iter().map(row).collect()),
        None => (0..count).map(row).collect::<Vec<_>>(),
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    Ok(rows)
}

/// The numbers of wrong rows, and what is wrong.
pub(crate) type WrongRows = Vec<(usize, String)>;

/// The rows, for wrong ones what stands for them, and what is wrong with those; an error for the first where it is to be raised.
pub(crate) fn parted<T: Clone>(
    rows: Vec<RowOrFault<T>>,
    nothing: &T,
    raises: bool,
) -> PyResult<(Vec<T>, WrongRows)> {
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        if let Err((body, fault)) = row {
            if raises {
                let text = format!("row {number}, body {body}: {fault}");
                return Err(RowError::new_err((text, number, *body)));
            }
            wrong.push((number, format!("body {body}: {fault}")));
        }
    }
    let rows = rows.into_iter();
    let rows = rows.map(|row| row.unwrap_or_else(|_| nothing.clone()));
    Ok((rows.collect(), wrong))
}

/// The columns of the rows.
pub(crate) fn told<'py>(
    py: Python<'py>,
    names: &[&str],
    rows: Vec<RowOrFault<Row>>,
    raises: bool,
) -> PyResult<Answered<'py>> {
    let nothing = Row {
        code: WRONG_ROW,
        ..Row::NOTHING
    };
    let (rows, wrong) = parted(rows, &nothing, raises)?;
    let columns = PyDict::new(py);
    let numbers = |of: &dyn Fn(&Row) -> f64| -> Vec<f64> { rows.iter().map(of).collect() };
    let several = |of: &dyn Fn(&Row) -> Vec<f64>, width: usize| {
        let all: Vec<f64> = rows.iter().flat_map(of).collect();
        all.into_pyarray(py)
            .call_method1("reshape", ((rows.len(), width),))
    };
    let codes: Vec<u8> = rows.iter().map(|row| row.code).collect();
    columns.set_item("code", codes.into_pyarray(py))?;
    for &name in names {
        let column = match name {
            "exact" => {
                let exact: Vec<bool> = rows.iter().map(|row| row.exact).collect();
                exact.into_pyarray(py).into_any()
            }
            "inside" => {
                let inside: Vec<bool> = rows.iter().map(|row| row.inside).collect();
                inside.into_pyarray(py).into_any()
            }
            "triangle" => {
                let first: Vec<i64> = rows.iter().map(|row| row.triangles[0]).collect();
                first.into_pyarray(py).into_any()
            }
            "triangles" => {
                let all: Vec<i64> = rows.iter().flat_map(|row| row.triangles).collect();
                let all = all.into_pyarray(py);
                all.call_method1("reshape", ((rows.len(), 2),))?
            }
            "lower" => numbers(&|row| row.interval[0]).into_pyarray(py).into_any(),
            "upper" => numbers(&|row| row.interval[1]).into_pyarray(py).into_any(),
            "point_a" => several(&|row| row.points[0].to_vec(), 3)?,
            "point_b" => several(&|row| row.points[1].to_vec(), 3)?,
            "normal" => several(&|row| row.normal.to_vec(), 3)?,
            "reach_a" => several(&|row| row.reach[0].to_vec(), 2)?,
            _ => several(&|row| row.reach[1].to_vec(), 2)?,
        };
        columns.set_item(name, column)?;
    }
    Ok((columns, wrong))
}
