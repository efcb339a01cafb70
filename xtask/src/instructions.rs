//! Instruction counts of the hot queries under callgrind, against the committed baseline.
//!
//! Where it sits: `cargo xtask instructions`; the queries are those of `crates/gjk/examples/hot.rs`. Read [`run`] first.
//! Idea: counts are the same from run to run on any loaded machine, times are not. Callgrind counts within one function of
//! the example, the round of queries, so that its set-up is left out. Counts depend on the compiler, so the baseline names
//! its own, and with another compiler the table is printed and nothing is judged.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const BASELINE: &str = "bench/instructions.csv";
/// A rise by more than this part fails.
const RISE_MAX: f64 = 0.05;
/// Pairs of one round of the example, and how many rounds are counted.
const PAIRS: u64 = 64;
const ROUNDS: u64 = 2;
/// The function of the example that asks one round.
const COUNTED: &str = "*answer_all*";

const KINDS: [&str; 23] = [
    "box-far-intersects",
    "box-near-intersects",
    "box-deep-intersects",
    "box-far-distance",
    "box-near-distance",
    "box-near-distance-f32",
    "box-shallow-contact",
    "box-deep-contact",
    "hull8-near-distance",
    "hull32-near-intersects",
    "hull32-near-distance",
    "hull32-shallow-contact",
    "hull32-deep-contact",
    "hull512-near-distance",
    "polygon8-near-distance",
    "polygon8-deep-contact",
    "box-far-ray",
    "box-far-ray-f32",
    "hull32-far-ray",
    "polygon8-far-ray",
    "box-far-cast",
    "box-far-toi",
    "hull32-far-toi",
];

struct Row {
    kind: String,
    instructions: u64,
}

/// Counts, prints and compares; `--bless` writes the baseline.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let bless = match arguments {
        [] => false,
        [flag] if flag == "--bless" => true,
        _ => {
            eprintln!("usage: cargo xtask instructions [--bless]");
            return ExitCode::from(2);
        }
    };
    match counted(bless) {
        Ok(risen) if risen.is_empty() => ExitCode::SUCCESS,
        Ok(risen) => {
            eprintln!(
                "more than {:.0} % above {BASELINE}: {}",
                RISE_MAX * 100.0,
                risen.join(", ")
            );
            eprintln!(
                "if the rise is meant: cargo xtask instructions --bless, and say why in the commit"
            );
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// The kinds whose count rose.
fn counted(bless: bool) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("no repository root")?;
    let compiler = compiler()?;
    let (of, baseline) = read(&root.join(BASELINE))?;
    let program = build(root)?;
    println!("{compiler}, instructions a query by callgrind");
    println!("{:28} {:>10} {:>10} {:>7}", "", "baseline", "now", "ratio");
    let (mut rows, mut risen) = (Vec::new(), Vec::new());
    for kind in KINDS {
        let instructions = count(&program, kind)? / (PAIRS * ROUNDS);
        let before = baseline
            .iter()
            .find(|row| row.kind == kind)
            .map(|row| row.instructions);
        let ratio = before.map(|before| instructions as f64 / before as f64);
        let shown = |x: Option<String>| x.unwrap_or_else(|| "-".to_owned());
        println!(
            "{kind:28} {:>10} {instructions:>10} {:>7}",
            shown(before.map(|x| x.to_string())),
            shown(ratio.map(|x| format!("{x:.3}")))
        );
        if ratio.is_some_and(|ratio| ratio > 1.0 + RISE_MAX) {
            risen.push(kind.to_owned());
        }
        rows.push(Row {
            kind: kind.to_owned(),
            instructions,
        });
    }
    if bless {
        let text = rows
            .iter()
            .fold(format!("# {compiler}\n"), |mut text, row| {
                let _ = writeln!(text, "{},{}", row.kind, row.instructions);
                text
            });
        std::fs::write(root.join(BASELINE), text)
            .map_err(|error| format!("{BASELINE}: {error}"))?;
        return Ok(Vec::new());
    }
    if of != compiler {
        println!("the baseline is of {of}: nothing is judged");
        return Ok(Vec::new());
    }
    Ok(risen)
}

/// The compiler of the baseline, and its counts; nothing where there is none yet.
fn read(path: &Path) -> Result<(String, Vec<Row>), String> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Ok((String::new(), Vec::new()));
    };
    let mut lines = text.lines();
    let of = lines
        .next()
        .and_then(|line| line.strip_prefix("# "))
        .unwrap_or_default()
        .to_owned();
    let row = |(at, line): (usize, &str)| {
        let parsed = line.split_once(',').and_then(|(kind, n)| {
            Some(Row {
                kind: kind.to_owned(),
                instructions: n.parse().ok()?,
            })
        });
        parsed.ok_or_else(|| {
            format!(
                "{BASELINE}, line {}: expected `kind,instructions`, found `{line}`",
                at + 2
            )
        })
    };
    Ok((of, lines.enumerate().map(row).collect::<Result<_, _>>()?))
}

fn compiler() -> Result<String, String> {
    let output = Command::new("rustc")
        .arg("--version")
        .output()
        .map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" "))
}

/// Builds the example as a release for the baseline instruction set.
fn build(root: &Path) -> Result<PathBuf, String> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let mut command = Command::new("cargo");
    command.current_dir(root).args([
        "build",
        "--release",
        "--locked",
        "-p",
        "gjk",
        "--example",
        "hot",
    ]);
    let status = command
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if status.success() {
        Ok(target.join("release/examples/hot"))
    } else {
        Err("the example did not build".to_owned())
    }
}

/// Instructions of all rounds of one run.
fn count(program: &Path, kind: &str) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(program)
        .args([kind, &ROUNDS.to_string()]);
    let output = command
        .output()
        .map_err(|_| "valgrind does not run: install it (Debian: valgrind)".to_owned())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    collected
        .and_then(|(_, n)| n.trim().parse().ok())
        .filter(|&count| count > 0)
        .ok_or_else(|| format!("{kind}: no count from callgrind:\n{text}"))
}
