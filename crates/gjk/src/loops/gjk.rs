//! The one GJK loop: bounds on the distance of two cores, in 2D and 3D.
//!
//! Where it sits: called by [`crate::query`]; reduces its simplex by [`crate::loops::simplex`]. Read [`run`] first.
//! Idea: `v` is the point of the simplex nearest the origin. The support `w` along `−v` gives a lower bound `v·w/|v|` of
//! the distance (a separating plane), `|v|` is an upper bound (a pair of points), and the simplex grows by `w`. In exact
//! arithmetic `|v|` falls strictly, so no simplex comes back. In floats the loop is a *proposer*: it stops when rounding
//! keeps it from falling, says why, and hands its bounds to the caller, who adds the rounding slack and certifies.
//! Numbers: no absolute threshold. The caller passes `slack`, the rounding bound of the pair; a `|v|` below it cannot be
//! told from contact. Tests without which they fail: `scale_by_power_of_two_is_bit_equal`, `stale_warm_start_is_safe`.
//! Source: Gilbert, Johnson, Keerthi 1988; van den Bergen 1999 (bounds); Wolfe 1976 (finiteness).

use crate::loops::simplex::{Face, Simplex, nearest_face};
use crate::loops::trace::{Observe, Step};
use crate::math::{Scalar, Vector64};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::level;
use crate::support::{MinkowskiDifference, Support, SupportPair};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd;

/// Why a loop ended. [`Stop::IterationLimit`], [`Stop::StorageFull`] and [`Stop::Overflow`] leave work undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Stop {
    /// Upper and lower bound agree within the tolerance, or but for the rounding of a height.
    GapClosed,
    /// The support pair was in the simplex already: the optimum, for polytopes.
    VertexRepeated,
    /// The distance fell no further in this precision.
    NoProgress,
    /// The simplex encloses the origin.
    Enclosed,
    /// The distance is below the rounding slack.
    OriginReached,
    /// A separating direction was found and no distance was asked for.
    SeparatingDirection,
    /// The distance is proved to exceed the caller's cut-off.
    BeyondCutoff,
    /// The caller's iteration limit.
    IterationLimit,
    /// A closed form; no loop ran.
    ClosedForm,
    /// The axes of two boxes, or the edges of two polygons; no loop ran.
    SeparatingAxes,
    /// The exact layer decided.
    Exact,
    /// EPA's nearest facet is a facet of the Minkowski difference itself: exactly, or, where [`crate::query::Options::sharp`] is
    /// off, as far as the interval is wide.
    FacetReached,
    /// EPA's fixed storage is full.
    StorageFull,
    /// Coordinates leave the range of `f64` once posed, or span more than it; nothing was computed.
    Overflow,
}

impl Stop {
    /// The name in the query format.
    pub fn name(self) -> &'static str {
        match self {
            Stop::GapClosed => "gap_closed",
            Stop::VertexRepeated => "vertex_repeated",
            Stop::NoProgress => "no_progress",
            Stop::Enclosed => "enclosed",
            Stop::OriginReached => "origin_reached",
            Stop::SeparatingDirection => "separating_direction",
            Stop::BeyondCutoff => "beyond_cutoff",
            Stop::IterationLimit => "iteration_limit",
            Stop::ClosedForm => "closed_form",
            Stop::SeparatingAxes => "separating_axes",
            Stop::Exact => "exact",
            Stop::FacetReached => "facet_reached",
            Stop::StorageFull => "storage_full",
            Stop::Overflow => "overflow",
        }
    }
}

/// What the loop is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Bounds as tight as the tolerance.
    Distance,
    /// Stop as soon as a direction separates the cores by more than the caller's cut-off.
    Cutoff(f64),
    /// Stop as soon as a direction separates the cores by more than their radii.
    Separation(f64),
    /// [`Goal::Separation`] with the tutorials' second direction, opposite to the first.
    Boolean(f64),
}

