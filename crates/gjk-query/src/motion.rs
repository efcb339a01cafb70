//! Bodies in motion: from a [`MotionQuerySpec`] to the JSON object of the motion format.
//!
//! Where it sits: beside [`crate::answer`], which answers pairs at rest. `gjk query` answers by [`solve`].
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::answer::{Bounds, components};
use crate::convert::{self, Body, InputError, Numbering, Space};
use crate::motion_certificate::{MotionCertificateText, certificate_text};
use crate::motion_record::{MotionStepText, watched, written};
use crate::pair::Pair;
use crate::turning::{limits, turning};
use gjk::Pose;
use gjk::math::Scalar;
use gjk::query::{
    CastAnswer, CastProof, Interval, Meeting, MotionError, MotionOptions, MotionStep, MotionStop,
    Ray, Start, ToiOptions, Touch, Twist, observe_cast, observe_ray, observe_toi, prove_cast,
    prove_ray, prove_toi,
};
use gjk::shape::Point;
use gjk::verify::{Verified, VerifyError, verify_cast, verify_ray, verify_toi};
use gjk_scene::{
    MotionExpectSpec, MotionQuerySpec, MoverSpec, MovingBodySpec, RaySpec, StartSpec, TouchSpec,
};
use serde::Serialize;

/// How far a component of the normal may be off an expected one; a larger `tolerance` of the line counts for it too.
const NORMAL_TOLERANCE: f64 = 1e-6;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct MotionAnswer {
    /// The query's.
    pub id: String,
    /// Its name.
    #[serde(serialize_with = "verdict_name")]
    #[cfg_attr(feature = "schema", schemars(with = "gjk_scene::MeetingSpec"))]
    pub verdict: Meeting,
    /// True when the verdict rests on exact signs.
    pub exact: bool,
    /// Absent for `free`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Bounds>,
    /// Unit, from A to B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
    /// On A's surface, world frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_a: Option<Vec<f64>>,
    /// On B's surface; a ray's place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_b: Option<Vec<f64>>,
    /// What meets, where contact begins or ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Features>,
    /// There is contact, and no inner point is ever met.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grazing: bool,
    /// Of a start in contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_distance: Option<Bounds>,
    /// Steps of the search.
    pub iterations: u32,
    /// Its name.
    #[serde(serialize_with = "stop_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub stop: MotionStop,
    /// When asked for, and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<MotionCertificateText>,
    /// When asked for: the steps of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<MotionStepText>>,
    /// What the checker proved, when it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::answer_schema::VerifiedLayout>")
    )]
    pub verified: Option<Verified>,
    /// What the checker found wrong: a bug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection: Option<String>,
}

/// The vertices of the features that meet, as indices of the input's own points.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Features {
    /// A vertex, an edge or the ring of a face; empty where it is smooth.
    pub a: Vec<u64>,
    /// Likewise; a ray has one vertex.
    pub b: Vec<u64>,
}

fn verdict_name<S: serde::Serializer>(verdict: &Meeting, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

fn stop_name<S: serde::Serializer>(stop: &MotionStop, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stop.name())
}

/// What is asked, as the library takes it.
pub(crate) struct Asked<V: Space> {
    /// Of a ray, with the point where it starts.
    pub(crate) pair: Pair<V>,
    pub(crate) motion: Motion<V>,
    options: MotionOptions<V::Scalar>,
    /// Of bodies that turn; its policies are `options`.
    limits: ToiOptions<V::Scalar>,
}

/// How the bodies move.
pub(crate) enum Motion<V: Space> {
    Ray(Ray<V>),
    Cast([V; 2]),
    Toi([Twist<V>; 2]),
}

impl<V: Space> Asked<V> {
    pub(crate) fn new(spec: &MotionQuerySpec) -> Result<Self, InputError> {
        let (pair, motion) = match &spec.mover {
            MoverSpec::Ray { a, ray: line } => {
                let body = convert::body("a", a)?;
                let ray = ray::<V>(line)?;
                (with_start(body, &ray)?, Motion::Ray(ray))
            }
            MoverSpec::Cast { a, b } => {
                let pair = Pair {
                    a: convert::body("a", &a.body)?,
                    b: convert::body("b", &b.body)?,
                };
                let velocities = [velocity::<V>("a", a)?, velocity("b", b)?];
                (pair, Motion::Cast(velocities))
            }
            MoverSpec::Toi { a, b } => {
                let (a, of_a) = turning("a", a)?;
                let (b, of_b) = turning("b", b)?;
                (Pair { a, b }, Motion::Toi([of_a, of_b]))
            }
        };
        let options = options::<V::Scalar>(spec)?;
        Ok(Self {
            pair,
            motion,
            options,
            limits: limits(spec, options)?,
        })
    }

