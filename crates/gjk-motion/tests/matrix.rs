//! The matrix against closed forms, samples and laws. No oracle here is a bound of ours: arms in the plane have least distances that one
//! writes down, sliding boxes are boxes of translations, and random states are asked one by one.

#![allow(clippy::unwrap_used)]

use gjk_check::pairs::Pairs;
use gjk_check::parts::{self, Body, Meshes};
use gjk_check::states::Splitmix64;
use gjk_check::{Check, Criteria};
use gjk_motion::{AlwaysRule, Basis, LinkMatrix, Matrix, MatrixOptions, PairReason, RangeOptions};
use gjk_scene::{DisabledReason, LimitSet, Scene, load_text};
use std::fmt::Write;
use std::path::Path;

/// A robot that is written joint by joint.
#[derive(Clone, Default)]
struct Arm {
    text: String,
}

impl Arm {
    fn link(mut self, name: &str, geometry: &str) -> Self {
        let collision = if geometry.is_empty() {
            String::new()
        } else {
            format!("<collision>{geometry}</collision>")
        };
        writeln!(self.text, "<link name=\"{name}\">{collision}</link>").unwrap();
        self
    }

    fn joint(
        self,
        kind: &str,
        links: [&str; 2],
        at: [f64; 3],
        axis: [f64; 3],
        range: [f64; 2],
    ) -> Self {
        let limit = format!(
            "<limit lower=\"{:?}\" upper=\"{:?}\" effort=\"1\" velocity=\"1\"/>",
            range[0], range[1]
        );
        self.raw_joint(kind, links, at, axis, &limit)
    }

    fn raw_joint(
        mut self,
        kind: &str,
        [parent, child]: [&str; 2],
        [x, y, z]: [f64; 3],
        [u, v, w]: [f64; 3],
        inside: &str,
    ) -> Self {
        writeln!(
            self.text,
            "<joint name=\"{parent}_{child}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"{x:?} {y:?} {z:?}\"/><axis xyz=\"{u:?} {v:?} {w:?}\"/>{inside}</joint>"
        )
        .unwrap();
        self
    }

    fn scene(&self) -> Scene {
        let text = format!("<robot name=\"arm\">{}</robot>", self.text);
        load_text(&text, Path::new("arm.urdf"), &Default::default()).unwrap()
    }
}

fn ball(at: [f64; 3], radius: f64) -> String {
    let [x, y, z] = at;
    format!(
        "<origin xyz=\"{x:?} {y:?} {z:?}\"/><geometry><sphere radius=\"{radius:?}\"/></geometry>"
    )
}

fn cuboid(at: [f64; 3], size: [f64; 3]) -> String {
    let ([x, y, z], [a, b, c]) = (at, size);
    format!(
        "<origin xyz=\"{x:?} {y:?} {z:?}\"/><geometry><box size=\"{a:?} {b:?} {c:?}\"/></geometry>"
    )
}

fn cylinder(at: [f64; 3], radius: f64, length: f64) -> String {
    let [x, y, z] = at;
    format!(
        "<origin xyz=\"{x:?} {y:?} {z:?}\"/><geometry><cylinder radius=\"{radius:?}\" length=\"{length:?}\"/></geometry>"
    )
}

fn options() -> MatrixOptions {
    MatrixOptions {
        limits: LimitSet::Hard.into(),
        samples: 50,
        range: RangeOptions {
            cells_max: 20_000,
            measure_cells: 20_000,
            width: 0.02,
            ..RangeOptions::default()
        },
        ..MatrixOptions::default()
    }
}

fn matrix_of(scene: &Scene, options: &MatrixOptions) -> (Vec<Body>, Matrix) {
    let bodies = parts::build(scene, Meshes::Exact).unwrap();
    let robot = scene.robot.as_ref().unwrap();
    let matrix = LinkMatrix::new(scene, robot, &bodies, options)
        .unwrap()
        .run()
        .unwrap();
    (bodies, matrix)
}

fn pair<'m>(bodies: &[Body], matrix: &'m Matrix, a: &str, b: &str) -> &'m PairReason {
    let name = |body: usize| bodies[body].name.as_str();
    let is_it = |pair: &&PairReason| {
        let names = [name(pair.bodies.0), name(pair.bodies.1)];
        names == [a, b] || names == [b, a]
    };
    matrix.pairs.iter().find(is_it).unwrap()
}

/// The interval of a pair that is proved apart.
fn apart(found: &PairReason) -> [f64; 2] {
    match &found.basis {
        Basis::Apart { distance, .. } => [distance.lower, distance.upper],
        basis => panic!("{basis:?} after {} cells", found.cells),
    }
}

