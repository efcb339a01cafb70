//! The points of the faces, edges and vertices that bear, by normal.
//!
//! Idea: of a face each near triangle is asked for its points along the face's normal. Those at inner edges are corners of the cut, not of the face: they are left out, but where a vertex of the body is over
//! the edge, which is then a point of the face. Points of one normal are one patch, of which a few are kept.

use super::answer::{MeshPatch, MeshPoint};
use super::sort::{FaceBearing, NearContact, Sorted, Surface, is_one};
use crate::distance::convex;
use crate::flat::{CornerKind, EdgeKind};
use crate::signs::Point;
use crate::topology::ordered;
use crate::vector::{cross, dot, minus};
use core::cmp::Ordering;
use gjk::query::{
    self, Contact, ContactFeature, Interval, ManifoldOptions, ManifoldPoint, Meeting,
    MotionOptions, Start, Verdict,
};
use gjk::shape::Segment;
use gjk::{Pose3, Support, Vec3, Vector};

/// A point within this part of an edge's length is on it. It chooses, and proves nothing.
const ON_EDGE: f64 = 1e-6;

/// Depths that differ by less than this part are one. It chooses, and proves nothing.
const EQUAL_DEPTHS: f64 = 1e-9;

/// What finds the points.
pub(super) struct Bearer<'b, S: ?Sized> {
    pub(super) surface: &'b Surface<'b>,
    pub(super) shape: &'b S,
    pub(super) pose: &'b Pose3<f64>,
    pub(super) options: ManifoldOptions<f64>,
}

/// Points of one normal.
type NormalPoints = (Point, Vec<MeshPoint>);

/// Whether a feature is a corner of the body, or where it is deepest.
fn is_corner(feature: ContactFeature) -> bool {
    match feature {
        ContactFeature::Vertex(_) | ContactFeature::Smooth | ContactFeature::Side(0 | 1) => true,
        // Odd between two sectors.
        ContactFeature::Rim(place) => place % 2 == 0,
        _ => false,
    }
}

fn is_face(feature: ContactFeature) -> bool {
    matches!(feature, ContactFeature::Face | ContactFeature::Cap(_))
}

fn vector([x, y, z]: Point) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

