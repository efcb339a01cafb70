//! The lines of one dimension and scalar, ready to be asked one by one and in batches.
//!
//! Where it sits: `load` gives the lines, [`super::run`] measures. Read [`Group::new`].
//! Idea: sorted by what is asked and by shapes, a row is a range of lines and, where a batch can take them, a range of the
//! batch's pairs; so is all that one call can answer. Lines that a batch cannot take have rows of their own.

use super::Fault;
use super::load::{Ask, Line, Loaded};
use crate::convert::Space;
use gjk::math::Scalar;
use gjk::query::{Options, ProofOptions, Query, Question, Verdict};
use gjk::{Pose, Vector};
use gjk_batch::{Answer, BatchError, Poses, Shapes, Statistics, World};
use std::hint::black_box;
use std::ops::Range;

/// Queries of one kind on one pair of shape kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// 2 or 3.
    pub dim: usize,
    /// `f32` or `f64`.
    pub scalar: &'static str,
    /// What is asked.
    pub ask: Ask,
    /// The words of the shapes.
    pub shapes: [&'static str; 2],
    /// Its lines in the group.
    pub lines: Range<usize>,
    /// Its pairs in the group's batch; none where a batch cannot take the lines.
    pub pairs: Range<usize>,
    /// How many are separated, touching, overlapping, undecided.
    pub verdicts: [usize; 4],
}

/// What can be measured, whatever its vectors.
pub trait Work {
    /// The rows.
    fn rows(&self) -> &[Row];
    /// All pairs that one batched call answers.
    fn calls(&self) -> &[(Ask, Range<usize>)];
    /// Asks the lines of a row one by one.
    fn single(&self, row: &Row);
    /// Asks pairs in one call.
    ///
    /// # Errors  none but a bug's.
    fn batch(
        &mut self,
        ask: Ask,
        pairs: Range<usize>,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<Statistics, BatchError>;
    /// Holds the batch's verdicts against those of the lines; how many pairs of each row lanes answered.
    ///
    /// # Errors  the first line where they differ: a bug.
    fn compare(&mut self, pool: Option<&rayon::ThreadPool>) -> Result<Vec<usize>, Fault>;
}

/// The lines of one kind of vector.
pub struct Group<V: Vector> {
    lines: Vec<Line<V>>,
    rows: Vec<Row>,
    calls: Vec<(Ask, Range<usize>)>,
    shapes: Shapes<V>,
    poses: Poses<V>,
    pairs: Vec<gjk_batch::Pair>,
    /// By pair, the line.
    line_of: Vec<usize>,
    // Used again by every call, as a caller in a loop does.
    verdicts: Vec<Verdict>,
    answers: Vec<Answer<V>>,
}

/// The groups that have lines.
pub fn groups(loaded: Loaded) -> Vec<Box<dyn Work>> {
    let mut groups: Vec<Box<dyn Work>> = Vec::new();
    let Loaded {
        plane_single,
        plane_double,
        space_single,
        space_double,
        ..
    } = loaded;
    add(&mut groups, plane_single);
    add(&mut groups, plane_double);
    add(&mut groups, space_single);
    add(&mut groups, space_double);
    groups
}

fn add<V: Space + 'static>(groups: &mut Vec<Box<dyn Work>>, lines: Vec<Line<V>>) {
    if !lines.is_empty() {
        groups.push(Box::new(Group::new(lines)));
    }
}

/// A batch answers with the default options and without certificates.
fn fits_a_batch<V: Vector>(line: &Line<V>) -> bool {
    line.options == Options::default() && !line.certificate
}

impl<V: Space> Group<V> {
    /// Sorts the lines into rows and fills the batch.
    pub fn new(mut lines: Vec<Line<V>>) -> Self {
        let key = |line: &Line<V>| (line.ask, line.shapes, !fits_a_batch(line), line.certificate);
        lines.sort_by_key(key);
        let mut group = Self {
            rows: Vec::new(),
            calls: Vec::new(),
            shapes: Shapes::new(),
            poses: Poses::new(),
            pairs: Vec::new(),
            line_of: Vec::new(),
            verdicts: Vec::new(),
            answers: Vec::new(),
            lines: Vec::new(),
        };
        let mut start = 0;
        for chunk in lines.chunk_by(|a, b| key(a) == key(b)) {
            group.row(start, chunk);
            start += chunk.len();
        }
        group.lines = lines;
        group
    }

