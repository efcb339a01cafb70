//! What must be in a packed crate, and what must not.

use super::archive::Entry;
use crate::tidy::machine_paths;
use std::path::Path;

/// What each crate has, the licences as the workspace has them.
const REQUIRED: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// What each manifest says.
const KEYS: [&str; 7] = [
    "description",
    "license",
    "readme",
    "keywords",
    "categories",
    "rust-version",
    "edition",
];
/// Folders that stay in the workspace: tests read files of all of it.
const KEPT: [&str; 5] = ["tests/", "benches/", "fuzz/", "vendor/", "target/"];
/// Largest file, and largest archive, in bytes. The largest file is the bundle of three.js, of 0.6 MiB.
const FILE_MAX: usize = 1 << 20;
const ARCHIVE_MAX: usize = 1 << 20;
/// How a source names another file.
const NAMING: [&str; 3] = ["#[path = \"", "include_str!(\"", "include_bytes!(\""];

/// Names what is wrong with a packed crate.
pub(super) fn check(
    root: &Path,
    name: &str,
    entries: &[Entry],
    size: usize,
    findings: &mut Vec<String>,
) {
    let found = |path: &str| entries.iter().find(|entry| entry.path == path);
    for required in REQUIRED {
        let Some(entry) = found(required) else {
            findings.push(format!("{name}: {required} is missing"));
            continue;
        };
        if required.starts_with("LICENSE")
            && std::fs::read(root.join(required)).ok().as_ref() != Some(&entry.bytes)
        {
            findings.push(format!("{name}: {required} is not the workspace's"));
        }
    }
    let manifest = found("Cargo.toml").map(text).unwrap_or_default();
    for key in KEYS {
        if !manifest
            .lines()
            .any(|line| line.starts_with(&format!("{key} = ")))
        {
            findings.push(format!("{name}: Cargo.toml says no {key}"));
        }
    }
    if size > ARCHIVE_MAX {
        findings.push(format!("{name}: {size} bytes, more than {ARCHIVE_MAX}"));
    }
    for entry in entries {
        let place = format!("{name}: {}", entry.path);
        if KEPT.iter().any(|folder| entry.path.starts_with(folder)) {
            findings.push(format!("{place}: must not be in it"));
        }
        if entry.bytes.len() > FILE_MAX {
            findings.push(format!("{place}: more than {FILE_MAX} bytes"));
        }
        let text = text(entry);
        machine_paths(&place, &text, findings);
        if entry.path.ends_with(".rs") {
            for named in named(&text) {
                if found(&beside(&entry.path, named)).is_none() {
                    findings.push(format!("{place}: {named} is not in it"));
                }
            }
        }
    }
}

fn text(entry: &Entry) -> String {
    String::from_utf8_lossy(&entry.bytes).into_owned()
}

/// The files that a source names, where it does so in one literal and not for its tests, which no archive has.
fn named(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = "";
    for line in text.lines().map(str::trim) {
        if !line.starts_with("//") && before != "#[cfg(test)]" {
            found.extend(NAMING.iter().filter_map(|naming| {
                let (_, rest) = line.split_once(naming)?;
                rest.split_once('"').map(|(path, _)| path)
            }));
        }
        before = line;
    }
    found
}

/// A path that is relative to a file, as one from the crate's folder; what leaves the crate keeps its dots.
fn beside(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_are_told_from_files_inside() {
        let text = "#[path = \"../../gjk/mod.rs\"]\nmod a;\nlet b = include_str!(\"page/b.css\");\n// include_str!(\"c\")\n#[cfg(test)]\n#[path = \"../d.rs\"]\n";
        let found = named(text);
        assert_eq!(found, ["../../gjk/mod.rs", "page/b.css"]);
        assert_eq!(beside("examples/e.rs", found[0]), "../gjk/mod.rs");
        assert_eq!(
            beside("src/check/page.rs", found[1]),
            "src/check/page/b.css"
        );
    }

    #[test]
    fn what_lacks_is_named() {
        let file = |path: &str, text: &str| Entry {
            path: path.to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let entries = [
            file("Cargo.toml", "description = \"d\"\n"),
            file("README.md", "# d"),
            file("LICENSE-MIT", "another"),
            file("tests/a.rs", ""),
        ];
        let mut findings = Vec::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        check(&root, "d", &entries, 0, &mut findings);
        for expected in [
            "d: LICENSE-MIT is not the workspace's",
            "d: LICENSE-APACHE is missing",
            "d: Cargo.toml says no keywords",
            "d: tests/a.rs: must not be in it",
        ] {
            assert!(findings.iter().any(|f| f == expected), "{findings:?}");
        }
    }
}
