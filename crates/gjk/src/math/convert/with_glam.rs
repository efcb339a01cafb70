//! `glam`: vectors, quaternions, affine maps and homogeneous matrices, `f32` and `f64`.

use super::super::pose::{Pose2, Pose3};
use super::super::pose_error::PoseError;
use super::super::vector::{Vec2, Vec3};
use glam_034 as glam;

macro_rules! vectors {
    ($v:ident<$t:ty> { $($c:ident),* } $g:ident) => {
        impl From<glam::$g> for $v<$t> {
            fn from(v: glam::$g) -> Self { Self { $($c: v.$c),* } }
        }
        impl From<$v<$t>> for glam::$g {
            fn from(v: $v<$t>) -> Self { Self::new($(v.$c),*) }
        }
    };
}
vectors!(Vec2<f32> { x, y } Vec2);
vectors!(Vec2<f64> { x, y } DVec2);
vectors!(Vec3<f32> { x, y, z } Vec3);
vectors!(Vec3<f32> { x, y, z } Vec3A);
vectors!(Vec3<f64> { x, y, z } DVec3);

/// A rotation by a quaternion of any non-zero length with a translation, both ways.
macro_rules! rotations {
    ($t:ty, $quat:ident, $vec:ident) => {
        impl TryFrom<(glam::$quat, glam::$vec)> for Pose3<$t> {
            type Error = PoseError;
            fn try_from((q, t): (glam::$quat, glam::$vec)) -> Result<Self, PoseError> {
                Self::from_quaternion([q.x, q.y, q.z, q.w], t.into())
            }
        }
        impl TryFrom<Pose3<$t>> for (glam::$quat, glam::$vec) {
            type Error = PoseError;
            fn try_from(pose: Pose3<$t>) -> Result<Self, PoseError> {
                let [x, y, z, w] = pose.to_quaternion()?;
                Ok((
                    glam::$quat::from_xyzw(x, y, z, w),
                    pose.translation().into(),
                ))
            }
        }
    };
}
rotations!(f32, Quat, Vec3);
rotations!(f64, DQuat, DVec3);

/// An affine map by its columns, both ways.
macro_rules! affine {
    ($pose:ident<$t:ty> $map:ident { $linear:ident: $($axis:ident $k:literal),* }) => {
        impl From<glam::$map> for $pose<$t> {
            fn from(map: glam::$map) -> Self {
                Self::from_columns([$(map.$linear.$axis.into()),*], map.translation.into())
            }
        }
        impl From<$pose<$t>> for glam::$map {
            fn from(pose: $pose<$t>) -> Self {
                Self::from_cols($(pose.columns()[$k].into(),)* pose.translation().into())
            }
        }
    };
}
affine!(Pose2<f32> Affine2 { matrix2: x_axis 0, y_axis 1 });
affine!(Pose2<f64> DAffine2 { matrix2: x_axis 0, y_axis 1 });
affine!(Pose3<f32> Affine3 { matrix3: x_axis 0, y_axis 1, z_axis 2 });
affine!(Pose3<f32> Affine3A { matrix3: x_axis 0, y_axis 1, z_axis 2 });
affine!(Pose3<f64> DAffine3 { matrix3: x_axis 0, y_axis 1, z_axis 2 });

/// A homogeneous matrix, both ways; a projection is refused.
macro_rules! homogeneous {
    ($pose:ident<$t:ty> $m:ident) => {
        impl TryFrom<glam::$m> for $pose<$t> {
            type Error = PoseError;
            fn try_from(m: glam::$m) -> Result<Self, PoseError> {
                Self::from_homogeneous(m.to_cols_array_2d())
            }
        }
        impl From<$pose<$t>> for glam::$m {
            fn from(pose: $pose<$t>) -> Self {
                Self::from_cols_array_2d(&pose.to_homogeneous())
            }
        }
    };
}
homogeneous!(Pose2<f32> Mat3);
homogeneous!(Pose2<f64> DMat3);
homogeneous!(Pose3<f32> Mat4);
homogeneous!(Pose3<f64> DMat4);

#[cfg(test)]
mod tests {
    use super::super::quarter::{H, crooked, turns, turns_in_the_plane};
    use super::*;
    use core::f64::consts::FRAC_PI_2;

    #[test]
    fn quaternions_turn_by_their_named_components() {
        let q = glam::Quat::from_xyzw(0.0, 0.0, H as f32, H as f32);
        let pose = Pose3::try_from((q, glam::Vec3::new(1.0, 2.0, 3.0))).expect("not zero");
        turns(&pose);
        let (again, there) = <(glam::Quat, glam::Vec3)>::try_from(pose).expect("a rotation");
        assert!(again.abs_diff_eq(q, 1e-6) && there == glam::Vec3::new(1.0, 2.0, 3.0));
        let q = glam::DQuat::from_rotation_z(FRAC_PI_2);
        let pose = Pose3::try_from((q, glam::DVec3::new(1.0, 2.0, 3.0))).expect("not zero");
        turns(&pose);
        let (again, _) = <(glam::DQuat, glam::DVec3)>::try_from(pose).expect("a rotation");
        assert!(again.abs_diff_eq(q, 1e-15));
        let none = glam::DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert!(Pose3::try_from((none, glam::DVec3::ZERO)).is_err());
    }

    #[test]
    fn affine_maps_keep_every_number() {
        let t = glam::Vec3::new(1.0, 2.0, 3.0);
        let q = glam::Quat::from_rotation_z(FRAC_PI_2 as f32);
        turns(&Pose3::from(glam::Affine3A::from_rotation_translation(
            q, t,
        )));
        let (t, q) = (
            glam::DVec3::new(1.0, 2.0, 3.0),
            glam::DQuat::from_rotation_z(FRAC_PI_2),
        );
        turns(&Pose3::from(glam::DAffine3::from_rotation_translation(
            q, t,
        )));
        assert_eq!(
            Pose3::from(glam::Affine3A::from(crooked::<f32>())),
            crooked()
        );
        assert_eq!(
            Pose3::from(glam::Affine3::from(crooked::<f32>())),
            crooked()
        );
        assert_eq!(
            Pose3::from(glam::DAffine3::from(crooked::<f64>())),
            crooked()
        );
        let (angle, t) = (FRAC_PI_2, glam::DVec2::new(1.0, 2.0));
        let flat = glam::DAffine2::from_angle_translation(angle, t);
        turns_in_the_plane(&Pose2::from(flat));
        assert_eq!(glam::DAffine2::from(Pose2::from(flat)), flat);
        let t = glam::Vec2::new(1.0, 2.0);
        let flat = glam::Affine2::from_angle_translation(angle as f32, t);
        turns_in_the_plane(&Pose2::from(flat));
        turns_in_the_plane(&Pose2::try_from(glam::Mat3::from(flat)).expect("affine"));
    }

    #[test]
    fn a_map_moves_points_as_glam_does() {
        let pose = crooked::<f64>();
        let (map, x) = (
            glam::DAffine3::from(pose),
            glam::DVec3::new(0.5, -0.25, 2.0),
        );
        assert_eq!(
            glam::DVec3::from(pose.point(x.into())),
            map.transform_point3(x)
        );
    }

    #[test]
    fn a_projection_is_refused() {
        assert_eq!(
            Pose3::try_from(glam::Mat4::from(crooked::<f32>())),
            Ok(crooked())
        );
        let mut projection = glam::DMat4::IDENTITY;
        projection.z_axis.w = -1.0;
        assert_eq!(
            Pose3::try_from(projection)
                .expect_err("a projection")
                .kind(),
            "not_affine"
        );
    }
}
