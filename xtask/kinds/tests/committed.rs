//! The library answers as committed: a difference names the kind, space, scalar, profile and way.
//!
//! This is the host's part; `cargo xtask hashes` does the same for other processors.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

use kinds::{Table, differences, rows};
use std::fs;
use std::path::Path;

#[test]
fn the_librarys_answers_are_the_committed_ones() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let committed = fs::read_to_string(corpus.join("kinds.hashes.txt")).unwrap();
    let table = rows(&kinds::corpus(&corpus).unwrap(), Table::default()).unwrap();
    let differences = differences(&table.text(), &committed);
    assert!(
        differences.is_empty(),
        "{} rows differ:\n{}\nif the answers were meant to change: cargo xtask hashes --bless",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn a_changed_a_new_and_a_missing_row_are_named() {
    let table = |word: u64, name: &str| {
        let mut table = Table::default();
        table.add("box 3d f64 fast single", &[vec![1]]);
        table.add(name, &[vec![word]]);
        table.text()
    };
    let (ball, point) = ("ball 3d f64 fast single", "point 3d f64 fast single");
    assert_eq!(differences(&table(2, ball), &table(2, ball)), [""; 0]);
    let changed = differences(&table(3, ball), &table(2, ball));
    assert!(changed.len() == 1 && changed[0].starts_with("ball 3d f64 fast single: 1 "));
    let renamed = differences(&table(2, point), &table(2, ball));
    assert!(renamed[0].contains("point") && renamed[0].contains("committed: nothing"));
    assert!(renamed[1].contains("ball 3d f64 fast single: nothing, committed: 1 "));
}
