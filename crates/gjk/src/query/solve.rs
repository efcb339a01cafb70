//! The pipeline behind every query: frame, proposal, certificate, exact layer, depth.
//!
//! 1. [`Frame::of`] moves the pair to the origin and bounds what rounding costs.
//! 2. A closed form or [`gjk::run`] proposes bounds on the distance of the cores.
//! 3. Bounds farther from zero than the slack are a proof. Polytopes that are left go to `gjk-exact`.
//! 4. Overlapping cores go to [`epa::run`], from vertices proved to enclose the origin.
//! 5. The radii are subtracted once, at the end.

use super::answer::{Certificate, Combination, Contact, Direction, Interval, Iterations, Verdict, Weights};
use super::frame::{Frame, InWorld, Pair};
use super::{Options, WarmStart, closed, coaxial};
use crate::epa;
use crate::gjk::{self, Goal, Outcome, Stop};
use crate::math::{Pose, Scalar, Vector};
use crate::support::{Support, SupportPair};
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
struct Core<W> {
    lower: f64,
    upper: f64,
    normal: W,
    points: [W; 2],
    verdict: Verdict,
    stop: Stop,
    iterations: Iterations,
    certificate: Option<Certificate>,
    /// The exact nearest face, when the exact layer was asked.
    nearest: Option<Nearest>,
}

/// Default gap tolerance in roundings of `f64`: polytopes end on a repeated vertex long before it matters, smooth shapes
/// converge only linearly and would spend the rest of the way on noise.
const POLYTOPE_TOLERANCE_ROUNDINGS: f64 = 16.0;
const SMOOTH_TOLERANCE_ROUNDINGS: f64 = 4096.0;

