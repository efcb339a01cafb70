//! What `gjk path --html` writes: the states, the clearance and the first meetings that its scripts draw.

use super::{HIT, Run, again, gjk};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// The JSON that an element of a page holds.
fn held(folder: &Path, id: &str) -> Value {
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The view of a path, and the run that wrote it.
fn view(file: (&str, &str), more: &[&str]) -> (Value, Run, tempfile::TempDir) {
    let args = ["path", "robot.urdf", file.0, "--html", "page.html"];
    let (run, folder) = gjk(file, &[&args, more].concat());
    let page = held(folder.path(), "page");
    assert_eq!(page["command"], "path", "{}", run.err);
    (page["view"].clone(), run, folder)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_page_has_the_path_its_clearance_and_its_first_hits() {
    let (view, run, folder) = view(("p.csv", HIT), &["--slices", "4"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(number(&view["end"]), 4.0);
    let times = view["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| number(&s["at"]));
    let times: Vec<f64> = times.collect();
    assert!(times.len() > 140 && times.is_sorted(), "{times:?}");
    // Four slices a segment: from 1 to 0.5 apart, then to none, then none.
    let slices = view["slices"].as_array().unwrap();
    assert_eq!(slices.len(), 12);
    for slice in slices {
        assert!(number(&slice["lower"]) <= number(&slice["upper"]));
        assert_eq!(slice["proved"], true);
    }
    assert!((number(&slices[3]["upper"]) - 0.5).abs() < 2e-3);
    assert_eq!(number(&slices[11]["upper"]), 0.0);
    // The first hit and the deepest state are states of the page.
    let first = &view["events"][0];
    assert_eq!(first["verdict"], "hit");
    assert!((number(&first["to"]) - 1.5).abs() < 2e-6);
    let at = |key: &str| times[first[key].as_u64().unwrap() as usize];
    assert_eq!(at("state"), number(&first["to"]));
    assert!(at("deepest") > 1.5);
    // The page says what the report for programs says.
    let report = again(
        folder.path(),
        &[
            "path",
            "robot.urdf",
            "p.csv",
            "--json",
            "--html",
            "page.html",
            "--slices",
            "4",
        ],
    );
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(held(folder.path(), "answer"), report);
    assert_eq!(report["segments"][0]["verdict"], "free");
}

#[test]
fn a_free_path_follows_its_nearest_pair() {
    let (_, run, folder) = view(("p.csv", "time,x\n0,0\n2,0.5\n"), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = held(folder.path(), "page");
    assert_eq!(
        (&page["tone"], &page["headline"]),
        (&"good".into(), &"free at all times, proved".into())
    );
    // 64 slices, and the one pair that is checked is told in every state.
    assert_eq!(page["view"]["slices"].as_array().unwrap().len(), 64);
    let states = page["states"].as_array().unwrap().len();
    assert_eq!(page["pairs"].as_array().unwrap().len(), states);
    assert_eq!(page["rows"].as_array().unwrap().len(), 1);
    // Where a file has the pair not checked, nothing is claimed.
    let srdf = r#"<robot name="sliders"><disable_collisions link1="one" link2="other" reason="User"/></robot>"#;
    std::fs::write(folder.path().join("robot.srdf"), srdf).unwrap();
    let args = [
        "path",
        "robot.urdf",
        "p.csv",
        "--srdf",
        "robot.srdf",
        "--html",
        "page.html",
    ];
    again(folder.path(), &args);
    let page = held(folder.path(), "page");
    let said = (&page["tone"], &page["headline"]);
    assert_eq!(said, (&"warn".into(), &"no pair is checked".into()));
}

/// However many points a file has, and whatever they are, the page has at most 300 states.
#[test]
fn long_paths_and_single_states_have_pages_too() {
    let mut text = "time,x\n".to_owned();
    for k in 0..400 {
        writeln!(text, "{k},{}", f64::from(k % 20) / 20.0).unwrap();
    }
    let (long, ..) = view(("p.csv", &text), &["--slices", "1"]);
    let count = long["states"].as_array().unwrap().len();
    assert!((140..=300).contains(&count), "{count}");
    assert_eq!(long["slices"].as_array().unwrap().len(), 399);
    let (one, ..) = view(("p.csv", "x\n1.5\n"), &[]);
    assert_eq!(one["states"].as_array().unwrap().len(), 1);
    assert_eq!(one["events"][0]["state"], 0);
    // Trajectories of one file follow one another.
    let text = "joint_names: [x, y]\npoints:\n\
        - {positions: [0, 0], time_from_start: {sec: 0, nanosec: 0}}\n\
        - {positions: [0.5, 0], time_from_start: {sec: 1, nanosec: 0}}\n";
    let (both, ..) = view(("p.yaml", &format!("{text}---\n{text}")), &[]);
    assert_eq!(number(&both["end"]), 2.0);
    assert_eq!(both["points"], serde_json::json!([0.0, 1.0, 1.0, 2.0]));
    assert_eq!(both["slices"].as_array().unwrap().len(), 64);
}

#[test]
fn options_of_the_clearance_want_a_file_to_write() {
    let args = ["path", "robot.urdf", "p.csv", "--slices", "4"];
    let (run, _) = gjk(("p.csv", HIT), &args);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("--profile") && run.err.contains("--html"),
        "{}",
        run.err
    );
    let args = ["path", "robot.urdf", "p.csv", "--html", "no/page.html"];
    let (run, folder) = gjk(("p.csv", HIT), &args);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("make it first"), "{}", run.err);
    assert!(!folder.path().join("no").exists());
}

/// Names are text of others: none ends an element of the page.
#[test]
fn no_name_of_a_link_breaks_out_of_the_page() {
    let (_, folder) = gjk(("p.csv", HIT), &["path", "robot.urdf", "p.csv"]);
    let urdf = folder.path().join("robot.urdf");
    let text = std::fs::read_to_string(&urdf).unwrap();
    let named = text.replace(
        "\"one\"",
        "\"&lt;/script>&lt;img src=x onerror=alert(1)>{b}\"",
    );
    std::fs::write(&urdf, named).unwrap();
    for args in [&["path", "robot.urdf", "p.csv"][..], &["acm", "robot.urdf"]] {
        let run = again(folder.path(), &[args, &["--html", "page.html"]].concat());
        assert!(run.code < 2, "{}", run.err);
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert_eq!(page.matches("</script").count(), 6);
        assert!(!page.contains("<img") && page.contains("u003c/script>"));
        let answer = held(folder.path(), "answer");
        assert!(answer.to_string().contains("</script><img"));
    }
}
