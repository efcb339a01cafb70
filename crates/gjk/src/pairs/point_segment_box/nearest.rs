//! Points of two cores that are nearest, or nearly so: what is proposed, and proved by nobody here.
//!
//! Where it sits: `mod.rs` calls it first, and proves by heights how good the points are. Read [`nearest`], then the function of
//! a pair of cores.

use super::generators::Zonotope;
use crate::math::{Triple, dot, plus};

/// Rounds between two boxes; where they do not suffice, the loop does better.
const PROJECTION_ROUNDS_MAX: usize = 8;

/// Points of a box that move by less, in half edges, stay.
const PROJECTION_STAYS: f64 = 1.0 / (1u64 << 46) as f64;

/// Steps of the search along a segment. Two or three are usual; what is found is proved or not in any case.
const SLOPE_STEPS_MAX: usize = 12;

/// Points of two cores that are nearest, if their edges are at right angles, in parts of the generators.
#[inline(always)]
pub(super) fn nearest<const N: usize, const M: usize>(
    a: &Zonotope<N>,
    b: &Zonotope<M>,
) -> Option<(Triple, Triple)> {
    Some(match (N, M) {
        (0, 0) => ([0.0; 3], [0.0; 3]),
        (0, _) => ([0.0; 3], coordinates(b, a.center).map(clamped)),
        (_, 0) => (coordinates(a, b.center).map(clamped), [0.0; 3]),
        (1, 1) => segments(a, b),
        (1, _) => segment_and_box(a, b),
        (3, 3) => boxes(a, b)?,
        _ => {
            let (on_b, on_a) = segment_and_box(b, a);
            (on_a, on_b)
        }
    })
}

#[inline(always)]
fn clamped(x: f64) -> f64 {
    let below = if x < 1.0 { x } else { 1.0 };
    if below > -1.0 { below } else { -1.0 }
}

/// A point in units of the generators.
#[inline(always)]
fn coordinates<const N: usize>(core: &Zonotope<N>, x: Triple) -> Triple {
    in_generators(core, plus(x, core.center, -1.0))
}

/// A vector in units of the generators; of those that there are not, zero.
#[inline(always)]
fn in_generators<const N: usize>(core: &Zonotope<N>, x: Triple) -> Triple {
    let mut parts = [0.0; 3];
    for (part, &g) in parts.iter_mut().zip(&core.generators) {
        *part = dot(x, g) / dot(g, g);
    }
    parts
}

#[inline(always)]
fn segments<const N: usize, const M: usize>(a: &Zonotope<N>, b: &Zonotope<M>) -> (Triple, Triple) {
    let (g, h) = (a.generators[0], b.generators[0]);
    let between = plus(b.center, a.center, -1.0);
    let (gg, hh, gh) = (dot(g, g), dot(h, h), dot(g, h));
    let (gr, hr) = (dot(g, between), dot(h, between));
    // Parallel segments have no crossing: any point serves to start from.
    let denominator = gg * hh - gh * gh;
    let crossing = if denominator > 0.0 {
        clamped((gr * hh - gh * hr) / denominator)
    } else {
        0.0
    };
    let t = clamped((crossing * gh - hr) / hh);
    let s = clamped((gr + t * gh) / gg);
    ([s, 0.0, 0.0], [t, 0.0, 0.0])
}

/// The one part that is inside of its generator, if there is just one.
#[inline(always)]
fn only_free(parts: Triple) -> Option<usize> {
    let free = parts.map(|part| part.abs() < 1.0);
    match free {
        [true, false, false] => Some(0),
        [false, true, false] => Some(1),
        [false, false, true] => Some(2),
        _ => None,
    }
}

#[inline(always)]
fn largest(x: Triple) -> f64 {
    let [x, y, z] = x.map(f64::abs);
    let most = if y > x { y } else { x };
    if z > most { z } else { most }
}

/// The generators by their squared lengths: products with these are coordinates.
#[inline(always)]
fn dual<const N: usize>(core: &Zonotope<N>) -> [Triple; 3] {
    let mut found = [[0.0; 3]; 3];
    for (slot, &g) in found.iter_mut().zip(&core.generators) {
        let scale = 1.0 / dot(g, g);
        *slot = g.map(|x| x * scale);
    }
    found
}

/// From one box to the other and back until the points stay: soon, where both are corners; `None` where they still move, since
/// the points may be far off where the distance hardly is.
#[inline(always)]
fn boxes<const N: usize, const M: usize>(
    a: &Zonotope<N>,
    b: &Zonotope<M>,
) -> Option<(Triple, Triple)> {
    let (per_a, per_b) = (dual(a), dual(b));
    let project = |core: Triple, per: &[Triple; 3], x: Triple| {
        let x = plus(x, core, -1.0);
        per.map(|g| clamped(dot(x, g)))
    };
    let mut on_a = project(a.center, &per_a, b.center);
    let mut on_b = project(b.center, &per_b, a.at(on_a));
    for _ in 0..PROJECTION_ROUNDS_MAX {
        let next = project(a.center, &per_a, b.at(on_b));
        let moved = largest(plus(next, on_a, -1.0));
        if moved <= PROJECTION_STAYS {
            return Some((on_a, on_b));
        }
        on_a = next;
        // Two edges that cross are nearest where their lines are; one after the other they would come there slowly.
        if let (Some(i), Some(j)) = (only_free(on_a), only_free(on_b)) {
            (on_a[i], on_b[j]) = (0.0, 0.0);
            let line = |center, generator| Zonotope {
                center,
                generators: [generator],
                size: 0.0,
            };
            let (s, t) = segments(
                &line(a.at(on_a), a.generators[i]),
                &line(b.at(on_b), b.generators[j]),
            );
            (on_a[i], on_b[j]) = (s[0], t[0]);
        } else {
            on_b = project(b.center, &per_b, a.at(on_a));
        }
    }
    None
}

