//! Which triangles of two bodies are proved to be apart.
//!
//! Idea: the ranges of two lists of triangles are halved in turn, as the certificate says, until an axis tells all of one from all of the other. What
//! is left is every pair that the certificate does not tell apart, so nothing can be forgotten.

use super::VerifyError;
use super::bodies::GridBody;
use crate::certificate::{Cut, CutNode};
use core::ops::Range;
use gjk::query::Direction;
use gjk_exact::integer::{Int, Int3, common, decompose, dot, from_limbs, is_zero, sign};

/// The pairs of triangles that the cut leaves, after every gap of it is found to be at least `gap`, or more than nothing for 0.
pub(super) fn check(
    bodies: &[GridBody<'_>; 2],
    grid: i32,
    cut: &Cut,
    gap: f64,
) -> Result<Vec<[u32; 2]>, VerifyError> {
    for (order, body) in cut.order.iter().zip(bodies) {
        if !is_permutation(order, body.plain.triangles.len()) {
            return Err(VerifyError::Cut("an order is none of all triangles"));
        }
    }
    let least = Length { of: gap, grid };
    let mut near = Vec::new();
    let whole = [0, 1].map(|k: usize| 0..cut.order[k].len());
    let mut open = vec![whole];
    for node in &cut.nodes {
        let Some(ranges) = open.pop() else {
            return Err(VerifyError::Cut("it goes on after its end"));
        };
        match node {
            CutNode::Split { body, at } => open.extend(halves(ranges, *body, *at)?),
            CutNode::Apart(axis) => {
                let triangles = [0, 1].map(|k: usize| &cut.order[k][ranges[k].clone()]);
                if !least.is_below(bodies, triangles, axis)? {
                    return Err(VerifyError::NotApart {
                        triangles: [triangles[0][0], triangles[1][0]],
                    });
                }
            }
            CutNode::Near => {
                for &i in &cut.order[0][ranges[0].clone()] {
                    near.extend(cut.order[1][ranges[1].clone()].iter().map(|&j| [i, j]));
                }
            }
        }
    }
    if open.iter().any(|[a, b]| !a.is_empty() && !b.is_empty()) {
        return Err(VerifyError::Cut("it ends before all pairs are told"));
    }
    Ok(near)
}

fn is_permutation(order: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    order.len() == count
        && order.iter().all(|&k| {
            let known = seen.get_mut(k as usize);
            known.is_some_and(|known| !core::mem::replace(known, true))
        })
}

/// Both parts of a pair of ranges, the first one last.
fn halves(
    ranges: [Range<usize>; 2],
    body: usize,
    at: u32,
) -> Result<[[Range<usize>; 2]; 2], VerifyError> {
    let at = at as usize;
    let range = ranges.get(body).cloned();
    let Some(range) = range.filter(|range| range.start < at && at < range.end) else {
        return Err(VerifyError::Cut("a range is split outside of it"));
    };
    let part = |part: Range<usize>| {
        let mut ranges = ranges.clone();
        ranges[body] = part;
        ranges
    };
    Ok([part(at..range.end), part(range.start..at)])
}

/// An axis as integers, times some positive number.
fn integers(axis: &Direction) -> Result<Int3, VerifyError> {
    let axis = match axis {
        Direction::Float(x) if x.iter().any(|x| !x.is_finite()) => [Int::ZERO; 3],
        Direction::Float(x) => common(x),
        Direction::Integer(x) => {
            [0, 1, 2].map(|k: usize| from_limbs(x[k].is_negative(), x[k].limbs()))
        }
    };
    if is_zero(&axis) {
        return Err(VerifyError::Cut("an axis is no direction"));
    }
    Ok(axis)
}

/// A length, and the grid of the bodies.
struct Length {
    of: f64,
    grid: i32,
}

impl Length {
    /// Whether the second body's triangles are so far ahead of the first one's along an axis, in units of the axis's length.
    fn is_below(
        &self,
        bodies: &[GridBody<'_>; 2],
        triangles: [&[u32]; 2],
        axis: &Direction,
    ) -> Result<bool, VerifyError> {
        let axis = integers(axis)?;
        let heights = |k: usize| {
            let body = &bodies[k];
            let of = triangles[k].iter();
            of.flat_map(|&t| body.plain.triangles[t as usize])
                .map(|v| dot(&axis, &body.vertices[v as usize]))
        };
        let (Some(low), Some(high)) = (heights(0).max(), heights(1).min()) else {
            return Ok(true);
        };
        let gap = high - low;
        Ok(sign(&gap).is_gt() && self.is_at_most(&gap, &axis))
    }

    /// Whether the length is at most `gap / |axis|` steps of the grid.
    fn is_at_most(&self, gap: &Int, axis: &Int3) -> bool {
        let (mantissa, exponent) = decompose(self.of);
        if mantissa <= 0 {
            return true;
        }
        let square = Int::from(mantissa) * Int::from(mantissa) * dot(axis, axis);
        let shift = 2 * (exponent - self.grid);
        let (square, gap) = if shift >= 0 {
            (square << shift as usize, gap * gap)
        } else {
            (square, (gap * gap) << shift.unsigned_abs() as usize)
        };
        square <= gap
    }
}
