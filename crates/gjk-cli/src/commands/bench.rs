//! `gjk bench`: what the queries of a user's own file cost, one by one and in batches.

use crate::bench::clock::Clock;
use crate::bench::load::Loaded;
use crate::bench::report::{Input, Report};
use crate::bench::{self, Settings, group, table};
use crate::exit::ExitStatus;
use crate::input::name;
use crate::printer::Printer;
use gjk_scene::counted;
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  gjk bench pairs.jsonl
  gjk bench corpus/*.jsonl --rounds 100 --json
  gjk bench pairs.jsonl --threads 8          batches on 8 threads

Lines are those of `gjk query`. Shapes and poses are built once; then every row of the table is
asked by single queries and in one batched call, round after round, without certificates unless
the line asks for one. Times are nanoseconds a query:
the least of all rounds, and the middle one. With one thread they are CPU time where the system
tells it, else wall time. A batch gives no certificates and has no tolerance and no iteration limit
of its own: lines that ask for them are only asked one by one. A `trace` is not recorded.

Exit codes:
  0  every line was measured
  2  a line or a file could not be read; the rest are measured
  3  a bug in gjk: a batch and a single query do not agree, for one";

/// Options of `gjk bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct BenchArgs {
    /// Files of query lines; `-`: standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Measure everything N times.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Threads of the batched calls; single queries always have one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Read 2D `rotation` angles in degrees, as `gjk query --degrees`.
    #[arg(long)]
    degrees: bool,
    /// Print the report as JSON (its layout: `gjk schema bench`).
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &BenchArgs, printer: &mut Printer) -> ExitStatus {
    let mut loaded = Loaded::read(&args.files, args.degrees, printer);
    let (lines, failed) = (loaded.lines, std::mem::take(&mut loaded.failed));
    let is_unread = !failed.is_empty() || loaded.files_unread > 0;
    if lines == failed.len() {
        printer.error("there is no query to measure");
        return ExitStatus::BadInput;
    }
    let threads = usize::from(args.threads);
    let pool = match pool(threads) {
        Ok(pool) => pool,
        Err(error) => {
            let threads = counted(threads, "thread", "threads");
            printer.error(format!("cannot start {threads}: {error}"));
            return ExitStatus::BadInput;
        }
    };
    let settings = Settings {
        rounds: args.rounds,
        pool: pool.as_ref(),
        clock: Clock::for_threads(threads),
    };
    let progress = printer
        .progress(u64::from(args.rounds))
        .with_message("rounds");
    let outcome = bench::run(&mut group::groups(loaded), &settings, &progress);
    progress.finish_and_clear();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(fault) => {
            printer.error(format!(
                "{fault}. This is a bug in gjk, not in your input: please report the line."
            ));
            return ExitStatus::Bug;
        }
    };
    let files = args.files.iter().map(|file| name(file)).collect();
    let report = Report::new(
        Input {
            files,
            lines,
            failed,
        },
        &settings,
        &outcome,
    );
    if args.json {
        printer.json_line(&report);
    } else {
        table::lines(&report)
            .iter()
            .for_each(|line| printer.line(line));
    }
    if is_unread {
        ExitStatus::BadInput
    } else {
        ExitStatus::Success
    }
}

/// The threads of batches; none where the caller's own is enough.
fn pool(threads: usize) -> Result<Option<rayon::ThreadPool>, rayon::ThreadPoolBuildError> {
    (threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .transpose()
}
