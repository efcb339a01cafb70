//! The input points, and the exact signs of their determinants.
//!
//! Where it sits: every decision of the hull is a call of [`Cloud::turn`], [`Cloud::collinear`] or [`Cloud::above`].
//!
//! Idea: the points are copied, scaled by the power of two that brings the largest magnitude just below 2³³⁰. Then a
//! product of three differences stays below 2⁹⁹⁶ and cannot overflow. If all coordinates are multiples of 2⁻³⁰⁶ after
//! scaling, the smallest product of three differences is 2⁻⁹¹⁸, so neither the terms of `robust`'s expansions nor its
//! error bounds (2⁻¹⁰⁴ of that) underflow, and its signs are exact. That is the *narrow* range: at most
//! [`NARROW_BITS`] bits from the highest to the lowest set bit over all coordinates; it holds every `f32` input (277
//! bits). A *wide* input goes to the integers of `wide.rs`, which know no range.
//!
//! Numbers: [`FILTER`] and [`FILTER_SLACK`], derived beside them.

use super::HullError;
use super::wide::{wide_above, wide_turn};
use alloc::vec::Vec;
use core::cmp::Ordering;
use robust::{Coord, Coord3D};

/// The largest scaled magnitude is below two to this power.
const SCALED_TOP: i32 = 330;

/// Coordinates whose set bits span no more than this are exact in `robust` after scaling: 330 + 306.
const NARROW_BITS: i32 = 636;

/// Shewchuk's bound A for a 3×3 determinant of rounded differences is (7 + 56u)u, u = 2⁻⁵³, times the permanent; 8u
/// also covers the rounding of the permanent itself, which is a sum of nine products.
const FILTER: f64 = 8.0 / 9_007_199_254_740_992.0;

/// Absolute part of the filter, 2⁻⁴⁰⁰. In a wide input the scaled copy may have lost up to 2⁻¹⁰⁷⁴ a coordinate to
/// underflow; with differences below 2³³¹ that moves the determinant by less than 18 · 2⁶⁶² · 2⁻¹⁰⁷³. Ordinary
/// determinants are near 2⁹⁹⁰.
const FILTER_SLACK: f64 = f64::from_bits((1023 - 400) << 52);

/// A checked, non-empty set of finite points.
pub(super) struct Cloud<'a, const D: usize> {
    /// As given; wide signs and comparisons use these.
    pub(super) points: &'a [[f64; D]],
    /// The scaled copy; exact unless `wide`.
    scaled: Vec<[f64; D]>,
    /// Size of the scaled bounding box along each axis.
    extent: [f64; D],
    /// `scaled` is `points` times two to this power.
    shift: i32,
    /// Whether the scaled copy may have lost bits.
    wide: bool,
}

/// A triangle's plane, ready for many sign tests.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    normal: [f64; 3],
    base: [f64; 3],
    /// A height beyond this has the right sign.
    bound: f64,
}

