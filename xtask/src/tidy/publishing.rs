//! What a release needs of the files in the repository; `cargo xtask package` checks what is packed.
//!
//! Idea: a text stands once. Licences and pages that a crate must have are links to the workspace's, and cargo packs what a link leads
//! to. A checkout without links has their targets' names in their place, which is found here.

use std::path::{Path, PathBuf};

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];
/// Pages with an example, and the crate that has it as a doctest.
const EXAMPLES: [(&str, &str); 3] = [
    ("README.md", "crates/gjk/src/lib.rs"),
    ("crates/gjk/README.md", "crates/gjk/src/lib.rs"),
    ("crates/gjk-batch/README.md", "crates/gjk-batch/src/lib.rs"),
];

/// Names what is missing, and what is not the same as elsewhere.
pub(super) fn check(root: &Path, findings: &mut Vec<String>) {
    for folder in files(&root.join("crates")) {
        let name = name(&folder);
        if !folder.join("README.md").exists() {
            findings.push(format!("crates/{name}/README.md: missing"));
        }
        for licence in LICENCES {
            let link = format!("crates/{name}/{licence}");
            same(root, &link, licence, findings);
        }
    }
    for page in files(&root.join("crates/gjk-lab/docs")) {
        let page = name(&page);
        let link = format!("crates/gjk-lab/docs/{page}");
        same(root, &link, &format!("docs/{page}"), findings);
    }
    let readme = read(&root.join("README.md"));
    for page in files(&root.join("docs")) {
        let page = name(&page);
        if page.ends_with(".md")
            && !readme.contains(&format!("[docs/{page}]"))
            && !readme.contains(&format!("[{page}]"))
        {
            findings.push(format!("README.md: docs/{page} is not among its documents"));
        }
    }
    for (page, source) in EXAMPLES {
        let source_text = read(&root.join(source));
        if !examples(&read(&root.join(page))).all(|example| source_text.contains(&example)) {
            findings.push(format!(
                "{page}: an example is not in {source}, which tests it"
            ));
        }
    }
    versions(root, findings);
}

/// The version is the workspace's, also where people cite it.
fn versions(root: &Path, findings: &mut Vec<String>) {
    let manifest = read(&root.join("Cargo.toml"));
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .unwrap_or_default();
    let cited = read(&root.join("CITATION.cff"));
    if !cited
        .lines()
        .any(|line| line == format!("version: {version}"))
    {
        findings.push(format!("CITATION.cff: the version is {version}"));
    }
    for line in manifest.lines() {
        if line.contains("path = \"crates/") && !line.contains(&format!("version = \"{version}\""))
        {
            findings.push(format!("Cargo.toml: not version {version}: {line}"));
        }
    }
}

fn same(root: &Path, link: &str, target: &str, findings: &mut Vec<String>) {
    if read(&root.join(link)) != read(&root.join(target)) {
        findings.push(format!(
            "{link}: not {target}; make it a link (`git config core.symlinks true` where links were checked out as text)"
        ));
    }
}

/// The Rust examples of a page, as lines of documentation.
fn examples(page: &str) -> impl Iterator<Item = String> {
    let blocks = page.split("```rust\n").skip(1);
    blocks.filter_map(|rest| {
        let (code, _) = rest.split_once("```")?;
        Some(code.lines().map(|line| format!("//! {line}\n")).collect())
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::examples;

    #[test]
    fn examples_are_lines_of_documentation() {
        let page = "# a\n```rust\nuse a;\nb();\n```\n```sh\nno\n```\n";
        let found: Vec<String> = examples(page).collect();
        assert_eq!(found, ["//! use a;\n//! b();\n"]);
    }
}
