//! Points, segments and boxes, plain or rounded: the numbers by closed forms, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`solve`] first.
//! Idea: such a core is a centre and up to three generators, `c + Σ sₖgₖ` with `|sₖ| ≤ 1`, whose support height is
//! `n·c + Σ |n·gₖ|`. [`nearest`] proposes two points; the heights along the line between them prove how good they are, so the
//! proposal may assume right angles and may round. Cores that overlap are measured by the facets of their difference, whose
//! normals are products of two generators.
//! Numbers: [`CORE_ERROR`], as for two boxes. An interval that is wider than the caller wants is left to the loop.
//! Source: Ericson, Real-Time Collision Detection, 5.1; for a segment and a box the root of a piecewise linear slope.

use super::body::Body;
use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Ring, Scalar, Triple, Vector, cross, dot, length, plus, sum_abs};
use crate::request::{Request, Wanted};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, PARALLEL_SINE, parameter};
use crate::support::Form;

/// A core at its pose, about A's translation: a centre and its generators.
struct Core<const N: usize> {
    center: Triple,
    generators: [Triple; N],
    /// At least the sum of its coordinates in its own frame, posed.
    size: f64,
}

/// Bounds this many times the noise apart are as good as any; the two ends' own noise is two.
const CORE_CLOSE: f64 = 2.25;

/// Rounds between two boxes; where they do not suffice, the loop does better.
const PROJECTION_ROUNDS_MAX: usize = 8;

/// Points of a box that move by less, in half edges, stay.
const PROJECTION_STAYS: f64 = 1.0 / (1u64 << 46) as f64;

/// Steps of the search along a segment. Two or three are usual; what is found is proved or not in any case.
const SLOPE_STEPS_MAX: usize = 12;

/// A generator whose height along a facet's normal is below this part of the pair's size may lie in the facet.
const CORE_LEVEL_HEIGHT: f64 = 1e-6;

/// A point at a pose, and at least the sum of its coordinates before they cancel.
#[inline(always)]
fn rotated<V: Vector>(x: V, pose: &Pose<V>) -> (Triple, f64) {
    let (columns, x) = (pose.columns(), x.to_f64());
    let (mut sum, mut size) = ([0.0; 3], 0.0);
    for k in 0..V::DIM {
        let column = columns[k].to_f64();
        sum = plus(sum, column, x[k]);
        size += sum_abs(column) * x[k].abs();
    }
    (sum, size)
}

impl Core<0> {
    #[inline(always)]
    fn point<V: Vector>(at: V, pose: &Pose<V>, place: Triple) -> Self {
        // The centre of a ball needs no turning.
        let (x, size) = if at == V::ZERO {
            ([0.0; 3], 0.0)
        } else {
            rotated(at, pose)
        };
        Self {
            center: plus(place, x, 1.0),
            generators: [],
            size,
        }
    }
}

impl Core<1> {
    #[inline(always)]
    fn segment<V: Vector>([from, to]: [V; 2], pose: &Pose<V>, place: Triple) -> Self {
        // So is a capsule's centre.
        let ([x, y], size) = if from == -to {
            let (y, size) = rotated(to, pose);
            ([y.map(|y| -y), y], size)
        } else {
            let [(x, size_x), (y, size_y)] = [rotated(from, pose), rotated(to, pose)];
            ([x, y], size_x.max(size_y))
        };
        let middle = core::array::from_fn(|k| 0.5 * x[k] + 0.5 * y[k]);
        let half = core::array::from_fn(|k| 0.5 * y[k] - 0.5 * x[k]);
        Self {
            center: plus(place, middle, 1.0),
            generators: [half],
            size,
        }
    }
}

impl<const N: usize> Core<N> {
    /// A box; its dimension is the number of generators.
    #[inline(always)]
    fn cuboid<V: Vector>(half: V, pose: &Pose<V>, place: Triple) -> Self {
        let (columns, half) = (pose.columns(), half.to_f64());
        let generators: [Triple; N] =
            core::array::from_fn(|k| columns[k].to_f64().map(|x| x * half[k]));
        let size = generators.iter().fold(0.0, |sum, &g| sum + sum_abs(g));
        Self {
            center: place,
            generators,
            size,
        }
    }

    #[inline(always)]
    fn at(&self, parts: Triple) -> Triple {
        self.generators
            .iter()
            .zip(parts)
            .fold(self.center, |x, (&g, part)| plus(x, g, part))
    }
}

