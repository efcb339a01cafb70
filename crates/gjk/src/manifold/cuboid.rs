//! A box: its corners, and its supporting face by the direction alone.
//!
//! Where it sits: `placed.rs` asks it for boxes before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: the faces of a box have the directions of its edges, so the one that is tilted least is that of the edge nearest to the direction. Where it
//! is not clear which face that is, or whether it is within the allowed tilt, or the box is so thin that rounding makes edges of faces, the search
//! decides: so the answers are those of the search.

use super::faces::SLIVER_SLACKS;
use super::view::larger;
use crate::math::triple::{Triple, cross, dot, subtract};
use crate::math::{Pose, Scalar, Vector};

/// What the square of a cosine must be off a limit to be clear: more than the edges of a box of `f32` are from right angles.
const CLEAR_COSINE: f64 = 1e-5;

/// Writes the corners of a box in the world by their numbers, each with the bits that its pose gives it, in the plane the first four, where there are zeros;
/// and tells the largest magnitude of their coordinates.
#[inline(always)]
pub(super) fn corners<V: Vector>(half: &V, pose: &Pose<V::Wide>, points: &mut [Triple; 8]) -> f64 {
    let columns = pose.columns();
    let far = |k: usize| (columns[k] * half.component(k).to_f64()).to_f64();
    let (x, y, at) = (far(0), far(1), pose.translation().to_f64());
    let z = if V::DIM == 2 { [0.0; 3] } else { far(2) };
    let mut largest = 0.0;
    for k in 0..V::DIM {
        let ([x, y, z], at) = ([x[k], y[k], z[k]], at[k]);
        let sums = [-x - y, x - y, -x + y, x + y];
        for (id, sum) in sums.into_iter().enumerate() {
            points[id][k] = (sum - z) + at;
            points[id + 4][k] = (sum + z) + at;
        }
        // One of the corners has the sign of the place in all its terms, and rounding keeps the order of sums.
        largest = larger(largest, ((x.abs() + y.abs()) + z.abs()) + at.abs());
    }
    largest
}

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

/// The ring of the face of a box of three edges along a unit direction, up to the tangent of a tilt, if it is clear which it is.
#[inline(always)]
pub(super) fn ring(
    edges: &[Triple; 3],
    along: Triple,
    tangent: f64,
    slack: f64,
) -> Option<[u32; 4]> {
    let [p, q, r] = *edges;
    let rises = [dot(along, p), dot(along, q), dot(along, r)];
    let squares = [dot(p, p), dot(q, q), dot(r, r)];
    let cosine = Scalar::max(1.0 / (1.0 + tangent * tangent), 0.5) + CLEAR_COSINE;
    let k = (0..3).find(|&k| rises[k] * rises[k] > cosine * squares[k])?;
    let shortest = Scalar::min(Scalar::min(squares[0], squares[1]), squares[2]);
    // Twice as wide, because a face is seen under up to 60°.
    let width = 2.0 * SLIVER_SLACKS * slack;
    if !(shortest > width * width) {
        return None;
    }
    let is_upper = rises[k] > 0.0;
    let is_right_handed = dot(cross(edges[0], edges[1]), edges[2]) > 0.0;
    Some(RINGS[k][usize::from(is_upper)][usize::from(is_right_handed != is_upper)])
}

/// The corners of the faces across each edge, the lower and the upper one, in either sense.
const RINGS: [[[[u32; 4]; 2]; 2]; 3] = [rings_of(0), rings_of(1), rings_of(2)];

const fn rings_of(k: u32) -> [[[u32; 4]; 2]; 2] {
    let (i, j) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
    let mut rings = [[[0; 4]; 2]; 2];
    let mut upper = 0;
    while upper < 2 {
        let base = (upper as u32) << k;
        rings[upper] = [
            [base, base | i, base | i | j, base | j],
            [base | j, base | i | j, base | i, base],
        ];
        upper += 1;
    }
    rings
}
