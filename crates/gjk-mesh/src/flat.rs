//! The flat faces of a mesh: triangles of one plane that edges connect, and what kind of edge is between others.
//!
//! Where it sits: built by [`crate::TriMesh`] when first needed, once, in the mesh's own frame. Manifolds ask it.
//! Idea: an edge within a plane bears nothing that its face does not. Which triangles share a plane is a matter of rounding, since files round their vertices; which of two edges is a ridge and which a valley is an
//! exact sign.

use crate::signs::{Point, Triangle, is_flat, side};
use crate::topology::Topology;
use crate::vector::{cross, dot, minus, unit};
use core::cmp::Ordering;

/// How far a corner may be off the plane of its neighbour and count as in it, in roundings of the largest coordinate of both: a vertex of a file is rounded once, or a few times where it was turned; the plane
/// through three of them is off by as much at its corners, and the rest is room.
const FLAT_ROUNDINGS: f64 = 64.0;

/// What is between two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    /// They are of one plane.
    Level,
    /// A ridge, seen from the side from which their corners run counter-clockwise.
    Ridge,
    /// A valley.
    Valley,
    /// There are not two triangles that run it both ways, or one has no area.
    Border,
}

/// What a vertex is to the faces that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CornerKind {
    /// It is within a face.
    Inner,
    /// It is within a straight line of a border of faces.
    Straight,
    /// It is a corner of a face.
    Corner,
}

/// The faces, and the kinds of all edges.
#[derive(Clone, Debug)]
pub(crate) struct FlatFaces {
    /// Of each triangle the first one of its face.
    face_of: Vec<u32>,
    /// The unit normal of each face, at the number of its first triangle; that of its largest triangle. `None` without an area.
    normals: Vec<Option<Point>>,
    kinds: Vec<EdgeKind>,
    corners: Vec<CornerKind>,
}

impl FlatFaces {
    pub(crate) fn new(vertices: &[Point], triangles: &[[u32; 3]], topology: &Topology) -> Self {
        let corners = |k: u32| triangles[k as usize].map(|v| vertices[v as usize]);
        let kinds: Vec<EdgeKind> = (0..topology.edges())
            .map(|edge| kind(topology, edge, &corners))
            .collect();
        let face_of = faces(triangles.len(), topology, &kinds);
        let mut largest: Vec<Option<(f64, Triangle)>> = vec![None; triangles.len()];
        for k in 0..triangles.len() as u32 {
            let slot = &mut largest[face_of[k as usize] as usize];
            let own = (doubled_area(&corners(k)), rotated(corners(k)));
            let is_larger = slot.is_none_or(|(area, other)| {
                let by_corners = || flat_order(&own.1, &other);
                own.0.total_cmp(&area).then_with(by_corners).is_gt()
            });
            if is_larger {
                *slot = Some(own);
            }
        }
        let normal = |slot: Option<(f64, Triangle)>| normal_of(&slot?.1);
        Self {
            face_of,
            normals: largest.into_iter().map(normal).collect(),
            corners: corner_kinds(vertices, topology, &kinds),
            kinds,
        }
    }

    /// The first triangle of a triangle's face.
    pub(crate) fn face_of(&self, triangle: u32) -> u32 {
        self.face_of[triangle as usize]
    }

    /// The unit normal of a triangle's face.
    pub(crate) fn normal(&self, triangle: u32) -> Option<Point> {
        self.normals[self.face_of(triangle) as usize]
    }

    pub(crate) fn kind(&self, edge: u32) -> EdgeKind {
        self.kinds[edge as usize]
    }

    pub(crate) fn corner(&self, vertex: u32) -> CornerKind {
        self.corners[vertex as usize]
    }
}

