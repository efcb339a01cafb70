//! The JSON Schema of query lines.
//! Where it sits: beside [`crate::motion`], whose `read_line` reads them. `gjk schema query` prints it.
//! Idea: bodies, options and expectations are those that are read; what is here says only which keys a line of each kind has. A test holds every line of the
//! corpus against both.

// Types that are a layout and nothing else: none is ever made.
#![allow(dead_code)]

use crate::gradient::{GradientExpectSpec, GradientOptionsSpec};
use crate::manifold::{ManifoldExpectSpec, ManifoldOptionsSpec};
use crate::motion::{MotionExpectSpec, MotionOptionsSpec, MovingBodySpec, RaySpec};
use crate::query::{ExpectSpec, OptionsSpec, QueryKind, ScalarKind};
use crate::schema::BodySpec;
use crate::twist::TurningBodySpec;
use schemars::JsonSchema;

/// One, or a list of them.
#[derive(JsonSchema)]
#[schemars(untagged, rename = "OneOrMany_{T}")]
pub(crate) enum OneOrMany<T> {
    /// One.
    One(T),
    /// Any of these.
    Many(Vec<T>),
}

/// What every line has.
#[derive(JsonSchema)]
struct LineHead {
    /// Repeated in the answer; absent: the line's number.
    id: Option<String>,
    /// 2 or 3; absent: 3.
    #[schemars(range(min = 2, max = 3))]
    dim: Option<u32>,
    /// What the numbers are rounded to; absent: `f64`.
    scalar: Option<ScalarKind>,
    /// Why the case exists.
    note: Option<String>,
    /// Where the case is from.
    source: Option<String>,
}

/// A line of `gjk query`.
#[derive(JsonSchema)]
#[schemars(untagged, title = "Query")]
enum LineLayout {
    Pair(PairLine),
    Ray(RayLine),
    Cast(CastLine),
    Toi(ToiLine),
    Manifold(ManifoldLine),
    Gradient(GradientLine),
}

/// Two bodies at rest.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PairLine {
    #[schemars(flatten)]
    head: LineHead,
    /// What is asked; absent: `contact`.
    query: Option<QueryKind>,
    /// The first body.
    a: BodySpec,
    /// The second body.
    b: BodySpec,
    /// How to answer.
    options: Option<OptionsSpec>,
    /// What the answer must be.
    expect: Option<ExpectSpec>,
}

/// A point that moves, and a body at rest.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct RayLine {
    #[schemars(flatten)]
    head: LineHead,
    #[schemars(extend("const" = "ray"))]
    query: String,
    /// The body.
    a: BodySpec,
    /// The point.
    ray: RaySpec,
    /// How to answer.
    #[schemars(extend("not" = {"anyOf": [{"required": ["time_resolution"]}, {"required": ["pieces_max"]}]}))]
    options: Option<MotionOptionsSpec>,
    /// What the answer must be.
    expect: Option<MotionExpectSpec>,
}

/// Two bodies that move in straight lines.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct CastLine {
    #[schemars(flatten)]
    head: LineHead,
    #[schemars(extend("const" = "cast"))]
    query: String,
    /// The first body.
    a: MovingBodySpec,
    /// The second body.
    b: MovingBodySpec,
    /// How to answer.
    #[schemars(extend("not" = {"anyOf": [{"required": ["time_resolution"]}, {"required": ["pieces_max"]}]}))]
    options: Option<MotionOptionsSpec>,
    /// What the answer must be.
    expect: Option<MotionExpectSpec>,
}

/// Two bodies that move and turn.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ToiLine {
    #[schemars(flatten)]
    head: LineHead,
    #[schemars(extend("const" = "toi"))]
    query: String,
    /// The first body.
    a: TurningBodySpec,
    /// The second body.
    b: TurningBodySpec,
    /// How to answer.
    options: Option<MotionOptionsSpec>,
    /// What the answer must be.
    expect: Option<MotionExpectSpec>,
}

/// Two bodies whose manifold is asked for.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ManifoldLine {
    #[schemars(flatten)]
    head: LineHead,
    #[schemars(extend("const" = "manifold"))]
    query: String,
    /// The first body.
    a: BodySpec,
    /// The second body.
    b: BodySpec,
    /// How to answer.
    options: Option<ManifoldOptionsSpec>,
    /// What the answer must be.
    expect: Option<ManifoldExpectSpec>,
}

/// Two bodies whose gradient is asked for.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct GradientLine {
    #[schemars(flatten)]
    head: LineHead,
    #[schemars(extend("const" = "gradient"))]
    query: String,
    /// The first body.
    a: BodySpec,
    /// The second body.
    b: BodySpec,
    /// How to answer.
    options: Option<GradientOptionsSpec>,
    /// What the answer must be.
    expect: Option<GradientExpectSpec>,
}

/// The JSON Schema of a line of `gjk query`, of any kind, as `gjk schema query` prints it.
#[must_use]
pub fn line_schema_json() -> String {
    let schema = schemars::schema_for!(LineLayout);
    // A schema is a tree of plain JSON values, which cannot fail to print.
    serde_json::to_string_pretty(schema.as_value()).unwrap_or_default()
}
