//! The words of query lines and scene files: shapes, poses, bodies.
//! Where it sits: [`crate::query`] reads lines of them, [`crate::scene_file`] whole scenes; the CLI turns [`ShapeSpec`] into the
//! library's shapes.
//! Idea: plain numbers, checked once on reading (finite, in range, of the right dimension), so that what
//! follows needs no checks. Reading is by hand, over values that know their path, because every error must name one; writing is
//! serde's.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::{QueryError, QueryErrorKind as Kind};
use crate::numbers::{NumberVisitor, Place, visit_rows, visit_vector};
use crate::pose::PoseSpec;
use crate::value::{self, At, Object, Value};

/// An axis of the body's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis; only in 3D.
    Z,
}

/// A convex shape, by the keys of the query format.
///
/// Shapes: every vector has `dim` entries. Lengths are finite and 0 or more: a flat box, or a ball of radius 0, is legal here.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ShapeSpec {
    /// One point.
    Point {
        /// The point.
        point: Vec<f64>,
    },
    /// The points between two points.
    Segment {
        /// One end.
        a: Vec<f64>,
        /// The other end.
        b: Vec<f64>,
    },
    /// A filled triangle.
    Triangle {
        /// The first corner.
        a: Vec<f64>,
        /// The second corner.
        b: Vec<f64>,
        /// The third corner.
        c: Vec<f64>,
    },
    /// A filled sphere (3D) or circle (2D) about the origin.
    Ball {
        /// The radius.
        radius: f64,
    },
    /// A box about the origin, along the axes.
    Box {
        /// Half its size along each axis.
        half_extents: Vec<f64>,
    },
    /// A segment along an axis, swept by a ball.
    Capsule {
        /// Half the length of the segment: the caps are beyond it.
        half_height: f64,
        /// The ball's radius.
        radius: f64,
        /// The segment's direction.
        axis: Axis,
    },
    /// A solid cylinder about the origin; only in 3D.
    Cylinder {
        /// Half its length along the axis.
        half_height: f64,
        /// Its radius.
        radius: f64,
        /// Its direction.
        axis: Axis,
    },
    /// A solid cone: base at `-half_height`, apex at `+half_height`; only in 3D.
    Cone {
        /// Half its length along the axis.
        half_height: f64,
        /// The radius of its base.
        radius: f64,
        /// From the base to the apex.
        axis: Axis,
    },
    /// A solid ellipsoid (3D) or ellipse (2D) about the origin, along the axes.
    Ellipsoid {
        /// Its half axes.
        radii: Vec<f64>,
    },
    /// The convex hull of points, at least one, in any order; inside points and duplicates are allowed.
    Convex {
        /// The points.
        points: Vec<Vec<f64>>,
    },
    /// A shape swept by a ball.
    Rounded {
        /// What is swept.
        #[cfg_attr(feature = "schema", schemars(with = "Box<ClosedShape>"))]
        core: Box<ShapeSpec>,
        /// The ball's radius.
        radius: f64,
    },
    /// The Minkowski sum of two shapes.
    Sum {
        /// Exactly two shapes.
        #[cfg_attr(feature = "schema", schemars(with = "[ClosedShape; 2]"))]
        of: Vec<ShapeSpec>,
    },
    /// The convex hull of shapes, at least one.
    HullOf {
        /// The shapes.
        #[cfg_attr(feature = "schema", schemars(with = "Vec<ClosedShape>"))]
        of: Vec<ShapeSpec>,
    },
}

/// A shape in a shape: the keys of one, and no others.
#[cfg(feature = "schema")]
#[derive(JsonSchema)]
#[schemars(rename = "InnerShape", extend("unevaluatedProperties" = false))]
#[expect(dead_code, reason = "a layout and nothing else")]
struct ClosedShape {
    #[schemars(flatten)]
    shape: ShapeSpec,
}

