//! The corners of what two faces of boxes have in common, by what they are corners of: the numbers of four crossings at a time.
//!
//! Where it sits: `boxes.rs` asks it for the bits that tell which corners there are, and then for their numbers. A [`BoxPlan`](super::box_plan) keeps the former.

use super::answer::ContactFeature;
use super::box_face::{BoxFace, SideSigns, dots, minus_point};
use super::few::{CornerLanes, FEW};
use super::polygon::{CROSSING_SINE, crossing};
use super::view::View;
use crate::math::triple::Triple;
use fearless_simd::{Simd, f64x4, f64x8, mask64x8, prelude::*};

/// The bits of two faces against each other: which corners are within the other, and which sides cross, four bits a side of the first.
pub(super) struct ClearBits {
    pub(super) within: [u32; 2],
    pub(super) crossed: u32,
}

impl ClearBits {
    /// `None` where a corner or a crossing is not clear.
    #[inline(always)]
    pub(super) fn new([first, second]: &[SideSigns; 2]) -> Option<Self> {
        let (of_first, of_second) = (SideBits::new(first), SideBits::new(second));
        let crossed = of_first.parted & transposed(of_second.parted);
        let maybe = of_first.maybe & transposed(of_second.maybe);
        let within = [of_second.clear, of_first.clear];
        let is_clear = within == [of_second.held, of_first.held] && crossed == maybe;
        is_clear.then_some(Self { within, crossed })
    }
}

/// What the signs of a face's sides tell of another face: a bit a corner, and four a side for the sides.
struct SideBits {
    /// Corners clearly within all sides.
    clear: u32,
    /// Corners clearly beyond none.
    held: u32,
    /// Sides whose ends are clearly on either side of a side.
    parted: u32,
    /// Sides whose ends may be.
    maybe: u32,
}

impl SideBits {
    #[inline(always)]
    fn new(&SideSigns { inner, outer }: &SideSigns) -> Self {
        let all = |x: u32| x & x >> 4 & x >> 8 & x >> 12 & 0xf;
        let next = |x: u32| x >> 1 & 0x7777 | x << 3 & 0x8888;
        let (inner_next, outer_next) = (next(inner), next(outer));
        Self {
            clear: all(inner),
            held: all(!outer),
            parted: inner & outer_next | outer & inner_next,
            maybe: !(inner & inner_next | outer & outer_next) & 0xffff,
        }
    }
}

/// Four rows of four bits as columns.
#[inline(always)]
fn transposed(rows: u32) -> u32 {
    let swap = (rows ^ (rows >> 3)) & 0x0a0a;
    let rows = rows ^ swap ^ (swap << 3);
    let swap = (rows ^ (rows >> 6)) & 0x00cc;
    rows ^ swap ^ (swap << 6)
}

/// Which corners two faces have in common, in groups: those of the first, those of the second, and crossings of sides. Each is two numbers below four,
/// a corner or the sides of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoxRecipes {
    codes: [u8; FEW],
    /// Where in a [`BoxMeeting`] the numbers of each are.
    slots: [u8; FEW],
    /// Where each group ends.
    ends: [u8; 3],
}

impl BoxRecipes {
    /// `None` where there are more than eight, which two quadrangles have not.
    #[inline(always)]
    pub(super) fn new(bits: &ClearBits) -> Option<Self> {
        let mut recipes = Self::default();
        let mut count = 0;
        for (group, mut left) in [bits.within[0], bits.within[1], bits.crossed]
            .into_iter()
            .enumerate()
        {
            let start = count;
            while left != 0 {
                let code = (left.trailing_zeros() & 15) as u8;
                *recipes.codes.get_mut(count)? = code;
                let crossing = 8 + (count - start) as u8;
                recipes.slots[count] = [code, 4 + code, crossing][group] & (SLOTS as u8 - 1);
                left &= left - 1;
                count += 1;
            }
            recipes.ends[group] = count as u8;
        }
        Some(recipes)
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        usize::from(self.ends[2])
    }

    #[inline(always)]
    fn code(&self, n: usize) -> usize {
        usize::from(self.codes[n & (FEW - 1)])
    }

    /// What of either body meets in a corner.
    #[inline(always)]
    pub(super) fn features(&self, n: usize, [a, b]: &[[u32; 4]; 2]) -> [ContactFeature; 2] {
        let code = self.code(n);
        if n < usize::from(self.ends[0]) {
            [ContactFeature::Vertex(a[code & 3]), ContactFeature::Face]
        } else if n < usize::from(self.ends[1]) {
            [ContactFeature::Face, ContactFeature::Vertex(b[code & 3])]
        } else {
            [side(a, code >> 2), side(b, code)]
        }
    }
}

/// What the side of a face after a corner is called.
#[inline(always)]
fn side(ids: &[u32; 4], k: usize) -> ContactFeature {
    let (from, to) = (ids[k & 3], ids[(k + 1) & 3]);
    ContactFeature::Edge([from.min(to), from.max(to)])
}

