//! The campaign on a small arm: true proofs pass, and each planted lie is caught.

use super::RobotSettings;
use super::edge_answers::EdgesJudged;
use super::never_states::{NeverFound, NeverJudge, NeverPair};
use super::soundness::{never, refutation_text, witnesses};
use super::subject::{Found, Subject};
use super::witnesses::{Witnessed, witnessed};
use gjk::query::Interval;
use gjk_check::parts::{Meshes, build};
use gjk_motion::{Basis, LinkMatrix, Matrix, MatrixOptions, PathVerdict};
use gjk_scene::{LoadOptions, load_text};
use std::path::Path;

/// Two links that turn about z, and posts: a near one that the tip hits, a far one that nothing reaches, and one in reach of a thin side.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.7 0.1 0.1"/></geometry></collision></link>
  <link name="near"><collision><geometry><cylinder radius="0.05" length="1"/></geometry></collision></link>
  <link name="far"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="to_near" type="fixed"><parent link="base"/><child link="near"/><origin xyz="1.5 0.3 0"/></joint>
  <joint name="to_far" type="fixed"><parent link="base"/><child link="far"/><origin xyz="2.2 0 0"/></joint>
</robot>"#;

fn arm() -> Subject {
    let scene = load_text(ARM, Path::new("arm.urdf"), &LoadOptions::default());
    let scene = scene.unwrap_or_else(|why| panic!("{why}"));
    let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|why| panic!("{why}"));
    Subject {
        scene,
        bodies,
        srdf: None,
    }
}

fn matrix_of(subject: &Subject) -> Matrix {
    let robot = subject.robot().unwrap_or_else(|why| panic!("{why}"));
    let options = MatrixOptions::default();
    let maker = LinkMatrix::new(&subject.scene, robot, &subject.bodies, &options);
    let matrix = maker.and_then(|maker| maker.run());
    matrix.unwrap_or_else(|why| panic!("{why}"))
}

fn judged(subject: &Subject, pairs: &[NeverPair]) -> NeverFound {
    let robot = subject.robot().unwrap_or_else(|why| panic!("{why}"));
    let limits = MatrixOptions::default().limits;
    let judge = NeverJudge::new(&subject.scene, robot, &subject.bodies, &limits, pairs);
    judge.run(20_000, 1).unwrap_or_else(|why| panic!("{why}"))
}

fn pair_named(subject: &Subject, names: [&str; 2]) -> (usize, usize) {
    let bodies = &subject.scene.bodies;
    let at = names.map(|name| bodies.iter().position(|body| body.name == name));
    match at {
        [Some(a), Some(b)] => (a.min(b), a.max(b)),
        _ => panic!("no such links"),
    }
}

/// The arm is longest where a far corner of the fore link is on the line from the shoulder; the far post begins at 2.1.
fn least_to_far() -> f64 {
    2.1 - (1.0 + 0.75_f64.hypot(0.05))
}

#[test]
fn true_proofs_pass_and_descents_reach_their_upper_ends() {
    let subject = arm();
    let matrix = matrix_of(&subject);
    let pairs: Vec<NeverPair> = matrix.pairs.iter().filter_map(NeverPair::of).collect();
    let far = pair_named(&subject, ["fore", "far"]);
    let at = pairs.iter().position(|pair| pair.bodies == far);
    let at = at.unwrap_or_else(|| panic!("the far post is not proved out of reach"));
    let found = judged(&subject, &pairs);
    assert_eq!((found.states, found.undecided), (20_000, 0));
    assert!(found.refuted.is_empty(), "{:?}", found.refuted);
    let nearest = found.nearest[at].unwrap_or(f64::INFINITY);
    assert!((nearest - least_to_far()).abs() < 1e-6, "{nearest}");
}

#[test]
fn a_distance_that_is_claimed_too_large_is_refuted() {
    let subject = arm();
    let far = pair_named(&subject, ["fore", "far"]);
    let matrix = matrix_of(&subject);
    let pairs = matrix.pairs.iter().filter_map(NeverPair::of);
    let mut lies: Vec<NeverPair> = pairs.filter(|pair| pair.bodies == far).collect();
    // By a millionth: none of the twenty states that are measured is as near as that, and only a descent refutes it.
    let lower = least_to_far() + 1e-6;
    lies[0].proved = Interval { lower, upper: 0.36 };
    let found = judged(&subject, &lies);
    assert_eq!(found.refuted.len(), 1);
    let refuted = &found.refuted[0];
    assert!(refuted.bodies == far && refuted.measured.upper < lower);
    let robot = subject.robot().unwrap_or_else(|why| panic!("{why}"));
    let text = refutation_text(&subject.scene, robot, refuted);
    assert!(text.starts_with("fore and far: measured 0.348"), "{text}");
    assert!(
        text.contains("shoulder=") && text.contains("elbow="),
        "{text}"
    );
}