/// The loop's settings, made by [`crate::query`] from the caller's options.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What to stop for.
    pub goal: Goal,
    /// Stop when `upper − lower ≤ tolerance_relative · upper`.
    pub tolerance_relative: f64,
    /// At most this many support steps.
    pub iterations_max: u32,
    /// Rounding bound of the pair: bounds are true only when widened by it.
    pub slack: f64,
}

/// Where a run ended. The bounds are as computed: true once widened by [`Settings::slack`].
#[derive(Clone, Copy, Debug)]
pub struct Outcome<V: Vector64> {
    /// The last simplex that improved the distance, with weights unless enclosed.
    pub simplex: Simplex<V>,
    /// The simplex's nearest point, and its points on A and B.
    pub points: [V; 3],
    /// The direction with the best lower bound, from the origin to the difference: from B to A.
    pub direction: V,
    /// The direction of the simplex's own nearest point. Near the optimum a lower bound hardly depends on the direction,
    /// so this one fits the witness points better.
    pub nearest: V,
    /// Best `d·w/|d|` seen; negative infinity when no support step was made.
    pub lower: f64,
    /// Distance of the simplex; zero when enclosed.
    pub upper: f64,
    /// Support steps.
    pub iterations: u32,
    /// Why it ended.
    pub stop: Stop,
}

/// Runs GJK from a first direction, or from a warm start's vertex ids.
///
/// Frame: that of `difference`.  `first` points from A to B, any length; zero stands for the first axis.
/// `warm` holds vertex ids of an earlier simplex: stale or foreign ids cost time, never truth.
/// # Complexity  one support a step, at most `iterations_max`; no allocation.
pub fn run<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    warm: &[[u32; 2]],
    settings: &Settings,
    observe: &mut O,
) -> Outcome<V> {
    // Compiled for AVX2 too: fewer instructions, the same operations, hence the same bits. The scans of large hulls stay calls.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if !O::ENABLED
        && let Some(avx2) = level().as_avx2()
    {
        return avx2.vectorize(
            #[inline(always)]
            || run_here(difference, first, warm, settings, observe),
        );
    }
    run_here(difference, first, warm, settings, observe)
}

#[inline(always)]
fn run_here<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    warm: &[[u32; 2]],
    settings: &Settings,
    observe: &mut O,
) -> Outcome<V> {
    let first = if first.is_finite() {
        in_range(first).unwrap_or(V::axis(0))
    } else {
        V::axis(0)
    };
    let mut state = start(difference, first, warm);
    if O::ENABLED {
        state.report(observe, first, *state.pair(0), "vertex");
    }
    if matches!(settings.goal, Goal::Boolean(_)) {
        state.aim(first);
    }
    let stop = loop {
        if !(state.upper > settings.slack) {
            break Stop::OriginReached;
        }
        if state.iterations >= settings.iterations_max {
            break Stop::IterationLimit;
        }
        if let Some(stop) = state.step(difference, settings, observe) {
            break stop;
        }
    };
    state.end(stop)
}

/// Two heights along a face's normal differ by rounding alone below this many roundings of the point's size: the normal of a
/// well-shaped face is off by 3 roundings a component, some 5 in all, and each height by 3 more. It only says when to stop; the
/// bounds are widened by the slack whatever it is. A face of more vertices than a simplex has would else be walked around for
/// gains that are none. Test: `a_face_of_four_vertices_ends_the_loop`.
const HEIGHT_ROUNDINGS: f64 = 16.0;

/// The direction, of a length whose square neither underflows nor overflows; `None` for zero.
fn in_range<V: Vector64>(direction: V) -> Option<V> {
    let squared = direction.norm_squared();
    if squared > f64::LEAST_SQUARE && squared < f64::INFINITY {
        Some(direction)
    } else {
        direction.normalized()
    }
}

/// The loop's state: a simplex that is its own nearest face, and the bounds.
struct State<V: Vector64> {
    /// Support pairs in the order they came; a pair stays where it is while it is in use.
    slots: [SupportPair<V>; 4],
    /// The slots of the simplex, newest first.
    order: [u8; 4],
    len: usize,
    /// The slot that the last pair was put into.
    newest: u8,
    /// Weights before division.
    numerators: [f64; 3],
    /// The direction of the simplex' nearest point.
    direction: V,
    /// Where the next support is asked, with the reciprocal of its length; zero when there is no direction.
    aim: (V, f64),
    best_direction: V,
    lower: f64,
    upper: f64,
    iterations: u32,
}

