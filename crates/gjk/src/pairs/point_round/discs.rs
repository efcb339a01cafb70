//! A point and the hull of two discs across an axis: a cylinder, a cone, a frustum.
//!
//! Where it sits: `mod.rs` calls [`measure`] with the point in the body's frame.
//! Idea: the point and the axis span a half plane, in which the body is a quadrilateral: two caps and a side. Inside, the nearest
//! of the three lines is the depth: the body is the meet of the half spaces of its caps and of its side's tangent planes, of
//! which those in the half plane are the nearest. Outside, the nearest point of the three edges bounds the distance from above, and
//! the plane across the line to it, or one of the three lines, from below.

use super::SurfaceDistance;
use crate::math::planar::{Planar, dot, subtract};
use crate::math::{Scalar, Triple};
use crate::rounding::{CORE_SIZES, UNIT_ROUNDOFF};
use crate::support::Discs;

/// What a height or a distance in the half plane is off, per unit of the point's coordinates and the discs' sizes: the distance from
/// the axis 2, a unit normal 4, differences 1, products and their sum 3, a foot's share 6. All doubled.
const SECTION_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

fn sum_of_sizes(solid: &Discs) -> f64 {
    solid.radii[0] + solid.radii[1] + 2.0 * solid.half_height
}

/// A body's half section, in the half plane: from the axis, and along it.
struct Section {
    /// The ends of the side, that of the lower disc first.
    rims: [Planar; 2],
    /// Outward of the side.
    side: Planar,
}

impl Section {
    fn of(solid: &Discs) -> Self {
        let ([low, high], h) = (solid.radii, solid.half_height);
        let way = [high - low, 2.0 * h];
        let inverse = 1.0 / Scalar::sqrt(dot(way, way));
        Self {
            rims: [[low, -h], [high, h]],
            side: [way[1] * inverse, -way[0] * inverse],
        }
    }

    /// The line that the point is least deep behind: its height over it, and the outward normal.
    fn nearest_line(&self, p: Planar) -> (f64, Planar) {
        let [low, high] = self.rims;
        let mut best = (dot(subtract(p, low), self.side), self.side);
        // A cap of no radius is a point of the side.
        for (rim, normal) in [(low, [0.0, -1.0]), (high, [0.0, 1.0])] {
            let height = (p[1] - rim[1]) * normal[1];
            if rim[0] > 0.0 && height > best.0 {
                best = (height, normal);
            }
        }
        best
    }

    /// The nearest point of the three edges.
    fn nearest_point(&self, p: Planar) -> Planar {
        let [low, high] = self.rims;
        let on_cap = |rim: Planar| [if p[0] < rim[0] { p[0] } else { rim[0] }, rim[1]];
        let way = subtract(high, low);
        let share = (dot(subtract(p, low), way) / dot(way, way)).clamp(0.0, 1.0);
        let on_side = [low[0] + way[0] * share, low[1] + way[1] * share];
        let far = |x: Planar| dot(subtract(p, x), subtract(p, x));
        let mut best = on_side;
        for rim in [low, high] {
            if far(on_cap(rim)) < far(best) {
                best = on_cap(rim);
            }
        }
        best
    }

    /// How much higher the point is than the body along a direction.
    fn rise(&self, p: Planar, along: Planar) -> f64 {
        // The discs reach as far against the half plane as along it.
        let outward = [along[0].abs(), along[1]];
        let over = |rim: Planar| dot(p, along) - dot(rim, outward);
        let [low, high] = self.rims;
        over(low).min(over(high))
    }
}

/// How deep a segment near the axis is.
pub(super) struct SegmentDepth {
    /// At least so deep.
    pub(super) depth: f64,
    /// The nearest way out: across the axis, and along it.
    pub(super) normal: Planar,
    /// Where on the axis the segment has the depth.
    pub(super) place: f64,
}

