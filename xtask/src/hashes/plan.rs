//! For each target how its answers are had: what builds the program, and what runs it.
//!
//! Read [`plan`] first; `machine.rs` looks for compilers.

use super::{Target, target_folder};
use crate::machine::{self, DEBIAN_RUST, DEBIAN_WASM, Program, Toolchain, library, on_path};
use std::path::Path;
use std::process::Command;

/// Debian's packages for aarch64, besides a compiler.
const DEBIAN_AARCH64: [&str; 3] = [
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
    "qemu-user",
];
const AARCH64_LINKER: &str = "aarch64-linux-gnu-gcc";
const AARCH64_RUNNERS: [&str; 2] = ["qemu-aarch64", "qemu-aarch64-static"];
const NODE: [&str; 2] = ["node", "nodejs"];

/// How a target's answers are had.
pub(super) struct Plan {
    /// Builds the program.
    pub(super) build: Command,
    /// Runs it.
    pub(super) program: Command,
}

/// The plan for a target, or what is missing for it and how to get it.
pub(super) fn plan(target: &Target, root: &Path) -> Result<Plan, Vec<String>> {
    let folder = target_folder(target);
    let file = folder.join(target.triple).join("release");
    let program = Program {
        manifest: root.join("xtask/answers/Cargo.toml"),
        folder,
        flags: "",
    };
    match target.arch {
        arch if arch == std::env::consts::ARCH => Ok(own(target, &program)),
        "aarch64" => aarch64(target, &program, &file),
        "wasm32" => wasm32(&program, root, &file),
        arch => Err(vec![format!("a machine that is {arch}")]),
    }
}

/// This machine's own processor.
fn own(target: &Target, program: &Program<'_>) -> Plan {
    let mut build = machine::cargo(&Toolchain::current(), program);
    if let Some(cpu) = target.cpu {
        build.env("RUSTFLAGS", format!("-Ctarget-cpu={cpu}"));
    }
    let name = format!("answers{}", std::env::consts::EXE_SUFFIX);
    Plan {
        build,
        program: Command::new(program.folder.join("release").join(name)),
    }
}

fn aarch64(target: &Target, program: &Program<'_>, built: &Path) -> Result<Plan, Vec<String>> {
    let compiler =
        Toolchain::with(target.triple).ok_or_else(|| library(target.triple, &DEBIAN_RUST));
    let linker = on_path(&[AARCH64_LINKER]).ok_or_else(|| {
        format!("{AARCH64_LINKER} (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross)")
    });
    let runner = on_path(&AARCH64_RUNNERS)
        .ok_or_else(|| format!("{} (Debian: qemu-user)", AARCH64_RUNNERS[0]));
    match (compiler, linker, runner) {
        (Ok(compiler), Ok(linker), Ok(runner)) => {
            let mut build = machine::cargo(&compiler, program);
            build.args(["--target", target.triple]);
            build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", linker);
            // Without shared libraries the emulator need not know where those of the other processor are.
            build.env(
                "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
                "-Ctarget-feature=+crt-static",
            );
            let mut program = Command::new(runner);
            program.arg(built.join("answers"));
            Ok(Plan { build, program })
        }
        (compiler, linker, runner) => Err([compiler.err(), linker.err(), runner.err()]
            .into_iter()
            .flatten()
            .collect()),
    }
}

fn wasm32(program: &Program<'_>, root: &Path, built: &Path) -> Result<Plan, Vec<String>> {
    let node = on_path(&NODE).ok_or_else(|| "node 20 or newer (nodejs.org)".to_owned());
    match (machine::wasm32(program), node) {
        (Ok(build), Ok(node)) => {
            let mut program = Command::new(node);
            program
                .arg("--no-warnings")
                .arg(root.join("xtask/answers/wasi.mjs"))
                .arg(built.join("answers.wasm"));
            Ok(Plan { build, program })
        }
        (build, node) => Err(build
            .err()
            .into_iter()
            .flatten()
            .chain(node.err())
            .collect()),
    }
}

/// Installs Debian's packages for all targets, and says whether that went well.
pub(super) fn install() -> bool {
    let mut packages = [&DEBIAN_WASM[..], &DEBIAN_AARCH64].concat();
    if on_path(&NODE).is_none() {
        packages.push("nodejs");
    }
    machine::install(&packages)
}
