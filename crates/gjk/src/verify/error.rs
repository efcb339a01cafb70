//! What the checker can find wrong with an answer.

use crate::answer::Verdict;
use core::fmt;

/// The first thing found wrong. Vertices and pairs are named by their ids on A and B.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// A number of the answer is NaN.
    NotANumber {
        /// Which.
        field: &'static str,
    },
    /// The interval is empty.
    IntervalEmpty {
        /// Its lower end.
        lower: f64,
        /// Its upper end.
        upper: f64,
    },
    /// The interval's signs are not those of the verdict.
    IntervalSign {
        /// The verdict.
        verdict: Verdict,
        /// The interval's lower end.
        lower: f64,
        /// The interval's upper end.
        upper: f64,
    },
    /// `exact` is true and the verdict undecided.
    ExactUndecided,
    /// The normal is not a unit vector.
    NormalLength,
    /// The normal is not the certificate's direction (touching), or points against it.
    NormalDirection {
        /// The verdict.
        verdict: Verdict,
    },
    /// Moving B along the normal by the depth leaves the bodies overlapping.
    NormalShort {
        /// Vertices of A and B that still overlap along it.
        vertices: [u32; 2],
    },
    /// The witness points are not as far apart as the interval says.
    Witnesses {
        /// How far they are apart.
        distance: f64,
        /// What was allowed.
        range: [f64; 2],
    },
    /// A certificate for a pair that is not two polytopes with radii.
    NotPolytopes,
    /// The certificate is of a kind that says nothing of this verdict.
    Kind {
        /// The verdict.
        verdict: Verdict,
        /// The kind.
        certificate: &'static str,
    },
    /// The direction is zero, not finite, or leaves the plane in 2D.
    Direction {
        /// Which.
        what: &'static str,
    },
    /// Vertices that the direction does not separate far enough.
    Gap {
        /// The verdict.
        verdict: Verdict,
        /// Highest of A and lowest of B along the direction.
        vertices: [u32; 2],
    },
    /// A pair that names no vertices.
    PairRange {
        /// The ids.
        pair: [u32; 2],
        /// How many vertices A and B have.
        counts: [u32; 2],
    },
    /// Too few or too many pairs.
    PairCount {
        /// How many.
        count: usize,
        /// Least and most.
        range: [usize; 2],
    },
    /// Weights that are not one a pair, finite, non-negative, and of positive sum.
    Weights {
        /// Which of these.
        what: &'static str,
    },
    /// The combination's length is not `R` (touching), or not below it (near).
    CombinationLength {
        /// The verdict.
        verdict: Verdict,
    },
    /// The pairs' differences all lie in one plane (a line in 2D).
    PairsFlat,
    /// The origin is not strictly inside a facet of the hull of the pairs' differences.
    PairsOutside {
        /// Positions in the list of pairs; in 2D the last two are the same.
        facet: [usize; 3],
    },
    /// A 2D facet whose third pair is not its second.
    FacetShape {
        /// Its position.
        facet: usize,
    },
    /// An edge (in 2D a vertex) of the facets that is not matched by its opposite, or appears twice.
    FacetsOpen {
        /// From this pair.
        from: [u32; 2],
        /// To this pair.
        to: [u32; 2],
    },
    /// The origin is not strictly on the inner side of a facet.
    FacetOutside {
        /// Its position.
        facet: usize,
    },
    /// The certificate of a motion, or its answer, is not what it claims to be.
    Motion {
        /// What is wrong: the rest of a sentence about the certificate.
        what: &'static str,
    },
    /// A manifold is not what it claims to be.
    Manifold {
        /// What is wrong: the rest of a sentence about it.
        what: &'static str,
    },
    /// The certificate proves that the truth is beyond an end of the interval.
    End {
        /// `lower` or `upper`.
        end: &'static str,
        /// The end.
        value: f64,
    },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use VerifyError as E;
        match self {
            E::NotANumber { field } => write!(f, "{field} is not a number"),
            E::IntervalEmpty { lower, upper } => {
                write!(f, "the interval [{lower:e}, {upper:e}] is empty")
            }
            E::IntervalSign {
                verdict,
                lower,
                upper,
            } => {
                write!(
                    f,
                    "the interval [{lower:e}, {upper:e}] has not the sign of `{}`",
                    verdict.name()
                )
            }
            E::ExactUndecided => write!(f, "the verdict is `undecided` and called exact"),
            E::NormalLength => write!(f, "the normal is not unit"),
            E::NormalDirection { verdict } => {
                write!(
                    f,
                    "{}: the normal does not agree with the certificate's direction",
                    verdict.name()
                )
            }
            E::NormalShort { vertices: [i, j] } => {
                write!(
                    f,
                    "moving B along the normal by the depth leaves vertex {i} of A beyond vertex {j} of B"
                )
            }
            E::Witnesses {
                distance,
                range: [low, high],
            } => {
                write!(
                    f,
                    "the witness points are {distance:e} apart, which is not in [{low:e}, {high:e}]"
                )
            }
            other => other.certificate(f),
        }
    }
}

