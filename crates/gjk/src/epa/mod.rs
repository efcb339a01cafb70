//! The one EPA loop: lower and upper bounds of the depth of two overlapping cores, in 2D and 3D.
//!
//! Where it sits: called by [`crate::query`] with the vertices that enclose the origin; [`seed`] makes any start a full
//! simplex, [`polytope`] keeps facets and horizon. Read [`run`] first.
//! Idea: the polytope is inside the Minkowski difference, so its nearest facet's distance is a lower bound of the depth;
//! the support height `h(n)` of any unit `n` is an upper bound. Each iteration expands the nearest facet, so the lower
//! bound only grows and the upper only falls. Both are valid whenever the loop stops.
//! Numbers: which facets a new vertex sees is decided by exact orientation of the computed differences, coplanar facets
//! absorbed, so no facet is degenerate and the polytope is convex without an epsilon (test
//! `epa_absorbs_coplanar_facets`). The differences themselves carry the pair's rounding slack, which the caller adds.
//! Source: van den Bergen, GDC 2001. We differ: facets are removed by visibility, not split at their edges.

pub mod polytope;
pub mod seed;

use crate::gjk::Stop;
use crate::math::{Scalar, Vector};
use crate::support::{MinkowskiDifference, Support, SupportPair};
use crate::trace::{Observe, Step};
use polytope::Polytope;

/// The loop's settings, made by [`crate::query`] from the caller's options.
#[derive(Clone, Copy, Debug)]
pub struct Settings<S> {
    /// Stop when `upper − lower ≤ tolerance_relative · upper`.
    pub tolerance_relative: S,
    /// At most this many expansions.
    pub iterations_max: u32,
    /// Rounding bound of the pair: a gap below an eighth of it is noise.
    pub slack: S,
}

/// Where the loop ended. The bounds are as computed: true once widened by [`Settings::slack`].
#[derive(Clone, Copy, Debug)]
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
    let small = expand::<V, A, B, O, 128, 256>(difference, start, settings, observe)?;
    if small.stop != Stop::StorageFull {
        return Some(small);
    }
    // Smooth shapes at tight tolerances only: again, in storage that most queries should not have to clear.
    let large = expand::<V, A, B, O, 1024, 2048>(difference, start, settings, observe)?;
    Some(Outcome { iterations: small.iterations + large.iterations, ..large })
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
    let mut upper = V::Scalar::INFINITY;
    let mut upper_normal = V::ZERO;
    let mut iterations = 0;
    loop {
        let nearest = polytope.nearest();
        let facet = polytope.facet(nearest);
        let (normal, lower) = (facet.normal, facet.offset);
        if normal == V::ZERO {
            // A facet without area in floats has no plane, and its distance is unknown: what was found before stands.
            let points = polytope.witness(upper_normal);
            let found = Outcome { normal: upper_normal, lower, upper, points, iterations, stop: Stop::NoProgress };
            return (upper < V::Scalar::INFINITY).then_some(found);
        }
        let pair = difference.support_pair(normal);
        let height = normal.dot(pair.w);
        if height < upper {
            (upper, upper_normal) = (height, normal);
        }
        iterations += 1;
        if O::ENABLED {
            report(observe, &polytope, nearest, pair, iterations, upper);
        }
        let stop = stop(&polytope, nearest, &pair, [lower, height, upper], iterations, settings);
        let stop = stop.or_else(|| polytope.insert(nearest, pair).err());
        if let Some(stop) = stop {
            // Moving along this normal by the upper bound leaves the cores touching, whatever the gap.
            let normal = if stop == Stop::FacetReached { normal } else { upper_normal };
            let points = polytope.witness(normal);
            return Some(Outcome { normal, lower, upper, points, iterations, stop });
        }
    }
}

/// The termination ladder.
fn stop<V: Vector, const VERTICES: usize, const FACETS: usize>(
    polytope: &Polytope<V, VERTICES, FACETS>,
    nearest: u16,
    pair: &SupportPair<V>,
    [lower, height, upper]: [V::Scalar; 3],
    iterations: u32,
    settings: &Settings<V::Scalar>,
) -> Option<Stop> {
    let eighth = V::Scalar::from_f64(0.125);
    if upper < -settings.slack {
        Some(Stop::SeparatingDirection)
    } else if polytope.pairs(nearest).any(|p| p.same(pair)) {
        Some(Stop::FacetReached)
    } else if !(height - lower > settings.tolerance_relative * height) {
        Some(Stop::GapClosed)
    } else if !(height - lower > settings.slack * eighth) {
        Some(Stop::NoProgress)
    } else if iterations >= settings.iterations_max {
        Some(Stop::IterationLimit)
    } else if polytope.is_full() {
        Some(Stop::StorageFull)
    } else {
        None
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
        lower: facet.offset,
        upper,
    });
}
