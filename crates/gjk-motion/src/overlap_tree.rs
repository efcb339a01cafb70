//! The tree of cells that proves two links to overlap in every state, for a certificate.
//!
//! Where it sits: `reasons.rs` asks it where `always.rs` has proved that, and certificates are wanted.
//! Idea: a ball around a point inside of each link's part, of which the link keeps hold. Where the two points come no farther from each other
//! than both radii together, for all values of a cell, the balls meet, and so do the links. It needs no depth, which takes all directions to
//! prove: a point and a radius say it.

use crate::cell::{PairFrame, RangeCell};
use crate::chain::{JointChain, StepKind};
use crate::map::V3;
use crate::range::ProofNode;
use crate::step::StepRange;
use gjk::Pose3;
use gjk::math::Vector;
use gjk::query::{Options, Pair, Verdict};
use gjk::shape::{Point, Shape};
use gjk_check::parts::{Body, Part};
use gjk_query::convert;

/// At most so many cells: each takes some hundred distances.
const OVERLAP_CELLS_MAX: usize = 4096;

/// Balls must meet by at least this part of the chain's length, far beyond what rounding moves.
const OVERLAP_MARGIN: f64 = 1e-9;

/// The first step of the search for better points, as a part of the depth, and how often it is halved.
const OVERLAP_STEP: f64 = 0.5;
const OVERLAP_HALVINGS: u32 = 6;

/// A point of each link, inside of a part.
#[derive(Clone, Copy)]
struct InnerPoints {
    parts: [usize; 2],
    at: [V3; 2],
}

/// A search of one pair.
struct OverlapSearch<'s, 'c> {
    frame: &'s PairFrame<'c>,
    bodies: [&'s Body; 2],
}

/// The tree; `None` where no points were found, or the cells do not suffice.
pub(crate) fn overlap_tree(frame: &PairFrame<'_>, bodies: [&Body; 2]) -> Option<Vec<ProofNode>> {
    let search = OverlapSearch { frame, bodies };
    let mut nodes = Vec::new();
    let mut stack: Vec<(RangeCell, Option<InnerPoints>)> =
        vec![(RangeCell::whole(frame.chain), None)];
    while let Some((cell, known)) = stack.pop() {
        if nodes.len() >= OVERLAP_CELLS_MAX {
            return None;
        }
        let ranges = ranges_of(frame.chain, &cell);
        let holds = |points: &InnerPoints| search.excess(&ranges, points) > search.margin();
        let found = known.filter(holds);
        let best = match found {
            Some(known) => known,
            None => search.best(&ranges, &cell)?,
        };
        if found.is_some() || holds(&best) {
            nodes.push(ProofNode::Overlap {
                parts: best.parts,
                at: best.at.map(Vector::to_f64),
            });
            continue;
        }
        let variable = search.widest(&ranges, &best)?;
        nodes.push(ProofNode::Range {
            variable,
            low_first: true,
        });
        let [low, high] = cell.split(variable);
        stack.extend([(high, Some(best)), (low, Some(best))]);
    }
    Some(nodes)
}

fn ranges_of(chain: &JointChain, cell: &RangeCell) -> Vec<StepRange> {
    let steps = chain.steps.iter();
    steps
        .map(|step| StepRange::new(step, cell.lower[step.variable], cell.upper[step.variable]))
        .collect()
}

/// Depths are told to this part: a ball that is a little smaller does as well, and a smooth shape's last digits take a hundred steps.
const OVERLAP_WIDTH: f64 = 1e-2;

fn rough() -> Options {
    let mut options = Options::default();
    options.tolerance_relative = Some(OVERLAP_WIDTH);
    options
}

/// How deep a point of a link's frame is inside of a part at least; below zero outside.
fn depth_in(part: &Part, point: V3) -> f64 {
    let is_known = match &*part.shape {
        Shape::Ball(_) | Shape::Cuboid(_) | Shape::Capsule(_) | Shape::Cylinder(_) => true,
        _ => part.surface.is_some(),
    };
    let Ok(point) = Point::new(point) else {
        return -1.0;
    };
    if !is_known || !part.is_convex() {
        return -1.0;
    }
    let pose: Pose3<f64> = convert::affine(&part.in_anchor);
    let rest = Pose3::identity();
    let options = rough();
    let contact = Pair::new(&*part.shape, &pose, &point, &rest)
        .with(&options)
        .contact();
    -contact.signed_distance.upper
}

impl OverlapSearch<'_, '_> {
    fn margin(&self) -> f64 {
        OVERLAP_MARGIN * self.frame.chain.length.max(1e-3)
    }

