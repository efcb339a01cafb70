//! Trajectories: what each layout says, and what each mistake says.

mod common;

use common::Folder;
use gjk_scene::{Robot, SceneErrorKind, Trajectory, TrajectoryFile, read_trajectories, read_urdf};

/// Joints `j` (limits ±2), `k` (slides 0 to 1), `m` (follows j twice) and `f` (fixed).
fn robot(folder: &Folder) -> Robot {
    let mut body = "<link name=\"l0\"/>".to_owned();
    for (index, (name, kind, inside)) in [
        ("j", "revolute", "<limit lower=\"-2\" upper=\"2\"/>"),
        ("k", "prismatic", "<limit lower=\"0\" upper=\"1\"/>"),
        (
            "m",
            "revolute",
            "<limit lower=\"-9\" upper=\"9\"/><mimic joint=\"j\" multiplier=\"2\"/>",
        ),
        ("f", "fixed", ""),
    ]
    .into_iter()
    .enumerate()
    {
        body += &format!(
            "<link name=\"l{next}\"/><joint name=\"{name}\" type=\"{kind}\"><parent link=\"l{index}\"/><child link=\"l{next}\"/>{inside}</joint>",
            next = index + 1
        );
    }
    read_urdf(&folder.write("r.urdf", format!("<robot name=\"r\">{body}</robot>")))
        .unwrap_or_else(|error| panic!("{error}"))
}

const START: [f64; 4] = [0.0, 0.25, 0.0, 0.0];