/// How deep a segment near the axis is in the body; `None` for a body without height, or out of range.
///
/// Swept along the segment the body is one of revolution too, and its least height is that of a cap, of the side, or across the axis.
pub(super) fn depth_of_segment(solid: &Discs, ends: [Triple; 2]) -> Option<SegmentDepth> {
    let (axis, [i, j]) = (solid.axis, [(solid.axis + 1) % 3, (solid.axis + 2) % 3]);
    let aside = |x: Triple| Scalar::sqrt(x[i] * x[i] + x[j] * x[j]);
    let off = aside(ends[0]).max(aside(ends[1]));
    let [a, b] = ends.map(|x| x[axis]);
    let (low, high) = (a.min(b), a.max(b));
    let size = off + low.abs() + high.abs() + sum_of_sizes(solid);
    if !CORE_SIZES.contains(&size) || !(solid.half_height > 0.0) {
        return None;
    }
    let section = Section::of(solid);
    let end_below = |n: Planar| if n[1] < 0.0 { high } else { low };
    let height = |n: Planar| {
        let [first, last] = section.rims.map(|rim| rim[0] * n[0] + rim[1] * n[1]);
        first.max(last) - end_below(n) * n[1]
    };
    let (mut normal, mut least) = ([1.0, 0.0], height([1.0, 0.0]));
    for next in [section.side, [0.0, 1.0], [0.0, -1.0]] {
        if height(next) < least {
            (normal, least) = (next, height(next));
        }
    }
    let [from, to] = section.rims;
    let place = if normal[1] != 0.0 {
        end_below(normal)
    } else if from[0] == to[0] {
        (0.5 * (low + high)).clamp(from[1], to[1])
    } else {
        let widest = if from[0] > to[0] { from } else { to };
        widest[1].clamp(low, high)
    };
    Some(SegmentDepth {
        depth: least - off - SECTION_ERROR * size,
        normal,
        place,
    })
}

/// The signed distance of a point; `None` for a body without height, or out of range. The normal of a point on the axis is about as `toward`, if that is not zero.
#[inline(always)]
pub(super) fn measure(solid: &Discs, point: Triple, toward: Triple) -> Option<SurfaceDistance> {
    let (axis, [i, j]) = (solid.axis, [(solid.axis + 1) % 3, (solid.axis + 2) % 3]);
    let from_axis = Scalar::sqrt(point[i] * point[i] + point[j] * point[j]);
    let p = [from_axis, point[axis]];
    let size = p[0] + p[1].abs() + sum_of_sizes(solid);
    if !CORE_SIZES.contains(&size) || !(solid.half_height > 0.0) {
        return None;
    }
    let error = SECTION_ERROR * size;
    let section = Section::of(solid);
    let (height, mut normal) = section.nearest_line(p);
    let (mut lower, mut upper) = (height, height);
    let mut foot = [p[0] - normal[0] * height, p[1] - normal[1] * height];
    if height > 0.0 {
        foot = section.nearest_point(p);
        let way = subtract(p, foot);
        upper = Scalar::sqrt(dot(way, way));
        if upper > error {
            let along = way.map(|x| x / upper);
            let rise = section.rise(p, along);
            if rise > lower {
                (lower, normal) = (rise, along);
            }
        }
    }
    // On the axis any direction across it is one towards the surface.
    let aside = Scalar::sqrt(toward[i] * toward[i] + toward[j] * toward[j]);
    let across = if from_axis <= error && aside > 0.0 {
        [toward[i] / aside, toward[j] / aside]
    } else if from_axis > 0.0 {
        [point[i] / from_axis, point[j] / from_axis]
    } else {
        [1.0, 0.0]
    };
    let in_space = |x: Planar| {
        let mut y = [0.0; 3];
        (y[axis], y[i], y[j]) = (x[1], across[0] * x[0], across[1] * x[0]);
        y
    };
    Some(SurfaceDistance {
        lower: lower - error,
        upper: upper + error,
        normal: in_space(normal),
        foot: in_space(foot),
    })
}
