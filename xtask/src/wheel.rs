//! The wheel of the Python package: built as users get it, looked at, and tried in every interpreter of this machine.
//!
//! Read [`run`] first. Idea: maturin builds, with the licences of what others wrote put beside its project for that time; a program of
//! Python's own library looks at each file of the wheel (`wheel/look.py`); then the wheel is installed and the readme's examples run
//! (`wheel/interpreters.rs`). Paths of this machine are taken out of the module by the compiler, out of the bill of materials by `wheel/plain.py`, and looked for afterwards.
//! Exit codes: 0 nothing is wrong, 1 findings, 2 arguments or it does not build, 3 no Python or no way to an index of packages.

#[path = "wheel/interpreters.rs"]
mod interpreters;

use crate::files::emptied;
use crate::licences;
use crate::machine::{self, Program};
use crate::python::{Environment, Wanted, ran};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const USAGE: &str = "usage: cargo xtask wheel [--zig] [--out DIR] [--profile P] [--sdist]
       cargo xtask wheel --licences         only the file of others' licences, for a build by another program";
const MISSING: u8 = 3;
/// What builds the wheel.
const MATURIN: &str = "maturin==1.16.0\n";
/// What links for older systems, where that is asked for.
const ZIG: &str = "ziglang==0.15.2\n";
/// The oldest system that a wheel linked by zig is for: its C library is of 2012.
const OLDEST: &str = "manylinux_2_17";
/// The profile of `Cargo.toml` that users get.
const PROFILE: &str = "wheel";
/// The most bytes of a wheel as users load it. Indexes take ten times as much; what grows beyond is a debugger's information, a second copy of
/// the library, or files that belong in the repository.
const WHEEL_MAX: u64 = 6_700_000;
/// The file with the licences of others, which maturin takes by the pattern `LICENSE-*` of the project.
const THIRD_PARTY: &str = "LICENSE-THIRD-PARTY";
/// Looks at a wheel.
const LOOK: &str = include_str!("wheel/look.py");
/// Takes the repository's folder out of a wheel's bill of materials.
const PLAIN: &str = include_str!("wheel/plain.py");
/// What stands in the place of that folder.
const NAME: &str = "gjk";
/// How a finding of [`LOOK`] begins.
const FINDING: &str = "finding: ";
/// What stands between the compiler's options in `CARGO_ENCODED_RUSTFLAGS`.
const BETWEEN: &str = "\u{1f}";

struct Settings {
    zig: bool,
    sdist: bool,
    out: Option<PathBuf>,
    profile: String,
}

/// Where things are and go.
struct Places {
    root: PathBuf,
    /// The folder of `pyproject.toml`.
    project: PathBuf,
    /// All that this task makes. Cargo's folder of the profile has another name.
    work: PathBuf,
    environment: Environment,
}

