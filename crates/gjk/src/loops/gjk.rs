//! The one GJK loop: bounds on the distance of two cores, in 2D and 3D.
//!
//! Where it sits: `narrow/proposal.rs` calls it; it reduces its simplex by [`super::simplex`]. Read [`run`] first, then `step`
//! and `advance`; docs/gjk.md has the derivation.
//! Idea: `v` is the point of the simplex nearest the origin. The support `w` along `−v` gives a lower bound `v·w/|v|` of
//! the distance (a separating plane), `|v|` is an upper bound (a pair of points), and the simplex grows by `w`. In exact
//! arithmetic `|v|` falls strictly, so no simplex comes back. In floats the loop is a *proposer*: it stops when rounding
//! keeps it from falling, says why, and hands its bounds to the caller, who adds the rounding slack and certifies.
//! Numbers: no absolute threshold. The caller passes `slack`, the rounding bound of the pair; a `|v|` below it cannot be
//! distinguished from contact. Tests without which they fail: `scale_by_power_of_two_is_bit_equal`, `stale_warm_start_is_safe`.
//! Source: Gilbert, Johnson, Keerthi 1988; van den Bergen 1999 (bounds); Wolfe 1976 (finiteness).

pub use super::outcome::{Ending, Outcome};
use super::simplex::{Face, Simplex, nearest_face};
use super::trace::{Observe, Region, Step};
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, Support, SupportPair};

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
    /// A separating direction was found and no distance was wanted.
    SeparatingDirection,
    /// The distance is proved to exceed the caller's cut-off.
    BeyondCutoff,
    /// Two points of the cores are at most the caller's cut-off apart, and nothing else was asked.
    WithinCutoff,
    /// The caller's iteration limit.
    IterationLimit,
    /// A closed form; no loop ran.
    ClosedForm,
    /// The axes of two boxes, or the edges of two polygons; no loop ran.
    SeparatingAxes,
    /// The exact layer decided.
    Exact,
    /// EPA's nearest facet is a facet of the Minkowski difference itself: exactly, or, at [`crate::query::Precision::Fast`], up
    /// to the width of the interval.
    FacetReached,
    /// EPA's polytope has the most vertices that it may have.
    StorageFull,
    /// Coordinates leave the range of `f64` once posed, or span more than it: no number was computed, and a verdict of polytopes alone.
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
            Stop::WithinCutoff => "within_cutoff",
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

/// What the caller needs: the loop ends as soon as it has that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Bounds as tight as the tolerance.
    Distance,
    /// Stop as soon as a direction separates the cores by more than the caller's cut-off.
    Cutoff(f64),
    /// Whether the cores are farther apart than this: stop as soon as a direction, or a pair of points, says so.
    FartherThan(f64),
    /// Stop as soon as a direction separates the cores by more than their radii.
    Separation(f64),
    /// [`Goal::Separation`] with the tutorials' second direction, opposite to the first.
    Boolean(f64),
}

/// The loop's settings, made by `narrow/proposal.rs` from the caller's request.
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

impl Settings {
    /// Whether no more than the tolerance or rounding is left between two bounds, of which a vertex gave the lower.
    #[inline(always)]
    pub(crate) fn is_closed<V: Vector64>(&self, lower: f64, upper: f64, vertex: V) -> bool {
        let rounding = GJK_HEIGHT_ROUNDINGS * f64::ROUNDING * vertex.max_abs();
        upper - lower <= self.tolerance_relative * upper + rounding
    }
}

/// Vertices that the loop starts from in the place of a first direction's. Whatever they are, they cost time, never truth.
#[derive(Clone, Copy, Debug)]
pub enum FirstSimplex<'w, V> {
    /// Vertex ids of an earlier simplex; stale, foreign or none.
    Vertices(&'w [[u32; 2]]),
    /// Vertices of a facet that may be the nearest; the first as many as the dimension count.
    Facet([SupportPair<V>; 3]),
}

