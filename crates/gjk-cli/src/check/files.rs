//! Files that a check writes beside its report: asked for before the long run, written after it.

use gjk_scene::{SceneError, SceneErrorKind};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that can be written, as it seemed before the run.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    /// Whether it is there by this run alone.
    is_new: bool,
}

impl OutputFile {
    /// Opens a file to see whether that is allowed. What is in it stays until it is written.
    ///
    /// # Errors  a folder that is not there, no permission, a folder in the place of the file.
    pub fn open(path: &Path) -> Result<Self, SceneError> {
        let is_new = !path.exists();
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| refused(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            is_new,
        })
    }

    /// Writes it, in the place of what was there.
    ///
    /// # Errors  as of opening it, and a disk that is full.
    pub fn write(&self, text: &str) -> Result<(), SceneError> {
        self.write_bytes(text.as_bytes())
    }

    /// The same with bytes that are no text.
    ///
    /// # Errors  as of a text.
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<(), SceneError> {
        fs::write(&self.path, bytes).map_err(|error| refused(&self.path, &error))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it away again where nothing was written, if this run made it.
    pub fn forget(&self) {
        if self.is_new {
            // An empty file that stays does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn refused(path: &Path, error: &io::Error) -> SceneError {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let help = match folder {
        Some(folder) if !folder.is_dir() => {
            format!("there is no folder `{}`: make it first", folder.display())
        }
        _ if path.is_dir() => "it is a folder: name a file in it".to_owned(),
        _ => "name a file that you may write".to_owned(),
    };
    SceneError::new(SceneErrorKind::Io, format!("cannot be written: {error}"))
        .with_file(path)
        .with_help(help)
}

/// Reads the name of a file to write. Standard output has the report already.
///
/// # Errors  `-`, which is no file.
pub fn output_path(text: &str) -> Result<PathBuf, String> {
    if text == "-" {
        return Err("expected a file: standard output has the table, or the JSON".to_owned());
    }
    Ok(PathBuf::from(text))
}
