//! Target `readers`: bytes as a file of each format; the first byte says which.
//!
//! Held: no panic; what is read is what the types promise (finite, indices in range); a query line that is read is
//! written and read back the same; forward kinematics of a robot that was read does not panic; a written SRDF has
//! what was asked for.

use gjk_scene::{
    DisabledReason, Geometry, JointLimits, LoadOptions, Mesh, Robot, WantedPair, load, load_mesh,
    read_limits, read_query_line, read_srdf, read_states, read_trajectories, read_urdf, write_srdf,
};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The extensions by the first byte, with what reads them.
pub const FORMATS: [(&str, Kind); 17] = [
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
    ("yaml", Kind::Trajectory),
    ("json", Kind::Trajectory),
    ("csv", Kind::Trajectory),
    ("yml", Kind::Limits),
];

/// Which function reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `load_mesh`.
    Mesh,
    /// `load`.
    Scene,
    /// `read_srdf` and `write_srdf`, for [`ROBOT`].
    Srdf,
    /// `read_states`, for [`ROBOT`].
    States,
    /// `read_trajectories`, for [`ROBOT`].
    Trajectory,
    /// `read_limits`, for [`ROBOT`].
    Limits,
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
                let base = robot.zero_state();
                srdf.group_states
                    .iter()
                    .for_each(|state| drop(state.over(robot, &base)));
            }
            if let Ok(text) = std::str::from_utf8(rest) {
                rewrite(text, robot);
            }
        }
        Kind::Trajectory => trajectories(&write(extension, rest)),
        Kind::Limits => {
            if let Ok(file) = read_limits(&write(extension, rest), robot()) {
                let ordered = |(_, range): (&usize, &gjk_scene::Limits)| range.lower <= range.upper;
                assert!(!file.ranges.is_empty() && file.ranges.iter().all(ordered));
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

/// What is wanted is in the file that is written, and a second run changes nothing.
fn rewrite(text: &str, robot: &Robot) {
    let wanted = [WantedPair {
        a: 0,
        b: 1,
        reason: DisabledReason::Never,
    }];
    let file = Path::new("f.srdf");
    let Ok(first) = write_srdf(Some(text), file, robot, &wanted) else {
        return;
    };
    let again = write_srdf(Some(&first.text), file, robot, &wanted).expect("it was written");
    assert_eq!(first.text, again.text);
    let read = read_srdf(&write("srdf", first.text.as_bytes()), robot).expect("it was written");
    assert!(read.is_disabled(0, 1));
}

fn trajectories(path: &Path) {
    let robot = robot();
    let Ok(file) = read_trajectories(path, robot, &robot.zero_state()) else {
        return;
    };
    assert!(!file.trajectories.is_empty());
    for trajectory in &file.trajectories {
        let count = trajectory.joints.len();
        assert!(count > 0 && !trajectory.points.is_empty());
        for point in &trajectory.points {
            let lists = [
                Some(&point.positions),
                point.velocities.as_ref(),
                point.accelerations.as_ref(),
            ];
            let good = |list: &Vec<f64>| list.len() == count && list.iter().all(|x| x.is_finite());
            assert!(point.time.is_finite() && lists.into_iter().flatten().all(good));
            let state = trajectory.state(robot, &point.positions);
            assert_eq!(state.len(), robot.joints.len());
        }
        let times: Vec<f64> = trajectory.points.iter().map(|point| point.time).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
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
        let pairs = robot.adjacent_by_contraction();
        assert!(
            pairs
                .iter()
                .all(|pair| pair.a < pair.b && pair.b < robot.links.len())
        );
        let limits = JointLimits::default();
        (0..robot.joints.len()).for_each(|joint| drop(robot.joint_range(joint, &limits)));
        if let Ok(state) = robot.default_state(&limits) {
            assert_eq!(state.len(), robot.joints.len());
        }
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
