//! SRDF out: an old file with other disabled pairs, and all else of it as it was, to the byte.
//! Where it sits: `gjk acm` hands the pairs to [`write_srdf`] and writes the text; [`super::read_srdf`] reads it back.
//! Idea: the file is people's. Only places that must differ are edits of the text: a line that goes, a reason that is another, a
//! block of new lines after the old ones. So a second run changes nothing, and a diff shows what was decided.
//! Source: MoveIt's words for reasons, its form of the line and its order of names; a reason it does not know reads as `User`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use roxmltree::Node;

use super::{Robot, srdf};
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::xml::{self, Xml};

/// So much stands before a new line of a file that shows no indentation.
const INDENT: &str = "    ";
/// So many pairs are named in a warning; the others are counted.
const PAIRS_NAMED: usize = 3;

/// Why a pair is not checked: the words that MoveIt knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DisabledReason {
    /// A joint joins the links, or a chain of links without geometry.
    Adjacent,
    /// They are in contact in the default state.
    Default,
    /// They are in contact in all states, or nearly all that were tried.
    Always,
    /// They are in contact in no state, or in none that was tried.
    Never,
    /// A person says so; any other word reads as this one.
    User,
}

impl DisabledReason {
    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Adjacent => "Adjacent",
            Self::Default => "Default",
            Self::Always => "Always",
            Self::Never => "Never",
            Self::User => "User",
        }
    }

    /// What a file's reason means: an unknown word and none at all are `User`, as MoveIt has it.
    #[must_use]
    pub fn of_word(word: Option<&str>) -> Self {
        let known = [Self::Adjacent, Self::Default, Self::Always, Self::Never];
        let mut known = known.into_iter();
        known
            .find(|reason| word == Some(reason.as_str()))
            .unwrap_or(Self::User)
    }
}

/// A pair of links that a written file disables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WantedPair {
    /// One link, as an index into [`Robot::links`].
    pub a: usize,
    /// Another link.
    pub b: usize,
    /// Why the pair is not checked.
    pub reason: DisabledReason,
}

/// The text of a written file, and how it differs from the old one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SrdfEdit {
    /// The whole file.
    pub text: String,
    /// Pairs whose lines are new.
    pub added: usize,
    /// Pairs whose lines are gone.
    pub removed: usize,
    /// Pairs whose reason is another.
    pub changed: usize,
    /// Pairs whose lines stayed as they were.
    pub unchanged: usize,
    /// Lines that stayed because they name a link that the robot lacks, or one without collision geometry.
    pub left_alone: usize,
    /// What stays disabled although it is not wanted, for people.
    pub warnings: Vec<String>,
}

/// Writes an SRDF that disables the wanted pairs: `old` with other `disable_collisions`, or a small file of its own.
///
/// `file` is the old file's name, for messages. Of a pair that is wanted twice the first reason counts. A pair that the old file
/// names keeps its line, with another reason where that differs; lines that name a link which the robot lacks or which has no collision
/// geometry stay. New lines are sorted by name, with the old ones' indentation and line ends.
///
/// # Errors
/// An old text that is no SRDF, one with entities of its own or xacro macros, and a wanted pair that is none of the robot's links.
pub fn write_srdf(
    old: Option<&str>,
    file: &Path,
    robot: &Robot,
    wanted: &[WantedPair],
) -> Result<SrdfEdit, SceneError> {
    let wanted = by_links(wanted, robot)?;
    let Some(old) = old else {
        return Ok(new_file(robot, &wanted));
    };
    let (mark, text) = match old.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", old),
    };
    let document = xml::parse(text, file)?;
    let root = document.root_element();
    let xml = Xml { text, file };
    refuse(&xml, root)?;
    let mut editor = Editor {
        text,
        robot,
        edits: Vec::new(),
        found: SrdfEdit::default(),
    };
    let lines: Vec<_> = xml::children(root, "disable_collisions").collect();
    let missing = editor.compare(&xml, &lines, wanted.clone())?;
    editor.insert(root, lines.last().copied(), &missing);
    let mut found = editor.found;
    found.text = mark.to_owned() + &applied(text, editor.edits);
    found.warnings = still_disabled(&found.text[mark.len()..], file, robot, &wanted)?;
    Ok(found)
}

type Reasons = BTreeMap<(usize, usize), DisabledReason>;

fn by_links(wanted: &[WantedPair], robot: &Robot) -> Result<Reasons, SceneError> {
    let mut pairs = Reasons::new();
    for pair in wanted {
        let (a, b) = (pair.a.min(pair.b), pair.a.max(pair.b));
        if a == b || b >= robot.links.len() {
            let message = format!(
                "links {a} and {b} are no pair of the robot `{}`",
                robot.name
            );
            let count = robot.links.len();
            return Err(SceneError::new(Kind::BadValue, message)
                .with_expected(format!("two different links below {count}")));
        }
        pairs.entry((a, b)).or_insert(pair.reason);
    }
    Ok(pairs)
}

