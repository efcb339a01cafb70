//! The hull of points in space: quickhull with conflict lists, decided exactly.
//!
//! Invariants of [`Surface`]: the live triangles form a closed, outward, weakly convex triangulation without flat
//! triangles; every point that is strictly outside the surface is in the list of exactly one live triangle, which
//! sees it strictly. Points found on or inside the surface are dropped for good, because the hull only grows.
//!
//! Why strict visibility suffices: let a point p be in the plane of a triangle G and beyond its edge e. Then p is
//! strictly above the facet on the other side of e, so e is on the horizon and the new triangle (e, p) extends G's
//! facet. It is not flat: a p on the line of e would be in the plane of the visible triangle at e. Around a vertex
//! the normals form a convex cone, of which the strictly visible ones are an open half, so the visible triangles form
//! one disc and the horizon is one simple cycle.
//!
//! Indexing: `corners` are points, `across` and the lists are made here and stay within their vectors.

use super::HullError;
use super::cloud::{Cloud, SHADOWS};
use super::cone::HorizonCone;
use super::facets::{HullMesh, merge};
use super::planar::{PlanarHull, convex_hull_2};
use super::triangle::HullTriangle;
use crate::math::triple::{cross, subtract};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Up to this many triangles around a new corner are tried one by one; beyond, [`HorizonCone`] bisects. Either gives the same
/// hull. The 50000-sided prism of tests/hull takes 0.5 s for any value from 8 to 256, and 5.7 s without bisection.
const SCAN_MAX: usize = 32;

/// No triangle, or no point.
const NONE: u32 = u32::MAX;

/// The convex hull of points in space, by indices into the input. Where points coincide, the lowest index stands for
/// all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpatialHull {
    /// All points coincide.
    Point(u32),
    /// All points lie on one line; the two ends, in lexicographic order of their coordinates.
    Segment(u32, u32),
    /// All points lie in one plane.
    Polygon {
        /// Three or more strictly convex corners, in order along the boundary; which side sees them counter-clockwise
        /// is not specified.
        ring: Vec<u32>,
    },
    /// The points span space.
    Polyhedron(HullMesh),
}

/// Returns the convex hull of a point set in space, decided exactly.
///
/// Shapes: `points` is `[n]`, n ≥ 1, any order; duplicates and points that are not corners are dropped; each facet is
/// one polygon.
/// # Accuracy    exact for every finite input: the corners, edges and facets are those of the true hull, without
/// tolerance.
/// # Errors      [`HullError::Empty`], [`HullError::NotFinite`], [`HullError::TooManyPoints`].   # Panics  never.
/// # Complexity  O(n log n) time as a rule, O(n) memory; a test is a few flops unless a point is within rounding of a
/// plane.
/// # Examples
/// ```
/// use gjk::hull::{convex_hull_3, SpatialHull};
/// let points: Vec<[f64; 3]> = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9].map(f64::from)).collect();
/// let Ok(SpatialHull::Polyhedron(cube)) = convex_hull_3(&points) else { panic!() };
/// assert_eq!(cube.vertices, [0, 2, 6, 8, 18, 20, 24, 26]);
/// assert_eq!(cube.faces.len(), 6);
/// ```
/// # Source      Barber, Dobkin, Huhdanpaa 1996; exact signs and the late merge of coplanar triangles are ours.
pub fn convex_hull_3(points: &[[f64; 3]]) -> Result<SpatialHull, HullError> {
    let cloud = Cloud::new(points)?;
    Ok(match seed(&cloud) {
        Seed::Point(i) => SpatialHull::Point(i),
        Seed::Segment(i, j) => SpatialHull::Segment(i, j),
        Seed::Flat(triangle) => flat_hull(&cloud, triangle)?,
        Seed::Solid(corners) => {
            let mut surface = Surface::new(&cloud, corners);
            while let Some(triangle) = surface.pending.pop() {
                surface.expand(triangle);
            }
            SpatialHull::Polyhedron(merge(&cloud, &surface.triangles))
        }
    })
}

/// What the points span, and independent points that show it.
enum Seed {
    Point(u32),
    Segment(u32, u32),
    Flat([u32; 3]),
    Solid([u32; 4]),
}

fn seed(cloud: &Cloud<'_, 3>) -> Seed {
    let all = 1..cloud.len();
    let (first, last) = all.clone().fold((0, 0), |(low, high), i| {
        (
            if cloud.compare(i, low).is_lt() {
                i
            } else {
                low
            },
            if cloud.compare(i, high).is_gt() {
                i
            } else {
                high
            },
        )
    });
    if cloud.compare(first, last).is_eq() {
        return Seed::Point(first);
    }
    let base = cloud.scaled(first);
    let along = subtract(cloud.scaled(last), base);
    let width = |i: u32| {
        let n = cross(along, subtract(cloud.scaled(i), base));
        n[0].abs().max(n[1].abs()).max(n[2].abs())
    };
    let Some(third) = best(cloud, width, |i| !cloud.collinear(first, last, i)) else {
        return Seed::Segment(first, last);
    };
    let plane = cloud.plane([first, last, third]);
    let Some(fourth) = best(
        cloud,
        |i| cloud.height(&plane, i).abs(),
        |i| cloud.above([first, last, third], i).is_ne(),
    ) else {
        return Seed::Flat([first, last, third]);
    };
    Seed::Solid([first, last, third, fourth])
}

