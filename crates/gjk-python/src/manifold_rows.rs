//! The call that answers rows of contact manifolds.

use crate::errors::GjkError;
use crate::given::{length_of, number};
use crate::run::BODIES;
use crate::shape_set::ShapeSet;
use crate::single_rows::{
    GivenBody, GivenPair, IntervalColumns, NamedArrays, NamedColumns, SingleCall, both_bodies,
    flattened,
};
use crate::space::{PySpace, SetOf};
use gjk::Vector;
use gjk::query::ManifoldOptions;
use gjk_batch::rows::{
    ManifoldColumns, NEW_POINT, NamedPoint, RowCaches, ask_manifolds, ask_manifolds_warm,
};
use gjk_scene::{POINTS_WANTED, TILT_COSINES};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::{Mutex, PoisonError};

/// The prediction, how many points, and the cosine of the largest tilt.
pub(crate) type GivenPoints<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

/// The library's options.
pub(crate) fn manifold_options(
    (prediction, points_max, cos_max_tilt): &GivenPoints<'_>,
) -> PyResult<ManifoldOptions<f64>> {
    let prediction = number("prediction", prediction)?;
    if !(prediction >= 0.0 && prediction.is_finite()) {
        return Err(GjkError::new_err(format!(
            "prediction is {prediction}: it must be finite, and 0 or more"
        )));
    }
    let mut options = ManifoldOptions::default().with_prediction(prediction);
    if let Some(most) = points_max {
        let word = most.cast::<PyString>().ok();
        let is_all = word.is_some_and(|word| word.to_str().is_ok_and(|word| word == "all"));
        let count = most.extract::<u32>().unwrap_or(0);
        options = if is_all {
            options.with_all_points()
        } else if POINTS_WANTED.contains(&count) {
            options.with_points_max(count)
        } else {
            let (low, high) = (POINTS_WANTED.start(), POINTS_WANTED.end());
            return Err(GjkError::new_err(format!(
                "points_max is {}: it must be a whole number from {low} to {high}, or \"all\"",
                most.repr()?
            )));
        };
    }
    let Some(cosine) = cos_max_tilt else {
        return Ok(options);
    };
    let cosine = number("cos_max_tilt", cosine)?;
    if TILT_COSINES.contains(&cosine) {
        return Ok(options.with_cos_max_tilt(cosine));
    }
    let (low, high) = (TILT_COSINES.start(), TILT_COSINES.end());
    Err(GjkError::new_err(format!(
        "cos_max_tilt is {cosine}: it must be from {low} to {high}"
    )))
}

/// Columns for manifolds.
struct ManifoldTable<V: Vector> {
    verdicts: Vec<u8>,
    exact: Vec<bool>,
    signed_distances: IntervalColumns,
    normals: Vec<f64>,
    kinds: Vec<u8>,
    areas: Vec<f64>,
    complete: Vec<bool>,
    points: Vec<Vec<NamedPoint<V>>>,
}

impl<V: PySpace> ManifoldTable<V> {
    fn new(rows: usize) -> Self {
        Self {
            verdicts: vec![0; rows],
            exact: vec![false; rows],
            signed_distances: IntervalColumns::new(rows),
            normals: vec![0.0; rows * V::DIM],
            kinds: vec![0; rows],
            areas: vec![0.0; rows],
            complete: vec![false; rows],
            points: vec![Vec::new(); rows],
        }
    }

    fn columns(&mut self) -> ManifoldColumns<'_, V> {
        ManifoldColumns {
            verdicts: &mut self.verdicts,
            exact: &mut self.exact,
            signed_distances: self.signed_distances.ends(),
            normals: &mut self.normals,
            kinds: &mut self.kinds,
            areas: &mut self.areas,
            complete: &mut self.complete,
            points: &mut self.points,
        }
    }

    fn named(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let named = NamedArrays::new(py);
        named.put("verdict", self.verdicts)?;
        named.put("exact", self.exact)?;
        named.put_ends(["lower", "upper"], self.signed_distances)?;
        named.put_rows("normal", self.normals, V::DIM)?;
        named.put("kind", self.kinds)?;
        named.put("area", self.areas)?;
        named.put("complete", self.complete)?;
        let (offsets, points) = flattened(self.points)?;
        named.put("offsets", offsets)?;
        let all = points.iter();
        named.put_vectors("point_a", all.clone().map(|of| of.point.point_a))?;
        named.put_vectors("point_b", all.map(|of| of.point.point_b))?;
        let ends = |end: fn(&NamedPoint<V>) -> f64| points.iter().map(end).collect::<Vec<f64>>();
        named.put("separation_lower", ends(|of| of.point.separation.lower))?;
        named.put("separation_upper", ends(|of| of.point.separation.upper))?;
        let ids = |id: fn(&NamedPoint<V>) -> u64| points.iter().map(id).collect::<Vec<u64>>();
        named.put("id", ids(|of| of.point.id))?;
        named.put("exchanged_id", ids(|of| of.exchanged_id))?;
        Ok(named.0)
    }
}

