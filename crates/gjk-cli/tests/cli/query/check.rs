//! Answers held against expectations by `--check`, and against their certificates by `--verify`, over the corpus too.

use super::{answer, answers, bounds};
use crate::{gjk, root};
use serde_json::{Value, json};

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
