//! Portals: `dim` vertices whose shadow along the line holds it, and the walk from one to the facet that the line crosses.
//!
//! Idea: a vertex beyond the portal's plane takes the place of one of the portal's, so that the line stays in the shadow. The
//! crossing moves towards the facet each time, so the walk ends.
//! Ties: a line through an edge or a vertex of the hull is the rule for boxes. There the crossing need not move, and a walk could go in
//! circles. So the line is moved, in thought, by `ε` towards the first of the start's vertices, by `ε²` towards the second and by
//! `ε³` towards the third. Then it is strictly inside the start's shadow, and never on a border. Where `[v, a, b]` is zero, the sign is that of the
//! first of `[v, u, a − b]` that is not. The last facet holds the line that was not moved, because a facet is closed.

use super::ratio::Ratio;
use super::view::{Line, sign};
use crate::direction::{Operand, height};
use crate::integer::{Int, Int3};
use crate::number::{Double, Dyadic, Number, common};
use crate::problem::Points;
use crate::vertex::Vertex;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Steps that no walk needs: each takes the farthest vertex, and hulls of thousands take some ten.
pub(super) const STEPS_MAX: u32 = 10_000;

/// A normal of this size or less may have lost products to underflow, one of the inverse to overflow: its floats are not used.
const NORMAL_SIZE_MIN: f64 = 1e-250;

/// Vertices that span a facet which the line crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The first `dim` count.
    pub(super) vertices: [Vertex; 3],
    dim: usize,
    axes: [usize; 3],
}

impl Portal {
    pub(super) fn new<A: ?Sized, B: ?Sized>(line: &Line<'_, A, B>, vertices: [Vertex; 3]) -> Self {
        Self {
            vertices,
            dim: line.dim,
            axes: line.axes,
        }
    }

    /// The vertices as pairs of points: three in space, two in the plane, and fewer where the hull is flat and the line is in it.
    pub fn pairs(&self) -> Vec<[u32; 2]> {
        let vertices = self.vertices.iter().take(self.dim);
        vertices.map(|vertex| vertex.pair).collect()
    }

    /// The line in the coordinates in which this is a portal.
    pub(super) fn view<'p, A: ?Sized, B: ?Sized>(&self, line: &Line<'p, A, B>) -> Line<'p, A, B> {
        Line {
            axes: self.axes,
            dim: self.dim,
            ..*line
        }
    }

    /// The place `t` of the crossing.
    pub fn ratio<A: Points + ?Sized, B: Points + ?Sized>(&self, line: &Line<'_, A, B>) -> Ratio {
        let view = self.view(line);
        let [above, below] = [self.vertices[0], view.along()].map(Operand::Vertex);
        Ratio::new(&view.normal(self), &above, &below)
    }

    /// The place of the crossing against zero.
    pub fn sign<A: Points + ?Sized, B: Points + ?Sized>(&self, line: &Line<'_, A, B>) -> Ordering {
        let view = self.view(line);
        let normal = view.normal(self);
        let above = sign(&normal, &Operand::Vertex(self.vertices[0]));
        match sign(&normal, &Operand::Vertex(view.along())) {
            Ordering::Less => above.reverse(),
            _ => above,
        }
    }

    /// On which side of the portal's plane a pair is: less before it, seen along the direction.
    pub fn side<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        line: &Line<'_, A, B>,
        pair: [u32; 2],
    ) -> Ordering {
        let view = self.view(line);
        view.side(self, view.vertex(pair))
    }

    /// The plane's normal along the direction, as integers times some positive factor.
    pub fn normal<A: Points + ?Sized, B: Points + ?Sized>(&self, line: &Line<'_, A, B>) -> Int3 {
        let view = self.view(line);
        view.whole(view.normal(self).integers())
    }

    /// The same as floats, each within a rounding or two of the largest.
    pub fn normal_in_floats<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        line: &Line<'_, A, B>,
    ) -> [f64; 3] {
        let view = self.view(line);
        let direction = view.normal(self);
        let double = direction.vector::<Double>();
        let largest = double
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.value().0.abs()));
        let error = double.iter().fold(0.0, |m: f64, x| m.max(x.error()));
        let usual = NORMAL_SIZE_MIN < largest && largest < 1.0 / NORMAL_SIZE_MIN;
        if usual && direction.is_plain() && error <= largest * (f64::EPSILON / 64.0) {
            let mut whole = [0.0; 3];
            for (&axis, x) in self.axes.iter().zip(&double).take(self.dim) {
                whole[axis] = x.value().0 / largest;
            }
            return whole;
        }
        crate::integer::to_float(&self.normal(line))
    }

    /// Weights of the vertices, none negative, that make the point of the crossing: numerators of one denominator, their sum.
    pub fn weights<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        line: &Line<'_, A, B>,
    ) -> Vec<Int> {
        let [a, b, c] = self.shares::<_, _, Dyadic>(line);
        let integers = common([&a, &b, &c]);
        integers.into_iter().take(self.dim).collect()
    }

    /// The same as floats, rounded, times some positive factor.
    pub fn weights_in_floats<A: Points + ?Sized, B: Points + ?Sized>(
        &self,
        line: &Line<'_, A, B>,
    ) -> Vec<f64> {
        let rough = self.shares::<_, _, Double>(line);
        let largest = rough.iter().fold(0.0, |m: f64, x| m.max(x.value().0));
        let usual = NORMAL_SIZE_MIN < largest && largest < 1.0 / NORMAL_SIZE_MIN;
        let near = |x: &Double| x.error() <= largest * f64::EPSILON;
        let weights = if usual && rough.iter().all(near) {
            rough.map(|x| x.value().0.max(0.0))
        } else {
            let [a, b, c] = self.shares::<_, _, Dyadic>(line);
            crate::integer::to_float(&common([&a, &b, &c]))
        };
        weights.into_iter().take(self.dim).collect()
    }

    /// The weights on a stage; the first `dim` of them count, and the others are zero.
    fn shares<A: Points + ?Sized, B: Points + ?Sized, N: Number>(
        &self,
        line: &Line<'_, A, B>,
    ) -> [N; 3] {
        let view = self.view(line);
        let [a, b, c] = self.vertices;
        let value = |x: Vertex, y: Vertex| height::<N>(&view.across(x), &Operand::Vertex(y));
        let zero = || N::difference(0.0, 0.0);
        match self.dim {
            3 => [value(b, c), value(c, a), value(a, b)],
            2 => [value(b, b).negated(), value(a, a), zero()],
            _ => [N::difference(1.0, 0.0), zero(), zero()],
        }
    }
}

