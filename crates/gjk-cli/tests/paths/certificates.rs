//! `--certificate`, `--verify` and `--check-certificate` of `gjk path` and `gjk edges`: what is written is checked, and what is about
//! another path, robot or question is rejected.

use super::{HIT, again, gjk};
use serde_json::Value;

const EDGES: &str = "x:start,x:goal,y:start,y:goal\n0,0.5,0,0\n0,2,0,0\n0,0.5,0,0.4\n";

#[test]
fn certificates_of_paths_are_written_and_checked() {
    for name in ["proof.json", "proof.json.gz"] {
        let args = ["path", "robot.urdf", "p.csv", "--certificate", name];
        let (run, folder) = gjk(("p.csv", HIT), &args);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains(&format!("wrote {name}: ")), "{}", run.err);
        let args = ["path", "robot.urdf", "p.csv", "--check-certificate", name];
        let run = again(folder.path(), &args);
        assert_eq!(run.code, 0, "{} {}", run.out, run.err);
        assert!(
            run.out
                .starts_with("3 segments of 1 pair: 1 proved free at all times: "),
            "{}",
            run.out
        );
        let meetings = "2 segments proved up to a meeting, whose state was decided by the library";
        assert!(run.out.contains(meetings), "{}", run.out);
    }
}

#[test]
fn verified_segments_say_so() {
    let args = ["path", "robot.urdf", "p.csv", "--verify", "--json"];
    let (run, folder) = gjk(("p.csv", HIT), &args);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("3 segments of 1 pair"), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    for segment in report["segments"].as_array().unwrap() {
        assert_eq!(segment["verified"], true);
    }
    let run = again(folder.path(), &["path", "robot.urdf", "p.csv", "--json"]);
    assert!(!run.out.contains("verified"), "{}", run.out);
}

#[test]
fn certificates_of_edges_are_about_their_edges() {
    let args = [
        "edges",
        "robot.urdf",
        "e.csv",
        "--certificate",
        "e.json",
        "--verify",
    ];
    let (run, folder) = gjk(("e.csv", EDGES), &args);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("3 segments of 1 pair: 2 proved free"),
        "{}",
        run.err
    );
    let at = |name: &str| folder.path().join(name);
    let check = |edges: &str, more: &[&str]| {
        let args = [
            "edges",
            "robot.urdf",
            edges,
            "--check-certificate",
            "e.json",
        ];
        again(folder.path(), &[&args, more].concat())
    };
    let run = check("e.csv", &[]);
    assert_eq!(run.code, 0, "{} {}", run.out, run.err);
    // One edge goes a little farther.
    std::fs::write(at("other.csv"), EDGES.replace("0,0.4", "0,0.41")).unwrap();
    let run = check("other.csv", &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out.starts_with(
            "rejected: segment 2: it is about another path: joint `y` has the numbers 0, 0.4, here 0, 0.41"
        ),
        "{}",
        run.out
    );
    let run = check("e.csv", &["--clearance", "0.1"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out.contains("a clearance of 0, not of 0.1"),
        "{}",
        run.out
    );
    // Another robot.
    let robot = std::fs::read_to_string(at("robot.urdf")).unwrap();
    std::fs::write(at("robot.urdf"), robot.replace("2 0 0", "2.1 0 0")).unwrap();
    let run = check("e.csv", &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("with other numbers"), "{}", run.out);
    // A certificate of all joint values is none of a path, nor the other way round.
    let run = again(
        folder.path(),
        &["acm", "robot.urdf", "--certificate", "acm.json"],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let run = again(
        folder.path(),
        &[
            "edges",
            "robot.urdf",
            "e.csv",
            "--check-certificate",
            "acm.json",
        ],
    );
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("`gjk acm` checks it"), "{}", run.out);
}

#[test]
fn files_that_are_no_certificates_are_bad_input() {
    let args = ["edges", "robot.urdf", "e.csv", "--certificate", "e.json"];
    let (run, folder) = gjk(("e.csv", EDGES), &args);
    assert_eq!(run.code, 1, "{}", run.err);
    let at = |name: &str| folder.path().join(name);
    let text = std::fs::read_to_string(at("e.json")).unwrap();
    for (name, bytes, part) in [
        (
            "cut.json",
            text[..text.len() / 2].to_owned(),
            "it is no certificate of a robot",
        ),
        (
            "empty.json",
            String::new(),
            "it is no certificate of a robot",
        ),
        (
            "word.json",
            text.replacen("\"trees\":[\"", "\"trees\":[\"X1 ", 1),
            "node 0 of a tree is `X1`",
        ),
        (
            "version.json",
            text.replace("robot-certificate/1", "robot-certificate/9"),
            "the layout is `gjk-robot-certificate/9`",
        ),
        (
            "nan.json",
            text.replacen("\"clearance\":0.0", "\"clearance\":NaN", 1),
            "it is no certificate of a robot",
        ),
    ] {
        std::fs::write(at(name), bytes).unwrap();
        let args = ["edges", "robot.urdf", "e.csv", "--check-certificate", name];
        let run = again(folder.path(), &args);
        assert!(
            run.code == 2 || name == "version.json" && run.code == 1,
            "{name}: {}",
            run.code
        );
        let both = format!("{}{}", run.out, run.err);
        assert!(both.contains(part), "{name}: {both}");
    }
    let run = again(
        folder.path(),
        &[
            "edges",
            "robot.urdf",
            "e.csv",
            "--check-certificate",
            "none.json",
        ],
    );
    assert_eq!(run.code, 2, "{}", run.err);
    // A file that cannot be written is told before the run, and leaves nothing behind.
    let run = again(
        folder.path(),
        &[
            "edges",
            "robot.urdf",
            "none.csv",
            "--certificate",
            "new.json",
        ],
    );
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!at("new.json").exists());
}
