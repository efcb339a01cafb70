//! The planes of a hull's facets in `f32`, eight an operation: between which two facets a line passes.
//!
//! Where it sits: [`super::facets`] asks it before its own planes, and computes of the two facets alone what it tells of all.
//! Idea: times in `f32` are rough, but their bounds mostly say that one facet is entered after all others, and one left before all others: no time of another facet is needed.
//! Numbers: a height is off by [`ROUGH_HEIGHT_ROUNDINGS`] of the lengths that it is made of, at all times that count, and so is a time that is computed of it.

use super::facets::{FACETS_MAX, FacetLine};
use crate::math::{Scalar, Triple};
use alloc::vec::Vec;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

/// Planes an operation.
const ROUGH_LANES: usize = 8;

/// Rows of a hull of the most facets that planes are kept of.
const ROUGH_ROWS_MAX: usize = FACETS_MAX / ROUGH_LANES;

/// Hulls of fewer facets have as many operations by `f64`, or nearly.
const ROUGH_FACETS_MIN: usize = 4 * ROUGH_LANES;

/// Roundings of `f32` of a height, of the sum of the lengths that it is made of: of the place at the start 7 (the normal, the place, a product, two sums, the difference and room), of the way the speed's 5 and 3 of
/// the time (a difference, a quotient, a product), of the plane's height 2. Some are room.
const ROUGH_HEIGHT_ROUNDINGS: f64 = 16.0;

/// A plane is crossed if the speed towards it is greater than so many roundings of `f32` of the speed: 16 of its bounds, so that its sign is sure, and a slower plane that is farther than its
/// drift is crossed at no time that counts.
const ROUGH_SPEED_ROUNDINGS: f64 = 96.0;

/// Lengths and speeds between this and its reciprocal have products and quotients that `f32` holds.
const ROUGH_SIZE_MAX: f64 = (1u64 << 40) as f64;

/// A bound in `f32` is rounded up by so much of itself: by more than its own rounding.
const ROUGH_UP: f64 = 1.0 + 1.0 / (1u64 << 22) as f64;

/// A component of eight planes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
struct RoughRow([f32; ROUGH_LANES]);

/// The planes of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoughFacets {
    /// Of each eight planes a row of each coordinate of their normals, and one of their heights. The last are filled up with planes that nothing is beyond.
    rows: Vec<RoughRow>,
}

/// What is told of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RoughPassage {
    Misses,
    /// It enters at the first facet and leaves at the second one, if at all.
    Between([usize; 2]),
    Unknown,
}

impl RoughFacets {
    /// Of a hull of so many facets; `None` where there are few, and where it is very small or large.
    pub(super) fn new(
        planes: usize,
        size: f64,
        plane: impl Fn(usize) -> (Triple, f64),
    ) -> Option<Self> {
        let fits = 1.0 / ROUGH_SIZE_MAX < size && size < ROUGH_SIZE_MAX;
        if planes < ROUGH_FACETS_MIN || !fits {
            return None;
        }
        let component = |facet: usize, row: usize| {
            if facet >= planes {
                return if row < 3 { 0.0 } else { f32::INFINITY };
            }
            let (normal, height) = plane(facet);
            (if row < 3 { normal[row] } else { height }) as f32
        };
        let row = |at: usize| {
            let first = at / 4 * ROUGH_LANES;
            RoughRow(core::array::from_fn(|lane| component(first + lane, at % 4)))
        };
        let rows = planes.div_ceil(ROUGH_LANES) * 4;
        Some(Self {
            rows: (0..rows).map(row).collect(),
        })
    }

    /// Between which facets a line passes.
    pub(super) fn passage(&self, level: Level, line: &FacetLine) -> RoughPassage {
        let fits = |x: f64| 1.0 / ROUGH_SIZE_MAX < x && x < ROUGH_SIZE_MAX;
        if !(fits(line.lengths) && fits(line.speed)) {
            return RoughPassage::Unknown;
        }
        let up = |x: f64| (x * ROUGH_UP) as f32;
        let rounding = f32::ROUNDING as f64;
        let height = line.error + ROUGH_HEIGHT_ROUNDINGS * rounding * line.lengths;
        let speed = ROUGH_SPEED_ROUNDINGS * rounding;
        let rough = RoughLine {
            point: line.point.map(|x| x as f32),
            velocity: line.velocity.map(|x| x as f32),
            error: up(height),
            slow: up(speed * line.speed),
            drift: up(height + speed * line.lengths),
        };
        let rows = &self.rows[..];
        // Room is made of zeros, so there is no more of it than needed.
        match rows.len() / 4 {
            0..=16 => passage_at(level, rows, &rough, &mut [[[0.0; ROUGH_LANES]; 2]; 16]),
            17..=128 => passage_at(level, rows, &rough, &mut [[[0.0; ROUGH_LANES]; 2]; 128]),
            _ => passage_at(
                level,
                rows,
                &rough,
                &mut [[[0.0; ROUGH_LANES]; 2]; ROUGH_ROWS_MAX],
            ),
        }
    }
}

