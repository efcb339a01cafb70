//! Rays, casts and times of impact of convex bodies: adversarial cases, judged by fractions and by the checker of certificates.
//!
//! Where it sits: `gjk fuzz --family rays`, `--family casts`, `--family tois` (`tois.rs`), `--family vertices` (`vertices.rs`) and those on the brink (`brinks.rs`); `plain.rs` holds answers without a proof against those, and `lines.rs` writes cases as query lines. A case is a motion, so it is a query line of another kind than a pair's, and has its own counts.
//! Idea: a line meets a hull between points of triangles, edges and vertices of its points. The oracle intersects the line of the relative motion with each of those
//! of the differences of all points, by Cramer's rule in integers, and keeps the first place and the last. It calls nothing that answers motions. Bodies with a
//! radius are judged by `gjk::verify` alone, which proves the verdict and both ends of the time.

mod brinks;
mod generate;
mod lines;
mod oracle;
mod plain;
mod samples;
mod smooth;
mod tois;
mod vertices;

use crate::case::{Body, Fuzzed};
use crate::{Rng, Space};
use gjk::math::Scalar;
use gjk::query::{
    CastAnswer, CastProof, Meeting, MotionOptions, MotionStop, Ray, Start, Touch, cast, prove_cast,
    prove_ray, ray,
};
use gjk::shape::Shape;
use gjk::verify::{Verified, VerifyError, verify_cast, verify_ray};
use gjk::{Pose, Stop, Support, Vec2, Vec3, Vector};
use gjk_query::convert::Space as QuerySpace;
use gjk_scene::MotionQuerySpec;
use lines::spec;
use oracle::{MotionTruth, truth};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use tois::Spin;
use vertices::Ends;

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionFamily {
    /// Points against bodies.
    Rays,
    /// Bodies against bodies.
    Casts,
    /// Bodies that turn.
    Tois,
    /// Bodies whose vertices move by themselves.
    Vertices,
    /// Points that graze bodies, start or end on them, or pass a float beside.
    BrinkRays,
    /// Bodies that do.
    BrinkCasts,
    /// Bodies that do, of which half turn.
    BrinkTois,
    /// Points against cylinders, cones and ellipsoids.
    SmoothRays,
}

impl MotionFamily {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Rays,
        Self::Casts,
        Self::Tois,
        Self::Vertices,
        Self::BrinkRays,
        Self::BrinkCasts,
        Self::BrinkTois,
        Self::SmoothRays,
    ];

    /// The name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rays => "rays",
            Self::Casts => "casts",
            Self::Tois => "tois",
            Self::Vertices => "vertices",
            Self::BrinkRays => "brink-rays",
            Self::BrinkCasts => "brink-casts",
            Self::BrinkTois => "brink-tois",
            Self::SmoothRays => "smooth-rays",
        }
    }

    /// What it is, in the words of `gjk fuzz --list`.
    pub fn about(self) -> &'static str {
        match self {
            Self::Rays => {
                "rays at edges, vertices and faces, parallel to them, a rounding beside them, from on and inside of bodies, flat, thin, tiny and huge ones"
            }
            Self::Casts => {
                "two such bodies in motion, vertices, edges and faces at each other, with common velocities, distances and one rounding beside them"
            }
            Self::Tois => {
                "two such bodies that turn, a little or many times, bars whose tips dip into a floor by a hair or clear it, and motions without turns"
            }
            Self::Vertices => {
                "bodies whose vertices move each in a straight line: points and triangles, segments, hulls that change their shape, one beside a body that turns"
            }
            Self::BrinkRays => {
                "rays that graze edges and faces, pass thin and huge bodies, start on one or end on one, and one float beside each"
            }
            Self::BrinkCasts => "bodies that do so, some with a radius or a distance",
            Self::BrinkTois => {
                "bodies that do so, and bars that turn over floors, thin and huge ones too, to touch them, or a float beside"
            }
            Self::SmoothRays => {
                "rays at cylinders, cones and ellipsoids: at rims, apexes and caps, along axes and generators, tangent and a hair beside, near and far"
            }
        }
    }
}

/// How many wrong cases of a run are kept.
const FINDS_KEPT: usize = 20;

/// Cases that one thread does in one go.
const CHUNK: u64 = 256;

