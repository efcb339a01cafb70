//! A line and the coordinates that count for it, and the signs that are taken of its points.
//!
//! Idea: a point of the hull is a pair, `w = a − b`, and so is the direction, the second body's velocity less the first's. Signs are those of
//! [`crate::sign`], and the farthest pair is found by one search in each body.

use super::portal::Portal;
use crate::direction::{DirectionKind, Operand, SymbolicDirection};
use crate::integer::Int3;
use crate::problem::{Points, Problem};
use crate::sign::{AdaptiveSigns, SignOracle};
use crate::vertex::Vertex;
use core::cmp::Ordering;

/// A line through the origin, and the differences of two sets of points that it is asked about.
#[derive(Debug)]
pub struct Line<'p, A: ?Sized, B: ?Sized> {
    pub(super) a: &'p A,
    pub(super) b: &'p B,
    pub(super) velocities: [[f64; 3]; 2],
    /// The coordinates that count; the first `dim` of them.
    pub(super) axes: [usize; 3],
    pub(super) dim: usize,
}

impl<A: ?Sized, B: ?Sized> Clone for Line<'_, A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: ?Sized, B: ?Sized> Copy for Line<'_, A, B> {}

/// Points with only the coordinates that count, in their order.
struct Seen<'p, P: ?Sized> {
    points: &'p P,
    axes: [usize; 3],
    dim: usize,
}

fn seen(point: [f64; 3], axes: [usize; 3], dim: usize) -> [f64; 3] {
    core::array::from_fn(|k| if k < dim { point[axes[k]] } else { 0.0 })
}

impl<P: Points + ?Sized> Points for Seen<'_, P> {
    fn count(&self) -> u32 {
        self.points.count()
    }
    fn point(&self, index: u32) -> [f64; 3] {
        seen(self.points.point(index), self.axes, self.dim)
    }
    fn farthest(&self, direction: [f64; 3], error: [f64; 3], found: &mut [u32]) -> Option<usize> {
        let back = |x: [f64; 3]| {
            let mut whole = [0.0; 3];
            for (&axis, x) in self.axes.iter().zip(x).take(self.dim) {
                whole[axis] = x;
            }
            whole
        };
        self.points.farthest(back(direction), back(error), found)
    }
}

/// The vertex that is the origin.
fn origin() -> Vertex {
    Vertex::new([0; 2], [0.0; 3], [0.0; 3])
}

/// The sign of a height.
pub(super) fn sign(direction: &SymbolicDirection, x: &Operand) -> Ordering {
    AdaptiveSigns::default().sign(direction, x)
}

impl<'p, A: Points + ?Sized, B: Points + ?Sized> Line<'p, A, B> {
    /// The relative motion of `b` and `a`, in a space of `dim` dimensions, of finite numbers: at the time `t` the bodies have a point in common where
    /// `t·(velocity of b − velocity of a)` is in the hull of the differences `a − b`.
    pub fn new(a: &'p A, b: &'p B, dim: usize, velocities: [[f64; 3]; 2]) -> Self {
        Self {
            a,
            b,
            velocities,
            axes: [0, 1, 2],
            dim: dim.clamp(2, 3),
        }
    }

    /// Whether nothing moves: such a line is none.
    pub(super) fn rests(&self) -> bool {
        self.velocities[0] == self.velocities[1]
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
    pub(super) fn along(&self) -> Vertex {
        let [a, b] = self.velocities.map(|v| seen(v, self.axes, self.dim));
        Vertex::new([0; 2], b, a)
    }

    /// Some pair.
    pub(super) fn vertex(&self, [i, j]: [u32; 2]) -> Vertex {
        let cut = |point| seen(point, self.axes, self.dim);
        Vertex::new([i, j], cut(self.a.point(i)), cut(self.b.point(j)))
    }

    /// The pair farthest along a direction; of equals the lowest numbers.
    pub(super) fn support(&self, direction: &SymbolicDirection) -> Vertex {
        let (axes, dim) = (self.axes, self.dim);
        let problem = Problem {
            dim,
            a: &Seen {
                points: self.a,
                axes,
                dim,
            },
            b: &Seen {
                points: self.b,
                axes,
                dim,
            },
            signs: &AdaptiveSigns::default(),
        };
        problem.support(direction)
    }

    /// The direction along which the height of `w` is `[v, x, w]`, for the line's direction `v`; in the plane `[v, w]`.
    pub(super) fn across(&self, x: Vertex) -> SymbolicDirection {
        let v = self.along();
        if self.dim == 3 {
            DirectionKind::Plane([origin(), v, x]).into()
        } else {
            -SymbolicDirection::from(DirectionKind::Line([origin(), v]))
        }
    }

    /// The same for `x = to − from`, in space.
    pub(super) fn across_edge(&self, from: Vertex, to: Vertex) -> SymbolicDirection {
        -SymbolicDirection::from(DirectionKind::Around([from, to, self.along()]))
    }

    /// The sign of `[v, x, w]`, in the plane of `[v, w]`.
    pub(super) fn turn(&self, x: Vertex, w: Vertex) -> Ordering {
        sign(&self.across(x), &Operand::Vertex(w))
    }

    /// A unit vector in space.
    pub(super) fn axis(k: usize) -> Vertex {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        Vertex::new([0; 2], unit, [0.0; 3])
    }

    /// Some direction of the line's coordinates in all coordinates.
    pub(super) fn whole(&self, direction: Int3) -> Int3 {
        let mut whole = Int3::default();
        for (&axis, x) in self.axes.iter().zip(direction).take(self.dim) {
            whole[axis] = x;
        }
        whole
    }

    /// The normal of a portal's plane that points along the line's direction.
    pub(super) fn normal(&self, portal: &Portal) -> SymbolicDirection {
        let [a, b, c] = portal.vertices;
        match self.dim {
            3 => DirectionKind::Plane([a, b, c]).into(),
            2 => -SymbolicDirection::from(DirectionKind::Line([a, b])),
            _ => {
                let v = self.along();
                let forward = if v.a[0] < v.b[0] { -1.0 } else { 1.0 };
                DirectionKind::Given([forward, 0.0, 0.0]).into()
            }
        }
    }

    /// On which side of a portal's plane a vertex is: less before it, seen along the direction.
    pub(super) fn side(&self, portal: &Portal, vertex: Vertex) -> Ordering {
        let offset = Operand::Between(portal.vertices[0], vertex);
        sign(&self.normal(portal), &offset)
    }

    /// Whether all vertices of one portal are in the plane of the other.
    pub(super) fn is_flat(&self, plane: &Portal, other: &Portal) -> bool {
        let other = &other.vertices[..self.dim];
        other.iter().all(|&vertex| self.side(plane, vertex).is_eq())
    }
}
