//! Convex polygons and polyhedra: the hull of any point set.

use super::climb::{self, CLIMB_MIN, Graph};
use super::error::{ShapeError, finite};
use super::primitive::{extent, farthest};
use super::scan::Columns;
use crate::hull::{self, HullMesh, Neighbours, PlanarHull, SpatialHull};
use crate::math::{Scalar, Vec2, Vec3, Vector};
use crate::support::{Form, NO_ID, Support, SupportPoint};
use alloc::boxed::Box;
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
/// hull then keeps 8 bytes a coordinate, and 28 bytes a vertex for its edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<V: Vector> {
    vertices: Vec<V>,
    source: Vec<u32>,
    extent: V,
    center: V,
    search: Option<Box<Search>>,
}

/// What finds the highest vertex faster than a loop over them.
#[derive(Clone, Debug, PartialEq)]
struct Search {
    columns: Columns,
    /// Of hulls of [`CLIMB_MIN`] vertices or more.
    graph: Option<Graph>,
}

/// Up to this many vertices a plain loop is as fast as SIMD, which costs some nanoseconds to choose.
const LOOP_MAX: usize = 4;

/// The extreme points of a set, and the edges between them if they were computed.
struct Extreme {
    source: Vec<u32>,
    edges: Option<Neighbours>,
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

    fn from_extreme(points: &[V], Extreme { source, edges }: Extreme) -> Self {
        let vertices: Vec<V> = source.iter().map(|&i| points[i as usize]).collect();
        let share = V::Scalar::from_f64(1.0 / vertices.len() as f64);
        let center = vertices.iter().fold(V::ZERO, |sum, &v| sum + v * share);
        let search = (vertices.len() > LOOP_MAX).then(|| {
            let columns = Columns::new(V::DIM, vertices.len(), |i| vertices[i].to_f64());
            let large = vertices.len() >= CLIMB_MIN;
            Box::new(Search {
                columns,
                graph: edges
                    .filter(|_| large)
                    .map(|edges| Graph::new(&vertices, edges)),
            })
        });
        Self {
            extent: extent(&vertices),
            source,
            center,
            vertices,
            search,
        }
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
    pub fn try_from_mesh(
        points: &[Vec3<T>],
        faces: &[Vec<u32>],
    ) -> Result<Self, hull::ConvexityError> {
        let wide: Vec<[f64; 3]> = points.iter().map(|p| p.to_f64()).collect();
        hull::check_convex_mesh(&wide, faces)?;
        let extreme = extreme_points(3, &wide).unwrap_or(Extreme {
            source: Vec::new(),
            edges: None,
        });
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

/// The extreme points: ascending in space, counter-clockwise in the plane; `None` for an empty set.
fn extreme_points(dim: usize, points: &[[f64; 3]]) -> Option<Extreme> {
    let few = |source: Vec<u32>| Extreme {
        source,
        edges: None,
    };
    let ring = |source: Vec<u32>| Extreme {
        edges: Some(climb::ring(source.len() as u32)),
        source,
    };
    if dim == 2 {
        let planar: Vec<[f64; 2]> = points.iter().map(|&[x, y, _]| [x, y]).collect();
        return Some(match hull::convex_hull_2(&planar).ok()? {
            PlanarHull::Point(i) => few(alloc::vec![i]),
            PlanarHull::Segment(i, j) => few(alloc::vec![i, j]),
            PlanarHull::Polygon(corners) => ring(corners),
        });
    }
    Some(match hull::convex_hull_3(points).ok()? {
        SpatialHull::Point(i) => few(alloc::vec![i]),
        SpatialHull::Segment(i, j) => few(alloc::vec![i, j]),
        SpatialHull::Polygon { ring: corners } => ring(corners),
        SpatialHull::Polyhedron(mesh) => Extreme {
            source: mesh.vertices,
            edges: Some(mesh.neighbours),
        },
    })
}

impl<V: Vector> Polytope<V> {
    pub(super) fn support_in<W: Vector>(&self, direction: W) -> SupportPoint<W> {
        self.support_from(direction, NO_ID)
    }

    // Inlined, because a direction that goes through memory waits there longer than a small hull's loop takes.
    #[inline(always)]
    pub(super) fn support_from<W: Vector>(&self, direction: W, hint: u32) -> SupportPoint<W> {
        match &self.search {
            None => farthest(&self.vertices, direction),
            Some(search) => {
                let id = match &search.graph {
                    None => search.columns.highest(direction.to_f64()),
                    Some(graph) => self.climb(search, graph, direction.to_f64(), hint),
                };
                SupportPoint {
                    point: self.vertices[id as usize].lift(),
                    id,
                }
            }
        }
    }

    #[inline(never)]
    fn climb(&self, search: &Search, graph: &Graph, direction: [f64; 3], hint: u32) -> u32 {
        let band = climb::band(self.extent.to_f64(), direction);
        let climbed = if band.is_finite() {
            graph.highest(&self.vertices, direction, band, hint)
        } else {
            None
        };
        climbed.unwrap_or_else(|| search.columns.highest(direction))
    }

    /// See [`Support::highest_vertices`].
    pub(super) fn highest_in(
        &self,
        direction: [f64; 3],
        error: [f64; 3],
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        let search = self.search.as_deref()?;
        let extent = self.extent.to_f64();
        let unknown = slack + (0..3).map(|k| error[k] * extent[k]).sum::<f64>();
        // Twice, since one vertex may be higher and the other lower; the factor covers the rounding of the sums that made it.
        let slack = climb::band(extent, direction) + 2.0 * unknown * (1.0 + 1e-12);
        if !slack.is_finite() {
            return None;
        }
        let top = self.support_from(V::Wide::from_f64(direction), NO_ID).id;
        let len = match &search.graph {
            Some(graph) => graph.near(&self.vertices, direction, top, slack, found)?,
            None => {
                let threshold = climb::height(self.vertices[top as usize], direction) - slack;
                search.columns.above(direction, threshold, found)?
            }
        };
        found[..len].sort_unstable();
        Some(len)
    }
}

impl<V: Vector> Support<V> for Polytope<V> {
    support_in_any_scalar!();
    support_from_any_scalar!();
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.highest_in(direction.to_f64(), error.to_f64(), slack, found)
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        let d = direction.to_f64();
        let height = |id: u32| {
            self.vertices
                .get(id as usize)
                .map_or(f64::NAN, |&x| climb::height(x, d))
        };
        let floor = height(id) - margin;
        let mut found = [0; 64];
        // All vertices at most `2·slack` below the top are listed.
        let slack = 0.5 * (height(self.support_from(direction, id).id) - floor);
        match self.highest_in(d, [0.0; 3], slack, &mut found) {
            Some(len) => found[..len].iter().for_each(|&id| visit(id)),
            // NaN is not below anything.
            None => (0..self.vertices.len() as u32)
                .filter(|&id| !(height(id) < floor))
                .for_each(visit),
        }
    }
    fn vertex_count(&self) -> Option<u32> {
        Some(self.vertices.len() as u32)
    }
    fn vertex(&self, id: u32) -> Option<V> {
        self.vertices.get(id as usize).copied()
    }
    fn hull(&self) -> Option<&Polytope<V>> {
        Some(self)
    }
    fn form(&self) -> Form<'_, V> {
        // The hull of points in the plane is a ring.
        if V::DIM == 2 && self.vertices.len() >= 3 {
            Form::Polygon(&self.vertices)
        } else {
            Form::Other
        }
    }
    fn extent(&self) -> V {
        self.extent
    }
    fn center(&self) -> V {
        self.center
    }
}
