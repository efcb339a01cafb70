//! Files of plain values beside a robot: JSON or YAML, told by the file's name.
//! Where it sits: limits and trajectories are read through [`Documents`].
//! Idea: both become [`Value`]s, so that a layout is written down once; a fault keeps its path, and its line is looked up.

use std::path::Path;

use crate::error::{QueryError, SceneError, SceneErrorKind as Kind};
use crate::json;
use crate::value::Value;

/// The values of a file and its text, for places.
pub(crate) struct Documents<'t> {
    pub(crate) values: Vec<Value>,
    text: &'t str,
}

impl<'t> Documents<'t> {
    /// Reads a text; `extension` says which format it is.
    pub(crate) fn read(text: &'t str, extension: &str) -> Result<Self, SceneError> {
        let values = match extension {
            "json" => vec![json::read_value(text)?],
            _ => parse_yaml(text)?,
        };
        Ok(Self { values, text })
    }

    /// A fault at a path of a document, with its line where that is known.
    pub(crate) fn error(&self, document: usize, fault: &QueryError) -> SceneError {
        self.place(SceneError::from_query(fault), document, &fault.at)
    }

    /// Adds the line of a path to an error that has none.
    pub(crate) fn place(&self, error: SceneError, document: usize, path: &str) -> SceneError {
        match self.line(document, path) {
            Some(line) if error.line().is_none() => error.with_line(line),
            _ => error,
        }
    }

    /// The line of a path; each look-up goes through the text.
    pub(crate) fn line(&self, document: usize, path: &str) -> Option<usize> {
        line_of(self.text, document, path)
    }
}

/// The text of a file, without a byte-order mark.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {} is not UTF-8", error.valid_up_to() + 1);
        SceneError::new(Kind::Syntax, message).with_help("save the file as UTF-8")
    })
}

/// True for the extensions that [`Documents::read`] knows.
pub(crate) fn is_document(path: &Path) -> bool {
    matches!(
        crate::mesh::extension(path).as_str(),
        "json" | "yaml" | "yml"
    )
}

#[cfg(feature = "yaml")]
use crate::yaml::{documents as parse_yaml, line_of};

#[cfg(not(feature = "yaml"))]
fn parse_yaml(_: &str) -> Result<Vec<Value>, SceneError> {
    Err(SceneError::new(Kind::Unsupported, "this program reads no YAML").with_expected("JSON"))
}

#[cfg(not(feature = "yaml"))]
fn line_of(_: &str, _: usize, _: &str) -> Option<usize> {
    None
}
