//! Times of impact: cases that turn, and their oracle.
//!
//! Idea: the sign of the widest gap along all normals of faces and all products of edges says whether two hulls meet. The oracle places the points at many times, by a
//! quaternion of its own, and looks between them for the least gap by halving. It calls nothing that answers motions. It is as exact as `f64` sums are; the checker of
//! certificates, whose numbers have 384 digits, is the second judge, and of motions without turns the exact cast is a third.

use super::{MotionCase, MotionTally, counted};
use crate::case::{Body, Fuzzed, Placement};
use crate::motions::generate::{body, boxed, cast, lattice, middle_unit, snapped, vector};
use crate::motions::samples::{cross, deepest, dot, has_sliver, lasted, meets_until};
use crate::motions::vertices::{held, passage};
use crate::{Rng, Space};
use gjk::math::Scalar;
use gjk::query::{
    CastAnswer, CastCertificate, CastProof, ChainContact, Meeting, Start, ToiOptions, Touch, Twist,
    prove_cast, prove_toi, toi,
};
use gjk::shape::MovingVertices;
use gjk::verify::{Verified, verify_toi};
use gjk::{Pose, Support, Vector};
use gjk_query::convert::Space as QuerySpace;
use std::time::Instant;

/// How a body turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spin {
    pub(crate) angular: [f64; 3],
    pub(crate) center: [f64; 3],
    /// Where it goes by nlerp instead, and not by velocities.
    pub(crate) goal: Option<Placement>,
}

/// A gap of less than this part of the size is a touch to the oracle.
const GAP_MARGIN: f64 = 1e-11;

/// Bodies that move so many times their size in a unit of time are beyond the checker's digits, or nearly.
const SPAN_MAX: f64 = (1u128 << 98) as f64;

/// Bodies, velocities and turns.
pub(super) type Scenery = ([Body; 2], [[f64; 3]; 2], [Spin; 2]);

/// A case of one of five kinds.
pub(super) fn scenery(rng: &mut Rng, space: Space) -> Scenery {
    match rng.below(6) {
        0 => swing(rng, space),
        1 => still(rng, space),
        _ => free(rng, space),
    }
}

fn spin(rng: &mut Rng, space: Space, size: f64, unit: f64) -> Spin {
    let mut angular: [f64; 3] = std::array::from_fn(|_| snapped(space, rng.range(-size, size)));
    if space.dim == 2 {
        (angular[0], angular[1]) = (0.0, 0.0);
    }
    let center = match rng.below(3) {
        0 => [0.0; 3],
        1 => vector(rng, space, unit),
        _ => lattice(rng, space, 4, unit),
    };
    Spin {
        angular,
        center,
        goal: None,
    }
}

/// Where a body that is not turned at the start goes to.
fn goal(rng: &mut Rng, space: Space, body: &Body, velocity: [f64; 3]) -> Option<Placement> {
    let place = body.pose.unwrap_or(Placement {
        columns: Placement::STRAIGHT,
        translation: [0.0; 3],
    });
    (place.columns == Placement::STRAIGHT).then(|| Placement {
        columns: rng
            .rotation(space.dim)
            .map(|c| c.map(|x| snapped(space, x))),
        translation: std::array::from_fn(|k| snapped(space, place.translation[k] + velocity[k])),
    })
}

