//! Bodies that stand around a robot, and bodies that it carries.

use super::{ROBOT, Run, again, gjk};
use serde_json::{Value, json};
use std::path::Path;

/// A wall that box `one` reaches at x = -2, a floor that the base stands on, and a post far away.
const CELL: &str = r#"{"unit": "m", "bodies": [
  {"name": "wall", "pose": {"translation": [-3, 0, 0]}, "parts": [{"shape": "box", "half_extents": [0.5, 2, 2]}]},
  {"name": "floor", "pose": {"translation": [0, 0, -6.1]}, "parts": [{"shape": "box", "half_extents": [9, 9, 1]}]},
  {"name": "post", "pose": {"translation": [0, 0, 9]}, "parts": [{"shape": "ball", "radius": 0.5}]}]}"#;

/// `text` as `cell.json` beside the robot, and a path on which `one` goes to x = -2.5.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("robot.urdf", ROBOT);
    write("cell.json", text);
    write("p.csv", "time,x,y\n0,0,0\n1,-1,0\n2,-2.5,0\n");
    write("e.csv", "x:start,x:goal\n0,-1\n0,-2.5\n");
    folder
}

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

fn refused(folder: &Path, args: &[&str], parts: &[&str]) {
    let run = again(folder, args);
    assert_eq!(run.code, 2, "{}", run.out);
    for part in parts {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

#[test]
fn a_path_meets_the_wall_and_stands_on_the_floor() {
    let folder = folder(CELL);
    let args = ["path", "robot.urdf", "p.csv", "--scene", "cell.json"];
    let run = again(folder.path(), &args);
    assert_eq!(run.code, 1, "{}", run.err);
    for part in [
        "one and wall collide from 1.66666",
        "2 segments: 1 free, 1 hit",
        // one–other; three links with wall and post; two with the floor, for the base stands on it.
        "9 pairs checked (2 adjacent, 0 disabled, 1 standing in contact: not checked)",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let told = "`base` and `floor` stand still and are in contact";
    assert!(run.err.contains(told), "{}", run.err);
    let report = json_of(&again(folder.path(), &[&args[..], &["--json"]].concat()));
    assert_eq!(report["world"], json!(["wall", "floor", "post"]));
    assert_eq!(report["pairs"]["standing"], 1);
    let first = &report["segments"][1]["first"];
    let at = [0, 1].map(|k| first["t"][k].as_f64().unwrap());
    assert!(at[0] <= 5.0 / 3.0 && 5.0 / 3.0 <= at[1], "{at:?}");
    // Without the cell the path is free.
    assert_eq!(again(folder.path(), &args[..3]).code, 0);
}

#[test]
fn edges_meet_the_wall_and_a_clearance_counts() {
    let folder = folder(CELL);
    let args = [
        "edges",
        "robot.urdf",
        "e.csv",
        "--scene",
        "cell.json",
        "--json",
    ];
    let report = json_of(&again(folder.path(), &args));
    let verdicts = [0, 1].map(|k| report["edges"][k]["verdict"].as_str().unwrap());
    assert_eq!(verdicts, ["free", "hit"]);
    let near = [&args[..], &["--clearance", "1.2"]].concat();
    let report = json_of(&again(folder.path(), &near));
    let verdicts = [0, 1].map(|k| report["edges"][k]["verdict"].as_str().unwrap());
    assert_eq!(verdicts, ["close", "hit"]);
}

/// Each link and body of the world is a pair; the certificate holds them, and the files name them.
#[test]
fn a_matrix_has_the_world() {
    let folder = folder(CELL);
    let args = [
        "acm",
        "robot.urdf",
        "--scene",
        "cell.json",
        "--json",
        "--verify",
        "--certificate",
        "c.json",
        "--junit",
        "m.xml",
        "--out",
        "new.srdf",
    ];
    let run = again(folder.path(), &args);
    assert_eq!(run.code, 0, "{}", run.err);
    let report = json_of(&run);
    let pairs = report["pairs"].as_array().unwrap();
    // Three pairs of links, nine with the world, and none of two bodies of the world.
    assert_eq!(pairs.len(), 12);
    assert_eq!(report["counts"]["world"], 9);
    let pair = |a: &str, b: &str| {
        let found = pairs.iter().find(|pair| pair["a"] == a && pair["b"] == b);
        found.unwrap_or_else(|| panic!("{a} {b}"))
    };
    assert_eq!(pair("one", "wall")["basis"], "witness");
    assert!(pair("one", "wall")["state"]["x"].as_f64().unwrap() < -2.0);
    assert_eq!(pair("one", "wall")["action"], "none");
    assert_eq!(pair("base", "floor")["reason"], "default");
    // One slide alone moves `other`: the post is 7.99 m away in all states.
    let far = pair("other", "post");
    assert_eq!(
        (&far["reason"], &far["basis"], &far["world"]),
        (&json!("never"), &json!("proof"), &json!(true))
    );
    assert_eq!(far["verified"], true);
    assert_eq!(pair("one", "other")["world"], Value::Null);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("m.xml").contains("`one` and `wall (world)`"));
    assert!(!read("new.srdf").contains("wall"), "{}", read("new.srdf"));
    assert!(read("c.json").contains("\"wall\""));
    let check = [
        "acm",
        "robot.urdf",
        "--scene",
        "cell.json",
        "--check-certificate",
        "c.json",
    ];
    assert_eq!(again(folder.path(), &check).code, 0);
    // A cell with other numbers is another one.
    std::fs::write(
        folder.path().join("cell.json"),
        CELL.replace("-3, 0, 0", "-2.9, 0, 0"),
    )
    .unwrap();
    assert_eq!(again(folder.path(), &check).code, 1);
    let table = again(
        folder.path(),
        &["acm", "robot.urdf", "--scene", "cell.json"],
    );
    for part in [
        "wall (world)",
        "9 of them with 3 bodies that stand still around the robot",
    ] {
        assert!(table.out.contains(part), "{part}: {}", table.out);
    }
}

/// `allow` of the cell may name links.
#[test]
fn a_cell_allows_pairs_with_links() {
    let allowed = CELL.replace(
        "\"unit\": \"m\",",
        "\"unit\": \"m\", \"allow\": [[\"one\", \"wall\"]],",
    );
    let folder = folder(&allowed);
    let run = again(
        folder.path(),
        &["path", "robot.urdf", "p.csv", "--scene", "cell.json"],
    );
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(
        run.out.contains("2 adjacent, 1 disabled, 1 standing"),
        "{}",
        run.out
    );
    let report = json_of(&again(
        folder.path(),
        &["acm", "robot.urdf", "--scene", "cell.json", "--json"],
    ));
    let pairs = report["pairs"].as_array().unwrap();
    let wall = pairs
        .iter()
        .find(|pair| pair["a"] == "one" && pair["b"] == "wall")
        .unwrap();
    assert_eq!(
        (&wall["reason"], &wall["basis"]),
        (&json!("user"), &json!("file"))
    );
    // By itself the scene file has no such body.
    refused(
        folder.path(),
        &["check", "cell.json"],
        &["cell.json", "allow[0]", "there is no body `one`"],
    );
}

#[test]
fn a_cell_that_cannot_be_is_refused() {
    let args = ["path", "robot.urdf", "p.csv", "--scene", "cell.json"];
    let says = |text: &str, parts: &[&str]| refused(folder(text).path(), &args, parts);
    says(
        &CELL.replace("post", "one"),
        &["cell.json", "body `one`", "another name"],
    );
    says(
        &CELL.replace("\"unit\": \"m\"", "\"unit\": \"mm\""),
        &["cell.json", "`mm`", "nothing is converted"],
    );
    says("{\"bodies\": []}", &["cell.json"]);
    let moving = CELL.replace("\"name\": \"post\",", "\"name\": \"post\", \"motion\": {},");
    says(&moving, &["cell.json", "bodies[2]", "motion"]);
    let folder = folder(CELL);
    let with = |scene: &'static str| ["path", "robot.urdf", "p.csv", "--scene", scene];
    refused(
        folder.path(),
        &with("robot.urdf"),
        &["robot.urdf", "joints may move", "one URDF file"],
    );
    refused(folder.path(), &with("none.json"), &["none.json"]);
    // What no certificate can speak of is said before the run.
    let squashed = CELL.replace("[0, 0, 9]", "[0, 0, 9], \"scale\": [1, 1, 2]");
    std::fs::write(folder.path().join("cell.json"), squashed).unwrap();
    let args = ["acm", "robot.urdf", "--scene", "cell.json", "--verify"];
    refused(
        folder.path(),
        &args,
        &["cell.json", "`post` has a round shape", "--verify"],
    );
    assert_eq!(again(folder.path(), &args[..4]).code, 0);
}

/// `one` carries a long bar that reaches 1 m further along x, and meets `other` a metre earlier.
#[test]
fn what_a_link_carries_moves_with_it() {
    let bar = r#"{"bodies": [{"name": "any", "parts": [{"shape": "box", "half_extents": [0.5, 0.1, 0.1]}]}]}"#;
    let (run, folder) = gjk(("bar.json", bar), &["schema", "path"]);
    assert_eq!(run.code, 0);
    std::fs::write(folder.path().join("p.csv"), "time,x\n0,0\n1,0.5\n").unwrap();
    let path = ["path", "robot.urdf", "p.csv"];
    assert_eq!(again(folder.path(), &path).code, 0);
    let with = |attach: &'static str, more: &[&'static str]| {
        again(
            folder.path(),
            &[&path[..], &["--attach", attach], more].concat(),
        )
    };
    // The bar goes from 0.3 to 1.3 in front of the middle of `one`: it meets `other` at x = 0.2.
    let run = with("one=bar.json@0.8,0,0", &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out.contains("other and bar collide from 0.400"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("2 pairs checked") || run.out.contains("3 pairs checked"),
        "{}",
        run.out
    );
    // A quarter turn about z, and it points to the side.
    assert_eq!(
        with("one=bar.json@0,0.8,0,0,0,1.5707963267948966", &[]).code,
        0
    );
    assert_eq!(
        with("one=bar.json@0.8,0,0", &["--attach-touch", "other,base"]).code,
        0
    );
    let near = with(
        "one=bar.json@0,0,3",
        &["--clearance", "1.6", "--profile", "n.csv"],
    );
    assert_eq!(near.code, 1, "{}", near.out);
    let profile = std::fs::read_to_string(folder.path().join("n.csv")).unwrap();
    assert_eq!(profile.lines().count(), 9);
    let report = json_of(&with("one=bar.json@0.8,0,0", &["--json"]));
    assert_eq!(report["attached"], json!(["bar"]));
    let e = again(
        folder.path(),
        &[
            "edges",
            "robot.urdf",
            "e.csv",
            "--attach",
            "one=bar.json@0.8,0,0",
        ],
    );
    assert_eq!(e.code, 2);
    std::fs::write(folder.path().join("e.csv"), "x:start,x:goal\n0,0.5\n").unwrap();
    let e = again(
        folder.path(),
        &[
            "edges",
            "robot.urdf",
            "e.csv",
            "--attach",
            "one=bar.json@0.8,0,0",
        ],
    );
    assert!(
        e.code == 1 && e.out.contains("bar collide from s = 0.400"),
        "{}{}",
        e.out,
        e.err
    );
    refused(
        folder.path(),
        &[&path[..], &["--attach", "two=bar.json"]].concat(),
        &["bar.json", "no link `two`", "`one`"],
    );
    refused(
        folder.path(),
        &[&path[..], &["--attach", "one=bar.json@1,2"]].concat(),
        &["2 numbers", "LINK=FILE"],
    );
    refused(
        folder.path(),
        &[&path[..], &["--attach", "one=bar.json@1,2,nan"]].concat(),
        &["finite"],
    );
    refused(
        folder.path(),
        &[&path[..], &["--attach", "bar.json"]].concat(),
        &["LINK=FILE"],
    );
    refused(
        folder.path(),
        &[&path[..], &["--attach-touch", "one"]].concat(),
        &["--attach"],
    );
    let touch = ["--attach", "one=bar.json", "--attach-touch", "nobody"];
    refused(
        folder.path(),
        &[&path[..], &touch].concat(),
        &["no link `nobody`"],
    );
    let twice = ["--attach", "one=bar.json", "--attach", "other=bar.json"];
    refused(
        folder.path(),
        &[&path[..], &twice].concat(),
        &["`bar`", "another body"],
    );
}
