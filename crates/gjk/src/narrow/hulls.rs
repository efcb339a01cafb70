//! Pairs of hulls, rounded or not: the verdict is exact and the interval a few roundings wide.
//!
//! Where it sits: called by `ladder.rs` with what the loop proposes. Read [`certify`] first.
//! Idea: a direction far enough from zero proves separation at the cost of a compare, and four exact signs prove that a
//! simplex encloses the origin. What is left goes to `gjk-exact`, which starts from the loop's simplex. A distance whose
//! bounds are not narrow as the loop left them is measured from the nearest face in double-double, along a direction and by a
//! combination of vertices that the certificate states.

use super::core_answer::{CoreAnswer, at_origin, separated, verdict_only};
use super::float_bounds::{bounds, surely_enclose};
use super::frame::{Difference, Frame};
use super::proposal::{Proposal, expansion};
use super::statement::{combination, compared, exact_combination, stated};
use crate::Stop;
use crate::answer::{Certificate, Combination, Direction, Iterations, Verdict, Weights};
use crate::bounds::less_radii;
use crate::cache::Cache;
use crate::loops::epa;
use crate::loops::epa::CachedFacets;
use crate::loops::gjk::Outcome;
use crate::loops::trace::Observe;
use crate::math::{Vector, Vector64};
use crate::request::{Request, Wanted};
use crate::support::{Posed, Support, SupportPair, Vertices};
use alloc::vec::Vec;
use gjk_exact::{
    AdaptiveSigns, Class, Measured, Nearest, Operand, Problem, SignOracle, Simplex,
    SymbolicDirection, Vertex, measure,
};
use smallvec::SmallVec;

/// The world's vertices of a body.
type Hull<'d, V, S> = Vertices<'d, <V as Vector>::Wide, Posed<'d, V, S>>;

/// A pair of hulls as the exact layer sees it.
pub(super) struct Hulls<'d, V: Vector, A: ?Sized, B: ?Sized> {
    difference: &'d Difference<'d, V, A, B>,
    a: Hull<'d, V, A>,
    b: Hull<'d, V, B>,
    signs: AdaptiveSigns,
}

/// An interval wider than this many `f64::EPSILON`, two roundings each, of the pair's size comes from a face that is not the
/// nearest.
///
/// The true nearest face gives a width of at most 2 roundings a component for the direction and one for each end. Any
/// larger number would do: it only decides when the exact layer looks for a better face.
const LOOSE_ROUNDINGS: f64 = 16.0;

/// The distance less the radii, what squares say, and the face that decides with its direction, where it is another.
type FaceBySquares = (
    [f64; 2],
    (Verdict, Certificate),
    Option<(Nearest, [f64; 3])>,
);

impl<'d, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Hulls<'d, V, A, B> {
    /// The pair, if both cores are hulls of numbered vertices.
    pub(super) fn of(difference: &'d Difference<'d, V, A, B>) -> Option<Self> {
        let (a, b) = (&difference.a, &difference.b);
        let (a, b) = (
            Vertices::of(a, a.vertex_count())?,
            Vertices::of(b, b.vertex_count())?,
        );
        Some(Self {
            difference,
            a,
            b,
            signs: AdaptiveSigns::default(),
        })
    }

    /// The direction of the nearest face, as certificates state it.
    pub(super) fn towards(&self, face: &Nearest) -> Option<SymbolicDirection> {
        face.direction(&self.signs).map(|direction| -direction)
    }

    /// The gap of a face and what squares say of it; where floats found another that is as near within rounding, that of the one by exact signs, with its
    /// direction.
    #[cold]
    fn by_squares(&self, face: &Nearest, exact: bool, radii: &[f64; 2]) -> FaceBySquares {
        if !exact
            && let Class::Separated { nearest, direction } =
                self.problem().classify(face.vertices())
        {
            let decided = Some((nearest, stated(&direction).1));
            let found = compared(&nearest, Some(direction), radii);
            return (nearest.gap(radii), found, decided);
        }
        (
            face.gap(radii),
            compared(face, self.towards(face), radii),
            None,
        )
    }

    /// Whether the world's vertices are floats.
    pub(super) fn are_finite(&self) -> bool {
        let (a, b) = (&self.difference.a, &self.difference.b);
        let finite = |x: Option<V::Wide>| x.is_some_and(|x| x.is_finite());
        let all = |count: Option<u32>| 0..count.unwrap_or(0);
        all(a.vertex_count()).all(|id| finite(a.vertex(id)))
            && all(b.vertex_count()).all(|id| finite(b.vertex(id)))
    }

    /// A vertex of the difference.
    pub(super) fn first(&self) -> Option<Vertex> {
        Some(self.difference.vertex_pair([0, 0])?.exact())
    }