fn holds(found: &PairReason, truth: f64, width: f64) {
    let [lower, upper] = apart(found);
    assert!(
        lower <= truth + 1e-9 && truth <= upper + 1e-9,
        "{lower} {truth} {upper}"
    );
    assert!(upper - lower <= width * upper + 1e-9, "{lower} {upper}");
}

const Z: [f64; 3] = [0.0, 0.0, 1.0];
const PI: f64 = std::f64::consts::PI;

/// Two arms of lengths 1 and 0.5, a ball of radius 0.1 at the end, one of 0.2 at (2.5, 0, 0): full turns reach it to 2.5 − 1.5 − 0.3.
fn two_turns(first: [f64; 2], second: [f64; 2]) -> Arm {
    Arm::default()
        .link("base", &ball([2.5, 0.0, 0.0], 0.2))
        .link("upper", "")
        .link("middle", &cuboid([0.0, 0.0, 5.0], [0.1, 0.1, 0.1]))
        .link("hand", &ball([0.5, 0.0, 0.0], 0.1))
        .joint("fixed", ["base", "upper"], [0.0; 3], Z, [0.0, 0.0])
        .joint("revolute", ["upper", "middle"], [0.0; 3], Z, first)
        .joint("revolute", ["middle", "hand"], [1.0, 0.0, 0.0], Z, second)
}

#[test]
fn an_arm_of_two_joints_has_its_closed_form() {
    let scene = two_turns([-PI, PI], [-PI, PI]).scene();
    let (bodies, matrix) = matrix_of(&scene, &options());
    let found = pair(&bodies, &matrix, "base", "hand");
    holds(found, 0.7, 0.02);
    assert_eq!(found.reason, Some(DisabledReason::Never));
}

/// The elbow keeps the arm from reaching out: at a right angle the hand is √1.25 from the axis.
#[test]
fn an_arm_within_limits_has_its_closed_form() {
    let scene = two_turns([-PI, PI], [PI / 2.0, PI]).scene();
    let (bodies, matrix) = matrix_of(&scene, &options());
    let found = pair(&bodies, &matrix, "base", "hand");
    holds(found, 2.5 - 1.25_f64.sqrt() - 0.3, 0.02);
    // The shoulder turned away, and the elbow stretched: the nearest state is at the end of both ranges.
    let scene = two_turns([PI / 2.0, PI], [0.0, PI / 2.0]).scene();
    let (bodies, matrix) = matrix_of(&scene, &options());
    let found = pair(&bodies, &matrix, "base", "hand");
    let truth = (2.5_f64.powi(2) + 1.5_f64.powi(2)).sqrt() - 0.3;
    holds(found, truth, 0.02);
}

#[test]
fn an_arm_of_three_joints_has_its_closed_form() {
    let arm = Arm::default()
        .link("base", &ball([3.0, 0.0, 0.0], 0.2))
        .link("one", &cuboid([0.0, 0.0, 5.0], [0.1, 0.1, 0.1]))
        .link("two", &cuboid([0.0, 0.0, 6.0], [0.1, 0.1, 0.1]))
        .link("hand", &ball([0.5, 0.0, 0.0], 0.1))
        .joint("revolute", ["base", "one"], [0.0; 3], Z, [-2.0, 2.0])
        .joint("revolute", ["one", "two"], [1.0, 0.0, 0.0], Z, [-2.0, 2.0])
        .joint(
            "revolute",
            ["two", "hand"],
            [0.75, 0.0, 0.0],
            Z,
            [-2.0, 2.0],
        );
    let (bodies, matrix) = matrix_of(&arm.scene(), &options());
    holds(pair(&bodies, &matrix, "base", "hand"), 0.75 - 0.3, 0.02);
}

/// Boxes that slide: the second one sweeps a box, whose distance is that of two boxes along an axis.
#[test]
fn sliding_boxes_are_boxes() {
    let arm = Arm::default()
        .link("base", &cuboid([5.0, 0.0, 0.0], [1.0, 1.0, 1.0]))
        .link("x", &cuboid([0.0, 0.0, 9.0], [0.1, 0.1, 0.1]))
        .link("tool", &cuboid([0.0; 3], [1.0, 1.0, 1.0]))
        .joint(
            "prismatic",
            ["base", "x"],
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [-1.0, 3.0],
        )
        .joint(
            "prismatic",
            ["x", "tool"],
            [0.0; 3],
            [0.0, 1.0, 0.0],
            [-1.0, 2.0],
        );
    let (bodies, matrix) = matrix_of(&arm.scene(), &options());
    holds(pair(&bodies, &matrix, "base", "tool"), 1.0, 0.02);
}

