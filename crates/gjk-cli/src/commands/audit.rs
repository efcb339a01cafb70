//! `gjk audit`: placeholder.

use crate::exit::ExitStatus;
use crate::printer::Printer;

/// Options of `gjk audit`.
#[derive(Debug, clap::Args)]
pub struct AuditArgs {}

/// Runs the command.
pub fn run(_args: &AuditArgs, printer: &mut Printer) -> ExitStatus {
    printer.error("not built yet");
    ExitStatus::Bug
}
