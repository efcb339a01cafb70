//! Rays against convex bodies: adversarial cases, judged by fractions and by the checker of certificates.
//!
//! Where it sits: `gjk fuzz --family rays`. A case is one body and a ray, so it is a query line of another kind than a pair's, and has its own counts.
//! Idea: a line meets a hull between points of triangles, edges and vertices of its points. The oracle intersects the line with each of them, by Cramer's rule in
//! integers, and keeps the first place and the last. It calls nothing that answers rays. Bodies with a radius are judged by `gjk::verify` alone, which proves the
//! verdict and both ends of the time.

mod generate;
mod oracle;

use crate::case::{Body, Fuzzed};
use crate::{Rng, Space};
use gjk::math::Scalar;
use gjk::query::{Meeting, MotionStop, Ray, RayOptions, RayProof, Start, Touch, prove_ray};
use gjk::verify::{Verified, verify_ray};
use gjk::{Stop, Support, Vec2, Vec3, Vector};
use gjk_query::convert::Space as QuerySpace;
use gjk_scene::{RayQuerySpec, RaySpec, ScalarKind, StartSpec, TouchSpec};
use oracle::{RayTruth, truth};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The name of the family.
pub const NAME: &str = "rays";

/// What it is, in the words of `gjk fuzz --list`.
pub const ABOUT: &str = "rays at edges, vertices and faces, parallel to them, a rounding beside them, from on and inside of bodies, flat, thin, tiny and huge ones";

/// How many wrong cases of a run are kept.
const FINDS_KEPT: usize = 20;

/// Cases that one thread does in one go.
const CHUNK: u64 = 256;

/// A body, a ray and what is asked.
pub(crate) struct RayCase {
    pub(crate) body: Body,
    pub(crate) origin: [f64; 3],
    pub(crate) direction: [f64; 3],
    pub(crate) max_time: Option<f64>,
    pub(crate) options: RayOptions,
}

/// What was counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RayTally {
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
    /// The first wrong cases.
    #[serde(skip)]
    pub finds: Vec<RayFind>,
}

/// A wrong case.
#[derive(Clone, Debug)]
pub struct RayFind {
    /// What is wrong.
    pub message: String,
    /// The case as a query line.
    pub spec: RayQuerySpec,
}

impl RayTally {
    /// Cases with anything wrong.
    pub fn faulty(&self) -> u64 {
        self.wrong + self.missed + self.unverified + self.panics
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
        let room = FINDS_KEPT.saturating_sub(self.finds.len());
        self.finds.extend(other.finds.into_iter().take(room));
        self
    }
}

/// Runs cases of one space on the current thread pool; `progress` is told how many are done.
pub fn run(
    space: Space,
    seed: u64,
    from: u64,
    cases: u64,
    progress: impl Fn(u64) + Sync,
) -> RayTally {
    let chunks = cases.div_ceil(CHUNK);
    let tallies: Vec<RayTally> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = from + chunk * CHUNK;
            let count = CHUNK.min(from + cases - first);
            let mut tally = RayTally::default();
            for number in first..first + count {
                let kind = u64::from(space.single) + 2 * space.dim as u64;
                let mut rng = Rng::of_case(seed, NAME, kind, number);
                let case = generate::case(&mut rng, space);
                judge(space, &case, number, &mut tally);
            }
            progress(count);
            tally
        })
        .collect();
    tallies
        .into_iter()
        .fold(RayTally::default(), RayTally::merged)
}

fn judge(space: Space, case: &RayCase, number: u64, tally: &mut RayTally) {
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
        tally.finds.push(RayFind { message, spec });
    }
}

/// Counts what is proved of an answer, which must have its verdict proved.
fn counted<V: QuerySpace>(
    case: &RayCase,
    proof: &RayProof<V>,
    proved: Verified,
    tally: &mut RayTally,
) -> Result<(), String> {
    let count = [proved.verdict, proved.lower, proved.upper];
    for (sum, is_proved) in tally.proved.iter_mut().zip(count) {
        *sum += u64::from(is_proved);
    }
    // A contact that is passed over has no certificate.
    let passed = proof.answer.verdict == Meeting::Free && proof.certificate.is_none();
    let allowed = passed && case.options != RayOptions::default();
    // Nor has a start whose numbers span more than the loops can hold: signs decide it.
    let beyond = proof.certificate.is_none()
        && (proof.answer.stop == MotionStop::Start(Stop::Overflow)
            || proof.answer.verdict == Meeting::Exits);
    if proved.verdict || allowed || beyond {
        Ok(())
    } else {
        Err("no proof".to_owned())
    }
}

