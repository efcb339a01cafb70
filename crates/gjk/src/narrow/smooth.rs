//! Pairs of bodies that are not both hulls: bounds, and the verdict that they prove.
//!
//! Where it sits: called by `ladder.rs` with what the loop proposes. Read [`bound`] first.
//! Idea: the loop's bounds, widened by the slack, measure bodies that are separated. Bodies that overlap are measured by EPA, or
//! by EPA on their sections where both are solids of revolution about one axis.

use super::core_answer::{CoreAnswer, at_origin, separated, sign_verdict};
use super::float_bounds::surely_enclose;
use super::proposal::Proposal;
use crate::answer::Iterations;
use crate::loops::epa;
use crate::loops::gjk::Outcome;
use crate::loops::simplex::{Reduced, Simplex, reduce};
use crate::loops::trace::Observe;
use crate::math::Vector;
use crate::pairs::coaxial_solids::sections;
use crate::support::Support;

/// Bounds of a depth by sections that are within this part of it need no EPA on the bodies themselves. It chooses, and proves
/// nothing.
const SECTIONS_SUFFICE: f64 = 1.0 / (1u64 << 14) as f64;

/// Bodies that are not both hulls: bounds, and the verdict that they prove.
pub(super) fn bound<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    observe: &mut O,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let Proposal { frame, outcome, .. } = proposal;
    if outcome.lower > frame.slack {
        return separated(frame, &outcome.ending());
    }
    let Some(found) = expanded(proposal, observe) else {
        return flat(proposal);
    };
    // While the origin is outside the polytope a facet's plane bounds nothing; the simplex of GJK still does.
    let outside = found.lower < 0.0;
    let (nearest, points) = if outside {
        nearest_known(outcome)
    } else {
        (-found.lower, found.points)
    };
    let (lower, upper) = (-found.upper - frame.slack, nearest + frame.point_slack);
    CoreAnswer {
        lower,
        upper: upper.max(lower),
        normal: found.normal,
        points,
        verdict: sign_verdict(lower, upper),
        stop: found.stop,
        iterations: Iterations {
            gjk: outcome.iterations,
            epa: found.iterations,
        },
        certificate: None,
        rounded: None,
    }
}

/// EPA on bodies that are not both hulls; on their sections where those say enough.
fn expanded<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    observe: &mut O,
) -> Option<epa::Outcome<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let difference = proposal.difference;
    let settings = proposal.expansion(false);
    let by_sections = sections(difference, proposal.frame.size()).and_then(|sections| {
        let mut found = epa::run(&sections.prisms, &[], &settings, None, observe)?;
        found.points = found
            .points
            .map(|x| x - sections.sweep_axis * x.dot(sections.sweep_axis));
        found.lower -= sections.deeper;
        Some(found)
    });
    match by_sections {
        Some(found) if found.upper - found.lower <= found.lower * SECTIONS_SUFFICE => Some(found),
        // Flat bodies under a rotation of few bits: the bodies themselves may have narrower bounds.
        by_sections => {
            let found = epa::run(
                difference,
                proposal.outcome.simplex.pairs(),
                &settings,
                None,
                observe,
            );
            let width = |found: &epa::Outcome<V::Wide>| found.upper - found.lower.max(0.0);
            match (found, by_sections) {
                (Some(found), Some(other)) => Some(if width(&other) < width(&found) {
                    other
                } else {
                    found
                }),
                (found, other) => found.or(other),
            }
        }
    }
}

/// The distance of the loop's simplex, as proved, and its points. That it encloses the origin may be an error of rounding: then
/// the nearest of its facets' points are still points of the bodies.
fn nearest_known<W: Vector<Scalar = f64, Wide = W>>(outcome: &Outcome<W>) -> (f64, [W; 2]) {
    let [_, a, b] = outcome.points;
    let (pairs, mut best) = (outcome.simplex.pairs(), (outcome.upper, [a, b]));
    if pairs.len() <= W::DIM || surely_enclose(pairs) {
        return best;
    }
    best.0 = f64::INFINITY;
    for omitted in 0..pairs.len() {
        let mut corners = pairs
            .iter()
            .enumerate()
            .filter(|&(at, _)| at != omitted)
            .map(|(_, &pair)| pair);
        let Some(first) = corners.next() else {
            continue;
        };
        let facet = corners.fold(Simplex::from_pair(first), |simplex, pair| {
            simplex.with(pair)
        });
        if let Reduced::Face { simplex, .. } = reduce(&facet)
            && simplex.weights().iter().all(|&weight| weight >= 0.0)
        {
            let [v, a, b] = simplex.points();
            let distance = v.norm();
            if distance < best.0 {
                best = (distance, [a, b]);
            }
        }
    }
    best
}

/// A difference without interior in this precision: the least support height along the axes still bounds the depth.
fn flat<V, A, B>(proposal: &Proposal<'_, V, A, B>) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal {
        frame,
        outcome,
        difference,
        ..
    } = proposal;
    let mut core = at_origin(frame, outcome);
    let (nearest, points) = nearest_known(outcome);
    (core.upper, core.points) = (nearest + frame.point_slack, points);
    for axis in (0..V::DIM).map(V::Wide::axis) {
        for direction in [axis, -axis] {
            let height = difference.support_pair(direction).w.dot(direction);
            if -height - frame.slack > core.lower {
                (core.lower, core.normal) = (-height - frame.slack, direction);
            }
        }
    }
    core.upper = core.upper.max(core.lower);
    core
}
