//! One query answered: from a [`QuerySpec`] to the JSON object of the query format.
//!
//! Where it sits: `gjk query` and `gjk trace` both answer by [`solve`]. `distance`, `penetration` and `contact` are all
//! answered with the signed distance of either sign, so that `lower > 0` always says separated and `upper < 0` overlapping.
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::certificate::CertificateText;
use crate::convert::{InputError, Space};
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::{
    Contact, Intersection, Iterations, Options, Proof, ProofOptions, Question, Verdict,
};
use gjk::trace::{Recorder, Step};
use gjk::verify::{self, Verified, VerifyError};
use gjk::{NO_ID, Stop, SupportPair, Vector};
use gjk_scene::{OptionsSpec, QueryKind, QuerySpec};
use serde::Serialize;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, rename = "Answer", bound = "")
)]
pub struct Answer<V: Space> {
    /// The query's.
    pub id: String,
    /// Its name.
    #[serde(serialize_with = "verdict_name")]
    #[cfg_attr(feature = "schema", schemars(with = "gjk_scene::VerdictSpec"))]
    pub verdict: Verdict,
    /// True when proved for the bodies as rounded.
    pub exact: bool,
    /// Absent for `intersects`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_distance: Option<Bounds>,
    /// Unit, from A to B; absent for `intersects`, as the points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
    /// On A's surface, world frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_a: Option<Vec<f64>>,
    /// On B's surface, world frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_b: Option<Vec<f64>>,
    /// Of both loops.
    pub iterations: u32,
    /// Its name.
    #[serde(serialize_with = "stop_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub stop: Stop,
    /// When asked for, and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateText>,
    /// When asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(bound(serialize = "V: Serialize, V::Scalar: Serialize"))]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::answer_schema::StepLayout>>")
    )]
    pub trace: Option<Vec<Step<V>>>,
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

/// A proven interval; an end that is not known is infinite, and `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// At most the truth.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub lower: f64,
    /// At least the truth.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub upper: f64,
}

fn verdict_name<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

fn stop_name<S: serde::Serializer>(stop: &Stop, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stop.name())
}

/// Answers a query; with `verify` the answer also says what an exact checker proved of it.
///
/// Who asks for a certificate, a check or the steps gets a proof; everyone else the closed forms where there are some.
pub fn solve<V: Space>(spec: &QuerySpec, verify: bool) -> Result<Answer<V>, InputError> {
    let pair = Pair::new(spec)?;
    let options = options::<V>(&spec.options)?;
    let stated = spec.options.certificate == Some(true);
    let traced = spec.options.trace == Some(true);
    if !(stated || traced || verify) {
        return unproved(spec, &pair, &options);
    }
    let question = match (spec.query, traced) {
        (QueryKind::Intersects, true) => Question::Tutorial,
        (QueryKind::Intersects, false) => Question::Verdict,
        _ => Question::Contact,
    };
    let proof = ProofOptions::default()
        .with_question(question)
        .with_certificate(stated || verify)
        .with_facets(verify);
    let mut recorder = Recorder::new();
    let found = if traced {
        prove(&pair, &options, &proof, &mut recorder)
    } else {
        pair.bodies().with(&options).prove_with(&proof)
    };
    let mut answer = proved(&spec.id, &pair, &found, question)?;
    if verify {
        match check(&pair, &found, question) {
            Ok(proved) => answer.verified = Some(proved),
            Err(error) => answer.objection = Some(error.to_string()),
        }
    }
    if !stated {
        answer.certificate = None;
    }
    answer.trace = traced.then(|| renumbered(recorder.steps, &pair));
    Ok(answer)
}

/// The answer without a proof.
fn unproved<V: Space>(
    spec: &QuerySpec,
    pair: &Pair<V>,
    options: &Options<V::Scalar>,
) -> Result<Answer<V>, InputError> {
    let query = pair.bodies().with(options);
    if spec.query != QueryKind::Intersects {
        return full(&spec.id, &query.contact(), None);
    }
    let found = query.intersects();
    let Intersection { verdict, exact, .. } = found;
    Ok(bare(
        &spec.id,
        verdict,
        exact,
        found.iterations,
        found.stop,
        None,
    ))
}

/// The answer of a proof.
///
/// # Errors  an answer that the scalar cannot hold.
pub fn proved<V: Space>(
    id: &str,
    pair: &Pair<V>,
    found: &Proof<V>,
    question: Question,
) -> Result<Answer<V>, InputError> {
    let Proof {
        contact,
        certificate,
    } = found;
    let text = certificate
        .as_ref()
        .map(|stated| CertificateText::new::<V>(stated, pair));
    if question == Question::Contact {
        return full(id, contact, text);
    }
    Ok(bare(
        id,
        contact.verdict,
        contact.exact,
        contact.iterations,
        contact.stop,
        text,
    ))
}

