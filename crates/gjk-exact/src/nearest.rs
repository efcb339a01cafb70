//! The face of the Minkowski difference nearest the origin: weights, points and distance, exactly and rounded.
//!
//! Numbers: all in integers on a common grid. Intervals are rounded outward once, at the end.

use crate::formula::Vertex;
use crate::integer::{Int, Int3, cross, dot, grid_of, on_grid, sign, sub};
use crate::solver::Simplex;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use dashu_int::ops::{BitTest, SquareRoot, UnsignedAbs};

/// A face that holds the point nearest the origin in its relative interior.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    dim: usize,
    simplex: Simplex,
}

/// The face in integers, in units of `2^grid`.
struct Measured {
    /// Non-negative numerators, one a vertex; their sum is the common denominator.
    weights: Vec<Int>,
    /// Squared distance to the origin as a fraction in units of `4^grid`.
    distance_squared: (Int, Int),
    grid: i32,
}

impl Nearest {
    pub(crate) fn new(dim: usize, simplex: Simplex) -> Self {
        Self { dim, simplex }
    }

    /// The vertices whose differences span the face.
    pub fn vertices(&self) -> &[Vertex] {
        self.simplex.vertices()
    }

    /// Non-negative numerators of the vertices' weights; their sum is the common denominator.
    pub fn weights(&self) -> Vec<Int> {
        self.measure().weights
    }

    fn measure(&self) -> Measured {
        let vertices = self.vertices();
        let grid = grid_of(vertices.iter().flat_map(|v| v.a.into_iter().chain(v.b))).min(0);
        let on_grid = |p: [f64; 3]| p.map(|x| on_grid(x, grid));
        let w: Vec<Int3> = vertices.iter().map(|v| sub(&on_grid(v.a), &on_grid(v.b))).collect();
        let (weights, distance_squared) = match &w[..] {
            [a] => (vec![Int::ONE], (dot(a, a), Int::ONE)),
            [a, b] => {
                let ab = sub(b, a);
                let c = cross(a, &ab);
                (vec![dot(b, &ab), -dot(a, &ab)], (dot(&c, &c), dot(&ab, &ab)))
            }
            [a, b, c] if self.dim == 3 => {
                let n = cross(&sub(b, a), &sub(c, a));
                let part = |p: &Int3, q: &Int3| dot(&n, &cross(p, q));
                let h = dot(&n, a);
                (vec![part(b, c), part(c, a), part(a, b)], (&h * &h, dot(&n, &n)))
            }
            _ => (inside(&w), (Int::ZERO, Int::ONE)),
        };
        Measured { weights, distance_squared, grid }
    }

    /// The distance to the origin in the input's unit, as floats below and above it.
    pub fn distance(&self) -> [f64; 2] {
        let measured = self.measure();
        let (numerator, denominator) = &measured.distance_squared;
        if numerator.is_zero() {
            return [0.0, 0.0];
        }
        // A quotient of 106 to 130 bits, with an even power of two taken out, has an integer root of at least 53 bits.
        let bits = |x: &Int| x.bit_len() as i64;
        let shift = (bits(denominator) - bits(numerator) + 128) & !1;
        let quotient = if shift >= 0 {
            (numerator << shift as usize) / denominator
        } else {
            numerator / (denominator << (-shift) as usize)
        };
        let root = quotient.unsigned_abs().sqrt();
        let next = &root + dashu_int::UBig::ONE;
        let exponent = i64::from(measured.grid) - shift / 2;
        [scaled(root.to_f64().value(), exponent).next_down(), scaled(next.to_f64().value(), exponent).next_up()]
    }

    /// The weighted points of A and of B, rounded.
    pub fn points(&self) -> [[f64; 3]; 2] {
        let weights = self.weights();
        [0, 1].map(|side| {
            let point = |v: &Vertex| if side == 0 { v.a } else { v.b };
            let total: Int = weights.iter().sum();
            let grid = grid_of(self.vertices().iter().flat_map(point)).min(0);
            core::array::from_fn(|k| {
                let terms = self.vertices().iter().zip(&weights);
                let sum: Int = terms.map(|(v, weight)| weight * on_grid(point(v)[k], grid)).sum();
                ratio(&sum, &total, i64::from(grid))
            })
        })
    }

    /// Compares the distance with a sum of radii, exactly.
    ///
    /// This decides rounded polytopes (ball, capsule, rounded box): `Greater` separated, `Equal` touching, `Less`
    /// overlapping. The radii must be finite and not negative.
    pub fn compare(&self, radii: &[f64]) -> Ordering {
        let measured = self.measure();
        let grid = grid_of(radii.iter().copied()).min(measured.grid);
        let sum: Int = radii.iter().map(|&r| on_grid(r, grid)).sum();
        let (numerator, denominator) = &measured.distance_squared;
        let shift = 2 * (measured.grid - grid) as usize;
        (numerator << shift).cmp(&(&sum * &sum * denominator))
    }
}

/// Weights of the origin inside a full simplex; they have the sign of its orientation, which is taken out.
fn inside(w: &[Int3]) -> Vec<Int> {
    let parts: Vec<Int> = match w {
        [a, b, c] => {
            let turn = |p: &Int3, q: &Int3| &p[0] * &q[1] - &p[1] * &q[0];
            vec![turn(b, c), turn(c, a), turn(a, b)]
        }
        [a, b, c, d] => {
            let volume = |p: &Int3, q: &Int3, r: &Int3| dot(p, &cross(q, r));
            vec![volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)]
        }
        _ => vec![Int::ONE; w.len()],
    };
    let negative = parts.iter().any(|x| sign(x) == Ordering::Less);
    if negative { parts.into_iter().map(|x| -x).collect() } else { parts }
}

/// `numerator / denominator · 2^exponent`, to within a rounding or two.
fn ratio(numerator: &Int, denominator: &Int, exponent: i64) -> f64 {
    if numerator.is_zero() || denominator.is_zero() {
        return 0.0;
    }
    let shift = denominator.bit_len() as i64 - numerator.bit_len() as i64 + 64;
    let quotient = if shift >= 0 {
        (numerator << shift as usize) / denominator
    } else {
        numerator / (denominator << (-shift) as usize)
    };
    scaled(quotient.to_f64().value(), exponent - shift)
}

/// `x · 2^exponent` in steps that overflow or underflow only if the result does.
fn scaled(mut x: f64, mut exponent: i64) -> f64 {
    while exponent != 0 && x != 0.0 && x.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    x
}
