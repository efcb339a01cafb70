//! The supporting edge of a polygon in the plane, by the neighbours of its highest vertex.
//!
//! Where it sits: `placed.rs` asks it for polygons in order and rectangles before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: of a convex polygon the edge that is tilted least ends in the highest vertex. Where it is not clear which of the two edges there it is, or
//! whether it is within the allowed tilt, or vertices are so near to it that rounding decides whether they are on it, the search decides: so the answers
//! are those of the search.

use super::faces::SLIVER_SLACKS;
use super::view::View;
use crate::math::Scalar;
use crate::math::triple::{Triple, dot, subtract};

/// What a slope must be off another one, or off the limit, to be clear, in parts of it: more than poses and vertices of `f32` are rounded.
const CLEAR_SLOPE: f64 = 1e-5;

/// How a polygon's vertices are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RingOrder {
    /// By their numbers.
    Numbers,
    /// The four corners of a rectangle, numbered by the signs of their coordinates.
    Rectangle,
}

impl RingOrder {
    /// The two vertices beside one of so many.
    fn beside(self, id: u32, count: u32) -> [u32; 2] {
        match self {
            RingOrder::Numbers => [
                id.checked_sub(1).unwrap_or(count - 1),
                if id + 1 == count { 0 } else { id + 1 },
            ],
            RingOrder::Rectangle => [id ^ 1, id ^ 2],
        }
    }

    /// Of the two vertices beside one, that which is not a given one.
    fn beyond(self, id: u32, not: u32, count: u32) -> u32 {
        let [a, b] = self.beside(id, count);
        if a == not { b } else { a }
    }
}

/// An edge from the highest vertex.
struct CornerSlope {
    end: u32,
    across: f64,
    below: f64,
}

impl CornerSlope {
    /// Whether it is surely less steep than another slope.
    fn is_flatter(&self, across: f64, below: f64) -> bool {
        self.below * across < below * self.across * (1.0 - CLEAR_SLOPE)
    }
}

/// The ends of the edge along a view's direction up to the tangent of a tilt, the lower number first, if it is clear which it is.
pub(super) fn edge(
    points: &[Triple],
    order: RingOrder,
    view: &View,
    tangent: f64,
    slack: f64,
) -> Option<[u32; 2]> {
    let count = points.len() as u32;
    let at = |id: u32| points[id as usize];
    let mut top = (0, f64::NEG_INFINITY);
    for (id, &x) in (0..).zip(points) {
        let height = dot(view.along, x);
        if height > top.1 {
            top = (id, height);
        }
    }
    let vertex = top.0;
    let slopes = order.beside(vertex, count).map(|end| {
        let step = subtract(at(end), at(vertex));
        CornerSlope {
            end,
            across: dot(view.across[0], step).abs(),
            below: Scalar::max(0.0, -dot(view.along, step)),
        }
    });
    let [first, second] = &slopes;
    let (flat, steep) = if first.below * second.across <= second.below * first.across {
        (first, second)
    } else {
        (second, first)
    };
    let wide = SLIVER_SLACKS * slack;
    let is_clear = flat.is_flatter(steep.across, steep.below)
        && flat.is_flatter(1.0, tangent)
        && flat.across > wide;
    // What comes before and after the edge is clearly off its line, so that it ends there.
    let outward = [
        -(at(flat.end)[1] - at(vertex)[1]),
        at(flat.end)[0] - at(vertex)[0],
        0.0,
    ];
    let length = flat.across + flat.below;
    let off = |id: u32| dot(outward, subtract(at(id), at(vertex))).abs() > wide * length;
    let after = order.beyond(flat.end, vertex, count);
    let mut ids = [vertex, flat.end];
    ids.sort_unstable();
    (is_clear && off(steep.end) && off(after)).then_some(ids)
}
