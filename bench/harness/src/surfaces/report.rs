//! What was measured of surfaces, as tables, as CSV and as a picture.

use super::sets::Kind;
use super::{OURS, Row};
use crate::curves::Panel;
use crate::points::unique;
use std::fmt::Write as _;

/// A block an operation: a row a set, ours first, then each peer with its time by ours. An asterisk marks answers that are not ours.
pub(super) fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for op in unique(rows.iter().map(|r| r.op.clone())) {
        let here: Vec<&Row> = rows.iter().filter(|r| r.op == op).collect();
        let mut engines = unique(here.iter().map(|r| r.engine.as_str()));
        engines.sort_by_key(|name| *name != OURS);
        // Writing to a string does not fail.
        let _ = write!(text, "\n{:40}", title(&op));
        for engine in &engines {
            let _ = write!(text, "{engine:>24}");
        }
        text.push('\n');
        for set in unique(here.iter().map(|r| r.set.as_str())) {
            let of = |name: &str| here.iter().find(|r| r.set == set && r.engine == name);
            let Some(first) = here.iter().find(|r| r.set == set) else {
                continue;
            };
            let head = format!("  {set}, {} x {}", first.pairs, first.triangles);
            let _ = write!(text, "{head:40}");
            for engine in &engines {
                let cell = of(engine).map_or_else(|| "-".into(), |r| cell(r, of(OURS).copied()));
                let _ = write!(text, "{cell:>24}");
            }
            text.push('\n');
        }
    }
    text
}

fn title(op: &str) -> String {
    let what = match op {
        "build" | "build-tree" => "ns a triangle, bytes",
        _ => "us a pair: least, median",
    };
    format!("{op}: {what}")
}

/// Numbers, and the ratio to ours.
fn cell(row: &Row, ours: Option<&Row>) -> String {
    let numbers = match row.bytes {
        Some(bytes) => format!("{} {bytes:.0} B", number(row.ns_median())),
        None => format!(
            "{} {}",
            number(1e-3 * row.ns_min),
            number(1e-3 * row.ns_median())
        ),
    };
    let star = if row.wrong > 0 { "*" } else { "" };
    match ours {
        Some(own) if row.engine != OURS => {
            format!("{numbers} {}x{star}", number(row.times(own)))
        }
        _ => format!("{numbers}{star}"),
    }
}

/// Three digits.
fn number(x: f64) -> String {
    match x {
        _ if x < 1.0 => format!("{x:.3}"),
        _ if x < 10.0 => format!("{x:.2}"),
        _ if x < 100.0 => format!("{x:.1}"),
        _ => format!("{x:.0}"),
    }
}

/// A row each.
pub(super) fn csv(rows: &[Row]) -> String {
    let mut text = String::from("set,op,engine,triangles,pairs,ns_min,ns_median,bytes,wrong\n");
    for r in rows {
        let bytes = r
            .bytes
            .map_or_else(String::new, |bytes| format!("{bytes:.1}"));
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.2},{:.2},{bytes},{}",
            r.set,
            r.op,
            r.engine,
            r.triangles,
            r.pairs,
            r.ns_min,
            r.ns_median(),
            r.wrong
        );
    }
    text
}

/// Costs by triangles: noise spheres beside each other.
pub(super) fn panels(rows: &[Row]) -> Vec<Panel> {
    let panel = |title: &str, op: &str, of: fn(&Row) -> f64| {
        let mut panel = Panel {
            title: format!("noise spheres, {title}"),
            x: "triangles".into(),
            curves: Vec::new(),
        };
        let spheres = rows.iter().filter(|r| {
            let kinds = [Kind::Pairs, Kind::Curve, Kind::Large];
            r.op == op && kinds.contains(&r.kind) && r.set.starts_with("noise")
        });
        spheres.for_each(|r| panel.add(&r.engine, r.triangles as f64, of(r)));
        panel
    };
    vec![
        panel("meet: us a pair", "meet", |r| 1e-3 * r.ns_median()),
        panel("distance: us a pair", "surface-dist", |r| {
            1e-3 * r.ns_median()
        }),
        panel("closer than 1 %: us a pair", "within", |r| {
            1e-3 * r.ns_median()
        }),
        panel("build: ns a triangle", "build", |r| r.ns_median()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, op: &str, engine: &str, triangles: usize, ns: f64) -> Row {
        Row {
            set: set.into(),
            kind: Kind::Curve,
            op: op.into(),
            engine: engine.into(),
            triangles,
            pairs: 10,
            ns_min: ns,
            medians: vec![ns],
            bytes: None,
            wrong: usize::from(engine == "coal-mesh"),
        }
    }

    #[test]
    fn a_table_has_ours_first_and_ratios_and_marks_what_is_wrong() {
        let rows = [
            row("noise_1k", "meet", "coal-mesh", 1280, 4000.0),
            row("noise_1k", "meet", OURS, 1280, 1000.0),
            row("noise_5k", "meet", OURS, 5120, 2000.0),
        ];
        let table = tables(&rows);
        let lines: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(lines[1][6..], [OURS, "coal-mesh"]);
        assert_eq!(lines[2][4..], ["1.00", "1.00", "4.00", "4.00", "4.00x*"]);
        assert_eq!(lines[3][4..], ["2.00", "2.00", "-"]);
        assert_eq!(
            csv(&rows).lines().nth(1),
            Some("noise_1k,meet,coal-mesh,1280,10,4000.00,4000.00,,1")
        );
        let panels = panels(&rows);
        assert_eq!(panels[0].curves.len(), 2);
        assert!(panels[1].curves.is_empty());
    }
}
