//! The one EPA loop: lower and upper bounds of the depth of two overlapping cores, in 2D and 3D.
//!
//! Where it sits: called by [`crate::query`] with the vertices that enclose the origin; [`seed`] makes a start that is none a
//! full simplex, [`polytope`] keeps facets and horizon, [`plane`] their planes, `proof.rs` ends the loop for hulls, `witness.rs`
//! finds the points. Read [`run`] first.
//! Idea: the polytope is inside the Minkowski difference, so its nearest facet's distance is a lower bound of the depth;
//! the support height `h(n)` of any unit `n` is an upper bound. Each iteration expands the nearest facet, so the lower
//! bound only grows and the upper only falls. Both are valid whenever the loop stops.
//! Numbers: which facets a new vertex sees is decided by exact signs, coplanar facets absorbed, so no facet is degenerate
//! and the polytope is convex without an epsilon (test `epa_absorbs_coplanar_facets`). Hulls of numbered vertices end on a
//! facet that no vertex is above, which is asked exactly: its distance is the depth. Other bodies' support points carry the
//! pair's rounding slack, which the caller adds.
//! Source: van den Bergen, GDC 2001. We differ: facets are removed by visibility, not split at their edges.

pub mod plane;
pub mod polytope;
mod proof;
pub mod seed;
mod side;
pub mod surface;
mod witness;

use crate::loops::gjk::Stop;
use crate::loops::trace::{Observe, Step};
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, NO_ID, Support, SupportPair};
use alloc::vec::Vec;
use core::cmp::Ordering::Greater;
use polytope::Polytope;
use surface::Surface;

/// The loop's settings, made by [`crate::query`] from the caller's options.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Stop when `upper − lower ≤ tolerance_relative · upper`; zero for hulls asks for the facet itself.
    pub tolerance_relative: f64,
    /// At most this many expansions.
    pub iterations_max: u32,
    /// Rounding bound of the pair: a gap below an eighth of it is noise.
    pub slack: f64,
    /// For hulls: bounds of floats end the loop where they are within this part of the depth; zero asks for the facet itself.
    pub narrow: f64,
    /// Whether the outcome lists the polytope's facets.
    pub list_facets: bool,
}

/// Where the loop ended. The bounds are as computed: true once widened by [`Settings::slack`], and as they are when
/// [`Outcome::certified`].
#[derive(Clone, Debug)]
pub struct Outcome<V: Vector64> {
    /// Unit normal from A to B: moving B along it by the depth separates the cores.
    pub normal: V,
    /// Distance of the nearest facet; negative while the origin is still outside.
    pub lower: f64,
    /// Least support height seen; negative proves the cores separated along `normal`.
    pub upper: f64,
    /// Witness points on A and on B.
    pub points: [V; 2],
    /// Expansions.
    pub iterations: u32,
    /// Why it ended.
    pub stop: Stop,
    /// True when the bounds hold as they are: the nearest facet is proved to be one of the difference, and they are those of its
    /// plane, or they are within [`Settings::narrow`].
    pub certified: bool,
    /// The vertex ids of all facets, if asked for (in 2D the third repeats the second).
    pub facets: Vec<[[u32; 2]; 3]>,
}

/// Runs EPA from any vertices of the difference; `None` when the difference has no interior to expand in.
///
/// `keep` gets the facets for [`resume`], none where they are too many.
/// # Complexity  one support and a scan of the facets an iteration; no allocation up to [`polytope::INLINE`] vertices.
pub fn run<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings,
    keep: Option<&mut Surface>,
    observe: &mut O,
) -> Option<Outcome<V>> {
    let mut polytope = Polytope::new();
    let found = expand(&mut polytope, difference, start, settings, observe)?;
    if let Some(surface) = keep {
        polytope.keep(surface);
    }
    Some(found)
}

/// The depth of two hulls by the facets of an earlier frame, where those still bound it narrowly enough: by one support, along the
/// nearest one's normal. `None` where they do not, or where [`Settings::narrow`] asks for the facet itself.
///
/// # Complexity  a plane for each facet, and one support.
pub fn resume<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    surface: &Surface,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let mut polytope = Polytope::new();
    if !polytope.restore(
        surface.ids().iter().map(|&ids| difference.vertex_pair(ids)),
        surface,
    ) {
        return None;
    }
    let nearest = polytope.nearest();
    let normal = polytope.plane(nearest).unit();
    let near = polytope
        .pairs(nearest)
        .next()
        .map_or([NO_ID; 2], |pair| pair.ids);
    let pair = difference.support_pair_from(normal, near);
    let mut progress = Progress::default();
    progress.meet(normal, normal.dot(polytope::point(&pair)));
    let level = polytope.plane(nearest).upper >= progress.least(settings);
    if level {
        narrowly(&polytope, nearest, &pair, &progress, settings)
    } else {
        None
    }
}

