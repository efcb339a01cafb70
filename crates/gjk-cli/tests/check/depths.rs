//! What `gjk check` says of overlaps of meshes that are not convex: where, how deep, within which band.

use crate::{gjk, report};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// An L of two unit squares' width, extruded, as an OBJ file.
const CORNER: [[f64; 2]; 6] = [
    [0.0, 0.0],
    [3.0, 0.0],
    [3.0, 1.0],
    [1.0, 1.0],
    [1.0, 3.0],
    [0.0, 3.0],
];

/// A prism over a ring, moved.
fn prism(ring: &[[f64; 2]], height: f64, [x, y, z]: [f64; 3]) -> String {
    let mut text = String::new();
    for level in [0.0, height] {
        for [u, v] in ring {
            writeln!(text, "v {} {} {}", u + x, v + y, level + z).unwrap();
        }
    }
    let n = ring.len();
    for k in 1..=n {
        let next = k % n + 1;
        writeln!(text, "f {k} {next} {} {}", next + n, k + n).unwrap();
    }
    // Fans would leave the L, so its two legs are faces of their own.
    let caps: &[&[usize]] = if n == 6 {
        &[&[1, 2, 3, 4], &[1, 4, 5, 6]]
    } else {
        &[&[1, 2, 3, 4]]
    };
    for cap in caps {
        let up: Vec<String> = cap.iter().map(|k| (k + n).to_string()).collect();
        let down: Vec<String> = cap.iter().rev().map(ToString::to_string).collect();
        writeln!(text, "f {}\nf {}", up.join(" "), down.join(" ")).unwrap();
    }
    text
}

fn folder(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn check(folder: &Path, options: &[&str]) -> (Value, i32) {
    let path = folder.display().to_string();
    report(&[&[path.as_str()], options].concat())
}

fn within(interval: &Value, truth: f64, width: f64) -> bool {
    let [lower, upper] = ["lower", "upper"].map(|end| interval[end].as_f64().unwrap());
    lower <= truth + 1e-12 && truth - 1e-12 <= upper && upper - lower <= width
}

/// The second L's inner corner is 0.1 inside of the first one's end.
fn two_corners() -> tempfile::TempDir {
    folder(&[
        ("a.obj", prism(&CORNER, 1.0, [0.0; 3])),
        ("b.obj", prism(&CORNER, 1.0, [2.9, 0.25, 0.125])),
    ])
}

#[test]
fn a_depth_is_null_unless_it_is_asked_for() {
    let folder = two_corners();
    let (found, code) = check(folder.path(), &[]);
    let pair = &found["pairs"][0];
    assert_eq!((code, &pair["relation"]), (1, &Value::from("overlapping")));
    assert!(pair["signed_distance"].is_null() && pair["normal"].is_null());
    assert!(pair["protrusion"].is_null() && found["worst"]["overlap"].is_null());
    let x = pair["point_a"][0].as_f64().unwrap();
    assert!((2.9..=3.0).contains(&x), "{pair}");
    for body in ["a", "b"] {
        let contact = &pair["contact"][body];
        assert_eq!(contact["part"], 0);
        assert!(contact["triangle"].as_u64().unwrap() < 20, "{contact}");
        let feature = contact["feature"].as_str().unwrap();
        assert!(["vertex", "edge", "face"].contains(&feature), "{feature}");
    }
}

#[test]
fn protrusions_and_the_way_out_are_measured() {
    let folder = two_corners();
    let (found, code) = check(folder.path(), &["--depth", "1%"]);
    let pair = &found["pairs"][0];
    assert_eq!((code, &pair["relation"]), (1, &Value::from("overlapping")));
    for body in ["a", "b"] {
        let one = &pair["protrusion"][body];
        assert!(within(one, 0.1, 0.00101), "{one}");
    }
    assert!(within(&pair["signed_distance"], -0.1, 0.002), "{pair}");
    assert!(pair["normal"][0].as_f64().unwrap() > 0.999_999, "{pair}");
    assert!(pair["signed_distance"]["lower"].as_f64().unwrap() < -0.1 + 1e-12);
    let table = gjk(&[
        "check",
        &folder.path().display().to_string(),
        "--depth",
        "0.01",
    ])
    .out;
    assert!(
        table.contains("a reaches") && table.contains("0.1"),
        "{table}"
    );
}

#[test]
fn a_touch_band_works_on_protrusions_but_not_on_thin_walls() {
    let corners = two_corners();
    let (found, code) = check(corners.path(), &["--touch-band", "0.11"]);
    let pair = &found["pairs"][0];
    assert_eq!((code, &pair["verdict"]), (0, &Value::from("touching")));
    assert_eq!(
        (&pair["exact"], &found["touch_band"]),
        (&Value::from(false), &Value::from(0.11))
    );
    assert_eq!(check(corners.path(), &["--touch-band", "0.09"]).1, 1);
    // A rod through a foil: both are thinner than the band, and no end of the rod is in the foil.
    let square = |side: f64| [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    let thin = folder(&[
        ("foil.obj", prism(&square(2.0), 0.01, [0.0; 3])),
        ("rod.obj", prism(&square(0.01), 2.0, [1.0, 1.0, -1.0])),
    ]);
    let (found, code) = check(thin.path(), &["--touch-band", "0.05"]);
    assert_eq!(
        (code, &found["pairs"][0]["verdict"]),
        (1, &Value::from("overlapping")),
        "{found}"
    );
}

/// Parts of one pose are compared before it rounds them, unless that is switched off.
#[test]
fn flush_can_be_switched_off() {
    let meshes = folder(&[
        ("a.obj", prism(&CORNER, 1.0, [0.0; 3])),
        ("b.obj", prism(&CORNER, 1.0, [3.0, 0.0, 0.0])),
    ]);
    let body = |name: &str| {
        let pose =
            r#"{"rotation":[0.1,0.2,0.3,0.9273618495495703],"translation":[7.4,1000.1,3.3]}"#;
        format!(r#"{{"name":"{name}","pose":{pose},"parts":[{{"mesh":"{name}.obj"}}]}}"#)
    };
    let scene = format!(r#"{{"bodies":[{},{}]}}"#, body("a"), body("b"));
    let path = meshes.path().join("scene.json");
    std::fs::write(&path, scene).unwrap();
    let (on, code) = check(&path, &[]);
    let pair = &on["pairs"][0];
    assert_eq!((code, &pair["relation"]), (0, &Value::from("touching")));
    assert_eq!(pair["flush"], true);
    let (off, _) = check(&path, &["--flush", "off", "--all-pairs", "--depth", "1%"]);
    let pair = &off["pairs"][0];
    assert_eq!(pair["flush"], false);
    let most = pair["signed_distance"]["lower"].as_f64().unwrap().abs();
    assert!(most < 1e-11, "{pair}");
}

#[test]
fn a_depth_that_is_no_share_is_refused() {
    for bad in ["0", "-1", "nan", "200%", "x", "1e-400%"] {
        let run = gjk(&["check", "--depth", bad]);
        assert_eq!(run.code, 2, "{bad}");
        assert!(run.err.contains("--depth"), "{}", run.err);
    }
}
