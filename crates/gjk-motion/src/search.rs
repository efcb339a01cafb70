//! The search of one pair of links on one segment: proved apart all the time, or the first time at which they meet.
//!
//! Where it sits: `path.rs` runs it pair after pair, `profile.rs` for least distances. Read [`PairSearch::run`].
//! Idea: a stack of spans of time, each with a piece of each link, the earlier half of a span first. A span is closed by balls, by the
//! direction of the span that it is a half of, or by the one that GJK finds. Else the pieces are looked at in the middle of the span: where
//! they are near, the state is decided exactly, and a meeting drops all that is later; pieces that are larger than their surface are halved.
//! Else the span is. Pairs share the first meeting, so that each only looks at what is before it.
//! Numbers: nothing here decides that links meet.

use crate::cell::slack_of;
use crate::chain::JointChain;
use crate::curve::PathSegment;
use crate::map::{LinkMap, V3};
use crate::piece::{LinkPiece, LinkPieces};
use crate::placed::{LinkPlaces, PlacedTimes};
use crate::profile::NearestState;
use crate::prove::PIECE_SHARE;
use crate::span::{SpanDifference, SpanMotion, beyond_of, center_of};
use crate::state::{JudgedState, JudgedTimes};
use gjk::Stop;
use gjk::loops::gjk::Goal;
use gjk::math::Vector;
use gjk::query::Verdict;
use gjk_check::screen::StateScreen;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many states and one more give a first upper end of a least clearance.
const SEED_STATES: u32 = 8;

/// Of a pair that touches only this part of the spans is spent: links that slide along one another touch in each.
const TOUCH_SHARE: u64 = 16;

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) struct SpanTask<'t> {
    /// The part of the segment that is looked at.
    pub(crate) window: [f64; 2],
    /// Links that come nearer than this meet.
    pub(crate) clearance: f64,
    /// How narrow the interval of a meeting must be, in parts of the segment.
    pub(crate) resolution: f64,
    /// A span in which links move less than this is not divided.
    pub(crate) touch_band: f64,
    /// At most so many spans.
    pub(crate) cells_max: u64,
    pub(crate) stop: Option<&'t AtomicBool>,
}

impl SpanTask<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether links meet in a state.
    pub(crate) fn is_meeting(&self, state: &JudgedState) -> bool {
        state.verdict == Verdict::Overlapping || state.distance.upper < self.clearance
    }
}

/// The first meeting of all pairs that were looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstMeeting {
    /// All pairs are proved apart, touching or undecided before this.
    pub(crate) lower: f64,
    /// A pair meets at this time; infinite where none does.
    pub(crate) upper: f64,
    /// Which one.
    pub(crate) pair: usize,
}

impl FirstMeeting {
    pub(crate) const NONE: Self = Self {
        lower: f64::INFINITY,
        upper: f64::INFINITY,
        pair: 0,
    };

    /// A pair meets at a time before the one that was known.
    pub(crate) fn meet(&mut self, at: f64, pair: usize) {
        if at < self.upper {
            (self.upper, self.pair) = (at, pair);
            if self.lower >= at {
                self.lower = f64::INFINITY;
            }
        }
    }

    /// Nothing is proved from this time to the meeting.
    fn from(&mut self, time: f64) {
        self.lower = self.lower.min(time);
    }

    pub(crate) fn is_some(&self) -> bool {
        self.upper.is_finite()
    }
}

/// What else was found of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairSpans {
    /// From when to when they come within the touch band, and no state that was looked at overlaps.
    pub(crate) touches: Option<[f64; 2]>,
    /// From when to when nothing is known.
    pub(crate) undecided: Option<[f64; 2]>,
    /// Spans that were looked at.
    pub(crate) cells: u64,
}

/// The span from the start of the earlier one to the end of the later one.
fn joined(known: Option<[f64; 2]>, span: [f64; 2]) -> Option<[f64; 2]> {
    let known = known.unwrap_or(span);
    Some([known[0].min(span[0]), known[1].max(span[1])])
}

