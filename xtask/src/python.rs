//! Python on this machine: an environment with pinned packages, and what a program said.
//!
//! Read [`Environment::new`] first. Idea: an environment is made once for each list of packages, and a file in it has the list that it was made of.

use crate::files::{copied, emptied};
use crate::machine::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What an environment is to have.
pub(crate) struct Wanted<'w> {
    /// The oldest Python that will do, as `3.N`.
    pub(crate) minor: u32,
    /// A list as pip reads it.
    pub(crate) list: &'w str,
    /// Where that list stands, for who reads that it cannot be installed.
    pub(crate) place: &'w str,
}

/// A folder with an interpreter and packages of its own.
pub(crate) struct Environment(PathBuf);

impl Environment {
    /// The environment in a folder, which is made if it is not there or has another list.
    pub(crate) fn new(folder: PathBuf, wanted: &Wanted<'_>) -> Result<Self, String> {
        let stamp = folder.join("requirements.txt");
        if fs::read_to_string(&stamp).is_ok_and(|has| has == wanted.list) {
            return Ok(Self(folder));
        }
        let python = interpreter();
        let version = format!(
            "import sys; sys.exit(sys.version_info < (3, {}))",
            wanted.minor
        );
        ran(Command::new(&python).args(["-c", &version])).map_err(|why| {
            let minor = wanted.minor;
            format!(
                "no Python of 3.{minor} or newer as `{python}` (GJK_PYTHON names another): {why}"
            )
        })?;
        let made = Self::bare(&python, folder)?;
        // It gets its name when all is installed.
        let list = stamp.with_extension("wanted");
        let failed = |error: std::io::Error| format!("{}: {error}", list.display());
        fs::write(&list, wanted.list).map_err(failed)?;
        ran(made.pip(&["install", "--quiet", "-r"]).arg(&list)).map_err(|why| {
            let place = wanted.place;
            format!("what {place} names cannot be installed; is there a way to an index of packages? {why}")
        })?;
        fs::rename(&list, &stamp).map_err(failed)?;
        Ok(made)
    }

    /// A fresh environment of an interpreter, with nothing but pip.
    pub(crate) fn bare(python: impl AsRef<Path>, folder: PathBuf) -> Result<Self, String> {
        let mut make = Command::new(python.as_ref());
        make.args(["-m", "venv", "--clear"]).arg(&folder);
        ran(&mut make)
            .map_err(|why| format!("no environment can be made (Debian: python3-venv): {why}"))?;
        Ok(Self(folder))
    }

    /// Its pip with arguments.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Command {
        let mut pip = self.program("python");
        pip.args(["-m", "pip", "--disable-pip-version-check"]);
        pip.args(arguments);
        pip
    }

    /// A program of it.
    pub(crate) fn program(&self, name: &str) -> Command {
        Command::new(self.programs().join(name))
    }

    /// Where its programs are.
    pub(crate) fn programs(&self) -> PathBuf {
        self.0.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }
}

/// The interpreter that the project's tasks run.
pub(crate) fn interpreter() -> String {
    std::env::var("GJK_PYTHON").unwrap_or_else(|_| "python3".into())
}

/// The compiled module of a folder of cargo's beside the package's files, as in a wheel.
pub(crate) fn package(built: &Path, folder: &Path) -> Result<(), String> {
    emptied(folder)?;
    let package = folder.join("gjk");
    copied(&root().join("crates/gjk-python/python/gjk"), &package)?;
    let (start, end) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = if cfg!(windows) {
        "_gjk.pyd"
    } else {
        "_gjk.abi3.so"
    };
    let built = built.join(format!("{start}gjk_python{end}"));
    fs::copy(&built, package.join(module))
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", built.display()))
}

/// What a program printed, or what it said when it failed.
pub(crate) fn ran(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // Of a program of Python the words before its own trace, if it has some.
    let words = format!("{printed}{}", uncoloured(&said));
    let words = words
        .split_once("\nTraceback")
        .map_or(words.as_str(), |(before, _)| before);
    let name = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let name = name.to_string_lossy();
    Err(format!("{name} failed:\n{}", words.trim_end()))
}

/// A text without a terminal's colours: the site's generator does not heed `NO_COLOR`.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| {
        done + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}
