//! Certificates with something wrong, and robots other than the certificate's: the checker rejects each.

mod common;

use common::{Proved, gripper, hooked, planar_arm, rails, robot, scene};
use gjk_motion::{
    CertificateLimits, CertificateNode, MatrixOptions, OverlappingPair, ProvedPair, RangeOptions,
    RigidPair, RobotCertificate, WitnessPair,
};
use gjk_scene::{JointKind, Limits};

/// With the least distance narrow, so that there are many leaves and the nearest ones are tight.
fn tightly(text: &str) -> Proved {
    let range = RangeOptions {
        width: 1e-4,
        measure_cells: 100_000,
        ..RangeOptions::default()
    };
    let options = MatrixOptions {
        range,
        ..MatrixOptions::default()
    };
    let proved = Proved::new(scene(text), options);
    proved.check().expect("what was proved holds");
    proved
}

fn all() -> Vec<Proved> {
    [planar_arm(), gripper(), rails(), hooked()]
        .iter()
        .map(|text| tightly(text))
        .collect()
}

/// The pair that has these links.
fn pair<'c>(certificate: &'c mut RobotCertificate, a: &str, b: &str) -> &'c mut ProvedPair {
    let mut pairs = certificate.pairs.iter_mut();
    pairs
        .find(|pair| pair.a == a && pair.b == b)
        .expect("it is proved")
}

fn limits(certificate: &mut RobotCertificate) -> &mut CertificateLimits {
    certificate.limits.as_mut().expect("of all joint values")
}

fn leaves(pair: &ProvedPair) -> Vec<(usize, usize)> {
    let trees = pair.trees.iter().enumerate();
    trees
        .flat_map(|(tree, of)| {
            let nodes = of.nodes.iter().enumerate();
            nodes
                .filter(|(_, node)| matches!(node, CertificateNode::Apart { .. }))
                .map(move |(node, _)| (tree, node))
        })
        .collect()
}

#[test]
fn a_larger_distance_is_rejected() {
    for proved in all() {
        for index in 0..proved.certificate.pairs.len() {
            let raised = proved.stated(|c| c.pairs[index].distance *= 1.001);
            assert!(raised.reason().contains("only proved"));
            let negative = proved.stated(|c| c.pairs[index].distance = -0.1);
            assert!(negative.reason().contains("is no distance"));
            let nan = proved.stated(|c| c.pairs[index].distance = f64::NAN);
            assert!(nan.reason().contains("is no distance"));
        }
    }
}

/// In each pair a leaf is as near as the pair; there a direction off by 1° does not hold, either way.
#[test]
fn a_direction_turned_by_a_degree_is_rejected() {
    let (sin, cos) = 1_f64.to_radians().sin_cos();
    for proved in all() {
        for index in 0..proved.certificate.pairs.len() {
            let mut rejected = 0;
            for (tree, node) in leaves(&proved.certificate.pairs[index]) {
                for (i, j) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
                    let turned = proved.stated(|c| {
                        if let CertificateNode::Apart { along, .. } =
                            &mut c.pairs[index].trees[tree].nodes[node]
                        {
                            let (x, y) = (along[i], along[j]);
                            (along[i], along[j]) = (cos * x - sin * y, sin * x + cos * y);
                        }
                    });
                    rejected += u32::from(turned.check().is_err());
                }
            }
            assert!(rejected >= 2, "pair {index}: {rejected}");
        }
    }
}

#[test]
fn directions_that_say_nothing_are_rejected() {
    for proved in all() {
        for along in [[0.0; 3], [f64::NAN, 0.0, 1.0], [0.0, f64::INFINITY, 0.0]] {
            let other = proved.stated(|c| {
                for node in &mut c.pairs[0].trees[0].nodes {
                    if let CertificateNode::Apart { along: old, .. } = node {
                        *old = along;
                    }
                }
            });
            assert!(other.check().is_err());
        }
        let back = proved.stated(|c| {
            for node in &mut c.pairs[0].trees[0].nodes {
                if let CertificateNode::Apart { along, .. } = node {
                    *along = along.map(|x| -x);
                }
            }
        });
        assert!(back.reason().contains("only proved"));
        let cut = proved.stated(|c| {
            for node in &mut c.pairs[0].trees[0].nodes {
                if let CertificateNode::Apart { cut, .. } = node {
                    *cut = 17;
                }
            }
        });
        assert!(cut.reason().contains("has no 17 joints"));
    }
}

