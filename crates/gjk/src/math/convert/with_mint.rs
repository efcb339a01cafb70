//! `mint`: vectors, points, quaternions, and matrices of either storage order.

use super::super::pose::{Pose2, Pose3};
use super::super::pose_error::PoseError;
use super::super::scalar::Scalar;
use super::super::vector::{Vec2, Vec3};
use mint::{ColumnMatrix2x3, ColumnMatrix3, ColumnMatrix3x4, ColumnMatrix4};
use mint::{Quaternion, RowMatrix2x3, RowMatrix3, RowMatrix3x4, RowMatrix4, Vector3};

macro_rules! vectors {
    ($v:ident { $($c:ident),* } $m:ident) => {
        impl<T> From<mint::$m<T>> for $v<T> {
            fn from(v: mint::$m<T>) -> Self {
                Self { $($c: v.$c),* }
            }
        }
        impl<T> From<$v<T>> for mint::$m<T> {
            fn from(v: $v<T>) -> Self {
                Self { $($c: v.$c),* }
            }
        }
    };
}
vectors!(Vec2 { x, y } Vector2);
vectors!(Vec2 { x, y } Point2);
vectors!(Vec3 { x, y, z } Vector3);
vectors!(Vec3 { x, y, z } Point3);

/// A rotation by a quaternion of any non-zero length, then a translation.
impl<T: Scalar> TryFrom<(Quaternion<T>, Vector3<T>)> for Pose3<T> {
    type Error = PoseError;
    fn try_from((q, t): (Quaternion<T>, Vector3<T>)) -> Result<Self, PoseError> {
        Self::from_quaternion([q.v.x, q.v.y, q.v.z, q.s], t.into())
    }
}

/// The unit quaternion and the translation of a pose that does no more.
impl<T: Scalar> TryFrom<Pose3<T>> for (Quaternion<T>, Vector3<T>) {
    type Error = PoseError;
    fn try_from(pose: Pose3<T>) -> Result<Self, PoseError> {
        let [x, y, z, s] = pose.to_quaternion()?;
        let v = Vector3 { x, y, z };
        Ok((Quaternion { v, s }, pose.translation().into()))
    }
}

impl<T: Scalar> From<ColumnMatrix3x4<T>> for Pose3<T> {
    fn from(m: ColumnMatrix3x4<T>) -> Self {
        Self::from_columns([m.x.into(), m.y.into(), m.z.into()], m.w.into())
    }
}
impl<T: Scalar> From<Pose3<T>> for ColumnMatrix3x4<T> {
    fn from(pose: Pose3<T>) -> Self {
        let [x, y, z] = [0, 1, 2].map(|k| pose.columns()[k].into());
        let w = pose.translation().into();
        Self { x, y, z, w }
    }
}
impl<T: Scalar> From<ColumnMatrix2x3<T>> for Pose2<T> {
    fn from(m: ColumnMatrix2x3<T>) -> Self {
        Self::from_columns([m.x.into(), m.y.into()], m.z.into())
    }
}
impl<T: Scalar> From<Pose2<T>> for ColumnMatrix2x3<T> {
    fn from(pose: Pose2<T>) -> Self {
        let [x, y] = [0, 1].map(|k| pose.columns()[k].into());
        let z = pose.translation().into();
        Self { x, y, z }
    }
}

macro_rules! homogeneous {
    ($pose:ident $m:ident $n:literal) => {
        impl<T: Scalar> TryFrom<$m<T>> for $pose<T> {
            type Error = PoseError;
            fn try_from(m: $m<T>) -> Result<Self, PoseError> {
                Self::from_homogeneous(<[[T; $n]; $n]>::from(m))
            }
        }
        impl<T: Scalar> From<$pose<T>> for $m<T> {
            fn from(pose: $pose<T>) -> Self {
                pose.to_homogeneous().into()
            }
        }
    };
}
homogeneous!(Pose3 ColumnMatrix4 4);
homogeneous!(Pose2 ColumnMatrix3 3);

