//! Cylinders and cones: the cap or the side line that bears.
//!
//! Idea: a cap is a regular polygon in its rim with one corner in the deepest direction, so that the deepest point is one of the corners and all points
//! are on the body. A side line is an edge.

use super::faces::Bearing;
use super::view::{View, unit};
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
    pub(super) across: Triple,
}

/// Finds the cap or the side line that supports along a view's direction, up to the tangent of a tilt; `None` where it is neither.
pub(super) fn supporting(
    discs: &WorldDiscs,
    view: &View,
    tangent: f64,
    bearing: &mut Bearing,
) -> Option<()> {
    let axis = unit(subtract(discs.centers[1], discs.centers[0]))?;
    let along = dot(axis, view.along);
    let radial = |x: Triple| plus(x, axis, -dot(axis, x));
    let sine = length(radial(view.along));
    let end = usize::from(along > 0.0);
    let level = sine <= LEVEL_SINE;
    let deepest = unit(radial(if level { discs.across } else { view.along }))?;
    // Of a direction near the axis rounding leaves a part along it, which would lift corners off the cap: it is taken out once more.
    let deepest = unit(radial(deepest))?;
    if discs.radii[end] > 0.0 && sine <= tangent * along.abs() {
        cap(discs, end, axis, deepest, view, bearing);
        if level {
            // The deepest point of the rim is between two corners.
            bearing.off = RIM_SAGITTA * sine * discs.radii[end];
        }
        return Some(());
    }
    if level {
        return None;
    }
    let points = [0, 1].map(|k| plus(discs.centers[k], deepest, discs.radii[k]));
    let line = subtract(points[1], points[0]);
    let rise = dot(line, view.along);
    // The tangent of the line against the plane across the direction.
    if rise.abs() > tangent * length(plus(line, view.along, -rise)) {
        return None;
    }
    bearing.be_round(points, view, view.along, Naming::Side);
    Some(())
}

fn cap(
    discs: &WorldDiscs,
    end: usize,
    axis: Triple,
    deepest: Triple,
    view: &View,
    bearing: &mut Bearing,
) {
    let normal = if end == 1 { axis } else { axis.map(|x| -x) };
    let side = cross(normal, deepest);
    let points = (0..SECTORS).map(|k| {
        let [c, s] = QUARTER[k as usize % 4];
        let [c, s] = match k / 4 {
            0 => [c, s],
            1 => [-s, c],
            2 => [-c, -s],
            _ => [s, -c],
        };
        let radius = discs.radii[end];
        plus(
            plus(discs.centers[end], deepest, radius * c),
            side,
            radius * s,
        )
    });
    bearing.be_round(points, view, normal, Naming::Cap(end as u32));
}
