//! The steps of a manifold: the contact, the supporting faces, their intersection, names, and the choice of points.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, id};
use super::faces::Bearing;
use super::names::{crossed, feature};
use super::options::ManifoldOptions;
use super::placed::{Placed, placed};
use super::polygon::{Corner, crossing, intersect, side};
use super::reduce::{Candidate, area, around, deepest, reduce};
use super::round::Naming;
use super::view::{Flat, View, unit};
use crate::Stop;
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Interval, Pose, Ring, Scalar, Vector, exponent_of};
use crate::pair::Pair;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::Support;
use alloc::vec::Vec;

/// What a posed vertex of a face may be off the face's plane, and a corner off the side that it is meant to be on, in roundings of the scalar a unit of
/// the largest coordinate: the pose's entries and the vertices are rounded once each, and posed with 4 more, three times over for a plane through three
/// of them; the rest is room for bodies that are placed by a few operations of the caller.
const CORNER_ROUNDINGS: f64 = 64.0;

/// What a separation costs, in roundings of `f64` a unit of the largest coordinate: two differences, an inner product of three and a quotient by a
/// cosine of at least a half, of coordinates that are a few sizes apart.
const LIFT_ROUNDINGS: f64 = 32.0;

/// What the steps measure by, in the scaled world.
#[derive(Clone, Copy)]
struct Measures {
    /// Of the largest tilt.
    tangent: f64,
    band: f64,
    /// What is rounded in any separation.
    rounding: f64,
    /// The bounds of the signed distance.
    distance: [f64; 2],
}

/// What bears on what, scaled.
struct Encounter {
    view: View,
    faces: [Bearing; 2],
    radii: [f64; 2],
    measures: Measures,
    /// The face of B has lower numbers than that of A.
    exchanged: bool,
}

/// A point before it is chosen.
#[derive(Clone, Copy)]
struct Found {
    candidate: Candidate,
    /// In the order of the bodies.
    features: [ContactFeature; 2],
    point_a: Triple,
}

/// The manifold of two bodies.
pub(crate) fn answer<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
) -> Manifold<V> {
    let contact = Pair::new(a, pose_a, b, pose_b).contact();
    let mut manifold = Manifold {
        contact,
        kind: ManifoldKind::Point,
        points: Vec::new(),
        face_a: Vec::new(),
        face_b: Vec::new(),
        area: V::Scalar::ZERO,
        complete: true,
    };
    let unknown = contact.stop == Stop::Overflow
        || !contact.point_a.is_finite()
        || !contact.point_b.is_finite();
    let along = unit(contact.normal.to_f64());
    if let Some(along) = along
        && !unknown
        && contact.signed_distance.lower <= options.prediction()
    {
        let bodies = [placed(a, pose_a), placed(b, pose_b)];
        fill(&mut manifold, bodies, along, options);
    }
    manifold
}

fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    mut bodies: [Option<Placed>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) {
    let contact = manifold.contact;
    let mut witness = [contact.point_a.to_f64(), contact.point_b.to_f64()];
    let largest = bodies
        .iter()
        .flatten()
        .map(Placed::largest)
        .chain(witness.iter().flatten().copied())
        .fold(0.0, |m: f64, x| if x.abs() > m { x.abs() } else { m });
    let exponent = -exponent_of(largest);
    for body in bodies.iter_mut().flatten() {
        body.scale(exponent);
    }
    witness = witness.map(|x| x.map(|c| c.scale_by_power(exponent)));
    // Subnormal numbers are rounded to the smallest one.
    let rounding = |own: f64, tiniest: f64| Scalar::max(own, tiniest.scale_by_power(exponent));
    let coarse = rounding(V::Scalar::ROUNDING.to_f64(), V::Scalar::TINIEST.to_f64());
    let bounds = [contact.signed_distance.lower, contact.signed_distance.upper];
    let encounter = Encounter::new(
        V::DIM,
        &bodies,
        (along, witness),
        Measures {
            tangent: options.tangent(),
            band: CORNER_ROUNDINGS * coarse,
            rounding: LIFT_ROUNDINGS * rounding(UNIT_ROUNDOFF, f64::TINIEST),
            distance: bounds.map(|x| x.to_f64().scale_by_power(exponent)),
        },
    );
    [manifold.face_a, manifold.face_b] = encounter.rings();
    let found = encounter.corners();
    if found.is_empty() {
        let nearest = encounter.nearest(manifold, witness, -exponent);
        manifold.points.push(nearest);
        return;
    }
    manifold.kind = kind(&encounter.faces);
    encounter.choose(manifold, &found, options, -exponent);
}

