//! The pages of docs/: no link of theirs is dead, and every layer of the legend leads to a section.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk_lab::{ASSETS, Environment, Page, pages, respond};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The values of an attribute.
fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let opening = format!(" {attribute}=\"");
    html.split(&opening)
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect()
}

/// Everything that a link may lead to: files, and sections of pages.
fn targets(pages: &[Page]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = ASSETS.iter().map(|asset| asset.path.to_owned()).collect();
    for page in pages {
        found.insert(page.path.clone());
        found.extend(
            values(&page.html, "id")
                .iter()
                .map(|id| format!("{}#{id}", page.path)),
        );
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
        for link in links
            .into_iter()
            .filter(|link| !link.starts_with("https://") && !link.starts_with("data:"))
        {
            assert!(
                targets.contains(&resolved(page, link)),
                "{}: {link} leads nowhere",
                page.path
            );
        }
    }
}

#[test]
fn an_id_names_one_place_of_a_page() {
    for page in pages() {
        let ids = values(&page.html, "id");
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{}: {ids:?}",
            page.path
        );
        assert!(!page.title.is_empty(), "{}", page.path);
    }
}

fn legend() -> &'static str {
    let asset = ASSETS
        .iter()
        .find(|asset| asset.path == "legend.js")
        .unwrap();
    std::str::from_utf8(asset.bytes).unwrap()
}

#[test]
fn every_layer_that_a_scene_draws_is_in_the_legend() {
    let ask = |request: Value| -> Value {
        serde_json::from_str(&respond(
            &request.to_string(),
            &Environment {
                clock: || 0.0,
                robot: None,
                meshes: None,
            },
        ))
        .unwrap()
    };
    let mut drawn = BTreeSet::new();
    let list = ask(json!({"ask": "scenes"}));
    let pairs = list["scenes"].as_array().unwrap().iter().map(
        |scene| json!({"ask": "query", "query": scene["query"], "algorithm": scene["algorithm"]}),
    );
    let meshes = list["meshes"].as_array().unwrap().iter();
    let meshes = meshes.map(|scene| json!({"ask": "meshes", "query": scene["query"]}));
    let moving = ["motion", "manifold"].into_iter().flat_map(|ask| {
        let scenes = list[format!("{ask}s")].as_array().unwrap();
        scenes
            .iter()
            .map(move |scene| json!({"ask": ask, "query": scene["query"]}))
    });
    for request in pairs.chain(meshes).chain(moving) {
        let told = ask(request);
        let frames = told["frames"]
            .as_array()
            .unwrap()
            .iter()
            .map(|frame| &frame["items"]);
        let items = frames
            .chain([&told["background"]])
            .flat_map(|items| items.as_array().unwrap());
        drawn.extend(items.map(|item| item["layer"].as_str().unwrap().to_owned()));
    }
    assert!(drawn.len() >= 40, "{drawn:?}");
    for layer in drawn {
        assert!(
            legend().contains(&format!("\n  {layer}: {{ name: ")),
            "{layer} is not in the legend"
        );
    }
}

#[test]
fn every_layer_of_the_legend_leads_to_a_section() {
    let legend = legend();
    let targets = targets(&pages());
    let written = |key: &str| {
        legend
            .split(key)
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect::<Vec<_>>()
    };
    let pages = written("page: \"");
    assert!(pages.len() >= 15);
    assert_eq!(
        pages.len(),
        written("tip: \"").len(),
        "a layer without a page"
    );
    for page in pages {
        assert!(
            page.contains('#') && targets.contains(page),
            "{page} is no section"
        );
    }
}
