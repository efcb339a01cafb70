//! The poses of a batch: rows of numbers, and the same numbers as columns.
//!
//! Where it sits: the caller fills it; `posed.rs` and `box_lanes.rs` load lanes from it.

use super::tiles::Tiles;
use gjk::{Pose, Scalar, Vector};

/// Where the line with a pose's translation has its norm: the largest sum of magnitudes of a column of `L`.
pub(crate) const NORM_PLANE: usize = 6;
/// The same in space.
pub(crate) const NORM_SPACE: usize = 4;

/// Above what rounding takes from a sum or two.
pub(crate) const LANES_SUM_UP: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

/// Norms of maps that the lanes take.
const LANES_NORM_RANGE: core::ops::Range<f64> =
    f64::from_bits((1023 - 200) << 52)..f64::from_bits((1023 + 200) << 52);

/// A cache line of numbers.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct CacheLine<T>(pub(crate) T);

/// The poses of a batch, as rows that lanes load whole.
///
/// Each pose is stored as it was given, for single queries; its numbers as two lines of `f64`; and, in space, twice as `f32`
/// with the unit rotation, for the lanes that look at boxes first: as a line and as columns. Of the `f64` there are columns, too.
/// That is some 500 bytes a pose.
/// Pairs may name poses in any order, so a pose is rows of whole cache lines: its numbers come with two or one misses, and
/// lanes turn rows into columns in registers. Where consecutive pairs name consecutive poses, or every second one, boxes are
/// loaded from the columns, which costs half as much.
#[derive(Clone, Debug, Default)]
pub struct Poses<V: Vector> {
    poses: Vec<Pose<V>>,
    pub(crate) lanes: LanePoses,
}

/// The poses as the lanes see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanePoses {
    /// In space `L` by columns, `t`, the norm, the scale (NaN for maps that have none) and a one, entry `3k + i` component `i` of column `k`; in the plane the
    /// two columns, `t` and the norm, all in the first line.
    pub(crate) rows: Vec<[CacheLine<[f64; 8]>; 2]>,
    /// Poses that scale all lengths alike, rounded to `f32`: `L ≈ scale·Q`, `t ≈ high + low`. `Q` by columns, `high`, `low`, and
    /// the bound of the distance of the columns from those of an orthogonal matrix: see [`rotation_error`]. Infinite for other
    /// maps.
    pub(crate) f32_rows: Vec<CacheLine<[f32; 16]>>,
    /// The same as columns.
    pub(crate) f32_tiles: Tiles<f32, 16>,
    /// Of the first twelve numbers of `rows` too, of the plane's eight.
    pub(crate) f64_tiles: Tiles<f64, 12>,
    /// Stored beside `f32_rows`, so that those are one cache line a pose; read only where some pose is `scaled`.
    pub(crate) scale: Vec<f32>,
    pub(crate) scaled: bool,
    /// Whether there are no tiles: those cost more than they save where each pose is used once.
    pub(crate) rows_only: bool,
}

impl LanePoses {
    /// A translation in space.
    #[inline]
    pub(crate) fn center(&self, pose: u32) -> [f64; 3] {
        let CacheLine(row) = &self.rows[pose as usize][1];
        [row[1], row[2], row[3]]
    }
}

impl<V: Vector> Poses<V> {
    /// None.
    pub fn new() -> Self {
        Self {
            poses: Vec::new(),
            lanes: LanePoses::default(),
        }
    }

    /// None, to be loaded from rows whatever the order.
    pub(crate) fn in_rows() -> Self {
        let mut poses = Self::new();
        poses.lanes.rows_only = true;
        poses
    }

    /// Adds a pose and returns its index.
    pub fn push(&mut self, pose: Pose<V>) -> u32 {
        self.store(self.poses.len(), &pose);
        self.poses.push(pose);
        self.poses.len() as u32 - 1
    }

    /// Replaces a pose; false if there is no such index.
    pub fn set(&mut self, index: u32, pose: Pose<V>) -> bool {
        let Some(slot) = self.poses.get_mut(index as usize) else {
            return false;
        };
        *slot = pose;
        self.store(index as usize, &pose);
        true
    }

