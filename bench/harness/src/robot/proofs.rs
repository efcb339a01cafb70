//! What proofs of a robot cost: `cargo xtask robot URDF --proofs`.
//!
//! Where it sits: beside `robot.rs`; it asks the library in this process, on one thread, and no peer: none of them proves any of it.
//! Idea: random edges between free states, proved free over their whole length, beside our own sampler of the same edges at 1° and at MoveIt's
//! default step (0.005 of the sum of all ranges); the verdicts of random states; and the matrix. An edge that is proved free and of which a
//! sample overlaps, and one that is not decided, end the run with an error.
//! What is timed: blocks of edges, so that what a call makes anew is spread as a planner would spread it. The sampler is the faster of two: a state
//! at a time until one hits, or all states of the block at once.

use super::RobotSettings;
use super::proof_costs::{clearances, joints};
use super::sampler::{Edge, Sampler, Step, drawn, extent_of};
use super::subject::{Found, Subject, fastest, reached};
use crate::Settings;
use crate::goals::{self, RobotGoal};
use crate::points::table;
use gjk::query::Verdict;
use gjk_check::Check;
use gjk_check::pairs::Pairs;
use gjk_check::states::{Splitmix64, States};
use gjk_motion::{
    Basis, LinkMatrix, LinkPath, MatrixOptions, PathOptions, PathSegment, PathVerdict,
};

/// Edges of each length, and how many are in a block.
const EDGES: usize = 1000;
const EDGES_QUICK: usize = 100;
pub(super) const BLOCK: usize = 20;
/// The largest move of a joint along an edge, in radians or metres.
pub(super) const MOVES: [f64; 3] = [0.2, 1.0, 3.0];
/// MoveIt's `longest_valid_segment_fraction`.
const MOVEIT_FRACTION: f64 = 0.005;

/// Measures, prints and records; false when a proof is refuted or an edge is not decided.
pub(crate) fn run(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|why| why.to_string())?;
    pool.install(|| measured(settings, asked))
}

fn measured(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    let subject = Subject::load(asked)?;
    let name = subject.scene.name.clone();
    let mut found = Found::default();
    edges(settings, asked, &subject, &mut found)?;
    states(settings, asked, &subject, &mut found)?;
    matrix(settings, &subject, &mut found)?;
    joints(&subject, &mut found)?;
    clearances(settings, asked, &subject, &mut found)?;
    print!("{}", table(&found.points));
    found.print_failed();
    let goals = goals::read(&settings.bench.join("goals.toml"))?.robot;
    let is_own = |goal: &&RobotGoal| goal.robot.as_ref().is_none_or(|of| name.starts_with(of));
    let own = goals.iter().filter(is_own);
    let told = own.map(|goal| reached(&name, goal, &found.points));
    let told = goals::listed("robots", told);
    print!("{told}");
    subject.keep(settings, asked, "proofs", &found)?;
    Ok(found.failed.is_empty())
}

/// Edges proved, beside the sampler.
fn edges(
    settings: &Settings,
    asked: &RobotSettings,
    subject: &Subject,
    found: &mut Found,
) -> Result<(), String> {
    let robot = subject.robot()?;
    let options = PathOptions {
        depth_samples: 0,
        ..PathOptions::default()
    };
    let srdf = subject.srdf.as_ref();
    let path = LinkPath::new(&subject.scene, robot, &subject.bodies, srdf, options);
    let pairs = Pairs::new(&subject.scene, &subject.bodies, srdf, false);
    let sampler = Sampler {
        robot,
        scene: &subject.scene,
        check: Check::new(&subject.bodies, &pairs),
        path: &path,
    };
    let mut random = Splitmix64(asked.seed);
    for largest in MOVES {
        let count = if settings.quick { EDGES_QUICK } else { EDGES };
        let edges = drawn(&sampler, &mut random, largest, count)?;
        let steps = [
            Step::Largest(1.0_f64.to_radians()),
            Step::Sum(MOVEIT_FRACTION * extent_of(robot)),
        ];
        let mut compared = Compared::default();
        for block in edges.chunks(BLOCK) {
            compared.add(settings.rounds, &sampler, block, steps)?;
        }
        compared.told(largest, count, found);
    }
    Ok(())
}

/// What blocks of edges gave.
#[derive(Default)]
struct Compared {
    /// Seconds of the proofs.
    proof: f64,
    /// The time of a block's proof by that of the sampler, at each step.
    ratios: [Vec<f64>; 2],
    hits: usize,
    /// Hits that the sampler does not see at each step.
    missed: [usize; 2],
    undecided: usize,
    /// Edges that are proved free, and a sample overlaps; blocks of which the two samplers disagree.
    wrong: usize,
}