/// What two faces have in common.
pub(super) struct BoxMeeting {
    /// The vertices of both faces, seen along the normal.
    pub(super) ids: [[u32; 4]; 2],
    /// The same as each body sees its own.
    pub(super) rings: [[u32; 4]; 2],
    pub(super) recipes: BoxRecipes,
    x: SlotRow,
    y: SlotRow,
    separation: SlotRow,
    /// The points on A, by coordinates.
    on_a: [SlotRow; 3],
}

/// A number of each corner.
type SlotRow = [[f64; 4]; SLOTS / 4];

/// The numbers of four corners.
struct FourCorners<S: Simd> {
    x: f64x4<S>,
    y: f64x4<S>,
    separation: f64x4<S>,
    on_a: [f64x4<S>; 3],
}

/// The corners of both faces, and up to eight crossings.
const SLOTS: usize = 16;

impl BoxMeeting {
    /// The corners of two faces seen along a direction.
    #[inline(always)]
    pub(super) fn new<S: Simd>(
        simd: S,
        [a, b]: [&BoxFace<S>; 2],
        view: &View,
        recipes: &BoxRecipes,
    ) -> Self {
        let ([x, y], (_, separation)) = (a.flat, b.lifted(simd, a, view.along));
        let of_a = FourCorners {
            x,
            y,
            separation,
            on_a: a.rows,
        };
        let ([x, y], (on_a, separation)) = (b.flat, a.lifted(simd, b, view.along));
        let of_b = FourCorners {
            x,
            y,
            separation: -separation,
            on_a,
        };
        let first = FourCorners::crossings_from(simd, [a, b], view, recipes, 0);
        let last = FourCorners::crossings_from(simd, [a, b], view, recipes, 4);
        let all = [of_a, of_b, first, last];
        Self {
            ids: [a.ids, b.ids],
            rings: [a.ring, b.ring],
            recipes: *recipes,
            x: in_rows([all[0].x, all[1].x, all[2].x, all[3].x]),
            y: in_rows([all[0].y, all[1].y, all[2].y, all[3].y]),
            separation: in_rows([
                all[0].separation,
                all[1].separation,
                all[2].separation,
                all[3].separation,
            ]),
            on_a: [on_a_rows(&all, 0), on_a_rows(&all, 1), on_a_rows(&all, 2)],
        }
    }

    /// Whether the face of B has lower numbers than that of A.
    #[inline(always)]
    pub(super) fn is_exchanged(&self) -> bool {
        self.rings[1] < self.rings[0]
    }

    /// The numbers of the corners, and zeros where there are none.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S) -> CornerLanes<S> {
        let is_there = mask64x8::from_bitmask(simd, (1 << self.recipes.count()) - 1);
        let zero = f64x8::splat(simd, 0.0);
        let slots = &self.recipes.slots;
        CornerLanes {
            x: is_there.select(in_slots(simd, &self.x, slots), zero),
            y: is_there.select(in_slots(simd, &self.y, slots), zero),
            separation: is_there.select(in_slots(simd, &self.separation, slots), zero),
        }
    }

    #[inline(always)]
    pub(super) fn separation(&self, n: usize) -> f64 {
        in_slot(&self.separation, self.recipes.slots[n & (FEW - 1)])
    }

    #[inline(always)]
    pub(super) fn point_a(&self, n: usize) -> Triple {
        let (slot, [x, y, z]) = (self.recipes.slots[n & (FEW - 1)], &self.on_a);
        [in_slot(x, slot), in_slot(y, slot), in_slot(z, slot)]
    }
}

#[inline(always)]
fn in_rows<S: Simd>([a, b, c, d]: [f64x4<S>; 4]) -> SlotRow {
    [a.into(), b.into(), c.into(), d.into()]
}

#[inline(always)]
fn on_a_rows<S: Simd>([a, b, c, d]: &[FourCorners<S>; 4], k: usize) -> SlotRow {
    in_rows([a.on_a[k], b.on_a[k], c.on_a[k], d.on_a[k]])
}

/// The number in a slot.
#[inline(always)]
fn in_slot(row: &SlotRow, slot: u8) -> f64 {
    row.as_flattened()[usize::from(slot) & (SLOTS - 1)]
}

/// The numbers of a row in slots.
#[inline(always)]
fn in_slots<S: Simd>(simd: S, row: &SlotRow, slots: &[u8; FEW]) -> f64x8<S> {
    let [a, b, c, d, e, f, g, h] = *slots;
    let numbers = [
        in_slot(row, a),
        in_slot(row, b),
        in_slot(row, c),
        in_slot(row, d),
        in_slot(row, e),
        in_slot(row, f),
        in_slot(row, g),
        in_slot(row, h),
    ];
    f64x8::simd_from(simd, numbers)
}

/// Sides of a face in lanes.
type Lanes<S> = [f64x4<S>; 2];

/// The numbers of a row at places moved by so many.
#[inline(always)]
fn picked<S: Simd>(simd: S, row: &[f64; 4], at: [usize; 4], by: usize) -> f64x4<S> {
    let [p, q, r, s] = at;
    let numbers = [
        row[(p + by) & 3],
        row[(q + by) & 3],
        row[(r + by) & 3],
        row[(s + by) & 3],
    ];
    f64x4::simd_from(simd, numbers)
}

