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

use super::plane::{self, Plane, Scale};
use crate::gjk::Stop;
use crate::math::Vector;
use crate::support::SupportPair;
use alloc::vec::Vec;
use core::cmp::Ordering::{self, Equal, Greater, Less};
use gjk_exact::{Formula, Ladder, Operand, Signs, measure};
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
struct Facet<W> {
    vertices: [u16; 3],
    /// The facet across the ridge that leaves out the vertex of the same position.
    neighbours: [u16; 3],
    plane: Plane<W>,
    /// What the newest vertex that asked saw of it: twice that vertex' index, and one more if it is visible.
    mark: u16,
    /// The next of the facets that see the newest vertex, [`NONE`] after the last.
    next: u16,
    /// False for slots that wait for a new facet.
    alive: bool,
    /// Whether the bounds are as narrow as they get.
    sharp: bool,
    /// Whether the facet is proved to be one of the difference itself.
    proved: bool,
}

/// The new facet that waits at a vertex of the horizon for its neighbour.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The apex of that facet, which tells this insertion from earlier ones.
    apex: u16,
    facet: u16,
    at: u8,
}

/// The vertices, for new facets.
struct Body<'p, V: Vector> {
    pairs: &'p [SupportPair<V>],
    points: &'p [V::Wide],
    scale: Scale,
}

/// A point that is about to be a vertex.
struct Apex<'p, V: Vector> {
    pair: &'p SupportPair<V>,
    w: V::Wide,
    /// The polytope's size with this vertex.
    size: f64,
    /// The factor of the side filter's bound, see [`plane::side_bound`].
    bound: f64,
}

