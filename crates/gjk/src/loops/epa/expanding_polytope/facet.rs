//! A facet of the polytope: how it is stored, and on which side of its plane a new vertex lies.
//!
//! Where it sits: [`super::ExpandingPolytope`] stores facets in slots; [`super::plane`] has their planes. Read [`Facet`], then
//! [`side`]. Idea of a side: floats decide all points but those within the bound that [`super::plane`] derives. Most of the
//! others are the fourth corner of a parallelogram of the difference, which vertex ids show; the rest gets an exact sign from
//! `gjk-exact`.
//!
//! # How it is stored
//!
//! | type | holds | packed as |
//! |---|---|---|
//! | slot | the index of a facet in the polytope's array; slots are used again | `u16` |
//! | [`Ridge`] | a facet's slot, and which of its vertices the ridge leaves out | `4 · slot + place` |
//! | [`Visibility`] | which new vertex was tested against the facet last, and whether it saw it | `2 · vertex + visible` |
//!
//! All are `u16`: the polytope has at most 1,024 vertices, so fewer than 2,048 facets and 8,192 ridges.

use super::plane::{FacetPlane, Scale, larger, largest, side_bound};
use crate::math::Vector64;
use crate::support::{NO_ID, SupportPair};
use core::cmp::Ordering::{self, Equal};
use gjk_exact::{AdaptiveSigns, Operand, SignOracle, measure};

/// The slot of no facet.
pub(super) const NO_SLOT: u16 = u16::MAX;

/// An edge in 2D, a triangle in 3D, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet<W> {
    pub(super) plane: FacetPlane<W>,
    /// Indices of the polytope's vertices; in the plane the third is of no use.
    pub(super) vertices: [u16; 3],
    /// Across from each vertex, the ridge that leaves it out, as the neighbour has that ridge.
    pub(super) neighbours: [Ridge; 3],
    /// The last test by a new vertex.
    pub(super) visibility: Visibility,
    /// The slot of the next facet of a chain of proved facets in one plane, [`NO_SLOT`] after the last.
    pub(super) next_in_plane: u16,
    /// False for slots that wait for a new facet.
    pub(super) alive: bool,
    /// Whether the plane is refined: its bounds are as narrow as they get.
    pub(super) refined: bool,
    /// Whether the facet is proved to be one of the difference itself.
    pub(super) proved: bool,
}

impl<W: Vector64> Facet<W> {
    pub(super) const FREE: Self = Self {
        plane: FacetPlane::NOWHERE,
        vertices: [0; 3],
        neighbours: [Ridge::NONE; 3],
        visibility: Visibility::UNTESTED,
        next_in_plane: NO_SLOT,
        alive: false,
        refined: false,
        proved: false,
    };

    /// Takes a new facet into use. In space its plane is one of [`FacetPlane::two`] already; where floats know too little of it,
    /// it is refined at once.
    #[inline(always)]
    pub(super) fn set(&mut self, points: &[W], pairs: &[SupportPair<W>], scale: Scale) {
        if W::DIM == 2 {
            self.plane
                .through([0, 1, 1].map(|k| points[self.vertices[k] as usize]), scale);
        }
        let precise = self.plane.is_precise();
        if !precise {
            self.plane = FacetPlane::refined(&corners(pairs, self.vertices), scale);
        }
        (self.refined, self.alive, self.proved) = (!precise, true, false);
    }
}

/// A ridge, by one of its two facets: where that facet is, and the place of the vertex that the ridge leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ridge(u16);

impl Ridge {
    /// No ridge: where neighbours are not set up.
    pub(super) const NONE: Self = Self(u16::MAX);

    #[inline(always)]
    pub(super) fn new(slot: u16, place: usize) -> Self {
        Self(slot << 2 | place as u16)
    }

    /// The slot of the facet.
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        usize::from(self.0 >> 2)
    }

    /// The place, among the facet's vertices, of the one that the ridge leaves out.
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        usize::from(self.0 & 3)
    }
}

/// Which new vertex was tested against a facet last, and whether the facet is visible from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Visibility(u16);

