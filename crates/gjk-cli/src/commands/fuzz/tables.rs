//! What a campaign counted, as tables.

use super::FuzzReport;
use crate::printer::style;
use crate::text::{Cell, aligned, heading, plain};
use gjk_fuzz::Space;
use gjk_fuzz::manifolds::ManifoldTally;
use gjk_fuzz::motions::MotionTally;
use gjk_fuzz::report::{HEADINGS, Tally};
use gjk_fuzz::solids;

/// What was counted of pairs of convex bodies: a row a family, and all of them in words.
pub(super) fn pair_counts(report: &FuzzReport<'_>) -> Vec<String> {
    let mut cells: Vec<Vec<Cell>> = vec![HEADINGS.iter().map(|text| heading(text)).collect()];
    cells.extend(report.rows.iter().map(|row| {
        let look = if row.tally.faulty > 0 {
            style::BAD
        } else {
            anstyle::Style::new()
        };
        row.cells()
            .into_iter()
            .map(|text| Cell { text, style: look })
            .collect()
    }));
    let total = report
        .rows
        .iter()
        .map(|row| row.tally.clone())
        .fold(Tally::default(), Tally::merged);
    let micro = |k: usize| total.nanoseconds[k] as f64 / 1000.0 / total.cases.max(1) as f64;
    let mut lines = aligned(cells);
    lines.push(format!("\nstops: {}", total.stops_in_words()));
    lines.push(format!(
        "{} cases in {:.1} s, {} wrong; a case: contact {:.2} µs, other queries {:.2} µs, judge {:.2} µs",
        total.cases,
        report.seconds,
        report.found,
        micro(0),
        micro(1),
        micro(2)
    ));
    lines
}

/// What was counted of a family of meshes, as a table.
pub(super) fn mesh_counts(tally: &solids::Tally) -> Vec<String> {
    let names = solids::RELATIONS.map(|relation| format!("{relation:?}").to_lowercase());
    let mut head = vec![heading("cases")];
    head.extend(names.iter().map(|name| heading(name)));
    head.extend(
        [
            "not exact",
            "left open",
            "verified",
            "depths",
            "wrong",
            "µs",
            "µs verify",
        ]
        .map(heading),
    );
    let micros = |of: u64, count: u64| of as f64 / 1000.0 / count.max(1) as f64;
    let mut row = vec![tally.cases.to_string()];
    row.extend(tally.relations.map(|count| count.to_string()));
    let counts = [
        tally.not_exact,
        tally.left_open,
        tally.verified,
        tally.depths,
        tally.wrong,
    ];
    row.extend(counts.map(|count| count.to_string()));
    let times = [
        micros(tally.nanoseconds, tally.cases),
        micros(tally.verify_nanoseconds, tally.verified),
    ];
    row.extend(times.map(|micros| format!("{micros:.1}")));
    let row = row.iter().map(|text| plain(text)).collect();
    aligned(vec![head, row])
}

/// What was counted of manifolds, as a table.
pub(super) fn manifold_counts(tallies: &[(Space, ManifoldTally)]) -> Vec<String> {
    let kinds = ["face_face", "face_edge", "edge_edge", "point", "none"];
    let mut head: Vec<&str> = vec!["space", "cases"];
    head.extend(kinds);
    head.extend(["points", "areas", "moved", "wrong", "panic", "ns", "judge"]);
    let mut rows = vec![head.into_iter().map(heading).collect()];
    rows.extend(tallies.iter().map(|(space, tally)| {
        let mut row = vec![
            format!("{}D {}", space.dim, space.scalar()),
            tally.cases.to_string(),
        ];
        row.extend(kinds.map(|name| tally.kinds.get(name).unwrap_or(&0).to_string()));
        let [ns, judge] = tally.nanoseconds.map(|sum| sum / tally.cases.max(1));
        let counts = [
            tally.points,
            tally.judged,
            tally.moved,
            tally.wrong,
            tally.panics,
            ns,
            judge,
        ];
        row.extend(counts.map(|count| count.to_string()));
        row.iter().map(|text| plain(text)).collect()
    }));
    aligned(rows)
}

/// What was counted of motions, as a table.
pub(super) fn motion_counts(tallies: &[(Space, MotionTally)]) -> Vec<String> {
    let names = [
        "free",
        "hits",
        "starts_touching",
        "starts_overlapping",
        "exits",
        "undecided",
    ];
    let mut head: Vec<&str> = vec!["space", "cases"];
    head.extend(names);
    head.extend([
        "graze", "wrong", "missed", "uncert", "panic", "judged", "proved", "ns", "judge", "slowest",
    ]);
    let mut rows = vec![head.into_iter().map(heading).collect()];
    rows.extend(tallies.iter().map(|(space, tally)| {
        let mut row = vec![
            format!("{}D {}", space.dim, space.scalar()),
            tally.cases.to_string(),
        ];
        row.extend(names.map(|name| tally.verdicts.get(name).unwrap_or(&0).to_string()));
        let counts = [
            tally.grazing,
            tally.wrong,
            tally.missed,
            tally.unverified,
            tally.panics,
            tally.judged,
        ];
        row.extend(counts.map(|count| count.to_string()));
        row.push(tally.proved[0].to_string());
        let times = tally.nanoseconds.map(|sum| sum / tally.cases.max(1));
        row.extend(times.map(|ns| ns.to_string()));
        row.push(format!("{:.0}", tally.slowest as f64 / 1e3));
        row.iter().map(|text| plain(text)).collect()
    }));
    aligned(rows)
}
