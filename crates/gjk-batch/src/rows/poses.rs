//! Poses by row from columns of numbers: matrices, or translations with quaternions of a named order.
//!
//! Where it sits: what the modules for Python and for C make of their callers' columns, so that both refuse the same rows.

use super::RowFault;
use gjk::math::PoseError;
use gjk::{Pose3, Vec3};

/// Numbers by row, wherever they are.
pub trait NumberRows: Sync {
    /// The numbers of a row: as many as what they say has.
    fn row(&self, row: usize) -> &[f64];
}

/// Rows of numbers one after another, or one for all.
#[derive(Clone, Copy, Debug)]
pub struct NumberColumn<'a> {
    numbers: &'a [f64],
    width: usize,
    every: usize,
    /// Of rows of different lengths, where each begins, in units of `width`, and where the last ends.
    offsets: Option<&'a [usize]>,
}

impl<'a> NumberColumn<'a> {
    /// Rows of `width` numbers each; where there are no more than that, they are for all rows.
    pub fn new(numbers: &'a [f64], width: usize) -> Self {
        let every = if numbers.len() == width { 0 } else { width };
        Self {
            numbers,
            width,
            every,
            offsets: None,
        }
    }

    /// Rows of several times `width` numbers: row `k` has those from `offsets[k]` up to `offsets[k + 1]`, in units of `width`. Two offsets are one row for all.
    pub fn ragged(numbers: &'a [f64], width: usize, offsets: &'a [usize]) -> Self {
        Self {
            numbers,
            width,
            every: usize::from(offsets.len() != 2),
            offsets: Some(offsets),
        }
    }
}

impl NumberRows for NumberColumn<'_> {
    fn row(&self, row: usize) -> &[f64] {
        let Some(offsets) = self.offsets else {
            return &self.numbers[row * self.every..][..self.width];
        };
        let row = row * self.every;
        &self.numbers[offsets[row] * self.width..offsets[row + 1] * self.width]
    }
}

/// Where the parts of a quaternion are: nothing guesses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuaternionOrder {
    /// The real part is the last.
    Xyzw,
    /// The real part is the first.
    Wxyz,
}

/// Poses, one a row or one for all rows.
#[derive(Clone, Copy, Debug)]
pub enum PoseRows<C> {
    /// None moves.
    Identity,
    /// Matrices by rows: three rows of four numbers, or four, of which the last is 0 0 0 1.
    Matrix(C),
    /// Quaternions of any length but zero, and translations; without one it is zero.
    Quaternion {
        /// Where x, y, z and w are.
        order: QuaternionOrder,
        /// Four numbers a row.
        rotation: C,
        /// Three numbers a row.
        translation: Option<C>,
    },
}

impl<C: NumberRows> PoseRows<C> {
    /// The pose of a row.
    ///
    /// # Errors  what is not finite, not affine, singular, or a quaternion of length zero.
    pub fn pose(&self, row: usize) -> Result<Pose3<f64>, RowFault> {
        let mut pose = Pose3::identity();
        self.put(row, &mut pose)?;
        Ok(pose)
    }

    /// The same, written where it is to be.
    ///
    /// # Errors  those of [`Self::pose`].
    #[inline]
    pub fn put(&self, row: usize, pose: &mut Pose3<f64>) -> Result<(), RowFault> {
        *pose = match self {
            Self::Identity => Pose3::identity(),
            Self::Matrix(rows) => matrix(rows.row(row))?,
            Self::Quaternion {
                order,
                rotation,
                translation,
            } => {
                let at = match translation {
                    None => Vec3::new(0.0, 0.0, 0.0),
                    Some(rows) => translated(rows.row(row))?,
                };
                let places = match order {
                    QuaternionOrder::Xyzw => [0, 1, 2, 3],
                    QuaternionOrder::Wxyz => [1, 2, 3, 0],
                };
                let quaternion = rotation.row(row);
                Pose3::from_quaternion(places.map(|k| quaternion[k]), at)?
            }
        };
        Ok(())
    }
}

#[inline]
fn translated(at: &[f64]) -> Result<Vec3<f64>, PoseError> {
    match at.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(PoseError::NotFinite {
            field: "translation",
            value,
        }),
        None => Ok(Vec3::new(at[0], at[1], at[2])),
    }
}

/// Of three or four rows of four numbers.
fn matrix(m: &[f64]) -> Result<Pose3<f64>, RowFault> {
    if let Some(&[x, y, z, w]) = m.get(12..16).and_then(|row| row.first_chunk())
        && [x, y, z, w] != [0.0, 0.0, 0.0, 1.0]
    {
        return Err(RowFault::Pose(PoseError::NotAffine {
            field: "matrix",
            row: [x, y, z, w],
        }));
    }
    if let Some(&value) = m.iter().find(|x| !x.is_finite()) {
        return Err(RowFault::Pose(PoseError::NotFinite {
            field: "matrix",
            value,
        }));
    }
    let column = |k: usize| Vec3::new(m[k], m[4 + k], m[8 + k]);
    let pose = Pose3::from_columns([column(0), column(1), column(2)], column(3));
    if pose.is_valid() {
        Ok(pose)
    } else {
        Err(RowFault::Singular)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::FRAC_1_SQRT_2 as S;
    use gjk::Vector;

    fn turned(order: QuaternionOrder, quaternion: &[f64; 4]) -> Pose3<f64> {
        let rows = PoseRows::Quaternion {
            order,
            rotation: NumberColumn::new(quaternion, 4),
            translation: Some(NumberColumn::new(&[1.0, 2.0, 3.0], 3)),
        };
        rows.pose(7).expect("a pose")
    }

    #[test]
    fn a_quarter_turn_is_the_same_in_both_orders_and_as_a_matrix() {
        let pose = turned(QuaternionOrder::Xyzw, &[0.0, 0.0, S, S]);
        assert_eq!(pose, turned(QuaternionOrder::Wxyz, &[S, 0.0, 0.0, S]));
        let rows = [
            [0.0, -1.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 2.0],
            [0.0, 0.0, 1.0, 3.0],
        ];
        let matrix = PoseRows::Matrix(NumberColumn::new(rows.as_flattened(), 12));
        let matrix = matrix.pose(0).expect("a pose");
        for (a, b) in pose.columns().iter().zip(matrix.columns()) {
            assert!((*a - *b).norm() < 1e-15);
        }
    }
}
