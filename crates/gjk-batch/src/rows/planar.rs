//! Poses in the plane by row, from columns of numbers: matrices, or translations with angles.
//!
//! Where it sits: beside `poses.rs`, which has those in space.

use super::{NumberRows, PoseOfRow, RowFault};
use gjk::math::PoseError;
use gjk::{Pose2, Vec2};

/// Poses in the plane, one a row or one for all rows.
#[derive(Clone, Copy, Debug)]
pub enum PlanarPoseRows<C> {
    /// None moves.
    Identity,
    /// Matrices by rows: two rows of three numbers, or three, of which the last is 0 0 1.
    Matrix(C),
    /// Turns counter-clockwise, and translations; what is not there is zero.
    Angle {
        /// Radians: one number a row.
        angle: Option<C>,
        /// Two numbers a row.
        translation: Option<C>,
    },
}

impl<C: NumberRows> PoseOfRow<Vec2<f64>> for PlanarPoseRows<C> {
    fn put(&self, row: usize, pose: &mut Pose2<f64>) -> Result<(), RowFault> {
        *pose = match self {
            Self::Identity => Pose2::identity(),
            Self::Matrix(rows) => matrix(rows.row(row))?,
            Self::Angle { angle, translation } => {
                let at = match translation {
                    None => Vec2::new(0.0, 0.0),
                    Some(rows) => {
                        let at = finite("translation", rows.row(row))?;
                        Vec2::new(at[0], at[1])
                    }
                };
                match angle {
                    None => Pose2::from_translation(at),
                    Some(rows) => Pose2::from_angle(finite("angle", rows.row(row))?[0], at),
                }
            }
        };
        Ok(())
    }
}

/// Numbers that are all finite.
fn finite<'n>(field: &'static str, numbers: &'n [f64]) -> Result<&'n [f64], PoseError> {
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(PoseError::NotFinite { field, value }),
        None => Ok(numbers),
    }
}

/// Of two or three rows of three numbers.
fn matrix(m: &[f64]) -> Result<Pose2<f64>, RowFault> {
    let field = "matrix";
    if let Some(&[x, y, z]) = m.get(6..9).and_then(|row| row.first_chunk())
        && [x, y, z] != [0.0, 0.0, 1.0]
    {
        let row = [x, y, z, 0.0];
        return Err(RowFault::Pose(PoseError::NotAffine { field, row }));
    }
    let m = finite(field, m)?;
    let column = |k: usize| Vec2::new(m[k], m[3 + k]);
    let pose = Pose2::from_columns([column(0), column(1)], column(2));
    if pose.is_valid() {
        Ok(pose)
    } else {
        Err(RowFault::Singular)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::NumberColumn;
    use gjk::Vector;

    fn put(rows: &PlanarPoseRows<NumberColumn<'_>>) -> Result<Pose2<f64>, String> {
        let mut pose = Pose2::identity();
        let put = rows.put(3, &mut pose);
        put.map(|()| pose).map_err(|fault| fault.to_string())
    }

    #[test]
    fn an_angle_is_the_same_as_its_matrix() {
        let (sin, cos) = 0.5f64.sin_cos();
        let turned = PlanarPoseRows::Angle {
            angle: Some(NumberColumn::new(&[0.5], 1)),
            translation: Some(NumberColumn::new(&[1.0, 2.0], 2)),
        };
        let whole = [cos, -sin, 1.0, sin, cos, 2.0, 0.0, 0.0, 1.0];
        for width in [6, 9] {
            let matrix = PlanarPoseRows::Matrix(NumberColumn::new(&whole[..width], width));
            let (one, other) = (put(&turned).expect("a pose"), put(&matrix).expect("a pose"));
            assert_eq!(one.translation(), other.translation());
            for (a, b) in one.columns().iter().zip(other.columns()) {
                assert!((*a - *b).norm() < 1e-15);
            }
        }
    }

    #[test]
    fn what_is_no_pose_is_told() {
        let cases: [(&[f64], &str); 3] = [
            (&[1.0, 0.0, 0.0, 0.0, 1.0, f64::NAN], "matrix is NaN"),
            (&[1.0, 0.0, 0.0, 2.0, 0.0, 0.0], "singular"),
            (&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0], "projection"),
        ];
        for (numbers, word) in cases {
            let rows = PlanarPoseRows::Matrix(NumberColumn::new(numbers, numbers.len()));
            let told = put(&rows).expect_err("no pose");
            assert!(told.contains(word), "{told}");
        }
    }
}
