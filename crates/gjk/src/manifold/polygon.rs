//! The intersection of two convex polygons, segments or points in a plane.
//!
//! Idea: the corners of the intersection are the corners of either that are in the other, and the crossings of two sides. Whether two sides cross is
//! four signs of turns, which are exact. Rounded places make sides that are on one line by construction cross anywhere on it, or not at all; so a
//! corner counts as in the other polygon if it is out by no more than a band of rounding, and a crossing with an end of a side in that band gives way
//! to the end. What is found is then off the intersection by no more than the band, and the same whatever rounding did.

use super::view::{Flat, next_of, size};
use crate::math::Scalar;
use crate::math::planar;
use crate::simd::level;
use core::cmp::Ordering;
use fearless_simd::{Simd, dispatch, f64x8, i64x8, mask64x8, prelude::*};
use gjk_exact::determinant::sign_2;
use gjk_exact::integer::{self, Int};
use smallvec::SmallVec;

/// Below this sine two sides are crossed in integers: their floats would say little of where.
pub(super) const CROSSING_SINE: f64 = 1e-6;

/// A corner of the intersection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Corner {
    /// Of the first polygon; whether it is known to be clear of every side of the second.
    First(usize, bool),
    /// Of the second, likewise.
    Second(usize, bool),
    /// The side after a corner of the first, and after one of the second; whether the ends of both are known to be clear of it.
    Cross(usize, usize, bool),
}

pub(crate) type MeetingCorners = SmallVec<[Corner; 16]>;

/// The side after a corner; a segment has one side.
#[inline(always)]
pub(crate) fn side(polygon: &[Flat], k: usize) -> [Flat; 2] {
    [polygon[k], polygon[next_of(k, polygon.len())]]
}

/// The number of sides.
pub(super) fn sides(polygon: &[Flat]) -> usize {
    match polygon.len() {
        0 | 1 => 0,
        2 => 1,
        n => n,
    }
}

fn turn([from, to]: [Flat; 2], point: Flat) -> Ordering {
    sign_2(&[from, to], &[from, point])
}

/// How far a point is from the line of a segment.
pub(super) fn from_line([from, to]: [Flat; 2], point: Flat) -> f64 {
    let step = planar::subtract(to, from);
    planar::cross(step, planar::subtract(point, from)).abs() / size(step)
}

/// Whether a point is on a segment within a distance.
fn is_on([from, to]: [Flat; 2], point: Flat, band: f64) -> bool {
    let (step, seen) = (planar::subtract(to, from), planar::subtract(point, from));
    let squared = planar::dot(step, step);
    let reach = band * Scalar::sqrt(squared);
    let along = planar::dot(seen, step);
    // A segment of no length holds nothing: its end is a corner.
    squared > 0.0
        && planar::cross(step, seen).abs() <= reach
        && (-reach..=squared + reach).contains(&along)
}

/// Whether a point is in a polygon, a segment or a point, or out of it by at most a distance.
fn holds(polygon: &[Flat], point: Flat, band: f64) -> bool {
    match *polygon {
        [] => false,
        [only] => size(planar::subtract(point, only)) <= band,
        [from, to] => is_on([from, to], point, band),
        _ => (0..polygon.len()).all(|k| {
            let [from, to] = side(polygon, k);
            let step = planar::subtract(to, from);
            planar::cross(step, planar::subtract(point, from)) >= -band * size(step)
        }),
    }
}

/// Whether two sides cross at a place that no end of either is near to.
fn do_cross(line: [Flat; 2], other: [Flat; 2], band: f64) -> bool {
    if apart(line, other) {
        return false;
    }
    let strict = |line: [Flat; 2], ends: [Flat; 2]| {
        let [from, to] = ends.map(|end| turn(line, end));
        from.is_ne() && to.is_ne() && from != to
    };
    let free = |line: [Flat; 2], ends: [Flat; 2]| !ends.iter().any(|&end| is_on(line, end, band));
    free(line, other) && free(other, line) && strict(line, other) && strict(other, line)
}

