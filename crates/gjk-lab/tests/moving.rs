//! Motions and manifolds in the lab: every scene is answered, a time is where the library says, and edits do what dragging says.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk_lab::{Environment, respond};
use serde_json::{Value, json};

fn ask(request: &Value) -> Value {
    let environment = Environment {
        clock: || 0.0,
        robot: None,
        meshes: None,
    };
    serde_json::from_str(&respond(&request.to_string(), &environment)).unwrap()
}

fn scenes(of: &str) -> Vec<Value> {
    ask(&json!({"ask": "scenes"}))[of]
        .as_array()
        .unwrap()
        .clone()
}

fn scene(of: &str, id: &str) -> Value {
    let all = scenes(of);
    all.iter().find(|scene| scene["id"] == id).unwrap()["query"].clone()
}

fn moved(query: &Value, time: f64, edits: Value) -> Value {
    let told = ask(&json!({"ask": "motion", "query": query, "edits": edits, "time": time}));
    assert!(told.get("error").is_none(), "{told}");
    told
}

/// Items of a layer, of the background and of the one frame.
fn layer<'t>(told: &'t Value, name: &str) -> Vec<&'t Value> {
    let frames = told["frames"].as_array().unwrap();
    let lists = frames.iter().map(|frame| &frame["items"]);
    let all = lists.chain([&told["background"]]);
    all.flat_map(|items| items.as_array().unwrap())
        .filter(|item| item["layer"] == name)
        .collect()
}

