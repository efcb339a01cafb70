//! The vertices of a hull, and what finds the highest of them along a direction.
//!
//! Where it sits: below `support/`, which makes it a body, and `shape/`, whose polytope holds one. It knows neither. Read
//! [`HullVertices::highest`].
//! Idea: a loop over the vertices of small hulls (here), a scan by SIMD of larger ones (`scan.rs`), and a climb along the edges
//! of large ones (`climb.rs`). Whichever it is, and on every target, the answer is the lowest id of those that compute highest.

mod centered_sides;
mod climb;
mod facets;
mod rough_facets;
mod scan;
mod sides;

use crate::hull::Neighbours;
use crate::math::{Ring, Scalar, Vector, cross, dot, is_plain_square};
use alloc::boxed::Box;
use alloc::vec::Vec;
use climb::{CLIMB_MIN, Graph};
use scan::Columns;

pub(crate) use centered_sides::CenteredSides;
pub(crate) use climb::ring;
pub(crate) use facets::{FacetLine, Facets, STORED_NORMAL_ROUNDINGS};
pub(crate) use sides::{
    PosedSides, Sides, SidesCrossed, SidesLine, back_along, crossed_by_point, crossed_by_polygon,
};

/// The vertices of a convex hull in its own frame, numbered, with what finds the highest. [`crate::shape::Polytope`] makes them.
#[derive(Clone, Debug, PartialEq)]
pub struct HullVertices<V> {
    points: Vec<V>,
    extent: V,
    center: V,
    search: Option<Box<Search>>,
    facets: Option<Box<Facets>>,
    sides: Option<Box<Sides>>,
}

/// A hull whose highest vertex is found by a scan alone, and a direction in its own frame: two of them are scanned at once.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'h> {
    columns: &'h Columns,
    direction: [f64; 3],
}

impl Scan<'_> {
    /// The ids of the two highest vertices, as [`HullVertices::highest`] finds them.
    #[inline(always)]
    pub(crate) fn both(a: Scan<'_>, b: Scan<'_>) -> [u32; 2] {
        Columns::highest_of_two([a.columns, b.columns], &[a.direction, b.direction])
    }
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

/// A hint that is no vertex.
const NO_HINT: u32 = u32::MAX;

impl<V: Vector> HullVertices<V> {
    /// The vertices of a hull, at least one, its edges if they are known, and the rings of its facets if it has any. In the plane they are in order around it.
    pub(crate) fn new(points: Vec<V>, edges: Option<Neighbours>, rings: &[Vec<u32>]) -> Self {
        let share = V::Scalar::from_f64(1.0 / points.len() as f64);
        let center = points.iter().fold(V::ZERO, |sum, &v| sum + v * share);
        let search = (points.len() > LOOP_MAX).then(|| {
            let columns = Columns::new(V::DIM, points.len(), |i| points[i].to_f64());
            let large = points.len() >= CLIMB_MIN;
            Box::new(Search {
                columns,
                graph: edges
                    .filter(|_| large)
                    .map(|edges| Graph::new(&points, edges)),
            })
        });
        let facets = if rings.is_empty() {
            None
        } else {
            Facets::new(&points, &mut rings.iter().map(Vec::as_slice))
        };
        Self {
            extent: extent(&points),
            center,
            sides: facets
                .as_ref()
                .and_then(|f| Sides::new(&points, f))
                .map(Box::new),
            facets: facets.map(Box::new),
            points,
            search,
        }
    }

    /// The vertices; in the plane in order, counter-clockwise.
    #[inline(always)]
    pub fn points(&self) -> &[V] {
        &self.points
    }

    /// The facets of a hull that is not flat and not large.
    #[inline(always)]
    pub(crate) fn facets(&self) -> Option<&Facets> {
        self.facets.as_deref()
    }

    /// The sides of a polygon that is not flat and has few.
    #[inline(always)]
    pub(crate) fn sides(&self) -> Option<&Sides> {
        self.sides.as_deref()
    }

    /// Per axis, the largest magnitude of a coordinate.
    #[inline(always)]
    pub(crate) fn extent(&self) -> V {
        self.extent
    }

    /// The mean of the vertices.
    #[inline(always)]
    pub(crate) fn center(&self) -> V {
        self.center
    }

    /// The lowest id of the vertices that compute highest along a direction, and the vertex. `hint` is the id of a vertex not far
    /// from it, or any other number: it changes the time, never the answer.
    // Inlined, because a direction that goes through memory waits there longer than a small hull's loop takes.
    #[inline(always)]
    pub(crate) fn highest(&self, direction: V::Wide, hint: u32) -> (u32, V::Wide) {
        match &self.search {
            None => highest_of(&self.points, direction),
            Some(search) => {
                let id = match &search.graph {
                    None => search.columns.highest(direction.to_f64()),
                    Some(graph) => self.climb(search, graph, direction.to_f64(), hint),
                };
                (id, self.points[id as usize].lift())
            }
        }
    }

