//! The one branch and bound over joint ranges: how near two links come, proved, or a state in which they meet.
//!
//! Where it sits: `matrix.rs` asks it for each pair of links. Read [`PairProver::run`].
//! Idea: a stack of cells, each a box of joint values with a piece of each link. A cell is closed when its swept pieces are farther apart
//! than the threshold, which a direction proves: the parent's, the one of the cell's middle, or the one that GJK finds. Else the cell is
//! divided where that raises the bound most, or a piece that is larger than its surface is; the half that is nearer goes first. The
//! threshold falls as nearer states are found, so what was closed stays closed.
//! Numbers: nothing here decides that links meet: that is asked of the caller, who decides it exactly at a state.

use crate::cell::{CellMotion, CellSides, PairFrame, RangeCell};
use crate::map::V3;
use crate::piece::LinkPieces;
use crate::range::{ProofNode, RangeAnswer, RangeOptions, RangeProof, StateDistance};
use crate::rooted::{Rooted, RootedPiece};
use gjk::MinkowskiDifference;
use gjk::Stop;
use gjk::loops::gjk::{self as gjk_loop, FirstSimplex, Goal, Outcome, Settings};
use gjk::math::Vector;
use gjk::query::Interval;
use std::sync::atomic::{AtomicBool, Ordering};

/// A piece is divided rather than a range where the range costs less than this part of the piece's radius.
pub(crate) const PIECE_SHARE: f64 = 0.25;

/// Where the descent ends that looks for a first near state, as a part of a variable's range.
const DESCENT_COARSE: f64 = 1e-3;

/// A cell to look at, with a piece of each link.
#[derive(Debug)]
pub(crate) struct OpenRange {
    pub(crate) cell: RangeCell,
    pub(crate) pieces: [usize; 2],
    /// A direction in the frame behind so many joints.
    pub(crate) direction: Option<(usize, V3)>,
    /// The part of the ranges' volume that it is.
    pub(crate) share: f64,
    /// Whether it is all joint values of two parts.
    pub(crate) is_first: bool,
}

/// The search of one pair of links.
pub(crate) struct PairProver<'p, 'c> {
    pub(crate) frame: &'c PairFrame<'c>,
    pub(crate) rooted: [Rooted<'p>; 2],
    pub(crate) options: RangeOptions,
    /// The least distance of a state so far, and its values.
    pub(crate) nearest: f64,
    pub(crate) at: Vec<f64>,
    /// The least bound of a closed cell.
    proved: f64,
    cells: u64,
    loops: u64,
    closed_share: f64,
    pub(crate) motion: CellMotion,
    nodes: Vec<ProofNode>,
    /// How many more cells may be looked at.
    cells_left: u64,
    /// The part of the nearest distance that is to be proved; zero where only the margin is.
    share: f64,
}

/// What a look at a cell gave.
pub(crate) enum Looked {
    Closed(f64, ProofNode),
    /// The half that is looked at later, and the one that is next.
    Divide(ProofNode, Box<[OpenRange; 2]>),
    Meets,
    /// So small that dividing it says nothing more.
    Small,
}

impl<'p, 'c> PairProver<'p, 'c> {
    /// A search that knows no state yet.
    pub(crate) fn new(
        frame: &'c PairFrame<'c>,
        [a, b]: [&'p LinkPieces; 2],
        options: RangeOptions,
    ) -> Self {
        Self {
            frame,
            rooted: [
                Rooted::new(a, frame.rooted[0]),
                Rooted::new(b, frame.rooted[1]),
            ],
            options,
            nearest: f64::INFINITY,
            at: RangeCell::whole(frame.chain).center(),
            proved: f64::INFINITY,
            cells: 0,
            loops: 0,
            closed_share: 0.0,
            motion: CellMotion::default(),
            nodes: Vec::new(),
            cells_left: 0,
            share: 0.0,
        }
    }

    /// Cells farther apart than this are closed: the share of the nearest distance that is being measured, at least the margin.
    pub(crate) fn threshold(&self) -> f64 {
        if self.share > 0.0 {
            (self.share * self.nearest).max(self.options.margin)
        } else {
            self.options.margin
        }
    }

    /// Searches; `decide` says of a state how near the links are.
    pub(crate) fn run(
        &mut self,
        decide: &dyn Fn(&[f64]) -> StateDistance,
        stop: Option<&AtomicBool>,
    ) -> RangeProof {
        let stack = self.first();
        if let Some(open) = stack.last() {
            let (_, at) = self.descend(open, self.at.clone(), DESCENT_COARSE);
            // Surfaces that never meet may still be one inside of the other: this state says it for all.
            let state = decide(&at);
            if state.is_undecided {
                return self.answer(RangeAnswer::Open {
                    at,
                    nearest: f64::INFINITY,
                    proved_share: 0.0,
                });
            }
            if self.meets_at(&at, &|_| state) {
                return self.answer(RangeAnswer::Meets { at });
            }
        }
        self.cells_left = self.options.cells_max;
        let decided = self.search(stack, decide, stop);
        if !matches!(decided, RangeAnswer::Never { .. }) {
            return self.answer(decided);
        }
        self.measure(decide, stop)
    }

    /// Raises the lower end of the least distance: to half of the nearest one, then to what was asked for, while cells last.
    fn measure(
        &mut self,
        decide: &dyn Fn(&[f64]) -> StateDistance,
        stop: Option<&AtomicBool>,
    ) -> RangeProof {
        let mut best = (self.proved, std::mem::take(&mut self.nodes));
        self.cells_left = self.options.measure_cells;
        for share in [0.5, 1.0 - self.options.width] {
            self.share = share;
            if best.0 >= self.threshold() {
                continue;
            }
            self.proved = f64::INFINITY;
            let stack = self.first();
            let answer = self.search(stack, decide, stop);
            if !matches!(answer, RangeAnswer::Never { .. }) {
                break;
            }
            best = (self.proved, std::mem::take(&mut self.nodes));
        }
        self.nodes = best.1;
        let distance = self.distance(best.0);
        let at = self.at.clone();
        self.answer(RangeAnswer::Never { distance, at })
    }

    fn keep(&mut self, node: ProofNode) {
        if self.options.keep_nodes {
            self.nodes.push(node);
        }
    }

    /// Looks at cells until none is left.
    fn search(
        &mut self,
        mut stack: Vec<OpenRange>,
        decide: &dyn Fn(&[f64]) -> StateDistance,
        stop: Option<&AtomicBool>,
    ) -> RangeAnswer {
        self.nodes.clear();
        self.closed_share = 0.0;
        while let Some(open) = stack.pop() {
            let is_stopped = stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if self.cells_left == 0 || is_stopped {
                return RangeAnswer::Open {
                    at: self.at.clone(),
                    nearest: self.nearest,
                    proved_share: self.closed_share.min(1.0),
                };
            }
            self.cells += 1;
            self.cells_left -= 1;
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
                Looked::Divide(node, halves) => {
                    self.keep(node);
                    stack.extend(*halves);
                }
                Looked::Meets => {
                    return RangeAnswer::Meets {
                        at: self.at.clone(),
                    };
                }
                Looked::Small => {
                    return RangeAnswer::Touches {
                        at: self.at.clone(),
                        distance: self.distance(0.0),
                    };
                }
            }
        }
        RangeAnswer::Never {
            distance: self.distance(self.proved),
            at: self.at.clone(),
        }
    }

