//! Pairs that are proved never to meet, held against random states and against descents from the nearest of them.
//!
//! Where it sits: `soundness.rs` asks it. Read [`NeverJudge::run`].
//! Idea: every state is asked for the boolean, a block at a time; of one in a thousand the distance of each pair is measured, the nearest states of
//! a pair are kept, and from there a search goes downhill over the joints between its links. What is found must not be nearer than what is proved.
//! Nothing of the proofs is asked: the judge is the code of `gjk check`, and joints go as far as the robot says, without the rule of one turn.

use super::subject::progress;
use gjk::query::{Interval, Verdict};
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::screen::{InnerCores, StateScreen};
use gjk_check::states::{Splitmix64, States};
use gjk_check::{Check, Criteria};
use gjk_motion::{Basis, DownhillSteps, PairReason};
use gjk_scene::{JointLimits, JointRange, Limits, Robot, Scene};
use std::sync::Arc;
use std::time::Instant;

/// States of a block.
const BLOCK: usize = 1 << 15;
/// Of so many states the distances of one are measured.
const MEASURED_PART: usize = 1000;
/// So many of the nearest states of a pair begin a descent.
const NEAREST: usize = 20;
/// How a descent goes.
const DESCENT: DownhillSteps = DownhillSteps {
    first: 0.125,
    shrink: 0.5,
    finest: 1e-7,
    rounds: 200,
    enough: 0.0,
};

/// A pair that is said to keep apart in all states.
#[derive(Clone, Debug)]
pub(super) struct NeverPair {
    pub(super) bodies: (usize, usize),
    /// What is proved of its least distance.
    pub(super) proved: Interval<f64>,
    /// The state that is as near as the upper end.
    pub(super) at: Vec<f64>,
    /// The joints between the two.
    pub(super) joints: Vec<usize>,
}

impl NeverPair {
    /// What the matrix says of a pair, where it says never.
    pub(super) fn of(pair: &PairReason) -> Option<Self> {
        let Basis::Apart { distance, state } = &pair.basis else {
            return None;
        };
        Some(Self {
            bodies: pair.bodies,
            proved: *distance,
            at: state.clone(),
            joints: pair.joints.clone(),
        })
    }
}

/// A state that refutes a proof.
#[derive(Clone, Debug)]
pub(super) struct Refutation {
    pub(super) bodies: (usize, usize),
    pub(super) state: Vec<f64>,
    /// The distance there, or that of the state that is said to be as near as the upper end.
    pub(super) measured: Interval<f64>,
    pub(super) proved: Interval<f64>,
}

/// What a campaign found.
#[derive(Debug, Default)]
pub(super) struct NeverFound {
    /// States that were asked for the boolean, and the seconds of that.
    pub(super) states: usize,
    pub(super) seconds: f64,
    /// States of which the code of `gjk check` could not tell.
    pub(super) undecided: usize,
    /// Distances that were measured, those of descents included.
    pub(super) distances: usize,
    /// By pair, the nearest distance after the descents.
    pub(super) nearest: Vec<Option<f64>>,
    pub(super) refuted: Vec<Refutation>,
}

/// The states of a pair that were nearest, the nearest first.
type NearStates = Vec<(f64, Vec<f64>)>;

/// What judges proofs.
pub(super) struct NeverJudge<'a> {
    scene: &'a Scene,
    robot: &'a Robot,
    bodies: &'a [Body],
    rules: Pairs,
    /// By joint, its range, where it has one.
    ranges: Vec<Option<Limits>>,
    pairs: &'a [NeverPair],
}

impl<'a> NeverJudge<'a> {
    /// A judge of these pairs within these limits.
    pub(super) fn new(
        scene: &'a Scene,
        robot: &'a Robot,
        bodies: &'a [Body],
        limits: &JointLimits,
        pairs: &'a [NeverPair],
    ) -> Self {
        let range = |joint: usize| match robot.joint_range(joint, limits) {
            Ok(JointRange::Between(range) | JointRange::Turn(range)) => Some(range),
            _ => None,
        };
        Self {
            scene,
            robot,
            bodies,
            rules: Pairs::new(scene, bodies, None, true),
            ranges: (0..robot.joints.len()).map(range).collect(),
            pairs,
        }
    }

