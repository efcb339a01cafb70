//! Counts in sentences for people.

/// A count with its noun: `1 body`, `2 bodies`.
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `is` or `are`, by the count before it.
#[must_use]
pub fn be(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
