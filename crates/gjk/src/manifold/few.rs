//! The choice of `reduce.rs` among up to eight corners, on numbers in rows: nearly every contact polygon.
//!
//! Where it sits: `boxes.rs` asks it, and `chosen.rs`, which leaves polygons of more corners to `reduce.rs`. Both have the same answer.
//! Idea: sets of corners are bits of a number, and values have a lane each whether they count or not, so that nothing branches.

use super::answer::ContactFeature;
use super::polygon::few_in_order;
use super::reduce::{Candidate, LEFT_OUT, TIE};
use crate::simd::level;
use fearless_simd::{Simd, dispatch, f64x8, mask64x8, prelude::*};

/// So many corners at most.
pub(super) const FEW: usize = 8;

/// Numbers of corners by their numbers, and zeros where there are none.
#[derive(Clone, Copy, Default)]
pub(super) struct CornerNumbers {
    pub(super) x: [f64; FEW],
    pub(super) y: [f64; FEW],
    pub(super) separation: [f64; FEW],
}

/// The same in lanes.
#[derive(Clone, Copy)]
pub(super) struct CornerLanes<S: Simd> {
    pub(super) x: f64x8<S>,
    pub(super) y: f64x8<S>,
    pub(super) separation: f64x8<S>,
}

/// What is chosen by.
#[derive(Clone, Copy)]
pub(super) struct ChoiceTerms {
    /// How many corners there are: one at least.
    pub(super) count: usize,
    /// A bit for each that may be within the prediction, by their numbers.
    pub(super) near: u32,
    /// Where none is, there is a point, or there is none.
    pub(super) must_be: bool,
    /// So many at most.
    pub(super) most: usize,
    /// What a separation may be off.
    pub(super) off: f64,
}

/// Which corners are kept, by their numbers, counter-clockwise from the deepest on.
#[derive(Clone, Copy, Default)]
pub(super) struct FewKept {
    pub(super) numbers: [usize; FEW],
    pub(super) count: usize,
    /// None was left out.
    pub(super) is_complete: bool,
    /// Of the polygon of all that may be within the prediction.
    pub(super) area: f64,
}

/// Corners of the contact polygon, counter-clockwise.
struct FewCorners<'f, S: Simd> {
    simd: S,
    /// The places by their numbers.
    rows: &'f [[f64; FEW]; 2],
    order: &'f [usize; FEW],
    count: usize,
    /// In order; of what is not there those of some corner.
    x: f64x8<S>,
    y: f64x8<S>,
}

impl CornerNumbers {
    #[inline(always)]
    pub(super) fn of(corners: &[Candidate]) -> Self {
        let mut all = Self::default();
        for (k, corner) in corners.iter().enumerate().take(FEW) {
            [all.x[k], all.y[k]] = corner.place;
            all.separation[k] = corner.separation;
        }
        all
    }
}

/// [`chosen`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
pub(super) fn chosen_few(
    corners: &CornerNumbers,
    terms: &ChoiceTerms,
    features: &impl Fn(usize) -> [ContactFeature; 2],
    kept: &mut FewKept,
) -> Option<()> {
    dispatch!(level(), simd => {
        let lanes = CornerLanes {
            x: f64x8::simd_from(simd, corners.x),
            y: f64x8::simd_from(simd, corners.y),
            separation: f64x8::simd_from(simd, corners.separation),
        };
        chosen(simd, &lanes, terms, features, kept)
    })
}

/// Keeps as many corners as wanted, of those within the prediction; of none the deepest of all, or `None` if there need not be one.
#[inline(always)]
pub(super) fn chosen<S: Simd>(
    simd: S,
    corners: &CornerLanes<S>,
    terms: &ChoiceTerms,
    features: &impl Fn(usize) -> [ContactFeature; 2],
    kept: &mut FewKept,
) -> Option<()> {
    let mut set = terms.near;
    if set == 0 {
        if !terms.must_be {
            return None;
        }
        set = 1 << deepest(simd, corners, (1 << terms.count) - 1, terms.off, features);
    }
    let rows = &[corners.x.into(), corners.y.into()];
    // The first two are chosen beside the order, which takes as long.
    let first = deepest(simd, corners, set, terms.off, features);
    let is_complete = set.count_ones() as usize <= terms.most;
    let mut second = first;
    if !is_complete && terms.most > 1 {
        let from = [at(&rows[0], first), at(&rows[1], first)];
        let squares = squares(corners, from);
        let left = set & !(1 << first);
        second = best(simd, squares, left, 2.0 * TIE, &|k| features(k as usize));
    }
    let order = few_in_order(simd, terms.count, corners.x, corners.y);
    let (mut near, mut places, mut count) = ([0; FEW], [0; FEW], 0);
    for &k in &order[..terms.count.min(FEW)] {
        near[count & (FEW - 1)] = k;
        places[k & (FEW - 1)] = count as u32;
        count += (set >> (k & (FEW - 1)) & 1) as usize;
    }
    let few = FewCorners::new(simd, rows, &near, count);
    let chosen = [
        places[first as usize & (FEW - 1)],
        places[second as usize & (FEW - 1)],
    ];
    let all = if is_complete {
        few.all()
    } else {
        few.grown(1 << chosen[0] | 1 << chosen[1], terms.most, features)
    };
    few.list(chosen[0], all, kept);
    (kept.is_complete, kept.area) = (is_complete, few.area());
    Some(())
}

