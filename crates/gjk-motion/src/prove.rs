//! The one branch and bound over joint ranges: how near two links come, proved, or a state in which they meet.
//!
//! Where it sits: `matrix.rs` asks it for each pair of links. Read [`PairProver::run`].
//! Idea: a stack of cells, each a box of joint values with a piece of each link. A cell is closed when its swept pieces are farther apart
//! than the threshold, which a direction proves: the parent's, the one of the cell's middle, or the one that GJK finds. Else the cell is
//! divided where that raises the bound most, or a piece that is larger than its surface is; the half that is nearer goes first. The
//! threshold falls as nearer states are found, so what was closed stays closed.
//! Numbers: nothing here decides that links meet: that is asked of the caller, who decides it exactly at a state.

use crate::cell::{CellMotion, CellSides, PairFrame, RangeCell};
use crate::map::{LinkMap, V3};
use crate::piece::{LinkPiece, LinkPieces, RootedPiece};
use gjk::MinkowskiDifference;
use gjk::Stop;
use gjk::loops::gjk::{self as gjk_loop, Goal, Outcome, Settings};
use gjk::math::Vector;
use gjk::query::Interval;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much more what the arcs cost counts than how far the witness points approach each other, when a range is chosen to be divided.
/// Measured on all pairs of a Panda and a PR2: 4, 8 and 16 take 14,000, 9,800 and 5,700 cells to measure Panda's distances, and the same
/// to decide the PR2's pairs; 1 takes four times as many.
const CURVATURE_WEIGHT: f64 = 8.0;

/// Ranges that cost a bound less than this part of the chain's length are not divided.
const DIVISION_MIN: f64 = 1e-9;

/// A piece is divided rather than a range where the range costs less than this part of the piece's radius.
const PIECE_SHARE: f64 = 0.25;

/// What a proof is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RangeOptions {
    /// Links that come nearer than this are of interest.
    pub margin: f64,
    /// How wide the interval of the least distance may be, in length.
    pub tolerance: f64,
    /// How wide it may be as a part of the distance.
    pub tolerance_relative: f64,
    /// Links that come this near without being known to meet are called touching.
    pub touch_band: f64,
    /// At most so many cells.
    pub cells_max: u64,
    /// Whether the tree of cells is kept.
    pub keep_nodes: bool,
}

impl Default for RangeOptions {
    fn default() -> Self {
        Self {
            margin: 0.0,
            tolerance: 1e-3,
            tolerance_relative: 0.1,
            touch_band: 1e-5,
            cells_max: 1_000_000,
            keep_nodes: false,
        }
    }
}

/// What the caller says of the two links in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateDistance {
    /// True where they overlap, by an exact verdict.
    pub overlaps: bool,
    /// Their signed distance.
    pub distance: Interval<f64>,
}

/// What is known of a pair of links over the whole ranges.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeAnswer {
    /// They are nowhere nearer than the margin: the least distance of all states.
    Never {
        /// The least distance.
        distance: Interval<f64>,
        /// Values of the chain's variables at which they are as near as the upper end.
        at: Vec<f64>,
    },
    /// They overlap, or come nearer than the margin, at these values of the chain's variables.
    Meets {
        /// The values.
        at: Vec<f64>,
    },
    /// They come so near to touching that no state decides it.
    Touches {
        /// The values at which they were nearest.
        at: Vec<f64>,
        /// How near at least, as was proved, and at most.
        distance: Interval<f64>,
    },
    /// The cells ran out, or the caller stopped it.
    Open {
        /// The values at which they were nearest.
        at: Vec<f64>,
        /// The distance there.
        nearest: f64,
        /// The part of the ranges' volume that is proved.
        proved_share: f64,
    },
}