    /// From what is proved to the nearest distance.
    fn distance(&self, proved: f64) -> Interval<f64> {
        Interval {
            lower: proved.min(self.nearest),
            upper: self.nearest,
        }
    }

    fn answer(&mut self, answer: RangeAnswer) -> RangeProof {
        RangeProof {
            answer,
            cells: self.cells,
            loops: self.loops,
            nodes: std::mem::take(&mut self.nodes),
        }
    }

    /// All pairs of pieces over the whole ranges, the nearest last, where the stack takes from.
    fn first(&mut self) -> Vec<OpenRange> {
        let whole = RangeCell::whole(self.frame.chain);
        let counts = [0, 1].map(|k| self.rooted[k].whole);
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
            motion.to_first(sides.cut).local_direction(world)
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
        if let Some((bound, direction)) = &mut closed
            && self.options.keep_nodes
        {
            let enough = bound.min(self.proved);
            let holds = |along: V3| sides.bound_along(along) >= enough;
            *direction = shortened(*direction, holds);
        }
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

    pub(crate) fn pieces(&self, [a, b]: [usize; 2]) -> [&RootedPiece<'p>; 2] {
        [&self.rooted[0].pieces[a], &self.rooted[1].pieces[b]]
    }

    /// The pieces in the middle of a cell.
    pub(crate) fn middle(
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
}

/// The pieces in the middle of a cell, in the frame of the first link where not said otherwise.
pub(crate) struct MiddleFound {
    pub(crate) distance: Interval<f64>,
    pub(crate) is_apart: bool,
    /// From the first piece to the second, in the frame of the cell's sides.
    pub(crate) direction: V3,
    pub(crate) along: V3,
    pub(crate) on_b: V3,
}

/// The largest components of directions of one digit, two, three and five.
const SHORT_DIRECTIONS: [f64; 4] = [9.0, 99.0, 999.0, 99_999.0];

/// A direction of whole numbers with as few digits as hold, or itself: a certificate is mostly directions, and any of them is a proof.
pub(crate) fn shortened(direction: V3, holds: impl Fn(V3) -> bool) -> V3 {
    let largest = direction.to_f64().map(f64::abs).into_iter();
    let largest = largest.fold(0.0, f64::max);
    let whole = |most: f64| {
        V3::from_f64(
            direction
                .to_f64()
                .map(|x| (x * (most / largest)).round() + 0.0),
        )
    };
    let mut short = SHORT_DIRECTIONS.into_iter().map(whole);
    short.find(|&along| holds(along)).unwrap_or(direction)
}

pub(crate) fn settings(goal: Goal) -> Settings {
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
    gjk_loop::run(
        &difference,
        first,
        FirstSimplex::Vertices(&[]),
        &settings(Goal::Distance),
        &mut (),
    )
}

/// Whether the sides are farther apart than the threshold.
fn far_apart(sides: &CellSides<'_>, first: V3, threshold: f64) -> Outcome<V3> {
    let difference = MinkowskiDifference {
        a: &sides.a,
        b: &sides.b,
    };
    let goal = Goal::FartherThan(threshold + sides.beyond);
    gjk_loop::run(
        &difference,
        first,
        FirstSimplex::Vertices(&[]),
        &settings(goal),
        &mut (),
    )
}
