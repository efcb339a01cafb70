//! How a body moves and turns: what it is.

use super::course::Course;
use super::options::MotionError;
use crate::math::triple::{plus, subtract};
use crate::math::{Pose, Ring, Scalar, Triple, Vec3, Vector, cross, dot, length, quaternion_of};

/// How a body moves and turns: a centre moves in a straight line at a constant speed, and the body turns about it at a constant rate, or as
/// [`Twist::nlerp`] says.
///
/// Frame: the world; the centre is in the body's own. At time `t` the body is its pose, turned by the angle `t·|angular|` about the axis `angular` through the
/// centre, which has moved by `t·linear`. Unit: radians and lengths in a unit of time. Sign: right-handed, counter-clockwise in the plane.
/// The screw, the slerp of two poses and a body at rest are such motions.
/// # Examples
/// ```
/// use gjk::{Vec2, Vec3, query::Twist};
/// let spin = Twist::new(Vec2::new(1.0, 0.0), [0.0, 0.0, 2.0], Vec2::new(0.0, 0.0)).unwrap();
/// assert_eq!(spin.angular(), [0.0, 0.0, 2.0]);
/// // In the plane there is no other axis.
/// assert!(Twist::new(Vec2::new(1.0, 0.0), [1.0, 0.0, 2.0], Vec2::new(0.0, 0.0)).is_err());
/// assert!(Twist::new(Vec3::new(f64::NAN, 0.0, 0.0), [0.0; 3], Vec3::new(0.0, 0.0, 0.0)).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<V: Vector> {
    linear: V::Wide,
    spin: TurnLaw,
    center: V,
}

/// How a body turns about its centre, along the world's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TurnLaw {
    /// By this angular velocity.
    Constant(Triple),
    /// The quaternion goes from `[0, 0, 0, 1]` to this one, `[x, y, z, w]`, on a straight line, and its direction counts. `w` is not negative, and the length is one
    /// but for rounding.
    Nlerp([f64; 4]),
}

impl<V: Vector> Twist<V> {
    /// The motion by these velocities about a centre.
    ///
    /// # Errors  a number that is not finite; in the plane an axis that leaves it.
    pub fn new(linear: V, angular: [V::Scalar; 3], center: V) -> Result<Self, MotionError> {
        let angular = angular.map(Scalar::to_f64);
        Self::wide(linear.lift(), TurnLaw::Constant(angular), center)
    }

    fn wide(linear: V::Wide, spin: TurnLaw, center: V) -> Result<Self, MotionError> {
        let angular = spin.at_start();
        let all = [
            ("velocity", linear.is_finite()),
            ("angular", angular.iter().all(|x| x.is_finite())),
            ("center", center.is_finite()),
        ];
        if let Some((field, _)) = all.into_iter().find(|(_, is_finite)| !is_finite) {
            return Err(MotionError::NotFinite { field });
        }
        if V::DIM == 2 && (angular[0] != 0.0 || angular[1] != 0.0) {
            return Err(MotionError::OutOfRange { field: "angular" });
        }
        Ok(Self {
            linear,
            spin,
            center,
        })
    }

    /// A body at rest.
    pub fn rest() -> Self {
        Self {
            linear: V::Wide::ZERO,
            spin: TurnLaw::Constant([0.0; 3]),
            center: V::ZERO,
        }
    }

    /// The motion from one pose to another in a unit of time: the centre moves in a straight line, and the body turns along the shortest arc at a constant
    /// rate (slerp). Of half a turn, either is the shortest.
    ///
    /// Rounding: both velocities are rounded to `f64` once. The motion is the one that they state, and it ends a few roundings from the second pose.
    /// # Errors  a pose that scales, shears or mirrors; a number that is not finite.
    /// # Examples
    /// ```
    /// use gjk::{Pose, Vec2, query::Twist};
    /// let (here, there) = (Pose::identity(), Pose::from_angle(0.5, Vec2::new(2.0, 0.0)));
    /// let twist = Twist::between(&here, &there, Vec2::new(0.0, 0.0)).unwrap();
    /// assert!((twist.angular()[2] - 0.5f64).abs() < 1e-15);
    /// assert_eq!(twist.linear(), Vec2::new(2.0, 0.0));
    /// ```
    pub fn between(from: &Pose<V>, to: &Pose<V>, center: V) -> Result<Self, MotionError> {
        let [x, y, z, w] = relative(from, to)?;
        let sine = length([x, y, z]);
        let angle = 2.0 * libm::atan2(sine, w);
        let rate = if sine > 0.0 { angle / sine } else { 2.0 };
        let angular = [x * rate, y * rate, z * rate];
        Self::wide(way(from, to, center), TurnLaw::Constant(angular), center)
    }

    /// The motion from one pose to another in a unit of time whose quaternion goes on a straight line and is normalised (nlerp); in the plane it is that of half the angle.
    ///
    /// The axis and the ends are those of [`Twist::between`]. The body turns faster in the middle than at the ends, by a sixth for a quarter turn. Past the second pose the line goes on.
    ///
    /// Rounding: the velocity and the quaternion are rounded to `f64` once. The motion is the one that they state.
    /// # Errors  a pose that scales, shears or mirrors; a number that is not finite.
    /// # Examples
    /// ```
    /// use gjk::{Pose, Vec2, query::Twist};
    /// let (here, there) = (Pose::identity(), Pose::from_angle(0.5, Vec2::new(2.0, 0.0)));
    /// let twist = Twist::nlerp(&here, &there, Vec2::new(0.0, 0.0)).unwrap();
    /// // At the start it turns slower than 0.5 radians in a unit of time.
    /// assert!((twist.angular()[2] - 2.0 * 0.25f64.sin()).abs() < 1e-15);
    /// ```
    pub fn nlerp(from: &Pose<V>, to: &Pose<V>, center: V) -> Result<Self, MotionError> {
        let spin = TurnLaw::Nlerp(relative(from, to)?);
        Self::wide(way(from, to, center), spin, center)
    }

