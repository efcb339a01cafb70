//! Rung 3: exact sums of floats of inline capacity.
//!
//! Where it sits: the third rung of [`super`], between [`super::Double`] and big integers; it does not allocate.
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
//! Invariant: the components are nonadjacent. Floats round to even, which the theorems ask for.
//!
//! - A difference is a pair from `two_sum`: `|low| ≤ ulp(high)/2`, and with ties to even the pair is nonadjacent
//!   (Shewchuk, corollary 8).
//! - Sum: FAST-EXPANSION-SUM makes a strongly nonoverlapping expansion of two strongly nonoverlapping ones (theorem
//!   13), and COMPRESS makes a nonadjacent one of any nonoverlapping one (theorem 23).
//! - Product: SCALE-EXPANSION by one component keeps an expansion nonadjacent (theorem 19); the rows are added as
//!   above.
//!
//! Dropping zero components changes none of this. COMPRESS packs the bits, so that usual lengths are near
//! (bit length)/53: a polynomial of degree 4 in 53-bit inputs of equal exponent has 4 or 5 components.
//! The three need no underflow and no overflow: [`super::in_range`].
//!
//! A result of more than [`CAPACITY`] components before compression is not stored: the number is then *poisoned*, and
//! so is everything computed from it; its sign is `None`.

use super::{Number, fast_two_sum, split, two_sum};
use core::cmp::Ordering;

/// The most components that an [`Expansion`] holds. Compressed numbers of degree 4 within [`super::in_range`] span at
/// most 1614 bits, about 31 components; usual ones have fewer than ten.
pub const CAPACITY: usize = 48;

/// An exact sum of floats; see the file's invariant.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Nonadjacent, increasing in magnitude, none zero; only the first `length` count.
    parts: [f64; CAPACITY],
    length: usize,
    poisoned: bool,
}

impl Expansion {
    const ZERO: Self = Self { parts: [0.0; CAPACITY], length: 0, poisoned: false };

    /// The components, smallest magnitude first, whose exact sum is the number; `None` after exceeding the capacity.
    pub fn components(&self) -> Option<&[f64]> {
        if self.poisoned { None } else { Some(self.slice()) }
    }

    fn slice(&self) -> &[f64] {
        &self.parts[..self.length]
    }

    /// Appends a component unless it is zero.
    #[inline]
    fn push(&mut self, part: f64) {
        if part != 0.0 {
            match self.parts.get_mut(self.length) {
                Some(slot) => {
                    *slot = part;
                    self.length += 1;
                }
                None => self.poisoned = true,
            }
        }
    }

    /// FAST-EXPANSION-SUM with zero elimination: merges by magnitude and sums upwards. Not compressed.
    fn sum(e: &[f64], f: &[f64]) -> Self {
        let mut sum = Self::ZERO;
        let (mut i, mut j) = (0, 0);
        let mut next = || -> Option<f64> {
            match (e.get(i), f.get(j)) {
                (Some(&x), Some(&y)) if x.abs() <= y.abs() => {
                    i += 1;
                    Some(x)
                }
                (_, Some(&y)) => {
                    j += 1;
                    Some(y)
                }
                (Some(&x), None) => {
                    i += 1;
                    Some(x)
                }
                (None, None) => None,
            }
        };
        let Some(mut total) = next() else { return sum };
        while let Some(part) = next() {
            let (t, rest) = two_sum(total, part);
            sum.push(rest);
            total = t;
        }
        sum.push(total);
        sum
    }

    /// SCALE-EXPANSION with zero elimination.
    fn scaled(e: &[f64], factor: f64) -> Self {
        let mut product = Self::ZERO;
        let halves = split(factor);
        let mut total = 0.0;
        for &part in e {
            let (high, low) = split_product(part, factor, halves);
            let (t, rest) = two_sum(total, low);
            product.push(rest);
            // Shewchuk, theorem 19: here |high| >= |t|.
            let (t, rest) = fast_two_sum(high, t);
            product.push(rest);
            total = t;
        }
        product.push(total);
        product
    }

    /// COMPRESS: a nonadjacent expansion of the same sum, no longer than before.
    fn compressed(self) -> Self {
        let Some((&last, lower)) = self.slice().split_last() else { return self };
        let mut down = Self { parts: [0.0; CAPACITY], length: 0, poisoned: self.poisoned };
        let mut total = last;
        for &part in lower.iter().rev() {
            let (t, rest) = fast_two_sum(total, part);
            if rest != 0.0 {
                down.push(t);
                total = rest;
            } else {
                total = t;
            }
        }
        let mut up = Self { parts: self.parts, length: 0, poisoned: self.poisoned };
        for &part in down.slice().iter().rev() {
            let (t, rest) = fast_two_sum(part, total);
            up.push(rest);
            total = t;
        }
        up.push(total);
        up
    }
}

impl Number for Expansion {
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        let mut difference = Self::ZERO;
        difference.push(low);
        difference.push(high);
        difference
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = Self::sum(self.slice(), other.slice());
        sum.poisoned |= self.poisoned | other.poisoned;
        sum.compressed()
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Self) -> Self {
        let (long, short) = if self.length < other.length { (other, self) } else { (self, other) };
        let mut total = Self::ZERO;
        for &factor in short.slice() {
            let row = Self::scaled(long.slice(), factor);
            let poisoned = total.poisoned | row.poisoned;
            total = if total.length == 0 { row } else { Self::sum(total.slice(), row.slice()).compressed() };
            total.poisoned |= poisoned;
        }
        total.poisoned |= self.poisoned | other.poisoned;
        if short.length == 1 { total.compressed() } else { total }
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
    fn sign(&self) -> Option<Ordering> {
        let top = self.slice().last().copied().unwrap_or(0.0);
        if self.poisoned || !top.is_finite() { None } else { top.partial_cmp(&0.0) }
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