/// Builds the wheel, checks it, and says what is wrong with it.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    if arguments == ["--licences"] {
        return written();
    }
    let settings = match settings(arguments) {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let work = machine::target().join("wheel-check");
    let list = if settings.zig {
        MATURIN.to_owned() + ZIG
    } else {
        MATURIN.to_owned()
    };
    let wanted = Wanted {
        minor: 10,
        list: &list,
        place: "xtask/src/wheel.rs",
    };
    let environment = match Environment::new(work.join("venv"), &wanted) {
        Ok(environment) => environment,
        Err(why) => {
            eprintln!("SKIPPED the wheel: {why}");
            return ExitCode::from(MISSING);
        }
    };
    let places = Places {
        project: project(),
        root: machine::root(),
        work,
        environment,
    };
    match checked(&places, &settings) {
        Ok(findings) => {
            for finding in &findings {
                println!("{finding}");
            }
            println!("wheel: {} findings; nothing was sent", findings.len());
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(why) => {
            eprintln!("wheel: {why}");
            ExitCode::from(2)
        }
    }
}

/// Writes the file of licences, and leaves it there.
fn written() -> ExitCode {
    match ThirdParty::new() {
        Ok(file) => {
            println!("written: {}", file.0.display());
            std::mem::forget(file);
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("wheel: {why}");
            ExitCode::from(2)
        }
    }
}

/// The folder of `pyproject.toml`.
fn project() -> PathBuf {
    machine::root().join("crates/gjk-python")
}

fn settings(arguments: &[String]) -> Result<Settings, String> {
    let mut settings = Settings {
        zig: false,
        sdist: false,
        out: None,
        profile: PROFILE.to_owned(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--zig" => settings.zig = true,
            "--sdist" => settings.sdist = true,
            "--out" => settings.out = Some(rest.next().ok_or("--out needs a folder")?.into()),
            "--profile" => settings.profile = rest.next().ok_or("--profile needs a name")?.into(),
            _ => return Err(format!("cannot read `{argument}`")),
        }
    }
    Ok(settings)
}

/// Builds and checks, and copies the wheel to where it is asked for if nothing is wrong.
fn checked(places: &Places, settings: &Settings) -> Result<Vec<String>, String> {
    let wheel = built(places, settings)?;
    let mut findings = looked(places, &wheel, &Look::of_build(settings))?;
    findings.extend(interpreters::tried(places, &wheel)?);
    if settings.sdist {
        findings.extend(of_sources(places)?);
    }
    match &settings.out {
        Some(out) if findings.is_empty() => {
            let to = out.join(wheel.file_name().unwrap_or_default());
            fs::create_dir_all(out)
                .and_then(|()| fs::copy(&wheel, &to))
                .map_err(|error| format!("{}: {error}", to.display()))?;
            println!("written: {}", to.display());
        }
        _ => println!("built: {}", wheel.display()),
    }
    Ok(findings)
}

/// The wheel, with the licences of others in it.
fn built(places: &Places, settings: &Settings) -> Result<PathBuf, String> {
    let out = places.work.join("dist");
    emptied(&out)?;
    let _licences = ThirdParty::new()?;
    let mut maturin = maturin(places, "build");
    maturin.args(["--locked", "--profile", &settings.profile]);
    if settings.zig {
        maturin.args(["--zig", "--compatibility", OLDEST]);
    }
    shown(maturin.arg("--out").arg(&out))?;
    let wheel = only(&out, "whl")?;
    let mut plain = places.environment.program("python");
    plain.args(["-I", "-c", PLAIN]).arg(&wheel);
    shown(plain.arg(&places.root).arg(NAME))?;
    Ok(wheel)
}

/// A command of maturin on the project.
fn maturin(places: &Places, command: &str) -> Command {
    let mut maturin = places.environment.program("maturin");
    maturin.arg(command).arg("--manifest-path");
    maturin.arg(places.project.join("Cargo.toml"));
    compiler(places, &mut maturin);
    maturin
}

/// What the compiler is told, which is the same for all that is built here: no file of a user names a folder of this machine.
fn compiler(places: &Places, command: &mut Command) {
    let cargo = places.work.join("cargo");
    let mut options: Vec<String> = match std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(options) => options.split(BETWEEN).map(str::to_owned).collect(),
        Err(_) => std::env::var("RUSTFLAGS")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    };
    let folders = [
        (places.root.as_path(), NAME),
        (&home().join("registry/src"), "crates"),
    ];
    for (folder, name) in folders {
        options.push(format!("--remap-path-prefix={}={name}", folder.display()));
    }
    options.retain(|option| !option.is_empty());
    command.env("CARGO_ENCODED_RUSTFLAGS", options.join(BETWEEN));
    command.env("CARGO_TARGET_DIR", cargo);
    // Where cargo's settings are.
    command.current_dir(&places.root);
    // The times in the wheel are those of the commit, so that the same sources make the same file.
    let mut git = Command::new("git");
    git.current_dir(&places.root);
    if let Ok(time) = ran(git.args(["log", "-1", "--format=%ct"])) {
        command.env("SOURCE_DATE_EPOCH", time.trim());
    }
    // maturin finds its linker in the environment's packages by the interpreter of that environment.
    command.env("PATH", with_programs(&places.environment.programs()));
}

/// The path of programs, with a folder before the others.
fn with_programs(folder: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).unwrap_or(path)
}

/// Where cargo keeps the sources of others.
fn home() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
        .unwrap_or_default()
}

/// The licences of others beside the project, as long as this lives: a build by hand would take an old list.
struct ThirdParty(PathBuf);

impl ThirdParty {
    fn new() -> Result<Self, String> {
        let project = project();
        let program = Program {
            manifest: project.join("Cargo.toml"),
            folder: PathBuf::new(),
            flags: "",
        };
        let text = licences::of_module(&program, &machine::host()?)?;
        let file = Self(project.join(THIRD_PARTY));
        fs::write(&file.0, text).map_err(|error| format!("{}: {error}", file.0.display()))?;
        Ok(file)
    }
}

impl Drop for ThirdParty {
    fn drop(&mut self) {
        // It is ignored by git; what is left of it is written again by the next run.
        let _ = fs::remove_file(&self.0);
    }
}

