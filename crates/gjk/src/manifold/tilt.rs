//! Which faces and edges at a vertex are tilted least against a direction.
//!
//! Idea: let the vertex be the highest along the unit direction `d`. A plane through it with the normal `d + t`, `t` across `d`, supports the body if
//! `t · r ≤ h` for every other vertex, `r` how far it is across and `h` how far below. So the supporting planes are a convex polygon of tilts `t`
//! around zero: its corners are the faces at the vertex, its sides the edges, and the length of `t` is the tangent of the tilt.

use super::view::{Flat, next_of, size};
use crate::math::planar;
use smallvec::SmallVec;

/// Of a side that only bounds the search.
const FREE: u32 = u32::MAX;

/// A corner of the polygon, and what made the side that follows it.
#[derive(Clone, Copy, Debug)]
struct TiltCorner {
    at: Flat,
    side: u32,
}

/// The polygon of the tilts that support.
pub(super) struct Tilts {
    corners: TiltCorners,
    tangent: f64,
    /// The square of the longest tilt that is left.
    reach: f64,
}

type TiltCorners = SmallVec<[TiltCorner; 12]>;

impl Tilts {
    /// Every tilt up to a tangent, and some beyond.
    pub(super) fn up_to(tangent: f64) -> Self {
        let corner = |x: f64, y: f64| TiltCorner {
            at: [x * tangent, y * tangent],
            side: FREE,
        };
        Self {
            corners: [
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ]
            .into_iter()
            .collect(),
            tangent,
            reach: 2.0 * tangent * tangent,
        }
    }

    /// Whether a cut may leave anything out, given the square of `across`, and `below`.
    #[inline(always)]
    pub(super) fn reaches(&self, squared: f64, below: f64) -> bool {
        !(below > 0.0 && below * below > self.reach * squared)
    }

    /// Leaves the tilts with `t · across ≤ below`, where `below` is not negative.
    pub(super) fn cut(&mut self, id: u32, across: Flat, below: f64) {
        let beyond = |corner: &TiltCorner| planar::dot(across, corner.at) - below;
        let heights: SmallVec<[f64; 12]> = self.corners.iter().map(beyond).collect();
        let is_cut = heights.iter().any(|&height| height > 0.0);
        let is_left = heights.iter().any(|&height| !(height > 0.0));
        // Zero always stays: if nothing is left, it is rounding.
        if !(is_cut && is_left) {
            return;
        }
        let mut left = TiltCorners::new();
        for (k, corner) in self.corners.iter().enumerate() {
            let next = next_of(k, heights.len());
            let (here, there) = (heights[k], heights[next]);
            if here <= 0.0 {
                left.push(*corner);
            }
            if (here <= 0.0) == (there <= 0.0) {
                continue;
            }
            let part = here / (here - there);
            let step = planar::subtract(self.corners[next].at, corner.at);
            let at = [corner.at[0] + part * step[0], corner.at[1] + part * step[1]];
            let side = if here <= 0.0 { id } else { corner.side };
            left.push(TiltCorner { at, side });
        }
        let squares = left.iter().map(|corner| planar::dot(corner.at, corner.at));
        self.reach = squares.fold(0.0, |m: f64, x| if x > m { x } else { m });
        self.corners = left;
    }

    /// The two edges at the vertex between which is the face that is tilted least, of those that a condition on
    /// tilt and edges leaves.
    pub(super) fn face(&self, wanted: impl Fn(Flat, [u32; 2]) -> bool) -> Option<[u32; 2]> {
        let count = self.corners.len();
        let found = self.corners.iter().enumerate().filter_map(|(k, corner)| {
            let before = self.corners[k.checked_sub(1).unwrap_or(count - 1)].side;
            let is_face = before != FREE && corner.side != FREE && before != corner.side;
            let (edges, tilt) = ([before, corner.side], size(corner.at));
            (is_face && tilt <= self.tangent && wanted(corner.at, edges)).then_some((edges, tilt))
        });
        least(found)
    }

    /// The vertex at the other end of the edge that is tilted least.
    pub(super) fn edge(&self) -> Option<u32> {
        let count = self.corners.len();
        let found = self.corners.iter().enumerate().filter_map(|(k, corner)| {
            let step = planar::subtract(self.corners[next_of(k, count)].at, corner.at);
            let squared = planar::dot(step, step);
            let part = if squared > 0.0 {
                (-planar::dot(corner.at, step) / squared).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let nearest = [corner.at[0] + part * step[0], corner.at[1] + part * step[1]];
            let tilt = size(nearest);
            (corner.side != FREE && tilt <= self.tangent).then_some((corner.side, tilt))
        });
        least(found)
    }
}

fn least<T>(found: impl Iterator<Item = (T, f64)>) -> Option<T> {
    let best = found.reduce(|best, next| if next.1 < best.1 { next } else { best });
    best.map(|(value, _)| value)
}