/// Two bodies near each other that move and turn, a little or many times.
fn free(rng: &mut Rng, space: Space) -> Scenery {
    let unit = middle_unit(rng, space);
    let (a, mut b) = (body(rng, space, unit, 5), body(rng, space, unit, 4));
    let mut place = b.pose.take().unwrap_or(Placement {
        columns: Placement::STRAIGHT,
        translation: [0.0; 3],
    });
    let away = vector(rng, space, 8.0 * unit);
    place.translation = std::array::from_fn(|k| snapped(space, place.translation[k] + away[k]));
    let back: [f64; 3] = std::array::from_fn(|k| snapped(space, -rng.range(0.0, 1.5) * away[k]));
    b.pose = Some(place);
    let rate = rng.pick(&[0.0, 0.1, 1.0, 4.0, 4.0, 40.0]);
    let mut spins = [spin(rng, space, rate, unit), spin(rng, space, rate, unit)];
    let common = vector(rng, space, unit);
    let other = std::array::from_fn(|k| snapped(space, common[k] + back[k]));
    for (k, (body, velocity)) in [(&a, common), (&b, other)].into_iter().enumerate() {
        if rng.one_in(3) {
            spins[k].goal = goal(rng, space, body, velocity);
        }
    }
    ([a, b], [common, other], spins)
}

/// A bar over a floor, of which the tip dips in, clears it or touches it by a hair.
fn swing(rng: &mut Rng, space: Space) -> Scenery {
    let unit = middle_unit(rng, space);
    let up = space.dim - 1;
    let mut half = [unit; 3];
    half[0] = 4.0 * unit;
    let thin = rng.pick(&[0.5, 0.0625]) * unit;
    half[up] = thin;
    let mut wide = [16.0 * unit; 3];
    wide[up] = unit;
    let tip = (half[0] * half[0] + thin * thin).sqrt();
    let off = rng.pick(&[0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0]) * rng.pick(&[1.0, -1.0]);
    let mut place = [0.0; 3];
    place[up] = snapped(space, unit + tip + off * unit);
    let (floor, mut bar) = (boxed(space, wide), boxed(space, half));
    bar.pose = Some(Placement {
        columns: Placement::STRAIGHT,
        translation: place,
    });
    let rate = rng.pick(&[3.0, 2.5, 3.140_625, 12.0, 100.0]) * rng.pick(&[1.0, -1.0]);
    let mut angular = [0.0; 3];
    angular[if space.dim == 2 { 2 } else { 1 }] = rate;
    let spins = [
        Spin::default(),
        Spin {
            angular,
            ..Spin::default()
        },
    ];
    let drift = std::array::from_fn(|k| {
        if k == 0 {
            snapped(space, rng.range(-unit, unit))
        } else {
            0.0
        }
    });
    ([floor, bar], [[0.0; 3], drift], spins)
}

/// Bodies that do not turn, of the lattice: the exact cast knows the truth.
fn still(rng: &mut Rng, space: Space) -> Scenery {
    let unit = middle_unit(rng, space);
    let (bodies, velocities, _) = cast(rng, space, unit);
    (bodies, velocities, [Spin::default(); 2])
}

/// The case as the library takes it, answered.
struct AskedToi<V: Vector> {
    shapes: [gjk::shape::Shape<V>; 2],
    poses: [Pose<V>; 2],
    twists: [Twist<V>; 2],
    options: ToiOptions<V::Scalar>,
}

impl<V: QuerySpace> AskedToi<V> {
    fn of(case: &MotionCase, spins: &[Spin; 2]) -> Result<Option<Self>, String> {
        let [a, b] = &case.bodies;
        let (Some(Fuzzed::Shape(shape_a)), Some(Fuzzed::Shape(shape_b))) =
            (a.shape::<V>(), b.shape::<V>())
        else {
            return Ok(None);
        };
        let mut shapes = [shape_a, shape_b];
        for (k, ends) in case.ends.iter().flatten().enumerate() {
            if !ends.is_empty() {
                let wide = |list: &[[f64; 3]]| list.iter().map(|&x| V::from_f64(x)).collect();
                let (from, to): (Vec<V>, Vec<V>) = (wide(&case.bodies[k].points), wide(ends));
                let moving = MovingVertices::new(&from, &to).map_err(|e| e.to_string())?;
                shapes[k] = moving.into();
            }
        }
        let twist = |k: usize| {
            let center = V::from_f64(spins[k].center);
            if let Some(goal) = spins[k].goal {
                let body = &case.bodies[k];
                let there = Body {
                    pose: Some(goal),
                    ..Body::default()
                };
                let (from, to) = (body.library_pose(), there.library_pose());
                return Twist::nlerp(&from, &to, center).map_err(|e| e.to_string());
            }
            let angular = spins[k].angular.map(V::Scalar::from_f64);
            Twist::new(V::from_f64(case.velocities[k]), angular, center).map_err(|e| e.to_string())
        };
        Ok(Some(Self {
            shapes,
            poses: [a.library_pose(), b.library_pose()],
            twists: [twist(0)?, twist(1)?],
            options: ToiOptions::default().with_motion(case.options()?),
        }))
    }
}

