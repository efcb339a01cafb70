//! GJK in lock-step: the distance of as many pairs as there are lanes.
//!
//! Where it sits: `pairs/box_box/distance.rs` and `pairs/hull_hull.rs` call [`run`]; they differ by their [`SupportLanes`]
//! and their start. Read [`State::step`] beside `loops/gjk.rs` of crate `gjk`.
//! Idea: every lane takes the same step; lanes that are done keep their state until all are. Nothing is decided on the
//! way. At the end a lane's simplex gives an upper bound of the distance, its direction a lower one, and the bounds are
//! widened by what rounding may have cost. Bounds that stay above zero prove separation; a tetrahedron whose four
//! determinants exceed their error proves overlap; every other lane is [`crate::bounds::Conclusion::Undecided`].
//!
//! What rounding costs, in roundings `u` of `f64`, with `shapes = Σ|L_ik|·extent_k` of both bodies, `size = shapes +
//! |t_b − t_a|₁`, `world = |t_a|₁ + |t_b|₁`:
//! - **Choice of a vertex.** Heights `d·r` of the rotated vertices `r` (or signs of `d·edge`) err by `3u|d||r|`: chosen and
//!   true together `6u·shapes`. The world's vertex is `r + t`, rounded by `u(|r| + |t|)`, and of a box three sums before:
//!   twice `4u(shapes + world)`.
//! - **Lower bound** `d·w/|d|`: `w` 1, inner product 3, the norm's inverse 3 and the product 1: `8u·size`. With the choice
//!   `14u·size + 8u(shapes + world)`.
//! - **Upper bound** `|Σλw|`: `w` 1; weights, products and sums 7 on a triangle; norm 2.5: `10.5u·size`. Weights are clamped
//!   at zero and sum to 1 within these. Where boxes start, the corners are sums of eight terms, rounded 8 times, of edges
//!   from which the world's vertices differ by `4u(shapes + world)`: `18.5u·size + 4u(shapes + world)`.
//!
//! [`LOCKSTEP_LOWER_OF_SIZE`], [`LOCKSTEP_LOWER_OF_WORLD`], [`LOCKSTEP_UPPER_OF_SIZE`] and [`LOCKSTEP_UPPER_OF_WORLD`] are these,
//! rounded up for the products of the bounds themselves. Test: `bounds_are_needed` fails when any is zero.

