//! The steps of a manifold: the contact, the supporting faces, their intersection, names, and the choice of points.

use super::answer::{Manifold, ManifoldKind};
use super::box_plan::BoxPlan;
use super::boxes;
use super::cache::ManifoldCache;
use super::chosen::{CornerFrame, Normal, world};
use super::edges;
use super::faces::Bearing;
use super::inline::{FaceRing, ManifoldPoints};
use super::measures::Measures;
use super::names::{corner, crossed, feature, inside, side_of};
use super::options::ManifoldOptions;
use super::placed::Placed;
use super::polygon::{Corner, crossing, intersect, side};
use super::reduce::Candidate;
use super::round::Naming;
use super::view::{Flat, View, larger, largest_of, next_of, unit};
use crate::Stop;
use crate::answer::Contact;
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::pair::Pair;
use crate::support::Support;
use smallvec::SmallVec;

/// What bears on what, scaled.
struct Encounter<'e> {
    view: View,
    faces: [&'e Bearing; 2],
    radii: [f64; 2],
    measures: Measures,
    frame: CornerFrame,
}

type Candidates = SmallVec<[Candidate; 8]>;

/// The manifold of two bodies, with what a caller keeps of the last one.
pub(crate) fn kept_answer<T, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
    cache: &mut ManifoldCache<T>,
) -> Manifold<V> {
    answer(a, pose_a, b, pose_b, options, Some(&mut cache.plan))
}

/// A manifold of a contact, yet without points.
#[inline(always)]
pub(super) fn without_points<V: Vector>(contact: Contact<V>) -> Manifold<V> {
    Manifold {
        contact,
        kind: ManifoldKind::Point,
        points: ManifoldPoints::new(),
        face_a: FaceRing::new(),
        face_b: FaceRing::new(),
        area: V::Scalar::ZERO,
        complete: true,
    }
}

/// The manifold of two bodies.
pub(crate) fn answer<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) -> Manifold<V> {
    let (contact, beside) = Pair::new(a, pose_a, b, pose_b).contact_beside();
    let mut manifold = without_points(contact);
    let contact = &manifold.contact;
    let unknown = contact.stop == Stop::Overflow
        || !contact.point_a.is_finite()
        || !contact.point_b.is_finite();
    let along = unit(contact.normal.to_f64());
    if let Some(along) = along
        && !unknown
        && contact.signed_distance.lower <= options.prediction()
    {
        let cores = [&a.core(), &b.core()];
        let by_kind = if V::DIM == 2 {
            edges::fill(
                &mut manifold,
                cores,
                [pose_a, pose_b],
                along,
                options,
                beside,
            )
        } else {
            boxes::fill(&mut manifold, cores, [pose_a, pose_b], along, options, plan)
        };
        if by_kind.is_none() {
            let (a, b) = ((a, pose_a), (b, pose_b));
            fill_placed(&mut manifold, a, b, along, options, Normal::OfContact);
        }
    }
    manifold
}

/// Finds the faces of bodies of any kind, their intersection, and the points.
#[inline(never)]
pub(super) fn fill_placed<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    manifold: &mut Manifold<V>,
    (a, pose_a): (&A, &Pose<V>),
    (b, pose_b): (&B, &Pose<V>),
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    normal: Normal,
) {
    // Each where it stays: they are large.
    let (mut of_a, mut of_b) = (Placed::new(), Placed::new());
    // What leaves the range of floats is smooth: nothing is known of its surface but a point.
    let _ = (of_a.place(a, pose_a), of_b.place(b, pose_b));
    let bodies = [&mut of_a, &mut of_b];
    fill(manifold, bodies, along, options, normal);
}

/// Finds the faces of placed bodies along a normal, their intersection, and the points.
fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    mut bodies: [&mut Placed<'_>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    normal: Normal,
) {
    let contact = manifold.contact;
    let mut witness = [contact.point_a.to_f64(), contact.point_b.to_f64()];
    let sizes = bodies.iter().map(|body| body.largest());
    let largest = sizes.chain(witness.map(largest_of)).fold(0.0, larger);
    let measures = Measures::new(largest, &contact, options);
    let exponent = measures.exponent;
    if exponent != 0 {
        for body in bodies.iter_mut() {
            body.scale(exponent);
        }
        witness = witness.map(|x| x.map(|c| c.scale_by_power(exponent)));
    }
    let view = View::new(V::DIM, along, witness[0]);
    let (mut face_a, mut face_b) = (Bearing::new(), Bearing::new());
    let [of_a, of_b] = &bodies;
    let faces = [&mut face_a, &mut face_b];
    bear([of_a, of_b], &view, &measures, witness, faces);
    let faces = [&face_a, &face_b];
    manifold.face_a.be_lowest_first(numbers(&face_a), false);
    manifold.face_b.be_lowest_first(numbers(&face_b), true);
    let encounter = Encounter {
        view,
        faces,
        radii: [bodies[0].radius, bodies[1].radius],
        measures,
        frame: CornerFrame {
            along,
            exchanged: manifold.face_b < manifold.face_a,
            off: off(faces, &measures),
            exponent,
            normal,
        },
    };
    let mut found = Candidates::new();
    encounter.corners(&mut found);
    if found.is_empty() {
        if normal == Normal::Given {
            return;
        }
        encounter.nearest(manifold, witness, -exponent);
        return;
    }
    manifold.kind = kind(faces);
    encounter.frame.choose(manifold, &found, options);
}

