//! A type's name occurs once in a crate, so that a reader who finds one has found the one.

use super::tracked;
use std::collections::BTreeMap;
use std::path::Path;

/// Names what two files of a crate have.
pub(super) fn check(root: &Path, findings: &mut Vec<String>) {
    let mut places: BTreeMap<(String, String), String> = BTreeMap::new();
    for file in tracked(root) {
        let name = file.to_string_lossy().replace('\\', "/");
        let Some((crate_name, inside)) = name
            .strip_prefix("crates/")
            .and_then(|rest| rest.split_once("/src/"))
        else {
            continue;
        };
        if !inside.ends_with(".rs") || inside.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&file)).unwrap_or_default();
        for (line, kind) in declared(&text) {
            let place = format!("{name}:{line}");
            let key = (crate_name.to_owned(), kind.to_owned());
            if let Some(other) = places.insert(key, place.clone()) {
                findings.push(format!("{place}: `{kind}` is a type at {other} too"));
            }
        }
    }
}

/// The types that a file declares for every build, outside of its tests, with their lines.
fn declared(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        // What one build has and another has not may be two of one name.
        if !before.starts_with("#[cfg(")
            && let Some(kind) = declaration(line)
        {
            found.push((number + 1, kind));
        }
        before = line;
    }
    found
}

/// The name of a type that a line declares at the top of its file.
fn declaration(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.trim_start_matches(|c| c != ' ').trim_start(),
        None => line,
    };
    let rest = ["struct ", "enum ", "trait ", "type "]
        .iter()
        .find_map(|word| line.strip_prefix(word))?;
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn types_of_every_build_are_found() {
        let text = "pub(crate) struct Axis {\nenum Kind<T> {\n#[cfg(unix)]\npub type Handle = u8;\n    type Inner = u8;\n\
                    #[cfg(test)]\nstruct Late;\n";
        assert_eq!(declared(text), [(1, "Axis"), (2, "Kind")]);
    }
}
