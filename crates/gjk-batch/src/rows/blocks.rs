//! Blocks of rows on threads: progress, cancellation, and the rows that are wrong in their order.
//!
//! Where it sits: below every kind of question that is asked of rows.

use super::RowError;
use crate::answer::Statistics;
use crate::error::BatchError;
use crate::options::{Options, Progress};
use crate::run;
use rayon::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// What became of a block.
pub(super) struct BlockDone {
    /// How many rows it has.
    pub(super) rows: usize,
    pub(super) statistics: Statistics,
    pub(super) wrong: Vec<RowError>,
}

/// Answers blocks of `total` rows in all: each with what its thread keeps, and all on the caller's thread where something is kept for it.
pub(super) fn in_blocks<K: Send, C: Send>(
    blocks: Vec<C>,
    total: usize,
    options: &Options<'_>,
    kept: Option<&mut K>,
    new: impl Fn() -> K + Send + Sync,
    one: impl Fn(&mut K, C) -> Result<BlockDone, BatchError> + Send + Sync,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    let state = Mutex::new((0, Statistics::default(), Vec::new()));
    let block = |kept: &mut K, block: C| {
        let cancel = options.cancel;
        if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Ok(());
        }
        let made = one(kept, block)?;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += made.rows;
        state.1 = state.1.plus(made.statistics);
        state.2.extend(made.wrong);
        if let Some(progress) = options.progress {
            let done = state.0;
            progress(Progress { done, total });
        }
        Ok(())
    };
    match kept {
        Some(kept) => blocks.into_iter().try_for_each(|one| block(kept, one))?,
        None => run::on_threads(options, |together| {
            if together {
                let blocks = blocks.into_par_iter();
                return blocks.try_for_each_init(&new, block);
            }
            let mut kept = new();
            blocks.into_iter().try_for_each(|one| block(&mut kept, one))
        })??,
    }
    let state = state.into_inner();
    let (done, statistics, mut wrong) = state.unwrap_or_else(PoisonError::into_inner);
    if done < total {
        return Err(BatchError::Cancelled { done, total });
    }
    wrong.sort_by_key(|error| error.row);
    Ok((statistics, wrong))
}
