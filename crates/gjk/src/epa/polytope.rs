//! The expanding polytope: facets, their neighbours, and the horizon of a new vertex.
//!
//! Idea: a facet has `DIM` vertices, and across from each of them a neighbour that shares the others. A new facet is a
//! visible one with one vertex swapped for the new point, so one code serves edges in the plane and triangles in space.
//! A facet is visible when the new point is on its outer side *or in its plane*, by exact signs of the differences
//! `a − b` themselves, not of their rounded values. Then no new facet is degenerate: if the point were in line with a horizon ridge it would lie in the plane of the facet hidden behind that
//! ridge, whose sign would be zero, so that facet would be visible.

use crate::gjk::Stop;
use crate::math::{Ring, Scalar, Vector};
use crate::support::SupportPair;
use core::cmp::Ordering::{Equal, Greater, Less};
use gjk_exact::{Formula, Ladder, Operand, Plane, Signs, Vertex, measure};

const NONE: u16 = u16::MAX;

/// Roundings that a height over a facet may be off, relative to the sizes of the point and of the offset.
///
/// The difference is off by 1, the inner product by 3, the middle of the offset's bounds by 1, the subtraction by 1, and
/// the bound itself by some: below 8. The facet's own errors are added. Within the bound the exact sign decides.
const SIDE_ROUNDINGS: f64 = 8.0;

/// A facet: an edge in 2D, a triangle in 3D, counter-clockwise from outside.
#[derive(Clone, Copy, Debug)]
pub struct Facet<V: Vector> {
    vertices: [u16; 3],
    /// The facet across the ridge that leaves out the vertex of the same position.
    neighbours: [u16; 3],
    /// Unit outer normal.
    pub normal: V,
    /// At most the plane's signed distance from the origin.
    pub lower: V::Scalar,
    /// At least the plane's signed distance from the origin.
    pub upper: V::Scalar,
    /// Bound of the error of each component of the normal.
    blur: V::Scalar,
    /// Whether the bounds are as narrow as they get.
    sharp: bool,
    /// Whether the facet is proved to be one of the difference itself.
    pub proved: bool,
    state: State,
}

impl<V: Vector> Facet<V> {
    fn new(vertices: [u16; 3], neighbours: [u16; 3], plane: &Plane) -> Self {
        let up = |x: f64| -V::Scalar::round_down(-x);
        Self {
            vertices,
            neighbours,
            normal: V::from_f64(plane.normal),
            lower: V::Scalar::round_down(plane.lower),
            upper: up(plane.upper),
            blur: up(plane.blur) + V::Scalar::ROUNDING,
            sharp: false,
            proved: false,
            state: State::Alive,
        }
    }

    /// The middle of the bounds.
    pub fn offset(&self) -> V::Scalar {
        (self.lower + self.upper) * V::Scalar::from_f64(0.5)
    }
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
    exact: [Vertex; VERTICES],
    facets: [Facet<V>; FACETS],
    pair_count: usize,
    /// One past the highest slot ever used.
    facet_end: usize,
}

impl<V: Vector, const VERTICES: usize, const FACETS: usize> Polytope<V, VERTICES, FACETS> {
    /// A full simplex of affinely independent vertices, in any order.
    #[inline(always)] // else the whole storage is copied out of here
    pub fn from_simplex(simplex: &[SupportPair<V>]) -> Self {
        let free = Facet {
            vertices: [0; 3],
            neighbours: [NONE; 3],
            normal: V::ZERO,
            lower: V::Scalar::ZERO,
            upper: V::Scalar::ZERO,
            blur: V::Scalar::ZERO,
            sharp: false,
            proved: false,
            state: State::Free,
        };
        let mut polytope = Self {
            pairs: [SupportPair::default(); VERTICES],
            exact: [simplex[0].exact(); VERTICES],
            facets: [free; FACETS],
            pair_count: 0,
            facet_end: simplex.len(),
        };
        for pair in simplex {
            polytope.push(*pair);
        }
        for omitted in 0..simplex.len() {
            // Facet `omitted` has the other vertices; across from vertex `j` lies the facet that omits `j`.
            let mut others = [0; 3];
            let rest = (0..simplex.len()).filter(|&j| j != omitted);
            for (slot, j) in others.iter_mut().zip(rest) {
                *slot = j as u16;
            }
            if polytope.exact_side(others, &simplex[omitted].exact()) == Greater {
                others.swap(0, 1);
            }
            polytope.set_facet(omitted, others, others);
        }
        polytope
    }

    fn push(&mut self, pair: SupportPair<V>) {
        self.pairs[self.pair_count] = pair;
        self.exact[self.pair_count] = pair.exact();
        self.pair_count += 1;
    }

