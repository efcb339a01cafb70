//! Two boxes by the separating axis test, in `f32`: 15 axes, no early way out, an answer only beyond the rounding bound.
//!
//! Where it sits: `dispatch/` starts every pair of boxes here, by [`conclude`], [`find_nearest`] or [`find_clear_nearest`];
//! `penetration.rs` and `distance.rs` measure along the axis that it names, in `f64`.
//! Idea: with unit axes `a_i`, `b_j`, `C_ij = a_i·b_j` and the offset `t` in A's frame, the height of the difference over
//! each axis, less the offset's, is a sum of few products (Gottschalk, Lin, Manocha 1996). Negative over one axis: separated.
//! Positive over all: the origin is inside, since the 15 axes hold every facet's normal.
//!
//! **The bound.** The bodies are hulls of rounded vertices under maps that are rotations only up to rounding. Let `Q` be the
//! orthogonal matrix nearest a pose's `f32` columns, and the ideal box the one with axes `Q`. Per pose `rotation_error` bounds
//! the distance of the columns from `Q`, so body and ideal box differ by at most `rotation_error·H`, `H` the sum of half extents.
//! With `ρ` the sum of both poses' `rotation_error`, `u = 2⁻²⁴`, `D = |t_b − t_a|₁`, `S = H_A + H_B + D`, `T` the sum of the
//! translations' components:
//! - `C` errs by `ρ + 3u·1.01` an entry; `t` by `(ρ + 6u)D + τ`, where `τ = 2⁻⁴⁴·T` covers the low part of translations
//!   that `f32` drops (2⁻⁴⁸), their difference's rounding and the rounding of the world's vertices.
//! - A face axis of A: `ρ(H_B + D) + 14u·S + τ`. One of B has `Σ t_i C_ij`: `3.5ρD + ρH_A + 20u·S + 1.8τ`. An edge axis:
//!   `ρ(H_A + H_B) + 4ρD + 24u·S + 2τ`. Extents are rounded three times, which is in the `u` terms.
//! - Separation needs the bodies' own distance from the ideal boxes once more: `ρS + τ`.
//!
//! In all below `5ρS + 40u·S + 3τ`. For the choice of the nearest axis the normals of the true facets are rotated too, by `ρ`
//! over the axis' length (unnormalised heights change by `2ρS`), the lengths by `2(ρ + 4u)`, and the squares compared round 8
//! times: below `10ρS + 96u·S + 4τ` in all. That one bound, `RelativeBoxes::error`, serves both. Test: `bounds_are_needed`.
//!
//! **Parallel edges.** Over a cross product that is nearly zero nothing can be said. If `sin(a_i, b_j)` is small, replace
//! one of the two edges by its projection on the other: the difference changes by at most `e = sin·min(extents)`, and that
//! axis is no facet normal of the changed one, whose other normals are still among the 15. So every other axis needs a
//! margin of `2Σe`, and the parallel ones are left out. Three pairs at most are parallel at once.

use crate::layout::box_lanes::{BoxLanes, F32_LANES_MAX, GATHER_MAX, GatheredBoxes};
use crate::layout::poses::LanePoses;
use crate::layout::world::{Pair, WorldView};
use crate::rounding::{RoundingBound, bound};
use fearless_simd::{Simd, prelude::*};

type F<S> = <S as Simd>::f32s;
type M<S> = <S as Simd>::mask32s;

/// See the head of this file.
const BOX_LANES_OF_ROTATION_ERROR: f32 = 10.0;
const BOX_LANES_OF_SIZE: f32 = 96.0 / (1u32 << 24) as f32;
const BOX_LANES_OF_PLACE: f32 = 4.0 / (1u64 << 44) as f32;
/// Edges whose angle has a sine below this are taken as parallel, at the cost that the head derives. Any number is true;
/// with a larger one fewer nearly parallel boxes are proved to overlap, with a smaller one fewer of their pairs are decided.
const BOX_LANES_PARALLEL_SINE: f32 = 1.0 / 1024.0;
/// Where two edges are parallel, their cosine plus twice the rotation error is not below this. With `n ≥ 1 − ρ − 6u` the length
/// of its column and `s` the sine above, `√(n² − s²) ≥ n − s²`; the other `s²` has room for rounding.
const BOX_LANES_PARALLEL_COSINE: f32 =
    1.0 - 2.0 * BOX_LANES_PARALLEL_SINE * BOX_LANES_PARALLEL_SINE;
