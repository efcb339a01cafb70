//! `gjk acm` as its users see it.

use super::{Run, again};
use serde_json::Value;
use std::path::Path;

/// An arm whose hand reaches back to the base only with the elbow bent by more than 2.5.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0 0 0.2"/><geometry><box size="0.06 0.06 0.4"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="0 0 0.36"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="hand"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/>SAFETY</joint>
</robot>"#;

const SAFE: &str =
    r#"<safety_controller soft_lower_limit="-2.5" soft_upper_limit="2.5" k_velocity="1"/>"#;

const SRDF: &str = "<robot name=\"arm\">\r\n  <!-- by hand -->\r\n  <disable_collisions link1=\"base\" link2=\"hand\" reason=\"Never\"/>\r\n</robot>\r\n";

fn folder(safety: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("arm.urdf"),
        ARM.replace("SAFETY", safety),
    )
    .unwrap();
    std::fs::write(folder.path().join("arm.srdf"), SRDF).unwrap();
    folder
}

fn acm(folder: &Path, args: &[&str]) -> Run {
    again(folder, &[&["acm", "arm.urdf"], args].concat())
}

fn pair<'r>(report: &'r Value, a: &str, b: &str) -> &'r Value {
    let pairs = report["pairs"].as_array().unwrap();
    pairs
        .iter()
        .find(|pair| pair["a"] == a && pair["b"] == b)
        .unwrap()
}

