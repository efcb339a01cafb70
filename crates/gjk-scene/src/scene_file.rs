//! Scene files, JSON or TOML: bodies with poses and parts, and pairs that may touch.
//! Where it sits: [`crate::scene`] reads a file into a [`SceneFileSpec`], then opens its meshes; [`schema_json`] publishes the
//! layout.
//! Idea: the structs are the layout (the JSON Schema is derived from them); they are filled by hand so that every error
//! has a path. There are two layouts: `{"bodies": […]}` is ours ([`SceneFileSpec`]), `{"instances": […]}` is what CAD exports
//! write ([`InstancesSpec`]).

use std::path::Path;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::affine::Affine;
use crate::error::{QueryError, QueryErrorKind, SceneError, SceneErrorKind as Kind};
use crate::json;
use crate::pose::{PoseSpec, read_scale};
use crate::schema::BodySpec;
use crate::value::{self, At, Object, Value};

/// A scene file for `gjk check`, in either layout.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(title = "Scene"))]
#[serde(untagged)]
pub(crate) enum SceneFile {
    /// Bodies with their parts.
    Bodies(SceneFileSpec),
    /// Meshes placed by matrices, as CAD exports write them.
    Instances(InstancesSpec),
}

/// Bodies with their parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "Bodies"))]
#[serde(deny_unknown_fields)]
pub struct SceneFileSpec {
    /// The schema that editors check the file against; not read.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The length unit of all numbers and meshes, for reports; nothing is converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The bodies, each the union of its parts.
    pub bodies: Vec<SceneBodySpec>,
    /// Pairs of body names that may overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<[String; 2]>,
}

/// A body of a scene file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "SceneBody"))]
#[serde(deny_unknown_fields)]
pub struct SceneBodySpec {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its pose in the world; absent: the identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseSpec>,
    /// Its parts, at least one.
    pub parts: Vec<PartSpec>,
}

/// A part of a body: a mesh file or a shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "Part"))]
#[serde(untagged)]
pub enum PartSpec {
    /// A mesh file.
    Mesh(MeshPartSpec),
    /// A shape of the query format, in 3D.
    Shape(BodySpec),
}

/// A mesh file as a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "MeshPart"))]
#[serde(deny_unknown_fields)]
pub struct MeshPartSpec {
    /// The file, relative to the scene file.
    pub mesh: String,
    /// A factor an axis, before the pose; none is 0, negative ones mirror.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 3]>,
    /// The part's pose in the body; absent: the identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseSpec>,
}

/// Meshes placed by matrices, as CAD exports write them: each instance is a body of one part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "Instances"))]
#[serde(deny_unknown_fields)]
pub(crate) struct InstancesSpec {
    /// The schema that editors check the file against; not read.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<String>,
    /// The length unit of all numbers and meshes, for reports; nothing is converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) units: Option<String>,
    /// The placed meshes.
    pub(crate) instances: Vec<InstanceSpec>,
}

/// A mesh file at a place; several instances may name the same file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(rename = "Instance"))]
#[serde(deny_unknown_fields)]
pub(crate) struct InstanceSpec {
    /// The body's name, unique in the scene.
    pub(crate) name: String,
    /// The mesh file, relative to the scene file.
    pub(crate) part: String,
    /// Its pose in the world: a 4×4 matrix by rows; the last row is 0 0 0 1.
    #[serde(rename = "matrix_row_major")]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 16]"))]
    pub(crate) pose: Affine,
}

/// The JSON Schema of scene files, as `gjk schema scene` prints it.
#[cfg(feature = "schema")]
#[must_use]
pub fn schema_json() -> String {
    let schema = schemars::schema_for!(SceneFile);
    // A schema is a tree of plain JSON values, which cannot fail to print.
    serde_json::to_string_pretty(schema.as_value()).unwrap_or_default()
}

/// Reads a scene file's text: TOML when the path says so, JSON otherwise.
pub(crate) fn parse(text: &str, path: &Path) -> Result<SceneFile, SceneError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = if crate::mesh::extension(path) == "toml" {
        parse_toml(text)
    } else {
        json::read_value(text)
    };
    value
        .and_then(|value| read(value).map_err(|error| from_path(&error)))
        .map_err(|error| error.with_file(path))
}

