//! The one EPA loop: lower and upper bounds of the depth of two overlapping cores, in 2D and 3D.
//!
//! Where it sits: called by [`crate::query`] with the vertices that enclose the origin; [`seed`] makes any start a full
//! simplex, [`polytope`] keeps facets and horizon. Read [`run`] first.
//! Idea: the polytope is inside the Minkowski difference, so its nearest facet's distance is a lower bound of the depth;
//! the support height `h(n)` of any unit `n` is an upper bound. Each iteration expands the nearest facet, so the lower
//! bound only grows and the upper only falls. Both are valid whenever the loop stops.
//! Numbers: which facets a new vertex sees is decided by exact signs, coplanar facets absorbed, so no facet is degenerate
//! and the polytope is convex without an epsilon (test `epa_absorbs_coplanar_facets`). Hulls of numbered vertices end on a
//! facet that no vertex is above, which is asked exactly: its distance is the depth. Other bodies' support points carry the
//! pair's rounding slack, which the caller adds.
//! Source: van den Bergen, GDC 2001. We differ: facets are removed by visibility, not split at their edges.

pub mod polytope;
pub mod seed;

use crate::gjk::Stop;
use crate::math::{Ring, Scalar, Vector};
use crate::support::{MinkowskiDifference, Support, SupportPair, Vertices};
use crate::trace::{Observe, Step};
use alloc::vec::Vec;
use gjk_exact::{Ladder, Problem};
use polytope::Polytope;

/// The loop's settings, made by [`crate::query`] from the caller's options.
#[derive(Clone, Copy, Debug)]
pub struct Settings<S> {
    /// Stop when `upper − lower ≤ tolerance_relative · upper`; zero for hulls asks for the facet itself.
    pub tolerance_relative: S,
    /// At most this many expansions.
    pub iterations_max: u32,
    /// Rounding bound of the pair: a gap below an eighth of it is noise.
    pub slack: S,
    /// Whether the outcome lists the polytope's facets.
    pub list_facets: bool,
}

/// Where the loop ended. The bounds are as computed: true once widened by [`Settings::slack`], and as they are when
/// [`Outcome::certified`].
#[derive(Clone, Debug)]
pub struct Outcome<V: Vector> {
    /// Unit normal from A to B: moving B along it by the depth separates the cores.
    pub normal: V,
    /// Distance of the nearest facet; negative while the origin is still outside.
    pub lower: V::Scalar,
    /// Least support height seen; negative proves the cores separated along `normal`.
    pub upper: V::Scalar,
    /// Witness points on A and on B.
    pub points: [V; 2],
    /// Expansions.
    pub iterations: u32,
    /// Why it ended.
    pub stop: Stop,
    /// True when the nearest facet is proved to be one of the difference: the bounds are those of its plane.
    pub certified: bool,
    /// The vertex ids of all facets, if asked for (in 2D the third repeats the second).
    pub facets: Vec<[[u32; 2]; 3]>,
}

/// Runs EPA from any vertices of the difference; `None` when the difference has no interior to expand in.
///
/// # Complexity  one support and a scan of the facets an iteration; fixed storage, no allocation.
pub fn run<V: Vector, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings<V::Scalar>,
    observe: &mut O,
) -> Option<Outcome<V>> {
    // Most hulls end in the small storage; clearing more room than is needed costs as much as several expansions.
    let small = expand::<V, A, B, O, 40, 80>(difference, start, settings, observe)?;
    if small.stop != Stop::StorageFull {
        return Some(small);
    }
    let middle = expand::<V, A, B, O, 160, 320>(difference, start, settings, observe)?;
    let iterations = small.iterations + middle.iterations;
    if middle.stop != Stop::StorageFull {
        return Some(Outcome { iterations, ..middle });
    }
    // Smooth shapes at tight tolerances only.
    let large = expand::<V, A, B, O, 1024, 2048>(difference, start, settings, observe)?;
    Some(Outcome { iterations: iterations + large.iterations, ..large })
}

/// The loop in one size of storage.
fn expand<V: Vector, A: Support<V>, B: Support<V>, O: Observe<V>, const VERTICES: usize, const FACETS: usize>(
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings<V::Scalar>,
    observe: &mut O,
) -> Option<Outcome<V>> {
    let simplex = seed::full_simplex(difference, start)?;
    let mut polytope = Polytope::<V, VERTICES, FACETS>::from_simplex(&simplex[..=V::DIM]);
    for pair in start {
        polytope.insert_anywhere(*pair);
    }
    let hulls = difference.is_polytope();
    let mut best = (V::Scalar::INFINITY, V::ZERO);
    let mut iterations = 0;
    loop {
        // Fine facets of smooth bodies need sharp planes to tell the gap; hulls ask exact signs instead.
        let nearest = if hulls { polytope.nearest() } else { polytope.settle() };
        if polytope.facet(nearest).proved && !polytope.sharpen(nearest) {
            return Some(outcome(&polytope, nearest, best, iterations, Stop::FacetReached, settings));
        }
        if polytope.facet(nearest).proved {
            continue;
        }
        let normal = polytope.facet(nearest).normal;
        let mut pair = difference.support_pair(normal);
        let height = normal.dot(pair.w);
        if height < best.0 {
            best = (height, normal);
        }
        iterations += 1;
        if O::ENABLED {
            report(observe, &polytope, nearest, pair, iterations, best.0);
        }
        let progress = Progress { height, upper: best.0, iterations };
        let mut stop = limit(&polytope, nearest, &progress, settings);
        if stop.is_none() {
            match above(difference, &polytope, nearest, pair, &progress, settings) {
                Ok(found) => pair = found,
                Err(Stop::FacetReached) if hulls => {
                    polytope.prove(nearest);
                    continue;
                }
                Err(reached) => stop = Some(reached),
            }
        }
        let stop = stop.or_else(|| polytope.insert(nearest, pair).err());
        if let Some(stop) = stop {
            // Rough bounds of far facets must not widen the answer.
            let settled = polytope.settle();
            return Some(outcome(&polytope, settled, best, iterations, stop, settings));
        }
    }
}

