//! The call that answers rows: columns in, columns out, the interpreter's lock free meanwhile, Ctrl-C heard.

use crate::answers::{Answers, Arrays, FewAnswers};
use crate::errors::{GjkError, RowError};
use crate::given::{FEW, Lent, check_errors, count_of_threads, ids, length_of};
use crate::poses::{self, Borrowed};
use crate::shape_set::ShapeSet;
use crate::space::{GivenPoses, PySpace, SetOf, count_of};
use gjk::Pose;
use gjk_batch::rows::RowError as WrongRow;
use gjk_batch::rows::{Ask, BLOCK, BodyRows, Columns, PoseOfRow, RowFault, ask, ask_in};
use gjk_batch::{BatchError, Lanes, Options, Side, Statistics, pools};
use numpy::ndarray::Dimension;
use numpy::{
    Element, Ix1, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::ThreadPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// So often Ctrl-C is looked for.
const LISTEN: Duration = Duration::from_millis(50);

/// Rows that are done before anyone could press a key.
const SHORT: usize = 1 << 14;

/// The columns of the answers by their names, and the rows that are wrong, with what is.
pub(crate) type Answered<'py> = (Bound<'py, PyDict>, Vec<(usize, String)>);

/// The threads to run on; none where the caller's is enough.
pub(crate) fn pool(threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    (threads != 1).then(|| kept_pool(threads)).transpose()
}

/// A pool of that many threads of this process, for what would take those of all processors otherwise.
pub(crate) fn kept_pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    pools::kept(threads).map_err(|error| GjkError::new_err(error.to_string()))
}

/// The query of that name.
fn asked(what: &str) -> PyResult<Ask> {
    match what {
        "classify" => Ok(Ask::Classify),
        "distance" => Ok(Ask::Distance),
        "contact" => Ok(Ask::Contact),
        _ => Err(GjkError::new_err(format!("there is no query {what:?}"))),
    }
}

/// What a body's columns do not have: a code a row, see [`poses::lack`].
pub(crate) type Lacking<'py> = Option<PyReadonlyArray1<'py, u8>>;

/// One body of each row; shapes and poses of one row are for all.
pub(crate) struct BodyColumns<'a, V: PySpace> {
    shapes: &'a [u32],
    poses: V::Rows<'a>,
    lacking: Option<&'a [u8]>,
}

impl<'a, V: PySpace> BodyColumns<'a, V> {
    pub(crate) fn new(
        shapes: &'a Lent<'_, u32, Ix1>,
        poses: Option<&'a Borrowed<'_>>,
        lacking: &'a Lacking<'_>,
    ) -> PyResult<Self> {
        let lacking = lacking.as_ref();
        Ok(Self {
            shapes: shapes.as_slice()?,
            poses: V::rows(poses)?,
            lacking: lacking.map(|codes| codes.as_slice()).transpose()?,
        })
    }
}

impl<V: PySpace> BodyRows<V> for BodyColumns<'_, V> {
    fn put(&self, row: usize, pose: &mut Pose<V>) -> Result<u32, RowFault> {
        if let Some(fault) = self.lacking.and_then(|codes| poses::lack(codes[row])) {
            return Err(fault);
        }
        let shapes = self.shapes;
        let shape = if shapes.len() == 1 {
            shapes[0]
        } else {
            shapes[row]
        };
        self.poses.put(row, pose)?;
        Ok(shape)
    }
}

/// Answers rows: shapes and poses as columns, of which those of one row are for all.
#[pyfunction]
#[pyo3(signature = (what, shapes, a, b, pose_a, pose_b, errors, threads, out = None, lacking = None))]
#[allow(clippy::too_many_arguments)] // the columns of one call
pub(crate) fn answer_rows<'py>(
    py: Python<'py>,
    what: &str,
    shapes: &Bound<'py, PyAny>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    errors: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    out: Option<OwnArrays<'py>>,
    lacking: Option<(Lacking<'py>, Lacking<'py>)>,
) -> PyResult<Answers> {
    let shapes = SetOf::new(shapes)?;
    let how = RowCall {
        raises: check_errors(errors)?,
        threads: count_of_threads(threads)?,
        asked: asked(what)?,
        out,
        lacking: lacking.unwrap_or_default(),
    };
    let (bodies, poses) = ([a, b], [pose_a, pose_b]);
    match shapes {
        SetOf::Plane(shapes) => how.answers(py, shapes, bodies, poses),
        SetOf::Space(shapes) => how.answers(py, shapes, bodies, poses),
    }
}

/// How rows are asked.
struct RowCall<'py> {
    raises: bool,
    threads: usize,
    asked: Ask,
    out: Option<OwnArrays<'py>>,
    lacking: (Lacking<'py>, Lacking<'py>),
}