use super::simplex::{Face, nearest, surely_encloses};
use super::support::SupportLanes;
use crate::bounds::BoundsLanes;
use crate::layout::posed::PairSizes;
use crate::request::Request;
use crate::rounding::{LANES_INTERVAL_WIDTH_MAX, RoundingBound, bound};
use crate::simd::{F64s, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

/// Roundings of `size` by which a lower bound is lowered.
const LOCKSTEP_LOWER_OF_SIZE: f64 = 15.0 * f64::ROUNDING;
/// Roundings of `shapes + world` by which a lower bound is lowered.
const LOCKSTEP_LOWER_OF_WORLD: f64 = 8.5 * f64::ROUNDING;
/// Roundings of `size` by which an upper bound is raised.
const LOCKSTEP_UPPER_OF_SIZE: f64 = 19.0 * f64::ROUNDING;
/// Roundings of `shapes + world` by which an upper bound is raised.
const LOCKSTEP_UPPER_OF_WORLD: f64 = 4.5 * f64::ROUNDING;

/// A lane stops when `|v|² − v·w` is below this part of `|v|²`: the distance is then known to some 2⁻⁴⁴.
const LOCKSTEP_GAP: f64 = 1.0 / (1u64 << 44) as f64;

/// What rounding costs each lane: a lower bound, an upper bound, and the place of a corner.
#[derive(Clone, Copy)]
struct Slack<S: Simd> {
    below: F64s<S>,
    above: F64s<S>,
    moved: F64s<S>,
}

/// The state of all lanes.
#[derive(Clone, Copy)]
struct State<S: Simd> {
    simplex: [Vec3s<S>; 3],
    /// The same vertices' points of A.
    on_a: [Vec3s<S>; 3],
    weights: [F64s<S>; 3],
    count: F64s<S>,
    /// The simplex's point nearest the origin, and its square.
    v: Vec3s<S>,
    square: F64s<S>,
    /// `v·w` of the last support along `−v`.
    height: F64s<S>,
    active: Mask<S>,
    enclosed: Mask<S>,
}

/// Where the loop begins: corners of the difference, of which the nearest face has the first.
#[derive(Clone, Copy)]
pub(crate) struct Start<S: Simd> {
    pub(crate) simplex: [Vec3s<S>; 3],
    pub(crate) on_a: [Vec3s<S>; 3],
    pub(crate) count: F64s<S>,
}

impl<S: Simd> Start<S> {
    /// The support point from centre to centre.
    #[inline(always)]
    pub(crate) fn between_centers<C: SupportLanes<S>>(
        simd: S,
        [a, b]: &mut [C; 2],
        between: Vec3s<S>,
        lanes: u64,
    ) -> Self {
        let one = F64s::<S>::splat(simd, 1.0);
        let on_a = a.support(simd, between, lanes);
        let w = on_a.minus(b.support(simd, between.times(-one), lanes));
        Self {
            simplex: [w; 3],
            on_a: [on_a; 3],
            count: one,
        }
    }
}

/// Finds the nearest points of two bodies a lane, from a start.
#[inline(always)]
pub(crate) fn run<S: Simd, C: SupportLanes<S>, const PLANAR: bool>(
    simd: S,
    [a, b]: &mut [C; 2],
    sizes: &PairSizes<S>,
    start: &Start<S>,
    (request, steps_max): (Request, usize),
    found: &mut BoundsLanes,
) {
    let far = sizes.shapes + sizes.place;
    let below =
        sizes.all * (LOCKSTEP_LOWER_OF_SIZE + C::choice_error()) + far * LOCKSTEP_LOWER_OF_WORLD;
    let moved = sizes.all * LOCKSTEP_UPPER_OF_SIZE + far * LOCKSTEP_UPPER_OF_WORLD;
    // Alike on both sides: the interval's middle is as accurate as the loop.
    let wide = below.max(moved);
    let slack = Slack {
        below: wide * bound(RoundingBound::Lower, 1.0),
        above: wide * bound(RoundingBound::Upper, 1.0),
        moved,
    };
    let usable = sizes.usable();
    let mut state = State::from::<PLANAR>(simd, start, usable);
    for left in (0..steps_max).rev() {
        state.step::<C, PLANAR>(simd, a, b, request, &slack, left == 0);
        if !state.active.any_true() {
            break;
        }
    }
    state.finish(simd, usable & !state.active, &slack, request, found);
}

impl<S: Simd> State<S> {
    /// The state before the first step: the nearest point of the start's corners.
    #[inline(always)]
    fn from<const PLANAR: bool>(simd: S, start: &Start<S>, usable: Mask<S>) -> Self {
        let ([w, second, third], [on_a, next, last]) = (start.simplex, start.on_a);
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
        let mut state = Self {
            simplex: [second, third, w],
            on_a: [next, last, on_a],
            weights: [one, zero, zero],
            count: start.count - one,
            v: w,
            square: F64s::<S>::splat(simd, f64::INFINITY),
            height: F64s::<S>::splat(simd, f64::NEG_INFINITY),
            active: usable,
            enclosed: Mask::<S>::splat(simd, false),
        };
        if start.count.simd_gt(1.5).any_true() {
            let face = nearest::<S, PLANAR>(simd, w, &state.simplex, state.count, usable);
            state.accept(simd, w, on_a, &face);
            // Where the signs of a sliver agree on no face, one corner is as good a start.
            let lost = usable & !state.active;
            if lost.any_true() {
                for k in 0..3 {
                    state.simplex[k] = w.or(lost, state.simplex[k]);
                    state.on_a[k] = on_a.or(lost, state.on_a[k]);
                }
                state.v = w.or(lost, state.v);
                state.square = lost.select(w.dot(w), state.square);
                state.count = lost.select(one, state.count);
                state.active = usable;
            }
        } else {
            (state.simplex, state.on_a, state.count, state.square) =
                ([w; 3], [on_a; 3], one, w.dot(w));
        }
        state
    }

    /// One support step of every lane. The last one adds no vertex: it only finds the lanes that the step before it finished.
    #[inline(always)]
    fn step<C: SupportLanes<S>, const PLANAR: bool>(
        &mut self,
        simd: S,
        a: &mut C,
        b: &mut C,
        request: Request,
        slack: &Slack<S>,
        last: bool,
    ) {
        let lanes = self.active.to_bitmask();
        let on_a = a.support(simd, self.v.times(F64s::<S>::splat(simd, -1.0)), lanes);
        let w = on_a.minus(b.support(simd, self.v, lanes));
        let height = self.v.dot(w);
        self.height = self.active.select(height, self.height);
        let repeated = w.same(self.simplex[0]) | w.same(self.simplex[1]) | w.same(self.simplex[2]);
        let gap = self.square - height;
        // The second: a gap below the slack, which no further step can prove to be smaller.
        let mut done = repeated
            | gap.simd_le(self.square * LOCKSTEP_GAP)
            | (gap * gap).simd_le(self.square * slack.below * slack.below);
        if !request.wants_distance() {
            // Twice the slack, so that the bound survives its own rounding.
            done |= height.simd_gt(0.0)
                & (height * height).simd_gt(slack.below * slack.below * self.square * 4.0);
        }
        self.active &= !done;
        if last || !self.active.any_true() {
            return;
        }
        let face = nearest::<S, PLANAR>(simd, w, &self.simplex, self.count, self.active);
        let enclosed = face.enclosed & self.active;
        if enclosed.any_true() {
            self.enclosed |= enclosed & surely_encloses::<S, PLANAR>(w, &self.simplex, slack.moved);
            self.active &= !enclosed;
        }
        self.accept(simd, w, on_a, &face);
    }

    /// Takes the face where it is strictly nearer; other lanes are done.
    #[inline(always)]
    fn accept(&mut self, simd: S, w: Vec3s<S>, on_a: Vec3s<S>, face: &Face<S>) {
        let square = face.point.dot(face.point);
        let nearer = self.active & face.known & square.simd_lt(self.square);
        self.active = nearer;
        self.simplex = self.kept(w, &self.simplex, face, nearer);
        self.on_a = self.kept(on_a, &self.on_a, face, nearer);
        // Not what the point waits for, which has its own quotient.
        let inverse = F64s::<S>::splat(simd, 1.0) / face.total;
        let (second, third) = (face.weights[0] * inverse, face.weights[1] * inverse);
        let first = F64s::<S>::splat(simd, 1.0) - second - third;
        self.weights[0] = nearer.select(first, self.weights[0]);
        self.weights[1] = nearer.select(second, self.weights[1]);
        self.weights[2] = nearer.select(third, self.weights[2]);
        self.count = nearer.select(face.count, self.count);
        self.v = face.point.or(nearer, self.v);
        self.square = nearer.select(square, self.square);
    }

    /// The newest vertex and those that the face keeps.
    #[inline(always)]
    fn kept(
        &self,
        newest: Vec3s<S>,
        older: &[Vec3s<S>; 3],
        face: &Face<S>,
        nearer: Mask<S>,
    ) -> [Vec3s<S>; 3] {
        let [s0, s1, s2] = face.second;
        let second = older[0].or(s0, older[1].or(s1, older[2].or(s2, newest)));
        let third = older[1].or(face.third[1], older[2].or(face.third[2], newest));
        [
            newest.or(nearer, older[0]),
            second.or(nearer, older[1]),
            third.or(nearer, older[2]),
        ]
    }

    /// Bounds and points of every lane.
    #[inline(always)]
    fn finish(
        &self,
        simd: S,
        usable: Mask<S>,
        slack: &Slack<S>,
        request: Request,
        found: &mut BoundsLanes,
    ) {
        let mut weights = self.weights;
        for weight in &mut weights {
            *weight = weight.max(0.0);
        }
        let (near, on_a) = (
            weighted(&self.simplex, &weights),
            weighted(&self.on_a, &weights),
        );
        let on_b = on_a.minus(near);
        let length = self.square.sqrt();
        let inverse = length / self.square;
        let lower = self.height * inverse - slack.below;
        let upper = near.dot(near).sqrt() + slack.above;
        let normal = self.v.times(-inverse);
        let mut separated = usable & lower.simd_gt(0.0);
        if request.wants_distance() {
            separated &= (upper - lower).simd_le(lower * LANES_INTERVAL_WIDTH_MAX);
        }
        let (zero, enclosed) = (F64s::<S>::splat(simd, 0.0), usable & self.enclosed);
        found.overlapping = enclosed.to_bitmask();
        found.separated = separated.to_bitmask() & !found.overlapping;
        found.put(
            [enclosed.select(zero, lower), enclosed.select(zero, upper)],
            normal,
            [on_a, on_b],
        );
    }
}

#[inline(always)]
fn weighted<S: Simd>(x: &[Vec3s<S>; 3], weights: &[F64s<S>; 3]) -> Vec3s<S> {
    x[0].times(weights[0])
        .plus(x[1].times(weights[1]))
        .plus(x[2].times(weights[2]))
}
