//! The supporting edge of a polygon in the plane, by the neighbours of its highest vertex.
//!
//! Where it sits: `edges.rs` asks it, and `placed.rs` before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: of a convex polygon the edge that is tilted least ends in the highest vertex. Where it is not clear which of the two edges there it is, or
//! whether it is within the allowed tilt, or vertices are so near to it that rounding decides whether they are on it, the search decides: so the answers
//! are those of the search.

use super::faces::SLIVER_SLACKS;
use super::view::{Flat, either, either_place};
use crate::math::planar;

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

/// The vertices of a polygon by their numbers.
// No closure: a call of one is not inlined for sure.
pub(super) trait RingVertices {
    /// How many there are.
    fn count(&self) -> u32;
    fn vertex(&self, id: u32) -> Flat;
}

/// An edge from one of its ends.
#[derive(Clone, Copy)]
struct CornerSlope {
    across: f64,
    /// How far the other end is below; negative where it is above.
    below: f64,
}

impl CornerSlope {
    /// By the step to the other end.
    #[inline(always)]
    fn new(step: Flat, along: Flat) -> Self {
        Self {
            across: planar::dot([-along[1], along[0]], step).abs(),
            below: -planar::dot(along, step),
        }
    }

    #[inline(always)]
    fn either(is_first: bool, first: Self, second: Self) -> Self {
        Self {
            across: either(is_first, first.across, second.across),
            below: either(is_first, first.below, second.below),
        }
    }

    /// Whether it is surely less steep than another slope, however its ends are.
    #[inline(always)]
    fn is_flatter(&self, across: f64, below: f64) -> bool {
        self.below.abs() * across < below * self.across * (1.0 - CLEAR_SLOPE)
    }
}

/// The highest vertex along a direction, the lowest number of those that compute so.
pub(super) fn highest(ring: &impl RingVertices, along: Flat) -> u32 {
    let (mut vertex, mut top) = (0, f64::NEG_INFINITY);
    for id in 0..ring.count() {
        let height = planar::dot(along, ring.vertex(id));
        // No branches: which one is highest is as good as random.
        let is_higher = height > top;
        vertex = if is_higher { id } else { vertex };
        top = if is_higher { height } else { top };
    }
    vertex
}

/// The ends of the edge of a polygon along a unit direction up to the tangent of a tilt, the lower number first, if it is clear which it
/// is. It is sought at a vertex that is as good as highest; of any other one there is none.
#[inline(always)]
pub(super) fn edge(
    ring: &impl RingVertices,
    order: RingOrder,
    vertex: u32,
    along: Flat,
    [tangent, slack]: [f64; 2],
) -> Option<[u32; 2]> {
    let (count, corner) = (ring.count(), ring.vertex(vertex));
    let [before, after] = order.beside(vertex, count);
    let to_before = planar::subtract(ring.vertex(before), corner);
    let to_after = planar::subtract(ring.vertex(after), corner);
    let slope_before = CornerSlope::new(to_before, along);
    let slope_after = CornerSlope::new(to_after, along);
    let is_before = slope_before.below.abs() * slope_after.across
        <= slope_after.below.abs() * slope_before.across;
    let end = either(is_before, before, after);
    let step = either_place(is_before, to_before, to_after);
    let back = either_place(is_before, to_after, to_before);
    let flat = CornerSlope::either(is_before, slope_before, slope_after);
    let steep = CornerSlope::either(is_before, slope_after, slope_before);
    let on = order.beyond(end, vertex, count);
    let on = planar::subtract(ring.vertex(on), ring.vertex(end));
    let next = CornerSlope::new(on, along);
    let wide = SLIVER_SLACKS * slack;
    // The boundary goes down from both ends, more steeply than the edge: so nothing is higher, and it is the flattest, whichever end is the highest.
    let is_clear = flat.is_flatter(steep.across, steep.below)
        & flat.is_flatter(next.across, next.below)
        & flat.is_flatter(1.0, tangent)
        & (flat.across > wide);
    // What comes before and after the edge is clearly off its line, so that it ends there.
    let length = flat.across + flat.below.abs();
    let off = wide * length;
    let is_off = (planar::cross(step, back).abs() > off) & (planar::cross(step, on).abs() > off);
    if !(is_clear & is_off) {
        return None;
    }
    let is_low = vertex < end;
    Some([either(is_low, vertex, end), either(is_low, end, vertex)])
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
    let (rise_x, rise_y) = (planar::dot(along, x), planar::dot(along, y));
    let of_x = CornerSlope {
        across: 2.0 * planar::dot(left, x).abs(),
        below: 2.0 * rise_x.abs(),
    };
    let of_y = CornerSlope {
        across: 2.0 * planar::dot(left, y).abs(),
        below: 2.0 * rise_y.abs(),
    };
    let is_x = of_x.below * of_y.across <= of_y.below * of_x.across;
    let flat = CornerSlope::either(is_x, of_x, of_y);
    let steep = CornerSlope::either(is_x, of_y, of_x);
    let wide = SLIVER_SLACKS * slack;
    let is_clear = flat.is_flatter(steep.across, steep.below)
        & flat.is_flatter(1.0, tangent)
        & (flat.across > wide)
        & (4.0 * planar::cross(x, y).abs() > wide * (flat.across + flat.below));
    // The bit of the axis that the edge is along is free, that of the other one is on the upper side.
    let (bit, other) = (2 - u32::from(is_x), 1 + u32::from(is_x));
    let base = other * u32::from(either(is_x, rise_y, rise_x) > 0.0);
    is_clear.then_some([base, base | bit])
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Corners([Flat; 32]);

    impl RingVertices for Corners {
        fn count(&self) -> u32 {
            32
        }
        fn vertex(&self, id: u32) -> Flat {
            self.0[id as usize]
        }
    }

    /// Sought at a vertex that is no end of the highest edge, though less steep edges than the limit begin there, there is none.
    #[test]
    fn an_edge_is_found_from_its_ends_alone() {
        let step = core::f64::consts::PI / 16.0;
        let corners = core::array::from_fn(|k| {
            let angle = (k as f64 - 0.5) * step;
            [-angle.sin(), angle.cos()]
        });
        let found: [_; 32] = core::array::from_fn(|k| {
            let ring = Corners(corners);
            edge(
                &ring,
                RingOrder::Numbers,
                k as u32,
                [0.0, 1.0],
                [0.5, 1e-15],
            )
        });
        for (k, found) in found.into_iter().enumerate() {
            assert_eq!(found, (k < 2).then_some([0, 1]), "{k}");
        }
    }
}
