//! `cargo xtask robot`: `gjk check` on a robot in random states, and engines on the same pairs of the same hulls.
//!
//! Where it sits: beside the benchmark proper. `gjk check` is run as a user runs it; its states, hulls and pairs are made again
//! here from the same files (`workload.rs`) and written as workloads, so that any engine of the benchmark can be asked. Read
//! [`run`].
//! Idea: the report of `gjk check` names every pair that touches or overlaps, so each engine's verdicts can be held
//! against it. If they are the same over all states, the pairs, the hulls and the poses were the same too.
//! What is timed: `gjk check` from file to report, less the same for one state, which is mostly reading meshes and building
//! hulls: forward kinematics, boxes, verdicts, and depth and witness points of what overlaps. Engines: the boolean alone.

mod edge_answers;
mod never_states;
mod proof_costs;
mod proofs;
mod sampler;
mod soundness;
#[cfg(test)]
mod soundness_tests;
mod subject;
mod witnesses;
pub(crate) mod workload;

use crate::engine::{self, Engine, Ran};
use crate::points::{Point, csv, table};
use crate::{Settings, keep_texts, record};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use workload::{Asked, Robot};

/// What to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RobotSettings {
    /// The program `gjk`.
    pub(crate) gjk: PathBuf,
    pub(crate) urdf: PathBuf,
    pub(crate) srdf: Option<PathBuf>,
    /// `NAME=DIR`.
    pub(crate) packages: Vec<String>,
    pub(crate) states: usize,
    pub(crate) seed: u64,
    /// What proofs cost, instead of `gjk check` and engines.
    pub(crate) proofs: bool,
    /// A campaign that looks for a wrong proof, instead of all that.
    pub(crate) soundness: bool,
    /// What stands around the robot, for the campaign.
    pub(crate) scene: Option<PathBuf>,
    /// Random edges of each length, for the campaign.
    pub(crate) edges: usize,
}

