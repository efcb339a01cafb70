//! What `corpus/hashes.txt` holds: for each corpus file and scalar the number of answers and their hash.
//!
//! Where it sits: the test beside it and `cargo xtask hashes` both build a [`Record`] and hold it against the file.
//! Idea: the hash is 64-bit FNV-1a over the answers' text, each with its line end: five lines, the same in any language.
//! The rows `all` hash the answers of all files in the order of their names, so that one line a scalar says it all.

use std::collections::BTreeMap;

/// Opens the committed file.
const HEAD: &str = "\
# The answers of `gjk query` to the corpus: 64-bit FNV-1a of their text. `cargo xtask hashes --bless` writes this file.
# file scalar answers hash
";

/// The name that stands for all files.
pub(crate) const ALL: &str = "all";

/// Answers so far: how many, and the hash of their text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sum {
    /// How many.
    pub(crate) answers: usize,
    /// Of all of them.
    pub(crate) hash: u64,
}

impl Sum {
    const NONE: Self = Self {
        answers: 0,
        hash: 0xcbf2_9ce4_8422_2325,
    };

    fn add(&mut self, answer: &str) {
        self.answers += 1;
        for byte in answer.bytes().chain([b'\n']) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The rows: by file, then by scalar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    all: BTreeMap<String, Sum>,
    files: BTreeMap<[String; 2], Sum>,
}

impl Record {
    /// Counts an answer, given without its line end. Files come in the order of their paths.
    pub(crate) fn add(&mut self, file: &str, scalar: &str, answer: &str) {
        self.all
            .entry(scalar.to_owned())
            .or_insert(Sum::NONE)
            .add(answer);
        self.files
            .entry([file.to_owned(), scalar.to_owned()])
            .or_insert(Sum::NONE)
            .add(answer);
    }

    /// All answers of a scalar.
    pub(crate) fn total(&self, scalar: &str) -> Sum {
        self.all.get(scalar).copied().unwrap_or(Sum::NONE)
    }

    /// As it is committed.
    pub(crate) fn text(&self) -> String {
        let all = self.all.iter().map(|(scalar, sum)| row(ALL, scalar, *sum));
        let files = self
            .files
            .iter()
            .map(|([file, scalar], sum)| row(file, scalar, *sum));
        all.chain(files)
            .fold(HEAD.to_owned(), |text, row| text + &row + "\n")
    }

    /// The first file whose answers are not as committed, in a sentence; `None` when all are.
    pub(crate) fn first_difference(&self, committed: &str) -> Option<String> {
        let mine = self.text();
        let rows = |text: &str| -> BTreeMap<String, String> {
            let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let lines = text
                .lines()
                .filter(|line| !line.starts_with('#'))
                .map(words);
            lines
                .filter(|row| row.len() == 4)
                .map(|row| (row[..2].join(" "), row[2..].join(" ")))
                .collect()
        };
        let (mine, committed) = (rows(&mine), rows(committed));
        let names = mine
            .keys()
            .chain(committed.keys().filter(|name| !mine.contains_key(*name)));
        // A file is named before the rows that only sum it up.
        let (sums, files): (Vec<_>, Vec<_>) =
            names.partition(|name| name.split(' ').next() == Some(ALL));
        let differs = |name: &&&String| mine.get(**name) != committed.get(**name);
        let found = files
            .iter()
            .find(differs)
            .or_else(|| sums.iter().find(differs))?;
        let told = |rows: &BTreeMap<String, String>| {
            rows.get(*found).map_or("nothing".to_owned(), String::clone)
        };
        Some(format!(
            "corpus/{found}: {}, committed: {}",
            told(&mine),
            told(&committed)
        ))
    }
}

fn row(file: &str, scalar: &str, sum: Sum) -> String {
    format!("{file} {scalar} {} {:016x}", sum.answers, sum.hash)
}