/// A node of the tree of cells that proves an answer, in the order in which they were looked at: a node, the tree of its first half, then
/// that of its second one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProofNode {
    /// The tree of a part of the first link and one of the second begins: all joint values.
    Parts {
        /// The parts, by index.
        parts: [usize; 2],
    },
    /// The cell is closed: the pieces keep apart along this direction.
    Apart {
        /// How many joints of the chain stand before the frame of the direction.
        cut: usize,
        /// From the first link to the second.
        direction: [f64; 3],
    },
    /// The range of a variable is halved at a value.
    Range {
        /// The variable, as an index into [`JointChain::variables`](crate::JointChain::variables).
        variable: usize,
        /// Where.
        at: f64,
        /// Whether the lower half comes first.
        low_first: bool,
    },
    /// The triangles of a link's piece are halved: those with the greater centres along an axis come first.
    Triangles {
        /// Which link.
        side: usize,
    },
}

/// An answer, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeProof {
    /// What is known.
    pub answer: RangeAnswer,
    /// Cells looked at.
    pub cells: u64,
    /// Runs of GJK.
    pub loops: u64,
    /// The tree of cells of the answer [`RangeAnswer::Never`], where it was asked for.
    pub nodes: Vec<ProofNode>,
}

/// A cell to look at, with a piece of each link.
#[derive(Debug)]
struct OpenRange {
    cell: RangeCell,
    pieces: [usize; 2],
    /// A direction in the frame behind so many joints.
    direction: Option<(usize, V3)>,
    /// The part of the ranges' volume that it is.
    share: f64,
    /// Whether it is all joint values of two parts.
    is_first: bool,
}

/// The pieces of one link that were rooted so far; halves come behind.
struct Rooted<'p> {
    pieces: Vec<RootedPiece<'p>>,
    halves: Vec<OnceCell<[usize; 2]>>,
    /// How many of the pieces are whole parts: those at the front.
    parts: usize,
    map: LinkMap,
}

impl<'p> Rooted<'p> {
    fn new(link: &'p LinkPieces, map: LinkMap) -> Self {
        let pieces: Vec<_> = link
            .pieces
            .iter()
            .map(|piece| RootedPiece::new(piece, &map))
            .collect();
        let halves = pieces.iter().map(|_| OnceCell::new()).collect();
        Self {
            parts: pieces.len(),
            pieces,
            halves,
            map,
        }
    }

    /// The halves of a piece, by index; `None` where it is what it stands for.
    fn halves(&mut self, index: usize) -> Option<[usize; 2]> {
        if let Some(&known) = self.halves[index].get() {
            return Some(known);
        }
        let piece: &'p LinkPiece = self.pieces[index].piece;
        let halves = piece.halves()?;
        let first = self.pieces.len();
        for half in halves {
            self.pieces.push(RootedPiece::new(half, &self.map));
            self.halves.push(OnceCell::new());
        }
        let both = [first, first + 1];
        Some(*self.halves[index].get_or_init(|| both))
    }
}

