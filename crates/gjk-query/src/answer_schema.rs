//! The JSON Schema of answers.
//!
//! Where it sits: beside [`crate::answer`], [`crate::motion`], [`crate::manifold`] and [`crate::gradient`], whose answers it describes. `gjk schema answer`
//! prints it.

// Types that are a layout and nothing else: none is ever made.
#![allow(dead_code)]

use crate::answer::Answer;
use crate::gradient::GradientAnswer;
use crate::hits::HitsAnswer;
use crate::manifold::ManifoldAnswer;
use crate::motion::MotionAnswer;
use gjk::Vec3;
use schemars::JsonSchema;

/// What the checker proved.
#[derive(JsonSchema)]
#[schemars(rename = "Verified")]
pub(crate) struct VerifiedLayout {
    /// The verdict.
    verdict: bool,
    /// The interval's lower end.
    lower: bool,
    /// Its upper end.
    upper: bool,
}

/// A step of a loop; its other keys are those of its algorithm.
#[derive(JsonSchema)]
#[schemars(rename = "Step")]
pub(crate) struct StepLayout {
    /// `gjk` or `epa`.
    algorithm: String,
}

/// An answer of `gjk query`.
#[derive(JsonSchema)]
#[schemars(untagged, title = "Answer")]
enum AnswerLayout {
    Pair(Answer<Vec3<f64>>),
    Motion(MotionAnswer),
    Manifold(ManifoldAnswer),
    Gradient(GradientAnswer),
    Error(ErrorAnswer),
}

/// In place of the answer to a line that is none.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ErrorAnswer {
    /// The query's.
    id: String,
    /// What is wrong.
    error: ErrorLayout,
}

#[derive(JsonSchema)]
#[schemars(rename = "Error")]
struct ErrorLayout {
    /// For programs.
    kind: String,
    /// The path, such as `a.points[3]`.
    at: String,
    /// For people.
    message: String,
}

/// An answer of `gjk hits`.
#[derive(JsonSchema)]
#[schemars(untagged, title = "HitsLine")]
enum HitsLayout {
    Hits(HitsAnswer),
    Error(ErrorAnswer),
}

/// The JSON Schema of an answer of `gjk query`, to a line of any kind, as `gjk schema answer` prints it.
#[must_use]
pub fn answer_schema() -> schemars::Schema {
    schema_of::<AnswerLayout>()
}

/// The JSON Schema of an answer of `gjk hits`, as `gjk schema hits` prints it.
#[must_use]
pub fn hits_schema() -> schemars::Schema {
    schema_of::<HitsLayout>()
}

fn schema_of<T: JsonSchema>() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}
