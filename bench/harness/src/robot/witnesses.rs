//! States in which two links are said to meet, looked at by all pairs of their triangles.
//!
//! Where it sits: `soundness.rs` asks it.
//! Idea: the triangles of both bodies are placed by the kinematics, and every pair of which the boxes meet is asked (`surfaces/brute.rs`): no hull, no tree
//! and no screen. Curved shapes are taken as hulls of points of them, which are within the shape, so that what meets does. Where no triangles meet,
//! one body may be inside of the other: a ray from a corner then crosses its surface an odd number of times.

use crate::surfaces::brute::Brute;
use gjk::shape::Shape;
use gjk::{NO_ID, Support, Vec3, hull};
use gjk_check::parts::{Body, Part};
use gjk_scene::{Affine, Robot};

type Corner = [f64; 3];
type Facet = [Corner; 3];

/// Points of a curved shape.
const POINTS: u32 = 2000;

/// What the triangles of two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Witnessed {
    /// Two triangles share a point.
    Surfaces,
    /// One body is inside of the other.
    Inside,
    /// Neither was seen.
    Neither,
}

/// Looks at two bodies in a state.
pub(super) fn witnessed(
    robot: &Robot,
    bodies: &[Body],
    (a, b): (usize, usize),
    state: &[f64],
) -> Witnessed {
    let poses = robot.forward_kinematics(state);
    let of = |body: usize| -> Vec<Vec<Facet>> {
        let parts = bodies[body].parts.iter();
        parts.map(|part| placed(part, &poses)).collect()
    };
    let (one, other) = (of(a), of(b));
    let pairs = || one.iter().flat_map(|p| other.iter().map(move |q| (p, q)));
    if pairs().any(|(p, q)| surfaces_meet(p, q)) {
        return Witnessed::Surfaces;
    }
    if pairs().any(|(p, q)| is_inside(p, q) || is_inside(q, p)) {
        return Witnessed::Inside;
    }
    Witnessed::Neither
}

/// The triangles of a part in the world.
fn placed(part: &Part, links: &[Affine]) -> Vec<Facet> {
    let pose = part.pose(links);
    let facets = match &part.surface {
        Some(surface) => {
            let mesh = surface.mesh();
            let (points, triangles) = (mesh.vertices(), mesh.triangles());
            let corners = |ids: &[u32; 3]| ids.map(|id| points[id as usize]);
            triangles.iter().map(corners).collect()
        }
        None => hull_within(&part.shape),
    };
    let moved = |facet: Facet| facet.map(|corner| pose.apply(corner));
    facets.into_iter().map(moved).collect()
}

/// The hull of points of a convex shape.
fn hull_within(shape: &Shape<Vec3<f64>>) -> Vec<Facet> {
    let radius_around = shape.core().radius;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |k: u32| {
        let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / f64::from(POINTS);
        let (radius, turn) = ((1.0 - z * z).sqrt(), golden * f64::from(k));
        let direction = Vec3::new(radius * turn.cos(), radius * turn.sin(), z);
        let found = shape.support(direction, NO_ID).point + direction * radius_around;
        [found.x, found.y, found.z]
    };
    let points: Vec<Corner> = (0..POINTS).map(point).collect();
    let Ok(hull::SpatialHull::Polyhedron(solid)) = hull::convex_hull_3(&points) else {
        return Vec::new();
    };
    let (triangles, _) = gjk_mesh::triangulated(&solid.faces);
    let corners = |ids: &[u32; 3]| ids.map(|id| points[id as usize]);
    triangles.iter().map(corners).collect()
}

/// The box of some triangles, as its lower and its upper corner.
fn bounds<'f>(facets: impl Iterator<Item = &'f Facet>) -> [Corner; 2] {
    let empty = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    facets.flatten().fold(empty, |[low, high], corner| {
        let each = |of: fn(f64, f64) -> f64, ends: Corner| {
            [0, 1, 2].map(|axis| of(ends[axis], corner[axis]))
        };
        [each(f64::min, low), each(f64::max, high)]
    })
}

fn boxes_meet([low, high]: &[Corner; 2], [least, most]: &[Corner; 2]) -> bool {
    (0..3).all(|axis| low[axis] <= most[axis] && least[axis] <= high[axis])
}

/// Whether a triangle of one shares a point with one of the other; those away from the other's box are left out.
fn surfaces_meet(a: &[Facet], b: &[Facet]) -> bool {
    let within = |those: &[Facet], other: &[Facet]| -> Vec<Facet> {
        let around = bounds(other.iter());
        let near = |facet: &&Facet| boxes_meet(&bounds(std::iter::once(*facet)), &around);
        those.iter().filter(near).copied().collect()
    };
    Brute::of_triangles([within(a, b), within(b, a)]).meets()
}

/// Whether the first corner of one is inside of the other, by the crossings of a ray.
fn is_inside(inner: &[Facet], outer: &[Facet]) -> bool {
    let Some(&[from, ..]) = inner.first() else {
        return false;
    };
    let ray = [0.577_215_66, 0.271_828_18, 0.314_159_26];
    let hits = outer.iter().filter(|facet| crosses(from, ray, facet));
    hits.count() % 2 == 1
}

/// Whether a ray crosses a triangle.
fn crosses(from: Corner, ray: Corner, [a, b, c]: &Facet) -> bool {
    let minus = |p: Corner, q: Corner| [0, 1, 2].map(|axis| p[axis] - q[axis]);
    let dot = |p: Corner, q: Corner| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = |p: Corner, q: Corner| {
        [0, 1, 2].map(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            p[next] * q[last] - p[last] * q[next]
        })
    };
    let (along, up, to) = (minus(*b, *a), minus(*c, *a), minus(from, *a));
    let normal = cross(ray, up);
    let volume = dot(along, normal);
    if volume == 0.0 {
        return false;
    }
    let first = dot(to, normal) / volume;
    let turned = cross(to, along);
    let second = dot(ray, turned) / volume;
    first >= 0.0 && second >= 0.0 && first + second <= 1.0 && dot(up, turned) / volume > 0.0
}
