//! `gjk check` as its users see it: files in, both outputs and the exit code out.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]
// A skipped test says so.
#![allow(clippy::print_stderr)]

mod depths;
mod example;
mod messages;
mod page;
mod verify;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a run gave.
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn gjk(args: &[&str]) -> Run {
    run(Command::cargo_bin("gjk").unwrap().args(args))
}

fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The report of `gjk check ARGS --json`, and the exit code.
fn report(args: &[&str]) -> (Value, i32) {
    let run = gjk(&[&["check", "--json"], args].concat());
    assert!(!run.out.is_empty(), "{}", run.err);
    (serde_json::from_str(&run.out).unwrap(), run.code)
}

fn own(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
        .display()
        .to_string()
}

/// `state a-b verdict` of each pair.
fn pairs(report: &Value) -> Vec<String> {
    let pair = |p: &Value| {
        let word = |key: &str| p[key].as_str().unwrap().to_owned();
        format!(
            "{} {}-{} {}",
            p["state"],
            word("a"),
            word("b"),
            word("verdict")
        )
    };
    report["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(pair)
        .collect()
}

/// Whether the pair's interval is narrow and contains the truth.
fn contains(pair: &Value, truth: f64) -> bool {
    let [lower, upper] =
        ["lower", "upper"].map(|end| pair["signed_distance"][end].as_f64().unwrap());
    lower <= truth && truth <= upper && upper - lower < 1e-12
}

/// A file in the project's shared data; `None`, loudly, where the data is not.
fn shared(name: &str) -> Option<String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GJK_DATA").map_or_else(beside, PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path.display().to_string());
    }
    eprintln!(
        "SKIPPED: {} is not there; set GJK_DATA to the folder of the shared data",
        path.display()
    );
    None
}

#[test]
fn the_report_has_the_published_keys() {
    let (report, _) = report(&["--clearance", "0.005"]);
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut top = keys(&report);
    top.sort();
    let expected = [
        "bodies",
        "pairs",
        "pairs_considered",
        "pairs_skipped",
        "scene",
        "schema",
        "states",
        "undecided",
        "unit",
        "worst",
    ];
    assert_eq!(top, expected);
    let mut pair = keys(&report["pairs"][0]);
    pair.sort();
    assert_eq!(
        pair,
        [
            "a",
            "b",
            "exact",
            "flush",
            "normal",
            "point_a",
            "point_b",
            "relation",
            "signed_distance",
            "state",
            "verdict"
        ]
    );
    assert_eq!(report["schema"], "gjk-check/1");
    assert_eq!(report["unit"], "m");
    assert_eq!(
        pairs(&report),
        [
            "0 table-parcel touching",
            "0 forearm-lamp separated",
            "0 gripper-bracket overlapping"
        ]
    );
    let (lower, upper) = (
        &report["pairs"][2]["signed_distance"]["lower"],
        &report["pairs"][2]["signed_distance"]["upper"],
    );
    assert!(lower.as_f64().unwrap() <= upper.as_f64().unwrap() && upper.as_f64().unwrap() < 0.0);
    assert!((report["worst"]["overlap"].as_f64().unwrap() - 0.004).abs() < 1e-12);
    assert!((report["worst"]["clearance"].as_f64().unwrap() - 0.003).abs() < 1e-12);
}

#[test]
fn the_published_schema_names_what_the_report_has() {
    let (report, _) = report(&[]);
    let schema: Value = serde_json::from_str(&gjk(&["schema", "check"]).out).unwrap();
    for key in report.as_object().unwrap().keys() {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    for key in report["pairs"][0].as_object().unwrap().keys() {
        assert!(
            schema["$defs"]["Pair"]["properties"].get(key).is_some(),
            "{key}"
        );
    }
    let scene: Value = serde_json::from_str(&gjk(&["schema", "scene"]).out).unwrap();
    for (layout, key) in [("Bodies", "bodies"), ("Instances", "instances")] {
        assert!(
            scene["$defs"][layout]["properties"].get(key).is_some(),
            "{scene}"
        );
    }
}

#[test]
fn all_pairs_have_distances_and_no_scene_is_needed_to_skip_none() {
    let (report, _) = report(&["--all-pairs"]);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 30);
    assert_eq!(report["pairs_considered"], 30);
    assert_eq!(report["pairs_skipped"]["disabled"], 6);
    for pair in report["pairs"].as_array().unwrap() {
        let [lower, upper] =
            ["lower", "upper"].map(|end| pair["signed_distance"][end].as_f64().unwrap());
        assert!(
            upper - lower <= 1e-6 * upper.abs().max(1e-3),
            "the cut-off must not loosen it: {pair}"
        );
    }
}

