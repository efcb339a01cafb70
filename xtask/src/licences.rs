//! What is in the site and in the wheel that others wrote, and under which licences.
//!
//! Idea: cargo knows which crates are linked, and each crate's sources hold its licence. A text that several crates share stands
//! once.

#[path = "licences/allowed.rs"]
mod allowed;

use crate::machine::{self, Program, WASM_TRIPLE};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// How the names of files begin that hold a licence.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
/// The licence of the scenes' renderer, which is in the lab's page.
const THREE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/gjk-lab/web/vendor/three.LICENSE.txt"
);
/// Debian's words on the C library under every program of WASI.
const WASI_LIBC: &str = "/usr/share/doc/wasi-libc/copyright";

/// The licences that are taken from others.
const DENY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../deny.toml");

/// Texts, and what each is the licence of.
type Texts = BTreeMap<String, Vec<String>>;

/// A list of the crates in WebAssembly, and the texts.
pub(crate) fn of_crates(program: &Program<'_>) -> Result<String, String> {
    let told = told(program, WASM_TRIPLE)?;
    let mut texts = Texts::new();
    if let Ok(text) = fs::read_to_string(WASI_LIBC) {
        texts
            .entry(text.trim().to_owned())
            .or_default()
            .push("wasi-libc".to_owned());
    }
    let start = "\nIn pairs.wasm and bodies.wasm: Rust's standard library, MIT OR Apache-2.0; wasi-libc, Apache-2.0 WITH LLVM-exception OR \
         Apache-2.0 OR MIT; and these crates:\n\n";
    Ok(listed(start, &linked(&told), texts))
}

/// A list of what others wrote in the module of Python for a target, and the texts.
pub(crate) fn of_module(program: &Program<'_>, triple: &str) -> Result<String, String> {
    let told = told(program, triple)?;
    let text = fs::read_to_string(THREE).map_err(|error| format!("{THREE}: {error}"))?;
    let texts = Texts::from([(text.trim().to_owned(), vec!["three.js".to_owned()])]);
    let start = "The package gjk is under LICENSE-MIT or LICENSE-APACHE, as you choose. Its compiled module holds what others wrote: Rust's standard \
         library, MIT OR Apache-2.0; three.js in the page of the lab, MIT; and these crates:\n\n";
    Ok(listed(start, &linked(&told), texts))
}

/// What cargo says of a program, where all licences in it are taken.
fn told(program: &Program<'_>, triple: &str) -> Result<Value, String> {
    let told = machine::cargo_metadata(program, triple)?;
    let told: Value =
        serde_json::from_str(&told).map_err(|error| format!("cargo metadata: {error}"))?;
    let refused = refused(&told)?;
    if refused.is_empty() {
        return Ok(told);
    }
    Err(refused.join("\n"))
}

/// The packages with their licences, then each text once, under the names of those that have it.
fn listed(start: &str, packages: &[&Value], mut texts: Texts) -> String {
    let mut list = start.to_owned();
    for package in packages {
        let [name, version] =
            ["name", "version"].map(|key| package[key].as_str().unwrap_or_default());
        let licence = package["license"].as_str().unwrap_or("see its text");
        let folder = package["manifest_path"]
            .as_str()
            .map(Path::new)
            .and_then(Path::parent);
        let own = folder.map_or(Vec::new(), found);
        let note = if own.is_empty() {
            ", of which its package holds no text"
        } else {
            ""
        };
        // Writing to a string does not fail.
        let _ = writeln!(list, "{name} {version}: {licence}{note}");
        for text in own {
            texts.entry(text).or_default().push(name.to_owned());
        }
    }
    let mut texts: Vec<(String, String)> = texts
        .into_iter()
        .map(|(text, of)| (of.join(", "), text))
        .collect();
    texts.sort();
    for (of, text) in texts {
        let _ = write!(list, "\n{}\n{of}\n\n{text}\n", "=".repeat(80));
    }
    list
}

