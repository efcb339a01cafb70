//! Every numeric bound has a row in docs/tolerances.md, and a name that no other file has.

use super::tracked;
use std::collections::BTreeMap;
use std::path::Path;

/// The crates whose bounds stand between a float and a claim.
const CRATES: [&str; 4] = ["gjk", "gjk-exact", "gjk-batch", "gjk-check"];
/// Numbers that are no bounds: the clearance of an example, a cosine in tests.
const OTHER: [&str; 2] = ["CLEARANCE", "H"];

/// Names what is missing from the page, and what two files have.
pub(super) fn check(root: &Path, findings: &mut Vec<String>) {
    let page = std::fs::read_to_string(root.join("docs/tolerances.md")).unwrap_or_default();
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    for file in tracked(root) {
        let name = file.to_string_lossy().replace('\\', "/");
        let library = CRATES
            .iter()
            .any(|one| name.starts_with(&format!("crates/{one}/src/")));
        if !library || name.ends_with("tests.rs") || !name.ends_with(".rs") {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&file)).unwrap_or_default();
        let tests = |line: &&str| line.starts_with("#[cfg(") && line.contains("test");
        let code = text.lines().take_while(|line| !tests(line));
        for (number, line) in code.enumerate() {
            let Some(constant) = bound(line).filter(|constant| !OTHER.contains(constant)) else {
                continue;
            };
            let place = format!("{name}:{}", number + 1);
            if !page.contains(&format!("`{constant}`")) {
                findings.push(format!(
                    "{place}: `{constant}` is not in docs/tolerances.md"
                ));
            }
            if let Some(other) = places.insert(constant.to_owned(), place.clone()) {
                findings.push(format!("{place}: `{constant}` is defined at {other} too"));
            }
        }
    }
}

/// The name of a constant of floats.
fn bound(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.split_once("const ") {
        Some((before, rest)) if before.is_empty() || before.starts_with("pub") => rest,
        _ => return None,
    };
    let (name, rest) = rest.split_once(": ")?;
    let (kind, _) = rest.split_once(" =")?;
    let upper = name
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (upper && (kind.contains("f64") || kind.contains("f32")) && !kind.contains('<')
        || upper && kind.contains("Range<f"))
    .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::bound;

    #[test]
    fn a_bound_is_a_constant_of_floats() {
        assert_eq!(bound("pub(crate) const NOISE: f64 = 1.0;"), Some("NOISE"));
        assert_eq!(
            bound("const SIZES: core::ops::Range<f64> = 0.0..1.0;"),
            Some("SIZES")
        );
        assert_eq!(bound("const PAIR: [f32; 2] = [0.0; 2];"), Some("PAIR"));
        assert_eq!(bound("const LANES: usize = 4;"), None);
        assert_eq!(bound("pub(crate) const fn half(x: f64) -> f64 {"), None);
    }
}
