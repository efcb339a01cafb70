//! A manifold: from a [`ManifoldQuerySpec`] to the JSON object of the motion format.
//!
//! Where it sits: beside [`crate::answer`], which answers pairs. `gjk query` answers by [`solve`].
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::answer::{Bounds, components};
use crate::convert::{self, InputError, Numbering, Space};
use crate::expect::check_verdict;
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::{
    ContactFeature, Interval, Manifold, ManifoldKind, ManifoldOptions, ManifoldPoint, Verdict,
};
use gjk::verify::{Verified, verify, verify_manifold};
use gjk_scene::{ManifoldExpectSpec, ManifoldQuerySpec, PointsSpec};
use serde::Serialize;

/// How far a component of the normal may be off an expected one; a larger `tolerance` of the line counts for it too.
const FACING_TOLERANCE: f64 = 1e-6;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct ManifoldAnswer {
    /// The query's.
    pub id: String,
    /// Its name.
    #[serde(serialize_with = "verdict_name")]
    #[cfg_attr(feature = "schema", schemars(with = "gjk_scene::VerdictSpec"))]
    pub verdict: Verdict,
    /// True when the verdict rests on exact signs.
    pub exact: bool,
    /// That of the pair.
    pub signed_distance: Bounds,
    /// Unit, from A to B.
    pub normal: Vec<f64>,
    /// What bears on what.
    #[serde(serialize_with = "kind_name")]
    #[cfg_attr(feature = "schema", schemars(with = "gjk_scene::ManifoldKindSpec"))]
    pub kind: ManifoldKind,
    /// Where.
    pub points: Vec<PointAnswer>,
    /// Of the contact polygon before reduction; null where it is beyond the largest float.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub area: f64,
    /// Nothing was reduced.
    pub complete: bool,
    /// What the checker proved of the contact, when it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::answer_schema::VerifiedLayout>")
    )]
    pub verified: Option<Verified>,
    /// What a checker found wrong: a bug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection: Option<String>,
}

/// A point of a manifold.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct PointAnswer {
    /// On A, world frame.
    pub point_a: Vec<f64>,
    /// On B, world frame.
    pub point_b: Vec<f64>,
    /// Along the normal.
    pub separation: Bounds,
    /// What meets there.
    pub feature: FeatureAnswer,
    /// Its hash, in hexadecimal digits.
    pub id: String,
}

/// The features that meet.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeatureAnswer {
    /// Of A.
    pub a: FeatureText,
    /// Of B.
    pub b: FeatureText,
}

/// A feature as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FeatureText {
    /// A vertex, an edge or the ring of a face, as indices of the input's own points; empty where it is smooth.
    Points(Vec<u64>),
    /// `rim`, `side` or `cap`, and its number.
    Round(&'static str, u32),
}

fn verdict_name<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

