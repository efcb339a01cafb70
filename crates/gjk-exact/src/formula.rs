//! Directions as formulas over input points, and the signs of heights along them.
//!
//! Where it sits: between [`crate::number`], which computes, and [`crate::solver`], which asks. Every decision of this
//! crate is one call of [`Signs::sign`]: the sign of `direction · x`, a polynomial in differences of input coordinates.
//!
//! Idea: a direction such as the normal of a facet is seldom a float vector. It is kept as what it is, a formula and the
//! vertices it is made of, and evaluated anew on each rung of the ladder that is asked. Nothing is divided or rounded.
//!
//! | direction | value | degree |
//! |---|---|---|
//! | [`Shape::Given`] | three floats | 0 |
//! | [`Shape::Point`] | `w` | 1 |
//! | [`Shape::Across`] | `(−e_y, e_x, 0)`, `e = w₁ − w₀` | 1 |
//! | [`Shape::Line`] | in the plane the normal of a facet | 1 |
//! | [`Shape::Plane`] | in space the normal of a facet, `(w₁ − w₀) × (w₂ − w₀)` | 2 |
//! | [`Shape::Around`] | `e × w`, `e = w₁ − w₀` | 2 |
//! | [`Shape::Edge`] | `a·\|ab\|² − ab·(a·ab)` | 3 |
//! | [`Shape::Outward`] | `ab × (ab × ac)` | 3 |
//!
//! Times one more difference: degrees 1 to 4. Written out, none has more than 144 monomials of single differences, within
//! the 1024 that [`crate::number`] allows.

use crate::integer::{Int, Int3};
use crate::number::{self, Double, Dyadic, Expansion, Filter, Number};
use core::cell::Cell;
use core::cmp::Ordering;
use core::marker::PhantomData;

/// The powers of two that some numbers lie between: all are below `2^high` and multiples of `2^low`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    low: i16,
    high: i16,
}

impl Span {
    const NOTHING: Self = Self {
        low: i16::MAX,
        high: i16::MIN,
    };

    #[inline]
    fn of<const N: usize>(values: [f64; N]) -> Self {
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
            // Subnormals are below 2^-1022 and multiples of 2^-1074, which is all that is asked of them.
            let (low, high) = if biased == 0 {
                (-1074, -1022)
            } else {
                (biased - 1075 + zeros, biased - 1022)
            };
            span = span.with(Self { low, high });
        }
        span
    }

    fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// As [`crate::number::in_range`]: rungs 1 to 3 neither overflow nor underflow.
    fn is_plain(self) -> bool {
        self.high <= 200 && self.low >= -200
    }

    /// True when a polynomial of this degree in differences is exact in plain floats.
    ///
    /// A difference is a multiple of `2^low` below `2^(high+1)`; a monomial of degree `d` is a multiple of `2^(d·low)` below
    /// `2^(d·(high+1))`, and so is every partial sum of at most 144 of them with 8 bits more. All fit in 53 bits.
    fn is_exact(self, degree: i16) -> bool {
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
    span: Span,
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

    /// True when rungs 1 to 3 can compute with it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.span.is_plain()
    }

    /// True when both points coincide.
    pub fn is_zero(&self) -> bool {
        self.a == self.b
    }

    /// `a − b` on a rung.
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

/// What a direction is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Finite components.
    Given([f64; 3]),
    /// `w`.
    Point(Vertex),
    /// Some direction across the edge, in the plane of the first two axes.
    Across([Vertex; 2]),
    /// The normal of an edge in the plane: the edge turned clockwise.
    Line([Vertex; 2]),
    /// The normal of a triangle, counter-clockwise from its tip.
    Plane([Vertex; 3]),
    /// The edge crossed with `w` of the third vertex.
    Around([Vertex; 3]),
    /// From the origin to the edge's line, orthogonally.
    Edge([Vertex; 2]),
    /// In the triangle's plane, out of it or into it across its first edge: `ab × (ab × ac)`.
    Outward([Vertex; 3]),
}

