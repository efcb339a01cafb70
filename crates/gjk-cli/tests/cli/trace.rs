//! `gjk trace`.

use crate::gjk;
use serde_json::Value;

/// TUTORIALS T5.4: Bittle's four steps, directions and projections not normalised.
const BITTLE: [([f64; 2], [f64; 2], f64); 4] = [
    ([1.0, -1.0], [4.0, 2.0], 2.0),
    ([-1.0, 1.0], [-6.0, 9.0], 15.0),
    ([-336.0, -480.0], [-8.0, -2.0], 3648.0),
    ([32.0, -96.0], [-1.0, -2.0], 160.0),
];

#[test]
fn the_bare_command_tells_the_tutorials_worked_example() {
    let run = gjk(&["trace"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for (direction, support, projection) in BITTLE {
        let [x, y] = direction;
        let [u, v] = support;
        assert!(
            run.out.contains(&format!("direction ({x}, {y})")),
            "{}",
            run.out
        );
        assert!(
            run.out
                .contains(&format!("= ({u}, {v})   d·w = {projection}\n")),
            "{}",
            run.out
        );
    }
    assert!(
        run.out.contains("encloses the origin") && run.out.contains("overlapping, proved"),
        "{}",
        run.out
    );
    assert!(!run.out.contains('\u{1b}'), "colour codes in a pipe");
}

#[test]
fn json_has_the_same_steps_and_names_the_inputs_own_points() {
    let run = gjk(&["trace", "--example", "tutorial", "--json"], "");
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&answer["verdict"], &answer["exact"]),
        (&"overlapping".into(), &true.into())
    );
    let steps = answer["trace"].as_array().unwrap();
    assert_eq!(steps.len(), BITTLE.len());
    for (step, (direction, support, projection)) in steps.iter().zip(BITTLE) {
        assert_eq!(step["direction"], serde_json::json!(direction));
        assert_eq!(step["support"]["w"], serde_json::json!(support));
        assert_eq!(step["projection"].as_f64(), Some(projection));
    }
    // (9, 9) is A's third point, (5, 7) B's first.
    assert_eq!(steps[0]["support"]["ids"], serde_json::json!([2, 0]));
}

#[test]
fn depth_of_the_worked_example_is_told_by_epa() {
    let run = gjk(&["trace", "--algorithm", "distance"], "");
    assert!(run.out.contains("EPA 2"), "{}", run.out);
    assert!(run.out.contains("nearest  (-1, -2)–(4, 2)"), "{}", run.out);
    assert!(
        run.out.contains("signed distance in [-0.93704257"),
        "{}",
        run.out
    );
}

