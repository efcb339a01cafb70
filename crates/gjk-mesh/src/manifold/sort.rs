//! What of a mesh the contact of a triangle belongs to: its face, an edge or a vertex.
//!
//! Idea: a normal is one that the surface has at an edge if it is between those of the two faces, and at a vertex if no edge goes towards it: the Voronoi regions. A contact whose normal is in none of them comes of a cut that
//! the surface does not have. Of bodies that are apart it is dropped: a neighbour is nearer. Of bodies in contact it belongs to the face whose normal is nearest to it.

use super::answer::MeshSides;
use crate::body::PosedBody;
use crate::flat::{CornerKind, EdgeKind, FlatFaces};
use crate::in_place::InPlace;
use crate::signs::{Point, Triangle};
use crate::topology::Topology;
use crate::triangles::nearest;
use crate::vector::{cross, dot, minus, times, unit};
use gjk::query::{Contact, Verdict};
use gjk::{Vec3, Vector};
use std::collections::BTreeMap;

/// Normals within this sine are one, and one is within a Voronoi region if it is by as much. Contacts of polytopes have normals of a few roundings, those of smooth bodies of their root. It chooses, and proves nothing.
const CONE_SINE: f64 = 1e-6;

/// A point within this part of a triangle's longest edge is on it. It chooses, and proves nothing.
const COVERED: f64 = 1e-9;

/// A triangle and its contact with the body.
pub(super) type NearContact = (u32, Contact<Vec3<f64>>);

/// A mesh, as a body meets it.
pub(super) struct Surface<'m> {
    pub(super) body: &'m PosedBody<'m>,
    pub(super) mesh: InPlace<'m>,
    pub(super) flat: &'m FlatFaces,
    topology: &'m Topology,
    pub(super) front_only: bool,
    /// The body's.
    center: Point,
}

/// What bears.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    /// The faces by their first triangles.
    pub(super) faces: BTreeMap<u32, FaceBearing>,
    /// The edges, with the contact that told, of the deepest.
    pub(super) edges: BTreeMap<u32, NearContact>,
    pub(super) vertices: BTreeMap<u32, NearContact>,
}

/// How a face bears.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceBearing {
    pub(super) normal: Point,
    /// A triangle's contact has this normal. Else it has one that the surface does not have, and the face bears if the body is deepest over it.
    pub(super) told: bool,
}

/// The highest corners of a triangle along a normal.
enum Highest {
    Vertex(usize),
    /// By its first corner.
    Edge(usize),
    Face,
}

impl<'m> Surface<'m> {
    pub(super) fn new(body: &'m PosedBody<'m>, sides: MeshSides, center: Vec3<f64>) -> Self {
        let mesh = body.in_place(false);
        Self {
            body,
            flat: mesh.mesh.flat(),
            topology: mesh.mesh.topology(),
            mesh,
            front_only: body.is_solid() || sides == MeshSides::Front,
            center: center.to_f64(),
        }
    }

    /// The outward unit normal of a triangle's face in the world.
    pub(super) fn normal(&self, triangle: u32) -> Option<Point> {
        let [x, y, z] = self.flat.normal(triangle)?;
        let normal = self.body.normal_in_world(Vec3::new(x, y, z), true)?;
        // A pose that mirrors turns normals with the surface.
        let inside_out = self.body.is_reversed(true);
        Some(if inside_out {
            times(normal, -1.0)
        } else {
            normal
        })
    }

    /// Whether the body's centre is on the side of a triangle's plane that a normal points to.
    pub(super) fn is_before(&self, triangle: u32, normal: Point) -> bool {
        dot(normal, minus(self.center, self.mesh.corners(triangle)[0])) >= 0.0
    }

    /// What bears by the contacts of these triangles.
    pub(super) fn sorted(&self, near: &[NearContact]) -> Sorted {
        let mut sorted = Sorted::default();
        for found in near {
            self.sort(found, near, &mut sorted);
        }
        sorted
    }