    pub(super) fn problem(&self) -> Problem<'_, Hull<'d, V, A>, Hull<'d, V, B>, AdaptiveSigns> {
        Problem::new(V::DIM, &self.a, &self.b, &self.signs)
    }

    /// True when the vertices are a full simplex with the origin strictly inside.
    fn enclosed(&self, vertices: &[Vertex]) -> bool {
        if vertices.len() != V::DIM + 1 {
            return false;
        }
        let mut expected = None;
        (0..vertices.len()).all(|omitted| {
            let mut facet = [vertices[0]; 3];
            let rest = vertices.iter().enumerate().filter(|&(k, _)| k != omitted);
            for (slot, (_, vertex)) in facet.iter_mut().zip(rest) {
                *slot = *vertex;
            }
            // Barycentric numerators of the origin: they must have one sign, which alternates with the omitted position in
            // space and in the plane alike (there the cycle of the other two is reversed at every other position).
            let normal = measure::normal(V::DIM, &facet[..V::DIM]);
            let sign = self.signs.sign(&normal, &Operand::Vertex(facet[0]));
            let sign = if omitted % 2 == 0 {
                sign
            } else {
                sign.reverse()
            };
            sign.is_ne() && *expected.get_or_insert(sign) == sign
        })
    }
}

/// A face of the difference that is or should be the nearest, what it measures, and whether the exact layer gave it.
struct SeparatingFace {
    face: Nearest,
    measured: Measured,
    exact: bool,
    /// The exact direction, where its floats do not prove the lower bound.
    direction: Option<SymbolicDirection>,
}

impl SeparatingFace {
    /// The direction as a certificate states it.
    fn stated_direction(&self) -> Direction {
        match &self.direction {
            Some(direction) => stated(direction).0,
            None => Direction::Float(self.measured.direction),
        }
    }

    /// The face's point nearest to the origin as a certificate states it.
    fn combination(&self) -> Combination {
        if self.direction.is_some() {
            return exact_combination(&self.face);
        }
        let weights = self.measured.weights[..self.face.vertices().len()].to_vec();
        combination(&self.face, Weights::Float(weights))
    }
}

/// The exact verdict on two hulls, and the numbers that the request wants.
pub(super) fn certify<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
    cached: Option<&mut CachedFacets>,
    observe: &mut O,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let Proposal {
        request,
        frame,
        outcome,
        ..
    } = *proposal;
    if matches!(outcome.stop, Stop::SeparatingDirection | Stop::BeyondCutoff) {
        return by_direction(request, frame, outcome);
    }
    let pairs = outcome.simplex.pairs();
    if surely_enclose(pairs) {
        return overlapping(proposal, hulls, pairs, cached, observe);
    }
    if outcome.lower > frame.slack
        && request.width > 0.0
        && let Some(core) = by_float_bounds(proposal, hulls)
    {
        return core;
    }
    let vertices: SmallVec<[Vertex; 4]> = pairs.iter().map(SupportPair::exact).collect();
    if outcome.lower > frame.slack {
        if let Some(face) = loops_face(hulls, &vertices, frame.size()) {
            return by_face(proposal, hulls, face);
        }
    } else if !request.float_only && hulls.enclosed(&vertices) {
        return overlapping(proposal, hulls, pairs, cached, observe);
    }
    if request.float_only {
        return undecided(frame, outcome);
    }
    decide_exactly(proposal, hulls, &vertices, cached, observe)
}

/// The loop's last face, measured in double-double; `None` where it is surely not the nearest.
fn loops_face<V, A, B>(
    hulls: &Hulls<'_, V, A, B>,
    vertices: &[Vertex],
    size: f64,
) -> Option<SeparatingFace>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    if vertices.len() > V::DIM {
        return None;
    }
    let face = Nearest::new(V::DIM, Simplex::new(vertices));
    let measured = hulls.problem().measure(&face)?;
    let width_max = LOOSE_ROUNDINGS * f64::EPSILON * size;
    let tight = measured.lower > 0.0 && measured.upper - measured.lower <= width_max;
    tight.then_some(SeparatingFace {
        face,
        measured,
        exact: false,
        direction: None,
    })
}

/// Cores that a direction of the loop separates by more than their radii. Its length does not matter, so it stays as it is.
fn by_direction<W: Vector<Scalar = f64, Wide = W>>(
    request: &Request,
    frame: &Frame<W>,
    outcome: &Outcome<W>,
) -> CoreAnswer<W> {
    let certificate = request.certificate.then(|| Certificate::Separated {
        direction: Direction::Float((-outcome.direction).to_f64()),
        nearest: None,
    });
    if request.wanted == Wanted::Verdict {
        return verdict_only(outcome, Verdict::Separated, certificate);
    }
    CoreAnswer {
        certificate,
        ..separated(frame, &outcome.ending())
    }
}

