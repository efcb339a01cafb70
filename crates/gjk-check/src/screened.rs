//! The states of a robot in blocks: what the screen leaves is answered by the same code as one state.
//!
//! Where it sits: `lib.rs` calls it where only overlaps and touches are wanted, of many states.
//! **Invariant:** answers are those of one state at a time, on any number of threads: a block only leaves out what is proved separated.

use crate::narrow_phase::verdict_after_hulls;
use crate::proximity::Placed;
use crate::screen::{SCREEN_BLOCK, ScreenRun, Screened, StateScreen};
use crate::states::{BlockLinks, States};
use crate::{Check, StateAnswer, StatePairs, StateVerdict, each, each_with, place};
use gjk::query::Verdict;
use gjk_query::convert;
use gjk_scene::{Affine, SceneError};
use std::ops::Range;

/// The reported pairs of each state.
pub(crate) fn each_state(
    check: &Check<'_>,
    screen: &StateScreen<'_>,
    states: &States<'_>,
) -> Vec<StatePairs> {
    in_blocks(check, screen, states, |index, links, left| {
        let mut candidates: Vec<_> = left.iter().map(|found| found.bodies).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let is_asked = |body: usize| candidates.iter().any(|&(a, b)| a == body || b == body);
        let placed = check.bodies.iter().enumerate().map(|(body, of)| {
            if is_asked(body) {
                place(of, links, check.criteria.only_in_world)
            } else {
                Ok(Vec::new())
            }
        });
        let placed: Vec<_> = placed.collect::<Result<_, _>>()?;
        Ok(Some(check.report(index, &placed, &candidates)))
    })
}

/// The verdict of each state.
pub(crate) fn each_verdict(
    check: &Check<'_>,
    screen: &StateScreen<'_>,
    states: &States<'_>,
) -> Vec<StateAnswer> {
    in_blocks(check, screen, states, |_, links, left| {
        if let Some(found) = left.iter().find(|found| screen.overlaps(found, links)) {
            return Ok(Some(
                StateVerdict::FREE.or(Verdict::Overlapping, found.bodies),
            ));
        }
        let mut worst = StateVerdict::FREE;
        for found in left {
            worst = worst.or(decided(check, screen, found, links)?, found.bodies);
            if worst.verdict == Verdict::Overlapping {
                break;
            }
        }
        Ok(Some(worst))
    })
}

/// What two parts are that the screen has left: what it says of their hulls is not asked again.
fn decided(
    check: &Check<'_>,
    screen: &StateScreen<'_>,
    found: &Screened,
    links: &[Affine],
) -> Result<Verdict, SceneError> {
    if found.hulls == Verdict::Undecided {
        return check.verdict_between(found.bodies, links);
    }
    let [a, b] = screen.parts_of(found).map(|part| {
        let pose = convert::affine(&part.pose(links));
        Placed::new(part, pose, check.criteria.only_in_world)
    });
    Ok(verdict_after_hulls(found.hulls, &a, &b))
}

/// The same where no screen helps.
pub(crate) fn each_verdict_unscreened(
    check: &Check<'_>,
    states: &States<'_>,
    pairs: &[(usize, usize)],
) -> Vec<StateAnswer> {
    let indices: Vec<usize> = (0..states.len()).collect();
    each(&indices, |&index| {
        let found = if check.is_stopped() {
            Ok(None)
        } else {
            worst_of(check, pairs.iter().copied(), &states.link_poses(index)).map(Some)
        };
        check.on_state.iter().for_each(|on_state| on_state());
        found
    })
}

/// The worst of some pairs, each decided exactly.
fn worst_of(
    check: &Check<'_>,
    pairs: impl Iterator<Item = (usize, usize)>,
    links: &[Affine],
) -> Result<StateVerdict, SceneError> {
    let mut worst = StateVerdict::FREE;
    for bodies in pairs {
        worst = worst.or(check.verdict_between(bodies, links)?, bodies);
        if worst.verdict == Verdict::Overlapping {
            break;
        }
    }
    Ok(worst)
}

/// Each state's answer, from where its links stand and what the screen leaves of it.
fn in_blocks<T: Send>(
    check: &Check<'_>,
    screen: &StateScreen<'_>,
    states: &States<'_>,
    answer: impl Fn(usize, &[Affine], &[Screened]) -> Result<Option<T>, SceneError> + Sync + Send,
) -> Vec<Result<Option<T>, SceneError>> {
    let blocks: Vec<Range<usize>> = (0..states.len())
        .step_by(SCREEN_BLOCK)
        .map(|from| from..states.len().min(from + SCREEN_BLOCK))
        .collect();
    let begin = || (screen.run(), BlockLinks::default());
    let found = each_with(&blocks, begin, |(run, links), block| {
        if check.is_stopped() {
            return block.clone().map(|_| Ok(None)).collect::<Vec<_>>();
        }
        states.link_poses_of(block.clone(), links);
        of_block(check, run, &links.all, block, &answer)
    });
    found.into_iter().flatten().collect()
}

fn of_block<T>(
    check: &Check<'_>,
    run: &mut ScreenRun<'_, '_>,
    links: &[Affine],
    block: &Range<usize>,
    answer: &impl Fn(usize, &[Affine], &[Screened]) -> Result<Option<T>, SceneError>,
) -> Vec<Result<Option<T>, SceneError>> {
    let stride = links.len() / block.len().max(1);
    let mut left = run.left(links, stride);
    block
        .clone()
        .map(|index| {
            let at = index - block.start;
            let count = left.iter().take_while(|found| found.state == at).count();
            let (of_state, rest) = left.split_at(count);
            left = rest;
            let found = if check.is_stopped() {
                Ok(None)
            } else {
                answer(index, &links[at * stride..][..stride], of_state)
            };
            check.on_state.iter().for_each(|on_state| on_state());
            found
        })
        .collect()
}
