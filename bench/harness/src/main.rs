//! The benchmark's harness: makes the workloads, asks the engines, judges the answers, prints and records.
//!
//! Where it sits: `cargo xtask bench` builds it and the engines and runs it. Reading order: `definition.rs` (what the
//! workloads are), `generate.rs` (files), `reference/` (the truth), `run.rs` (interleaving), `judge.rs` (what is right),
//! then `report.rs`, `goals.rs`, `record.rs`, `plot.rs`. Apart from all that, `sweep.rs` (costs by size),
//! `robot.rs` (`gjk check` and its pairs), `surfaces.rs` (triangle meshes as they are), `python.rs` (rows as called from Python) and
//! `rounded.rs` (how far the truth moves where numbers are rounded).

mod curves;
mod definition;
mod engine;
mod generate;
mod goals;
mod judge;
mod plot;
mod points;
mod python;
mod record;
mod reference;
mod report;
mod robot;
mod rounded;
mod run;
mod shapes;
mod surfaces;
mod sweep;

use engine::Engine;
use run::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: harness --bench FOLDER --cache FOLDER --program FILE... [--engine E]... [--workload W]...
               [--rounds N] [--quick] [--reference-only] [--rounded] [--sweep PROGRAM [--part P]...]
               [--surfaces DATA [--set S]...] [--python PROGRAM FOLDER]
               [--gjk PROGRAM --robot URDF [--srdf FILE] [--package NAME=DIR]... [--states N] [--seed S] [--proofs]
                [--soundness [--scene FILE] [--edges N]]]";

/// A reference with a wider gap could not judge `f64`.
const GAP_MAX: f64 = 1e-16;
/// Of times, which hang on places in `f64`.
const TIME_GAP_MAX: f64 = 1e-13;

