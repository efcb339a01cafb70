//! What a batch costs by instruction set and number of threads: the same answers, bit by bit, by every one of them.
//!
//! On one thread time is the processor's, as everywhere in the benchmark. Where threads share the work it is the wall's: the
//! least of many rounds, each so short that other programs leave some of them alone; on a busy machine they may not, so look at
//! the load average in the record. What is forced is the width of the lanes across
//! pairs; the scan inside a hull of more than eight vertices takes the machine's widest.

use crate::pairs::Moved;
use crate::same::bits;
use crate::{line, widths};
use bench_protocol::Workload;
use gjk::{Vec2, Vec3};
use gjk_batch::{Options, Statistics};
use gjk_engine::{Answers, Ask, Questions};
use std::time::Instant;

/// At most so many: columns and answers stay in the second or third cache, and what is compared is arithmetic, not memory.
const PAIRS_MAX: usize = 1 << 14;
const PAIRS_MIN: usize = 1 << 10;
/// A round on one thread takes about so long.
const ROUND_NS: f64 = 1e6;
/// Of each round: enough for threads to share.
const CHUNKS: usize = 16;
/// Rounds of one measurement take about so long.
const BUDGET_NS: f64 = 2e9;
const ROUNDS: [usize; 2] = [20, 2000];
const THREADS: [usize; 2] = [1, 2];

/// Measures one operation on a workload.
pub(crate) fn run(file: &Workload, ask: Ask, op: &str) -> Result<(), String> {
    if file.dim == 2 {
        measured::<Vec2<f64>>(file, ask, op)
    } else {
        measured::<Vec3<f64>>(file, ask, op)
    }
}

fn measured<V: Moved<Scalar = f64>>(file: &Workload, ask: Ask, op: &str) -> Result<(), String> {
    let questions = Questions::<V>::new(file)?;
    let (times, _) = questions.columns(PAIRS_MIN, V::motion).measured(ask, 3)?;
    let pairs = ((ROUND_NS / times.ns_min) as usize)
        .next_power_of_two()
        .clamp(PAIRS_MIN, PAIRS_MAX);
    let columns = questions.columns(pairs, V::motion);
    let case = format!("{} {op}", file.name);
    let mut first: Option<Vec<u64>> = None;
    for threads in THREADS {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|why| why.to_string())?;
        for lanes in widths() {
            let plain = Options {
                lanes,
                chunk: Some(pairs / CHUNKS),
                ..Options::default()
            };
            let options = match threads {
                1 => Options {
                    threads: Some(1),
                    ..plain
                },
                _ => Options {
                    pool: Some(&pool),
                    ..plain
                },
            };
            let mut answers = Answers::default();
            let mut pass = || {
                columns
                    .ask(ask, &options, &mut answers)
                    .map_err(|why| why.to_string())
            };
            let ns = if threads == 1 {
                processor(pairs, &mut pass)?
            } else {
                wall(pairs, &mut pass)?
            };
            let found = bits(&answers);
            if first.get_or_insert_with(|| found.clone()) != &found {
                return Err(format!(
                    "{case}: {} on {threads} threads answers otherwise",
                    lanes.instruction_set()
                ));
            }
            line("levels", &case, threads, lanes.instruction_set(), ns);
        }
    }
    Ok(())
}

type Pass<'a> = dyn FnMut() -> Result<Statistics, String> + 'a;

/// The least processor time of a pass on this thread, a pair.
fn processor(pairs: usize, pass: &mut Pass<'_>) -> Result<f64, String> {
    let mut broken = None;
    let mut time = |rounds| {
        bench_protocol::measure::<()>(rounds, pairs, |_| broken = pass().err())
            .0
            .ns_min
    };
    let first = time(ROUNDS[0]);
    let rounds = (BUDGET_NS / (first * pairs as f64)) as usize;
    let least = first.min(time(rounds.clamp(ROUNDS[0], ROUNDS[1])));
    broken.map_or(Ok(least), Err)
}

/// The least time of a pass by the wall's clock, a pair.
fn wall(pairs: usize, pass: &mut Pass<'_>) -> Result<f64, String> {
    let (mut best, mut spent, mut rounds) = (f64::INFINITY, 0.0, 0);
    while rounds < ROUNDS[0] || (spent < BUDGET_NS && rounds < ROUNDS[1]) {
        let start = Instant::now();
        pass()?;
        let ns = start.elapsed().as_nanos() as f64;
        (best, spent, rounds) = (best.min(ns), spent + ns, rounds + 1);
    }
    Ok(best / pairs as f64)
}
