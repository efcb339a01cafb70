//! Answers of random edges, held against states every hundredth of a degree, and what coarser samples miss.
//!
//! Where it sits: `soundness.rs` asks it; `sampler.rs` draws the edges and asks their states.

use super::sampler::{Edge, Sampler, Step, drawn, extent_of};
use super::subject::{Found, progress};
use gjk::query::Verdict;
use gjk_check::states::Splitmix64;
use gjk_motion::{PathSegment, PathVerdict, SegmentAnswer};
use std::time::Instant;

/// The largest move of a joint along an edge, in radians or metres.
const MOVES: [f64; 3] = [0.5, 1.0, 2.0];
/// So many edges are proved at once.
const BLOCK: usize = 20;
/// The names of the samplers' steps, the finest first.
const STEPS: [&str; 4] = ["0.01 degrees", "1 degree", "MoveIt's step", "5 degrees"];
/// MoveIt's `longest_valid_segment_fraction`.
const MOVEIT_FRACTION: f64 = 0.005;

/// What edges gave.
#[derive(Debug, Default)]
pub(super) struct EdgesJudged {
    /// By verdict, from free to hit.
    verdicts: [usize; 5],
    /// By step, the edges that hit of which no sample does.
    missed: [usize; 4],
    /// Edges that are said not to hit, and a sample overlaps.
    pub(super) contradictions: usize,
    /// Edges that are said to hit, and do not at the stated time.
    pub(super) unshown: usize,
    seconds: f64,
}

impl EdgesJudged {
    /// One edge: its verdict, and whether the samples of each step saw an overlap.
    pub(super) fn add(&mut self, verdict: PathVerdict, seen: [bool; 4]) {
        self.verdicts[verdict as usize] += 1;
        match verdict {
            PathVerdict::Hit => {
                let steps = self.missed.iter_mut().zip(seen);
                steps.for_each(|(missed, seen)| *missed += usize::from(!seen));
            }
            PathVerdict::Undecided => {}
            _ => self.contradictions += usize::from(seen.contains(&true)),
        }
    }

    fn told(&self, largest: f64, count: usize, found: &mut Found) {
        let case = format!("edges of {largest}");
        let [free, touch, undecided, close, hit] = self.verdicts;
        let mut push = |measure: &str, value: usize| {
            found.push_in("edges", &case, count, measure, value as f64);
        };
        push("free, proved", free);
        push("touch", touch);
        push("undecided", undecided);
        push("close", close);
        push("hit", hit);
        push("contradictions", self.contradictions);
        push("hits not shown by their state", self.unshown);
        for (step, missed) in STEPS.iter().zip(self.missed) {
            push(&format!("hits that {step} misses"), missed);
        }
        let each = 1e3 * self.seconds / count as f64;
        found.push_in("edges", &case, count, "ms an edge", each);
        if self.contradictions + self.unshown > 0 {
            found.failed.push(format!(
                "{case}: {} contradictions, {} hits not shown",
                self.contradictions, self.unshown
            ));
        }
    }
}

/// Random edges of each length.
pub(super) fn judge_edges(
    sampler: &Sampler<'_>,
    (count, seed): (usize, u64),
    found: &mut Found,
) -> Result<(), String> {
    let mut random = Splitmix64(seed);
    let steps = [
        Step::Largest(0.01_f64.to_radians()),
        Step::Largest(1.0_f64.to_radians()),
        Step::Sum(MOVEIT_FRACTION * extent_of(sampler.robot)),
        Step::Largest(5.0_f64.to_radians()),
    ];
    for largest in MOVES {
        let edges = drawn(sampler, &mut random, largest, count)?;
        let mut judged = EdgesJudged::default();
        let bar = progress(count as u64, "edges");
        for block in edges.chunks(BLOCK) {
            judge_block(sampler, block, steps, &mut judged, found)?;
            bar.inc(block.len() as u64);
        }
        bar.finish_and_clear();
        judged.told(largest, count, found);
    }
    Ok(())
}

fn judge_block(
    sampler: &Sampler<'_>,
    block: &[Edge],
    steps: [Step; 4],
    judged: &mut EdgesJudged,
    found: &mut Found,
) -> Result<(), String> {
    let segments: Vec<PathSegment> = block.iter().map(|edge| edge.segment.clone()).collect();
    let begin = Instant::now();
    let answer = sampler.path.check(&segments);
    judged.seconds += begin.elapsed().as_secs_f64();
    let answer = answer.map_err(|why| why.to_string())?;
    for (edge, told) in block.chunks(1).zip(&answer.segments) {
        let mut seen = [false; 4];
        for (seen, step) in seen.iter_mut().zip(steps) {
            *seen = sampler.at_once(edge, step)?.contains(&true);
        }
        let before = judged.contradictions;
        judged.add(told.verdict, seen);
        if judged.contradictions > before {
            let [from, to] = &edge[0].ends;
            found.failed.push(format!(
                "an edge is {}, and a sample overlaps: from {from:?} to {to:?}",
                told.verdict.as_str()
            ));
        }
        judged.unshown += usize::from(!is_shown(sampler, told)?);
    }
    Ok(())
}

/// Whether the state of a hit overlaps.
fn is_shown(sampler: &Sampler<'_>, told: &SegmentAnswer) -> Result<bool, String> {
    let Some(event) = told
        .first
        .as_ref()
        .filter(|_| told.verdict == PathVerdict::Hit)
    else {
        return Ok(told.verdict != PathVerdict::Hit);
    };
    let poses = sampler.robot.forward_kinematics(&event.state);
    let verdict = sampler.check.verdict_between(event.bodies, &poses);
    Ok(verdict.map_err(|why| why.to_string())? == Verdict::Overlapping)
}
