//! The calls that answer rows of rays, casts and times of impact.

use crate::errors::GjkError;
use crate::given::{LentColumn, length_of, number, vectors};
use crate::motions::{GivenMotionPair, motion_rows};
use crate::run::{BODIES, SideNames};
use crate::shape_set::ShapeSet;
use crate::single_rows::{
    GivenBody, GivenPair, GivenTwo, IntervalColumns, NamedArrays, NamedColumns, SingleCall,
    both_bodies, lengths,
};
use crate::space::{PySpace, SetOf};
use gjk::query::{MotionError, MotionOptions, Start, ToiOptions, Touch};
use gjk_batch::rows::{MotionColumns, RayRows, ask_casts, ask_rays, ask_tois, stop_names};
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// What a ray's row has on its sides.
const RAY_SIDES: SideNames = [("a", "body a"), ("ray", "ray")];

/// A parameter of a call.
type Given<'g, 'py> = &'g Bound<'py, PyAny>;

/// The latest time, the distance, what a start in contact means, and what a touch.
pub(crate) type GivenPolicies<'py> = (
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
);

/// A number that an option refuses, with its value.
fn refused(error: MotionError, value: f64) -> PyErr {
    let (field, told) = (error.field(), error.to_string());
    let why = told.strip_prefix(&format!("{field}: ")).unwrap_or(&told);
    GjkError::new_err(format!("{field} is {value}: {why}"))
}

/// One of a few words.
fn word<T: Copy, const N: usize>(
    name: &str,
    given: Given<'_, '_>,
    words: [(&str, T); N],
) -> PyResult<T> {
    let text = given.cast::<PyString>().ok();
    let text = text.and_then(|text| text.to_str().ok());
    let found = words.iter().find(|(word, _)| text == Some(word));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words = words.map(|(word, _)| format!("{word:?}"));
        let given = given.repr().map(|text| text.to_string());
        let (given, words) = (given.unwrap_or_default(), words.join(" or "));
        GjkError::new_err(format!("{name} is {given}: it must be {words}"))
    })
}

/// The library's options, but for the end of the motion.
fn policies((_, distance, start, touch): &GivenPolicies<'_>) -> PyResult<MotionOptions<f64>> {
    let distance = number("distance", distance)?;
    let starts = [
        ("hit", Start::Hit),
        ("approach", Start::Approach),
        ("exit", Start::Exit),
    ];
    let touches = [("counts", Touch::Counts), ("passes", Touch::Passes)];
    let options = MotionOptions::default()
        .with_start(word("start", start, starts)?)
        .with_touch(word("touch", touch, touches)?)
        .with_distance(distance);
    options.map_err(|error| refused(error, distance))
}

/// The library's options.
pub(crate) fn motion_options(given: &GivenPolicies<'_>) -> PyResult<MotionOptions<f64>> {
    let options = policies(given)?;
    let Some(end) = &given.0 else {
        return Ok(options);
    };
    let end = number("max_time", end)?;
    let options = options.with_max_time(end);
    options.map_err(|error| refused(error, end))
}

/// The library's options of bodies that turn.
pub(crate) fn toi_options(
    given: &GivenPolicies<'_>,
    time_resolution: Option<Given<'_, '_>>,
    pieces_max: Option<Given<'_, '_>>,
) -> PyResult<ToiOptions<f64>> {
    let mut options = ToiOptions::default().with_motion(policies(given)?);
    if let Some(end) = &given.0 {
        let end = number("max_time", end)?;
        options = options
            .with_max_time(end)
            .map_err(|error| refused(error, end))?;
    }
    if let Some(resolution) = time_resolution {
        let resolution = number("time_resolution", resolution)?;
        options = options
            .with_time_resolution(resolution)
            .map_err(|error| refused(error, resolution))?;
    }
    let Some(pieces) = pieces_max else {
        return Ok(options);
    };
    let count = pieces.extract::<u32>().map_err(|_| {
        let given = pieces.repr().map(|text| text.to_string());
        let (given, most) = (given.unwrap_or_default(), u32::MAX);
        GjkError::new_err(format!(
            "pieces_max is {given}: it must be a whole number, at least 0 and at most {most}"
        ))
    })?;
    Ok(options.with_pieces_max(count))
}

/// Columns for answers on motions.
struct MotionTable {
    verdicts: Vec<u8>,
    exact: Vec<bool>,
    times: IntervalColumns,
    exits: IntervalColumns,
    vectors: [Vec<f64>; 3],
    grazing: Vec<bool>,
    signed_distances: IntervalColumns,
    iterations: Vec<u32>,
    stops: Vec<u8>,
}

