//! A check that was made, and all that is told of it: the command prints it, the Python package hands it out.

use super::page::{PageStory, ResultPage, unstyled};
use super::report::CheckReport;
use super::table::Table;
use crate::exit::ExitStatus;
use crate::printer;
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::states::States;
use gjk_check::{CheckResult, Criteria};
use gjk_scene::Scene;
use std::io;

/// What was checked, and what was found.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its bodies.
    pub bodies: &'a [Body],
    /// Which pairs were looked at.
    pub pairs: &'a Pairs,
    /// In which states.
    pub states: &'a States<'a>,
    /// What was looked for.
    pub criteria: &'a Criteria,
    /// What was found.
    pub result: &'a CheckResult,
}

impl<'a> Checked<'a> {
    /// The table for people, with at most so many rows; 0: all.
    pub(crate) fn table(&self, rows: usize) -> Table<'a> {
        Table {
            unit: self.scene.unit.as_deref(),
            bodies: self.bodies,
            pairs: self.pairs,
            criteria: self.criteria,
            result: self.result,
            rows,
        }
    }

    /// The report for programs.
    pub(crate) fn report(&self) -> CheckReport<'a> {
        CheckReport::new(
            self.scene,
            self.bodies,
            self.pairs,
            self.criteria,
            self.result,
        )
    }

    /// What `gjk check` prints, without colours: at most so many rows of pairs; 0: all.
    #[must_use]
    pub fn text(&self, rows: usize) -> String {
        unstyled(&self.table(rows).lines().join("\n"))
    }

    /// What `gjk check --json` prints.
    #[must_use]
    pub fn json(&self) -> String {
        String::from_utf8_lossy(&printer::line_of_json(&self.report())).into_owned()
    }

    /// What `gjk check --html FILE` writes: a page, whose text for browsers without scripts has at most so many rows; `warnings` are what was odd
    /// in the input.
    ///
    /// # Errors  none but of a memory that is full.
    pub fn html(&self, rows: usize, warnings: &[String]) -> io::Result<String> {
        self.page(rows, warnings, None)
    }

    /// The page with what another command tells of the same bodies.
    ///
    /// # Errors  none but of a memory that is full.
    pub(crate) fn html_with(&self, warnings: &[String], story: &PageStory) -> io::Result<String> {
        self.page(0, warnings, Some(story))
    }

    fn page(
        &self,
        rows: usize,
        warnings: &[String],
        story: Option<&PageStory>,
    ) -> io::Result<String> {
        let page = ResultPage {
            scene: self.scene,
            states: self.states,
            table: &self.table(rows),
            warnings,
            story,
        };
        page.html()
    }

    /// What `gjk check` exits with: 1 where a pair is what was looked for, 3 where the checker of `--verify` finds an answer wrong, else 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.status().code()
    }

    pub(crate) fn status(&self) -> ExitStatus {
        let mut said = self.result.pairs.iter().map(|pair| &pair.verification);
        let is_refuted = said.any(|said| said.iter().any(|said| said.objection.is_some()));
        let mut found = self.result.pairs.iter().map(|pair| &pair.proximity);
        if is_refuted {
            ExitStatus::Bug
        } else if found.any(|found| self.criteria.is_violated_by(found)) {
            ExitStatus::Failure
        } else {
            ExitStatus::Success
        }
    }
}
