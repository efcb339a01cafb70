//! A point that moves in a straight line against a box with a ball swept over it.
//!
//! Where it sits: beside `tube_segment.rs`; `ray_round.rs` asks it, and `tube.rs` proves what it proposes.
//! Idea: in the box's frame the squared distance is made of quadratics between the places where the point comes beside the box along an axis, or past it. The first of them that holds its own root has it.
//! Numbers: the box is that of the posed columns, whether or not they are unit and across each other: the nearest point is off by as much as they are, and no bound is.

use super::tube::{Beside, TubeLine, TubePassage};
use crate::math::{Pose, Scalar, Triple, Vector, dot, larger, length, plus, smaller, subtract};

/// Columns of a larger skew are not taken to be those of a rotation. It chooses, and proves nothing.
const UNEVEN_SKEW: f64 = 1.0 / (1u64 << 46) as f64;

/// Steps of Newton's method towards a root of a box's distance. It chooses, and proves nothing.
const NEWTON_STEPS: u32 = 4;

/// After a step shorter than this part of the radius, the one of the proof ends within rounding. It chooses, and proves nothing.
const NEWTON_DONE: f64 = 1.0 / (1u64 << 28) as f64;

/// Pieces of a line past a box: two changes along each axis.
const BOX_PIECES: u32 = 7;

/// A box as a moving point sees it: about a centre, along columns that are nearly a rotation's times a scale.
#[derive(Clone, Copy)]
pub(super) struct BoxTube {
    line: TubeLine,
    center: Triple,
    axes: [Triple; 3],
    half: Triple,
    /// The inverse of the squared scale, and of the scale.
    per_square: f64,
    per_scale: f64,
    /// Whether the columns are so far from a rotation's that a foot on a face is looked for twice.
    uneven: bool,
}

impl BoxTube {
    /// Of half extents and a pose that turns, moves and scales alike; `None` for numbers near the ends of their range.
    #[inline(always)]
    pub(super) fn of<V: Vector>(
        half: Triple,
        pose: &Pose<V>,
        radius: f64,
        line: [Triple; 2],
    ) -> Option<Self> {
        let scale = pose.uniform_scale()?.to_f64();
        let center = pose.translation().to_f64();
        let column = |k: usize| pose.columns()[k].to_f64();
        let third = if V::DIM == 2 {
            [0.0, 0.0, 1.0]
        } else {
            column(2)
        };
        let size = length(half) * scale + length(center) + length(line[0]);
        Some(Self {
            line: TubeLine::of(line, radius, size)?,
            axes: [column(0), column(1), third],
            per_square: 1.0 / (scale * scale),
            per_scale: 1.0 / scale,
            uneven: pose.skew() > UNEVEN_SKEW,
            center,
            half,
        })
    }

