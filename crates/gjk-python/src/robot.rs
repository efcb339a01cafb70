//! Robots: states in rows, and what is found in each.
//!
//! Idea: states are taken in by blocks, so that what a check keeps of a state is gone before the next block; a state that is wrong is left out of its block.

use crate::errors::{GjkError, RowError};
use crate::report::verdict_code;
use crate::run::{Answered, interruptible, kept_pool};
use crate::scene::{Read, Scene, Wanted, robot};
use gjk::query::Verdict;
use gjk_batch::rows::WRONG_ROW;
use gjk_check::{Check, PairProximity, severity, states as check};
use gjk_scene::Robot;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many states are checked before their pairs become columns.
const BLOCK: usize = 1 << 14;

/// States as Python gives them.
#[derive(FromPyObject)]
pub(crate) struct States<'py> {
    /// A row a state, a column a joint that can be set, in the file's order; NaN where a joint stays at zero, clamped into its limits.
    #[pyo3(item)]
    values: PyReadonlyArray2<'py, f64>,
    /// Whether a column is given.
    #[pyo3(item)]
    given: Vec<bool>,
    /// How many values each row had, where rows were given one by one.
    #[pyo3(item)]
    widths: Option<PyReadonlyArray1<'py, i64>>,
}

/// The same for other threads.
pub(crate) struct Rows<'a> {
    robot: &'a Robot,
    values: &'a [f64],
    given: &'a [bool],
    widths: Option<&'a [i64]>,
    /// The joints of the columns.
    joints: Vec<usize>,
    zero: Vec<f64>,
    pub(crate) count: usize,
}

/// The joints that a state sets.
pub(crate) fn independent(robot: &Robot) -> Vec<usize> {
    let joints = robot.joints.iter().enumerate();
    joints
        .filter(|(_, joint)| joint.is_independent())
        .map(|(index, _)| index)
        .collect()
}

impl States<'_> {
    pub(crate) fn rows<'a>(&'a self, scene: &'a gjk_scene::Scene) -> PyResult<Rows<'a>> {
        let robot = robot(scene)?;
        let joints = independent(robot);
        let (count, width) = self.values.as_array().dim();
        if width != joints.len() || self.given.len() != width {
            return Err(GjkError::new_err(format!(
                "states have {width} columns: expected {}, one a joint",
                joints.len()
            )));
        }
        Ok(Rows {
            robot,
            values: self.values.as_slice()?,
            given: &self.given,
            widths: self
                .widths
                .as_ref()
                .map(|widths| widths.as_slice())
                .transpose()?,
            joints,
            zero: robot.zero_state(),
            count,
        })
    }

    /// All states, of which the first that is wrong is an error.
    pub(crate) fn all(&self, scene: &gjk_scene::Scene) -> PyResult<Vec<Vec<f64>>> {
        let rows = self.rows(scene)?;
        let row = |row| rows.state(row).map_err(|fault| wrong_row(row, &fault));
        (0..rows.count).map(row).collect()
    }
}

pub(crate) fn wrong_row(row: usize, fault: &str) -> PyErr {
    RowError::new_err((format!("row {row}: {fault}"), row))
}

impl Rows<'_> {
    /// One value a joint of the robot.
    pub(crate) fn state(&self, row: usize) -> Result<Vec<f64>, String> {
        let width = self.joints.len();
        if let Some(found) = self
            .widths
            .map(|widths| widths[row])
            .filter(|&found| found != width as i64)
        {
            return Err(format!(
                "it has {found} values: expected {width}, one a joint"
            ));
        }
        let mut state = self.zero.clone();
        for (k, &joint) in self
            .joints
            .iter()
            .enumerate()
            .filter(|&(k, _)| self.given[k])
        {
            let value = self.values[row * width + k];
            if !value.is_finite() {
                let name = &self.robot.joints[joint].name;
                return Err(format!(
                    "joint `{name}` is {value}: every number must be finite"
                ));
            }
            state[joint] = value;
        }
        self.robot.follow_mimics(&mut state);
        Ok(state)
    }
}

/// What is found in states, by row.
#[derive(Default)]
struct Found {
    verdicts: Vec<u8>,
    clearance: Vec<f64>,
    nearest: Vec<i64>,
    wrong: Vec<(usize, String)>,
    states: Vec<i64>,
    bodies: Vec<i64>,
    pair_verdicts: Vec<u8>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Found {
    /// Adds a state: `floor` is what all pairs that are not reported keep at least.
    fn add(&mut self, row: usize, pairs: &[PairProximity], floor: f64, keep_pairs: bool) {
        let worst = pairs.iter().map(|pair| pair.proximity.verdict);
        let worst = worst.min_by_key(|&verdict| severity(verdict));
        self.verdicts
            .push(verdict_code(worst.unwrap_or(Verdict::Separated)));
        let lower = |pair: &&PairProximity| pair.proximity.lower;
        let nearest = pairs.iter().min_by(|a, b| lower(a).total_cmp(&lower(b)));
        self.clearance.push(
            nearest
                .as_ref()
                .map_or(floor, |pair| lower(pair).min(floor)),
        );
        let (a, b) = nearest.map_or((-1, -1), |pair| {
            (pair.bodies.0 as i64, pair.bodies.1 as i64)
        });
        self.nearest.extend([a, b]);
        for pair in pairs.iter().filter(|_| keep_pairs) {
            self.states.push(row as i64);
            self.bodies
                .extend([pair.bodies.0 as i64, pair.bodies.1 as i64]);
            self.pair_verdicts
                .push(verdict_code(pair.proximity.verdict));
            self.lower.push(pair.proximity.lower);
            self.upper.push(pair.proximity.upper);
        }
    }

    fn add_wrong(&mut self, row: usize, fault: String) {
        self.verdicts.push(WRONG_ROW);
        self.clearance.push(f64::NAN);
        self.nearest.extend([-1, -1]);
        self.wrong.push((row, fault));
    }

    fn named<'py>(self, py: Python<'py>) -> PyResult<Answered<'py>> {
        let columns = PyDict::new(py);
        columns.set_item("verdict", self.verdicts.into_pyarray(py))?;
        columns.set_item("clearance", self.clearance.into_pyarray(py))?;
        columns.set_item("nearest", self.nearest.into_pyarray(py))?;
        columns.set_item("pair_state", self.states.into_pyarray(py))?;
        columns.set_item("pair_bodies", self.bodies.into_pyarray(py))?;
        columns.set_item("pair_verdict", self.pair_verdicts.into_pyarray(py))?;
        columns.set_item("pair_lower", self.lower.into_pyarray(py))?;
        columns.set_item("pair_upper", self.upper.into_pyarray(py))?;
        Ok((columns, self.wrong))
    }
}

