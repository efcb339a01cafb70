//! Meshes that were dropped onto the page: their hulls as shapes of the query format.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gjk::Vec3;
use gjk::shape::Polytope;
use gjk_query::convert::InputError;
use gjk_scene::{ShapeSpec, counted, read_mesh};
use serde_json::{Value, json};
use std::path::Path;

/// The hull of a mesh, and what it is to the mesh.
///
/// # Errors  what is no mesh, with the place in the file.
pub(crate) fn shape(name: &str, base64: &str) -> Result<Value, InputError> {
    let refused = |message: String| InputError::new("bad_mesh", name, message);
    let bytes = STANDARD
        .decode(base64)
        .map_err(|error| refused(error.to_string()))?;
    let mesh = read_mesh(&bytes, Path::new(name)).map_err(|error| refused(error.to_string()))?;
    let points: Vec<Vec3<f64>> = mesh
        .vertices
        .iter()
        .map(|&[x, y, z]| Vec3::new(x, y, z))
        .collect();
    let hull = Polytope::new(&points).map_err(|error| refused(error.to_string()))?;
    let points: Vec<Vec<f64>> = hull
        .vertices()
        .iter()
        .map(|p| vec![p.x, p.y, p.z])
        .collect();
    let about = format!(
        "{}: {} and {}; its hull has {}",
        mesh.name,
        counted(mesh.vertices.len(), "vertex", "vertices"),
        counted(mesh.faces.len(), "face", "faces"),
        counted(points.len(), "vertex", "vertices")
    );
    Ok(json!({"shape": ShapeSpec::Convex { points }, "about": about, "warnings": mesh.warnings}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_becomes_its_hull() {
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 5\n";
        let told = shape("part.obj", &STANDARD.encode(text)).expect("a mesh");
        assert_eq!(told["shape"]["points"].as_array().map(Vec::len), Some(4));
        assert!(
            told["about"]
                .as_str()
                .expect("words")
                .contains("its hull has 4 vertices"),
            "{told}"
        );
    }

    #[test]
    fn what_is_no_mesh_says_where() {
        let error = shape("part.obj", &STANDARD.encode("v 0 0 zero\n")).expect_err("no number");
        assert!(
            error.message.contains('1') && error.at == "part.obj",
            "{error}"
        );
        assert!(
            shape("part.step", &STANDARD.encode("x"))
                .expect_err("CAD")
                .message
                .contains("no mesh format")
        );
        assert!(shape("part.obj", "not base 64").is_err());
    }
}
