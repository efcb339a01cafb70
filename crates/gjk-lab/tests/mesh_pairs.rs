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
            "none has a direction into both",
        ),
        (
            "walls-aligned",
            "overlapping",
            "cones",
            "no edge passes through a face",
        ),
        ("spike-box", "touching", "cones", "none has a direction"),
        (
            "ball-inside",
            "contains",
            "shells",
            "a point of it is inside of A",
        ),
        ("ball-cavity", "separated", "shells", "no shell is inside"),
        ("cube-cavity", "touching", "cones", "none has a direction"),
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
