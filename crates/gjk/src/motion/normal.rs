//! A direction over time: fixed in the world, carried by a body, or the product of an edge of each.
//!
//! Where it sits: under `turning.rs`, which measures gaps along it. Where an edge meets an edge the normal of the distance turns with both of them, so that their product
//! separates the bodies for longer than any direction that one of them carries.

use super::course::Turn;
use crate::math::{Scalar, Triple, cross};
use crate::motion::answer::Carrier;

/// Roundings of a product of two unit edges: either 6, the product 3. The rest is room.
const EDGES_ROUNDINGS: f64 = 16.0;

/// A vector of each body, along an edge.
#[derive(Clone, Copy)]
pub(super) struct EdgePair {
    /// The vertices of A's edge, and of B's.
    pub(super) ids: [[u32; 2]; 2],
    /// Unit, along the axes of the start.
    pub(super) edges: [Triple; 2],
}

/// A direction over time. A carried one has the axes of the start.
#[derive(Clone, Copy)]
pub(super) enum MovingNormal {
    World(Triple),
    A(Triple),
    B(Triple),
    Edges(EdgePair),
}

impl MovingNormal {
    /// The one of a carrier that is `world` after the turns.
    pub(super) fn carried(carrier: Carrier, world: Triple, turns: &[Turn; 2]) -> Self {
        match carrier {
            Carrier::A => Self::A(turns[0].back(world)),
            Carrier::B => Self::B(turns[1].back(world)),
            _ => Self::World(world),
        }
    }

    /// Where it is after the turns, and how far off; of edges it is no longer than one, and as much shorter as they are nearly parallel.
    #[inline(always)]
    pub(super) fn after(&self, turns: &[Turn; 2]) -> (Triple, f64) {
        let [a, b] = turns;
        match self {
            Self::World(direction) => (*direction, 0.0),
            Self::A(direction) => (a.apply(*direction), a.error),
            Self::B(direction) => (b.apply(*direction), b.error),
            Self::Edges(EdgePair { edges, .. }) => {
                let product = cross(a.apply(edges[0]), b.apply(edges[1]));
                (product, a.error + b.error + EDGES_ROUNDINGS * f64::ROUNDING)
            }
        }
    }

    /// How fast it changes after the turns, at these angular velocities.
    pub(super) fn rate(&self, turns: &[Turn; 2], whirls: [Triple; 2], world: Triple) -> Triple {
        match self {
            Self::World(_) => [0.0; 3],
            Self::A(_) => cross(whirls[0], world),
            Self::B(_) => cross(whirls[1], world),
            Self::Edges(EdgePair { edges, .. }) => {
                let (a, b) = (turns[0].apply(edges[0]), turns[1].apply(edges[1]));
                let of_a = cross(cross(whirls[0], a), b);
                let of_b = cross(a, cross(whirls[1], b));
                [0, 1, 2].map(|k| of_a[k] + of_b[k])
            }
        }
    }

    /// The carrier of a certificate, and the direction that it states: of edges their product at the time 0.
    pub(super) fn stated(&self) -> (Carrier, Triple) {
        match *self {
            Self::World(direction) => (Carrier::World, direction),
            Self::A(direction) => (Carrier::A, direction),
            Self::B(direction) => (Carrier::B, direction),
            Self::Edges(EdgePair { ids, edges }) => {
                (Carrier::Edges(ids), cross(edges[0], edges[1]))
            }
        }
    }
}
