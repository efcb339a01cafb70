//! Asks every query about a case and judges the answers.
//!
//! Reading order: [`Judge::case`], then [`examine`], which holds one set of answers against what is known: it takes
//! answers as they are, so that a test can hand it wrong ones.

use super::case::{Body, Case, Form, Fuzzed};
use super::oracle::proof::{self, Claim};
use super::oracle::{Oracle, Truth, program};
use crate::convert::Space;
use gjk::math::Scalar;
use gjk::query::{self, Certificate, Contact, Distance, Intersection, Interval, Options, Verdict};
use gjk::{Pose, Stop, Support, Vector, verify};
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What can be wrong, one kind a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The verdict is not the oracle's, or not the construction's.
    Verdict,
    /// An interval misses the truth, or is none.
    Interval,
    /// A certificate does not prove its verdict.
    Certificate,
    /// Two queries disagree.
    Disagreement,
    /// A query panicked.
    Panic,
    /// The oracles disagree: a bug of ours.
    Oracle,
}

impl Kind {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Interval => "interval",
            Self::Certificate => "certificate",
            Self::Disagreement => "disagreement",
            Self::Panic => "panic",
            Self::Oracle => "oracle",
        }
    }
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Which kind.
    pub kind: Kind,
    /// What exactly.
    pub message: String,
}

/// The answers of all queries about one pair.
#[derive(Clone, Debug)]
pub struct Answers<V: Vector> {
    /// Of `contact`.
    pub contact: Contact<V>,
    /// Of `contact`, the bodies swapped.
    pub swapped: Contact<V>,
    /// Of `intersects`.
    pub intersects: Intersection,
    /// Of `distance`.
    pub distance: Distance<V>,
    /// `contact` without certificate and without measuring.
    pub quick: Contact<V>,
}

/// Who is asked about a case, besides `contact` and the checker of its answer.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The facet oracle.
    pub facets: bool,
    /// The linear program.
    pub program: bool,
    /// The other queries, and `contact` with the bodies swapped.
    pub others: bool,
}

impl Asked {
    /// Everyone.
    pub const ALL: Self = Self {
        facets: true,
        program: true,
        others: true,
    };
}

/// What is known of a pair without asking the library.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By the facet oracle, of the cores.
    pub truth: Option<Truth>,
    /// By the linear program, of the cores.
    pub relation: Option<Verdict>,
    /// By construction, of the bodies.
    pub verdict: Option<Verdict>,
    /// By construction, for smooth pairs.
    pub distance: Option<[f64; 2]>,
    /// Whether both bodies are polytopes, rounded or not.
    pub polytopes: bool,
    /// Swept radii.
    pub radii: [f64; 2],
    /// World vertices of the cores by the library's ids.
    pub vertices: [Vec<[f64; 3]>; 2],
}

impl Known {
    fn radius_sum(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// What an answer says of the pair.
    fn claim(&self, dim: usize, verdict: Verdict, interval: Option<[f64; 2]>) -> Claim<'_> {
        let vertices = [&self.vertices[0][..], &self.vertices[1][..]];
        Claim {
            dim,
            vertices,
            radii: self.radii,
            verdict,
            interval,
        }
    }

    /// The true verdict of the bodies, radii included.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Some(truth) = &self.truth {
            if self.radius_sum() == 0.0 {
                return Some(truth.verdict);
            }
            return Some(match truth.compare(&self.radii) {
                Ordering::Greater => Verdict::Separated,
                Ordering::Equal => Verdict::Touching,
                Ordering::Less => Verdict::Overlapping,
            });
        }
        match (self.relation, self.radius_sum() > 0.0) {
            (Some(Verdict::Touching | Verdict::Overlapping), true) => Some(Verdict::Overlapping),
            (Some(relation), false) => Some(relation),
            _ => self.verdict,
        }
    }
}

/// What a case gave, for the tally.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The verdict of `contact`; `None` after a panic or where no shape could be made.
    pub verdict: Option<Verdict>,
    /// Everything wrong.
    pub faults: Vec<Fault>,
    /// `contact` ended in the exact layer.
    pub slow: bool,
    /// Iterations of both loops of `contact`.
    pub iterations: u32,
    /// The width of the interval, in roundings of the scalar at the pair's largest coordinate.
    pub width: f64,
    /// Judged by facets, by the program; proved by `gjk::verify`.
    pub judged: [bool; 3],
    /// One `contact`.
    pub query_time: Duration,
    /// The other queries.
    pub others_time: Duration,
    /// Judging.
    pub judge_time: Duration,
}

