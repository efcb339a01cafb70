//! `gjk schema`: placeholder.

use crate::exit::ExitStatus;
use crate::printer::Printer;

/// Options of `gjk schema`.
#[derive(Debug, clap::Args)]
pub struct SchemaArgs {}

/// Runs the command.
pub fn run(_args: &SchemaArgs, printer: &mut Printer) -> ExitStatus {
    printer.error("not built yet");
    ExitStatus::Bug
}
