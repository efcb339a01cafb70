//! The report for programs: `gjk bench --json`, schema "gjk-bench/1".

use super::clock::Clock;
use super::load::{Ask, Failed};
use super::{Measured, Outcome, Series, Settings};
use schemars::JsonSchema;
use serde::Serialize;

/// What `gjk bench --json` prints. Times are nanoseconds a query.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The layout's name: `gjk-bench/1`.
    pub schema: &'static str,
    /// The files.
    pub files: Vec<String>,
    /// Lines that are not blank.
    pub lines: usize,
    /// Those that were not measured, and why.
    pub failed: Vec<Failed>,
    /// How often each row was measured.
    pub rounds: u32,
    /// Threads of batches; single queries have one.
    pub threads: usize,
    /// Cores of the machine that this program may use.
    pub cores: usize,
    /// What time is.
    pub clock: Clock,
    /// By dimension, scalar, kind of query and shapes.
    pub rows: Vec<RowReport>,
    /// All queries that were measured. Its batch, one call a kind, dimension and scalar, is null where a batch cannot take
    /// some of them.
    pub total: TotalReport,
    /// Those that a batch can take, where these are not all; null otherwise.
    pub batchable: Option<TotalReport>,
}

/// Queries of one kind on one pair of shape kinds.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Row")]
#[serde(deny_unknown_fields)]
pub struct RowReport {
    /// 2 or 3.
    pub dim: usize,
    /// `f32` or `f64`.
    pub scalar: &'static str,
    /// What is asked.
    pub query: Ask,
    /// The shapes, in the order of the alphabet.
    pub shapes: [&'static str; 2],
    /// How many queries.
    pub queries: usize,
    /// What they answered.
    pub verdicts: Verdicts,
    /// One by one.
    pub single: Times,
    /// In one batched call; null where a batch cannot take them: it gives no certificate and has no tolerance and no
    /// iteration limit of its own.
    pub batch: Option<Times>,
    /// How many of them the batch answered by lanes across pairs; the others are single queries there too.
    pub wide: usize,
}

/// Several rows together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Total")]
#[serde(deny_unknown_fields)]
pub struct TotalReport {
    /// How many queries.
    pub queries: usize,
    /// What they answered.
    pub verdicts: Verdicts,
    /// One by one.
    pub single: Times,
    /// In as few batched calls as answer them.
    pub batch: Option<Times>,
    /// How many of them lanes answered.
    pub wide: usize,
}

/// Nanoseconds a query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// The least of all rounds.
    pub min: f64,
    /// The middle one.
    pub median: f64,
}

/// How many queries have which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// They share no point.
    pub separated: usize,
    /// They share points of their surfaces only.
    pub touching: usize,
    /// They share inner points.
    pub overlapping: usize,
    /// The interval straddles 0, and a shape is smooth.
    pub undecided: usize,
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// The files.
    pub files: Vec<String>,
    /// Lines that are not blank.
    pub lines: usize,
    /// Those that are not measured.
    pub failed: Vec<Failed>,
}

impl Report {
    /// The report of a run.
    pub fn new(input: Input, settings: &Settings<'_>, outcome: &Outcome) -> Self {
        let Input {
            files,
            lines,
            failed,
        } = input;
        let all = outcome.rows.iter();
        let batched = || all.clone().filter(|row| row.batch.is_some());
        let queries = |rows: &mut dyn Iterator<Item = &Measured>| {
            rows.map(|row| row.row.lines.len()).sum::<usize>()
        };
        let are_all_batched = queries(&mut batched()) == queries(&mut all.clone());
        let wholes = Series::mean(
            outcome
                .wholes
                .iter()
                .map(|whole| (whole.queries, &whole.batch)),
        );
        let batchable = (!are_all_batched && batched().next().is_some())
            .then(|| TotalReport::new(batched(), Some(&wholes)));
        Self {
            schema: "gjk-bench/1",
            files,
            lines,
            failed,
            rounds: settings.rounds,
            threads: settings
                .pool
                .map_or(1, rayon::ThreadPool::current_num_threads),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            clock: settings.clock,
            rows: outcome.rows.iter().map(RowReport::new).collect(),
            total: TotalReport::new(all.clone(), are_all_batched.then_some(&wholes)),
            batchable,
        }
    }

    /// The JSON Schema, as `gjk schema bench` prints it.
    pub fn json_schema() -> schemars::Schema {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<Self>()
    }
}

impl RowReport {
    fn new(measured: &Measured) -> Self {
        let row = &measured.row;
        Self {
            dim: row.dim,
            scalar: row.scalar,
            query: row.ask,
            shapes: row.shapes,
            queries: row.lines.len(),
            verdicts: Verdicts::new(row.verdicts),
            single: Times::new(&measured.single),
            batch: measured.batch.as_ref().map(Times::new),
            wide: measured.wide,
        }
    }
}

impl TotalReport {
    fn new<'m>(rows: impl Iterator<Item = &'m Measured> + Clone, batch: Option<&Series>) -> Self {
        let sum = |count: fn(&Measured) -> usize| rows.clone().map(count).sum::<usize>();
        let mut verdicts = [0; 4];
        for row in rows.clone() {
            verdicts
                .iter_mut()
                .zip(row.row.verdicts)
                .for_each(|(sum, count)| *sum += count);
        }
        Self {
            queries: sum(|row| row.row.lines.len()),
            verdicts: Verdicts::new(verdicts),
            single: Times::new(&Series::mean(
                rows.clone().map(|row| (row.row.lines.len(), &row.single)),
            )),
            batch: batch.map(Times::new),
            wide: sum(|row| row.wide),
        }
    }
}

impl Times {
    fn new(series: &Series) -> Self {
        Self {
            min: series.min(),
            median: series.median(),
        }
    }
}

impl Verdicts {
    fn new([separated, touching, overlapping, undecided]: [usize; 4]) -> Self {
        Self {
            separated,
            touching,
            overlapping,
            undecided,
        }
    }
}