/// Cores that the loop's own bounds separate, where those are narrow enough; `None` where the pair is to be measured.
fn by_float_bounds<V, A, B>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
) -> Option<CoreAnswer<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal {
        request,
        frame,
        outcome,
        ..
    } = *proposal;
    let (direction, ends) = bounds(hulls.difference, outcome)?;
    let core = CoreAnswer {
        lower: ends[0],
        upper: ends[1],
        ..separated(frame, &outcome.ending())
    };
    let [lower, upper] = less_radii(
        ends,
        [hulls.difference.a.radius(), hulls.difference.b.radius()],
    );
    let (width, part) = (upper - lower, request.width);
    let verdict = if width <= lower * part {
        Verdict::Separated
    } else if width <= -upper * part {
        Verdict::Overlapping
    } else {
        return None;
    };
    let certificate = request.certificate.then(|| {
        let direction = Direction::Float(direction.to_f64());
        let nearest = Combination {
            pairs: outcome.simplex.pairs().iter().map(|p| p.ids).collect(),
            weights: Weights::Float(outcome.simplex.weights().to_vec()),
        };
        if verdict == Verdict::Separated {
            Certificate::Separated {
                direction,
                nearest: Some(nearest),
            }
        } else {
            Certificate::Near { direction, nearest }
        }
    });
    Some(CoreAnswer {
        verdict,
        certificate,
        ..core
    })
}

/// What the exact layer says.
#[cold]
fn decide_exactly<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
    start: &[Vertex],
    cached: Option<&mut CachedFacets>,
    observe: &mut O,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let Proposal { frame, outcome, .. } = *proposal;
    let problem = hulls.problem();
    match problem.classify(start) {
        Class::Overlapping(enclosure) => {
            let ids = enclosure.vertices().iter().map(|v| v.pair);
            let points: Vec<_> = ids
                .filter_map(|ids| hulls.difference.vertex_pair(ids))
                .collect();
            overlapping(proposal, hulls, &points, cached, observe)
        }
        Class::Touching { direction, nearest } => touching(proposal, hulls, &direction, &nearest),
        Class::Separated { nearest, direction } => match problem.measure(&nearest) {
            Some(mut measured) => {
                // A gap below the rounding of the direction, or not far above it: only the formula separates, and measures.
                let direction = (measured.lower < 0.5 * measured.upper).then_some(direction);
                if direction.is_some() {
                    [measured.lower, measured.upper] = nearest.distance();
                }
                by_face(
                    proposal,
                    hulls,
                    SeparatingFace {
                        face: nearest,
                        measured,
                        exact: true,
                        direction,
                    },
                )
            }
            // A separated pair's nearest face has a direction and weights.
            None => at_origin(frame, outcome),
        },
    }
}

/// Cores that touch: a radius makes them overlap.
fn touching<V, A, B>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
    direction: &SymbolicDirection,
    nearest: &Nearest,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let (direction, floats) = stated(direction);
    let normal = V::Wide::from_f64(floats).normalized();
    let mut core = at_origin(proposal.frame, proposal.outcome);
    (core.lower, core.upper, core.stop) = (0.0, 0.0, Stop::Exact);
    core.normal = normal.unwrap_or(V::Wide::axis(0));
    if let Some(weights) = nearest.rounded_weights() {
        core.points = nearest.points(&weights).map(V::Wide::from_f64);
    }
    let rounded = hulls.difference.radius() > 0.0;
    core.verdict = if rounded {
        Verdict::Overlapping
    } else {
        Verdict::Touching
    };
    core.certificate = proposal.request.certificate.then(|| {
        let nearest = exact_combination(nearest);
        if rounded {
            Certificate::Near { direction, nearest }
        } else {
            Certificate::Touching { direction, nearest }
        }
    });
    core
}

/// Separated cores: the radii decide, by the interval or by comparing squares.
fn by_face<V, A, B>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
    found: SeparatingFace,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let Proposal {
        request, outcome, ..
    } = *proposal;
    let (face, measured) = (&found.face, &found.measured);
    let radii = [hulls.difference.a.radius(), hulls.difference.b.radius()];
    let [lower, upper] = less_radii([measured.lower, measured.upper], radii);
    let mut stop = if found.exact {
        Stop::Exact
    } else {
        outcome.stop
    };
    let (mut rounded, mut decided) = (None, None);
    let (verdict, certificate) = if lower > 0.0 {
        let certificate = request.certificate.then(|| Certificate::Separated {
            direction: found.stated_direction(),
            nearest: Some(found.combination()),
        });
        (Verdict::Separated, certificate)
    } else if upper < 0.0 {
        let certificate = request.certificate.then(|| Certificate::Near {
            direction: found.stated_direction(),
            nearest: found.combination(),
        });
        (Verdict::Overlapping, certificate)
    } else if request.float_only {
        (Verdict::Undecided, None)
    } else {
        stop = Stop::Exact;
        let (ends, (verdict, certificate), nearer) = hulls.by_squares(face, found.exact, &radii);
        (rounded, decided) = (Some(ends), nearer);
        (verdict, Some(certificate).filter(|_| request.certificate))
    };
    let told = (face, measured.weights, measured.direction);
    let (normal, points) = normal_and_points(told, decided);
    CoreAnswer {
        lower: measured.lower,
        upper: measured.upper.max(measured.lower),
        normal,
        points,
        verdict,
        stop,
        iterations: Iterations {
            gjk: outcome.iterations,
            epa: 0,
        },
        certificate,
        rounded,
    }
}