#[test]
fn an_upper_end_that_its_state_does_not_reach_is_refuted() {
    let subject = arm();
    let far = pair_named(&subject, ["fore", "far"]);
    let matrix = matrix_of(&subject);
    let pairs = matrix.pairs.iter().filter_map(NeverPair::of);
    let mut lies: Vec<NeverPair> = pairs.filter(|pair| pair.bodies == far).collect();
    lies[0].proved = Interval {
        lower: 0.1,
        upper: 0.2,
    };
    assert_eq!(judged(&subject, &lies).refuted.len(), 1);
}

#[test]
fn a_pair_that_meets_is_not_never() {
    let subject = arm();
    let bodies = pair_named(&subject, ["fore", "near"]);
    let matrix = matrix_of(&subject);
    let pair = matrix.pairs.iter().find(|pair| pair.bodies == bodies);
    let pair = pair.unwrap_or_else(|| panic!("no such pair"));
    let Basis::Witness { state, .. } = &pair.basis else {
        panic!("{pair:?}");
    };
    let robot = subject.robot().unwrap_or_else(|why| panic!("{why}"));
    let look = |state: &[f64]| witnessed(robot, &subject.bodies, bodies, state);
    assert_eq!(look(state), Witnessed::Surfaces);
    assert_eq!(look(&matrix.default_state), Witnessed::Neither);
    let lie = NeverPair {
        bodies,
        proved: Interval {
            lower: 0.01,
            upper: 0.02,
        },
        at: matrix.default_state.clone(),
        joints: pair.joints.clone(),
    };
    let found = judged(&subject, &[lie]);
    assert!(found.refuted.len() > 100, "{}", found.refuted.len());
    assert!(found.refuted.iter().all(|refuted| refuted.bodies == bodies));
}

#[test]
fn a_false_answer_of_an_edge_is_counted() {
    let mut judged = EdgesJudged::default();
    judged.add(PathVerdict::Hit, [true, true, true, false]);
    judged.add(PathVerdict::Free, [false; 4]);
    judged.add(PathVerdict::Undecided, [true; 4]);
    assert_eq!(judged.contradictions, 0);
    judged.add(PathVerdict::Free, [true, false, false, false]);
    judged.add(PathVerdict::Touch, [false, false, true, false]);
    assert_eq!(judged.contradictions, 2);
}

/// A matrix with a lie in it, as the whole campaign judges it: what fails the run.
fn failed_by(subject: &Subject, matrix: &Matrix) -> Vec<String> {
    let asked = RobotSettings {
        states: 20_000,
        seed: 1,
        ..RobotSettings::default()
    };
    let options = MatrixOptions::default();
    let mut found = Found::default();
    let judged = never(&asked, subject, (matrix, &options), &mut found)
        .and_then(|()| witnesses(&asked, subject, (matrix, &options), &mut found));
    judged.unwrap_or_else(|why| panic!("{why}"));
    found.failed
}

#[test]
fn a_matrix_with_a_lie_fails_the_campaign() {
    let subject = arm();
    let truth = matrix_of(&subject);
    assert_eq!(failed_by(&subject, &truth), Vec::<String>::new());
    let far = pair_named(&subject, ["fore", "far"]);
    let mut lie = truth.clone();
    let of_far = lie.pairs.iter_mut().filter(|pair| pair.bodies == far);
    for pair in of_far {
        if let Basis::Apart { distance, .. } = &mut pair.basis {
            distance.lower = least_to_far() * 1.001;
        }
    }
    let failed = failed_by(&subject, &lie);
    assert!(
        failed.len() == 1 && failed[0].starts_with("fore and far: measured"),
        "{failed:?}"
    );
    // A witness that shows nothing.
    let near = pair_named(&subject, ["fore", "near"]);
    let mut lie = truth.clone();
    let of_near = lie.pairs.iter_mut().filter(|pair| pair.bodies == near);
    for pair in of_near {
        if let Basis::Witness { state, .. } = &mut pair.basis {
            state.clone_from(&truth.default_state);
        }
    }
    let failed = failed_by(&subject, &lie);
    assert!(
        failed.len() == 1 && failed[0].contains("no triangles meet"),
        "{failed:?}"
    );
}
