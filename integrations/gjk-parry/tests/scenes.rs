//! The scenes by contacts of gjk, for less time than the example's, with what must hold. Contacts are made anew in every step.
#![cfg(feature = "parry3d")]

#[allow(dead_code)]
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use scenes::{Contacts, Outcome, Run, Scene};

fn run(scene: Scene, seconds: u32) -> Outcome {
    let run = Run {
        scene,
        contacts: Contacts::Gjk,
        seconds,
        recycling: false,
    };
    let outcome = run.outcome();
    assert!(outcome.is_finite, "{outcome:?}");
    outcome
}

/// 10 s of simulated time.
#[test]
fn a_stack_of_twenty_boxes_stands() {
    let outcome = run(Scene::Stack, 10);
    // Boxes of a metre that began 5 mm off the axis, with gaps of 2 mm: 40 mm of the way down are the gaps.
    assert!(outcome.drift < 0.01 && outcome.sunk < 0.06, "{outcome:?}");
    assert!(outcome.depth[1] < 0.002, "{outcome:?}");
    assert!(outcome.kinetic[1] < 1e-3, "{outcome:?}");
    assert_eq!(outcome.totals.lost, 0, "{outcome:?}");
    assert!(outcome.totals.carried > 40_000, "{outcome:?}");
}

/// 6 s of simulated time.
#[test]
fn a_heap_of_hulls_comes_to_rest() {
    let outcome = run(Scene::Heap, 6);
    assert!(
        outcome.depth[1] < 0.02 && outcome.sunk < 0.02,
        "{outcome:?}"
    );
    assert!(
        outcome.drift < 0.05 && outcome.kinetic[1] < 0.5,
        "{outcome:?}"
    );
    assert!(
        outcome.totals.lost * 100 < outcome.totals.carried,
        "{outcome:?}"
    );
}

/// 6 s of simulated time: 12 m.
#[test]
fn a_wheel_rolls_over_the_edges_of_triangles() {
    let outcome = run(Scene::Wheel, 6);
    assert!(
        outcome.sunk < 0.002 && outcome.depth[1] < 0.002,
        "{outcome:?}"
    );
    assert!(outcome.drift < 0.1, "{outcome:?}");
    // It keeps most of its speed, which a bump at an edge would take.
    let [start, end] = outcome.kinetic;
    assert!(end > 0.6 * start && end < 1.01 * start, "{outcome:?}");
}
