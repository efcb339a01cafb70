//! The one EPA loop: lower and upper bounds of the depth of two overlapping cores, in 2D and 3D.
//!
//! Where it sits: `narrow/hulls.rs` calls it with vertices that enclose the origin, `narrow/smooth.rs` with those that GJK ended
//! on. [`initial_simplex`] completes a degenerate start to a full simplex, [`expanding_polytope`] stores facets and finds the
//! horizon, `cap_search.rs`, `caps.rs`, and `descent.rs` (on `loops/pieces/`) prove the depth of smooth bodies about its direction, `proof.rs` ends the loop for hulls, `witness.rs` finds the points. Read [`run`] first, then `expand`, whose table
//! says what ends which pair; docs/epa.md has the derivation.
//! Idea: the polytope is inside the Minkowski difference, so its nearest facet's distance is a lower bound of the depth;
//! the support height `h(n)` of any unit `n` is an upper bound. Each iteration expands the nearest facet, so the lower
//! bound only grows and the upper only falls. Both are valid whenever the loop stops.
//! Numbers: exact signs decide which facets a new vertex sees, and coplanar facets are absorbed, so no facet is degenerate
//! and the polytope is convex without an epsilon (test `epa_absorbs_coplanar_facets`). Hulls of numbered vertices end on a
//! facet that no vertex is above, by exact signs: its distance is the depth. Other bodies' support points carry the
//! pair's rounding slack, which the caller adds.
//! Source: van den Bergen, GDC 2001. We differ: facets are removed by visibility, not split at their edges.

mod cached_facets;
mod cap_search;
mod caps;
mod descent;
mod expanding_polytope;
mod initial_simplex;
mod progress;
mod proof;
#[cfg(test)]
mod tests;
mod witness;

pub(crate) use cached_facets::CachedFacets;

use super::gjk::Stop;
use super::trace::{Observe, Step};
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, NO_ID, Support, SupportPair};
use alloc::vec::Vec;
use cap_search::CapSearch;
use caps::Caps;
use core::cmp::Ordering::Greater;
use expanding_polytope::ExpandingPolytope;
use expanding_polytope::facet::{Apex, difference_point};
use progress::Progress;

/// The loop's settings, made by `narrow/proposal.rs` from the caller's request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Whether both bodies are hulls of numbered vertices.
    pub(crate) hulls: bool,
    /// Stop when `upper − lower ≤ tolerance_relative · upper`; zero for hulls, which end on a facet.
    pub(crate) tolerance_relative: f64,
    /// At most this many expansions.
    pub(crate) iterations_max: u32,
    /// Rounding bound of the pair.
    pub(crate) slack: f64,
    /// For hulls: bounds by floats end the loop where they are within this part of the depth; with zero only a proved facet does.
    pub(crate) narrow: f64,
    /// Whether the outcome lists the polytope's facets.
    pub(crate) list_facets: bool,
}

/// The result of a run. The bounds are as computed: they hold once widened by [`Settings::slack`], and as they are when
/// [`Outcome::certified`].
#[derive(Clone, Debug)]
pub(crate) struct Outcome<V: Vector64> {
    /// Unit normal from A to B: moving B along it by the depth separates the cores.
    pub(crate) normal: V,
    /// Distance of the nearest facet; negative while the origin is still outside.
    pub(crate) lower: f64,
    /// Least support height seen; negative proves the cores separated along `normal`.
    pub(crate) upper: f64,
    /// Witness points on A and on B.
    pub(crate) points: [V; 2],
    /// Expansions.
    pub(crate) iterations: u32,
    /// Why it ended.
    pub(crate) stop: Stop,
    /// True when the bounds hold as they are: the nearest facet is proved to be one of the difference, and they are those of its
    /// plane, or they are within [`Settings::narrow`].
    pub(crate) certified: bool,
    /// The vertex ids of all facets, if [`Settings::list_facets`] (in 2D the third repeats the second).
    pub(crate) facets: Vec<[[u32; 2]; 3]>,
}