#[inline(always)]
fn at(row: &[f64; FEW], k: u32) -> f64 {
    row[k as usize & (FEW - 1)]
}

/// Of a set the deepest; those within rounding of it by their features.
#[inline(always)]
fn deepest<S: Simd>(
    simd: S,
    corners: &CornerLanes<S>,
    set: u32,
    off: f64,
    features: &impl Fn(usize) -> [ContactFeature; 2],
) -> u32 {
    let separation = corners.separation;
    let separation = lanes(simd, set).select(separation, f64x8::splat(simd, f64::INFINITY));
    let least = (separation + off).reduce_min();
    let close = (separation - off).simd_le(least).to_bitmask() as u32 & set;
    let close = if close == 0 { set } else { close };
    first_named(close, &|k| features(k as usize))
}

/// Of a set the corner of the largest value, of which equal ones differ by less than a part; those by their features.
#[inline(always)]
fn best<S: Simd>(
    simd: S,
    values: f64x8<S>,
    set: u32,
    tie: f64,
    features: &impl Fn(u32) -> [ContactFeature; 2],
) -> u32 {
    let values = lanes(simd, set).select(values, f64x8::splat(simd, LEFT_OUT));
    let top = values.reduce_max();
    let least = top - tie * top;
    let close = values.simd_ge(least).to_bitmask() as u32;
    first_named(close & set, features)
}

/// How far corners are from a place, squared. Squares differ by twice the part of lengths.
#[inline(always)]
fn squares<S: Simd>(corners: &CornerLanes<S>, from: [f64; 2]) -> f64x8<S> {
    let (x, y) = (corners.x - from[0], corners.y - from[1]);
    x * x + y * y
}

/// The corners of a set as lanes.
#[inline(always)]
fn lanes<S: Simd>(simd: S, set: u32) -> mask64x8<S> {
    mask64x8::from_bitmask(simd, u64::from(set))
}

/// The numbers of a row in an order.
#[inline(always)]
fn ordered<S: Simd>(simd: S, row: &[f64; FEW], order: &[usize; FEW]) -> f64x8<S> {
    let [a, b, c, d, e, f, g, h] = *order;
    let numbers = [
        row[a & (FEW - 1)],
        row[b & (FEW - 1)],
        row[c & (FEW - 1)],
        row[d & (FEW - 1)],
        row[e & (FEW - 1)],
        row[f & (FEW - 1)],
        row[g & (FEW - 1)],
        row[h & (FEW - 1)],
    ];
    f64x8::simd_from(simd, numbers)
}

/// Of a set of corners, the one whose features come first.
#[inline(always)]
fn first_named(set: u32, features: &impl Fn(u32) -> [ContactFeature; 2]) -> u32 {
    if set & set.wrapping_sub(1) == 0 {
        return set.trailing_zeros();
    }
    first_of_many(set, features)
}

#[cold]
#[inline(never)]
fn first_of_many(set: u32, features: &impl Fn(u32) -> [ContactFeature; 2]) -> u32 {
    let mut best = set.trailing_zeros();
    let mut left = set & set.wrapping_sub(1);
    while left != 0 {
        let k = left.trailing_zeros();
        left &= left - 1;
        if features(k) < features(best) {
            best = k;
        }
    }
    best
}

impl<'f, S: Simd> FewCorners<'f, S> {
    /// Those corners that are numbered, in this order, so many of it.
    #[inline(always)]
    fn new(simd: S, rows: &'f [[f64; FEW]; 2], order: &'f [usize; FEW], count: usize) -> Self {
        Self {
            simd,
            rows,
            order,
            count: count.min(FEW),
            x: ordered(simd, &rows[0], order),
            y: ordered(simd, &rows[1], order),
        }
    }

