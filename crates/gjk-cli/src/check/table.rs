//! The report for people: what the shapes leave out, the pairs, and one line that sums up.
//!
//! Idea: a pair of bodies has one row, that of its worst state, however many states there are; the gravest rows come first. Verdicts
//! are words with a sign, so that nothing depends on colour.

use crate::printer::{style, styled};
use gjk::query::Verdict;
use gjk_check::gravity;
use gjk_check::pairs::Pairs;
use gjk_check::parts::{Body, Fidelity, Part};
use gjk_check::{Outcome, PairFound, Wanted};
use std::collections::BTreeMap;

/// A hull of this much of its mesh is as good as the mesh for people.
pub const NEARLY_CONVEX: f64 = 0.999;

/// Overlaps that are this part of their coordinates are told to come from rounding: 1e4 roundings of a double, and far less than
/// anyone can make.
const ROUNDING_DEPTH: f64 = 1e-12;

/// How many hulls are listed; the rest are counted.
const HULLS_LISTED: usize = 10;

/// What the table is made of.
pub struct Table<'a> {
    /// The length unit, where it is known.
    pub unit: Option<&'a str>,
    /// The bodies.
    pub bodies: &'a [Body],
    /// Which pairs were looked at.
    pub pairs: &'a Pairs,
    /// What was looked for.
    pub wanted: &'a Wanted,
    /// What was found.
    pub outcome: &'a Outcome,
    /// How many rows to print; all when 0.
    pub rows: usize,
}

/// A pair of bodies over all states.
struct Row<'a> {
    worst: &'a PairFound,
    /// States with the worst verdict.
    states: usize,
}