/// The packages that a workspace is built from whose licence is none of those that `deny.toml` allows. What only its tests need is not looked
/// at, as by cargo-deny.
pub(crate) fn refused(told: &Value) -> Result<Vec<String>, String> {
    let deny = fs::read_to_string(DENY).map_err(|error| format!("deny.toml: {error}"))?;
    let allowed = allowed::list(&deny);
    let is_built = |kind: &Value| kind.is_null() || kind == "build";
    let built = reached(
        told,
        items(&told["workspace_members"]).map(id),
        is_built,
        |_| true,
    );
    let refused = built.into_iter().filter_map(|package| {
        let [name, licence] = ["name", "license"].map(|key| id(&package[key]));
        let met = allowed::meets(licence, &allowed);
        (!met).then(|| format!("{name}: the licence `{licence}` is not in deny.toml"))
    });
    Ok(refused.collect())
}

/// The crates whose code is in the program, in the order of their names, without our own.
fn linked(told: &Value) -> Vec<&Value> {
    // What a macro or a build script needs is not in the program.
    let is_in_program = |package: &Value| {
        let mut kinds = items(&package["targets"]).flat_map(|target| items(&target["kind"]));
        !kinds.any(|kind| kind == "proc-macro")
    };
    let root = [id(&told["resolve"]["root"])];
    let mut found = reached(told, root.into_iter(), Value::is_null, is_in_program);
    // Ours come from no registry.
    found.retain(|package| !package["source"].is_null());
    found.sort_by_key(|package| package["name"].as_str());
    found
}

/// The packages that are reached from some by dependencies of the kinds that are followed, through those that are taken.
fn reached<'v>(
    told: &'v Value,
    from: impl Iterator<Item = &'v str>,
    is_followed: impl Fn(&Value) -> bool,
    is_taken: impl Fn(&Value) -> bool,
) -> Vec<&'v Value> {
    let packages: BTreeMap<&str, &Value> = items(&told["packages"])
        .map(|package| (id(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<&str, &Value> = items(&told["resolve"]["nodes"])
        .map(|node| (id(&node["id"]), node))
        .collect();
    let mut found: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut waiting: Vec<&str> = from.collect();
    while let Some(next) = waiting.pop() {
        let Some(package) = packages.get(next).filter(|package| is_taken(package)) else {
            continue;
        };
        if found.insert(next, package).is_some() {
            continue;
        }
        let deps = nodes.get(next).map(|node| &node["deps"]);
        let followed = deps.into_iter().flat_map(items).filter(|dep| {
            let mut kinds = items(&dep["dep_kinds"]).map(|kind| &kind["kind"]);
            kinds.any(&is_followed)
        });
        waiting.extend(followed.map(|dep| id(&dep["pkg"])));
    }
    found.into_values().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of one crate, with one dependency of each kind, each with a licence that nobody takes.
    #[test]
    fn what_only_tests_need_is_not_refused() {
        let kinds = [
            ("linked", json!(null)),
            ("builds", json!("build")),
            ("tests", json!("dev")),
        ];
        let package = |name: &str, licence: &str| json!({"id": name, "name": name, "license": licence, "source": "index", "targets": []});
        let mut packages = vec![package("ours", "MIT")];
        packages.extend(kinds.iter().map(|(name, _)| package(name, "none of ours")));
        let deps: Vec<Value> = kinds
            .iter()
            .map(|(name, kind)| json!({"pkg": name, "dep_kinds": [{"kind": kind}]}))
            .collect();
        let told = json!({
            "packages": packages,
            "workspace_members": ["ours"],
            "resolve": {"root": "ours", "nodes": [{"id": "ours", "deps": deps}]},
        });
        let refused = refused(&told).expect("a list of licences");
        let names: Vec<&str> = refused
            .iter()
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(names, ["builds", "linked"]);
        let linked: Vec<&str> = linked(&told)
            .iter()
            .map(|package| id(&package["name"]))
            .collect();
        assert_eq!(linked, ["linked", "ours"]);
    }
}
