//! Convex parts as users of `gjk audit --parts` and `gjk check --meshes parts` see them.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// A box between two corners, its first vertex being number `first`.
fn box_object(low: [f64; 3], high: [f64; 3], first: usize) -> String {
    let corner = |k: usize| [0, 1, 2].map(|j| if k >> j & 1 == 0 { low[j] } else { high[j] });
    let vertices = (0..8).map(corner);
    let mut text: String = vertices
        .map(|[x, y, z]| format!("v {x} {y} {z}\n"))
        .collect();
    for face in [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ] {
        let [a, b, c, d] = face.map(|k: usize| k + first);
        text.push_str(&format!("f {a} {b} {c} {d}\n"));
    }
    text
}

/// [0, 2] × [0, 1] and [0, 1] × [1, 2], one high.
fn l_shape() -> String {
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let mut text = String::new();
    for z in 0..2 {
        outline
            .iter()
            .for_each(|[x, y]| text.push_str(&format!("v {x} {y} {z}\n")));
    }
    for k in 1..=6 {
        let next = k % 6 + 1;
        text.push_str(&format!("f {k} {next} {} {}\n", next + 6, k + 6));
    }
    text + "f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n"
}

/// The two boxes of the L.
const LEGS: [[[f64; 3]; 2]; 2] = [
    [[0.0, 0.0, 0.0], [2.0, 1.0, 1.0]],
    [[0.0, 1.0, 0.0], [1.0, 2.0, 1.0]],
];

