//! What a caller wants of a pair: the one request that every solver reads.
//!
//! Where it sits: made by [`crate::query`] from the caller's options, read by [`crate::narrow`] and [`crate::pairs`].
//! Idea: a solver needs to know what is wanted and how narrow its interval must be. Both are numbers of `f64`, whatever the
//! bodies' scalar, because every solver computes in `f64`.

use crate::math::Scalar;

/// How much of the answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// The verdict only, with the tutorials' second direction, opposite to the first.
    Tutorial,
    /// The verdict only.
    Verdict,
    /// The verdict, and the distance of bodies that are separated.
    Distance,
    /// The verdict, and the distance or the depth.
    Contact,
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) wanted: Wanted,
    /// An interval is narrow enough at this part of the distance or depth. Zero: the narrowest there is.
    pub(crate) width: f64,
    /// The loop may stop once the bodies are proved farther apart than this, in the world's unit.
    pub(crate) cutoff: Option<f64>,
    /// The caller's gap tolerance of the loops; `None` for the default of the kind of body.
    pub(crate) tolerance_relative: Option<f64>,
    pub(crate) iterations_max: u32,
    /// Whether the answer states its certificate.
    pub(crate) certificate: bool,
    /// Whether the certificate of an overlap lists the facets that prove its depth.
    pub(crate) facets: bool,
    /// Whether pairs that floats do not decide stay undecided.
    pub(crate) float_only: bool,
}

/// A fast interval is narrow enough at this part of the distance or depth: 14 bits above the roundings of a tight one. It
/// chooses, and proves nothing: the interval is proved at any width.
pub(crate) const FAST_WIDTH: f64 = 1.0 / (1u64 << 38) as f64;

/// Boxes and polygons near touch have an interval that is narrow enough at this part of their sizes: a few roundings of their coordinates.
const NEAR_WIDTH: f64 = 1.0 / (1u64 << 46) as f64;

/// Whether an interval of boxes or polygons of a size is narrow enough: for its distance or depth, or near touch.
#[inline(always)]
pub(crate) fn is_narrow(interval: f64, distance: f64, width: f64, size: f64) -> bool {
    interval <= distance * width || width > 0.0 && interval <= NEAR_WIDTH * size
}

/// Scalars narrower than `f64` round both ends of an interval, each by up to one rounding of theirs. A quarter of that is narrow.
const NARROW_SCALAR_WIDTH: f64 = 0.25;

/// The width of an interval of bodies in the scalar `S` that is narrow enough.
#[inline(always)]
pub(crate) fn width<S: Scalar>(tight: bool) -> f64 {
    let rounding = S::ROUNDING.to_f64();
    let of_scalar = if rounding > f64::ROUNDING {
        NARROW_SCALAR_WIDTH * rounding
    } else {
        0.0
    };
    if tight {
        of_scalar
    } else {
        of_scalar.max(FAST_WIDTH)
    }
}

/// A contact of bodies in the scalar `S` at the narrowest width, with a certificate that has the facets of an overlap, or without.
pub(crate) fn contact_request<S: Scalar>(proof: bool) -> Request {
    Request {
        wanted: Wanted::Contact,
        width: width::<S>(true),
        cutoff: None,
        tolerance_relative: None,
        iterations_max: 1000,
        certificate: proof,
        facets: proof,
        float_only: false,
    }
}