    fn sort(&self, found: &NearContact, near: &[NearContact], sorted: &mut Sorted) {
        let (triangle, contact) = *found;
        let Some(normal) = self.normal(triangle) else {
            return;
        };
        let along = contact.normal.to_f64();
        match highest(&self.mesh.corners(triangle), along) {
            _ if is_one(along, normal) => self.add_face(triangle, normal, true, sorted),
            _ if is_one(along, times(normal, -1.0)) => {
                if !self.front_only {
                    self.add_face(triangle, times(normal, -1.0), true, sorted);
                }
            }
            Highest::Face => {}
            Highest::Edge(k) => {
                let edge = self.topology.edges_of(triangle)[k];
                match self.at_edge(edge, along) {
                    Some(true) if !self.is_covered(found, near) => {
                        deeper(&mut sorted.edges, edge, found);
                    }
                    Some(false) => {}
                    Some(true) | None => {
                        self.replaced(found, self.topology.uses(edge).iter().map(|x| x.2), sorted)
                    }
                }
            }
            Highest::Vertex(k) => {
                let vertex = self.mesh.mesh.triangles()[triangle as usize][k];
                if self.at_vertex(vertex, along) && !self.is_covered(found, near) {
                    deeper(&mut sorted.vertices, vertex, found);
                } else {
                    self.replaced(found, self.topology.around(vertex), sorted);
                }
            }
        }
    }

    fn add_face(&self, triangle: u32, normal: Point, told: bool, sorted: &mut Sorted) {
        let face = self.flat.face_of(triangle);
        let own = FaceBearing { normal, told };
        let known = sorted.faces.entry(face).or_insert(own);
        // A body that is in a face from both sides is on that of its centre.
        let is_other = dot(known.normal, normal) < 0.0 && self.is_before(triangle, normal);
        if told && (!known.told || is_other) {
            *known = own;
        }
    }

    /// A contact that the surface does not have belongs to its own face, if that is the one beside it that faces the body most.
    fn replaced(
        &self,
        found: &NearContact,
        beside: impl Iterator<Item = u32>,
        sorted: &mut Sorted,
    ) {
        let (triangle, contact) = *found;
        if contact.verdict == Verdict::Separated {
            return;
        }
        let Some(mut normal) = self.normal(triangle) else {
            return;
        };
        if !self.is_before(triangle, normal) {
            if self.front_only {
                return;
            }
            normal = times(normal, -1.0);
        }
        let along = contact.normal.to_f64();
        let own = dot(normal, along);
        let face = self.flat.face_of(triangle);
        let faces_more = |other: u32| {
            let is_other = self.flat.face_of(other) != face;
            is_other
                && self
                    .normal(other)
                    .is_some_and(|n| dot(n, along) > own + CONE_SINE)
        };
        let mut beside = beside;
        if !beside.any(faces_more) {
            self.add_face(triangle, normal, false, sorted);
        }
    }

    /// The kind of an edge as seen from outside.
    fn kind(&self, edge: u32) -> EdgeKind {
        match self.flat.kind(edge) {
            EdgeKind::Ridge if self.body.is_reversed(true) => EdgeKind::Valley,
            EdgeKind::Valley if self.body.is_reversed(true) => EdgeKind::Ridge,
            kind => kind,
        }
    }

    /// Whether an edge of a triangle is a valley from the side of its face that a normal points to.
    pub(super) fn is_valley(&self, edge: u32, triangle: u32, normal: Point) -> bool {
        let is_front = self.normal(triangle).is_some_and(|n| dot(n, normal) > 0.0);
        match self.kind(edge) {
            EdgeKind::Valley => is_front,
            EdgeKind::Ridge => !is_front,
            EdgeKind::Level | EdgeKind::Border => false,
        }
    }

