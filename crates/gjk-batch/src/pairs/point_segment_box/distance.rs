//! Balls and capsules, and either with a box: the signed distance by closed forms, a pair a lane.
//!
//! Where it sits: `chunk.rs` calls [`measure`] with pairs of one kind each; `gjk::query`'s `cores.rs` is the same for one pair.
//! Idea: each body is a core (a centre and up to three generators, `t + Σ sₖgₖ` with `|sₖ| ≤ 1`) and a radius. [`nearest`]
//! proposes a point of each core, without a branch and without a loop that ends early. Any two points bound the cores'
//! distance from above; along any unit `n` the heights `n·(t_b − t_a) − Σ|n·gₖ|` bound it from below, and so the signed
//! distance too. So the proposal may assume right angles, and may round: what it misses is width, and [`refined`] wins most of
//! it back. Cores that overlap are measured by `facets.rs`. Then the radii are taken off both ends.
//!
//! What rounding costs, in roundings `u` of `f64`, with `shapes = Σ|gₖ|₁`, `size = shapes + |t_b − t_a|₁`, `place = |t_a|₁ + |t_b|₁`:
//! - **The bodies** are hulls of world vertices `((c₀x + c₁y) + c₂z) + t`, or real ones under the map: within `4u·shapes + u·place` of
//!   the exact cores. Generators (of a capsule two of three products are zeros) and `t_b − t_a` are rounded once: `u·size`.
//! - **From above**, `|y − x|`: a part's product 1, sums of at most five terms 4, and the length 2.5: `7.5u·size`. Parts are in
//!   `−1..1` exactly, so the points are in the cores.
//! - **From below**: inner products 3, their sum of at most five terms 4; and `n` is unit but for 5 (root 2.5, quotient and
//!   product 2), which changes a height by as much of itself: `12u·size`.
//!
//! With the bodies' own below `17u·size + u·place`. [`NOISE`] and [`WORLD`] are above, and the same as a single query's, so that both
//! leave the same pairs undecided. [`ENDS`] is for the radii: their sum 1, the noise and two sums 3, of lengths that are at most
//! the distance and the radii. Tests: `bounds_are_needed`, `round_bodies_are_where_double_precision_says`.

use super::penetration::{Facet, overlapping};
use crate::bounds::Columns;
use crate::layout::lane_bodies::Group;
use crate::layout::posed::Core;
use crate::layout::world::View;
use crate::loops::lockstep_gjk::Goal;
use crate::rounding::{Bound, SIZES, U, bound};
use crate::simd::{LANES_MAX, Mask, V3, Wide};
use fearless_simd::{Simd, prelude::*};

pub(super) const NOISE: f64 = 24.0 * U;
const WORLD: f64 = 2.0 * U;
/// Roundings of the distance and the radii.
const ENDS: f64 = 4.0 * U;

/// Cores' bounds farther apart than this part of the distance leave the direction between them to the single query.
const STEADY: f64 = 1.0 / (1u64 << 24) as f64;
/// What `gjk::query` calls narrow where it is not to be sharp.
const NARROW: f64 = 1.0 / (1u64 << 38) as f64;

/// A segment whose square across the box's generators is below this part of its own lies in them: see [`refined`].
const LEVEL: f64 = 1e-12;

/// What is asked of round bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Want {
    goal: Goal,
    depth: bool,
    /// The widest interval, in parts of itself.
    width: f64,
}

impl Want {
    /// `rounding` is that of the bodies' scalar: intervals are as narrow as a single query's.
    pub(crate) fn new(goal: Goal, depth: bool, rounding: f64) -> Self {
        let own = if rounding > U { 0.25 * rounding } else { 0.0 };
        Self {
            goal,
            depth,
            width: NARROW.max(own),
        }
    }
}

/// Bounds of the cores' signed distance, unit normal from A to B, and a point of each without its translation.
#[derive(Clone, Copy)]
pub(super) struct Apart<S: Simd> {
    pub(super) lower: Wide<S>,
    pub(super) upper: Wide<S>,
    pub(super) normal: V3<S>,
    pub(super) points: [V3<S>; 2],
}

