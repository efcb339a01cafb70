//! The pipeline behind every query: frame, proposal, certificate, numbers.
//!
//! 0. Two boxes that overlap are answered by their axes, if nobody observes; boxes apart start the loop with the axis.
//!    Polygons of few vertices are answered by their edges: `polygons.rs`; points, segments and a box by closed forms: `cores.rs`.
//! 1. [`Frame::of`] brings the pair into range and bounds what rounding costs.
//! 2. A closed form or [`gjk::run`] proposes bounds on the distance of the cores.
//! 3. Bounds farther from zero than the slack are a proof. Hulls that are left go to `polytope.rs`, which asks the exact
//!    layer; what is left of other bodies is an interval.
//! 4. Overlapping cores go to [`epa::run`], from vertices proved to enclose the origin.
//! 5. The radii are subtracted once, at the end.

use super::answer::{Certificate, Contact, Direction, Interval, Iterations, Verdict};
use super::boxes::{Along, Boxes, Relation};
use super::frame::{Frame, InWorld, Pair};
use super::turned::{Measured, Told, Turned};
use super::{Options, WarmStart, closed, coaxial, polytope};
use crate::loops::epa;
use crate::loops::gjk::{self, Goal, Outcome, Stop};
use crate::loops::simplex::{Reduced, Simplex, reduce};
use crate::loops::trace::Observe;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{Form, Support};

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

