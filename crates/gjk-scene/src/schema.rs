//! The words of query lines and scene files: shapes, poses, bodies.
//! Where it sits: [`crate::query`] reads lines of them, [`crate::scene_file`] whole scenes; the CLI turns [`ShapeSpec`] into the library's shapes.
//! Idea: plain numbers, checked once on reading (finite, in range, of the right dimension), so that what follows needs no checks. Reading is
//! by hand, over values that know their path, because every error must name one; writing is serde's.
//! Numbers: a quaternion may be 1e-3 off unit length ([`QUATERNION_TOLERANCE`]), as printed ones with four digits are.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::affine::Affine;
use crate::error::{QueryError, QueryErrorKind as Kind};
use crate::value::{self, At, Object, Value};

/// How far a quaternion's length may be from 1; further off is a mistake rather than rounding.
pub const QUATERNION_TOLERANCE: f64 = 1e-3;

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
        core: Box<ShapeSpec>,
        /// The ball's radius.
        radius: f64,
    },
    /// The Minkowski sum of two shapes.
    Sum {
        /// Exactly two shapes.
        of: Vec<ShapeSpec>,
    },
    /// The convex hull of shapes, at least one.
    HullOf {
        /// The shapes.
        of: Vec<ShapeSpec>,
    },
}

impl ShapeSpec {
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

    fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
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

/// Where a body stands: `p ↦ rotation · (scale ∘ p) + translation`; what is absent does nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PoseSpec {
    /// The image of the origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<Vec<f64>>,
    /// A rotation; never beside `rotation_matrix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<RotationSpec>,
    /// Any invertible linear map, by rows, used as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation_matrix: Option<Vec<Vec<f64>>>,
    /// A scaling of the axes before the rotation; no entry is 0, negative ones mirror.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec<f64>>,
}

/// A rotation by the keys of the query format.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum RotationSpec {
    /// 2D: an angle in radians, from the first axis to the second.
    Angle(f64),
    /// 3D: a unit quaternion `[x, y, z, w]`.
    Quaternion([f64; 4]),
}

impl PoseSpec {
    pub(crate) fn read(value: Value, at: &At<'_>, dim: usize) -> Result<Self, QueryError> {
        let mut object = Object::open(value, at)?;
        let translation = object.optional("translation", |v, at| {
            value::vector(v, at, dim, value::number)
        })?;
        let rotation = object.optional("rotation", |v, at| read_rotation(v, at, dim))?;
        let rotation_matrix =
            object.optional("rotation_matrix", |v, at| read_matrix(v, at, dim))?;
        let scale = object.optional("scale", |v, at| value::vector(v, at, dim, read_scale))?;
        object.finish()?;
        if rotation.is_some() && rotation_matrix.is_some() {
            let message = "`rotation` and `rotation_matrix` exclude each other: give one of them";
            return Err(QueryError::new(
                Kind::BadValue,
                at.key("rotation_matrix"),
                message,
            ));
        }
        Ok(Self {
            translation,
            rotation,
            rotation_matrix,
            scale,
        })
    }

    /// The pose as a map of 3D space; entries beyond the pose's dimension are the identity's.
    #[must_use]
    pub fn affine(&self) -> Affine {
        let mut affine = match (&self.rotation_matrix, self.rotation) {
            (Some(rows), _) => {
                let mut affine = Affine::IDENTITY;
                for (to, from) in affine.linear.iter_mut().zip(rows) {
                    copy_front(to, from);
                }
                affine
            }
            (None, Some(RotationSpec::Quaternion(quaternion))) => {
                Affine::from_quaternion(quaternion)
            }
            (None, Some(RotationSpec::Angle(angle))) => {
                Affine::from_axis_angle([0.0, 0.0, 1.0], angle)
            }
            (None, None) => Affine::IDENTITY,
        };
        if let Some(scale) = &self.scale {
            let mut factors = [1.0; 3];
            copy_front(&mut factors, scale);
            affine = affine.scaled(factors);
        }
        if let Some(translation) = &self.translation {
            copy_front(&mut affine.translation, translation);
        }
        affine
    }

