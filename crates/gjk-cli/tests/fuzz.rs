//! `gjk fuzz` and `gjk reduce` as their users see them.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

fn gjk(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Runs `gjk fuzz --json` into a folder and returns the rows.
fn rows(folder: &Path, args: &[&str]) -> (i32, Vec<Value>) {
    let out = folder.display().to_string();
    let (code, text, errors) = gjk(&[&["fuzz", "--json", "--out", &out], args].concat());
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{errors}"));
    (code, report["rows"].as_array().unwrap().clone())
}

fn families() -> Vec<String> {
    let (_, list, _) = gjk(&["fuzz", "--list"]);
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_family_is_free_of_faults() {
    let folder = tempfile::tempdir().unwrap();
    let all = families();
    assert!(all.len() > 40, "{all:?}");
    let (code, rows) = rows(folder.path(), &["--cases", "200"]);
    let wrong: Vec<_> = rows.iter().filter(|row| row["faulty"] != 0).collect();
    assert!(code == 0 && wrong.is_empty(), "{wrong:#?}");
    // Every case of a polytope family was judged by an oracle unless it is sampled.
    let boxes = rows
        .iter()
        .find(|row| row["family"] == "aligned-boxes")
        .unwrap();
    assert_eq!(boxes["judged"][0], 200);
    assert!(boxes["judged"][1].as_u64().unwrap() > 0);
}

#[test]
fn cases_do_not_depend_on_threads_or_where_they_start() {
    let folder = tempfile::tempdir().unwrap();
    let counts = |args: &[&str]| {
        let base = [
            "--family",
            "small-lattice,ball-box",
            "--dim",
            "3",
            "--scalar",
            "f64",
        ];
        let (_, rows) = rows(folder.path(), &[&base, args].concat());
        rows.iter()
            .map(|row| row["verdicts"].clone())
            .collect::<Vec<_>>()
    };
    let whole = counts(&["--cases", "3000", "--threads", "1"]);
    assert_eq!(whole, counts(&["--cases", "3000", "--threads", "3"]));
    let parts = [
        counts(&["--cases", "1000"]),
        counts(&["--cases", "2000", "--from", "1000"]),
    ];
    for (k, row) in whole.iter().enumerate() {
        for verdict in 0..4 {
            let sum: u64 = parts
                .iter()
                .map(|part| part[k][verdict].as_u64().unwrap())
                .sum();
            assert_eq!(row[verdict].as_u64().unwrap(), sum);
        }
    }
    assert_ne!(whole, counts(&["--cases", "3000", "--seed", "2"]));
}

#[test]
fn a_family_that_does_not_exist_is_bad_input() {
    let (code, _, errors) = gjk(&["fuzz", "--family", "nonsense"]);
    assert_eq!(code, 2);
    assert!(errors.contains("nonsense"), "{errors}");
}

#[test]
fn a_wrong_expectation_reduces_to_few_points() {
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (
        folder.path().join("case.jsonl"),
        folder.path().join("small.jsonl"),
    );
    let line = r#"{"id":"liar","a":{"shape":"convex","points":[[0.1,0.2,0.3],[1.7,0,0],[0,1.9,0],[0,0,2.3],[1,1,1]]},
        "b":{"shape":"convex","points":[[5.5,0,0],[6,1,0],[6,0,1.25],[7,7,7]],"pose":{"translation":[1,2,3]}},
        "expect":{"verdict":"overlapping"}}"#;
    std::fs::write(&case, line.replace('\n', "")).unwrap();
    let (code, text, errors) = gjk(&[
        "reduce",
        &case.display().to_string(),
        "--out",
        &out.display().to_string(),
    ]);
    assert_eq!(code, 0, "{errors}");
    let reduced: Value = serde_json::from_str(&text).unwrap();
    let points = |body: &str| reduced[body]["points"].as_array().unwrap().len();
    assert_eq!((points("a"), points("b")), (1, 1), "{text}");
    assert_eq!(reduced["expect"]["verdict"][0], "overlapping");
    assert!(
        reduced["note"]
            .as_str()
            .unwrap()
            .contains("reduced from liar"),
        "{text}"
    );
    assert_eq!(std::fs::read_to_string(out).unwrap(), text);
}

#[test]
fn a_line_that_holds_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("case.jsonl");
    let line = r#"{"a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1},"expect":{"verdict":"overlapping"}}"#;
    std::fs::write(&case, line).unwrap();
    let (code, text, errors) = gjk(&["reduce", &case.display().to_string()]);
    assert_eq!((code, text.as_str()), (1, ""), "{errors}");
}

/// Robots, whose answers do not depend on threads.
#[test]
fn robots_are_proved_and_refuted() {
    let run = |args: &[&str]| {
        let base = ["fuzz", "--family", "ranges", "--json", "--cases", "30"];
        let (code, text, errors) = gjk(&[&base[..], args].concat());
        let mut report: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{errors}"));
        report["nanoseconds"] = Value::Null;
        (code, report)
    };
    let (code, report) = run(&["--threads", "2"]);
    assert_eq!((code, &report["wrong"]), (0, &0.into()), "{report}");
    assert!(report["never"].as_u64().unwrap() > 5, "{report}");
    assert_eq!(run(&["--threads", "1"]).1, report);
    assert_ne!(run(&["--seed", "2"]).1, report);
    let (code, _, errors) = gjk(&["fuzz", "--family", "ranges,needles"]);
    assert!(code == 2 && errors.contains("runs alone"), "{errors}");
}