    fn row(&mut self, start: usize, lines: &[Line<V>]) {
        let Some(first) = lines.first() else { return };
        let from = self.pairs.len();
        let mut verdicts = [0; 4];
        for (at, line) in (start..).zip(lines) {
            verdicts[place(line.verdict)] += 1;
            if fits_a_batch(line) {
                let a = self.body(&line.pair.a.shape, line.pair.a.pose);
                let b = self.body(&line.pair.b.shape, line.pair.b.pose);
                self.pairs.push(gjk_batch::Pair::new(a, b));
                self.line_of.push(at);
            }
        }
        let pairs = from..self.pairs.len();
        if !pairs.is_empty() {
            match self.calls.last_mut() {
                Some((ask, call)) if *ask == first.ask => call.end = pairs.end,
                _ => self.calls.push((first.ask, pairs.clone())),
            }
        }
        self.rows.push(Row {
            dim: V::DIM,
            scalar: V::Scalar::NAME,
            ask: first.ask,
            shapes: first.shapes,
            lines: start..start + lines.len(),
            pairs,
            verdicts,
        });
    }

    fn body(&mut self, shape: &gjk::shape::Shape<V>, pose: Pose<V>) -> (u32, u32) {
        (self.shapes.push(shape.clone()), self.poses.push(pose))
    }
}

/// Where a verdict is counted.
fn place(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Touching => 1,
        Verdict::Overlapping => 2,
        Verdict::Undecided => 3,
    }
}

impl<V: Space> Work for Group<V> {
    fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn calls(&self) -> &[(Ask, Range<usize>)] {
        &self.calls
    }

    fn single(&self, row: &Row) {
        let lines = &self.lines[row.lines.clone()];
        // The lines of a row agree on this: see [`key`].
        let question = match row.ask {
            Ask::Intersects => Question::Verdict,
            Ask::Distance => Question::Distance,
            Ask::Contact => Question::Contact,
        };
        let proof = ProofOptions::default().with_question(question);
        match row.ask {
            _ if lines.iter().any(|line| line.certificate) => each(lines, |query| {
                black_box(query.prove_with(&proof));
            }),
            Ask::Intersects => each(lines, |query| {
                black_box(query.intersects());
            }),
            Ask::Distance => each(lines, |query| {
                black_box(query.distance());
            }),
            Ask::Contact => each(lines, |query| {
                black_box(query.contact());
            }),
        }
    }

    fn batch(
        &mut self,
        ask: Ask,
        pairs: Range<usize>,
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<Statistics, BatchError> {
        let threads = if pool.is_none() { Some(1) } else { None };
        let options = gjk_batch::Options {
            threads,
            pool,
            ..gjk_batch::Options::default()
        };
        let world = World {
            shapes: &self.shapes,
            poses: &self.poses,
        };
        let pairs = black_box(&self.pairs[pairs]);
        let statistics = match ask {
            Ask::Intersects => gjk_batch::classify_into(world, pairs, &options, &mut self.verdicts),
            Ask::Distance => gjk_batch::distance_into(world, pairs, &options, &mut self.answers),
            Ask::Contact => gjk_batch::contact_into(world, pairs, &options, &mut self.answers),
        };
        black_box((&self.verdicts, &self.answers));
        statistics
    }

    fn compare(&mut self, pool: Option<&rayon::ThreadPool>) -> Result<Vec<usize>, Fault> {
        let mut wide = Vec::with_capacity(self.rows.len());
        for row in self.rows.clone() {
            if row.pairs.is_empty() {
                wide.push(0);
                continue;
            }
            wide.push(self.batch(row.ask, row.pairs.clone(), pool)?.by_lanes);
            for (at, pair) in row.pairs.enumerate() {
                let line = &self.lines[self.line_of[pair]];
                let found = match row.ask {
                    Ask::Intersects => self.verdicts[at],
                    Ask::Distance | Ask::Contact => self.answers[at].verdict,
                };
                if found != line.verdict {
                    let verdicts = [line.verdict.name(), found.name()];
                    return Err(Fault::Verdicts {
                        line: line.place.clone(),
                        verdicts,
                    });
                }
            }
        }
        Ok(wide)
    }
}

/// Calls `ask` with each line's query.
fn each<V: Space>(
    lines: &[Line<V>],
    ask: impl Fn(Query<'_, '_, V, gjk::shape::Shape<V>, gjk::shape::Shape<V>>),
) {
    for line in black_box(lines) {
        ask(line.pair.bodies().with(&line.options));
    }
}
