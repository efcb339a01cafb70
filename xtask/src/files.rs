//! Files and folders, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};

/// Leaves an empty folder.
pub(crate) fn emptied(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// What is in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let all: Result<Vec<_>, _> = fs::read_dir(folder).map_err(failed)?.collect();
    let mut found: Vec<PathBuf> = all
        .map_err(failed)?
        .into_iter()
        .map(|entry| entry.path())
        .collect();
    found.sort();
    Ok(found)
}

/// Copies a folder with all that is in it.
pub(crate) fn copied(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for entry in entries(from)? {
        let target = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            copied(&entry, &target)?;
        } else {
            fs::copy(&entry, &target).map_err(|error| format!("{}: {error}", entry.display()))?;
        }
    }
    Ok(())
}

/// A file's text.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file, and the folders that it is in.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