/// Runs GJK from a first direction, or from vertices.
///
/// Frame: that of `difference`.  `first` points from A to B, any length; zero stands for the first axis.
/// # Complexity  one support a step, at most `iterations_max`; no allocation.
// For the instruction set that its caller is compiled for.
#[inline(always)]
pub fn run<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    from: FirstSimplex<'_, V>,
    settings: &Settings,
    observe: &mut O,
) -> Outcome<V> {
    let first = if first.is_finite() {
        in_range(first).unwrap_or(V::axis(0))
    } else {
        V::axis(0)
    };
    let mut state = start(difference, first, from);
    if O::ENABLED {
        state.report(observe, first, *state.pair(0), Region::of_face(state.len));
    }
    if matches!(settings.goal, Goal::Boolean(_)) {
        state.search = SearchDirection::along(first);
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
    state.outcome(stop)
}

/// Two heights along a face's normal differ by rounding alone below this many roundings of the point's size: the normal of a
/// well-shaped face is off by 3 roundings a component, some 5 in all, and each height by 3 more.
///
/// It only decides when to stop; the bounds are widened by the slack whatever it is. Without it the loop walks around a face of
/// more vertices than a simplex has, for gains that are rounding. Test: `a_face_of_four_vertices_ends_the_loop`.
const GJK_HEIGHT_ROUNDINGS: f64 = 16.0;

/// The direction, of a length whose square neither underflows nor overflows; `None` for zero.
fn in_range<V: Vector64>(direction: V) -> Option<V> {
    let squared = direction.norm_squared();
    if squared > f64::LEAST_SQUARE && squared < f64::INFINITY {
        Some(direction)
    } else {
        direction.normalized()
    }
}

/// A direction from the origin towards the simplex. The next support is evaluated against it.
#[derive(Clone, Copy)]
pub(super) struct SearchDirection<V> {
    /// Any length whose square neither underflows nor overflows; zero when there is no direction.
    pub(super) vector: V,
    /// One over the vector's length; zero when there is no direction.
    pub(super) inverse_length: f64,
}

impl<V: Vector64> SearchDirection<V> {
    const NONE: Self = Self {
        vector: V::ZERO,
        inverse_length: 0.0,
    };

    #[inline(always)]
    pub(super) fn along(direction: V) -> Self {
        let squared = direction.norm_squared();
        if squared > f64::LEAST_SQUARE {
            return Self {
                vector: direction,
                inverse_length: 1.0 / Scalar::sqrt(squared),
            };
        }
        direction.normalized().map_or(Self::NONE, |unit| Self {
            vector: unit,
            inverse_length: 1.0,
        })
    }
}

/// The loop's state: a simplex that is its own nearest face, and the bounds.
struct State<V: Vector64> {
    /// Storage of support pairs. A pair stays in its slot while it is in use, since copying it costs more than naming its slot.
    slots: [SupportPair<V>; 4],
    /// The slots of the simplex's vertices, newest first; the first [`State::len`] count.
    slot_of_vertex: [u8; 4],
    /// Vertices of the simplex.
    len: usize,
    /// The slot of the pair that was put last, which the simplex may or may not take as its newest vertex.
    candidate_slot: u8,
    /// The simplex's barycentric weights times some positive factor: they are divided once, at the end.
    numerators: [f64; 3],
    /// From the origin to the simplex's nearest point, any length.
    toward_nearest: V,
    search: SearchDirection<V>,
    /// The search direction of the best lower bound.
    best_direction: V,
    lower: f64,
    upper: f64,
    iterations: u32,
}

/// The state before the first step.
#[inline(always)]
fn start<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    from: FirstSimplex<'_, V>,
) -> State<V> {
    match from {
        FirstSimplex::Vertices(warm) => start_warm(difference, first, warm),
        FirstSimplex::Facet(pairs) => {
            let mut state = State::new(pairs[0], -f64::INFINITY, first);
            state.take_facet(&pairs);
            state
        }
    }
}

