//! Certificates checked in exact numbers, and the interval against what they prove.
//!
//! Idea: what a certificate says is a handful of inequalities between sums of products of floats. Floats with a bound
//! settle the clear ones, big integers the rest. This shares no line with the library's own checker.

use super::number::{cross, dot, dot_f, split, sub_f, sum_of};
use gjk::query::{BigInt, Certificate, Combination, Direction, Verdict};
use gjk_exact::{Int, Int3, integer};
use std::cmp::Ordering;

/// What a certificate speaks of.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// 2 or 3.
    pub dim: usize,
    /// World vertices of the cores, by the library's ids.
    pub vertices: [&'c [[f64; 3]]; 2],
    /// Swept radii.
    pub radii: [f64; 2],
    /// The verdict.
    pub verdict: Verdict,
    /// The signed distance, where one was asked for.
    pub interval: Option<[f64; 2]>,
}

/// Relative float error of a height of a difference of points, with much room.
const ROOM: f64 = 64.0 * f64::EPSILON;

/// What is wrong with a certificate, if anything.
pub fn fault(claim: &Claim<'_>, certificate: &Certificate) -> Option<&'static str> {
    match (claim.verdict, certificate) {
        (Verdict::Separated, Certificate::Separated { direction, nearest }) => {
            let height = claim.height(direction);
            if !height.exceeds(&claim.radii, false) {
                return Some("the direction does not separate");
            }
            if claim
                .interval
                .is_some_and(|[lower, _]| !height.exceeds(&claim.with_radii(lower), true))
            {
                return Some("the lower end is above the direction's gap");
            }
            nearest
                .as_ref()
                .and_then(|nearest| claim.upper_fault(nearest))
        }
        (Verdict::Touching, Certificate::Touching { direction, nearest }) => {
            if !claim.height(direction).exceeds(&claim.radii, true) {
                return Some("the direction does not support both bodies");
            }
            (claim.length(nearest, &claim.radii)? != Ordering::Equal)
                .then_some("the pairs share no point")
        }
        (Verdict::Overlapping, Certificate::Overlapping { pairs, .. }) => {
            claim.enclosure_fault(pairs)
        }
        (Verdict::Overlapping, Certificate::Near { nearest, direction }) => {
            if claim.length(nearest, &claim.radii)? != Ordering::Less {
                return Some("the cores are no nearer than the radii");
            }
            let height = claim.height(direction);
            if claim
                .interval
                .is_some_and(|[lower, _]| !height.exceeds(&claim.with_radii(lower), true))
            {
                return Some("the lower end is above the direction's gap");
            }
            claim.upper_fault(nearest)
        }
        _ => Some("the certificate is of another verdict"),
    }
}

/// The least height of `b − a` along a direction: by floats, and exactly when they do not do.
struct Height<'c> {
    claim: &'c Claim<'c>,
    direction: &'c Direction,
    float: f64,
    error: f64,
    length: f64,
}

impl Height<'_> {
    /// True when the height over the direction's length is above the sum of `terms`, or equal where that will do.
    fn exceeds(&self, terms: &[f64], or_equal: bool) -> bool {
        let sum: f64 = terms.iter().sum();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        let room = self.error + ROOM * size * self.length;
        if self.float - sum * self.length > room && room > 1e-280 && self.length.is_finite() {
            return true;
        }
        if terms.iter().any(|x| x.is_infinite()) {
            return sum == f64::NEG_INFINITY;
        }
        self.exactly(terms, or_equal)
    }

    #[cold]
    fn exactly(&self, terms: &[f64], or_equal: bool) -> bool {
        let d = self.direction.integers().each_ref().map(big);
        if d.iter().all(Int::is_zero) {
            return false;
        }
        let (gap, grid) = self.claim.gap(&d);
        let (sum, exponent) = sum_of(terms);
        // gap · 2^grid against sum · 2^exponent · |d|.
        let squared: Int = d.iter().map(|x| x * x).sum();
        let order = compare_roots(&gap, &Int::ONE, grid, &sum, &squared, exponent);
        order == Ordering::Greater || or_equal && order == Ordering::Equal
    }
}

/// Compares `x · √p · 2^i` with `y · √q · 2^j`.
fn compare_roots(x: &Int, p: &Int, i: i32, y: &Int, q: &Int, j: i32) -> Ordering {
    let (s, t) = (x.cmp(&Int::ZERO), y.cmp(&Int::ZERO));
    if s != t || s == Ordering::Equal {
        return s.cmp(&t);
    }
    let (mut left, mut right) = (x * x * p, y * y * q);
    if i >= j {
        left <<= 2 * (i - j) as usize;
    } else {
        right <<= 2 * (j - i) as usize;
    }
    if s == Ordering::Greater {
        left.cmp(&right)
    } else {
        right.cmp(&left)
    }
}

