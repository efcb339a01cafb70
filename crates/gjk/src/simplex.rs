//! The simplex and its reduction to the face nearest the origin.
//!
//! Where it sits: called by [`crate::gjk::run`] once an iteration. Read [`reduce`] first, then docs/simplex.md.
//! Idea: the newest vertex is in the nearest face, else the last support step would not have improved, so only faces
//! that contain it are tried: with four vertices 8 of 15. Regions are told apart by triple products, and nothing is
//! divided before the winner is known. [`segment`] and [`triangle`] serve both dimensions; [`full`] takes the simplex
//! with as many vertices as the dimension plus one.
//! After a warm start the newest vertex need not be in the nearest face. The result is then still a point of the
//! simplex, and the loop's rule of strict decrease drops a vertex that did not help.
//! Source: Ericson, Real-Time Collision Detection, 5.1.9; newest-first pruning: Muratori 2006.

use crate::math::{Ring, Scalar, Vector};
use crate::support::SupportPair;

/// Up to four vertices of the Minkowski difference, newest first, with the weights of the point nearest the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simplex<V: Vector> {
    pairs: [SupportPair<V>; 4],
    weights: [V::Scalar; 4],
    len: usize,
}

impl<V: Vector> Simplex<V> {
    /// A single vertex.
    pub fn from_pair(pair: SupportPair<V>) -> Self {
        let mut simplex = Self::default();
        simplex.pairs[0] = pair;
        simplex.weights[0] = V::Scalar::ONE;
        simplex.len = 1;
        simplex
    }

    /// The vertices, newest first.
    pub fn pairs(&self) -> &[SupportPair<V>] {
        &self.pairs[..self.len]
    }

    /// One weight a vertex: non-negative, of sum 1. After an enclosed origin they mean nothing.
    pub fn weights(&self) -> &[V::Scalar] {
        &self.weights[..self.len]
    }

    /// True when the pair is among the vertices.
    pub fn contains(&self, pair: &SupportPair<V>) -> bool {
        self.pairs().iter().any(|p| p.same(pair))
    }

    /// This simplex with a newer vertex; a simplex that is already full stays as it is.
    pub fn with(&self, pair: SupportPair<V>) -> Self {
        let mut grown = *self;
        if self.len <= V::DIM {
            grown.pairs[0] = pair;
            grown.pairs[1..=self.len].copy_from_slice(self.pairs());
            grown.weights = Default::default();
            grown.len += 1;
        }
        grown
    }

    /// The weighted points: nearest point of the difference, point on A, point on B.
    pub fn points(&self) -> [V; 3] {
        let sum = |point: fn(&SupportPair<V>) -> V| {
            self.pairs().iter().zip(self.weights()).fold(V::ZERO, |s, (p, &weight)| s + point(p) * weight)
        };
        [sum(|p| p.w), sum(|p| p.a), sum(|p| p.b)]
    }

    fn pick<const N: usize>(&self, kept: [usize; N], weights: [V::Scalar; N]) -> Self {
        let mut picked = Self::default();
        for (slot, (k, weight)) in kept.into_iter().zip(weights).enumerate() {
            picked.pairs[slot] = self.pairs[k];
            picked.weights[slot] = weight;
        }
        picked.len = N;
        picked
    }
}

/// What the reduction found.
#[derive(Clone, Copy, Debug)]
pub enum Reduced<V: Vector> {
    /// The nearest face, and a vector parallel to its nearest point (from the origin to the face).
    Face {
        /// The face with its weights.
        simplex: Simplex<V>,
        /// Not normalised: `w` for a vertex, degree 3 for an edge, degree 2 for a facet.
        direction: V,
    },
    /// The simplex is full and the origin is in it, as far as rounding can tell.
    Enclosed,
}

/// The face of the simplex nearest the origin.
pub fn reduce<V: Vector>(simplex: &Simplex<V>) -> Reduced<V> {
    match simplex.len {
        0 | 1 => Reduced::Face { simplex: simplex.pick([0], [V::Scalar::ONE]), direction: simplex.pairs[0].w },
        2 => segment(simplex, [0, 1]),
        3 if V::DIM == 3 => triangle(simplex, [0, 1, 2]),
        _ => full(simplex),
    }
}

