//! What a caller may keep of a pair between two queries: the warm start.

use crate::loops::epa::CachedFacets;

/// The last simplex of a pair, and the facets that bounded its depth, kept by the caller between frames.
///
/// Always safe: ids that no longer exist are skipped, vertices that do not help are dropped, and facets prove a depth or are
/// forgotten. A cache of one pair may be given to a query of another: that costs time, never truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cache {
    ids: [[u32; 2]; 4],
    len: u8,
    pub(crate) facets: CachedFacets,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// The vertex ids of the last simplex, newest first.
    pub fn ids(&self) -> &[[u32; 2]] {
        &self.ids[..usize::from(self.len).min(4)]
    }

    pub(crate) fn keep(&mut self, ids: impl Iterator<Item = [u32; 2]>) {
        self.len = 0;
        for (slot, pair) in self.ids.iter_mut().zip(ids) {
            *slot = pair;
            self.len += 1;
        }
    }
}
