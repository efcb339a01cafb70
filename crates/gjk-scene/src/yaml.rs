//! YAML text to values, a value a document, and the line of a value.
//! Where it sits: [`crate::document`] reads through [`documents`] and asks [`line_of`] when it reports a fault.
//! Idea: the parser's events are taken as they come, with a bound on depth and without aliases, so that a text never becomes more
//! than a small multiple of itself. A value knows no line: the text is gone through once more when there is a fault.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Tag};

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::value::Value;

/// Deeper values are refused; messages of ROS need a tenth of it.
const DEPTH_MAX: usize = 64;

/// A list or a mapping that is being read.
enum Open {
    List(Vec<Value>),
    Map {
        entries: Vec<(String, Value)>,
        key: Option<String>,
    },
}

/// The documents of a text, without those that are empty.
pub(crate) fn documents(text: &str) -> Result<Vec<Value>, SceneError> {
    let mut builder = YamlBuilder {
        text,
        found: Vec::new(),
        open: Vec::new(),
        root: None,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| not_yaml(text, &error))?;
        builder.event(event, &span.start)?;
    }
    Ok(builder.found)
}

/// The values that events make.
struct YamlBuilder<'t> {
    text: &'t str,
    found: Vec<Value>,
    open: Vec<Open>,
    /// The value of the document that is being read.
    root: Option<Value>,
}

impl YamlBuilder<'_> {
    fn fault(&self, mark: &Marker, message: &str, help: &str) -> SceneError {
        let error = SceneError::new(Kind::Unsupported, message);
        at_mark(error, self.text, mark).with_help(help)
    }

    fn event(&mut self, event: Event<'_>, mark: &Marker) -> Result<(), SceneError> {
        match event {
            Event::Alias(_) => {
                let help = "write the value itself in place of the alias";
                Err(self.fault(mark, "aliases (`*name`) are not followed", help))
            }
            Event::Scalar(word, style, _, tag) => match scalar(&word, style, tag.as_deref()) {
                Some(value) => self.value(value, mark),
                None => Err(self.fault(mark, ODD_TAG, PLAIN_HELP)),
            },
            Event::SequenceStart(_, tag) => {
                self.begin(Open::List(Vec::new()), tag.as_deref(), mark)
            }
            Event::MappingStart(_, tag) => {
                let (entries, key) = (Vec::new(), None);
                self.begin(Open::Map { entries, key }, tag.as_deref(), mark)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(items)) => self.value(Value::Array(items), mark),
                Some(Open::Map { entries, .. }) => self.value(Value::Object(entries), mark),
                None => Ok(()),
            },
            Event::DocumentEnd => {
                let root = self.root.take();
                self.found
                    .extend(root.filter(|value| *value != Value::Null));
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {
                Ok(())
            }
        }
    }

    fn begin(&mut self, open: Open, tag: Option<&Tag>, mark: &Marker) -> Result<(), SceneError> {
        if is_odd(tag) {
            return Err(self.fault(mark, ODD_TAG, PLAIN_HELP));
        }
        if self.open.len() == DEPTH_MAX {
            let help = "write a flat message";
            return Err(self.fault(mark, "the values are nested too deep", help));
        }
        self.open.push(open);
        Ok(())
    }

    fn value(&mut self, value: Value, mark: &Marker) -> Result<(), SceneError> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map { entries, key }) => match key.take() {
                Some(name) => entries.push((name, value)),
                None => match key_name(value) {
                    Some(name) => *key = Some(name),
                    None => {
                        let message = "a key is a list or a mapping";
                        return Err(self.fault(mark, message, "use words as keys"));
                    }
                },
            },
        }
        Ok(())
    }
}

const ODD_TAG: &str = "the value has a tag that is not known";
const PLAIN_HELP: &str = "write the value in plain YAML, without `!…`";

