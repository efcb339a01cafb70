//! What is in the site that others wrote, and under which licences.
//!
//! Idea: cargo knows which crates are linked, and each crate's sources hold its licence. A text that several crates share stands
//! once.

#[path = "licences/allowed.rs"]
mod allowed;

use crate::machine::{self, Program, WASM_TRIPLE};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of files begin that hold a licence.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
/// Debian's words on the C library under every program of WASI.
const WASI_LIBC: &str = "/usr/share/doc/wasi-libc/copyright";

/// The licences that are taken from others.
const DENY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../deny.toml");

/// A list of the crates in WebAssembly, and the texts.
pub(crate) fn of_crates(program: &Program<'_>) -> Result<String, String> {
    let told = machine::cargo_metadata(program, WASM_TRIPLE)?;
    let told: Value =
        serde_json::from_str(&told).map_err(|error| format!("cargo metadata: {error}"))?;
    let refused = refused(&told)?;
    if !refused.is_empty() {
        return Err(refused.join("\n"));
    }
    let mut list = String::from(
        "\nIn pairs.wasm and bodies.wasm: Rust's standard library, MIT OR Apache-2.0; wasi-libc, Apache-2.0 WITH LLVM-exception OR \
         Apache-2.0 OR MIT; and these crates:\n\n",
    );
    // By text, whose it is.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(&told) {
        let [name, version] =
            ["name", "version"].map(|key| package[key].as_str().unwrap_or_default());
        let licence = package["license"].as_str().unwrap_or("see its text");
        // Writing to a string does not fail.
        let _ = writeln!(list, "{name} {version}: {licence}");
        for text in package["manifest_path"]
            .as_str()
            .map(Path::new)
            .and_then(Path::parent)
            .map_or(Vec::new(), found)
        {
            texts.entry(text).or_default().push(name.to_owned());
        }
    }
    if let Ok(text) = fs::read_to_string(WASI_LIBC) {
        texts
            .entry(text.trim().to_owned())
            .or_default()
            .push("wasi-libc".to_owned());
    }
    let mut texts: Vec<(String, String)> = texts
        .into_iter()
        .map(|(text, of)| (of.join(", "), text))
        .collect();
    texts.sort();
    for (of, text) in texts {
        let _ = write!(list, "\n{}\n{of}\n\n{text}\n", "=".repeat(80));
    }
    Ok(list)
}

/// The packages of a workspace whose licence is none of those that `deny.toml` allows.
pub(crate) fn refused(told: &Value) -> Result<Vec<String>, String> {
    let deny = fs::read_to_string(DENY).map_err(|error| format!("deny.toml: {error}"))?;
    let allowed = allowed::list(&deny);
    let refused = items(&told["packages"]).filter_map(|package| {
        let [name, licence] = ["name", "license"].map(|key| id(&package[key]));
        let met = allowed::meets(licence, &allowed);
        (!met).then(|| format!("{name}: the licence `{licence}` is not in deny.toml"))
    });
    Ok(refused.collect())
}

/// The crates whose code is in the program, in the order of their names, without our own.
fn linked(told: &Value) -> Vec<&Value> {
    let packages: BTreeMap<&str, &Value> = items(&told["packages"])
        .map(|package| (id(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<&str, &Value> = items(&told["resolve"]["nodes"])
        .map(|node| (id(&node["id"]), node))
        .collect();
    // What a macro or a build script needs is not in the program.
    let is_macro = |id: &str| {
        packages.get(id).is_some_and(|package| {
            items(&package["targets"])
                .any(|target| items(&target["kind"]).any(|kind| kind == "proc-macro"))
        })
    };
    let mut seen = BTreeSet::new();
    let mut waiting = vec![id(&told["resolve"]["root"])];
    while let Some(next) = waiting.pop() {
        if is_macro(next) || !seen.insert(next) {
            continue;
        }
        let deps = nodes
            .get(next)
            .into_iter()
            .flat_map(|node| items(&node["deps"]));
        let used = deps.filter(|dep| items(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        waiting.extend(used.map(|dep| id(&dep["pkg"])));
    }
    // Ours come from no registry.
    let mut found: Vec<&Value> = seen
        .iter()
        .filter_map(|id| packages.get(id).copied())
        .collect();
    found.retain(|package| !package["source"].is_null());
    found.sort_by_key(|package| package["name"].as_str());
    found
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn id(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The licences in a crate's folder.
fn found(folder: &Path) -> Vec<String> {
    let names = |entry: &PathBuf| {
        let name = entry
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        NAMES.iter().any(|start| name.starts_with(start))
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(names)
        .collect();
    files.sort();
    // Line ends and blanks at either end make no other text.
    files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok())
        .map(|text| text.replace("\r\n", "\n").trim().to_owned())
        .collect()
}
