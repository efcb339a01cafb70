//! The scene that several commands take: its file, the SRDF file beside it, and where packages are.

use crate::printer::Printer;
use gjk_check::example;
use gjk_scene::{LoadOptions, Scene, SceneError, Srdf, load_watched, read_srdf};
use std::path::{Path, PathBuf};

/// Reads a scene, or the built-in example where there is no file, and tells what was odd. Only a robot's SRDF file is read.
pub(super) fn read(
    scene: Option<&Path>,
    srdf: Option<&Path>,
    packages: &[(String, PathBuf)],
    printer: &mut Printer,
) -> Result<(Scene, Option<Srdf>), SceneError> {
    let scene = match scene {
        Some(path) => {
            let options = LoadOptions {
                packages: packages.iter().cloned().collect(),
                ..LoadOptions::default()
            };
            // How many files a scene names is not known before it is read.
            let reading = printer.count("meshes read");
            let loaded = load_watched(path, &options, &|_| reading.inc(1));
            reading.finish_and_clear();
            loaded?
        }
        None => example::scene()?,
    };
    let srdf = match (srdf, &scene.robot) {
        (Some(path), Some(robot)) => Some(read_srdf(path, robot)?),
        _ => None,
    };
    let warnings = scene
        .warnings
        .iter()
        .chain(srdf.iter().flat_map(|srdf| &srdf.warnings));
    warnings.for_each(|warning| printer.warning(warning));
    Ok((scene, srdf))
}

/// Reads `NAME=DIR`: where a package is.
pub(super) fn package(text: &str) -> Result<(String, PathBuf), String> {
    let (name, folder) = text.split_once('=').ok_or("expected NAME=DIR")?;
    if name.is_empty() || folder.is_empty() {
        return Err("expected NAME=DIR, both non-empty".to_owned());
    }
    Ok((name.to_owned(), PathBuf::from(folder)))
}
