//! Balls and capsules, and either with a box: the signed distance by closed forms, a pair a lane.
//!
//! Where it sits: `dispatch/` calls [`measure`] with pairs of one kind each; `gjk`'s `pairs/point_segment_box/` is the same for
//! one pair.
//! Idea: each body is a core (a centre and up to three generators, `t + Σ sₖgₖ` with `|sₖ| ≤ 1`) and a radius.
//! `distance.rs` proposes a point of each core, without a branch and without a loop that ends early. Any two points bound the
//! cores' distance from above; along any unit `n` the heights `n·(t_b − t_a) − Σ|n·gₖ|` bound it from below, and so the signed
//! distance too. So the proposal may assume right angles, and may round: what it misses is width, and its refinement wins most of
//! it back. Cores that overlap are measured by `penetration.rs`. Then the radii are taken off both ends.
//!
//! What rounding costs, in roundings `u` of `f64`, with `shapes = Σ|gₖ|₁`, `size = shapes + |t_b − t_a|₁`,
//! `place = |t_a|₁ + |t_b|₁`:
//! - **The bodies** are hulls of world vertices `((c₀x + c₁y) + c₂z) + t`, or real ones under the map: within
//!   `4u·shapes + u·place` of the exact cores. Generators (of a capsule two of three products are zeros) and `t_b − t_a` are
//!   rounded once: `u·size`.
//! - **From above**, `|y − x|`: a part's product 1, sums of at most five terms 4, and the length 2.5: `7.5u·size`. Parts are in
//!   `−1..1` exactly, so the points are in the cores.
//! - **From below**: inner products 3, their sum of at most five terms 4; and `n` is unit but for 5 (root 2.5, quotient and
//!   product 2), which changes a height by as much of itself: `12u·size`.
//!
//! With the bodies' own below `17u·size + u·place`. [`CORE_LANES_OF_SIZE`] and [`CORE_LANES_OF_WORLD`] are above, and the same as
//! a single query's, so that both leave the same pairs undecided. [`CORE_LANES_OF_RADII`] is for the radii: their sum 1, the
//! noise and two sums 3, of lengths that are at most the distance and the radii. Tests: `bounds_are_needed`,
//! `round_bodies_are_where_double_precision_says`.

mod core_bounds;
mod distance;
mod penetration;

