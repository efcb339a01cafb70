//! How a body moves and turns: what it is.

use super::options::MotionError;
use crate::math::triple::{plus, subtract};
use crate::math::{Pose, Ring, Scalar, Triple, Vec3, Vector, cross, dot, length, quaternion_of};

/// A motion at constant speed: a centre moves in a straight line, and the body turns about it at a constant rate.
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
    angular: Triple,
    center: V,
}

impl<V: Vector> Twist<V> {
    /// The motion by these velocities about a centre.
    ///
    /// # Errors  a number that is not finite; in the plane an axis that leaves it.
    pub fn new(linear: V, angular: [V::Scalar; 3], center: V) -> Result<Self, MotionError> {
        Self::wide(linear.lift(), angular.map(Scalar::to_f64), center)
    }

    fn wide(linear: V::Wide, angular: Triple, center: V) -> Result<Self, MotionError> {
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
            angular,
            center,
        })
    }

    /// A body at rest.
    pub fn rest() -> Self {
        Self {
            linear: V::Wide::ZERO,
            angular: [0.0; 3],
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
        let (first, last) = (rotation(from, "pose")?, rotation(to, "to")?);
        let place = |pose: &Pose<V>| pose.lift::<V::Wide>().point(center.lift());
        // Rows of the product of the second and the first's transpose are sums over the columns of both.
        let entry =
            |row: usize, column: usize| (0..3).map(|k| last[k][row] * first[k][column]).sum();
        let columns =
            [0, 1, 2].map(|column| Vec3::from_f64([0, 1, 2].map(|row| entry(row, column))));
        let [x, y, z, w] = quaternion_of(columns);
        let sine = length([x, y, z]);
        let angle = 2.0 * libm::atan2(sine, w);
        let rate = if sine > 0.0 { angle / sine } else { 2.0 };
        let planar = |value: f64| if V::DIM == 2 { 0.0 } else { value * rate };
        let angular = [planar(x), planar(y), z * rate];
        Self::wide(place(to) - place(from), angular, center)
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
        let (angle, line) = (length(straight.angular), straight.linear.to_f64());
        if angle == 0.0 {
            return Ok(straight);
        }
        let axis = straight.angular.map(|x| x / angle);
        let slide = axis.map(|x| x * dot(line, axis));
        let across = subtract(line, slide);
        // The turn takes the lever to itself less what is across: the half angle's cotangent has it.
        let lever = plus(across, cross(axis, across), 1.0 / libm::tan(angle / 2.0));
        let half = lever.map(|x| x / 2.0);
        let center = V::from_fn(|k| V::Scalar::from_f64(dot(from.columns()[k].to_f64(), half)));
        Self::wide(V::Wide::from_f64(slide), straight.angular, center)
    }

    /// How far the centre moves in a unit of time.
    pub fn linear(&self) -> V::Wide {
        self.linear
    }

    /// The angle in radians that the body turns in a unit of time, along its axis; in the plane only the last component.
    pub fn angular(&self) -> [f64; 3] {
        self.angular
    }

    /// The point that moves in a straight line, in the body's frame.
    pub fn center(&self) -> V {
        self.center
    }
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
