//! Which vertices of a body may be the highest along a direction that is known within an error.

use crate::math::triple::{Triple, cross, dot, length, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use smallvec::SmallVec;

/// What a height may be off, in roundings: three products and two sums of coordinates up to 2, and a direction that is normalised with three more, of points
/// up to 2√3 from the origin; doubled for differences of two, and some room.
pub(super) const LEVEL_ERROR: f64 = 64.0 * UNIT_ROUNDOFF;

/// What the cross product of two edges may be off, in roundings of the product of their lengths: the difference of products of differences.
const CROSS_ROUNDINGS: f64 = 8.0;

/// The vertices of a body that may be highest, each place once.
pub(super) type Highest = SmallVec<[u32; 8]>;

/// Along a unit direction from which the true one differs by at most the length `slack`; coordinates are at most 2.
pub(super) fn highest(points: &[Triple], along: Triple, slack: f64) -> Highest {
    let (mut top, mut peak) = (f64::NEG_INFINITY, [0.0; 3]);
    for &x in points {
        let height = dot(along, x);
        if height > top {
            (top, peak) = (height, x);
        }
    }
    let mut ids = Highest::new();
    for (id, &x) in points.iter().enumerate() {
        let room = slack * length(subtract(x, peak)) + LEVEL_ERROR;
        // Whether there are one, two or more places is what matters.
        let is_new = |&other: &u32| ids.len() > 2 || points[other as usize] != x;
        if dot(along, x) >= top - room && ids.iter().all(is_new) {
            ids.push(id as u32);
        }
    }
    ids
}

/// The sine of the angle between the only edges of both, less what it may be off; 1 where either is one vertex. Not positive where more than one pair of
/// points may be nearest.
pub(super) fn crossing(points: [&[Triple]; 2], ids: [&[u32]; 2]) -> f64 {
    match ids {
        [[_], _] | [_, [_]] => 1.0,
        [&[a, b], &[c, d]] => {
            let edge =
                |k: usize, [i, j]: [u32; 2]| subtract(points[k][j as usize], points[k][i as usize]);
            let (u, v) = (edge(0, [a, b]), edge(1, [c, d]));
            length(cross(u, v)) / (length(u) * length(v)) - CROSS_ROUNDINGS * UNIT_ROUNDOFF
        }
        _ => 0.0,
    }
}
