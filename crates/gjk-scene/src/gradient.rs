//! Query lines about gradients of the signed distance.
//! Where it sits: beside [`crate::query`], whose keys these lines share but for `options` and `expect`. `gjk query` reads both by [`crate::read_line`].

#[cfg(feature = "schema")]
use crate::line_schema::OneOrMany;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::QueryError;
use crate::query::{self, ScalarKind, VerdictSpec};
use crate::schema::BodySpec;
use crate::twist::TwistSpec;
use crate::value::{self, At, Object, Value};

/// How both bodies begin to move.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct AlongSpec {
    /// The first; absent: it is at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<TwistSpec>,
    /// The second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<TwistSpec>,
}

/// How a gradient is answered.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct GradientOptionsSpec {
    /// The motion whose rate is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<AlongSpec>,
}

/// What `gjk query --check` holds the answer to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct GradientExpectSpec {
    /// The right verdicts; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<VerdictSpec>>"))]
    pub verdict: Vec<VerdictSpec>,
    /// Whether the derivative exists and is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// How many pairs are listed where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<u32>,
    /// The right rate along the motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<f64>,
    /// The right one of bodies that touch, as they go deeper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along_inside: Option<f64>,
    /// How far off both ends of the rate may be, absolute; absent: the interval must hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// Two bodies whose gradient is asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GradientQuerySpec {
    /// Repeated in the answer; the line number where the line has none.
    pub id: String,
    /// 2 or 3.
    pub dim: usize,
    /// What the numbers are rounded to.
    pub scalar: ScalarKind,
    /// Always `gradient`.
    query: &'static str,
    /// The first body.
    pub a: BodySpec,
    /// The second body.
    pub b: BodySpec,
    /// How to answer.
    #[serde(skip_serializing_if = "is_default")]
    pub options: GradientOptionsSpec,
    /// Why the case exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where the case is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the answer must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<GradientExpectSpec>,
}

impl GradientQuerySpec {
    /// Two bodies, with default options.
    #[must_use]
    pub fn new(id: String, dim: usize, scalar: ScalarKind, a: BodySpec, b: BodySpec) -> Self {
        Self {
            id,
            dim,
            scalar,
            query: "gradient",
            a,
            b,
            options: GradientOptionsSpec::default(),
            note: None,
            source: None,
            expect: None,
        }
    }

    pub(crate) fn read(value: Value, id: String) -> Result<Self, QueryError> {
        let mut object = Object::open(value, &At::ROOT)?;
        let (dim, scalar) = query::read_head(&mut object)?;
        object.optional("query", value::string)?;
        let a = object.required("a", |v, at| BodySpec::read(v, at, dim))?;
        let b = object.required("b", |v, at| BodySpec::read(v, at, dim))?;
        let options = object.optional("options", |v, at| GradientOptionsSpec::read(v, at, dim))?;
        let [note, source] = query::read_remarks(&mut object)?;
        let expect = object.optional("expect", GradientExpectSpec::read)?;
        object.finish()?;
        Ok(Self {
            options: options.unwrap_or_default(),
            note,
            source,
            expect,
            ..Self::new(id, dim, scalar, a, b)
        })
    }

    /// The query as one line of a query file, without the line end; reading it back gives the same query.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Serialising plain structs of finite numbers into memory cannot fail; an empty line would be read as no query at all.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl GradientOptionsSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let along = object.optional("along", |v, at| AlongSpec::read(v, at, dim))?;
        object.finish()?;
        Ok(Self { along })
    }
}

impl AlongSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let a = object.optional("a", |v, at| TwistSpec::read(v, at, dim))?;
        let b = object.optional("b", |v, at| TwistSpec::read(v, at, dim))?;
        object.finish()?;
        Ok(Self { a, b })
    }
}

impl GradientExpectSpec {
    fn read(value: Value, at: &At<'_>) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let verdict = object.optional("verdict", query::read_verdicts)?;
        let unique = object.optional("unique", value::boolean)?;
        let vertices = object.optional("vertices", query::read_count)?;
        let along = object.optional("along", value::number)?;
        let along_inside = object.optional("along_inside", value::number)?;
        let tolerance = object.optional("tolerance", value::length)?;
        object.finish()?;
        Ok(Self {
            verdict: verdict.unwrap_or_default(),
            unique,
            vertices,
            along,
            along_inside,
            tolerance,
        })
    }
}

fn is_default(options: &GradientOptionsSpec) -> bool {
    *options == GradientOptionsSpec::default()
}