/// Refuses what the text of an element does not tell: macros, and entities, whose elements stand elsewhere.
fn refuse(xml: &Xml<'_>, root: Node<'_, '_>) -> Result<(), SceneError> {
    if root.tag_name().name() != "robot" {
        let message = format!("the root element is `<{}>`", root.tag_name().name());
        let error = xml.error(root, Kind::Unsupported, message);
        return Err(error.with_expected("`<robot>`"));
    }
    let is_macro = |node: &Node<'_, '_>| {
        let space = node.tag_name().namespace().unwrap_or_default();
        space.contains("xacro")
    };
    if let Some(node) = root.descendants().find(is_macro) {
        let message = "the file holds xacro macros, which may disable pairs too";
        return Err(xml
            .error(node, Kind::Unsupported, message)
            .with_expected("plain SRDF")
            .with_help("expand it with `xacro` first, or write to a new file"));
    }
    if let Some(at) = xml.text.find("<!ENTITY") {
        let message = "the file declares entities, whose text may stand in many places";
        return Err(SceneError::new(Kind::Unsupported, message)
            .with_span(xml.text, at..at + 8)
            .with_file(xml.file)
            .with_help("write their text out, or write to a new file"));
    }
    Ok(())
}

/// Edits of one text, each a range that gets another text; they do not overlap.
struct Editor<'t> {
    text: &'t str,
    robot: &'t Robot,
    edits: Vec<(Range<usize>, String)>,
    found: SrdfEdit,
}

impl Editor<'_> {
    /// Goes through the old lines, and returns the wanted pairs that none of them names.
    fn compare(
        &mut self,
        xml: &Xml<'_>,
        lines: &[Node<'_, '_>],
        mut wanted: Reasons,
    ) -> Result<Reasons, SceneError> {
        let mut by_pair: BTreeMap<(usize, usize), Vec<Node<'_, '_>>> = BTreeMap::new();
        for line in lines {
            let ends = ["link1", "link2"].map(|end| xml.required(*line, end));
            let [a, b] = ends.map(|name| Ok(self.robot.link_index(name?)));
            match (a?, b?) {
                (Some(a), Some(b)) if a != b => {
                    by_pair.entry((a.min(b), a.max(b))).or_default().push(*line);
                }
                _ => self.found.left_alone += 1,
            }
        }
        let mut gone = Vec::new();
        for (pair, lines) in by_pair {
            let reason = wanted.remove(&pair);
            let has_geometry = |link: usize| !self.robot.links[link].collisions.is_empty();
            if !(has_geometry(pair.0) && has_geometry(pair.1)) {
                self.found.left_alone += lines.len();
                continue;
            }
            match reason {
                None => {
                    self.found.removed += 1;
                    gone.extend(lines.iter().map(Node::range));
                }
                Some(reason) if reason == reason_of(lines[0]) => self.found.unchanged += 1,
                Some(reason) => {
                    self.found.changed += 1;
                    lines.iter().for_each(|line| self.set_reason(*line, reason));
                }
            }
        }
        gone.sort_unstable_by_key(|range| range.start);
        self.remove(&gone);
        Ok(wanted)
    }

    fn set_reason(&mut self, line: Node<'_, '_>, reason: DisabledReason) {
        let mut all = line.attributes();
        let old = all.find(|own| own.name() == "reason" && own.namespace().is_none());
        if let Some(old) = old {
            self.edits
                .push((old.range_value(), reason.as_str().to_owned()));
        } else if let Some(last) = line.attributes().max_by_key(|own| own.range().end) {
            let end = last.range().end;
            let new = format!(" reason=\"{}\"", reason.as_str());
            self.edits.push((end..end, new));
        }
    }

    /// Takes elements out, in order, with their lines where nothing else stands on them.
    fn remove(&mut self, elements: &[Range<usize>]) {
        let mut rest = elements;
        while let Some(first) = rest.first() {
            let mut count = 1;
            while let Some(next) = rest.get(count)
                && is_blank(&self.text[rest[count - 1].end..next.start])
            {
                count += 1;
            }
            let (start, end) = (line_start(self.text, first.start), rest[count - 1].end);
            let after = line_end(self.text, end);
            let alone = is_blank(&self.text[start..first.start])
                && is_blank(self.text[end..after].trim_end_matches(['\r', '\n']));
            let range = if alone && after > end {
                start..after
            } else {
                first.start..end
            };
            self.edits.push((range, String::new()));
            rest = &rest[count..];
        }
    }

    /// Writes new lines after the last old one, else at the end of the root element.
    fn insert(&mut self, root: Node<'_, '_>, last: Option<Node<'_, '_>>, pairs: &Reasons) {
        self.found.added = pairs.len();
        if pairs.is_empty() {
            return;
        }
        let newline = match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let model = last.or_else(|| root.children().rfind(Node::is_element));
        let indent = model.and_then(|node| {
            let before = &self.text[line_start(self.text, node.range().start)..node.range().start];
            (is_blank(before) && self.text[..node.range().start].contains('\n')).then_some(before)
        });
        let lines: Vec<String> = sorted_lines(self.robot, pairs)
            .into_iter()
            .map(|line| format!("{}{line}", indent.unwrap_or(INDENT)))
            .collect();
        let block = lines.join(newline);
        let whole = root.range();
        if let Some(last) = last {
            let end = last.range().end;
            let after = line_end(self.text, end);
            let rest = self.text[end..after].trim();
            let edit = if rest.is_empty() || is_one_comment(rest) {
                (after..after, block + newline)
            } else {
                let close = if rest.starts_with("</") { newline } else { "" };
                (end..end, format!("{newline}{block}{close}"))
            };
            self.edits.push(edit);
        } else if self.text[whole.clone()].ends_with("/>") {
            let name = self.text[whole.start + 1..].split(|c: char| c.is_whitespace() || c == '/');
            let name = name.into_iter().next().unwrap_or("robot");
            let close = format!(">{newline}{block}{newline}</{name}>");
            self.edits.push((whole.end - 2..whole.end, close));
        } else if let Some(close) = self.text[..whole.end].rfind("</") {
            let start = line_start(self.text, close);
            let edit = if is_blank(&self.text[start..close]) && start > whole.start {
                (start..start, block + newline)
            } else {
                (close..close, format!("{newline}{block}{newline}"))
            };
            self.edits.push(edit);
        }
    }
}

