//! `gjk query`.

use crate::{gjk, root};
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
fn bad_lines_are_answered_in_their_place_and_the_rest_go_on() {
    let good = r#"{"id":"good","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}"#;
    let (code, found) = answers(
        &[],
        &format!("\n{good}\nnonsense\n{{\"id\":\"bad\"}}\n{good}\r\n\n"),
    );
    assert_eq!(code, 2);
    let ids: Vec<_> = found
        .iter()
        .map(|answer| answer["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["good", "3", "bad", "good"]);
    assert_eq!(found[1]["error"]["kind"], "json");
    assert_eq!(
        (&found[2]["error"]["kind"], &found[2]["error"]["at"]),
        (&"missing_key".into(), &"a".into())
    );
}

#[test]
fn every_kind_of_error_names_its_place() {
    let ball = r#""b":{"shape":"ball","radius":1}"#;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        (deep.as_str(), "json", "[0][0]"),
        (r#"{"a":1"#, "json", "a"),
        (
            r#"{"a":{"shape":"ball","radius":1,"colour":2},"#,
            "unknown_key",
            "a.colour",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1},"tolerance":2,"#,
            "unknown_key",
            "tolerance",
        ),
        (
            r#"{"dim":3,"dim":3,"a":{"shape":"ball","radius":1},"#,
            "duplicate_key",
            "dim",
        ),
        (r#"{"a":{"shape":"ball"},"#, "missing_key", "a.radius"),
        (
            r#"{"a":{"shape":"capsule","half_height":1,"radius":1},"#,
            "missing_key",
            "a.axis",
        ),
        (
            r#"{"a":{"shape":"ball","radius":"1"},"#,
            "wrong_type",
            "a.radius",
        ),
        (
            r#"{"a":{"shape":"ball","radius":-1},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1e999},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1e39},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"convex","points":[[0,0,0],[1,-1e39,0]]},"#,
            "out_of_range",
            "a.points[1][1]",
        ),
        (
            r#"{"a":{"shape":"cube","radius":1},"#,
            "bad_value",
            "a.shape",
        ),
        (
            r#"{"query":"ray","a":{"shape":"ball","radius":1},"#,
            "bad_value",
            "query",
        ),
        (
            r#"{"a":{"shape":"point","point":[1,2]},"#,
            "dimension",
            "a.point",
        ),
        (
            r#"{"dim":2,"a":{"shape":"cone","half_height":1,"radius":1,"axis":"x"},"#,
            "dimension",
            "a.shape",
        ),
        (
            r#"{"dim":2,"a":{"shape":"capsule","half_height":1,"radius":1,"axis":"z"},"#,
            "dimension",
            "a.axis",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1,"pose":{"scale":[1,0,1]}},"#,
            "out_of_range",
            "a.pose.scale[1]",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1,"pose":{"rotation":[0,0,0,2]}},"#,
            "out_of_range",
            "a.pose.rotation",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1,"pose":{"scale":[1,1e-60,1]}},"#,
            "singular",
            "a.pose.scale",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1,"pose":{"rotation_matrix":[[1,1,0],[1,1.00000000001,0],[0,0,1]]}},"#,
            "singular",
            "a.pose.rotation_matrix",
        ),
        (
            r#"{"a":{"shape":"ellipsoid","radii":[1,0,1]},"#,
            "out_of_range",
            "a.radii[1]",
        ),
        (
            r#"{"a":{"shape":"rounded","radius":1,"core":{"shape":"convex","points":[]}},"#,
            "bad_value",
            "a.core.points",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1},"options":{"iterations_max":0},"#,
            "out_of_range",
            "options.iterations_max",
        ),
    ];
    for (start, kind, at) in cases {
        let line = if start.starts_with('[') || start.ends_with('1') {
            start.to_owned()
        } else {
            format!("{start}{ball}}}")
        };
        let (code, found) = answers(&[], &line);
        let shown = &line[..line.len().min(120)];
        assert_eq!((code, found.len()), (2, 1), "{shown}");
        let error = &found[0]["error"];
        assert_eq!(error["kind"], kind, "{shown}: {error}");
        // Beyond the reader's depth the place is only begun.
        let place = error["at"].as_str().unwrap();
        assert!(
            place == at || line.starts_with('[') && place.starts_with(at),
            "{shown}: {error}"
        );
        assert!(!error["message"].as_str().unwrap().is_empty(), "{shown}");
    }
}

