//! A body as the oracle sees it: distinct grid points, and which planes and edges carry its hull.
//!
//! Idea: a triple of points (a pair in the plane) is a facet when no other point is on both sides. Floats sort out what
//! is clear, exact signs decide what is not. Nothing here grows or walks a hull.

use super::number::{Coord, Exact, cross, difference, dot, dot_f, sub_f};
use std::cmp::Ordering;

/// A float height of a point over a plane is within this part of the points' size.
pub(crate) const TOLERANCE: f64 = 64.0 * f64::EPSILON;
/// Bodies with more distinct points than this have no facet masks, and the oracle passes.
pub(crate) const POINTS_MAX: usize = 64;

/// A supporting plane of the body through some of its points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Three points of it (two in the plane, the third repeated).
    pub ids: [u8; 3],
    /// True when the normal by the order of the ids points outward.
    pub outward: bool,
    /// All points on it.
    pub mask: u64,
}

/// One body.
#[derive(Debug)]
pub(crate) struct ExactBody<C> {
    /// Distinct points, relative to A's first.
    pub points: Vec<[C; 3]>,
    /// Their floats.
    pub floats: Vec<[f64; 3]>,
    /// Supporting planes; of a flat body both sides of its plane.
    pub facets: Vec<Facet>,
    /// Pairs of points of which every edge of the hull is one.
    pub edges: Vec<[u8; 2]>,
    /// The largest coordinate sum.
    pub size: f64,
}

impl<C> Default for ExactBody<C> {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            floats: Vec::new(),
            facets: Vec::new(),
            edges: Vec::new(),
            size: 0.0,
        }
    }
}

impl<C: Coord> ExactBody<C> {
    /// Takes over new points, each once; `None` when there are too many.
    pub(crate) fn load(&mut self, dim: usize, points: impl Iterator<Item = [C; 3]>) -> Option<()> {
        self.points.clear();
        for point in points {
            if !self.points.contains(&point) {
                self.points.push(point);
            }
        }
        self.floats.clear();
        self.floats.extend(
            self.points
                .iter()
                .map(|p| std::array::from_fn(|k| p[k].float())),
        );
        self.size = self
            .floats
            .iter()
            .map(|p| p[0].abs() + p[1].abs() + p[2].abs())
            .fold(0.0, f64::max);
        self.facets.clear();
        self.edges.clear();
        (self.points.len() <= POINTS_MAX).then(|| self.build(dim))
    }

    fn build(&mut self, dim: usize) {
        let n = self.points.len() as u8;
        for i in 0..n {
            for j in i + 1..n {
                if dim == 2 {
                    self.try_facet(dim, [i, j, j]);
                } else {
                    (j + 1..n).for_each(|k| self.try_facet(dim, [i, j, k]));
                }
            }
        }
        let solid = self
            .facets
            .iter()
            .all(|f| f.mask.count_ones() < u32::from(n))
            && !self.facets.is_empty();
        if dim == 2 {
            for k in 0..self.facets.len() {
                self.add_pairs(self.facets[k].mask);
            }
        } else if solid {
            for i in 0..self.facets.len() {
                for j in i + 1..self.facets.len() {
                    self.add_pairs(self.facets[i].mask & self.facets[j].mask);
                }
            }
        } else {
            // In a flat body of few points any pair may be an edge.
            self.add_pairs(if n == 64 { u64::MAX } else { (1 << n) - 1 });
        }
    }

    /// All pairs of a set of points become edges.
    fn add_pairs(&mut self, mut set: u64) {
        while set != 0 {
            let first = set.trailing_zeros() as u8;
            set &= set - 1;
            let mut rest = set;
            while rest != 0 {
                self.edges.push([first, rest.trailing_zeros() as u8]);
                rest &= rest - 1;
            }
        }
    }

    fn try_facet(&mut self, dim: usize, ids: [u8; 3]) {
        let own = ids.iter().fold(0, |mask, &id| mask | 1u64 << id);
        if self.facets.iter().any(|f| f.mask & own == own) {
            return;
        }
        let normal = self.normal_f(dim, ids);
        let slack = self.size * TOLERANCE * dot_f(normal, normal).sqrt();
        if slack == 0.0 {
            return;
        }
        let (mut above, mut below, mut mask) = (false, false, own);
        for id in (0..self.points.len() as u8).filter(|id| !ids.contains(id)) {
            let height = dot_f(
                normal,
                sub_f(
                    self.floats[usize::from(id)],
                    self.floats[usize::from(ids[0])],
                ),
            );
            match if height > slack {
                Ordering::Greater
            } else if height < -slack {
                Ordering::Less
            } else {
                self.side(dim, ids, id)
            } {
                Ordering::Greater => above = true,
                Ordering::Less => below = true,
                Ordering::Equal => mask |= 1 << id,
            }
            if above && below {
                return;
            }
        }
        if !above {
            self.facets.push(Facet {
                ids,
                outward: true,
                mask,
            });
        }
        if !below {
            self.facets.push(Facet {
                ids,
                outward: false,
                mask,
            });
        }
    }

    /// The point with this number.
    pub(crate) fn at(&self, id: u8) -> &[C; 3] {
        &self.points[usize::from(id)]
    }

    /// A normal of the plane through three points, or of the line through two.
    pub(crate) fn normal(&self, dim: usize, [i, j, k]: [u8; 3]) -> [C::Exact; 3] {
        let e = difference(self.at(j), self.at(i));
        if dim == 2 {
            perpendicular(&e)
        } else {
            cross(&e, &difference(self.at(k), self.at(i)))
        }
    }

    /// [`ExactBody::normal`] in floats, each component to within half a rounding.
    pub(crate) fn normal_f(&self, dim: usize, [i, j, k]: [u8; 3]) -> [f64; 3] {
        if dim == 2 {
            let e = difference(self.at(j), self.at(i));
            return perpendicular(&e).map(|x| x.approximate());
        }
        C::cross(self.at(i), self.at(j), self.at(i), self.at(k))
    }

    fn side(&self, dim: usize, ids: [u8; 3], id: u8) -> Ordering {
        dot(
            &self.normal(dim, ids),
            &difference(self.at(id), self.at(ids[0])),
        )
        .sign()
    }
}

/// A right angle clockwise.
pub(crate) fn perpendicular<E: Exact>(e: &[E; 3]) -> [E; 3] {
    [e[1].clone(), E::zero().sub(&e[0]), E::zero()]
}
