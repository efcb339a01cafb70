//! Many bodies, the tour, files: what is more than one pair to look at.

use super::driver::Browser;
use super::{Lab, READY, gjk, open, shown};
use serde_json::{Value, json};

/// A tetrahedron as OBJ.
pub(super) const WEDGE: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

const TOLD: &str =
    "return document.getElementById('crowd-told').textContent.includes('pairs asked')";

pub(super) fn choose(browser: &Browser, scene: &str) {
    browser.click(&format!("[data-scene={scene}]"));
    browser.wait(TOLD);
}

/// Drops a file onto the page.
pub(super) fn drop_file(browser: &Browser, name: &str, text: &str) {
    browser.run(&format!(
        "const data = new DataTransfer(); data.items.add(new File([{}], '{name}')); dispatchEvent(new DragEvent('drop', {{dataTransfer: data, cancelable: true}})); return 0",
        json!(text)
    ));
}

/// Tutorial row T2.8. Frames of the page go by, bodies move, and how long a frame takes is told. The time is a report, not a
/// test.
#[test]
fn bodies_bounce_and_frames_are_timed() {
    let Some((lab, browser)) = open("bodies_bounce_and_frames_are_timed") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    for scene in ["bounce-2d", "bounce-3d"] {
        choose(&browser, scene);
        browser.run("window.marks = []; const mark = (now) => { marks.push(now); requestAnimationFrame(mark); }; requestAnimationFrame(mark); return 0");
        browser.wait("return marks.length > 10");
        let spent = browser
            .run("return (marks.at(-1) - marks[0]) / (marks.length - 1)")
            .as_f64()
            .unwrap();
        let told = browser.text("crowd-told");
        super::say(&format!(
            "{scene}: {spent:.1} ms a frame; the page says: {told}\n"
        ));
        assert!(
            told.contains("frames a second") && told.contains(" or overlap"),
            "{told}"
        );
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{scene}");
        // What is drawn is in the legend, and nothing else.
        let entries = browser.run(
            "return [...document.querySelectorAll('#crowd-legend li:not([hidden])')].map((li) => li.dataset.layer).filter((l) => l !== 'contact' && l !== 'mover_hit').join()",
        );
        assert_eq!(entries, "mover,wall");
        // By script: the line of numbers beside the button wraps from frame to frame, and moves it under a pointer.
        browser.run("document.getElementById('crowd-pause').click()");
        assert_eq!(browser.text("crowd-pause"), "Go on");
    }
    // A scene that is held while it is loaded stays held.
    let held = browser.run(
        "document.querySelector('[data-scene=bounce-2d]').click(); const pause = document.getElementById('crowd-pause'); pause.click(); return pause.textContent",
    );
    assert_eq!(held, "Go on");
    browser.wait(TOLD);
    assert_eq!(browser.text("crowd-pause"), "Go on");
    assert!(!browser.text("crowd-told").contains("frames a second"));
    // Back to a pair.
    browser.click("[data-scene=dyn4j-gjk]");
    browser.wait(
        "return !document.getElementById('pair').hidden && document.getElementById('crowd').hidden",
    );
    browser.wait("return document.querySelector('#verdict strong').textContent === 'overlapping'");
}