/// Asks and judges a case.
pub(super) fn examine<V: QuerySpace>(
    case: &MotionCase,
    spins: &[Spin; 2],
    tally: &mut MotionTally,
) -> Result<(), String> {
    let Some(asked) = AskedToi::<V>::of(case, spins)? else {
        return Ok(());
    };
    let ([a, b], [at, there]) = (&asked.shapes, &asked.poses);
    let [of_a, of_b] = &asked.twists;
    let start = Instant::now();
    let proof = prove_toi(a, at, of_a, b, there, of_b, &asked.options);
    tally.answered(start);
    let start = Instant::now();
    let answer = &proof.answer;
    *tally.verdicts.entry(answer.verdict.name()).or_default() += 1;
    *tally.stops.entry(answer.stop.name()).or_default() += 1;
    if let (Meeting::Hits, Some(time)) = (answer.verdict, answer.time) {
        let duration = asked.options.max_time().to_f64();
        tally.widest = tally
            .widest
            .max((time.upper.to_f64() - time.lower.to_f64()) / duration);
    }
    let mut found = beside_the_cast(case, &asked, &proof, tally);
    let exits = answer.verdict == Meeting::Exits;
    let usual = (case.start, case.touch) == (Start::Hit, Touch::Counts);
    if case.is_sharp() && (usual || exits) && found.is_ok() {
        tally.judged += 1;
        found = beside_the_bodies(case, &asked, &proof);
        tally.wrong += u64::from(found.is_err());
    }
    if found.is_ok() {
        let proved = verify_toi(a, at, of_a, b, there, of_b, &asked.options, &proof);
        found = proved
            .map_err(|error| error.to_string())
            .and_then(|proved| counted_turn(case, &proof, proved, tally));
        tally.unverified += u64::from(found.is_err());
    }
    if found.is_ok() {
        let plain = toi(a, at, of_a, b, there, of_b, &asked.options);
        found = beside_the_proof(case, &asked, &proof, plain);
        tally.wrong += u64::from(found.is_err());
    }
    tally.nanoseconds[1] += start.elapsed().as_nanos() as u64;
    found
}

/// Holds an answer without a proof against the one with it: closed forms may answer it, so that it has other bits.
fn beside_the_proof<V: QuerySpace>(
    case: &MotionCase,
    asked: &AskedToi<V>,
    proof: &CastProof<V>,
    plain: CastAnswer<V>,
) -> Result<(), String> {
    let known = &proof.answer;
    if plain == *known {
        return Ok(());
    }
    // The first contact is in both intervals.
    let overlap = match (known.time, plain.time) {
        (Some(known), Some(plain)) => known.overlaps(&plain),
        _ => true,
    };
    let open = |answer: &CastAnswer<V>| answer.verdict == Meeting::Undecided;
    let same = known.verdict == plain.verdict || open(known) || open(&plain);
    if !(same && overlap) {
        return Err(format!("without a proof: {plain:?}"));
    }
    if !case.is_sharp() {
        return Ok(());
    }
    let found = CastProof {
        answer: plain,
        features: Default::default(),
        certificate: None,
    };
    beside_the_bodies(case, asked, &found)
        .map_err(|why| format!("without a proof: {why}, {:?}", found.answer))
}