impl<'a, const D: usize> Cloud<'a, D> {
    /// Checks the points and scales a copy of them.
    pub(super) fn new(points: &'a [[f64; D]]) -> Result<Self, HullError> {
        if points.is_empty() {
            return Err(HullError::Empty);
        }
        if points.len() > (u32::MAX / 2) as usize {
            return Err(HullError::TooManyPoints);
        }
        let (mut top, mut bottom) = (i32::MIN, i32::MAX);
        for (index, point) in points.iter().enumerate() {
            for (axis, &x) in point.iter().enumerate() {
                if !x.is_finite() {
                    return Err(HullError::NotFinite { index, axis });
                }
                if let Some((high, low)) = bit_span(x) {
                    top = top.max(high);
                    bottom = bottom.min(low);
                }
            }
        }
        if top == i32::MIN {
            (top, bottom) = (0, 0); // every coordinate is zero
        }
        let shift = SCALED_TOP - top;
        let [first, second] = halves(shift);
        let scaled: Vec<[f64; D]> = points.iter().map(|p| p.map(|x| x * first * second)).collect();
        let mut extent = [0.0; D];
        for (axis, size) in extent.iter_mut().enumerate() {
            let low = scaled.iter().fold(f64::INFINITY, |m, p| m.min(p[axis]));
            let high = scaled.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p[axis]));
            *size = high - low;
        }
        Ok(Self { points, scaled, extent, shift, wide: top - bottom > NARROW_BITS })
    }

    /// The number of points.
    pub(super) fn len(&self) -> u32 {
        self.points.len() as u32 // `new` refused more than u32::MAX / 2
    }

    /// The scaled point, for float estimates.
    pub(super) fn scaled(&self, i: u32) -> [f64; D] {
        self.scaled[i as usize]
    }

    /// Lexicographic order of the coordinates; -0 equals 0.
    pub(super) fn compare(&self, i: u32, j: u32) -> Ordering {
        compare_points(&self.points[i as usize], &self.points[j as usize])
    }

    /// The exact sign of the turn a, b, c in the plane of the axes `u` and `v`: greater when counter-clockwise.
    pub(super) fn turn(&self, [u, v]: [usize; 2], a: u32, b: u32, c: u32) -> Ordering {
        if self.wide {
            let pick = |i: u32| [self.points[i as usize][u], self.points[i as usize][v]];
            return wide_turn(pick(a), pick(b), pick(c));
        }
        let pick = |i: u32| Coord { x: self.scaled(i)[u], y: self.scaled(i)[v] };
        sign(robust::orient2d(pick(a), pick(b), pick(c)))
    }
}

impl Cloud<'_, 3> {
    /// Whether three points lie on one line, exactly: they do when all three axis-parallel shadows do.
    pub(super) fn collinear(&self, a: u32, b: u32, c: u32) -> bool {
        SHADOWS.iter().all(|&axes| self.turn(axes, a, b, c).is_eq())
    }

    /// The plane through a, b, c; its normal points to where they appear counter-clockwise.
    pub(super) fn plane(&self, [a, b, c]: [u32; 3]) -> Plane {
        let base = self.scaled(a);
        let [ux, uy, uz] = subtract(self.scaled(b), base);
        let [vx, vy, vz] = subtract(self.scaled(c), base);
        let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let minors =
            [(uy * vz).abs() + (uz * vy).abs(), (uz * vx).abs() + (ux * vz).abs(), (ux * vy).abs() + (uy * vx).abs()];
        Plane { normal, base, bound: FILTER * dot(minors, self.extent) + FILTER_SLACK }
    }

    /// The float height of a point over a plane, times the normal's length.
    pub(super) fn height(&self, plane: &Plane, i: u32) -> f64 {
        dot(plane.normal, subtract(self.scaled(i), plane.base))
    }

    /// The float distance of a point from a plane, in the input's unit; for reports.
    pub(super) fn distance(&self, plane: &Plane, i: u32) -> f64 {
        let [first, second] = halves(-self.shift);
        let scaled = self.height(plane, i).abs() / length(plane.normal);
        if scaled.is_finite() { scaled * first * second } else { 0.0 } // a normal may underflow to zero
    }

    /// The exact side of point `i`: greater when it is strictly above the plane of `corners`, whose `plane` and
    /// `height` are given.
    #[inline]
    pub(super) fn side(&self, plane: &Plane, corners: [u32; 3], i: u32, height: f64) -> Ordering {
        if height > plane.bound {
            Ordering::Greater
        } else if height < -plane.bound {
            Ordering::Less
        } else {
            self.above(corners, i)
        }
    }

    /// The exact side of point `i` of the plane of `corners`, without a filter of our own.
    #[cold]
    pub(super) fn above(&self, [a, b, c]: [u32; 3], i: u32) -> Ordering {
        if self.wide {
            let pick = |i: u32| self.points[i as usize];
            return wide_above(pick(a), pick(b), pick(c), pick(i));
        }
        let pick = |i: u32| {
            let [x, y, z] = self.scaled(i);
            Coord3D { x, y, z }
        };
        sign(-robust::orient3d(pick(a), pick(b), pick(c), pick(i)))
    }
}