impl<'py> RowCall<'py> {
    fn answers<V: PySpace>(
        self,
        py: Python<'py>,
        shapes: &ShapeSet<V>,
        [a, b]: [&Bound<'py, PyAny>; 2],
        [pose_a, pose_b]: [Option<&Bound<'py, PyAny>>; 2],
    ) -> PyResult<Answers> {
        let (a, b) = (ids("a", a)?, ids("b", b)?);
        let (at_a, at_b) = (V::poses("pose_a", pose_a)?, V::poses("pose_b", pose_b)?);
        let count = length_of(&[
            ("a", a.len()),
            ("b", b.len()),
            ("pose_a", count_of(at_a.as_ref())),
            ("pose_b", count_of(at_b.as_ref())),
        ])?;
        // The caller's own arrays may be among those that are read.
        let copies = self.out.is_none() && count <= FEW;
        let (of_a, of_b) = (
            Lent::new(&a, copies, "shapes")?,
            Lent::new(&b, copies, "shapes")?,
        );
        let lent = |at: &Option<GivenPoses<'py>>| {
            let lent = at.as_ref();
            let lent = lent.map(|at| Borrowed::lent(py, at.arrays(), copies));
            lent.transpose()
        };
        let (at_a, at_b) = (lent(&at_a)?, lent(&at_b)?);
        let body_a = BodyColumns::new(&of_a, at_a.as_ref(), &self.lacking.0)?;
        let body_b = BodyColumns::new(&of_b, at_b.as_ref(), &self.lacking.1)?;
        let (asked, raises) = (self.asked, self.raises);
        let question = RowQuestion {
            shapes,
            bodies: [&body_a, &body_b],
            asked,
            threads: self.threads,
            count,
        };
        if copies {
            let mut few = FewAnswers::new(asked, count, V::DIM);
            let wrong = question.answered(py, few.columns())?;
            return Ok(Answers::of_few(few, told(py, &wrong, raises, BODIES)?));
        }
        let filled = match self.out {
            Some(out) => Filled::given(out, count, V::DIM)?,
            None => Filled::new(py, asked, count, V::DIM),
        };
        let wrong = filled.with_columns(|columns| question.answered(py, columns))?;
        Ok(Answers::of_arrays(
            filled.arrays(),
            told(py, &wrong, raises, BODIES)?,
        ))
    }
}

/// What is asked of rows.
struct RowQuestion<'q, 'c, V: PySpace> {
    shapes: &'q ShapeSet<V>,
    bodies: [&'q BodyColumns<'c, V>; 2],
    asked: Ask,
    threads: usize,
    count: usize,
}

impl<V: PySpace> RowQuestion<'_, '_, V> {
    /// Fills the columns, and returns the rows that are wrong. The interpreter's lock is free meanwhile.
    fn answered(&self, py: Python<'_>, columns: Columns<'_, f64>) -> PyResult<Vec<WrongRow>> {
        let stop = AtomicBool::new(false);
        let shapes = self.shapes.read();
        let few = self.count <= BLOCK;
        // A block is of one thread whatever the caller says.
        let pool = if few { None } else { pool(self.threads)? };
        let options = Options {
            threads: (few || self.threads == 1).then_some(1),
            pool: pool.as_deref(),
            cancel: Some(&stop),
            ..Options::default()
        };
        let (bodies, asked) = (self.bodies, self.asked);
        let done = if few {
            py.detach(|| {
                V::with_storage(|storage| {
                    ask_in(storage, &shapes, bodies, asked, &options, columns)
                })
            })
        } else {
            let run = || ask(&shapes, bodies, asked, &options, columns);
            if self.count <= SHORT {
                py.detach(run)
            } else {
                interruptible(py, &stop, run)?
            }
        };
        wrong_of(done)
    }
}

/// The rows that are wrong, of a batch that has ended.
pub(crate) fn wrong_of(
    done: Result<(Statistics, Vec<WrongRow>), BatchError>,
) -> PyResult<Vec<WrongRow>> {
    match done {
        Ok((_, wrong)) => Ok(wrong),
        Err(BatchError::Cancelled { .. }) => Err(PyKeyboardInterrupt::new_err(())),
        Err(error) => Err(GjkError::new_err(error.to_string())),
    }
}

/// What both sides of a row are called in an error: for programs, and for people.
pub(crate) type SideNames = [(&'static str, &'static str); 2];

/// Those of two bodies.
pub(crate) const BODIES: SideNames = [("a", "body a"), ("b", "body b")];

/// The rows that are wrong with what is, or the first of them as an error.
pub(crate) fn told<'py>(
    py: Python<'py>,
    wrong: &[WrongRow],
    raises: bool,
    names: SideNames,
) -> PyResult<Bound<'py, PyDict>> {
    let named = |error: &WrongRow| names[usize::from(error.side == Side::B)];
    let text = |error: &WrongRow| format!("{}: {}", named(error).1, error.fault);
    if let (true, Some(first)) = (raises, wrong.first()) {
        let told = format!("row {}, {}", first.row, text(first));
        return Err(RowError::new_err((told, first.row, named(first).0)));
    }
    let column = PyDict::new(py);
    for error in wrong {
        column.set_item(error.row, text(error))?;
    }
    Ok(column)
}