/// The judge with its storage.
#[derive(Debug, Default)]
pub struct Judge {
    oracle: Oracle,
    known: Known,
    world: [Vec<[f64; 3]>; 2],
}

impl Judge {
    /// Asks and judges.
    pub fn case<V: Space>(&mut self, case: &Case, who: Asked) -> Outcome {
        let mut outcome = Outcome::default();
        let (Some(a), Some(b)) = (case.a.shape::<V>(), case.b.shape::<V>()) else {
            outcome
                .faults
                .push(fault(Kind::Panic, "a constructor refused the shape"));
            return outcome;
        };
        let poses = [case.a.library_pose::<V>(), case.b.library_pose::<V>()];
        let asked = asking(|| {
            catch_unwind(AssertUnwindSafe(|| {
                ask(&a, &poses[0], &b, &poses[1], who.others)
            }))
        });
        let Ok((contact, others, [query_time, others_time])) = asked else {
            outcome.faults.push(fault(Kind::Panic, "a query panicked"));
            return outcome;
        };
        let start = Instant::now();
        self.learn::<V>(case, [&a, &b], who);
        match &others {
            Some(answers) => examine(case.dim, answers, &self.known, &mut outcome.faults),
            None => examine_alone(case.dim, &contact, &self.known, &mut outcome.faults),
        }
        let verified = asking(|| {
            catch_unwind(AssertUnwindSafe(|| {
                verify::verify(&a, &poses[0], &b, &poses[1], &contact)
            }))
        });
        let proved = match verified {
            Ok(Ok(proved)) => proved.verdict,
            Ok(Err(objection)) => {
                outcome
                    .faults
                    .push(fault(Kind::Certificate, format!("verify: {objection}")));
                false
            }
            Err(_) => {
                outcome.faults.push(fault(Kind::Panic, "verify panicked"));
                false
            }
        };
        outcome.judge_time = start.elapsed();
        (outcome.query_time, outcome.others_time) = (query_time, others_time);
        let Contact {
            verdict,
            stop,
            iterations,
            signed_distance: Interval { lower, upper },
            ..
        } = &contact;
        outcome.verdict = Some(*verdict);
        outcome.slow = *stop == Stop::Exact;
        outcome.iterations = iterations.gjk.saturating_add(iterations.epa);
        let size = self
            .known
            .vertices
            .iter()
            .flatten()
            .flatten()
            .fold(self.known.radius_sum(), |m, x| m.max(x.abs()));
        let rounding =
            V::Scalar::from_f64(size).next_up().to_f64() - V::Scalar::from_f64(size).to_f64();
        outcome.width = if self.known.polytopes && rounding > 0.0 {
            (upper.to_f64() - lower.to_f64()) / rounding
        } else {
            0.0
        };
        outcome.judged = [
            self.known.truth.is_some(),
            self.known.relation.is_some(),
            proved,
        ];
        outcome
    }

    /// What was known of the last case.
    pub fn known(&self) -> &Known {
        &self.known
    }

    fn learn<V: Space>(&mut self, case: &Case, shapes: [&Fuzzed<V>; 2], who: Asked) {
        let bodies = [&case.a, &case.b];
        let known = &mut self.known;
        known.polytopes = !bodies.iter().any(|body| body.form.is_smooth());
        (known.verdict, known.distance) = (case.known, case.known_distance);
        (known.truth, known.relation) = (None, None);
        known.radii = [case.a.radius, case.b.radius];
        for k in 0..2 {
            // An ellipsoid of equal radii is a ball to the library: a point with a radius, which certificates speak of.
            if let (Form::Ellipsoid(radii), Some(_)) = (bodies[k].form, shapes[k].vertex_count()) {
                known.radii[k] = radii[0];
            }
            bodies[k].world_points(&mut self.world[k]);
            numbered(bodies[k], shapes[k], &mut known.vertices[k]);
        }
        if !known.polytopes {
            return;
        }
        let [a, b] = &self.world;
        if who.facets {
            known.truth = self.oracle.truth(case.dim, a, b);
        }
        if who.program {
            known.relation = Some(program::relation(case.dim, a, b));
        }
    }
}