/// A span to look at, with a piece of each link.
#[derive(Clone, Copy)]
pub(crate) struct OpenSpan<'p> {
    pub(crate) span: [f64; 2],
    pub(crate) pieces: [&'p LinkPiece; 2],
    /// A direction in the frame of a link.
    pub(crate) direction: Option<(usize, V3)>,
    /// How far the pieces are apart at most at one of its ends, without their radii: no direction says more of the span.
    pub(crate) near: f64,
}

/// A span that no direction closed, and its pieces in the middle of it.
pub(crate) struct OpenMiddle {
    /// A link, and a direction in its frame.
    pub(crate) frame: usize,
    pub(crate) direction: V3,
    lower: f64,
    upper: f64,
    /// How far apart they are at most there, without their radii.
    pub(crate) near: f64,
    /// How far the joints move the pieces from there at most.
    motion: f64,
}

/// What searches use again from pair to pair.
#[derive(Default)]
pub(crate) struct SearchMemory<'p> {
    motion: SpanMotion,
    stack: Vec<OpenSpan<'p>>,
}

/// The search of one pair of links on one segment.
pub(crate) struct PairSearch<'w, 'p> {
    pub(crate) chain: &'w JointChain,
    pub(crate) links: [&'p LinkPieces; 2],
    /// How far the links are from the root at most, both together.
    pub(crate) length: f64,
    /// Where all links stand.
    pub(crate) placed: &'w PlacedTimes<'w>,
    /// The screen that knows boxes around the links, and which of its pairs this is.
    pub(crate) boxes: Option<(&'w StateScreen<'p>, usize)>,
    pub(crate) memory: &'w mut SearchMemory<'p>,
}

impl<'p> PairSearch<'_, 'p> {
    /// The rounding slack of two pieces on the segment.
    fn slack(&self, pieces: [&LinkPiece; 2]) -> f64 {
        slack_of(self.length, pieces[0], pieces[1])
    }

    /// Searches these spans, which are in their order, as far as they are before the first meeting of the pairs before it.
    pub(crate) fn run(
        &mut self,
        task: &SpanTask<'_>,
        spans: &[[f64; 2]],
        times: &JudgedTimes<'_, '_>,
        (pair, first): (usize, &mut FirstMeeting),
    ) -> PairSpans {
        let mut found = PairSpans::default();
        self.memory.stack.clear();
        spans.iter().rev().for_each(|&span| self.push(span));
        while let Some(open) = self.memory.stack.pop() {
            if open.span[0] >= first.upper {
                continue;
            }
            let share = if found.touches.is_some() {
                TOUCH_SHARE
            } else {
                1
            };
            if found.cells >= task.cells_max / share || task.is_stopped() {
                self.memory.stack.push(open);
                let until = first.upper.min(task.window[1]);
                for rest in self
                    .memory
                    .stack
                    .drain(..)
                    .filter(|rest| rest.span[0] < until)
                {
                    let span = [rest.span[0], rest.span[1].min(until)];
                    found.undecided = joined(found.undecided, span);
                }
                break;
            }
            found.cells += 1;
            if let Some(middle) = self.look(&open, task.clearance) {
                self.divide(task, times, (open, middle), pair, first, &mut found);
            }
        }
        found
    }

    /// Searches for states that are nearer than the nearest one; false where the spans ran out.
    pub(crate) fn measure(
        &mut self,
        task: &SpanTask<'_>,
        times: &JudgedTimes<'_, '_>,
        pair: usize,
        nearest: &mut NearestState,
    ) -> bool {
        self.seed(task, pair, nearest);
        self.memory.stack.clear();
        self.push(task.window);
        let mut cells = 0;
        while let Some(open) = self.memory.stack.pop() {
            if nearest.is_done() {
                return true;
            }
            if cells >= task.cells_max || task.is_stopped() {
                return false;
            }
            cells += 1;
            let Some(middle) = self.look(&open, nearest.threshold()) else {
                continue;
            };
            let at = 0.5 * open.span[0] + 0.5 * open.span[1];
            let is_leaf = self.largest(&open).is_none();
            if is_leaf && middle.lower > 0.0 {
                nearest.near(middle.upper, pair, at);
            } else if self.is_to_be_halved(&open, &middle, nearest.threshold()) {
                let here = times.at(at);
                if here.verdict == Verdict::Overlapping {
                    nearest.near(0.0, pair, at);
                }
                nearest.near(here.distance.upper, pair, at);
                if here.verdict == Verdict::Undecided && !is_leaf {
                    return false;
                }
                if self.halve_pieces(&open) {
                    continue;
                }
            }
            if open.span[0] < at && at < open.span[1] {
                self.halve_span(&open, &middle);
            } else {
                return false;
            }
        }
        true
    }

