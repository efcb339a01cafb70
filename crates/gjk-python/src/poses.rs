//! Poses as columns of numpy, for `gjk_batch::rows`, which reads them.

use crate::errors::GjkError;
use crate::given::{LentColumn, as_numbers, length_of, scalars, vectors};
use gjk_batch::rows::{NumberColumn, PlanarPoseRows, PoseRows, QuaternionOrder, RowFault};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// No turn, x y z w.
const UNTURNED: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// How a pose is written.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Matrix,
    Quaternion(QuaternionOrder),
    /// In the plane.
    Angle,
}

impl Kind {
    /// The name of its numbers among the parameters.
    fn name(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Quaternion(QuaternionOrder::Xyzw) => "quat_xyzw",
            Self::Quaternion(QuaternionOrder::Wxyz) => "quat_wxyz",
            Self::Angle => "angle",
        }
    }
}

/// Poses of the plane or of space, as arrays: one pose for all rows, or one a row.
pub(crate) struct PoseArrays {
    kind: Kind,
    /// Matrices, quaternions or angles; without them nothing is turned.
    numbers: Option<Py<PyArray2<f64>>>,
    translation: Option<Py<PyArray2<f64>>>,
    /// How many there are.
    pub(crate) count: usize,
}

/// What only a matrix alone may say.
pub(crate) const MATRIX_ALONE: &str =
    "a matrix has a translation and a rotation of its own: give nothing else";

impl PoseArrays {
    /// Of matrices with so many columns, whose last row may be left out.
    pub(crate) fn of_matrices(given: &Bound<'_, PyAny>, wide: usize) -> PyResult<Self> {
        let numbers = as_numbers("matrix", given)?;
        let is_high = |high: usize| high == wide || high + 1 == wide;
        let (rows, high) = match *numbers.shape() {
            [high, width] if is_high(high) && width == wide => (1, high),
            [rows, high, width] if is_high(high) && width == wide => (rows, high),
            _ => {
                let (shape, less) = (numbers.getattr("shape")?, wide - 1);
                return Err(GjkError::new_err(format!(
                    "matrix has shape {shape}: expected ({wide}, {wide}), ({less}, {wide}), (n, {wide}, {wide}) or (n, {less}, {wide})"
                )));
            }
        };
        Ok(Self {
            kind: Kind::Matrix,
            numbers: Some(numbers.reshape([rows, wide * high])?.unbind()),
            translation: None,
            count: rows,
        })
    }

    /// Of angles in the plane.
    pub(crate) fn of_angles(
        translation: Option<&Bound<'_, PyAny>>,
        angle: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let angles = angle.map(|given| scalars("angle", given)).transpose()?;
        Self::of_turns(Kind::Angle, angles, translation, 2)
    }

    /// Of turns as numbers of a kind, and translations of so many coordinates.
    fn of_turns(
        kind: Kind,
        numbers: Option<Bound<'_, PyArray2<f64>>>,
        translation: Option<&Bound<'_, PyAny>>,
        dim: usize,
    ) -> PyResult<Self> {
        let moved = translation.map(|given| vectors("translation", given, dim));
        let moved = moved.transpose()?;
        let length = |array: &Option<Bound<'_, PyArray2<f64>>>| {
            array.as_ref().map_or(1, |array| array.shape()[0])
        };
        let turned = (kind.name(), length(&numbers));
        let count = length_of(&[("translation", length(&moved)), turned])?;
        Ok(Self {
            kind,
            numbers: numbers.map(Bound::unbind),
            translation: moved.map(Bound::unbind),
            count,
        })
    }

    /// What it is called: the name of its class, with how many there are.
    pub(crate) fn told(&self, class: &str) -> String {
        format!("{class}({}, {})", self.count, self.kind.name())
    }

    /// The parameters that it was made of, as rows.
    pub(crate) fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let Some(numbers) = &self.numbers {
            let numbers = numbers.bind(py);
            let [rows, width] = [numbers.shape()[0], numbers.shape()[1]];
            match self.kind {
                Kind::Matrix => {
                    let wide = if width < 12 { 3 } else { 4 };
                    named.set_item("matrix", numbers.reshape([rows, width / wide, wide])?)?;
                }
                Kind::Angle => named.set_item("angle", numbers.reshape([rows])?)?,
                Kind::Quaternion(_) => named.set_item(self.kind.name(), numbers)?,
            }
        }
        if let Some(moved) = &self.translation {
            named.set_item("translation", moved)?;
        }
        Ok(named)
    }
}

