//! How deep a point is in a solid: its distance to the outside.
//!
//! Idea: within one piece that is the distance to the piece's nearest triangle, and a ray tells on which side of it the point is.
//! A point is at least as deep as in the deepest piece that holds it, and no deeper than it is far from a triangle that no
//! other piece holds.
//! Numbers: the distance of a point to a triangle is a proved interval. The side is exact.

use crate::body::{MeshBody, PosedBody};
use crate::boxes::Box3;
use crate::bvh::{PointFrame, Tree};
use crate::in_place::InPlace;
use crate::inside::{Side, side_of_shells};
use crate::mesh::TriMesh;
use crate::relation::Relation;
use crate::signs::{Point, Triangle, dropped, side, turn};
use crate::triangles::{Contact, NearPoint, are_apart, contact, nearest};
use core::cell::Cell;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use gjk::query::Interval;

/// A solid of which points are asked how deep they are.
pub(crate) struct Interior<'m> {
    pub(crate) mesh: InPlace<'m>,
    body: &'m PosedBody<'m>,
    reversed: bool,
    boxes: Vec<Box3>,
    /// Where points are in the tree of boxes in any direction.
    frame: Option<(&'m Tree, PointFrame)>,
}

/// How deep a point is: negative outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointDepth {
    pub(crate) depth: Interval<f64>,
    /// The nearest triangle that bounds the solid, and the point on it; `None` where nothing was near enough.
    pub(crate) nearest: Option<(u32, Point)>,
}

