//! The allowed-collision matrix: for each pair of links a reason not to check it, or a state in which it collides.
//!
//! Where it sits: `gjk acm` asks [`LinkMatrix::run`]. Read [`LinkMatrix::run`], then `decide_pair`.
//! Idea: MoveIt's order of reasons, adjacent, default, always, never, and the first one stays; but each has a basis: the robot's structure,
//! a proof over all joint values, a state that shows it, or samples where nothing else was possible.
//! **Invariant:** answers do not depend on the number of threads nor on the speed of the machine: pairs are independent, random states
//! are drawn a pair at a time from its own seed, and what bounds the work is cells.

use crate::always::always;
use crate::cell::PairFrame;
use crate::chain::JointChain;
use crate::piece::LinkPieces;
use crate::prove::{PairProver, ProofNode, RangeAnswer, RangeOptions, StateDistance};
use crate::state::StateJudge;
use gjk::query::{Interval, Verdict};
use gjk_check::Proximity;
use gjk_check::parts::Body;
use gjk_check::states::Splitmix64;
use gjk_scene::{AdjacentPair, DisabledReason, JointLimits, Robot, Scene, SceneError};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// When links that overlap again and again are called always overlapping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlwaysRule {
    /// Where that is proved for all states.
    #[default]
    Proof,
    /// Where at least this part of the random states overlap.
    Fraction(f64),
}

/// What a matrix is asked for.
#[derive(Clone, Debug)]
pub struct MatrixOptions {
    /// How far joints go.
    pub limits: JointLimits,
    /// The state that counts as the default one, a value a joint; `None`: MoveIt's.
    pub default_state: Option<Vec<f64>>,
    /// Margin, tolerances and cells of each pair.
    pub range: RangeOptions,
    /// How many random states tell how often a pair collides.
    pub samples: u32,
    /// Which ones.
    pub seed: u64,
    /// What counts as always.
    pub always: AlwaysRule,
    /// Pairs that are neither proved nor refuted keep no reason, whatever samples say.
    pub only_proved: bool,
}

impl Default for MatrixOptions {
    fn default() -> Self {
        Self {
            limits: JointLimits::default(),
            default_state: None,
            range: RangeOptions::default(),
            samples: 1000,
            seed: 0,
            always: AlwaysRule::Proof,
            only_proved: false,
        }
    }
}

/// What a reason rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// The robot's structure: the links without geometry between the two, as indices into [`Robot::links`].
    Structure {
        /// Those links; none where one joint joins the pair.
        through: Vec<usize>,
    },
    /// A proof over all joint values: nowhere nearer than the lower end.
    Apart {
        /// The least distance of all states.
        distance: Interval<f64>,
        /// A state that is as near as the upper end.
        state: Vec<f64>,
    },
    /// A proof over all joint values: they overlap in each.
    AlwaysOverlapping,
    /// A state.
    Witness {
        /// Joint values, one a joint.
        state: Vec<f64>,
        /// Their signed distance there.
        distance: Interval<f64>,
        /// True where they overlap; else they are nearer than the margin.
        overlaps: bool,
    },
    /// They come so near to touching that no state decides it.
    Touches {
        /// The nearest state.
        state: Vec<f64>,
        /// How near.
        distance: Interval<f64>,
    },
    /// Random states, because a proof was not possible or ran out of cells.
    Samples {
        /// How many.
        count: u32,
        /// The least distance that was seen.
        smallest: f64,
        /// Its state.
        state: Vec<f64>,
        /// The part of the joint values that is proved, where a proof was begun.
        proved_share: Option<f64>,
    },
}

impl Basis {
    /// The word of the report.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Structure { .. } => "structure",
            Self::Apart { .. } | Self::AlwaysOverlapping => "proof",
            Self::Witness { .. } => "witness",
            Self::Touches { .. } => "touch",
            Self::Samples { .. } => "samples",
        }
    }
}

/// A pair of links.
#[derive(Clone, Debug, PartialEq)]
pub struct PairReason {
    /// The scene's bodies, the lower index first.
    pub bodies: (usize, usize),
    /// The joints between them that a state sets, as indices into [`Robot::joints`].
    pub joints: Vec<usize>,
    /// Why the pair need not be checked; `None`: it must be.
    pub reason: Option<DisabledReason>,
    /// What that rests on.
    pub basis: Basis,
    /// The part of the random states that overlap, where they were drawn.
    pub sampled_fraction: Option<f64>,
    /// True where the pair overlaps in the default state and in all others as well, proved.
    pub always_too: bool,
    /// Cells that were looked at.
    pub cells: u64,
    /// Why no proof was possible, for people.
    pub refusal: Option<String>,
    /// The tree of cells that proves them apart, where it was asked for.
    pub nodes: Vec<ProofNode>,
}

