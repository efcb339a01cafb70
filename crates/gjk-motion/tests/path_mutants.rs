//! Certificates of paths with something wrong, and robots and paths other than the certificate's: the checker rejects each.

mod common;

use common::motion::ProvedMotion;
use common::{beside_a_post, gripper, hooked, planar_arm, robot, scene};
use gjk_check::parts::{self, Meshes};
use gjk_motion::{
    CertificateNode, OpenStretch, PartDivisions, PathMeeting, PathOptions, PathSegment,
    PathVerdict, ProvedSegment, SpanTree, TriangleDivision, check_certificate,
};
use gjk_scene::{Geometry, JointKind, ShapeSpec};

/// Of a path that nearly takes all of its clearance, so that its leaves are tight.
fn tightly() -> ProvedMotion {
    let far = PathOptions::default();
    let (from, to) = ([0.0, 0.55, 0.0], [0.0, 0.55, 1.9]);
    let near = |clearance: f64| {
        let options = PathOptions { clearance, ..far };
        ProvedMotion::line(&beside_a_post(), &from, &to, options)
    };
    // By halves, the largest clearance that is kept.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = 0.5 * low + 0.5 * high;
        if near(middle).verdicts == [PathVerdict::Free] {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert!(low > 0.01, "{low}");
    let proved = near(low);
    proved.checked();
    proved
}

/// A path into the post.
fn hitting() -> ProvedMotion {
    let (from, to) = ([0.0, 1.0, 0.0], [0.0, -1.0, 0.3]);
    let proved = ProvedMotion::line(&beside_a_post(), &from, &to, PathOptions::default());
    assert_eq!(proved.verdicts, [PathVerdict::Hit]);
    proved.checked();
    proved
}

/// The first segment changed.
fn of_segment(proved: &ProvedMotion, change: impl FnOnce(&mut ProvedSegment)) -> ProvedMotion {
    proved.stated(|path| change(&mut path.segments[0]))
}

/// The tree with the most nodes.
fn largest(proved: &ProvedMotion) -> usize {
    let trees = proved.path().segments[0].trees.iter().enumerate();
    let most = trees.max_by_key(|(_, tree)| tree.nodes.len());
    most.expect("a tree").0
}

fn leaves(proved: &ProvedMotion, tree: usize) -> Vec<usize> {
    let nodes = proved.path().segments[0].trees[tree]
        .nodes
        .iter()
        .enumerate();
    nodes
        .filter(|(_, node)| matches!(node, CertificateNode::Apart { .. }))
        .map(|(index, _)| index)
        .collect()
}

fn turned(node: &mut CertificateNode, [i, j]: [usize; 2]) {
    let (sin, cos) = 1_f64.to_radians().sin_cos();
    if let CertificateNode::Apart { along, .. } = node {
        let (x, y) = (along[i], along[j]);
        (along[i], along[j]) = (cos * x - sin * y, sin * x + cos * y);
    }
}

#[test]
fn a_larger_distance_is_rejected() {
    let proved = tightly();
    let raised = proved.stated(|path| {
        path.clearance *= 1.001;
        path.segments[0].distance = path.clearance;
    });
    assert!(
        raised.reason().contains("only proved"),
        "{}",
        raised.reason()
    );
    let one = of_segment(&proved, |segment| segment.distance *= 1.001);
    assert!(one.reason().contains("it is about a distance of"));
    let none = of_segment(&proved, |segment| segment.distance = 0.0);
    assert!(none.reason().contains("it is about a distance of"));
    for clearance in [-0.1, f64::NAN, f64::INFINITY] {
        let odd = proved.stated(|path| path.clearance = clearance);
        assert!(odd.check().is_err(), "{clearance}");
    }
    let mut asked = proved.clone();
    asked.clearance *= 1.001;
    assert!(asked.reason().contains("it is about a clearance of"));
}

#[test]
fn directions_that_are_wrong_are_rejected() {
    let proved = tightly();
    let tree = largest(&proved);
    let mut rejected = 0;
    for node in leaves(&proved, tree) {
        let of = |along: [f64; 3]| {
            let other = of_segment(&proved, |segment| {
                let node = &mut segment.trees[tree].nodes[node];
                if let CertificateNode::Apart { along: old, .. } = node {
                    *old = along;
                }
            });
            other.check().is_err()
        };
        assert!(of([0.0; 3]) && of([f64::NAN, 0.0, 1.0]) && of([0.0, f64::INFINITY, 0.0]));
        let back = of_segment(&proved, |segment| {
            let node = &mut segment.trees[tree].nodes[node];
            if let CertificateNode::Apart { along, .. } = node {
                *along = along.map(|x| -x);
            }
        });
        assert!(back.reason().contains("only proved"));
        for axes in [[0, 1], [1, 0]] {
            let other = of_segment(&proved, |segment| {
                turned(&mut segment.trees[tree].nodes[node], axes)
            });
            rejected += usize::from(other.check().is_err());
        }
        let cut = of_segment(&proved, |segment| {
            let node = &mut segment.trees[tree].nodes[node];
            if let CertificateNode::Apart { cut, .. } = node {
                *cut = 17;
            }
        });
        assert!(cut.reason().contains("has no 17 joints"));
    }
    assert!(rejected >= 2, "{rejected}");
}

#[test]
fn trees_that_do_not_cover_the_time_are_rejected() {
    let proved = tightly();
    let tree = largest(&proved);
    let of = |what: &str, change: &dyn Fn(&mut Vec<CertificateNode>)| {
        let other = of_segment(&proved, |segment| change(&mut segment.trees[tree].nodes));
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    let count = proved.path().segments[0].trees[tree].nodes.len();
    assert!(count >= 5, "{count}");
    // A leaf that is left out is a span too few, wherever it is; or the leaves move up and do not hold.
    for node in 0..count {
        let fewer = of_segment(&proved, |segment| {
            segment.trees[tree].nodes.remove(node);
        });
        assert!(fewer.check().is_err(), "node {node}");
    }
    of("nothing is said of", &|nodes| {
        nodes.pop();
    });
    of("nothing is said of", &Vec::clear);
    of("complete before", &|nodes| {
        nodes.push(CertificateNode::Open)
    });
    of("nothing is said, and all is claimed", &|nodes| {
        *nodes = vec![CertificateNode::Open];
    });
    for node in leaves(&proved, tree) {
        of("nothing is said, and all is claimed", &|nodes| {
            nodes[node] = CertificateNode::Open;
        });
    }
    of("a path has none", &|nodes| {
        nodes[0] = CertificateNode::Range {
            joint: 0,
            low_first: true,
        };
    });
    of("nothing between", &|nodes| {
        *nodes = vec![CertificateNode::Span; 2000]
    });
    of("no division of group 0", &|nodes| {
        nodes[0] = CertificateNode::Triangles { link: 1 };
    });
    of("no link 2", &|nodes| {
        nodes[0] = CertificateNode::Triangles { link: 2 };
    });
    let fewer = of_segment(&proved, |segment| {
        segment.trees.pop();
    });
    assert!(fewer.reason().contains("the parts of its pairs take"));
    let more = of_segment(&proved, |segment| {
        let nodes = vec![CertificateNode::Open];
        segment.trees.push(SpanTree { nodes });
    });
    assert!(more.reason().contains("the parts of its pairs take"));
}

/// Stretches and meetings that are not there: what is left open is not counted as free.
#[test]
fn what_is_left_open_is_not_free() {
    let proved = tightly();
    let open = of_segment(&proved, |segment| {
        segment.open.push(OpenStretch {
            pair: 0,
            part: [0.25, 0.5],
        });
    });
    let checked = open.checked();
    assert_eq!((checked.free, checked.open), (0, 1));
    for (pair, part) in [
        (0, [0.5, 0.25]),
        (0, [-0.1, 0.5]),
        (0, [0.0, 1.1]),
        (99, [0.0, 1.0]),
        (0, [f64::NAN, 1.0]),
    ] {
        let odd = of_segment(&proved, |segment| {
            segment.open.push(OpenStretch { pair, part })
        });
        assert!(odd.reason().contains("is no span of it"));
    }
    let hit = hitting();
    let moved = of_segment(&proved, |segment| {
        segment.meeting = hit.path().segments[0].meeting.clone();
    });
    assert!(moved.reason().contains("is not at"));
}

#[test]
fn a_meeting_beside_its_path_is_rejected() {
    let proved = hitting();
    let of = |what: &str, change: &dyn Fn(&mut PathMeeting)| {
        let other = of_segment(&proved, |segment| {
            segment.meeting.iter_mut().for_each(change);
        });
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    // Free up to a later time: of that nothing is said.
    of("nothing is said, and all is claimed", &|meeting| {
        meeting.part[0] = meeting.part[1];
    });
    of("is not at", &|meeting| meeting.part[1] += 1e-9);
    of("is not at", &|meeting| {
        meeting.part = [0.0, 0.0];
    });
    for part in [[0.5, 0.4], [-0.1, 0.5], [0.5, 1.5], [f64::NAN, 0.5]] {
        of("its meeting is from", &|meeting| meeting.part = part);
    }
    for by in [1e-12, 1e-3, f64::NAN] {
        of("is not at", &|meeting| {
            meeting
                .shown
                .state
                .values_mut()
                .for_each(|value| *value += by);
        });
    }
    of("not of the path's joints", &|meeting| {
        meeting.shown.state.clear();
    });
    of("does not show", &|meeting| meeting.shown.overlaps = false);
    of("does not show", &|meeting| meeting.shown.distance = -1.0);
    of("are no pair of the path", &|meeting| {
        meeting.shown.b = "wing".to_owned();
    });
    let other = of_segment(&proved, |segment| segment.meeting = None);
    assert!(
        other
            .reason()
            .contains("nothing is said, and all is claimed")
    );
    // A state on the path in which nothing meets: the start.
    let start = of_segment(&proved, |segment| {
        let values: Vec<f64> = segment.values.iter().map(|numbers| numbers[0]).collect();
        let meeting = segment.meeting.as_mut().expect("it hits");
        meeting.part = [0.0, 0.0];
        for (name, value) in ["shoulder", "elbow"].into_iter().zip(values) {
            meeting.shown.state.insert(name.to_owned(), value);
        }
    });
    assert!(start.reason().contains("does not show"));
}

#[test]
fn other_paths_are_rejected() {
    let proved = tightly();
    let of = |what: &str, change: &dyn Fn(&mut ProvedSegment)| {
        let other = of_segment(&proved, |segment| change(segment));
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    of("another path: its time", &|segment| segment.time[1] = 0.5);
    of("another path: its joints run on", &|segment| {
        segment.curve = "cubic".to_owned();
    });
    of("another path: joint `elbow`", &|segment| {
        segment.values[1][1] += 1e-12;
    });
    of("another path: joint `shoulder`", &|segment| {
        segment.values[0] = vec![0.5, 0.5];
    });
    let fewer = proved.stated(|path| path.segments.clear());
    assert!(fewer.reason().contains("it has 0 segments, this path 1"));
    // The path that is asked about, not the certificate's.
    let robot = proved.scene.robot.as_ref().expect("it is a robot");
    let mut asked = proved.clone();
    asked.segments =
        vec![PathSegment::line(robot, &[0.0, 0.55, 0.0], &[0.0, 0.55, 1.901]).expect("numbers")];
    assert!(asked.reason().contains("another path: joint `elbow`"));
    // Both the same, another than the one that was proved: a leaf does not hold.
    let mut both = asked.stated(|path| path.segments[0].values[0] = vec![0.549]);
    both.segments =
        vec![PathSegment::line(robot, &[0.0, 0.549, 0.0], &[0.0, 0.549, 1.9]).expect("numbers")];
    assert!(both.reason().contains("only proved"), "{}", both.reason());
    let none = {
        let mut other = proved.clone();
        other.certificate.path = None;
        other
    };
    assert!(none.reason().contains("no path"));
}

/// What the certificate says of its own path, whatever somebody asks about.
#[test]
fn numbers_that_are_no_path_are_rejected() {
    let proved = tightly();
    let of = |what: &str, change: &dyn Fn(&mut gjk_motion::ProvedPath)| {
        let other = proved.stated(|path| change(path));
        let found = check_certificate(&other.scene, &other.bodies, &other.certificate);
        let reason = found.expect_err("a mutant").to_string();
        assert!(reason.contains(what), "{reason}");
    };
    of("its time is from", &|path| {
        path.segments[0].time = [1.0, 0.0]
    });
    of("its time is from", &|path| {
        path.segments[0].time[0] = f64::NAN
    });
    of("is no curve", &|path| {
        path.segments[0].curve = "sine".to_owned();
    });
    of("are not those of a linear curve", &|path| {
        path.segments[0].values[1].push(0.0);
    });
    of("is no value", &|path| {
        path.segments[0].values[1][0] = f64::NAN
    });
    of("it has values of 1 joints", &|path| {
        path.segments[0].values.pop();
    });
    of("no state of the robot sets a joint `stand`", &|path| {
        path.joints[0] = "stand".to_owned();
    });
    of("is there twice", &|path| {
        path.joints[0] = path.joints[1].clone()
    });
    of("does not say where joint", &|path| {
        path.joints.pop();
        path.segments[0].values.pop();
    });
    of("no link `wing`", &|path| {
        path.pairs[0][0] = "wing".to_owned()
    });
    of("it is one link", &|path| {
        path.pairs[0][0] = path.pairs[0][1].clone()
    });
}

#[test]
fn pairs_that_are_asked_about_must_be_there() {
    let proved = tightly();
    let mut other = proved.stated(|path| {
        path.pairs.remove(0);
        path.segments[0].trees.remove(0);
    });
    assert!(other.reason().contains("it says nothing of them"));
    other.pairs.remove(0);
    other.checked();
}

#[test]
fn other_robots_are_rejected() {
    let proved = tightly();
    let changed = |what: &str, other: ProvedMotion| {
        assert!(other.check().is_err(), "{what}");
        // Without a word of the new robot's hash it is rejected at once.
        let mut unsaid = other;
        unsaid.certificate.robot_hash = proved.certificate.robot_hash.clone();
        assert!(unsaid.reason().contains("other numbers"), "{what}");
    };
    let radius = |link: &str, by: f64| {
        proved.of_scene(|scene| {
            let mut bodies = scene.bodies.iter_mut();
            let body = bodies.find(|body| body.name == link).expect("a link");
            match &mut body.parts[0].geometry {
                Geometry::Shape(ShapeSpec::Ball { radius } | ShapeSpec::Capsule { radius, .. }) => {
                    *radius += by
                }
                _ => panic!("another shape"),
            }
        })
    };
    changed("the post is larger", radius("post", 0.001));
    changed("the arm is thicker", radius("fore", 0.001));
    changed(
        "the post is nearer",
        proved.of_robot(|robot| robot.joints[0].origin.translation[0] -= 0.01),
    );
    changed(
        "the elbow is farther out",
        proved.of_robot(|robot| robot.joints[2].origin.translation[0] += 0.01),
    );
    changed(
        "the axis is the other way",
        proved.of_robot(|robot| robot.joints[2].axis = [0.0, 0.0, -1.0]),
    );
    changed(
        "the elbow slides",
        proved.of_robot(|robot| {
            robot.joints[2].kind = JointKind::Prismatic;
            robot.joints[2].axis = [-1.0, 0.0, 0.0];
        }),
    );
    changed(
        "the elbow floats",
        proved.of_robot(|robot| robot.joints[2].kind = JointKind::Floating),
    );
}

/// A follower that turns the other way, and polynomials whose rates are other ones.
#[test]
fn followers_and_rates_count() {
    let line = ProvedMotion::line(
        &gripper(),
        &[-0.2, 0.2],
        &[0.15, -0.15],
        PathOptions::default(),
    );
    assert_eq!(line.verdicts, [PathVerdict::Free]);
    line.checked();
    let other = line.of_robot(|robot| {
        let mimic = robot.joints[1].mimic.iter_mut();
        mimic.for_each(|mimic| mimic.multiplier = 8.0);
    });
    assert!(other.reason().contains("only proved"));
    let proved = ProvedMotion::curved(&planar_arm(), 6, true);
    proved.checked();
    let wild = proved.stated(|path| {
        let values = path
            .segments
            .iter_mut()
            .flat_map(|segment| &mut segment.values);
        values.for_each(|numbers| numbers[2] += 60.0);
    });
    let found = check_certificate(&wild.scene, &wild.bodies, &wild.certificate);
    assert!(
        found
            .expect_err("it swings through itself")
            .reason
            .contains("only proved")
    );
}

#[test]
fn triangles_that_are_left_out_are_rejected() {
    let proved = ProvedMotion::line(
        &hooked(),
        &[0.02, 0.0],
        &[-0.02, 3.0],
        PathOptions::default(),
    );
    assert_eq!(proved.verdicts, [PathVerdict::Free]);
    proved.checked();
    let count = proved.certificate.divisions[0].divisions[0].first.len();
    let mut rejected = 0;
    for triangle in 0..count {
        let mut moved = proved.clone();
        moved.certificate.divisions[0].divisions[0]
            .first
            .remove(triangle);
        rejected += usize::from(moved.check().is_err());
    }
    assert!(rejected * 2 >= count, "{rejected} of {count}");
    let mut none = proved.clone();
    none.certificate.divisions.clear();
    assert!(none.reason().contains("no division of group 0"));
}

/// A ball inside of a cube: each side of the cube is apart from it at all times, and the cube still holds it.
#[test]
fn a_part_inside_of_a_solid_is_rejected() {
    let text = robot(&[
        common::link("cube", r#"<mesh filename="cube.obj"/>"#, "0 0 0"),
        common::link("hub", r#"<sphere radius="0.1"/>"#, "0 0 9"),
        common::link("ball", r#"<sphere radius="0.1"/>"#, "0 0 0"),
        common::joint(
            "lift",
            "prismatic",
            ["cube", "hub"],
            "0 0 0",
            r#"<axis xyz="0 0 1"/><limit lower="-1" upper="1"/>"#,
        ),
        common::joint(
            "go",
            "prismatic",
            ["hub", "ball"],
            "0 0 0",
            r#"<axis xyz="1 0 0"/><limit lower="-1" upper="1"/>"#,
        ),
    ]);
    let proved = ProvedMotion::line(&text, &[0.0, -0.3], &[0.0, 0.3], PathOptions::default());
    assert_eq!(proved.verdicts, [PathVerdict::Hit]);
    // From the sides -x, x, -y, y, -z and z to the ball.
    let along = |triangle: usize| {
        let side = triangle / 2;
        let mut along = [0.0; 3];
        along[side / 2] = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
        CertificateNode::Apart { cut: 0, along }
    };
    let mut nodes = Vec::new();
    for triangle in 0..11 {
        nodes.extend([CertificateNode::Triangles { link: 0 }, along(triangle)]);
    }
    nodes.push(along(11));
    let division = |k: u32| TriangleDivision {
        group: 2 * k,
        first: vec![k],
    };
    let mut lying = of_segment(&proved, |segment| {
        segment.meeting = None;
        segment.trees = vec![SpanTree { nodes }];
    });
    lying.certificate.divisions = vec![PartDivisions {
        link: "cube".to_owned(),
        part: 0,
        divisions: (0..11).map(division).collect(),
    }];
    let reason = lying.reason();
    assert!(reason.contains("is inside of that of link 0"), "{reason}");
    // Without its last two triangles the cube is no solid, and the ball may be in it.
    let path = scene(&text.replace("cube.obj", "cup.obj"));
    let bodies = parts::build(&path, Meshes::Exact).expect("shapes are good");
    lying.certificate.robot_hash = gjk_motion::robot_hash(&path);
    let divisions = &mut lying.certificate.divisions[0].divisions;
    divisions.truncate(9);
    let segment = &mut lying.certificate.path.as_mut().expect("a path").segments[0];
    segment.trees[0].nodes.truncate(18);
    segment.trees[0].nodes.push(along(9));
    let checked = check_certificate(&path, &bodies, &lying.certificate);
    assert_eq!(checked.map(|checked| checked.free), Ok(1));
}
