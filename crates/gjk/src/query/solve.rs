//! The pipeline behind every query: frame, proposal, certificate, numbers.
//!
//! 1. [`Frame::of`] brings the pair into range and bounds what rounding costs.
//! 2. A closed form or [`gjk::run`] proposes bounds on the distance of the cores.
//! 3. Bounds farther from zero than the slack are a proof. Hulls that are left go to `polytope.rs`, which asks the exact
//!    layer; what is left of other bodies is an interval.
//! 4. Overlapping cores go to [`epa::run`], from vertices proved to enclose the origin.
//! 5. The radii are subtracted once, at the end.

use super::answer::{Certificate, Contact, Interval, Iterations, Verdict};
use super::frame::{Frame, InWorld, Pair};
use super::{Options, WarmStart, closed, coaxial, polytope};
use crate::epa;
use crate::gjk::{self, Goal, Outcome, Stop};
use crate::math::{Pose, Scalar, Vector};
use crate::support::Support;
use crate::trace::Observe;

/// How much of the answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Depth {
    /// The verdict only, by the tutorials' direction-only steps.
    Boolean,
    /// The verdict only.
    Verdict,
    /// Distance when separated.
    Distance,
    /// Distance or depth.
    Penetration,
}

/// One query.
pub(super) struct Query<'q, V: Vector, A: ?Sized, B: ?Sized> {
    pub(super) a: &'q A,
    pub(super) pose_a: &'q Pose<V>,
    pub(super) b: &'q B,
    pub(super) pose_b: &'q Pose<V>,
    pub(super) options: &'q Options<V>,
    pub(super) depth: Depth,
}

/// What is known of the cores, in the pair's frame: bounds already widened, points on the cores.
pub(super) struct Core<W> {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) normal: W,
    pub(super) points: [W; 2],
    /// Of the bodies with their radii where the exact layer compared them, else of the cores.
    pub(super) verdict: Verdict,
    pub(super) stop: Stop,
    pub(super) iterations: Iterations,
    pub(super) certificate: Option<Certificate>,
    /// The bounds of the rounded bodies, where they were measured as a whole.
    pub(super) rounded: Option<[f64; 2]>,
}

/// Default gap tolerance of smooth shapes, in roundings of `f64`: they converge only linearly and would spend the rest of
/// the way on noise. Hulls need none: they end on a repeated vertex or a proved facet.
const SMOOTH_TOLERANCE_ROUNDINGS: f64 = 4096.0;

impl<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Query<'_, V, A, B> {
    /// Answers the query, updating the warm start.
    pub(super) fn run<O: Observe<V>>(&self, warm: &mut WarmStart, observe: &mut O) -> Contact<V> {
        let (frame, difference) = Frame::of(self.a, self.pose_a, self.b, self.pose_b);
        if !frame.fits() {
            return overflow();
        }
        let mut observe = InWorld { frame, inner: observe };
        let proposal = self.propose(&frame, &difference, warm, &mut observe);
        warm.keep(proposal.simplex.pairs().iter().map(|pair| pair.ids));
        let hulls = polytope::Hulls::of(&difference);
        let core = match &hulls {
            Some(hulls) => self.certify(&frame, hulls, &proposal, &mut observe),
            None => self.bound(&frame, &difference, &proposal, &mut observe),
        };
        finish(&frame, &difference, core, hulls.is_some())
    }

    pub(super) fn tolerance(&self, polytope: bool) -> f64 {
        let default = if polytope { 0.0 } else { SMOOTH_TOLERANCE_ROUNDINGS * f64::ROUNDING };
        self.options.tolerance_relative.map_or(default, V::Scalar::to_f64)
    }

    fn propose<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        warm: &WarmStart,
        observe: &mut O,
    ) -> Outcome<V::Wide> {
        if !O::ENABLED
            && let Some(outcome) = closed::propose(difference)
        {
            return outcome;
        }
        let radius = difference.radius();
        let goal = match (self.depth, self.options.cutoff) {
            (Depth::Boolean, _) => Goal::Boolean(radius),
            (Depth::Verdict, _) => Goal::Separation(radius),
            (_, Some(cutoff)) => Goal::Cutoff(frame.length_from_world(cutoff.to_f64()).max(0.0) + radius),
            _ => Goal::Distance,
        };
        let first = self.options.first_direction.map(V::lift);
        let first = first.unwrap_or_else(|| difference.b.center() - difference.a.center());
        let settings = gjk::Settings {
            goal,
            tolerance_relative: self.tolerance(difference.is_polytope()),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        gjk::run(difference, first, warm.ids(), &settings, observe)
    }

    /// Bodies that are not both hulls: bounds, and the verdict that they prove.
    fn bound<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        observe: &mut O,
    ) -> Core<V::Wide> {
        if proposal.lower > frame.slack {
            return separated(frame, proposal);
        }
        let settings = self.expansion(frame, false);
        let found = match coaxial::sections(difference, frame.reach()) {
            Some((prisms, normal)) => epa::run(&prisms, &[], &settings, observe).map(|mut found| {
                found.points = found.points.map(|x| x - normal * x.dot(normal));
                found
            }),
            None => epa::run(difference, proposal.simplex.pairs(), &settings, observe),
        };
        let Some(found) = found else {
            return flat(frame, difference, proposal);
        };
        // While the origin is outside the polytope a facet's plane bounds nothing; the simplex of GJK still does.
        let [_, a, b] = proposal.simplex.points();
        let outside = found.lower < 0.0;
        let (nearest, points) = if outside { (proposal.upper, [a, b]) } else { (-found.lower, found.points) };
        let (lower, upper) = (-found.upper - frame.slack, nearest + frame.point_slack);
        Core {
            lower,
            upper: upper.max(lower),
            normal: found.normal,
            points,
            verdict: sign_verdict(lower, upper),
            stop: found.stop,
            iterations: Iterations { gjk: proposal.iterations, epa: found.iterations },
            certificate: None,
            rounded: None,
        }
    }

    pub(super) fn expansion(&self, frame: &Frame<V::Wide>, polytope: bool) -> epa::Settings<f64> {
        epa::Settings {
            tolerance_relative: self.tolerance(polytope),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
            list_facets: self.options.prove_depth && polytope,
        }
    }
}

