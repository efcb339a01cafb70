//! The proof that a closed polygon mesh is the boundary of a convex polyhedron, or the worst reason why it is not.
//!
//! Idea, and why it is a proof. Let H be the exact hull of the welded vertices. Checked, each exactly:
//! 1. Every edge is run once either way, so the faces form a cycle (their boundaries cancel).
//! 2. Every face is planar, turns one way, and turns once: it is a convex polygon. Faces of zero area cover nothing
//!    and are passed over.
//! 3. The plane of every face has all of H on the same side, the inner one. A corner of H on the plane whose
//!    neighbours along the edges of H are all on the inner side shows that, because a linear function on a convex
//!    polytope has no other local maximum than the global.
//! 4. One face only has an edge from a chosen corner a of H along a chosen edge a b of H.
//!
//! By 3 all faces lie in the surface of H and face outward. A cycle in a sphere covers all its points equally often, k
//! times, if nothing is counted negatively; at the edge of 4 there is one face for each layer, so k = 1. Hence the
//! faces tile the surface of H. Conversely a mesh that tiles the surface of a convex polyhedron passes every step.
//!
//! Source: compare Mehlhorn and others, "Checking geometric programs or verification of geometric structures", Comput.
//! Geom. 12, 1999. We differ: they need an interior point and a ray; a thin mesh may have no interior point with float
//! coordinates.

use super::cloud::{Cloud, Plane, SHADOWS};
use super::facets::HullMesh;
use super::mesh::{EdgeKind, EdgeUse, independent, mesh_volume, sorted_edges, weld, welded_ring};
use super::spatial::{SpatialHull, convex_hull_3};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Why a mesh is not the boundary of a convex polyhedron.
///
/// Vertices are indices into the input, the lowest one of a position; faces are indices into the input. A `depth` is
/// a float estimate in the caller's unit, however small; that it is not zero was decided exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConvexityError {
    /// There are no faces.
    Empty,
    /// More than 2³¹ − 1 vertices or corners.
    TooLarge,
    /// A face has a corner that does not exist.
    IndexOutOfRange {
        /// The face.
        face: usize,
        /// The index that it uses.
        index: u32,
    },
    /// A coordinate that a face uses is infinite or not a number.
    NotFinite {
        /// The vertex.
        vertex: u32,
        /// The coordinate: 0 is x, 1 is y, 2 is z.
        axis: usize,
    },
    /// Only one face has this edge.
    OpenEdge {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
    /// Three or more faces have this edge.
    NonManifoldEdge {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
        /// How many faces have it.
        faces: usize,
    },
    /// Two faces run this edge the same way: they disagree on inside and outside.
    InconsistentOrientation {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
    /// All vertices lie in one plane: the mesh encloses nothing.
    Flat,
    /// A face is not planar; the worst one.
    NonPlanarFace {
        /// The face.
        face: usize,
        /// Its corner that is farthest from its plane.
        vertex: u32,
        /// How far.
        depth: f64,
    },
    /// A planar face is not a convex polygon: its boundary turns both ways, doubles back or winds twice.
    NonConvexFace {
        /// The face.
        face: usize,
        /// A corner where it shows.
        vertex: u32,
    },
    /// The two faces at an edge form a valley; the worst one.
    ReflexEdge {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
        /// How far a corner of one face is outside of the other.
        depth: f64,
    },
    /// No edge is a valley, and yet a vertex is outside of a face: the surface folds back or winds about a vertex
    /// more than once.
    VertexOutsideFace {
        /// The vertex.
        vertex: u32,
        /// The face.
        face: usize,
        /// How far the vertex is outside of the face's plane.
        depth: f64,
    },
    /// Every face supports the hull, but together they cover it more than once.
    MultipleCover {
        /// How often.
        layers: usize,
    },
}

impl core::fmt::Display for ConvexityError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => f.write_str("the mesh has no faces"),
            Self::TooLarge => f.write_str("the mesh has more than 2147483647 vertices or corners"),
            Self::IndexOutOfRange { face, index } => {
                write!(f, "face {face}: there is no vertex {index}")
            }
            Self::NotFinite { vertex, axis } => write!(
                f,
                "vertex {vertex}: coordinate {axis} is not a finite number"
            ),
            Self::OpenEdge { a, b } => write!(
                f,
                "edge {a}-{b}: only one face has it, so the mesh is not closed"
            ),
            Self::NonManifoldEdge { a, b, faces } => {
                write!(f, "edge {a}-{b}: {faces} faces share it instead of two")
            }
            Self::InconsistentOrientation { a, b } => {
                write!(
                    f,
                    "edge {a}-{b}: its two faces are wound against each other"
                )
            }
            Self::Flat => {
                f.write_str("all vertices lie in one plane, so the mesh encloses nothing")
            }
            Self::NonPlanarFace {
                face,
                vertex,
                depth,
            } => {
                write!(
                    f,
                    "face {face}: its corner {vertex} is {depth:e} off its plane"
                )
            }
            Self::NonConvexFace { face, vertex } => {
                write!(
                    f,
                    "face {face}: it is not a convex polygon at its corner {vertex}"
                )
            }
            Self::ReflexEdge { a, b, depth } => write!(f, "edge {a}-{b}: a valley, {depth:e} deep"),
            Self::VertexOutsideFace {
                vertex,
                face,
                depth,
            } => {
                write!(f, "vertex {vertex}: {depth:e} outside of face {face}")
            }
            Self::MultipleCover { layers } => {
                write!(f, "the faces cover the surface {layers} times")
            }
        }
    }
}

