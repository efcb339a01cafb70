//! Convex polygons and polyhedra: the hull of any point set.

use super::error::{ShapeError, finite};
use super::primitive::{extent, farthest};
use crate::hull::{self, HullMesh, PlanarHull, SpatialHull};
use crate::math::{Scalar, Vec2, Vec3, Vector};
use crate::support::{Support, SupportPoint};
use alloc::vec::Vec;

/// A convex polygon.
pub type ConvexPolygon<T> = Polytope<Vec2<T>>;
/// A convex polyhedron.
pub type ConvexPolyhedron<T> = Polytope<Vec3<T>>;

/// The convex hull of a point set, as its extreme points. It may be flat: a point, a segment, or a polygon in space.
///
/// Vertex ids count the extreme points; [`Polytope::source`] gives the input's index. Faces and neighbours come with
/// [`crate::hull`].
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<V: Vector> {
    vertices: Vec<V>,
    source: Vec<u32>,
    extent: V,
    center: V,
}

impl<V: Vector> Polytope<V> {
    /// The hull of `points`, in any order; inner points and duplicates are dropped.
    ///
    /// # Errors  no points, a component that is not finite, or more than 2³² − 2 points.
    /// # Complexity  O(n log n) on all but adversarial input.
    pub fn new(points: &[V]) -> Result<Self, ShapeError> {
        for (i, point) in points.iter().enumerate() {
            if !point.is_finite() {
                finite(&alloc::format!("points[{i}]"), *point)?;
            }
        }
        if points.len() >= u32::MAX as usize {
            return Err(ShapeError::TooLarge { field: "points".into() });
        }
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        let extreme = extreme_points(V::DIM, &wide).ok_or(ShapeError::Empty { field: "points".into() })?;
        Ok(Self::from_extreme(points, extreme))
    }

    fn from_extreme(points: &[V], source: Vec<u32>) -> Self {
        let vertices: Vec<V> = source.iter().map(|&i| points[i as usize]).collect();
        let share = V::Scalar::from_f64(1.0 / vertices.len() as f64);
        let center = vertices.iter().fold(V::ZERO, |sum, &v| sum + v * share);
        Self { extent: extent(&vertices), source, center, vertices }
    }

    /// The extreme points.
    pub fn vertices(&self) -> &[V] {
        &self.vertices
    }

    /// The input's index of a vertex.
    pub fn source(&self, id: u32) -> Option<u32> {
        self.source.get(id as usize).copied()
    }
}

impl<T: Scalar> ConvexPolyhedron<T> {
    /// A polyhedron from a closed mesh that is proved convex.
    ///
    /// # Errors  the first edge, face or vertex that makes it open, inconsistent or not convex.
    pub fn try_from_mesh(points: &[Vec3<T>], faces: &[Vec<u32>]) -> Result<Self, hull::ConvexityError> {
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        hull::check_convex_mesh(&wide, faces)?;
        let extreme = extreme_points(3, &wide).unwrap_or_default();
        Ok(Self::from_extreme(points, extreme))
    }

    /// The hull's faces and adjacency, computed anew; `None` when it is flat.
    pub fn mesh(&self) -> Option<HullMesh> {
        let wide: Vec<[f64; 3]> = self.vertices.iter().map(|p| p.to_f64()).collect();
        match hull::convex_hull_3(&wide) {
            Ok(SpatialHull::Polyhedron(mesh)) => Some(mesh),
            _ => None,
        }
    }
}

/// Indices of the extreme points: ascending in space, counter-clockwise in the plane; `None` for an empty set.
fn extreme_points(dim: usize, points: &[[f64; 3]]) -> Option<Vec<u32>> {
    if dim == 2 {
        let planar: Vec<[f64; 2]> = points.iter().map(|&[x, y, _]| [x, y]).collect();
        return match hull::convex_hull_2(&planar).ok()? {
            PlanarHull::Point(i) => Some(alloc::vec![i]),
            PlanarHull::Segment(i, j) => Some(alloc::vec![i, j]),
            PlanarHull::Polygon(ring) => Some(ring),
        };
    }
    match hull::convex_hull_3(points).ok()? {
        SpatialHull::Point(i) => Some(alloc::vec![i]),
        SpatialHull::Segment(i, j) => Some(alloc::vec![i, j]),
        SpatialHull::Polygon { ring } => Some(ring),
        SpatialHull::Polyhedron(mesh) => Some(mesh.vertices),
    }
}

impl<V: Vector> Polytope<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        farthest(&self.vertices, direction)
    }
}

impl<V: Vector> Support<V> for Polytope<V> {
    support_in_any_scalar!();
    fn vertex_count(&self) -> Option<u32> {
        Some(self.vertices.len() as u32)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        self.vertices.get(id as usize).copied()
    }
    fn extent(&self) -> V {
        self.extent
    }
    fn center(&self) -> V {
        self.center
    }
}
