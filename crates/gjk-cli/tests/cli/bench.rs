//! `gjk bench`: the structure of its reports, never a time.

use crate::gjk;
use serde_json::{Value, json};

/// Two rows of boxes that a batch takes, one that it does not, and pairs of the other dimension and scalar.
const LINES: &str = r#"{"id":"apart","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"box","half_extents":[1,1,1],"pose":{"translation":[3,0,0]}}}
{"id":"in","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"box","half_extents":[1,1,1],"pose":{"translation":[1,0.25,0],"rotation":[0.1,0.2,0.3,0.9273618495495703]}}}

{"id":"proved","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"box","half_extents":[1,1,1],"pose":{"translation":[2,0,0]}},"options":{"certificate":true}}
{"id":"yes-no","query":"intersects","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"ball","radius":1}}
{"id":"no-yes","query":"intersects","a":{"shape":"ball","radius":1},"b":{"shape":"box","half_extents":[1,1,1]}}
{"id":"far","dim":2,"scalar":"f32","query":"distance","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1,"pose":{"translation":[3,0]}}}
{"id":"deep","query":"penetration","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1,"pose":{"translation":[1,0,0]}}}
"#;

fn report(args: &[&str], lines: &str) -> (i32, Value, String) {
    let mut all = vec!["bench", "-", "--rounds", "2", "--json"];
    all.extend(args);
    let run = gjk(&all, lines);
    (
        run.code,
        serde_json::from_str(&run.out).unwrap_or(Value::Null),
        run.err,
    )
}

/// `dim scalar query a–b queries batched` of each row, and the verdicts that occur.
fn rows(report: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let word = |key: &str| row[key].as_str().unwrap().to_owned();
        let shapes = row["shapes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s.as_str().unwrap())
            .collect::<Vec<_>>()
            .join("–");
        let verdicts = row["verdicts"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, count)| **count != 0);
        let verdicts: Vec<String> = verdicts
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let batch = if row["batch"].is_null() {
            "single"
        } else {
            "batched"
        };
        let (scalar, query, verdicts) = (word("scalar"), word("query"), verdicts.join(" "));
        format!(
            "{}D {scalar} {query} {shapes} {} {batch}: {verdicts}",
            row["dim"], row["queries"]
        )
    };
    report["rows"].as_array().unwrap().iter().map(row).collect()
}

/// Positive, and the least is not above the median.
fn are_times(times: &Value) -> bool {
    let [min, median] = ["min", "median"].map(|key| times[key].as_f64().unwrap());
    0.0 < min && min <= median && median < 1e12
}

#[test]
fn a_row_is_a_kind_of_query_on_a_pair_of_shapes() {
    let (code, report, err) = report(&[], LINES);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        rows(&report),
        [
            "2D f32 distance ball–ball 1 batched: 1 separated",
            "3D f64 intersects ball–box 2 batched: 2 overlapping",
            "3D f64 contact ball–ball 1 batched: 1 overlapping",
            "3D f64 contact box–box 2 batched: 1 overlapping 1 separated",
            "3D f64 contact box–box 1 single: 1 touching",
        ]
    );
    for row in report["rows"].as_array().unwrap() {
        assert!(
            are_times(&row["single"]) && (row["batch"].is_null() || are_times(&row["batch"])),
            "{row}"
        );
    }
    // Boxes and balls go through lanes in space; in the plane balls do not.
    let wide: Vec<&Value> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["wide"])
        .collect();
    assert_eq!(
        wide,
        [&json!(0), &json!(2), &json!(1), &json!(2), &json!(0)]
    );
}

#[test]
fn the_total_is_of_all_queries_and_what_batches_take_is_summed_beside_it() {
    let (_, whole, _) = report(&[], LINES);
    let (total, batchable) = (&whole["total"], &whole["batchable"]);
    assert_eq!(
        (&total["queries"], &batchable["queries"]),
        (&json!(7), &json!(6))
    );
    assert!(
        are_times(&total["single"]) && total["batch"].is_null(),
        "one line cannot be batched: {total}"
    );
    assert!(
        are_times(&batchable["single"]) && are_times(&batchable["batch"]),
        "{batchable}"
    );
    assert_eq!(
        total["verdicts"],
        json!({"separated": 2, "touching": 1, "overlapping": 4, "undecided": 0})
    );
    assert_eq!(batchable["wide"], 5);
    let all_fit: String = LINES
        .lines()
        .filter(|line| !line.contains("certificate"))
        .map(|l| l.to_owned() + "\n")
        .collect();
    let (_, whole, _) = report(&[], &all_fit);
    assert!(
        whole["batchable"].is_null() && are_times(&whole["total"]["batch"]),
        "{whole}"
    );
}

#[test]
fn the_report_says_how_it_was_measured() {
    let (_, one, _) = report(&[], LINES);
    assert_eq!(
        (&one["schema"], &one["lines"], &one["rounds"]),
        (&"gjk-bench/1".into(), &7.into(), &2.into())
    );
    assert_eq!(
        (&one["files"], &one["threads"]),
        (&json!(["standard input"]), &1.into())
    );
    assert!(one["cores"].as_u64().unwrap() >= 1);
    let (_, two, _) = report(&["--threads", "2"], LINES);
    assert_eq!(
        (&two["threads"], &two["clock"]),
        (&2.into(), &"wall".into())
    );
    assert_eq!(rows(&one), rows(&two), "answers do not depend on threads");
    let table = gjk(&["bench", "-", "--rounds", "2"], LINES);
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    for part in [
        "7 lines; 2 rounds, batches on 1 thread",
        " core",
        "box–box",
        "of them in batches",
        "no batch: ",
    ] {
        assert!(table.out.contains(part), "{part}: {}", table.out);
    }
}

#[test]
fn bad_lines_are_named_and_the_rest_is_measured() {
    let lines = format!(
        "{}{}",
        LINES.lines().next().unwrap(),
        r#"
{"id":"negative","a":{"shape":"ball","radius":-1},"b":{"shape":"ball","radius":1}}
nonsense
{"id":"huge","scalar":"f32","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1,"pose":{"translation":[1e39,0,0]}}}
{"id":"flat","dim":2,"a":{"shape":"cone","half_height":1,"radius":1,"axis":"y"},"b":{"shape":"ball","radius":1}}
"#
    );
    let (code, report, err) = report(&[], &lines);
    assert_eq!(
        (code, rows(&report)),
        (
            2,
            vec!["3D f64 contact box–box 1 batched: 1 separated".to_owned()]
        )
    );
    // The same kinds and places as `gjk query` gives.
    let answers = gjk(&["query"], &lines).out;
    let refused: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|answer| answer.get("error").is_some())
        .collect();
    let failed = report["failed"].as_array().unwrap();
    assert_eq!((failed.len(), refused.len()), (4, 4), "{report}");
    for ((failed, refused), line) in failed.iter().zip(&refused).zip(2..) {
        assert_eq!(
            (&failed["line"], &failed["id"]),
            (&json!(line), &refused["id"])
        );
        for key in ["kind", "at", "message"] {
            assert_eq!(failed[key], refused["error"][key], "{key}");
        }
    }
    assert!(
        err.contains("error: standard input:2: negative: a.radius: -1 is negative"),
        "{err}"
    );
    assert_eq!(err.lines().count(), 4, "{err}");
}

#[test]
fn nothing_to_measure_is_bad_input() {
    for lines in ["", "\n", "{}\n"] {
        let run = gjk(&["bench", "-"], lines);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
        assert!(
            run.err.contains("there is no query to measure"),
            "{}",
            run.err
        );
    }
    let run = gjk(&["bench", "no-such-file.jsonl"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no-such-file.jsonl: "), "{}", run.err);
    for bad in [
        &["bench"][..],
        &["bench", "-", "--rounds", "0"],
        &["bench", "-", "--threads", "0"],
    ] {
        assert_eq!(gjk(bad, LINES).code, 2, "{bad:?}");
    }
}

#[test]
fn degrees_are_read_as_by_query() {
    let line = r#"{"dim":2,"query":"distance","a":{"shape":"box","half_extents":[1,3]},"b":{"shape":"point","point":[2,0]},"options":{}}"#;
    let turned = line.replace(r#"[1,3]}"#, r#"[1,3],"pose":{"rotation":90}}"#);
    let verdicts = |args: &[&str], line: &str| report(args, line).1["total"]["verdicts"].clone();
    assert_eq!(verdicts(&["--degrees"], line)["separated"], 1);
    assert_eq!(verdicts(&["--degrees"], &turned)["overlapping"], 1);
}

#[test]
fn the_published_schema_names_what_the_report_has() {
    let (_, report, _) = report(&[], LINES);
    let schema: Value = serde_json::from_str(&gjk(&["schema", "bench"], "").out).unwrap();
    for key in report.as_object().unwrap().keys() {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    for (definition, value) in [("Row", &report["rows"][0]), ("Total", &report["total"])] {
        for key in value.as_object().unwrap().keys() {
            assert!(
                schema["$defs"][definition]["properties"].get(key).is_some(),
                "{definition}.{key}"
            );
        }
    }
}