/// Runs EPA from any vertices of the difference; `None` when the difference has no interior to expand in.
///
/// `keep` receives the facets for [`resume`], none where they are too many.
/// # Complexity  one support and a scan of the facets an iteration; no allocation up to 64 vertices.
pub(crate) fn run<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings,
    keep: Option<&mut CachedFacets>,
    observe: &mut O,
) -> Option<Outcome<V>> {
    let mut polytope = ExpandingPolytope::new();
    let found = expand(&mut polytope, difference, start, settings, observe)?;
    if let Some(cache) = keep {
        polytope.keep(cache);
    }
    Some(found)
}

/// The depth of two hulls by the facets of an earlier query, where those still bound it narrowly enough: by one support, along
/// the nearest one's normal. `None` where they do not, or where [`Settings::narrow`] is zero.
///
/// # Complexity  a plane for each facet, and one support.
pub(crate) fn resume<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    cache: &CachedFacets,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let mut polytope = ExpandingPolytope::new();
    if !polytope.restore(
        cache.ids().iter().map(|&ids| difference.vertex_pair(ids)),
        cache,
    ) {
        return None;
    }
    let nearest = polytope.nearest();
    let normal = polytope.plane(nearest).unit_normal();
    let hint = polytope
        .pairs(nearest)
        .next()
        .map_or([NO_ID; 2], |pair| pair.ids);
    let pair = difference.support_pair_from(normal, hint);
    let mut progress = Progress::default();
    progress.record(normal, normal.dot(difference_point(&pair)));
    if polytope.plane(nearest).upper >= progress.lower_wanted(settings) {
        within_float_bounds(&polytope, nearest, &pair, &progress, settings)
    } else {
        None
    }
}

/// The loop. This is what ends it, in this order:
///
/// | pair | the loop ends when | decided in | stop |
/// |---|---|---|---|
/// | smooth | a cap proves the least height, and no facet that it does not excuse is nearer | [`next_of_smooth`] | `GapClosed` |
/// | hulls | the nearest facet is proved, and no other may be nearer | [`next_facet`] | `FacetReached` |
/// | all | a support height proves the cores separated | [`limit`] | `SeparatingDirection` |
/// | smooth | the gap is within `tolerance_relative` | [`limit`] | `GapClosed` |
/// | all | a limit is reached | [`limit`] | `IterationLimit`, `StorageFull` |
/// | hulls | floats bound the depth within `narrow` of it | [`within_float_bounds`] | `FacetReached` if the support is one of the facet's vertices, else `GapClosed` |
/// | smooth | the support is one of the facet's vertices | [`pair_above`] | `FacetReached` |
/// | smooth | the gap is rounding | [`pair_above`] | `NoProgress` |
/// | all | the support is not above the facet after all | [`ExpandingPolytope::insert`] | `NoProgress` |
fn expand<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    polytope: &mut ExpandingPolytope<V>,
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings,
    observe: &mut O,
) -> Option<Outcome<V>> {
    if start.len() != V::DIM + 1 || !polytope.start(start) {
        start_from_completed(polytope, difference, start)?;
    }
    let hulls = settings.hulls;
    let mut progress = Progress::default();
    let mut caps = CapSearch::new(!hulls && V::DIM == 3, settings.slack);
    loop {
        let nearest = match next_facet(polytope, hulls, &caps, &progress) {
            NextFacet::Expand(facet) => facet,
            NextFacet::Refined => continue,
            NextFacet::Answer(facet) => return proved(polytope, facet, &progress, settings),
            NextFacet::Capped => return capped(polytope, &caps.caps, &progress, settings),
        };
        let (plane, hint) = polytope.plane_and_ids(nearest); // the support is near the facet's own vertices
        let (normal, offset, facet_upper) = (plane.unit_normal(), plane.offset(), plane.upper);
        let mut pair = difference.support_pair_from(normal, hint);
        let apex = polytope.apex(&pair);
        progress.record(normal, normal.dot(apex.w));
        if O::ENABLED {
            report(observe, polytope, nearest, pair, &progress);
        }
        let mut stop = limit(polytope, offset, &progress, settings);
        if stop.is_none() && caps.extend(difference, polytope, &mut progress, offset) {
            continue;
        }
        if stop.is_none() {
            // The first comparison holds only near the end: it spares the other facets a measurement for nothing.
            if hulls
                && facet_upper >= progress.lower_wanted(settings)
                && !polytope.has_proved()
                && let Some(found) =
                    within_float_bounds(polytope, nearest, &pair, &progress, settings)
            {
                return Some(found);
            }
            if hulls && insert_if_far_above(polytope, nearest, &apex) {
                continue;
            }
            match pair_above(difference, polytope, nearest, pair, &progress, settings) {
                Ok(higher) => pair = higher,
                Err(Stop::FacetReached) if hulls => {
                    polytope.prove(nearest);
                    continue;
                }
                Err(reached) => stop = Some(reached),
            }
        }
        let stop = stop.or_else(|| polytope.insert(nearest, pair).err());
        if let Some(stop) = stop {
            return stopped(polytope, &caps.caps, &progress, stop, settings);
        }
    }
}