    /// A state within the limits; a joint without a range is drawn as `gjk check --random` does.
    pub(super) fn draw(&self, draw: &mut Splitmix64) -> Vec<f64> {
        let mut state = self.robot.sample(&mut || draw.unit());
        for (value, range) in state.iter_mut().zip(&self.ranges) {
            if let Some(Limits { lower, upper }) = *range {
                *value = (lower + draw.unit() * (upper - lower)).clamp(lower, upper);
            }
        }
        self.robot.follow_mimics(&mut state);
        state
    }

    /// Random states, then the descents; all that refutes a proof.
    pub(super) fn run(&self, count: usize, seed: u64) -> Result<NeverFound, String> {
        let mut found = NeverFound::default();
        let mut near: Vec<NearStates> = vec![Vec::new(); self.pairs.len()];
        self.states(count, seed, &mut near, &mut found)?;
        let bar = progress(self.pairs.len() as u64, "descents of pairs");
        for (pair, near) in self.pairs.iter().zip(near) {
            let nearest = self.descents(pair, near, &mut found)?;
            found.nearest.push(nearest);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(found)
    }

    /// The booleans of all states, and the distances of some.
    fn states(
        &self,
        count: usize,
        seed: u64,
        near: &mut [NearStates],
        found: &mut NeverFound,
    ) -> Result<(), String> {
        let pairs: Vec<(usize, usize)> = self.pairs.iter().map(|pair| pair.bodies).collect();
        let cores = Arc::new(InnerCores::new(self.bodies));
        let screen = StateScreen::of_pairs(self.bodies, &self.rules, &pairs, &cores);
        let screen = screen.ok_or("a part has no valid pose")?;
        let check = Check::new(self.bodies, &self.rules);
        let mut random = Splitmix64(seed);
        let bar = progress(count as u64, "states");
        while found.states < count {
            let block = (count - found.states).min(BLOCK);
            let states = (0..block).map(|_| self.draw(&mut random)).collect();
            let states = States::new(self.scene, states);
            let begin = Instant::now();
            let answers = check.each_verdict_by(&screen, &states);
            found.seconds += begin.elapsed().as_secs_f64();
            for (k, (answer, state)) in answers.into_iter().zip(states.values()).enumerate() {
                let answer = answer.map_err(|why| why.to_string())?;
                let answer = answer.ok_or("a state has no answer")?;
                self.judge_verdict((answer.verdict, answer.bodies), state, found)?;
                if (found.states + k).is_multiple_of(MEASURED_PART) {
                    self.measure(state, near, found)?;
                }
            }
            found.states += block;
            bar.inc(block as u64);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// A state in which two links are not separated refutes what is proved of them.
    fn judge_verdict(
        &self,
        (verdict, bodies): (Verdict, Option<(usize, usize)>),
        state: &[f64],
        found: &mut NeverFound,
    ) -> Result<(), String> {
        let pair = self.pairs.iter().find(|pair| Some(pair.bodies) == bodies);
        match (verdict, pair) {
            (Verdict::Separated, _) => {}
            (Verdict::Undecided, _) => found.undecided += 1,
            (_, None) => return Err("two links meet that were not asked for".into()),
            (_, Some(pair)) => {
                let measured = self.near(pair.bodies, state, f64::INFINITY)?;
                found.refuted.push(Refutation {
                    bodies: pair.bodies,
                    state: state.to_vec(),
                    measured: measured.unwrap_or(ZERO),
                    proved: pair.proved,
                });
            }
        }
        Ok(())
    }

    /// The distances of all pairs in a state, as far as they are among the nearest of their pair.
    fn measure(
        &self,
        state: &[f64],
        near: &mut [NearStates],
        found: &mut NeverFound,
    ) -> Result<(), String> {
        for (pair, near) in self.pairs.iter().zip(near) {
            let farthest = near.get(NEAREST - 1).map(|(distance, _)| *distance);
            let reach = farthest.map_or(f64::INFINITY, |far| far.max(pair.proved.lower));
            found.distances += 1;
            let Some(measured) = self.near(pair.bodies, state, reach)? else {
                continue;
            };
            self.judge_distance(pair, measured, state, found);
            let at = near.partition_point(|(distance, _)| *distance <= measured.upper);
            near.insert(at, (measured.upper, state.to_vec()));
            near.truncate(NEAREST);
        }
        Ok(())
    }

    /// A distance that is surely less than what is proved refutes it.
    fn judge_distance(
        &self,
        pair: &NeverPair,
        measured: Interval<f64>,
        state: &[f64],
        found: &mut NeverFound,
    ) {
        if measured.upper < pair.proved.lower {
            found.refuted.push(Refutation {
                bodies: pair.bodies,
                state: state.to_vec(),
                measured,
                proved: pair.proved,
            });
        }
    }

    /// From the nearest states of a pair downhill; the nearest distance that was found.
    fn descents(
        &self,
        pair: &NeverPair,
        near: NearStates,
        found: &mut NeverFound,
    ) -> Result<Option<f64>, String> {
        let ranged = pair.joints.iter();
        let ranged: Vec<(usize, Limits)> = ranged
            .filter_map(|&joint| Some((joint, self.ranges[joint]?)))
            .collect();
        let ranges: Vec<Limits> = ranged.iter().map(|(_, range)| *range).collect();
        let mut best: Option<(f64, Vec<f64>)> = None;
        for (_, base) in near {
            let state_of = |values: &[f64]| {
                let mut state = base.clone();
                let set = ranged.iter().zip(values);
                set.for_each(|(&(joint, _), &value)| state[joint] = value);
                self.robot.follow_mimics(&mut state);
                state
            };
            let from = ranged.iter().map(|&(joint, _)| base[joint]).collect();
            let mut asked = 0;
            let (distance, at) = DESCENT.search(&ranges, from, |values| {
                asked += 1;
                let measured = self.near(pair.bodies, &state_of(values), f64::INFINITY);
                measured.ok().flatten().map_or(f64::INFINITY, |m| m.upper)
            });
            found.distances += asked;
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, state_of(&at)));
            }
        }
        let Some((_, state)) = best else {
            return Ok(None);
        };
        let measured = self.near(pair.bodies, &state, f64::INFINITY)?;
        let measured = measured.ok_or("a descent ends beyond all distances")?;
        self.judge_distance(pair, measured, &state, found);
        self.judge_upper(pair, found)?;
        Ok(Some(measured.upper))
    }

