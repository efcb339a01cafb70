//! What a caller may choose of a manifold.

use crate::math::Scalar;

/// The cosine of 15°.
const FACING_COSINE: f64 = 0.965_925_826_289_068_3;

/// The tangent of 15°, as [`tangent_of`] computes it.
const FACING_TANGENT: f64 = 0.267_949_192_431_122_6;

/// Faces tilted by more than 60° are of no use to a contact, and their tangents leave the range of care.
const COSINE_MIN: f64 = 0.5;

/// Options of a manifold.
///
/// # Examples
/// ```
/// use gjk::query::ManifoldOptions;
/// let options = ManifoldOptions::<f64>::default().with_prediction(0.02).with_points_max(8);
/// assert_eq!((options.prediction(), options.points_max()), (0.02, Some(8)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldOptions<S = f64> {
    prediction: S,
    points_max: Points,
    cos_max_tilt: f64,
    tangent: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Points {
    /// Four in space; in the plane there are no more than two.
    Usual,
    Most(u32),
    All,
}

impl<S: Scalar> Default for ManifoldOptions<S> {
    fn default() -> Self {
        Self {
            prediction: S::ZERO,
            points_max: Points::Usual,
            cos_max_tilt: FACING_COSINE,
            tangent: FACING_TANGENT,
        }
    }
}

impl<S: Scalar> ManifoldOptions<S> {
    /// These options with points up to this separation; what is negative or no number counts as zero.
    pub fn with_prediction(self, prediction: S) -> Self {
        let prediction = S::ZERO.max(prediction);
        Self { prediction, ..self }
    }

    /// These options with at most so many points; zero counts as one.
    pub fn with_points_max(self, points_max: u32) -> Self {
        Self {
            points_max: Points::Most(points_max.max(1)),
            ..self
        }
    }

    /// These options with every point of the contact polygon.
    pub fn with_all_points(self) -> Self {
        Self {
            points_max: Points::All,
            ..self
        }
    }

    /// These options with another angle within which a face counts as facing the other body, by its cosine: from 0.5 to 1, and cut
    /// to that.
    pub fn with_cos_max_tilt(self, cosine: f64) -> Self {
        let cos_max_tilt = if cosine >= COSINE_MIN {
            Scalar::min(cosine, 1.0)
        } else {
            COSINE_MIN
        };
        Self {
            cos_max_tilt,
            tangent: tangent_of(cos_max_tilt),
            ..self
        }
    }

    /// Points up to this separation.
    pub fn prediction(&self) -> S {
        self.prediction
    }

    /// At most so many points; `None`: all.
    pub fn points_max(&self) -> Option<u32> {
        match self.points_max {
            Points::Usual => Some(4),
            Points::Most(most) => Some(most),
            Points::All => None,
        }
    }

    /// The same as a number.
    #[inline(always)]
    pub(super) fn points_most(&self) -> usize {
        self.points_max().map_or(usize::MAX, |most| most as usize)
    }

    /// The cosine of the angle within which a face counts as facing the other body.
    pub fn cos_max_tilt(&self) -> f64 {
        self.cos_max_tilt
    }

    /// The tangent of that angle.
    pub(super) fn tangent(&self) -> f64 {
        self.tangent
    }
}

/// The tangent of the angle of a cosine.
fn tangent_of(cosine: f64) -> f64 {
    Scalar::sqrt((1.0 - cosine) * (1.0 + cosine)) / cosine
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default has the bits of the same angle when it is asked for.
    #[test]
    fn the_default_tilt_is_fifteen_degrees() {
        let usual = ManifoldOptions::<f64>::default();
        assert_eq!(usual, usual.with_cos_max_tilt(FACING_COSINE));
    }
}
