//! `cargo xtask sweep`: what grows how: supports and single queries by vertices, batches by pairs, instruction sets, threads.
//!
//! Where it sits: beside the benchmark proper, with the same workloads, reference and records. Single queries are asked of
//! engines by the protocol and judged as always; the rest is measured by `../../engines/gjk/src/bin/sweep`, which checks its own
//! answers and says a line a number. Read [`run`]; `points.rs` has the table and the CSV, `curves.rs` the picture.

use crate::curves::{Panel, svg};
use crate::definition::{self, Definition};
use crate::engine::{self, Engine};
use crate::points::{Point, csv, table};
use crate::run::{File, Series};
use crate::{Settings, chosen, keep_texts, record, run};
use std::path::Path;
use std::process::Command;

/// What can be asked for by `--part`.
pub(crate) const PARTS: [&str; 5] = ["support", "single", "pairs", "levels", "same"];
/// Vertices and pairs go up to these; in a quick run to the second.
const VERTICES_MAX: [usize; 2] = [32768, 1024];
const PAIRS_MAX: [usize; 2] = [10_000_000, 100_000];
/// Pairs whose batch answers are compared with single queries.
const SAME: [usize; 2] = [1_000_000, 50_000];
/// Files and operations of the batches by pairs.
const BATCHES: [(&str, &str); 5] = [
    ("box_near", "bool-batch"),
    ("box_near", "dist-batch"),
    ("box_deep", "pen-batch"),
    ("hull8_near", "dist-batch"),
    ("hull8_deep", "bool-batch"),
];
/// The same for instruction sets and threads.
const LEVELS: [(&str, &str); 9] = [
    ("box_near", "bool-batch"),
    ("box_near", "dist-batch"),
    ("box_deep", "pen-batch"),
    ("hull8_near", "bool-batch"),
    ("hull8_near", "dist-batch"),
    ("hull8_deep", "pen-batch"),
    ("hull32_near", "dist-batch"),
    ("polygon8_near", "dist-batch"),
    ("polygon8_deep", "pen-batch"),
];

/// Measures, prints and records; false when something broke.
pub(crate) fn run(settings: &Settings, program: &Path) -> Result<bool, String> {
    let (mut points, mut failed) = (Vec::new(), Vec::new());
    let quick = usize::from(settings.quick);
    let mut ask = |arguments: &[String]| {
        eprintln!("sweep {}", arguments.join(" "));
        match said(program, arguments) {
            Ok(found) => points.extend(found),
            Err(why) => failed.push(why),
        }
    };
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<String>>()
    };
    let wants = |part: &str| chosen(part, &settings.parts);
    if wants("support") {
        sizes(8, 2, VERTICES_MAX[quick]).for_each(|n| ask(&words(&["support", &n.to_string()])));
    }
    if wants("pairs") {
        for (name, op) in BATCHES {
            let path = workload(settings, name)?;
            sizes(1000, 10, PAIRS_MAX[quick])
                .for_each(|n| ask(&words(&["pairs", &path, op, &n.to_string()])));
        }
    }
    if wants("levels") {
        for (name, op) in LEVELS {
            ask(&words(&["levels", &workload(settings, name)?, op]));
        }
    }
    if wants("same") {
        ask(&words(&["same", &SAME[quick].to_string()]));
    }
    let mut engines = Vec::new();
    if wants("single") {
        engines = single(settings, VERTICES_MAX[quick], &mut points, &mut failed)?;
    }
    print!("{}", table(&points));
    failed.iter().for_each(|why| println!("FAILED: {why}"));
    let (machine, lscpu) = record::machine();
    let text = format!("{}{}", record::facts(&engines, &machine), csv(&points));
    let picture = svg(&panels(&points), &format!("{machine}, {}", record::today()))?;
    let full = !settings.quick && settings.parts.is_empty();
    keep_texts(
        settings,
        full,
        &machine,
        &[(".sweep.csv", &text), (".sweep.svg", &picture)],
        &lscpu,
    )?;
    Ok(failed.is_empty())
}

fn sizes(from: usize, factor: usize, to: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), move |n| Some(n * factor)).take_while(move |&n| n <= to)
}

