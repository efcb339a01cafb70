//! `gjk query`.

mod check;
mod errors;
mod motion;

use crate::gjk;
use serde_json::{Value, json};

/// The answers to these lines.
fn answers(args: &[&str], lines: &str) -> (i32, Vec<Value>) {
    let mut all = vec!["query"];
    all.extend(args);
    let run = gjk(&all, lines);
    (
        run.code,
        run.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn answer(line: &str) -> Value {
    let (code, mut answers) = answers(&[], line);
    assert_eq!((code, answers.len()), (0, 1), "{answers:?}");
    answers.remove(0)
}

fn bounds(answer: &Value) -> (f64, f64) {
    let end = |name: &str| answer["signed_distance"][name].as_f64().unwrap();
    (end("lower"), end("upper"))
}

#[test]
fn the_formats_own_example_is_answered_as_it_says() {
    let found = answer(
        r#"{"id":"plate-on-plate","dim":3,"scalar":"f64","query":"contact","a":{"shape":"box","half_extents":[1,1,0.01]},"b":{"shape":"convex","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"pose":{"translation":[0,0,0.01],"rotation":[0,0,0,1]}},"options":{"tolerance_relative":1e-9,"iterations_max":64,"certificate":true,"trace":false}}"#,
    );
    assert_eq!(found["id"], "plate-on-plate");
    assert_eq!(
        (&found["verdict"], &found["exact"], &found["stop"]),
        (&"touching".into(), &true.into(), &"exact".into())
    );
    assert_eq!(bounds(&found), (0.0, 0.0));
    assert_eq!(found["normal"], json!([0.0, 0.0, 1.0]));
    let certificate = &found["certificate"];
    assert_eq!(
        (&certificate["kind"], &certificate["direction"]),
        (&"touching".into(), &json!([0, 0, 1]))
    );
    assert_eq!(
        certificate["pairs"].as_array().unwrap().len(),
        certificate["weights"].as_array().unwrap().len()
    );
    assert!(found.get("trace").is_none());
}

#[test]
fn keys_stand_in_the_formats_order() {
    let line = r#"{"a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1,"pose":{"translation":[3,0,0]}},"options":{"certificate":true,"trace":true}}"#;
    let out = gjk(&["query"], line).out;
    let keys = [
        "id",
        "verdict",
        "exact",
        "signed_distance",
        "normal",
        "point_a",
        "point_b",
        "iterations",
        "stop",
        "certificate",
        "trace",
    ];
    let places: Vec<_> = keys
        .iter()
        .map(|key| {
            out.find(&format!("\"{key}\":"))
                .unwrap_or_else(|| panic!("{key}: {out}"))
        })
        .collect();
    assert!(places.is_sorted(), "{out}");
}

#[test]
fn both_dimensions_and_both_scalars_answer() {
    for scalar in ["f32", "f64"] {
        for (dim, shift, normal) in [
            (2, "[3,0]", json!([1.0, 0.0])),
            (3, "[3,0,0]", json!([1.0, 0.0, 0.0])),
        ] {
            let line = format!(
                r#"{{"dim":{dim},"scalar":"{scalar}","a":{{"shape":"ball","radius":1}},"b":{{"shape":"ball","radius":0.5,"pose":{{"translation":{shift}}}}}}}"#
            );
            let found = answer(&line);
            let (lower, upper) = bounds(&found);
            assert!(
                lower <= 1.5 && 1.5 <= upper && upper - lower < 1e-4,
                "{found}"
            );
            assert_eq!(
                (&found["verdict"], &found["normal"]),
                (&"separated".into(), &normal)
            );
        }
    }
}

#[test]
fn f32_numbers_are_printed_as_the_doubles_they_are() {
    let found = answer(
        r#"{"scalar":"f32","a":{"shape":"ball","radius":0.1},"b":{"shape":"point","point":[0.7,0.3,0.2]},"options":{"trace":true}}"#,
    );
    let mut numbers = vec![
        &found["signed_distance"]["lower"],
        &found["signed_distance"]["upper"],
    ];
    numbers.extend(found["normal"].as_array().unwrap());
    numbers.extend(found["point_a"].as_array().unwrap());
    numbers.extend(found["trace"][0]["support"]["w"].as_array().unwrap());
    for number in numbers {
        let x = number.as_f64().unwrap();
        assert_eq!(f64::from(x as f32), x, "{number} is no f32");
    }
    // The nearest f32 of 0.7 is not the nearest f64.
    assert_eq!(found["point_b"][0].as_f64(), Some(f64::from(0.7f32)));
}

#[test]
fn intersects_prints_no_geometry() {
    let line = r#"{"query":"intersects","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"box","half_extents":[1,1,1],"pose":{"translation":[2,0,0]}},"options":{"certificate":true}}"#;
    let found = answer(line);
    assert_eq!(
        (&found["verdict"], &found["exact"]),
        (&"touching".into(), &true.into())
    );
    for key in ["signed_distance", "normal", "point_a", "point_b"] {
        assert!(found.get(key).is_none(), "{key}");
    }
}

#[test]
fn distance_penetration_and_contact_give_the_signed_distance_of_either_sign() {
    for query in ["distance", "penetration", "contact"] {
        for (x, sign) in [("1.5", -1.0), ("2.5", 1.0)] {
            let line = format!(
                r#"{{"query":"{query}","a":{{"shape":"box","half_extents":[1,1,1]}},"b":{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":[{x},0,0]}}}}}}"#
            );
            let (lower, upper) = bounds(&answer(&line));
            assert!(
                lower * sign > 0.0
                    && upper * sign > 0.0
                    && lower <= 0.5 * sign
                    && 0.5 * sign <= upper,
                "{query} {x}"
            );
        }
    }
}

#[test]
fn certificates_name_the_inputs_own_points() {
    // The first point is inside the hull, so the library's ids are one less than the input's.
    let line = r#"{"dim":2,"a":{"shape":"convex","points":[[0,0],[-2,-1],[2,-1],[0,3]]},"b":{"shape":"point","point":[2,-1]},"options":{"certificate":true}}"#;
    let found = answer(line);
    assert_eq!(found["verdict"], "touching");
    assert_eq!(found["certificate"]["pairs"], json!([[2, 0]]));
}

#[test]
fn a_pose_scales_then_rotates_then_moves() {
    // The unit box, 3 long along its own x, turned by a quarter about z, 10 along x: it ends at x = 9 and y = 3.
    let line = |pose: &str| {
        format!(
            r#"{{"a":{{"shape":"box","half_extents":[1,1,1],"pose":{{"scale":[3,1,1],"translation":[10,0,0],{pose}}}}},"b":{{"shape":"point","point":[10,5,0]}}}}"#
        )
    };
    for pose in [
        r#""rotation":[0,0,0.7071,0.7071]"#,
        r#""rotation_matrix":[[0,-1,0],[1,0,0],[0,0,1]]"#,
    ] {
        let (lower, upper) = bounds(&answer(&line(pose)));
        assert!(lower <= 2.0 && 2.0 <= upper, "{pose}: {lower} {upper}");
    }
}

#[test]
fn degrees_are_an_option_and_exact_at_quarter_turns() {
    let line = r#"{"dim":2,"a":{"shape":"box","half_extents":[2,1],"pose":{"rotation":90}},"b":{"shape":"box","half_extents":[1,1],"pose":{"translation":[2,0]}}}"#;
    let (_, found) = answers(&["--degrees"], line);
    assert_eq!(
        (&found[0]["verdict"], &found[0]["exact"]),
        (&"touching".into(), &true.into())
    );
}

#[test]
fn files_are_answered_in_order_and_a_missing_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, id: &str| {
        let path = folder.path().join(name);
        let line = format!(
            r#"{{"id":"{id}","a":{{"shape":"ball","radius":1}},"b":{{"shape":"ball","radius":1}}}}"#
        );
        std::fs::write(&path, line).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (one, two) = (file("one.jsonl", "first"), file("two.jsonl", "second"));
    let run = gjk(
        &["query", &two, "/no/such/file", "-", &one],
        r#"{"id":"stdin"}"#,
    );
    assert_eq!(run.code, 2);
    let ids: Vec<String> = run
        .out
        .lines()
        .map(|line| line[7..].split('"').next().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["second", "stdin", "first"]);
    assert!(run.err.contains("/no/such/file"), "{}", run.err);
}

#[test]
fn the_iteration_limit_is_told_and_its_wide_interval_still_holds_the_truth() {
    let line = |options: &str| {
        format!(
            r#"{{"a":{{"shape":"ellipsoid","radii":[1,2,3]}},"b":{{"shape":"ellipsoid","radii":[3,2,1],"pose":{{"translation":[0.1,0.2,0.3]}}}},"options":{options}}}"#
        )
    };
    let (early, full) = (
        answer(&line(r#"{"iterations_max":1}"#)),
        answer(&line("{}")),
    );
    assert_eq!(
        (&early["stop"], &early["exact"]),
        (&"iteration_limit".into(), &false.into()),
        "{early}"
    );
    let ((low, high), (lower, upper)) = (bounds(&early), bounds(&full));
    assert!(
        low <= lower && upper <= high && upper - lower < high - low,
        "{early} {full}"
    );
}

#[test]
fn a_loose_relative_tolerance_ends_the_work_sooner() {
    let line = |options: &str| {
        format!(
            r#"{{"a":{{"shape":"ellipsoid","radii":[1,2,3]}},"b":{{"shape":"ellipsoid","radii":[3,2,1],"pose":{{"translation":[5,6,7]}}}},"options":{options}}}"#
        )
    };
    let (loose, tight) = (
        answer(&line(r#"{"tolerance_relative":0.1}"#)),
        answer(&line("{}")),
    );
    assert!(
        loose["iterations"].as_u64() < tight["iterations"].as_u64(),
        "{loose} {tight}"
    );
    let ((low, high), (lower, upper)) = (bounds(&loose), bounds(&tight));
    assert!(
        low <= upper && lower <= high && high - low > upper - lower,
        "{loose} {tight}"
    );
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.jsonl");
    let line =
        "{\"a\":{\"shape\":\"ball\",\"radius\":1},\"b\":{\"shape\":\"ball\",\"radius\":1}}\n";
    std::fs::write(&path, line.repeat(20_000)).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("gjk"))
        .arg("query")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0u8; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}
