//! The report for people with a browser: `gjk check --html`, one file that needs no network.
//!
//! Where it sits: beside `table.rs`, whose rows, words and summary it shows; `page/` has what the browser runs.
//! Idea: the page carries the very report of `--json`, so that a new field of a pair needs no work here; beside it stand the table's
//! rows and the words for each pair (`PageData`), and the bodies as triangles (`page_scene.rs`). The lab's pictures of space draw them.
//! What is in the file is text of others: names of bodies and files. JSON cannot end its element, because it has no `<`.

use super::junit::word_alone;
use super::pack::deflated;
use super::page_scene::{PageScene, states_shown};
use super::report::CheckReport;
use super::sentence::sentence;
use super::table::{PairRow, Table, reason};
use gjk_check::states::States;
use gjk_check::{CheckResult, PairProximity};
use gjk_lab::ASSETS;
use gjk_scene::Scene;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::io;

/// The page without its numbers. Each `{{name}}` is a place to fill.
const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// What the page runs at once, in this order: one module, so that the list is there before the picture is.
const SCRIPTS: [&str; 6] = [
    include_str!("page/unpack.js"),
    include_str!("page/list.js"),
    include_str!("page/details.js"),
    include_str!("page/matrix.js"),
    include_str!("page/path.js"),
    include_str!("page/main.js"),
];
/// What draws the bodies, with three.js: loaded after the list is shown.
const PICTURE: &str = include_str!("page/picture.js");

/// What the page is made of.
pub struct ResultPage<'a> {
    /// What was checked.
    pub scene: &'a Scene,
    /// The states in which it was.
    pub states: &'a States<'a>,
    /// What was found.
    pub table: &'a Table<'a>,
    /// What was odd in the input.
    pub warnings: &'a [String],
    /// What another command than `gjk check` tells with it.
    pub story: Option<&'a PageStory>,
}

/// What another command tells on the page: its own words in the place of the check's, its report, and the view that the page opens on.
pub struct PageStory {
    /// The command: `acm`.
    pub command: &'static str,
    /// How it ended, in few words, and whether that is `good`, `warn` or `bad`.
    pub headline: String,
    /// Its tone.
    pub tone: &'static str,
    /// What was looked at.
    pub about: Vec<String>,
    /// The words for pairs, by their bodies. Pairs without are told as a check tells them.
    pub pairs: HashMap<(usize, usize), PairStory>,
    /// What the page opens on, for its scripts.
    pub view: Value,
    /// The command's report for programs, as JSON.
    pub report: String,
    /// The command's text, for browsers without scripts.
    pub text: String,
}

/// What another command tells of a pair.
#[derive(Serialize)]
pub struct PairStory {
    /// Its place in the list that is not sorted.
    #[serde(skip)]
    pub rank: usize,
    /// What was found, in one sign.
    #[serde(skip)]
    pub sign: char,
    /// And in a word or two.
    #[serde(skip)]
    pub word: &'static str,
    /// Whether it makes the command fail.
    #[serde(skip)]
    pub fails: bool,
    /// The sentence, with `{a}` and `{b}` for the names.
    #[serde(skip)]
    pub says: String,
    /// `good`, `warn`, `bad` or nothing of these.
    pub tone: &'static str,
    /// The pair's place in the command's report.
    pub answer: usize,
    /// What a file says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

/// What the page knows beside the report.
#[derive(Serialize)]
struct PageData<'a> {
    version: &'static str,
    command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tone: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'a Value>,
    /// How many pairs are what.
    headline: String,
    /// How many pairs were looked at, in how many states, and what the parts are.
    about: Vec<String>,
    /// What was odd in the input, and what to do about overlaps by a rounding.
    notes: Vec<String>,
    /// The table's rows, the most severe first: the pair of the worst state, and in how many states it is so.
    rows: Vec<PageRow>,
    /// What is said of each pair of the report, in its order.
    pairs: Vec<PagePair<'a>>,
    /// The states that the page has, and how many were checked.
    states: Vec<usize>,
    states_checked: usize,
    scene: PageScene,
}

#[derive(Serialize)]
struct PageRow {
    pair: usize,
    states: usize,
}

#[derive(Serialize)]
struct PagePair<'a> {
    bodies: (usize, usize),
    parts: (usize, usize),
    /// The verdict in one sign.
    sign: char,
    /// And in a word.
    word: &'static str,
    /// Whether it makes the check fail.
    fails: bool,
    /// What bounds the signed distance; where that was not measured, by the hulls.
    bounds: (f64, f64),
    /// The sentence, with `{a}` and `{b}` for the names.
    says: String,
    /// Why the interval is wide, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_wide: Option<&'static str>,
    #[serde(flatten)]
    story: Option<&'a PairStory>,
}

