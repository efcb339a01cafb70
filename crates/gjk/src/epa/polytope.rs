//! The expanding polytope: facets, their neighbours, and the horizon of a new vertex.
//!
//! Idea: a facet has `DIM` vertices, and across from each of them a neighbour that shares the others. A new facet is a
//! visible one with one vertex swapped for the new point, so one code serves edges in the plane and triangles in space.
//! A facet is visible when the new point is on its outer side *or in its plane*, by exact signs. Then no new facet is
//! degenerate: if the point were in line with a horizon ridge it would lie in the plane of the facet hidden behind that
//! ridge, whose sign would be zero, so that facet would be visible.

use crate::gjk::Stop;
use crate::math::{Ring, Scalar, Vector};
use crate::support::SupportPair;

const NONE: u16 = u16::MAX;

/// A facet: an edge in 2D, a triangle in 3D, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub struct Facet<V: Vector> {
    vertices: [u16; 3],
    /// The facet across the ridge that leaves out the vertex of the same position.
    neighbours: [u16; 3],
    /// Unit outer normal.
    pub normal: V,
    /// Signed distance of the plane from the origin.
    pub offset: V::Scalar,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Free,
    Alive,
    Visible,
}

/// A convex polytope in fixed storage for `VERTICES` vertices and `FACETS` facets.
///
/// A closed triangulated surface has `2·vertices − 4` facets, so `FACETS` is twice `VERTICES`.
#[derive(Clone, Debug)]
pub struct Polytope<V: Vector, const VERTICES: usize, const FACETS: usize> {
    pairs: [SupportPair<V>; VERTICES],
    facets: [Facet<V>; FACETS],
    pair_count: usize,
    /// One past the highest slot ever used.
    facet_end: usize,
}

impl<V: Vector, const VERTICES: usize, const FACETS: usize> Polytope<V, VERTICES, FACETS> {
    /// A full simplex of affinely independent vertices, in any order.
    pub fn from_simplex(simplex: &[SupportPair<V>]) -> Self {
        let free = Facet {
            vertices: [0; 3],
            neighbours: [NONE; 3],
            normal: V::ZERO,
            offset: V::Scalar::ZERO,
            state: State::Free,
        };
        let mut polytope = Self {
            pairs: [SupportPair::default(); VERTICES],
            facets: [free; FACETS],
            pair_count: simplex.len(),
            facet_end: simplex.len(),
        };
        polytope.pairs[..simplex.len()].copy_from_slice(simplex);
        for omitted in 0..simplex.len() {
            // Facet `omitted` has the other vertices; across from vertex `j` lies the facet that omits `j`.
            let mut others = [0; 3];
            let rest = (0..simplex.len()).filter(|&j| j != omitted);
            for (slot, j) in others.iter_mut().zip(rest) {
                *slot = j as u16;
            }
            let points = others.map(|j| simplex[j as usize].w);
            if V::side(&points[..V::DIM], simplex[omitted].w) > 0.0 {
                others.swap(0, 1);
            }
            polytope.set_facet(omitted, others, others);
        }
        polytope
    }

    fn set_facet(&mut self, at: usize, vertices: [u16; 3], neighbours: [u16; 3]) {
        let points = vertices.map(|v| self.pairs[v as usize].w);
        // A facet without area in floating point cannot bound anything: it claims distance zero.
        let (normal, offset) = V::plane(&points[..V::DIM]).unwrap_or((V::ZERO, V::Scalar::ZERO));
        self.facets[at] = Facet { vertices, neighbours, normal, offset, state: State::Alive };
        self.facet_end = self.facet_end.max(at + 1);
    }

    /// The facets in use.
    pub fn alive(&self) -> impl Iterator<Item = u16> {
        (0..self.facet_end).filter(|&f| self.facets[f].state == State::Alive).map(|f| f as u16)
    }

    /// A facet by index.
    pub fn facet(&self, facet: u16) -> &Facet<V> {
        &self.facets[facet as usize]
    }

    /// A facet's vertices.
    pub fn pairs(&self, facet: u16) -> impl Iterator<Item = &SupportPair<V>> {
        self.facets[facet as usize].vertices[..V::DIM].iter().map(|&v| &self.pairs[v as usize])
    }

    /// True when no vertex can be added.
    pub fn is_full(&self) -> bool {
        self.pair_count == VERTICES
    }

    /// The facet whose plane is nearest the origin: least signed distance, lowest index among equals.
    pub fn nearest(&self) -> u16 {
        let mut best = (V::Scalar::INFINITY, 0);
        for facet in self.alive() {
            let offset = self.facets[facet as usize].offset;
            if offset < best.0 {
                best = (offset, facet);
            }
        }
        best.1
    }

    fn side(&self, facet: u16, p: V) -> f64 {
        let points = self.facets[facet as usize].vertices.map(|v| self.pairs[v as usize].w);
        V::side(&points[..V::DIM], p)
    }