#[test]
fn other_ranges_are_rejected() {
    let proved = tightly(&planar_arm());
    let joints = |joint: &str, by: f64| {
        let upper = |range: &mut Limits| range.upper += by;
        let of_robot = proved.of_robot(|robot| {
            let index = robot.joint_index(joint).expect("it is there");
            robot.joints[index].limits.iter_mut().for_each(upper);
        });
        let both = of_robot.stated(|c| {
            let pairs = c.pairs.iter_mut().flat_map(|pair| &mut pair.joints);
            pairs
                .filter(|stated| stated.name == joint)
                .for_each(|stated| stated.upper += by);
        });
        (of_robot, both)
    };
    for joint in ["j1", "j2", "j3"] {
        for by in [0.02, -0.02] {
            let (of_robot, _) = joints(joint, by);
            assert!(of_robot.reason().contains("not all values"), "{joint}");
        }
    }
    // The robot goes farther and the certificate says so: then a leaf does not hold.
    let (_, both) = joints("j2", 0.02);
    assert!(both.reason().contains("only proved"));
    for by in [0.02, -0.02] {
        let stated = proved.stated(|c| c.pairs[0].joints[0].lower += by);
        assert!(stated.reason().contains("not all values"));
    }
    let nan = proved.stated(|c| c.pairs[0].joints[0].lower = f64::NAN);
    assert!(nan.reason().contains("is no range"));
    let set = proved.stated(|c| limits(c).set = "none".to_owned());
    assert!(set.reason().contains("not all values"));
    let word = proved.stated(|c| limits(c).set = "loose".to_owned());
    assert!(word.reason().contains("no set of limits"));
    let none = proved.stated(|c| c.limits = None);
    assert!(none.reason().contains("has no `limits`"));
    let own = proved.stated(|c| {
        limits(c).joints.insert("j9".to_owned(), [0.0, 1.0]);
    });
    assert!(own.reason().contains("no joint `j9`"));
    let own = proved.stated(|c| {
        limits(c).joints.insert("j1".to_owned(), [0.0, 0.1]);
    });
    assert!(own.reason().contains("not all values"));
}

#[test]
fn a_turn_that_is_too_short_or_too_long_is_rejected() {
    let proved = tightly(&hooked());
    for (lower, upper) in [(0.0, 1e-6), (0.0, -1e-6), (1e-9, 0.0), (0.1, 0.05)] {
        let other = proved.stated(|c| {
            let joints = c.pairs.iter_mut().flat_map(|pair| &mut pair.joints);
            for joint in joints.filter(|joint| joint.name == "spin") {
                joint.lower += lower;
                joint.upper += upper;
            }
        });
        assert!(other.reason().contains("not all values"));
    }
    // A follower that slides, or turns another number of times, shows other places in the next turn.
    let sliding = proved.of_robot(|robot| {
        let spin = robot.joint_index("spin").expect("it is there");
        robot.joints[spin].kind = JointKind::Prismatic;
    });
    assert!(sliding.check().is_err());
}

#[test]
fn joints_that_are_not_those_between_the_links_are_rejected() {
    let proved = tightly(&planar_arm());
    let of = |change: &dyn Fn(&mut ProvedPair)| {
        let other = proved.stated(|c| change(pair(c, "base", "tool")));
        assert!(other.reason().contains("the joints between them are"));
    };
    of(&|pair| {
        pair.joints.pop();
    });
    of(&|pair| {
        let extra = pair.joints[0].clone();
        pair.joints.push(extra);
    });
    of(&|pair| pair.joints.swap(0, 1));
    of(&|pair| pair.joints[0].name = "j9".to_owned());
    of(&|pair| pair.b = "lower".to_owned());
    let one = proved.stated(|c| pair(c, "base", "tool").b = "base".to_owned());
    assert!(one.reason().contains("one link"));
    let none = proved.stated(|c| pair(c, "base", "tool").b = "wing".to_owned());
    assert!(none.reason().contains("no link `wing`"));
}

