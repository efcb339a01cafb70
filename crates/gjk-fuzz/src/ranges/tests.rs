//! The family by itself: its oracle against closed forms, its answers, and answers that it must refuse.

use super::arm::{Arm, ArmJoint, ArmJointKind, ArmLink, Solid};
use super::oracle::{distance, places};
use crate::Rng;

/// A box and a ball on a slide.
fn slide(from: f64, to: f64) -> Arm {
    let link = |solid: Solid, geometry: &str| ArmLink {
        pieces: vec![solid],
        geometry: geometry.to_owned(),
        mesh: None,
        origin: [[0.0; 3]; 2],
    };
    let corners =
        (0..8).map(|k: usize| [0, 1, 2].map(|i: usize| if k >> i & 1 == 0 { -0.5 } else { 0.5 }));
    let ball = || {
        link(
            Solid::Points(vec![[0.0; 3]], 0.25),
            "<sphere radius=\"0.25\"/>",
        )
    };
    let joint = |kind: ArmJointKind, parent: usize| ArmJoint {
        kind,
        parent,
        origin: [[0.0; 3]; 2],
        axis: [2.0, 0.0, 0.0],
        limits: [from, to],
        mimic: None,
    };
    let mut far = ball();
    far.origin = [[0.0, 9.0, 0.0], [0.0; 3]];
    Arm {
        links: vec![
            link(
                Solid::Points(corners.collect(), 0.0),
                "<box size=\"1 1 1\"/>",
            ),
            far,
            ball(),
        ],
        joints: vec![
            joint(ArmJointKind::Fixed, 0),
            joint(ArmJointKind::Prismatic, 1),
        ],
    }
}

#[test]
fn the_oracle_knows_a_ball_before_a_box() {
    let arm = slide(-3.0, 3.0);
    for x in [-2.0, -1.0, 0.0, 0.5, 0.9, 2.5] {
        let found = distance(&arm, [0, 2], &places(&arm, &[0.0, x]), 200);
        let truth = (f64::abs(x) - 0.75).max(0.0);
        assert!(
            found.lower <= truth + 1e-12 && truth - 1e-12 <= found.upper,
            "{x}: {found:?}"
        );
        assert!(found.upper - truth < 1e-9, "{x}: {found:?}");
    }
}

/// The oracle's places are those of the library.
#[test]
fn the_oracle_places_links_as_the_library_does() {
    for case in 0..200 {
        let mut rng = Rng::of_case(5, "places", 3, case);
        let arm = Arm::random(&mut rng);
        let scene = gjk_scene::load_text(
            &arm.urdf(),
            "arm.urdf".as_ref(),
            &gjk_scene::LoadOptions::default(),
        );
        let scene = scene.expect("a robot");
        let robot = scene.robot.as_ref().expect("a robot");
        let state = arm.state(&mut |[low, high]| rng.range(low, high));
        let ours = places(&arm, &state);
        for (place, theirs) in ours.iter().zip(robot.forward_kinematics(&state)) {
            let text = format!("{place:?} {theirs:?}");
            let origin = place.point_of_origin();
            for (x, y) in origin.iter().zip(theirs.translation) {
                assert!((x - y).abs() < 1e-12, "{text}");
            }
        }
    }
}

#[test]
fn a_short_run_finds_nothing() {
    let tally = super::run(1, 0, 60, |_| {});
    let faults: Vec<_> = tally
        .finds
        .iter()
        .map(|find| (find.case, &find.faults))
        .collect();
    assert_eq!(tally.wrong, 0, "{faults:?}");
    assert!(
        tally.never > 20 && tally.shown > 20 && tally.leaves > 100,
        "{tally:?}"
    );
    assert!(tally.edges[0] > 20 && tally.edges[4] > 10, "{tally:?}");
}

/// Whatever the threads do.
#[test]
fn cases_depend_on_their_number_alone() {
    let told = |tally: super::RangeTally| {
        (
            tally.pairs,
            tally.never,
            tally.shown,
            tally.edges,
            tally.leaves,
            tally.states,
        )
    };
    let whole = super::run(2, 0, 40, |_| {});
    let parts = super::run(2, 0, 20, |_| {}).merged(super::run(2, 20, 20, |_| {}));
    assert_eq!(told(whole), told(parts));
}

/// A robot that is not the one that was asked: what is proved of a shorter slide is refuted on a longer one.
#[test]
fn a_proof_over_a_range_that_is_too_short_is_refuted() {
    let (short, long) = (slide(1.0, 3.0), slide(0.5, 3.0));
    let mut tally = super::RangeTally::default();
    let mut rng = Rng::of_case(1, "liar", 3, 0);
    assert!(super::judge::judge(&short, &mut rng, &mut tally).is_empty());
    let faults = super::judge::judge_as(&short, &long, &mut rng, &mut tally);
    assert!(
        faults.iter().any(|fault| fault.contains("proved")),
        "{faults:?}"
    );
}
