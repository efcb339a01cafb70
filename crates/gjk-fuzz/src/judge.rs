//! Asks every query about a case and judges the answers.
//!
//! Reading order: [`Judge::case`], then `examine.rs`, which compares one set of answers with what is known.

use super::case::{Body, Case, Form, Fuzzed};
use super::examine::{examine, examine_alone};
use super::gradients;
use super::known::{Answers, Fault, Kind, Known, fault};
use super::oracle::{Oracle, program};
use super::witnesses::{self, WitnessClaim};
use gjk::math::Scalar;
use gjk::query::{Contact, Options, Pair, Proof, ProofOptions, Question, Verdict};
use gjk::{Pose, Stop, Support, Vector, verify};
use gjk_query::convert::Space;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

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
    /// The width of the interval, in roundings of the scalar at the pair's size.
    pub width: f64,
    /// The interval is wider than [`WIDE_OF_SIZE`] and [`WIDE_OF_DISTANCE`] and the scalar's own roundings allow.
    pub wide: bool,
    /// Why `contact` stopped.
    pub stop: Option<Stop>,
    /// Judged by facets, by the program; proved by `gjk::verify`.
    pub judged: [bool; 3],
    /// One `contact`.
    pub query_time: Duration,
    /// The other queries.
    pub others_time: Duration,
    /// Judging.
    pub judge_time: Duration,
}

/// An interval is narrow that is within this part of the pair's size …
pub const WIDE_OF_SIZE: f64 = 4e-14;

