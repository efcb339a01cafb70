//! Poses as columns of numpy, for `gjk_batch::rows`, which reads them.

use crate::errors::GjkError;
use crate::given::{Lent, as_numbers, length_of, vectors};
use gjk_batch::rows::{NumberColumn, PoseRows, QuaternionOrder, RowFault};
use numpy::{Ix2, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// No turn, x y z w.
const UNTURNED: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// How a pose is written.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Matrix,
    Quaternion(QuaternionOrder),
}

/// Where bodies are: one pose for all rows, or one a row. `python/gjk/_rows.py` has its documentation.
#[pyclass(frozen, subclass, module = "gjk._gjk")]
pub struct Poses {
    kind: Kind,
    /// Matrices or quaternions; without them nothing is turned.
    numbers: Option<Py<PyArray2<f64>>>,
    translation: Option<Py<PyArray2<f64>>>,
    count: usize,
}

impl Poses {
    fn of_matrices(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let numbers = as_numbers("matrix", given)?;
        let (rows, high) = match *numbers.shape() {
            [high @ (3 | 4), 4] => (1, high),
            [rows, high @ (3 | 4), 4] => (rows, high),
            _ => {
                let shape = numbers.getattr("shape")?;
                return Err(GjkError::new_err(format!(
                    "matrix has shape {shape}: expected (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4)"
                )));
            }
        };
        Ok(Self {
            kind: Kind::Matrix,
            numbers: Some(numbers.reshape([rows, 4 * high])?.unbind()),
            translation: None,
            count: rows,
        })
    }
}

#[pymethods]
impl Poses {
    #[new]
    #[pyo3(signature = (*, translation = None, quat_xyzw = None, quat_wxyz = None, matrix = None))]
    fn new(
        translation: Option<&Bound<'_, PyAny>>,
        quat_xyzw: Option<&Bound<'_, PyAny>>,
        quat_wxyz: Option<&Bound<'_, PyAny>>,
        matrix: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if let Some(matrix) = matrix {
            if translation.or(quat_xyzw).or(quat_wxyz).is_some() {
                let told =
                    "a matrix has a translation and a rotation of its own: give nothing else";
                return Err(GjkError::new_err(told));
            }
            return Self::of_matrices(matrix);
        }
        let (name, order, given) = match (quat_xyzw, quat_wxyz) {
            (Some(_), Some(_)) => {
                let told = "quat_xyzw and quat_wxyz are both given: one rotation has one order";
                return Err(GjkError::new_err(told));
            }
            (None, Some(given)) => ("quat_wxyz", QuaternionOrder::Wxyz, Some(given)),
            (given, None) => ("quat_xyzw", QuaternionOrder::Xyzw, given),
        };
        let numbers = given.map(|given| vectors(name, given, 4)).transpose()?;
        let moved = translation.map(|given| vectors("translation", given, 3));
        let moved = moved.transpose()?;
        let length = |array: &Option<Bound<'_, PyArray2<f64>>>| {
            array.as_ref().map_or(1, |array| array.shape()[0])
        };
        let count = length_of(&[("translation", length(&moved)), (name, length(&numbers))])?;
        Ok(Self {
            kind: Kind::Quaternion(order),
            numbers: numbers.map(Bound::unbind),
            translation: moved.map(Bound::unbind),
            count,
        })
    }

    pub(crate) fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("Poses({}, {})", self.count, self.name())
    }

    /// The name of its numbers among the parameters.
    #[getter(_kind)]
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Matrix => "matrix",
            Kind::Quaternion(QuaternionOrder::Xyzw) => "quat_xyzw",
            Kind::Quaternion(QuaternionOrder::Wxyz) => "quat_wxyz",
        }
    }

    /// The parameters that it was made of, as rows.
    #[getter(_parameters)]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let Some(numbers) = &self.numbers {
            let numbers = numbers.bind(py);
            if self.kind == Kind::Matrix {
                let [rows, width] = [numbers.shape()[0], numbers.shape()[1]];
                named.set_item("matrix", numbers.reshape([rows, width / 4, 4])?)?;
            } else {
                named.set_item(self.name(), numbers)?;
            }
        }
        if let Some(moved) = &self.translation {
            named.set_item("translation", moved)?;
        }
        Ok(named)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.parameters(py)?))
    }
}

/// Poses while they are read.
pub(crate) struct Borrowed<'py> {
    kind: Kind,
    numbers: Option<PoseColumn<'py>>,
    translation: Option<PoseColumn<'py>>,
}

/// An array of rows of so many numbers.
struct PoseColumn<'py> {
    numbers: Lent<'py, f64, Ix2>,
    width: usize,
}

impl PoseColumn<'_> {
    fn rows(&self) -> PyResult<NumberColumn<'_>> {
        Ok(NumberColumn::new(self.numbers.as_slice()?, self.width))
    }
}

/// Poses as a caller gives them: `Poses`, or matrices.
#[pyfunction]
pub(crate) fn as_poses<'py>(
    name: &str,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, Poses>>> {
    let Some(given) = given else {
        return Ok(None);
    };
    if let Ok(poses) = given.cast::<Poses>() {
        return Ok(Some(poses.clone()));
    }
    let py = given.py();
    let made = Poses::of_matrices(given).map_err(|error| {
        if !error.is_instance_of::<GjkError>(py) {
            return error;
        }
        let told = error.value(py);
        GjkError::new_err(format!(
            "{name}: {told}; quaternions come as gjk.Poses(quat_xyzw=...) or quat_wxyz"
        ))
    })?;
    Bound::new(py, made).map(Some)
}

/// The rows of poses, or none where there are none.
pub(crate) fn count(poses: Option<&Bound<'_, Poses>>) -> usize {
    poses.map_or(1, |poses| poses.get().count)
}

impl<'py> Borrowed<'py> {
    /// An array that something writes into at the same time is an error.
    pub(crate) fn new(poses: &Bound<'py, Poses>) -> PyResult<Self> {
        Self::lent(poses, false)
    }

    /// The same, or copies.
    pub(crate) fn lent(poses: &Bound<'py, Poses>, copies: bool) -> PyResult<Self> {
        let (py, poses) = (poses.py(), poses.get());
        let read = |array: &Option<Py<PyArray2<f64>>>| {
            let column = |array: &Bound<'py, PyArray2<f64>>| {
                Ok::<_, PyErr>(PoseColumn {
                    numbers: Lent::new(array, copies, "poses")?,
                    width: array.shape()[1],
                })
            };
            let array = array.as_ref().map(|array| column(array.bind(py)));
            array.transpose()
        };
        Ok(Self {
            kind: poses.kind,
            numbers: read(&poses.numbers)?,
            translation: read(&poses.translation)?,
        })
    }

    pub(crate) fn rows(&self) -> PyResult<PoseRows<NumberColumn<'_>>> {
        let numbers = self.numbers.as_ref().map(PoseColumn::rows).transpose()?;
        let numbers = numbers.unwrap_or_else(|| NumberColumn::new(&UNTURNED, 4));
        Ok(match self.kind {
            Kind::Matrix => PoseRows::Matrix(numbers),
            Kind::Quaternion(order) => PoseRows::Quaternion {
                order,
                rotation: numbers,
                translation: self
                    .translation
                    .as_ref()
                    .map(PoseColumn::rows)
                    .transpose()?,
            },
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