    /// The largest distance of a vertex from a center, and from an axis through it along a unit vector, each but for roundings. `None` of sizes whose squares are no floats.
    pub(crate) fn farthest(&self, center: V::Wide, axis: [f64; 3]) -> Option<[f64; 2]> {
        let squares = match &self.search {
            Some(search) => search.columns.farthest(center.to_f64(), axis),
            None => self.points.iter().fold([0.0; 2], |[most, across], x| {
                let arm = (x.lift::<V::Wide>() - center).to_f64();
                let off = cross(axis, arm);
                [
                    Scalar::max(most, dot(arm, arm)),
                    Scalar::max(across, dot(off, off)),
                ]
            }),
        };
        is_plain_square(squares[0]).then(|| squares.map(Scalar::sqrt))
    }

    /// Whether the highest vertex is found by a scan alone.
    #[inline(always)]
    pub(crate) fn is_scanned(&self) -> bool {
        matches!(self.search.as_deref(), Some(Search { graph: None, .. }))
    }

    /// What a scan along a direction needs, of a hull that is neither so small nor so large that it is searched in another way.
    #[inline(always)]
    pub(crate) fn scan(&self, direction: V::Wide) -> Option<Scan<'_>> {
        match self.search.as_deref() {
            Some(Search {
                columns,
                graph: None,
            }) => Some(Scan {
                columns,
                direction: direction.to_f64(),
            }),
            _ => None,
        }
    }

    #[inline(never)]
    fn climb(&self, search: &Search, graph: &Graph, direction: [f64; 3], hint: u32) -> u32 {
        let band = climb::band(self.extent.to_f64(), direction);
        let climbed = if band.is_finite() {
            graph.highest(&self.points, direction, band, hint)
        } else {
            None
        };
        climbed.unwrap_or_else(|| search.columns.highest(direction))
    }

    /// The vertices that may be highest when the height of each vertex `x` is `direction · x` give or take `Σ error_k |x_k| +
    /// slack`, perhaps with others: their ids, ascending. `None` where there are few vertices, or more than fit.
    pub(crate) fn all_highest(
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
        let top = self.highest(V::Wide::from_f64(direction), NO_HINT).0;
        let len = match &search.graph {
            Some(graph) => graph.near(&self.points, direction, top, slack, found)?,
            None => {
                let threshold = climb::height(self.points[top as usize], direction) - slack;
                search.columns.above(direction, threshold, found)?
            }
        };
        found[..len].sort_unstable();
        Some(len)
    }

    /// Visits every vertex that is lower along `direction` than vertex `id` by at most `margin`, or higher; perhaps others too.
    pub(crate) fn near(
        &self,
        direction: V::Wide,
        id: u32,
        margin: f64,
        visit: &mut dyn FnMut(u32),
    ) {
        let d = direction.to_f64();
        let height = |id: u32| {
            self.points
                .get(id as usize)
                .map_or(f64::NAN, |&x| climb::height(x, d))
        };
        let floor = height(id) - margin;
        let mut found = [0; 64];
        // All vertices at most `2·slack` below the top are listed.
        let slack = 0.5 * (height(self.highest(direction, id).0) - floor);
        match self.all_highest(d, [0.0; 3], slack, &mut found) {
            Some(len) => found[..len].iter().for_each(|&id| visit(id)),
            // NaN is not below anything.
            None => (0..self.points.len() as u32)
                .filter(|&id| !(height(id) < floor))
                .for_each(visit),
        }
    }
}

/// The lowest id of the points that compute highest along a direction, and the point.
#[inline]
pub(crate) fn highest_of<V: Vector>(points: &[V], direction: V::Wide) -> (u32, V::Wide) {
    let (mut best, mut at) = (points[0].lift::<V::Wide>().dot(direction), 0);
    for (k, point) in points.iter().enumerate().skip(1) {
        let height = point.lift::<V::Wide>().dot(direction);
        // Two choices instead of a branch, which would be mispredicted about as often as a vertex is the highest so far.
        let better = height > best;
        best = if better { height } else { best };
        at = if better { k } else { at };
    }
    (at as u32, points[at].lift())
}

/// Per axis, the largest magnitude of a coordinate.
#[inline(always)]
pub(crate) fn extent<V: Vector>(points: &[V]) -> V {
    V::from_fn(|k| {
        points
            .iter()
            .fold(V::Scalar::ZERO, |m, p| m.max(p.component(k).abs()))
    })
}
