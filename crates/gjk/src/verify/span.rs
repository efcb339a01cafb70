//! Intervals of numbers with a fixed number of binary digits, rounded outward; and turns.
//!
//! Idea: a turn by the vector `w` is the square of the square … of a turn by a small part of it, and of a small one the power series of a quaternion is short.
//! Its terms alternate and fall, so that the first one left out bounds the rest.

use core::array;
use gjk_exact::integer::{Int, decompose, to_limbs};

/// Digits behind the point. The checker's numbers are near one, so that an interval is far narrower than anything that a float states.
const DIGITS: usize = 384;

/// A small part of a turn is at most `2⁻¹⁶` radians.
const SMALL_DIGITS: usize = 16;

/// A turn of more radians than two to this power has too few digits left.
const LARGEST_TURN: usize = 120;

/// Terms of a series: each has `2·SMALL_DIGITS` digits more than the one before.
const TERMS: u32 = 12;

/// An interval that contains a number.
#[derive(Clone, Debug)]
pub(super) struct Span {
    lower: Int,
    upper: Int,
}

/// A vector of intervals.
pub(super) type Span3 = [Span; 3];

/// `x / 2^digits`, rounded down.
fn shifted(x: Int, digits: usize) -> Int {
    // A shift of integers rounds down.
    x >> digits
}

impl Span {
    pub(super) fn zero() -> Self {
        Self::of(0.0, 0)
    }

    /// `x·2^exponent`, a finite float.
    pub(super) fn of(x: f64, exponent: i32) -> Self {
        let (mantissa, own) = decompose(x);
        if mantissa == 0 {
            let zero = Int::ZERO;
            return Self {
                lower: zero.clone(),
                upper: zero,
            };
        }
        let shift = i64::from(own) + i64::from(exponent) + DIGITS as i64;
        let mantissa = Int::from(mantissa);
        if shift >= 0 {
            let value = mantissa << shift as usize;
            return Self {
                lower: value.clone(),
                upper: value,
            };
        }
        let shift = shift.unsigned_abs() as usize;
        Self {
            lower: shifted(mantissa.clone(), shift),
            upper: -shifted(-mantissa, shift),
        }
    }