impl<S: Support<Vec3<f64>> + ?Sized> Bearer<'_, S> {
    /// The patches, the deepest first.
    pub(super) fn patches(&self, sorted: &Sorted, near: &[NearContact]) -> Vec<MeshPatch> {
        let mut found: Vec<NormalPoints> = Vec::new();
        for (&face, bearing) in &sorted.faces {
            merge(
                &mut found,
                bearing.normal,
                self.on_face(face, bearing, near),
            );
        }
        leave_out_borders(&mut found);
        for (&edge, told) in &sorted.edges {
            merge(&mut found, told.1.normal.to_f64(), self.on_edge(edge, told));
        }
        for (&vertex, told) in &sorted.vertices {
            let points = self.on_vertex(vertex, told);
            merge(&mut found, told.1.normal.to_f64(), points);
        }
        if found.is_empty() {
            found.extend(self.least(near));
        }
        let mut patches: Vec<MeshPatch> = found.into_iter().map(|x| self.reduced(x)).collect();
        let key = |patch: &MeshPatch| {
            let depths = patch.points.iter().map(|p| p.point.separation.upper);
            let [x, y, z] = patch.normal.to_f64();
            [depths.fold(f64::INFINITY, f64::min), x, y, z]
        };
        patches.sort_by(|x, y| {
            let pairs = key(x).into_iter().zip(key(y));
            pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(&y)))
        });
        patches
    }

    fn source(&self, vertex: u32) -> u32 {
        self.surface.mesh.mesh.vertex_source(vertex)
    }

    /// The points of a face.
    fn on_face(&self, face: u32, bearing: &FaceBearing, near: &[NearContact]) -> Vec<MeshPoint> {
        let of_face = || {
            let all = near.iter();
            all.filter(move |x| self.surface.flat.face_of(x.0) == face)
        };
        let (mut points, mut is_deepest) = (Vec::new(), bearing.told);
        for &(k, _) in of_face() {
            let Some(triangle) = convex(&self.surface.mesh.corners(k)) else {
                continue;
            };
            let manifold = query::manifold_along(
                &triangle,
                &Pose3::identity(),
                self.shape,
                self.pose,
                vector(bearing.normal),
                &self.options.with_all_points(),
            );
            let gap = manifold.contact.signed_distance.upper;
            for point in &manifold.points {
                is_deepest |= point.separation.lower <= gap;
                if let Some(feature) = self.on_triangle(k, point) {
                    add(&mut points, self.named(k, point, feature, &manifold.face_b));
                }
            }
        }
        if points.is_empty() || !is_deepest {
            let all = of_face().filter_map(|told| self.depth_over(told, bearing.normal));
            let deepest = all.max_by(|x, y| x.0.total_cmp(&y.0));
            // Beyond a valley, what is deepest is in the face beside it.
            let deepest =
                deepest.filter(|x| bearing.told || self.is_in_valley(&x.1, bearing.normal));
            points = deepest.map(|x| x.1).into_iter().collect();
        }
        points
    }

    /// Whether a point of a triangle is at a valley.
    fn is_in_valley(&self, point: &MeshPoint, normal: Point) -> bool {
        let Some(k) = self.of_source(point.triangle) else {
            return false;
        };
        let corners = self.surface.mesh.corners(k);
        let edges = self.surface.mesh.mesh.topology().edges_of(k);
        (0..3).any(|i| {
            let [from, to] = [corners[i], corners[(i + 1) % 3]];
            let (step, out) = (minus(to, from), minus(point.point.point_a.to_f64(), from));
            let across = cross(step, out);
            let is_on = dot(across, across) <= (ON_EDGE * dot(step, step)).powi(2);
            is_on && self.surface.is_valley(edges[i], k, normal)
        })
    }

    /// The triangle that had a number in the input.
    fn of_source(&self, source: u32) -> Option<u32> {
        let mesh = self.surface.mesh.mesh;
        let count = mesh.triangles().len() as u32;
        // Sources ascend.
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            if mesh.source(middle) < source {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < count && mesh.source(low) == source).then_some(low)
    }

    /// What of its face a point of a triangle is on; `None` for a corner of the cut.
    fn on_triangle(&self, k: u32, point: &ManifoldPoint<Vec3<f64>>) -> Option<ContactFeature> {
        let mesh = self.surface.mesh.mesh;
        let ring = mesh.triangles()[k as usize];
        let of_cut = || is_corner(point.feature_b).then_some(ContactFeature::Face);
        match point.feature_a {
            ContactFeature::Vertex(i) => {
                let vertex = ring[i as usize];
                match self.surface.flat.corner(vertex) {
                    CornerKind::Inner => of_cut(),
                    CornerKind::Straight if is_face(point.feature_b) => None,
                    _ => Some(ContactFeature::Vertex(self.source(vertex))),
                }
            }
            ContactFeature::Edge([i, j]) => {
                // The edge after the second corner has the first and the last number.
                let at = if j == i + 1 { i } else { j };
                let edge = mesh.topology().edges_of(k)[at as usize];
                if self.surface.flat.kind(edge) == EdgeKind::Level {
                    return of_cut();
                }
                Some(self.edge(edge))
            }
            _ => Some(ContactFeature::Face),
        }
    }

    fn edge(&self, edge: u32) -> ContactFeature {
        let ends = self.surface.mesh.mesh.topology().ends(edge);
        ContactFeature::Edge(ordered(ends.map(|v| self.source(v))))
    }

    /// The points of an edge.
    fn on_edge(&self, edge: u32, told: &NearContact) -> Vec<MeshPoint> {
        let (k, contact) = told;
        let ends = self.surface.mesh.mesh.topology().ends(edge);
        let [from, to] = ends.map(|v| vector(self.surface.mesh.vertex(v)));
        let mut points = Vec::new();
        if let Ok(segment) = Segment::new(from, to) {
            let manifold = query::manifold_along(
                &segment,
                &Pose3::identity(),
                self.shape,
                self.pose,
                contact.normal,
                &self.options.with_all_points(),
            );
            for point in &manifold.points {
                let feature = match point.feature_a {
                    ContactFeature::Vertex(i) => {
                        let vertex = ends[i as usize];
                        let kind = self.surface.flat.corner(vertex);
                        // A ridge goes on straight there.
                        if kind != CornerKind::Corner && is_face(point.feature_b) {
                            continue;
                        }
                        ContactFeature::Vertex(self.source(vertex))
                    }
                    _ => self.edge(edge),
                };
                add(
                    &mut points,
                    self.named(*k, point, feature, &manifold.face_b),
                );
            }
            if points.is_empty() && manifold.points.is_empty() {
                points.push(self.single(*k, contact, self.edge(edge)));
            }
        }
        points
    }

    /// The point of a vertex.
    fn on_vertex(&self, vertex: u32, told: &NearContact) -> Vec<MeshPoint> {
        let feature = ContactFeature::Vertex(self.source(vertex));
        vec![self.single(told.0, &told.1, feature)]
    }

    /// The point of a contact.
    fn single(&self, k: u32, contact: &Contact<Vec3<f64>>, feature_a: ContactFeature) -> MeshPoint {
        let at = Segment::new(contact.point_a, contact.point_a);
        let seen = at.ok().map(|at| {
            let here = Pose3::identity();
            let options = self.options.with_prediction(f64::MAX);
            let normal = contact.normal;
            query::manifold_along(&at, &here, self.shape, self.pose, normal, &options)
        });
        let of_body = seen
            .as_ref()
            .and_then(|seen| Some((seen.points.first()?.feature_b, &seen.face_b[..])));
        let (feature_b, ring) = of_body.unwrap_or((ContactFeature::Smooth, &[]));
        let point = ManifoldPoint {
            point_a: contact.point_a,
            point_b: contact.point_b,
            separation: contact.signed_distance,
            feature_a,
            feature_b,
            id: 0,
        };
        self.named(k, &point, feature_a, ring)
    }

    /// How deep the body is over a triangle along a normal, and the last point to leave.
    fn depth_over(&self, told: &NearContact, normal: Point) -> Option<(f64, MeshPoint)> {
        let (k, contact) = told;
        if contact.verdict == Verdict::Separated {
            return None;
        }
        let triangle = convex(&self.surface.mesh.corners(*k))?;
        let (rest, along) = (Vec3::new(0.0, 0.0, 0.0), vector(normal));
        let options = MotionOptions::default().with_start(Start::Exit);
        let here = Pose3::identity();
        let exit = query::cast(
            &triangle, &here, rest, self.shape, self.pose, along, &options,
        );
        let time = exit.time.filter(|_| exit.verdict == Meeting::Exits)?;
        let (on_a, on_b) = (exit.point_a?, exit.point_b?);
        let point = ManifoldPoint {
            point_a: on_a,
            point_b: on_b - along * time.upper,
            separation: -time,
            feature_a: ContactFeature::Face,
            feature_b: ContactFeature::Smooth,
            id: 0,
        };
        Some((
            time.upper,
            self.named(*k, &point, ContactFeature::Face, &[]),
        ))
    }

    /// The point where no normal of the surface is that of a contact: of bodies apart the nearest, else that of the face that the body is least deep in.
    fn least(&self, near: &[NearContact]) -> Option<NormalPoints> {
        let surface = self.surface;
        let faced = |told: &&NearContact| {
            let normal = surface.normal(told.0)?;
            let before = surface.is_before(told.0, normal);
            let normal = if before || surface.body.is_solid() {
                normal
            } else if surface.front_only {
                return None;
            } else {
                normal.map(|x| -x)
            };
            Some((**told, normal))
        };
        let sided: Vec<(NearContact, Point)> = near.iter().filter_map(|x| faced(&x)).collect();
        let depths = sided.iter().filter_map(|(told, normal)| {
            let (depth, point) = self.depth_over(told, *normal)?;
            Some((depth, (*normal, vec![point])))
        });
        // Of equal depths, and in whatever order the triangles are, one normal comes first.
        let by_normal = |x: &Point, y: &Point| {
            let pairs = x.iter().zip(y);
            pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.total_cmp(y)))
        };
        let least = depths.min_by(|x, y| {
            let is_equal = (x.0 - y.0).abs() <= EQUAL_DEPTHS * x.0.abs();
            let by_depth = if is_equal {
                Ordering::Equal
            } else {
                x.0.total_cmp(&y.0)
            };
            by_depth.then_with(|| by_normal(&x.1.0, &y.1.0))
        });
        if let Some((_, found)) = least {
            return Some(found);
        }
        let ((k, contact), normal) = *sided.iter().min_by(|x, y| {
            let upper = |x: &&(NearContact, Point)| x.0.1.signed_distance.upper;
            upper(x).total_cmp(&upper(y))
        })?;
        let is_out = dot(contact.normal.to_f64(), normal) >= 0.0;
        (is_out || !surface.front_only).then(|| {
            let point = self.single(k, &contact, ContactFeature::Face);
            (contact.normal.to_f64(), vec![point])
        })
    }

    /// A point of a triangle with the names that the mesh has.
    fn named(
        &self,
        k: u32,
        point: &ManifoldPoint<Vec3<f64>>,
        feature_a: ContactFeature,
        ring: &[u32],
    ) -> MeshPoint {
        let mesh = self.surface.mesh.mesh;
        let face = mesh.source(self.surface.flat.face_of(k));
        let features = [feature_a, point.feature_b];
        MeshPoint {
            point: ManifoldPoint {
                feature_a,
                id: query::feature_id(features, [&[face], ring]),
                ..*point
            },
            face,
            triangle: mesh.source(k),
        }
    }

    /// The patch of a normal, with as many points as wanted.
    fn reduced(&self, (normal, points): NormalPoints) -> MeshPatch {
        let plain: Vec<ManifoldPoint<Vec3<f64>>> = points.iter().map(|x| x.point).collect();
        let most = self.options.points_max();
        let most = most.map_or(usize::MAX, |most| most as usize);
        let kept = query::kept_points(&plain, vector(normal), most);
        MeshPatch {
            normal: vector(normal),
            complete: kept.len() == points.len(),
            points: kept.into_iter().map(|k| points[k]).collect(),
        }
    }
}

