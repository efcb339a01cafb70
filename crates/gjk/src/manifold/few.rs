//! The choice of `reduce.rs` among up to eight corners, on numbers in rows: nearly every contact polygon.
//!
//! Where it sits: `chosen.rs` asks it, and `reduce.rs` for polygons of more corners. Both have the same answer.
//! Idea: sets of corners are bits of a number, and values have a place each whether they count or not, so that nothing branches.

use super::answer::ContactFeature;
use super::reduce::{Candidate, LEFT_OUT, TIE};
use super::view::{larger, outer};

/// So many corners at most.
pub(super) const FEW: usize = 8;

/// Numbers of corners by their numbers.
#[derive(Clone, Copy)]
pub(super) struct CornerNumbers {
    pub(super) x: [f64; FEW],
    pub(super) y: [f64; FEW],
    pub(super) separation: [f64; FEW],
}

/// Corners of the contact polygon, counter-clockwise.
pub(super) struct FewCorners<F> {
    order: [usize; FEW],
    count: usize,
    /// In order.
    rows: CornerNumbers,
    /// What a separation may be off.
    off: f64,
    /// The features of a corner by its number.
    features: F,
}

/// Which corners are kept, by their numbers, in order.
pub(super) struct FewKept {
    pub(super) numbers: [usize; FEW],
    pub(super) count: usize,
}

/// The corners that were kept the last time, by their places in the order, as they were chosen. Nothing is taken from it without a test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ChoiceHint {
    picks: [u8; FEW],
    count: u8,
}

impl CornerNumbers {
    #[inline(always)]
    pub(super) fn of(corners: &[Candidate]) -> Self {
        let mut all = Self {
            x: [0.0; FEW],
            y: [0.0; FEW],
            separation: [0.0; FEW],
        };
        for (k, corner) in corners.iter().enumerate().take(FEW) {
            [all.x[k], all.y[k]] = corner.place;
            all.separation[k] = corner.separation;
        }
        all
    }
}

impl<F: Fn(usize) -> [ContactFeature; 2]> FewCorners<F> {
    /// Those corners of no more than eight that are numbered, in this order.
    #[inline(always)]
    pub(super) fn new(corners: &CornerNumbers, order: &[usize], off: f64, features: F) -> Self {
        let mut few = Self {
            order: [0; FEW],
            count: order.len().min(FEW),
            rows: CornerNumbers {
                x: [0.0; FEW],
                y: [0.0; FEW],
                // What is not there is not the deepest.
                separation: [f64::INFINITY; FEW],
            },
            off,
            features,
        };
        for (k, &number) in order.iter().enumerate().take(FEW) {
            let number = number & (FEW - 1);
            few.order[k] = number;
            few.rows.x[k] = corners.x[number];
            few.rows.y[k] = corners.y[number];
            few.rows.separation[k] = corners.separation[number];
        }
        few
    }

    #[inline(always)]
    fn all(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// The area of the polygon.
    #[inline(always)]
    pub(super) fn area(&self) -> f64 {
        let (x, y) = (&self.rows.x, &self.rows.y);
        let seen = |k: usize| [x[k] - x[0], y[k] - y[0]];
        let parts: [f64; FEW - 2] = core::array::from_fn(|k| outer(seen(k + 1), seen(k + 2)));
        let mut doubled = 0.0;
        for part in &parts[..self.count.max(2) - 2] {
            doubled += part;
        }
        doubled.abs() / 2.0
    }

    fn features(&self, k: u32) -> [ContactFeature; 2] {
        (self.features)(self.order[k as usize & (FEW - 1)])
    }

    /// Of a set of corners, the one whose features come first.
    #[inline(always)]
    fn first_named(&self, set: u32) -> u32 {
        let mut best = set.trailing_zeros();
        let mut left = set & set.wrapping_sub(1);
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            if self.features(k) < self.features(best) {
                best = k;
            }
        }
        best
    }

    /// The deepest; those within rounding of it by their features.
    #[inline(always)]
    pub(super) fn deepest(&self) -> u32 {
        let mut least = f64::INFINITY;
        for separation in self.rows.separation {
            let upper = separation + self.off;
            least = if upper < least { upper } else { least };
        }
        let mut close = 0;
        for (k, separation) in self.rows.separation.iter().enumerate() {
            close |= u32::from(separation - self.off <= least) << k;
        }
        let close = close & self.all();
        self.first_named(if close == 0 { 1 } else { close })
    }

    /// Of a set the corner of the largest value, of which equal ones differ by less than a part; those by their features.
    #[inline(always)]
    fn best(&self, values: &[f64; FEW], set: u32, tie: f64) -> u32 {
        let mut top = LEFT_OUT;
        for (k, &value) in values.iter().enumerate() {
            top = larger(top, if set >> k & 1 == 0 { LEFT_OUT } else { value });
        }
        let least = top - tie * top;
        let mut close = 0;
        for (k, &value) in values.iter().enumerate() {
            close |= u32::from(value >= least) << k;
        }
        self.first_named(close & set)
    }