    /// From the core's nearest point to a place.
    #[inline(always)]
    fn arm(&self, place: Triple) -> Triple {
        let Self {
            center,
            axes,
            half,
            per_square,
            uneven,
            ..
        } = *self;
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
    #[inline(always)]
    fn height(&self, direction: Triple, place: Triple) -> f64 {
        let Self {
            center, axes, half, ..
        } = *self;
        let reach = |k: usize| half[k] * dot(direction, axes[k]).abs();
        dot(direction, subtract(place, center)) - (reach(0) + reach(1) + reach(2))
    }

    #[inline(always)]
    fn place(&self, time: f64) -> Triple {
        plus(self.line.origin, self.line.direction, time)
    }

    #[inline(always)]
    fn at(&self, time: f64) -> Beside {
        let place = self.place(time);
        let arm = self.arm(place);
        let squared = dot(arm, arm);
        Beside {
            over: squared - self.height(arm, place),
            rate: dot(arm, self.line.direction),
            error: self.line.error(time),
            arm,
            squared,
        }
    }

    /// The time at which the point comes to the surface from before, or leaves it: what the box's own frame tells, and steps of Newton's method where that is not one of a rotation. The time of the closest
    /// approach where it passes by.
    #[inline(always)]
    fn root(&self, leaves: bool) -> Result<(f64, Beside), f64> {
        let mut time = self.proposed(leaves)?;
        let mut here = self.at(time);
        for _ in 0..if self.uneven { NEWTON_STEPS } else { 0 } {
            let radius = self.line.radius;
            let way = 0.5 * (radius * radius - here.squared) / here.rate;
            if !(way.abs() * self.line.speed > NEWTON_DONE * radius) {
                break;
            }
            time += way;
            here = self.at(time);
        }
        Ok((time, here))
    }

    /// The same times, of the columns as if they were those of a rotation.
    #[inline(always)]
    fn proposed(&self, leaves: bool) -> Result<f64, f64> {
        let Self {
            center,
            axes,
            half,
            per_square,
            per_scale,
            ..
        } = *self;
        let way = subtract(self.line.origin, center);
        let sign = if leaves { -per_square } else { per_square };
        let local = |x: Triple, by: f64| {
            let along = |k: usize| dot(axes[k], x) * by;
            [along(0), along(1), along(2)]
        };
        let (point, velocity) = (local(way, per_square), local(self.line.direction, sign));
        let radius = self.line.radius * per_scale;
        let signed = |time: f64| if leaves { -time } else { time };
        rounded_box_entry(half, radius, point, velocity)
            .map(signed)
            .map_err(signed)
    }

    /// Whether the plane across the arm at a time proves that the point never meets the body until the end.
    // It is handed a copy: what it had a reference to would have to be in memory.
    #[inline(never)]
    fn misses(self, time: f64, end: f64) -> bool {
        let normal = self.arm(self.place(larger(time, 0.0)));
        let height = |time: f64| self.height(normal, self.place(time));
        self.line.is_beyond(normal, end, height)
    }

    /// When the point meets the body, and leaves it if that is `asked`, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    #[inline(always)]
    pub(super) fn passes(&self, asked: bool, end: f64, width: f64) -> Option<Option<TubePassage>> {
        let enter = match self.root(false) {
            Ok(enter) => enter,
            Err(nearest) => return self.misses(nearest, end).then_some(None),
        };
        // In contact at the start, or past it.
        if !(enter.0 > 0.0) {
            return self.misses(0.0, end).then_some(None);
        }
        let exit = if asked {
            Some(self.root(true).ok()?)
        } else {
            None
        };
        self.line.passage(enter, exit, end, width)
    }
}

/// When a point comes to the surface of a box with a ball swept over it, in the box's own frame, from before; as an error when it is nearest to the box, where it passes by.
///
/// Along each axis it is before the box, then beside it, then past it. Between two such changes its squared distance from the box is one quadratic, and the sum of all of them is convex: so the first piece that
/// holds its own root has the time, and where the slope turns before there is a root, there is none.
#[inline(always)]
fn rounded_box_entry(
    half: Triple,
    radius: f64,
    point: Triple,
    velocity: Triple,
) -> Result<f64, f64> {
    // Along each axis the place beside the middle, against the motion, and the times of both changes.
    let (mut place, mut speed, mut changes) = ([0.0; 3], [0.0; 3], [[0.0; 2]; 3]);
    let (mut enter, mut exit, mut first) = (f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);
    for k in 0..3 {
        speed[k] = larger(velocity[k].abs(), f64::MIN_POSITIVE);
        place[k] = if velocity[k] < 0.0 {
            -point[k]
        } else {
            point[k]
        };
        let per = 1.0 / speed[k];
        changes[k] = [(-half[k] - place[k]) * per, (half[k] - place[k]) * per];
        first = smaller(changes[k][0], first);
        enter = larger(changes[k][0] - radius * per, enter);
        exit = smaller(changes[k][1] + radius * per, exit);
    }
    // Until then it is farther than the radius along one axis alone, if it ever is so near along all.
    let mut time = if enter <= exit { enter } else { first };
    let chosen = |which: bool, then: f64, or: f64| if which { then } else { or };
    for _ in 0..BOX_PIECES {
        let (mut square, mut linear, mut constant) = (0.0, 0.0, -radius * radius);
        let mut next = f64::INFINITY;
        for k in 0..3 {
            let [into, out] = changes[k];
            let (before, past) = (time < into, time >= out);
            let ahead = chosen(past, f64::INFINITY, out);
            next = smaller(chosen(before, into, ahead), next);
            let by = chosen(before | past, speed[k], 0.0);
            let gap = place[k] + chosen(before, half[k], -half[k]);
            let gap = chosen(before | past, gap, 0.0);
            square += by * by;
            linear += by * gap;
            constant += gap * gap;
        }
        let inside = linear * linear - square * constant;
        if inside >= 0.0 {
            let root = -(linear + Scalar::sqrt(inside)) / square;
            if root <= next {
                return Ok(root);
            }
        } else if -linear <= next * square {
            return Err(-linear / square);
        }
        time = next;
    }
    Err(time)
}
