//! The reasons of an SRDF file against those that were found, counted: `gjk acm --diff`.
//!
//! Idea: a row a reason of the file, a column a reason that was found, with what it rests on where that makes a difference. What is off the
//! diagonal is what the file has otherwise.

use super::changes::ComparedPair;
use crate::printer::style;
use crate::text::{Cell, aligned, heading, plain};
use gjk_motion::{Basis, PairReason};
use gjk_scene::DisabledReason;
use schemars::JsonSchema;
use serde::Serialize;

/// What was found of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// A joint joins the two, or a chain of links without geometry.
    Adjacent,
    /// In contact in the default state.
    Default,
    /// Overlapping in all states.
    Always,
    /// Apart in all states, proved.
    NeverProved,
    /// Apart in the random states.
    NeverSampled,
    /// A state shows them to collide, or to come nearer than the margin.
    Meets,
    /// So near to touching that no state decides.
    Touches,
    /// Neither proved nor refuted.
    Open,
}

impl FoundKind {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 8] = [
        Self::Adjacent,
        Self::Default,
        Self::Always,
        Self::NeverProved,
        Self::NeverSampled,
        Self::Meets,
        Self::Touches,
        Self::Open,
    ];

    /// That of a pair.
    pub fn of(found: &PairReason) -> Self {
        match (found.reason, &found.basis) {
            (Some(DisabledReason::Adjacent), _) => Self::Adjacent,
            (Some(DisabledReason::Default), _) => Self::Default,
            (Some(DisabledReason::Always), _) => Self::Always,
            (Some(_), Basis::Samples { .. }) => Self::NeverSampled,
            (Some(_), _) => Self::NeverProved,
            (None, Basis::Touches { .. }) => Self::Touches,
            (None, Basis::Samples { .. }) => Self::Open,
            (None, _) => Self::Meets,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Adjacent => "adjacent",
            Self::Default => "default",
            Self::Always => "always",
            Self::NeverProved => "never, proved",
            Self::NeverSampled => "never, sampled",
            Self::Meets => "meets",
            Self::Touches => "touches",
            Self::Open => "open",
        }
    }
}

/// The rows: the reasons of a file, and pairs of which it says nothing.
const ROWS: [Option<DisabledReason>; 6] = [
    Some(DisabledReason::Adjacent),
    Some(DisabledReason::Default),
    Some(DisabledReason::Always),
    Some(DisabledReason::Never),
    Some(DisabledReason::User),
    None,
];

/// How many pairs have a reason in the file and which one they were found to have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfusionRow {
    /// The reason of the file: `Adjacent`, `Default`, `Always`, `Never`, `User`, which is also any that MoveIt does not know; `null`: the file has no line.
    pub srdf: Option<&'static str>,
    /// A joint joins the two, or a chain of links without geometry.
    pub adjacent: usize,
    /// In contact in the default state.
    pub default: usize,
    /// Overlapping in all states.
    pub always: usize,
    /// Apart in all states, proved.
    pub never_proved: usize,
    /// Apart in the random states; not proved.
    pub never_sampled: usize,
    /// A state shows them to collide, or to come nearer than the margin.
    pub meets: usize,
    /// So near to touching that no state decides.
    pub touches: usize,
    /// Neither proved nor refuted.
    pub open: usize,
}

impl ConfusionRow {
    /// In the order of [`FoundKind::ALL`].
    pub fn counts(&self) -> [usize; 8] {
        [
            self.adjacent,
            self.default,
            self.always,
            self.never_proved,
            self.never_sampled,
            self.meets,
            self.touches,
            self.open,
        ]
    }

    fn of(srdf: Option<DisabledReason>, compared: &[ComparedPair<'_>]) -> Self {
        let pairs = compared.iter().filter(|pair| pair.srdf == srdf);
        let kinds: Vec<FoundKind> = pairs.map(|pair| FoundKind::of(pair.found)).collect();
        let count = |kind: FoundKind| kinds.iter().filter(|&&one| one == kind).count();
        Self {
            srdf: srdf.map(DisabledReason::as_str),
            adjacent: count(FoundKind::Adjacent),
            default: count(FoundKind::Default),
            always: count(FoundKind::Always),
            never_proved: count(FoundKind::NeverProved),
            never_sampled: count(FoundKind::NeverSampled),
            meets: count(FoundKind::Meets),
            touches: count(FoundKind::Touches),
            open: count(FoundKind::Open),
        }
    }

    /// The name of the row for people.
    pub fn name(&self) -> &'static str {
        self.srdf.unwrap_or("not listed")
    }
}

/// The table: a row a reason.
pub fn confusion(compared: &[ComparedPair<'_>]) -> Vec<ConfusionRow> {
    ROWS.map(|row| ConfusionRow::of(row, compared)).to_vec()
}

/// The table for people. Rows and columns without a pair are left out, but for the file's own four reasons and ours.
pub fn confusion_lines(rows: &[ConfusionRow]) -> Vec<String> {
    let is_kept = |kind: usize| kind < 4 || rows.iter().any(|row| row.counts()[kind] > 0);
    let columns: Vec<usize> = (0..FoundKind::ALL.len()).filter(|&k| is_kept(k)).collect();
    let words = columns.iter().map(|&k| FoundKind::ALL[k].words());
    let mut cells = vec![vec![heading("the file says")]];
    cells[0].extend(words.clone().map(heading));
    for row in rows.iter().enumerate() {
        let (place, row) = row;
        let is_empty = row.counts().iter().all(|&count| count == 0);
        if is_empty && place >= 4 {
            continue;
        }
        let mut line = vec![plain(row.name())];
        line.extend(columns.iter().zip(words.clone()).map(|(&k, word)| {
            let count = row.counts()[k];
            let text = if count == 0 {
                "·".to_owned()
            } else {
                count.to_string()
            };
            // Numbers end where their column's word does.
            Cell {
                style: if count == 0 {
                    style::DIM
                } else {
                    anstyle::Style::new()
                },
                text: format!("{text:>width$}", width = word.len()),
            }
        }));
        cells.push(line);
    }
    aligned(cells)
}
