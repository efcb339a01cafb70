//! The one descent of two trees: pairs of boxes that are not proved too far apart, the nearest first.

use super::bound::{gaps, overlaps};
use super::triangles::{
    Wanted, box_gaps, distances, near_box, near_triangle, near_triangles, triangle_gaps,
};
use super::watched::tell;
use super::{LEAF, Obb, Relative, Tree, WIDTH};
use crate::ask::Ask;
use fearless_simd::{Level, Simd, dispatch, f32x8, i32x8, prelude::*};

/// A pair of boxes or triangles that may be near enough.
#[derive(Clone, Copy)]
struct Entry {
    bound: f32,
    slots: Slots,
}

/// `WIDTH` times the node or the leaf, and the lane, of each tree; one number, so that it is read as it was written.
#[derive(Clone, Copy)]
struct Slots(u64);

impl Slots {
    #[inline(always)]
    fn new([a, b]: [u32; 2]) -> Self {
        Self(u64::from(a) | u64::from(b) << 32)
    }

    #[inline(always)]
    fn each(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> 32) as u32]
    }

    /// One of them replaced.
    #[inline(always)]
    fn with(self, of: usize, slot: u32) -> Self {
        let [a, b] = self.each();
        Self::new(if of == 0 { [slot, b] } else { [a, slot] })
    }
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

    /// The largest side of a box.
    #[inline(always)]
    fn size(&self, slot: u32) -> f32 {
        self.nodes[(slot / WIDTH_U32) as usize].size[(slot % WIDTH_U32) as usize]
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

/// What of a node or a leaf may be near something.
struct NearLanes {
    /// By lane, a lower bound of the distance, or any where only common points matter and triangles take part.
    bounds: [f32; WIDTH],
    /// The lanes that are not proved beyond the limit, as bits.
    lanes: u32,
    count: u32,
}

impl NearLanes {
    #[inline(always)]
    fn by_bounds<S: Simd>(simd: S, bounds: [f32; WIDTH], beyond: f32, count: u32) -> Self {
        Self {
            bounds,
            lanes: not_beyond(simd, &bounds, beyond) & ((1 << count) - 1),
            count,
        }
    }

    /// Of lanes that are not measured.
    #[inline(always)]
    fn by_lanes(lanes: u32, count: u32) -> Self {
        Self {
            bounds: [0.0; WIDTH],
            lanes: lanes & ((1 << count) - 1),
            count,
        }
    }
}

/// What of a node or a leaf of one tree may be near what is in a slot of the other.
#[inline(always)]
fn near<S: Simd, const MEET: bool>(
    simd: S,
    trees: [&Tree; 2],
    relative: &Relative,
    (of, slot, opened): (usize, u32, u32),
    wanted: &Wanted,
) -> NearLanes {
    let (from, into) = (trees[1 - of], trees[of]);
    let at = (slot & !LEAF) / WIDTH_U32;
    let (at, lane) = (at as usize, (slot % WIDTH_U32) as usize);
    let number = (opened & !LEAF) as usize;
    let beyond = wanted.beyond;
    let by_bounds = |bounds, count| NearLanes::by_bounds(simd, bounds, beyond, count);
    match (is_triangle(slot), opened & LEAF != 0) {
        (false, false) => {
            let one = relative.moved(of, &from.nodes[at].obb(lane));
            let node = &into.nodes[number];
            if MEET {
                by_bounds(overlaps(simd, &one, node), node.count)
            } else {
                by_bounds(gaps(simd, &one, node), node.count)
            }
        }
        (false, true) => {
            let one = relative.moved(of, &from.nodes[at].obb(lane));
            let leaf = &into.leaves[number];
            if MEET {
                NearLanes::by_lanes(near_box(simd, &one, leaf, beyond), leaf.count())
            } else {
                by_bounds(box_gaps(simd, &one, leaf), leaf.count())
            }
        }
        (true, false) => {
            let one = relative.moved_triangle(of, &from.leaves[at].corners(lane));
            let node = &into.nodes[number];
            if MEET {
                NearLanes::by_lanes(near_triangle(simd, &one, node, beyond), node.count)
            } else {
                by_bounds(triangle_gaps(simd, &one, node), node.count)
            }
        }
        (true, true) => {
            let one = relative.moved_triangle(of, &from.leaves[at].corners(lane));
            let leaf = &into.leaves[number];
            if MEET {
                NearLanes::by_lanes(near_triangles(simd, &one, leaf, beyond), leaf.count())
            } else {
                by_bounds(distances(simd, &one, leaf, wanted), leaf.count())
            }
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
        slots: Slots::new([0, 0]),
    });
    let is_watched = ask.is_watched();
    if is_watched {
        tell(ask, trees, [0, 0], (0.0, relative.slack), false);
    }
    let mut limit = Limit::of(ask, relative);
    while let Some(entry) = stack.pop() {
        let (bound, slots) = (entry.bound, entry.slots.each());
        if bound > limit.beyond {
            continue;
        }
        let Some(of) = to_open(trees, slots) else {
            let [i, j] = [0, 1].map(|k| trees[k].triangle(slots[k]));
            if ask.pair(i, j).is_break() {
                let rest = stack.iter().fold(bound, |least, x| least.min(x.bound));
                return Some((f64::from(rest) - relative.slack).max(0.0));
            }
            limit = Limit::of(ask, relative);
            continue;
        };
        let opened = trees[of].child(slots[of]);
        let asked = (of, slots[1 - of], opened);
        let wanted = &limit.wanted[of];
        let near = self::near::<_, MEET>(simd, trees, relative, asked, wanted);
        let is_leaf = opened & LEAF != 0;
        let first = (opened & LEAF) | ((opened & !LEAF) * WIDTH_U32);
        let of_boxes = !is_leaf && !is_triangle(slots[1 - of]);
        if is_watched {
            let measured = if MEET && !of_boxes {
                self::near::<_, false>(simd, trees, relative, asked, wanted).bounds
            } else {
                near.bounds
            };
            for (lane, of_lane) in measured.into_iter().enumerate().take(near.count as usize) {
                let slots = entry.slots.with(of, first + lane as u32).each();
                let bound = (of_lane.max(bound), relative.slack);
                tell(ask, trees, slots, bound, near.lanes & (1 << lane) == 0);
            }
        }
        push::<_, MEET>(simd, &mut stack, &entry, (of, first), &near, of_boxes);
    }
    None
}

/// Puts the near lanes onto the stack, the nearest last; of those that are not measured the last lane.
#[inline(always)]
fn push<S: Simd, const MEET: bool>(
    simd: S,
    stack: &mut Vec<Entry>,
    entry: &Entry,
    (of, first): (usize, u32),
    near: &NearLanes,
    of_boxes: bool,
) {
    let is_measured = !MEET || of_boxes;
    let places = is_measured.then(|| places(simd, &near.bounds, near.lanes));
    let from = stack.len();
    stack.resize(from + near.lanes.count_ones() as usize, *entry);
    let (mut left, mut count) = (near.lanes, 0);
    while left != 0 {
        let lane = left.trailing_zeros();
        left &= left - 1;
        let of_lane = near.bounds[lane as usize % WIDTH];
        let place = places.map_or(count, |places| places[lane as usize % WIDTH]);
        stack[from + place as usize] = Entry {
            bound: if MEET {
                of_lane
            } else {
                of_lane.max(entry.bound)
            },
            slots: entry.slots.with(of, first + lane),
        };
        count += 1;
    }
}

/// The tree whose box is opened, the larger one's; `None` for two triangles.
#[inline(always)]
fn to_open(trees: [&Tree; 2], slots: [u32; 2]) -> Option<usize> {
    match slots.map(is_triangle) {
        [true, true] => None,
        [true, false] => Some(1),
        [false, true] => Some(0),
        [false, false] => {
            let [a, b] = [0, 1].map(|k| trees[k].size(slots[k]));
            Some(usize::from(b > a))
        }
    }
}

/// What is asked for just now.
struct Limit {
    /// Bounds above this prove that a pair is beyond the limit.
    beyond: f32,
    /// Of the bounds of triangles, in the frame of each tree.
    wanted: [Wanted; 2],
}

impl Limit {
    fn of(ask: &dyn Ask, relative: &Relative) -> Self {
        let limit = ask.limit();
        let beyond = ((limit + relative.slack) as f32).next_up();
        let enough = (limit - relative.slack) as f32;
        let along = relative.directions(ask.direction().unwrap_or([0.0; 3]));
        Self {
            beyond,
            wanted: along.map(|along| Wanted {
                along,
                beyond,
                enough,
            }),
        }
    }
}

/// The lanes that are not beyond, as bits.
#[inline(always)]
pub(super) fn not_beyond<S: Simd>(simd: S, bounds: &[f32; WIDTH], beyond: f32) -> u32 {
    let bounds = f32x8::from_slice(simd, bounds);
    !(bounds.simd_gt(f32x8::splat(simd, beyond)).to_bitmask() as u32)
}

/// How many of the near lanes are farther than each one, which are pushed before it; of equal ones the earlier. All lanes are compared with
/// all: a branch for each lane would be foreseen wrongly too often.
#[inline(always)]
fn places<S: Simd>(simd: S, bounds: &[f32; WIDTH], near: u32) -> [i32; WIDTH] {
    let mut keys = [i32::MIN; WIDTH];
    for (lane, (key, bound)) in keys.iter_mut().zip(bounds).enumerate() {
        // Integers in the order of the bounds, all different by their lanes.
        let bits = bound.to_bits() as i32;
        let ordered = bits ^ ((bits >> 31) & i32::MAX);
        let own = (ordered & !7) | (7 - lane as i32);
        *key = if near & (1 << lane) != 0 {
            own
        } else {
            i32::MIN
        };
    }
    let own = i32x8::from_slice(simd, &keys);
    let (zero, one) = (i32x8::splat(simd, 0), i32x8::splat(simd, 1));
    let mut places = zero;
    for key in keys {
        let is_farther = i32x8::splat(simd, key).simd_gt(own);
        places += is_farther.select(one, zero);
    }
    let mut out = [0; WIDTH];
    places.store_slice(&mut out);
    out
}
