//! A pair of links as trees see it: the way between the two, their parts with what of them is moved, and the groups of triangles.
//!
//! Where it sits: `tree.rs` and `path.rs` make one a pair of links.

use super::bound::carried;
use super::enclosed::ZERO;
use super::groups::TriangleGroups;
use super::solid::{PartSolid, RootedSolid};
use super::walk::{LinkWalk, WalkStep};
use super::winding::turns_around;
use std::collections::HashMap;
use std::sync::Arc;

/// What a part is and how it is divided.
#[derive(Debug)]
pub(super) struct CheckedPart {
    pub(super) solid: PartSolid,
    pub(super) groups: TriangleGroups,
    /// Whether its surface has an inside.
    pub(super) is_solid: bool,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TreeCounts {
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    pub(super) halved: u64,
}

/// What is wrong with a tree, and at which node.
#[derive(Clone, Debug)]
pub(super) struct TreeFault {
    pub(super) tree: Option<usize>,
    pub(super) node: Option<usize>,
    pub(super) reason: String,
}

impl From<String> for TreeFault {
    fn from(reason: String) -> Self {
        Self {
            tree: None,
            node: None,
            reason,
        }
    }
}

/// Two links, and the way between them.
pub(super) struct LinkPair<'c> {
    pub(super) walk: LinkWalk,
    /// The steps the other way, from the second link to the first.
    back: Vec<WalkStep>,
    /// The first and the last step that moves; none where all stand still.
    moving: Option<[usize; 2]>,
    pub(super) parts: [&'c [CheckedPart]; 2],
    rooted: HashMap<(usize, usize, usize), Arc<RootedSolid>>,
}

impl<'c> LinkPair<'c> {
    pub(super) fn new(walk: LinkWalk, parts: [&'c [CheckedPart]; 2]) -> Self {
        let is_moving = |step: &WalkStep| step.moving().is_some();
        let first = walk.steps.iter().position(is_moving);
        let last = walk.steps.iter().rposition(is_moving);
        Self {
            back: walk.steps.iter().rev().map(WalkStep::inverse).collect(),
            moving: first.zip(last).map(|(first, last)| [first, last]),
            walk,
            parts,
            rooted: HashMap::new(),
        }
    }

    /// The steps from the frame behind so many moving joints to the piece of either link.
    ///
    /// # Errors  more joints than there are, in words.
    pub(super) fn sides(&self, cut: usize) -> Result<[&[WalkStep]; 2], String> {
        let no_frame = || format!("the way has no {cut} joints");
        let Some([first, last]) = self.moving else {
            return if cut == 0 {
                Ok([&[], &[]])
            } else {
                Err(no_frame())
            };
        };
        let place = self.walk.place_of(cut).ok_or_else(no_frame)?;
        let count = self.walk.steps.len();
        Ok([
            &self.back[count - place..count - first],
            &self.walk.steps[place..(last + 1).max(place)],
        ])
    }

    /// How many joints of the way move.
    pub(super) fn moving_count(&self) -> usize {
        let steps = self.walk.steps.iter();
        steps.filter(|step| step.moving().is_some()).count()
    }

    /// All steps from the frame behind so many moving joints to either link.
    pub(super) fn whole_sides(&self, cut: usize) -> Option<[&[WalkStep]; 2]> {
        let place = self.walk.place_of(cut)?;
        let count = self.walk.steps.len();
        Some([&self.back[count - place..], &self.walk.steps[place..]])
    }

    /// A group of a part's triangles in the frame of the joint next to it; where no joint moves, in that of the first link.
    pub(super) fn rooted(&mut self, side: usize, part: usize, group: usize) -> Arc<RootedSolid> {
        let count = self.walk.steps.len();
        let (still, axis) = match self.moving {
            Some([first, last]) => {
                let still = [&self.back[count - first..], &self.walk.steps[last + 1..]][side];
                let step = &self.walk.steps[[first, last][side]];
                (still, step.moving().map(|moving| moving.axis))
            }
            None => ([&[], &self.walk.steps[..]][side], None),
        };
        let of = &self.parts[side][part];
        let made = || {
            let axis = axis.unwrap_or([ZERO; 3]);
            Arc::new(of.solid.rooted(of.groups.triangles(group), still, &axis))
        };
        let key = (side, part, group);
        self.rooted.entry(key).or_insert_with(made).clone()
    }

    /// Two groups with the one of one link in two; the first half comes last.
    ///
    /// # Errors  a link that is none, a group of which no division is listed, in words.
    pub(super) fn divided(
        &self,
        parts: [usize; 2],
        groups: [usize; 2],
        link: usize,
    ) -> Result<[[usize; 2]; 2], String> {
        if link > 1 {
            return Err(format!("there is no link {link} in a pair"));
        }
        let listed = &self.parts[link][parts[link]].groups;
        let Some(first) = listed.first_half(groups[link]) else {
            let group = groups[link];
            return Err(format!(
                "no division of group {group} of link {link} is listed"
            ));
        };
        Ok([first + 1, first].map(|group| {
            let mut half = groups;
            half[link] = group;
            half
        }))
    }

    /// Whether the other link's part has a point inside of this link's, where the variables have these values.
    ///
    /// Where no surface of the one meets a surface of the other for any values, and these hang together, one state is enough.
    pub(super) fn is_inside(&self, parts: [usize; 2], link: usize, values: &[f64]) -> bool {
        let outer = &self.parts[link][parts[link]];
        if !outer.is_solid {
            return false;
        }
        let inner = &self.parts[1 - link][parts[1 - link]].solid;
        let steps = if link == 0 {
            &self.walk.steps
        } else {
            &self.back
        };
        let mut points = inner.points_of_shells().into_iter();
        points.any(|point| {
            let point = carried(steps, values, point);
            turns_around(&outer.solid, point).abs() > 0.5
        })
    }
}