impl RobotSettings {
    /// Takes an option of the command line; nothing when it is none of ours.
    pub(crate) fn read(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "--gjk" => self.gjk = value.into(),
            "--robot" => self.urdf = value.into(),
            "--srdf" => self.srdf = Some(value.into()),
            "--package" => self.packages.push(value.into()),
            "--states" => self.states = value.parse().ok().filter(|&n| n > 1)?,
            "--scene" => self.scene = Some(value.into()),
            "--edges" => self.edges = value.parse().ok()?,
            "--seed" => self.seed = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// Every pair of a state is asked too, boxes or not, in this part of the states: that is what a caller without boxes pays.
const ALL_PAIRS_PART: usize = 20;
/// Passes of an engine over a file in one process.
const PASSES: usize = 5;
const THREADS: [usize; 2] = [1, 2];

/// What is used of `gjk check --json`.
#[derive(Deserialize)]
struct Report {
    pairs_considered: usize,
    states: usize,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    state: usize,
    a: String,
    b: String,
    verdict: String,
}

/// A state and two bodies by name.
type Key = (usize, String, String);

/// A run: what is asked and known, and what comes of it.
struct Run<'a> {
    settings: &'a Settings,
    asked: &'a RobotSettings,
    /// The pairs that touch or overlap, by `gjk check`.
    hits: HashSet<Key>,
    points: Vec<Point>,
    failed: Vec<String>,
}

/// Measures, prints and records; false when an answer differs or something broke.
pub(crate) fn run(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    match (asked.soundness, asked.proofs) {
        (true, _) => soundness::run(settings, asked),
        _ if asked.scene.is_some() || asked.edges > 0 => {
            Err("--scene and --edges are for --soundness".into())
        }
        (_, true) => proofs::run(settings, asked),
        _ => checked(settings, asked),
    }
}

/// `gjk check`, then engines on its pairs.
fn checked(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    let robot = Robot::load(asked)?;
    let report: Report = serde_json::from_slice(&check(asked, asked.states, 2, &["--json"])?.1)
        .map_err(|why| format!("the report of gjk check: {why}"))?;
    let mut run = Run {
        settings,
        asked,
        hits: hits(&report)?,
        points: Vec::new(),
        failed: Vec::new(),
    };
    let (considered, ours) = (report.pairs_considered, robot.pair_count());
    let touch = run.hits.len();
    println!(
        "{}: {} states of {considered} pairs of bodies, {touch} touch or overlap",
        robot.name, report.states
    );
    if considered != ours {
        run.failed.push(format!(
            "gjk check looks at {considered} pairs, we at {ours}"
        ));
    }
    run.checks()?;
    let default = ["gjk-f64".to_owned(), "coal".to_owned()];
    let named = if settings.engines.is_empty() {
        &default[..]
    } else {
        &settings.engines
    };
    let engines = engine::listed(&settings.programs, named)?;
    let some = asked.states.div_ceil(ALL_PAIRS_PART);
    for file in [
        robot.asked("boxes meet", asked.states, true)?,
        robot.asked("all pairs", some, false)?,
    ] {
        println!(
            "{}: {} pairs of parts in {} states",
            file.name,
            file.keys.len(),
            file.states
        );
        run.file(&engines, &file)?;
    }
    print!("{}", table(&run.points));
    run.failed.iter().for_each(|why| println!("FAILED: {why}"));
    let (machine, lscpu) = record::machine();
    let facts = record::facts(&engines, &machine);
    let text = format!(
        "{facts}# robot: {}, seed {}\n{}",
        robot.name,
        asked.seed,
        csv(&run.points)
    );
    let full = !settings.quick && settings.engines.is_empty();
    keep_texts(settings, full, &machine, &[(".robot.csv", &text)], &lscpu)?;
    Ok(run.failed.is_empty())
}

/// Which pairs touch or overlap.
fn hits(report: &Report) -> Result<HashSet<Key>, String> {
    if let Some(pair) = report
        .pairs
        .iter()
        .find(|pair| pair.verdict != "overlapping" && pair.verdict != "touching")
    {
        return Err(format!(
            "gjk check calls {} and {} in state {} {}",
            pair.a, pair.b, pair.state, pair.verdict
        ));
    }
    Ok(report
        .pairs
        .iter()
        .map(|pair| (pair.state, pair.a.clone(), pair.b.clone()))
        .collect())
}

/// Seconds on the wall and of the processor, and standard output, of `gjk check`.
fn check(
    asked: &RobotSettings,
    states: usize,
    threads: usize,
    more: &[&str],
) -> Result<([f64; 2], Vec<u8>), String> {
    let mut command = Command::new(&asked.gjk);
    command
        .env("RAYON_NUM_THREADS", threads.to_string())
        .arg("check")
        .arg(&asked.urdf);
    asked
        .srdf
        .iter()
        .for_each(|path| _ = command.arg("--srdf").arg(path));
    asked
        .packages
        .iter()
        .for_each(|package| _ = command.args(["--package", package]));
    command
        .args([
            "--random",
            &states.to_string(),
            "--seed",
            &asked.seed.to_string(),
        ])
        .args(more);
    let (start, before) = (Instant::now(), children_seconds());
    let output = command
        .output()
        .map_err(|why| format!("{}: {why}", asked.gjk.display()))?;
    let seconds = [start.elapsed().as_secs_f64(), children_seconds() - before];
    // 1: something overlaps, as it will.
    match output.status.code() {
        Some(0 | 1) => Ok((seconds, output.stdout)),
        _ => Err(format!(
            "gjk check: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Processor time of all processes that ended before, where the system tells it.
fn children_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name, in parentheses, may hold anything. After it: state is field 3, the children's times 16 and 17.
    let after = text.rsplit_once(") ").map_or("", |(_, after)| after);
    let field = |n: usize| {
        after
            .split(' ')
            .nth(n - 3)
            .and_then(|word| word.parse::<f64>().ok())
    };
    // In hundredths on every Linux that there is.
    field(16)
        .zip(field(17))
        .map_or(f64::NAN, |(user, system)| (user + system) / 100.0)
}

impl Run<'_> {
    /// `gjk check` itself, least of the rounds.
    fn checks(&mut self) -> Result<(), String> {
        let asked = self.asked;
        for threads in THREADS {
            let (mut all, mut one) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
            for _ in 0..self.settings.rounds {
                let (found, _) = check(asked, asked.states, threads, &[])?;
                let (first, _) = check(asked, 1, threads, &[])?;
                (all, one) = (
                    [0, 1].map(|k| all[k].min(found[k])),
                    [0, 1].map(|k| one[k].min(first[k])),
                );
            }
            let case = format!("gjk check, {threads} threads");
            let rate = |k: usize| (asked.states - 1) as f64 / (all[k] - one[k]);
            self.push(&case, asked.states, "seconds, wall", all[0]);
            self.push(&case, asked.states, "seconds, processor", all[1]);
            self.push(&case, asked.states, "seconds of one state, wall", one[0]);
            self.push(&case, asked.states, "states a second, wall", rate(0));
            if threads == 1 {
                self.push(&case, asked.states, "states a second, processor", rate(1));
            }
        }
        Ok(())
    }

    fn push(&mut self, case: &str, size: usize, measure: &str, value: f64) {
        let (part, case, measure) = ("robot".into(), case.into(), measure.into());
        self.points.push(Point {
            part,
            case,
            size,
            measure,
            value,
        });
    }

    /// Every engine on one file, in turns.
    fn file(&mut self, engines: &[Engine], file: &Asked) -> Result<(), String> {
        let path = self.settings.cache.join("robot.workload");
        std::fs::write(&path, file.workload.to_text())
            .map_err(|why| format!("{}: {why}", path.display()))?;
        for op in ["bool", "bool-batch"] {
            for round in 0..self.settings.rounds {
                for k in 0..engines.len() {
                    let engine = &engines[(k + round) % engines.len()];
                    if engine.ops.iter().any(|known| known == op) {
                        self.one(engine, op, file, &path);
                    }
                }
            }
        }
        Ok(())
    }

    /// One process of an engine: its time, if it is the least so far, and its verdicts, if they are the worst.
    fn one(&mut self, engine: &Engine, op: &str, file: &Asked, path: &Path) {
        let case = format!("{} {op}, {}", engine.name, file.name);
        let (measured, answers) = match engine.run(op, path, PASSES, &self.settings.cache) {
            Ok(Ran::Answered(measured, answers)) => (measured, answers),
            Ok(Ran::Declined(why)) => return self.failed.push(format!("{case}: {why}")),
            Err(why) => return self.failed.push(why),
        };
        // Bodies meet when any of their parts do.
        let told = file.keys.iter().zip(&answers);
        let met: HashSet<&Key> = told
            .filter(|(_, a)| a.intersects == Some(true))
            .map(|x| x.0)
            .collect();
        let wanted: HashSet<&Key> = self
            .hits
            .iter()
            .filter(|(state, ..)| *state < file.states)
            .collect();
        let differ = met.symmetric_difference(&wanted).count();
        let open = answers.iter().filter(|a| a.intersects.is_none()).count();
        if engine.is_ours() && differ + open > 0 {
            self.failed.push(format!(
                "{case}: {differ} verdicts are not those of gjk check, {open} are none"
            ));
        }
        let rows = [
            ("pairs a state", measured.pairs as f64 / file.states as f64),
            ("ns a pair", measured.ns_min),
            (
                "states a second",
                1e9 * file.states as f64 / (measured.ns_min * measured.pairs as f64),
            ),
            ("verdicts not those of gjk check", differ as f64),
        ];
        for (measure, value) in rows {
            match (
                self.points
                    .iter_mut()
                    .find(|p| p.case == case && p.measure == measure),
                measure,
            ) {
                (None, _) => self.push(&case, file.states, measure, value),
                (Some(point), "ns a pair") => point.value = point.value.min(value),
                (Some(point), _) => point.value = point.value.max(value),
            }
        }
    }
}
