//! The same bits everywhere: the answers to the whole corpus, on every target, against the hashes in `corpus/hashes.txt`.
//!
//! The library itself is guarded, too: the same program prints the rows of `xtask/kinds`, which are compared with
//! `corpus/kinds.hashes.txt`.
//!
//! Read [`run`] first. Idea: `xtask/answers` is the answering part of `gjk query` in a program that builds anywhere. It
//! is built for each target, runs over each corpus file, and what it prints is hashed here. The first target that runs
//! is the reference: where another one differs, the first differing answers are printed side by side.
//! Targets: [`TARGETS`]. A target's compiler is the current one where it has the target's standard library, else any
//! that has the library's sources; `plan.rs` looks for it and for the program that runs the result.

#[allow(unreachable_pub)] // it is public in the other crate that has this file
#[path = "../kinds/src/compare.rs"]
mod compare;
#[path = "../kinds/src/files.rs"]
mod files;
#[path = "hashes/plan.rs"]
mod plan;
#[path = "../../crates/gjk-cli/tests/hashes/record.rs"]
mod record;

use crate::machine::{self, WASM_TRIPLE};
use plan::Plan;
use record::Record;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What the answers are held against.
const COMMITTED: &str = "corpus/hashes.txt";

/// What the rows of the library are held against.
const COMMITTED_KINDS: &str = "corpus/kinds.hashes.txt";

/// Something that answers are computed on.
#[derive(Debug, PartialEq)]
struct Target {
    name: &'static str,
    /// As `std::env::consts::ARCH` names it: on such a machine nothing but the compiler is needed.
    arch: &'static str,
    /// For the compiler, on any other machine.
    triple: &'static str,
    /// Which instructions, where that is not the compiler's choice.
    cpu: Option<&'static str>,
}

/// The second may have instructions that the first has not, such as a fused multiply-add; the last has another C library.
const TARGETS: [Target; 4] = [
    Target {
        name: "x86-64",
        arch: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        cpu: Some("x86-64"),
    },
    Target {
        name: "x86-64-native",
        arch: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        cpu: Some("native"),
    },
    Target {
        name: "aarch64",
        arch: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        cpu: None,
    },
    Target {
        name: "wasm32",
        arch: "wasm32",
        triple: WASM_TRIPLE,
        cpu: None,
    },
];

#[derive(Default)]
struct Settings {
    bless: bool,
    install: bool,
    require_all: bool,
    targets: Vec<&'static Target>,
}

/// What became of a target.
enum Outcome {
    Ran(Answers),
    /// What is missing.
    Skipped(String),
    Failed(String),
}

/// The answers of one target.
#[derive(Default)]
struct Answers {
    record: Record,
    /// The corpus file and the answer.
    lines: Vec<(String, String)>,
    /// The rows of the library, as text.
    kinds: String,
}

/// Hashes the answers of every target and compares them with each other and with what is committed.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let settings = match read(arguments) {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    if settings.install && !plan::install() {
        return ExitCode::FAILURE;
    }
    let root = machine::root();
    let outcomes: Vec<(&Target, Outcome)> = settings
        .targets
        .iter()
        .map(|target| (*target, answers(target, &root)))
        .collect();
    print(&outcomes);
    let findings = findings(&outcomes, &settings, &root);
    for finding in &findings {
        eprintln!("{finding}");
    }
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn read(arguments: &[String]) -> Result<Settings, String> {
    let mut settings = Settings::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--bless" => settings.bless = true,
            "--install" => settings.install = true,
            "--require-all" => settings.require_all = true,
            "--target" => {
                let name = rest.next().map_or("", String::as_str);
                let names = TARGETS.map(|target| target.name).join(", ");
                let found = TARGETS.iter().find(|target| target.name == name);
                settings
                    .targets
                    .push(found.ok_or(format!("no target `{name}`; there are {names}"))?);
                // Who asks for a target wants it, not a remark that it is missing.
                settings.require_all = true;
            }
            _ => return Err(format!("cannot read `{argument}`")),
        }
    }
    if settings.targets.is_empty() {
        settings.targets.extend(&TARGETS);
    }
    Ok(settings)
}

/// Builds the program for a target and lets it answer every corpus file.
fn answers(target: &Target, root: &Path) -> Outcome {
    let plan = match plan::plan(target, root) {
        Ok(plan) => plan,
        Err(missing) => {
            let missing = missing.join("; ");
            eprintln!("{}: SKIPPED, missing: {missing}", target.name);
            return Outcome::Skipped(missing);
        }
    };
    eprintln!("{}: building", target.name);
    match build_and_answer(plan, &root.join("corpus")) {
        Ok(answers) => Outcome::Ran(answers),
        Err(why) => Outcome::Failed(why),
    }
}

