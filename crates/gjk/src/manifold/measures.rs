//! What the steps of a manifold measure by: the roundings of bodies of a size, and the power of two by which a world of extreme size is scaled.

use super::options::ManifoldOptions;
use crate::answer::Contact;
use crate::math::{Scalar, Vector, exponent_of};
use crate::rounding::UNIT_ROUNDOFF;

/// What a posed vertex of a face may be off the face's plane, and a corner off the side that it is meant to be on, in roundings of the scalar a unit of
/// the largest coordinate: the pose's entries and the vertices are rounded once each, and posed with 4 more, three times over for a plane through three
/// of them; the rest is room for bodies that are placed by a few operations of the caller.
const CORNER_ROUNDINGS: f64 = 64.0;

/// What a separation costs, in roundings of `f64` a unit of the largest coordinate: two differences, an inner product of three and a quotient by a
/// cosine of at least a half, of coordinates that are a few sizes apart.
pub(super) const LIFT_ROUNDINGS: f64 = 32.0;

/// Bodies within this power of two of one are measured as they are: their squares and the products of four of their lengths are floats with all bits, beside
/// a rounding of the largest.
const UNSCALED_POWER_MAX: i32 = 64;

/// What the steps measure by, in the scaled world.
#[derive(Clone, Copy)]
pub(super) struct Measures {
    /// Of the largest tilt.
    pub(super) tangent: f64,
    pub(super) band: f64,
    /// What is rounded in any separation.
    pub(super) rounding: f64,
    /// The bounds of the signed distance.
    pub(super) distance: [f64; 2],
    /// The power of two by which the world is scaled.
    pub(super) exponent: i32,
}

impl Measures {
    /// Those of bodies whose coordinates have this largest magnitude.
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        largest: f64,
        contact: &Contact<V>,
        options: &ManifoldOptions<V::Scalar>,
    ) -> Self {
        let power = -exponent_of(largest);
        let (coarse, fine) = (V::Scalar::ROUNDING.to_f64(), UNIT_ROUNDOFF);
        let interval = contact.signed_distance;
        let bounds = [interval.lower.to_f64(), interval.upper.to_f64()];
        let tangent = options.tangent();
        // Numbers of middle size stay as they are: all but what is rounded of them is the same at any power of two.
        if power.abs() <= UNSCALED_POWER_MAX {
            let unit = 1.0.scale_by_power(-power);
            return Self {
                tangent,
                band: CORNER_ROUNDINGS * coarse * unit,
                rounding: LIFT_ROUNDINGS * fine * unit,
                distance: bounds,
                exponent: 0,
            };
        }
        // Subnormal numbers are rounded to the smallest one.
        let rounding = |own: f64, tiniest: f64| Scalar::max(own, tiniest.scale_by_power(power));
        let coarse = rounding(coarse, V::Scalar::TINIEST.to_f64());
        Self {
            tangent,
            band: CORNER_ROUNDINGS * coarse,
            rounding: LIFT_ROUNDINGS * rounding(fine, f64::TINIEST),
            distance: bounds.map(|x| x.scale_by_power(power)),
            exponent: power,
        }
    }
}
