//! The one function of the lab: every scene plays, edits do what dragging says, and what is wrong is told.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk::query::ProofOptions;
use gjk_lab::{Environment, respond};
use gjk_query::answer;
use gjk_query::explain::Explainer;
use gjk_query::pair::Pair;
use gjk_query::record::{Algorithm, record};
use gjk_scene::read_query_line;
use serde_json::{Value, json};

const ENVIRONMENT: Environment<'_> = Environment {
    clock: || 0.0,
    robot: None,
    meshes: None,
};

fn ask(request: &Value) -> Value {
    serde_json::from_str(&respond(&request.to_string(), &ENVIRONMENT)).unwrap()
}

fn asked(query: &Value, edits: Value) -> Value {
    ask(&json!({"ask": "query", "query": query, "edits": edits}))
}

fn scenes() -> Vec<Value> {
    ask(&json!({"ask": "scenes"}))["scenes"]
        .as_array()
        .unwrap()
        .clone()
}

#[test]
fn every_scene_plays_to_its_answer() {
    let all = scenes();
    assert!(all.len() >= 10);
    for scene in &all {
        let mut request =
            json!({"ask": "query", "query": scene["query"], "algorithm": scene["algorithm"]});
        if let Some(direction) = scene.get("direction") {
            request["direction"] = direction.clone();
        }
        let told = ask(&request);
        assert!(
            told.get("error").is_none(),
            "{}: {}",
            scene["id"],
            told["error"]
        );
        let frames = told["frames"].as_array().unwrap();
        assert!(frames.len() > 1, "{}", scene["id"]);
        assert_eq!(frames.last().unwrap()["stage"], "answer");
        assert!(
            frames
                .iter()
                .all(|frame| !frame["items"].as_array().unwrap().is_empty()),
            "{}",
            scene["id"]
        );
    }
}

/// The touching scenes are what their titles say, which floats alone do not know.
#[test]
fn one_rounding_apart_is_told_from_touching() {
    let verdict = |id: &str| {
        let scene = scenes()
            .into_iter()
            .find(|scene| scene["id"] == id)
            .unwrap();
        let told = asked(&scene["query"], json!([]));
        (
            told["answer"]["verdict"].as_str().unwrap().to_owned(),
            told["floats"]["verdict"].as_str().unwrap().to_owned(),
        )
    };
    for (id, right) in [
        ("edge-edge", "touching"),
        ("edge-edge-apart", "separated"),
        ("edge-edge-deep", "overlapping"),
        ("edge-vertex", "touching"),
        ("edge-vertex-apart", "separated"),
        ("vertex-vertex", "touching"),
    ] {
        let (exact, floats) = verdict(id);
        assert_eq!(
            (exact.as_str(), floats.as_str()),
            (right, "undecided"),
            "{id}"
        );
    }
}

/// T5.4: the tutorial's steps, in the words of `gjk trace`.
#[test]
fn frames_say_what_the_trace_says() {
    let scene = scenes()
        .into_iter()
        .find(|scene| scene["id"] == "dyn4j-distance")
        .unwrap();
    let told = asked(&scene["query"], json!([]));
    let spec = read_query_line(scene["query"].to_string().as_bytes(), 1)
        .unwrap()
        .query
        .unwrap();
    let pair = Pair::<gjk::Vec2<f64>>::new(&spec).unwrap();
    let options = answer::options::<gjk::Vec2<f64>>(&spec.options).unwrap();
    let proof = ProofOptions::default();
    let steps = record(Algorithm::Distance, &pair, &options, &proof, "x")
        .unwrap()
        .steps;
    let narrator = Explainer::new(&pair);
    assert_eq!(told["frames"].as_array().unwrap().len(), steps.len() + 1);
    for (frame, step) in told["frames"].as_array().unwrap().iter().zip(&steps) {
        let lines: Vec<String> = narrator
            .step(step)
            .iter()
            .map(|line| anstream::adapter::strip_str(line).to_string())
            .collect();
        assert_eq!(frame["lines"], json!(lines));
    }
    let last = &told["frames"].as_array().unwrap().last().unwrap()["bounds"];
    let right = 11.0 / 41.0_f64.sqrt();
    assert!(
        last[0].as_f64().unwrap() <= right && right <= last[1].as_f64().unwrap(),
        "{last}"
    );
}

