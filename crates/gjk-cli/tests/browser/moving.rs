//! Motions, manifolds and stacks in the lab: the slider, the pieces beneath it, what dragging an end does, and the steps of a manifold.

use super::driver::Browser;
use super::{READY, gjk, open, shown};
use serde_json::{Value, json};

/// Chooses a scene of the list and waits for its answer.
fn choose(browser: &Browser, scene: &str) {
    browser.run(&format!(
        "document.querySelector('[data-scene={scene}]').click(); return 0"
    ));
    browser.wait(&format!(
        "return document.getElementById('verdict').dataset.query === '{scene}'"
    ));
}

/// Puts the slider at a time and waits until it is drawn.
fn slide(browser: &Browser, time: f64) {
    browser.run(&format!("const s = document.getElementById('time'); s.value = {time}; s.dispatchEvent(new Event('input')); return 0"));
    browser.wait(&format!(
        "return document.getElementById('step-title').textContent === 'At t = {time:?}'"
    ));
}

/// The verdict that the page says.
fn said(browser: &Browser) -> String {
    let word = browser.run("return document.querySelector('#verdict strong').textContent");
    word.as_str().unwrap().to_owned()
}

fn count(browser: &Browser, selector: &str) -> u64 {
    let script = format!("return document.querySelectorAll('{selector}').length");
    browser.run(&script).as_u64().unwrap()
}

#[test]
fn every_motion_is_scrubbed_and_played_without_a_complaint() {
    let Some((lab, browser)) = open("every_motion_is_scrubbed_and_played_without_a_complaint")
    else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    let scenes = browser
        .run("return [...document.querySelectorAll('[data-motion]')].map((b) => b.dataset.scene)");
    let scenes = scenes.as_array().unwrap();
    assert!(scenes.len() >= 8, "{scenes:?}");
    for scene in scenes {
        choose(&browser, scene.as_str().unwrap());
        assert!(count(&browser, "#pieces [class^=piece_]") >= 2, "{scene}");
        slide(&browser, 0.0);
        slide(&browser, 0.125);
        assert!(browser.text("step").contains("apart: piece"), "{scene}");
        let query = shown(&browser);
        let answer: Value = serde_json::from_str(&gjk(&["query"], &query)).unwrap();
        assert_eq!(said(&browser), answer["verdict"], "{scene}");
        assert_eq!(browser.text("error"), "", "{scene}");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{scene}");
    }
    browser.run("document.getElementById('motion-end').click(); return 0");
    browser.run("document.getElementById('motion-play').click(); return 0");
    browser.wait("return document.getElementById('motion-play').textContent.includes('Pause') && Number(document.getElementById('time').value) > 0.02");
    browser.run("document.getElementById('motion-play').click(); return 0");
    browser.wait("return document.getElementById('motion-play').textContent.includes('Play')");
}

/// A bar that is clear of the floor at both ends; its end is dragged up, and the answer is the library's.
#[test]
fn a_dragged_end_is_asked_again() {
    let Some((lab, browser)) = open("a_dragged_end_is_asked_again") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "bar-through-floor");
    slide(&browser, 0.0);
    assert_eq!(count(&browser, "#world line.plane"), 1);
    assert_eq!(
        (
            count(&browser, "#world .start_b"),
            count(&browser, "#world .end_b")
        ),
        (1, 1)
    );
    let corner = browser.run("const end = document.querySelector('#world .end_b'), p = end.points[0], m = end.getScreenCTM(); return [Math.round(p.x + m.e), Math.round(p.y + m.f)]");
    let [x, y] = [0, 1].map(|k| corner[k].as_i64().unwrap());
    // A little into the bar from its corner.
    browser.drag([x + 6, y + 4], [x + 66, y - 56]);
    browser.wait("return JSON.parse(decodeURIComponent(location.hash.slice(1))).query.b.motion.velocity !== undefined");
    let query = shown(&browser);
    let velocity = query["b"]["motion"]["velocity"].as_array().unwrap();
    assert!(
        velocity.iter().all(|x| x.as_f64().unwrap() > 0.0),
        "{query}"
    );
    assert_eq!(query["b"]["pose"]["translation"], json!([0, 0.7]));
    let answer: Value = serde_json::from_str(&gjk(&["query"], &query)).unwrap();
    assert_eq!(said(&browser), answer["verdict"]);
    let lower = answer["time"]["lower"].to_string();
    assert!(browser.text("verdict").contains(&lower), "{lower}");
    // The search is told as the command line tells it.
    let told = gjk(&["--color", "never", "trace"], &query);
    let steps = browser.run("return document.getElementById('motion-steps').textContent");
    assert!(told.contains(steps.as_str().unwrap()), "{told}");
}

#[test]
fn a_manifold_is_stepped_through_in_both_pictures() {
    let Some((lab, browser)) = open("a_manifold_is_stepped_through_in_both_pictures") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "box-on-box");
    assert_eq!(browser.text("step-title"), "Answer: 4 points");
    assert_eq!(count(&browser, "#difference .bearing.dots"), 4);
    browser.run("document.getElementById('first').click(); return 0");
    for _ in 0..3 {
        browser.run("document.getElementById('next').click(); return 0");
    }
    assert_eq!(browser.text("step-title"), "Where the faces overlap");
    assert_eq!(count(&browser, "#difference .corner.dots"), 8);
    let names = browser.run(
        "return [...document.querySelectorAll('#difference .label')].map((l) => l.textContent)",
    );
    assert!(
        names.as_array().unwrap().contains(&json!("A 4–5 · B 0–1")),
        "{names}"
    );
    let told: Value = serde_json::from_str(&gjk(&["query"], &shown(&browser))).unwrap();
    assert_eq!(told["points"].as_array().unwrap().len(), 4);
    // In the plane there is one picture.
    choose(&browser, "side-on-side");
    assert_eq!(
        browser.run("return document.getElementById('difference-figure').hidden"),
        true
    );
}

#[test]
fn stacks_stand_by_what_their_points_carry() {
    let Some((lab, browser)) = open("stacks_stand_by_what_their_points_carry") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    for scene in ["heap", "tower"] {
        browser.run(&format!(
            "document.querySelector('[data-scene={scene}]').click(); return 0"
        ));
        browser.wait("return /They bear on (\\d+) points, of which \\1 start/.test(document.getElementById('crowd-told').textContent)");
        assert_eq!(
            (browser.text("error"), browser.complaints()),
            (String::new(), Vec::new())
        );
    }
}

#[test]
fn a_motion_fits_a_phone() {
    let Some((lab, browser)) = open("a_motion_fits_a_phone") else {
        return;
    };
    browser.phone(390, 844);
    browser.dark();
    browser.go(&lab.address);
    browser.wait(READY);
    for scene in ["two-spin", "spinning-box", "box-on-box"] {
        choose(&browser, scene);
        let wide = browser.run("return document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(wide, true, "{scene}");
        assert_eq!(browser.text("error"), "", "{scene}");
    }
}
