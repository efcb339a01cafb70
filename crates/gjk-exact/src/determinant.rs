//! Signs of determinants of two and three differences of points of one body: on which side of a plane, which way a turn.
//!
//! Where it sits: beside [`crate::sign`], whose formulas are of vertices of the Minkowski difference. Here nothing is known of pairs,
//! so the first stage is reached without preparation.
//! Numbers: degrees 2 and 3, of 2 and 6 monomials of differences.

use crate::integer::Int;
use crate::number::{
    Double, Dyadic, Expansion, Filter, IN_RANGE_BELOW, IN_RANGE_FROM, Number, in_range,
    power_of_two,
};
use core::cmp::Ordering;

/// The size of a value from which on a product that underflows is less than the room in the filter's bound: that is `2⁻⁵³⁻¹⁶` of the
/// size, and the few products are each off by less than the smallest float, 2⁻¹⁰⁷⁴. An overflow shows in the size.
const UNDERFLOW_ROOM: f64 = power_of_two(-900);

/// Two points: what is meant is the second less the first.
pub type Ends<const DIM: usize> = [[f64; DIM]; 2];

/// A polynomial in differences.
trait Formula {
    /// Its value on a stage.
    fn value<N: Number>(&self) -> N;

    /// Whether its coordinates are in the range of the stages before the integers.
    fn is_plain(&self) -> bool;

    /// Whether two of the differences are the same points': then the value is zero.
    fn has_copies(&self) -> bool;
}

struct Determinant2<'s>([&'s Ends<2>; 2]);
struct Determinant3<'s>([&'s Ends<3>; 3]);

#[inline(always)]
fn leaf<N: Number, const DIM: usize>(span: &Ends<DIM>, k: usize) -> N {
    N::difference(span[1][k], span[0][k])
}

/// Whether coordinates are in range: those of usual sizes, and zeros, are without a look at their bits.
#[inline(always)]
fn are_plain<const DIM: usize>(spans: &[&Ends<DIM>]) -> bool {
    let mut usual = true;
    for span in spans {
        for point in *span {
            for &x in point {
                usual &= (x == 0.0) | (x.abs() >= IN_RANGE_FROM) & (x.abs() < IN_RANGE_BELOW);
            }
        }
    }
    usual || in_range(spans.iter().flat_map(|span| span.iter().flatten().copied()))
}

impl Formula for Determinant2<'_> {
    #[inline(always)]
    fn value<N: Number>(&self) -> N {
        let [u, v] = self.0;
        let product = |i, j| leaf::<N, 2>(u, i).times(&leaf(v, j));
        product(0, 1).minus(&product(1, 0))
    }

    #[inline(always)]
    fn is_plain(&self) -> bool {
        are_plain(&self.0)
    }

    #[inline(always)]
    fn has_copies(&self) -> bool {
        let [u, v] = self.0;
        u == v
    }
}

impl Formula for Determinant3<'_> {
    #[inline(always)]
    fn value<N: Number>(&self) -> N {
        let [u, v, w] = self.0.map(|span| [0, 1, 2].map(|k| leaf::<N, 3>(span, k)));
        let minor = |i: usize, j: usize| v[i].times(&w[j]).minus(&v[j].times(&w[i]));
        u[0].times(&minor(1, 2))
            .plus(&u[1].times(&minor(2, 0)))
            .plus(&u[2].times(&minor(0, 1)))
    }

    #[inline(always)]
    fn is_plain(&self) -> bool {
        are_plain(&self.0)
    }

    #[inline(always)]
    fn has_copies(&self) -> bool {
        let [u, v, w] = self.0;
        u == v || v == w || w == u
    }
}

/// Whether some monomial has no factor that is zero: without one the value is zero, as on planes along the axes.
#[derive(Clone)]
struct Pattern(bool);

