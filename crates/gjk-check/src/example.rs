//! What `gjk check` without a scene shows: an arm among parts, with one overlap, one touch and one near miss.

use gjk_scene::{LoadOptions, Scene, SceneError, load_text};
use std::path::Path;

/// The scene, in the format that users write: `gjk check crates/gjk-check/examples/arm.json` reads the same.
pub const TEXT: &str = include_str!("../examples/arm.json");

/// The clearance where the caller gives none: the near miss is closer.
pub const CLEARANCE: f64 = 0.005;

/// The example's scene.
///
/// # Errors  none, as the tests show.
pub fn scene() -> Result<Scene, SceneError> {
    load_text(TEXT, Path::new("arm.json"), &LoadOptions::default())
}
