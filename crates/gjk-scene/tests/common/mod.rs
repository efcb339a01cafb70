//! What the tests share: the collected data's folder, and small files in a folder of their own.
#![allow(dead_code, unreachable_pub, clippy::print_stderr)]

use std::path::{Path, PathBuf};

/// The folder of collected robots and meshes: `GJK_DATA`, or `shared/data` beside the repository. Absent: the test says so and
/// passes.
pub fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GJK_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "SKIPPED: no test data at {}; set GJK_DATA",
        folder.display()
    );
    None
}

/// A folder for one test's files, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("gjk-scene-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder"))
            .expect("the folder can be written");
        std::fs::write(&path, bytes).expect("the file can be written");
        path
    }

    /// A message with the folder's own path taken out.
    pub fn shown(&self, message: impl ToString) -> String {
        message
            .to_string()
            .replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
