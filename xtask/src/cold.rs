//! What building costs a newcomer: the README's two commands in a fresh clone, in CPU seconds, by unit.
//!
//! Read [`run`] first. Idea: wall time says more about the machine than about the code, so that processor time is counted, as
//! the kernel keeps it for a process's finished children (`/proc/self/stat`). For the units this program puts itself before the
//! compiler (`RUSTC_WRAPPER`) and writes a line for each. What is downloaded is fetched before the clock starts. Progress goes
//! to standard error. Exit codes: 0 measured, 1 a command failed, 2 arguments, 3 this is no Linux.

use crate::machine;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Where a wrapped compiler writes its line. Its presence says that this program was started in the compiler's place.
pub(crate) const LOG: &str = "GJK_COLD_LOG";
/// The README's commands are between these markers, `<!-- NAME -->` and `<!-- end-NAME -->`.
const MARKERS: [&str; 2] = ["first-command", "test-command"];
/// Ticks a second of `/proc`: Linux promises 100 to programs, whatever the kernel's own rate.
const TICKS: f64 = 100.0;
/// The greatest exit code of a command that did its work: `check` answers 1 when something overlaps.
const ANSWERED: i32 = 1;

struct Settings {
    commit: String,
    top: usize,
    json: bool,
}

/// One command's cost.
struct Cost {
    command: String,
    cpu: f64,
    wall: f64,
    units: Vec<Unit>,
}

/// One run of the compiler.
struct Unit {
    name: String,
    cpu: f64,
}

/// Clones a commit into a temporary folder and measures the README's commands there.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some(settings) = read(arguments) else {
        eprintln!("usage: cargo xtask cold [--commit REV] [--top N] [--json]");
        return ExitCode::from(2);
    };
    if children_seconds().is_none() {
        eprintln!(
            "cargo xtask cold reads processor times from /proc/self/stat, which this system does not have"
        );
        return ExitCode::from(3);
    }
    let folder = std::env::temp_dir().join(format!("gjk-cold-{}", std::process::id()));
    let measured = measure(&folder, &settings.commit);
    if let Err(error) = fs::remove_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
    }
    match measured {
        Ok(costs) => {
            print(&costs, &settings);
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<Settings> {
    let mut settings = Settings {
        commit: "HEAD".to_owned(),
        top: 10,
        json: false,
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--commit" => settings.commit = words.next()?.clone(),
            "--top" => settings.top = words.next()?.parse().ok()?,
            "--json" => settings.json = true,
            _ => return None,
        }
    }
    Some(settings)
}

fn measure(folder: &Path, commit: &str) -> Result<Vec<Cost>, String> {
    let root = machine::root();
    let revision = Command::new("git")
        .current_dir(&root)
        .args(["rev-parse", "--verify", commit])
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let revision = String::from_utf8_lossy(&revision.stdout).trim().to_owned();
    let clone = folder.join("gjk");
    let (from, to) = (root.to_string_lossy(), clone.to_string_lossy());
    quietly(
        Path::new("."),
        &["git", "clone", "--quiet", "--no-checkout", &from, &to],
    )?;
    quietly(&clone, &["git", "checkout", "--quiet", &revision])?;
    quietly(&clone, &["cargo", "fetch", "--quiet", "--locked"])?;
    let readme = fs::read_to_string(clone.join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    commands(&readme)?
        .iter()
        .map(|command| cost(command, &clone, folder))
        .collect()
}

/// Runs what prepares the measurement; its output is of no interest unless it fails.
fn quietly(folder: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = Command::new(words[0]);
    command
        .current_dir(folder)
        .args(&words[1..])
        .stdout(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", words.join(" "))),
        Err(error) => Err(format!("{}: {error}", words[0])),
    }
}

/// The README's commands, in its order.
fn commands(readme: &str) -> Result<Vec<String>, String> {
    let between = |marker: &str| {
        let (_, rest) = readme.split_once(&format!("<!-- {marker} -->"))?;
        let (block, _) = rest.split_once(&format!("<!-- end-{marker} -->"))?;
        let mut lines = block.lines().map(|line| line.trim_start_matches("$ "));
        lines
            .find(|line| line.starts_with("cargo "))
            .map(str::to_owned)
    };
    let found = MARKERS.iter().map(|marker| {
        between(marker)
            .ok_or_else(|| format!("README.md: no cargo command between the markers of {marker}"))
    });
    found.collect()
}

fn cost(command: &str, clone: &Path, folder: &Path) -> Result<Cost, String> {
    eprintln!("== {command}");
    let log = folder.join("units");
    fs::write(&log, "").map_err(|error| format!("{}: {error}", log.display()))?;
    let own: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
    let (start, before) = (Instant::now(), children_seconds().unwrap_or(0.0));
    let mut words = command.split_whitespace();
    let status = Command::new(words.next().unwrap_or("cargo"))
        .args(words)
        .current_dir(clone)
        .env("CARGO_TARGET_DIR", clone.join("target"))
        .env("RUSTC_WRAPPER", own)
        .env(LOG, &log)
        // Standard output is for the table.
        .stdout(std::io::stderr())
        .status()
        .map_err(|error| format!("{command}: {error}"))?;
    let (cpu, wall) = (
        children_seconds().unwrap_or(0.0) - before,
        start.elapsed().as_secs_f64(),
    );
    if status.code().is_none_or(|code| code > ANSWERED) {
        return Err(format!("{command}: {status}"));
    }
    let units = fs::read_to_string(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let mut units: Vec<Unit> = units.lines().filter_map(unit_of).collect();
    units.sort_by(|a, b| b.cpu.total_cmp(&a.cpu));
    Ok(Cost {
        command: command.to_owned(),
        cpu,
        wall,
        units,
    })
}

fn unit_of(line: &str) -> Option<Unit> {
    let (cpu, name) = line.split_once(' ')?;
    Some(Unit {
        name: name.to_owned(),
        cpu: cpu.parse().ok()?,
    })
}

/// User and system time of this process's finished children, in seconds: fields 16 and 17 of its line.
fn children_seconds() -> Option<f64> {
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may hold spaces; the third is the first after it.
    let (_, rest) = line.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) as f64 / TICKS)
}

/// What is done in the compiler's place: the compiler, and a line with its cost.
pub(crate) fn compile(log: &str) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((compiler, rest)) = arguments.split_first() else {
        return ExitCode::from(2);
    };
    let Ok(status) = Command::new(compiler).args(rest).status() else {
        eprintln!("{compiler}: cannot be started");
        return ExitCode::from(2);
    };
    if let (Some(name), Some(cpu)) = (unit_name(rest), children_seconds()) {
        let line = format!("{cpu:.2} {name}\n");
        let file = OpenOptions::new().append(true).open(log);
        // One write of a line: units that end together do not mix.
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            eprintln!("{log}: {error}");
        }
    }
    ExitCode::from(
        status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(1),
    )
}

