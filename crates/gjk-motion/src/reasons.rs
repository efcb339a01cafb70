//! Why a pair of links need not be checked: MoveIt's order of reasons, each with its basis.
//!
//! Where it sits: `matrix.rs` asks `decide_pair` for each pair.
//! Idea: a chain of questions, of which the first that says something ends it: the structure of the robot, a proof over all joint values
//! or a state that refutes it, random states where neither is possible; and last whether the default state has the two in contact.

use crate::always::always;
use crate::cell::{PairFrame, slack_of};
use crate::chain::JointChain;
use crate::downhill::DownhillSteps;
use crate::matrix::{AlwaysRule, Basis, LinkMatrix, PairReason};
use crate::overlap_tree::overlap_tree;
use crate::prove::PairProver;
use crate::range::{RangeAnswer, StateDistance};
use gjk::Pose3;
use gjk::query::{Interval, Options, Pair, Verdict};
use gjk_check::Proximity;
use gjk_check::parts::Body;
use gjk_check::screen::{SCREEN_BLOCK, StateScreen};
use gjk_check::states::Splitmix64;
use gjk_query::convert;
use gjk_scene::{AdjacentPair, Affine, DisabledReason, JointKind, JointRange, Limits, SceneError};
use std::cell::RefCell;

impl LinkMatrix<'_> {
    /// One pair, by MoveIt's order of reasons; `None` where it was stopped.
    pub(crate) fn decide_pair(
        &self,
        bodies: (usize, usize),
    ) -> Result<Option<PairReason>, SceneError> {
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
        if self.scene.allow.contains(&bodies) {
            found.reason = Some(DisabledReason::User);
            found.basis = Basis::File;
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
        let here = self.judge.near(found.bodies, &self.default_state, 0.0)?;
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
        let asked = StatesOfPair::new(self, chain, found.bodies);
        let Some(drawn) = self.random_hits(chain, found.bodies)? else {
            return Ok(());
        };
        if let Some(at) = &drawn.first {
            self.meet(chain, at.clone(), &asked, &drawn, found);
            return asked.fault();
        }
        let (a, b) = found.bodies;
        let frame = PairFrame::new(chain);
        let links = [&self.links[a], &self.links[b]];
        let mut prover = PairProver::new(&frame, links, self.options.range);
        let proof = prover.run(&|values| asked.decide(values), self.stop);
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
            RangeAnswer::Meets { at } => self.meet(chain, at.clone(), &asked, &drawn, found),
            RangeAnswer::Open { proved_share, .. } => {
                let share = Some(*proved_share);
                self.by_samples(found, share)?;
            }
        }
        asked.fault()
    }

    /// The links meet: the deepest state near this one shows it, and how often they do whether they always do.
    fn meet(
        &self,
        chain: &JointChain,
        at: Vec<f64>,
        asked: &StatesOfPair<'_, '_>,
        drawn: &RandomHits,
        found: &mut PairReason,
    ) {
        let (at, here) = self.deepest(chain, found.bodies, at, asked);
        found.basis = Basis::Witness {
            state: chain.state(self.robot, &self.default_state, &at),
            distance: here.distance,
            overlaps: here.overlaps,
        };
        let samples = self.options.samples;
        if samples == 0 {
            return;
        }
        let fraction = f64::from(drawn.hits) / f64::from(samples);
        found.sampled_fraction = Some(fraction);
        let is_always = match self.options.always {
            AlwaysRule::Fraction(least) => fraction >= least,
            AlwaysRule::Proof => drawn.hits == samples && self.prove_always(chain, found),
        };
        if is_always {
            found.reason = Some(DisabledReason::Always);
        }
    }

    /// Whether all states overlap, proved.
    fn prove_always(&self, chain: &JointChain, found: &mut PairReason) -> bool {
        let (a, b) = found.bodies;
        let frame = PairFrame::new(chain);
        let bodies = [&self.bodies[a], &self.bodies[b]];
        let links = [&self.links[a], &self.links[b]];
        let proved = always(&frame, bodies, links, self.options.range.cells_max);
        if let Some(cells) = proved {
            found.cells += cells;
            found.basis = Basis::AlwaysOverlapping;
            if self.options.range.keep_nodes {
                found.nodes = overlap_tree(&frame, bodies).unwrap_or_default();
            }
        }
        proved.is_some()
    }

    /// Links that no joint moves against each other: one state is all states. Joints above them place both, which rounds otherwise in
    /// each state: that much is taken off the distance that is claimed.
    fn rigid(&self, found: &mut PairReason) -> Result<(), SceneError> {
        let zero = self.robot.zero_state();
        let near = self.judge.near(found.bodies, &zero, f64::INFINITY)?;
        let mut here = state_distance(near.as_ref());
        if here.distance.lower > 0.0 {
            let lower = here.distance.lower - self.placing_slack(found.bodies, &zero);
            here.distance.lower = lower.max(0.0);
        }
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

    /// How far two links may be off where a state places them, by rounding on the way from the root.
    fn placing_slack(&self, (a, b): (usize, usize), state: &[f64]) -> f64 {
        let length = |body: usize| {
            let mut link = self.scene.bodies[body].link.unwrap_or(self.robot.root);
            let mut length = 0.0;
            while let Some(k) = self.robot.joints.iter().position(|j| j.child == link) {
                let joint = &self.robot.joints[k];
                let [x, y, z] = joint.origin.translation;
                length += x.abs() + y.abs() + z.abs();
                if joint.kind == JointKind::Prismatic {
                    length += state[k].abs();
                }
                link = joint.parent;
            }
            length
        };
        let length = length(a) + length(b);
        let pieces = |body: usize| self.links[body].pieces.iter();
        let slacks = pieces(a).flat_map(|one| pieces(b).map(|other| slack_of(length, one, other)));
        slacks.fold(0.0, f64::max)
    }

    /// Random states, of which those that overlap are counted; `None` where it was stopped. Blocks of states are screened, and what is
    /// left is decided exactly.
    fn random_hits(
        &self,
        chain: &JointChain,
        bodies: (usize, usize),
    ) -> Result<Option<RandomHits>, SceneError> {
        let rules = self.judge.rules();
        let screen = StateScreen::of_pairs(self.bodies, rules, &[bodies], &self.cores);
        let Some(screen) = screen else {
            return Ok(None);
        };
        let mut draw = self.draw(bodies);
        let mut run = screen.run();
        let samples = self.options.samples as usize;
        let mut hits = RandomHits::default();
        let mut drawn = 0;
        let count_max = samples.max(SEEK_SAMPLES);
        while drawn < count_max {
            if self.is_stopped() {
                return Ok(None);
            }
            let count = (count_max - drawn).min(SCREEN_BLOCK);
            let states: Vec<Vec<f64>> = (0..count).map(|_| chain.draw(&mut draw)).collect();
            let (links, stride) = self.links_of_pair(chain, bodies, &states);
            let found = run.left(&links, stride);
            for found in found.chunk_by(|one, other| one.state == other.state) {
                let at = found[0].state;
                let here = &links[at * stride..][..stride];
                let mut is_hit = found.iter().any(|found| screen.overlaps(found, here));
                if !is_hit {
                    let state = chain.state(self.robot, &self.default_state, &states[at]);
                    is_hit = self.judge.verdict(bodies, &state)? == Verdict::Overlapping;
                }
                if is_hit {
                    hits.hits += u32::from(drawn + at < samples);
                    hits.first.get_or_insert_with(|| states[at].clone());
                }
            }
            drawn += count;
        }
        Ok(Some(hits))
    }

    /// Where the links of a pair stand in some states, and how many places there are a state: the first one stands still.
    fn links_of_pair(
        &self,
        chain: &JointChain,
        (a, b): (usize, usize),
        states: &[Vec<f64>],
    ) -> (Vec<Affine>, usize) {
        let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
        let second = link(b);
        let stride = link(a).max(second) + 1;
        let mut links = vec![Affine::IDENTITY; stride * states.len()];
        for (values, links) in states.iter().zip(links.chunks_exact_mut(stride)) {
            links[second] = chain.place(values).affine();
        }
        (links, stride)
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
            let state = self.random_state(&mut draw);
            let near = self.judge.near(found.bodies, &state, smallest)?;
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

    /// A random state within the limits that are asked for; a joint of which no range is known is drawn as `gjk check --random` does.
    fn random_state(&self, draw: &mut Splitmix64) -> Vec<f64> {
        let mut state = self.robot.sample(&mut || draw.unit());
        for (joint, value) in state.iter_mut().enumerate() {
            let range = self.robot.joint_range(joint, &self.options.limits);
            if let Ok(JointRange::Between(range) | JointRange::Turn(range)) = range {
                let at = range.lower + draw.unit() * (range.upper - range.lower);
                *value = at.clamp(range.lower, range.upper);
            }
        }
        self.robot.follow_mimics(&mut state);
        state
    }

    /// From a state in which they meet to one in which their hulls are deeper, a variable at a time; the surfaces decide in the end.
    fn deepest(
        &self,
        chain: &JointChain,
        bodies: (usize, usize),
        from: Vec<f64>,
        asked: &StatesOfPair<'_, '_>,
    ) -> (Vec<f64>, StateDistance) {
        let signed = |values: &[f64]| {
            let place = chain.place(values).pose();
            signed_distance(&self.bodies[bodies.0], &self.bodies[bodies.1], &place)
        };
        let ranges: Vec<Limits> = chain.variables.iter().map(|v| v.range).collect();
        let (_, deep) = DEEPER.search(&ranges, from.clone(), signed);
        let here = asked.decide(&deep);
        let first = asked.decide(&from);
        if here.overlaps || !first.overlaps {
            (deep, here)
        } else {
            (from, first)
        }
    }

    /// The random numbers of a pair.
    fn draw(&self, (a, b): (usize, usize)) -> Splitmix64 {
        let mut seed = Splitmix64(self.options.seed ^ ((a as u64) << 32 | b as u64));
        // A first draw mixes the bits of the two indices.
        seed.unit();
        seed
    }

    /// How deep the pair overlaps in the state that shows it, measured between the surfaces, which may take a second.
    ///
    /// # Errors  a state that places a part beyond the range of numbers.
    pub fn depth(&self, found: &PairReason) -> Result<Option<Interval<f64>>, SceneError> {
        let Basis::Witness {
            state,
            distance,
            overlaps: true,
        } = &found.basis
        else {
            return Ok(None);
        };
        let depth = |distance: Interval<f64>| Interval {
            lower: -distance.upper,
            upper: -distance.lower,
        };
        if distance.upper < 0.0 {
            return Ok(Some(depth(*distance)));
        }
        let near = self.judge.with_depth(found.bodies, state, DEPTH_WIDTH)?;
        Ok(near.map(|near| depth(interval_of(&near))))
    }
}

/// At least so many random states are looked at before a search begins, which may find in none of its cells what every tenth state
/// shows.
const SEEK_SAMPLES: usize = 256;

/// Random states of a pair.
#[derive(Default)]
struct RandomHits {
    /// How many of those that were asked for overlap.
    hits: u32,
    /// The values of the first one that does, maybe beyond those.
    first: Option<Vec<f64>>,
}

/// What a search asks of a pair's states, exactly; the first state that is beyond the range of numbers is kept.
pub(crate) struct StatesOfPair<'m, 'a> {
    matrix: &'m LinkMatrix<'a>,
    chain: &'m JointChain,
    bodies: (usize, usize),
    fault: RefCell<Option<SceneError>>,
}

impl<'m, 'a> StatesOfPair<'m, 'a> {
    pub(crate) fn new(
        matrix: &'m LinkMatrix<'a>,
        chain: &'m JointChain,
        bodies: (usize, usize),
    ) -> Self {
        Self {
            matrix,
            chain,
            bodies,
            fault: RefCell::new(None),
        }
    }

    pub(crate) fn decide(&self, values: &[f64]) -> StateDistance {
        let matrix = self.matrix;
        let state = self
            .chain
            .state(matrix.robot, &matrix.default_state, values);
        match matrix.judge.near(self.bodies, &state, f64::INFINITY) {
            Ok(near) => state_distance(near.as_ref()),
            Err(error) => {
                self.fault.borrow_mut().get_or_insert(error);
                state_distance(None)
            }
        }
    }

    pub(crate) fn fault(self) -> Result<(), SceneError> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }
}

