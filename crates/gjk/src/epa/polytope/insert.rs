//! A new vertex of the polytope: the facets that see it go, and it is joined with their border.
//!
//! Where it sits: the loop in [`super::super`] asks. Read [`Polytope::insert`], then `Polytope::walk`.

use super::super::plane::{self, Scale};
use super::{Apex, Entry, Facet, NONE, Polytope, after, ridge, side, sides};
use crate::gjk::Stop;
use crate::math::Vector;
use crate::support::SupportPair;
use core::cmp::Ordering::{Greater, Less};

impl<V: Vector> Polytope<V> {
    /// Adds a vertex strictly outside the facet `from`.
    ///
    /// # Errors
    /// [`Stop::NoProgress`] when it is not, [`Stop::StorageFull`] when there is no room; nothing changes then.
    pub fn insert(&mut self, from: u16, pair: SupportPair<V>) -> Result<(), Stop> {
        if self.is_full() {
            return Err(Stop::StorageFull);
        }
        let apex = self.apex(&pair);
        if self.seen(from, &apex) != Greater {
            return Err(Stop::NoProgress);
        }
        self.raise(from, &apex);
        Ok(())
    }

    /// Adds a vertex that is known to be strictly outside the facet `from`, where there is room.
    #[inline(never)]
    pub(in crate::epa) fn raise(&mut self, from: u16, apex: &Apex<'_, V>) {
        let [seen, count] = self.walk(from, apex);
        self.push(apex.w, apex.size, *apex.pair);
        self.reserve(count.saturating_sub(seen));
        self.close([seen, count]);
    }

    /// Lists the facets that see the apex, connected to `from`, and their border in order; how many there are of each.
    ///
    /// From each facet it goes on by the ridges counter-clockwise after the one it came by: a tree of the facets, around which
    /// the border runs as it is met.
    #[inline(always)]
    fn walk(&mut self, from: u16, apex: &Apex<'_, V>) -> [usize; 2] {
        let hidden = 2 * self.pairs.len() as u16;
        let Self { pairs, facets, lists, .. } = self;
        let (pairs, facets, lists) = (&pairs[..], &mut facets[..], &mut lists[..]);
        let start = &mut facets[from as usize];
        start.mark = hidden + 1;
        lists[0].slot = from;
        for (entry, &ridge) in lists.iter_mut().zip(start.neighbours[..V::DIM].iter().rev()) {
            entry.open = ridge;
        }
        let (mut seen, mut border, mut open) = (1, 0, V::DIM);
        while open > 0 {
            open -= 1;
            let ridge = lists[open].open;
            let (near, back) = sides(ridge);
            let facet = &mut facets[near];
            if facet.mark == hidden + 1 {
                continue;
            }
            if facet.mark == hidden || side(&facet.plane, facet.vertices, pairs, apex) == Less {
                facet.mark = hidden;
                lists[border].border = ridge;
                border += 1;
                continue;
            }
            facet.mark = hidden + 1;
            lists[seen].slot = near as u16;
            seen += 1;
            let next = after::<V>(back);
            if V::DIM == 3 {
                lists[open].open = facet.neighbours[after::<V>(next)];
                open += 1;
            }
            lists[open].open = facet.neighbours[next];
            open += 1;
        }
        [seen, border]
    }

    /// Joins the newest vertex with the border, in the slots of the facets that see it.
    #[inline(always)]
    fn close(&mut self, [seen, count]: [usize; 2]) {
        let Self { pairs, points, size, facets, lower, spare, used, lists, .. } = self;
        let (facets, lower) = (&mut facets[..], &mut lower[..]);
        let (pairs, points, lists) = (&pairs[..], &points[..], &mut lists[..]);
        for entry in lists.iter_mut().take(count).skip(seen) {
            entry.slot = spare.pop().unwrap_or_else(|| {
                *used += 1;
                (*used - 1) as u16
            });
        }
        for &Entry { slot: unused, .. } in &lists[count..seen.max(count)] {
            facets[unused as usize].alive = false;
            lower[unused as usize] = f64::INFINITY;
            spare.push(unused);
        }
        let lists = &lists[..count];
        let scale = Scale::of(*size);
        let apex = points.len() as u16 - 1;
        let p = points[apex as usize];
        let (Some(last), Some(first)) = (lists.last(), lists.first()) else {
            return; // a disc has a border
        };
        let (mut previous, mut edge, mut reach) = (last.slot, p, f64::NAN);
        for (i, &Entry { slot: new, border: ridge, .. }) in lists.iter().enumerate() {
            let next = lists.get(i + 1).unwrap_or(first).slot;
            let (hidden, back) = sides(ridge);
            let facet = &mut facets[hidden];
            // Where the hidden facet's ridge ends, the new one's begins.
            let c = facet.vertices[after::<V>(back)];
            let b = if V::DIM == 3 { facet.vertices[after::<V>(after::<V>(back))] } else { c };
            let made = &mut facets[new as usize];
            let at = made.join::<V>([b, c], apex, ridge, [previous, next], i);
            let told = if V::DIM == 2 {
                made.plane.through(made.vertices.map(|v| points[v as usize]), scale)
            } else {
                // Each ridge begins where the last one ended.
                if i == 0 {
                    edge = points[b as usize] - p;
                    reach = plane::largest(edge);
                }
                let other = points[c as usize] - p;
                let far = plane::largest(other);
                let told = made.plane.rough(p, [edge, other], plane::larger(reach, far), scale);
                (edge, reach) = (other, far);
                told
            };
            made.set(told, pairs, scale);
            lower[new as usize] = made.plane.lower;
            facets[hidden].neighbours[back] = self::ridge(new, at);
            previous = new;
        }
    }
}

impl<W: Vector<Scalar = f64>> Facet<W> {
    /// Becomes the facet of the apex and a ridge of the border, the `i`-th, between its new neighbours; where it has the apex.
    #[inline(always)]
    fn join<V: Vector>(
        &mut self,
        [b, c]: [u16; 2],
        apex: u16,
        hidden: u16,
        [previous, next]: [u16; 2],
        i: usize,
    ) -> usize {
        (self.mark, self.next) = (0, NONE);
        if V::DIM == 3 {
            // The ridge from the apex to `c` is the next facet's from the apex to its `b`.
            (self.vertices, self.neighbours) = ([apex, b, c], [hidden, ridge(next, 2), ridge(previous, 1)]);
            0
        } else if i == 0 {
            (self.vertices, self.neighbours) = ([apex, b, 0], [hidden, ridge(next, 0), NONE]);
            0
        } else {
            (self.vertices, self.neighbours) = ([b, apex, 0], [ridge(previous, 1), hidden, NONE]);
            1
        }
    }
}