/// The answer of a proved facet.
fn proved<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let stop = Stop::FacetReached;
    Some(outcome(polytope, facet, progress, stop, settings))
}

/// The answer where the loop stops: by the nearest facet, or by caps where no facet is nearer than their bound.
fn stopped<V: Vector64>(
    polytope: &mut ExpandingPolytope<V>,
    caps: &Caps<V>,
    progress: &Progress<V>,
    stop: Stop,
    settings: &Settings,
) -> Option<Outcome<V>> {
    // Rough bounds of far facets must not widen the answer.
    let nearest = polytope.nearest_refined();
    if caps.lower() <= polytope.lower(nearest) {
        return capped(polytope, caps, progress, settings);
    }
    Some(outcome(polytope, nearest, progress, stop, settings))
}

/// The answer where a cap is about the least height, and no facet is nearer.
fn capped<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    caps: &Caps<V>,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let found = caps.found()?;
    Some(Outcome {
        normal: found.normal,
        // Heights of pieces are off by less than the slack and that of a loop's points, which the caller adds.
        lower: found.lower - settings.slack,
        upper: found.upper,
        points: found.points,
        iterations: progress.iterations,
        stop: Stop::GapClosed,
        certified: false,
        facets: if settings.list_facets {
            polytope.facet_ids()
        } else {
            Vec::new()
        },
    })
}

/// Which facet the loop takes next.
enum NextFacet {
    /// This facet is the nearest: the support along its normal is next.
    Expand(u16),
    /// A facet was nearest by its rough bounds only and was refined: look again.
    Refined,
    /// This facet is proved, and no other may be nearer: its distance is the depth.
    Answer(u16),
    /// No facet is nearer than the least height, of which a cap proves the directions about it.
    Capped,
}

/// The nearest facet. For hulls rough bounds do until a facet is proved, as exact signs end the loop; of smooth bodies they do while
/// there is much to gain.
#[inline(always)]
fn next_facet<V: Vector64>(
    polytope: &mut ExpandingPolytope<V>,
    hulls: bool,
    caps: &CapSearch<V>,
    progress: &Progress<V>,
) -> NextFacet {
    let mut nearest = if hulls {
        polytope.nearest()
    } else {
        match next_of_smooth(polytope, &caps.caps, progress) {
            Some(nearest) => nearest,
            None => return NextFacet::Capped,
        }
    };
    if polytope.has_proved() {
        if polytope.is_proved(nearest) {
            match polytope.rival(nearest) {
                Some(rival) => nearest = rival,
                None => return NextFacet::Answer(nearest),
            }
        }
        if polytope.refine(nearest) {
            return NextFacet::Refined;
        }
    }
    NextFacet::Expand(nearest)
}

