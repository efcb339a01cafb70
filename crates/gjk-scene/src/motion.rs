//! Query lines about motions: a ray against one body, two bodies that move, or two that turn too.
//! Where it sits: beside [`crate::query`], whose lines are about pairs at rest. `gjk query` reads both by [`read_line`].
//! Idea: a line says by its `query` which kind it is; each kind has its own keys, and a key of another kind is an error that lists the right ones.

#[cfg(feature = "schema")]
use crate::line_schema::OneOrMany;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::QueryError;
use crate::gradient::GradientQuerySpec;
use crate::json;
use crate::manifold::ManifoldQuerySpec;
use crate::numbers::{NumberVisitor, Place, visit_vector};
use crate::pose::PoseSpec;
use crate::query::{self, QuerySpec, ScalarKind};
use crate::schema::{BodySpec, body_in_motion};
use crate::twist::{TurningBodySpec, TwistSpec};
use crate::value::{self, At, Object, Value};

/// How a motion and a body meet, as a line expects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeetingSpec {
    /// No contact.
    Free,
    /// Apart at the start, in contact later.
    Hits,
    /// Touching at the start.
    StartsTouching,
    /// Overlapping at the start.
    StartsOverlapping,
    /// In contact at the start, and contact ends.
    Exits,
    /// A smooth body that floats do not decide.
    Undecided,
}

/// What a start in contact means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StartSpec {
    /// It is the answer.
    Hit,
    /// It is the answer if the motion goes deeper.
    Approach,
    /// The end of contact is the answer.
    Exit,
}

/// What a contact without common inner points means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TouchSpec {
    /// It is a contact.
    Counts,
    /// It is passed over.
    Passes,
}

/// A point that moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct RaySpec {
    /// Where it starts: `[dim]`.
    pub origin: Vec<f64>,
    /// How far it moves in a unit of time: `[dim]`; zero is a point at rest.
    pub direction: Vec<f64>,
}

/// A body's motion: its place moves in a straight line, and it does not turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct VelocitySpec {
    /// How far it moves in a unit of time: `[dim]`.
    pub velocity: Vec<f64>,
}

/// A body that may move.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(extend("unevaluatedProperties" = false)))]
pub struct MovingBodySpec {
    /// The body where it is at the start.
    #[serde(flatten)]
    pub body: BodySpec,
    /// Absent: it is at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<VelocitySpec>,
}

/// Which body of a line is the one against many; of a ray it is the ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoverSide {
    /// The first.
    A,
    /// The second.
    #[default]
    B,
}

/// What moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MoverSpec {
    /// A point, and a body at rest.
    Ray {
        /// The body.
        a: BodySpec,
        /// The point.
        ray: RaySpec,
    },
    /// Two bodies.
    Cast {
        /// The first.
        a: MovingBodySpec,
        /// The second.
        b: MovingBodySpec,
    },
    /// Two bodies that may turn.
    Toi {
        /// The first.
        a: Box<TurningBodySpec>,
        /// The second.
        b: Box<TurningBodySpec>,
    },
}

/// How a motion is answered; what is absent is the default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct MotionOptionsSpec {
    /// The last time that counts; 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_time: Option<f64>,
    /// Contact is a signed distance that is at most this; 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// What a start in contact means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<StartSpec>,
    /// What a contact without common inner points means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touch: Option<TouchSpec>,
    /// Of a `toi`: the part of the motion's duration at which the search ends; 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_resolution: Option<f64>,
    /// Of a `toi`: at most so many proved pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces_max: Option<u32>,
    /// Whether to print a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<bool>,
    /// Whether to print the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<bool>,
}

/// What `gjk query --check` holds the answer to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct MotionExpectSpec {
    /// The right verdicts; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<MeetingSpec>>"))]
    pub verdict: Vec<MeetingSpec>,
    /// The right time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// How far off both ends of `time` may be, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The right normals, each `[dim]`; empty: any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<OneOrMany<Vec<f64>>>"))]
    pub normal: Vec<Vec<f64>>,
    /// Whether it grazes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grazing: Option<bool>,
}