impl Compared {
    fn add(
        &mut self,
        rounds: usize,
        sampler: &Sampler<'_>,
        block: &[Edge],
        steps: [Step; 2],
    ) -> Result<(), String> {
        let segments: Vec<PathSegment> = block.iter().map(|edge| edge.segment.clone()).collect();
        let (seconds, answer) = fastest(rounds, || sampler.path.check(&segments));
        let answer = answer.map_err(|why| why.to_string())?;
        self.proof += seconds;
        let verdicts: Vec<PathVerdict> = answer.segments.iter().map(|one| one.verdict).collect();
        let count = |of: PathVerdict| verdicts.iter().filter(|&&verdict| verdict == of).count();
        self.hits += count(PathVerdict::Hit);
        self.undecided += count(PathVerdict::Undecided);
        for (k, &step) in steps.iter().enumerate() {
            let (one, sampled) = fastest(rounds, || sampler.one_by_one(block, step));
            let (all, at_once) = fastest(rounds, || sampler.at_once(block, step));
            self.ratios[k].push(seconds / one.min(all));
            let (sampled, at_once) = (sampled?, at_once?);
            self.wrong += usize::from(sampled != at_once);
            for (&verdict, seen) in verdicts.iter().zip(sampled) {
                let hit = verdict == PathVerdict::Hit;
                self.missed[k] += usize::from(hit && !seen);
                self.wrong += usize::from(seen && !hit);
            }
        }
        Ok(())
    }

    fn told(self, largest: f64, count: usize, found: &mut Found) {
        let case = format!("edges of {largest}");
        if self.undecided > 0 {
            found
                .failed
                .push(format!("{case}: {} are not decided", self.undecided));
        }
        if self.wrong > 0 {
            found.failed.push(format!(
                "{case}: {} answers of samples and proofs contradict",
                self.wrong
            ));
        }
        found.push(
            &case,
            count,
            "ms of a proof",
            1e3 * self.proof / count as f64,
        );
        found.push(&case, count, "hits", self.hits as f64);
        let names = ["1 degree", "MoveIt's step"].iter();
        for (name, (mut ratios, missed)) in names.zip(self.ratios.into_iter().zip(self.missed)) {
            ratios.sort_by(f64::total_cmp);
            let part = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
            let by = format!("proof by the sampler at {name}");
            found.push(&case, count, &format!("{by} median"), part(0.5));
            found.push(&case, count, &format!("{by} p95"), part(0.95));
            found.push(
                &case,
                count,
                &format!("hits that {name} misses"),
                missed as f64,
            );
        }
    }
}

/// Verdicts of random states.
fn states(
    settings: &Settings,
    asked: &RobotSettings,
    subject: &Subject,
    found: &mut Found,
) -> Result<(), String> {
    let robot = subject.robot()?;
    let pairs = Pairs::new(
        &subject.scene,
        &subject.bodies,
        subject.srdf.as_ref(),
        false,
    );
    let states = States::random(&subject.scene, robot, asked.states, asked.seed);
    let check = Check::new(&subject.bodies, &pairs);
    let (seconds, answers) = fastest(settings.rounds, || check.each_verdict(&states));
    let hits = answers.iter().flatten().flatten();
    let hits = hits
        .filter(|found| found.verdict == Verdict::Overlapping)
        .count();
    found.push(
        "verdicts",
        asked.states,
        "states a second",
        asked.states as f64 / seconds,
    );
    found.push("verdicts", asked.states, "states that overlap", hits as f64);
    Ok(())
}

/// All pairs of links decided; and with their least distances and random states.
fn matrix(settings: &Settings, subject: &Subject, found: &mut Found) -> Result<(), String> {
    let robot = subject.robot()?;
    let whole = MatrixOptions::default();
    let mut decided = whole.clone();
    (decided.samples, decided.range.measure_cells) = (0, 0);
    for (case, options) in [("matrix decided", decided), ("matrix measured", whole)] {
        let run = || {
            let maker = LinkMatrix::new(&subject.scene, robot, &subject.bodies, &options)?;
            maker.run()
        };
        let (seconds, matrix) = fastest(settings.rounds, run);
        let matrix = matrix.map_err(|why| why.to_string())?;
        let open = matrix
            .pairs
            .iter()
            .filter(|pair| matches!(pair.basis, Basis::Samples { .. }));
        let count = matrix.pairs.len();
        found.push(case, count, "seconds", seconds);
        found.push(case, count, "open pairs", open.count() as f64);
    }
    Ok(())
}
