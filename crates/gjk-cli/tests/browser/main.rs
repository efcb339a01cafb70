//! The lab in a real browser, where there is one: Debian's packages `chromium` and `chromium-driver`.
//!
//! Without them these tests say that they were skipped, on standard error, whatever the test runner hides.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

mod arms;
mod crowds;
mod driver;
mod edits;
mod meshes;
mod moving;
mod report;
mod robots;
#[path = "../served/mod.rs"]
mod served;
mod site;

use assert_cmd::cargo::cargo_bin;
use driver::Browser;
use serde_json::{Value, json};
use served::Lab;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

impl Lab {
    /// Opens a query.
    fn show(&self, browser: &Browser, query: &Value) {
        show(&self.address, browser, query);
    }
}

/// Opens a query on the page at an address.
fn show(address: &str, browser: &Browser, query: &Value) {
    let state = json!({"query": query, "algorithm": "distance", "step": 0}).to_string();
    let hash: String = state.bytes().map(|byte| format!("%{byte:02x}")).collect();
    browser.go(&format!("{address}#{hash}"));
    let id = &query["id"];
    browser.wait(&format!(
        "return document.getElementById('verdict')?.dataset.query === {id} && document.getElementById('scrub').value === '0'"
    ));
}

const READY: &str = "return document.querySelector('#verdict strong') !== null";

/// A lab and a window, or a word that there is none.
fn open(test: &str) -> Option<(Lab, Browser)> {
    let browser = window(test)?;
    Some((Lab::start(), browser))
}

/// A window, or a word that there is none.
fn window(test: &str) -> Option<Browser> {
    if driver::is_here() {
        return Some(Browser::open(1400, 900));
    }
    say(&format!(
        "SKIPPED {test}: no browser here; install chromium and chromium-driver to run it\n"
    ));
    None
}