/// Bounds of a depth by sections that are within this part of it need no look at the bodies themselves. It chooses, and proves nothing.
const SECTIONS_SUFFICE: f64 = 1.0 / (1u64 << 14) as f64;

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
    pub(super) fn run<O: Observe<V>>(
        &self,
        warm: Option<&mut WarmStart>,
        observe: &mut O,
    ) -> Contact<V> {
        let mut first = self.options.first_direction.map(V::lift);
        // The tutorials' form keeps their first direction.
        if self.depth == Depth::Boolean {
            return self.loops(first, warm, observe);
        }
        let mut along = Along::default();
        let told = self.quick(&mut along, &mut first);
        // An observer sees the loops at work, from where they start unobserved.
        if !O::ENABLED
            && let Some((verdict, stop)) = told
        {
            if self.depth == Depth::Verdict && verdict == Verdict::Separated {
                return apart(along.normal);
            }
            if !self.states_certificate() {
                return self.by_axes(verdict, &along, stop, None);
            }
            if let Some(certificate) = self.enclosure() {
                return self.by_axes(verdict, &along, stop, Some(certificate));
            }
        }
        self.loops(first, warm, observe)
    }

    /// Step 0: the verdict and why, with its numbers in `along`, of a separation only its axis where nothing else is asked. Else
    /// perhaps a better first direction for the loop.
    ///
    /// Bodies that are apart are told only where the answer states no certificate, which takes the loop's vertices.
    #[inline(always)]
    fn quick(&self, along: &mut Along, first: &mut Option<V::Wide>) -> Option<(Verdict, Stop)> {
        let forms = [self.a.form(), self.b.form()];
        let boxes = match forms {
            [Form::Other, _] | [_, Form::Other] => return None,
            [
                Form::Cuboid(_) | Form::Polygon(_),
                Form::Cuboid(_) | Form::Polygon(_),
            ] if V::DIM == 2 => {
                return self
                    .polygons(&forms, along, first)
                    .map(|verdict| (verdict, Stop::SeparatingAxes));
            }
            // Near boxes are told by their axes, and points on them come to each other slowly.
            [Form::Cuboid(a), Form::Cuboid(b)]
                if self.depth == Depth::Verdict || !self.far(a, b) =>
            {
                match self.measured_turned(along) {
                    Measured::Told(verdict) => return Some((verdict, Stop::SeparatingAxes)),
                    Measured::Aside(axis) => {
                        *first = first.or(Some(V::Wide::from_f64(axis)));
                        return self
                            .cores(&forms, along)
                            .map(|verdict| (verdict, Stop::ClosedForm));
                    }
                    Measured::Unknown => self.boxes(a, b)?,
                }
            }
            _ => {
                return self
                    .cores(&forms, along)
                    .map(|verdict| (verdict, Stop::ClosedForm));
            }
        };
        match boxes.relation() {
            Relation::Separated(axis) if self.depth == Depth::Verdict => {
                along.normal = axis;
                Some((Verdict::Separated, Stop::SeparatingDirection))
            }
            Relation::Separated(_) => {
                let (axis, found) = boxes.distance(self.narrow());
                *first = first.or(Some(V::Wide::from_f64(axis)));
                *along = found.filter(|_| !self.states_certificate())?;
                Some((Verdict::Separated, Stop::SeparatingAxes))
            }
            // A proof of the depth takes EPA's facets.
            Relation::Overlapping(overlaps) if !self.options.prove_depth => {
                *along = if self.depth == Depth::Penetration {
                    boxes.depth(&overlaps, Some(self.narrow()).filter(|&width| width > 0.0)?)?
                } else {
                    // Nobody reads these numbers but the points, which are in the boxes.
                    let points = [[0.0; 3], boxes.between()];
                    Along {
                        lower: 0.0,
                        upper: f64::INFINITY,
                        normal: [1.0, 0.0, 0.0],
                        points,
                    }
                };
                Some((Verdict::Overlapping, Stop::SeparatingAxes))
            }
            _ => None,
        }
    }

    /// Steps 1 to 5; hulls without asking at every step what kind of shape they are.
    fn loops<O: Observe<V>>(
        &self,
        first: Option<V::Wide>,
        warm: Option<&mut WarmStart>,
        observe: &mut O,
    ) -> Contact<V> {
        let (pose_a, pose_b, options, depth) = (self.pose_a, self.pose_b, self.options, self.depth);
        match (self.a.hull(), self.b.hull()) {
            (Some(a), Some(b)) if !O::ENABLED => Query {
                a,
                pose_a,
                b,
                pose_b,
                options,
                depth,
            }
            .steps(first, warm, observe),
            _ => self.steps(first, warm, observe),
        }
    }

    // Apart from step 0, whose answers are faster than this function's prologue.
    #[inline(never)]
    fn steps<O: Observe<V>>(
        &self,
        first: Option<V::Wide>,
        mut warm: Option<&mut WarmStart>,
        observe: &mut O,
    ) -> Contact<V> {
        let (frame, difference) = Frame::of(self.a, self.pose_a, self.b, self.pose_b);
        if !frame.fits() {
            return overflow();
        }
        if !O::ENABLED
            && let Some(warm) = warm.as_deref_mut()
            && let Some(core) = self.resumed(&frame, &difference, warm)
        {
            return finish(&frame, &difference, core, true);
        }
        let mut observe = InWorld {
            frame,
            inner: observe,
        };
        let ids = warm.as_deref().map_or(&[][..], WarmStart::ids);
        let proposal = self.propose(&frame, &difference, first, ids, &mut observe);
        let surface = warm.map(|warm| {
            warm.keep(proposal.simplex.pairs().iter().map(|pair| pair.ids));
            &mut warm.surface
        });
        if self.is_narrow(&frame, &difference, &proposal) {
            return finish(&frame, &difference, separated(&frame, &proposal), true);
        }
        let hulls = polytope::Hulls::of(&difference);
        let core = match &hulls {
            Some(hulls) => self.certify(&frame, hulls, &proposal, surface, &mut observe),
            None => self.bound(&frame, &difference, &proposal, &mut observe),
        };
        finish(&frame, &difference, core, hulls.is_some())
    }

    /// Whether the loop's own bounds are all that is asked of two hulls: they prove that they are apart, and are as narrow as
    /// the caller wants.
    #[inline(always)]
    fn is_narrow(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
    ) -> bool {
        let (lower, upper) = (proposal.lower - frame.slack, proposal.upper + frame.slack);
        let [lower, upper] = less_radii(
            [lower, upper],
            [difference.a.radius(), difference.b.radius()],
        );
        lower > 0.0
            && !self.states_certificate()
            && upper - lower <= lower * self.narrow()
            && difference.is_polytope()
    }

    /// The pair as two plain boxes, if it is such.
    #[inline]
    fn boxes(&self, half_a: V, half_b: V) -> Option<Boxes> {
        let plain = self.a.radius() == V::Scalar::ZERO && self.b.radius() == V::Scalar::ZERO;
        if plain {
            Boxes::new(half_a, self.pose_a, half_b, self.pose_b)
        } else {
            None
        }
    }

    /// Whether balls around two boxes are apart. Then features seldom face each other, and the loop starts well from the
    /// centres. This chooses between two ways to the same answer.
    #[inline]
    fn far(&self, half_a: V, half_b: V) -> bool {
        let (Some(a), Some(b)) = (self.pose_a.uniform_scale(), self.pose_b.uniform_scale()) else {
            return false;
        };
        let reach = half_a.norm() * a + half_b.norm() * b;
        (self.pose_b.translation() - self.pose_a.translation()).norm_squared() > reach * reach
    }

    /// Whether a certificate is asked for and has room.
    pub(super) fn states_certificate(&self) -> bool {
        self.options.certificate && self.depth != Depth::Distance
    }

    /// The verdict on two plain boxes under rotations, where it is clear and needs no vertices, with the axis that separates them.
    #[inline(always)]
    pub(super) fn turned(&self) -> Told {
        self.turned_boxes()
            .map_or(Told::Unknown, |boxes| boxes.relation())
    }

    /// The pair as two plain boxes under rotations, if it is such.
    #[inline(always)]
    fn turned_boxes(&self) -> Option<Turned> {
        let [Form::Cuboid(half_a), Form::Cuboid(half_b)] = [self.a.form(), self.b.form()] else {
            return None;
        };
        let plain =
            V::DIM == 3 && self.a.radius() == V::Scalar::ZERO && self.b.radius() == V::Scalar::ZERO;
        if plain {
            Turned::new(half_a, self.pose_a, half_b, self.pose_b)
        } else {
            None
        }
    }

    /// What two boxes under rotations are found to be, where that is all that is asked.
    #[inline(always)]
    fn measured_turned(&self, along: &mut Along) -> Measured {
        let (width, depth_asked) = (self.narrow(), self.depth == Depth::Penetration);
        let plain = self.depth != Depth::Verdict && !self.options.prove_depth && width > 0.0;
        match self
            .turned_boxes()
            .filter(|_| plain)
            .map(|boxes| boxes.measured(width, depth_asked, along))
        {
            // Bodies apart are certified by the loop's vertices.
            Some(Measured::Told(Verdict::Separated)) if self.states_certificate() => {
                Measured::Aside(along.normal)
            }
            Some(measured) => measured,
            None => Measured::Unknown,
        }
    }

    /// The answer of step 0.
    fn by_axes(
        &self,
        verdict: Verdict,
        along: &Along,
        stop: Stop,
        certificate: Option<Certificate>,
    ) -> Contact<V> {
        let (low, high) = if verdict == Verdict::Overlapping {
            (-along.upper, -along.lower)
        } else {
            (along.lower, along.upper)
        };
        let (lower, upper) = consistent(
            verdict,
            V::Scalar::round_down(low),
            -V::Scalar::round_down(-high),
        );
        let from: V::Wide = self.pose_a.translation().lift();
        Contact {
            verdict,
            exact: true,
            signed_distance: Interval { lower, upper },
            normal: (V::Wide::from_f64(along.normal) + V::Wide::ZERO).lift(),
            point_a: (V::Wide::from_f64(along.points[0]) + from).lift(),
            point_b: (V::Wide::from_f64(along.points[1]) + from).lift(),
            stop,
            iterations: Iterations::default(),
            certificate,
        }
    }

    /// Vertices that enclose the origin, as floats prove; `None` where they do not.
    pub(super) fn enclosure(&self) -> Option<Certificate> {
        let (frame, difference) = Frame::of(self.a, self.pose_a, self.b, self.pose_b);
        let settings = gjk::Settings {
            goal: Goal::Separation(0.0),
            tolerance_relative: 0.0,
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        let first = difference.b.center() - difference.a.center();
        let found = gjk::run(&difference, first, &[], &settings, &mut ());
        let pairs = found.simplex.pairs();
        polytope::surely_enclose(pairs).then(|| Certificate::enclosing(pairs))
    }

    pub(super) fn tolerance(&self, polytope: bool) -> f64 {
        let default = if polytope {
            0.0
        } else {
            SMOOTH_TOLERANCE_ROUNDINGS * f64::ROUNDING
        };
        self.options
            .tolerance_relative
            .map_or(default, V::Scalar::to_f64)
    }

    fn propose<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        first: Option<V::Wide>,
        warm: &[[u32; 2]],
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
            (_, Some(cutoff)) => {
                Goal::Cutoff(frame.length_from_world(cutoff.to_f64()).max(0.0) + radius)
            }
            _ => Goal::Distance,
        };
        let first = first.unwrap_or_else(|| difference.b.center() - difference.a.center());
        let settings = gjk::Settings {
            goal,
            tolerance_relative: self.tolerance(difference.is_polytope()),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
        };
        gjk::run(difference, first, warm, &settings, observe)
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
        let Some(found) = self.expanded(frame, difference, proposal, observe) else {
            return flat(frame, difference, proposal);
        };
        // While the origin is outside the polytope a facet's plane bounds nothing; the simplex of GJK still does.
        let outside = found.lower < 0.0;
        let (nearest, points) = if outside {
            nearest_known(proposal)
        } else {
            (-found.lower, found.points)
        };
        let (lower, upper) = (-found.upper - frame.slack, nearest + frame.point_slack);
        Core {
            lower,
            upper: upper.max(lower),
            normal: found.normal,
            points,
            verdict: sign_verdict(lower, upper),
            stop: found.stop,
            iterations: Iterations {
                gjk: proposal.iterations,
                epa: found.iterations,
            },
            certificate: None,
            rounded: None,
        }
    }

    /// EPA on bodies that are not both hulls; on their sections where those say enough.
    fn expanded<O: Observe<V::Wide>>(
        &self,
        frame: &Frame<V::Wide>,
        difference: &Pair<'_, V, A, B>,
        proposal: &Outcome<V::Wide>,
        observe: &mut O,
    ) -> Option<epa::Outcome<V::Wide>> {
        let settings = self.expansion(frame, false);
        let by_sections = coaxial::sections(difference, frame.reach()).and_then(|sections| {
            let mut found = epa::run(&sections.prisms, &[], &settings, None, observe)?;
            found.points = found
                .points
                .map(|x| x - sections.along * x.dot(sections.along));
            found.lower -= sections.deeper;
            Some(found)
        });
        match by_sections {
            Some(found) if found.upper - found.lower <= found.lower * SECTIONS_SUFFICE => {
                Some(found)
            }
            // Flat bodies under a rotation of few bits: the bodies themselves may tell more.
            by_sections => {
                let found = epa::run(
                    difference,
                    proposal.simplex.pairs(),
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

    pub(super) fn expansion(&self, frame: &Frame<V::Wide>, polytope: bool) -> epa::Settings {
        epa::Settings {
            tolerance_relative: self.tolerance(polytope),
            iterations_max: self.options.iterations_max,
            slack: frame.slack,
            narrow: if self.options.prove_depth {
                0.0
            } else {
                self.narrow()
            },
            list_facets: self.options.prove_depth && polytope,
        }
    }
}

/// Boxes or polygons that an axis separates, where nothing else is asked.
fn apart<V: Vector>(axis: [f64; 3]) -> Contact<V> {
    let direction = Direction::Float(axis);
    Contact {
        verdict: Verdict::Separated,
        exact: true,
        signed_distance: Interval {
            lower: V::Scalar::ZERO,
            upper: V::Scalar::INFINITY,
        },
        normal: V::ZERO,
        point_a: V::ZERO,
        point_b: V::ZERO,
        stop: Stop::SeparatingDirection,
        iterations: Iterations::default(),
        certificate: Some(Certificate::Separated {
            direction,
            nearest: None,
        }),
    }
}

/// Step 5: radii, verdict, and the world's frame and scalar.
#[inline(always)]
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
#[inline(always)]
pub(super) fn less_radii(bounds: [f64; 2], radii: [f64; 2]) -> [f64; 2] {
    let less = |[lower, upper]: [f64; 2], r: f64| {
        if r == 0.0 {
            [lower, upper]
        } else {
            [(lower - r).next_down(), (upper - r).next_up()]
        }
    };
    less(less(bounds, radii[0]), radii[1])
}

/// Bodies that leave the range of `f64` once posed: nothing is known of them.
fn overflow<V: Vector>() -> Contact<V> {
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
    Core {
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

/// Cores at distance zero up to the slack, with nothing to expand, or no depth asked for.
pub(super) fn at_origin<W>(frame: &Frame<W>, proposal: &Outcome<W>) -> Core<W>
where
    W: Vector<Scalar = f64, Wide = W>,
{
    let [_, a, b] = proposal.points;
    Core {
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

/// The distance of the loop's simplex, as proved, and its points. That it encloses the origin may be an error of rounding: then
/// the nearest of its facets' points are still points of the bodies.
fn nearest_known<W: Vector<Scalar = f64, Wide = W>>(proposal: &Outcome<W>) -> (f64, [W; 2]) {
    let [_, a, b] = proposal.points;
    let (pairs, mut best) = (proposal.simplex.pairs(), (proposal.upper, [a, b]));
    if pairs.len() <= W::DIM || polytope::surely_enclose(pairs) {
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
fn flat<V, A, B>(
    frame: &Frame<V::Wide>,
    difference: &Pair<'_, V, A, B>,
    proposal: &Outcome<V::Wide>,
) -> Core<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let mut core = at_origin(frame, proposal);
    let (nearest, points) = nearest_known(proposal);
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
