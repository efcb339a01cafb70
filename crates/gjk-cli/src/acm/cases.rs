//! The report for CI systems: `gjk acm --junit`, a case a pair.
//!
//! Idea: a pair that the SRDF file has not checked and that a state shows to collide fails; one that is neither proved nor refuted is skipped,
//! or fails where only proofs count. All else has passed, with its reason.

use super::changes::ComparedPair;
use super::report::MatrixFound;
use super::table::sentence;
use crate::junit::{CaseStatus, JunitCase, JunitSuite};
use gjk_motion::Basis;

/// The file's text.
pub fn xml(found: &MatrixFound<'_>, only_proved: bool, seconds: f64) -> String {
    let compared = found.compared();
    let suite = JunitSuite {
        command: "gjk acm",
        subject: &found.robot.name,
        properties: vec![
            ("gjk.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("limits", found.options.limits.set.as_str().to_owned()),
            ("margin", format!("{:?}", found.options.range.margin)),
            ("seed", found.options.seed.to_string()),
        ],
        cases: compared
            .iter()
            .map(|pair| case(found, pair, only_proved))
            .collect(),
        seconds,
    };
    suite.xml()
}

fn case(found: &MatrixFound<'_>, pair: &ComparedPair<'_>, only_proved: bool) -> JunitCase {
    let name = |body: usize| format!("`{}`", found.title(body));
    let (a, b) = (name(pair.found.bodies.0), name(pair.found.bodies.1));
    let message = sentence(found, pair);
    let is_open = matches!(pair.found.basis, Basis::Samples { .. });
    let failed = |kind: &str| CaseStatus::Failed {
        kind: kind.to_owned(),
        message: format!("{a} and {b} {message}"),
    };
    let outcome = if pair.is_contradiction() {
        failed("collides")
    } else if is_open && only_proved {
        failed("open")
    } else if is_open {
        CaseStatus::Skipped {
            message: message.clone(),
        }
    } else {
        CaseStatus::Passed
    };
    let state = match &pair.found.basis {
        Basis::Witness { state, .. } => format!("\nstate: {:?}", found.named(state)),
        _ => String::new(),
    };
    let verified = if found.is_pair_verified(pair.found) {
        "\nverified: a second program checked the proof"
    } else {
        ""
    };
    JunitCase {
        name: format!("{a} and {b}"),
        outcome,
        details: format!("{message}{verified}{state}"),
    }
}