/// A tree of several nodes is needed.
fn large(proved: &Proved) -> usize {
    let pairs = proved.certificate.pairs.iter();
    let sizes = pairs.map(|pair| pair.trees[0].nodes.len());
    let (index, most) = sizes
        .enumerate()
        .max_by_key(|(_, size)| *size)
        .expect("a pair");
    assert!(most >= 9, "{most}");
    index
}

#[test]
fn trees_that_do_not_cover_all_are_rejected() {
    let proved = tightly(&planar_arm());
    let index = large(&proved);
    let of = |what: &str, change: &dyn Fn(&mut Vec<CertificateNode>)| {
        let other = proved.stated(|c| change(&mut c.pairs[index].trees[0].nodes));
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    of("nothing is said of", &|nodes| {
        nodes.pop();
    });
    of("nothing is said of", &Vec::clear);
    of("complete before", &|nodes| {
        let last = nodes[nodes.len() - 1];
        nodes.push(last);
    });
    let count = proved.certificate.pairs[index].trees[0].nodes.len();
    for node in 0..count {
        // A leaf that is left out is one cell too few, wherever it is; or the leaves move up and do not hold.
        let fewer = proved.stated(|c| {
            c.pairs[index].trees[0].nodes.remove(node);
        });
        assert!(fewer.check().is_err(), "node {node}");
    }
    // Halves of halves, until there is nothing left of the range.
    of("nothing between", &|nodes| {
        let halve = CertificateNode::Range {
            joint: 0,
            low_first: true,
        };
        *nodes = vec![halve; 2000];
    });
    of("has no joint 9", &|nodes| {
        for node in nodes {
            if let CertificateNode::Range { joint, .. } = node {
                *joint = 9;
            }
        }
    });
    of("no division of group 0", &|nodes| {
        nodes[0] = CertificateNode::Triangles { link: 0 };
    });
    for node in [CertificateNode::Span, CertificateNode::Open] {
        of("about a span of time", &|nodes| nodes[0] = node);
    }
    of("no link 2", &|nodes| {
        nodes[0] = CertificateNode::Triangles { link: 2 };
    });
    let parts = proved.stated(|c| c.pairs[index].trees[0].parts = [0, 3]);
    assert!(parts.reason().contains("no parts 0 and 3"));
    let trees = proved.stated(|c| c.pairs[index].trees.clear());
    assert!(trees.reason().contains("no tree for parts 0 and 0"));
}

/// The halves of a range exchanged, and its value moved: some of the leaves that follow do not hold.
#[test]
fn halves_that_are_exchanged_or_moved_are_rejected() {
    let (mut rejected, mut tried) = (0, 0);
    for proved in all() {
        for (index, pair) in proved.certificate.pairs.iter().enumerate() {
            for (node, found) in pair.trees[0].nodes.iter().enumerate() {
                if !matches!(found, CertificateNode::Range { .. }) {
                    continue;
                }
                let exchanged = proved.stated(|c| {
                    if let CertificateNode::Range { low_first, .. } =
                        &mut c.pairs[index].trees[0].nodes[node]
                    {
                        *low_first = !*low_first;
                    }
                });
                tried += 1;
                rejected += u32::from(exchanged.check().is_err());
            }
        }
    }
    // Where both halves hold along both directions nothing false is said.
    assert!(rejected * 2 > tried, "{rejected} of {tried}");
}

#[test]
fn divisions_that_are_none_are_rejected() {
    let proved = tightly(&hooked());
    assert!(!proved.certificate.divisions.is_empty());
    let of = |what: &str, change: &dyn Fn(&mut gjk_motion::PartDivisions)| {
        let other = proved.stated(|c| change(&mut c.divisions[0]));
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    of("a half is empty", &|part| part.divisions[0].first.clear());
    of("a half is empty", &|part| {
        part.divisions[0].first = (0..20).collect();
    });
    of("not of the group", &|part| part.divisions[0].first.push(99));
    of("there twice", &|part| {
        let again = part.divisions[0].first[0];
        part.divisions[0].first.push(again);
    });
    of("no such group", &|part| part.divisions[0].group = 1);
    of("divided twice", &|part| {
        let again = part.divisions[0].clone();
        part.divisions.push(again);
    });
    of("no link `wing`", &|part| part.link = "wing".to_owned());
    of("has no part 4", &|part| part.part = 4);
    of("no triangles", &|part| part.link = "rod".to_owned());
    let none = proved.stated(|c| c.divisions.clear());
    assert!(none.reason().contains("no division of group 0"));
    // A triangle left out of a half is in the other one, where the direction does not hold for it.
    let mut rejected = 0;
    let count = proved.certificate.divisions[0].divisions[0].first.len();
    for triangle in 0..count {
        let moved = proved.stated(|c| {
            let division = &mut c.divisions[0].divisions[0];
            division.first.remove(triangle);
        });
        rejected += usize::from(moved.check().is_err());
    }
    assert!(rejected * 2 >= count, "{rejected} of {count}");
}

#[test]
fn other_robots_are_rejected() {
    let [arm, gripper, rails, hooked] = [planar_arm(), gripper(), rails(), hooked()];
    let changed = |text: &str, what: &str, change: &dyn Fn(&mut gjk_scene::Robot)| {
        let proved = tightly(text);
        let other = proved.of_robot(|robot| change(robot));
        assert!(other.check().is_err(), "{what}");
        // Without a word of the new robot's hash it is rejected at once.
        let hash = proved.certificate.robot_hash.clone();
        let unsaid = other.stated(|c| c.robot_hash = hash);
        assert!(unsaid.reason().contains("other numbers"), "{what}");
    };
    changed(&gripper, "mimic sign", &|robot| {
        robot.joints[1]
            .mimic
            .iter_mut()
            .for_each(|m| m.multiplier = 1.0);
    });
    changed(&gripper, "mimic offset", &|robot| {
        robot.joints[1]
            .mimic
            .iter_mut()
            .for_each(|m| m.offset += 0.01);
    });
    changed(&gripper, "axis", &|robot| {
        robot.joints[0].axis = [0.0, 0.0, -1.0];
    });
    changed(&rails, "slide's axis", &|robot| {
        robot.joints[1].axis[2] *= -1.0;
    });
    changed(&rails, "origin of a slide", &|robot| {
        robot.joints[1].origin.translation[2] -= 0.001;
    });
    changed(&arm, "origin of a turn", &|robot| {
        robot.joints[1].origin.translation[0] -= 0.001;
    });
    changed(&arm, "axis of an arm", &|robot| {
        robot.joints[1].axis = [0.0, 1.0, 0.0];
    });
    changed(&arm, "a joint that slides", &|robot| {
        robot.joints[1].kind = JointKind::Prismatic;
        robot.joints[1].axis = [1.0, 0.0, 0.0];
    });
    changed(&arm, "a joint that floats", &|robot| {
        robot.joints[1].kind = JointKind::Floating;
    });
    changed(&hooked, "origin of a hub", &|robot| {
        robot.joints[0].origin.translation[0] -= 0.001;
    });
}

#[test]
fn other_layouts_and_what_the_library_decides_are_rejected() {
    let proved = tightly(&rails());
    let schema = proved.stated(|c| c.schema = "gjk-acm-certificate/1".to_owned());
    assert!(schema.reason().contains("the layout is"));
    let rigid = proved.stated(|c| {
        c.rigid.push(RigidPair {
            a: "low".to_owned(),
            b: "high".to_owned(),
            distance: 0.0,
        });
    });
    assert!(rigid.reason().contains("joints move it"));
    let witness = |value: f64, overlaps: bool| {
        proved.stated(|c| {
            c.witnesses.push(WitnessPair {
                a: "low".to_owned(),
                b: "high".to_owned(),
                overlaps,
                distance: 0.2,
                state: [("x".to_owned(), value)].into(),
            });
        })
    };
    assert!(witness(0.0, false).check().is_ok());
    assert!(witness(0.0, true).reason().contains("does not show"));
    assert!(
        witness(0.7, false)
            .reason()
            .contains("not within its limits")
    );
    let fixed = |name: &str| common::joint(name, "fixed", ["base", name], "0 0 0", "");
    let of_rigid = robot(&[
        common::link("base", r#"<sphere radius="0.1"/>"#, "0 0 0"),
        common::link("one", r#"<sphere radius="0.1"/>"#, "1 0 0"),
        common::link("two", r#"<sphere radius="0.1"/>"#, "0 1 0"),
        fixed("one"),
        fixed("two"),
    ]);
    let proved = tightly(&of_rigid);
    assert_eq!(proved.certificate.rigid.len(), 1);
    let raised = proved.stated(|c| c.rigid[0].distance += 0.1);
    assert!(raised.reason().contains("apart at least"));
}

/// A pair that always overlaps, changed.
#[test]
fn overlaps_that_are_none_are_rejected() {
    let options = MatrixOptions {
        limits: gjk_scene::LimitSet::Soft.into(),
        ..MatrixOptions::default()
    };
    let proved = Proved::with_samples(scene(&common::skewered()), options, 100);
    let checked = proved.check().expect("what was proved holds");
    assert_eq!(checked.overlapping, 1);
    let nodes = &proved.certificate.overlapping[0].nodes;
    assert!(nodes.len() >= 3, "{nodes:?}");
    let of = |what: &str, change: &dyn Fn(&mut OverlappingPair)| {
        let other = proved.stated(|c| change(&mut c.overlapping[0]));
        let reason = other.reason();
        assert!(reason.contains(what), "{reason}");
    };
    for (node, found) in nodes.iter().enumerate() {
        let fewer = proved.stated(|c| {
            c.overlapping[0].nodes.remove(node);
        });
        assert!(fewer.check().is_err(), "node {node}");
        if !matches!(found, CertificateNode::Overlap { .. }) {
            continue;
        }
        let moved = |by: f64, what: &str| {
            of(what, &|pair| {
                if let CertificateNode::Overlap { at, .. } = &mut pair.nodes[node] {
                    at[1] = at[1].map(|x| x + by);
                }
            });
        };
        moved(0.5, "not known to be inside");
        moved(f64::NAN, "not finite");
        of("has no part 7", &|pair| {
            if let CertificateNode::Overlap { parts, .. } = &mut pair.nodes[node] {
                parts[0] = 7;
            }
        });
        of("says nothing of an overlap", &|pair| {
            pair.nodes[node] = CertificateNode::Apart {
                cut: 0,
                along: [0.0, 0.0, 1.0],
            };
        });
    }
    of("nothing is said of", &|pair| pair.nodes.clear());
    of("complete before", &|pair| {
        let last = pair.nodes[pair.nodes.len() - 1];
        pair.nodes.push(last);
    });
    // One leaf over all is too much: the balls do not meet all the time.
    of("its balls are up to", &|pair| {
        let is_leaf = |node: &&CertificateNode| matches!(node, CertificateNode::Overlap { .. });
        let leaf = pair.nodes.iter().find(is_leaf).copied();
        pair.nodes = vec![leaf.expect("a leaf")];
    });
    of("not all values", &|pair| pair.joints[0].upper -= 0.01);
    of("the joints between them are", &|pair| {
        pair.joints.pop();
    });
    let none = proved.stated(|c| c.overlapping[0].b = "wing".to_owned());
    assert!(none.reason().contains("no link `wing`"));
    // The slide goes farther.
    let far = proved.of_robot(|robot| {
        robot.joints[1].origin.translation[0] += 0.2;
    });
    assert!(far.check().is_err());
    let open = proved.stated(|c| c.overlapping.clear());
    assert_eq!(open.check().map(|checked| checked.overlapping), Ok(0));
}
