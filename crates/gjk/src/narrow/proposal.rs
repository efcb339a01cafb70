//! What the GJK loop proposes for a pair, with the pair's request: all that the later steps read.
//!
//! Where it sits: `ladder.rs` calls [`propose`], and hands the [`Proposal`] to `hulls.rs` or to `smooth.rs`.

use super::facing::facing;
use super::frame::{Difference, Frame};
use super::vertices;
use crate::loops::epa;
use crate::loops::gjk::{self, FirstSimplex, Goal, Outcome};
use crate::loops::trace::Observe;
use crate::math::{Scalar, Vector};
use crate::request::{Request, Wanted};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::level;
use crate::support::Support;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd;

/// Default gap tolerance of smooth shapes, 4096 roundings of `f64`: they converge only linearly and would spend the rest of
/// the way on noise. Hulls need none: they end on a repeated vertex or a proved facet.
pub(super) const SMOOTH_TOLERANCE: f64 = 4096.0 * f64::ROUNDING;

/// A pair in its frame, with what the loop proposes for it.
pub(super) struct Proposal<'s, V: Vector, A: ?Sized, B: ?Sized> {
    pub(super) request: &'s Request,
    pub(super) frame: &'s Frame<V::Wide>,
    pub(super) difference: &'s Difference<'s, V, A, B>,
    pub(super) outcome: &'s Outcome<V::Wide>,
}

/// Runs the loop, from a given first direction, a cache's vertices or the facet that faces the other body, unless points and segments have a closed form.
pub(super) fn propose<V, A, B, O>(
    request: &Request,
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
    given: Option<V::Wide>,
    warm: &[[u32; 2]],
    observe: &mut O,
) -> Outcome<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    if !O::ENABLED
        && let Some(outcome) = vertices::propose(difference)
    {
        return outcome;
    }
    // The loop and its start are compiled for AVX2 too: fewer instructions, the same operations, hence the same bits. The scans of large hulls stay calls.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if !O::ENABLED
        && let Some(avx2) = level().as_avx2()
    {
        return avx2.vectorize(
            #[inline(always)]
            || searched(request, frame, difference, given, warm, observe),
        );
    }
    searched(request, frame, difference, given, warm, observe)
}

/// What the loop proposes, for the instruction set that its caller is compiled for.
#[inline(always)]
pub(super) fn searched<V, A, B, O>(
    request: &Request,
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
    given: Option<V::Wide>,
    warm: &[[u32; 2]],
    observe: &mut O,
) -> Outcome<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let settings = search(request, frame, difference);
    // A direction that is given is the loop's first one.
    let is_free = given.is_none() && warm.is_empty();
    let is_measured = matches!(request.wanted, Wanted::Distance | Wanted::Contact);
    let mut from = FirstSimplex::Vertices(warm);
    if is_free
        && is_measured
        && let Some(facet) = facing(difference)
    {
        from = FirstSimplex::Facet(facet);
    }
    let first = match given {
        Some(direction) => direction,
        None => difference.b.center() - difference.a.center(),
    };
    gjk::run(difference, first, from, &settings, observe)
}

/// The settings of the loop for a pair.
#[inline(always)]
pub(super) fn search<V, A, B>(
    request: &Request,
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
) -> gjk::Settings
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let radius = difference.radius();
    let goal = match (request.wanted, request.cutoff) {
        (Wanted::Tutorial, _) => Goal::Boolean(radius),
        (Wanted::Verdict, _) => Goal::Separation(radius),
        (_, Some(cutoff)) => Goal::Cutoff(frame.length_from_world(cutoff).max(0.0) + radius),
        _ => Goal::Distance,
    };
    gjk::Settings {
        goal,
        tolerance_relative: tolerance(request, difference.is_polytope()),
        iterations_max: request.iterations_max,
        slack: frame.slack,
    }
}

fn tolerance(request: &Request, polytope: bool) -> f64 {
    let default = if polytope { 0.0 } else { SMOOTH_TOLERANCE };
    request.tolerance_relative.unwrap_or(default)
}

/// The settings of EPA for a pair.
pub(super) fn expansion<W: Vector<Scalar = f64, Wide = W>>(
    request: &Request,
    frame: &Frame<W>,
    polytope: bool,
) -> epa::Settings {
    epa::Settings {
        hulls: polytope,
        tolerance_relative: tolerance(request, polytope),
        iterations_max: request.iterations_max,
        slack: frame.slack,
        narrow: if request.facets { 0.0 } else { request.width },
        list_facets: request.facets && polytope,
    }
}

impl<V: Vector, A: ?Sized, B: ?Sized> Proposal<'_, V, A, B> {
    /// [`expansion`] for this pair.
    pub(super) fn expansion(&self, polytope: bool) -> epa::Settings {
        expansion(self.request, self.frame, polytope)
    }
}
