//! A polytope's facets, kept for another frame and taken up again.
//!
//! Where it sits: [`super::super::resume`] asks. Read [`Polytope::restore`].

use super::super::surface::{self, Surface};
use super::{NONE, Polytope, after, ridge};
use crate::math::Vector;
use crate::support::SupportPair;

impl<V: Vector> Polytope<V> {
    /// Takes a surface of an earlier frame as it is now; `false` unless it closes and the origin is inside of every facet's plane.
    ///
    /// The polytope may be none: facets that moved need not be convex, so nothing can be inserted. Seen from the origin every
    /// facet then turns the same way, and each ridge joins two, so that the surface winds around the origin; the ball up to the
    /// nearest plane meets no facet, and is inside the hull of the vertices.
    pub(in crate::epa) fn restore(
        &mut self,
        pairs: impl Iterator<Item = Option<SupportPair<V>>>,
        facets: &[[u8; 3]],
    ) -> bool {
        for pair in pairs {
            let Some(pair) = pair else { return false };
            let apex = self.apex(&pair);
            let (w, size) = (apex.w, apex.size);
            self.push(w, size, pair);
        }
        let count = self.pairs.len();
        if count > surface::VERTICES_MAX {
            return false;
        }
        // Which facet has a ridge this way round.
        let mut owners = [NONE; surface::VERTICES_MAX * surface::VERTICES_MAX];
        for facet in facets {
            let vertices = facet.map(u16::from);
            if vertices[..V::DIM].iter().any(|&v| usize::from(v) >= count) {
                return false;
            }
            let slot = self.slot();
            self.span(slot, vertices);
            if !(self.lower[usize::from(slot)] > 0.0) {
                return false;
            }
            for k in 0..V::DIM {
                let owner = &mut owners[ways::<V>(vertices, k, count)[0]];
                if *owner != NONE {
                    return false;
                }
                *owner = ridge(slot, k);
            }
        }
        for slot in 0..facets.len() {
            let vertices = self.facets[slot].vertices;
            for k in 0..V::DIM {
                let other = owners[ways::<V>(vertices, k, count)[1]];
                if other == NONE {
                    return false;
                }
                self.facets[slot].neighbours[k] = other;
            }
        }
        !facets.is_empty()
    }

    /// Keeps what there is for another frame.
    pub(in crate::epa) fn keep(&self, surface: &mut Surface) {
        let facets = self.alive().map(|facet| self.facets[usize::from(facet)].vertices);
        surface.keep(self.pairs.iter().map(|pair| pair.ids), facets);
    }
}

/// Numbers of the ridge across from a facet's vertex, as this facet runs along it and as its neighbour does.
fn ways<V: Vector>(vertices: [u16; 3], k: usize, count: usize) -> [usize; 2] {
    let from = usize::from(vertices[after::<V>(k)]);
    if V::DIM == 2 {
        // A vertex, as a start or as an end.
        return [2 * from + k, 2 * from + 1 - k];
    }
    let to = usize::from(vertices[after::<V>(after::<V>(k))]);
    [from * count + to, to * count + from]
}