/// Polygons of more corners than this are compared one by one: a number has so many bits.
const MASKED_MAX: usize = u64::BITS as usize;

/// Of a side, which corners of another polygon are clearly in and clearly out: beyond the band; and which sides of it have their ends on either side of
/// it, surely and maybe. A bit a corner or side.
#[derive(Clone, Copy, Default)]
pub(super) struct SideMasks {
    pub(super) inner: u64,
    pub(super) outer: u64,
    pub(super) parted: u64,
    pub(super) maybe: u64,
}

/// The corners of a polygon in rows of a length that is known when compiled, the first again behind the last.
pub(super) struct CornerRows<const N: usize> {
    x: [f64; N],
    y: [f64; N],
    count: usize,
}

impl<const N: usize> CornerRows<N> {
    #[inline(always)]
    pub(super) fn new(corners: &[Flat]) -> Self {
        let at = |k: usize| corners[if k < corners.len() { k } else { 0 }];
        Self {
            x: core::array::from_fn(|k| at(k)[0]),
            y: core::array::from_fn(|k| at(k)[1]),
            count: corners.len(),
        }
    }

    #[inline(always)]
    pub(super) fn masks(&self, [from, to]: [Flat; 2], band: f64) -> SideMasks {
        let step = planar::subtract(to, from);
        let reach = band * size(step);
        let mut heights = [0.0; N];
        for (height, (x, y)) in heights.iter_mut().zip(self.x.iter().zip(&self.y)) {
            *height = step[0] * (y - from[1]) - step[1] * (x - from[0]);
        }
        let [mut inside, mut outside] = [0, 0];
        for (k, height) in heights.into_iter().enumerate() {
            inside |= u64::from(height > reach) << k;
            outside |= u64::from(height < -reach) << k;
        }
        let all = u64::MAX >> (u64::BITS as usize - self.count);
        SideMasks::new(inside & all, outside & all, self.count)
    }
}

impl SideMasks {
    #[inline(always)]
    pub(super) fn new(inner: u64, outer: u64, count: usize) -> Self {
        let next = |x: u64| x >> 1 | (x & 1) << (count - 1);
        let (inner_next, outer_next) = (next(inner), next(outer));
        Self {
            inner,
            outer,
            parted: inner & outer_next | outer & inner_next,
            maybe: !(inner & inner_next | outer & outer_next),
        }
    }
}

type PolygonMasks = SmallVec<[SideMasks; 8]>;

#[inline(always)]
fn masks_of<const N: usize>(polygon: &[Flat], corners: &[Flat], band: f64) -> PolygonMasks {
    let rows = CornerRows::<N>::new(corners);
    let mut masks = PolygonMasks::new();
    for k in 0..polygon.len() {
        masks.push(rows.masks(side(polygon, k), band));
    }
    masks
}

fn masks(polygon: &[Flat], corners: &[Flat], band: f64) -> PolygonMasks {
    match corners.len() {
        0..=4 => masks_of::<4>(polygon, corners, band),
        5..=8 => masks_of::<8>(polygon, corners, band),
        9..=16 => masks_of::<16>(polygon, corners, band),
        _ => masks_of::<MASKED_MAX>(polygon, corners, band),
    }
}

/// The corners that are out of no side of a polygon, or only within the band; and those that are clear of all.
fn inside(masks: &PolygonMasks) -> [u64; 2] {
    masks.iter().fold([u64::MAX; 2], |[held, clear], side| {
        [held & !side.outer, clear & side.inner]
    })
}

