//! The files beside the report: JUnit cases of segments, and the clearance over time as CSV.

use super::table::PathUnit;
use super::{CheckedPath, PathsFound};
use crate::junit::{CaseStatus, JunitCase, JunitSuite};
use crate::text::short;
use gjk_motion::{PathVerdict, SegmentAnswer};
use std::fmt::Write;

impl PathsFound<'_> {
    /// JUnit XML: a case a segment.
    pub fn junit(&self, seconds: f64) -> String {
        let cases = self.segments().map(|(path, one)| self.case(path, one));
        let [checked, adjacent, disabled] = self.pairs.map(|count| count.to_string());
        let suite = JunitSuite {
            command: "gjk path",
            subject: &self.scene.name,
            properties: vec![
                ("gjk.version", env!("CARGO_PKG_VERSION").to_owned()),
                ("interpolation", self.interpolation()),
                ("clearance", short(self.options.clearance)),
                ("pairs_checked", checked),
                ("pairs_adjacent", adjacent),
                ("pairs_disabled", disabled),
                ("pairs_standing", self.standing.len().to_string()),
            ],
            cases: cases.collect(),
            seconds,
        };
        suite.xml()
    }

    fn case(&self, path: &CheckedPath, one: &SegmentAnswer) -> JunitCase {
        let message = self.sentence(PathUnit::Segment, one);
        let outcome = match one.verdict {
            PathVerdict::Free | PathVerdict::Touch => CaseStatus::Passed,
            PathVerdict::Undecided => CaseStatus::Skipped {
                message: message.clone(),
            },
            PathVerdict::Close | PathVerdict::Hit => CaseStatus::Failed {
                kind: one.verdict.as_str().to_owned(),
                message: message.clone(),
            },
        };
        let place = if path.place.is_empty() {
            String::new()
        } else {
            format!("{}, ", path.place)
        };
        let [from, to] = one.time;
        let mut details = if message.is_empty() {
            format!("free from {from} s to {to} s, proved")
        } else {
            message
        };
        if self.is_segment_verified(one) {
            details.push_str("\nverified: a second program checked the proof");
        }
        JunitCase {
            name: format!("{place}segment {}", one.index),
            outcome,
            details,
        }
    }

    /// The clearance over time: a row a slice.
    pub fn profile_csv(&self) -> String {
        let mut text = "trajectory,segment,from,to,lower,upper,a,b,at,proved\n".to_owned();
        for path in &self.paths {
            for slice in &path.slices {
                let names = slice.bodies.map(|(a, b)| [self.name(a), self.name(b)]);
                let [a, b] = names.unwrap_or_default().map(quoted);
                let [from, to] = slice.time;
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "{},{},{from},{to},{},{},{a},{b},{},{}",
                    quoted(&path.place),
                    slice.segment,
                    slice.clearance.lower,
                    slice.clearance.upper,
                    slice.at,
                    slice.is_proved
                );
            }
        }
        text
    }
}

/// A field of CSV.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
