//! One single query for every row, on all threads.
//!
//! Where it sits: between the batches without lanes (`motions.rs`, `manifolds.rs`, `gradients.rs`) and `run.rs`, which deals the chunks. Every answer is
//! that of the single query, bit by bit.

use crate::answer::{Batch, Statistics};
use crate::error::{BatchError, Side};
use crate::layout::world::{Body, Pair, World};
use crate::options::Options;
use crate::run::{check_body, in_chunks};
use gjk::shape::Shape;
use gjk::{Pose, Vector};

/// A shape and where it is.
pub(crate) type Placed<'w, V> = (&'w Shape<V>, &'w Pose<V>);

/// The answer to every row that is about a pair.
pub(crate) fn pair<V: Vector, R: Sync, T: Clone + Send>(
    world: World<'_, V>,
    rows: &[R],
    options: &Options<'_>,
    pair_of: impl Fn(&R) -> Pair + Sync,
    one: impl Fn(Placed<'_, V>, Placed<'_, V>, &R) -> T + Sync,
) -> Result<Batch<T>, BatchError> {
    for (number, row) in rows.iter().enumerate() {
        let pair = pair_of(row);
        check_body(world, number, Side::A, pair.a)?;
        check_body(world, number, Side::B, pair.b)?;
    }
    let placed = |body: Body| Some((world.shapes.get(body.shape)?, world.poses.get(body.pose)?));
    self::row(rows, options, |row| {
        let pair = pair_of(row);
        Some(one(placed(pair.a)?, placed(pair.b)?, row))
    })
}

/// The answer to every row. The indices were checked, so that every row has one.
pub(crate) fn row<R: Sync, T: Clone + Send>(
    rows: &[R],
    options: &Options<'_>,
    one: impl Fn(&R) -> Option<T> + Sync,
) -> Result<Batch<T>, BatchError> {
    let mut answers: Vec<Option<T>> = vec![None; rows.len()];
    let statistics = in_chunks(rows, &mut answers, options, |rows, answers| {
        for (row, answer) in rows.iter().zip(answers) {
            *answer = one(row);
        }
        Statistics {
            single: rows.len(),
            ..Statistics::default()
        }
    })?;
    Ok(Batch {
        answers: answers.into_iter().flatten().collect(),
        statistics,
    })
}