/// Two bodies, how they move and what is asked. The second body of a ray is the point where it starts.
pub(crate) struct MotionCase {
    pub(crate) family: MotionFamily,
    pub(crate) bodies: [Body; 2],
    pub(crate) velocities: [[f64; 3]; 2],
    pub(crate) max_time: Option<f64>,
    pub(crate) distance: f64,
    pub(crate) start: Start,
    pub(crate) touch: Touch,
    /// How the bodies turn, of times of impact.
    pub(crate) spins: Option<[Spin; 2]>,
    /// Where vertices that move by themselves go.
    pub(crate) ends: Option<Ends>,
}

impl MotionCase {
    fn options<S: Scalar>(&self) -> Result<MotionOptions<S>, String> {
        let options = MotionOptions::default()
            .with_start(self.start)
            .with_touch(self.touch);
        let time = S::from_f64(self.max_time.unwrap_or(f64::INFINITY));
        let options = options.with_max_time(time).map_err(|e| e.to_string())?;
        let distance = S::from_f64(self.distance);
        options.with_distance(distance).map_err(|e| e.to_string())
    }

    /// Neither a radius nor a distance.
    fn is_sharp(&self) -> bool {
        let [a, b] = &self.bodies;
        a.radius == 0.0 && b.radius == 0.0 && self.distance == 0.0
    }
}

/// The bodies of a case as the library takes them.
struct Cast<V: Vector> {
    shapes: [Shape<V>; 2],
    poses: [Pose<V>; 2],
    velocities: [V; 2],
    options: MotionOptions<V::Scalar>,
    /// Of a ray.
    ray: Option<Ray<V>>,
}

impl<V: QuerySpace> Cast<V> {
    /// `None` for bodies that the library refuses.
    fn of(case: &MotionCase) -> Result<Option<Self>, String> {
        let [a, b] = &case.bodies;
        let (Some(Fuzzed::Shape(shape_a)), Some(Fuzzed::Shape(shape_b))) =
            (a.shape::<V>(), b.shape::<V>())
        else {
            return Ok(None);
        };
        let velocities = case.velocities.map(V::from_f64);
        let ray = match case.family {
            MotionFamily::Casts
            | MotionFamily::Tois
            | MotionFamily::Vertices
            | MotionFamily::BrinkCasts
            | MotionFamily::BrinkTois => None,
            MotionFamily::Rays | MotionFamily::SmoothRays | MotionFamily::BrinkRays => {
                let origin = b.points.first().copied().unwrap_or_default();
                let ray = Ray::new(V::from_f64(origin), velocities[1]);
                Some(ray.map_err(|error| error.to_string())?)
            }
        };
        Ok(Some(Self {
            shapes: [shape_a, shape_b],
            poses: [a.library_pose(), b.library_pose()],
            velocities,
            options: case.options()?,
            ray,
        }))
    }

    fn proof(&self) -> CastProof<V> {
        let ([a, b], [pose_a, pose_b]) = (&self.shapes, &self.poses);
        match &self.ray {
            Some(ray) => prove_ray(a, pose_a, ray, &self.options),
            None => {
                let [from, to] = self.velocities;
                prove_cast(a, pose_a, from, b, pose_b, to, &self.options)
            }
        }
    }

    fn plain(&self, exit: bool) -> CastAnswer<V> {
        let ([a, b], [pose_a, pose_b]) = (&self.shapes, &self.poses);
        let options = self.options.with_exit(exit);
        match &self.ray {
            Some(line) => ray(a, pose_a, line, &options),
            None => {
                let [from, to] = self.velocities;
                cast(a, pose_a, from, b, pose_b, to, &options)
            }
        }
    }

    fn verify(&self, proof: &CastProof<V>) -> Result<Verified, VerifyError> {
        let ([a, b], [pose_a, pose_b]) = (&self.shapes, &self.poses);
        match &self.ray {
            Some(ray) => verify_ray(a, pose_a, ray, &self.options, proof),
            None => {
                let [from, to] = self.velocities;
                verify_cast(a, pose_a, from, b, pose_b, to, &self.options, proof)
            }
        }
    }
}

