//! The face of the Minkowski difference nearest the origin: weights, points and distance, exactly and rounded.
//!
//! Numbers: all in integers on a common grid. Intervals are rounded outward once, at the end.

use crate::direction::{self, SymbolicDirection};
use crate::integer::{Int, Int3, cross, dot, grid_of, on_grid, sign, sub};
use crate::number::{Dyadic, Number};
use crate::solver::Simplex;
use crate::vertex::Vertex;
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
struct Exact {
    /// Non-negative numerators, one a vertex; their sum is the common denominator.
    weights: Vec<Int>,
    /// Squared distance to the origin as a fraction in units of `4^grid`.
    distance_squared: (Int, Int),
    grid: i32,
}

impl Nearest {
    /// A face of one to four affinely independent vertices in `dim` dimensions.
    pub fn new(dim: usize, simplex: Simplex) -> Self {
        Self { dim, simplex }
    }

    /// The vertices whose differences span the face.
    pub fn vertices(&self) -> &[Vertex] {
        self.simplex.vertices()
    }

    /// Non-negative numerators of the vertices' weights; their sum is the common denominator.
    pub fn weights(&self) -> Vec<Int> {
        self.exact().weights
    }

    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    fn exact(&self) -> Exact {
        let vertices = self.vertices();
        let grid = grid_of(vertices.iter().flat_map(|v| v.a.into_iter().chain(v.b))).min(0);
        let on_grid = |p: [f64; 3]| p.map(|x| on_grid(x, grid));
        let w: Vec<Int3> = vertices
            .iter()
            .map(|v| sub(&on_grid(v.a), &on_grid(v.b)))
            .collect();
        let (weights, distance_squared) = match &w[..] {
            [a] => (vec![Int::ONE], (dot(a, a), Int::ONE)),
            [a, b] => {
                let ab = sub(b, a);
                let c = cross(a, &ab);
                (
                    vec![dot(b, &ab), -dot(a, &ab)],
                    (dot(&c, &c), dot(&ab, &ab)),
                )
            }
            [a, b, c] if self.dim == 3 => {
                let n = cross(&sub(b, a), &sub(c, a));
                let part = |p: &Int3, q: &Int3| dot(&n, &cross(p, q));
                let h = dot(&n, a);
                (
                    vec![part(b, c), part(c, a), part(a, b)],
                    (&h * &h, dot(&n, &n)),
                )
            }
            _ => (inside(&w), (Int::ZERO, Int::ONE)),
        };
        Exact {
            weights,
            distance_squared,
            grid,
        }
    }

    /// The distance to the origin in the input's unit, as floats below and above it.
    pub fn distance(&self) -> [f64; 2] {
        let exact = self.exact();
        let (numerator, denominator) = &exact.distance_squared;
        let [lower, upper] = root(numerator, denominator, i64::from(exact.grid));
        [lower.max(0.0), upper]
    }

    /// Compares the distance with a sum of radii, exactly.
    ///
    /// This decides rounded polytopes (ball, capsule, rounded box): `Greater` separated, `Equal` touching, `Less`
    /// overlapping. The radii must be finite and not negative.
    pub fn compare(&self, radii: &[f64]) -> Ordering {
        let exact = self.exact();
        let (grid, sum) = radius_sum(radii, exact.grid);
        let (numerator, denominator) = &exact.distance_squared;
        let shift = 2 * (exact.grid - grid) as usize;
        (numerator << shift).cmp(&(&sum * &sum * denominator))
    }
}

impl Nearest {
    /// The distance less the sum of radii, as floats below and above it, of its sign where floats have it.
    ///
    /// The difference `D − R` would cancel; `(D² − R²) / (D + R)` does not, since its numerator is exact. Both are taken in units of their own, powers
    /// of two, so that neither leaves the range of floats.
    pub fn gap(&self, radii: &[f64]) -> [f64; 2] {
        let exact = self.exact();
        let (grid, sum) = radius_sum(radii, exact.grid);
        if sum.is_zero() {
            return self.distance();
        }
        let (numerator, denominator) = &exact.distance_squared;
        let excess = (numerator << (2 * (exact.grid - grid)) as usize) - &sum * &sum * denominator;
        let (fine, coarse) = (i64::from(grid), i64::from(exact.grid));
        let bits = |x: &Int| x.bit_len() as i64;
        let of_distance = coarse + (bits(numerator) - bits(denominator)) / 2;
        let unit = of_distance.max(fine + bits(&sum));
        let [lower, upper] = root(numerator, denominator, coarse - unit);
        // Not of the sum itself: on a fine grid it has more bits than a float's exponent can say.
        let radius = ratio(&sum, &Int::ONE, fine - unit);
        let (below, above) = (radius.next_down().next_down(), radius.next_up().next_up());
        let (least, most) = (
            (lower.max(0.0) + below).next_down(),
            (upper + above).next_up(),
        );
        let own = bits(&excess) - bits(denominator);
        let near = ratio(&excess, denominator, -own).abs();
        let power = own + 2 * fine - unit;
        let low = near.next_down().next_down().next_down().max(0.0) / most;
        let high = near.next_up().next_up() / least;
        let low = scaled(low.next_down().max(0.0), power).next_down().max(0.0);
        let high = scaled(high.next_up(), power).next_up();
        match sign(&excess) {
            Ordering::Equal => [0.0, 0.0],
            Ordering::Greater => [low, high],
            Ordering::Less => [-high, 0.0 - low],
        }
    }
}