    /// Adds a vertex if some facet sees it from strictly outside.
    pub fn insert_anywhere(&mut self, pair: SupportPair<V>) {
        let seen = self.alive().find(|&facet| self.side(facet, pair.w) > 0.0);
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
    /// [`Stop::NoProgress`] when it is not, [`Stop::StorageFull`] when a new facet has no room: the polytope is then
    /// unusable except for the facet `from`, which is kept.
    pub fn insert(&mut self, from: u16, pair: SupportPair<V>) -> Result<(), Stop> {
        if !(self.side(from, pair.w) > 0.0) {
            return Err(Stop::NoProgress);
        }
        let visible = self.flood(from, pair.w);
        let apex = self.pair_count as u16;
        self.pairs[self.pair_count] = pair;
        self.pair_count += 1;
        let mut links = [(NONE, 0u8); VERTICES];
        for &old in visible.as_slice() {
            for k in 0..V::DIM {
                let hidden = self.facets[old as usize].neighbours[k];
                if self.facets[hidden as usize].state == State::Visible {
                    continue;
                }
                let new = self.free_slot().ok_or(Stop::StorageFull)?;
                self.add_facet(new, old, k, hidden, apex);
                self.link(new, k, &mut links);
            }
        }
        for &old in visible.as_slice() {
            self.facets[old as usize].state = State::Free;
        }
        Ok(())
    }

    fn free_slot(&self) -> Option<u16> {
        let reusable = (0..self.facet_end).find(|&f| self.facets[f].state == State::Free);
        reusable.or((self.facet_end < FACETS).then_some(self.facet_end)).map(|f| f as u16)
    }

    /// Marks the facets that see `p`, connected to `from`.
    fn flood(&mut self, from: u16, p: V) -> FacetList<FACETS> {
        let mut visible = FacetList { items: [0; FACETS], len: 0 };
        self.facets[from as usize].state = State::Visible;
        visible.push(from);
        let mut next = 0;
        while next < visible.len {
            let facet = visible.items[next];
            next += 1;
            for k in 0..V::DIM {
                let neighbour = self.facets[facet as usize].neighbours[k];
                if self.facets[neighbour as usize].state == State::Alive && self.side(neighbour, p) >= 0.0 {
                    self.facets[neighbour as usize].state = State::Visible;
                    visible.push(neighbour);
                }
            }
        }
        visible
    }

    /// Facet `old` with its vertex `k` swapped for the apex; `hidden` stays its neighbour there.
    fn add_facet(&mut self, new: u16, old: u16, k: usize, hidden: u16, apex: u16) {
        let mut vertices = self.facets[old as usize].vertices;
        vertices[k] = apex;
        let mut neighbours = [NONE; 3];
        neighbours[k] = hidden;
        self.set_facet(new as usize, vertices, neighbours);
        // The hidden facet knew `old` across from the vertex that the ridge leaves out.
        let ridge = |v: u16| (0..V::DIM).any(|j| j != k && vertices[j] == v);
        let hidden = &mut self.facets[hidden as usize];
        for j in 0..V::DIM {
            if !ridge(hidden.vertices[j]) {
                hidden.neighbours[j] = new;
            }
        }
    }

    /// Joins a new facet with the other new facets at its ridges through the apex (position `k`).
    fn link(&mut self, new: u16, k: usize, links: &mut [(u16, u8); VERTICES]) {
        for j in (0..V::DIM).filter(|&j| j != k) {
            // The ridge that leaves out vertex j holds the apex and, in space, one more vertex, which names it.
            let vertices = self.facets[new as usize].vertices;
            let key = if V::DIM == 2 { 0 } else { vertices[3 - j - k] as usize };
            let (other, at) = links[key];
            if other == NONE {
                links[key] = (new, j as u8);
            } else {
                self.facets[new as usize].neighbours[j] = other;
                self.facets[other as usize].neighbours[at as usize] = new;
            }
        }
    }

    /// The facet's point nearest the origin as points on A and on B.
    pub fn witness(&self, facet: u16) -> [V; 2] {
        let f = self.facet(facet);
        let foot = f.normal * f.offset;
        let pairs = f.vertices.map(|v| self.pairs[v as usize]);
        let zero = V::Scalar::ZERO;
        let weights = if V::DIM == 2 {
            let edge = pairs[1].w - pairs[0].w;
            let along = |p: V| (p.dot(edge)).max(zero);
            [along(pairs[1].w - foot), along(foot - pairs[0].w), zero]
        } else {
            let [a, b, c] = pairs.map(|p| p.w - foot);
            [(b, c), (c, a), (a, b)].map(|(p, q)| V::triple(f.normal, p, q).max(zero))
        };
        let total = weights[0] + weights[1] + weights[2];
        let weights = if total > zero { weights.map(|x| x / total) } else { [V::Scalar::ONE, zero, zero] };
        let sum = |point: fn(&SupportPair<V>) -> V| {
            pairs.iter().zip(weights).take(V::DIM).fold(V::ZERO, |s, (p, weight)| s + point(p) * weight)
        };
        [sum(|p| p.a), sum(|p| p.b)]
    }
}

/// Facet indices in fixed storage.
struct FacetList<const FACETS: usize> {
    items: [u16; FACETS],
    len: usize,
}

impl<const FACETS: usize> FacetList<FACETS> {
    fn push(&mut self, facet: u16) {
        self.items[self.len] = facet;
        self.len += 1;
    }
    fn as_slice(&self) -> &[u16] {
        &self.items[..self.len]
    }
}