fn expand<V: Vector64, A: Support<V>, B: Support<V>, O: Observe<V>>(
    polytope: &mut Polytope<V>,
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
    settings: &Settings,
    observe: &mut O,
) -> Option<Outcome<V>> {
    // GJK nearly always ends with a simplex around the origin.
    if start.len() != V::DIM + 1 || !polytope.start(start) {
        seeded(polytope, difference, start)?;
    }
    let hulls = difference.is_polytope();
    let mut progress = Progress::default();
    loop {
        // Fine facets of smooth bodies need sharp planes to tell the gap; hulls ask exact signs instead.
        let mut nearest = if hulls {
            polytope.nearest()
        } else {
            polytope.settle()
        };
        if polytope.has_proved() {
            if polytope.is_proved(nearest) {
                match polytope.rival(nearest) {
                    Some(rival) => nearest = rival,
                    None => {
                        return Some(outcome(
                            polytope,
                            nearest,
                            &progress,
                            Stop::FacetReached,
                            settings,
                        ));
                    }
                }
            }
            // A facet that is nearer than a proved one by its rough bound only.
            if polytope.sharpen(nearest) {
                continue;
            }
        }
        // The support is not far from the facet's own vertices.
        let (plane, near) = polytope.face(nearest);
        let (normal, offset, above_least) = (plane.unit(), plane.offset(), plane.upper);
        let mut pair = difference.support_pair_from(normal, near);
        let apex = polytope.apex(&pair);
        progress.meet(normal, normal.dot(apex.w));
        if O::ENABLED {
            report(observe, polytope, nearest, pair, &progress);
        }
        let mut stop = limit(polytope, offset, &progress, settings);
        if stop.is_none() {
            // So it is for few facets that a vertex is above, and where anything but the facet itself will do.
            if hulls
                && above_least >= progress.least(settings)
                && !polytope.has_proved()
                && let Some(found) = narrowly(polytope, nearest, &pair, &progress, settings)
            {
                return Some(found);
            }
            // Most vertices are far above, and then not the facet's own.
            if hulls && polytope.plane(nearest).side(apex.w, apex.bound) == Some(Greater) {
                polytope.raise(nearest, &apex);
                continue;
            }
            match above(difference, polytope, nearest, pair, &progress, settings) {
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
            return Some(outcome(polytope, settled, &progress, stop, settings));
        }
    }
}

/// A start from vertices that are no full simplex.
#[cold]
fn seeded<V: Vector64, A: Support<V>, B: Support<V>>(
    polytope: &mut Polytope<V>,
    difference: &MinkowskiDifference<A, B>,
    start: &[SupportPair<V>],
) -> Option<()> {
    let simplex = seed::full_simplex(difference, start)?;
    if !polytope.start(&simplex[..=V::DIM]) {
        return None;
    }
    for pair in start {
        polytope.insert_anywhere(*pair);
    }
    Some(())
}

/// Where an iteration stands.
struct Progress<W> {
    /// The support height along the nearest facet's normal.
    height: f64,
    /// The least height so far.
    upper: f64,
    /// Along which it was.
    upper_normal: W,
    iterations: u32,
}

impl<W: Vector64> Default for Progress<W> {
    fn default() -> Self {
        Self {
            height: f64::INFINITY,
            upper: f64::INFINITY,
            upper_normal: W::ZERO,
            iterations: 0,
        }
    }
}

impl<W> Progress<W> {
    /// Another support height.
    fn meet(&mut self, normal: W, height: f64) {
        self.height = height;
        self.iterations += 1;
        if height < self.upper {
            (self.upper, self.upper_normal) = (height, normal);
        }
    }

    /// The least lower bound that is near enough the depth's upper bound by the last height.
    #[inline]
    fn least(&self, settings: &Settings) -> f64 {
        let (upper, narrow) = (self.height + settings.slack, settings.narrow);
        if narrow > 0.0 {
            upper - upper * narrow
        } else {
            f64::INFINITY
        }
    }
}

/// Reasons to stop that need no look at the support point.
fn limit<V: Vector64>(
    polytope: &Polytope<V>,
    offset: f64,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Stop> {
    let gap = progress.height - offset;
    let tolerance_relative = settings.tolerance_relative;
    if progress.upper < -settings.slack {
        Some(Stop::SeparatingDirection)
    } else if tolerance_relative > 0.0 && !(gap > tolerance_relative * progress.height) {
        Some(Stop::GapClosed)
    } else if progress.iterations >= settings.iterations_max {
        Some(Stop::IterationLimit)
    } else if polytope.is_full() {
        Some(Stop::StorageFull)
    } else {
        None
    }
}

/// Rivals' rough bounds below the lower bound by more than this part of it are measured: they would move the interval's middle.
const MIDDLE: f64 = 1.0 / (1u64 << 44) as f64;

/// The end for hulls where floats alone bound the depth narrowly enough: by the support height along the nearest facet's normal,
/// and the distances of this facet and of all that may be nearer.
#[inline(never)]
fn narrowly<V: Vector64>(
    polytope: &Polytope<V>,
    nearest: u16,
    pair: &SupportPair<V>,
    progress: &Progress<V>,
    settings: &Settings,
) -> Option<Outcome<V>> {
    let plane = polytope.plane(nearest);
    let (upper, least) = (progress.height + settings.slack, progress.least(settings));
    let foot = witness::foot(polytope, nearest, false)?;
    // As far below the height as the upper bound is above it: the middle is as accurate as the height.
    let mut lower = foot.lower.min(progress.height - settings.slack);
    let sharp = lower - lower * MIDDLE;
    for (rival, rough) in polytope.nearer(nearest, lower) {
        let foot = if rough < sharp {
            witness::foot(polytope, rival, true)
        } else {
            None
        };
        lower = lower.min(foot.map_or(rough, |foot| foot.lower));
    }
    if !(lower >= least) {
        return None;
    }
    let repeated = polytope.pairs(nearest).any(|p| p.same(pair));
    Some(Outcome {
        normal: plane.unit(),
        lower,
        upper,
        points: witness::of_foot(polytope, nearest, &foot),
        iterations: progress.iterations,
        stop: if repeated {
            Stop::FacetReached
        } else {
            Stop::GapClosed
        },
        certified: true,
        facets: Vec::new(),
    })
}

/// A point of the difference above the nearest facet, or why there is none.
///
/// For hulls the answer is exact: when the support of the rounded normal is not above, all vertices are asked along the
/// facet's normal as a formula.
#[inline(never)]
fn above<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    polytope: &Polytope<V>,
    nearest: u16,
    pair: SupportPair<V>,
    progress: &Progress<V>,
    settings: &Settings,
) -> Result<SupportPair<V>, Stop> {
    let repeated = polytope.pairs(nearest).any(|p| p.same(&pair));
    let slack = settings.slack;
    if !difference.is_polytope() {
        let gap = progress.height - polytope.plane(nearest).offset();
        let flat = !(gap > slack * 0.125);
        return if repeated {
            Err(Stop::FacetReached)
        } else if flat {
            Err(Stop::NoProgress)
        } else {
            Ok(pair)
        };
    }
    if !repeated && polytope.side(nearest, &pair).is_gt() {
        return Ok(pair);
    }
    let higher = proof::above(difference, polytope, nearest, slack);
    higher
        .and_then(|ids| difference.vertex_pair(ids))
        .ok_or(Stop::FacetReached)
}

/// What is known at the end.
fn outcome<V: Vector64>(
    polytope: &Polytope<V>,
    nearest: u16,
    progress: &Progress<V>,
    stop: Stop,
    settings: &Settings,
) -> Outcome<V> {
    let plane = polytope.plane(nearest);
    let certified = polytope.is_proved(nearest);
    // Moving along the normal of the least height by it leaves the cores touching, whatever the gap.
    let normal = if stop == Stop::FacetReached {
        plane.unit()
    } else {
        progress.upper_normal
    };
    let points = if certified {
        witness::of_facet(polytope, nearest)
    } else {
        witness::along(polytope, normal)
    };
    let upper = if certified {
        plane.upper
    } else {
        progress.upper
    };
    Outcome {
        normal,
        lower: plane.lower,
        upper,
        points,
        iterations: progress.iterations,
        stop,
        certified,
        facets: if settings.list_facets {
            polytope.facet_ids()
        } else {
            Vec::new()
        },
    }
}

#[cold]
fn report<V: Vector64, O: Observe<V>>(
    observe: &mut O,
    polytope: &Polytope<V>,
    nearest: u16,
    support: SupportPair<V>,
    progress: &Progress<V>,
) {
    let plane = polytope.plane(nearest);
    observe.observe(Step::Epa {
        iteration: progress.iterations,
        nearest: polytope.pairs(nearest).copied().collect(),
        normal: plane.unit(),
        support,
        facets: polytope
            .alive()
            .map(|f| polytope.pairs(f).map(|p| p.w).collect())
            .collect(),
        lower: plane.lower,
        upper: progress.upper,
    });
}
