//! `gjk path`, `gjk edges` and `gjk states` as their users see them: files in, both outputs and the exit code out.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

mod certificates;
mod matrix;
mod page;
mod states;
mod world;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// Two boxes of half size 0.5 on slides along x and y; the second one stands at x = 2.
const ROBOT: &str = r#"<robot name="sliders">
  <link name="base"><collision><origin xyz="0 0 -5"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="one"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="other"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="one"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="y" type="prismatic"><parent link="base"/><child link="other"/><origin xyz="2 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>"#;

struct Run {
    code: i32,
    out: String,
    err: String,
}

/// A folder with the robot and a file, in which `gjk` runs.
fn gjk(file: (&str, &str), args: &[&str]) -> (Run, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("robot.urdf"), ROBOT).unwrap();
    std::fs::write(folder.path().join(file.0), file.1).unwrap();
    let run = again(folder.path(), args);
    (run, folder)
}

fn again(folder: &Path, args: &[&str]) -> Run {
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .current_dir(folder)
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

const HIT: &str = "time,x,y\n0,0,0\n1,0.5,0\n3,2.5,0\n4,2.5,0\n";

#[test]
fn a_hit_is_told_with_its_time_its_pair_and_its_state() {
    let (run, _) = gjk(("p.csv", HIT), &["path", "robot.urdf", "p.csv"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for part in [
        "segment 1",
        "one and other collide from 1.500",
        "at x 1.000, y 0.000",
        "3 segments: 1 free, 2 hit",
        "interpolation: linear · checked: whole time, not samples",
        "1 pair checked (2 adjacent, 0 disabled: not checked)",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

#[test]
fn the_report_for_programs_has_the_interval() {
    let (run, folder) = gjk(("p.csv", HIT), &["path", "robot.urdf", "p.csv", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["schema"], "gjk-path/1");
    assert_eq!(report["interpolation"], "linear");
    assert_eq!(report["checked"], "whole time");
    let verdict = |k: usize| report["segments"][k]["verdict"].as_str().unwrap();
    assert_eq!([verdict(0), verdict(1), verdict(2)], ["free", "hit", "hit"]);
    let first = &report["segments"][1]["first"];
    let time = [0, 1].map(|k| first["t"][k].as_f64().unwrap());
    assert!(time[0] <= 1.5 && 1.5 <= time[1] && time[1] - time[0] < 1.1e-6);
    assert_eq!((&first["a"], &first["b"]), (&"one".into(), &"other".into()));
    assert!(first["depth"]["upper"].as_f64().unwrap() < 1e-5);
    let deepest = &report["segments"][1]["deepest"];
    assert!(deepest["depth"]["upper"].as_f64().unwrap() > 0.9);
    let args = ["path", "robot.urdf", "p.csv", "--json", "--first"];
    let first: Value = serde_json::from_str(&again(folder.path(), &args).out).unwrap();
    assert_eq!(first["segments"].as_array().unwrap().len(), 2);
    let schema = again(folder.path(), &["schema", "path"]);
    assert!(schema.out.contains("gjk-path/1"));
}

#[test]
fn a_free_path_and_its_clearance() {
    let text = "time,x\n0,0\n2,0.5\n";
    let args = [
        "path",
        "robot.urdf",
        "p.csv",
        "--profile",
        "near.csv",
        "--junit",
        "j.xml",
    ];
    let (run, folder) = gjk(("p.csv", text), &args);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("1 segment: 1 free, 0 hit"), "{}", run.out);
    assert!(run.out.contains("least clearance: 0.499"), "{}", run.out);
    assert!(run.err.contains("joint `y` is not named"), "{}", run.err);
    let csv = std::fs::read_to_string(folder.path().join("near.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 9);
    assert_eq!(
        rows[0],
        "trajectory,segment,from,to,lower,upper,a,b,at,proved"
    );
    assert!(rows[8].contains(",one,other,") && rows[8].ends_with(",true"));
    let xml = std::fs::read_to_string(folder.path().join("j.xml")).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let case = document
        .descendants()
        .find(|node| node.has_tag_name("testcase"));
    assert_eq!(case.unwrap().attribute("name"), Some("segment 0"));
    let told = "a second program checked the proof";
    assert!(!xml.contains(told));
    let verified = [&args[..], &["--verify", "--html", "j.html"]].concat();
    assert_eq!(again(folder.path(), &verified).code, 0);
    for file in ["j.xml", "j.html"] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(told), "{file}");
    }
    let close = ["path", "robot.urdf", "p.csv", "--clearance", "0.6"];
    let run = again(folder.path(), &close);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("one and other closer than 0.6 from"),
        "{}",
        run.out
    );
}

/// Velocities make it a cubic, which runs past its end, out of the limits and into the other box.
#[test]
fn a_message_with_velocities_is_a_cubic() {
    let text = "joint_names: [x, y]\npoints:\n\
        - {positions: [0, 0], velocities: [8, 0], time_from_start: {sec: 0, nanosec: 0}}\n\
        - {positions: [0.5, 0], velocities: [-8, 0], time_from_start: {sec: 1, nanosec: 0}}\n";
    let (run, folder) = gjk(("p.yaml", text), &["path", "robot.urdf", "p.yaml"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("interpolation: cubic"), "{}", run.out);
    let linear = ["path", "robot.urdf", "p.yaml", "--interpolation", "linear"];
    let run = again(folder.path(), &linear);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("interpolation: linear"), "{}", run.out);
    let tight =
        "joint_limits:\n  x: {has_position_limits: true, min_position: -1, max_position: 1}\n";
    std::fs::write(folder.path().join("limits.yaml"), tight).unwrap();
    let args = ["path", "robot.urdf", "p.yaml", "--limits", "limits.yaml"];
    let run = again(folder.path(), &args);
    assert!(run.code != 2, "{}", run.err);
    assert!(
        run.err.contains("joint `x` is outside of its"),
        "{}",
        run.err
    );
}

#[test]
fn edges_have_a_verdict_a_row() {
    let text = "x:start,x:goal,y:start,y:goal\n0,0.5,0,0\n0,2,0,0\n0,2,0,2\n0,2,1.5,2\n";
    let (run, folder) = gjk(("e.csv", text), &["edges", "robot.urdf", "e.csv", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["schema"], "gjk-edges/1");
    let edges = report["edges"].as_array().unwrap();
    let words: Vec<_> = edges
        .iter()
        .map(|edge| edge["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(words[0], "free");
    assert_eq!(words[1], "hit");
    assert_eq!(words[3], "free");
    let at = [0, 1].map(|k| edges[1]["first"]["t"][k].as_f64().unwrap());
    assert!(at[0] <= 0.5 && 0.5 <= at[1]);
    let run = again(folder.path(), &["edges", "robot.urdf", "e.csv"]);
    assert!(run.out.contains("edge 1"), "{}", run.out);
    assert!(run.out.contains("collide from s = 0.500"), "{}", run.out);
}

/// Each is an error with its place, and what to do.
#[test]
fn bad_input_is_named() {
    let said = |file: (&str, &str), args: &[&str], parts: &[&str]| {
        let (run, _) = gjk(file, args);
        assert_eq!(run.code, 2, "{}", run.out);
        for part in parts {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
    };
    let path = ["path", "robot.urdf", "p.csv"];
    said(
        ("p.csv", "time,x\n1,0\n0,1\n"),
        &path,
        &["p.csv:3", "times that rise"],
    );
    said(("p.csv", "time,x\n0,nan\n"), &path, &["p.csv:2", "finite"]);
    said(
        ("p.csv", "time,z\n0,1\n"),
        &path,
        &["no such joint", "x, y"],
    );
    said(("p.csv", "time,x\n"), &path, &["no point"]);
    said(("p.csv", ""), &path, &["p.csv"]);
    let cubic = ["path", "robot.urdf", "p.csv", "--interpolation", "cubic"];
    said(("p.csv", HIT), &cubic, &["segment 0", "velocities", "auto"]);
    let edges = ["edges", "robot.urdf", "e.csv"];
    said(("e.csv", "x,y\n0,0\n"), &edges, &["column `x`", ":start"]);
    said(("e.csv", "x:start\n0\n"), &edges, &["x:goal"]);
    said(("e.csv", "x:start,x:goal\n"), &edges, &["no edge"]);
    said(("e.csv", "x:start,x:goal\n0\n"), &edges, &["e.csv:2"]);
    said(
        ("e.csv", "x:start,x:goal\n0,inf\n"),
        &edges,
        &["x:goal", "finite"],
    );
}

/// One point is a check of a state.
#[test]
fn one_point_is_a_state() {
    let (run, _) = gjk(("p.csv", "x\n1.5\n"), &["path", "robot.urdf", "p.csv"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("interpolation: state"), "{}", run.out);
    let (run, _) = gjk(("p.csv", "x\n0\n"), &["path", "robot.urdf", "p.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
}