/// A convex polytope.
#[derive(Clone, Debug)]
pub struct Polytope<V: Vector> {
    pairs: SmallVec<[SupportPair<V>; INLINE]>,
    /// `a − b` of the pairs, rounded once.
    points: SmallVec<[V::Wide; INLINE]>,
    links: SmallVec<[Link; INLINE]>,
    /// Largest magnitude of a coordinate of the points.
    size: f64,
    facets: SmallVec<[Facet<V::Wide>; INLINE_FACETS]>,
    /// At most each facet's signed distance from the origin; infinite for free slots.
    lower: SmallVec<[f64; INLINE_FACETS]>,
    /// Slots for new facets.
    spare: SmallVec<[u16; 8]>,
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
            links: SmallVec::new(),
            size: 0.0,
            facets: SmallVec::new(),
            lower: SmallVec::new(),
            spare: SmallVec::new(),
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
            self.links.clear();
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
            let mut facet = Facet::FREE;
            let body = Body { pairs: &self.pairs[..], points: &self.points[..], scale: Scale::of(self.size) };
            self.lower.push(facet.set(others, others, &body));
            self.facets.push(facet);
        }
        true
    }

    /// The side of the first vertex of the facet of the next ones.
    fn orientation(&self) -> Ordering {
        let apex = self.apex(&self.pairs[0]);
        let vertices = omitting(0);
        let mut plane = Plane::NOWHERE;
        let told = plane.rough([1, 2, V::DIM].map(|k| self.points[k]), Scale::of(self.size));
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
        self.links.push(Link { apex: NONE, facet: NONE, at: 0 });
        self.size = size;
    }

    /// Narrows a facet's bounds as far as they go; `false` if they were.
    pub fn sharpen(&mut self, facet: u16) -> bool {
        let at = facet as usize;
        let Facet { vertices, sharp, .. } = self.facets[at];
        if !sharp {
            let plane = Plane::sharp(&corners(&self.pairs, vertices), Scale::of(self.size));
            self.lower[at] = plane.lower;
            (self.facets[at].plane, self.facets[at].sharp) = (plane, true);
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
        let plane = self.facets[facet as usize].plane;
        (self.facets[facet as usize].proved, self.facets[facet as usize].next) = (true, NONE);
        let (mut from, mut last) = (facet, facet);
        while from != NONE {
            for k in 0..V::DIM {
                let neighbour = self.facets[from as usize].neighbours[k];
                let Facet { vertices, neighbours, proved, .. } = self.facets[neighbour as usize];
                let across = (0..V::DIM).find(|&j| neighbours[j] == from).unwrap_or(0);
                let opposite = self.pairs[vertices[across] as usize];
                if !proved && self.side(facet, &opposite) == Equal {
                    let level = &mut self.facets[neighbour as usize];
                    (level.plane, level.sharp, level.proved, level.next) = (plane, true, true, NONE);
                    self.lower[neighbour as usize] = plane.lower;
                    self.facets[last as usize].next = neighbour;
                    last = neighbour;
                }
            }
            from = self.facets[from as usize].next;
        }
    }

    /// The facets in use.
    pub fn alive(&self) -> impl Iterator<Item = u16> {
        (0..self.facets.len()).filter(|&f| self.facets[f].alive).map(|f| f as u16)
    }

    /// A facet's plane.
    pub fn plane(&self, facet: u16) -> &Plane<V::Wide> {
        &self.facets[facet as usize].plane
    }

    /// Whether the facet is proved to be one of the difference itself.
    pub fn is_proved(&self, facet: u16) -> bool {
        self.facets[facet as usize].proved
    }

    /// The proved facets that share a proved facet's plane, with itself.
    pub fn level(&self, facet: u16) -> impl Iterator<Item = u16> {
        let plane = self.plane(facet);
        let same = move |other: &Facet<V::Wide>| other.proved && other.plane.same(plane);
        (0..self.facets.len()).filter(move |&f| self.facets[f].alive && same(&self.facets[f])).map(|f| f as u16)
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
        let mut blocks = self.lower.chunks_exact(BLOCK);
        for (block, values) in blocks.by_ref().enumerate() {
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
        let last = self.lower.len() - blocks.remainder().len();
        let mut found = best.1;
        for (k, &lower) in self.lower[best.1..].iter().take(BLOCK).enumerate() {
            if lower == best.0 {
                found = best.1 + k;
                break;
            }
        }
        for (k, &lower) in blocks.remainder().iter().enumerate() {
            if lower < best.0 {
                (best.0, found) = (lower, last + k);
            }
        }
        found as u16
    }

    /// A facet that is not proved and may be nearer than this one, by their bounds.
    pub fn rival(&self, facet: u16) -> Option<u16> {
        let upper = self.plane(facet).upper;
        let near = self.lower.iter().zip(&self.facets).position(|(&lower, other)| lower < upper && !other.proved);
        near.map(|found| found as u16)
    }

    /// The facet's outer normal as a formula.
    pub fn normal(&self, facet: u16) -> Formula {
        measure::normal(V::DIM, &self.exact(facet)[..V::DIM])
    }

    /// The exact side of a vertex of the difference: greater outside the facet's plane.
    pub fn side(&self, facet: u16, pair: &SupportPair<V>) -> Ordering {
        side(&self.facets[facet as usize], &self.pairs, &self.apex(pair))
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
        if side(&self.facets[from as usize], &self.pairs, &apex) != Greater {
            return Err(Stop::NoProgress);
        }
        self.flood(from, &apex);
        let Apex { w, size, .. } = apex;
        self.push(w, size, pair);
        self.close(from);
        Ok(())
    }

    /// Strings together the facets that see the apex, connected to `from`.
    fn flood(&mut self, from: u16, apex: &Apex<'_, V>) {
        let hidden = 2 * self.pairs.len() as u16;
        let (facets, pairs) = (&mut self.facets[..], &self.pairs[..]);
        (facets[from as usize].mark, facets[from as usize].next) = (hidden + 1, NONE);
        let (mut at, mut last) = (from, from);
        while at != NONE {
            let neighbours = facets[at as usize].neighbours;
            for &near in &neighbours[..V::DIM] {
                let neighbour = &mut facets[near as usize];
                if neighbour.mark & !1 == hidden {
                    continue;
                }
                let seen = side(neighbour, pairs, apex) != Less;
                neighbour.mark = hidden + u16::from(seen);
                if seen {
                    neighbour.next = NONE;
                    facets[last as usize].next = near;
                    last = near;
                }
            }
            at = facets[at as usize].next;
        }
    }

    /// Joins the newest vertex with the ridges between facets that see it and others.
    ///
    /// Facets that see it are taken in the order of the flood, and their slots used again at once. Of `n` facets that hang
    /// together at most `n + 2` ridges lead out (in the plane, 2), so two more slots are enough. A new facet keeps the mark
    /// of the old one in its slot, so that facets still to come know that this neighbour of theirs was visible.
    fn close(&mut self, from: u16) {
        while self.spare.len() < 2 {
            self.spare.push(self.facets.len() as u16);
            self.facets.push(Facet::FREE);
            self.lower.push(f64::INFINITY);
        }
        let Self { pairs, points, links, size, facets, lower, spare, .. } = self;
        let body = Body { pairs: &pairs[..], points: &points[..], scale: Scale::of(*size) };
        let (facets, lower, links) = (&mut facets[..], &mut lower[..], &mut links[..]);
        let apex = body.pairs.len() as u16 - 1;
        let visible = 2 * apex + 1;
        let mut old = from;
        while old != NONE {
            let Facet { vertices, neighbours, next, .. } = facets[old as usize];
            let mut slot = Some(old);
            for k in 0..V::DIM {
                let hidden = &mut facets[neighbours[k] as usize];
                if hidden.mark == visible {
                    continue;
                }
                let Some(new) = slot.take().or_else(|| spare.pop()) else {
                    break; // there are always enough, see above
                };
                // The hidden facet knew `old` across from the vertex that the ridge leaves out.
                let back = (0..V::DIM).find(|&j| hidden.neighbours[j] == old).unwrap_or(0);
                hidden.neighbours[back] = new;
                let ridge = Ridge::of::<V>(vertices, k, apex);
                let facet = &mut facets[new as usize];
                facet.mark = visible;
                lower[new as usize] = facet.set(ridge.corners, ridge.across(neighbours[k]), &body);
                ridge.link(facets, links, new, apex);
            }
            if let Some(unused) = slot {
                facets[unused as usize].alive = false;
                lower[unused as usize] = f64::INFINITY;
                spare.push(unused);
            }
            old = next;
        }
    }
}

/// Where a new facet has its apex, and what it shares with its new neighbours.
struct Ridge {
    corners: [u16; 3],
    /// The apex' position in the plane: 0 or 1. In space it is 0: the corners are turned until it comes first.
    at: usize,
    /// In the plane the apex itself, in space the two other vertices, by which new neighbours find each other.
    keys: [u16; 2],
}

impl Ridge {
    /// The facet of these vertices with the `k`-th swapped for the apex.
    #[inline]
    fn of<V: Vector>(vertices: [u16; 3], k: usize, apex: u16) -> Self {
        let [a, b, c] = vertices;
        match (V::DIM, k) {
            (2, 0) => Self { corners: [apex, b, 0], at: 0, keys: [apex; 2] },
            (2, _) => Self { corners: [a, apex, 0], at: 1, keys: [apex; 2] },
            (_, 0) => Self { corners: [apex, b, c], at: 0, keys: [b, c] },
            (_, 1) => Self { corners: [apex, c, a], at: 0, keys: [c, a] },
            _ => Self { corners: [apex, a, b], at: 0, keys: [a, b] },
        }
    }

    /// The neighbours that are known so far: the hidden facet across from the apex.
    #[inline]
    fn across(&self, hidden: u16) -> [u16; 3] {
        if self.at == 0 { [hidden, NONE, NONE] } else { [NONE, hidden, NONE] }
    }

    /// Joins the new facet with the other new facets at its ridges through the apex.
    #[inline]
    fn link<W>(&self, facets: &mut [Facet<W>], links: &mut [Link], new: u16, apex: u16) {
        let mut join = |at: u8, key: u16| {
            let waiting = &mut links[key as usize];
            if waiting.apex == apex {
                let Link { facet, at: there, .. } = *waiting;
                facets[new as usize].neighbours[at as usize] = facet;
                facets[facet as usize].neighbours[there as usize] = new;
            } else {
                *waiting = Link { apex, facet: new, at };
            }
        };
        let [second, third] = self.keys;
        if second == third {
            join(1 - self.at as u8, apex);
        } else {
            // The ridge that leaves out one of them holds the apex and the other.
            join(2, second);
            join(1, third);
        }
    }
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
        vertices: [0; 3],
        neighbours: [NONE; 3],
        plane: Plane::NOWHERE,
        mark: 0,
        next: NONE,
        alive: false,
        sharp: false,
        proved: false,
    };

    /// Makes this the facet of these vertices; answers its lower bound.
    #[inline]
    fn set<V: Vector<Wide = W>>(&mut self, vertices: [u16; 3], neighbours: [u16; 3], body: &Body<'_, V>) -> f64 {
        let point = |k: usize| body.points[vertices[k] as usize];
        self.sharp = !self.plane.rough([point(0), point(1), point(V::DIM - 1)], body.scale);
        if self.sharp {
            self.plane = Plane::sharp(&corners(body.pairs, vertices), body.scale);
        }
        (self.vertices, self.neighbours) = (vertices, neighbours);
        (self.alive, self.proved) = (true, false);
        self.plane.lower
    }
}

/// The vertices of a facet for exact signs; in the plane the third repeats the second.
#[cold]
fn corners<V: Vector>(pairs: &[SupportPair<V>], vertices: [u16; 3]) -> [gjk_exact::Vertex; 3] {
    let corner = |k: usize| pairs[vertices[k] as usize].exact();
    [corner(0), corner(1), corner(V::DIM - 1)]
}

/// The exact side of the apex; floats know it but for points within their bound of the plane.
#[inline]
fn side<V: Vector>(facet: &Facet<V::Wide>, pairs: &[SupportPair<V>], apex: &Apex<'_, V>) -> Ordering {
    facet.plane.side(apex.w, apex.bound).unwrap_or_else(|| exact_side(facet.vertices, pairs, apex))
}

#[cold]
fn exact_side<V: Vector>(vertices: [u16; 3], pairs: &[SupportPair<V>], apex: &Apex<'_, V>) -> Ordering {
    let corners = corners(pairs, vertices);
    let x = apex.pair.exact();
    if corners.contains(&x) {
        return Equal;
    }
    let normal = measure::normal(V::DIM, &corners[..V::DIM]);
    Ladder::default().sign(&normal, &Operand::Between(corners[0], x))
}