/// Where an iteration stands.
struct Progress<S> {
    /// The support height along the nearest facet's normal.
    height: S,
    /// The least height so far.
    upper: S,
    iterations: u32,
}

/// Reasons to stop that need no look at the support point.
fn limit<V: Vector, const VERTICES: usize, const FACETS: usize>(
    polytope: &Polytope<V, VERTICES, FACETS>,
    nearest: u16,
    progress: &Progress<V::Scalar>,
    settings: &Settings<V::Scalar>,
) -> Option<Stop> {
    let gap = progress.height - polytope.facet(nearest).offset();
    let asked = settings.tolerance_relative > V::Scalar::ZERO;
    if progress.upper < -settings.slack {
        Some(Stop::SeparatingDirection)
    } else if asked && !(gap > settings.tolerance_relative * progress.height) {
        Some(Stop::GapClosed)
    } else if progress.iterations >= settings.iterations_max {
        Some(Stop::IterationLimit)
    } else if polytope.is_full() {
        Some(Stop::StorageFull)
    } else {
        None
    }
}

/// A point of the difference above the nearest facet, or why there is none.
///
/// For hulls the answer is exact: when the support of the rounded normal is not above, all vertices are asked along the
/// facet's normal as a formula.
fn above<V: Vector, A: Support<V>, B: Support<V>, const VERTICES: usize, const FACETS: usize>(
    difference: &MinkowskiDifference<A, B>,
    polytope: &Polytope<V, VERTICES, FACETS>,
    nearest: u16,
    pair: SupportPair<V>,
    progress: &Progress<V::Scalar>,
    settings: &Settings<V::Scalar>,
) -> Result<SupportPair<V>, Stop> {
    let repeated = polytope.pairs(nearest).any(|p| p.same(&pair));
    let (Some(a), Some(b)) = (Vertices::of(&difference.a), Vertices::of(&difference.b)) else {
        let eighth = V::Scalar::from_f64(0.125);
        let gap = progress.height - polytope.facet(nearest).offset();
        let flat = !(gap > settings.slack * eighth);
        return if repeated {
            Err(Stop::FacetReached)
        } else if flat {
            Err(Stop::NoProgress)
        } else {
            Ok(pair)
        };
    };
    if !repeated && polytope.side(nearest, &pair).is_gt() {
        return Ok(pair);
    }
    let ladder = Ladder::default();
    let vertex = Problem::new(V::DIM, &a, &b, &ladder).support(&polytope.normal(nearest));
    let highest = difference.vertex_pair(vertex.pair).ok_or(Stop::FacetReached)?;
    if polytope.side(nearest, &highest).is_gt() { Ok(highest) } else { Err(Stop::FacetReached) }
}

/// What is known at the end.
fn outcome<V: Vector, const VERTICES: usize, const FACETS: usize>(
    polytope: &Polytope<V, VERTICES, FACETS>,
    nearest: u16,
    (upper, upper_normal): (V::Scalar, V),
    iterations: u32,
    stop: Stop,
    settings: &Settings<V::Scalar>,
) -> Outcome<V> {
    let facet = polytope.facet(nearest);
    let certified = facet.proved;
    // Moving along the normal of the least height by it leaves the cores touching, whatever the gap.
    let normal = if stop == Stop::FacetReached { facet.normal } else { upper_normal };
    Outcome {
        normal,
        lower: facet.lower,
        upper: if certified { facet.upper } else { upper },
        points: polytope.witness(normal),
        iterations,
        stop,
        certified,
        facets: if settings.list_facets { polytope.facet_ids() } else { Vec::new() },
    }
}

#[cold]
fn report<V: Vector, O: Observe<V>, const VERTICES: usize, const FACETS: usize>(
    observe: &mut O,
    polytope: &Polytope<V, VERTICES, FACETS>,
    nearest: u16,
    support: SupportPair<V>,
    iteration: u32,
    upper: V::Scalar,
) {
    let facet = polytope.facet(nearest);
    observe.observe(Step::Epa {
        iteration,
        nearest: polytope.pairs(nearest).copied().collect(),
        normal: facet.normal,
        support,
        facets: polytope.alive().map(|f| polytope.pairs(f).map(|p| p.w).collect()).collect(),
        lower: facet.lower,
        upper,
    });
}
