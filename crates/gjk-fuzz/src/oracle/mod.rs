//! Oracles: what is true of a pair of polytopes, found without GJK or EPA, in exact numbers.
//!
//! Reading order: [`Oracle::truth`], then `axes.rs` (separating axes), `nearest.rs` (distance), `hull.rs` (facets and
//! edges by brute force). [`program`] is a second oracle by linear programming, [`proof`] checks certificates.

mod axes;
mod hull;
mod nearest;
mod number;
pub mod program;
pub mod proof;
pub(crate) mod smooth;

use axes::Pair;
use gjk::query::Verdict;
use gjk_exact::Int;
use number::{BITS_MAX, Coord, Exact, LONG_BITS, Long, SHORT_BITS, Short, split, sum_of};
use std::cmp::Ordering;

use number::{cross, dot};

/// The exact signed distance of two polytopes: `±√(numerator / denominator) · 2^grid`.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The relation.
    pub verdict: Verdict,
    numerator: Int,
    denominator: Int,
    grid: i32,
    /// The signed distance to within a few roundings; not finite when it leaves the range of floats on the way.
    approximate: f64,
}

impl Truth {
    fn new(verdict: Verdict, (numerator, denominator): (Int, Int), grid: i32) -> Self {
        let [above, below] = [&numerator, &denominator].map(|x| x.to_f64().value());
        // A quotient of numbers that are too large may look like one.
        let root = if above < f64::INFINITY && below < f64::INFINITY {
            (above / below).sqrt()
        } else {
            f64::NAN
        };
        let half = 2f64.powi(grid / 2);
        let length = root * half * 2f64.powi(grid - grid / 2);
        let approximate = if verdict == Verdict::Overlapping {
            -length
        } else {
            length
        };
        Self {
            verdict,
            numerator,
            denominator,
            grid,
            approximate,
        }
    }

    /// Touching bodies.
    fn zero() -> Self {
        Self::new(Verdict::Touching, (Int::ZERO, Int::ONE), 0)
    }

    /// The signed distance as a float, to within a few roundings.
    pub fn approximate(&self) -> f64 {
        self.approximate
    }

