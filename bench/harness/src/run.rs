//! The measurement: workload by workload, engines interleaved and rotated, round after round.

use crate::definition::Definition;
use crate::engine::{Engine, Ran};
use crate::generate;
use crate::judge::{Accuracy, Asked, judge};
use crate::reference::{self, Core, Kept, Truth};
use bench_protocol::Workload;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One workload file, ready to be asked.
pub(crate) struct File {
    pub(crate) definition: Definition,
    pub(crate) path: PathBuf,
    workload: Workload,
    cores: Vec<Core>,
    truths: Vec<Truth>,
}

impl File {
    /// By how much of itself the truth of each pair is another where a program keeps it so.
    pub(crate) fn off_where_kept(&self, kept: Kept) -> Result<Vec<f64>, String> {
        let pairs = self.workload.pairs.iter().zip(&self.truths);
        pairs
            .map(|(pair, truth)| {
                let rounded = reference::truth_as(&self.cores, pair, kept)?;
                Ok(((rounded.value - truth.value) / truth.value).abs())
            })
            .collect()
    }

    /// From the cache folder, or made there.
    pub(crate) fn load(definition: &Definition, folder: &Path) -> Result<Self, String> {
        let (path, text) = generate::cached(definition, folder)?;
        let workload =
            Workload::parse(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        let truths = reference::cached(&workload, &text, &path.with_extension("reference"))?;
        let cores = reference::cores(&workload)?;
        Ok(Self {
            definition: definition.clone(),
            path,
            workload,
            cores,
            truths,
        })
    }

    /// The largest relative gap of the reference's bounds.
    pub(crate) fn gap(&self) -> f64 {
        self.truths.iter().map(|t| t.gap).fold(0.0, f64::max)
    }

    /// Whether bodies move: then gaps are of times.
    pub(crate) fn moves(&self) -> bool {
        !self.workload.moves.is_empty()
    }

    /// The least and the largest size of a signed distance.
    pub(crate) fn sizes(&self) -> [f64; 2] {
        let sizes = || self.truths.iter().map(|t| t.value.abs());
        [
            sizes().fold(f64::INFINITY, f64::min),
            sizes().fold(0.0, f64::max),
        ]
    }
}

/// What one engine did with one operation of one file, over all rounds.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) workload: String,
    pub(crate) op: String,
    pub(crate) engine: String,
    /// Of all processes, ns a pair.
    pub(crate) ns_min: f64,
    /// Median of the processes' medians.
    pub(crate) ns_median: f64,
    pub(crate) processes: usize,
    /// The worst of the rounds.
    pub(crate) accuracy: Accuracy,
}

/// Time for one process, and the least and most passes that it is given.
const PROCESS_NS: f64 = 2e8;
const PASSES: [f64; 2] = [5.0, 60.0];

type Key = (usize, String, String);

/// All rounds. Returns the series in the order of workloads and operations, and what went wrong.
pub(crate) fn run(
    files: &[File],
    engines: &[Engine],
    rounds: usize,
    quick: bool,
    scratch: &Path,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut found: BTreeMap<Key, (Vec<f64>, Vec<f64>, Accuracy)> = BTreeMap::new();
    for round in 0..rounds {
        for (at, file) in files.iter().enumerate() {
            eprint!(
                "\rround {}/{rounds}, file {:2}/{} {:28}",
                round + 1,
                at + 1,
                files.len(),
                file.workload.name
            );
            for op in file.definition.ops() {
                for k in 0..engines.len() {
                    let engine = &engines[(k + round + at) % engines.len()];
                    let key = (at, op.clone(), engine.name.clone());
                    let known = found.get(&key);
                    if !engine.ops.contains(&op) || (round > 0 && known.is_none()) {
                        continue;
                    }
                    let passes = match known {
                        _ if quick => 3,
                        Some((mins, ..)) => (PROCESS_NS / (mins[0] * file.truths.len() as f64))
                            .clamp(PASSES[0], PASSES[1])
                            as usize,
                        None => PASSES[0] as usize,
                    };
                    outcome.one(file, &op, engine, passes, scratch, found.entry(key));
                }
            }
        }
    }
    eprintln!("\r{:70}", "");
    outcome.series = found
        .into_iter()
        .map(|((at, op, engine), (mins, mut medians, accuracy))| {
            medians.sort_by(f64::total_cmp);
            let ns_min = mins.iter().copied().fold(f64::INFINITY, f64::min);
            let (workload, ns_median) =
                (files[at].workload.name.clone(), medians[medians.len() / 2]);
            Series {
                workload,
                op,
                engine,
                ns_min,
                ns_median,
                processes: mins.len(),
                accuracy,
            }
        })
        .collect();
    outcome
}

/// What a run gives.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) series: Vec<Series>,
    /// Engines that do not offer an operation on some shapes, why, and how many files that was.
    pub(crate) declined: BTreeMap<(String, String), usize>,
    /// Runs that broke: never silent, and the harness fails at the end.
    pub(crate) failed: Vec<String>,
}

type Slot<'a> = std::collections::btree_map::Entry<'a, Key, (Vec<f64>, Vec<f64>, Accuracy)>;

impl Outcome {
    fn one(
        &mut self,
        file: &File,
        op: &str,
        engine: &Engine,
        passes: usize,
        scratch: &Path,
        slot: Slot<'_>,
    ) {
        let ran = match engine.run(op, &file.path, passes, scratch) {
            Ok(Ran::Answered(measured, answers)) if measured.pairs == file.truths.len() => {
                (measured, answers)
            }
            Ok(Ran::Answered(measured, _)) => {
                let (asked, came) = (file.truths.len(), measured.pairs);
                self.failed.push(format!(
                    "{} {op} {}: {came} answers to {asked}",
                    engine.name, file.workload.name
                ));
                return;
            }
            Ok(Ran::Declined(why)) => {
                *self.declined.entry((engine.name.clone(), why)).or_default() += 1;
                return;
            }
            Err(why) => {
                self.failed.push(why);
                return;
            }
        };
        let asked = Asked {
            workload: &file.workload,
            cores: &file.cores,
            truths: &file.truths,
        };
        let accuracy = judge(op, asked, &ran.1);
        let (mins, medians, worst) =
            slot.or_insert_with(|| (Vec::new(), Vec::new(), accuracy.clone()));
        mins.push(ran.0.ns_min);
        medians.push(ran.0.ns_median);
        // Engines are deterministic as a rule; one that is not is judged by its worst round.
        if worst.right && !accuracy.right || accuracy.errors[2] > worst.errors[2] {
            *worst = accuracy;
        }
    }
}
