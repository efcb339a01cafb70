//! What went wrong with a file, where, and what to do: [`SceneError`] for scenes, robots and meshes, [`QueryError`] for query
//! lines.
//! Where it sits: every reader of this crate returns one of the two; the CLI renders them (`SceneError` has all that a
//! span printer needs).
//! Idea: an error names the file, the place in it, the element (a link, a joint, a vertex), what was
//! expected, and what to do about it.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The reasons why a scene, robot or mesh cannot be read; stable, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneErrorKind {
    /// The file or folder is absent or cannot be opened.
    Io,
    /// The format is one that this crate does not read.
    Unsupported,
    /// The text or the bytes are not well-formed.
    Syntax,
    /// A key that the format does not have.
    UnknownKey,
    /// A required key, attribute or element is absent.
    Missing,
    /// A value has the wrong type, is outside its range or is not finite.
    BadValue,
    /// Two things have the same name.
    Duplicate,
    /// A name that refers to nothing.
    UnknownName,
    /// The links are no tree: a cycle, several roots, or two parents.
    NotATree,
    /// A mesh file without a vertex.
    EmptyMesh,
}

impl SceneErrorKind {
    /// The kind as the word that reports print.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Io => "io",
            Self::Unsupported => "unsupported",
            Self::Syntax => "syntax",
            Self::UnknownKey => "unknown_key",
            Self::Missing => "missing",
            Self::BadValue => "bad_value",
            Self::Duplicate => "duplicate",
            Self::UnknownName => "unknown_name",
            Self::NotATree => "not_a_tree",
            Self::EmptyMesh => "empty_mesh",
        }
    }
}

/// Why a scene, a robot or a mesh cannot be read.
///
/// `Display` gives one line: `file:line:column: element: message, expected …`; [`SceneError::help`] says what to do.
#[derive(Debug, Clone)]
pub struct SceneError(Box<Details>);

/// Boxed so that `Result<_, SceneError>` stays one word.
#[derive(Debug, Clone)]
struct Details {
    kind: SceneErrorKind,
    message: String,
    file: Option<PathBuf>,
    line: Option<usize>,
    column: Option<usize>,
    span: Option<Range<usize>>,
    source_text: Option<Arc<str>>,
    element: Option<String>,
    expected: Option<String>,
    help: Option<String>,
}

