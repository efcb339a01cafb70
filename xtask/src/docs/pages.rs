//! The repository's pages and all that they link to, under the same paths.
//!
//! Idea: a link leads to a page, to a file or to a folder. Pages are followed; of files and folders a page is made that shows them. So a link
//! to what is not in the repository is found here, and none leads out of the site.

use crate::files::{entries, read, write};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Component, Path, PathBuf};

/// The site's own pages: their paths start at its root.
const OWN: &str = "docs/site";

/// Copies the pages that the site begins with and what they lead to, and says how many there are.
pub(super) fn copy(root: &Path, pages: &Path) -> Result<usize, String> {
    let own = root.join(OWN);
    let mut waiting = VecDeque::new();
    let begins = [
        "",
        "docs",
        "docs/site",
        "docs/site/reference",
        "docs/tutorials",
        "bench",
    ];
    for folder in begins {
        let entries = entries(&root.join(folder))?;
        let all = entries
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "md"));
        waiting.extend(all.filter_map(|file| file.strip_prefix(root).map(Path::to_path_buf).ok()));
    }
    let mut done: BTreeMap<PathBuf, ()> = BTreeMap::new();
    while let Some(path) = waiting.pop_front() {
        if is_notebook(&path) || done.insert(path.clone(), ()).is_some() {
            continue;
        }
        let text = if is_page(&path) {
            let text = read(&root.join(&path))?;
            rewritten(&text, &path, root, &mut waiting)?
        } else {
            shown(&path, root)?
        };
        write(&pages.join(place(&path)), &text)?;
    }
    for name in ["zensical.toml", "site.css"] {
        let to = if name == "site.css" {
            pages.join(name)
        } else {
            pages.join("..").join(name)
        };
        write(&to, &read(&own.join(name))?)?;
    }
    Ok(done.len())
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

/// A notebook is written as a page when it has run.
fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "ipynb")
}

/// Where a path of the repository is in the site.
fn place(path: &Path) -> PathBuf {
    if path == Path::new("README.md") {
        return "readme.md".into(); // `README.md` would be the front page
    }
    if is_notebook(path) {
        return path.with_extension("md");
    }
    let path = path.strip_prefix(OWN).unwrap_or(path);
    if is_page(path) {
        path.to_path_buf()
    } else {
        // The generator passes over names that begin with a dot.
        let seen = path.iter().map(|name| name.to_string_lossy());
        let seen: PathBuf = seen
            .map(|name| name.trim_start_matches('.').to_owned())
            .collect();
        PathBuf::from("files").join(format!("{}.md", seen.display()))
    }
}

/// A page with links that lead to where things are in the site.
fn rewritten(
    text: &str,
    path: &Path,
    root: &Path,
    waiting: &mut VecDeque<PathBuf>,
) -> Result<String, String> {
    let mut done = String::with_capacity(text.len());
    let mut code = false;
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        code ^= line.trim_start().starts_with("```");
        // A list or a table begins after an empty line, for the generator.
        let begins = |mark: &str| {
            line.starts_with(mark) && !before.starts_with(mark) && !before.starts_with("  ")
        };
        if !code && !before.is_empty() && (begins("- ") || begins("|") || (begins("1. "))) {
            done.push('\n');
        }
        let mut rest = line;
        while let Some(at) = rest.find("](").filter(|_| !code) {
            let (start, link) = rest.split_at(at + 2);
            let end = link.find(')').unwrap_or(link.len());
            done += start;
            done += &target(&link[..end], path, root, waiting)
                .map_err(|why| format!("{}:{}: {why}", path.display(), number + 1))?;
            rest = &link[end..];
        }
        done += rest;
        done.push('\n');
        before = line;
    }
    Ok(done)
}

/// Where a link leads in the site; what it leads to is to be copied too.
fn target(
    link: &str,
    page: &Path,
    root: &Path,
    waiting: &mut VecDeque<PathBuf>,
) -> Result<String, String> {
    if link.starts_with('#') || link.contains("://") || link.starts_with("mailto:") {
        return Ok(link.to_owned());
    }
    let (file, section) = link.split_at(link.find('#').unwrap_or(link.len()));
    let folder = page.parent().unwrap_or(Path::new(""));
    let mut path =
        normal(&folder.join(file)).ok_or_else(|| format!("{link} leads out of the repository"))?;
    // Pages that programs write: the generator says if one is not there.
    if path.starts_with(OWN) && !root.join(&path).exists() {
        return Ok(link.to_owned());
    }
    if root.join(&path).join("README.md").exists() {
        path.push("README.md");
    }
    if !root.join(&path).exists() {
        return Err(format!("{link} is not in the repository"));
    }
    waiting.push_back(path.clone());
    let here = place(page);
    let up = "../".repeat(here.components().count() - 1);
    Ok(format!("{up}{}{section}", place(&path).display()))
}

/// A path without `.` and `..`, if it stays within the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut done = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => done.push(name),
            Component::CurDir => {}
            Component::ParentDir if done.pop() => {}
            _ => return None,
        }
    }
    Some(done)
}

/// A page that shows a file, or names the files of a folder.
fn shown(path: &Path, root: &Path) -> Result<String, String> {
    let name = path.display();
    let whole = root.join(path);
    if whole.is_dir() {
        let names = entries(&whole)?;
        let names = names.iter().filter_map(|entry| entry.file_name());
        let list: String = names
            .map(|name| format!("- `{}`\n", name.to_string_lossy()))
            .collect();
        return Ok(format!("# {name}\n\nA folder of the repository:\n\n{list}"));
    }
    let kind = path.extension().unwrap_or_default().to_string_lossy();
    let text = read(&whole).unwrap_or_default();
    Ok(format!("# {name}\n\n````{kind}\n{text}\n````\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_site_or_are_named() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut waiting = VecDeque::new();
        let mut leads = |link: &str, page: &str| target(link, Path::new(page), &root, &mut waiting);
        assert_eq!(
            leads("gjk.md#bounds", "docs/epa.md").as_deref(),
            Ok("../docs/gjk.md#bounds")
        );
        assert_eq!(
            leads("../README.md", "docs/epa.md").as_deref(),
            Ok("../readme.md")
        );
        assert_eq!(
            leads("../crates/gjk", "docs/epa.md").as_deref(),
            Ok("../crates/gjk/README.md")
        );
        assert_eq!(
            leads("Cargo.toml", "README.md").as_deref(),
            Ok("files/Cargo.toml.md")
        );
        assert!(leads("nothing.md", "docs/epa.md").is_err());
        assert!(leads("../../shared", "docs/epa.md").is_err());
        assert_eq!(waiting.len(), 4);
    }
}
