//! Answered rows of motions in the order of time, as arrays.

use crate::errors::GjkError;
use crate::given::as_numbers;
use crate::single_rows::NamedArrays;
use gjk_batch::rows::hit_order;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A column of an answer, or what stands in its place.
fn column<'py, T: numpy::Element + Copy>(
    name: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<Vec<T>> {
    let array = given
        .cast::<PyArrayDyn<T>>()
        .ok()
        .filter(|of| of.ndim() == 1);
    let array = array.ok_or_else(|| {
        let told = format!("found.{name} is no column of answers: give what ray_cast, shape_cast or time_of_impact returned");
        GjkError::new_err(told)
    })?;
    Ok(array.readonly().as_array().iter().copied().collect())
}

/// Which ray or body each row is about: whole numbers.
fn names(given: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<i64>> {
    let numbers = as_numbers("of", given)?;
    let shape = numbers.shape();
    if numbers.ndim() != 1 || shape[0] != rows {
        let told = format!(
            "of has shape {shape:?}: expected ({rows},), a whole number for each answered row"
        );
        return Err(GjkError::new_err(told));
    }
    let numbers = numbers.readonly();
    let whole = |&number: &f64| {
        // Beyond these a float has no neighbour at a distance of one.
        const MOST: f64 = 9_007_199_254_740_992.0;
        let is_whole = number.trunc() == number && number.abs() <= MOST;
        is_whole.then_some(number as i64).ok_or_else(|| {
            GjkError::new_err(format!(
                "of has {number}: it must be whole numbers of at most 2**53"
            ))
        })
    };
    numbers.as_array().iter().map(whole).collect()
}

/// Puts answered rows in order: `verdict`, `time_lower` and `time_upper` are those of the answers.
#[pyfunction]
pub(crate) fn order_hits<'py>(
    py: Python<'py>,
    verdict: &Bound<'py, PyAny>,
    time_lower: &Bound<'py, PyAny>,
    time_upper: &Bound<'py, PyAny>,
    of: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let verdicts: Vec<u8> = column("verdict", verdict)?;
    let lower: Vec<f64> = column("time_lower", time_lower)?;
    let upper: Vec<f64> = column("time_upper", time_upper)?;
    let of = of.map(|of| names(of, verdicts.len())).transpose()?;
    let found = py.detach(|| hit_order(&verdicts, [&lower, &upper], of.as_deref()));
    let found = found.map_err(|error| GjkError::new_err(error.to_string()))?;
    // A count of rows is far below 2⁶³.
    let places = |of: Vec<usize>| of.into_iter().map(|place| place as i64).collect();
    let named = NamedArrays::new(py);
    named.put("of", found.of)?;
    named.put::<i64>("offsets", places(found.offsets))?;
    named.put::<i64>("rows", places(found.rows))?;
    named.put("first", found.first)?;
    Ok(named.0)
}