/// What the checker makes of a proof.
fn check<V: Space>(
    pair: &Pair<V>,
    found: &Proof<V>,
    question: Question,
) -> Result<Verified, VerifyError> {
    let Pair { a, b } = pair;
    if question == Question::Contact {
        return verify::verify(&a.shape, &a.pose, &b.shape, &b.pose, found);
    }
    let (verdict, certificate) = (found.contact.verdict, found.certificate.as_ref());
    let proved =
        verify::verify_verdict(&a.shape, &a.pose, &b.shape, &b.pose, verdict, certificate)?;
    Ok(Verified {
        verdict: proved,
        ..Verified::default()
    })
}

/// The steps with vertex ids that name the input's own points, as certificates do.
pub fn renumbered<V: Space>(mut steps: Vec<Step<V>>, pair: &Pair<V>) -> Vec<Step<V>> {
    let numberings = [&pair.a.numbering, &pair.b.numbering];
    let rename = |support: &mut SupportPair<V>| {
        for (id, numbering) in support
            .ids
            .iter_mut()
            .zip(numberings)
            .filter(|(id, _)| **id != NO_ID)
        {
            *id = u32::try_from(numbering.index(u64::from(*id))).unwrap_or(NO_ID);
        }
    };
    for step in &mut steps {
        match step {
            Step::Gjk {
                support,
                simplex: several,
                ..
            }
            | Step::Epa {
                support,
                nearest: several,
                ..
            } => {
                rename(support);
                several.iter_mut().for_each(rename);
            }
        }
    }
    steps
}

/// A proof of what the options say, its steps recorded.
pub fn prove<V: Space>(
    pair: &Pair<V>,
    options: &Options<V::Scalar>,
    proof: &ProofOptions<V>,
    recorder: &mut Recorder<V>,
) -> Proof<V> {
    pair.bodies().with(options).prove_observed(proof, recorder)
}

/// The library's options.
pub fn options<V: Space>(spec: &OptionsSpec) -> Result<Options<V::Scalar>, InputError> {
    let mut options = Options::tight();
    if let Some(tolerance) = spec.tolerance_relative {
        let rounded = V::Scalar::from_f64(tolerance);
        if !rounded.is_finite() {
            let message = format!("{tolerance} is beyond the largest {}", V::Scalar::NAME);
            return Err(InputError::new(
                "out_of_range",
                "options.tolerance_relative",
                message,
            ));
        }
        options.tolerance_relative = Some(rounded);
    }
    options.iterations_max = spec.iterations_max.unwrap_or(options.iterations_max);
    Ok(options)
}

/// The components as `f64`.
pub fn components<V: Vector>(v: V) -> Vec<f64> {
    (0..V::DIM).map(|k| v.component(k).to_f64()).collect()
}

/// The answer of `intersects`.
pub fn bare<V: Space>(
    id: &str,
    verdict: Verdict,
    exact: bool,
    iterations: Iterations,
    stop: Stop,
    certificate: Option<CertificateText>,
) -> Answer<V> {
    Answer {
        id: id.to_owned(),
        verdict,
        exact,
        signed_distance: None,
        normal: None,
        point_a: None,
        point_b: None,
        iterations: iterations.gjk.saturating_add(iterations.epa),
        stop,
        certificate,
        trace: None,
        verified: None,
        objection: None,
    }
}

/// The answer of the other queries.
///
/// # Errors  an answer that the scalar cannot hold, because bodies or their distance reach its largest value.
pub fn full<V: Space>(
    id: &str,
    found: &Contact<V>,
    certificate: Option<CertificateText>,
) -> Result<Answer<V>, InputError> {
    let Contact {
        signed_distance: bounds,
        normal,
        point_a,
        point_b,
        ..
    } = found;
    let points_finite = [normal, point_a, point_b].iter().all(|v| v.is_finite());
    if !points_finite || bounds.lower.to_f64().is_nan() || bounds.upper.to_f64().is_nan() {
        let message = format!(
            "the answer is not finite: the bodies or their distance leave the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    Ok(Answer {
        signed_distance: Some(Bounds {
            lower: bounds.lower.to_f64(),
            upper: bounds.upper.to_f64(),
        }),
        normal: Some(components(*normal)),
        point_a: Some(components(*point_a)),
        point_b: Some(components(*point_b)),
        ..bare(
            id,
            found.verdict,
            found.exact,
            found.iterations,
            found.stop,
            certificate,
        )
    })
}