/// Holds the answer against cubics or samples.
fn beside_the_bodies<V: QuerySpace>(
    case: &MotionCase,
    asked: &AskedToi<V>,
    proof: &CastProof<V>,
) -> Result<(), String> {
    let answer = &proof.answer;
    let end = asked.options.max_time().to_f64();
    let times = answer.time.map(|x| [x.lower.to_f64(), x.upper.to_f64()]);
    let starts = matches!(
        answer.verdict,
        Meeting::StartsTouching | Meeting::StartsOverlapping | Meeting::Exits
    );
    let single = usize::from(V::Scalar::ROUNDING.to_f64() > f64::ROUNDING);
    match passage(case, [V::DIM, single], end) {
        // The contact of a start is judged by its certificate.
        Some(passage) if !starts => held(passage, answer.verdict, times),
        _ => sampled(case, asked, proof),
    }
}

/// Counts what is proved of an answer; some have no certificate.
fn counted_turn<V: QuerySpace>(
    case: &MotionCase,
    proof: &CastProof<V>,
    proved: Verified,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let answer = &proof.answer;
    // From rounding of a contact no piece goes on.
    let at_once = answer.verdict == Meeting::Hits
        && answer.time.is_some_and(|time| time.lower.to_f64() == 0.0);
    if answer.verdict == Meeting::Undecided || at_once {
        return Ok(());
    }
    // Numbers that span more than the checker's digits prove nothing.
    let scale = unit_scale(&case.bodies);
    let mut velocities = case.velocities.iter().flatten();
    if proved == Verified::default() && velocities.any(|v| (v * scale).abs() > SPAN_MAX) {
        return Ok(());
    }
    // A contact whose facets are slivers is stated without them.
    if answer.verdict == Meeting::Hits && proof.certificate.is_none() {
        return Err("no certificate".to_owned());
    }
    // One that ends is proved until there, but where the plane of a sliver is not known.
    let thin = case
        .bodies
        .iter()
        .any(|body| has_sliver(V::DIM, &body.points));
    if answer.verdict == Meeting::Exits && !(proved.upper && (proved.lower || thin)) {
        return Err("no proof until the end of contact".to_owned());
    }
    counted(case, proof, proved, tally)
}

/// Bodies that do not turn: the exact cast decides.
fn beside_the_cast<V: QuerySpace>(
    case: &MotionCase,
    asked: &AskedToi<V>,
    proof: &CastProof<V>,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let turns = case.ends.is_some()
        || asked
            .twists
            .iter()
            .any(|twist| twist.angular() != [0.0; 3] || twist.quaternion().is_some());
    let (start, touch) = (case.start, case.touch);
    if turns || start != Start::Hit || touch != Touch::Counts {
        return Ok(());
    }
    let ([a, b], [at, there]) = (&asked.shapes, &asked.poses);
    let [from, to] = case.velocities.map(V::from_f64);
    let exact = prove_cast(a, at, from, b, there, to, &asked.options.motion()).answer;
    let answer = &proof.answer;
    let holds = match (answer.time, exact.time) {
        (Some(time), Some(right)) => time.overlaps(&right),
        _ => true,
    };
    let same = answer.verdict == exact.verdict && holds;
    let open = answer.verdict == Meeting::Undecided && (exact.verdict == Meeting::Free || holds);
    if same || open || exact.verdict == Meeting::Undecided {
        return Ok(());
    }
    tally.wrong += 1;
    let names = (answer.verdict.name(), exact.verdict.name());
    Err(format!(
        "{} at {:?}, the cast {} at {:?}",
        names.0, answer.time, names.1, exact.time
    ))
}

/// A hull's points at the start, its centre and how it moves.
struct Placed {
    points: Vec<[f64; 3]>,
    /// What each changes by in a unit of time.
    drifts: Vec<[f64; 3]>,
    center: [f64; 3],
    velocity: [f64; 3],
    angular: [f64; 3],
    /// Of a motion by nlerp.
    quaternion: Option<[f64; 4]>,
}

