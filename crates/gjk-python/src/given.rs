//! Numbers as callers give them. An array that is as the queries read it is taken as it is; of anything else numpy makes one.

use crate::errors::GjkError;
use gjk_batch::rows::NumberColumn;
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray,
    PyUntypedArrayMethods,
};
use numpy::{Ix1, Ix2};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

/// The array itself, when it can be read as a slice.
fn ready<'py, T: Element, D: Dimension>(
    given: &Bound<'py, PyAny>,
) -> Option<Bound<'py, PyArray<T, D>>> {
    let array = given.cast::<PyArray<T, D>>().ok()?;
    (array.is_c_contiguous() && array.is_aligned()).then(|| array.clone())
}

/// So many rows are copied: what numpy does to lend its arrays takes longer.
pub(crate) const FEW: usize = 64;

/// The numbers of an array while they are read.
pub(crate) enum Lent<'py, T: Element, D: Dimension> {
    /// The array's own; nothing writes into them meanwhile.
    Held(PyReadonlyArray<'py, T, D>),
    /// A copy.
    Copied(Vec<T>),
}

impl<'py, T: Element, D: Dimension> Lent<'py, T, D> {
    /// Of an array that is contiguous; `name` is what it is in an error, in the plural.
    pub(crate) fn new(
        array: &Bound<'py, PyArray<T, D>>,
        copies: bool,
        name: &str,
    ) -> PyResult<Self> {
        if copies {
            return Ok(Self::Copied(array.to_vec()?));
        }
        let held = array.try_readonly();
        let told = |error| GjkError::new_err(format!("{name} are written into meanwhile: {error}"));
        held.map(Self::Held).map_err(told)
    }

    pub(crate) fn as_slice(&self) -> PyResult<&[T]> {
        match self {
            Self::Held(array) => Ok(array.as_slice()?),
            Self::Copied(numbers) => Ok(numbers),
        }
    }
}

/// Rows of so many numbers while they are read; one row is for all.
pub(crate) struct LentColumn<'py> {
    numbers: Lent<'py, f64, Ix2>,
    width: usize,
}

impl<'py> LentColumn<'py> {
    /// As [`Lent::new`].
    pub(crate) fn new(
        array: &Bound<'py, PyArray2<f64>>,
        copies: bool,
        name: &str,
    ) -> PyResult<Self> {
        Ok(Self {
            numbers: Lent::new(array, copies, name)?,
            width: array.shape()[1],
        })
    }

    pub(crate) fn rows(&self) -> PyResult<NumberColumn<'_>> {
        Ok(NumberColumn::new(self.numbers.as_slice()?, self.width))
    }
}

/// `numpy.require`, which copies what is not of that type, contiguous and aligned.
fn required<'py, T: Element, D: Dimension>(
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let py = given.py();
    let numpy = py.import("numpy")?;
    let named = PyDict::new(py);
    named.set_item("dtype", T::get_dtype(py))?;
    named.set_item("requirements", ("C", "A"))?;
    let made = numpy.call_method("require", (given,), Some(&named))?;
    Ok(made.cast_into::<PyArray<T, D>>()?)
}

/// The letter of the type of `numpy.asarray`'s array, and the array.
fn as_array<'py>(given: &Bound<'py, PyAny>) -> PyResult<(String, Bound<'py, PyAny>)> {
    let array = given
        .py()
        .import("numpy")?
        .call_method1("asarray", (given,))?;
    let kind = array.getattr("dtype")?.getattr("kind")?.extract()?;
    Ok((kind, array))
}

/// An error of one of these kinds as ours, and any other as it is.
fn refused(py: Python<'_>, error: PyErr, told: &str) -> PyErr {
    let is_known = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyOverflowError>(py);
    if is_known {
        GjkError::new_err(format!("{told}: {}", error.value(py)))
    } else {
        error
    }
}

/// An array of doubles, contiguous.
#[pyfunction]
pub(crate) fn as_numbers<'py>(
    name: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if let Some(array) = ready(given) {
        return Ok(array);
    }
    let made = as_array(given).and_then(|(kind, array)| {
        if kind == "c" {
            let told = "complex numbers have no place in space";
            return Err(PyTypeError::new_err(told));
        }
        required(&array)
    });
    made.map_err(|error| refused(given.py(), error, &format!("{name} is no array of numbers")))
}

/// A shape in Python's words.
fn shape_of(array: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(array.getattr("shape")?.str()?.to_string())
}

/// Rows of so many numbers, from one or several.
#[pyfunction]
pub(crate) fn vectors<'py>(
    name: &str,
    given: &Bound<'py, PyAny>,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers = as_numbers(name, given)?;
    match *numbers.shape() {
        [_, last] if last == width => Ok(numbers.cast_into::<PyArray2<f64>>()?),
        [last] if last == width => numbers.reshape([1, width]),
        _ => Err(GjkError::new_err(format!(
            "{name} has shape {}: expected ({width},) or (n, {width})",
            shape_of(&numbers)?
        ))),
    }
}

