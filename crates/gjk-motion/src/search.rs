//! The search of one pair of links on one segment: proved apart all the time, or the first time at which they meet.
//!
//! Where it sits: `path.rs` runs it pair after pair, `profile.rs` for least distances. Read [`PairSearch::run`].
//! Idea: a stack of spans of time, each with a piece of each link, the earlier half of a span first. A span is closed by balls, by the
//! direction of the span that it is a half of, or by the one that GJK finds. Else the pieces are looked at in the middle of the span: where
//! they are near, the state is decided exactly, and a meeting drops all that is later; pieces that are larger than their surface are halved.
//! Else the span is. Pairs share the first meeting, so that each only looks at what is before it.
//! Numbers: nothing here decides that links meet.

use crate::cell::{CellMotion, PairFrame, slack_of};
use crate::curve::PathSegment;
use crate::map::{LinkMap, V3};
use crate::piece::LinkPieces;
use crate::profile::NearestState;
use crate::prove::PIECE_SHARE;
use crate::rooted::{Rooted, RootedPiece};
use crate::span::{SpanDifference, SpanRates, best_cut, length_on, values};
use crate::state::{JudgedState, JudgedTimes};
use gjk::Stop;
use gjk::loops::gjk::Goal;
use gjk::math::Vector;
use gjk::query::Verdict;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many states and one more give a first upper end of a least clearance.
const SEED_STATES: u32 = 8;

/// Of a pair that touches only this part of the spans is spent: links that slide along one another touch in each.
const TOUCH_SHARE: u64 = 16;

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) struct SpanTask<'t> {
    pub(crate) segment: &'t PathSegment,
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
struct OpenSpan {
    span: [f64; 2],
    pieces: [usize; 2],
    /// A direction in the frame behind so many joints.
    direction: Option<(usize, V3)>,
}

/// A span that no direction closed, and its pieces in the middle of it.
struct OpenMiddle {
    cut: usize,
    direction: V3,
    lower: f64,
    upper: f64,
    /// How far the joints move the pieces from there at most.
    motion: f64,
}