#[test]
fn links_that_one_joint_joins_are_skipped_unless_asked_for() {
    let robot = own("two_arms.urdf");
    let (plain, code) = report(&[&robot]);
    // The tip ends at the palm's top plus a gap, the arms at the palm are adjacent to it.
    assert_eq!(plain["pairs_skipped"]["adjacent"], 3);
    assert_eq!(plain["pairs_considered"], 3);
    assert_eq!((pairs(&plain), code), (vec![], 0));
    let (all, code) = report(&[&robot, "--include-adjacent"]);
    assert_eq!(all["pairs_skipped"]["adjacent"], 0);
    assert_eq!(
        pairs(&all),
        [
            "0 palm-left overlapping",
            "0 palm-right overlapping",
            "0 left-tip overlapping"
        ]
    );
    assert_eq!(code, 1);
}

#[test]
fn an_srdf_file_disables_pairs() {
    let (report, _) = report(&[
        &own("two_arms.urdf"),
        "--srdf",
        &own("two_arms.srdf"),
        "--all-pairs",
    ]);
    assert_eq!(report["pairs_skipped"]["disabled"], 1);
    assert_eq!(report["pairs_considered"], 2);
    assert_eq!(
        pairs(&report),
        ["0 left-right separated", "0 right-tip separated"]
    );
}

#[test]
fn states_of_a_file_are_answered_in_order_and_mimic_joints_follow() {
    let (report, code) = report(&[&own("two_arms.urdf"), "--states", &own("two_arms.csv")]);
    assert_eq!(report["states"], 4);
    let expected = [
        "1 left-right touching",
        "1 right-tip touching",
        "2 left-right overlapping",
        "2 right-tip overlapping",
        "3 left-right overlapping",
        "3 right-tip overlapping",
    ];
    assert_eq!(pairs(&report), expected);
    assert_eq!(code, 1);
    assert!(
        contains(&report["pairs"][4], -0.25),
        "{}",
        report["pairs"][4]
    );
    let first = &report["pairs"][0];
    assert_eq!(
        (&first["exact"], &first["normal"]),
        (&Value::from(true), &serde_json::json!([1.0, 0.0, 0.0]))
    );
}

#[test]
fn groups_of_fixed_links_are_one_body() {
    let (report, _) = report(&[
        &own("two_arms.urdf"),
        "--group-fixed",
        "--include-adjacent",
        "--all-pairs",
    ]);
    let names: Vec<_> = report["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|body| body["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["palm", "left+tip", "right"]);
    assert_eq!(
        pairs(&report),
        [
            "0 palm-left+tip overlapping",
            "0 palm-right overlapping",
            "0 left+tip-right separated"
        ]
    );
}

/// A group is skipped only as far as its links are: here `palm-tip` is left of `palm-(left+tip)`.
#[test]
fn a_group_keeps_the_pairs_of_its_links_that_are_not_skipped() {
    let (report, _) = report(&[&own("two_arms.urdf"), "--group-fixed", "--all-pairs"]);
    assert_eq!(
        pairs(&report),
        ["0 palm-left+tip separated", "0 left+tip-right separated"]
    );
    assert!(
        contains(&report["pairs"][0], 0.625),
        "{}",
        report["pairs"][0]
    );
    assert_eq!(report["pairs_skipped"]["adjacent"], 1);
}

#[test]
fn touching_alone_is_no_failure_but_fails_a_clearance() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("touch.toml");
    let text = "bodies = [\n  {name = 'a', parts = [{shape = 'box', half_extents = [1, 1, 1]}]},\n  \
                {name = 'b', pose = {translation = [2, 0, 0]}, parts = [{shape = 'box', half_extents = [1, 1, 1]}]},\n]\n";
    std::fs::write(&scene, text).unwrap();
    let scene = scene.display().to_string();
    let (touch, code) = report(&[&scene]);
    assert_eq!(
        (pairs(&touch), code),
        (vec!["0 a-b touching".to_owned()], 0)
    );
    assert_eq!(touch["unit"], Value::Null);
    assert_eq!(
        report(&[&scene, "--clearance", "0.1"]).1,
        1,
        "moving nearer must never turn a failure into a success"
    );
}

#[test]
fn a_touch_band_takes_roundings_for_touches() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("band.json");
    // 0.15 - 0.05 is less than 0.1 in doubles, so that these overlap by 2e-17.
    let text = r#"{"bodies":[{"name":"table","parts":[{"shape":"box","half_extents":[1,1,0.1]}]},
        {"name":"ball","pose":{"translation":[0.3,0.7,0.15]},"parts":[{"shape":"ball","radius":0.05}]}]}"#;
    std::fs::write(&scene, text).unwrap();
    let scene = scene.display().to_string();
    let run = gjk(&["check", &scene]);
    assert_eq!(run.code, 1);
    assert!(
        run.out
            .contains("no deeper than rounding: `--touch-band 7e-13`"),
        "{}",
        run.out
    );
    let (banded, code) = report(&[&scene, "--touch-band", "7e-13"]);
    assert_eq!(
        (pairs(&banded), code),
        (vec!["0 table-ball touching".to_owned()], 0)
    );
    assert_eq!(banded["pairs"][0]["exact"], false);
    assert!(banded.get("rounding").is_none());
}

