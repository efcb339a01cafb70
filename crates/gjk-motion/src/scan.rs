//! The highest of a piece's corners along a direction, at rest or on arcs: a scan over coordinates stored by columns.
//!
//! Where it sits: `rooted.rs` keeps a piece's corners so; `sweep.rs` asks for the highest one. It is seven tenths of a proof's time.
//! Idea: lanes only say which corners are computed together. Every operation is rounded as it would be alone, and of equal heights the
//! lowest corner wins, so that all instruction sets find the same one.

use crate::map::V3;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

/// Corners an operation.
const LANES: usize = 8;

/// Eight corners: their coordinates, and how far they are from the third axis.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    x: [f64; LANES],
    y: [f64; LANES],
    z: [f64; LANES],
    rho: [f64; LANES],
}

/// Corners by columns. The last eight are filled up with copies of the first one, which cannot win: that one comes before them.
#[derive(Debug)]
pub(crate) struct CornerRows {
    blocks: Vec<Block>,
    count: usize,
    level: Level,
}

/// An arc and a direction, as a scan over corners needs them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArcDirection {
    /// The direction across the axis turned back by the lower end, and by the upper one.
    pub(crate) lower: [f64; 2],
    pub(crate) upper: [f64; 2],
    /// Its length across the axis, and its part along it.
    pub(crate) across: f64,
    pub(crate) along: f64,
    /// Whether the arc is more than half a turn, and whether it is a whole one.
    pub(crate) is_wide: bool,
    pub(crate) is_full: bool,
}

/// The highest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HighestCorner {
    pub(crate) height: f64,
    pub(crate) at: usize,
}

impl ArcDirection {
    /// The heights of a corner at the lower and at the upper end.
    #[inline(always)]
    pub(crate) fn at_ends(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([ax, ay], [bx, by]) = (self.lower, self.upper);
        [ax * x + ay * y, bx * x + by * y]
    }

    /// Whether the arc takes a corner through the direction.
    #[inline(always)]
    pub(crate) fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let ([ax, ay], [bx, by]) = (self.lower, self.upper);
        // From the upper end's direction counter-clockwise to the lower end's.
        let (past_upper, before_lower) = (bx * y - by * x >= 0.0, x * ay - y * ax >= 0.0);
        if self.is_wide {
            self.is_full || past_upper || before_lower
        } else {
            past_upper && before_lower
        }
    }
}

impl CornerRows {
    /// The rows of these corners.
    pub(crate) fn new(points: &[V3]) -> Self {
        let corner = |block: usize, lane: usize| {
            let at = block * LANES + lane;
            points[if at < points.len() { at } else { 0 }]
        };
        let block = |block: usize| {
            let row = |of: fn(V3) -> f64| std::array::from_fn(|lane| of(corner(block, lane)));
            Block {
                x: row(|p| p.x),
                y: row(|p| p.y),
                z: row(|p| p.z),
                rho: row(|p| (p.x * p.x + p.y * p.y).sqrt()),
            }
        };
        Self {
            blocks: (0..points.len().div_ceil(LANES)).map(block).collect(),
            count: points.len(),
            level: Level::new(),
        }
    }

    /// How many corners there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A corner.
    pub(crate) fn corner(&self, at: usize) -> V3 {
        let (block, lane) = (&self.blocks[at / LANES], at % LANES);
        V3::new(block.x[lane], block.y[lane], block.z[lane])
    }

    /// How far a corner is from the third axis.
    pub(crate) fn rho(&self, at: usize) -> f64 {
        self.blocks[at / LANES].rho[at % LANES]
    }

    /// The highest corner along a direction.
    pub(crate) fn highest(&self, direction: V3) -> HighestCorner {
        let blocks = &self.blocks[..];
        dispatch!(self.level, simd => highest(simd, blocks, direction))
    }

    /// The corner that comes highest on an arc about the third axis.
    pub(crate) fn highest_on_arc(&self, arc: &ArcDirection) -> HighestCorner {
        let blocks = &self.blocks[..];
        dispatch!(self.level, simd => highest_on_arc(simd, blocks, arc))
    }
}

/// The best of each lane so far.
struct Best<S: Simd> {
    height: f64x8<S>,
    at: f64x8<S>,
    next: f64x8<S>,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self {
            height: f64x8::splat(simd, f64::NEG_INFINITY),
            at: f64x8::splat(simd, 0.0),
            next: f64x8::from_slice(simd, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
        }
    }

    #[inline(always)]
    fn take(&mut self, height: f64x8<S>) {
        let is_higher = height.simd_gt(self.height);
        self.height = is_higher.select(height, self.height);
        self.at = is_higher.select(self.next, self.at);
        self.next += LANES as f64;
    }