/// Walks to the facet where the line enters (`Less`) or leaves (`Greater`); `None` after too many steps.
pub(super) fn refine<A: Points + ?Sized, B: Points + ?Sized>(
    line: &Line<'_, A, B>,
    start: Portal,
    sense: Ordering,
) -> Option<Portal> {
    let mut portal = start;
    for _ in 0..STEPS_MAX {
        let along = line.normal(&portal);
        let vertex = line.support(&if sense.is_lt() { -along } else { along });
        if line.side(&portal, vertex) != sense {
            return Some(portal);
        }
        portal = swapped(line, &start, &portal, vertex);
    }
    None
}

/// The portal with a vertex in the place of one of its own, so that the moved line stays inside.
fn swapped<A: Points + ?Sized, B: Points + ?Sized>(
    line: &Line<'_, A, B>,
    start: &Portal,
    portal: &Portal,
    vertex: Vertex,
) -> Portal {
    let with = |place: usize, old: &Portal| {
        let mut next = *old;
        next.vertices[place] = vertex;
        next
    };
    let [a, b, c] = portal.vertices;
    match line.dim {
        3 => {
            let sides = [a, b, c].map(|old| line.moved_side(start, vertex, old));
            // The same shadow: one takes the place of the other.
            if let Some(same) = sides.iter().position(|side| side.is_eq()) {
                return with(same, portal);
            }
            let kept = (0..3).find(|&k| sides[k].is_gt() && sides[(k + 1) % 3].is_lt());
            with(kept.map_or(0, |k| (k + 2) % 3), portal)
        }
        2 => with(
            usize::from(line.moved_side(start, vertex, vertex).is_lt()),
            portal,
        ),
        _ => with(0, portal),
    }
}

impl<A: Points + ?Sized, B: Points + ?Sized> Line<'_, A, B> {
    /// The sign of `[v, a, b]` (in the plane of `[v, a]`) for the line moved towards the start's vertices: see the head of the file.
    fn moved_side(&self, start: &Portal, a: Vertex, b: Vertex) -> Ordering {
        let side = if self.dim == 3 {
            self.turn(a, b)
        } else {
            self.turn(a, a)
        };
        if side.is_ne() {
            return side;
        }
        let towards = start.vertices.iter().take(self.dim);
        let sides = towards.map(|&towards| match self.dim {
            3 => sign(&self.across(towards), &Operand::Between(b, a)),
            _ => self.turn(towards, towards).reverse(),
        });
        let mut decided = sides.filter(|side| side.is_ne());
        decided.next().unwrap_or(Ordering::Equal)
    }
}
