//! A line and the coordinates that count for it, and the signs that are taken of its points.

use super::portal::Portal;
use crate::determinant::{sign_2, sign_3};
use crate::number::Number;
use crate::problem::Points;
use core::cmp::Ordering;

/// The difference of two points: the second less the first.
pub(super) type LineSpan = [[f64; 3]; 2];

/// A line with the points that it is asked about.
#[derive(Debug)]
pub struct Line<'p, P: ?Sized> {
    pub(super) points: &'p P,
    pub(super) origin: [f64; 3],
    pub(super) direction: [f64; 3],
    /// The coordinates that count; the first `dim` of them.
    pub(super) axes: [usize; 3],
    pub(super) dim: usize,
}

impl<P: ?Sized> Clone for Line<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for Line<'_, P> {}

impl<'p, P: Points + ?Sized> Line<'p, P> {
    /// The line `origin + t·direction` in a space of `dim` dimensions, of finite numbers.
    pub fn new(points: &'p P, dim: usize, origin: [f64; 3], direction: [f64; 3]) -> Self {
        Self {
            points,
            origin,
            direction,
            axes: [0, 1, 2],
            dim: dim.clamp(2, 3),
        }
    }

    /// The same without one of its coordinates.
    pub(super) fn without(&self, dropped: usize) -> Self {
        let mut axes = self.axes;
        axes[dropped..self.dim].rotate_left(1);
        Self {
            axes,
            dim: self.dim - 1,
            ..*self
        }
    }

    /// The direction as a difference.
    pub(super) fn along(&self) -> LineSpan {
        [[0.0; 3], self.direction]
    }

    /// A vertex seen from the origin.
    pub(super) fn seen(&self, vertex: u32) -> LineSpan {
        [self.origin, self.points.point(vertex)]
    }

    /// The edge from one vertex to another.
    pub(super) fn edge(&self, from: u32, to: u32) -> LineSpan {
        [self.points.point(from), self.points.point(to)]
    }

    /// The sign of the determinant of the first `dim` differences.
    pub(super) fn sign(&self, spans: [&LineSpan; 3]) -> Ordering {
        let [i, j, k] = self.axes;
        match self.dim {
            3 => {
                let [a, b, c] = spans.map(|s| s.map(|x| [x[i], x[j], x[k]]));
                sign_3(&a, &b, &c)
            }
            2 => {
                let [a, b, _] = spans.map(|s| s.map(|x| [x[i], x[j]]));
                sign_2(&a, &b)
            }
            _ => {
                let [from, to] = *spans[0];
                to[i].partial_cmp(&from[i]).unwrap_or(Ordering::Equal)
            }
        }
    }

    /// The value of the same determinant.
    pub(super) fn determinant<N: Number>(&self, spans: [&LineSpan; 3]) -> N {
        let leaf = |s: usize, k: usize| {
            let axis = self.axes[k];
            N::difference(spans[s][1][axis], spans[s][0][axis])
        };
        let minor = |i: usize, j: usize, s: usize| {
            let ahead = leaf(s, i).times(&leaf(s + 1, j));
            ahead.minus(&leaf(s, j).times(&leaf(s + 1, i)))
        };
        match self.dim {
            3 => {
                let sum = leaf(0, 0).times(&minor(1, 2, 1));
                let sum = sum.plus(&leaf(0, 1).times(&minor(2, 0, 1)));
                sum.plus(&leaf(0, 2).times(&minor(0, 1, 1)))
            }
            2 => minor(0, 1, 0),
            _ => leaf(0, 0),
        }
    }

    /// The differences that span the plane of a portal, with one more at the place behind them.
    pub(super) fn plane_and(&self, portal: &Portal, last: LineSpan) -> [LineSpan; 3] {
        let [a, b, c] = portal.vertices;
        match self.dim {
            3 => [self.edge(a, b), self.edge(a, c), last],
            2 => [self.edge(a, b), last, last],
            _ => [last; 3],
        }
    }

    /// On which side of a portal's plane a vertex is: less before it, seen along the direction.
    pub(super) fn side(&self, portal: &Portal, vertex: u32) -> Ordering {
        let spans = self.plane_and(portal, self.edge(portal.vertices[0], vertex));
        let sign = self.sign(spans.each_ref());
        let [x, _, _] = self.axes;
        // In space and in the plane a portal's vertices are in an order that makes its normal point along the direction.
        if self.dim == 1 && self.direction[x] < 0.0 {
            sign.reverse()
        } else {
            sign
        }
    }

    /// Whether all vertices of one portal are in the plane of the other.
    pub(super) fn is_flat(&self, plane: &Portal, other: &Portal) -> bool {
        let other = &other.vertices[..self.dim];
        other.iter().all(|&vertex| self.side(plane, vertex).is_eq())
    }
}
