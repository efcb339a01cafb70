//! What `gjk check --verify` says: what is proved of each pair, the summary, and that nothing is objected to.

use crate::{gjk, report, shared};
use serde_json::{Value, json};

/// What is proved of each pair, by its bodies.
fn verified(report: &Value) -> Vec<(String, Value)> {
    let pairs = report["pairs"].as_array().unwrap().iter();
    let of = |pair: &Value| {
        let name = |key: &str| pair[key].as_str().unwrap().to_owned();
        assert_eq!(pair["objection"], Value::Null);
        (
            format!("{}-{}", name("a"), name("b")),
            pair["verified"].clone(),
        )
    };
    pairs.map(of).collect()
}

#[test]
fn each_pair_of_the_example_is_proved_from_both_sides() {
    let (report, code) = report(&["--verify"]);
    assert_eq!(code, 1, "what overlaps is found all the same");
    let all = json!({"relation": true, "lower": true, "upper": true});
    let expected = ["table-parcel", "forearm-lamp", "gripper-bracket"];
    assert_eq!(
        verified(&report),
        expected.map(|name| (name.to_owned(), all.clone()))
    );
    let run = gjk(&["check", "--verify"]);
    let summary = "3 pairs: 3 relations verified, 3 lower ends, 3 upper ends; 0 objections";
    assert!(run.err.contains(summary), "{}", run.err);
}

#[test]
fn without_the_option_nothing_is_said() {
    let (report, _) = report(&[]);
    assert_eq!(report["pairs"][0].get("verified"), None);
    assert!(!gjk(&["check"]).err.contains("verified"));
}

#[test]
fn gaps_touches_and_overlaps_of_bent_parts_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    // An L, one beside it that touches it, one that reaches into it, and one a tenth away.
    for (name, by) in [("a", 0.0), ("b", 3.0), ("c", -2.5), ("d", -5.6)] {
        std::fs::write(folder.path().join(format!("{name}.obj")), bent(by)).unwrap();
    }
    let path = folder.path().display().to_string();
    let (report, _) = report(&[&path, "--clearance", "0.2", "--verify"]);
    let words = |report: &Value| -> Vec<String> {
        let pairs = report["pairs"].as_array().unwrap();
        let word = |p: &Value| format!("{}{} {}", p["a"], p["b"], p["relation"]).replace('"', "");
        pairs.iter().map(word).collect()
    };
    assert_eq!(
        words(&report),
        ["ab touching", "ac overlapping", "cd separated"]
    );
    let proved =
        |lower: bool, upper: bool| json!({"relation": true, "lower": lower, "upper": upper});
    let said: Vec<Value> = verified(&report).into_iter().map(|pair| pair.1).collect();
    // The depth was not asked, and would not be proved.
    assert_eq!(
        said,
        [proved(true, true), proved(false, false), proved(true, true)]
    );
}

#[test]
fn certificates_are_written_for_programs_of_others() {
    let folder = tempfile::tempdir().unwrap();
    for (name, by) in [("a", 0.0), ("b", 3.0), ("c", -2.5), ("d", -5.6)] {
        std::fs::write(folder.path().join(format!("{name}.obj")), bent(by)).unwrap();
    }
    let (path, to) = (
        folder.path().display().to_string(),
        folder.path().join("proofs.jsonl"),
    );
    let to = to.display().to_string();
    let run = gjk(&["check", &path, "--clearance", "0.2", "--certificates", &to]);
    assert!(
        run.err.contains("proofs.jsonl (3 certificates)"),
        "{}",
        run.err
    );
    let text = std::fs::read_to_string(&to).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let relations: Vec<&Value> = lines.iter().map(|line| &line["relation"]).collect();
    assert_eq!(relations, ["touching", "overlapping", "separated"]);
    assert!(lines[0]["cut"].is_object() && lines[1]["cut"].is_null());
    assert!(!lines[1]["sights"].as_array().unwrap().is_empty());
    let distance = &lines[2]["distance"];
    assert!(distance["cut"].is_object() && distance["weights"].is_array());
    by_python(
        &to,
        0,
        "3 relations proved, 0 not checked here, 1 distances proved, 0 numbers of depths proved, 0 wrong",
    );
    // A relation that is not theirs is found out.
    std::fs::write(&to, text.replace("\"touching\"", "\"separated\"")).unwrap();
    by_python(
        &to,
        1,
        "2 relations proved, 0 not checked here, 1 distances proved, 0 numbers of depths proved, 1 wrong",
    );
}

