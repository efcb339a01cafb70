//! The facets of EPA's polytope by vertex ids, which a caller keeps between two queries of a pair.
//!
//! Where it sits: a [`crate::query::Cache`] has one; [`super::resume`] measures it on the moved bodies. Read [`CachedFacets`]
//! first.

/// The most vertices that are kept: what a caller holds for every pair stays a few hundred bytes.
pub(super) const CACHED_VERTICES_MAX: usize = 18;
/// A closed triangulated surface has this many facets.
const CACHED_FACETS_MAX: usize = 2 * CACHED_VERTICES_MAX - 4;

/// A closed surface of facets whose vertices are numbered vertices of A and B.
///
/// It is a guess, never trusted: [`super::resume`] checks that it closes and holds the origin.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CachedFacets {
    ids: [[u32; 2]; CACHED_VERTICES_MAX],
    facets: [[u8; 3]; CACHED_FACETS_MAX],
    vertex_count: u8,
    facet_count: u8,
    /// The dimension in which the surface is known to close: that of its polytope. Zero where it was read from elsewhere.
    #[cfg_attr(feature = "serde", serde(skip))]
    closes_in: u8,
}

impl PartialEq for CachedFacets {
    fn eq(&self, other: &Self) -> bool {
        (self.ids(), self.facets()) == (other.ids(), other.facets())
    }
}

impl Eq for CachedFacets {}

impl Default for CachedFacets {
    fn default() -> Self {
        Self {
            ids: [[0; 2]; CACHED_VERTICES_MAX],
            facets: [[0; 3]; CACHED_FACETS_MAX],
            vertex_count: 0,
            facet_count: 0,
            closes_in: 0,
        }
    }
}

impl CachedFacets {
    /// The vertices' ids in A and in B.
    pub(crate) fn ids(&self) -> &[[u32; 2]] {
        &self.ids[..usize::from(self.vertex_count).min(CACHED_VERTICES_MAX)]
    }

    /// The facets as places in [`CachedFacets::ids`], counter-clockwise from outside; in 2D the third place is of no use.
    pub(crate) fn facets(&self) -> &[[u8; 3]] {
        &self.facets[..usize::from(self.facet_count).min(CACHED_FACETS_MAX)]
    }

    /// Whether it is known to close in this dimension, whatever its vertices are.
    pub(super) fn closes_in(&self, dim: usize) -> bool {
        usize::from(self.closes_in) == dim
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        (self.vertex_count, self.facet_count, self.closes_in) = (0, 0, 0);
    }

    /// Keeps a polytope's vertices and facets, nothing if there are too many.
    pub(super) fn keep(
        &mut self,
        dim: usize,
        ids: impl ExactSizeIterator<Item = [u32; 2]>,
        facets: impl Iterator<Item = [u16; 3]>,
    ) {
        self.clear();
        if ids.len() > CACHED_VERTICES_MAX {
            return;
        }
        (self.vertex_count, self.closes_in) = (ids.len() as u8, dim as u8);
        for (slot, pair) in self.ids.iter_mut().zip(ids) {
            *slot = pair;
        }
        for (slot, facet) in self.facets.iter_mut().zip(facets) {
            *slot = facet.map(|vertex| vertex as u8);
            self.facet_count += 1;
        }
    }
}
