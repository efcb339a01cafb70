//! Paths of an arm in the lab: the slider, the spans beneath it, and the buttons that divide them.

use super::driver::Browser;
use super::{READY, open};
use serde_json::json;

/// Chooses a path of the list and waits for its answer.
fn choose(browser: &Browser, scene: &str) {
    browser.run(&format!(
        "document.querySelector('[data-scene={scene}]').click(); return 0"
    ));
    browser.wait(&format!(
        "return document.getElementById('verdict').dataset.query === '{scene}'"
    ));
}

fn slide(browser: &Browser, time: f64) {
    browser.run(&format!("const s = document.getElementById('time'); s.value = {time}; s.dispatchEvent(new Event('input')); return 0"));
    browser.wait(&format!(
        "return document.getElementById('step-title').textContent === 'At t = {time:?}'"
    ));
}

fn count(browser: &Browser, selector: &str) -> u64 {
    let script = format!("return document.querySelectorAll('{selector}').length");
    browser.run(&script).as_u64().unwrap()
}

fn said(browser: &Browser) -> String {
    let word = browser.run("return document.querySelector('#verdict strong').textContent");
    word.as_str().unwrap().to_owned()
}

#[test]
fn a_path_is_divided_until_it_is_proved() {
    let Some((lab, browser)) = open("a_path_is_divided_until_it_is_proved") else {
        return;
    };
    browser.go(&lab.address);
    browser.wait(READY);
    choose(&browser, "arm-passes");
    slide(&browser, 0.25);
    assert_eq!(said(&browser), "undecided");
    let spans = || {
        (
            count(&browser, "#pieces .span_closed"),
            count(&browser, "#pieces .span_open"),
        )
    };
    assert_eq!(spans(), (0, 1));
    // Both pictures: the arm, and the differences with the bound, which has the origin in it, so that no line parts them.
    for (layer, many) in [
        ("#world .link_b", 1),
        ("#world .link_a", 1),
        ("#world .link_end_b", 2),
        ("#difference .swept_bound", 1),
        ("#difference .end_difference", 2),
        ("#difference .plane", 0),
    ] {
        assert_eq!(count(&browser, layer), many, "{layer}");
    }
    browser.click("#arm-split");
    browser.wait(
        "return document.querySelectorAll('#pieces .span_closed, #pieces .span_open').length === 2",
    );
    browser.click("#arm-prove");
    browser.wait("return document.querySelector('#verdict strong').textContent === 'free'");
    let (closed, left) = spans();
    assert!(closed > 2 && left == 0, "{closed} {left}");
    assert_eq!(count(&browser, "#difference .plane"), 1);
    assert!(
        browser
            .text("step")
            .contains("above 0: apart in the whole span")
    );
    // The address holds the spans, and the keys the time.
    let splits =
        "return JSON.parse(decodeURIComponent(location.hash.slice(1))).query.splits.length";
    assert_eq!(browser.run(splits), json!(closed - 1));
    browser.run("document.activeElement.blur(); return 0");
    browser.press("\u{e014}");
    browser.wait("return document.getElementById('step-title').textContent === 'At t = 0.26'");
    browser.click("#arm-whole");
    browser.wait("return document.querySelectorAll('#pieces .span_open').length === 1");
    // Legend entries lead to a section that is there.
    let page = "const at = document.querySelector('#legend [data-layer=swept_bound] a'); return fetch(at.href).then((r) => r.text()).then((text) => text.includes(`id=\"${at.hash.slice(1)}\"`))";
    assert_eq!(browser.run(page), true);
    choose(&browser, "arm-hits");
    browser.click("#arm-prove");
    browser.wait("return document.querySelectorAll('#pieces .span_closed').length > 3");
    assert_eq!(said(&browser), "hits");
    assert!(spans().1 > 0);
    choose(&browser, "arm-together");
    assert_eq!((said(&browser).as_str(), spans()), ("free", (1, 0)));
    // Another kind of scene has its own controls again.
    browser.run("document.querySelector('[data-motion]').click(); return 0");
    browser.wait("return !document.body.classList.contains('arms')");
    assert_eq!(browser.text("error"), "");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
