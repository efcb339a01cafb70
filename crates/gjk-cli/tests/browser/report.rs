//! The page that `gjk check --html` writes, opened as a file.

use super::driver::Browser;
use super::window;
use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page about a scene, and the folder that it is in.
struct Written {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Written {
    fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        let run = Command::new(cargo_bin("gjk"))
            .args(["check", "--html"])
            .arg(&path)
            .args(arguments)
            .output()
            .unwrap();
        assert!(path.exists(), "{}", String::from_utf8_lossy(&run.stderr));
        Self {
            _folder: folder,
            path,
        }
    }

    /// Opens it and waits for its picture.
    fn open(&self, browser: &Browser) {
        browser.go(&format!("file://{}", self.path.display()));
        browser.wait("return document.documentElement.dataset.picture === 'ready'");
    }
}

fn own(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    data.join(name).display().to_string()
}

/// What the rows of the list say, a text a row.
fn rows(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('#list tr[data-row]')].map((row) => [...row.cells].map((c) => c.textContent).join(' '))";
    texts(&browser.run(script))
}

pub(super) fn texts(list: &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// The row that is chosen.
fn chosen(browser: &Browser) -> String {
    let script = "return [...document.querySelectorAll('#list tr[aria-selected=true]')].map((row) => row.cells[1].textContent + '-' + row.cells[2].textContent)";
    texts(&browser.run(script)).join(" ")
}

/// Types into the field that filters.
fn filter(browser: &Browser, text: &str) {
    let text = json!(text);
    browser.run(&format!(
        "const field = document.getElementById('filter'); field.value = {text}; field.dispatchEvent(new Event('input')); return 0"
    ));
}

/// How many of the picture's dots have a colour of neither the ground nor the veil: what is drawn of the chosen bodies.
fn coloured(browser: &Browser) -> u64 {
    browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
    let script = "const canvas = document.querySelector('#space canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const dots = context.getImageData(0, 0, copy.width, copy.height).data;
        let count = 0;
        for (let k = 0; k < dots.length; k += 4) if (dots[k + 3] > 90 && Math.abs(dots[k] - dots[k + 2]) > 40) count++;
        return count";
    browser.run(script).as_u64().unwrap()
}

#[test]
fn the_first_finding_is_chosen_said_and_drawn() {
    let Some(browser) = window("the_first_finding_is_chosen_said_and_drawn") else {
        return;
    };
    Written::new(&[]).open(&browser);
    assert_eq!(chosen(&browser), "gripper-bracket");
    assert_eq!(
        browser.text("says"),
        "gripper and bracket overlap: 0.004 m deep"
    );
    assert_eq!(
        browser.text("outcome"),
        "✗ 1 pair overlaps, 1 touches, 1 is nearer than 0.005 m"
    );
    assert!(browser.text("foot").contains("Smooth shapes"));
    let first = coloured(&browser);
    assert!(first > 5000, "{first}");
    // Down the list, by keys and by a click, in the picture too.
    browser.press("\u{e015}");
    assert_eq!(chosen(&browser), "table-parcel");
    browser.press("\u{e015}");
    assert_eq!(
        browser.text("says"),
        "forearm and lamp are 0.003 m apart, nearer than the 0.005 m asked for"
    );
    assert_ne!(coloured(&browser), first);
    browser.click("#list tr[data-row='0'] td");
    assert_eq!(chosen(&browser), "gripper-bracket");
    assert_eq!(coloured(&browser), first);
    // Close up there is more of the two bodies than with all others.
    browser.press("c");
    let near = coloured(&browser);
    browser.press("a");
    let far = coloured(&browser);
    assert!(far < first && first < near, "{far} {first} {near}");
    browser.press("f");
    assert_eq!(coloured(&browser), first);
    // The keys are told, and the switch makes the page dark.
    browser.press("?");
    assert_eq!(
        browser.run("return document.getElementById('keys').open"),
        true
    );
    browser.press("\u{e00c}");
    let ground = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.run(ground);
    browser.click("#theme");
    assert_ne!(browser.run(ground), light);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // Nothing was fetched but what the page made itself.
    let fetched =
        browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)");
    assert!(
        texts(&fetched)
            .iter()
            .all(|name| name.starts_with("blob:") || name.starts_with("data:")),
        "{fetched}"
    );
}

