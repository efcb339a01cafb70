//! What the calls share that ask a single query a row: bodies as columns in, arrays out, the interpreter's lock free meanwhile.
//!
//! Where it sits: below `motion_rows.rs`, `manifold_rows.rs` and `gradient_rows.rs`, beside `run.rs`, whose queries have lanes.

use crate::errors::GjkError;
use crate::given::{Lent, check_errors, count_of_threads, ids};
use crate::poses::Borrowed;
use crate::run::{BodyColumns, Lacking, SideNames, interruptible, pool, told, wrong_of};
use crate::space::{GivenPoses, PySpace, count_of};
use gjk_batch::rows::RowError as WrongRow;
use gjk_batch::rows::{Ends, SINGLE_BLOCK};
use gjk_batch::{BatchError, Options, Statistics};
use numpy::{Element, Ix1, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::AtomicBool;

/// Rows that may be done before anyone could press a key.
const UNHEARD: usize = 1 << 10;

/// One body of each row, as a caller gives it.
pub(crate) struct GivenBody<'py> {
    names: [&'static str; 2],
    ids: Bound<'py, PyArray1<u32>>,
    poses: Option<GivenPoses<'py>>,
}

impl<'py> GivenBody<'py> {
    /// `names` are those of both parameters.
    pub(crate) fn new<V: PySpace>(
        names: [&'static str; 2],
        shape: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            names,
            ids: ids(names[0], shape)?,
            poses: V::poses(names[1], pose)?,
        })
    }

    /// How many rows its columns have.
    pub(crate) fn lengths(&self) -> [(&'static str, usize); 2] {
        let [shape, pose] = self.names;
        [
            (shape, self.ids.len()),
            (pose, count_of(self.poses.as_ref())),
        ]
    }

    /// An array that something writes into at the same time is an error.
    pub(crate) fn lent(&self, py: Python<'py>) -> PyResult<LentBody<'py>> {
        let poses = self.poses.as_ref();
        let poses = poses.map(|poses| Borrowed::lent(py, poses.arrays(), false));
        Ok(LentBody {
            ids: Lent::new(&self.ids, false, "shapes")?,
            poses: poses.transpose()?,
            lacking: None,
        })
    }
}

/// One body of each row while it is read.
pub(crate) struct LentBody<'py> {
    ids: Lent<'py, u32, Ix1>,
    poses: Option<Borrowed<'py>>,
    lacking: Lacking<'py>,
}

impl LentBody<'_> {
    pub(crate) fn rows<V: PySpace>(&self) -> PyResult<BodyColumns<'_, V>> {
        BodyColumns::new(&self.ids, self.poses.as_ref(), &self.lacking)
    }
}

/// Columns by their names, and the rows that are wrong, with what is.
pub(crate) type NamedColumns<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>);

/// Both bodies of rows: shapes, and poses.
pub(crate) type GivenPair<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

/// What each of both bodies may have.
pub(crate) type GivenTwo<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// Both bodies as they were given.
pub(crate) fn both_bodies<'py, V: PySpace>(
    (a, b, pose_a, pose_b): &GivenPair<'py>,
) -> PyResult<[GivenBody<'py>; 2]> {
    Ok([
        GivenBody::new::<V>(["a", "pose_a"], a, pose_a.as_ref())?,
        GivenBody::new::<V>(["b", "pose_b"], b, pose_b.as_ref())?,
    ])
}

/// The lengths of the columns of both bodies, and of two more.
pub(crate) fn lengths(
    bodies: &[GivenBody<'_>; 2],
    more: [(&'static str, usize); 2],
) -> Vec<(&'static str, usize)> {
    let of_bodies = bodies.iter().flat_map(GivenBody::lengths);
    of_bodies.chain(more).collect()
}

/// How the rows of a call are answered.
pub(crate) struct SingleCall {
    raises: bool,
    threads: usize,
}

impl SingleCall {
    /// As a caller says it.
    pub(crate) fn new(
        errors: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            raises: check_errors(errors)?,
            threads: count_of_threads(threads)?,
        })
    }

    /// Runs a batch of so many rows without the interpreter's lock; the rows that are wrong with what is, or the first of them as an error.
    pub(crate) fn run<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        names: SideNames,
        run: impl FnOnce(&Options<'_>) -> Result<(Statistics, Vec<WrongRow>), BatchError> + Send,
    ) -> PyResult<Bound<'py, PyDict>> {
        let stop = AtomicBool::new(false);
        // A block is of one thread whatever the caller says.
        let few = rows <= SINGLE_BLOCK;
        let pool = if few { None } else { pool(self.threads)? };
        let options = Options {
            threads: (few || self.threads == 1).then_some(1),
            pool: pool.as_deref(),
            cancel: Some(&stop),
            ..Options::default()
        };
        let done = if rows <= UNHEARD {
            py.detach(|| run(&options))
        } else {
            interruptible(py, &stop, || run(&options))?
        };
        told(py, &wrong_of(done)?, self.raises, names)
    }
}

/// Columns for the ends of intervals.
pub(crate) struct IntervalColumns([Vec<f64>; 2]);

impl IntervalColumns {
    pub(crate) fn new(rows: usize) -> Self {
        Self([vec![0.0; rows], vec![0.0; rows]])
    }

    pub(crate) fn ends(&mut self) -> Ends<'_, f64> {
        self.0.each_mut().map(Vec::as_mut_slice)
    }
}

/// Columns by their names, as arrays.
pub(crate) struct NamedArrays<'py>(pub(crate) Bound<'py, PyDict>);

impl<'py> NamedArrays<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self(PyDict::new(py))
    }

    /// A number a row.
    pub(crate) fn put<T: Element>(&self, name: &str, column: Vec<T>) -> PyResult<()> {
        self.0
            .set_item(name, PyArray1::from_vec(self.0.py(), column))
    }

    /// So many numbers a row.
    pub(crate) fn put_rows(&self, name: &str, column: Vec<f64>, width: usize) -> PyResult<()> {
        let rows = column.len() / width;
        let array = PyArray1::from_vec(self.0.py(), column);
        self.0.set_item(name, array.reshape([rows, width])?)
    }

    /// A vector a row.
    pub(crate) fn put_vectors<V: PySpace>(
        &self,
        name: &str,
        vectors: impl Iterator<Item = V>,
    ) -> PyResult<()> {
        let numbers = vectors.flat_map(|vector| (0..V::DIM).map(move |k| vector.component(k)));
        self.put_rows(name, numbers.collect(), V::DIM)
    }

    /// Both ends of intervals, under both names.
    pub(crate) fn put_ends(&self, names: [&str; 2], columns: IntervalColumns) -> PyResult<()> {
        for (name, column) in names.into_iter().zip(columns.0) {
            self.put(name, column)?;
        }
        Ok(())
    }
}

/// Where the things of each row begin among all, and where the last row's end; the things themselves.
pub(crate) fn flattened<T>(rows: Vec<Vec<T>>) -> PyResult<(Vec<i64>, Vec<T>)> {
    let mut offsets = vec![0];
    let mut all = Vec::new();
    for row in rows {
        all.extend(row);
        let end = i64::try_from(all.len());
        offsets.push(end.map_err(|error| GjkError::new_err(error.to_string()))?);
    }
    Ok((offsets, all))
}
