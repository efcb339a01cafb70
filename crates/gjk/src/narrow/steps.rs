//! Steps 2 to 6 of a query, see [`super::ladder`]: the loops, and the proofs of what they propose.
//!
//! Where it sits: `compiled.rs` makes the code of it, once for each vector. Read [`steps`].

use super::beyond;
use super::core_answer::{finish, separated};
use super::frame::{self, Difference, Frame, InWorld};
use super::hulls::{self, Hulls};
use super::proposal::{Proposal, propose};
use super::smooth;
use crate::answer::{Certificate, Contact};
use crate::bounds::less_radii;
use crate::cache::Cache;
use crate::loops::gjk::{Ending, Outcome};
use crate::loops::trace::Observe;
use crate::math::Vector;
use crate::pair::Pair;
use crate::request::Request;
use crate::support::Support;

/// A question about two bodies of one type, which no pair solver answered.
#[derive(Debug)]
pub struct Asked<'q, V: Vector, S: ?Sized> {
    pub(super) pair: Pair<'q, V, S, S>,
    pub(super) request: &'q Request,
    /// A direction that a pair solver proposes.
    pub(super) first: Option<V::Wide>,
    pub(super) cache: Option<&'q mut Cache>,
    pub(super) certificate: &'q mut Option<Certificate>,
}

/// Steps 2 to 6, observed or not.
#[inline(never)]
pub(super) fn steps<V: Vector, S: Support<V> + ?Sized, O: Observe<V>>(
    asked: &mut Asked<'_, V, S>,
    known: Option<&Outcome<V::Wide>>,
    observe: &mut O,
) -> Contact<V> {
    // Read one by one where they are: a copy would be in other pieces than they were written, and wait.
    let Asked {
        pair,
        request,
        first,
        cache,
        certificate,
    } = asked;
    let (pair, first, mut cache) = (&*pair, *first, cache.as_deref_mut());
    let cores = pair.cores();
    let mut difference = frame::in_world(pair, &cores);
    let frame = Frame::of(pair, &cores, &mut difference);
    if !frame.fits() {
        return beyond::decide(pair, &cores, certificate);
    }
    if !O::ENABLED
        && let Some(cache) = cache.as_deref_mut()
        && let Some(core) = hulls::resumed(request, &frame, &difference, cache)
    {
        return finish(&frame, &difference, core, true, certificate);
    }
    let ids = cache.as_deref().map_or(&[][..], Cache::ids);
    let mut observe = InWorld {
        frame,
        inner: observe,
    };
    let own;
    let outcome = if let Some(known) = known {
        known
    } else {
        own = propose(request, &frame, &difference, first, ids, &mut observe);
        &own
    };
    let facets = cache.map(|cache| {
        cache.keep(outcome.simplex.pairs().iter().map(|pair| pair.ids));
        &mut cache.facets
    });
    let ending = outcome.ending();
    if suffices(request, &frame, &difference, &ending) {
        let core = separated(&frame, &ending);
        return finish(&frame, &difference, core, true, certificate);
    }
    let hulls = Hulls::of(&difference);
    let proposal = Proposal {
        request,
        frame: &frame,
        difference: &difference,
        outcome,
    };
    let core = match &hulls {
        Some(hulls) => hulls::certify(&proposal, hulls, facets, &mut observe),
        None => smooth::bound(&proposal, &mut observe),
    };
    finish(&frame, &difference, core, hulls.is_some(), certificate)
}

/// Whether the loop's own bounds are all that the request wants of two hulls: they prove that the hulls are separated, and are as
/// narrow as the caller wants.
#[inline(always)]
pub(super) fn suffices<V, A, B>(
    request: &Request,
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
    ending: &Ending<V::Wide>,
) -> bool
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let bounds = [ending.lower - frame.slack, ending.upper + frame.slack];
    let [lower, upper] = less_radii(bounds, [difference.a.radius(), difference.b.radius()]);
    lower > 0.0
        && !request.certificate
        && upper - lower <= lower * request.width
        && difference.is_polytope()
}
