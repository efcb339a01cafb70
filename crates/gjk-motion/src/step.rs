//! What one joint does in a cell: in the middle of its range, at both ends, and by how much its arcs leave these.
//!
//! Where it sits: `cell.rs` composes the steps of a chain.

use crate::chain::{ChainStep, StepKind};
use crate::map::{LinkMap, V3};
use crate::sweep::Arc;
use std::f64::consts::{FRAC_PI_2, PI};

/// What a step of the chain does in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepRange {
    pub(crate) kind: StepKind,
    pub(crate) axis: V3,
    /// Cosine and sine of the lowest and the highest angle.
    ends: [[f64; 2]; 2],
    /// What it does in the middle, and at both ends; a turn moved outward at these by half of its sagitta.
    pub(crate) middle: LinkMap,
    pub(crate) outer: [LinkMap; 2],
    /// Half the range, rounded up.
    pub(crate) half: f64,
    /// `2 sin(h/2)`: the chord of half the range, per radius; of a slide its length.
    pub(crate) chord: f64,
    /// The share of the radius by which a point of the arc may be off the chord that was moved outward.
    pub(crate) sagitta: f64,
}

impl StepRange {
    /// The middle and how far the ends are from it; the ends themselves as the middle.
    fn in_middle(step: &ChainStep, lower: f64, upper: f64) -> Self {
        let (one, other) = (step.value(lower), step.value(upper));
        let center = step.value(middle(lower, upper));
        let (low, high) = (one.min(other), one.max(other));
        let half = (high - center).max(center - low) * (1.0 + 4.0 * f64::EPSILON);
        let middle = step.motion(center);
        let chord = match step.kind {
            StepKind::Turn if half > 0.0 => 2.0 * libm::sin(half.min(PI) * 0.5),
            _ => half,
        };
        Self {
            kind: step.kind,
            axis: step.axis,
            ends: [[1.0, 0.0]; 2],
            middle,
            outer: [middle; 2],
            half,
            chord,
            sagitta: 0.0,
        }
    }

    pub(crate) fn new(step: &ChainStep, lower: f64, upper: f64) -> Self {
        let mut range = Self::in_middle(step, lower, upper);
        if !(range.half > 0.0) {
            return range;
        }
        let (one, other) = (step.value(lower), step.value(upper));
        let ends = [one.min(other), one.max(other)];
        if step.kind == StepKind::Slide {
            range.outer = ends.map(|value| step.motion(value));
            return range;
        }
        range.ends = ends.map(|value| {
            let (sin, cos) = libm::sincos(value);
            [cos, sin]
        });
        let versine = 0.5 * range.chord * range.chord;
        range.outer = range.ends.map(|end| LinkMap::turn(step.axis, end));
        range.sagitta = versine;
        if range.half <= FRAC_PI_2 {
            range.sagitta = 0.5 * versine;
            let turn = range.middle;
            range.outer = range
                .outer
                .map(|end| end.moved_out(&turn, step.axis, 0.5 * versine));
        }
        range
    }

    /// The same step gone through the other way.
    pub(crate) fn reversed(&self) -> Self {
        let back = |map: &LinkMap| {
            let transposed = map.inverse();
            LinkMap {
                translation: -map.translation,
                ..transposed
            }
        };
        Self {
            ends: [self.ends[1], self.ends[0]].map(|[cos, sin]| [cos, -sin]),
            middle: back(&self.middle),
            outer: [back(&self.outer[1]), back(&self.outer[0])],
            ..*self
        }
    }
}

impl StepRange {
    pub(crate) fn arc(&self) -> Arc {
        Arc {
            from: self.ends[0],
            to: self.ends[1],
            half: self.half,
        }
    }
}

/// The middle of a range.
pub(crate) fn middle(lower: f64, upper: f64) -> f64 {
    0.5 * lower + 0.5 * upper
}