    /// The state that is said to be as near as the upper end must be.
    fn judge_upper(&self, pair: &NeverPair, found: &mut NeverFound) -> Result<(), String> {
        let measured = self.near(pair.bodies, &pair.at, f64::INFINITY)?;
        let measured = measured.ok_or("no distance of a pair")?;
        found.distances += 1;
        if measured.lower > pair.proved.upper + UPPER_SLACK {
            found.refuted.push(Refutation {
                bodies: pair.bodies,
                state: pair.at.clone(),
                measured,
                proved: pair.proved,
            });
        }
        Ok(())
    }

    /// How near two bodies are; `None` where they are farther apart than `reach`.
    pub(super) fn near(
        &self,
        bodies: (usize, usize),
        state: &[f64],
        reach: f64,
    ) -> Result<Option<Interval<f64>>, String> {
        let criteria = Criteria {
            all_pairs: reach == f64::INFINITY,
            clearance: Some(reach).filter(|reach| reach.is_finite()),
            ..Criteria::default()
        };
        let poses = self.robot.forward_kinematics(state);
        let check = Check::new(self.bodies, &self.rules).criteria(criteria);
        let near = check.between(bodies, &poses);
        let near = near.map_err(|why| why.to_string())?;
        Ok(near.map(|near| Interval {
            lower: near.lower,
            upper: near.upper,
        }))
    }
}

const ZERO: Interval<f64> = Interval {
    lower: 0.0,
    upper: 0.0,
};

/// Kinematics place links by other roundings than proofs do.
const UPPER_SLACK: f64 = 1e-12;