/// Sizes between which no product leaves the range of `f32`, and lost bits are below the bound.
const BOX_LANES_SIZE_RANGE: [f32; 2] = [1.0 / (1u64 << 40) as f32, (1u64 << 40) as f32];

/// An edge axis of a smaller squared length is nobody's clear nearest: its height a length has few digits left.
const BOX_LANES_AXIS_SQUARE_MIN: f32 = 1.0 / (1u32 << 20) as f32;

/// What the axes say of a group's lanes, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoxAxes {
    pub(crate) separated: u64,
    pub(crate) overlapping: u64,
    /// One axis is nearer than every other, beyond the bound.
    pub(crate) clear: u64,
    /// That axis, and for separated lanes the one that separates most: faces of A, faces of B, then edges of A by edges of B.
    pub(crate) nearest: [f32; F32_LANES_MAX],
}

/// Two boxes in A's frame.
#[derive(Clone, Copy)]
struct RelativeBoxes<S: Simd> {
    cosines: [[F<S>; 3]; 3],
    offset: [F<S>; 3],
    half: [[F<S>; 3]; 2],
    rotation_error: F<S>,
    error: F<S>,
    usable: M<S>,
}

/// The nearest axis of every lane.
#[derive(Clone, Copy)]
struct NearestAxis<S: Simd> {
    axis: F<S>,
    /// Its height, and its squared length.
    height: F<S>,
    square: F<S>,
}

/// Heights over the 15 axes, unnormalised, with the squared lengths of the axes of edges.
#[derive(Clone, Copy)]
struct AxisHeights<S: Simd> {
    over: [F<S>; 15],
    squares: [F<S>; 9],
}

/// Tests pairs for their verdicts alone, a group of as many as there are lanes at a time, and appends what was found.
///
/// Operations are fused where the level can: the proof may differ from level to level, and the verdict cannot.
#[inline(always)]
pub(crate) fn conclude<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    pairs: &[Pair],
    found: &mut Vec<BoxAxes>,
) {
    test::<S, false, false>(simd, view, pairs, found);
}

/// The same with the nearest axis of each pair; no operation is fused, so that the choice is the same at every width.
#[inline(always)]
pub(crate) fn find_nearest<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    pairs: &[Pair],
    found: &mut Vec<BoxAxes>,
) {
    test::<S, true, false>(simd, view, pairs, found);
}

/// The same with whether that axis is clear.
#[inline(always)]
pub(crate) fn find_clear_nearest<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    pairs: &[Pair],
    found: &mut Vec<BoxAxes>,
) {
    test::<S, true, true>(simd, view, pairs, found);
}

/// `MEASURE`: the nearest axis too. `CLEAR`: whether it is clear.
#[inline(always)]
fn test<S: Simd, const MEASURE: bool, const CLEAR: bool>(
    simd: S,
    view: WorldView<'_>,
    pairs: &[Pair],
    found: &mut Vec<BoxAxes>,
) {
    let mut places = [GatheredBoxes::NONE; 2];
    for block in pairs.chunks(GATHER_MAX) {
        GatheredBoxes::look_up(&mut places, view.shapes, view.poses, block);
        // Twice the same, so that where lanes come from is no question of each number.
        if GatheredBoxes::both_have_stride2(&places) {
            for from in (0..block.len()).step_by(F::<S>::LEN) {
                let relative = RelativeBoxes::of::<MEASURE, true>(simd, view.poses, &places, from);
                found.push(relative.axes::<MEASURE, CLEAR>(simd, block.len() - from));
            }
        } else {
            for from in (0..block.len()).step_by(F::<S>::LEN) {
                let relative = RelativeBoxes::of::<MEASURE, false>(simd, view.poses, &places, from);
                found.push(relative.axes::<MEASURE, CLEAR>(simd, block.len() - from));
            }
        }
    }
}

