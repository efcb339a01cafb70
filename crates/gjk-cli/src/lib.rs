//! The command `gjk`: certified convex collision queries from the command line.
//!
//! Where it sits: `main.rs` calls [`run`] with the arguments of its process, and so does the Python package, which brings the same command and the same
//! reports ([`Checked`]).
//! Reading order: `args.rs` says what can be asked, `commands/` has a file a command, `gjk-query` answers one
//! query, `printer.rs` is the only file that writes to standard output.
// In a program `pub` says "for the other modules", and `pub(crate)` on every item would say no more.
#![allow(unreachable_pub)]

mod acm;
mod args;
mod audit;
mod bench;
mod check;
mod commands;
mod exit;
mod input;
mod junit;
mod path;
mod printer;
mod proved;
mod robot_certificate;
mod svg;
mod svg_motion;
mod text;

pub use acm::report::MatrixFound;
use args::{Args, Command};
pub use check::checked::Checked;
use clap::Parser;
use exit::ExitStatus;
use gjk_query::{answer, convert, expect, explain, pair, record};
pub use path::{CheckedPath, PathsFound};
use printer::Printer;
use std::ffi::OsString;

/// Runs the command with these arguments, of which the first is the program's name, and returns its exit code.
///
/// It is meant to be all that its process does: it writes to the standard streams, a panic ends the process with code 3, and Ctrl-C ends it
/// unless a command says otherwise.
#[must_use]
pub fn run(args: Vec<OsString>) -> u8 {
    exit::install_panic_hook();
    let args = match Args::try_parse_from(args::spelled_out(args)) {
        Ok(args) => args,
        Err(error) => {
            // Help that nobody reads, because the pipe is closed, is no failure.
            let _ = error.print();
            return if error.use_stderr() {
                ExitStatus::BadInput.code()
            } else {
                ExitStatus::Success.code()
            };
        }
    };
    let mut printer = Printer::new(args.color);
    let status = match &args.command {
        Command::Check(args) => commands::check::run(args, &mut printer),
        Command::Acm(args) => commands::acm::run(args, &mut printer),
        Command::Path(args) => commands::path::run(args, &mut printer),
        Command::Edges(args) => commands::edges::run(args, &mut printer),
        Command::States(args) => commands::states::run(args, &mut printer),
        Command::Query(args) => commands::query::run(args, &mut printer),
        Command::Hits(args) => commands::hits::run(args, &mut printer),
        Command::Bench(args) => commands::bench::run(args, &mut printer),
        Command::Trace(args) => commands::trace::run(args, &mut printer),
        Command::Lab(args) => commands::lab::run(args, &mut printer),
        Command::Audit(args) => commands::audit::run(args, &mut printer),
        Command::Fuzz(args) => commands::fuzz::run(args, &mut printer),
        Command::Reduce(args) => commands::reduce::run(args, &mut printer),
        Command::Schema(args) => commands::schema::run(args, &mut printer),
        Command::Solvers(args) => commands::solvers::run(args, &mut printer),
        Command::Label(args) => commands::label::run(args, &mut printer),
        Command::Completions(args) => commands::completions::run(args, &mut printer),
    };
    status.worst(printer.finish()).code()
}