/// What was counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MotionTally {
    /// Cases.
    pub cases: u64,
    /// By the verdict's name.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// By the stop's name.
    pub stops: BTreeMap<&'static str, u64>,
    /// Cases that graze.
    pub grazing: u64,
    /// Wrong verdicts.
    pub wrong: u64,
    /// Times that miss the truth, or are wider than two neighbouring floats for bodies without radius.
    pub missed: u64,
    /// Certificates that do not prove their verdict.
    pub unverified: u64,
    /// Cases judged by fractions.
    pub judged: u64,
    /// Verdicts, lower ends and upper ends proved by certificates.
    pub proved: [u64; 3],
    /// Panics.
    pub panics: u64,
    /// The widest time of bodies with a radius, in parts of itself or of one direction.
    pub widest: f64,
    /// Nanoseconds of the answers, and of judging.
    pub nanoseconds: [u64; 2],
    /// Nanoseconds of the slowest answer.
    pub slowest: u64,
    /// The first wrong cases.
    #[serde(skip)]
    pub finds: Vec<MotionFind>,
}

/// A wrong case.
#[derive(Clone, Debug)]
pub struct MotionFind {
    /// What is wrong.
    pub message: String,
    /// The case as a query line.
    pub spec: MotionQuerySpec,
}

impl MotionTally {
    /// Cases with anything wrong.
    pub fn faulty(&self) -> u64 {
        self.wrong + self.missed + self.unverified + self.panics
    }

    /// Counts the time of an answer that has just come.
    fn answered(&mut self, start: Instant) {
        let took = start.elapsed().as_nanos() as u64;
        self.nanoseconds[0] += took;
        self.slowest = self.slowest.max(took);
    }

    fn merged(mut self, other: Self) -> Self {
        let add = |to: &mut BTreeMap<&'static str, u64>, from: BTreeMap<&'static str, u64>| {
            from.into_iter()
                .for_each(|(name, count)| *to.entry(name).or_default() += count);
        };
        add(&mut self.verdicts, other.verdicts);
        add(&mut self.stops, other.stops);
        let sum = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        sum(&mut self.proved, &other.proved);
        sum(&mut self.nanoseconds, &other.nanoseconds);
        self.cases += other.cases;
        self.grazing += other.grazing;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.unverified += other.unverified;
        self.judged += other.judged;
        self.panics += other.panics;
        self.widest = self.widest.max(other.widest);
        self.slowest = self.slowest.max(other.slowest);
        let room = FINDS_KEPT.saturating_sub(self.finds.len());
        self.finds.extend(other.finds.into_iter().take(room));
        self
    }
}

/// Runs cases of one space on the current thread pool; `progress` is told how many are done.
pub fn run(
    family: MotionFamily,
    space: Space,
    seed: u64,
    from: u64,
    cases: u64,
    progress: impl Fn(u64) + Sync,
) -> MotionTally {
    let chunks = cases.div_ceil(CHUNK);
    let tallies: Vec<MotionTally> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = from + chunk * CHUNK;
            let count = CHUNK.min(from + cases - first);
            let mut tally = MotionTally::default();
            for number in first..first + count {
                let kind = u64::from(space.single) + 2 * space.dim as u64;
                let mut rng = Rng::of_case(seed, family.name(), kind, number);
                let case = generate::case(&mut rng, family, space, number);
                judge(space, &case, number, &mut tally);
            }
            progress(count);
            tally
        })
        .collect();
    tallies
        .into_iter()
        .fold(MotionTally::default(), MotionTally::merged)
}

fn judge(space: Space, case: &MotionCase, number: u64, tally: &mut MotionTally) {
    let outcome = catch_unwind(AssertUnwindSafe(|| match (space.dim, space.single) {
        (2, true) => examine::<Vec2<f32>>(case, tally),
        (2, false) => examine::<Vec2<f64>>(case, tally),
        (_, true) => examine::<Vec3<f32>>(case, tally),
        (_, false) => examine::<Vec3<f64>>(case, tally),
    }));
    tally.cases += 1;
    let message = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(message)) => message,
        Err(_) => {
            tally.panics += 1;
            "a panic".to_owned()
        }
    };
    if tally.finds.len() < FINDS_KEPT {
        let spec = spec(space, case, number, &message);
        tally.finds.push(MotionFind { message, spec });
    }
}

