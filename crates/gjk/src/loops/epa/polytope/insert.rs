//! A new vertex of the polytope: the facets that see it go, and it is joined with their border.
//!
//! Where it sits: the loop in [`super::super`] asks. Read [`Polytope::insert`], then `walk`.

use super::super::plane::{Plane, Scale};
use super::{Apex, Entry, Facet, NONE, Polytope, after, ridge, side, sides};
use crate::loops::gjk::Stop;
use crate::math::Vector64;
use crate::support::SupportPair;
use core::cmp::Ordering::{Greater, Less};
use fearless_simd::{Level, Simd, dispatch};

impl<V: Vector64> Polytope<V> {
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
    pub(in crate::loops::epa) fn raise(&mut self, from: u16, apex: &Apex<'_, V>) {
        // Facets joined by ridges have a border of at most two ridges more than there are of them.
        self.reserve(2);
        let Self {
            pairs,
            points,
            size,
            facets,
            lower,
            spare,
            used,
            lists,
            ..
        } = self;
        let (facets, lower, lists) = (&mut facets[..], &mut lower[..], &mut lists[..]);
        let [seen, count] = walk(&pairs[..], facets, lists, from, apex);
        for entry in &mut lists[seen.min(count)..count] {
            entry.slot = spare.pop().unwrap_or(*used as u16);
            *used += usize::from(usize::from(entry.slot) == *used);
        }
        for &Entry { slot: unused, .. } in &lists[count..seen.max(count)] {
            facets[unused as usize].alive = false;
            lower[unused as usize] = f64::INFINITY;
            spare.push(unused);
        }
        pairs.push(*apex.pair);
        points.push(apex.w);
        *size = apex.size;
        let (pairs, points, lists) = (&pairs[..], &points[..], &lists[..count]);
        dispatch!(Level::baseline(), simd => close(simd, pairs, points, Scale::of(apex.size), facets, lower, lists));
    }
}

/// Lists the facets that see the apex, connected to `from`, and their border in order; how many there are of each.
///
/// From each facet it goes on by the ridges counter-clockwise after the one it came by: a tree of the facets, around which
/// the border runs as it is met.
#[inline(always)]
fn walk<V: Vector64>(
    pairs: &[SupportPair<V>],
    facets: &mut [Facet<V>],
    lists: &mut [Entry],
    from: u16,
    apex: &Apex<'_, V>,
) -> [usize; 2] {
    let hidden = 2 * pairs.len() as u16;
    let start = &mut facets[from as usize];
    start.mark = hidden + 1;
    lists[0].slot = from;
    for (entry, &ridge) in lists
        .iter_mut()
        .zip(start.neighbours[..V::DIM].iter().rev())
    {
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

/// Joins the newest vertex with the border, in the slots of the facets that see it: two facets at a time.
#[inline(always)]
fn close<S: Simd, V: Vector64>(
    simd: S,
    pairs: &[SupportPair<V>],
    points: &[V],
    scale: Scale,
    facets: &mut [Facet<V>],
    lower: &mut [f64],
    lists: &[Entry],
) {
    let apex = points.len() as u16 - 1;
    let (Some(&p), Some(first), Some(last)) = (points.last(), lists.first(), lists.last()) else {
        return; // a disc has a border
    };
    // Each ridge begins where the last one ended.
    let mut begin = end::<V>(facets, last.border);
    let (mut previous, mut at) = (last.slot, 0);
    while let Some(&Entry {
        slot: new, border, ..
    }) = lists.get(at)
    {
        let second = lists.get(at + 1);
        let next = second.unwrap_or(first).slot;
        let middle = join::<V>(facets, new, apex, [begin, border], [previous, next], at);
        previous = new;
        let mut ends = middle;
        if let Some(&Entry {
            slot: new, border, ..
        }) = second
        {
            let next = lists.get(at + 2).unwrap_or(first).slot;
            ends = join::<V>(
                facets,
                new,
                apex,
                [middle, border],
                [previous, next],
                at + 1,
            );
            previous = new;
        }
        let (b, c, d) = (
            points[begin as usize],
            points[middle as usize],
            points[ends as usize],
        );
        let planes = if V::DIM == 2 {
            [Plane::NOWHERE; 2]
        } else {
            Plane::two(simd, [[p, b, c], [p, c, d]], scale)
        };
        let mut set = |slot: u16, plane| {
            let facet = &mut facets[slot as usize];
            facet.plane = plane;
            facet.set(points, pairs, scale);
            lower[slot as usize] = facet.plane.lower;
        };
        set(new, planes[0]);
        if let Some(&Entry { slot, .. }) = second {
            set(slot, planes[1]);
        }
        (begin, at) = (ends, at + 2);
    }
}

/// The vertex where a ridge of the border ends, counter-clockwise around the facets that go.
#[inline(always)]
fn end<V: Vector64>(facets: &[Facet<V>], border: u16) -> u16 {
    let (hidden, back) = sides(border);
    facets[hidden].vertices[after::<V>(back)]
}

/// Makes the facet of the apex and a ridge of the border, the `i`-th, between its new neighbours; where the ridge ends.
#[inline(always)]
fn join<V: Vector64>(
    facets: &mut [Facet<V>],
    new: u16,
    apex: u16,
    [b, border]: [u16; 2],
    [previous, next]: [u16; 2],
    i: usize,
) -> u16 {
    let (hidden, back) = sides(border);
    let facet = &mut facets[hidden];
    // Where the hidden facet's ridge ends, the new one's begins.
    let c = facet.vertices[after::<V>(back)];
    let (vertices, neighbours, at) = if V::DIM == 3 {
        // The ridge from the apex to `c` is the next facet's from the apex to its `b`.
        (
            [apex, b, c],
            [border, ridge(next, 2), ridge(previous, 1)],
            0,
        )
    } else if i == 0 {
        ([apex, c, 0], [border, ridge(next, 0), NONE], 0)
    } else {
        ([c, apex, 0], [ridge(previous, 1), border, NONE], 1)
    };
    facet.neighbours[back] = ridge(new, at);
    let made = &mut facets[new as usize];
    (made.vertices, made.neighbours, made.mark, made.next) = (vertices, neighbours, 0, NONE);
    c
}
