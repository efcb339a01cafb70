//! The allowed-collision matrix: for each pair of links a reason not to check it, or a state in which it collides.
//!
//! Where it sits: `gjk acm` asks [`LinkMatrix::run`]. Read [`LinkMatrix::run`], then `decide_pair` in `reasons.rs`.
//! Idea: MoveIt's order of reasons, adjacent, default, always, never, and the first one stays; but each has a basis: the robot's structure,
//! a proof over all joint values, a state that shows it, or samples where nothing else was possible.
//! **Invariant:** answers do not depend on the number of threads nor on the speed of the machine: pairs are independent, random states
//! are drawn a pair at a time from its own seed, and what bounds the work is cells.

use crate::cell::PairFrame;
use crate::chain::JointChain;
use crate::piece::LinkPieces;
use crate::prove::PairProver;
use crate::range::{ProofNode, RangeOptions, RangeProof};
use crate::reasons::StatesOfPair;
use crate::state::StateJudge;
use gjk::query::Interval;
use gjk_check::parts::Body;
use gjk_check::screen::InnerCores;
use gjk_scene::{AdjacentPair, DisabledReason, JointLimits, Robot, Scene, SceneError};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::sync::Arc;
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
    /// The file of the bodies beside the robot: it allows the two to overlap.
    File,
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
            Self::File => "file",
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

impl PairReason {
    /// Whether a tree of cells proves it, which was kept or could have been.
    #[must_use]
    pub fn has_trees(&self) -> bool {
        matches!(self.basis, Basis::Apart { .. }) && !self.joints.is_empty()
    }
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
    pub(crate) robot: &'a Robot,
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a [Body],
    pub(crate) judge: StateJudge<'a>,
    pub(crate) links: Vec<LinkPieces>,
    pub(crate) adjacent: Vec<AdjacentPair>,
    pub(crate) options: &'a MatrixOptions,
    pub(crate) default_state: Vec<f64>,
    /// What is inside of the bodies' parts, found when it is first asked for.
    pub(crate) cores: Arc<InnerCores>,
    pub(crate) stop: Option<&'a AtomicBool>,
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
            cores: Arc::new(InnerCores::new(bodies)),
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
        self.pairs().len()
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
        let pairs = self.pairs();
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

    /// How near two bodies, which are links, come over all joint values, whatever other reason they may have.
    ///
    /// # Errors  a joint between them of which no range is known, by name.
    pub fn least_distance(&self, bodies: (usize, usize)) -> Result<Option<RangeProof>, SceneError> {
        let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
        let links = [link(bodies.0), link(bodies.1)];
        let chain = JointChain::new(self.robot, links, &self.options.limits)?;
        if chain.variables.is_empty() {
            return Ok(None);
        }
        let frame = PairFrame::new(&chain);
        let pieces = [&self.links[bodies.0], &self.links[bodies.1]];
        let mut prover = PairProver::new(&frame, pieces, self.options.range);
        let asked = StatesOfPair::new(self, &chain, bodies);
        let proof = prover.run(&|values| asked.decide(values), self.stop);
        asked.fault().map(|()| Some(proof))
    }

    /// All pairs of links with geometry, but those of two bodies of the world, which nothing moves.
    fn pairs(&self) -> Vec<(usize, usize)> {
        pairs_of_links(self.scene, self.robot)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// All pairs of bodies that are links, but those of two bodies of the world, which nothing moves.
pub(crate) fn pairs_of_links(scene: &Scene, robot: &Robot) -> Vec<(usize, usize)> {
    let bodies = scene.bodies.iter().enumerate();
    let linked: Vec<(usize, bool)> = bodies
        .filter_map(|(index, body)| Some((index, robot.is_world(body.link?))))
        .collect();
    let mut pairs = Vec::new();
    for (k, &(a, one)) in linked.iter().enumerate() {
        let others = linked[k + 1..].iter();
        let others = others.filter(|&&(_, other)| !(one && other));
        pairs.extend(others.map(|&(b, _)| (a, b)));
    }
    pairs
}