fn kind(topology: &Topology, edge: u32, corners: &impl Fn(u32) -> Triangle) -> EdgeKind {
    let &[(_, forward, one), (_, other_forward, other)] = topology.uses(edge) else {
        return EdgeKind::Border;
    };
    let (a, b) = (corners(one), corners(other));
    if forward == other_forward || is_flat(&a) || is_flat(&b) {
        return EdgeKind::Border;
    }
    let far = |triangle: u32, corners: &Triangle| {
        let k = topology.edges_of(triangle).iter().position(|&e| e == edge);
        corners[(k.unwrap_or(0) + 2) % 3]
    };
    let (of_a, of_b) = (far(one, &a), far(other, &b));
    let (Some(n), Some(m)) = (normal_of(&a), normal_of(&b)) else {
        return EdgeKind::Border;
    };
    let all = a.iter().chain(&b).flatten();
    let size = all.fold(0.0_f64, |size, x| size.max(x.abs()));
    let band = FLAT_ROUNDINGS * 0.5 * f64::EPSILON * size;
    let is_in = |normal: Point, corners: &Triangle, p: Point| {
        dot(normal, minus(p, corners[0])).abs() <= band
    };
    if dot(n, m) > 0.0 && is_in(n, &a, of_b) && is_in(m, &b, of_a) {
        return EdgeKind::Level;
    }
    match side(&a, of_b) {
        Ordering::Less => EdgeKind::Ridge,
        Ordering::Greater => EdgeKind::Valley,
        // Folded onto itself.
        Ordering::Equal => EdgeKind::Border,
    }
}

/// The first triangle of each one's face.
fn faces(count: usize, topology: &Topology, kinds: &[EdgeKind]) -> Vec<u32> {
    let mut face_of = vec![u32::MAX; count];
    let mut stack = Vec::new();
    for first in 0..count as u32 {
        if face_of[first as usize] != u32::MAX {
            continue;
        }
        face_of[first as usize] = first;
        stack.push(first);
        while let Some(triangle) = stack.pop() {
            for edge in topology.edges_of(triangle) {
                if kinds[edge as usize] != EdgeKind::Level {
                    continue;
                }
                for &(_, _, other) in topology.uses(edge) {
                    if face_of[other as usize] == u32::MAX {
                        face_of[other as usize] = first;
                        stack.push(other);
                    }
                }
            }
        }
    }
    face_of
}

/// A vertex is within a face if all its edges are level, and within a line if all are but for two that are one straight line.
fn corner_kinds(vertices: &[Point], topology: &Topology, kinds: &[EdgeKind]) -> Vec<CornerKind> {
    // Up to two edges that are not level, by their other ends, and how many there are.
    let mut seen: Vec<([u32; 2], u32)> = vec![([0; 2], 0); vertices.len()];
    for edge in 0..topology.edges() {
        if kinds[edge as usize] == EdgeKind::Level {
            continue;
        }
        let [u, v] = topology.ends(edge);
        for (vertex, end) in [(u, v), (v, u)] {
            let (ends, count) = &mut seen[vertex as usize];
            if *count < 2 {
                ends[*count as usize] = end;
            }
            *count += 1;
        }
    }
    let straight = |vertex: usize, ends: [u32; 2]| {
        let at = vertices[vertex];
        let [u, v] = ends.map(|end| unit(minus(vertices[end as usize], at)));
        let (Some(u), Some(v)) = (u, v) else {
            return false;
        };
        let across = cross(u, v);
        dot(u, v) < 0.0 && dot(across, across) <= LINE_SINE * LINE_SINE
    };
    let each = seen.iter().enumerate();
    each.map(|(vertex, &(ends, count))| match count {
        0 => CornerKind::Inner,
        2 if straight(vertex, ends) => CornerKind::Straight,
        _ => CornerKind::Corner,
    })
    .collect()
}

/// Two edges within this sine are one line: a point left out between two others is off their line by so small a part. It chooses only which points are told.
const LINE_SINE: f64 = 1e-9;

fn normal_of([a, b, c]: &Triangle) -> Option<Point> {
    let (u, v) = (unit(minus(*b, *a))?, unit(minus(*c, *a))?);
    unit(cross(u, v))
}

fn doubled_area([a, b, c]: &Triangle) -> f64 {
    let across = cross(minus(*b, *a), minus(*c, *a));
    dot(across, across)
}

/// The same triangle from its first corner in order.
fn rotated(corners: Triangle) -> Triangle {
    let mut all = [0, 1, 2].map(|k: usize| [0, 1, 2].map(|i: usize| corners[(i + k) % 3]));
    all.sort_by(flat_order);
    all[0]
}

fn flat_order(x: &Triangle, y: &Triangle) -> Ordering {
    let pairs = x.as_flattened().iter().zip(y.as_flattened());
    pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(y)))
}