#[inline(always)]
fn flat<S: Simd>(simd: S, face: &BoxFace<S>, at: [usize; 4], by: usize) -> Lanes<S> {
    let [x, y] = &face.places;
    [picked(simd, x, at, by), picked(simd, y, at, by)]
}

#[inline(always)]
fn less<S: Simd>(a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn outer<S: Simd>(a: Lanes<S>, b: Lanes<S>) -> f64x4<S> {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn square<S: Simd>(a: Lanes<S>) -> f64x4<S> {
    a[0] * a[0] + a[1] * a[1]
}

/// Cut to what is from zero to one.
#[inline(always)]
fn cut<S: Simd>(simd: S, x: f64x4<S>) -> f64x4<S> {
    x.max(f64x4::splat(simd, 0.0)).min(f64x4::splat(simd, 1.0))
}

/// The points of sides at parts of their lengths.
#[inline(always)]
fn along_sides<S: Simd>(
    simd: S,
    face: &BoxFace<S>,
    at: [usize; 4],
    part: f64x4<S>,
) -> [f64x4<S>; 3] {
    let [x, y, z] = &face.coordinates;
    [
        between(picked(simd, x, at, 0), picked(simd, x, at, 1), part),
        between(picked(simd, y, at, 0), picked(simd, y, at, 1), part),
        between(picked(simd, z, at, 0), picked(simd, z, at, 1), part),
    ]
}

#[inline(always)]
fn between<S: Simd>(from: f64x4<S>, to: f64x4<S>, part: f64x4<S>) -> f64x4<S> {
    from + part * (to - from)
}

impl<S: Simd> FourCorners<S> {
    /// Four crossings from one of their numbers on, the last again where there are fewer; zeros where there are none.
    #[inline(always)]
    fn crossings_from(
        simd: S,
        faces: [&BoxFace<S>; 2],
        view: &View,
        recipes: &BoxRecipes,
        from: usize,
    ) -> Self {
        let (from, all) = (usize::from(recipes.ends[1]) + from, recipes.count());
        if from >= all {
            let zero = f64x4::splat(simd, 0.0);
            return Self {
                x: zero,
                y: zero,
                separation: zero,
                on_a: [zero; 3],
            };
        }
        let last = all - 1;
        let codes = [
            recipes.code(from),
            recipes.code((from + 1).min(last)),
            recipes.code((from + 2).min(last)),
            recipes.code((from + 3).min(last)),
        ];
        Self::crossings(simd, faces, view, codes)
    }

    /// Four crossings. The operations are those of [`crossing`] and of the search.
    #[inline(always)]
    fn crossings(simd: S, [a, b]: [&BoxFace<S>; 2], view: &View, codes: [usize; 4]) -> Self {
        let [c, d, e, f] = codes;
        let sides_a = [c >> 2 & 3, d >> 2 & 3, e >> 2 & 3, f >> 2 & 3];
        let sides_b = [c & 3, d & 3, e & 3, f & 3];
        let (from_a, from_b) = (flat(simd, a, sides_a, 0), flat(simd, b, sides_b, 0));
        let step_a = less(flat(simd, a, sides_a, 1), from_a);
        let step_b = less(flat(simd, b, sides_b, 1), from_b);
        let apart = less(from_b, from_a);
        let sine = outer(step_a, step_b);
        let squares = square(step_a) * square(step_b);
        let least = squares * (CROSSING_SINE * CROSSING_SINE);
        // Of the second side both factors have the other sign.
        let mut parts = [
            cut(simd, outer(apart, step_b) / sine),
            cut(simd, outer(apart, step_a) / sine),
        ];
        if (sine * sine).simd_gt(least).to_bitmask() & 0xf != 0xf {
            parts = slow_parts(simd, [a, b], codes);
        }
        let on_a = along_sides(simd, a, sides_a, parts[0]);
        let on_b = along_sides(simd, b, sides_b, parts[1]);
        let seen = minus_point(on_a, view.origin);
        let step = [on_b[0] - on_a[0], on_b[1] - on_a[1], on_b[2] - on_a[2]];
        Self {
            x: dots(view.across[0], seen),
            y: dots(view.across[1], seen),
            separation: dots(view.along, step),
            on_a,
        }
    }
}

/// The parts of both sides one by one, of which some are nearly parallel.
#[cold]
#[inline(never)]
fn slow_parts<S: Simd>(simd: S, [a, b]: [&BoxFace<S>; 2], codes: [usize; 4]) -> [f64x4<S>; 2] {
    let side = |face: &BoxFace<S>, k: usize| {
        [k & 3, (k + 1) & 3].map(|k| [face.places[0][k], face.places[1][k]])
    };
    let parts = codes.map(|code| {
        let (of_a, of_b) = (side(a, code >> 2), side(b, code));
        [crossing(of_a, of_b), crossing(of_b, of_a)]
    });
    [0, 1].map(|body| f64x4::simd_from(simd, parts.map(|part| part[body])))
}
