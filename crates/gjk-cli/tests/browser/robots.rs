//! The pages of robots, opened as files: the matrix of `gjk acm --html`, the path of `gjk path --html`.

use super::driver::Browser;
use super::report::texts;
use super::window;
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// An arm whose hand reaches back to the base only with the elbow bent by more than 2.5.
const ARM: &str = r#"<robot name="arm">
  <link name="my_base"><collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="my_upper"><collision><origin xyz="0 0 0.2"/><geometry><box size="0.06 0.06 0.4"/></geometry></collision></link>
  <link name="my_hand"><collision><origin xyz="0 0 0.36"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="my_lamp"><collision><origin xyz="0 0 0.06"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="my_base"/><child link="my_upper"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="my_upper"/><child link="my_hand"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="stand" type="fixed"><parent link="my_base"/><child link="my_lamp"/><origin xyz="0 -1 0"/></joint>
</robot>"#;

const SRDF: &str = r#"<robot name="arm">
  <disable_collisions link1="my_base" link2="my_hand" reason="Never"/>
  <disable_collisions link1="my_base" link2="my_upper" reason="Adjacent"/>
</robot>"#;

/// The elbow bends on until the hand is in the base.
const PATH: &str = "time,shoulder,elbow\n0,-1.55,1.0\n2,-1.55,-1.0\n4,-1.55,-3.0\n";

/// A page about the arm, in a folder.
struct ArmPage {
    folder: tempfile::TempDir,
}

