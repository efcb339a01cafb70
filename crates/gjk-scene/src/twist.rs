//! Motions of bodies that turn, in query lines: by velocities, to a pose, or of each vertex by itself.
//! Where it sits: beside [`crate::motion`], whose lines of the kind `toi` have them.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::{QueryError, QueryErrorKind};

use crate::numbers::{NumberVisitor, Place, visit_rows, visit_vector};
use crate::pose::PoseSpec;
use crate::schema::{BodySpec, body_in_motion};
use crate::value::{self, At, Object, Value};

/// How fast a body turns, in radians a unit of time, about the world's axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum AngularSpec {
    /// 2D: from the first axis to the second.
    Planar(f64),
    /// 3D: along the axis of the turn.
    Spatial([f64; 3]),
}

/// How the orientation goes from one pose to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InterpolationSpec {
    /// By the shortest arc, at a constant rate.
    #[default]
    Slerp,
    /// By the shortest arc, as a straight line of quaternions goes.
    Nlerp,
}

/// A motion that turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(untagged)]
pub enum TwistSpec {
    /// To a pose, in a unit of time.
    To {
        /// Where the body is at the time 1.
        to: PoseSpec,
        /// How it turns.
        #[serde(skip_serializing_if = "Option::is_none")]
        rotation: Option<InterpolationSpec>,
        /// The point that moves in a straight line, in the body's frame: `[dim]`; absent: its origin.
        #[serde(skip_serializing_if = "Option::is_none")]
        center: Option<Vec<f64>>,
    },
    /// By velocities.
    Constant {
        /// How far the centre moves in a unit of time: `[dim]`; absent: it rests.
        #[serde(skip_serializing_if = "Option::is_none")]
        velocity: Option<Vec<f64>>,
        /// How fast the body turns; absent: it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        angular: Option<AngularSpec>,
        /// As of a motion to a pose.
        #[serde(skip_serializing_if = "Option::is_none")]
        center: Option<Vec<f64>>,
    },
}

/// What a body of a `toi` does.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(untagged)]
pub enum BodyMotionSpec {
    /// Each of its vertices moves in a straight line.
    Vertices {
        /// Where each is at the time 1, in the body's frame and the order of its shape: `[dim]` each.
        vertices: Vec<Vec<f64>>,
    },
    /// It moves and turns as a whole.
    Twist(TwistSpec),
}

/// A body that may move and turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(extend("unevaluatedProperties" = false)))]
pub struct TurningBodySpec {
    /// The body where it is at the start.
    #[serde(flatten)]
    pub body: BodySpec,
    /// Absent: it is at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<BodyMotionSpec>,
}

impl TurningBodySpec {
    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let (body, motion) = body_in_motion(value, at, dim, BodyMotionSpec::read)?;
        if let Some(BodyMotionSpec::Vertices { vertices }) = &motion {
            fits(&body, vertices.len(), at)?;
        }
        Ok(Self { body, motion })
    }

    /// How it moves and turns as a whole.
    pub fn twist_mut(&mut self) -> Option<&mut TwistSpec> {
        match &mut self.motion {
            Some(BodyMotionSpec::Twist(twist)) => Some(twist),
            _ => None,
        }
    }
}

/// Whether so many vertices can move by themselves in a body.
fn fits(body: &BodySpec, count: usize, at: &At<'_>) -> Result<(), QueryError> {
    let Some(points) = body.shape.points() else {
        let message = format!(
            "the vertices of a {} cannot move by themselves: give a convex, segment, triangle or point",
            body.shape.kind_name()
        );
        return Err(QueryError::new(
            QueryErrorKind::BadValue,
            at.key("motion"),
            message,
        ));
    };
    if points.len() != count {
        let message = format!(
            "it has {count} vertices and the shape {}: give one for each, in its order",
            points.len()
        );
        let motion = at.key("motion");
        return Err(QueryError::new(
            QueryErrorKind::Dimension,
            motion.key("vertices"),
            message,
        ));
    }
    let only_moves = body.pose.as_ref().is_none_or(|pose| {
        pose.rotation.is_none() && pose.rotation_matrix.is_none() && pose.scale.is_none()
    });
    if only_moves {
        return Ok(());
    }
    let message = "a body whose vertices move by themselves has a translation only: turn the vertices, and leave the rest out";
    Err(QueryError::new(
        QueryErrorKind::BadValue,
        at.key("pose"),
        message,
    ))
}