#[test]
fn depths_are_proved_and_written_too() {
    let folder = tempfile::tempdir().unwrap();
    for (name, by) in [("a", 0.0), ("c", -2.5)] {
        std::fs::write(folder.path().join(format!("{name}.obj")), bent(by)).unwrap();
    }
    let (path, to) = (
        folder.path().display().to_string(),
        folder.path().join("proofs.jsonl"),
    );
    let to = to.display().to_string();
    let (report, _) = report(&[&path, "--depth", "1%", "--certificates", &to, "--verify"]);
    let ends = |upper: bool| json!({"lower": true, "upper": upper});
    let said = &verified(&report)[0].1;
    assert_eq!(said["lower"], true);
    assert_eq!(said["upper"], true);
    let reach = &said["protrusion"];
    let is_told = |of: &Value| *of == ends(true) || *of == ends(false);
    assert!(is_told(&reach["a"]) && is_told(&reach["b"]), "{reach}");
    let run = gjk(&["check", &path, "--verify", "--depth", "1%"]);
    let summary = "1 pair: 1 relation verified, 1 lower end, 1 upper end, ";
    assert!(run.err.contains(summary), "{}", run.err);
    assert!(
        run.err.contains(" of 4 ends of protrusions; 0 objections"),
        "{}",
        run.err
    );
    let count = |of: &Value| {
        [&of["lower"], &of["upper"]]
            .iter()
            .filter(|x| **x == true)
            .count()
    };
    let numbers = 2 + count(&reach["a"]) + count(&reach["b"]);
    let line = |proved: usize, numbers: usize, wrong: usize| {
        format!(
            "{proved} relations proved, 0 not checked here, 0 distances proved, \
             {numbers} numbers of depths proved, {wrong} wrong"
        )
    };
    by_python(&to, 0, &line(1, numbers, 0));
    // A thickness that is not theirs is found out, and so is a translation that is too short.
    let text = std::fs::read_to_string(&to).unwrap();
    for number in [
        "/depth/ball/radius",
        "/depth/escape/by/0",
        "/depth/protrusion/0/lower",
    ] {
        let mut wrong: Value = serde_json::from_str(text.trim()).unwrap();
        let at = wrong.pointer_mut(number).unwrap();
        let by = if number.ends_with("by/0") { 0.5 } else { 1.01 };
        *at = json!(at.as_f64().unwrap() * by + 0.01);
        std::fs::write(&to, wrong.to_string()).unwrap();
        by_python(&to, 1, &line(1, 0, 1));
    }
}

/// Has the checker that is written in Python read a file; loudly not where there is no Python.
fn by_python(file: &str, code: i32, said: &str) {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/check_certificates.py"
    );
    let output = std::process::Command::new("python3")
        .args([script, file])
        .output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: there is no python3");
        return;
    };
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), out.lines().last()),
        (Some(code), Some(said)),
        "{out}"
    );
}

#[test]
fn two_files_of_one_name_are_refused() {
    let run = gjk(&["check", "--html", "x.html", "--certificates", "x.html"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err
            .contains("--html and --certificates name the same file"),
        "{}",
        run.err
    );
    assert!(!std::path::Path::new("x.html").exists());
}

/// An L of two legs, moved along x.
fn bent(by: f64) -> String {
    let ring = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
    let vertex = |[x, y]: [i32; 2], z: i32| format!("v {} {y} {z}\n", f64::from(x) + by);
    let mut text: String = [0, 1]
        .into_iter()
        .flat_map(|z| ring.map(|p| vertex(p, z)))
        .collect();
    for k in 1..=6 {
        let next = k % 6 + 1;
        text += &format!("f {k} {next} {} {}\n", next + 6, k + 6);
    }
    text + "f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n"
}

#[test]
fn real_parts_are_proved() {
    let Some(scene) = shared("assemblies/cycloidal_drive/scene.json") else {
        return;
    };
    let run = gjk(&["check", &scene, "--verify", "--rows", "1"]);
    let summary = "121 pairs: 121 relations verified, 9 lower ends, 9 upper ends; 0 objections";
    assert!(run.err.contains(summary), "{}", run.err);
}

#[test]
fn depths_of_real_parts_are_proved() {
    let Some(building) = shared("assemblies/bim_duplex/elements") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "IfcSlab_2OBrcmyk58NupXoVOHUtgP",
        "IfcMember_01KzA4SPn5IOODwLEb5RNY",
        "IfcMember_37Fy90kSD2PvviizyM7EKl",
        "IfcWallStandardCase_2O2Fr_t4X7Zf8NOew3FNau",
        "IfcDoor_1hOSvn6df7F8_7GcBWlRH8",
    ] {
        let file = format!("{name}.obj");
        std::fs::copy(format!("{building}/{file}"), folder.path().join(&file)).unwrap();
    }
    let path = folder.path().display().to_string();
    let run = gjk(&["check", &path, "--verify", "--depth", "1%"]);
    let summary = "4 pairs: 4 relations verified, 4 lower ends, 4 upper ends, 15 of 16 ends of protrusions; 0 objections";
    assert!(run.err.contains(summary), "{}", run.err);
}
