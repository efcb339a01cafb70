//! Separating axes of a pair: the best of all directions that a facet of `A − B` can have.
//!
//! Idea: a facet of the difference has the normal of a facet of A, of a facet of B, or of an edge of A crossed with an
//! edge of B. Every direction's gap is a lower bound of the signed distance, so that a direction too many does no harm;
//! for overlapping bodies the best one is the signed distance. Floats choose the finalists, exact numbers decide.

use super::hull::{ExactBody, TOLERANCE, perpendicular};
use super::number::{Coord, Exact, cross, difference, dot, dot_f, negated, sub_f};
use gjk_exact::Int;
use std::cmp::Ordering;

/// What the score of an axis may be off, in tolerances of the pair: two edges count as supporting when no point is beyond
/// them by more than a tolerance a component, so √3 on either side, and a gap's own rounding on either side.
pub(crate) const SCORE_ERROR: f64 = 8.0;

/// A direction from A to B, by the points that define it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Axis {
    /// A plane of A, along its outer normal.
    OfA([u8; 3], bool),
    /// A plane of B, against its outer normal.
    OfB([u8; 3], bool),
    /// An edge of each; true: along their cross product, false: against it.
    Edges([u8; 2], [u8; 2], bool),
}

/// A gap along a direction, not divided by its length.
#[derive(Clone, Debug)]
pub(crate) struct Gap<E> {
    /// `min n·b − max n·a`.
    pub gap: E,
    /// `|n|²`.
    pub squared: E,
}

impl<E: Exact> Gap<E> {
    /// Compares the gaps over the lengths.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let (s, t) = (self.gap.sign(), other.gap.sign());
        if s != t || s == Ordering::Equal {
            return s.cmp(&t);
        }
        if self.gap == other.gap && self.squared == other.squared {
            return Ordering::Equal;
        }
        let square = |x: &Int| x * x;
        let left = square(&self.gap.big()) * other.squared.big();
        let right = square(&other.gap.big()) * self.squared.big();
        if s == Ordering::Greater {
            left.cmp(&right)
        } else {
            right.cmp(&left)
        }
    }
}

/// Two bodies on one grid.
#[derive(Debug)]
pub(crate) struct Pair<C> {
    /// 2 or 3.
    pub dim: usize,
    /// The first.
    pub a: ExactBody<C>,
    /// The second.
    pub b: ExactBody<C>,
    axes: Vec<(f64, Axis)>,
    best: f64,
}

impl<C> Default for Pair<C> {
    fn default() -> Self {
        Self {
            dim: 3,
            a: ExactBody::default(),
            b: ExactBody::default(),
            axes: Vec::new(),
            best: 0.0,
        }
    }
}

impl<C: Coord> Pair<C> {
    /// What a float gap or distance of this pair can be off by.
    pub(crate) fn tolerance(&self) -> f64 {
        (self.a.size + self.b.size) * TOLERANCE
    }

    /// The float gap of the best axis, and all axes that may be the best in truth.
    pub(crate) fn best_axes(&mut self) -> (f64, &[(f64, Axis)]) {
        self.axes.clear();
        self.best = f64::NEG_INFINITY;
        for k in 0..self.a.facets.len() {
            let f = self.a.facets[k];
            let n = signed(self.a.normal_f(self.dim, f.ids), f.outward);
            let base = self.a.floats[usize::from(f.ids[0])];
            let gap = self
                .b
                .floats
                .iter()
                .map(|&p| dot_f(n, sub_f(p, base)))
                .fold(f64::INFINITY, f64::min);
            self.offer(gap, n, Axis::OfA(f.ids, f.outward));
        }
        for k in 0..self.b.facets.len() {
            let f = self.b.facets[k];
            let n = signed(self.b.normal_f(self.dim, f.ids), !f.outward);
            let base = self.b.floats[usize::from(f.ids[0])];
            let gap = self
                .a
                .floats
                .iter()
                .map(|&p| dot_f(n, sub_f(base, p)))
                .fold(f64::INFINITY, f64::min);
            self.offer(gap, n, Axis::OfB(f.ids, f.outward));
        }
        if self.dim == 3 {
            self.edge_axes();
        }
        let floor = self.best - 2.0 * SCORE_ERROR * self.tolerance();
        self.axes.retain(|(score, _)| *score >= floor);
        (self.best, &self.axes)
    }