/// The library's vertices of a core, in the world by our own arithmetic.
fn numbered<V: Vector>(body: &Body, shape: &Fuzzed<V>, into: &mut Vec<[f64; 3]>) {
    into.clear();
    let local = (0..shape.vertex_count().unwrap_or(0)).filter_map(|id| shape.vertex_wide(id));
    into.extend(local.map(|x| body.world(x.to_f64())));
}

/// `contact`, then perhaps all queries, timed.
#[allow(clippy::type_complexity)] // an answer, all answers, two times
fn ask<V: Vector>(
    a: &Fuzzed<V>,
    pose_a: &Pose<V>,
    b: &Fuzzed<V>,
    pose_b: &Pose<V>,
    others: bool,
) -> (Contact<V>, Option<Answers<V>>, [Duration; 2]) {
    let options = Options::default();
    let start = Instant::now();
    let contact = query::contact(a, pose_a, b, pose_b, &options);
    let query_time = start.elapsed();
    let answers = others.then(|| Answers {
        contact: contact.clone(),
        swapped: query::contact(b, pose_b, a, pose_a, &options),
        intersects: query::intersects(a, pose_a, b, pose_b, &options),
        distance: query::distance(a, pose_a, b, pose_b, &options),
        quick: query::contact(
            a,
            pose_a,
            b,
            pose_b,
            &Options {
                certificate: false,
                sharp: false,
                ..options
            },
        ),
    });
    (contact, answers, [query_time, start.elapsed() - query_time])
}

fn fault(kind: Kind, message: impl Into<String>) -> Fault {
    Fault {
        kind,
        message: message.into(),
    }
}

/// Holds the answer of `contact` against what is known; everything wrong is added to `faults`.
pub fn examine_alone<V: Vector>(
    dim: usize,
    contact: &Contact<V>,
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let interval = ends(&contact.signed_distance);
    check_oracles(known, faults);
    check_verdict(contact.verdict, contact.exact, known, faults);
    check_interval("contact", contact.verdict, interval, faults);
    check_truth("contact", interval, known, faults);
    let normal = contact.normal.norm_squared().to_f64();
    let points_finite = contact.point_a.is_finite() && contact.point_b.is_finite();
    if !((normal - 1.0).abs() < 1e-4) || !points_finite {
        faults.push(fault(
            Kind::Interval,
            format!("a normal of squared length {normal}, or points without end"),
        ));
    }
    let claim = known.claim(dim, contact.verdict, Some(interval));
    check_certificate("contact", &claim, contact.certificate.as_ref(), faults);
}

fn ends<S: Scalar>(interval: &Interval<S>) -> [f64; 2] {
    [interval.lower.to_f64(), interval.upper.to_f64()]
}

/// Holds all answers against what is known, and against one another.
pub fn examine<V: Vector>(
    dim: usize,
    answers: &Answers<V>,
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let Answers {
        contact,
        swapped,
        intersects,
        distance,
        quick,
    } = answers;
    examine_alone(dim, contact, known, faults);
    for (name, verdict) in [
        ("swapped", swapped.verdict),
        ("intersects", intersects.verdict),
        ("distance", distance.verdict),
        ("quick", quick.verdict),
    ] {
        // A smooth pair may be undecided for one query and decided for another.
        let either = |v: Verdict| v == Verdict::Undecided && !known.polytopes;
        if verdict != contact.verdict && !either(verdict) && !either(contact.verdict) {
            let message = format!(
                "contact says {}, {name} {}",
                contact.verdict.name(),
                verdict.name()
            );
            faults.push(fault(Kind::Disagreement, message));
        }
    }
    let [[lower, upper], [low, high]] =
        [contact, swapped].map(|answer| ends(&answer.signed_distance));
    check_interval("swapped", swapped.verdict, [low, high], faults);
    check_interval("quick", quick.verdict, ends(&quick.signed_distance), faults);
    check_truth("quick", ends(&quick.signed_distance), known, faults);
    check_truth("swapped", [low, high], known, faults);
    check_distance(distance, ends(&distance.distance), faults);
    if distance.verdict == Verdict::Separated {
        check_truth("distance", ends(&distance.distance), known, faults);
    }
    if lower > high || low > upper {
        let message = format!("contact [{lower:?}, {upper:?}], swapped [{low:?}, {high:?}]");
        faults.push(fault(Kind::Disagreement, message));
    }
    let claim = known.claim(dim, swapped.verdict, Some([low, high]));
    let mirrored = Claim {
        vertices: [claim.vertices[1], claim.vertices[0]],
        radii: [known.radii[1], known.radii[0]],
        ..claim
    };
    check_certificate("swapped", &mirrored, swapped.certificate.as_ref(), faults);
    let claim = known.claim(dim, intersects.verdict, None);
    check_certificate(
        "intersects",
        &claim,
        intersects.certificate.as_ref(),
        faults,
    );
}