/// The first vertex, and the warm start's vertices: as many as a facet has at once, where the nearest point of that is nearer; else one by one wherever they
/// bring the simplex nearer.
#[inline(always)]
fn start_warm<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    first: V,
    warm: &[[u32; 2]],
) -> State<V> {
    // No iterator in what follows: a pair that a function returns goes through memory, and waits there.
    let (mut known, mut at) = (None, 0);
    while known.is_none() && at < warm.len() {
        known = difference.vertex_pair(warm[at]);
        at += 1;
    }
    let (pair, lower) = match known {
        Some(pair) => (pair, -f64::INFINITY),
        None => {
            let pair = difference.support_pair(first);
            (pair, -first.dot(pair.w) / first.norm())
        }
    };
    let mut state = State::new(pair, lower, first);
    // One chain of a square root and a quotient in the place of one a vertex.
    if let Some(rest) = facet_after(difference, &warm[at..])
        && state.take_facet(&[pair, rest[0], rest[1]])
    {
        return state;
    }
    for &ids in &warm[at..] {
        if let Some(pair) = difference.vertex_pair(ids)
            && !state.contains(&pair)
        {
            // A simplex that encloses the origin is left for the loop to find: it needs a support step to prove it.
            let (w, len) = state.put_candidate(pair);
            if let Some(face) = nearest_face(&w, len) {
                state.accept_if_nearer(&face, face.corner(&w));
            }
        }
    }
    state
}

/// The other vertices of a facet, of which the first is known; in the plane the second is of no use.
#[inline(always)]
fn facet_after<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    ids: &[[u32; 2]],
) -> Option<[SupportPair<V>; 2]> {
    match *ids {
        [second] if V::DIM == 2 => {
            let second = difference.vertex_pair(second)?;
            Some([second, second])
        }
        [second, third] if V::DIM == 3 => Some([
            difference.vertex_pair(second)?,
            difference.vertex_pair(third)?,
        ]),
        _ => None,
    }
}

impl<V: Vector64> State<V> {
    /// Of one vertex.
    #[inline(always)]
    fn new(pair: SupportPair<V>, lower: f64, first: V) -> Self {
        Self {
            slots: [pair; 4],
            slot_of_vertex: [0; 4],
            len: 1,
            candidate_slot: 0,
            numerators: [1.0, 0.0, 0.0],
            toward_nearest: pair.w,
            search: SearchDirection::along(pair.w),
            best_direction: -first,
            lower,
            upper: pair.w.norm(),
            iterations: 1,
        }
    }

    /// The simplex's vertex `at`, counted from the newest.
    #[inline(always)]
    fn pair(&self, at: usize) -> &SupportPair<V> {
        &self.slots[usize::from(self.slot_of_vertex[at & 3]) & 3]
    }

    #[inline(always)]
    fn contains(&self, pair: &SupportPair<V>) -> bool {
        (0..self.len).any(|at| self.pair(at).same(pair))
    }

    /// Takes the vertices of a facet at once, of which the first is the simplex, if its nearest point is nearer than that.
    #[inline(always)]
    fn take_facet(&mut self, pairs: &[SupportPair<V>; 3]) -> bool {
        let [a, b, c] = *pairs;
        self.slots = [a, b, c, a];
        self.slot_of_vertex = [1, 2, 0, 0];
        let w = [a.w, b.w, c.w, a.w];
        let taken = match nearest_face(&w, V::DIM) {
            Some(face) => self.accept_if_nearer(&face, face.corner(&w)),
            None => false,
        };
        if !taken {
            self.slot_of_vertex = [0; 4];
        }
        taken
    }

    /// Puts a pair into a free slot. Returns the points of the simplex with it, newest first, and how many they are.
    #[inline(always)]
    fn put_candidate(&mut self, pair: SupportPair<V>) -> ([V; 4], usize) {
        let mut used = 0_u32;
        for at in 0..3 {
            used |= u32::from(at < self.len) << self.slot_of_vertex[at];
        }
        self.candidate_slot = (!used).trailing_zeros() as u8 & 3;
        self.slots[usize::from(self.candidate_slot)] = pair;
        (
            [pair.w, self.pair(0).w, self.pair(1).w, self.pair(2).w],
            self.len + 1,
        )
    }

    /// Replaces the simplex by a face of the simplex with the candidate, if that is strictly nearer; `corner` is a vertex of the
    /// face. Every comparison is false on NaN, which so ends the loop.
    #[inline(always)]
    fn accept_if_nearer(&mut self, face: &Face<V>, corner: V) -> bool {
        let before = self.search;
        self.search = SearchDirection::along(face.direction);
        let upper = f64::abs(self.search.vector.dot(corner) * self.search.inverse_length);
        let nearer = upper < self.upper;
        if nearer {
            self.keep_face(face);
            self.toward_nearest = face.direction;
            self.upper = upper;
            self.numerators = face.numerators();
        } else {
            self.search = before;
        }
        nearer
    }

