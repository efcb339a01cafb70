//! Stage 3: exact sums of floats of inline capacity.
//!
//! Where it sits: the third stage of [`super`], between [`super::Double`] and big integers; it does not allocate.
//!
//! The idea is J. R. Shewchuk's (see [`super`]): a number is the exact sum of floats `h₁, h₂, …` of increasing
//! magnitude, none zero, that do not overlap in their bits, so that the last one gives the sign. His words: two floats
//! *overlap* when their bit ranges from lowest to highest set bit meet; they are *adjacent* when they do not overlap
//! but would after doubling one; an expansion is *nonadjacent* when no two components overlap or are adjacent, and
//! *strongly nonoverlapping* when it is nonoverlapping, no component is adjacent to two others, and adjacent pairs are
//! powers of two. Nonadjacent implies strongly nonoverlapping implies nonoverlapping.
//!
//! # Why it is exact
//!
//! Invariant: the components are strongly nonoverlapping, and nonadjacent unless the number is marked `loose`. Floats
//! round to even, which the theorems require.
//!
//! - A difference is a pair from `two_sum`: `|low| ≤ ulp(high)/2`, and with ties to even the pair is nonadjacent
//!   (Shewchuk, corollary 8).
//! - Sum: FAST-EXPANSION-SUM makes a strongly nonoverlapping expansion of two strongly nonoverlapping ones (theorem
//!   13), and COMPRESS makes a nonadjacent one of any nonoverlapping one (theorem 23).
//! - Product: SCALE-EXPANSION by one component keeps a nonadjacent expansion nonadjacent (theorem 19), so a loose
//!   factor is compressed first; the rows are added as above. A short product is left loose, because it is mostly
//!   summed next, and the sum compresses.
//!
//! Dropping zero components changes none of this. COMPRESS packs the bits, so that usual lengths are near
//! (bit length)/53: a polynomial of degree 4 in 53-bit inputs of equal exponent has 4 or 5 components.
//! The three need no underflow and no overflow: [`super::in_range`].
//!
//! A result of more than [`CAPACITY`] components before compression is not stored: the number is then *poisoned*, and
//! so is everything computed from it; its sign is `None`.

use super::{Number, fast_two_sum, split, two_sum};
use core::cmp::Ordering;

/// The most components that an [`Expansion`] holds.
///
/// Compressed numbers of degree 4 within [`super::in_range`] span at most 1614 bits, about 31 components. Usual ones
/// have fewer than ten; with exponents spread over the whole range, sums before compression can exceed the capacity.
/// The cost of an operation is largely that of clearing and copying these floats: with 48 instead of 24 an orientation
/// sign took 1.3 to 1.8 times as long (2026-11).
pub const CAPACITY: usize = 32;

/// An exact sum of floats; see the file's invariant.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Increasing in magnitude, none zero; only the first `length` count.
    parts: [f64; CAPACITY],
    length: usize,
    /// Strongly nonoverlapping only, not yet compressed to nonadjacent.
    loose: bool,
    poisoned: bool,
}

/// The longest product that is left loose.
const LOOSE: usize = 8;

impl Expansion {
    const ZERO: Self = Self {
        parts: [0.0; CAPACITY],
        length: 0,
        loose: false,
        poisoned: false,
    };

    /// The components, smallest magnitude first, whose exact sum is the number; `None` after exceeding the capacity.
    pub fn components(&self) -> Option<&[f64]> {
        if self.poisoned {
            None
        } else {
            Some(self.slice())
        }
    }

    #[inline]
    fn slice(&self) -> &[f64] {
        &self.parts[..self.length]
    }

    /// Appends a component unless it is zero, without a branch on that.
    #[inline]
    fn push(&mut self, part: f64) {
        let counts = part != 0.0;
        match self.parts.get_mut(self.length) {
            Some(slot) => {
                *slot = part;
                self.length += usize::from(counts);
            }
            None => self.poisoned |= counts,
        }
    }

    /// FAST-EXPANSION-SUM of `e` and `f * sign` into this empty number, with zero elimination: merges by magnitude and
    /// sums upwards. Leaves it loose.
    #[inline]
    fn fill_sum(&mut self, e: &[f64], f: &[f64], sign: f64) {
        let (mut i, mut j) = (0, 0);
        let mut total = 0.0;
        for _ in 0..e.len() + f.len() {
            let x = e.get(i).copied().unwrap_or(f64::INFINITY);
            let y = f.get(j).copied().unwrap_or(f64::INFINITY);
            let first = j == f.len() || i < e.len() && x.abs() <= y.abs();
            i += usize::from(first);
            j += usize::from(!first);
            let (t, rest) = two_sum(total, if first { x } else { sign * y });
            self.push(rest);
            total = t;
        }
        self.push(total);
        self.loose = true;
    }

