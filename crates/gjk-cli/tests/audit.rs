//! `gjk audit` as its users see it.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]
// A skipped test says so.
#![allow(clippy::print_stderr)]

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n\
                    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

/// Code, standard output and standard error of `gjk audit ARGS`.
fn audit(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .arg("audit")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A folder with a cube, an L (not convex), an open cube in millimetres, and a file that is no mesh.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("cube.obj", CUBE);
    // An L of 3 unit cubes: an outline of six corners, below and above.
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let mut l = String::new();
    for z in 0..2 {
        outline
            .iter()
            .for_each(|[x, y]| l.push_str(&format!("v {x} {y} {z}\n")));
    }
    for k in 0..6 {
        let (a, b) = (k + 1, (k + 1) % 6 + 1);
        l.push_str(&format!("f {a} {b} {} {}\n", b + 6, a + 6));
    }
    l.push_str("f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n");
    write("l.obj", &l);
    let large: String = CUBE
        .lines()
        .filter(|line| *line != "f 2 4 8 6")
        .map(|line| format!("{}\n", line.replace(" 1", " 200")))
        .filter(|line| line.starts_with('v'))
        .collect();
    let faces: String = CUBE
        .lines()
        .filter(|line| line.starts_with('f') && *line != "f 2 4 8 6")
        .map(|line| format!("{line}\n"))
        .collect();
    write("open.obj", &(large + &faces));
    folder
}

#[test]
fn the_table_tells_convex_closed_and_unit() {
    let folder = folder();
    let (code, out, _) = audit(&[&folder.path().display().to_string()]);
    assert_eq!(code, 0, "{out}");
    let line = |name: &str| {
        out.lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        line("cube.obj"),
        "cube.obj 12 solid 8 ✓ yes 100.0 % 0 0 0 1 × 1 × 1"
    );
    assert_eq!(
        line("l.obj"),
        "l.obj 20 solid 10 ✗ no 85.7 % 0 0 0 2 × 2 × 1 edge 3-9: a valley, 1 deep"
    );
    assert!(
        line("open.obj").contains("✗ no ? 4 0 0 200 × 200 × 200 edge"),
        "{out}"
    );
    assert!(out.contains("open.obj: no solid: edge "), "{out}");
    assert!(
        out.contains("open.obj: its largest extent is 200: millimetres?"),
        "{out}"
    );
    assert!(
        out.ends_with("1 convex, 2 not convex, 0 unreadable\n"),
        "{out}"
    );
}

#[test]
fn the_json_report_has_the_published_keys() {
    let folder = folder();
    let (code, out, _) = audit(&[&folder.path().display().to_string(), "--json"]);
    assert_eq!(code, 0);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["schema"], "gjk-audit/1");
    assert_eq!(report["convex"], 1);
    assert_eq!(report["meshes"][0]["convex"], true);
    assert_eq!(report["meshes"][1]["defect_depth"], 1.0);
    assert_eq!(report["meshes"][2]["open_edges"], 4);
    let bodies = [0, 1, 2].map(|k| report["meshes"][k]["body"]["kind"].clone());
    assert_eq!(bodies, ["solid", "solid", "surface"]);
    assert_eq!(report["meshes"][2]["volume_ratio"], Value::Null);
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .args(["schema", "audit"])
        .output()
        .unwrap();
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in report["meshes"][0].as_object().unwrap().keys() {
        assert!(
            schema["$defs"]["MeshReport"]["properties"]
                .get(key)
                .is_some(),
            "{key}"
        );
    }
}

#[test]
fn a_refusal_is_explained_and_the_others_go_on() {
    let folder = folder();
    let empty = folder.path().join("empty.stl");
    std::fs::write(&empty, "solid nothing\nendsolid nothing\n").unwrap();
    let broken = folder.path().join("broken.obj");
    std::fs::write(&broken, "v 0 0 zero\n").unwrap();
    let files: Vec<String> = ["cube.obj", "empty.stl", "broken.obj", "absent.stl"]
        .map(|name| folder.path().join(name).display().to_string())
        .to_vec();
    let (code, out, err) = audit(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 2);
    assert!(
        out.contains("cube.obj") && out.ends_with("1 convex, 0 not convex, 3 unreadable\n"),
        "{out}"
    );
    for part in [
        "empty.stl: the mesh has no vertex",
        "export the part again",
        "broken.obj",
        "zero",
        "absent.stl",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
}

#[test]
fn a_folder_that_does_not_exist_is_told_to_be_missing() {
    let folder = folder();
    for name in ["no/such/folder", "absent.stl", "v1.2"] {
        let path = folder.path().join(name).display().to_string();
        let (code, out, err) = audit(&[&path]);
        assert_eq!(code, 2);
        assert!(
            err.contains("there is no such file or folder") && !err.contains("mesh format"),
            "{err}"
        );
        assert!(
            out.ends_with("0 convex, 0 not convex, 1 unreadable\n"),
            "{out}"
        );
    }
}

#[test]
fn require_convex_fails_with_1() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(audit(&[&file("cube.obj"), "--require-convex"]).0, 0);
    assert_eq!(
        audit(&[&file("cube.obj"), &file("l.obj"), "--require-convex"]).0,
        1
    );
    assert_eq!(audit(&[]).0, 2, "no mesh is bad usage");
}

/// The convex ones are those that the data says to be convex decompositions, boxes and icosahedra; the one refusal is an empty
/// file.
#[test]
fn all_shared_meshes_are_read_or_refused_with_a_reason() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GJK_DATA").map_or_else(beside, PathBuf::from);
    if !folder.exists() {
        eprintln!(
            "SKIPPED: {} is not there; set GJK_DATA to the folder of the shared data",
            folder.display()
        );
        return;
    }
    let (code, out, err) = audit(&[&folder.display().to_string(), "--json"]);
    assert_eq!(code, 2);
    let report: Value = serde_json::from_str(&out).unwrap();
    let meshes = report["meshes"].as_array().unwrap();
    assert!(meshes.len() > 400, "{}", meshes.len());
    let refused: Vec<&Value> = meshes
        .iter()
        .filter(|mesh| mesh.get("error").is_some())
        .collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(
        refused[0]["file"].as_str().unwrap().ends_with("empty.stl") && err.contains("empty.stl")
    );
    for mesh in meshes.iter().filter(|mesh| mesh["convex"] == true) {
        let ratio = mesh["volume_ratio"].as_f64().unwrap();
        assert!(
            (ratio - 1.0).abs() < 1e-9,
            "a convex mesh is its hull: {mesh}"
        );
    }
}
