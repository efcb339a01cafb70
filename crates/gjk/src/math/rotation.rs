//! The rotation of a pose, for formats and libraries that write one as a quaternion or as a cosine and a sine.

use super::pose::{Pose2, Pose3};
use super::pose_error::PoseError;
use super::scalar::Scalar;
use super::vector::{Vec3, Vector};

const MORE: PoseError = PoseError::NotARotation { field: "columns" };

impl<T: Scalar> Pose3<T> {
    /// The rotation as a unit quaternion `[x, y, z, w]` with `w ≥ 0`, for a pose that rotates and translates only.
    ///
    /// # Errors  a map that shears, mirrors or scales.
    pub fn to_quaternion(&self) -> Result<[T; 4], PoseError> {
        let (xyzw, scale) = self.to_quaternion_and_scale()?;
        if scale == T::ONE { Ok(xyzw) } else { Err(MORE) }
    }

    /// The rotation as [`Pose3::to_quaternion`] gives it, and the scale, which is positive.
    ///
    /// # Errors  a map that shears, mirrors, scales unevenly or by zero.
    pub fn to_quaternion_and_scale(&self) -> Result<([T; 4], T), PoseError> {
        let scale = self.uniform_scale().ok_or(MORE)?;
        let factor = 1.0 / scale.to_f64();
        let columns: [Vec3<f64>; 3] =
            core::array::from_fn(|k| self.columns()[k].lift::<Vec3<f64>>() * factor);
        let [a, b, c] = columns;
        if !(factor.is_finite() && a.cross(b).dot(c) > 0.0) {
            return Err(MORE);
        }
        Ok((quaternion_of(columns).map(T::from_f64), scale))
    }
}

/// The unit quaternion `[x, y, z, w]` with `w ≥ 0` of a rotation's columns, which may be rounded.
pub(crate) fn quaternion_of([a, b, c]: [Vec3<f64>; 3]) -> [f64; 4] {
    // Shepperd's method: four times the square of each component, from the trace; the largest is no small difference.
    let squares = [
        1.0 + a.x - b.y - c.z,
        1.0 - a.x + b.y - c.z,
        1.0 - a.x - b.y + c.z,
        1.0 + a.x + b.y + c.z,
    ];
    let largest = (1..4).fold(
        0,
        |best, k| if squares[k] > squares[best] { k } else { best },
    );
    let square = squares[largest];
    let [yz, zx, xy] = [b.z + c.y, c.x + a.z, a.y + b.x];
    let [xw, yw, zw] = [b.z - c.y, c.x - a.z, a.y - b.x];
    let components = match largest {
        0 => [square, xy, zx, xw],
        1 => [xy, square, yz, yw],
        2 => [zx, yz, square, zw],
        _ => [xw, yw, zw, square],
    };
    let norm = Scalar::sqrt(components.iter().map(|x| x * x).sum::<f64>());
    let sign = if components[3] < 0.0 { -norm } else { norm };
    components.map(|x| x / sign)
}

impl<T: Scalar> Pose2<T> {
    /// The cosine and the sine of the rotation, counter-clockwise, for a pose that rotates and translates only.
    ///
    /// # Errors  a map that shears, mirrors or scales.
    pub fn to_cos_sin(&self) -> Result<[T; 2], PoseError> {
        let [x, y] = [self.columns()[0], self.columns()[1]];
        if self.uniform_scale() == Some(T::ONE) && x.cross(y) > T::ZERO {
            Ok([x.x, x.y])
        } else {
            Err(MORE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Vec2};

    /// Rotations by 180° have `w = 0`, so each component is the largest once.
    #[test]
    fn a_rotation_gives_back_its_quaternion() {
        let quaternions: [[f64; 4]; 8] = [
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.5, -0.5, 0.5, 0.5],
            [0.9, 0.1, -0.2, 0.0],
            [-0.1, 0.8, 0.3, 0.05],
            [0.2, -0.3, 0.7, -0.1],
        ];
        for q in quaternions {
            let pose = Pose3::from_quaternion(q, Vec3::new(1.0, 2.0, 3.0)).expect("not zero");
            let found = pose.to_quaternion().expect("a rotation");
            let again = Pose3::from_quaternion(found, pose.translation()).expect("not zero");
            assert!(found[3] >= 0.0);
            for (x, y) in pose.columns().iter().zip(again.columns()) {
                assert!((*x - *y).norm() < 1e-15, "{q:?}: {found:?}");
            }
            let scaled = pose.scaled(Vec3::new(2.5, 2.5, 2.5));
            let (same, scale) = scaled.to_quaternion_and_scale().expect("a similarity");
            assert!(
                (scale - 2.5).abs() < 1e-15 && (0..4).all(|k| (same[k] - found[k]).abs() < 1e-15)
            );
            assert_eq!(scaled.to_quaternion(), Err(MORE));
        }
    }

    #[test]
    fn other_maps_are_no_rotations() {
        let mirror = Pose::<Vec3<f32>>::identity().scaled(Vec3::new(-1.0, 1.0, 1.0));
        let shear = Pose2::from_columns([Vec2::new(1.0, 0.0), Vec2::new(0.5, 1.0)], Vec2::ZERO);
        assert_eq!(mirror.to_quaternion(), Err(MORE));
        assert_eq!(shear.to_cos_sin(), Err(MORE));
        assert_eq!(
            Pose2::<f64>::identity()
                .scaled(Vec2::new(1.0, -1.0))
                .to_cos_sin(),
            Err(MORE)
        );
        assert_eq!(
            Pose2::from_cos_sin(0.6, -0.8, Vec2::ZERO).to_cos_sin(),
            Ok([0.6, -0.8])
        );
    }

    #[test]
    fn a_refused_quaternion_is_named() {
        let refused = |q: [f64; 4]| Pose3::from_quaternion(q, Vec3::ZERO).map(|_| ());
        assert_eq!(
            refused([0.0, -0.0, 0.0, 0.0]),
            Err(PoseError::Zero {
                field: "quaternion"
            })
        );
        let infinite = refused([1.0, 0.0, f64::INFINITY, 0.0]).expect_err("infinite");
        assert_eq!(
            (infinite.field(), infinite.kind()),
            ("quaternion.z", "not_finite")
        );
        let nan = refused([f64::NAN, 1.0, 0.0, 0.0]).expect_err("not a number");
        assert_eq!((nan.field(), nan.kind()), ("quaternion.x", "not_finite"));
    }
}
