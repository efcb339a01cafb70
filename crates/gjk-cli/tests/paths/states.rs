//! `gjk states` as its users see it.

use super::{again, gjk};
use serde_json::Value;

/// Apart, face to face, half over one another, apart above.
const STATES: &str = "x,y\n0,0\n1,0\n1.5,0\n2,1.5\n";

#[test]
fn each_state_is_free_or_names_a_pair() {
    let (run, folder) = gjk(("s.csv", STATES), &["states", "robot.urdf", "s.csv"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for part in [
        "state 1  one and other: touch",
        "state 2  one and other: overlap",
        "4 states: 2 free, 1 overlapping, 1 touching, 0 undecided · 1 pair checked (2 adjacent, 0 disabled: not checked)",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert!(run.err.contains("states/s"), "{}", run.err);
    let run = again(folder.path(), &["states", "robot.urdf", "s.csv", "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let schema = again(folder.path(), &["schema", "states"]).out;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let known = |of: &Value, fields: &Value| {
        let fields = fields.as_object().unwrap();
        of.as_object()
            .unwrap()
            .keys()
            .all(|key| fields.contains_key(key))
    };
    assert!(known(&report, &schema["properties"]));
    assert!(known(
        &report["states"][1],
        &schema["$defs"]["StateEntry"]["properties"]
    ));
    let verdicts: Vec<_> = report["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|state| state["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["free", "touching", "overlapping", "free"]);
    assert_eq!(
        report["states"][2]["pair"],
        serde_json::json!(["one", "other"])
    );
    assert_eq!(report["states"][0].get("pair"), None);
}

#[test]
fn states_that_are_free_end_well() {
    let (run, _) = gjk(("s.csv", "x,y\n0,0\n"), &["states", "robot.urdf", "s.csv"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn what_gjk_check_reports_of_random_states_is_what_states_say() {
    let (run, folder) = gjk(
        ("s.csv", STATES),
        &[
            "states",
            "robot.urdf",
            "--random",
            "500",
            "--seed",
            "4",
            "--json",
        ],
    );
    let found: Value = serde_json::from_str(&run.out).unwrap();
    let run = again(
        folder.path(),
        &[
            "check",
            "robot.urdf",
            "--random",
            "500",
            "--seed",
            "4",
            "--json",
        ],
    );
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let overlaps = |state: usize| {
        let pairs = report["pairs"].as_array().unwrap();
        pairs.iter().any(|pair| {
            pair["state"].as_u64() == Some(state as u64) && pair["verdict"] == "overlapping"
        })
    };
    let states = found["states"].as_array().unwrap();
    assert_eq!(states.len(), 500);
    for (k, state) in states.iter().enumerate() {
        assert_eq!(state["verdict"] == "overlapping", overlaps(k), "{k}");
    }
    assert!(found["counts"]["overlapping"].as_u64().unwrap() > 20);
}

#[test]
fn what_is_wrong_with_the_input_is_said() {
    let cases: [(&str, &[&str], &str); 3] = [
        ("x,z\n0,0\n", &["states", "robot.urdf", "s.csv"], "`z`"),
        ("x\nNaN\n", &["states", "robot.urdf", "s.csv"], "s.csv:2"),
        ("x\n0\n", &["states", "robot.urdf"], "STATES"),
    ];
    for (file, args, part) in cases {
        let (run, _) = gjk(("s.csv", file), args);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains(part), "{part}\n{}", run.err);
    }
}
