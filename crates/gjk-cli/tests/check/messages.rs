//! What `gjk check` says on standard error: errors with their place, warnings by kind, advice.

use crate::{gjk, shared};

#[test]
fn bad_input_is_told_with_its_place_and_exit_code_2() {
    let missing = gjk(&["check", "no_such_file.urdf"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("no_such_file.urdf"), "{}", missing.err);
    assert!(missing.out.is_empty());
    let not_a_robot = gjk(&["check", "--random", "5"]);
    assert_eq!(not_a_robot.code, 2);
    assert!(
        not_a_robot
            .err
            .contains("--random needs a robot (URDF), and `arm.json` is none"),
        "{}",
        not_a_robot.err
    );
    for usage in [
        &["check", "--clearance", "-1"][..],
        &["check", "--clearance", "nan"],
        &["check", "--package", "x"],
        &["check", "--seed", "1"],
    ] {
        assert_eq!(gjk(usage).code, 2, "{usage:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("bad.urdf");
    let text = "<robot name='r'><link name='arm'><collision><geometry><mesh filename='package://p/arm.stl'/></geometry></collision></link></robot>";
    std::fs::write(&robot, text).unwrap();
    let bad = gjk(&["check", &robot.display().to_string()]);
    assert_eq!(bad.code, 2);
    for part in ["arm", "package://p/arm.stl", "--package p=DIR"] {
        assert!(bad.err.contains(part), "{part}: {}", bad.err);
    }
}

#[test]
fn a_shape_that_the_library_refuses_is_told_with_body_and_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("flat.json");
    std::fs::write(
        &scene,
        r#"{"bodies":[{"name":"lid","parts":[{"shape":"cylinder","half_height":0,"radius":1,"axis":"z"}]}]}"#,
    )
    .unwrap();
    let run = gjk(&["check", &scene.display().to_string()]);
    assert_eq!(run.code, 2);
    for part in ["flat.json", "`lid`", "`cylinder`", "half_height"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

#[test]
fn a_place_beyond_the_range_of_numbers_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("far.json");
    let text = r#"{"bodies":[{"name":"far","pose":{"translation":[1.7e308,0,0]},"parts":[{"shape":"box","half_extents":[1e308,1,1]}]},
        {"name":"near","parts":[{"shape":"ball","radius":1}]}]}"#;
    std::fs::write(&scene, text).unwrap();
    let run = gjk(&["check", &scene.display().to_string()]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(
        run.err.contains("`far`") && run.err.contains("beyond the range"),
        "{}",
        run.err
    );
}

#[test]
fn one_body_is_told_to_have_no_pair() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("r.urdf");
    std::fs::write(&robot, "<robot name='r'><link name='a'/></robot>").unwrap();
    let run = gjk(&["check", &robot.display().to_string()]);
    assert_eq!(run.code, 0);
    assert!(
        run.err
            .contains("has no body that can collide: there is no pair to look at"),
        "{}",
        run.err
    );
    let mesh = folder.path().join("lone.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let run = gjk(&["check", &mesh.display().to_string()]);
    assert!(
        run.err
            .contains("has one body that can collide: there is no pair to look at"),
        "{}",
        run.err
    );
}

/// Twelve warnings of one kind are one line, so that the one error after them is seen.
#[test]
fn warnings_of_one_kind_are_one_line_with_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("<robot name='r'><link name='base'/>\n");
    for k in 0..12 {
        text.push_str(&format!(
            "<link name='l{k}'><collision><geometry><sphere radius='0'/></geometry></collision></link>\n\
             <joint name='j{k}' type='floating'><parent link='base'/><child link='l{k}'/></joint>\n"
        ));
    }
    text.push_str("</robot>");
    let robot = folder.path().join("r.urdf");
    std::fs::write(&robot, text).unwrap();
    let srdf = folder.path().join("r.srdf");
    let pairs: String = (0..9)
        .map(|k| format!("<disable_collisions link1='ghost{}' link2='base'/>", k % 5))
        .collect();
    std::fs::write(&srdf, format!("<robot name='other'>{pairs}</robot>")).unwrap();
    let [robot, srdf] = [robot, srdf].map(|path| path.display().to_string());
    let missing = folder.path().join("no.csv").display().to_string();
    let run = gjk(&["check", &robot, "--srdf", &srdf, "--states", &missing]);
    assert_eq!(run.code, 2);
    let lines: Vec<&str> = run
        .err
        .lines()
        .filter_map(|line| line.strip_prefix("warning: "))
        .map(|line| line.split_once(": ").unwrap().1)
        .collect();
    assert_eq!(
        lines,
        [
            "12 spheres have radius 0 and are points: link `l0`, link `l1`, link `l2` and 9 more",
            "12 floating joints are held at zero: joint `j0`, joint `j1`, joint `j2` and 9 more",
            "written for the robot `other`, used for `r`",
            "9 names in `<disable_collisions>` are no links of the robot: `ghost0`, `ghost1`, `ghost2` and 2 more",
        ]
    );
    assert!(run.err.contains("no.csv"), "{}", run.err);
}

#[test]
fn the_srdf_file_of_another_robot_is_two_warnings() {
    let (Some(urdf), Some(srdf)) = (
        shared("robots/pr2/pr2.urdf"),
        shared("robots/panda/panda.srdf"),
    ) else {
        return;
    };
    let run = gjk(&["check", &urdf, "--srdf", &srdf]);
    let warnings: Vec<&str> = run
        .err
        .lines()
        .filter(|line| line.starts_with("warning: "))
        .collect();
    assert_eq!(warnings.len(), 2, "{}", run.err);
    assert!(
        warnings[0].ends_with("written for the robot `panda`, used for `pr2`")
            && warnings[1].contains("68 names in `<disable_collisions>` are no links of the robot"),
        "{}",
        run.err
    );
}

#[test]
fn a_negative_length_is_told_to_be_out_of_range() {
    for option in ["--clearance", "--touch-band"] {
        let run = gjk(&["check", option, "-1"]);
        assert_eq!(run.code, 2);
        assert!(
            run.err.contains("expected a finite number, 0 or more") && !run.err.contains("-- -1"),
            "{}",
            run.err
        );
    }
    let run = gjk(&["check", "--random", "-1"]);
    assert_eq!(run.code, 2);
    assert!(!run.err.contains("-- -1"), "{}", run.err);
}