fn read(folder: &Folder, name: &str, text: &str) -> TrajectoryFile {
    read_trajectories(&folder.write(name, text), &robot(folder), &START)
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn shown(folder: &Folder, file: &TrajectoryFile) -> Vec<String> {
    file.warnings
        .iter()
        .map(|line| folder.shown(line))
        .collect()
}

fn times(trajectory: &Trajectory) -> Vec<f64> {
    trajectory.points.iter().map(|point| point.time).collect()
}

fn positions(trajectory: &Trajectory) -> Vec<Vec<f64>> {
    trajectory
        .points
        .iter()
        .map(|point| point.positions.clone())
        .collect()
}

#[test]
fn csv_has_times_where_a_column_says_them() {
    let folder = Folder::new("csv_trajectory");
    let file = read(
        &folder,
        "t.csv",
        "k, time ,j\r\n0.5,-0.1,1\r\n\r\n0.75,0.3,3\n",
    );
    let [only] = file.trajectories.as_slice() else {
        panic!("{file:?}")
    };
    assert_eq!(
        (only.joints.as_slice(), only.timed, only.place.as_str()),
        ([1, 0].as_slice(), true, "")
    );
    assert_eq!(times(only), [-0.1, 0.3]);
    assert_eq!(positions(only), [[0.5, 1.0], [0.75, 3.0]]);
    assert_eq!(only.start, [1.0, 0.5, 2.0, 0.0]);
    assert_eq!(
        only.state(&robot(&folder), &[0.0, -1.0]),
        [-1.0, 0.0, -2.0, 0.0]
    );
    assert_eq!(
        shown(&folder, &file),
        ["t.csv:4: point 1: joint `j`: 3 is outside its limits -2 to 2; used as it is"]
    );
    let untimed = read(&folder, "u.csv", "j\n1\n1\n1.5\n");
    let only = &untimed.trajectories[0];
    assert_eq!((times(only), only.timed), (vec![0.0, 1.0, 2.0], false));
    assert_eq!(only.start, [1.0, 0.25, 2.0, 0.0]);
    assert_eq!(
        shown(&folder, &untimed),
        ["u.csv:1: joint `k` is not named and stays where it starts"]
    );
}

/// As `ros2 topic echo` prints it, twice.
const ECHO: &str = "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\njoint_names:\n- j\n- k\npoints:\n\
    - positions:\n  - 0.0\n  - 0.5\n  velocities: []\n  accelerations: []\n  effort: []\n  time_from_start:\n    sec: 0\n    nanosec: 300000000\n\
    - positions:\n  - 1\n  - 1.0e-1\n  velocities:\n  - 0.5\n  - .25\n  accelerations: [1, -1]\n  effort: []\n  time_from_start:\n    sec: 12\n    nanosec: 345678901\n---\n";

#[test]
fn messages_of_ros_2_are_read_as_they_are_printed() {
    let folder = Folder::new("echo");
    let file = read(&folder, "t.yaml", &(ECHO.to_owned() + ECHO));
    let places: Vec<_> = file
        .trajectories
        .iter()
        .map(|own| own.place.as_str())
        .collect();
    assert_eq!(places, ["document 1", "document 2"]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let first = &file.trajectories[0];
    assert_eq!(first.joints, [0, 1]);
    // The nearest doubles: 3e8 · 1e-9 would be 0.30000000000000004.
    assert_eq!(times(first), [0.3, 12.345678901]);
    assert_eq!(positions(first), [[0.0, 0.5], [1.0, 0.1]]);
    assert_eq!(
        (&first.points[0].velocities, &first.points[0].accelerations),
        (&None, &None)
    );
    assert_eq!(first.points[1].velocities, Some(vec![0.5, 0.25]));
    assert_eq!(first.points[1].accelerations, Some(vec![1.0, -1.0]));
    assert_eq!(file.trajectories[1].start, [0.0, 0.5, 0.0, 0.0]);
    assert_eq!(read(&folder, "one.yaml", ECHO).trajectories[0].place, "");
}

#[test]
fn json_ros_1_goals_and_robot_trajectories_are_read() {
    let folder = Folder::new("json_trajectory");
    let ros1 = r#"{"joint_names":["j","k"],"points":[{"positions":[0,0.5],"time_from_start":{"secs":1,"nsecs":5}}],"extra":1}"#;
    let multi = r#""multi_dof_joint_trajectory":{"header":{},"joint_names":[],"points":[]}"#;
    for (text, path) in [
        (ros1.to_owned(), "extra"),
        (
            format!("{{\"joint_trajectory\":{ros1},{multi}}}"),
            "joint_trajectory.extra",
        ),
        (
            format!("{{\"trajectory\":{ros1},\"goal_tolerance\":[]}}"),
            "trajectory.extra",
        ),
    ] {
        let file = read(&folder, "t.json", &text);
        assert_eq!(times(&file.trajectories[0]), [1.000000005], "{path}");
        assert_eq!(
            shown(&folder, &file),
            ["t.json:1: the key `extra` is not known and left out"]
        );
    }
}

#[test]
fn a_displayed_trajectory_has_its_start_and_goes_on_from_part_to_part() {
    let folder = Folder::new("display");
    let part = |name: &str, from: f64, to: f64| {
        format!(
            "- joint_trajectory:\n    joint_names: [{name}]\n    points:\n    - positions: [{from}]\n      time_from_start: {{sec: 0, nanosec: 0}}\n    \
             - positions: [{to}]\n      time_from_start: {{sec: 1, nanosec: 0}}\n  multi_dof_joint_trajectory: {{joint_names: [], points: []}}\n"
        )
    };
    let text = "model_id: other\ntrajectory:\n".to_owned()
        + &part("j", 0.5, 1.0)
        + &part("k", 0.75, 1.0)
        + "trajectory_start:\n  joint_state:\n    header: {frame_id: world}\n    name: [j, k, m, x, y]\n    position: [0.25, 0.75, 0.5, 0, 0]\n    velocity: []\n  \
           multi_dof_joint_state: {joint_names: [], transforms: []}\n  attached_collision_objects: [{link_name: l2}]\n  is_diff: false\n";
    let file = read(&folder, "d.yaml", &text);
    let [first, second] = file.trajectories.as_slice() else {
        panic!("{file:?}")
    };
    assert_eq!(
        (first.place.as_str(), second.place.as_str()),
        ("trajectory[0]", "trajectory[1]")
    );
    assert_eq!(first.start, [0.5, 0.75, 1.0, 0.0]);
    assert_eq!(second.start, [1.0, 0.75, 2.0, 0.0]);
    assert_eq!(
        shown(&folder, &file),
        [
            "d.yaml:1: the message is for the robot `other`, read for `r`",
            "d.yaml: 2 names in the start state are no joints of the robot: `x`, `y`",
            "d.yaml:26: the start state has attached objects; left out",
            "d.yaml:6: joint `j` starts 0.25 away from the first point; the way there is in no trajectory",
        ]
    );
}

#[test]
fn mistakes_in_trajectories_name_their_place() {
    let folder = Folder::new("trajectory_mistakes");
    let robot = robot(&folder);
    let point = |positions: &str, sec: &str| {
        format!("- positions: {positions}\n  time_from_start: {{sec: {sec}, nanosec: 0}}\n")
    };
    let message = |names: &str, points: &str| format!("joint_names: {names}\npoints:\n{points}");
    let yaml = |text: String, expected: &'static str| ("t.yaml", text, expected);
    let csv = |text: &str, expected: &'static str| ("t.csv", text.to_owned(), expected);
    let both = "[j, k]";
    for (name, text, expected) in [
        csv(
            "time,x\n0,1\n",
            "t.csv:1: column `x`: the robot has no such joint",
        ),
        csv(
            "time,m\n0,1\n",
            "t.csv:1: column `m`: the joint follows `j` and cannot be set",
        ),
        csv(
            "time,time,j\n0,0,1\n",
            "t.csv:1: the header names two columns `time`",
        ),
        csv("time\n0\n", "t.csv:1: the header names no joint"),
        csv("", "t.csv:1: the header names no joint"),
        csv("time,j\n", "t.csv: the trajectory has no point"),
        csv(
            "time,j\n0,1\n\n1,nan\n",
            "t.csv:4: point 1: column `j`: `nan` is no joint value",
        ),
        csv(
            "time,j\n0,1\ninf,1\n",
            "t.csv:3: point 1: column `time`: `inf` is no time",
        ),
        csv(
            "time,j\n0,1\n0.5,1\n0.5,1\n",
            "t.csv:4: point 2: its time of 0.5 s is not after the 0.5 s of point 1, expected times that rise",
        ),
        csv(
            "time,j\n0\n",
            "t.csv:2: the row has 1 value, expected 2, one a column of the header",
        ),
        yaml(
            message("[j, x]", &point("[0, 0]", "0")),
            "t.yaml:1: joint_names[1]: joint `x`: the robot has no such joint",
        ),
        yaml(
            message("[j, f]", &point("[0, 0]", "0")),
            "t.yaml:1: joint_names[1]: joint `f`: a fixed joint cannot be set",
        ),
        yaml(
            message("[j, j]", &point("[0, 0]", "0")),
            "t.yaml:1: joint_names[1]: joint `j`: the joint stands twice",
        ),
        yaml(
            message("[]", &point("[]", "0")),
            "t.yaml:1: joint_names: the trajectory names no joint",
        ),
        yaml(
            "joint_names: [j]\npoints: []\n".to_owned(),
            "t.yaml:2: points: the trajectory has no point",
        ),
        yaml(
            message(both, &(point("[0, 0]", "0") + &point("[0]", "1"))),
            "t.yaml:5: points[1].positions: expected 2 numbers, one a joint, found 1",
        ),
        yaml(
            message(both, &point("[0, .nan]", "0")),
            "t.yaml:3: points[0].positions[1]: joint `k`: NaN is not finite",
        ),
        yaml(
            message(both, &point("[0, zero]", "0")),
            "t.yaml:3: points[0].positions[1]: joint `k`: expected a number, found a string",
        ),
        yaml(
            message(both, &point("[]", "0")),
            "t.yaml:3: points[0]: the point has no positions, expected 2, one a joint",
        ),
        yaml(
            message(both, "- positions: [0, 0]\n  velocities: [1]\n"),
            "t.yaml:4: points[0].velocities: expected 2 numbers, one a joint, found 1",
        ),
        yaml(
            message(both, "- positions: [0, 0]\n"),
            "t.yaml:3: points[0].time_from_start: the key `time_from_start` is missing",
        ),
        yaml(
            message(both, "- positions: [0, 0]\n  time_from_start: 1\n"),
            "t.yaml:4: points[0].time_from_start: expected an object, found a number",
        ),
        yaml(
            message(both, "- positions: [0, 0]\n  time_from_start: {}\n"),
            "t.yaml:4: points[0].time_from_start: the time has neither `sec`",
        ),
        yaml(
            message(both, &point("[0, 0]", "-1")),
            "t.yaml:4: points[0].time_from_start.sec: -1 is negative",
        ),
        yaml(
            message(both, &point("[0, 0]", "0.5")),
            "t.yaml:4: points[0].time_from_start.sec: 0.5 is no whole number",
        ),
        yaml(
            message(both, &(point("[0, 0]", "1") + &point("[0, 0]", "1"))),
            "t.yaml:5: points: point 1: its time of 1 s is not after the 1 s of point 0",
        ),
        yaml(
            message(both, &(point("[0, 0]", "1") + "- '...'\n")),
            "t.yaml:5: points[1]: the list was cut when it was printed",
        ),
        yaml(
            message(both, &point("[0, '...']", "1")),
            "t.yaml:3: points[0].positions[1]: the list was cut when it was printed",
        ),
        yaml(
            "joint_trajectory: {}\nmulti_dof_joint_trajectory:\n  joint_names: [base]\n".to_owned(),
            "t.yaml:2: multi_dof_joint_trajectory: joints of several values (planar or floating) are not moved",
        ),
        yaml(
            "trajectory: []\n".to_owned(),
            "t.yaml:1: trajectory: the message has no trajectory",
        ),
        yaml(
            format!("{ECHO}a: 1\n"),
            "t.yaml:31: document 2: the message is no trajectory",
        ),
        yaml("---\n".to_owned(), "t.yaml: the file has no message"),
        yaml(
            "- 1\n".to_owned(),
            "t.yaml:1: expected a message with `joint_names` and `points`, found an array",
        ),
        yaml(
            "joint_names: &a [j]\npoints: *a\n".to_owned(),
            "t.yaml:2:9: aliases (`*name`) are not followed",
        ),
        (
            "t.json",
            "{\"joint_names\": [\"j\"],\n \"points\": [{\"positions\": [NaN]}]}".to_owned(),
            "t.json:2:28: JSON has no NaN",
        ),
        (
            "t.json",
            "{\"joint_names\": [\"j\"],\n \"points\": [\n{\"positions\": []}]}".to_owned(),
            "t.json:3: points[0]: the point has no positions",
        ),
    ] {
        let error = read_trajectories(&folder.write(name, &text), &robot, &START).expect_err(&text);
        let shown = folder.shown(&error);
        assert!(shown.starts_with(expected), "{shown}\n{text}");
    }
    let nowhere =
        read_trajectories(&folder.path("nowhere.csv"), &robot, &START).expect_err("no file");
    assert_eq!(nowhere.kind(), SceneErrorKind::Io);
}

/// Texts of random pieces: read or refused, without a panic, and what is read is what the types promise.
#[test]
fn no_text_panics() {
    let folder = Folder::new("trajectory_noise");
    let robot = robot(&folder);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % count as u64) as usize
    };
    let pieces = [
        "{", "}", "[", "]", ":", " ", "\n", "- ", "---\n", "...", "? ", "&a ", "*a", "!!str ", "|",
        "'", "\"", "\t", "é", "\u{feff}", "1e999", "-0", ".nan", "j", "\0",
    ];
    let mut read = 0;
    for round in 0..1500 {
        let (name, seed) = [
            ("t.yaml", ECHO),
            ("t.csv", "time,j,k\n0,1,0\n1,1,0.5\n"),
            (
                "t.json",
                r#"{"joint_names":["j"],"points":[{"positions":[1],"time_from_start":{"sec":1}}]}"#,
            ),
        ][round % 3];
        let mut text = seed.to_owned();
        for _ in 0..below(4) {
            let mut at = below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if below(3) == 0 && at < text.len() {
                text.remove(at);
            } else {
                text.insert_str(at, pieces[below(pieces.len())]);
            }
        }
        let Ok(file) = read_trajectories(&folder.write(name, &text), &robot, &START) else {
            continue;
        };
        read += 1;
        for trajectory in &file.trajectories {
            let count = trajectory.joints.len();
            assert!(
                count > 0
                    && !trajectory.points.is_empty()
                    && trajectory.start.len() == robot.joints.len()
            );
            assert!(
                times(trajectory).windows(2).all(|pair| pair[0] < pair[1]),
                "{text}"
            );
            assert!(
                positions(trajectory)
                    .iter()
                    .all(|own| own.len() == count && own.iter().all(|x| x.is_finite()))
            );
        }
    }
    assert!(read > 400, "{read}");
}
