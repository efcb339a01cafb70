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
use crate::number::{self, Double, Dyadic, Expansion, Filter, Number, in_range};
use core::cell::Cell;
use core::cmp::Ordering;
use core::marker::PhantomData;

/// A vertex of the Minkowski difference, `w = a − b`, by the points that make it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Index in A and index in B.
    pub pair: [u32; 2],
    /// The point of A.
    pub a: [f64; 3],
    /// The point of B.
    pub b: [f64; 3],
    plain: bool,
}

impl Vertex {
    /// A vertex of finite points.
    pub fn new(pair: [u32; 2], a: [f64; 3], b: [f64; 3]) -> Self {
        Self { pair, a, b, plain: in_range(a.into_iter().chain(b)) }
    }

    /// True when rungs 1 to 3 can compute with it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.plain
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
        Self { shape, negated: false }
    }
}

impl core::ops::Neg for Formula {
    type Output = Self;
    fn neg(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

pub(crate) fn dot<N: Number>(a: &[N; 3], b: &[N; 3]) -> N {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
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

    fn plain(&self) -> bool {
        match self {
            Shape::Given(d) => in_range(d.iter().copied()),
            Shape::Point(a) => a.plain,
            Shape::Across(v) | Shape::Line(v) | Shape::Edge(v) => v.iter().all(|v| v.plain),
            Shape::Plane(v) | Shape::Around(v) | Shape::Outward(v) => v.iter().all(|v| v.plain),
        }
    }
}

impl Formula {
    /// The vector on a rung.
    pub fn vector<N: Number>(&self) -> [N; 3] {
        let vector = self.shape.vector::<N>();
        if self.negated { vector.map(|x| x.negated()) } else { vector }
    }

    /// True when rungs 1 to 3 can evaluate it (see [`crate::number::in_range`]).
    pub fn is_plain(&self) -> bool {
        self.shape.plain()
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

    fn plain(&self) -> bool {
        match self {
            Operand::Vertex(w) => w.plain,
            Operand::Between(from, to) => from.plain && to.plain,
            Operand::Points(p, q) => in_range(p.iter().chain(q).copied()),
        }
    }
}

fn height<N: Number>(direction: &Formula, x: &Operand) -> N {
    dot(&direction.vector::<N>(), &x.vector())
}

/// Who decides signs: the ladder, or in tests a single kind of number.
pub trait Signs {
    /// The sign of `direction · x`.
    fn sign(&self, direction: &Formula, x: &Operand) -> Ordering;
}

/// How many signs each rung decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By floats with an error bound.
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
        let decided = if !plain {
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
        let plain = direction.shape.plain() && x.plain();
        if plain && let Some(sign) = height::<Filter>(direction, x).sign() {
            let mut tally = self.tally.get();
            tally.filter += 1;
            self.tally.set(tally);
            return sign;
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
        height::<N>(direction, x).sign().expect("an exact number has a sign")
    }
}
