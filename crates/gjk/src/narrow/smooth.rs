//! Pairs of bodies that are not both hulls: bounds, and the verdict that they prove.
//!
//! Where it sits: called by `ladder.rs` with what the loop proposes. Read [`bound`] first.
//! Idea: the loop's bounds, widened by the slack, measure bodies that are separated; where they are wide, those of `loops/pieces/`
//! do, by what the surfaces are. Bodies that overlap are measured by EPA, or
//! by EPA on their sections where both are solids of revolution about parallel axes.

use super::core_answer::{CoreAnswer, at_origin, separated, sign_verdict};
use super::float_bounds::surely_enclose;
use super::frame::Difference;
use super::proposal::{Proposal, SMOOTH_TOLERANCE};
use crate::answer::Iterations;
use crate::loops::epa;
use crate::loops::gjk::{Ending, Outcome, Stop};
use crate::loops::pieces::disc::on_disc;
use crate::loops::pieces::nearest::{Nearest, nearest};
use crate::loops::simplex::{Reduced, Simplex, reduce};
use crate::loops::trace::Observe;
use crate::math::Vector;
use crate::pairs::parallel_axes::sections;
use crate::pairs::point_round::{depth_of, depth_of_segment};
use crate::request::Wanted;
use crate::support::{NO_ID, Posed, Support};

/// Bounds of a depth by sections that are within this part of it need no EPA on the bodies themselves. It chooses, and proves
/// nothing.
const SECTIONS_SUFFICE: f64 = 1.0 / (1u64 << 14) as f64;

/// Nor do bounds within so many slacks, near touch. It chooses, and proves nothing.
const SECTIONS_SLACKS: f64 = 4.0;

/// Bodies that overlap by less than this part of their size, as far as the loop knows, may as well touch. It chooses, and proves nothing.
const NEAR_TOUCH: f64 = 1.0 / 65536.0;

/// The normal of bodies that are apart by less than this part of their size is held against their heights: it may be off by √2 of the root of
/// [`SMOOTH_TOLERANCE`], some 10⁻⁶, and a height by that part of the size. It chooses, and proves nothing.
const NEAR_FOR_NORMALS: f64 = 1.0 / 256.0;

/// The height along the way between the points may be below the lower bound by this part of the bodies' distance. It chooses, and proves nothing. Test:
/// `bodies_that_nearly_touch_have_a_normal_between_them`.
const NORMAL_LOSS: f64 = 1.0 / 4096.0;

/// After so many expansions it is asked whether a point of one body is as deep in the other. Most pairs need fewer. It chooses, and proves nothing.
const EXPANSIONS_BEFORE_POINTS: u32 = 48;

/// The ends of an edge are looked for so far beside the direction that they are level along. It chooses, and proves nothing.
const AXIS_TILT: f64 = 1.0 / 1024.0;

