//! What there is to look at of motions, of paths and of manifolds.
//!
//! Where it sits: beside `scenes.rs`, which lists them.

use crate::scenes::{Scene, of_line};
use serde_json::{Value, json};

const MOTION: &str = "In motion";
const ARMS: &str = "Paths of an arm";
const BEARING: &str = "Manifolds";

/// Paths of the arm in `arm.rs`.
pub(crate) fn arms() -> Vec<Scene> {
    let path =
        |id, title, about| of_line([ARMS, id, title, about], json!({"dim": 2, "query": "arm"}));
    vec![
        path(
            "arm-passes",
            "A hand passes a block",
            "All joints go at once from one state to another. Divide the path until each span is proved: between the ends of a span nothing is sampled.",
        ),
        path(
            "arm-hits",
            "… and one that hits it",
            "Both ends are free, and the forearm goes through the block. However the path is divided, the spans around that are never proved.",
        ),
        path(
            "arm-together",
            "Two links that go together",
            "The arm turns far, and its hand hardly against the upper arm. Only the joints between the two count, so one span proves it.",
        ),
    ]
}

/// Rays, casts and times of impact.
pub(crate) fn motions() -> Vec<Scene> {
    let mut all = turning();
    all.extend(turning_in_space());
    all.extend(straight());
    all
}

fn turning() -> Vec<Scene> {
    vec![
        of_line(
            [
                MOTION,
                "bar-through-floor",
                "A bar swings through a floor",
                "30 cm deep in the middle, and clear at both ends of its motion. Samples miss it; the pieces beneath the slider leave no time out.",
            ],
            json!({"query": "toi", "dim": 2,
                "a": {"shape": "box", "half_extents": [2, 0.3], "pose": {"translation": [0, -0.3]}},
                "b": {"shape": "box", "half_extents": [1, 0.05], "pose": {"translation": [0, 0.7], "rotation": -0.3}, "motion": {"angular": -2.5}}}),
        ),
        of_line(
            [
                MOTION,
                "bar-clears-floor",
                "… and one that clears it",
                "Its tip is a millimetre above the floor where it is lowest. Drag the bar down, and see where the proof ends.",
            ],
            json!({"query": "toi", "dim": 2,
                "a": {"shape": "box", "half_extents": [2, 0.3], "pose": {"translation": [0, -0.3]}},
                "b": {"shape": "box", "half_extents": [1, 0.05], "pose": {"translation": [0, 1.0025], "rotation": -0.3}, "motion": {"angular": -2.5}}}),
        ),
        of_line(
            [
                MOTION,
                "long-hand",
                "A long hand and a ball",
                "The hand is long, and the ball is near its axle: a plane that turns with the hand proves longer pieces than one that stays.",
            ],
            json!({"query": "toi", "dim": 2,
                "a": {"shape": "box", "half_extents": [3, 0.1], "motion": {"angular": 1.6}},
                "b": {"shape": "ball", "radius": 0.15, "pose": {"translation": [0.2, 0.6]}}}),
        ),
        of_line(
            [
                MOTION,
                "bending-blade",
                "Vertices that move by themselves",
                "Each corner of the blade moves in its own straight line; between, the body is their hull. Drag its end.",
            ],
            json!({"query": "toi", "dim": 2,
                "a": {"shape": "ball", "radius": 0.3, "pose": {"translation": [0.4, -0.6]}},
                "b": {"shape": "convex", "points": [[-1.4, 0.6], [1.4, 0.6], [1.4, 0.9], [-1.4, 0.9]],
                    "motion": {"vertices": [[-1.4, 0.4], [1.1, -1.6], [1.6, -1.4], [-1.2, 0.8]]}}}),
        ),
        of_line(
            [
                MOTION,
                "two-spin",
                "Two that spin",
                "Both bodies move and turn: some pieces have a plane that stays, some one that turns with A.",
            ],
            json!({"query": "toi", "dim": 2,
                "a": {"shape": "box", "half_extents": [1, 0.4], "pose": {"translation": [-2.2, 0]}, "motion": {"velocity": [4, 0.2], "angular": 2}},
                "b": {"shape": "convex", "points": [[0.9, 0], [0, 0.7], [-0.9, 0], [0, -0.7]], "pose": {"translation": [2.2, 0.9]}, "motion": {"velocity": [-4, 0.6], "angular": -3}}}),
        ),
    ]
}

