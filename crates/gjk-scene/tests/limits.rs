//! How far joints go, where the default state is, and which links are adjacent.

mod common;

use std::f64::consts::PI;

use common::Folder;
use gjk_scene::{JointLimits, JointRange, LimitSet, Limits, Robot, read_limits, read_urdf};

fn read(folder: &Folder, body: &str) -> Robot {
    let path = folder.write("r.urdf", format!("<robot name=\"r\">\n{body}</robot>\n"));
    read_urdf(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn robot(test: &str, body: &str) -> Robot {
    read(&Folder::new(test), body)
}

/// A chain of links `l0`, `l1`, …: a joint's name, its kind, and what is in it.
fn chain(joints: &[(&str, &str, &str)]) -> String {
    let mut body = "<link name=\"l0\"/>\n".to_owned();
    for (index, (name, kind, inside)) in joints.iter().enumerate() {
        body += &format!(
            "<link name=\"l{next}\"/>\n<joint name=\"{name}\" type=\"{kind}\"><parent link=\"l{index}\"/><child link=\"l{next}\"/>\
             <axis xyz=\"0 0 1\"/>{inside}</joint>\n",
            next = index + 1
        );
    }
    body
}

fn between(range: Result<JointRange, gjk_scene::SceneError>) -> (f64, f64) {
    match range {
        Ok(JointRange::Between(limits)) => (limits.lower, limits.upper),
        other => panic!("{other:?}"),
    }
}

const ONE: &str = "<limit lower=\"-1\" upper=\"2\"/>";

#[test]
fn soft_limits_are_those_of_the_safety_controller_within_the_hard_ones() {
    let soft = |ends: &str| format!("{ONE}<safety_controller k_velocity=\"1\" {ends}/>");
    let (wide, one_end) = (
        soft("soft_lower_limit=\"-0.5\" soft_upper_limit=\"3\""),
        soft("soft_upper_limit=\"1.5\""),
    );
    let (no_ends, zeros) = (
        soft(""),
        soft("soft_lower_limit=\"0\" soft_upper_limit=\"0.0\""),
    );
    let robot = robot(
        "soft",
        &chain(&[
            ("wide", "revolute", &wide),
            ("one_end", "prismatic", &one_end),
            ("no_ends", "revolute", &no_ends),
            ("zeros", "revolute", &zeros),
            ("hard_only", "revolute", ONE),
        ]),
    );
    let wanted = [
        (-0.5, 2.0),
        (0.0, 1.5),
        (-1.0, 2.0),
        (-1.0, 2.0),
        (-1.0, 2.0),
    ];
    for (joint, wanted) in wanted.into_iter().enumerate() {
        assert_eq!(
            between(robot.joint_range(joint, &LimitSet::Soft.into())),
            wanted
        );
        assert_eq!(
            between(robot.joint_range(joint, &LimitSet::Hard.into())),
            (-1.0, 2.0)
        );
    }
    assert_eq!(
        robot.joints[0].soft_limits,
        Some(Limits {
            lower: -0.5,
            upper: 3.0
        })
    );
    assert_eq!(robot.joints[2].soft_limits, None);
}

#[test]
fn bad_soft_limits_are_errors_with_their_line() {
    let folder = Folder::new("bad_soft");
    for (ends, expected) in [
        (
            "soft_lower_limit=\"2\" soft_upper_limit=\"1\"",
            "joint `j`: the soft lower limit 2 is above the soft upper limit 1, expected soft_lower_limit <= soft_upper_limit",
        ),
        (
            "soft_lower_limit=\"nan\"",
            "joint `j`: `soft_lower_limit=\"nan\"` is not numeric, expected finite numbers",
        ),
    ] {
        let joint = format!("{ONE}\n<safety_controller k_velocity=\"1\" {ends}/>");
        let path = folder.write(
            "r.urdf",
            format!("<robot>{}</robot>", chain(&[("j", "revolute", &joint)])),
        );
        let error = read_urdf(&path).expect_err(ends);
        assert_eq!(folder.shown(error), format!("r.urdf:4:1: {expected}"));
    }
    // A continuous joint has no limits, and MoveIt reads none.
    let odd = "<safety_controller k_velocity=\"1\" soft_lower_limit=\"2\" soft_upper_limit=\"1\"/>";
    let robot = robot("continuous_soft", &chain(&[("j", "continuous", odd)]));
    assert_eq!(robot.joints[0].soft_limits, None);
}

#[test]
fn a_joint_without_a_range_is_refused_by_name() {
    let apart = format!("{ONE}<safety_controller soft_lower_limit=\"5\" soft_upper_limit=\"6\"/>");
    let robot = robot(
        "refused",
        &chain(&[
            ("slide", "prismatic", ""),
            ("plane", "planar", ""),
            ("float", "floating", ""),
            ("apart", "revolute", &apart),
        ]),
    );
    for (joint, expected) in [
        (
            0,
            "joint `slide`: a prismatic joint without limits has no range",
        ),
        (1, "joint `plane`: a planar joint has no range of one value"),
        (
            2,
            "joint `float`: a floating joint has no range of one value",
        ),
        (
            3,
            "joint `apart`: its soft limits 5 to 6 and its limits -1 to 2 have no value in common",
        ),
        (9, "the robot has no joint 9"),
    ] {
        for set in [LimitSet::Soft, LimitSet::Hard, LimitSet::Unlimited] {
            if joint == 3 && set != LimitSet::Soft {
                continue;
            }
            let error = robot.joint_range(joint, &set.into()).expect_err(expected);
            assert!(error.to_string().contains(expected), "{error}");
            assert!(joint == 9 || error.help().is_some());
        }
    }
    assert!(robot.default_state(&LimitSet::Soft.into()).is_err());
    assert_eq!(
        robot.default_state(&LimitSet::Hard.into()).ok(),
        Some(vec![0.0; 4])
    );
}

#[test]
fn a_free_joint_has_a_turn_that_leaves_out_no_angle() {
    let robot = robot(
        "turn",
        &chain(&[
            ("free", "continuous", ONE),
            ("limited", "revolute", "<limit lower=\"1\" upper=\"3\"/>"),
            ("slide", "prismatic", ONE),
            ("fixed", "fixed", ""),
            (
                "follows",
                "revolute",
                &format!("{ONE}<mimic joint=\"limited\" multiplier=\"-2\"/>"),
            ),
        ]),
    );
    let turn = |joint, set: LimitSet| match robot.joint_range(joint, &set.into()) {
        Ok(JointRange::Turn(limits)) => limits,
        other => panic!("{other:?}"),
    };
    let free = turn(0, LimitSet::Soft);
    assert!(free.lower < -PI && free.upper > PI && free.upper - PI < 1e-15);
    let limited = turn(1, LimitSet::Unlimited);
    assert!(limited.upper - limited.lower > 2.0 * PI && limited.upper - limited.lower < 6.3);
    assert!((limited.middle() - 2.0).abs() < 1e-15);
    assert_eq!(
        between(robot.joint_range(2, &LimitSet::Unlimited.into())),
        (-1.0, 2.0)
    );
    assert_eq!(
        robot.joint_range(3, &LimitSet::Unlimited.into()).ok(),
        Some(JointRange::Still)
    );
    assert!(matches!(
        robot.joint_range(4, &LimitSet::Unlimited.into()),
        Ok(JointRange::Follows(mimic)) if mimic.joint == 1
    ));
}

#[test]
fn one_turn_is_refused_where_a_follower_has_more_places() {
    for (kind, multiplier, good) in [
        ("revolute", "3", true),
        ("revolute", "0.5", false),
        ("prismatic", "1", false),
        ("prismatic", "0", true),
    ] {
        let between = format!("{ONE}<mimic joint=\"lead\" multiplier=\"{multiplier}\"/>");
        let last = format!("{ONE}<mimic joint=\"between\"/>");
        let robot = robot(
            "followers",
            &chain(&[
                ("last", "revolute", &last),
                ("between", kind, &between),
                ("lead", "continuous", ""),
            ]),
        );
        let range = robot.joint_range(2, &JointLimits::default());
        assert_eq!(range.is_ok(), good, "{kind} {multiplier}: {range:?}");
        let mut limits = JointLimits::default();
        limits.overrides.insert(
            2,
            Limits {
                lower: -1.0,
                upper: 1.0,
            },
        );
        assert!(robot.joint_range(2, &limits).is_ok());
    }
}

#[test]
fn the_default_state_is_zero_or_the_middle_and_the_zero_state_stays_clamped() {
    let above = "<limit lower=\"1\" upper=\"3\"/>";
    let soft_above =
        format!("{ONE}<safety_controller soft_lower_limit=\"0.5\" soft_upper_limit=\"1.5\"/>");
    let robot = robot(
        "default",
        &chain(&[
            ("above", "revolute", above),
            ("soft_above", "revolute", &soft_above),
            ("with_zero", "revolute", ONE),
            ("free", "continuous", ""),
            (
                "follows",
                "revolute",
                &format!("{ONE}<mimic joint=\"above\" multiplier=\"2\" offset=\"1\"/>"),
            ),
        ]),
    );
    assert_eq!(robot.zero_state(), [1.0, 0.0, 0.0, 0.0, 3.0]);
    let default = |set: LimitSet| robot.default_state(&set.into()).expect("a state");
    assert_eq!(default(LimitSet::Soft), [2.0, 1.0, 0.0, 0.0, 5.0]);
    assert_eq!(default(LimitSet::Hard), [2.0, 0.0, 0.0, 0.0, 5.0]);
    assert_eq!(default(LimitSet::Unlimited), [0.0, 0.0, 0.0, 0.0, 1.0]);
    let mut limits = JointLimits::from(LimitSet::Hard);
    limits.overrides.insert(
        2,
        Limits {
            lower: 1.0,
            upper: 1.5,
        },
    );
    assert_eq!(robot.default_state(&limits).expect("a state")[2], 1.25);
}

#[test]
fn a_file_of_limits_replaces_ranges_by_name() {
    let folder = Folder::new("limits_file");
    let robot = read(
        &folder,
        &chain(&[
            ("a", "revolute", ONE),
            ("b", "prismatic", ""),
            ("c", "continuous", ""),
        ]),
    );
    let moveit = "default_velocity_scaling_factor: 0.1\njoint_limits:\n  a:\n    has_velocity_limits: true\n    max_velocity: 2\n    \
        has_position_limits: true\n    min_position: -0.25\n    max_position: 0.5\n  b: {has_position_limits: true, min_position: 0, \
        max_position: 1}\n  c:\n    has_position_limits: false\n    min_position: -1\n    max_position: 1\n  other_robot: {max_velocity: 1}\n";
    let nested = format!(
        "/**:\n  ros__parameters:\n    robot_description_planning:\n{}",
        moveit
            .lines()
            .map(|line| format!("      {line}\n"))
            .collect::<String>()
    );
    for (name, text) in [
        ("l.csv", "joint, lower, upper\na,-0.25,0.5\n\nb,0,1\n"),
        ("l.json", "{\"a\": [-0.25, 0.5], \"b\": [0, 1]}"),
        ("l.yml", "a: [-0.25, 0.5]\nb: [0, 1]\n"),
        ("joint_limits.yaml", moveit),
        ("nested.yaml", &nested),
    ] {
        let file = read_limits(&folder.write(name, text), &robot)
            .unwrap_or_else(|error| panic!("{error}"));
        let ranges: Vec<_> = file
            .ranges
            .iter()
            .map(|(joint, r)| (*joint, r.lower, r.upper))
            .collect();
        assert_eq!(ranges, [(0, -0.25, 0.5), (1, 0.0, 1.0)], "{name}");
        let limits = JointLimits {
            set: LimitSet::Soft,
            overrides: file.ranges,
        };
        assert_eq!(between(robot.joint_range(1, &limits)), (0.0, 1.0));
        let warnings: Vec<_> = file
            .warnings
            .iter()
            .map(|line| folder.shown(line))
            .collect();
        if name == "joint_limits.yaml" {
            let what = "joint `c`: positions without `has_position_limits: true` are left out";
            assert_eq!(warnings, [format!("{name}:10: {what}")]);
        }
    }
}

#[test]
fn mistakes_in_files_of_limits_name_their_place() {
    let folder = Folder::new("limits_mistakes");
    let follows = format!("{ONE}<mimic joint=\"a\"/>");
    let robot = read(
        &folder,
        &chain(&[("a", "revolute", ONE), ("m", "revolute", &follows)]),
    );
    for (name, text, expected) in [
        (
            "l.csv",
            "joint,lower,upper\nx,0,1\n",
            "l.csv:2: joint `x`: the robot has no such joint",
        ),
        (
            "l.csv",
            "joint,lower,upper\na,0,1\na,0,1\n",
            "l.csv:3: joint `a`: the joint stands twice in the file",
        ),
        (
            "l.csv",
            "joint,lower,upper\n\na,0,inf\n",
            "l.csv:3: `inf` is no joint value",
        ),
        (
            "l.csv",
            "joint,lower,upper\na,0\n",
            "l.csv:2: the row has 2 values, expected 3",
        ),
        (
            "l.csv",
            "a,b\n0,1\n",
            "l.csv:1: the header is `a,b`, expected `joint,lower,upper`",
        ),
        (
            "l.csv",
            "joint,lower,upper\n",
            "l.csv: the file has no range of a joint",
        ),
        (
            "l.yaml",
            "a: [0, 1]\nx: [0, 1]\n",
            "l.yaml:2: joint `x`: the robot has no such joint",
        ),
        (
            "l.yaml",
            "a:\n  - 1\n  - 0\n",
            "l.yaml:1: joint `a`: the lower limit 1 is above the upper limit 0",
        ),
        (
            "l.yaml",
            "a: [0, .nan]\n",
            "l.yaml:1: joint `a`: [1]: NaN is not finite",
        ),
        (
            "l.yaml",
            "a: [0]\n",
            "l.yaml:1: joint `a`: expected 2 numbers, found 1",
        ),
        (
            "l.yaml",
            "joint_limits:\n  m: {has_position_limits: true, min_position: 0, max_position: 1}\n",
            "l.yaml:2: joint `m`: the joint follows `a`",
        ),
        (
            "l.yaml",
            "joint_limits:\n  a:\n    has_position_limits: true\n",
            "l.yaml:2: joint `a`: `has_position_limits` is true, and",
        ),
        (
            "l.json",
            "[1]",
            "l.json:1: expected `{\"joint\": [lower, upper]}`",
        ),
        ("l.json", "{\"a\": [0, 1}", "l.json:1:12: not JSON"),
        ("l.json", "{}", "l.json: the file has no range of a joint"),
    ] {
        let error = read_limits(&folder.write(name, text), &robot).expect_err(text);
        let shown = folder.shown(&error);
        assert!(shown.starts_with(expected), "{shown}");
    }
}

#[test]
fn links_without_geometry_are_contracted() {
    let solid = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let link = |name: &str, inside: &str| format!("<link name=\"{name}\">{inside}</link>\n");
    let joint = |parent: &str, child: &str| {
        format!(
            "<joint name=\"{parent}{child}\" type=\"fixed\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
        )
    };
    // a - b, a - (x - (y - c, d)), b - e, and a tip without geometry.
    let body = [
        ("a", solid),
        ("b", solid),
        ("x", ""),
        ("y", ""),
        ("c", solid),
        ("d", solid),
        ("e", solid),
        ("tip", ""),
    ]
    .map(|(name, inside)| link(name, inside))
    .concat()
        + &["ab", "ax", "xy", "yc", "xd", "be"]
            .map(|ends| joint(&ends[..1], &ends[1..]))
            .concat()
        + &joint("e", "tip");
    let robot = robot("contraction", &body);
    let name = |link: usize| robot.links[link].name.as_str();
    let pairs: Vec<_> = robot
        .adjacent_by_contraction()
        .iter()
        .map(|pair| {
            let through: Vec<_> = pair.through.iter().map(|link| name(*link)).collect();
            format!("{}{} {}", name(pair.a), name(pair.b), through.join(""))
        })
        .collect();
    assert_eq!(pairs, ["ab ", "ac xy", "ad x", "be ", "cd yx"]);
    assert_eq!(robot.adjacent_links().len(), 7);
}

#[test]
fn the_real_robots_have_moveits_limits_states_and_neighbours() {
    let Some(data) = common::data() else { return };
    let panda = read_urdf(&data.join("robots/panda/panda.urdf")).expect("the panda");
    let joint4 = panda.joint_index("panda_joint4").expect("a joint");
    assert_eq!(
        between(panda.joint_range(joint4, &LimitSet::Soft.into())),
        (-3.0718, 0.0175)
    );
    let pairs = panda.adjacent_by_contraction();
    let through: Vec<_> = pairs
        .iter()
        .filter(|pair| !pair.through.is_empty())
        .map(|pair| [pair.a, pair.through[0], pair.b].map(|link| panda.links[link].name.as_str()))
        .collect();
    assert_eq!(through, [["panda_link7", "panda_link8", "panda_hand"]]);
    let pr2 = read_urdf(&data.join("robots/pr2/pr2.urdf")).expect("the PR2");
    let elbow = pr2.joint_index("r_elbow_flex_joint").expect("a joint");
    let state = pr2.default_state(&LimitSet::Soft.into()).expect("a state");
    assert!(
        (state[elbow] - (-2.1213 - 0.15) / 2.0).abs() < 1e-15,
        "{}",
        state[elbow]
    );
    let more = pr2.adjacent_by_contraction();
    let chains = more.iter().filter(|pair| !pair.through.is_empty());
    assert_eq!(chains.count(), 3);
}
