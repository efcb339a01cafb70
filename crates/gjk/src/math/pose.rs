//! Where a body is: an invertible affine map from its local frame to the world.

use super::pose_error::{PoseError, rotation_quaternion};
use super::scalar::{Ring, Scalar, exponent_of};
use super::triple::{Triple, cross, dot, plus};
use super::vector::{Vec2, Vec3, Vector};
use crate::rounding::UNIT_ROUNDOFF;

/// A pose in the plane.
pub type Pose2<T> = Pose<Vec2<T>>;
/// A pose in space.
pub type Pose3<T> = Pose<Vec3<T>>;

/// An affine map `x ↦ L·x + t` from a body's frame to the world: rotation, non-uniform scale, shear or mirror, then
/// translation. Support functions transform the direction by `Lᵀ`; vertices are never copied.
///
/// A sphere-swept radius survives a pose only when `L` is a similarity; then it grows by [`Pose::uniform_scale`].
#[derive(Clone, Copy, Debug)]
pub struct Pose<V: Vector> {
    /// Columns of `L`.
    columns: V::Columns,
    /// `t`, in world units.
    translation: V,
    /// `s` where `L` scales all lengths alike, else [`UNEVEN`].
    scale: V::Scalar,
    /// See [`Pose::skew`].
    skew: f64,
}

/// Stands where a map does not scale all lengths alike; an `Option` would make every pose longer.
const UNEVEN: f64 = -1.0;

/// `Lᵀ·L` may differ from `s²·1` by this many roundings of `s²` before `L` stops counting as a similarity.
///
/// A rotation matrix rounded entry by entry is off by at most `2·DIM` roundings; products of a few rotations by some
/// more. Test: `quaternion_pose_is_a_similarity`.
const SIMILARITY_ROUNDINGS: f64 = 64.0;

/// Two poses are equal that are the same map, however they were made.
impl<V: Vector> PartialEq for Pose<V> {
    fn eq(&self, other: &Self) -> bool {
        let same = self.columns() == other.columns() && self.translation == other.translation;
        same && self.scale == other.scale
    }
}

impl<V: Vector> Default for Pose<V> {
    fn default() -> Self {
        Self::identity()
    }
}

impl<V: Vector> Pose<V> {
    /// The pose that changes nothing.
    pub fn identity() -> Self {
        Self {
            columns: V::identity(),
            translation: V::ZERO,
            scale: V::Scalar::ONE,
            skew: 0.0,
        }
    }

    /// A translation.
    pub fn from_translation(translation: V) -> Self {
        Self {
            translation,
            ..Self::identity()
        }
    }

    /// Any linear map by its columns, and a translation.
    ///
    /// A map whose columns are orthogonal and equally long up to a few roundings counts as a similarity.
    pub fn from_columns(columns: V::Columns, translation: V) -> Self {
        let gram = Gram::of(columns.as_ref());
        let scale = gram
            .similarity::<V::Scalar>()
            .unwrap_or(V::Scalar::from_f64(UNEVEN));
        Self {
            columns,
            translation,
            scale,
            skew: gram.skew(scale),
        }
    }

    /// This pose after a scaling along the body's own axes.
    pub fn scaled(self, scale: V) -> Self {
        let mut columns = self.columns;
        for (axis, column) in columns.as_mut().iter_mut().enumerate() {
            *column = *column * scale.component(axis);
        }
        Self::from_columns(columns, self.translation)
    }

    /// `L` by columns.
    pub fn columns(&self) -> &[V] {
        self.columns.as_ref()
    }

    /// `t`.
    pub fn translation(&self) -> V {
        self.translation
    }

    /// The same pose with its translation moved, rounded.
    pub(crate) fn moved(self, way: V) -> Self {
        Self {
            translation: self.translation + way,
            ..self
        }
    }