fn check_certificate(
    name: &str,
    claim: &Claim<'_>,
    certificate: Option<&Certificate>,
    faults: &mut Vec<Fault>,
) {
    if let Some(message) = certificate.and_then(|certificate| proof::fault(claim, certificate)) {
        faults.push(fault(Kind::Certificate, format!("{name}: {message}")));
    }
}

fn check_oracles(known: &Known, faults: &mut Vec<Fault>) {
    if let (Some(truth), Some(relation)) = (&known.truth, known.relation)
        && truth.verdict != relation
    {
        let message = format!(
            "facets say {}, the linear program {}",
            truth.verdict.name(),
            relation.name()
        );
        faults.push(fault(Kind::Oracle, message));
    }
    if let (Some(by_oracle), Some(built)) = (known.verdict(), known.verdict)
        && by_oracle != built
    {
        let message = format!(
            "the oracle says {}, the construction {}",
            by_oracle.name(),
            built.name()
        );
        faults.push(fault(Kind::Oracle, message));
    }
}

fn check_verdict(verdict: Verdict, exact: bool, known: &Known, faults: &mut Vec<Fault>) {
    if let Some(right) = known.verdict()
        && right != verdict
    {
        faults.push(fault(
            Kind::Verdict,
            format!("expected {}, got {}", right.name(), verdict.name()),
        ));
    } else if known.polytopes && !exact {
        faults.push(fault(
            Kind::Verdict,
            format!("{} is not exact", verdict.name()),
        ));
    }
}

fn check_interval(name: &str, verdict: Verdict, [lower, upper]: [f64; 2], faults: &mut Vec<Fault>) {
    let signs = match verdict {
        // Below the smallest number the end nearer to zero is zero.
        Verdict::Separated => lower >= 0.0 && upper > 0.0,
        Verdict::Touching => lower == 0.0 && upper == 0.0,
        Verdict::Overlapping => upper <= 0.0 && lower < 0.0,
        Verdict::Undecided => lower <= 0.0 && upper >= 0.0,
    };
    if !signs || !(lower <= upper) {
        let message = format!(
            "{name} [{lower:?}, {upper:?}]: no interval of {}",
            verdict.name()
        );
        faults.push(fault(Kind::Interval, message));
    }
}

/// The interval must hold the truth.
fn check_truth(name: &str, [lower, upper]: [f64; 2], known: &Known, faults: &mut Vec<Fault>) {
    let mut misses = |truth: f64| {
        faults.push(fault(
            Kind::Interval,
            format!("{name} [{lower:?}, {upper:?}] misses {truth:?}"),
        ))
    };
    if let Some(truth) = &known.truth {
        let terms = |x: f64| [x, known.radii[0], known.radii[1]];
        let below = truth.compare(&terms(lower)) == Ordering::Less;
        if below || truth.compare(&terms(upper)) == Ordering::Greater {
            misses(truth.approximate() - known.radius_sum());
        }
    }
    if let Some([least, most]) = known.distance
        && (most < lower || upper < least)
    {
        misses(least);
    }
}

fn check_distance<V: Vector>(
    found: &Distance<V>,
    [lower, upper]: [f64; 2],
    faults: &mut Vec<Fault>,
) {
    let meets = matches!(found.verdict, Verdict::Touching | Verdict::Overlapping);
    if !(0.0 <= lower && lower <= upper) || meets && upper > 0.0 {
        let message = format!(
            "distance [{lower:?}, {upper:?}]: no distance of bodies {}",
            found.verdict.name()
        );
        faults.push(fault(Kind::Interval, message));
    }
}

std::thread_local! {
    /// Set while a query is asked: its panics are finds, and told as such.
    static ASKING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs a question whose panics are caught.
pub fn asking<T>(question: impl FnOnce() -> T) -> T {
    ASKING.set(true);
    let answer = question();
    ASKING.set(false);
    answer
}

/// Panics of queries are told in the report only; all others as before.
pub fn silence_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !ASKING.get() {
            before(panic);
        }
    }));
}
