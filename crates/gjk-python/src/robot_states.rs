//! Many states of a robot, a verdict each, as `gjk states` answers: columns by row.
//!
//! Where it sits: `python/gjk/robot.py` asks; `gjk-motion` answers blocks of states, on the threads of a pool that is kept.

use crate::report::verdict_code;
use crate::robot::{Rows, States, wrong_row};
use crate::robot_path::{link_path, refuse_groups};
use crate::run::{Answered, interruptible, kept_pool};
use crate::scene::{Read, Scene, refused, robot};
use gjk_batch::rows::WRONG_ROW;
use gjk_check::states as check;
use gjk_motion::PathOptions;
use gjk_scene::{Robot, SceneError};
use numpy::IntoPyArray;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many states are answered before they become columns.
const STATES_BLOCK: usize = 1 << 14;

/// Verdicts, pairs, and the rows that are wrong.
#[derive(Default)]
struct StateColumns {
    verdict: Vec<u8>,
    pair: Vec<i64>,
    wrong: Vec<(usize, String)>,
}

fn verdicts(
    read: &Read,
    robot: &Robot,
    rows: &Rows<'_>,
    raises: bool,
    stop: &AtomicBool,
) -> Result<Result<StateColumns, (usize, String)>, SceneError> {
    let path = link_path(read, robot, PathOptions::default())?.stop(stop);
    let mut columns = StateColumns::default();
    for start in (0..rows.count).step_by(STATES_BLOCK) {
        let block = start..rows.count.min(start + STATES_BLOCK);
        let states: Vec<Result<Vec<f64>, String>> =
            block.clone().map(|row| rows.state(row)).collect();
        let right = states.iter().flatten().cloned().collect();
        let answers = path.verdicts(&check::States::new(&read.scene, right));
        let mut answers = answers.into_iter();
        for (row, state) in block.zip(states) {
            // There is an answer for each state that is right.
            let answer = state.and_then(|_| {
                let answer = answers.next().unwrap_or(Ok(None));
                answer.map_err(|error| error.to_string())
            });
            match answer {
                Ok(Some(found)) => {
                    columns.verdict.push(verdict_code(found.verdict));
                    let pair = found.bodies.map_or([-1, -1], |(a, b)| [a as i64, b as i64]);
                    columns.pair.extend(pair);
                }
                // It was stopped.
                Ok(None) => {}
                Err(fault) if raises => return Ok(Err((row, fault))),
                Err(fault) => {
                    columns.verdict.push(WRONG_ROW);
                    columns.pair.extend([-1, -1]);
                    columns.wrong.push((row, fault));
                }
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(Ok(columns))
}

/// The verdict of each state, and the rows that are wrong.
#[pyfunction]
pub(crate) fn robot_states<'py>(
    py: Python<'py>,
    scene: &Scene,
    states: States<'py>,
    raises: bool,
    threads: usize,
) -> PyResult<Answered<'py>> {
    let read = &scene.read;
    refuse_groups(read)?;
    let robot = robot(&read.scene)?;
    let rows = states.rows(&read.scene)?;
    let stop = AtomicBool::new(false);
    let pool = kept_pool(threads)?;
    let found = interruptible(py, &stop, || {
        pool.install(|| verdicts(read, robot, &rows, raises, &stop))
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let found = found
        .map_err(|error| refused(&error))?
        .map_err(|(row, fault)| wrong_row(row, &fault))?;
    let columns = PyDict::new(py);
    columns.set_item("verdict", found.verdict.into_pyarray(py))?;
    columns.set_item("pair", found.pair.into_pyarray(py))?;
    Ok((columns, found.wrong))
}
