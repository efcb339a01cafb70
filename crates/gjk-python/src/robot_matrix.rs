//! The allowed-collision matrix of a robot: columns by pair.
//!
//! Where it sits: `python/gjk/robot.py` asks; `gjk-motion` answers, and its checker proves it again where that is asked.

use crate::errors::GjkError;
use crate::robot::{States, independent};
use crate::robot_path::refuse_groups;
use crate::run::{interruptible, kept_pool};
use crate::scene::{Read, Scene, refused, robot};
use gjk::query::Interval;
use gjk_cli::MatrixFound;
use gjk_motion::{
    AlwaysRule, Basis, LinkMatrix, Matrix, MatrixOptions, RangeOptions, certificate_refusal,
    check_certificate,
};
use gjk_scene::{JointLimits, LimitSet, Limits, Robot, SceneError};
use numpy::IntoPyArray;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a matrix is asked for; numbers were looked at by `python/gjk/robot.py`.
#[derive(FromPyObject)]
pub(crate) struct MatrixWanted<'py> {
    #[pyo3(item)]
    limits: String,
    /// Ranges of joints by name.
    #[pyo3(item)]
    ranges: BTreeMap<String, (f64, f64)>,
    /// The default state; `None`: MoveIt's.
    #[pyo3(item)]
    default_state: Option<States<'py>>,
    #[pyo3(item)]
    margin: f64,
    #[pyo3(item)]
    samples: u32,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    cells: u64,
    #[pyo3(item)]
    width: f64,
    #[pyo3(item)]
    measure: u64,
    /// The part of random states; `None`: a proof.
    #[pyo3(item)]
    always: Option<f64>,
    #[pyo3(item)]
    only_proved: bool,
    #[pyo3(item)]
    verify: bool,
    #[pyo3(item)]
    certificate: bool,
}

impl MatrixWanted<'_> {
    fn limits(&self, robot: &Robot) -> PyResult<JointLimits> {
        let set = match self.limits.as_str() {
            "soft" => LimitSet::Soft,
            "hard" => LimitSet::Hard,
            "none" => LimitSet::Unlimited,
            other => {
                return Err(GjkError::new_err(format!(
                    "limits is {other:?}: expected \"soft\", \"hard\", \"none\", or a mapping of joints to their ends"
                )));
            }
        };
        let known = independent(robot);
        let mut overrides = BTreeMap::new();
        for (name, &(lower, upper)) in &self.ranges {
            let joint = robot.joint_index(name);
            let Some(joint) = joint.filter(|joint| known.contains(joint)) else {
                return Err(GjkError::new_err(format!(
                    "limits: there is no joint {name:?} to set"
                )));
            };
            if !(lower <= upper && lower.is_finite() && upper.is_finite()) {
                return Err(GjkError::new_err(format!(
                    "limits: joint {name:?} from {lower} to {upper} is no range: expected two finite numbers that rise"
                )));
            }
            overrides.insert(joint, Limits { lower, upper });
        }
        Ok(JointLimits { set, overrides })
    }

    fn options(&self, read: &Read, robot: &Robot) -> PyResult<MatrixOptions> {
        let default_state = self.default_state.as_ref();
        let default_state = default_state.map(|state| state.all(&read.scene));
        Ok(MatrixOptions {
            limits: self.limits(robot)?,
            default_state: default_state
                .transpose()?
                .and_then(|states| states.into_iter().next()),
            range: RangeOptions {
                margin: self.margin,
                width: self.width,
                measure_cells: self.measure,
                cells_max: self.cells,
                keep_nodes: self.verify || self.certificate,
            },
            samples: self.samples,
            seed: self.seed,
            always: self.always.map_or(AlwaysRule::Proof, AlwaysRule::Fraction),
            only_proved: self.only_proved,
        })
    }
}

/// What a pair is known by: its signed distance and a state.
fn told(basis: &Basis) -> ([f64; 2], Option<&[f64]>) {
    match basis {
        Basis::Apart { distance, state }
        | Basis::Touches { state, distance }
        | Basis::Witness {
            state, distance, ..
        } => ([distance.lower, distance.upper], Some(state)),
        Basis::Samples {
            smallest, state, ..
        } => ([f64::NAN, *smallest], Some(state)),
        Basis::Structure { .. } | Basis::File | Basis::AlwaysOverlapping => ([f64::NAN; 2], None),
    }
}

