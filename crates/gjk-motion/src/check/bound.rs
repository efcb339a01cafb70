//! How near two pieces come along one direction while every joint value stays in a cell.
//!
//! Where it sits: `tree.rs` asks it for each leaf of a tree.
//! Idea: the direction goes through the steps, from the frame where it is given to the piece, so that no frames are composed. At a joint it
//! splits in two, one for either end of the joint's range, moved outward by half of the arc's height over its chord; what the arc may be
//! off that is a radius. The joint next to the piece is not split: there the points' arcs have a highest point in closed form.
//! docs/robot-certificates.md has the proof.

use super::enclosed::{
    Enclosed, Vec3Bounds, ZERO, cross, difference, dot, exactly, norm, sum, times,
};
use super::solid::{ArcEnds, RootedSolid};
use super::walk::{Moving, WalkStep};
use std::f64::consts::{FRAC_PI_2, PI};

/// At most so many joints of a side are split; those that move the piece least beyond them count by how far they move it.
pub(super) const SPLIT_JOINTS_MAX: usize = 6;

/// The values of a walk's variables, from and to.
pub(super) type ValueCell = [[f64; 2]];

/// What a joint does in a cell.
#[derive(Clone, Copy, Debug)]
struct JointSweep {
    /// Cosine and sine in the middle, of which the range goes as far to either side.
    middle: [Enclosed; 2],
    /// Cosines and sines at both ends, and moved outward; of a slide the values in the first entries.
    ends: [[Enclosed; 2]; 2],
    outer: [[Enclosed; 2]; 2],
    half: f64,
    /// How far a point is moved from the middle at most, per radius; of a slide: at all.
    chord: f64,
    /// How far the arc is from the chord moved outward, per radius.
    sagitta: f64,
}

/// What becomes of a step of a side.
#[derive(Clone, Copy, Debug)]
struct StepCost {
    sweep: Option<JointSweep>,
    /// How far it moves the piece at most.
    motion: f64,
    /// How far the piece may be off the two ends.
    over: f64,
    is_arc: bool,
    is_split: bool,
}

/// A bound, and what each variable costs it.
#[derive(Clone, Debug)]
pub(super) struct LeafBound {
    pub(super) distance: f64,
    pub(super) costs: Vec<f64>,
}

/// A piece, and the steps from the frame of the direction to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSide<'p> {
    pub(super) steps: &'p [WalkStep],
    pub(super) piece: &'p RootedSolid,
    /// At most so many joints are split.
    pub(super) split_max: usize,
}

impl JointSweep {
    fn new(moving: &Moving, [lower, upper]: [f64; 2], is_turn: bool) -> Self {
        let value = |x: f64| moving.factor.mul(Enclosed::exact(x)).add(moving.offset);
        let (one, other) = (value(lower), value(upper));
        let (low, high) = (one.lo.min(other.lo), one.hi.max(other.hi));
        let center = 0.5 * low + 0.5 * high;
        // Not rounded where a range is one value.
        let half = (high - center).max(center - low);
        let half = if half > 0.0 { half.next_up() } else { 0.0 };
        let at = |x: f64| Enclosed::exact(center).add(Enclosed::exact(x));
        let around = |angle: Enclosed| [angle.cos(), angle.sin()];
        if !is_turn {
            let ends = [at(-half), at(half)].map(|end| [end, ZERO]);
            return Self {
                middle: [at(0.0), ZERO],
                ends,
                outer: ends,
                half,
                chord: half,
                sagitta: 0.0,
            };
        }
        let middle = around(at(0.0));
        let ends = [around(at(-half)), around(at(half))];
        let sine = Enclosed::exact(half.min(PI) * 0.5).sin();
        let sine = Enclosed::exact(sine.hi.next_up());
        let height = sine.square().mul(Enclosed::exact(2.0)).hi;
        let (mut outer, mut sagitta) = (ends, height);
        if half <= FRAC_PI_2 {
            let share = 0.5 * height;
            sagitta = (height - share).max(share).next_up();
            let by = Enclosed::exact(share);
            outer = ends.map(|end| [0, 1].map(|k: usize| end[k].add(middle[k].mul(by))));
        }
        Self {
            middle,
            ends,
            outer,
            half,
            chord: (2.0 * sine.hi).next_up(),
            sagitta,
        }
    }
}

/// `Mᵀ·d` for a turn of this cosine and sine about an axis, or for another map that mixes what is across the axis.
pub(super) fn turned_back(d: &Vec3Bounds, axis: &Vec3Bounds, [p, q]: [Enclosed; 2]) -> Vec3Bounds {
    let along = times(axis, dot(axis, d));
    let level = difference(d, &along);
    let mixed = sum(&times(&level, p), &times(&cross(d, axis), q));
    sum(&along, &mixed)
}

