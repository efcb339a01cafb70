//! The support function of the Minkowski difference of two point sets, exact along any symbolic direction.
//!
//! Idea: the direction is rounded to floats with a bound of its error, and all points are scanned with it. A point that
//! is below the best by more than both errors cannot be extreme; of those left, usually one, the sign oracle picks the winner.
//!
//! Numbers: heights are taken of `p − p₀`, so that a body far from the origin is as precise as one near it. With
//! `u = 2⁻⁵³` the difference is off by `u`, the product by `u` and the two sums by `2u` of `Σ|d_k (p − p₀)_k|`, to first
//! order; `SCAN_ROUNDINGS` = 8 covers that, the products of errors, and the rounding of the bound itself. The error
//! `e_k` of a direction adds `Σ e_k |p − p₀|_k`. Without the bound `a_scanned_height_is_within_its_bounds` fails.

use crate::direction::{Operand, SymbolicDirection};
use crate::integer;
use crate::number::{Double, Filter};
use crate::rounding::UNIT_ROUNDOFF;
use crate::sign::SignOracle;
use crate::vertex::Vertex;
use core::cmp::Ordering::Greater;

/// A finite point set: a slice, or points that are computed when they are read.
pub trait Points {
    /// How many; at least one.
    fn count(&self) -> u32;
    /// One of them, finite.
    fn point(&self, index: u32) -> [f64; 3];
    /// The points that may be farthest when the height of each point `p` is `direction · p` give or take `Σ error_k |p_k|`,
    /// perhaps with others.
    ///
    /// Writes their indices to `found`, ascending, and returns how many; `None` when they are not known without a look at
    /// each point, or more than it can hold.
    fn farthest(&self, direction: [f64; 3], error: [f64; 3], found: &mut [u32]) -> Option<usize> {
        let _ = (direction, error, found);
        None
    }
}

/// Points that [`Points::farthest`] may name.
pub(crate) const FARTHEST_MAX: usize = 64;

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

/// What a direction from integers may be off, beside two roundings for rounding and for the division by the largest component:
/// it is cut to 900 bits first, which loses less than one unit of the last of them. Without it
/// `scan-error-below-2-900-loses-a-far-vertex` of the corpus is answered wrongly.
const SCAN_CUT: f64 = f64::from_bits((1023 - 898) << 52);

/// The part of the largest component up to which a direction is known well enough to scan with. It chooses the stage of
/// arithmetic and proves nothing.
const SCAN_PRECISE: f64 = 1e-8;

/// A direction as floats, each with a bound of its error, for scanning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub(crate) direction: [f64; 3],
    pub(crate) error: [f64; 3],
}

impl Scan {
    fn of(formula: &SymbolicDirection) -> Self {
        if formula.is_plain() {
            let filter = formula.vector::<Filter>();
            let coarse = Self {
                direction: filter.map(|x| x.value()),
                error: filter.map(|x| x.error()),
            };
            if coarse.is_precise() {
                return coarse;
            }
            let double = formula.vector::<Double>();
            let fine = Self {
                direction: double.map(|x| x.value().0),
                // The low part is dropped.
                error: double.map(|x| x.error() + 2.0 * x.value().1.abs()),
            };
            if fine.is_precise() {
                return fine;
            }
        }
        let direction = integer::to_float(&formula.integers());
        Self {
            direction,
            error: direction.map(|x| 4.0 * f64::EPSILON * x.abs() + SCAN_CUT),
        }
    }

    /// True when the direction is known to about half of the digits and nothing overflowed.
    fn is_precise(&self) -> bool {
        let largest = self.direction.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let error = self.error.iter().fold(0.0, |m: f64, x| m.max(*x));
        error <= largest * SCAN_PRECISE && largest > 1e-250 && largest < 1e250
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
        let bound =
            size * (SCAN_ROUNDINGS * UNIT_ROUNDOFF) + error * (1.0 + 1e-12) + f64::MIN_POSITIVE;
        // Overflow makes bounds that exclude nothing.
        if height.is_finite() && bound.is_finite() {
            [height - bound, height + bound]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY]
        }
    }
}

