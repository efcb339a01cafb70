//! The expanding polytope: facets, their neighbours, and the horizon of a new vertex.
//!
//! Where it sits: the loop in [`super`] grows it. Read [`ExpandingPolytope`] with the head of [`facet`] for what is stored, then
//! [`ExpandingPolytope::insert`] in `insert.rs` for how it grows; [`plane`] has the facets' planes in floats, `restore.rs` takes
//! up facets of an earlier query.
//! Idea: a facet has `DIM` vertices, and across from each of them a neighbour that shares the others. A new facet is a
//! visible one with one vertex swapped for the new point, so one code serves edges in the plane and triangles in space.
//! A facet is visible when the new point is on its outer side *or in its plane*, by exact signs of the differences
//! `a − b` themselves, not of their rounded values. Then no new facet is degenerate: if the point were in line with a
//! horizon ridge it would lie in the plane of the facet hidden behind that ridge, whose sign would be zero, so that facet
//! would be visible.
//!
//! # A facet's bounds
//!
//! Its plane's distance from the origin has a lower and an upper bound in floats. They begin *rough*, by sizes alone: good enough
//! to find the nearest facet. A facet that may be the answer is *refined*: measured again to a few roundings. A facet that no
//! vertex of the difference is above is *proved*: it is one of the difference, and its distance is the depth. All proved facets
//! in one plane share its bounds.
//!
//! # Storage
//!
//! [`SmallVec`]s: on the stack up to [`INLINE`] vertices, of which only what is used is ever written, on the heap beyond;
//! [`VERTICES_MAX`] bounds them.

pub(super) mod facet;
mod insert;
pub(super) mod plane;
mod restore;

use crate::math::Vector64;
use crate::support::SupportPair;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater};
use facet::{Apex, Facet, NO_SLOT, Ridge, after, corners, exact_side, side};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use gjk_exact::{SymbolicDirection, measure};
use plane::{FacetPlane, Scale};
use smallvec::SmallVec;

/// At most this many vertices; a closed triangulated surface of them has fewer than twice as many facets.
pub(super) const VERTICES_MAX: usize = 1024;

/// Vertices that need no heap: four of five pairs of hulls with 512 vertices each end within them.
pub(super) const INLINE: usize = 64;
const INLINE_FACETS: usize = 2 * INLINE;
/// Facets that [`ExpandingPolytope::nearest`] compares at once.
const BLOCK: usize = 8;
/// Slots that are made at a time: whole blocks.
const GROWTH: usize = 2 * BLOCK;

/// One entry of the three lists that an insertion fills, which lie side by side in one array.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))] // so that an index takes no product
struct InsertionLists {
    /// The facets that see the new vertex; then, in the order of the horizon, the slots of the new facets.
    slot: u16,
    /// The horizon: the ridges between those facets and the others, in order, as the others have them.
    horizon: Ridge,
    /// A stack of the ridges of visible facets that are still to cross.
    to_cross: Ridge,
}

impl InsertionLists {
    const EMPTY: Self = Self {
        slot: 0,
        horizon: Ridge::NONE,
        to_cross: Ridge::NONE,
    };
}

/// A convex polytope.
#[derive(Clone, Debug)]
pub(crate) struct ExpandingPolytope<V: Vector64> {
    /// The vertices. Facets have them by index.
    pairs: SmallVec<[SupportPair<V>; INLINE]>,
    /// `a − b` of the pairs, rounded once: side by side for the planes.
    points: SmallVec<[V; INLINE]>,
    /// Largest magnitude of a coordinate of the points.
    size: f64,
    /// The facets by slot. The slots of facets that are gone wait in `spare`.
    facets: SmallVec<[Facet<V>; INLINE_FACETS]>,
    /// By slot, a lower bound of each facet's signed distance from the origin. It is infinite for free slots, and for those that
    /// fill up the last block.
    lower: SmallVec<[f64; INLINE_FACETS]>,
    /// Slots that had a facet: the next new one takes the last.
    spare: SmallVec<[u16; 16]>,
    /// Slots from here on had none.
    used: usize,
    /// Room for the lists of an insertion: more entries than facets.
    lists: SmallVec<[InsertionLists; INLINE_FACETS]>,
    /// Whether any facet was ever proved.
    has_proved: bool,
}

impl<V: Vector64> Default for ExpandingPolytope<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Vector64> ExpandingPolytope<V> {
    /// Without vertices; [`ExpandingPolytope::start`] comes next.
    #[inline(always)] // else the unused storage is copied out of here
    pub(crate) fn new() -> Self {
        Self {
            pairs: SmallVec::new(),
            points: SmallVec::new(),
            size: 0.0,
            facets: SmallVec::new(),
            lower: SmallVec::new(),
            spare: SmallVec::new(),
            used: 0,
            lists: SmallVec::new(),
            has_proved: false,
        }
    }