/// The lines of one measurement.
fn said(program: &Path, arguments: &[String]) -> Result<Vec<Point>, String> {
    let failed = |why: String| format!("sweep {}: {why}", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|why| failed(why.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| Point::parse(line).map_err(failed))
        .collect()
}

/// A file of the benchmark proper, from the cache or made there.
fn workload(settings: &Settings, name: &str) -> Result<String, String> {
    let definitions = definition::read_all(&settings.bench.join("definitions"))?;
    let definition = definitions
        .iter()
        .find(|definition| definition.name() == name);
    let definition = definition.ok_or(format!("no workload `{name}`"))?;
    Ok(File::load(definition, &settings.cache)?
        .path
        .to_string_lossy()
        .into_owned())
}

/// Single queries by vertices: our engine in double precision, and whatever else is asked for by name.
fn single(
    settings: &Settings,
    vertices_max: usize,
    points: &mut Vec<Point>,
    failed: &mut Vec<String>,
) -> Result<Vec<Engine>, String> {
    let mut definitions = definition::read_all(&settings.bench.join("definitions/sweep"))?;
    definitions.retain(|definition| definition.family.vertices <= vertices_max);
    let mut files = Vec::new();
    for (at, definition) in definitions.iter().enumerate() {
        eprintln!(
            "workload {}/{} {}",
            at + 1,
            definitions.len(),
            definition.name()
        );
        files.push(File::load(definition, &settings.cache)?);
    }
    let asked = if settings.engines.is_empty() {
        vec!["gjk-f64".to_owned()]
    } else {
        settings.engines.clone()
    };
    let mut engines = engine::listed(&settings.programs, &asked)?;
    engines
        .iter_mut()
        .for_each(|engine| engine.ops.retain(|op| op == "dist" || op == "pen"));
    let outcome = run::run(
        &files,
        &engines,
        settings.rounds,
        settings.quick,
        &settings.cache,
    );
    failed.extend(outcome.failed);
    for series in outcome.series {
        let definition = definitions
            .iter()
            .find(|definition| definition.name() == series.workload);
        let Some(definition) = definition else {
            continue;
        };
        failed.extend(single_points(&series, definition, points));
    }
    Ok(engines)
}

/// Adds what an engine did on one file: its largest error, and its times when the answers are right. Returns a failure when
/// ours are not.
fn single_points(
    series: &Series,
    definition: &Definition,
    points: &mut Vec<Point>,
) -> Option<String> {
    let case = format!(
        "{} {} {}",
        series.engine,
        definition.regime.name(),
        series.op
    );
    let size = definition.family.vertices;
    let mut point = |measure: &str, value: f64| {
        points.push(Point {
            part: "single".into(),
            case: case.clone(),
            size,
            measure: measure.into(),
            value,
        });
    };
    point("error max", series.accuracy.errors[2]);
    if series.accuracy.right {
        point("ns min", series.ns_min);
        point("ns median", series.ns_median);
        return None;
    }
    engine::is_ours(&series.engine).then(|| format!("{case} at {size} vertices is not right"))
}

fn panels(points: &[Point]) -> Vec<Panel> {
    let panel = |title: &str, part: &str, x: &str, named: fn(&Point) -> Option<String>| {
        let mut panel = Panel {
            title: title.into(),
            x: x.into(),
            curves: Vec::new(),
        };
        points.iter().filter(|p| p.part == part).for_each(|p| {
            if let Some(name) = named(p) {
                panel.add(&name, p.size as f64, p.value);
            }
        });
        panel
    };
    vec![
        panel(
            "a support, each waiting for the one before: ns",
            "support",
            "vertices",
            |p| p.case.strip_suffix(" chain").map(str::to_owned),
        ),
        panel(
            "a single query on two hulls: ns (median)",
            "single",
            "vertices of each",
            |p| (p.measure == "ns median").then(|| p.case.clone()),
        ),
        panel(
            "a pair of a batch on one thread: ns (median)",
            "pairs",
            "pairs",
            |p| (p.measure == "ns median").then(|| p.case.clone()),
        ),
        panel(
            "a pair of a batch: bytes in memory at most",
            "pairs",
            "pairs",
            |p| (p.measure == "bytes at most").then(|| p.case.clone()),
        ),
    ]
}