/// … or within this part of the distance or depth.
pub const WIDE_OF_DISTANCE: f64 = 1e-12;

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
        // Shapes are asked as such: behind another type of body the library does not know them, and takes other ways.
        match (case.a.shape::<V>(), case.b.shape::<V>()) {
            (Some(Fuzzed::Shape(a)), Some(Fuzzed::Shape(b))) => self.bodies(case, [&a, &b], who),
            (Some(a), Some(b)) => self.bodies(case, [&a, &b], who),
            _ => Outcome {
                faults: vec![fault(Kind::Panic, "a constructor refused the shape")],
                ..Outcome::default()
            },
        }
    }

    /// [`Judge::case`], of bodies of one type.
    fn bodies<V: Space, S: Support<V>>(
        &mut self,
        case: &Case,
        [a, b]: [&S; 2],
        who: Asked,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let poses = [case.a.library_pose::<V>(), case.b.library_pose::<V>()];
        let asked = asking(|| {
            catch_unwind(AssertUnwindSafe(|| {
                ask(a, &poses[0], b, &poses[1], who.others)
            }))
        });
        let Ok((proof, others, [query_time, others_time])) = asked else {
            outcome.faults.push(fault(Kind::Panic, "a query panicked"));
            return outcome;
        };
        let start = Instant::now();
        self.learn(case, [a, b], who);
        match &others {
            Some(answers) => examine(case.dim, answers, &self.known, &mut outcome.faults),
            None => examine_alone(case.dim, &proof, &self.known, &mut outcome.faults),
        }
        self.check_witnesses(case, &proof.contact, others.as_ref(), &mut outcome.faults);
        let proved = checked([(a, &poses[0]), (b, &poses[1])], &proof, &mut outcome);
        outcome.judge_time = start.elapsed();
        (outcome.query_time, outcome.others_time) = (query_time, others_time);
        self.count(case, &proof.contact, proved, &mut outcome);
        outcome
    }

    /// Holds the normals and points of the contact, and of the other answers that are asked in this order of the bodies.
    fn check_witnesses<V: Vector>(
        &self,
        case: &Case,
        contact: &Contact<V>,
        others: Option<&Answers<V>>,
        faults: &mut Vec<Fault>,
    ) {
        let size = self.size(case);
        let of_contact = |name: &'static str, contact: &Contact<V>, faults: &mut Vec<Fault>| {
            let told = WitnessClaim {
                name,
                verdict: contact.verdict,
                normal: contact.normal,
                points: [contact.point_a, contact.point_b],
                interval: &contact.signed_distance,
            };
            witnesses::examine(case, &told, size, faults);
        };
        of_contact("contact", contact, faults);
        let Some(Answers {
            quick, distance, ..
        }) = others
        else {
            return;
        };
        // Of hulls that are 10^14 times as long as their gap the default's normal may be off by the root of a rounding, which is that much.
        if !self.known.polytopes {
            of_contact("quick", quick, faults);
        }
        // The distance of bodies that overlap is none along its normal.
        if distance.verdict == Verdict::Separated {
            let told = WitnessClaim {
                name: "distance",
                verdict: distance.verdict,
                normal: distance.normal,
                points: [distance.point_a, distance.point_b],
                interval: &distance.distance,
            };
            witnesses::examine(case, &told, size, faults);
        }
    }

    /// What the tally counts of an answer, besides its faults.
    fn count<V: Vector>(
        &self,
        case: &Case,
        contact: &Contact<V>,
        proved: bool,
        outcome: &mut Outcome,
    ) {
        let Contact {
            verdict,
            stop,
            iterations,
            signed_distance,
            ..
        } = contact;
        outcome.verdict = Some(*verdict);
        outcome.slow = *stop == Stop::Exact;
        outcome.stop = Some(*stop);
        outcome.iterations = iterations.gjk.saturating_add(iterations.epa);
        let (lower, upper) = (
            signed_distance.lower.to_f64(),
            signed_distance.upper.to_f64(),
        );
        let ulp = |x: f64| {
            let own = V::Scalar::from_f64(x);
            own.next_up().to_f64() - own.to_f64()
        };
        let (size, rounding) = (self.size(case), ulp(self.size(case)));
        outcome.width = if rounding > 0.0 {
            (upper - lower) / rounding
        } else {
            0.0
        };
        let far = lower.abs().max(upper.abs());
        let narrow = (WIDE_OF_SIZE * size).max(WIDE_OF_DISTANCE * far);
        // Both ends are rounded outwards, each by up to one rounding of the scalar.
        outcome.wide = upper - lower > narrow + 2.0 * ulp(far);
        outcome.judged = [
            self.known.truth.is_some(),
            self.known.relation.is_some(),
            proved,
        ];
    }

    /// The pair's size: the largest coordinate of the vertices in the world; of smooth bodies the largest length of each and the largest coordinate of their places.
    fn size(&self, case: &Case) -> f64 {
        if self.known.polytopes {
            let coordinates = self.known.vertices.iter().flatten().flatten();
            return coordinates.fold(self.known.radius_sum(), |m, x| m.max(x.abs()));
        }
        let lengths = [&case.a, &case.b].map(|body| {
            let (mut own, mut most) = (body.clone(), 0.0_f64);
            own.pose = None;
            own.for_each_length(|length| most = most.max(length.abs()));
            most
        });
        let places =
            [&case.a, &case.b].map(|body| body.pose.map_or([0.0; 3], |pose| pose.translation));
        let place = places
            .iter()
            .flatten()
            .fold(0.0_f64, |most, x| most.max(x.abs()));
        lengths[0] + lengths[1] + place
    }

    /// What was known of the last case.
    pub fn known(&self) -> &Known {
        &self.known
    }

    fn learn<V: Space, S: Support<V>>(&mut self, case: &Case, shapes: [&S; 2], who: Asked) {
        let bodies = [&case.a, &case.b];
        let known = &mut self.known;
        known.polytopes = !bodies.iter().any(|body| body.form.is_smooth());
        (known.verdict, known.distance) = (case.known, case.known_distance);
        (known.truth, known.relation) = (None, None);
        known.radii = [case.a.radius, case.b.radius];
        for k in 0..2 {
            // An ellipsoid of equal radii is a ball to the library: a point with a radius, which certificates speak of.
            if let (Form::Ellipsoid(radii), Some(_)) =
                (bodies[k].form, shapes[k].core().vertex_count)
            {
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

/// Whether the checker proves the verdict of an answer; its objection is a fault.
fn checked<V: Space, S: Support<V>>(
    [(a, pose_a), (b, pose_b)]: [(&S, &Pose<V>); 2],
    proof: &Proof<V>,
    outcome: &mut Outcome,
) -> bool {
    let verified = asking(|| {
        catch_unwind(AssertUnwindSafe(|| {
            verify::verify(a, pose_a, b, pose_b, proof)
        }))
    });
    match verified {
        Ok(Ok(proved)) => proved.verdict,
        Ok(Err(objection)) => {
            let message = format!("verify: {objection}");
            outcome.faults.push(fault(Kind::Certificate, message));
            false
        }
        Err(_) => {
            outcome.faults.push(fault(Kind::Panic, "verify panicked"));
            false
        }
    }
}

/// The library's vertices of a core, in the world by our own arithmetic.
fn numbered<V: Vector, S: Support<V>>(body: &Body, shape: &S, into: &mut Vec<[f64; 3]>) {
    into.clear();
    let count = shape.core().vertex_count.unwrap_or(0);
    let local = (0..count).filter_map(|id| shape.vertex(id));
    into.extend(local.map(|x| body.world(x.to_f64())));
}

/// `prove`, then perhaps all queries, timed.
#[allow(clippy::type_complexity)] // an answer, all answers, two times
fn ask<V: Vector, S: Support<V>>(
    a: &S,
    pose_a: &Pose<V>,
    b: &S,
    pose_b: &Pose<V>,
    others: bool,
) -> (Proof<V>, Option<Answers<V>>, [Duration; 2]) {
    let pair = Pair::new(a, pose_a, b, pose_b);
    let start = Instant::now();
    let proof = pair.prove();
    let query_time = start.elapsed();
    let answers = others.then(|| answers(&pair, proof.clone()));
    (proof, answers, [query_time, start.elapsed() - query_time])
}

/// The answers of all queries about a pair, of which one is known.
pub(crate) fn answers<V: Vector, S: Support<V>>(
    pair: &Pair<'_, V, S, S>,
    proof: Proof<V>,
) -> Answers<V> {
    let verdict = ProofOptions::default().with_question(Question::Verdict);
    Answers {
        proof,
        swapped: Pair::new(pair.b, pair.pose_b, pair.a, pair.pose_a).prove(),
        verdict: pair.with(&Options::default()).prove_with(&verdict),
        intersects: pair.intersects(),
        distance: pair.with(&Options::tight()).distance(),
        quick: pair.contact(),
        gradient: gradients::asked(pair),
        translations: [pair.pose_a, pair.pose_b].map(|pose| pose.translation()),
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
