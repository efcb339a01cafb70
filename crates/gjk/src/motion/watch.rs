//! What the search for a contact of bodies in motion tells an observer, step by step.
//!
//! Where it sits: beside `soft.rs`, `float_ends.rs` and `impact.rs`, which tell. A search that nobody watches builds no step.

use super::answer::{Carrier, ChainPiece};
use crate::answer::Contact;
use crate::math::{Scalar, Triple, Vector, Vector64};
use alloc::vec::Vec;

/// Who watches, if somebody does.
pub(crate) type Watch<'w> = Option<&'w dyn Fn(MotionStep)>;

/// One step of a search for a contact of bodies in motion. Directions are along the world's axes, from A to B; in the plane the last component is 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MotionStep {
    /// The bodies were looked at where they are at a time. What is found proposes the next direction; an overlap proves contact.
    Looked {
        /// When.
        time: f64,
        /// Bounds of the signed distance then, as near as was asked.
        distance: [f64; 2],
        /// Unit.
        normal: Triple,
    },
    /// Bodies that do not turn: their supporting planes along a direction.
    Planes {
        /// Unit.
        direction: Triple,
        /// How far they are apart at the time 0.
        gap: f64,
        /// How fast that grows.
        rate: f64,
        /// They are proved apart until here, or where the gap grows from here on; absent where they do not surely approach, or part.
        bound: Option<f64>,
        /// They are proved apart to the end of the motion.
        free: bool,
    },
    /// Bodies that turn: an end of a piece was tried, and whether it is proved.
    Tried {
        /// Where the piece begins, and the end that was tried.
        times: [f64; 2],
        /// Along the world's axes at the time 0 of what it turns with.
        direction: Triple,
        /// What the direction turns with.
        carrier: Carrier,
        /// Lower bounds of the gap at both times.
        gaps: [f64; 2],
        /// How far below them the gap may be between.
        sag: f64,
        /// The sum of the gaps' roots is greater than twice the sag's: the gap is positive on all of it.
        proved: bool,
    },
    /// The longest of the pieces that were proved from a time on. The bodies are apart on it.
    Piece {
        /// Where it begins.
        from: f64,
        /// Its end, and the direction.
        piece: ChainPiece,
    },
    /// Polytopes that do not turn: as many points of their difference as there are dimensions, of which the shadow along the motion holds the line.
    Portal {
        /// It is for the end of contact, not for its beginning.
        exit: bool,
        /// The vertices of A and of B that make its corners.
        corners: Vec<[u32; 2]>,
        /// Its normal, outward, of no length in particular.
        direction: Triple,
        /// The farthest vertices along it.
        support: [u32; 2],
        /// How far they are beyond the portal, in lengths of the direction; of a facet nothing but rounding.
        gap: f64,
    },
    /// What floats did not decide went to exact signs, or to integers.
    Exact,
}

/// Steps of a search back in time, as the motion itself has them: when contact ends.
pub(super) fn reversed(step: MotionStep) -> MotionStep {
    match step {
        MotionStep::Looked {
            time,
            distance,
            normal,
        } => MotionStep::Looked {
            time: -time + 0.0,
            distance,
            normal,
        },
        MotionStep::Planes {
            direction,
            gap,
            rate,
            bound,
            free,
        } => MotionStep::Planes {
            direction,
            gap,
            rate: -rate + 0.0,
            bound: bound.map(|time| -time + 0.0),
            free,
        },
        other => other,
    }
}

/// What was found of two bodies at a time.
pub(super) fn looked<W: Vector64>(time: f64, found: &Contact<W>) -> MotionStep {
    let distance = found.signed_distance;
    MotionStep::Looked {
        time,
        distance: [distance.lower.to_f64(), distance.upper.to_f64()],
        normal: Vector::to_f64(found.normal),
    }
}
