//! Numbers between two ends, and vectors and maps of them: the arithmetic of the checker.
//!
//! Where it sits: under all of `check`; nothing of the prover is used here, nor the other way round.
//! Idea: each operation is done in floats and moved outward by one unit in the last place, so the ends hold the true result whatever
//! was rounded. It is slow and simple; only the loop over a body's points is done in plain floats, with an error bound (`solid.rs`).

/// A sine or cosine of libm is off by less than one unit in the last place; the second one is room.
/// Test: `sines_hold_those_of_a_series`.
const SINE_ULPS: f64 = 2.0;

/// A number that is between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Enclosed {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

/// A vector of them.
pub(super) type Vec3Bounds = [Enclosed; 3];

/// A linear map of them, by rows.
pub(super) type Map3Bounds = [Vec3Bounds; 3];

pub(super) const ZERO: Enclosed = Enclosed { lo: 0.0, hi: 0.0 };
pub(super) const ONE: Enclosed = Enclosed { lo: 1.0, hi: 1.0 };

impl Enclosed {
    /// The float itself.
    pub(super) fn exact(x: f64) -> Self {
        Self { lo: x, hi: x }
    }

    /// All numbers that are this near to a float.
    pub(super) fn near(x: f64, radius: f64) -> Self {
        Self {
            lo: (x - radius).next_down(),
            hi: (x + radius).next_up(),
        }
    }

    /// The ends of a result, moved outward. What is no number holds all.
    fn outward(lo: f64, hi: f64) -> Self {
        if lo.is_nan() || hi.is_nan() {
            return Self {
                lo: f64::NEG_INFINITY,
                hi: f64::INFINITY,
            };
        }
        Self {
            lo: lo.next_down(),
            hi: hi.next_up(),
        }
    }

    /// Zero plus anything, and products by zero and one, are exact: most entries of frames are such.
    pub(super) fn add(self, other: Self) -> Self {
        if self == ZERO {
            return other;
        }
        if other == ZERO {
            return self;
        }
        Self::outward(self.lo + other.lo, self.hi + other.hi)
    }

    pub(super) fn sub(self, other: Self) -> Self {
        self.add(other.neg())
    }

    pub(super) fn neg(self) -> Self {
        Self {
            lo: -self.hi,
            hi: -self.lo,
        }
    }

    pub(super) fn mul(self, other: Self) -> Self {
        if self == ZERO || other == ZERO {
            return ZERO;
        }
        if self == ONE {
            return other;
        }
        if other == ONE {
            return self;
        }
        let all = [
            self.lo * other.lo,
            self.lo * other.hi,
            self.hi * other.lo,
            self.hi * other.hi,
        ];
        if all.iter().any(|x| x.is_nan()) {
            return Self::outward(f64::NAN, f64::NAN);
        }
        let lo = all.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self::outward(lo, hi)
    }

    /// Divided by a number above zero.
    pub(super) fn over(self, by: f64) -> Self {
        if self == ZERO {
            return ZERO;
        }
        Self::outward(self.lo / by, self.hi / by)
    }

    /// Its square.
    pub(super) fn square(self) -> Self {
        let most = self.magnitude();
        let least = if self.lo > 0.0 {
            self.lo
        } else if self.hi < 0.0 {
            -self.hi
        } else {
            0.0
        };
        let found = Self::outward(least * least, most * most);
        Self {
            lo: found.lo.max(0.0),
            ..found
        }
    }

    /// Its root; ends below zero count as zero.
    pub(super) fn root(self) -> Self {
        let found = Self::outward(self.lo.max(0.0).sqrt(), self.hi.max(0.0).sqrt());
        Self {
            lo: found.lo.max(0.0),
            ..found
        }
    }

    /// The largest amount.
    pub(super) fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Between the two: a float in it, and how far the ends are from that at most.
    pub(super) fn middle(self) -> (f64, f64) {
        let middle = 0.5 * self.lo + 0.5 * self.hi;
        let radius = (self.hi - middle).max(middle - self.lo);
        (middle, if radius > 0.0 { radius.next_up() } else { 0.0 })
    }

    /// Its sine. Nowhere does a sine change faster than its angle, so one at the middle says enough of a narrow range.
    pub(super) fn sin(self) -> Self {
        self.of_turn(libm::sin)
    }

    /// Its cosine.
    pub(super) fn cos(self) -> Self {
        self.of_turn(libm::cos)
    }