    fn set_facet(&mut self, at: usize, vertices: [u16; 3], neighbours: [u16; 3]) {
        let corners = vertices.map(|v| self.exact[v as usize]);
        let rough = measure::rough_plane(V::DIM, &corners[..V::DIM]);
        let sharp = rough.is_none();
        let plane = rough.unwrap_or_else(|| measure::plane(V::DIM, &corners[..V::DIM]));
        self.facets[at] = Facet { sharp, ..Facet::new(vertices, neighbours, &plane) };
        self.facet_end = self.facet_end.max(at + 1);
    }

    /// Narrows a facet's bounds as far as they go; `false` if they were.
    pub fn sharpen(&mut self, facet: u16) -> bool {
        let old = self.facets[facet as usize];
        if !old.sharp {
            let corners = old.vertices.map(|v| self.exact[v as usize]);
            let plane = measure::plane(V::DIM, &corners[..V::DIM]);
            let new = Facet::new(old.vertices, old.neighbours, &plane);
            self.facets[facet as usize] = Facet { sharp: true, proved: old.proved, ..new };
        }
        !old.sharp
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

    /// Marks a facet as one of the difference itself.
    pub fn prove(&mut self, facet: u16) {
        self.facets[facet as usize].proved = true;
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

    /// The vertex ids of all facets, counter-clockwise from outside; in 2D the third repeats the second.
    pub fn facet_ids(&self) -> alloc::vec::Vec<[[u32; 2]; 3]> {
        let ids = |facet: u16| self.facets[facet as usize].vertices.map(|v| self.pairs[v as usize].ids);
        self.alive()
            .map(|facet| {
                if V::DIM == 2 {
                    let [a, b, _] = ids(facet);
                    [a, b, b]
                } else {
                    ids(facet)
                }
            })
            .collect()
    }

    /// True when no vertex can be added.
    pub fn is_full(&self) -> bool {
        self.pair_count == VERTICES
    }

    /// The facet whose plane is nearest the origin: least signed distance, lowest index among equals.
    pub fn nearest(&self) -> u16 {
        let mut best = (V::Scalar::INFINITY, 0);
        for facet in self.alive() {
            let lower = self.facets[facet as usize].lower;
            if lower < best.0 {
                best = (lower, facet);
            }
        }
        best.1
    }

    /// The facet's outer normal as a formula.
    pub fn normal(&self, facet: u16) -> Formula {
        let corners = self.facets[facet as usize].vertices.map(|v| self.exact[v as usize]);
        measure::normal(V::DIM, &corners[..V::DIM])
    }

    /// The exact side of a vertex of the difference: greater outside the facet's plane.
    pub fn side(&self, facet: u16, pair: &SupportPair<V>) -> core::cmp::Ordering {
        let f = &self.facets[facet as usize];
        let height = f.normal.dot(pair.w) - f.offset();
        let size = (0..V::DIM).fold(f.upper.abs(), |sum, k| sum + pair.w.component(k).abs());
        let error = f.blur + V::Scalar::from_f64(SIDE_ROUNDINGS) * V::Scalar::ROUNDING;
        let bound = size * error + (f.upper - f.lower);
        if height > bound {
            Greater
        } else if height < -bound {
            Less
        } else {
            self.exact_side(f.vertices, &pair.exact())
        }
    }

    fn exact_side(&self, facet: [u16; 3], x: &Vertex) -> core::cmp::Ordering {
        let corners = facet.map(|v| self.exact[v as usize]);
        if corners[..V::DIM].contains(x) {
            return Equal;
        }
        let normal = measure::normal(V::DIM, &corners[..V::DIM]);
        Ladder::default().sign(&normal, &Operand::Between(corners[0], *x))
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
    /// [`Stop::NoProgress`] when it is not, [`Stop::StorageFull`] when a new facet has no room: the facets are then those
    /// from before, but no vertex can be inserted any more.
    pub fn insert(&mut self, from: u16, pair: SupportPair<V>) -> Result<(), Stop> {
        if self.side(from, &pair) != Greater {
            return Err(Stop::NoProgress);
        }
        let visible = self.flood(from, &pair);
        let apex = self.pair_count as u16;
        self.push(pair);
        let mut links = [(NONE, 0u8); VERTICES];
        for &old in visible.as_slice() {
            for k in 0..V::DIM {
                let hidden = self.facets[old as usize].neighbours[k];
                if self.facets[hidden as usize].state == State::Visible {
                    continue;
                }
                let Some(new) = self.free_slot() else {
                    self.restore(apex);
                    return Err(Stop::StorageFull);
                };
                self.add_facet(new, old, k, hidden, apex);
                self.link(new, k, &mut links);
            }
        }
        for &old in visible.as_slice() {
            self.facets[old as usize].state = State::Free;
        }
        Ok(())
    }

    /// Takes back the facets of a vertex that could not be finished.
    fn restore(&mut self, apex: u16) {
        for facet in &mut self.facets[..self.facet_end] {
            facet.state = match facet.state {
                State::Visible => State::Alive,
                State::Alive if facet.vertices[..V::DIM].contains(&apex) => State::Free,
                state => state,
            };
        }
    }

    fn free_slot(&self) -> Option<u16> {
        let reusable = (0..self.facet_end).find(|&f| self.facets[f].state == State::Free);
        reusable.or((self.facet_end < FACETS).then_some(self.facet_end)).map(|f| f as u16)
    }

    /// Marks the facets that see `p`, connected to `from`.
    fn flood(&mut self, from: u16, p: &SupportPair<V>) -> FacetList<FACETS> {
        let mut visible = FacetList { items: [0; FACETS], len: 0 };
        self.facets[from as usize].state = State::Visible;
        visible.push(from);
        let mut next = 0;
        while next < visible.len {
            let facet = visible.items[next];
            next += 1;
            for k in 0..V::DIM {
                let neighbour = self.facets[facet as usize].neighbours[k];
                if self.facets[neighbour as usize].state == State::Alive && self.side(neighbour, p) != Less {
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

    /// The point where the ray from the origin along `direction` leaves the polytope, as points on A and on B.
    ///
    /// The ray leaves through the facet that holds its intersection with the facet's plane. Facets in one plane are told
    /// apart by this where their distances are not.
    pub fn witness(&self, direction: V) -> [V; 2] {
        let slope = |facet: u16| self.facet(facet).normal.dot(direction);
        let ahead = || self.alive().filter(|&facet| slope(facet) > V::Scalar::ZERO);
        // Where the ray may leave through a facet's plane, by the bounds of its offset and of its normal.
        let exit = |facet: u16| {
            let (f, slope) = (self.facet(facet), slope(facet));
            let error =
                (f.blur + V::Scalar::ROUNDING) * V::Scalar::from_f64(4.0) * f.upper.abs().max(f.lower.abs()) / slope;
            [(f.lower - error) / slope, (f.upper + error) / slope]
        };
        // It leaves at the first plane; those that may be the first compete.
        let first = ahead().fold(V::Scalar::INFINITY, |m, facet| m.min(exit(facet)[1]));
        let mut best: Option<(V::Scalar, u16, [V::Scalar; 3])> = None;
        for facet in ahead() {
            let at = self.facet(facet).offset() / slope(facet);
            // Planes nearly along the ray may be anywhere by their bounds; they would only add noise from far away.
            if exit(facet)[0] > first || !(at <= first + first.abs()) {
                continue;
            }
            // Along the facet's own normal the point is the origin's projection, whose weights are good on slivers too.
            let f = self.facet(facet);
            let along = (f.normal - direction).max_abs() <= f.blur + f.blur;
            let corners = f.vertices.map(|v| self.exact[v as usize]);
            let projected = along.then(|| measure::shares(V::DIM, &corners[..V::DIM])).flatten();
            let projected = projected.map(|shares| shares.map(V::Scalar::from_f64));
            let Some(weights) = projected.or_else(|| self.weights(facet, direction * at)) else {
                continue;
            };
            let least = weights[..V::DIM].iter().fold(V::Scalar::ONE, |m, &x| m.min(x));
            if best.is_none_or(|(b, ..)| least > b) {
                best = Some((least, facet, weights));
            }
        }
        let (facet, weights) =
            best.map_or((self.nearest(), [V::Scalar::ONE; 3]), |(_, facet, weights)| (facet, weights));
        let clamped = weights.map(|x| x.max(V::Scalar::ZERO));
        let total = clamped[..V::DIM].iter().fold(V::Scalar::ZERO, |sum, &x| sum + x);
        let sum = |point: fn(&SupportPair<V>) -> V| {
            let weighted = self.pairs(facet).zip(clamped).map(|(pair, weight)| point(pair) * (weight / total));
            weighted.fold(V::ZERO, |sum, x| sum + x)
        };
        [sum(|p| p.a), sum(|p| p.b)]
    }

    /// Barycentric coordinates of a point of the facet's plane, negative where it is outside; `None` on slivers of which
    /// floats know nothing.
    fn weights(&self, facet: u16, point: V) -> Option<[V::Scalar; 3]> {
        let f = self.facet(facet);
        let corners = f.vertices.map(|v| self.pairs[v as usize].w - point);
        let weights = if V::DIM == 2 {
            let edge = corners[1] - corners[0];
            [corners[1].dot(edge), -corners[0].dot(edge), V::Scalar::ZERO]
        } else {
            let [a, b, c] = corners;
            [(b, c), (c, a), (a, b)].map(|(p, q)| V::triple(f.normal, p, q))
        };
        let total = weights[0] + weights[1] + weights[2];
        (total > V::Scalar::ZERO).then(|| weights.map(|x| x / total))
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
