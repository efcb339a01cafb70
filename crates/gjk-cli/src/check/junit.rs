//! The report for CI systems: `gjk check --junit`, JUnit XML as Jenkins, GitLab and GitHub's actions read it.
//!
//! Idea: one suite a run. Each pair of bodies that the table has is a case, whatever its states: what ends the check with 1 fails,
//! what is undecided is skipped. One more case stands for all the pairs that nothing was found of, so that a run that finds
//! nothing has passed something.
//! Numbers: these readers know no schema of the format in common; here is what all of them show: `name`, `classname`, `message`, text.

use super::report::PairReport;
use super::sentence::{sentence, with_names};
use super::table::{PairRow, Table};
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

/// A case, and how it went.
struct Case {
    name: String,
    outcome: CaseStatus,
    details: String,
}

enum CaseStatus {
    Passed,
    Failed { kind: String, message: String },
    Skipped { message: String },
}

impl JunitReport<'_> {
    /// The file's text.
    pub fn xml(&self) -> String {
        let rows = self.table.most_severe_first();
        let mut cases: Vec<Case> = rows.iter().map(|row| self.pair(row)).collect();
        cases.extend(self.others(rows.len()));
        let count =
            |is: fn(&CaseStatus) -> bool| cases.iter().filter(|case| is(&case.outcome)).count();
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3}\"",
            cases.len(),
            count(|outcome| matches!(outcome, CaseStatus::Failed { .. })),
            self.seconds
        );
        let skipped = count(|outcome| matches!(outcome, CaseStatus::Skipped { .. }));
        let name = attribute(&format!("gjk check {}", self.scene.name));
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gjk check\" {counts}>\n  \
             <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\">\n    <properties>\n"
        );
        for (name, value) in self.properties() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                xml,
                "      <property name=\"{name}\" value=\"{}\"/>",
                attribute(&value)
            );
        }
        xml.push_str("    </properties>\n");
        cases.iter().for_each(|case| self.write(case, &mut xml));
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
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
    fn pair(&self, row: &PairRow<'_>) -> Case {
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
        Case {
            name: format!("{a} and {b}"),
            outcome,
            details,
        }
    }

    /// All pairs that the table does not have; of a run that was stopped nothing is known about them.
    fn others(&self, listed: usize) -> Option<Case> {
        let Table { pairs, result, .. } = self.table;
        let left = pairs.considered.saturating_sub(listed);
        if left == 0 && listed > 0 && !result.is_partial {
            return None;
        }
        let message = "the check was stopped before its end".to_owned();
        Some(Case {
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

    fn write(&self, case: &Case, xml: &mut String) {
        let details = escaped(&case.details);
        let inner = match &case.outcome {
            CaseStatus::Passed => format!("<system-out>{details}</system-out>"),
            CaseStatus::Failed { kind, message } => format!(
                "<failure type=\"{}\" message=\"{}\">{details}</failure>",
                attribute(kind),
                attribute(message)
            ),
            CaseStatus::Skipped { message } => format!(
                "<skipped message=\"{}\"/><system-out>{details}</system-out>",
                attribute(message)
            ),
        };
        // Jenkins cuts a class at its dots into packages; a file's name has one.
        let class = attribute(&format!("gjk check {}", self.scene.name).replace('.', "_"));
        let name = attribute(&case.name);
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{class}\" name=\"{name}\">\n      {inner}\n    </testcase>"
        );
    }
}

/// A verdict's word without its sign.
pub fn word_alone(word: &str) -> &str {
    word.split_once(' ').map_or(word, |(_, word)| word)
}

/// An attribute's value: of a line end a reader would make a space.
fn attribute(text: &str) -> String {
    let text = escaped(text).replace('"', "&quot;");
    text.replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text that XML takes. Characters that XML 1.0 cannot have at all become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // A reader would make a line end of it.
            '\r' => escaped.push_str("&#13;"),
            '\n' | '\t' => escaped.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::pairs::Pairs;
    use gjk_check::parts::{Meshes, build};
    use gjk_check::{CheckResult, Criteria, example};

    #[test]
    fn an_xml_reader_gets_back_what_was_written() {
        let text = "a<b> & \"c\" 'd' ]]> ü 漢\n\t\r\u{7f}";
        let xml = format!("<t a=\"{}\">{}</t>", attribute(text), escaped(text));
        let document = roxmltree::Document::parse(&xml).expect("XML");
        let element = document.root_element();
        assert_eq!(element.attribute("a"), Some(text));
        assert_eq!(element.text(), Some(text));
        assert_eq!(
            escaped("\u{1b}[0m\u{0}\u{ffff}"),
            "\u{fffd}[0m\u{fffd}\u{fffd}"
        );
    }

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
