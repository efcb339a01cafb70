//! Scenes: which of many bodies overlap, touch or come too close, in every state that is given.
//!
//! Where it sits: between `gjk-scene`, which reads bodies and robots, and `gjk`, which answers for one pair of convex
//! shapes. Read [`Check::run`] first.
//! Idea: every part of every body becomes one convex shape with its fidelity on record (`parts`); the rules that leave pairs
//! out become one table (`pairs`); then for each state the parts are placed, boxes around them leave few pairs (`broad_phase`), a
//! batch leaves out what it proves separated (`prefilter`), and the library answers for the rest (`narrow_phase`). Of many states of a robot blocks are screened first (`screen`).
//! **Invariant:** answers do not depend on the number of threads: states and pairs are independent of one another, and their
//! answers are collected in input order.

mod broad_phase;
pub mod decomposition;
pub mod example;
mod inner_core;
mod narrow_phase;
pub mod pairs;
pub mod parts;
#[cfg(feature = "parallel")]
mod prefilter;
mod proximity;
pub mod screen;
mod screened;
pub mod states;
mod surfaces;
mod verification;

use broad_phase::Aabb;
pub use broad_phase::bounds;
use gjk::Pose3;
use gjk::query::Verdict;
use gjk_query::convert;
use gjk_scene::{Affine, SceneError, SceneErrorKind};
use pairs::Pairs;
use parts::Body;
#[cfg(feature = "parallel")]
use prefilter::BatchPrefilter;
use proximity::Placed;
pub use proximity::{ContactFeature, Depths, Proximity, SearchStop, severity};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use screen::{InnerCores, StateScreen};
use states::States;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub use verification::{MeshCertificate, MeshDistance, Verification};

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Criteria {
    /// Also pairs that are not proved to be this far apart.
    pub clearance: Option<f64>,
    /// Overlaps and gaps of at most this count as touching.
    pub touch_band: f64,
    /// Every pair, however far apart.
    pub all_pairs: bool,
    /// Floats alone answer; what they cannot decide is reported as undecided.
    pub float_only: bool,
    /// How deep meshes overlap that are not convex, to this part of the depth.
    pub depth: Option<f64>,
    /// Meshes of one pose are compared in the world too, and not before the pose rounds them.
    pub only_in_world: bool,
    /// Each answer is proved again by its certificate alone.
    pub verify: bool,
    /// The certificates of meshes are kept for others to check.
    pub keep_certificates: bool,
}

impl Criteria {
    /// Pairs that are proved farther apart than this are of no interest.
    fn reach(&self) -> f64 {
        if self.all_pairs {
            f64::INFINITY
        } else {
            self.clearance.unwrap_or(0.0).max(self.touch_band)
        }
    }

    /// Whether a pair belongs in the report.
    fn reports(&self, found: &Proximity) -> bool {
        self.all_pairs || found.verdict != Verdict::Separated || self.is_under_clearance(found)
    }

    /// Whether a pair is not proved to keep the clearance, if one is set.
    pub fn is_under_clearance(&self, found: &Proximity) -> bool {
        self.clearance
            .is_some_and(|clearance| found.lower < clearance)
    }

    /// Whether a pair is what the check is there to find. A touch is, when a clearance is set.
    pub fn is_violated_by(&self, found: &Proximity) -> bool {
        found.verdict == Verdict::Overlapping || self.is_under_clearance(found)
    }
}

/// A pair of bodies in one state.
#[derive(Clone, Debug)]
pub struct PairProximity {
    /// The state's index.
    pub state: usize,
    /// The bodies' indices, the lower one first.
    pub bodies: (usize, usize),
    /// How near they are.
    pub proximity: Proximity,
    /// What a checker says of that, where one was asked.
    pub verification: Option<Verification>,
}

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct CheckResult {
    /// The pairs to report, sorted by state, then by bodies.
    pub pairs: Vec<PairProximity>,
    /// How many states were checked; the last ones maybe in part, when the run was stopped.
    pub states: usize,
    /// True when the run was stopped before its end.
    pub is_partial: bool,
}