/// Finds what bears of either body, seen in the view.
fn bear(
    bodies: [&Placed<'_>; 2],
    view: &View,
    measures: &Measures,
    witness: [Triple; 2],
    mut faces: [&mut Bearing; 2],
) {
    let Measures { tangent, band, .. } = *measures;
    // A body of discs needs the other's face.
    let is_round = |k: usize| bodies[k].is_round();
    for k in if is_round(0) { [1, 0] } else { [0, 1] } {
        let seen = [*view, view.behind()][k];
        let other = &*faces[1 - k];
        let against = match other.naming {
            Naming::Vertices => other.normal.map(|x| -x),
            _ => seen.along,
        };
        let face = &mut *faces[k];
        let found = bodies[k].bear(&seen, against, tangent, band, face);
        if found.is_none() {
            face.be_smooth(witness[k], &seen);
        }
    }
    faces[1].turn();
    faces.iter_mut().for_each(|face| face.see(view));
}

fn kind(faces: [&Bearing; 2]) -> ManifoldKind {
    let [a, b] = faces.map(|face| face.points.len());
    match (a.min(b), a.max(b)) {
        (0 | 1, _) => ManifoldKind::Point,
        (2, 2) => ManifoldKind::EdgeEdge,
        (2, _) => ManifoldKind::FaceEdge,
        _ => ManifoldKind::FaceFace,
    }
}

/// The numbered vertices of a face.
fn numbers(face: &Bearing) -> &[u32] {
    match face.naming {
        Naming::Vertices => &face.ids,
        _ => &[],
    }
}

/// What a separation between two faces may be off.
fn off(faces: [&Bearing; 2], measures: &Measures) -> f64 {
    // A place along an edge is as far off as the band, and edges may be tilted.
    let along_edges = if faces.iter().any(|face| face.points.len() == 2) {
        measures.band
    } else {
        0.0
    };
    // The normal of a round body's contact is as good as its distance.
    let is_round = |face: &&Bearing| face.naming != Naming::Vertices;
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
        let is_given = self.frame.normal == Normal::Given;
        let is_smooth = self.faces.iter().any(|face| face.naming == Naming::Nothing);
        if is_smooth && !is_given {
            return;
        }
        for corner in &intersect(&a.flat, &b.flat, self.measures.band) {
            let (next, is_clear) = self.found(*corner);
            // What is clear of all others has a name of its own.
            if is_clear || found.iter().all(|other| other.features != next.features) {
                found.push(next);
            }
        }
        if is_given {
            return;
        }
        let deepest = self.measures.distance[1] + self.frame.off;
        let all_above = |most: f64| found.iter().all(|c| c.separation > most);
        if !all_above(deepest) {
            return;
        }
        // A corner that is on a side within the band is off its place by as much, and the planes are higher or lower there as they are tilted.
        let slopes = a.slope(&self.view) + b.slope(&self.view);
        if all_above(deepest + self.measures.band * slopes) {
            // The corners of a cap leave out what is between them and the rim.
            found.clear();
        }
    }

    /// A corner, and whether it is known to be clear of all that it is not named by.
    #[inline(always)]
    fn found(&self, meeting: Corner) -> (Candidate, bool) {
        let [a, b] = self.faces;
        let band = self.measures.band;
        let wide = a.is_wide && b.is_wide;
        let other = |face: &Bearing, place: Flat, clear: bool| {
            if clear {
                inside(face)
            } else {
                feature(face, place, band)
            }
        };
        let (place, [on_a, on_b], features, is_clear) = match meeting {
            Corner::First(k, clear) => {
                let (x, place) = (a.points[k], a.flat[k]);
                let features = [corner(a, k), other(b, place, clear)];
                (place, [x, self.lifted(1, x, place)], features, clear)
            }
            Corner::Second(k, clear) => {
                let (x, place) = (b.points[k], b.flat[k]);
                let features = [other(a, place, clear), corner(b, k)];
                (place, [self.lifted(0, x, place), x], features, clear)
            }
            Corner::Cross(i, j, clear) => {
                let (place, points) = self.crossed(i, j);
                let is_clear = clear && wide;
                let features = if is_clear {
                    [side_of(a, i), side_of(b, j)]
                } else {
                    [crossed(a, i, place, band), crossed(b, j, place, band)]
                };
                (place, points, features, is_clear)
            }
        };
        let core = dot(self.view.along, subtract(on_b, on_a));
        let candidate = Candidate {
            place,
            separation: core - self.radii[0] - self.radii[1],
            features: self.frame.in_order(features),
            point_a: plus(on_a, self.view.along, self.radii[0]),
        };
        (candidate, is_clear)
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
    fn nearest<V: Vector>(&self, manifold: &mut Manifold<V>, witness: [Triple; 2], exponent: i32) {
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
        let name = |k: usize| feature(self.faces[k], self.view.flat(moved[k]), self.measures.band);
        let points = moved.map(|x| world(x, exponent));
        let separation = manifold.contact.signed_distance;
        manifold.take(points, separation, [name(0), name(1)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec2;
    use crate::random::Random;
    use crate::shape::{Cuboid, Polytope, Shape};

    type Body = Shape<Vec2<f64>>;

    impl Random {
        fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
            all[self.below(all.len())]
        }

        /// A body, and the outward angle of one of its edges.
        fn body(&mut self) -> (Body, f64) {
            let quarter = core::f64::consts::FRAC_PI_2;
            if self.share() < 0.4 {
                let half = Vec2::new(0.2 + self.share(), 0.2 + self.share());
                let angle = quarter * self.one_of(&[0.0, 1.0, 2.0, 3.0]);
                return (Cuboid::new(half).expect("half extents").into(), angle);
            }
            let count = 3 + (self.share() * 6.0) as usize;
            let step = 4.0 * quarter / count as f64;
            let angle = |k: usize| step * k as f64;
            let points = (0..count).map(|k| Vec2::new(angle(k).cos(), angle(k).sin()));
            let points: alloc::vec::Vec<_> = points.collect();
            let outward = angle((self.share() * count as f64) as usize) + 0.5 * step;
            (Polytope::new(&points).expect("corners").into(), outward)
        }

        /// Two bodies with edges that face each other, nearly or to the last bit.
        fn pair(&mut self) -> ([Body; 2], [Pose<Vec2<f64>>; 2]) {
            let (a, out_a) = self.body();
            let (b, out_b) = if self.share() < 0.2 {
                (a.clone(), out_a)
            } else {
                self.body()
            };
            let turn = self.one_of(&[0.0, 0.3, 2.0]);
            let tilt = self.one_of(&[0.0, 1e-15, 1e-12, 1e-9, -1e-6, 1e-3, -0.1, 0.25, 0.3]);
            let back = turn + out_a + core::f64::consts::PI - out_b + tilt;
            let from = Vec2::new(self.one_of(&[0.0, 1.0, 1e6]), self.share());
            let here = Pose::from_cos_sin(turn.cos(), turn.sin(), from);
            let normal = Vec2::new((turn + out_a).cos(), (turn + out_a).sin());
            let farther = self.share();
            let aside =
                self.one_of(&[0.0, 0.0, 1e-15, 1e-14, 0.3, -0.7]) + self.one_of(&[0.0, farther]);
            let at = |far: f64| {
                let at = from + normal * far + normal.perp() * aside;
                Pose::from_cos_sin(back.cos(), back.sin(), at)
            };
            let gap = Pair::new(&a, &here, &b, &at(9.0))
                .contact()
                .signed_distance
                .upper;
            let there = at(9.0 - gap + self.one_of(&[0.0, 1e-15, -1e-15, 0.01, -0.01, 0.2, -0.2]));
            ([a, b], [here, there])
        }
    }

    fn general(
        [a, b]: &[Body; 2],
        [here, there]: &[Pose<Vec2<f64>>; 2],
        options: &ManifoldOptions,
    ) -> Manifold<Vec2<f64>> {
        let mut manifold = without_points(Pair::new(a, here, b, there).contact());
        if manifold.contact.signed_distance.lower <= options.prediction() {
            let along = unit(manifold.contact.normal.to_f64()).expect("a normal");
            let (a, b) = ((a, here), (b, there));
            fill_placed(&mut manifold, a, b, along, options, Normal::OfContact);
        }
        manifold
    }

    /// Edges in the plane answer as bodies of any kind, to the last bit, with what the contact tells of its vertices and without.
    #[test]
    fn edges_and_the_search_have_the_same_manifolds() {
        let mut numbers = Random(7);
        let mut quick = 0;
        for case in 0..6000 {
            let (bodies, poses) = numbers.pair();
            let power = numbers.one_of(&[0, 0, 0, 30, -30, 100, -90, 500, -560]);
            let poses = poses.map(|pose| pose.scaled_by_power(power));
            let prediction = numbers.one_of(&[0.0, 0.05]).scale_by_power(power);
            let options = ManifoldOptions::default().with_prediction(prediction);
            let (a, b) = (&bodies[0], &bodies[1]);
            let found = answer(a, &poses[0], b, &poses[1], &options, None);
            let expected = general(&bodies, &poses, &options);
            assert_eq!(found, expected, "{case}: {poses:?}");
            if expected.points.is_empty() {
                continue;
            }
            let mut searched = without_points(expected.contact);
            let along = unit(searched.contact.normal.to_f64()).expect("a normal");
            let cores = [&a.core(), &b.core()];
            let poses = [&poses[0], &poses[1]];
            let known = edges::fill(&mut searched, cores, poses, along, &options, None);
            if known.is_some() {
                quick += 1;
                assert_eq!(searched, expected, "{case}: {poses:?}");
            }
        }
        assert!(quick > 1000, "{quick}");
    }
}
