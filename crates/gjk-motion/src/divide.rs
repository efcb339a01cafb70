//! What becomes of a cell that no direction closes: which range or which piece is divided, or that the links meet in its middle.
//!
//! Where it sits: `prove.rs` looks at cells and asks this of those that stay open.

use crate::cell::{CellMotion, RangeCell};
use crate::downhill::DownhillSteps;
use crate::prove::{Looked, MiddleFound, OpenRange, PIECE_SHARE, PairProver};
use crate::range::{ProofNode, StateDistance};
use gjk::math::Vector;
use gjk_scene::Limits;

/// How much more what the arcs cost counts than how far the witness points approach each other, when a range is chosen to be divided.
/// Measured on all pairs of a Panda and a PR2: 4, 8 and 16 take 14,000, 9,800 and 5,700 cells to measure Panda's distances, and the same
/// to decide the PR2's pairs; 1 takes four times as many.
const CURVATURE_WEIGHT: f64 = 8.0;

/// Ranges that cost a bound less than this part of the chain's length are not divided.
const DIVISION_MIN: f64 = 1e-9;

/// The first step of a descent, as a part of a variable's range, and how much shorter the next ones are.
const DESCENT_STEP: f64 = 0.125;

/// Where the one ends that looks where a cell is too small to be divided.
const DESCENT_FINE: f64 = 1e-10;

impl PairProver<'_, '_> {
    /// Divides the cell, or finds that the links meet in its middle.
    pub(crate) fn divide(
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
        let is_suspect = !found.is_apart || found.distance.lower <= self.options.margin;
        if is_suspect && self.meets_at(&center, decide) {
            return Looked::Meets;
        }
        let widest = self.variable(&open, &found, cut);
        let lost = widest.map_or(0.0, |(lost, _)| lost);
        if !is_leaf && lost < PIECE_SHARE * self.largest(&open, divisible) {
            return self.divide_piece(open, divisible);
        }
        let small = DIVISION_MIN * self.frame.chain.length.max(f64::MIN_POSITIVE);
        let Some((_, variable)) = widest.filter(|&(lost, _)| lost > small) else {
            let (distance, at) = self.descend(&open, center, DESCENT_FINE);
            if distance <= self.options.margin && self.meets_at(&at, decide) {
                return Looked::Meets;
            }
            return Looked::Small;
        };
        self.halves(&open, variable, &found, cut)
    }

    /// Whether the links overlap or come nearer than the margin at these values, which are kept where they are the nearest so far.
    pub(crate) fn meets_at(
        &mut self,
        values: &[f64],
        decide: &dyn Fn(&[f64]) -> StateDistance,
    ) -> bool {
        let state = decide(values);
        let meets = state.overlaps || state.distance.upper < self.options.margin;
        let distance = state.distance.upper.max(0.0);
        if meets || distance < self.nearest {
            (self.nearest, self.at) = (distance, values.to_vec());
        }
        meets
    }

    /// The cell in two along a variable's range, the half that is nearer first.
    fn halves(&self, open: &OpenRange, variable: usize, found: &MiddleFound, cut: usize) -> Looked {
        let [low, high] = open.cell.split(variable);
        let child = |cell: RangeCell| OpenRange {
            cell,
            pieces: open.pieces,
            direction: Some((cut, found.direction)),
            share: open.share * 0.5,
            is_first: false,
        };
        let chain = self.frame.chain;
        let rate = self.motion.rate(chain, variable, found.on_b, found.along);
        let low_first = rate > 0.0;
        let node = ProofNode::Range {
            variable,
            low_first,
        };
        let (low, high) = (child(low), child(high));
        if low_first {
            Looked::Divide(node, Box::new([high, low]))
        } else {
            Looked::Divide(node, Box::new([low, high]))
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
    pub(crate) fn descend(&self, open: &OpenRange, from: Vec<f64>, finest: f64) -> (f64, Vec<f64>) {
        let chain = self.frame.chain;
        let pieces = self.pieces(open.pieces);
        let mut motion = CellMotion::default();
        let gap = |values: &[f64]| {
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
        let steps = DownhillSteps {
            first: DESCENT_STEP,
            shrink: DESCENT_STEP,
            finest,
            rounds: u32::MAX,
            enough: 0.0,
        };
        let ranges: Vec<Limits> = chain.variables.iter().map(|v| v.range).collect();
        steps.search(&ranges, from, gap)
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
        Looked::Divide(node, Box::new(halves.map(child)))
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