/// The reported pairs of one state; `None` where the run was stopped before it, an error where a part is beyond the range of numbers.
pub type StatePairs = Result<Option<Vec<PairProximity>>, SceneError>;

/// A state in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateVerdict {
    /// The worst that two bodies are to each other: overlapping before touching, undecided and separated.
    pub verdict: Verdict,
    /// The first two that are; `None` where all are separated.
    pub bodies: Option<(usize, usize)>,
}

impl StateVerdict {
    /// All bodies that are looked at are separated.
    pub const FREE: Self = Self {
        verdict: Verdict::Separated,
        bodies: None,
    };

    /// The worse one of this and another pair.
    fn or(self, verdict: Verdict, bodies: (usize, usize)) -> Self {
        if severity(verdict) < severity(self.verdict) {
            return Self {
                verdict,
                bodies: Some(bodies),
            };
        }
        self
    }
}

/// A state's verdict; `None` where the run was stopped before it, an error where a part is beyond the range of numbers.
pub type StateAnswer = Result<Option<StateVerdict>, SceneError>;

/// A check of bodies: what stays the same from state to state.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    bodies: &'a [Body],
    pairs: &'a Pairs,
    criteria: Criteria,
    stop: Option<&'a AtomicBool>,
    on_state: Option<&'a (dyn Fn() + Sync)>,
}

/// Every item's answer, in order.
#[cfg(feature = "parallel")]
fn each<T: Sync, R: Send>(items: &[T], answer: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().map(answer).collect()
}

/// Every item's answer, in order.
#[cfg(not(feature = "parallel"))]
fn each<T, R>(items: &[T], answer: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(answer).collect()
}

/// The same with something that each thread keeps from item to item.
#[cfg(feature = "parallel")]
fn each_with<T: Sync, W, R: Send>(
    items: &[T],
    begin: impl Fn() -> W + Sync + Send,
    answer: impl Fn(&mut W, &T) -> R + Sync + Send,
) -> Vec<R> {
    items.par_iter().map_init(begin, answer).collect()
}

/// The same with something that is kept from item to item.
#[cfg(not(feature = "parallel"))]
fn each_with<T, W, R>(
    items: &[T],
    begin: impl Fn() -> W,
    answer: impl Fn(&mut W, &T) -> R,
) -> Vec<R> {
    let mut kept = begin();
    items.iter().map(|item| answer(&mut kept, item)).collect()
}

/// There are no batches: no pair is left to one.
#[cfg(not(feature = "parallel"))]
enum BatchPrefilter {}

#[cfg(not(feature = "parallel"))]
impl BatchPrefilter {
    fn new(_: &[Body], _: &Criteria) -> Option<Self> {
        None
    }

    fn keep<T>(&self, _: T, _: &[Vec<Placed<'_>>], _: &Pairs, _: Option<&AtomicBool>) -> T {
        match *self {}
    }
}

impl<'a> Check<'a> {
    /// A check of these pairs of these bodies for overlaps and touches.
    pub fn new(bodies: &'a [Body], pairs: &'a Pairs) -> Self {
        Self {
            bodies,
            pairs,
            criteria: Criteria::default(),
            stop: None,
            on_state: None,
        }
    }

    /// Looks for this instead.
    #[must_use]
    pub fn criteria(self, criteria: Criteria) -> Self {
        Self { criteria, ..self }
    }

    /// Ends early, with a partial result, once this is set.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        let stop = Some(stop);
        Self { stop, ..self }
    }

    /// Calls this once a state, from any thread.
    #[must_use]
    pub fn on_state(self, on_state: &'a (dyn Fn() + Sync)) -> Self {
        let on_state = Some(on_state);
        Self { on_state, ..self }
    }