    /// The screw from one pose to another in a unit of time: the body turns about an axis as in [`Self::between`], and slides along that axis.
    /// Without a turn it moves in a straight line.
    ///
    /// Rounding: as there; the centre, a point of the axis, is rounded to the scalar.
    /// # Errors  as there.
    /// # Examples
    /// ```
    /// use gjk::{Pose, Vec2, Vector, query::Twist};
    /// let (here, there) = (Pose::identity(), Pose::from_angle(core::f64::consts::PI, Vec2::new(2.0, 0.0)));
    /// let twist = Twist::screw_between(&here, &there).unwrap();
    /// assert_eq!(twist.linear(), Vec2::new(0.0, 0.0));
    /// assert!((twist.center() - Vec2::new(1.0, 0.0)).max_abs() < 1e-15);
    /// ```
    pub fn screw_between(from: &Pose<V>, to: &Pose<V>) -> Result<Self, MotionError> {
        let straight = Self::between(from, to, V::ZERO)?;
        let (angle, line) = (length(straight.angular()), straight.linear.to_f64());
        if angle == 0.0 {
            return Ok(straight);
        }
        let axis = straight.angular().map(|x| x / angle);
        let slide = axis.map(|x| x * dot(line, axis));
        let across = subtract(line, slide);
        // The turn takes the lever to itself less what is across: the half angle's cotangent has it.
        let lever = plus(across, cross(axis, across), 1.0 / libm::tan(angle / 2.0));
        let half = lever.map(|x| x / 2.0);
        let center = V::from_fn(|k| V::Scalar::from_f64(dot(from.columns()[k].to_f64(), half)));
        Self::wide(V::Wide::from_f64(slide), straight.spin, center)
    }

    /// How far the centre moves in a unit of time.
    pub fn linear(&self) -> V::Wide {
        self.linear
    }

    /// The angle in radians that the body turns in a unit of time at the start, along its axis; in the plane only the last component.
    pub fn angular(&self) -> [f64; 3] {
        self.spin.at_start()
    }

    /// The quaternion `[x, y, z, w]` that a motion by nlerp states: at the time `t` the body is turned by the direction of `[t·x, t·y, t·z, 1 − t + t·w]`.
    pub fn quaternion(&self) -> Option<[f64; 4]> {
        match self.spin {
            TurnLaw::Nlerp(quaternion) => Some(quaternion),
            TurnLaw::Constant(_) => None,
        }
    }

    /// Where a body is at a time that is at `pose` at the start, rounded.
    ///
    /// # Examples
    /// ```
    /// use gjk::{Pose, Vec2, query::Twist};
    /// let spin = Twist::new(Vec2::new(1.0, 0.0), [0.0, 0.0, 2.0], Vec2::new(0.0, 0.0)).unwrap();
    /// let later = spin.pose_at(&Pose::from_translation(Vec2::new(3.0, 0.0)), 0.5);
    /// assert_eq!(later.translation(), Vec2::new(3.5, 0.0));
    /// assert!((later.columns()[0].x - 1.0f64.cos()).abs() < 1e-15);
    /// ```
    pub fn pose_at(&self, pose: &Pose<V>, time: f64) -> Pose<V> {
        let course = Course::of(pose, self, time);
        course.pose_at(&course.turn(time), time, pose)
    }

    /// How it turns.
    pub(crate) fn turn_law(&self) -> TurnLaw {
        self.spin
    }

    /// The point that moves in a straight line, in the body's frame.
    pub fn center(&self) -> V {
        self.center
    }
}

impl TurnLaw {
    /// The angular velocity at the start.
    fn at_start(&self) -> Triple {
        match *self {
            Self::Constant(angular) => angular,
            Self::Nlerp([x, y, z, _]) => [2.0 * x, 2.0 * y, 2.0 * z],
        }
    }
}

/// The way of the centre from one pose to another.
fn way<V: Vector>(from: &Pose<V>, to: &Pose<V>, center: V) -> V::Wide {
    let place = |pose: &Pose<V>| pose.lift::<V::Wide>().point(center.lift());
    place(to) - place(from)
}

/// The unit quaternion of the shortest turn from one pose to another, along the world's axes.
fn relative<V: Vector>(from: &Pose<V>, to: &Pose<V>) -> Result<[f64; 4], MotionError> {
    let (first, last) = (rotation(from, "pose")?, rotation(to, "to")?);
    // Rows of the product of the second and the first's transpose are sums over the columns of both.
    let entry = |row: usize, column: usize| (0..3).map(|k| last[k][row] * first[k][column]).sum();
    let columns = [0, 1, 2].map(|column| Vec3::from_f64([0, 1, 2].map(|row| entry(row, column))));
    let [x, y, z, w] = quaternion_of(columns);
    Ok(if V::DIM == 2 {
        [0.0, 0.0, z, w]
    } else {
        [x, y, z, w]
    })
}

/// The columns of a pose that only turns and moves, in space.
fn rotation<V: Vector>(pose: &Pose<V>, field: &'static str) -> Result<[Triple; 3], MotionError> {
    let wrong = MotionError::NotARotation { field };
    let columns = pose.columns();
    let column = |k: usize| match columns.get(k) {
        Some(column) => column.to_f64(),
        None => [0.0, 0.0, 1.0],
    };
    let [a, b, c] = [column(0), column(1), column(2)];
    let is_one = pose.uniform_scale() == Some(V::Scalar::ONE);
    if is_one && dot(cross(a, b), c) > 0.0 {
        Ok([a, b, c])
    } else {
        Err(wrong)
    }
}
