//! The numbers of the oracle: grid coordinates, their floats, and exact products.
//!
//! Idea: all coordinates of a case are integers on one power-of-two grid, relative to A's first point. Small ones
//! compute in machine words, long ones propose by words and decide by big integers, the rest is big integers all along.

use gjk_exact::Int;
use std::cmp::Ordering;

/// Integers that never overflow for what the oracle asks of them.
pub(crate) trait Exact: Clone + Ord {
    /// Zero.
    fn zero() -> Self;
    /// `self + other`.
    fn add(&self, other: &Self) -> Self;
    /// `self - other`.
    fn sub(&self, other: &Self) -> Self;
    /// `self * other`.
    fn mul(&self, other: &Self) -> Self;
    /// The value as a big integer.
    fn big(&self) -> Int;
    /// The value to within half a rounding.
    fn approximate(&self) -> f64;

    /// The sign.
    fn sign(&self) -> Ordering {
        self.cmp(&Self::zero())
    }
}

impl Exact for i128 {
    fn zero() -> Self {
        0
    }
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn sub(&self, other: &Self) -> Self {
        self - other
    }
    fn mul(&self, other: &Self) -> Self {
        self * other
    }
    fn big(&self) -> Int {
        Int::from(*self)
    }
    fn approximate(&self) -> f64 {
        *self as f64
    }
}

impl Exact for Int {
    fn zero() -> Self {
        Int::ZERO
    }
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn sub(&self, other: &Self) -> Self {
        self - other
    }
    fn mul(&self, other: &Self) -> Self {
        self * other
    }
    fn big(&self) -> Int {
        self.clone()
    }
    fn approximate(&self) -> f64 {
        self.to_f64().value()
    }
}

/// A grid coordinate.
pub(crate) trait Coord: Clone + PartialEq {
    /// What its products are exact in.
    type Exact: Exact;
    /// The coordinate, for exact products.
    fn exact(&self) -> Self::Exact;
    /// The coordinate to within half a rounding.
    fn float(&self) -> f64;
    /// `(q − p) × (s − r)`, each component to within half a rounding.
    fn cross(p: &[Self; 3], q: &[Self; 3], r: &[Self; 3], s: &[Self; 3]) -> [f64; 3];
}

/// Below 2²⁹: products of degree 4 fit 128 bits, of degree 2 fit 64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Short(pub i64);
/// Below 2⁵⁹: products of degree 2 fit 128 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Long(pub i64);

/// [`Short`] coordinates are below this.
pub(crate) const SHORT_BITS: u32 = 29;
/// [`Long`] coordinates are below this.
pub(crate) const LONG_BITS: i32 = 59;
/// Beyond this many bits the floats of the oracle's proposals, and of squares of degree six, could overflow.
pub(crate) const BITS_MAX: i32 = 170;

impl Coord for Short {
    type Exact = i128;
    fn exact(&self) -> i128 {
        i128::from(self.0)
    }
    fn float(&self) -> f64 {
        self.0 as f64
    }
    fn cross(p: &[Self; 3], q: &[Self; 3], r: &[Self; 3], s: &[Self; 3]) -> [f64; 3] {
        let e: [i64; 3] = std::array::from_fn(|k| q[k].0 - p[k].0);
        let f: [i64; 3] = std::array::from_fn(|k| s[k].0 - r[k].0);
        [
            e[1] * f[2] - e[2] * f[1],
            e[2] * f[0] - e[0] * f[2],
            e[0] * f[1] - e[1] * f[0],
        ]
        .map(|x| x as f64)
    }
}

impl Coord for Long {
    type Exact = Int;
    fn exact(&self) -> Int {
        Int::from(self.0)
    }
    fn float(&self) -> f64 {
        self.0 as f64
    }
    fn cross(p: &[Self; 3], q: &[Self; 3], r: &[Self; 3], s: &[Self; 3]) -> [f64; 3] {
        let e: [i128; 3] = std::array::from_fn(|k| i128::from(q[k].0 - p[k].0));
        let f: [i128; 3] = std::array::from_fn(|k| i128::from(s[k].0 - r[k].0));
        [
            e[1] * f[2] - e[2] * f[1],
            e[2] * f[0] - e[0] * f[2],
            e[0] * f[1] - e[1] * f[0],
        ]
        .map(|x| x as f64)
    }
}

impl Coord for Int {
    type Exact = Int;
    fn exact(&self) -> Int {
        self.clone()
    }
    fn float(&self) -> f64 {
        self.to_f64().value()
    }
    fn cross(p: &[Self; 3], q: &[Self; 3], r: &[Self; 3], s: &[Self; 3]) -> [f64; 3] {
        cross(&difference(q, p), &difference(s, r)).map(|x| x.to_f64().value())
    }
}

/// `q − p`, exactly.
pub(crate) fn difference<C: Coord>(q: &[C; 3], p: &[C; 3]) -> [C::Exact; 3] {
    std::array::from_fn(|k| q[k].exact().sub(&p[k].exact()))
}

/// `e × f`.
pub(crate) fn cross<E: Exact>(e: &[E; 3], f: &[E; 3]) -> [E; 3] {
    let minor = |i: usize, j: usize| e[i].mul(&f[j]).sub(&e[j].mul(&f[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// `e · f`.
pub(crate) fn dot<E: Exact>(e: &[E; 3], f: &[E; 3]) -> E {
    e[0].mul(&f[0]).add(&e[1].mul(&f[1])).add(&e[2].mul(&f[2]))
}

/// `−e`.
pub(crate) fn negated<E: Exact>(e: &[E; 3]) -> [E; 3] {
    std::array::from_fn(|k| E::zero().sub(&e[k]))
}

/// True for the zero vector.
pub(crate) fn is_zero<E: Exact>(e: &[E; 3]) -> bool {
    e.iter().all(|x| x.sign() == Ordering::Equal)
}

/// `e · f` in floats.
pub(crate) fn dot_f(e: [f64; 3], f: [f64; 3]) -> f64 {
    e[0] * f[0] + e[1] * f[1] + e[2] * f[2]
}

/// `e − f` in floats.
pub(crate) fn sub_f(e: [f64; 3], f: [f64; 3]) -> [f64; 3] {
    [e[0] - f[0], e[1] - f[1], e[2] - f[2]]
}

/// A finite float as `mantissa · 2^exponent`; zero has exponent `i32::MAX`.
pub(crate) fn split(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, biased - 1075)
    };
    if mantissa == 0 {
        return (0, i32::MAX);
    }
    let zeros = mantissa.trailing_zeros();
    (
        (mantissa >> zeros) * if x < 0.0 { -1 } else { 1 },
        exponent + zeros as i32,
    )
}

/// The exact sum of finite floats as `integer · 2^exponent`.
pub(crate) fn sum_of(terms: &[f64]) -> (Int, i32) {
    let grid = terms.iter().map(|&x| split(x).1).min().unwrap_or(0);
    if grid == i32::MAX {
        return (Int::ZERO, 0);
    }
    let term = |&x: &f64| {
        let (mantissa, exponent) = split(x);
        if mantissa == 0 {
            Int::ZERO
        } else {
            Int::from(mantissa) << (exponent - grid) as usize
        }
    };
    (terms.iter().map(term).sum(), grid)
}