/// A facet whose rough bounds are wider than this part of what there is to gain is refined. It chooses only.
const EPA_ROUGH_SHARE: f64 = 0.125;

/// The nearest facet that no cap excuses; `None` where it is no nearer than the caps' bound.
fn next_of_smooth<V: Vector64>(
    polytope: &mut ExpandingPolytope<V>,
    caps: &Caps<V>,
    progress: &Progress<V>,
) -> Option<u16> {
    loop {
        let nearest = polytope.nearest();
        let plane = polytope.plane(nearest);
        let least = polytope.lower(nearest);
        if least >= caps.lower() {
            return None;
        }
        if caps.excuse(plane) {
            polytope.excuse(nearest, caps.lower());
            continue;
        }
        let gain = (progress.upper - plane.lower) * EPA_ROUGH_SHARE;
        if plane.upper - plane.lower <= gain || !polytope.refine(nearest) {
            return Some(nearest);
        }
    }
}

/// Inserts the apex if floats prove it above the facet; `false` if they do not. Most vertices are far above, and then they are
/// not the facet's own.
#[inline(always)]
fn insert_if_far_above<V: Vector64>(
    polytope: &mut ExpandingPolytope<V>,
    nearest: u16,
    apex: &Apex<'_, V>,
) -> bool {
    let above = polytope.plane(nearest).side(apex.w, apex.bound) == Some(Greater);
    if above {
        polytope.insert_above(nearest, apex);
    }
    above
}

/// Starts from vertices that are no full simplex. That is rare: GJK nearly always ends with a simplex around the origin.
#[cold]
fn start_from_completed<V: Vector64, A: Support<V>, B: Support<V>>(
    polytope: &mut ExpandingPolytope<V>,
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
) -> Option<()> {
    let simplex = initial_simplex::full_simplex(difference, start)?;
    if !polytope.start(&simplex[..=V::DIM]) {
        return None;
    }
    for pair in start {
        polytope.insert_anywhere(*pair);
    }
    Some(())
}

impl<V: Copy> Progress<V> {
    /// The least lower bound of the depth that is near enough the upper bound by the last height; infinite where no bound by
    /// floats will do.
    #[inline]
    fn lower_wanted(&self, settings: &Settings) -> f64 {
        let (upper, narrow) = (self.height + settings.slack, settings.narrow);
        if narrow > 0.0 {
            upper - upper * narrow
        } else {
            f64::INFINITY
        }
    }
}

/// Reasons to stop that depend on the support height alone, not on which vertex the support is.
fn limit<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    offset: f64,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Stop> {
    let gap = progress.height - offset;
    let tolerance_relative = settings.tolerance_relative;
    if progress.upper < -settings.slack {
        Some(Stop::SeparatingDirection)
    } else if tolerance_relative > 0.0 && !(gap > tolerance_relative * progress.height) {
        Some(Stop::GapClosed)
    } else if progress.iterations >= settings.iterations_max {
        Some(Stop::IterationLimit)
    } else if polytope.is_full() {
        Some(Stop::StorageFull)
    } else {
        None
    }
}

/// Other facets whose rough bounds are below the lower bound by more than this part of it are measured, since they would move the
/// interval's middle. The others count by their rough bounds, so this chooses only, and proves nothing.
const EPA_RIVAL_SHARE: f64 = 1.0 / (1u64 << 44) as f64;

