//! Cylinders and cones: the cap or the side line that bears.
//!
//! Idea: a cap is a regular polygon in its rim with one corner in the deepest direction, so that the deepest point is one of the corners and all points
//! are on the body. A side line is an edge.

use super::faces::Bearing;
use super::view::{Flat, View, size, unit};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};

/// Corners of a cap.
pub(super) const SECTORS: u32 = 16;

/// The cosines and sines of the sectors of a quarter.
const QUARTER: [[f64; 2]; 4] = [
    [1.0, 0.0],
    [0.923_879_532_511_286_7, 0.382_683_432_365_089_8],
    [
        core::f64::consts::FRAC_1_SQRT_2,
        core::f64::consts::FRAC_1_SQRT_2,
    ],
    [0.382_683_432_365_089_8, 0.923_879_532_511_286_7],
];

/// A direction nearer to the axis than this sine has no deepest direction of its own.
const LEVEL_SINE: f64 = 1e-6;

/// How far between two corners a rim is outside of a cap's polygon, in radii: one less the cosine of half a sector, rounded up.
const RIM_SAGITTA: f64 = 0.0193;

/// What a face's numbers stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Vertices of a polytope.
    Vertices,
    /// Sectors of a cap.
    Cap(u32),
    /// The ends of a side line.
    Side,
    /// Nothing: a smooth body's point.
    Nothing,
}

/// Two discs in the world, by a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorldDiscs {
    pub(super) centers: [Triple; 2],
    pub(super) radii: [f64; 2],
    /// Two directions across the axis, as the pose has them: at right angles and of size one within its rounding, with the axis in the sense of a screw.
    /// The corners of a cap are sums of both, so that they are on the posed body, and none is off the plane of the cap.
    pub(super) across: [Triple; 2],
}

impl WorldDiscs {
    /// The point of a rim at a cosine and a sine.
    fn rim(&self, end: usize, [c, s]: Flat) -> Triple {
        let ([u, v], radius) = (self.across, self.radii[end]);
        plus(plus(self.centers[end], u, radius * c), v, radius * s)
    }
}

/// Finds the cap or the side line that supports along a view's direction, up to the tangent of a tilt; `None` where it is neither.
///
/// `against` is the direction in which a cap's depths are measured: that of the other body's face where it has vertices. The view's direction is the
/// contact's normal, whose numbers are rounded to the scalar: too much for a cap that is nearly level.
pub(super) fn supporting(
    discs: &WorldDiscs,
    view: &View,
    against: Triple,
    tangent: f64,
    bearing: &mut Bearing,
) -> Option<()> {
    let [u, v] = discs.across;
    let axis = unit(cross(u, v))?;
    let along = dot(axis, view.along);
    let seen = [dot(u, against), dot(v, against)];
    let sine = size(seen);
    let end = usize::from(along > 0.0);
    let level = sine <= LEVEL_SINE;
    let deepest = if level {
        [1.0, 0.0]
    } else {
        seen.map(|x| x / sine)
    };
    if discs.radii[end] > 0.0 && sine <= tangent * along.abs() {
        cap(discs, end, axis, deepest, bearing);
        if level {
            // The deepest point of the rim is between two corners.
            bearing.off = RIM_SAGITTA * sine * discs.radii[end];
        }
        return Some(());
    }
    if level {
        return None;
    }
    let points = [0, 1].map(|k| discs.rim(k, deepest));
    let line = subtract(points[1], points[0]);
    let rise = dot(line, view.along);
    // The tangent of the line against the plane across the direction.
    if rise.abs() > tangent * length(plus(line, view.along, -rise)) {
        return None;
    }
    bearing.be_round(points, view.along, Naming::Side);
    Some(())
}

fn cap(discs: &WorldDiscs, end: usize, axis: Triple, [c, s]: Flat, bearing: &mut Bearing) {
    // Counter-clockwise seen from outside.
    let (normal, side) = if end == 1 {
        (axis, [-s, c])
    } else {
        (axis.map(|x| -x), [s, -c])
    };
    let points = (0..SECTORS).map(|k| {
        let [along, across] = QUARTER[k as usize % 4];
        let [along, across] = match k / 4 {
            0 => [along, across],
            1 => [-across, along],
            2 => [-along, -across],
            _ => [across, -along],
        };
        let place = [c * along + side[0] * across, s * along + side[1] * across];
        discs.rim(end, place)
    });
    bearing.be_round(points, normal, Naming::Cap(end as u32));
}
