//! The expanding polytope: facets, their neighbours, and the horizon of a new vertex.
//!
//! Where it sits: the loop in [`super`] grows it; [`super::plane`] has the facets' planes in floats and the bound that
//! decides sides. Read [`Polytope::insert`] first.
//! Idea: a facet has `DIM` vertices, and across from each of them a neighbour that shares the others. A new facet is a
//! visible one with one vertex swapped for the new point, so one code serves edges in the plane and triangles in space.
//! A facet is visible when the new point is on its outer side *or in its plane*, by exact signs of the differences
//! `a − b` themselves, not of their rounded values. Then no new facet is degenerate: if the point were in line with a
//! horizon ridge it would lie in the plane of the facet hidden behind that ridge, whose sign would be zero, so that facet
//! would be visible.
//! Storage: [`SmallVec`]s on the stack, of which only what is used is ever written; beyond [`INLINE`] vertices they move to
//! the heap, and [`VERTICES_MAX`] bounds them.

mod insert;
mod restore;

use super::plane::{self, Plane, Scale};
use super::side::{corners, exact_side, side};
use crate::math::Vector;
use crate::support::SupportPair;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use gjk_exact::{SymbolicDirection, measure};
use smallvec::SmallVec;

const NONE: u16 = u16::MAX;

/// At most this many vertices; a closed triangulated surface of them has fewer than twice as many facets.
pub const VERTICES_MAX: usize = 1024;

/// Vertices that need no heap: four of five pairs of hulls with 512 vertices each end within them.
pub const INLINE: usize = 64;
const INLINE_FACETS: usize = 2 * INLINE;
/// Facets that [`Polytope::nearest`] looks at together.
const BLOCK: usize = 8;
/// Slots that are made at a time: whole blocks.
const GROWTH: usize = 2 * BLOCK;

/// A facet: an edge in 2D, a triangle in 3D, counter-clockwise from outside; and what is known of it.
#[derive(Clone, Copy, Debug)]
struct Facet<W> {
    plane: Plane<W>,
    vertices: [u16; 3],
    /// Across from each vertex, the ridge that leaves it out as the neighbour has it: see [`ridge`].
    neighbours: [u16; 3],
    /// What the newest vertex that asked saw of it: twice that vertex' index, and one more if it is visible.
    mark: u16,
    /// Of a proved facet: the next of its plane, [`NONE`] after the last.
    next: u16,
    /// False for slots that wait for a new facet.
    alive: bool,
    /// Whether the bounds are as narrow as they get.
    sharp: bool,
    /// Whether the facet is proved to be one of the difference itself.
    proved: bool,
}

/// What a place in the lists of an insertion holds.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))] // so that an index takes no product
struct Entry {
    /// A facet that sees the newest vertex, then a slot for a new one.
    slot: u16,
    /// A ridge between those facets and the others, in order, as the others have it.
    border: u16,
    /// A ridge of a visible facet that is still to cross.
    open: u16,
}

/// A ridge by a facet of it: four times the facet's index, and the place of the vertex that the ridge leaves out.
fn ridge(facet: u16, place: usize) -> u16 {
    facet << 2 | place as u16
}

/// The facet of a ridge, and the place of the vertex left out.
fn sides(ridge: u16) -> (usize, usize) {
    (usize::from(ridge >> 2), usize::from(ridge & 3))
}

/// A point that is about to be a vertex.
pub(super) struct Apex<'p, V: Vector> {
    pub(super) pair: &'p SupportPair<V>,
    pub(super) w: V::Wide,
    /// The polytope's size with this vertex.
    size: f64,
    /// The factor of the side filter's bound, see [`plane::side_bound`].
    pub(super) bound: f64,
}

