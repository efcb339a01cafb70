//! The collected robots, assemblies and meshes are read as other programs read them.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use gjk_scene::{
    Geometry, LoadOptions, Mesh, Robot, SceneErrorKind, load, load_mesh, read_srdf, read_urdf,
};

fn extents(mesh: &Mesh) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let coordinates = mesh.vertices.iter().map(|vertex| vertex[i]);
        coordinates.clone().fold(f64::MIN, f64::max) - coordinates.fold(f64::MAX, f64::min)
    })
}

/// INDEX.csv was written by trimesh: an independent reader of every format here.
#[test]
fn every_mesh_has_the_extents_and_triangles_that_trimesh_found() {
    let Some(data) = common::data() else { return };
    let mut reader = csv::Reader::from_path(data.join("INDEX.csv")).expect("the index is there");
    let mut checked = 0;
    for row in reader.records() {
        let row = row.expect("the index is CSV");
        let path = data.join(&row[0]);
        if row[4].is_empty() {
            assert_eq!(
                load_mesh(&path).expect_err("an empty file").kind(),
                SceneErrorKind::EmptyMesh,
                "{}",
                &row[0]
            );
            continue;
        }
        let mesh = load_mesh(&path).unwrap_or_else(|error| panic!("{error}"));
        let triangles: usize = mesh.faces.iter().map(|face| face.len() - 2).sum();
        assert_eq!(triangles.to_string(), row[4], "{}", &row[0]);
        let mut expected = [8, 9, 10].map(|column| row[column].parse::<f64>().expect("a number"));
        if &row[1] == "gltf" {
            // trimesh leaves glTF y up.
            expected.swap(1, 2);
        }
        for (own, expected) in extents(&mesh).iter().zip(expected) {
            assert!(
                (own - expected).abs() <= 1e-5 * expected.max(1e-3),
                "{}: {own} {expected}",
                &row[0]
            );
        }
        checked += 1;
    }
    assert!(checked > 400, "only {checked} meshes");
}

/// The visual glTF and the collision OBJ of a link are the same part in the same frame, so the turn to z up is right.
#[test]
fn gltf_visuals_lie_over_their_obj_collisions() {
    let Some(data) = common::data() else { return };
    let folder = data.join("robots/dual_iiwa14/drake_models/iiwa_description/meshes/iiwa14");
    for link in ["link_0", "link_1", "link_3", "link_5"] {
        let visual = load_mesh(&folder.join(format!("visual/{link}.gltf"))).expect("glTF");
        let collision = load_mesh(&folder.join(format!("collision/{link}.obj"))).expect("OBJ");
        for (a, b) in extents(&visual).iter().zip(extents(&collision)) {
            assert!((a - b).abs() < 1e-3, "{link}: {a} {b}");
        }
    }
}

