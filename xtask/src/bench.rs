//! Builds the benchmark's engines that can be built here, and runs its harness, for the benchmark, the sweep of sizes, a robot or
//! triangle meshes: see `bench/README.md`.

use crate::machine;
use crate::python::{self, Environment, Wanted, ran};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask bench [--engine E]... [--workload W]... [--rounds N] [--quick]
  names are beginnings: `--engine parry3d`, `--workload box`; engines are folders of bench/engines or what they list
  BENCH_NATIVE=1: engines for this machine's own instruction set instead of the target's baseline";

const SWEEP_USAGE: &str = "usage: cargo xtask sweep [--part P]... [--engine E]... [--rounds N] [--quick]
  parts: support, single, pairs, levels, same; engines (gjk-f64 if none is named) are asked the single queries";

const PYTHON_USAGE: &str = "usage: cargo xtask bench python [--rounds N] [--quick]
  rows as called from Python, here and in python-fcl, coal and trimesh; five rounds where nothing else is said";

const ROUNDED_USAGE: &str = "usage: cargo xtask bench rounded [--workload W]...
  how far the truth of a file moves where matrices or vertices are kept in f64, or poses in f32; no engine is asked";

const ENGINES_USAGE: &str = "usage: cargo xtask bench engines [--rows N] [--wrong N] [--actors N] [--folder DIR]
  labels of Parquet by one process, by Daft and by Ray, of which an actor ends in the middle; 10,000,000 rows, 1,000 wrong, 2 actors";

const ROBOT_USAGE: &str =
    "usage: cargo xtask robot URDF [--srdf FILE] [--package NAME=DIR]... [--states N] [--seed S]
                         [--engine E]... [--rounds N] [--quick] [--proofs]
                         [--soundness [--scene FILE] [--edges N]]
  10000 states, seed 1, engines gjk-f64 and coal where nothing else is said; --proofs: what proofs of it cost, 100000 states, and no engine;
  --soundness: a campaign that looks for a wrong proof: 1000000 states and 1000 edges of each length where nothing else is said";

const SURFACES_USAGE: &str =
    "usage: cargo xtask surfaces [--data DIR] [--set S]... [--engine E]... [--rounds N] [--quick]
  names are beginnings; DIR is ../shared/data beside the repository where nothing else is said, and sets that are not there are left out";

/// Engines that know triangle meshes.
const SURFACE_ENGINES: [&str; 5] = ["gjk", "pqp", "coal", "fcl", "parry"];

/// Runs the benchmark as the arguments say.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    done(bench(arguments))
}

/// Measures what grows with the size: vertices, pairs; instruction sets, threads.
pub(crate) fn sweep(arguments: &[String]) -> ExitCode {
    done(sizes(arguments))
}

/// `gjk check` on a robot in random states, and engines on the same pairs.
pub(crate) fn robot(arguments: &[String]) -> ExitCode {
    done(states(arguments))
}

/// Queries of triangle meshes, here and in peers.
pub(crate) fn surfaces(arguments: &[String]) -> ExitCode {
    done(meshes(arguments))
}

fn done(result: Result<ExitCode, String>) -> ExitCode {
    result.unwrap_or_else(|why| {
        eprintln!("{why}");
        ExitCode::from(2)
    })
}

/// Where things are.
struct Places {
    /// `bench/` of the repository.
    folder: PathBuf,
    target: PathBuf,
}

impl Places {
    fn new() -> Self {
        let root = machine::root();
        let target = machine::target();
        Self {
            folder: root.join("bench"),
            target: target.join("bench"),
        }
    }

    fn harness(&self) -> Result<Command, String> {
        eprintln!("building the harness");
        let mut command = Command::new(build(
            &self.folder.join("Cargo.toml"),
            &self.target,
            "harness",
            false,
        )?);
        command
            .arg("--bench")
            .arg(&self.folder)
            .arg("--cache")
            .arg(self.target.join("workloads"));
        Ok(command)
    }
}

/// The arguments as the harness takes them, when each is among these.
fn passed<'a>(
    arguments: &'a [String],
    alone: &[&str],
    valued: &[&str],
    usage: &str,
) -> Result<Vec<&'a str>, String> {
    let mut rest = arguments.iter();
    let mut passed: Vec<&str> = Vec::new();
    while let Some(key) = rest.next() {
        passed.push(key);
        match key.as_str() {
            known if alone.contains(&known) => {}
            known if valued.contains(&known) => passed.push(rest.next().ok_or(usage)?),
            _ => return Err(usage.into()),
        }
    }
    Ok(passed)
}

