//! A gradient: from a [`GradientQuerySpec`] to the JSON object of the motion format.
//!
//! Where it sits: beside [`crate::answer`], which answers pairs. `gjk query` answers by [`solve`].
//! Numbers: every `f32` is written as the `f64` of the same value, so that a bound read back as either still bounds.

use crate::answer::{Bounds, components};
use crate::convert::{self, InputError, Space};
use crate::expect::check_verdict;
use crate::pair::Pair;
use crate::turning::twist;
use gjk::math::Scalar;
use gjk::query::{
    Gradient, GradientVertex, Interval, PoseGradient, Verdict, directional_derivative,
    touching_derivatives,
};
use gjk::verify::{Verified, verify};
use gjk_scene::{GradientExpectSpec, GradientQuerySpec};
use serde::Serialize;

/// The answer, in the key order of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields)
)]
pub struct GradientAnswer {
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
    /// Whether the derivative exists and is proved.
    pub unique: bool,
    /// By the poses of both bodies.
    pub gradient: PairGradientText,
    /// What may be as good; absent where it is unique.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<VertexText>,
    /// The rate along the motion of the line, if it has one; null where nothing is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<Option<Bounds>>,
    /// Of bodies that touch: the rate as bodies have it that go deeper, where `along` is that of bodies that part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along_inside: Option<Bounds>,
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

/// The derivatives by the poses of both bodies.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairGradientText {
    /// Of the first.
    pub a: PoseGradientText,
    /// Of the second.
    pub b: PoseGradientText,
}

/// The derivative by the pose of one body.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PoseGradientText {
    /// By the translation.
    pub linear: Vec<f64>,
    /// By a turn about the translation: about each axis in space, one number in the plane.
    pub angular: AngularText,
}

/// A turn's part as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum AngularText {
    /// In the plane.
    Planar(f64),
    /// In space.
    Spatial([f64; 3]),
}

/// A normal with a pair of points.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexText {
    /// Unit, from A to B.
    pub normal: Vec<f64>,
    /// On A, world frame.
    pub point_a: Vec<f64>,
    /// On B, world frame.
    pub point_b: Vec<f64>,
}

fn verdict_name<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

/// Answers with a gradient; with `verify` the answer also says what the checker proved of the contact that it is of.
///
/// # Errors  a body that is none, numbers beyond the scalar, an answer that the scalar cannot hold.
pub fn solve<V: Space>(
    spec: &GradientQuerySpec,
    verify: bool,
) -> Result<GradientAnswer, InputError> {
    let pair = Pair::<V> {
        a: convert::body("a", &spec.a)?,
        b: convert::body("b", &spec.b)?,
    };
    let motion = match &spec.options.along {
        Some(along) => Some([
            twist("options.along.a", along.a.as_ref(), &pair.a)?,
            twist("options.along.b", along.b.as_ref(), &pair.b)?,
        ]),
        None => None,
    };
    let bodies = pair.bodies();
    let (a, b, pose_a, pose_b) = (bodies.a, bodies.b, bodies.pose_a, bodies.pose_b);
    let found = gjk::query::gradient(a, pose_a, b, pose_b);
    let mut answer = stated(&spec.id, &found)?;
    if let Some([of_a, of_b]) = motion {
        let touches = found.contact.verdict == Verdict::Touching;
        let touching = touches
            .then(|| touching_derivatives(a, pose_a, &of_a, b, pose_b, &of_b))
            .flatten();
        let along = match touching {
            Some(rates) => Some(rates.outside),
            None => directional_derivative(a, pose_a, &of_a, b, pose_b, &of_b),
        };
        answer.along = Some(along.map(bounds));
        answer.along_inside = touching.map(|rates| bounds(rates.inside));
    }
    if verify {
        match self::verify(a, pose_a, b, pose_b, &bodies.prove()) {
            Ok(proved) => answer.verified = Some(proved),
            Err(error) => answer.objection = Some(error.to_string()),
        }
    }
    Ok(answer)
}

fn bounds<S: Scalar>(interval: Interval<S>) -> Bounds {
    Bounds {
        lower: interval.lower.to_f64(),
        upper: interval.upper.to_f64(),
    }
}

/// The answer as the format prints it.
fn stated<V: Space>(id: &str, found: &Gradient<V>) -> Result<GradientAnswer, InputError> {
    let turns = [&found.a, &found.b].map(|side| side.angular.map(Scalar::to_f64));
    let are_finite = turns.iter().flatten().all(|x| x.is_finite());
    if !(are_finite && found.contact.normal.is_finite()) {
        let message = format!(
            "the answer is not finite: it leaves the range of {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("overflow", "", message));
    }
    let side = |side: &PoseGradient<V>, turn: [f64; 3]| PoseGradientText {
        linear: components(side.linear),
        angular: if V::DIM == 2 {
            AngularText::Planar(turn[2])
        } else {
            AngularText::Spatial(turn)
        },
    };
    let vertex = |vertex: &GradientVertex<V>| VertexText {
        normal: components(vertex.normal),
        point_a: components(vertex.point_a),
        point_b: components(vertex.point_b),
    };
    Ok(GradientAnswer {
        id: id.to_owned(),
        verdict: found.contact.verdict,
        exact: found.contact.exact,
        signed_distance: bounds(found.contact.signed_distance),
        unique: found.unique,
        gradient: PairGradientText {
            a: side(&found.a, turns[0]),
            b: side(&found.b, turns[1]),
        },
        vertices: found.vertices.iter().map(vertex).collect(),
        along: None,
        along_inside: None,
        verified: None,
        objection: None,
    })
}

/// What is wrong with an answer: a sentence each, expected and got.
pub fn failures(expect: &GradientExpectSpec, answer: &GradientAnswer) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(check_verdict(&expect.verdict, answer.verdict));
    if let Some(unique) = expect.unique
        && unique != answer.unique
    {
        found.push(format!("expected unique {unique}, got {}", answer.unique));
    }
    if let Some(vertices) = expect.vertices
        && vertices as usize != answer.vertices.len()
    {
        let got = answer.vertices.len();
        found.push(format!("expected vertices {vertices}, got {got}"));
    }
    let rates = [
        ("along", expect.along, answer.along.flatten()),
        ("along_inside", expect.along_inside, answer.along_inside),
    ];
    for (name, right, got) in rates {
        let Some(right) = right else { continue };
        let near = |Bounds { lower, upper }: Bounds| match expect.tolerance {
            Some(tolerance) => {
                (lower - right).abs() <= tolerance && (upper - right).abs() <= tolerance
            }
            None => lower <= right && right <= upper,
        };
        if !got.is_some_and(near) {
            found.push(format!("expected {name} {right:?}, got {got:?}"));
        }
    }
    found
}
