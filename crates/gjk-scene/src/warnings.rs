//! Warnings about a file, one line a kind.
//! Where it sits: the readers of robots collect into [`Warnings`]; what they hand out are the lines.
//! Idea: real files repeat one oddity hundreds of times, and the one error that matters comes last. A kind that occurs once is
//! told with its line; one that occurs more often is told with its count and the names that occur first.

use std::path::Path;

/// So many names are listed; the others are counted.
const NAMES_LISTED: usize = 3;

/// What was odd about one file, in the order of its kinds.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kinds: Vec<Kind>,
}

/// All warnings of one kind.
#[derive(Debug)]
struct Kind {
    /// What the things have in common, in the plural: `spheres have radius 0`.
    plural: String,
    /// The first warning's line and text.
    line: usize,
    text: String,
    count: usize,
    /// Each name once.
    names: Vec<String>,
}

impl Warnings {
    /// Adds a warning: `name` is what it is about, `text` says it for this one alone, `plural` for many.
    pub(crate) fn add(&mut self, line: usize, name: &str, text: String, plural: String) {
        let found = self.kinds.iter_mut().find(|kind| kind.plural == plural);
        if let Some(kind) = found {
            kind.count += 1;
            if !kind.names.iter().any(|known| known == name) {
                kind.names.push(name.to_owned());
            }
            return;
        }
        self.kinds.push(Kind {
            plural,
            line,
            text,
            count: 1,
            names: vec![name.to_owned()],
        });
    }

    /// True when there is a warning of a kind.
    pub(crate) fn has(&self, plural: &str) -> bool {
        self.kinds.iter().any(|kind| kind.plural == plural)
    }

    /// The lines, each with its file.
    pub(crate) fn lines(&self, file: &Path) -> Vec<String> {
        let line = |kind: &Kind| {
            let file = file.display();
            if kind.count == 1 {
                return format!("{file}:{}: {}", kind.line, kind.text);
            }
            let names = some_of(&kind.names);
            format!("{file}: {} {}: {names}", kind.count, kind.plural)
        };
        self.kinds.iter().map(line).collect()
    }
}

/// The first names, and how many others there are.
fn some_of(names: &[String]) -> String {
    let listed = names[..names.len().min(NAMES_LISTED)].join(", ");
    match names.len().saturating_sub(NAMES_LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_one_line_however_often_it_occurs() {
        let mut warnings = Warnings::default();
        let mut add = |line: usize, name: &str, plural: &str| {
            warnings.add(line, name, format!("{name} is odd"), plural.to_owned());
        };
        ["a", "b", "a", "c", "d"]
            .iter()
            .zip(3..)
            .for_each(|(name, line)| add(line, name, "names are odd"));
        add(9, "e", "others are odd");
        assert_eq!(
            warnings.lines(Path::new("f")),
            ["f: 5 names are odd: a, b, c and 1 more", "f:9: e is odd"]
        );
    }
}
