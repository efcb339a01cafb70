//! Whether a point is inside of shells: how often they wind around it, counted along a ray, exactly.
//!
//! Idea: a segment from the point to a point beyond all boxes crosses each closed shell as often outward as inward, once more where
//! the shell winds around the point. Where the segment passes through an edge or a corner, or lies in a triangle's plane, the
//! count would be a guess: another end is tried.

use crate::boxes::Box3;
use crate::in_place::InPlace;
use crate::signs::{Point, Triangle, dropped};
use crate::triangles::Edge;
use crate::{MeshBody, MeshKind, TriMesh};
use core::cmp::Ordering;

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Inside: shells wind around it more often outward than inward.
    Inside,
    /// On a triangle.
    Boundary,
    /// Outside.
    Outside,
}

/// How many ends of segments are tried. Each fails only for a mesh with an edge or a vertex on its segment.
const RAYS: usize = 64;

/// Directions of no pattern, as parts of the mesh's extent: the first end is beyond by these.
const DIRECTION: Point = [0.786_151_377_757_423_3, 1.0, 0.618_033_988_749_894_8];

impl TriMesh {
    /// Where a point is; `None` for a mesh that has a shell which is not closed, and if no ray avoids all edges.
    ///
    /// Shells that face inward take away what shells that face outward enclose.
    /// # Accuracy  exact.   # Complexity  the triangles along a ray; O(n log n) the first time.
    pub fn side_of(&self, point: [f64; 3]) -> Option<Side> {
        if !self.shells().iter().all(crate::Shell::is_closed) {
            return None;
        }
        side_of_shells(&self.in_place(), point, false, |_| true)
    }
}

impl MeshBody {
    /// Where a point is to the body, in the body's own frame; `None` for a surface, which has no inside, and if no ray avoids all edges.
    /// A mesh that is inside out is meant the other way around.
    ///
    /// # Accuracy  exact.   # Complexity  as [`TriMesh::side_of`].
    pub fn side_of(&self, point: [f64; 3]) -> Option<Side> {
        let MeshKind::Solid { inside_out, .. } = *self.kind() else {
            return None;
        };
        side_of_shells(&self.mesh().in_place(), point, inside_out, |_| true)
    }
}

/// Where a point is to some of a mesh's shells, which are closed; `None` if no ray avoids all edges. `reversed`: triangles run
/// clockwise seen from outside.
pub(crate) fn side_of_shells(
    mesh: &InPlace<'_>,
    point: Point,
    reversed: bool,
    counts: impl Fn(u32) -> bool,
) -> Option<Side> {
    if !point.iter().all(|x| x.is_finite()) {
        return None;
    }
    let outward = if reversed { -1 } else { 1 };
    let winding =
        (0..RAYS).find_map(|k| winding_by_ray(mesh, point, far_end(mesh, point, k)?, &counts))?;
    Some(match winding {
        None => Side::Boundary,
        Some(winding) if winding * outward > 0 => Side::Inside,
        Some(_) => Side::Outside,
    })
}

/// A point outside of the mesh's box, another one for each number; the first ones along the axes, whose boxes are the thinnest, beyond
/// the sides that are nearest.
fn far_end(mesh: &InPlace<'_>, point: Point, number: usize) -> Option<Point> {
    let [low, high] = mesh.bounds().with(&Box3::of(&[point])).corners();
    let room = |side: usize| match side {
        0..3 => high[side] - point[side],
        _ => point[side - 3] - low[side - 3],
    };
    let mut sides = [0, 1, 2, 3, 4, 5];
    sides.sort_unstable_by(|&x, &y| room(x).total_cmp(&room(y)).then(x.cmp(&y)));
    let (side, round) = (sides[number % 6], number / 6);
    let axis = side % 3;
    let end: Point = core::array::from_fn(|k| {
        let extent = (high[k] - low[k]).min(f64::MAX);
        let along = DIRECTION[(k + axis) % 3] * (1.0 + number as f64 * 0.093_7);
        let beyond = along * (extent + f64::MIN_POSITIVE);
        let place = if k != axis {
            point[k] + along * 0.1 * extent * round as f64
        } else if side < 3 {
            high[k] + beyond
        } else {
            low[k] - beyond
        };
        // Of the largest meshes a step may leave the range of floats.
        place.clamp(f64::MIN, f64::MAX)
    });
    let is_beyond = end[axis] > high[axis] || end[axis] < low[axis];
    // Rounding may leave a far mesh's end within its box: then a whole step of the floats is beyond.
    is_beyond.then_some(end).or_else(|| {
        let mut end = point;
        end[axis] = if side < 3 {
            high[axis].next_up()
        } else {
            low[axis].next_down()
        };
        end[axis].is_finite().then_some(end)
    })
}

/// How often shells wind around a point, by the crossings of a segment that ends outside; no number where the point is on a
/// triangle, and nothing where the segment passes through an edge.
fn winding_by_ray(
    mesh: &InPlace<'_>,
    point: Point,
    end: Point,
    counts: impl Fn(u32) -> bool,
) -> Option<Option<i64>> {
    let (mut winding, mut on_triangle, mut is_plain) = (0i64, false, true);
    mesh.near_segment([point, end], &mut |k| {
        if !counts(mesh.mesh.shell_of(k)) {
            return;
        }
        match crossing(&mesh.corners(k), point, end) {
            Crossing::None => {}
            Crossing::Outward => winding += 1,
            Crossing::Inward => winding -= 1,
            Crossing::Begins => on_triangle = true,
            Crossing::Unclear => is_plain = false,
        }
    });
    if on_triangle {
        Some(None)
    } else {
        is_plain.then_some(Some(winding))
    }
}

/// How a segment passes a triangle.
enum Crossing {
    /// Not at all.
    None,
    /// From the inner to the outer side.
    Outward,
    /// From the outer to the inner side.
    Inward,
    /// It begins on the triangle.
    Begins,
    /// Through an edge or a corner, or along the plane.
    Unclear,
}

fn crossing(triangle: &Triangle, point: Point, end: Point) -> Crossing {
    let Some(plane) = dropped(triangle) else {
        return flat_crossing(triangle, point);
    };
    let edge = Edge::over(triangle, [point, end]);
    match (edge.signs, edge.contact(triangle, plane)) {
        (_, None) => Crossing::None,
        ([Ordering::Equal, _], Some(_)) => {
            let begin = Edge {
                ends: [point, point],
                signs: [Ordering::Equal, Ordering::Greater],
            };
            match begin.contact(triangle, plane) {
                Some(_) => Crossing::Begins,
                None => Crossing::Unclear,
            }
        }
        ([from, _], Some(crate::Contact::Crossing)) => {
            if from.is_lt() {
                Crossing::Outward
            } else {
                Crossing::Inward
            }
        }
        _ => Crossing::Unclear,
    }
}

/// A flat triangle has no side. Its edges are its neighbours', of which the segment tells; but a point on it is on the mesh.
fn flat_crossing(triangle: &Triangle, point: Point) -> Crossing {
    let on_segment = |p: Point, q: Point| {
        let within = Box3::of(&[p, q]).meets(&Box3::of(&[point]));
        within && dropped(&[p, q, point]).is_none()
    };
    let [a, b, c] = *triangle;
    if on_segment(a, b) || on_segment(b, c) || on_segment(c, a) {
        Crossing::Begins
    } else {
        Crossing::None
    }
}
