//! `cargo xtask surfaces`: queries of triangle meshes as they are, here and in peers, on the same files.
//!
//! Where it sits: beside the benchmark proper, with its protocol, goals and records. Reading order: `sets.rs` (which pairs of meshes;
//! `noise.rs` makes some), [`run`] (who is asked what), `judge.rs` and `brute.rs` (what is right), `goals.rs`, `report.rs` (tables, CSV, plot).
//! Idea: as in the benchmark, engines take turns on each file, round after round; answers are judged before times count. There is no
//! reference for meshes of this size, so ours is it: its booleans are exact and its intervals proved, and both are checked.

pub(crate) mod brute;
mod goals;
mod judge;
mod noise;
mod report;
mod sets;

use crate::curves::svg;
use crate::engine::{self, Engine, Ran};
use crate::goals::read as read_goals;
use crate::{Settings, chosen, keep_texts, record};
use bench_protocol::Answer;
use judge::{Truth, wrong_sides};
use sets::{Kind, Set, part, sets};
use std::collections::BTreeMap;
use std::path::Path;

/// What pairs are asked, and what only we answer.
const PAIR_OPS: [&str; 7] = [
    "meet",
    "surface-dist",
    "surface-dist-warm",
    "within",
    "relation",
    "build",
    "build-tree",
];
const CURVE_OPS: [&str; 5] = ["meet", "surface-dist", "within", "build", "build-tree"];
/// Engines that are asked about the largest meshes.
const LARGE_ENGINES: [&str; 3] = ["gjk-mesh", "pqp", "coal-mesh"];
/// The engine whose answers are held against the others'.
const OURS: &str = "gjk-mesh";
/// Time for one process, the least and most passes that it is given, and how long a pass may be of an engine that is asked again.
const PROCESS_NS: f64 = 2e8;
const PASSES: [f64; 2] = [1.0, 40.0];
const SLOW_NS: f64 = 2e9;
/// For the process that tells bytes: what is freed goes back to the system, and is not counted.
const GIVING_BACK: [(&str, &str); 3] = [
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
    ("MALLOC_TOP_PAD_", "0"),
];

/// What one engine did with one operation of one set.
pub(crate) struct Row {
    set: String,
    /// Whether the goals are about this set, or the curves.
    kind: Kind,
    op: String,
    engine: String,
    /// Of a mesh on average, and pairs of the set.
    triangles: usize,
    pairs: usize,
    /// A pair, of `build` a triangle: the least of all passes, and the median of each round's process.
    ns_min: f64,
    medians: Vec<f64>,
    /// Of a triangle.
    bytes: Option<f64>,
    /// Answers that are not right.
    wrong: usize,
}

impl Row {
    /// The median of the processes' medians.
    fn ns_median(&self) -> f64 {
        middle(self.medians.clone())
    }

    /// How many times longer than another row this one takes. The machine's speed wanders from minute to minute, so the two of each round are
    /// compared, which ran one after the other; the median of these ratios counts.
    fn times(&self, other: &Self) -> f64 {
        let rounds = self.medians.iter().zip(&other.medians);
        middle(rounds.map(|(own, other)| own / other).collect())
    }
}

/// The median; of an even count the upper one.
fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Everything measured of a set, by operation and engine.
#[derive(Default)]
struct Measured {
    mins: Vec<f64>,
    medians: Vec<f64>,
    bytes: Option<f64>,
    answers: Vec<Answer>,
}

type Asked = BTreeMap<(usize, String), Measured>;

/// A run: who is asked, and what came of it.
struct Run<'a> {
    settings: &'a Settings,
    engines: Vec<Engine>,
    rows: Vec<Row>,
    /// What peers do not offer, and what broke or is wrong of ours.
    notes: Vec<String>,
    failed: Vec<String>,
}