/// A direction: a formula, perhaps negated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// The formula.
    pub shape: Shape,
    /// Whether its negative is meant.
    pub negated: bool,
}

/// What a height is taken of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// `w`.
    Vertex(Vertex),
    /// `w₁ − w₀`.
    Between(Vertex, Vertex),
    /// `p − q`, both of one body.
    Points([f64; 3], [f64; 3]),
}

impl From<Shape> for Formula {
    fn from(shape: Shape) -> Self {
        Self {
            shape,
            negated: false,
        }
    }
}

impl core::ops::Neg for Formula {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            negated: !self.negated,
            ..self
        }
    }
}

pub(crate) fn dot<N: Number>(a: &[N; 3], b: &[N; 3]) -> N {
    a[0].times(&b[0])
        .plus(&a[1].times(&b[1]))
        .plus(&a[2].times(&b[2]))
}

pub(crate) fn cross<N: Number>(a: &[N; 3], b: &[N; 3]) -> [N; 3] {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn edge<N: Number>(from: &Vertex, to: &Vertex) -> [N; 3] {
    // Where the edge belongs to one body the other's point drops out, and with it a rounding.
    core::array::from_fn(|k| {
        if from.b == to.b {
            N::difference(to.a[k], from.a[k])
        } else if from.a == to.a {
            N::difference(from.b[k], to.b[k])
        } else {
            N::difference(to.a[k], to.b[k]).minus(&N::difference(from.a[k], from.b[k]))
        }
    })
}

impl Shape {
    /// The vector on a rung.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        let zero = || N::difference(0.0, 0.0);
        match self {
            Shape::Given(d) => d.map(|x| N::difference(x, 0.0)),
            Shape::Point(a) => a.difference(),
            Shape::Across([a, b]) => {
                let [x, y, _] = edge::<N>(a, b);
                [y.negated(), x, zero()]
            }
            Shape::Line([a, b]) => {
                let [x, y, _] = edge::<N>(a, b);
                [y, x.negated(), zero()]
            }
            Shape::Plane([a, b, c]) => cross(&edge::<N>(a, b), &edge(a, c)),
            Shape::Around([a, b, w]) => cross(&edge::<N>(a, b), &w.difference()),
            Shape::Edge([a, b]) => {
                let (ab, a) = (edge::<N>(a, b), a.difference());
                let (squared, along) = (dot(&ab, &ab), dot(&a, &ab));
                core::array::from_fn(|k| a[k].times(&squared).minus(&ab[k].times(&along)))
            }
            Shape::Outward([a, b, c]) => {
                let ab = edge::<N>(a, b);
                cross(&ab, &cross(&ab, &edge(a, c)))
            }
        }
    }

    fn span(&self) -> Span {
        let all = |v: &[Vertex]| v.iter().fold(Span::NOTHING, |span, v| span.with(v.span));
        match self {
            Shape::Given(d) => Span::of(*d),
            Shape::Point(a) => a.span,
            Shape::Across(v) | Shape::Line(v) | Shape::Edge(v) => all(v),
            Shape::Plane(v) | Shape::Around(v) | Shape::Outward(v) => all(v),
        }
    }

    fn degree(&self) -> i16 {
        match self {
            // Its components stand beside differences in one product.
            Shape::Given(_) | Shape::Point(_) | Shape::Across(_) | Shape::Line(_) => 1,
            Shape::Plane(_) | Shape::Around(_) => 2,
            Shape::Edge(_) | Shape::Outward(_) => 3,
        }
    }
}