    /// Answers for all pairs in all states.
    ///
    /// # Errors  a state that places a part beyond the range of numbers.
    pub fn run(&self, states: &States<'_>) -> Result<CheckResult, SceneError> {
        let answers = self.each_state(states);
        let mut result = CheckResult {
            is_partial: self.is_stopped(),
            ..CheckResult::default()
        };
        for (state, answer) in answers.into_iter().enumerate() {
            // The first of several faults is reported, whatever the threads did.
            let answer = answer.map_err(|error| error.with_element(format!("state {state}")))?;
            result.states += usize::from(answer.is_some());
            result.pairs.extend(answer.into_iter().flatten());
        }
        Ok(result)
    }

    /// Answers for all pairs in all states, each by itself: what is wrong with one changes no other.
    pub fn each_state(&self, states: &States<'_>) -> Vec<StatePairs> {
        if let Some(screen) = self.screen(states) {
            return screened::each_state(self, &screen, states);
        }
        let prefilter = BatchPrefilter::new(self.bodies, &self.criteria);
        let indices: Vec<usize> = (0..states.len()).collect();
        each(&indices, |&index| {
            let answer = self.state(index, &states.link_poses(index), prefilter.as_ref());
            self.on_state.iter().for_each(|on_state| on_state());
            answer
        })
    }

    /// The worst that two bodies are to each other in each state, and which ones: what is wrong with one state changes no other.
    ///
    /// The search ends at the first pair that is proved to overlap, in the order of the pairs where cheap proofs leave one. Criteria
    /// are not looked at: only contact counts.
    pub fn each_verdict(&self, states: &States<'_>) -> Vec<StateAnswer> {
        self.each_verdict_of(states, &self.pairs.all(self.bodies.len()))
    }

    /// [`Check::each_verdict`] of these pairs alone, each with its lower index first.
    pub fn each_verdict_of(
        &self,
        states: &States<'_>,
        pairs: &[(usize, usize)],
    ) -> Vec<StateAnswer> {
        let cores = Arc::new(InnerCores::new(self.bodies));
        match StateScreen::of_pairs(self.bodies, self.pairs, pairs, &cores) {
            Some(screen) => screened::each_verdict(self, &screen, states),
            None => screened::each_verdict_unscreened(self, states, pairs),
        }
    }

    /// [`Check::each_verdict`] of the pairs of a screen, which may be asked again and again.
    pub fn each_verdict_by(
        &self,
        screen: &StateScreen<'_>,
        states: &States<'_>,
    ) -> Vec<StateAnswer> {
        screened::each_verdict(self, screen, states)
    }

