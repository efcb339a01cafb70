//! A core with a ball swept over it, and a point that moves in a straight line: when the point is in contact, in floats with bounds that prove what they say.
//!
//! Where it sits: below `tube_segment.rs` and `tube_box.rs`, which know where the point passes through the surface, about; `ray_round.rs` asks them, of rays and of casts of balls.
//! Idea: beside a root, one look proves both sides of it. The plane across the arm from a point of the core near the nearest one has the core behind it, and the point's height over it changes at
//! a constant rate: so there is no contact before. The distance from that point of the core is a quadratic: so there is contact after. The roots only say which time is looked at.
//! A miss is proved by such a plane at the closest approach.

use super::float_ends::LINE_SIZE_MAX;
use crate::math::{Triple, larger, length, smaller, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;

/// Roundings of a distance from the core and of a height over a plane, of the sum of all sizes: the line 3, the way 3, the nearest point 4, the square or the product of the arm and the way 4,
/// the core's height 5, vertices 5, the step to the root 3. The rest is room.
const TUBE_ROUNDINGS: f64 = 30.0;

/// A squared distance this part of the squared radius from it is that of a point on the surface. It chooses when to look, and the bounds hold for any.
const ON_SURFACE: f64 = 1.0 / (1u64 << 24) as f64;

/// Times on either side of a root are so many of what it takes to be there for sure, so that the curve of the distance is room.
const TUBE_ROOM: f64 = 1.125;

/// The square of the way in that time, of what is missing of the square of the distance, halved: less than the room.
const TUBE_CURVE_MAX: f64 = 0.1;

/// Slower than this part of the speed a surface is passed along, and the rate is not known well.
const TUBE_RATE_MIN: f64 = 1.0 / (1u64 << 20) as f64;

/// The moving point, the radius of the ball, and the sizes of which the bounds are made.
#[derive(Clone, Copy)]
pub(super) struct TubeLine {
    pub(super) origin: Triple,
    pub(super) direction: Triple,
    pub(super) radius: f64,
    /// No less than the sum of the sizes at the start, and no more than twice as much.
    pub(super) size: f64,
    /// The same, of the speed.
    pub(super) speed: f64,
}

/// When the point is in contact, with the arm where it begins.
pub(super) struct TubePassage {
    pub(super) enter: [f64; 2],
    /// If it was asked for.
    pub(super) exit: Option<[f64; 2]>,
    pub(super) arm: Triple,
}

/// The moving point beside the core at a time. Heights and their rate are over the plane across the arm, times its length.
pub(super) struct Beside {
    /// From a point of the core that is nearest, but for rounding.
    pub(super) arm: Triple,
    /// The square of its length: the core is no farther.
    pub(super) squared: f64,
    /// How far the core is beyond the plane across the arm through that point.
    pub(super) over: f64,
    /// How fast the height changes.
    pub(super) rate: f64,
    /// How far off a distance and a height may be.
    pub(super) error: f64,
}

impl TubeLine {
    /// `None` for numbers near the ends of their range. `size` is that of the core and of the way to it.
    #[inline(always)]
    pub(super) fn of([origin, direction]: [Triple; 2], radius: f64, size: f64) -> Option<Self> {
        let (size, speed) = (size + radius, sum_abs(direction));
        let fits = |x: f64| 1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX;
        (fits(size) && fits(speed) && fits(radius)).then_some(Self {
            origin,
            direction,
            radius,
            size,
            speed,
        })
    }

    /// How far a distance and a height may be off at a time.
    #[inline(always)]
    pub(super) fn error(&self, time: f64) -> f64 {
        TUBE_ROUNDINGS * UNIT_ROUNDOFF * (self.size + time.abs() * self.speed)
    }

    /// A time after which the point is farther off than any size, and before the negative of which it was.
    pub(super) fn far(&self) -> f64 {
        // The sum of three magnitudes is no more than twice the length.
        2.0 * self.size / self.speed * TUBE_ROOM
    }

    /// Times about the root near a time, which prove it: apart until the first and in contact at the second, or for a point that leaves in contact at the first and apart from the second on.
    ///
    /// Let `r` be the radius, `q` the square of the arm, `ρ` its product with the velocity `v`, and `Δ = (r² − q)/2ρ` Newton's step. Then at so much later and `s` before, the height over the plane is
    /// `(q + r²)/2 − over + |ρ|·s`, which is no less than `r·|arm|` if `|ρ|·s ≥ over`; and `s` after, the square of the distance from the nearest point is `r² − 2·|ρ|·s + v²·(Δ + s)²`.
    #[inline(always)]
    pub(super) fn bracket(&self, here: &Beside, time: f64, leaves: bool) -> Option<[f64; 2]> {
        let ideal = self.radius * self.radius;
        let missing = ideal - here.squared;
        let rate = if leaves { here.rate } else { -here.rate };
        let is_near = missing.abs() <= ON_SURFACE * ideal;
        if !(is_near && rate > TUBE_RATE_MIN * self.speed * self.radius) {
            return None;
        }
        let per = 1.0 / rate;
        let step = 0.5 * missing * per;
        let root = if leaves { time + step } else { time - step };
        let moved = step * self.speed;
        let error = self.radius * here.error;
        let (out_of, into) = (error + larger(here.over, 0.0), error + moved * moved);
        let room = TUBE_ROOM * per;
        let [outside, inside] = [out_of * room, into * room];
        let curve = inside * self.speed;
        if curve * curve > TUBE_CURVE_MAX * into {
            return None;
        }
        let rounded = 2.0 * UNIT_ROUNDOFF * root.abs();
        let (before, after) = if leaves {
            (inside, outside)
        } else {
            (outside, inside)
        };
        Some([root - before - rounded, root + after + rounded])
    }

    /// Whether a plane with the core behind it proves that the point never meets the body until a time. `height` is the point's over it, at a time, for the normal's length.
    pub(super) fn is_beyond(&self, normal: Triple, end: f64, height: impl Fn(f64) -> f64) -> bool {
        // Farther than this it is beyond all of it.
        let far = self.far();
        let until = if end < far { end } else { far };
        let size = length(normal);
        let clear = |time: f64| height(time) > size * (self.radius + self.error(time));
        clear(0.0) && clear(until)
    }

    /// The passage between two roots with what is beside the point there, if it begins after the start; `Some(None)` where that is surely not until `end`, `None` where bounds do not decide. Of the second root it
    /// may be that nobody asks.
    #[inline(always)]
    pub(super) fn passage(
        &self,
        (root, here): (f64, Beside),
        exit: Option<(f64, Beside)>,
        end: f64,
        width: f64,
    ) -> Option<Option<TubePassage>> {
        let enter = self.bracket(&here, root, false)?;
        if !(enter[0] > 0.0) {
            return None;
        }
        if enter[0] > end {
            return Some(None);
        }
        let narrow = |[lower, upper]: [f64; 2]| upper - lower <= width * upper;
        let exit = match exit {
            Some((root, here)) => Some(self.bracket(&here, root, true)?),
            None => None,
        };
        let left = exit.map_or(end, |[left, _]| smaller(left, end));
        let decided = enter[1] < left && narrow(enter) && exit.is_none_or(narrow);
        let arm = here.arm;
        decided.then_some(Some(TubePassage { enter, exit, arm }))
    }
}