#[test]
fn the_tutorials_distance_example_ends_at_eleven_over_root_41() {
    let run = gjk(&["trace", "--example", "apart"], "");
    assert!(
        run.out.contains("(-4, -1)") && run.out.contains("signed distance in [1.71791138"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("point A  (6.926829, 7.341463)"),
        "{}",
        run.out
    );
}

#[test]
fn a_line_is_found_by_its_id() {
    let lines = r#"{"id":"one","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}
{"id":"two","query":"intersects","a":{"shape":"box","half_extents":[1,1,1]},"b":{"shape":"point","point":[9,0,0]}}"#;
    let run = gjk(&["trace", "-", "--id", "two"], lines);
    assert!(
        run.code == 0
            && run
                .out
                .starts_with("two: box against point, 3D, f64, yes or no"),
        "{}",
        run.out
    );
    let run = gjk(&["trace", "-"], lines);
    assert!(
        run.out
            .starts_with("one: ball against ball, 3D, f64, signed distance"),
        "{}",
        run.out
    );
    let run = gjk(&["trace", "-", "--id", "three"], lines);
    assert!(
        run.code == 2 && run.err.contains("no line has the id `three`"),
        "{}",
        run.err
    );
}

#[test]
fn bad_input_is_named() {
    let line = r#"{"id":"x","a":{"shape":"ball","radius":-1},"b":{"shape":"ball","radius":1}}"#;
    let run = gjk(&["trace", "-"], line);
    assert!(run.code == 2 && run.err.contains("a.radius"), "{}", run.err);
    let run = gjk(&["trace", "--direction", "1,2,3"], "");
    assert!(
        run.code == 2 && run.err.contains("expected 2 numbers, found 3"),
        "{}",
        run.err
    );
    let run = gjk(&["trace", "--direction", "0,0"], "");
    assert_eq!(run.code, 2);
    let run = gjk(&["trace", "/no/such/file"], "");
    assert!(
        run.code == 2 && run.err.contains("/no/such/file"),
        "{}",
        run.err
    );
}

#[test]
fn the_picture_is_well_formed_and_has_a_panel_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.svg");
    let round =
        r#"{"id":"a<b&\"c\"","dim":2,"a":{"shape":"capsule","half_height":2,"radius":1,"axis":"x"},
        "b":{"shape":"ellipsoid","radii":[1,2],"pose":{"rotation":30,"translation":[1,1]}}}"#
            .replace('\n', "");
    for args in [
        &["trace"][..],
        &["trace", "--algorithm", "distance"],
        &["trace", "-", "--degrees"],
    ] {
        let mut args = args.to_vec();
        args.extend(["--json", "--svg", path.to_str().unwrap()]);
        let run = gjk(&args, &round);
        assert_eq!(run.code, 0, "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let panels = document
            .descendants()
            .filter(|node| node.has_tag_name("g"))
            .count();
        assert_eq!(panels, answer["trace"].as_array().unwrap().len() + 1);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

#[test]
fn space_has_no_picture_yet() {
    let line = r#"{"a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}"#;
    let run = gjk(
        &[
            "trace",
            "-",
            "--svg",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/never-written.svg"),
        ],
        line,
    );
    assert!(run.code == 2 && run.err.contains("dim 3"), "{}", run.err);
}

/// A line of the corpus of motions.
fn motion_line(file: &str, id: &str) -> String {
    let path = crate::root().join(format!("corpus/motion/{file}.jsonl"));
    let text = std::fs::read_to_string(path).unwrap();
    let named = format!("\"id\":\"{id}\"");
    text.lines()
        .find(|line| line.contains(&named))
        .unwrap()
        .to_owned()
}

/// The steps of a time of impact tell its pieces, which follow each other to the contact; the answer is that of `gjk query`.
#[test]
fn a_motion_is_told_by_the_search_that_answers() {
    let line = motion_line("toi", "toi-bar-swings-through-the-floor");
    let told = gjk(&["trace", "-"], &line);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let first = "toi-bar-swings-through-the-floor: toi, 2D, f64";
    assert!(told.out.starts_with(first), "{}", told.out);
    for words in [
        "looks at t = 0",
        ": proved",
        "is fixed in the world",
        "hits, proved",
    ] {
        assert!(told.out.contains(words), "{words}: {}", told.out);
    }
    let traced: Value = serde_json::from_str(&gjk(&["trace", "-", "--json"], &line).out).unwrap();
    let asked: Value = serde_json::from_str(&gjk(&["query", "-"], &line).out).unwrap();
    for (key, value) in asked.as_object().unwrap() {
        assert_eq!(&traced[key], value, "{key}");
    }
    let steps = traced["trace"].as_array().unwrap();
    let pieces: Vec<&Value> = steps
        .iter()
        .filter(|step| step["step"] == "piece")
        .collect();
    assert_eq!(pieces[0]["from"], 0.0);
    assert!(
        pieces
            .windows(2)
            .all(|next| next[0]["to"] == next[1]["from"])
    );
    assert_eq!(pieces.last().unwrap()["to"], traced["time"]["lower"]);
    // What a piece states was tried before.
    for piece in pieces {
        let tried = |step: &&Value| {
            step["step"] == "tried"
                && step["proved"] == true
                && step["from"] == piece["from"]
                && step["to"] == piece["to"]
        };
        assert_eq!(steps.iter().filter(tried).count(), 1, "{piece}");
    }
}

#[test]
fn casts_and_rays_have_planes_portals_or_signs() {
    for (file, id, words) in [
        ("casts", "cast-box-at-a-box", "portal, where contact begins"),
        ("casts", "cast-box-at-a-box", "exact signs decide"),
        ("rays", "ray-hits-an-ellipsoid", "planes across (0, -1, 0)"),
    ] {
        let told = gjk(&["trace", "-"], &motion_line(file, id));
        assert!(told.code == 0 && told.out.contains(words), "{}", told.out);
    }
    let ball = r#"{"shape":"ball","radius":1}"#;
    // The end of a contact is looked for back in time, and told as the motion goes.
    let leaves = format!(
        r#"{{"query":"cast","a":{ball},"b":{{"shape":"ball","radius":1,"motion":{{"velocity":[1,0,0]}}}},"options":{{"start":"exit"}}}}"#
    );
    let told = gjk(&["trace", "-"], &leaves);
    assert!(told.out.contains("apart from t = 2 on"), "{}", told.out);
    let manifold = format!(r#"{{"id":"m","query":"manifold","a":{ball},"b":{ball}}}"#);
    let refused = gjk(&["trace", "-"], &manifold);
    assert!(
        refused.code == 2 && refused.err.contains("no loop to trace"),
        "{}",
        refused.err
    );
    let cast = motion_line("casts", "cast-box-at-a-box");
    let refused = gjk(&["trace", "-", "--direction", "1,0,0"], &cast);
    assert!(
        refused.code == 2 && refused.err.contains("first direction"),
        "{}",
        refused.err
    );
}

/// The picture of a motion has the sweep, a panel a piece and the strip of time.
#[test]
fn a_motion_of_the_plane_has_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.svg");
    for (file, id) in [
        ("toi", "toi-bar-swings-through-the-floor"),
        ("toi", "toi-exit-of-an-overlap"),
        ("toi", "toi-graze-of-a-corner"),
        ("rays", "ray-grazes-a-disc"),
        ("casts", "cast-squares"),
    ] {
        let line = motion_line(file, id);
        let run = gjk(
            &["trace", "-", "--json", "--svg", path.to_str().unwrap()],
            &line,
        );
        assert_eq!(run.code, 0, "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let of = |tag: &str, class: &str| {
            let has = |node: &roxmltree::Node<'_, '_>| {
                let classes = node.attribute("class").unwrap_or_default();
                node.has_tag_name(tag) && classes.split(' ').any(|one| one == class)
            };
            document.descendants().filter(has).count()
        };
        let panels = of("rect", "frame");
        let steps = answer["trace"].as_array().unwrap();
        if file == "toi" {
            let pieces = steps.iter().filter(|step| step["step"] == "piece").count();
            let held = usize::from(answer["verdict"] == "exits");
            let strip = (panels, of("rect", "piece"));
            assert_eq!(strip, (pieces.min(24) + 1, pieces + held));
        }
        assert_eq!((of("g", "strip"), of("polygon", "swept")), (1, 22));
        assert_eq!(of("line", "plane"), 2 * (panels - 1));
        assert_eq!(
            of("rect", "known"),
            usize::from(answer.get("time").is_some())
        );
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
    let space = motion_line("casts", "cast-box-at-a-box");
    let refused = gjk(&["trace", "-", "--svg", path.to_str().unwrap()], &space);
    assert!(
        refused.code == 2 && refused.err.contains("dim 3; --lab shows it"),
        "{}",
        refused.err
    );
}