/// The search of one pair of links: what it keeps from one segment to the next.
pub(crate) struct PairSearch<'p, 'c> {
    frame: &'c PairFrame<'c>,
    rooted: [Rooted<'p>; 2],
    motion: CellMotion,
    stack: Vec<OpenSpan>,
    /// How long the chain is on the segment.
    length: f64,
}

impl<'p, 'c> PairSearch<'p, 'c> {
    pub(crate) fn new(frame: &'c PairFrame<'c>, [a, b]: [&'p LinkPieces; 2]) -> Self {
        let rooted = [
            Rooted::new(a, frame.rooted[0]),
            Rooted::new(b, frame.rooted[1]),
        ];
        Self {
            frame,
            rooted,
            motion: CellMotion::default(),
            stack: Vec::new(),
            length: frame.chain.length,
        }
    }

    /// The search goes on with another segment. What others of a path do changes nothing.
    pub(crate) fn begin_segment(&mut self, segment: &PathSegment) {
        self.length = length_on(self.frame, segment);
    }

    /// The rounding slack of two pieces on the segment.
    fn slack(&self, pieces: [&RootedPiece<'_>; 2]) -> f64 {
        slack_of(self.length, pieces[0].piece, pieces[1].piece)
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
        self.stack.clear();
        spans.iter().rev().for_each(|&span| self.push(span));
        while let Some(open) = self.stack.pop() {
            if open.span[0] >= first.upper {
                continue;
            }
            let share = if found.touches.is_some() {
                TOUCH_SHARE
            } else {
                1
            };
            if found.cells >= task.cells_max / share || task.is_stopped() {
                self.stack.push(open);
                let until = first.upper.min(task.window[1]);
                for rest in self.stack.drain(..).filter(|rest| rest.span[0] < until) {
                    let span = [rest.span[0], rest.span[1].min(until)];
                    found.undecided = joined(found.undecided, span);
                }
                break;
            }
            found.cells += 1;
            if let Some(middle) = self.look(task, &open, task.clearance) {
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
        self.stack.clear();
        self.push(task.window);
        let mut cells = 0;
        while let Some(open) = self.stack.pop() {
            if nearest.is_done() {
                return true;
            }
            if cells >= task.cells_max || task.is_stopped() {
                return false;
            }
            cells += 1;
            let Some(middle) = self.look(task, &open, nearest.threshold()) else {
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
                if self.halve_pieces(task, &open) {
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
            if self.gap(task.segment, u) > nearest.distance {
                continue;
            }
            let at = values(self.frame, task.segment, u);
            for a in 0..self.rooted[0].whole {
                for b in 0..self.rooted[1].whole {
                    let pieces = self.pieces([a, b]);
                    if pieces.iter().any(|piece| piece.piece.is_divisible()) {
                        continue;
                    }
                    let slack = self.slack(pieces);
                    let placed = SpanDifference::new(self.frame, pieces, 0, &[&at], (0.0, slack));
                    let outcome = placed.run(Goal::Distance, V3::ZERO);
                    let upper = outcome.upper - placed.beyond + 2.0 * slack;
                    // Pieces that overlap are decided exactly, when their span is looked at.
                    if upper > 0.0 {
                        nearest.near(upper, pair, u);
                    }
                }
            }
        }
    }

    /// All pairs of pieces over a part of the segment, to be looked at before all else.
    fn push(&mut self, span: [f64; 2]) {
        // Halves stand behind them, and are found again by the pieces that they are of.
        for a in 0..self.rooted[0].whole {
            for b in 0..self.rooted[1].whole {
                self.stack.push(OpenSpan {
                    span,
                    pieces: [a, b],
                    direction: None,
                });
            }
        }
    }

    fn pieces(&self, [a, b]: [usize; 2]) -> [&RootedPiece<'p>; 2] {
        [&self.rooted[0].pieces[a], &self.rooted[1].pieces[b]]
    }

    /// Closes a span, or says how the pieces are in its middle.
    fn look(&mut self, task: &SpanTask<'_>, open: &OpenSpan, threshold: f64) -> Option<OpenMiddle> {
        let frame = self.frame;
        let mut motion = std::mem::take(&mut self.motion);
        let pieces = self.pieces(open.pieces);
        let rates = SpanRates::new(frame, task.segment, open.span);
        frame.motion_in_middle(&rates.cell, pieces, &mut motion);
        let (between, gap) = gap_of_balls(frame, &motion, pieces, self.slack(pieces));
        let middle = if gap > threshold {
            None
        } else {
            self.by_directions(task, open, (threshold, between), &motion, &rates)
        };
        self.motion = motion;
        middle
    }

    fn by_directions(
        &self,
        task: &SpanTask<'_>,
        open: &OpenSpan,
        (threshold, between): (f64, V3),
        motion: &CellMotion,
        rates: &SpanRates,
    ) -> Option<OpenMiddle> {
        let frame = self.frame;
        let pieces = self.pieces(open.pieces);
        let [from, to] = open.span;
        let at = |u: f64| values(frame, task.segment, u);
        let (cut, over) = best_cut(frame, motion, rates, open.span);
        let ends = [at(from), at(to)];
        let slack = self.slack(pieces);
        let swept = SpanDifference::new(frame, pieces, cut, &[&ends[0], &ends[1]], (over, slack));
        let first = match open.direction {
            Some((known, direction)) if known == cut => direction,
            Some((known, direction)) => {
                let in_first = motion.to_first(known).vector(direction);
                motion.to_first(cut).local_direction(in_first)
            }
            None => motion.to_first(cut).local_direction(between),
        };
        let closes = |direction: V3| swept.bound_along(direction) > threshold;
        if closes(first) {
            return None;
        }
        let goal = Goal::FartherThan(threshold + swept.beyond);
        if closes(-swept.run(goal, first).direction) {
            return None;
        }
        let middle = at(0.5 * from + 0.5 * to);
        let placed = SpanDifference::new(frame, pieces, cut, &[&middle], (0.0, slack));
        let outcome = placed.run(Goal::Distance, first);
        let enclosed = outcome.stop == Stop::Enclosed;
        Some(OpenMiddle {
            cut,
            direction: -outcome.direction,
            lower: if enclosed {
                -f64::INFINITY
            } else {
                outcome.lower - placed.beyond
            },
            upper: outcome.upper - placed.beyond + 2.0 * slack,
            motion: motion.least_motion(),
        })
    }

    /// What becomes of a span that no direction closed.
    fn divide(
        &mut self,
        task: &SpanTask<'_>,
        times: &JudgedTimes<'_, '_>,
        (open, middle): (OpenSpan, OpenMiddle),
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
            } else if self.halve_pieces(task, &open) {
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
    fn is_to_be_halved(&self, open: &OpenSpan, middle: &OpenMiddle, threshold: f64) -> bool {
        let is_near = !(middle.lower > threshold);
        is_near || middle.motion < PIECE_SHARE * self.largest(open).map_or(0.0, |(_, reach)| reach)
    }

    /// How far apart balls around the links' pieces are at a time; the nearest two.
    pub(crate) fn gap(&self, segment: &PathSegment, u: f64) -> f64 {
        let place = self.frame.chain.place(&values(self.frame, segment, u));
        let pairs =
            (0..self.rooted[0].whole).flat_map(|a| (0..self.rooted[1].whole).map(move |b| [a, b]));
        let gaps = pairs.map(|pieces| self.gap_of(&place, pieces));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// The side of the larger piece that can be divided, and its reach.
    fn largest(&self, open: &OpenSpan) -> Option<(usize, f64)> {
        let pieces = self.pieces(open.pieces).map(|piece| piece.piece);
        let sides = (0..2).filter(|&side| pieces[side].is_divisible());
        let reaches = sides.map(|side| (side, pieces[side].reach));
        reaches.max_by(|x, y| x.1.total_cmp(&y.1))
    }

    /// The larger piece that is more than its surface, in halves, the nearer one to be looked at first; false where there is none.
    fn halve_pieces(&mut self, task: &SpanTask<'_>, open: &OpenSpan) -> bool {
        let Some((side, _)) = self.largest(open) else {
            return false;
        };
        let Some(halves) = self.rooted[side].halves(open.pieces[side]) else {
            return false;
        };
        let [from, to] = open.span;
        let at = values(self.frame, task.segment, 0.5 * from + 0.5 * to);
        let place = self.frame.chain.place(&at);
        let mut children = halves.map(|half| {
            let mut child = *open;
            child.pieces[side] = half;
            (self.gap_of(&place, child.pieces), child)
        });
        children.sort_by(|x, y| y.0.total_cmp(&x.0));
        self.stack.extend(children.map(|(_, child)| child));
        true
    }

    /// How far apart balls around two pieces are, where the second link has this place in the first one's frame.
    fn gap_of(&self, place: &LinkMap, pieces: [usize; 2]) -> f64 {
        let [a, b] = self.pieces(pieces).map(|piece| piece.piece);
        let between = (place.point(b.center) - a.center).norm();
        between - a.reach - a.radius - b.reach - b.radius
    }

    /// Whether a piece is larger than its surface.
    pub(crate) fn is_divisible(&self) -> bool {
        let sides = self.rooted.iter();
        let mut pieces = sides.flat_map(|rooted| &rooted.pieces[..rooted.whole]);
        pieces.any(|piece| piece.piece.is_divisible())
    }

    /// The later half of the span, then the earlier one, which is looked at first.
    fn halve_span(&mut self, open: &OpenSpan, middle: &OpenMiddle) {
        let [from, to] = open.span;
        let at = 0.5 * from + 0.5 * to;
        for span in [[at, to], [from, at]] {
            self.stack.push(OpenSpan {
                span,
                pieces: open.pieces,
                direction: Some((middle.cut, middle.direction)),
            });
        }
    }
}

/// Whether no joint between the links moves on a segment.
pub(crate) fn is_still(frame: &PairFrame<'_>, segment: &PathSegment) -> bool {
    let mut variables = frame.chain.variables.iter();
    variables.all(|variable| segment.curves[variable.joint].is_still())
}

/// The way from the first piece's centre to the second's in the middle of a span, in the frame of the first link; and how far balls around
/// the pieces keep apart in all of it.
fn gap_of_balls(
    frame: &PairFrame<'_>,
    motion: &CellMotion,
    [a, b]: [&RootedPiece<'_>; 2],
    slack: f64,
) -> (V3, f64) {
    let place = motion.to_first(motion.len());
    let last = frame.chain.fixed.len() - 1;
    let other = place.point(frame.chain.fixed[last].point(b.piece.center));
    let between = other - a.piece.center;
    let radii = [a, b].map(|piece| piece.piece.reach + piece.piece.radius);
    let beyond = motion.least_motion() + slack;
    (between, between.norm() - radii[0] - radii[1] - beyond)
}
