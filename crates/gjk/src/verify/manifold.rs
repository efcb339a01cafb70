//! Is a manifold what it says? The checker of manifolds.
//!
//! Where it sits: beside [`super::verify`], which checks the contact that a manifold rests on. It shares no line with what found the points: only the
//! bodies' vertices in the world.
//! Idea: a point of a vertex is that vertex, one of an edge is between its ends, and one of a face is in the ring of the face, above whose plane no
//! vertex is. So each is on its body, and on its surface. What is left is arithmetic: the points of a pair are the separation apart along the normal,
//! the least separation is the signed distance, and no id comes twice. All of it in floats, held to a bound of roundings.

use super::error::VerifyError;
use crate::Stop;
use crate::manifold::{ContactFeature, Manifold, ManifoldOptions, ManifoldPoint};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};
use crate::math::{Interval, Pose, Scalar, Vec3, Vector, exponent_of};
use crate::support::{Posed, Support};
use alloc::vec::Vec;

/// What a point may be off a feature, in roundings of the scalar a unit of the largest coordinate: docs/tolerances.md grants a corner 64 across the
/// normal, and as many along it; a face that is tilted by 60° doubles them, and the rest is room. A wrong point is off by a part of the body.
const FEATURE_ROUNDINGS: f64 = 512.0;

/// A body in the world, by a power of two near one.
struct Solid {
    vertices: Vec<Triple>,
    radius: f64,
}

/// Checks a manifold against the bodies and the options that it was asked with.
///
/// # Errors  the first thing found wrong: a bug in this library, or a manifold of other bodies or options.
/// # Complexity  O(n + m) a point.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, ManifoldOptions}, shape::Cuboid, verify};
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let (here, above) = (Pose::identity(), Pose::from_translation(Vec3::new(0.25, 0.0, 0.875)));
/// let options = ManifoldOptions::default();
/// let mut found = query::manifold(&cube, &here, &cube, &above, &options);
/// assert!(verify::verify_manifold(&cube, &here, &cube, &above, &options, &found).is_ok());
/// found.points[2].point_a.x += 0.125;
/// assert!(verify::verify_manifold(&cube, &here, &cube, &above, &options, &found).is_err());
/// ```
pub fn verify_manifold<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
    manifold: &Manifold<V>,
) -> Result<(), VerifyError> {
    let contact = &manifold.contact;
    if contact.stop == Stop::Overflow {
        return held(
            manifold.points.is_empty(),
            "has points of bodies that leave the range",
        );
    }
    if !contact.point_a.is_finite() || !contact.point_b.is_finite() {
        return Ok(());
    }
    let apart = contact.signed_distance.lower > options.prediction();
    held(
        manifold.points.is_empty() == apart,
        "has no points, or has points beyond the prediction",
    )?;
    let most = options
        .points_max()
        .map_or(usize::MAX, |most| most as usize);
    held(
        manifold.points.len() <= most,
        "has more points than were wanted",
    )?;
    let solids = [solid(a, pose_a), solid(b, pose_b)];
    let largest = largest(&solids, manifold);
    if !largest.is_finite() {
        return Ok(());
    }
    let exponent = -exponent_of(largest);
    // Subnormal numbers are rounded to the smallest one.
    let coarse = V::Scalar::TINIEST.to_f64().scale_by_power(exponent);
    let checker = Checker {
        manifold,
        exponent,
        solids: solids.each_ref().map(Option::as_ref),
        along: contact.normal.to_f64(),
        bound: FEATURE_ROUNDINGS * Scalar::max(V::Scalar::ROUNDING.to_f64(), coarse),
    };
    checker.check()
}

fn solid<V: Vector, S: Support<V> + ?Sized>(body: &S, pose: &Pose<V>) -> Option<Solid> {
    let posed = Posed::new(body, *pose);
    let vertices = (0..posed.vertex_count()?).filter_map(|id| posed.vertex(id));
    Some(Solid {
        vertices: vertices.map(V::Wide::to_f64).collect(),
        radius: posed.radius(),
    })
}

/// The largest coordinate or radius.
fn largest<V: Vector>(solids: &[Option<Solid>; 2], manifold: &Manifold<V>) -> f64 {
    let points = manifold.points.iter();
    let numbers = points
        .flat_map(|point| [point.point_a, point.point_b])
        .flat_map(V::to_f64);
    solids
        .iter()
        .flatten()
        .flat_map(|solid| {
            solid
                .vertices
                .iter()
                .flatten()
                .copied()
                .chain([solid.radius])
        })
        .chain(numbers)
        .fold(0.0, |m: f64, x| if x.abs() > m { x.abs() } else { m })
}

fn held(condition: bool, what: &'static str) -> Result<(), VerifyError> {
    if condition {
        Ok(())
    } else {
        Err(VerifyError::Manifold { what })
    }
}

struct Checker<'m, V: Vector> {
    manifold: &'m Manifold<V>,
    /// Lengths here are the world's times two to this power.
    exponent: i32,
    solids: [Option<&'m Solid>; 2],
    along: Triple,
    bound: f64,
}