/// The integer of a certificate.
pub(crate) fn big(x: &BigInt) -> Int {
    integer::from_limbs(x.is_negative(), x.limbs())
}

fn on(x: f64, grid: i32) -> Int {
    let (mantissa, exponent) = split(x);
    if mantissa == 0 {
        Int::ZERO
    } else {
        Int::from(mantissa) << (exponent - grid) as usize
    }
}

impl<'c> Claim<'c> {
    fn with_radii(&self, x: f64) -> [f64; 3] {
        [x, self.radii[0], self.radii[1]]
    }

    fn height<'h>(&'h self, direction: &'h Direction) -> Height<'h> {
        let d = match direction {
            Direction::Float(d) => *d,
            Direction::Integer(d) => integer::to_float(&d.each_ref().map(big)),
        };
        let size = |p: &[f64; 3]| p[0].abs() + p[1].abs() + p[2].abs();
        let [a, b] = self.vertices;
        let top = a
            .iter()
            .map(|&p| dot_f(d, p))
            .fold(f64::NEG_INFINITY, f64::max);
        let bottom = b.iter().map(|&p| dot_f(d, p)).fold(f64::INFINITY, f64::min);
        let largest = a.iter().chain(b).map(size).fold(0.0, f64::max);
        let length = dot_f(d, d).sqrt();
        Height {
            claim: self,
            direction,
            float: bottom - top,
            error: ROOM * largest * length,
            length,
        }
    }

    fn grid(&self) -> i32 {
        let [a, b] = self.vertices;
        a.iter()
            .chain(b)
            .flatten()
            .map(|&x| split(x).1)
            .min()
            .unwrap_or(0)
            .min(0)
    }

    /// The least height of `b − a` along an integer direction, in units of `2^grid`.
    fn gap(&self, d: &Int3) -> (Int, i32) {
        let grid = self.grid();
        let [a, b] = self.vertices;
        let height = |p: &[f64; 3]| (0..3).map(|k| &d[k] * on(p[k], grid)).sum::<Int>();
        let top = a.iter().map(height).max().unwrap_or_default();
        let bottom = b.iter().map(height).min().unwrap_or_default();
        (bottom - top, grid)
    }

    fn pair(&self, [i, j]: [u32; 2]) -> Option<[[f64; 3]; 2]> {
        Some([
            *self.vertices[0].get(i as usize)?,
            *self.vertices[1].get(j as usize)?,
        ])
    }

    /// Compares a combination's length with a sum; `None` where it is no combination.
    fn length(&self, combination: &Combination, terms: &[f64]) -> Option<Ordering> {
        let weights: Vec<Int> = combination.weights.integers().iter().map(big).collect();
        let total: Int = weights.iter().sum();
        if weights.len() != combination.pairs.len()
            || weights.iter().any(|w| *w < Int::ZERO)
            || total.is_zero()
        {
            return Some(Ordering::Greater);
        }
        let grid = self.grid();
        let mut sum = Int3::default();
        for (&ids, weight) in combination.pairs.iter().zip(&weights) {
            let Some([a, b]) = self.pair(ids) else {
                return Some(Ordering::Greater);
            };
            for k in 0..3 {
                sum[k] += weight * (on(a[k], grid) - on(b[k], grid));
            }
        }
        let squared: Int = sum.iter().map(|x| x * x).sum();
        let (bound, exponent) = sum_of(terms);
        if bound < Int::ZERO {
            return Some(Ordering::Greater);
        }
        let one = if squared.is_zero() {
            Int::ZERO
        } else {
            Int::ONE
        };
        Some(compare_roots(
            &one,
            &squared,
            grid,
            &(bound * total),
            &Int::ONE,
            exponent,
        ))
    }

