//! `nalgebra`: vectors, points, rotations, isometries, similarities, affine maps and homogeneous matrices.

use super::super::pose::{Pose2, Pose3};
use super::super::pose_error::PoseError;
use super::super::scalar::Scalar;
use super::super::vector::{Vec2, Vec3};
use nalgebra_035 as na;

macro_rules! vectors {
    ($v:ident { $($c:ident),* } $n:ident) => {
        impl<T: na::Scalar + Copy> From<na::$n<T>> for $v<T> {
            fn from(v: na::$n<T>) -> Self { Self { $($c: v.$c),* } }
        }
        impl<T: na::Scalar> From<$v<T>> for na::$n<T> {
            fn from(v: $v<T>) -> Self { Self::new($(v.$c),*) }
        }
    };
}
vectors!(Vec2 { x, y } Vector2);
vectors!(Vec2 { x, y } Point2);
vectors!(Vec3 { x, y, z } Vector3);
vectors!(Vec3 { x, y, z } Point3);

/// The poses of rotations: their types promise a unit quaternion or complex number. One that was made unchecked, of zeros
/// or NaN, gives a pose of NaN, which [`crate::Pose::is_valid`] refuses.
macro_rules! rotations {
    ($t:ty) => {
        impl From<na::UnitQuaternion<$t>> for Pose3<$t> {
            fn from(q: na::UnitQuaternion<$t>) -> Self {
                turned([q.i, q.j, q.k, q.w], Vec3::new(0.0, 0.0, 0.0))
            }
        }
        impl From<na::Isometry3<$t>> for Pose3<$t> {
            fn from(map: na::Isometry3<$t>) -> Self {
                let q = map.rotation;
                turned([q.i, q.j, q.k, q.w], map.translation.vector.into())
            }
        }
        impl From<na::Similarity3<$t>> for Pose3<$t> {
            fn from(map: na::Similarity3<$t>) -> Self {
                let (s, rigid) = (map.scaling(), map.isometry);
                Self::from(rigid).scaled(Vec3::new(s, s, s))
            }
        }
        impl From<na::UnitComplex<$t>> for Pose2<$t> {
            fn from(z: na::UnitComplex<$t>) -> Self {
                Self::from_cos_sin(z.re, z.im, Vec2::new(0.0, 0.0))
            }
        }
        impl From<na::Isometry2<$t>> for Pose2<$t> {
            fn from(map: na::Isometry2<$t>) -> Self {
                let z = map.rotation;
                Self::from_cos_sin(z.re, z.im, map.translation.vector.into())
            }
        }
        impl From<na::Similarity2<$t>> for Pose2<$t> {
            fn from(map: na::Similarity2<$t>) -> Self {
                let s = map.scaling();
                Self::from(map.isometry).scaled(Vec2::new(s, s))
            }
        }
    };
}

/// A rotation, then a translation.
fn turned<T: Scalar>(xyzw: [T; 4], translation: Vec3<T>) -> Pose3<T> {
    let nan = Vec3::new(T::INFINITY, T::INFINITY, T::INFINITY) * T::ZERO;
    Pose3::from_quaternion(xyzw, translation).unwrap_or(Pose3::from_columns([nan; 3], translation))
}

/// What a pose is in the other direction, where it is that.
macro_rules! back {
    ($t:ty) => {
        impl TryFrom<Pose3<$t>> for na::Isometry3<$t> {
            type Error = PoseError;
            fn try_from(pose: Pose3<$t>) -> Result<Self, PoseError> {
                let [x, y, z, w] = pose.to_quaternion()?;
                let t: na::Vector3<$t> = pose.translation().into();
                let q = na::UnitQuaternion::new_unchecked(na::Quaternion::new(w, x, y, z));
                Ok(Self::from_parts(t.into(), q))
            }
        }
        impl TryFrom<Pose3<$t>> for na::Similarity3<$t> {
            type Error = PoseError;
            fn try_from(pose: Pose3<$t>) -> Result<Self, PoseError> {
                let ([x, y, z, w], scale) = pose.to_quaternion_and_scale()?;
                let t: na::Vector3<$t> = pose.translation().into();
                let q = na::UnitQuaternion::new_unchecked(na::Quaternion::new(w, x, y, z));
                Ok(Self::from_parts(t.into(), q, scale))
            }
        }
        impl TryFrom<Pose2<$t>> for na::Isometry2<$t> {
            type Error = PoseError;
            fn try_from(pose: Pose2<$t>) -> Result<Self, PoseError> {
                let [cos, sin] = pose.to_cos_sin()?;
                let t: na::Vector2<$t> = pose.translation().into();
                let z = na::UnitComplex::new_unchecked(na::Complex::new(cos, sin));
                Ok(Self::from_parts(t.into(), z))
            }
        }
    };
}