impl PointDepth {
    const UNKNOWN: Self = Self {
        depth: Interval {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
        },
        nearest: None,
    };
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
        let frame = || {
            let tree = mesh.mesh.wide_tree()?;
            Some((tree, PointFrame::new(tree, mesh.pose()?)?))
        };
        Some(Self {
            mesh,
            frame: frame(),
            body,
            reversed: body.is_reversed(false),
            boxes: body.piece_boxes(false),
        })
    }

    /// A box that holds the solid.
    pub(crate) fn bounds(&self) -> Box3 {
        *self.mesh.tree().bounds()
    }

    /// How deep a point is.
    pub(crate) fn at(&self, point: Point) -> PointDepth {
        let mut tied = Vec::new();
        let Some(close) = self.nearest_and_tied(point, |_| true, &mut tied) else {
            return PointDepth::UNKNOWN;
        };
        let (within, unclear) = match self.piece_by_side(point, &tied) {
            Some(within) => (within.into_iter().collect(), false),
            None => self.pieces_around(point),
        };
        if within.is_empty() && !unclear {
            return PointDepth {
                depth: Interval {
                    lower: -close.distance.upper,
                    upper: -close.distance.lower,
                },
                nearest: Some((close.triangle, close.at)),
            };
        }
        let lower = within
            .iter()
            .filter_map(|&piece| self.nearest_of_piece(point, piece, close))
            .fold(0.0_f64, |deepest, near| deepest.max(near.distance.lower));
        let bounding = Some(close).filter(|near| self.is_exposed(near.triangle));
        let bounding = bounding.or_else(|| self.nearest(point, |k| self.is_exposed(k)));
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

    /// The piece that holds a point with the most room around it, and how much that is at least.
    pub(crate) fn roomiest_piece(&self, point: Point) -> Option<(u32, f64)> {
        let (within, _) = self.pieces_around(point);
        let room = |piece: u32| {
            let near = self.nearest(point, |triangle| {
                self.body.piece_of(triangle) == Some(piece)
            });
            Some((piece, near?.distance.lower))
        };
        let rooms = within.into_iter().filter_map(room);
        rooms.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Whether a triangle is proved to be farther than `slack` from all of the surface, so that it is inside or outside as a whole.
    pub(crate) fn is_clear_of(&self, triangle: &Triangle, slack: f64) -> bool {
        let around = Box3::of(triangle).grown(slack);
        let visited = self.mesh.tree().meeting_until(&around, |k| {
            if are_apart(triangle, &self.mesh.corners(k), slack) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        visited.is_continue()
    }

    /// The corners of a triangle, counter-clockwise seen from outside.
    pub(crate) fn outward(&self, triangle: u32) -> Triangle {
        let mut corners = self.mesh.corners(triangle);
        if self.reversed {
            corners.reverse();
        }
        corners
    }

    /// The distance of a point to a triangle.
    pub(crate) fn to_triangle(&self, point: Point, triangle: u32) -> Interval<f64> {
        nearest(point, &self.mesh.corners(triangle)).distance
    }

    /// Whether a triangle bounds the solid: no other piece holds a part of it.
    fn is_exposed(&self, triangle: u32) -> bool {
        let body = self.body.body();
        self.body.pieces() == 1 || body.exposed(triangle, || is_exposed(self.body, triangle))
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

    /// The piece that holds a point, if any, as the sides tell of all triangles that may be the nearest; `None` where they do not.
    ///
    /// Nothing is between the point and its nearest point. Whether this is on a face, an edge or at a corner: where the point is on the
    /// same side of all triangles there, that is its side of the solid. A plane that it is in says nothing.
    fn piece_by_side(&self, point: Point, tied: &[u32]) -> Option<Option<u32>> {
        let piece = self.body.piece_of(*tied.first()?)?;
        let mut here = Ordering::Equal;
        for &triangle in tied {
            let side = side(&self.outward(triangle), point);
            let tells = side.is_eq() || here.is_eq() || side == here;
            let of_piece = self.body.piece_of(triangle) == Some(piece);
            if !tells || !of_piece || !self.is_exposed(triangle) {
                return None;
            }
            here = here.then(side);
        }
        here.is_ne().then(|| here.is_lt().then_some(piece))
    }

    fn nearest_of_piece(&self, point: Point, piece: u32, close: Near) -> Option<Near> {
        let of_piece = |triangle: u32| self.body.piece_of(triangle) == Some(piece);
        let is_closest = of_piece(close.triangle).then_some(close);
        is_closest.or_else(|| self.nearest(point, of_piece))
    }

    /// The nearest of some triangles.
    fn nearest(&self, point: Point, counts: impl Fn(u32) -> bool) -> Option<Near> {
        self.nearest_and_tied(point, counts, &mut Vec::new())
    }

    /// The same, and all triangles that may be as near.
    fn nearest_and_tied(
        &self,
        point: Point,
        counts: impl Fn(u32) -> bool,
        tied: &mut Vec<u32>,
    ) -> Option<Near> {
        let limit = Cell::new(f64::INFINITY);
        let mut best: Option<Near> = None;
        let mut seen: Vec<(f64, u32)> = Vec::new();
        let mut visit = |triangle: u32| {
            if self.body.piece_of(triangle).is_none() || !counts(triangle) {
                return;
            }
            let NearPoint { distance, at } = nearest(point, &self.mesh.corners(triangle));
            if distance.lower > limit.get() {
                return;
            }
            seen.push((distance.lower, triangle));
            limit.set(limit.get().min(distance.upper));
            if best.is_none_or(|best| distance.upper < best.distance.upper) {
                best = Some(Near {
                    distance,
                    triangle,
                    at,
                });
            }
        };
        match &self.frame {
            Some((tree, frame)) => tree.near_point(frame, point, &limit, &mut visit),
            None => {
                let tree = self.mesh.tree();
                tree.near(&Box3::of(&[point]), &limit, visit);
            }
        }
        let mut best = best?;
        let lower = seen.iter().map(|&(lower, _)| lower);
        best.distance.lower = lower.fold(best.distance.lower, f64::min);
        let upper = best.distance.upper;
        let may_be = seen.into_iter().filter(|&(lower, _)| lower <= upper);
        tied.extend(may_be.map(|(_, triangle)| triangle));
        Some(best)
    }
}

/// Whether a solid ends at a triangle: no other piece holds a part of it, or lies against it.
fn is_exposed(solid: &PosedBody<'_>, triangle: u32) -> bool {
    let mesh = solid.in_place(true);
    let bounds = mesh.tree().bounds_of(triangle);
    let corners = mesh.corners(triangle);
    let own = solid.piece_of(triangle);
    let is_other = |piece: Option<u32>| piece.is_some() && piece != own;
    let mut boxes = (0..).zip(solid.piece_boxes(true));
    if !boxes.any(|(piece, other)| is_other(Some(piece)) && other.meets(bounds)) {
        return true;
    }
    let against = mesh.tree().meeting_until(bounds, |k| {
        if is_other(solid.piece_of(k)) && face_each_other(&corners, &mesh.corners(k)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    against.is_continue() && !holds_part_of(solid, corners)
}

/// Whether two triangles share an area and face opposite ways.
fn face_each_other(a: &Triangle, b: &Triangle) -> bool {
    contact(a, b) == Some(Contact::Coplanar)
        && dropped(a).is_some_and(|axis| turn(axis, *a) != turn(axis, *b))
}

/// Whether a part of a triangle is inside of a solid.
fn holds_part_of(solid: &PosedBody<'_>, corners: Triangle) -> bool {
    let Ok(mesh) = TriMesh::new(&corners, &[[0, 1, 2]]) else {
        return true;
    };
    let surface = MeshBody::new(mesh);
    let found = surface.at(solid.pose()).related(solid, true, &mut ());
    let is_outside = matches!(found.relation, Relation::Separated | Relation::Touching);
    !(is_outside && found.exact)
}
