//! A Panda, where the collected data are: MoveIt's disabled test of continuous self-collision.

use crate::Built;
use gjk::query::Verdict;
use gjk_motion::PathVerdict;
use gjk_scene::{LoadOptions, load, read_srdf};
use std::path::{Path, PathBuf};

/// The folder of collected robots: `GJK_DATA`, or `shared/data` beside the repository.
fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GJK_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data at {}", folder.display());
    None
}

pub fn panda() -> Option<Built> {
    collected("panda/panda.urdf", "panda/panda.srdf")
}

/// A robot of the collected ones.
pub fn collected(urdf: &str, srdf: &str) -> Option<Built> {
    let folder = data()?.join("robots");
    let scene = load(&folder.join(urdf), &LoadOptions::default()).unwrap();
    let srdf = read_srdf(&folder.join(srdf), scene.robot.as_ref().unwrap()).unwrap();
    let mut built = Built::of(scene);
    built.srdf = Some(srdf);
    Some(built)
}

/// moveit2's `DISABLED_ContinuousCollisionSelf`: both ends are free, and the arm runs through itself between them.
#[test]
fn the_disabled_test_of_moveit_is_caught() {
    let Some(panda) = panda() else { return };
    let home = [0.0, 0.15, 0.0, -3.0, 0.0, 1.571, -0.785];
    let at = |j5: f64| {
        let mut state = home;
        state[4] = j5;
        state
    };
    let answer = panda.edge(&at(-0.8), &at(0.8));
    assert_eq!(answer.verdict, PathVerdict::Hit);
    let first = answer.first.unwrap();
    assert!(first.time.lower > 0.0 && first.time.upper < 1.0);
    assert_eq!(
        panda.verdict(first.bodies, &first.state),
        Verdict::Overlapping
    );
    for end in [-0.8, 0.8] {
        let still = panda.edge(&at(end), &at(end));
        assert_eq!(still.verdict, PathVerdict::Free);
    }
    let deepest = answer.deepest.unwrap();
    assert!(deepest.distance.lower < -0.01, "{deepest:?}");
}
