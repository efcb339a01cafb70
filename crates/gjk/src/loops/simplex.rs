//! The simplex and its reduction to the face nearest the origin.
//!
//! Where it sits: [`super::gjk::run`] calls it once an iteration. Read [`nearest_face`] first, then docs/simplex.md.
//! Idea: the newest vertex is in the nearest face, else the last support step would not have improved, so only faces
//! that contain it are tried: with four vertices 8 of 15. Regions are distinguished by triple products, and nothing is
//! divided: a [`Face`] has numerators of weights. [`segment`] and [`triangle`] serve both dimensions; [`full`] takes the
//! simplex with as many vertices as the dimension plus one.
//! After a warm start the newest vertex need not be in the nearest face. The result is then still a point of the
//! simplex, and the loop's rule of strict decrease drops a vertex that did not help.
//! Source: Ericson, Real-Time Collision Detection, 5.1.9; newest-first pruning: Muratori 2006.

use crate::math::Vector64;
use crate::support::SupportPair;

/// Up to four vertices of the Minkowski difference, newest first, with the weights of the point nearest the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simplex<V: Vector64> {
    pairs: [SupportPair<V>; 4],
    weights: [f64; 4],
    len: usize,
}

impl<V: Vector64> Simplex<V> {
    /// A single vertex.
    pub fn from_pair(pair: SupportPair<V>) -> Self {
        let mut simplex = Self::default();
        simplex.pairs[0] = pair;
        simplex.weights[0] = 1.0;
        simplex.len = 1;
        simplex
    }

    /// The vertices, newest first.
    pub fn pairs(&self) -> &[SupportPair<V>] {
        &self.pairs[..self.len]
    }

    /// One weight a vertex: non-negative, of sum 1. They mean nothing when the simplex encloses the origin.
    pub fn weights(&self) -> &[f64] {
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
    #[inline(always)]
    pub fn points(&self) -> [V; 3] {
        let mut sum = [V::ZERO; 3];
        for (pair, &weight) in self.pairs().iter().zip(self.weights()) {
            sum = [
                sum[0] + pair.w * weight,
                sum[1] + pair.a * weight,
                sum[2] + pair.b * weight,
            ];
        }
        sum
    }

    /// The first `len` pairs, with weights made of the numerators.
    #[inline(always)]
    pub(crate) fn new(pairs: [SupportPair<V>; 4], [a, b, c]: [f64; 3], len: usize) -> Self {
        Self {
            pairs,
            weights: [a, b, c, 0.0],
            len,
        }
        .divided()
    }

    /// The face of this simplex, whose pairs are newest first.
    fn face(&self, face: &Face<V>) -> Self {
        let pair = |at: usize| self.pairs[usize::from(face.kept[at]) & 3];
        Self::new(
            [pair(0), pair(1), pair(2), SupportPair::default()],
            face.numerators,
            face.len,
        )
    }

    /// Divides the numerators by their sum, which makes them weights.
    #[inline(always)]
    fn divided(mut self) -> Self {
        let [a, b, c, d] = self.weights;
        let total = (a + b) + (c + d);
        if total != 1.0 {
            self.weights = [a / total, b / total, c / total, d / total];
        }
        self
    }
}

/// A face of a simplex.
#[derive(Clone, Copy, Debug)]
pub struct Face<V: Vector64> {
    /// Which vertices it has, in their order; of the first `len`.
    pub(crate) kept: [u8; 3],
    pub(crate) len: usize,
    /// Weights of the nearest point, times some positive factor.
    numerators: [f64; 3],
    /// A vector parallel to its nearest point (from the origin to the face). Not normalised: a vertex itself, degree 3 for
    /// an edge, degree 2 for a facet.
    pub direction: V,
}

impl<V: Vector64> Face<V> {
    fn vertex(k: u8, direction: V) -> Self {
        Self {
            kept: [k, 0, 0],
            len: 1,
            numerators: [1.0, 0.0, 0.0],
            direction,
        }
    }

    /// Weights of its nearest point, times some positive factor; zeros beyond its vertices.
    #[inline(always)]
    pub(crate) fn numerators(&self) -> [f64; 3] {
        self.numerators
    }

    /// One of its vertices, of the points it is a face of.
    #[inline]
    pub(crate) fn corner(&self, w: &[V; 4]) -> V {
        w[usize::from(self.kept[0]) & 3]
    }

