//! One pair of links in one state, decided exactly by `gjk-check`.
//!
//! Where it sits: `reasons.rs`, `path.rs` and `profile.rs` ask it where two pieces meet by floats, and for what a report says of a state.
//! Idea: a proof only ever says that links are apart. That they meet, or how near they are, is said by the same code as `gjk check`.

use crate::placed::PlacedTimes;
use gjk::query::{Interval, Verdict};
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::screen::{InnerCores, StateScreen};
use gjk_check::states::States;
use gjk_check::{Check, Criteria, Proximity, StateAnswer};
use gjk_scene::{Affine, Robot, Scene, SceneError};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// All that a pair's state is decided from.
pub(crate) struct StateJudge<'a> {
    pub(crate) robot: &'a Robot,
    bodies: &'a [Body],
    all: Pairs,
}

/// How two links are to each other in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JudgedState {
    pub(crate) verdict: Verdict,
    /// The signed distance; of links beyond what was asked for that, at least.
    pub(crate) distance: Interval<f64>,
}

impl<'a> StateJudge<'a> {
    pub(crate) fn new(scene: &Scene, robot: &'a Robot, bodies: &'a [Body]) -> Self {
        Self {
            robot,
            bodies,
            all: Pairs::new(scene, bodies, None, true),
        }
    }

    /// Which parts of the scene's bodies are never compared.
    pub(crate) fn rules(&self) -> &Pairs {
        &self.all
    }

    /// How near two bodies are in a state; `None` where they are farther apart than `reach`.
    ///
    /// # Errors  a state that places a part beyond the range of numbers.
    pub(crate) fn near(
        &self,
        bodies: (usize, usize),
        state: &[f64],
        reach: f64,
    ) -> Result<Option<Proximity>, SceneError> {
        self.near_where(bodies, &self.robot.forward_kinematics(state), reach)
    }

    /// The same where the links stand so.
    fn near_where(
        &self,
        bodies: (usize, usize),
        links: &[Affine],
        reach: f64,
    ) -> Result<Option<Proximity>, SceneError> {
        let criteria = Criteria {
            all_pairs: reach == f64::INFINITY,
            clearance: Some(reach).filter(|reach| reach.is_finite()),
            ..Criteria::default()
        };
        Check::new(self.bodies, &self.all)
            .criteria(criteria)
            .between(bodies, links)
    }

    /// What two bodies are to each other in a state.
    ///
    /// # Errors  as [`StateJudge::near`].
    pub(crate) fn verdict(
        &self,
        bodies: (usize, usize),
        state: &[f64],
    ) -> Result<Verdict, SceneError> {
        let poses = self.robot.forward_kinematics(state);
        Check::new(self.bodies, &self.all).verdict_between(bodies, &poses)
    }

    /// What two bodies are to each other where the links stand so. Of their distance it says no more than the sign of what is separated.
    ///
    /// # Errors  as [`StateJudge::near`].
    fn verdict_where(
        &self,
        bodies: (usize, usize),
        links: &[Affine],
    ) -> Result<JudgedState, SceneError> {
        let verdict = Check::new(self.bodies, &self.all).verdict_between(bodies, links)?;
        let is_apart = verdict == Verdict::Separated;
        Ok(JudgedState {
            verdict,
            distance: Interval {
                lower: if is_apart { 0.0 } else { -f64::INFINITY },
                upper: f64::INFINITY,
            },
        })
    }

