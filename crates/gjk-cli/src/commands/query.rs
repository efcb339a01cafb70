//! `gjk query`: JSON Lines in, one answer a line out, in the same order.
//!
//! Idea: a line at a time, so that files may be of any size and a program may hold a conversation: answers are flushed
//! whenever no further input is waiting. A bad line is answered by its error, and the rest go on.
//! Not in batches: an answer names its iterations, its stop reason and whether it is exact, which `gjk-batch` does not carry,
//! and runs of lines would have to be held back. A certificate that a line does not ask for is not made.

use crate::answer;
use crate::convert::{self, InputError};
use crate::exit::ExitStatus;
use crate::expect;
use crate::input::{LineReader, read_files};
use crate::printer::Printer;
use crate::proved::{LinePlace, Proved};
use gjk::verify::Verified;
use gjk::{Vec2, Vec3};
use gjk_query::{gradient, manifold, motion};
use gjk_scene::{AnyLine, AnyQuery, ScalarKind, counted};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A value of a query's space, which is named in it.
macro_rules! in_space {
    ($query:expr, |$V:ident| $value:expr) => {{
        match $query.space() {
            (2, ScalarKind::F32) => {
                type $V = Vec2<f32>;
                $value
            }
            (2, ScalarKind::F64) => {
                type $V = Vec2<f64>;
                $value
            }
            (_, ScalarKind::F32) => {
                type $V = Vec3<f32>;
                $value
            }
            (_, ScalarKind::F64) => {
                type $V = Vec3<f64>;
                $value
            }
        }
    }};
}

/// Answers a line, prints the answer, counts what the checker said of it, and holds it against what the line expects.
macro_rules! answered {
    ($session:ident, $query:ident, $place:ident, $spec:ident, $module:ident, $failures:path) => {
        in_space!($query, |V| {
            let answer = $module::solve::<V>($spec, $session.args.verify)?;
            let found = (answer.verified, answer.objection.as_deref());
            let held = $spec.expect.as_ref();
            let failures = held.map(|expect| || $failures(expect, &answer));
            $session.told(&answer, found, failures, $place);
        })
    };
}

