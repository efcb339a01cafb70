//! XML with places: the small layer over roxmltree that URDF, SRDF and Collada share.
//! Where it sits: [`crate::robot`] and [`crate::format::collada`] parse through [`parse`] and report through [`Xml`].
//! Idea: every fault points at the start tag of the element that has it.

use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::error::{SceneError, SceneErrorKind as Kind};

/// The text of an XML file.
pub(crate) fn text<'b>(bytes: &'b [u8], file: &Path) -> Result<&'b str, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        SceneError::new(
            Kind::Syntax,
            format!("byte {} is not UTF-8", error.valid_up_to() + 1),
        )
        .with_file(file)
        .with_help("save the file as UTF-8")
    })
}

/// Parses a document.
pub(crate) fn parse<'t>(text: &'t str, file: &Path) -> Result<Document<'t>, SceneError> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        // roxmltree counts from 1 and columns in characters.
        let line = text.split_inclusive('\n').take(place.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
        let column = text[line..].chars().take(place.col.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
        let offset = line + column;
        let found = SceneError::new(Kind::Syntax, format!("not well-formed XML: {error}"))
            .with_span(text, offset..offset + 1)
            .with_file(file);
        match error {
            roxmltree::Error::UnknownNamespace(prefix, _) => found.with_help(format!(
                "declare the prefix in the root element: xmlns:{prefix}=\"http://example.org/{prefix}\""
            )),
            _ => found,
        }
    })
}

/// A parsed file, to read attributes and to report faults.
#[derive(Clone, Copy)]
pub(crate) struct Xml<'f> {
    pub(crate) text: &'f str,
    pub(crate) file: &'f Path,
}

impl Xml<'_> {
    /// An error at an element's start tag.
    pub(crate) fn error(
        &self,
        node: Node<'_, '_>,
        kind: Kind,
        message: impl Into<String>,
    ) -> SceneError {
        let range = node.range();
        let end = self.text[range.clone()]
            .find('>')
            .map_or(range.end, |length| range.start + length + 1);
        SceneError::new(kind, message)
            .with_span(self.text, range.start..end)
            .with_file(self.file)
    }

    /// The line of an element, counted from 1.
    pub(crate) fn line(&self, node: Node<'_, '_>) -> usize {
        node.document().text_pos_at(node.range().start).row as usize
    }

    /// An attribute that must be there.
    pub(crate) fn required<'a>(
        &self,
        node: Node<'a, '_>,
        name: &str,
    ) -> Result<&'a str, SceneError> {
        node.attribute(name).ok_or_else(|| {
            let message = format!("`<{}>` has no attribute `{name}`", node.tag_name().name());
            self.error(node, Kind::Missing, message)
        })
    }

    /// An attribute of finite numbers with blanks between them.
    pub(crate) fn numbers(
        &self,
        node: Node<'_, '_>,
        name: &str,
    ) -> Result<Option<Vec<f64>>, SceneError> {
        let Some(text) = node.attribute(name) else {
            return Ok(None);
        };
        let numbers = text
            .split_whitespace()
            .map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()));
        numbers
            .collect::<Option<Vec<f64>>>()
            .map(Some)
            .ok_or_else(|| {
                self.error(
                    node,
                    Kind::BadValue,
                    format!("`{name}=\"{text}\"` is not numeric"),
                )
                .with_expected("finite numbers")
            })
    }

    /// An attribute of `N` finite numbers.
    pub(crate) fn vector<const N: usize>(
        &self,
        node: Node<'_, '_>,
        name: &str,
    ) -> Result<Option<[f64; N]>, SceneError> {
        let Some(numbers) = self.numbers(node, name)? else {
            return Ok(None);
        };
        let count = numbers.len();
        numbers.try_into().map(Some).map_err(|_| {
            let message = format!("`{name}` has {count} numbers");
            self.error(node, Kind::BadValue, message)
                .with_expected(N.to_string())
        })
    }

    /// An attribute of one finite number.
    pub(crate) fn number(&self, node: Node<'_, '_>, name: &str) -> Result<Option<f64>, SceneError> {
        Ok(self.vector::<1>(node, name)?.map(|[number]| number))
    }

    /// An attribute of one finite number, 0 or more, that must be there.
    pub(crate) fn length(&self, node: Node<'_, '_>, name: &str) -> Result<f64, SceneError> {
        self.required(node, name)?;
        let length = self.number(node, name)?.unwrap_or_default();
        if length < 0.0 {
            let message = format!("`{name}` is {length}");
            return Err(self
                .error(node, Kind::BadValue, message)
                .with_expected("0 or more"));
        }
        Ok(length)
    }
}

/// The first child element of a name.
pub(crate) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The child elements of a name, whatever their namespace.
pub(crate) fn children<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    let name = name.to_owned();
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}