fn turning_in_space() -> Vec<Scene> {
    vec![
        of_line(
            [
                MOTION,
                "spinning-box",
                "A spinning box, in space",
                "A box turns and falls onto a ramp. Hold it, or its end, and drag.",
            ],
            json!({"query": "toi", "dim": 3,
                "a": {"shape": "box", "half_extents": [1.6, 1.2, 0.15], "pose": {"rotation": [0, 0.17364818, 0, 0.98480775]}},
                "b": {"shape": "box", "half_extents": [0.5, 0.35, 0.25], "pose": {"translation": [0, 0, 2]}, "motion": {"velocity": [0, 0, -2], "angular": [2, 1, 3]}}}),
        ),
        of_line(
            [
                MOTION,
                "to-a-pose",
                "From one pose to another",
                "A capsule goes to a pose, by the shortest arc, past a cylinder. Drag its end.",
            ],
            json!({"query": "toi", "dim": 3,
                "a": {"shape": "cylinder", "half_height": 0.9, "radius": 0.35, "axis": "z"},
                "b": {"shape": "capsule", "half_height": 0.7, "radius": 0.2, "axis": "x", "pose": {"translation": [-1.2, -1.4, 0]},
                    "motion": {"to": {"translation": [1.4, -0.9, 0.3], "rotation": [0, 0, 0.6, 0.8]}}}}),
        ),
    ]
}

fn straight() -> Vec<Scene> {
    vec![
        of_line(
            [
                MOTION,
                "box-at-hull",
                "A box cast at a hull",
                "The time of the contact is one rational number, between two neighbouring floats. One plane proves all times before it.",
            ],
            json!({"query": "cast", "dim": 3,
                "a": {"shape": "convex", "points": [[1, 0, -0.4], [0.3, 0.9, -0.4], [-0.8, 0.6, -0.4], [-0.8, -0.6, -0.4], [0.3, -0.9, -0.4], [0, 0, 0.9]]},
                "b": {"shape": "box", "half_extents": [0.4, 0.3, 0.3], "pose": {"translation": [2.6, 0.5, 1], "rotation": [0, 0, 0.38268343, 0.92387953]}, "motion": {"velocity": [-2, -0.2, -0.5]}},
                "options": {"max_time": 1.5}}),
        ),
        of_line(
            [
                MOTION,
                "boxes-pass",
                "Two boxes that pass",
                "They move past each other, 1 cm apart: one plane proves the whole motion.",
            ],
            json!({"query": "cast", "dim": 2,
                "a": {"shape": "box", "half_extents": [0.5, 0.5], "pose": {"translation": [-2, 0]}, "motion": {"velocity": [2, 0]}},
                "b": {"shape": "box", "half_extents": [0.5, 0.5], "pose": {"translation": [2, 1.01]}, "motion": {"velocity": [-2, 0]}},
                "options": {"max_time": 2}}),
        ),
        of_line(
            [
                MOTION,
                "ray-at-capsule",
                "A ray at a capsule",
                "A ray is a cast whose second body is a point. Drag its start, or its end.",
            ],
            json!({"query": "ray", "dim": 2,
                "a": {"shape": "capsule", "half_height": 1, "radius": 0.5, "axis": "x", "pose": {"rotation": 0.5}},
                "ray": {"origin": [-2.5, 1.4], "direction": [4.5, -1.6]}, "options": {"max_time": 1}}),
        ),
    ]
}