/// The hint counts pairs of bodies and states: a deep overlap elsewhere does not hide one that is a rounding.
#[test]
fn the_rounding_hint_is_given_for_several_states_and_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("slide.urdf");
    // 0.15 - 0.05 is less than 0.1 in doubles. The second state overlaps by far more.
    let text = "<robot name='slide'><link name='table'><collision><geometry><box size='2 2 0.2'/></geometry></collision></link>\
        <link name='gap'/><link name='ball'><collision><geometry><sphere radius='0.05'/></geometry></collision></link>\
        <joint name='g' type='fixed'><parent link='table'/><child link='gap'/></joint>\
        <joint name='z' type='prismatic'><parent link='gap'/><child link='ball'/><origin xyz='0.3 0.7 0'/><axis xyz='0 0 1'/>\
        <limit lower='0' upper='1' effort='1' velocity='1'/></joint></robot>";
    std::fs::write(&robot, text).unwrap();
    let states = folder.path().join("states.csv");
    std::fs::write(&states, "z\n0.15\n0.1\n0.5\n").unwrap();
    let [robot, states] = [robot, states].map(|path| path.display().to_string());
    let table = gjk(&["check", &robot, "--states", &states]);
    assert!(
        table
            .out
            .contains("1 of the overlaps is no deeper than rounding: `--touch-band 7e-13`"),
        "{}",
        table.out
    );
    let (found, _) = report(&[&robot, "--states", &states]);
    assert_eq!(
        pairs(&found),
        ["0 table-ball overlapping", "1 table-ball overlapping"]
    );
    assert_eq!(found["rounding"]["overlaps"], 1);
    let band = found["rounding"]["touch_band"].as_f64().unwrap();
    assert!((6e-13..8e-13).contains(&band), "{band}");
    let schema: Value = serde_json::from_str(&gjk(&["schema", "check"]).out).unwrap();
    assert!(schema["properties"].get("rounding").is_some());
}

#[test]
fn meshes_say_how_much_of_their_hull_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n\
                f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(folder.path().join("cube.obj"), cube).unwrap();
    // The cube with one corner pushed in, and the cube without its last face.
    std::fs::write(
        folder.path().join("dented.obj"),
        format!("{cube}v 0.5 0.5 0.5\nf 1 2 9\nf 2 1 9\n"),
    )
    .unwrap();
    std::fs::write(
        folder.path().join("open.OBJ"),
        &cube[..cube.len() - "f 2 4 8 6\n".len()],
    )
    .unwrap();
    let folder = folder.path().display().to_string();
    let parts = |options: &[&str]| {
        let (report, code) = report(&[&[folder.as_str()], options].concat());
        assert_eq!(code, 1);
        [0, 1, 2].map(|k| report["bodies"][k]["parts"][0].clone())
    };
    let cube = serde_json::json!({"kind": "convex_mesh", "source": "cube.obj", "vertices": 8});
    // The dent's two faces lie back to back: nothing is there.
    assert_eq!(
        parts(&[]),
        [
            cube.clone(),
            serde_json::json!({"kind": "solid", "source": "dented.obj", "shells": 1}),
            serde_json::json!({"kind": "surface", "source": "open.OBJ", "reason": "edge 3-1 is open"}),
        ]
    );
    assert_eq!(
        parts(&["--meshes", "hull"]),
        [
            cube,
            serde_json::json!({"kind": "hull", "source": "dented.obj", "vertices": 8, "volume_ratio": 1.0}),
            serde_json::json!({"kind": "hull", "source": "open.OBJ", "vertices": 8, "volume_ratio": null}),
        ]
    );
    let strict = gjk(&["check", &folder, "--require-solid"]);
    assert_eq!(strict.code, 2);
    assert!(
        strict.err.contains("open.OBJ") && strict.err.contains("edge 3-1 is open"),
        "{}",
        strict.err
    );
}

#[test]
fn answers_do_not_depend_on_threads() {
    let robot = own("two_arms.urdf");
    let on = |threads: &str| {
        let mut command = Command::cargo_bin("gjk").unwrap();
        command.args([
            "check",
            &robot,
            "--random",
            "50",
            "--seed",
            "7",
            "--all-pairs",
            "--json",
        ]);
        run(command.env("RAYON_NUM_THREADS", threads)).out
    };
    let alone = on("1");
    assert!(alone.contains("\"states\":50"));
    assert_eq!(alone, on("3"));
}

