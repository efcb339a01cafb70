//! The pipeline behind every query: frame, proposal, certificate, exact layer, depth.
//!
//! 1. [`Frame::of`] moves the pair to the origin and bounds what rounding costs.
//! 2. A closed form or [`gjk::run`] proposes bounds on the distance of the cores.
//! 3. Bounds farther from zero than the slack are a proof. Polytopes that are left go to `gjk-exact`.
//! 4. Overlapping cores go to [`epa::run`], from vertices proved to enclose the origin.
//! 5. The radii are subtracted once, at the end.

use super::answer::{Certificate, Contact, Direction, Interval, Iterations, Verdict};
use super::frame::{Frame, InWorld};
use super::{Options, WarmStart, closed};
use crate::epa;
use crate::gjk::{self, Goal, Outcome, Stop};
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{MinkowskiDifference, Posed, Support, SupportPair};
use crate::trace::Observe;
use alloc::vec::Vec;
use gjk_exact::{Class, Nearest, integer};

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
struct Core<V: Vector> {
    lower: V::Scalar,
    upper: V::Scalar,
    normal: V,
    points: [V; 2],
    verdict: Verdict,
    stop: Stop,
    iterations: Iterations,
    certificate: Option<Certificate>,
    /// The exact nearest face, when the exact layer was asked.
    nearest: Option<Nearest>,
}

/// Default gap tolerance in roundings of the scalar: polytopes end on a repeated vertex long before it matters, smooth
/// shapes converge only linearly and would spend the rest of the way on noise.
const POLYTOPE_TOLERANCE_ROUNDINGS: f64 = 16.0;
const SMOOTH_TOLERANCE_ROUNDINGS: f64 = 4096.0;

