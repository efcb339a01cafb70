//! A new vertex of the polytope: the facets that see it go, and it is joined with their border, the horizon.
//!
//! Where it sits: the loop in [`crate::loops::epa`] calls it. Read [`ExpandingPolytope::insert`], then [`find_horizon`], then
//! [`close_horizon`].

use super::facet::{Apex, Facet, NO_SLOT, Ridge, Visibility, after, side};
use super::plane::{FacetPlane, Scale};
use super::{ExpandingPolytope, InsertionLists};
use crate::loops::gjk::Stop;
use crate::math::Vector64;
use crate::support::SupportPair;
use core::cmp::Ordering::{Greater, Less};
use fearless_simd::{Level, Simd, dispatch};

impl<V: Vector64> ExpandingPolytope<V> {
    /// Adds a vertex strictly outside the facet `from`.
    ///
    /// # Errors
    /// [`Stop::NoProgress`] when it is not, [`Stop::StorageFull`] when there is no room; nothing changes then.
    pub(crate) fn insert(&mut self, from: u16, pair: SupportPair<V>) -> Result<(), Stop> {
        if self.is_full() {
            return Err(Stop::StorageFull);
        }
        let apex = self.apex(&pair);
        if self.side_of_apex(from, &apex) != Greater {
            return Err(Stop::NoProgress);
        }
        self.insert_above(from, &apex);
        Ok(())
    }

    /// Adds a vertex if some facet sees it from strictly outside.
    pub(crate) fn insert_anywhere(&mut self, pair: SupportPair<V>) {
        let visible = self
            .alive()
            .find(|&facet| self.side(facet, &pair) == Greater);
        if let Some(facet) = visible
            && !self.is_full()
        {
            // The caller offers at most six vertices, far below the storage.
            let _ = self.insert(facet, pair);
        }
    }

    /// Adds a vertex if floats prove it above some facet.
    pub(crate) fn insert_if_clear(&mut self, pair: SupportPair<V>) {
        let apex = self.apex(&pair);
        let clear = self
            .alive()
            .find(|&facet| self.plane(facet).side(apex.w, apex.bound) == Some(Greater));
        if let Some(facet) = clear
            && !self.is_full()
        {
            self.insert_above(facet, &apex);
        }
    }

    /// Adds a vertex that is known to be strictly outside the facet `from`, where there is room.
    #[inline(never)]
    pub(in crate::loops::epa) fn insert_above(&mut self, from: u16, apex: &Apex<'_, V>) {
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
        let Horizon {
            visible_count,
            ridge_count,
        } = find_horizon(&pairs[..], facets, lists, from, apex);
        for entry in &mut lists[visible_count.min(ridge_count)..ridge_count] {
            entry.slot = spare.pop().unwrap_or(*used as u16);
            *used += usize::from(usize::from(entry.slot) == *used);
        }
        for &InsertionLists { slot: unused, .. } in
            &lists[ridge_count..visible_count.max(ridge_count)]
        {
            facets[unused as usize].alive = false;
            lower[unused as usize] = f64::INFINITY;
            spare.push(unused);
        }
        pairs.push(*apex.pair);
        points.push(apex.w);
        *size = apex.size;
        let (pairs, points, lists) = (&pairs[..], &points[..], &lists[..ridge_count]);
        dispatch!(Level::baseline(), simd => close_horizon(simd, pairs, points, Scale::of(apex.size), facets, lower, lists));
    }
}

/// What [`find_horizon`] wrote to the lists.
struct Horizon {
    /// Facets that see the apex: entries of the list of slots.
    visible_count: usize,
    /// Ridges between them and the others: entries of the list of the horizon.
    ridge_count: usize,
}

/// Lists the facets that see the apex, connected to `from`, and their border in order.
///
/// From each facet it goes on by the ridges counter-clockwise after the one it came by: a tree of the facets, around which
/// the border runs as it is met.
#[inline(always)]
fn find_horizon<V: Vector64>(
    pairs: &[SupportPair<V>],
    facets: &mut [Facet<V>],
    lists: &mut [InsertionLists],
    from: u16,
    apex: &Apex<'_, V>,
) -> Horizon {
    let hidden = Visibility::hidden(pairs.len());
    let visible = Visibility::visible(pairs.len());
    let start = &mut facets[from as usize];
    start.visibility = visible;
    lists[0].slot = from;
    for (entry, &ridge) in lists
        .iter_mut()
        .zip(start.neighbours[..V::DIM].iter().rev())
    {
        entry.to_cross = ridge;
    }
    let (mut visible_count, mut ridge_count, mut to_cross_count) = (1, 0, V::DIM);
    while to_cross_count > 0 {
        to_cross_count -= 1;
        let ridge = lists[to_cross_count].to_cross;
        let (slot, came_by) = (ridge.slot(), ridge.place());
        let facet = &mut facets[slot];
        if facet.visibility == visible {
            continue;
        }
        if facet.visibility == hidden || side(&facet.plane, facet.vertices, pairs, apex) == Less {
            facet.visibility = hidden;
            lists[ridge_count].horizon = ridge;
            ridge_count += 1;
            continue;
        }
        facet.visibility = visible;
        lists[visible_count].slot = slot as u16;
        visible_count += 1;
        let next = after::<V>(came_by);
        if V::DIM == 3 {
            lists[to_cross_count].to_cross = facet.neighbours[after::<V>(next)];
            to_cross_count += 1;
        }
        lists[to_cross_count].to_cross = facet.neighbours[next];
        to_cross_count += 1;
    }
    Horizon {
        visible_count,
        ridge_count,
    }
}

