//! What this machine has: for each target a compiler, a linker, and a program that runs what they made.
//!
//! Read [`plan`] first. Idea: nothing is configured. With rustup a target's standard library is one `rustup target add`;
//! without it Debian's compiler builds the library from Debian's sources, which `RUSTC_BOOTSTRAP` allows.

use super::{Target, target_folder};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's packages for all targets; `rustc-web` replaces its `rustc` and does not disturb a rustup in a home folder.
const DEBIAN: [&str; 8] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "lld",
    "wasi-libc",
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
    "qemu-user",
];
/// Where Debian's `wasi-libc` is.
const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
const AARCH64_LINKER: &str = "aarch64-linux-gnu-gcc";
const AARCH64_RUNNERS: [&str; 2] = ["qemu-aarch64", "qemu-aarch64-static"];

/// How a target's answers are had.
pub(super) struct Plan {
    /// Builds the program.
    pub(super) build: Command,
    /// Runs it.
    pub(super) program: Command,
}

/// The plan for a target, or what is missing for it and how to get it.
pub(super) fn plan(target: &Target, root: &Path) -> Result<Plan, Vec<String>> {
    let folder = target_folder(target, root);
    if target.arch == std::env::consts::ARCH {
        return Ok(own(target, root, &folder));
    }
    let file = folder.join(target.triple).join("release");
    match target.arch {
        "aarch64" => aarch64(target, root, &file),
        "wasm32" => wasm32(target, root, &file),
        arch => Err(vec![format!("a machine that is {arch}")]),
    }
}

/// This machine's own processor.
fn own(target: &Target, root: &Path, folder: &Path) -> Plan {
    let mut build = cargo(&Toolchain::current(), target, root);
    if let Some(cpu) = target.cpu {
        build.env("RUSTFLAGS", format!("-Ctarget-cpu={cpu}"));
    }
    let name = format!("answers{}", std::env::consts::EXE_SUFFIX);
    Plan { build, program: Command::new(folder.join("release").join(name)) }
}

fn aarch64(target: &Target, root: &Path, built: &Path) -> Result<Plan, Vec<String>> {
    let compiler = Toolchain::with(target.triple).ok_or_else(|| library(target, &DEBIAN[..3]));
    let linker = on_path(&[AARCH64_LINKER])
        .ok_or_else(|| format!("{AARCH64_LINKER} (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross)"));
    let runner = on_path(&AARCH64_RUNNERS).ok_or_else(|| format!("{} (Debian: qemu-user)", AARCH64_RUNNERS[0]));
    match (compiler, linker, runner) {
        (Ok(compiler), Ok(linker), Ok(runner)) => {
            let mut build = cargo(&compiler, target, root);
            build.args(["--target", target.triple]);
            build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", linker);
            // Without shared libraries the emulator need not know where those of the other processor are.
            build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS", "-Ctarget-feature=+crt-static");
            let mut program = Command::new(runner);
            program.arg(built.join("answers"));
            Ok(Plan { build, program })
        }
        (compiler, linker, runner) => Err([compiler.err(), linker.err(), runner.err()].into_iter().flatten().collect()),
    }
}

