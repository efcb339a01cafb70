//! The rules that a rule can check. Each finding names file and line.

#[path = "tidy/constants.rs"]
mod constants;
#[path = "tidy/publishing.rs"]
mod publishing;
#[path = "tidy/types.rs"]
mod types;

use crate::machine;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Longest file and longest function, in lines.
const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 60;
/// Only these may write to standard output.
const PRINTERS: [&str; 5] = [
    "crates/gjk-cli/src/printer.rs",
    "xtask/",
    "crates/gjk/examples/",
    "crates/gjk-batch/examples/",
    "integrations/gjk-parry/examples/",
];
/// Only here may be `unsafe`: the entries for C.
const UNSAFE: &str = "crates/gjk-c/src/abi/";
/// Retired words and what to say instead: "Words" in docs/conventions.md. Names and comments are held to them.
const SYNONYMS: [(&str, &str); 7] = [
    ("isometry", "pose"),
    ("configuration space obstacle", "Minkowski difference"),
    ("mtv", "normal × depth"),
    ("sieve", "batch prefilter"),
    ("gravest", "most severe"),
    ("narrate", "explain"),
    ("narrator", "explainer"),
];

/// Runs all checks from the workspace root.
pub(crate) fn run() -> ExitCode {
    let root = machine::root();
    let mut findings = Vec::new();
    for file in tracked(&root) {
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else {
            continue;
        };
        let name = file.to_string_lossy().replace('\\', "/");
        machine_paths(&name, &text, &mut findings);
        let script = name.ends_with(".js") && name.contains("/web/") && !name.contains("/vendor/");
        if script || name.ends_with(".rs") {
            length(&name, &text, &mut findings);
            // A test may be one long table of cases.
            if !script && !name.contains("/tests/") {
                functions(&name, &text, &mut findings);
            }
            if !script {
                source_rules(&name, &text, &mut findings);
            }
        }
    }
    constants::check(&root, &mut findings);
    types::check(&root, &mut findings);
    publishing::check(&root, &mut findings);
    layout(&root, &mut findings);
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} findings", findings.len());
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Every file of the checkout except what is built or ignored.
fn tracked(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if ["target", ".git", "__pycache__", ".venv", "node_modules"]
                .iter()
                .any(|apart| name == *apart)
            {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(relative) = path.strip_prefix(root) {
                found.push(relative.to_path_buf());
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn machine_paths(name: &str, text: &str, findings: &mut Vec<String>) {
    // Spelt in two halves, so that this file does not find itself.
    let paths = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/tm", "p/"),
    ];
    for (number, line) in text.lines().enumerate() {
        if paths.iter().any(|path| line.contains(path)) {
            findings.push(format!("{name}:{}: a path of one machine", number + 1));
        }
    }
}

fn length(name: &str, text: &str, findings: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > FILE_LINES_MAX {
        findings.push(format!(
            "{name}: {lines} lines, more than a sitting ({FILE_LINES_MAX})"
        ));
    }
}

/// Functions are told by rustfmt's layout: `fn` at an indent, closed by a brace at the same indent.
fn functions(name: &str, text: &str, findings: &mut Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    for (start, line) in lines.iter().enumerate() {
        let head = line.trim_start();
        let words = [
            "fn ",
            "pub fn ",
            "pub(crate) fn ",
            "pub(super) fn ",
            "const fn ",
            "pub const fn ",
            "unsafe fn ",
            "pub(super) unsafe fn ",
            "pub unsafe extern \"C\" fn ",
        ];
        if !words.iter().any(|word| head.starts_with(word)) {
            continue;
        }
        let close = format!("{}}}", " ".repeat(indent(line)));
        let body = lines[start..]
            .iter()
            .position(|l| *l == close)
            .map_or(0, |at| at + 1);
        if body > FUNCTION_LINES_MAX {
            findings.push(format!(
                "{name}:{}: a function of {body} lines, more than a screen ({FUNCTION_LINES_MAX})",
                start + 1
            ));
        }
    }
}

fn source_rules(name: &str, text: &str, findings: &mut Vec<String>) {
    let library = name.starts_with("crates/") && name.contains("/src/");
    for (number, line) in text.lines().enumerate() {
        let mut report = |what: &str| findings.push(format!("{name}:{}: {what}", number + 1));
        let code = line.split("//").next().unwrap_or(line);
        if code.contains("println!")
            && !PRINTERS.iter().any(|p| name.starts_with(p))
            && !code.contains("eprintln!")
            && library
        {
            report("only printer.rs writes to standard output");
        }
        if library
            && (code.contains("todo!(")
                || code.contains("unimplemented!(")
                || code.contains("dbg!("))
        {
            report("unfinished or debugging code");
        }
        if (line.contains("TODO") || line.contains("FIXME"))
            && !line.contains('#')
            && name != "xtask/src/tidy.rs"
        {
            report("a TODO without an issue number");
        }
        if library && code.contains("unsafe ") && !name.starts_with(UNSAFE) {
            report("unsafe code");
        }
        for (word, instead) in SYNONYMS {
            // A name of another library is what it is.
            let foreign = line.contains("na::") || line.contains(".isometry");
            if library && !foreign && says(line, word) {
                report(&format!("say `{instead}`, not `{word}`"));
            }
        }
    }
    if library && !text.starts_with("//!") {
        findings.push(format!(
            "{name}:1: a module without its `//!` documentation"
        ));
    }
}

/// Whether a line has these words, in its comment or within a name of any case: `BatchSieve`, `batch_sieve`, `batch sieve`.
fn says(line: &str, phrase: &str) -> bool {
    let mut words = String::from(" ");
    let mut before = ' ';
    for c in line.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
        before = c;
    }
    words.push(' ');
    words.contains(&format!(" {phrase} "))
}

/// Files that the layout promises.
fn layout(root: &Path, findings: &mut Vec<String>) {
    let promised = [
        "README.md",
        "ARCHITECTURE.md",
        "DESIGN.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        ".ci/run",
        "SECURITY.md",
        "CITATION.cff",
        "deny.toml",
        ".github/ISSUE_TEMPLATE/wrong-answer.yml",
        ".github/workflows/release.yml",
    ];
    for name in promised {
        if !root.join(name).exists() {
            findings.push(format!("{name}: missing"));
        }
    }
    if let Ok(text) = std::fs::read_to_string(root.join("ARCHITECTURE.md"))
        && text.lines().count() > 150
    {
        findings.push("ARCHITECTURE.md: more than 150 lines".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retired_words_are_found_in_names_and_comments() {
        for line in [
            "struct BatchSieve {",
            "let batch_sieve = 1;",
            "/// The sieve of the batch.",
        ] {
            assert!(says(line, "sieve"), "{line}");
        }
        assert!(says(
            "// a configuration-space obstacle",
            "configuration space obstacle"
        ));
        assert!(!says("let sieved = sievert;", "sieve"));
    }
}
