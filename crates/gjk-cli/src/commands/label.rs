//! `gjk label`: tables are answered by the Python package, whose own `gjk` never comes here; the program says where to find it.

use crate::exit::ExitStatus;
use crate::printer::Printer;
use std::ffi::OsString;

/// What `gjk label` is given.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct LabelArgs {
    /// The files and options of the Python package's command.
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// Says what to do instead.
pub fn run(args: &LabelArgs, printer: &mut Printer) -> ExitStatus {
    let arguments: Vec<String> = args
        .arguments
        .iter()
        .map(|argument| format!(" {}", argument.to_string_lossy()))
        .collect();
    let arguments = arguments.concat();
    printer.error("tables of Parquet are answered by the Python package, and not by this program");
    printer.note(format!(
        "get it by `pip install gjk[arrow]`, then run `python -m gjk.label{}`",
        if arguments.is_empty() {
            " --help"
        } else {
            &arguments
        }
    ));
    ExitStatus::BadInput
}
