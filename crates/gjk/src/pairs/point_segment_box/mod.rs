//! Points, segments and boxes, plain or rounded: the numbers by closed forms, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`solve`] first.
//! Idea: such a core is a centre and up to three generators, `c + Σ sₖgₖ` with `|sₖ| ≤ 1`, whose support height is
//! `n·c + Σ |n·gₖ|`. [`nearest`] proposes two points; the heights along the line between them prove how good they are, so the
//! proposal may assume right angles and may round. Cores that overlap are measured by the facets of their difference, whose
//! normals are products of two generators.
//! Numbers: [`CORE_ERROR`], as for two boxes. An interval that is wider than the caller wants is left to the loop.
//! Source: Ericson, Real-Time Collision Detection, 5.1; for a segment and a box the root of a piecewise linear slope.

mod generators;
mod nearest;
mod overlap;

use self::generators::Zonotope;
use self::nearest::nearest;
use self::overlap::overlapping;
use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Scalar, Triple, Vector, cross, dot, length, plus, sum_abs};
use crate::request::{Request, Wanted};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, PARALLEL_SINE};
use crate::support::{Core, Form};

/// Bounds that differ by this many times the noise are as good as any; the two ends' own noise is two.
const CORE_CLOSE: f64 = 2.25;

/// The cores that this solver knows. No more than a tag and a place: a [`Form`] was written in other pieces than it would be copied in, and waited for.
#[derive(Clone, Copy)]
enum KnownCore<'b, V> {
    Point(&'b V),
    Segment(&'b [V; 2]),
    Cuboid(&'b V),
}

/// What this solver reads of a body.
struct Body<'b, V: Vector> {
    form: KnownCore<'b, V>,
    /// The radius of the ball swept over the core.
    radius: f64,
    pose: &'b Pose<V>,
}

impl<'b, V: Vector> Body<'b, V> {
    #[inline(always)]
    fn new(core: &Core<'b, V>, pose: &'b Pose<V>) -> Option<Self> {
        let form = match core.form {
            Form::Point(at) => KnownCore::Point(at),
            Form::Segment(ends) => KnownCore::Segment(ends),
            Form::Cuboid(half) => KnownCore::Cuboid(half),
            _ => return None,
        };
        Some(Self {
            form,
            radius: core.radius,
            pose,
        })
    }
}

/// The conclusion on two bodies whose cores are points, segments or boxes; undecided for others.
#[inline(always)]
pub(crate) fn solve<V: Vector>(
    [a, b]: [&Core<'_, V>; 2],
    [pose_a, pose_b]: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let (Some(a), Some(b)) = (Body::new(a, pose_a), Body::new(b, pose_b)) else {
        return Conclusion::Undecided;
    };
    solve_bodies(&[a, b], request, bounds)
}

/// [`solve`] by what it reads. A call, so that pairs of other kinds need not save the registers that this uses; it is given
/// bodies, because whole cores would go through memory.
#[inline(never)]
fn solve_bodies<V: Vector>(
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
    bounds.conclude(request)
}

/// Writes the signed distance of the two cores; `false` where floats do not prove it.
#[inline(always)]
fn measured<V: Vector>(a: &Body<'_, V>, b: &Body<'_, V>, bounds: &mut Bounds) -> bool {
    let (from, to) = (a.pose.translation().to_f64(), b.pose.translation().to_f64());
    // A vertex' last operation adds the translation.
    let world = CORE_WORLD_ERROR * (sum_abs(from) + sum_abs(to));
    let (here, there) = ([0.0; 3], plus(to, from, -1.0));
    match a.form {
        KnownCore::Point(&at) => {
            against(Zonotope::point(at, a.pose, here), b, there, world, bounds)
        }
        KnownCore::Segment(ends) => against(
            Zonotope::segment(*ends, a.pose, here),
            b,
            there,
            world,
            bounds,
        ),
        KnownCore::Cuboid(half) if V::DIM == 3 => against(
            Zonotope::<3>::cuboid(*half, a.pose, here),
            b,
            there,
            world,
            bounds,
        ),
        KnownCore::Cuboid(half) => against(
            Zonotope::<2>::cuboid(*half, a.pose, here),
            b,
            there,
            world,
            bounds,
        ),
    }
}

/// [`measured`] with A's core known.
#[inline(always)]
fn against<const N: usize, V: Vector>(
    a: Zonotope<N>,
    b: &Body<'_, V>,
    there: Triple,
    world: f64,
    bounds: &mut Bounds,
) -> bool {
    match b.form {
        KnownCore::Point(&at) => relate(a, Zonotope::point(at, b.pose, there), world, bounds),
        KnownCore::Segment(ends) => {
            relate(a, Zonotope::segment(*ends, b.pose, there), world, bounds)
        }
        KnownCore::Cuboid(half) if V::DIM == 3 => relate(
            a,
            Zonotope::<3>::cuboid(*half, b.pose, there),
            world,
            bounds,
        ),
        // Two rectangles are polygons.
        KnownCore::Cuboid(half) if N < 2 => relate(
            a,
            Zonotope::<2>::cuboid(*half, b.pose, there),
            world,
            bounds,
        ),
        _ => false,
    }
}

/// Writes the signed distance of two cores; `false` where floats do not prove it, which says nothing else.
#[inline(never)]
fn relate<const N: usize, const M: usize>(
    a: Zonotope<N>,
    b: Zonotope<M>,
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
    if body.radius == 0.0 {
        return Some(0.0);
    }
    let scale = body.pose.uniform_scale()?;
    Some(body.radius * scale.to_f64())
}

/// The signed distance of two separated cores, from points of theirs that are nearest or nearly so.
///
/// Where the line between them gives a poor bound, its parts along generators that the points are inside of are removed:
/// rounding, and angles that are not right, leave such parts. An error of the direction then counts by its square.
#[inline(always)]
fn separated<const N: usize, const M: usize>(
    a: &Zonotope<N>,
    b: &Zonotope<M>,
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
