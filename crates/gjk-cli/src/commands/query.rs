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
use crate::input::{name, open};
use crate::printer::Printer;
use gjk::verify::Verified;
use gjk::{Vec2, Vec3};
use gjk_query::{gradient, manifold, motion};
use gjk_scene::{AnyLine, AnyQuery, ScalarKind, counted, read_line};
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Read};
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
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() {
        &standard_input[..]
    } else {
        &args.files
    };
    for file in files {
        session.file(file);
        if session.printer.is_closed() {
            break;
        }
    }
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

/// What the checker said.
#[derive(Debug, Default)]
struct Proved {
    answers: usize,
    verdicts: usize,
    lower: usize,
    upper: usize,
    objections: usize,
}

struct Session<'s> {
    args: &'s QueryArgs,
    printer: &'s mut Printer,
    counts: Counts,
}

/// The answer to a line that has none.
#[derive(Debug, Serialize)]
struct Refusal<'e> {
    id: &'e str,
    error: &'e InputError,
}

impl Session<'_> {
    fn file(&mut self, path: &Path) {
        let answered = match open(path, self.printer) {
            Ok(input) => self.lines(BufReader::new(input), path),
            Err(error) => Err(error),
        };
        if let Err(error) = answered {
            self.counts.files_unread += 1;
            self.printer.error(format!("{}: {error}", name(path)));
        }
    }

    fn lines(&mut self, mut input: BufReader<Box<dyn Read>>, path: &Path) -> io::Result<()> {
        let mut line = Vec::new();
        for number in 1.. {
            if input.buffer().is_empty() {
                self.printer.flush();
            }
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 || self.printer.is_closed() {
                break;
            }
            if let Some(read) = read_line(&line, number) {
                self.line(read, path);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: AnyLine, path: &Path) {
        self.counts.lines += 1;
        let place = (line.number, path);
        let degrees = self.args.degrees;
        let answered = line.query.map_err(InputError::from).and_then(|mut query| {
            if degrees {
                query.bodies_mut().into_iter().for_each(convert::degrees);
                let goals = query.goals_mut().into_iter();
                goals.for_each(convert::degrees_of_pose);
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
                let place = format!("{}:{}: {}", name(path), line.number, line.id);
                self.printer
                    .note(format!("{place}: {error} ({})", error.kind));
            }
        }
    }

    fn answer(&mut self, query: &AnyQuery, place: (u64, &Path)) -> Result<(), InputError> {
        let verify = self.args.verify;
        match query {
            AnyQuery::Pair(spec) => in_space!(query, |V| {
                let answer = answer::solve::<V>(spec, verify)?;
                let found = (answer.verified, answer.objection.as_deref());
                let held = spec.expect.as_ref();
                let failures = held.map(|expect| || expect::failures(expect, &answer));
                self.told(&answer, found, failures, &spec.id, place);
            }),
            AnyQuery::Motion(spec) => {
                let answer = in_space!(query, |V| motion::solve::<V>(spec, verify)?);
                let found = (answer.verified, answer.objection.as_deref());
                let held = spec.expect.as_ref();
                let failures = held.map(|expect| || motion::failures(expect, &answer));
                self.told(&answer, found, failures, &spec.id, place);
            }
            AnyQuery::Manifold(spec) => {
                let answer = in_space!(query, |V| manifold::solve::<V>(spec, verify)?);
                let found = (answer.verified, answer.objection.as_deref());
                let held = spec.expect.as_ref();
                let failures = held.map(|expect| || manifold::failures(expect, &answer));
                self.told(&answer, found, failures, &spec.id, place);
            }
            AnyQuery::Gradient(spec) => {
                let answer = in_space!(query, |V| gradient::solve::<V>(spec, verify)?);
                let found = (answer.verified, answer.objection.as_deref());
                let held = spec.expect.as_ref();
                let failures = held.map(|expect| || gradient::failures(expect, &answer));
                self.told(&answer, found, failures, &spec.id, place);
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
        id: &str,
        place: (u64, &Path),
    ) {
        self.show(answer);
        self.verified(verified, objection, id, place);
        if let Some(failures) = failures {
            self.held(failures, id, place);
        }
    }

    fn show(&mut self, answer: &impl Serialize) {
        if !self.args.quiet {
            self.printer.json_line(answer);
        }
    }

    /// Holds an answer against what its line expects.
    fn held(&mut self, failures: impl Fn() -> Vec<String>, id: &str, (number, path): (u64, &Path)) {
        if !self.args.check {
            return;
        }
        self.counts.held += 1;
        let failures = failures();
        self.counts.failed += usize::from(!failures.is_empty());
        for failure in failures {
            self.printer
                .note(format!("{}:{number}: {id}: {failure}", name(path)));
        }
    }

    /// Counts what the checker said of an answer.
    fn verified(
        &mut self,
        verified: Option<Verified>,
        objection: Option<&str>,
        id: &str,
        (number, path): (u64, &Path),
    ) {
        if !self.args.verify {
            return;
        }
        let counts = &mut self.counts.verified;
        counts.answers += 1;
        if let Some(proved) = verified {
            counts.verdicts += usize::from(proved.verdict);
            counts.lower += usize::from(proved.lower);
            counts.upper += usize::from(proved.upper);
        }
        if let Some(objection) = objection {
            counts.objections += 1;
            self.printer.error(format!(
                "{}:{number}: {id}: {objection}. This is a bug in gjk, not in your input: please report the line.",
                name(path),
            ));
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
            let Proved {
                answers,
                verdicts,
                lower,
                upper,
                objections,
            } = verified;
            self.printer.note(format!(
                "{}: {} verified, {}, {}; {}",
                counted(answers, "answer", "answers"),
                counted(verdicts, "verdict", "verdicts"),
                counted(lower, "lower end", "lower ends"),
                counted(upper, "upper end", "upper ends"),
                counted(objections, "objection", "objections"),
            ));
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
        let wrong = if verified.objections > 0 {
            ExitStatus::Bug
        } else {
            ExitStatus::Success
        };
        unread
            .worst(if failed > 0 {
                ExitStatus::Failure
            } else {
                ExitStatus::Success
            })
            .worst(wrong)
    }
}
