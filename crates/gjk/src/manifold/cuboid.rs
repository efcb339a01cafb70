//! A box: its corners, and its supporting face by the direction alone.
//!
//! Where it sits: `placed.rs` asks it for boxes before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: the faces of a box have the directions of its edges, so the one that is tilted least is that of the edge nearest to the direction. Where it
//! is not clear which face that is, or whether it is within the allowed tilt, or the box is so thin that rounding makes edges of faces, the search
//! decides: so the answers are those of the search.

use super::faces::SLIVER_SLACKS;
use crate::math::Scalar;
use crate::math::triple::{Triple, cross, dot, subtract};

/// What the square of a cosine must be off a limit to be clear: more than the edges of a box of `f32` are from right angles.
const CLEAR_COSINE: f64 = 1e-5;

/// The edges of a box from its first corner, by its first corner and those beside it.
#[inline(always)]
pub(super) fn edges(corner: impl Fn(usize) -> Triple) -> [Triple; 3] {
    let from = corner(0);
    [
        subtract(corner(1), from),
        subtract(corner(2), from),
        subtract(corner(4), from),
    ]
}

/// A face of a box by the numbers of its corners.
pub(super) struct CuboidFace {
    /// Counter-clockwise, seen along the direction that it is the highest of, and from behind.
    pub(super) seen: [CuboidRing; 2],
    /// As the box sees its own, the lowest first.
    pub(super) lowest_first: [u32; 4],
}

/// Corners of a box in order, and on which side of the middle they are along each edge: one or minus one.
pub(super) struct CuboidRing {
    pub(super) ids: [u32; 4],
    pub(super) signs: CornerSigns,
}

/// Of each edge the signs of four corners.
pub(super) type CornerSigns = [[f64; 4]; 3];

/// The signs of the first corner and of those beside it.
pub(super) const EDGE_SIGNS: CornerSigns = corner_signs([0, 1, 2, 4]);

const fn corner_signs(ids: [u32; 4]) -> CornerSigns {
    let mut signs = [[-1.0; 4]; 3];
    let mut k = 0;
    while k < 12 {
        if ids[k % 4] >> (k / 4) & 1 == 1 {
            signs[k / 4][k % 4] = 1.0;
        }
        k += 1;
    }
    signs
}

/// The edges of a box, as a unit direction sees them.
pub(super) struct EdgeTilts {
    /// How far each rises along it.
    pub(super) rises: Triple,
    /// The squares of their lengths.
    pub(super) squares: Triple,
    pub(super) is_right_handed: bool,
}

impl EdgeTilts {
    pub(super) fn new(edges: &[Triple; 3], along: Triple) -> Self {
        Self {
            rises: edges.map(|edge| dot(along, edge)),
            squares: edges.map(|edge| dot(edge, edge)),
            is_right_handed: is_right_handed(edges),
        }
    }

    /// The face along the direction, up to the tangent of a tilt, if it is clear which it is.
    #[inline(always)]
    pub(super) fn face(&self, tangent: f64, slack: f64) -> Option<&'static CuboidFace> {
        let (rises, squares) = (&self.rises, &self.squares);
        let cosine = Scalar::max(1.0 / (1.0 + tangent * tangent), 0.5) + CLEAR_COSINE;
        let k = (0..3).find(|&k| rises[k] * rises[k] > cosine * squares[k])?;
        let shortest = Scalar::min(Scalar::min(squares[0], squares[1]), squares[2]);
        // Twice as wide, because a face is seen under up to 60°.
        let width = 2.0 * SLIVER_SLACKS * slack;
        if !(shortest > width * width) {
            return None;
        }
        let is_upper = rises[k] > 0.0;
        Some(&FACES[k][usize::from(is_upper)][usize::from(self.is_right_handed != is_upper)])
    }
}

#[inline(always)]
pub(super) fn is_right_handed(edges: &[Triple; 3]) -> bool {
    dot(cross(edges[0], edges[1]), edges[2]) > 0.0
}

/// The faces across each edge, the lower and the upper one, in either sense.
static FACES: [[[CuboidFace; 2]; 2]; 3] = [faces_of(0), faces_of(1), faces_of(2)];

const fn faces_of(k: u32) -> [[CuboidFace; 2]; 2] {
    [faces_at(k, 0), faces_at(k, 1)]
}

const fn faces_at(k: u32, upper: u32) -> [CuboidFace; 2] {
    let (i, j) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
    let base = upper << k;
    let (p, q, r, s) = (base, base | i, base | i | j, base | j);
    // The base is the lowest.
    [
        CuboidFace {
            seen: [cuboid_ring([p, q, r, s]), cuboid_ring([s, r, q, p])],
            lowest_first: [p, q, r, s],
        },
        CuboidFace {
            seen: [cuboid_ring([s, r, q, p]), cuboid_ring([p, q, r, s])],
            lowest_first: [p, s, r, q],
        },
    ]
}

const fn cuboid_ring(ids: [u32; 4]) -> CuboidRing {
    CuboidRing {
        ids,
        signs: corner_signs(ids),
    }
}