fn leg(number: usize) -> String {
    let [low, high] = LEGS[number];
    box_object(low, high, 1)
}

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Code, standard output and standard error of `gjk ARGS`, run in a folder.
fn gjk(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("gjk").unwrap();
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// The report on the parts of the first mesh of `gjk audit ARGS --json`.
fn parts_report(folder: &Path, args: &[&str]) -> Value {
    let (code, out, err) = gjk(folder, &[&["audit", "--json"], args].concat());
    assert_eq!(code, 0, "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    report["meshes"][0]["parts"].clone()
}

fn ends(interval: &Value) -> [f64; 2] {
    ["lower", "upper"].map(|end| interval[end].as_f64().unwrap())
}

fn holds(interval: &Value, truth: f64, width: f64) -> bool {
    let [lower, upper] = ends(interval);
    lower <= truth + 1e-12 && truth - 1e-12 <= upper && upper - lower <= width
}

#[test]
fn a_whole_decomposition_is_proved() {
    let folder = folder(&[
        ("l.obj", l_shape()),
        ("parts/l_0.obj", leg(0)),
        ("parts/l_1.obj", leg(1)),
    ]);
    let found = parts_report(
        folder.path(),
        &["l.obj", "--parts", "parts", "--require-contained"],
    );
    assert_eq!(found["containment"], "contained");
    assert_eq!(found["voids"], "unchecked");
    assert_eq!(found["parts"][1]["source"], "l_1.obj");
    assert!(holds(&found["undershoot"]["distance"], 0.0, 0.0), "{found}");
    assert!(
        holds(&found["overshoot"]["distance"], 0.0, 1e-13),
        "{found}"
    );
    assert!(holds(&found["volume"], 3.0, 1e-12), "{found}");
    assert!(holds(&found["mesh_volume"], 3.0, 1e-11), "{found}");
    let (_, out, _) = gjk(folder.path(), &["audit", "l.obj", "--parts", "parts"]);
    for text in [
        "l.obj: 2 convex parts\n",
        "containment  proved: the surface is within",
        "volume       3, that of the mesh 3",
        "voids        unchecked",
    ] {
        assert!(out.contains(text), "{text}: {out}");
    }
    let (_, schema, _) = gjk(folder.path(), &["schema", "audit"]);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    for key in found.as_object().unwrap().keys() {
        let known = &schema["$defs"]["PartsReport"]["properties"];
        assert!(known.get(key).is_some(), "{key}");
    }
}

#[test]
fn a_missing_part_fails_and_says_where() {
    let folder = folder(&[("l.obj", l_shape()), ("parts/some.obj", leg(0))]);
    let args = ["l.obj", "--parts", "parts"];
    let found = parts_report(folder.path(), &args);
    assert_eq!(found["containment"], "outside");
    let y = found["witness"]["point"][1].as_f64().unwrap();
    assert!(
        holds(&found["witness"]["distance"], y - 1.0, 1e-12),
        "{found}"
    );
    assert!(
        holds(&found["undershoot"]["distance"], 1.0, 0.011),
        "{found}"
    );
    let narrow = parts_report(folder.path(), &[&args[..], &["--depth", "1e-6"]].concat());
    assert!(
        holds(&narrow["undershoot"]["distance"], 1.0, 1.1e-6),
        "{narrow}"
    );
    let (code, out, _) = gjk(
        folder.path(),
        &[&["audit"], &args[..], &["--require-contained"]].concat(),
    );
    assert_eq!(code, 1);
    assert!(out.contains("35.7 % of the area outside"), "{out}");
}

/// One file of two objects; a part that is no convex mesh, and one that is flat.
#[test]
fn objects_hulls_and_flat_parts_are_told() {
    let [low, high] = LEGS[1];
    let both = leg(0) + &box_object(low, high, 9);
    let folder = folder(&[
        ("l.obj", l_shape()),
        ("one.obj", both),
        ("odd/a.obj", l_shape()),
        (
            "odd/b.obj",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned(),
        ),
    ]);
    let found = parts_report(folder.path(), &["l.obj", "--parts", "one.obj"]);
    assert_eq!(found["parts"][1]["source"], "one.obj#1");
    assert_eq!(found["containment"], "contained");
    let found = parts_report(folder.path(), &["l.obj", "--parts", "odd"]);
    assert_eq!(found["parts"][0]["convex"], false);
    assert_eq!(found["parts"][1]["flat"], true);
    assert_eq!(found["voids"], "none");
    assert_eq!(found["containment"], "contained");
    // From the middle of the hull's slope to either leg; to the inner corner it is farther.
    assert!(
        holds(&found["overshoot"]["distance"], 0.5, 0.0051),
        "{found}"
    );
    assert!(holds(&found["volume"], 3.5, 1e-12), "{found}");
    let (_, out, _) = gjk(folder.path(), &["audit", "l.obj", "--parts", "odd"]);
    assert!(
        out.contains("taken as hulls: a.obj; flat, left out: b.obj"),
        "{out}"
    );
}

#[test]
fn parts_that_cannot_be_read_are_named() {
    let folder = folder(&[
        ("l.obj", l_shape()),
        ("empty/readme.txt", String::new()),
        ("broken/l_0.obj", leg(0)),
        ("broken/l_1.obj", "v 0 0 zero\n".to_owned()),
        (
            "flat/l_0.obj",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned(),
        ),
    ]);
    for (parts, texts) in [
        ("empty", ["has no parts there", "l_0.*"]),
        ("broken", ["l_1.obj", "zero"]),
        ("flat", ["no part has a volume", "flat"]),
        ("absent", ["there is no such file or folder", "absent"]),
    ] {
        let (code, _, err) = gjk(folder.path(), &["audit", "l.obj", "--parts", parts]);
        assert_eq!(code, 2, "{parts}: {err}");
        assert!(
            texts.iter().all(|text| err.contains(text)),
            "{parts}: {err}"
        );
    }
}

/// A scene of an L and a box near its inner corner: apart from the L and its parts, and in its hull.
fn scene() -> tempfile::TempDir {
    folder(&[
        ("scene/l.obj", l_shape()),
        (
            "scene/peg.obj",
            box_object([1.1, 1.1, 0.0], [1.3, 1.3, 1.0], 1),
        ),
        ("parts/l/0.obj", leg(0)),
        ("parts/l/1.obj", leg(1)),
    ])
}

#[test]
fn a_check_takes_parts_in_the_place_of_meshes() {
    let folder = scene();
    let with = |options: &[&str]| {
        let (code, out, err) = gjk(
            folder.path(),
            &[&["check", "scene", "--json", "--all-pairs"], options].concat(),
        );
        let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        (code, report, err)
    };
    let (code, hull, _) = with(&["--meshes", "hull"]);
    assert_eq!(
        (code, hull["pairs"][0]["verdict"].as_str()),
        (1, Some("overlapping"))
    );
    let (code, found, note) = with(&["--meshes", "parts", "--parts", "parts"]);
    assert_eq!(
        (code, found["pairs"][0]["verdict"].as_str()),
        (0, Some("separated"))
    );
    assert!(
        holds(&found["pairs"][0]["signed_distance"], 0.1, 1e-12),
        "{found}"
    );
    let parts = found["bodies"][0]["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(
        (&parts[1]["kind"], &parts[1]["source"]),
        (&"convex_mesh".into(), &"1.obj".into())
    );
    // The peg is convex and needs no parts.
    assert_eq!(found["bodies"][1]["parts"][0]["source"], "peg.obj");
    assert!(
        note.contains("1 mesh taken as 2 convex parts of parts"),
        "{note}"
    );
    let (_, out, _) = gjk(
        folder.path(),
        &[
            "check",
            "scene",
            "--meshes",
            "parts",
            "--parts",
            "parts",
            "--html",
            "page.html",
            "--junit",
            "r.xml",
        ],
    );
    assert!(
        out.contains("2 bodies of 3 parts: 3 convex meshes"),
        "{out}"
    );
    assert!(folder.path().join("page.html").exists() && folder.path().join("r.xml").exists());
}

#[test]
fn a_mesh_without_parts_is_named_with_its_body_and_the_paths() {
    let folder = scene();
    std::fs::create_dir(folder.path().join("none")).unwrap();
    let (code, _, err) = gjk(
        folder.path(),
        &["check", "scene", "--meshes", "parts", "--parts", "none"],
    );
    assert_eq!(code, 2);
    for text in [
        "body `l`: mesh `l.obj`",
        "not convex",
        "none/l",
        "none/l_0.*",
    ] {
        assert!(err.contains(text), "{text}: {err}");
    }
    let (code, _, err) = gjk(folder.path(), &["check", "scene", "--meshes", "parts"]);
    assert!(code == 2 && err.contains("--parts"), "{err}");
    let (code, _, err) = gjk(folder.path(), &["check", "scene", "--parts", "parts"]);
    assert!(code == 2 && err.contains("--meshes parts"), "{err}");
}

#[test]
fn the_folder_of_parts_may_follow_the_word() {
    let folder = scene();
    // Without the words on standard error, which have the time.
    let answer = |args: &[&str]| {
        let (code, out, _) = gjk(folder.path(), &[&["check"], args, &["--json"]].concat());
        (code, out)
    };
    let named = answer(&["scene", "--meshes", "parts", "--parts", "parts"]);
    assert!(named.0 < 2, "{named:?}");
    assert_eq!(answer(&["scene", "--meshes", "parts", "parts"]), named);
    assert_eq!(answer(&["--meshes", "parts", "parts", "scene"]), named);
}
