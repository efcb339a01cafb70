//! Our own sampler of edges, which proofs of edges are held against, and random edges between free states.

use gjk::query::Verdict;
use gjk_check::Check;
use gjk_check::states::{Splitmix64, States};
use gjk_motion::{LinkPath, PathSegment};
use gjk_scene::{Robot, Scene};

/// A robot that is free in fewer than one of so many states has no edges to draw.
const TRIES: usize = 1000;

/// A straight edge between two free states.
pub(super) struct Edge {
    pub(super) segment: PathSegment,
    pub(super) ends: [Vec<f64>; 2],
}

/// Our own sampler of an edge.
pub(super) struct Sampler<'a> {
    pub(super) robot: &'a Robot,
    pub(super) scene: &'a Scene,
    pub(super) check: Check<'a>,
    pub(super) path: &'a LinkPath<'a>,
}

impl Sampler<'_> {
    /// Whether a pair overlaps in a state: the pairs of the proof alone.
    pub(super) fn hits(&self, state: &[f64]) -> Result<bool, String> {
        let poses = self.robot.forward_kinematics(state);
        for &pair in self.path.checked_pairs() {
            let near = self.check.between(pair, &poses);
            let near = near.map_err(|why| why.to_string())?;
            if near.is_some_and(|near| near.verdict == Verdict::Overlapping) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The states of an edge in steps of the largest move of a joint, or of the sum of all, as a part of that length.
    pub(super) fn states(&self, edge: &Edge, step: Step) -> Vec<Vec<f64>> {
        let moves = edge.ends[0].iter().zip(&edge.ends[1]);
        let moves = moves.map(|(a, b)| (a - b).abs());
        let count = match step {
            Step::Largest(step) => moves.fold(0.0, f64::max) / step,
            Step::Sum(step) => moves.sum::<f64>() / step,
        };
        let count = count.ceil().max(1.0);
        let parts = (0..=count as u32).map(|k| f64::from(k) / count);
        parts.map(|u| edge.segment.state(self.robot, u)).collect()
    }

    pub(super) fn one_by_one(&self, edges: &[Edge], step: Step) -> Result<Vec<bool>, String> {
        let hit = |edge: &Edge| {
            for state in self.states(edge, step) {
                if self.hits(&state)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        edges.iter().map(hit).collect()
    }

    pub(super) fn at_once(&self, edges: &[Edge], step: Step) -> Result<Vec<bool>, String> {
        let states: Vec<Vec<Vec<f64>>> = edges.iter().map(|edge| self.states(edge, step)).collect();
        let counts: Vec<usize> = states.iter().map(Vec::len).collect();
        let states = States::new(self.scene, states.into_iter().flatten().collect());
        let mut answers = self.path.verdicts(&states).into_iter();
        let hit = |count: usize| {
            let mut hits = false;
            for answer in answers.by_ref().take(count) {
                let answer = answer.map_err(|why| why.to_string())?;
                hits |= answer.is_some_and(|found| found.verdict == Verdict::Overlapping);
            }
            Ok(hits)
        };
        counts.into_iter().map(hit).collect()
    }
}

/// How far apart the states of a sampler are.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// The largest move of a joint.
    Largest(f64),
    /// The sum of all moves.
    Sum(f64),
}

/// Random edges between free states.
pub(super) fn drawn(
    sampler: &Sampler<'_>,
    random: &mut Splitmix64,
    largest: f64,
    count: usize,
) -> Result<Vec<Edge>, String> {
    let robot = sampler.robot;
    let mut edges = Vec::with_capacity(count);
    let mut tries = 0;
    while edges.len() < count {
        if tries > TRIES * count {
            return Err(format!(
                "{tries} random edges have {} between free states",
                edges.len()
            ));
        }
        tries += 1;
        let from = robot.sample(&mut || random.unit());
        let mut way: Vec<f64> = from.iter().map(|_| random.unit() * 2.0 - 1.0).collect();
        let longest = way
            .iter()
            .fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
        way.iter_mut().for_each(|x| *x *= largest / longest);
        let mut to: Vec<f64> = from.iter().zip(&way).map(|(a, b)| a + b).collect();
        for (value, joint) in to.iter_mut().zip(&robot.joints) {
            let within = joint.limits.map(|l| value.clamp(l.lower, l.upper));
            *value = within.unwrap_or(*value);
        }
        robot.follow_mimics(&mut to);
        if sampler.hits(&from)? || sampler.hits(&to)? {
            continue;
        }
        let segment = PathSegment::line(robot, &from, &to).map_err(|why| why.to_string())?;
        edges.push(Edge {
            segment,
            ends: [from, to],
        });
    }
    Ok(edges)
}

/// The sum of the ranges of all joints; a turn where one turns freely.
pub(super) fn extent_of(robot: &Robot) -> f64 {
    let ranges = robot.joints.iter().filter(|joint| joint.is_independent());
    let turn = std::f64::consts::TAU;
    let ranges = ranges.map(|joint| joint.limits.map_or(turn, |l| l.upper - l.lower));
    ranges.sum()
}