    fn upper_fault(&self, nearest: &Combination) -> Option<&'static str> {
        let [_, upper] = self.interval?;
        if upper.is_infinite() {
            return None;
        }
        (self.length(nearest, &self.with_radii(upper))? == Ordering::Greater)
            .then_some("the combination is longer than the upper end")
    }

    /// The origin must be strictly inside the hull of the pairs' differences.
    fn enclosure_fault(&self, pairs: &[[u32; 2]]) -> Option<&'static str> {
        let mut floats = [[0.0; 3]; 8];
        if pairs.len() <= self.dim || pairs.len() > floats.len() {
            return Some("the number of pairs cannot enclose a point");
        }
        let mut size = 0.0;
        for (slot, &ids) in floats.iter_mut().zip(pairs) {
            let Some([a, b]) = self.pair(ids) else {
                return Some("a pair names no vertex");
            };
            *slot = sub_f(a, b);
            size = slot.iter().fold(size, |m: f64, x| m.max(x.abs()));
        }
        let floats = &floats[..pairs.len()];
        let inside = encloses(self.dim, floats, |n, w| {
            let height = dot_f(*n, w);
            let near = ROOM * size * (n[0].abs() + n[1].abs() + n[2].abs());
            (height.abs() > near && near > 1e-280 && near.is_finite())
                .then(|| height.total_cmp(&0.0))
        });
        if inside == Some(true) {
            return None;
        }
        let grid = self.grid();
        let exact = |&ids: &[u32; 2]| {
            let [a, b] = self.pair(ids)?;
            Some(std::array::from_fn(|k| on(a[k], grid) - on(b[k], grid)))
        };
        let points: Option<Vec<Int3>> = pairs.iter().map(exact).collect();
        let inside = encloses_exactly(self.dim, &points?);
        (!inside).then_some("the pairs do not enclose the origin")
    }
}

/// Whether the origin is strictly inside, by floats; `None` when a sign is not clear.
fn encloses(
    dim: usize,
    points: &[[f64; 3]],
    sign: impl Fn(&[f64; 3], [f64; 3]) -> Option<Ordering>,
) -> Option<bool> {
    let mut facets = 0;
    for ids in subsets(dim, points.len()) {
        let [p, q, r] = ids.map(|i| points[i]);
        let (e, f) = (sub_f(q, p), sub_f(r, p));
        let n = if dim == 2 {
            [e[1], -e[0], 0.0]
        } else {
            cross_f(e, f)
        };
        // A normal of cancelled products is no normal of this plane.
        let length = dot_f(n, n);
        if !(length > 1e-2 * dot_f(e, e) * if dim == 2 { 1.0 } else { dot_f(f, f) }) {
            return None;
        }
        let (mut above, mut below) = (false, false);
        for (i, &x) in points.iter().enumerate().filter(|(i, _)| !ids.contains(i)) {
            let _ = i;
            match sign(&n, sub_f(x, p))? {
                Ordering::Greater => above = true,
                _ => below = true,
            }
        }
        if above != below {
            facets += 1;
            let outer = sign(&n, p)?;
            if above == (outer == Ordering::Greater) {
                return Some(false);
            }
        }
    }
    Some(facets > dim)
}

/// Whether the origin is strictly inside the hull.
fn encloses_exactly(dim: usize, points: &[Int3]) -> bool {
    let mut facets = 0;
    for ids in subsets(dim, points.len()) {
        let [p, q, r] = ids.map(|i| &points[i]);
        let e: Int3 = std::array::from_fn(|k| &q[k] - &p[k]);
        let f: Int3 = std::array::from_fn(|k| &r[k] - &p[k]);
        let n = if dim == 2 {
            [e[1].clone(), -&e[0], Int::ZERO]
        } else {
            cross(&e, &f)
        };
        if super::number::is_zero(&n) {
            continue;
        }
        let offset = dot(&n, p);
        let sides = points.iter().map(|x| dot(&n, x).cmp(&offset));
        let (mut above, mut below) = (false, false);
        for side in sides {
            above |= side == Ordering::Greater;
            below |= side == Ordering::Less;
        }
        if above && below {
            continue;
        }
        facets += 1;
        let outer = offset.cmp(&Int::ZERO);
        // A flat set, or a facet that the origin is on or beyond.
        if above == below
            || outer
                != if below {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
        {
            return false;
        }
    }
    facets > dim
}

fn cross_f(e: [f64; 3], f: [f64; 3]) -> [f64; 3] {
    [
        e[1] * f[2] - e[2] * f[1],
        e[2] * f[0] - e[0] * f[2],
        e[0] * f[1] - e[1] * f[0],
    ]
}

/// All triples of `n` indices; in the plane all pairs, the second repeated.
fn subsets(dim: usize, n: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..n).flat_map(move |i| {
        (i + 1..n).flat_map(move |j| {
            let rest = if dim == 2 { j..j + 1 } else { j + 1..n };
            rest.map(move |k| [i, j, k])
        })
    })
}
