//! The family of robots: small chains whose links are proved apart over all joint values and along edges, and what refutes such a proof.
//!
//! Where it sits: `gjk fuzz --family ranges`. A case is a robot and no query line: what is found is written as a URDF file with what is wrong.
//! Reading order: [`arm`] (what is tried), [`oracle`] (where its links stand and how near they are, by code of its own), [`judge`] (what is
//! compared with what).
//! Idea: a proof speaks of all states, so one state refutes it: random ones, the corners of the ranges, and a descent from the nearest. A state
//! that shows that links meet is refuted by a plane between them. Certificates go to the checker, which shares nothing with the prover.

pub mod arm;
pub mod judge;
pub mod oracle;
#[cfg(test)]
mod tests;

use crate::Rng;
use arm::Arm;
use rayon::prelude::*;
use serde::Serialize;

/// The name of the family.
pub const RANGE_FAMILY: &str = "ranges";

/// What it is, in the words of `gjk fuzz --list`.
pub const RANGE_FAMILY_ABOUT: &str = "chains of one to five joints of boxes, balls, capsules, cylinders, hulls and solids: proofs over all joint values and along edges, certificates";

/// How many wrong cases of a run are kept.
const FINDS_KEPT: usize = 8;

/// Cases that one thread does in one go.
const CHUNK: u64 = 16;

/// What was counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RangeTally {
    /// Robots.
    pub cases: u64,
    /// Pairs of links.
    pub pairs: u64,
    /// Those that are adjacent.
    pub adjacent: u64,
    /// Those that are proved apart.
    pub never: u64,
    /// Those that are proved to overlap in all states.
    pub always: u64,
    /// Those that a state shows to overlap, or to be nearer than the margin.
    pub shown: u64,
    /// Those that touch.
    pub touch: u64,
    /// Those of which the cells ran out.
    pub open: u64,
    /// Those that are refused, because a joint has no range.
    pub refused: u64,
    /// Edges by verdict: free, touch, undecided, close, hit.
    pub edges: [u64; 5],
    /// States in which a pair was looked at.
    pub states: u64,
    /// Leaves of certificates that the checker took.
    pub leaves: u64,
    /// Robots with an answer that is not the truth.
    pub wrong: u64,
    /// Nanoseconds of proving, of checking certificates, of judging.
    pub nanoseconds: [u64; 3],
    /// The first wrong cases.
    #[serde(skip)]
    pub finds: Vec<RangeFind>,
}

/// A robot with a wrong answer.
#[derive(Clone, Debug)]
pub struct RangeFind {
    /// Its number.
    pub case: u64,
    /// Its URDF file.
    pub urdf: String,
    /// What is wrong, a line each.
    pub faults: Vec<String>,
}

impl RangeTally {
    fn merged(mut self, other: Self) -> Self {
        self.cases += other.cases;
        self.pairs += other.pairs;
        self.adjacent += other.adjacent;
        self.never += other.never;
        self.always += other.always;
        self.shown += other.shown;
        self.touch += other.touch;
        self.open += other.open;
        self.refused += other.refused;
        for (sum, count) in self.edges.iter_mut().zip(other.edges) {
            *sum += count;
        }
        self.states += other.states;
        self.leaves += other.leaves;
        self.wrong += other.wrong;
        for (sum, count) in self.nanoseconds.iter_mut().zip(other.nanoseconds) {
            *sum += count;
        }
        self.finds.extend(other.finds);
        self.finds.truncate(FINDS_KEPT);
        self
    }
}

/// Runs cases on the current thread pool; `progress` is told how many are done.
pub fn run(seed: u64, from: u64, cases: u64, progress: impl Fn(u64) + Sync) -> RangeTally {
    let chunk = |chunk: u64| {
        let first = from + chunk * CHUNK;
        let count = CHUNK.min(from + cases - first);
        let mut tally = RangeTally::default();
        for number in first..first + count {
            case(seed, number, &mut tally);
        }
        progress(count);
        tally
    };
    let chunks = (0..cases.div_ceil(CHUNK)).into_par_iter();
    let tallies: Vec<RangeTally> = chunks.map(chunk).collect();
    let merged = tallies.into_iter();
    merged.fold(RangeTally::default(), RangeTally::merged)
}

fn case(seed: u64, number: u64, tally: &mut RangeTally) {
    let mut rng = Rng::of_case(seed, RANGE_FAMILY, 3, number);
    let arm = Arm::random(&mut rng);
    let faults = judge::judge(&arm, &mut rng, tally);
    tally.cases += 1;
    if !faults.is_empty() {
        tally.wrong += 1;
        if tally.finds.len() < FINDS_KEPT {
            tally.finds.push(RangeFind {
                case: number,
                urdf: arm.urdf(),
                faults,
            });
        }
    }
}