/// The corners of the intersection, in no order.
pub(crate) fn intersect(first: &[Flat], second: &[Flat], band: f64) -> MeetingCorners {
    let mut found = MeetingCorners::new();
    let counts = [first.len(), second.len()];
    if counts.iter().any(|count| !(3..=MASKED_MAX).contains(count)) {
        intersect_singly(first, second, band, &mut found);
        return found;
    }
    let (of_first, of_second) = (masks(first, second, band), masks(second, first, band));
    let [held, clear] = inside(&of_second);
    for k in (0..counts[0]).filter(|k| held >> k & 1 == 1) {
        found.push(Corner::First(k, clear >> k & 1 == 1));
    }
    let [held, clear] = inside(&of_first);
    for k in (0..counts[1]).filter(|k| held >> k & 1 == 1) {
        found.push(Corner::Second(k, clear >> k & 1 == 1));
    }
    for (i, side_1) in of_first.iter().enumerate() {
        for (j, side_2) in of_second.iter().enumerate() {
            if (side_1.maybe >> j) & (side_2.maybe >> i) & 1 == 0 {
                continue;
            }
            // The band is wider than what is rounded of a turn, so what is clear of it has its sign.
            let is_clear = (side_1.parted >> j) & (side_2.parted >> i) & 1 == 1;
            if is_clear || do_cross(side(first, i), side(second, j), band) {
                found.push(Corner::Cross(i, j, is_clear));
            }
        }
    }
    found
}

/// The same, where one is a segment or a point, or has very many corners.
fn intersect_singly(first: &[Flat], second: &[Flat], band: f64, found: &mut MeetingCorners) {
    for (k, &corner) in first.iter().enumerate() {
        if holds(second, corner, band) {
            found.push(Corner::First(k, false));
        }
    }
    for (k, &corner) in second.iter().enumerate() {
        if holds(first, corner, band) {
            found.push(Corner::Second(k, false));
        }
    }
    // Segments that have an end of one on the other do not cross as well.
    if first.len() == 2 && second.len() == 2 && !found.is_empty() {
        return;
    }
    for i in 0..sides(first) {
        let line = side(first, i);
        for j in 0..sides(second) {
            let other = side(second, j);
            if do_cross(line, other, band) {
                found.push(Corner::Cross(i, j, false));
            }
        }
    }
}

/// The numbers of places, in some order.
pub(super) type PlaceOrder = SmallVec<[usize; 16]>;

/// So many places are ordered by comparing all with all, which takes no branches.
const RANKED_MAX: usize = 8;

/// The numbers of so many places in the order of a turn around their middle, counter-clockwise.
pub(super) fn counter_clockwise(count: usize, place: impl Fn(usize) -> Flat) -> PlaceOrder {
    if count > RANKED_MAX {
        let mut sum: Flat = [0.0; 2];
        for k in 0..count {
            let x = place(k);
            sum = [sum[0] + x[0], sum[1] + x[1]];
        }
        let center = [sum[0] / count as f64, sum[1] / count as f64];
        let mut keys = SmallVec::<[f64; 16]>::new();
        for start in (0..count).step_by(RANKED_MAX) {
            let mut rows = [[0.0; RANKED_MAX]; 2];
            for k in start..count.min(start + RANKED_MAX) {
                let [x, y] = planar::subtract(place(k), center);
                (rows[0][k - start], rows[1][k - start]) = (x, y);
            }
            keys.extend(turned_with_simd(&rows));
        }
        let mut order: PlaceOrder = (0..count).collect();
        order.sort_by(|&i, &j| keys[i].total_cmp(&keys[j]));
        return order;
    }
    let [mut x, mut y] = [[0.0; RANKED_MAX]; 2];
    for (k, (x, y)) in x.iter_mut().zip(&mut y).enumerate().take(count) {
        [*x, *y] = place(k);
    }
    PlaceOrder::from_slice(&few_with_simd(count, &x, &y)[..count])
}

/// [`few_in_order`] with instructions that this machine has.
#[inline(never)]
fn few_with_simd(
    count: usize,
    x: &[f64; RANKED_MAX],
    y: &[f64; RANKED_MAX],
) -> [usize; RANKED_MAX] {
    dispatch!(level(), simd => {
        let (x, y) = (f64x8::simd_from(simd, *x), f64x8::simd_from(simd, *y));
        few_in_order(simd, count, x, y)
    })
}

