//! Lengths as proven intervals: the distance of a separated pair, the height of a facet.
//!
//! Where it sits: beside [`crate::classify`](mod@crate::classify), for callers that know the nearest face or a facet and
//! want numbers.
//! Idea: any direction gives a lower bound of the distance, any combination of vertices an upper one. Both are evaluated
//! in [`Double`], whose bound of its own error is some 2⁻¹⁰⁰ of what it adds up, and rounded outward once. What is left is
//! the rounding of the direction to floats: rotated by `u`, its bound falls by `u` times the size of the faces it touches.
//! Points that [`Double`] cannot hold go to integers.
//!
//! `facet.rs` has a facet's normal, plane and sides, `separation.rs` the distance of a separated pair, `weights.rs` the
//! combination of a face's vertices that is nearest the origin, and `enclosure.rs` a quick proof of overlap.

mod enclosure;
mod facet;
mod separation;
mod weights;

pub use enclosure::surely_encloses;
pub use facet::{Plane, normal, plane, side};
pub use separation::Measured;
pub use weights::{length, shares};

use crate::direction::SymbolicDirection;
use crate::integer;
use crate::number::{Double, root};

/// The formula as floats of length 1 to a rounding or two; zero for zero.
fn unit(formula: &SymbolicDirection) -> [f64; 3] {
    if formula.is_plain() {
        let double = formula.vector::<Double>();
        let largest = double
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.value().0.abs()));
        let error = double.iter().fold(0.0, |m: f64, x| m.max(x.error()));
        if largest > 0.0 && error <= largest * (f64::EPSILON / 64.0) {
            return scaled_to_unit(double.map(|x| x.value().0 / largest));
        }
    }
    scaled_to_unit(integer::to_float(&formula.integers()))
}

/// A vector with largest component 1 (or zero) divided by its length.
fn scaled_to_unit(d: [f64; 3]) -> [f64; 3] {
    let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let length = root(squared);
    if length > 0.0 {
        d.map(|x| x / length)
    } else {
        d
    }
}
