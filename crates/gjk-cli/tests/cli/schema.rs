//! `gjk schema query` and `gjk schema answer`: every line of the corpus of motions, manifolds and gradients is as the one says, and every answer as the
//! other; no key that the reader refuses is allowed.

use crate::gjk;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const FILES: [&str; 5] = ["casts", "gradients", "manifolds", "rays", "toi"];

/// A checker of the words that these schemas use. A word that it does not know is an error, so that none is passed over.
struct Schema {
    root: Value,
}

/// Words that say nothing about a value.
const REMARKS: [&str; 7] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "format",
    "default",
    "unevaluatedProperties",
];

type Found = Result<BTreeSet<String>, String>;

impl Schema {
    fn of(what: &str) -> Self {
        let root = serde_json::from_str(&gjk(&["schema", what], "").out).unwrap();
        Self { root }
    }

    /// What is wrong with a value.
    fn check(&self, value: &Value) -> Result<(), String> {
        self.held(&self.root, value).map(|_| ())
    }

    /// The keys of the value that the schema knows.
    fn held(&self, schema: &Value, value: &Value) -> Found {
        let words = match schema {
            Value::Bool(true) => return Ok(BTreeSet::new()),
            Value::Object(words) => words,
            _ => return Err(format!("{value} is not allowed")),
        };
        let mut known = BTreeSet::new();
        for (word, meaning) in words {
            known.extend(self.word(word, meaning, words, value)?);
        }
        if words.get("unevaluatedProperties") == Some(&json!(false))
            && let Some(key) = keys(value).find(|key| !known.contains(*key))
        {
            return Err(format!("unknown key {key} in {value}"));
        }
        Ok(known)
    }

    fn word(
        &self,
        word: &str,
        meaning: &Value,
        words: &Map<String, Value>,
        value: &Value,
    ) -> Found {
        let none = BTreeSet::new();
        let fits = |fits: bool| {
            if fits {
                Ok(none.clone())
            } else {
                Err(format!("{value}: {word} {meaning}"))
            }
        };
        let list = || meaning.as_array().unwrap();
        let number = |compare: fn(&f64, &f64) -> bool| {
            value
                .as_f64()
                .is_none_or(|x| compare(&x, &meaning.as_f64().unwrap()))
        };
        let length = |compare: fn(&u64, &u64) -> bool| {
            value
                .as_array()
                .is_none_or(|list| compare(&(list.len() as u64), &meaning.as_u64().unwrap()))
        };
        match word {
            _ if REMARKS.contains(&word) => Ok(none),
            "$ref" => {
                let name = meaning.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                self.held(&self.root["$defs"][name], value)
            }
            "type" => fits(match meaning {
                Value::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
                kind => is(kind, value),
            }),
            "const" => fits(meaning == value),
            "enum" => fits(list().contains(value)),
            "minimum" => fits(number(f64::ge)),
            "maximum" => fits(number(f64::le)),
            "minItems" => fits(length(u64::ge)),
            "maxItems" => fits(length(u64::le)),
            "not" => fits(self.held(meaning, value).is_err()),
            "required" => fits(
                !value.is_object()
                    || list()
                        .iter()
                        .all(|key| value.get(key.as_str().unwrap()).is_some()),
            ),
            "items" => {
                let after = words
                    .get("prefixItems")
                    .map_or(0, |first| first.as_array().unwrap().len());
                let rest = value.as_array().into_iter().flatten().skip(after);
                rest.map(|one| self.held(meaning, one))
                    .try_for_each(|found| found.map(drop))?;
                Ok(none)
            }
            "prefixItems" => {
                let pairs = value.as_array().into_iter().flatten().zip(list());
                pairs
                    .map(|(one, schema)| self.held(schema, one))
                    .try_for_each(|found| found.map(drop))?;
                Ok(none)
            }
            "properties" => self.properties(meaning, value),
            "additionalProperties" => fits(
                meaning != &json!(false)
                    || keys(value).all(|key| words["properties"].get(key).is_some()),
            ),
            "allOf" => list().iter().try_fold(none, |mut all, schema| {
                all.extend(self.held(schema, value)?);
                Ok(all)
            }),
            "anyOf" | "oneOf" => {
                let found: Vec<Found> = list()
                    .iter()
                    .map(|schema| self.held(schema, value))
                    .collect();
                let held = found.iter().flatten().count();
                if held == 0 || (word == "oneOf" && held > 1) {
                    let why: Vec<_> = found.into_iter().filter_map(Result::err).collect();
                    return Err(format!("{held} of {word}: {}", why.join("; ")));
                }
                Ok(found.into_iter().flatten().flatten().collect())
            }
            _ => Err(format!("the test does not know {word}")),
        }
    }