/// Steps bound the cores' distance; what is shown is the bodies'.
#[test]
fn bounds_shown_are_those_of_the_bodies() {
    let ball = |x: f64| json!({"shape": "ball", "radius": 1.0, "pose": {"translation": [x, 0.0]}});
    let told = asked(
        &json!({"dim": 2, "a": ball(0.0), "b": ball(3.5)}),
        json!([]),
    );
    for frame in told["frames"].as_array().unwrap() {
        let bounds = &frame["bounds"];
        assert!(
            bounds[0].as_f64().unwrap() <= 1.5 && bounds[1].as_f64().unwrap() >= 1.5 - 1e-12,
            "{bounds}"
        );
    }
}

#[test]
fn dragging_changes_the_verdict_as_the_library_says() {
    let square = json!({"shape": "box", "half_extents": [1, 1]});
    let query = json!({"dim": 2, "a": square, "b": square});
    for (x, verdict) in [(0.5, "overlapping"), (2.0, "touching"), (2.5, "separated")] {
        let told = asked(
            &query,
            json!([{"edit": "move", "body": "b", "by": [x, 0.25]}]),
        );
        assert_eq!(told["answer"]["verdict"], verdict);
        assert_eq!(told["query"]["b"]["pose"]["translation"], json!([x, 0.25]));
    }
}

#[test]
fn what_is_wrong_is_told() {
    let ball = json!({"shape": "ball", "radius": 1});
    for (request, kind, at) in [
        (json!({"ask": "tea"}), "bad_request", ""),
        (json!({"ask": "query", "query": []}), "wrong_type", ""),
        (
            json!({"ask": "query", "query": {"dim": 2, "a": ball}}),
            "missing_key",
            "b",
        ),
        (
            json!({"ask": "query", "query": {"dim": 2, "a": ball, "b": {"shape": "ball", "radius": -1}}}),
            "out_of_range",
            "b.radius",
        ),
        (
            json!({"ask": "query", "query": {"dim": 2, "a": ball, "b": ball}, "direction": [1]}),
            "bad_request",
            "direction",
        ),
        (
            json!({"ask": "query", "query": {"dim": 2, "a": ball, "b": ball}, "edits": [{"edit": "remove_vertex", "body": "a", "index": 0}]}),
            "bad_edit",
            "edits",
        ),
    ] {
        let error = &ask(&request)["error"];
        assert_eq!(
            (error["kind"].as_str(), error["at"].as_str()),
            (Some(kind), Some(at)),
            "{request} {error}"
        );
        assert!(!error["message"].as_str().unwrap().is_empty());
    }
    assert!(respond("no JSON at all", &ENVIRONMENT).contains("bad_request"));
}

/// Tutorial row T2.5: the faces of a tetrahedron with their normals and the next direction; facets of EPA and the certificate
/// too.
#[test]
fn faces_have_normals_and_steps_a_next_direction() {
    let scene = scenes()
        .into_iter()
        .find(|scene| scene["id"] == "cube-icosphere")
        .unwrap();
    let told = asked(&scene["query"], json!([]));
    let frames = told["frames"].as_array().unwrap();
    let count = |frame: &Value, layer: &str| {
        frame["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|item| item["layer"].as_str().unwrap().starts_with(layer))
            .count()
    };
    let (last, steps) = frames.split_last().unwrap();
    assert!(
        steps
            .iter()
            .any(|frame| frame["stage"] == "gjk" && count(frame, "normal_") == 4)
    );
    let facets = |frame: &Value| {
        frame["title"]
            .as_str()
            .unwrap()
            .split(' ')
            .rev()
            .nth(1)
            .unwrap()
            .parse::<usize>()
            .unwrap()
    };
    for frame in steps.iter().filter(|frame| frame["stage"] == "epa") {
        assert_eq!(
            count(frame, "normal_in"),
            facets(frame),
            "{}",
            frame["title"]
        );
    }
    assert!(
        steps
            .split_last()
            .unwrap()
            .1
            .iter()
            .all(|frame| count(frame, "next_direction") == 1)
    );
    // Pairs of vertices on both bodies, and their differences' hull around the origin.
    assert!(count(last, "certificate") > 2 * 4, "{last}");
}
