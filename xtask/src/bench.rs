//! Builds the benchmark's engines that can be built here, and runs its harness: see `bench/README.md`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask bench [--engine E]... [--workload W]... [--rounds N] [--quick]
  names are beginnings: `--engine parry3d`, `--workload box`; engines are folders of bench/engines or what they list
  BENCH_NATIVE=1: engines for this machine's own instruction set instead of the target's baseline";

/// Runs the benchmark as the arguments say.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    match bench(&root, arguments) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn bench(root: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let mut rest = arguments.iter();
    let mut passed: Vec<&str> = Vec::new();
    while let Some(key) = rest.next() {
        passed.push(key);
        match key.as_str() {
            "--quick" => {}
            "--engine" | "--workload" | "--rounds" => passed.push(rest.next().ok_or(USAGE)?),
            _ => return Err(USAGE.into()),
        }
    }
    let native = std::env::var_os("BENCH_NATIVE").is_some_and(|value| value == "1");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("bench");
    let folder = root.join("bench");
    eprintln!("building the harness");
    let harness = build(&folder.join("Cargo.toml"), &target, "harness", false)?;
    let mut programs = Vec::new();
    for engine in engines(&folder.join("engines"))? {
        let name = engine.file_name().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("building engine {name}");
        // Other flags build other files: a folder of their own keeps both.
        let apart = if native { target.join("native") } else { target.clone() };
        match build(&engine.join("Cargo.toml"), &apart, &name, native) {
            Ok(program) => programs.push(program),
            Err(why) => eprintln!("SKIPPED engine {name}: {why}"),
        }
    }
    let mut command = Command::new(harness);
    command.arg("--bench").arg(&folder).arg("--cache").arg(target.join("workloads")).args(passed);
    programs.iter().for_each(|program| {
        command.arg("--program").arg(program);
    });
    let status = command.status().map_err(|why| format!("harness: {why}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Folders with a package, by name.
fn engines(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join("Cargo.toml").is_file());
    found.sort();
    Ok(found)
}

/// A release build; the path of the binary of that name. An error is what the compiler said last.
fn build(manifest: &Path, target: &Path, binary: &str, native: bool) -> Result<PathBuf, String> {
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--locked", "--bin", binary, "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(target);
    if native {
        command.env("RUSTFLAGS", "-C target-cpu=native");
    }
    let output = command.output().map_err(|why| format!("cargo: {why}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        return Err(last[last.len().saturating_sub(12)..].join("\n  "));
    }
    let program = target.join("release").join(format!("{binary}{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() { Ok(program) } else { Err(format!("{}: not built", program.display())) }
}
