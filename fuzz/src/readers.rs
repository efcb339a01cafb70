//! Target `readers`: bytes as a file of each format; the first byte says which.
//!
//! Held: no panic; what is read is what the types promise (finite, indices in range); a query line that is read is
//! written and read back the same; forward kinematics of a robot that was read does not panic.

use gjk_scene::{
    Geometry, LoadOptions, Mesh, Robot, load, load_mesh, read_query_line, read_srdf, read_states,
    read_urdf,
};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The extensions by the first byte, with what reads them.
pub const FORMATS: [(&str, Kind); 13] = [
    ("stl", Kind::Mesh),
    ("obj", Kind::Mesh),
    ("ply", Kind::Mesh),
    ("off", Kind::Mesh),
    ("dae", Kind::Mesh),
    ("gltf", Kind::Mesh),
    ("glb", Kind::Mesh),
    ("urdf", Kind::Scene),
    ("json", Kind::Scene),
    ("toml", Kind::Scene),
    ("srdf", Kind::Srdf),
    ("csv", Kind::States),
    ("jsonl", Kind::Query),
];

/// Which function reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `load_mesh`.
    Mesh,
    /// `load`.
    Scene,
    /// `read_srdf`, for [`ROBOT`].
    Srdf,
    /// `read_states`, for [`ROBOT`].
    States,
    /// `read_query_line`.
    Query,
}

/// The robot that SRDF files and states are read for.
pub const ROBOT: &str = r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0" upper="2"/><mimic joint="j" multiplier="2"/></joint>
</robot>"#;

fn split(data: &[u8]) -> ((&'static str, Kind), &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    (FORMATS[usize::from(*first) % FORMATS.len()], rest)
}

/// The format and the file.
pub fn describe(data: &[u8]) -> String {
    let ((extension, _), rest) = split(data);
    format!("{extension}: {}", rest.escape_ascii())
}

/// Reads and checks.
pub fn run(data: &[u8]) {
    let ((extension, kind), rest) = split(data);
    match kind {
        Kind::Query => rest.split(|&byte| byte == b'\n').for_each(query_line),
        Kind::Mesh => {
            if let Ok(mesh) = load_mesh(&write(extension, rest)) {
                check_mesh(&mesh);
            }
        }
        Kind::Scene => scene(&write(extension, rest)),
        Kind::Srdf => {
            let robot = robot();
            if let Ok(srdf) = read_srdf(&write(extension, rest), robot) {
                let count = robot.links.len();
                (0..count).for_each(|i| {
                    (0..count)
                        .for_each(|j| assert_eq!(srdf.is_disabled(i, j), srdf.is_disabled(j, i)))
                });
            }
        }
        Kind::States => {
            let robot = robot();
            if let Ok(states) = read_states(&write(extension, rest), robot) {
                assert!(
                    states
                        .states
                        .iter()
                        .all(|state| state.len() == robot.joints.len())
                );
                states
                    .states
                    .iter()
                    .for_each(|state| drop(robot.forward_kinematics(state)));
            }
        }
    }
}

fn query_line(line: &[u8]) {
    let Some(read) = read_query_line(line, 2) else {
        return;
    };
    let Ok(query) = read.query else { return };
    let text = query.to_line();
    let again = read_query_line(text.as_bytes(), 2).expect("the line is not blank");
    assert_eq!(again.query.as_ref(), Ok(&query), "{text}");
}

fn check_mesh(mesh: &Mesh) {
    assert!(!mesh.vertices.is_empty() && mesh.vertices.iter().flatten().all(|x| x.is_finite()));
    let count = mesh.vertices.len();
    assert!(
        mesh.faces
            .iter()
            .all(|face| face.len() >= 3 && face.iter().all(|&i| (i as usize) < count))
    );
}

fn scene(path: &Path) {
    let Ok(scene) = load(path, &LoadOptions::default()) else {
        return;
    };
    for body in &scene.bodies {
        assert!(
            body.pose.is_finite() && !body.parts.is_empty(),
            "{}",
            body.name
        );
        for part in &body.parts {
            assert!(part.pose.is_finite());
            if let Geometry::Mesh { mesh, scale } = &part.geometry {
                check_mesh(mesh);
                assert!(scale.iter().all(|s| s.is_finite() && *s != 0.0));
            }
        }
    }
    assert!(
        scene
            .allow
            .iter()
            .all(|&(a, b)| a <= b && b < scene.bodies.len())
    );
    if let Some(robot) = &scene.robot {
        let values = robot.zero_state();
        assert_eq!(robot.forward_kinematics(&values).len(), robot.links.len());
        let (mut low, mut high) = (|| 0.0, || 1.0);
        drop(robot.forward_kinematics(&robot.sample(&mut low)));
        drop(robot.forward_kinematics(&robot.sample(&mut high)));
        drop((robot.adjacent_links(), robot.fixed_groups()));
    }
}

fn robot() -> &'static Robot {
    static CELL: OnceLock<Robot> = OnceLock::new();
    CELL.get_or_init(|| read_urdf(&write("urdf", ROBOT.as_bytes())).expect("the robot can be read"))
}

/// The readers take paths: the bytes go to a file in a folder of this process.
fn write(extension: &str, bytes: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("gjk-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        // A mesh beside it, for the scenes that name one.
        std::fs::write(
            folder.join("m.off"),
            "OFF 4 4 0\n0 0 0 1 0 0 0 1 0 0 0 1\n3 0 2 1 3 0 1 3 3 1 2 3 3 2 0 3\n",
        )
        .expect("the temporary folder can be written");
        folder
    });
    let path = folder.join("f").with_extension(extension);
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    path
}
