//! The steps of a manifold: the contact, the supporting faces, their intersection, names, and the choice of points.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, feature_id};
use super::faces::{Bearing, FaceIds};
use super::names::{corner, crossed, feature, inside};
use super::options::ManifoldOptions;
use super::placed::{Placed, larger, largest_of, placed};
use super::polygon::{Corner, counter_clockwise, crossing, intersect, side};
use super::reduce::{Candidate, ContactPolygon};
use super::round::Naming;
use super::view::{Flat, View, next_of, unit};
use crate::Stop;
use crate::answer::{Contact, Iterations, Verdict};
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Interval, Pose, Ring, Scalar, Vector, exponent_of};
use crate::pair::Pair;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{NO_ID, Posed, Support};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// What a posed vertex of a face may be off the face's plane, and a corner off the side that it is meant to be on, in roundings of the scalar a unit of
/// the largest coordinate: the pose's entries and the vertices are rounded once each, and posed with 4 more, three times over for a plane through three
/// of them; the rest is room for bodies that are placed by a few operations of the caller.
const CORNER_ROUNDINGS: f64 = 64.0;

/// What a separation costs, in roundings of `f64` a unit of the largest coordinate: two differences, an inner product of three and a quotient by a
/// cosine of at least a half, of coordinates that are a few sizes apart.
const LIFT_ROUNDINGS: f64 = 32.0;

/// Bodies within this power of two of one are measured as they are: their squares and the products of four of their lengths are floats with all bits, beside
/// a rounding of the largest.
const UNSCALED_POWER_MAX: i32 = 64;

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
struct Encounter<'e> {
    view: View,
    faces: &'e [Bearing; 2],
    radii: [f64; 2],
    measures: Measures,
    /// The numbered vertices of both, each seen from outside.
    rings: &'e [FaceIds; 2],
    /// The face of B has lower numbers than that of A.
    exchanged: bool,
    /// What a separation may be off.
    off: f64,
    normal: Normal,
}

type Candidates = SmallVec<[Candidate; 8]>;

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
        let mut bodies = [placed(a, pose_a), placed(b, pose_b)];
        fill(
            &mut manifold,
            &mut bodies,
            along,
            options,
            Normal::OfContact,
        );
    }
    manifold
}

/// Where a normal comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Normal {
    /// It is the contact's, so that there is a point.
    OfContact,
    /// It is the caller's: parts that are not over one another, or farther apart than the prediction, have none.
    Given,
}

/// The manifold of two bodies along a normal of the caller's: without points where what supports the two is not over one another.
pub(crate) fn along<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    normal: V,
    options: &ManifoldOptions<V::Scalar>,
) -> Manifold<V> {
    let contact = facing_planes(&Posed::new(a, *pose_a), &Posed::new(b, *pose_b), normal);
    let mut manifold = Manifold {
        contact,
        kind: ManifoldKind::Point,
        points: Vec::new(),
        face_a: Vec::new(),
        face_b: Vec::new(),
        area: V::Scalar::ZERO,
        complete: true,
    };
    if let Some(along) = unit(normal.to_f64())
        && contact.stop != Stop::Overflow
        && contact.signed_distance.lower <= options.prediction()
    {
        let mut bodies = [placed(a, pose_a), placed(b, pose_b)];
        fill(&mut manifold, &mut bodies, along, options, Normal::Given);
    }
    manifold
}

/// What the two planes across a normal tell that support the bodies: their gap, and the points that they have of the bodies.
fn facing_planes<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &Posed<'_, V, A>,
    b: &Posed<'_, V, B>,
    normal: V,
) -> Contact<V> {
    let wide = normal.lift::<V::Wide>();
    let point_a = a.support(wide, NO_ID).point + wide * a.radius();
    let point_b = b.support(-wide, NO_ID).point - wide * b.radius();
    let gap = wide.dot(point_b - point_a);
    let size: f64 = a.sizes().iter().chain(&b.sizes()).sum();
    let share = LIFT_ROUNDINGS * UNIT_ROUNDOFF + a.shape_rounding() + b.shape_rounding();
    let off = (size + a.radius() + b.radius()) * share;
    let signed_distance = Interval {
        lower: V::Scalar::round_down((gap - off).next_down()),
        upper: -V::Scalar::round_down((-gap - off).next_down()),
    };
    let is_known = gap.is_finite() && off.is_finite();
    let is_apart = is_known && signed_distance.lower > V::Scalar::ZERO;
    Contact {
        verdict: if is_apart {
            Verdict::Separated
        } else {
            Verdict::Undecided
        },
        exact: false,
        signed_distance,
        normal,
        point_a: point_a.lift(),
        point_b: point_b.lift(),
        stop: if is_known {
            Stop::SeparatingDirection
        } else {
            Stop::Overflow
        },
        iterations: Iterations::default(),
    }
}

fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    bodies: &mut [Option<Placed>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    normal: Normal,
) {
    let contact = manifold.contact;
    let mut witness = [contact.point_a.to_f64(), contact.point_b.to_f64()];
    let sizes = bodies.iter().flatten().map(Placed::largest);
    let largest = sizes.chain(witness.map(largest_of)).fold(0.0, larger);
    let power = -exponent_of(largest);
    // Numbers of middle size stay as they are: all but what is rounded of them is the same at any power of two.
    let exponent = if power.abs() <= UNSCALED_POWER_MAX {
        0
    } else {
        for body in bodies.iter_mut().flatten() {
            body.scale(power);
        }
        witness = witness.map(|x| x.map(|c| c.scale_by_power(power)));
        power
    };
    let unit = 1.0.scale_by_power(exponent - power);
    // Subnormal numbers are rounded to the smallest one.
    let rounding = |own: f64, tiniest: f64| Scalar::max(own, tiniest.scale_by_power(power));
    let coarse = rounding(V::Scalar::ROUNDING.to_f64(), V::Scalar::TINIEST.to_f64());
    let bounds = [contact.signed_distance.lower, contact.signed_distance.upper];
    let measures = Measures {
        tangent: options.tangent(),
        band: CORNER_ROUNDINGS * coarse * unit,
        rounding: LIFT_ROUNDINGS * rounding(UNIT_ROUNDOFF, f64::TINIEST) * unit,
        distance: bounds.map(|x| x.to_f64().scale_by_power(exponent)),
    };
    let view = View::new(V::DIM, along, witness[0]);
    let scaled = ScaledView {
        measures,
        view,
        witness,
        exponent,
    };
    meet(manifold, bodies, &scaled, options, normal);
}

/// How a pair is seen and measured in the scaled world.
struct ScaledView {
    measures: Measures,
    view: View,
    witness: [Triple; 2],
    exponent: i32,
}

/// Finds the faces, their intersection, and the points.
#[inline(always)]
fn meet<V: Vector>(
    manifold: &mut Manifold<V>,
    bodies: &[Option<Placed>; 2],
    scaled: &ScaledView,
    options: &ManifoldOptions<V::Scalar>,
    normal: Normal,
) {
    let ScaledView {
        measures,
        view,
        witness,
        exponent,
    } = *scaled;
    let mut faces = [Bearing::new(), Bearing::new()];
    bear(bodies, &view, &measures, witness, &mut faces);
    let rings = rings(&faces);
    [manifold.face_a, manifold.face_b] = rings.each_ref().map(|ring| ring.to_vec());
    let radius = |body: &Option<Placed>| body.as_ref().map_or(0.0, |body| body.radius);
    let encounter = Encounter {
        view,
        faces: &faces,
        radii: bodies.each_ref().map(radius),
        measures,
        rings: &rings,
        exchanged: rings[1] < rings[0],
        off: off(&faces, &measures),
        normal,
    };
    let mut found = Candidates::new();
    encounter.corners(&mut found);
    if found.is_empty() {
        if normal == Normal::Given {
            return;
        }
        let nearest = encounter.nearest(manifold.contact.signed_distance, witness, -exponent);
        manifold.points.push(nearest);
        return;
    }
    manifold.kind = kind(&faces);
    encounter.choose(manifold, &found, options, -exponent);
}

