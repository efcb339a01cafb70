//! `gjk bench`: what the queries of a file cost, one by one and in batches.
//!
//! Where it sits: `commands/bench.rs` asks, `load` reads lines into bodies, `group` holds those of one dimension and scalar,
//! `clock` is the time, `report` the JSON, `table` what people see. Read [`run`] first.
//! Idea: everything that a line says is read, rounded and built before the clock starts. Then each row (queries of one kind on
//! one pair of shape kinds) is asked by single queries and in one batched call, round after round, all rows in turn, so that
//! what else the machine does falls on all of them alike. The minimum is what the code costs, the median what a caller sees.
//! **Invariant:** a time is printed only of answers whose verdicts were compared: a batch that says otherwise than the
//! single queries is a bug, and told as one.

pub mod clock;
pub mod group;
pub mod load;
pub mod report;
pub mod table;

use clock::Clock;
use gjk_batch::BatchError;
use group::{Row, Work};
use indicatif::ProgressBar;
use std::fmt;
use std::time::Duration;

/// A measured time is that of at least this much work: the clock itself costs up to a microsecond.
const PASS_MIN: Duration = Duration::from_micros(500);

/// Most passes over a row in a round; a pass takes some nanoseconds at least.
const PASSES_MAX: u32 = 1 << 16;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'s> {
    /// How often each row is measured.
    pub rounds: u32,
    /// The threads of batches; none: the caller's own.
    pub pool: Option<&'s rayon::ThreadPool>,
    /// What time is.
    pub clock: Clock,
}

/// Times of one thing in nanoseconds a query, one a round.
#[derive(Clone, Debug, Default)]
pub struct Series(pub Vec<f64>);

impl Series {
    /// The least; 0 for none.
    pub fn min(&self) -> f64 {
        self.0.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0)
    }

    /// The middle one, or the mean of the middle two; 0 for none.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted[..] {
            [] => 0.0,
            _ if sorted.len() % 2 == 1 => sorted[sorted.len() / 2],
            _ => (sorted[sorted.len() / 2 - 1] + sorted[sorted.len() / 2]) / 2.0,
        }
    }

    /// The mean of several by how many queries each stands for, round by round.
    pub fn mean<'s>(parts: impl Iterator<Item = (usize, &'s Self)> + Clone) -> Self {
        let queries: usize = parts.clone().map(|(queries, _)| queries).sum();
        let rounds = parts
            .clone()
            .map(|(_, part)| part.0.len())
            .max()
            .unwrap_or(0);
        let round = |at: usize| {
            let spent = parts
                .clone()
                .map(|(queries, part)| queries as f64 * part.0.get(at).copied().unwrap_or(0.0));
            spent.sum::<f64>() / queries.max(1) as f64
        };
        Self((0..rounds).map(round).collect())
    }
}

/// What was measured of one row.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Which queries.
    pub row: Row,
    /// One by one.
    pub single: Series,
    /// In one batched call; `None` where a batch cannot take them.
    pub batch: Option<Series>,
    /// How many of them lanes across pairs answered.
    pub wide: usize,
}

/// What was measured of all queries of one kind, dimension and scalar in one batched call.
#[derive(Clone, Debug)]
pub struct Whole {
    /// How many queries.
    pub queries: usize,
    /// The times.
    pub batch: Series,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By row.
    pub rows: Vec<Measured>,
    /// By call.
    pub wholes: Vec<Whole>,
}

/// Why there is no measurement. Either is a bug.
#[derive(Clone, Debug)]
pub enum Fault {
    /// A batch refused what single queries answer.
    Batch(BatchError),
    /// A batch and a single query do not agree.
    Verdicts {
        /// The line.
        line: String,
        /// The single query's verdict, and the batch's.
        verdicts: [&'static str; 2],
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Batch(error) => write!(f, "a batch of the file's queries: {error}"),
            Self::Verdicts {
                line,
                verdicts: [single, batch],
            } => {
                write!(f, "{line}: a single query says {single}, a batch {batch}")
            }
        }
    }
}

impl From<BatchError> for Fault {
    fn from(error: BatchError) -> Self {
        Self::Batch(error)
    }
}

/// Something to be measured: how many passes make a round, and what the rounds took.
struct Meter {
    passes: u32,
    queries: usize,
    series: Series,
}

impl Meter {
    /// Takes `pass` once to warm the caches, then as often as tells how many passes a round needs.
    fn new(
        clock: Clock,
        queries: usize,
        pass: &mut dyn FnMut() -> Result<(), BatchError>,
    ) -> Result<Self, BatchError> {
        pass()?;
        let mut passes = 1;
        loop {
            let mut took = clock.time(|| (0..passes).try_for_each(|_| pass()))?;
            if took >= PASS_MIN {
                // A pause of the machine is long enough too, but seldom twice.
                took = took.min(clock.time(|| (0..passes).try_for_each(|_| pass()))?);
            }
            if took >= PASS_MIN || passes >= PASSES_MAX {
                return Ok(Self {
                    passes,
                    queries,
                    series: Series::default(),
                });
            }
            // What it took may be less than the clock's own tick.
            let factor = PASS_MIN.as_secs_f64() / took.as_secs_f64().max(1e-7);
            passes = ((f64::from(passes) * factor).ceil() as u32).clamp(passes + 1, PASSES_MAX);
        }
    }