use self::core_bounds::{CoreBounds, distance_error};
use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{CoreLanes, PairSizes};
use crate::layout::world::WorldView;
use crate::request::Request;
use crate::rounding::{LANES_SIZE_RANGE, RoundingBound, bound};
use crate::simd::{F64s, LANES_MAX, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

/// Roundings of the distance and the radii, as derived above.
const CORE_LANES_OF_RADII: f64 = 4.0 * f64::ROUNDING;

/// Where the bounds of the cores' distance differ by more than this part of it, their direction is left to the single query.
const CORE_LANES_DIRECTION_WIDTH_MAX: f64 = 1.0 / (1u64 << 24) as f64;
/// What `gjk::query` calls narrow at `Precision::Fast`.
const CORE_LANES_WIDTH_MAX: f64 = 1.0 / (1u64 << 38) as f64;

/// The widest interval of a lane, in parts of itself: as narrow as a single query's. `rounding` is that of the bodies' scalar.
pub(crate) fn width_max(rounding: f64) -> f64 {
    let own = if rounding > f64::ROUNDING {
        0.25 * rounding
    } else {
        0.0
    };
    CORE_LANES_WIDTH_MAX.max(own)
}

/// Measures the pairs of `members`, at most as many as there are lanes. A is here the body whose core has fewer generators.
#[inline(always)]
pub(crate) fn measure<S: Simd, const N: usize, const M: usize>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    (request, width_max): (Request, f64),
    out: &mut BoundsLanes,
) {
    let (groups, exchanged) =
        LaneBodies::<LANES_MAX>::sorted(view.pairs, members, F64s::<S>::LEN, &view.shapes.kinds);
    let a = CoreLanes::<S, N>::load(simd, view.shapes, view.poses, &groups[0]);
    let b = CoreLanes::<S, M>::load(simd, view.shapes, view.poses, &groups[1]);
    let sizes = PairSizes::of(a.size + b.size, a.translation, b.translation);
    let noise = distance_error(&sizes);
    let radii = a.radius + b.radius;
    // Written so that NaN, of maps that keep no ball round, is not usable.
    let usable = sizes.usable() & radii.simd_lt(LANES_SIZE_RANGE[1]);

    let mut cores = distance::distance(simd, &a, &b, sizes.between, noise);
    let mut steady = cores.lower.simd_gt(0.0)
        & (cores.upper - cores.lower).simd_le(cores.lower * CORE_LANES_DIRECTION_WIDTH_MAX);
    if M == 3 && request.wants_depth() && (usable & !cores.lower.simd_gt(0.0)).any_true() {
        let (found, proven) = penetration::depth(simd, &a, &b, &sizes);
        let inside = proven & !cores.lower.simd_gt(0.0);
        cores = found.or(inside, cores);
        steady |= inside;
    }

    let ends =
        (cores.upper.abs() + radii) * (CORE_LANES_OF_RADII * bound(RoundingBound::Cores, 1.0));
    let (lower, upper) = ((cores.lower - ends) - radii, (cores.upper + ends) - radii);
    // As much again as the bounds hold, so that a single query of the same bounds cannot be undecided.
    let margin = noise + ends;
    let mut separated = usable & lower.simd_gt(margin);
    let mut overlapping = usable & upper.simd_lt(-margin);
    if request.wants_distance() {
        separated &= steady & (upper - lower).simd_le(lower * width_max);
    }
    if request.wants_depth() {
        overlapping &= steady & (upper - lower).simd_le(-upper * width_max);
    }
    let mut bodies = on_surfaces(&cores, &a, &b, [lower, upper]);
    if !request.wants_depth() {
        bodies = unmeasured(simd, [a.translation, b.translation]).or(overlapping, bodies);
    }
    out.separated = (separated & !overlapping).to_bitmask();
    out.overlapping = (overlapping & !separated).to_bitmask();
    if request.wants_distance() {
        write(simd, &bodies, &exchanged, out);
    }
}

/// Bounds of the bodies from those of their cores: the points move by the radii, to the world's places.
#[inline(always)]
fn on_surfaces<S: Simd, const N: usize, const M: usize>(
    cores: &CoreBounds<S>,
    a: &CoreLanes<S, N>,
    b: &CoreLanes<S, M>,
    [lower, upper]: [F64s<S>; 2],
) -> CoreBounds<S> {
    let [x, y] = cores.points;
    CoreBounds {
        lower,
        upper,
        normal: cores.normal,
        points: [
            x.plus(cores.normal.times(a.radius)).plus(a.translation),
            y.minus(cores.normal.times(b.radius)).plus(b.translation),
        ],
    }
}

/// An overlap whose depth is not wanted: the centres are points of the bodies.
#[inline(always)]
fn unmeasured<S: Simd>(simd: S, centers: [Vec3s<S>; 2]) -> CoreBounds<S> {
    let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
    CoreBounds {
        lower: zero,
        upper: zero,
        normal: Vec3s {
            x: one,
            y: zero,
            z: zero,
        },
        points: centers,
    }
}

/// Writes the numbers, with the bodies in their pair's order.
#[inline(always)]
fn write<S: Simd>(
    simd: S,
    bodies: &CoreBounds<S>,
    exchanged: &[bool; LANES_MAX],
    out: &mut BoundsLanes,
) {
    let sign = F64s::<S>::from_fn(simd, |lane| {
        if exchanged[lane % LANES_MAX] {
            -1.0
        } else {
            1.0
        }
    });
    let (back, [x, y]): (Mask<S>, _) = (sign.simd_lt(0.0), bodies.points);
    out.put(
        [bodies.lower, bodies.upper],
        bodies.normal.times(sign),
        [y.or(back, x), x.or(back, y)],
    );
}
