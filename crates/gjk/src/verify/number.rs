//! Exact numbers of two kinds: what a float states, and a length.
//!
//! A length is the square root of a fraction, so it is never computed: its square is compared.

use super::integer::{Int, Int3, cross, decompose, dot, sign};
use core::cmp::Ordering;

/// `value · 2^grid`: what a finite float states, and sums of such.
#[derive(Clone, Debug)]
pub(super) struct Dyadic {
    value: Int,
    grid: i32,
}

impl Dyadic {
    /// A finite float.
    pub(super) fn of(x: f64) -> Self {
        let (mantissa, grid) = decompose(x);
        // Zero has no grid of its own.
        let grid = if mantissa == 0 { 0 } else { grid };
        Self {
            value: Int::from(mantissa),
            grid,
        }
    }

    /// The sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        if self.value.is_zero() {
            return other.clone();
        }
        if other.value.is_zero() {
            return self.clone();
        }
        let grid = self.grid.min(other.grid);
        let [x, y] = [self, other].map(|s| &s.value << (s.grid - grid) as usize);
        Self { value: x + y, grid }
    }

    /// The difference.
    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&Self {
            value: -&other.value,
            grid: other.grid,
        })
    }
}

/// `±√(numerator / denominator) · 2^grid`, with a positive denominator.
#[derive(Clone, Debug)]
pub(super) struct Root {
    negative: bool,
    numerator: Int,
    denominator: Int,
    grid: i32,
}

impl Root {
    /// `height / |direction|`, the height in units of `2^grid`.
    pub(super) fn height(height: &Int, direction: &Int3, grid: i32) -> Self {
        let negative = sign(height) == Ordering::Less;
        Self {
            negative,
            numerator: height * height,
            denominator: dot(direction, direction),
            grid,
        }
    }

    /// `|vector| / divisor`, the vector in units of `2^grid`.
    pub(super) fn length(vector: &Int3, divisor: &Int, grid: i32) -> Self {
        Self {
            negative: false,
            numerator: dot(vector, vector),
            denominator: divisor * divisor,
            grid,
        }
    }

    /// The cosine of the angle between two directions.
    pub(super) fn cosine(x: &Int3, y: &Int3) -> Self {
        let product = dot(x, y);
        let negative = sign(&product) == Ordering::Less;
        Self {
            negative,
            numerator: &product * &product,
            denominator: dot(x, x) * dot(y, y),
            grid: 0,
        }
    }

    /// The sine of the angle between two directions.
    pub(super) fn sine(x: &Int3, y: &Int3) -> Self {
        let product = cross(x, y);
        let squares = dot(x, x) * dot(y, y);
        Self {
            negative: false,
            numerator: dot(&product, &product),
            denominator: squares,
            grid: 0,
        }
    }

    /// The same length with the other sign.
    pub(super) fn negated(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }

    /// Its order against a number.
    pub(super) fn compare(&self, x: &Dyadic) -> Ordering {
        let own = match (self.numerator.is_zero(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        };
        let other = sign(&x.value);
        if own != other || own == Ordering::Equal {
            return own.cmp(&other);
        }
        let grid = self.grid.min(x.grid);
        let left = &self.numerator << (2 * (self.grid - grid)) as usize;
        let right = (&x.value * &x.value * &self.denominator) << (2 * (x.grid - grid)) as usize;
        let squares = left.cmp(&right);
        if own == Ordering::Less {
            squares.reverse()
        } else {
            squares
        }
    }

    /// True when it is shorter than another non-negative length on the same grid.
    pub(super) fn is_shorter(&self, other: &Self) -> bool {
        &self.numerator * &other.denominator < &other.numerator * &self.denominator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(height: i64, direction: [i64; 3], grid: i32) -> Root {
        Root::height(&Int::from(height), &direction.map(Int::from), grid)
    }

    #[test]
    fn roots_compare_with_numbers_of_either_sign_on_any_grid() {
        use Ordering::{Equal, Greater, Less};
        // 10 / |(3, 4, 0)| = 2.
        for (height, x, order) in [
            (10, 2.0, Equal),
            (10, 2f64.next_up(), Less),
            (10, 2f64.next_down(), Greater),
        ] {
            assert_eq!(root(height, [3, 4, 0], 0).compare(&Dyadic::of(x)), order);
            assert_eq!(
                root(-height, [3, 4, 0], 0).compare(&Dyadic::of(-x)),
                order.reverse()
            );
            assert_eq!(
                root(height, [3, 4, 0], -900).compare(&Dyadic::of(x * 2f64.powi(-900))),
                order
            );
        }
        assert_eq!(root(0, [1, 0, 0], 5).compare(&Dyadic::of(0.0)), Equal);
        assert_eq!(root(0, [1, 0, 0], 5).compare(&Dyadic::of(-5e-324)), Greater);
        assert_eq!(
            root(-1, [1, 0, 0], -1074).compare(&Dyadic::of(5e-324)),
            Less
        );
    }

    #[test]
    fn sums_are_exact_across_the_whole_range_of_floats() {
        let sum = Dyadic::of(1e300)
            .plus(&Dyadic::of(5e-324))
            .minus(&Dyadic::of(1e300));
        assert_eq!((sum.value, sum.grid), (Int::ONE, -1074));
        let zero = Dyadic::of(0.0).plus(&Dyadic::of(3.0));
        assert_eq!((zero.value, zero.grid), (Int::from(3), 0));
    }
}