#[test]
fn every_robot_has_its_links_joints_and_parts() {
    let Some(data) = common::data() else { return };
    // Counted with Python's ElementTree: links, joints, collision elements, links that have one, mimic joints.
    let robots = [
        ("robots/panda/panda.urdf", [12, 11, 11, 11, 1]),
        ("robots/pr2/pr2.urdf", [82, 81, 32, 32, 10]),
        ("robots/ur5/ur5_robot.urdf", [11, 10, 8, 8, 0]),
        (
            "robots/dual_iiwa14/iiwa14_spheres_collision.urdf",
            [11, 10, 13, 8, 0],
        ),
        (
            "robots/dual_iiwa14/iiwa14_primitive_collision.urdf",
            [11, 10, 8, 8, 0],
        ),
        (
            "robots/dual_iiwa14/dual_iiwa14_polytope_collision.urdf",
            [21, 20, 2, 2, 0],
        ),
        ("assemblies/so100/so100.urdf", [7, 6, 5, 5, 0]),
    ];
    for (path, expected) in robots {
        let scene = load(&data.join(path), &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let robot = scene.robot.as_ref().expect("a robot");
        let parts = scene.bodies.iter().map(|body| body.parts.len()).sum();
        let mimics = robot
            .joints
            .iter()
            .filter(|joint| joint.mimic.is_some())
            .count();
        assert_eq!(
            [
                robot.links.len(),
                robot.joints.len(),
                parts,
                scene.bodies.len(),
                mimics
            ],
            expected,
            "{path}"
        );
        assert_eq!(scene.unit.as_deref(), Some("m"));
    }
}

fn state(robot: &Robot, values: &[(&str, f64)]) -> Vec<f64> {
    let mut state = robot.zero_state();
    for (name, value) in values {
        state[robot.joint_index(name).expect("a joint of the robot")] = *value;
    }
    state
}

fn assert_pose(robot: &Robot, state: &[f64], link: &str, translation: [f64; 3], rows: [f64; 9]) {
    let pose =
        robot.forward_kinematics(state)[robot.link_index(link).expect("a link of the robot")];
    for (own, expected) in pose
        .translation
        .iter()
        .zip(translation)
        .chain(pose.linear.as_flattened().iter().zip(rows))
    {
        assert!((own - expected).abs() < 2e-12, "{link}: {pose:?}");
    }
}

/// Numbers from a Python script of 4×4 matrices with rotations through quaternions.
#[test]
fn panda_links_stand_where_an_independent_script_puts_them() {
    let Some(data) = common::data() else { return };
    let robot = read_urdf(&data.join("robots/panda/panda.urdf")).expect("the panda");
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let g = h - 4e-13;
    let zero = robot.zero_state();
    let tool = [h, g, 0.0, g, -h, -1e-11, -7e-12, 7e-12, -1.0];
    assert_pose(
        &robot,
        &zero,
        "panda_link3",
        [0.0, -2e-12, 0.649],
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    );
    assert_pose(&robot, &zero, "panda_hand", [0.088, -1e-12, 0.926], tool);
    assert_pose(
        &robot,
        &zero,
        "panda_leftfinger",
        [0.088, -1e-12, 0.8676],
        tool,
    );
    let names: Vec<String> = (1..=7).map(|i| format!("panda_joint{i}")).collect();
    let mut values: Vec<(&str, f64)> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let sign = if i % 2 == 0 { -1.0 } else { 1.0 };
        values.push((name, sign * 0.1 * (i + 1) as f64));
    }
    values.push(("panda_finger_joint1", 0.03));
    let rows = [
        0.804043610827,
        0.342925695216,
        0.48571168346,
        0.584444662473,
        -0.605966047461,
        -0.539656914929,
        0.109262566302,
        0.717779295386,
        -0.687644221033,
    ];
    let state = state(&robot, &values);
    assert_pose(
        &robot,
        &state,
        "panda_leftfinger",
        [0.123733988521, -0.113403074025, 0.95654860537],
        rows,
    );
    // The right finger follows the left one.
    assert_pose(
        &robot,
        &state,
        "panda_rightfinger",
        [0.103158446808, -0.077045111178, 0.913481847647],
        rows,
    );
}

#[test]
fn pr2_gripper_tips_follow_the_mimicked_finger() {
    let Some(data) = common::data() else { return };
    let robot = read_urdf(&data.join("robots/pr2/pr2.urdf")).expect("the PR2");
    let values = [
        ("torso_lift_joint", 0.1),
        ("r_gripper_l_finger_joint", 0.3),
        ("r_shoulder_pan_joint", -0.5),
        ("r_elbow_flex_joint", -1.0),
    ];
    let rows = [
        0.474159881779,
        0.479425538604,
        -0.738460262604,
        -0.259034724,
        0.87758256189,
        0.403422680111,
        0.841470984808,
        0.0,
        0.540302305868,
    ];
    let state = state(&robot, &values);
    assert_pose(
        &robot,
        &state,
        "r_gripper_r_finger_tip_link",
        [0.598152899638, -0.589639304627, 1.297725035494],
        rows,
    );
    assert_pose(
        &robot,
        &state,
        "r_gripper_l_finger_tip_link",
        [0.638166327432, -0.516395216347, 1.297725035494],
        rows,
    );
}

#[test]
fn srdf_files_name_only_links_of_their_robots() {
    let Some(data) = common::data() else { return };
    for (urdf, srdf, pairs) in [
        ("robots/panda/panda.urdf", "robots/panda/panda.srdf", 34),
        ("robots/ur5/ur5_robot.urdf", "robots/ur5/ur5.srdf", 10),
        ("robots/pr2/pr2.urdf", "robots/pr2/pr2.srdf", 1163),
    ] {
        let robot = read_urdf(&data.join(urdf)).unwrap_or_else(|error| panic!("{error}"));
        let srdf = read_srdf(&data.join(srdf), &robot).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            srdf.disabled.len() + srdf.warnings.len(),
            pairs,
            "{urdf}: {:?}",
            srdf.warnings
        );
        let first = &srdf.disabled[0];
        assert!(srdf.is_disabled(first.b, first.a));
        assert!(
            srdf.state_warnings.is_empty(),
            "{urdf}: {:?}",
            srdf.state_warnings
        );
        assert!(
            srdf.group_states
                .iter()
                .all(|state| !state.values.is_empty())
        );
    }
}