/// The search for a deeper state.
const DEEPER: DownhillSteps = DownhillSteps {
    first: 1.0 / 16.0,
    shrink: 0.5,
    finest: 0.0,
    rounds: 8,
    enough: f64::NEG_INFINITY,
};

/// The lower end of the signed distance of two bodies' hulls, a part at a time; the second body is placed in the first one's frame.
fn signed_distance(a: &Body, b: &Body, place: &Pose3<f64>) -> f64 {
    let options = Options::default();
    let mut least = f64::INFINITY;
    for one in &a.parts {
        let pose_a: Pose3<f64> = convert::affine(&one.in_anchor);
        for other in &b.parts {
            let pose_b = place.compose(&convert::affine(&other.in_anchor));
            let pair = Pair::new(&*one.shape, &pose_a, &*other.shape, &pose_b);
            least = least.min(pair.with(&options).contact().signed_distance.lower);
        }
    }
    least
}

/// How narrow the depth of a state is measured, as a part of it.
const DEPTH_WIDTH: f64 = 0.1;

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
            is_undecided: false,
            distance: Interval {
                lower: 0.0,
                upper: f64::INFINITY,
            },
        },
        |near| StateDistance {
            overlaps: near.verdict == Verdict::Overlapping,
            is_undecided: near.verdict == Verdict::Undecided,
            distance: interval_of(near),
        },
    )
}