/// A wheel of one joint: its corners pass within a millimetre of a wall, and a full turn is one cell.
#[test]
fn a_wheel_is_one_cell() {
    let corner = 0.5_f64.hypot(0.5);
    let arm = Arm::default()
        .link(
            "base",
            &cuboid([corner + 0.001 + 0.5, 0.0, 0.0], [1.0, 4.0, 1.0]),
        )
        .link("hub", "")
        .link("wheel", &cuboid([0.0; 3], [1.0, 1.0, 1.0]))
        .joint("fixed", ["base", "hub"], [0.0; 3], Z, [0.0, 0.0])
        .raw_joint("continuous", ["hub", "wheel"], [0.0; 3], Z, "");
    let scene = arm.scene();
    let robot = scene.robot.as_ref().unwrap();
    // Hub has no geometry, so that base and wheel are adjacent: the chain itself is what is asked here.
    let bodies = parts::build(&scene, Meshes::Exact).unwrap();
    let options = options();
    let matrix = LinkMatrix::new(&scene, robot, &bodies, &options).unwrap();
    let proof = matrix.least_distance((0, 1)).unwrap().unwrap();
    let gjk_motion::RangeAnswer::Never { distance, .. } = &proof.answer else {
        panic!("{proof:?}");
    };
    assert!(
        distance.lower <= 0.001 && distance.lower > 0.001 - 1e-9,
        "{distance:?}"
    );
    assert_eq!(proof.cells, 1);
}

/// Two links that touch at the end of a range, and nowhere else: never is not proved.
#[test]
fn a_pair_that_touches_at_a_corner_of_its_range_is_not_proved() {
    let arm = Arm::default()
        .link("base", &cuboid([2.0, 0.0, 0.0], [1.0, 1.0, 1.0]))
        .link("x", &cuboid([0.0, 0.0, 9.0], [0.1, 0.1, 0.1]))
        .link("tool", &cuboid([0.0; 3], [1.0, 1.0, 1.0]))
        .joint(
            "prismatic",
            ["base", "x"],
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [-1.0, 0.5],
        )
        .joint(
            "prismatic",
            ["x", "tool"],
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [-1.0, 0.5],
        );
    let (bodies, matrix) = matrix_of(&arm.scene(), &options());
    let found = pair(&bodies, &matrix, "base", "tool");
    assert!(
        matches!(found.basis, Basis::Touches { .. }),
        "{:?}",
        found.basis
    );
    assert_eq!(found.reason, None);
}

/// A box in a larger one, wherever the joints stand: always, proved; and by default too, because the default state is one of all.
#[test]
fn links_that_always_overlap_are_proved_to() {
    let arm = Arm::default()
        .link("base", &cuboid([0.0; 3], [1.0, 1.0, 1.0]))
        .link("one", &cuboid([0.0, 0.0, 9.0], [0.1, 0.1, 0.1]))
        .link("core", &cuboid([0.0; 3], [0.3, 0.2, 0.1]))
        .joint("revolute", ["base", "one"], [0.0; 3], Z, [-2.0, 2.0])
        .joint("prismatic", ["one", "core"], [0.0; 3], Z, [-0.2, 0.2]);
    let (bodies, matrix) = matrix_of(&arm.scene(), &options());
    let found = pair(&bodies, &matrix, "base", "core");
    assert_eq!(
        (found.reason, found.always_too),
        (Some(DisabledReason::Default), true)
    );
}

/// Joints without limits are refused by name, and nothing is proved over them.
#[test]
fn a_slide_without_limits_is_refused() {
    let arm = Arm::default()
        .link("base", &cuboid([0.0; 3], [1.0, 1.0, 1.0]))
        .link("x", &cuboid([0.0, 0.0, 9.0], [0.1, 0.1, 0.1]))
        .link("tool", &cuboid([0.0, 3.0, 0.0], [1.0, 1.0, 1.0]))
        .raw_joint("floating", ["base", "x"], [0.0; 3], Z, "")
        .joint("revolute", ["x", "tool"], [0.0; 3], Z, [0.0, 0.1]);
    let (bodies, matrix) = matrix_of(&arm.scene(), &options());
    let found = pair(&bodies, &matrix, "base", "tool");
    assert!(
        found.refusal.as_ref().unwrap().contains("base_x"),
        "{found:?}"
    );
    assert_eq!(found.basis.word(), "samples");
    let only_proved = MatrixOptions {
        only_proved: true,
        ..options()
    };
    let (bodies, matrix) = matrix_of(&arm.scene(), &only_proved);
    assert_eq!(pair(&bodies, &matrix, "base", "tool").reason, None);
}

