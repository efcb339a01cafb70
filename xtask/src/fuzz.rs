//! Runs the fuzz targets of `fuzz/` for a while each: executions, coverage, finds.
//!
//! It installs nothing. The targets need cargo-fuzz and a C++ compiler (for libFuzzer); the compiler flags of the
//! sanitizers are unstable, so `RUSTC_BOOTSTRAP=1` is set for this build alone, and the stable compiler stays the one
//! that is tested.

use crate::machine;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const TARGETS: [&str; 4] = ["readers", "hull", "ladder", "queries"];
/// One input may take this long, in seconds. A query takes milliseconds; a sanitizer makes them tens.
const TIMEOUT: &str = "-timeout=20";
/// A reader's allocations are a small multiple of the file, and files here have some KiB.
const MEMORY: [&str; 2] = ["-rss_limit_mb=2048", "-malloc_limit_mb=256"];

struct Settings {
    targets: Vec<String>,
    seconds: u64,
    sanitizer: String,
}

/// Runs the targets that the arguments name, all by default.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some(settings) = read(arguments) else {
        eprintln!(
            "usage: cargo xtask fuzz [--target {}] [--seconds N] [--sanitizer address|none]",
            TARGETS.join("|")
        );
        return ExitCode::from(2);
    };
    let missing = missing();
    if !missing.is_empty() {
        missing.iter().for_each(|what| eprintln!("missing: {what}"));
        return ExitCode::from(2);
    }
    let root = machine::root();
    let (mut finds, mut failed) = (Vec::new(), false);
    println!(
        "{:10} {:>12} {:>9} {:>10} {:>6}",
        "target", "executions", "per s", "coverage", "finds"
    );
    for target in &settings.targets {
        match fuzz(&root, target, &settings) {
            Ok(log) => {
                let found = Report::of(&log);
                let Report {
                    executions,
                    rate,
                    coverage,
                    ..
                } = &found;
                println!(
                    "{target:10} {executions:>12} {rate:>9} {coverage:>10} {:>6}",
                    found.finds.len()
                );
                finds.extend(found.finds.into_iter().map(|find| (target.clone(), find)));
            }
            Err(why) => {
                eprintln!("{target}: {why}");
                failed = true;
            }
        }
    }
    for (target, find) in &finds {
        println!("{target}: {find}");
        println!(
            "  cargo run --release --manifest-path fuzz/Cargo.toml --example show -- {target} {find}"
        );
    }
    if finds.is_empty() && !failed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn read(arguments: &[String]) -> Option<Settings> {
    let all = TARGETS.map(str::to_owned).to_vec();
    let mut settings = Settings {
        targets: all,
        seconds: 60,
        sanitizer: "address".to_owned(),
    };
    for pair in arguments.chunks(2) {
        let value = pair.get(1)?;
        match pair[0].as_str() {
            "--target" if TARGETS.contains(&value.as_str()) => {
                settings.targets = vec![value.clone()]
            }
            "--seconds" => settings.seconds = value.parse().ok()?,
            "--sanitizer" if ["address", "none"].contains(&value.as_str()) => {
                settings.sanitizer = value.clone()
            }
            _ => return None,
        }
    }
    Some(settings)
}

/// What has to be installed first.
fn missing() -> Vec<&'static str> {
    let runs = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let mut missing = Vec::new();
    if !runs("cargo", &["fuzz", "--version"]) {
        missing.push("cargo-fuzz: `cargo install cargo-fuzz`");
    }
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if !runs(&compiler, &["--version"]) {
        missing.push("a C++ compiler, which builds libFuzzer: install one, or name it in `CXX`");
    }
    missing
}

/// One run; what libFuzzer said.
fn fuzz(root: &Path, target: &str, settings: &Settings) -> Result<String, String> {
    let folder = root.join("fuzz");
    let own = |name: &str| folder.join(name).join(target);
    let grown: PathBuf = own("corpus");
    std::fs::create_dir_all(&grown).map_err(|error| format!("{}: {error}", grown.display()))?;
    let mut command = Command::new("cargo");
    command.current_dir(root).env("RUSTC_BOOTSTRAP", "1");
    command.args([
        "fuzz",
        "run",
        "--fuzz-dir",
        "fuzz",
        "--sanitizer",
        &settings.sanitizer,
        target,
    ]);
    command.arg(&grown).arg(own("seeds")).arg("--");
    command
        .args([
            TIMEOUT,
            &format!("-max_total_time={}", settings.seconds),
            "-print_final_stats=1",
        ])
        .args(MEMORY);
    let words = folder
        .join("dictionaries")
        .join(target)
        .with_extension("dict");
    if words.is_file() {
        command.arg(format!("-dict={}", words.display()));
    }
    let output = command
        .output()
        .map_err(|error| format!("cargo fuzz: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    if log.contains("cov: ") || log.contains(FIND) {
        return Ok(log);
    }
    Err(format!("did not run:\n{log}"))
}

/// What libFuzzer says before the path of a find.
const FIND: &str = "Test unit written to ";

struct Report {
    executions: String,
    rate: String,
    coverage: String,
    finds: Vec<String>,
}

impl Report {
    fn of(log: &str) -> Self {
        let last = |key: &str| {
            let line = log.lines().rev().find_map(|line| line.split_once(key));
            let word = line.and_then(|(_, rest)| rest.split_whitespace().next());
            word.unwrap_or("?").to_owned()
        };
        let finds = log
            .lines()
            .filter_map(|line| line.split_once(FIND))
            .map(|(_, path)| path.trim().to_owned());
        Self {
            executions: last("stat::number_of_executed_units:"),
            rate: last("stat::average_exec_per_sec:"),
            coverage: last("cov: "),
            finds: finds.collect(),
        }
    }
}
