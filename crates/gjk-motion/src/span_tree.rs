//! The tree of spans that proves two parts apart on a segment, for a certificate.
//!
//! Where it sits: `certify_path.rs` asks it for each pair of parts once the segment is decided. Read [`PairSearch::tree`].
//! Idea: the same looks as in `search.rs`, but by directions alone: balls and boxes leave nothing that a stranger could check. Spans are
//! halved at the same times, so what the search closed is closed here, or in halves of it.

use crate::chain::JointChain;
use crate::map::{LinkMap, V3};
use crate::piece::LinkPiece;
use crate::prove::shortened;
use crate::search::{OpenMiddle, OpenSpan, PairSearch};
use gjk::math::Vector;
use gjk_scene::Robot;

/// A node of the tree, in the order of the certificate's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SpanNode {
    /// Along this direction, in the frame behind so many joints, the pieces are apart in the whole span.
    Apart { cut: usize, along: [f64; 3] },
    /// The span in two, the earlier half first.
    Halves,
    /// The triangles of a link's piece in two, the upper ones first.
    Triangles { side: usize },
    /// Nothing is claimed of it.
    Open,
}

/// What is wanted of a tree.
pub(crate) struct TreeTask<'t> {
    /// The pieces are proved to be farther apart than this.
    pub(crate) distance: f64,
    /// From this time on nothing is claimed.
    pub(crate) until: f64,
    /// Nor in these spans.
    pub(crate) open: &'t [[f64; 2]],
    /// At most so many nodes.
    pub(crate) nodes_max: u64,
    /// By how many joints are before them: turns of the certificate's frames into those of links.
    pub(crate) turns: &'t [LinkMap],
}

impl TreeTask<'_> {
    fn is_open(&self, [from, to]: [f64; 2]) -> bool {
        let mut open = self.open.iter();
        from >= self.until || open.any(|[start, end]| *start <= from && to <= *end)
    }
}

impl<'p> PairSearch<'_, 'p> {
    /// The tree of two pieces; `None` where its nodes do not suffice.
    pub(crate) fn tree(
        &mut self,
        pieces: [&'p LinkPiece; 2],
        task: &TreeTask<'_>,
    ) -> Option<Vec<SpanNode>> {
        let mut nodes = Vec::new();
        let mut stack = vec![OpenSpan {
            span: [0.0, 1.0],
            pieces,
            direction: None,
            near: f64::INFINITY,
        }];
        while let Some(open) = stack.pop() {
            if task.is_open(open.span) {
                nodes.push(SpanNode::Open);
                continue;
            }
            if nodes.len() as u64 >= task.nodes_max {
                return None;
            }
            let middle = self.moved(&open);
            let chain = self.chain;
            let kept = |frame: usize, direction: V3, closes: &dyn Fn(V3) -> bool| {
                let cut = chain.links.iter().position(|&link| link == frame)?;
                let turn = &task.turns[cut];
                let local = turn.local_direction(direction);
                let along = shortened(local, |along| closes(turn.vector(along)));
                let along = along.to_f64();
                Some(SpanNode::Apart { cut, along })
            };
            let found = match self.along(&open, task.distance, &middle, kept) {
                Ok(node) => {
                    nodes.push(node?);
                    continue;
                }
                Err(found) => found,
            };
            let (node, halves) = self.halves(&open, &found, task.distance)?;
            nodes.push(node);
            stack.extend(halves);
        }
        Some(nodes)
    }

    /// The pieces or the span in two, the half that is looked at first last; `None` where there is nothing between the span's ends.
    fn halves(
        &self,
        open: &OpenSpan<'p>,
        found: &OpenMiddle,
        distance: f64,
    ) -> Option<(SpanNode, [OpenSpan<'p>; 2])> {
        let is_wanted = self.is_to_be_halved(open, found, distance);
        let largest = self.largest(open).filter(|_| is_wanted);
        if let Some((side, _)) = largest
            && let Some(halves) = open.pieces[side].halves()
        {
            let children = halves.each_ref().map(|half| {
                let mut child = *open;
                child.pieces[side] = half;
                child.near = f64::INFINITY;
                child
            });
            return Some((SpanNode::Triangles { side }, children));
        }
        let [from, to] = open.span;
        let at = 0.5 * from + 0.5 * to;
        let children = [[at, to], [from, at]].map(|span| OpenSpan {
            span,
            pieces: open.pieces,
            direction: Some((found.frame, found.direction)),
            near: found.near,
        });
        (from < at && at < to).then_some((SpanNode::Halves, children))
    }
}

/// By how many joints are before them: how the frames of a certificate stand in those of the chain's links. They do not move against each
/// other, so one state says it.
pub(crate) fn turns_of_cuts(chain: &JointChain, robot: &Robot) -> Vec<LinkMap> {
    let zero = robot.zero_state();
    let places = robot.forward_kinematics(&zero);
    let first = LinkMap::of_affine(&places[chain.ends[0]]).inverse();
    let count = chain.steps.len();
    let mut frame = LinkMap::IDENTITY;
    let mut turns = Vec::with_capacity(count + 1);
    for (cut, &link) in chain.links.iter().enumerate() {
        if let Some(before) = cut.checked_sub(1) {
            let step = &chain.steps[before];
            let value = zero[chain.variables[step.variable].joint];
            frame = frame.compose(&step.motion(step.value(value)));
        }
        if cut < count {
            frame = frame.compose(&chain.fixed[cut]);
        }
        let link = first.compose(&LinkMap::of_affine(&places[link]));
        turns.push(link.inverse().compose(&frame));
    }
    turns
}
