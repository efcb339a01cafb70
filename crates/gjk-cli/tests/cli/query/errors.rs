//! Lines that are refused: each error in its place, by its kind.

use super::answers;

#[test]
fn bad_lines_are_answered_in_their_place_and_the_rest_go_on() {
    let good = r#"{"id":"good","a":{"shape":"ball","radius":1},"b":{"shape":"ball","radius":1}}"#;
    let (code, found) = answers(
        &[],
        &format!("\n{good}\nnonsense\n{{\"id\":\"bad\"}}\n{good}\r\n\n"),
    );
    assert_eq!(code, 2);
    let ids: Vec<_> = found
        .iter()
        .map(|answer| answer["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["good", "3", "bad", "good"]);
    assert_eq!(found[1]["error"]["kind"], "json");
    assert_eq!(
        (&found[2]["error"]["kind"], &found[2]["error"]["at"]),
        (&"missing_key".into(), &"a".into())
    );
}

#[test]
fn every_kind_of_error_names_its_place() {
    let ball = r#""b":{"shape":"ball","radius":1}"#;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        (deep.as_str(), "json", "[0][0]"),
        (r#"{"a":1"#, "json", "a"),
        (
            r#"{"a":{"shape":"ball","radius":1,"colour":2},"#,
            "unknown_key",
            "a.colour",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1},"tolerance":2,"#,
            "unknown_key",
            "tolerance",
        ),
        (
            r#"{"dim":3,"dim":3,"a":{"shape":"ball","radius":1},"#,
            "duplicate_key",
            "dim",
        ),
        (r#"{"a":{"shape":"ball"},"#, "missing_key", "a.radius"),
        (
            r#"{"a":{"shape":"capsule","half_height":1,"radius":1},"#,
            "missing_key",
            "a.axis",
        ),
        (
            r#"{"a":{"shape":"ball","radius":"1"},"#,
            "wrong_type",
            "a.radius",
        ),
        (
            r#"{"a":{"shape":"ball","radius":-1},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1e999},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1e39},"#,
            "out_of_range",
            "a.radius",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"convex","points":[[0,0,0],[1,-1e39,0]]},"#,
            "out_of_range",
            "a.points[1][1]",
        ),
        (
            r#"{"a":{"shape":"cube","radius":1},"#,
            "bad_value",
            "a.shape",
        ),
        (
            r#"{"query":"toi","a":{"shape":"ball","radius":1,"motion":{"to":{},"rotation":"lerp"}},"#,
            "bad_value",
            "a.motion.rotation",
        ),
        (
            r#"{"query":"toi","a":{"shape":"ball","radius":1,"motion":{"center":[0,0,0]}},"#,
            "missing_key",
            "a.motion",
        ),
        (
            r#"{"a":{"shape":"point","point":[1,2]},"#,
            "dimension",
            "a.point",
        ),
        (
            r#"{"dim":2,"a":{"shape":"cone","half_height":1,"radius":1,"axis":"x"},"#,
            "dimension",
            "a.shape",
        ),
        (
            r#"{"dim":2,"a":{"shape":"capsule","half_height":1,"radius":1,"axis":"z"},"#,
            "dimension",
            "a.axis",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1,"pose":{"scale":[1,0,1]}},"#,
            "out_of_range",
            "a.pose.scale[1]",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1,"pose":{"rotation":[0,0,0,2]}},"#,
            "out_of_range",
            "a.pose.rotation",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1,"pose":{"scale":[1,1e-60,1]}},"#,
            "singular",
            "a.pose.scale",
        ),
        (
            r#"{"scalar":"f32","a":{"shape":"ball","radius":1,"pose":{"rotation_matrix":[[1,1,0],[1,1.00000000001,0],[0,0,1]]}},"#,
            "singular",
            "a.pose.rotation_matrix",
        ),
        (
            r#"{"a":{"shape":"ellipsoid","radii":[1,0,1]},"#,
            "out_of_range",
            "a.radii[1]",
        ),
        (
            r#"{"a":{"shape":"rounded","radius":1,"core":{"shape":"convex","points":[]}},"#,
            "bad_value",
            "a.core.points",
        ),
        (
            r#"{"a":{"shape":"ball","radius":1},"options":{"iterations_max":0},"#,
            "out_of_range",
            "options.iterations_max",
        ),
    ];
    for (start, kind, at) in cases {
        let line = if start.starts_with('[') || start.ends_with('1') {
            start.to_owned()
        } else {
            format!("{start}{ball}}}")
        };
        let (code, found) = answers(&[], &line);
        let shown = &line[..line.len().min(120)];
        assert_eq!((code, found.len()), (2, 1), "{shown}");
        let error = &found[0]["error"];
        assert_eq!(error["kind"], kind, "{shown}: {error}");
        // Beyond the reader's depth the place is only begun.
        let place = error["at"].as_str().unwrap();
        assert!(
            place == at || line.starts_with('[') && place.starts_with(at),
            "{shown}: {error}"
        );
        assert!(!error["message"].as_str().unwrap().is_empty(), "{shown}");
    }
}

#[test]
fn a_short_line_cannot_ask_for_more_memory_than_there_is() {
    let cube = r#"{"shape":"box","half_extents":[1,1,1]}"#;
    let sum = (0..11).fold(cube.to_owned(), |sum, _| {
        format!(r#"{{"shape":"sum","of":[{cube},{sum}]}}"#)
    });
    let line = format!(
        r#"{{"a":{{"shape":"hull_of","of":[{sum}]}},"b":{{"shape":"point","point":[12,0,0]}}}}"#
    );
    let (code, found) = answers(&[], &line);
    assert_eq!(
        (code, &found[0]["error"]["kind"], &found[0]["error"]["at"]),
        (2, &"too_large".into(), &"a".into())
    );
}
