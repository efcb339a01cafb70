//! The pages of docs/: no link of theirs is dead.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk_lab::{ASSETS, Page, pages};
use std::collections::BTreeSet;

/// The values of an attribute.
fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let opening = format!(" {attribute}=\"");
    html.split(&opening).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Everything that a link may lead to: files, and sections of pages.
fn targets(pages: &[Page]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = ASSETS.iter().map(|asset| asset.path.to_owned()).collect();
    for page in pages {
        found.insert(page.path.clone());
        found.extend(values(&page.html, "id").iter().map(|id| format!("{}#{id}", page.path)));
    }
    found
}

/// A link of a page in docs/, as a path beside the lab's page.
fn resolved(page: &Page, link: &str) -> String {
    match link.strip_prefix("../") {
        Some(rest) => rest.to_owned(),
        None if link.starts_with('#') => format!("{}{link}", page.path),
        None => format!("docs/{link}"),
    }
}

#[test]
fn no_link_of_a_page_is_dead() {
    let pages = pages();
    let targets = targets(&pages);
    for page in &pages {
        let links = values(&page.html, "href");
        assert!(links.len() > pages.len(), "{}", page.path);
        for link in links.into_iter().filter(|link| !link.starts_with("https://") && !link.starts_with("data:")) {
            assert!(targets.contains(&resolved(page, link)), "{}: {link} leads nowhere", page.path);
        }
    }
}

#[test]
fn an_id_names_one_place_of_a_page() {
    for page in pages() {
        let ids = values(&page.html, "id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{}: {ids:?}", page.path);
        assert!(!page.title.is_empty(), "{}", page.path);
    }
}
