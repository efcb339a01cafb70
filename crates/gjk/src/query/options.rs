//! What the caller may choose.

use crate::math::{Scalar, Vector};
use crate::request::{Request, Wanted, width};

/// How narrow the interval of an answer must be. The verdict is the same, and every interval contains the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// At most `2⁻³⁸` of the distance or depth, where hulls, boxes and balls are that far from touching: the fastest.
    #[default]
    Fast,
    /// A few roundings of the coordinates: distances and depths of hulls in `f64` are measured in double-double, and exactly
    /// where floats do not suffice. Bodies in a narrower scalar are answered to a rounding of theirs.
    Tight,
}

/// Options of a query. The default is right for nearly everyone.
///
/// # Examples
/// ```
/// use gjk::query::{Options, Precision};
/// let options = Options::default().with_precision(Precision::Tight).with_cutoff(0.05);
/// assert_eq!(options.cutoff, Some(0.05));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options<S = f64> {
    /// How narrow the interval must be.
    pub precision: Precision,
    /// Stop when the interval is narrower than this part of its upper end. `None`: the default of the kind of body, which for
    /// polytopes is zero, so that the loops go on to the optimum.
    pub tolerance_relative: Option<S>,
    /// At most this many iterations of each loop. Reaching it is reported with the bounds found so far, and never turned
    /// into a yes or no.
    pub iterations_max: u32,
    /// Stop as soon as the bodies are proved farther apart than this.
    pub cutoff: Option<S>,
    /// Whether touching bodies intersect.
    pub touching_counts: bool,
}

impl<S> Default for Options<S> {
    #[inline(always)]
    fn default() -> Self {
        Self {
            precision: Precision::Fast,
            tolerance_relative: None,
            iterations_max: 1000,
            cutoff: None,
            touching_counts: true,
        }
    }
}

impl<S: Scalar> Options<S> {
    /// The default options at [`Precision::Tight`].
    pub fn tight() -> Self {
        Self::default().with_precision(Precision::Tight)
    }

    /// These options with another precision.
    pub fn with_precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// These options with a relative tolerance of the loops.
    pub fn with_tolerance_relative(self, tolerance: S) -> Self {
        Self {
            tolerance_relative: Some(tolerance),
            ..self
        }
    }

    /// These options with another limit of iterations.
    pub fn with_iterations_max(self, iterations_max: u32) -> Self {
        Self {
            iterations_max,
            ..self
        }
    }

    /// These options with a cut-off.
    pub fn with_cutoff(self, cutoff: S) -> Self {
        Self {
            cutoff: Some(cutoff),
            ..self
        }
    }

    /// These options, with touching bodies counted as intersecting or not.
    pub fn with_touching_counts(self, touching_counts: bool) -> Self {
        Self {
            touching_counts,
            ..self
        }
    }

    #[inline(always)]
    pub(crate) fn request(&self, wanted: Wanted) -> Request {
        Request {
            wanted,
            width: width::<S>(self.precision == Precision::Tight),
            cutoff: self.cutoff.map(S::to_f64),
            tolerance_relative: self.tolerance_relative.map(S::to_f64),
            iterations_max: self.iterations_max,
            certificate: false,
            facets: false,
            float_only: false,
        }
    }
}

/// What a proof is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// The verdict alone.
    Verdict,
    /// The verdict alone, by the tutorials' form of the loop: its second direction is opposite to the first.
    Tutorial,
    /// The verdict and the distance.
    Distance,
    /// The verdict, and the distance or the depth.
    #[default]
    Contact,
}

/// What a proof states, beside the options of its query. Proofs are always [`Precision::Tight`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProofOptions<V: Vector> {
    /// What is to be proved.
    pub question: Question,
    /// Whether the certificate is made. Without it a proof is a replay of the loops, for an observer.
    pub certificate: bool,
    /// Whether the certificate of an overlap carries the facets that prove the depth.
    pub facets: bool,
    /// Answer by floats alone: pairs that their error bounds do not decide stay [`super::Verdict::Undecided`]. For comparison.
    pub float_only: bool,
    /// The first direction of the loop, from A to B. `None`: from centre to centre.
    pub first_direction: Option<V>,
}

impl<V: Vector> Default for ProofOptions<V> {
    fn default() -> Self {
        Self {
            question: Question::Contact,
            certificate: true,
            facets: false,
            float_only: false,
            first_direction: None,
        }
    }
}

impl<V: Vector> ProofOptions<V> {
    /// These options for another question.
    pub fn with_question(self, question: Question) -> Self {
        Self { question, ..self }
    }

    /// These options with or without the certificate.
    pub fn with_certificate(self, certificate: bool) -> Self {
        Self {
            certificate,
            ..self
        }
    }

    /// These options with or without the facets that prove a depth.
    pub fn with_facets(self, facets: bool) -> Self {
        Self { facets, ..self }
    }

    /// These options with or without the exact layer.
    pub fn with_float_only(self, float_only: bool) -> Self {
        Self { float_only, ..self }
    }

    /// These options with a first direction.
    pub fn with_first_direction(self, direction: V) -> Self {
        Self {
            first_direction: Some(direction),
            ..self
        }
    }

    pub(super) fn request(&self, options: &Options<V::Scalar>) -> Request {
        let wanted = match self.question {
            Question::Verdict => Wanted::Verdict,
            Question::Tutorial => Wanted::Tutorial,
            Question::Distance => Wanted::Distance,
            Question::Contact => Wanted::Contact,
        };
        Request {
            width: width::<V::Scalar>(true),
            certificate: self.certificate,
            facets: self.facets,
            float_only: self.float_only,
            ..options.request(wanted)
        }
    }
}
