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

mod restore;

use super::plane::{self, Plane, Scale};
use super::side::{corners, exact_side, side};
use crate::gjk::Stop;
use crate::math::Vector;
use crate::support::SupportPair;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater, Less};
use gjk_exact::{Formula, measure};
use smallvec::SmallVec;

const NONE: u16 = u16::MAX;

/// At most this many vertices; a closed triangulated surface of them has fewer than twice as many facets.
pub const VERTICES_MAX: usize = 1024;

/// Vertices that need no heap: four of five pairs of hulls with 512 vertices each end within them.
pub const INLINE: usize = 64;
const INLINE_FACETS: usize = 2 * INLINE;
/// Facets that [`Polytope::nearest`] looks at together.
const BLOCK: usize = 8;

/// A facet: an edge in 2D, a triangle in 3D, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
struct Facet {
    vertices: [u16; 3],
    /// Across from each vertex, the ridge that leaves it out as the neighbour has it: see [`ridge`].
    neighbours: [u16; 3],
    /// What the newest vertex that asked saw of it: twice that vertex' index, and one more if it is visible.
    mark: u16,
    /// Of a proved facet: the next of its plane, [`NONE`] after the last.
    next: u16,
}

/// What there is of a facet's measures.
#[derive(Clone, Copy, Debug)]
struct Measures<W> {
    plane: Plane<W>,
    /// False for slots that wait for a new facet.
    alive: bool,
    /// Whether the bounds are as narrow as they get.
    sharp: bool,
    /// Whether the facet is proved to be one of the difference itself.
    proved: bool,
}

