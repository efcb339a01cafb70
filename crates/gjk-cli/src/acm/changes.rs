//! What an SRDF file says of each pair, and what should become of it.
//!
//! Idea: a line that a person wrote, with the reason `User` or none that MoveIt knows, stays: it is reported where the pair collides. Every
//! other line stands or falls with what was found.

use gjk_motion::{Basis, Matrix, PairReason};
use gjk_scene::{DisabledReason, Scene, Srdf, WantedPair};
use std::collections::HashMap;

/// What becomes of a pair's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The line stays.
    Keep,
    /// A line is written.
    Add,
    /// The line goes.
    Remove,
    /// The line stays with another reason.
    Change,
    /// There is no line, and none is wanted.
    None,
}

impl Action {
    /// The word of the report.
    pub fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Change => "change",
            Self::None => "none",
        }
    }
}

/// A pair beside what the file says of it.
#[derive(Clone, Copy, Debug)]
pub struct ComparedPair<'a> {
    /// What was found.
    pub found: &'a PairReason,
    /// The reason of the file's line, where it has one for the pair.
    pub srdf: Option<DisabledReason>,
    /// What becomes of the line.
    pub action: Action,
}

impl ComparedPair<'_> {
    /// True where the file has the pair not checked, and a state shows that it collides.
    pub fn is_contradiction(&self) -> bool {
        let is_shown = matches!(self.found.basis, Basis::Witness { .. });
        self.srdf.is_some() && self.found.reason.is_none() && is_shown
    }
}

/// All pairs beside the file.
pub fn compare<'a>(
    matrix: &'a Matrix,
    scene: &Scene,
    srdf: Option<&Srdf>,
) -> Vec<ComparedPair<'a>> {
    let lines = reasons_of(srdf);
    let has_file = srdf.is_some();
    let compared = matrix.pairs.iter().map(|found| {
        let link = |body: usize| scene.bodies[body].link.unwrap_or(usize::MAX);
        let (a, b) = (link(found.bodies.0), link(found.bodies.1));
        let srdf = lines.get(&(a.min(b), a.max(b))).copied();
        let action = match (srdf, found.reason) {
            // A file of the robot knows nothing of what stands around it.
            _ if is_world(scene, found.bodies) => Action::None,
            (None, None) => Action::None,
            // A file that has such a pair checked was made by someone who wanted that.
            (None, Some(DisabledReason::Default)) if has_file => Action::None,
            (None, Some(_)) => Action::Add,
            (Some(DisabledReason::User), _) => Action::Keep,
            (Some(_), None) => Action::Remove,
            (Some(old), Some(new)) if old == new => Action::Keep,
            (Some(_), Some(_)) => Action::Change,
        };
        ComparedPair {
            found,
            srdf,
            action,
        }
    });
    compared.collect()
}

/// Whether one of two bodies is one that stands around the robot.
pub fn is_world(scene: &Scene, (a, b): (usize, usize)) -> bool {
    let Some(robot) = &scene.robot else {
        return false;
    };
    let links = [a, b].map(|body| scene.bodies[body].link);
    links.into_iter().flatten().any(|link| robot.is_world(link))
}

/// The reason of each line of the file, the lower link first; of two lines the first one counts.
fn reasons_of(srdf: Option<&Srdf>) -> HashMap<(usize, usize), DisabledReason> {
    let mut lines = HashMap::new();
    for line in srdf.iter().flat_map(|srdf| &srdf.disabled) {
        let reason = DisabledReason::of_word(line.reason.as_deref());
        lines
            .entry((line.a.min(line.b), line.a.max(line.b)))
            .or_insert(reason);
    }
    lines
}

/// The pairs that a written file disables.
pub fn wanted(pairs: &[ComparedPair<'_>], scene: &Scene) -> Vec<WantedPair> {
    let wanted = pairs.iter().filter_map(|pair| {
        let reason = match pair.action {
            Action::Keep => pair.srdf?,
            Action::Add | Action::Change => pair.found.reason?,
            Action::Remove | Action::None => return None,
        };
        let (a, b) = pair.found.bodies;
        Some(WantedPair {
            a: scene.bodies[a].link?,
            b: scene.bodies[b].link?,
            reason,
        })
    });
    wanted.collect()
}