impl SceneError {
    /// An error with a message; the `with_` methods add where and what to do.
    #[must_use]
    pub fn new(kind: SceneErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            span: None,
            source_text: None,
            element: None,
            expected: None,
            help: None,
        }))
    }

    /// A fault in a file's values, as the element that its path names.
    pub(crate) fn from_query(fault: &QueryError) -> Self {
        let kind = match fault.kind {
            QueryErrorKind::Json => SceneErrorKind::Syntax,
            QueryErrorKind::UnknownKey => SceneErrorKind::UnknownKey,
            QueryErrorKind::DuplicateKey => SceneErrorKind::Duplicate,
            QueryErrorKind::MissingKey => SceneErrorKind::Missing,
            QueryErrorKind::WrongType
            | QueryErrorKind::OutOfRange
            | QueryErrorKind::BadValue
            | QueryErrorKind::Dimension => SceneErrorKind::BadValue,
        };
        let found = Self::new(kind, fault.message.clone());
        if fault.at.is_empty() {
            found
        } else {
            found.with_element(fault.at.clone())
        }
    }

    /// Names the file, unless a reader nearer to the fault has named one.
    #[must_use]
    pub fn with_file(mut self, file: &Path) -> Self {
        self.0.file.get_or_insert_with(|| file.to_path_buf());
        self
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn with_line(mut self, line: usize) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Points at a byte range of the file's text; sets line and column from it.
    #[must_use]
    pub fn with_span(mut self, text: &str, span: Range<usize>) -> Self {
        let start = floor_char_boundary(text, span.start);
        let end = floor_char_boundary(text, span.end).max(start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        self.0.line = Some(before.matches('\n').count() + 1);
        self.0.column = Some(before[line_start..].chars().count() + 1);
        self.0.span = Some(start..end);
        self.0.source_text = Some(Arc::from(text));
        self
    }

    /// Names the thing that is wrong, such as ``link `arm` `` or `vertex 12`; an outer element goes before one that is there.
    #[must_use]
    pub fn with_element(mut self, element: impl Into<String>) -> Self {
        let outer = element.into();
        self.0.element = Some(match self.0.element.take() {
            Some(inner) => format!("{outer}: {inner}"),
            None => outer,
        });
        self
    }

    /// Says what would have been right.
    #[must_use]
    pub fn with_expected(mut self, expected: impl Into<String>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }

    /// Says what to do, unless that is said.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help.get_or_insert_with(|| help.into());
        self
    }

    /// The reason, for programs.
    #[must_use]
    pub fn kind(&self) -> SceneErrorKind {
        self.0.kind
    }

    /// What is wrong, without place and help.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file, as it was named or resolved.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The line in the file, counted from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// The column in the line in characters, counted from 1.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.0.column
    }

    /// The byte range at fault in [`SceneError::source_text`].
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// The file's text, present when [`SceneError::span`] is.
    #[must_use]
    pub fn source_text(&self) -> Option<&str> {
        self.0.source_text.as_deref()
    }

    /// The link, joint, body, key or vertex at fault.
    #[must_use]
    pub fn element(&self) -> Option<&str> {
        self.0.element.as_deref()
    }

    /// What would have been right.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &*self.0;
        if let Some(file) = &details.file {
            write!(f, "{}", file.display())?;
            if let Some(line) = details.line {
                write!(f, ":{line}")?;
                if let Some(column) = details.column {
                    write!(f, ":{column}")?;
                }
            }
            f.write_str(": ")?;
        } else if let Some(line) = details.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(element) = &details.element {
            write!(f, "{element}: ")?;
        }
        f.write_str(&details.message)?;
        if let Some(expected) = &details.expected {
            write!(f, ", expected {expected}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneError {}

/// The reasons why a query line or a scene file's value cannot be read; stable, printed as `error.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryErrorKind {
    /// The line is not one JSON value.
    Json,
    /// A key that the format does not have.
    UnknownKey,
    /// A key that stands twice in one object.
    DuplicateKey,
    /// A required key is absent.
    MissingKey,
    /// A value of the wrong JSON type.
    WrongType,
    /// A number that is not finite or outside its range.
    OutOfRange,
    /// A word that is not one of the format's, or values that contradict each other.
    BadValue,
    /// A vector of the wrong length, or a shape that the dimension does not have.
    Dimension,
}

impl QueryErrorKind {
    /// The kind as the word that answers print.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::UnknownKey => "unknown_key",
            Self::DuplicateKey => "duplicate_key",
            Self::MissingKey => "missing_key",
            Self::WrongType => "wrong_type",
            Self::OutOfRange => "out_of_range",
            Self::BadValue => "bad_value",
            Self::Dimension => "dimension",
        }
    }
}

/// Why a query line cannot be read: the `error` object of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// The reason, for programs.
    pub kind: QueryErrorKind,
    /// The place in the line as a path such as `a.points[3][0]`; empty for the line as a whole.
    pub at: String,
    /// What is wrong and what was expected, for people.
    pub message: String,
}

impl QueryError {
    /// An error at a path.
    #[must_use]
    pub fn new(kind: QueryErrorKind, at: impl fmt::Display, message: impl Into<String>) -> Self {
        Self {
            kind,
            at: at.to_string(),
            message: message.into(),
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}

/// The last character boundary at or before `offset`: a parser's byte offset may point inside a character.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_gives_line_and_column_in_characters() {
        let error = SceneError::new(SceneErrorKind::Syntax, "bad")
            .with_span("a\nüx!", 5..6)
            .with_file(Path::new("f.urdf"));
        assert_eq!((error.line(), error.column()), (Some(2), Some(3)));
        assert_eq!(error.to_string(), "f.urdf:2:3: bad");
    }

    #[test]
    fn a_span_outside_the_text_or_inside_a_character_does_not_panic() {
        let error = SceneError::new(SceneErrorKind::Syntax, "bad").with_span("ü", 1..99);
        assert_eq!(error.span(), Some(0..2));
    }

    #[test]
    fn the_nearest_file_and_the_outer_element_win_their_places() {
        let error = SceneError::new(SceneErrorKind::BadValue, "not finite")
            .with_element("vertex 3")
            .with_file(Path::new("a.stl"))
            .with_element("link `arm`")
            .with_file(Path::new("r.urdf"));
        assert_eq!(error.to_string(), "a.stl: link `arm`: vertex 3: not finite");
    }
}
