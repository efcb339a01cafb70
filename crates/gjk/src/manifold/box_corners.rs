//! The corners of what two faces of boxes have in common, by what they are corners of: the numbers of four crossings at a time.
//!
//! Where it sits: `boxes.rs` asks it for the bits that tell which corners there are, and then for their numbers. A [`BoxPlan`](super::box_plan) keeps the former.

use super::answer::ContactFeature;
use super::box_face::{BoxFace, SideSigns, dots, minus_point, own_ring};
use super::few::{CornerLanes, FEW, FewKept};
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
    /// What a separation may be off.
    pub(super) off: f64,
    pub(super) kept: FewKept,
    x: [f64; SLOTS],
    y: [f64; SLOTS],
    separation: [f64; SLOTS],
    /// The points on A, by coordinates.
    on_a: [[f64; SLOTS]; 3],
}

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
    /// Nothing.
    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self {
            ids: [[0; 4]; 2],
            rings: [[0; 4]; 2],
            recipes: BoxRecipes::default(),
            off: 0.0,
            kept: FewKept::default(),
            x: [0.0; SLOTS],
            y: [0.0; SLOTS],
            separation: [0.0; SLOTS],
            on_a: [[0.0; SLOTS]; 3],
        }
    }

    /// Becomes the corners of two faces seen along a direction.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(
        &mut self,
        simd: S,
        [a, b]: [&BoxFace<S>; 2],
        view: &View,
        recipes: &BoxRecipes,
    ) {
        (self.ids, self.recipes) = ([a.ids, b.ids], *recipes);
        self.rings = [own_ring(a.ids, false), own_ring(b.ids, true)];
        let ([x, y], (_, separation)) = (a.flat, b.lifted(simd, a, view.along));
        let of_a = FourCorners {
            x,
            y,
            separation,
            on_a: a.rows,
        };
        self.write(0, &of_a);
        let ([x, y], (on_a, separation)) = (b.flat, a.lifted(simd, b, view.along));
        let of_b = FourCorners {
            x,
            y,
            separation: -separation,
            on_a,
        };
        self.write(4, &of_b);
        let (from, all) = (usize::from(recipes.ends[1]), recipes.count());
        for step in [0, 4] {
            if from + step < all {
                let last = all - 1;
                let codes = [
                    recipes.code(from + step),
                    recipes.code((from + step + 1).min(last)),
                    recipes.code((from + step + 2).min(last)),
                    recipes.code((from + step + 3).min(last)),
                ];
                self.write(8 + step, &FourCorners::crossings(simd, [a, b], view, codes));
            }
        }
    }

    /// Writes four corners from a slot on.
    #[inline(always)]
    fn write<S: Simd>(&mut self, from: usize, four: &FourCorners<S>) {
        write_row(&mut self.x, from, four.x);
        write_row(&mut self.y, from, four.y);
        write_row(&mut self.separation, from, four.separation);
        let [x, y, z] = &mut self.on_a;
        write_row(x, from, four.on_a[0]);
        write_row(y, from, four.on_a[1]);
        write_row(z, from, four.on_a[2]);
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
    fn slot(&self, n: usize) -> usize {
        usize::from(self.recipes.slots[n & (FEW - 1)]) & (SLOTS - 1)
    }

    #[inline(always)]
    pub(super) fn separation(&self, n: usize) -> f64 {
        self.separation[self.slot(n)]
    }

    #[inline(always)]
    pub(super) fn point_a(&self, n: usize) -> Triple {
        let n = self.slot(n);
        [self.on_a[0][n], self.on_a[1][n], self.on_a[2][n]]
    }
}

#[inline(always)]
fn write_row<S: Simd>(row: &mut [f64; SLOTS], from: usize, four: f64x4<S>) {
    let four: [f64; 4] = four.into();
    row[from..from + 4].copy_from_slice(&four);
}

/// The numbers of a row in slots.
#[inline(always)]
fn in_slots<S: Simd>(simd: S, row: &[f64; SLOTS], slots: &[u8; FEW]) -> f64x8<S> {
    let [a, b, c, d, e, f, g, h] = *slots;
    let numbers = [
        row[usize::from(a) & (SLOTS - 1)],
        row[usize::from(b) & (SLOTS - 1)],
        row[usize::from(c) & (SLOTS - 1)],
        row[usize::from(d) & (SLOTS - 1)],
        row[usize::from(e) & (SLOTS - 1)],
        row[usize::from(f) & (SLOTS - 1)],
        row[usize::from(g) & (SLOTS - 1)],
        row[usize::from(h) & (SLOTS - 1)],
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