fn reason_of(line: Node<'_, '_>) -> DisabledReason {
    DisabledReason::of_word(line.attribute("reason"))
}

/// The elements of pairs, sorted by the names of their links.
fn sorted_lines(robot: &Robot, pairs: &Reasons) -> Vec<String> {
    let mut named: Vec<_> = pairs
        .iter()
        .map(|(&(a, b), reason)| {
            let (a, b) = (robot.links[a].name.as_str(), robot.links[b].name.as_str());
            (a.min(b), a.max(b), reason.as_str())
        })
        .collect();
    named.sort_unstable();
    let line = |(a, b, reason): (&str, &str, &str)| {
        let (a, b) = (escaped(a), escaped(b));
        format!("<disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>")
    };
    named.into_iter().map(line).collect()
}

fn new_file(robot: &Robot, wanted: &Reasons) -> SrdfEdit {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"{}\">\n",
        escaped(&robot.name)
    );
    for line in sorted_lines(robot, wanted) {
        text += &format!("{INDENT}{line}\n");
    }
    text += "</robot>\n";
    SrdfEdit {
        text,
        added: wanted.len(),
        ..SrdfEdit::default()
    }
}

/// A name as an attribute's value.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            // As themselves they would be read as spaces.
            '\t' | '\n' | '\r' => {
                // Writing to a string does not fail.
                let _ = write!(text, "&#{};", u32::from(c));
            }
            _ => text.push(c),
        }
    }
    text
}

fn applied(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        result.push_str(&text[at..range.start]);
        result.push_str(&new);
        at = range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Pairs that other elements of the written file take out, though nobody wants it.
fn still_disabled(
    text: &str,
    file: &Path,
    robot: &Robot,
    wanted: &Reasons,
) -> Result<Vec<String>, SceneError> {
    let srdf = srdf::parse(text, file, robot)?;
    let solid: Vec<usize> = (0..robot.links.len())
        .filter(|link| !robot.links[*link].collisions.is_empty())
        .collect();
    let (mut count, mut named) = (0, Vec::new());
    for (i, &a) in solid.iter().enumerate() {
        for &b in &solid[i + 1..] {
            if srdf.is_disabled(a, b) && !wanted.contains_key(&(a, b)) {
                count += 1;
                if named.len() < PAIRS_NAMED {
                    named.push(format!(
                        "`{}` and `{}`",
                        robot.links[a].name, robot.links[b].name
                    ));
                }
            }
        }
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let more = match count - named.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Ok(vec![format!(
        "{}: `<disable_default_collisions>` stays, and by it pairs that were not asked for: {}{more}",
        file.display(),
        named.join(", ")
    )])
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || c == '\t')
}

fn is_one_comment(text: &str) -> bool {
    text.starts_with("<!--") && text.find("-->").is_some_and(|end| end + 3 == text.len())
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Behind the line end of the line that a place is on.
fn line_end(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline + 1)
}