    /// The square of the length of the point that its weights state.
    ///
    /// Not of its line's or plane's distance: a facet that is not the nearest may have the origin beyond its far edge.
    fn distance_squared(&self, w: &[V; 4]) -> f64 {
        let parts = self.kept.iter().zip(self.numerators).take(self.len);
        let (mut sum, mut total) = (V::ZERO, 0.0);
        for (&k, numerator) in parts {
            sum = sum + w[usize::from(k) & 3] * numerator;
            total += numerator;
        }
        sum.norm_squared() / (total * total)
    }
}

/// What the reduction of a [`Simplex`] found.
#[derive(Clone, Copy, Debug)]
pub enum Reduced<V: Vector64> {
    /// The nearest face, and a vector parallel to its nearest point (from the origin to the face).
    Face {
        /// The face with its weights.
        simplex: Simplex<V>,
        /// See [`Face::direction`].
        direction: V,
    },
    /// The simplex is full and the origin is in it, up to rounding.
    Enclosed,
}

/// The face of the simplex nearest the origin.
pub fn reduce<V: Vector64>(simplex: &Simplex<V>) -> Reduced<V> {
    let w = simplex.pairs.map(|pair| pair.w);
    let Some(face) = nearest_face(&w, simplex.len) else {
        return Reduced::Enclosed;
    };
    Reduced::Face {
        simplex: simplex.face(&face),
        direction: face.direction,
    }
}

/// The face nearest the origin of the first `len` points, newest first; `None` when they enclose it.
#[inline(always)] // a face returned through memory would stall on store forwarding
pub fn nearest_face<V: Vector64>(w: &[V; 4], len: usize) -> Option<Face<V>> {
    match len {
        0 | 1 => Some(Face::vertex(0, w[0])),
        2 => Some(segment(w, [0, 1])),
        3 if V::DIM == 3 => Some(triangle(w, [0, 1, 2])),
        _ => full(w),
    }
}

/// The face of an edge: either end, or its inside.
#[inline(always)]
pub fn segment<V: Vector64>(w: &[V; 4], [i, j]: [u8; 2]) -> Face<V> {
    let (a, b) = (w[usize::from(i) & 3], w[usize::from(j) & 3]);
    let ab = b - a;
    let (toward_b, toward_a) = (-a.dot(ab), b.dot(ab));
    if !(toward_b > 0.0) {
        Face::vertex(i, a)
    } else if !(toward_a > 0.0) {
        Face::vertex(j, b)
    } else {
        let numerators = [toward_a, toward_b, 0.0];
        Face {
            kept: [i, j, 0],
            len: 2,
            numerators,
            direction: V::edge_normal(a, ab),
        }
    }
}

/// The faces of a triangle in space that contain its newest vertex, the first of the three.
#[inline(always)]
pub fn triangle<V: Vector64>(w: &[V; 4], [i, j, k]: [u8; 3]) -> Face<V> {
    let (a, b, c) = (
        w[usize::from(i) & 3],
        w[usize::from(j) & 3],
        w[usize::from(k) & 3],
    );
    let (ab, ac) = (b - a, c - a);
    let n = V::facet_normal(&[a, b, c]);
    // Numerators of weights: the doubled area that the origin's projection spans with the opposite edge, times `|n|`.
    let across = V::cross_product(n, a);
    let (wb, wc) = (-ac.dot(across), ab.dot(across));
    let (ahead_b, ahead_c) = (-a.dot(ab) > 0.0, -a.dot(ac) > 0.0);
    if ahead_b && !(wc > 0.0) {
        return segment(w, [i, j]);
    }
    if ahead_c && !(wb > 0.0) {
        return segment(w, [i, k]);
    }
    if !ahead_b && !ahead_c {
        return Face::vertex(i, a);
    }
    let wa = (c - b).dot(V::cross_product(n, b));
    if !(wa > 0.0) {
        // Only where the newest vertex did not help, as after a warm start or by rounding.
        return segment(w, [j, k]);
    }
    if !(wb > 0.0 && wc > 0.0) {
        return segment(w, if wb > wc { [i, j] } else { [i, k] });
    }
    let direction = if n.dot(a) < 0.0 { -n } else { n };
    Face {
        kept: [i, j, k],
        len: 3,
        numerators: [wa, wb, wc],
        direction,
    }
}

/// A full simplex: the nearest of the facets at the newest vertex that have the origin outside; `None` if none has.
#[inline(always)]
pub fn full<V: Vector64>(w: &[V; 4]) -> Option<Face<V>> {
    let outside = V::outer_facets(w);
    let mut nearest: Option<(f64, Face<V>)> = None;
    for facet in 0..V::DIM {
        if !outside[facet] {
            continue;
        }
        let face = if V::DIM == 2 {
            segment(w, [0, 1 + facet as u8])
        } else {
            triangle(w, [[0, 1, 2], [0, 1, 3], [0, 2, 3]][facet])
        };
        // The length is computed only where two facets claim the origin.
        let alone = outside.iter().filter(|&&x| x).count() == 1;
        if alone {
            return Some(face);
        }
        let squared = face.distance_squared(w);
        if nearest.as_ref().is_none_or(|(best, _)| squared < *best) {
            nearest = Some((squared, face));
        }
    }
    nearest.map(|(_, face)| face)
}
