//! The place of a crossing: a quotient of two determinants, and the floats beside it.

use crate::direction::{Operand, SymbolicDirection, height};
use crate::integer::{Int, sign};
use crate::number::{Double, Dyadic};
use core::cmp::Ordering;
use dashu_int::ops::{BitTest, DivRem, UnsignedAbs};

/// The bits of a float's mantissa.
const MANTISSA_BITS: i64 = 53;
/// The exponent of the smallest float.
const LOWEST_EXPONENT: i64 = -1074;
/// The exponent from which on numbers are beyond the largest float.
const HIGHEST_EXPONENT: i64 = 1024;

/// A quotient of two heights along one direction.
#[derive(Clone, Debug)]
pub struct Ratio {
    above: Dyadic,
    below: Dyadic,
    /// The floats beside it, where two floats and an error bound know them.
    rough: Option<(f64, f64)>,
}

impl Ratio {
    pub(super) fn new(direction: &SymbolicDirection, above: &Operand, below: &Operand) -> Self {
        Self {
            rough: rough(direction, above, below),
            above: height(direction, above),
            below: height(direction, below),
        }
    }

    /// `above / below · 2^power`, with `below` not zero.
    pub(super) fn of_integers(above: Int, below: Int, power: i32) -> Self {
        Self {
            above: Dyadic::of_integer(above, power.into()),
            below: Dyadic::of_integer(below, 0),
            rough: None,
        }
    }

    /// The quotient against a float.
    pub fn compare(&self, x: f64) -> Ordering {
        let (lower, upper) = self.neighbours();
        // Neighbours, or equal to the quotient: a float between them is one of them.
        if lower == upper {
            return lower.partial_cmp(&x).unwrap_or(Ordering::Equal);
        }
        if upper <= x {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }

    /// The greatest float that is not above the quotient, and the least that is not below it: they are neighbours, or equal. Beyond the
    /// largest float the outer one is infinite.
    pub fn neighbours(&self) -> (f64, f64) {
        if let Some(found) = self.rough {
            return found;
        }
        let (above, below) = (self.above.mantissa(), self.below.mantissa());
        let negative = sign(above).is_lt() != sign(below).is_lt();
        let power = self.above.exponent() - self.below.exponent();
        let (size, exact) = floor(above, below, power);
        let beyond = if exact { size } else { size.next_up() };
        if negative {
            (-beyond, -size)
        } else {
            (size, beyond)
        }
    }

    /// The quotient as integers, the denominator positive.
    pub fn integers(&self) -> [Int; 2] {
        let power = self.above.exponent() - self.below.exponent();
        let [mut above, mut below] = [&self.above, &self.below].map(|x| x.mantissa().clone());
        if sign(&below).is_lt() {
            (above, below) = (-above, -below);
        }
        if power >= 0 {
            above <<= power as usize;
        } else {
            below <<= power.unsigned_abs() as usize;
        }
        let factor = crate::integer::common_factor(&[above.clone(), below.clone()]);
        [above / &factor, below / factor]
    }
}

/// The floats beside a quotient, if two floats and an error bound know them.
fn rough(direction: &SymbolicDirection, above: &Operand, below: &Operand) -> Option<(f64, f64)> {
    let span = direction.kind.span().with(above.span()).with(below.span());
    if !span.is_plain() {
        return None;
    }
    let [above, below] = [above, below].map(|x| height::<Double>(direction, x));
    let quotient = above.quotient(&below)?;
    let ((high, low), error) = (quotient.value(), quotient.error());
    if !(high.abs() >= f64::MIN_POSITIVE && high.is_finite()) {
        return None;
    }
    match low.partial_cmp(&0.0)? {
        Ordering::Greater if low > error => Some((high, high.next_up())),
        Ordering::Less if -low > error => Some((high.next_down(), high)),
        Ordering::Equal if error == 0.0 => Some((high, high)),
        _ => None,
    }
}

/// The greatest float at most `|above / below| · 2^power`, and whether it is that number.
fn floor(above: &Int, below: &Int, power: i64) -> (f64, bool) {
    if above.is_zero() || below.is_zero() {
        return (0.0, true);
    }
    let (above, below) = (above.clone().unsigned_abs(), below.clone().unsigned_abs());
    // The quotient of the shifted numbers has one bit more than a float, or two.
    let shift = MANTISSA_BITS + 1 + below.bit_len() as i64 - above.bit_len() as i64;
    let (quotient, rest) = if shift >= 0 {
        (above << shift as usize).div_rem(below)
    } else {
        above.div_rem(below << shift.unsigned_abs() as usize)
    };
    let exponent = power - shift;
    let bits = quotient.bit_len() as i64;
    if bits + exponent > HIGHEST_EXPONENT {
        return (f64::MAX, false);
    }
    let cut = (bits - MANTISSA_BITS)
        .max(LOWEST_EXPONENT - exponent)
        .max(0) as usize;
    let mantissa = &quotient >> cut;
    let exact = rest.is_zero() && (&mantissa << cut) == quotient;
    // A mantissa has 53 bits at most, and the product is a float: each step is exact.
    let mantissa = u64::try_from(&mantissa).unwrap_or(0) as f64;
    (scaled(mantissa, exponent + cut as i64), exact)
}

/// `x · 2^exponent` in two steps, which stay exact where the product is a float.
fn scaled(x: f64, exponent: i64) -> f64 {
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    let half = exponent / 2;
    x * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor_of(above: i64, below: i64, power: i64) -> (f64, bool) {
        floor(&Int::from(above), &Int::from(below), power)
    }

    #[test]
    fn quotients_are_rounded_down_over_the_whole_range() {
        assert_eq!(floor_of(1, 3, 0), (1.0f64 / 3.0, false));
        // The float of a third is below it, the float of a tenth above.
        assert_eq!(floor_of(2, 3, 0), (2.0f64 / 3.0, false));
        assert_eq!(floor_of(1, 10, 0), (0.1f64.next_down(), false));
        assert_eq!(floor_of(-6, 3, 0), (2.0, true));
        assert_eq!(floor_of(1, 1, -1074), (f64::from_bits(1), true));
        assert_eq!(floor_of(1, 1, -1075), (0.0, false));
        assert_eq!(floor_of(3, 1, -1075), (f64::from_bits(1), false));
        assert_eq!(floor_of(1, 1, 1023), (2f64.powi(1023), true));
        assert_eq!(floor_of(1, 1, 1024), (f64::MAX, false));
        assert_eq!(
            floor_of(i64::MAX, 1, 0),
            (9_223_372_036_854_774_784.0, false)
        );
        assert_eq!(floor_of(0, 5, 7), (0.0, true));
    }
}