fn read(value: Value) -> Result<SceneFile, QueryError> {
    let mut object = Object::open(value, &At::ROOT)?;
    if object.has("instances") {
        return read_instances(object).map(SceneFile::Instances);
    }
    if object.has("elements") && !object.has("bodies") {
        let message = "a list of `elements` is not a scene file; if it lists mesh files, give their folder instead";
        return Err(QueryError::new(
            QueryErrorKind::BadValue,
            "elements",
            message,
        ));
    }
    let schema = object.optional("$schema", value::string)?;
    let unit = object.optional("unit", value::string)?;
    let bodies = object.required("bodies", |v, at| value::list(v, at, read_body))?;
    let allow = object
        .optional("allow", |v, at| value::list(v, at, read_pair))?
        .unwrap_or_default();
    object.finish()?;
    Ok(SceneFile::Bodies(SceneFileSpec {
        schema,
        unit,
        bodies,
        allow,
    }))
}

fn read_body(value: Value, at: &At<'_>) -> Result<SceneBodySpec, QueryError> {
    let mut object = Object::open(value, at)?;
    let name = object.required("name", value::string)?;
    let pose = object.optional("pose", |v, at| PoseSpec::read(v, at, 3))?;
    let parts = object.required("parts", |v, at| value::list(v, at, read_part))?;
    object.finish()?;
    if parts.is_empty() {
        return Err(QueryError::new(
            QueryErrorKind::BadValue,
            at.key("parts"),
            "expected at least one part",
        ));
    }
    Ok(SceneBodySpec { name, pose, parts })
}

fn read_part(value: Value, at: &At<'_>) -> Result<PartSpec, QueryError> {
    let is_mesh =
        matches!(&value, Value::Object(entries) if entries.iter().any(|(key, _)| key == "mesh"));
    if !is_mesh {
        return BodySpec::read(value, at, 3).map(PartSpec::Shape);
    }
    let mut object = Object::open(value, at)?;
    let mesh = object.required("mesh", value::string)?;
    let scale = object.optional("scale", |v, at| value::vector(v, at, 3, read_scale))?;
    let pose = object.optional("pose", |v, at| PoseSpec::read(v, at, 3))?;
    object.finish()?;
    Ok(PartSpec::Mesh(MeshPartSpec {
        mesh,
        scale: scale.map(|s| [s[0], s[1], s[2]]),
        pose,
    }))
}

fn read_pair(value: Value, at: &At<'_>) -> Result<[String; 2], QueryError> {
    let names = value::list(value, at, value::string)?;
    let count = names.len();
    names.try_into().map_err(|_| {
        QueryError::new(
            QueryErrorKind::BadValue,
            at,
            format!("expected 2 body names, found {count}"),
        )
    })
}

fn read_instances(mut object: Object<'_>) -> Result<InstancesSpec, QueryError> {
    let schema = object.optional("$schema", value::string)?;
    let units = object.optional("units", value::string)?;
    let instances = object.required("instances", |v, at| {
        value::list(v, at, |v, at| {
            let mut instance = Object::open(v, at)?;
            let name = instance.required("name", value::string)?;
            let part = instance.required("part", value::string)?;
            let pose = instance.required("matrix_row_major", read_matrix)?;
            instance.finish()?;
            Ok(InstanceSpec { name, part, pose })
        })
    })?;
    object.finish()?;
    Ok(InstancesSpec {
        schema,
        units,
        instances,
    })
}

fn read_matrix(value: Value, at: &At<'_>) -> Result<Affine, QueryError> {
    let numbers = value::vector(value, at, 16, value::number)?;
    let mut matrix = [0.0; 16];
    matrix.copy_from_slice(&numbers);
    Affine::from_row_major(&matrix)
        .ok_or_else(|| QueryError::new(QueryErrorKind::BadValue, at, "the last row is not 0 0 0 1"))
}

#[cfg(not(feature = "toml"))]
fn parse_toml(_: &str) -> Result<Value, SceneError> {
    Err(SceneError::new(Kind::Unsupported, "this program reads no TOML").with_expected("JSON"))
}

#[cfg(feature = "toml")]
fn parse_toml(text: &str) -> Result<Value, SceneError> {
    toml::from_str(text).map_err(|error| {
        let found = SceneError::new(Kind::Syntax, format!("not TOML: {}", error.message()));
        match error.span() {
            Some(span) => found.with_span(text, span),
            None => found,
        }
    })
}

/// An error at a path of a scene file.
fn from_path(error: &QueryError) -> SceneError {
    SceneError::from_query(error).with_help("`gjk schema scene` prints the layout")
}
