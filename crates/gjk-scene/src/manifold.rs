//! Query lines about contact manifolds.
//! Where it sits: beside [`crate::query`], whose keys these lines share but for `options` and `expect`. `gjk query` reads both by [`crate::read_line`].

#[cfg(feature = "schema")]
use crate::line_schema::OneOrMany;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::RangeInclusive;

use crate::error::{QueryError, QueryErrorKind};
use crate::numbers::{NumberVisitor, Place};
use crate::query::{self, ScalarKind, VerdictSpec};
use crate::schema::BodySpec;
use crate::value::{self, At, Object, Value};

/// How many points may be wanted.
pub const POINTS_WANTED: RangeInclusive<u32> = 1..=64;

/// The cosines of the angle within which a face may count as facing the other body.
pub const TILT_COSINES: RangeInclusive<f64> = 0.5..=1.0;

/// What bears on what, as a line expects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ManifoldKindSpec {
    /// Two faces.
    FaceFace,
    /// A face and an edge.
    FaceEdge,
    /// Two edges.
    EdgeEdge,
    /// One point.
    Point,
}

/// How many points are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum PointsSpec {
    /// At most so many: 1 to 64.
    Most(u32),
    /// All of them.
    All(AllWord),
}

/// The word `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AllWord {
    /// Every point.
    All,
}

/// How a manifold is answered; what is absent is the default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ManifoldOptionsSpec {
    /// Points up to this separation; 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<f64>,
    /// How many points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_max: Option<PointsSpec>,
    /// The cosine of the angle within which faces count as facing; 0.5 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cos_max_tilt: Option<f64>,
}

/// What `gjk query --check` holds the answer to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ManifoldExpectSpec {
    /// The right verdicts; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<VerdictSpec>>"))]
    pub verdict: Vec<VerdictSpec>,
    /// The right signed distance; the least separation must be it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_distance: Option<f64>,
    /// How far off numbers may be, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The right normals, each `[dim]`; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<Vec<f64>>>"))]
    pub normal: Vec<Vec<f64>>,
    /// What bears on what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ManifoldKindSpec>,
    /// How many points there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// The area of the contact polygon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
}

/// Two bodies whose manifold is asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ManifoldQuerySpec {
    /// Repeated in the answer; the line number where the line has none.
    pub id: String,
    /// 2 or 3.
    pub dim: usize,
    /// What the numbers are rounded to.
    pub scalar: ScalarKind,
    /// Always `manifold`.
    query: &'static str,
    /// The first body.
    pub a: BodySpec,
    /// The second body.
    pub b: BodySpec,
    /// How to answer.
    #[serde(skip_serializing_if = "is_default")]
    pub options: ManifoldOptionsSpec,
    /// Why the case exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where the case is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the answer must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<ManifoldExpectSpec>,
}

impl ManifoldQuerySpec {
    /// Two bodies, with default options.
    #[must_use]
    pub fn new(id: String, dim: usize, scalar: ScalarKind, a: BodySpec, b: BodySpec) -> Self {
        Self {
            id,
            dim,
            scalar,
            query: "manifold",
            a,
            b,
            options: ManifoldOptionsSpec::default(),
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
        let options = object.optional("options", ManifoldOptionsSpec::read)?;
        let [note, source] = query::read_remarks(&mut object)?;
        let expect = object.optional("expect", |v, at| ManifoldExpectSpec::read(v, at, dim))?;
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

impl ManifoldOptionsSpec {
    fn read(value: Value, at: &At<'_>) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let options = Self {
            prediction: object.optional("prediction", value::length)?,
            points_max: object.optional("points_max", read_points)?,
            cos_max_tilt: object.optional("cos_max_tilt", read_cosine)?,
        };
        object.finish()?;
        Ok(options)
    }

    /// Visits every number that is rounded to the scalar, with its path (`options.prediction`).
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(&mut self, visit: &mut NumberVisitor<'_>) -> Result<(), QueryError> {
        match &mut self.prediction {
            Some(prediction) => visit(prediction, &Place::new("options").key("prediction")),
            None => Ok(()),
        }
    }
}

impl ManifoldExpectSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let kinds = [
            ("face_face", ManifoldKindSpec::FaceFace),
            ("face_edge", ManifoldKindSpec::FaceEdge),
            ("edge_edge", ManifoldKindSpec::EdgeEdge),
            ("point", ManifoldKindSpec::Point),
        ];
        let mut object = Object::open(value, at)?;
        let verdict = object.optional("verdict", query::read_verdicts)?;
        let signed_distance = object.optional("signed_distance", value::number)?;
        let tolerance = object.optional("tolerance", value::length)?;
        let normal = object.optional("normal", |v, at| query::read_normals(v, at, dim))?;
        let kind = object.optional("kind", |v, at| value::word(v, at, &kinds))?;
        let points = object.optional("points", |v, at| whole(v, at, 0..=1 << 20))?;
        let area = object.optional("area", value::length)?;
        object.finish()?;
        Ok(Self {
            verdict: verdict.unwrap_or_default(),
            signed_distance,
            tolerance,
            normal: normal.unwrap_or_default(),
            kind,
            points,
            area,
        })
    }
}

impl ManifoldKindSpec {
    /// The word in the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FaceFace => "face_face",
            Self::FaceEdge => "face_edge",
            Self::EdgeEdge => "edge_edge",
            Self::Point => "point",
        }
    }
}

fn is_default(options: &ManifoldOptionsSpec) -> bool {
    *options == ManifoldOptionsSpec::default()
}

/// A whole number of a range.
fn whole(value: Value, at: &At<'_>, range: RangeInclusive<u32>) -> Result<u32, QueryError> {
    let number = value::number(value, at)?;
    let (low, high) = (*range.start(), *range.end());
    if number.fract() != 0.0 || !(f64::from(low)..=f64::from(high)).contains(&number) {
        let message = format!("{number} is not a whole number from {low} to {high}");
        return Err(QueryError::new(QueryErrorKind::OutOfRange, at, message));
    }
    Ok(number as u32)
}

fn read_points(value: Value, at: &At<'_>) -> Result<PointsSpec, QueryError> {
    if matches!(value, Value::String(_)) {
        let word = value::word(value, at, &[("all", AllWord::All)])?;
        return Ok(PointsSpec::All(word));
    }
    whole(value, at, POINTS_WANTED).map(PointsSpec::Most)
}

fn read_cosine(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    let number = value::number(value, at)?;
    if TILT_COSINES.contains(&number) {
        return Ok(number);
    }
    let message = format!("{number} is no cosine of at most 60 degrees, expected 0.5 to 1");
    Err(QueryError::new(QueryErrorKind::OutOfRange, at, message))
}
