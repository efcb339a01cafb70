//! What queries cost by size, instruction set and number of threads: the program behind `cargo xtask sweep`.
//!
//! Where it sits: `bench/harness` runs it, a process a measurement, and keeps its lines; peers are not asked here. Each line
//! that counts is `part,case,size,measure,value`; everything else goes to standard error. Reading order: `support.rs` (the
//! support function by vertices), `pairs.rs` (batches by pairs: time and memory), `levels.rs` (instruction sets and
//! threads), `same.rs` (batches against single queries, bit by bit).
//! A measurement whose answers are wrong is an error and prints nothing.

mod levels;
#[path = "../../../../../../crates/gjk/tests/oracle/mod.rs"]
mod oracle;
mod pairs;
mod same;
#[path = "../../../../../../crates/gjk-batch/tests/batch/scenes.rs"]
#[allow(dead_code, clippy::unwrap_used)] // the tests' own
mod scenes;
mod support;

use bench_protocol::Workload;
use gjk_batch::Lanes;
use gjk_engine::Ask;
use std::process::ExitCode;

const USAGE: &str =
    "usage: sweep support <vertices> | pairs <workload> <op> <pairs> | levels <workload> <op> | same <pairs>
  op: bool-batch, dist-batch, pen-batch";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["support", vertices] => count(vertices).and_then(support::run),
        ["pairs", workload, op, pairs] => {
            asked(workload, op).and_then(|(file, ask)| pairs::run(&file, ask, op, count(pairs)?))
        }
        ["levels", workload, op] => {
            asked(workload, op).and_then(|(file, ask)| levels::run(&file, ask, op))
        }
        ["same", pairs] => count(pairs).and_then(same::run),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn count(word: &str) -> Result<usize, String> {
    word.parse()
        .ok()
        .filter(|&n| n > 0)
        .ok_or(format!("expected a positive count, found `{word}`"))
}

fn asked(workload: &str, op: &str) -> Result<(Workload, Ask), String> {
    let text = std::fs::read_to_string(workload).map_err(|why| format!("{workload}: {why}"))?;
    let file = Workload::parse(&text).map_err(|why| format!("{workload}: {why}"))?;
    Ok((file, Ask::of(op).ok_or(USAGE)?))
}

/// Each instruction set of this machine once, the widest first.
fn widths() -> Vec<Lanes> {
    let mut found: Vec<Lanes> = Vec::new();
    for lanes in [Lanes::Widest, Lanes::Avx2, Lanes::Baseline] {
        if found
            .iter()
            .all(|other| other.instruction_set() != lanes.instruction_set())
        {
            found.push(lanes);
        }
    }
    found
}

/// A line that counts.
fn line(part: &str, case: &str, size: usize, measure: &str, value: f64) {
    println!("{part},{case},{size},{measure},{value:.4}");
}

/// SplitMix64's mix of a counter: a number in [0, 1) that depends on nothing but it.
fn unit(counter: u64) -> f64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
