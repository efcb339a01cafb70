//! Symbolic directions: formulas over input points, and the signs of heights along them.
//!
//! Where it sits: between [`crate::number`], which computes, and [`crate::solver`], which needs the signs. Every decision of this
//! crate is one call of [`SignOracle::sign`](crate::SignOracle::sign): the sign of `direction · x`, a polynomial in differences
//! of input coordinates.
//!
//! Idea: a direction such as the normal of a facet is seldom a float vector. It is kept as what it is, a formula and the
//! vertices it is made of, and evaluated anew at each stage of precision. Nothing is divided or rounded.
//!
//! | direction | value | degree |
//! |---|---|---|
//! | [`DirectionKind::Given`] | three floats | 0 |
//! | [`DirectionKind::Point`] | `w` | 1 |
//! | [`DirectionKind::Across`] | `(−e_y, e_x, 0)`, `e = w₁ − w₀` | 1 |
//! | [`DirectionKind::Line`] | in the plane the normal of a facet | 1 |
//! | [`DirectionKind::Plane`] | in space the normal of a facet, `(w₁ − w₀) × (w₂ − w₀)` | 2 |
//! | [`DirectionKind::Around`] | `e × w`, `e = w₁ − w₀` | 2 |
//! | [`DirectionKind::Edge`] | `a·\|ab\|² − ab·(a·ab)` | 3 |
//! | [`DirectionKind::Outward`] | `ab × (ab × ac)` | 3 |
//!
//! Times one more difference: degrees 1 to 4. Written out, none has more than 144 monomials of single differences, within
//! the 1024 that [`crate::number`] allows.

use crate::integer::Int3;
use crate::number::{self, Dyadic, Filter, Number};
use crate::vertex::{Span, Vertex};

/// What a direction is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DirectionKind {
    /// Finite components.
    Given([f64; 3]),
    /// `w`.
    Point(Vertex),
    /// Some direction across the edge, in the plane of the first two axes.
    Across([Vertex; 2]),
    /// The normal of an edge in the plane: the edge rotated clockwise by a right angle.
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

/// A symbolic direction: a formula over vertices, perhaps negated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymbolicDirection {
    /// The formula.
    pub kind: DirectionKind,
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

impl From<DirectionKind> for SymbolicDirection {
    fn from(kind: DirectionKind) -> Self {
        Self {
            kind,
            negated: false,
        }
    }
}

impl core::ops::Neg for SymbolicDirection {
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

impl DirectionKind {
    /// The vector on a stage.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        let zero = || N::difference(0.0, 0.0);
        match self {
            DirectionKind::Given(d) => d.map(|x| N::difference(x, 0.0)),
            DirectionKind::Point(a) => a.difference(),
            DirectionKind::Across([a, b]) => {
                let [x, y, _] = edge::<N>(a, b);
                [y.negated(), x, zero()]
            }
            DirectionKind::Line([a, b]) => {
                let [x, y, _] = edge::<N>(a, b);
                [y, x.negated(), zero()]
            }
            DirectionKind::Plane([a, b, c]) => cross(&edge::<N>(a, b), &edge(a, c)),
            DirectionKind::Around([a, b, w]) => cross(&edge::<N>(a, b), &w.difference()),
            DirectionKind::Edge([a, b]) => {
                let (ab, a) = (edge::<N>(a, b), a.difference());
                let (squared, along) = (dot(&ab, &ab), dot(&a, &ab));
                core::array::from_fn(|k| a[k].times(&squared).minus(&ab[k].times(&along)))
            }
            DirectionKind::Outward([a, b, c]) => {
                let ab = edge::<N>(a, b);
                cross(&ab, &cross(&ab, &edge(a, c)))
            }
        }
    }

    pub(crate) fn span(&self) -> Span {
        let all = |v: &[Vertex]| v.iter().fold(Span::NOTHING, |span, v| span.with(v.span));
        match self {
            DirectionKind::Given(d) => Span::of(*d),
            DirectionKind::Point(a) => a.span,
            DirectionKind::Across(v) | DirectionKind::Line(v) | DirectionKind::Edge(v) => all(v),
            DirectionKind::Plane(v) | DirectionKind::Around(v) | DirectionKind::Outward(v) => {
                all(v)
            }
        }
    }

    pub(crate) fn degree(&self) -> i16 {
        match self {
            // Its components stand beside differences in one product.
            DirectionKind::Given(_)
            | DirectionKind::Point(_)
            | DirectionKind::Across(_)
            | DirectionKind::Line(_) => 1,
            DirectionKind::Plane(_) | DirectionKind::Around(_) => 2,
            DirectionKind::Edge(_) | DirectionKind::Outward(_) => 3,
        }
    }
}

