//! What is known of the cores of a pair, and how it becomes the answer.
//!
//! Where it sits: `hulls.rs` and `smooth.rs` make a [`CoreAnswer`] of the loops' results; `ladder.rs` calls [`finish`].
//! Idea: bounds are already widened by the rounding slack and points are on the cores, in the pair's frame. [`finish`] subtracts
//! the radii once and returns to the world.

use super::frame::{Difference, Frame};
use crate::Stop;
use crate::answer::{Certificate, Contact, Interval, Iterations, Verdict};
use crate::bounds::less_radii;
use crate::loops::gjk::{Ending, Outcome};
use crate::math::{Scalar, Vector};
use crate::support::Support;

/// What is known of the cores, in the pair's frame.
pub(super) struct CoreAnswer<W> {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) normal: W,
    pub(super) points: [W; 2],
    /// The verdict on the bodies with their radii where the exact layer compared them, else on the cores.
    pub(super) verdict: Verdict,
    pub(super) stop: Stop,
    pub(super) iterations: Iterations,
    pub(super) certificate: Option<Certificate>,
    /// The bounds of the rounded bodies, where they were measured as a whole.
    pub(super) rounded: Option<[f64; 2]>,
}

/// Cores separated by more than the slack, by the loop's own bounds.
#[inline(always)]
pub(super) fn separated<W>(frame: &Frame<W>, proposal: &Ending<W>) -> CoreAnswer<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [v, a, b] = proposal.points;
    let lower = proposal.lower - frame.slack;
    let squared = proposal.nearest.norm_squared();
    let normal = if squared > f64::LEAST_SQUARE && squared < f64::MAX {
        -(proposal.nearest * (1.0 / Scalar::sqrt(squared)))
    } else {
        let towards = |d: W| (-d).normalized();
        let normal = towards(proposal.nearest)
            .or_else(|| towards(proposal.direction))
            .or_else(|| towards(v));
        normal.unwrap_or(W::axis(0))
    };
    CoreAnswer {
        lower,
        // The points bound it more closely; alike on both sides the interval's middle keeps the loop's accuracy.
        upper: (proposal.upper + frame.slack).max(lower),
        normal,
        points: [a, b],
        verdict: Verdict::Separated,
        stop: proposal.stop,
        iterations: Iterations {
            gjk: proposal.iterations,
            epa: 0,
        },
        certificate: None,
        rounded: None,
    }
}

/// Cores at distance zero up to the slack, where EPA has nothing to expand, or where no depth is wanted.
pub(super) fn at_origin<W>(frame: &Frame<W>, proposal: &Outcome<W>) -> CoreAnswer<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [_, a, b] = proposal.points;
    CoreAnswer {
        lower: f64::NEG_INFINITY,
        upper: proposal.upper + frame.point_slack,
        normal: (-proposal.direction).normalized().unwrap_or(W::axis(0)),
        points: [a, b],
        verdict: Verdict::Undecided,
        stop: proposal.stop,
        iterations: Iterations {
            gjk: proposal.iterations,
            epa: 0,
        },
        certificate: None,
        rounded: None,
    }
}

/// An answer where no numbers are wanted.
pub(super) fn verdict_only<W: Vector<Scalar = f64, Wide = W>>(
    proposal: &Outcome<W>,
    verdict: Verdict,
    certificate: Option<Certificate>,
) -> CoreAnswer<W> {
    CoreAnswer {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        normal: W::ZERO,
        points: [W::ZERO; 2],
        verdict,
        stop: proposal.stop,
        iterations: Iterations {
            gjk: proposal.iterations,
            epa: 0,
        },
        certificate,
        rounded: None,
    }
}

/// The last step: radii, verdict, and the world's frame and scalar.
#[inline(always)]
pub(super) fn finish<V, A, B>(
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
    core: CoreAnswer<V::Wide>,
    polytope: bool,
    certificate: &mut Option<Certificate>,
) -> Contact<V>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let radii = [difference.a.radius(), difference.b.radius()];
    let (mut lower, mut upper, mut verdict) = (core.lower, core.upper, core.verdict);
    if let Some(rounded) = core.rounded {
        [lower, upper] = rounded;
    } else if radii != [0.0; 2] {
        [lower, upper] = less_radii([lower, upper], radii);
        if !polytope {
            verdict = sign_verdict(lower, upper);
        }
    }
    let lower = V::Scalar::round_down(frame.lower_to_world(lower));
    let upper = -V::Scalar::round_down(frame.lower_to_world(-upper));
    let (lower, upper) = consistent(verdict, lower, upper);
    let [a, b] = core.points;
    let way = if polytope {
        core.normal
    } else {
        way_of_radii(&core, radii[0] + radii[1])
    };
    if core.certificate.is_some() {
        *certificate = core.certificate;
    }
    Contact {
        verdict,
        exact: polytope && verdict != Verdict::Undecided,
        signed_distance: Interval { lower, upper },
        // Adding zero leaves no negative zeros.
        normal: (core.normal + V::Wide::ZERO).lift(),
        point_a: frame.world_vector(a + way * radii[0]),
        point_b: frame.world_vector(b - way * radii[1]),
        stop: core.stop,
        iterations: core.iterations,
    }
}

/// The unit direction in which the radii reach from the cores' points: the normal, unless it is so far off the way between the points
/// that the surfaces' points would not be as far apart as the interval says (corpus case `radius-far-above-the-gap`).
fn way_of_radii<W: Vector<Scalar = f64, Wide = W>>(core: &CoreAnswer<W>, radii: f64) -> W {
    if radii == 0.0 {
        return core.normal;
    }
    let [a, b] = core.points;
    let between = (b - a - core.normal * radii).norm();
    let [low, high] = [core.lower - radii, core.upper - radii];
    let (least, most) = if low > 0.0 {
        (low, high)
    } else {
        ((-high).max(0.0), (-low).max(high))
    };
    let way = if (least..=most).contains(&between) {
        None
    } else if core.lower > 0.0 {
        (b - a).normalized()
    } else if core.upper < 0.0 {
        (a - b).normalized()
    } else {
        None
    };
    way.unwrap_or(core.normal)
}

/// The interval cut to what the verdict leaves possible.
pub(super) fn consistent<S: Scalar>(verdict: Verdict, lower: S, upper: S) -> (S, S) {
    match verdict {
        // A distance below the scalar's smallest number has no positive float below it.
        Verdict::Separated => (lower.max(S::ZERO), upper.max(S::TINIEST)),
        Verdict::Touching => (S::ZERO, S::ZERO),
        Verdict::Overlapping => (lower.min(-S::TINIEST), upper.min(S::ZERO)),
        Verdict::Undecided => (lower, upper),
    }
}

/// The verdict that an interval alone proves.
pub(super) fn sign_verdict(lower: f64, upper: f64) -> Verdict {
    if lower > 0.0 {
        Verdict::Separated
    } else if upper < 0.0 {
        Verdict::Overlapping
    } else {
        Verdict::Undecided
    }
}

/// Bodies that leave the range of `f64` once posed: nothing is known of them.
pub(super) fn overflow<V: Vector>() -> Contact<V> {
    let infinite = V::Scalar::INFINITY;
    Contact {
        verdict: Verdict::Undecided,
        exact: false,
        signed_distance: Interval {
            lower: -infinite,
            upper: infinite,
        },
        normal: V::axis(0),
        point_a: V::ZERO,
        point_b: V::ZERO,
        stop: Stop::Overflow,
        iterations: Iterations::default(),
    }
}