    /// Begins with `DIM + 1` vertices in any order; `false`, and still empty, when they are not affinely independent.
    pub(crate) fn start(&mut self, simplex: &[SupportPair<V>]) -> bool {
        for pair in simplex {
            let apex = self.apex(pair);
            self.push(apex.w, apex.size, *pair);
        }
        let side = self.orientation();
        if side == Equal {
            self.pairs.clear();
            self.points.clear();
            self.size = 0.0;
            return false;
        }
        for omitted in 0..simplex.len() as u16 {
            // Facet `omitted` has the other vertices; across from vertex `j` lies the facet that omits `j`. The omitted
            // vertex must be inside, and the sign of the simplex' volume alternates with its position.
            let mut others = omitting(omitted);
            if (side == Greater) == (omitted % 2 == 0) {
                others.swap(0, 1);
            }
            let slot = self.slot();
            self.facets[slot as usize].vertices = others;
        }
        self.measure();
        for facet in 0..simplex.len() {
            let others = self.facets[facet].vertices;
            for (k, &other) in others[..V::DIM].iter().enumerate() {
                let across = self.facets[other as usize].vertices;
                self.facets[facet].neighbours[k] = Ridge::new(other, place(across, facet as u16));
            }
        }
        true
    }

    /// The side of the first vertex of the facet of the next ones.
    fn orientation(&self) -> Ordering {
        let apex = self.apex(&self.pairs[0]);
        let vertices = omitting(0);
        let mut plane = FacetPlane::NOWHERE;
        let precise = plane.through([1, 2, V::DIM].map(|k| self.points[k]), Scale::of(self.size));
        let decided = precise.then(|| plane.side(apex.w, apex.bound)).flatten();
        decided.unwrap_or_else(|| exact_side(vertices, &self.pairs, &apex))
    }