impl PieceSide<'_> {
    /// A ball around the piece.
    pub(super) fn ball(&self) -> (Vec3Bounds, f64) {
        match self.piece {
            RootedSolid::Cloud(cloud) => (cloud.center, cloud.reach),
            RootedSolid::Smooth(smooth) => (smooth.center, smooth.reach),
        }
    }

    /// What each step does to the piece, from the piece outward: the first entry is the last step's.
    fn costs(&self, cell: &ValueCell) -> Vec<StepCost> {
        let (mut center, reach) = self.ball();
        let (mut moved, mut over) = (0.0_f64, 0.0_f64);
        let mut costs = Vec::with_capacity(self.steps.len());
        let is_cloud = matches!(self.piece, RootedSolid::Cloud(_));
        for (inner, step) in self.steps.iter().rev().enumerate() {
            let mut cost = StepCost {
                sweep: None,
                motion: 0.0,
                over: 0.0,
                is_arc: false,
                is_split: false,
            };
            match step {
                WalkStep::Still(place) => center = place.point(&center),
                WalkStep::Turning(moving) => {
                    let sweep = JointSweep::new(moving, cell[moving.variable], true);
                    let across = up(norm(&cross(&moving.axis, &center)).hi + moved);
                    let radius = up(up(across + reach) + over);
                    cost.is_arc = inner == 0 && is_cloud && sweep.half > 0.0;
                    cost.motion = up(radius * sweep.chord);
                    if sweep.half > 0.0 && !cost.is_arc {
                        cost.over = up(radius * sweep.sagitta);
                    }
                    over = up(over + cost.over);
                    moved = up(moved + up(across * sweep.chord));
                    let [cos, sin] = sweep.middle;
                    center = turned_back(&center, &moving.axis, [cos, sin.neg()]);
                    cost.sweep = Some(sweep);
                }
                WalkStep::Sliding(moving) => {
                    let sweep = JointSweep::new(moving, cell[moving.variable], false);
                    cost.motion = sweep.half;
                    moved = up(moved + sweep.half);
                    center = sum(&center, &times(&moving.axis, sweep.middle[0]));
                    cost.sweep = Some(sweep);
                }
            }
            costs.push(cost);
        }
        split_most(&mut costs, self.split_max);
        costs
    }

    /// No point of the piece is higher along the direction, but for the radius that comes with it.
    fn highest(&self, d: &Vec3Bounds, costs: &[StepCost]) -> f64 {
        let mut all = vec![(*d, ZERO)];
        for (step, cost) in self.steps.iter().zip(costs.iter().rev()) {
            let Some(sweep) = cost.sweep else {
                if let WalkStep::Still(place) = step {
                    for (d, height) in &mut all {
                        *height = height.add(place.height(d));
                        *d = place.direction(d);
                    }
                }
                continue;
            };
            if cost.is_arc {
                continue;
            }
            let known = all.len();
            for k in 0..known {
                let (d, height) = all[k];
                if cost.is_split {
                    all[k] = through(step, &d, height, sweep.outer[0]);
                    all.push(through(step, &d, height, sweep.outer[1]));
                } else {
                    all[k] = through(step, &d, height, sweep.middle);
                }
            }
        }
        let arc = self.arc(costs);
        let tops = all.iter().map(|(d, height)| {
            let top = match (self.piece, &arc) {
                (RootedSolid::Smooth(smooth), _) => smooth.highest(d),
                (RootedSolid::Cloud(cloud), Some((axis, arc))) => {
                    cloud.highest_on_arcs(d, axis, arc)
                }
                (RootedSolid::Cloud(cloud), None) => cloud.highest(d),
            };
            up(height.hi + top)
        });
        tops.fold(f64::NEG_INFINITY, f64::max)
    }

    /// What is swept over the piece's points.
    pub(super) fn radius(&self) -> f64 {
        match self.piece {
            RootedSolid::Cloud(cloud) => cloud.radius,
            RootedSolid::Smooth(_) => 0.0,
        }
    }

    /// How the joint next to the piece turns it.
    fn arc(&self, costs: &[StepCost]) -> Option<(Vec3Bounds, ArcEnds)> {
        let cost = costs.first().filter(|cost| cost.is_arc)?;
        let sweep = cost.sweep?;
        let axis = self.steps.last()?.moving()?.axis;
        let arc = ArcEnds {
            ends: sweep.ends,
            is_narrow: sweep.half <= FRAC_PI_2,
            is_full: sweep.half >= PI.next_down(),
        };
        Some((axis, arc))
    }

    /// What may be left over by the ends, by radius, and what each variable has of that.
    fn over(&self, costs: &[StepCost], of: &mut [f64]) -> f64 {
        let mut over = self.radius();
        for (step, cost) in self.steps.iter().zip(costs.iter().rev()) {
            let own = match (cost.is_arc, cost.is_split) {
                (true, _) => 0.0,
                (false, true) => cost.over,
                (false, false) => cost.motion,
            };
            over = up(over + own);
            if let Some(moving) = step.moving() {
                // Joints that are split or turn on arcs may still be wide, which costs when another one is narrowed.
                of[moving.variable] += own + 1e-6 * cost.motion;
            }
        }
        over
    }
}

