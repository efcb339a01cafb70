//! Portals: `dim` vertices whose shadow along the line holds it, and the walk from one to the facet that the line crosses.
//!
//! Idea: a vertex beyond the portal's plane takes the place of one of the portal's, so that the line stays in the shadow. The
//! crossing moves towards the facet each time, so the walk ends.
//! Ties: a line through an edge or a vertex of the hull is the rule for boxes. There the crossing need not move, and a walk could go in
//! circles. So the line is moved, in thought, by `ε` towards the first of the start's vertices, by `ε²` towards the second and by
//! `ε³` towards the third. Then it is strictly inside the start's shadow, and never on a border. Where `[v, a, b]` is zero, the sign is that of the
//! first of `[v, u, a − b]` that is not. The last facet holds the line that was not moved, because a facet is closed.

use super::ratio::Ratio;
use super::view::{Line, LineSpan};
use crate::integer::{Int, Int3};
use crate::number::{Double, Dyadic, Filter, Number, common};
use crate::problem::{FARTHEST_MAX, Points};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Steps that no walk needs: each takes the farthest vertex, and hulls of thousands take some ten.
const STEPS_MAX: u32 = 10_000;

/// Roundings of a normal's component, of the magnitudes of its products: two differences, a product and a difference make 4.
const NORMAL_ROUNDINGS: f64 = 8.0;

/// A normal of this size or less may have lost products to underflow, one of the inverse to overflow: its list is not used.
const NORMAL_SIZE_MIN: f64 = 1e-250;

/// Vertices that span a facet which the line crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The first `dim` count.
    pub(super) vertices: [u32; 3],
    dim: usize,
    axes: [usize; 3],
}

impl Portal {
    pub(super) fn new<P: ?Sized>(line: &Line<'_, P>, vertices: [u32; 3]) -> Self {
        Self {
            vertices,
            dim: line.dim,
            axes: line.axes,
        }
    }

    /// The vertices: three in space, two in the plane, and fewer where the hull is flat and the line is in it.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices[..self.dim]
    }

    /// The line in the coordinates in which this is a portal.
    pub(super) fn view<'p, P: ?Sized>(&self, line: &Line<'p, P>) -> Line<'p, P> {
        Line {
            axes: self.axes,
            dim: self.dim,
            ..*line
        }
    }

    /// The place `t` of the crossing.
    pub fn ratio<P: Points + ?Sized>(&self, line: &Line<'_, P>) -> Ratio {
        let view = self.view(line);
        let point = [view.origin, view.points.point(self.vertices[0])];
        let [above, below] = [point, view.along()].map(|last| view.plane_and(self, last));
        Ratio::new(&view, above, below)
    }

    /// The place of the crossing against zero.
    pub fn sign<P: Points + ?Sized>(&self, line: &Line<'_, P>) -> Ordering {
        let view = self.view(line);
        let [a, _, _] = self.vertices;
        let above = view.plane_and(self, [view.origin, view.points.point(a)]);
        let below = view.plane_and(self, view.along());
        match view.sign(below.each_ref()) {
            Ordering::Less => view.sign(above.each_ref()).reverse(),
            _ => view.sign(above.each_ref()),
        }
    }

    /// On which side of the portal's plane a vertex is: less before it, seen along the direction.
    pub fn side<P: Points + ?Sized>(&self, line: &Line<'_, P>, vertex: u32) -> Ordering {
        self.view(line).side(self, vertex)
    }

    /// The plane's normal along the direction, as integers times some positive factor.
    pub fn normal<P: Points + ?Sized>(&self, line: &Line<'_, P>) -> Int3 {
        let [x, y, z] = self.view(line).normal::<Dyadic>(self);
        common([&x, &y, &z])
    }

    /// The same as floats, each within a rounding or two of the largest.
    pub fn normal_in_floats<P: Points + ?Sized>(&self, line: &Line<'_, P>) -> [f64; 3] {
        let double = self.view(line).normal::<Double>(self);
        let largest = double
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.value().0.abs()));
        let error = double.iter().fold(0.0, |m: f64, x| m.max(x.error()));
        let usual = NORMAL_SIZE_MIN < largest && largest < 1.0 / NORMAL_SIZE_MIN;
        if usual && error <= largest * (f64::EPSILON / 64.0) {
            return double.map(|x| x.value().0 / largest);
        }
        crate::integer::to_float(&self.normal(line))
    }

    /// Weights of the vertices, none negative, that make the point of the crossing: numerators of one denominator, their sum.
    pub fn weights<P: Points + ?Sized>(&self, line: &Line<'_, P>) -> Vec<Int> {
        let view = self.view(line);
        let along = view.along();
        let [a, b, c] = self.vertices.map(|vertex| view.seen(vertex));
        let value = |x: &LineSpan, y: &LineSpan| view.determinant::<Dyadic>([&along, x, y]);
        let weights = match self.dim {
            3 => [value(&b, &c), value(&c, &a), value(&a, &b)],
            2 => [
                value(&b, &b).negated(),
                value(&a, &a),
                value(&along, &along),
            ],
            _ => return alloc::vec![Int::ONE],
        };
        let integers = common(weights.each_ref());
        integers.into_iter().take(self.dim).collect()
    }
}

