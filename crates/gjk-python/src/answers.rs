//! The answers of rows.
//!
//! Where it sits: `run.rs` makes them.
//! Idea: an array costs more than the answer to a row. So those of a few rows are made when they are asked for.

use crate::errors::GjkError;
use gjk_batch::rows::{Ask, Columns, WRONG_ROW, code};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use gjk::query::Verdict;

/// Columns of an answer: verdict, lower, upper, normal, point of A, point of B.
pub(crate) const COLUMNS: usize = 6;

/// The names of the verdicts, in the order of their codes.
const VERDICTS: [Verdict; 4] = [
    Verdict::Separated,
    Verdict::Touching,
    Verdict::Overlapping,
    Verdict::Undecided,
];

/// Arrays, or `None` in the place of those that were not asked for.
pub(crate) type Arrays = [Option<Py<PyAny>>; COLUMNS];

/// Where the columns are.
enum AnswerColumns {
    Arrays(Arrays),
    Few(FewAnswers, [PyOnceLock<Py<PyAny>>; COLUMNS]),
}

/// The answers of rows, as columns.
///
/// Attributes
/// ----------
/// verdict : ndarray of uint8, shape (n,)
///     The numbers of `Verdict`; 255 for a row that is wrong, whose numbers are NaN.
/// lower, upper : ndarray of float64, shape (n,), or None
///     Ends of an interval that contains the distance, or of `contact` the signed distance: negative in overlap. `None` from `classify`.
/// normal, point_a, point_b : ndarray of float64, shape (n, 3), in the plane (n, 2), or None
///     Unit, from A to B; a point of each body, in the world, that the distance is between.
/// errors : dict of int to str
///     The rows that are wrong, with what is.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Answers {
    columns: AnswerColumns,
    errors: Py<PyDict>,
}

impl Answers {
    /// Of arrays.
    pub(crate) fn of_arrays(arrays: Arrays, errors: Bound<'_, PyDict>) -> Self {
        Self {
            columns: AnswerColumns::Arrays(arrays),
            errors: errors.unbind(),
        }
    }

    /// Of the numbers of a few rows.
    pub(crate) fn of_few(few: FewAnswers, errors: Bound<'_, PyDict>) -> Self {
        Self {
            columns: AnswerColumns::Few(few, [const { PyOnceLock::new() }; COLUMNS]),
            errors: errors.unbind(),
        }
    }

    fn column(&self, py: Python<'_>, which: usize) -> PyResult<Option<Py<PyAny>>> {
        match &self.columns {
            AnswerColumns::Arrays(arrays) => {
                Ok(arrays[which].as_ref().map(|array| array.clone_ref(py)))
            }
            AnswerColumns::Few(few, _) if which > 0 && few.numbers.is_none() => Ok(None),
            AnswerColumns::Few(few, made) => {
                let array = made[which].get_or_try_init(py, || few.array(py, which))?;
                Ok(Some(array.clone_ref(py)))
            }
        }
    }
}