/// Adds a point, of those of one name the deepest.
fn add(points: &mut Vec<MeshPoint>, point: MeshPoint) {
    let same = |x: &MeshPoint| x.point.id == point.point.id;
    match points.iter_mut().find(|x| same(x)) {
        Some(known) if lower(&point) < lower(known) => *known = point,
        Some(_) => {}
        None => points.push(point),
    }
}

fn lower(point: &MeshPoint) -> f64 {
    let Interval { lower, .. } = point.point.separation;
    lower
}

/// Adds points to those of their normal.
fn merge(found: &mut Vec<NormalPoints>, normal: Point, points: Vec<MeshPoint>) {
    if points.is_empty() {
        return;
    }
    match found.iter_mut().find(|x| is_one(x.0, normal)) {
        Some((_, known)) => points.into_iter().for_each(|point| add(known, point)),
        None => found.push((normal, points)),
    }
}

/// Leaves out faces that bear at their border alone, at points at which another face bears that does so elsewhere too: a wall beneath the end of a floor.
fn leave_out_borders(found: &mut Vec<NormalPoints>) {
    let ids = |x: &NormalPoints| -> Vec<u64> { x.1.iter().map(|point| point.point.id).collect() };
    let is_border = |x: &NormalPoints| {
        let mut features = x.1.iter().map(|point| point.point.feature_a);
        features.all(|feature| feature != ContactFeature::Face)
    };
    let all: Vec<Vec<u64>> = found.iter().map(ids).collect();
    let is_within = |mine: &[u64], other: &[u64]| {
        other.len() > mine.len() && mine.iter().all(|id| other.contains(id))
    };
    let mut number = 0;
    found.retain(|x| {
        let mine = &all[number];
        number += 1;
        !(is_border(x) && all.iter().any(|other| is_within(mine, other)))
    });
}