    /// Makes the face's vertices those of the simplex.
    #[inline(always)]
    fn keep_face(&mut self, face: &Face<V>) {
        let newest_first = self.slots_with_candidate();
        for at in 0..3 {
            self.slot_of_vertex[at] = newest_first[usize::from(face.kept[at]) & 3];
        }
        self.len = face.len;
    }

    /// The slots of the simplex with the candidate, newest first.
    #[inline(always)]
    fn slots_with_candidate(&self) -> [u8; 4] {
        let [a, b, c, _] = self.slot_of_vertex;
        [self.candidate_slot, a, b, c]
    }

    /// One support step; `Some` when it was the last.
    #[inline(always)]
    fn step<A: Support<V>, B: Support<V>, O: Observe<V>>(
        &mut self,
        difference: &MinkowskiDifference<A, B>,
        settings: &Settings,
        observe: &mut O,
    ) -> Option<Stop> {
        let SearchDirection {
            vector: direction,
            inverse_length,
        } = self.search;
        if inverse_length == 0.0 {
            return Some(Stop::OriginReached);
        }
        let pair = difference.support_pair_from(-direction, self.pair(0).ids);
        self.iterations += 1;
        let lower = direction.dot(pair.w) * inverse_length;
        if lower > self.lower {
            (self.lower, self.best_direction) = (lower, direction);
        }
        let (stop, region) = self.advance(pair, settings);
        if O::ENABLED {
            self.report(observe, -direction, pair, region);
        }
        stop
    }

    /// The reasons to stop in their order, then the reduction. Returns why it was the last step, if it was, and the region of the
    /// simplex that the origin fell in.
    #[inline(always)]
    fn advance(&mut self, pair: SupportPair<V>, settings: &Settings) -> (Option<Stop>, Region) {
        let beyond = |limit: f64, stop: Stop| (self.lower > limit + settings.slack).then_some(stop);
        let early = match settings.goal {
            Goal::Distance => None,
            Goal::FartherThan(cutoff) if self.upper <= cutoff => Some(Stop::WithinCutoff),
            Goal::Cutoff(cutoff) | Goal::FartherThan(cutoff) => beyond(cutoff, Stop::BeyondCutoff),
            Goal::Separation(radii) | Goal::Boolean(radii) => {
                beyond(radii, Stop::SeparatingDirection)
            }
        };
        if early.is_some() {
            return (early, Region::Dropped);
        }
        if self.contains(&pair) {
            return (Some(Stop::VertexRepeated), Region::Dropped);
        }
        if settings.is_closed(self.lower, self.upper, pair.w) {
            return (Some(Stop::GapClosed), Region::Dropped);
        }
        let (w, len) = self.put_candidate(pair);
        match nearest_face(&w, len) {
            // A simplex that claims the origin although a direction separates is flat in this precision.
            None if self.lower > settings.slack => (Some(Stop::NoProgress), Region::Dropped),
            None => {
                self.slot_of_vertex = self.slots_with_candidate();
                (self.len, self.upper) = (len, 0.0);
                (Some(Stop::Enclosed), Region::Enclosed)
            }
            Some(face) => {
                // The second step of `Goal::Boolean` goes opposite to the first, not from the nearest point: its vertex may be
                // farther, and no descent is lost by taking it.
                if matches!(settings.goal, Goal::Boolean(_)) && self.iterations == 2 {
                    self.upper = f64::INFINITY;
                }
                if !self.accept_if_nearer(&face, face.corner(&w)) {
                    return (Some(Stop::NoProgress), Region::Dropped);
                }
                (None, Region::of_face(self.len))
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
    fn outcome(&self, stop: Stop) -> Outcome<V> {
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
            nearest: self.toward_nearest,
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
        region: Region,
    ) {
        let simplex = self.simplex();
        observe.observe(Step::Gjk {
            iteration: self.iterations,
            direction,
            support,
            projection: direction.dot(support.w),
            simplex: simplex.pairs().to_vec(),
            weights: if region == Region::Enclosed {
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