/// All pairs of a robot's links that have geometry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The pairs, in the order of the bodies; those that a stop left out are missing.
    pub pairs: Vec<PairReason>,
    /// The default state that was used.
    pub default_state: Vec<f64>,
    /// True when it was stopped before its end.
    pub is_partial: bool,
}

/// A matrix to make.
pub struct LinkMatrix<'a> {
    robot: &'a Robot,
    scene: &'a Scene,
    bodies: &'a [Body],
    judge: StateJudge<'a>,
    links: Vec<LinkPieces>,
    adjacent: Vec<AdjacentPair>,
    options: &'a MatrixOptions,
    default_state: Vec<f64>,
    stop: Option<&'a AtomicBool>,
    on_pair: Option<&'a (dyn Fn() + Sync)>,
}

impl<'a> LinkMatrix<'a> {
    /// The matrix of these bodies, which are the scene's, of this robot of it.
    ///
    /// # Errors  soft limits of a joint that have no value in common with the hard ones.
    pub fn new(
        scene: &'a Scene,
        robot: &'a Robot,
        bodies: &'a [Body],
        options: &'a MatrixOptions,
    ) -> Result<Self, SceneError> {
        let default_state = match &options.default_state {
            Some(state) => state.clone(),
            None => robot.default_state(&options.limits)?,
        };
        Ok(Self {
            robot,
            scene,
            bodies,
            judge: StateJudge::new(scene, robot, bodies),
            links: bodies.iter().map(LinkPieces::of_body).collect(),
            adjacent: robot.adjacent_by_contraction(),
            options,
            default_state,
            stop: None,
            on_pair: None,
        })
    }

