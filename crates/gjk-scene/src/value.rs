//! A file's values with their places: the tree that JSON and TOML are read into, and a reader that names the path of every fault.
//! Where it sits: [`crate::query`] and [`crate::scene_file`] read through [`Object`]; nothing of it is public.
//! Idea: serde's `deny_unknown_fields` does not work beside `flatten` (a body is a shape's keys beside a pose), and serde's
//! messages know no path. So a file becomes a [`Value`] first; an [`Object`] hands out its keys once each, and [`Object::finish`]
//! names the ones that nobody asked for. A path is a chain on the stack, printed only when there is an error.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{QueryError, QueryErrorKind as Kind};

/// A JSON or TOML value; objects keep the order of their keys and keys that stand twice.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// What it is, for "expected … but found …".
    pub(crate) fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    // An integer beyond 2^53 becomes the nearest double, as every number of the format does.
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Object(entries))
    }
}

/// A place in a file: a chain of keys and indices, printed as `a.points[3][0]`.
#[derive(Clone, Copy)]
pub(crate) struct At<'p> {
    parent: Option<&'p At<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl At<'_> {
    /// The file or the line as a whole.
    pub(crate) const ROOT: At<'static> = At {
        parent: None,
        step: Step::Root,
    };

    pub(crate) fn key<'c>(&'c self, key: &'c str) -> At<'c> {
        At {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    pub(crate) fn index(&self, index: usize) -> At<'_> {
        At {
            parent: Some(self),
            step: Step::Index(index),
        }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else {
            return Ok(());
        };
        parent.fmt(f)?;
        match self.step {
            Step::Root => Ok(()),
            Step::Key(key) if parent.parent.is_none() => f.write_str(key),
            Step::Key(key) => write!(f, ".{key}"),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// The keys of an object that nobody has taken yet.
pub(crate) struct Object<'p> {
    entries: Vec<Option<(String, Value)>>,
    at: &'p At<'p>,
    asked: Vec<&'static str>,
}

impl<'p> Object<'p> {
    /// Opens an object; a key that stands twice is an error, since JSON readers differ on which one counts.
    pub(crate) fn open(value: Value, at: &'p At<'p>) -> Result<Self, QueryError> {
        let Value::Object(entries) = value else {
            return Err(wrong_type(&value, at, "an object"));
        };
        let mut seen = HashSet::new();
        for (key, _) in &entries {
            if !seen.insert(key.as_str()) {
                return Err(QueryError::new(
                    Kind::DuplicateKey,
                    at.key(key),
                    format!("the key `{key}` stands twice"),
                ));
            }
        }
        Ok(Self {
            entries: entries.into_iter().map(Some).collect(),
            at,
            asked: Vec::new(),
        })
    }

    /// The object's own place.
    pub(crate) fn at(&self) -> &'p At<'p> {
        self.at
    }

    /// Takes a key's value; `null` counts as absent.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.asked.push(key);
        let entry = self
            .entries
            .iter_mut()
            .find(|entry| entry.as_ref().is_some_and(|(name, _)| name == key))?;
        entry
            .take()
            .map(|(_, value)| value)
            .filter(|value| *value != Value::Null)
    }

    /// True when the key is there and was not taken.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries
            .iter()
            .flatten()
            .any(|(name, value)| name == key && *value != Value::Null)
    }

    /// Takes a key and reads it, when it is there.
    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(Value, &At<'_>) -> Result<T, QueryError>,
    ) -> Result<Option<T>, QueryError> {
        let at = self.at.key(key);
        self.take(key).map(|value| read(value, &at)).transpose()
    }

    /// Takes a key and reads it; its absence is an error.
    pub(crate) fn required<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(Value, &At<'_>) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        let at = self.at;
        self.optional(key, read)?.ok_or_else(|| {
            QueryError::new(
                Kind::MissingKey,
                at.key(key),
                format!("the key `{key}` is missing"),
            )
        })
    }

    /// The keys that nobody has taken, for readers that warn of them.
    pub(crate) fn left(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().flatten().map(|(key, _)| key.as_str())
    }

    /// Closes the object: a key that was never asked for is an error that lists the right ones.
    pub(crate) fn finish(self) -> Result<(), QueryError> {
        let Some((key, _)) = self
            .entries
            .iter()
            .flatten()
            .find(|(key, _)| !self.asked.contains(&key.as_str()))
        else {
            return Ok(());
        };
        let message = format!(
            "unknown key `{key}`; the keys here are {}",
            self.asked.join(", ")
        );
        Err(QueryError::new(Kind::UnknownKey, self.at.key(key), message))
    }
}

pub(crate) fn wrong_type(value: &Value, at: &At<'_>, expected: &str) -> QueryError {
    QueryError::new(
        Kind::WrongType,
        at,
        format!("expected {expected}, found {}", value.kind_name()),
    )
}

pub(crate) fn string(value: Value, at: &At<'_>) -> Result<String, QueryError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong_type(&other, at, "a string")),
    }
}

pub(crate) fn boolean(value: Value, at: &At<'_>) -> Result<bool, QueryError> {
    match value {
        Value::Bool(flag) => Ok(flag),
        other => Err(wrong_type(&other, at, "true or false")),
    }
}

pub(crate) fn array(value: Value, at: &At<'_>) -> Result<Vec<Value>, QueryError> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(wrong_type(&other, at, "an array")),
    }
}

/// A finite number.
pub(crate) fn number(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    match value {
        Value::Number(number) if number.is_finite() => Ok(number),
        Value::Number(number) => Err(QueryError::new(
            Kind::OutOfRange,
            at,
            format!("{number} is not finite"),
        )),
        other => Err(wrong_type(&other, at, "a number")),
    }
}

/// A finite number that is not negative.
pub(crate) fn length(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    let number = number(value, at)?;
    if number < 0.0 {
        return Err(QueryError::new(
            Kind::OutOfRange,
            at,
            format!("{number} is negative, expected 0 or more"),
        ));
    }
    Ok(number)
}

/// A vector of `dim` entries that `entry` reads.
pub(crate) fn vector(
    value: Value,
    at: &At<'_>,
    dim: usize,
    entry: impl Fn(Value, &At<'_>) -> Result<f64, QueryError>,
) -> Result<Vec<f64>, QueryError> {
    let items = array(value, at)?;
    if items.len() != dim {
        let message = format!("expected {dim} numbers, found {}", items.len());
        return Err(QueryError::new(Kind::Dimension, at, message));
    }
    items
        .into_iter()
        .enumerate()
        .map(|(i, item)| entry(item, &at.index(i)))
        .collect()
}

/// A list of anything.
pub(crate) fn list<T>(
    value: Value,
    at: &At<'_>,
    mut read: impl FnMut(Value, &At<'_>) -> Result<T, QueryError>,
) -> Result<Vec<T>, QueryError> {
    array(value, at)?
        .into_iter()
        .enumerate()
        .map(|(i, item)| read(item, &at.index(i)))
        .collect()
}

/// One of a few words.
pub(crate) fn word<T: Copy>(
    value: Value,
    at: &At<'_>,
    words: &[(&str, T)],
) -> Result<T, QueryError> {
    let text = string(value, at)?;
    let found = words
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, meaning)| *meaning);
    found.ok_or_else(|| {
        let names: Vec<_> = words.iter().map(|(name, _)| format!("`{name}`")).collect();
        QueryError::new(
            Kind::BadValue,
            at,
            format!("`{text}` is not one of {}", names.join(", ")),
        )
    })
}
