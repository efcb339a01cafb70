//! The report for people: a line a pair, what is worth a look first.

use super::changes::{Action, ComparedPair};
use super::confusion::{confusion, confusion_lines};
use super::report::MatrixFound;
use crate::printer::style;
use crate::text::{Cell, aligned, plain, short};
use gjk::query::Interval;
use gjk_motion::Basis;
use gjk_scene::{DisabledReason, counted};

/// The lines of the table, and the summary.
pub fn lines(found: &MatrixFound<'_>, rows_max: usize, only_changes: bool) -> Vec<String> {
    let compared = found.compared();
    let mut order: Vec<&ComparedPair<'_>> = compared.iter().collect();
    if only_changes {
        order.retain(|pair| {
            let is_same = matches!(pair.action, Action::Keep | Action::None);
            !is_same || pair.is_contradiction()
        });
    }
    order.sort_by_key(|pair| rank(pair));
    let shown = if rows_max == 0 { order.len() } else { rows_max };
    let rows: Vec<Vec<Cell>> = order
        .iter()
        .take(shown)
        .map(|pair| row(found, pair))
        .collect();
    let mut lines = aligned(rows);
    if order.len() > shown {
        let more = counted(order.len() - shown, "more pair", "more pairs");
        lines.push(format!("  … {more}: --rows 0 shows all"));
    }
    lines.push(String::new());
    if only_changes {
        lines.extend(confusion_lines(&confusion(&compared)));
        lines.push(String::new());
    }
    lines.extend(summary(found, &compared));
    lines
}

/// What comes first: what the file has wrong, what is open, what is enabled, then the rest.
pub(super) fn rank(pair: &ComparedPair<'_>) -> u8 {
    if pair.is_contradiction() {
        return 0;
    }
    match (&pair.found.basis, pair.found.reason) {
        (Basis::Touches { .. } | Basis::Samples { .. }, _) => 1,
        (_, None) => 2,
        (_, Some(DisabledReason::Never)) => 3,
        (_, Some(DisabledReason::Default | DisabledReason::Always)) => 4,
        _ => 5,
    }
}

fn row(found: &MatrixFound<'_>, pair: &ComparedPair<'_>) -> Vec<Cell> {
    let name = |body: usize| found.title(body);
    let (mark, look) = match (rank(pair), &pair.found.basis) {
        (0, _) => ("✗", style::BAD),
        (1, _) => ("?", style::WARN),
        (2, _) => ("•", style::DIM),
        _ => ("✓", style::GOOD),
    };
    vec![
        Cell {
            text: mark.to_owned(),
            style: look,
        },
        plain(&name(pair.found.bodies.0)),
        plain(&name(pair.found.bodies.1)),
        plain(&sentence(found, pair)),
    ]
}

/// What is said of a pair.
pub fn sentence(found: &MatrixFound<'_>, pair: &ComparedPair<'_>) -> String {
    let said = match &pair.found.basis {
        Basis::Structure { through } => adjacent(found, through),
        Basis::Apart { distance, .. } => never(pair, distance),
        Basis::AlwaysOverlapping => "always overlap, proved".to_owned(),
        Basis::File => "may overlap: the scene file allows it".to_owned(),
        Basis::Witness {
            state,
            distance,
            overlaps,
        } => witness(found, pair, state, *distance, *overlaps),
        Basis::Touches { distance, .. } => format!(
            "come within {} of touching; no state decides it: checked",
            short(distance.upper)
        ),
        Basis::Samples {
            count,
            smallest,
            proved_share,
            ..
        } => samples(pair, *count, *smallest, *proved_share),
    };
    let line = match (pair.action, pair.srdf) {
        (Action::Remove, Some(reason)) => format!(" (the file says {})", reason.as_str()),
        (Action::Change, Some(reason)) => format!(" (the file says {})", reason.as_str()),
        (Action::Add, _) if found.srdf.is_some() => " (not in the file)".to_owned(),
        _ => String::new(),
    };
    said + &line
}

fn adjacent(found: &MatrixFound<'_>, through: &[usize]) -> String {
    if through.is_empty() {
        return "adjacent".to_owned();
    }
    let names: Vec<&str> = through
        .iter()
        .map(|&link| found.robot.links[link].name.as_str())
        .collect();
    let have = if names.len() == 1 { "has" } else { "have" };
    format!(
        "adjacent through {}, which {have} no geometry",
        names.join(", ")
    )
}