    /// Answers without a proof, and tells who watches each step of the search.
    pub(crate) fn observed(&self, observe: &dyn Fn(MotionStep)) -> CastAnswer<V> {
        let Pair { a, b } = &self.pair;
        match self.motion {
            Motion::Ray(ray) => observe_ray(&a.shape, &a.pose, &ray, &self.options, observe),
            Motion::Toi([of_a, of_b]) => observe_toi(
                &a.shape,
                &a.pose,
                &of_a,
                &b.shape,
                &b.pose,
                &of_b,
                &self.limits,
                observe,
            ),
            Motion::Cast([from, to]) => observe_cast(
                &a.shape,
                &a.pose,
                from,
                &b.shape,
                &b.pose,
                to,
                &self.options,
                observe,
            ),
        }
    }

    pub(crate) fn proof(&self) -> CastProof<V> {
        let Pair { a, b } = &self.pair;
        match self.motion {
            Motion::Ray(ray) => prove_ray(&a.shape, &a.pose, &ray, &self.options),
            Motion::Toi([of_a, of_b]) => prove_toi(
                &a.shape,
                &a.pose,
                &of_a,
                &b.shape,
                &b.pose,
                &of_b,
                &self.limits,
            ),
            Motion::Cast([from, to]) => prove_cast(
                &a.shape,
                &a.pose,
                from,
                &b.shape,
                &b.pose,
                to,
                &self.options,
            ),
        }
    }

    fn verify(&self, proof: &CastProof<V>) -> Result<Verified, VerifyError> {
        let Pair { a, b } = &self.pair;
        match self.motion {
            Motion::Ray(ray) => verify_ray(&a.shape, &a.pose, &ray, &self.options, proof),
            Motion::Toi([of_a, of_b]) => verify_toi(
                &a.shape,
                &a.pose,
                &of_a,
                &b.shape,
                &b.pose,
                &of_b,
                &self.limits,
                proof,
            ),
            Motion::Cast([from, to]) => verify_cast(
                &a.shape,
                &a.pose,
                from,
                &b.shape,
                &b.pose,
                to,
                &self.options,
                proof,
            ),
        }
    }
}

/// Answers a motion; with `verify` the answer also says what an exact checker proved of it.
///
/// # Errors  a body that is none, numbers beyond the scalar, an answer that the scalar cannot hold.
pub fn solve<V: Space>(spec: &MotionQuerySpec, verify: bool) -> Result<MotionAnswer, InputError> {
    solved::<V>(spec, verify).map(|(answer, _)| answer)
}

/// The same, with the library's answer beside the one that is printed.
pub(crate) fn solved<V: Space>(
    spec: &MotionQuerySpec,
    verify: bool,
) -> Result<(MotionAnswer, CastAnswer<V>), InputError> {
    let asked = Asked::<V>::new(spec)?;
    let proof = asked.proof();
    let mut answer = stated(&spec.id, &asked, &proof)?;
    if spec.options.certificate != Some(true) {
        answer.certificate = None;
    }
    if spec.options.trace == Some(true) {
        answer.trace = Some(written(&watched(&asked), &asked.pair));
    }
    if verify {
        match asked.verify(&proof) {
            Ok(proved) => answer.verified = Some(proved),
            Err(error) => answer.objection = Some(error.to_string()),
        }
    }
    Ok((answer, proof.answer))
}

pub(crate) fn refused(error: MotionError) -> InputError {
    InputError::new(error.kind(), error.field(), error.to_string())
}

/// The library's ray, its numbers rounded to the scalar of `V`.
fn ray<V: Space>(spec: &RaySpec) -> Result<Ray<V>, InputError> {
    let mut line = spec.clone();
    line.visit_numbers(&mut |number, at| convert::round::<V::Scalar>(number, at))?;
    let vector = |numbers: &[f64], field| convert::vector::<V>(numbers, field);
    let origin = vector(&line.origin, "ray.origin")?;
    Ray::new(origin, vector(&line.direction, "ray.direction")?).map_err(refused)
}

/// A body's velocity, its numbers rounded likewise.
fn velocity<V: Space>(name: &str, spec: &MovingBodySpec) -> Result<V, InputError> {
    let Some(mut motion) = spec.motion.clone() else {
        return Ok(V::ZERO);
    };
    motion.visit_numbers(name, &mut |number, at| {
        convert::round::<V::Scalar>(number, at)
    })?;
    convert::vector(&motion.velocity, "motion.velocity")
}

/// A body, and a ray at its start as a second body.
fn with_start<V: Space>(a: Body<V>, ray: &Ray<V>) -> Result<Pair<V>, InputError> {
    Ok(Pair {
        a,
        b: Body {
            shape: Point::new(ray.origin())?.into(),
            pose: Pose::identity(),
            numbering: Numbering::Own(1),
        },
    })
}