impl BodyMotionSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        if !matches!(&value, Value::Object(entries) if entries.iter().any(|(key, _)| key == "vertices"))
        {
            return TwistSpec::read(value, at, dim).map(Self::Twist);
        }
        let mut object = Object::open(value, at)?;
        let vector = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::number);
        let vertices = object.required("vertices", |v, at| value::list(v, at, vector))?;
        object.finish()?;
        Ok(Self::Vertices { vertices })
    }

    /// Visits every number with its path, as [`TwistSpec::visit_numbers`] does.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &str,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        match self {
            Self::Vertices { vertices } => {
                visit_rows(vertices, &Place::new(at).key("vertices"), visit)
            }
            Self::Twist(twist) => twist.visit_numbers(at, visit),
        }
    }
}

impl TwistSpec {
    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let vector = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::number);
        let center = object.optional("center", vector)?;
        if object.has("to") {
            let to = object.required("to", |v, at| PoseSpec::read(v, at, dim))?;
            let words = [
                ("slerp", InterpolationSpec::Slerp),
                ("nlerp", InterpolationSpec::Nlerp),
            ];
            let rotation = object.optional("rotation", |v, at| value::word(v, at, &words))?;
            object.finish()?;
            return Ok(Self::To {
                to,
                rotation,
                center,
            });
        }
        let velocity = object.optional("velocity", vector)?;
        let angular = object.optional("angular", |v, at| AngularSpec::read(v, at, dim))?;
        object.finish()?;
        if velocity.is_none() && angular.is_none() {
            let message = "a motion has `velocity`, `angular`, `to` or, of a `toi`, `vertices`; leave out a motion of none";
            return Err(QueryError::new(QueryErrorKind::MissingKey, at, message));
        }
        Ok(Self::Constant {
            velocity,
            angular,
            center,
        })
    }

    /// The pose that it goes to, if it does.
    pub fn to_mut(&mut self) -> Option<&mut PoseSpec> {
        match self {
            Self::To { to, .. } => Some(to),
            Self::Constant { .. } => None,
        }
    }

    /// Visits every number with its path, which begins with that of the motion (`b.motion.angular[0]`), to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &str,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        let motion = Place::new(at);
        let center = match self {
            Self::To { to, center, .. } => {
                to.visit_numbers(&motion.key("to"), visit)?;
                center
            }
            Self::Constant {
                velocity,
                angular,
                center,
            } => {
                if let Some(velocity) = velocity {
                    visit_vector(velocity, &motion.key("velocity"), visit)?;
                }
                match angular {
                    Some(AngularSpec::Planar(rate)) => visit(rate, &motion.key("angular"))?,
                    Some(AngularSpec::Spatial(rate)) => {
                        visit_vector(rate, &motion.key("angular"), visit)?;
                    }
                    None => {}
                }
                center
            }
        };
        match center {
            Some(center) => visit_vector(center, &motion.key("center"), visit),
            None => Ok(()),
        }
    }
}

impl AngularSpec {
    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        if dim == 2 {
            return value::number(value, at).map(Self::Planar);
        }
        let rate = value::vector(value, at, 3, value::number)?;
        Ok(Self::Spatial([rate[0], rate[1], rate[2]]))
    }

    /// Along the third axis in the plane.
    #[must_use]
    pub fn components(self) -> [f64; 3] {
        match self {
            Self::Planar(rate) => [0.0, 0.0, rate],
            Self::Spatial(rate) => rate,
        }
    }
}
