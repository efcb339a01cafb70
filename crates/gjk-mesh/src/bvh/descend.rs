//! The one descent of two trees: pairs of boxes that are not proved too far apart, the nearest first.

use super::bound::{gaps, overlaps};
use super::triangles::{box_gaps, distances, triangle_gaps};
use super::watched::tell;
use super::{LEAF, Obb, Relative, Tree, WIDTH};
use crate::ask::Ask;
use fearless_simd::{Level, Simd, dispatch};

/// A pair of boxes or triangles: `WIDTH` times the node or the leaf, and the lane, of each tree.
#[derive(Clone, Copy)]
struct Entry {
    bound: f32,
    slots: [u32; 2],
    /// How large the boxes are, to open the larger one; 0 of triangles.
    sizes: [f32; 2],
}

pub(super) const WIDTH_U32: u32 = WIDTH as u32;

impl Tree {
    /// Visits the pairs of triangles of this tree and another that bounds do not leave out. Where the visitor breaks: a lower bound of
    /// the distance of all pairs that were not visited.
    ///
    /// # Complexity  the stack holds at most 8 pairs for each level of either tree.
    pub(crate) fn descend(
        &self,
        other: &Self,
        relative: &Relative,
        ask: &mut dyn Ask,
    ) -> Option<f64> {
        // Nobody asks how far apart boxes are where only common points matter.
        if ask.limit() == 0.0 {
            return dispatch!(Level::new(), simd => descend::<_, true>(simd, [self, other], relative, ask));
        }
        dispatch!(Level::new(), simd => descend::<_, false>(simd, [self, other], relative, ask))
    }

    /// What is in a box: a node or a leaf.
    pub(super) fn child(&self, slot: u32) -> u32 {
        self.nodes[(slot / WIDTH_U32) as usize].child[(slot % WIDTH_U32) as usize]
    }

    /// A box.
    #[inline(always)]
    pub(super) fn obb(&self, slot: u32) -> Obb {
        self.nodes[(slot / WIDTH_U32) as usize].obb((slot % WIDTH_U32) as usize)
    }

    /// The number of a triangle.
    pub(super) fn triangle(&self, slot: u32) -> u32 {
        let slot = slot & !LEAF;
        self.leaves[(slot / WIDTH_U32) as usize].triangles[(slot % WIDTH_U32) as usize]
    }
}

/// Bounds of the distances of what is in a slot of one tree and all that is in a node or a leaf of the other, and how many these are.
#[inline(always)]
fn bounds<S: Simd, const MEET: bool>(
    simd: S,
    trees: [&Tree; 2],
    relative: &Relative,
    of: usize,
    slot: u32,
    opened: u32,
    beyond: f32,
) -> ([f32; WIDTH], [f32; WIDTH], u32) {
    let (from, into) = (trees[1 - of], trees[of]);
    let at = (slot & !LEAF) / WIDTH_U32;
    let (at, lane) = (at as usize, (slot % WIDTH_U32) as usize);
    let number = (opened & !LEAF) as usize;
    match (is_triangle(slot), opened & LEAF != 0) {
        (false, false) => {
            let one = relative.moved(of, &from.nodes[at].obb(lane));
            let node = &into.nodes[number];
            let bounds = if MEET {
                overlaps(simd, &one, node)
            } else {
                gaps(simd, &one, node)
            };
            (bounds, node.size, node.count)
        }
        (false, true) => {
            let one = relative.moved(of, &from.nodes[at].obb(lane));
            let leaf = &into.leaves[number];
            (box_gaps(simd, &one, leaf), [0.0; WIDTH], leaf.count())
        }
        (true, false) => {
            let one = relative.moved_triangle(of, &from.leaves[at].corners(lane));
            let node = &into.nodes[number];
            (triangle_gaps(simd, &one, node), node.size, node.count)
        }
        (true, true) => {
            let one = relative.moved_triangle(of, &from.leaves[at].corners(lane));
            let leaf = &into.leaves[number];
            (
                distances(simd, &one, leaf, beyond),
                [0.0; WIDTH],
                leaf.count(),
            )
        }
    }
}

pub(super) fn is_triangle(slot: u32) -> bool {
    slot & LEAF != 0
}

/// `MEET`: bounds of boxes may be below 0, those that overlap most come first, and no bound tells anything to whom a break comes.
#[inline(always)]
fn descend<S: Simd, const MEET: bool>(
    simd: S,
    trees: [&Tree; 2],
    relative: &Relative,
    ask: &mut dyn Ask,
) -> Option<f64> {
    let mut stack = Vec::with_capacity(64);
    stack.push(Entry {
        bound: 0.0,
        slots: [0, 0],
        sizes: [trees[0].nodes[0].size[0], trees[1].nodes[0].size[0]],
    });
    let is_watched = ask.is_watched();
    if is_watched {
        tell(ask, trees, [0, 0], (0.0, relative.slack), false);
    }
    let mut beyond = threshold(ask, relative);
    while let Some(entry) = stack.pop() {
        let (bound, slots, sizes) = (entry.bound, entry.slots, entry.sizes);
        if bound > beyond {
            continue;
        }
        let Some(of) = to_open(slots, sizes) else {
            let [i, j] = [0, 1].map(|k| trees[k].triangle(slots[k]));
            if ask.pair(i, j).is_break() {
                let rest = stack.iter().fold(bound, |least, x| least.min(x.bound));
                return Some((f64::from(rest) - relative.slack).max(0.0));
            }
            beyond = threshold(ask, relative);
            continue;
        };
        let opened = trees[of].child(slots[of]);
        let (bounds, of_boxes, count) =
            bounds::<_, MEET>(simd, trees, relative, of, slots[1 - of], opened, beyond);
        let first = (opened & LEAF) | ((opened & !LEAF) * WIDTH_U32);
        let from = stack.len();
        let lanes = bounds.into_iter().zip(of_boxes).zip(first..);
        for ((of_lane, size), slot) in lanes.take(count as usize) {
            let (mut slots, mut sizes) = (slots, sizes);
            (slots[of], sizes[of]) = (slot, size);
            if is_watched {
                let bound = (of_lane.max(bound), relative.slack);
                tell(ask, trees, slots, bound, of_lane > beyond);
            }
            if of_lane > beyond {
                continue;
            }
            stack.push(Entry {
                bound: if MEET { of_lane } else { of_lane.max(bound) },
                slots,
                sizes,
            });
        }
        nearest_last(&mut stack[from..]);
    }
    None
}

/// The tree whose box is opened, the larger one's; `None` for two triangles.
#[inline(always)]
fn to_open(slots: [u32; 2], sizes: [f32; 2]) -> Option<usize> {
    match slots.map(is_triangle) {
        [true, true] => None,
        [true, false] => Some(1),
        [false, true] => Some(0),
        [false, false] => Some(usize::from(sizes[1] > sizes[0])),
    }
}

/// Bounds above this prove that a pair is beyond the limit.
fn threshold(ask: &dyn Ask, relative: &Relative) -> f32 {
    ((ask.limit() + relative.slack) as f32).next_up()
}

/// The nearest one is popped first.
fn nearest_last(entries: &mut [Entry]) {
    for end in 1..entries.len() {
        let mut at = end;
        while at > 0 && entries[at - 1].bound < entries[at].bound {
            entries.swap(at - 1, at);
            at -= 1;
        }
    }
}