/// The line of the value at a path such as `points[3].positions` in one of the documents, else of the nearest one around it.
pub(crate) fn line_of(text: &str, document: usize, path: &str) -> Option<usize> {
    let mut finder = LineFinder {
        wanted: path,
        ..LineFinder::default()
    };
    let mut at_document = 0;
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        match event {
            Event::DocumentEnd => {
                // Empty documents are not counted, as in `documents`.
                at_document += usize::from(!finder.empty);
                finder.empty = true;
                if at_document > document {
                    break;
                }
            }
            Event::Scalar(word, style, ..) => {
                let is_null = style == ScalarStyle::Plain && is_null(&word);
                finder.empty &= finder.frames.is_empty() && is_null;
                if !finder.node(&word, span.start.line(), at_document == document) {
                    finder.after_value();
                }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                finder.empty = false;
                if finder.frames.len() >= DEPTH_MAX {
                    break;
                }
                finder.node("", span.start.line(), at_document == document);
                finder.open(matches!(event, Event::SequenceStart(..)));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((_, length, _)) = finder.frames.pop() {
                    finder.path.truncate(length);
                }
                finder.after_value();
            }
            _ => {}
        }
    }
    finder.best
}

/// Where [`line_of`] is in the text.
struct LineFinder<'p> {
    wanted: &'p str,
    /// The path of the next value.
    path: String,
    /// Of each open list its next index, the length of its own path, and of a mapping whether a key was read and its value is next.
    frames: Vec<(Option<usize>, usize, Option<()>)>,
    best: Option<usize>,
    empty: bool,
}

impl Default for LineFinder<'_> {
    fn default() -> Self {
        Self {
            wanted: "",
            path: String::new(),
            frames: Vec::new(),
            best: None,
            empty: true,
        }
    }
}

impl LineFinder<'_> {
    /// A value or a key begins on a line; `word` is the key's. True for a key.
    fn node(&mut self, word: &str, line: usize, counts: bool) -> bool {
        let is_key = match self.frames.last_mut() {
            Some((None, length, key @ None)) => {
                self.path.truncate(*length);
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(word);
                *key = Some(());
                true
            }
            // A value is where its key is.
            Some((None, _, Some(()))) => return false,
            _ => false,
        };
        let rest = self.wanted.strip_prefix(self.path.as_str());
        let is_around =
            |rest: &str| self.path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']);
        if counts && rest.is_some_and(is_around) {
            self.best = Some(line);
        }
        is_key
    }

    /// A list or a mapping begins.
    fn open(&mut self, is_list: bool) {
        self.frames
            .push((is_list.then_some(0), self.path.len(), None));
        self.enter_item();
    }

    /// The path of the next item, in a list.
    fn enter_item(&mut self) {
        if let Some((Some(index), length, _)) = self.frames.last() {
            self.path.truncate(*length);
            self.path.push_str(&format!("[{index}]"));
        }
    }

    /// After a value.
    fn after_value(&mut self) {
        if let Some((index, _, key)) = self.frames.last_mut() {
            *key = None;
            if let Some(index) = index {
                *index += 1;
            }
        }
        self.enter_item();
    }
}