/// Asks and judges a case.
fn examine<V: QuerySpace>(case: &RayCase, tally: &mut RayTally) -> Result<(), String> {
    let Some(Fuzzed::Shape(shape)) = case.body.shape::<V>() else {
        return Ok(());
    };
    let pose = case.body.library_pose::<V>();
    let (origin, direction) = (V::from_f64(case.origin), V::from_f64(case.direction));
    let mut ray = Ray::new(origin, direction).map_err(|error| error.to_string())?;
    if let Some(time) = case.max_time {
        let time = V::Scalar::from_f64(time);
        ray = ray.with_max_time(time).map_err(|error| error.to_string())?;
    }
    let start = Instant::now();
    let proof = prove_ray(&shape, &pose, &ray, &case.options);
    tally.nanoseconds[0] += start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    *tally
        .verdicts
        .entry(proof.answer.verdict.name())
        .or_default() += 1;
    *tally.stops.entry(proof.answer.stop.name()).or_default() += 1;
    tally.grazing += u64::from(proof.answer.grazing);
    let mut found = Ok(());
    // Of a point at rest the oracle knows nothing; the certificate proves its verdict.
    if case.body.radius == 0.0 && direction != V::ZERO {
        tally.judged += 1;
        let count = shape.core().vertex_count.unwrap_or(0);
        // A hull drops points inside of it, which a rounded rotation may push out.
        let vertices = (0..count).filter_map(|id| shape.vertex(id));
        let points: Vec<[f64; 3]> = vertices.map(|x| case.body.world(x.to_f64())).collect();
        let truth = truth(V::DIM, &points, case.origin, case.direction);
        found = held(case, &truth, &proof, tally);
    } else if let Some(time) = proof.answer.time {
        let width = time.upper.to_f64() - time.lower.to_f64();
        tally.widest = tally.widest.max(width / time.upper.to_f64().abs().max(1.0));
    }
    if found.is_ok() {
        let proved = verify_ray(&shape, &pose, &ray, &proof);
        found = proved
            .map_err(|error| error.to_string())
            .and_then(|proved| counted(case, &proof, proved, tally));
        tally.unverified += u64::from(found.is_err());
    }
    tally.nanoseconds[1] += start.elapsed().as_nanos() as u64;
    found
}

/// Holds an answer against the truth of the line.
fn held<V: Vector>(
    case: &RayCase,
    truth: &RayTruth,
    proof: &RayProof<V>,
    tally: &mut RayTally,
) -> Result<(), String> {
    let answer = &proof.answer;
    let end = case.max_time.unwrap_or(f64::INFINITY);
    let RayOptions { start, touch, .. } = case.options;
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

/// The case as a query line.
fn spec(space: Space, case: &RayCase, number: u64, message: &str) -> RayQuerySpec {
    let cut = |p: [f64; 3]| p[..space.dim].to_vec();
    let scalar = if space.single {
        ScalarKind::F32
    } else {
        ScalarKind::F64
    };
    let id = format!("rays-{}d-{}-{number}", space.dim, space.scalar());
    let ray = RaySpec {
        origin: cut(case.origin),
        direction: cut(case.direction),
    };
    let mut spec = RayQuerySpec::new(id, space.dim, scalar, case.body.spec(space.dim), ray);
    spec.options.max_time = case.max_time;
    spec.options.start = match case.options.start {
        Start::Approach => Some(StartSpec::Approach),
        Start::Exit => Some(StartSpec::Exit),
        _ => None,
    };
    spec.options.touch = (case.options.touch == Touch::Passes).then_some(TouchSpec::Passes);
    spec.note = Some(message.to_owned());
    spec.source = Some("gjk fuzz".to_owned());
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(cases: u64) {
        for (dim, single) in [(2, true), (2, false), (3, true), (3, false)] {
            let tally = run(Space { dim, single }, 1, 0, cases, |_| ());
            let first = tally
                .finds
                .first()
                .map(|find| (&find.message, find.spec.to_line()));
            assert_eq!(tally.faulty(), 0, "{dim} {single} {first:?}\n{tally:?}");
            assert!(
                tally.verdicts.len() >= 5 && tally.grazing > cases / 20,
                "{tally:?}"
            );
            // For `--nocapture`: what a campaign counted.
            let text = format!("{dim}D {single} {tally:?}\n");
            std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).ok();
        }
    }

    #[test]
    fn rays_are_answered_as_fractions_say() {
        campaign(600);
    }

    #[test]
    #[ignore = "a campaign of minutes"]
    fn a_campaign_of_rays_finds_nothing() {
        campaign(30_000);
    }
}