    /// At most so many of the corners, counter-clockwise from the deepest on.
    #[inline(always)]
    pub(super) fn reduced(&self, most: usize, hint: &mut ChoiceHint) -> FewKept {
        let wanted = if self.count > most { most } else { 1 };
        if usize::from(hint.count) == wanted && self.confirms(hint) {
            let picks = hint.picks[..wanted.min(FEW)].iter();
            let chosen = picks.fold(0, |set, &k| set | 1 << (k & 7));
            let kept = if self.count > most {
                chosen
            } else {
                self.all()
            };
            return self.from(u32::from(hint.picks[0]), kept);
        }
        let first = self.deepest();
        *hint = ChoiceHint {
            picks: [0; FEW],
            count: 1,
        };
        hint.picks[0] = first as u8;
        let all = self.all();
        let mut kept = all;
        if self.count > most {
            kept = 1 << first;
            while usize::from(hint.count) < most {
                let left = all & !kept;
                // Squares differ by twice the part of lengths.
                let next = if kept == 1 << first {
                    self.best(&self.squares(first), left, 2.0 * TIE)
                } else {
                    self.best(&self.gains(kept), left, TIE)
                };
                // Values that are no numbers are none's largest.
                if next >= FEW as u32 {
                    break;
                }
                kept |= 1 << next;
                hint.picks[usize::from(hint.count) & (FEW - 1)] = next as u8;
                hint.count += 1;
            }
        }
        self.from(first, kept)
    }

    /// Whether the corners of a hint are surely those that would be chosen, in this order, none of them by its name.
    #[inline(always)]
    fn confirms(&self, hint: &ChoiceHint) -> bool {
        let first = u32::from(hint.picks[0]) & 7;
        let most = self.rows.separation[first as usize] + self.off;
        let mut is_sure = first < self.count as u32;
        for (k, separation) in (0..).zip(self.rows.separation) {
            is_sure &= (k == first) | (separation - self.off > most);
        }
        let mut kept = 1 << first;
        for (step, &next) in hint.picks[..usize::from(hint.count).min(FEW)]
            .iter()
            .enumerate()
            .skip(1)
        {
            let next = u32::from(next) & 7;
            let (values, tie) = if step == 1 {
                (self.squares(first), 2.0 * TIE)
            } else {
                (self.gains(kept), TIE)
            };
            let top = values[next as usize];
            let least = top - tie * top;
            let others = self.all() & !kept & !(1 << next);
            for (k, value) in values.into_iter().enumerate() {
                is_sure &= (others >> k & 1 == 0) | (value < least);
            }
            is_sure &= next < self.count as u32;
            kept |= 1 << next;
        }
        is_sure
    }

    /// The numbers of a set of corners, from one of them on.
    #[inline(always)]
    fn from(&self, first: u32, kept: u32) -> FewKept {
        let mut list = FewKept {
            numbers: [0; FEW],
            count: 0,
        };
        let before = (1 << first) - 1;
        for mut left in [kept & !before, kept & before] {
            while left != 0 {
                let k = left.trailing_zeros() as usize & (FEW - 1);
                left &= left - 1;
                list.numbers[list.count & (FEW - 1)] = self.order[k];
                list.count += 1;
            }
        }
        list
    }

    /// How far the corners are from one of them, squared.
    #[inline(always)]
    fn squares(&self, only: u32) -> [f64; FEW] {
        let at = only as usize & (FEW - 1);
        let (from_x, from_y) = (self.rows.x[at], self.rows.y[at]);
        core::array::from_fn(|k| {
            let (x, y) = (self.rows.x[k] - from_x, self.rows.y[k] - from_y);
            x * x + y * y
        })
    }

    /// Twice the areas of the triangles that the corners add to the polygon of those kept.
    #[inline(always)]
    fn gains(&self, kept: u32) -> [f64; FEW] {
        let mut values = [LEFT_OUT; FEW];
        let mut left = self.all() & !kept;
        while left != 0 {
            let k = left.trailing_zeros();
            left &= left - 1;
            // The one kept before it and the one after it, around.
            let (low, high) = (kept & ((1 << k) - 1), kept >> k << k);
            let before = (if low == 0 { kept } else { low }).ilog2() as usize & (FEW - 1);
            let after = if high == 0 { kept } else { high }.trailing_zeros() as usize & (FEW - 1);
            let k = k as usize & (FEW - 1);
            let (from_x, from_y) = (self.rows.x[before], self.rows.y[before]);
            let (x, y) = (self.rows.x[k] - from_x, self.rows.y[k] - from_y);
            let (p, q) = (self.rows.x[after] - from_x, self.rows.y[after] - from_y);
            values[k] = (x * q - y * p).abs();
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::reduce::ContactPolygon;
    use super::*;

    /// Both choices keep the same corners of the same polygon, with the same area, and where many are equal.
    #[test]
    fn few_corners_are_chosen_as_many_are() {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as u32
        };
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
            let numbers = CornerNumbers::of(&corners);
            let few = FewCorners::new(&numbers, &order, off, |k| corners[k].features);
            let many = ContactPolygon {
                corners: &corners,
                order: &order,
                off,
            };
            assert_eq!(few.area().to_bits(), many.area().to_bits());
            for most in [1, 2, 3, 4, 6, usize::MAX] {
                let mut hint = ChoiceHint::default();
                let found = few.reduced(most, &mut hint);
                let again = few.reduced(most, &mut hint);
                assert_eq!(found.numbers, again.numbers, "{case} {most}");
                let wanted = many.reduced(most);
                let wanted: alloc::vec::Vec<usize> = wanted.iter().map(|&k| order[k]).collect();
                assert_eq!(found.numbers[..found.count], wanted, "{case} {most}");
                let mut wrong = ChoiceHint {
                    picks: core::array::from_fn(|_| random() as u8 % 9),
                    count: hint.count,
                };
                let found = few.reduced(most, &mut wrong);
                assert_eq!(found.numbers[..found.count], wanted, "{case} {most}");
            }
        }
    }
}