    #[inline(always)]
    fn all(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// The area of the polygon.
    #[inline(always)]
    fn area(&self) -> f64 {
        let from = self.place(0);
        let (x, y) = (self.x - from[0], self.y - from[1]);
        let parts: [f64; FEW] = (x * y.slide::<1>(y) - y * x.slide::<1>(x)).into();
        let mut doubled = 0.0;
        for part in &parts[1..self.count.max(2) - 1] {
            doubled += part;
        }
        doubled.abs() / 2.0
    }

    /// A set with as many corners as wanted, always the one that adds most.
    #[inline(always)]
    fn grown(
        &self,
        mut kept: u32,
        most: usize,
        features: &impl Fn(usize) -> [ContactFeature; 2],
    ) -> u32 {
        let named = |k: u32| features(self.order[k as usize & (FEW - 1)]);
        while (kept.count_ones() as usize) < most {
            let next = best(self.simd, self.gains(kept), self.all() & !kept, TIE, &named);
            // Values that are no numbers are none's largest.
            if next >= FEW as u32 {
                break;
            }
            kept |= 1 << next;
        }
        kept
    }

    /// Lists a set, from one of its corners on.
    #[inline(always)]
    fn list(&self, first: u32, kept: u32, list: &mut FewKept) {
        list.count = 0;
        let before = (1 << first) - 1;
        for mut left in [kept & !before, kept & before] {
            while left != 0 {
                let k = left.trailing_zeros() as usize & (FEW - 1);
                left &= left - 1;
                list.numbers[list.count & (FEW - 1)] = self.order[k];
                list.count += 1;
            }
        }
    }

    #[inline(always)]
    fn place(&self, k: u32) -> [f64; 2] {
        let k = self.order[k as usize & (FEW - 1)] & (FEW - 1);
        [self.rows[0][k], self.rows[1][k]]
    }

    /// Twice the areas of the triangles that the corners add to the polygon of those kept.
    #[inline(always)]
    fn gains(&self, kept: u32) -> f64x8<S> {
        let mut values = f64x8::splat(self.simd, LEFT_OUT);
        let mut left = kept;
        // From each that is kept to the next one, around: all corners between them.
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            let next = if left == 0 { kept } else { left }.trailing_zeros();
            let (from, to) = (self.place(k), self.place(next));
            let (x, y) = (self.x - from[0], self.y - from[1]);
            let added = (x * (to[1] - from[1]) - y * (to[0] - from[0])).abs();
            let (after, before) = (!0 << k, (1 << next) - 1);
            let between = if k < next {
                after & before
            } else {
                after | before
            };
            values = lanes(self.simd, between).select(added, values);
        }
        values
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::super::reduce::ContactPolygon;
    use super::*;

    /// Both choices keep the same corners of the same polygon, with the same area, and where many are equal.
    #[test]
    fn few_corners_are_chosen_as_many_are() {
        let mut numbers = crate::random::Random(7);
        let mut random = || numbers.below(1 << 24) as u32;
        for case in 0..20_000 {
            let count = 1 + random() as usize % FEW;
            let corner = |_| {
                let coarse = |x: u32| f64::from(x % 5) - 2.0;
                let fine = |x: u32| f64::from(x) / 1e6;
                let number = if case % 2 == 0 { coarse } else { fine };
                Candidate {
                    place: [number(random()), number(random())],
                    separation: number(random()),
                    features: [
                        ContactFeature::Vertex(random() % 3),
                        ContactFeature::Vertex(random()),
                    ],
                    point_a: [0.0; 3],
                }
            };
            let corners: alloc::vec::Vec<Candidate> = (0..count).map(corner).collect();
            let order = super::super::polygon::counter_clockwise(count, |k| corners[k].place);
            let off = if case % 3 == 0 { 0.5 } else { 1e-12 };
            let is_near = |k: usize| case % 5 != 0 || corners[k].separation <= 0.1;
            let near: alloc::vec::Vec<usize> =
                order.iter().copied().filter(|&k| is_near(k)).collect();
            if near.is_empty() {
                continue;
            }
            let many = ContactPolygon {
                corners: &corners,
                order: &near,
                off,
            };
            for most in [1, 2, 3, 4, 6, usize::MAX] {
                let terms = ChoiceTerms {
                    count,
                    near: (0..count).fold(0, |set, k| set | u32::from(is_near(k)) << k),
                    must_be: true,
                    most,
                    off,
                };
                let features = |k: usize| corners[k].features;
                let numbers = CornerNumbers::of(&corners);
                let mut found = FewKept::default();
                chosen_few(&numbers, &terms, &features, &mut found).unwrap();
                let wanted = many.reduced(most);
                let wanted: alloc::vec::Vec<usize> = wanted.iter().map(|&k| near[k]).collect();
                assert_eq!(found.numbers[..found.count], wanted, "{case} {most}");
                assert_eq!(found.area.to_bits(), many.area().to_bits());
                assert_eq!(found.is_complete, found.count == near.len());
            }
        }
    }
}