/// Counts what is proved of an answer, which must have its verdict proved.
fn counted<V: QuerySpace>(
    case: &MotionCase,
    proof: &CastProof<V>,
    proved: Verified,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let count = [proved.verdict, proved.lower, proved.upper];
    for (sum, is_proved) in tally.proved.iter_mut().zip(count) {
        *sum += u64::from(is_proved);
    }
    // A contact that is passed over has no certificate.
    let passed = proof.answer.verdict == Meeting::Free && proof.certificate.is_none();
    let allowed = passed && (case.start, case.touch) != (Start::Hit, Touch::Counts);
    // Nor has a start whose numbers span more than the loops can hold, or whose radii have no sum: signs decide it.
    let starts = matches!(
        proof.answer.verdict,
        Meeting::StartsTouching | Meeting::StartsOverlapping
    );
    let beyond = proof.certificate.is_none()
        && (proof.answer.stop == MotionStop::Start(Stop::Overflow)
            || proof.answer.verdict == Meeting::Exits
            || starts && case.distance > 0.0);
    if proved.verdict || allowed || beyond {
        Ok(())
    } else {
        Err("no proof".to_owned())
    }
}

/// Asks and judges a case.
fn examine<V: QuerySpace>(case: &MotionCase, tally: &mut MotionTally) -> Result<(), String> {
    if let Some(spins) = &case.spins {
        return tois::examine::<V>(case, spins, tally);
    }
    if case.family == MotionFamily::SmoothRays {
        return smooth::examine::<V>(case, tally);
    }
    examine_line::<V>(case, tally)
}

/// Asks and judges a ray or a cast of polytopes, rounded or not.
fn examine_line<V: QuerySpace>(case: &MotionCase, tally: &mut MotionTally) -> Result<(), String> {
    let Some(cast) = Cast::<V>::of(case)? else {
        return Ok(());
    };
    let start = Instant::now();
    let proof = cast.proof();
    tally.answered(start);
    let start = Instant::now();
    *tally
        .verdicts
        .entry(proof.answer.verdict.name())
        .or_default() += 1;
    *tally.stops.entry(proof.answer.stop.name()).or_default() += 1;
    tally.grazing += u64::from(proof.answer.grazing);
    let mut found = Ok(());
    let mut known = None;
    // Of bodies at rest the oracle knows nothing; the certificate proves its verdict.
    if case.is_sharp() && cast.velocities[0] != cast.velocities[1] {
        tally.judged += 1;
        let points = [0, 1].map(|k: usize| {
            let shape = &cast.shapes[k];
            let count = shape.core().vertex_count.unwrap_or(0);
            // A hull drops points inside of it, which a rounded rotation may push out.
            let vertices = (0..count).filter_map(|id| shape.vertex(id));
            vertices
                .map(|x| case.bodies[k].world(x.to_f64()))
                .collect::<Vec<[f64; 3]>>()
        });
        let truth = truth(V::DIM, [&points[0], &points[1]], case.velocities);
        found = held(case, &truth, &proof, tally);
        known = Some(points);
    } else if let Some(time) = proof.answer.time {
        let width = time.upper.to_f64() - time.lower.to_f64();
        tally.widest = tally.widest.max(width / time.upper.to_f64().abs().max(1.0));
    }
    if found.is_ok() {
        let proved = cast.verify(&proof);
        found = proved
            .map_err(|error| error.to_string())
            .and_then(|proved| counted(case, &proof, proved, tally));
        tally.unverified += u64::from(found.is_err());
    }
    if found.is_ok() {
        let points = known.as_ref().map(|[a, b]| [&a[..], &b[..]]);
        let agrees = |plain| plain::agrees(&proof.answer, &plain, points, cast.velocities);
        // A cast need not tell its end where that is not asked for.
        let mut first = cast.plain(false);
        first.exit = first
            .exit
            .or(proof.answer.exit.filter(|_| cast.ray.is_none()));
        found = agrees(cast.plain(true)).and_then(|()| agrees(first));
        tally.wrong += u64::from(found.is_err());
    }
    tally.nanoseconds[1] += start.elapsed().as_nanos() as u64;
    found
}