impl<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Query<'_, V, A, B> {
    /// Answers the query, updating the warm start.
    pub(super) fn run<O: Observe<V>>(&self, warm: &mut WarmStart, observe: &mut O) -> Contact<V> {
        let (frame, difference) = Frame::of(self.a, self.pose_a, self.b, self.pose_b);
        let mut observe = InWorld { frame, inner: observe };
        let proposal = self.propose(&frame, &difference, warm, &mut observe);
        warm.keep(proposal.simplex.pairs().iter().map(|pair| pair.ids));
        let mut core = self.certify(&frame, &difference, &proposal, &mut observe);
        if frame.is_far() {
            rescan(&frame, &difference, &mut core);
        }
        finish(&frame, &difference, core)
    }

    fn tolerance(&self, polytope: bool) -> f64 {
        let roundings = if polytope { POLYTOPE_TOLERANCE_ROUNDINGS } else { SMOOTH_TOLERANCE_ROUNDINGS };
        self.options.tolerance_relative.map_or(roundings * f64::ROUNDING, V::Scalar::to_f64)
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
            (_, Some(cutoff)) => Goal::Cutoff(frame.length_from_world(cutoff.to_f64()) + radius),
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

    /// Steps 3 and 4: what is proved of the cores.
    fn certify<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        observe: &mut O,
    ) -> Core<V::Wide> {
        let polytope = difference.is_polytope();
        let separated = proposal.lower > frame.slack;
        // Polytopes on which the loop stalled with its bounds apart: the exact layer closes them.
        let loose = proposal.stop == Stop::NoProgress && proposal.upper - proposal.lower > frame.slack;
        let asked = polytope && ((loose && self.wants_distance()) || straddles(frame, difference.radius(), proposal));
        if separated && !asked {
            return separated_core(frame, proposal, polytope);
        }
        if polytope {
            let enclosed = proposal.stop == Stop::Enclosed && encloses(proposal.simplex.pairs(), frame.point_slack);
            if enclosed && !separated {
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

    /// The exact layer's answer on the world's vertices; `None` when they overflow.
    #[cold]
    fn exact<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        observe: &mut O,
    ) -> Option<Core<V::Wide>> {
        let (a, b) = (difference.a.world_vertices()?, difference.b.world_vertices()?);
        let class = gjk_exact::classify(V::DIM, &a, &b, (-proposal.direction).to_f64())?;
        let iterations = Iterations { gjk: proposal.iterations, epa: 0 };
        let points = |nearest: &Nearest| {
            [(0, &a), (1, &b)].map(|(k, set)| frame.local(V::Wide::from_f64(nearest.point(k, set))))
        };
        let unit =
            |d: &gjk_exact::Int3| V::Wide::from_f64(integer::to_float(d)).normalized().unwrap_or(V::Wide::axis(0));
        match class {
            Class::Overlapping { pairs } => {
                let points: Vec<_> = pairs.iter().filter_map(|&ids| difference.vertex_pair(ids)).collect();
                Some(self.overlap(frame, difference, proposal, &points, observe))
            }
            Class::Touching { direction, nearest } => Some(Core {
                lower: 0.0,
                upper: 0.0,
                normal: unit(&direction),
                points: points(&nearest),
                verdict: Verdict::Touching,
                stop: Stop::Exact,
                iterations,
                certificate: Some(Certificate::Touching {
                    direction: Direction::Integer(direction),
                    nearest: combination(&nearest),
                }),
                nearest: None,
            }),
            Class::Separated { direction, nearest } => {
                let [lower, upper] = nearest.distance();
                Some(Core {
                    lower,
                    upper,
                    normal: unit(&direction),
                    points: points(&nearest),
                    verdict: Verdict::Separated,
                    stop: Stop::Exact,
                    iterations,
                    certificate: Some(Certificate::Separated {
                        direction: Direction::Integer(direction),
                        nearest: Some(combination(&nearest)),
                    }),
                    nearest: Some(nearest),
                })
            }
        }
    }

    /// Cores proved to overlap, enclosed by `points`.
    fn overlap<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        points: &[SupportPair<V::Wide>],
        observe: &mut O,
    ) -> Core<V::Wide> {
        let mut core = self.expand(frame, difference, proposal, points, observe);
        core.verdict = Verdict::Overlapping;
        (core.lower, core.upper) = consistent(Verdict::Overlapping, core.lower, core.upper);
        core.certificate =
            Some(Certificate::Overlapping { pairs: points.iter().map(|p| p.ids).collect(), facets: Vec::new() });
        core
    }

    /// EPA from `points`; the verdict only says what its bounds prove.
    fn expand<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        points: &[SupportPair<V::Wide>],
        observe: &mut O,
    ) -> Core<V::Wide> {
        let settings = epa::Settings {
            tolerance_relative: self.tolerance(difference.is_polytope()),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        if self.depth != Depth::Penetration && difference.is_polytope() {
            return at_origin(frame, proposal);
        }
        let section = if difference.is_polytope() { None } else { coaxial::sections(difference, frame.reach()) };
        let found = match section {
            Some((prisms, normal)) => epa::run(&prisms, &[], &settings, observe).map(|mut found| {
                found.points = found.points.map(|x| x - normal * x.dot(normal));
                found
            }),
            None => epa::run(difference, points, &settings, observe),
        };
        let Some(found) = found else {
            return flat(frame, difference, proposal);
        };
        // While the origin is outside the polytope a facet's plane bounds nothing; the simplex of GJK still does.
        let nearest = if found.lower < 0.0 { proposal.upper } else { -found.lower };
        let (lower, upper) = (-found.upper - frame.slack, nearest + frame.point_slack);
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
}

fn combination(nearest: &Nearest) -> Combination {
    Combination { pairs: nearest.pairs.clone(), weights: Weights::Integer(nearest.weights.clone()) }
}

/// True when floats cannot tell whether the cores' distance exceeds the radii.
fn straddles<W: Vector<Scalar = f64, Wide = W>>(frame: &Frame<W>, radius: f64, proposal: &Outcome<W>) -> bool {
    radius > 0.0 && !(proposal.lower - frame.slack > radius) && !(proposal.upper + frame.slack < radius)
}

/// Far from the world's origin the choice of a support vertex is less certain than the vertices themselves: replaces the
/// bound that rests on it by the largest height over all vertices.
fn rescan<V, A, B>(frame: &Frame<V::Wide>, difference: &Pair<'_, V, A, B>, core: &mut Core<V::Wide>)
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let decided = !matches!(core.verdict, Verdict::Touching) && core.nearest.is_none() && core.lower.is_finite();
    let (Some(n), Some(m)) = (difference.a.vertex_count(), difference.b.vertex_count()) else {
        return;
    };
    if !decided {
        return;
    }
    let highest = |count: u32, vertex: &dyn Fn(u32) -> Option<V::Wide>, d: V::Wide| {
        (0..count).filter_map(vertex).map(|x| x.dot(d)).fold(f64::NEG_INFINITY, f64::max)
    };
    let a = highest(n, &|id| difference.a.vertex(id), core.normal);
    let b = highest(m, &|id| difference.b.vertex(id), -core.normal);
    // The gap along the normal: a lower bound of the signed distance, by a direction that is unit to a few roundings.
    let gap = -(a + b) - frame.point_slack;
    if gap > core.lower && gap <= core.upper {
        core.lower = gap;
    }
    if core.verdict == Verdict::Separated {
        let [a, b] = core.points;
        core.upper = core.upper.min((b - a).norm() + frame.point_slack).max(core.lower);
    }
}

/// Step 5: radii, verdict, and the world's frame and scalar.
fn finish<V, A, B>(frame: &Frame<V::Wide>, difference: &Pair<'_, V, A, B>, core: Core<V::Wide>) -> Contact<V>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let radii = [difference.a.radius(), difference.b.radius()];
    let polytope = difference.is_polytope();
    let (mut lower, mut upper, mut verdict) = (core.lower, core.upper, core.verdict);
    let mut certificate = core.certificate;
    if radii != [0.0; 2] {
        // One radius at a time, rounded outward: their rounded sum could be off by more than the interval is wide.
        for r in radii {
            (lower, upper) = ((lower - r).next_down(), (upper - r).next_up());
        }
        verdict = rounded_verdict(lower, upper, radii, polytope, core.nearest.as_ref());
        if verdict != Verdict::Separated {
            certificate = certificate.filter(|c| matches!(c, Certificate::Overlapping { .. }));
        }
    }
    let lower = down::<V::Scalar>(frame.length_to_world(lower));
    let upper = -down::<V::Scalar>(-frame.length_to_world(upper));
    let (lower, upper) = consistent(verdict, lower, upper);
    let [a, b] = core.points;
    Contact {
        verdict,
        exact: polytope && verdict != Verdict::Undecided,
        signed_distance: Interval { lower, upper },
        normal: core.normal.lift(),
        point_a: frame.point_to_world(a + core.normal * radii[0]),
        point_b: frame.point_to_world(b - core.normal * radii[1]),
        stop: core.stop,
        iterations: core.iterations,
        certificate,
    }
}

/// The verdict of bodies with radii: by the interval, or by the exact squared distance of their cores.
fn rounded_verdict(lower: f64, upper: f64, radii: [f64; 2], polytope: bool, nearest: Option<&Nearest>) -> Verdict {
    use core::cmp::Ordering::{Equal, Greater, Less};
    match (sign_verdict(lower, upper), nearest) {
        (Verdict::Undecided, Some(nearest)) if polytope => match gjk_exact::compare_distance(nearest, &radii) {
            Greater => Verdict::Separated,
            Equal => Verdict::Touching,
            Less => Verdict::Overlapping,
        },
        (verdict, _) => verdict,
    }
}

/// The verdict that an interval alone proves.
fn sign_verdict(lower: f64, upper: f64) -> Verdict {
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
fn separated_core<W>(frame: &Frame<W>, proposal: &Outcome<W>, polytope: bool) -> Core<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [v, a, b] = proposal.simplex.points();
    let lower = proposal.lower - frame.slack;
    let separating = (-proposal.direction).normalized().or((-v).normalized()).unwrap_or(W::axis(0));
    let normal = (-proposal.nearest).normalized().unwrap_or(separating);
    let direction = Direction::Float(separating.to_f64());
    Core {
        lower,
        upper: (proposal.upper + frame.point_slack).max(lower),
        normal,
        points: [a, b],
        verdict: Verdict::Separated,
        stop: proposal.stop,
        iterations: Iterations { gjk: proposal.iterations, epa: 0 },
        certificate: polytope.then_some(Certificate::Separated { direction, nearest: None }),
        nearest: None,
    }
}

/// Cores at distance zero up to the slack, with nothing to expand, or no depth asked for.
fn at_origin<W>(frame: &Frame<W>, proposal: &Outcome<W>) -> Core<W>
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
        nearest: None,
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

/// True when the origin is farther than `slack` inside the simplex of these vertices.
///
/// Every vertex is within the slack of a true one, so the true simplex then holds the origin strictly inside. The
/// planes come from double-double arithmetic, so slivers do not fool this.
fn encloses<W: Vector<Scalar = f64>>(pairs: &[SupportPair<W>], slack: f64) -> bool {
    if pairs.len() != W::DIM + 1 {
        return false;
    }
    (0..pairs.len()).all(|omitted| {
        let mut facet = [W::ZERO; 3];
        let rest = pairs.iter().enumerate().filter(|&(k, _)| k != omitted);
        for (slot, (_, pair)) in facet.iter_mut().zip(rest) {
            *slot = pair.w;
        }
        let Some((normal, offset)) = W::plane(&facet[..W::DIM]) else {
            return false;
        };
        let inner = normal.dot(pairs[omitted].w) - offset;
        (inner < 0.0 && offset > slack) || (inner > 0.0 && offset < -slack)
    })
}