    /// Compares the signed distance with the exact sum of some floats.
    pub fn compare(&self, terms: &[f64]) -> Ordering {
        let sum: f64 = terms.iter().sum();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        let room = 1e-14 * (size + self.approximate.abs());
        if self.approximate.is_finite() && room > 1e-280 && (self.approximate - sum).abs() > room {
            return self.approximate.total_cmp(&sum);
        }
        if let Some(&infinite) = terms.iter().find(|x| x.is_infinite()) {
            return if infinite > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        self.compare_exactly(terms)
    }

    #[cold]
    fn compare_exactly(&self, terms: &[f64]) -> Ordering {
        let (sum, exponent) = sum_of(terms);
        let own = match self.verdict {
            _ if self.numerator.is_zero() => Ordering::Equal,
            Verdict::Overlapping => Ordering::Less,
            _ => Ordering::Greater,
        };
        let theirs = sum.cmp(&Int::ZERO);
        if own != theirs || own == Ordering::Equal {
            return own.cmp(&theirs);
        }
        let shift = 2 * (i64::from(self.grid) - i64::from(exponent));
        let (mut left, mut right) = (self.numerator.clone(), &sum * &sum * &self.denominator);
        if shift >= 0 {
            left <<= shift as usize;
        } else {
            right <<= (-shift) as usize;
        }
        if own == Ordering::Greater {
            left.cmp(&right)
        } else {
            right.cmp(&left)
        }
    }
}

/// The first oracle: facets, edges and vertices by brute force. Its storage is used again for every case.
#[derive(Debug, Default)]
pub struct Oracle {
    short: Pair<Short>,
    long: Pair<Long>,
    big: Pair<Int>,
}

impl Oracle {
    /// The exact relation and signed distance of two polytopes; `None` where they have too many points or bits.
    pub fn truth(&mut self, dim: usize, a: &[[f64; 3]], b: &[[f64; 3]]) -> Option<Truth> {
        let (mut grid, mut top) = (i32::MAX, i32::MIN);
        for &x in a.iter().chain(b).flatten() {
            if x != 0.0 {
                let (mantissa, exponent) = split(x);
                grid = grid.min(exponent);
                top = top.max(exponent + 64 - mantissa.unsigned_abs().leading_zeros() as i32);
            }
        }
        if top == i32::MIN {
            return Some(Truth::zero());
        }
        let bits = top - grid;
        if bits > BITS_MAX {
            return None;
        }
        if bits > LONG_BITS - 1 {
            let on = |x: f64| {
                let (m, e) = split(x);
                if m == 0 {
                    Int::ZERO
                } else {
                    Int::from(m) << (e - grid) as usize
                }
            };
            let base = a[0].map(on);
            let at = |p: &[f64; 3]| std::array::from_fn(|k| on(p[k]) - &base[k]);
            return solve(&mut self.big, dim, a.iter().map(at), b.iter().map(at), grid);
        }
        let on = |x: f64| {
            let (m, e) = split(x);
            if m == 0 { 0 } else { m << (e - grid) }
        };
        let base = a[0].map(on);
        let largest = a
            .iter()
            .chain(b)
            .flat_map(|p| (0..3).map(|k| (on(p[k]) - base[k]).unsigned_abs()))
            .max()?;
        if largest < 1 << SHORT_BITS {
            let at = |p: &[f64; 3]| std::array::from_fn(|k| Short(on(p[k]) - base[k]));
            return solve(
                &mut self.short,
                dim,
                a.iter().map(at),
                b.iter().map(at),
                grid,
            );
        }
        let at = |p: &[f64; 3]| std::array::from_fn(|k| Long(on(p[k]) - base[k]));
        solve(
            &mut self.long,
            dim,
            a.iter().map(at),
            b.iter().map(at),
            grid,
        )
    }
}

fn solve<C: Coord>(
    pair: &mut Pair<C>,
    dim: usize,
    a: impl Iterator<Item = [C; 3]>,
    b: impl Iterator<Item = [C; 3]>,
    grid: i32,
) -> Option<Truth> {
    pair.dim = dim;
    pair.a.load(dim, a)?;
    pair.b.load(dim, b)?;
    let (rank, along, normal) = pair.rank();
    if rank < dim {
        return flat(pair, rank, &along, &normal, grid);
    }
    let tolerance = axes::SCORE_ERROR * pair.tolerance();
    let (best, finalists) = pair.best_axes();
    let finalists = finalists.to_vec();
    if best > tolerance
        && let Some(squared) = nearest::to_edges(pair)
    {
        return Some(Truth::new(Verdict::Separated, squared, grid));
    }
    let gaps = finalists
        .iter()
        .map(|&(_, axis)| pair.gap(&pair.direction(axis)));
    let gap = gaps.max_by(axes::Gap::compare)?;
    let squared = |gap: &axes::Gap<C::Exact>| (gap.gap.big() * gap.gap.big(), gap.squared.big());
    match gap.gap.sign() {
        Ordering::Less => Some(Truth::new(Verdict::Overlapping, squared(&gap), grid)),
        Ordering::Equal => Some(Truth::zero()),
        Ordering::Greater => {
            let nearest = if best > tolerance {
                None
            } else {
                nearest::to_edges(pair)
            };
            Some(Truth::new(
                Verdict::Separated,
                nearest.unwrap_or_else(|| squared(&gap)),
                grid,
            ))
        }
    }
}

/// A difference without interior: a polygon, a segment or a point.
fn flat<C: Coord>(
    pair: &Pair<C>,
    rank: usize,
    along: &[C::Exact; 3],
    normal: &[C::Exact; 3],
    grid: i32,
) -> Option<Truth> {
    let w = number::difference(&pair.a.points[0], &pair.b.points[0]);
    let apart =
        |squared: Option<(Int, Int)>| squared.map(|s| Truth::new(Verdict::Separated, s, grid));
    let height = dot(normal, &w);
    if height.sign() != Ordering::Equal {
        let plane = (height.big() * height.big(), dot(normal, normal).big());
        return apart(nearest::to_edges(pair).or(Some(plane)));
    }
    let off_line = rank == 1 && !number::is_zero(&cross(along, &w));
    let off_point = rank == 0 && !number::is_zero(&w);
    let mut axes = Vec::new();
    if rank == 2 {
        for (body, edges) in [(&pair.a, &pair.a.edges), (&pair.b, &pair.b.edges)] {
            axes.extend(
                edges
                    .iter()
                    .map(|&[i, j]| cross(normal, &number::difference(body.at(j), body.at(i)))),
            );
        }
    } else if rank == 1 {
        axes.push(along.clone());
    }
    let positive = |n: &[C::Exact; 3]| pair.clearance(n).sign() == Ordering::Greater;
    if off_line
        || off_point
        || axes
            .iter()
            .any(|n| positive(n) || positive(&number::negated(n)))
    {
        return apart(nearest::to_edges(pair));
    }
    Some(Truth::zero())
}