impl ArmPage {
    fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = Self { folder };
        std::fs::write(page.at("arm.urdf"), ARM).unwrap();
        std::fs::write(page.at("arm.srdf"), SRDF).unwrap();
        std::fs::write(page.at("path.csv"), PATH).unwrap();
        let run = Command::new(cargo_bin("gjk"))
            .current_dir(page.folder.path())
            .args(arguments)
            .args(["--html", "page.html"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(page.at("page.html").exists(), "{said}");
        page
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, browser: &Browser) {
        browser.go(&format!("file://{}", self.at("page.html").display()));
        browser.wait("return document.documentElement.dataset.picture === 'ready'");
    }
}

/// The matrix as letters, a text a row; a dot where there is no pair, an accent where the file says otherwise.
fn letters(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.cells tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) =>
        (cell.textContent || '.') + (cell.classList.contains('differs') ? '\\'' : '')).join(' '))";
    texts(&browser.run(script))
}

fn links(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.cells tbody th')].map((head) => head.lastChild.textContent)";
    texts(&browser.run(script))
}

#[test]
fn the_page_opens_on_the_matrix() {
    let Some(browser) = window("the_page_opens_on_the_matrix") else {
        return;
    };
    let page = ArmPage::new(&["acm", "arm.urdf", "--srdf", "arm.srdf", "--diff"]);
    page.open(&browser);
    // Along the chain, without what all names begin with; the arm and the lamp never meet the lamp's stand.
    assert_eq!(links(&browser), ["base", "upper", "hand", "lamp"]);
    let rows = letters(&browser);
    assert_eq!(rows[0], ". A ✗' A'");
    assert_eq!(rows[2], "✗' A' . N'");
    assert!(
        browser.text("says").starts_with(
            "my_base and my_hand are not checked (the file says Never), but overlap by at least "
        ),
        "{}",
        browser.text("says")
    );
    assert_eq!(
        browser.text("outcome"),
        "✗ 1 pair meets that the file has not checked"
    );
    let details = browser.text("details");
    for words in [
        "Reasonnone: it must be checked",
        "Basiswitness",
        "The fileNever; the line must go",
        "Depth of the overlap0.0994287 m",
        "elbow ",
    ] {
        assert!(details.contains(words), "{words}: {details}");
    }
    // A cell by the pointer, then by keys, from wherever the focus is.
    browser.click(".cells td[data-at='2 3']");
    assert!(
        browser
            .text("says")
            .starts_with("my_hand and my_lamp never meet: at least "),
        "{}",
        browser.text("says")
    );
    assert!(
        browser
            .text("details")
            .contains("Least distance of all states[")
    );
    browser.press("\u{e013}");
    assert!(browser.text("says").starts_with("my_upper and my_lamp"));
    let focused = "return document.activeElement.dataset.at";
    assert_eq!(browser.run(focused), "1 3");
    browser.press("\u{e011}");
    assert!(
        browser
            .text("says")
            .starts_with("my_base and my_upper are adjacent")
    );
    browser.press("\u{e012}");
    assert_eq!(browser.run(focused), "1 0");
    let selected = "return [...document.querySelectorAll('.cells td[aria-selected]')].map((cell) => cell.dataset.at)";
    assert_eq!(browser.run(selected), json!(["0 1", "1 0"]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_matrix_is_sorted_and_filtered_and_the_list_is_behind_it() {
    let Some(browser) = window("the_matrix_is_sorted_and_filtered_and_the_list_is_behind_it")
    else {
        return;
    };
    let page = ArmPage::new(&["acm", "arm.urdf", "--srdf", "arm.srdf"]);
    page.open(&browser);
    let sort = |by: usize| {
        browser.run(&format!(
            "const by = document.getElementById('links-by'); by.selectedIndex = {by}; by.dispatchEvent(new Event('change')); return 0"
        ));
        links(&browser)
    };
    assert_eq!(sort(1), ["base", "hand", "lamp", "upper"]);
    // The lamp has two links that it never meets, base none.
    assert_eq!(sort(2)[0], "lamp");
    assert_eq!(sort(3)[..2], ["base", "hand"]);
    let bright = || -> u64 {
        let script = "return document.querySelectorAll('.cells td[data-row]:not(.faded)').length";
        browser.run(script).as_u64().unwrap()
    };
    assert_eq!(bright(), 12);
    browser.click("[data-kind=adjacent]");
    assert_eq!(bright(), 6);
    browser.click("[data-kind=adjacent]");
    browser.click("#differs");
    assert_eq!(bright(), 10);
    let shown = |id: &str| -> Value {
        browser.run(&format!(
            "return document.getElementById('{id}').getBoundingClientRect().height > 0"
        ))
    };
    assert_eq!(
        (shown("matrix"), shown("list")),
        (json!(true), json!(false))
    );
    // A body that is clicked leads to its pairs, and states have no order.
    browser.press("]");
    browser.click("#space canvas");
    browser.wait("return !document.getElementById('picked').hidden");
    browser.click("#picked button");
    assert_eq!(
        (shown("matrix"), shown("list")),
        (json!(false), json!(true))
    );
    assert!(!browser.text("says").contains("nothing found"));
    let listed = "return document.querySelectorAll('#list tr[data-row]').length";
    assert_eq!(browser.run(listed), 3);
    browser.press("\u{e015}");
    let chosen = "return document.querySelector('#list tr[aria-selected=true] td').textContent";
    assert_ne!(browser.run(chosen), "✗ meets, not checked");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_phone_shows_the_matrix_without_scrolling_sideways() {
    let Some(browser) = window("a_phone_shows_the_matrix_without_scrolling_sideways") else {
        return;
    };
    browser.phone(390, 844);
    browser.dark();
    let page = ArmPage::new(&["acm", "arm.urdf"]);
    page.open(&browser);
    let width = "return [document.documentElement.scrollWidth, innerWidth]";
    assert_eq!(browser.run(width), json!([390, 390]));
    let order = "const at = (id) => document.getElementById(id).getBoundingClientRect(); return at('matrix').bottom <= at('says').top && at('says').top < at('space').bottom";
    assert_eq!(browser.run(order), true);
    // Without a file nothing is compared.
    assert_eq!(browser.text("outcome"), "✓ 6 pairs decided");
    assert!(letters(&browser).iter().all(|row| !row.contains('\'')));
    assert_eq!(
        browser.run("return document.getElementById('differs-label').hidden && document.getElementById('confusion').hidden"),
        true
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_slider_of_time_goes_over_the_path_and_its_clearance() {
    let Some(browser) = window("a_slider_of_time_goes_over_the_path_and_its_clearance") else {
        return;
    };
    ArmPage::new(&["path", "arm.urdf", "path.csv"]).open(&browser);
    assert_eq!(browser.text("outcome"), "✗ links collide");
    // It opens where the links first meet.
    let says = browser.text("says");
    assert!(says.starts_with("my_base and my_hand overlap"), "{says}");
    let first = browser.text("state-name");
    assert!(browser.text("events").contains(&first), "{first}");
    assert!(
        browser
            .text("clearance")
            .contains("my_base and my_hand meet.")
    );
    // The marks are where the slider is: 64 slices, those of the overlap among them.
    let count = |kind: &str| -> u64 {
        let script = format!("return document.querySelectorAll('#curve .{kind}').length");
        browser.run(&script).as_u64().unwrap()
    };
    assert_eq!(count("free") + count("met"), 64);
    assert!(count("met") > 0 && count("hit") == 1 && count("point") == 3);
    let gap = "const at = (one) => one.getBoundingClientRect(); const [cursor, hit] = ['.cursor', '.hit'].map((kind) => at(document.querySelector('#curve ' + kind)).x); return Math.abs(cursor - hit) < 1";
    assert_eq!(browser.run(gap), true);
    // A key goes to the state before, which is apart; a click on the curve goes there.
    browser.run("document.getElementById('state').focus(); return 0");
    browser.press("\u{e012}");
    assert!(
        browser.text("says").contains(" apart at "),
        "{}",
        browser.text("says")
    );
    assert_ne!(browser.text("state-name"), first);
    browser.click("#curve");
    assert_eq!(browser.text("state-name"), "2.000\u{a0}s");
    assert!(browser.text("clearance").contains("apart, proved"));
    browser.click("#events button:last-child");
    assert_eq!(browser.text("state-name"), "4.000\u{a0}s");
    let spoken = "return document.getElementById('state').getAttribute('aria-valuetext')";
    assert!(browser.run(spoken).as_str().unwrap().starts_with("4.000"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_phone_shows_the_path_without_scrolling_sideways() {
    let Some(browser) = window("a_phone_shows_the_path_without_scrolling_sideways") else {
        return;
    };
    browser.phone(390, 844);
    ArmPage::new(&["path", "arm.urdf", "path.csv"]).open(&browser);
    let width = "return [document.documentElement.scrollWidth, innerWidth, document.getElementById('curve').clientWidth > 300]";
    assert_eq!(browser.run(width), json!([390, 390, true]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
