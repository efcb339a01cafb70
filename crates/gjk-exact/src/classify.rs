//! Separated, touching or overlapping: the exact three-way answer with its certificate.

use crate::integer::{Cloud, Int, Int3, cross, dot, grid_of, is_zero, neg, on_grid, sign, sub};
use crate::interior::{self, Interior};
use crate::solver::{self, Vertex};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use dashu_int::ops::{BitTest, SquareRoot, UnsignedAbs};

/// The exact relation of two polytopes.
///
/// Sign: every direction points from A to B, as `gjk`'s normals do.
#[derive(Clone, Debug, PartialEq)]
pub enum Class {
    /// `direction · a < direction · b` for all points.
    Separated {
        /// Parallel to the shortest vector from A to B.
        direction: Int3,
        /// The vertex pairs, at most as many as the dimension, whose differences span the nearest face.
        nearest: Nearest,
    },
    /// `direction · a ≤ direction · b` for all points, and the bodies share one.
    Touching {
        /// Normal of a plane that supports both bodies.
        direction: Int3,
        /// Vertex pairs and weights of a common point.
        nearest: Nearest,
    },
    /// The origin is strictly inside the hull of the pairs' differences: 3 to 5 pairs in 2D, 4 to 6 in 3D.
    Overlapping {
        /// `[index in A, index in B]`.
        pairs: Vec<[u32; 2]>,
    },
}

/// A face of the Minkowski difference with the weights of its point nearest the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// `[index in A, index in B]`.
    pub pairs: Vec<[u32; 2]>,
    /// Non-negative numerators, one a pair; their sum is the common denominator.
    pub weights: Vec<Int>,
    /// Squared distance to the origin as a fraction in units of `4^grid`.
    distance_squared: (Int, Int),
    grid: i32,
}

/// Two clouds on a common grid: the support function of their Minkowski difference.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    a: Cloud<'a>,
    b: Cloud<'a>,
    pub(crate) dim: usize,
    grid: i32,
}

impl<'a> Problem<'a> {
    fn new(dim: usize, a: &'a [[f64; 3]], b: &'a [[f64; 3]]) -> Self {
        let grid = grid_of(a.iter().chain(b).flatten().copied()).min(0);
        Self { a: Cloud::new(a, grid), b: Cloud::new(b, grid), dim, grid }
    }

    fn vertex(&self, i: u32, j: u32) -> Vertex {
        Vertex { pair: [i, j], w: sub(&self.a.point(i), &self.b.point(j)) }
    }

    /// The vertex of `M` with the largest `d · w`.
    pub(crate) fn support(&self, d: &Int3) -> Vertex {
        let i = self.a.extreme(d, None).unwrap_or(0);
        let j = self.b.extreme(&neg(d), None).unwrap_or(0);
        self.vertex(i, j)
    }

    /// The non-zero vertex of `M` with the largest `d · w`; `None` when zero is the only one.
    ///
    /// If the extreme pair coincides, the best other pair changes one of its points only: changing both is never better.
    fn support_nonzero(&self, d: &Int3) -> Option<Vertex> {
        let best = self.support(d);
        let [i, j] = best.pair;
        if !self.a.coincides(i, &self.b, j) {
            return Some(best);
        }
        let other_a = self.a.extreme(d, Some(self.b.float(j))).map(|i| self.vertex(i, j));
        let other_b = self.b.extreme(&neg(d), Some(self.a.float(i))).map(|j| self.vertex(i, j));
        match (other_a, other_b) {
            (Some(x), Some(y)) => Some(if dot(d, &y.w) > dot(d, &x.w) { y } else { x }),
            (x, y) => x.or(y),
        }
    }
}

/// Where the descent ended: the minimal simplex and the direction of its nearest point, zero when that is the origin.
struct Descent {
    simplex: Vec<Vertex>,
    direction: Int3,
}

/// Wolfe's descent from `start` with the given support function; strictly decreasing, so it ends without a tie rule.
fn descend(start: Vertex, support: impl Fn(&Int3) -> Option<Vertex>) -> Descent {
    let mut simplex = vec![start];
    loop {
        let Some(face) = solver::nearest(&simplex) else {
            return Descent { simplex, direction: Int3::default() };
        };
        simplex = face.kept.iter().map(|&k| simplex[k].clone()).collect();
        let direction = face.direction;
        if is_zero(&direction) {
            return Descent { simplex, direction };
        }
        match support(&neg(&direction)) {
            Some(w) if dot(&direction, &w.w) < dot(&direction, &simplex[0].w) => simplex.insert(0, w),
            _ => return Descent { simplex, direction },
        }
    }
}