impl<V: Vector> Checker<'_, V> {
    fn near(&self, x: Triple) -> Triple {
        x.map(|c| c.scale_by_power(self.exponent))
    }

    fn check(&self) -> Result<(), VerifyError> {
        let points = &self.manifold.points;
        for (k, point) in points.iter().enumerate() {
            let same = points[..k].iter().any(|other| other.id == point.id);
            held(!same, "has two points of one id")?;
            self.pair(point)?;
            self.place(0, point.feature_a, &self.manifold.face_a, point.point_a)?;
            self.place(1, point.feature_b, &self.manifold.face_b, point.point_b)?;
        }
        for (body, face) in [(0, &self.manifold.face_a), (1, &self.manifold.face_b)] {
            self.supports(body, face)?;
        }
        self.least()
    }

    /// The points are the separation apart, along the normal.
    fn pair(&self, point: &ManifoldPoint<V>) -> Result<(), VerifyError> {
        let Interval { lower, upper } = point.separation;
        held(lower <= upper, "has an empty separation")?;
        let (a, b) = (
            self.near(point.point_a.to_f64()),
            self.near(point.point_b.to_f64()),
        );
        let [lower, upper] = [lower, upper].map(|x| x.to_f64().scale_by_power(self.exponent));
        let between = subtract(b, a);
        let along = dot(between, self.along);
        let off = length(plus(between, self.along, -along));
        held(
            off <= self.bound,
            "has points that are not along the normal",
        )?;
        let inside = lower - self.bound <= along && along <= upper + self.bound;
        held(inside, "has points that are not the separation apart")
    }

    /// A point is on the feature that it names.
    fn place(
        &self,
        body: usize,
        feature: ContactFeature,
        ring: &[u32],
        point: V,
    ) -> Result<(), VerifyError> {
        let Some(solid) = self.solids[body] else {
            let numbered = matches!(
                feature,
                ContactFeature::Vertex(_) | ContactFeature::Edge(_) | ContactFeature::Face
            );
            return held(!numbered, "names vertices of a smooth body");
        };
        let sign = if body == 0 { -1.0 } else { 1.0 };
        let radius = solid.radius.scale_by_power(self.exponent);
        let point = plus(self.near(point.to_f64()), self.along, sign * radius);
        let unknown = VerifyError::Manifold {
            what: "names a vertex that is not there",
        };
        let vertex = |id: u32| {
            let vertex = solid.vertices.get(id as usize);
            vertex.map(|&x| self.near(x)).ok_or(unknown.clone())
        };
        let off = match feature {
            ContactFeature::Vertex(id) => length(subtract(point, vertex(id)?)),
            ContactFeature::Edge([from, to]) => off_segment(vertex(from)?, vertex(to)?, point),
            ContactFeature::Face => {
                let ring: Result<Vec<Triple>, _> = ring.iter().map(|&id| vertex(id)).collect();
                off_face(&ring?, point)
            }
            _ => return held(false, "names no vertex of a body that has them"),
        };
        held(off <= self.bound, "has a point that is not on its feature")
    }

    /// No vertex is above the plane of a face.
    fn supports(&self, body: usize, ring: &[u32]) -> Result<(), VerifyError> {
        let Some(solid) = self.solids[body].filter(|_| ring.len() >= 3) else {
            return Ok(());
        };
        let vertices: Vec<Triple> = solid.vertices.iter().map(|&x| self.near(x)).collect();
        let ring: Vec<Triple> = ring.iter().map(|&id| vertices[id as usize]).collect();
        let normal = ring_normal(&ring);
        let facing = dot(normal, self.along);
        held((facing > 0.0) == (body == 0), "has a face that looks away")?;
        let size = length(normal);
        let above = |x: &Triple| dot(normal, subtract(*x, ring[0])) / size;
        held(
            vertices.iter().all(|x| above(x) <= self.bound),
            "has a face that does not support its body",
        )
    }

    /// The least separation is the signed distance.
    fn least(&self) -> Result<(), VerifyError> {
        let Interval { lower, upper } = self.manifold.contact.signed_distance;
        let points = &self.manifold.points;
        let deepest = points.iter().reduce(|best, point| {
            if point.separation.lower < best.separation.lower {
                point
            } else {
                best
            }
        });
        let Some(deepest) = deepest else {
            return Ok(());
        };
        let scaled = |x: V::Scalar| x.to_f64().scale_by_power(self.exponent);
        let meets = scaled(deepest.separation.lower) <= scaled(upper) + self.bound
            && scaled(lower) <= scaled(deepest.separation.upper) + self.bound;
        held(
            meets,
            "has a least separation that is not the signed distance",
        )
    }
}

/// The distance of a point from a segment.
fn off_segment(from: Triple, to: Triple, point: Triple) -> f64 {
    let step = subtract(to, from);
    let squared = dot(step, step);
    let part = if squared > 0.0 {
        (dot(step, subtract(point, from)) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(subtract(point, plus(from, step, part)))
}

/// A normal of a convex ring, on the side from which it is counter-clockwise: of its first corner, the one farthest from it, and the one that is then
/// farthest from the line of both.
fn ring_normal(ring: &[Triple]) -> Triple {
    let farthest = |measure: &dyn Fn(Triple) -> f64| {
        (0..ring.len()).fold(0, |best, k| {
            if measure(ring[k]) > measure(ring[best]) {
                k
            } else {
                best
            }
        })
    };
    let far = farthest(&|x| length(subtract(x, ring[0])));
    let line = subtract(ring[far], ring[0]);
    let wide = farthest(&|x| length(cross(line, subtract(x, ring[0]))));
    let (second, third) = (far.min(wide), far.max(wide));
    // A long edge times a short one: two long ones would cancel.
    Vec3::facet_normal(&[ring[0], ring[second], ring[third]].map(Vec3::from)).into()
}

/// How far a point is off a convex ring: off its plane, or out of it.
fn off_face(ring: &[Triple], point: Triple) -> f64 {
    let normal = ring_normal(ring);
    let size = length(normal);
    if !(size > 0.0) {
        return f64::INFINITY;
    }
    let mut off = (dot(normal, subtract(point, ring[0])) / size).abs();
    for (k, &from) in ring.iter().enumerate() {
        let step = subtract(ring[(k + 1) % ring.len()], from);
        let outward = cross(step, normal);
        let out = dot(outward, subtract(point, from)) / length(outward);
        if out > off {
            off = out;
        }
    }
    off
}
