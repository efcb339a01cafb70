//! `gjk query` on rays: the motion format.

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

/// Every case of the corpus, held to what it expects and to its certificate.
#[test]
fn the_corpus_of_rays_is_answered_as_it_expects() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/motion/rays.jsonl"
    );
    let lines = std::fs::read_to_string(file).unwrap();
    let run = crate::gjk(&["query", "--check", "--verify", "--quiet"], &lines);
    assert_eq!(run.code, 0, "{}", run.err);
}