/// A column of numbers, and one of vectors.
type Numbers<'py> = Option<Bound<'py, PyArray1<f64>>>;
type Vectors<'py> = Option<Bound<'py, PyArray2<f64>>>;

/// The caller's arrays: verdict, lower, upper, normal, point of A, point of B.
pub(crate) type OwnArrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Numbers<'py>,
    Numbers<'py>,
    Vectors<'py>,
    Vectors<'py>,
    Vectors<'py>,
);

/// Arrays for the answers: new ones, or the caller's, which `python/gjk/_rows.py` has looked at.
struct Filled<'py> {
    verdict: Bound<'py, PyArray1<u8>>,
    lower: Numbers<'py>,
    upper: Numbers<'py>,
    normal: Vectors<'py>,
    point_a: Vectors<'py>,
    point_b: Vectors<'py>,
}

impl<'py> Filled<'py> {
    fn new(py: Python<'py>, asked: Ask, count: usize, dim: usize) -> Self {
        let is_measured = asked != Ask::Classify;
        let number = || is_measured.then(|| PyArray1::zeros(py, count, false));
        let vector = || is_measured.then(|| PyArray2::zeros(py, [count, dim], false));
        Self {
            verdict: PyArray1::zeros(py, count, false),
            lower: number(),
            upper: number(),
            normal: vector(),
            point_a: vector(),
            point_b: vector(),
        }
    }

    /// Fills those that there are. No two may share memory, and none may with a column that is read.
    fn with_columns<R>(&self, fill: impl FnOnce(Columns<'_, f64>) -> PyResult<R>) -> PyResult<R> {
        let mut verdicts = borrowed(&self.verdict)?;
        let mut lower = self.lower.as_ref().map(borrowed).transpose()?;
        let mut upper = self.upper.as_ref().map(borrowed).transpose()?;
        let mut normals = self.normal.as_ref().map(borrowed).transpose()?;
        let mut points_a = self.point_a.as_ref().map(borrowed).transpose()?;
        let mut points_b = self.point_b.as_ref().map(borrowed).transpose()?;
        fill(Columns {
            verdicts: verdicts.as_slice_mut()?,
            lower: slice(&mut lower)?,
            upper: slice(&mut upper)?,
            normals: slice(&mut normals)?,
            points_a: slice(&mut points_a)?,
            points_b: slice(&mut points_b)?,
        })
    }

    /// The caller's, when they have so many rows, of vectors with so many coordinates.
    fn given(arrays: OwnArrays<'py>, count: usize, dim: usize) -> PyResult<Self> {
        let (verdict, lower, upper, normal, point_a, point_b) = arrays;
        let has = verdict.len();
        if has != count {
            let told = format!("out has {has} rows: there are {count}");
            return Err(GjkError::new_err(told));
        }
        let vectors = [&normal, &point_a, &point_b];
        let wide = vectors.map(|of| of.as_ref().map_or(dim, |of| of.shape()[1]));
        if let Some(wide) = wide.into_iter().find(|&wide| wide != dim) {
            let told = format!("out has vectors of {wide} numbers: they must have {dim}");
            return Err(GjkError::new_err(told));
        }
        Ok(Self {
            verdict,
            lower,
            upper,
            normal,
            point_a,
            point_b,
        })
    }

    fn arrays(self) -> Arrays {
        let number = |column: Numbers<'py>| column.map(|array| array.into_any().unbind());
        let vector = |column: Vectors<'py>| column.map(|array| array.into_any().unbind());
        [
            Some(self.verdict.into_any().unbind()),
            number(self.lower),
            number(self.upper),
            vector(self.normal),
            vector(self.point_a),
            vector(self.point_b),
        ]
    }
}

/// An array to write into.
fn borrowed<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array.try_readwrite().map_err(|error| {
        GjkError::new_err(format!(
            "out shares memory with another array of the call: {error}"
        ))
    })
}

/// Its numbers, where there is one.
fn slice<'a, T: Element, D: Dimension>(
    array: &'a mut Option<PyReadwriteArray<'_, T, D>>,
) -> PyResult<Option<&'a mut [T]>> {
    let slice = array.as_mut().map(PyReadwriteArray::as_slice_mut);
    Ok(slice.transpose()?)
}

/// Runs on a thread of its own, and listens for Ctrl-C on the caller's.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    run: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (sender, mut receiver) = channel();
        let work = scope.spawn(move || {
            let done = run();
            // The receiver is there until the work has ended.
            let _ = sender.send(());
            done
        });
        loop {
            let receiver = &mut receiver;
            let waited = py.detach(move || receiver.recv_timeout(LISTEN));
            match waited {
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals() {
                        stop.store(true, Ordering::Relaxed);
                        py.detach(|| work.join().ok());
                        return Err(interrupt);
                    }
                }
                _ => break,
            }
        }
        work.join()
            .map_err(|_| GjkError::new_err("a thread of the batch panicked"))
    })
}

/// The instruction set that batches use on this machine.
#[pyfunction]
pub(crate) fn instruction_set() -> &'static str {
    Lanes::Widest.instruction_set()
}