/// Bodies in motion, and what is asked about them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MotionQuerySpec {
    /// Repeated in the answer; the line number where the line has none.
    pub id: String,
    /// 2 or 3.
    pub dim: usize,
    /// What the numbers are rounded to.
    pub scalar: ScalarKind,
    /// `ray`, `cast` or `toi`.
    query: &'static str,
    /// What moves.
    #[serde(flatten)]
    pub mover: MoverSpec,
    /// How to answer.
    #[serde(skip_serializing_if = "is_default")]
    pub options: MotionOptionsSpec,
    /// Why the case exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where the case is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What the answer must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<MotionExpectSpec>,
}

/// A query of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyQuery {
    /// Two bodies at rest.
    Pair(Box<QuerySpec>),
    /// Bodies in motion.
    Motion(Box<MotionQuerySpec>),
    /// Two bodies and their manifold.
    Manifold(Box<ManifoldQuerySpec>),
    /// Two bodies and their gradient.
    Gradient(Box<GradientQuerySpec>),
}

impl AnyQuery {
    /// In how many dimensions it is asked, and in which scalar.
    #[must_use]
    pub fn space(&self) -> (usize, ScalarKind) {
        match self {
            AnyQuery::Pair(spec) => (spec.dim, spec.scalar),
            AnyQuery::Motion(spec) => (spec.dim, spec.scalar),
            AnyQuery::Manifold(spec) => (spec.dim, spec.scalar),
            AnyQuery::Gradient(spec) => (spec.dim, spec.scalar),
        }
    }

    /// The bodies, in the order of the line.
    pub fn bodies_mut(&mut self) -> Vec<&mut BodySpec> {
        match self {
            AnyQuery::Pair(spec) => vec![&mut spec.a, &mut spec.b],
            AnyQuery::Motion(spec) => spec.bodies_mut(),
            AnyQuery::Manifold(spec) => vec![&mut spec.a, &mut spec.b],
            AnyQuery::Gradient(spec) => vec![&mut spec.a, &mut spec.b],
        }
    }

    /// The poses that bodies go to.
    pub fn goals_mut(&mut self) -> Vec<&mut PoseSpec> {
        match self {
            AnyQuery::Pair(_) | AnyQuery::Manifold(_) => Vec::new(),
            AnyQuery::Motion(spec) => spec.goals_mut(),
            AnyQuery::Gradient(spec) => {
                let along = spec.options.along.iter_mut();
                let twists = along.flat_map(|along| [&mut along.a, &mut along.b]);
                twists.flatten().filter_map(TwistSpec::to_mut).collect()
            }
        }
    }
}

/// A line that was not blank, of any kind.
#[derive(Debug, Clone, PartialEq)]
pub struct AnyLine {
    /// The line's number, counted from 1.
    pub number: u64,
    /// The line's id, also when the rest of it is bad; the line number when it has none.
    pub id: String,
    /// The query, or why there is none.
    pub query: Result<AnyQuery, QueryError>,
}

/// Reads one line of a query file, as [`crate::read_query_line`] does, whichever kind it is of.
#[must_use]
pub fn read_line(line: &[u8], number: u64) -> Option<AnyLine> {
    let line = query::trimmed(line, number)?;
    let (id, query) = match json::parse(line) {
        Err(error) => (number.to_string(), Err(error)),
        Ok(value) => {
            let id = query::own_id(&value).unwrap_or_else(|| number.to_string());
            let motion = ["ray", "cast", "toi"]
                .into_iter()
                .find(|name| asks(&value, name));
            let query = match motion {
                Some(name) => MotionQuerySpec::read(value, id.clone(), name)
                    .map(|spec| AnyQuery::Motion(Box::new(spec))),
                None if asks(&value, "manifold") => ManifoldQuerySpec::read(value, id.clone())
                    .map(|spec| AnyQuery::Manifold(Box::new(spec))),
                None if asks(&value, "gradient") => GradientQuerySpec::read(value, id.clone())
                    .map(|spec| AnyQuery::Gradient(Box::new(spec))),
                None => {
                    QuerySpec::read(value, id.clone()).map(|spec| AnyQuery::Pair(Box::new(spec)))
                }
            };
            (id, query)
        }
    };
    Some(AnyLine { number, id, query })
}