/// The normal and the points that are told: those of the face that decides, where that is another than floats found.
fn normal_and_points<W: Vector64>(
    (face, weights, direction): (&Nearest, [f64; 4], [f64; 3]),
    decided: Option<(Nearest, [f64; 3])>,
) -> (W, [W; 2]) {
    let normal = decided.and_then(|(_, direction)| W::from_f64(direction).normalized());
    let points = decided.and_then(|(nearest, _)| Some(nearest.points(&nearest.rounded_weights()?)));
    (
        normal.unwrap_or(W::from_f64(direction)),
        points
            .unwrap_or_else(|| face.points(&weights))
            .map(W::from_f64),
    )
}

/// Cores proved to overlap, enclosed by `points`.
fn overlapping<V, A, B, O>(
    proposal: &Proposal<'_, V, A, B>,
    hulls: &Hulls<'_, V, A, B>,
    points: &[SupportPair<V::Wide>],
    cached: Option<&mut CachedFacets>,
    observe: &mut O,
) -> CoreAnswer<V::Wide>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V::Wide>,
{
    let Proposal {
        request,
        frame,
        outcome,
        ..
    } = *proposal;
    if request.wanted == Wanted::Verdict {
        let certificate = request.certificate.then(|| Certificate::enclosing(points));
        return verdict_only(outcome, Verdict::Overlapping, certificate);
    }
    let mut core = at_origin(frame, outcome);
    (core.verdict, core.upper) = (Verdict::Overlapping, 0.0);
    let mut facets = Vec::new();
    if request.wanted == Wanted::Contact
        && let Some(found) = epa::run(
            hulls.difference,
            points,
            &proposal.expansion(true),
            cached,
            observe,
        )
    {
        let (below, above) = if found.certified {
            (0.0, 0.0)
        } else {
            (frame.slack, frame.point_slack)
        };
        (core.lower, core.upper) = (-found.upper - below, (-found.lower + above).min(0.0));
        (core.normal, core.points, core.stop) = (found.normal, found.points, found.stop);
        core.iterations.epa = found.iterations;
        facets = found.facets;
    }
    core.certificate = request.certificate.then(|| {
        let pairs = points.iter().map(|p| p.ids).collect();
        Certificate::Overlapping { pairs, facets }
    });
    core
}

/// The depth by the facets of an earlier query, where they prove it.
pub(super) fn resumed<V, A, B>(
    request: &Request,
    frame: &Frame<V::Wide>,
    difference: &Difference<'_, V, A, B>,
    cache: &mut Cache,
) -> Option<CoreAnswer<V::Wide>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let idle = cache.facets.ids().is_empty() || request.width <= 0.0 || request.facets;
    if idle || request.wanted != Wanted::Contact || !difference.is_polytope() {
        return None;
    }
    let found = epa::resume(difference, &cache.facets, &expansion(request, frame, true));
    if found.is_none() {
        // Of no use next time either, unless EPA finds it again.
        cache.facets.clear();
    }
    let found = found?;
    let certificate = if request.certificate {
        let pairs: Vec<_> = cache
            .ids()
            .iter()
            .filter_map(|&ids| difference.vertex_pair(ids))
            .collect();
        Some(surely_enclose(&pairs).then(|| Certificate::enclosing(&pairs))?)
    } else {
        None
    };
    Some(CoreAnswer {
        lower: -found.upper,
        upper: -found.lower,
        normal: found.normal,
        points: found.points,
        verdict: Verdict::Overlapping,
        stop: found.stop,
        iterations: Iterations {
            gjk: 0,
            epa: found.iterations,
        },
        certificate,
        rounded: None,
    })
}

/// What floats alone say of a pair that they cannot decide: the interval.
fn undecided<W: Vector<Scalar = f64, Wide = W>>(
    frame: &Frame<W>,
    outcome: &Outcome<W>,
) -> CoreAnswer<W> {
    let core = at_origin(frame, outcome);
    // The gap along any direction is at most the signed distance, in overlap too.
    CoreAnswer {
        lower: outcome.lower - frame.slack,
        ..core
    }
}
