//! For the `build.rs` of an engine in C++: `#[path = "../../engine/cpp/build_support.rs"] mod build_support;`.
//!
//! One place for the flags that every engine's C++ is built with, and for the message when a library is missing.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
};

/// A C++17 build of the glue and `src/shim.cpp` with the benchmark's flags. The program reads the flags by
/// `env!("GJK_BENCH_FLAGS")`.
pub fn shim() -> cc::Build {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/cpp");
    let mut build = cc::Build::new();
    let flags = flags(build.cpp(true).std("c++17"));
    println!("cargo:rustc-env=GJK_BENCH_FLAGS={flags}");
    build
        .file(engine.join("glue.cpp"))
        .file("src/shim.cpp")
        .include(&engine)
        .warnings(false);
    // What calls the shim, the rlib of `gjk-bench-engine`, comes after it on the linker's command line.
    build.link_lib_modifier("+whole-archive");
    let files = [
        "glue.cpp",
        "gjk_bench.hpp",
        "gjk_bench_surfaces.hpp",
        "build_support.rs",
    ];
    for file in files {
        println!("cargo:rerun-if-changed={}", engine.join(file).display());
    }
    println!("cargo:rerun-if-changed=src/shim.cpp");
    println!("cargo:rerun-if-changed=src/surfaces.hpp");
    println!("cargo:rerun-if-changed=src/motion.hpp");
    println!("cargo:rerun-if-changed=src/manifold.hpp");
    println!("cargo:rerun-if-changed=build.rs");
    build
}

/// Sets the benchmark's flags and returns them. `-march` is the compiler's baseline unless the environment has
/// `GJK_BENCH_NATIVE=1`.
pub fn flags(build: &mut cc::Build) -> String {
    build.opt_level(3).debug(false).define("NDEBUG", None);
    let mut flags = vec!["-O3", "-ffp-contract=off"];
    println!("cargo:rerun-if-env-changed=GJK_BENCH_NATIVE");
    if env::var_os("GJK_BENCH_NATIVE").is_some_and(|value| value == "1") {
        flags.push("-march=native");
    }
    for flag in &flags {
        build.flag(flag);
    }
    flags.join(" ")
}

/// The folder of a crate of the lock file whose sources are wanted, but not its build: it stands in `Cargo.toml` under
/// `[target.'cfg(any())'.dependencies]`, which no target matches, so that cargo fetches it and nothing more. The program reads
/// name and version by `env!("GJK_BENCH_CRATE")`.
#[allow(dead_code)]
pub fn crate_source(name: &str) -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut command = Command::new(cargo);
    command
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--manifest-path",
        ])
        .arg(manifest);
    let output = command
        .output()
        .unwrap_or_else(|error| missing("cargo", &format!("a Rust toolchain ({error})")));
    let json = String::from_utf8_lossy(&output.stdout);
    // A package's object begins with its name and version; among its fields is the path of its manifest.
    let package = json
        .split_once(&format!(r#"{{"name":"{name}","version":"#))
        .map(|(_, rest)| rest);
    let path = package
        .and_then(|rest| rest.split_once(r#""manifest_path":""#))
        .and_then(|(_, rest)| rest.split_once('"'));
    let folder = path.and_then(|(path, _)| Path::new(path).parent());
    let version = package
        .and_then(|rest| rest.split('"').nth(1))
        .unwrap_or("of unknown version");
    println!("cargo:rustc-env=GJK_BENCH_CRATE=crate {name} {version}");
    folder.map_or_else(
        || {
            missing(
                &format!("the source of crate {name}"),
                &String::from_utf8_lossy(&output.stderr),
            )
        },
        Path::to_owned,
    )
}

/// Downloads binary wheels from PyPI (for Python 3.11 on x86-64 Linux, whatever Python is here) without their
/// dependencies and unpacks them into one folder, `bench/target/wheels/<name>`, once. Returns the folder.
#[allow(dead_code)]
pub fn wheels(name: &str, packages: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/wheels")
        .join(name);
    let done = folder.join(".complete");
    if fs::read_to_string(&done).is_ok_and(|list| list == packages.join(" ")) {
        return fs::canonicalize(&folder).unwrap_or(folder);
    }
    let files = folder.join("download");
    download(packages, &files);
    for wheel in fs::read_dir(&files).into_iter().flatten().flatten() {
        python(&[
            "-m",
            "zipfile",
            "-e",
            &wheel.path().to_string_lossy(),
            &folder.to_string_lossy(),
        ]);
    }
    // Unpacked; a failure to remove costs only space.
    let _ = fs::remove_dir_all(&files);
    let written = fs::write(&done, packages.join(" "));
    if let Err(error) = written {
        missing(
            &done.to_string_lossy(),
            &format!("nothing; the folder must be writable: {error}"),
        );
    }
    fs::canonicalize(&folder).unwrap_or(folder)
}

/// Downloads the binary wheels of `packages` into a folder.
#[allow(dead_code)]
fn download(packages: &[&str], folder: &Path) {
    let path = folder.to_string_lossy();
    let mut args = vec![
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        "--dest",
        &path,
    ];
    args.extend([
        "--implementation",
        "cp",
        "--python-version",
        "3.11",
        "--abi",
        "cp311",
    ]);
    for platform in ["manylinux_2_28_x86_64", "manylinux2014_x86_64"] {
        args.extend(["--platform", platform]);
    }
    args.extend(packages);
    python(&args);
}

/// Runs `python3`, or ends the build.
#[allow(dead_code)]
fn python(args: &[&str]) {
    let install = "python3 with pip, and reach PyPI";
    let status = Command::new("python3")
        .args(args)
        .stdout(Stdio::null())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        missing(&format!("what `python3 {}` does", args.join(" ")), install);
    }
}

/// Ends the build with one line that says what to install.
#[allow(dead_code)]
pub fn missing(what: &str, install: &str) -> ! {
    println!("cargo:warning={what} not found: install {install}");
    eprintln!("{what} not found: install {install}");
    process::exit(1)
}

/// Ends the build if none of `folders` has the header `name`; else the folder that has it.
#[allow(dead_code)]
pub fn find_header(name: &str, folders: &[&str], install: &str) -> String {
    let folder = folders
        .iter()
        .find(|folder| Path::new(folder).join(name).is_file());
    folder.map_or_else(|| missing(name, install), |&folder| folder.to_owned())
}
