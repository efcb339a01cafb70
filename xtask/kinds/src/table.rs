//! The rows: their names, counts and hashes.
//!
//! Idea: the hash is 64-bit FNV-1a over the answers' words, eight bytes each, the lowest first.

/// Opens the committed file.
const HEAD: &str = "\
# The library's answers to the corpus and to seeded pairs: 64-bit FNV-1a of their bits. `cargo xtask hashes --bless` writes this file.
# kind space scalar profile way pairs hash
";

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

    /// A table without rows that watches the same.
    pub(crate) fn empty(&self) -> Self {
        Self {
            watched: self.watched.clone(),
            ..Self::default()
        }
    }

    /// Adds the rows of another table.
    pub(crate) fn append(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.details.extend(other.details);
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