impl<A: Points + ?Sized, B: Points + ?Sized, S: SignOracle> Problem<'_, A, B, S> {
    /// The vertex of two points.
    pub fn vertex(&self, pair: [u32; 2]) -> Vertex {
        Vertex::new(pair, self.a.point(pair[0]), self.b.point(pair[1]))
    }

    /// The vertex of `M` with the largest `d · w`; of equals the lowest indices.
    pub fn support(&self, d: &SymbolicDirection) -> Vertex {
        let i = self.extreme(self.a, d, None).unwrap_or(0);
        let j = self.extreme(self.b, &-*d, None).unwrap_or(0);
        self.vertex([i, j])
    }

    /// The non-zero vertex of `M` with the largest `d · w`; `None` when zero is the only one.
    ///
    /// If the extreme pair coincides, the best other pair changes one of its points only: changing both is never better.
    pub(crate) fn support_nonzero(&self, d: &SymbolicDirection) -> Option<Vertex> {
        let best = self.support(d);
        if !best.is_zero() {
            return Some(best);
        }
        let [i, j] = best.pair;
        let other_a = self
            .extreme(self.a, d, Some(best.b))
            .map(|i| self.vertex([i, j]));
        let other_b = self
            .extreme(self.b, &-*d, Some(best.a))
            .map(|j| self.vertex([i, j]));
        match (other_a, other_b) {
            (Some(x), Some(y)) => Some(if self.signs.sign(d, &Operand::Between(x, y)) == Greater {
                y
            } else {
                x
            }),
            (x, y) => x.or(y),
        }
    }

    /// The lowest index among the points with the largest `d · p`, skipping points equal to `except`.
    ///
    /// # Complexity  that of [`Points::farthest`], else O(n) float products; a sign for each further point within the scan's
    /// error of the best.
    fn extreme<P: Points + ?Sized>(
        &self,
        points: &P,
        d: &SymbolicDirection,
        except: Option<[f64; 3]>,
    ) -> Option<u32> {
        let scan = Scan::of(d);
        let mut found = [0; FARTHEST_MAX];
        let named = if except.is_none() {
            points.farthest(scan.direction, scan.error, &mut found)
        } else {
            None
        };
        match named.map(|len| &found[..len]) {
            // All others are lower.
            Some(&[only]) => Some(only),
            Some(named) => self.extreme_of(points, named.iter().copied(), d, &scan, None),
            None => self.extreme_of(points, 0..points.count(), d, &scan, except),
        }
    }

    /// [`Problem::extreme`] among the points with these indices.
    fn extreme_of<P: Points + ?Sized>(
        &self,
        points: &P,
        indices: impl Iterator<Item = u32> + Clone,
        d: &SymbolicDirection,
        scan: &Scan,
        except: Option<[f64; 3]>,
    ) -> Option<u32> {
        let origin = points.point(0);
        let allowed = |p: [f64; 3]| except != Some(p);
        let mut floor = f64::NEG_INFINITY;
        for i in indices.clone() {
            let p = points.point(i);
            if allowed(p) {
                floor = floor.max(scan.height(p, origin)[0]);
            }
        }
        let mut winner: Option<(u32, [f64; 3])> = None;
        for i in indices {
            let p = points.point(i);
            if !allowed(p) || scan.height(p, origin)[1] < floor {
                continue;
            }
            let better = winner.is_none_or(|(_, w)| {
                p != w && self.signs.sign(d, &Operand::Points(p, w)) == Greater
            });
            if better {
                winner = Some((i, p));
            }
        }
        winner.map(|(i, _)| i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::{DirectionKind, dot};
    use crate::number::{Dyadic, Number};
    use crate::sign::AdaptiveSigns;
    use core::cmp::Ordering::Less;

    struct Unit(u64);

    impl Unit {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
        fn point(&mut self, size: f64, far: f64, scale: f64) -> [f64; 3] {
            [
                self.next() * size + far,
                self.next() * size - far,
                self.next() * size,
            ]
            .map(|x| x * scale)
        }
    }

    /// Along a direction that floats state, the true height is in the interval. Fails with fewer than 2 roundings.
    #[test]
    fn a_scanned_height_is_within_its_bounds() {
        let mut unit = Unit(3);
        let mut closest = 0.0f64;
        for case in 0..200_000 {
            let scan = Scan {
                direction: unit.point(1.0, 0.0, 1.0),
                error: [0.0; 3],
            };
            let far = [0.0, 1e3][case % 2];
            let (p, origin) = (unit.point(1.0, far, 1.0), unit.point(1.0, far, 1.0));
            let [low, high] = scan.height(p, origin);
            let d = scan.direction.map(|x| Dyadic::difference(x, 0.0));
            let truth = dot(
                &d,
                &core::array::from_fn(|k| Dyadic::difference(p[k], origin[k])),
            );
            let over = truth.minus(&Dyadic::difference(high, 0.0)).sign() == Some(Greater);
            let under = truth.minus(&Dyadic::difference(low, 0.0)).sign() == Some(Less);
            assert!(!over && !under, "case {case}");
            // How much of the bound was needed, from the middle of the interval.
            let middle = truth.minus(&Dyadic::difference(low + (high - low) * 0.5, 0.0));
            let part = (1..8).rev().find(|&k| {
                let bound = Dyadic::difference((high - low) * 0.5 * f64::from(k) / 8.0, 0.0);
                middle.minus(&bound).sign() == Some(Greater)
                    || middle.plus(&bound).sign() == Some(Less)
            });
            closest = closest.max(f64::from(part.unwrap_or(0)));
        }
        assert!(
            closest >= 2.0,
            "{closest} eighths of the bound were needed at most"
        );
    }

    /// When the scan says that one point is above another, it is, by exact sign: for directions of every kind, sharp in
    /// floats or not, in the range of the float stages or out of it, and for points that tie up to rounding.
    #[test]
    fn what_the_scan_leaves_out_is_lower() {
        let mut unit = Unit(5);
        let signs = AdaptiveSigns::default();
        let (mut told, mut near) = (0, 0);
        for case in 0..30_000 {
            let scale = [1.0, 2f64.powi(-700), 2f64.powi(600)][case % 3];
            // Close to a common point far away: differences cancel, and directions blur.
            let far = [0.0, 1e3, 1e9][case / 3 % 3];
            let mut vertex = |size: f64| {
                Vertex::new(
                    [0; 2],
                    unit.point(size, far, scale),
                    unit.point(1.0, far, scale),
                )
            };
            let (a, b, c) = (vertex(1.0), vertex(1.0), vertex([1.0, 1e-6][case % 2]));
            let formula = SymbolicDirection::from(match case % 5 {
                0 => DirectionKind::Plane([a, b, c]),
                1 => DirectionKind::Edge([a, b]),
                2 => DirectionKind::Outward([a, b, c]),
                3 => DirectionKind::Around([a, b, c]),
                _ => DirectionKind::Point(a),
            });
            let scan = Scan::of(&formula);
            let origin = unit.point(1.0, far, scale);
            // A step across the direction, and a tiny one along it.
            let largest = scan.direction.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            let d = scan.direction.map(|x| x / largest);
            let across = [d[1] - d[2], d[2] - d[0], d[0] - d[1]];
            let lift = [0.0, 1e-15, -1e-15, 1e-12, 1e-3][case / 15 % 5];
            let p = unit.point(1.0, far, scale);
            let q = core::array::from_fn(|k| p[k] + (across[k] * 3.0 + d[k] * lift) * scale);
            let sign = signs.sign(&formula, &Operand::Points(q, p));
            let ([q_low, q_high], [p_low, p_high]) =
                (scan.height(q, origin), scan.height(p, origin));
            if q_low > p_high || p_low > q_high {
                let expected = if q_low > p_high { Greater } else { Less };
                assert_eq!(sign, expected, "case {case}: {formula:?} {p:?} {q:?}");
                told += 1;
            } else {
                near += 1;
            }
        }
        assert!(
            told > 5000 && near > 5000,
            "{told} told apart, {near} left to signs"
        );
    }
}