/// What bears on what.
pub(crate) fn manifolds() -> Vec<Scene> {
    let mut all = boxes_on_boxes();
    all.extend(other_faces());
    all
}

fn boxes_on_boxes() -> Vec<Scene> {
    vec![
        of_line(
            [
                BEARING,
                "box-on-box",
                "A box on a box",
                "Two faces, turned against each other: eight corners of their intersection, of which four are kept.",
            ],
            json!({"query": "manifold", "dim": 3,
                "a": {"shape": "box", "half_extents": [1, 1, 0.4]},
                "b": {"shape": "box", "half_extents": [0.9, 0.9, 0.4], "pose": {"translation": [0.1, 0, 0.8], "rotation": [0, 0, 0.34202014, 0.93969262]}}}),
        ),
        of_line(
            [
                BEARING,
                "box-over-edge",
                "A box over an edge",
                "A part of a face bears on a part of a face: vertices of one, and edges that cross.",
            ],
            json!({"query": "manifold", "dim": 3,
                "a": {"shape": "box", "half_extents": [1.2, 1, 0.4]},
                "b": {"shape": "box", "half_extents": [0.7, 0.5, 0.5], "pose": {"translation": [1, 0.3, 0.9], "rotation": [0, 0, 0.25881905, 0.96592583]}},
                "options": {"points_max": "all"}}),
        ),
        of_line(
            [
                BEARING,
                "tilted-box",
                "A tilted box",
                "A box a few degrees off the floor: with a prediction of 30 cm its whole face has points, each as far apart as it is.",
            ],
            json!({"query": "manifold", "dim": 3,
                "a": {"shape": "box", "half_extents": [1.5, 1.5, 0.2]},
                "b": {"shape": "box", "half_extents": [0.7, 0.5, 0.4], "pose": {"translation": [0, 0, 0.72], "rotation": [0.05, 0.05, 0.2, 0.9772]}},
                "options": {"prediction": 0.3}}),
        ),
    ]
}

fn other_faces() -> Vec<Scene> {
    vec![
        of_line(
            [
                BEARING,
                "cylinder-on-box",
                "A cylinder on a box",
                "A cap is a polygon of 16 corners in its rim; four of them are kept.",
            ],
            json!({"query": "manifold", "dim": 3,
                "a": {"shape": "box", "half_extents": [1.2, 1.2, 0.3]},
                "b": {"shape": "cylinder", "half_height": 0.5, "radius": 0.7, "axis": "z", "pose": {"translation": [0.8, 0, 0.8]}}}),
        ),
        of_line(
            [
                BEARING,
                "side-on-side",
                "Side on side",
                "In the plane two sides bear on each other in two points at most.",
            ],
            json!({"query": "manifold", "dim": 2,
                "a": {"shape": "box", "half_extents": [1.5, 0.5]},
                "b": {"shape": "convex", "points": [[-0.8, 0], [0.9, 0], [0.5, 1.1], [-0.4, 1.1]], "pose": {"translation": [1, 0.5]}},
                "options": {"prediction": 0.1}}),
        ),
    ]
}

/// Boxes on each other: with what the ids of manifolds carry from step to step, and without.
pub(crate) fn stacks(group: &str) -> Vec<Value> {
    let stack = |id: &str, title: &str, about: &str, dim: usize, warm: bool| json!({"id": id, "group": group, "title": title, "about": about, "request": {"ask": "stack", "dim": dim, "warm": warm}});
    let held = "Every pair that is near is a manifold in every step. A point of the same id starts from the impulse that it had: so fifteen rounds hold the boxes.";
    let cold =
        "The same boxes and as many rounds, but every impulse starts from zero in every step.";
    vec![
        stack("heap", "A heap of boxes", held, 2, true),
        stack("tower", "A tower of boxes, in space", held, 3, true),
        stack("tower-cold", "… without what the ids carry", cold, 3, false),
    ]
}