impl core::error::Error for ConvexityError {}

/// Proves exactly that a polygon mesh is the boundary of a convex polyhedron, or says why not.
///
/// Shapes: `vertices` is `[n]`, `faces` are rings of indices into it, all counter-clockwise seen from outside or all
/// clockwise. Vertices at exactly equal positions are one; collinear corners, coplanar faces, faces of zero area and
/// unused vertices are allowed.
/// # Accuracy    exact for every finite input; no tolerance. Rounded quads are rarely planar: split them, or use the
/// `depth`.
/// # Errors      the first defect of the mesh as such, else the deepest defect of its geometry.   # Panics  never.
/// # Complexity  O((n + m) log(n + m)) as a rule, for m corners.
/// # Examples
/// ```
/// use gjk::hull::{ConvexityError, check_convex_mesh};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mut faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]];
/// assert_eq!(check_convex_mesh(&corners, &faces), Ok(()));
/// faces.pop();
/// assert_eq!(check_convex_mesh(&corners, &faces), Err(ConvexityError::OpenEdge { a: 0, b: 2 }));
/// ```
/// # Source      the module docs of `hull/validate.rs` have the proof.
pub fn check_convex_mesh(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> Result<(), ConvexityError> {
    let (used, rings) = compact(vertices, faces)?;
    let points: Vec<[f64; 3]> = used.iter().map(|&i| vertices[i as usize]).collect();
    let uses = sorted_edges(&rings);
    check_edges(&uses).map_err(|e| e.renamed(&used))?;
    let cloud = Cloud::new(&points).map_err(|_| ConvexityError::Empty)?; // all else is checked by now
    let mesh = Mesh::new(&cloud, &rings);
    mesh.check_planar()
        .and_then(|()| mesh.check_rings())
        .map_err(|e| e.renamed(&used))?;
    let Ok(SpatialHull::Polyhedron(hull)) = convex_hull_3(&points) else {
        return Err(ConvexityError::Flat);
    };
    mesh.check_tiles(&hull)
        .map_err(|e| mesh.worst_valley(&uses).unwrap_or(e).renamed(&used))
}

/// The welded vertices that faces use, and the faces as rings of positions among them.
fn compact(
    vertices: &[[f64; 3]],
    faces: &[Vec<u32>],
) -> Result<(Vec<u32>, Vec<Vec<u32>>), ConvexityError> {
    const LIMIT: usize = (u32::MAX / 2) as usize;
    if faces.is_empty() {
        return Err(ConvexityError::Empty);
    }
    if vertices.len() > LIMIT
        || faces.len() > LIMIT
        || faces.iter().map(Vec::len).sum::<usize>() > LIMIT
    {
        return Err(ConvexityError::TooLarge);
    }
    let first = weld(vertices);
    let mut position = alloc::vec![u32::MAX; vertices.len()];
    for (face, ring) in faces.iter().enumerate() {
        for &index in ring {
            let Some(point) = vertices.get(index as usize) else {
                return Err(ConvexityError::IndexOutOfRange { face, index });
            };
            if let Some(axis) = point.iter().position(|x| !x.is_finite()) {
                return Err(ConvexityError::NotFinite {
                    vertex: index,
                    axis,
                });
            }
            position[first[index as usize] as usize] = 0;
        }
    }
    let used: Vec<u32> = (0..vertices.len() as u32)
        .filter(|&i| position[i as usize] == 0)
        .collect();
    for (at, &i) in used.iter().enumerate() {
        position[i as usize] = at as u32;
    }
    let to_position: Vec<u32> = first.iter().map(|&i| position[i as usize]).collect();
    let rings = faces
        .iter()
        .map(|ring| welded_ring(ring, &to_position))
        .collect();
    Ok((used, rings))
}

fn check_edges(uses: &[EdgeUse]) -> Result<(), ConvexityError> {
    for uses in uses.chunk_by(|a, b| a.ends == b.ends) {
        let [a, b] = uses[0].ends;
        match EdgeKind::of(uses) {
            EdgeKind::Shared => {}
            EdgeKind::Open => return Err(ConvexityError::OpenEdge { a, b }),
            EdgeKind::Misoriented => return Err(ConvexityError::InconsistentOrientation { a, b }),
            EdgeKind::Nonmanifold => {
                return Err(ConvexityError::NonManifoldEdge {
                    a,
                    b,
                    faces: uses.len(),
                });
            }
        }
    }
    Ok(())
}

/// A face that has an area, in its plane.
#[derive(Clone, Copy)]
struct FacePlane {
    corners: [u32; 3],
    plane: Plane,
}

/// Rings over welded, used vertices; every edge is shared by two of them.
struct Mesh<'a> {
    cloud: &'a Cloud<'a, 3>,
    rings: &'a [Vec<u32>],
    /// `None` for a face of zero area.
    flats: Vec<Option<FacePlane>>,
}