/// Holds an answer against the truth of the line.
fn held<V: Vector>(
    case: &MotionCase,
    truth: &MotionTruth,
    proof: &CastProof<V>,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let answer = &proof.answer;
    let end = case.max_time.unwrap_or(f64::INFINITY);
    let (start, touch) = (case.start, case.touch);
    let default = start == Start::Hit && touch == Touch::Counts;
    let expected = truth.meeting(end);
    // Depths decide an approach from inside, which the oracle does not know.
    let is_right = match (start, answer.verdict) {
        _ if default || expected == Meeting::Free => answer.verdict == expected,
        (_, found) if expected == Meeting::Hits => {
            let passes = touch == Touch::Passes && truth.touches_only(end);
            found == if passes { Meeting::Free } else { Meeting::Hits }
        }
        (Start::Exit, Meeting::Exits) => true,
        (Start::Approach, Meeting::Free) => true,
        (_, Meeting::Free) => touch == Touch::Passes && expected == Meeting::StartsTouching,
        (_, found) => found == expected,
    };
    if !is_right {
        tally.wrong += 1;
        return Err(format!(
            "verdict {}, truth {}",
            answer.verdict.name(),
            expected.name()
        ));
    }
    if answer.verdict == Meeting::Hits && answer.grazing == truth.inside {
        tally.wrong += 1;
        return Err("grazing is wrong".to_owned());
    }
    let Some([first, last]) = &truth.ends else {
        return Ok(());
    };
    let place = match answer.verdict {
        Meeting::Hits => first,
        Meeting::Exits => last,
        _ => return Ok(()),
    };
    let time = answer.time.ok_or("no time")?;
    let (lower, upper) = (time.lower.to_f64(), time.upper.to_f64());
    let holds = place.compare(lower).is_ge() && place.compare(upper).is_le();
    let is_float = place.compare(lower).is_eq() || place.compare(upper).is_eq();
    let narrow = if is_float {
        lower == upper
    } else {
        time.upper <= time.lower.next_up()
    };
    if holds && narrow {
        return Ok(());
    }
    tally.missed += 1;
    Err(format!(
        "the time [{lower:e}, {upper:e}] is not beside the truth"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(family: MotionFamily, cases: u64) {
        for (dim, single) in [(2, true), (2, false), (3, true), (3, false)] {
            let tally = run(family, Space { dim, single }, 1, 0, cases, |_| ());
            let first = tally
                .finds
                .first()
                .map(|find| (&find.message, find.spec.to_line()));
            assert_eq!(tally.faulty(), 0, "{dim} {single} {first:?}\n{tally:?}");
            let turns = matches!(
                family,
                MotionFamily::Tois | MotionFamily::Vertices | MotionFamily::BrinkTois
            );
            let kinds = if turns { 2 } else { 5 };
            assert!(
                tally.verdicts.len() >= kinds && (turns || tally.grazing > cases / 20),
                "{tally:?}"
            );
            // For `--nocapture`: what a campaign counted.
            let text = format!("{dim}D {single} {tally:?}\n");
            std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).ok();
        }
    }

    #[test]
    fn rays_are_answered_as_fractions_say() {
        campaign(MotionFamily::Rays, 600);
    }

    #[test]
    fn smooth_rays_are_answered_as_inequalities_say() {
        for (dim, single) in [(2, true), (2, false), (3, true), (3, false)] {
            let space = Space { dim, single };
            let tally = run(MotionFamily::SmoothRays, space, 1, 0, 1000, |_| ());
            let first = tally.finds.first().map(|find| find.spec.to_line());
            assert_eq!(tally.faulty(), 0, "{dim} {single} {first:?}\n{tally:?}");
            assert!(tally.verdicts.len() >= 3, "{tally:?}");
        }
    }

    #[test]
    fn casts_are_answered_as_fractions_say() {
        campaign(MotionFamily::Casts, 250);
    }

    #[test]
    fn times_of_impact_are_answered_as_samples_say() {
        campaign(MotionFamily::Tois, 8);
    }

    #[test]
    fn moving_vertices_are_answered_as_their_cubics_say() {
        campaign(MotionFamily::Vertices, 12);
    }

    #[test]
    fn motions_on_the_brink_are_answered_as_oracles_say() {
        campaign(MotionFamily::BrinkRays, 300);
        campaign(MotionFamily::BrinkCasts, 120);
        campaign(MotionFamily::BrinkTois, 12);
    }

    #[test]
    #[ignore = "a campaign of minutes"]
    fn a_campaign_of_motions_finds_nothing() {
        campaign(MotionFamily::Rays, 30_000);
        campaign(MotionFamily::Casts, 30_000);
    }
}
