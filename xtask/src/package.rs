//! What a release would send, packed, built and looked at, and nothing sent.
//!
//! Read [`run`] first. Idea: cargo packs and builds each published crate from its own archive, with the other members in the place of
//! those in the registry; then each archive is opened and held to what a user of it must find, and must not.

#[path = "package/archive.rs"]
mod archive;
#[path = "package/contents.rs"]
mod contents;

use crate::{licences, machine};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A member that is published.
struct Published {
    name: String,
    version: String,
}

/// Packs all published crates, checks what is in them, and prints how large they are.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let known = ["--offline", "--no-verify"];
    if let Some(other) = arguments.iter().find(|a| !known.contains(&a.as_str())) {
        eprintln!("package: unknown argument {other}");
        return ExitCode::from(2);
    }
    match packed(arguments) {
        Ok(findings) => {
            for finding in &findings {
                println!("{finding}");
            }
            println!("package: {} findings; nothing was sent", findings.len());
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(why) => {
            eprintln!("package: {why}");
            ExitCode::FAILURE
        }
    }
}

fn packed(arguments: &[String]) -> Result<Vec<String>, String> {
    let root = machine::root();
    let offline: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| *argument == "--offline")
        .collect();
    let told = metadata(&root, &offline)?;
    let crates = published(&told);
    let target = Path::new(told["target_directory"].as_str().unwrap_or("target")).join("dry-run");
    forget(&target, &crates);
    let mut cargo = cargo(&root);
    cargo.env("CARGO_TARGET_DIR", &target);
    // A dry run may look at what is not committed yet; `cargo publish` will not.
    cargo.args(["package", "--allow-dirty"]).args(arguments);
    for one in &crates {
        cargo.args(["--package", &one.name]);
    }
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("cargo package fails".to_owned());
    }
    let mut findings = licences::refused(&told)?;
    println!("crate       files  unpacked KiB  packed KiB");
    for one in &crates {
        let file = format!("package/{}-{}.crate", one.name, one.version);
        let file = target.join(file);
        let (entries, size) = archive::read(&file)?;
        let unpacked: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
        println!(
            "{:10} {:6} {:13} {:11}",
            one.name,
            entries.len(),
            unpacked.div_ceil(1024),
            size.div_ceil(1024)
        );
        contents::check(&root, &one.name, &entries, size, &mut findings);
    }
    Ok(findings)
}

/// Removes what cargo kept of the crates' archives of an earlier run: it takes a version of a registry, also of the one that stands for
/// it here, as never changing, and would build one crate with the others as they were.
fn forget(target: &Path, crates: &[Published]) {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    // A registry in a folder has no host, which is how the names of others begin.
    let sources = entries(&home.unwrap_or_default().join("registry/src"));
    for source in sources.iter().filter(|path| name(path).starts_with('-')) {
        for one in crates {
            remove(&source.join(format!("{}-{}", one.name, one.version)));
        }
    }
    for built in entries(&target.join("debug/.fingerprint")) {
        let unit = name(&built);
        if let Some((unit, _)) = unit.rsplit_once('-')
            && crates.iter().any(|one| one.name == unit)
        {
            remove(&built);
        }
    }
}

/// What is in a folder, nothing if there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn remove(folder: &Path) {
    // There is none before the first run.
    let _ = std::fs::remove_dir_all(folder);
}

/// What cargo says of the workspace and of all that any feature of it needs on any platform.
fn metadata(root: &Path, offline: &[&str]) -> Result<Value, String> {
    let output = cargo(root)
        .args(["metadata", "--format-version", "1", "--all-features"])
        .args(offline)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("cargo metadata fails".to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// Members without `publish = false`, by name.
fn published(told: &Value) -> Vec<Published> {
    let members: Vec<&str> = list(&told["workspace_members"])
        .filter_map(Value::as_str)
        .collect();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found: Vec<Published> = list(&told["packages"])
        .filter(|package| {
            package["id"]
                .as_str()
                .is_some_and(|id| members.contains(&id))
        })
        .filter(|package| package["publish"].is_null())
        .map(|package| Published {
            name: word(&package["name"]),
            version: word(&package["version"]),
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
