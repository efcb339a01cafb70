//! How far a point is from a body: from the union of convex parts, from a solid, from a surface.
//!
//! Idea: beside the distance a body names a convex set in it that is near. The distance to that set is convex, so a piece of a triangle is
//! no farther from the body than its corner that is farthest from the set.
//! Numbers: a point is in a convex part by exact signs; distances are proved intervals.

use super::HullPart;
use crate::body::PosedBody;
use crate::boxes::{Box3, BoxTree};
use crate::depth::Interior;
use crate::in_place::InPlace;
use crate::signs::{Point, Triangle};
use crate::triangles::{NearPoint, nearest};
use core::cell::Cell;
use gjk::query::Interval;

/// No distance.
const ZERO: Interval<f64> = Interval {
    lower: 0.0,
    upper: 0.0,
};

/// Nothing is known.
const ANY: Interval<f64> = Interval {
    lower: 0.0,
    upper: f64::INFINITY,
};

/// How far a point is from a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointDistance {
    pub(super) distance: Interval<f64>,
    /// A convex set of the body that is near, by its number, and the nearest point; `None` where nothing was near enough.
    pub(super) near: Option<(u32, Point)>,
}

impl PointDistance {
    const UNKNOWN: Self = Self {
        distance: ANY,
        near: None,
    };
}

/// A body that points are asked for their distance to.
pub(super) trait Target {
    /// The distance of a point.
    fn at(&self, point: Point) -> PointDistance;

    /// The distance of a point to one of the convex sets, at most.
    fn to_set(&self, point: Point, set: u32) -> f64;

    /// The triangle that a convex set is, if it is one.
    fn triangle(&self, set: u32) -> Option<Triangle>;
}

/// The union of convex parts.
pub(super) struct UnionTarget<'p>(pub(super) &'p [HullPart]);

impl Target for UnionTarget<'_> {
    fn at(&self, point: Point) -> PointDistance {
        let here = Box3::of(&[point]);
        let gap = |part: &HullPart| part.tree.bounds().gap(&here);
        let mut order: Vec<(f64, u32)> = self.0.iter().map(gap).zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = PointDistance::UNKNOWN;
        let mut lower = f64::INFINITY;
        for (gap, k) in order {
            if gap > best.distance.upper {
                break;
            }
            let found = self.0[k as usize].distance(point);
            lower = lower.min(found.distance.lower);
            if found.distance.upper < best.distance.upper {
                best.distance = found.distance;
                best.near = Some((k, found.at));
            }
        }
        if lower.is_finite() {
            best.distance.lower = lower;
        }
        best
    }

    fn to_set(&self, point: Point, set: u32) -> f64 {
        self.0[set as usize].distance(point).distance.upper
    }

    fn triangle(&self, _: u32) -> Option<Triangle> {
        None
    }
}

impl HullPart {
    /// The distance of a point, and the nearest point.
    fn distance(&self, point: Point) -> NearPoint {
        if self.holds(point) {
            return NearPoint {
                distance: ZERO,
                at: point,
            };
        }
        let found = nearest_of(&self.tree, |k| self.triangles[k as usize], point);
        found.map_or(
            NearPoint {
                distance: ANY,
                at: point,
            },
            |(near, _)| near,
        )
    }
}

/// A solid, points inside of which are no distance away, or a surface.
pub(super) enum MeshTarget<'m> {
    Solid(Interior<'m>),
    Surface(InPlace<'m>),
}

impl<'m> MeshTarget<'m> {
    pub(super) fn of(body: &'m PosedBody<'m>) -> Self {
        match Interior::of(body) {
            Some(solid) => Self::Solid(solid),
            None => Self::Surface(body.in_place(true)),
        }
    }

    fn corners(&self, triangle: u32) -> Triangle {
        match self {
            Self::Solid(solid) => solid.mesh.corners(triangle),
            Self::Surface(surface) => surface.corners(triangle),
        }
    }
}

impl Target for MeshTarget<'_> {
    fn at(&self, point: Point) -> PointDistance {
        match self {
            Self::Solid(solid) => {
                let found = solid.at(point);
                PointDistance {
                    distance: Interval {
                        lower: (-found.depth.upper).max(0.0),
                        upper: (-found.depth.lower).max(0.0),
                    },
                    near: found.nearest,
                }
            }
            Self::Surface(surface) => {
                let found = nearest_of(surface.tree(), |k| surface.corners(k), point);
                found.map_or(PointDistance::UNKNOWN, |(near, triangle)| PointDistance {
                    distance: near.distance,
                    near: Some((triangle, near.at)),
                })
            }
        }
    }

    fn to_set(&self, point: Point, set: u32) -> f64 {
        nearest(point, &self.corners(set)).distance.upper
    }

    fn triangle(&self, set: u32) -> Option<Triangle> {
        Some(self.corners(set))
    }
}

/// The nearest of a tree's triangles; its interval holds for all of them.
fn nearest_of(
    tree: &BoxTree,
    corners: impl Fn(u32) -> Triangle,
    point: Point,
) -> Option<(NearPoint, u32)> {
    let limit = Cell::new(f64::INFINITY);
    let mut best: Option<(NearPoint, u32)> = None;
    let mut lower = f64::INFINITY;
    tree.near(&Box3::of(&[point]), &limit, |triangle| {
        let found = nearest(point, &corners(triangle));
        lower = lower.min(found.distance.lower);
        if found.distance.upper < limit.get() {
            limit.set(found.distance.upper);
            best = Some((found, triangle));
        }
    });
    let (mut near, triangle) = best?;
    near.distance.lower = near.distance.lower.min(lower);
    Some((near, triangle))
}