/// The same of a few places in lanes, with zeros where there are none.
#[inline(always)]
pub(super) fn few_in_order<S: Simd>(
    simd: S,
    count: usize,
    x: f64x8<S>,
    y: f64x8<S>,
) -> [usize; RANKED_MAX] {
    let (mut sum_x, mut sum_y) = (0.0, 0.0);
    let rows: [[f64; RANKED_MAX]; 2] = [x.into(), y.into()];
    for (x, y) in rows[0].iter().zip(&rows[1]) {
        (sum_x, sum_y) = (sum_x + x, sum_y + y);
    }
    let keys = turned(simd, x - sum_x / count as f64, y - sum_y / count as f64);
    // What is not there comes last.
    let is_there = mask64x8::from_bitmask(simd, (1 << count) - 1);
    let keys = is_there.select(keys, f64x8::splat(simd, f64::INFINITY));
    // The place of each key among them all; of equal ones the first comes first.
    let numbers: [f64; RANKED_MAX] = keys.into();
    let mut ranks = i64x8::splat(simd, 0);
    for (j, key) in numbers.into_iter().enumerate() {
        let later = mask64x8::from_bitmask(simd, !1 << j);
        let key = f64x8::splat(simd, key);
        let is_after = keys.simd_gt(key) | keys.simd_eq(key) & later;
        ranks -= is_after.to_vector();
    }
    let ranks: [i64; RANKED_MAX] = ranks.into();
    let mut order = [0; RANKED_MAX];
    for (at, k) in ranks.into_iter().zip(0..) {
        order[at as usize & (RANKED_MAX - 1)] = k;
    }
    order
}

/// [`turned`] with instructions that this machine has.
#[inline(never)]
fn turned_with_simd([x, y]: &[[f64; RANKED_MAX]; 2]) -> [f64; RANKED_MAX] {
    dispatch!(level(), simd => {
        turned(simd, f64x8::simd_from(simd, *x), f64x8::simd_from(simd, *y)).into()
    })
}

/// How far directions are turned from the first axis, from 0 to 4, as numbers that rise with the angle.
#[inline(always)]
fn turned<S: Simd>(simd: S, x: f64x8<S>, y: f64x8<S>) -> f64x8<S> {
    let one = f64x8::splat(simd, 1.0);
    let size = x.abs() + y.abs();
    let part = size.simd_gt(0.0).select(x / size, one);
    y.simd_lt(0.0).select(part + 3.0, one - part)
}

/// Whether the boxes around two segments are apart: most pairs of sides are told by it.
fn apart(u: [Flat; 2], v: [Flat; 2]) -> bool {
    (0..2).any(|k| {
        let high = |s: [Flat; 2]| if s[0][k] > s[1][k] { s[0][k] } else { s[1][k] };
        let low = |s: [Flat; 2]| if s[0][k] < s[1][k] { s[0][k] } else { s[1][k] };
        high(u) < low(v) || high(v) < low(u)
    })
}

/// Where along a segment, from 0 to 1, it crosses a line that it does cross.
#[inline(always)]
pub(crate) fn crossing(segment: [Flat; 2], line: [Flat; 2]) -> f64 {
    let (step, along) = (
        planar::subtract(segment[1], segment[0]),
        planar::subtract(line[1], line[0]),
    );
    let sine = planar::cross(step, along);
    let squares = planar::dot(step, step) * planar::dot(along, along);
    let part = if sine * sine > CROSSING_SINE * CROSSING_SINE * squares {
        planar::cross(planar::subtract(line[0], segment[0]), along) / sine
    } else {
        exact_crossing(segment, line)
    };
    part.clamp(0.0, 1.0)
}

#[cold]
#[inline(never)]
fn exact_crossing([a, b]: [Flat; 2], [c, d]: [Flat; 2]) -> f64 {
    let [ax, ay, bx, by, cx, cy, dx, dy] =
        integer::common(&[a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]);
    let along = [&dx - &cx, &dy - &cy];
    let height = |x: &Int, y: &Int| (x - &cx) * &along[1] - (y - &cy) * &along[0];
    let (from, to) = (height(&ax, &ay), height(&bx, &by));
    let [from, whole, _] = integer::to_float(&[from.clone(), from - to, Int::ZERO]);
    if whole == 0.0 { 0.0 } else { from / whole }
}
