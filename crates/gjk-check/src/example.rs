//! What `gjk check` without a scene shows: an arm among parts, with one overlap, one touch and one near miss. A ring around the lamp's
//! pole touches nothing: only its hull would.

use gjk_scene::{LoadOptions, Mesh, Scene, SceneError, load_text, read_mesh};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The scene, in the format that users write: `gjk check crates/gjk-check/examples/arm.json` reads the same.
pub const TEXT: &str = include_str!("../examples/arm.json");

/// The mesh that the scene names.
const GUIDE: (&str, &[u8]) = ("guide.obj", include_bytes!("../examples/guide.obj"));

/// The clearance where the caller gives none: the near miss is closer.
pub const CLEARANCE: f64 = 0.005;

/// The example's scene.
///
/// # Errors  none, as the tests show.
pub fn scene() -> Result<Scene, SceneError> {
    let (name, bytes) = GUIDE;
    let path = PathBuf::from(name);
    let guide: Arc<Mesh> = Arc::new(read_mesh(bytes, &path)?);
    let options = LoadOptions {
        meshes: BTreeMap::from([(path, guide)]),
        ..LoadOptions::default()
    };
    load_text(TEXT, Path::new("arm.json"), &options)
}