impl Formula {
    /// The vector on a rung.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        let vector = self.shape.vector::<N>();
        if self.negated {
            vector.map(|x| x.negated())
        } else {
            vector
        }
    }

    /// True when rungs 1 to 3 can evaluate it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.shape.span().is_plain()
    }

    /// The vector as floats with largest component in `[1, 2)`, when they state it exactly up to a power of two.
    pub fn floats(&self) -> Option<[f64; 3]> {
        if !(self.is_plain() && self.shape.span().is_exact(self.shape.degree())) {
            return None;
        }
        let floats = self.vector::<Filter>().map(|x| x.value());
        // Plain and of degree at most 3: magnitudes are between 2^-600 and 2^613, so the power and the products are normal.
        let largest = floats.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let exponent = (largest.to_bits() >> 52) as i64 - 1023;
        let power = f64::from_bits(((1023 - exponent) as u64) << 52);
        (largest > 0.0).then(|| floats.map(|x| x * power))
    }

    /// The vector as integers, times some power of two.
    pub fn integers(&self) -> Int3 {
        let [x, y, z] = self.vector::<Dyadic>();
        number::common([&x, &y, &z])
    }
}

impl Operand {
    /// The difference on a rung.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        match self {
            Operand::Vertex(w) => w.difference(),
            Operand::Between(from, to) => edge(from, to),
            Operand::Points(p, q) => core::array::from_fn(|k| N::difference(p[k], q[k])),
        }
    }

    fn span(&self) -> Span {
        match self {
            Operand::Vertex(w) => w.span,
            Operand::Between(from, to) => from.span.with(to.span),
            Operand::Points(p, q) => Span::of([p[0], p[1], p[2], q[0], q[1], q[2]]),
        }
    }
}

fn height<N: Number>(direction: &Formula, x: &Operand) -> N {
    dot(&direction.vector::<N>(), &x.vector())
}

/// A vertex's point of one of the bodies.
type PointOf = fn(&Vertex) -> [f64; 3];

impl Shape {
    /// Vertices that are all at one height along the direction, by its very definition.
    fn level(&self) -> &[Vertex] {
        match self {
            Shape::Given(_) | Shape::Point(_) | Shape::Across(_) => &[],
            Shape::Line(v) | Shape::Edge(v) => v,
            Shape::Plane(v) => v,
            Shape::Around(v) | Shape::Outward(v) => &v[..2],
        }
    }

    /// True when the height is zero by construction, whatever the coordinates.
    ///
    /// In a Minkowski difference this is common: two edges span a parallelogram. Say that two level vertices are linked when
    /// they share their point of A or of B; the points they do not share are then at one height in their own body. So along a
    /// chain of links all points of A are at one height, and all points of B, and so is every difference of them.
    fn is_level(&self, x: &Operand) -> bool {
        let level = self.level();
        let linked = |u: &Vertex, v: &Vertex| u.a == v.a || u.b == v.b;
        let chained = |u: &Vertex, v: &Vertex| {
            linked(u, v) || level.iter().any(|k| linked(u, k) && linked(k, v))
        };
        let joined = |p: PointOf, x: [f64; 3], q: PointOf, y: [f64; 3]| {
            let ends = |point: PointOf, at: [f64; 3]| level.iter().filter(move |v| point(v) == at);
            ends(p, x).any(|u| ends(q, y).any(|v| chained(u, v)))
        };
        let (a, b): (PointOf, PointOf) = (|v| v.a, |v| v.b);
        match x {
            Operand::Vertex(_) => false,
            Operand::Points(p, q) => joined(a, *p, a, *q) || joined(b, *p, b, *q),
            Operand::Between(from, to) => {
                let held = |w: &Vertex| joined(a, w.a, b, w.b);
                held(from) && held(to)
            }
        }
    }
}

/// Who decides signs: the ladder, or in tests a single kind of number.
pub trait Signs {
    /// The sign of `direction · x`.
    fn sign(&self, direction: &Formula, x: &Operand) -> Ordering;
}

/// How many signs each rung decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By floats with an error bound, where floats are exact, or without a look at the coordinates.
    pub filter: u32,
    /// By pairs of floats with an error bound.
    pub double: u32,
    /// By expansions.
    pub expansion: u32,
    /// By big integers.
    pub integer: u32,
}