/// The end for hulls where floats alone bound the depth narrowly enough: by the support height along the nearest facet's normal,
/// and the distances of this facet and of all that may be nearer.
#[inline(never)]
fn within_float_bounds<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    nearest: u16,
    pair: &SupportPair<V>,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let plane = polytope.plane(nearest);
    let upper = progress.height + settings.slack;
    let lower_wanted = progress.lower_wanted(settings);
    let foot = witness::foot(polytope, nearest, false)?;
    // As far below the height as the upper bound is above it: the middle is as accurate as the height.
    let mut lower = foot.lower.min(progress.height - settings.slack);
    let measured_below = lower - lower * EPA_RIVAL_SHARE;
    for (rival, rough_lower) in polytope.nearer(nearest, lower) {
        let foot = if rough_lower < measured_below {
            witness::foot(polytope, rival, true)
        } else {
            None
        };
        lower = lower.min(foot.map_or(rough_lower, |foot| foot.lower));
    }
    if !(lower >= lower_wanted) {
        return None;
    }
    let repeated = polytope.pairs(nearest).any(|p| p.same(pair));
    Some(Outcome {
        normal: plane.unit_normal(),
        lower,
        upper,
        points: witness::of_foot(polytope, nearest, &foot),
        iterations: progress.iterations,
        stop: if repeated {
            Stop::FacetReached
        } else {
            Stop::GapClosed
        },
        certified: true,
        facets: Vec::new(),
    })
}

/// A gap of a smooth pair below this part of the slack is rounding: another facet would not narrow the widened bounds. It decides
/// when to stop, and proves nothing.
const EPA_GAP_SLACK_SHARE: f64 = 0.125;

/// A pair of the difference above the nearest facet, or why there is none.
///
/// For hulls the answer is exact: when the support of the rounded normal is not above, the bodies' vertices are compared along
/// the facet's normal as a formula.
#[inline(never)]
fn pair_above<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    polytope: &ExpandingPolytope<V>,
    nearest: u16,
    pair: SupportPair<V>,
    progress: &Progress<V>,
    settings: &Settings,
) -> Result<SupportPair<V>, Stop> {
    let repeated = polytope.pairs(nearest).any(|p| p.same(&pair));
    if !settings.hulls {
        let gap = progress.upper - polytope.plane(nearest).offset();
        let only_rounding = !(gap > settings.slack * EPA_GAP_SLACK_SHARE);
        return if repeated {
            Err(Stop::FacetReached)
        } else if only_rounding {
            Err(Stop::NoProgress)
        } else {
            Ok(pair)
        };
    }
    if !repeated && polytope.side(nearest, &pair).is_gt() {
        return Ok(pair);
    }
    let higher = proof::vertex_above(difference, polytope, nearest, settings.slack);
    higher
        .and_then(|ids| difference.vertex_pair(ids))
        .ok_or(Stop::FacetReached)
}

/// The bounds and points at the end of the loop.
fn outcome<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    nearest: u16,
    progress: &Progress<V>,
    stop: Stop,
    settings: &Settings,
) -> Outcome<V> {
    let plane = polytope.plane(nearest);
    let certified = polytope.is_proved(nearest);
    // Moving along the normal of the least height by it leaves the cores touching, whatever the gap. A proved facet's is that.
    let normal = if certified {
        plane.unit_normal()
    } else {
        progress.upper_normal
    };
    let points = if certified {
        witness::of_facet(polytope, nearest, settings.hulls)
    } else {
        witness::of_ray(polytope, normal, settings.hulls)
    };
    let upper = if certified {
        plane.upper
    } else {
        progress.upper
    };
    Outcome {
        normal,
        lower: plane.lower,
        upper,
        points,
        iterations: progress.iterations,
        stop,
        certified,
        facets: if settings.list_facets {
            polytope.facet_ids()
        } else {
            Vec::new()
        },
    }
}

#[cold]
fn report<V: Vector64, O: Observe<V>>(
    observe: &mut O,
    polytope: &ExpandingPolytope<V>,
    nearest: u16,
    support: SupportPair<V>,
    progress: &Progress<V>,
) {
    let plane = polytope.plane(nearest);
    observe.observe(Step::Epa {
        iteration: progress.iterations,
        nearest: polytope.pairs(nearest).copied().collect(),
        normal: plane.unit_normal(),
        support,
        facets: polytope
            .alive()
            .map(|facet| polytope.pairs(facet).map(|p| p.w).collect())
            .collect(),
        lower: plane.lower,
        upper: progress.upper,
    });
}
