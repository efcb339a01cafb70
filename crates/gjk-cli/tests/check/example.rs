//! The built-in example: what it shows, and that its files show the same.

use crate::{gjk, pairs, report};
use serde_json::Value;
use std::path::Path;

#[test]
fn the_example_shows_one_overlap_one_touch_and_one_near_miss() {
    let run = gjk(&["check"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        "\
9 bodies of 19 parts: 18 primitives, 1 solid

                 a        b        distance (m)  normal      point of a             point of b
  ✗ overlapping  gripper  bracket  -0.004        (0, 0, -1)  (0.11, 0.04421, 0.24)  (0.11, 0.04421, 0.244)
  = touching     table    parcel   0             (0, 0, 1)   (0.3396, -0.05391, 0)  (0.3396, -0.05391, 0)
  < too close    forearm  lamp     0.003         (0, 0, 1)   (-0.1, 0, 0.44)        (-0.1, 0, 0.443)

1 pair overlaps (deepest 0.004 m: gripper, bracket), 1 touches, 1 is nearer than 0.005 m (nearest 0.003 m: forearm, lamp)
30 pairs looked at in 1 state; skipped: 0 adjacent, 6 disabled
"
    );
    assert!(run.err.ends_with(" s\n"), "{}", run.err);
}

/// The ring's hull has no hole, so that it overlaps the pole in it.
#[test]
fn the_example_has_a_ring_that_only_its_hull_makes_overlap() {
    let (exact, _) = report(&["--all-pairs"]);
    let (hulls, _) = report(&["--all-pairs", "--meshes", "hull"]);
    let verdict = |report: &Value| {
        let ring = pairs(report)
            .into_iter()
            .find(|pair| pair.contains("lamp-guide"));
        ring.unwrap()
    };
    assert_eq!(verdict(&exact), "0 lamp-guide separated");
    assert_eq!(verdict(&hulls), "0 lamp-guide overlapping");
    assert_eq!(exact["bodies"][8]["parts"][0]["kind"], "solid");
}

#[test]
fn the_example_is_a_file_that_users_can_start_from() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../gjk-check/examples/arm.json")
        .display()
        .to_string();
    let (from_file, code) = report(&[&file, "--clearance", "0.005"]);
    assert_eq!((from_file, code), report(&[]));
}
