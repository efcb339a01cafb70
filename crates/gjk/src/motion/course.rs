//! Where a body's centre is at a time, how far the body has turned about it, and how fast it turns.
//!
//! Where it sits: under `turning.rs`. A turn is always about one axis of the world: at a constant rate, or by a quaternion that goes on a straight line.

use super::twist::{TurnLaw, Twist};
use crate::math::{Pose, Scalar, Triple, Vector, Vector64, cross, dot, length, length_of_any};

/// Roundings of a turned vector, of its length. The matrix is off by the axis, 6 of which enter four times at half a turn, by sine and cosine 6 and by its own products and sums 10; the
/// vector's own are 6. The rest is room.
const TURN_ROUNDINGS: f64 = 72.0;

/// Roundings of an angle, of itself: the length of the angular velocity 4, the product with the time 1. Three are room.
const ANGLE_OF_TIME_ROUNDINGS: f64 = 8.0;

/// Roundings of a turn by nlerp beside [`TURN_ROUNDINGS`], of one: both parts of the quaternion 6 and 5 of its length, the double angle twice that, the square 3, the quotient and
/// the products 4. The rest is room.
const NLERP_ROUNDINGS: f64 = 64.0;

/// Roundings of a bound on a rate, of itself: some ten operations with positive numbers. The rest is room.
const PACE_ROUNDINGS: f64 = 32.0;

/// A turn.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    columns: [Triple; 3],
    /// How far a turned vector may be off, of its length.
    pub(super) error: f64,
}

impl Turn {
    /// The turn about a unit axis by an angle, by its sine and one less its cosine.
    fn about([x, y, z]: Triple, sine: f64, versine: f64, error: f64) -> Self {
        let [vx, vy, vz] = [versine * x, versine * y, versine * z];
        let [sx, sy, sz] = [sine * x, sine * y, sine * z];
        Self {
            columns: [
                [1.0 - (vy * y + vz * z), vx * y + sz, vx * z - sy],
                [vx * y - sz, 1.0 - (vx * x + vz * z), vy * z + sx],
                [vx * z + sy, vy * z - sx, 1.0 - (vx * x + vy * y)],
            ],
            error,
        }
    }

    /// The vector, turned.
    #[inline(always)]
    pub(super) fn apply(&self, x: Triple) -> Triple {
        let [a, b, c] = &self.columns;
        let along = |k: usize| a[k] * x[0] + b[k] * x[1] + c[k] * x[2];
        [along(0), along(1), along(2)]
    }

    /// The vector, turned back.
    #[inline(always)]
    pub(super) fn back(&self, x: Triple) -> Triple {
        let [a, b, c] = &self.columns;
        [dot(*a, x), dot(*b, x), dot(*c, x)]
    }
}

/// How a body moves, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<W> {
    /// Where its centre is at the start.
    pub(super) center: W,
    pub(super) linear: W,
    axis: Triple,
    pace: Pace,
    /// The most radians a unit of time until the end of the motion.
    fastest: f64,
    /// The sizes that enter rounding: of the centre, and of the way in a unit of time.
    sizes: [f64; 2],
}

/// How the angle about the axis goes on.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// By so many radians a unit of time.
    Constant(f64),
    /// As the direction of the point `(1 − t·lost, t·sine)`, twice.
    Nlerp(Nlerp),
}

/// A quaternion that goes from that of no turn to another on a straight line. Its length does not count.
#[derive(Clone, Copy, Debug)]
struct Nlerp {
    /// Of half the whole turn.
    sine: f64,
    /// One less the cosine of half the whole turn.
    lost: f64,
}

impl Nlerp {
    /// The quaternion at a time: its scalar part, and the length of its vector.
    fn at(&self, time: f64) -> [f64; 2] {
        [1.0 - time * self.lost, time * self.sine]
    }

    /// The most that the rate and its own rate can be on a piece of time. The angle's rate is `2·sine/q²`, where `q` is the quaternion's length.
    fn rates(&self, [from, to]: [f64; 2]) -> [f64; 2] {
        let up = 1.0 + PACE_ROUNDINGS * f64::ROUNDING;
        let bend = self.lost * self.lost + self.sine * self.sine;
        let shortest = (self.lost / bend).clamp(from, to);
        let [scalar, vector] = self.at(shortest);
        let square = (scalar * scalar + vector * vector) / up;
        // Half the rate of the square is linear in time.
        let slope = |time: f64| {
            (time * bend - self.lost).abs() + PACE_ROUNDINGS * f64::ROUNDING * self.lost
        };
        let slope = 2.0 * slope(from).max(slope(to));
        let rate = 2.0 * self.sine / square * up;
        [rate, rate * slope / square * up]
    }
}

impl<W: Vector64> Course<W> {
    /// The motion in the world until a time.
    pub(super) fn of<V: Vector<Wide = W>>(pose: &Pose<V>, twist: &Twist<V>, end: f64) -> Self {
        let (axis, size) = unit(match twist.turn_law() {
            TurnLaw::Constant(angular) => angular,
            TurnLaw::Nlerp([x, y, z, _]) => [x, y, z],
        });
        let pace = match twist.turn_law() {
            TurnLaw::Nlerp([.., w]) if size > 0.0 => Pace::Nlerp(Nlerp {
                sine: size,
                lost: 1.0 - w,
            }),
            _ => Pace::Constant(size),
        };
        let (center, linear) = (
            pose.lift::<W>().point(twist.center().lift()),
            twist.linear(),
        );
        let course = Self {
            center,
            linear,
            sizes: [center.sum_abs(), linear.sum_abs()],
            axis,
            pace,
            fastest: 0.0,
        };
        let [fastest, _] = course.rates([0.0, end]);
        Self { fastest, ..course }
    }