    /// A pair as a point that is about to be a vertex.
    #[inline(always)]
    pub(super) fn apex<'p>(&self, pair: &'p SupportPair<V>) -> Apex<'p, V> {
        Apex::new(pair, self.size)
    }

    #[inline(always)]
    fn push(&mut self, w: V, size: f64, pair: SupportPair<V>) {
        self.pairs.push(pair);
        self.points.push(w);
        self.size = size;
    }

    /// Narrows a facet's bounds as far as they go; `false` if they were.
    pub(crate) fn refine(&mut self, slot: u16) -> bool {
        let at = slot as usize;
        let facet = &mut self.facets[at];
        let rough = !facet.refined;
        if rough {
            facet.plane =
                FacetPlane::refined(&corners(&self.pairs, facet.vertices), Scale::of(self.size));
            facet.refined = true;
            self.lower[at] = facet.plane.lower;
        }
        rough
    }

    /// The nearest facet once the bounds of all that might be it are refined.
    pub(crate) fn nearest_refined(&mut self) -> u16 {
        loop {
            let nearest = self.nearest();
            if !self.refine(nearest) {
                return nearest;
            }
        }
    }

    /// Marks a facet as one of the difference itself, and with it all that lie exactly in its plane: they share its bounds.
    ///
    /// Those are found from neighbour to neighbour; the chain `next_in_plane` is the queue of facets whose neighbours are still
    /// to be tested.
    pub(crate) fn prove(&mut self, facet: u16) {
        self.refine(facet);
        self.has_proved = true;
        let first = &mut self.facets[facet as usize];
        let plane = first.plane;
        (first.proved, first.next_in_plane) = (true, NO_SLOT);
        let (mut from, mut last) = (facet, facet);
        while from != NO_SLOT {
            for k in 0..V::DIM {
                let ridge = self.facets[from as usize].neighbours[k];
                let neighbour = ridge.slot();
                let opposite = self.pairs[self.facets[neighbour].vertices[ridge.place()] as usize];
                if !self.facets[neighbour].proved && self.side(facet, &opposite) == Equal {
                    let coplanar = &mut self.facets[neighbour];
                    coplanar.plane = plane;
                    (coplanar.refined, coplanar.proved) = (true, true);
                    coplanar.next_in_plane = NO_SLOT;
                    self.lower[neighbour] = plane.lower;
                    self.facets[last as usize].next_in_plane = neighbour as u16;
                    last = neighbour as u16;
                }
            }
            from = self.facets[from as usize].next_in_plane;
        }
    }

    /// A lower bound of what is beyond a facet.
    pub(crate) fn lower(&self, facet: u16) -> f64 {
        self.lower[facet as usize]
    }

    /// Takes a facet out of the search: nothing beyond it is lower than this.
    pub(crate) fn excuse(&mut self, facet: u16, lower: f64) {
        self.facets[facet as usize].refined = true;
        self.lower[facet as usize] = lower;
    }

    /// The facets in use.
    pub(crate) fn alive(&self) -> impl Iterator<Item = u16> {
        (0..self.used)
            .filter(|&slot| self.facets[slot].alive)
            .map(|slot| slot as u16)
    }

    /// A facet's plane.
    pub(crate) fn plane(&self, facet: u16) -> &FacetPlane<V> {
        &self.facets[facet as usize].plane
    }

    /// A facet's plane, and the ids of its first vertex.
    #[inline(always)]
    pub(super) fn plane_and_ids(&self, facet: u16) -> (&FacetPlane<V>, [u32; 2]) {
        let facet = &self.facets[facet as usize];
        (&facet.plane, self.pairs[facet.vertices[0] as usize].ids)
    }

    /// Whether the facet is proved to be one of the difference itself.
    pub(crate) fn is_proved(&self, facet: u16) -> bool {
        self.facets[facet as usize].proved
    }

    /// The proved facets that share a proved facet's plane, with itself.
    pub(crate) fn coplanar(&self, facet: u16) -> impl Iterator<Item = u16> {
        let plane = self.plane(facet);
        let same = move |other: &Facet<V>| other.alive && other.proved && other.plane.same(plane);
        (0..self.used)
            .filter(move |&slot| same(&self.facets[slot]))
            .map(|slot| slot as u16)
    }

    /// Whether any facet was ever proved.
    pub(crate) fn has_proved(&self) -> bool {
        self.has_proved
    }

    /// A facet's vertices.
    pub(crate) fn pairs(&self, facet: u16) -> impl Iterator<Item = &SupportPair<V>> {
        self.facets[facet as usize].vertices[..V::DIM]
            .iter()
            .map(|&v| &self.pairs[v as usize])
    }

    /// A facet's vertices as points of the difference, rounded once; in the plane the third repeats the second.
    pub(crate) fn points(&self, facet: u16) -> [V; 3] {
        let vertices = self.facets[facet as usize].vertices;
        [0, 1, V::DIM - 1].map(|k| self.points[vertices[k] as usize])
    }

    /// The facet's vertices for exact signs; in the plane the third repeats the second.
    pub(crate) fn exact(&self, facet: u16) -> [gjk_exact::Vertex; 3] {
        corners(&self.pairs, self.facets[facet as usize].vertices)
    }

    /// The vertex ids of all facets, counter-clockwise from outside; in 2D the third repeats the second.
    pub(crate) fn facet_ids(&self) -> Vec<[[u32; 2]; 3]> {
        let ids = |facet: u16| {
            let vertices = self.facets[facet as usize].vertices;
            [0, 1, V::DIM - 1].map(|k| self.pairs[vertices[k] as usize].ids)
        };
        self.alive().map(ids).collect()
    }

    /// True when no vertex can be added.
    pub(crate) fn is_full(&self) -> bool {
        self.pairs.len() == VERTICES_MAX
    }

    /// The facet whose plane is nearest the origin: least lower bound, lowest index among equals.
    pub(crate) fn nearest(&self) -> u16 {
        let lower = &self.lower[..self.used.next_multiple_of(BLOCK)];
        dispatch!(Level::baseline(), simd => first_least(simd, lower)) as u16
    }

    /// The other facets whose lower bound is below `than`, each with that bound.
    pub(crate) fn nearer(&self, facet: u16, than: f64) -> impl Iterator<Item = (u16, f64)> {
        let all = self
            .lower
            .iter()
            .enumerate()
            .map(|(at, &lower)| (at as u16, lower));
        all.filter(move |&(at, lower)| lower < than && at != facet)
    }

    /// A rounding of the largest coordinate; infinite where floats prove nothing.
    pub(super) fn rounding_of_size(&self) -> f64 {
        Scale::of(self.size).rounding()
    }

    /// The facet across from a facet's vertex.
    pub(crate) fn across(&self, facet: u16, vertex: usize) -> u16 {
        let ridge = self.facets[facet as usize].neighbours[vertex];
        if ridge == Ridge::NONE {
            return self.search_across(facet, vertex);
        }
        ridge.slot() as u16
    }

    /// [`ExpandingPolytope::across`] where the facets' neighbours are not set up.
    #[cold]
    fn search_across(&self, facet: u16, vertex: usize) -> u16 {
        let count = self.pairs.len();
        let vertices = |slot: u16| self.facets[usize::from(slot)].vertices;
        let [_, wanted] = directed_ridges::<V>(vertices(facet), vertex, count);
        let has = |other: &u16| {
            (0..V::DIM).any(|k| directed_ridges::<V>(vertices(*other), k, count)[0] == wanted)
        };
        self.alive().find(has).unwrap_or(facet)
    }

    /// A facet that is not proved and may be nearer than this one, by their bounds.
    pub(crate) fn rival(&self, facet: u16) -> Option<u16> {
        let upper = self.plane(facet).upper;
        let near = self
            .lower
            .iter()
            .zip(&self.facets)
            .position(|(&lower, other)| lower < upper && !other.proved);
        near.map(|found| found as u16)
    }

    /// The facet's outer normal as a formula.
    pub(crate) fn normal(&self, facet: u16) -> SymbolicDirection {
        measure::normal(V::DIM, &self.exact(facet)[..V::DIM])
    }

    /// The exact side of a vertex of the difference: greater outside the facet's plane.
    pub(crate) fn side(&self, facet: u16, pair: &SupportPair<V>) -> Ordering {
        self.side_of_apex(facet, &self.apex(pair))
    }

    /// The exact side of the apex: greater outside the facet's plane.
    fn side_of_apex(&self, facet: u16, apex: &Apex<'_, V>) -> Ordering {
        side(
            self.plane(facet),
            self.facets[facet as usize].vertices,
            &self.pairs,
            apex,
        )
    }

    /// A slot for a facet of a new polytope.
    #[inline]
    fn slot(&mut self) -> u16 {
        self.reserve(1);
        self.used += 1;
        (self.used - 1) as u16
    }

    /// Makes sure that this many slots had no facet yet.
    #[inline(always)]
    fn reserve(&mut self, count: usize) {
        while self.facets.len() < self.used + count {
            self.grow();
        }
    }

    #[inline(never)]
    fn grow(&mut self) {
        if self.facets.is_empty() {
            self.lists
                .extend_from_slice(&[InsertionLists::EMPTY; BLOCK]);
        }
        self.facets.extend_from_slice(&[Facet::FREE; GROWTH]);
        self.lower.extend_from_slice(&[f64::INFINITY; GROWTH]);
        self.lists
            .extend_from_slice(&[InsertionLists::EMPTY; GROWTH]);
    }

    /// Measures all facets in use, whose slots are the first ones.
    #[inline(always)]
    fn measure(&mut self) {
        let Self {
            pairs,
            points,
            size,
            facets,
            lower,
            used,
            ..
        } = self;
        let (pairs, points, scale) = (&pairs[..], &points[..], Scale::of(*size));
        let (facets, lower) = (&mut facets[..*used], &mut lower[..*used]);
        for (two, lower) in facets.chunks_mut(2).zip(lower.chunks_mut(2)) {
            if V::DIM == 3 {
                let corners = |facet: &Facet<V>| facet.vertices.map(|v| points[v as usize]);
                let points = [corners(&two[0]), corners(&two[two.len() - 1])];
                let planes =
                    dispatch!(Level::baseline(), simd => FacetPlane::two(simd, points, scale));
                for (facet, plane) in two.iter_mut().zip(planes) {
                    facet.plane = plane;
                }
            }
            for (facet, lower) in two.iter_mut().zip(lower) {
                facet.set(points, pairs, scale);
                *lower = facet.plane.lower;
            }
        }
    }
}