    /// Some states of the pieces that are what they stand for: the sooner the threshold is low, the fewer spans are divided.
    fn seed(&self, task: &SpanTask<'_>, pair: usize, nearest: &mut NearestState) {
        let [from, to] = task.window;
        for k in 0..=SEED_STATES {
            let u = from + (to - from) * f64::from(k) / f64::from(SEED_STATES);
            if self.gap(u) > nearest.distance {
                continue;
            }
            let links = self.placed.at(u);
            for pieces in self.whole_pieces() {
                if pieces.iter().any(|piece| piece.is_divisible()) {
                    continue;
                }
                let (placed, slack) = self.at_one_time(pieces, self.chain.ends[0], &links);
                let outcome = placed.run(Goal::Distance, V3::ZERO);
                let upper = outcome.upper - placed.beyond + 2.0 * slack;
                // Pieces that overlap are decided exactly, when their span is looked at.
                if upper > 0.0 {
                    nearest.near(upper, pair, u);
                }
            }
        }
    }

    /// The pairs of pieces that are no halves of another.
    pub(crate) fn whole_pieces(&self) -> impl Iterator<Item = [&'p LinkPiece; 2]> + use<'p> {
        let [a, b] = self.links;
        let with = move |a: &'p LinkPiece| b.pieces.iter().map(move |b| [a, b]);
        a.pieces.iter().flat_map(with)
    }

    /// Two pieces at one time in the frame of a link, and their slack.
    fn at_one_time(
        &self,
        pieces: [&'p LinkPiece; 2],
        frame: usize,
        links: &LinkPlaces,
    ) -> (SpanDifference<'p, 1>, f64) {
        let slack = self.slack(pieces);
        let ends = self.chain.ends;
        let placed = SpanDifference::new(pieces, (ends, frame), [&links[..]], (0.0, slack));
        (placed, slack)
    }

    /// All pairs of pieces over a part of the segment, to be looked at before all else.
    fn push(&mut self, span: [f64; 2]) {
        let pieces = self.whole_pieces();
        self.memory.stack.extend(pieces.map(|pieces| OpenSpan {
            span,
            pieces,
            direction: None,
            near: f64::INFINITY,
        }));
    }

    /// Closes a span, or says how the pieces are in its middle.
    fn look(&mut self, open: &OpenSpan<'p>, threshold: f64) -> Option<OpenMiddle> {
        let middle = self.moved(open);
        let (motion, slack) = (&self.memory.motion, self.slack(open.pieces));
        if motion.gap_of_balls(open.pieces, slack) > threshold {
            return None;
        }
        // Boxes are around whole links: they say something before a direction does.
        let boxes = self
            .boxes
            .filter(|_| open.direction.is_none() && self.is_whole(open));
        if let Some((screen, pair)) = boxes
            && screen.is_pair_apart(pair, &middle, threshold + motion.least + slack)
        {
            return None;
        }
        self.along(open, threshold, &middle, |_, _, _| ()).err()
    }

    /// Whether the pieces of a span are all that there is of both links.
    fn is_whole(&self, open: &OpenSpan<'p>) -> bool {
        let mut links = self.links.iter().zip(open.pieces);
        links.all(|(link, piece)| matches!(&link.pieces[..], [only] if std::ptr::eq(only, piece)))
    }

    /// What the joints do to the pieces of a span, which is kept, and where the links stand in its middle.
    pub(crate) fn moved(&mut self, open: &OpenSpan<'p>) -> LinkPlaces {
        let (span, pieces) = (open.span, open.pieces);
        let middle = self.placed.at(0.5 * span[0] + 0.5 * span[1]);
        let motion = &mut self.memory.motion;
        motion.set(self.chain, self.placed.segment, span, &middle, pieces);
        middle
    }

    /// Closes a span by a direction, of which the caller is told: the link in whose frame it is given, the direction, and which others
    /// close the span too. Or says how the pieces are in its middle.
    pub(crate) fn along<T>(
        &mut self,
        open: &OpenSpan<'p>,
        threshold: f64,
        middle: &LinkPlaces,
        found: impl FnOnce(usize, V3, &dyn Fn(V3) -> bool) -> T,
    ) -> Result<T, OpenMiddle> {
        let (span, pieces) = (open.span, open.pieces);
        let slack = self.slack(pieces);
        let motion = &mut self.memory.motion;
        let (frame, over) = motion.best_frame();
        let (between, least) = (motion.between, motion.least);
        let place = LinkMap::of_affine(&middle[frame]);
        let first = match open.direction {
            Some((known, direction)) if known == frame => direction,
            Some((known, direction)) => {
                let known = LinkMap::of_affine(&middle[known]);
                place.local_direction(known.vector(direction))
            }
            None => place.local_direction(between),
        };
        if open.near > threshold + beyond_of(pieces, (over, slack)) {
            let ends = span.map(|u| self.placed.at(u));
            let times = [&ends[0][..], &ends[1][..]];
            let swept = SpanDifference::new(pieces, (self.chain.ends, frame), times, (over, slack));
            let closes = |direction: V3| swept.bound_along(direction) > threshold;
            if closes(first) {
                return Ok(found(frame, first, &closes));
            }
            let goal = Goal::FartherThan(threshold + swept.beyond);
            let other = -swept.run(goal, first).direction;
            if closes(other) {
                return Ok(found(frame, other, &closes));
            }
        }
        let (placed, slack) = self.at_one_time(pieces, frame, middle);
        let outcome = placed.run(Goal::Distance, first);
        let enclosed = outcome.stop == Stop::Enclosed;
        Err(OpenMiddle {
            frame,
            direction: -outcome.direction,
            lower: if enclosed {
                -f64::INFINITY
            } else {
                outcome.lower - placed.beyond
            },
            upper: outcome.upper - placed.beyond + 2.0 * slack,
            near: outcome.upper,
            motion: least,
        })
    }

    /// What becomes of a span that no direction closed.
    fn divide(
        &mut self,
        task: &SpanTask<'_>,
        times: &JudgedTimes<'_, '_>,
        (open, middle): (OpenSpan<'p>, OpenMiddle),
        pair: usize,
        first: &mut FirstMeeting,
        found: &mut PairSpans,
    ) {
        let [from, to] = open.span;
        let at = 0.5 * from + 0.5 * to;
        let meets = |u: f64| task.is_meeting(&times.at(u));
        if self.is_to_be_halved(&open, &middle, task.clearance) {
            if meets(at) {
                first.meet(at, pair);
            } else if times.at(at).verdict == Verdict::Undecided && self.largest(&open).is_some() {
                // Whether one is inside of the other is not known, and surfaces alone would not tell.
                found.undecided = joined(found.undecided, open.span);
                return;
            } else if self.halve_pieces(&open) {
                return;
            }
        }
        if from == 0.0 && first.upper <= at && meets(0.0) {
            first.meet(0.0, pair);
            first.from(0.0);
            return;
        }
        if to - from > task.resolution && from < at && at < to {
            self.halve_span(&open, &middle);
            return;
        }
        if !(first.upper <= to) {
            [from, to].into_iter().filter(|&u| meets(u)).for_each(|u| {
                first.meet(u, pair);
            });
        }
        if first.upper <= to {
            first.from(from);
            return;
        }
        if middle.motion > task.touch_band && from < at && at < to {
            self.halve_span(&open, &middle);
            return;
        }
        let is_touch = task.clearance == 0.0 && times.at(at).verdict != Verdict::Undecided;
        let place = if is_touch {
            &mut found.touches
        } else {
            &mut found.undecided
        };
        *place = joined(*place, open.span);
    }

    /// Whether the pieces of a span are near in its middle, or so large beside what they move that their halves say more.
    pub(crate) fn is_to_be_halved(
        &self,
        open: &OpenSpan<'p>,
        middle: &OpenMiddle,
        threshold: f64,
    ) -> bool {
        let is_near = !(middle.lower > threshold);
        is_near || middle.motion < PIECE_SHARE * self.largest(open).map_or(0.0, |(_, reach)| reach)
    }

    /// How far apart balls around the links' pieces are at a time; the nearest two.
    pub(crate) fn gap(&self, u: f64) -> f64 {
        let links = self.placed.at(u);
        let gaps = self
            .whole_pieces()
            .map(|pieces| self.gap_of(&links, pieces));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// The side of the larger piece that can be divided, and its reach.
    pub(crate) fn largest(&self, open: &OpenSpan<'p>) -> Option<(usize, f64)> {
        let sides = (0..2).filter(|&side| open.pieces[side].is_divisible());
        let reaches = sides.map(|side| (side, open.pieces[side].reach));
        reaches.max_by(|x, y| x.1.total_cmp(&y.1))
    }

    /// The larger piece that is more than its surface, in halves, the nearer one to be looked at first; false where there is none.
    fn halve_pieces(&mut self, open: &OpenSpan<'p>) -> bool {
        let Some((side, _)) = self.largest(open) else {
            return false;
        };
        let Some(halves) = open.pieces[side].halves() else {
            return false;
        };
        let links = self.placed.at(0.5 * open.span[0] + 0.5 * open.span[1]);
        let mut children = halves.each_ref().map(|half| {
            let mut child = *open;
            child.pieces[side] = half;
            child.near = f64::INFINITY;
            (self.gap_of(&links, child.pieces), child)
        });
        children.sort_by(|x, y| y.0.total_cmp(&x.0));
        let children = children.map(|(_, child)| child);
        self.memory.stack.extend(children);
        true
    }

    /// How far apart balls around two pieces are where the links stand so.
    fn gap_of(&self, links: &LinkPlaces, pieces: [&LinkPiece; 2]) -> f64 {
        let center = |side: usize| center_of(pieces[side], &links[self.chain.ends[side]]);
        let radii = pieces.map(|piece| piece.reach + piece.radius);
        (center(1) - center(0)).norm() - radii[0] - radii[1]
    }

    /// Whether a piece is larger than its surface.
    pub(crate) fn is_divisible(&self) -> bool {
        let mut pieces = self.links.iter().flat_map(|link| &link.pieces);
        pieces.any(LinkPiece::is_divisible)
    }

    /// The later half of the span, then the earlier one, which is looked at first.
    fn halve_span(&mut self, open: &OpenSpan<'p>, middle: &OpenMiddle) {
        let [from, to] = open.span;
        let at = 0.5 * from + 0.5 * to;
        for span in [[at, to], [from, at]] {
            self.memory.stack.push(OpenSpan {
                span,
                pieces: open.pieces,
                direction: Some((middle.frame, middle.direction)),
                near: middle.near,
            });
        }
    }
}

/// Whether no joint between the links moves on a segment.
pub(crate) fn is_still(chain: &JointChain, segment: &PathSegment) -> bool {
    let mut variables = chain.variables.iter();
    variables.all(|variable| segment.curves[variable.joint].is_still())
}

/// A pair that no joint moves on the segment: one state is all of them.
pub(crate) fn at_rest(
    task: &SpanTask<'_>,
    times: &JudgedTimes<'_, '_>,
    pair: usize,
    first: &mut FirstMeeting,
) -> PairSpans {
    let here = times.at(0.0);
    let mut found = PairSpans {
        cells: 1,
        ..PairSpans::default()
    };
    if task.is_meeting(&here) {
        first.meet(0.0, pair);
        first.lower = 0.0;
    } else if here.verdict == Verdict::Touching {
        found.touches = Some([0.0, 1.0]);
    } else if here.verdict == Verdict::Undecided || here.distance.lower < task.clearance {
        found.undecided = Some([0.0, 1.0]);
    }
    found
}