/// The depth of a point is that of the bodies within so many slacks. It chooses, and proves nothing.
const POINT_SLACKS: f64 = 4.0;

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
    if let Some(core) = apart_or_touching(proposal) {
        return core;
    }
    let Some(found) = expanded(proposal, observe) else {
        return flat(proposal);
    };
    // While the origin is outside the polytope a facet's plane bounds nothing; points of the bodies do, those of the simplex of GJK or of EPA.
    let outside = found.lower < 0.0;
    let (nearest, points) = if outside {
        let [a, b] = found.points;
        let (known, last) = (nearest_known(outcome), (b - a).norm());
        if last < known.0 {
            (last, found.points)
        } else {
            known
        }
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

/// The answer on bodies that are apart, or touch as far as their nearest points say.
fn apart_or_touching<V, A, B>(proposal: &Proposal<'_, V, A, B>) -> Option<CoreAnswer<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal { frame, outcome, .. } = proposal;
    let apart = outcome.lower > frame.slack;
    let measured = matches!(proposal.request.wanted, Wanted::Distance | Wanted::Contact);
    // That bodies are apart is all that a verdict wants, and bodies that overlap have no nearest points.
    let touching = !apart && outcome.lower > -NEAR_TOUCH * frame.size();
    let limited = outcome.stop == Stop::IterationLimit;
    let ending = if !limited && (measured && apart || touching) {
        nearer(proposal)
    } else {
        None
    };
    if apart {
        let mut ending = ending.unwrap_or_else(|| outcome.ending());
        if measured && !limited {
            settle_normal(proposal, &mut ending);
        }
        return Some(separated(frame, &ending));
    }
    let mut ending = ending.filter(|ending| ending.lower >= -frame.slack)?;
    settle_normal(proposal, &mut ending);
    let mut core = separated(frame, &ending);
    core.verdict = sign_verdict(core.lower, core.upper);
    Some(core)
}

/// The normal is that of the points, which it fits best, where the height along it is about the lower bound. Of bodies that nearly touch the way between the points is
/// rounding, and across it no plane may keep sharp ones apart: then the direction of the lower bound is the normal.
fn settle_normal<V, A, B>(proposal: &Proposal<'_, V, A, B>, ending: &mut Ending<V::Wide>)
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal {
        frame, difference, ..
    } = proposal;
    let gap = (ending.lower - difference.radius()).abs();
    if gap > NEAR_FOR_NORMALS * frame.size() {
        return;
    }
    let Some(along) = ending.nearest.normalized() else {
        ending.nearest = ending.direction;
        return;
    };
    let height = difference.support_pair(-along).w.dot(along);
    if height + frame.slack + gap * NORMAL_LOSS < ending.lower {
        ending.nearest = ending.direction;
    }
}

/// The loop's outcome with bounds by the bodies' pieces, where its own are not as narrow as rounding allows and these are narrower.
fn nearer<V, A, B>(proposal: &Proposal<'_, V, A, B>) -> Option<Ending<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal {
        frame,
        difference,
        outcome,
        ..
    } = proposal;
    let (mut ending, from) = (outcome.ending(), -outcome.direction);
    if outcome.stop == Stop::Enclosed {
        let (upper, [a, b]) = nearest_known(outcome);
        (ending.upper, ending.points) = (upper, [a - b, a, b]);
    }
    let distance = outcome.lower - difference.radius();
    let request = proposal.request;
    let width = request.width.max(SMOOTH_TOLERANCE);
    let asked = request.tolerance_relative.unwrap_or(0.0) * outcome.upper;
    let wanted = frame.slack.max(width * distance).max(asked);
    if ending.upper - ending.lower <= wanted {
        return None;
    }
    let [_, a, b] = ending.points;
    let disc = on_disc(*difference, from, [a, b]);
    let known = with_bounds(ending, disc, wanted);
    if known.upper - known.lower <= wanted {
        return Some(known);
    }
    Some(with_bounds(
        known,
        nearest(*difference, from, wanted),
        wanted,
    ))
}

/// What is known, with the bounds that are closer. The answer's normal is that of its points.
fn with_bounds<W: Vector<Scalar = f64, Wide = W>>(
    mut known: Ending<W>,
    found: Option<Nearest<W>>,
    wanted: f64,
) -> Ending<W> {
    let Some(found) = found else { return known };
    if found.lower > known.lower {
        (known.lower, known.direction) = (found.lower, -found.normal);
    }
    if found.upper < known.upper {
        let [a, b] = found.points;
        (known.upper, known.points) = (found.upper, [a - b, a, b]);
        known.nearest = if found.width() <= wanted {
            -found.normal
        } else {
            a - b
        };
    }
    known
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
        found.points = sections.within(found.points);
        // A facet that leans along the prism is farther than its point in the plane.
        let [a, b] = found.points;
        found.lower = found.lower.min((a - b).norm()) - sections.deeper;
        Some(found)
    });
    match by_sections {
        Some(found)
            if found.upper - found.lower
                <= (SECTIONS_SLACKS * settings.slack).max(found.lower * SECTIONS_SUFFICE) =>
        {
            Some(found)
        }
        // Flat bodies under a rotation of few bits: the bodies themselves may have narrower bounds.
        by_sections => {
            let spent = by_sections.as_ref().map_or(0, |found| found.iterations);
            if spent > 0 && spent >= settings.iterations_max {
                return by_sections;
            }
            let found = on_bodies(proposal, &settings, spent, observe);
            let width = |found: &epa::Outcome<V::Wide>| found.upper - found.lower.max(0.0);
            match (found, by_sections) {
                (Some(found), Some(other)) if width(&other) < width(&found) => Some(epa::Outcome {
                    iterations: found.iterations,
                    ..other
                }),
                (found, other) => found.or(other),
            }
        }
    }
}

