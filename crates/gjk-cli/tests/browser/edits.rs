//! Edits that come faster than answers: all of them count, in their order.

use super::{open, shown};
use serde_json::json;

/// What the address says of the translation of B, in x.
const X: &str =
    "JSON.parse(decodeURIComponent(location.hash.slice(1))).query.b.pose.translation[0]";
/// Presses a key on B, so many times in one go: no answer comes in between.
const PRESS: &str = "const press = (key, times) => { const b = document.querySelector('#world [data-body=b]'); for (let k = 0; k < times; k += 1) b.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); };
    const change = (id, value) => { const s = document.getElementById(id); s.value = value; s.dispatchEvent(new Event('change')); };";

#[test]
fn keys_that_are_pressed_before_the_answer_all_count() {
    let Some((lab, browser)) = open("keys_that_are_pressed_before_the_answer_all_count") else {
        return;
    };
    let square =
        |x: f64| json!({"shape": "box", "half_extents": [1, 1], "pose": {"translation": [x, 0]}});
    lab.show(
        &browser,
        &json!({"id": "keys", "dim": 2, "a": square(-2.0), "b": square(2.0)}),
    );
    let x = || browser.run(&format!("return {X}")).as_f64().unwrap();
    browser.run(&format!("{PRESS} press('ArrowRight', 1); return 0"));
    browser.wait(&format!("return {X} > 2"));
    let step = x() - 2.0;
    browser.run(&format!(
        "{PRESS} press('ArrowRight', 5); press('ArrowUp', 1); press('ArrowRight', 2); return 0"
    ));
    browser.wait(&format!(
        "return Math.abs({X} - {}) < {}",
        2.0 + 8.0 * step,
        step / 100.0
    ));
    let up = shown(&browser)["b"]["pose"]["translation"][1]
        .as_f64()
        .unwrap();
    assert!((up - step).abs() < step / 100.0, "{up} {step}");
}

/// Other controls of the question are edits as well.
#[test]
fn a_shape_a_scalar_and_a_swap_before_the_answer_all_count() {
    let Some((lab, browser)) = open("a_shape_a_scalar_and_a_swap_before_the_answer_all_count")
    else {
        return;
    };
    let ball = |x: f64| json!({"shape": "ball", "radius": 1, "pose": {"translation": [x, 0]}});
    lab.show(
        &browser,
        &json!({"id": "several", "dim": 2, "a": ball(-2.0), "b": ball(2.0)}),
    );
    browser.run(&format!(
        "{PRESS} press('ArrowRight', 1); change('shape-b', 'square'); change('scalar', 'f32'); document.getElementById('swap').click(); change('algorithm', 'boolean'); return 0"
    ));
    browser.wait("return JSON.parse(decodeURIComponent(location.hash.slice(1))).algorithm === 'boolean' && document.getElementById('scalar').value === 'f32'");
    let query = shown(&browser);
    assert_eq!(
        (&query["a"]["shape"], &query["b"]["shape"], &query["scalar"]),
        (&json!("box"), &json!("ball"), &json!("f32"))
    );
    assert!(
        query["a"]["pose"]["translation"][0].as_f64().unwrap() > 2.0,
        "{query}"
    );
    assert_eq!(query["b"]["pose"]["translation"], json!([-2, 0]));
}

/// A ball has no vertices to add to.
#[test]
fn a_refused_edit_takes_no_other_with_it() {
    let Some((lab, browser)) = open("a_refused_edit_takes_no_other_with_it") else {
        return;
    };
    let ball = |x: f64| json!({"shape": "ball", "radius": 1, "pose": {"translation": [x, 0]}});
    lab.show(
        &browser,
        &json!({"id": "refused", "dim": 2, "a": ball(-2.0), "b": ball(2.0)}),
    );
    browser.run(&format!("{PRESS} press('ArrowRight', 1); return 0"));
    browser.wait(&format!("return {X} > 2"));
    let step = browser.run(&format!("return {X} - 2")).as_f64().unwrap();
    browser.run(&format!(
        "{PRESS} press('ArrowRight', 2); document.querySelector('#world [data-body=b]').dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}})); press('ArrowRight', 3); return 0"
    ));
    browser.wait(&format!(
        "return Math.abs({X} - {}) < {}",
        2.0 + 6.0 * step,
        step / 100.0
    ));
    assert!(
        browser.text("error").contains("only points have vertices"),
        "{}",
        browser.text("error")
    );
    // The next edit that fits takes the words away.
    browser.run(&format!("{PRESS} press('ArrowLeft', 1); return 0"));
    browser.wait("return document.getElementById('error').hidden");
}