/// A slider moves a joint, the pairs follow, and a pair of the list opens as a query that `gjk query` answers alike.
#[test]
fn a_robot_moves_and_its_pairs_open() {
    let Some((lab, browser)) = open("a_robot_moves_and_its_pairs_open") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "robot");
    let first = |names: &str| {
        let script = format!(
            "const b = [...document.querySelectorAll('#crowd-pairs button')].find((b) => b.textContent.startsWith('{names}')); return b ? b.textContent : ''"
        );
        browser.run(&script).as_str().unwrap().to_owned()
    };
    assert!(
        first("table · base").contains("touching 0"),
        "{}",
        first("table · base")
    );
    let slide = |name: &str, value: f64| {
        browser.run(&format!(
            "const l = [...document.querySelectorAll('#crowd-sliders label')].find((l) => l.textContent.startsWith('{name}')); const i = l.querySelector('input'); i.value = {value}; i.dispatchEvent(new Event('input')); return 0"
        ));
    };
    slide("shoulder", 1.9);
    slide("elbow", 0.1);
    browser.wait("return [...document.querySelectorAll('#crowd-pairs button')].some((b) => b.textContent.includes('table · palm') && b.textContent.includes('overlapping'))");
    // The address holds the state.
    let address = browser.run("return location.href");
    browser.go("about:blank");
    browser.go(address.as_str().unwrap());
    browser.wait("return [...document.querySelectorAll('#crowd-pairs button')].some((b) => b.textContent.includes('table · palm') && b.textContent.includes('overlapping'))");
    browser.run("[...document.querySelectorAll('#crowd-pairs button')].find((b) => b.textContent.includes('table · palm')).click(); return 0");
    browser.wait("return !document.getElementById('pair').hidden && document.querySelector('#verdict strong')?.textContent === 'overlapping'");
    let answer: Value = serde_json::from_str(&gjk(&["query"], &shown(&browser))).unwrap();
    assert_eq!(answer["verdict"], "overlapping");
    assert!(
        browser
            .text("verdict")
            .contains(&answer["signed_distance"]["lower"].to_string())
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_tour_has_ten_stops_and_ends() {
    let Some((lab, browser)) = open("the_tour_has_ten_stops_and_ends") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    browser.click("#tour");
    for stop in 1..=10 {
        browser.wait(&format!(
            "return document.getElementById('tour-title').textContent.startsWith('{stop} of 10') && document.getElementById('verdict').dataset.query !== undefined"
        ));
        assert_eq!(
            (browser.text("error"), browser.complaints()),
            (String::new(), Vec::new()),
            "stop {stop}"
        );
        if stop < 10 {
            browser.click("#tour-next");
        }
    }
    assert!(browser.text("verdict").contains("touching"));
    assert!(browser.text("floats").contains("undecided"));
    browser.click("#tour-end");
    browser.wait("return document.getElementById('tour-card').hidden");
}

/// A file that is dropped onto the page becomes the body that is held.
#[test]
fn a_mesh_is_imported_and_a_bad_one_says_where() {
    let Some((lab, browser)) = open("a_mesh_is_imported_and_a_bad_one_says_where") else {
        return;
    };
    let cube =
        json!({"shape": "box", "half_extents": [1, 1, 1], "pose": {"translation": [5, 0, 0]}});
    lab.show(&browser, &json!({"id": "mesh", "dim": 3, "a": cube, "b": {"shape": "box", "half_extents": [1, 1, 1]}}));
    drop_file(&browser, "wedge.obj", WEDGE);
    browser.wait("return document.getElementById('about').textContent.includes('wedge: 4 vertices and 4 faces') && document.getElementById('verdict').dataset.query !== undefined");
    let query = shown(&browser);
    assert_eq!(
        (
            &query["a"]["shape"],
            query["a"]["points"].as_array().map(Vec::len)
        ),
        (&json!("convex"), Some(4))
    );
    assert_eq!(query["a"]["pose"], json!({"translation": [5, 0, 0]}));
    drop_file(&browser, "bad.obj", "v 0 0 zero\n");
    browser.wait("return document.getElementById('error').textContent.includes('bad.obj')");
    drop_file(
        &browser,
        "pairs.jsonl",
        r#"{"id":"dropped","dim":2,"a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}"#,
    );
    browser.wait("return document.querySelector('#verdict strong')?.textContent === 'overlapping'");
    assert_eq!(shown(&browser)["id"], "dropped");
}

/// `gjk trace --lab` and `gjk lab FILE` print an address that shows what was asked for.
#[test]
fn a_traced_query_and_a_file_open_in_the_lab() {
    let Some((_, browser)) = open("a_traced_query_and_a_file_open_in_the_lab") else {
        return;
    };
    let traced = Lab::run(&["trace", "--lab", "--no-open"]);
    browser.go(&traced.address);
    browser.wait(READY);
    assert_eq!(shown(&browser)["id"], "tutorial");
    assert!(browser.text("step-title").starts_with("GJK, step 1"));
    let arm = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../gjk-check/examples/arm.json"
    );
    let file = Lab::run(&["lab", arm, "--no-open", "--port", "0"]);
    browser.go("about:blank");
    browser.go(&file.address);
    browser.wait(TOLD);
    assert!(
        browser.text("crowd-told").contains("3 touch or overlap")
            || browser.text("crowd-told").contains("2 touch")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