    /// An integer.
    pub(super) fn whole(x: &Int) -> Self {
        let value = x << DIGITS;
        Self {
            lower: value.clone(),
            upper: value,
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            lower: &self.lower + &other.lower,
            upper: &self.upper + &other.upper,
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub(super) fn negated(&self) -> Self {
        Self {
            lower: -&self.upper,
            upper: -&self.lower,
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let products = [
            &self.lower * &other.lower,
            &self.lower * &other.upper,
            &self.upper * &other.lower,
            &self.upper * &other.upper,
        ];
        let [a, b, c, d] = products;
        let least = a.clone().min(b.clone()).min(c.clone()).min(d.clone());
        let greatest = a.max(b).max(c).max(d);
        Self {
            lower: shifted(least, DIGITS),
            upper: -shifted(-greatest, DIGITS),
        }
    }

    /// A part of it.
    fn over(&self, divisor: u32) -> Self {
        let divisor = Int::from(divisor);
        let one = Int::ONE;
        Self {
            lower: &self.lower / &divisor - &one,
            upper: &self.upper / &divisor + one,
        }
    }

    /// The quotient by an interval of positive numbers; `None` where that may hold zero.
    pub(super) fn quotient(&self, divisor: &Self) -> Option<Self> {
        if !divisor.is_positive() {
            return None;
        }
        let part = |x: &Int, y: &Int| (x << DIGITS) / y;
        let ends = [
            part(&self.lower, &divisor.lower),
            part(&self.lower, &divisor.upper),
            part(&self.upper, &divisor.lower),
            part(&self.upper, &divisor.upper),
        ];
        let [a, b, c, d] = ends;
        let least = a.clone().min(b.clone()).min(c.clone()).min(d.clone());
        // Division of integers rounds towards zero.
        Some(Self {
            lower: least - Int::ONE,
            upper: a.max(b).max(c).max(d) + Int::ONE,
        })
    }

    /// How far from zero it may be.
    pub(super) fn size_above(&self) -> Self {
        let size = self.upper.clone().max(-self.lower.clone());
        Self {
            lower: size.clone(),
            upper: size,
        }
    }

    /// `x/2^digits`.
    fn lessened(&self, digits: usize) -> Self {
        Self {
            lower: shifted(self.lower.clone(), digits),
            upper: -shifted(-self.upper.clone(), digits),
        }
    }

    /// The same with this room on both sides.
    pub(super) fn widened(&self, by: &Self) -> Self {
        Self {
            lower: &self.lower - &by.upper,
            upper: &self.upper + &by.upper,
        }
    }

    /// A square root's upper end, of a number that is not negative.
    pub(super) fn root_above(&self) -> Self {
        let scaled = self.upper.clone().max(Int::ZERO) << DIGITS;
        let root = root_below(&scaled) + Int::ONE;
        Self {
            lower: root.clone(),
            upper: root,
        }
    }

    /// The larger of both, by their upper ends.
    pub(super) fn larger(self, other: Self) -> Self {
        if self.upper < other.upper {
            other
        } else {
            self
        }
    }

    /// The least that either may be.
    pub(super) fn least(self, other: Self) -> Self {
        Self {
            lower: self.lower.min(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// Whether it is surely greater.
    pub(super) fn exceeds(&self, other: &Self) -> bool {
        self.lower > other.upper
    }

    /// Whether it is surely greater than zero.
    pub(super) fn is_positive(&self) -> bool {
        self.lower > Int::ZERO
    }

    /// Whether it is surely less than zero.
    pub(super) fn is_negative(&self) -> bool {
        self.upper < Int::ZERO
    }
}

/// The integer square root, rounded down.
fn root_below(x: &Int) -> Int {
    if x.is_zero() {
        return Int::ZERO;
    }
    let bits = 64 * to_limbs(x).1.len();
    // Newton's method from above falls until it is there.
    let mut root = Int::ONE << (bits / 2 + 1);
    loop {
        let next = (&root + x / &root) >> 1usize;
        if next >= root {
            return root;
        }
        root = next;
    }
}

pub(super) fn dot(a: &Span3, b: &Span3) -> Span {
    let [x, y, z] = array::from_fn(|k| a[k].times(&b[k]));
    x.plus(&y).plus(&z)
}

pub(super) fn cross(a: &Span3, b: &Span3) -> Span3 {
    let part = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [part(1, 2), part(2, 0), part(0, 1)]
}

pub(super) fn plus(a: &Span3, b: &Span3) -> Span3 {
    array::from_fn(|k| a[k].plus(&b[k]))
}

pub(super) fn minus(a: &Span3, b: &Span3) -> Span3 {
    array::from_fn(|k| a[k].minus(&b[k]))
}

pub(super) fn scale(a: &Span3, factor: &Span) -> Span3 {
    array::from_fn(|k| a[k].times(factor))
}

/// The length's upper end.
pub(super) fn length_above(a: &Span3) -> Span {
    dot(a, a).root_above()
}

/// A turn, as a quaternion: the cosine of half its angle, and its axis times the sine, both times the quaternion's length.
#[derive(Clone, Debug)]
pub(super) struct Rotation {
    scalar: Span,
    vector: Span3,
    /// Two over the square of the length.
    factor: Span,
}

impl Rotation {
    /// The turn by the vector: its length is the angle in radians. `None` for more turns than there are digits for.
    pub(super) fn by(angle: &Span3) -> Option<Self> {
        let size = length_above(angle);
        let limit = |digits: usize| Int::ONE << (DIGITS + digits);
        if size.upper > limit(LARGEST_TURN) {
            return None;
        }
        let mut halvings = 1;
        while size.upper > Int::ONE << (DIGITS + halvings - SMALL_DIGITS) {
            halvings += 1;
        }
        let half = angle.each_ref().map(|x| x.lessened(halvings));
        let square = dot(&half, &half);
        let mut turn = Self {
            scalar: series(&square, 1),
            vector: scale(&half, &series(&square, 2)),
            factor: Span::of(2.0, 0),
        };
        for _ in 1..halvings {
            turn = turn.doubled();
        }
        Some(turn)
    }

    /// The turn of a quaternion of any length but zero.
    pub(super) fn of(scalar: Span, vector: Span3) -> Option<Self> {
        let square = scalar.times(&scalar).plus(&dot(&vector, &vector));
        let factor = Span::of(2.0, 0).quotient(&square)?;
        Some(Self {
            scalar,
            vector,
            factor,
        })
    }

    /// The same turn once more, of a unit quaternion.
    fn doubled(&self) -> Self {
        let square = self.scalar.times(&self.scalar);
        let twice = self.scalar.plus(&self.scalar);
        Self {
            scalar: square.minus(&dot(&self.vector, &self.vector)),
            vector: scale(&self.vector, &twice),
            factor: self.factor.clone(),
        }
    }

    /// The turn back.
    pub(super) fn back(&self) -> Self {
        Self {
            scalar: self.scalar.clone(),
            vector: self.vector.each_ref().map(Span::negated),
            factor: self.factor.clone(),
        }
    }

    /// The vector, turned.
    pub(super) fn apply(&self, x: &Span3) -> Span3 {
        let across = cross(&self.vector, x);
        let twice = scale(&across, &self.factor);
        let moved = plus(x, &scale(&twice, &self.scalar));
        plus(&moved, &cross(&self.vector, &twice))
    }
}

/// `Σ (−q)ⁿ·first!/(2n + first − 1)!`, with `first` 1 or 2: the cosine, or the sine over its angle, of the root of a small `q`.
fn series(q: &Span, first: u32) -> Span {
    let one = Span::of(1.0, 0);
    let (mut term, mut sum) = (one.clone(), one);
    for n in 1..=TERMS {
        let (low, high) = (2 * n + first - 2, 2 * n + first - 1);
        term = term.times(q).over(low).over(high).negated();
        sum = sum.plus(&term);
    }
    // The next term is less than the last, of whichever sign.
    let last = Span {
        lower: Int::ZERO,
        upper: term.upper.clone().max(-term.lower.clone()),
    };
    sum.widened(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn middle(x: &Span) -> f64 {
        let shift = DIGITS - 60;
        let (_, limbs) = to_limbs(&(x.lower.clone() >> shift));
        let size = limbs
            .iter()
            .rev()
            .fold(0.0, |sum, &limb| sum * 2f64.powi(64) + limb as f64);
        let size = size / 2f64.powi(60);
        if x.lower < Int::ZERO { -size } else { size }
    }

    /// `libm`'s sines are within one unit in the last place of the true ones, and the spans are narrow.
    #[test]
    fn a_turn_has_the_sine_and_cosine_of_its_angle() {
        for angle in [1e-9, 0.1, 1.0, 3.0, 100.0, 12345.678, 1e9, -2.5] {
            let w = [Span::zero(), Span::zero(), Span::of(angle, 0)];
            let turn = Rotation::by(&w).expect("not too far");
            let x = turn.apply(&[Span::of(1.0, 0), Span::zero(), Span::zero()]);
            let (sine, cosine) = libm::sincos(angle);
            assert!((middle(&x[0]) - cosine).abs() < 3e-16, "{angle}");
            assert!((middle(&x[1]) - sine).abs() < 3e-16, "{angle}");
            let width = &x[1].upper - &x[1].lower;
            assert!(width < Int::ONE << (DIGITS - 200), "{angle}");
        }
    }

    #[test]
    fn a_turn_by_a_vector_keeps_lengths_and_its_axis() {
        let w = [1.0, -2.0, 0.5].map(|x| Span::of(x, 0));
        let turn = Rotation::by(&w).expect("not too far");
        let along = minus(&turn.apply(&w), &w);
        let off = dot(&along, &along);
        assert!(off.lower <= Int::ZERO && off.upper < Int::ONE << (DIGITS - 300));
        let x = [3.0, 4.0, 12.0].map(|x| Span::of(x, 0));
        let there = turn.back().apply(&turn.apply(&x));
        assert!(length_above(&minus(&there, &x)).upper < Int::ONE << (DIGITS - 150));
        assert!((middle(&length_above(&turn.apply(&x))) - 13.0).abs() < 1e-15);
    }

    /// The turn by the rational point `(3/5, 4/5)` of the circle is that of `(2, 1)`, of any length.
    #[test]
    fn a_quaternion_of_any_length_is_a_turn() {
        for size in [1.0, 0.125, 1024.0] {
            let part = |x: f64| Span::of(x * size, 0);
            let turn = Rotation::of(part(2.0), [Span::zero(), Span::zero(), part(1.0)]);
            let x = [Span::of(1.0, 0), Span::zero(), Span::zero()];
            let there = turn.expect("not zero").apply(&x);
            assert!((middle(&there[0]) - 0.6).abs() < 1e-15);
            assert!((middle(&there[1]) - 0.8).abs() < 1e-15);
            let width = &there[1].upper - &there[1].lower;
            assert!(width < Int::ONE << (DIGITS - 300), "{size}");
        }
        assert!(Rotation::of(Span::zero(), [Span::zero(), Span::zero(), Span::zero()]).is_none());
    }

    #[test]
    fn roots_are_above() {
        let two = Span::of(2.0, 0).root_above();
        assert!((middle(&two) - 2f64.sqrt()).abs() < 3e-16);
        let square = two.times(&two);
        assert!(!Span::of(2.0, 0).exceeds(&square));
        assert!(Span::of(2.0 + 1e-15, 0).exceeds(&square));
    }
}