struct Settings {
    /// `bench/` itself: definitions, goals, records.
    bench: PathBuf,
    /// For workload files, references and answers.
    cache: PathBuf,
    programs: Vec<PathBuf>,
    /// Beginnings of names; all by default.
    engines: Vec<String>,
    workloads: Vec<String>,
    rounds: usize,
    quick: bool,
    reference_only: bool,
    /// No engines: how far the truth moves where numbers are rounded.
    rounded: bool,
    /// The program that measures by size: a sweep instead of the benchmark, and which parts of it.
    sweep: Option<PathBuf>,
    parts: Vec<String>,
    /// The folder of meshes: surfaces instead, and which sets of them.
    surfaces: Option<PathBuf>,
    sets: Vec<String>,
    /// Rows as called from Python instead.
    python: Option<python::PythonSettings>,
    /// A robot instead.
    robot: robot::RobotSettings,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(settings) = read(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let made = std::fs::create_dir_all(&settings.cache);
    let made = made.map_err(|why| format!("{}: {why}", settings.cache.display()));
    let what = (&settings.sweep, &settings.surfaces, &settings.python);
    let done = made.and_then(|()| match what {
        (Some(program), _, _) => sweep::run(&settings, program),
        (_, Some(data), _) => surfaces::run(&settings, data),
        (_, _, Some(python)) => python::run(&settings, python),
        _ if settings.robot != Default::default() => robot::run(&settings, &settings.robot),
        _ if settings.rounded => rounded::run(&settings),
        _ => bench(&settings),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<Settings> {
    let none = PathBuf::new;
    let mut settings = Settings {
        bench: none(),
        cache: none(),
        programs: Vec::new(),
        engines: Vec::new(),
        workloads: Vec::new(),
        rounds: 3,
        quick: false,
        reference_only: false,
        rounded: false,
        sweep: None,
        parts: Vec::new(),
        surfaces: None,
        sets: Vec::new(),
        python: None,
        robot: robot::RobotSettings::default(),
    };
    let mut rest = arguments.iter();
    while let Some(key) = rest.next() {
        match key.as_str() {
            "--quick" => (settings.quick, settings.rounds) = (true, 1),
            "--reference-only" => settings.reference_only = true,
            "--rounded" => settings.rounded = true,
            "--bench" => settings.bench = rest.next()?.into(),
            "--cache" => settings.cache = rest.next()?.into(),
            "--program" => settings.programs.push(rest.next()?.into()),
            "--sweep" => settings.sweep = Some(rest.next()?.into()),
            "--part" => settings.parts.push(
                rest.next()
                    .filter(|p| sweep::PARTS.contains(&p.as_str()))?
                    .clone(),
            ),
            "--surfaces" => settings.surfaces = Some(rest.next()?.into()),
            "--python" => {
                let (program, package) = (rest.next()?.into(), rest.next()?.into());
                settings.python = Some(python::PythonSettings { program, package });
            }
            "--proofs" => settings.robot.proofs = true,
            "--soundness" => settings.robot.soundness = true,
            "--set" => settings.sets.push(rest.next()?.clone()),
            "--engine" => settings.engines.push(rest.next()?.clone()),
            "--workload" => settings.workloads.push(rest.next()?.clone()),
            "--rounds" => settings.rounds = rest.next()?.parse().ok().filter(|&n| n > 0)?,
            _ => settings.robot.read(key, rest.next()?)?,
        }
    }
    let placed = settings.bench.is_dir() && settings.cache != none();
    placed.then_some(settings)
}

/// Whether a name is among those asked for.
fn chosen(name: &str, asked: &[String]) -> bool {
    asked.is_empty() || asked.iter().any(|a| name.starts_with(a.as_str()))
}

/// False when a run broke.
fn bench(settings: &Settings) -> Result<bool, String> {
    let files = load(settings)?;
    let largest = |moves: bool| {
        let those = files.iter().filter(|file| file.moves() == moves);
        those.map(File::gap).fold(0.0, f64::max)
    };
    let (gap, time_gap) = (largest(false), largest(true));
    println!(
        "reference: {} files, largest relative gap of its bounds {gap:.1e}, of times {time_gap:.1e}",
        files.len()
    );
    if !(gap <= GAP_MAX && time_gap <= TIME_GAP_MAX) {
        return Err(format!(
            "the reference is not sure: a gap above {GAP_MAX:e}, or above {TIME_GAP_MAX:e} of times"
        ));
    }
    if settings.reference_only {
        files.iter().for_each(print_sizes);
        return Ok(true);
    }
    let mut engines = engine::listed(&settings.programs, &settings.engines)?;
    if files.is_empty() || engines.is_empty() {
        return Err(format!(
            "nothing to do: {} files, {} engines",
            files.len(),
            engines.len()
        ));
    }
    // Ours and theirs, so that the list shows who is asked.
    engines.sort_by_key(|engine| (!engine.is_ours(), engine.name.clone()));
    engines
        .iter()
        .for_each(|engine| println!("{:16} {}", engine.name, engine.about));
    let outcome = run::run(
        &files,
        &engines,
        settings.rounds,
        settings.quick,
        &settings.cache,
    );
    print!("{}", report::table(&outcome.series));
    let goals = report::goals(
        &goals::read(&settings.bench.join("goals.toml"))?,
        &outcome.series,
    );
    print!("\n{goals}");
    for ((engine, why), times) in &outcome.declined {
        println!("not offered: {engine}: {why} ({times} times)");
    }
    outcome
        .failed
        .iter()
        .for_each(|why| println!("FAILED: {why}"));
    keep(settings, &outcome.series, &engines, gap, &goals)?;
    Ok(outcome.failed.is_empty())
}

/// Prints the least and the largest size of a signed distance in a file, and the gap of the reference.
fn print_sizes(file: &File) {
    let [low, high] = file.sizes();
    println!(
        "  {:28} {low:.3e} to {high:.3e}, gap {:.1e}",
        file.definition.name(),
        file.gap()
    );
}

/// The workload files asked for, with their references.
fn load(settings: &Settings) -> Result<Vec<File>, String> {
    let mut definitions = definition::read_all(&settings.bench.join("definitions"))?;
    definitions.retain(|definition| chosen(&definition.name(), &settings.workloads));
    let mut files = Vec::new();
    for (at, definition) in definitions.iter().enumerate() {
        eprint!(
            "\rworkload {:2}/{} {:28}",
            at + 1,
            definitions.len(),
            definition.name()
        );
        files.push(File::load(definition, &settings.cache)?);
    }
    eprintln!("\r{:60}", "");
    Ok(files)
}

/// A full run is recorded; part of one only kept beside the workloads.
fn keep(
    settings: &Settings,
    series: &[run::Series],
    engines: &[Engine],
    gap: f64,
    goals: &str,
) -> Result<(), String> {
    let (machine, lscpu) = record::machine();
    let csv = record::csv(series, engines, &machine, gap, settings.rounds);
    let svg = plot::svg(series, &format!("{machine}, {}", record::today()))?;
    let full = !settings.quick && settings.engines.is_empty() && settings.workloads.is_empty();
    keep_texts(
        settings,
        full,
        &machine,
        &[(".csv", &csv), (".svg", &svg), (".goals.txt", goals)],
        &lscpu,
    )
}

/// Writes the files of a run, to the records or beside the workloads, and says where.
fn keep_texts(
    settings: &Settings,
    full: bool,
    machine: &str,
    texts: &[(&str, &str)],
    lscpu: &str,
) -> Result<(), String> {
    let (folder, stem): (&Path, _) = if full {
        (
            &settings.bench.join("record").join(machine),
            record::today(),
        )
    } else {
        (&settings.cache.join("partial"), "latest".into())
    };
    for path in record::write(folder, &stem, texts, lscpu)? {
        println!("wrote {}", path.display());
    }
    Ok(())
}