/// The face of an edge: either end, or its inside.
pub fn segment<V: Vector>(simplex: &Simplex<V>, [i, j]: [usize; 2]) -> Reduced<V> {
    let (a, b) = (simplex.pairs[i].w, simplex.pairs[j].w);
    let ab = b - a;
    let (toward_b, toward_a) = (-a.dot(ab), b.dot(ab));
    let vertex = |k: usize, direction| Reduced::Face { simplex: simplex.pick([k], [V::Scalar::ONE]), direction };
    if !(toward_b > V::Scalar::ZERO) {
        vertex(i, a)
    } else if !(toward_a > V::Scalar::ZERO) {
        vertex(j, b)
    } else {
        let total = toward_a + toward_b;
        let weights = [toward_a / total, toward_b / total];
        Reduced::Face { simplex: simplex.pick([i, j], weights), direction: V::edge_normal(a, ab) }
    }
}

/// The faces of a triangle in space that contain its newest vertex, the first of the three.
pub fn triangle<V: Vector>(simplex: &Simplex<V>, [i, j, k]: [usize; 3]) -> Reduced<V> {
    let [a, b, c] = [i, j, k].map(|at| simplex.pairs[at].w);
    let (ab, ac) = (b - a, c - a);
    let n = V::facet_normal(&[a, b, c]);
    let zero = V::Scalar::ZERO;
    // Twice the squared areas that the origin's projection spans with the edges at `a`: weights before division.
    let (wb, wc) = (-V::triple(a, ac, n), V::triple(a, ab, n));
    let (ahead_b, ahead_c) = (-a.dot(ab) > zero, -a.dot(ac) > zero);
    if ahead_b && !(wc > zero) {
        return segment(simplex, [i, j]);
    }
    if ahead_c && !(wb > zero) {
        return segment(simplex, [i, k]);
    }
    if !ahead_b && !ahead_c {
        return Reduced::Face { simplex: simplex.pick([i], [V::Scalar::ONE]), direction: a };
    }
    let wa = V::triple(b, c - b, n).max(zero);
    let total = wa + wb + wc;
    if !(total > zero) {
        return segment(simplex, [i, j]);
    }
    let direction = if n.dot(a) < zero { -n } else { n };
    Reduced::Face { simplex: simplex.pick([i, j, k], [wa / total, wb / total, wc / total]), direction }
}

/// A full simplex: the nearest of the facets at the newest vertex that have the origin outside, or none.
pub fn full<V: Vector>(simplex: &Simplex<V>) -> Reduced<V> {
    let zero = V::Scalar::ZERO;
    let a = simplex.pairs[0].w;
    let mut nearest: Option<(V::Scalar, Reduced<V>)> = None;
    for opposite in 1..=V::DIM {
        // The facet's other vertices: one in the plane, two in space.
        let i = if opposite == 1 { 2 } else { 1 };
        let j = if V::DIM == 2 { i } else { 6 - opposite - i };
        let facet = [a, simplex.pairs[i].w, simplex.pairs[j].w];
        let n = V::facet_normal(&facet[..V::DIM]);
        let (origin_side, inner_side) = (-n.dot(a), n.dot(simplex.pairs[opposite].w - a));
        let inside = (origin_side > zero && inner_side > zero) || (origin_side < zero && inner_side < zero);
        if inside {
            continue;
        }
        let reduced = if V::DIM == 2 { segment(simplex, [0, i]) } else { triangle(simplex, [0, i, j]) };
        if let Reduced::Face { simplex: face, .. } = &reduced {
            let squared = face.points()[0].norm_squared();
            if nearest.as_ref().is_none_or(|(best, _)| squared < *best) {
                nearest = Some((squared, reduced));
            }
        }
    }
    nearest.map_or(Reduced::Enclosed, |(_, reduced)| reduced)
}