/// A convex polytope.
#[derive(Clone, Debug)]
pub struct Polytope<V: Vector> {
    pairs: SmallVec<[SupportPair<V>; INLINE]>,
    /// `a − b` of the pairs, rounded once.
    points: SmallVec<[V::Wide; INLINE]>,
    /// Largest magnitude of a coordinate of the points.
    size: f64,
    facets: SmallVec<[Facet<V::Wide>; INLINE_FACETS]>,
    /// At most each facet's signed distance from the origin; infinite for free slots, and up to a whole number of blocks.
    lower: SmallVec<[f64; INLINE_FACETS]>,
    /// Slots that had a facet: the next new one takes the last.
    spare: SmallVec<[u16; 16]>,
    /// Slots from here on had none.
    used: usize,
    /// Room for lists of an insertion: more entries than facets.
    lists: SmallVec<[Entry; INLINE_FACETS]>,
    has_proved: bool,
}

impl<V: Vector> Default for Polytope<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Vector> Polytope<V> {
    /// Without vertices; [`Polytope::start`] comes next.
    #[inline(always)] // else the unused storage is copied out of here
    pub fn new() -> Self {
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
    pub fn start(&mut self, simplex: &[SupportPair<V>]) -> bool {
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
                self.facets[facet].neighbours[k] = ridge(other, place(across, facet as u16));
            }
        }
        true
    }

    /// The side of the first vertex of the facet of the next ones.
    fn orientation(&self) -> Ordering {
        let apex = self.apex(&self.pairs[0]);
        let vertices = omitting(0);
        let mut plane = Plane::NOWHERE;
        let told = plane.through([1, 2, V::DIM].map(|k| self.points[k]), Scale::of(self.size));
        let known = told.then(|| plane.side(apex.w, apex.bound)).flatten();
        known.unwrap_or_else(|| exact_side(vertices, &self.pairs, &apex))
    }

    #[inline(always)]
    pub(super) fn apex<'p>(&self, pair: &'p SupportPair<V>) -> Apex<'p, V> {
        let w: V::Wide = point(pair);
        let size = plane::larger(self.size, plane::largest(w));
        Apex {
            pair,
            w,
            size,
            bound: plane::side_bound(size),
        }
    }

    #[inline(always)]
    fn push(&mut self, w: V::Wide, size: f64, pair: SupportPair<V>) {
        self.pairs.push(pair);
        self.points.push(w);
        self.size = size;
    }

    /// Narrows a facet's bounds as far as they go; `false` if they were.
    pub fn sharpen(&mut self, facet: u16) -> bool {
        let at = facet as usize;
        let facet = &mut self.facets[at];
        let sharp = facet.sharp;
        if !sharp {
            facet.plane = Plane::sharp(&corners(&self.pairs, facet.vertices), Scale::of(self.size));
            facet.sharp = true;
            self.lower[at] = facet.plane.lower;
        }
        !sharp
    }

    /// The nearest facet once the bounds of all that might be it are narrow.
    pub fn settle(&mut self) -> u16 {
        loop {
            let nearest = self.nearest();
            if !self.sharpen(nearest) {
                return nearest;
            }
        }
    }

    /// Marks a facet as one of the difference itself, and with it all that lie exactly in its plane: they share its bounds.
    pub fn prove(&mut self, facet: u16) {
        self.sharpen(facet);
        self.has_proved = true;
        let first = &mut self.facets[facet as usize];
        let plane = first.plane;
        (first.proved, first.next) = (true, NONE);
        let (mut from, mut last) = (facet, facet);
        while from != NONE {
            for k in 0..V::DIM {
                let (neighbour, across) = sides(self.facets[from as usize].neighbours[k]);
                let opposite = self.pairs[self.facets[neighbour].vertices[across] as usize];
                if !self.facets[neighbour].proved && self.side(facet, &opposite) == Equal {
                    let level = &mut self.facets[neighbour];
                    (level.plane, level.sharp, level.proved, level.next) =
                        (plane, true, true, NONE);
                    self.lower[neighbour] = plane.lower;
                    self.facets[last as usize].next = neighbour as u16;
                    last = neighbour as u16;
                }
            }
            from = self.facets[from as usize].next;
        }
    }

    /// The facets in use.
    pub fn alive(&self) -> impl Iterator<Item = u16> {
        (0..self.used)
            .filter(|&f| self.facets[f].alive)
            .map(|f| f as u16)
    }

    /// A facet's plane.
    pub fn plane(&self, facet: u16) -> &Plane<V::Wide> {
        &self.facets[facet as usize].plane
    }

    /// A facet's plane, and the ids of its first vertex.
    #[inline(always)]
    pub(super) fn face(&self, facet: u16) -> (&Plane<V::Wide>, [u32; 2]) {
        let facet = &self.facets[facet as usize];
        (&facet.plane, self.pairs[facet.vertices[0] as usize].ids)
    }

    /// Whether the facet is proved to be one of the difference itself.
    pub fn is_proved(&self, facet: u16) -> bool {
        self.facets[facet as usize].proved
    }

    /// The proved facets that share a proved facet's plane, with itself.
    pub fn level(&self, facet: u16) -> impl Iterator<Item = u16> {
        let plane = self.plane(facet);
        let same =
            move |other: &Facet<V::Wide>| other.alive && other.proved && other.plane.same(plane);
        (0..self.used)
            .filter(move |&f| same(&self.facets[f]))
            .map(|f| f as u16)
    }

    /// Whether any facet was ever proved.
    pub fn has_proved(&self) -> bool {
        self.has_proved
    }

    /// Whether the facet's bounds are as narrow as they get.
    pub fn is_sharp(&self, facet: u16) -> bool {
        self.facets[facet as usize].sharp
    }

    /// A facet's vertices.
    pub fn pairs(&self, facet: u16) -> impl Iterator<Item = &SupportPair<V>> {
        self.facets[facet as usize].vertices[..V::DIM]
            .iter()
            .map(|&v| &self.pairs[v as usize])
    }

    /// A facet's vertices as points of the difference, rounded once; in the plane the third repeats the second.
    pub fn points(&self, facet: u16) -> [V::Wide; 3] {
        let vertices = self.facets[facet as usize].vertices;
        [0, 1, V::DIM - 1].map(|k| self.points[vertices[k] as usize])
    }

    /// The facet's vertices for exact signs; in the plane the third repeats the second.
    pub fn exact(&self, facet: u16) -> [gjk_exact::Vertex; 3] {
        corners(&self.pairs, self.facets[facet as usize].vertices)
    }

    /// The vertex ids of all facets, counter-clockwise from outside; in 2D the third repeats the second.
    pub fn facet_ids(&self) -> Vec<[[u32; 2]; 3]> {
        let ids = |facet: u16| {
            let vertices = self.facets[facet as usize].vertices;
            [0, 1, V::DIM - 1].map(|k| self.pairs[vertices[k] as usize].ids)
        };
        self.alive().map(ids).collect()
    }

    /// True when no vertex can be added.
    pub fn is_full(&self) -> bool {
        self.pairs.len() == VERTICES_MAX
    }

    /// The facet whose plane is nearest the origin: least lower bound, lowest index among equals.
    pub fn nearest(&self) -> u16 {
        let lower = &self.lower[..self.used.next_multiple_of(BLOCK)];
        dispatch!(Level::baseline(), simd => first_least(simd, lower)) as u16
    }

    /// The other facets that are nearer than this by their bounds, with these.
    pub fn nearer(&self, facet: u16, than: f64) -> impl Iterator<Item = (u16, f64)> {
        let all = self
            .lower
            .iter()
            .enumerate()
            .map(|(at, &lower)| (at as u16, lower));
        all.filter(move |&(at, lower)| lower < than && at != facet)
    }

    /// A rounding of the largest coordinate; infinite where floats prove nothing.
    pub(super) fn unit(&self) -> f64 {
        Scale::of(self.size).unit()
    }

    /// The facet across from a facet's vertex.
    pub fn across(&self, facet: u16, vertex: usize) -> u16 {
        match self.facets[facet as usize].neighbours[vertex] {
            NONE => self.searched(facet, vertex),
            ridge => sides(ridge).0 as u16,
        }
    }

    /// A facet that is not proved and may be nearer than this one, by their bounds.
    pub fn rival(&self, facet: u16) -> Option<u16> {
        let upper = self.plane(facet).upper;
        let near = self
            .lower
            .iter()
            .zip(&self.facets)
            .position(|(&lower, other)| lower < upper && !other.proved);
        near.map(|found| found as u16)
    }

    /// The facet's outer normal as a formula.
    pub fn normal(&self, facet: u16) -> SymbolicDirection {
        measure::normal(V::DIM, &self.exact(facet)[..V::DIM])
    }

    /// The exact side of a vertex of the difference: greater outside the facet's plane.
    pub fn side(&self, facet: u16, pair: &SupportPair<V>) -> Ordering {
        self.seen(facet, &self.apex(pair))
    }

    /// Adds a vertex if some facet sees it from strictly outside.
    pub fn insert_anywhere(&mut self, pair: SupportPair<V>) {
        let seen = self
            .alive()
            .find(|&facet| self.side(facet, &pair) == Greater);
        if let Some(facet) = seen
            && !self.is_full()
        {
            // The caller offers at most six vertices, far below the storage.
            let _ = self.insert(facet, pair);
        }
    }

    fn seen(&self, facet: u16, apex: &Apex<'_, V>) -> Ordering {
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
            self.lists.extend_from_slice(&[Entry::NONE; BLOCK]);
        }
        self.facets.extend_from_slice(&[Facet::FREE; GROWTH]);
        self.lower.extend_from_slice(&[f64::INFINITY; GROWTH]);
        self.lists.extend_from_slice(&[Entry::NONE; GROWTH]);
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
                let corners = |facet: &Facet<V::Wide>| facet.vertices.map(|v| points[v as usize]);
                let points = [corners(&two[0]), corners(&two[two.len() - 1])];
                let planes = dispatch!(Level::baseline(), simd => Plane::two(simd, points, scale));
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