    /// The same map after a turn, rounded: its columns, each of which is off by at most such a part of its length.
    pub(crate) fn turned(self, columns: V::Columns, translation: V, error: f64) -> Self {
        if self.uniform_scale().is_none() {
            return Self::from_columns(columns, translation);
        }
        Self {
            columns,
            translation,
            // Three columns that are off by one part are a map that is off by less than twice that.
            skew: self.skew + 2.0 * error,
            ..self
        }
    }

    /// The factor by which `L` scales all lengths, when it scales them alike.
    #[inline(always)]
    pub fn uniform_scale(&self) -> Option<V::Scalar> {
        if self.scale >= V::Scalar::ZERO {
            Some(self.scale)
        } else {
            None
        }
    }

    /// How far the columns, divided by the scale, may be from those of an orthogonal matrix `Q`: `|L/s − Q|`. Not finite where
    /// the scale is zero or uneven.
    #[inline(always)]
    pub fn skew(&self) -> f64 {
        self.skew
    }

    /// How far a body of revolution, posed, may be from one about its posed axis, per length from its centre; zero for a map to a
    /// point.
    ///
    /// With `E = Lᵀ·L − s²·1` and the polar decomposition `L = R·S`, `|S − s·1| = |E·(S + s·1)⁻¹| ≤ |E|/s`: so far are the
    /// points of `L` from those of `s·R`, and the axis of `L` is rotated from that of `R` by as much again, by at most
    /// `1.1·|E|/s²` for the small `E` of a similarity. The norm is at most three times the largest entry, which is off by
    /// 8 roundings of `s²`.
    pub(crate) fn out_of_round(&self) -> f64 {
        let Gram { squared, off, .. } = Gram::of(self.columns.as_ref());
        if squared > 0.0 {
            2.1 * 3.0 * (off / squared + 8.0 * UNIT_ROUNDOFF)
        } else {
            0.0
        }
    }

    /// The same pose over another scalar of the same dimension.
    pub fn lift<W: Vector>(&self) -> Pose<W> {
        let mut columns = W::identity();
        for (to, from) in columns.as_mut().iter_mut().zip(self.columns.as_ref()) {
            *to = from.lift();
        }
        let scale = W::Scalar::from_f64(self.scale.to_f64());
        // A wider scalar keeps every bit.
        let kept = W::Scalar::ROUNDING.to_f64() <= V::Scalar::ROUNDING.to_f64();
        let skew = if kept {
            self.skew
        } else {
            Gram::of(columns.as_ref()).skew(scale)
        };
        Pose {
            columns,
            translation: self.translation.lift(),
            scale,
            skew,
        }
    }

    /// `L·x + t`.
    #[inline(always)]
    pub fn point(&self, x: V) -> V {
        self.vector(x) + self.translation
    }

    /// The same in `f64`.
    #[inline(always)]
    pub(crate) fn wide_point(&self, x: V) -> Triple {
        plus(self.wide_vector(x.to_f64()), self.translation.to_f64(), 1.0)
    }

    /// [`Self::vector`] in `f64`.
    #[inline(always)]
    pub(crate) fn wide_vector(&self, x: Triple) -> Triple {
        let columns = self.columns.as_ref();
        let mut sum = columns[0].to_f64().map(|c| c * x[0]);
        for k in 1..V::DIM {
            sum = plus(sum, columns[k].to_f64(), x[k]);
        }
        sum
    }

    /// The products of two columns of `L` each, across the others, and the product of all: `L⁻¹` by rows, but for a division. In the plane the third column is that of space.
    #[inline(always)]
    pub(crate) fn across(&self) -> ([Triple; 3], f64) {
        let columns = self.columns.as_ref();
        let (a, b) = (columns[0].to_f64(), columns[1].to_f64());
        let c = if V::DIM == 2 {
            [0.0, 0.0, 1.0]
        } else {
            columns[2].to_f64()
        };
        let across = [cross(b, c), cross(c, a), cross(a, b)];
        (across, dot(across[0], a))
    }

    /// `L·x`.
    // Neither here nor below are there closures: they would not have the instructions that a caller is compiled for.
    #[inline(always)]
    pub fn vector(&self, x: V) -> V {
        let columns = self.columns.as_ref();
        let mut sum = columns[0] * x.component(0);
        for (k, &column) in columns.iter().enumerate().skip(1) {
            sum = sum + column * x.component(k);
        }
        sum
    }

