//! Robot files: what each rule of the reader does, and what each mistake says.

mod common;

use common::Folder;
use gjk_scene::{
    Affine, CollisionGeometry, Geometry, JointKind, LoadOptions, Robot, SceneErrorKind, ShapeSpec,
    load, read_srdf, read_states, read_urdf,
};

fn urdf(folder: &Folder, body: &str) -> std::path::PathBuf {
    folder.write("r.urdf", format!("<robot name=\"r\">\n{body}\n</robot>\n"))
}

fn robot(test: &str, body: &str) -> Robot {
    let folder = Folder::new(test);
    read_urdf(&urdf(&folder, body)).unwrap_or_else(|error| panic!("{error}"))
}

fn error(test: &str, body: &str) -> String {
    let folder = Folder::new(test);
    let error = read_urdf(&urdf(&folder, body)).expect_err("a bad file");
    folder.shown(error)
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, rest: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
         <axis xyz=\"0 0 2\"/><limit lower=\"0.5\" upper=\"1\"/>{rest}</joint>\n"
    )
}

fn links(names: &str) -> String {
    names
        .split(' ')
        .map(|name| format!("<link name=\"{name}\"/>"))
        .collect()
}

#[test]
fn zero_is_clamped_and_mimics_follow_unclamped_through_chains() {
    let body = links("a b c d")
        + &joint(
            "follows_mimic",
            "revolute",
            "c",
            "d",
            "<mimic joint=\"follows\" multiplier=\"-2\"/>",
        )
        + &joint(
            "follows",
            "revolute",
            "b",
            "c",
            "<mimic joint=\"leads\" multiplier=\"3\" offset=\"0.25\"/>",
        )
        + &joint("leads", "revolute", "a", "b", "");
    let robot = robot("mimic", &body);
    assert_eq!(robot.zero_state(), [-3.5, 1.75, 0.5]);
    assert_eq!(robot.sample(&mut || 0.5), [-5.0, 2.5, 0.75]);
    assert_eq!(robot.joints[0].axis, [0.0, 0.0, 1.0]);
}

/// Links without geometry need not be placed: the joints on the way to some links place these as all joints do, to the bit.
#[test]
fn joints_on_the_way_to_links_place_them_as_all_joints_do() {
    let body = links("a b c d e f")
        + &joint(
            "u",
            "revolute",
            "a",
            "b",
            "<origin xyz=\"1 2 3\" rpy=\"0.1 0.2 0.3\"/>",
        )
        + &joint(
            "v",
            "prismatic",
            "b",
            "c",
            "<origin xyz=\"0 1 0\"/><mimic joint=\"x\" multiplier=\"2\"/>",
        )
        + &joint("w", "revolute", "b", "d", "")
        + &joint("x", "revolute", "d", "e", "")
        + &joint("y", "fixed", "a", "f", "<origin rpy=\"0 1 0\"/>");
    let robot = robot("way", &body);
    let name = |joint: &usize| robot.joints[*joint].name.as_str();
    let link = |name: &str| {
        robot
            .links
            .iter()
            .position(|link| link.name == name)
            .expect("a link")
    };
    let state = [0.7, 9.0, -0.4, 0.6, 0.0];
    let all = robot.forward_kinematics(&state);
    for (wanted, ways) in [
        ("c", &["u", "v"][..]),
        ("e", &["u", "w", "x"]),
        ("f", &["y"]),
    ] {
        let joints = robot.joints_to([link(wanted)]);
        assert_eq!(joints.iter().map(name).collect::<Vec<_>>(), ways);
        let mut poses = Vec::new();
        robot.place_along(&joints, &mut state.to_vec(), &mut poses);
        assert_eq!(poses[link(wanted)], all[link(wanted)]);
    }
    assert!(robot.joints_to([link("a")]).is_empty());
    assert_eq!(robot.joints_to([link("c"), link("d")]).len(), 3);
}