/// Not by the macro, whose output the runner keeps to itself.
fn say(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

/// What the command line says of a query.
fn gjk(arguments: &[&str], query: &Value) -> String {
    let mut child = Command::new(cargo_bin("gjk"))
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(query.to_string().as_bytes())
        .unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// The query that the page shows, from its address.
fn shown(browser: &Browser) -> Value {
    let hash = browser.run("return decodeURIComponent(location.hash.slice(1))");
    serde_json::from_str::<Value>(hash.as_str().unwrap()).unwrap()["query"].clone()
}

/// Tutorial rows T3.11 (every pair of cube, cone and icosphere) and T2.7. `GJK_LAB_PICTURES` names a folder for a picture of
/// each.
#[test]
fn every_scene_loads_and_plays_without_a_complaint() {
    let Some((lab, browser)) = open("every_scene_loads_and_plays_without_a_complaint") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    let scenes = browser
        .run("return [...document.querySelectorAll('[data-scene]:not([data-many], [data-motion], [data-arm])')].map((b) => b.dataset.scene)");
    let scenes: Vec<&str> = scenes
        .as_array()
        .unwrap()
        .iter()
        .map(|scene| scene.as_str().unwrap())
        .collect();
    assert!(scenes.len() >= 20, "{scenes:?}");
    let pictures = std::env::var_os("GJK_LAB_PICTURES");
    for scene in scenes {
        browser.click(&format!("[data-scene={scene}]"));
        browser.wait(&format!(
            "return document.getElementById('verdict').dataset.query === '{scene}'"
        ));
        browser.click("#last");
        browser
            .wait("return document.getElementById('step-title').textContent.startsWith('Answer')");
        browser.click("#back");
        assert_eq!(browser.text("error"), "", "{scene}");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{scene}");
        if let Some(folder) = &pictures {
            std::fs::write(
                Path::new(folder).join(format!("{scene}.png")),
                browser.picture(),
            )
            .unwrap();
        }
    }
}

/// Tutorial row T4.2.
#[test]
fn dragging_changes_the_verdict_as_the_library_says() {
    let Some((lab, browser)) = open("dragging_changes_the_verdict_as_the_library_says") else {
        return;
    };
    let square =
        |x: f64| json!({"shape": "box", "half_extents": [1, 1], "pose": {"translation": [x, 0]}});
    lab.show(
        &browser,
        &json!({"id": "drag", "dim": 2, "a": square(-2.0), "b": square(2.0)}),
    );
    assert!(browser.text("verdict").contains("separated"));
    let centre = |body: &str| {
        let script = format!(
            "const r = document.querySelector('[data-body={body}]').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]"
        );
        let found = browser.run(&script);
        [0, 1].map(|k| found[k].as_f64().unwrap() as i64)
    };
    browser.drag(centre("a"), centre("b"));
    browser.wait("return document.querySelector('#verdict strong').textContent === 'overlapping'");
    let query = shown(&browser);
    let answer: Value = serde_json::from_str(&gjk(&["query"], &query)).unwrap();
    assert_eq!(answer["verdict"], "overlapping");
    let ends = &answer["signed_distance"];
    browser.wait(&format!(
        "return document.getElementById('verdict').textContent.includes('{}')",
        ends["lower"]
    ));
    // The keys move a body as well.
    browser.run("document.querySelector('[data-body=b]').focus(); return 0");
    let before = shown(&browser)["b"]["pose"]["translation"][0]
        .as_f64()
        .unwrap();
    browser.press("\u{e014}");
    browser.wait(&format!(
        "return JSON.parse(decodeURIComponent(location.hash.slice(1))).query.b.pose.translation[0] > {before}"
    ));
}

/// Tutorial row T2.6. Random pairs in the plane and in space: what the page tells at each step is what `gjk trace` prints.
#[test]
fn steps_show_the_numbers_of_the_trace() {
    let Some((lab, browser)) = open("steps_show_the_numbers_of_the_trace") else {
        return;
    };
    let pairs: u64 = std::env::var("GJK_LAB_PAIRS")
        .ok()
        .map_or(3, |text| text.parse().unwrap());
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0
    };
    for dim in [2, 3] {
        for pair in 0..pairs {
            let mut body = |shift: f64| {
                let points: Vec<Vec<f64>> = (0..6)
                    .map(|_| (0..dim).map(|_| random()).collect())
                    .collect();
                let mut at = vec![0.0; dim];
                at[0] = shift;
                json!({"shape": "convex", "points": points, "pose": {"translation": at}})
            };
            let query = json!({"id": format!("{dim}-{pair}"), "dim": dim, "a": body(0.0), "b": body(pair as f64 % 6.0)});
            lab.show(&browser, &query);
            let trace = gjk(&["trace"], &query);
            let count = browser
                .run("return Number(document.getElementById('scrub').max)")
                .as_u64()
                .unwrap();
            for _ in 0..=count {
                for line in browser.text("step").lines() {
                    assert!(trace.contains(line), "{query}\n{line}\n{trace}");
                }
                browser.click("#next");
            }
            assert!(browser.text("step-title").starts_with("Answer"));
        }
    }
}

#[test]
fn the_address_holds_what_is_shown() {
    let Some((lab, browser)) = open("the_address_holds_what_is_shown") else {
        return;
    };
    let query = json!({"id": "apart", "dim": 2, "a": {"shape": "ball", "radius": 1.0 / 3.0},
        "b": {"shape": "convex", "points": [[1, 1], [2, 1], [1, 3]]}});
    lab.show(&browser, &query);
    browser.click("#next");
    let (told, step, hash) = (
        browser.text("verdict"),
        browser.text("step"),
        browser.run("return location.href"),
    );
    browser.go("about:blank");
    browser.go(hash.as_str().unwrap());
    browser.wait(READY);
    browser.wait("return document.getElementById('count').textContent.startsWith('2 ')");
    assert_eq!(
        (browser.text("verdict"), browser.text("step")),
        (told, step)
    );
    assert_eq!(shown(&browser)["a"], query["a"]);
}
