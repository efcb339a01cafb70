//! The unit roundoff of `f64`, in which every bound of this workspace is counted.

/// The unit roundoff `u = 2⁻⁵³`: half the distance from 1 to the next float, and the largest relative error of one rounding to
/// nearest.
///
/// `f64::EPSILON` is twice as much: the distance itself.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
