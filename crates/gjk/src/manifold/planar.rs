//! The supporting edge of a polygon in the plane, by the neighbours of its highest vertex.
//!
//! Where it sits: `edges.rs` asks it, and `placed.rs` before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: of a convex polygon the edge that is tilted least ends in the highest vertex. Where it is not clear which of the two edges there it is, or
//! whether it is within the allowed tilt, or vertices are so near to it that rounding decides whether they are on it, the search decides: so the answers
//! are those of the search.

use super::faces::SLIVER_SLACKS;
use super::view::{Flat, inner, larger, minus, outer};

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
    #[inline(always)]
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
    #[inline(always)]
    fn beyond(self, id: u32, not: u32, count: u32) -> u32 {
        let [a, b] = self.beside(id, count);
        if a == not { b } else { a }
    }
}

/// An edge from the highest vertex.
#[derive(Clone, Copy)]
struct CornerSlope {
    end: u32,
    across: f64,
    below: f64,
}

impl CornerSlope {
    /// By the step to its end.
    #[inline(always)]
    fn new(end: u32, step: Flat, along: Flat) -> Self {
        Self {
            end,
            across: inner([-along[1], along[0]], step).abs(),
            below: larger(0.0, -inner(along, step)),
        }
    }

    /// Whether it is surely less steep than another slope.
    #[inline(always)]
    fn is_flatter(&self, across: f64, below: f64) -> bool {
        self.below * across < below * self.across * (1.0 - CLEAR_SLOPE)
    }
}

/// The ends of the edge of a polygon of so many vertices along a unit direction up to the tangent of a tilt, the lower number first, if it is clear which it
/// is.
#[inline(always)]
pub(super) fn edge(
    count: u32,
    at: impl Fn(u32) -> Flat,
    order: RingOrder,
    along: Flat,
    tangent: f64,
    slack: f64,
) -> Option<[u32; 2]> {
    let (mut vertex, mut top) = (0, f64::NEG_INFINITY);
    for id in 0..count {
        let height = inner(along, at(id));
        // No branches: which one is highest is as good as random.
        let is_higher = height > top;
        vertex = if is_higher { id } else { vertex };
        top = if is_higher { height } else { top };
    }
    let corner = at(vertex);
    let [before, after] = order.beside(vertex, count);
    let first = CornerSlope::new(before, minus(at(before), corner), along);
    let second = CornerSlope::new(after, minus(at(after), corner), along);
    let (flat, steep) = if first.below * second.across <= second.below * first.across {
        (first, second)
    } else {
        (second, first)
    };
    let wide = SLIVER_SLACKS * slack;
    let is_clear = flat.is_flatter(steep.across, steep.below)
        & flat.is_flatter(1.0, tangent)
        & (flat.across > wide);
    // What comes before and after the edge is clearly off its line, so that it ends there.
    let step = minus(at(flat.end), corner);
    let length = flat.across + flat.below;
    let is_off = |id: u32| outer(step, minus(at(id), corner)).abs() > wide * length;
    let after = order.beyond(flat.end, vertex, count);
    let ids = if vertex < flat.end {
        [vertex, flat.end]
    } else {
        [flat.end, vertex]
    };
    (is_clear & is_off(steep.end) & is_off(after)).then_some(ids)
}

/// A rectangle's half edges in the world.
#[derive(Clone, Copy)]
pub(super) struct HalfEdges {
    pub(super) x: Flat,
    pub(super) y: Flat,
}

/// The same of a rectangle whose corners are numbered by the signs of their coordinates.
#[inline(always)]
pub(super) fn rectangle_edge(
    half: &HalfEdges,
    along: Flat,
    tangent: f64,
    slack: f64,
) -> Option<[u32; 2]> {
    let left = [-along[1], along[0]];
    let HalfEdges { x, y } = *half;
    let (rise_x, rise_y) = (inner(along, x), inner(along, y));
    let slope = |end: u32, edge: Flat, rise: f64| CornerSlope {
        end,
        across: 2.0 * inner(left, edge).abs(),
        below: 2.0 * rise.abs(),
    };
    let (of_x, of_y) = (slope(1, x, rise_x), slope(2, y, rise_y));
    let is_x = of_x.below * of_y.across <= of_y.below * of_x.across;
    let (flat, steep) = if is_x { (of_x, of_y) } else { (of_y, of_x) };
    let wide = SLIVER_SLACKS * slack;
    let is_clear = flat.is_flatter(steep.across, steep.below)
        & flat.is_flatter(1.0, tangent)
        & (flat.across > wide)
        & (4.0 * outer(x, y).abs() > wide * (flat.across + flat.below));
    let base = if is_x {
        u32::from(rise_y > 0.0) << 1
    } else {
        u32::from(rise_x > 0.0)
    };
    is_clear.then_some([base, base | flat.end])
}