#[test]
fn a_short_line_cannot_ask_for_more_memory_than_there_is() {
    let cube = r#"{"shape":"box","half_extents":[1,1,1]}"#;
    let sum = (0..11).fold(cube.to_owned(), |sum, _| {
        format!(r#"{{"shape":"sum","of":[{cube},{sum}]}}"#)
    });
    let line = format!(
        r#"{{"a":{{"shape":"hull_of","of":[{sum}]}},"b":{{"shape":"point","point":[12,0,0]}}}}"#
    );
    let (code, found) = answers(&[], &line);
    assert_eq!(
        (code, &found[0]["error"]["kind"], &found[0]["error"]["at"]),
        (2, &"too_large".into(), &"a".into())
    );
}

#[test]
fn check_holds_answers_against_expectations() {
    let line = |expect: &str| {
        // Diagonally apart, the distance is no float and its interval has a width.
        let place = if expect.contains("1.414") {
            "[3,3,0]"
        } else {
            "[3,0,0]"
        };
        format!(
            r#"{{"id":"pair","a":{{"shape":"box","half_extents":[1,1,1]}},"b":{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":{place}}}}},"expect":{expect}}}"#
        )
    };
    let cases = [
        (
            r#"{"verdict":"separated","signed_distance":1,"tolerance":1e-9,"normal":[1,0,0]}"#,
            None,
        ),
        (
            r#"{"verdict":["touching","separated"],"normal":[[0,1,0],[1,0,0]]}"#,
            None,
        ),
        (r#"{"signed_distance":1}"#, None),
        (
            r#"{"verdict":"touching"}"#,
            Some("expected verdict touching, got separated"),
        ),
        (
            r#"{"signed_distance":2,"tolerance":0.5}"#,
            Some("which misses it"),
        ),
        (r#"{"signed_distance":1,"tolerance":0}"#, None),
        (
            r#"{"signed_distance":1.4142135623730951,"tolerance":0}"#,
            Some("which holds it but is wider"),
        ),
        (
            r#"{"normal":[0,1,0]}"#,
            Some("expected normal [0.0, 1.0, 0.0]"),
        ),
    ];
    for (expect, failure) in cases {
        let run = gjk(&["query", "--check"], &line(expect));
        assert_eq!(
            run.code,
            i32::from(failure.is_some()),
            "{expect}: {}",
            run.err
        );
        assert_eq!(run.out.lines().count(), 1);
        match failure {
            Some(words) => {
                assert!(
                    run.err.contains("standard input:1: pair: ") && run.err.contains(words),
                    "{}",
                    run.err
                )
            }
            None => assert_eq!(
                run.err,
                "1 line, 1 with expectations: 0 failed, 0 could not be read\n"
            ),
        }
        let quiet = gjk(&["query", "--check", "--quiet"], &line(expect));
        assert_eq!(
            (quiet.code, quiet.out.as_str(), &quiet.err),
            (run.code, "", &run.err)
        );
        // Without --check an expectation is only read.
        assert_eq!(gjk(&["query"], &line(expect)).code, 0);
    }
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

#[test]
fn the_corpus_meets_every_expectation() {
    let corpus = root().join("corpus");
    let mut files: Vec<_> = [corpus.clone(), corpus.join("regress")]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.map(|entry| entry.unwrap().path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    assert!(files.len() > 5, "the corpus is not where it should be");
    for file in files {
        let run = gjk(&["query", "--check", "--quiet", file.to_str().unwrap()], "");
        assert!(run.code == 0, "{}: {}", file.display(), run.err);
    }
}

#[test]
fn verify_says_what_is_proved_and_sums_it_up() {
    let box_at = |x: &str, query: &str| {
        format!(
            r#"{{"query":"{query}","a":{{"shape":"box","half_extents":[1,1,1]}},"b":{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":[{x},0,0]}}}}}}"#
        )
    };
    let smooth = r#"{"a":{"shape":"cone","half_height":1,"radius":1,"axis":"z"},"b":{"shape":"ball","radius":1,"pose":{"translation":[3,0,0]}}}"#;
    let lines = [
        box_at("2", "contact"),
        box_at("3", "distance"),
        box_at("1.5", "intersects"),
        smooth.to_owned(),
    ];
    let run = gjk(&["query", "--verify"], &lines.join("\n"));
    assert_eq!(run.code, 0, "{}", run.err);
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        answers[0]["verified"],
        json!({"verdict": true, "lower": true, "upper": true})
    );
    assert_eq!(answers[1]["verified"]["verdict"], true);
    // No interval was asked for, so none is proved.
    assert_eq!(
        answers[2]["verified"],
        json!({"verdict": true, "lower": false, "upper": false})
    );
    assert_eq!(
        answers[3]["verified"],
        json!({"verdict": false, "lower": false, "upper": false})
    );
    assert!(
        answers
            .iter()
            .all(|answer| answer.get("objection").is_none())
    );
    assert!(
        run.err.contains("4 answers: 3 verdicts verified, ") && run.err.contains("; 0 objections"),
        "{}",
        run.err
    );
    // Without the flag the checker does not run.
    assert!(answer(&box_at("2", "contact")).get("verified").is_none());
}

#[test]
fn no_answer_of_the_corpus_meets_an_objection() {
    let mut files: Vec<_> = std::fs::read_dir(root().join("corpus"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let mut args = vec!["query", "--verify", "--quiet"];
    args.extend(files.iter().map(|path| path.to_str().unwrap()));
    let run = gjk(&args, "");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("; 0 objections"), "{}", run.err);
}

/// Without a certificate boxes are answered by their axes, with one maybe by the loops: the verdict and the truth are the same.
#[test]
fn an_answer_without_a_certificate_has_the_verdict_of_the_one_with() {
    let line = |query: &str, shift: &str, options: &str| {
        format!(
            r#"{{"query":"{query}","a":{{"shape":"box","half_extents":[1,2,3]}},"b":{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":{shift},"rotation":[0,0.6,0,0.8]}}}},"options":{options}}}"#
        )
    };
    for query in ["intersects", "distance", "penetration", "contact"] {
        for shift in ["[2.5,0.25,0.5]", "[4,0.25,0.5]", "[0,0,0]", "[1,3,1]"] {
            let plain = answer(&line(query, shift, "{}"));
            let stated = answer(&line(query, shift, r#"{"certificate":true}"#));
            assert!(
                plain.get("certificate").is_none() && stated.get("certificate").is_some(),
                "{plain} {stated}"
            );
            assert_eq!(
                (&plain["verdict"], &plain["exact"]),
                (&stated["verdict"], &stated["exact"])
            );
            if query != "intersects" {
                let ((low, high), (lower, upper)) = (bounds(&plain), bounds(&stated));
                assert!(
                    low <= upper && lower <= high && high - low <= 1e-11,
                    "{plain} {stated}"
                );
            }
            // The checker needs the certificate, whether it is printed or not.
            let (code, verified) = answers(&["--verify"], &line(query, shift, "{}"));
            assert_eq!(
                (code, &verified[0]["verified"]["verdict"]),
                (0, &true.into()),
                "{verified:?}"
            );
        }
    }
}