/// `a·b + c`, fused where the level can and `EXACT` does not forbid it.
#[inline(always)]
fn plus_product<S: Simd, const EXACT: bool>(c: F<S>, a: F<S>, b: F<S>) -> F<S> {
    if EXACT { c + a * b } else { a.mul_add(b, c) }
}

/// `a·b` of threes, as [`plus_product`].
#[inline(always)]
fn dot<S: Simd, const EXACT: bool>(a: [F<S>; 3], b: [F<S>; 3]) -> F<S> {
    plus_product::<S, EXACT>(
        plus_product::<S, EXACT>(a[0] * b[0], a[1], b[1]),
        a[2],
        b[2],
    )
}

/// `c − a·b`, as [`plus_product`].
#[inline(always)]
fn less_product<S: Simd, const EXACT: bool>(c: F<S>, a: F<S>, b: F<S>) -> F<S> {
    if EXACT { c - a * b } else { (-a).mul_add(b, c) }
}

/// `c + a·b` of threes, as [`plus_product`].
#[inline(always)]
fn plus_dot<S: Simd, const EXACT: bool>(c: F<S>, a: [F<S>; 3], b: [F<S>; 3]) -> F<S> {
    let first = plus_product::<S, EXACT>(c, a[0], b[0]);
    plus_product::<S, EXACT>(plus_product::<S, EXACT>(first, a[1], b[1]), a[2], b[2])
}

impl<S: Simd> AxisHeights<S> {
    #[inline(always)]
    fn least(&self) -> F<S> {
        let mut least = self.over[0];
        for &height in &self.over[1..] {
            least = least.min(height);
        }
        least
    }
}

impl<S: Simd> RelativeBoxes<S> {
    #[inline(always)]
    fn of<const EXACT: bool, const STRIDE2: bool>(
        simd: S,
        poses: &LanePoses,
        places: &[GatheredBoxes; 2],
        from: usize,
    ) -> Self {
        let zero = F::<S>::splat(simd, 0.0);
        let a = BoxLanes::load::<STRIDE2>(simd, poses, &places[0], from);
        let b = BoxLanes::load::<STRIDE2>(simd, poses, &places[1], from);
        let (half, columns) = ([a.half, b.half], [a.pose, b.pose]);
        let rotation_error = a.pose[15] + b.pose[15];
        let (mut between, mut place) = ([zero; 3], zero);
        for k in 0..3 {
            let (high, low) = (
                [columns[0][9 + k], columns[1][9 + k]],
                [columns[0][12 + k], columns[1][12 + k]],
            );
            between[k] = (high[1] - high[0]) + (low[1] - low[0]);
            place += high[0].abs() + high[1].abs();
        }
        let usable = M::<S>::splat(simd, false);
        let mut relative = Self {
            cosines: [[zero; 3]; 3],
            offset: [zero; 3],
            half,
            rotation_error,
            error: zero,
            usable,
        };
        for i in 0..3 {
            let a = [
                columns[0][3 * i],
                columns[0][3 * i + 1],
                columns[0][3 * i + 2],
            ];
            for j in 0..3 {
                let b = [
                    columns[1][3 * j],
                    columns[1][3 * j + 1],
                    columns[1][3 * j + 2],
                ];
                relative.cosines[i][j] = dot::<S, EXACT>(a, b);
            }
            relative.offset[i] = dot::<S, EXACT>(a, between);
        }
        let size = half[0][0] + half[0][1] + half[0][2] + half[1][0] + half[1][1] + half[1][2];
        let size = size + between[0].abs() + between[1].abs() + between[2].abs();
        relative.error = (size
            * (rotation_error * BOX_LANES_OF_ROTATION_ERROR + BOX_LANES_OF_SIZE)
            + place * BOX_LANES_OF_PLACE)
            * bound(RoundingBound::Axes, 1.0) as f32;
        // An infinite rotation_error, a NaN or an overflow fails here.
        relative.usable = size.simd_gt(BOX_LANES_SIZE_RANGE[0])
            & size.simd_lt(BOX_LANES_SIZE_RANGE[1])
            & relative.error.simd_lt(size);
        relative
    }