/// A billion metres from the origin a gap is known to the rounding of the coordinates. Both reports say so beside the interval.
#[test]
fn a_wide_interval_says_why_the_search_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("far.json");
    let text = r#"{"bodies":[
        {"name":"near","pose":{"translation":[1e9,0,0]},"parts":[{"shape":"ellipsoid","radii":[1,2,3]}]},
        {"name":"far","pose":{"translation":[1e9,4.001,0]},"parts":[{"shape":"ellipsoid","radii":[1,2,3]}]},
        {"name":"box","pose":{"translation":[0,0,9]},"parts":[{"shape":"box","half_extents":[1,1,1]}]},
        {"name":"lid","pose":{"translation":[0,0,11.5]},"parts":[{"shape":"box","half_extents":[1,1,1]}]}]}"#;
    std::fs::write(&scene, text).unwrap();
    let scene = scene.display().to_string();
    let (found, _) = report(&[&scene, "--clearance", "1"]);
    assert_eq!(
        pairs(&found),
        ["0 near-far separated", "0 box-lid separated"]
    );
    let stop = found["pairs"][0]["stop"].as_str().unwrap();
    assert!(found["pairs"][1].get("stop").is_none(), "{found}");
    let table = gjk(&["check", &scene, "--clearance", "1"]).out;
    assert!(
        table.contains("why wide") && table.contains(stop),
        "{table}"
    );
    assert!(
        !gjk(&["check"]).out.contains("why wide"),
        "narrow numbers need no reason"
    );
    let schema: Value = serde_json::from_str(&gjk(&["schema", "check"]).out).unwrap();
    assert!(schema["$defs"]["Pair"]["properties"].get("stop").is_some());
}

/// What pinocchio and coal know of these robots: the number of pairs and that the PR2 is free at zero.
#[test]
fn real_robots_are_read_whole_and_answered_exactly() {
    let robots = [
        ("panda/panda.urdf", "panda/panda.srdf", 21, 2),
        ("ur5/ur5_robot.urdf", "ur5/ur5.srdf", 17, 0),
        ("pr2/pr2.urdf", "pr2/pr2.srdf", 239, 0),
    ];
    for (urdf, srdf, considered, overlaps) in robots {
        let (Some(urdf), Some(srdf)) = (
            shared(&format!("robots/{urdf}")),
            shared(&format!("robots/{srdf}")),
        ) else {
            return;
        };
        let (at_zero, _) = report(&[&urdf, "--srdf", &srdf]);
        assert_eq!(at_zero["pairs_considered"], considered, "{urdf}");
        assert_eq!(
            at_zero["pairs"].as_array().unwrap().len(),
            overlaps,
            "{urdf}: {:?}",
            pairs(&at_zero)
        );
        let (random, _) = report(&[&urdf, "--srdf", &srdf, "--random", "20", "--all-pairs"]);
        let found = random["pairs"].as_array().unwrap();
        assert_eq!(found.len(), 20 * considered);
        assert!(
            found.iter().all(|pair| pair["exact"] == true),
            "hulls and boxes are polytopes: {urdf}"
        );
    }
}

/// Bodies as they are, against an exact boolean (CGAL's) of the elements whose edges are balanced in the file.
#[test]
fn assemblies_touch_where_their_parts_meet() {
    let (Some(building), Some(gearbox)) = (
        shared("assemblies/bim_duplex/elements"),
        shared("assemblies/cycloidal_drive/scene.json"),
    ) else {
        return;
    };
    let count = |report: &Value, counts: &dyn Fn(&Value) -> bool| {
        let found = report["pairs"].as_array().unwrap();
        ["overlapping", "touching", "undecided"].map(|verdict| {
            let found = found.iter().filter(|pair| pair["verdict"] == verdict);
            found.filter(|pair| counts(pair)).count()
        })
    };
    let (found, _) = report(&[&building]);
    assert_eq!(count(&found, &|_| true), [142, 691, 0]);
    let audit: Value = serde_json::from_str(&gjk(&["audit", &building, "--json"]).out).unwrap();
    let balanced: Vec<&str> = audit["meshes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|mesh| mesh["misoriented_edges"] == 0 && mesh["open_edges"] == 0)
        .map(|mesh| {
            Path::new(mesh["file"].as_str().unwrap())
                .file_stem()
                .unwrap()
        })
        .map(|name| name.to_str().unwrap())
        .collect();
    let is_balanced = |pair: &Value| {
        ["a", "b"]
            .iter()
            .all(|body| balanced.contains(&pair[body].as_str().unwrap()))
    };
    assert_eq!(count(&found, &is_balanced), [88, 503, 0]);
    let (found, _) = report(&[&gearbox]);
    assert_eq!(count(&found, &|_| true), [112, 9, 0]);
    let (hulls, _) = report(&[&building, "--meshes", "hull"]);
    assert_eq!(count(&hulls, &|_| true), [288, 612, 0]);
}