#[pymethods]
impl Answers {
    #[new]
    #[allow(clippy::too_many_arguments)] // the columns
    fn new(
        verdict: Py<PyAny>,
        lower: Option<Py<PyAny>>,
        upper: Option<Py<PyAny>>,
        normal: Option<Py<PyAny>>,
        point_a: Option<Py<PyAny>>,
        point_b: Option<Py<PyAny>>,
        errors: Bound<'_, PyDict>,
    ) -> Self {
        let arrays = [Some(verdict), lower, upper, normal, point_a, point_b];
        Self::of_arrays(arrays, errors)
    }

    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 0)
    }

    #[getter]
    fn lower(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 1)
    }

    #[getter]
    fn upper(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 2)
    }

    #[getter]
    fn normal(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 3)
    }

    #[getter]
    fn point_a(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 4)
    }

    #[getter]
    fn point_b(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.column(py, 5)
    }

    #[getter]
    fn errors(&self, py: Python<'_>) -> Py<PyDict> {
        self.errors.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        match &self.columns {
            AnswerColumns::Few(few, _) => Ok(few.verdicts.len()),
            AnswerColumns::Arrays(arrays) => arrays[0]
                .as_ref()
                .map_or(Ok(0), |array| array.bind(py).len()),
        }
    }

    /// Whether the bodies share inner points.
    #[getter]
    fn overlaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let verdict = self.verdict(py)?;
        verdict
            .into_pyobject(py)?
            .rich_compare(code(Verdict::Overlapping), CompareOp::Eq)
    }

    /// The verdicts in words.
    fn verdict_names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        let codes = self
            .verdict(py)?
            .into_pyobject(py)?
            .call_method0("tolist")?;
        let codes = codes.extract::<Vec<u8>>()?;
        let name = |given: u8| {
            let named = VERDICTS.iter().find(|&&verdict| code(verdict) == given);
            match (named, given) {
                (Some(verdict), _) => Ok(verdict.name()),
                (None, WRONG_ROW) => Ok("wrong_row"),
                _ => Err(GjkError::new_err(format!(
                    "{given} is the code of no verdict"
                ))),
            }
        };
        codes.into_iter().map(name).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let words = py.import("gjk")?.getattr("Verdict")?;
        let counted = py.import("gjk._rows")?.getattr("counted")?;
        let counted = counted.call1((self.verdict(py)?, words))?;
        Ok(format!("Answers({counted})"))
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let column = |which: usize| self.column(py, which);
        let all = (
            column(0)?,
            column(1)?,
            column(2)?,
            column(3)?,
            column(4)?,
            column(5)?,
            self.errors.clone_ref(py),
        );
        Ok(all.into_pyobject(py)?.into_any())
    }
}

/// The answers of a few rows, before they are arrays.
pub(crate) struct FewAnswers {
    verdicts: Vec<u8>,
    /// Lower ends, upper ends, and three vectors a row; none where only verdicts are asked for.
    numbers: Option<Vec<f64>>,
    /// Coordinates of a vector.
    dim: usize,
}

impl FewAnswers {
    pub(crate) fn new(asked: Ask, count: usize, dim: usize) -> Self {
        let is_measured = asked != Ask::Classify;
        Self {
            verdicts: vec![0; count],
            numbers: is_measured.then(|| vec![0.0; (2 + 3 * dim) * count]),
            dim,
        }
    }

    /// Where the answers are written.
    pub(crate) fn columns(&mut self) -> Columns<'_, f64> {
        let count = self.verdicts.len();
        let verdicts = &mut self.verdicts[..];
        let Some(numbers) = &mut self.numbers else {
            return Columns {
                verdicts,
                ..Columns::default()
            };
        };
        let (lower, rest) = numbers.split_at_mut(count);
        let (upper, rest) = rest.split_at_mut(count);
        let (normals, rest) = rest.split_at_mut(self.dim * count);
        let (points_a, points_b) = rest.split_at_mut(self.dim * count);
        Columns {
            verdicts,
            lower: Some(lower),
            upper: Some(upper),
            normals: Some(normals),
            points_a: Some(points_a),
            points_b: Some(points_b),
        }
    }

    /// A column as an array.
    fn array(&self, py: Python<'_>, which: usize) -> PyResult<Py<PyAny>> {
        let (count, numbers) = (
            self.verdicts.len(),
            self.numbers.as_deref().unwrap_or_default(),
        );
        Ok(match which {
            0 => PyArray1::from_slice(py, &self.verdicts).into_any(),
            1 | 2 => PyArray1::from_slice(py, &numbers[(which - 1) * count..][..count]).into_any(),
            _ => {
                let dim = self.dim;
                let vectors = &numbers[(2 + dim * (which - 3)) * count..][..dim * count];
                let view = ArrayView2::from_shape((count, dim), vectors);
                let view = view.map_err(|error| GjkError::new_err(error.to_string()))?;
                PyArray2::from_array(py, &view).into_any()
            }
        }
        .unbind())
    }
}