    /// The first poses, to be written; [`Self::store_slots`] follows. In two passes, because a wide load of what was just written waits.
    pub(crate) fn slots(&mut self, count: usize) -> &mut [Pose<V>] {
        while self.poses.len() < count {
            self.push(Pose::identity());
        }
        &mut self.poses[..count]
    }

    /// Takes in the first poses, which were written in their slots.
    pub(crate) fn store_slots(&mut self, count: usize) {
        let poses = core::mem::take(&mut self.poses);
        for (at, pose) in poses[..count].iter().enumerate() {
            self.store(at, pose);
        }
        self.poses = poses;
    }

    /// The pose of an index.
    pub fn get(&self, index: u32) -> Option<&Pose<V>> {
        self.poses.get(index as usize)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// True when none was added.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    /// Numbers are written where they stay, as a wide load of what was just written piece by piece waits.
    fn store(&mut self, at: usize, pose: &Pose<V>) {
        let lanes = &mut self.lanes;
        let columns: [[f64; 3]; 3] =
            core::array::from_fn(|k| pose.columns().get(k).map_or([0.0; 3], |c| c.to_f64()));
        let [u, v, w] = pose.translation().to_f64();
        let sums = columns.map(|[x, y, z]| x.abs() + y.abs() + z.abs());
        let norm = sums.into_iter().fold(0.0, f64::max) * LANES_SUM_UP;
        // Of other maps products with a direction may leave the range, whatever the body's size; no lane takes an infinite one.
        let norm = if LANES_NORM_RANGE.contains(&norm) {
            norm
        } else {
            f64::INFINITY
        };
        let [[a, b, c], [d, e, f], [g, h, i]] = columns;
        if V::DIM == 2 {
            let row = [a, b, d, e, u, v, norm, 0.0];
            *slot(&mut lanes.rows, at) = [CacheLine(row), CacheLine([0.0; 8])];
            if !lanes.rows_only {
                let row = [a, b, d, e, u, v, norm, 0.0, 0.0, 0.0, 0.0, 0.0];
                lanes.f64_tiles.put(at, &row);
            }
            return;
        }
        let scale = pose.uniform_scale().map_or(f64::NAN, Scalar::to_f64);
        *slot(&mut lanes.rows, at) = [
            CacheLine([a, b, c, d, e, f, g, h]),
            CacheLine([i, u, v, w, norm, scale, 1.0, 0.0]),
        ];
        let unit = if scale == 1.0 {
            columns
        } else {
            columns.map(|c| c.map(|x| x / scale))
        };
        let [[qa, qb, qc], [qd, qe, qf], [qg, qh, qi]] = unit.map(|c| c.map(|x| x as f32));
        let [hu, hv, hw] = [u, v, w].map(|x| x as f32);
        let low = |x: f64, high: f32| (x - f64::from(high)) as f32;
        let (lu, lv, lw) = (low(u, hu), low(v, hv), low(w, hw));
        let error = rotation_error(pose.skew());
        let row = slot(&mut lanes.f32_rows, at);
        row.0 = [
            qa, qb, qc, qd, qe, qf, qg, qh, qi, hu, hv, hw, lu, lv, lw, error,
        ];
        if !lanes.rows_only {
            lanes.f32_tiles.put(at, &row.0);
            let row = [a, b, c, d, e, f, g, h, i, u, v, w];
            lanes.f64_tiles.put(at, &row);
        }
        *slot(&mut lanes.scale, at) = scale as f32;
        lanes.scaled |= scale as f32 != 1.0;
    }
}

impl<V: Vector> FromIterator<Pose<V>> for Poses<V> {
    fn from_iter<I: IntoIterator<Item = Pose<V>>>(items: I) -> Self {
        let mut poses = Self::new();
        for item in items {
            poses.push(item);
        }
        poses
    }
}

/// The place of a pose in a column, which has all before it.
fn slot<T: Copy + Default>(column: &mut Vec<T>, at: usize) -> &mut T {
    if at == column.len() {
        column.push(T::default());
    }
    &mut column[at]
}

/// The distance of the columns of a rotation from those in `f32`, each entry off by `2⁻²⁵`: `3·2⁻²⁵` as the root of nine squares.
const ROTATION_ROUNDED: f64 = 3.0 * f64::from_bits((1023 - 25) << 52);
/// What `f64` adds to [`rotation_error`], and the 4 roundings of a world vertex: `2⁻⁴⁶` is above both.
const ROTATION_ERROR_OF_F64: f64 = f64::from_bits((1023 - 46) << 52);
/// Maps that are farther from a rotation are left to `f64`: their bound would prove nothing.
const ROTATION_ERROR_MAX: f64 = 1.0 / 256.0;

/// How far the rounded columns `Q̃` and the map `L / scale` are from one orthogonal matrix `Q`, by [`Pose::skew`].
///
/// `L / scale` is within the skew `e` of `Q`, so its entries are at most `1 + e`: rounded to `f32` they are off by `2⁻²⁵`, or above 1 by `e`, of which
/// nine make [`ROTATION_ROUNDED`] and `3e`. [`ROTATION_ERROR_OF_F64`] is what `f64` adds.
fn rotation_error(skew: f64) -> f32 {
    let rotation_error = 4.0 * skew + ROTATION_ROUNDED + ROTATION_ERROR_OF_F64;
    // NaN, from a map without a scale, fails too.
    if rotation_error <= ROTATION_ERROR_MAX {
        (rotation_error as f32).next_up()
    } else {
        f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk::{Pose3, Vec3};

    type Matrix = [[f64; 3]; 3];

    fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }

    /// The orthogonal matrix nearest to columns: half of the sum with the inverse of the transpose, again and again.
    fn nearest_rotation(mut columns: Matrix) -> Matrix {
        for _ in 0..40 {
            let [a, b, c] = columns;
            let inverse = [cross(b, c), cross(c, a), cross(a, b)];
            let volume: f64 = (0..3).map(|k| a[k] * inverse[0][k]).sum();
            columns = core::array::from_fn(|i| {
                core::array::from_fn(|k| 0.5 * (columns[i][k] + inverse[i][k] / volume))
            });
        }
        columns
    }

    fn apart(a: &Matrix, b: &Matrix) -> f64 {
        let entries = a.as_flattened().iter().zip(b.as_flattened());
        entries.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    }

    /// Of rotations, products, columns a little off, mirrored and scaled ones: the columns and their `f32` are no farther from the nearest
    /// orthogonal matrix than told. Without [`ROTATION_ROUNDED`] many are farther.
    #[test]
    fn poses_are_as_far_from_a_rotation_as_told() {
        let mut random = fastrand::Rng::with_seed(23);
        let mut without = 0;
        for case in 0..4000 {
            let q = [0; 4].map(|_| random.f64() - 0.5);
            let at = Vec3::new(1.0, 2.0, 3.0);
            let turned = Pose3::from_quaternion(q, at).expect("a rotation");
            let off = [0.0, 1e-13, 1e-9][case % 3];
            let mut columns: [Vec3<f64>; 3] = core::array::from_fn(|k| turned.columns()[k]);
            for column in &mut columns {
                let mut by = || off * (random.f64() - 0.5);
                *column = *column + Vec3::new(by(), by(), by());
            }
            let scale = [1.0, 3.0, 1e-20][case / 3 % 3] * if case % 2 == 0 { 1.0 } else { -1.0 };
            let columns = columns.map(|column| column * scale);
            let pose = if case % 7 == 0 {
                turned
            } else {
                Pose3::from_columns(columns, at)
            };
            let Some(scale) = pose.uniform_scale() else {
                continue;
            };
            let mut poses = Poses::new();
            poses.push(pose);
            let row = poses.lanes.f32_rows[0].0;
            let map: Matrix =
                core::array::from_fn(|k| pose.columns()[k].to_f64().map(|x| x / scale));
            let rounded = core::array::from_fn(|k| [0, 1, 2].map(|i| f64::from(row[3 * k + i])));
            let nearest = nearest_rotation(map);
            let (of_map, of_rounded) = (apart(&map, &nearest), apart(&rounded, &nearest));
            let told = f64::from(row[15]);
            assert!(
                of_map <= told && of_rounded <= told,
                "case {case}: {of_map:e} {of_rounded:e} {told:e}"
            );
            without += usize::from(of_rounded > told - ROTATION_ROUNDED);
        }
        assert!(without > 1000, "{without}");
    }
}