/// The first vertex, and the warm start's vertices inserted one by one wherever they bring the simplex nearer.
#[inline(always)]
fn start<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    warm: &[[u32; 2]],
) -> State<V> {
    let mut known = warm.iter().filter_map(|&ids| difference.vertex_pair(ids));
    let (pair, lower) = match known.next() {
        Some(pair) => (pair, -f64::INFINITY),
        None => {
            let pair = difference.support_pair(first);
            (pair, -first.dot(pair.w) / first.norm())
        }
    };
    let mut state = State {
        slots: [pair; 4],
        order: [0; 4],
        len: 1,
        newest: 0,
        numerators: [1.0, 0.0, 0.0],
        direction: pair.w,
        aim: (V::ZERO, 0.0),
        best_direction: -first,
        lower,
        upper: pair.w.norm(),
        iterations: 1,
    };
    state.aim(pair.w);
    for pair in known {
        if !state.contains(&pair) {
            // A simplex that encloses the origin is left for the loop to find: it needs a support step to prove it.
            let (w, len) = state.put(pair);
            if let Some(face) = nearest_face(&w, len) {
                state.accept(&face, face.corner(&w));
            }
        }
    }
    state
}

impl<V: Vector64> State<V> {
    /// The pair in place `at` of the order.
    #[inline(always)]
    fn pair(&self, at: usize) -> &SupportPair<V> {
        &self.slots[usize::from(self.order[at & 3]) & 3]
    }

    #[inline(always)]
    fn contains(&self, pair: &SupportPair<V>) -> bool {
        (0..self.len).any(|at| self.pair(at).same(pair))
    }

    /// Puts a pair into a free slot; the vertices with it, newest first, and how many.
    #[inline(always)]
    fn put(&mut self, pair: SupportPair<V>) -> ([V; 4], usize) {
        let mut used = 0_u32;
        for at in 0..3 {
            used |= u32::from(at < self.len) << self.order[at];
        }
        self.newest = (!used).trailing_zeros() as u8 & 3;
        self.slots[usize::from(self.newest)] = pair;
        (
            [pair.w, self.pair(0).w, self.pair(1).w, self.pair(2).w],
            self.len + 1,
        )
    }

    /// Sets where the next support is asked.
    #[inline(always)]
    fn aim(&mut self, direction: V) {
        let squared = direction.norm_squared();
        self.aim = if squared > f64::LEAST_SQUARE {
            (direction, 1.0 / Scalar::sqrt(squared))
        } else {
            direction
                .normalized()
                .map_or((V::ZERO, 0.0), |unit| (unit, 1.0))
        };
    }

    /// Takes a face of the simplex with the last pair put, if it is strictly nearer; `corner` is a vertex of it. Every
    /// comparison is false on NaN, which so ends the loop.
    #[inline(always)]
    fn accept(&mut self, face: &Face<V>, corner: V) -> bool {
        let before = self.aim;
        self.aim(face.direction);
        let upper = f64::abs(self.aim.0.dot(corner) * self.aim.1);
        let nearer = upper < self.upper;
        if nearer {
            self.keep(face);
            (self.direction, self.upper, self.numerators) =
                (face.direction, upper, face.numerators());
        } else {
            self.aim = before;
        }
        nearer
    }

    /// Orders the slots anew: those of the face.
    #[inline(always)]
    fn keep(&mut self, face: &Face<V>) {
        let [a, b, c, _] = self.order;
        let newest_first = [self.newest, a, b, c];
        for at in 0..3 {
            self.order[at] = newest_first[usize::from(face.kept[at]) & 3];
        }
        self.len = face.len;
    }

