//! Shapes of a JSON text: a list of them, with the keys that query lines have.
//! Where it sits: tables name shapes by their place in such a list; the Python module reads and writes it.

use crate::error::QueryError;
use crate::json;
use crate::schema::ShapeSpec;
use crate::value::{self, At};

/// Reads a JSON list of shapes in space.
///
/// # Errors
/// What the first bad shape has wrong, with its place: `[3].radius`.
///
/// # Examples
/// ```
/// let shapes = gjk_scene::read_shapes(r#"[{"shape":"ball","radius":1}]"#).unwrap();
/// assert_eq!(gjk_scene::write_shapes(&shapes), r#"[{"shape":"ball","radius":1.0}]"#);
/// let error = gjk_scene::read_shapes(r#"[{"shape":"ball","radius":-1}]"#).unwrap_err();
/// assert_eq!(error.at, "[0].radius");
/// ```
pub fn read_shapes(text: &str) -> Result<Vec<ShapeSpec>, QueryError> {
    read_shapes_of(text, 3)
}

/// Reads a JSON list of shapes of 2 or 3 dimensions.
///
/// # Errors
/// As [`read_shapes`].
pub fn read_shapes_of(text: &str, dim: usize) -> Result<Vec<ShapeSpec>, QueryError> {
    value::list(json::parse(text.as_bytes())?, &At::ROOT, |entry, at| {
        ShapeSpec::read(entry, at, dim)
    })
}

/// Shapes as JSON; reading it back gives the same numbers.
#[must_use]
pub fn write_shapes(shapes: &[ShapeSpec]) -> String {
    // Plain structs of finite numbers: writing them into memory cannot fail.
    serde_json::to_string(shapes).unwrap_or_default()
}
