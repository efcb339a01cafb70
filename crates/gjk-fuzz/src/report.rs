//! What a campaign counted, as a table, as JSON, and as query lines for what it found.

use super::case::{Case, Form};
use super::judge::Outcome;
use super::known::{Kind, Known};
use super::{Space, Task};
use gjk::query::Verdict;
use gjk_scene::{ExpectSpec, QuerySpec, VerdictSpec};
use serde::Serialize;
use std::collections::BTreeMap;

/// Finds kept of one chunk and of one task; all are counted.
pub const FINDS_KEPT: usize = 50;

/// A case that something is wrong with.
#[derive(Clone, Debug)]
pub struct Find {
    /// The case as a query line.
    pub spec: QuerySpec,
}

impl Find {
    /// The find as a query line that expects the truth.
    pub fn new(task: &Task, number: u64, case: &Case, outcome: &Outcome, known: &Known) -> Self {
        let Task {
            family,
            space,
            seed,
            ..
        } = task;
        let faults: Vec<String> = outcome
            .faults
            .iter()
            .map(|f| format!("{}: {}", f.kind.name(), f.message))
            .collect();
        let raw = [&case.a, &case.b].map(|body| {
            if body.form == Form::Cloud {
                "raw points"
            } else {
                "shape"
            }
        });
        let note = format!(
            "family {} dim {} scalar {} seed {seed} case {number} (a {}, b {}): {}",
            family.name,
            space.dim,
            space.scalar(),
            raw[0],
            raw[1],
            faults.join("; ")
        );
        let id = format!(
            "{}-{}d-{}-{seed}-{number}",
            family.name,
            space.dim,
            space.scalar()
        );
        let mut spec = case.spec(id, note);
        spec.expect = expectation(known);
        Self { spec }
    }
}

/// What the oracles and the construction know, as a query line says it.
pub fn expectation(known: &Known) -> Option<ExpectSpec> {
    let word = |verdict| match verdict {
        Verdict::Separated => VerdictSpec::Separated,
        Verdict::Touching => VerdictSpec::Touching,
        Verdict::Overlapping => VerdictSpec::Overlapping,
        Verdict::Undecided => VerdictSpec::Undecided,
    };
    let truth = known
        .truth
        .as_ref()
        .map(|truth| truth.approximate() - known.radii[0] - known.radii[1]);
    let signed_distance = truth.filter(|x| x.is_finite());
    Some(ExpectSpec {
        verdict: vec![word(known.verdict()?)],
        signed_distance,
        tolerance: None,
        normal: Vec::new(),
    })
}

/// Counts of one family in one space.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tally {
    /// Cases done.
    pub cases: u64,
    /// Separated, touching, overlapping, undecided.
    pub verdicts: [u64; 4],
    /// Wrong verdicts.
    pub wrong: u64,
    /// Certificates that prove nothing.
    pub unverified: u64,
    /// Intervals that miss the truth.
    pub missed: u64,
    /// Queries that disagree.
    pub disagreements: u64,
    /// Panics.
    pub panics: u64,
    /// Oracles that disagree.
    pub oracles: u64,
    /// Cases with anything wrong.
    pub faulty: u64,
    /// Answers of the exact layer.
    pub slow: u64,
    /// Judged by facets, by the linear program; proved by `gjk::verify`.
    pub judged: [u64; 3],
    /// The most iterations of an answer.
    pub iterations_max: u32,
    /// The widest interval in roundings of the scalar at the pair's size.
    pub width_max: f64,
    /// Intervals wider than [`WIDE_OF_SIZE`](crate::judge::WIDE_OF_SIZE) and [`WIDE_OF_DISTANCE`](crate::judge::WIDE_OF_DISTANCE) allow.
    pub wide: u64,
    /// Why `contact` stopped, by name.
    pub stops: BTreeMap<&'static str, u64>,
    /// Total times in nanoseconds: `contact`, other queries, judging.
    pub nanoseconds: [u64; 3],
    /// Nanoseconds of the slowest `contact`, by this machine's clock.
    pub slowest: u64,
    /// The first cases found.
    #[serde(skip)]
    pub finds: Vec<Find>,
    /// The numbers of the cases with the most iterations and the widest interval.
    pub extremes: [u64; 2],
}

