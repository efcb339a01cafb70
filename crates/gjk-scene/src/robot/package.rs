//! From the mesh name in a robot file to a file on disk.
//! Where it sits: [`crate::scene`] resolves each collision mesh through [`resolve`].
//! Idea: `package://NAME/…` means a folder NAME. A map from the caller decides first; then the folders from the URDF's own
//! upwards, each of which may hold NAME or be NAME; then the caller's prefixes, which hold packages as ROS installs them. A name
//! that only differs in case is taken with a warning, as other systems would find it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::error::{SceneError, SceneErrorKind as Kind};

/// Folders of packages by name, from `--package NAME=DIR`.
pub type Packages = BTreeMap<String, PathBuf>;

/// The file that a robot's `filename` means, and a warning where it was found by another case.
pub(crate) fn resolve(
    filename: &str,
    robot: &Path,
    packages: &Packages,
    prefixes: &[PathBuf],
) -> Result<(PathBuf, Option<String>), SceneError> {
    let folder = robot.parent().unwrap_or(Path::new(""));
    let mut tried = Vec::new();
    for candidate in candidates(filename, folder, packages, prefixes)? {
        if candidate.is_file() {
            return Ok((candidate, None));
        }
        if let Some(other) = ignoring_case(&candidate) {
            let warning = format!(
                "`{filename}` is found as `{}`: the case differs",
                other.display()
            );
            return Ok((other, Some(warning)));
        }
        tried.push(candidate);
    }
    let looked = tried
        .iter()
        .take(4)
        .map(|path| path.display().to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let help = match package_name(filename) {
        Some((name, _)) if !tried.is_empty() && packages.contains_key(name) => {
            format!("looked for {looked}")
        }
        Some((name, _)) => {
            format!("looked for {looked}; `--package {name}=DIR` says where the package is")
        }
        None => format!("looked for {looked}"),
    };
    Err(
        SceneError::new(Kind::Io, format!("the mesh file `{filename}` is not there"))
            .with_help(help),
    )
}

/// `NAME` and the rest of `package://NAME/rest`; Gazebo's `model://` means the same.
fn package_name(filename: &str) -> Option<(&str, &str)> {
    let rest = filename
        .strip_prefix("package://")
        .or_else(|| filename.strip_prefix("model://"))?;
    // Exporters write `package:///NAME/…` too, and ROS reads it.
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    Some(rest.split_once('/').unwrap_or((rest, "")))
}

fn candidates(
    filename: &str,
    folder: &Path,
    packages: &Packages,
    prefixes: &[PathBuf],
) -> Result<Vec<PathBuf>, SceneError> {
    if let Some((name, rest)) = package_name(filename) {
        if let Some(root) = packages.get(name) {
            return Ok(vec![root.join(rest)]);
        }
        // The real folder, so that "above" has a meaning for a bare file name such as `arm.urdf`.
        let real = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let real = real.canonicalize().unwrap_or_else(|_| real.to_path_buf());
        let mut found = vec![folder.join(name).join(rest)];
        for above in real.ancestors() {
            if above.file_name().is_some_and(|own| own == name) {
                found.push(above.join(rest));
            }
            if above != real {
                found.push(above.join(name).join(rest));
            }
        }
        // ROS installs a package as `PREFIX/share/NAME`; a workspace of sources has it as `PREFIX/NAME`.
        for prefix in prefixes {
            found.push(prefix.join("share").join(name).join(rest));
            found.push(prefix.join(name).join(rest));
        }
        return Ok(found);
    }
    if let Some(rest) = filename.strip_prefix("file://") {
        return Ok(vec![folder.join(rest)]);
    }
    if let Some((scheme, _)) = filename.split_once("://") {
        return Err(SceneError::new(
            Kind::Unsupported,
            format!("meshes are not fetched by `{scheme}://`: `{filename}`"),
        )
        .with_expected("a path, file:// or package://")
        .with_help("download the mesh and name the file"));
    }
    // Windows tools write `meshes\\arm.stl`.
    Ok(vec![
        folder.join(filename),
        folder.join(filename.replace('\\', "/")),
    ])
}

/// The file whose path differs from `path` only in case, when there is one.
fn ignoring_case(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        let is_name = matches!(component, Component::Normal(_));
        if !is_name || next.exists() {
            found = next;
            continue;
        }
        let wanted = component.as_os_str().to_string_lossy().to_lowercase();
        let folder = if found.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &found
        };
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .ok()?
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        names.sort();
        let name = names
            .into_iter()
            .find(|name| name.to_string_lossy().to_lowercase() == wanted)?;
        found = found.join(name);
    }
    found.is_file().then_some(found)
}