    /// `Lᵀ·d`: the direction in the body's own frame along which its points have the heights that they have along `d`.
    #[inline(always)]
    pub fn direction_to_local(&self, d: V) -> V {
        V::from_fn(|k| self.columns.as_ref()[k].dot(d))
    }

    /// First `other`, then `self`.
    pub fn compose(&self, other: &Self) -> Self {
        let mut columns = other.columns;
        for column in columns.as_mut() {
            *column = self.vector(*column);
        }
        let translation = self.point(other.translation);
        let (Some(s), Some(o)) = (self.uniform_scale(), other.uniform_scale()) else {
            return Self::from_columns(columns, translation);
        };
        Self {
            columns,
            translation,
            scale: s * o,
            skew: Gram::of(columns.as_ref()).skew(s * o),
        }
    }

    /// The map followed by a scaling of the world by `2^exponent`.
    pub fn scaled_by_power(mut self, exponent: i32) -> Self {
        if exponent == 0 {
            return self;
        }
        for column in self.columns.as_mut() {
            *column = column.scaled_by_power(exponent);
        }
        self.translation = self.translation.scaled_by_power(exponent);
        if self.scale >= V::Scalar::ZERO {
            self.scale = self.scale.scale_by_power(exponent);
            // Entries may underflow.
            self.skew = Gram::of(self.columns.as_ref()).skew(self.scale);
        }
        self
    }

    /// An upper bound of the coordinate magnitudes' sum of `L·x` over `|x_k| ≤ extent_k`.
    #[inline(always)]
    pub fn bound(&self, extent: V) -> V::Scalar {
        let columns = self.columns.as_ref();
        let mut sum = (columns[0] * extent.component(0)).sum_abs();
        for (k, &column) in columns.iter().enumerate().skip(1) {
            sum += (column * extent.component(k)).sum_abs();
        }
        sum
    }

    /// True when all numbers are finite and `L` is invertible in floating point.
    pub fn is_valid(&self) -> bool {
        // Near a rotation of every length that a float has: finite, and the volume is not 0.
        if self.skew.is_finite() && self.scale > V::Scalar::ZERO {
            return self.translation.is_finite();
        }
        let columns = self.columns.as_ref();
        let volume = if V::DIM == 2 {
            V::side(&[V::ZERO, columns[0]], columns[1])
        } else {
            V::side(&[V::ZERO, columns[0], columns[1]], columns[2])
        };
        columns.iter().all(|c| c.is_finite()) && self.translation.is_finite() && volume.is_ne()
    }
}

/// Entries above this, and below its reciprocal, have squares and sums of squares that are floats.
const GRAM_SIZE_MIN: f64 = f64::from_bits((1023 - 300) << 52);

/// `Lᵀ·L` beside `s²·1`.
///
/// In `f64`, of very small or large entries by a power of two from such near one: their squares would leave the range.
struct Gram {
    exponent: i32,
    /// `s²`, of the first column, by `2^(2·exponent)`.
    squared: f64,
    /// The largest entry of `Lᵀ·L − s²·1`, by the same; NaN if one is.
    off: f64,
}

impl Gram {
    fn of<V: Vector>(columns: &[V]) -> Self {
        let largest = columns
            .iter()
            .fold(0.0, |m: f64, c| m.max(c.max_abs().to_f64()));
        let is_plain = GRAM_SIZE_MIN < largest && largest < 1.0 / GRAM_SIZE_MIN;
        let exponent = if is_plain { 0 } else { exponent_of(largest) };
        let mut near_one = V::Wide::identity();
        for (to, from) in near_one.as_mut().iter_mut().zip(columns) {
            let column = from.lift::<V::Wide>();
            *to = if is_plain {
                column
            } else {
                column.scaled_by_power(-exponent)
            };
        }
        let columns = near_one.as_ref();
        let squared = columns[0].norm_squared();
        let mut off = 0.0;
        for (i, a) in columns.iter().enumerate() {
            for (j, b) in columns.iter().enumerate().skip(i) {
                let expected = if i == j { squared } else { 0.0 };
                let entry = Scalar::abs(a.dot(*b) - expected);
                off = if entry <= off || f64::is_nan(off) {
                    off
                } else {
                    entry
                };
            }
        }
        Self {
            exponent,
            squared,
            off,
        }
    }