/// Finds what bears of either body, seen in the view.
fn bear(
    bodies: &[Option<Placed>; 2],
    view: &View,
    measures: &Measures,
    witness: [Triple; 2],
    faces: &mut [Bearing; 2],
) {
    let Measures { tangent, band, .. } = *measures;
    // A body of discs needs the other's face.
    let is_round = |k: usize| bodies[k].as_ref().is_some_and(Placed::is_round);
    for k in if is_round(0) { [1, 0] } else { [0, 1] } {
        let seen = [*view, view.behind()][k];
        let other = &faces[1 - k];
        let against = match other.naming {
            Naming::Vertices => other.normal.map(|x| -x),
            _ => seen.along,
        };
        let (body, face) = (bodies[k].as_ref(), &mut faces[k]);
        if body
            .and_then(|body| body.bear(&seen, against, tangent, band, face))
            .is_none()
        {
            face.be_smooth(witness[k], &seen);
        }
    }
    faces[1].turn(view);
}

/// A ring that begins with its lowest number; of an edge or a vertex in ascending order.
fn lowest_first(ids: impl Iterator<Item = u32>) -> FaceIds {
    let mut ids: FaceIds = ids.collect();
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

/// The numbered vertices of both faces, each seen from outside.
fn rings(faces: &[Bearing; 2]) -> [FaceIds; 2] {
    let [a, b] = faces.each_ref().map(|face| match face.naming {
        Naming::Vertices => face.ids.as_slice(),
        _ => &[],
    });
    [
        lowest_first(a.iter().copied()),
        lowest_first(b.iter().rev().copied()),
    ]
}

/// What a separation between two faces may be off.
fn off(faces: &[Bearing; 2], measures: &Measures) -> f64 {
    // A place along an edge is as far off as the band, and edges may be tilted.
    let along_edges = if faces.iter().any(|face| face.points.len() == 2) {
        measures.band
    } else {
        0.0
    };
    // The normal of a round body's contact is as good as its distance.
    let is_round = |face: &Bearing| face.naming != Naming::Vertices;
    let loose = if faces.iter().any(is_round) {
        2.0 * (measures.distance[1] - measures.distance[0])
    } else {
        0.0
    };
    faces[0].off + faces[1].off + measures.rounding + along_edges + loose
}

impl Encounter<'_> {
    /// Finds the corners of the contact polygon, in no order.
    fn corners(&self, found: &mut Candidates) {
        let [a, b] = self.faces;
        let is_smooth = self.faces.iter().any(|face| face.naming == Naming::Nothing);
        if is_smooth && self.normal == Normal::OfContact {
            return;
        }
        for corner in &intersect(&a.flat, &b.flat, self.measures.band) {
            let next = self.found(*corner);
            if found.iter().all(|other| other.features != next.features) {
                found.push(next);
            }
        }
        if self.normal == Normal::Given {
            return;
        }
        // A corner that is on a side within the band is off its place by as much, and the planes are higher or lower there as they are tilted.
        let slopes = a.slope(&self.view) + b.slope(&self.view);
        let deepest = self.measures.distance[1] + self.off + self.measures.band * slopes;
        let above = |c: &Candidate| c.separation > deepest;
        if found.iter().all(above) {
            // The corners of a cap leave out what is between them and the rim.
            found.clear();
        }
    }

    fn found(&self, meeting: Corner) -> Candidate {
        let [a, b] = self.faces;
        let band = self.measures.band;
        let other = |face: &Bearing, place: Flat, clear: bool| {
            if clear {
                inside(face)
            } else {
                feature(face, place, band)
            }
        };
        let (place, [on_a, on_b], features) = match meeting {
            Corner::First(k, clear) => {
                let (x, place) = (a.points[k], a.flat[k]);
                let features = [corner(a, k), other(b, place, clear)];
                (place, [x, self.lifted(1, x, place)], features)
            }
            Corner::Second(k, clear) => {
                let (x, place) = (b.points[k], b.flat[k]);
                let features = [other(a, place, clear), corner(b, k)];
                (place, [self.lifted(0, x, place), x], features)
            }
            Corner::Cross(i, j) => {
                let (place, points) = self.crossed(i, j);
                let features = [crossed(a, i, place, band), crossed(b, j, place, band)];
                (place, points, features)
            }
        };
        let core = dot(self.view.along, subtract(on_b, on_a));
        Candidate {
            place,
            separation: core - self.radii[0] - self.radii[1],
            features: self.in_order(features),
            point_a: plus(on_a, self.view.along, self.radii[0]),
        }
    }

    /// Features of A and B in the order of their faces' numbers, and back.
    fn in_order(&self, [a, b]: [ContactFeature; 2]) -> [ContactFeature; 2] {
        if self.exchanged { [b, a] } else { [a, b] }
    }

    fn lifted(&self, body: usize, from: Triple, place: Flat) -> Triple {
        self.faces[body].lift(from, place, &self.view)
    }

    /// The points of two sides that cross.
    fn crossed(&self, i: usize, j: usize) -> (Flat, [Triple; 2]) {
        let [a, b] = self.faces;
        let (side_a, side_b) = (side(&a.flat, i), side(&b.flat, j));
        let at = |face: &Bearing, k: usize, part: f64| {
            let (from, to) = (face.points[k], face.points[next_of(k, face.points.len())]);
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
        separation: Interval<V::Scalar>,
        witness: [Triple; 2],
        exponent: i32,
    ) -> ManifoldPoint<V> {
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
        let points = moved.map(|x| world(x, exponent));
        self.point(points, separation, [name(0), name(1)])
    }

    /// Keeps the points within the prediction, and as many as wanted.
    fn choose<V: Vector>(
        &self,
        manifold: &mut Manifold<V>,
        found: &[Candidate],
        options: &ManifoldOptions<V::Scalar>,
        exponent: i32,
    ) {
        let mut separations = SmallVec::<[Interval<V::Scalar>; 8]>::new();
        for candidate in found {
            separations.push(separation::<V>(candidate.separation, self.off, exponent));
        }
        let is_near = |&&k: &&usize| separations[k].lower <= options.prediction();
        let mut polygon = ContactPolygon {
            all: found,
            order: &counter_clockwise(found.len(), |k| found[k].place),
            off: self.off,
        };
        let mut near = SmallVec::<[usize; 8]>::new();
        for &k in polygon.order.iter().filter(is_near) {
            near.push(k);
        }
        if near.is_empty() {
            if self.normal == Normal::Given {
                return;
            }
            near.push(polygon.order[polygon.deepest()]);
        }
        polygon.order = &near;
        if manifold.kind == ManifoldKind::FaceFace {
            let area = polygon.area().scale_by_power(exponent);
            manifold.area = V::Scalar::from_f64(area.scale_by_power(exponent));
        }
        let most = options
            .points_max()
            .map_or(usize::MAX, |most| most as usize);
        let mut kept = polygon.reduced(most);
        if V::DIM == 2 {
            kept.sort_by(|&i, &j| polygon.at(i).place[0].total_cmp(&polygon.at(j).place[0]));
        }
        manifold.complete = kept.len() == near.len();
        manifold.points.reserve_exact(kept.len());
        for &k in &kept {
            let Candidate {
                separation,
                features,
                point_a,
                ..
            } = polygon.at(k);
            let on_b = plus(*point_a, self.view.along, *separation);
            let points = [world(*point_a, exponent), world(on_b, exponent)];
            let point = self.point(points, separations[near[k]], self.in_order(*features));
            manifold.points.push(point);
        }
    }

    fn point<V: Vector>(
        &self,
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
            id: feature_id(features, [&self.rings[0], &self.rings[1]]),
        }
    }
}

/// A point in the world's unit; adding zero leaves no negative zeros.
fn world<V: Vector>(x: Triple, exponent: i32) -> V {
    V::from_f64(x.map(|c| c.scale_by_power(exponent) + 0.0))
}

/// A separation in the world's unit.
fn separation<V: Vector>(separation: f64, off: f64, exponent: i32) -> Interval<V::Scalar> {
    let lower = |x: f64| {
        let length = x.scale_by_power(exponent);
        // Subnormal numbers are rounded.
        let rounded = x != 0.0 && length.abs() < 2.0 * f64::MIN_POSITIVE;
        V::Scalar::round_down(if rounded { length.next_down() } else { length })
    };
    Interval {
        lower: lower((separation - off).next_down()),
        upper: -lower((-separation - off).next_down()),
    }
}