impl Placed {
    fn of<V: QuerySpace>(case: &MotionCase, asked: &AskedToi<V>, k: usize, scale: f64) -> Self {
        let (body, shape) = (&case.bodies[k], &asked.shapes[k]);
        let vertices =
            (0..shape.core().vertex_count.unwrap_or(0)).filter_map(|id| shape.vertex(id));
        let world = vertices.map(|x| body.world(x.to_f64()).map(|x| x * scale));
        let points: Vec<[f64; 3]> = world.collect();
        let drift = |(id, from): (usize, &[f64; 3])| {
            let end = shape.end_vertex(id as u32);
            let to = end.map_or(*from, |x| body.world(x.to_f64()).map(|x| x * scale));
            std::array::from_fn(|k| to[k] - from[k])
        };
        let twist = &asked.twists[k];
        Self {
            drifts: points.iter().enumerate().map(drift).collect(),
            points,
            center: body.world(twist.center().to_f64()).map(|x| x * scale),
            velocity: twist.linear().to_f64().map(|x| x * scale),
            angular: twist.angular(),
            quaternion: twist.quaternion(),
        }
    }

    /// How fast its points go at most, of a hull of size one.
    fn speed(&self) -> f64 {
        let own = self.drifts.iter().map(|v| dot(*v, *v).sqrt());
        let turns = 4.0 * dot(self.angular, self.angular).sqrt();
        dot(self.velocity, self.velocity).sqrt() + own.fold(0.0, f64::max) + turns
    }

    /// The unit quaternion of the turn at a time: its vector, and its scalar part.
    fn turn(&self, time: f64) -> ([f64; 3], f64) {
        if let Some(q) = self.quaternion {
            let q = [
                time * q[0],
                time * q[1],
                time * q[2],
                1.0 - time + time * q[3],
            ];
            let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            return ([q[0] / size, q[1] / size, q[2] / size], q[3] / size);
        }
        let rate = dot(self.angular, self.angular).sqrt();
        let (sine, cosine) = (0.5 * rate * time).sin_cos();
        let part = if rate > 0.0 { sine / rate } else { 0.0 };
        (self.angular.map(|x| x * part), cosine)
    }

    /// The points at a time: each arm turned by a quaternion.
    fn at(&self, time: f64) -> Vec<[f64; 3]> {
        let (q, cosine) = self.turn(time);
        let place = |(p, drift): (&[f64; 3], &[f64; 3])| {
            let arm: [f64; 3] = std::array::from_fn(|k| p[k] + time * drift[k] - self.center[k]);
            let twice = cross(q, arm).map(|x| 2.0 * x);
            let across = cross(q, twice);
            std::array::from_fn(|k| {
                let turned = arm[k] + cosine * twice[k] + across[k];
                turned + (self.center[k] + time * self.velocity[k])
            })
        };
        self.points.iter().zip(&self.drifts).map(place).collect()
    }
}

/// Differences of all points of a body, one of those that are parallel.
fn differences(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut found: Vec<[f64; 3]> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for q in &points[i + 1..] {
            let e = std::array::from_fn(|k| q[k] - p[k]);
            let parallel = |f: &[f64; 3]| {
                let across = cross(e, *f);
                dot(across, across) <= 1e-26 * dot(e, e) * dot(*f, *f)
            };
            // Points may be doubled.
            if dot(e, e) > 0.0 && !found.iter().any(parallel) {
                found.push(e);
            }
        }
    }
    found
}