/// A point that moves along a segment beside a box, in units of the box's generators.
struct Passing {
    start: Triple,
    step: Triple,
    /// The squared lengths of the generators.
    weights: Triple,
}

impl Passing {
    /// Half the slope of the distance's square at `t`, and what the slope rises there.
    #[inline(always)]
    fn slope(&self, t: f64) -> (f64, f64) {
        let (mut value, mut rise) = (0.0, 0.0);
        for k in 0..3 {
            let x = self.start[k] + t * self.step[k];
            let over = x - clamped(x);
            let pull = self.weights[k] * self.step[k];
            value += pull * over;
            rise += if over == 0.0 {
                0.0
            } else {
                pull * self.step[k]
            };
        }
        (value, rise)
    }

    /// The piece between two corners of the slope that holds its root, which is between `low` and `high`.
    #[inline(always)]
    fn piece(&self, [mut low, mut high]: [f64; 2]) -> [f64; 2] {
        for corner in 0..6 {
            let k = corner % 3;
            let at = ([-1.0, 1.0][corner / 3] - self.start[k]) / self.step[k];
            if at > low && at < high {
                if self.slope(at).0 > 0.0 {
                    high = at
                } else {
                    low = at
                }
            }
        }
        [low, high]
    }
}

/// The distance's square along the segment is convex, its slope piecewise linear with six corners: Newton's step is exact on a
/// piece, and where it leaves what is left of the segment, the corners say which piece has the root.
#[inline(always)]
fn segment_and_box<const N: usize, const M: usize>(
    segment: &Zonotope<N>,
    cuboid: &Zonotope<M>,
) -> (Triple, Triple) {
    let mut passing = Passing {
        start: coordinates(cuboid, segment.center),
        step: in_generators(cuboid, segment.generators[0]),
        weights: [0.0; 3],
    };
    for (weight, &g) in passing.weights.iter_mut().zip(&cuboid.generators) {
        *weight = dot(g, g);
    }
    // The root is between these, the places of known slopes to either side; the ends are not among them.
    let (mut low, mut high, mut t) = (-2.0, 2.0, 0.0);
    for _ in 0..SLOPE_STEPS_MAX {
        let (value, rise) = passing.slope(t);
        if value > 0.0 {
            high = t;
        } else if value < 0.0 {
            low = t;
        } else {
            break;
        }
        let mut next = clamped(t - value / rise);
        let beyond = if value > 0.0 {
            next <= low
        } else {
            next >= high
        };
        if beyond {
            [low, high] = passing.piece([low, high]);
            next = 0.5 * (low + high);
        }
        // At an end that pulls outward, and where a step is lost in rounding.
        if next == t {
            break;
        }
        t = next;
    }
    let at = core::array::from_fn(|k| clamped(passing.start[k] + t * passing.step[k]));
    ([t, 0.0, 0.0], at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::length;

    fn core<const N: usize>(center: Triple, generators: [Triple; N]) -> Zonotope<N> {
        Zonotope {
            center,
            generators,
            size: 4.0,
        }
    }

    /// The search must end on the nearest point, whichever pieces it passes.
    #[test]
    fn a_segment_and_a_box_are_nearest_where_a_fine_search_says() {
        let mut numbers = crate::random::Random(5);
        let mut random = || numbers.next();
        for case in 0..5000 {
            let half = [
                random().abs() + 0.01,
                random().abs() + 0.01,
                random().abs() + 0.01,
            ];
            let cuboid = core(
                [0.0; 3],
                [
                    [half[0], 0.0, 0.0],
                    [0.0, half[1], 0.0],
                    [0.0, 0.0, half[2]],
                ],
            );
            let far = [1.0, 3.0][case % 2];
            let segment = core(
                [random() * far, random() * far, random() * far],
                [[random() * far, random(), random()]],
            );
            let (on_segment, on_box) = nearest(&segment, &cuboid).expect("a segment");
            let found = length(plus(segment.at(on_segment), cuboid.at(on_box), -1.0));
            let distance = |t: f64| {
                let p = segment.at([t, 0.0, 0.0]);
                length(core::array::from_fn(|k| {
                    p[k].abs() - p[k].abs().min(half[k])
                }))
            };
            let fine = (0..=2000)
                .map(|k| distance(f64::from(k) / 1000.0 - 1.0))
                .fold(f64::INFINITY, f64::min);
            assert!(found <= fine + 1e-12, "case {case}: {found} against {fine}");
        }
    }
}