fn numbers(point: &Value) -> Vec<f64> {
    let list = point.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// At every time that a piece covers, the plane that is drawn has each body as it is drawn on its own side.
#[test]
fn the_plane_of_a_piece_separates_the_bodies_as_they_are_drawn() {
    for scene in scenes("motions") {
        let first = ask(&json!({"ask": "motion", "query": scene["query"]}));
        let (id, end) = (&scene["id"], first["end"].as_f64().unwrap());
        let mut shown = 0;
        for k in 0..=40 {
            let time = end * f64::from(k) / 40.0;
            let told = moved(&scene["query"], time, json!([]));
            let covered = told.get("piece").is_some();
            let planes = layer(&told, "plane");
            assert_eq!(planes.len(), usize::from(covered), "{id} at {time}");
            let Some(plane) = planes.first() else {
                continue;
            };
            shown += 1;
            let normal = numbers(&plane["normal"]);
            let height = dot(&normal, &numbers(&plane["through"]));
            for (name, side) in [("body_a", 1.0), ("body_b", -1.0)] {
                for corner in layer(&told, name)[0]["points"].as_array().unwrap() {
                    let beyond = side * (dot(&normal, &numbers(corner)) - height);
                    assert!(beyond < 1e-6, "{id} at {time}: {name} {beyond}");
                }
            }
        }
        assert!(shown > 5, "{id}");
    }
}

#[test]
fn pieces_follow_each_other_from_the_start_to_the_contact() {
    let told = ask(&json!({"ask": "motion", "query": scene("motions", "bar-through-floor")}));
    assert_eq!(told["answer"]["verdict"], "hits");
    let pieces = told["pieces"].as_array().unwrap();
    assert_eq!(pieces[0]["from"], 0.0);
    for next in pieces.windows(2) {
        assert_eq!(next[0]["to"], next[1]["from"]);
    }
    let lower = &told["answer"]["time"]["lower"];
    assert_eq!(&pieces.last().unwrap()["to"], lower);
    // The contact is where a page looks first, and the end is clear again.
    assert_eq!(&told["time"], lower);
    let clears = ask(&json!({"ask": "motion", "query": scene("motions", "bar-clears-floor")}));
    assert_eq!(clears["answer"]["verdict"], "free");
    let turned = ask(&json!({"ask": "motion", "query": scene("motions", "long-hand")}));
    let kinds = turned["pieces"].as_array().unwrap().iter();
    assert!(kinds.clone().any(|piece| piece["in"] == "a"));
}

/// A bar at half of a half turn stands upright.
#[test]
fn bodies_are_where_their_motion_takes_them() {
    let query = json!({"dim": 2, "query": "toi", "a": {"shape": "ball", "radius": 0.1, "pose": {"translation": [9, 9]}},
        "b": {"shape": "box", "half_extents": [2, 1], "motion": {"velocity": [4, 0], "angular": std::f64::consts::PI}}});
    let told = moved(&query, 0.5, json!([]));
    let corners = layer(&told, "body_b")[0]["points"]
        .as_array()
        .unwrap()
        .iter();
    for corner in corners.map(numbers) {
        assert!(
            (corner[0] - 2.0).abs() - 1.0 < 1e-12 && corner[1].abs() - 2.0 < 1e-12,
            "{corner:?}"
        );
    }
    assert_eq!(told["grips"][1]["now"], json!([2.0, 0.0]));
    assert_eq!(told["grips"][1]["end"], json!([4.0, 0.0]));
    assert_eq!(told["grips"][0]["moves"], false);
}

#[test]
fn dragging_changes_the_start_or_the_end() {
    let query = json!({"dim": 2, "query": "cast", "a": {"shape": "box", "half_extents": [1, 1]},
        "b": {"shape": "ball", "radius": 1, "pose": {"translation": [5, 0]}, "motion": {"velocity": [-2, 0]}}, "options": {"max_time": 2}});
    let start = json!([{"edit": "move", "body": "b", "by": [1, 0]}]);
    let told = moved(&query, 0.0, start);
    assert_eq!(told["query"]["b"]["pose"]["translation"], json!([6.0, 0.0]));
    let lower = told["answer"]["time"]["lower"].as_f64().unwrap();
    assert!((lower - 2.0).abs() < 1e-12, "{lower}");
    let end = json!([{"edit": "move_end", "body": "b", "by": [0, 6], "at": 2}]);
    let told = moved(&query, 0.0, end);
    assert_eq!(told["query"]["b"]["motion"]["velocity"], json!([-2.0, 3.0]));
    assert_eq!(told["answer"]["verdict"], "free");
    let rested = moved(
        &query,
        0.0,
        json!([{"edit": "move_end", "body": "a", "by": [4, 0], "at": 2}]),
    );
    assert_eq!(
        rested["query"]["a"]["motion"]["velocity"],
        json!([2.0, 0.0])
    );

    let ray = json!({"dim": 2, "query": "ray", "a": {"shape": "ball", "radius": 1}, "ray": {"origin": [-3, 0], "direction": [6, 0]}});
    let edits = json!([{"edit": "move_vertex", "body": "b", "index": 0, "to": [-3, 0.5]}, {"edit": "move", "body": "b", "by": [-1, 0]},
        {"edit": "move_end", "body": "b", "by": [1, 0], "at": 1}]);
    let told = moved(&ray, 0.0, edits);
    assert_eq!(
        told["query"]["ray"],
        json!({"origin": [-4.0, 0.5], "direction": [7.0, 0.0]})
    );
    assert_eq!(told["handles"][0]["at"], json!([-4.0, 0.5]));

    let turning = json!({"dim": 2, "query": "toi", "a": {"shape": "box", "half_extents": [1, 1]},
        "b": {"shape": "ball", "radius": 1, "pose": {"translation": [5, 0]}, "motion": {"to": {"translation": [0, 5]}}}});
    let edits = json!([{"edit": "turn_end", "body": "a", "angle": 0.5, "at": 1}, {"edit": "move_end", "body": "b", "by": [0, 1], "at": 1},
        {"edit": "turn_end", "body": "b", "angle": 0.25, "at": 1}]);
    let told = moved(&turning, 0.0, edits);
    assert_eq!(told["query"]["a"]["motion"]["angular"], 0.5);
    assert_eq!(
        told["query"]["b"]["motion"]["to"],
        json!({"translation": [0.0, 6.0], "rotation": 0.25})
    );
}

#[test]
fn what_is_wrong_with_a_motion_is_told() {
    let ball = json!({"shape": "ball", "radius": 1});
    let cast = json!({"dim": 2, "query": "cast", "a": ball, "b": ball});
    let ray = json!({"dim": 2, "query": "ray", "a": ball, "ray": {"origin": [0, 0], "direction": [1, 0]}});
    let turn = json!([{"edit": "turn_end", "body": "a", "angle": 1, "at": 1}]);
    for (request, kind, at) in [
        (
            json!({"ask": "motion", "query": {"dim": 2, "a": ball, "b": ball}}),
            "bad_request",
            "query",
        ),
        (
            json!({"ask": "motion", "query": cast, "time": -1}),
            "bad_request",
            "time",
        ),
        (
            json!({"ask": "motion", "query": cast, "edits": turn}),
            "bad_edit",
            "edits",
        ),
        (
            json!({"ask": "motion", "query": ray, "edits": [{"edit": "swap"}]}),
            "bad_edit",
            "edits",
        ),
        (
            json!({"ask": "motion", "query": cast, "edits": [{"edit": "move_end", "body": "b", "by": [1], "at": 1}]}),
            "bad_edit",
            "edits",
        ),
        (
            json!({"ask": "manifold", "query": cast}),
            "bad_request",
            "query",
        ),
        (
            json!({"ask": "query", "query": {"dim": 2, "a": ball, "b": ball}, "edits": turn}),
            "bad_edit",
            "edits",
        ),
    ] {
        let error = &ask(&request)["error"];
        let got = (error["kind"].as_str(), error["at"].as_str());
        assert_eq!(got, (Some(kind), Some(at)), "{request} {error}");
    }
}

/// Bodies that start in contact, that rest, and motions that turn many times are drawn too.
#[test]
fn every_line_of_the_corpus_is_drawn() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/motion");
    for (file, name) in [
        ("casts", "motion"),
        ("rays", "motion"),
        ("toi", "motion"),
        ("manifolds", "manifold"),
    ] {
        let lines = std::fs::read_to_string(corpus.join(format!("{file}.jsonl"))).unwrap();
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let query: Value = serde_json::from_str(line).unwrap();
            let answer = gjk_scene::read_line(line.as_bytes(), 1).unwrap().query;
            let told = ask(&json!({"ask": name, "query": query}));
            // A line that has no answer has none here.
            if answer.is_ok() && told.get("error").is_none() {
                assert_eq!(told["answer"]["id"], query["id"]);
                assert!(!layer(&told, "body_a").is_empty(), "{}", query["id"]);
            }
        }
    }
}