/// Where the least of whole blocks of numbers comes first.
#[inline(always)]
fn first_least<S: Simd>(simd: S, numbers: &[f64]) -> usize {
    let blocks = || {
        numbers
            .chunks_exact(BLOCK)
            .map(|block| f64x8::from_slice(simd, block))
    };
    let least = blocks().fold(f64x8::splat(simd, f64::INFINITY), |least, block| {
        least.min(block)
    });
    let least = f64x8::splat(simd, simd.reduce_min_f64x8(least));
    for (at, block) in blocks().enumerate() {
        let bits = block.simd_eq(least).to_bitmask();
        if bits != 0 {
            return BLOCK * at + bits.trailing_zeros() as usize;
        }
    }
    0
}

/// Where a vertex is among a facet's.
fn place(vertices: [u16; 3], vertex: u16) -> usize {
    usize::from(vertices[1] == vertex) + 2 * usize::from(vertices[2] == vertex)
}

/// The vertices of a simplex but one, in order; in the plane the third is of no use.
fn omitting(omitted: u16) -> [u16; 3] {
    [0, 1, 2].map(|k| k + u16::from(k >= omitted))
}

/// Numbers of the ridge across from a facet's vertex, as this facet runs along it and as its neighbour does.
fn directed_ridges<V: Vector64>(vertices: [u16; 3], place: usize, count: usize) -> [usize; 2] {
    let from = usize::from(vertices[after::<V>(place)]);
    if V::DIM == 2 {
        // A vertex, as a start or as an end.
        return [2 * from + place, 2 * from + 1 - place];
    }
    let to = usize::from(vertices[after::<V>(after::<V>(place))]);
    [from * count + to, to * count + from]
}