    /// What the axes say of the first `count` lanes.
    #[inline(always)]
    fn axes<const MEASURE: bool, const CLEAR: bool>(&self, simd: S, count: usize) -> BoxAxes {
        let mut heights = self.heights::<MEASURE>(simd);
        let (low, high) = (-self.error, self.error);
        let lanes = (1u64 << count.min(F32_LANES_MAX)) - 1;
        let least = heights.least();
        let separated = self.usable & least.simd_lt(low);
        let mut axes = BoxAxes {
            separated: separated.to_bitmask() & lanes,
            ..BoxAxes::default()
        };
        if !MEASURE {
            // What is over all axes is over those of parallel edges too.
            axes.overlapping = (self.usable & least.simd_gt(high)).to_bitmask() & lanes;
            if axes.separated | axes.overlapping == lanes {
                return axes;
            }
        }
        // Where no edges are parallel, what is over all axes is over the least.
        let lost = self.parallel(simd, &mut heights);
        let (least, margin) = match lost {
            Some(lost) => (heights.least(), high + lost),
            None => (least, high),
        };
        let overlapping = self.usable & least.simd_gt(margin);
        axes.overlapping |= overlapping.to_bitmask() & lanes;
        axes.separated &= !axes.overlapping;
        if MEASURE {
            let nearest = self.nearest(simd, &heights);
            nearest.axis.store_slice(&mut axes.nearest[..F::<S>::LEN]);
            if CLEAR {
                let proved = match lost {
                    Some(lost) => overlapping & lost.simd_eq(0.0),
                    None => overlapping,
                };
                axes.clear = (self.clear(simd, &heights, &nearest) & proved).to_bitmask() & lanes;
            }
        }
        axes
    }