impl Tally {
    /// Counts one case.
    pub fn add(&mut self, number: u64, outcome: &Outcome) {
        self.cases += 1;
        if let Some(verdict) = outcome.verdict {
            let all = [
                Verdict::Separated,
                Verdict::Touching,
                Verdict::Overlapping,
                Verdict::Undecided,
            ];
            self.verdicts[all.iter().position(|v| *v == verdict).unwrap_or(3)] += 1;
        }
        let mut seen = Vec::new();
        for fault in &outcome.faults {
            if !seen.contains(&fault.kind) {
                seen.push(fault.kind);
                *self.count(fault.kind) += 1;
            }
        }
        self.faulty += u64::from(!outcome.faults.is_empty());
        self.slow += u64::from(outcome.slow);
        self.wide += u64::from(outcome.wide);
        if let Some(stop) = outcome.stop {
            *self.stops.entry(stop.name()).or_default() += 1;
        }
        for (count, judged) in self.judged.iter_mut().zip(outcome.judged) {
            *count += u64::from(judged);
        }
        if outcome.iterations > self.iterations_max {
            (self.iterations_max, self.extremes[0]) = (outcome.iterations, number);
        }
        if outcome.width > self.width_max {
            (self.width_max, self.extremes[1]) = (outcome.width, number);
        }
        let times = [outcome.query_time, outcome.others_time, outcome.judge_time];
        for (sum, time) in self.nanoseconds.iter_mut().zip(times) {
            *sum += time.as_nanos() as u64;
        }
        self.slowest = self.slowest.max(outcome.query_time.as_nanos() as u64);
    }

    /// Why the answers stopped, most first.
    pub fn stops_in_words(&self) -> String {
        let mut stops: Vec<_> = self.stops.iter().collect();
        stops.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let words: Vec<String> = stops
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        words.join(", ")
    }

    fn count(&mut self, kind: Kind) -> &mut u64 {
        match kind {
            Kind::Verdict => &mut self.wrong,
            Kind::Interval => &mut self.missed,
            Kind::Certificate => &mut self.unverified,
            Kind::Disagreement => &mut self.disagreements,
            Kind::Panic => &mut self.panics,
            Kind::Oracle => &mut self.oracles,
        }
    }

    /// Both together.
    pub fn merged(mut self, other: Self) -> Self {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from)
        };
        add(&mut self.verdicts, &other.verdicts);
        add(&mut self.judged, &other.judged);
        add(&mut self.nanoseconds, &other.nanoseconds);
        self.cases += other.cases;
        self.wrong += other.wrong;
        self.unverified += other.unverified;
        self.missed += other.missed;
        self.disagreements += other.disagreements;
        self.panics += other.panics;
        self.oracles += other.oracles;
        self.faulty += other.faulty;
        self.slow += other.slow;
        self.wide += other.wide;
        for (name, count) in other.stops {
            *self.stops.entry(name).or_default() += count;
        }
        self.slowest = self.slowest.max(other.slowest);
        if other.iterations_max > self.iterations_max {
            (self.iterations_max, self.extremes[0]) = (other.iterations_max, other.extremes[0]);
        }
        if other.width_max > self.width_max {
            (self.width_max, self.extremes[1]) = (other.width_max, other.extremes[1]);
        }
        let room = FINDS_KEPT.saturating_sub(self.finds.len());
        self.finds.extend(other.finds.into_iter().take(room));
        self
    }
}

/// One row of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The family's name.
    pub family: &'static str,
    /// 2 or 3.
    pub dim: usize,
    /// Its name.
    pub scalar: &'static str,
    /// The counts.
    #[serde(flatten)]
    pub tally: Tally,
}

impl Row {
    /// The row of a task.
    pub fn new(family: &'static str, space: Space, tally: Tally) -> Self {
        Self {
            family,
            dim: space.dim,
            scalar: space.scalar(),
            tally,
        }
    }

    /// The cells under [`HEADINGS`].
    pub fn cells(&self) -> Vec<String> {
        let t = &self.tally;
        let per_case = |k: usize| (t.nanoseconds[k] / t.cases.max(1)).to_string();
        let percent = 100.0 * t.slow as f64 / t.cases.max(1) as f64;
        let mut cells = vec![
            self.family.to_owned(),
            format!("{}D {}", self.dim, self.scalar),
            t.cases.to_string(),
        ];
        cells.extend(t.verdicts.iter().map(u64::to_string));
        let wrong = [
            t.wrong,
            t.unverified,
            t.missed,
            t.disagreements,
            t.panics,
            t.oracles,
        ];
        cells.extend(wrong.iter().map(u64::to_string));
        cells.push(format!("{percent:.2}%"));
        cells.extend(t.judged.iter().map(u64::to_string));
        cells.extend([t.iterations_max.to_string(), format!("{:.3}", t.width_max)]);
        cells.push(t.wide.to_string());
        cells.extend((0..3).map(per_case));
        cells.push(format!("{:.0}", t.slowest as f64 / 1e3));
        cells
    }
}

/// What the columns of the table are called.
#[rustfmt::skip]
pub const HEADINGS: [&str; 24] = [
    "family", "space", "cases", "sep", "touch", "over", "undec", "wrong", "uncert", "missed", "disagr", "panic",
    "oracle", "slow", "facets", "lp", "proved", "iter", "ulps", "wide", "ns", "others", "judge", "slowest",
];