/// How a wheel is looked at.
struct Look {
    third_party: bool,
    limit: u64,
    platform: &'static str,
    is_remapped: bool,
}

impl Look {
    fn of_build(settings: &Settings) -> Self {
        let is_for_users = settings.profile == PROFILE;
        if !is_for_users {
            println!(
                "the limit of {WHEEL_MAX} bytes is for the profile `{PROFILE}`, and not looked at"
            );
        }
        Self {
            third_party: true,
            limit: if is_for_users { WHEEL_MAX } else { 0 },
            platform: if settings.zig { OLDEST } else { "" },
            is_remapped: true,
        }
    }
}

/// What is wrong with the files of a wheel.
fn looked(places: &Places, wheel: &Path, how: &Look) -> Result<Vec<String>, String> {
    let mut look = places.environment.program("python");
    look.args(["-I", "-c", LOOK]).arg(wheel);
    look.arg("--source").arg(&places.project);
    look.args(["--version", env!("CARGO_PKG_VERSION")]);
    look.args(["--limit", &how.limit.to_string()]);
    look.args(["--platform", how.platform]);
    if how.third_party {
        look.arg("--third-party");
    }
    if how.is_remapped {
        for folder in [&places.root, &home(), &places.work] {
            look.arg("--secret").arg(folder);
        }
    }
    let output = look
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{:?}: {error}", look.get_program()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (findings, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with(FINDING));
    rest.iter().for_each(|line| println!("{line}"));
    match (output.status.code(), findings.is_empty()) {
        (Some(0), true) | (Some(1), false) => {
            Ok(findings.iter().map(|line| (*line).to_owned()).collect())
        }
        _ => Err(format!("wheel/look.py fails on {}", wheel.display())),
    }
}

/// A wheel of the source distribution, built as pip does where there is no wheel, and looked at. Its options are cheap ones.
fn of_sources(places: &Places) -> Result<Vec<String>, String> {
    let folder = places.work.join("sdist");
    emptied(&folder)?;
    shown(maturin(places, "sdist").arg("--out").arg(&folder))?;
    let archive = only(&folder, "gz")?;
    let size = fs::metadata(&archive).map_or(0, |data| data.len());
    println!("{}: {size} bytes", archive.display());
    let mut pip = places
        .environment
        .pip(&["wheel", "--no-deps", "--no-cache-dir"]);
    pip.arg("--wheel-dir").arg(&folder).arg(&archive);
    compiler(places, &mut pip);
    pip.env("MATURIN_PEP517_ARGS", "--profile dev");
    // Its lock names members that a source distribution has not, so that it cannot be `--locked`.
    if let Err(why) = shown(&mut pip) {
        return Ok(vec![format!("{FINDING}from the sources: no wheel: {why}")]);
    }
    let how = Look {
        third_party: false,
        limit: 0,
        platform: "",
        is_remapped: false,
    };
    let findings = looked(places, &only(&folder, "whl")?, &how)?;
    let of_sources =
        |line: String| line.replacen(FINDING, &format!("{FINDING}from the sources: "), 1);
    Ok(findings.into_iter().map(of_sources).collect())
}

/// Runs a program whose words are for who waits.
fn shown(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .map_err(|error| format!("{name}: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{name} fails; its own words are above"))
}

/// The only file of a folder that ends so.
fn only(folder: &Path, end: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new(end)))
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some(file), true) => Ok(file),
        (file, _) => {
            let count = found.len() + usize::from(file.is_some());
            Err(format!(
                "{}: {count} files of .{end}, not one",
                folder.display()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::interpreter;

    #[test]
    fn arguments_are_read_or_named() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            settings(&words)
        };
        let given = read(&["--zig", "--out", "here", "--sdist"]).expect("arguments");
        assert!(given.zig && given.sdist && given.profile == PROFILE);
        assert_eq!(given.out.as_deref(), Some(Path::new("here")));
        assert_eq!(
            read(&["--out"]).err().as_deref(),
            Some("--out needs a folder")
        );
        assert_eq!(
            read(&["--fast"]).err().as_deref(),
            Some("cannot read `--fast`")
        );
    }

    /// The faults of a small wheel, by the programs' own tests.
    #[test]
    fn faults_of_a_wheel_are_found() {
        let tests = machine::root().join("xtask/src/wheel/test_look.py");
        let output = Command::new(interpreter()).arg("-B").arg(tests).output();
        let Ok(output) = output else {
            assert!(
                std::env::var_os("GJK_PYTHON_REQUIRED").is_none(),
                "no Python"
            );
            return eprintln!("SKIPPED the tests of wheel/look.py: no Python");
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}