/// The ladder: each rung is asked only when the one before could not tell.
///
/// Points outside [`crate::number::in_range`] go to the integers at once, since the other rungs would overflow
/// or underflow.
#[derive(Debug, Default)]
pub struct Ladder {
    tally: Cell<Tally>,
}

impl Ladder {
    /// How many signs each rung decided so far.
    pub fn tally(&self) -> Tally {
        self.tally.get()
    }

    #[cold]
    fn climb(&self, direction: &Formula, x: &Operand, plain: bool) -> Ordering {
        let mut tally = self.tally.get();
        let decided = if direction.shape.is_level(x) {
            tally.filter += 1;
            Some(Ordering::Equal)
        } else if !plain {
            None
        } else if let Some(sign) = height::<Double>(direction, x).sign() {
            tally.double += 1;
            Some(sign)
        } else {
            let sign = height::<Expansion>(direction, x).sign();
            tally.expansion += u32::from(sign.is_some());
            sign
        };
        let sign = decided.unwrap_or_else(|| {
            tally.integer += 1;
            height::<Dyadic>(direction, x).mantissa().cmp(&Int::ZERO)
        });
        self.tally.set(tally);
        sign
    }
}

impl Signs for Ladder {
    fn sign(&self, direction: &Formula, x: &Operand) -> Ordering {
        let span = direction.shape.span().with(x.span());
        let plain = span.is_plain();
        if plain {
            let height = height::<Filter>(direction, x);
            let sign = if span.is_exact(direction.shape.degree() + 1) {
                height.value().partial_cmp(&0.0)
            } else {
                height.sign()
            };
            if let Some(sign) = sign {
                let mut tally = self.tally.get();
                tally.filter += 1;
                self.tally.set(tally);
                return sign;
            }
        }
        self.climb(direction, x, plain)
    }
}

/// Signs on one kind of exact number only, for tests: integers against the ladder.
#[derive(Debug, Default)]
pub struct Only<N>(PhantomData<N>);