/// A point that is `valid`: the one of the largest float `size` if it is, else the first. The lowest index among
/// equals.
fn best(
    cloud: &Cloud<'_, 3>,
    size: impl Fn(u32) -> f64,
    valid: impl Fn(u32) -> bool,
) -> Option<u32> {
    let (mut top, mut top_size) = (0, size(0));
    for i in 1..cloud.len() {
        let s = size(i);
        if s > top_size || (s == top_size && cloud.compare(i, top).is_gt()) {
            (top, top_size) = (i, s);
        }
    }
    if valid(top) {
        Some(top)
    } else {
        (0..cloud.len()).find(|&i| valid(i))
    }
}

/// The hull of points in the plane of `corners`, through a shadow in which the triangle is not flat: the shadow is
/// then one-to-one.
fn flat_hull(cloud: &Cloud<'_, 3>, [a, b, c]: [u32; 3]) -> Result<SpatialHull, HullError> {
    let base = cloud.scaled(a);
    let normal = cross(
        subtract(cloud.scaled(b), base),
        subtract(cloud.scaled(c), base),
    )
    .map(f64::abs);
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| normal[j].total_cmp(&normal[i]));
    let usable = axes
        .into_iter()
        .find(|&k| cloud.turn(SHADOWS[k], a, b, c).is_ne());
    let [u, v] = SHADOWS[usable.unwrap_or(2)]; // `a`, `b`, `c` are not collinear, so one shadow is usable
    let shadow: Vec<[f64; 2]> = cloud.points.iter().map(|p| [p[u], p[v]]).collect();
    Ok(match convex_hull_2(&shadow)? {
        PlanarHull::Point(i) => SpatialHull::Point(i),
        PlanarHull::Segment(i, j) => SpatialHull::Segment(i, j),
        PlanarHull::Polygon(ring) => SpatialHull::Polygon { ring },
    })
}

/// A horizon edge, as the visible triangle runs it, and the hidden triangle beyond.
#[derive(Clone, Copy)]
struct HorizonEdge {
    from: u32,
    to: u32,
    hidden: u32,
}

struct Surface<'a> {
    cloud: &'a Cloud<'a, 3>,
    triangles: Vec<HullTriangle>,
    free: Vec<u32>,
    /// Triangles that may have outside points.
    pending: Vec<u32>,
    /// Links of the outside lists.
    next: Vec<u32>,
    /// For a corner of the horizon, the new triangle that starts there.
    starting: Vec<u32>,
    searches: u32,
    visible: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    orphans: Vec<u32>,
    fresh: Vec<u32>,
}

impl<'a> Surface<'a> {
    /// A tetrahedron, with the other points in its lists.
    fn new(cloud: &'a Cloud<'a, 3>, [a, b, c, d]: [u32; 4]) -> Self {
        let n = cloud.points.len();
        let mut surface = Self {
            cloud,
            triangles: Vec::new(),
            free: Vec::new(),
            pending: Vec::new(),
            next: alloc::vec![NONE; n],
            starting: alloc::vec![NONE; n],
            searches: 0,
            visible: Vec::new(),
            horizon: Vec::new(),
            orphans: Vec::new(),
            fresh: Vec::new(),
        };
        let (b, c) = if cloud.above([a, b, c], d).is_lt() {
            (b, c)
        } else {
            (c, b)
        };
        surface.insert([a, b, c], [3, 2, 1]);
        surface.insert([a, c, d], [0, 2, 3]);
        surface.insert([c, b, d], [0, 3, 1]);
        surface.insert([b, a, d], [0, 1, 2]);
        surface.fresh = alloc::vec![0, 1, 2, 3];
        surface.orphans = (0..cloud.len())
            .filter(|i| ![a, b, c, d].contains(i))
            .collect();
        surface.distribute();
        surface
    }

    fn insert(&mut self, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let triangle = HullTriangle {
            corners,
            across,
            plane: self.cloud.plane(corners),
            first: NONE,
            far: NONE,
            far_height: 0.0,
            live: true,
            search: 0,
            visible: false,
        };
        match self.free.pop() {
            Some(id) => {
                self.triangles[id as usize] = triangle;
                id
            }
            None => {
                self.triangles.push(triangle);
                (self.triangles.len() - 1) as u32 // a surface on n corners has 2n − 4 triangles
            }
        }
    }

    /// Adds the farthest outside point of a triangle to the hull, if it has one.
    fn expand(&mut self, triangle: u32) {
        let HullTriangle {
            live: true,
            far: apex,
            ..
        } = self.triangles[triangle as usize]
        else {
            return;
        };
        if apex == NONE {
            return;
        }
        self.find_visible(triangle, apex);
        if !self.horizon_is_closed() {
            debug_assert!(false, "exact signs always give a closed horizon");
            self.forget(triangle, apex);
            return;
        }
        self.orphans.clear();
        for k in 0..self.visible.len() {
            let id = self.visible[k];
            let old = &mut self.triangles[id as usize];
            old.live = false;
            let mut i = old.first;
            while i != NONE {
                if i != apex {
                    self.orphans.push(i);
                }
                i = self.next[i as usize];
            }
        }
        self.close_cone(apex);
        self.free.append(&mut self.visible);
        self.distribute();
    }

