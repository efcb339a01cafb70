//! `gjk hits`: lines of one ray or body against many, in the order of time.

use super::gjk;
use serde_json::{Value, json};

const RAY: &str = r#""ray":{"origin":[0,0,0],"direction":[1,0,0]}"#;

/// A unit cube in the way of a ray.
fn ray(id: &str, at: [f64; 3], ray: &str, options: &str) -> String {
    format!(
        r#"{{"id":"{id}","query":"ray","a":{{"shape":"box","half_extents":[1,1,1],"pose":{{"translation":{at:?}}}}},{ray},"options":{options}}}"#
    ) + "\n"
}

/// Two unit cubes, of which B is cast along an axis from `at`.
fn cast(id: &str, kind: &str, at: f64, velocity: f64) -> String {
    let cube = r#""shape":"box","half_extents":[1,1,1]"#;
    format!(
        r#"{{"id":"{id}","query":"{kind}","a":{{{cube},"pose":{{"translation":[{at},0,0]}}}},"b":{{{cube},"motion":{{"velocity":[{velocity},0,0]}}}}}}"#
    ) + "\n"
}

fn answers(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ids(hits: &Value) -> Vec<&str> {
    let hits = hits.as_array().unwrap();
    hits.iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

#[test]
fn lines_of_one_ray_are_answered_in_the_order_of_time() {
    let other = r#""ray":{"origin":[0,0,0],"direction":[-1,0,0]}"#;
    let input = [
        ray("far", [9.0, 0.0, 0.0], RAY, "{}"),
        ray("near", [3.0, 0.5, 0.0], RAY, r#"{"certificate":true}"#),
        ray("behind", [-5.0, 0.0, 0.0], other, "{}"),
        ray("missed", [3.0, 5.0, 0.0], RAY, "{}"),
        ray("beside", [3.0, 0.0, 0.5], RAY, "{}"),
    ];
    let run = gjk(&["hits", "--verify"], &input.concat());
    assert_eq!((run.code, run.out.lines().count()), (0, 2), "{}", run.err);
    let found = answers(&run.out);
    assert_eq!(
        (&found[0]["id"], &found[0]["query"], &found[0]["answered"]),
        (&json!("far"), &json!("ray"), &json!(4))
    );
    assert_eq!(found[0]["first"], json!(["near", "beside"]));
    assert_eq!(ids(&found[0]["hits"]), ["near", "beside", "far"]);
    assert_eq!(ids(&found[1]["hits"]), ["behind"]);
    // Each is the answer of `gjk query`.
    let single = gjk(&["query", "--verify"], &input.concat());
    let near = answers(&single.out);
    assert_eq!(found[0]["hits"][0], near[1]);
    assert!(
        run.err.contains("5 answers: 5 verdicts verified"),
        "{}",
        run.err
    );
}

#[test]
fn the_first_alone_end_the_search_for_the_others() {
    let input = [
        ray("near", [3.0, 0.5, 0.0], RAY, "{}"),
        ray("far", [9.0, 0.0, 0.0], RAY, "{}"),
        ray("beside", [3.0, 0.0, 0.5], RAY, r#"{"max_time":7}"#),
    ];
    let run = gjk(&["hits", "--first", "--verify"], &input.concat());
    let found = answers(&run.out);
    assert_eq!(
        (run.code, ids(&found[0]["hits"])),
        (0, vec!["near", "beside"])
    );
    assert_eq!(
        (&found[0]["first"], &found[0]["answered"]),
        (&json!(["near", "beside"]), &json!(3))
    );
    let inside = [
        ray("around", [0.5, 0.0, 0.0], RAY, "{}"),
        ray("near", [3.0, 0.5, 0.0], RAY, "{}"),
    ];
    let found = answers(&gjk(&["hits", "--first"], &inside.concat()).out);
    assert_eq!(ids(&found[0]["hits"]), ["around"]);
}

#[test]
fn casts_and_impacts_are_of_one_body_which_may_be_either() {
    let input: String = [
        cast("x", "cast", 9.0, 1.0),
        cast("y", "cast", 5.0, 1.0),
        cast("z", "cast", 5.0, 2.0),
        cast("t", "toi", 5.0, 4.0),
        cast("u", "toi", 4.0, 4.0),
    ]
    .concat();
    let found = answers(&gjk(&["hits"], &input).out);
    let found: Vec<_> = found.iter().map(|of| ids(&of["hits"])).collect();
    assert_eq!(found, [vec!["y", "x"], vec!["z"], vec!["u", "t"]]);
    let found = answers(&gjk(&["hits", "--one", "a"], &input).out);
    let found: Vec<_> = found.iter().map(|of| ids(&of["hits"])).collect();
    assert_eq!(found, [vec!["x"], vec!["z", "y"], vec!["t"], vec!["u"]]);
}

#[test]
fn a_line_that_is_wrong_is_told_and_the_rest_is_answered() {
    let ball = r#"{"id":"bad","query":"ray","a":{"shape":"convex","points":[]},"#;
    let input = [
        ray("near", [3.0, 0.0, 0.0], RAY, "{}"),
        r#"{"id":"pair","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}"#.into(),
        "\nno json\n".into(),
        format!("{ball}{RAY}}}\n"),
        ray("late", [5.0, 0.0, 0.0], RAY, "{}"),
    ];
    let run = gjk(&["hits"], &input.concat());
    let found = answers(&run.out);
    assert_eq!((run.code, found.len()), (2, 4), "{}", run.out);
    assert_eq!(
        found[0]["error"],
        json!({"kind":"bad_value","at":"query","message":"hits have an order in time: give lines whose query is ray, cast or toi, and the others to `gjk query`"})
    );
    assert_eq!(found[1]["id"], "3");
    assert_eq!(
        (&found[2]["id"], &found[2]["error"]["at"]),
        (&json!("bad"), &json!("a.points"))
    );
    assert_eq!(ids(&found[3]["hits"]), ["near", "late"]);
    let none = gjk(&["hits", "no-such-file.jsonl"], "");
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert!(none.err.contains("no-such-file.jsonl"), "{}", none.err);
    assert_eq!(gjk(&["hits", "--one", "c"], "").code, 2);
    assert_eq!(gjk(&["hits"], "").out, "");
}

#[test]
fn angles_may_be_in_degrees_and_numbers_in_single_precision() {
    let line = |rotation: &str| {
        format!(
            r#"{{"dim":2,"scalar":"f32","query":"ray","a":{{"shape":"box","half_extents":[2,0.5],"pose":{{"translation":[4,0],"rotation":{rotation}}}}},"ray":{{"origin":[0,0],"direction":[1,0]}}}}"#
        ) + "\n"
    };
    let run = gjk(&["hits", "--degrees"], &(line("0") + &line("90")));
    let found = answers(&run.out);
    assert_eq!(
        (ids(&found[0]["hits"]), &found[0]["first"]),
        (vec!["1", "2"], &json!(["1"]))
    );
    assert_eq!(
        found[0]["hits"][1]["time"],
        json!({"lower":3.5,"upper":3.5})
    );
}
