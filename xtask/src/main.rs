//! Project tasks: tidy, campaign, cost.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a task's output is its answer

mod campaign;
mod cost;
#[path = "../../crates/gjk/tests/oracle/mod.rs"]
mod oracle;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "usage:
  cargo xtask tidy                      check the rules that a rule can check
  cargo xtask cost                      what exact verdicts cost against the bare float loop
  cargo xtask campaign [--pairs N] [--seed S] [--scale X]
                                        random pairs of all shapes against the oracles: gaps, iterations, stops";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("tidy") => tidy::run(),
        Some("cost") => cost::run(),
        Some("campaign") => campaign::run(&arguments[1..]),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