/// Splits the joints that move the piece most; one that does not move needs it not.
fn split_most(costs: &mut [StepCost], split_max: usize) {
    let moves = |cost: &StepCost| !cost.is_arc && cost.sweep.is_some_and(|sweep| sweep.half > 0.0);
    let mut order: Vec<usize> = (0..costs.len()).filter(|&k| moves(&costs[k])).collect();
    order.sort_by(|&i, &j| costs[j].motion.total_cmp(&costs[i].motion));
    for k in order.into_iter().take(split_max) {
        costs[k].is_split = true;
    }
    for cost in costs.iter_mut().filter(|cost| !cost.is_split) {
        if cost.sweep.is_some_and(|sweep| !(sweep.half > 0.0)) {
            cost.motion = 0.0;
        }
    }
}

/// A direction and what was added to heights along it, behind a joint that stands so.
pub(super) fn through(
    step: &WalkStep,
    d: &Vec3Bounds,
    height: Enclosed,
    at: [Enclosed; 2],
) -> (Vec3Bounds, Enclosed) {
    match step {
        WalkStep::Turning(moving) => (turned_back(d, &moving.axis, at), height),
        WalkStep::Sliding(moving) => {
            let by = dot(d, &moving.axis).mul(at[0]);
            (*d, height.add(by))
        }
        WalkStep::Still(_) => (*d, height),
    }
}

/// The next float: no sum or product of two floats of no sign rounds by more.
pub(super) fn up(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.next_up() }
}

/// A lower bound of the distance of the two pieces over the cell, along a direction from the first to the second.
pub(super) fn bound_along(
    direction: [f64; 3],
    a: &PieceSide<'_>,
    b: &PieceSide<'_>,
    cell: &ValueCell,
) -> LeafBound {
    let mut costs = vec![0.0; cell.len()];
    let along = exactly(direction);
    let back = along.map(Enclosed::neg);
    let (on_a, on_b) = (a.costs(cell), b.costs(cell));
    let top = Enclosed::exact(a.highest(&along, &on_a));
    let bottom = Enclosed::exact(b.highest(&back, &on_b)).neg();
    let over = up(a.over(&on_a, &mut costs) + b.over(&on_b, &mut costs));
    let length = norm(&along);
    let gap = bottom.sub(top).lo;
    let gap = if gap > 0.0 {
        gap / length.hi
    } else {
        gap / length.lo
    };
    let distance = (gap.next_down() - over).next_down();
    let is_sound = length.lo > 0.0 && length.hi.is_finite() && !distance.is_nan();
    LeafBound {
        distance: if is_sound {
            distance
        } else {
            f64::NEG_INFINITY
        },
        costs,
    }
}

/// Where a point of the last frame is in the first one with all values in the middle of a cell, and how far they move it from there at most.
pub(super) fn moved_point(
    steps: &[WalkStep],
    point: &Vec3Bounds,
    cell: &ValueCell,
) -> (Vec3Bounds, f64) {
    let (mut at, mut moved) = (*point, 0.0_f64);
    for step in steps.iter().rev() {
        match step {
            WalkStep::Still(place) => at = place.point(&at),
            WalkStep::Turning(moving) => {
                let sweep = JointSweep::new(moving, cell[moving.variable], true);
                let across = up(norm(&cross(&moving.axis, &at)).hi + moved);
                moved = up(moved + up(across * sweep.chord));
                let [cos, sin] = sweep.middle;
                at = turned_back(&at, &moving.axis, [cos, sin.neg()]);
            }
            WalkStep::Sliding(moving) => {
                let sweep = JointSweep::new(moving, cell[moving.variable], false);
                moved = up(moved + sweep.half);
                at = sum(&at, &times(&moving.axis, sweep.middle[0]));
            }
        }
    }
    (at, moved)
}

/// Where a point of the last frame is in the first one, about.
pub(super) fn carried(steps: &[WalkStep], values: &[f64], point: [f64; 3]) -> [f64; 3] {
    let placed = steps.iter().rev().fold(exactly(point), |x, step| {
        let sweep = |moving: &Moving, is_turn| {
            let value = values[moving.variable];
            JointSweep::new(moving, [value; 2], is_turn).middle
        };
        match step {
            WalkStep::Still(place) => place.point(&x),
            WalkStep::Turning(moving) => {
                let [cos, sin] = sweep(moving, true);
                turned_back(&x, &moving.axis, [cos, sin.neg()])
            }
            WalkStep::Sliding(moving) => sum(&x, &times(&moving.axis, sweep(moving, false)[0])),
        }
    });
    super::enclosed::rounded(&placed).0
}