/// A ring that begins with its lowest number; of an edge or a vertex in ascending order.
fn lowest_first(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    let lowest = (0..ids.len()).min_by_key(|&k| ids[k]).unwrap_or(0);
    ids.rotate_left(lowest);
    ids
}

fn kind(faces: &[Bearing; 2]) -> ManifoldKind {
    let [a, b] = faces.each_ref().map(|face| face.points.len());
    match (a.min(b), a.max(b)) {
        (0 | 1, _) => ManifoldKind::Point,
        (2, 2) => ManifoldKind::EdgeEdge,
        (2, _) => ManifoldKind::FaceEdge,
        _ => ManifoldKind::FaceFace,
    }
}

impl Encounter {
    fn new(
        dim: usize,
        bodies: &[Option<Placed>; 2],
        (along, witness): (Triple, [Triple; 2]),
        measures: Measures,
    ) -> Self {
        let view = View::new(dim, along, witness[0]);
        let face = |k: usize, view: &View| {
            let body = bodies[k].as_ref();
            let face = body.and_then(|body| body.bearing(view, measures.tangent, measures.band));
            face.unwrap_or_else(|| Bearing::smooth(witness[k], view))
        };
        let faces = [face(0, &view), face(1, &view.behind()).turned(&view)];
        let radius = |body: &Option<Placed>| body.as_ref().map_or(0.0, |body| body.radius);
        let mut encounter = Self {
            view,
            faces,
            radii: bodies.each_ref().map(radius),
            measures,
            exchanged: false,
        };
        let [ring_a, ring_b] = encounter.rings();
        encounter.exchanged = ring_b < ring_a;
        encounter
    }

    /// The numbered vertices of both, each seen from outside.
    fn rings(&self) -> [Vec<u32>; 2] {
        let [a, b] = self.faces.each_ref().map(|face| match face.naming {
            Naming::Vertices => face.ids.as_slice(),
            _ => &[],
        });
        [
            lowest_first(a.iter().copied()),
            lowest_first(b.iter().rev().copied()),
        ]
    }

    /// The corners of the contact polygon, counter-clockwise.
    fn corners(&self) -> Vec<Found> {
        let [a, b] = &self.faces;
        let mut found: Vec<Found> = Vec::new();
        if self.faces.iter().any(|face| face.naming == Naming::Nothing) {
            return found;
        }
        for corner in intersect(&a.flat, &b.flat, self.measures.band) {
            let next = self.found(corner);
            if found.iter().all(|other| other.features != next.features) {
                found.push(next);
            }
        }
        let candidates: Vec<Candidate> = found.iter().map(|f| f.candidate).collect();
        let above = |c: &Candidate| c.separation - c.off > self.measures.distance[1];
        if candidates.iter().all(above) {
            // The corners of a cap leave out what is between them and the rim.
            return Vec::new();
        }
        around(&candidates).into_iter().map(|k| found[k]).collect()
    }

    fn found(&self, corner: Corner) -> Found {
        let [a, b] = &self.faces;
        let (place, [on_a, on_b]) = match corner {
            Corner::First(k) => (
                a.flat[k],
                [a.points[k], self.lifted(1, a.points[k], a.flat[k])],
            ),
            Corner::Second(k) => (
                b.flat[k],
                [self.lifted(0, b.points[k], b.flat[k]), b.points[k]],
            ),
            Corner::Cross(i, j) => self.crossed(i, j),
        };
        let features = match corner {
            Corner::Cross(i, j) => [
                crossed(a, i, place, self.measures.band),
                crossed(b, j, place, self.measures.band),
            ],
            _ => self
                .faces
                .each_ref()
                .map(|face| feature(face, place, self.measures.band)),
        };
        let core = dot(self.view.along, subtract(on_b, on_a));
        // A place along an edge is as far off as the band, and edges may be tilted.
        let along_edges = if self.faces.iter().any(|face| face.points.len() == 2) {
            self.measures.band
        } else {
            0.0
        };
        // The normal of a round body's contact is as good as its distance.
        let is_round = |face: &Bearing| face.naming != Naming::Vertices;
        let loose = if self.faces.iter().any(is_round) {
            2.0 * (self.measures.distance[1] - self.measures.distance[0])
        } else {
            0.0
        };
        Found {
            candidate: Candidate {
                place,
                separation: core - self.radii[0] - self.radii[1],
                off: a.off + b.off + self.measures.rounding + along_edges + loose,
                features: if self.exchanged {
                    [features[1], features[0]]
                } else {
                    features
                },
            },
            features,
            point_a: plus(on_a, self.view.along, self.radii[0]),
        }
    }

    fn lifted(&self, body: usize, from: Triple, place: Flat) -> Triple {
        self.faces[body].lift(from, place, &self.view)
    }