const EXAMPLES: &str = r#"Examples:
  gjk query pairs.jsonl > answers.jsonl
  gjk query --check corpus/*.jsonl          hold each answer against the line's `expect`
  gjk query --verify --quiet pairs.jsonl    prove each answer again by its certificate alone
  echo '{"a":{"shape":"ball","radius":1},"b":{"shape":"box","half_extents":[1,1,1],
         "pose":{"translation":[3,0,0]}}}' | tr -d '\n' | gjk query

A line in:
  {"id":"x","dim":3,"query":"contact","a":BODY,"b":BODY,"options":{"certificate":true}}
  {"id":"r","query":"ray","a":BODY,"ray":{"origin":[-3,0,0],"direction":[1,0,0]},"options":{"max_time":10}}
  {"id":"c","query":"cast","a":BODY,"b":{"shape":"ball","radius":1,"motion":{"velocity":[-1,0,0]}}}
  {"id":"t","query":"toi","a":BODY,"b":{"shape":"box","half_extents":[1,1,1],"motion":{"velocity":[-1,0,0],"angular":[0,0,2]}}}
  {"id":"m","query":"manifold","a":BODY,"b":BODY,"options":{"prediction":0.02,"points_max":4}}
  {"id":"g","query":"gradient","a":BODY,"b":BODY,"options":{"along":{"b":{"velocity":[0,0,1],"angular":[0,0,2]}}}}
A line out:
  {"id":"x","verdict":"separated","exact":true,"signed_distance":{"lower":1.0,"upper":1.0}, ...}

A bound that is not known (the iteration limit came first) is null.

Exit codes:
  0  every line answered
  1  --check: an answer is not as expected
  2  a line or a file could not be read; the rest are answered
  3  a bug in gjk, or --verify refuted an answer: please report it"#;

/// Options of `gjk query`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct QueryArgs {
    /// Files of query lines; `-`, or none: standard input.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Hold each answer against its line's `expect`; failures are listed on standard error.
    #[arg(long)]
    check: bool,

    /// Check each answer by a second program that shares nothing with the first but integers: `verified` says what the
    /// certificate proves, `objection` what is wrong. A summary on standard error; a wrong answer is exit code 3.
    #[arg(long)]
    verify: bool,

    /// Print no answers: with --check or --verify, only what fails.
    #[arg(long, short)]
    quiet: bool,

    /// Read 2D `rotation` angles in degrees; quarter turns are then exact.
    #[arg(long)]
    degrees: bool,
}

/// Answers every line of every file.
pub fn run(args: &QueryArgs, printer: &mut Printer) -> ExitStatus {
    let mut session = Session {
        args,
        printer,
        counts: Counts::default(),
    };
    session.counts.files_unread = read_files(&args.files, &mut session);
    session.end()
}

#[derive(Debug, Default)]
struct Counts {
    lines: usize,
    bad: usize,
    files_unread: usize,
    held: usize,
    failed: usize,
    verified: Proved,
}

struct Session<'s> {
    args: &'s QueryArgs,
    printer: &'s mut Printer,
    counts: Counts,
}

/// The answer to a line that has none.
#[derive(Debug, Serialize)]
pub struct Refusal<'e> {
    /// The line's.
    pub id: &'e str,
    /// What is wrong.
    pub error: &'e InputError,
}

/// The same query with angles that are in degrees.
pub fn in_degrees(query: &mut AnyQuery) {
    query.bodies_mut().into_iter().for_each(convert::degrees);
    let goals = query.goals_mut().into_iter();
    goals.for_each(convert::degrees_of_pose);
}

impl LineReader for Session<'_> {
    fn printer(&mut self) -> &mut Printer {
        self.printer
    }

    fn line(&mut self, line: AnyLine, path: &Path) {
        self.counts.lines += 1;
        let place = LinePlace {
            path,
            number: line.number,
            id: &line.id,
        };
        let degrees = self.args.degrees;
        let answered = line.query.map_err(InputError::from).and_then(|mut query| {
            if degrees {
                in_degrees(&mut query);
            }
            self.answer(&query, place)
        });
        if let Err(error) = answered {
            self.counts.bad += 1;
            if !self.args.quiet {
                self.printer.json_line(&Refusal {
                    id: &line.id,
                    error: &error,
                });
            }
            if self.args.check {
                self.printer
                    .note(format!("{place}: {error} ({})", error.kind));
            }
        }
    }
}

impl Session<'_> {
    fn answer(&mut self, query: &AnyQuery, place: LinePlace<'_>) -> Result<(), InputError> {
        match query {
            AnyQuery::Pair(spec) => {
                answered!(self, query, place, spec, answer, expect::failures);
            }
            AnyQuery::Motion(spec) => {
                answered!(self, query, place, spec, motion, motion::failures);
            }
            AnyQuery::Manifold(spec) => {
                answered!(self, query, place, spec, manifold, manifold::failures);
            }
            AnyQuery::Gradient(spec) => {
                answered!(self, query, place, spec, gradient, gradient::failures);
            }
        }
        Ok(())
    }

    /// Prints an answer, counts what the checker said of it, and holds it against what its line expects.
    fn told(
        &mut self,
        answer: &impl Serialize,
        (verified, objection): (Option<Verified>, Option<&str>),
        failures: Option<impl Fn() -> Vec<String>>,
        place: LinePlace<'_>,
    ) {
        if !self.args.quiet {
            self.printer.json_line(answer);
        }
        if self.args.verify {
            let counts = &mut self.counts.verified;
            counts.count(verified, objection, place, self.printer);
        }
        if let Some(failures) = failures {
            self.held(failures, place);
        }
    }

    /// Holds an answer against what its line expects.
    fn held(&mut self, failures: impl Fn() -> Vec<String>, place: LinePlace<'_>) {
        if !self.args.check {
            return;
        }
        self.counts.held += 1;
        let failures = failures();
        self.counts.failed += usize::from(!failures.is_empty());
        for failure in failures {
            self.printer.note(format!("{place}: {failure}"));
        }
    }

    fn end(self) -> ExitStatus {
        let Counts {
            lines,
            bad,
            files_unread,
            held,
            failed,
            verified,
        } = self.counts;
        if self.args.verify {
            verified.tell(self.printer);
        }
        if self.args.check {
            self.printer.note(format!(
                "{}, {held} with expectations: {failed} failed, {bad} could not be read",
                counted(lines, "line", "lines"),
            ));
        }
        let unread = if bad + files_unread > 0 {
            ExitStatus::BadInput
        } else {
            ExitStatus::Success
        };
        unread
            .worst(if failed > 0 {
                ExitStatus::Failure
            } else {
                ExitStatus::Success
            })
            .worst(verified.status())
    }
}