impl<'a> Mesh<'a> {
    fn new(cloud: &'a Cloud<'a, 3>, rings: &'a [Vec<u32>]) -> Self {
        let flat = |ring: &Vec<u32>| {
            independent(cloud, ring).map(|corners| FacePlane {
                corners,
                plane: cloud.plane(corners),
            })
        };
        Self {
            cloud,
            rings,
            flats: rings.iter().map(flat).collect(),
        }
    }

    /// The faces that have an area.
    fn faces(&self) -> impl Iterator<Item = (usize, &'a [u32], &FacePlane)> {
        let faces = self.rings.iter().zip(&self.flats).enumerate();
        faces.filter_map(|(face, (ring, flat))| {
            flat.as_ref().map(|flat| (face, ring.as_slice(), flat))
        })
    }

    fn side(&self, flat: &FacePlane, i: u32) -> Ordering {
        self.cloud.side(
            &flat.plane,
            flat.corners,
            i,
            self.cloud.height(&flat.plane, i),
        )
    }

    fn check_planar(&self) -> Result<(), ConvexityError> {
        let mut worst: Option<(usize, u32, f64)> = None;
        for (face, ring, flat) in self.faces() {
            for &i in ring.iter().filter(|i| !flat.corners.contains(i)) {
                if self.side(flat, i).is_ne() {
                    let depth = self.cloud.distance(&flat.plane, i);
                    if worst.is_none_or(|(_, _, deepest)| depth > deepest) {
                        worst = Some((face, i, depth));
                    }
                }
            }
        }
        worst.map_or(Ok(()), |(face, vertex, depth)| {
            Err(ConvexityError::NonPlanarFace {
                face,
                vertex,
                depth,
            })
        })
    }

