//! JSON text to values, and what is wrong with a text that is none.
//! Where it sits: query lines go through [`parse`]; scene files and glTF report through [`fault`].
//! Idea: serde_json knows line and column of a fault but not the path; [`path_at`] reads the text up to there once more to name
//! it.

use crate::error::{QueryError, QueryErrorKind as Kind, SceneError, SceneErrorKind};
use crate::value::Value;

/// JSON bytes to values.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, QueryError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        QueryError::new(
            Kind::Json,
            "",
            format!("byte {} is not UTF-8", error.valid_up_to() + 1),
        )
    })?;
    serde_json::from_str(text).map_err(|error| {
        let (kind, message) = fault(text, &error);
        QueryError::new(kind, path_at(text, offset(text, &error)), message)
    })
}

/// The text of a JSON file to values, with the place of a fault.
pub(crate) fn read_value(text: &str) -> Result<Value, SceneError> {
    serde_json::from_str(text).map_err(|error| {
        let offset = offset(text, &error);
        let (_, message) = fault(text, &error);
        SceneError::new(SceneErrorKind::Syntax, message).with_span(text, offset..offset + 1)
    })
}

/// The byte offset of a fault.
pub(crate) fn offset(text: &str, error: &serde_json::Error) -> usize {
    let line_start: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    line_start + error.column().saturating_sub(1)
}

/// What is wrong with a JSON text; the two plain mistakes with numbers are told apart from the rest.
pub(crate) fn fault(text: &str, error: &serde_json::Error) -> (Kind, String) {
    let (line, column) = (error.line(), error.column());
    let place = if line > 1 {
        format!("line {line}, column {column}")
    } else {
        format!("column {column}")
    };
    let message = error.to_string();
    // serde_json tells this one only by its words; should they change, the fault is still reported, as plain bad JSON.
    if message.starts_with("number out of range") {
        return (
            Kind::OutOfRange,
            format!("the number that ends at {place} is beyond the largest double"),
        );
    }
    let found = text
        .get(offset(text, error)..)
        .unwrap_or_default()
        .trim_start_matches('-');
    if ["NaN", "nan", "Infinity", "Inf", "inf"]
        .iter()
        .any(|word| found.starts_with(word))
    {
        return (
            Kind::Json,
            format!("JSON has no NaN and no Infinity ({place}); numbers must be finite"),
        );
    }
    (Kind::Json, format!("not JSON: {message}"))
}

/// Where the reader of a text is: an object after a key, or an array at an index.
enum Frame<'t> {
    Object { key: Option<&'t str> },
    Array { index: usize },
}

/// The path of the value at a byte offset; the text before it is well-formed.
fn path_at(text: &str, offset: usize) -> String {
    let bytes = text.as_bytes();
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut at = 0;
    while at < offset.min(bytes.len()) {
        match bytes[at] {
            b'{' => frames.push(Frame::Object { key: None }),
            b'[' => frames.push(Frame::Array { index: 0 }),
            b'}' | b']' => drop(frames.pop()),
            b',' => match frames.last_mut() {
                Some(Frame::Object { key }) => *key = None,
                Some(Frame::Array { index }) => *index += 1,
                None => {}
            },
            b'"' => {
                let end = string_end(bytes, at + 1);
                if let Some(Frame::Object { key: key @ None }) = frames.last_mut() {
                    *key = text.get(at + 1..end);
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for frame in &frames {
        match frame {
            Frame::Object { key: Some(key) } if path.is_empty() => path.push_str(key),
            Frame::Object { key: Some(key) } => path.push_str(&format!(".{key}")),
            Frame::Object { key: None } => {}
            Frame::Array { index } => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

/// The offset of the quotation mark that closes a string.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_named_by_its_path() {
        let text = r#"{"x\"{":[[1,2],{"a":[3]}],"b":{"points":[[0,1],[2,NaN]]}}"#;
        let error = parse(text.as_bytes()).expect_err("NaN");
        assert_eq!(error.at, "b.points[1][1]");
    }
}
