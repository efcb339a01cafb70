//! A batch from its arguments to its answers: checks, chunks, threads, progress, cancellation.

use crate::answer::Statistics;
use crate::dispatch::Chunk;
use crate::dispatch::lane_answer::LaneAnswer;
use crate::error::{BatchError, Side};
use crate::kernels::Kernels;
use crate::layout::world::{Body, Pair, World};
use crate::options::{Options, Progress};
use crate::request::Request;
use gjk::Vector;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// What the threads share.
struct Work<'s, 'o> {
    options: &'s Options<'o>,
    total: usize,
    state: Mutex<(usize, Statistics)>,
}

impl Work<'_, '_> {
    fn cancelled(&self) -> bool {
        self.options
            .cancel
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Counts a chunk. The lock keeps the caller's function from being called twice at once, or out of order.
    fn done(&self, pairs: usize, statistics: Statistics) {
        let mut state = self
            .state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *state = (state.0 + pairs, state.1.plus(statistics));
        if let Some(progress) = self.options.progress {
            progress(Progress {
                done: state.0,
                total: self.total,
            });
        }
    }
}

/// Answers all pairs into `answers`, whose length becomes theirs.
pub(crate) fn run<V: Vector, T: LaneAnswer<V>>(
    world: World<'_, V>,
    pairs: &[Pair],
    request: Request,
    options: &Options<'_>,
    answers: &mut Vec<T>,
) -> Result<Statistics, BatchError> {
    check(world, pairs)?;
    answers.resize(pairs.len(), T::blank());
    let kernels = options.lanes.level().map(Kernels::new);
    let found = in_chunks(pairs, answers, options, |pairs, answers| {
        Chunk::<V, T>::run(world, pairs, request, answers, kernels)
    });
    if found.is_err() {
        // Some answers are blank, so none is handed out.
        answers.clear();
    }
    found
}

/// Answers rows in chunks on threads: as many answers as rows, each chunk by itself.
pub(crate) fn in_chunks<R: Sync, T: Send>(
    rows: &[R],
    answers: &mut [T],
    options: &Options<'_>,
    answer: impl Fn(&[R], &mut [T]) -> Statistics + Sync,
) -> Result<Statistics, BatchError> {
    let shared = Work {
        options,
        total: rows.len(),
        state: Mutex::default(),
    };
    let len = options.chunk_len();
    let one = |(rows, answers): (&[R], &mut [T])| {
        if !shared.cancelled() {
            let statistics = answer(rows, answers);
            shared.done(rows.len(), statistics);
        }
    };
    on_threads(options, |together| {
        if together {
            rows.par_chunks(len)
                .zip(answers.par_chunks_mut(len))
                .for_each(one);
        } else {
            rows.chunks(len).zip(answers.chunks_mut(len)).for_each(one);
        }
    })?;
    let (done, statistics) = shared
        .state
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if done < rows.len() {
        let total = rows.len();
        return Err(BatchError::Cancelled { done, total });
    }
    Ok(statistics)
}

/// Runs where the options say: told whether on several threads together, or on the caller's alone.
pub(crate) fn on_threads<R: Send>(
    options: &Options<'_>,
    run: impl FnOnce(bool) -> R + Send,
) -> Result<R, BatchError> {
    Ok(match (options.threads, options.pool) {
        (Some(0 | 1), _) => run(false),
        (Some(threads), None) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map_err(|error| BatchError::Threads(error.to_string()))?
                .install(|| run(true))
        }
        (_, Some(pool)) => pool.install(|| run(true)),
        (None, None) => run(true),
    })
}

/// The first index that does not exist.
pub(crate) fn check<V: Vector>(world: World<'_, V>, pairs: &[Pair]) -> Result<(), BatchError> {
    let (shapes, poses) = (world.shapes.len(), world.poses.len());
    // All at once, without a branch a pair: below `2³¹` a difference is negative where the index is not below its bound, and
    // the sign of an index is set where it is too large for that.
    let top = |count: usize| {
        u32::try_from(count)
            .unwrap_or(u32::MAX)
            .min(1 << 31)
            .wrapping_sub(1)
    };
    let (shape, pose) = (top(shapes), top(poses));
    let mut signs = [0u32; 4];
    for pair in pairs {
        signs[0] |= pair.a.shape | shape.wrapping_sub(pair.a.shape);
        signs[1] |= pair.a.pose | pose.wrapping_sub(pair.a.pose);
        signs[2] |= pair.b.shape | shape.wrapping_sub(pair.b.shape);
        signs[3] |= pair.b.pose | pose.wrapping_sub(pair.b.pose);
    }
    if signs.iter().all(|&x| x >> 31 == 0) && shapes > 0 && poses > 0 {
        return Ok(());
    }
    let wrong = |pair: &Pair| {
        [pair.a, pair.b]
            .iter()
            .any(|body| body.shape as usize >= shapes || body.pose as usize >= poses)
    };
    let Some((at, pair)) = pairs.iter().enumerate().find(|(_, pair)| wrong(pair)) else {
        return Ok(());
    };
    for (side, body) in [(Side::A, pair.a), (Side::B, pair.b)] {
        check_body(world, at, side, body)?;
    }
    Ok(())
}

/// Whether a body exists.
pub(crate) fn check_body<V: Vector>(
    world: World<'_, V>,
    row: usize,
    side: Side,
    body: Body,
) -> Result<(), BatchError> {
    let (shapes, poses) = (world.shapes.len(), world.poses.len());
    if body.shape as usize >= shapes {
        return Err(BatchError::NoSuchShape {
            pair: row,
            side,
            shape: body.shape,
            count: shapes,
        });
    }
    if body.pose as usize >= poses {
        return Err(BatchError::NoSuchPose {
            pair: row,
            side,
            pose: body.pose,
            count: poses,
        });
    }
    Ok(())
}