/// The library's options.
fn options<S: Scalar>(spec: &MotionQuerySpec) -> Result<MotionOptions<S>, InputError> {
    let start = match spec.options.start {
        None | Some(StartSpec::Hit) => Start::Hit,
        Some(StartSpec::Approach) => Start::Approach,
        Some(StartSpec::Exit) => Start::Exit,
    };
    let touch = match spec.options.touch {
        None | Some(TouchSpec::Counts) => Touch::Counts,
        Some(TouchSpec::Passes) => Touch::Passes,
    };
    let mut numbers = spec.options;
    numbers.visit_numbers(&mut |number, at| convert::round::<S>(number, at))?;
    let mut options = MotionOptions::default().with_start(start).with_touch(touch);
    if let Some(time) = numbers.max_time {
        options = options.with_max_time(S::from_f64(time)).map_err(refused)?;
    }
    let distance = S::from_f64(numbers.distance.unwrap_or(0.0));
    options.with_distance(distance).map_err(refused)
}

fn bounds<S: Scalar>(interval: Interval<S>) -> Bounds {
    Bounds {
        lower: interval.lower.to_f64(),
        upper: interval.upper.to_f64(),
    }
}

/// The answer as the format prints it.
pub(crate) fn stated<V: Space>(
    id: &str,
    asked: &Asked<V>,
    proof: &CastProof<V>,
) -> Result<MotionAnswer, InputError> {
    let found: &CastAnswer<V> = &proof.answer;
    let points = [found.normal, found.point_a, found.point_b];
    if points.iter().flatten().any(|v| !v.is_finite()) {
        let message = format!(
            "the answer is not finite: it leaves the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    let met = matches!(found.verdict, Meeting::Hits | Meeting::Exits);
    let named = |body: &Body<V>, ids: &[u32]| {
        let index = |&id: &u32| body.numbering.index(u64::from(id));
        ids.iter().map(index).collect()
    };
    let features = met.then(|| Features {
        a: named(&asked.pair.a, &proof.features[0]),
        b: match asked.motion {
            Motion::Ray(_) => vec![0],
            Motion::Cast(_) | Motion::Toi(_) => named(&asked.pair.b, &proof.features[1]),
        },
    });
    let certificate = match &proof.certificate {
        Some(certificate) => Some(certificate_text(certificate, &asked.pair, found.verdict)?),
        None => None,
    };
    Ok(MotionAnswer {
        id: id.to_owned(),
        verdict: found.verdict,
        exact: found.exact,
        time: found.time.map(bounds),
        normal: found.normal.map(components),
        point_a: found.point_a.map(components),
        point_b: found.point_b.map(components),
        features,
        grazing: found.grazing,
        signed_distance: found.signed_distance.map(bounds),
        iterations: found.iterations,
        stop: found.stop,
        certificate,
        trace: None,
        verified: None,
        objection: None,
    })
}

/// What is wrong with an answer: a sentence each, expected and got.
pub fn failures(expect: &MotionExpectSpec, answer: &MotionAnswer) -> Vec<String> {
    let mut found = Vec::new();
    let names: Vec<_> = expect
        .verdict
        .iter()
        .map(|verdict| verdict.name())
        .collect();
    if !names.is_empty() && !names.contains(&answer.verdict.name()) {
        let got = answer.verdict.name();
        found.push(format!(
            "expected verdict {}, got {got}",
            names.join(" or ")
        ));
    }
    if let Some(time) = expect.time {
        let near = |end: f64, tolerance: f64| (end - time).abs() <= tolerance;
        let right = answer.time.is_some_and(|got| match expect.tolerance {
            Some(tolerance) => near(got.lower, tolerance) && near(got.upper, tolerance),
            None => got.lower <= time && time <= got.upper,
        });
        if !right {
            found.push(format!("expected time {time:?}, got {:?}", answer.time));
        }
    }
    if let Some(grazing) = expect.grazing
        && grazing != answer.grazing
    {
        found.push(format!(
            "expected grazing {grazing}, got {}",
            answer.grazing
        ));
    }
    let tolerance = expect.tolerance.unwrap_or(0.0).max(NORMAL_TOLERANCE);
    let near = |right: &Vec<f64>| {
        let got = answer.normal.as_deref().unwrap_or_default();
        got.len() == right.len()
            && right
                .iter()
                .zip(got)
                .all(|(x, y)| (x - y).abs() <= tolerance)
    };
    if !expect.normal.is_empty() && !expect.normal.iter().any(near) {
        found.push(format!(
            "expected normal {:?}, got {:?}",
            expect.normal, answer.normal
        ));
    }
    found
}