/// Measures the pairs of `members`, at most as many as there are lanes. A is here the body whose core has fewer generators.
#[inline(always)]
pub(crate) fn measure<S: Simd, const N: usize, const M: usize>(
    simd: S,
    view: View<'_>,
    members: &[u32],
    want: Want,
    found: &mut Columns,
) {
    let (groups, exchanged) =
        Group::<LANES_MAX>::sorted(view.pairs, members, Wide::<S>::LEN, &view.shapes.kinds);
    let a = Core::<S, N>::load(simd, view.shapes, view.poses, &groups[0]);
    let b = Core::<S, M>::load(simd, view.shapes, view.poses, &groups[1]);
    let between = b.translation.minus(a.translation);
    let place = a.translation.sum_abs() + b.translation.sum_abs();
    let size = a.size + b.size + between.sum_abs();
    let world = place * WORLD;
    let noise = (size * NOISE + world) * bound(Bound::Cores, 1.0);
    let radii = a.radius + b.radius;
    // Written so that NaN, of maps that keep no ball round, is not usable.
    let usable = size.simd_gt(SIZES[0])
        & size.simd_lt(SIZES[1])
        & place.simd_lt(SIZES[1])
        & radii.simd_lt(SIZES[1]);

    let mut cores = apart(simd, &a, &b, between, noise);
    let mut steady =
        cores.lower.simd_gt(0.0) & (cores.upper - cores.lower).simd_le(cores.lower * STEADY);
    if M == 3 && want.depth && (usable & !cores.lower.simd_gt(0.0)).any_true() {
        let Facet { proven, found } = overlapping(simd, &a, &b, between, size, world);
        let inside = proven & !cores.lower.simd_gt(0.0);
        cores = found.or(inside, cores);
        steady |= inside;
    }

    let ends = (cores.upper.abs() + radii) * (ENDS * bound(Bound::Cores, 1.0));
    let (lower, upper) = ((cores.lower - ends) - radii, (cores.upper + ends) - radii);
    // As much again as the bounds hold, so that a single query of the same bounds cannot be undecided.
    let margin = noise + ends;
    let mut told = [
        usable & lower.simd_gt(margin),
        usable & upper.simd_lt(-margin),
    ];
    if want.goal == Goal::Distance {
        told[0] &= steady & (upper - lower).simd_le(lower * want.width);
    }
    if want.depth {
        told[1] &= steady & (upper - lower).simd_le(-upper * want.width);
    }
    // The bodies' points, of which an overlap that is not measured has the centres.
    let centers = [a.translation, b.translation];
    let mut all = Apart {
        lower,
        upper,
        normal: cores.normal,
        points: centers,
    };
    all.points[0] = cores.points[0]
        .plus(cores.normal.times(a.radius))
        .plus(centers[0]);
    all.points[1] = cores.points[1]
        .minus(cores.normal.times(b.radius))
        .plus(centers[1]);
    if !want.depth {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        let normal = V3 {
            x: one,
            y: zero,
            z: zero,
        };
        all = Apart {
            lower: zero,
            upper: zero,
            normal,
            points: centers,
        }
        .or(told[1], all);
    }
    write(
        simd,
        &all,
        told,
        (want.goal == Goal::Distance).then_some(&exchanged),
        found,
    );
}

impl<S: Simd> Apart<S> {
    /// `self` where the mask is set.
    #[inline(always)]
    fn or(self, mask: Mask<S>, o: Self) -> Self {
        Self {
            lower: mask.select(self.lower, o.lower),
            upper: mask.select(self.upper, o.upper),
            normal: self.normal.or(mask, o.normal),
            points: [
                self.points[0].or(mask, o.points[0]),
                self.points[1].or(mask, o.points[1]),
            ],
        }
    }
}