/// EPA on the bodies, and where it takes long the points that it ends with. What was spent before counts.
fn on_bodies<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    settings: &epa::Settings,
    spent: u32,
    observe: &mut O,
) -> Option<epa::Outcome<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let mut run = |spent: u32, iterations_max: u32| {
        let settings = epa::Settings {
            iterations_max,
            ..*settings
        };
        let start = proposal.outcome.simplex.pairs();
        let mut found = epa::run(proposal.difference, start, &settings, None, observe)?;
        found.iterations += spent;
        Some(found)
    };
    let left = settings.iterations_max.saturating_sub(spent);
    let first = run(spent, left.min(EXPANSIONS_BEFORE_POINTS))?;
    if first.stop != Stop::IterationLimit || left <= EXPANSIONS_BEFORE_POINTS {
        return Some(first);
    }
    match as_deep_as_a_point(proposal, &first, settings.slack) {
        Some(found) => Some(found),
        None => run(first.iterations, left - EXPANSIONS_BEFORE_POINTS),
    }
}

/// Bodies that overlap as deep as a point or an edge of one of them is in the other, where these are known and no more than roundings apart.
///
/// A vertex on a cylinder's axis is as deep along a whole arc of directions: EPA would have to close in on all of them. The difference holds the round body from that point, so that it is
/// at least as deep; the height along one direction says that it is no deeper.
fn as_deep_as_a_point<V, A, B>(
    proposal: &Proposal<'_, V, A, B>,
    found: &epa::Outcome<V::Wide>,
    slack: f64,
) -> Option<epa::Outcome<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Difference { a, b } = proposal.difference;
    let [of_a, of_b] = found.points;
    let of_points = |normal: V::Wide, depth: f64, points: [V::Wide; 2]| {
        let upper = proposal.difference.support_pair(normal).w.dot(normal);
        let lower = depth - slack;
        (upper - lower <= POINT_SLACKS * slack).then(|| epa::Outcome {
            normal,
            lower,
            upper,
            points,
            stop: Stop::GapClosed,
            ..found.clone()
        })
    };
    let in_a = |x: V::Wide| {
        let (depth, out) = depth_of(a, x, found.normal)?;
        of_points(out, depth, [x + out * depth, x])
    };
    let in_b = |x: V::Wide| {
        let (depth, out) = depth_of(b, x, -found.normal)?;
        of_points(-out, depth, [x, x + out * depth])
    };
    in_a(of_b)
        .or_else(|| in_b(of_a))
        .or_else(|| {
            let ends = level_ends(a, b, -found.normal)?;
            let (depth, out, x) = depth_of_segment(a, ends, found.normal)?;
            of_points(out, depth, [x + out * depth, x])
        })
        .or_else(|| {
            let ends = level_ends(b, a, found.normal)?;
            let (depth, out, x) = depth_of_segment(b, ends, -found.normal)?;
            of_points(-out, depth, [x, x + out * depth])
        })
}

/// The points of a body that are farthest along a direction, to either end of a round one's axis: of an edge along that its ends.
fn level_ends<V, R, S>(
    round: &Posed<'_, V, R>,
    other: &Posed<'_, V, S>,
    direction: V::Wide,
) -> Option<[V::Wide; 2]>
where
    V: Vector,
    R: Support<V> + ?Sized,
    S: Support<V> + ?Sized,
{
    let (solid, _) = round.revolution_wide()?;
    let axis = solid.axis?.normalized()? * AXIS_TILT;
    let end = |along: V::Wide| other.support(direction + along, NO_ID).point;
    Some([end(-axis), end(axis)])
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
