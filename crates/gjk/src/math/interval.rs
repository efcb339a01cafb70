//! Two numbers between which the truth is.

use super::scalar::Scalar;
use core::fmt;
use core::ops::Neg;

/// A proven interval: `lower ≤ truth ≤ upper`.
///
/// The unit is that of the field that holds the interval: the caller's length for a distance or a depth. Of a signed
/// distance, positive numbers mean a gap and negative ones a penetration. An infinite end claims nothing: a lower end of
/// −∞ belongs to an overlap whose depth was not wanted, an upper end of +∞ to a search that a cut-off ended.
/// No end is NaN.
///
/// ```
/// use gjk::query::Interval;
/// let gap = Interval { lower: 1.0, upper: 1.5 };
/// assert_eq!((gap.middle(), gap.width()), (1.25, 0.5));
/// assert!(gap.contains(1.5) && !gap.contains(0.0));
/// assert_eq!(gap.to_string(), "[1, 1.5]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval<S> {
    /// At most the truth.
    pub lower: S,
    /// At least the truth.
    pub upper: S,
}

impl<S: Scalar> Interval<S> {
    /// The number halfway between the ends, in the same unit and with the same sign rule as they; it is never outside of them.
    ///
    /// It is the best single number for the truth, and off by at most half the [width](Interval::width). With one infinite
    /// end it is that end; of `[−∞, ∞]`, which says nothing, it is zero.
    #[inline]
    pub fn middle(&self) -> S {
        let half = S::from_f64(0.5);
        let sum = self.lower + self.upper;
        if sum.is_finite() {
            return sum * half;
        }
        if self.lower == -S::INFINITY && self.upper == S::INFINITY {
            return S::ZERO;
        }
        // The sum of two large ends leaves the range, the sum of their halves does not.
        self.lower * half + self.upper * half
    }

    /// The distance between the ends, rounded to nearest: never negative, zero where the truth is known exactly, infinite where
    /// an end is.
    #[inline]
    pub fn width(&self) -> S {
        if self.lower == self.upper {
            // Two equal infinities would make a NaN.
            S::ZERO
        } else {
            self.upper - self.lower
        }
    }

    /// True when the truth may be `value`: the ends belong to the interval. False for NaN.
    #[inline]
    pub fn contains(&self, value: S) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// True when some number is in both intervals, as it must be of two true answers to one question.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// True when both ends are finite, so that the truth is bounded on both sides.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }
}

/// The interval of minus the truth: the depth is minus the signed distance.
impl<S: Scalar> Neg for Interval<S> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

/// `[lower, upper]`; the format's precision is that of both numbers.
impl<S: fmt::Display> fmt::Display for Interval<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        self.lower.fmt(f)?;
        f.write_str(", ")?;
        self.upper.fmt(f)?;
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn of<S>(lower: S, upper: S) -> Interval<S> {
        Interval { lower, upper }
    }

    fn the_middle_is_between_the_ends_in<S: Scalar>() {
        let ends = [S::TINIEST, S::ONE, S::ONE.next_up(), S::MAX, S::INFINITY];
        let ends: [S; 11] = core::array::from_fn(|k| match k {
            0..5 => -ends[4 - k],
            5 => S::ZERO,
            _ => ends[k - 6],
        });
        for (k, &lower) in ends.iter().enumerate() {
            for &upper in &ends[k..] {
                let interval = of(lower, upper);
                let middle = interval.middle();
                assert!(interval.contains(middle), "[{lower}, {upper}]: {middle}");
                assert!(interval.width() >= S::ZERO, "[{lower}, {upper}]");
                assert_eq!(interval.is_finite(), lower.is_finite() && upper.is_finite());
                assert_eq!((-interval).middle(), -middle);
            }
        }
    }

    #[test]
    fn the_middle_is_between_the_ends() {
        the_middle_is_between_the_ends_in::<f32>();
        the_middle_is_between_the_ends_in::<f64>();
    }

    #[test]
    fn infinite_ends_claim_nothing() {
        let (inf, all) = (f64::INFINITY, of(f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((all.middle(), all.width()), (0.0, inf));
        assert_eq!(of(-inf, -1.0).middle(), -inf);
        assert_eq!((of(2.0, inf).middle(), of(2.0, inf).width()), (inf, inf));
        assert!(all.contains(inf) && all.contains(1e300) && !all.contains(f64::NAN));
        assert!(!all.is_finite() && of(-1.0_f32, f32::MAX).is_finite());
        assert_eq!(of(inf, inf).width(), 0.0);
    }

    #[test]
    fn ends_belong_to_the_interval() {
        let interval = of(-0.5_f32, 0.25);
        assert!(interval.contains(-0.5) && interval.contains(0.25));
        assert!(
            !interval.contains((-0.5_f32).next_down()) && !interval.contains(0.25_f32.next_up())
        );
        assert_eq!((interval.middle(), interval.width()), (-0.125, 0.75));
        assert_eq!(-interval, of(-0.25, 0.5));
        assert!(interval.overlaps(&of(0.25, 1.0)) && !interval.overlaps(&of(0.26, 1.0)));
    }

    #[test]
    fn an_interval_is_written_as_its_two_ends() {
        let interval = of(-1.0, 0.125);
        assert_eq!(
            format!("{interval} {interval:.1}"),
            "[-1, 0.125] [-1.0, 0.1]"
        );
    }
}