/// The exact sum of radii as an integer on a grid no coarser than the one given.
fn radius_sum(radii: &[f64], grid: i32) -> (i32, Int) {
    let grid = grid_of(radii.iter().copied()).min(grid);
    (grid, radii.iter().map(|&r| on_grid(r, grid)).sum())
}

/// `√(numerator / denominator) · 2^exponent` for a non-negative fraction, as floats below and above it.
fn root(numerator: &Int, denominator: &Int, exponent: i64) -> [f64; 2] {
    if numerator.is_zero() || denominator.is_zero() {
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
    let exponent = exponent - shift / 2;
    [
        scaled(root.to_f64().value(), exponent).next_down(),
        scaled(next.to_f64().value(), exponent).next_up(),
    ]
}

/// The signed distance of the plane through a vertex with this normal, as floats below and above it.
pub(crate) fn plane_distance(normal: &SymbolicDirection, on: &Vertex) -> [f64; 2] {
    let n = normal.vector::<Dyadic>();
    let (height, squared) = (direction::dot(&n, &on.difference()), direction::dot(&n, &n));
    let [lower, upper] = quotient_root(&height.times(&height), &squared);
    match sign(height.mantissa()) {
        Ordering::Less => [-upper, -lower],
        Ordering::Equal => [0.0, 0.0],
        Ordering::Greater => [lower, upper],
    }
}

/// The number as floats below and above it.
pub(crate) fn interval(x: &Dyadic) -> [f64; 2] {
    let near = ratio(x.mantissa(), &Int::ONE, x.exponent());
    if near == 0.0 && x.mantissa().is_zero() {
        [0.0; 2]
    } else {
        [near.next_down().next_down(), near.next_up().next_up()]
    }
}

/// The length of a weighted combination of differences, as floats below and above it.
pub(crate) fn combination_length(vertices: &[Vertex], weights: &[f64; 4]) -> [f64; 2] {
    let zero = || Dyadic::difference(0.0, 0.0);
    let mut sum = [zero(), zero(), zero()];
    let mut total = zero();
    for (v, &weight) in vertices.iter().zip(weights) {
        let (w, weight) = (v.difference::<Dyadic>(), Dyadic::difference(weight, 0.0));
        total = total.plus(&weight);
        sum = core::array::from_fn(|k| sum[k].plus(&w[k].times(&weight)));
    }
    let (square, total) = (direction::dot(&sum, &sum), total.times(&total));
    if total.mantissa().is_zero() {
        return [0.0, f64::INFINITY];
    }
    quotient_root(&square, &total)
}

/// `√(x / y)` for non-negative `x` and positive `y`.
fn quotient_root(x: &Dyadic, y: &Dyadic) -> [f64; 2] {
    let power = x.exponent() - y.exponent();
    // An odd power leaves a factor of 2 under the root.
    let odd = power.rem_euclid(2);
    let [lower, upper] = root(
        &(x.mantissa() << odd as usize),
        y.mantissa(),
        (power - odd) / 2,
    );
    [lower.max(0.0), upper]
}

/// Integer numerators over their sum, which must be positive; negative ones stay negative.
pub(crate) fn shares(weights: &[Int]) -> Option<[f64; 3]> {
    let total: Int = weights.iter().sum();
    if sign(&total) != Ordering::Greater {
        return None;
    }
    let mut floats = [0.0; 3];
    for (slot, weight) in floats.iter_mut().zip(weights) {
        *slot = ratio(weight, &total, 0);
    }
    Some(floats)
}

/// Integer weights as floats of sum about 1.
pub(crate) fn rounded(weights: &[Int]) -> Option<[f64; 4]> {
    let total: Int = weights.iter().sum();
    if sign(&total) != Ordering::Greater {
        return None;
    }
    let mut floats = [0.0; 4];
    for (slot, weight) in floats.iter_mut().zip(weights) {
        *slot = ratio(weight, &total, 0).max(0.0);
    }
    Some(floats)
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
            vec![
                volume(b, c, d),
                -volume(a, c, d),
                volume(a, b, d),
                -volume(a, b, c),
            ]
        }
        _ => vec![Int::ONE; w.len()],
    };
    let negative = parts.iter().any(|x| sign(x) == Ordering::Less);
    if negative {
        parts.into_iter().map(|x| -x).collect()
    } else {
        parts
    }
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