/// Writes which lanes are separated and which overlap; and the numbers, if anyone reads them, with the bodies in their pair's order.
#[inline(always)]
fn write<S: Simd>(
    simd: S,
    all: &Apart<S>,
    [separated, overlap]: [Mask<S>; 2],
    exchanged: Option<&[bool; LANES_MAX]>,
    found: &mut Columns,
) {
    found.separated = (separated & !overlap).to_bitmask();
    found.overlapping = (overlap & !separated).to_bitmask();
    let Some(exchanged) = exchanged else { return };
    let sign = Wide::<S>::from_fn(simd, |lane| {
        if exchanged[lane % LANES_MAX] {
            -1.0
        } else {
            1.0
        }
    });
    let (turned, [x, y]) = (sign.simd_lt(0.0), all.points);
    found.put(
        [all.lower, all.upper],
        all.normal.times(sign),
        [y.or(turned, x), x.or(turned, y)],
    );
}

/// The distance of two cores from points that are nearest, or nearly so.
#[inline(always)]
fn apart<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &Core<S, N>,
    b: &Core<S, M>,
    between: V3<S>,
    noise: Wide<S>,
) -> Apart<S> {
    let one = Wide::<S>::splat(simd, 1.0);
    let mut squares = [one; M];
    for k in 0..M {
        squares[k] = one / b.generators[k].dot(b.generators[k]);
    }
    let (on_a, on_b) = nearest(simd, a, b, &squares, between);
    let (x, y) = (a.at(simd, &on_a), b.at(simd, &on_b));
    let gap = between.plus(y).minus(x);
    let distance = gap.dot(gap).sqrt();
    let normal = if M == 3 {
        let direction = refined(simd, gap, a, (&on_a, &on_b), b, &squares);
        direction.times(one / direction.dot(direction).sqrt())
    } else {
        gap.times(one / distance)
    };
    let mut height = normal.dot(between);
    for generator in &a.generators {
        height -= normal.dot(*generator).abs();
    }
    for generator in &b.generators {
        height -= normal.dot(*generator).abs();
    }
    Apart {
        lower: height - noise,
        upper: distance + noise,
        normal,
        points: [x, y],
    }
}

/// The line between two points freed of its parts along the generators that they are inside of, which angles that are not right, of
/// rotations in `f32` above all, leave there: an error of the direction then counts by its square.
#[inline(always)]
fn refined<S: Simd, const N: usize, const M: usize>(
    simd: S,
    gap: V3<S>,
    a: &Core<S, N>,
    (on_a, on_b): (&[Wide<S>; N], &[Wide<S>; M]),
    b: &Core<S, M>,
    squares: &[Wide<S>; M],
) -> V3<S> {
    let (zero, nothing) = (Wide::<S>::splat(simd, 0.0), V3::splat(simd, 0.0));
    let mut direction = gap;
    // A's generator without its parts along those of B.
    let mut along = if N == 1 { a.generators[0] } else { nothing };
    for k in 0..M {
        let half = b.generators[k];
        let scale = on_b[k].abs().simd_lt(1.0).select(squares[k], zero);
        direction = direction.minus(half.times(direction.dot(half) * scale));
        along = along.minus(half.times(along.dot(half) * scale));
    }
    if N == 1 {
        let (whole, square) = (a.generators[0].dot(a.generators[0]), along.dot(along));
        let free = on_a[0].abs().simd_lt(1.0) & square.simd_gt(whole * LEVEL);
        let part = free.select(direction.dot(along) / square, zero);
        direction = direction.minus(along.times(part));
    }
    direction
}

/// `x`, or the end of `−1..1` that is nearest; NaN becomes 1. The same on every target, which `min` and `max` of NaN are not.
#[inline(always)]
pub(super) fn clamped<S: Simd>(simd: S, x: Wide<S>) -> Wide<S> {
    let one = Wide::<S>::splat(simd, 1.0);
    let above = x.simd_gt(-1.0).select(x, -one);
    x.simd_lt(1.0).select(above, one)
}