    #[inline(always)]
    fn corner(&self, simd: S) -> HighestCorner {
        let height = simd.reduce_max_f64x8(self.height);
        let mut reached = self.height.simd_eq(f64x8::splat(simd, height)).to_bitmask();
        let mut at = [0.0; LANES];
        self.at.store_slice(&mut at);
        let mut first = f64::INFINITY;
        while reached != 0 {
            first = at[reached.trailing_zeros() as usize].min(first);
            reached &= reached - 1;
        }
        HighestCorner {
            height,
            at: first as usize,
        }
    }
}

#[inline(always)]
fn highest<S: Simd>(simd: S, blocks: &[Block], direction: V3) -> HighestCorner {
    let splat = |x: f64| f64x8::splat(simd, x);
    let (dx, dy, dz) = (splat(direction.x), splat(direction.y), splat(direction.z));
    let mut best = Best::new(simd);
    for block in blocks {
        let load = |row: &[f64; LANES]| f64x8::from_slice(simd, row);
        best.take(dx * load(&block.x) + dy * load(&block.y) + dz * load(&block.z));
    }
    best.corner(simd)
}

#[inline(always)]
fn highest_on_arc<S: Simd>(simd: S, blocks: &[Block], arc: &ArcDirection) -> HighestCorner {
    let splat = |x: f64| f64x8::splat(simd, x);
    let ([ax, ay], [bx, by]) = (arc.lower.map(splat), arc.upper.map(splat));
    let (across, along, zero) = (splat(arc.across), splat(arc.along), splat(0.0));
    let mut best = Best::new(simd);
    for block in blocks {
        let load = |row: &[f64; LANES]| f64x8::from_slice(simd, row);
        let (x, y, z, rho) = (
            load(&block.x),
            load(&block.y),
            load(&block.z),
            load(&block.rho),
        );
        let (one, other) = (ax * x + ay * y, bx * x + by * y);
        let past_upper = (bx * y - by * x).simd_ge(zero);
        let before_lower = (x * ay - y * ax).simd_ge(zero);
        let ends = one.simd_gt(other).select(one, other);
        let holds = if arc.is_wide {
            past_upper | before_lower
        } else {
            past_upper & before_lower
        };
        let reached = if arc.is_full {
            rho * across
        } else {
            holds.select(rho * across, ends)
        };
        best.take(reached + along * z);
    }
    best.corner(simd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::states::Splitmix64;

    fn points(count: usize, draw: &mut Splitmix64) -> Vec<V3> {
        let mut side = || 2.0 * draw.unit() - 1.0;
        (0..count)
            .map(|_| V3::new(side(), side(), side()))
            .collect()
    }

    /// The first of the highest, as one corner after the other gives it.
    fn first_highest(count: usize, height: impl Fn(usize) -> f64) -> HighestCorner {
        let mut best = HighestCorner {
            height: f64::NEG_INFINITY,
            at: 0,
        };
        for at in 0..count {
            let height = height(at);
            if height > best.height {
                best = HighestCorner { height, at };
            }
        }
        best
    }

    /// Any count of corners, two instruction sets, and corners that are the same: what one corner after the other gives, to the bit.
    #[test]
    fn lanes_find_what_one_corner_after_the_other_gives() {
        let mut draw = Splitmix64(11);
        for count in 1..40 {
            let mut points = points(count, &mut draw);
            if count > 9 {
                points[count - 1] = points[3];
            }
            let mut rows = CornerRows::new(&points);
            for round in 0..20 {
                rows.level = [Level::new(), Level::baseline()][round % 2];
                let d = self::points(1, &mut draw)[0];
                let by_one = first_highest(count, |at| {
                    let p = rows.corner(at);
                    d.x * p.x + d.y * p.y + d.z * p.z
                });
                assert_eq!(rows.highest(d), by_one, "{count}");
                let half = [0.3, 2.0, 4.0][round % 3];
                let turned = |angle: f64| {
                    let (sin, cos) = angle.sin_cos();
                    [cos * d.x + sin * d.y, cos * d.y - sin * d.x]
                };
                let arc = ArcDirection {
                    lower: turned(0.2 - half),
                    upper: turned(0.2 + half),
                    across: (d.x * d.x + d.y * d.y).sqrt(),
                    along: d.z,
                    is_wide: half > 1.6,
                    is_full: half > 3.2,
                };
                let by_one = first_highest(count, |at| {
                    let p = rows.corner(at);
                    let [one, other] = arc.at_ends([p.x, p.y]);
                    let ends = if one > other { one } else { other };
                    let reached = if arc.holds([p.x, p.y]) {
                        rows.rho(at) * arc.across
                    } else {
                        ends
                    };
                    reached + arc.along * p.z
                });
                assert_eq!(rows.highest_on_arc(&arc), by_one, "{count} {half}");
            }
        }
    }
}
