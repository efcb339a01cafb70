//! The checker's bound against states drawn at random, by the robot's own forward kinematics and all points of the links.

use super::bound::{PieceSide, bound_along};
use super::groups::TriangleGroups;
use super::pair::{CheckedPart, LinkPair};
use super::polynomial::Polynomial;
use super::solid::PartSolid;
use super::span::bound_in_span;
use super::walk::{LinkWalk, WalkStep};
use gjk_check::states::Splitmix64;
use gjk_scene::{Affine, Geometry, LoadOptions, Robot, Scene, ShapeSpec, load_text};
use std::path::Path;

fn numbers(draw: &mut Splitmix64, scale: f64) -> [f64; 3] {
    [0; 3].map(|_| scale * (2.0 * draw.unit() - 1.0))
}

fn words(x: [f64; 3]) -> String {
    format!("{} {} {}", x[0], x[1], x[2])
}

/// Two arms on a base, of three joints each, one of which follows another, and one that is fixed.
fn robot(draw: &mut Splitmix64) -> Scene {
    let mut text = r#"<robot name="r"><link name="base"/>"#.to_owned();
    let shapes = [
        r#"<box size="0.3 0.2 0.1"/>"#,
        r#"<capsule radius="0.05" length="0.3"/>"#,
        r#"<cylinder radius="0.1" length="0.3"/>"#,
        r#"<sphere radius="0.1"/>"#,
    ];
    let mut made: Vec<String> = Vec::new();
    for arm in ["a", "b"] {
        let mut parent = "base".to_owned();
        for k in 0..4 {
            let name = format!("{arm}{k}");
            let shape = shapes[(draw.unit() * 4.0) as usize % 4];
            let (xyz, rpy) = (words(numbers(draw, 0.2)), words(numbers(draw, 3.0)));
            text += &format!(
                r#"<link name="{name}"><collision><origin xyz="{xyz}" rpy="{rpy}"/><geometry>{shape}</geometry></collision></link>"#
            );
            let kind = match (draw.unit() * 6.0) as u32 {
                _ if k == 2 => "fixed",
                0 => "prismatic",
                1 => "continuous",
                _ => "revolute",
            };
            let (xyz, rpy) = (words(numbers(draw, 0.5)), words(numbers(draw, 3.0)));
            let axis = words(numbers(draw, 1.0));
            let mimic = match made.first() {
                Some(leader) if kind == "revolute" && draw.unit() < 0.25 => {
                    format!(r#"<mimic joint="{leader}" multiplier="-0.7" offset="0.2"/>"#)
                }
                _ => String::new(),
            };
            if kind != "fixed" && mimic.is_empty() {
                made.push(format!("j{name}"));
            }
            text += &format!(
                r#"<joint name="j{name}" type="{kind}"><parent link="{parent}"/><child link="{name}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/><limit lower="-3" upper="3"/>{mimic}</joint>"#
            );
            parent = name;
        }
    }
    text += "</robot>";
    load_text(&text, Path::new("r.urdf"), &LoadOptions::default()).expect("a good robot")
}

/// Points and a radius for a part: a cylinder's are on its rims, from inside.
fn points_of(scene: &Scene, body: usize) -> (Vec<[f64; 3]>, f64) {
    let part = &scene.bodies[body].parts[0];
    let Geometry::Shape(shape) = &part.geometry else {
        panic!("no mesh here");
    };
    let (points, radius) = match shape {
        ShapeSpec::Box { half_extents: h } => {
            let corner =
                |k: usize| [0, 1, 2].map(|i: usize| if k >> i & 1 == 0 { -h[i] } else { h[i] });
            ((0..8).map(corner).collect(), 0.0)
        }
        ShapeSpec::Ball { radius } => (vec![[0.0; 3]], *radius),
        ShapeSpec::Capsule {
            half_height,
            radius,
            ..
        } => (
            vec![[0.0, 0.0, -half_height], [0.0, 0.0, *half_height]],
            *radius,
        ),
        ShapeSpec::Cylinder {
            half_height,
            radius,
            ..
        } => {
            let rim = |k: u32| {
                let (sin, cos) = (f64::from(k) * 0.1 * std::f64::consts::PI).sin_cos();
                let end = if k.is_multiple_of(2) {
                    -half_height
                } else {
                    *half_height
                };
                [radius * cos, radius * sin, end]
            };
            ((0..40).map(rim).collect(), 0.0)
        }
        _ => panic!("another shape"),
    };
    (
        points
            .iter()
            .map(|p: &[f64; 3]| part.pose.apply(*p))
            .collect(),
        radius,
    )
}

/// The frame that stands behind `cut` moving joints of the way, by the robot's own kinematics.
fn frame_of(robot: &Robot, links: [usize; 2], poses: &[Affine], cut: usize) -> Affine {
    let to_root = |mut at: usize| {
        let mut joints = Vec::new();
        while let Some(k) = robot.joints.iter().position(|joint| joint.child == at) {
            joints.push(k);
            at = robot.joints[k].parent;
        }
        joints
    };
    let (mut up, mut down) = (to_root(links[0]), to_root(links[1]));
    while up.last().is_some() && up.last() == down.last() {
        up.pop();
        down.pop();
    }
    down.reverse();
    let both = up
        .iter()
        .map(|&k| (k, true))
        .chain(down.iter().map(|&k| (k, false)));
    let moving: Vec<(usize, bool)> = both
        .filter(|(k, _)| robot.joints[*k].kind.has_value())
        .collect();
    let above = |k: usize| poses[robot.joints[k].parent].compose(&robot.joints[k].origin);
    let below = |k: usize| poses[robot.joints[k].child];
    match moving.get(cut) {
        Some(&(k, true)) => below(k),
        Some(&(k, false)) => above(k),
        None => match moving[cut - 1] {
            (k, true) => above(k),
            (k, false) => below(k),
        },
    }
}

/// How near the two come along the direction in one state.
fn gap_of(scene: &Scene, bodies: [usize; 2], state: &[f64], cut: usize, d: [f64; 3]) -> f64 {
    let robot = scene.robot.as_ref().expect("a robot");
    let poses = robot.forward_kinematics(state);
    let links = bodies.map(|body| scene.bodies[body].link.expect("a link"));
    let d = frame_of(robot, links, &poses, cut).apply_vector(d);
    let norm = d.iter().map(|x| x * x).sum::<f64>().sqrt();
    let heights = |k: usize| {
        let (points, radius) = points_of(scene, bodies[k]);
        let heights = points.into_iter().map(|p| {
            let p = poses[links[k]].apply(p);
            (d[0] * p[0] + d[1] * p[1] + d[2] * p[2]) / norm
        });
        (heights.collect::<Vec<_>>(), radius)
    };
    let ((a, ra), (b, rb)) = (heights(0), heights(1));
    let top = a.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let bottom = b.into_iter().fold(f64::INFINITY, f64::min);
    bottom - top - ra - rb
}

/// A cell of any width, often narrow.
fn cell_of(draw: &mut Splitmix64, count: usize) -> Vec<[f64; 2]> {
    let range = |_| {
        let width = 7.0 * draw.unit().powi(4);
        let lower = -3.5 + draw.unit() * (7.0 - width);
        [lower, lower + width]
    };
    (0..count).map(range).collect()
}

/// How many bounds were tried of a pair, and how many are near the least of the states.
fn tried(scene: &Scene, bodies: [usize; 2], draw: &mut Splitmix64) -> [u32; 2] {
    let robot = scene.robot.as_ref().expect("a robot");
    let links = bodies.map(|body| scene.bodies[body].link.expect("a link"));
    let walk = LinkWalk::new(robot, links[0], links[1]).expect("a way");
    let moves = |k: &usize| walk.steps[*k].moving().is_some();
    let moving: Vec<usize> = (0..walk.steps.len()).filter(moves).collect();
    let (Some(&first), Some(&last)) = (moving.first(), moving.last()) else {
        return [0; 2];
    };
    let back: Vec<WalkStep> = walk.steps.iter().rev().map(WalkStep::inverse).collect();
    let all = walk.steps.len();
    let axis = |k: usize| walk.steps[k].moving().expect("it moves").axis;
    let solid = |k: usize| PartSolid::new(&scene.bodies[bodies[k]].parts[0]).expect("a part");
    let rooted = [
        solid(0).rooted(None, &back[all - first..], &axis(first)),
        solid(1).rooted(None, &walk.steps[last + 1..], &axis(last)),
    ];
    let mut counts = [0; 2];
    for _ in 0..3 {
        let cell = cell_of(draw, walk.variables.len());
        for cut in 0..=moving.len() {
            let place = walk.place_of(cut).expect("a frame");
            let d = numbers(draw, 1.0);
            let split_max = [6, 6, 6, 1, 0][(draw.unit() * 5.0) as usize % 5];
            let a = PieceSide {
                steps: &back[all - place..all - first],
                piece: &rooted[0],
                split_max,
            };
            let b = PieceSide {
                steps: &walk.steps[place..(last + 1).max(place)],
                piece: &rooted[1],
                split_max,
            };
            let bound = bound_along(d, &a, &b, &cell).distance;
            let least = least_of(scene, bodies, (&walk.variables, &cell), (cut, d), draw);
            assert!(
                least >= bound - 1e-12,
                "{bodies:?} cut {cut}: {least} under {bound}, {cell:?}"
            );
            counts[0] += 1;
            counts[1] += u32::from(least - bound < 0.02);
        }
    }
    counts
}

/// The least gap of some states of a cell, corners favoured.
fn least_of(
    scene: &Scene,
    bodies: [usize; 2],
    (joints, cell): (&[usize], &[[f64; 2]]),
    (cut, d): (usize, [f64; 3]),
    draw: &mut Splitmix64,
) -> f64 {
    let robot = scene.robot.as_ref().expect("a robot");
    let mut least = f64::INFINITY;
    for _ in 0..40 {
        let mut state = robot.zero_state();
        for (&joint, [lower, upper]) in joints.iter().zip(cell) {
            state[joint] = match (draw.unit() * 4.0) as u32 {
                0 => *lower,
                1 => *upper,
                _ => lower + draw.unit() * (upper - lower),
            };
        }
        robot.follow_mimics(&mut state);
        least = least.min(gap_of(scene, bodies, &state, cut, d));
    }
    least
}

/// Bounds of spans on random curves: how many were tried of a pair, and how many are near the least of the states.
fn tried_in_time(scene: &Scene, bodies: [usize; 2], draw: &mut Splitmix64) -> [u32; 2] {
    let robot = scene.robot.as_ref().expect("a robot");
    let links = bodies.map(|body| scene.bodies[body].link.expect("a link"));
    let walk = LinkWalk::new(robot, links[0], links[1]).expect("a way");
    let parts = bodies.map(|body| {
        vec![CheckedPart {
            solid: PartSolid::new(&scene.bodies[body].parts[0]).expect("a part"),
            groups: TriangleGroups::default(),
            is_solid: false,
        }]
    });
    let count = walk.variables.len();
    let variables = walk.variables.clone();
    let mut links = LinkPair::new(walk, [&parts[0], &parts[1]]);
    let pieces = [0, 1].map(|side| links.rooted(side, 0, 0));
    let mut counts = [0; 2];
    for cut in 0..=links.moving_count() {
        let kind = [("linear", 2), ("cubic", 4), ("quintic", 6)][(draw.unit() * 3.0) as usize % 3];
        let curves: Vec<Polynomial> = (0..count)
            .map(|_| {
                let numbers: Vec<f64> = (0..kind.1).map(|_| 4.0 * draw.unit() - 2.0).collect();
                Polynomial::new(kind.0, &numbers, [0.5, 1.75]).expect("numbers")
            })
            .collect();
        let from = draw.unit();
        let span = [from, (from + 0.3 * draw.unit().powi(3)).min(1.0)];
        let d = numbers(draw, 1.0);
        let steps = links.sides(cut).expect("a frame");
        let [a, b] = [0, 1].map(|side| PieceSide {
            steps: steps[side],
            piece: &pieces[side],
            split_max: 0,
        });
        let all: Vec<&Polynomial> = curves.iter().collect();
        let bound = bound_in_span(d, &a, &b, &all, span);
        let mut least = f64::INFINITY;
        for k in 0..=32 {
            let u = span[0] + (span[1] - span[0]) * f64::from(k) / 32.0;
            let mut state = robot.zero_state();
            for (&joint, curve) in variables.iter().zip(&curves) {
                state[joint] = curve.value(u).middle().0;
            }
            robot.follow_mimics(&mut state);
            least = least.min(gap_of(scene, bodies, &state, cut, d));
        }
        assert!(
            least >= bound - 1e-12,
            "{bodies:?} cut {cut}: {least} under {bound}, {span:?}"
        );
        counts[0] += 1;
        counts[1] += u32::from(least - bound < 0.02);
    }
    counts
}

#[test]
fn no_time_is_nearer_than_the_bound_of_its_span() {
    let mut draw = Splitmix64(17);
    let (mut all, mut tight) = (0, 0);
    for _ in 0..120 {
        let scene = robot(&mut draw);
        for bodies in [[3, 7], [0, 3], [6, 2], [4, 0]] {
            let [one, other] = tried_in_time(&scene, bodies, &mut draw);
            (all, tight) = (all + one, tight + other);
        }
    }
    assert!(all > 1000 && tight * 10 > all, "{tight} of {all}");
}

#[test]
fn no_state_is_nearer_than_the_bound() {
    let mut draw = Splitmix64(7);
    let (mut all, mut tight) = (0, 0);
    for _ in 0..40 {
        let scene = robot(&mut draw);
        for bodies in [[3, 7], [0, 3], [6, 2], [4, 0]] {
            let [one, other] = tried(&scene, bodies, &mut draw);
            (all, tight) = (all + one, tight + other);
        }
    }
    // The bound is near the truth where cells are narrow, so that one that is too high shows.
    assert!(tight * 10 > all, "{tight} of {all}");
}

/// A ball that its pose makes an ellipsoid has no radius; a checker that took it as a ball would believe too much.
#[test]
fn a_round_shape_that_is_scaled_is_refused() {
    let part = |geometry: ShapeSpec, pose: Affine| gjk_scene::Part {
        source: "part".to_owned(),
        geometry: Geometry::Shape(geometry),
        pose,
    };
    let turned = Affine::from_roll_pitch_yaw([0.3, -1.1, 2.0])
        .compose(&Affine::from_quaternion([0.1, 0.7, -0.3, 0.6]));
    let scaled = turned.scaled([1.0, 1.0, 1.5]);
    let ball = ShapeSpec::Ball { radius: 0.2 };
    let block = ShapeSpec::Box {
        half_extents: vec![0.1; 3],
    };
    assert!(PartSolid::new(&part(ball.clone(), turned)).is_ok());
    assert!(PartSolid::new(&part(block, scaled)).is_ok());
    let refused = PartSolid::new(&part(ball, scaled)).err();
    assert!(refused.is_some_and(|why| why.contains("no rotation")));
}
