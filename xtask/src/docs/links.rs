//! Where the addresses in the built site lead.
//!
//! Idea: the generator checks the links of Markdown. What it makes itself, what docstrings say and what notebooks print are checked
//! in the HTML: a relative address leads to a file of the site, and nothing is loaded from another host.

use super::{pages, read};
use std::path::{Path, PathBuf};

/// Names what is broken, or counts what was looked at.
pub(super) fn check(site: &Path) -> Result<String, String> {
    let mut found = Vec::new();
    let mut waiting = vec![site.to_path_buf()];
    let (mut count, mut files) = (0, 0);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(pages::entries(&path)?);
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = read(&path)?;
            files += 1;
            for (tag, address) in addresses(&text) {
                count += 1;
                let problem = problem(site, &path, tag, address);
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

/// What is wrong with an address, if anything.
fn problem(site: &Path, page: &Path, tag: &str, address: &str) -> Option<String> {
    let foreign = address.contains("://") || address.starts_with("//");
    if foreign {
        // A link that a reader may follow loads nothing by itself.
        return (tag != "a").then(|| format!("<{tag}> loads {address}"));
    }
    let path = address.split(['#', '?']).next().unwrap_or("");
    if path.is_empty()
        || ["data:", "mailto:", "javascript:"]
            .iter()
            .any(|start| address.starts_with(start))
    {
        return None;
    }
    // The page for wrong addresses is served at any of them, so that its own begin at the root.
    let place: PathBuf = match path.strip_prefix('/') {
        Some(rest) => site.join(rest),
        None => page.parent().unwrap_or(site).join(path),
    };
    let there = place.is_file() || place.join("index.html").is_file();
    (!there).then(|| format!("{address} leads nowhere"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_may_be_linked_and_not_loaded() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = here.join("Cargo.toml");
        let told = |tag, address| problem(here, &page, tag, address);
        assert_eq!(told("a", "https://example.org/"), None);
        assert!(told("script", "https://example.org/a.js").is_some());
        assert!(told("link", "//example.org/a.css").is_some());
        assert_eq!(told("a", "src/main.rs#x"), None);
        assert!(told("a", "src/nothing.rs").is_some());
        let text = "<p><a class=\"b\" href=\"x\">y</a> <img src=\"z\"> a href=\"none\"";
        assert_eq!(addresses(text), [("a", "x"), ("img", "z")]);
    }
}