    fn check_rings(&self) -> Result<(), ConvexityError> {
        for (face, ring, flat) in self.faces().filter(|(_, ring, _)| ring.len() > 3) {
            if let Some(vertex) = self.bend(ring, flat.corners) {
                return Err(ConvexityError::NonConvexFace { face, vertex });
            }
        }
        Ok(())
    }

    /// A corner at which a planar ring shows that it is no convex polygon; `corners` are three independent ones.
    ///
    /// In a shadow where the ring keeps its area: every turn goes the same way or straight on, and the direction of
    /// travel passes from one half-plane of directions to the other exactly twice, so the ring winds once.
    fn bend(&self, ring: &[u32], [a, b, c]: [u32; 3]) -> Option<u32> {
        let shadow = SHADOWS
            .into_iter()
            .find(|&axes| self.cloud.turn(axes, a, b, c).is_ne())?;
        let sense = self.cloud.turn(shadow, a, b, c);
        let step = |p: u32, q: u32| {
            let (p, q) = (self.cloud.points[p as usize], self.cloud.points[q as usize]);
            shadow.map(|axis| (q[axis] + 0.0).total_cmp(&(p[axis] + 0.0))) // -0 + 0 is 0
        };
        let steps = |p: u32, q: u32| {
            let [u, v] = step(p, q);
            v.then(u).is_gt() // upper half-plane: v rises, or stays while u rises
        };
        let n = ring.len();
        let mut changes = 0;
        for k in 0..n {
            let [p, q, r] = [ring[k], ring[(k + 1) % n], ring[(k + 2) % n]];
            let turn = self.cloud.turn(shadow, p, q, r);
            if turn == sense.reverse() || (turn.is_eq() && step(p, q) != step(q, r)) {
                return Some(q);
            }
            changes += usize::from(steps(p, q) != steps(q, r));
        }
        (changes != 2).then(|| ring[0])
    }

    /// Steps 3 and 4 of the proof: every face supports the hull from the same side, and they cover it once.
    fn check_tiles(&self, hull: &HullMesh) -> Result<(), ConvexityError> {
        let Some((_, _, first)) = self.faces().next() else {
            return Err(ConvexityError::Flat);
        };
        let has = |side: Ordering| hull.vertices.iter().any(|&i| self.side(first, i) == side);
        let inward = has(Ordering::Greater) && (!has(Ordering::Less) || self.seems_inward());
        let outer = if inward {
            Ordering::Less
        } else {
            Ordering::Greater
        };
        let mut top = 0;
        for (face, ring, flat) in self.faces() {
            // A corner of the face is farthest already; that of the fewest neighbours keeps the sum of all checks
            // linear.
            let corners = ring
                .iter()
                .filter_map(|i| hull.vertices.binary_search(i).ok());
            let start = corners
                .min_by_key(|&at| hull.neighbours.of(at).len())
                .unwrap_or(top);
            top = self.climb(hull, flat, outer, start);
            if let Some(vertex) = self.outside(hull, flat, outer, top) {
                let depth = self.cloud.distance(&flat.plane, vertex);
                return Err(ConvexityError::VertexOutsideFace {
                    vertex,
                    face,
                    depth,
                });
            }
        }
        let layers = self.layers(hull, inward);
        if layers == 1 {
            Ok(())
        } else {
            Err(ConvexityError::MultipleCover { layers })
        }
    }

