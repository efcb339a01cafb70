//! One query answered: from a [`QuerySpec`] to the JSON object of the query format.
//!
//! Where it sits: `gjk query` and `gjk trace` both answer by [`solve`]. `distance`, `penetration` and `contact` are all
//! answered with the signed distance of either sign, so that `lower > 0` always says separated and `upper < 0` overlapping.
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::certificate::CertificateText;
use crate::convert::{InputError, Space};
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::{self, Contact, Iterations, Options, Verdict, WarmStart};
use gjk::trace::{Recorder, Step};
use gjk::verify::{self, Verified};
use gjk::{NO_ID, Stop, SupportPair, Vector};
use gjk_scene::{OptionsSpec, QueryKind, QuerySpec};
use serde::Serialize;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
pub struct Answer<V: Space> {
    /// The query's.
    pub id: String,
    /// Its name.
    #[serde(serialize_with = "verdict_name")]
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
    pub stop: Stop,
    /// When asked for, and known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateText>,
    /// When asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(bound(serialize = "V: Serialize, V::Scalar: Serialize"))]
    pub trace: Option<Vec<Step<V>>>,
    /// What the checker proved, when it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What the checker found wrong: a bug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection: Option<String>,
}

/// A proven interval; an end that is not known is infinite, and `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
}

fn verdict_name<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

fn stop_name<S: serde::Serializer>(stop: &Stop, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stop.name())
}

/// Answers a query; with `verify` the answer also says what an exact checker proved of it.
pub fn solve<V: Space>(spec: &QuerySpec, verify: bool) -> Result<Answer<V>, InputError> {
    let pair = Pair::new(spec)?;
    let stated = spec.options.certificate == Some(true);
    // Where nobody asks for a certificate, boxes are answered by their axes alone. The checker needs one.
    let options = Options {
        certificate: stated || verify,
        prove_depth: verify,
        ..options::<V>(&spec.options)?
    };
    let mut recorder = (spec.options.trace == Some(true)).then(Recorder::new);
    let (mut answer, verified) = match spec.query {
        QueryKind::Intersects => intersects(&spec.id, &pair, &options, recorder.as_mut(), verify),
        _ => contact(&spec.id, &pair, &options, recorder.as_mut(), verify)?,
    };
    match verified {
        Some(Ok(proved)) => answer.verified = Some(proved),
        Some(Err(objection)) => answer.objection = Some(objection.to_string()),
        None => {}
    }
    if !stated {
        answer.certificate = None;
    }
    answer.trace = recorder.map(|recorder| renumbered(recorder.steps, &pair));
    Ok(answer)
}

/// An answer, and what the checker made of it where it was called.
type Checked<V> = (Answer<V>, Option<Result<Verified, verify::Objection>>);

/// The verdict alone.
fn intersects<V: Space>(
    id: &str,
    pair: &Pair<V>,
    options: &Options<V>,
    recorder: Option<&mut Recorder<V>>,
    verify: bool,
) -> Checked<V> {
    let Pair { a, b } = pair;
    let (verdict, exact, iterations, stop, certificate) = match recorder {
        Some(recorder) => {
            let found =
                query::intersects_observed(&a.shape, &a.pose, &b.shape, &b.pose, options, recorder);
            (
                found.verdict,
                found.exact,
                found.iterations,
                found.stop,
                found.certificate,
            )
        }
        None => {
            let found = query::intersects(&a.shape, &a.pose, &b.shape, &b.pose, options);
            (
                found.verdict,
                found.exact,
                found.iterations,
                found.stop,
                found.certificate,
            )
        }
    };
    let proof = certificate.as_ref();
    let verified = verify.then(|| {
        verify::verify_verdict(&a.shape, &a.pose, &b.shape, &b.pose, verdict, proof).map(
            |verdict| Verified {
                verdict,
                ..Verified::default()
            },
        )
    });
    let text = proof.map(|certificate| CertificateText::new::<V>(certificate, pair));
    (bare(id, verdict, exact, iterations, stop, text), verified)
}

/// The signed distance.
fn contact<V: Space>(
    id: &str,
    pair: &Pair<V>,
    options: &Options<V>,
    recorder: Option<&mut Recorder<V>>,
    verify: bool,
) -> Result<Checked<V>, InputError> {
    let Pair { a, b } = pair;
    let found = match recorder {
        Some(recorder) => contact_traced(pair, options, recorder),
        None => query::contact(&a.shape, &a.pose, &b.shape, &b.pose, options),
    };
    let verified = verify.then(|| verify::verify(&a.shape, &a.pose, &b.shape, &b.pose, &found));
    Ok((full(id, pair, found)?, verified))
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

/// The signed distance, its steps recorded.
pub fn contact_traced<V: Space>(
    pair: &Pair<V>,
    options: &Options<V>,
    recorder: &mut Recorder<V>,
) -> Contact<V> {
    let Pair { a, b } = pair;
    query::contact_observed(
        &a.shape,
        &a.pose,
        &b.shape,
        &b.pose,
        options,
        &mut WarmStart::new(),
        recorder,
    )
}

/// The library's options.
pub fn options<V: Space>(spec: &OptionsSpec) -> Result<Options<V>, InputError> {
    let mut options = Options::default();
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
    pair: &Pair<V>,
    found: Contact<V>,
) -> Result<Answer<V>, InputError> {
    let Contact {
        signed_distance: bounds,
        normal,
        point_a,
        point_b,
        ..
    } = &found;
    let points_finite = [normal, point_a, point_b].iter().all(|v| v.is_finite());
    if !points_finite || bounds.lower.to_f64().is_nan() || bounds.upper.to_f64().is_nan() {
        let message = format!(
            "the answer is not finite: the bodies or their distance leave the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    let certificate = found
        .certificate
        .as_ref()
        .map(|c| CertificateText::new::<V>(c, pair));
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