/// A gripper of two fingers, of which one mimics the other with the sign turned: they meet at zero only.
#[test]
fn a_mimic_joint_follows() {
    let finger = |y: f64| cuboid([0.0, y, 0.0], [0.1, 0.1, 0.1]);
    let mimic = "<limit lower=\"0\" upper=\"0.04\" effort=\"1\" velocity=\"1\"/><mimic joint=\"hand_left\" multiplier=\"-1\" offset=\"0\"/>";
    let gripper = |gap: f64| {
        Arm::default()
            .link("hand", &cuboid([0.0, 0.0, 9.0], [0.1, 0.1, 0.1]))
            .link("left", &finger(0.05 + gap))
            .link("right", &finger(-0.05))
            .joint(
                "prismatic",
                ["hand", "left"],
                [0.0; 3],
                [0.0, 1.0, 0.0],
                [0.0, 0.04],
            )
            .raw_joint(
                "prismatic",
                ["hand", "right"],
                [0.0; 3],
                [0.0, 1.0, 0.0],
                mimic,
            )
            .scene()
    };
    let (bodies, matrix) = matrix_of(&gripper(0.01), &options());
    let found = pair(&bodies, &matrix, "left", "right");
    assert_eq!(found.joints.len(), 1);
    holds(found, 0.01, 0.02);
}

/// A chain of boxes, balls, capsules-like cylinders in random places, with joints about random axes.
fn random_arm(seed: u64, scale: f64) -> Arm {
    let mut draw = Splitmix64(seed);
    let mut number = |low: f64, high: f64| low + (high - low) * draw.unit();
    let mut arm = Arm::default();
    let count = 5;
    for k in 0..count {
        let at = [number(-0.2, 0.2), number(-0.2, 0.2), number(0.0, 0.3)].map(|x| x * scale);
        let shape = match (number(0.0, 3.0)) as u32 {
            0 => ball(at, scale * number(0.02, 0.1)),
            1 => cuboid(at, [0; 3].map(|_| scale * number(0.03, 0.2))),
            _ => cylinder(at, scale * number(0.02, 0.08), scale * number(0.05, 0.2)),
        };
        arm = arm.link(&format!("l{k}"), &shape);
    }
    for k in 1..count {
        let at = [number(-0.2, 0.2), number(-0.2, 0.2), number(0.0, 0.25)].map(|x| x * scale);
        let axis = [number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)];
        let (kind, range) = if number(0.0, 1.0) < 0.25 {
            (
                "prismatic",
                [scale * number(-0.2, 0.0), scale * number(0.0, 0.2)],
            )
        } else {
            ("revolute", [number(-2.5, 0.0), number(0.0, 2.5)])
        };
        let links = [format!("l{}", k - 1), format!("l{k}")];
        arm = arm.joint(kind, [&links[0], &links[1]], at, axis, range);
    }
    arm
}

/// No random state, corners of the ranges among them, is nearer than what was proved.
#[test]
fn no_state_is_nearer_than_what_was_proved() {
    let (mut proved, mut met) = (0, 0);
    for seed in 0..24 {
        let scene = random_arm(seed, 1.0).scene();
        let robot = scene.robot.as_ref().unwrap();
        let quick = MatrixOptions {
            range: RangeOptions {
                width: 0.1,
                measure_cells: 300,
                cells_max: 3000,
                ..RangeOptions::default()
            },
            ..options()
        };
        let (bodies, matrix) = matrix_of(&scene, &quick);
        let all = Pairs::new(&scene, &bodies, None, true);
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let check = Check::new(&bodies, &all).criteria(criteria);
        let mut draw = Splitmix64(seed + 1000);
        for _ in 0..150 {
            let mut unit = || {
                let x = draw.unit();
                if x < 0.2 {
                    0.0
                } else if x > 0.8 {
                    1.0
                } else {
                    (x - 0.2) / 0.6
                }
            };
            let state = robot.sample(&mut unit);
            let poses = robot.forward_kinematics(&state);
            for found in &matrix.pairs {
                let Basis::Apart { distance, .. } = &found.basis else {
                    continue;
                };
                let here = check.between(found.bodies, &poses).unwrap().unwrap();
                assert!(
                    here.upper >= distance.lower - 1e-12,
                    "seed {seed}: {found:?} {here:?}"
                );
            }
        }
        proved += matrix
            .pairs
            .iter()
            .filter(|found| matches!(found.basis, Basis::Apart { .. }))
            .count();
        met += matrix
            .pairs
            .iter()
            .filter(|found| matches!(found.basis, Basis::Witness { .. }))
            .count();
    }
    // The family has both.
    assert!(proved >= 40 && met >= 20, "{proved} {met}");
}

