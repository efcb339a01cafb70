//! The highest of many points along a direction: a scan over coordinates stored by columns, eight points an operation.
//!
//! Where it sits: [`super::HullVertices`] calls it for supports; `climb.rs` for what its flood leaves. Read [`Columns::highest`].
//! Idea: a height is `(x·dx + y·dy) + z·dz`, each operation rounded once, as `Vector::dot` computes it. Lanes only say which
//! points are computed together, so every instruction set finds the same heights, and of equal ones the lowest id. No
//! fused multiply-add: it would round otherwise, and not every target has it.
//! Numbers: a height that is not a number (an overflow) is never the highest.
//!
//! One binary serves every instruction set: `fearless_simd` picks at run time among SSE2, SSE4.2 and AVX2, and takes
//! NEON and WebAssembly's SIMD where the target has them. Without feature `std` it is what the target surely has.

use crate::simd::level;
use alloc::vec::Vec;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

/// Points an operation.
pub(super) const LANES: usize = 8;

/// One coordinate of eight points; aligned, so that no load crosses a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [f64; LANES]);

/// Points by columns: for each eight of them a row a coordinate. The last eight are filled up with copies of the first
/// point, which cannot win: the first is as high and has a lower id.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    rows: Vec<Row>,
    dim: usize,
    count: usize,
    /// The instruction set, read once: even its cached value costs as much as eight heights.
    level: Level,
}

impl PartialEq for Columns {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && (self.dim, self.count) == (other.dim, other.count)
    }
}

impl Columns {
    /// The points `point(0..count)`, at least one, in two or three dimensions.
    pub(super) fn new(dim: usize, count: usize, point: impl Fn(usize) -> [f64; 3]) -> Self {
        let id = |block: usize, lane: usize| {
            Some(block * LANES + lane)
                .filter(|&i| i < count)
                .unwrap_or(0)
        };
        let row = |at: usize| {
            Row(core::array::from_fn(|lane| {
                point(id(at / dim, lane))[at % dim]
            }))
        };
        Self {
            rows: (0..count.div_ceil(LANES) * dim).map(row).collect(),
            dim,
            count,
            level: level(),
        }
    }

    /// The lowest id of the points that are highest along `direction`.
    #[inline]
    pub(super) fn highest(&self, direction: [f64; 3]) -> u32 {
        self.highest_at(self.level, direction)
    }

    /// Of two sets of points the ids that [`Columns::highest`] finds, each along a direction of its own: one call in the place of two.
    // Not `#[inline]`, as below.
    pub(super) fn highest_of_two([a, b]: [&Self; 2], directions: &[[f64; 3]; 2]) -> [u32; 2] {
        let (x, y) = (&a.rows[..], &b.rows[..]);
        if a.dim == 2 {
            dispatch!(a.level, simd => both::<_, 2>(simd, [x, y], directions))
        } else {
            dispatch!(a.level, simd => both::<_, 3>(simd, [x, y], directions))
        }
    }

    /// Not `#[inline]`: every crate that calls it would compile the scan again, once an instruction set.
    fn highest_at(&self, level: Level, direction: [f64; 3]) -> u32 {
        let rows = &self.rows[..];
        if self.dim == 2 {
            dispatch!(level, simd => highest::<_, 2>(simd, rows, &direction))
        } else {
            dispatch!(level, simd => highest::<_, 3>(simd, rows, &direction))
        }
    }

    /// The largest square of a distance from a center, and from an axis through it along a unit vector; one that is not a number does not count.
    pub(super) fn farthest(&self, center: [f64; 3], axis: [f64; 3]) -> [f64; 2] {
        self.farthest_at(self.level, center, axis)
    }

    fn farthest_at(&self, level: Level, center: [f64; 3], axis: [f64; 3]) -> [f64; 2] {
        let rows = &self.rows[..];
        if self.dim == 2 {
            dispatch!(level, simd => farthest::<_, 2>(simd, rows, &center, &axis))
        } else {
            dispatch!(level, simd => farthest::<_, 3>(simd, rows, &center, &axis))
        }
    }

    /// Writes the ids of all points at `threshold` or above to `found`, ascending, and returns how many; `None` when there
    /// are more than it can hold.
    pub(super) fn above(
        &self,
        direction: [f64; 3],
        threshold: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.above_at(self.level, direction, threshold, found)
    }

