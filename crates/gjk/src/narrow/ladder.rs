//! The steps of every query, in order: pair solvers, frame, proposal, proof, numbers.
//!
//! 1. The closed forms of `dispatch.rs` answer simple pairs, or find a good first direction. A proof does not use them, because
//!    certificates are made of the loop's vertices.
//! 2. [`super::frame`] brings the pair into range and bounds what rounding costs. Then the facets of the pair's last query are
//!    tried, if the caller keeps a cache.
//! 3. [`super::proposal`] runs the GJK loop, or the closed forms of `vertices.rs`, for bounds on the distance of the cores.
//! 4. Bounds farther from zero than the slack are a proof. Hulls that are left go to `hulls.rs`, which calls the exact
//!    layer; what is left of other bodies goes to `smooth.rs`, which answers with an interval.
//! 5. Overlapping cores go to EPA: hulls from vertices proved to enclose the origin, other bodies from those that GJK ended on.
//! 6. [`super::core_answer`] subtracts the radii once.
//!
//! Step 1 is here. The others are in `steps.rs`, of which `compiled.rs` makes the code; `at_once.rs` takes them in one function for distances of hulls.

use super::compiled::Compiled;
use super::core_answer::consistent;
use super::dispatch::{self, Solved};
use super::steps::Asked;
use crate::Stop;
use crate::answer::{Certificate, Contact, Interval, Iterations, Verdict};
use crate::bounds::{Bounds, Conclusion, HighestVertices};
use crate::cache::Cache;
use crate::loops::trace::Observe;
use crate::math::{Scalar, Vector};
use crate::pair::Pair;
use crate::request::Request;
use crate::support::{AnyBody, Form, Support};

/// The verdict on a pair: whether it is proved, why the work ended and how long it took.
#[inline(always)]
pub(crate) fn verdict<V, A, B>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    cache: Option<&mut Cache>,
) -> (Verdict, bool, Stop, Iterations)
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    // Before anything that has room for numbers: all but the half extents and radii is computed again where it is needed.
    match dispatch::verdict_of_boxes(pair, &pair.cores()) {
        Conclusion::Separated => {
            let stop = Stop::SeparatingDirection;
            return (Verdict::Separated, true, stop, Iterations::default());
        }
        Conclusion::Overlapping => {
            let stop = Stop::SeparatingAxes;
            return (Verdict::Overlapping, true, stop, Iterations::default());
        }
        Conclusion::Undecided => {}
    }
    verdict_by_table(pair, request, cache)
}

#[inline(never)]
fn verdict_by_table<V, A, B>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    cache: Option<&mut Cache>,
) -> (Verdict, bool, Stop, Iterations)
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let mut bounds = Bounds::default();
    match dispatch::solve(pair, request, &mut bounds) {
        Some(Solved {
            conclusion: Conclusion::Separated,
            exact,
            ..
        }) => {
            let stop = Stop::SeparatingDirection;
            (Verdict::Separated, exact, stop, Iterations::default())
        }
        Some(Solved { exact, stop, .. }) => {
            (Verdict::Overlapping, exact, stop, Iterations::default())
        }
        None => {
            let first = first_direction::<V>(&bounds);
            let Contact {
                verdict,
                exact,
                stop,
                iterations,
                ..
            } = loops(pair, request, first, cache, &mut (), &mut None);
            (verdict, exact, stop, iterations)
        }
    }
}

/// The numbers of a pair, as the answer that the query makes of them. The closed forms and the loops each make theirs in place.
#[inline(always)]
pub(crate) fn contact<V, A, B, T>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    cache: Option<&mut Cache>,
    answer: impl Fn(Contact<V>) -> T,
) -> T
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    contact_beside(pair, request, cache, |contact, _| answer(contact))
}

/// The same, with what a solver of two polygons found beside.
#[inline(always)]
pub(crate) fn contact_beside<V, A, B, T>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    cache: Option<&mut Cache>,
    answer: impl Fn(Contact<V>, Option<HighestVertices>) -> T,
) -> T
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let mut bounds = Bounds::default();
    match dispatch::solve(pair, request, &mut bounds) {
        Some(solved) => answer(in_world(pair, &solved, &bounds), bounds.highest),
        None => {
            let first = first_direction::<V>(&bounds);
            let found = loops(pair, request, first, cache, &mut (), &mut None);
            answer(found, None)
        }
    }
}

/// The answer of a pair solver in the world.
#[inline(always)]
fn in_world<V: Vector, A: ?Sized, B: ?Sized>(
    pair: &Pair<'_, V, A, B>,
    solved: &Solved,
    bounds: &Bounds,
) -> Contact<V> {
    let verdict = match solved.conclusion {
        Conclusion::Separated => Verdict::Separated,
        Conclusion::Overlapping => Verdict::Overlapping,
        Conclusion::Undecided => Verdict::Undecided,
    };
    let lower = V::Scalar::round_down(bounds.lower);
    let upper = -V::Scalar::round_down(-bounds.upper);
    let (lower, upper) = consistent(verdict, lower, upper);
    let from: V::Wide = pair.pose_a.translation().lift();
    let [point_a, point_b] = bounds.points.map(V::Wide::from_f64);
    Contact {
        verdict,
        exact: solved.exact,
        signed_distance: Interval { lower, upper },
        // Adding zero leaves no negative zeros.
        normal: (V::Wide::from_f64(bounds.normal) + V::Wide::ZERO).lift(),
        point_a: (point_a + from).lift(),
        point_b: (point_b + from).lift(),
        stop: solved.stop,
        iterations: Iterations::default(),
    }
}

fn first_direction<V: Vector>(bounds: &Bounds) -> Option<V::Wide> {
    let direction = bounds.first_direction;
    (direction != [0.0; 3]).then(|| V::Wide::from_f64(direction))
}

/// Steps 2 to 6, observed or not, by the code of `compiled.rs`. Hulls take them without a test of their kind at every step.
// A function of its own, because the pair solvers' answers are faster than its prologue.
#[inline(never)]
pub(crate) fn loops<V, A, B, O>(
    pair: &Pair<'_, V, A, B>,
    request: &Request,
    first: Option<V::Wide>,
    cache: Option<&mut Cache>,
    observe: &mut O,
    certificate: &mut Option<Certificate>,
) -> Contact<V>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V>,
{
    let cores = pair.cores();
    let sharp = cores[0].radius == 0.0 && cores[1].radius == 0.0;
    let (pose_a, pose_b) = (pair.pose_a, pair.pose_b);
    macro_rules! asked {
        ($a:expr, $b:expr) => {
            Asked {
                pair: Pair::new($a, pose_a, $b, pose_b),
                request,
                first,
                cache,
                certificate,
            }
        };
    }
    // A reference to a body is a body too, and of a known size, as `dyn` needs it.
    let (of_a, of_b) = (pair.a, pair.b);
    let (a, b): (&AnyBody<'_, V>, &AnyBody<'_, V>) = (&of_a, &of_b);
    if O::ENABLED {
        return V::Scalar::watched(asked!(a, b), &mut |step| observe.observe(step));
    }
    if let (Form::Hull(a), Form::Hull(b)) = (cores[0].form, cores[1].form)
        && sharp
    {
        return V::Scalar::hulls(asked!(a, b));
    }
    match (pair.a.shape(), pair.b.shape()) {
        (Some(a), Some(b)) => V::Scalar::shapes(asked!(a, b)),
        _ => V::Scalar::bodies(asked!(a, b)),
    }
}
