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
    angles.sum::<f64>() / TAU
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

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_scene::{Affine, Geometry, Mesh, Part};
    use std::sync::Arc;

    /// A box from 0 to 1, mirrored and stretched, at a place.
    #[test]
    fn a_surface_winds_once_around_points_inside() {
        let corner = |k: u32| [0, 1, 2].map(|i| f64::from(k >> i & 1));
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let mesh = Mesh {
            name: "box".to_owned(),
            path: "box.obj".into(),
            vertices: (0..8).map(corner).collect(),
            faces: faces.iter().map(|face| face.to_vec()).collect(),
            warnings: Vec::new(),
            unit: None,
        };
        let part = Part {
            source: "box".to_owned(),
            geometry: Geometry::Mesh {
                mesh: Arc::new(mesh),
                scale: [-2.0, 1.0, 1.0],
            },
            pose: Affine::from_translation([10.0, 0.0, 0.0]),
        };
        let part = PartSolid::new(&part).expect("a mesh");
        for (point, is_inside) in [
            ([9.0, 0.5, 0.5], true),
            ([8.001, 0.001, 0.999], true),
            ([7.999, 0.5, 0.5], false),
            ([10.5, 0.5, 0.5], false),
            ([9.0, 0.5, -0.001], false),
        ] {
            let turns = turns_around(&part, point).abs();
            let wanted = f64::from(u8::from(is_inside));
            assert!((turns - wanted).abs() < 1e-9, "{point:?}: {turns}");
        }
    }
}