    /// The points of two sides that cross.
    fn crossed(&self, i: usize, j: usize) -> (Flat, [Triple; 2]) {
        let [a, b] = &self.faces;
        let (side_a, side_b) = (side(&a.flat, i), side(&b.flat, j));
        let at = |face: &Bearing, k: usize, part: f64| {
            let (from, to) = (face.points[k], face.points[(k + 1) % face.points.len()]);
            plus(from, subtract(to, from), part)
        };
        let on_a = at(a, i, crossing(side_a, side_b));
        let on_b = at(b, j, crossing(side_b, side_a));
        (self.view.flat(on_a), [on_a, on_b])
    }

    /// The nearest points of the bodies, or of an overlap the deepest, as contact has them. Those of a smooth body are known worse across the
    /// normal than along it: it is moved there, where its surface is level.
    fn nearest<V: Vector>(
        &self,
        manifold: &Manifold<V>,
        witness: [Triple; 2],
        exponent: i32,
    ) -> ManifoldPoint<V> {
        let contact = &manifold.contact;
        let between = subtract(witness[1], witness[0]);
        let drift = plus(between, self.view.along, -dot(self.view.along, between));
        let [part_a, part_b] = match self
            .faces
            .each_ref()
            .map(|face| face.naming != Naming::Vertices)
        {
            [true, true] => [0.5, -0.5],
            [true, false] => [1.0, 0.0],
            [false, true] => [0.0, -1.0],
            [false, false] => [0.0, 0.0],
        };
        let moved = [
            plus(witness[0], drift, part_a),
            plus(witness[1], drift, part_b),
        ];
        let name = |k: usize| feature(&self.faces[k], self.view.flat(moved[k]), self.measures.band);
        let separation = contact.signed_distance;
        let points = moved.map(|x| world(x, exponent));
        point(manifold, points, separation, [name(0), name(1)])
    }

    /// Keeps the points within the prediction, and as many as wanted.
    fn choose<V: Vector>(
        &self,
        manifold: &mut Manifold<V>,
        found: &[Found],
        options: &ManifoldOptions<V::Scalar>,
        exponent: i32,
    ) {
        let within =
            |f: &&Found| separation::<V>(&f.candidate, exponent).lower <= options.prediction();
        let mut near: Vec<&Found> = found.iter().filter(within).collect();
        if near.is_empty() {
            let all: Vec<Candidate> = found.iter().map(|f| f.candidate).collect();
            near.push(&found[deepest(&all)]);
        }
        let candidates: Vec<Candidate> = near.iter().map(|f| f.candidate).collect();
        manifold.area = V::Scalar::from_f64(
            area(&candidates)
                .scale_by_power(exponent)
                .scale_by_power(exponent),
        );
        let most = options
            .points_max()
            .map_or(usize::MAX, |most| most as usize);
        let mut kept = reduce(&candidates, most);
        if V::DIM == 2 {
            kept.sort_by(|&i, &j| candidates[i].place[0].total_cmp(&candidates[j].place[0]));
        }
        manifold.complete = kept.len() == candidates.len();
        for k in kept {
            let Found {
                candidate,
                features,
                point_a,
                ..
            } = near[k];
            let on_b = plus(*point_a, self.view.along, candidate.separation);
            let points = [world(*point_a, exponent), world(on_b, exponent)];
            let next = point(
                manifold,
                points,
                separation::<V>(candidate, exponent),
                *features,
            );
            manifold.points.push(next);
        }
    }
}

/// A point in the world's unit; adding zero leaves no negative zeros.
fn world<V: Vector>(x: Triple, exponent: i32) -> V {
    V::from_f64(x.map(|c| c.scale_by_power(exponent) + 0.0))
}

/// A separation in the world's unit.
fn separation<V: Vector>(candidate: &Candidate, exponent: i32) -> Interval<V::Scalar> {
    let lower = |x: f64| {
        let length = x.scale_by_power(exponent);
        // Subnormal numbers are rounded.
        let rounded = x != 0.0 && length.abs() < 2.0 * f64::MIN_POSITIVE;
        V::Scalar::round_down(if rounded { length.next_down() } else { length })
    };
    Interval {
        lower: lower((candidate.separation - candidate.off).next_down()),
        upper: -lower((-candidate.separation - candidate.off).next_down()),
    }
}

fn point<V: Vector>(
    manifold: &Manifold<V>,
    [point_a, point_b]: [V; 2],
    separation: Interval<V::Scalar>,
    features: [ContactFeature; 2],
) -> ManifoldPoint<V> {
    ManifoldPoint {
        point_a,
        point_b,
        separation,
        feature_a: features[0],
        feature_b: features[1],
        id: id(features, [&manifold.face_a, &manifold.face_b]),
    }
}