fn build_and_answer(mut plan: Plan, corpus: &Path) -> Result<Answers, String> {
    let built = plan
        .build
        .status()
        .map_err(|error| format!("{:?}: {error}", plan.build.get_program()))?;
    if !built.success() {
        return Err("it does not build".into());
    }
    let mut answers = Answers::default();
    for file in files::files(corpus).map_err(|error| format!("{}: {error}", corpus.display()))? {
        let told = |error: std::io::Error| format!("{file}: {error}");
        let input = File::open(corpus.join(&file)).map_err(told)?;
        let output = plan
            .program
            .stdin(input)
            .stderr(Stdio::inherit())
            .output()
            .map_err(told)?;
        if !output.status.success() {
            return Err(format!("{file}: the program ended with {}", output.status));
        }
        let text = String::from_utf8(output.stdout).map_err(|error| format!("{file}: {error}"))?;
        for line in text.lines() {
            let (scalar, answer) = line
                .split_once(' ')
                .ok_or_else(|| format!("{file}: no scalar in `{line}`"))?;
            answers.record.add(&file, scalar, answer);
            answers.lines.push((file.clone(), line.to_owned()));
        }
    }
    answers.kinds = kinds(plan.program, corpus)?;
    Ok(answers)
}

/// The rows of the library, by the program that answers.
fn kinds(mut program: Command, corpus: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| format!("the rows of the library: {error}");
    let text = files::text(corpus).map_err(told)?;
    let mut child = program
        .arg("kinds")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(told)?;
    // It reads everything before it writes, and its input ends where this is dropped.
    if let Some(mut input) = child.stdin.take() {
        input.write_all(&text).map_err(told)?;
    }
    let output = child.wait_with_output().map_err(told)?;
    if !output.status.success() {
        return Err(format!(
            "the rows of the library: the program ended with {}",
            output.status
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("the rows of the library: {error}"))
}

fn print(outcomes: &[(&Target, Outcome)]) {
    println!(
        "{:14} {:>7} {:16} {:>7} {:16}",
        "target", "answers", "hash f32", "answers", "hash f64"
    );
    for (target, outcome) in outcomes {
        match outcome {
            Outcome::Ran(answers) => {
                let [single, double] = ["f32", "f64"].map(|scalar| answers.record.total(scalar));
                println!(
                    "{:14} {:>7} {:016x} {:>7} {:016x}",
                    target.name, single.answers, single.hash, double.answers, double.hash
                );
            }
            Outcome::Skipped(missing) => println!("{:14} SKIPPED, missing: {missing}", target.name),
            Outcome::Failed(why) => println!("{:14} FAILED: {why}", target.name),
        }
    }
}

/// What is wrong, a sentence each. Writes the committed file first where that is asked for and all targets agree.
fn findings(outcomes: &[(&Target, Outcome)], settings: &Settings, root: &Path) -> Vec<String> {
    let mut findings = Vec::new();
    let mut reference: Option<(&Target, &Answers)> = None;
    for (target, outcome) in outcomes {
        match (outcome, reference) {
            (Outcome::Ran(answers), None) => reference = Some((*target, answers)),
            (Outcome::Ran(answers), Some((first, expected))) if answers.lines != expected.lines => {
                findings.push(difference([first.name, target.name], [expected, answers]));
            }
            (Outcome::Ran(answers), Some((first, expected))) => {
                let rows = compare::differences(&answers.kinds, &expected.kinds);
                let named = |row| format!("{} (committed: {}): {row}", target.name, first.name);
                findings.extend(rows.into_iter().map(named));
            }
            (Outcome::Skipped(missing), _) if settings.require_all => {
                findings.push(format!("{} was skipped, missing: {missing}", target.name));
            }
            (Outcome::Failed(why), _) => findings.push(format!("{} failed: {why}", target.name)),
            _ => {}
        }
    }
    let Some((_, answers)) = reference else {
        findings.push("no target ran".into());
        return findings;
    };
    if !settings.bless {
        let committed = |file| fs::read_to_string(root.join(file)).unwrap_or_default();
        findings.extend(answers.record.first_difference(&committed(COMMITTED)));
        findings.extend(compare::differences(
            &answers.kinds,
            &committed(COMMITTED_KINDS),
        ));
        return findings;
    }
    let texts = [
        (COMMITTED, answers.record.text()),
        (COMMITTED_KINDS, answers.kinds.clone()),
    ];
    // Only what all targets agree on is written.
    let agreed = findings.is_empty();
    for (file, text) in texts {
        match agreed.then(|| fs::write(root.join(file), text)) {
            Some(Ok(())) => println!("written: {file}"),
            Some(Err(error)) => findings.push(format!("{file}: {error}")),
            None => findings.push(format!("not written: {file}")),
        }
    }
    findings
}

/// The first answers in which two targets differ.
fn difference(names: [&str; 2], [a, b]: [&Answers; 2]) -> String {
    let at = a
        .lines
        .iter()
        .zip(&b.lines)
        .take_while(|(a, b)| a == b)
        .count();
    let told = |name: &str, answers: &Answers| match answers.lines.get(at) {
        Some((file, answer)) => format!("\n  {name}: corpus/{file}: {answer}"),
        None => format!("\n  {name}: no more answers"),
    };
    format!(
        "{} and {} differ:{}{}",
        names[0],
        names[1],
        told(names[0], a),
        told(names[1], b)
    )
}

/// Where a target's build goes: apart from other builds, whose compilers and options differ.
fn target_folder(target: &Target) -> PathBuf {
    let folder = machine::target();
    // Those of other processors have folders of their own in there, and share the compiler's plugins.
    let name = if target.arch == std::env::consts::ARCH {
        target.name
    } else {
        "cross"
    };
    folder.join("answers").join(name)
}