    /// Visits every number of the pose with its path, to round or to check it.
    ///
    /// # Errors
    /// The first one that `visit` returns.
    pub fn visit_numbers(
        &mut self,
        at: &Place<'_>,
        visit: &mut NumberVisitor<'_>,
    ) -> Result<(), QueryError> {
        if let Some(translation) = &mut self.translation {
            visit_vector(translation, &at.key("translation"), visit)?;
        }
        match &mut self.rotation {
            Some(RotationSpec::Angle(angle)) => visit(angle, &at.key("rotation"))?,
            Some(RotationSpec::Quaternion(quaternion)) => {
                visit_vector(quaternion, &at.key("rotation"), visit)?
            }
            None => {}
        }
        if let Some(rows) = &mut self.rotation_matrix {
            visit_rows(rows, &at.key("rotation_matrix"), visit)?;
        }
        self.scale
            .as_mut()
            .map_or(Ok(()), |scale| visit_vector(scale, &at.key("scale"), visit))
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

/// A place in a body, for [`BodySpec::visit_numbers`]: prints as `a.pose.translation[2]`.
#[derive(Clone, Copy)]
pub struct Place<'p>(pub(crate) At<'p>);

impl<'p> Place<'p> {
    /// The place of a body, such as `a` or `b`.
    #[must_use]
    pub fn new(body: &'p str) -> Self {
        const ROOT: &At<'static> = &At::ROOT;
        Self(ROOT.key(body))
    }

    fn key(&'p self, key: &'static str) -> Place<'p> {
        Place(self.0.key(key))
    }

    fn index(&'p self, index: usize) -> Place<'p> {
        Place(self.0.index(index))
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Looks at a number and may change it, for example round it to `f32`; its error ends the visit.
pub type NumberVisitor<'v> = dyn FnMut(&mut f64, &Place<'_>) -> Result<(), QueryError> + 'v;

fn visit_vector(
    vector: &mut [f64],
    at: &Place<'_>,
    visit: &mut NumberVisitor<'_>,
) -> Result<(), QueryError> {
    vector
        .iter_mut()
        .enumerate()
        .try_for_each(|(i, entry)| visit(entry, &at.index(i)))
}

fn visit_rows(
    rows: &mut [Vec<f64>],
    at: &Place<'_>,
    visit: &mut NumberVisitor<'_>,
) -> Result<(), QueryError> {
    rows.iter_mut()
        .enumerate()
        .try_for_each(|(i, row)| visit_vector(row, &at.index(i), visit))
}

fn copy_front(to: &mut [f64], from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
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

/// One factor of a scaling.
pub(crate) fn read_scale(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    let factor = value::number(value, at)?;
    if factor == 0.0 {
        return Err(QueryError::new(
            Kind::OutOfRange,
            at,
            "a scale of 0 flattens the body, expected any other number",
        ));
    }
    Ok(factor)
}

fn read_rotation(value: Value, at: &At<'_>, dim: usize) -> Result<RotationSpec, QueryError> {
    if dim == 2 {
        return value::number(value, at).map(RotationSpec::Angle);
    }
    let q = value::vector(value, at, 4, value::number)?;
    // The sum of squares may overflow to infinity, which is then off unit too.
    let norm = q.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > QUATERNION_TOLERANCE {
        let message = format!(
            "the quaternion [x, y, z, w] has length {norm}, expected 1 (within {QUATERNION_TOLERANCE})"
        );
        return Err(QueryError::new(Kind::OutOfRange, at, message));
    }
    Ok(RotationSpec::Quaternion([
        q[0] / norm,
        q[1] / norm,
        q[2] / norm,
        q[3] / norm,
    ]))
}

fn read_matrix(value: Value, at: &At<'_>, dim: usize) -> Result<Vec<Vec<f64>>, QueryError> {
    let rows = value::list(value, at, |v, at| value::vector(v, at, dim, value::number))?;
    if rows.len() != dim {
        return Err(QueryError::new(
            Kind::Dimension,
            at,
            format!("expected {dim} rows, found {}", rows.len()),
        ));
    }
    if determinant_of_scaled_rows(&rows) == 0.0 {
        return Err(QueryError::new(
            Kind::OutOfRange,
            at,
            "the matrix is singular, expected an invertible one",
        ));
    }
    Ok(rows)
}

/// The determinant with every row divided by its largest entry, so that it neither overflows nor underflows; 0 for a zero row.
/// Rounding may hide a singular matrix: this catches the plain mistakes, not all of them.
fn determinant_of_scaled_rows(rows: &[Vec<f64>]) -> f64 {
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let largest = row
                .iter()
                .fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
            row.iter()
                .map(|entry| if largest == 0.0 { 0.0 } else { entry / largest })
                .collect()
        })
        .collect();
    match scaled.as_slice() {
        [a, b] => a[0] * b[1] - a[1] * b[0],
        [a, b, c] => {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        }
        _ => 0.0,
    }
}
