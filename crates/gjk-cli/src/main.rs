//! The program `gjk`: all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    gjk_cli::run(std::env::args_os().collect()).into()
}
