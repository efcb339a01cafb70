//! Scenes: which of many bodies overlap, touch or come too close, in every state asked for.
//!
//! Where it sits: between `gjk-scene`, which reads bodies and robots, and `gjk`, which answers for one pair of convex
//! shapes. Read [`run`] first.
//! Idea: every part of every body becomes one convex shape with its fidelity on record (`parts`); the rules that leave pairs
//! out become one table (`pairs`); then for each state the parts are placed, boxes around them leave few pairs (`broad`), a
//! batch takes out what it proves separated (`sieve`), and the library answers for the rest (`narrow`).
//! **Invariant:** answers do not depend on the number of threads: states and pairs are independent of one another, and their
//! answers are collected in input order.

mod broad;
pub mod example;
mod narrow;
pub mod pairs;
pub mod parts;
#[cfg(feature = "parallel")]
mod sieve;
pub mod states;

use broad::Aabb;
use gjk::query::Verdict;
use gjk::{Pose3, Posed};
use gjk_query::convert;
use gjk_scene::{Affine, SceneError, SceneErrorKind};
use narrow::Placed;
pub use narrow::{Found, gravity};
use pairs::Pairs;
use parts::Body;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
#[cfg(feature = "parallel")]
use sieve::Sieve;
use states::States;
use std::sync::atomic::{AtomicBool, Ordering};

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Also pairs that are not proved to be this far apart.
    pub clearance: Option<f64>,
    /// Overlaps and gaps of at most this count as touching.
    pub touch_band: f64,
    /// Every pair, however far apart.
    pub all_pairs: bool,
    /// Floats alone answer; what they cannot decide is reported as undecided.
    pub float_only: bool,
}

impl Wanted {
    /// Pairs that are proved farther apart than this are of no interest.
    fn reach(&self) -> f64 {
        if self.all_pairs {
            f64::INFINITY
        } else {
            self.clearance.unwrap_or(0.0).max(self.touch_band)
        }
    }

    /// Whether a pair belongs in the report.
    fn reports(&self, found: &Found) -> bool {
        self.all_pairs || found.verdict != Verdict::Separated || self.is_under_clearance(found)
    }

    /// Whether a pair is not proved to keep the clearance that was asked for.
    pub fn is_under_clearance(&self, found: &Found) -> bool {
        self.clearance
            .is_some_and(|clearance| found.lower < clearance)
    }

    /// Whether a pair is what the check is there to find. A touch is, when a clearance is asked for.
    pub fn is_wrong(&self, found: &Found) -> bool {
        found.verdict == Verdict::Overlapping || self.is_under_clearance(found)
    }
}

/// A pair of bodies in one state.
#[derive(Clone, Debug)]
pub struct PairFound {
    /// The state's index.
    pub state: usize,
    /// The bodies' indices, the lower one first.
    pub bodies: (usize, usize),
    /// What was found.
    pub found: Found,
}

/// What a run gives.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The pairs to report, sorted by state, then by bodies.
    pub pairs: Vec<PairFound>,
    /// How many states were looked at; the last ones maybe in part, when the run was stopped.
    pub states: usize,
    /// True when the run was stopped before its end.
    pub is_partial: bool,
}

/// The reported pairs of one state, and whether it was looked at before the run was stopped.
#[derive(Default)]
struct StateFound {
    pairs: Vec<PairFound>,
    is_begun: bool,
}

/// Everything that stays the same from state to state.
pub struct Check<'a> {
    /// The bodies.
    pub bodies: &'a [Body],
    /// Which pairs of them to look at.
    pub pairs: &'a Pairs,
    /// What to look for.
    pub wanted: Wanted,
    /// Set to stop early.
    pub stop: &'a AtomicBool,
}

