//! What can be checked of any answer, with a certificate or without.

use super::error::VerifyError;
use super::integer::{Int, grid_of, on_grid};
use super::number::{Dyadic, Root};
use crate::answer::{Contact, Verdict};
use crate::math::{Pose, Scalar, Vector};
use crate::support::Support;
use core::cmp::Ordering;

/// A unit vector is unit to this many roundings of the scalar: the normalisation takes five (two for the squares' sum, one
/// each for the root, the division by it and the division before it), the scalar one more.
const NORMAL_LENGTH_ROUNDINGS: f64 = 8.0;

/// Where a rounding of the pair's size is the smallest number, an interval may be this many of those wide, and its end nearer to
/// zero be zero.
const SUBNORMAL_ROUNDINGS: f64 = 16.0;

/// The witness points may miss the interval by this many roundings of the pair's coordinate sums: `docs/tolerances.md`
/// counts 24 for a support height in the pair's frame and 8 for the world's vertices; rounding two points to the scalar
/// adds two, and the rest is room. A wrong witness is off by a part of the bodies.
const WITNESS_ROUNDINGS: f64 = 64.0;

/// Bounds the coordinate sums of a body in the world, its radius included.
pub(super) fn size<V: Vector, S: Support<V> + ?Sized>(shape: &S, pose: &Pose<V>) -> f64 {
    let (pose, core): (Pose<V::Wide>, _) = (pose.lift(), shape.core());
    let swept = V::Wide::from_fn(|k| core.extent.component(k) + core.radius);
    let place = pose
        .translation()
        .to_f64()
        .iter()
        .map(|x| x.abs())
        .sum::<f64>();
    pose.bound(swept) + place
}

/// The numbers of an answer as `f64`, which states both scalars exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub(super) verdict: Verdict,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) normal: [f64; 3],
    points: [[f64; 3]; 2],
    exact: bool,
    /// Of the scalar.
    pub(super) rounding: f64,
    /// The scalar's smallest positive number: a rounding of what has left the normal range.
    tiniest: f64,
    /// The sum of the pair's coordinate sizes and radii.
    size: f64,
}

impl Plain {
    /// The numbers of `answer`; `size` bounds the coordinates of both bodies.
    pub(super) fn of<V: Vector>(answer: &Contact<V>, size: f64) -> Self {
        Self {
            verdict: answer.verdict,
            lower: answer.signed_distance.lower.to_f64(),
            upper: answer.signed_distance.upper.to_f64(),
            normal: answer.normal.to_f64(),
            points: [answer.point_a.to_f64(), answer.point_b.to_f64()],
            exact: answer.exact,
            rounding: V::Scalar::ROUNDING.to_f64(),
            tiniest: V::Scalar::TINIEST.to_f64(),
            size,
        }
    }

    /// Everything that needs no proof.
    pub(super) fn check(&self) -> Result<(), VerifyError> {
        let fields: [(&str, &[f64]); 5] = [
            ("signed_distance.lower", &[self.lower]),
            ("signed_distance.upper", &[self.upper]),
            ("normal", &self.normal),
            ("point_a", &self.points[0]),
            ("point_b", &self.points[1]),
        ];
        if let Some((field, _)) = fields
            .iter()
            .find(|(_, numbers)| numbers.iter().any(|x| x.is_nan()))
        {
            return Err(VerifyError::NotANumber { field });
        }
        self.interval()?;
        self.unit()?;
        self.witnesses()
    }

    fn interval(&self) -> Result<(), VerifyError> {
        let Self {
            verdict,
            lower,
            upper,
            ..
        } = *self;
        if !(lower <= upper) || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
            return Err(VerifyError::IntervalEmpty { lower, upper });
        }
        let fits = match verdict {
            // Below the smallest number the end nearer to zero is zero.
            Verdict::Separated => {
                lower > 0.0
                    || lower == 0.0 && 0.0 < upper && upper <= SUBNORMAL_ROUNDINGS * self.tiniest
            }
            Verdict::Touching => lower == 0.0 && upper == 0.0,
            // The same for a small depth; and where no depth was wanted, the interval is [−∞, 0].
            Verdict::Overlapping => {
                let near = 0.0 > lower && lower >= -SUBNORMAL_ROUNDINGS * self.tiniest;
                upper < 0.0 || upper == 0.0 && (near || lower == f64::NEG_INFINITY)
            }
            Verdict::Undecided => lower <= 0.0 && 0.0 <= upper,
        };
        if !fits {
            return Err(VerifyError::IntervalSign {
                verdict,
                lower,
                upper,
            });
        }
        if self.exact && verdict == Verdict::Undecided {
            Err(VerifyError::ExactUndecided)
        } else {
            Ok(())
        }
    }

    fn unit(&self) -> Result<(), VerifyError> {
        if !self.normal.iter().all(|x| x.is_finite()) {
            return Err(VerifyError::NormalLength);
        }
        let grid = grid_of(self.normal.into_iter()).min(0);
        let length = Root::length(&self.normal.map(|x| on_grid(x, grid)), &Int::ONE, grid);
        let slack = NORMAL_LENGTH_ROUNDINGS * self.rounding;
        let short = length.compare(&Dyadic::of(1.0 - slack)) == Ordering::Less;
        let long = length.compare(&Dyadic::of(1.0 + slack)) == Ordering::Greater;
        if short || long {
            Err(VerifyError::NormalLength)
        } else {
            Ok(())
        }
    }

    /// The rounding of a point or a height of this pair.
    pub(super) fn slack(&self) -> f64 {
        WITNESS_ROUNDINGS * (self.rounding * self.size).max(self.tiniest)
    }

    /// A loose check, in floats: the points are as far apart as the interval says.
    fn witnesses(&self) -> Result<(), VerifyError> {
        let [a, b] = self.points;
        let apart: [f64; 3] = core::array::from_fn(|k| (b[k] - a[k]).abs());
        let largest = apart.iter().fold(0.0, |m: f64, x| m.max(*x));
        // Where no depth is known, the points are any of the bodies'.
        if self.verdict == Verdict::Undecided
            || self.lower == f64::NEG_INFINITY
            || !largest.is_finite()
        {
            return Ok(());
        }
        // Scaled, so that no square leaves the range.
        let squares = apart
            .iter()
            .map(|x| {
                if largest > 0.0 {
                    (x / largest) * (x / largest)
                } else {
                    0.0
                }
            })
            .sum::<f64>();
        let distance = largest * Scalar::sqrt(squares);
        let (near, far) = if self.upper < 0.0 {
            (-self.upper, -self.lower)
        } else {
            (self.lower, self.upper)
        };
        let range = [near - self.slack(), far + self.slack()];
        let outside = distance < range[0] || distance > range[1];
        if outside {
            Err(VerifyError::Witnesses { distance, range })
        } else {
            Ok(())
        }
    }
}