/// Where bodies are: one pose for all rows, or one a row. `python/gjk/_rows.py` has its documentation.
#[pyclass(frozen, subclass, module = "gjk._gjk")]
pub struct Poses(pub(crate) PoseArrays);

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
                return Err(GjkError::new_err(MATRIX_ALONE));
            }
            return PoseArrays::of_matrices(matrix, 4).map(Self);
        }
        let (order, given) = match (quat_xyzw, quat_wxyz) {
            (Some(_), Some(_)) => {
                let told = "quat_xyzw and quat_wxyz are both given: one rotation has one order";
                return Err(GjkError::new_err(told));
            }
            (None, Some(given)) => (QuaternionOrder::Wxyz, Some(given)),
            (given, None) => (QuaternionOrder::Xyzw, given),
        };
        let kind = Kind::Quaternion(order);
        let numbers = given.map(|given| vectors(kind.name(), given, 4));
        PoseArrays::of_turns(kind, numbers.transpose()?, translation, 3).map(Self)
    }

    pub(crate) fn __len__(&self) -> usize {
        self.0.count
    }

    fn __repr__(&self) -> String {
        self.0.told("Poses")
    }

    /// The name of its numbers among the parameters.
    #[getter(_kind)]
    fn name(&self) -> &'static str {
        self.0.kind.name()
    }

    /// The parameters that it was made of, as rows.
    #[getter(_parameters)]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.parameters(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.parameters(py)?))
    }
}

/// Poses while they are read.
pub(crate) struct Borrowed<'py> {
    kind: Kind,
    numbers: Option<LentColumn<'py>>,
    translation: Option<LentColumn<'py>>,
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
    let made = PoseArrays::of_matrices(given, 4);
    let made = made.map_err(|error| {
        told_of(
            given.py(),
            &error,
            name,
            "quaternions come as gjk.Poses(quat_xyzw=...) or quat_wxyz",
        )
    });
    Bound::new(given.py(), Poses(made?)).map(Some)
}

/// An error of ours with the name of the parameter and what else may be given; any other as it is.
pub(crate) fn told_of(py: Python<'_>, error: &PyErr, name: &str, else_given: &str) -> PyErr {
    if error.is_instance_of::<GjkError>(py) {
        let told = error.value(py);
        return GjkError::new_err(format!("{name}: {told}; {else_given}"));
    }
    error.clone_ref(py)
}

impl<'py> Borrowed<'py> {
    /// An array that something writes into at the same time is an error.
    pub(crate) fn new(poses: &Bound<'py, Poses>) -> PyResult<Self> {
        Self::lent(poses.py(), &poses.get().0, false)
    }

    /// The same, or copies.
    pub(crate) fn lent(py: Python<'py>, poses: &PoseArrays, copies: bool) -> PyResult<Self> {
        let read = |array: &Option<Py<PyArray2<f64>>>| {
            let array = array.as_ref().map(|array| array.bind(py));
            let column = array.map(|array| LentColumn::new(array, copies, "poses"));
            column.transpose()
        };
        Ok(Self {
            kind: poses.kind,
            numbers: read(&poses.numbers)?,
            translation: read(&poses.translation)?,
        })
    }

    /// Of the columns, those that turn and those that move.
    fn columns(&self) -> PyResult<[Option<NumberColumn<'_>>; 2]> {
        let numbers = self.numbers.as_ref().map(LentColumn::rows).transpose()?;
        let moved = self.translation.as_ref().map(LentColumn::rows);
        Ok([numbers, moved.transpose()?])
    }

    /// In space.
    pub(crate) fn rows(&self) -> PyResult<PoseRows<NumberColumn<'_>>> {
        let [numbers, translation] = self.columns()?;
        let rotation = numbers.unwrap_or_else(|| NumberColumn::new(&UNTURNED, 4));
        Ok(match self.kind {
            Kind::Matrix => PoseRows::Matrix(rotation),
            Kind::Quaternion(order) => PoseRows::Quaternion {
                order,
                rotation,
                translation,
            },
            Kind::Angle => {
                return Err(GjkError::new_err(
                    "poses of the plane have no place in space",
                ));
            }
        })
    }

    /// In the plane.
    pub(crate) fn planar_rows(&self) -> PyResult<PlanarPoseRows<NumberColumn<'_>>> {
        let [numbers, translation] = self.columns()?;
        Ok(match (self.kind, numbers) {
            (Kind::Matrix, Some(matrices)) => PlanarPoseRows::Matrix(matrices),
            (_, angle) => PlanarPoseRows::Angle { angle, translation },
        })
    }
}

/// The rows of poses, or one where there are none.
pub(crate) fn count(poses: Option<&Bound<'_, Poses>>) -> usize {
    poses.map_or(1, |poses| poses.get().0.count)
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
