//! `gjk completions`: a script that teaches a shell to complete `gjk`.

use crate::args::Args;
use crate::exit::ExitStatus;
use crate::printer::Printer;
use clap::CommandFactory;

/// Options of `gjk completions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  gjk completions bash > ~/.local/share/bash-completion/completions/gjk"
)]
pub struct CompletionsArgs {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Prints the script.
pub fn run(args: &CompletionsArgs, printer: &mut Printer) -> ExitStatus {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "gjk", &mut script);
    printer.bytes(&script);
    ExitStatus::Success
}