impl ResultPage<'_> {
    /// The file's text.
    ///
    /// # Errors  none but of a memory that is full.
    pub fn html(&self) -> io::Result<String> {
        let mut rows = self.table.most_severe_first();
        if let Some(story) = self.story {
            rows.sort_by_key(|row| story.pairs.get(&row.worst.bodies).map(|pair| pair.rank));
        }
        let result = self.table.result;
        let states = states_shown(&rows, result, self.states.len());
        let kept = CheckResult {
            pairs: of_states(result, &states),
            ..CheckResult::default()
        };
        let (scene, geometry) = PageScene::new(self.table.bodies, self.states, &states);
        let data = PageData {
            version: env!("CARGO_PKG_VERSION"),
            command: self.story.map_or("check", |story| story.command),
            tone: self.story.map(|story| story.tone),
            view: self.story.map(|story| &story.view),
            headline: self.headline(&rows),
            about: self.about(&rows),
            notes: self.notes(),
            rows: page_rows(&rows, &kept),
            pairs: kept.pairs.iter().map(|pair| self.pair(pair)).collect(),
            states,
            states_checked: self.states.len(),
            scene,
        };
        let Table {
            bodies,
            pairs,
            criteria,
            ..
        } = self.table;
        // The numbers of the whole run, and the pairs of the states that the page has.
        let report = CheckReport {
            pairs: CheckReport::new(self.scene, bodies, pairs, criteria, &kept).pairs,
            ..CheckReport::new(self.scene, bodies, pairs, criteria, result)
        };
        let title = format!("{}: {}", self.scene.name, data.headline);
        let lines = || self.table.lines().join("\n");
        let text = self.story.map_or_else(lines, |story| story.text.clone());
        Ok(filled(&[
            ("title", &escaped(&title)),
            ("style", STYLE),
            ("name", &escaped(&self.scene.name)),
            ("table", &escaped(&unstyled(&text))),
            ("licence", &escaped(&of_lab("vendor/three.LICENSE.txt"))),
            ("report", &json(&report)?),
            (
                "answer",
                &within(self.story.map_or("null", |story| &story.report)),
            ),
            ("page", &json(&data)?),
            ("geometry", &geometry.text()?),
            ("modules", &modules()?),
            ("script", &SCRIPTS.concat()),
        ]))
    }

    fn headline(&self, rows: &[PairRow<'_>]) -> String {
        let counts = || self.table.counts(rows, false).join(", ");
        self.story
            .map_or_else(counts, |story| story.headline.clone())
    }

    /// What the table says first and last, but for what was found.
    fn about(&self, rows: &[PairRow<'_>]) -> Vec<String> {
        if let Some(story) = self.story {
            return story.about.clone();
        }
        let looked = self.table.summary(rows).into_iter().skip(1);
        let parts = self.table.fidelity().into_iter().take(1);
        looked.chain(parts).map(|line| unstyled(&line)).collect()
    }

    fn notes(&self) -> Vec<String> {
        let hint = self.table.rounding_hint();
        let notes = self.warnings.iter().chain(&hint);
        notes.map(|line| unstyled(line)).collect()
    }

    fn pair(&self, pair: &PairProximity) -> PagePair<'_> {
        let found = &pair.proximity;
        let (word, _) = self.table.verdict(pair);
        let mut page_pair = PagePair {
            bodies: pair.bodies,
            parts: found.parts,
            sign: word.chars().next().unwrap_or(' '),
            word: word_alone(word),
            bounds: (found.lower, found.upper),
            fails: self.table.criteria.is_violated_by(found),
            says: sentence(found, self.table.criteria, self.table.unit),
            why_wide: found.is_wide().then(|| reason(found.stop)),
            story: self.story.and_then(|story| story.pairs.get(&pair.bodies)),
        };
        if let Some(story) = page_pair.story {
            page_pair.sign = story.sign;
            page_pair.word = story.word;
            page_pair.fails = story.fails;
            page_pair.says.clone_from(&story.says);
        }
        page_pair
    }
}

/// The pairs of these states.
fn of_states(result: &CheckResult, states: &[usize]) -> Vec<PairProximity> {
    let is_shown = |pair: &&PairProximity| states.binary_search(&pair.state).is_ok();
    result.pairs.iter().filter(is_shown).cloned().collect()
}

/// The rows, whose pairs are those of the page.
fn page_rows(rows: &[PairRow<'_>], kept: &CheckResult) -> Vec<PageRow> {
    let places: HashMap<(usize, (usize, usize)), usize> = kept
        .pairs
        .iter()
        .enumerate()
        .map(|(place, pair)| ((pair.state, pair.bodies), place))
        .collect();
    rows.iter()
        .filter_map(|row| {
            Some(PageRow {
                pair: *places.get(&(row.worst.state, row.worst.bodies))?,
                states: row.states,
            })
        })
        .collect()
}

/// A file of the lab's page.
fn of_lab(path: &str) -> String {
    let found = ASSETS.iter().find(|asset| asset.path == path);
    String::from_utf8_lossy(found.map_or(&[][..], |asset| asset.bytes)).into_owned()
}

/// The lab's files that draw, and this page's own, by the names that they have for one another.
fn modules() -> io::Result<String> {
    let sources = [
        ("./vendor/three.js", of_lab("vendor/three.js")),
        ("./space.js", of_lab("space.js")),
        ("./picture.js", PICTURE.to_owned()),
    ];
    deflated(&serde_json::to_vec(&sources)?)
}

fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(within(&serde_json::to_string(value)?))
}

/// JSON that an element of a page can hold: without `<` no text in it ends the element.
fn within(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The template with its places filled. What is put in is not looked at again.
fn filled(values: &[(&str, &str)]) -> String {
    let length = values.iter().map(|(_, text)| text.len()).sum::<usize>();
    let mut page = String::with_capacity(TEMPLATE.len() + length);
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let value = values.iter().find(|(place, _)| *place == name);
        page.push_str(value.map_or("", |(_, text)| text));
        rest = after;
    }
    page.push_str(rest);
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub(super) fn unstyled(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