    fn above_at(
        &self,
        level: Level,
        direction: [f64; 3],
        threshold: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        let rows = &self.rows[..];
        let (direction, wanted) = (&direction, (threshold, self.count as u32));
        if self.dim == 2 {
            dispatch!(level, simd => above::<_, 2>(simd, rows, direction, wanted, found))
        } else {
            dispatch!(level, simd => above::<_, 3>(simd, rows, direction, wanted, found))
        }
    }
}

// What follows is inlined into one function an instruction set, which is the only place where its instructions may be used.

#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, direction: &[f64; 3]) -> [f64x8<S>; 3] {
    [
        f64x8::splat(simd, direction[0]),
        f64x8::splat(simd, direction[1]),
        f64x8::splat(simd, direction[2]),
    ]
}

/// The heights of eight points.
#[inline(always)]
fn heights<S: Simd, const DIM: usize>(
    simd: S,
    rows: &[Row],
    direction: &[f64x8<S>; 3],
) -> f64x8<S> {
    let sum = f64x8::from_slice(simd, &rows[0].0) * direction[0]
        + f64x8::from_slice(simd, &rows[1].0) * direction[1];
    if DIM == 2 {
        sum
    } else {
        sum + f64x8::from_slice(simd, &rows[2].0) * direction[2]
    }
}

#[inline(always)]
fn farthest<S: Simd, const DIM: usize>(
    simd: S,
    rows: &[Row],
    center: &[f64; 3],
    axis: &[f64; 3],
) -> [f64; 2] {
    let (center, axis) = (splat(simd, center), splat(simd, axis));
    let zero = f64x8::splat(simd, 0.0);
    let mut squares = [zero; 2];
    for block in rows.chunks_exact(DIM) {
        let from = |k: usize| match block.get(k) {
            Some(row) => f64x8::from_slice(simd, &row.0) - center[k],
            None => zero,
        };
        let arm = [from(0), from(1), from(2)];
        let cross = |i: usize, j: usize| axis[i] * arm[j] - axis[j] * arm[i];
        for (most, [x, y, z]) in squares
            .iter_mut()
            .zip([arm, [cross(1, 2), cross(2, 0), cross(0, 1)]])
        {
            *most = most.max(x * x + y * y + z * z);
        }
    }
    squares.map(|lanes| {
        lanes
            .as_slice()
            .iter()
            .fold(0.0, |most: f64, x| most.max(*x))
    })
}

#[inline(always)]
fn both<S: Simd, const DIM: usize>(
    simd: S,
    [a, b]: [&[Row]; 2],
    [along_a, along_b]: &[[f64; 3]; 2],
) -> [u32; 2] {
    [
        highest::<S, DIM>(simd, a, along_a),
        highest::<S, DIM>(simd, b, along_b),
    ]
}

#[inline(always)]
fn highest<S: Simd, const DIM: usize>(simd: S, rows: &[Row], direction: &[f64; 3]) -> u32 {
    match rows.len() / DIM {
        1 => few::<S, DIM, 1>(simd, rows, direction),
        2 => few::<S, DIM, 2>(simd, rows, direction),
        3 => few::<S, DIM, 3>(simd, rows, direction),
        4 => few::<S, DIM, 4>(simd, rows, direction),
        _ => many::<S, DIM>(simd, rows, direction),
    }
}

/// All heights stay in registers: first the top one, then a bit for each point that reaches it.
#[inline(always)]
fn few<S: Simd, const DIM: usize, const BLOCKS: usize>(
    simd: S,
    rows: &[Row],
    direction: &[f64; 3],
) -> u32 {
    let direction = splat(simd, direction);
    let mut kept = [f64x8::splat(simd, f64::NEG_INFINITY); BLOCKS];
    let mut best = kept[0];
    for (slot, rows) in kept.iter_mut().zip(rows.chunks_exact(DIM)) {
        *slot = heights::<S, DIM>(simd, rows, &direction);
        best = slot.simd_gt(best).select(*slot, best);
    }
    let top = f64x8::splat(simd, simd.reduce_max_f64x8(best));
    let mut reached = 0_u64;
    for (block, heights) in kept.iter().enumerate() {
        reached |= heights.simd_eq(top).to_bitmask() << (LANES * block);
    }
    // Of 64 bits none is set only when every height is not a number: then the first point.
    reached.trailing_zeros() % 64
}