#[test]
fn continuous_joints_are_sampled_over_a_full_turn_and_prismatic_ones_slide() {
    let body = links("a b c")
        + &joint("turn", "continuous", "a", "b", "")
        + &joint("slide", "prismatic", "b", "c", "<origin xyz=\"1 0 0\"/>");
    let robot = robot("kinds", &body);
    assert_eq!(robot.sample(&mut || 0.0), [-std::f64::consts::PI, 0.5]);
    let poses = robot.forward_kinematics(&[std::f64::consts::FRAC_PI_2, 0.75]);
    let expected = [0.0, 1.0, 0.75];
    assert!(
        poses[2]
            .translation
            .iter()
            .zip(expected)
            .all(|(own, expected)| (own - expected).abs() < 1e-15)
    );
}

#[test]
fn floating_and_planar_joints_are_held_with_a_warning() {
    let body = links("a b c")
        + &joint("f", "floating", "a", "b", "")
        + &joint("p", "planar", "b", "c", "");
    let robot = robot("held", &body);
    assert_eq!(robot.joints[0].kind, JointKind::Floating);
    assert_eq!(robot.forward_kinematics(&[5.0, 5.0])[2], Affine::IDENTITY);
    assert!(
        robot.warnings[0].ends_with("joint `f`: a floating joint is held at zero"),
        "{:?}",
        robot.warnings
    );
    assert_eq!(robot.warnings.len(), 2);
}

