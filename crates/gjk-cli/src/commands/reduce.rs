//! `gjk reduce`: failing query lines in, small lines that fail the same way out.

use crate::exit::ExitStatus;
use crate::printer::Printer;
use gjk_fuzz::judge::silence_panics;
use gjk_fuzz::reduce::{self, Reduced};
use gjk_scene::{QuerySpec, read_query_line};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  gjk reduce gjk-finds/needles.jsonl              the smallest line of each find
  gjk reduce case.jsonl --out corpus/regress/case.jsonl

A line fails when a query about it panics, when an oracle of `gjk fuzz` contradicts an answer, when a
certificate does not hold, or when the answer is not what the line's `expect` says.

Exit codes:
  0  every line failed, and was reduced
  1  a line does not fail: it is left out
  2  a line or a file could not be read";

/// Options of `gjk reduce`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ReduceArgs {
    /// Files of query lines.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write the reduced lines here too.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// At most this many candidates a line.
    #[arg(long, default_value_t = 20_000)]
    attempts: usize,
}

/// Reduces every line of every file.
pub fn run(args: &ReduceArgs, printer: &mut Printer) -> ExitStatus {
    silence_panics();
    let (mut status, mut lines) = (ExitStatus::Success, String::new());
    for file in &args.files {
        let text = match std::fs::read(file) {
            Ok(text) => text,
            Err(error) => {
                printer.error(format!("{}: {error}", file.display()));
                status = status.worst(ExitStatus::BadInput);
                continue;
            }
        };
        for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
            let Some(read) = read_query_line(line, number) else {
                continue;
            };
            let place = format!("{}:{number}", file.display());
            let spec = match read.query {
                Ok(spec) => spec,
                Err(error) => {
                    printer.error(format!("{place}: {}", error.message));
                    status = status.worst(ExitStatus::BadInput);
                    continue;
                }
            };
            let Some(reduced) = reduce::reduce(&spec, args.attempts, &mut reduce::failure) else {
                printer.note(format!("{place}: {} does not fail", spec.id));
                status = status.worst(ExitStatus::Failure);
                continue;
            };
            printer.note(format!(
                "{place}: fails by {}, {} candidates",
                reduced.failure.name, reduced.attempts
            ));
            let line = finished(&spec, reduced).to_line();
            printer.line(&line);
            printer.flush();
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    if let Some(out) = &args.out
        && let Err(error) = std::fs::write(out, lines)
    {
        printer.error(format!("{}: {error}", out.display()));
        status = status.worst(ExitStatus::BadInput);
    }
    status
}

/// The line with what is true of it, and where it is from.
fn finished(original: &QuerySpec, reduced: Reduced) -> QuerySpec {
    let Reduced {
        mut spec, failure, ..
    } = reduced;
    let note = original.note.as_deref().unwrap_or("no note");
    spec.note = Some(format!(
        "reduced from {}, fails by {}; was: {note}",
        original.id, failure.name
    ));
    spec.expect = failure.expect;
    spec
}