/// The widest gap along the directions that can separate two hulls: positive where they are apart, never more than their distance.
fn gap(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let (of_a, of_b) = (differences(a), differences(b));
    let mut widest = f64::NEG_INFINITY;
    let mut along = |n: [f64; 3]| {
        let size = dot(n, n).sqrt();
        if !(size > 1e-12) {
            return;
        }
        let heights = |points: &[[f64; 3]]| {
            let all = points.iter().map(|&p| dot(n, p) / size);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [low.min(x), high.max(x)]
            })
        };
        let ([low_a, high_a], [low_b, high_b]) = (heights(a), heights(b));
        widest = widest.max((low_b - high_a).max(low_a - high_b));
    };
    let all: Vec<[f64; 3]> = of_a.iter().chain(&of_b).copied().collect();
    if dim == 2 {
        for e in &all {
            along([-e[1], e[0], 0.0]);
            along(*e);
        }
    } else {
        for (i, e) in all.iter().enumerate() {
            for f in &all[i + 1..] {
                let n = cross(*e, *f);
                along(n);
                // Of bodies that are flat or thin.
                along(cross(n, *e));
                along(cross(n, *f));
            }
        }
    }
    // Bodies that span no space together: points, and points beside lines.
    for p in a {
        for q in b {
            let way: [f64; 3] = std::array::from_fn(|k| q[k] - p[k]);
            along(way);
            if dim == 3 && all.len() < 3 {
                all.iter().for_each(|e| along(cross(*e, cross(way, *e))));
            }
        }
    }
    // Points at one place have no direction, and a difference without inner points is never deep: a normal across it may be too short to be seen.
    let is_flat = a.len() + b.len() <= dim + 1 || dim == 3 && all.len() < 3;
    if !widest.is_finite() || is_flat {
        return widest.max(0.0);
    }
    widest
}

/// The factor by which the largest coordinate of the bodies is one.
fn unit_scale(bodies: &[Body; 2]) -> f64 {
    let numbers = bodies.iter().flat_map(|body| {
        let mut points = Vec::new();
        body.world_points(&mut points);
        points.into_iter().flatten()
    });
    let size = numbers.fold(0.0, |m: f64, x| m.max(x.abs()));
    if size > 0.0 { 1.0 / size } else { 1.0 }
}

/// Holds the answer against the bodies at many times.
fn sampled<V: QuerySpace>(
    case: &MotionCase,
    asked: &AskedToi<V>,
    proof: &CastProof<V>,
) -> Result<(), String> {
    let answer = &proof.answer;
    let end = asked.options.max_time().to_f64();
    let scale = unit_scale(&case.bodies);
    let [a, b] = [0, 1].map(|k| Placed::of(case, asked, k, scale));
    let gap_at = |time: f64| gap(V::DIM, &a.at(time), &b.at(time));
    // Far ways and many turns cost digits.
    let margin = GAP_MARGIN * (1.0 + end * (a.speed() + b.speed()));
    let (clear, met) = match (answer.verdict, answer.time) {
        (Meeting::Exits, Some(time)) => {
            return lasted([time.lower, time.upper].map(Scalar::to_f64), margin, gap_at);
        }
        (Meeting::Free, _) => (end, None),
        (Meeting::Hits | Meeting::Undecided, Some(time)) => {
            let upper = time.upper.to_f64();
            (
                time.lower.to_f64(),
                Some(upper).filter(|x| x.is_finite() && *x <= end),
            )
        }
        _ => return Ok(()),
    };
    // Bodies without volume are through each other at the upper end.
    let crosses = matches!(
        &proof.certificate,
        Some(CastCertificate::Chain {
            contact: Some(ChainContact::Crossing(_)),
            ..
        })
    );
    if let Some(upper) = met
        && !crosses
    {
        meets_until([clear, upper], margin, gap_at)?;
    }
    let deepest = deepest(clear, gap_at);
    if deepest.0 < -margin {
        return Err(format!(
            "{} until {clear}, but at {} they are {:e} deep",
            answer.verdict.name(),
            deepest.1,
            -deepest.0
        ));
    }
    Ok(())
}