impl VerifyError {
    /// The messages about a certificate as a whole and its direction.
    fn certificate(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use VerifyError as E;
        match self {
            E::NotPolytopes => write!(
                f,
                "a certificate for bodies that are not polytopes with radii"
            ),
            E::Kind {
                verdict,
                certificate,
            } => {
                write!(
                    f,
                    "the verdict is `{}`, the certificate `{certificate}`",
                    verdict.name()
                )
            }
            E::Motion { what } => write!(f, "the motion's certificate {what}"),
            E::Manifold { what } => write!(f, "the manifold {what}"),
            E::Direction { what } => write!(f, "the certificate's direction {what}"),
            E::Gap {
                verdict,
                vertices: [i, j],
            } => {
                write!(
                    f,
                    "{}: the direction does not hold vertex {i} of A and vertex {j} of B apart",
                    verdict.name()
                )
            }
            E::End { end, value } => {
                write!(f, "the {end} end {value:e} is refuted by the certificate")
            }
            other => other.pairs_and_facets(f),
        }
    }

    /// The messages about pairs, weights and facets.
    fn pairs_and_facets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use VerifyError as E;
        match self {
            E::PairRange {
                pair: [i, j],
                counts: [n, m],
            } => {
                write!(f, "pair [{i}, {j}] names no vertices: A has {n}, B has {m}")
            }
            E::PairCount {
                count,
                range: [least, most],
            } => write!(f, "{count} pairs, not {least} to {most}"),
            E::Weights { what } => write!(f, "the weights {what}"),
            E::CombinationLength {
                verdict: Verdict::Touching,
            } => {
                write!(
                    f,
                    "touching: the combination's length is not the sum of the radii"
                )
            }
            E::CombinationLength { verdict } => {
                write!(
                    f,
                    "{}: the combination is not shorter than the sum of the radii",
                    verdict.name()
                )
            }
            E::PairsFlat => write!(f, "the pairs' differences enclose nothing: they are flat"),
            E::PairsOutside { facet: [i, j, k] } if j == k => {
                write!(
                    f,
                    "the origin is not strictly inside the edge of the pairs {i} and {j}"
                )
            }
            E::PairsOutside { facet: [i, j, k] } => {
                write!(
                    f,
                    "the origin is not strictly inside the facet of the pairs {i}, {j} and {k}"
                )
            }
            E::FacetShape { facet } => write!(f, "facet {facet} does not repeat its second pair"),
            E::FacetsOpen { from, to } => {
                write!(
                    f,
                    "the facets are not closed: from pair {from:?} to pair {to:?} something is missing or double"
                )
            }
            E::FacetOutside { facet } => write!(
                f,
                "the origin is not strictly on the inner side of facet {facet}"
            ),
            // Every other kind has its message above.
            _ => Ok(()),
        }
    }
}

impl core::error::Error for VerifyError {}