impl MotionTable {
    fn new(rows: usize, dim: usize) -> Self {
        Self {
            verdicts: vec![0; rows],
            exact: vec![false; rows],
            times: IntervalColumns::new(rows),
            exits: IntervalColumns::new(rows),
            vectors: [0; 3].map(|_| vec![0.0; rows * dim]),
            grazing: vec![false; rows],
            signed_distances: IntervalColumns::new(rows),
            iterations: vec![0; rows],
            stops: vec![0; rows],
        }
    }

    fn columns(&mut self) -> MotionColumns<'_, f64> {
        let [normals, points_a, points_b] = self.vectors.each_mut();
        MotionColumns {
            verdicts: &mut self.verdicts,
            exact: &mut self.exact,
            times: self.times.ends(),
            exits: self.exits.ends(),
            normals,
            points_a,
            points_b,
            grazing: &mut self.grazing,
            signed_distances: self.signed_distances.ends(),
            iterations: &mut self.iterations,
            stops: &mut self.stops,
        }
    }

    fn named(self, py: Python<'_>, dim: usize) -> PyResult<Bound<'_, PyDict>> {
        let named = NamedArrays::new(py);
        named.put("verdict", self.verdicts)?;
        named.put("exact", self.exact)?;
        named.put_ends(["time_lower", "time_upper"], self.times)?;
        named.put_ends(["exit_lower", "exit_upper"], self.exits)?;
        for (name, column) in ["normal", "point_a", "point_b"]
            .into_iter()
            .zip(self.vectors)
        {
            named.put_rows(name, column, dim)?;
        }
        named.put("grazing", self.grazing)?;
        named.put_ends(["signed_lower", "signed_upper"], self.signed_distances)?;
        named.put("iterations", self.iterations)?;
        named.put("stop", self.stops)?;
        Ok(named.0)
    }
}

/// The names of stops, by their codes.
#[pyfunction]
pub(crate) fn motion_stops() -> Vec<&'static str> {
    stop_names().to_vec()
}

/// Answers rows of rays: `body` is a shape and its pose, `ray` an origin and a direction.
#[pyfunction]
pub(crate) fn answer_rays<'py>(
    py: Python<'py>,
    shapes: Given<'_, 'py>,
    body: (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>),
    ray: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    policies: GivenPolicies<'py>,
    errors: Given<'_, 'py>,
    threads: Option<Given<'_, 'py>>,
) -> PyResult<NamedColumns<'py>> {
    let (shapes, call) = (SetOf::new(shapes)?, SingleCall::new(errors, threads)?);
    let asked = motion_options(&policies)?;
    match shapes {
        SetOf::Plane(shapes) => rays(py, shapes, &body, &ray, &asked, &call),
        SetOf::Space(shapes) => rays(py, shapes, &body, &ray, &asked, &call),
    }
}

fn rays<'py, V: PySpace>(
    py: Python<'py>,
    shapes: &ShapeSet<V>,
    (shape, pose): &(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>),
    (origin, direction): &(Bound<'py, PyAny>, Bound<'py, PyAny>),
    asked: &MotionOptions<f64>,
    call: &SingleCall,
) -> PyResult<NamedColumns<'py>> {
    let body = GivenBody::new::<V>(["a", "pose_a"], shape, pose.as_ref())?;
    let origin = vectors("origin", origin, V::DIM)?;
    let direction = vectors("direction", direction, V::DIM)?;
    let [of_shape, of_pose] = body.lengths();
    let rows = length_of(&[
        of_shape,
        of_pose,
        ("origin", origin.shape()[0]),
        ("direction", direction.shape()[0]),
    ])?;
    let column = |array| LentColumn::new(array, false, "rays");
    let (origin, direction) = (column(&origin)?, column(&direction)?);
    let rays = RayRows {
        origin: origin.rows()?,
        direction: direction.rows()?,
    };
    let (body, set) = (body.lent(py)?, shapes.read());
    let body = body.rows::<V>()?;
    let mut table = MotionTable::new(rows, V::DIM);
    let columns = table.columns();
    let wrong = call.run(py, rows, RAY_SIDES, |options| {
        ask_rays(&set, &body, &rays, asked, options, columns)
    })?;
    Ok((table.named(py, V::DIM)?, wrong))
}

/// Answers rows of casts: `pair` are two shapes and their poses, `velocities` those of both.
#[pyfunction]
pub(crate) fn answer_casts<'py>(
    py: Python<'py>,
    shapes: Given<'_, 'py>,
    pair: GivenPair<'py>,
    velocities: GivenTwo<'py>,
    policies: GivenPolicies<'py>,
    errors: Given<'_, 'py>,
    threads: Option<Given<'_, 'py>>,
) -> PyResult<NamedColumns<'py>> {
    let (shapes, call) = (SetOf::new(shapes)?, SingleCall::new(errors, threads)?);
    let asked = motion_options(&policies)?;
    let velocities = [velocities.0, velocities.1];
    match shapes {
        SetOf::Plane(shapes) => casts(py, shapes, &pair, &velocities, &asked, &call),
        SetOf::Space(shapes) => casts(py, shapes, &pair, &velocities, &asked, &call),
    }
}