/// What a place in the lists of an insertion holds.
#[derive(Clone, Copy, Debug, Default)]
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
    facets: SmallVec<[Facet; INLINE_FACETS]>,
    measures: SmallVec<[Measures<V::Wide>; INLINE_FACETS]>,
    /// At most each facet's signed distance from the origin; infinite for free slots, and up to a whole number of blocks.
    lower: SmallVec<[f64; INLINE_FACETS]>,
    /// Slots for new facets.
    spare: SmallVec<[u16; 16]>,
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
            measures: SmallVec::new(),
            lower: SmallVec::new(),
            spare: SmallVec::new(),
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
            self.span(slot, others);
        }
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

    fn apex<'p>(&self, pair: &'p SupportPair<V>) -> Apex<'p, V> {
        let w: V::Wide = point(pair);
        let size = self.size.max(plane::largest(w));
        Apex { pair, w, size, bound: plane::side_bound(size) }
    }

    fn push(&mut self, w: V::Wide, size: f64, pair: SupportPair<V>) {
        self.pairs.push(pair);
        self.points.push(w);
        self.size = size;
    }

    /// Narrows a facet's bounds as far as they go; `false` if they were.
    pub fn sharpen(&mut self, facet: u16) -> bool {
        let at = facet as usize;
        let sharp = self.measures[at].sharp;
        if !sharp {
            let plane = Plane::sharp(&corners(&self.pairs, self.facets[at].vertices), Scale::of(self.size));
            self.lower[at] = plane.lower;
            (self.measures[at].plane, self.measures[at].sharp) = (plane, true);
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
        let plane = self.measures[facet as usize].plane;
        (self.measures[facet as usize].proved, self.facets[facet as usize].next) = (true, NONE);
        let (mut from, mut last) = (facet, facet);
        while from != NONE {
            for k in 0..V::DIM {
                let (neighbour, across) = sides(self.facets[from as usize].neighbours[k]);
                let opposite = self.pairs[self.facets[neighbour].vertices[across] as usize];
                if !self.measures[neighbour].proved && self.side(facet, &opposite) == Equal {
                    let level = &mut self.measures[neighbour];
                    (level.plane, level.sharp, level.proved) = (plane, true, true);
                    self.lower[neighbour] = plane.lower;
                    self.facets[neighbour].next = NONE;
                    self.facets[last as usize].next = neighbour as u16;
                    last = neighbour as u16;
                }
            }
            from = self.facets[from as usize].next;
        }
    }

    /// The facets in use.
    pub fn alive(&self) -> impl Iterator<Item = u16> {
        (0..self.measures.len()).filter(|&f| self.measures[f].alive).map(|f| f as u16)
    }

    /// A facet's plane.
    pub fn plane(&self, facet: u16) -> &Plane<V::Wide> {
        &self.measures[facet as usize].plane
    }

    /// Whether the facet is proved to be one of the difference itself.
    pub fn is_proved(&self, facet: u16) -> bool {
        self.measures[facet as usize].proved
    }

    /// The proved facets that share a proved facet's plane, with itself.
    pub fn level(&self, facet: u16) -> impl Iterator<Item = u16> {
        let plane = self.plane(facet);
        let same = move |other: &Measures<V::Wide>| other.alive && other.proved && other.plane.same(plane);
        (0..self.measures.len()).filter(move |&f| same(&self.measures[f])).map(|f| f as u16)
    }

    /// Whether any facet was ever proved.
    pub fn has_proved(&self) -> bool {
        self.has_proved
    }

    /// Whether the facet's bounds are as narrow as they get.
    pub fn is_sharp(&self, facet: u16) -> bool {
        self.measures[facet as usize].sharp
    }

    /// A facet's vertices.
    pub fn pairs(&self, facet: u16) -> impl Iterator<Item = &SupportPair<V>> {
        self.facets[facet as usize].vertices[..V::DIM].iter().map(|&v| &self.pairs[v as usize])
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
        // Least of a block first, which is a handful of wide instructions; then where in the best block.
        let mut best = (f64::INFINITY, 0);
        for (block, values) in self.lower.chunks_exact(BLOCK).enumerate() {
            let mut least = [values[0], values[1], values[2], values[3]];
            for (slot, &value) in least.iter_mut().zip(&values[4..]) {
                *slot = if value < *slot { value } else { *slot };
            }
            let [a, b, c, d] = least;
            let (a, c) = (if b < a { b } else { a }, if d < c { d } else { c });
            let least = if c < a { c } else { a };
            if least < best.0 {
                best = (least, block * BLOCK);
            }
        }
        let block = self.lower[best.1..].iter().take(BLOCK);
        (best.1 + block.clone().position(|&lower| lower == best.0).unwrap_or(0)) as u16
    }

    /// The other facets that are nearer than this by their bounds, with these.
    pub fn nearer(&self, facet: u16, than: f64) -> impl Iterator<Item = (u16, f64)> {
        let all = self.lower.iter().enumerate().map(|(at, &lower)| (at as u16, lower));
        all.filter(move |&(at, lower)| lower < than && at != facet)
    }

    /// A rounding of the largest coordinate; infinite where floats prove nothing.
    pub(super) fn unit(&self) -> f64 {
        Scale::of(self.size).unit()
    }

    /// The facet across from a facet's vertex.
    pub fn across(&self, facet: u16, vertex: usize) -> u16 {
        sides(self.facets[facet as usize].neighbours[vertex]).0 as u16
    }

    /// A facet that is not proved and may be nearer than this one, by their bounds.
    pub fn rival(&self, facet: u16) -> Option<u16> {
        let upper = self.plane(facet).upper;
        let near = self.lower.iter().zip(&self.measures).position(|(&lower, other)| lower < upper && !other.proved);
        near.map(|found| found as u16)
    }

    /// The facet's outer normal as a formula.
    pub fn normal(&self, facet: u16) -> Formula {
        measure::normal(V::DIM, &self.exact(facet)[..V::DIM])
    }

    /// The exact side of a vertex of the difference: greater outside the facet's plane.
    pub fn side(&self, facet: u16, pair: &SupportPair<V>) -> Ordering {
        self.seen(facet, &self.apex(pair))
    }

    /// Adds a vertex if some facet sees it from strictly outside.
    pub fn insert_anywhere(&mut self, pair: SupportPair<V>) {
        let seen = self.alive().find(|&facet| self.side(facet, &pair) == Greater);
        if let Some(facet) = seen
            && !self.is_full()
        {
            // The caller offers at most six vertices, far below the storage.
            let _ = self.insert(facet, pair);
        }
    }

    /// Adds a vertex strictly outside the facet `from`.
    ///
    /// # Errors
    /// [`Stop::NoProgress`] when it is not, [`Stop::StorageFull`] when there is no room; nothing changes then.
    pub fn insert(&mut self, from: u16, pair: SupportPair<V>) -> Result<(), Stop> {
        if self.is_full() {
            return Err(Stop::StorageFull);
        }
        let apex = self.apex(&pair);
        if self.seen(from, &apex) != Greater {
            return Err(Stop::NoProgress);
        }
        let found = self.walk(from, &apex);
        let Apex { w, size, .. } = apex;
        self.push(w, size, pair);
        self.close(found);
        Ok(())
    }

    /// Lists the facets that see the apex, connected to `from`, and their border in order; how many there are of each.
    ///
    /// From each facet it goes on by the ridges counter-clockwise after the one it came by: a tree of the facets, around which
    /// the border runs as it is met.
    fn walk(&mut self, from: u16, apex: &Apex<'_, V>) -> [usize; 2] {
        let hidden = 2 * self.pairs.len() as u16;
        let Self { pairs, facets, measures, lists, .. } = self;
        let (pairs, facets, measures, lists) = (&pairs[..], &mut facets[..], &measures[..], &mut lists[..]);
        let start = &mut facets[from as usize];
        start.mark = hidden + 1;
        lists[0].slot = from;
        for (entry, &ridge) in lists.iter_mut().zip(start.neighbours[..V::DIM].iter().rev()) {
            entry.open = ridge;
        }
        let (mut seen, mut border, mut open) = (1, 0, V::DIM);
        while open > 0 {
            open -= 1;
            let ridge = lists[open].open;
            let (near, back) = sides(ridge);
            let facet = &mut facets[near];
            if facet.mark == hidden + 1 {
                continue;
            }
            if facet.mark == hidden || side(&measures[near].plane, facet.vertices, pairs, apex) == Less {
                facet.mark = hidden;
                lists[border].border = ridge;
                border += 1;
                continue;
            }
            facet.mark = hidden + 1;
            lists[seen].slot = near as u16;
            seen += 1;
            let next = after::<V>(back);
            if V::DIM == 3 {
                lists[open].open = facet.neighbours[after::<V>(next)];
                open += 1;
            }
            lists[open].open = facet.neighbours[next];
            open += 1;
        }
        [seen, border]
    }

    fn seen(&self, facet: u16, apex: &Apex<'_, V>) -> Ordering {
        side(self.plane(facet), self.facets[facet as usize].vertices, &self.pairs, apex)
    }

    /// A slot for a new facet.
    #[inline]
    fn slot(&mut self) -> u16 {
        if self.spare.is_empty() {
            self.grow();
        }
        self.spare.pop().unwrap_or(0)
    }

    /// A block of slots, the lowest to be taken first.
    #[inline(never)]
    fn grow(&mut self) {
        let len = self.facets.len();
        let free = Facet { vertices: [0; 3], neighbours: [NONE; 3], mark: 0, next: NONE };
        self.facets.extend_from_slice(&[free; BLOCK]);
        self.measures.extend_from_slice(&[Measures::FREE; BLOCK]);
        self.lower.extend_from_slice(&[f64::INFINITY; BLOCK]);
        self.lists.extend_from_slice(&[Entry::default(); BLOCK]);
        if len == 0 {
            self.lists.extend_from_slice(&[Entry::default(); BLOCK]);
        }
        for slot in (len..len + BLOCK).rev() {
            self.spare.push(slot as u16);
        }
    }

    /// Joins the newest vertex with the border, in the slots of the facets that see it.
    fn close(&mut self, [seen, count]: [usize; 2]) {
        for at in seen..count {
            self.lists[at].slot = self.slot();
        }
        let Self { pairs, points, size, facets, measures, lower, spare, lists, .. } = self;
        for &Entry { slot: unused, .. } in &lists[count..seen.max(count)] {
            measures[unused as usize].alive = false;
            lower[unused as usize] = f64::INFINITY;
            spare.push(unused);
        }
        let (facets, measures, lower) = (&mut facets[..], &mut measures[..], &mut lower[..]);
        let (pairs, points, lists) = (&pairs[..], &points[..], &lists[..count]);
        let scale = Scale::of(*size);
        let apex = points.len() as u16 - 1;
        let p = points[apex as usize];
        let (Some(last), Some(first)) = (lists.last(), lists.first()) else {
            return; // a disc has a border
        };
        let (mut previous, mut edge, mut reach) = (last.slot, p, f64::NAN);
        for (i, &Entry { slot: new, border: ridge, .. }) in lists.iter().enumerate() {
            let next = lists.get(i + 1).unwrap_or(first).slot;
            let (hidden, back) = sides(ridge);
            let facet = &mut facets[hidden];
            // Where the hidden facet's ridge ends, the new one's begins.
            let c = facet.vertices[after::<V>(back)];
            let b = if V::DIM == 3 { facet.vertices[after::<V>(after::<V>(back))] } else { c };
            let (made, at) = Facet::joined::<V>([b, c], apex, ridge, [previous, next], i);
            facet.neighbours[back] = self::ridge(new, at);
            facets[new as usize] = Facet { mark: 0, next: NONE, ..made };
            let measured = &mut measures[new as usize];
            let told = if V::DIM == 2 {
                measured.plane.through(made.vertices.map(|v| points[v as usize]), scale)
            } else {
                // Each ridge begins where the last one ended.
                if i == 0 {
                    edge = points[b as usize] - p;
                    reach = plane::largest(edge);
                }
                let other = points[c as usize] - p;
                let far = plane::largest(other);
                let told = measured.plane.rough(p, [edge, other], plane::larger(reach, far), scale);
                (edge, reach) = (other, far);
                told
            };
            measured.set(told, made.vertices, pairs, scale);
            lower[new as usize] = measured.plane.lower;
            previous = new;
        }
    }

    /// Makes a facet that of these vertices.
    fn span(&mut self, slot: u16, vertices: [u16; 3]) {
        let points = [0, 1, V::DIM - 1].map(|k| self.points[vertices[k] as usize]);
        let (measured, scale) = (&mut self.measures[slot as usize], Scale::of(self.size));
        self.facets[slot as usize].vertices = vertices;
        let told = measured.plane.through(points, scale);
        measured.set(told, vertices, &self.pairs, scale);
        self.lower[slot as usize] = measured.plane.lower;
    }
}

