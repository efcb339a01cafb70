//! All pairs of a segment at once: spans of time in which balls and boxes prove a pair apart, before it is searched by itself.
//!
//! Where it sits: `path.rs` asks it for each segment; what it leaves goes to `search.rs`, pair by pair. Read [`SpanScreen::open_spans`].
//! Idea: most pairs of most edges are far apart. The links are placed once for all pairs, in the middle of a span, and a pair is closed if
//! balls or boxes around its parts are farther apart than the joints between can move them in half of the span. The bound of that is one
//! product a joint: its rate, and an arm that holds in all states. What is left is halved, until it moves little beside its size.
//! Numbers: the motion is that of docs/paths.md's first bound: one joint after the other moves one of the two sides rigidly, by at most its
//! rate times the side's arm; the lesser side may be taken of each. Rounding has the slack of `search.rs`, and the screen's own.

use crate::cell::SWEEP_ROUNDINGS;
use crate::chain::{JointChain, StepKind};
use crate::curve::PathSegment;
use crate::piece::LinkPieces;
use crate::worker::PathPair;
use gjk::math::Vector;
use gjk_check::screen::{PlacedParts, StateScreen};
use gjk_scene::Robot;

/// A span goes to the search of its pair once the joints move it by less than this part of its size: then boxes say what they can.
const SEARCH_SHARE: f64 = 0.25;

/// How often a segment is halved at most.
const SCREEN_DEPTH_MAX: u32 = 7;

/// The pairs of a path as the screen sees them.
pub(crate) struct SpanScreen<'a> {
    robot: &'a Robot,
    /// `None` where a part has no valid pose: then all is left to the search, which names it.
    screen: Option<StateScreen<'a>>,
    pairs: Vec<PairSizes>,
}

/// How large the links of a pair are, from their frames.
struct PairSizes {
    ends: [f64; 2],
}

/// What a pair may do on a segment.
#[derive(Clone, Copy)]
struct PairRate {
    /// How fast the two are moved against each other at most, by a part of the segment.
    speed: f64,
    /// What rounding may come to, and the clearance.
    margin: f64,
    size: f64,
}

/// What a screen uses again from segment to segment.
#[derive(Default)]
pub(crate) struct SpanScratch {
    placed: PlacedParts,
    rates: Vec<PairRate>,
    stack: Vec<([f64; 2], u32, Vec<u32>)>,
    /// By pair, the spans that are left, in their order.
    pub(crate) open: Vec<Vec<[f64; 2]>>,
    /// Spans of pairs that were looked at.
    pub(crate) looks: u64,
}

impl<'a> SpanScreen<'a> {
    pub(crate) fn new(
        robot: &'a Robot,
        screen: Option<StateScreen<'a>>,
        links: &[LinkPieces],
        pairs: &[PathPair],
    ) -> Self {
        let size = |body: usize| {
            let sizes = links[body].pieces.iter();
            let sizes = sizes.map(|piece| piece.center.norm() + piece.reach + piece.radius);
            sizes.fold(0.0, f64::max)
        };
        let of = |pair: &PathPair| PairSizes {
            ends: [size(pair.bodies.0), size(pair.bodies.1)],
        };
        Self {
            robot,
            screen,
            pairs: pairs.iter().map(of).collect(),
        }
    }

    /// The spans of each pair that are left.
    pub(crate) fn open_spans(
        &self,
        segment: &PathSegment,
        clearance: f64,
        pairs: &[PathPair],
        scratch: &mut SpanScratch,
    ) {
        let SpanScratch {
            placed,
            rates,
            stack,
            open,
            looks,
        } = scratch;
        *looks = 0;
        open.resize_with(pairs.len(), Vec::new);
        open.iter_mut().for_each(Vec::clear);
        let Some(screen) = &self.screen else {
            open.iter_mut().for_each(|spans| spans.push([0.0, 1.0]));
            return;
        };
        rates.clear();
        let sizes = self.pairs.iter().zip(pairs);
        rates.extend(sizes.map(|(sizes, pair)| sizes.rate(&pair.chain, segment, clearance)));
        stack.clear();
        stack.push(([0.0, 1.0], 0, (0..pairs.len() as u32).collect()));
        while let Some((span, depth, mut left)) = stack.pop() {
            let half = 0.5 * (span[1] - span[0]);
            let at = span[0] + half;
            let links = self
                .robot
                .forward_kinematics(&segment.state(self.robot, at));
            screen.place(&links, placed);
            *looks += left.len() as u64;
            left.retain(|&pair| {
                let rate = &rates[pair as usize];
                let moved = half * rate.speed;
                let is_open = !screen.is_apart(pair as usize, placed, moved + rate.margin);
                let is_small = depth >= SCREEN_DEPTH_MAX || moved <= SEARCH_SHARE * rate.size;
                if is_open && is_small {
                    open[pair as usize].push(span);
                }
                is_open && !is_small
            });
            if !left.is_empty() {
                stack.push(([at, span[1]], depth + 1, left.clone()));
                stack.push(([span[0], at], depth + 1, left));
            }
        }
    }
}

impl PairSizes {
    fn rate(&self, chain: &JointChain, segment: &PathSegment, clearance: f64) -> PairRate {
        let steps = &chain.steps;
        // How far points of a side are from each joint at most: from the link outward, with what slides may add.
        let slide = |k: usize| match steps[k].kind {
            StepKind::Turn => 0.0,
            StepKind::Slide => {
                let joint = chain.variables[steps[k].variable].joint;
                let value = segment.curves[joint].bounds([0.0, 1.0]).value;
                let ends = [value.lower, value.upper].map(|x| steps[k].value(x).abs());
                ends[0].max(ends[1])
            }
        };
        let fixed = |k: usize| chain.fixed[k].translation.norm();
        let total: f64 =
            (0..=steps.len()).map(fixed).sum::<f64>() + (0..steps.len()).map(slide).sum::<f64>();
        let (mut before, mut speed, mut off) = (self.ends[0], 0.0, 0.0);
        for (k, step) in steps.iter().enumerate() {
            before += fixed(k);
            let behind = (self.ends[1] + total - (before - self.ends[0]) - slide(k)).max(0.0);
            let arm = match step.kind {
                StepKind::Turn => before.min(behind),
                StepKind::Slide => 1.0,
            };
            let curve = &segment.curves[chain.variables[step.variable].joint];
            speed += step.factor.abs() * arm * curve.bounds([0.0, 1.0]).speed;
            off += step.factor.abs() * arm * curve.slack();
            before += slide(k);
        }
        let size = self.ends[0] + self.ends[1];
        let slack = SWEEP_ROUNDINGS * f64::EPSILON * 0.5 * (total + size);
        PairRate {
            speed,
            margin: clearance + slack + off,
            size,
        }
    }
}
