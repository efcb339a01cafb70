//! Two texts of rows compared.
//!
//! Where it sits: `cargo xtask hashes` includes this file, too, so that it need not be built with the library.

/// How many words a row's name has.
const NAME_WORDS: usize = 5;

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
