//! What a sweep measured: one number a point, by part, case and size; as lines, as a table, as CSV.

use std::fmt::Write as _;

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    /// Which of the sweep's parts.
    pub(crate) part: String,
    /// What was asked, by whom.
    pub(crate) case: String,
    /// Vertices, pairs or threads.
    pub(crate) size: usize,
    /// What the value is.
    pub(crate) measure: String,
    pub(crate) value: f64,
}

impl Point {
    /// A line `part,case,size,measure,value`.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let wrong = || format!("expected `part,case,size,measure,value`, found `{line}`");
        let words: Vec<&str> = line.split(',').collect();
        let [part, case, size, measure, value] = words[..] else {
            return Err(wrong());
        };
        let (size, value) = size
            .parse()
            .ok()
            .zip(value.parse().ok())
            .ok_or_else(wrong)?;
        Ok(Self {
            part: part.into(),
            case: case.into(),
            size,
            measure: measure.into(),
            value,
        })
    }
}

/// The points as CSV, in their order.
pub(crate) fn csv(points: &[Point]) -> String {
    let mut text = String::from("part,case,size,measure,value\n");
    for p in points {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{}",
            p.part, p.case, p.size, p.measure, p.value
        );
    }
    text
}

/// A block a part: a row a case and measure, a column a size.
pub(crate) fn table(points: &[Point]) -> String {
    let mut text = String::new();
    for part in unique(points.iter().map(|p| p.part.clone())) {
        let here: Vec<&Point> = points.iter().filter(|p| p.part == part).collect();
        let mut sizes = unique(here.iter().map(|p| p.size));
        sizes.sort_unstable();
        let row = |p: &Point| format!("  {}, {}", p.case, p.measure);
        let width = here
            .iter()
            .map(|p| row(p).len())
            .max()
            .unwrap_or(0)
            .max(title(&part).len());
        let _ = write!(text, "{:width$}", title(&part));
        sizes.iter().for_each(|size| _ = write!(text, " {size:>9}"));
        text.push('\n');
        for name in unique(here.iter().map(|p| row(p))) {
            let _ = write!(text, "{name:width$}");
            for size in &sizes {
                let found = here.iter().find(|p| p.size == *size && row(p) == name);
                let _ = write!(
                    text,
                    " {:>9}",
                    found.map_or_else(|| "-".into(), |p| number(p.value))
                );
            }
            text.push('\n');
        }
    }
    text
}

fn title(part: &str) -> &str {
    match part {
        "support" => "a support, by vertices",
        "single" => "a single query, by vertices",
        "pairs" => "a pair of a batch, by pairs",
        "levels" => "ns a pair of a batch, by threads",
        "same" => "batches against single queries, by pairs",
        "robot" => "a robot, by states",
        other => other,
    }
}

/// Counts as they are, small numbers with an exponent, else three digits.
fn number(x: f64) -> String {
    match x {
        _ if x == x.trunc() => format!("{x}"),
        _ if x.abs() < 0.01 => format!("{x:.0e}"),
        _ if x.abs() < 1.0 => format!("{x:.3}"),
        _ if x.abs() < 100.0 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    }
}

/// In the order in which they come first.
pub(crate) fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        let point = Point {
            part: "pairs".into(),
            case: "box_near bool-batch".into(),
            size: 1000,
            measure: "ns min".into(),
            value: 12.5,
        };
        let text = csv(std::slice::from_ref(&point));
        assert_eq!(text.lines().nth(1).map(Point::parse), Some(Ok(point)));
        for line in [
            "",
            "pairs,box,many,ns,1",
            "pairs,box,1,ns",
            "pairs,box,1,ns,x",
            "a,b,1,c,1,2",
        ] {
            assert!(
                Point::parse(line).is_err_and(|why| why.starts_with("expected")),
                "{line}"
            );
        }
    }

    #[test]
    fn a_table_has_a_column_a_size_and_says_what_is_missing() {
        let lines = [
            "support,scan,16,ns,7.25",
            "support,scan,8,ns,5",
            "support,climb,16,ns,1e-5",
        ];
        let points: Vec<Point> = lines
            .iter()
            .filter_map(|line| Point::parse(line).ok())
            .collect();
        let table = table(&points);
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(rows[0][4..], ["8", "16"]);
        assert_eq!(rows[1], ["scan,", "ns", "5", "7.2"]);
        assert_eq!(rows[2], ["climb,", "ns", "-", "1e-5"]);
    }
}