/// Every witness overlaps by a check of that state alone.
#[test]
fn witnesses_overlap() {
    for seed in 0..8 {
        let scene = random_arm(seed, 1.0).scene();
        let robot = scene.robot.as_ref().unwrap();
        let (bodies, matrix) = matrix_of(&scene, &options());
        let all = Pairs::new(&scene, &bodies, None, true);
        for found in &matrix.pairs {
            let Basis::Witness {
                state, overlaps, ..
            } = &found.basis
            else {
                continue;
            };
            let here = Check::new(&bodies, &all)
                .between(found.bodies, &robot.forward_kinematics(state))
                .unwrap();
            assert!(*overlaps && here.unwrap().verdict == gjk::query::Verdict::Overlapping);
        }
    }
}

/// Lengths twice as long: distances twice as long, and the same cells.
#[test]
fn twice_the_size_is_twice_the_distance() {
    for seed in 0..6 {
        let at = |scale: f64| matrix_of(&random_arm(seed, scale).scene(), &options()).1;
        let (one, two) = (at(1.0), at(2.0));
        for (a, b) in one.pairs.iter().zip(&two.pairs) {
            assert_eq!((a.reason, a.cells), (b.reason, b.cells), "seed {seed}");
            if let (Basis::Apart { .. }, Basis::Apart { .. }) = (&a.basis, &b.basis) {
                let (a, b) = (apart(a), apart(b));
                assert_eq!([2.0 * a[0], 2.0 * a[1]], b);
            }
        }
    }
}

/// A larger range never proves what a smaller one refutes; nor does a larger margin.
#[test]
fn more_room_and_more_margin_prove_no_more() {
    for (first, second) in [(0.5, 1.5), (1.0, 2.0), (2.0, 3.0)] {
        let at = |range: f64, margin: f64| {
            let scene = two_turns([-range, range], [-range, range]).scene();
            let mut options = options();
            options.range.margin = margin;
            let (bodies, matrix) = matrix_of(&scene, &options);
            pair(&bodies, &matrix, "base", "hand").clone()
        };
        for margin in [0.0, 0.5, 0.69, 0.71, 1.0] {
            let (small, large) = (at(first, margin), at(second, margin));
            if small.reason.is_none() {
                assert_eq!(large.reason, None, "{first} {second} {margin}");
            }
        }
        // The arm reaches straight out in every such range: 0.7 is the truth.
        assert_eq!(at(first, 0.69).reason, Some(DisabledReason::Never));
        assert_eq!(at(first, 0.71).reason, None);
    }
}

/// A fixed joint in between changes nothing but rounding.
#[test]
fn a_fixed_joint_between_changes_nothing() {
    let with = two_turns([-2.0, 2.0], [-2.0, 2.0]);
    let without = Arm::default()
        .link("base", &ball([2.5, 0.0, 0.0], 0.2))
        .link("middle", &cuboid([0.0, 0.0, 5.0], [0.1, 0.1, 0.1]))
        .link("hand", &ball([0.5, 0.0, 0.0], 0.1))
        .joint("revolute", ["base", "middle"], [0.0; 3], Z, [-2.0, 2.0])
        .joint(
            "revolute",
            ["middle", "hand"],
            [1.0, 0.0, 0.0],
            Z,
            [-2.0, 2.0],
        );
    let distance = |arm: &Arm| {
        let (bodies, matrix) = matrix_of(&arm.scene(), &options());
        apart(pair(&bodies, &matrix, "base", "hand"))
    };
    let (a, b) = (distance(&with), distance(&without));
    assert!(
        (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9,
        "{a:?} {b:?}"
    );
}

/// The same bytes whatever the threads: pairs are independent.
#[test]
fn two_runs_are_one() {
    let scene = random_arm(3, 1.0).scene();
    let always = MatrixOptions {
        always: AlwaysRule::Fraction(0.95),
        ..options()
    };
    assert_eq!(matrix_of(&scene, &always).1, matrix_of(&scene, &always).1);
}
