//! The trees of a pair: that their cells cover all joint values and all of both parts, and that each leaf's direction holds.
//!
//! Where it sits: `whole.rs` makes one checker a pair of links.
//! Idea: a tree is gone through in the order of its nodes, with a stack of the cells that are still to come: a node that is missing or
//! left over shows at the end.

use super::bound::{LeafBound, PieceSide, SPLIT_JOINTS_MAX, bound_along};
use super::pair::{LinkPair, TreeCounts, TreeFault};
use crate::certificate::{CertificateNode, ProvedPair, ProvedTree};

/// A leaf that the bound does not hold in one go is halved to so many cells at most, all of them along the leaf's direction.
pub(super) const LEAF_CELLS_MAX: u64 = 256;

/// Most leaves hold with so many joints split a side, which takes a fraction of the time.
const FEW_SPLITS: usize = 4;

/// A pair of links to be checked.
pub(super) struct PairChecker<'c> {
    pair: &'c ProvedPair,
    links: LinkPair<'c>,
    counts: TreeCounts,
}

/// A cell that is to come.
#[derive(Clone, Debug)]
struct OpenCell {
    ranges: Vec<[f64; 2]>,
    groups: [usize; 2],
}

impl<'c> PairChecker<'c> {
    /// The pair, of which the ranges were looked at.
    pub(super) fn new(pair: &'c ProvedPair, links: LinkPair<'c>) -> Self {
        Self {
            pair,
            links,
            counts: TreeCounts::default(),
        }
    }

    /// All trees.
    pub(super) fn check(mut self) -> Result<TreeCounts, TreeFault> {
        let counts = self.links.parts.map(<[_]>::len);
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
                CertificateNode::Range { joint, low_first } => {
                    let halves = halves_of_range(&cell.ranges, *joint, *low_first).map_err(at)?;
                    open.extend(halves.map(|ranges| OpenCell { ranges, ..cell }));
                }
                CertificateNode::Triangles { link } => {
                    let groups = self.links.divided(tree.parts, cell.groups, *link);
                    open.extend(groups.map_err(at)?.map(|groups| OpenCell {
                        groups,
                        ..cell.clone()
                    }));
                    divides[*link] = true;
                }
                CertificateNode::Span | CertificateNode::Open | CertificateNode::Overlap { .. } => {
                    return Err(at("it is about a span of time, or an overlap".to_owned()));
                }
            }
        }
        if !open.is_empty() {
            let missing = open.len();
            let reason = format!("the tree ends with {missing} cells that nothing is said of");
            return Err((None, reason));
        }
        let middle = self.pair.joints.iter();
        let values: Vec<f64> = middle.map(|j| 0.5 * j.lower + 0.5 * j.upper).collect();
        for link in [0, 1] {
            if divides[link] && self.links.is_inside(tree.parts, link, &values) {
                return Err((None, inside_of(link)));
            }
        }
        Ok(())
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
        let pieces = [0, 1].map(|side| self.links.rooted(side, parts[side], cell.groups[side]));
        let [back, ahead] = self.links.sides(cut)?;
        if !along.iter().all(|x| x.is_finite()) {
            return Err("the direction is not finite".to_owned());
        }
        let a = PieceSide {
            steps: back,
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
}

/// What is wrong where a part is inside of the other link's.
pub(super) fn inside_of(link: usize) -> String {
    let other = 1 - link;
    format!("the part of link {other} is inside of that of link {link}")
}

/// A cell in two at the middle of a joint's range, the one that comes first last.
pub(super) fn halves_of_range(
    ranges: &[[f64; 2]],
    joint: usize,
    low_first: bool,
) -> Result<[Vec<[f64; 2]>; 2], String> {
    let Some(&[lower, upper]) = ranges.get(joint) else {
        return Err(format!("the pair has no joint {joint}"));
    };
    let at = 0.5 * lower + 0.5 * upper;
    if !(lower < at && at < upper) {
        return Err(format!("there is nothing between {lower} and {upper}"));
    }
    let (mut low, mut high) = (ranges.to_vec(), ranges.to_vec());
    low[joint][1] = at;
    high[joint][0] = at;
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
