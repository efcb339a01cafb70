//! The plane of a triangle in pairs of floats, with a bound known beforehand.
//!
//! Where it sits: the fast way through [`crate::measure::plane`], which has the slow ones. Read [`offset`] first.
//! Idea: [`crate::number::Double`] tracks what each operation drops; that costs more than the operations. Here the same
//! arithmetic runs without, since sizes alone bound all that is dropped. A pair `(x, x′)` stands for `x + x′` with
//! `|x′| ≤ u|x|`, `u = 2⁻⁵³`.
//!
//! # The bound
//!
//! Let `M` be the largest coordinate of the vertices' differences `W = h + l`, which two floats hold exactly, and `L` that of
//! the two edges, so that `L ≤ 2M`. To leading order:
//!
//! - *Edges* `E = W₁ − W₀`: `h₁ − h₀ = s + r` exactly; `r + (l₁ − l₀)` rounds by `2u²M` and `4u²M`: off by **`6u²M`**.
//! - *Normal* `N = E × E′`: of a product, `x·y′ + x′·y` rounds by `u²L²` twice and `2u²L²`, and `x′·y′ ≤ u²L²` is
//!   dropped; the edges' errors add `12u²LM`. Twice that, and four sums of parts of at most `8uL²` that round by
//!   `20u²L²`: `30u²L² + 24u²LM`, below **`84u²LM`** a component, each at most `2L²`.
//! - *Height* `H = N·W₀`: a product rounds by `8u²L²M` and drops `2u²L²M`; the normal's error adds `84u²LM²`. Three
//!   times that, and sums of parts of at most `28uL²M` that round by `130u²L²M`: below **`600u²LM²`**.
//! - *Length* `|N|`, from `N·N` as a pair, its float root `m`, and one correction: off by `40u²` of itself for rounding, and by
//!   `√3·84u²LM` for the normal's error.
//! - *Offset* `H / |N|`, a float quotient and one correction: rounds by `30u²` of itself. It is at most `√3M`, so that the
//!   length's error adds `252u²LM²/m`, and `70u²√3M ≤ 727u²LM²/m`, since `m ≤ 3L²` and `L ≤ 2M`.
//!
//! The sum is below 1600 `u²LM²/m`; [`EXACT_OFFSET_ROUNDINGS`] has room for higher orders and for the bound's own rounding.

use crate::number::{root, two_product, two_sum};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertex::Vertex;

/// Multiples of `u²LM²/m` that an offset may be off. Test: `an_offset_is_within_its_bound`.
const EXACT_OFFSET_ROUNDINGS: f64 = 2048.0;
/// `84u²LM` is at most 2⁻⁶u of the length: then the unit normal is off by less than 4 roundings a component.
const EXACT_NORMAL_ROUNDINGS: f64 = 84.0 * 64.0;

/// A sum of two floats.
type Pair = (f64, f64);

/// What is known of a triangle's plane.
pub(crate) struct Offset {
    /// Outer normal, unit to 4 roundings a component.
    pub(crate) normal: [f64; 3],
    /// The plane's signed distance from the origin, as a sum of two floats.
    pub(crate) offset: Pair,
    /// Bound of the offset's error.
    pub(crate) error: f64,
}

/// `x + y` as a pair; `y` is small beside `x`, or both are zero.
fn pair(x: f64, y: f64) -> Pair {
    let sum = x + y;
    (sum, y - (sum - x))
}

/// The product of two pairs, and the sum of its smaller parts.
fn product(x: Pair, y: Pair) -> Pair {
    let (high, low) = two_product(x.0, y.0);
    (high, low + (x.0 * y.1 + x.1 * y.0))
}

/// The sum of three products.
fn inner(x: [Pair; 3], y: [Pair; 3]) -> Pair {
    let (a, b, c) = (
        product(x[0], y[0]),
        product(x[1], y[1]),
        product(x[2], y[2]),
    );
    let (first, r) = two_sum(a.0, b.0);
    let (sum, s) = two_sum(first, c.0);
    pair(sum, (r + s) + ((a.1 + b.1) + c.1))
}

/// The difference of two products.
fn minor(a: Pair, b: Pair, c: Pair, d: Pair) -> Pair {
    let (p, q) = (product(a, b), product(c, d));
    let (high, low) = two_sum(p.0, -q.0);
    pair(high, low + (p.1 - q.1))
}

fn minus(a: [Pair; 3], b: [Pair; 3]) -> [Pair; 3] {
    let part = |k: usize| {
        let (high, low) = two_sum(a[k].0, -b[k].0);
        pair(high, low + (a[k].1 - b[k].1))
    };
    [part(0), part(1), part(2)]
}

fn largest(x: &[Pair; 3]) -> f64 {
    x.iter().fold(0.0, |m: f64, part| m.max(part.0.abs()))
}

