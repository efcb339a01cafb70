//! Tables and numbers for people: cells, aligned columns, a few digits.
//!
//! Where it sits: under every command that prints a table; it knows none of them.

use crate::printer::{style, styled};

/// A table's cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How it looks.
    pub style: anstyle::Style,
}

/// A cell as it is.
pub fn plain(text: &str) -> Cell {
    Cell {
        text: text.to_owned(),
        style: anstyle::Style::new(),
    }
}

/// A cell of the first row.
pub fn heading(text: &str) -> Cell {
    Cell {
        text: text.to_owned(),
        style: style::DIM,
    }
}

/// Lines of columns, each as wide as its widest cell, two spaces apart.
pub fn aligned(rows: Vec<Vec<Cell>>) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| {
        rows.iter()
            .filter_map(|row| row.get(k))
            .map(|cell| cell.text.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<Cell>| {
        let last = row.len().saturating_sub(1);
        let mut line = String::from("  ");
        for (k, cell) in row.iter().enumerate() {
            line.push_str(&styled(cell.style, &cell.text));
            if k < last {
                let padding = widths[k] - cell.text.chars().count() + 2;
                line.push_str(&" ".repeat(padding));
            }
        }
        line
    };
    rows.iter().map(line).collect()
}

/// A number with four digits.
pub fn short(x: f64) -> String {
    let size = x.abs();
    // Subnormal numbers are ends of intervals that a rounding pushed off zero.
    if size < f64::MIN_POSITIVE {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&size) {
        return format!("{x:.2e}");
    }
    // At most 3 + 4 digits after the point, and none below zero.
    let digits = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_their_meaning() {
        let texts = [
            0.0,
            -0.004,
            0.00300000000001,
            12.5,
            123_456.7,
            1e-17,
            0.99999,
            -0.0,
        ]
        .map(short);
        assert_eq!(
            texts,
            [
                "0", "-0.004", "0.003", "12.5", "123457", "1.00e-17", "1", "0"
            ]
        );
    }
}