    fn properties(&self, meaning: &Value, value: &Value) -> Found {
        let mut known = BTreeSet::new();
        for key in keys(value) {
            if let Some(schema) = meaning.get(key) {
                self.held(schema, &value[key])
                    .map_err(|why| format!("{key}: {why}"))?;
                known.insert(key.clone());
            }
        }
        Ok(known)
    }
}

fn keys(value: &Value) -> impl Iterator<Item = &String> {
    value.as_object().into_iter().flat_map(Map::keys)
}

fn is(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    }
}

fn lines(file: &str) -> Vec<Value> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../corpus/motion/{file}.jsonl"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_line_of_the_corpus_and_every_answer_is_as_its_schema_says() {
    let (query, answer) = (Schema::of("query"), Schema::of("answer"));
    for file in FILES {
        let mut asked = String::new();
        for mut line in lines(file) {
            assert_eq!(query.check(&line), Ok(()), "{line}");
            if ["ray", "cast", "toi"]
                .iter()
                .any(|kind| line["query"] == *kind)
            {
                line["options"]["certificate"] = json!(true);
                line["options"]["trace"] = json!(true);
                assert_eq!(query.check(&line), Ok(()), "{line}");
            }
            asked.push_str(&format!("{line}\n"));
        }
        asked.push_str("{\"query\":\"cast\"}\n");
        let answers = gjk(&["query", "--verify", "-"], &asked).out;
        assert_eq!(answers.lines().count(), asked.lines().count());
        for text in answers.lines() {
            let found: Value = serde_json::from_str(text).unwrap();
            assert_eq!(answer.check(&found), Ok(()), "{text}");
        }
    }
}

#[test]
fn the_hits_of_the_corpus_are_as_their_schema_says() {
    let schema = Schema::of("hits");
    let mut asked: String = ["rays", "casts", "toi"]
        .into_iter()
        .flat_map(lines)
        .map(|line| format!("{line}\n"))
        .collect();
    asked.push_str("{\"query\":\"cast\"}\n");
    let run = gjk(&["hits", "--verify"], &asked);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("; 0 objections"), "{}", run.err);
    let mut answered = 0;
    for text in run.out.lines() {
        let found: Value = serde_json::from_str(text).unwrap();
        assert_eq!(schema.check(&found), Ok(()), "{text}");
        answered += found["answered"].as_u64().unwrap_or(0);
    }
    assert_eq!(answered, asked.lines().count() as u64 - 1);
}

/// Each object of a line, with a key that no reader knows.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(entries) => {
            let mut here = value.clone();
            here["unknown_key"] = json!(1);
            found.push(here);
            for (key, part) in entries {
                found.extend(spoiled(part).into_iter().map(|part| {
                    let mut whole = value.clone();
                    whole[key] = part;
                    whole
                }));
            }
        }
        Value::Array(parts) => {
            for (k, part) in parts.iter().enumerate() {
                found.extend(spoiled(part).into_iter().map(|part| {
                    let mut whole = value.clone();
                    whole[k] = part;
                    whole
                }));
            }
        }
        _ => {}
    }
    found
}

#[test]
fn a_key_that_the_reader_refuses_is_refused_by_the_schema() {
    let query = Schema::of("query");
    for file in FILES {
        for line in lines(file).iter().take(25) {
            for wrong in spoiled(line) {
                assert!(query.check(&wrong).is_err(), "{wrong}");
                let read = gjk_scene::read_line(wrong.to_string().as_bytes(), 1).unwrap();
                assert!(read.query.is_err(), "{wrong}");
            }
        }
    }
    let body = json!({"shape": "ball", "radius": 1});
    let turning = json!({"shape": "ball", "radius": 1, "motion": {"angular": [0, 0, 1]}});
    let cast =
        |b: &Value, options: Value| json!({"query": "cast", "a": body, "b": b, "options": options});
    for wrong in [
        cast(&turning, json!({})),
        cast(&body, json!({"pieces_max": 3})),
        json!({"query": "ray", "a": body, "b": body}),
        json!({"query": "manifold", "a": turning, "b": body}),
        json!({"query": "tea", "a": body, "b": body}),
    ] {
        assert!(query.check(&wrong).is_err(), "{wrong}");
        let read = gjk_scene::read_line(wrong.to_string().as_bytes(), 1).unwrap();
        assert!(read.query.is_err(), "{wrong}");
    }
}