impl Facet {
    /// The facet of the apex and a ridge of the border, the `i`-th, between its new neighbours; and where it has the apex.
    #[inline(always)]
    fn joined<V: Vector>(
        [b, c]: [u16; 2],
        apex: u16,
        hidden: u16,
        [previous, next]: [u16; 2],
        i: usize,
    ) -> (Self, usize) {
        let (vertices, neighbours, at) = if V::DIM == 3 {
            // The ridge from the apex to `c` is the next facet's from the apex to its `b`.
            ([apex, b, c], [hidden, ridge(next, 2), ridge(previous, 1)], 0)
        } else if i == 0 {
            ([apex, b, 0], [hidden, ridge(next, 0), NONE], 0)
        } else {
            ([b, apex, 0], [ridge(previous, 1), hidden, NONE], 1)
        };
        (Self { vertices, neighbours, mark: 0, next: NONE }, at)
    }
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

impl<W: Vector<Scalar = f64>> Measures<W> {
    const FREE: Self = Self { plane: Plane::NOWHERE, alive: false, sharp: false, proved: false };

    /// Those of a new facet, whose plane floats have told enough of or not.
    #[inline(always)]
    fn set<V: Vector<Wide = W>>(&mut self, told: bool, vertices: [u16; 3], pairs: &[SupportPair<V>], scale: Scale) {
        if !told {
            self.plane = Plane::sharp(&corners(pairs, vertices), scale);
        }
        (self.sharp, self.alive, self.proved) = (!told, true, false);
    }
}
