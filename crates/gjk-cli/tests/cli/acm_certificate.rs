//! `gjk acm --certificate`, `--verify` and `--check-certificate`: what is written is checked, and what was changed is rejected.

use crate::gjk;
use serde_json::Value;
use std::fs;

/// A base, an arm on it, and a tool that stays away from the base.
const ROBOT: &str = r#"<robot name="small">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.3 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link>
<link name="tool"><collision><origin xyz="0.2 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.15 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
<joint name="j2" type="revolute"><parent link="arm"/><child link="tool"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
</robot>"#;

#[test]
fn a_certificate_is_written_checked_and_rejected_when_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let robot = path("robot.urdf");
    fs::write(&robot, ROBOT).unwrap();
    for file in [path("proof.json"), path("proof.json.gz")] {
        let run = gjk(&["acm", &robot, "--certificate", &file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("wrote "), "{}", run.err);
        let run = gjk(&["acm", &robot, "--check-certificate", &file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.starts_with("1 pair is proved apart"), "{}", run.out);
        assert!(run.out.contains("within the soft limits"), "{}", run.out);
    }
    let text = fs::read_to_string(path("proof.json")).unwrap();
    let mut changed: Value = serde_json::from_str(&text).unwrap();
    changed["pairs"][0]["distance"] = 10.0.into();
    fs::write(path("changed.json"), changed.to_string()).unwrap();
    let run = gjk(
        &["acm", &robot, "--check-certificate", &path("changed.json")],
        "",
    );
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out
            .starts_with("rejected: `base` and `tool`: tree 0: node 0: ")
    );
    for (name, bytes) in [
        ("empty.json", &b""[..]),
        ("deep.json", &[b'['; 100_000][..]),
        ("other.json", &b"{\"schema\":\"gjk-acm/1\"}"[..]),
        ("none.json.gz", &b"no gzip"[..]),
        ("cut.json", &text.as_bytes()[..text.len() / 2]),
    ] {
        fs::write(path(name), bytes).unwrap();
        let run = gjk(&["acm", &robot, "--check-certificate", &path(name)], "");
        assert_eq!(run.code, 2, "{name}: {}", run.out);
        assert!(
            run.err.contains("`--certificate FILE` of `gjk acm`"),
            "{}",
            run.err
        );
    }
    // Of an older layout it says what to do.
    let older = r#"{"schema":"gjk-acm-certificate/1","robot":"small","pairs":[]}"#;
    fs::write(path("older.json"), older).unwrap();
    let run = gjk(
        &["acm", &robot, "--check-certificate", &path("older.json")],
        "",
    );
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("its layout is `gjk-acm-certificate/1`"));
    assert!(run.err.contains("write it again"), "{}", run.err);
}

#[test]
fn verified_pairs_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("robot.urdf");
    fs::write(&robot, ROBOT).unwrap();
    let robot = robot.to_str().unwrap();
    let run = gjk(&["acm", robot, "--verify", "--json"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("1 pair is proved apart"), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let verified = report["pairs"].as_array().unwrap().iter();
    assert_eq!(verified.filter(|pair| pair["verified"] == true).count(), 1);
    let run = gjk(&["acm", robot, "--json"], "");
    assert!(!run.out.contains("verified"), "{}", run.out);
}