impl Table<'_> {
    /// The lines of the report.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.fidelity();
        lines.push(String::new());
        let rows = self.gravest_first();
        if !rows.is_empty() {
            let shown = if self.rows == 0 {
                rows.len()
            } else {
                self.rows.min(rows.len())
            };
            lines.extend(aligned(self.cells(&rows[..shown])));
            if shown < rows.len() {
                let left = rows.len() - shown;
                lines.push(styled(
                    style::DIM,
                    format!("… and {left} more pairs: `--rows 0` prints all, `--json` too"),
                ));
            }
            if rows[..shown]
                .iter()
                .any(|row| self.is_coarse(row.worst, true) || self.is_coarse(row.worst, false))
            {
                lines.push(styled(
                    style::DIM,
                    "* a hull stands for this part: what it shows may be the hull's and not the part's",
                ));
            }
            lines.push(String::new());
        }
        lines.extend(self.summary(&rows));
        lines.extend(self.rounding_hint(&rows));
        lines
    }

    /// Decimal numbers are not doubles: what touches on paper may overlap by a rounding. Says so, and what to do.
    fn rounding_hint(&self, rows: &[Row<'_>]) -> Option<String> {
        let size = |pair: &PairFound| {
            pair.found
                .point_a
                .iter()
                .fold(0.0_f64, |m, x| m.max(x.abs()))
        };
        let is_tiny = |row: &&Row<'_>| {
            let pair = row.worst;
            pair.found.verdict == Verdict::Overlapping
                && -pair.found.lower <= ROUNDING_DEPTH * size(pair)
        };
        let band = rows
            .iter()
            .filter(is_tiny)
            .map(|row| ROUNDING_DEPTH * size(row.worst))
            .max_by(f64::total_cmp)?;
        let count = rows.iter().filter(is_tiny).count();
        Some(styled(
            style::DIM,
            format!(
                "{count} of the overlaps {} no deeper than rounding: `--touch-band {band:.0e}` calls that touching",
                be(count)
            ),
        ))
    }

    /// How many parts are what, and which hulls are more than their part.
    fn fidelity(&self) -> Vec<String> {
        let parts = || {
            self.bodies
                .iter()
                .flat_map(|body| body.parts.iter().map(move |part| (body, part)))
        };
        let mut hulls: Vec<(&Body, &Part, Option<f64>)> = Vec::new();
        let (mut primitives, mut convex) = (0, 0);
        for (body, part) in parts() {
            match part.fidelity {
                Fidelity::Primitive => primitives += 1,
                Fidelity::ConvexMesh { .. } => convex += 1,
                Fidelity::Hull { volume_ratio, .. } => hulls.push((body, part, volume_ratio)),
            }
        }
        let bodies = plural(self.bodies.len(), "body", "bodies");
        let total = plural(primitives + convex + hulls.len(), "part", "parts");
        let mut words = vec![
            plural(primitives, "primitive", "primitives"),
            plural(convex, "convex mesh", "convex meshes"),
            plural(hulls.len(), "hull", "hulls"),
        ];
        words.retain(|word| !word.starts_with("0 "));
        let all_hulls = hulls.len();
        hulls.retain(|(_, _, ratio)| ratio.is_none_or(|ratio| ratio < NEARLY_CONVEX));
        let nearly = match all_hulls - hulls.len() {
            0 => String::new(),
            filled => format!(" ({filled} filled to 99.9 % by their meshes)"),
        };
        let mut lines = vec![format!("{bodies} of {total}: {}{nearly}", words.join(", "))];
        // Meshes without a volume come last: about them nothing is known.
        hulls.sort_by(|a, b| {
            a.2.unwrap_or(f64::INFINITY)
                .total_cmp(&b.2.unwrap_or(f64::INFINITY))
        });
        let listed = hulls.len().min(HULLS_LISTED);
        if listed > 0 {
            let mut cells = vec![["body", "mesh", "mesh / hull"].map(heading).to_vec()];
            cells.extend(hulls[..listed].iter().map(|(body, part, ratio)| {
                let share = ratio.map_or_else(
                    || "unknown: not a closed surface".to_owned(),
                    |ratio| format!("{:.1} %", ratio * 100.0),
                );
                [body.name.as_str(), &part.source, &share]
                    .map(plain)
                    .to_vec()
            }));
            lines.extend(aligned(cells));
        }
        if listed < hulls.len() {
            lines.push(styled(
                style::DIM,
                format!(
                    "… and {} more hulls: `--json` lists all",
                    hulls.len() - listed
                ),
            ));
        }
        lines
    }

    fn gravest_first(&self) -> Vec<Row<'_>> {
        let mut rows: BTreeMap<(usize, usize), Row<'_>> = BTreeMap::new();
        let key = |pair: &PairFound| (gravity(pair.found.verdict), pair.found.lower);
        for pair in &self.outcome.pairs {
            let row = rows.entry(pair.bodies).or_insert(Row {
                worst: pair,
                states: 0,
            });
            if pair.found.verdict != row.worst.found.verdict && key(pair) < key(row.worst) {
                row.states = 0;
            }
            if key(pair) < key(row.worst) {
                row.worst = pair;
            }
            row.states += usize::from(pair.found.verdict == row.worst.found.verdict);
        }
        let mut rows: Vec<Row<'_>> = rows.into_values().collect();
        rows.sort_by(|a, b| {
            let (a, b) = (key(a.worst), key(b.worst));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        rows
    }

    fn states_with_overlap(&self) -> usize {
        let overlaps = self
            .outcome
            .pairs
            .iter()
            .filter(|pair| pair.found.verdict == Verdict::Overlapping);
        let mut states: Vec<usize> = overlaps.map(|pair| pair.state).collect();
        // Pairs are sorted by state.
        states.dedup();
        states.len()
    }

    fn cells(&self, rows: &[Row<'_>]) -> Vec<Vec<Cell>> {
        let has_states = self.outcome.states > 1;
        let distance = self.unit.map_or_else(
            || "distance".to_owned(),
            |unit| format!("distance ({unit})"),
        );
        let mut head = vec!["", "a", "b", &distance];
        if has_states {
            head.extend(["states", "worst"]);
        }
        head.extend(["normal", "point of a", "point of b"]);
        let mut cells = vec![head.into_iter().map(heading).collect::<Vec<_>>()];
        for row in rows {
            let (pair, found) = (row.worst, &row.worst.found);
            let (word, colour) = self.verdict(pair);
            let name = |index: usize, is_a| {
                let mark = if self.is_coarse(pair, is_a) { "*" } else { "" };
                plain(&format!("{}{mark}", self.bodies[index].name))
            };
            let mut cell = vec![Cell {
                text: word.to_owned(),
                style: colour,
            }];
            cell.extend([
                name(pair.bodies.0, true),
                name(pair.bodies.1, false),
                plain(&interval(found.lower, found.upper)),
            ]);
            if has_states {
                cell.extend([
                    plain(&row.states.to_string()),
                    plain(&format!("#{}", pair.state)),
                ]);
            }
            cell.extend([found.normal, found.point_a, found.point_b].map(|v| plain(&vector(v))));
            cells.push(cell);
        }
        cells
    }

    fn verdict(&self, pair: &PairFound) -> (&'static str, anstyle::Style) {
        match pair.found.verdict {
            Verdict::Overlapping => ("✗ overlapping", style::BAD),
            Verdict::Touching => ("= touching", style::WARN),
            Verdict::Undecided => ("? undecided", style::WARN),
            Verdict::Separated if self.wanted.is_under_clearance(&pair.found) => {
                ("< too close", style::WARN)
            }
            Verdict::Separated => ("✓ separated", style::GOOD),
        }
    }

    /// True when the part that was found of A (or B) is a hull that is more than the part.
    fn is_coarse(&self, pair: &PairFound, of_a: bool) -> bool {
        let (body, part) = if of_a {
            (pair.bodies.0, pair.found.parts.0)
        } else {
            (pair.bodies.1, pair.found.parts.1)
        };
        match self.bodies[body].parts[part].fidelity {
            Fidelity::Hull { volume_ratio, .. } => {
                volume_ratio.is_none_or(|ratio| ratio < NEARLY_CONVEX)
            }
            Fidelity::Primitive | Fidelity::ConvexMesh { .. } => false,
        }
    }

    fn summary(&self, rows: &[Row<'_>]) -> Vec<String> {
        let worst_of = |is: &dyn Fn(&Row<'_>) -> bool| {
            let of: Vec<&Row<'_>> = rows.iter().filter(|row| is(row)).collect();
            (of.len(), of.first().map(|row| row.worst))
        };
        let unit = self.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
        let named = |pair: Option<&PairFound>, what: &str| {
            pair.map_or_else(String::new, |pair| {
                let [a, b] =
                    [pair.bodies.0, pair.bodies.1].map(|index| self.bodies[index].name.as_str());
                format!(
                    " ({what} {}{unit}: {a}, {b})",
                    short(pair.found.lower.abs())
                )
            })
        };
        let (overlaps, deepest) = worst_of(&|row| row.worst.found.verdict == Verdict::Overlapping);
        let (touches, _) = worst_of(&|row| row.worst.found.verdict == Verdict::Touching);
        let (undecided, _) = worst_of(&|row| row.worst.found.verdict == Verdict::Undecided);
        let mut found = vec![
            format!(
                "{} {}{}",
                plural(overlaps, "pair", "pairs"),
                verb(overlaps, "overlap"),
                named(deepest, "deepest")
            ),
            format!("{touches} {}", verb(touches, "touch")),
        ];
        if let Some(clearance) = self.wanted.clearance {
            let (near, nearest) = worst_of(&|row| {
                row.worst.found.verdict == Verdict::Separated
                    && self.wanted.is_under_clearance(&row.worst.found)
            });
            found.push(format!(
                "{near} {} nearer than {}{unit}{}",
                be(near),
                short(clearance),
                named(nearest, "nearest")
            ));
        }
        if undecided > 0 {
            found.push(format!("{undecided} {} undecided", be(undecided)));
        }
        let Pairs {
            considered,
            adjacent,
            disabled,
            ..
        } = self.pairs;
        let with_overlap = match self.outcome.states {
            0 | 1 => String::new(),
            _ => format!(", {} of them with an overlap", self.states_with_overlap()),
        };
        let mut lines = vec![
            styled(style::STRONG, found.join(", ")),
            format!(
                "{} looked at in {}{with_overlap}; skipped: {adjacent} adjacent, {disabled} disabled",
                plural(*considered, "pair", "pairs"),
                plural(self.outcome.states, "state", "states"),
            ),
        ];
        if self.outcome.is_partial {
            lines.push(styled(style::WARN, "partial: stopped before the end"));
        }
        lines
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn verb(count: usize, plural: &str) -> String {
    match (count, plural) {
        (1, "touch") => "touches".to_owned(),
        (1, _) => format!("{plural}s"),
        _ => plural.to_owned(),
    }
}

fn be(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

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

/// An interval as one number where its ends agree to six digits.
fn interval(lower: f64, upper: f64) -> String {
    if upper - lower <= 1e-6 * lower.abs().max(upper.abs()) {
        return short(if lower.abs() > upper.abs() {
            lower
        } else {
            upper
        });
    }
    format!("[{}, {}]", short(lower), short(upper))
}

fn vector(v: [f64; 3]) -> String {
    // A component that is rounding beside the others is shown as none.
    let size = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let [x, y, z] = v.map(|x| short(if x.abs() < 1e-9 * size { 0.0 } else { x }));
    format!("({x}, {y}, {z})")
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
        assert_eq!(interval(-1e-17, 2e-17), "[-1.00e-17, 2.00e-17]");
        assert_eq!(interval(0.5, 0.5 + 1e-12), "0.5");
    }
}
