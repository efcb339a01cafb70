//! What one thread works with on a segment, kept from segment to segment.
//!
//! Where it sits: `path.rs` and `profile.rs` deal segments to workers.
//! Idea: what a worker keeps is memory, and changes no answer. It waits for the next segment once one is done.

use crate::chain::JointChain;
use crate::path::LinkPath;
use crate::placed::{PlacedMemory, PlacedTimes};
use crate::search::{PairSearch, SearchMemory, is_still};
use crate::span_screen::{PairSizes, SpanScratch};
use gjk_scene::SceneError;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::sync::Mutex;

/// A pair of links on the segments of a path.
pub(crate) struct PathPair {
    /// Its place among those that are checked.
    pub(crate) index: usize,
    pub(crate) bodies: (usize, usize),
    pub(crate) chain: JointChain,
    pub(crate) sizes: PairSizes,
}

/// What one thread uses at a time.
#[derive(Default)]
pub(crate) struct PathWorker<'p> {
    pub(crate) search: SearchMemory<'p>,
    /// What the screen of all pairs uses.
    pub(crate) screened: SpanScratch,
    pub(crate) placed: PlacedMemory,
}

impl<'p> PathWorker<'p> {
    /// The search of a pair; `None` where no joint moves it on the segment.
    pub(crate) fn search<'w>(
        &'w mut self,
        path: &'p LinkPath<'_>,
        pair: &'w PathPair,
        placed: &'w PlacedTimes<'w>,
    ) -> Option<PairSearch<'w, 'p>> {
        let chain = &pair.chain;
        if is_still(chain, placed.segment) {
            return None;
        }
        let (a, b) = pair.bodies;
        Some(PairSearch {
            chain,
            links: [&path.links[a], &path.links[b]],
            length: path.length(chain, placed.segment),
            placed,
            boxes: path.screen().map(|screen| (screen, pair.index)),
            memory: &mut self.search,
        })
    }
}

/// Workers that wait for a segment.
#[derive(Default)]
pub(crate) struct Workers<'p> {
    idle: Mutex<Vec<PathWorker<'p>>>,
}

impl<'p> Workers<'p> {
    /// Does something with a worker that no one else has.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut PathWorker<'p>) -> T) -> T {
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = waiting.unwrap_or_default();
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
