//! The report for CI systems: `gjk check --junit`, JUnit XML as Jenkins, GitLab and GitHub's actions read it.
//!
//! Idea: one suite a run. Each pair of bodies that the table has is a case, whatever its states: what ends the check with 1 fails,
//! what is undecided is skipped. One more case stands for all the pairs that nothing was found of, so that a run that finds
//! nothing has passed something.

use super::report::PairReport;
use super::sentence::{sentence, with_names};
use super::table::{PairRow, Table};
use crate::junit::{CaseStatus, JunitCase, JunitSuite};
use crate::text::short;
use gjk::query::Verdict;
use gjk_scene::{Scene, counted};
use std::fmt::Write;

/// What a file of results is made of.
pub struct JunitReport<'a> {
    /// What was checked.
    pub scene: &'a Scene,
    /// What was found.
    pub table: &'a Table<'a>,
    /// How long the run took.
    pub seconds: f64,
}

impl JunitReport<'_> {
    /// The file's text.
    pub fn xml(&self) -> String {
        let rows = self.table.most_severe_first();
        let mut cases: Vec<JunitCase> = rows.iter().map(|row| self.pair(row)).collect();
        cases.extend(self.others(rows.len()));
        let suite = JunitSuite {
            command: "gjk check",
            subject: &self.scene.name,
            properties: self.properties(),
            cases,
            seconds: self.seconds,
        };
        suite.xml()
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        let Table {
            pairs,
            criteria,
            result,
            bodies,
            ..
        } = self.table;
        let mut properties = vec![
            ("gjk.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("scene", self.scene.name.clone()),
            ("bodies", bodies.len().to_string()),
            ("states", result.states.to_string()),
            ("pairs_considered", pairs.considered.to_string()),
            ("pairs_adjacent", pairs.adjacent.to_string()),
            ("pairs_disabled", pairs.disabled.to_string()),
            ("touch_band", short(criteria.touch_band)),
        ];
        let unit = self.scene.unit.iter().map(|unit| ("unit", unit.clone()));
        properties.extend(unit);
        let clearance = criteria.clearance;
        properties.extend(clearance.map(|clearance| ("clearance", short(clearance))));
        properties.extend(result.is_partial.then(|| ("partial", "true".to_owned())));
        properties
    }

    /// A pair of bodies: it fails as the check does, in any of its states.
    fn pair(&self, row: &PairRow<'_>) -> JunitCase {
        let Table {
            criteria, bodies, ..
        } = self.table;
        let pair = row.worst;
        let name = |body: usize| format!("`{}`", bodies[body].name);
        let (a, b) = (name(pair.bodies.0), name(pair.bodies.1));
        let unit = self.scene.unit.as_deref();
        let mut message = with_names(&sentence(&pair.proximity, criteria, unit), &a, &b);
        if self.table.result.states > 1 {
            let states = match row.states {
                1 => "in this state only".to_owned(),
                states => format!("so in {states} of {} states", self.table.result.states),
            };
            let _ = write!(message, " (state {}; {states})", pair.state);
        }
        let (word, _) = self.table.verdict(pair);
        let found = &pair.proximity;
        let outcome = if criteria.is_violated_by(found) {
            CaseStatus::Failed {
                kind: word_alone(word).to_owned(),
                message: message.clone(),
            }
        } else if found.verdict == Verdict::Undecided {
            CaseStatus::Skipped {
                message: message.clone(),
            }
        } else {
            CaseStatus::Passed
        };
        // What passes needs no more words: of all pairs there may be very many.
        let details = match outcome {
            CaseStatus::Passed => message,
            _ => {
                let numbers = serde_json::to_string(&PairReport::new(pair, bodies));
                format!("{message}\n{}", numbers.unwrap_or_default())
            }
        };
        JunitCase {
            name: format!("{a} and {b}"),
            outcome,
            details,
        }
    }

    /// All pairs that the table does not have; of a run that was stopped nothing is known about them.
    fn others(&self, listed: usize) -> Option<JunitCase> {
        let Table { pairs, result, .. } = self.table;
        let left = pairs.considered.saturating_sub(listed);
        if left == 0 && listed > 0 && !result.is_partial {
            return None;
        }
        let message = "the check was stopped before its end".to_owned();
        Some(JunitCase {
            // Without their number: a case of another name would be another case.
            name: "all other pairs".to_owned(),
            outcome: if result.is_partial {
                CaseStatus::Skipped { message }
            } else {
                CaseStatus::Passed
            },
            details: format!(
                "{} looked at in {}: nothing was found",
                counted(left, "pair", "pairs"),
                counted(result.states, "state", "states")
            ),
        })
    }
}

/// A verdict's word without its sign.
pub fn word_alone(word: &str) -> &str {
    word.split_once(' ').map_or(word, |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::pairs::Pairs;
    use gjk_check::parts::{Meshes, build};
    use gjk_check::{CheckResult, Criteria, example};

    /// Nothing is known about pairs that a stopped run did not reach.
    #[test]
    fn a_run_that_was_stopped_passes_nothing() {
        let scene = example::scene().expect("the example");
        let bodies = build(&scene, Meshes::Exact).expect("bodies");
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let outcome = |is_partial| {
            let result = CheckResult {
                is_partial,
                ..CheckResult::default()
            };
            let table = Table {
                unit: None,
                bodies: &bodies,
                pairs: &pairs,
                criteria: &Criteria::default(),
                result: &result,
                rows: 0,
            };
            let report = JunitReport {
                scene: &scene,
                table: &table,
                seconds: 0.0,
            };
            let xml = report.xml();
            let document = roxmltree::Document::parse(&xml).expect("XML");
            let count = |name: &str| {
                let named = document
                    .descendants()
                    .filter(|node| node.has_tag_name(name));
                named.count()
            };
            (count("testcase"), count("skipped"))
        };
        assert_eq!(outcome(false), (1, 0));
        assert_eq!(outcome(true), (1, 1));
    }
}
