//! A ray in the frame of a body.
//!
//! Where it sits: below `ray_hull.rs` and `ray_quadric.rs`.
//! Idea: of very small and very large bodies lengths are told in the power of two that is next to theirs, and so are speeds, so that products of all that is told are floats. That changes no digit.
//! Numbers: a point of the ray counts only while it may be on the body: at a time at most `(|p| + r)/|v|` from the start, if `r` is how far the body's points are from its origin. Places are
//! bounded for twice that time.

use super::slabs::{Passage, fits};
use crate::math::{
    Pose, Scalar, Triple, Vector, Vector64, dot, exponent_of, larger, length, subtract,
};

/// Roundings of a place in the body's frame, of its size: of each of three components the way 1, the product of two columns 3, the inner product 3, the quotient 2. The rest is room.
pub(super) const LOCAL_ROUNDINGS: f64 = 18.0;

/// The powers of two in which lengths and times are told, by their exponents.
#[derive(Clone, Copy, Default)]
pub(super) struct Units {
    length: i32,
    time: i32,
}

impl Units {
    /// Whether all is told as it is.
    #[inline(always)]
    pub(super) fn are_plain(self) -> bool {
        self.length == 0 && self.time == 0
    }

    /// A length of the body.
    #[inline(always)]
    pub(super) fn length(self, x: f64) -> f64 {
        times_power(x, -self.length)
    }

    /// A time from the start.
    #[inline(always)]
    pub(super) fn time(self, x: f64) -> f64 {
        times_power(x, -self.time)
    }

    /// The passage in the caller's times; `None` if these are no normal floats.
    #[inline(always)]
    pub(super) fn passage(self, passage: Passage) -> Option<Passage> {
        if self.are_plain() {
            return Some(passage);
        }
        let [enter, exit] =
            [passage.enter, passage.exit].map(|x| x.map(|x| times_power(x, self.time)));
        let is_exact = enter.iter().chain(&exit).all(|x| x.is_normal());
        is_exact.then_some(Passage {
            enter,
            exit,
            ..passage
        })
    }
}

/// A number by a power of two.
#[inline(always)]
fn times_power(x: f64, exponent: i32) -> f64 {
    if exponent == 0 {
        x
    } else {
        x.scale_by_power(exponent)
    }
}

/// All coordinates by a power of two.
fn all_times(x: Triple, exponent: i32) -> Triple {
    x.map(|x| times_power(x, exponent))
}

/// The exponent of the largest coordinate.
fn largest_exponent(x: Triple) -> i32 {
    exponent_of(x.iter().fold(0.0, |most, x| larger(x.abs(), most)))
}

/// A ray in the frame of a body, and the sizes of which bounds are made.
pub(super) struct LocalLine {
    pub(super) point: Triple,
    pub(super) velocity: Triple,
    /// How far the point is from the body's origin at the start.
    pub(super) far: f64,
    pub(super) speed: f64,
    /// How far the body's points are from its origin.
    pub(super) reach: f64,
    /// How far the body's origin is from the world's, in the body's lengths.
    pub(super) place: f64,
    /// Twice as long a way as the ray may be on the body: farther than that it is not.
    pub(super) way: f64,
    /// In which all of this is told.
    pub(super) units: Units,
}

impl LocalLine {
    /// `None` for numbers near the ends of their range, and for poses that do more than to turn, to move and to scale.
    #[inline(always)]
    pub(super) fn of<V: Vector>(half: Triple, pose: &Pose<V>, line: [Triple; 2]) -> Option<Self> {
        let scale = pose.uniform_scale()?.to_f64();
        if fits(scale) {
            Self::told(half, pose, scale, line)
        } else {
            Self::beside_one::<V::Wide>(half, &pose.lift(), line)
        }
    }

    /// The same in a world whose lengths are told in the power of two that is next to the pose's scale: in the body's frame nothing changes.
    #[cold]
    fn beside_one<W: Vector64>(half: Triple, pose: &Pose<W>, line: [Triple; 2]) -> Option<Self> {
        let unit = exponent_of(pose.uniform_scale()?);
        let pose = pose.scaled_by_power(-unit);
        let scale = pose.uniform_scale().filter(|&scale| fits(scale))?;
        Self::told(half, &pose, scale, line.map(|x| all_times(x, -unit)))
    }

    #[inline(always)]
    fn told<V: Vector>(
        half: Triple,
        pose: &Pose<V>,
        scale: f64,
        [origin, direction]: [Triple; 2],
    ) -> Option<Self> {
        let (across, volume) = pose.across();
        let per = 1.0 / volume;
        let local = |x: Triple| {
            let along = |k: usize| dot(across[k], x) * per;
            [along(0), along(1), along(2)]
        };
        let center = pose.translation().to_f64();
        let (point, velocity) = (local(subtract(origin, center)), local(direction));
        let place = length(center) / scale;
        let found = Self::sized(point, velocity, length(half), place, Units::default());
        if found.fits() {
            return Some(found);
        }
        Self::in_units([point, velocity], half, center.map(|x| x / scale))
    }

    /// The same with lengths and speeds in the powers of two that are next to those of the body and of the ray.
    #[cold]
    fn in_units([point, velocity]: [Triple; 2], half: Triple, center: Triple) -> Option<Self> {
        let (size, speed) = (largest_exponent(half), largest_exponent(velocity));
        let units = Units {
            length: size,
            time: size - speed,
        };
        let [point, half, center] = [point, half, center].map(|x| all_times(x, -size));
        let velocity = all_times(velocity, -speed);
        let found = Self::sized(point, velocity, length(half), length(center), units);
        found.fits().then_some(found)
    }

    #[inline(always)]
    fn sized(point: Triple, velocity: Triple, reach: f64, place: f64, units: Units) -> Self {
        let far = length(point);
        Self {
            speed: length(velocity),
            way: 2.0 * (far + reach),
            point,
            velocity,
            far,
            reach,
            place,
            units,
        }
    }

    /// Whether products of its sizes neither overflow nor underflow.
    #[inline(always)]
    fn fits(&self) -> bool {
        fits(self.far + self.reach + self.place) && fits(self.speed)
    }

    /// Places are bounded so long after the start, and so long before.
    pub(super) fn until(&self) -> f64 {
        self.way / self.speed
    }
}
