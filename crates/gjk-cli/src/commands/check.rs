//! `gjk check`: placeholder.

use crate::exit::ExitStatus;
use crate::printer::Printer;

/// Options of `gjk check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {}

/// Runs the command.
pub fn run(_args: &CheckArgs, printer: &mut Printer) -> ExitStatus {
    printer.error("not built yet");
    ExitStatus::Bug
}