/// The same maps in the other storage order.
macro_rules! by_rows {
    ($pose:ident $row:ident from $column:ident) => {
        impl<T: Scalar> From<$row<T>> for $pose<T> {
            fn from(m: $row<T>) -> Self {
                $column::from(m).into()
            }
        }
        by_rows!($pose to $row $column);
    };
    ($pose:ident $row:ident try from $column:ident) => {
        impl<T: Scalar> TryFrom<$row<T>> for $pose<T> {
            type Error = PoseError;
            fn try_from(m: $row<T>) -> Result<Self, PoseError> {
                $column::from(m).try_into()
            }
        }
        by_rows!($pose to $row $column);
    };
    ($pose:ident to $row:ident $column:ident) => {
        impl<T: Scalar> From<$pose<T>> for $row<T> {
            fn from(pose: $pose<T>) -> Self {
                $column::from(pose).into()
            }
        }
    };
}
by_rows!(Pose3 RowMatrix3x4 from ColumnMatrix3x4);
by_rows!(Pose2 RowMatrix2x3 from ColumnMatrix2x3);
by_rows!(Pose3 RowMatrix4 try from ColumnMatrix4);
by_rows!(Pose2 RowMatrix3 try from ColumnMatrix3);

#[cfg(test)]
mod tests {
    use super::super::quarter::{H, crooked, turns, turns_in_the_plane};
    use super::*;

    fn quaternions<T: Scalar>() {
        let number = T::from_f64;
        let zero = number(0.0);
        let axis = Vector3 {
            x: zero,
            y: zero,
            z: number(H),
        };
        let q = Quaternion {
            v: axis,
            s: number(H),
        };
        let t = Vector3::from([1.0, 2.0, 3.0].map(number));
        let pose = Pose3::try_from((q, t)).expect("not zero");
        turns(&pose);
        let (again, there) = <(Quaternion<T>, Vector3<T>)>::try_from(pose).expect("a rotation");
        assert_eq!(there, t);
        assert!((again.s.to_f64() - H).abs() < 1e-7 && (again.v.z.to_f64() - H).abs() < 1e-7);
        assert!(<(Quaternion<T>, Vector3<T>)>::try_from(crooked::<T>()).is_err());
    }

    #[test]
    fn quaternions_turn_by_their_named_components() {
        quaternions::<f32>();
        quaternions::<f64>();
    }

    #[test]
    fn matrices_are_read_in_their_storage_order() {
        let rows = [
            [0.0, -1.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 2.0],
            [0.0, 0.0, 1.0, 3.0],
        ];
        let pose = Pose3::<f64>::from(RowMatrix3x4::from(rows));
        turns(&pose);
        assert_eq!(<[[f64; 4]; 3]>::from(RowMatrix3x4::from(pose)), rows);
        let columns = [
            [0.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 2.0, 3.0],
        ];
        turns(&Pose3::<f64>::from(ColumnMatrix3x4::from(columns)));
        let flat = RowMatrix2x3::from([[0.0_f32, -1.0, 1.0], [1.0, 0.0, 2.0]]);
        turns_in_the_plane(&Pose2::from(flat));
        assert_eq!(RowMatrix2x3::from(Pose2::from(flat)), flat);
        turns_in_the_plane(
            &Pose2::try_from(ColumnMatrix3::from(Pose2::from(flat))).expect("affine"),
        );
    }

    #[test]
    fn a_projection_is_refused() {
        let mut matrix = RowMatrix4::from(crooked::<f32>());
        assert_eq!(Pose3::try_from(matrix), Ok(crooked()));
        matrix.w.x = 0.5;
        let row = [0.5, 0.0, 0.0, 1.0];
        let field = "matrix";
        assert_eq!(
            Pose3::try_from(matrix),
            Err(PoseError::NotAffine { field, row })
        );
        let mut matrix = ColumnMatrix3::from(Pose2::<f64>::identity());
        matrix.z.z = 2.0;
        assert!(Pose2::try_from(matrix).is_err());
    }
}