/// Measures, prints and records; false when something of ours is wrong or something broke.
pub(crate) fn run(settings: &Settings, data: &Path) -> Result<bool, String> {
    let cache = settings.cache.join("surfaces");
    std::fs::create_dir_all(&cache).map_err(|why| format!("{}: {why}", cache.display()))?;
    let (all, left_out) = sets(data, &cache, &settings.sets, settings.quick)?;
    let mut engines = engine::listed(&settings.programs, &[])?;
    let is_asked = |name: &str| name == OURS || chosen(name, &settings.engines);
    engines.retain(|e| e.ops.iter().any(|op| op == "meet") && is_asked(&e.name));
    if all.is_empty() || !engines.iter().any(|e| e.name == OURS) {
        return Err("nothing to do: no set, or no engine of ours".into());
    }
    engines.sort_by_key(|engine| (engine.name != OURS, engine.name.clone()));
    for engine in &engines {
        println!("{:16} {}", engine.name, engine.about);
    }
    let mut run = Run {
        settings,
        engines,
        rows: Vec::new(),
        notes: left_out,
        failed: Vec::new(),
    };
    for set in &all {
        run.set(set)?;
    }
    run.end()
}

impl Run<'_> {
    /// Asks about one set, judges, and keeps the rows; of the building also by relation.
    fn set(&mut self, set: &Set) -> Result<(), String> {
        let ops: &[&str] = match set.kind {
            Kind::Pairs => &PAIR_OPS,
            Kind::Curve | Kind::Large => &CURVE_OPS,
            Kind::Points => &["inside"],
            Kind::Relation => &["relation"],
        };
        println!(
            "{}: {} pairs of {} meshes of {} triangles on average, within {}",
            set.name,
            set.workload.pairs.len(),
            set.workload.shapes.len(),
            set.triangles(),
            set.workload.within
        );
        let asked = self.measured(set, ops);
        self.judged(set, &asked);
        if set.name == "duplex"
            && let Some(found) = self.of(&asked, "relation")
        {
            let relations: Vec<Option<f64>> = found.iter().map(|answer| answer.value).collect();
            for (name, relation) in [("duplex_touching", 1.0), ("duplex_overlapping", 2.0)] {
                let cache = self.settings.cache.join("surfaces");
                let part = part(set, name, &cache, |k| relations[k] == Some(relation))?;
                if !part.workload.pairs.is_empty() {
                    self.set(&part)?;
                }
            }
        }
        Ok(())
    }

    /// Our answers to an operation.
    fn of<'m>(&self, asked: &'m Asked, op: &str) -> Option<&'m [Answer]> {
        let ours = self.engines.iter().position(|e| e.name == OURS)?;
        asked
            .get(&(ours, op.to_owned()))
            .map(|measured| &measured.answers[..])
    }

    fn measured(&mut self, set: &Set, ops: &[&str]) -> Asked {
        let mut asked = Asked::new();
        let rounds = if set.kind == Kind::Large {
            1
        } else {
            self.settings.rounds
        };
        for round in 0..rounds {
            for op in ops {
                for k in 0..self.engines.len() {
                    let at = (k + round) % self.engines.len();
                    let large = LARGE_ENGINES.contains(&self.engines[at].name.as_str());
                    if set.kind != Kind::Large || large {
                        self.one(set, op, at, round, &mut asked);
                    }
                }
            }
        }
        asked
    }

    /// One process of an engine.
    fn one(&mut self, set: &Set, op: &str, at: usize, round: usize, asked: &mut Asked) {
        let engine = &self.engines[at];
        if !engine.ops.iter().any(|known| known == op) {
            return;
        }
        let key = (at, op.to_owned());
        let units = match op {
            "build" | "build-tree" => set.workload.triangles(),
            _ => set.workload.pairs.len(),
        };
        let pass = asked.get(&key).map(|m| m.mins[0] * units as f64);
        let passes = match pass {
            // It did not answer the first time, or is too slow to be asked again.
            None if round > 0 => return,
            Some(pass) if pass > SLOW_NS => return,
            Some(pass) => (PROCESS_NS / pass).clamp(PASSES[0], PASSES[1]),
            None => 2.0 * PASSES[0],
        };
        let scratch = &self.settings.cache;
        match engine.run(op, &set.path, passes as usize, scratch) {
            Ok(Ran::Answered(measured, answers)) => {
                let entry = asked.entry(key).or_default();
                entry.mins.push(measured.ns_min);
                entry.medians.push(measured.ns_median);
                entry.answers = answers;
                if op.starts_with("build") && entry.bytes.is_none() {
                    match engine.run_in(op, &set.path, 1, scratch, &GIVING_BACK) {
                        Ok(Ran::Answered(measured, _)) => entry.bytes = measured.bytes,
                        Ok(Ran::Declined(why)) | Err(why) => self.failed.push(why),
                    }
                }
            }
            Ok(Ran::Declined(why)) => {
                let note = format!("{} {op} {}: {why}", engine.name, set.name);
                self.notes.push(note);
            }
            Err(why) => self.failed.push(why),
        }
    }

    /// Holds the answers against ours, and ours against all pairs of triangles.
    fn judged(&mut self, set: &Set, asked: &Asked) {
        let truth = Truth::new(set, self.of(asked, "surface-dist"), self.of(asked, "meet"));
        let (differ, searched) = truth.check_ours(set);
        let meeting = |all: &[Answer]| all.iter().filter(|a| a.intersects == Some(true)).count();
        if let Some(all) = self.of(asked, "meet") {
            println!("  {} pairs meet", meeting(all));
        }
        println!("  {searched} pairs searched by all their triangles");
        self.failed.extend(differ);
        for ((at, op), measured) in asked {
            let engine = &self.engines[*at];
            let wrong = match op.as_str() {
                "inside" => wrong_sides(set, &measured.answers),
                _ => truth.wrong(op, &measured.answers),
            };
            if !wrong.is_empty() {
                let first = &wrong[..wrong.len().min(5)];
                let mut what = format!(
                    "{} {op} {}: {} answers are not ours, the first of pairs {first:?}",
                    engine.name,
                    set.name,
                    wrong.len()
                );
                if engine.is_ours() {
                    self.failed.push(what);
                } else {
                    let (differ, with_us) = truth.settle(set, &wrong);
                    what += &format!("; all pairs of triangles say as we do of {with_us}");
                    self.failed.extend(differ);
                    self.notes.push(what);
                }
            }
            self.rows.push(Row {
                set: set.name.clone(),
                kind: set.kind,
                op: op.clone(),
                engine: engine.name.clone(),
                triangles: set.triangles(),
                pairs: set.workload.pairs.len(),
                ns_min: measured.mins.iter().copied().fold(f64::INFINITY, f64::min),
                medians: measured.medians.clone(),
                bytes: measured.bytes,
                wrong: wrong.len(),
            });
        }
    }

    fn end(self) -> Result<bool, String> {
        let settings = self.settings;
        let goals = read_goals(&settings.bench.join("goals.toml"))?.surfaces;
        let goals = goals::told(&goals, &self.rows);
        print!("{}\n{goals}", report::tables(&self.rows));
        self.notes.iter().for_each(|note| println!("note: {note}"));
        self.failed.iter().for_each(|why| println!("FAILED: {why}"));
        let (machine, lscpu) = record::machine();
        let mut text = record::facts(&self.engines, &machine);
        self.notes
            .iter()
            .for_each(|note| text.push_str(&format!("# note: {note}\n")));
        text.push_str(&report::csv(&self.rows));
        let title = format!("{machine}, {}", record::today());
        let picture = svg(&report::panels(&self.rows), &title)?;
        let full = !settings.quick && settings.engines.is_empty() && settings.sets.is_empty();
        keep_texts(
            settings,
            full,
            &machine,
            &[
                (".surfaces.csv", &text),
                (".surfaces.goals.txt", &goals),
                (".surfaces.svg", &picture),
            ],
            &lscpu,
        )?;
        Ok(self.failed.is_empty())
    }
}
