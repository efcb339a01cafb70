//! The trees of a pair: that their cells cover all joint values and all of both parts, and that each leaf's direction holds.
//!
//! Where it sits: `mod.rs` makes one checker a pair of links.
//! Idea: a tree is gone through in the order of its nodes, with a stack of the cells that are still to come: a node that is missing or
//! left over shows at the end.

use super::bound::{LeafBound, PieceSide, SPLIT_JOINTS_MAX, bound_along, carried};
use super::groups::TriangleGroups;
use super::solid::{PartSolid, RootedSolid};
use super::walk::{LinkWalk, WalkStep};
use super::winding::turns_around;
use crate::certificate::{CertificateNode, ProvedPair, ProvedTree};
use std::collections::HashMap;
use std::rc::Rc;

/// A leaf that the bound does not hold in one go is halved to so many cells at most, all of them along the leaf's direction.
const LEAF_CELLS_MAX: u64 = 256;

/// Most leaves hold with so many joints split a side, which takes a fraction of the time.
const FEW_SPLITS: usize = 4;

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

/// A pair of links to be checked.
pub(super) struct PairChecker<'c> {
    pair: &'c ProvedPair,
    walk: LinkWalk,
    /// The steps the other way, from the second link to the first.
    back: Vec<WalkStep>,
    /// The first and the last step that moves.
    moving: [usize; 2],
    parts: [&'c [CheckedPart]; 2],
    rooted: HashMap<(usize, usize, usize), Rc<RootedSolid>>,
    counts: TreeCounts,
}

/// A cell that is to come.
#[derive(Clone, Debug)]
struct OpenCell {
    ranges: Vec<[f64; 2]>,
    groups: [usize; 2],
}

