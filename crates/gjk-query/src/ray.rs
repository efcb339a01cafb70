//! A ray and a body: from a [`RayQuerySpec`] to the JSON object of the motion format.
//!
//! Where it sits: beside [`crate::answer`], which answers pairs at rest. `gjk query` answers by [`solve`].
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::answer::{Bounds, components};
use crate::certificate::{
    CertificateText, Exact, direction_text, exact, indices, ratio_text, weights_of,
};
use crate::convert::{self, Body, InputError, Numbering, Space};
use crate::pair::Pair;
use gjk::Pose;
use gjk::math::Scalar;
use gjk::query::{
    BigInt, Combination, Direction, Interval, Meeting, MotionStop, Ray, RayAnswer, RayCertificate,
    RayError, RayOptions, RayProof, Start, Touch, prove_ray,
};
use gjk::shape::Point;
use gjk::verify::{Verified, verify_ray};
use gjk_scene::{RayExpectSpec, RayQuerySpec, StartSpec, TouchSpec};
use serde::Serialize;

/// How far a component of the normal may be off an expected one; a larger `tolerance` of the line counts for it too.
const NORMAL_TOLERANCE: f64 = 1e-6;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
pub struct MotionAnswer {
    /// The query's.
    pub id: String,
    /// Its name.
    #[serde(serialize_with = "verdict_name")]
    pub verdict: Meeting,
    /// True when the verdict rests on exact signs.
    pub exact: bool,
    /// Absent for `free`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Bounds>,
    /// Unit, out of A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
    /// On A's surface, world frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_a: Option<Vec<f64>>,
    /// The ray's place.
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
    pub stop: MotionStop,
    /// When asked for, and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<MotionCertificateText>,
    /// What the checker proved, when it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What the checker found wrong: a bug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection: Option<String>,
}

/// The vertices of the features that meet, as indices of the input's own points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Features {
    /// A vertex, an edge or the ring of a face; empty where A is smooth.
    pub a: Vec<u64>,
    /// The ray's one vertex.
    pub b: Vec<u64>,
}

/// A certificate in the words of the motion format.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MotionCertificateText {
    /// Of a start in contact: that of the pair at rest.
    Start(CertificateText),
    /// Of a motion.
    Motion(Box<MotionText>),
}

/// A certificate of a motion: the keys that its kind has.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MotionText {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<CertificateText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<BeforeText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<AfterText>,
}

/// A plane that separates at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BeforeText {
    direction: Vec<Exact>,
    time: f64,
}

/// A point of A that is near the ray at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AfterText {
    pairs: Vec<[u64; 2]>,
    weights: Vec<Exact>,
    time: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    touch: bool,
}

fn verdict_name<S: serde::Serializer>(verdict: &Meeting, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

fn stop_name<S: serde::Serializer>(stop: &MotionStop, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stop.name())
}

/// Answers a ray; with `verify` the answer also says what an exact checker proved of it.
///
/// # Errors  a body that is none, numbers beyond the scalar, an answer that the scalar cannot hold.
pub fn solve<V: Space>(spec: &RayQuerySpec, verify: bool) -> Result<MotionAnswer, InputError> {
    let body: Body<V> = convert::body("a", &spec.a)?;
    let ray = ray::<V>(spec)?;
    let proof = prove_ray(&body.shape, &body.pose, &ray, &options(spec));
    let mut answer = stated(&spec.id, &body, &ray, &proof)?;
    if spec.options.certificate != Some(true) {
        answer.certificate = None;
    }
    if verify {
        match verify_ray(&body.shape, &body.pose, &ray, &proof) {
            Ok(proved) => answer.verified = Some(proved),
            Err(error) => answer.objection = Some(error.to_string()),
        }
    }
    Ok(answer)
}

/// The library's ray, its numbers rounded to the scalar of `V`.
fn ray<V: Space>(spec: &RayQuerySpec) -> Result<Ray<V>, InputError> {
    let (mut line, mut options) = (spec.ray.clone(), spec.options);
    line.visit_numbers(&mut |number, at| convert::round::<V::Scalar>(number, at))?;
    options.visit_numbers(&mut |number, at| convert::round::<V::Scalar>(number, at))?;
    let refused = |error: RayError| InputError::new(error.kind(), error.field(), error.to_string());
    let vector = |numbers: &[f64], field| convert::vector::<V>(numbers, field);
    let origin = vector(&line.origin, "ray.origin")?;
    let mut ray = Ray::new(origin, vector(&line.direction, "ray.direction")?).map_err(refused)?;
    if let Some(time) = options.max_time {
        ray = ray
            .with_max_time(V::Scalar::from_f64(time))
            .map_err(refused)?;
    }
    let distance = V::Scalar::from_f64(options.distance.unwrap_or(0.0));
    ray.with_radius(distance).map_err(refused)
}