#[test]
fn every_manifold_plays_to_its_answer() {
    for scene in scenes("manifolds") {
        let told = ask(&json!({"ask": "manifold", "query": scene["query"]}));
        let frames = told["frames"].as_array().unwrap();
        assert!(frames.len() >= 5, "{}", scene["id"]);
        assert_eq!(frames.last().unwrap()["stage"], "answer");
        let points = told["answer"]["points"].as_array().unwrap().len();
        let last = &json!({"frames": [frames.last().unwrap()], "background": []});
        // On both bodies, once as a line and once as dots; and seen along the normal.
        let seen = layer(last, "bearing").len();
        let spatial = told["query"]["dim"] == 3;
        assert_eq!(
            seen,
            points * if spatial { 3 } else { 2 },
            "{}",
            scene["id"]
        );
    }
}

/// Eight corners, one point after the other of which four are kept.
#[test]
fn a_manifold_is_reduced_step_by_step() {
    let told = ask(&json!({"ask": "manifold", "query": scene("manifolds", "box-on-box")}));
    let frames = told["frames"].as_array().unwrap();
    let of = |stage: &str| {
        frames
            .iter()
            .filter(|frame| frame["stage"] == stage)
            .collect::<Vec<_>>()
    };
    let corners = |frame: &Value, name: &str| {
        let one = json!({"frames": [frame], "background": []});
        let all = layer(&one, name);
        all.iter().filter(|item| item["space"] == "across").count()
    };
    assert_eq!(corners(of("intersection")[0], "corner"), 8);
    let kept: Vec<usize> = of("choice")
        .iter()
        .map(|frame| corners(frame, "corner"))
        .collect();
    assert_eq!(kept, [1, 2, 3, 4]);
    assert_eq!(corners(of("choice")[3], "corner_left"), 4);
    let away = json!([{"edit": "move", "body": "b", "by": [0, 0, 1]}]);
    let apart =
        ask(&json!({"ask": "manifold", "query": scene("manifolds", "box-on-box"), "edits": away}));
    assert_eq!(apart["answer"]["points"], json!([]));
    assert_eq!(apart["frames"].as_array().unwrap().len(), 2);
}