/// Joins the newest vertex with each ridge of the horizon, in the slots of the facets that see it: two facets at a time.
#[inline(always)]
fn close_horizon<S: Simd, V: Vector64>(
    simd: S,
    pairs: &[SupportPair<V>],
    points: &[V],
    scale: Scale,
    facets: &mut [Facet<V>],
    lower: &mut [f64],
    lists: &[InsertionLists],
) {
    let apex = points.len() as u16 - 1;
    let (Some(&p), Some(first), Some(last)) = (points.last(), lists.first(), lists.last()) else {
        return; // a disc has a border
    };
    // Each ridge begins where the last one ended.
    let mut begin = ridge_end::<V>(facets, last.horizon);
    let (mut previous, mut at) = (last.slot, 0);
    while let Some(&InsertionLists {
        slot: new, horizon, ..
    }) = lists.get(at)
    {
        let second = lists.get(at + 1);
        let next = second.unwrap_or(first).slot;
        let middle = join::<V>(facets, new, apex, begin, horizon, [previous, next], at);
        previous = new;
        let mut end = middle;
        if let Some(&InsertionLists {
            slot: new, horizon, ..
        }) = second
        {
            let next = lists.get(at + 2).unwrap_or(first).slot;
            end = join::<V>(facets, new, apex, middle, horizon, [previous, next], at + 1);
            previous = new;
        }
        let corner = |vertex: u16| points[vertex as usize];
        let (b, c, d) = (corner(begin), corner(middle), corner(end));
        let planes = if V::DIM == 2 {
            [FacetPlane::NOWHERE; 2]
        } else {
            FacetPlane::two(simd, [[p, b, c], [p, c, d]], scale)
        };
        let mut set = |slot: u16, plane| {
            let facet = &mut facets[slot as usize];
            facet.plane = plane;
            facet.set(points, pairs, scale);
            lower[slot as usize] = facet.plane.lower;
        };
        set(new, planes[0]);
        if let Some(second) = second {
            set(second.slot, planes[1]);
        }
        (begin, at) = (end, at + 2);
    }
}

/// The vertex where a ridge of the horizon ends, counter-clockwise around the facets that go.
#[inline(always)]
fn ridge_end<V: Vector64>(facets: &[Facet<V>], horizon: Ridge) -> u16 {
    facets[horizon.slot()].vertices[after::<V>(horizon.place())]
}

/// Makes the facet of the apex and a ridge of the horizon, the `index`-th, in the slot `new`, between its neighbours in the slots
/// `previous` and `next`. The ridge begins at the vertex `begin`; returns the one where it ends.
#[inline(always)]
fn join<V: Vector64>(
    facets: &mut [Facet<V>],
    new: u16,
    apex: u16,
    begin: u16,
    horizon: Ridge,
    [previous, next]: [u16; 2],
    index: usize,
) -> u16 {
    let place = horizon.place();
    let hidden = &mut facets[horizon.slot()];
    // Where the hidden facet's ridge ends, the new one's begins.
    let end = hidden.vertices[after::<V>(place)];
    let (vertices, neighbours, apex_place) = if V::DIM == 3 {
        // The ridge from the apex to `end` is the next facet's from the apex to its `begin`.
        (
            [apex, begin, end],
            [horizon, Ridge::new(next, 2), Ridge::new(previous, 1)],
            0,
        )
    } else if index == 0 {
        (
            [apex, end, 0],
            [horizon, Ridge::new(next, 0), Ridge::NONE],
            0,
        )
    } else {
        (
            [end, apex, 0],
            [Ridge::new(previous, 1), horizon, Ridge::NONE],
            1,
        )
    };
    hidden.neighbours[place] = Ridge::new(new, apex_place);
    let made = &mut facets[new as usize];
    made.vertices = vertices;
    made.neighbours = neighbours;
    made.visibility = Visibility::UNTESTED;
    made.next_in_plane = NO_SLOT;
    end
}
