//! The support function of the Minkowski difference of two point sets, exact along any formula.
//!
//! Idea: the direction is rounded to floats with a bound of its error, and all points are scanned with it. A point that
//! is below the best by more than both errors cannot be extreme; of those left, usually one, the ladder picks the winner.
//!
//! Numbers: heights are taken of `p − p₀`, so that a body far from the origin is as precise as one near it. With
//! `u = 2⁻⁵³` the difference is off by `u`, the product by `u` and the two sums by `2u` of `Σ|d_k (p − p₀)_k|`, to first
//! order; `SCAN_ROUNDINGS` = 8 covers that, the products of errors, and the rounding of the bound itself. The error
//! `e_k` of a direction adds `Σ e_k |p − p₀|_k`. Without the bound `near_ties_are_decided_exactly` fails.

use crate::formula::{Formula, Operand, Signs, Vertex};
use crate::integer;
use crate::number::{Double, Filter};
use core::cmp::Ordering::Greater;

/// A finite point set: a slice, or points that are computed when asked for.
pub trait Points {
    /// How many; at least one.
    fn count(&self) -> u32;
    /// One of them, finite.
    fn point(&self, index: u32) -> [f64; 3];
}

impl Points for [[f64; 3]] {
    fn count(&self) -> u32 {
        self.len() as u32
    }
    fn point(&self, index: u32) -> [f64; 3] {
        self[index as usize]
    }
}

/// Two point sets and who decides signs.
#[derive(Debug)]
pub struct Problem<'a, A: ?Sized, B: ?Sized, S> {
    pub(crate) dim: usize,
    pub(crate) a: &'a A,
    pub(crate) b: &'a B,
    pub(crate) signs: &'a S,
}

/// Roundings of `Σ|d_k (p − p₀)_k|` that a scanned height may be off.
const SCAN_ROUNDINGS: f64 = 8.0;

/// A direction as floats, each with a bound of its error, for scanning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub(crate) direction: [f64; 3],
    pub(crate) error: [f64; 3],
}

impl Scan {
    fn of(formula: &Formula) -> Self {
        if formula.is_plain() {
            let filter = formula.vector::<Filter>();
            let coarse = Self { direction: filter.map(|x| x.value()), error: filter.map(|x| x.error()) };
            if coarse.is_sharp() {
                return coarse;
            }
            let double = formula.vector::<Double>();
            let fine = Self {
                direction: double.map(|x| x.value().0),
                // The low part is dropped.
                error: double.map(|x| x.error() + 2.0 * x.value().1.abs()),
            };
            if fine.is_sharp() {
                return fine;
            }
        }
        let direction = integer::to_float(&formula.integers());
        // Rounded and divided by the largest: two roundings. Cut to 900 bits before: less than one unit of the last of them.
        const CUT: f64 = f64::from_bits((1023 - 898) << 52);
        Self { direction, error: direction.map(|x| 4.0 * f64::EPSILON * x.abs() + CUT) }
    }

    /// True when the direction is known to about half of the digits and nothing overflowed.
    fn is_sharp(&self) -> bool {
        let largest = self.direction.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let error = self.error.iter().fold(0.0, |m: f64, x| m.max(*x));
        error <= largest * 1e-8 && largest > 1e-250 && largest < 1e250
    }

    /// The height of `p` over `origin`, as a lower and an upper bound.
    pub(crate) fn height(&self, p: [f64; 3], origin: [f64; 3]) -> [f64; 2] {
        let (mut height, mut size, mut error) = (0.0, 0.0, 0.0);
        for k in 0..3 {
            let x = p[k] - origin[k];
            let term = self.direction[k] * x;
            height += term;
            size += term.abs();
            error += self.error[k] * x.abs();
        }
        let bound = size * (SCAN_ROUNDINGS * 0.5 * f64::EPSILON) + error * (1.0 + 1e-12) + f64::MIN_POSITIVE;
        // Overflow makes bounds that exclude nothing.
        if height.is_finite() && bound.is_finite() {
            [height - bound, height + bound]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY]
        }
    }
}

impl<A: Points + ?Sized, B: Points + ?Sized, S: Signs> Problem<'_, A, B, S> {
    /// The vertex of two points.
    pub fn vertex(&self, pair: [u32; 2]) -> Vertex {
        Vertex::new(pair, self.a.point(pair[0]), self.b.point(pair[1]))
    }

    /// The vertex of `M` with the largest `d · w`; of equals the lowest indices.
    pub fn support(&self, d: &Formula) -> Vertex {
        let i = self.extreme(self.a, d, None).unwrap_or(0);
        let j = self.extreme(self.b, &-*d, None).unwrap_or(0);
        self.vertex([i, j])
    }

    /// The non-zero vertex of `M` with the largest `d · w`; `None` when zero is the only one.
    ///
    /// If the extreme pair coincides, the best other pair changes one of its points only: changing both is never better.
    pub(crate) fn support_nonzero(&self, d: &Formula) -> Option<Vertex> {
        let best = self.support(d);
        if !best.is_zero() {
            return Some(best);
        }
        let [i, j] = best.pair;
        let other_a = self.extreme(self.a, d, Some(best.b)).map(|i| self.vertex([i, j]));
        let other_b = self.extreme(self.b, &-*d, Some(best.a)).map(|j| self.vertex([i, j]));
        match (other_a, other_b) {
            (Some(x), Some(y)) => Some(if self.signs.sign(d, &Operand::Between(x, y)) == Greater { y } else { x }),
            (x, y) => x.or(y),
        }
    }

    /// The lowest index among the points with the largest `d · p`, skipping points equal to `except`.
    ///
    /// # Complexity  O(n) float products; a sign for each further point within the scan's error of the best.
    fn extreme<P: Points + ?Sized>(&self, points: &P, d: &Formula, except: Option<[f64; 3]>) -> Option<u32> {
        let scan = Scan::of(d);
        let origin = points.point(0);
        let allowed = |p: [f64; 3]| except != Some(p);
        let mut floor = f64::NEG_INFINITY;
        for i in 0..points.count() {
            let p = points.point(i);
            if allowed(p) {
                floor = floor.max(scan.height(p, origin)[0]);
            }
        }
        let mut winner: Option<(u32, [f64; 3])> = None;
        for i in 0..points.count() {
            let p = points.point(i);
            if !allowed(p) || scan.height(p, origin)[1] < floor {
                continue;
            }
            let better = winner.is_none_or(|(_, w)| p != w && self.signs.sign(d, &Operand::Points(p, w)) == Greater);
            if better {
                winner = Some((i, p));
            }
        }
        winner.map(|(i, _)| i)
    }
}
