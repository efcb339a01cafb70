//! Convex polygons and polyhedra: the hull of any point set.

use super::error::{ShapeError, finite};
use crate::hull::{self, HullMesh, Neighbours, PlanarHull, SpatialHull};
use crate::math::{Scalar, Vec2, Vec3, Vector};
use crate::support::{Core, Support, SupportPoint};
use crate::vertices::{HullVertices, ring};
use alloc::vec::Vec;

/// A convex polygon.
pub type ConvexPolygon<T> = Polytope<Vec2<T>>;
/// A convex polyhedron.
pub type ConvexPolyhedron<T> = Polytope<Vec3<T>>;

/// The convex hull of a point set, as its extreme points. It may be flat: a point, a segment, or a polygon in space.
///
/// Vertex ids count the extreme points; [`Polytope::source`] gives the input's index. Faces and neighbours come with
/// [`crate::hull`].
///
/// Supports are found by a loop over the vertices of small hulls, by SIMD from 5 vertices on, and by climbing edges from 192
/// on; whichever it is, and on every target, the answer is the lowest id of those that compute highest. Beyond the vertices a
/// hull then keeps 8 bytes a coordinate, and 28 bytes a vertex for its edges. Of each facet of a hull of at most 2048 it keeps the plane, which rays read: 32 bytes and 4 a corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<V: Vector> {
    hull: HullVertices<V>,
    source: Vec<u32>,
}

/// The extreme points of a set, and the edges between them if they were computed; of a set that is not flat the facets.
struct Extreme {
    source: Vec<u32>,
    edges: Option<Neighbours>,
    rings: Vec<Vec<u32>>,
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
            return Err(ShapeError::TooLarge {
                field: "points".into(),
            });
        }
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        let extreme = extreme_points(V::DIM, &wide).ok_or(ShapeError::Empty {
            field: "points".into(),
        })?;
        Ok(Self::from_extreme(points, extreme))
    }

    fn from_extreme(points: &[V], extreme: Extreme) -> Self {
        let Extreme {
            source,
            edges,
            rings,
        } = extreme;
        let vertices: Vec<V> = source.iter().map(|&i| points[i as usize]).collect();
        Self {
            hull: HullVertices::new(vertices, edges, &rings),
            source,
        }
    }

    /// The extreme points.
    pub fn vertices(&self) -> &[V] {
        self.hull.points()
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
    pub fn try_from_mesh(
        points: &[Vec3<T>],
        faces: &[Vec<u32>],
    ) -> Result<Self, hull::ConvexityError> {
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        hull::check_convex_mesh(&wide, faces)?;
        let extreme = extreme_points(3, &wide).unwrap_or(Extreme {
            source: Vec::new(),
            edges: None,
            rings: Vec::new(),
        });
        Ok(Self::from_extreme(points, extreme))
    }

    /// The hull's faces and adjacency, computed anew; `None` when it is flat.
    pub fn mesh(&self) -> Option<HullMesh> {
        let wide: Vec<[f64; 3]> = self.vertices().iter().map(|p| p.to_f64()).collect();
        match hull::convex_hull_3(&wide) {
            Ok(SpatialHull::Polyhedron(mesh)) => Some(mesh),
            _ => None,
        }
    }
}

/// The extreme points: ascending in space, counter-clockwise in the plane; `None` for an empty set.
fn extreme_points(dim: usize, points: &[[f64; 3]]) -> Option<Extreme> {
    let few = |source: Vec<u32>| Extreme {
        source,
        edges: None,
        rings: Vec::new(),
    };
    let around = |source: Vec<u32>| {
        let count = source.len() as u32;
        let side = |k: u32| alloc::vec![k, (k + 1) % count];
        Extreme {
            edges: Some(ring(count)),
            rings: (0..if dim == 2 { count } else { 0 }).map(side).collect(),
            source,
        }
    };
    if dim == 2 {
        let planar: Vec<[f64; 2]> = points.iter().map(|&[x, y, _]| [x, y]).collect();
        return Some(match hull::convex_hull_2(&planar).ok()? {
            PlanarHull::Point(i) => few(alloc::vec![i]),
            PlanarHull::Segment(i, j) => few(alloc::vec![i, j]),
            PlanarHull::Polygon(corners) => around(corners),
        });
    }
    Some(match hull::convex_hull_3(points).ok()? {
        SpatialHull::Point(i) => few(alloc::vec![i]),
        SpatialHull::Segment(i, j) => few(alloc::vec![i, j]),
        SpatialHull::Polygon { ring: corners } => around(corners),
        SpatialHull::Polyhedron(mesh) => {
            let number = |corner: &u32| mesh.vertices.partition_point(|id| id < corner) as u32;
            let numbered = |face: &Vec<u32>| face.iter().map(number).collect();
            Extreme {
                rings: mesh.faces.iter().map(numbered).collect(),
                edges: Some(mesh.neighbours),
                source: mesh.vertices,
            }
        }
    })
}

impl<V: Vector> Support<V> for Polytope<V> {
    #[inline(always)]
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        self.hull.support(direction, hint)
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        self.hull.core()
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.hull.vertex(id)
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.hull.highest_vertices(direction, error, slack, found)
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        self.hull.vertices_near(direction, id, margin, visit)
    }
}