/// Points of two cores that are nearest, if their edges are at right angles, in parts of the generators.
#[inline(always)]
fn nearest<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &Core<S, N>,
    b: &Core<S, M>,
    squares: &[Wide<S>; M],
    between: V3<S>,
) -> ([Wide<S>; N], [Wide<S>; M]) {
    let zero = Wide::<S>::splat(simd, 0.0);
    let (mut on_a, mut on_b) = ([zero; N], [zero; M]);
    if N == 0 {
        for k in 0..M {
            on_b[k] = clamped(simd, -between.dot(b.generators[k]) * squares[k]);
        }
    } else if M == 1 {
        (on_a[0], on_b[0]) = segments(simd, a.generators[0], b.generators[0], between);
    } else {
        (on_a[0], on_b) = segment_and_box(simd, a.generators[0], &b.generators, squares, between);
    }
    (on_a, on_b)
}

/// Source: Ericson, Real-Time Collision Detection, 5.1.9. Parallel segments have no crossing: any point serves to start from.
#[inline(always)]
fn segments<S: Simd>(simd: S, g: V3<S>, h: V3<S>, between: V3<S>) -> (Wide<S>, Wide<S>) {
    let zero = Wide::<S>::splat(simd, 0.0);
    let (gg, hh, gh) = (g.dot(g), h.dot(h), g.dot(h));
    let (gr, hr) = (g.dot(between), h.dot(between));
    let denominator = gg * hh - gh * gh;
    let crossing = clamped(simd, (gr * hh - gh * hr) / denominator);
    let crossing = denominator.simd_gt(zero).select(crossing, zero);
    let t = clamped(simd, (crossing * gh - hr) / hh);
    let s = clamped(simd, (gr + t * gh) / gg);
    (s, t)
}

/// The slope of the squared distance between a segment's point and a box, along the segment.
#[derive(Clone, Copy)]
struct Slope<S: Simd, const M: usize> {
    start: [Wide<S>; M],
    step: [Wide<S>; M],
    pull: [Wide<S>; M],
}

impl<S: Simd, const M: usize> Slope<S, M> {
    #[inline(always)]
    fn at(&self, simd: S, t: Wide<S>) -> Wide<S> {
        let mut sum = Wide::<S>::splat(simd, 0.0);
        for k in 0..M {
            let x = self.start[k] + t * self.step[k];
            sum += self.pull[k] * (x - clamped(simd, x));
        }
        sum
    }
}

/// The distance's square along the segment is convex, its slope piecewise linear with six corners. The corners and the ends that are
/// next to the root, below and above, are those of one piece: there the root is by a quotient.
#[inline(always)]
fn segment_and_box<S: Simd, const M: usize>(
    simd: S,
    g: V3<S>,
    half: &[V3<S>; M],
    squares: &[Wide<S>; M],
    between: V3<S>,
) -> (Wide<S>, [Wide<S>; M]) {
    let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
    let mut slope = Slope::<S, M> {
        start: [zero; M],
        step: [zero; M],
        pull: [zero; M],
    };
    for k in 0..M {
        slope.pull[k] = g.dot(half[k]);
        slope.start[k] = -between.dot(half[k]) * squares[k];
        slope.step[k] = slope.pull[k] * squares[k];
    }
    let (mut low, mut high) = (-one, one);
    let (mut below, mut above) = (slope.at(simd, low), slope.at(simd, high));
    for k in 0..M {
        let inverse = one / slope.step[k];
        for side in [-one, one] {
            let corner = clamped(simd, (side - slope.start[k]) * inverse);
            let value = slope.at(simd, corner);
            let from = value.simd_le(zero) & corner.simd_gt(low);
            let to = value.simd_ge(zero) & corner.simd_lt(high);
            (low, below) = (from.select(corner, low), from.select(value, below));
            (high, above) = (to.select(corner, high), to.select(value, above));
        }
    }
    let rise = above - below;
    let root = low + (high - low) * (-below / rise);
    // No slope: a piece along a face, or one point. Where an end pulls outward the root is beyond it.
    let root = rise.simd_gt(zero).select(root, (low + high) * 0.5);
    let root = clamped(simd, root);
    let mut at = [zero; M];
    for k in 0..M {
        at[k] = clamped(simd, slope.start[k] + root * slope.step[k]);
    }
    (root, at)
}