    /// The screen of several states, where only overlaps and touches are wanted.
    fn screen(&self, states: &States<'_>) -> Option<StateScreen<'a>> {
        let criteria = &self.criteria;
        let is_wanted = states.len() > 1
            && states.has_robot()
            && criteria.reach() == 0.0
            && !criteria.float_only;
        is_wanted
            .then(|| StateScreen::new(self.bodies, self.pairs))
            .flatten()
    }

    /// The reported pairs of one state.
    fn state(
        &self,
        state: usize,
        links: &[Affine],
        prefilter: Option<&BatchPrefilter>,
    ) -> StatePairs {
        if self.is_stopped() {
            return Ok(None);
        }
        let placed: Vec<Vec<Placed<'_>>> = self
            .bodies
            .iter()
            .map(|body| place(body, links, self.criteria.only_in_world))
            .collect::<Result<_, _>>()?;
        let candidates = if self.criteria.all_pairs {
            self.pairs.all(self.bodies.len())
        } else {
            let boxes: Vec<Aabb> = placed
                .iter()
                .map(|parts| Aabb::around(parts.iter().map(|part| *part.bounds())))
                .collect();
            broad_phase::near_pairs(&boxes, self.criteria.reach(), |a, b| {
                !self.pairs.is_skipped(a, b)
            })
        };
        let candidates = match prefilter {
            Some(prefilter) => prefilter.keep(candidates, &placed, self.pairs, self.stop),
            None => candidates,
        };
        Ok(Some(self.report(state, &placed, &candidates)))
    }

    /// Those of the pairs that belong in the report, in their order.
    fn report(
        &self,
        state: usize,
        placed: &[Vec<Placed<'_>>],
        candidates: &[(usize, usize)],
    ) -> Vec<PairProximity> {
        let answer = |&(a, b): &(usize, usize)| {
            let is_stopped = self.is_stopped();
            let found = if is_stopped {
                None
            } else {
                narrow_phase::nearest(&placed[a], &placed[b], self.pairs, &self.criteria)
            };
            found
                .filter(|found| self.criteria.reports(found))
                .map(|proximity| PairProximity {
                    state,
                    bodies: (a, b),
                    proximity,
                    verification: self.verified(&placed[a], &placed[b], &proximity),
                })
        };
        let found: Vec<Option<PairProximity>> = each(candidates, answer);
        found.into_iter().flatten().collect()
    }

    /// How near two bodies are where the links stand so; `None` where they are proved to be beyond what the criteria ask for.
    ///
    /// # Errors  links that place a part beyond the range of numbers.
    pub fn between(
        &self,
        (a, b): (usize, usize),
        links: &[Affine],
    ) -> Result<Option<Proximity>, SceneError> {
        let place = |body: usize| place(&self.bodies[body], links, self.criteria.only_in_world);
        let (a, b) = (place(a)?, place(b)?);
        Ok(narrow_phase::nearest(&a, &b, self.pairs, &self.criteria))
    }

    /// What two bodies are to each other where the links stand so, without how near or deep: a part of what [`Check::between`] costs.
    ///
    /// # Errors  links that place a part beyond the range of numbers.
    pub fn verdict_between(
        &self,
        (a, b): (usize, usize),
        links: &[Affine],
    ) -> Result<Verdict, SceneError> {
        let place = |body: usize| place(&self.bodies[body], links, self.criteria.only_in_world);
        let (a, b) = (place(a)?, place(b)?);
        Ok(narrow_phase::verdict(&a, &b, self.pairs))
    }

    /// What a checker says, where one is asked.
    fn verified(
        &self,
        a: &[Placed<'_>],
        b: &[Placed<'_>],
        found: &Proximity,
    ) -> Option<Verification> {
        let Self {
            pairs, criteria, ..
        } = self;
        criteria
            .verify
            .then(|| verification::verify(a, b, pairs, criteria, found))
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// A body's parts in the world.
fn place<'a>(
    body: &'a Body,
    links: &[Affine],
    only_in_world: bool,
) -> Result<Vec<Placed<'a>>, SceneError> {
    let place = |part: &'a parts::Part| {
        let pose: Pose3<f64> = convert::affine(&part.pose(links));
        let placed = Placed::new(part, pose, only_in_world);
        if pose.is_valid() && (placed.is_far_in_range() || placed.bounds().is_finite()) {
            return Ok(placed);
        }
        Err(SceneError::new(
            SceneErrorKind::BadValue,
            "its place in the world is beyond the range of numbers",
        )
        .with_element(format!("body `{}`: part `{}`", body.name, part.source))
        .with_help(
            "look for huge numbers or a zero scale in its pose, its mesh and the joint values",
        ))
    };
    body.parts.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ctrl-C sets the flag: pairs after that are left out, and the report says so.
    #[test]
    fn a_stopped_run_is_partial() {
        let scene = example::scene().unwrap_or_else(|error| panic!("{error}"));
        let bodies =
            parts::build(&scene, parts::Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let answer = |stop: bool| {
            Check::new(&bodies, &pairs)
                .criteria(criteria)
                .stop(&AtomicBool::new(stop))
                .run(&States::zero(&scene))
                .unwrap_or_else(|error| panic!("{error}"))
        };
        let (whole, stopped) = (answer(false), answer(true));
        assert_eq!(
            (whole.pairs.len(), whole.states, whole.is_partial),
            (30, 1, false)
        );
        assert_eq!(
            (stopped.pairs.len(), stopped.states, stopped.is_partial),
            (0, 0, true)
        );
    }
}
