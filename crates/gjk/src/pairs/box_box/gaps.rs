//! The gaps between two boxes along all 15 axes, four at a time.
//!
//! Where it sits: `box_box/mod.rs` chooses the axis that is measured by them, and proves by them that others overlap by more.
//! Idea: an axis is a lane of a row, and its number counts lanes: a row of the faces of A, one of those of B, and one of the products of each edge of A and
//! those of B. The fourth lane of a row is no axis: it repeats what stands there, so that the first three can be turned around.

use super::OrientedBoxes;
use crate::math::Triple;
use crate::rounding::{PARALLEL_SINE, UNIT_ROUNDOFF};
use fearless_simd::{Simd, f64x4, prelude::*};

/// So many rows of axes, of them the first two of faces.
const AXIS_ROWS: usize = 5;
const FACE_ROWS: usize = 2;

/// The number of the first product of edges.
pub(super) const FIRST_PRODUCT: usize = 4 * FACE_ROWS;

/// Which lanes are axes, a bit each.
const ALL_AXES: u32 = 0x7_7777;

/// The row of an axis: 0 are faces of A, 1 those of B, and from 2 on products of an edge of A.
#[inline(always)]
pub(super) fn row_of(axis: usize) -> usize {
    axis >> 2
}

/// The edge of A of a product, and that of B.
#[inline(always)]
pub(super) fn edges_of(axis: usize) -> (usize, usize) {
    (row_of(axis).saturating_sub(FACE_ROWS) % 3, place_of(axis))
}

/// The place of an axis in its row.
#[inline(always)]
pub(super) fn place_of(axis: usize) -> usize {
    (axis & 3) % 3
}

/// The coordinates of the edges of both boxes, a row a coordinate.
pub(super) struct EdgeRows<S: Simd>([[f64x4<S>; 3]; 2]);

/// The gaps along all axes, not normalised, and the squares of the lengths of products.
pub(super) struct Gaps {
    gaps: [[f64; 4]; AXIS_ROWS],
    squares: [[f64; 4]; 3],
}

/// A row of three, and the first again.
#[inline(always)]
fn three<S: Simd>(simd: S, [x, y, z]: Triple) -> f64x4<S> {
    f64x4::simd_from(simd, [x, y, z, x])
}

/// The same of a coordinate of edges.
#[inline(always)]
fn coordinate<S: Simd>(simd: S, [x, y, z]: &[Triple; 3], k: usize) -> f64x4<S> {
    three(simd, [x[k], y[k], z[k]])
}

impl<S: Simd> EdgeRows<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, [a, b]: &[[Triple; 3]; 2]) -> Self {
        Self([
            [
                coordinate(simd, a, 0),
                coordinate(simd, a, 1),
                coordinate(simd, a, 2),
            ],
            [
                coordinate(simd, b, 0),
                coordinate(simd, b, 1),
                coordinate(simd, b, 2),
            ],
        ])
    }

    /// The inner products of a box's edges and a vector.
    #[inline(always)]
    pub(super) fn dots(&self, of: usize, vector: Triple) -> f64x4<S> {
        let [x, y, z] = self.0[of];
        x * vector[0] + y * vector[1] + z * vector[2]
    }
}

/// The weighted sum of three rows.
#[inline(always)]
fn sum<S: Simd>([p, q, r]: [f64x4<S>; 3], weights: Triple) -> f64x4<S> {
    p * weights[0] + q * weights[1] + r * weights[2]
}