/// Answers for all pairs in all states; `done` is called once a state, from any thread.
///
/// # Errors  a state that places a part beyond the range of numbers.
pub fn run(
    check: &Check<'_>,
    states: &States<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Outcome, SceneError> {
    let sieve = Sieve::new(check.bodies, &check.wanted);
    let indices: Vec<usize> = (0..states.len()).collect();
    let answers: Vec<Result<StateFound, SceneError>> = each(&indices, |&index| {
        let answer = check.state(index, &states.link_poses(index), sieve.as_ref());
        done();
        answer
    });
    let mut outcome = Outcome {
        is_partial: check.stop.load(Ordering::Relaxed),
        ..Outcome::default()
    };
    for answer in answers {
        // Of several faults the first one is told, whatever the threads did.
        let answer = answer?;
        outcome.states += usize::from(answer.is_begun);
        outcome.pairs.extend(answer.pairs);
    }
    Ok(outcome)
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

/// There are no batches: no pair is left to one.
#[cfg(not(feature = "parallel"))]
enum Sieve {}

#[cfg(not(feature = "parallel"))]
impl Sieve {
    fn new(_: &[Body], _: &Wanted) -> Option<Self> {
        None
    }

    fn keep<T>(&self, _: T, _: &[Vec<Placed<'_>>], _: &Pairs, _: &AtomicBool) -> T {
        match *self {}
    }
}

impl Check<'_> {
    /// The reported pairs of one state.
    fn state(
        &self,
        state: usize,
        links: &[Affine],
        sieve: Option<&Sieve>,
    ) -> Result<StateFound, SceneError> {
        if self.is_stopped() {
            return Ok(StateFound::default());
        }
        let placed: Vec<Vec<Placed<'_>>> = self
            .bodies
            .iter()
            .map(|body| place(body, state, links))
            .collect::<Result<_, _>>()?;
        let candidates = if self.wanted.all_pairs {
            self.pairs.all(self.bodies.len())
        } else {
            let boxes: Vec<Aabb> = placed
                .iter()
                .map(|parts| Aabb::around(parts.iter().map(|part| part.bounds)))
                .collect();
            broad::near_pairs(&boxes, self.wanted.reach(), |a, b| {
                !self.pairs.is_skipped(a, b)
            })
        };
        let candidates = match sieve {
            Some(sieve) => sieve.keep(candidates, &placed, self.pairs, self.stop),
            None => candidates,
        };
        let answer = |&(a, b): &(usize, usize)| {
            let is_stopped = self.is_stopped();
            let found = if is_stopped {
                None
            } else {
                narrow::nearest(&placed[a], &placed[b], self.pairs, &self.wanted)
            };
            found
                .filter(|found| self.wanted.reports(found))
                .map(|found| PairFound {
                    state,
                    bodies: (a, b),
                    found,
                })
        };
        let found: Vec<Option<PairFound>> = each(&candidates, answer);
        Ok(StateFound {
            pairs: found.into_iter().flatten().collect(),
            is_begun: true,
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A body's parts in the world.
fn place<'a>(
    body: &'a Body,
    state: usize,
    links: &[Affine],
) -> Result<Vec<Placed<'a>>, SceneError> {
    let place = |part: &'a parts::Part| {
        let pose: Pose3<f64> = convert::affine(&part.pose(links));
        let bounds = Aabb::of(&Posed::new(&*part.shape, pose), &part.shape, &pose);
        if pose.is_valid() && bounds.is_finite() {
            return Ok(Placed {
                shape: &part.shape,
                pose,
                bounds,
                unit: part.unit,
            });
        }
        Err(SceneError::new(
            SceneErrorKind::BadValue,
            "its place in the world is beyond the range of numbers",
        )
        .with_element(format!(
            "state {state}: body `{}`: part `{}`",
            body.name, part.source
        ))
        .with_help(
            "look for huge numbers or a zero scale in its pose, its mesh and the joint values",
        ))
    };
    body.parts.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ctrl-C sets the flag: what is asked after that is left out, and the report says so.
    #[test]
    fn a_stopped_run_is_partial() {
        let scene = example::scene().unwrap_or_else(|error| panic!("{error}"));
        let bodies = parts::build(&scene).unwrap_or_else(|error| panic!("{error}"));
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let wanted = Wanted {
            all_pairs: true,
            ..Wanted::default()
        };
        let answer = |stop: bool| {
            let check = Check {
                bodies: &bodies,
                pairs: &pairs,
                wanted,
                stop: &AtomicBool::new(stop),
            };
            run(&check, &States::zero(&scene), &|| ()).unwrap_or_else(|error| panic!("{error}"))
        };
        let (whole, stopped) = (answer(false), answer(true));
        assert_eq!(
            (whole.pairs.len(), whole.states, whole.is_partial),
            (23, 1, false)
        );
        assert_eq!(
            (stopped.pairs.len(), stopped.states, stopped.is_partial),
            (0, 0, true)
        );
    }
}
