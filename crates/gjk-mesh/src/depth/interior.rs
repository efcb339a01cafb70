//! How deep a point is in a solid: its distance to the outside.
//!
//! Idea: within one piece that is the distance to the piece's nearest triangle, and a ray tells on which side of it the point is.
//! A point is at least as deep as in the deepest piece that holds it, and no deeper than it is far from a triangle that no
//! other piece holds.
//! Numbers: each triangle is a convex body, of which the library proves an interval. The side is exact.

use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::distance::convex;
use crate::in_place::InPlace;
use crate::inside::{Side, side_of_shells};
use crate::signs::{Point, Triangle};
use core::cell::Cell;
use core::ops::ControlFlow;
use gjk::query::Interval;
use gjk::shape;
use gjk::{Pair, Pose3, Vec3};

/// A solid of which points are asked how deep they are.
pub(crate) struct Interior<'m> {
    pub(crate) mesh: InPlace<'m>,
    body: &'m PosedBody<'m>,
    reversed: bool,
    boxes: Vec<Box3>,
}

/// How deep a point is: negative outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointDepth {
    pub(crate) depth: Interval<f64>,
    /// The nearest triangle that bounds the solid, and the point on it; `None` where nothing was near enough.
    pub(crate) nearest: Option<(u32, Point)>,
}

/// A triangle near a point.
#[derive(Clone, Copy)]
struct Near {
    distance: Interval<f64>,
    triangle: u32,
    at: Point,
}

impl<'m> Interior<'m> {
    /// The inside of a body where it is; `None` for a surface.
    pub(crate) fn of(body: &'m PosedBody<'m>) -> Option<Self> {
        if !body.is_solid() {
            return None;
        }
        let mesh = body.in_place(false);
        Some(Self {
            mesh,
            body,
            reversed: body.is_reversed(false),
            boxes: body.piece_boxes(false),
        })
    }

    /// A box that holds the solid.
    pub(crate) fn bounds(&self) -> Box3 {
        *self.mesh.tree().bounds()
    }

    /// How deep a point is. Farther outside than `far` it is only known to be so.
    pub(crate) fn at(&self, point: Point, far: f64) -> PointDepth {
        let outside = |distance: Interval<f64>, nearest| PointDepth {
            depth: Interval {
                lower: -distance.upper,
                upper: -distance.lower,
            },
            nearest,
        };
        let close = self.nearest(point, far, |_| true);
        let (within, unclear) = self.pieces_around(point);
        if within.is_empty() && !unclear {
            let beyond = Interval {
                lower: far,
                upper: f64::INFINITY,
            };
            let distance = close.map_or(beyond, |near| near.distance);
            return outside(distance, close.map(|near| (near.triangle, near.at)));
        }
        let any = |near: Option<Near>| near.map(|near| near.distance);
        let lower = within
            .iter()
            .filter_map(|&piece| any(self.nearest_of_piece(point, piece, close)))
            .fold(0.0_f64, |deepest, distance| deepest.max(distance.lower));
        let bounding = close.filter(|near| self.is_exposed(near.triangle));
        let bounding = bounding
            .or_else(|| self.nearest(point, f64::INFINITY, |triangle| self.is_exposed(triangle)));
        PointDepth {
            depth: Interval {
                lower: if unclear { f64::NEG_INFINITY } else { lower },
                upper: bounding
                    .map_or(f64::INFINITY, |near| near.distance.upper)
                    .min(self.bounds().depth_of(point)),
            },
            nearest: bounding.map(|near| (near.triangle, near.at)),
        }
    }

    /// Whether a triangle is proved to be farther than `slack` from all of the surface, so that it is inside or outside as a whole.
    pub(crate) fn is_clear_of(&self, triangle: &Triangle, slack: f64) -> bool {
        let Some(own) = convex(triangle) else {
            return false;
        };
        let around = Box3::of(triangle).grown(slack);
        let here = Pose3::identity();
        let mut clear = true;
        // The visitor's break is all that a break can mean.
        let _ = self.mesh.tree().meeting_until(&around, |k| {
            let other = convex(&self.mesh.corners(k));
            let apart = other.map(|other| Pair::new(&own, &here, &other, &here).distance());
            clear = apart.is_some_and(|found| found.distance.lower > slack);
            if clear {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        clear
    }

    /// The distance of a point to a triangle.
    pub(crate) fn to_triangle(&self, point: Point, triangle: u32) -> Interval<f64> {
        self.measured(point, triangle).map_or(
            Interval {
                lower: 0.0,
                upper: f64::INFINITY,
            },
            |near| near.distance,
        )
    }

    /// Whether a triangle bounds the solid: no other piece holds a part of it.
    fn is_exposed(&self, triangle: u32) -> bool {
        self.body.body().is_exposed(triangle)
    }

    /// The pieces that hold a point inside, and whether that of some piece is unclear.
    fn pieces_around(&self, point: Point) -> (Vec<u32>, bool) {
        let at = Box3::of(&[point]);
        let (mut within, mut unclear) = (Vec::new(), false);
        let near = self.boxes.iter().zip(0..).filter(|(b, _)| b.holds(&at));
        for (_, piece) in near {
            let of_piece = |shell| self.body.piece_of_shell(shell) == Some(piece);
            match side_of_shells(&self.mesh, point, self.reversed, of_piece) {
                Some(Side::Inside) => within.push(piece),
                Some(Side::Boundary | Side::Outside) => {}
                None => unclear = true,
            }
        }
        (within, unclear)
    }

    fn nearest_of_piece(&self, point: Point, piece: u32, close: Option<Near>) -> Option<Near> {
        let of_piece = |triangle: u32| self.body.piece_of(triangle) == Some(piece);
        close
            .filter(|near| of_piece(near.triangle))
            .or_else(|| self.nearest(point, f64::INFINITY, of_piece))
    }

    /// The nearest of some triangles within a distance.
    fn nearest(&self, point: Point, far: f64, counts: impl Fn(u32) -> bool) -> Option<Near> {
        let limit = Cell::new(far);
        let mut best: Option<Near> = None;
        self.mesh
            .tree()
            .near(&Box3::of(&[point]), &limit, |triangle| {
                if self.body.piece_of(triangle).is_none() || !counts(triangle) {
                    return;
                }
                let Some(found) = self.measured(point, triangle) else {
                    return;
                };
                let lower = best.map_or(found.distance.lower, |best| {
                    best.distance.lower.min(found.distance.lower)
                });
                let mut nearer = best
                    .filter(|best| best.distance.upper <= found.distance.upper)
                    .unwrap_or(found);
                nearer.distance.lower = lower;
                limit.set(limit.get().min(nearer.distance.upper));
                best = Some(nearer);
            });
        best.filter(|near| near.distance.lower <= far)
    }

    fn measured(&self, point: Point, triangle: u32) -> Option<Near> {
        let [x, y, z] = point;
        let point = shape::Point::new(Vec3::new(x, y, z)).ok()?;
        let other = convex(&self.mesh.corners(triangle))?;
        let here = Pose3::identity();
        let found = Pair::new(&point, &here, &other, &here).distance();
        Some(Near {
            distance: found.distance,
            triangle,
            at: [found.point_b.x, found.point_b.y, found.point_b.z],
        })
    }
}
