//! The report for people with a browser: `gjk acm --html`, the page of a check of the states that show pairs to collide.
//!
//! Idea: a state a pair. What else collides in that state is left out, so that each row of the page is a pair of the matrix.

use super::report::MatrixFound;
use crate::check::checked::Checked;
use gjk_check::pairs::Pairs;
use gjk_check::states::States;
use gjk_check::{Check, CheckResult, Criteria};
use gjk_motion::Basis;
use gjk_scene::{SceneError, SceneErrorKind};
use std::path::Path;

/// The page's text; `warnings` are what was odd in the input.
///
/// # Errors  a state that places a part beyond the range of numbers.
pub fn html(
    found: &MatrixFound<'_>,
    warnings: &[String],
    file: &Path,
) -> Result<String, SceneError> {
    let mut shown = Vec::new();
    for pair in found.compared() {
        if let Basis::Witness { state, .. } = &pair.found.basis {
            shown.push((pair.found.bodies, state.clone()));
        }
    }
    let pairs = Pairs::new(found.scene, found.bodies, None, true);
    let values: Vec<Vec<f64>> = shown.iter().map(|(_, state)| state.clone()).collect();
    let states = States::new(found.scene, values);
    let criteria = Criteria::default();
    let mut result: CheckResult = Check::new(found.bodies, &pairs)
        .criteria(criteria)
        .run(&states)?;
    result
        .pairs
        .retain(|pair| pair.bodies == shown[pair.state].0);
    let checked = Checked {
        scene: found.scene,
        bodies: found.bodies,
        pairs: &pairs,
        states: &states,
        criteria: &criteria,
        result: &result,
    };
    checked.html(0, warnings).map_err(|error| {
        SceneError::new(SceneErrorKind::Io, format!("cannot be written: {error}")).with_file(file)
    })
}
