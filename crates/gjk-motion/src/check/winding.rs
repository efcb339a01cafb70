//! Whether a part is inside of a solid whose surface it does not meet: how often the surface winds around a point of it.
//!
//! Where it sits: `tree.rs` asks once a tree that divides a surface: trees prove surfaces apart, and a part may be inside of a solid.
//! Numbers: the angles of all triangles together are a whole number of turns, from which rounding takes some 1e-12.

use super::solid::PartSolid;
use std::f64::consts::TAU;

/// How often the part's surface winds around a point of the link's frame, about; zero outside.
pub(super) fn turns_around(part: &PartSolid, point: [f64; 3]) -> f64 {
    let Some(surface) = part.surface() else {
        return 0.0;
    };
    let vertices = surface.vertices().iter().map(|v| part.in_link(v));
    let rays: Vec<[f64; 3]> = vertices
        .map(|v| [0, 1, 2].map(|k: usize| v[k] - point[k]))
        .collect();
    let angles = surface.triangles().iter().map(|corners| {
        let [a, b, c] = corners.map(|id| rays[id as usize]);
        half_angle(a, b, c)
    });
    2.0 * angles.sum::<f64>() / (2.0 * TAU)
}

/// Half of the solid angle of a triangle, seen from the origin (van Oosterom and Strackee).
fn half_angle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [la, lb, lc] = [a, b, c].map(|x| dot(x, x).sqrt());
    let entry = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    let volume = dot(a, [entry(1, 2), entry(2, 0), entry(0, 1)]);
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    libm::atan2(volume, below)
}
