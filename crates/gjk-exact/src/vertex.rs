//! Vertices of the Minkowski difference, and the powers of two that their coordinates lie between.
//!
//! Idea: the bits of the input coordinates show, before any arithmetic, whether floats compute a polynomial in them exactly,
//! and whether the stages before the integers neither overflow nor underflow.

use crate::number::Number;

/// The powers of two that some numbers lie between: all are below `2^high` and multiples of `2^low`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    low: i16,
    high: i16,
}

impl Span {
    pub(crate) const NOTHING: Self = Self {
        low: i16::MAX,
        high: i16::MIN,
    };

    #[inline]
    pub(crate) fn of<const N: usize>(values: [f64; N]) -> Self {
        let mut span = Self::NOTHING;
        for x in values {
            let bits = x.to_bits() & (u64::MAX >> 1);
            if bits == 0 {
                continue;
            }
            let biased = (bits >> 52) as i16;
            // The trailing zeros of the stored fraction are those of the mantissa, up to its hidden bit.
            let zeros = (bits | 1 << 52).trailing_zeros() as i16;
            // Normal numbers have their first bit just below 2^(biased − 1022), and their last stored one at 2^(biased − 1075).
            // Subnormals are below 2^-1022 and multiples of 2^-1074, which is all that a span states.
            let (low, high) = if biased == 0 {
                (-1074, -1022)
            } else {
                (biased - 1075 + zeros, biased - 1022)
            };
            span = span.with(Self { low, high });
        }
        span
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// As [`crate::number::in_range`]: stages 1 to 3 neither overflow nor underflow.
    pub(crate) fn is_plain(self) -> bool {
        self.high <= 200 && self.low >= -200
    }

    /// True when a polynomial of this degree in differences is exact in plain floats.
    ///
    /// A difference is a multiple of `2^low` below `2^(high+1)`; a monomial of degree `d` is a multiple of `2^(d·low)` below
    /// `2^(d·(high+1))`, and so is every partial sum of at most 144 of them with 8 bits more. All fit in 53 bits.
    pub(crate) fn is_exact(self, degree: i16) -> bool {
        // Nothing but zeros is exact too, and must not overflow here.
        self.high < self.low || degree * (self.high - self.low + 1) + 8 <= 53
    }
}

/// A vertex of the Minkowski difference, `w = a − b`, by the points that make it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Index in A and index in B.
    pub pair: [u32; 2],
    /// The point of A.
    pub a: [f64; 3],
    /// The point of B.
    pub b: [f64; 3],
    pub(crate) span: Span,
}

impl Vertex {
    /// A vertex of finite points.
    pub fn new(pair: [u32; 2], a: [f64; 3], b: [f64; 3]) -> Self {
        Self {
            pair,
            a,
            b,
            span: Span::of([a[0], a[1], a[2], b[0], b[1], b[2]]),
        }
    }

    /// True when stages 1 to 3 can compute with it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.span.is_plain()
    }

    /// True when both points coincide.
    pub fn is_zero(&self) -> bool {
        self.a == self.b
    }

    /// `a − b` on a stage.
    pub fn difference<N: Number>(&self) -> [N; 3] {
        core::array::from_fn(|k| N::difference(self.a[k], self.b[k]))
    }
}

/// True when polynomials of this degree in the vertices' differences are exact in plain floats.
pub(crate) fn exact_in_floats(vertices: &[Vertex], degree: i16) -> bool {
    let span = vertices
        .iter()
        .fold(Span::NOTHING, |span, v| span.with(v.span));
    span.is_plain() && span.is_exact(degree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(x: f64) -> (i16, i16) {
        let span = Span::of([0.0, x, -x]);
        (span.low, span.high)
    }

    #[test]
    fn a_span_is_between_the_first_bit_and_the_last() {
        let cases = [
            (1.0, (0, 1)),
            (0.5, (-1, 0)),
            (3.0, (0, 2)),
            (6.0, (1, 3)),
            (0.75, (-2, 0)),
            (1.0 + f64::EPSILON, (-52, 1)),
            (2f64.powi(199), (199, 200)),
            (2f64.powi(-200), (-200, -199)),
            (f64::MAX, (971, 1024)),
            (f64::MIN_POSITIVE, (-1022, -1021)),
            (f64::from_bits(1), (-1074, -1022)),
        ];
        for (x, expected) in cases {
            assert_eq!(span(x), expected, "{x:e}");
        }
        assert_eq!(Span::of([0.0, -0.0]), Span::NOTHING);
        assert_eq!(Span::of([6.0, 0.5, 0.0]), Span { low: -1, high: 3 });
        assert!(Span::of([2f64.powi(199), 2f64.powi(-200)]).is_plain());
        assert!(!Span::of([2f64.powi(200)]).is_plain() && !Span::of([2f64.powi(-201)]).is_plain());
        assert!(Span::NOTHING.is_plain() && Span::NOTHING.is_exact(4));
    }
}