    /// Ends early, with a partial result, once this is set.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        let stop = Some(stop);
        Self { stop, ..self }
    }

    /// Calls this once a pair, from any thread.
    #[must_use]
    pub fn on_pair(self, on_pair: &'a (dyn Fn() + Sync)) -> Self {
        let on_pair = Some(on_pair);
        Self { on_pair, ..self }
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let links = self.linked().len();
        links * links.saturating_sub(1) / 2
    }

    /// True where there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decides all pairs.
    ///
    /// # Errors  a state that places a part beyond the range of numbers.
    pub fn run(&self) -> Result<Matrix, SceneError> {
        let linked = self.linked();
        let mut pairs = Vec::with_capacity(self.len());
        for (k, &a) in linked.iter().enumerate() {
            pairs.extend(linked[k + 1..].iter().map(|&b| (a, b)));
        }
        let decide = |&pair: &(usize, usize)| {
            let found = if self.is_stopped() {
                Ok(None)
            } else {
                self.decide_pair(pair)
            };
            self.on_pair.iter().for_each(|on_pair| on_pair());
            found
        };
        #[cfg(feature = "parallel")]
        let found: Vec<_> = pairs.par_iter().map(decide).collect();
        #[cfg(not(feature = "parallel"))]
        let found: Vec<_> = pairs.iter().map(decide).collect();
        let found: Result<Vec<Option<PairReason>>, SceneError> = found.into_iter().collect();
        Ok(Matrix {
            pairs: found?.into_iter().flatten().collect(),
            default_state: self.default_state.clone(),
            is_partial: self.is_stopped(),
        })
    }

    /// The bodies that are links of the robot.
    fn linked(&self) -> Vec<usize> {
        let bodies = self.scene.bodies.iter().enumerate();
        bodies
            .filter(|(_, body)| body.link.is_some())
            .map(|(index, _)| index)
            .collect()
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// One pair, by MoveIt's order of reasons; `None` where it was stopped.
    fn decide_pair(&self, bodies: (usize, usize)) -> Result<Option<PairReason>, SceneError> {
        let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
        let links = [link(bodies.0), link(bodies.1)];
        let adjacent = self.adjacent_pair(links);
        let mut found = PairReason {
            bodies,
            joints: Vec::new(),
            reason: None,
            basis: Basis::AlwaysOverlapping,
            sampled_fraction: None,
            always_too: false,
            cells: 0,
            refusal: None,
            nodes: Vec::new(),
        };
        let chain = JointChain::new(self.robot, links, &self.options.limits);
        if let Ok(chain) = &chain {
            found.joints = chain.variables.iter().map(|v| v.joint).collect();
        }
        if let Some(adjacent) = adjacent {
            found.reason = Some(DisabledReason::Adjacent);
            found.basis = Basis::Structure {
                through: adjacent.through.clone(),
            };
            return Ok(Some(found));
        }
        match chain {
            Err(refused) => {
                found.refusal = Some(refused.to_string());
                self.by_samples(&mut found, None)?;
            }
            Ok(chain) => self.over_ranges(&chain, &mut found)?,
        }
        self.by_default(&mut found)?;
        Ok(Some(found).filter(|_| !self.is_stopped()))
    }

    fn adjacent_pair(&self, [a, b]: [usize; 2]) -> Option<&AdjacentPair> {
        let pair = (a.min(b), a.max(b));
        self.adjacent
            .iter()
            .find(|adjacent| (adjacent.a, adjacent.b) == pair)
    }

    /// Contact in the default state comes before always and never.
    fn by_default(&self, found: &mut PairReason) -> Result<(), SceneError> {
        if matches!(found.basis, Basis::Apart { .. }) {
            return Ok(());
        }
        let here = self.near(found.bodies, &self.default_state, 0.0)?;
        let in_contact =
            here.filter(|here| matches!(here.verdict, Verdict::Overlapping | Verdict::Touching));
        let Some(here) = in_contact else {
            return Ok(());
        };
        found.always_too = found.basis == Basis::AlwaysOverlapping;
        found.reason = Some(DisabledReason::Default);
        found.basis = Basis::Witness {
            state: self.default_state.clone(),
            distance: interval_of(&here),
            overlaps: here.verdict == Verdict::Overlapping,
        };
        Ok(())
    }

    /// A proof over the ranges, or a state that refutes it.
    fn over_ranges(&self, chain: &JointChain, found: &mut PairReason) -> Result<(), SceneError> {
        if chain.variables.is_empty() {
            return self.rigid(found);
        }
        let (a, b) = found.bodies;
        let frame = PairFrame::new(chain);
        let fault = std::cell::RefCell::new(None);
        let decide = |values: &[f64]| {
            let state = chain.state(self.robot, &self.default_state, values);
            match self.near(found.bodies, &state, f64::INFINITY) {
                Ok(near) => state_distance(near.as_ref()),
                Err(error) => {
                    *fault.borrow_mut() = Some(error);
                    state_distance(None)
                }
            }
        };
        let links = [&self.links[a], &self.links[b]];
        let range = self.options.range;
        let prover = PairProver::new(&frame, links, range, None);
        let proof = prover.run(&decide, self.stop);
        found.cells = proof.cells;
        found.nodes = proof.nodes;
        let state = |at: &[f64]| chain.state(self.robot, &self.default_state, at);
        match &proof.answer {
            RangeAnswer::Never { distance, at } => {
                found.reason = Some(DisabledReason::Never);
                found.basis = Basis::Apart {
                    distance: *distance,
                    state: state(at),
                };
            }
            RangeAnswer::Touches { at, distance } => {
                found.basis = Basis::Touches {
                    state: state(at),
                    distance: *distance,
                };
            }
            RangeAnswer::Meets { at } => {
                let (at, here) = self.deepest(chain, at.clone(), &decide);
                found.basis = Basis::Witness {
                    state: state(&at),
                    distance: here.distance,
                    overlaps: here.overlaps,
                };
                self.how_often(chain, &frame, found)?;
            }
            RangeAnswer::Open { proved_share, .. } => {
                let share = Some(*proved_share);
                self.by_samples(found, share)?;
            }
        }
        fault.into_inner().map_or(Ok(()), Err)
    }

    /// Links that no joint moves against each other: one state is all states.
    fn rigid(&self, found: &mut PairReason) -> Result<(), SceneError> {
        let near = self.near(found.bodies, &self.default_state, f64::INFINITY)?;
        let here = state_distance(near.as_ref());
        let touches = near.is_some_and(|near| near.verdict == Verdict::Touching);
        found.cells = 1;
        if here.overlaps {
            found.reason = Some(DisabledReason::Always);
            found.basis = Basis::AlwaysOverlapping;
        } else if touches || here.distance.lower < self.options.range.margin {
            found.basis = Basis::Witness {
                state: self.default_state.clone(),
                distance: here.distance,
                overlaps: false,
            };
        } else {
            found.reason = Some(DisabledReason::Never);
            found.basis = Basis::Apart {
                distance: here.distance,
                state: self.default_state.clone(),
            };
        }
        Ok(())
    }

    /// How many random states overlap, and whether all states do.
    fn how_often(
        &self,
        chain: &JointChain,
        frame: &PairFrame<'_>,
        found: &mut PairReason,
    ) -> Result<(), SceneError> {
        if self.options.samples == 0 {
            return Ok(());
        }
        let mut draw = self.draw(found.bodies);
        let mut hits = 0_u32;
        for _ in 0..self.options.samples {
            if self.is_stopped() {
                return Ok(());
            }
            let values = chain.variables.iter().map(|variable| {
                let (lower, upper) = (variable.range.lower, variable.range.upper);
                (lower + draw.unit() * (upper - lower)).clamp(lower, upper)
            });
            let values: Vec<f64> = values.collect();
            let state = chain.state(self.robot, &self.default_state, &values);
            let near = self.near(found.bodies, &state, 0.0)?;
            hits += u32::from(near.is_some_and(|near| near.verdict == Verdict::Overlapping));
        }
        let fraction = f64::from(hits) / f64::from(self.options.samples);
        found.sampled_fraction = Some(fraction);
        let (a, b) = found.bodies;
        let is_always = match self.options.always {
            AlwaysRule::Fraction(least) => fraction >= least,
            AlwaysRule::Proof => {
                let bodies = [&self.bodies[a], &self.bodies[b]];
                let links = [&self.links[a], &self.links[b]];
                let cells = || always(frame, bodies, links, self.options.range.cells_max);
                let proved = (hits == self.options.samples).then(cells).flatten();
                if let Some(cells) = proved {
                    found.cells += cells;
                    found.basis = Basis::AlwaysOverlapping;
                }
                proved.is_some()
            }
        };
        if is_always {
            found.reason = Some(DisabledReason::Always);
        }
        Ok(())
    }

    /// Random states where nothing is proved.
    fn by_samples(
        &self,
        found: &mut PairReason,
        proved_share: Option<f64>,
    ) -> Result<(), SceneError> {
        let mut draw = self.draw(found.bodies);
        let (mut smallest, mut at) = (f64::INFINITY, self.default_state.clone());
        for _ in 0..self.options.samples {
            if self.is_stopped() {
                return Ok(());
            }
            let state = self.robot.sample(&mut || draw.unit());
            let near = self.near(found.bodies, &state, smallest)?;
            let Some(near) = near else { continue };
            let here = state_distance(Some(&near));
            if here.overlaps || here.distance.upper < self.options.range.margin {
                found.basis = Basis::Witness {
                    state,
                    distance: here.distance,
                    overlaps: here.overlaps,
                };
                return Ok(());
            }
            if here.distance.upper < smallest {
                (smallest, at) = (here.distance.upper, state);
            }
        }
        found.basis = Basis::Samples {
            count: self.options.samples,
            smallest,
            state: at,
            proved_share,
        };
        if !self.options.only_proved {
            found.reason = Some(DisabledReason::Never);
        }
        Ok(())
    }

    /// From a state in which they meet to one in which they are deeper, a variable at a time.
    fn deepest(
        &self,
        chain: &JointChain,
        from: Vec<f64>,
        decide: &dyn Fn(&[f64]) -> StateDistance,
    ) -> (Vec<f64>, StateDistance) {
        let mut best = (decide(&from), from);
        let mut share = DEEPER_STEP;
        for _ in 0..DEEPER_ROUNDS {
            let before = best.0.distance.lower;
            for (k, variable) in chain.variables.iter().enumerate() {
                let range = variable.range;
                let step = share * (range.upper - range.lower);
                for way in [-step, step] {
                    let mut values = best.1.clone();
                    values[k] = (values[k] + way).clamp(range.lower, range.upper);
                    let found = decide(&values);
                    if found.overlaps >= best.0.overlaps
                        && found.distance.lower < best.0.distance.lower
                    {
                        best = (found, values);
                    }
                }
            }
            if !(best.0.distance.lower < before) {
                share *= 0.5;
            }
        }
        (best.1, best.0)
    }

    /// The random numbers of a pair.
    fn draw(&self, (a, b): (usize, usize)) -> Splitmix64 {
        let mut seed = Splitmix64(self.options.seed ^ ((a as u64) << 32 | b as u64));
        // A first draw mixes the bits of the two indices.
        seed.unit();
        seed
    }

    /// How near two bodies are in a state; `None` where they are farther apart than `reach`.
    fn near(
        &self,
        bodies: (usize, usize),
        state: &[f64],
        reach: f64,
    ) -> Result<Option<Proximity>, SceneError> {
        self.judge.near(bodies, state, reach)
    }
}

/// The first step of the search for a deeper state, as a part of a variable's range, and how many rounds it takes.
const DEEPER_STEP: f64 = 1.0 / 16.0;
const DEEPER_ROUNDS: u32 = 8;

fn interval_of(near: &Proximity) -> Interval<f64> {
    Interval {
        lower: near.lower,
        upper: near.upper,
    }
}

fn state_distance(near: Option<&Proximity>) -> StateDistance {
    near.map_or(
        StateDistance {
            overlaps: false,
            distance: Interval {
                lower: 0.0,
                upper: f64::INFINITY,
            },
        },
        |near| StateDistance {
            overlaps: near.verdict == Verdict::Overlapping,
            distance: interval_of(near),
        },
    )
}
