//! Which triangles of two bodies are proved to be apart.
//!
//! Idea: the ranges of two lists of triangles are halved in turn, as the certificate says, until an axis tells all of one from all of the other. What
//! is left is every pair that the certificate does not tell apart, so nothing can be forgotten.

use super::VerifyError;
use super::bodies::GridBody;
use crate::certificate::{Cut, CutNode};
use core::ops::Range;
use gjk_exact::integer::{Int, Int3, decompose, dot, grid_of, on_grid, sign};

/// The pairs of triangles that the cut leaves, after every gap of it is found to be at least `gap`, or more than nothing for 0.
pub(super) fn check(
    bodies: &[GridBody<'_>; 2],
    grid: i32,
    cut: &Cut,
    gap: f64,
) -> Result<Vec<[u32; 2]>, VerifyError> {
    for k in 0..2 {
        if !is_permutation(&cut.order[k], bodies[k].plain.triangles.len()) {
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
        axis: &[f64; 3],
    ) -> Result<bool, VerifyError> {
        if axis.iter().any(|x| !x.is_finite()) || *axis == [0.0; 3] {
            return Err(VerifyError::Cut("an axis is no direction"));
        }
        let axis: Int3 = axis.map(|x| on_grid(x, grid_of(axis.iter().copied())));
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