fn bench(arguments: &[String]) -> Result<ExitCode, String> {
    match arguments.first().map(String::as_str) {
        Some("python") => return rows(&arguments[1..]),
        Some("engines") => return tables(&arguments[1..]),
        Some("rounded") => return rounded(&arguments[1..]),
        _ => {}
    }
    let passed = passed(
        arguments,
        &["--quick"],
        &["--engine", "--workload", "--rounds"],
        USAGE,
    )?;
    let places = Places::new();
    let mut command = places.harness()?;
    those_that_build(&places, &mut command, native(), |_| true)?;
    run_to_end(command.args(passed))
}

/// How far the truth of files moves where numbers are rounded.
fn rounded(arguments: &[String]) -> Result<ExitCode, String> {
    let passed = passed(arguments, &[], &["--workload"], ROUNDED_USAGE)?;
    let mut command = Places::new().harness()?;
    run_to_end(command.arg("--rounded").args(passed))
}

/// Builds the engines of these names; what cannot be built is skipped by name.
fn those_that_build(
    places: &Places,
    command: &mut Command,
    native: bool,
    wanted: impl Fn(&str) -> bool,
) -> Result<(), String> {
    for engine in engines(&places.folder.join("engines"))? {
        let name = engine
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !wanted(&name) {
            continue;
        }
        eprintln!("building engine {name}");
        // Other flags build other files: a folder of their own keeps both.
        let apart = if native {
            places.target.join("native")
        } else {
            places.target.clone()
        };
        match build(&engine.join("Cargo.toml"), &apart, &name, native) {
            Ok(program) => _ = command.arg("--program").arg(program),
            Err(why) => eprintln!("SKIPPED engine {name}: {why}"),
        }
    }
    Ok(())
}

fn meshes(arguments: &[String]) -> Result<ExitCode, String> {
    let valued = ["--data", "--set", "--engine", "--rounds"];
    let passed = passed(arguments, &["--quick"], &valued, SURFACES_USAGE)?;
    let places = Places::new();
    let mut command = places.harness()?;
    those_that_build(&places, &mut command, native(), |name| {
        SURFACE_ENGINES.contains(&name)
    })?;
    let beside = places.folder.join("../../shared/data");
    command.arg("--surfaces").arg(beside);
    // The harness takes the last folder that it is told.
    run_to_end(command.args(passed.iter().map(|&word| match word {
        "--data" => "--surfaces",
        word => word,
    })))
}

/// Whether engines are to be built for this machine's own instruction set.
fn native() -> bool {
    std::env::var_os("BENCH_NATIVE").is_some_and(|value| value == "1")
}

/// An interpreter with what a list of `bench/python` names, and the package with its module as a wheel has it.
fn python(places: &Places, name: &str) -> Result<(Command, PathBuf), String> {
    let place = format!("bench/python/{name}.txt");
    let root = machine::root();
    let list =
        std::fs::read_to_string(root.join(&place)).map_err(|why| format!("{place}: {why}"))?;
    let wanted = Wanted {
        minor: 10,
        list: &list,
        place: &place,
    };
    let environment = Environment::new(places.target.join(format!("python-{name}")), &wanted)?;
    eprintln!("building the module");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--profile", "wheel", "--locked"]);
    cargo.args(["--lib", "--package", "gjk-python"]);
    ran(cargo.current_dir(&root))?;
    let package = places.target.join("python");
    python::package(&machine::target().join("wheel"), &package)?;
    Ok((environment.program("python"), package))
}

/// Rows as called from Python, by the harness.
fn rows(arguments: &[String]) -> Result<ExitCode, String> {
    let passed = passed(arguments, &["--quick"], &["--rounds"], PYTHON_USAGE)?;
    let places = Places::new();
    let (program, package) = python(&places, "compare")?;
    let mut command = places.harness()?;
    command.args(["--rounds", "5"]);
    command
        .arg("--python")
        .arg(program.get_program())
        .arg(package);
    run_to_end(command.args(passed))
}