    /// The common length of orthogonal, equally long columns.
    fn similarity<T: Scalar>(&self) -> Option<T> {
        let rounding = SIMILARITY_ROUNDINGS * T::ROUNDING.to_f64();
        // Written so that NaN fails.
        if !(self.off <= self.squared * rounding) {
            return None;
        }
        // An exact unit column (an axis) must give exactly 1.
        let scale = Scalar::sqrt(self.squared).scale_by_power(self.exponent);
        let is_one = Scalar::abs(scale - 1.0) <= rounding;
        Some(if is_one { T::ONE } else { T::from_f64(scale) })
    }

    /// See [`Pose::skew`].
    ///
    /// With `G = Lᵀ·L/s² − 1` and the polar decomposition `L/s = Q·S`, `|S − 1| = |G·(S + 1)⁻¹| ≤ |G|/1.9` for the small `G` of a
    /// similarity. The norm is at most three times the largest entry, which is measured to 5 roundings; the scale's square costs
    /// two more, and dividing the columns by the scale two.
    fn skew<T: Scalar>(&self, scale: T) -> f64 {
        let scale = scale.to_f64().scale_by_power(-self.exponent);
        if !(scale > 0.0) {
            return f64::INFINITY;
        }
        let off = (self.off + Scalar::abs(self.squared - scale * scale)) / (scale * scale);
        // The bound is for small angles.
        if off < 1e-3 {
            3.0 / 1.9 * (off + 9.0 * UNIT_ROUNDOFF)
        } else {
            f64::INFINITY
        }
    }
}

impl<T: Scalar> Pose3<T> {
    /// A rotation by the quaternion `[x, y, z, w]` (any non-zero length; the scalar part is last), then a translation.
    ///
    /// The matrix is computed in `f64` and rounded once: each entry is within 17 roundings of `f64` and one of the scalar of an
    /// orthogonal matrix's.
    ///
    /// # Errors  a quaternion that is zero or has a component that is not finite.
    #[inline]
    pub fn from_quaternion(xyzw: [T; 4], translation: Vec3<T>) -> Result<Self, PoseError> {
        let mut q = rotation_quaternion(xyzw)?;
        let largest = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if !(1e-100..1e100).contains(&largest) {
            // Squares would leave the range.
            q = q.map(|x| x.scale_by_power(-exponent_of(largest)));
        }
        let [x, y, z, w] = q;
        let n = x * x + y * y + z * z + w * w;
        let s = 2.0 / n;
        let column = |a: f64, b: f64, c: f64| Vec3::from_f64([a, b, c]);
        let columns = [
            column(
                1.0 - s * (y * y + z * z),
                s * (x * y + z * w),
                s * (x * z - y * w),
            ),
            column(
                s * (x * y - z * w),
                1.0 - s * (x * x + z * z),
                s * (y * z + x * w),
            ),
            column(
                s * (x * z + y * w),
                s * (y * z - x * w),
                1.0 - s * (x * x + y * y),
            ),
        ];
        let skew = 3.0 * (18.0 * UNIT_ROUNDOFF + T::ROUNDING.to_f64());
        Ok(Self {
            columns,
            translation,
            scale: T::ONE,
            skew,
        })
    }
}

impl<T: Scalar> Pose2<T> {
    /// A rotation counter-clockwise given by its cosine and sine, then a translation.
    pub fn from_cos_sin(cos: T, sin: T, translation: Vec2<T>) -> Self {
        Self::from_columns([Vec2::new(cos, sin), Vec2::new(-sin, cos)], translation)
    }