fn key_name(value: Value) -> Option<String> {
    match value {
        Value::String(name) => Some(name),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some("null".to_owned()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_odd(tag: Option<&Tag>) -> bool {
    tag.is_some_and(|tag| !tag.is_yaml_core_schema())
}

/// A scalar by YAML's core schema; `None` when its tag is not known.
fn scalar(word: &str, style: ScalarStyle, tag: Option<&Tag>) -> Option<Value> {
    if is_odd(tag) {
        return None;
    }
    let is_text = tag.is_some_and(|tag| tag.suffix == "str");
    if is_text || (style != ScalarStyle::Plain && tag.is_none()) {
        return Some(Value::String(word.to_owned()));
    }
    Some(match word {
        word if is_null(word) => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(word).map_or_else(|| Value::String(word.to_owned()), Value::Number),
    })
}

fn is_null(word: &str) -> bool {
    matches!(word, "" | "~" | "null" | "Null" | "NULL")
}

fn number(word: &str) -> Option<f64> {
    if matches!(word, ".nan" | ".NaN" | ".NAN") {
        return Some(f64::NAN);
    }
    let digits = word.trim_start_matches(['+', '-']);
    if word.len() - digits.len() > 1 {
        return None;
    }
    if matches!(digits, ".inf" | ".Inf" | ".INF") {
        let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
        return Some(sign * f64::INFINITY);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(rest) = word.strip_prefix(prefix) {
            let rest = Some(rest).filter(|rest| !rest.starts_with(['+', '-']))?;
            return u64::from_str_radix(rest, radix).ok().map(|n| n as f64);
        }
    }
    // Rust reads `nan` and `infinity` too, which are words here.
    let begins = digits
        .trim_start_matches('.')
        .starts_with(|c: char| c.is_ascii_digit());
    begins.then(|| word.parse().ok()).flatten()
}

fn not_yaml(text: &str, error: &ScanError) -> SceneError {
    let found = SceneError::new(Kind::Syntax, format!("not YAML: {}", error.info()));
    at_mark(found, text, error.marker())
}

/// Markers count lines from 1 and characters of a line from 0.
fn at_mark(error: SceneError, text: &str, mark: &Marker) -> SceneError {
    let lines = text
        .split_inclusive('\n')
        .take(mark.line().saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    let column: usize = line.chars().take(mark.col()).map(char::len_utf8).sum();
    error.with_span(text, start + column..start + column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_values_and_empty_ones_are_left_out() {
        let text = "---\na: [1, -2.5e3, .5, 0x10, +7]\nb: {c: 'no', d: \"\\u00e9\", e: ~}\n---\n---\n- nan\n- .nan\n- true\n- !!str 5\n---\n";
        let found = documents(text).expect("YAML");
        assert_eq!(found.len(), 2);
        let numbers = [1.0, -2500.0, 0.5, 16.0, 7.0].map(Value::Number);
        assert_eq!(
            found[0],
            Value::Object(vec![
                ("a".to_owned(), Value::Array(numbers.to_vec())),
                (
                    "b".to_owned(),
                    Value::Object(vec![
                        ("c".to_owned(), Value::String("no".to_owned())),
                        ("d".to_owned(), Value::String("é".to_owned())),
                        ("e".to_owned(), Value::Null),
                    ])
                ),
            ])
        );
        let Value::Array(items) = &found[1] else {
            panic!("a list")
        };
        assert_eq!(items[0], Value::String("nan".to_owned()));
        assert!(matches!(items[1], Value::Number(x) if x.is_nan()));
        assert_eq!(items[3], Value::String("5".to_owned()));
    }

    #[test]
    fn a_path_is_found_by_its_line_or_by_what_is_around_it() {
        let text = "a: 1\n---\nb:\n- c: 2\n  d: [3,\n    4]\n-\n  c: 5\n";
        let line = |path| line_of(text, 1, path);
        assert_eq!(line("b"), Some(3));
        assert_eq!(line("b[0].d[1]"), Some(6));
        assert_eq!(line("b[1].c"), Some(8));
        assert_eq!(line("b[1].x.y"), Some(8));
        assert_eq!(line_of(text, 0, "a"), Some(1));
    }

    #[test]
    fn what_could_grow_or_run_is_refused() {
        let deep = "[".repeat(1000);
        let lists = "- ".repeat(1000);
        for (text, expected) in [
            (
                "a: &x 1\nb: *x\n",
                "line 2: aliases (`*name`) are not followed",
            ),
            (
                "a: !degrees 90\n",
                "line 1: the value has a tag that is not known",
            ),
            ("? [a]\n: 1\n", "line 1: a key is a list or a mapping"),
            (deep.as_str(), "line 1: not YAML: recursion limit exceeded"),
            (lists.as_str(), "line 1: the values are nested too deep"),
            ("a: 'open\n", "line 1: not YAML: "),
        ] {
            let error = documents(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