/// Homogeneous matrices, of which projections are refused, and the affine maps that hold one.
macro_rules! homogeneous {
    ($pose:ident<$t:ty> $matrix:ident $affine:ident $n:literal) => {
        impl TryFrom<na::$matrix<$t>> for $pose<$t> {
            type Error = PoseError;
            fn try_from(m: na::$matrix<$t>) -> Result<Self, PoseError> {
                Self::from_homogeneous(m.data.0)
            }
        }
        impl From<$pose<$t>> for na::$matrix<$t> {
            fn from(pose: $pose<$t>) -> Self {
                Self::from(pose.to_homogeneous())
            }
        }
        impl TryFrom<na::$affine<$t>> for $pose<$t> {
            type Error = PoseError;
            fn try_from(map: na::$affine<$t>) -> Result<Self, PoseError> {
                Self::try_from(map.into_inner())
            }
        }
        impl From<$pose<$t>> for na::$affine<$t> {
            fn from(pose: $pose<$t>) -> Self {
                Self::from_matrix_unchecked(pose.into())
            }
        }
    };
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        rotations!($t);
        back!($t);
        homogeneous!(Pose3<$t> Matrix4 Affine3 4);
        homogeneous!(Pose2<$t> Matrix3 Affine2 3);
    )*};
}
scalars!(f32 f64);

#[cfg(test)]
mod tests {
    use super::super::quarter::{H, crooked, turns, turns_in_the_plane};
    use super::*;
    use core::f64::consts::FRAC_PI_2;

    #[test]
    fn isometries_turn_by_their_named_components() {
        let q = na::UnitQuaternion::new_unchecked(na::Quaternion::new(H, 0.0, 0.0, H));
        let map = na::Isometry3::from_parts(na::Translation3::new(1.0, 2.0, 3.0), q);
        let pose = Pose3::from(map);
        turns(&pose);
        let again = na::Isometry3::try_from(pose).expect("a rotation");
        assert!((again.to_matrix() - map.to_matrix()).norm() < 1e-15);
        let axis = na::Vector3::z() * (FRAC_PI_2 as f32);
        turns(&Pose3::from(na::Isometry3::new(
            na::Vector3::new(1.0_f32, 2.0, 3.0),
            axis,
        )));
        assert!(na::Isometry3::try_from(crooked::<f32>()).is_err());
        let flat = na::Isometry2::new(na::Vector2::new(1.0, 2.0), FRAC_PI_2);
        turns_in_the_plane(&Pose2::from(flat));
        assert_eq!(na::Isometry2::try_from(Pose2::from(flat)), Ok(flat));
        let broken = na::UnitQuaternion::new_unchecked(na::Quaternion::new(0.0, 0.0, 0.0, 0.0));
        assert!(!Pose3::<f64>::from(broken).is_valid() && Pose3::<f64>::from(q).is_valid());
    }

    #[test]
    fn similarities_scale_before_they_turn() {
        let turn = na::Vector3::z() * FRAC_PI_2;
        let map = na::Similarity3::new(na::Vector3::new(1.0, 2.0, 3.0), turn, 2.0);
        let pose = Pose3::from(map);
        let at = pose.point(Vec3::new(1.0, 0.0, 0.0)) - Vec3::new(1.0, 4.0, 3.0);
        assert!(at.x.abs() < 1e-15 && at.y.abs() < 1e-15 && at.z.abs() < 1e-15);
        let again = na::Similarity3::try_from(pose).expect("a similarity");
        assert!((again.to_homogeneous() - map.to_homogeneous()).norm() < 1e-14);
        let flat = na::Similarity2::new(na::Vector2::new(1.0_f32, 2.0), 0.0, 0.5);
        assert_eq!(
            Pose2::from(flat).point(Vec2::new(4.0, 8.0)),
            Vec2::new(3.0, 6.0)
        );
    }

    #[test]
    fn matrices_keep_every_number_and_projections_are_refused() {
        assert_eq!(
            Pose3::try_from(na::Matrix4::from(crooked::<f32>())),
            Ok(crooked())
        );
        assert_eq!(
            Pose3::try_from(na::Affine3::from(crooked::<f64>())),
            Ok(crooked())
        );
        let rows = na::Matrix4::new(
            0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0,
        );
        turns(&Pose3::<f64>::try_from(rows).expect("affine"));
        let projection = na::Perspective3::new(1.5, 1.0, 0.1, 10.0).to_homogeneous();
        let error = Pose3::<f64>::try_from(projection).expect_err("a projection");
        assert_eq!((error.field(), error.kind()), ("matrix", "not_affine"));
        let mut flat = na::Matrix3::<f32>::identity();
        flat[(2, 0)] = 1.0;
        assert!(Pose2::try_from(flat).is_err());
    }
}