/// The conclusion on two bodies whose cores are points, segments or boxes; undecided for others.
#[inline(never)]
pub(crate) fn solve<V: Vector>(
    [a, b]: &[Body<'_, V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let verdict_only = request.wanted == Wanted::Verdict;
    let (Some(radius_a), Some(radius_b)) = (swept(a), swept(b)) else {
        return Conclusion::Undecided;
    };
    if (request.width <= 0.0 && !verdict_only) || !measured(a, b, bounds) {
        return Conclusion::Undecided;
    }
    bounds.sweep([radius_a, radius_b]);
    let conclusion = if bounds.lower > 0.0 {
        Conclusion::Separated
    } else if bounds.upper < 0.0 {
        Conclusion::Overlapping
    } else {
        Conclusion::Undecided
    };
    let numbers_wanted = match conclusion {
        Conclusion::Separated => !verdict_only,
        _ => request.wanted == Wanted::Contact,
    };
    if numbers_wanted && !bounds.is_narrow(conclusion, request.width) {
        return Conclusion::Undecided;
    }
    conclusion
}

/// Writes the signed distance of the two cores; `false` where floats do not prove it.
#[inline(always)]
fn measured<V: Vector>(a: &Body<'_, V>, b: &Body<'_, V>, bounds: &mut Bounds) -> bool {
    let (from, to) = (a.pose.translation().to_f64(), b.pose.translation().to_f64());
    // A vertex' last operation adds the translation.
    let world = CORE_WORLD_ERROR * (sum_abs(from) + sum_abs(to));
    let (here, there) = ([0.0; 3], plus(to, from, -1.0));
    match a.form {
        Form::Point(at) => against(Core::point(at, a.pose, here), b, there, world, bounds),
        Form::Segment(ends) => against(Core::segment(ends, a.pose, here), b, there, world, bounds),
        Form::Cuboid(half) if V::DIM == 3 => against(
            Core::<3>::cuboid(half, a.pose, here),
            b,
            there,
            world,
            bounds,
        ),
        Form::Cuboid(half) => against(
            Core::<2>::cuboid(half, a.pose, here),
            b,
            there,
            world,
            bounds,
        ),
        _ => false,
    }
}

/// [`measured`] with A's core known.
#[inline(always)]
fn against<const N: usize, V: Vector>(
    a: Core<N>,
    b: &Body<'_, V>,
    there: Triple,
    world: f64,
    bounds: &mut Bounds,
) -> bool {
    match b.form {
        Form::Point(at) => relate(a, Core::point(at, b.pose, there), world, bounds),
        Form::Segment(ends) => relate(a, Core::segment(ends, b.pose, there), world, bounds),
        Form::Cuboid(half) if V::DIM == 3 => {
            relate(a, Core::<3>::cuboid(half, b.pose, there), world, bounds)
        }
        // Two rectangles are polygons.
        Form::Cuboid(half) if N < 2 => {
            relate(a, Core::<2>::cuboid(half, b.pose, there), world, bounds)
        }
        _ => false,
    }
}

/// Writes the signed distance of two cores; `false` where floats do not prove it, which says nothing else.
#[inline(never)]
fn relate<const N: usize, const M: usize>(
    a: Core<N>,
    b: Core<M>,
    world: f64,
    bounds: &mut Bounds,
) -> bool {
    let size = a.size + b.size + sum_abs(b.center) + sum_abs(a.center);
    let noise = CORE_ERROR * size + world;
    if !(size > CORE_SIZES.start && size < CORE_SIZES.end && noise < CORE_SIZES.end) {
        return false;
    }
    let mut found = separated(&a, &b, noise);
    if !found.as_ref().is_some_and(|found| found.lower > 0.0) {
        // In the plane two generators make no facet's normal.
        found = if N.max(M) == 3 && N + M <= 4 {
            overlapping(&a, &b, noise, size)
        } else {
            None
        };
    }
    let Some(found) = found else { return false };
    *bounds = Bounds {
        first_direction: bounds.first_direction,
        ..found
    };
    true
}

/// The radius in the world; `None` where the pose does not keep balls round.
#[inline(always)]
fn swept<V: Vector>(body: &Body<'_, V>) -> Option<f64> {
    if body.radius == V::Scalar::ZERO {
        return Some(0.0);
    }
    let scale = body.pose.uniform_scale()?;
    Some(body.radius.to_f64() * scale.to_f64())
}

/// The signed distance of two cores apart, from points of theirs that are nearest or nearly so.
///
/// Where the line between them bounds it badly, it is freed of what rounding, and angles that are not right, left along the generators
/// that the points are inside of: an error of the direction then counts by its square.
#[inline(always)]
fn separated<const N: usize, const M: usize>(
    a: &Core<N>,
    b: &Core<M>,
    noise: f64,
) -> Option<Bounds> {
    let (on_a, on_b) = nearest(a, b)?;
    let (x, y) = (a.at(on_a), b.at(on_b));
    let between = plus(y, x, -1.0);
    let distance = length(between);
    let upper = distance + noise;
    let centers = plus(b.center, a.center, -1.0);
    let bounded = |direction: Triple, length: f64| {
        let normal = direction.map(|d| d * (1.0 / length));
        let rise = a
            .generators
            .iter()
            .chain(&b.generators)
            .fold(0.0, |sum, &g| sum + dot(normal, g).abs());
        Bounds {
            lower: dot(normal, centers) - rise - noise,
            upper,
            normal,
            points: [x, y],
            ..Bounds::default()
        }
    };
    if !(distance > 0.0) {
        return None;
    }
    let found = bounded(between, distance);
    if upper - found.lower <= noise * CORE_CLOSE {
        return Some(found);
    }
    let direction = refined(
        between,
        a.generators
            .iter()
            .zip(on_a)
            .chain(b.generators.iter().zip(on_b)),
    );
    let distance = length(direction);
    (distance > 0.0).then(|| bounded(direction, distance))
}

/// The line between two points freed of its parts along the generators that they are inside of.
#[inline(always)]
fn refined<'g>(between: Triple, parts: impl Iterator<Item = (&'g Triple, f64)>) -> Triple {
    let mut direction = between;
    let mut free = None;
    for (&g, part) in parts {
        if part.abs() >= 1.0 {
            continue;
        }
        let Some(other) = free else {
            free = Some(g);
            direction = plus(direction, g, -dot(direction, g) / dot(g, g));
            continue;
        };
        let normal = cross(other, g);
        let square = dot(normal, normal);
        if square > PARALLEL_SINE * PARALLEL_SINE * dot(other, other) * dot(g, g) {
            direction = normal.map(|n| n * (dot(between, normal) / square));
        }
    }
    direction
}