/// Classifies the hulls of two point sets exactly.
///
/// Frame: both sets in one frame; with `dim` 2 the third coordinates must be zero.  `hint` is a first direction from A
/// to B (any, zero allowed); it changes only the work.  Flat bodies: two coplanar bodies in 3D, or collinear ones in 2D,
/// have a Minkowski difference without interior, so they can at most touch.
///
/// Returns `None` only for an empty set or a coordinate that is not finite.
/// # Complexity  O(n + m) a step; big-integer products for a handful of points a step.
/// # Examples
/// ```
/// use gjk_exact::{Class, classify};
/// let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let b = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0]];
/// assert!(matches!(classify(2, &a, &b, [1.0, 0.0, 0.0]), Some(Class::Touching { .. })));
/// ```
pub fn classify(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]], hint: [f64; 3]) -> Option<Class> {
    let finite = |set: &[[f64; 3]]| !set.is_empty() && set.iter().flatten().all(|x| x.is_finite());
    if !finite(a) || !finite(b) {
        return None;
    }
    let problem = Problem::new(dim, a, b);
    let grid = grid_of(hint.into_iter().filter(|x| x.is_finite()));
    let first = hint.map(|x| if x.is_finite() && x != 0.0 { on_grid(x, grid) } else { Int::ZERO });
    let descent = descend(problem.support(&first), |d| Some(problem.support(d)));
    if !is_zero(&descent.direction) {
        let nearest = problem.nearest(&descent.simplex);
        return Some(Class::Separated { direction: neg(&descent.direction), nearest });
    }
    let nearest = problem.nearest(&descent.simplex);
    let around = if descent.simplex.len() == 1 {
        match problem.around_zero(&first) {
            Ok(simplex) => simplex,
            Err(direction) => return Some(Class::Touching { direction, nearest }),
        }
    } else {
        descent.simplex
    };
    Some(match interior::decide(&problem, &around) {
        Interior::Touching(direction) => Class::Touching { direction, nearest },
        Interior::Overlapping(points) => Class::Overlapping { pairs: points.iter().map(|v| v.pair).collect() },
    })
}

impl Problem<'_> {
    /// Two points coincide: a simplex of non-zero vertices around the origin, or a direction in which none lies.
    fn around_zero(&self, first: &Int3) -> Result<Vec<Vertex>, Int3> {
        let any = [Int::ONE, Int::ZERO, Int::ZERO];
        let start = if is_zero(first) { &any } else { first };
        let Some(w) = self.support_nonzero(start) else {
            return Err(start.clone());
        };
        let descent = descend(w, |d| self.support_nonzero(d));
        if is_zero(&descent.direction) { Ok(descent.simplex) } else { Err(neg(&descent.direction)) }
    }

    /// Weights and squared distance of the point nearest the origin on a face that is its own minimal face.
    fn nearest(&self, face: &[Vertex]) -> Nearest {
        let w = |k: usize| &face[k].w;
        let (weights, distance_squared) = match face.len() {
            1 => (vec![Int::ONE], (dot(w(0), w(0)), Int::ONE)),
            2 => {
                let ab = sub(w(1), w(0));
                let c = cross(w(0), &ab);
                (vec![dot(w(1), &ab), -dot(w(0), &ab)], (dot(&c, &c), dot(&ab, &ab)))
            }
            3 => {
                let n = cross(&sub(w(1), w(0)), &sub(w(2), w(0)));
                let part = |i: usize, j: usize| dot(&n, &cross(w(i), w(j)));
                let h = dot(&n, w(0));
                (vec![part(1, 2), part(2, 0), part(0, 1)], (&h * &h, dot(&n, &n)))
            }
            _ => (vec![Int::ONE; face.len()], (Int::ZERO, Int::ONE)),
        };
        Nearest { pairs: face.iter().map(|v| v.pair).collect(), weights, distance_squared, grid: self.grid }
    }
}

/// Compares the distance of two polytopes with a sum of radii, exactly.
///
/// This decides rounded polytopes (ball, capsule, rounded box): `Greater` separated, `Equal` touching, `Less`
/// overlapping. The radii must be finite and not negative.
pub fn compare_distance(nearest: &Nearest, radii: &[f64]) -> Ordering {
    let grid = grid_of(radii.iter().copied()).min(nearest.grid);
    let sum: Int = radii.iter().map(|&r| on_grid(r, grid)).sum();
    let (numerator, denominator) = &nearest.distance_squared;
    let shift = 2 * (nearest.grid - grid) as usize;
    (numerator << shift).cmp(&(&sum * &sum * denominator))
}

/// The certificate's sign test on one point, for checkers: `direction · w` for the pair's difference.
pub fn side(direction: &Int3, a: [f64; 3], b: [f64; 3]) -> Ordering {
    let grid = grid_of(a.into_iter().chain(b)).min(0);
    let w = sub(&a.map(|x| on_grid(x, grid)), &b.map(|x| on_grid(x, grid)));
    sign(&dot(direction, &w))
}

impl Nearest {
    /// The distance to the origin in the input's unit, as floats below and above it.
    pub fn distance(&self) -> [f64; 2] {
        let (numerator, denominator) = &self.distance_squared;
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
        let exponent = self.grid as i64 - shift / 2;
        [scaled(root.to_f64().value(), exponent).next_down(), scaled(next.to_f64().value(), exponent).next_up()]
    }

    /// The weighted point of one body (`side` 0 for A, 1 for B) in the coordinates of `points`, rounded.
    pub fn point(&self, side: usize, points: &[[f64; 3]]) -> [f64; 3] {
        let total: Int = self.weights.iter().sum();
        let grid = grid_of(self.pairs.iter().flat_map(|pair| points[pair[side] as usize])).min(0);
        core::array::from_fn(|k| {
            let terms = self.pairs.iter().zip(&self.weights);
            let sum: Int = terms.map(|(pair, weight)| weight * on_grid(points[pair[side] as usize][k], grid)).sum();
            ratio(&sum, &total, i64::from(grid))
        })
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
