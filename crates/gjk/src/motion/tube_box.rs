//! A point that moves in a straight line against a box with a ball swept over it.
//!
//! Where it sits: beside `tube_segment.rs`; `ray_round.rs` asks it, and `tube.rs` proves what it proposes.
//! Idea: the distance from a box is convex, so Newton's method from before never passes the root.
//! Numbers: the box is that of the posed columns, whether or not they are unit and across each other: the nearest point is off by as much as they are, and no bound is.

use super::tube::{Beside, TubeLine, TubePassage};
use crate::math::{Triple, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;

/// Columns of a larger skew are not taken to be those of a rotation. It chooses, and proves nothing.
pub(super) const UNEVEN_SKEW: f64 = 1.0 / (1u64 << 46) as f64;

/// Steps of Newton's method towards a root of a box's distance. It chooses, and proves nothing.
const NEWTON_STEPS: u32 = 16;

/// After a step shorter than this part of the distance the next one is within rounding. It chooses, and proves nothing.
const NEWTON_NEAR: f64 = 1.0 / (1u64 << 27) as f64;

/// A box about a centre, along columns that are nearly a rotation's times a scale.
#[derive(Clone, Copy)]
pub(super) struct TubeBox {
    pub(super) center: Triple,
    pub(super) axes: [Triple; 3],
    pub(super) half: Triple,
    /// The inverse of the squared scale.
    pub(super) per_square: f64,
    /// Whether the columns are so far from a rotation's that a foot on a face is looked for twice.
    pub(super) uneven: bool,
    /// Of the centre and the half extents.
    pub(super) size: f64,
}

/// A box as a moving point sees it.
pub(super) struct BoxTube {
    core: TubeBox,
    line: TubeLine,
}

impl BoxTube {
    /// `None` for numbers near the ends of their range.
    pub(super) fn of(core: TubeBox, radius: f64, line: [Triple; 2]) -> Option<Self> {
        let line = TubeLine::of(line, radius, core.size + length(line[0]))?;
        Some(Self { core, line })
    }

    /// From the core's nearest point to a place.
    fn arm(&self, place: Triple) -> Triple {
        let TubeBox {
            center,
            axes,
            half,
            per_square,
            uneven,
            ..
        } = self.core;
        let way = subtract(place, center);
        let at = |k: usize| dot(axes[k], way) * per_square;
        let mut foot = [at(0), at(1), at(2)];
        let mut arm = way;
        for k in 0..3 {
            foot[k] = foot[k].clamp(-half[k], half[k]);
            arm = plus(arm, axes[k], -foot[k]);
        }
        // Along the columns that the foot is within, there is no arm but for their skew, of which the square is left.
        for k in 0..if uneven { 3 } else { 0 } {
            let moved = foot[k] + dot(axes[k], arm) * per_square;
            let moved = moved.clamp(-half[k], half[k]);
            arm = plus(arm, axes[k], foot[k] - moved);
        }
        arm
    }

    /// How far a place is beyond the core's supporting plane along a direction.
    fn height(&self, direction: Triple, place: Triple) -> f64 {
        let TubeBox {
            center, axes, half, ..
        } = self.core;
        let reach = |k: usize| half[k] * dot(direction, axes[k]).abs();
        dot(direction, subtract(place, center)) - (reach(0) + reach(1) + reach(2))
    }

    fn place(&self, time: f64) -> Triple {
        plus(self.line.origin, self.line.direction, time)
    }

    fn at(&self, time: f64) -> Beside {
        let place = self.place(time);
        let arm = self.arm(place);
        let far = length(arm);
        let per = 1.0 / far;
        Beside {
            height: self.height(arm, place) * per,
            rate: dot(arm, self.line.direction) * per,
            error: self.line.error(time),
            arm,
            far,
        }
    }

    /// Newton's method on the distance from a time on, forwards or back: it never passes the root of a convex function. `None` where the point leads away.
    fn newton(&self, from: f64, sign: f64) -> Option<f64> {
        let mut time = from;
        for _ in 0..NEWTON_STEPS {
            let here = self.at(time);
            let (gap, rate) = (here.height - self.line.radius, sign * here.rate);
            if !(rate < 0.0) {
                return None;
            }
            let way = -gap / rate;
            // It is there, or would turn back because of rounding.
            if !(way > UNIT_ROUNDOFF * time.abs()) {
                break;
            }
            time += sign * way;
            // The next step is no longer than the square of this one beside the curve.
            if way * self.line.speed < NEWTON_NEAR * here.far {
                break;
            }
        }
        Some(time)
    }

    /// The time of the closest approach, from the start on: where the point does not come nearer any more.
    fn closest(&self) -> f64 {
        let rate = |time: f64| dot(self.arm(self.place(time)), self.line.direction);
        let (mut low, mut high) = (0.0, self.line.far());
        if rate(low) >= 0.0 {
            return low;
        }
        // The rate is a function that grows, and is linear between the core's features.
        let (mut before, mut after) = (rate(low), rate(high));
        for step in 0..NEWTON_STEPS {
            let part = if step % 2 == 0 {
                before / (before - after)
            } else {
                0.5
            };
            let middle = low + (high - low) * part;
            let found = rate(middle);
            if found < 0.0 {
                (low, before) = (middle, found);
            } else {
                (high, after) = (middle, found);
            }
            if found == 0.0 || !(low < high) {
                break;
            }
        }
        high
    }

    /// Whether a plane proves that the point never meets the body until a time.
    fn misses(&self, end: f64) -> bool {
        let normal = self.arm(self.place(self.closest()));
        let height = |time: f64| self.height(normal, self.place(time));
        self.line.is_beyond(normal, end, height)
    }

    /// When the point meets the body and leaves it, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    pub(super) fn passes(&self, end: f64, width: f64) -> Option<Option<TubePassage>> {
        let far = self.line.far();
        let roots = self.newton(0.0, 1.0).zip(self.newton(far, -1.0));
        let Some((enter, exit)) = roots.filter(|&(_, exit)| exit > 0.0) else {
            return self.misses(end).then_some(None);
        };
        let beside = [self.at(enter), self.at(exit)];
        self.line.passage([enter, exit], beside, end, width)
    }
}
