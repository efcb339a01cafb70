//! `gjk query` on rays and casts: the motion format.

use super::{answer, answers};
use serde_json::json;

const BOX: &str = r#""a":{"shape":"box","half_extents":[1,1,1]}"#;

fn line(ray: &str, options: &str) -> String {
    format!(r#"{{"id":"r","query":"ray",{BOX},"ray":{ray},"options":{options}}}"#)
}

#[test]
fn a_ray_is_answered_as_the_format_says() {
    let found = answer(&line(
        r#"{"origin":[-3,0,0],"direction":[6,0,0]}"#,
        r#"{"max_time":1,"certificate":true}"#,
    ));
    assert_eq!(
        (&found["verdict"], &found["exact"], &found["stop"]),
        (&"hits".into(), &true.into(), &"facet".into())
    );
    let end = |name: &str| found["time"][name].as_f64().unwrap();
    // The float below a third, and the one above it.
    let below: f64 = 1.0 / 3.0;
    assert_eq!([end("lower"), end("upper")], [below, below.next_up()]);
    assert_eq!(found["normal"], json!([-1.0, 0.0, 0.0]));
    assert_eq!(found["features"], json!({"a":[0, 4, 6, 2], "b":[0]}));
    assert_eq!(found["certificate"]["time"], "1/3");
    assert_eq!(found["certificate"]["direction"], json!([-1, 0, 0]));
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    for absent in ["grazing", "signed_distance", "verified"] {
        assert!(!keys.iter().any(|key| *key == absent), "{keys:?}");
    }
}

#[test]
fn a_graze_a_miss_and_a_start_have_their_own_words() {
    let graze = answer(&line(r#"{"origin":[-3,1,0],"direction":[1,0,0]}"#, "{}"));
    assert_eq!(
        (&graze["verdict"], &graze["grazing"]),
        (&"hits".into(), &true.into())
    );
    let free = answer(&line(
        r#"{"origin":[-3,1.0000000000000002,0],"direction":[1,0,0]}"#,
        r#"{"certificate":true}"#,
    ));
    assert_eq!((&free["verdict"], free.get("time")), (&"free".into(), None));
    assert_eq!(free["certificate"]["kind"], "free");
    let inside = answer(&line(r#"{"origin":[0.5,0,0],"direction":[1,0,0]}"#, "{}"));
    assert_eq!(inside["verdict"], "starts_overlapping");
    assert_eq!(
        inside["signed_distance"],
        json!({"lower":-0.5,"upper":-0.5})
    );
    let exit = answer(&line(
        r#"{"origin":[0.5,0,0],"direction":[1,0,0]}"#,
        r#"{"start":"exit","certificate":true}"#,
    ));
    assert_eq!(
        (&exit["verdict"], &exit["time"]),
        (&"exits".into(), &json!({"lower":0.5,"upper":0.5}))
    );
    assert_eq!(
        (
            &exit["certificate"]["kind"],
            &exit["certificate"]["start"]["kind"]
        ),
        (&"exits".into(), &"overlapping".into())
    );
}

#[test]
fn a_ray_is_checked_by_its_certificate() {
    let ray = r#"{"origin":[-3,0.5,0],"direction":[1,0,0]}"#;
    let (code, found) = answers(&["--verify"], &line(ray, r#"{"distance":0.25}"#));
    assert_eq!(code, 0);
    assert_eq!(
        found[0]["verified"],
        json!({"verdict":true,"lower":true,"upper":true})
    );
}

#[test]
fn a_bad_ray_is_an_error_in_its_place() {
    let cases = [
        (
            line(r#"{"origin":[0,0],"direction":[1,0,0]}"#, "{}"),
            "dimension",
            "ray.origin",
        ),
        (
            line(r#"{"origin":[0,0,0]}"#, "{}"),
            "missing_key",
            "ray.direction",
        ),
        (
            line(
                r#"{"origin":[0,0,0],"direction":[1,0,0]}"#,
                r#"{"max_time":-1}"#,
            ),
            "out_of_range",
            "options.max_time",
        ),
        (
            line(
                r#"{"origin":[0,0,0],"direction":[1,0,0]}"#,
                r#"{"distance":-1}"#,
            ),
            "out_of_range",
            "options.distance",
        ),
        (
            line(
                r#"{"origin":[0,0,0],"direction":[1,0,0]}"#,
                r#"{"start":"later"}"#,
            ),
            "bad_value",
            "options.start",
        ),
        (
            line(
                r#"{"origin":[0,0,0],"direction":[1,0,0]}"#,
                r#"{"iterations_max":9}"#,
            ),
            "unknown_key",
            "options.iterations_max",
        ),
        (format!(r#"{{"query":"ray",{BOX}}}"#), "missing_key", "ray"),
    ];
    for (line, kind, at) in cases {
        let (code, found) = answers(&[], &line);
        assert_eq!(code, 2, "{line}");
        assert_eq!(
            (&found[0]["error"]["kind"], &found[0]["error"]["at"]),
            (&kind.into(), &at.into()),
            "{line}"
        );
    }
}

fn cast(of_a: &str, b: &str, options: &str) -> String {
    format!(
        r#"{{"id":"c","query":"cast","a":{{"shape":"box","half_extents":[1,1,1]{of_a}}},"b":{b},"options":{options}}}"#
    )
}

fn cube(x: f64, y: f64, motion: &str) -> String {
    format!(
        r#"{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":[{x},{y},0]}}{motion}}}"#
    )
}

#[test]
fn a_cast_is_answered_as_the_format_says() {
    let b = cube(5.0, 0.5, r#","motion":{"velocity":[-4,0,1]}"#);
    let line = cast(
        r#","motion":{"velocity":[2,0,1]}"#,
        &b,
        r#"{"certificate":true}"#,
    );
    let (code, found) = answers(&["--verify"], &line);
    let found = &found[0];
    assert_eq!(code, 0, "{found}");
    assert_eq!(
        (&found["verdict"], &found["exact"], &found["stop"]),
        (&"hits".into(), &true.into(), &"facet".into())
    );
    assert_eq!(found["time"], json!({"lower":0.5,"upper":0.5}));
    assert_eq!(found["normal"], json!([1.0, 0.0, 0.0]));
    assert_eq!(found["point_a"][0], 2.0);
    assert_eq!(
        found["features"],
        json!({"a":[1, 3, 7, 5], "b":[0, 4, 6, 2]})
    );
    assert_eq!(found["certificate"]["kind"], "hits");
    assert_eq!(found["certificate"]["time"], 0.5);
    assert_eq!(
        found["verified"],
        json!({"verdict":true,"lower":true,"upper":true})
    );
}

#[test]
fn only_one_body_may_move_or_none() {
    let moving = r#","motion":{"velocity":[3,0,0]}"#;
    let verdict = |of_a: &str, of_b: &str, options: &str| {
        answer(&cast(of_a, &cube(5.0, 0.0, of_b), options))["verdict"].clone()
    };
    assert_eq!(verdict(moving, "", "{}"), "hits");
    assert_eq!(verdict("", moving, "{}"), "free");
    assert_eq!(verdict(moving, moving, "{}"), "free");
    assert_eq!(verdict("", "", "{}"), "free");
    assert_eq!(verdict("", "", r#"{"distance":3}"#), "starts_touching");
    assert_eq!(verdict(moving, "", r#"{"max_time":0.5}"#), "free");
}

#[test]
fn a_bad_cast_is_an_error_in_its_place() {
    let b = |motion: &str| cube(5.0, 0.0, motion);
    let cases = [
        (
            cast("", &b(r#","motion":{"velocity":[1,0]}"#), "{}"),
            "dimension",
            "b.motion.velocity",
        ),
        (
            cast("", &b(r#","motion":{}"#), "{}"),
            "missing_key",
            "b.motion.velocity",
        ),
        (
            cast(
                "",
                &b(r#","motion":{"velocity":[1,0,0],"angular":[0,0,1]}"#),
                "{}",
            ),
            "unknown_key",
            "b.motion.angular",
        ),
        (
            cast("", &b(r#","velocity":[1,0,0]"#), "{}"),
            "unknown_key",
            "b.velocity",
        ),
        (
            cast("", &b(""), r#"{"tolerance_relative":1}"#),
            "unknown_key",
            "options.tolerance_relative",
        ),
        (format!(r#"{{"query":"cast",{BOX}}}"#), "missing_key", "b"),
        (
            format!(
                r#"{{{BOX},"b":{}}}"#,
                b(r#","motion":{"velocity":[1,0,0]}"#)
            ),
            "unknown_key",
            "b.motion",
        ),
        (
            format!(r#"{{"query":"cast",{BOX},"b":{},"ray":{{}}}}"#, b("")),
            "unknown_key",
            "ray",
        ),
    ];
    for (line, kind, at) in cases {
        let (code, found) = answers(&[], &line);
        assert_eq!(code, 2, "{line}");
        assert_eq!(
            (&found[0]["error"]["kind"], &found[0]["error"]["at"]),
            (&kind.into(), &at.into()),
            "{line}"
        );
    }
}

/// Every case of the corpus, held to what it expects and to its certificate.
#[test]
fn the_corpus_of_motions_is_answered_as_it_expects() {
    for name in ["rays", "casts", "toi", "gradients"] {
        let file = format!(
            "{}/../../corpus/motion/{name}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let lines = std::fs::read_to_string(file).unwrap();
        let run = crate::gjk(&["query", "--check", "--verify", "--quiet"], &lines);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
    }
}