/// Whether a line is a query of this name.
fn asks(value: &Value, name: &str) -> bool {
    let Value::Object(entries) = value else {
        return false;
    };
    let name = Value::String(name.to_owned());
    entries
        .iter()
        .any(|(key, value)| key == "query" && *value == name)
}

impl MotionQuerySpec {
    /// What moves, with default options.
    #[must_use]
    pub fn new(id: String, dim: usize, scalar: ScalarKind, mover: MoverSpec) -> Self {
        Self {
            id,
            dim,
            scalar,
            query: match mover {
                MoverSpec::Ray { .. } => "ray",
                MoverSpec::Cast { .. } => "cast",
                MoverSpec::Toi { .. } => "toi",
            },
            mover,
            options: MotionOptionsSpec::default(),
            note: None,
            source: None,
            expect: None,
        }
    }

    fn read(value: Value, id: String, name: &str) -> Result<Self, QueryError> {
        let mut object = Object::open(value, &At::ROOT)?;
        let (dim, scalar) = query::read_head(&mut object)?;
        object.optional("query", value::string)?;
        let mover = match name {
            "ray" => MoverSpec::Ray {
                a: object.required("a", |v, at| BodySpec::read(v, at, dim))?,
                ray: object.required("ray", |v, at| RaySpec::read(v, at, dim))?,
            },
            "cast" => MoverSpec::Cast {
                a: object.required("a", |v, at| MovingBodySpec::read(v, at, dim))?,
                b: object.required("b", |v, at| MovingBodySpec::read(v, at, dim))?,
            },
            _ => MoverSpec::Toi {
                a: Box::new(object.required("a", |v, at| TurningBodySpec::read(v, at, dim))?),
                b: Box::new(object.required("b", |v, at| TurningBodySpec::read(v, at, dim))?),
            },
        };
        let turns = name == "toi";
        let options = object.optional("options", |v, at| MotionOptionsSpec::read(v, at, turns))?;
        let [note, source] = query::read_remarks(&mut object)?;
        let expect = object.optional("expect", |v, at| MotionExpectSpec::read(v, at, dim))?;
        object.finish()?;
        Ok(Self {
            options: options.unwrap_or_default(),
            note,
            source,
            expect,
            ..Self::new(id, dim, scalar, mover)
        })
    }

    /// `ray`, `cast` or `toi`.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        self.query
    }

    /// What moves against many, as text: lines with the same text ask about the same ray, or the same body at `side` of a cast or a `toi`.
    #[must_use]
    pub fn one_of_many(&self, side: MoverSide) -> String {
        let text = match (&self.mover, side) {
            (MoverSpec::Ray { ray, .. }, _) => serde_json::to_string(ray),
            (MoverSpec::Cast { a: one, .. }, MoverSide::A)
            | (MoverSpec::Cast { b: one, .. }, MoverSide::B) => serde_json::to_string(one),
            (MoverSpec::Toi { a: one, .. }, MoverSide::A)
            | (MoverSpec::Toi { b: one, .. }, MoverSide::B) => serde_json::to_string(one),
        };
        let (query, dim, scalar) = (self.query, self.dim, self.scalar);
        // As of `to_line`, this cannot fail.
        format!("{query} {dim} {scalar:?} {}", text.unwrap_or_default())
    }

    /// The bodies, in the order of the line.
    pub fn bodies_mut(&mut self) -> Vec<&mut BodySpec> {
        match &mut self.mover {
            MoverSpec::Ray { a, .. } => vec![a],
            MoverSpec::Cast { a, b } => vec![&mut a.body, &mut b.body],
            MoverSpec::Toi { a, b } => vec![&mut a.body, &mut b.body],
        }
    }

    /// The poses that bodies go to.
    pub fn goals_mut(&mut self) -> Vec<&mut PoseSpec> {
        let MoverSpec::Toi { a, b } = &mut self.mover else {
            return Vec::new();
        };
        let twists = [a.twist_mut(), b.twist_mut()].into_iter().flatten();
        twists.filter_map(TwistSpec::to_mut).collect()
    }

    /// The query as one line of a query file, without the line end; reading it back gives the same query.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Serialising plain structs of finite numbers into memory cannot fail; an empty line would be read as no query at all.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl MovingBodySpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let (body, motion) = body_in_motion(value, at, dim, VelocitySpec::read)?;
        Ok(Self { body, motion })
    }
}

