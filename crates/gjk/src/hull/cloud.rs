//! The input points, and the exact signs of their determinants.
//!
//! Where it sits: every decision of the hull is a call of [`Cloud::turn`], [`Cloud::collinear`] or [`Cloud::above`].
//!
//! Idea: the points are copied, and each axis is scaled by the power of two that brings its largest magnitude just below
//! 2³³⁰, which changes no sign. Then a product of three differences stays below 2⁹⁹⁶ and cannot overflow, and a float
//! filter decides most sides. What it leaves goes to the adaptive signs of `gjk-exact`, with the points as given.
//!
//! Numbers: [`HULL_FILTER`] and [`HULL_FILTER_SLACK`], derived beside them.

use super::HullError;
use crate::math::triple::{dot, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use alloc::vec::Vec;
use core::cmp::Ordering;
use gjk_exact::measure;

/// The largest scaled magnitude of each axis is below two to this power.
const SCALED_TOP: i32 = 330;

/// Shewchuk's bound A for a 3×3 determinant of rounded differences is (7 + 56u)u, u = 2⁻⁵³, times the permanent; 8u
/// also covers the rounding of the permanent itself, which is a sum of nine products.
const HULL_FILTER: f64 = 8.0 * UNIT_ROUNDOFF;

/// Absolute part of the filter, 2⁻⁴⁰⁰. With coordinates of very different magnitudes the scaled copy may have lost up to 2⁻¹⁰⁷⁴ a
/// coordinate to underflow; with differences below 2³³¹ that moves the determinant by less than 18 · 2⁶⁶² · 2⁻¹⁰⁷³. Ordinary
/// determinants are near 2⁹⁹⁰.
const HULL_FILTER_SLACK: f64 = f64::from_bits((1023 - 400) << 52);

/// A checked, non-empty set of finite points.
pub(super) struct Cloud<'a, const D: usize> {
    /// As given; exact signs and comparisons use these.
    pub(super) points: &'a [[f64; D]],
    /// The scaled copy, for the filter.
    scaled: Vec<[f64; D]>,
    /// Size of the scaled bounding box along each axis.
    extent: [f64; D],
    /// Each axis of `scaled` is that of `points` times two to this power.
    shift: [i32; D],
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
        for (index, point) in points.iter().enumerate() {
            if let Some(axis) = point.iter().position(|x| !x.is_finite()) {
                return Err(HullError::NotFinite { index, axis });
            }
        }
        let highest: [_; D] = core::array::from_fn(|axis| axis_top(points, axis));
        let shift = highest.map(|high| SCALED_TOP - high);
        let factors = shift.map(halves);
        let scale = |p: &[f64; D]| core::array::from_fn(|k| p[k] * factors[k][0] * factors[k][1]);
        let scaled: Vec<[f64; D]> = points.iter().map(scale).collect();
        let mut extent = [0.0; D];
        for (axis, size) in extent.iter_mut().enumerate() {
            let low = scaled.iter().fold(f64::INFINITY, |m, p| m.min(p[axis]));
            let high = scaled.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p[axis]));
            *size = high - low;
        }
        Ok(Self {
            points,
            scaled,
            extent,
            shift,
        })
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
        let pick = |i: u32| [self.points[i as usize][u], self.points[i as usize][v], 0.0];
        // An edge's normal points to the right, the turn is to the left.
        measure::side(2, &[pick(a), pick(b)], pick(c)).reverse()
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
        let minors = [
            (uy * vz).abs() + (uz * vy).abs(),
            (uz * vx).abs() + (ux * vz).abs(),
            (ux * vy).abs() + (uy * vx).abs(),
        ];
        Plane {
            normal,
            base,
            bound: HULL_FILTER * dot(minors, self.extent) + HULL_FILTER_SLACK,
        }
    }

    /// The float height of a point over a plane, times the normal's length.
    pub(super) fn height(&self, plane: &Plane, i: u32) -> f64 {
        dot(plane.normal, subtract(self.scaled(i), plane.base))
    }

    /// The float distance of a point from a plane, in the input's unit; for reports.
    pub(super) fn distance(&self, plane: &Plane, i: u32) -> f64 {
        // Unscaled, the height is that over 2^(sum of shifts), and normal component k is that times 2^(shift k) over the
        // same; the largest power is taken out first, so that no factor leaves the range of `f64`.
        let common = self.shift.into_iter().fold(i32::MIN, i32::max);
        let normal: [f64; 3] = core::array::from_fn(|k| {
            let [first, second] = halves((self.shift[k] - common).max(-2000));
            plane.normal[k] * first * second
        });
        let [first, second] = halves(-common);
        let scaled = self.height(plane, i).abs() / length(normal);
        if scaled.is_finite() {
            scaled * first * second
        } else {
            0.0
        } // the normal may underflow to zero
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
        let pick = |i: u32| self.points[i as usize];
        measure::side(3, &[pick(a), pick(b), pick(c)], pick(i))
    }
}

/// The coordinate planes (y, z), (z, x), (x, y); entry `k` drops axis `k`.
pub(super) const SHADOWS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Lexicographic order of two points; -0 equals 0, and NaN has its place too, so that sorting is safe before any check.
pub(super) fn compare_points<const D: usize>(a: &[f64; D], b: &[f64; D]) -> Ordering {
    let axes = a
        .iter()
        .zip(b)
        .map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0))); // -0 + 0 is 0
    axes.fold(Ordering::Equal, Ordering::then)
}

/// The least power of two above every |x| of an axis; zeros do not count.
fn axis_top<const D: usize>(points: &[[f64; D]], axis: usize) -> i32 {
    let top = points.iter().fold(0.0, |m: f64, p| m.max(p[axis].abs()));
    let (mantissa, exponent) = decompose(top);
    if mantissa == 0 {
        0
    } else {
        exponent + 64 - mantissa.leading_zeros() as i32
    }
}

/// |x| as mantissa · 2^exponent, for finite x.
fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, biased - 1075)
    }
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
