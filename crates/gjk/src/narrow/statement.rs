//! How the exact layer's results are stated in a certificate: floats where they are exact, else integers.
//!
//! Where it sits: called by `hulls.rs` and `beyond.rs`.

use crate::answer::{Certificate, Combination, Direction, Verdict, Weights};
use crate::math::BigInt;
use core::cmp::Ordering;
use gjk_exact::{Nearest, SymbolicDirection};

/// A direction in a form that states it exactly, and as floats of any length.
pub(super) fn stated(formula: &SymbolicDirection) -> (Direction, [f64; 3]) {
    match formula.floats() {
        Some(floats) => (Direction::Float(floats), floats),
        None => {
            let integers = formula.integers();
            let floats = gjk_exact::integer::to_float(&integers);
            let stated = integers.each_ref().map(BigInt::from_exact);
            (Direction::Integer(stated), floats)
        }
    }
}

/// A face's vertices with weights.
pub(super) fn combination(face: &Nearest, weights: Weights) -> Combination {
    Combination {
        pairs: face.vertices().iter().map(|v| v.pair).collect(),
        weights,
    }
}

/// The point nearest the origin, exactly.
pub(super) fn exact_combination(face: &Nearest) -> Combination {
    let weights = match face.stated_weights() {
        Some(floats) => Weights::Float(floats[..face.vertices().len()].to_vec()),
        None => Weights::Integer(face.weights().iter().map(BigInt::from_exact).collect()),
    };
    combination(face, weights)
}

/// What the squares of the distance of a face and of the radii say of rounded hulls. The direction is that of the face.
#[cold]
pub(super) fn compared(
    nearest: &Nearest,
    direction: Option<SymbolicDirection>,
    radii: &[f64; 2],
) -> (Verdict, Certificate) {
    let direction = direction.map_or(Direction::Float([0.0; 3]), |d| stated(&d).0);
    let combination = exact_combination(nearest);
    match nearest.compare(radii) {
        Ordering::Greater => (
            Verdict::Separated,
            Certificate::Separated {
                direction,
                nearest: Some(combination),
            },
        ),
        Ordering::Equal => (
            Verdict::Touching,
            Certificate::Touching {
                direction,
                nearest: combination,
            },
        ),
        Ordering::Less => (
            Verdict::Overlapping,
            Certificate::Near {
                direction,
                nearest: combination,
            },
        ),
    }
}
