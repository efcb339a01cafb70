//! The same bits everywhere: the command's answers to the corpus hash to what is committed.
//!
//! This is the host's part; `cargo xtask hashes` does the same for other processors.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

#[path = "../../../../xtask/kinds/src/files.rs"]
mod files;
mod record;

use assert_cmd::Command;
use gjk_scene::{AnyLine, ScalarKind, read_line};
use record::Record;
use std::fs;
use std::path::Path;

/// The scalar of each line that has an answer; a line that cannot be read counts as the default, `f64`.
fn scalars(lines: &[u8]) -> Vec<&'static str> {
    let read = |(line, number)| read_line(line, number);
    let name = |line: AnyLine| match line.query {
        Ok(query) if query.space().1 == ScalarKind::F32 => "f32",
        _ => "f64",
    };
    lines
        .split_inclusive(|&byte| byte == b'\n')
        .zip(1..)
        .filter_map(read)
        .map(name)
        .collect()
}

#[test]
fn the_commands_answers_to_the_corpus_are_the_committed_ones() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut record = Record::default();
    for file in files::files(&corpus).unwrap() {
        let path = corpus.join(&file);
        let run = Command::cargo_bin("gjk")
            .unwrap()
            .arg("query")
            .arg(&path)
            .output()
            .unwrap();
        let (answers, scalars) = (
            String::from_utf8(run.stdout).unwrap(),
            scalars(&fs::read(&path).unwrap()),
        );
        assert_eq!(answers.lines().count(), scalars.len(), "{file}");
        for (answer, scalar) in answers.lines().zip(scalars) {
            record.add(&file, scalar, answer);
        }
    }
    let committed = fs::read_to_string(corpus.join("hashes.txt")).unwrap();
    if let Some(difference) = record.first_difference(&committed) {
        panic!("{difference}\nif the answers were meant to change: cargo xtask hashes --bless");
    }
}

#[test]
fn the_hash_is_fnv_1a() {
    let mut record = Record::default();
    record.add("x.jsonl", "f32", "foobar");
    // The published hash of "foobar", and one step more for the line end.
    let expected = (0x8594_4171_f739_67e8u64 ^ 0x0a).wrapping_mul(0x0100_0000_01b3);
    assert_eq!(
        (record.total("f32").hash, record.total("f32").answers),
        (expected, 1)
    );
    assert_eq!(record.total("f64").answers, 0);
}

#[test]
fn a_changed_answer_names_its_file_and_not_only_the_sum() {
    let record = |last: &str| {
        let mut record = Record::default();
        record.add("a.jsonl", "f32", "1");
        record.add("b.jsonl", "f32", last);
        record
    };
    let committed = record("2").text();
    assert_eq!(record("2").first_difference(&committed), None);
    assert!(
        record("3")
            .first_difference(&committed)
            .unwrap()
            .starts_with("corpus/b.jsonl f32: 1 ")
    );
    let fewer = Record::default().first_difference(&committed).unwrap();
    assert!(
        fewer.starts_with("corpus/a.jsonl f32: nothing, committed: 1 "),
        "{fewer}"
    );
}