    #[inline(always)]
    fn heights<const EXACT: bool>(&self, simd: S) -> AxisHeights<S> {
        let zero = F::<S>::splat(simd, 0.0);
        let mut heights = AxisHeights {
            over: [zero; 15],
            squares: [zero; 9],
        };
        let ([a, b], t) = (&self.half, &self.offset);
        let mut size = self.cosines;
        for row in &mut size {
            for entry in row.iter_mut() {
                *entry = entry.abs();
            }
        }
        for i in 0..3 {
            heights.over[i] = plus_dot::<S, EXACT>(a[i], size[i], *b) - t[i].abs();
        }
        for j in 0..3 {
            let reach = plus_dot::<S, EXACT>(b[j], [size[0][j], size[1][j], size[2][j]], *a);
            let column = [self.cosines[0][j], self.cosines[1][j], self.cosines[2][j]];
            heights.over[3 + j] = reach - dot::<S, EXACT>(column, *t).abs();
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let of_a = plus_product::<S, EXACT>(a[i1] * size[i2][j], a[i2], size[i1][j]);
                let of_b = plus_product::<S, EXACT>(of_a, b[j1], size[i][j2]);
                let reach = plus_product::<S, EXACT>(of_b, b[j2], size[i][j1]);
                let along = less_product::<S, EXACT>(
                    t[i2] * self.cosines[i1][j],
                    t[i1],
                    self.cosines[i2][j],
                );
                heights.over[6 + 3 * i + j] = reach - along.abs();
                heights.squares[3 * i + j] = size[i1][j] * size[i1][j] + size[i2][j] * size[i2][j];
            }
        }
        heights
    }

    /// Takes the axes of parallel edges out, and returns the margin that the others then need; none if no lane has such edges.
    #[inline(always)]
    fn parallel(&self, simd: S, heights: &mut AxisHeights<S>) -> Option<F<S>> {
        // Where both cosines of a sine are small, the third of their column is all but the column's length, `1 ± (ρ + 6u)`.
        let mut top = self.cosines[0][0].abs();
        for i in 0..3 {
            for j in 0..3 {
                top = top.max(self.cosines[i][j].abs());
            }
        }
        if !(self.usable & (top + self.rotation_error * 2.0).simd_gt(BOX_LANES_PARALLEL_COSINE))
            .any_true()
        {
            return None;
        }
        let (zero, far) = (F::<S>::splat(simd, 0.0), F::<S>::splat(simd, f32::INFINITY));
        let mut lost = zero;
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                // At least the sine, once the error of the cosines is added.
                let sine = self.cosines[i1][j].abs() + self.cosines[i2][j].abs();
                let parallel = sine.simd_lt(BOX_LANES_PARALLEL_SINE);
                // The cosines' own error, times an extent, is below the pair's.
                let edge = sine * self.half[0][i].min(self.half[1][j]) + self.error;
                lost += parallel.select(
                    (edge + edge) * bound(RoundingBound::Parallel, 1.0) as f32,
                    zero,
                );
                let over = &mut heights.over[6 + 3 * i + j];
                *over = parallel.select(far, *over);
            }
        }
        Some(lost)
    }

    /// The axis of least height a length. Where boxes are separated heights are negative, and it is the axis that separates most.
    #[inline(always)]
    fn nearest(&self, simd: S, heights: &AxisHeights<S>) -> NearestAxis<S> {
        let one = F::<S>::splat(simd, 1.0);
        let (faces, edges) = heights.over.split_at(6);
        let (mut best, mut nearest) = (faces[0], F::<S>::splat(simd, 0.0));
        for (axis, &height) in faces.iter().enumerate().skip(1) {
            let nearer = height.simd_lt(best);
            best = nearer.select(height, best);
            nearest = nearer.select(F::<S>::splat(simd, axis as f32), nearest);
        }
        // Heights of edges are not a length: signed squares are compared, each times the other's squared length.
        let (mut square, mut signed) = (one, best * best.abs());
        for i in 0..3 {
            for j in 0..3 {
                let (height, own) = (edges[3 * i + j], heights.squares[3 * i + j]);
                let its = height * height.abs();
                let nearer = (its * square).simd_lt(signed * own);
                best = nearer.select(height, best);
                signed = nearer.select(its, signed);
                square = nearer.select(own, square);
                nearest = nearer.select(F::<S>::splat(simd, (6 + 3 * i + j) as f32), nearest);
            }
        }
        NearestAxis {
            axis: nearest,
            height: best,
            square,
        }
    }

    /// Of lanes that overlap: whether every other axis is above the nearest one beyond the bound.
    #[inline(always)]
    fn clear(&self, simd: S, heights: &AxisHeights<S>, nearest: &NearestAxis<S>) -> M<S> {
        let (faces, edges) = heights.over.split_at(6);
        let square = nearest.square;
        // The least height's upper end a length; the lower end of the nearest is surely below it, any other's must not be.
        let end = nearest.height + self.error * 2.0;
        let ended = end * end;
        let (mut below, mut tied) = (M::<S>::splat(simd, false), M::<S>::splat(simd, false));
        let mut count = |under: M<S>| {
            tied |= below & under;
            below |= under;
        };
        for &height in faces {
            let low = height - self.error;
            count((low * low * square).simd_lt(ended));
        }
        for i in 0..3 {
            for j in 0..3 {
                let low = edges[3 * i + j] - self.error;
                count((low * low * square).simd_lt(ended * heights.squares[3 * i + j]));
            }
        }
        square.simd_gt(BOX_LANES_AXIS_SQUARE_MIN) & !tied
    }
}