    fn of_turn(self, of: fn(f64) -> f64) -> Self {
        if self == ZERO {
            return Self::exact(of(0.0));
        }
        let (middle, radius) = self.middle();
        if !middle.is_finite() || !radius.is_finite() {
            return Self { lo: -1.0, hi: 1.0 };
        }
        let value = of(middle);
        let off = radius + SINE_ULPS * f64::EPSILON * value.abs() + f64::MIN_POSITIVE;
        let found = Self::near(value, off.next_up());
        Self {
            lo: found.lo.max(-1.0),
            hi: found.hi.min(1.0),
        }
    }
}

/// `a · b`.
pub(super) fn dot(a: &Vec3Bounds, b: &Vec3Bounds) -> Enclosed {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

/// `a × b`.
pub(super) fn cross(a: &Vec3Bounds, b: &Vec3Bounds) -> Vec3Bounds {
    let entry = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

/// `|a|`.
pub(super) fn norm(a: &Vec3Bounds) -> Enclosed {
    a[0].square().add(a[1].square()).add(a[2].square()).root()
}

pub(super) fn sum(a: &Vec3Bounds, b: &Vec3Bounds) -> Vec3Bounds {
    [0, 1, 2].map(|k| a[k].add(b[k]))
}

pub(super) fn difference(a: &Vec3Bounds, b: &Vec3Bounds) -> Vec3Bounds {
    [0, 1, 2].map(|k| a[k].sub(b[k]))
}

pub(super) fn times(a: &Vec3Bounds, factor: Enclosed) -> Vec3Bounds {
    a.map(|x| x.mul(factor))
}

/// `M · x`.
pub(super) fn image(map: &Map3Bounds, x: &Vec3Bounds) -> Vec3Bounds {
    [0, 1, 2].map(|row| dot(&map[row], x))
}

/// `Mᵀ`.
pub(super) fn transposed(map: &Map3Bounds) -> Map3Bounds {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column: usize| map[column][row]))
}

/// A vector of floats.
pub(super) fn exactly(x: [f64; 3]) -> Vec3Bounds {
    x.map(Enclosed::exact)
}

/// A float vector inside, and how far any vector of the bounds is from it at most.
pub(super) fn rounded(x: &Vec3Bounds) -> ([f64; 3], f64) {
    let entries = x.map(Enclosed::middle);
    let off = entries.map(|(_, radius)| Enclosed::exact(radius));
    (entries.map(|(middle, _)| middle), norm(&off).hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_hold_what_integers_say() {
        let (a, b) = (Enclosed::exact(0.1), Enclosed::exact(0.2));
        let sum = a.add(b);
        assert!(sum.lo <= 0.3 && 0.300_000_000_000_000_04 <= sum.hi);
        assert!(sum.hi - sum.lo < 2e-16);
        let product = Enclosed { lo: -2.0, hi: 3.0 }.mul(Enclosed { lo: -5.0, hi: 0.5 });
        assert!(product.lo <= -15.0 && product.hi >= 10.0);
        assert!(product.lo > -15.001 && product.hi < 10.001);
        let square = Enclosed { lo: -2.0, hi: 1.0 }.square();
        assert_eq!(square.lo, 0.0);
        assert!(square.hi >= 4.0);
        let nothing = Enclosed::exact(f64::INFINITY).sub(Enclosed::exact(f64::INFINITY));
        assert_eq!((nothing.lo, nothing.hi), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// The series in wider arithmetic: a double and what it left over.
    #[test]
    fn sines_hold_those_of_a_series() {
        for k in 0..2000 {
            let x = f64::from(k) * 1e-3 - 1.0;
            let (mut term, mut low, mut high) = (x, 0.0_f64, x);
            for n in 1..14 {
                let n = f64::from(n);
                term *= -x * x / ((2.0 * n) * (2.0 * n + 1.0));
                let next = high + term;
                low += term - (next - high);
                high = next;
            }
            let sine = Enclosed::exact(x).sin();
            let far = f64::EPSILON * x.abs();
            assert!(
                sine.lo <= high + low + far && high + low - far <= sine.hi,
                "{x}"
            );
            assert!(sine.hi - sine.lo <= 8.0 * f64::EPSILON * x.abs() + 1e-300);
        }
        let wide = Enclosed { lo: 1.5, hi: 1.7 };
        let (sine, cosine) = (wide.sin(), wide.cos());
        assert_eq!(sine.hi, 1.0);
        assert!(cosine.lo <= 1.7_f64.cos() && 1.5_f64.cos() <= cosine.hi);
    }
}
