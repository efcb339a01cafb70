//! What two bodies are near a point, on a sphere of directions: the sectors of their surfaces as arcs, what is inside as dots.
//!
//! Frame: the sphere has radius 1 about the origin; directions are the world's.

use crate::draw::{Figure, Item};
use gjk::{Pose3, Vec3, Vector};
use gjk_mesh::trace::{ContactCell, Facts, Learned};
use std::f64::consts::TAU;

/// Directions that are asked on which side they are.
const DOTS: u32 = 160;
/// Straight pieces of a great circle.
const PIECES: u32 = 48;

/// A direction of the frame of comparison in the world; of length 1 where the pose keeps lengths.
pub(super) fn in_world(direction: [f64; 3], frame: Option<&Pose3<f64>>) -> Vec<f64> {
    let [x, y, z] = direction;
    let moved = match frame {
        None => Vec3::new(x, y, z),
        Some(pose) => pose.vector(Vec3::new(x, y, z)),
    };
    moved.normalized().unwrap_or(moved).to_f64().to_vec()
}

/// The sphere, both cones, and the direction that tells most.
pub(super) fn items(cell: &ContactCell, frame: Option<&Pose3<f64>>) -> Vec<Item> {
    let mut items = sphere();
    let mut inside: [Vec<Vec<f64>>; 3] = Default::default();
    for k in 0..DOTS {
        let direction = spread(k);
        let [a, b] = [0, 1].map(|body: usize| cell.cones[body].contains(direction) == Some(true));
        let list = match (a, b) {
            (true, true) => 2,
            (true, false) => 0,
            (false, true) => 1,
            (false, false) => continue,
        };
        inside[list].push(in_world(direction, frame));
    }
    let layers = ["cone_inside_a", "cone_inside_b", "cone_both"];
    for (layer, points) in layers.into_iter().zip(inside) {
        if !points.is_empty() {
            items.push(Item::directions(layer, Figure::Dots { points }));
        }
    }
    for (layer, cone) in ["cone_a", "cone_b"].into_iter().zip(&cell.cones) {
        for [from, to] in cone.sectors() {
            // The sector itself, from the point to the sphere.
            let along = arc(from, to, PIECES / 4).into_iter();
            let mut points = vec![vec![0.0; 3]];
            points.extend(along.map(|x| in_world(x, frame)));
            items.push(Item::directions(layer, Figure::Polygon { points }));
        }
    }
    if let Some(learned) = telling(cell) {
        items.push(Item::directions(
            "common",
            Figure::Arrow {
                from: vec![0.0; 3],
                direction: in_world(learned.direction, frame),
            },
        ));
    }
    items
}

/// The direction that told of an overlap, or else the first one that told something.
pub(super) fn telling(cell: &ContactCell) -> Option<&Learned> {
    let says = |x: &&Learned| x.facts != Facts::default();
    let overlap = cell.learned.iter().find(|x| x.facts.overlap);
    overlap.or_else(|| cell.learned.iter().find(says))
}

/// Three great circles.
fn sphere() -> Vec<Item> {
    let circle = |axis: usize| {
        let at = |k: u32| {
            let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(PIECES));
            let mut point = vec![0.0; 3];
            (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (cos, sin);
            point
        };
        let points = (0..=PIECES).map(at).collect();
        Item::directions("sphere", Figure::Line { points })
    };
    (0..3).map(circle).collect()
}

/// The shorter arc between two directions of length 1.
fn arc(from: [f64; 3], to: [f64; 3], pieces: u32) -> Vec<[f64; 3]> {
    let cosine: f64 = (0..3).map(|k| from[k] * to[k]).sum();
    let angle = libm::acos(cosine.clamp(-1.0, 1.0));
    let sine = libm::sin(angle);
    let part = |share: f64, whole: f64| {
        if sine > 1e-9 {
            libm::sin(share * angle) / sine
        } else {
            whole
        }
    };
    let at = |k: u32| {
        let share = f64::from(k) / f64::from(pieces);
        let (p, q) = (part(1.0 - share, 1.0 - share), part(share, share));
        [0, 1, 2].map(|k| p * from[k] + q * to[k])
    };
    (0..=pieces).map(at).collect()
}

/// Directions spread over the sphere, off its axes and diagonals.
fn spread(k: u32) -> [f64; 3] {
    let golden = 2.399_963_229_728_653;
    let height = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(DOTS);
    let (sin, cos) = libm::sincos(golden * f64::from(k) + 0.4);
    let ring = (1.0 - height * height).max(0.0).sqrt();
    [ring * cos, ring * sin, height]
}