fn columns<'py>(py: Python<'py>, robot: &Robot, matrix: &Matrix) -> PyResult<Bound<'py, PyDict>> {
    let joints = independent(robot);
    let pairs = &matrix.pairs;
    let bodies = pairs
        .iter()
        .flat_map(|pair| [pair.bodies.0 as i64, pair.bodies.1 as i64]);
    let bodies: Vec<i64> = bodies.collect();
    let reasons = pairs.iter().map(|pair| pair.reason);
    let reasons: Vec<_> = reasons
        .map(|reason| reason.map(|reason| reason.as_str().to_lowercase()))
        .collect();
    let bases: Vec<&str> = pairs.iter().map(|pair| pair.basis.word()).collect();
    let (mut distance, mut state) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (ends, values) = told(&pair.basis);
        distance.extend(ends);
        state.extend(
            joints
                .iter()
                .map(|&joint| values.map_or(f64::NAN, |values| values[joint])),
        );
    }
    let fractions = pairs.iter().map(|pair| pair.sampled_fraction);
    let fractions: Vec<f64> = fractions.map(|part| part.unwrap_or(f64::NAN)).collect();
    let always = pairs
        .iter()
        .map(|pair| pair.always_too || pair.basis == Basis::AlwaysOverlapping);
    let always: Vec<bool> = always.collect();
    let cells: Vec<i64> = pairs.iter().map(|pair| pair.cells as i64).collect();
    let refusals: Vec<_> = pairs.iter().map(|pair| pair.refusal.clone()).collect();
    let columns = PyDict::new(py);
    columns.set_item("bodies", bodies.into_pyarray(py))?;
    columns.set_item("reason", reasons)?;
    columns.set_item("basis", bases)?;
    columns.set_item("distance", distance.into_pyarray(py))?;
    columns.set_item("state", state.into_pyarray(py))?;
    columns.set_item("sampled_fraction", fractions.into_pyarray(py))?;
    columns.set_item("always", always.into_pyarray(py))?;
    columns.set_item("cells", cells.into_pyarray(py))?;
    columns.set_item("refusal", refusals)?;
    Ok(columns)
}

/// How deep pairs overlap that the SRDF file has wrong, as `gjk acm` measures it.
fn depths(
    read: &Read,
    robot: &Robot,
    options: &MatrixOptions,
    maker: &LinkMatrix<'_>,
    matrix: &Matrix,
) -> Result<HashMap<(usize, usize), Interval<f64>>, SceneError> {
    let found = MatrixFound {
        scene: &read.scene,
        robot,
        bodies: &read.bodies,
        options,
        matrix,
        srdf: read.srdf.as_ref(),
        depths: HashMap::new(),
        is_verified: false,
    };
    let mut depths = HashMap::new();
    let compared = found.compared();
    for pair in compared.iter().filter(|pair| pair.is_contradiction()) {
        let depth = maker.depth(pair.found)?;
        depths.extend(depth.map(|depth| (pair.found.bodies, depth)));
    }
    Ok(depths)
}

/// A matrix: columns by pair, the report of `gjk acm --json`, and the certificate where it was asked for.
type AnsweredMatrix<'py> = (Bound<'py, PyDict>, String, Option<String>);

/// Decides all pairs of links.
#[pyfunction]
pub(crate) fn robot_matrix<'py>(
    py: Python<'py>,
    scene: &Scene,
    wanted: MatrixWanted<'py>,
    threads: usize,
) -> PyResult<AnsweredMatrix<'py>> {
    let read = &scene.read;
    refuse_groups(read)?;
    let robot = robot(&read.scene)?;
    let options = wanted.options(read, robot)?;
    let keeps = options.range.keep_nodes;
    if let Some(what) = certificate_refusal(&read.scene).filter(|_| keeps) {
        return Err(GjkError::new_err(format!(
            "no certificate can speak of this robot: {what}"
        )));
    }
    let (stop, pool) = (AtomicBool::new(false), kept_pool(threads)?);
    let verify = wanted.verify;
    let made = interruptible(py, &stop, || {
        pool.install(|| {
            let maker = LinkMatrix::new(&read.scene, robot, &read.bodies, &options)?.stop(&stop);
            let matrix = maker.run()?;
            let certificate = keeps.then(|| maker.certificate(&matrix));
            let certificate = certificate.filter(|_| !matrix.is_partial);
            let objection = certificate.iter().filter(|_| verify).find_map(|made| {
                let checked = check_certificate(&read.scene, &read.bodies, made);
                checked.err().map(|objection| objection.to_string())
            });
            let depths = depths(read, robot, &options, &maker, &matrix)?;
            Ok((matrix, certificate, objection, depths))
        })
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let made: Result<_, SceneError> = made;
    let (matrix, certificate, objection, depths) = made.map_err(|error| refused(&error))?;
    if let Some(objection) = objection {
        let text = format!("a proof does not hold, which is a bug: {objection}");
        return Err(GjkError::new_err(text));
    }
    let found = MatrixFound {
        scene: &read.scene,
        robot,
        bodies: &read.bodies,
        options: &options,
        matrix: &matrix,
        srdf: read.srdf.as_ref(),
        depths,
        is_verified: verify,
    };
    let text = |error: serde_json::Error| GjkError::new_err(error.to_string());
    let report = serde_json::to_string(&found.report()).map_err(text)?;
    let certificate = certificate.filter(|_| wanted.certificate);
    let certificate = certificate.map(|made| serde_json::to_string(&made));
    let certificate = certificate.transpose().map_err(text)?;
    Ok((columns(py, robot, &matrix)?, report, certificate))
}
