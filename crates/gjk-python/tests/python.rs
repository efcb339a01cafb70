//! The tests of Python, as a test of the workspace: an environment of its own, the module that was just built, pytest.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether Python must be here: where this is set nothing is skipped.
fn is_required() -> bool {
    std::env::var_os("GJK_PYTHON_REQUIRED").is_some()
}

/// Says that the tests are left out, or fails where they may not be.
#[allow(clippy::print_stderr)] // what a person should see
fn skipped(why: &str) {
    assert!(!is_required(), "the Python tests are required: {why}");
    eprintln!("SKIPPED the Python tests: {why}");
}

/// An interpreter of 3.10 or newer.
fn interpreter() -> Option<String> {
    let named = std::env::var("GJK_PYTHON").ok();
    let names = named.into_iter().chain(["python3".into(), "python".into()]);
    names.into_iter().find(|name| {
        let check = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
        let ran = Command::new(name).args(["-c", check]).output();
        ran.is_ok_and(|ran| ran.status.success())
    })
}

fn run(command: &mut Command) -> Result<(), String> {
    let ran = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if ran.status.success() {
        return Ok(());
    }
    let said =
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    Err(format!("{command:?}: {said}"))
}

/// Whether the tests of Ray run too: it is large, and takes seconds to start.
fn with_ray() -> bool {
    std::env::var_os("GJK_PYTHON_RAY").is_some()
}

/// An environment with what the tests need, made once for each list of it.
fn environment(python: &str, root: &Path) -> Result<PathBuf, String> {
    let name = if with_ray() { "python-ray" } else { "python" };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let inside = if cfg!(windows) { "Scripts" } else { "bin" };
    let own = folder.join("venv").join(inside).join("python");
    let mut wanted = std::fs::read_to_string(root.join("python/requirements-test.txt"))
        .map_err(|error| error.to_string())?;
    if with_ray() {
        wanted += "ray[data]>=2.40\n";
    }
    let stamp = folder.join("requirements.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|has| has == wanted) && own.exists() {
        return Ok(own);
    }
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    run(Command::new(python)
        .args(["-m", "venv", "--clear"])
        .arg(folder.join("venv")))?;
    let list = folder.join("wanted.txt");
    std::fs::write(&list, &wanted).map_err(|error| error.to_string())?;
    run(Command::new(&own)
        .args(["-m", "pip", "install", "--quiet", "-r"])
        .arg(&list))?;
    std::fs::rename(&list, &stamp).map_err(|error| error.to_string())?;
    Ok(own)
}

/// A folder's files, and those of the folders in it.
fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copied(&path, &target)?;
        } else {
            std::fs::copy(path, target)?;
        }
    }
    Ok(())
}

/// The built module beside the package's files.
fn package(root: &Path) -> Result<PathBuf, String> {
    // Beside this test there are the library's own files, of any build; the newest is that of this one.
    let deps = std::env::current_exe().map_err(|error| error.to_string())?;
    let deps = deps.parent().ok_or("the test is in no folder")?;
    let name = format!(
        "{}gjk_python{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let built = [deps.join(&name), deps.parent().unwrap_or(deps).join(&name)];
    let built = built
        .iter()
        .filter(|file| file.exists())
        .max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok())
        .ok_or_else(|| format!("{name} is not beside the test"))?;
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python/site");
    let package = site.join("gjk");
    let failed = |error: std::io::Error| error.to_string();
    if site.exists() {
        std::fs::remove_dir_all(&site).map_err(failed)?;
    }
    copied(&root.join("python/gjk"), &package).map_err(failed)?;
    let module = if cfg!(windows) {
        "_gjk.pyd"
    } else {
        "_gjk.abi3.so"
    };
    std::fs::copy(built, package.join(module)).map_err(failed)?;
    Ok(site)
}

#[test]
#[allow(clippy::print_stdout)] // pytest's own words
fn pytest_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(python) = interpreter() else {
        return skipped("no Python of 3.10 or newer (name one as GJK_PYTHON)");
    };
    let python = match environment(&python, root) {
        Ok(python) => python,
        Err(why) => return skipped(&why),
    };
    let site = package(root).expect("the module");
    let ran = Command::new(python)
        .args([
            "-W",
            "error",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
        ])
        .args(["--doctest-modules", "--import-mode=importlib"])
        .arg(site.join("gjk"))
        .arg(root.join("python/tests"))
        .env("PYTHONPATH", &site)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MYPY_CACHE_DIR", site.with_file_name("mypy"))
        .env("MPLCONFIGDIR", site.with_file_name("matplotlib"))
        .env(
            "HYPOTHESIS_STORAGE_DIRECTORY",
            site.with_file_name("hypothesis"),
        )
        .output()
        .expect("pytest");
    println!("{}", String::from_utf8_lossy(&ran.stdout));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "pytest failed: {said}");
}
