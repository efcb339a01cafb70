//! A polytope's facets, kept for another frame and taken up again.
//!
//! Where it sits: [`super::super::resume`] asks. Read [`Polytope::restore`].

use super::super::surface::{self, Surface};
use super::{Polytope, after};
use crate::math::Vector64;
use crate::support::SupportPair;

impl<V: Vector64> Polytope<V> {
    /// Takes a surface of an earlier frame as it is now; `false` unless it closes and the origin is inside of every facet's plane.
    ///
    /// The polytope may be none: facets that moved need not be convex, so nothing can be inserted. Seen from the origin every
    /// facet then turns the same way, and each ridge joins two, so that the surface winds around the origin; the ball up to the
    /// nearest plane meets no facet, and is inside the hull of the vertices.
    pub(in crate::loops::epa) fn restore(
        &mut self,
        pairs: impl Iterator<Item = Option<SupportPair<V>>>,
        surface: &Surface,
    ) -> bool {
        for pair in pairs {
            let Some(pair) = pair else { return false };
            let apex = self.apex(&pair);
            let (w, size) = (apex.w, apex.size);
            self.push(w, size, pair);
        }
        if !surface.closes_in(V::DIM) && !closes::<V>(surface) {
            return false;
        }
        self.reserve(surface.facets().len());
        self.used = surface.facets().len();
        for (facet, vertices) in self.facets.iter_mut().zip(surface.facets()) {
            facet.vertices = vertices.map(u16::from);
        }
        self.measure();
        self.used > 0 && self.lower[..self.used].iter().all(|&lower| lower > 0.0)
    }

    /// The facet across from a facet's vertex, where the facets' neighbours are not set up.
    #[cold]
    pub(super) fn searched(&self, facet: u16, vertex: usize) -> u16 {
        let [_, wanted] = ways::<V>(
            self.facets[usize::from(facet)].vertices,
            vertex,
            self.pairs.len(),
        );
        let has = |other: &u16| {
            let vertices = self.facets[usize::from(*other)].vertices;
            (0..V::DIM).any(|k| ways::<V>(vertices, k, self.pairs.len())[0] == wanted)
        };
        self.alive().find(has).unwrap_or(facet)
    }

    /// Keeps what there is for another frame.
    pub(in crate::loops::epa) fn keep(&self, surface: &mut Surface) {
        let facets = self
            .alive()
            .map(|facet| self.facets[usize::from(facet)].vertices);
        surface.keep(V::DIM, self.pairs.iter().map(|pair| pair.ids), facets);
    }
}

/// Whether each ridge of the surface joins two facets.
fn closes<V: Vector64>(surface: &Surface) -> bool {
    let count = surface.ids().len();
    // Whether a facet has a ridge this way round.
    let mut owned = [false; surface::VERTICES_MAX * surface::VERTICES_MAX];
    let ridges = |facet: &[u8; 3]| {
        let vertices = facet.map(u16::from);
        (0..V::DIM).map(move |k| ways::<V>(vertices, k, count))
    };
    for facet in surface.facets() {
        if facet[..V::DIM].iter().any(|&v| usize::from(v) >= count) {
            return false;
        }
        for [own, _] in ridges(facet) {
            if core::mem::replace(&mut owned[own], true) {
                return false;
            }
        }
    }
    surface
        .facets()
        .iter()
        .flat_map(ridges)
        .all(|[_, other]| owned[other])
}

/// Numbers of the ridge across from a facet's vertex, as this facet runs along it and as its neighbour does.
fn ways<V: Vector64>(vertices: [u16; 3], k: usize, count: usize) -> [usize; 2] {
    let from = usize::from(vertices[after::<V>(k)]);
    if V::DIM == 2 {
        // A vertex, as a start or as an end.
        return [2 * from + k, 2 * from + 1 - k];
    }
    let to = usize::from(vertices[after::<V>(after::<V>(k))]);
    [from * count + to, to * count + from]
}