impl Visibility {
    /// No test yet: vertex 0 is never a new one.
    pub(super) const UNTESTED: Self = Self(0);

    /// Hidden from the new vertex of this index.
    #[inline(always)]
    pub(super) fn hidden(vertex: usize) -> Self {
        Self(2 * vertex as u16)
    }

    /// Visible from the new vertex of this index.
    #[inline(always)]
    pub(super) fn visible(vertex: usize) -> Self {
        Self(2 * vertex as u16 + 1)
    }
}

/// A point of the difference that is about to be a vertex.
pub(in crate::loops::epa) struct Apex<'p, V: Vector64> {
    pub(super) pair: &'p SupportPair<V>,
    pub(in crate::loops::epa) w: V,
    /// The polytope's size with this vertex.
    pub(super) size: f64,
    /// The factor of the side filter's bound, see [`side_bound`].
    pub(in crate::loops::epa) bound: f64,
}

impl<'p, V: Vector64> Apex<'p, V> {
    /// The apex of a polytope of this size.
    #[inline(always)]
    pub(super) fn new(pair: &'p SupportPair<V>, polytope_size: f64) -> Self {
        let w = difference_point(pair);
        let size = larger(polytope_size, largest(w));
        Self {
            pair,
            w,
            size,
            bound: side_bound(size),
        }
    }
}

/// A pair as a point of the difference, rounded once.
#[inline(always)]
pub(in crate::loops::epa) fn difference_point<V: Vector64>(pair: &SupportPair<V>) -> V {
    pair.a - pair.b
}

/// The place of the next vertex of a facet, counter-clockwise.
#[inline(always)]
pub(super) fn after<V: Vector64>(place: usize) -> usize {
    if place + 1 < V::DIM { place + 1 } else { 0 }
}

/// The vertices of a facet for exact signs; in the plane the third repeats the second.
#[cold]
pub(super) fn corners<V: Vector64>(
    pairs: &[SupportPair<V>],
    vertices: [u16; 3],
) -> [gjk_exact::Vertex; 3] {
    let corner = |k: usize| pairs[vertices[k] as usize].exact();
    [corner(0), corner(1), corner(V::DIM - 1)]
}

/// The exact side of the apex: greater outside the facet's plane. Floats decide it but for points within their bound.
#[inline(always)]
pub(super) fn side<V: Vector64>(
    plane: &FacetPlane<V>,
    vertices: [u16; 3],
    pairs: &[SupportPair<V>],
    apex: &Apex<'_, V>,
) -> Ordering {
    plane
        .side(apex.w, apex.bound)
        .unwrap_or_else(|| exact_side(vertices, pairs, apex))
}

#[cold]
pub(super) fn exact_side<V: Vector64>(
    vertices: [u16; 3],
    pairs: &[SupportPair<V>],
    apex: &Apex<'_, V>,
) -> Ordering {
    if V::DIM == 3 && parallelogram(vertices.map(|v| pairs[v as usize].ids), apex.pair.ids) {
        return Equal;
    }
    let corners = corners(pairs, vertices);
    let x = apex.pair.exact();
    if corners.contains(&x) {
        return Equal;
    }
    let normal = measure::normal(V::DIM, &corners[..V::DIM]);
    AdaptiveSigns::default().sign(&normal, &Operand::Between(corners[0], x))
}

/// True when the four differences are those of two points of A and two of B: `a − b`, `a′ − b`, `a − b′` and `a′ − b′` are in
/// a plane.
fn parallelogram([p, q, r]: [[u32; 2]; 3], x: [u32; 2]) -> bool {
    // The corner opposite to `x` shares neither point with it; the others share one each.
    let joined = |opposite: [u32; 2], y: [u32; 2], z: [u32; 2]| {
        let both = |y: [u32; 2], z: [u32; 2]| y == [opposite[0], x[1]] && z == [x[0], opposite[1]];
        opposite[0] != x[0] && opposite[1] != x[1] && (both(y, z) || both(z, y))
    };
    let numbered = [p, q, r, x].iter().all(|ids| !ids.contains(&NO_ID));
    numbered && (joined(p, q, r) || joined(q, r, p) || joined(r, p, q))
}