impl ShapeSpec {
    /// The points that the shape is the hull of, where it is given by them.
    #[must_use]
    pub fn points(&self) -> Option<Vec<&[f64]>> {
        match self {
            Self::Point { point } => Some(vec![point]),
            Self::Segment { a, b } => Some(vec![a, b]),
            Self::Triangle { a, b, c } => Some(vec![a, b, c]),
            Self::Convex { points } => Some(points.iter().map(Vec::as_slice).collect()),
            _ => None,
        }
    }

    /// The word that names the shape in files and reports.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Point { .. } => "point",
            Self::Segment { .. } => "segment",
            Self::Triangle { .. } => "triangle",
            Self::Ball { .. } => "ball",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Convex { .. } => "convex",
            Self::Rounded { .. } => "rounded",
            Self::Sum { .. } => "sum",
            Self::HullOf { .. } => "hull_of",
        }
    }

    /// Takes a shape's keys out of an object; the keys beside them (a pose) stay in it.
    pub(crate) fn take(object: &mut Object<'_>, dim: usize) -> Result<Self, QueryError> {
        let shape = object.required("shape", value::string)?;
        let point = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::number);
        let lengths = |v: Value, at: &At<'_>| value::vector(v, at, dim, value::length);
        Ok(match shape.as_str() {
            "point" => Self::Point {
                point: object.required("point", point)?,
            },
            "segment" => Self::Segment {
                a: object.required("a", point)?,
                b: object.required("b", point)?,
            },
            "triangle" => Self::Triangle {
                a: object.required("a", point)?,
                b: object.required("b", point)?,
                c: object.required("c", point)?,
            },
            "ball" => Self::Ball {
                radius: object.required("radius", value::length)?,
            },
            "box" => Self::Box {
                half_extents: object.required("half_extents", lengths)?,
            },
            "capsule" | "cylinder" | "cone" => Self::take_axial(object, dim, &shape)?,
            "ellipsoid" => Self::Ellipsoid {
                radii: object.required("radii", lengths)?,
            },
            "convex" => Self::Convex {
                points: object.required("points", |v, at| {
                    non_empty(value::list(v, at, point)?, at, "point")
                })?,
            },
            "rounded" => Self::Rounded {
                core: Box::new(object.required("core", |v, at| Self::read(v, at, dim))?),
                radius: object.required("radius", value::length)?,
            },
            "sum" => Self::Sum {
                of: object.required("of", |v, at| Self::read_two(v, at, dim))?,
            },
            "hull_of" => Self::HullOf {
                of: object.required("of", |v, at| Self::read_some(v, at, dim))?,
            },
            other => {
                let message = format!(
                    "`{other}` is no shape; the shapes are point, segment, triangle, ball, box, capsule, cylinder, cone, \
                     ellipsoid, convex, rounded, sum, hull_of"
                );
                return Err(QueryError::new(
                    Kind::BadValue,
                    object.at().key("shape"),
                    message,
                ));
            }
        })
    }

    fn take_axial(object: &mut Object<'_>, dim: usize, shape: &str) -> Result<Self, QueryError> {
        if dim == 2 && shape != "capsule" {
            return Err(QueryError::new(
                Kind::Dimension,
                object.at().key("shape"),
                format!("there is no {shape} in 2D"),
            ));
        }
        let half_height = object.required("half_height", value::length)?;
        let radius = object.required("radius", value::length)?;
        let axis = object.required("axis", |v, at| {
            let axis = value::word(v, at, &[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])?;
            if dim == 2 && axis == Axis::Z {
                return Err(QueryError::new(
                    Kind::Dimension,
                    at,
                    "there is no axis `z` in 2D, expected `x` or `y`",
                ));
            }
            Ok(axis)
        })?;
        Ok(match shape {
            "capsule" => Self::Capsule {
                half_height,
                radius,
                axis,
            },
            "cylinder" => Self::Cylinder {
                half_height,
                radius,
                axis,
            },
            _ => Self::Cone {
                half_height,
                radius,
                axis,
            },
        })
    }

    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let shape = Self::take(&mut object, dim)?;
        object.finish()?;
        Ok(shape)
    }

    fn read_some(value: Value, at: &At<'_>, dim: usize) -> Result<Vec<Self>, QueryError> {
        non_empty(
            value::list(value, at, |v, at| Self::read(v, at, dim))?,
            at,
            "shape",
        )
    }

    fn read_two(value: Value, at: &At<'_>, dim: usize) -> Result<Vec<Self>, QueryError> {
        let shapes = Self::read_some(value, at, dim)?;
        if shapes.len() != 2 {
            return Err(QueryError::new(
                Kind::BadValue,
                at,
                format!("expected 2 shapes, found {}", shapes.len()),
            ));
        }
        Ok(shapes)
    }

    /// Visits every number of the shape with its path, to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &Place<'_>,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        match self {
            Self::Point { point } => visit_vector(point, &at.key("point"), visit),
            Self::Segment { a, b } => {
                visit_vector(a, &at.key("a"), visit)?;
                visit_vector(b, &at.key("b"), visit)
            }
            Self::Triangle { a, b, c } => {
                visit_vector(a, &at.key("a"), visit)?;
                visit_vector(b, &at.key("b"), visit)?;
                visit_vector(c, &at.key("c"), visit)
            }
            Self::Ball { radius } => visit(radius, &at.key("radius")),
            Self::Box { half_extents } => {
                visit_vector(half_extents, &at.key("half_extents"), visit)
            }
            Self::Capsule {
                half_height,
                radius,
                ..
            }
            | Self::Cylinder {
                half_height,
                radius,
                ..
            }
            | Self::Cone {
                half_height,
                radius,
                ..
            } => {
                visit(half_height, &at.key("half_height"))?;
                visit(radius, &at.key("radius"))
            }
            Self::Ellipsoid { radii } => visit_vector(radii, &at.key("radii"), visit),
            Self::Convex { points } => visit_rows(points, &at.key("points"), visit),
            Self::Rounded { core, radius } => {
                core.visit_numbers(&at.key("core"), visit)?;
                visit(radius, &at.key("radius"))
            }
            Self::Sum { of } | Self::HullOf { of } => {
                let at = at.key("of");
                of.iter_mut()
                    .enumerate()
                    .try_for_each(|(i, shape)| shape.visit_numbers(&at.index(i), visit))
            }
        }
    }
}

