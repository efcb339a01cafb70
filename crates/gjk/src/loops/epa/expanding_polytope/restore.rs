//! A polytope's facets, kept for the next query of the pair and taken up again.
//!
//! Where it sits: [`crate::loops::epa::resume`] calls it. Read [`ExpandingPolytope::restore`].

use super::{ExpandingPolytope, directed_ridges};
use crate::loops::epa::cached_facets::{self, CachedFacets};
use crate::math::Vector64;
use crate::support::SupportPair;

impl<V: Vector64> ExpandingPolytope<V> {
    /// Becomes the facets of an earlier query, with their vertices where they are now; `false` unless they close and the origin
    /// is inside of every facet's plane.
    ///
    /// The result may be no convex polytope: facets that moved need not be convex, so nothing can be inserted. Seen from the
    /// origin every facet then has the same orientation, and each ridge joins two, so that the surface winds around the origin;
    /// the ball up to the nearest plane meets no facet, and is inside the hull of the vertices.
    pub(in crate::loops::epa) fn restore(
        &mut self,
        pairs: impl Iterator<Item = Option<SupportPair<V>>>,
        cache: &CachedFacets,
    ) -> bool {
        for pair in pairs {
            let Some(pair) = pair else { return false };
            let apex = self.apex(&pair);
            let (w, size) = (apex.w, apex.size);
            self.push(w, size, pair);
        }
        if !cache.closes_in(V::DIM) && !closes::<V>(cache) {
            return false;
        }
        self.reserve(cache.facets().len());
        self.used = cache.facets().len();
        for (facet, vertices) in self.facets.iter_mut().zip(cache.facets()) {
            facet.vertices = vertices.map(u16::from);
        }
        self.measure();
        self.used > 0 && self.lower[..self.used].iter().all(|&lower| lower > 0.0)
    }

    /// Keeps what there is for the next query.
    pub(in crate::loops::epa) fn keep(&self, cache: &mut CachedFacets) {
        let facets = self
            .alive()
            .map(|facet| self.facets[usize::from(facet)].vertices);
        cache.keep(V::DIM, self.pairs.iter().map(|pair| pair.ids), facets);
    }
}

/// Whether each ridge of the surface joins two facets.
fn closes<V: Vector64>(cache: &CachedFacets) -> bool {
    let count = cache.ids().len();
    // Whether a facet has a ridge this way round.
    let mut owned =
        [false; cached_facets::CACHED_VERTICES_MAX * cached_facets::CACHED_VERTICES_MAX];
    let ridges = |facet: &[u8; 3]| {
        let vertices = facet.map(u16::from);
        (0..V::DIM).map(move |k| directed_ridges::<V>(vertices, k, count))
    };
    for facet in cache.facets() {
        if facet[..V::DIM].iter().any(|&v| usize::from(v) >= count) {
            return false;
        }
        for [own, _] in ridges(facet) {
            if core::mem::replace(&mut owned[own], true) {
                return false;
            }
        }
    }
    cache
        .facets()
        .iter()
        .flat_map(ridges)
        .all(|[_, other]| owned[other])
}