fn casts<'py, V: PySpace>(
    py: Python<'py>,
    shapes: &ShapeSet<V>,
    pair: &GivenPair<'py>,
    velocities: &[Option<Bound<'py, PyAny>>; 2],
    asked: &MotionOptions<f64>,
    call: &SingleCall,
) -> PyResult<NamedColumns<'py>> {
    let bodies = both_bodies::<V>(pair)?;
    let array = |name: &str, k: usize| {
        let given = velocities[k].as_ref();
        given.map(|given| vectors(name, given, V::DIM)).transpose()
    };
    let arrays = [array("velocity_a", 0)?, array("velocity_b", 1)?];
    let length = |array: &Option<Bound<'py, PyArray2<f64>>>| {
        array.as_ref().map_or(1, |array| array.shape()[0])
    };
    let moved = [
        ("velocity_a", length(&arrays[0])),
        ("velocity_b", length(&arrays[1])),
    ];
    let rows = length_of(&lengths(&bodies, moved))?;
    let lent = |array: &Option<Bound<'py, PyArray2<f64>>>| {
        let array = array.as_ref();
        let column = array.map(|array| LentColumn::new(array, false, "velocities"));
        column.transpose()
    };
    let (of_a, of_b) = (lent(&arrays[0])?, lent(&arrays[1])?);
    let velocity_a = of_a.as_ref().map(LentColumn::rows).transpose()?;
    let velocity_b = of_b.as_ref().map(LentColumn::rows).transpose()?;
    let velocities = [velocity_a.as_ref(), velocity_b.as_ref()];
    let ([a, b], set) = ([bodies[0].lent(py)?, bodies[1].lent(py)?], shapes.read());
    let (a, b) = (a.rows::<V>()?, b.rows::<V>()?);
    let mut table = MotionTable::new(rows, V::DIM);
    let columns = table.columns();
    let wrong = call.run(py, rows, BODIES, |options| {
        ask_casts(&set, [&a, &b], velocities, asked, options, columns)
    })?;
    Ok((table.named(py, V::DIM)?, wrong))
}

/// Answers rows of times of impact: `pair` are two shapes and their poses, `motions` those of both.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the columns and the options of one call
pub(crate) fn answer_tois<'py>(
    py: Python<'py>,
    shapes: Given<'_, 'py>,
    pair: GivenPair<'py>,
    motions: GivenTwo<'py>,
    policies: GivenPolicies<'py>,
    time_resolution: Option<Given<'_, 'py>>,
    pieces_max: Option<Given<'_, 'py>>,
    errors: Given<'_, 'py>,
    threads: Option<Given<'_, 'py>>,
) -> PyResult<NamedColumns<'py>> {
    let (shapes, call) = (SetOf::new(shapes)?, SingleCall::new(errors, threads)?);
    let asked = toi_options(&policies, time_resolution, pieces_max)?;
    let motions = [motions.0.as_ref(), motions.1.as_ref()];
    match shapes {
        SetOf::Plane(shapes) => tois(py, shapes, &pair, motions, &asked, &call),
        SetOf::Space(shapes) => tois(py, shapes, &pair, motions, &asked, &call),
    }
}

fn tois<'py, V: PySpace>(
    py: Python<'py>,
    shapes: &ShapeSet<V>,
    pair: &GivenPair<'py>,
    motions: [Option<&Bound<'py, PyAny>>; 2],
    asked: &ToiOptions<f64>,
    call: &SingleCall,
) -> PyResult<NamedColumns<'py>> {
    let bodies = both_bodies::<V>(pair)?;
    let motions = GivenMotionPair::new::<V>(["motion_a", "motion_b"], motions)?;
    let rows = length_of(&lengths(&bodies, motions.lengths()))?;
    let lent = motions.lent(py, shapes)?;
    let (of_a, of_b) = (motion_rows::<V>(&lent[0])?, motion_rows::<V>(&lent[1])?);
    let ([a, b], set) = ([bodies[0].lent(py)?, bodies[1].lent(py)?], shapes.read());
    let (a, b) = (a.rows::<V>()?, b.rows::<V>()?);
    let mut table = MotionTable::new(rows, V::DIM);
    let columns = table.columns();
    let wrong = call.run(py, rows, BODIES, |options| {
        ask_tois(&set, [&a, &b], [&of_a, &of_b], asked, options, columns)
    })?;
    Ok((table.named(py, V::DIM)?, wrong))
}
