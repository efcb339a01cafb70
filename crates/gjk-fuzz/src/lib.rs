//! The fuzzer: adversarial pairs, every query asked about them, every answer judged by oracles that are not GJK.
//!
//! Where it sits: the library behind `gjk fuzz` and `gjk reduce`; nothing but the command uses it. No oracle calls a GJK or an
//! EPA of ours, so that no error of theirs can hide in both.
//! Reading order: [`families`] (what is tried), [`mod@judge`] (what is compared with what), [`oracle`] (what is true),
//! [`run`] (cases over threads), [`report`] (what is counted), [`reduce`] (a failing line made small).
//! Idea: case `k` of a family depends on the seed, the family and `k` only, so that any number of threads does the same
//! work and any case can be had again by `--from k --cases 1`.

pub mod case;
mod examine;
mod failing;
pub mod families;
mod gradients;
pub mod judge;
pub mod known;
pub mod manifolds;
pub mod motions;
pub mod oracle;
pub mod ranges;
pub mod reduce;
pub mod report;
mod rng;
pub mod solids;
#[cfg(test)]
mod tests;
mod witnesses;

use case::Case;
use families::Family;
use gjk::{Vec2, Vec3};
use judge::{Asked, Judge, Outcome};
use rayon::prelude::*;
use report::{Find, Tally};
pub use rng::Rng;

/// One of the four spaces that queries run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// 2 or 3.
    pub dim: usize,
    /// Numbers are `f32`.
    pub single: bool,
}

impl Space {
    /// The name of the scalar.
    pub fn scalar(self) -> &'static str {
        if self.single { "f32" } else { "f64" }
    }
}

/// What to run of one family in one space.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The family.
    pub family: &'static Family,
    /// The space.
    pub space: Space,
    /// The stream.
    pub seed: u64,
    /// The first case.
    pub from: u64,
    /// How many.
    pub cases: u64,
    /// Every n-th case is judged by the linear program; 0: none.
    pub program_every: u64,
    /// Only every n-th case is judged by facets and asked in other ways; every case is asked once and its proof checked.
    pub sample: u64,
}

/// Cases that one thread does in one go.
const CHUNK: u64 = 1024;

/// Generates case `number` into `case`.
pub fn generate(task: &Task, number: u64, case: &mut Case) {
    let space = u64::from(task.space.single) + 2 * task.space.dim as u64;
    let mut rng = Rng::of_case(task.seed, task.family.name, space, number);
    case.clear(task.space.dim, task.space.single);
    families::generate(task.family, &mut rng, case);
}

/// Asks and judges one case.
pub fn judge(task: &Task, number: u64, case: &Case, judge: &mut Judge) -> Outcome {
    let others = number.is_multiple_of(task.sample);
    let facets = others && number.is_multiple_of(task.family.facets_every);
    let program = task.program_every > 0 && number.is_multiple_of(task.program_every);
    judge_as(
        task.space,
        case,
        Asked {
            facets,
            program,
            others,
        },
        judge,
    )
}

/// Asks and judges a case of any origin.
pub fn judge_as(space: Space, case: &Case, who: Asked, judge: &mut Judge) -> Outcome {
    match (space.dim, space.single) {
        (2, true) => judge.case::<Vec2<f32>>(case, who),
        (2, false) => judge.case::<Vec2<f64>>(case, who),
        (_, true) => judge.case::<Vec3<f32>>(case, who),
        (_, false) => judge.case::<Vec3<f64>>(case, who),
    }
}

/// Runs a task on the current thread pool; `progress` is told how many cases are done.
pub fn run(task: &Task, progress: impl Fn(u64) + Sync) -> Tally {
    let chunks = task.cases.div_ceil(CHUNK);
    let tallies: Vec<Tally> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = task.from + chunk * CHUNK;
            let count = CHUNK.min(task.from + task.cases - first);
            let tally = run_chunk(task, first, count);
            progress(count);
            tally
        })
        .collect();
    tallies.into_iter().fold(Tally::default(), Tally::merged)
}

fn run_chunk(task: &Task, first: u64, count: u64) -> Tally {
    let (mut case, mut tally, mut judge_state) =
        (Case::default(), Tally::default(), Judge::default());
    for number in first..first + count {
        generate(task, number, &mut case);
        let outcome = judge(task, number, &case, &mut judge_state);
        tally.add(number, &outcome);
        if !outcome.faults.is_empty() && tally.finds.len() < report::FINDS_KEPT {
            tally.finds.push(Find::new(
                task,
                number,
                &case,
                &outcome,
                judge_state.known(),
            ));
        }
    }
    tally
}