#[test]
fn unknown_tags_and_a_radius_of_zero_are_warnings_and_visuals_are_not_opened() {
    let body = "<link name=\"a\"><visual><geometry><mesh filename=\"nowhere.dae\"/></geometry></visual>\n\
        <collision><geometry><sdf_shape/><sphere radius=\"0\"/></geometry></collision>\n\
        <collision name=\"c\"><origin xyz=\"1 2 3\" rpy=\"0 0 0\"/><geometry><capsule radius=\"1\" length=\"4\"/></geometry></collision></link>";
    let folder = Folder::new("unknown");
    let scene = load(&urdf(&folder, body), &LoadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let shown: Vec<_> = scene
        .warnings
        .iter()
        .map(|warning| folder.shown(warning))
        .collect();
    assert_eq!(
        shown,
        [
            "r.urdf:3: link `a`: `<sdf_shape>` in `<geometry>` is not known and is left out",
            "r.urdf:3: link `a`: the sphere's radius is 0: it is a point"
        ]
    );
    let parts = &scene.bodies[0].parts;
    assert!(matches!(
        &parts[0].geometry,
        Geometry::Shape(ShapeSpec::Point { .. })
    ));
    assert!(matches!(
        &parts[1].geometry,
        Geometry::Shape(ShapeSpec::Capsule {
            half_height: 2.0,
            radius: 1.0,
            ..
        })
    ));
    assert_eq!(parts[1].pose.translation, [1.0, 2.0, 3.0]);
}

#[test]
fn mistakes_in_robot_files_name_their_line_and_element() {
    let a_cycle =
        links("a b") + &joint("j", "fixed", "a", "b", "") + &joint("k", "fixed", "b", "a", "");
    let two_roots = links("a b c") + &joint("j", "fixed", "a", "b", "");
    let two_parents =
        links("a b c") + &joint("j", "fixed", "a", "c", "") + &joint("k", "fixed", "b", "c", "");
    let island =
        links("a b c") + &joint("j", "fixed", "b", "c", "") + &joint("k", "fixed", "c", "b", "");
    let no_parent = links("a b") + "\n" + &joint("j", "fixed", "x", "b", "");
    let mimic_circle = links("a b c")
        + "\n"
        + &joint("j", "revolute", "a", "b", "<mimic joint=\"k\"/>")
        + &joint("k", "revolute", "b", "c", "<mimic joint=\"j\"/>");
    let cases = [
        (
            "<link name=\"a\"/>\n<link name=\"a\"/>",
            "r.urdf:3:1: two links are named `a`",
        ),
        (
            a_cycle.as_str(),
            "r.urdf: the links `a`, `b` carry one another in a circle, expected a tree of links",
        ),
        (
            &island,
            "r.urdf: the links `b`, `c` carry one another in a circle, expected a tree of links",
        ),
        (
            &two_roots,
            "r.urdf: 2 links have no parent: `a`, `c`, expected one root link",
        ),
        (
            &two_parents,
            "r.urdf: link `c`: two joints move it, `j` and `k`, expected one parent",
        ),
        (
            &no_parent,
            "r.urdf:3:30: joint `j`: the parent link `x` does not exist",
        ),
        (
            &mimic_circle,
            "r.urdf:3:1: joint `j`: the mimic joints follow one another in a circle",
        ),
        (
            "<link name=\"a\"><collision><geometry><sphere radius=\"x\"/></geometry></collision></link>",
            "r.urdf:2:37: link `a`: `radius=\"x\"` is not numeric, expected finite numbers",
        ),
        (
            "<link name=\"a\"><collision><geometry><box size=\"1 2\"/></geometry></collision></link>",
            "r.urdf:2:37: link `a`: `size` has 2 numbers, expected 3",
        ),
        (
            "<link name=\"a\"><collision><geometry><torus/></geometry></collision></link>",
            "r.urdf:2:27: link `a`: the collision element has no shape that is known, expected box, cylinder, sphere, \
             capsule, ellipsoid or mesh",
        ),
        (
            "",
            "r.urdf:1:1: the robot has no link, expected at least one `<link>`",
        ),
        (
            "<link name=\"a\">",
            "r.urdf:3:1: not well-formed XML: expected 'link' tag, not 'robot' at 3:1",
        ),
        (
            "<link name=\"${prefix}arm\"/>",
            "r.urdf:2:1: the file holds xacro macros that are not expanded, expected plain URDF",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(error("mistakes", body), expected, "{body}");
    }
}

#[test]
fn meshes_are_found_by_package_map_case_and_above() {
    let folder = Folder::new("package");
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    folder.write("arm_description/meshes/Link.OBJ", triangle);
    folder.write("elsewhere/l.obj", triangle);
    let link = |name: &str, file: &str| {
        format!(
            "<link name=\"{name}\"><collision><geometry><mesh filename=\"{file}\" scale=\"1 -1 1\"/></geometry></collision></link>"
        )
    };
    let body = link("a", "package://arm_description/meshes/link.obj")
        + &link("b", "package://mapped/l.obj")
        + &joint("j", "fixed", "a", "b", "");
    let path = folder.write(
        "arm_description/urdf/r.urdf",
        format!("<robot>{body}</robot>"),
    );
    let missing = load(&path, &LoadOptions::default()).expect_err("a package that is nowhere");
    assert_eq!(
        folder.shown(&missing),
        "arm_description/urdf/r.urdf:1: link `b`: the mesh file `package://mapped/l.obj` is not there"
    );
    assert!(
        missing
            .help()
            .is_some_and(|help| help.contains("--package mapped=DIR")),
        "{:?}",
        missing.help()
    );
    let mut options = LoadOptions::default();
    options
        .packages
        .insert("mapped".to_owned(), folder.path("elsewhere"));
    let scene = load(&path, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.bodies[0].parts[0].source, "Link.OBJ");
    assert!(matches!(
        scene.bodies[1].parts[0].geometry,
        Geometry::Mesh {
            scale: [1.0, -1.0, 1.0],
            ..
        }
    ));
    assert!(
        scene
            .warnings
            .iter()
            .any(|warning| warning.contains("the case differs")),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn a_bad_mesh_is_named_with_its_link_and_file() {
    let folder = Folder::new("bad_mesh");
    folder.write("m.obj", "v 0 0 zero\n");
    let body = "<link name=\"arm\"><collision><geometry><mesh filename=\"m.obj\"/></geometry></collision></link>";
    let error = load(&urdf(&folder, body), &LoadOptions::default()).expect_err("a bad mesh");
    assert_eq!(
        folder.shown(error),
        "m.obj:1: link `arm`: `zero` is no coordinate, expected a number such as -1.5e-3"
    );
}

#[test]
fn states_are_rows_of_joint_values() {
    let folder = Folder::new("states");
    let body = links("a b c d e")
        + &joint("j", "revolute", "a", "b", "")
        + &joint("k", "revolute", "b", "c", "")
        + &joint("m", "revolute", "c", "d", "<mimic joint=\"j\"/>")
        + &joint("f", "fixed", "d", "e", "");
    let robot = read_urdf(&urdf(&folder, &body)).unwrap_or_else(|error| panic!("{error}"));
    let good = folder.write("good.csv", "\u{feff} k , j\r\n0.75,0.9\r\n\r\n2,1\n");
    let states = read_states(&good, &robot).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(states.states, [[0.9, 0.75, 0.9, 0.0], [1.0, 2.0, 1.0, 0.0]]);
    assert_eq!(
        states.warnings,
        ["line 4: joint `k`: 2 is outside its limits 0.5 to 1; used as it is"]
    );
    let only_k = read_states(&folder.write("k.csv", "k\n1\n"), &robot)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(only_k.states, [[0.5, 1.0, 0.5, 0.0]]);
    for (text, expected) in [
        (
            "j,x\n1,1\n",
            "s.csv:1: column `x`: the robot has no such joint",
        ),
        (
            "j,m\n1,1\n",
            "s.csv:1: column `m`: the joint follows `j` and cannot be set",
        ),
        ("f\n1\n", "s.csv:1: column `f`: a fixed joint cannot be set"),
        (
            "j,j\n1,1\n",
            "s.csv:1: column `j`: the joint stands twice in the header",
        ),
        (
            "j,k\n1,1\n1\n",
            "s.csv:3: the row has 1 value, expected 2, one a column of the header",
        ),
        (
            "j\n1\nnan\n",
            "s.csv:3: column `j`: `nan` is no joint value, expected a finite number in radians or metres",
        ),
        (
            "j\n",
            "s.csv: the file has no state, expected a header of joint names and at least one row of values",
        ),
        (
            "",
            "s.csv: the file has no state, expected a header of joint names and at least one row of values",
        ),
    ] {
        let error = read_states(&folder.write("s.csv", text), &robot).expect_err(text);
        assert_eq!(folder.shown(error), expected);
    }
}

#[test]
fn srdf_default_and_single_pairs() {
    let folder = Folder::new("srdf");
    let body =
        links("a b c") + &joint("j", "fixed", "a", "b", "") + &joint("k", "fixed", "b", "c", "");
    let robot = read_urdf(&urdf(&folder, &body)).unwrap_or_else(|error| panic!("{error}"));
    let text = "<robot name=\"r\">\n<disable_default_collisions link=\"c\"/><enable_collisions link1=\"a\" link2=\"c\"/>\n\
        <disable_collisions link1=\"b\" link2=\"a\" reason=\"Adjacent\"/>\n<disable_collisions link1=\"a\" link2=\"ghost\"/></robot>";
    let srdf =
        read_srdf(&folder.write("r.srdf", text), &robot).unwrap_or_else(|error| panic!("{error}"));
    assert!(srdf.is_disabled(0, 1) && srdf.is_disabled(2, 1) && !srdf.is_disabled(0, 2));
    assert_eq!(srdf.disabled[0].reason.as_deref(), Some("Adjacent"));
    let shown: Vec<_> = srdf
        .warnings
        .iter()
        .map(|warning| folder.shown(warning))
        .collect();
    assert_eq!(
        shown,
        ["r.srdf:4: `<disable_collisions>` names `ghost`, which is no link of the robot"]
    );
}

#[test]
fn group_states_are_read_with_the_pairs_and_what_is_odd_is_told_once() {
    let folder = Folder::new("group_states");
    let body = links("a b c d")
        + &joint("j", "revolute", "a", "b", "")
        + &joint(
            "k",
            "revolute",
            "b",
            "c",
            "<mimic joint=\"j\" multiplier=\"2\"/>",
        )
        + &joint("f", "fixed", "c", "d", "");
    let robot = read_urdf(&urdf(&folder, &body)).unwrap_or_else(|error| panic!("{error}"));
    let state = |name: &str, joints: &str| {
        format!("<group_state group=\"arm\" name=\"{name}\">{joints}</group_state>\n")
    };
    let value = |joint: &str, value: &str| format!("<joint name=\"{joint}\" value=\"{value}\"/>");
    let text = "<robot name=\"r\">\n".to_owned()
        + &state("ready", &(value("j", "0.75") + &value("k", "1.5")))
        + &state(
            "odd",
            &(value("j", "1")
                + &value("k", "0")
                + &value("x", "0")
                + &value("y", "0")
                + &value("f", "0")),
        )
        + &state("bad", &value("j", "1 2"))
        + "</robot>";
    let srdf =
        read_srdf(&folder.write("r.srdf", text), &robot).unwrap_or_else(|error| panic!("{error}"));
    assert!(srdf.warnings.is_empty(), "{:?}", srdf.warnings);
    let names: Vec<_> = srdf
        .group_states
        .iter()
        .map(|s| (s.group.as_str(), s.name.as_str()))
        .collect();
    assert_eq!(names, [("arm", "ready"), ("arm", "odd")]);
    assert_eq!(srdf.group_states[0].values, [(0, 0.75)]);
    assert_eq!(srdf.group_states[0].over(&robot, &[]), [0.75, 1.5, 0.0]);
    let shown: Vec<_> = srdf
        .state_warnings
        .iter()
        .map(|line| folder.shown(line))
        .collect();
    assert_eq!(
        shown,
        [
            "r.srdf: 2 joints of group states are no joints of the robot: `x`, `y`",
            "r.srdf:3: the group state `odd`: joint `f` has no value of its own; what is stated is left out",
            "r.srdf:3: the group state `odd`: joint `k` follows another one, and its value is left out",
            "r.srdf:4: the group state `bad`: joint `j` has no value that is one finite number; the state is left out",
        ]
    );
}

#[test]
fn packages_are_found_with_three_slashes_and_under_prefixes() {
    let folder = Folder::new("prefixes");
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for file in [
        "near/m.obj",
        "install/share/installed/m.obj",
        "sources/in_sources/m.obj",
    ] {
        folder.write(file, triangle);
    }
    let link = |name: &str, file: &str| {
        format!(
            "<link name=\"{name}\"><collision><geometry><mesh filename=\"{file}\"/></geometry></collision></link>"
        )
    };
    let body = link("a", "package:///near/m.obj")
        + &link("b", "package://installed/m.obj")
        + &link("c", "package://in_sources/m.obj")
        + &joint("j", "fixed", "a", "b", "")
        + &joint("k", "fixed", "b", "c", "");
    let path = urdf(&folder, &body);
    let error = load(&path, &LoadOptions::default())
        .expect_err("no prefixes")
        .to_string();
    assert!(error.contains("package://installed/m.obj"), "{error}");
    let options = LoadOptions {
        prefixes: vec![folder.path("install"), folder.path("sources")],
        ..LoadOptions::default()
    };
    let scene = load(&path, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scene.bodies.len(), 3);
}

#[test]
fn deep_or_broken_xml_is_an_error_and_no_panic() {
    let deep = "<link name=\"a\">".repeat(100_000);
    assert!(!error("deep", &deep).is_empty());
    let folder = Folder::new("latin");
    let error = read_urdf(&folder.write("r.urdf", b"<robot name=\"\xe9\"/>")).expect_err("Latin-1");
    assert_eq!(
        (error.kind(), folder.shown(&error)),
        (
            SceneErrorKind::Syntax,
            "r.urdf: byte 14 is not UTF-8".to_owned()
        )
    );
}

#[test]
fn a_mesh_collision_keeps_its_name_as_written() {
    let robot = robot(
        "filename",
        "<link name=\"a\"><collision><geometry><mesh filename=\" package://p/m.stl \"/></geometry></collision></link>",
    );
    let geometry = &robot.links[0].collisions[0].geometry;
    assert_eq!(
        *geometry,
        CollisionGeometry::Mesh {
            filename: "package://p/m.stl".to_owned(),
            scale: [1.0; 3]
        }
    );
}