impl<'c> PairChecker<'c> {
    /// The pair, of which the ranges were looked at; `None` where no joint moves it.
    pub(super) fn new(
        pair: &'c ProvedPair,
        walk: LinkWalk,
        parts: [&'c [CheckedPart]; 2],
    ) -> Option<Self> {
        let is_moving = |step: &WalkStep| step.moving().is_some();
        let first = walk.steps.iter().position(is_moving)?;
        let last = walk.steps.iter().rposition(is_moving)?;
        Some(Self {
            pair,
            back: walk.steps.iter().rev().map(WalkStep::inverse).collect(),
            walk,
            moving: [first, last],
            parts,
            rooted: HashMap::new(),
            counts: TreeCounts::default(),
        })
    }

    /// All trees.
    pub(super) fn check(mut self) -> Result<TreeCounts, TreeFault> {
        let counts = self.parts.map(<[_]>::len);
        let mut seen = vec![false; counts[0] * counts[1]];
        for (index, tree) in self.pair.trees.iter().enumerate() {
            let fault = |node: Option<usize>, reason: String| TreeFault {
                tree: Some(index),
                node,
                reason,
            };
            let [a, b] = tree.parts;
            if a >= counts[0] || b >= counts[1] {
                return Err(fault(None, format!("there are no parts {a} and {b}")));
            }
            seen[a * counts[1] + b] = true;
            self.tree(tree)
                .map_err(|(node, reason)| fault(node, reason))?;
        }
        match seen.iter().position(|seen| !seen) {
            None => Ok(self.counts),
            Some(missing) => {
                let (a, b) = (missing / counts[1], missing % counts[1]);
                Err(TreeFault {
                    tree: None,
                    node: None,
                    reason: format!("there is no tree for parts {a} and {b}"),
                })
            }
        }
    }

    fn tree(&mut self, tree: &ProvedTree) -> Result<(), (Option<usize>, String)> {
        let joints = &self.pair.joints;
        let mut open = vec![OpenCell {
            ranges: joints.iter().map(|j| [j.lower, j.upper]).collect(),
            groups: [0; 2],
        }];
        let mut divides = [false; 2];
        for (index, node) in tree.nodes.iter().enumerate() {
            let at = |reason: String| (Some(index), reason);
            let Some(cell) = open.pop() else {
                return Err(at("the tree is complete before this node".to_owned()));
            };
            self.counts.nodes += 1;
            match node {
                CertificateNode::Apart { cut, along } => {
                    self.leaf(tree.parts, &cell, *cut, *along).map_err(at)?;
                }
                CertificateNode::Range {
                    joint,
                    at: value,
                    low_first,
                } => open.extend(halves(cell, *joint, *value, *low_first).map_err(at)?),
                CertificateNode::Triangles { link } => {
                    open.extend(self.divided(tree.parts, &cell, *link).map_err(at)?);
                    divides[*link] = true;
                }
            }
        }
        if !open.is_empty() {
            let missing = open.len();
            let reason = format!("the tree ends with {missing} cells that nothing is said of");
            return Err((None, reason));
        }
        for link in [0, 1] {
            if divides[link] && self.is_inside(tree.parts, link) {
                let other = 1 - link;
                let reason = format!("the part of link {other} is inside of that of link {link}");
                return Err((None, reason));
            }
        }
        Ok(())
    }

    /// A cell with the triangles of one link in two; the first half comes first.
    fn divided(
        &self,
        parts: [usize; 2],
        cell: &OpenCell,
        link: usize,
    ) -> Result<[OpenCell; 2], String> {
        if link > 1 {
            return Err(format!("there is no link {link} in a pair"));
        }
        let groups = &self.parts[link][parts[link]].groups;
        let Some(first) = groups.first_half(cell.groups[link]) else {
            let group = cell.groups[link];
            return Err(format!(
                "no division of group {group} of link {link} is listed"
            ));
        };
        Ok([first + 1, first].map(|group| {
            let mut half = cell.clone();
            half.groups[link] = group;
            half
        }))
    }

    /// Whether the direction of a leaf holds in its cell.
    fn leaf(
        &mut self,
        parts: [usize; 2],
        cell: &OpenCell,
        cut: usize,
        along: [f64; 3],
    ) -> Result<(), String> {
        self.counts.leaves += 1;
        let Some(place) = self.walk.place_of(cut) else {
            return Err(format!("the way has no {cut} joints"));
        };
        if !along.iter().all(|x| x.is_finite()) {
            return Err("the direction is not finite".to_owned());
        }
        let pieces = [0, 1].map(|side| self.rooted(side, parts[side], cell.groups[side]));
        let count = self.walk.steps.len();
        let [first, last] = self.moving;
        let ahead = &self.walk.steps[place..(last + 1).max(place)];
        let a = PieceSide {
            steps: &self.back[count - place..count - first],
            piece: &pieces[0],
            split_max: SPLIT_JOINTS_MAX,
        };
        let b = PieceSide {
            steps: ahead,
            piece: &pieces[1],
            split_max: SPLIT_JOINTS_MAX,
        };
        let mut open = vec![cell.ranges.clone()];
        let mut cells = 0;
        while let Some(ranges) = open.pop() {
            let few = [&a, &b].map(|side| PieceSide {
                split_max: FEW_SPLITS,
                ..*side
            });
            if bound_along(along, &few[0], &few[1], &ranges).distance >= self.pair.distance {
                continue;
            }
            let bound = bound_along(along, &a, &b, &ranges);
            if bound.distance >= self.pair.distance {
                continue;
            }
            cells += 2;
            self.counts.halved += 1;
            let Some(halves) = narrowed(&ranges, &bound).filter(|_| cells <= LEAF_CELLS_MAX) else {
                let (found, wanted) = (bound.distance, self.pair.distance);
                return Err(format!(
                    "along its direction the pieces are only proved {found:e} apart, not {wanted:e}"
                ));
            };
            open.extend(halves);
        }
        Ok(())
    }

    fn rooted(&mut self, side: usize, part: usize, group: usize) -> Rc<RootedSolid> {
        let [first, last] = self.moving;
        let count = self.walk.steps.len();
        let still = [&self.back[count - first..], &self.walk.steps[last + 1..]][side];
        let step = &self.walk.steps[[first, last][side]];
        let axis = step.moving().map(|moving| moving.axis);
        let of = &self.parts[side][part];
        let made = || {
            let axis = axis.unwrap_or([super::enclosed::ZERO; 3]);
            Rc::new(of.solid.rooted(of.groups.triangles(group), still, &axis))
        };
        let key = (side, part, group);
        self.rooted.entry(key).or_insert_with(made).clone()
    }

    /// Whether the other link's part has a point inside of this link's, with all joints in the middle of their ranges.
    ///
    /// No surface of the one meets a surface of the other for any joint values, and all of these hang together, so one state is enough.
    fn is_inside(&self, parts: [usize; 2], link: usize) -> bool {
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
        let middle = self.pair.joints.iter();
        let values: Vec<f64> = middle.map(|j| 0.5 * j.lower + 0.5 * j.upper).collect();
        let mut points = inner.points_of_shells().into_iter();
        points.any(|point| {
            let point = carried(steps, &values, point);
            turns_around(&outer.solid, point).abs() > 0.5
        })
    }
}

/// A cell in two at a value of a joint, the one that comes first last.
fn halves(cell: OpenCell, joint: usize, at: f64, low_first: bool) -> Result<[OpenCell; 2], String> {
    let Some(&[lower, upper]) = cell.ranges.get(joint) else {
        return Err(format!("the pair has no joint {joint}"));
    };
    if !(lower < at && at < upper) {
        return Err(format!("{at} is not between {lower} and {upper}"));
    }
    let (mut low, mut high) = (cell.clone(), cell);
    low.ranges[joint][1] = at;
    high.ranges[joint][0] = at;
    Ok(if low_first { [high, low] } else { [low, high] })
}

/// A cell in two where that helps the bound most; `None` where there is nothing to halve.
fn narrowed(ranges: &[[f64; 2]], bound: &LeafBound) -> Option<[Vec<[f64; 2]>; 2]> {
    let middle = |k: usize| 0.5 * ranges[k][0] + 0.5 * ranges[k][1];
    let wide = (0..ranges.len()).filter(|&k| ranges[k][0] < middle(k) && middle(k) < ranges[k][1]);
    let widest = wide.max_by(|&i, &j| bound.costs[i].total_cmp(&bound.costs[j]))?;
    let (mut low, mut high) = (ranges.to_vec(), ranges.to_vec());
    low[widest][1] = middle(widest);
    high[widest][0] = middle(widest);
    Some([low, high])
}
