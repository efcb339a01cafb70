//! Where the addresses in the built site lead.
//!
//! Idea: the generator checks the links of Markdown. What it makes itself, what docstrings say and what notebooks print are checked
//! in the HTML: a relative address leads to a file of the site, its fragment to an element there, and nothing is loaded from another host.

use crate::files::{entries, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names what is broken, or counts what was looked at.
pub(super) fn check(site: &Path) -> Result<String, String> {
    let mut found = Vec::new();
    let mut sections = Sections::default();
    let mut waiting = vec![site.to_path_buf()];
    let (mut count, mut files) = (0, 0);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(entries(&path)?);
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = read(&path)?;
            files += 1;
            for (tag, address) in addresses(&text) {
                count += 1;
                let problem = problem(site, &path, tag, address, &mut sections);
                found.extend(problem.map(|what| format!("{}: {what}", path.display())));
            }
        }
    }
    if found.is_empty() {
        Ok(format!(
            "{count} addresses in {files} files lead somewhere, and none loads from another host"
        ))
    } else {
        found.sort();
        Err(found.join("\n"))
    }
}

/// The tags that have an address, each with it.
fn addresses(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for tag in text
        .split('<')
        .skip(1)
        .filter_map(|rest| rest.split('>').next())
    {
        for name in [" href=\"", " src=\""] {
            let value = tag
                .split(name)
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            found.extend(
                value.map(|address| (tag.split_whitespace().next().unwrap_or(""), address)),
            );
        }
    }
    found
}

/// The pages that were looked at for sections, as text.
#[derive(Default)]
struct Sections(BTreeMap<PathBuf, String>);

impl Sections {
    /// Whether a page has an element of this id. A page of the lab makes its own when it runs.
    fn has(&mut self, page: &Path, id: &str) -> bool {
        let text = self
            .0
            .entry(page.to_path_buf())
            .or_insert_with(|| read(page).unwrap_or_default());
        text.contains(&format!(" id=\"{id}\"")) || page.iter().any(|part| part == "app")
    }
}

/// What is wrong with an address, if anything.
fn problem(
    site: &Path,
    page: &Path,
    tag: &str,
    address: &str,
    sections: &mut Sections,
) -> Option<String> {
    let foreign = address.contains("://") || address.starts_with("//");
    if foreign {
        // A link that a reader may follow loads nothing by itself.
        return (tag != "a").then(|| format!("<{tag}> loads {address}"));
    }
    let schemes = ["data:", "mailto:", "javascript:"];
    if schemes.iter().any(|start| address.starts_with(start)) {
        return None;
    }
    let (address, section) = address.split_once('#').unwrap_or((address, ""));
    let path = address.split('?').next().unwrap_or("");
    // The page for wrong addresses is served at any of them, so that its own begin at the root.
    let place: PathBuf = match path.strip_prefix('/') {
        _ if path.is_empty() => page.to_path_buf(),
        Some(rest) => site.join(rest),
        None => page.parent().unwrap_or(site).join(path),
    };
    let place = if place.is_dir() {
        place.join("index.html")
    } else {
        place
    };
    if !place.is_file() {
        return Some(format!("{address} leads nowhere"));
    }
    let is_there = section.is_empty() || section == "__skip" || sections.has(&place, section);
    (!is_there).then(|| format!("{address}#{section} leads to no section"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_may_be_linked_and_not_loaded() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = here.join("Cargo.toml");
        let mut sections = Sections::default();
        let mut told = |tag, address| problem(here, &page, tag, address, &mut sections);
        assert_eq!(told("a", "https://example.org/"), None);
        assert!(told("script", "https://example.org/a.js").is_some());
        assert!(told("link", "//example.org/a.css").is_some());
        assert_eq!(told("a", "src/main.rs"), None);
        assert!(told("a", "src/main.rs#no-such-section").is_some());
        assert!(told("a", "src/nothing.rs").is_some());
        let text = "<p><a class=\"b\" href=\"x\">y</a> <img src=\"z\"> a href=\"none\"";
        assert_eq!(addresses(text), [("a", "x"), ("img", "z")]);
    }
}