impl SymbolicDirection {
    /// The vector on a stage.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        let vector = self.kind.vector::<N>();
        if self.negated {
            vector.map(|x| x.negated())
        } else {
            vector
        }
    }

    /// True when stages 1 to 3 can evaluate it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.kind.span().is_plain()
    }

    /// The vector as floats with largest component in `[1, 2)`, when they state it exactly up to a power of two.
    pub fn floats(&self) -> Option<[f64; 3]> {
        if !(self.is_plain() && self.kind.span().is_exact(self.kind.degree())) {
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
    /// The difference on a stage.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        match self {
            Operand::Vertex(w) => w.difference(),
            Operand::Between(from, to) => edge(from, to),
            Operand::Points(p, q) => core::array::from_fn(|k| N::difference(p[k], q[k])),
        }
    }

    pub(crate) fn span(&self) -> Span {
        match self {
            Operand::Vertex(w) => w.span,
            Operand::Between(from, to) => from.span.with(to.span),
            Operand::Points(p, q) => Span::of([p[0], p[1], p[2], q[0], q[1], q[2]]),
        }
    }
}

pub(crate) fn height<N: Number>(direction: &SymbolicDirection, x: &Operand) -> N {
    dot(&direction.vector::<N>(), &x.vector())
}

/// A vertex's point of one of the bodies.
type PointOf = fn(&Vertex) -> [f64; 3];

impl DirectionKind {
    /// Vertices that are all at one height along the direction, by its very definition.
    fn at_one_height(&self) -> &[Vertex] {
        match self {
            DirectionKind::Given(_) | DirectionKind::Point(_) | DirectionKind::Across(_) => &[],
            DirectionKind::Line(v) | DirectionKind::Edge(v) => v,
            DirectionKind::Plane(v) => v,
            DirectionKind::Around(v) | DirectionKind::Outward(v) => &v[..2],
        }
    }

    /// True when the height is zero by construction, whatever the coordinates.
    ///
    /// In a Minkowski difference this is common: two edges span a parallelogram. Say that two level vertices are linked when
    /// they share their point of A or of B; the points they do not share are then at one height in their own body. So along a
    /// chain of links all points of A are at one height, and all points of B, and so is every difference of them.
    pub(crate) fn is_zero_by_construction(&self, x: &Operand) -> bool {
        let level = self.at_one_height();
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use core::cmp::Ordering;

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
                    DirectionKind::Point(v[0]),
                    DirectionKind::Across([v[0], v[1]]),
                    DirectionKind::Line([v[0], v[1]]),
                ],
                3 => [
                    DirectionKind::Plane([v[0], v[1], v[2]]),
                    DirectionKind::Around([v[0], v[1], v[2]]),
                    DirectionKind::Given(v[0].a),
                ],
                _ => [
                    DirectionKind::Edge([v[0], v[1]]),
                    DirectionKind::Outward([v[0], v[1], v[2]]),
                    DirectionKind::Point(v[0]),
                ],
            };
            for shape in shapes {
                let (formula, x) = (SymbolicDirection::from(shape), Operand::Between(v[0], v[3]));
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
        let plane = SymbolicDirection::from(DirectionKind::Plane(corners));
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
        assert_eq!(
            SymbolicDirection::from(DirectionKind::Plane(long)).floats(),
            None
        );
        assert_eq!(
            SymbolicDirection::from(DirectionKind::Plane([corners[0]; 3])).floats(),
            None
        );
    }

    /// The fourth corner of a parallelogram is level with the other three, and ends of an edge with one another.
    #[test]
    fn what_is_zero_by_construction_by_construction_is_zero() {
        let (a, b) = (
            [[0.1, 0.7, 0.3], [1.3, 0.2, 0.9]],
            [[0.6, 0.5, 0.4], [0.3, 1.1, 0.2]],
        );
        let at = |i: usize, j: usize| Vertex::new([i as u32, j as u32], a[i], b[j]);
        let plane = DirectionKind::Plane([at(0, 0), at(1, 0), at(0, 1)]);
        assert!(plane.is_zero_by_construction(&Operand::Between(at(0, 0), at(1, 1))));
        assert!(
            plane.is_zero_by_construction(&Operand::Points(a[0], a[1]))
                && plane.is_zero_by_construction(&Operand::Points(b[0], b[1]))
        );
        assert!(!plane.is_zero_by_construction(&Operand::Vertex(at(0, 0))));
        let apart = DirectionKind::Plane([
            at(0, 0),
            at(1, 1),
            Vertex::new([2, 2], [5.0, 1.0, 1.0], [2.0, 3.0, 4.0]),
        ]);
        assert!(
            apart.is_zero_by_construction(&Operand::Between(at(0, 0), at(1, 1))),
            "both are corners"
        );
        assert!(
            !apart.is_zero_by_construction(&Operand::Between(at(0, 0), at(0, 1))),
            "no link"
        );
        assert!(!apart.is_zero_by_construction(&Operand::Points(a[0], a[1])));
        let edge = DirectionKind::Edge([at(0, 0), at(1, 0)]);
        assert!(
            edge.is_zero_by_construction(&Operand::Points(a[0], a[1]))
                && !edge.is_zero_by_construction(&Operand::Points(a[0], b[0]))
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
        let around = DirectionKind::Around([at(0, 0), at(1, 0), at(0, 1)]);
        assert!(
            around.is_zero_by_construction(&Operand::Points(a[0], a[1]))
                && !around.is_zero_by_construction(&Operand::Points(b[0], b[1]))
        );
    }
}
