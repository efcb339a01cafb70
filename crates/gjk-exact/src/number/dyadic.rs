//! Stage 4: big integers times powers of two.
//!
//! Where it sits: the last stage of [`super`], the oracle of its tests, and the door to integer results ([`common`]).
//!
//! The idea: every finite float is an integer times a power of two, and sums, differences and products of such numbers
//! are such numbers again. There is no rounding, no range and no error bound; the sign is the integer's. Mantissas are
//! stripped of trailing zeros where that costs little, in [`Number::difference`]; sums and products leave them alone.

use super::Number;
use crate::integer::{Int, decompose};
use core::cmp::Ordering;

/// `mantissa * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Dyadic {
    mantissa: Int,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa · 2^exponent`.
    pub fn of_integer(mantissa: Int, exponent: i64) -> Self {
        Self { mantissa, exponent }
    }

    /// The integer factor; zero exactly for the number zero.
    pub fn mantissa(&self) -> &Int {
        &self.mantissa
    }

    /// The power of two.
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// The mantissa for the power of two `exponent`, which must not exceed the number's own unless it is zero.
    fn at(&self, exponent: i64) -> Int {
        if self.mantissa.is_zero() {
            Int::ZERO
        } else {
            &self.mantissa << (self.exponent - exponent) as usize
        }
    }

    /// The exponent, or the largest one for zero, so that zero never sets a common exponent.
    fn grid(&self) -> i64 {
        if self.mantissa.is_zero() {
            i64::MAX
        } else {
            self.exponent
        }
    }

    /// `op` on the mantissas at a common exponent.
    fn combine(&self, other: &Self, op: impl Fn(&Int, &Int) -> Int) -> Self {
        if self.exponent == other.exponent {
            return Self {
                mantissa: op(&self.mantissa, &other.mantissa),
                exponent: self.exponent,
            };
        }
        match self.grid().min(other.grid()) {
            i64::MAX => Self {
                mantissa: Int::ZERO,
                exponent: 0,
            },
            exponent => Self {
                mantissa: op(&self.at(exponent), &other.at(exponent)),
                exponent,
            },
        }
    }
}

/// Three numbers times one positive power of two, as integers without a common factor 2.
pub fn common(values: [&Dyadic; 3]) -> [Int; 3] {
    let lowest = |x: &Dyadic| {
        x.mantissa
            .trailing_zeros()
            .map(|zeros| x.exponent + zeros as i64)
    };
    let Some(exponent) = values.iter().filter_map(|x| lowest(x)).min() else {
        return [Int::ZERO, Int::ZERO, Int::ZERO];
    };
    values.map(|x| match x.exponent - exponent {
        _ if x.mantissa.is_zero() => Int::ZERO,
        shift @ 0.. => &x.mantissa << shift as usize,
        // Only zeros leave: this number's lowest set bit is at `exponent` or above.
        shift => &x.mantissa >> shift.unsigned_abs() as usize,
    })
}

impl Number for Dyadic {
    fn difference(a: f64, b: f64) -> Self {
        let ((a, a_exponent), (b, b_exponent)) = (decompose(a), decompose(b));
        let exponent = a_exponent.min(b_exponent);
        // Zeros answer the largest exponent; their shift is irrelevant, and 64 + 53 bits fit i128.
        let shift = |x: i64, at: i32| if x == 0 { 0 } else { (at - exponent) as u32 };
        let (a_shift, b_shift) = (shift(a, a_exponent), shift(b, b_exponent));
        if a_shift.max(b_shift) <= 64 {
            let mantissa = (i128::from(a) << a_shift) - (i128::from(b) << b_shift);
            if mantissa == 0 {
                return Self {
                    mantissa: Int::ZERO,
                    exponent: 0,
                };
            }
            let zeros = mantissa.trailing_zeros();
            return Self {
                mantissa: Int::from(mantissa >> zeros),
                exponent: i64::from(exponent) + i64::from(zeros),
            };
        }
        let mantissa = (Int::from(a) << a_shift as usize) - (Int::from(b) << b_shift as usize);
        Self {
            mantissa,
            exponent: i64::from(exponent),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a + b)
    }

    fn minus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a - b)
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            mantissa: &self.mantissa * &other.mantissa,
            exponent: self.exponent + other.exponent,
        }
    }

    fn negated(&self) -> Self {
        Self {
            mantissa: -&self.mantissa,
            exponent: self.exponent,
        }
    }

    fn sign(&self) -> Option<Ordering> {
        Some(self.mantissa.cmp(&Int::ZERO))
    }
}