/// Walks to the facet where the line enters (`Less`) or leaves (`Greater`); `None` after too many steps.
pub(super) fn refine<P: Points + ?Sized>(
    line: &Line<'_, P>,
    start: Portal,
    sense: Ordering,
) -> Option<Portal> {
    let mut portal = start;
    for _ in 0..STEPS_MAX {
        let Some(vertex) = beyond(line, &portal, sense) else {
            return Some(portal);
        };
        portal = swapped(line, &start, &portal, vertex);
    }
    None
}

/// A vertex beyond the portal's plane; `None` where the plane supports the hull.
fn beyond<P: Points + ?Sized>(line: &Line<'_, P>, portal: &Portal, sense: Ordering) -> Option<u32> {
    let is_beyond =
        |vertex: u32| !portal.vertices().contains(&vertex) && line.side(portal, vertex) == sense;
    let (direction, error) = line.rough_normal(portal, sense);
    let mut found = [0; FARTHEST_MAX];
    let size = direction.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if NORMAL_SIZE_MIN < size
        && size < 1.0 / NORMAL_SIZE_MIN
        && let Some(count) = line.points.farthest(direction, error, &mut found)
    {
        return found[..count].iter().copied().find(|&v| is_beyond(v));
    }
    let height = |vertex: u32| {
        let point = line.points.point(vertex);
        direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2]
    };
    let mut highest = (0, f64::NEG_INFINITY);
    for vertex in 0..line.points.count() {
        let height = height(vertex);
        if height > highest.1 {
            highest = (vertex, height);
        }
    }
    if is_beyond(highest.0) {
        return Some(highest.0);
    }
    (0..line.points.count()).find(|&vertex| is_beyond(vertex))
}

/// The portal with a vertex in the place of one of its own, so that the moved line stays inside.
fn swapped<P: Points + ?Sized>(
    line: &Line<'_, P>,
    start: &Portal,
    portal: &Portal,
    vertex: u32,
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

impl<P: Points + ?Sized> Line<'_, P> {
    /// The sign of `[v, a, b]` (in the plane of `[v, a]`) for the line moved towards the start's vertices: see the head of the file.
    fn moved_side(&self, start: &Portal, a: u32, b: u32) -> Ordering {
        let along = self.along();
        let (from_a, from_b) = (self.seen(a), self.seen(b));
        let side = self.sign([&along, &from_a, &from_b]);
        if side.is_ne() {
            return side;
        }
        let difference = self.edge(b, a);
        let sides = start.vertices().iter().map(|&towards| {
            let towards = self.seen(towards);
            let side = self.sign([&along, &towards, &difference]);
            if self.dim == 2 { side.reverse() } else { side }
        });
        let mut decided = sides.filter(|side| side.is_ne());
        decided.next().unwrap_or(Ordering::Equal)
    }

    /// The normal of a portal's plane that points along the direction.
    fn normal<N: Number>(&self, portal: &Portal) -> [N; 3] {
        let zero = || N::difference(0.0, 0.0);
        let mut normal = [zero(), zero(), zero()];
        let [x, y, z] = self.axes;
        let [a, b, c] = portal.vertices;
        let edge = |to: u32| {
            let [from, to] = self.edge(a, to);
            move |k: usize| N::difference(to[k], from[k])
        };
        let (e, f) = (edge(b), edge(c));
        match self.dim {
            3 => {
                let minor = |i, j| e(i).times(&f(j)).minus(&e(j).times(&f(i)));
                (normal[x], normal[y], normal[z]) = (minor(y, z), minor(z, x), minor(x, y));
            }
            2 => (normal[x], normal[y]) = (e(y).negated(), e(x)),
            _ => normal[x] = N::difference(self.direction[x].signum(), 0.0),
        }
        normal
    }

    /// The outer normal in floats, and how far each component may be off.
    fn rough_normal(&self, portal: &Portal, sense: Ordering) -> ([f64; 3], [f64; 3]) {
        let normal = self.normal::<Filter>(portal);
        let outward = if sense.is_lt() { -1.0 } else { 1.0 };
        let error = normal.map(|x| NORMAL_ROUNDINGS / 2.0 * f64::EPSILON * x.size());
        (normal.map(|x| outward * x.value()), error)
    }
}