    /// The axis of the turn, a unit vector; zero where there is none.
    pub(super) fn axis(&self) -> Triple {
        self.axis
    }

    /// Whether it turns at all.
    pub(super) fn turns(&self) -> bool {
        self.fastest != 0.0
    }

    /// Whether it neither moves nor turns.
    pub(super) fn rests(&self) -> bool {
        !self.turns() && self.linear == W::ZERO
    }

    /// The most radians a unit of time until the end of the motion.
    pub(super) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// The most radians a unit of time on a piece of time, and the most that this changes by in a unit of time.
    pub(super) fn rates(&self, times: [f64; 2]) -> [f64; 2] {
        match self.pace {
            Pace::Constant(rate) => [rate, 0.0],
            Pace::Nlerp(nlerp) => nlerp.rates(times),
        }
    }

    /// About the angular velocity at a time.
    pub(super) fn whirl_at(&self, time: f64) -> Triple {
        let [rate, _] = self.rates([time, time]);
        self.axis.map(|x| x * rate)
    }

    /// The most that a point at a unit's distance from the axis is accelerated by on a piece of time.
    pub(super) fn acceleration(&self, times: [f64; 2]) -> f64 {
        let [rate, change] = self.rates(times);
        rate * rate + change
    }

    /// How far it has turned at a time.
    pub(super) fn turn(&self, time: f64) -> Turn {
        let [sine, versine] = self.sine_and_versine(time);
        Turn::about(self.axis, sine, versine, self.turn_error(time))
    }

    /// The same in the plane, where the axis is across it: the cosine and the sine, counter-clockwise, and about the angular velocity then.
    #[inline(always)]
    pub(super) fn planar_turn(&self, time: f64) -> ([f64; 2], f64) {
        let [sine, versine] = self.sine_and_versine(time);
        let rate = match self.pace {
            Pace::Constant(rate) => rate,
            Pace::Nlerp(nlerp) => nlerp.rates([time, time])[0],
        };
        let axis = self.axis[2];
        ([1.0 - versine, axis * sine], axis * rate)
    }

    /// Of the angle at a time the sine, and one less the cosine.
    #[inline(always)]
    fn sine_and_versine(&self, time: f64) -> [f64; 2] {
        match self.pace {
            Pace::Constant(0.0) => [0.0; 2],
            Pace::Constant(rate) => {
                let (sine, cosine) = libm::sincos(rate * time);
                [sine, 1.0 - cosine]
            }
            Pace::Nlerp(nlerp) => {
                let parts = nlerp.at(time);
                let largest = parts[0].abs().max(parts[1]);
                let [scalar, vector] = parts.map(|x| x / largest);
                let part = 2.0 * vector / (scalar * scalar + vector * vector);
                [part * scalar, part * vector]
            }
        }
    }

    /// How far a vector turned until a time may be off, of its length.
    pub(super) fn turn_error(&self, time: f64) -> f64 {
        match self.pace {
            Pace::Constant(0.0) => 0.0,
            Pace::Constant(rate) => {
                (TURN_ROUNDINGS + ANGLE_OF_TIME_ROUNDINGS * (rate * time).abs()) * f64::ROUNDING
            }
            Pace::Nlerp(_) => (TURN_ROUNDINGS + NLERP_ROUNDINGS) * f64::ROUNDING,
        }
    }

    /// How far the end of a vector is from the axis.
    pub(super) fn across(&self, x: Triple) -> f64 {
        length_of_any(cross(self.axis, x))
    }

    /// A pose of the start, moved until a time and turned, rounded.
    pub(super) fn taken(&self, turn: &Turn, time: f64, pose: &Pose<W>) -> Pose<W> {
        let turned = |x: W| W::from_f64(turn.apply(x.to_f64()));
        let mut columns = W::identity();
        for (to, from) in columns.as_mut().iter_mut().zip(pose.columns()) {
            *to = turned(*from);
        }
        let place = self.center_at(time) + turned(pose.translation() - self.center);
        pose.turned(columns, place, turn.error)
    }

    /// The same of a pose in its own scalar.
    pub(super) fn pose_at<V: Vector<Wide = W>>(
        &self,
        turn: &Turn,
        time: f64,
        pose: &Pose<V>,
    ) -> Pose<V> {
        if self.rests() {
            return *pose;
        }
        if !self.turns() {
            return pose.lift().moved(self.linear * time).lift();
        }
        self.taken(turn, time, &pose.lift()).lift()
    }

    /// Where its centre is at a time.
    pub(super) fn center_at(&self, time: f64) -> W {
        self.center + self.linear * time
    }

    /// The sizes that enter rounding: of the centre and the way.
    pub(super) fn size(&self, time: f64) -> f64 {
        self.sizes[0] + Scalar::abs(time) * self.sizes[1]
    }
}

/// The direction of a vector of any size, and its length.
fn unit(x: Triple) -> (Triple, f64) {
    let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return ([0.0; 3], 0.0);
    }
    let scaled = x.map(|x| x / largest);
    let size = length(scaled);
    (scaled.map(|x| x / size), largest * size)
}
