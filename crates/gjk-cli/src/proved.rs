//! What the checker said of the answers of a command that takes `--verify`, and where the lines are that they answer.

use crate::exit::ExitStatus;
use crate::input::name;
use crate::printer::Printer;
use gjk::verify::Verified;
use gjk_scene::counted;
use std::fmt;
use std::path::Path;

/// Where a line is, and what it is called: `FILE:7: id`.
#[derive(Clone, Copy, Debug)]
pub struct LinePlace<'l> {
    /// Its file.
    pub path: &'l Path,
    /// Its number, counted from 1.
    pub number: u64,
    /// Its id.
    pub id: &'l str,
}

impl fmt::Display for LinePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", name(self.path), self.number, self.id)
    }
}

/// How many answers the checker has seen, and what it proved of them.
#[derive(Debug, Default)]
pub struct Proved {
    answers: usize,
    verdicts: usize,
    lower: usize,
    upper: usize,
    objections: usize,
}

impl Proved {
    /// Counts what the checker said of an answer; an objection is told at once.
    pub fn count(
        &mut self,
        verified: Option<Verified>,
        objection: Option<&str>,
        place: LinePlace<'_>,
        printer: &mut Printer,
    ) {
        self.answers += 1;
        if let Some(proved) = verified {
            self.verdicts += usize::from(proved.verdict);
            self.lower += usize::from(proved.lower);
            self.upper += usize::from(proved.upper);
        }
        if let Some(objection) = objection {
            self.objections += 1;
            printer.error(format!(
                "{place}: {objection}. This is a bug in gjk, not in your input: please report the line."
            ));
        }
    }

    /// The summary.
    pub fn tell(&self, printer: &mut Printer) {
        printer.note(format!(
            "{}: {} verified, {}, {}; {}",
            counted(self.answers, "answer", "answers"),
            counted(self.verdicts, "verdict", "verdicts"),
            counted(self.lower, "lower end", "lower ends"),
            counted(self.upper, "upper end", "upper ends"),
            counted(self.objections, "objection", "objections"),
        ));
    }

    /// What it means for the command.
    pub fn status(&self) -> ExitStatus {
        if self.objections > 0 {
            ExitStatus::Bug
        } else {
            ExitStatus::Success
        }
    }
}
