//! A single query a row, with answers into columns.
//!
//! Where it sits: below the rows of motions, manifolds and gradients, which say what a row asks and what its answer is made of.

use super::blocks::{BlockDone, in_blocks};
use super::{BodyRows, RowError, RowFault};
use crate::answer::Statistics;
use crate::error::{BatchError, Side};
use crate::layout::shapes::Shapes;
use crate::options::Options;
use gjk::query::Interval;
use gjk::shape::Shape;
use gjk::{Pose, Scalar, Vector};

/// Rows of a block where each is a single query, which may take as long as a hundred pairs in lanes.
pub const SINGLE_BLOCK: usize = 32;

/// Columns that answers of one kind are written into.
pub(super) trait AnswerColumns<V: Vector>: Sized + Send {
    /// The answer to a row.
    type Answer;

    /// How many rows the first column has.
    fn rows(&self) -> usize;
    /// Whether every column has so many.
    fn have(&self, rows: usize) -> bool;
    /// The first rows, in the place of which the rest is left.
    fn cut(&mut self, rows: usize) -> Self;
    /// Writes an answer; of a row that is wrong there is none.
    fn put(&mut self, at: usize, answer: Option<Self::Answer>);
}

/// A body of a row.
pub(super) struct RowBody<'s, V: Vector> {
    /// The index of its shape.
    pub(super) index: u32,
    pub(super) shape: &'s Shape<V>,
    pub(super) pose: Pose<V>,
}

/// Why a row is wrong, and which of its bodies.
pub(super) type SideFault = (Side, RowFault);

/// Answers all rows; those that are wrong are told in their order.
pub(super) fn each<V: Vector, C: AnswerColumns<V>>(
    mut columns: C,
    options: &Options<'_>,
    one: impl Fn(usize) -> Result<C::Answer, SideFault> + Send + Sync,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    let total = columns.rows();
    if !columns.have(total) {
        return Err(BatchError::Columns { rows: total });
    }
    let firsts = (0..total).step_by(SINGLE_BLOCK);
    let blocks = firsts.map(|first| (first, columns.cut(SINGLE_BLOCK.min(total - first))));
    let blocks: Vec<(usize, C)> = blocks.collect();
    let block = |_: &mut (), (first, mut columns): (usize, C)| {
        let (rows, mut wrong) = (columns.rows(), Vec::new());
        for at in 0..rows {
            let row = first + at;
            let answer =
                one(row).map_err(|(side, fault)| wrong.push(RowError { row, side, fault }));
            columns.put(at, answer.ok());
        }
        let statistics = Statistics {
            single: rows - wrong.len(),
            ..Statistics::default()
        };
        Ok(BlockDone {
            rows,
            statistics,
            wrong,
        })
    };
    in_blocks(blocks, total, options, None, || (), block)
}

/// The body of a row.
pub(super) fn placed<'s, V: Vector, B: BodyRows<V> + ?Sized>(
    shapes: &'s Shapes<V>,
    body: &B,
    row: usize,
) -> Result<RowBody<'s, V>, RowFault> {
    let mut pose = Pose::identity();
    let index = body.put(row, &mut pose)?;
    let count = shapes.len();
    let shape = shapes.get(index);
    let shape = shape.ok_or(RowFault::NoSuchShape {
        shape: index,
        count,
    })?;
    Ok(RowBody { index, shape, pose })
}

/// Both bodies of a row, of which A is looked at first.
pub(super) fn both_placed<'s, V: Vector, B: BodyRows<V> + ?Sized>(
    shapes: &'s Shapes<V>,
    [a, b]: [&B; 2],
    row: usize,
) -> Result<[RowBody<'s, V>; 2], SideFault> {
    let a = placed(shapes, a, row).map_err(|fault| (Side::A, fault))?;
    let b = placed(shapes, b, row).map_err(|fault| (Side::B, fault))?;
    Ok([a, b])
}

/// What is not there.
pub(super) fn nothing<S: Scalar>() -> S {
    S::from_f64(f64::NAN)
}

/// The first entries of a column, in the place of which its rest is left.
pub(super) fn first_of<'o, T>(column: &mut &'o mut [T], len: usize) -> &'o mut [T] {
    let (first, rest) = core::mem::take(column).split_at_mut(len);
    *column = rest;
    first
}

/// Columns for the lower and the upper ends of intervals.
pub type Ends<'o, S> = [&'o mut [S]; 2];

/// Writes an interval, or NaN where there is none.
pub(super) fn put_interval<S: Scalar>(
    ends: &mut Ends<'_, S>,
    at: usize,
    interval: Option<Interval<S>>,
) {
    let none = nothing();
    let [lower, upper] = interval.map_or([none; 2], |of| [of.lower, of.upper]);
    (ends[0][at], ends[1][at]) = (lower, upper);
}

/// Writes a vector, or NaN where there is none.
pub(super) fn put_vector<V: Vector>(column: &mut [V::Scalar], at: usize, vector: Option<V>) {
    for (k, number) in column[at * V::DIM..][..V::DIM].iter_mut().enumerate() {
        *number = vector.map_or_else(nothing, |vector| vector.component(k));
    }
}
