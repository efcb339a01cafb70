//! Whether a licence expression is met by the licences that this project takes from others.
//!
//! Idea: the list stands once, in `deny.toml`, where cargo-deny reads it before a release; what is checked here needs no other program.
//! Source: SPDX's expressions, `OR` weaker than `AND`, `A/B` as crates wrote `A OR B` before.

use std::iter::Peekable;
use std::vec::IntoIter;

/// The `allow` list of `deny.toml`, in its table of licences.
pub(super) fn list(deny: &str) -> Vec<String> {
    let table = deny.split_once("\n[licenses]").map_or("", |(_, rest)| rest);
    let list = table
        .split_once("allow = [")
        .and_then(|(_, rest)| rest.split_once("\n]"));
    let lines = list.map_or("", |(list, _)| list).lines();
    // A line is a licence, and perhaps a comment.
    lines
        .filter_map(|line| line.trim_start().strip_prefix('"')?.split_once('"'))
        .map(|(licence, _)| licence.to_owned())
        .collect()
}

/// Whether the licences of a list meet an expression.
pub(super) fn meets(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    let mut words = words.into_iter().peekable();
    any(&mut words, allowed) && words.next().is_none()
}

fn any(words: &mut Peekable<IntoIter<String>>, allowed: &[String]) -> bool {
    let mut met = all(words, allowed);
    while words.next_if(|word| word == "OR").is_some() {
        met |= all(words, allowed);
    }
    met
}

fn all(words: &mut Peekable<IntoIter<String>>, allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while words.next_if(|word| word == "AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Peekable<IntoIter<String>>, allowed: &[String]) -> bool {
    let Some(mut licence) = words.next() else {
        return false;
    };
    if licence == "(" {
        let met = any(words, allowed);
        return words.next().is_some_and(|word| word == ")") && met;
    }
    if words.next_if(|word| word == "WITH").is_some() {
        licence = format!("{licence} WITH {}", words.next().unwrap_or_default());
    }
    allowed.contains(&licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_as_spdx_says() {
        let deny = "allow = [\n  \"no\",\n]\n[licenses]\nallow = [\n    \"MIT\", # a reason\n    \"Zlib\",\n]\n";
        let allowed = list(deny);
        assert_eq!(allowed, ["MIT", "Zlib"]);
        let met = |expression| meets(expression, &allowed);
        assert!(met("MIT") && met("GPL-3.0 OR MIT") && met("(MIT OR X) AND Zlib"));
        assert!(met("Unlicense/MIT") && met("X AND Y OR MIT"));
        assert!(!met("MIT AND X") && !met("(MIT OR X) AND X") && !met("MIT WITH X") && !met(""));
        assert!(!met("MIT MIT") && !met("(MIT"));
    }
}
