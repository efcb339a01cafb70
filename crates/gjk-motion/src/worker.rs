//! What one thread works with on a segment: the searches of all pairs, kept from segment to segment.
//!
//! Where it sits: `path.rs` and `profile.rs` deal segments to workers.
//! Idea: a search holds its pieces as its chain sees them, which costs more than a segment. So a worker makes it when it is first asked for,
//! and waits for the next segment once one is done. What a search keeps changes no answer.

use crate::cell::PairFrame;
use crate::chain::JointChain;
use crate::curve::PathSegment;
use crate::piece::LinkPieces;
use crate::search::{PairSearch, is_still};
use crate::span_screen::SpanScratch;
use gjk_scene::SceneError;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::sync::Mutex;

/// A pair of links on the segments of a path.
pub(crate) struct PathPair {
    pub(crate) bodies: (usize, usize),
    pub(crate) chain: JointChain,
}

/// The frames of pairs that a joint moves.
pub(crate) fn frames(pairs: &[PathPair]) -> Vec<Option<PairFrame<'_>>> {
    let frame = |pair: &'_ PathPair| !pair.chain.variables.is_empty();
    pairs
        .iter()
        .map(|pair| frame(pair).then(|| PairFrame::new(&pair.chain)))
        .collect()
}

/// The searches of all pairs, which one thread uses at a time.
pub(crate) struct PathWorker<'p, 'c> {
    links: &'p [LinkPieces],
    pub(crate) pairs: &'c [PathPair],
    frames: &'c [Option<PairFrame<'c>>],
    searches: Vec<Option<PairSearch<'p, 'c>>>,
    /// What the screen of all pairs uses.
    pub(crate) screened: SpanScratch,
}

impl<'p, 'c> PathWorker<'p, 'c> {
    /// The search of a pair; `None` where no joint moves it on the segment.
    pub(crate) fn search(
        &mut self,
        pair: usize,
        segment: &PathSegment,
    ) -> Option<&mut PairSearch<'p, 'c>> {
        let frame = self.frames[pair].as_ref()?;
        if is_still(frame, segment) {
            return None;
        }
        let (a, b) = self.pairs[pair].bodies;
        let links = [&self.links[a], &self.links[b]];
        let search = self.searches[pair].get_or_insert_with(|| PairSearch::new(frame, links));
        search.begin_segment(segment);
        Some(search)
    }
}

impl PathWorker<'_, '_> {
    /// The pairs by how near balls around them are at a time: where the nearest come first, the others are closed at once.
    pub(crate) fn order(&mut self, segment: &PathSegment, u: f64) -> Vec<usize> {
        let mut gaps: Vec<(f64, usize)> = (0..self.pairs.len())
            .map(|pair| {
                let search = self.search(pair, segment);
                (search.map_or(0.0, |search| search.gap(segment, u)), pair)
            })
            .collect();
        gaps.sort_by(|x, y| x.0.total_cmp(&y.0));
        gaps.into_iter().map(|(_, pair)| pair).collect()
    }
}

/// Workers that wait for a segment.
pub(crate) struct Workers<'p, 'c> {
    links: &'p [LinkPieces],
    pairs: &'c [PathPair],
    frames: &'c [Option<PairFrame<'c>>],
    idle: Mutex<Vec<PathWorker<'p, 'c>>>,
}

impl<'p, 'c> Workers<'p, 'c> {
    pub(crate) fn new(
        links: &'p [LinkPieces],
        pairs: &'c [PathPair],
        frames: &'c [Option<PairFrame<'c>>],
    ) -> Self {
        Self {
            links,
            pairs,
            frames,
            idle: Mutex::default(),
        }
    }

    /// Does something with a worker that no one else has.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut PathWorker<'p, 'c>) -> T) -> T {
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = waiting.unwrap_or_else(|| PathWorker {
            links: self.links,
            pairs: self.pairs,
            frames: self.frames,
            searches: self.pairs.iter().map(|_| None).collect(),
            screened: SpanScratch::default(),
        });
        let done = work(&mut worker);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
        done
    }
}

/// Something of each item, on all threads, in their order.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    of: impl Fn(usize, &T) -> Result<R, SceneError> + Sync + Send,
) -> Result<Vec<R>, SceneError> {
    #[cfg(feature = "parallel")]
    let found: Vec<_> = items
        .par_iter()
        .enumerate()
        .map(|(k, x)| of(k, x))
        .collect();
    #[cfg(not(feature = "parallel"))]
    let found: Vec<_> = items.iter().enumerate().map(|(k, x)| of(k, x)).collect();
    found.into_iter().collect()
}