    /// The position of the hull corner farthest on the outer side of a face's plane, in floats.
    fn climb(&self, hull: &HullMesh, flat: &FacePlane, outer: Ordering, start: usize) -> usize {
        let height = |at: usize| {
            let height = self.cloud.height(&flat.plane, hull.vertices[at]);
            if outer.is_gt() { height } else { -height }
        };
        let (mut best, mut best_height) = (start, height(start));
        loop {
            let here = best;
            for &at in hull.neighbours.of(here) {
                let h = height(at as usize);
                if h > best_height {
                    (best, best_height) = (at as usize, h);
                }
            }
            if best == here {
                return best; // the height rises with every step, so the loop ends
            }
        }
    }

    /// A hull corner strictly on the outer side of a face, if there is one; `top` is the likely farthest one.
    fn outside(
        &self,
        hull: &HullMesh,
        flat: &FacePlane,
        outer: Ordering,
        top: usize,
    ) -> Option<u32> {
        let corner = hull.vertices[top];
        let side = self.side(flat, corner);
        if side == outer {
            return Some(corner);
        }
        let is_outside = |i: &u32| self.side(flat, *i) == outer;
        if side.is_eq() {
            // No neighbour is farther, so no corner is.
            return hull
                .neighbours
                .of(top)
                .iter()
                .map(|&at| hull.vertices[at as usize])
                .find(is_outside);
        }
        hull.vertices.iter().copied().find(is_outside)
    }

    /// How many faces have an edge that starts at a hull corner and runs along one hull edge: the layers there.
    fn layers(&self, hull: &HullMesh, inward: bool) -> usize {
        let Some(&[a, b, ..]) = hull.faces.first().map(Vec::as_slice) else {
            return 0;
        };
        let runs_along = |ring: &[u32]| {
            let n = ring.len();
            (0..n).any(|k| {
                let (p, q) = (ring[k], ring[(k + 1) % n]);
                let (from, to) = if inward { (q, p) } else { (p, q) };
                from == a && self.cloud.collinear(a, b, to)
            })
        };
        self.faces().filter(|(_, ring, _)| runs_along(ring)).count()
    }

    /// A guess by the float volume; used to word an error, never to accept.
    fn seems_inward(&self) -> bool {
        mesh_volume(self.cloud.points, self.rings) < 0.0
    }

    /// The deepest edge at which a corner of one face is outside of the other.
    fn worst_valley(&self, uses: &[EdgeUse]) -> Option<ConvexityError> {
        let outer = if self.seems_inward() {
            Ordering::Less
        } else {
            Ordering::Greater
        };
        let mut worst: Option<([u32; 2], f64)> = None;
        for pair in uses.chunk_by(|a, b| a.ends == b.ends) {
            let [one, other] = pair else { continue };
            for (one, other) in [(one, other), (other, one)] {
                let Some(flat) = &self.flats[one.face as usize] else {
                    continue;
                };
                for &i in &self.rings[other.face as usize] {
                    let depth = self.cloud.distance(&flat.plane, i);
                    if worst.is_none_or(|(_, deepest)| depth > deepest)
                        && self.side(flat, i) == outer
                    {
                        worst = Some((one.ends, depth));
                    }
                }
            }
        }
        worst.map(|([a, b], depth)| ConvexityError::ReflexEdge { a, b, depth })
    }
}

impl ConvexityError {
    /// The same error, with vertices named by `names` instead of by position.
    fn renamed(mut self, names: &[u32]) -> Self {
        let rename = |i: &mut u32| *i = names.get(*i as usize).copied().unwrap_or(*i);
        match &mut self {
            Self::OpenEdge { a, b }
            | Self::NonManifoldEdge { a, b, .. }
            | Self::InconsistentOrientation { a, b }
            | Self::ReflexEdge { a, b, .. } => [a, b].into_iter().for_each(rename),
            Self::NonPlanarFace { vertex, .. }
            | Self::NonConvexFace { vertex, .. }
            | Self::VertexOutsideFace { vertex, .. } => {
                rename(vertex);
            }
            _ => {}
        }
        self
    }
}
