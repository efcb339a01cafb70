//! The pages of docs/ as HTML, in the lab's colours.
//!
//! Where it sits: the server of `gjk lab` and whoever builds a static copy of the lab serve them beside the page, whose legend
//! leads to their sections.
//! Idea: headings have the ids that GitHub gives them, so that a link to a section is the same in both places. A link to a page
//! that is served becomes one to its HTML; any other relative link leads nowhere here and becomes its text.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A page of docs/.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its path beside the page's files, without a leading slash.
    pub path: String,
    /// Its first heading, as text.
    pub title: String,
    /// All of it, as HTML.
    pub html: String,
}

macro_rules! sources {
    ($($name:literal)*) => {
        /// Names and Markdown, in the order to read them.
        const SOURCES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../docs/", $name, ".md")))),*];
    };
}
sources! { "gjk" "simplex" "epa" "exactness" "casts" "toi" "manifolds" "meshes" "paths" "report" "tolerances" "performance" "conventions" }

// The pages are links to docs/ of the workspace. Where git wrote links as text, their text would be served.
const _: () = assert!(
    SOURCES[0].1.as_bytes()[0] == b'#',
    "crates/gjk-lab/docs has no pages but the text of links: `git config core.symlinks true`, and check them out again"
);

/// A second-level heading.
struct Section {
    id: String,
    /// What it says, as HTML.
    words: String,
}

/// Renders all of them.
pub fn pages() -> Vec<Page> {
    let titles: Vec<String> = SOURCES
        .iter()
        .map(|(_, source)| title(&Parser::new(source).collect::<Vec<_>>()))
        .collect();
    SOURCES
        .iter()
        .zip(&titles)
        .map(|((name, source), title)| page(name, source, title, &titles))
        .collect()
}

fn page(name: &str, source: &str, title: &str, titles: &[String]) -> Page {
    let mut events: Vec<Event<'_>> = Parser::new_ext(source, Options::ENABLE_TABLES).collect();
    let sections = name_headings(&mut events);
    let body = rendered(finished(events));
    let others = SOURCES.iter().zip(titles).map(|((other, _), title)| {
        let here = if *other == name {
            " aria-current=\"page\""
        } else {
            ""
        };
        format!("<a href=\"{other}.html\"{here}>{}</a>\n", escaped(title))
    });
    let sections = sections
        .iter()
        .map(|Section { id, words }| format!("<li><a href=\"#{id}\">{words}</a></li>\n"));
    let html = include_str!("../web/docs.html")
        .replace("{title}", &escaped(title))
        .replace("{pages}", others.collect::<String>().trim_end())
        .replace("{sections}", sections.collect::<String>().trim_end())
        .replace("{body}", body.trim_end());
    Page {
        path: format!("docs/{name}.html"),
        title: title.to_owned(),
        html,
    }
}

/// The first heading's words.
fn title(events: &[Event<'_>]) -> String {
    let end = events
        .iter()
        .position(|event| matches!(event, Event::End(TagEnd::Heading(_))))
        .unwrap_or(0);
    words(&events[..end])
}

fn words(events: &[Event<'_>]) -> String {
    let word = |event: &Event<'_>| match event {
        Event::Text(text) | Event::Code(text) => Some(text.to_string()),
        _ => None,
    };
    events.iter().filter_map(word).collect()
}

/// Gives each heading its id, and tells the sections.
fn name_headings(events: &mut [Event<'_>]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    for start in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = events[start] else {
            continue;
        };
        let end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_)));
        let length = events[start..].iter().position(end).unwrap_or(0);
        let inside = &events[start + 1..start + length];
        let plain = slug(&words(inside));
        let again = taken.iter().filter(|other| **other == plain).count();
        let name = if again == 0 {
            plain.clone()
        } else {
            format!("{plain}-{again}")
        };
        if level == HeadingLevel::H2 {
            sections.push(Section {
                id: name.clone(),
                words: rendered(inside.to_vec()),
            });
        }
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(name));
        }
        taken.push(plain);
    }
    sections
}

/// The id that GitHub gives a heading of these words.
fn slug(words: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    };
    words.to_lowercase().chars().filter_map(kept).collect()
}

/// Links that lead somewhere, tables that scroll where they are too wide.
fn finished(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut done = Vec::with_capacity(events.len());
    let mut kept = true;
    for event in events {
        match event {
            // Links do not nest.
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let target = target(&dest_url);
                kept = target.is_some();
                let link = |dest_url| {
                    Event::Start(Tag::Link {
                        link_type,
                        dest_url,
                        title,
                        id,
                    })
                };
                done.extend(target.map(CowStr::from).map(link));
            }
            Event::End(TagEnd::Link) => done.extend(kept.then_some(Event::End(TagEnd::Link))),
            Event::Start(Tag::Table(_)) => {
                done.push(Event::Html(CowStr::from(
                    "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n",
                )));
                done.push(event);
            }
            Event::End(TagEnd::Table) => {
                done.push(event);
                done.push(Event::Html(CowStr::from("</div>\n")));
            }
            other => done.push(other),
        }
    }
    done
}

/// Where a link of a page of docs/ leads beside the page, if anywhere.
fn target(link: &str) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") {
        return Some(link.to_owned());
    }
    let (file, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
    let name = file.strip_suffix(".md")?;
    SOURCES
        .iter()
        .any(|(served, _)| *served == name)
        .then(|| format!("{name}.html{anchor}"))
}

fn rendered(events: Vec<Event<'_>>) -> String {
    let mut written = String::new();
    html::push_html(&mut written, events.into_iter());
    written
}

fn escaped(text: &str) -> String {
    rendered(vec![Event::Text(CowStr::from(text))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_what_is_served_or_nowhere() {
        let cases = [
            ("epa.md", Some("epa.html")),
            ("epa.md#proof", Some("epa.html#proof")),
            ("#proof", Some("#proof")),
            ("https://example.org/a.md", Some("https://example.org/a.md")),
            ("../DESIGN.md", None),
            ("nothing.md", None),
            ("../crates/gjk/src/loops/gjk.rs", None),
        ];
        for (link, expected) in cases {
            assert_eq!(target(link).as_deref(), expected, "{link}");
        }
        let text = "see [one](epa.md) and [another](../DESIGN.md) there";
        let made = rendered(finished(Parser::new(text).collect()));
        assert_eq!(
            made,
            "<p>see <a href=\"epa.html\">one</a> and another there</p>\n"
        );
    }

    #[test]
    fn headings_have_the_ids_of_github_also_when_they_repeat() {
        let text = "# One & all\n## A facet's plane: `SIDE_ROUNDINGS` = 272\n## Same\n## Same\n";
        let mut events: Vec<Event<'_>> = Parser::new(text).collect();
        let ids: Vec<String> = name_headings(&mut events)
            .into_iter()
            .map(|section| section.id)
            .collect();
        assert_eq!(
            ids,
            ["a-facets-plane-side_roundings--272", "same", "same-1"]
        );
        assert!(rendered(events).starts_with("<h1 id=\"one--all\">One &amp; all</h1>"));
    }
}