/// A job of labels by one process and by engines of tables.
fn tables(arguments: &[String]) -> Result<ExitCode, String> {
    let valued = ["--rows", "--wrong", "--actors", "--folder"];
    let passed = passed(arguments, &[], &valued, ENGINES_USAGE)?;
    let places = Places::new();
    let (mut command, package) = python(&places, "engines")?;
    command.arg(places.folder.join("python/engines.py"));
    run_to_end(command.args(passed).env("PYTHONPATH", package))
}

fn sizes(arguments: &[String]) -> Result<ExitCode, String> {
    let passed = passed(
        arguments,
        &["--quick"],
        &["--part", "--engine", "--rounds"],
        SWEEP_USAGE,
    )?;
    let places = Places::new();
    let mut command = places.harness()?;
    eprintln!("building the sweep");
    command.arg("--sweep").arg(build(
        &places.folder.join("engines/gjk/Cargo.toml"),
        &places.target,
        "sweep",
        false,
    )?);
    named(&places, &mut command, &passed, &["gjk"])?;
    run_to_end(command.args(passed))
}

fn states(arguments: &[String]) -> Result<ExitCode, String> {
    let (urdf, rest) = arguments
        .split_first()
        .filter(|(urdf, _)| !urdf.starts_with('-'))
        .ok_or(ROBOT_USAGE)?;
    let valued = [
        "--srdf",
        "--package",
        "--states",
        "--seed",
        "--engine",
        "--rounds",
        "--scene",
        "--edges",
    ];
    let alone = ["--quick", "--proofs", "--soundness"];
    let passed = passed(rest, &alone, &valued, ROBOT_USAGE)?;
    let places = Places::new();
    let mut command = places.harness()?;
    if passed.contains(&"--soundness") {
        command.args(["--robot", urdf, "--seed", "1"]);
        command.args(["--states", "1000000", "--edges", "1000"]);
        return run_to_end(command.args(passed));
    }
    if passed.contains(&"--proofs") {
        command.args(["--robot", urdf, "--states", "100000", "--seed", "1"]);
        return run_to_end(command.args(passed));
    }
    eprintln!("building gjk");
    let root = places.folder.parent().ok_or("no repository root")?;
    // The program as it is released, in the folder of the workspace's own builds.
    let ours = places.target.parent().ok_or("no target folder")?;
    let gjk = build(&root.join("crates/gjk-cli/Cargo.toml"), ours, "gjk", false)?;
    command
        .arg("--gjk")
        .arg(gjk)
        .args(["--robot", urdf, "--states", "10000", "--seed", "1"]);
    named(&places, &mut command, &passed, &["gjk", "coal"])?;
    run_to_end(command.args(passed))
}

/// Builds the engines asked for by `--engine`, or these where none is; one that is asked for must build.
fn named(
    places: &Places,
    command: &mut Command,
    passed: &[&str],
    default: &[&str],
) -> Result<(), String> {
    let asked: Vec<&str> = passed
        .windows(2)
        .filter(|words| words[0] == "--engine")
        .map(|words| words[1])
        .collect();
    let asked = if asked.is_empty() { default } else { &asked };
    for engine in engines(&places.folder.join("engines"))? {
        let name = engine
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if asked
            .iter()
            .any(|asked| asked.starts_with(&name) || name.starts_with(asked))
        {
            eprintln!("building engine {name}");
            command.arg("--program").arg(build(
                &engine.join("Cargo.toml"),
                &places.target,
                &name,
                false,
            )?);
        }
    }
    Ok(())
}

fn run_to_end(command: &mut Command) -> Result<ExitCode, String> {
    let status = command.status().map_err(|why| format!("harness: {why}"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Folders with a package, by name.
fn engines(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join("Cargo.toml").is_file());
    found.sort();
    Ok(found)
}

/// A release build; the path of the binary of that name. An error is what the compiler said last.
fn build(manifest: &Path, target: &Path, binary: &str, native: bool) -> Result<PathBuf, String> {
    let mut command = Command::new("cargo");
    command
        .args([
            "build",
            "--release",
            "--locked",
            "--bin",
            binary,
            "--manifest-path",
        ])
        .arg(manifest);
    command.arg("--target-dir").arg(target);
    if native {
        command.env("RUSTFLAGS", "-C target-cpu=native");
    }
    let output = command.output().map_err(|why| format!("cargo: {why}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last: Vec<&str> = said
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        return Err(last[last.len().saturating_sub(12)..].join("\n  "));
    }
    let program = target
        .join("release")
        .join(format!("{binary}{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("{}: not built", program.display()))
    }
}