impl<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Query<'_, V, A, B> {
    /// Answers the query, updating the warm start.
    pub(super) fn run<O: Observe<V>>(&self, warm: &mut WarmStart, observe: &mut O) -> Contact<V> {
        let (frame, difference) = Frame::of(self.a, self.pose_a, self.b, self.pose_b);
        let mut observe = InWorld { frame, inner: observe };
        let proposal = self.propose(&frame, &difference, warm, &mut observe);
        warm.keep(proposal.simplex.pairs().iter().map(|pair| pair.ids));
        let core = self.certify(&frame, &difference, &proposal, &mut observe);
        self.finish(&frame, &difference, core)
    }

    fn tolerance(&self, polytope: bool) -> V::Scalar {
        let roundings = if polytope { POLYTOPE_TOLERANCE_ROUNDINGS } else { SMOOTH_TOLERANCE_ROUNDINGS };
        self.options.tolerance_relative.unwrap_or(V::Scalar::from_f64(roundings) * V::Scalar::ROUNDING)
    }

    fn propose<O: Observe<V>>(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        warm: &WarmStart,
        observe: &mut O,
    ) -> Outcome<V> {
        if !O::ENABLED
            && let Some(outcome) = closed::propose(difference)
        {
            return outcome;
        }
        let goal = match (self.depth, self.options.cutoff) {
            (Depth::Boolean, _) => Goal::Boolean,
            (Depth::Verdict, _) => Goal::Cutoff(difference.radius()),
            (_, Some(cutoff)) => Goal::Cutoff(cutoff.scale_by_power(frame.exponent) + difference.radius()),
            _ => Goal::Distance,
        };
        let first = self.options.first_direction.unwrap_or_else(|| difference.b.center() - difference.a.center());
        let settings = gjk::Settings {
            goal,
            tolerance_relative: self.tolerance(difference.is_polytope()),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        gjk::run(difference, first, warm.ids(), &settings, observe)
    }

    /// Steps 3 and 4: what is proved of the cores.
    fn certify<O: Observe<V>>(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        proposal: &Outcome<V>,
        observe: &mut O,
    ) -> Core<V> {
        let radius = difference.radius();
        let separated = proposal.lower > frame.slack;
        // Polytopes on which the loop stalled with its bounds apart: the exact layer closes them.
        let loose = proposal.stop == Stop::NoProgress && proposal.upper - proposal.lower > frame.slack;
        let asked = loose && difference.is_polytope() && self.wants_distance();
        if separated && !asked && !self.needs_exact(frame, difference, proposal, radius) {
            return separated_core(frame, proposal, difference.is_polytope());
        }
        if difference.is_polytope() {
            let enclosed =
                !separated && proposal.stop == Stop::Enclosed && encloses(proposal.simplex.pairs(), frame.slack);
            if enclosed {
                return self.overlap(frame, difference, proposal, proposal.simplex.pairs(), observe);
            }
            if let Some(core) = self.exact(frame, difference, proposal, observe) {
                return core;
            }
        }
        if separated {
            return separated_core(frame, proposal, false);
        }
        self.expand(frame, difference, proposal, proposal.simplex.pairs(), observe)
    }

    fn wants_distance(&self) -> bool {
        matches!(self.depth, Depth::Distance | Depth::Penetration) && self.options.cutoff.is_none()
    }

    /// True when the floats cannot tell whether the cores' distance exceeds the radii.
    fn needs_exact(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        proposal: &Outcome<V>,
        radius: V::Scalar,
    ) -> bool {
        let slack = frame.slack;
        radius > V::Scalar::ZERO
            && difference.is_polytope()
            && !(proposal.lower - slack > radius)
            && !(proposal.upper + slack < radius)
    }

    /// The exact layer's answer on the world's vertices; `None` when they overflow.
    #[cold]
    fn exact<O: Observe<V>>(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        proposal: &Outcome<V>,
        observe: &mut O,
    ) -> Option<Core<V>> {
        let a = Posed::new(self.a, *self.pose_a).wide_vertices(frame.exponent)?;
        let b = Posed::new(self.b, *self.pose_b).wide_vertices(frame.exponent)?;
        let class = gjk_exact::classify(V::DIM, &a, &b, (-proposal.direction).to_f64())?;
        let iterations = Iterations { gjk: proposal.iterations, epa: 0 };
        let at = |nearest: &Nearest| {
            let local = |set: &[[f64; 3]], k: usize| {
                let world = V::from_f64(nearest.point(k, set));
                frame.local_from_wide(world)
            };
            [local(&a, 0), local(&b, 1)]
        };
        let unit = |d: &gjk_exact::Int3| V::from_f64(integer::to_float(d)).normalized().unwrap_or(V::axis(0));
        match class {
            Class::Overlapping { pairs } => {
                let points: Vec<SupportPair<V>> = pairs.iter().filter_map(|&ids| difference.vertex_pair(ids)).collect();
                let mut core = self.overlap(frame, difference, proposal, &points, observe);
                core.certificate = Some(Certificate::Overlapping { pairs });
                Some(core)
            }
            Class::Touching { direction, nearest } => Some(Core {
                lower: V::Scalar::ZERO,
                upper: V::Scalar::ZERO,
                normal: unit(&direction),
                points: at(&nearest),
                verdict: Verdict::Touching,
                stop: Stop::Exact,
                iterations,
                certificate: Some(Certificate::Touching {
                    direction: Direction::Integer(direction),
                    pairs: nearest.pairs.clone(),
                    weights: nearest.weights.clone(),
                }),
                nearest: None,
            }),
            Class::Separated { direction, nearest } => {
                let [lower, upper] = nearest.distance();
                Some(Core {
                    lower: down::<V::Scalar>(lower),
                    upper: -down::<V::Scalar>(-upper),
                    normal: unit(&direction),
                    points: at(&nearest),
                    verdict: Verdict::Separated,
                    stop: Stop::Exact,
                    iterations,
                    certificate: Some(Certificate::Separated { direction: Direction::Integer(direction) }),
                    nearest: Some(nearest),
                })
            }
        }
    }

    /// Cores proved to overlap, enclosed by `points`.
    fn overlap<O: Observe<V>>(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        proposal: &Outcome<V>,
        points: &[SupportPair<V>],
        observe: &mut O,
    ) -> Core<V> {
        let mut core = self.expand(frame, difference, proposal, points, observe);
        core.verdict = Verdict::Overlapping;
        core.upper = core.upper.min(-V::Scalar::TINIEST);
        core.lower = core.lower.min(core.upper);
        core.certificate = Some(Certificate::Overlapping { pairs: points.iter().map(|p| p.ids).collect() });
        core
    }

    /// EPA from `points`; the verdict only says what its bounds prove.
    fn expand<O: Observe<V>>(
        &self,
        frame: &Frame<V>,
        difference: &MinkowskiDifference<'_, V, A, B>,
        proposal: &Outcome<V>,
        points: &[SupportPair<V>],
        observe: &mut O,
    ) -> Core<V> {
        let settings = epa::Settings {
            tolerance_relative: self.tolerance(difference.is_polytope()),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        if self.depth != Depth::Penetration && difference.is_polytope() {
            return at_origin(frame, proposal);
        }
        let Some(found) = epa::run(difference, points, &settings, observe) else {
            return at_origin(frame, proposal);
        };
        // While the origin is outside the polytope a facet's plane bounds nothing; the simplex of GJK still does.
        let nearest = if found.lower < V::Scalar::ZERO { proposal.upper } else { -found.lower };
        let (lower, upper) = (-found.upper - frame.slack, nearest + frame.slack);
        Core {
            lower,
            upper: upper.max(lower),
            normal: found.normal,
            points: found.points,
            verdict: sign_verdict(lower, upper),
            stop: found.stop,
            iterations: Iterations { gjk: proposal.iterations, epa: found.iterations },
            certificate: None,
            nearest: None,
        }
    }

    /// Step 5: radii, verdict, and the world's frame.
    fn finish(&self, frame: &Frame<V>, difference: &MinkowskiDifference<'_, V, A, B>, core: Core<V>) -> Contact<V> {
        let radii = [difference.a.radius(), difference.b.radius()];
        let radius = difference.radius();
        let polytope = difference.is_polytope();
        let (mut lower, mut upper, mut verdict) = (core.lower, core.upper, core.verdict);
        let mut certificate = core.certificate;
        if radius > V::Scalar::ZERO {
            // One radius at a time, rounded outward: their rounded sum could be off by more than the interval is wide.
            for r in radii {
                (lower, upper) = ((lower - r).next_down(), (upper - r).next_up());
            }
            verdict = rounded_verdict(lower, upper, radii, polytope, core.nearest.as_ref());
            (lower, upper) = consistent(verdict, lower, upper);
            if verdict != Verdict::Separated {
                certificate = certificate.filter(|c| matches!(c, Certificate::Overlapping { .. }));
            }
        }
        let [a, b] = core.points;
        Contact {
            verdict,
            exact: polytope && verdict != Verdict::Undecided,
            signed_distance: Interval { lower: frame.length_to_world(lower), upper: frame.length_to_world(upper) },
            normal: core.normal,
            point_a: frame.point_to_world(a + core.normal * radii[0]),
            point_b: frame.point_to_world(b - core.normal * radii[1]),
            stop: core.stop,
            iterations: core.iterations,
            certificate,
        }
    }
}

/// The verdict of bodies with radii: by the interval, or by the exact squared distance of their cores.
fn rounded_verdict<S: Scalar>(lower: S, upper: S, radii: [S; 2], polytope: bool, nearest: Option<&Nearest>) -> Verdict {
    use core::cmp::Ordering::{Equal, Greater, Less};
    match (sign_verdict(lower, upper), nearest) {
        (Verdict::Undecided, Some(nearest)) if polytope => {
            match gjk_exact::compare_distance(nearest, &radii.map(S::to_f64)) {
                Greater => Verdict::Separated,
                Equal => Verdict::Touching,
                Less => Verdict::Overlapping,
            }
        }
        (verdict, _) => verdict,
    }
}

/// The verdict that an interval alone proves.
fn sign_verdict<S: Scalar>(lower: S, upper: S) -> Verdict {
    if lower > S::ZERO {
        Verdict::Separated
    } else if upper < S::ZERO {
        Verdict::Overlapping
    } else {
        Verdict::Undecided
    }
}

/// The interval cut to what the verdict leaves possible.
fn consistent<S: Scalar>(verdict: Verdict, lower: S, upper: S) -> (S, S) {
    match verdict {
        Verdict::Separated => (lower.max(S::TINIEST), upper.max(S::TINIEST)),
        Verdict::Touching => (S::ZERO, S::ZERO),
        Verdict::Overlapping => (lower.min(-S::TINIEST), upper.min(-S::TINIEST)),
        Verdict::Undecided => (lower, upper),
    }
}

/// An `f64` rounded down to the scalar, so that it stays a lower bound.
fn down<S: Scalar>(x: f64) -> S {
    let rounded = S::from_f64(x);
    if rounded.to_f64() > x { rounded.next_down() } else { rounded }
}

/// Cores separated by more than the slack.
fn separated_core<V: Vector>(frame: &Frame<V>, proposal: &Outcome<V>, polytope: bool) -> Core<V> {
    let [v, a, b] = proposal.simplex.points();
    let lower = proposal.lower - frame.slack;
    // The witness points' own direction when it is as good as the separating one; near contact it is noise.
    let normal = (-proposal.direction).normalized().or((-v).normalized()).unwrap_or(V::axis(0));
    let direction = Direction::Float(normal.to_f64());
    Core {
        lower,
        upper: (proposal.upper + frame.slack).max(lower),
        normal,
        points: [a, b],
        verdict: Verdict::Separated,
        stop: proposal.stop,
        iterations: Iterations { gjk: proposal.iterations, epa: 0 },
        certificate: polytope.then_some(Certificate::Separated { direction }),
        nearest: None,
    }
}

/// Cores at distance zero up to the slack, with nothing to expand, or no depth asked for.
fn at_origin<V: Vector>(frame: &Frame<V>, proposal: &Outcome<V>) -> Core<V> {
    let [_, a, b] = proposal.simplex.points();
    Core {
        lower: -V::Scalar::INFINITY,
        upper: proposal.upper + frame.slack,
        normal: (-proposal.direction).normalized().unwrap_or(V::axis(0)),
        points: [a, b],
        verdict: Verdict::Undecided,
        stop: proposal.stop,
        iterations: Iterations { gjk: proposal.iterations, epa: 0 },
        certificate: None,
        nearest: None,
    }
}

/// True when the origin is farther than `slack` inside the simplex of these vertices.
///
/// Every vertex is within the slack of a true one, so the true simplex then holds the origin strictly inside. The
/// planes come from double-double arithmetic, so slivers do not fool this.
fn encloses<V: Vector>(pairs: &[SupportPair<V>], slack: V::Scalar) -> bool {
    if pairs.len() != V::DIM + 1 {
        return false;
    }
    (0..pairs.len()).all(|omitted| {
        let mut facet = [V::ZERO; 3];
        let rest = pairs.iter().enumerate().filter(|&(k, _)| k != omitted);
        for (slot, (_, pair)) in facet.iter_mut().zip(rest) {
            *slot = pair.w;
        }
        let Some((normal, offset)) = V::plane(&facet[..V::DIM]) else {
            return false;
        };
        let inner = normal.dot(pairs[omitted].w) - offset;
        (inner < V::Scalar::ZERO && offset > slack) || (inner > V::Scalar::ZERO && offset < -slack)
    })
}