    /// The screen of some pairs; `None` where a part has no valid pose.
    pub(crate) fn screen(&self, pairs: &[(usize, usize)]) -> Option<StateScreen<'a>> {
        let cores = Arc::new(InnerCores::new(self.bodies));
        StateScreen::of_pairs(self.bodies, &self.all, pairs, &cores)
    }

    /// What the worst of these pairs is in each state; the screen, where there is one, is of the same pairs.
    pub(crate) fn verdicts(
        &self,
        states: &States<'_>,
        (pairs, screen): (&[(usize, usize)], Option<&StateScreen<'a>>),
        stop: Option<&AtomicBool>,
    ) -> Vec<StateAnswer> {
        let check = Check::new(self.bodies, &self.all);
        let check = stop.map_or(check, |stop| check.stop(stop));
        match screen {
            Some(screen) => check.each_verdict_by(screen, states),
            None => check.each_verdict_of(states, pairs),
        }
    }

    /// How near two bodies are in a state, with how deep they overlap to this part of the depth.
    ///
    /// # Errors  as [`StateJudge::near`].
    pub(crate) fn with_depth(
        &self,
        bodies: (usize, usize),
        state: &[f64],
        width: f64,
    ) -> Result<Option<Proximity>, SceneError> {
        let criteria = Criteria {
            all_pairs: true,
            depth: Some(width),
            ..Criteria::default()
        };
        let poses = self.robot.forward_kinematics(state);
        Check::new(self.bodies, &self.all)
            .criteria(criteria)
            .between(bodies, &poses)
    }

    /// The same as a verdict and an interval.
    ///
    /// # Errors  as [`StateJudge::near`].
    pub(crate) fn judge(
        &self,
        bodies: (usize, usize),
        state: &[f64],
        reach: f64,
    ) -> Result<JudgedState, SceneError> {
        self.judge_where(bodies, &self.robot.forward_kinematics(state), reach)
    }

    /// The same where the links stand so.
    fn judge_where(
        &self,
        bodies: (usize, usize),
        links: &[Affine],
        reach: f64,
    ) -> Result<JudgedState, SceneError> {
        let near = self.near_where(bodies, links, reach)?;
        Ok(near.map_or(
            JudgedState {
                verdict: Verdict::Separated,
                distance: Interval {
                    lower: reach,
                    upper: f64::INFINITY,
                },
            },
            |near| JudgedState {
                verdict: near.verdict,
                distance: Interval {
                    lower: near.lower,
                    upper: near.upper,
                },
            },
        ))
    }
}

/// The states of a pair on a segment, each decided once.
pub(crate) struct JudgedTimes<'j, 'a> {
    judge: &'j StateJudge<'a>,
    placed: &'j PlacedTimes<'j>,
    bodies: (usize, usize),
    /// Distances beyond this are of no interest; `None` where only the verdict is.
    reach: Option<f64>,
    known: RefCell<HashMap<u64, JudgedState>>,
    fault: RefCell<Option<SceneError>>,
}

impl<'j, 'a> JudgedTimes<'j, 'a> {
    pub(crate) fn new(
        judge: &'j StateJudge<'a>,
        placed: &'j PlacedTimes<'j>,
        bodies: (usize, usize),
        reach: Option<f64>,
    ) -> Self {
        Self {
            judge,
            placed,
            bodies,
            reach,
            known: RefCell::default(),
            fault: RefCell::default(),
        }
    }

    /// The pair at a part of the segment. After a failure, which [`JudgedTimes::finish`] tells, it is undecided.
    pub(crate) fn at(&self, u: f64) -> JudgedState {
        if let Some(known) = self.known.borrow().get(&u.to_bits()) {
            return *known;
        }
        let links = self.placed.at(u);
        let judged = match self.reach {
            Some(reach) => self.judge.judge_where(self.bodies, &links, reach),
            None => self.judge.verdict_where(self.bodies, &links),
        };
        let judged = judged.unwrap_or_else(|error| {
            self.fault.borrow_mut().get_or_insert(error);
            JudgedState {
                verdict: Verdict::Undecided,
                distance: Interval {
                    lower: -f64::INFINITY,
                    upper: f64::INFINITY,
                },
            }
        });
        self.known.borrow_mut().insert(u.to_bits(), judged);
        judged
    }

    /// # Errors  the first failure of [`JudgedTimes::at`].
    pub(crate) fn finish(self) -> Result<(), SceneError> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }
}