    fn edge_axes(&mut self) {
        let slack = self.tolerance();
        for i in 0..self.a.edges.len() {
            let e = self.a.edges[i];
            let base_a = self.a.floats[usize::from(e[0])];
            for j in 0..self.b.edges.len() {
                let f = self.b.edges[j];
                let n = C::cross(
                    self.a.at(e[0]),
                    self.a.at(e[1]),
                    self.b.at(f[0]),
                    self.b.at(f[1]),
                );
                let near = slack * (n[0].abs() + n[1].abs() + n[2].abs());
                let Some((above_a, below_a)) = one_sided(n, base_a, &self.a.floats, near) else {
                    continue;
                };
                let base_b = self.b.floats[usize::from(f[0])];
                let Some((above_b, below_b)) = one_sided(n, base_b, &self.b.floats, near) else {
                    continue;
                };
                if near == 0.0 {
                    continue;
                }
                let gap = dot_f(n, sub_f(base_b, base_a));
                if !above_a && !below_b {
                    self.offer(gap, n, Axis::Edges(e, f, true));
                }
                if !below_a && !above_b {
                    self.offer(-gap, n, Axis::Edges(e, f, false));
                }
            }
        }
    }

    fn offer(&mut self, gap: f64, normal: [f64; 3], axis: Axis) {
        let score = gap / dot_f(normal, normal).sqrt();
        if score > self.best {
            self.best = score;
        }
        if score >= self.best - 2.0 * SCORE_ERROR * self.tolerance() {
            self.axes.push((score, axis));
        }
    }

    /// The axis as exact numbers.
    pub(crate) fn direction(&self, axis: Axis) -> [C::Exact; 3] {
        let (n, keep) = match axis {
            Axis::OfA(ids, outward) => (self.a.normal(self.dim, ids), outward),
            Axis::OfB(ids, outward) => (self.b.normal(self.dim, ids), !outward),
            Axis::Edges([i, j], [k, l], along) => {
                let e = difference(self.a.at(j), self.a.at(i));
                (cross(&e, &difference(self.b.at(l), self.b.at(k))), along)
            }
        };
        if keep { n } else { negated(&n) }
    }

    /// The exact gap along a direction from A to B.
    pub(crate) fn gap(&self, n: &[C::Exact; 3]) -> Gap<C::Exact> {
        Gap {
            gap: self.clearance(n),
            squared: dot(n, n),
        }
    }

    /// `min n·b − max n·a`, for normals of any degree: their squares may not fit.
    pub(crate) fn clearance(&self, n: &[C::Exact; 3]) -> C::Exact {
        let height = |p: &[C; 3]| dot(n, &std::array::from_fn(|k| p[k].exact()));
        let top = self
            .a
            .points
            .iter()
            .map(height)
            .max()
            .unwrap_or_else(C::Exact::zero);
        let bottom = self
            .b
            .points
            .iter()
            .map(height)
            .min()
            .unwrap_or_else(C::Exact::zero);
        bottom.sub(&top)
    }

    /// The dimension of `A − B`, a direction in it when it is 1 or more, and a normal to it when it is one short.
    pub(crate) fn rank(&self) -> (usize, [C::Exact; 3], [C::Exact; 3]) {
        let zero = || [C::Exact::zero(), C::Exact::zero(), C::Exact::zero()];
        let along = |body: &ExactBody<C>| -> Vec<[C::Exact; 3]> {
            body.points
                .iter()
                .skip(1)
                .map(|p| difference(p, &body.points[0]))
                .collect()
        };
        let all: Vec<_> = along(&self.a).into_iter().chain(along(&self.b)).collect();
        let Some(d) = all.first() else {
            return (0, zero(), zero());
        };
        let some = |n: &[C::Exact; 3]| !super::number::is_zero(n);
        if self.dim == 2 {
            let n = perpendicular(d);
            let full = all.iter().any(|e| dot(&n, e).sign() != Ordering::Equal);
            return (if full { 2 } else { 1 }, d.clone(), n);
        }
        let Some(n) = all.iter().map(|e| cross(d, e)).find(some) else {
            return (1, d.clone(), zero());
        };
        let full = all.iter().any(|e| dot(&n, e).sign() != Ordering::Equal);
        (if full { 3 } else { 2 }, d.clone(), n)
    }
}

fn signed(n: [f64; 3], keep: bool) -> [f64; 3] {
    if keep { n } else { n.map(|x| -x) }
}

/// Whether points lie clearly above or below the plane; `None` when both do.
fn one_sided(n: [f64; 3], base: [f64; 3], points: &[[f64; 3]], near: f64) -> Option<(bool, bool)> {
    let offset = dot_f(n, base);
    let (mut above, mut below) = (false, false);
    for &p in points {
        let height = dot_f(n, p) - offset;
        above |= height > near;
        below |= height < -near;
        if above && below {
            return None;
        }
    }
    Some((above, below))
}
