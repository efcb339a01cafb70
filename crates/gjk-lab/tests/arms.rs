//! Paths of an arm in the lab: what is drawn is the bound that is claimed, splits change no other span, and a hit is never proved away.

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

fn arm(id: &str, splits: &[f64], edits: Value, time: f64) -> Value {
    let query = json!({"id": id, "dim": 2, "query": "arm", "splits": splits});
    let told = ask(&json!({"ask": "arm", "query": query, "edits": edits, "time": time}));
    assert!(told.get("error").is_none(), "{told}");
    told
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn point(value: &Value) -> [f64; 2] {
    [0, 1].map(|k| number(&value[k]))
}

/// Points of all items of a layer, of the background and of the one frame.
fn points(told: &Value, layer: &str) -> Vec<[f64; 2]> {
    let lists = [&told["frames"][0]["items"], &told["background"]];
    let items = lists.into_iter().flat_map(|list| list.as_array().unwrap());
    let own = items.filter(|item| item["layer"] == layer);
    own.flat_map(|item| item["points"].as_array().unwrap().iter().map(point))
        .collect()
}

fn item<'t>(told: &'t Value, layer: &str) -> Option<&'t Value> {
    let items = told["frames"][0]["items"].as_array().unwrap();
    items.iter().find(|item| item["layer"] == layer)
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The picture is the proof: at every time of a span the differences are within the bound that is drawn, and where the span is proved the line has
/// all of the bound behind it, and the origin before it.
#[test]
fn differences_of_a_span_are_in_its_bound_and_the_line_keeps_the_origin_out() {
    let scenes = ask(&json!({"ask": "scenes"}))["arms"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(scenes.len(), 3);
    let mut proved = 0;
    for scene in scenes {
        let id = scene["id"].as_str().unwrap();
        for splits in [&[][..], &[0.25, 0.5, 0.75], &[0.3, 0.35, 0.4]] {
            for k in 0..=20 {
                let time = f64::from(k) / 20.0;
                let told = arm(id, splits, json!([]), time);
                let span = &told["spans"][told["span"].as_u64().unwrap() as usize];
                assert!(number(&span["from"]) <= time && time <= number(&span["to"]));
                let swept = points(&told, "swept_bound");
                let now = points(&told, "difference");
                let along = |n: [f64; 2], of: &[[f64; 2]]| {
                    of.iter().map(|&p| dot(n, p)).fold(f64::INFINITY, f64::min)
                };
                for turn in 0..36 {
                    let angle = f64::from(turn) * std::f64::consts::TAU / 36.0;
                    let n = [angle.cos(), angle.sin()];
                    // A polygon is drawn of the bound, which is round.
                    assert!(along(n, &now) >= along(n, &swept) - 1e-3, "{id} {time}");
                }
                let arrow = item(&told, "direction").unwrap();
                let n = point(&arrow["direction"]);
                assert_eq!(span["closed"].as_bool(), Some(number(&span["bound"]) > 0.0));
                let Some(plane) = item(&told, "plane") else {
                    assert_eq!(span["closed"], false);
                    continue;
                };
                proved += 1;
                let height = dot(n, point(&plane["through"]));
                assert!(height > 0.0 && (height - number(&span["bound"])).abs() < 1e-9);
                assert!(along(n, &swept) >= height - 1e-3 && along(n, &now) >= height - 1e-9);
            }
        }
    }
    assert!(proved > 60, "{proved}");
}

#[test]
fn spans_are_divided_until_they_are_proved() {
    let whole = arm("arm-passes", &[], json!([]), 0.3);
    assert_eq!(whole["answer"]["verdict"], "undecided");
    assert_eq!(whole["spans"].as_array().unwrap().len(), 1);
    let halved = arm(
        "arm-passes",
        &[],
        json!([{"edit": "split", "at": 0.3}]),
        0.3,
    );
    assert_eq!(halved["query"]["splits"], json!([0.5]));
    let proved = arm("arm-passes", &[], json!([{"edit": "prove"}]), 0.3);
    assert_eq!(proved["answer"]["verdict"], "free");
    let spans = proved["spans"].as_array().unwrap();
    assert!((3..=24).contains(&spans.len()), "{}", spans.len());
    // One split more changes no span but the one that it halves.
    let splits: Vec<f64> = proved["query"]["splits"]
        .as_array()
        .unwrap()
        .iter()
        .map(number)
        .collect();
    let again = arm(
        "arm-passes",
        &splits,
        json!([{"edit": "split", "at": 1.0}]),
        1.0,
    );
    assert_eq!(
        again["spans"].as_array().unwrap()[..spans.len() - 1],
        spans[..spans.len() - 1]
    );
    let edits = json!([{"edit": "prove"}, {"edit": "whole"}]);
    assert_eq!(
        arm("arm-passes", &splits, edits, 0.0)["query"]["splits"],
        json!([])
    );
    // Links that go together need one span.
    let together = arm("arm-together", &[], json!([]), 0.5);
    assert_eq!(together["answer"]["verdict"], "free");
}

#[test]
fn a_path_that_hits_is_never_proved() {
    let told = arm("arm-hits", &[], json!([{"edit": "prove"}]), 0.5);
    assert_eq!(told["answer"]["verdict"], "hits");
    let hit = number(&told["answer"]["time"]["upper"]);
    let spans = told["spans"].as_array().unwrap();
    let around = |span: &&Value| number(&span["from"]) <= hit && hit <= number(&span["to"]);
    assert!(
        spans
            .iter()
            .filter(around)
            .all(|span| span["closed"] == false)
    );
    assert!(spans.iter().any(|span| span["closed"] == true) && spans.len() <= 64);
}

#[test]
fn what_is_wrong_with_a_path_is_said() {
    let refused = |query: Value, more: Value, at: &str| {
        let mut request = json!({"ask": "arm", "query": query});
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let told = ask(&request);
        assert_eq!(told["error"]["at"], at, "{told}");
        told["error"]["message"].as_str().unwrap().to_owned()
    };
    let query =
        |id: &str, splits: Value| json!({"id": id, "dim": 2, "query": "arm", "splits": splits});
    let good = || query("arm-passes", json!([]));
    assert!(refused(query("leg", json!([])), json!({}), "query.id").contains("arm-passes"));
    refused(query("arm-passes", json!([1.5])), json!({}), "query.splits");
    refused(
        query("arm-passes", json!(vec![0.5; 64])),
        json!({}),
        "query.splits",
    );
    refused(
        json!({"id": "arm-passes", "dim": 3, "query": "arm"}),
        json!({}),
        "query",
    );
    refused(good(), json!({"time": -0.1}), "time");
    refused(
        good(),
        json!({"edits": [{"edit": "split", "at": 7}]}),
        "edits",
    );
    refused(good(), json!({"edits": [{"edit": "melt"}]}), "");
}