    /// SCALE-EXPANSION of a nonadjacent `e` into this empty number, with zero elimination.
    #[inline]
    fn fill_scaled(&mut self, e: &[f64], factor: f64) {
        let halves = split(factor);
        let mut total = 0.0;
        for &part in e {
            let (high, low) = split_product(part, factor, halves);
            let (t, rest) = two_sum(total, low);
            self.push(rest);
            // Shewchuk, theorem 19: here |high| >= |t|.
            let (t, rest) = fast_two_sum(high, t);
            self.push(rest);
            total = t;
        }
        self.push(total);
    }

    /// COMPRESS in place: a nonadjacent expansion of the same sum, no longer than before.
    #[inline]
    fn compress(&mut self) {
        self.loose = false;
        if self.length <= 1 {
            return;
        }
        // Downwards: writes go to `bottom`, never below the component read last.
        let mut bottom = self.length - 1;
        let mut total = self.parts[bottom];
        for i in (0..bottom).rev() {
            let (t, rest) = fast_two_sum(total, self.parts[i]);
            self.parts[bottom] = t;
            let counts = rest != 0.0;
            bottom -= usize::from(counts);
            total = if counts { rest } else { t };
        }
        // Upwards: writes go to the front, never above the component read last.
        let end = self.length;
        self.length = 0;
        for i in bottom + 1..end {
            let (t, rest) = fast_two_sum(self.parts[i], total);
            self.push(rest);
            total = t;
        }
        self.push(total);
    }

    /// A float and its rounding remainder, which are nonadjacent (Shewchuk, corollary 8).
    #[inline]
    fn pair((high, low): (f64, f64)) -> Self {
        let mut pair = Self::ZERO;
        pair.push(low);
        pair.push(high);
        pair
    }

    /// `self + other * sign`.
    #[inline]
    fn combine(&self, other: &Self, sign: f64) -> Self {
        if let (&[a], &[b], false) = (self.slice(), other.slice(), self.poisoned | other.poisoned) {
            return Self::pair(two_sum(a, sign * b));
        }
        let mut sum = Self::ZERO;
        sum.fill_sum(self.slice(), other.slice(), sign);
        sum.poisoned |= self.poisoned | other.poisoned;
        sum.compress();
        sum
    }

    /// The product of nonadjacent `long` and `short`, row by row.
    #[inline]
    fn product(long: &Self, short: &Self) -> Self {
        let mut total = Self::ZERO;
        let Some((&first, others)) = short.slice().split_first() else {
            return total;
        };
        if others.is_empty() {
            total.fill_scaled(long.slice(), first);
            return total;
        }
        let mut sum = Self::ZERO;
        sum.fill_scaled(long.slice(), first);
        for &factor in others {
            let mut row = Self::ZERO;
            row.fill_scaled(long.slice(), factor);
            total.length = 0;
            total.fill_sum(sum.slice(), row.slice(), 1.0);
            total.poisoned |= sum.poisoned | row.poisoned;
            if total.length > LOOSE {
                total.compress();
            }
            sum.clone_from(&total);
        }
        total
    }
}

impl Number for Expansion {
    #[inline]
    fn difference(a: f64, b: f64) -> Self {
        Self::pair(two_sum(a, -b))
    }

    fn plus(&self, other: &Self) -> Self {
        self.combine(other, 1.0)
    }

    fn minus(&self, other: &Self) -> Self {
        self.combine(other, -1.0)
    }

    fn times(&self, other: &Self) -> Self {
        if self.loose || other.loose {
            let (mut a, mut b) = (self.clone(), other.clone());
            a.compress();
            b.compress();
            return a.times(&b);
        }
        let mut product = if self.length < other.length {
            Self::product(other, self)
        } else {
            Self::product(self, other)
        };
        product.poisoned |= self.poisoned | other.poisoned;
        product
    }

    fn negated(&self) -> Self {
        let mut negated = self.clone();
        for part in &mut negated.parts[..self.length] {
            *part = -*part;
        }
        negated
    }

    /// The largest component exceeds the sum of the others, which do not overlap it. After an overflow it is infinite
    /// or NaN and the answer is `None`.
    #[inline]
    fn sign(&self) -> Option<Ordering> {
        let top = self.slice().last().copied().unwrap_or(0.0);
        if self.poisoned || !top.is_finite() {
            None
        } else {
            top.partial_cmp(&0.0)
        }
    }
}

/// `two_product(a, b)` with `b` split already.
#[inline]
fn split_product(a: f64, b: f64, (b_high, b_low): (f64, f64)) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let left = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    (product, a_low * b_low - left)
}