#[test]
fn a_pair_that_the_file_has_wrong_fails_and_is_shown() {
    let folder = folder("");
    let run = acm(folder.path(), &["--srdf", "arm.srdf", "--diff"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for part in [
        "✗  base",
        "not checked, but collide, ",
        "elbow",
        "(the file says Never)",
        "0 of the file's 1 \"Never\" proved, 1 refuted",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    // The state alone says the same.
    let run = acm(folder.path(), &["--srdf", "arm.srdf", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let found = pair(&report, "base", "hand");
    assert_eq!(
        (found["basis"].as_str(), found["action"].as_str()),
        (Some("witness"), Some("remove"))
    );
    let state = &found["state"];
    let row = format!("shoulder,elbow\n{},{}\n", state["shoulder"], state["elbow"]);
    std::fs::write(folder.path().join("state.csv"), row).unwrap();
    let checked = again(
        folder.path(),
        &["check", "arm.urdf", "--states", "state.csv"],
    );
    assert_eq!(checked.code, 1);
    assert!(
        checked.out.contains("overlapping  base  hand"),
        "{}",
        checked.out
    );
}

/// Reasons of the file down, those that were found across; the report for programs has the same counts.
#[test]
fn reasons_of_the_file_are_counted_against_those_found() {
    let folder = folder("");
    let table = |srdf: &str, args: &[&str]| {
        std::fs::write(folder.path().join("arm.srdf"), srdf).unwrap();
        let all = [&["--srdf", "arm.srdf", "--diff"], args].concat();
        let run = acm(folder.path(), &all);
        let lines = run.out.lines();
        let table = lines.skip_while(|line| !line.contains("the file says  "));
        let table: Vec<&str> = table.take_while(|line| !line.is_empty()).collect();
        table.join("\n")
    };
    assert_eq!(
        table(SRDF, &[]),
        "  the file says  adjacent  default  always  never, proved  meets
  Adjacent              ·        ·       ·              ·      ·
  Default               ·        ·       ·              ·      ·
  Always                ·        ·       ·              ·      ·
  Never                 ·        ·       ·              ·      1
  not listed            2        ·       ·              ·      ·"
    );
    // A reason that MoveIt does not know is a person's; a pair that cells do not suffice for is open.
    let lines = SRDF.replace("Never", "padded").replace(
        "  <!-- by hand -->",
        "  <disable_collisions link1=\"base\" link2=\"upper\" reason=\"Adjacent\"/>",
    );
    let args = ["--limits", "elbow.csv", "--cells", "1", "--only-proved"];
    let range = "joint,lower,upper\nelbow,-2.5,2.5\n";
    std::fs::write(folder.path().join("elbow.csv"), range).unwrap();
    assert_eq!(
        table(&lines, &args),
        "  the file says  adjacent  default  always  never, proved  open
  Adjacent              1        ·       ·              ·     ·
  Default               ·        ·       ·              ·     ·
  Always                ·        ·       ·              ·     ·
  Never                 ·        ·       ·              ·     ·
  User                  ·        ·       ·              ·     1
  not listed            1        ·       ·              ·     ·"
    );
    let run = acm(
        folder.path(),
        &[&["--srdf", "arm.srdf", "--json"][..], &args].concat(),
    );
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let rows = report["confusion"].as_array().unwrap();
    let names: Vec<&Value> = rows.iter().map(|row| &row["srdf"]).collect();
    assert_eq!(
        serde_json::json!(names),
        serde_json::json!(["Adjacent", "Default", "Always", "Never", "User", null])
    );
    assert_eq!(
        rows[4],
        serde_json::json!({"srdf": "User", "adjacent": 0, "default": 0, "always": 0, "never_proved": 0,
            "never_sampled": 0, "meets": 0, "touches": 0, "open": 1})
    );
    // Each pair is in one place.
    let counts = rows
        .iter()
        .flat_map(|row| row.as_object().unwrap().values());
    assert_eq!(counts.filter_map(Value::as_u64).sum::<u64>(), 3);
    // Without a file there is nothing to compare, and --diff without one is refused.
    let run = acm(folder.path(), &["--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report.get("confusion"), None);
    assert_eq!(acm(folder.path(), &["--diff"]).code, 2);
    let schema = again(folder.path(), &["schema", "acm"]);
    assert!(schema.out.contains("never_sampled"), "{}", schema.out);
}

/// The same arm within its soft limits: never, and the file is right.
#[test]
fn soft_limits_are_what_counts_unless_hard_ones_are_asked_for() {
    let folder = folder(SAFE);
    let run = acm(folder.path(), &["--srdf", "arm.srdf", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["schema"], "gjk-acm/1");
    let found = pair(&report, "base", "hand");
    assert_eq!(
        (found["reason"].as_str(), found["basis"].as_str()),
        (Some("never"), Some("proof"))
    );
    let distance = |end: &str| found["distance"][end].as_f64().unwrap();
    assert!(0.0 < distance("lower") && distance("upper") < distance("lower") * 1.12);
    assert_eq!(
        acm(folder.path(), &["--srdf", "arm.srdf", "--limits", "hard"]).code,
        1
    );
    // A margin beyond the least distance keeps the pair checked.
    let margin = format!("{}", distance("upper") + 0.001);
    assert_eq!(
        acm(folder.path(), &["--srdf", "arm.srdf", "--margin", &margin]).code,
        1
    );
}

#[test]
fn a_file_is_put_right_to_the_byte_and_once() {
    let folder = folder("");
    let path = folder.path().join("arm.srdf");
    let run = acm(folder.path(), &["--update", "arm.srdf"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let first = std::fs::read_to_string(&path).unwrap();
    assert!(
        first.starts_with("<robot name=\"arm\">\r\n  <!-- by hand -->\r\n"),
        "{first}"
    );
    assert!(
        !first.contains("Never") && first.matches("Adjacent").count() == 2,
        "{first}"
    );
    acm(folder.path(), &["--update", "arm.srdf"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
    // The check takes it.
    assert!(again(folder.path(), &["check", "arm.urdf", "--srdf", "arm.srdf"]).code <= 1);
    // A person's line stays, and is told.
    std::fs::write(&path, SRDF.replace("Never", "the base is padded")).unwrap();
    let run = acm(folder.path(), &["--update", "arm.srdf"]);
    assert_eq!(run.code, 1);
    assert!(std::fs::read_to_string(&path).unwrap().contains("padded"));
}

#[test]
fn files_beside_the_report_say_the_same() {
    let folder = folder("");
    let args = [
        "--srdf", "arm.srdf", "--junit", "m.xml", "--html", "m.html", "--out", "new.srdf",
    ];
    assert_eq!(acm(folder.path(), &args).code, 1);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let xml = read("m.xml");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let count = |name: &str| {
        document
            .descendants()
            .filter(|node| node.has_tag_name(name))
            .count()
    };
    assert_eq!((count("testcase"), count("failure")), (3, 1));
    assert!(read("m.html").contains("base") && read("new.srdf").contains("Adjacent"));
    let told = "a second program checked the proof";
    assert!(!xml.contains(told) && !read("m.html").contains(told));
    let args = ["--junit", "m.xml", "--html", "m.html", "--verify"];
    let folder = self::folder(SAFE);
    assert_eq!(acm(folder.path(), &args).code, 0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("m.xml").contains(told) && read("m.html").contains(told));
}

/// What the scripts of the page draw: the matrix along the chain, each pair once with its letter, and the report for programs.
#[test]
fn the_page_opens_on_the_matrix_and_holds_the_report() {
    let folder = folder("");
    let args = ["--srdf", "arm.srdf", "--json", "--html", "m.html"];
    let run = acm(folder.path(), &args);
    let page = std::fs::read_to_string(folder.path().join("m.html")).unwrap();
    let held = |id: &str| -> Value {
        let start = format!("<script type=\"application/json\" id=\"{id}\">");
        let (_, rest) = page.split_once(&start).unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    };
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(held("answer"), report);
    let data = held("page");
    assert_eq!(data["command"], "acm");
    assert_eq!(data["tone"], "bad");
    assert_eq!(data["view"]["opens"], "matrix");
    assert_eq!(data["view"]["links"], serde_json::json!([0, 1, 2]));
    // Every pair has a row, what the file has wrong first; its place in the report is told.
    let told = |row: usize| {
        let place = data["rows"][row]["pair"].as_u64().unwrap() as usize;
        let pair = &data["pairs"][place];
        let entry = &report["pairs"][pair["answer"].as_u64().unwrap() as usize];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let [sign, differs] = [&pair["sign"], &pair["differs"]].map(text);
        (text(&entry["a"]), text(&entry["b"]), sign, differs)
    };
    let line = |a: &str, b: &str, sign: &str, differs: &str| {
        let [a, b, sign, differs] = [a, b, sign, differs].map(str::to_owned);
        (a, b, sign, differs)
    };
    assert_eq!(data["rows"].as_array().unwrap().len(), 3);
    let wrong = "the file has it not checked, reason Never";
    assert_eq!(told(0), line("base", "hand", "✗", wrong));
    let added = "the file has it checked";
    assert_eq!(told(1), line("base", "upper", "A", added));
    assert_eq!(told(2), line("upper", "hand", "A", added));
    // A page of a check holds no other report.
    let check = ["check", "arm.urdf", "--html", "m.html"];
    again(folder.path(), &check);
    let page = std::fs::read_to_string(folder.path().join("m.html")).unwrap();
    assert!(page.contains("id=\"answer\">null</script>"));
}

#[test]
fn what_cannot_be_answered_is_said() {
    let folder = folder("");
    let says = |args: &[&str], text: &str| {
        let run = acm(folder.path(), args);
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains(text), "{text}: {}", run.err);
    };
    says(&["--limits", "none.csv"], "none.csv");
    says(&["--default-state", "home"], "neither a group state");
    says(&["--out", "no/such/folder.srdf"], "make it first");
    let run = again(folder.path(), &["acm", "arm.srdf"]);
    assert_eq!(run.code, 2);
    std::fs::write(
        folder.path().join("ball.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    )
    .unwrap();
    let run = again(folder.path(), &["acm", "ball.obj"]);
    assert!(run.code == 2 && run.err.contains("no robot"), "{}", run.err);
    // A joint that slides without end: the pair is named, and a proof is not claimed.
    let slide = ARM.replace("SAFETY", "").replace(
        "revolute\"><parent link=\"upper\"",
        "floating\"><parent link=\"upper\"",
    );
    std::fs::write(folder.path().join("arm.urdf"), slide).unwrap();
    let run = acm(folder.path(), &["--json", "--only-proved"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let found = pair(&report, "base", "hand");
    assert_eq!(found["reason"], Value::Null);
    assert!(
        found["refusal"].as_str().unwrap().contains("elbow"),
        "{found}"
    );
    assert_eq!(run.code, 1);
}