/// Step 5: radii, verdict, and the world's frame and scalar.
fn finish<V, A, B>(
    frame: &Frame<V::Wide>,
    difference: &Pair<'_, V, A, B>,
    core: Core<V::Wide>,
    polytope: bool,
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
    Contact {
        verdict,
        exact: polytope && verdict != Verdict::Undecided,
        signed_distance: Interval { lower, upper },
        // Adding zero leaves no negative zeros.
        normal: (core.normal + V::Wide::ZERO).lift(),
        point_a: frame.world_vector(a + core.normal * radii[0]),
        point_b: frame.world_vector(b - core.normal * radii[1]),
        stop: core.stop,
        iterations: core.iterations,
        certificate: core.certificate,
    }
}

/// Bounds of the cores' distance with the radii subtracted.
///
/// One radius at a time, rounded outward: their rounded sum could be off by more than the interval is wide.
pub(super) fn less_radii(bounds: [f64; 2], radii: [f64; 2]) -> [f64; 2] {
    let nonzero = radii.into_iter().filter(|&r| r != 0.0);
    nonzero.fold(bounds, |[lower, upper], r| [(lower - r).next_down(), (upper - r).next_up()])
}

/// Bodies that leave the range of `f64` once posed: nothing is known of them.
fn overflow<V: Vector>() -> Contact<V> {
    let infinite = V::Scalar::INFINITY;
    Contact {
        verdict: Verdict::Undecided,
        exact: false,
        signed_distance: Interval { lower: -infinite, upper: infinite },
        normal: V::axis(0),
        point_a: V::ZERO,
        point_b: V::ZERO,
        stop: Stop::Overflow,
        iterations: Iterations::default(),
        certificate: None,
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

/// The interval cut to what the verdict leaves possible.
fn consistent<S: Scalar>(verdict: Verdict, lower: S, upper: S) -> (S, S) {
    match verdict {
        // A distance below the scalar's smallest number has no positive float below it.
        Verdict::Separated => (lower.max(S::ZERO), upper.max(S::TINIEST)),
        Verdict::Touching => (S::ZERO, S::ZERO),
        Verdict::Overlapping => (lower.min(-S::TINIEST), upper.min(S::ZERO)),
        Verdict::Undecided => (lower, upper),
    }
}

/// Cores separated by more than the slack, by the loop's own bounds.
pub(super) fn separated<W>(frame: &Frame<W>, proposal: &Outcome<W>) -> Core<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [v, a, b] = proposal.simplex.points();
    let lower = proposal.lower - frame.slack;
    let separating = (-proposal.direction).normalized().or((-v).normalized()).unwrap_or(W::axis(0));
    let normal = (-proposal.nearest).normalized().unwrap_or(separating);
    Core {
        lower,
        upper: (proposal.upper + frame.point_slack).max(lower),
        normal,
        points: [a, b],
        verdict: Verdict::Separated,
        stop: proposal.stop,
        iterations: Iterations { gjk: proposal.iterations, epa: 0 },
        certificate: None,
        rounded: None,
    }
}

/// Cores at distance zero up to the slack, with nothing to expand, or no depth asked for.
pub(super) fn at_origin<W>(frame: &Frame<W>, proposal: &Outcome<W>) -> Core<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [_, a, b] = proposal.simplex.points();
    Core {
        lower: f64::NEG_INFINITY,
        upper: proposal.upper + frame.point_slack,
        normal: (-proposal.direction).normalized().unwrap_or(W::axis(0)),
        points: [a, b],
        verdict: Verdict::Undecided,
        stop: proposal.stop,
        iterations: Iterations { gjk: proposal.iterations, epa: 0 },
        certificate: None,
        rounded: None,
    }
}

/// A difference without interior in this precision: the least support height along the axes still bounds the depth.
fn flat<V, A, B>(frame: &Frame<V::Wide>, difference: &Pair<'_, V, A, B>, proposal: &Outcome<V::Wide>) -> Core<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let mut core = at_origin(frame, proposal);
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