impl Entry {
    const NONE: Self = Self {
        slot: 0,
        border: 0,
        open: 0,
    };
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

/// The next vertex of a facet, counter-clockwise.
#[inline(always)]
fn after<V: Vector>(k: usize) -> usize {
    if k + 1 < V::DIM { k + 1 } else { 0 }
}

/// Where a vertex is among a facet's.
fn place(vertices: [u16; 3], vertex: u16) -> usize {
    usize::from(vertices[1] == vertex) + 2 * usize::from(vertices[2] == vertex)
}

/// A pair as a point of the difference, rounded once.
pub(super) fn point<V: Vector>(pair: &SupportPair<V>) -> V::Wide {
    pair.a.lift::<V::Wide>() - pair.b.lift::<V::Wide>()
}

/// The vertices of a simplex but one, in order; in the plane the third is of no use.
fn omitting(omitted: u16) -> [u16; 3] {
    [0, 1, 2].map(|k| k + u16::from(k >= omitted))
}

impl<W: Vector<Scalar = f64>> Facet<W> {
    const FREE: Self = Self {
        plane: Plane::NOWHERE,
        vertices: [0; 3],
        neighbours: [NONE; 3],
        mark: 0,
        next: NONE,
        alive: false,
        sharp: false,
        proved: false,
    };

    /// Takes a new facet into use; in space with a plane of [`Plane::two`], of which floats may not have told enough.
    #[inline(always)]
    fn set<V: Vector<Wide = W>>(&mut self, points: &[W], pairs: &[SupportPair<V>], scale: Scale) {
        if W::DIM == 2 {
            self.plane
                .through([0, 1, 1].map(|k| points[self.vertices[k] as usize]), scale);
        }
        let told = self.plane.is_told();
        if !told {
            self.plane = Plane::sharp(&corners(pairs, self.vertices), scale);
        }
        (self.sharp, self.alive, self.proved) = (!told, true, false);
    }
}
