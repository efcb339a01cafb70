//! The rows: their names, counts and hashes, as text and compared with committed text.
//!
//! Where it sits: this crate fills a [`Table`]; `cargo xtask hashes` includes this file, too, and compares texts.
//! Idea: the hash is 64-bit FNV-1a over the answers' words, eight bytes each, the lowest first.

/// Opens the committed file.
const HEAD: &str = "\
# The library's answers to the corpus and to seeded pairs: 64-bit FNV-1a of their bits. `cargo xtask hashes --bless` writes this file.
# kind space scalar profile way pairs hash
";

/// How many words a row's name has.
const NAME_WORDS: usize = 5;

/// The hash of some words, and how many pairs they answer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum {
    pairs: usize,
    hash: u64,
}

/// The hash of nothing.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

fn extended(hash: u64, word: u64) -> u64 {
    word.to_le_bytes().iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The rows in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<(String, Sum)>,
    watched: Option<String>,
    /// Of each pair of the watched rows: the row, the pair's index, its words.
    pub details: Vec<String>,
}

impl Table {
    /// A table that also keeps the words of each pair, for rows whose name starts with `watched`.
    pub fn watching(watched: &str) -> Self {
        Self {
            watched: Some(watched.to_owned()),
            ..Self::default()
        }
    }

    /// Adds a row: the words of each pair's answers.
    pub fn add(&mut self, name: &str, answers: &[Vec<u64>]) {
        let hash = answers.iter().flatten().copied().fold(EMPTY, extended);
        let sum = Sum {
            pairs: answers.len(),
            hash,
        };
        self.rows.push((name.to_owned(), sum));
        let watched = self.watched.as_ref();
        if watched.is_some_and(|watched| name.starts_with(watched.as_str())) {
            for (index, words) in answers.iter().enumerate() {
                let words: Vec<String> = words.iter().map(|word| format!("{word:x}")).collect();
                self.details
                    .push(format!("{name} {index}: {}", words.join(" ")));
            }
        }
    }

    /// As it is committed.
    pub fn text(&self) -> String {
        let row = |(name, sum): &(String, Sum)| format!("{name} {} {:016x}\n", sum.pairs, sum.hash);
        self.rows
            .iter()
            .map(row)
            .fold(HEAD.to_owned(), |text, row| text + &row)
    }
}

/// The rows in which two texts differ, a sentence each.
pub fn differences(mine: &str, committed: &str) -> Vec<String> {
    let rows = |text: &str| -> Vec<(String, String)> {
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                let (name, sum) = words.split_at(words.len().min(NAME_WORDS));
                (name.join(" "), sum.join(" "))
            })
            .collect()
    };
    let (mine, committed) = (rows(mine), rows(committed));
    let sum = |rows: &[(String, String)], name: &str| {
        let found = rows.iter().find(|row| row.0 == name);
        found.map_or("nothing".to_owned(), |row| row.1.clone())
    };
    let missing = committed
        .iter()
        .filter(|row| !mine.iter().any(|own| own.0 == row.0));
    mine.iter()
        .chain(missing)
        .map(|(name, _)| (name, sum(&mine, name), sum(&committed, name)))
        .filter(|(_, mine, committed)| mine != committed)
        .map(|(name, mine, committed)| format!("{name}: {mine}, committed: {committed}"))
        .collect()
}