/// What stays of rows from one call to the next, and where the points of each row began among all.
#[derive(Default)]
struct KeptRows {
    rows: RowCaches,
    offsets: Vec<i64>,
}

impl KeptRows {
    /// Of each point of so many rows its number among all points of the call before, or −1.
    fn before(&mut self, rows: usize) -> Vec<i64> {
        let (mut offsets, mut all) = (Vec::with_capacity(rows), Vec::new());
        for row in 0..rows {
            offsets.push(all.len() as i64);
            let first = self.offsets.get(row).copied().unwrap_or(0);
            let number = |&at: &u32| match at {
                NEW_POINT => -1,
                _ => first + i64::from(at),
            };
            all.extend(self.rows.before(row).iter().map(number));
        }
        self.offsets = offsets;
        all
    }
}

/// What stays of rows of manifolds from one call to the next.
#[pyclass(frozen, module = "gjk._gjk")]
#[derive(Default)]
pub struct ManifoldCaches(Mutex<KeptRows>);

#[pymethods]
impl ManifoldCaches {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// Answers rows of manifolds: `pair` are two shapes and their poses, `options` the prediction, how many points, and the cosine of the largest tilt. With `kept` the column
/// `before` is there too.
#[pyfunction]
pub(crate) fn answer_manifolds<'py>(
    py: Python<'py>,
    shapes: &Bound<'py, PyAny>,
    pair: GivenPair<'py>,
    options: GivenPoints<'py>,
    errors: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    kept: Option<&Bound<'py, ManifoldCaches>>,
) -> PyResult<NamedColumns<'py>> {
    let (shapes, call) = (SetOf::new(shapes)?, SingleCall::new(errors, threads)?);
    let asked = manifold_options(&options)?;
    let kept = kept.map(Bound::get);
    match shapes {
        SetOf::Plane(shapes) => manifolds(py, shapes, &pair, &asked, &call, kept),
        SetOf::Space(shapes) => manifolds(py, shapes, &pair, &asked, &call, kept),
    }
}

fn manifolds<'py, V: PySpace>(
    py: Python<'py>,
    shapes: &ShapeSet<V>,
    pair: &GivenPair<'py>,
    asked: &ManifoldOptions<f64>,
    call: &SingleCall,
    kept: Option<&ManifoldCaches>,
) -> PyResult<NamedColumns<'py>> {
    let bodies = both_bodies::<V>(pair)?;
    let lengths: Vec<_> = bodies.iter().flat_map(GivenBody::lengths).collect();
    let rows = length_of(&lengths)?;
    let ([a, b], set) = ([bodies[0].lent(py)?, bodies[1].lent(py)?], shapes.read());
    let (a, b) = (a.rows::<V>()?, b.rows::<V>()?);
    let mut table = ManifoldTable::new(rows);
    let columns = table.columns();
    let mut before = Vec::new();
    let wrong = call.run(py, rows, BODIES, |options| {
        let bodies = [&a, &b];
        let Some(ManifoldCaches(kept)) = kept else {
            return ask_manifolds(&set, bodies, asked, options, columns);
        };
        // The interpreter's lock is free here, so that who waits holds up no one else.
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let done = ask_manifolds_warm(&set, bodies, asked, options, columns, &mut kept.rows);
        before = kept.before(rows);
        done
    })?;
    let named = table.named(py)?;
    if kept.is_some() {
        NamedArrays(named.clone()).put("before", before)?;
    }
    Ok((named, wrong))
}
