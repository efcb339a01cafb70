//! Project tasks: bench, sweep, robot, surfaces, tidy, campaign, cold, cost, docs, fuzz, hashes, instructions, site, package, wheel.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a task's output is its answer

mod bench;
mod campaign;
mod cold;
mod cost;
mod docs;
mod files;
mod fuzz;
mod hashes;
mod instructions;
mod licences;
mod machine;
#[path = "../../crates/gjk/tests/oracle/mod.rs"]
mod oracle;
mod package;
mod python;
mod site;
mod tidy;
mod wheel;

use std::process::ExitCode;

const USAGE: &str = "usage:
  cargo xtask tidy                      check the rules that a rule can check
  cargo xtask bench [--engine E]... [--workload W]... [--rounds N] [--quick]
                                        ns and accuracy of this library and its peers, and the goals: bench/README.md
  cargo xtask bench python [--rounds N] [--quick]
                                        rows as called from Python, here and in python-fcl, coal and trimesh
  cargo xtask bench engines [--rows N] [--wrong N] [--actors N] [--folder DIR]
                                        labels of Parquet by one process, by Daft and by Ray: counts, equality, times
  cargo xtask sweep [--part P]... [--engine E]... [--rounds N] [--quick]
                                        what grows how: supports and queries by vertices, batches by pairs (time and
                                        memory), instruction sets, threads; batches against single queries
  cargo xtask robot URDF [--srdf FILE] [--states N] [--seed S] [--engine E]... [--rounds N] [--quick]
                                        `gjk check` in random states: states a second, and engines on the same pairs
  cargo xtask surfaces [--data DIR] [--set S]... [--engine E]... [--rounds N] [--quick]
                                        queries of triangle meshes, here and in peers, and the goals about them
  cargo xtask cost [NAME]               what exact verdicts cost against the bare float loop
  cargo xtask cold [--commit REV] [--top N] [--json]
                                        CPU seconds of the README's two commands in a fresh clone, by unit
  cargo xtask instructions [--bless]    instructions of the hot queries by callgrind, against bench/instructions.csv
  cargo xtask campaign [--pairs N] [--seed S] [--scale X]
                                        random pairs of all shapes against the oracles: gaps, iterations, stops
  cargo xtask package [--offline] [--no-verify]
                                        pack what a release would send, build it from the archives, check what is in them
  cargo xtask docs [--out DIR] [--no-build]
                                        the documentation site, in target/docs or DIR, with every link followed
  cargo xtask fuzz [--target T] [--seconds N] [--sanitizer address|none]
                                        run the fuzz targets: executions, coverage, finds
  cargo xtask hashes [--bless] [--target NAME]... [--require-all] [--install]
                                        answers to the corpus on x86-64, aarch64 and wasm32 against corpus/hashes.txt;
                                        --install: Debian's packages for the targets that the compiler lacks
  cargo xtask site [--out DIR] [--install]
                                        the lab as plain files, answered by WebAssembly, in target/site or DIR; what a visitor
                                        downloads at first, later and in all; the licences of what is in it;
                                        --install: Debian's packages for WebAssembly, if the compiler lacks it
  cargo xtask wheel [--zig] [--out DIR] [--profile P] [--sdist]
                                        the wheel of the Python package: what is in it, how large it is, and the readme's examples
                                        in each interpreter on the path; --zig: for Linux systems since 2014; --sdist: one of the
                                        source distribution too; --licences: only the file of others' licences";

fn main() -> ExitCode {
    if let Ok(log) = std::env::var(cold::LOG) {
        return cold::compile(&log);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("tidy") => tidy::run(),
        Some("bench") => bench::run(&arguments[1..]),
        Some("sweep") => bench::sweep(&arguments[1..]),
        Some("robot") => bench::robot(&arguments[1..]),
        Some("surfaces") => bench::surfaces(&arguments[1..]),
        Some("cold") => cold::run(&arguments[1..]),
        Some("cost") if cfg!(debug_assertions) => {
            eprintln!(
                "times of a build for tests say nothing: `cargo run --release -p xtask -- cost`"
            );
            ExitCode::from(2)
        }
        Some("cost") => cost::run(&arguments[1..]),
        Some("docs") => docs::run(&arguments[1..]),
        Some("fuzz") => fuzz::run(&arguments[1..]),
        Some("campaign") => campaign::run(&arguments[1..]),
        Some("instructions") => instructions::run(&arguments[1..]),
        Some("hashes") => hashes::run(&arguments[1..]),
        Some("package") => package::run(&arguments[1..]),
        Some("site") => site::run(&arguments[1..]),
        Some("wheel") => wheel::run(&arguments[1..]),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