    /// Whether an edge bears along a normal: `None` where the normal is not one that the surface has there.
    fn at_edge(&self, edge: u32, along: Point) -> Option<bool> {
        let kind = self.kind(edge);
        let bears = match kind {
            EdgeKind::Level => false,
            EdgeKind::Valley => !self.front_only,
            EdgeKind::Ridge | EdgeKind::Border => true,
        };
        if !bears {
            return None;
        }
        let uses = self.topology.uses(edge);
        let ends = self.topology.ends(edge).map(|v| self.mesh.vertex(v));
        let line = unit(minus(ends[1], ends[0]))?;
        for &(_, _, triangle) in uses {
            let corners = self.mesh.corners(triangle);
            let k = self
                .topology
                .edges_of(triangle)
                .iter()
                .position(|&e| e == edge)?;
            let towards = minus(corners[(k + 2) % 3], ends[0]);
            let inward = minus(towards, times(line, dot(line, towards)));
            // A triangle without an area is the edge.
            let Some(inward) = unit(inward) else {
                continue;
            };
            if dot(inward, along) >= -CONE_SINE {
                return None;
            }
            let is_behind = || {
                self.normal(triangle)
                    .is_some_and(|n| dot(n, along) < -CONE_SINE)
            };
            if self.front_only && kind == EdgeKind::Border && is_behind() {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the point of a contact, at an edge or a vertex of its triangle, is within the plane of another triangle that has it: at a T-junction, where vertices are not shared.
    fn is_covered(&self, (triangle, contact): &NearContact, near: &[NearContact]) -> bool {
        let Some(normal) = self.normal(*triangle) else {
            return false;
        };
        let face = self.flat.face_of(*triangle);
        let point = contact.point_a.to_f64();
        near.iter().any(|&(other, _)| {
            let is_level = self.flat.face_of(other) != face
                && self.normal(other).is_some_and(|n| is_one(n, normal));
            is_level && {
                let corners = self.mesh.corners(other);
                let edges = [0, 1, 2].map(|k| minus(corners[(k + 1) % 3], corners[k]));
                let longest = edges.map(|e| dot(e, e)).into_iter().fold(0.0, f64::max);
                nearest(point, &corners).distance.upper <= COVERED * longest.sqrt()
            }
        })
    }

    /// Whether a vertex bears along a normal.
    fn at_vertex(&self, vertex: u32, along: Point) -> bool {
        if self.flat.corner(vertex) != CornerKind::Corner {
            return false;
        }
        let at = self.mesh.vertex(vertex);
        let mut mean = 0.0;
        for triangle in self.topology.around(vertex) {
            let ring = self.mesh.mesh.triangles()[triangle as usize];
            for other in ring.into_iter().filter(|&v| v != vertex) {
                let edge = unit(minus(self.mesh.vertex(other), at));
                if edge.is_none_or(|edge| dot(edge, along) >= -CONE_SINE) {
                    return false;
                }
            }
            mean += self.normal(triangle).map_or(0.0, |n| dot(n, along));
        }
        !self.front_only || mean >= 0.0
    }
}

/// Keeps the deepest contact of each.
fn deeper(known: &mut BTreeMap<u32, NearContact>, key: u32, found: &NearContact) {
    let slot = known.entry(key).or_insert(*found);
    if found.1.signed_distance.upper < slot.1.signed_distance.upper {
        *slot = *found;
    }
}

/// Whether two unit vectors are one but for rounding.
pub(super) fn is_one(a: Point, b: Point) -> bool {
    let across = cross(a, b);
    dot(a, b) > 0.0 && dot(across, across) <= CONE_SINE * CONE_SINE
}

fn highest(corners: &Triangle, along: Point) -> Highest {
    let heights = corners.map(|p| dot(along, minus(p, corners[0])));
    let top = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let is_high = [0, 1, 2].map(|k: usize| {
        let best = (0..3).find(|&i| heights[i] == top).unwrap_or(0);
        let step = minus(corners[k], corners[best]);
        top - heights[k] <= CONE_SINE * dot(step, step).sqrt()
    });
    match is_high {
        [true, true, true] => Highest::Face,
        [true, true, false] => Highest::Edge(0),
        [false, true, true] => Highest::Edge(1),
        [true, false, true] => Highest::Edge(2),
        [true, ..] => Highest::Vertex(0),
        [_, true, _] => Highest::Vertex(1),
        _ => Highest::Vertex(2),
    }
}
