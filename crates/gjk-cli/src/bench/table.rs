//! The report for people: a row a kind of query and pair of shapes, then the total.

use super::report::{Report, RowReport, Times, TotalReport, Verdicts};
use crate::printer::{style, styled};
use crate::text::{Cell, aligned, heading, plain};

/// The lines of the report.
pub fn lines(report: &Report) -> Vec<String> {
    let head = [
        "dim", "scalar", "query", "shapes", "queries", "single", "median", "batch", "median",
        "gain", "lanes", "verdicts",
    ];
    let mut cells = vec![head.map(heading).to_vec()];
    cells.extend(report.rows.iter().map(row));
    cells.push(total("total", &report.total));
    cells.extend(
        report
            .batchable
            .iter()
            .map(|batchable| total("of them in batches", batchable)),
    );
    let mut lines = vec![summary(report), String::new()];
    lines.extend(aligned(cells));
    let what = "single, batch: the least of all rounds, then the median; gain: of the medians; lanes: pairs that SIMD answered";
    lines.push(styled(style::DIM, what));
    if report.rows.iter().any(|row| row.batch.is_none()) {
        let why = "no batch: these lines ask for a certificate, a tolerance or an iteration limit of their own";
        lines.push(styled(style::DIM, why));
    }
    lines
}

fn summary(report: &Report) -> String {
    let many =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let failed = match report.failed.len() {
        0 => String::new(),
        count => format!(", {count} not measured"),
    };
    format!(
        "{}{failed}; {}, batches on {}; ns a query of {}, on a machine with {}",
        many(report.lines, "line"),
        many(report.rounds as usize, "round"),
        many(report.threads, "thread"),
        report.clock.name(),
        many(report.cores, "core"),
    )
}

fn row(row: &RowReport) -> Vec<Cell> {
    let [a, b] = row.shapes;
    let names = [
        format!("{}D", row.dim),
        row.scalar.to_owned(),
        row.query.name().to_owned(),
        format!("{a}–{b}"),
    ];
    let mut cells: Vec<Cell> = names.iter().map(|name| plain(name)).collect();
    cells.extend(figures(
        row.queries,
        row.single,
        row.batch,
        row.wide,
        &row.verdicts,
    ));
    cells
}

fn total(name: &str, total: &TotalReport) -> Vec<Cell> {
    let mut cells: Vec<Cell> = ["", "", "", name].map(plain).to_vec();
    cells.extend(figures(
        total.queries,
        total.single,
        total.batch,
        total.wide,
        &total.verdicts,
    ));
    cells.iter_mut().for_each(|cell| cell.style = style::STRONG);
    cells
}

fn figures(
    queries: usize,
    single: Times,
    batch: Option<Times>,
    wide: usize,
    verdicts: &Verdicts,
) -> Vec<Cell> {
    let none = || "-".to_owned();
    let of_batch = |text: &dyn Fn(Times) -> String| batch.map_or_else(none, text);
    let share = |count: usize| format!("{:.0} %", 100.0 * count as f64 / queries.max(1) as f64);
    let Verdicts {
        separated,
        touching,
        overlapping,
        undecided,
    } = *verdicts;
    let words = [
        (separated, "separated"),
        (touching, "touching"),
        (overlapping, "overlapping"),
        (undecided, "undecided"),
    ];
    let named = words
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|&(count, word)| format!("{} {word}", share(count)));
    let texts = [
        queries.to_string(),
        nanoseconds(single.min),
        nanoseconds(single.median),
        of_batch(&|batch| nanoseconds(batch.min)),
        of_batch(&|batch| nanoseconds(batch.median)),
        of_batch(&|batch| format!("{:.2}", single.median / batch.median)),
        of_batch(&|_| share(wide)),
        named.collect::<Vec<_>>().join(", "),
    ];
    texts.iter().map(|text| plain(text)).collect()
}

/// Three digits at least: what a nanosecond has after its point is noise from ten on.
fn nanoseconds(time: f64) -> String {
    if time < 100.0 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}
