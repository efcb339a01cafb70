//! The steps of a manifold: the contact, the supporting faces, their intersection, names, and the choice of points.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, id};
use super::faces::{Face, supporting};
use super::names::{crossed, feature};
use super::options::ManifoldOptions;
use super::polygon::{Corner, crossing, intersect, side};
use super::reduce::{Candidate, area, around, deepest, reduce};
use super::round::{self, Naming, WorldDiscs};
use super::view::{Flat, View, unit};
use crate::Stop;
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Interval, Pose, Ring, Scalar, Vector, exponent_of};
use crate::pair::Pair;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{Posed, Support};
use alloc::vec::Vec;

/// What a posed vertex of a face may be off the face's plane, and a corner off the side that it is meant to be on, in roundings of the scalar a unit of
/// the largest coordinate: the pose's entries and the vertices are rounded once each, and posed with 4 more, three times over for a plane through three
/// of them; the rest is room for bodies that are placed by a few operations of the caller.
const BAND_ROUNDINGS: f64 = 64.0;

/// What a separation costs, in roundings of `f64` a unit of the largest coordinate: two differences, an inner product of three and a quotient by a
/// cosine of at least a half, of coordinates that are a few sizes apart.
const LIFT_ROUNDINGS: f64 = 32.0;

/// Both bodies, scaled.
struct Scene<'f> {
    view: View,
    faces: [&'f Face; 2],
    radii: [f64; 2],
    band: f64,
    /// What is rounded in any separation.
    rounding: f64,
    /// The face of B has lower numbers than that of A.
    exchanged: bool,
    /// The bounds of the signed distance.
    distance: [f64; 2],
}

/// A point before it is chosen.
#[derive(Clone, Copy)]
struct Found {
    candidate: Candidate,
    /// In the order of the bodies.
    features: [ContactFeature; 2],
    point_a: Triple,
}

/// A body's points in the world times a power of two, or its discs.
struct Placed {
    /// Of a body of discs their centres.
    points: Vec<Triple>,
    radius: f64,
    discs: Option<WorldDiscs>,
}

/// `None` where a body is neither the hull of numbered vertices nor of discs, or leaves the range of floats.
fn placed<V: Vector, S: Support<V> + ?Sized>(body: &S, pose: &Pose<V>) -> Option<Placed> {
    let posed = Posed::new(body, *pose);
    let Some(count) = posed.vertex_count().filter(|&count| count > 0) else {
        return placed_discs(body, pose);
    };
    let points: Option<Vec<Triple>> = (0..count)
        .map(|id| posed.vertex(id).map(V::Wide::to_f64))
        .collect();
    let points = points.filter(|all| all.iter().flatten().all(|x| x.is_finite()))?;
    Some(Placed {
        points,
        radius: posed.radius(),
        discs: None,
    })
}

fn placed_discs<V: Vector, S: Support<V> + ?Sized>(body: &S, pose: &Pose<V>) -> Option<Placed> {
    let discs = body.discs().filter(|_| V::DIM == 3)?;
    let pose: Pose<V::Wide> = pose.lift();
    let scale = pose.uniform_scale()?;
    let centers = discs.centers.map(|x| pose.point(x).to_f64());
    let radii = discs.radii.map(|radius| radius * scale);
    let radius = body.core().radius * scale;
    let numbers = centers.iter().flatten().chain(&radii).chain([&radius]);
    if !numbers.copied().all(f64::is_finite) {
        return None;
    }
    Some(Placed {
        points: centers.into(),
        radius,
        discs: Some(WorldDiscs {
            centers,
            radii,
            across: pose.vector(discs.across).normalized()?.to_f64(),
        }),
    })
}

impl Placed {
    fn largest(&self) -> f64 {
        let radii = self.discs.map_or([0.0; 2], |discs| discs.radii);
        let numbers = self.points.iter().flatten().chain(&radii);
        numbers.fold(self.radius, |m, &x| if x.abs() > m { x.abs() } else { m })
    }

    fn scale(&mut self, exponent: i32) {
        let scaled = |x: &mut Triple| *x = x.map(|c| c.scale_by_power(exponent));
        self.points.iter_mut().for_each(scaled);
        self.radius = self.radius.scale_by_power(exponent);
        if let Some(discs) = &mut self.discs {
            discs.centers.iter_mut().for_each(scaled);
            discs.radii = discs.radii.map(|x| x.scale_by_power(exponent));
        }
    }