impl Number for Pattern {
    #[inline(always)]
    fn difference(a: f64, b: f64) -> Self {
        // A difference of floats is rounded to zero for equal ones only.
        Self(a != b)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn negated(&self) -> Self {
        self.clone()
    }

    #[inline(always)]
    fn sign(&self) -> Option<Ordering> {
        (!self.0).then_some(Ordering::Equal)
    }
}

#[inline(always)]
fn sign(formula: &impl Formula) -> Ordering {
    let value = formula.value::<Filter>();
    if value.size() == 0.0
        && let Some(sign) = formula.value::<Pattern>().sign()
    {
        return sign;
    }
    if value.size() > UNDERFLOW_ROOM
        && let Some(sign) = value.sign()
    {
        return sign;
    }
    in_range_or_not(formula)
}

/// The sign where the float alone does not tell: near zero, or near the ends of the range.
#[inline(never)]
fn in_range_or_not(formula: &impl Formula) -> Ordering {
    // A corner that two triangles share is on the plane of both.
    if formula.has_copies() {
        return Ordering::Equal;
    }
    let plain = formula.is_plain();
    if plain && let Some(sign) = formula.value::<Filter>().sign() {
        return sign;
    }
    by_later_stages(formula, plain)
}

#[cold]
#[inline(never)]
fn by_later_stages(formula: &impl Formula, plain: bool) -> Ordering {
    let by_floats = || {
        let double = formula.value::<Double>().sign();
        double.or_else(|| formula.value::<Expansion>().sign())
    };
    let decided = if plain { by_floats() } else { None };
    decided.unwrap_or_else(|| formula.value::<Dyadic>().mantissa().cmp(&Int::ZERO))
}

/// The sign of the determinant of two differences in the plane: greater where the second is counter-clockwise of the first.
///
/// # Accuracy  exact for finite coordinates.
/// # Examples
/// ```
/// use core::cmp::Ordering;
/// use gjk_exact::determinant::sign_2;
/// let origin = [0.0, 0.0];
/// assert_eq!(sign_2(&[origin, [1.0, 0.0]], &[origin, [5.0, 1e-300]]), Ordering::Greater);
/// ```
pub fn sign_2(u: &Ends<2>, v: &Ends<2>) -> Ordering {
    sign(&Determinant2([u, v]))
}

/// The sign of the determinant of three differences: greater where they are a right-handed frame.
///
/// # Accuracy  exact for finite coordinates.
/// # Examples
/// ```
/// use core::cmp::Ordering;
/// use gjk_exact::determinant::sign_3;
/// let at = [0.1, 0.2, 0.3];
/// let [u, v, w] = [[1.1, 0.2, 0.3], [0.1, 1.2, 0.3], [0.1, 0.2, 0.3 + 1e-16]];
/// assert_eq!(sign_3(&[at, u], &[at, v], &[at, w]), Ordering::Greater);
/// assert_eq!(sign_3(&[at, v], &[at, u], &[at, w]), Ordering::Less);
/// ```
pub fn sign_3(u: &Ends<3>, v: &Ends<3>, w: &Ends<3>) -> Ordering {
    sign(&Determinant3([u, v, w]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AdaptiveSigns, DirectionKind, Operand, SignOracle, Vertex};

    /// Products of these are rounded to the same subnormal number, and differ.
    #[test]
    fn products_that_underflow_decide_nothing() {
        let (small, tiny) = (power_of_two(-540), power_of_two(-530));
        let origin = [0.0; 2];
        let [u, v] = [[small, small], [tiny, tiny * (1.0 + f64::EPSILON)]];
        assert_eq!(sign_2(&[origin, u], &[origin, v]), Ordering::Greater);
        assert_eq!(sign_2(&[origin, v], &[origin, u]), Ordering::Less);
    }

    /// Against the formulas of vertices, on coordinates of all sizes and on such that make zeros.
    #[test]
    fn it_is_the_sign_of_the_other_ladder() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut counts = [0; 3];
        for case in 0..20_000 {
            let mut coordinate = || match case % 4 {
                0 => next(5) as f64 - 2.0,
                1 => (next(7) as f64 - 3.0) * 0.1,
                2 => f64::from_bits((next(2046) << 52) | next(1 << 31) | (next(2) << 63)),
                _ => (next(1 << 20) as f64).mul_add(1e-9, 1.0),
            };
            let mut span = || {
                [
                    [coordinate(), coordinate(), coordinate()],
                    [coordinate(), coordinate(), coordinate()],
                ]
            };
            let [u, v, w] = [span(), span(), span()];
            let vertex = |s: &Ends<3>| Vertex::new([0; 2], s[1], s[0]);
            let zero = Vertex::new([0; 2], [0.0; 3], [0.0; 3]);
            let plane = DirectionKind::Plane([zero, vertex(&u), vertex(&v)]);
            let expected =
                AdaptiveSigns::default().sign(&plane.into(), &Operand::Points(w[1], w[0]));
            assert_eq!(sign_3(&u, &v, &w), expected, "{u:?} {v:?} {w:?}");
            counts[(expected as i8 + 1) as usize] += 1;
            let flat = |s: &Ends<3>| s.map(|[x, y, _]| [x, y]);
            let in_plane =
                |s: &Ends<3>| Vertex::new([0; 2], [s[1][0], s[1][1], 0.0], [s[0][0], s[0][1], 0.0]);
            let line = DirectionKind::Line([zero, in_plane(&u)]);
            let operand = Operand::Points([v[1][0], v[1][1], 0.0], [v[0][0], v[0][1], 0.0]);
            let expected = AdaptiveSigns::default()
                .sign(&line.into(), &operand)
                .reverse();
            assert_eq!(sign_2(&flat(&u), &flat(&v)), expected, "{u:?} {v:?}");
        }
        assert!(counts.iter().all(|&n| n > 500), "{counts:?}");
    }
}