    /// One support step; `Some` when it was the last.
    #[inline(always)]
    fn step<A: Support<V>, B: Support<V>, O: Observe<V>>(
        &mut self,
        difference: &MinkowskiDifference<A, B>,
        settings: &Settings,
        observe: &mut O,
    ) -> Option<Stop> {
        let (direction, reciprocal) = self.aim;
        if reciprocal == 0.0 {
            return Some(Stop::OriginReached);
        }
        let pair = difference.support_pair_from(-direction, self.pair(0).ids);
        self.iterations += 1;
        let lower = direction.dot(pair.w) * reciprocal;
        if lower > self.lower {
            (self.lower, self.best_direction) = (lower, direction);
        }
        let (stop, region) = self.advance(pair, settings);
        if O::ENABLED {
            self.report(observe, -direction, pair, region);
        }
        stop
    }

    /// The termination ladder, then the reduction.
    #[inline(always)]
    fn advance(
        &mut self,
        pair: SupportPair<V>,
        settings: &Settings,
    ) -> (Option<Stop>, &'static str) {
        let beyond = |limit: f64, stop: Stop| (self.lower > limit + settings.slack).then_some(stop);
        let early = match settings.goal {
            Goal::Distance => None,
            Goal::Cutoff(cutoff) => beyond(cutoff, Stop::BeyondCutoff),
            Goal::Separation(radii) | Goal::Boolean(radii) => {
                beyond(radii, Stop::SeparatingDirection)
            }
        };
        if early.is_some() {
            return (early, "dropped");
        }
        if self.contains(&pair) {
            return (Some(Stop::VertexRepeated), "dropped");
        }
        let noise = HEIGHT_ROUNDINGS * f64::ROUNDING * pair.w.max_abs();
        if self.upper - self.lower <= settings.tolerance_relative * self.upper + noise {
            return (Some(Stop::GapClosed), "dropped");
        }
        let (w, len) = self.put(pair);
        match nearest_face(&w, len) {
            // A simplex that claims the origin although a direction separates is flat in this precision.
            None if self.lower > settings.slack => (Some(Stop::NoProgress), "dropped"),
            None => {
                let [a, b, c, _] = self.order;
                self.order = [self.newest, a, b, c];
                (self.len, self.upper) = (len, 0.0);
                (Some(Stop::Enclosed), "enclosed")
            }
            Some(face) => {
                // The boolean's second step goes opposite to the first, not from the nearest point: its vertex may be
                // farther, and no descent is lost by taking it.
                if matches!(settings.goal, Goal::Boolean(_)) && self.iterations == 2 {
                    self.upper = f64::INFINITY;
                }
                if !self.accept(&face, face.corner(&w)) {
                    return (Some(Stop::NoProgress), "dropped");
                }
                (None, Step::<V>::region(self.len))
            }
        }
    }

    /// The simplex with its weights.
    fn simplex(&self) -> Simplex<V> {
        let pairs = core::array::from_fn(|at| *self.pair(at));
        Simplex::new(pairs, self.numerators, self.len)
    }

    /// The outcome, with the length of the very point that the weights state.
    #[inline(always)]
    fn end(&self, stop: Stop) -> Outcome<V> {
        let simplex = self.simplex();
        let points = simplex.points();
        Outcome {
            upper: if stop == Stop::Enclosed {
                0.0
            } else {
                points[0].norm()
            },
            points,
            simplex,
            direction: self.best_direction,
            nearest: self.direction,
            lower: self.lower,
            iterations: self.iterations,
            stop,
        }
    }

    #[cold]
    fn report<O: Observe<V>>(
        &self,
        observe: &mut O,
        direction: V,
        support: SupportPair<V>,
        region: &'static str,
    ) {
        let (enclosed, simplex) = (region == "enclosed", self.simplex());
        observe.observe(Step::Gjk {
            iteration: self.iterations,
            direction,
            support,
            projection: direction.dot(support.w),
            simplex: simplex.pairs().to_vec(),
            weights: if enclosed {
                alloc::vec::Vec::new()
            } else {
                simplex.weights().to_vec()
            },
            lower: self.lower,
            upper: self.upper,
            region,
        });
    }
}