    fn round(
        &mut self,
        clock: Clock,
        pass: &mut dyn FnMut() -> Result<(), BatchError>,
    ) -> Result<(), BatchError> {
        let took = clock.time(|| (0..self.passes).try_for_each(|_| pass()))?;
        self.series
            .0
            .push(took.as_secs_f64() * 1e9 / f64::from(self.passes) / self.queries.max(1) as f64);
        Ok(())
    }
}

/// The meters of a group: a row's single queries, its batch, and the batch of all rows of a kind.
struct Meters {
    single: Vec<Meter>,
    batch: Vec<Option<Meter>>,
    whole: Vec<Meter>,
}

impl Meters {
    fn new(work: &mut dyn Work, settings: &Settings<'_>) -> Result<Self, Fault> {
        let (clock, pool) = (settings.clock, settings.pool);
        let mut meters = Self {
            single: Vec::new(),
            batch: Vec::new(),
            whole: Vec::new(),
        };
        for row in work.rows().to_vec() {
            let single = Meter::new(clock, row.lines.len(), &mut || {
                work.single(&row);
                Ok(())
            })?;
            meters.single.push(single);
            let batch = if row.pairs.is_empty() {
                None
            } else {
                Some(Meter::new(clock, row.pairs.len(), &mut || {
                    work.batch(row.ask, row.pairs.clone(), pool).map(drop)
                })?)
            };
            meters.batch.push(batch);
        }
        for (ask, pairs) in work.calls().to_vec() {
            meters.whole.push(Meter::new(clock, pairs.len(), &mut || {
                work.batch(ask, pairs.clone(), pool).map(drop)
            })?);
        }
        Ok(meters)
    }

    fn round(&mut self, work: &mut dyn Work, settings: &Settings<'_>) -> Result<(), Fault> {
        let (clock, pool) = (settings.clock, settings.pool);
        let rows = work.rows().to_vec();
        for (row, (single, batch)) in rows.iter().zip(self.single.iter_mut().zip(&mut self.batch)) {
            single.round(clock, &mut || {
                work.single(row);
                Ok(())
            })?;
            if let Some(batch) = batch {
                batch.round(clock, &mut || {
                    work.batch(row.ask, row.pairs.clone(), pool).map(drop)
                })?;
            }
        }
        for ((ask, pairs), meter) in work.calls().to_vec().into_iter().zip(&mut self.whole) {
            meter.round(clock, &mut || {
                work.batch(ask, pairs.clone(), pool).map(drop)
            })?;
        }
        Ok(())
    }
}

/// Measures all groups; `progress` counts rounds.
///
/// # Errors  a batch that fails, or that does not agree with the single queries.
pub fn run(
    groups: &mut [Box<dyn Work>],
    settings: &Settings<'_>,
    progress: &ProgressBar,
) -> Result<Outcome, Fault> {
    let mut meters = Vec::new();
    let mut wides = Vec::new();
    for work in groups.iter_mut() {
        wides.push(work.compare(settings.pool)?);
        meters.push(Meters::new(work.as_mut(), settings)?);
    }
    for _ in 0..settings.rounds {
        for (work, meters) in groups.iter_mut().zip(&mut meters) {
            meters.round(work.as_mut(), settings)?;
        }
        progress.inc(1);
    }
    let mut outcome = Outcome::default();
    for ((work, meters), wides) in groups.iter().zip(meters).zip(wides) {
        let columns = meters.single.into_iter().zip(meters.batch).zip(wides);
        for (row, ((single, batch), wide)) in work.rows().iter().zip(columns) {
            let batch = batch.map(|meter| meter.series);
            outcome.rows.push(Measured {
                row: row.clone(),
                single: single.series,
                batch,
                wide,
            });
        }
        let whole = |meter: Meter| Whole {
            queries: meter.queries,
            batch: meter.series,
        };
        outcome.wholes.extend(meters.whole.into_iter().map(whole));
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_and_the_mean_weighs_by_queries() {
        assert_eq!(Series(vec![3.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(Series(vec![4.0, 1.0, 2.0, 3.0]).median(), 2.5);
        assert_eq!(
            (Series::default().median(), Series::default().min()),
            (0.0, 0.0)
        );
        let (few, many) = (Series(vec![10.0, 20.0]), Series(vec![2.0, 4.0]));
        assert_eq!(
            Series::mean([(1, &few), (3, &many)].into_iter()).0,
            [4.0, 8.0]
        );
    }

    #[test]
    fn a_round_has_passes_enough_for_the_clock() {
        let mut calls = 0u32;
        let mut meter = Meter::new(Clock::Wall, 1, &mut || {
            calls += 1;
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
        assert!(
            meter.passes > 100 && calls > meter.passes,
            "{} passes, {calls} calls",
            meter.passes
        );
        let before = calls;
        let mut more = 0u32;
        meter
            .round(Clock::Wall, &mut || {
                more += 1;
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (more, meter.series.0.len(), before > 0),
            (meter.passes, 1, true)
        );
    }
}
