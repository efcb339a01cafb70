//! Pairs of meshes in the lab: the list's relations, what moving a body does, and what is wrong with a request.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk_lab::{Environment, respond};
use serde_json::{Value, json};

const ENVIRONMENT: Environment<'_> = Environment {
    clock: || 0.0,
    robot: None,
    meshes: None,
};

fn ask(request: &Value) -> Value {
    serde_json::from_str(&respond(&request.to_string(), &ENVIRONMENT)).unwrap()
}

fn scene(id: &str) -> Value {
    let scenes = ask(&json!({"ask": "scenes"}))["meshes"].clone();
    let found = scenes.as_array().unwrap().iter().find(|x| x["id"] == id);
    found.unwrap_or_else(|| panic!("{id}"))["query"].clone()
}

fn asked(query: &Value, edits: Value) -> Value {
    let told = ask(&json!({"ask": "meshes", "query": query, "edits": edits}));
    assert!(told.get("error").is_none(), "{}", told["error"]);
    told
}

fn stages(told: &Value) -> Vec<&str> {
    let frames = told["frames"].as_array().unwrap();
    frames
        .iter()
        .map(|x| x["stage"].as_str().unwrap())
        .collect()
}

/// By construction of the examples: see `mesh_pair/examples.rs`. And what each is there to show.
#[test]
fn each_pair_of_the_list_shows_its_reason() {
    for (id, relation, stage, words) in [
        ("ring-pole", "separated", "boxes", "share no point"),
        (
            "boxes-flush",
            "touching",
            "cones",
            "at none of the 8 points",
        ),
        (
            "walls-aligned",
            "overlapping",
            "cones",
            "no edge passes through a face",
        ),
        ("spike-box", "touching", "cones", "at the one point"),
        (
            "ball-inside",
            "contains",
            "shells",
            "a point of it is inside of A",
        ),
        ("ball-cavity", "separated", "shells", "no shell is inside"),
        ("cube-cavity", "touching", "cones", "at none of the"),
        (
            "sheets-crossing",
            "crossing",
            "triangles",
            "an edge of one passes",
        ),
    ] {
        let told = asked(&scene(id), json!([]));
        assert_eq!(told["answer"]["relation"], relation, "{id}");
        let sentence = told["answer"]["sentence"].as_str().unwrap();
        assert!(sentence.contains(words), "{id}: {sentence}");
        assert!(stages(&told).contains(&stage), "{id}: {:?}", stages(&told));
        assert_eq!(stages(&told).last(), Some(&"answer"), "{id}");
        assert!(told["answer"]["exact"].as_bool().unwrap(), "{id}");
    }
}

/// Of two boxes of side 2: what sets of numbers say.
#[test]
fn a_moved_body_is_asked_where_it_is() {
    let query = scene("boxes-flush");
    for (x, relation) in [
        (2.0 + f64::EPSILON * 2.0, "separated"),
        (2.0, "touching"),
        (2.0 - f64::EPSILON, "overlapping"),
    ] {
        let told = asked(
            &query,
            json!([{"edit": "place", "body": "b", "axis": 0, "to": x}]),
        );
        assert_eq!(told["answer"]["relation"], relation, "{x}");
        assert_eq!(
            told["query"]["b"]["pose"]["translation"],
            json!([x, 0.5, 0.25])
        );
    }
    // Exchanged bodies are the other way around.
    let told = asked(&scene("ball-inside"), json!([{"edit": "swap"}]));
    assert_eq!(told["answer"]["relation"], "inside");
    // The answer's query is one that gives the same answer.
    let again = asked(&told["query"], json!([]));
    assert_eq!(
        (&again["answer"], &again["query"]),
        (&told["answer"], &told["query"])
    );
}

/// The walls share 5 cm: at their first contact a direction goes into both, and dots say so; the overlap's own directions are drawn.
#[test]
fn cones_are_drawn_where_they_decide() {
    let told = asked(&scene("walls-aligned"), json!([]));
    let frames = told["frames"].as_array().unwrap();
    let cone = frames.iter().find(|x| x["stage"] == "cones").unwrap();
    let of = |layer: &str| -> Vec<Value> {
        let items = cone["items"].as_array().unwrap().iter();
        items.filter(|x| x["layer"] == layer).cloned().collect()
    };
    assert!(!of("cone_a").is_empty() && !of("cone_b").is_empty());
    // A ends at x = 2 and B begins at 1.95: on A's edge at B's corner both lie towards +x, and inwards of both.
    let both = of("cone_both")[0]["points"].clone();
    for direction in both.as_array().unwrap() {
        assert!(direction[0].as_f64().unwrap() > 0.0, "{direction}");
    }
    let common = &of("common")[1];
    assert_eq!(common["space"], "directions");
}

#[test]
fn models_come_where_they_are_asked_for() {
    let query = scene("ring-pole");
    assert!(asked(&query, json!([])).get("models").is_none());
    let told = ask(&json!({"ask": "meshes", "query": query, "models": true}));
    let models = told["models"].as_array().unwrap();
    assert_eq!(models[0]["faces"].as_array().map(Vec::len), Some(768));
    assert_eq!(
        (models.len(), told["places"].as_array().map(Vec::len)),
        (2, Some(2))
    );
}

#[test]
fn what_is_wrong_is_told() {
    let cube = json!({"mesh": {"example": "cube"}});
    let of = |b: Value, edits: Value| {
        ask(&json!({"ask": "meshes", "query": {"a": cube, "b": b}, "edits": edits}))["error"]
            .clone()
    };
    for (b, edits, kind, at) in [
        (
            json!({"mesh": {"example": "tea"}}),
            json!([]),
            "bad_request",
            "b.mesh",
        ),
        (
            json!({"mesh": {"file": 1}}),
            json!([]),
            "bad_request",
            "b.mesh",
        ),
        (
            json!({"mesh": {"name": "x.obj", "base64": "djAK"}}),
            json!([]),
            "bad_mesh",
            "x.obj",
        ),
        (
            json!({"mesh": {"example": "cube"}, "pose": {"scale": [1, 0, 1]}}),
            json!([]),
            "out_of_range",
            "b.pose.scale[1]",
        ),
        (
            json!({"mesh": {"example": "cube"}, "pose": {"rotation_matrix": [[1, 0, 0], [1, 0, 0], [0, 0, 1]]}}),
            json!([]),
            "out_of_range",
            "b.pose.rotation_matrix",
        ),
        (
            cube.clone(),
            json!([{"edit": "remove_vertex", "body": "a", "index": 0}]),
            "bad_edit",
            "edits",
        ),
        (
            cube.clone(),
            json!([{"edit": "place", "body": "a", "axis": 3, "to": 0}]),
            "bad_edit",
            "edits",
        ),
    ] {
        let error = of(b.clone(), edits);
        assert_eq!(
            (error["kind"].as_str(), error["at"].as_str()),
            (Some(kind), Some(at)),
            "{b} {error}"
        );
    }
}