#[test]
fn fixed_groups_and_adjacent_links_of_the_panda() {
    let Some(data) = common::data() else { return };
    let robot = read_urdf(&data.join("robots/panda/panda.urdf")).expect("the panda");
    let names = |group: &Vec<usize>| {
        group
            .iter()
            .map(|link| robot.links[*link].name.clone())
            .collect::<Vec<_>>()
    };
    let groups: Vec<_> = robot
        .fixed_groups()
        .iter()
        .filter(|group| group.len() > 1)
        .map(names)
        .collect();
    assert_eq!(groups, [["panda_link7", "panda_link8", "panda_hand"]]);
    assert_eq!(robot.adjacent_links().len(), 11);
}

#[test]
fn the_gearbox_places_72_instances_of_13_shared_meshes() {
    let Some(data) = common::data() else { return };
    let scene = load(
        &data.join("assemblies/cycloidal_drive/scene.json"),
        &LoadOptions::default(),
    )
    .expect("the gearbox");
    assert_eq!(
        (scene.bodies.len(), scene.unit.as_deref()),
        (72, Some("mm"))
    );
    let mut users: BTreeMap<*const Mesh, usize> = BTreeMap::new();
    for part in scene.bodies.iter().flat_map(|body| &body.parts) {
        if let Geometry::Mesh { mesh, .. } = &part.geometry {
            *users.entry(std::sync::Arc::as_ptr(mesh)).or_default() += 1;
        }
    }
    assert_eq!(users.len(), 13);
    assert_eq!(
        scene.bodies[0].pose.translation,
        [2.7703002558610024e-08, 4.459864999972751e-06, -21.3233]
    );
}

#[test]
fn a_folder_of_meshes_is_a_body_each_in_order() {
    let Some(data) = common::data() else { return };
    let scene = load(
        &data.join("assemblies/bim_duplex/elements"),
        &LoadOptions::default(),
    )
    .expect("the building");
    assert_eq!(scene.bodies.len(), 213);
    assert!(scene.bodies.is_sorted_by_key(|body| body.name.clone()));
}

/// Robots are loaded by every cut of their own files too: an error each, never a panic.
#[test]
fn cut_off_files_are_errors_or_less_but_never_panics() {
    let Some(data) = common::data() else { return };
    let folder = common::Folder::new("cut");
    let files = [
        "meshes/trimesh_models/tet.ply",
        "meshes/trimesh_models/unit_cube.STL",
        "meshes/trimesh_models/two_objects.obj",
        "robots/ur5/ur5_robot.urdf",
        "robots/dual_iiwa14/drake_models/iiwa_description/meshes/iiwa14/visual/kuka.gltf",
    ];
    for file in files {
        let bytes = std::fs::read(data.join(file)).expect("the file is there");
        let name = Path::new(file)
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let step = bytes.len() / 300 + 1;
        for length in (0..bytes.len()).step_by(step) {
            let path = folder.write(&name, &bytes[..length]);
            if let Err(error) = load(&path, &LoadOptions::default()) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn changed_bytes_in_robot_files_never_panic() {
    let Some(data) = common::data() else { return };
    let folder = common::Folder::new("changed-robots");
    let mut state = 3_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let original = read_urdf(&data.join("robots/panda/panda.urdf")).expect("the panda");
    for file in [
        "robots/panda/panda.urdf",
        "robots/panda/panda.srdf",
        "robots/dual_iiwa14/iiwa14_spheres_collision.urdf",
    ] {
        let bytes = std::fs::read(data.join(file)).expect("the file is there");
        for _ in 0..150 {
            let mut changed = bytes.clone();
            for _ in 0..=random(4) {
                let at = random(changed.len());
                changed[at] = [b'9', b'-', b'0', b' ', b'<', b'/', b'"', b'e'][random(8)];
            }
            let path = folder.write("changed.urdf", changed);
            let _ = read_srdf(&path, &original);
            if let Ok(robot) = read_urdf(&path) {
                let poses = robot.forward_kinematics(&robot.sample(&mut || 0.25));
                assert_eq!(poses.len(), robot.links.len());
            }
        }
    }
}