/// The plane of a triangle of plain vertices; `None` for slivers, and where the offset is known to less than a rounding.
pub(crate) fn offset(facet: &[Vertex; 3]) -> Option<Offset> {
    let difference = |v: &Vertex| {
        let part = |k: usize| two_sum(v.a[k], -v.b[k]);
        [part(0), part(1), part(2)]
    };
    let w = [
        difference(&facet[0]),
        difference(&facet[1]),
        difference(&facet[2]),
    ];
    let (e, f) = (minus(w[1], w[0]), minus(w[2], w[0]));
    let size = largest(&w[0]).max(largest(&w[1])).max(largest(&w[2]));
    let reach = largest(&e).max(largest(&f));
    let normal = [
        minor(e[1], f[2], e[2], f[1]),
        minor(e[2], f[0], e[0], f[2]),
        minor(e[0], f[1], e[1], f[0]),
    ];
    let height = inner(normal, w[0]);
    let squared = inner(normal, normal);
    let length = root(squared.0);
    let shape = UNIT_ROUNDOFF * UNIT_ROUNDOFF * (reach * size);
    // NaN for a degenerate triangle.
    if !(EXACT_NORMAL_ROUNDINGS * shape <= length * UNIT_ROUNDOFF && length > 0.0) {
        return None;
    }
    let (m, n) = two_product(length, length);
    let correction = ((squared.0 - m) - n + squared.1) / (2.0 * length);
    let quotient = height.0 / length;
    let (p, q) = two_product(quotient, length);
    let rest = ((height.0 - p) - q) + (height.1 - quotient * correction);
    let offset = pair(quotient, rest / length);
    let error = EXACT_OFFSET_ROUNDINGS * shape * (size / length);
    let unit = normal.map(|x| x.0 / length);
    (error <= offset.0.abs() * (UNIT_ROUNDOFF / 16.0)).then_some(Offset {
        normal: unit,
        offset,
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::{DirectionKind, SymbolicDirection, dot};
    use crate::number::{Dyadic, Number};
    use core::cmp::Ordering::{Greater, Less};

    /// A coordinate in [-1, 1].
    fn next(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A triangle between two bodies far from the origin, of a size of its own, perhaps thin.
    fn triangle(state: &mut u64, far: f64, size: f64, thin: f64) -> [Vertex; 3] {
        let mut point = |center: [f64; 3], size: f64| center.map(|x| x + next(state) * size);
        let (a, b) = (point([far; 3], 1.0), point([far; 3], 1.0));
        let (p, q) = (point(a, size), point(b, size));
        let last = core::array::from_fn(|k| p[k] + (p[k] - a[k]) * 0.5);
        let last = point(last, size * thin);
        [
            Vertex::new([0; 2], a, b),
            Vertex::new([1, 0], p, b),
            Vertex::new([2; 2], last, [b, q][(far > 1.0) as usize]),
        ]
    }

    /// The true offset is within the error of the pair, by integers; and not always within a small part of it. Fails with
    /// the error left out, and with that of a sum or a product left out of the pairs.
    #[test]
    fn an_offset_is_within_its_bound() {
        let (mut state, mut told, mut wide) = (9, 0, 0);
        for case in 0..60_000 {
            let (far, size) = ([0.0, 1e3, 1e6][case % 3], [1.0, 1e-2, 1e-4][case / 3 % 3]);
            let facet = triangle(&mut state, far, size, [1.0, 1e-3, 1e-6][case / 9 % 3]);
            let Some(found) = offset(&facet) else {
                continue;
            };
            told += 1;
            let formula = SymbolicDirection::from(DirectionKind::Plane(facet));
            let n = formula.vector::<Dyadic>();
            let (height, squared) = (dot(&n, &facet[0].difference()), dot(&n, &n));
            // |offset|·|N| against |H|, squared: all positive.
            let exact = height.times(&height);
            let (high, low) = if found.offset.0 < 0.0 {
                (-found.offset.0, -found.offset.1)
            } else {
                found.offset
            };
            assert_eq!(
                height.sign(),
                Some(if found.offset.0 < 0.0 { Less } else { Greater })
            );
            let number = |x: f64| Dyadic::difference(x, 0.0);
            let beyond = |error: f64| {
                let end = number(high).plus(&number(low)).plus(&number(error));
                end.times(&end).times(&squared).minus(&exact).sign()
            };
            assert!(
                beyond(found.error) != Some(Less) && beyond(-found.error) != Some(Greater),
                "case {case}"
            );
            let part = found.error / 30_000.0;
            wide += u32::from(beyond(part) == Some(Less) || beyond(-part) == Some(Greater));
            // The normal, by component.
            for (k, part) in n.iter().enumerate() {
                for (sign, expected) in [(1.0, Greater), (-1.0, Less)] {
                    // N_k against (n_k ± 4u)·|N|: both sides squared, keeping the sign.
                    let end = found.normal[k] + sign * 2.0 * f64::EPSILON;
                    let square = |x: &Dyadic| {
                        let s = x.times(x);
                        if x.sign() == Some(Less) {
                            s.negated()
                        } else {
                            s
                        }
                    };
                    let end = square(&number(end)).times(&squared);
                    assert!(
                        end.minus(&square(part)).sign() != Some(expected.reverse()),
                        "case {case}"
                    );
                }
            }
        }
        assert!(told > 20_000 && wide > 100, "{told} {wide}");
    }
}
