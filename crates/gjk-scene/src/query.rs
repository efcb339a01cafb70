//! Query lines: one pair of convex bodies a line, as JSON.
//! Where it sits: `gjk query` calls [`read_query_line`] for each line and answers it; the fuzzer and the reducer write with
//! [`QuerySpec::to_line`].
//! Idea: a bad line is data, not the end of the file: it keeps its id, and its error goes into the
//! answer.

#[cfg(feature = "schema")]
use crate::line_schema::OneOrMany;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::{QueryError, QueryErrorKind as Kind};
use crate::json;
use crate::numbers::{NumberVisitor, Place};
use crate::schema::BodySpec;
use crate::value::{self, At, Object, Value};

/// The float type that a query's numbers are rounded to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ScalarKind {
    /// Single precision.
    F32,
    /// Double precision.
    #[default]
    F64,
}

/// What is asked about the two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum QueryKind {
    /// Do they share a point?
    Intersects,
    /// How far apart are they?
    Distance,
    /// How deep do they overlap?
    Penetration,
    /// The signed distance, of either sign.
    #[default]
    Contact,
}

/// What an answer says about the two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerdictSpec {
    /// No common point.
    Separated,
    /// Common points, but no common interior.
    Touching,
    /// A common interior.
    Overlapping,
    /// A smooth shape whose interval straddles 0.
    Undecided,
}

/// How a query is answered; what is absent is the caller's default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct OptionsSpec {
    /// The relative width of the interval at which to stop; finite, 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance_relative: Option<f64>,
    /// The iterations after which to stop; 1 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations_max: Option<u32>,
    /// Whether to print a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<bool>,
    /// Whether to print the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<bool>,
}

/// What `gjk query --check` holds the answer to; written back as lists, which the format reads as well.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct ExpectSpec {
    /// The right verdicts; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<VerdictSpec>>"))]
    pub verdict: Vec<VerdictSpec>,
    /// The right signed distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_distance: Option<f64>,
    /// How far off `signed_distance` may be, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The right normals, each `[dim]`; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<Vec<f64>>>"))]
    pub normal: Vec<Vec<f64>>,
}

/// One query: two bodies and what is asked about them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuerySpec {
    /// Repeated in the answer; the line number where the line has none.
    pub id: String,
    /// 2 or 3.
    pub dim: usize,
    /// What the numbers are rounded to.
    pub scalar: ScalarKind,
    /// What is asked.
    pub query: QueryKind,
    /// The first body.
    pub a: BodySpec,
    /// The second body.
    pub b: BodySpec,
    /// How to answer.
    #[serde(skip_serializing_if = "is_default")]
    pub options: OptionsSpec,
    /// Why the case exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where the case is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the answer must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<ExpectSpec>,
}

/// A line that was not blank.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryLine {
    /// The line's number, counted from 1.
    pub number: u64,
    /// The line's id, also when the rest of it is bad; the line number when it has none.
    pub id: String,
    /// The query, or why there is none.
    pub query: Result<QuerySpec, QueryError>,
}

/// Reads one line of a query file, without its line end or with it; `None` for a blank line.
///
/// A byte order mark at the start of line 1 is left out.
#[must_use]
pub fn read_query_line(line: &[u8], number: u64) -> Option<QueryLine> {
    let line = trimmed(line, number)?;
    let (id, query) = match json::parse(line) {
        Err(error) => (number.to_string(), Err(error)),
        Ok(value) => {
            let id = own_id(&value).unwrap_or_else(|| number.to_string());
            (id.clone(), QuerySpec::read(value, id))
        }
    };
    Some(QueryLine { number, id, query })
}

/// A line without its line end, and without a byte order mark at the start of line 1; `None` for a blank line.
pub(crate) fn trimmed(line: &[u8], number: u64) -> Option<&[u8]> {
    let line = if number == 1 {
        line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
    } else {
        line
    };
    Some(line.trim_ascii()).filter(|line| !line.is_empty())
}

/// What every line begins with: its id, which is known, the dimension and the scalar.
pub(crate) fn read_head(object: &mut Object<'_>) -> Result<(usize, ScalarKind), QueryError> {
    object.optional("id", value::string)?;
    let dim = object.optional("dim", read_dim)?.unwrap_or(3);
    let scalar = object.optional("scalar", read_scalar)?.unwrap_or_default();
    Ok((dim, scalar))
}

/// Why a case exists, and where it is from.
pub(crate) fn read_remarks(object: &mut Object<'_>) -> Result<[Option<String>; 2], QueryError> {
    let note = object.optional("note", value::string)?;
    Ok([note, object.optional("source", value::string)?])
}

impl QuerySpec {
    pub(crate) fn read(value: Value, id: String) -> Result<Self, QueryError> {
        let mut object = Object::open(value, &At::ROOT)?;
        let (dim, scalar) = read_head(&mut object)?;
        let query = object
            .optional("query", read_query_kind)?
            .unwrap_or_default();
        let a = object.required("a", |v, at| BodySpec::read(v, at, dim))?;
        let b = object.required("b", |v, at| BodySpec::read(v, at, dim))?;
        let options = object
            .optional("options", OptionsSpec::read)?
            .unwrap_or_default();
        let [note, source] = read_remarks(&mut object)?;
        let expect = object.optional("expect", |v, at| ExpectSpec::read(v, at, dim))?;
        object.finish()?;
        Ok(Self {
            id,
            dim,
            scalar,
            query,
            a,
            b,
            options,
            note,
            source,
            expect,
        })
    }