impl<N> Only<N> {
    /// The decider.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<N: Number> Signs for Only<N> {
    /// # Panics  when the number is not exact and cannot tell.
    fn sign(&self, direction: &Formula, x: &Operand) -> Ordering {
        height::<N>(direction, x)
            .sign()
            .expect("an exact number has a sign")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

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

    /// At the widest span that counts as exact, floats and integers agree on every formula; a zero is a zero.
    #[test]
    fn what_counts_as_exact_in_floats_is() {
        let mut state = 7_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut exact = [0; 5];
        for case in 0..20_000 {
            // Bits a coordinate: the most that a degree allows, and one more, which must be refused.
            let degree = 2 + case % 3;
            let bits = 45 / degree - 1 + i32::from(case % 7 == 0);
            let mut coordinate =
                || (below(1 << bits) as f64) * if below(2) == 0 { -1.0 } else { 1.0 };
            let mut point = || [coordinate(), coordinate(), coordinate()];
            let v: Vec<Vertex> = (0..4)
                .map(|k| Vertex::new([k, k], point(), point()))
                .collect();
            let shapes = match degree {
                2 => [
                    Shape::Point(v[0]),
                    Shape::Across([v[0], v[1]]),
                    Shape::Line([v[0], v[1]]),
                ],
                3 => [
                    Shape::Plane([v[0], v[1], v[2]]),
                    Shape::Around([v[0], v[1], v[2]]),
                    Shape::Given(v[0].a),
                ],
                _ => [
                    Shape::Edge([v[0], v[1]]),
                    Shape::Outward([v[0], v[1], v[2]]),
                    Shape::Point(v[0]),
                ],
            };
            for shape in shapes {
                let (formula, x) = (Formula::from(shape), Operand::Between(v[0], v[3]));
                let span = shape.span().with(x.span());
                if !span.is_exact(shape.degree() + 1) {
                    continue;
                }
                let float = height::<Filter>(&formula, &x).value();
                let truth = height::<Dyadic>(&formula, &x).minus(&Dyadic::difference(float, 0.0));
                assert_eq!(
                    truth.sign(),
                    Some(Ordering::Equal),
                    "case {case}: {formula:?}"
                );
                exact[usize::from(shape.degree() as u16) + 1] += 1;
            }
        }
        assert!(exact[2..].iter().all(|&n| n > 1000), "{exact:?}");
    }

    /// Directions stated by floats are the formula's, up to a positive factor; long ones are left to integers.
    #[test]
    fn stated_floats_are_the_formula() {
        let vertex = |p: [f64; 3]| Vertex::new([0; 2], p, [0.5, 0.25, 0.0]);
        let corners = [
            vertex([0.0; 3]),
            vertex([3.0, 1.0, 0.0]),
            vertex([1.0, 4.0, 2.0]),
        ];
        let plane = Formula::from(Shape::Plane(corners));
        // (3, 1, 0) × (1, 4, 2) = (2, −6, 11).
        assert_eq!(plane.floats(), Some([2.0 / 8.0, -6.0 / 8.0, 11.0 / 8.0]));
        assert_eq!(
            (-plane).floats(),
            Some([-2.0 / 8.0, 6.0 / 8.0, -11.0 / 8.0])
        );
        assert_eq!(
            plane.integers().map(|x| i64::try_from(&x).ok()),
            [Some(2), Some(-6), Some(11)]
        );
        let long = [
            vertex([0.0; 3]),
            vertex([1.0 / 3.0, 0.7, 0.0]),
            vertex([0.3, 1e-9, 2.0]),
        ];
        assert_eq!(Formula::from(Shape::Plane(long)).floats(), None);
        assert_eq!(Formula::from(Shape::Plane([corners[0]; 3])).floats(), None);
    }

    /// The fourth corner of a parallelogram is level with the other three, and ends of an edge with one another.
    #[test]
    fn what_is_level_by_construction_is_zero() {
        let (a, b) = (
            [[0.1, 0.7, 0.3], [1.3, 0.2, 0.9]],
            [[0.6, 0.5, 0.4], [0.3, 1.1, 0.2]],
        );
        let at = |i: usize, j: usize| Vertex::new([i as u32, j as u32], a[i], b[j]);
        let plane = Shape::Plane([at(0, 0), at(1, 0), at(0, 1)]);
        assert!(plane.is_level(&Operand::Between(at(0, 0), at(1, 1))));
        assert!(
            plane.is_level(&Operand::Points(a[0], a[1]))
                && plane.is_level(&Operand::Points(b[0], b[1]))
        );
        assert!(!plane.is_level(&Operand::Vertex(at(0, 0))));
        let apart = Shape::Plane([
            at(0, 0),
            at(1, 1),
            Vertex::new([2, 2], [5.0, 1.0, 1.0], [2.0, 3.0, 4.0]),
        ]);
        assert!(
            apart.is_level(&Operand::Between(at(0, 0), at(1, 1))),
            "both are corners"
        );
        assert!(
            !apart.is_level(&Operand::Between(at(0, 0), at(0, 1))),
            "no link"
        );
        assert!(!apart.is_level(&Operand::Points(a[0], a[1])));
        let edge = Shape::Edge([at(0, 0), at(1, 0)]);
        assert!(
            edge.is_level(&Operand::Points(a[0], a[1]))
                && !edge.is_level(&Operand::Points(a[0], b[0]))
        );
        // Every claim holds in integers.
        for (shape, x) in [
            (plane, Operand::Between(at(0, 0), at(1, 1))),
            (edge, Operand::Points(a[0], a[1])),
        ] {
            assert_eq!(
                height::<Dyadic>(&shape.into(), &x).sign(),
                Some(Ordering::Equal)
            );
        }
        let around = Shape::Around([at(0, 0), at(1, 0), at(0, 1)]);
        assert!(
            around.is_level(&Operand::Points(a[0], a[1]))
                && !around.is_level(&Operand::Points(b[0], b[1]))
        );
    }
}
