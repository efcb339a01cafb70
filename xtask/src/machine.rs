//! What this machine has: compilers for other targets, linkers, and other programs on the path.
//!
//! Read [`wasm32`] first. Idea: nothing is configured. With rustup a target's standard library is one `rustup target add`;
//! without it Debian's compiler builds the library from Debian's sources, which `RUSTC_BOOTSTRAP` allows.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's packages that build for any target; `rustc-web` replaces its `rustc` and does not disturb a rustup in a home folder.
pub(crate) const DEBIAN_RUST: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
/// Debian's packages that build for WebAssembly.
pub(crate) const DEBIAN_WASM: [&str; 5] = [
    DEBIAN_RUST[0],
    DEBIAN_RUST[1],
    DEBIAN_RUST[2],
    "lld",
    "wasi-libc",
];
/// Programs that run outside of a browser, on WebAssembly's system interface.
pub(crate) const WASM_TRIPLE: &str = "wasm32-wasip1";
/// Where Debian's `wasi-libc` is.
const WASI_LIBC: &str = "/usr/lib/wasm32-wasi";
/// What Rust's standard library asks of a C library and that one lacks, a name a line: a program that uses it imports it.
const WASI_ABSENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/wasi-absent.txt");

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// Where cargo builds. It is no relative path, because programs run in other folders than this one.
pub(crate) fn target() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    std::path::absolute(&target).unwrap_or(target)
}

/// A program of a workspace of its own.
pub(crate) struct Program<'p> {
    /// The `Cargo.toml` of its workspace.
    pub(crate) manifest: PathBuf,
    /// Where its build goes.
    pub(crate) folder: PathBuf,
    /// What the compiler is told besides.
    pub(crate) flags: &'p str,
}

/// Builds a program for [`WASM_TRIPLE`], or what is missing for that and how to get it.
pub(crate) fn wasm32(program: &Program<'_>) -> Result<Command, Vec<String>> {
    let compiler = Toolchain::with(WASM_TRIPLE).ok_or_else(|| library(WASM_TRIPLE, &DEBIAN_WASM));
    // rustup's standard library comes with a C library and a linker, one built from source with neither.
    let from_source = compiler.as_ref().is_ok_and(|compiler| compiler.from_source);
    let start = Path::new(WASI_LIBC).join("crt1-command.o");
    let link = match on_path(&["wasm-ld", "wasm-ld-14"]) {
        _ if !from_source => Ok(None),
        Some(linker) if start.exists() => Ok(Some(linker)),
        _ => Err(format!("wasm-ld and {WASI_LIBC} (Debian: lld wasi-libc)")),
    };
    match (compiler, link) {
        (Ok(compiler), Ok(link)) => {
            let mut build = cargo(&compiler, program);
            build.args(["--target", WASM_TRIPLE]);
            let mut flags = program.flags.to_owned();
            if let Some(linker) = link {
                build.env("CARGO_TARGET_WASM32_WASIP1_LINKER", linker);
                let start = start.display();
                flags += &format!(
                    " -Clink-self-contained=no -Clink-arg={start} -Lnative={WASI_LIBC} \
                     -Clink-arg=--allow-undefined-file={WASI_ABSENT}"
                );
            }
            build.env("CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS", flags);
            Ok(build)
        }
        (compiler, link) => Err([compiler.err(), link.err()].into_iter().flatten().collect()),
    }
}

/// How to come by a standard library.
pub(crate) fn library(triple: &str, debian: &[&str]) -> String {
    let packages = debian.join(" ");
    format!("the standard library of {triple} (rustup target add {triple}; or Debian: {packages})")
}

/// A compiler that has a target's standard library, or the sources to build it from.
pub(crate) struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    from_source: bool,
}

impl Toolchain {
    /// The one that runs this.
    pub(crate) fn current() -> Self {
        let cargo = std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        Self {
            cargo,
            rustc: "rustc".into(),
            from_source: false,
        }
    }

    /// One for a target: the current one or the system's, rather with a library than with sources.
    pub(crate) fn with(triple: &str) -> Option<Self> {
        let system = || Self {
            cargo: "/usr/bin/cargo".into(),
            rustc: "/usr/bin/rustc".into(),
            from_source: false,
        };
        let all = || [Self::current(), system()].into_iter();
        let sources = |found: &Self| {
            found
                .asked(&["--print", "sysroot"])
                .is_some_and(|path| has_sources(&path))
        };
        let built = |found: &Self| {
            found
                .asked(&["--print", "target-libdir", "--target", triple])
                .is_some_and(|path| path.is_dir())
        };
        all().find(built).or_else(|| {
            all().find(sources).map(|found| Self {
                from_source: true,
                ..found
            })
        })
    }

    /// A path that the compiler prints.
    fn asked(&self, arguments: &[&str]) -> Option<PathBuf> {
        let output = Command::new(&self.rustc)
            .args(arguments)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.trim().is_empty()).then(|| PathBuf::from(text.trim()))
    }
}

fn has_sources(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib/src/rust/library/Cargo.lock")
        .exists()
}

/// `cargo build` of a program, without what the caller's environment says of other builds.
pub(crate) fn cargo(toolchain: &Toolchain, program: &Program<'_>) -> Command {
    let mut cargo = Command::new(&toolchain.cargo);
    cargo
        .args(["build", "--release", "--manifest-path"])
        .arg(&program.manifest);
    cargo.arg("--target-dir").arg(&program.folder);
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    cargo.env("RUSTC", &toolchain.rustc).stdout(Stdio::null());
    if toolchain.from_source {
        cargo
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1");
    }
    cargo
}

/// What cargo says of the crates of a program, as JSON.
pub(crate) fn cargo_metadata(program: &Program<'_>, triple: &str) -> Result<String, String> {
    let toolchain = Toolchain::with(triple).unwrap_or_else(Toolchain::current);
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args([
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        triple,
        "--manifest-path",
    ]);
    let output = cargo
        .arg(&program.manifest)
        .env("RUSTC", &toolchain.rustc)
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|error| format!("{:?}: {error}", cargo.get_program()))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata of {} fails",
            program.manifest.display()
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The target that this machine's compiler builds for.
pub(crate) fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output();
    let output = output.map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc -vV names no host".to_owned())
}

/// All programs of this name on the path.
pub(crate) fn all_on_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
        .filter(|place| place.is_file())
        .collect()
}

/// The first of these programs that is on the path.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Installs Debian's packages, and says whether that went well.
pub(crate) fn install(packages: &[&str]) -> bool {
    let update = apt_get(&["update"]);
    update && apt_get(&[&["install", "--yes", "--no-install-recommends"], packages].concat())
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
    let status = command
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status();
    if let Err(error) = &status {
        eprintln!("apt-get: {error}; --install is for Debian, elsewhere: rustup target add ...");
    }
    status.is_ok_and(|status| status.success())
}