/// The coordinate planes (y, z), (z, x), (x, y); entry `k` drops axis `k`.
pub(super) const SHADOWS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Lexicographic order of two points; -0 equals 0, and NaN has its place too, so that sorting is safe before any check.
pub(super) fn compare_points<const D: usize>(a: &[f64; D], b: &[f64; D]) -> Ordering {
    let axes = a.iter().zip(b).map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0))); // -0 + 0 is 0
    axes.fold(Ordering::Equal, Ordering::then)
}

pub(super) fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal) // never NaN: nothing overflows after scaling
}

/// `Some((high, low))` with |x| < 2^high and x a multiple of 2^low, both tight; `None` for zero.
fn bit_span(x: f64) -> Option<(i32, i32)> {
    let (mantissa, exponent) = decompose(x);
    if mantissa == 0 {
        return None;
    }
    let (high, low) = (64 - mantissa.leading_zeros() as i32, mantissa.trailing_zeros() as i32);
    Some((exponent + high, exponent + low))
}

/// |x| as mantissa · 2^exponent, for finite x.
pub(super) fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) }
}

/// Two factors whose product is 2^k, for |k| ≤ 2000: one factor would leave the range of `f64`.
fn halves(k: i32) -> [f64; 2] {
    [k / 2, k - k / 2].map(|half| f64::from_bits(((1023 + half) as u64) << 52))
}

/// The length of a vector of any magnitude, for reports.
fn length(v: [f64; 3]) -> f64 {
    let top = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if top == 0.0 {
        return 0.0;
    }
    let square = v.iter().map(|x| (x / top) * (x / top)).sum::<f64>();
    // Newton's iteration on [1, 3]; `core` has no square root. From 1.35 four steps leave less than 1e-15.
    top * (0..5).fold(1.35, |root, _| 0.5 * (root + square / root))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `robust` at the edge of the narrow range, against the integers, on flat and nearly flat quadruples. Fails with
    /// `NARROW_BITS` = 1000.
    #[test]
    fn narrow_signs_equal_integers() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut flat = 0;
        for _ in 0..20_000 {
            let bits = below(40);
            let powers: [i32; 3] = core::array::from_fn(|_| below(NARROW_BITS as u64 - 44) as i32 - 300);
            let mut corner = || -> [i64; 3] { core::array::from_fn(|_| below(1 << bits) as i64) };
            let [a, b, c] = [corner(), corner(), corner()];
            let (s, t) = (below(3) as i64 - 1, below(3) as i64 - 1);
            let mut d: [i64; 3] = core::array::from_fn(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]));
            d[below(3) as usize] += below(3) as i64 - 1;
            let points = [a, b, c, d].map(|p| -> [f64; 3] {
                core::array::from_fn(|k| p[k] as f64 * f64::from_bits(((1023 + powers[k]) as u64) << 52))
            });
            let Ok(mut cloud) = Cloud::new(&points) else { panic!("finite") };
            let wide = cloud.wide;
            cloud.wide = false;
            let narrow = cloud.above([0, 1, 2], 3);
            let shadows = SHADOWS.map(|axes| cloud.turn(axes, 0, 1, 3));
            cloud.wide = true;
            assert!(wide || narrow == cloud.above([0, 1, 2], 3), "{points:?}");
            assert!(wide || shadows == SHADOWS.map(|axes| cloud.turn(axes, 0, 1, 3)), "{points:?}");
            let plane = cloud.plane([0, 1, 2]);
            assert_eq!(cloud.side(&plane, [0, 1, 2], 3, cloud.height(&plane, 3)), cloud.above([0, 1, 2], 3));
            flat += u32::from(narrow.is_eq());
        }
        assert!(flat > 2_000, "{flat} flat quadruples are not enough");
    }
}