    /// Fills `visible` with the triangles that see `apex` strictly, and `horizon` with the edges around them.
    fn find_visible(&mut self, start: u32, apex: u32) {
        self.searches += 1;
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(start);
        self.triangles[start as usize].search = self.searches;
        self.triangles[start as usize].visible = true;
        let mut done = 0;
        while let Some(&id) = self.visible.get(done) {
            done += 1;
            let HullTriangle {
                corners, across, ..
            } = self.triangles[id as usize];
            for k in 0..3 {
                let other = &mut self.triangles[across[k] as usize];
                if other.search != self.searches {
                    other.search = self.searches;
                    other.visible = other.sees(self.cloud, apex);
                    if other.visible {
                        self.visible.push(across[k]);
                    }
                }
                if !other.visible {
                    self.horizon.push(HorizonEdge {
                        from: corners[k],
                        to: corners[(k + 1) % 3],
                        hidden: across[k],
                    });
                }
            }
        }
    }

    /// Whether each corner of the horizon starts one edge and ends one. Marks the starts, and wipes the marks.
    fn horizon_is_closed(&mut self) -> bool {
        let mut closed = true;
        for edge in &self.horizon {
            let mark = &mut self.starting[edge.from as usize];
            closed &= *mark == NONE;
            *mark = 0;
        }
        closed &= self
            .horizon
            .iter()
            .all(|edge| self.starting[edge.to as usize] == 0);
        for edge in &self.horizon {
            self.starting[edge.from as usize] = NONE;
        }
        closed
    }

    /// Joins every horizon edge to the apex by a new triangle and links the triangles to their neighbours.
    fn close_cone(&mut self, apex: u32) {
        self.fresh.clear();
        for k in 0..self.horizon.len() {
            let HorizonEdge { from, to, hidden } = self.horizon[k];
            let id = self.insert([from, to, apex], [hidden, NONE, NONE]);
            let neighbour = &mut self.triangles[hidden as usize];
            for slot in 0..3 {
                if neighbour.corners[slot] == to && neighbour.corners[(slot + 1) % 3] == from {
                    neighbour.across[slot] = id;
                }
            }
            self.starting[from as usize] = id;
            self.fresh.push(id);
        }
        for k in 0..self.horizon.len() {
            let (id, after) = (self.fresh[k], self.starting[self.horizon[k].to as usize]);
            self.triangles[id as usize].across[1] = after;
            self.triangles[after as usize].across[2] = id;
        }
        for edge in &self.horizon {
            self.starting[edge.from as usize] = NONE;
        }
    }

    /// Gives each orphan to a fresh triangle that sees it strictly; an orphan that none sees is inside or on the hull.
    fn distribute(&mut self) {
        let Self {
            cloud,
            triangles,
            fresh,
            orphans,
            next,
            pending,
            ..
        } = self;
        let large = fresh.len() > SCAN_MAX && orphans.len() > SCAN_MAX;
        let cone = if large {
            HorizonCone::new(cloud, triangles, fresh)
        } else {
            None
        };
        for &i in orphans.iter() {
            let seeing = match &cone {
                Some(cone) => cone.seeing(cloud, triangles, i),
                None => fresh
                    .iter()
                    .copied()
                    .find(|&id| triangles[id as usize].sees(cloud, i)),
            };
            let Some(id) = seeing else { continue };
            let triangle = &mut triangles[id as usize];
            next[i as usize] = triangle.first;
            triangle.first = i;
            let height = cloud.height(&triangle.plane, i);
            let order = height.total_cmp(&triangle.far_height);
            if triangle.far == NONE || order.then_with(|| prefer(cloud, i, triangle.far)).is_gt() {
                (triangle.far, triangle.far_height) = (i, height);
            }
        }
        orphans.clear();
        pending.extend(
            fresh
                .drain(..)
                .filter(|&id| triangles[id as usize].first != NONE),
        );
    }

    /// Drops one outside point; the last resort that keeps the loop finite.
    fn forget(&mut self, triangle: u32, apex: u32) {
        let mut i = core::mem::replace(&mut self.triangles[triangle as usize].first, NONE);
        self.triangles[triangle as usize].far = NONE;
        while i != NONE {
            if i != apex {
                self.orphans.push(i);
            }
            i = self.next[i as usize];
        }
        self.fresh.clear();
        self.fresh.push(triangle);
        self.distribute();
    }
}

/// Among points of equal height: the lexicographically greatest is a corner of their sheet; of coinciding ones, the
/// lowest index.
fn prefer(cloud: &Cloud<'_, 3>, i: u32, j: u32) -> Ordering {
    cloud.compare(i, j).then(j.cmp(&i))
}