/// Checks the states block by block.
fn found(
    read: &Read,
    rows: &Rows<'_>,
    wanted: &Wanted,
    keep_pairs: bool,
    raises: bool,
    stop: &AtomicBool,
) -> Result<Found, (usize, String)> {
    let criteria = wanted.criteria();
    let of_bodies = Check::new(&read.bodies, &read.pairs)
        .criteria(criteria)
        .stop(stop);
    let floor = if criteria.all_pairs {
        f64::INFINITY
    } else {
        criteria.clearance.unwrap_or(0.0)
    };
    let mut found = Found::default();
    for start in (0..rows.count).step_by(BLOCK) {
        let block = start..rows.count.min(start + BLOCK);
        let states: Vec<Result<Vec<f64>, String>> =
            block.clone().map(|row| rows.state(row)).collect();
        let right = states.iter().flatten().cloned().collect();
        let mut answers = of_bodies
            .each_state(&check::States::new(&read.scene, right))
            .into_iter();
        for (row, state) in block.zip(states) {
            // There is an answer for each state that is right.
            let answer = state.and_then(|_| {
                answers
                    .next()
                    .unwrap_or(Ok(None))
                    .map_err(|error| error.to_string())
            });
            match answer {
                Ok(pairs) => found.add(row, &pairs.unwrap_or_default(), floor, keep_pairs),
                Err(fault) if raises => return Err((row, fault)),
                Err(fault) => found.add_wrong(row, fault),
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(found)
}

/// Checks states: columns by state, columns by pair found, and the states that are wrong.
#[pyfunction]
pub(crate) fn answer_states<'py>(
    py: Python<'py>,
    scene: &Scene,
    states: States<'py>,
    wanted: Wanted,
    keep_pairs: bool,
    raises: bool,
    threads: usize,
) -> PyResult<Answered<'py>> {
    let rows = states.rows(&scene.read.scene)?;
    let stop = AtomicBool::new(false);
    let pool = kept_pool(threads)?;
    let found = interruptible(py, &stop, || {
        pool.install(|| found(&scene.read, &rows, &wanted, keep_pairs, raises, &stop))
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    found
        .map_err(|(row, fault)| wrong_row(row, &fault))?
        .named(py)
}

/// A joint's name, kind and limits.
type ToldJoint<'a> = (&'a str, &'static str, Option<(f64, f64)>);

/// The joints that a state sets.
#[pyfunction]
pub(crate) fn robot_joints(scene: &Scene) -> PyResult<Vec<ToldJoint<'_>>> {
    let robot = robot(&scene.read.scene)?;
    let told = independent(robot).into_iter().map(|index| {
        let joint = &robot.joints[index];
        let limits = joint.limits.map(|limits| (limits.lower, limits.upper));
        (joint.name.as_str(), joint.kind.as_str(), limits)
    });
    Ok(told.collect())
}

/// The names of the links.
#[pyfunction]
pub(crate) fn robot_links(scene: &Scene) -> PyResult<Vec<&str>> {
    let robot = robot(&scene.read.scene)?;
    Ok(robot.links.iter().map(|link| link.name.as_str()).collect())
}

/// States within limits, as `gjk check --random` draws them: a row a state, a column a joint.
#[pyfunction]
pub(crate) fn robot_sample<'py>(
    py: Python<'py>,
    scene: &Scene,
    count: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let robot = robot(&scene.read.scene)?;
    let joints = independent(robot);
    let drawn = py.detach(|| check::States::random(&scene.read.scene, robot, count, seed));
    let rows = drawn.values().iter();
    let values: Vec<f64> = rows
        .flat_map(|state| joints.iter().map(|&joint| state[joint]))
        .collect();
    let shape = (count, joints.len());
    values.into_pyarray(py).call_method1("reshape", (shape,))
}

/// Where the links stand in each state: a row a state, a matrix of 4 rows a link.
#[pyfunction]
pub(crate) fn robot_poses<'py>(
    py: Python<'py>,
    scene: &Scene,
    states: States<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let links = robot(&scene.read.scene)?.links.len();
    let scene = &scene.read.scene;
    let states = check::States::new(scene, states.all(scene)?);
    let mut numbers: Vec<f64> = Vec::with_capacity(16 * links * states.len());
    py.detach(|| {
        for pose in (0..states.len()).flat_map(|state| states.link_poses(state)) {
            for (row, along) in pose.linear.iter().zip(pose.translation) {
                numbers.extend(row);
                numbers.push(along);
            }
            numbers.extend([0.0, 0.0, 0.0, 1.0]);
        }
    });
    let shape = (states.len(), links, 4, 4);
    numbers.into_pyarray(py).call_method1("reshape", (shape,))
}