/// Each lane keeps its best height and the block where it came first; two sets of lanes hide the latency of a comparison.
#[inline(always)]
fn many<S: Simd, const DIM: usize>(simd: S, rows: &[Row], direction: &[f64; 3]) -> u32 {
    let direction = splat(simd, direction);
    let mut best = [f64x8::splat(simd, f64::NEG_INFINITY); 2];
    // Ids as floats, which are exact to 2⁵³, so that one mask serves both.
    let mut at = [f64x8::splat(simd, 0.0); 2];
    let mut first = 0.0;
    let mut twos = rows.chunks_exact(2 * DIM);
    for two in &mut twos {
        let (even, odd) = two.split_at(DIM);
        let height = heights::<S, DIM>(simd, even, &direction);
        let better = height.simd_gt(best[0]);
        best[0] = better.select(height, best[0]);
        at[0] = better.select(f64x8::splat(simd, first), at[0]);
        let height = heights::<S, DIM>(simd, odd, &direction);
        let better = height.simd_gt(best[1]);
        best[1] = better.select(height, best[1]);
        at[1] = better.select(f64x8::splat(simd, first + LANES as f64), at[1]);
        first += 2.0 * LANES as f64;
    }
    if !twos.remainder().is_empty() {
        let height = heights::<S, DIM>(simd, twos.remainder(), &direction);
        let better = height.simd_gt(best[0]);
        best[0] = better.select(height, best[0]);
        at[0] = better.select(f64x8::splat(simd, first), at[0]);
    }
    let other = best[1].simd_gt(best[0]) | (best[1].simd_eq(best[0]) & at[1].simd_lt(at[0]));
    let (best, at) = (other.select(best[1], best[0]), other.select(at[1], at[0]));
    let top = f64x8::splat(simd, simd.reduce_max_f64x8(best));
    let mut reached = best.simd_eq(top).to_bitmask();
    let mut id = u32::MAX;
    while reached != 0 {
        let lane = reached.trailing_zeros();
        id = id.min(at[lane as usize] as u32 + lane);
        reached &= reached - 1;
    }
    id
}

#[inline(always)]
fn above<S: Simd, const DIM: usize>(
    simd: S,
    rows: &[Row],
    direction: &[f64; 3],
    (threshold, count): (f64, u32),
    found: &mut [u32],
) -> Option<usize> {
    let (direction, threshold) = (splat(simd, direction), f64x8::splat(simd, threshold));
    let (mut len, mut first) = (0, 0);
    for rows in rows.chunks_exact(DIM) {
        let mut bits = heights::<S, DIM>(simd, rows, &direction)
            .simd_ge(threshold)
            .to_bitmask();
        while bits != 0 {
            let id = first + bits.trailing_zeros();
            if id < count {
                *found.get_mut(len)? = id;
                len += 1;
            }
            bits &= bits - 1;
        }
        first += LANES as u32;
    }
    Some(len)
}

