//! `gjk check --html` and `--junit`: what is in the files, whatever the names in a scene are, and what is said where a file cannot
//! be written.

use super::{Run, gjk, own, report};
use roxmltree::Document;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Names that would end an element, an attribute or a comment, and names that are not Latin.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=alert(1)>",
    "a\"b'c&amp;<!--]]>{{script}}{b}",
    "歯車 ⚙ é",
    "tab\tand\nline",
];

/// A folder for one test's files, and the path of one of them.
fn folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().to_owned();
    (folder, move |name: &str| {
        at.join(name).display().to_string()
    })
}

/// A row of boxes that overlap their neighbours.
fn row_of_boxes(names: &[&str]) -> Value {
    let body = |(k, name): (usize, &&str)| {
        json!({"name": name, "pose": {"translation": [1.5 * k as f64, 0, 0]},
            "parts": [{"shape": "box", "half_extents": [1, 1, 1]}]})
    };
    json!({"unit": "mm", "bodies": names.iter().enumerate().map(body).collect::<Vec<_>>()})
}

/// The JSON that an element of a page holds.
fn held(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Runs a check that writes a page.
fn page(args: &[&str]) -> (String, Run) {
    let (folder, at) = folder();
    let file = at("report.html");
    let run = gjk(&[&["check", "--html", &file], args].concat());
    let page = fs::read_to_string(&file).unwrap_or_default();
    drop(folder);
    (page, run)
}

#[test]
fn the_page_holds_the_report_and_a_sentence_for_each_pair() {
    let (page, run) = page(&[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(held(&page, "report"), report(&[]).0);
    let data = held(&page, "page");
    let says: Vec<&Value> = data["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["says"])
        .collect();
    assert_eq!(
        says,
        [
            "{a} and {b} touch, where a gap of 0.005 m was asked for",
            "{a} and {b} are 0.003 m apart, nearer than the 0.005 m asked for",
            "{a} and {b} overlap: 0.004 m deep",
        ]
    );
    // The most severe first.
    assert_eq!(
        data["rows"],
        json!([{"pair": 2, "states": 1}, {"pair": 0, "states": 1}, {"pair": 1, "states": 1}])
    );
    assert_eq!(
        data["headline"],
        "1 pair overlaps, 1 touches, 1 is nearer than 0.005 m"
    );
    // Nineteen parts, of which boxes that are alike are one form.
    assert_eq!(data["scene"]["parts"].as_array().unwrap().len(), 19);
    assert!(data["scene"]["forms"].as_array().unwrap().len() < 19);
    // Without scripts there is the table.
    let (_, noscript) = page.split_once("<noscript>").unwrap();
    assert!(noscript.contains("✗ overlapping  gripper  bracket"));
    // Nothing is asked of a network.
    let code = page.split("<script type=\"text/plain\"").next().unwrap();
    assert!(!code.contains("http://") && !code.contains("https://") && !code.contains("src=\""));
}

#[test]
fn no_name_breaks_out_of_the_page_or_the_xml() {
    let (_folder, at) = folder();
    fs::write(at("scene <&> ü.json"), row_of_boxes(&HOSTILE).to_string()).unwrap();
    let (html, junit) = (at("report.html"), at("report.xml"));
    let run = gjk(&[
        "check",
        &at("scene <&> ü.json"),
        "--json",
        "--html",
        &html,
        "--junit",
        &junit,
    ]);
    assert_eq!(run.code, 1, "{}", run.err);
    let page = fs::read_to_string(html).unwrap();
    let printed: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(held(&page, "report"), printed);
    assert_eq!(printed["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(printed["bodies"][0]["name"], HOSTILE[0]);
    assert_eq!(page.matches("</script").count(), 6);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert!(page.contains("<h1>scene &lt;&amp;&gt; ü.json</h1>"));
    let xml = fs::read_to_string(junit).unwrap();
    let document = Document::parse(&xml).unwrap();
    let cases: Vec<_> = document
        .descendants()
        .filter(|n| n.has_tag_name("testcase"))
        .collect();
    let wanted: Vec<String> = (0..3)
        .map(|k| format!("`{}` and `{}`", HOSTILE[k], HOSTILE[k + 1]))
        .collect();
    let mut found: Vec<String> = cases[..3]
        .iter()
        .map(|case| case.attribute("name").unwrap().to_owned())
        .collect();
    found.sort_by_key(|name| wanted.iter().position(|one| one == name));
    assert_eq!(found, wanted);
}

#[test]
fn a_check_that_finds_nothing_has_a_page_and_a_case_that_passes() {
    let (_folder, at) = folder();
    let mut scene = row_of_boxes(&["one", "two"]);
    scene["bodies"][1]["pose"]["translation"] = json!([9, 0, 0]);
    fs::write(at("apart.json"), scene.to_string()).unwrap();
    let (html, junit) = (at("report.html"), at("report.xml"));
    let run = gjk(&[
        "check",
        &at("apart.json"),
        "--html",
        &html,
        "--junit",
        &junit,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let data = held(&fs::read_to_string(html).unwrap(), "page");
    assert_eq!((&data["rows"], &data["pairs"]), (&json!([]), &json!([])));
    assert_eq!(data["headline"], "0 pairs overlap, 0 touch");
    let xml = fs::read_to_string(junit).unwrap();
    let document = Document::parse(&xml).unwrap();
    let suite = document
        .descendants()
        .find(|n| n.has_tag_name("testsuite"))
        .unwrap();
    assert_eq!(
        (suite.attribute("tests"), suite.attribute("failures")),
        (Some("1"), Some("0"))
    );
    let case = document
        .descendants()
        .find(|n| n.has_tag_name("testcase"))
        .unwrap();
    assert_eq!(case.attribute("name"), Some("all other pairs"));
    assert!(
        case.children()
            .all(|child| !child.has_tag_name("failure") && !child.has_tag_name("skipped"))
    );
}

#[test]
fn a_case_fails_where_the_check_does() {
    let (_folder, at) = folder();
    let junit = at("report.xml");
    let failing = |args: &[&str]| {
        let run = gjk(&[&["check", "--junit", &junit], args].concat());
        let xml = fs::read_to_string(&junit).unwrap();
        let document = Document::parse(&xml).unwrap();
        let suite = document
            .descendants()
            .find(|n| n.has_tag_name("testsuite"))
            .unwrap();
        let failures: Vec<(String, String)> = document
            .descendants()
            .filter(|n| n.has_tag_name("failure"))
            .map(|n| {
                (
                    n.attribute("type").unwrap().to_owned(),
                    n.attribute("message").unwrap().to_owned(),
                )
            })
            .collect();
        assert_eq!(
            suite.attribute("failures"),
            Some(failures.len().to_string().as_str())
        );
        let cases = document
            .descendants()
            .filter(|n| n.has_tag_name("testcase"))
            .count();
        assert_eq!(suite.attribute("tests"), Some(cases.to_string().as_str()));
        (run.code, failures, cases)
    };
    let overlap = (
        "overlapping".to_owned(),
        "`gripper` and `bracket` overlap: 0.004 m deep".to_owned(),
    );
    let arm = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../gjk-check/examples/arm.json")
        .display()
        .to_string();
    // Without a clearance a touch passes: it is a case all the same. One case is all other pairs.
    assert_eq!(failing(&[&arm]), (1, vec![overlap.clone()], 3));
    let (code, failures, cases) = failing(&[&arm, "--clearance", "0.005"]);
    assert_eq!((code, failures.len(), cases), (1, 3, 4));
    assert_eq!(failures[0], overlap);
    assert_eq!(failures[2].0, "too close");
    // Every pair is a case where every pair is asked for.
    assert_eq!(failing(&[&arm, "--all-pairs"]).2, 30);
}

#[test]
fn a_pair_that_is_undecided_is_skipped() {
    let (_folder, at) = folder();
    let junit = at("report.xml");
    let arm = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../gjk-check/examples/arm.json")
        .display()
        .to_string();
    let run = gjk(&["check", &arm, "--float-only", "--junit", &junit]);
    assert_eq!(run.code, 1, "{}", run.err);
    let xml = fs::read_to_string(junit).unwrap();
    let document = Document::parse(&xml).unwrap();
    let suite = document
        .descendants()
        .find(|n| n.has_tag_name("testsuite"))
        .unwrap();
    assert_eq!(suite.attribute("skipped"), Some("1"));
    let skipped = document
        .descendants()
        .find(|n| n.has_tag_name("skipped"))
        .unwrap();
    let case = skipped.parent().unwrap();
    assert_eq!(case.attribute("name"), Some("`table` and `parcel`"));
    assert!(
        skipped
            .attribute("message")
            .unwrap()
            .contains("is not decided")
    );
}

#[test]
fn a_pair_is_one_case_in_all_its_states() {
    let (_folder, at) = folder();
    let (html, junit) = (at("report.html"), at("report.xml"));
    let states = own("two_arms.csv");
    let run = gjk(&[
        "check",
        &own("two_arms.urdf"),
        "--states",
        &states,
        "--html",
        &html,
        "--junit",
        &junit,
    ]);
    assert_eq!(run.code, 1, "{}", run.err);
    let xml = fs::read_to_string(junit).unwrap();
    let document = Document::parse(&xml).unwrap();
    let failures: Vec<_> = document
        .descendants()
        .filter(|n| n.has_tag_name("failure"))
        .collect();
    let messages: Vec<_> = failures
        .iter()
        .filter_map(|n| n.attribute("message"))
        .collect();
    assert_eq!(
        messages,
        [
            "`left` and `right` are the same body in the same place: 0.25 m deep (state 3; so in 2 of 4 states)",
            "`tip` is inside `right`: 0.25 m deep (state 3; so in 2 of 4 states)",
        ]
    );
    let page = fs::read_to_string(html).unwrap();
    let data = held(&page, "page");
    assert_eq!(
        (&data["states"], &data["states_checked"]),
        (&json!([0, 1, 2, 3]), &json!(4))
    );
    // Each part has a pose in each state; what does not move has one.
    let parts = data["scene"]["parts"].as_array().unwrap().len();
    let poses = data["scene"]["poses"].as_u64().unwrap() as usize;
    assert!(parts < poses && poses < 4 * parts, "{poses} of {parts}");
}

#[test]
fn of_very_many_states_the_worst_are_in_the_page_and_the_numbers_are_of_all() {
    let (page, run) = page(&[&own("two_arms.urdf"), "--random", "500", "--seed", "3"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let (report, data) = (held(&page, "report"), held(&page, "page"));
    assert_eq!(
        (report["states"].as_u64(), data["states_checked"].as_u64()),
        (Some(500), Some(500))
    );
    let states: Vec<u64> = data["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_u64().unwrap())
        .collect();
    assert_eq!(states.len(), 300);
    assert!(states.is_sorted());
    for pair in report["pairs"].as_array().unwrap() {
        assert!(states.contains(&pair["state"].as_u64().unwrap()));
    }
    let whole = super::report(&[&own("two_arms.urdf"), "--random", "500", "--seed", "3"]).0;
    assert_eq!(report["worst"], whole["worst"]);
    assert!(!data["rows"].as_array().unwrap().is_empty());
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_run() {
    let (_folder, at) = folder();
    let missing = at("no folder/report.html");
    let Run { code, out, err } = gjk(&["check", "--html", &missing]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("no folder/report.html")
            && err.contains("cannot be written")
            && err.contains("make it first"),
        "{err}"
    );
    let Run { code, out, err } = gjk(&["check", "--junit", &at("")]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("it is a folder"), "{err}");
    let same = at("same");
    let Run { code, err, .. } = gjk(&["check", "--html", &same, "--junit", &same]);
    assert_eq!(code, 2);
    assert!(err.contains("the same file"), "{err}");
    let Run { code, err, .. } = gjk(&["check", "--html", "-"]);
    assert_eq!(code, 2);
    assert!(err.contains("standard output has the table"), "{err}");
    // A check that does not come to an end leaves no empty file, and what was there before.
    fs::write(at("kept.xml"), "before").unwrap();
    let run = gjk(&[
        "check",
        &at("no such scene.json"),
        "--html",
        &at("new.html"),
        "--junit",
        &at("kept.xml"),
    ]);
    assert_eq!(run.code, 2);
    assert!(!Path::new(&at("new.html")).exists());
    assert_eq!(fs::read_to_string(at("kept.xml")).unwrap(), "before");
}

#[test]
fn warnings_and_open_surfaces_are_in_the_page() {
    let (_folder, at) = folder();
    fs::create_dir(at("parts")).unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    fs::write(at("parts/open.obj"), tetrahedron).unwrap();
    fs::write(at("parts/notes.txt"), "no mesh").unwrap();
    let (page, run) = page(&[&at("parts")]);
    let told = run.err.lines().filter(|line| line.starts_with("warning: "));
    let told: Vec<&str> = told
        .map(|line| line.trim_start_matches("warning: "))
        .collect();
    assert!(!told.is_empty(), "{}", run.err);
    assert_eq!(held(&page, "page")["notes"], json!(told));
    let part = &held(&page, "report")["bodies"][0]["parts"][0];
    assert_eq!(
        (&part["kind"], &part["reason"]),
        (&json!("surface"), &json!("edge 0-2 is open"))
    );
}