fn kind_name<S: serde::Serializer>(kind: &ManifoldKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// Answers with a manifold; with `verify` the answer also says what the checkers found of it.
///
/// # Errors  a body that is none, numbers beyond the scalar, an answer that the scalar cannot hold.
pub fn solve<V: Space>(
    spec: &ManifoldQuerySpec,
    verify: bool,
) -> Result<ManifoldAnswer, InputError> {
    let (pair, options) = asked::<V>(spec)?;
    let bodies = pair.bodies();
    let (a, b, pose_a, pose_b) = (bodies.a, bodies.b, bodies.pose_a, bodies.pose_b);
    let found = gjk::query::manifold(a, pose_a, b, pose_b, &options);
    let mut answer = stated(&spec.id, &pair, &found)?;
    if verify {
        let proof = bodies.prove();
        let proved = self::verify(a, pose_a, b, pose_b, &proof).and_then(|proved| {
            verify_manifold(a, pose_a, b, pose_b, &options, &found).map(|()| proved)
        });
        match proved {
            Ok(proved) => answer.verified = Some(proved),
            Err(error) => answer.objection = Some(error.to_string()),
        }
    }
    Ok(answer)
}

/// The bodies of a line, and how it wants to be answered.
///
/// # Errors  a body that is none, numbers beyond the scalar.
pub fn asked<V: Space>(
    spec: &ManifoldQuerySpec,
) -> Result<(Pair<V>, ManifoldOptions<V::Scalar>), InputError> {
    let pair = Pair::<V> {
        a: convert::body("a", &spec.a)?,
        b: convert::body("b", &spec.b)?,
    };
    Ok((pair, options(spec)?))
}

fn options<S: Scalar>(spec: &ManifoldQuerySpec) -> Result<ManifoldOptions<S>, InputError> {
    let mut read = spec.options;
    read.visit_numbers(&mut |number, at| convert::round::<S>(number, at))?;
    let mut options =
        ManifoldOptions::default().with_prediction(S::from_f64(read.prediction.unwrap_or(0.0)));
    options = match read.points_max {
        Some(PointsSpec::Most(most)) => options.with_points_max(most),
        Some(PointsSpec::All(_)) => options.with_all_points(),
        None => options,
    };
    Ok(match read.cos_max_tilt {
        Some(cosine) => options.with_cos_max_tilt(cosine),
        None => options,
    })
}

fn bounds<S: Scalar>(interval: Interval<S>) -> Bounds {
    Bounds {
        lower: interval.lower.to_f64(),
        upper: interval.upper.to_f64(),
    }
}

/// A feature by the input's own points: an edge's in ascending order, a face's ring from the lowest on.
fn feature(feature: ContactFeature, face: &[u32], numbering: &Numbering) -> FeatureText {
    let index = |id: &u32| numbering.index(u64::from(*id));
    FeatureText::Points(match feature {
        ContactFeature::Cap(end) => return FeatureText::Round("cap", end),
        ContactFeature::Rim(place) => return FeatureText::Round("rim", place),
        ContactFeature::Side(place) => return FeatureText::Round("side", place),
        ContactFeature::Vertex(id) => vec![index(&id)],
        ContactFeature::Edge(ends) => {
            let mut ends: Vec<u64> = ends.iter().map(index).collect();
            ends.sort_unstable();
            ends
        }
        ContactFeature::Face => {
            let mut ring: Vec<u64> = face.iter().map(index).collect();
            let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
            ring.rotate_left(lowest);
            ring
        }
        _ => Vec::new(),
    })
}

/// The answer as the format prints it.
///
/// # Errors  numbers that are not finite.
pub fn stated<V: Space>(
    id: &str,
    pair: &Pair<V>,
    found: &Manifold<V>,
) -> Result<ManifoldAnswer, InputError> {
    let contact = &found.contact;
    let points = found.points.iter().flat_map(|p| [p.point_a, p.point_b]);
    if !points.chain([contact.normal]).all(|x| x.is_finite()) {
        let message = format!(
            "the answer is not finite: it leaves the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    let point = |point: &ManifoldPoint<V>| PointAnswer {
        point_a: components(point.point_a),
        point_b: components(point.point_b),
        separation: bounds(point.separation),
        feature: FeatureAnswer {
            a: feature(point.feature_a, &found.face_a, &pair.a.numbering),
            b: feature(point.feature_b, &found.face_b, &pair.b.numbering),
        },
        id: format!("{:016x}", point.id),
    };
    Ok(ManifoldAnswer {
        id: id.to_owned(),
        verdict: contact.verdict,
        exact: contact.exact,
        signed_distance: bounds(contact.signed_distance),
        normal: components(contact.normal),
        kind: found.kind,
        points: found.points.iter().map(point).collect(),
        area: found.area.to_f64(),
        complete: found.complete,
        verified: None,
        objection: None,
    })
}

/// What is wrong with an answer: a sentence each, expected and got.
pub fn failures(expect: &ManifoldExpectSpec, answer: &ManifoldAnswer) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(check_verdict(&expect.verdict, answer.verdict));
    let tolerance = expect.tolerance.unwrap_or(0.0);
    if let Some(right) = expect.signed_distance {
        let near = |got: Bounds| got.lower - tolerance <= right && right <= got.upper + tolerance;
        let least = answer
            .points
            .iter()
            .map(|point| point.separation)
            .reduce(
                |best, next| {
                    if next.lower < best.lower { next } else { best }
                },
            );
        if !near(answer.signed_distance) {
            let got = answer.signed_distance;
            found.push(format!("expected signed distance {right:?}, got {got:?}"));
        }
        if least.is_some_and(|least| !near(least)) {
            found.push(format!(
                "expected least separation {right:?}, got {least:?}"
            ));
        }
    }
    if let Some(kind) = expect.kind
        && kind.name() != answer.kind.name()
    {
        let got = answer.kind.name();
        found.push(format!("expected kind {}, got {got}", kind.name()));
    }
    if let Some(points) = expect.points
        && points as usize != answer.points.len()
    {
        let got = answer.points.len();
        found.push(format!("expected points {points}, got {got}"));
    }
    if let Some(area) = expect.area
        && (area - answer.area).abs() > tolerance
    {
        found.push(format!("expected area {area:?}, got {:?}", answer.area));
    }
    let near = |right: &Vec<f64>| {
        let off = right.iter().zip(&answer.normal).map(|(x, y)| (x - y).abs());
        off.fold(0.0, f64::max) <= tolerance.max(FACING_TOLERANCE)
    };
    if !expect.normal.is_empty() && !expect.normal.iter().any(near) {
        let (right, got) = (&expect.normal, &answer.normal);
        found.push(format!("expected normal {right:?}, got {got:?}"));
    }
    found
}
