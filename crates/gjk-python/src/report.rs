//! The report of a check: the command's own, and the pairs as columns.

use crate::meshes::relation_code;
use crate::scene::Read;
use gjk::query::Verdict;
use gjk_check::states::States;
use gjk_check::{CheckResult, Criteria, PairProximity, Proximity};
use gjk_cli::Checked;
use numpy::IntoPyArray;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A relation that is not told.
const UNTOLD: u8 = 254;

/// What a check found. It does not change.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Report {
    pub(crate) read: Arc<Read>,
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) criteria: Criteria,
    pub(crate) result: CheckResult,
}

impl Report {
    fn told<R>(&self, tell: impl FnOnce(&Checked<'_>) -> R) -> R {
        let Read {
            scene,
            bodies,
            pairs,
            ..
        } = &*self.read;
        tell(&Checked {
            scene,
            bodies,
            pairs,
            states: &States::new(scene, self.values.clone()),
            criteria: &self.criteria,
            result: &self.result,
        })
    }
}

/// The numbers of `gjk.Verdict`.
pub(crate) fn verdict_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Touching => 1,
        Verdict::Overlapping => 2,
        Verdict::Undecided => 3,
    }
}

#[pymethods]
impl Report {
    /// What `gjk check` prints, of at most so many rows; 0: all.
    fn text(&self, py: Python<'_>, rows: usize) -> String {
        py.detach(|| self.told(|checked| checked.text(rows)))
    }

    /// What `gjk check --json` prints.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| self.told(|checked| checked.json()))
    }

    /// What `gjk check --html` writes.
    fn html(&self, py: Python<'_>, rows: usize) -> PyResult<String> {
        let html = py.detach(|| self.told(|checked| checked.html(rows, &self.read.warnings)));
        html.map_err(|error| PyMemoryError::new_err(error.to_string()))
    }

    /// What `gjk check` exits with.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.told(|checked| checked.exit_code())
    }

    /// How many states were checked.
    #[getter]
    fn states(&self) -> usize {
        self.result.states
    }

    /// What the checker of `verify` found wrong.
    #[getter]
    fn objections(&self) -> Vec<String> {
        let said = self.result.pairs.iter().filter_map(|pair| {
            let objection = pair.verification.as_ref()?.objection.as_ref()?;
            let name = |body: usize| &self.read.bodies[body].name;
            let (a, b) = pair.bodies;
            Some(format!(
                "state {}: {} and {}: {objection}",
                pair.state,
                name(a),
                name(b)
            ))
        });
        said.collect()
    }

    /// The pairs as columns by their names; vectors and intervals are flat.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let found = || self.result.pairs.iter().map(|pair| &pair.proximity);
        for (name, of) in NUMBERS {
            let all: Vec<i64> = self.result.pairs.iter().map(of).collect();
            columns.set_item(name, all.into_pyarray(py))?;
        }
        for (name, of) in CODES {
            let all: Vec<u8> = found().map(of).collect();
            columns.set_item(name, all.into_pyarray(py))?;
        }
        for (name, of) in FLAGS {
            let all: Vec<bool> = found().map(of).collect();
            columns.set_item(name, all.into_pyarray(py))?;
        }
        for (name, of) in LENGTHS {
            let all: Vec<f64> = found().flat_map(of).collect();
            columns.set_item(name, all.into_pyarray(py))?;
        }
        Ok(columns)
    }
}

/// A column by its name.
type Column<From, To> = (&'static str, fn(&From) -> To);

const NUMBERS: [Column<PairProximity, i64>; 3] = [
    ("state", |pair| pair.state as i64),
    ("a", |pair| pair.bodies.0 as i64),
    ("b", |pair| pair.bodies.1 as i64),
];

const CODES: [Column<Proximity, u8>; 2] = [
    ("verdict", |found| verdict_code(found.verdict)),
    ("relation", |found| {
        found.relation.map_or(UNTOLD, relation_code)
    }),
];

const FLAGS: [Column<Proximity, bool>; 2] = [
    ("exact", |found| found.exact),
    ("measured", Proximity::is_measured),
];

const LENGTHS: [Column<Proximity, Vec<f64>>; 7] = [
    ("lower", |found| vec![found.lower]),
    ("upper", |found| vec![found.upper]),
    ("normal", |found| known(found.known_normal())),
    ("point_a", |found| {
        known(found.known_points().map(|[point, _]| point))
    }),
    ("point_b", |found| {
        known(found.known_points().map(|[_, point]| point))
    }),
    ("reach_a", |found| reach(found, 0)),
    ("reach_b", |found| reach(found, 1)),
];

fn known(vector: Option<[f64; 3]>) -> Vec<f64> {
    vector.unwrap_or([f64::NAN; 3]).to_vec()
}

/// How far one of the bodies reaches into the other, at least and at most.
fn reach(found: &Proximity, of: usize) -> Vec<f64> {
    let reach = found.depths.and_then(|depths| depths.protrusion[of]);
    reach
        .map_or([f64::NAN; 2], |reach| [reach.lower, reach.upper])
        .to_vec()
}