/// The library's options.
fn options(spec: &RayQuerySpec) -> RayOptions {
    let start = match spec.options.start {
        None | Some(StartSpec::Hit) => Start::Hit,
        Some(StartSpec::Approach) => Start::Approach,
        Some(StartSpec::Exit) => Start::Exit,
    };
    let touch = match spec.options.touch {
        None | Some(TouchSpec::Counts) => Touch::Counts,
        Some(TouchSpec::Passes) => Touch::Passes,
    };
    RayOptions::default().with_start(start).with_touch(touch)
}

fn bounds<S: Scalar>(interval: Interval<S>) -> Bounds {
    Bounds {
        lower: interval.lower.to_f64(),
        upper: interval.upper.to_f64(),
    }
}

/// The answer as the format prints it.
fn stated<V: Space>(
    id: &str,
    body: &Body<V>,
    ray: &Ray<V>,
    proof: &RayProof<V>,
) -> Result<MotionAnswer, InputError> {
    let found: &RayAnswer<V> = &proof.answer;
    let points = [found.normal, found.point_a, found.point_b];
    if points.iter().flatten().any(|v| !v.is_finite()) {
        let message = format!(
            "the answer is not finite: it leaves the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    let features = matches!(found.verdict, Meeting::Hits | Meeting::Exits).then(|| Features {
        a: proof
            .feature
            .iter()
            .map(|&id| body.numbering.index(u64::from(id)))
            .collect(),
        b: vec![0],
    });
    let certificate = match &proof.certificate {
        Some(certificate) => Some(certificate_text(certificate, body, ray, found.verdict)?),
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
        verified: None,
        objection: None,
    })
}

/// The ray at its start as a second body, for certificates of pairs.
fn pair<V: Space>(body: &Body<V>, ray: &Ray<V>) -> Result<Pair<V>, InputError> {
    Ok(Pair {
        a: body.clone(),
        b: Body {
            shape: Point::new(ray.origin())?.into(),
            pose: Pose::identity(),
            numbering: Numbering::Own(1),
        },
    })
}

fn fraction(time: &[BigInt; 2]) -> Exact {
    let time = exact(time);
    ratio_text(&time[0], &time[1])
}

/// A plane before contact and a point in it, as they are written.
fn rounded_text<V: Space>(
    (outside, before): (f64, &Direction),
    (inside, after): (f64, &Combination),
    touch: bool,
    pairs: impl Fn(&Combination) -> Vec<[u64; 2]>,
) -> MotionText {
    let direction = direction_text(before, V::DIM);
    MotionText {
        before: Some(BeforeText {
            direction,
            time: outside,
        }),
        after: Some(AfterText {
            pairs: pairs(after),
            weights: weights_of(after),
            time: inside,
            touch,
        }),
        ..MotionText::default()
    }
}

fn certificate_text<V: Space>(
    certificate: &RayCertificate,
    body: &Body<V>,
    ray: &Ray<V>,
    verdict: Meeting,
) -> Result<MotionCertificateText, InputError> {
    let pairs = |point: &Combination| indices(&point.pairs, [&body.numbering, &Numbering::Own(1)]);
    let kind = verdict.name();
    let text = match certificate {
        RayCertificate::Start(start) => {
            let pair = pair(body, ray)?;
            return Ok(MotionCertificateText::Start(CertificateText::new(
                start, &pair,
            )));
        }
        RayCertificate::Exit { start, end } => {
            let MotionCertificateText::Motion(end) = certificate_text(end, body, ray, verdict)?
            else {
                return Err(InputError::new("internal", "", "an exit without an end"));
            };
            let start = CertificateText::new(start, &pair(body, ray)?);
            MotionText {
                start: Some(start),
                ..*end
            }
        }
        RayCertificate::Free { direction } => MotionText {
            kind,
            direction: Some(direction_text(direction, V::DIM)),
            ..MotionText::default()
        },
        RayCertificate::Facet {
            direction,
            time,
            combination,
        } => MotionText {
            kind,
            direction: Some(direction_text(direction, V::DIM)),
            time: Some(fraction(time)),
            pairs: Some(pairs(combination)),
            weights: Some(weights_of(combination)),
            ..MotionText::default()
        },
        RayCertificate::Rounded {
            outside,
            before,
            inside,
            after,
            touch,
        } => MotionText {
            kind,
            ..rounded_text::<V>((*outside, before), (*inside, after), *touch, pairs)
        },
    };
    Ok(MotionCertificateText::Motion(Box::new(text)))
}

/// What is wrong with an answer: a sentence each, expected and got.
pub fn failures(expect: &RayExpectSpec, answer: &MotionAnswer) -> Vec<String> {
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