/// A shape and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(extend("unevaluatedProperties" = false)))]
pub struct BodySpec {
    /// The shape in the body's own frame.
    #[serde(flatten)]
    pub shape: ShapeSpec,
    /// The body's pose in the world; absent: the identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseSpec>,
}

impl BodySpec {
    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let shape = ShapeSpec::take(&mut object, dim)?;
        let pose = object.optional("pose", |v, at| PoseSpec::read(v, at, dim))?;
        object.finish()?;
        Ok(Self { shape, pose })
    }

    /// Visits every number of the body with its path, to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &Place<'_>,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        self.shape.visit_numbers(at, visit)?;
        self.pose
            .as_mut()
            .map_or(Ok(()), |pose| pose.visit_numbers(&at.key("pose"), visit))
    }
}

fn non_empty<T>(items: Vec<T>, at: &At<'_>, what: &str) -> Result<Vec<T>, QueryError> {
    if items.is_empty() {
        return Err(QueryError::new(
            Kind::BadValue,
            at,
            format!("expected at least one {what}"),
        ));
    }
    Ok(items)
}

/// A body, and its motion where there is one.
pub(crate) fn body_in_motion<M>(
    value: Value,
    at: &At<'_>,
    dim: usize,
    read: fn(Value, &At<'_>, usize) -> Result<M, QueryError>,
) -> Result<(BodySpec, Option<M>), QueryError> {
    let mut object = Object::open(value, at)?;
    let shape = ShapeSpec::take(&mut object, dim)?;
    let pose = object.optional("pose", |v, at| PoseSpec::read(v, at, dim))?;
    let motion = object.optional("motion", |v, at| read(v, at, dim))?;
    object.finish()?;
    Ok((BodySpec { shape, pose }, motion))
}