    /// The query as one line of a query file, without the line end; reading it back gives the same query.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Serialising plain structs of finite numbers into memory cannot fail; an empty line would be read as no query at all.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Visits every number of both bodies with its path (`a.radius`, `b.pose.scale[1]`), to round it to the scalar or to check
    /// its range.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(&mut self, visit: &mut NumberVisitor<'_>) -> Result<(), QueryError> {
        self.a.visit_numbers(&Place::new("a"), visit)?;
        self.b.visit_numbers(&Place::new("b"), visit)
    }
}

impl OptionsSpec {
    fn read(value: Value, at: &At<'_>) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let options = Self {
            tolerance_relative: object.optional("tolerance_relative", value::length)?,
            iterations_max: object.optional("iterations_max", read_count)?,
            certificate: object.optional("certificate", value::boolean)?,
            trace: object.optional("trace", value::boolean)?,
        };
        object.finish()?;
        Ok(options)
    }
}

impl ExpectSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let verdict = object.optional("verdict", read_verdicts)?;
        let signed_distance = object.optional("signed_distance", value::number)?;
        let tolerance = object.optional("tolerance", value::length)?;
        let normal = object.optional("normal", |v, at| read_normals(v, at, dim))?;
        object.finish()?;
        Ok(Self {
            verdict: verdict.unwrap_or_default(),
            signed_distance,
            tolerance,
            normal: normal.unwrap_or_default(),
        })
    }
}

fn is_default(options: &OptionsSpec) -> bool {
    *options == OptionsSpec::default()
}

/// One normal, or a list of right ones.
pub(crate) fn read_normals(
    value: Value,
    at: &At<'_>,
    dim: usize,
) -> Result<Vec<Vec<f64>>, QueryError> {
    let many =
        matches!(&value, Value::Array(items) if matches!(items.first(), Some(Value::Array(_))));
    if many {
        return value::list(value, at, |v, at| value::vector(v, at, dim, value::number));
    }
    Ok(vec![value::vector(value, at, dim, value::number)?])
}

pub(crate) fn read_scalar(value: Value, at: &At<'_>) -> Result<ScalarKind, QueryError> {
    let scalars = [("f32", ScalarKind::F32), ("f64", ScalarKind::F64)];
    value::word(value, at, &scalars)
}

pub(crate) fn own_id(value: &Value) -> Option<String> {
    let Value::Object(entries) = value else {
        return None;
    };
    entries.iter().find_map(|(key, value)| match value {
        Value::String(id) if key == "id" => Some(id.clone()),
        _ => None,
    })
}

pub(crate) fn read_dim(value: Value, at: &At<'_>) -> Result<usize, QueryError> {
    match value::number(value, at)? {
        2.0 => Ok(2),
        3.0 => Ok(3),
        other => Err(QueryError::new(
            Kind::BadValue,
            at,
            format!("{other} is no dimension, expected 2 or 3"),
        )),
    }
}

pub(crate) fn read_count(value: Value, at: &At<'_>) -> Result<u32, QueryError> {
    let number = value::number(value, at)?;
    if number.fract() != 0.0 || !(1.0..=f64::from(u32::MAX)).contains(&number) {
        let message = format!(
            "{number} is no count, expected a whole number from 1 to {}",
            u32::MAX
        );
        return Err(QueryError::new(Kind::OutOfRange, at, message));
    }
    Ok(number as u32)
}

fn read_query_kind(value: Value, at: &At<'_>) -> Result<QueryKind, QueryError> {
    if let Value::String(word) = &value
        && matches!(
            word.as_str(),
            "ray" | "cast" | "toi" | "manifold" | "gradient"
        )
    {
        return Err(QueryError::new(
            Kind::BadValue,
            at,
            match word.as_str() {
                "ray" => "`ray` is about one body: only `gjk query` answers it".to_owned(),
                "manifold" | "gradient" => {
                    format!("`{word}` has options of its own: only `gjk query` answers it")
                }
                _ => format!("`{word}` is about bodies that move: only `gjk query` answers it"),
            },
        ));
    }
    let kinds = [
        ("intersects", QueryKind::Intersects),
        ("distance", QueryKind::Distance),
        ("penetration", QueryKind::Penetration),
        ("contact", QueryKind::Contact),
    ];
    value::word(value, at, &kinds)
}

/// One verdict, or a list of right ones.
pub(crate) fn read_verdicts(value: Value, at: &At<'_>) -> Result<Vec<VerdictSpec>, QueryError> {
    match value {
        Value::Array(_) => value::list(value, at, read_verdict),
        one => Ok(vec![read_verdict(one, at)?]),
    }
}

fn read_verdict(value: Value, at: &At<'_>) -> Result<VerdictSpec, QueryError> {
    let verdicts = [
        ("separated", VerdictSpec::Separated),
        ("touching", VerdictSpec::Touching),
        ("overlapping", VerdictSpec::Overlapping),
        ("undecided", VerdictSpec::Undecided),
    ];
    value::word(value, at, &verdicts)
}