impl Gaps {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, boxes: &OrientedBoxes, edges: &EdgeRows<S>) -> Self {
        let ([a, b], [g, h]) = (&boxes.columns, boxes.half);
        // The cosines of an edge of A by those of B, and of an edge of B by those of A.
        let rows = [
            edges.dots(1, a[0]),
            edges.dots(1, a[1]),
            edges.dots(1, a[2]),
        ];
        let columns = [
            edges.dots(0, b[0]),
            edges.dots(0, b[1]),
            edges.dots(0, b[2]),
        ];
        let sizes = [rows[0].abs(), rows[1].abs(), rows[2].abs()];
        let across = [columns[0].abs(), columns[1].abs(), columns[2].abs()];
        let (s, t) = (edges.dots(0, boxes.offset), edges.dots(1, boxes.offset));
        let faces_a = s.abs() - (three(simd, g) + sum(across, h));
        let faces_b = t.abs() - (three(simd, h) + sum(sizes, g));
        let s: [f64; 4] = s.into();
        let mut all = Self {
            gaps: [faces_a.into(), faces_b.into(), [0.0; 4], [0.0; 4], [0.0; 4]],
            squares: [[0.0; 4]; 3],
        };
        // The other two edges of B, in turn.
        let (next, last) = (
            three(simd, [h[1], h[2], h[0]]),
            three(simd, [h[2], h[0], h[1]]),
        );
        for i in 0..3 {
            let (k, m) = ((i + 1) % 3, (i + 2) % 3);
            let size_next = sizes[i].slide::<1>(sizes[i]);
            let size_last = sizes[i].slide::<2>(size_next);
            let height = rows[k] * s[m] - rows[m] * s[k];
            let radii = (sizes[m] * g[k] + sizes[k] * g[m]) + (size_last * next + size_next * last);
            all.gaps[FACE_ROWS + i] = (height.abs() - radii).into();
            // Of a row of length one, without the entry that may be near one.
            all.squares[i] = (size_next * size_next + size_last * size_last).into();
        }
        all
    }

    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, k: usize) -> f64x4<S> {
        f64x4::simd_from(simd, self.gaps[k])
    }

    #[inline(always)]
    fn square<S: Simd>(&self, simd: S, k: usize) -> f64x4<S> {
        f64x4::simd_from(simd, self.squares[k])
    }

    /// The axis with the largest gap, or the least overlap; of equal ones the first. A product of edges must be wider by the
    /// error, so that a face wins where edges lie in it.
    #[inline(always)]
    pub(super) fn widest<S: Simd>(&self, simd: S, error: f64) -> usize {
        // The squares of normalised gaps, with their signs.
        let (a, b) = (self.row(simd, 0), self.row(simd, 1));
        let ratios = [
            a * a.abs(),
            b * b.abs(),
            self.product_ratios(simd, 0, error),
            self.product_ratios(simd, 1, error),
            self.product_ratios(simd, 2, error),
        ];
        let top = (ratios[0].max(ratios[1])).max(ratios[2].max(ratios[3]).max(ratios[4]));
        let top = f64x4::splat(simd, top.reduce_max());
        let mut at_top = 0;
        for (k, row) in ratios.into_iter().enumerate() {
            at_top |= (row.simd_eq(top).to_bitmask() as u32) << (4 * k);
        }
        (at_top & ALL_AXES | 1 << (4 * AXIS_ROWS)).trailing_zeros() as usize % (4 * AXIS_ROWS)
    }

    /// The same of the products of an edge of A.
    #[inline(always)]
    fn product_ratios<S: Simd>(&self, simd: S, i: usize, error: f64) -> f64x4<S> {
        let gap = self.row(simd, FACE_ROWS + i) - error;
        let square = self.square(simd, i);
        // The fourth lane is no axis, and never the top.
        let [p, q, r, _]: [f64; 4] = (gap * gap.abs() / square).into();
        let ratio = f64x4::simd_from(simd, [p, q, r, f64::NEG_INFINITY]);
        // Shorter products would be chosen for the noise of their length.
        let is_long = square.simd_gt(PARALLEL_SINE * PARALLEL_SINE);
        is_long.select(ratio, f64x4::splat(simd, f64::NEG_INFINITY))
    }

    /// The axes along which the boxes do not overlap by more than `depth`, beyond the error: a bit each.
    ///
    /// The factor `1 + 16u`: the overlap, its square, the depth's square and the two products are rounded once each, the
    /// squares of the lengths three times: below 16 roundings together.
    #[inline(always)]
    pub(super) fn not_exceeding<S: Simd>(&self, simd: S, depth: f64, error: f64) -> u32 {
        let squared = depth * depth * (1.0 + 16.0 * UNIT_ROUNDOFF);
        let mut exceed = 0;
        for k in 0..AXIS_ROWS {
            let overlap = -self.row(simd, k) - error;
            let least = if k < FACE_ROWS {
                f64x4::splat(simd, squared)
            } else {
                self.square(simd, k - FACE_ROWS) * squared
            };
            let clear = overlap.simd_gt(0.0) & (overlap * overlap).simd_ge(least);
            exceed |= (clear.to_bitmask() as u32) << (4 * k);
        }
        !exceed & ALL_AXES
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::math::{Scalar, Vector, cross, dot};
    use crate::random::Random;
    use crate::request::FAST_WIDTH;
    use crate::simd::level;
    use crate::{Pose3, Vec3};
    use fearless_simd::{Level, dispatch};

    impl Random {
        /// Two boxes near each other; some have parallel edges.
        fn boxes(&mut self) -> ([Vec3<f64>; 2], [Pose3<f64>; 2]) {
            let mut vector = |from: f64, size: f64| {
                Vec3::from_f64([0; 3].map(|_: i32| from + size * self.share()))
            };
            let half = [vector(0.1, 1.0), vector(0.1, 1.0)];
            let (place, turn) = (vector(-2.0, 4.0), vector(-1.0, 2.0));
            let tilt = [0.0, 1e-12, 1e-3, 1.0][self.below(4)];
            let [x, y, z] = turn.to_f64().map(|x| x * tilt);
            let there = Pose3::from_quaternion([x, y, z, 1.0], place);
            (half, [Pose3::identity(), there.unwrap()])
        }
    }

    /// An axis by its definition: its gap and its length.
    fn defined(boxes: &OrientedBoxes, axis: usize) -> [f64; 2] {
        let ([a, b], k) = (&boxes.columns, place_of(axis));
        let direction = match row_of(axis) {
            0 => a[k],
            1 => b[k],
            row => cross(a[row - FACE_ROWS], b[k]),
        };
        let radius = |of: usize| {
            let parts =
                [0, 1, 2].map(|k| boxes.half[of][k] * dot(direction, boxes.columns[of][k]).abs());
            parts.iter().sum::<f64>()
        };
        let gap = dot(direction, boxes.offset).abs() - radius(0) - radius(1);
        [gap, Scalar::sqrt(dot(direction, direction))]
    }

    /// The rows have the gaps of the definition, the widest axis is the widest of them, and those that do not overlap by a depth are named.
    #[test]
    fn rows_have_the_gaps_of_all_axes() {
        let mut random = Random(3);
        for _ in 0..3000 {
            let (half, poses) = random.boxes();
            let boxes = OrientedBoxes::new(half.each_ref(), poses.each_ref()).unwrap();
            let (all, [free, wide], left) = dispatch!(level(), simd => {
                let all = Gaps::new(simd, &boxes, &EdgeRows::new(simd, &boxes.columns));
                let widest = [0.0, boxes.error].map(|error| all.widest(simd, error));
                let left = all.not_exceeding(simd, 0.1, boxes.error);
                (all, widest, left)
            });
            let axes = || (0..4 * AXIS_ROWS).filter(|k| ALL_AXES >> k & 1 == 1);
            let mut most = f64::NEG_INFINITY;
            for k in axes() {
                let [gap, length] = defined(&boxes, k);
                let found = all.gaps[row_of(k)][place_of(k)];
                assert!((found - gap).abs() < 1e-13, "{k}: {found} {gap}");
                if length > 1.01 * PARALLEL_SINE {
                    most = most.max(gap / length);
                }
                let overlap = -gap / length;
                if (overlap - 0.1).abs() > 1e-9 && length > 1e-9 {
                    assert_eq!(left >> k & 1 == 0, overlap > 0.1, "{k}: {overlap}");
                }
            }
            let [gap, length] = defined(&boxes, free);
            assert!(gap / length > most - 1e-9, "{gap} {most}");
            // A product of edges gives way to a face that is as wide.
            let [gap, length] = defined(&boxes, wide);
            assert!(gap / length > most - 1e-6, "{gap} {most}");
        }
    }

    /// Numbers have the same bits whatever instructions they are computed by.
    #[test]
    fn no_bit_depends_on_the_instructions() {
        let mut random = Random(4);
        for depth_wanted in [false, true] {
            for _ in 0..3000 {
                let (half, poses) = random.boxes();
                let boxes = OrientedBoxes::new(half.each_ref(), poses.each_ref()).unwrap();
                let by = |level: Level| {
                    let mut bounds = Bounds::default();
                    let found = dispatch!(level, simd => boxes.measure(simd, FAST_WIDTH, depth_wanted, &mut bounds));
                    alloc::format!("{found:?} {bounds:?}")
                };
                assert_eq!(by(Level::baseline()), by(level()));
            }
        }
    }
}