/// Points of two cores that are nearest, if their edges are at right angles, in parts of the generators.
#[inline(always)]
fn nearest<const N: usize, const M: usize>(a: &Core<N>, b: &Core<M>) -> Option<(Triple, Triple)> {
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
fn coordinates<const N: usize>(core: &Core<N>, x: Triple) -> Triple {
    in_generators(core, plus(x, core.center, -1.0))
}

/// A vector in units of the generators; of those that there are not, zero.
#[inline(always)]
fn in_generators<const N: usize>(core: &Core<N>, x: Triple) -> Triple {
    let mut parts = [0.0; 3];
    for (part, &g) in parts.iter_mut().zip(&core.generators) {
        *part = dot(x, g) / dot(g, g);
    }
    parts
}

#[inline(always)]
fn segments<const N: usize, const M: usize>(a: &Core<N>, b: &Core<M>) -> (Triple, Triple) {
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
fn dual<const N: usize>(core: &Core<N>) -> [Triple; 3] {
    let mut found = [[0.0; 3]; 3];
    for (slot, &g) in found.iter_mut().zip(&core.generators) {
        let scale = 1.0 / dot(g, g);
        *slot = g.map(|x| x * scale);
    }
    found
}

/// From one box to the other and back until the points stay: soon, where both are corners; `None` where they still move, since the
/// points may be far off where the distance hardly is.
#[inline(always)]
fn boxes<const N: usize, const M: usize>(a: &Core<N>, b: &Core<M>) -> Option<(Triple, Triple)> {
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
            let line = |center, generator| Core {
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

/// The distance's square along the segment is convex, its slope piecewise linear with six corners: Newton's step is exact on a
/// piece, and where it leaves what is left of the segment, the corners tell the piece.
#[inline(always)]
fn segment_and_box<const N: usize, const M: usize>(
    segment: &Core<N>,
    cuboid: &Core<M>,
) -> (Triple, Triple) {
    let (start, step) = (
        coordinates(cuboid, segment.center),
        in_generators(cuboid, segment.generators[0]),
    );
    let mut weights = [0.0; 3];
    for (weight, &g) in weights.iter_mut().zip(&cuboid.generators) {
        *weight = dot(g, g);
    }
    let slope = |t: f64| {
        let (mut value, mut rise) = (0.0, 0.0);
        for k in 0..3 {
            let x = start[k] + t * step[k];
            let over = x - clamped(x);
            let pull = weights[k] * step[k];
            value += pull * over;
            rise += if over == 0.0 { 0.0 } else { pull * step[k] };
        }
        (value, rise)
    };
    // Between what was asked, to either side; the ends were not.
    let (mut low, mut high, mut t) = (-2.0, 2.0, 0.0);
    for _ in 0..SLOPE_STEPS_MAX {
        let (value, rise) = slope(t);
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
            // The pieces between are steeper: between two corners there is only one.
            for corner in 0..6 {
                let k = corner % 3;
                let at = ([-1.0, 1.0][corner / 3] - start[k]) / step[k];
                if at > low && at < high {
                    if slope(at).0 > 0.0 {
                        high = at
                    } else {
                        low = at
                    }
                }
            }
            next = 0.5 * (low + high);
        }
        // At an end that pulls outward, and where a step is lost in rounding.
        if next == t {
            break;
        }
        t = next;
    }
    let at = core::array::from_fn(|k| clamped(start[k] + t * step[k]));
    ([t, 0.0, 0.0], at)
}

/// The depth of two cores whose difference has an interior, as a signed distance; `None` where floats do not prove it, or where
/// its facet is not a parallelogram.
#[inline(always)]
fn overlapping<const N: usize, const M: usize>(
    a: &Core<N>,
    b: &Core<M>,
    noise: f64,
    size: f64,
) -> Option<Bounds> {
    let count = N + M;
    let mut generators = [[0.0; 3]; 4];
    for (slot, &g) in generators
        .iter_mut()
        .zip(a.generators.iter().chain(&b.generators))
    {
        *slot = g;
    }
    let generators = &generators[..count];
    let between = plus(b.center, a.center, -1.0);
    let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
    let mut best = None;
    for i in 0..count {
        for j in i + 1..count {
            let normal = cross(generators[i], generators[j]);
            let norm = length(normal);
            let scale = length(generators[i]) * length(generators[j]);
            if !(norm > PARALLEL_SINE * scale) {
                return None;
            }
            let height = dot(between, normal);
            let reach = (0..count)
                .filter(|&k| k != i && k != j)
                .fold(0.0, |sum, k| sum + dot(normal, generators[k]).abs());
            let (depth, noise) = ((reach - height.abs()) / norm, noise * scale / norm);
            if !(depth > noise) {
                return None;
            }
            lower = if depth - noise < lower {
                depth - noise
            } else {
                lower
            };
            if depth + noise < upper {
                upper = depth + noise;
                let sign = if height < 0.0 { -1.0 } else { 1.0 };
                best = Some((i, j, depth, normal, sign / norm));
            }
        }
    }
    let (i, j, depth, product, scale) = best?;
    let normal = product.map(|x| x * scale);
    // The facet farthest back along the normal, and the origin's projection on it in units of its two generators.
    let mut parts = [0.0; 4];
    let mut rest = plus(normal.map(|n| -depth * n), between, -1.0);
    for (k, &g) in generators
        .iter()
        .enumerate()
        .filter(|&(k, _)| k != i && k != j)
    {
        let rise = dot(normal, g);
        if !(rise.abs() > CORE_LEVEL_HEIGHT * size) {
            return None;
        }
        parts[k] = if rise > 0.0 { -1.0 } else { 1.0 };
        rest = plus(rest, g, -parts[k]);
    }
    let square = dot(product, product);
    parts[i] = parameter(dot(cross(rest, generators[j]), product) / square)?;
    parts[j] = parameter(dot(cross(generators[i], rest), product) / square)?;
    let (mut on_a, mut on_b) = ([0.0; 3], [0.0; 3]);
    for (k, &part) in parts.iter().enumerate().take(count) {
        // The difference runs against A's generators.
        if k < N {
            on_a[k] = -part
        } else {
            on_b[k - N] = part
        }
    }
    Some(Bounds {
        lower: -upper,
        upper: -lower,
        normal,
        points: [a.at(on_a), b.at(on_b)],
        ..Bounds::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core<const N: usize>(center: Triple, generators: [Triple; N]) -> Core<N> {
        Core {
            center,
            generators,
            size: 4.0,
        }
    }

    /// The search must end on the nearest point, whichever pieces it passes.
    #[test]
    fn a_segment_and_a_box_are_nearest_where_a_fine_search_says() {
        let mut state = 5_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
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