/// The search of one pair of links.
pub(crate) struct PairProver<'p, 'c> {
    frame: &'c PairFrame<'c>,
    rooted: [Rooted<'p>; 2],
    options: RangeOptions,
    /// The least distance of a state so far, and its values.
    nearest: f64,
    at: Vec<f64>,
    /// The least bound of a closed cell.
    proved: f64,
    cells: u64,
    loops: u64,
    closed_share: f64,
    motion: CellMotion,
    nodes: Vec<ProofNode>,
    /// Whether the least distance is wanted, or only whether the links meet.
    measures: bool,
}

/// What a look at a cell gave.
enum Looked {
    Closed(f64, ProofNode),
    Divide(ProofNode, OpenRange, OpenRange),
    Meets,
    /// So small that dividing it says nothing more.
    Small,
}

impl<'p, 'c> PairProver<'p, 'c> {
    /// A search that knows a near state, if it does: its distance and values.
    pub(crate) fn new(
        frame: &'c PairFrame<'c>,
        [a, b]: [&'p LinkPieces; 2],
        options: RangeOptions,
        known: Option<(f64, Vec<f64>)>,
    ) -> Self {
        let (nearest, at) =
            known.unwrap_or_else(|| (f64::INFINITY, RangeCell::whole(frame.chain).center()));
        Self {
            frame,
            rooted: [
                Rooted::new(a, frame.rooted[0]),
                Rooted::new(b, frame.rooted[1]),
            ],
            options,
            nearest,
            at,
            proved: f64::INFINITY,
            cells: 0,
            loops: 0,
            closed_share: 0.0,
            motion: CellMotion::default(),
            nodes: Vec::new(),
            measures: false,
        }
    }

    /// Cells farther apart than this are closed.
    fn threshold(&self) -> f64 {
        if !self.measures {
            return self.options.margin;
        }
        self.wanted()
    }

    /// Searches; `decide` says of a state how near the links are.
    pub(crate) fn run(
        mut self,
        decide: &dyn Fn(&[f64]) -> StateDistance,
        stop: Option<&AtomicBool>,
    ) -> RangeProof {
        let stack = self.first();
        if let Some(open) = stack.last()
            && !self.nearest.is_finite()
        {
            let (_, at) = self.descend(open, self.at.clone());
            let state = decide(&at);
            (self.nearest, self.at) = (state.distance.upper.max(0.0), at);
            if state.overlaps || state.distance.upper < self.options.margin {
                let at = self.at.clone();
                return self.answer(RangeAnswer::Meets { at });
            }
        }
        let first = self.search(stack, decide, stop);
        if !matches!(first, RangeAnswer::Never { .. }) || self.proved >= self.wanted() {
            return self.answer(first);
        }
        self.measures = true;
        (self.proved, self.closed_share) = (f64::INFINITY, 0.0);
        self.nodes.clear();
        let stack = self.first();
        let answer = self.search(stack, decide, stop);
        self.answer(answer)
    }

    fn keep(&mut self, node: ProofNode) {
        if self.options.keep_nodes {
            self.nodes.push(node);
        }
    }

    /// A lower end of the least distance that is near enough.
    fn wanted(&self) -> f64 {
        let tolerance = self
            .options
            .tolerance
            .max(self.options.tolerance_relative * self.nearest);
        (self.nearest - tolerance).max(self.options.margin)
    }

    /// Looks at cells until none is left.
    fn search(
        &mut self,
        mut stack: Vec<OpenRange>,
        decide: &dyn Fn(&[f64]) -> StateDistance,
        stop: Option<&AtomicBool>,
    ) -> RangeAnswer {
        let mut touches = false;
        while let Some(open) = stack.pop() {
            let is_stopped = stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if self.cells >= self.options.cells_max || is_stopped {
                return RangeAnswer::Open {
                    at: self.at.clone(),
                    nearest: self.nearest,
                    proved_share: self.closed_share.min(1.0),
                };
            }
            self.cells += 1;
            let share = open.share;
            if open.is_first {
                self.keep(ProofNode::Parts { parts: open.pieces });
            }
            match self.look(open, decide) {
                Looked::Closed(bound, node) => {
                    self.keep(node);
                    self.proved = self.proved.min(bound);
                    self.closed_share += share;
                }
                Looked::Divide(node, far, near) => {
                    self.keep(node);
                    stack.push(far);
                    stack.push(near);
                }
                Looked::Meets => {
                    return RangeAnswer::Meets {
                        at: self.at.clone(),
                    };
                }
                Looked::Small => {
                    touches = true;
                    break;
                }
            }
        }
        let distance = Interval {
            lower: if touches {
                0.0
            } else {
                self.proved.min(self.nearest)
            },
            upper: self.nearest,
        };
        let at = self.at.clone();
        if touches {
            RangeAnswer::Touches { at, distance }
        } else {
            RangeAnswer::Never { distance, at }
        }
    }

    fn answer(self, answer: RangeAnswer) -> RangeProof {
        RangeProof {
            answer,
            cells: self.cells,
            loops: self.loops,
            nodes: self.nodes,
        }
    }

    /// All pairs of pieces over the whole ranges, the nearest last, where the stack takes from.
    fn first(&mut self) -> Vec<OpenRange> {
        let whole = RangeCell::whole(self.frame.chain);
        let counts = [0, 1].map(|k| self.rooted[k].parts);
        let share = 1.0 / (counts[0] * counts[1]).max(1) as f64;
        let place = self.frame.chain.place(&self.at);
        let mut items: Vec<(f64, OpenRange)> = Vec::new();
        for a in 0..counts[0] {
            for b in 0..counts[1] {
                let [one, other] = [
                    self.rooted[0].pieces[a].piece,
                    self.rooted[1].pieces[b].piece,
                ];
                let gap = (one.center - place.point(other.center)).norm() - one.reach - other.reach;
                let open = OpenRange {
                    cell: whole.clone(),
                    pieces: [a, b],
                    direction: None,
                    share,
                    is_first: true,
                };
                items.push((gap, open));
            }
        }
        items.sort_by(|x, y| y.0.total_cmp(&x.0));
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Closes a cell, divides it, or finds that the links meet in its middle.
    fn look(&mut self, open: OpenRange, decide: &dyn Fn(&[f64]) -> StateDistance) -> Looked {
        let threshold = self.threshold();
        let mut motion = std::mem::take(&mut self.motion);
        let pieces = self.pieces(open.pieces);
        self.frame.motion(&open.cell, pieces, &mut motion);
        let sides = CellSides::new(self.frame, &motion, pieces);
        let inherited = open.direction.map(|(cut, direction)| {
            if cut == sides.cut {
                return direction;
            }
            let world = motion.to_first(cut).vector(direction);
            motion.to_first(sides.cut).to_local(world)
        });
        let along = |direction: V3| {
            let bound = sides.bound_along(direction);
            (bound > threshold).then_some((bound, direction))
        };
        let mut closed = inherited.and_then(along);
        let mut loops = 0;
        let mut middle = None;
        if closed.is_none() {
            let found = self.middle(&motion, pieces, sides.cut, inherited);
            loops += 1;
            if found.distance.lower > threshold {
                closed = along(found.direction);
                if closed.is_none() {
                    loops += 1;
                    let outcome = far_apart(&sides, found.direction, threshold);
                    closed = along(-outcome.direction);
                }
            }
            middle = Some(found);
        }
        let cut = sides.cut;
        self.loops += loops;
        self.motion = motion;
        match (closed, middle) {
            (Some((bound, direction)), _) => {
                let direction = direction.to_f64();
                Looked::Closed(bound, ProofNode::Apart { cut, direction })
            }
            (None, Some(found)) => self.divide(open, found, cut, decide),
            (None, None) => Looked::Small,
        }
    }

    fn pieces(&self, [a, b]: [usize; 2]) -> [&RootedPiece<'p>; 2] {
        [&self.rooted[0].pieces[a], &self.rooted[1].pieces[b]]
    }

    /// The pieces in the middle of a cell.
    fn middle(
        &self,
        motion: &CellMotion,
        pieces: [&RootedPiece<'p>; 2],
        cut: usize,
        first: Option<V3>,
    ) -> MiddleFound {
        let sides = CellSides::middle(self.frame, motion, pieces, cut);
        let outcome = distance_of(&sides, first);
        let to_first = motion.to_first(cut);
        let enclosed = outcome.stop == Stop::Enclosed;
        let beyond = sides.beyond;
        let slack = self.frame.slack(pieces[0].piece, pieces[1].piece);
        MiddleFound {
            distance: Interval {
                lower: if enclosed {
                    -f64::INFINITY
                } else {
                    outcome.lower - beyond
                },
                upper: outcome.upper - beyond + 2.0 * slack,
            },
            is_apart: !enclosed && outcome.lower > beyond,
            direction: -outcome.direction,
            on_b: to_first.point(outcome.points[2]),
            along: to_first.vector(-outcome.direction),
        }
    }

    /// What becomes of a cell that no direction closed.
    fn divide(
        &mut self,
        open: OpenRange,
        found: MiddleFound,
        cut: usize,
        decide: &dyn Fn(&[f64]) -> StateDistance,
    ) -> Looked {
        let center = open.cell.center();
        let divisible = [0, 1].map(|k| self.rooted[k].pieces[open.pieces[k]].piece.is_divisible());
        let is_leaf = !divisible[0] && !divisible[1];
        if is_leaf && found.is_apart && found.distance.upper < self.nearest {
            (self.nearest, self.at) = (found.distance.upper, center.clone());
        }
        let near = !(found.distance.lower > self.threshold());
        if near && !is_leaf {
            return self.divide_piece(open, divisible);
        }
        if !found.is_apart || found.distance.lower <= self.options.margin {
            let state = decide(&center);
            if state.overlaps || state.distance.upper < self.options.margin {
                (self.nearest, self.at) = (state.distance.upper, center);
                return Looked::Meets;
            }
            if state.distance.upper.max(0.0) < self.nearest {
                (self.nearest, self.at) = (state.distance.upper.max(0.0), center.clone());
            }
        }
        let direction = Some((cut, found.direction));
        let widest = self.variable(&open, &found, cut);
        let lost = widest.map_or(0.0, |(lost, _)| lost);
        if !is_leaf && lost < PIECE_SHARE * self.largest(&open, divisible) {
            return self.divide_piece(open, divisible);
        }
        let small = DIVISION_MIN * self.frame.chain.length.max(f64::MIN_POSITIVE);
        let Some((_, variable)) = widest.filter(|&(lost, _)| lost > small) else {
            let (distance, at) = self.descend(&open, center);
            if distance <= self.options.margin {
                let state = decide(&at);
                if state.overlaps || state.distance.upper < self.options.margin {
                    (self.nearest, self.at) = (state.distance.upper, at);
                    return Looked::Meets;
                }
            }
            return Looked::Small;
        };
        let [low, high] = open.cell.split(variable);
        let child = |cell: RangeCell| OpenRange {
            cell,
            pieces: open.pieces,
            direction,
            share: open.share * 0.5,
            is_first: false,
        };
        let at = low.upper[variable];
        let rate = self
            .motion
            .rate(self.frame.chain, variable, found.on_b, found.along);
        let low_is_nearer = rate > 0.0;
        let (low, high) = (child(low), child(high));
        let node = ProofNode::Range {
            variable,
            at,
            low_first: low_is_nearer,
        };
        if low_is_nearer {
            Looked::Divide(node, high, low)
        } else {
            Looked::Divide(node, low, high)
        }
    }

    /// The reach of the largest piece that can be divided.
    fn largest(&self, open: &OpenRange, divisible: [bool; 2]) -> f64 {
        let reach = |k: usize| {
            if divisible[k] {
                self.rooted[k].pieces[open.pieces[k]].piece.reach
            } else {
                0.0
            }
        };
        reach(0).max(reach(1))
    }

    /// From these values downhill, a variable at a time, in steps that halve: a state in which the two pieces are nearer, and their
    /// distance there; zero where they meet.
    fn descend(&self, open: &OpenRange, from: Vec<f64>) -> (f64, Vec<f64>) {
        let chain = self.frame.chain;
        let pieces = self.pieces(open.pieces);
        let mut motion = CellMotion::default();
        let mut gap = |values: &[f64]| {
            let at = RangeCell {
                lower: values.to_vec(),
                upper: values.to_vec(),
            };
            self.frame.motion(&at, pieces, &mut motion);
            let found = self.middle(&motion, pieces, 0, None);
            if found.is_apart {
                found.distance.upper
            } else {
                0.0
            }
        };
        let mut at = from;
        let mut least = gap(&at);
        let mut share = 0.125;
        while share > 1e-10 && least > 0.0 {
            let before = least;
            for (k, variable) in chain.variables.iter().enumerate() {
                let range = variable.range;
                let step = share * (range.upper - range.lower);
                for way in [-step, step] {
                    let mut values = at.clone();
                    values[k] = (at[k] + way).clamp(range.lower, range.upper);
                    let found = gap(&values);
                    if found < least {
                        (least, at) = (found, values);
                    }
                }
            }
            if !(least < before) {
                share *= 0.25;
            }
        }
        (least, at)
    }

    /// The larger piece that is more than its surface, in halves.
    fn divide_piece(&mut self, open: OpenRange, divisible: [bool; 2]) -> Looked {
        let reach = |k: usize| self.rooted[k].pieces[open.pieces[k]].piece.reach;
        let side = usize::from(!divisible[0] || (divisible[1] && reach(1) > reach(0)));
        let Some(halves) = self.rooted[side].halves(open.pieces[side]) else {
            return Looked::Small;
        };
        let child = |half: usize| {
            let mut pieces = open.pieces;
            pieces[side] = half;
            OpenRange {
                cell: open.cell.clone(),
                pieces,
                direction: open.direction,
                share: open.share * 0.5,
                is_first: false,
            }
        };
        let node = ProofNode::Triangles { side };
        Looked::Divide(node, child(halves[0]), child(halves[1]))
    }

    /// The variable whose range costs the bound most, and about how much; `None` where no range can be divided.
    ///
    /// The arcs are what the bound loses; how far the witness points approach each other is what the bodies do, and counts less.
    fn variable(&self, open: &OpenRange, found: &MiddleFound, cut: usize) -> Option<(f64, usize)> {
        let chain = self.frame.chain;
        let mut best: Option<(f64, usize)> = None;
        let length = found.along.norm();
        for variable in 0..chain.variables.len() {
            let (lower, upper) = (open.cell.lower[variable], open.cell.upper[variable]);
            let middle = 0.5 * lower + 0.5 * upper;
            if !(lower < middle && middle < upper) {
                continue;
            }
            let rate = self.motion.rate(chain, variable, found.on_b, found.along);
            let approach = rate.abs() / length * 0.5 * (upper - lower);
            let curved = self.motion.curvature(chain, variable, cut);
            let lost = approach + CURVATURE_WEIGHT * curved;
            if best.is_none_or(|(most, _)| lost > most) {
                best = Some((lost, variable));
            }
        }
        best
    }
}

/// The pieces in the middle of a cell, in the frame of the first link where not said otherwise.
struct MiddleFound {
    distance: Interval<f64>,
    is_apart: bool,
    /// From the first piece to the second, in the frame of the cell's sides.
    direction: V3,
    along: V3,
    on_b: V3,
}

fn settings(goal: Goal) -> Settings {
    Settings {
        goal,
        tolerance_relative: 1e-3,
        iterations_max: 100,
        slack: 0.0,
    }
}

/// The distance of the sides, to a part of it.
fn distance_of(sides: &CellSides<'_>, first: Option<V3>) -> Outcome<V3> {
    let difference = MinkowskiDifference {
        a: &sides.a,
        b: &sides.b,
    };
    let first = first.unwrap_or(V3::ZERO);
    gjk_loop::run(&difference, first, &[], &settings(Goal::Distance), &mut ())
}

/// Whether the sides are farther apart than the threshold.
fn far_apart(sides: &CellSides<'_>, first: V3, threshold: f64) -> Outcome<V3> {
    let difference = MinkowskiDifference {
        a: &sides.a,
        b: &sides.b,
    };
    let goal = Goal::FartherThan(threshold + sides.beyond);
    gjk_loop::run(&difference, first, &[], &settings(goal), &mut ())
}