/// As of [`FacetLine`].
struct RoughLine {
    point: [f32; 3],
    velocity: [f32; 3],
    error: f32,
    slow: f32,
    drift: f32,
}

/// Early or late times and speeds of a row's planes.
type RoughTimes = [[f32; ROUGH_LANES]; 2];

fn passage_at(
    level: Level,
    rows: &[RoughRow],
    line: &RoughLine,
    kept: &mut [RoughTimes],
) -> RoughPassage {
    dispatch!(level, simd => passage(simd, rows, line, kept))
}

// What follows is inlined into one function an instruction set, which is the only place where its instructions may be used.

#[inline(always)]
fn splat<S: Simd>(simd: S, x: &[f32; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::splat(simd, x[0]),
        f32x8::splat(simd, x[1]),
        f32x8::splat(simd, x[2]),
    ]
}

/// The heights of eight planes' normals along a vector.
#[inline(always)]
fn along<S: Simd>(simd: S, rows: &[RoughRow], x: &[f32x8<S>; 3]) -> f32x8<S> {
    f32x8::from_slice(simd, &rows[0].0) * x[0]
        + f32x8::from_slice(simd, &rows[1].0) * x[1]
        + f32x8::from_slice(simd, &rows[2].0) * x[2]
}

/// First the bounds of both ends, then which facets reach them: fewer operations than to keep the facets by the way.
#[inline(always)]
fn passage<S: Simd>(
    simd: S,
    rows: &[RoughRow],
    line: &RoughLine,
    kept: &mut [RoughTimes],
) -> RoughPassage {
    let (point, velocity) = (splat(simd, &line.point), splat(simd, &line.velocity));
    let all = |x: f32| f32x8::splat(simd, x);
    let (error, slow) = (all(line.error), all(line.slow));
    let (never, always) = (all(f32::NEG_INFINITY), all(f32::INFINITY));
    let (mut enter, mut exit) = (never, always);
    for (rows, kept) in rows.chunks_exact(4).zip(&mut *kept) {
        let speed = along(simd, rows, &velocity);
        let height = along(simd, rows, &point) - f32x8::from_slice(simd, &rows[3].0);
        let (enters, exits) = (speed.simd_lt(-slow), speed.simd_gt(slow));
        let is_slow = !(enters | exits);
        if (height.simd_ge(all(-line.drift)) & is_slow).any_true() {
            return RoughPassage::Unknown;
        }
        let per = all(1.0) / speed;
        let (over, under) = ((error - height) * per, (-error - height) * per);
        enter = enter.max(enters.select(over, never));
        exit = exit.min(exits.select(over, always));
        under.store_slice(&mut kept[0]);
        speed.store_slice(&mut kept[1]);
    }
    let (enter, exit) = (simd.reduce_max_f32x8(enter), simd.reduce_min_f32x8(exit));
    if enter > exit {
        return RoughPassage::Misses;
    }
    let mut found = [FacetAtEnd::None; 2];
    let (from, to) = (all(enter), all(exit));
    for (at, [under, speed]) in kept.iter().take(rows.len() / 4).enumerate() {
        let (under, speed) = (
            f32x8::from_slice(simd, under),
            f32x8::from_slice(simd, speed),
        );
        let late = under.simd_ge(from) & speed.simd_lt(-slow);
        let soon = under.simd_le(to) & speed.simd_gt(slow);
        if (late | soon).any_true() {
            found[0] = found[0].with(at, late.to_bitmask());
            found[1] = found[1].with(at, soon.to_bitmask());
        }
    }
    match found {
        [FacetAtEnd::One(entered), FacetAtEnd::One(left)] => RoughPassage::Between([entered, left]),
        _ => RoughPassage::Unknown,
    }
}

/// Facets that may be at one end.
#[derive(Clone, Copy)]
enum FacetAtEnd {
    None,
    One(usize),
    Several,
}

impl FacetAtEnd {
    /// With those of one row, a bit for each.
    #[inline(always)]
    fn with(self, row: usize, bits: u64) -> Self {
        match (self, bits.count_ones()) {
            (found, 0) => found,
            (Self::None, 1) => Self::One(row * ROUGH_LANES + bits.trailing_zeros() as usize),
            _ => Self::Several,
        }
    }
}