/// Every instruction set that this machine has, and with feature `plain-floats` none.
#[cfg(test)]
pub(super) fn every_level() -> Vec<Level> {
    let best = level();
    let mut levels = alloc::vec![best, Level::baseline()];
    #[cfg(feature = "plain-floats")]
    levels.push(Level::fallback());
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_avx512().map(|token| token.level()));
        levels.extend(best.as_avx2().map(|token| token.level()));
        levels.extend(best.as_sse4_2().map(|token| token.level()));
        levels.extend(best.as_sse2().map(|token| token.level()));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::every_level as levels;
    use super::*;
    use crate::random::Random;

    fn height(p: [f64; 3], d: [f64; 3]) -> f64 {
        (p[0] * d[0] + p[1] * d[1]) + p[2] * d[2]
    }

    /// The oracle: the first of the highest.
    fn naive(points: &[[f64; 3]], d: [f64; 3]) -> u32 {
        let top = points
            .iter()
            .fold(f64::NEG_INFINITY, |m, p| height(*p, d).max(m));
        points
            .iter()
            .position(|p| height(*p, d) == top)
            .unwrap_or(0) as u32
    }

    /// Coordinates of a few values, so that many heights are equal, or of many; of any size.
    fn point(random: &mut Random, dim: usize, kind: usize) -> [f64; 3] {
        let scale = [1.0, 1e-310, 1e150, 1.0][kind / 2 % 4];
        let few = |x: f64| if kind & 1 == 0 { x } else { (x * 2.0).round() } * scale;
        random.vector(dim, 1.0).map(few)
    }

    fn check(points: &[[f64; 3]], dim: usize, directions: &[[f64; 3]]) {
        let columns = Columns::new(dim, points.len(), |i| points[i]);
        for &d in directions {
            let expected = naive(points, d);
            let top = height(points[expected as usize], d);
            for level in levels() {
                assert_eq!(
                    columns.highest_at(level, d),
                    expected,
                    "{level:?} {points:?} {d:?}"
                );
                let here = Columns {
                    level,
                    ..columns.clone()
                };
                let opposite = d.map(|x| -x);
                assert_eq!(
                    Columns::highest_of_two([&here, &columns], &[d, opposite]),
                    [expected, naive(points, opposite)],
                    "{level:?} {points:?} {d:?}"
                );
                let mut found = [0; 80];
                for threshold in [top, top - top.abs() * 0.25] {
                    let len = columns.above_at(level, d, threshold, &mut found);
                    let all = (0..points.len() as u32)
                        .filter(|&i| height(points[i as usize], d) >= threshold);
                    let all: Vec<u32> = all.collect();
                    assert_eq!(
                        len.map(|len| &found[..len]),
                        (all.len() <= 80).then_some(&all[..]),
                        "{level:?}"
                    );
                }
            }
        }
    }

    /// Every instruction set finds what the oracle finds, ties, subnormal and huge coordinates included.
    #[test]
    fn every_level_finds_the_first_of_the_highest() {
        let mut unit = Random(1);
        for dim in [2, 3] {
            for n in (1..=70).chain([127, 128, 129, 500, 1001]) {
                for kind in 0..8 {
                    let points: Vec<_> = (0..n).map(|_| point(&mut unit, dim, kind)).collect();
                    let mut directions: Vec<_> = (0..6).map(|k| point(&mut unit, dim, k)).collect();
                    directions.extend([
                        [0.0; 3],
                        [-0.0, 0.0, 0.0],
                        [1.0, 0.0, 0.0],
                        [0.0, -1.0, 0.0],
                        [1e-320, 0.0, 0.0],
                    ]);
                    check(&points, dim, &directions);
                }
            }
        }
    }

    /// Where the winner is in each place once, and where every point is the same.
    #[test]
    fn every_level_finds_the_farthest_from_a_point_and_from_an_axis() {
        let mut numbers = Random(77);
        for count in [5, 8, 9, 31] {
            for dim in [2, 3] {
                let points: Vec<_> = (0..count).map(|_| point(&mut numbers, dim, 0)).collect();
                let columns = Columns::new(dim, count, |i| points[i]);
                let center = point(&mut numbers, dim, 0);
                let axis = if dim == 2 {
                    [0.0, 0.0, 1.0]
                } else {
                    [0.6, 0.0, -0.8]
                };
                let mut right = [0.0f64; 2];
                for p in &points {
                    let arm = [0, 1, 2].map(|k| p[k] - center[k]);
                    let along = height(arm, axis);
                    let square = height(arm, arm);
                    right = [right[0].max(square), right[1].max(square - along * along)];
                }
                for level in levels() {
                    let found = columns.farthest_at(level, center, axis);
                    for k in 0..2 {
                        assert!(
                            (found[k] - right[k]).abs() <= 1e-14 * right[0],
                            "{count} {dim}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_winner_may_be_anywhere() {
        for n in 1..=70 {
            let mut points = alloc::vec![[0.5, -0.25, 0.125]; n];
            check(&points, 3, &[[1.0, 1.0, 1.0]]);
            for i in 0..n {
                points[i][2] = 0.25;
                check(&points, 3, &[[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]);
                points[i][2] = 0.125;
            }
        }
    }

    /// Heights that overflow to infinity or to no number leave a valid id, the same on every level.
    #[test]
    fn overflow_is_the_same_on_every_level() {
        for n in [1, 9, 40, 100] {
            let points: Vec<[f64; 3]> = (0..n)
                .map(|i| [f64::MAX, [-f64::MAX, f64::MAX][i % 2], 1.0])
                .collect();
            let columns = Columns::new(3, n, |i| points[i]);
            for d in [
                [2.0, 2.0, 0.0],
                [-2.0, -2.0, 0.0],
                [f64::NAN, 0.0, 0.0],
                [f64::INFINITY, 0.0, 0.0],
            ] {
                let found: Vec<u32> = levels()
                    .into_iter()
                    .map(|level| columns.highest_at(level, d))
                    .collect();
                assert!(
                    found.iter().all(|&id| id == found[0] && (id as usize) < n),
                    "{d:?} {found:?}"
                );
            }
        }
    }
}