impl VelocitySpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let vector = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::number);
        let velocity = object.required("velocity", vector)?;
        object.finish()?;
        Ok(Self { velocity })
    }

    /// Visits every number with its path (`b.motion.velocity[0]`), to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        body: &str,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        let at = Place::new(body);
        let motion = at.key("motion");
        visit_vector(&mut self.velocity, &motion.key("velocity"), visit)
    }
}

impl RaySpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let vector = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::number);
        let origin = object.required("origin", vector)?;
        let direction = object.required("direction", vector)?;
        object.finish()?;
        Ok(Self { origin, direction })
    }

    /// Visits every number with its path (`ray.origin[0]`), to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(&mut self, visit: &mut NumberVisitor<'_>) -> Result<(), QueryError> {
        let at = Place::new("ray");
        visit_vector(&mut self.origin, &at.key("origin"), visit)?;
        visit_vector(&mut self.direction, &at.key("direction"), visit)
    }
}

impl MotionOptionsSpec {
    fn read(value: Value, at: &At<'_>, turns: bool) -> Result<Self, QueryError> {
        let starts = [
            ("hit", StartSpec::Hit),
            ("approach", StartSpec::Approach),
            ("exit", StartSpec::Exit),
        ];
        let touches = [("counts", TouchSpec::Counts), ("passes", TouchSpec::Passes)];
        let mut object = Object::open(value, at)?;
        let (time_resolution, pieces_max) = if turns {
            let resolution = object.optional("time_resolution", value::length)?;
            (
                resolution,
                object.optional("pieces_max", query::read_count)?,
            )
        } else {
            (None, None)
        };
        let options = Self {
            time_resolution,
            pieces_max,
            max_time: object.optional("max_time", value::length)?,
            distance: object.optional("distance", value::length)?,
            start: object.optional("start", |v, at| value::word(v, at, &starts))?,
            touch: object.optional("touch", |v, at| value::word(v, at, &touches))?,
            certificate: object.optional("certificate", value::boolean)?,
            trace: object.optional("trace", value::boolean)?,
        };
        object.finish()?;
        Ok(options)
    }

    /// Visits every number with its path (`options.max_time`), to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(&mut self, visit: &mut NumberVisitor<'_>) -> Result<(), QueryError> {
        let at = Place::new("options");
        if let Some(time) = &mut self.max_time {
            visit(time, &at.key("max_time"))?;
        }
        if let Some(distance) = &mut self.distance {
            visit(distance, &at.key("distance"))?;
        }
        if let Some(resolution) = &mut self.time_resolution {
            visit(resolution, &at.key("time_resolution"))?;
        }
        Ok(())
    }
}

impl MotionExpectSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let verdict = object.optional("verdict", |v, at| match v {
            Value::Array(_) => value::list(v, at, read_meeting),
            one => Ok(vec![read_meeting(one, at)?]),
        })?;
        let time = object.optional("time", value::number)?;
        let tolerance = object.optional("tolerance", value::length)?;
        let normal = object.optional("normal", |v, at| query::read_normals(v, at, dim))?;
        let grazing = object.optional("grazing", value::boolean)?;
        object.finish()?;
        Ok(Self {
            verdict: verdict.unwrap_or_default(),
            time,
            tolerance,
            normal: normal.unwrap_or_default(),
            grazing,
        })
    }
}

fn is_default(options: &MotionOptionsSpec) -> bool {
    *options == MotionOptionsSpec::default()
}

fn read_meeting(value: Value, at: &At<'_>) -> Result<MeetingSpec, QueryError> {
    let meetings = [
        ("free", MeetingSpec::Free),
        ("hits", MeetingSpec::Hits),
        ("starts_touching", MeetingSpec::StartsTouching),
        ("starts_overlapping", MeetingSpec::StartsOverlapping),
        ("exits", MeetingSpec::Exits),
        ("undecided", MeetingSpec::Undecided),
    ];
    value::word(value, at, &meetings)
}

impl MeetingSpec {
    /// The word in the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Hits => "hits",
            Self::StartsTouching => "starts_touching",
            Self::StartsOverlapping => "starts_overlapping",
            Self::Exits => "exits",
            Self::Undecided => "undecided",
        }
    }
}