    /// A rotation counter-clockwise by an angle in radians, then a translation.
    ///
    /// Sine and cosine are `libm`'s on every target, so that a pose has the same bits everywhere.
    pub fn from_angle(angle: T, translation: Vec2<T>) -> Self {
        let (sin, cos) = libm::sincos(angle.to_f64());
        Self::from_cos_sin(T::from_f64(cos), T::from_f64(sin), translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    impl Random {
        fn quaternion(&mut self) -> [f64; 4] {
            core::array::from_fn(|_| self.next() + 1e-3)
        }
        fn rotation(&mut self) -> Pose3<f32> {
            Pose::from_quaternion(self.quaternion().map(|x| x as f32), Vec3::ZERO)
                .expect("not zero")
        }
    }

    /// The largest entry of `Lᵀ·L/s² − 1`: products of two `f32` are exact in `f64`, so this is off by roundings of `f64` alone.
    fn unevenness(pose: &Pose3<f32>) -> f64 {
        let scale = pose.uniform_scale().expect("a similarity").to_f64();
        let columns: [Vec3<f64>; 3] = core::array::from_fn(|k| pose.columns()[k].lift());
        let entry = |i: usize, j: usize| {
            columns[i].dot(columns[j]) / (scale * scale) - if i == j { 1.0 } else { 0.0 }
        };
        (0..9).fold(0.0, |m: f64, at| m.max(entry(at / 3, at % 3).abs()))
    }

    /// `|S − 1|` is at least `|G|/2.001`, and `|G|` at least its largest entry.
    #[test]
    fn the_skew_covers_how_uneven_the_columns_are() {
        let (mut unit, mut loosest) = (Random(7), 0.0_f64);
        for case in 0..4000 {
            let mut pose = unit.rotation();
            match case % 5 {
                0 => {}
                1 => pose = Pose::from_columns(pose.columns, pose.translation),
                2 => pose = (0..case % 64).fold(pose, |sum, _| sum.compose(&unit.rotation())),
                3 => pose = pose.scaled(Vec3::new(-0.7, 0.7, 0.7)).scaled_by_power(-140),
                _ => {
                    let wide =
                        Pose3::from_quaternion(unit.quaternion(), Vec3::ZERO).expect("not zero");
                    pose = wide.scaled(Vec3::new(3.0, 3.0, 3.0)).lift();
                }
            }
            let (off, skew) = (unevenness(&pose), pose.skew());
            assert!(skew >= off / 2.001, "case {case}: {skew} for {off}");
            if case % 5 < 2 {
                loosest = loosest.max(skew);
            }
            let wide = pose.lift::<Vec3<f64>>();
            assert_eq!(
                wide.skew().to_bits(),
                skew.to_bits(),
                "a wider scalar changes nothing"
            );
        }
        assert!(loosest < 64.0 * f64::from(f32::EPSILON), "{loosest}");
    }

    #[test]
    fn maps_that_are_no_similarity_have_no_skew() {
        let sheared = Pose::from_columns(
            [Vec2::new(1.0, 0.0), Vec2::new(1e-3, 1.0)],
            Vec2::new(0.0, 0.0),
        );
        assert!(sheared.uniform_scale().is_none() && !sheared.skew().is_finite());
        let point = Pose::from_columns([Vec3::<f64>::ZERO; 3], Vec3::ZERO);
        assert!(point.uniform_scale() == Some(0.0) && !point.skew().is_finite());
    }

    /// Squares of such components leave the range, or lose all their digits.
    #[test]
    fn a_quaternion_of_any_length_is_the_rotation() {
        let q = [0.5, -0.25, 0.125, 0.75];
        let expected = Pose3::from_quaternion(q, Vec3::ZERO).expect("not zero");
        for exponent in [-1050, -540, -400, 400, 1020] {
            let pose =
                Pose3::from_quaternion(q.map(|x: f64| x.scale_by_power(exponent)), Vec3::ZERO);
            assert_eq!(pose.expect("not zero"), expected, "2^{exponent}");
        }
    }
}