#[test]
fn the_list_is_sorted_filtered_and_grouped() {
    let Some(browser) = window("the_list_is_sorted_filtered_and_grouped") else {
        return;
    };
    Written::new(&["--all-pairs"]).open(&browser);
    assert_eq!(rows(&browser).len(), 30);
    assert!(rows(&browser)[0].starts_with("✗ overlapping gripper bracket"));
    let names = |column: usize| -> Vec<String> {
        let words = |row: String| row.split(' ').rev().nth(column).unwrap().to_owned();
        rows(&browser).into_iter().map(words).collect()
    };
    browser.click("[data-by=b]");
    assert!(names(1).is_sorted(), "{:?}", names(1));
    browser.click("[data-by=b]");
    assert!(names(1).iter().rev().is_sorted());
    assert_eq!(
        browser.run("return document.querySelector('[aria-sort]').textContent + document.querySelector('[aria-sort]').ariaSort"),
        "bdescending"
    );
    browser.click("[data-by=distance]");
    let distances: Vec<f64> = names(0)
        .iter()
        .map(|x| x.replace('−', "-").parse().unwrap())
        .collect();
    assert!(
        distances.is_sorted() && distances[0] == -0.004,
        "{distances:?}"
    );
    filter(&browser, "lamp fore");
    assert_eq!(rows(&browser).len(), 1);
    filter(&browser, "no such body");
    assert_eq!(
        (rows(&browser).len(), browser.text("nothing").as_str()),
        (0, "No pair is like that.")
    );
    filter(&browser, "");
    browser.click("[data-kind=touching]");
    assert_eq!(rows(&browser).len(), 1);
    browser.click("[data-kind=touching]");
    browser.run("const by = document.getElementById('group'); by.value = 'body'; by.dispatchEvent(new Event('change')); return 0");
    assert_eq!(rows(&browser).len(), 60);
    assert_eq!(
        browser.run("return document.querySelectorAll('#list tr.body').length"),
        9
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_slider_goes_through_the_states() {
    let Some(browser) = window("the_slider_goes_through_the_states") else {
        return;
    };
    let (robot, states) = (own("two_arms.urdf"), own("two_arms.csv"));
    Written::new(&[&robot, "--states", &states]).open(&browser);
    // It opens in the worst state.
    assert_eq!(browser.text("state-name"), "#3 of 4");
    assert!(
        browser
            .text("says")
            .contains("state 3; so in 2 of 4 states")
    );
    let worst = coloured(&browser);
    browser.run("const slider = document.getElementById('state'); slider.value = 0; slider.dispatchEvent(new Event('input')); return 0");
    assert_eq!(browser.text("state-name"), "#0 of 4");
    assert_eq!(
        browser.text("says"),
        "left and right: nothing found in state 0"
    );
    assert_ne!(coloured(&browser), worst);
    browser.click("#now");
    assert_eq!(rows(&browser).len(), 0);
    browser.press("]");
    browser.click("#state-after");
    assert_eq!(browser.text("state-name"), "#2 of 4");
    assert!(!rows(&browser).is_empty());
    browser.click("#state-worst");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_phone_shows_all_of_it_without_scrolling_sideways() {
    let Some(browser) = window("a_phone_shows_all_of_it_without_scrolling_sideways") else {
        return;
    };
    browser.phone(390, 844);
    browser.dark();
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "</script><img src=x onerror=alert(1)>",
        &"long_".repeat(40),
        "歯車 {a}",
    ];
    let body = |(k, name): (usize, &&str)| json!({"name": name, "pose": {"translation": [1.5 * k as f64, 0, 0]}, "parts": [{"shape": "ball", "radius": 1}]});
    let scene =
        json!({"unit": "mm", "bodies": names.iter().enumerate().map(body).collect::<Vec<_>>()});
    let path = folder.path().join("names.json");
    std::fs::write(&path, scene.to_string()).unwrap();
    let (robot, states) = (own("two_arms.urdf"), own("two_arms.csv"));
    let width = "return [document.documentElement.scrollWidth, innerWidth]";
    for arguments in [
        &[path.to_str().unwrap()][..],
        &[&robot, "--states", &states],
    ] {
        Written::new(arguments).open(&browser);
        assert_eq!(browser.run(width), json!([390, 390]));
        // The picture is above the list.
        let above = "const at = (id) => document.getElementById(id).getBoundingClientRect(); return at('space').bottom <= at('list').top && at('space').height > 200";
        assert_eq!(browser.run(above), true);
        assert_eq!(
            browser.run("return document.documentElement.dataset.theme"),
            "dark"
        );
        assert_eq!(browser.run("return document.images.length"), 0);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn without_webgl_the_list_works_and_the_picture_says_why_there_is_none() {
    let Some(browser) =
        window("without_webgl_the_list_works_and_the_picture_says_why_there_is_none")
    else {
        return;
    };
    browser.before_pages("HTMLCanvasElement.prototype.getContext = () => null");
    let page = Written::new(&[]);
    browser.go(&format!("file://{}", page.path.display()));
    browser.wait("return document.documentElement.dataset.picture === 'none'");
    assert!(browser.text("no-picture").contains("no WebGL 2"));
    browser.press("\u{e015}");
    assert_eq!(chosen(&browser), "table-parcel");
    browser.press("f");
    filter(&browser, "lamp");
    assert_eq!(rows(&browser).len(), 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_about_nothing_says_so() {
    let Some(browser) = window("a_page_about_nothing_says_so") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.json");
    std::fs::write(&path, r#"{"bodies":[]}"#).unwrap();
    let page = Written::new(&[path.to_str().unwrap()]);
    page.open(&browser);
    assert!(browser.text("says").starts_with("Nothing was found"));
    assert_eq!(browser.text("outcome"), "✓ 0 pairs overlap, 0 touch");
    assert_eq!(rows(&browser).len(), 0);
    browser.press("\u{e015}");
    browser.press("a");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_drag_turns_the_picture_and_a_click_names_a_body() {
    let Some(browser) = window("a_drag_turns_the_picture_and_a_click_names_a_body") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.json");
    let block = |name: &str, x: f64| json!({"name": name, "pose": {"translation": [x, 0, 0]}, "parts": [{"shape": "box", "half_extents": [1, 2, 3]}]});
    let scene = json!({"bodies": [block("left", 0.0), block("right", 1.5), block("far", 9.0)]});
    std::fs::write(&path, scene.to_string()).unwrap();
    Written::new(&[path.to_str().unwrap()]).open(&browser);
    let first = coloured(&browser);
    let script = "const box = document.getElementById('space').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]";
    let middle = browser.run(script);
    let middle = [0, 1].map(|k| middle[k].as_f64().unwrap() as i64);
    browser.drag(middle, [middle[0] + 90, middle[1] + 40]);
    let turned = coloured(&browser);
    assert_ne!(turned, first);
    assert!(turned > 5000, "{turned}");
    // A drag is no click.
    let picked = "return document.getElementById('picked').hidden ? '' : document.querySelector('#picked span').textContent";
    assert_eq!(browser.run(picked), "");
    browser.click("#space canvas");
    let named = browser.run(picked);
    assert!(
        named == "left: 1 pair" || named == "right: 1 pair",
        "{named}"
    );
    browser.click("#picked button");
    assert_eq!(rows(&browser).len(), 1);
    // With the focus on it, keys turn it and go near.
    browser.run("document.getElementById('space').focus(); return 0");
    browser.press("\u{e014}");
    assert_ne!(coloured(&browser), turned);
    browser.press("-");
    browser.press("-");
    assert!(coloured(&browser) < turned);
    assert_eq!(chosen(&browser), "left-right");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The layout of a report grows: what a page has no words for yet is shown all the same.
#[test]
fn fields_of_later_reports_are_shown() {
    let Some(browser) = window("fields_of_later_reports_are_shown") else {
        return;
    };
    let page = Written::new(&[]);
    let text = std::fs::read_to_string(&page.path).unwrap();
    let more = r#""thickness":{"lower":0.001,"upper":0.002},"protrusion":{"a":{"lower":0.003,"upper":0.003},"b":null},"new_word":[1,2,3],"flush":"#;
    let (head, body) = text.split_once("id=\"report\"").unwrap();
    let body = body
        .replacen("\"flush\":", more, 3)
        .replace("\"point_b\":[0.11", "\"point_b\":null,\"p\":[0.11");
    std::fs::write(&page.path, format!("{head}id=\"report\"{body}")).unwrap();
    page.open(&browser);
    let details = browser.text("details");
    for words in [
        "Thickness of the overlap[0.001, 0.002] m",
        "Reach into the othera: 0.003 m; b: none",
        "new word(1, 2, 3)",
        "Point of bnone",
    ] {
        assert!(details.contains(words), "{words}: {details}");
    }
    browser.press("c");
    assert!(coloured(&browser) > 5000);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