fn never(pair: &ComparedPair<'_>, distance: &Interval<f64>) -> String {
    let joints = pair.found.joints.len();
    if joints == 0 {
        return format!(
            "never: {} apart, and no joint moves them",
            short(distance.lower)
        );
    }
    format!(
        "never, proved: at least {} apart in all states, at most {} ({}, {})",
        short(distance.lower),
        short(distance.upper),
        counted(joints, "joint", "joints"),
        counted(pair.found.cells as usize, "cell", "cells"),
    )
}

fn witness(
    found: &MatrixFound<'_>,
    pair: &ComparedPair<'_>,
    state: &[f64],
    distance: Interval<f64>,
    overlaps: bool,
) -> String {
    let measured = found.depths.get(&pair.found.bodies);
    let how = if let Some(depth) = measured {
        between("collide, ", " deep", *depth)
    } else if !overlaps && distance.upper <= 0.0 {
        "touch".to_owned()
    } else if !overlaps {
        format!("come within {}", short(distance.upper))
    } else if distance.upper < 0.0 {
        format!("collide, {} deep", short(-distance.lower))
    } else {
        "collide".to_owned()
    };
    let often = pair
        .found
        .sampled_fraction
        .map(|fraction| format!("; {} of random states", percent(fraction)));
    let often = often.unwrap_or_default();
    if pair.found.reason == Some(DisabledReason::Default) {
        let always = if pair.found.always_too {
            ", and in all states, proved"
        } else {
            ""
        };
        return format!("default: {how} in the default state{always}{often}");
    }
    if pair.found.reason == Some(DisabledReason::Always) {
        return format!("always: {how}{often}");
    }
    let values = found.of_pair(pair, state).into_iter();
    let at: Vec<String> = values
        .map(|(name, value)| format!("{name} {value:.3}"))
        .collect();
    let checked = if pair.is_contradiction() {
        "not checked, but "
    } else {
        ""
    };
    format!("{checked}{how} at {}{often}", at.join(", "))
}

/// A length that is known between two ends, in as few words as they allow.
fn between(before: &str, after: &str, length: Interval<f64>) -> String {
    let (lower, upper) = (short(length.lower), short(length.upper));
    if lower == upper {
        format!("{before}{lower}{after}")
    } else {
        format!("{before}{lower} to {upper}{after}")
    }
}

fn samples(
    pair: &ComparedPair<'_>,
    count: u32,
    smallest: f64,
    proved_share: Option<f64>,
) -> String {
    let why = match (&pair.found.refusal, proved_share) {
        (Some(refusal), _) => format!("no proof: {refusal}"),
        (None, Some(share)) => format!("{} of all states proved; cells ran out", percent(share)),
        (None, None) => "no proof".to_owned(),
    };
    let states = counted(count as usize, "random state", "random states");
    let seen = if smallest.is_finite() {
        format!(", the nearest {} apart", short(smallest))
    } else {
        String::new()
    };
    let word = if pair.found.reason.is_some() {
        "never in"
    } else {
        "open: free in"
    };
    format!("{word} {states}{seen}; {why}")
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.1 {
        "under 0.1 %".to_owned()
    } else {
        format!("{percent:.1} %")
    }
}

pub(super) fn summary(found: &MatrixFound<'_>, compared: &[ComparedPair<'_>]) -> Vec<String> {
    let report = found.report();
    let counts = &report.counts;
    let mut lines = Vec::new();
    let disabled_never = compared
        .iter()
        .filter(|pair| pair.srdf == Some(DisabledReason::Never));
    let never: Vec<_> = disabled_never.collect();
    if !never.is_empty() {
        let proved = never
            .iter()
            .filter(|pair| matches!(pair.found.basis, Basis::Apart { .. }));
        let refuted = never.iter().filter(|pair| pair.is_contradiction());
        lines.push(format!(
            "{} of the file's {} \"Never\" proved, {} refuted",
            proved.count(),
            never.len(),
            refuted.count()
        ));
    }
    lines.push(format!(
        "{}: {} adjacent, {} proved never to meet, {} shown to meet, {} touch, {} open · {} limits · margin {} · seed {}",
        counted(counts.pairs, "pair", "pairs"),
        counts.structure,
        counts.proved_never,
        counts.witness + counts.proved_always,
        counts.touch,
        report.open,
        report.limits,
        short(report.margin),
        report.seed,
    ));
    if counts.world > 0 {
        lines.push(format!(
            "{} of them with {} that {} still around the robot: no SRDF file has those",
            counts.world,
            counted(report.world.len(), "body", "bodies"),
            if report.world.len() == 1 {
                "stands"
            } else {
                "stand"
            },
        ));
    }
    lines.push(
        "This is about the links as the file has them: not about cables, tools that it lacks, or a controller that overshoots.".to_owned(),
    );
    lines
}