/// Rows of one number, from one or several.
pub(crate) fn scalars<'py>(
    name: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers = as_numbers(name, given)?;
    match *numbers.shape() {
        [] => numbers.reshape([1, 1]),
        [rows] => numbers.reshape([rows, 1]),
        _ => Err(GjkError::new_err(format!(
            "{name} has shape {}: expected one number or (n,)",
            shape_of(&numbers)?
        ))),
    }
}

/// One number, which may be infinite or NaN.
pub(crate) fn number(name: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    let numbers = as_numbers(name, given)?;
    match *numbers.to_vec()? {
        [number] => Ok(number),
        _ => Err(GjkError::new_err(format!(
            "{name} has shape {}: expected one number",
            shape_of(&numbers)?
        ))),
    }
}

/// An array that is to have whole numbers; an empty one, whose type says nothing, has them.
#[pyfunction]
pub(crate) fn whole_of<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy
        .call_method1("asarray", (given,))
        .map_err(|error| refused(py, error, &format!("{name} is no array")))?;
    if array.getattr("size")?.extract::<usize>()? > 0 {
        return Ok(array);
    }
    numpy.call_method1("zeros", (array.getattr("shape")?, "int64"))
}

/// Whole numbers, one or `(n,)`. What no shape can have as its number stays such a one.
#[pyfunction]
pub(crate) fn ids<'py>(
    name: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let py = given.py();
    if let Some(array) = ready(given) {
        return Ok(array);
    }
    if let (true, Ok(one)) = (
        given.is_exact_instance_of::<PyInt>(),
        given.extract::<u32>(),
    ) {
        return Ok(PyArray1::from_slice(py, &[one]));
    }
    let (kind, array) = as_array(&whole_of(name, given)?)?;
    let is_list = array.getattr("ndim")?.extract::<usize>()? <= 1;
    let array = array.call_method1("reshape", (-1,));
    let found: Vec<u32> = match (kind.as_str(), is_list) {
        ("i", true) => {
            let array = required::<i64, Ix1>(&array?)?;
            let numbers = array.try_readonly()?;
            let numbers = numbers.as_slice()?.iter();
            numbers
                .map(|&n| u32::try_from(n).unwrap_or(u32::MAX))
                .collect()
        }
        ("u", true) => {
            let array = required::<u64, Ix1>(&array?)?;
            let numbers = array.try_readonly()?;
            let numbers = numbers.as_slice()?.iter();
            numbers
                .map(|&n| u32::try_from(n).unwrap_or(u32::MAX))
                .collect()
        }
        _ => {
            let array = whole_of(name, given)?;
            return Err(GjkError::new_err(format!(
                "{name} has shape {} and type {}: expected whole numbers, one or (n,)",
                shape_of(&array)?,
                array.getattr("dtype")?
            )));
        }
    };
    Ok(PyArray1::from_vec(py, found))
}

/// More threads than any machine has, and fewer than a machine refuses.
const MOST_THREADS: usize = 1024;

/// Whether a wrong row is raised; what is no way to tell of it is refused.
#[pyfunction]
pub(crate) fn check_errors(errors: &Bound<'_, PyAny>) -> PyResult<bool> {
    let word = errors.cast::<PyString>().ok();
    match word.and_then(|word| word.to_str().ok()) {
        Some("raise") => Ok(true),
        Some("column") => Ok(false),
        _ => Err(GjkError::new_err(format!(
            "errors is {}: it must be \"raise\" or \"column\"",
            errors.repr()?
        ))),
    }
}

/// How many threads a caller wants; 0 for as many as there are processors.
#[pyfunction]
#[pyo3(signature = (threads))]
pub(crate) fn count_of_threads(threads: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(threads) = threads else {
        return Ok(0);
    };
    let count = threads.extract::<usize>().unwrap_or(0);
    if (1..=MOST_THREADS).contains(&count) {
        return Ok(count);
    }
    Err(GjkError::new_err(format!(
        "threads is {}: it must be a whole number, at least 1 and at most {MOST_THREADS}",
        threads.repr()?
    )))
}

/// The length of columns, of which those of one row are for all rows.
pub(crate) fn length_of(lengths: &[(&str, usize)]) -> PyResult<usize> {
    let mut several = lengths
        .iter()
        .map(|&(_, length)| length)
        .filter(|&length| length != 1);
    let count = several.next().unwrap_or(1);
    if several.all(|length| length == count) {
        return Ok(count);
    }
    let told = lengths
        .iter()
        .map(|(name, length)| format!("{name} has {length}"));
    let told: Vec<String> = told.collect();
    Err(GjkError::new_err(format!(
        "columns of different lengths: {}",
        told.join(", ")
    )))
}

/// See [`length_of`].
#[pyfunction]
pub(crate) fn common_length(lengths: Vec<Bound<'_, PyTuple>>) -> PyResult<usize> {
    let lengths = lengths.iter().map(|pair| pair.extract::<(String, usize)>());
    let lengths: Vec<(String, usize)> = lengths.collect::<PyResult<_>>()?;
    let named: Vec<(&str, usize)> = lengths
        .iter()
        .map(|(name, n)| (name.as_str(), *n))
        .collect();
    length_of(&named)
}