fn wasm32(target: &Target, root: &Path, built: &Path) -> Result<Plan, Vec<String>> {
    let compiler = Toolchain::with(target.triple).ok_or_else(|| library(target, &DEBIAN[..5]));
    let node = on_path(&["node", "nodejs"]).ok_or_else(|| "node 20 or newer (nodejs.org)".to_owned());
    // rustup's standard library comes with a C library and a linker, one built from source with neither.
    let from_source = compiler.as_ref().is_ok_and(|compiler| compiler.from_source);
    let start = Path::new(WASI_LIBC).join("crt1-command.o");
    let linker = on_path(&["wasm-ld", "wasm-ld-14"]);
    let link = match linker {
        _ if !from_source => Ok(None),
        Some(linker) if start.exists() => Ok(Some(linker)),
        _ => Err(format!("wasm-ld and {WASI_LIBC} (Debian: lld wasi-libc)")),
    };
    match (compiler, node, link) {
        (Ok(compiler), Ok(node), Ok(link)) => {
            let mut build = cargo(&compiler, target, root);
            build.args(["--target", target.triple]);
            if let Some(linker) = link {
                build.env("CARGO_TARGET_WASM32_WASIP1_LINKER", linker).env(
                    "CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS",
                    format!("-Clink-self-contained=no -Clink-arg={} -Lnative={WASI_LIBC}", start.display()),
                );
            }
            let mut program = Command::new(node);
            program.arg("--no-warnings").arg(root.join("xtask/answers/wasi.mjs")).arg(built.join("answers.wasm"));
            Ok(Plan { build, program })
        }
        (compiler, node, link) => Err([compiler.err(), node.err(), link.err()].into_iter().flatten().collect()),
    }
}

/// How to come by a standard library.
fn library(target: &Target, debian: &[&str]) -> String {
    let (triple, packages) = (target.triple, debian.join(" "));
    format!("the standard library of {triple} (rustup target add {triple}; or Debian: {packages})")
}

/// A compiler that has a target's standard library, or the sources to build it from.
struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    from_source: bool,
}

impl Toolchain {
    /// The one that runs this.
    fn current() -> Self {
        let cargo = std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        Self { cargo, rustc: "rustc".into(), from_source: false }
    }

    /// One for a target: the current one or the system's, rather with a library than with sources.
    fn with(triple: &str) -> Option<Self> {
        let system = || Self { cargo: "/usr/bin/cargo".into(), rustc: "/usr/bin/rustc".into(), from_source: false };
        let all = || [Self::current(), system()].into_iter();
        let sources = |found: &Self| found.asked(&["--print", "sysroot"]).is_some_and(|path| has_sources(&path));
        let built = |found: &Self| {
            found.asked(&["--print", "target-libdir", "--target", triple]).is_some_and(|path| path.is_dir())
        };
        all().find(built).or_else(|| all().find(sources).map(|found| Self { from_source: true, ..found }))
    }

    /// A path that the compiler prints.
    fn asked(&self, arguments: &[&str]) -> Option<PathBuf> {
        let output = Command::new(&self.rustc).args(arguments).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.trim().is_empty()).then(|| PathBuf::from(text.trim()))
    }
}

fn has_sources(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").exists()
}

/// `cargo build` of the program, without what the caller's environment says of other builds.
fn cargo(toolchain: &Toolchain, target: &Target, root: &Path) -> Command {
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["build", "--release", "--manifest-path"]).arg(root.join("xtask/answers/Cargo.toml"));
    cargo.arg("--target-dir").arg(target_folder(target, root));
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    cargo.env("RUSTC", &toolchain.rustc).stdout(Stdio::null());
    if toolchain.from_source {
        cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
    }
    cargo
}

/// The first of these programs that is on the path.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Installs Debian's packages, and says whether that went well.
pub(super) fn install() -> bool {
    let mut packages = DEBIAN.to_vec();
    if on_path(&["node", "nodejs"]).is_none() {
        packages.push("nodejs");
    }
    let update = apt_get(&["update"]);
    update && apt_get(&[&["install", "--yes", "--no-install-recommends"], &packages[..]].concat())
}

fn apt_get(arguments: &[&str]) -> bool {
    // Only who owns the system's files may install; where there is no `sudo`, one is that owner or it fails.
    let sudo = std::env::var_os("USER").is_none_or(|user| user != OsStr::new("root"));
    let mut command = match on_path(&["sudo"]) {
        Some(sudo_program) if sudo => {
            let mut command = Command::new(sudo_program);
            command.arg("apt-get");
            command
        }
        _ => Command::new("apt-get"),
    };
    let status = command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status();
    if let Err(error) = &status {
        eprintln!("apt-get: {error}; --install is for Debian, elsewhere: rustup target add ...");
    }
    status.is_ok_and(|status| status.success())
}