/// The package and the target of a compilation; none for the questions that cargo asks the compiler.
fn unit_name(arguments: &[String]) -> Option<String> {
    let after = |flag: &str| {
        let at = arguments.iter().position(|word| word == flag)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let target = after("--crate-name").filter(|name| *name != "___")?;
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let kind = if arguments.iter().any(|word| word == "--test") {
        "test"
    } else {
        after("--crate-type").unwrap_or("?")
    };
    if package.replace('-', "_") == target {
        Some(format!("{package} ({kind})"))
    } else {
        Some(format!("{package} {target} ({kind})"))
    }
}

/// Units that were compiled more than once, with how often.
fn again(costs: &[Cost]) -> Vec<(&str, usize)> {
    let mut counts = BTreeMap::new();
    for unit in costs.iter().flat_map(|cost| &cost.units) {
        *counts.entry(unit.name.as_str()).or_insert(0) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1).collect()
}

fn print(costs: &[Cost], settings: &Settings) {
    let again = again(costs);
    let total: f64 = costs.iter().map(|cost| cost.cpu).sum();
    if settings.json {
        let rows = costs.iter().map(|cost| {
            let dearest = cost.units.iter().take(settings.top);
            let dearest: Vec<Value> = dearest
                .map(|unit| json!({"unit": unit.name, "cpu_s": unit.cpu}))
                .collect();
            json!({
                "command": cost.command, "cpu_s": cost.cpu, "wall_s": cost.wall,
                "units": cost.units.len(), "dearest": dearest,
            })
        });
        let commands: Vec<Value> = rows.collect();
        println!(
            "{}",
            json!({"commit": settings.commit, "cpu_s": total, "commands": commands, "again": again})
        );
        return;
    }
    for cost in costs {
        let compiling: f64 = cost.units.iter().map(|unit| unit.cpu).sum();
        println!("{}", cost.command);
        println!(
            "  {:.0} s of CPU ({:.0} s wall), {compiling:.0} of it in {} units; the dearest:",
            cost.cpu,
            cost.wall,
            cost.units.len()
        );
        for unit in cost.units.iter().take(settings.top) {
            println!("  {:7.1}  {}", unit.cpu, unit.name);
        }
    }
    println!("both: {total:.0} s of CPU");
    for (name, count) in again {
        println!("  compiled {count} times: {name}");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::*;

    /// The commands that are measured are those that the README has now.
    #[test]
    fn readme_has_both_commands() {
        let readme = include_str!("../../README.md");
        let found = commands(readme).unwrap();
        assert!(
            found[0].starts_with("cargo run") && found[1].starts_with("cargo test"),
            "{found:?}"
        );
        assert!(commands("no markers").is_err());
    }

    #[test]
    fn questions_to_the_compiler_are_no_units() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(unit_name(&words("-vV")), None);
        assert_eq!(unit_name(&words("- --crate-name ___ --print=cfg")), None);
        let test = unit_name(&words("--crate-name depth --test src/depth.rs")).unwrap();
        assert!(test.ends_with("depth (test)"), "{test}");
    }
}