    fn face(&self, view: &View, tangent: f64, band: f64) -> Option<Face> {
        match &self.discs {
            Some(discs) => round::supporting(discs, view, tangent),
            None => Some(supporting(&self.points, view, tangent, band)),
        }
    }
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
    let view = View::new(V::DIM, along, witness[0]);
    // Subnormal numbers are rounded to the smallest one.
    let coarse = V::Scalar::TINIEST.to_f64().scale_by_power(exponent);
    let rounding = Scalar::max(V::Scalar::ROUNDING.to_f64(), coarse);
    let band = BAND_ROUNDINGS * rounding;
    let face = |body: &Option<Placed>, view: &View, witness: Triple| {
        let face = body
            .as_ref()
            .and_then(|body| body.face(view, options.tangent(), band));
        face.unwrap_or_else(|| Face::smooth(witness, view))
    };
    let behind = view.from_behind();
    let faces = [
        face(&bodies[0], &view, witness[0]),
        face(&bodies[1], &behind, witness[1]).turned(&view),
    ];
    let numbered = |face: &Face| face.naming == Naming::Vertices;
    manifold.face_a = lowest_first(faces[0].ids.iter().copied().filter(|_| numbered(&faces[0])));
    manifold.face_b = lowest_first(
        faces[1]
            .ids
            .iter()
            .rev()
            .copied()
            .filter(|_| numbered(&faces[1])),
    );
    let scene = Scene {
        view,
        faces: [&faces[0], &faces[1]],
        radii: bodies
            .each_ref()
            .map(|body| body.as_ref().map_or(0.0, |body| body.radius)),
        band,
        rounding: LIFT_ROUNDINGS
            * Scalar::max(UNIT_ROUNDOFF, f64::TINIEST.scale_by_power(exponent)),
        exchanged: manifold.face_b < manifold.face_a,
        distance: [contact.signed_distance.lower, contact.signed_distance.upper]
            .map(|x| x.to_f64().scale_by_power(exponent)),
    };
    let smooth = faces.iter().any(|face| face.naming == Naming::Nothing);
    let mut found = if smooth { Vec::new() } else { scene.corners() };
    if found
        .iter()
        .all(|f| f.candidate.separation - f.candidate.off > scene.distance[1])
    {
        // The corners of a cap leave out what is between them and the rim.
        found.clear();
    }
    if found.is_empty() {
        manifold
            .points
            .push(scene.nearest(manifold, witness, -exponent));
        return;
    }
    manifold.kind = kind(&faces);
    scene.choose(manifold, &found, options, -exponent);
}

/// A ring that begins with its lowest number; of an edge or a vertex in ascending order.
fn lowest_first(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    let lowest = (0..ids.len()).min_by_key(|&k| ids[k]).unwrap_or(0);
    ids.rotate_left(lowest);
    ids
}

fn kind(faces: &[Face; 2]) -> ManifoldKind {
    let [a, b] = faces.each_ref().map(|face| face.points.len());
    match (a.min(b), a.max(b)) {
        (0 | 1, _) => ManifoldKind::Point,
        (2, 2) => ManifoldKind::EdgeEdge,
        (2, _) => ManifoldKind::FaceEdge,
        _ => ManifoldKind::FaceFace,
    }
}

impl Scene<'_> {
    /// The corners of the contact polygon, counter-clockwise.
    fn corners(&self) -> Vec<Found> {
        let [a, b] = self.faces;
        let mut found: Vec<Found> = Vec::new();
        for corner in intersect(&a.flat, &b.flat, self.band) {
            let next = self.found(corner);
            if found.iter().all(|other| other.features != next.features) {
                found.push(next);
            }
        }
        let candidates: Vec<Candidate> = found.iter().map(|f| f.candidate).collect();
        around(&candidates).into_iter().map(|k| found[k]).collect()
    }

    fn found(&self, corner: Corner) -> Found {
        let [a, b] = self.faces;
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
                crossed(a, i, place, self.band),
                crossed(b, j, place, self.band),
            ],
            _ => self.faces.map(|face| feature(face, place, self.band)),
        };
        let core = dot(self.view.along, subtract(on_b, on_a));
        // A place along an edge is as far off as the band, and edges may be tilted.
        let along_edges = if self.faces.iter().any(|face| face.points.len() == 2) {
            self.band
        } else {
            0.0
        };
        // The normal of a round body's contact is as good as its distance.
        let is_round = |face: &&Face| face.naming != Naming::Vertices;
        let loose = if self.faces.iter().any(is_round) {
            2.0 * (self.distance[1] - self.distance[0])
        } else {
            0.0
        };
        Found {
            candidate: Candidate {
                place,
                separation: core - self.radii[0] - self.radii[1],
                off: a.off + b.off + self.rounding + along_edges + loose,
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
        let [a, b] = self.faces;
        let (side_a, side_b) = (side(&a.flat, i), side(&b.flat, j));
        let at = |face: &Face, k: usize, part: f64| {
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
        let [part_a, part_b] = match self.faces.map(|face| face.naming != Naming::Vertices) {
            [true, true] => [0.5, -0.5],
            [true, false] => [1.0, 0.0],
            [false, true] => [0.0, -1.0],
            [false, false] => [0.0, 0.0],
        };
        let moved = [
            plus(witness[0], drift, part_a),
            plus(witness[1], drift, part_b),
        ];
        let name = |k: usize| feature(self.faces[k], self.view.flat(moved[k]), self.band);
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
