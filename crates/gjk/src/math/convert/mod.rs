//! Conversions at the boundary: `mint` always possible, `glam` and `nalgebra` by version-named features.
//!
//! Idea: vectors and points convert both ways. A pose is built from a rotation with a translation, or from an affine map;
//! a homogeneous matrix may be a projection, so that it takes `try_from`. A pose gives back an affine map always, and a
//! rotation only where it is one, again by `try_from`. No number is computed on the way but where a quaternion is.
//!
//! Quaternions are read and written by the names of their components, since libraries order them differently.

#[cfg(feature = "glam-034")]
mod with_glam;
#[cfg(feature = "mint")]
mod with_mint;
#[cfg(feature = "nalgebra-035")]
mod with_nalgebra;

/// The homogeneous matrix of an affine map, by columns.
#[cfg(any(feature = "mint", feature = "glam-034", feature = "nalgebra-035"))]
mod homogeneous {
    use super::super::pose::{Pose2, Pose3};
    use super::super::pose_error::PoseError;
    use super::super::scalar::Scalar;
    use super::super::vector::{Vec2, Vec3};

    impl<T: Scalar> Pose2<T> {
        /// The map of a 3×3 matrix by columns, unless that is a projection.
        pub(super) fn from_homogeneous([x, y, t]: [[T; 3]; 3]) -> Result<Self, PoseError> {
            let row = [x[2], y[2], t[2]];
            if row != [T::ZERO, T::ZERO, T::ONE] {
                let [x, y, w] = row.map(T::to_f64);
                return Err(PoseError::NotAffine {
                    field: "matrix",
                    row: [x, y, w, 0.0],
                });
            }
            let part = |[x, y, _]: [T; 3]| Vec2::new(x, y);
            Ok(Self::from_columns([part(x), part(y)], part(t)))
        }

        /// Its 3×3 matrix by columns.
        pub(super) fn to_homogeneous(self) -> [[T; 3]; 3] {
            let column = |v: Vec2<T>, last: T| [v.x, v.y, last];
            let [x, y] = [self.columns()[0], self.columns()[1]];
            [
                column(x, T::ZERO),
                column(y, T::ZERO),
                column(self.translation(), T::ONE),
            ]
        }
    }

    impl<T: Scalar> Pose3<T> {
        /// The map of a 4×4 matrix by columns, unless that is a projection.
        pub(super) fn from_homogeneous([x, y, z, t]: [[T; 4]; 4]) -> Result<Self, PoseError> {
            let row = [x[3], y[3], z[3], t[3]];
            if row != [T::ZERO, T::ZERO, T::ZERO, T::ONE] {
                return Err(PoseError::NotAffine {
                    field: "matrix",
                    row: row.map(T::to_f64),
                });
            }
            let part = |[x, y, z, _]: [T; 4]| Vec3::new(x, y, z);
            Ok(Self::from_columns([part(x), part(y), part(z)], part(t)))
        }

        /// Its 4×4 matrix by columns.
        pub(super) fn to_homogeneous(self) -> [[T; 4]; 4] {
            let column = |v: Vec3<T>, last: T| [v.x, v.y, v.z, last];
            let [x, y, z] = [0, 1, 2].map(|k| column(self.columns()[k], T::ZERO));
            [x, y, z, column(self.translation(), T::ONE)]
        }
    }
}

/// What the tests of every library hold: a quarter turn about z and (1, 2, 3) map (1, 0, 0) to (1, 3, 3).
#[cfg(all(
    test,
    any(feature = "mint", feature = "glam-034", feature = "nalgebra-035")
))]
mod quarter {
    use super::super::pose::{Pose2, Pose3};
    use super::super::scalar::Scalar;
    use super::super::vector::{Vec2, Vec3, Vector};

    /// The half angle's cosine and sine.
    pub(super) const H: f64 = core::f64::consts::FRAC_1_SQRT_2;

    /// The pose rotates and translates as stated above, within a few roundings.
    pub(super) fn turns<T: Scalar>(pose: &Pose3<T>) {
        for (from, to) in [
            ([1.0, 0.0, 0.0], [1.0, 3.0, 3.0]),
            ([0.0, 1.0, 0.0], [0.0, 2.0, 3.0]),
            ([0.0, 0.0, 1.0], [1.0, 2.0, 4.0]),
        ] {
            let off = pose.point(Vec3::from_f64(from)) - Vec3::from_f64(to);
            assert!(
                off.norm().to_f64() < 8.0 * T::ROUNDING.to_f64(),
                "{pose:?}: {off:?}"
            );
        }
        assert_eq!(pose.uniform_scale(), Some(T::ONE));
    }

    /// The same in the plane.
    pub(super) fn turns_in_the_plane<T: Scalar>(pose: &Pose2<T>) {
        for (from, to) in [
            ([1.0, 0.0, 0.0], [1.0, 3.0, 0.0]),
            ([0.0, 1.0, 0.0], [0.0, 2.0, 0.0]),
        ] {
            let off = pose.point(Vec2::from_f64(from)) - Vec2::from_f64(to);
            assert!(
                off.norm().to_f64() < 8.0 * T::ROUNDING.to_f64(),
                "{pose:?}: {off:?}"
            );
        }
    }

    /// A map that keeps nothing: scale, shear and mirror, in exact numbers.
    pub(super) fn crooked<T: Scalar>() -> Pose3<T> {
        let column = |x| Vec3::from_f64(x);
        let columns = [[2.0, 0.25, 0.0], [0.5, -1.0, 0.125], [0.0, 3.0, 0.75]].map(column);
        Pose3::from_columns(columns, column([5.0, -6.0, 7.0]))
    }
}