    /// A point of either link as the other one sees it in the middle of the cell, and how far the joints move it from there at most; what
    /// each step has of that.
    fn carried(&self, ranges: &[StepRange], side: usize, point: V3) -> (V3, Vec<f64>) {
        let chain = self.frame.chain;
        let count = ranges.len();
        let (mut point, mut moved) = (point, 0.0);
        let mut own = vec![0.0; count];
        for inner in 0..count {
            let k = if side == 0 { inner } else { count - 1 - inner };
            let (fixed, range) = if side == 0 {
                (&chain.inverse[k], ranges[k].reversed())
            } else {
                (&chain.fixed[k + 1], ranges[k])
            };
            point = fixed.point(point);
            own[k] = match range.kind {
                StepKind::Turn => (range.axis.cross(point).norm() + moved) * range.chord,
                StepKind::Slide => range.half,
            };
            moved += own[k];
            point = range.middle.point(point);
        }
        let last = if side == 0 {
            &chain.inverse[count]
        } else {
            &chain.fixed[0]
        };
        (last.point(point), own)
    }

    /// By how much the balls meet in the whole cell at least.
    fn excess(&self, ranges: &[StepRange], points: &InnerPoints) -> f64 {
        let radii = [0, 1].map(|k| depth_in(&self.bodies[k].parts[points.parts[k]], points.at[k]));
        if !(radii[0] > 0.0 && radii[1] > 0.0) {
            return f64::NEG_INFINITY;
        }
        let apart = [0, 1].map(|side| {
            let (point, own) = self.carried(ranges, side, points.at[side]);
            (point - points.at[1 - side]).norm() + own.iter().sum::<f64>()
        });
        radii[0] + radii[1] - apart[0].min(apart[1])
    }

    /// The points whose balls meet most, from where the parts meet in the middle of the cell; `None` where none do.
    fn best(&self, ranges: &[StepRange], cell: &RangeCell) -> Option<InnerPoints> {
        let place = self.frame.chain.place(&cell.center());
        let pose = place.pose();
        let back = place.inverse();
        let mut best: Option<(f64, InnerPoints)> = None;
        let counts = self.bodies.map(|body| body.parts.len());
        for parts in (0..counts[0]).flat_map(|a| (0..counts[1]).map(move |b| [a, b])) {
            let [a, b] = [0, 1].map(|k| &self.bodies[k].parts[parts[k]]);
            let pose_a: Pose3<f64> = convert::affine(&a.in_anchor);
            let pose_b = pose.compose(&convert::affine(&b.in_anchor));
            let options = rough();
            let contact = Pair::new(&*a.shape, &pose_a, &*b.shape, &pose_b)
                .with(&options)
                .contact();
            if contact.verdict != Verdict::Overlapping {
                continue;
            }
            let of = |at: V3| {
                let at = [at, back.point(at)];
                let points = InnerPoints { parts, at };
                (self.excess(ranges, &points), points)
            };
            let middle = (contact.point_a + contact.point_b) * 0.5;
            let found = climbed(middle, -contact.signed_distance.lower, of);
            if best.is_none_or(|(excess, _)| found.0 > excess) {
                best = Some(found);
            }
        }
        best.filter(|(excess, _)| excess.is_finite())
            .map(|(_, points)| points)
    }

    /// The variable that moves the points most.
    fn widest(&self, ranges: &[StepRange], points: &InnerPoints) -> Option<usize> {
        let chain = self.frame.chain;
        let (_, own) = self.carried(ranges, 1, points.at[1]);
        let mut of = vec![0.0; chain.variables.len()];
        for (step, own) in chain.steps.iter().zip(own) {
            of[step.variable] += own;
        }
        (0..of.len()).max_by(|&i, &j| of[i].total_cmp(&of[j]))
    }
}

/// From a point uphill along the axes, in steps that halve.
fn climbed(from: V3, size: f64, of: impl Fn(V3) -> (f64, InnerPoints)) -> (f64, InnerPoints) {
    let (mut at, mut best) = (from, of(from));
    let mut step = OVERLAP_STEP * size;
    for _ in 0..OVERLAP_HALVINGS {
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let other = at + V3::axis(axis) * (sign * step);
                let found = of(other);
                if found.0 > best.0 {
                    (at, best) = (other, found);
                }
            }
        }
        step *= 0.5;
    }
    best
}
